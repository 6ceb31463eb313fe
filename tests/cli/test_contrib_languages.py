# SPDX-License-Identifier: Apache-2.0
"""Plugins of contrib/ that are not in C: a contact detection in Rust, a law in C++, an integrator in Fortran.

usage: test_contrib_languages.py MESON BUILD "CC ARG..." CONTRIB
"""
import math
import pathlib
import re
import shlex
import sys

import tap
from runs import read_table
from stage import Stage, missing

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])

# ---- Rust

LAYOUT_C = """
#include <scree/scree.h>
#include <stdio.h>
int main(void) {
%s
}
"""
LAYOUT_RUST = """
#[path = "%s"] mod scree;
fn main() {
%s
}
"""


# Sizes over a decade, in a box of facets with a hole far outside of which some fly.
SIZES = """
scene = { dimension = 3; dt = 1.0e-5; steps = 150; gravity = (0.0, 0.0, -50.0);
  region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }; };
materials = { glass = { density = 2500.0; }; };
shapes = { box = { type = "box"; size = (0.1, 0.1, 0.1); }; };
bodies = { walls = { shape = "box"; position = (0.05, 0.05, 0.05); motion = "fixed"; };
  far = { radius = 0.001; position = (1.0e9, -3.0, 5.0e4); }; };
generate = { coarse = { shape = "sphere"; count = 12; radius = 0.01; velocity_random = 2.0; };
  fine = { shape = "sphere"; count = 2000; radius = 0.001; velocity_random = 2.0; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.9; friction = 0.4; } );
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
"""


def test_layout(stage, binding):
    """Names, offsets, sizes and constants of the binding are those of the installed headers."""
    text = binding.read_text()
    of_c, of_rust = [], []
    for name, body in re.findall(r"pub struct (scree_\w+) \{\n(.*?)\n\}", text, re.S):
        if "_private:" in body:  # a struct that the headers only name
            continue
        of_rust.append(f"let u = std::mem::MaybeUninit::<scree::{name}>::uninit(); let p = u.as_ptr();")
        for raw, member in re.findall(r"^    pub ((?:r#)?(\w+)):", body, re.M):
            of_c.append(f'printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), sizeof ((({name} *)0)->{member}));')
            of_rust.append(f'let at = unsafe {{ std::ptr::addr_of!((*p).{raw}) }};'
                           f'println!("{name}.{member} {{}} {{}}", at as usize - p as usize, size(at));')
        of_c.append(f'printf("{name} %zu\\n", sizeof({name}));')
        of_rust.append(f'println!("{name} {{}}", std::mem::size_of::<scree::{name}>());')
    for name in re.findall(r"pub const (SCREE_\w+): [iu]", text):
        of_c.append(f'printf("{name} %lld\\n", (long long){name});')
        of_rust.append(f'println!("{name} {{}}", scree::{name} as i64);')
    (stage.top / "layout.c").write_text(LAYOUT_C % "\n".join(of_c))
    (stage.top / "layout.rs").write_text("fn size<T>(_: *const T) -> usize { std::mem::size_of::<T>() }\n"
                                         + LAYOUT_RUST % (binding, "\n".join(of_rust)))
    made = [stage.call(*CC, *stage.flags, "layout.c", "-o", "layout-c"),
            stage.call("rustc", "--edition", "2021", "layout.rs", "-o", "layout-rust")]
    seen = [stage.call(f"./{name}").stdout.splitlines() for name, done in zip(("layout-c", "layout-rust"), made)
            if done.returncode == 0]
    tap.check("the Rust binding has the layouts and constants of the headers", len(seen) == 2 and seen[0] == seen[1]
              and len(seen[0]) > 900, (made, *(pair for pair in zip(*seen) if len(set(pair)) > 1)))


