# SPDX-License-Identifier: Apache-2.0
"""contrib/rod: a shape and its resolver from outside the tree, against analytic results.

usage: test_contrib_rod.py MESON BUILD "CC ARG..." CONTRIB
"""
import json
import math
import pathlib
import re
import shlex
import sys

import tap
from runs import read_table
from stage import Stage

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])

L, R, DENSITY, KN, G = 0.02, 0.004, 2500.0, 1.0e5, 9.81  # [m] [m] [kg/m^3] [N/m] [m/s^2]
BAR, CAPS = math.pi * R * R * L, 4.0 / 3.0 * math.pi * R ** 3
MASS = DENSITY * (BAR + CAPS)
AXIAL = DENSITY * (BAR * R * R / 2 + CAPS * 0.4 * R * R)
ACROSS = DENSITY * (BAR * (L * L / 12 + R * R / 4) + CAPS * (0.4 * R * R + 0.25 * L * L + 0.375 * L * R))

SCENE = """
scene = { dimension = %d; dt = %r; steps = %d; gravity = (%s); %s };
materials = { m = { density = %r; }; };
shapes = { stick = { type = "rod"; length = %r; radius = %r; }; %s };
bodies = { %s };
force = ( { plugin = "linear"; kn = %r; %s } );
resolvers = ( { plugin = "sphere"; }, { plugin = "rod"; } );
observers = { at = { plugin = "csv"; what = "bodies"; every_steps = %d; };
  touch = { plugin = "csv"; what = "contacts"; every_steps = %d; }; };
"""


SHAPES = {3: """floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; block = { type = "box"; size = (0.06, 0.05, 0.04); };
  sheet = { type = "facets"; vertices = ((-0.05, -0.05, 0.0), (0.05, -0.05, 0.0), (0.05, 0.05, 0.0), (-0.05, 0.05, 0.0));
            facets = ((0, 1, 2), (0, 2, 3)); };""",
          2: """floor = { type = "plane"; normal = (0.0, 1.0); };
  block = { type = "segments"; vertices = ((0.03, -0.04), (0.03, 0.0), (0.0, 0.0), (-0.03, 0.0), (-0.03, -0.04));
            segments = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)); };"""}


class Case:
    """A run of a few bodies: what it prints, and the last rows of its tables."""

    def __init__(self, stage, name, bodies, steps=1000, dt=1e-5, gravity=(0.0, 0.0, 0.0), law="", dimension=3, more="",
                 words=()):
        scene = stage.top / f"{name}.cfg"
        gravity = ", ".join(repr(g) for g in gravity[:dimension])
        text = SCENE % (dimension, dt, steps, gravity, more, DENSITY, L, R, SHAPES[dimension], bodies, KN, law, steps, steps)
        scene.write_text(text)
        self.json, _ = stage.run(scene, name, *words)
        self.bodies = {row["name"]: {k: float(v) for k, v in row.items() if k not in ("name", "shape_name", "material_name")}
                       for row in self.last(stage.top / name / "bodies.csv")}
        self.contacts = self.last(stage.top / name / "contacts.csv")
        self.energy = self.json.get("energy", {})

    @staticmethod
    def last(path):
        rows = read_table(path)
        return [row for row in rows if row["step"] == rows[-1]["step"]]


def near(a, b, part):
    return abs(a - b) <= part * abs(b)


FLOOR = 'floor = { shape = "floor"; };'
UPRIGHT = 'orientation = { axis = (0.0, 1.0, 0.0); angle = "90 deg"; };'


