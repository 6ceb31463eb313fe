# SPDX-License-Identifier: Apache-2.0
"""Messages about a start and an end that a user did not mean: time step, overlaps, bodies that leave,
pairs that nobody serves, scenes that are not files.

usage: test_start.py SCREE FOLDER_OF_MODULES    (resolver/sins, which serves only spheres)
"""
import json
import math
import os
import pathlib
import re
import shutil
import sys

import tap
from runs import read_table, scree

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
RADIUS, DENSITY, KN = 2e-3, 2500.0, 1e4

# Two balls apart: the critical step is 2 sqrt(m_eff / max(kn, kt (1 + m r^2 / I))), kt = 2/7 kn.
SCENE = f"""
scene = {{ dt = 1e-6; steps = 20; }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
bodies = {{
    a = {{ radius = {RADIUS}; position = (0.0, 0.0, 0.0); }};
    b = {{ radius = {RADIUS}; position = (0.01, 0.0, 0.0); }};
}};
force = ( {{ plugin = "linear"; kn = {KN}; }} );
"""
MASS = 4.0 / 3.0 * math.pi * RADIUS ** 3 * DENSITY
CRITICAL = 2.0 * math.sqrt(0.5 * MASS / max(KN, 2.0 / 7.0 * KN * 3.5))


def place(top, text=SCENE):
    (top / "scene.cfg").write_text(text)


def numbers(text):
    return [float(x) for x in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])", text)]


def has(text, value):
    return any(math.isclose(x, value, rel_tol=1e-4) for x in numbers(text))


def test_dt(top):
    place(top)
    for command in (("run", "-q"), ("validate",)):
        name = command[0]
        small = scree(top, *command, "scene.cfg", "--set", f"scene.dt={0.99 * CRITICAL!r}")
        tap.check(f"{name}: a dt just below the critical step gives no warning",
                  small.returncode == 0 and not small.stderr, small)
        above = scree(top, *command, "scene.cfg", "--set", f"scene.dt={1.5 * CRITICAL!r}")
        tap.check(f"{name}: above it is warned of, with both numbers", above.returncode == 0
                  and "warning: dt" in above.stderr and has(above.stderr, 1.5 * CRITICAL)
                  and has(above.stderr, CRITICAL), (CRITICAL, above))
        far = scree(top, *command, "scene.cfg", "--set", f"scene.dt={2.5 * CRITICAL!r}")
        tap.check(f"{name}: far above it is refused, with both numbers and the way on",
                  far.returncode == 2 and has(far.stderr, 2.5 * CRITICAL)
                  and has(far.stderr, CRITICAL) and "2.5 times" in far.stderr
                  and "scene.dt_limit" in far.stderr, (CRITICAL, far))
        told = scree(top, *command, "scene.cfg", "--set", f"scene.dt={2.5 * CRITICAL!r}", "--set",
                     "scene.dt_limit=3")
        tap.check(f"{name}: unless allowed", told.returncode == 0 and "warning: dt" in told.stderr, told)
    soft = SCENE.replace("density", "young_modulus = 6.5e10; poisson_ratio = 0.25; density")
    place(top, soft)
    seen = scree(top, "run", "-q", "scene.cfg", "--set", f"scene.dt={0.5 * CRITICAL!r}")
    tap.check("a soft law of a stiff material is judged by its own step, not by Rayleigh's",
              seen.returncode == 0 and not seen.stderr, seen)
    place(top, soft.partition("force =")[0])
    seen = scree(top, "run", "-q", "scene.cfg", "--set", "scene.dt=1e-3")
    tap.check("without a law's stiffness Rayleigh's step is the limit", seen.returncode == 2
              and "of Rayleigh" in seen.stderr, seen)
    for value in ("0", "-1", '"x"'):
        seen = scree(top, "validate", "scene.cfg", "--set", f"scene.dt_limit={value}")
        tap.check(f"scene.dt_limit = {value} is refused", seen.returncode == 2
                  and "dt_limit" in seen.stderr, seen)


def test_auto(top):
    place(top, SCENE.replace("dt = 1e-6", 'dt = "auto"'))
    seen = scree(top, "run", "scene.cfg", "--json", "-q")
    tap.check("auto is 0.3 of the critical step", seen.returncode == 0 and math.isclose(
        json.loads(seen.stdout)["dt"], 0.3 * CRITICAL, rel_tol=1e-12), seen)
    seen = scree(top, "run", "scene.cfg", "--set", "bodies.a.motion=fixed", "--set",
                 "bodies.b.motion=fixed")
    tap.check("auto without a free body says that none is free", seen.returncode == 2
              and "no body is free" in seen.stderr and "young_modulus" not in seen.stderr, seen)