def test_rust(stage):
    test_layout(stage, pathlib.Path(stage.config("--variable=rust")))
    stage.build_rust(CONTRIB / "gcd/coil/coil.rs")
    scene = stage.top / "sizes.cfg"
    scene.write_text(SIZES)
    ways = {"grid": ('gcd={plugin="grid";}',), "boxes": ('gcd={plugin="coil";}', "--set", "guard.sample=50"),
            "threads": ('gcd={plugin="coil"; wide=false;}', "--oversubscribe", "--threads", "3", "--blocks", "5"),
            "levels": ('gcd={plugin="coil"; span=1.2;}',)}
    runs = {name: stage.run(scene, f"sizes-{name}", "--set", *words)[0] for name, words in ways.items()}
    hashes = {name: run.get("state_sha256") for name, run in runs.items()}
    seen = [(name, hashes[name], run.get("contacts_at_end"), run.get("gcd_calls")) for name, run in runs.items()]
    tap.check("the Rust contact detection makes the run of grid: checked by samples, on threads and without vectors, in "
              "many levels", len(set(hashes.values())) == 1 and all(run.get("contacts_at_end", 0) > 10 and run.get(
                  "gcd_calls", 0) > 100 for run in runs.values()), seen)
    alone = stage.run(scene, "sizes-other", "--set", "scene.seed=2")[0].get("state_sha256")
    tap.check("with another seed it is another one", alone not in hashes.values(), hashes)


# ---- C++

IMPACTS = """
scene = { dimension = 3; dt = 2.0e-7; steps = 4000; };
materials = { glass = { density = 2500.0; young_modulus = 1.0e7; poisson_ratio = 0.25; }; };
bodies = { %s };
force = ( { plugin = "viscoelastic"; dissipative_time = %r; pull = %s; } );
observers = { at = { plugin = "csv"; what = "bodies"; every_steps = 4000; }; };
"""
SPEEDS = (0.02, 0.1, 0.5)  # [m/s] of approach
TIME, RADIUS, MODULUS, POISSON, DENSITY = 3e-6, 1e-3, 1e7, 0.25, 2500.0


def last_rows(path):
    rows = read_table(path)
    return [row for row in rows if row["step"] == rows[-1]["step"]]


def impacts(stage, pull):
    """Restitution of a head-on impact of two balls at each speed."""
    pair = ('a{k} = {{ radius = 1e-3; position = (0.0, {y}, 0.0); velocity = ({half}, 0.0, 0.0); }};'
            'b{k} = {{ radius = 1e-3; position = (2.000001e-3, {y}, 0.0); velocity = (-{half}, 0.0, 0.0); }};')
    bodies = " ".join(pair.format(k=k, y=0.01 * k, half=0.5 * v) for k, v in enumerate(SPEEDS))
    scene = stage.top / f"impacts-{pull}.cfg"
    scene.write_text(IMPACTS % (bodies, TIME, str(pull).lower()))
    run, _ = stage.run(scene, f"impacts-{pull}")
    v = {row["id"]: float(row["vx"]) for row in last_rows(stage.top / f"impacts-{pull}/bodies.csv")}
    v = [v[key] for key in sorted(v, key=int)]
    return [(v[2 * k + 1] - v[2 * k]) / speed for k, speed in enumerate(SPEEDS)], run


def series(y):
    """Ramirez, Poeschel, Brilliantov, Schwager 1999, the first terms; the next one is -0.52 y^3."""
    c1 = math.gamma(0.6) * math.sqrt(math.pi) / (2.0 ** 0.2 * 5.0 ** 0.4 * math.gamma(2.1))
    return 1.0 - c1 * y + 0.6 * c1 ** 2 * y ** 2


def integrate(k, mass, time, speed, pull):
    """Restitution by Runge and Kutta's method, up to the moment at which depth or (no pull) force is 0."""
    def rate(x, v):
        return -k * math.sqrt(max(x, 0.0)) * (x + 1.5 * time * v) / mass

    h, x, v = 5e-8, 0.0, speed
    while x >= 0.0 and (pull or v > 0.0 or rate(x, v) < 0.0):
        a = rate(x, v)
        b = rate(x + h / 2 * v, v + h / 2 * a)
        c = rate(x + h / 2 * (v + h / 2 * a), v + h / 2 * b)
        d = rate(x + h * (v + h / 2 * b), v + h * c)
        x, v = x + h * v + h * h / 6 * (a + b + c), v + h / 6 * (a + 2 * b + 2 * c + d)
    return -v / speed