def test_measure(stage):
    spin = ("50.0, 0.0, 0.0", AXIAL), ("0.0, 50.0, 0.0", ACROSS), ("0.0, 0.0, 50.0", ACROSS)
    for k, (w, inertia) in enumerate(spin):
        seen = Case(stage, f"spin-{k}", f'a = {{ shape = "stick"; position = (0.0, 0.0, 0.0); spin = ({w}); }};', steps=200)
        tap.check(f"a rod spins freely about axis {k} with its moment of inertia", near(
            seen.energy["kinetic"], 0.5 * inertia * 2500.0, 1e-12), (seen.energy, 0.5 * inertia * 2500.0))
    seen = Case(stage, "weight", 'a = { shape = "stick"; position = (0.0, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); scale = 2.0; };')
    tap.check("its mass grows with the cube of its scale", near(seen.energy["kinetic"], 4.0 * MASS, 1e-12), seen.energy)
    area = 2 * R * L + math.pi * R * R
    flat = DENSITY * (2 * R * L * (L * L + 4 * R * R) / 12
                      + math.pi * R * R * (R * R / 2 + L * L / 4 + 4 * L * R / (3 * math.pi)))
    seen = Case(stage, "flat", 'a = { shape = "stick"; position = (0.0, 0.0); velocity = (1.0, 0.0); spin = 50.0; };', dimension=2,
                more="thickness = 1.0;")
    tap.check("in 2D it is a stadium", near(seen.energy["kinetic"], 0.5 * DENSITY * area + 0.5 * flat * 2500.0, 1e-12),
              (seen.energy, 0.5 * DENSITY * area + 0.5 * flat * 2500.0))