def test_overlap(top):
    place(top)
    seen = scree(top, "validate", "scene.cfg")
    tap.check("validate says that nothing overlaps", "none at the start" in seen.stdout, seen)
    pair = ("--set", "bodies.b.position=(0.0036, 0.0, 0.0)")
    third = ("--set", 'bodies.c={radius=0.001; position=(0.0, 0.0, 0.00285);}')
    for command in ("run", "validate"):
        seen = scree(top, command, "scene.cfg", *pair, *third)
        tap.check(f"{command}: an overlap is reported with the worst pair, its depth and share",
                  seen.returncode == 0 and has(seen.stderr, 4e-4)
                  and "(20 % of the smaller radius)" in seen.stderr
                  and re.search(r"body (\d+) \(a\) against body (\d+) \(b\), the deepest of 2",
                                seen.stderr), seen)
    seen = scree(top, "run", "scene.cfg", "--set", "bodies.b.position=(0.00399, 0.0, 0.0)")
    tap.check("less than a percent of a radius gives no warning", seen.returncode == 0
              and not seen.stderr, seen)
    seen = scree(top, "validate", "scene.cfg", "--set", "bodies.b.position=(0.00399, 0.0, 0.0)")
    tap.check("validate prints it anyway", has(seen.stdout, 1e-5) and not seen.stderr, seen)
    wall = ("--set", 'shapes.cup={type="box"; size=(0.02, 0.01, 0.0036);}',
            "--set", 'bodies.cup={shape="cup";}', "--set", "bodies.b.position=(0.006, 0.0, 0.0005)")
    seen = scree(top, "run", "scene.cfg", *wall)
    tap.check("the depth in a wall counts by the ball's radius", has(seen.stderr, 7e-4)
              and "(35 % of the smaller radius)" in seen.stderr and "(cup)" in seen.stderr, seen)
    seen = [scree(top, "run", "scene.cfg", "-q", *pair, *third, "--threads", n, "--batch", 64).stderr
            for n in (1, 2)]
    tap.check("the worst pair does not depend on the threads", seen[0] == seen[1] and seen[0], seen)
    seen = scree(top, "run", "scene.cfg", "-q", "--set", "bodies.b.position=(0.0, 0.0, 0.0)")
    tap.check("two bodies on one spot are reported, and nothing crashes", seen.returncode in (0, 1)
              and "(200 % of the smaller radius)" in seen.stderr, seen)


LEAVES = """
scene = { dt = 1e-4; steps = 200; %s region = { min = (-1.0, -1.0, -1.0); max = (1.0, 1.0, 1.0); }; };
materials = { m = { density = 2500.0; }; };
bodies = { in = { radius = 0.01; position = (0.0, 0.0, 0.0); };
           out = { radius = 0.01; position = (0.99, 0.5, 0.0); velocity = (2.0, 0.0, 0.0); }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
observers = { last = { plugin = "csv"; what = "bodies"; groups = ["out"]; file = "out"; }; };
"""


def leave(top, boundary):
    place(top, LEAVES % (f'boundary = "{boundary}";' if boundary else ""))
    folder = top / f"left-{boundary}"
    seen = scree(top, "run", "scene.cfg", "--json", "-o", folder)
    rows = [r for r in read_table(folder / "out.csv") if r["step"] == "200"]
    return json.loads(seen.stdout), rows, seen.stderr


def test_region(top):
    """A ball at 2 m/s leaves at x = 1 after 5 ms; 15 ms are left."""
    for boundary in ("", "open"):
        data, rows, text = leave(top, boundary)
        tap.check(f"boundary {boundary or '(none given)'}: the ball flies on, and is said to be outside",
                  data["bodies"] == 2 and data["outside"] == 1 and data["destroyed"] == 0
                  and math.isclose(float(rows[0]["x"]), 1.03)
                  and re.search(r"^outside +1 free bod", text, re.M), (data, rows, text))
    data, rows, text = leave(top, "destroy")
    tap.check("destroy: it is taken out, counted and said", data["bodies"] == 1 and not rows
              and data["destroyed"] == 1 and data["outside"] == 0
              and re.search(r"^destroyed +1 free bod", text, re.M), (data, rows, text))
    data, rows, text = leave(top, "reflect")
    tap.check("reflect: it comes back", math.isclose(float(rows[0]["x"]), 0.97)
              and float(rows[0]["vx"]) == -2.0 and data["outside"] == 0, (data, rows))
    data, rows, text = leave(top, "stop")
    tap.check("stop: it rests on the boundary", float(rows[0]["x"]) == 1.0
              and float(rows[0]["vx"]) == 0.0 and data["outside"] == 0, (data, rows))
    data, rows, text = leave(top, "periodic")
    tap.check("periodic: it comes in on the other side", math.isclose(float(rows[0]["x"]), -0.97)
              and data["outside"] == 0 and "outside" not in text and "destroyed" not in text,
              (data, rows, text))