def test_cxx(stage):
    stage.build_cxx(CONTRIB / "force/viscoelastic.cpp")
    mass = DENSITY * 4.0 / 3.0 * math.pi * RADIUS ** 3 / 2.0
    k = 2.0 / 3.0 * MODULUS / (1.0 - POISSON ** 2) * math.sqrt(RADIUS / 2.0)
    y = [1.5 * TIME * (k / mass) ** 0.4 * v ** 0.2 for v in SPEEDS]
    seen, run = impacts(stage, True)
    tap.check("the restitution falls with the speed as Ramirez et al. 1999 say",
              all(0.0 < series(one) - e < 0.53 * one ** 3 for e, one in zip(seen, y))
              and seen[0] > seen[1] + 0.01 > seen[2] + 0.02, (seen, [series(one) for one in y], y))
    energy = run.get("energy", {})
    tap.check("what is lost is reported as lost", abs(energy.get("residual", 1.0)) < 1e-5 * energy.get("lost", 0.0), energy)
    for pull, seen in ((True, seen), (False, impacts(stage, False)[0])):  # a step is a 900th of an impact
        want = [integrate(k, mass, TIME, v, pull) for v in SPEEDS]
        tap.check(f"an impact ends where the {'depth' if pull else 'force'} does: restitution as by Runge and Kutta",
                  all(abs(a - b) < 2e-6 for a, b in zip(seen, want)), (seen, want))


# ---- Fortran

SPRING = """
scene = { dimension = 3; dt = %r; steps = %d; };
materials = { glass = { density = 2500.0; }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); velocity = (0.05, 0.0, 0.0); };
  b = { radius = 0.01; position = (0.01999, 0.0, 0.0); velocity = (-0.05, 0.0, 0.0); }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
integrator = { plugin = "%s"; };
observers = { at = { plugin = "csv"; what = "bodies"; every_steps = %d; }; };
"""


def spring_error(stage, integrator, steps):
    """[m] Error of the place of one of two balls pressed together, after half of their swing."""
    mass = 2500.0 * 4.0 / 3.0 * math.pi * 1e-6
    omega = math.sqrt(2.0 * 1e4 / mass)
    time, depth = 1.2 / omega, 1e-5
    scene = stage.top / "spring.cfg"
    scene.write_text(SPRING % (time / steps, steps, integrator, steps))
    folder = f"spring-{integrator}-{steps}"
    stage.run(scene, folder)
    x = float(min(last_rows(stage.top / folder / "bodies.csv"), key=lambda row: int(row["id"]))["x"])
    return abs(x - 0.5 * (depth * (math.cos(1.2) - 1.0) + 0.1 / omega * math.sin(1.2)))


def test_fortran(stage):
    told = stage.build_fortran(CONTRIB / "integrator/vefrl.f90", CONTRIB / "integrator/vefrl.c")
    tap.check("the integrator in Fortran is of order 4, with bodies that tumble too",
              len(re.findall(r"(?:position|tumbles): order (?:3\.9|4\.0)", told)) == 2, told)
    needed = stage.call("readelf", "-d", stage.plugins / "vefrl.so").stdout
    tap.check("it needs no Fortran library", "NEEDED" in needed and "gfortran" not in needed, needed)
    coarse, fine = spring_error(stage, "vefrl", 8), spring_error(stage, "vefrl", 16)
    other = spring_error(stage, "forest_ruth", 8)
    tap.check("in a run halving the step makes its error 16 times smaller", 13.0 < coarse / fine < 19.0, (coarse, fine))
    tap.check("its error is some 75 times smaller than that of forest_ruth", 40.0 < other / coarse < 120.0, (coarse, other))


def run(top):
    stage = Stage(top, MESON, BUILD, CC)
    for test, claim, *tools in ((test_rust, "a contact detection in Rust", "rustc"), (test_cxx, "a law in C++", "c++"),
                                (test_fortran, "an integrator in Fortran", "gfortran")):
        reason = missing(*tools)
        if reason:
            tap.skip(claim, reason)
        else:
            test(stage)


tap.in_folder(run)