def test_plane(stage):
    fall = 'a = { shape = "stick"; position = (0.0, 0.0, %r); velocity = (0.0, 0.0, -0.1); %s };'
    # half a period of m z'' = -2 kn z from the touch on; then it flies with what it had
    for name, height, place, n in (("flat", R, "", 2), ("on its end", L / 2 + R, UPRIGHT, 1)):
        steps = math.ceil(math.pi * math.sqrt(MASS / (n * KN)) / 1e-6)
        half = Case(stage, f"hit {name}", FLOOR + fall % (height, place), steps=steps // 2, dt=1e-6)
        seen = Case(stage, f"bounce {name}", FLOOR + fall % (height, place), steps=steps + 20, dt=1e-6).bodies["a"]
        tap.check(f"a rod dropped {name} has {n} contacts and bounces as from {n} springs", len(half.contacts) == n
                  and near(seen["vz"], 0.1, 1e-4) and max(abs(seen[k]) for k in ("wx", "wy", "wz")) < 1e-9,
                  (half.contacts, seen))
        depth = max(float(c["depth"]) for c in half.contacts)
        tap.check(f"{name}: its depth is that of {n} springs", near(depth, 0.1 * math.sqrt(MASS / (n * KN)), 1e-3), depth)
    omega = 0.5 * L * math.sqrt(2.0 * KN / ACROSS)
    rest = MASS * G / (2 * KN)
    rock = Case(stage, "rock", FLOOR + f'a = {{ shape = "stick"; position = (0.0, 0.0, {R - rest!r}); spin = (0.0, 1e-3, 0.0); }};',
                gravity=(0.0, 0.0, -G), steps=1000, dt=2.5 * math.pi / omega / 1000)
    # after 1.25 periods it stands still, turned by w / omega
    turn = 1e-3 / omega
    low = [float(c["depth"]) for c in rock.contacts]
    tap.check("it rocks with the period of two springs at the ends", len(low) == 2
              and near(abs(low[0] - low[1]), L * turn, 1e-3) and abs(rock.bodies["a"]["wy"]) < 1e-5, (low, L * turn, rock.bodies))
    # on a slope of 20 degrees, along its axis: slides with g (sin - mu cos), or sticks
    c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
    lie = f'a = {{ shape = "stick"; position = (0.0, 0.0, {R - rest * c!r}); }};'
    slide = Case(stage, "slide", FLOOR + lie, gravity=(G * s, 0.0, -G * c), steps=20000, law="friction = 0.2; restitution = 0.5;")
    want = G * (s - 0.2 * c) * 0.2
    tap.check("on a slope it slides as Coulomb says", near(slide.bodies["a"]["vx"], want, 2e-3) and len(slide.contacts) == 2,
              (slide.bodies["a"], want))
    stick = Case(stage, "stick", FLOOR + lie, gravity=(G * s, 0.0, -G * c), steps=20000, law="friction = 0.6; restitution = 0.5;")
    tap.check("it sticks where friction is enough: the history of both contacts lasts", abs(stick.bodies["a"]["vx"]) < 1e-6
              and stick.bodies["a"]["x"] < 1e-4, stick.bodies["a"])


def test_bodies(stage):
    hit = ('a = { shape = "stick"; position = (0.0, 0.0, 0.0); spin = (3.0, -20.0, 11.0); };'
           'b = { shape = "stick"; position = (0.006, 0.001, 0.01); velocity = (0.0, 0.1, -0.8); orientation = { axis = (0.2, 0.3, 1.0); angle = "70.0 deg"; }; };'
           'c = { radius = 0.003; position = (-0.009, 0.0, -0.0072); velocity = (0.0, 0.0, 0.5); };')
    start = Case(stage, "start", hit, steps=1, dt=1e-9)
    seen = Case(stage, "hit", hit, steps=6000, dt=1e-6)
    same = all(abs(p - q) < 1e-12 for p, q in zip(start.json["momentum"], seen.json["momentum"]))
    turn = all(abs(p - q) < 3e-9 * max(map(abs, start.json["angular_momentum"])) / 1e-2
               for p, q in zip(start.json["angular_momentum"], seen.json["angular_momentum"]))
    tap.check("rods and a ball hit each other: momentum and angular momentum are kept", same and turn,
              (start.json["momentum"], seen.json["momentum"], start.json["angular_momentum"], seen.json["angular_momentum"]))
    tap.check("and so is the energy", seen.json["contacts"] > 0.01 and abs(seen.energy["residual"]) < 1e-4 * start.energy["kinetic"]
              and not near(seen.bodies["b"]["vz"], -0.8, 0.05), (seen.energy, seen.bodies))
    heap = ('a = {{ shape = "stick"; position = (0.0, 0.0, 0.004); }};'
            'b = {{ shape = "stick"; position = (0.001, {y}, 0.012); orientation = {{ axis = (0.0, 0.0, 1.0); angle = "90 deg"; }}; }};')
    rough = "restitution = 0.1; friction = 0.5;"
    seen = Case(stage, "heap", FLOOR + heap.format(y=0.0), gravity=(0.0, 0.0, -G), steps=5000, law=rough)
    tap.check("a rod lies across another", len(seen.contacts) == 3 and abs(seen.bodies["b"]["vz"]) < 1e-6, (seen.contacts, seen.bodies))
    told = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, stage.top / "heap.cfg").stdout
    tap.check("validate counts bodies and planes", "3: 2 free, 0 kinematic, 1 fixed (these have 0 facets; 1 planes)" in told, told)
    seen = Case(stage, "heap-off", FLOOR + heap.format(y=0.003), gravity=(0.0, 0.0, -G), steps=2000)
    want = -G * 0.003 / (ACROSS / MASS + 0.003 ** 2) * 0.02
    # it sinks in at first, which takes 4 % of the time
    tap.check("one that lies off its middle tips by its moment of inertia", near(seen.bodies["b"]["wx"], want, 6e-2),
              (seen.bodies["b"], want))
    flat = ('a = { shape = "stick"; position = (0.0, 0.0); velocity = (0.3, 0.0); orientation = 30.0; };'
            'b = { shape = "stick"; position = (0.02, 0.001); orientation = -60.0; };'
            'c = { radius = 0.003; position = (-0.02, -0.008); velocity = (1.0, 0.2); };')
    start = Case(stage, "start-2d", flat, steps=1, dt=1e-9, dimension=2, more="thickness = 0.01;")
    seen = Case(stage, "hit-2d", flat, steps=20000, dt=1e-6, dimension=2, more="thickness = 0.01;")
    tap.check("in 2D momentum, angular momentum and energy are kept too", seen.json["contacts"] > 0.005 and all(
        abs(p - q) < 1e-6 * max(abs(v) for v in start.json[key]) for key in ("momentum", "angular_momentum")
        for p, q in zip(start.json[key], seen.json[key])) and abs(seen.energy["residual"]) < 1e-4 * start.energy["kinetic"],
        (start.json["momentum"], seen.json["momentum"], start.json["angular_momentum"], seen.json["angular_momentum"], seen.energy))