def test_unserved(top):
    place(top, SCENE)
    target = top / "plugins/resolver/sins.so"
    target.parent.mkdir(parents=True)
    shutil.copyfile(MODULES / "sins_resolver.so", target)
    target.chmod(0o644)
    here = ("--plugin-path", top / "plugins", "scene.cfg", "--set", 'resolvers={plugin="sins";}')
    tap.check("a resolver of spheres serves spheres", scree(top, "run", *here).returncode == 0)
    for shape, kind in (('{type="box"; size=(1.0, 1.0, 1.0);}', "mesh"),
                        ('{type="plane"; normal=(0.0, 0.0, 1.0);}', "plane")):
        wall = ("--set", f"shapes.s={shape}", "--set",
                'bodies.cup={shape="s"; position=(0.0, 0.0, -0.4);}')
        for command in ("run", "validate"):
            seen = scree(top, command, *here, *wall)
            tap.check(f"{command}: a wall of type {kind} that nobody serves is refused with names",
                      seen.returncode == 2 and "no resolver of the scene (sins) supports sphere (a) "
                      f"against {kind} (cup)" in seen.stderr, seen)


def test_no_files(top):
    os.mkfifo(top / "pipe.cfg")
    place(top)
    for command in ("run", "validate"):
        for name, words in (("pipe.cfg", "pipe.cfg is a pipe or a device"),
                            ("/dev/null", "/dev/null is a pipe or a device"), (".", ". is a folder"),
                            ("none.cfg", "none.cfg"), ("./none.cfg", "no such scene file"),
                            ("thesis/none", "nor thesis/none.cfg in ./configs or")):
            seen = scree(top, command, name)
            tap.check(f"{command} {name} is refused", seen.returncode == 2 and words in seen.stderr
                      and not seen.stdout and len(seen.stderr.splitlines()) == 1, seen)
    (top / "configs" / "mine").mkdir(parents=True)
    (top / "configs" / "mine" / "one.cfg").write_text((top / "scene.cfg").read_text())
    seen = scree(top, "validate", "mine/one")
    tap.check("a scene in a folder of configs is found by its name there", seen.returncode == 0
              and "(one, " in seen.stdout, seen)
    seen = scree(top, "validate", "scene.cfg", "--set", 'bodies.a.motion="fixed"', "--set", 'bodies.b.motion="fixed"')
    tap.check("a scene without a free body does not blame its laws", "no law states" not in seen.stdout
              and "spring     unknown: no body is free, or to come" in seen.stdout, seen)
    for key in ('bodies.a={file="pipe.cfg";}', 'bodies.a={file="pipe.cfg"; format="lammps";}',
                'shapes.s={type="mesh"; file="pipe.cfg"; format="stl";}',
                'generate.g={count=1; region={min=(1, 1, 1); max=(2, 2, 2);}; '
                'distribution={type="table"; file="pipe.cfg";};}'):
        seen = scree(top, "validate", "scene.cfg", "--set", key)
        tap.check(f"{key}: a pipe is not waited for", seen.returncode == 2 and "pipe.cfg: "
                  "expected a regular file, got a pipe or a device" in seen.stderr, seen)
    for line in ('base = "pipe.cfg";', '@include "pipe.cfg"'):
        (top / "based.cfg").write_text(line + "\n")
        seen = scree(top, "validate", "based.cfg")
        tap.check(f"{line} is not waited for", seen.returncode == 2 and "pipe.cfg: expected a regular file, got a pipe"
                  in seen.stderr, seen)
    for value, file in (('bodies.a={file="none.csv";}', "none.csv"),
                        ("base=none.cfg", "none.cfg")):
        seen = scree(top, "validate", "scene.cfg", "--set", value)
        tap.check(f"{value}: a missing file is named", seen.returncode == 2 and file in seen.stderr,
                  seen)
    for what in ("/etc/passwd", "./scene.cfg"):
        seen = scree(top, "plugins", what)
        tap.check(f"plugins {what}: a file that is not a plugin is refused",
                  seen.returncode == 2 and f'expected KIND, KIND/ID or FILE.so, got "{what}"' in seen.stderr, seen)


def test_observers(top):
    place(top)
    wrong = 'o={plugin="csv"; what="scalars"; groups = ["a"]; every_steps=5;};'
    later = f"schedule=({{at_step=10; set={{observers={{{wrong}}};}};}})"
    for key in (f"observers={{{wrong}}}", later):
        seen = scree(top, "validate", "scene.cfg", "--set", key)
        tap.check(f"validate: an observer that refuses its settings is refused ({key[:9]})",
                  seen.returncode == 2 and "--set: observer/csv (observers.o) failed in create" in
                  seen.stderr and "`groups` goes with" in seen.stderr, seen)
    some = ('observers={c={plugin="csv"; what="contacts"; every_steps=5;}; '
            's={plugin="csv"; every_steps=1;};}')
    seen = scree(top, "run", "scene.cfg", "-q", "--steps", 7, "-o", "out", "--set", some, "--set",
                 "bodies.b.position=(0.0039999, 0.0, 0.0)")
    steps = [int(row["step"]) for row in read_table(top / "out" / "contacts.csv")]
    tap.check("contacts are recorded in the first state, when they are due, and in the last one",
              seen.returncode == 0 and steps == [0, 5, 7], steps)


tap.in_folders(test_dt, test_auto, test_overlap, test_region, test_unserved, test_no_files, test_observers)