SHEET = 'sheet = { shape = "sheet"; };'
FLAT_BLOCK = 'block = { shape = "block"; motion = "fixed"; };'
BLOCK = 'block = { shape = "block"; position = (0.0, 0.0, -0.02); motion = "fixed"; };'


def test_facets(stage):
    def lie(x, z=R - MASS * G / (2 * KN), more=""):
        return BLOCK + f'a = {{ shape = "stick"; position = ({x!r}, 0.003, {z!r}); {more} }};'
    rough = "restitution = 0.2; friction = 0.6;"
    seam = lie(0.0, more='orientation = { axis = (0.0, 0.0, 1.0); angle = "70 deg"; };').replace(BLOCK, SHEET)
    for name, bodies in (("on a face", lie(0.002)), ("across the seam of two triangles", seam)):
        seen = Case(stage, f"rest {name}", bodies, gravity=(0.0, 0.0, -G), steps=5000, law=rough)
        tap.check(f"a rod rests {name} by two contacts", len(seen.contacts) == 2 and all(
            near(float(c["depth"]), MASS * G / (2 * KN), 1e-2) for c in seen.contacts) and abs(seen.bodies["a"]["vz"]) < 1e-6,
            (seen.contacts, seen.bodies["a"]))
    # it juts out by 8 mm beyond the edge at 0.03: caps at 0.018 (on the face) and 0.038, the middle at 0.028
    seen = Case(stage, "jut", lie(0.028), gravity=(0.0, 0.0, -G), steps=20000, law=rough)
    forces = sorted(KN * float(c["depth"]) for c in seen.contacts)
    want = sorted((MASS * G * 0.002 / 0.012, MASS * G * 0.010 / 0.012))
    tap.check("one that juts out rests on a cap and on the edge, as levers say", len(forces) == 2 and all(
        near(f, w, 2e-2) for f, w in zip(forces, want)), (forces, want, seen.bodies["a"]))
    seen = Case(stage, "rock on an edge", lie(0.024, more="spin = (0.0, -0.1, 0.0);"), gravity=(0.0, 0.0, -G), steps=4000, dt=1e-6)
    tap.check("it rocks between the two, the cap deeper than the edge at times, without loss", len(seen.contacts) == 2 and abs(
        seen.energy["residual"]) < 1e-3 * 0.5 * ACROSS * 0.01, (seen.contacts, seen.energy, 0.5 * ACROSS * 0.01))
    seen = Case(stage, "tip", lie(0.0335), gravity=(0.0, 0.0, -G), steps=20000, law=rough)
    tap.check("one whose middle is beyond the edge tips over", seen.bodies["a"]["wy"] > 1.0 and seen.bodies["a"]["z"] < 0.0,
              seen.bodies["a"])
    roll = lie(0.0, more='velocity = (0.5, -0.3, 0.0);').replace(BLOCK, SHEET)
    seen = Case(stage, "seam", roll, gravity=(0.0, 0.0, -G), steps=4000)
    tap.check("it slides over the seam without a bump", abs(seen.bodies["a"]["vz"]) < 1e-9 and near(seen.bodies["a"]["vx"], 0.5, 1e-9)
              and len(seen.contacts) == 2, seen.bodies["a"])
    drop = BLOCK + 'a = { shape = "stick"; position = (0.031, 0.004, 0.006); velocity = (0.0, 0.0, -0.5); orientation = { axis = (0.3, 1.0, 0.2); angle = "25.0 deg"; }; };'
    seen = Case(stage, "edge", drop, steps=8000, dt=1e-6)
    start = 0.5 * MASS * 0.25
    tap.check("a slanted rod bounces off edge and face without loss", seen.json["contacts"] > 0.005
              and near(seen.energy["kinetic"], start, 1e-4) and abs(seen.energy["residual"]) < 1e-4 * start, seen.energy)
    drop = BLOCK + 'a = { shape = "stick"; position = (0.031, 0.026, 0.0045); velocity = (0.0, 0.0, -0.5); orientation = { axis = (0.0, 0.0, 1.0); angle = "135.0 deg"; }; };'
    seen = Case(stage, "corner", drop, steps=8000, dt=1e-6)
    tap.check("a rod across a corner bounces off it without loss", seen.json["contacts"] > 0.005 and seen.bodies["a"]["vz"] > -0.4
              and abs(seen.energy["residual"]) < 1e-4 * start, (seen.energy, seen.bodies["a"]))


def test_flat(stage):
    mass = DENSITY * 0.01 * (2 * R * L + math.pi * R * R)
    thick = "thickness = 0.01;"
    rest, rough = R - mass * G / (2 * KN), "restitution = 0.2; friction = 0.6;"
    for name, wall, x, arms in (("a line", FLOOR, 0.0, (0.5, 0.5)), ("segments with a seam", FLAT_BLOCK, 0.0, (0.5, 0.5)),
                                ("a corner and a segment", FLAT_BLOCK, 0.028, (1 / 6, 5 / 6))):
        seen = Case(stage, f"2D {name}", wall + f'a = {{ shape = "stick"; position = ({x!r}, {rest!r}); }};', gravity=(0.0, -G),
                    steps=12000, law=rough, dimension=2, more=thick)
        forces = sorted(KN * float(c["depth"]) for c in seen.contacts)
        tap.check(f"in 2D it rests on {name}", len(forces) == 2 and all(near(f, mass * G * arm, 2e-2)
                  for f, arm in zip(forces, arms)), (forces, [mass * G * arm for arm in arms], seen.bodies["a"]))
    drop = FLAT_BLOCK + 'a = { shape = "stick"; position = (0.03, 0.01); velocity = (0.0, -0.5); orientation = 0.6; };'
    seen = Case(stage, "2D corner", drop, steps=10000, dt=1e-6, dimension=2, more=thick)
    start = 0.5 * mass * 0.25
    tap.check("in 2D it bounces off a corner without loss", seen.json["contacts"] > 0.005 and seen.bodies["a"]["vy"] > -0.4
              and abs(seen.energy["residual"]) < 1e-4 * start, (seen.energy, seen.bodies["a"]))


def test_curvature(stage):
    """Hertz's theory: of crossed cylinders of one radius r the contact is that of a ball r on a plane."""
    cross = ('a = { shape = "stick"; position = (0.0, 0.0, 0.0); velocity = (0.0, 0.0, 0.2); };'
             'b = { shape = "stick"; position = (0.0, 0.0, 0.008); orientation = { axis = (0.0, 0.0, 1.0); angle = "90 deg"; };'
             ' velocity = (0.0, 0.0, -0.2); };')
    modulus, poisson = 1e8, 0.25
    k = 4.0 / 3.0 * modulus / (2 * (1 - poisson ** 2)) * math.sqrt(R)
    depth = (1.25 * 0.5 * MASS * 0.16 / k) ** 0.4
    steps = 1000
    law = f'young_modulus = {modulus!r}; poisson_ratio = {poisson!r};'
    seen = Case(stage, "cross", cross, steps=steps, dt=1.47164 * depth / 0.4 / steps, words=(
        "--set", 'force.0={plugin="hertz_mindlin";' + law + '}'))
    tap.check("crossed rods press each other in as Hertz says", len(seen.contacts) == 1
              and near(float(seen.contacts[0]["depth"]), depth, 1e-3), (seen.contacts, depth))


def fastest(kt, depth, kn=KN):
    """[1/s^2] of a rod flat on a plane, by the 6 x 6 problem, which falls apart into four."""
    low = R - 0.5 * depth
    sway, rock = 2 * kt / MASS, (0.5 * kn * L * L + 2 * kt * low * low) / ACROSS
    both = 2 * kt * low / math.sqrt(MASS * ACROSS)
    return max(2 * kn / MASS, 0.5 * (sway + rock) + math.hypot(0.5 * (sway - rock), both),
               2 * kt * (1 / MASS + low * low / AXIAL), 0.5 * kt * L * L / ACROSS)


def test_stability(stage):
    rest = MASS * G / (2 * KN)
    lie = FLOOR + f'a = {{ shape = "stick"; position = (0.0, 0.0, {R - rest!r}); %s }};'
    kick = "velocity = (1e-7, 5e-8, -1e-7); spin = (3e-5, -2e-5, 1e-5);"
    for share in (1.0, 2.0 / 7.0, 4.0):
        law = f"kt = {share * KN!r}; friction = 1e9; restitution = 1.0;"
        exact = 2.0 / math.sqrt(fastest(share * KN, rest))
        seen = Case(stage, f"survey {share:.3g}", lie % "", gravity=(0.0, 0.0, -G), steps=260, dt=1.0002 * exact, law=law)
        warning = seen.json["warnings"]["critical_step"]
        tap.check(f"a run knows the critical step of a rod on a plane, kt = {share:.3g} kn", warning["count"] == 1
                  and near(warning["worst"], 1.0002, 5e-5), warning)
        begin = Case(stage, f"kick {share:.3g}", lie % kick, gravity=(0.0, 0.0, -G), steps=1, dt=1e-9, law=law).energy["kinetic"]
        calm = Case(stage, f"calm {share:.3g}", lie % kick, gravity=(0.0, 0.0, -G), steps=4000, dt=0.9 * exact, law=law)
        wild = Case(stage, f"wild {share:.3g}", lie % kick, gravity=(0.0, 0.0, -G), steps=30, dt=1.02 * exact, law=law)
        tap.check("at 0.9 of it a run stays calm, at 1.02 it gains energy", calm.energy["kinetic"] < 6.0 * begin
                  and wild.energy["kinetic"] > 1e4 * begin, (calm.energy, wild.energy, begin))
        told = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, stage.top / f"wild {share:.3g}.cfg").stdout
        forecast = re.search(r"^packing +(\S+) s, set by body 2 \(half thickness 0.004 m\) with room for 1 contact, some with a wall",
                             told, re.M)
        tap.check("before the run one contact at its worst place is assumed, and the step is no larger", forecast
                  and 0.3 * exact < float(forecast.group(1)) <= exact, (exact, told))
    modulus, poisson = 1e8, 0.25
    stiff, shear = modulus / (2 * (1 - poisson ** 2)), modulus / (4 * (1 + poisson) * (2 - poisson))
    rest = (0.375 * MASS * G / (stiff * math.sqrt(R))) ** (2.0 / 3.0)  # two caps, R their curvature
    cap = math.sqrt(R * rest)
    exact = 2.0 / math.sqrt(fastest(8.0 * shear * cap, rest, 2.0 * stiff * cap))
    lie = FLOOR + f'a = {{ shape = "stick"; position = (0.0, 0.0, {R - rest!r}); }};'
    seen = Case(stage, "hertz", lie, gravity=(0.0, 0.0, -G), steps=260, dt=1.0002 * exact, words=(
        "--set", f'force.0={{plugin="hertz_mindlin"; young_modulus={modulus!r}; poisson_ratio={poisson!r}; friction=1e9; restitution=1.0;}}'))
    warning = seen.json["warnings"]["critical_step"]
    tap.check("a run asks Hertz about the curvature of the caps", near(warning["worst"], 1.0002, 2e-4), (warning, exact))
    mass = DENSITY * 0.01 * (2 * R * L + math.pi * R * R)
    inertia = DENSITY * 0.01 * (2 * R * L * (L * L + 4 * R * R) / 12
                                + math.pi * R * R * (R * R / 2 + L * L / 4 + 4 * L * R / (3 * math.pi)))
    rest, kt = mass * G / (2 * KN), KN
    low = R - 0.5 * rest
    sway, rock = 2 * kt / mass, (0.5 * KN * L * L + 2 * kt * low * low) / inertia
    exact = 2.0 / math.sqrt(max(2 * KN / mass, 0.5 * (sway + rock) + math.hypot(0.5 * (sway - rock), 2 * kt * low / math.sqrt(mass * inertia))))
    seen = Case(stage, "survey-2d", f'{FLOOR} a = {{ shape = "stick"; position = (0.0, {R - rest!r}); }};', gravity=(0.0, -G), steps=260,
                dt=1.0002 * exact, law=f"kt = {kt!r}; friction = 1e9; restitution = 1.0;", dimension=2, more="thickness = 0.01;")
    warning = seen.json["warnings"]["critical_step"]
    tap.check("so it does in 2D", near(warning["worst"], 1.0002, 5e-5), (warning, exact))
    tap.check("validate counts solids", "solids     1, half thickness 0.004 m to 0.004 m, within 0.014 m of their centres" in told, told)


def test_warnings(stage):
    def run(name, bodies, dt, steps, *words):
        Case(stage, name, bodies, steps=1, dt=1e-9)  # writes the scene
        done = stage.call(stage.scree, "run", "--plugin-path", stage.plugins, stage.top / f"{name}.cfg", "-q", "--json", "-o",
                          f"{name}-2", "--set", f"scene.dt={dt!r}", "--steps", steps, "--set", "scene.dt_limit=1e9", *words)
        return done.stderr, json.loads(done.stdout)["warnings"]
    for share in (1.2, 0.9):
        fly = f'a = {{ shape = "stick"; position = (0.0, 0.0, 0.0); velocity = ({share * R / 1e-4!r}, 0.0, 0.0); }};'
        said, seen = run(f"fly-{share}", fly, 1e-4, 50)
        tap.check(f"a rod that moves {share} of half its thickness in a step is {'' if share > 1 else 'not '}warned of",
                  ("(a) crosses half its thickness in one step" in said) == (share > 1) and (seen["crossing"]["count"] > 0) == (share > 1),
                  (said, seen))
    for share in (0.06, 0.045):
        speed = share * R / math.sqrt(MASS / (2 * KN))
        hit = FLOOR + f'a = {{ shape = "stick"; position = (0.0, 0.0, {R + 1e-9!r}); velocity = (0.0, 0.0, {-speed!r}); }};'
        said, seen = run(f"deep-{share}", hit, 1e-6, 1000)
        tap.check(f"an overlap of {share} of half its thickness is {'' if share > 0.05 else 'not '}warned of",
                  ("of half the thickness of the thinner body" in said) == (share > 0.05)
                  and (share < 0.05 or near(seen["overlap"]["worst"], share, 1e-3)), (said, seen))


def test_drag(stage):
    """Terminal velocity of the sphere of equal volume."""
    oil = 'modifiers={ oil = { plugin = "drag"; law = "stokes"; viscosity = 50.0; density = 900.0; buoyancy = true; }; }'
    sink = 'a = { shape = "stick"; position = (0.0, 0.0, 0.0); spin = (9.0, 8.0, 7.0); };'
    seen = Case(stage, "sink", sink, gravity=(0.0, 0.0, -G), steps=500, dt=1e-4, words=("--set", oil))
    r = (0.75 / math.pi * (BAR + CAPS)) ** (1 / 3)
    want = -(MASS - 900.0 * (BAR + CAPS)) * G / (6 * math.pi * 50.0 * r)
    tap.check("a rod sinks in a thick fluid as the sphere of equal volume", near(seen.bodies["a"]["vz"], want, 1e-9),
              (seen.bodies, want))


def test_insert(stage):
    """A region that is shorter than the rod, which is first inserted much later."""
    scene = stage.top / "feed.cfg"
    for room, status in ((0.02, 2), (0.03, 0)):
        scene.write_text(SCENE % (3, 1e-5, 10, "0.0, 0.0, 0.0", "", DENSITY, L, R, "", "", KN, "", 1, 1) + f"""
modifiers = {{ feed = {{ plugin = "insert"; number_rate = 1.0; start = 9.0; body = {{ shape = "stick"; }};
    region = {{ min = (0.0, 0.0, 0.0); max = (0.1, 0.1, {room}); }}; }}; }};
""")
        seen = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, scene)
        tap.check(f"validate: a region of {room} m and a rod of 0.028 m", seen.returncode == status
                  and ("feed.cfg:11: modifier/insert (modifiers.feed) failed in enter at step 0: region: the largest body, of bounding "
                       "radius 0.014 m, has no room" in seen.stderr) == (status == 2), seen)
    small = ("--set", "shapes.stick.length=1e-200", "--set", "shapes.stick.radius=1e-200")
    seen = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, scene, *small)
    tap.check("a rod has sides whose squares are numbers", seen.returncode == 2 and
              "shapes.stick.radius: expected 1e-50 <= value <= 1e+50 m, got 1e-200" in seen.stderr, seen)


def test_check(stage):
    """Short rods are nearly balls: their cases are those of other rods than the check would take."""
    file, words = stage.plugins / "rod.so", ("--set", "length=1e-3", "--set", "radius=1.0")
    long, short = (stage.call(stage.scree, "check", file, "--case", "cycle", *more) for more in ((), words))
    tap.check("scree check gives the user's values to the solid of a resolver's cases", long.returncode == 0
              and short.returncode == 0 and long.stdout != short.stdout, (long.stdout, short.stdout))
    done = stage.call(stage.scree, "check", file, *words)
    tap.check("scree check sees a ball across a gap from a solid that is nearly one", done.returncode == 0, done)


CHOOSE = """scene = { dimension = 2; dt = 1e-5; steps = 20; gravity = (0.0, -9.81); thickness = 1.0; };
materials = { m = { density = 2500.0; }; };
shapes = { stick = { type = "rod"; length = 0.02; radius = 0.004; }; floor = { type = "plane"; normal = (0.0, 1.0); }; };
bodies = { a = { %s; position = (0.0, 0.00399); }; floor = { shape = "floor"; }; };
force = { plugin = "linear"; kn = 1e5; };
"""


def test_chosen(stage):
    """In 2D only contrib's own resolver serves rods."""
    scene = stage.top / "choose.cfg"
    for name, body, want in (("rods", 'shape = "stick"', ["sphere", "rod"]), ("balls", "radius = 0.004", ["sphere"])):
        scene.write_text(CHOOSE % body)
        seen = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, scene)
        list_of = ", ".join(f'{{ plugin = "{id}"; }}' for id in want)
        tap.check(f"a scene of {name} without resolvers gets {' and '.join(want)}; validate says so", seen.returncode == 0
                  and (f"the scene gets resolvers = ( {list_of} );" in seen.stderr) == (name == "rods")
                  and "gcd/auto, " + ", ".join(f"resolver/{id}" for id in want) + ", force" in seen.stdout, seen)
        stage.run(scene, name)
        plugins = json.loads((stage.top / name / "manifest.json").read_text())["plugins"]
        tap.check(f"{name}: the manifest has them", [p["id"] for p in plugins if p["kind"] == "resolver"] == want, plugins)


def run(top):
    stage = Stage(top, MESON, BUILD, CC)
    stage.build_folder(CONTRIB / "rod")
    test_measure(stage)
    test_plane(stage)
    test_bodies(stage)
    test_facets(stage)
    test_flat(stage)
    test_curvature(stage)
    test_stability(stage)
    test_warnings(stage)
    test_drag(stage)
    test_insert(stage)
    test_check(stage)
    test_chosen(stage)


tap.in_folder(run)
