# SPDX-License-Identifier: Apache-2.0
"""Plugins of contrib/, built against what is installed: what they try of the ABI works from outside.

usage: test_contrib.py MESON BUILD "CC ARG..." CONTRIB
"""
import csv
import json
import math
import pathlib
import shlex
import sys

import tap
from runs import read_table
from stage import Stage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "observer"))
import vtp  # noqa: E402

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])

CORDS = """
scene = { dimension = 3; dt = 2.0e-6; steps = 1000;
  region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }; boundary = "periodic"; };
materials = { glass = { density = 2500.0; }; };
generate = { balls = { shape = "sphere"; count = 400; radius = 0.002; velocity_random = 5.0; }; };
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.9; friction = 0.4; },
          { plugin = "cord"; k = 100.0; longest = 0.004; } );
gcd = { plugin = "grid"; };
resolvers = ( { plugin = "sphere"; } );
integrator = { plugin = "velocity_verlet"; };
checkpoint = { every_steps = 500; };
"""


# Rows of draft.layout/1 in files and pictures of an observer of the host.
ROWS = """
scene = { dimension = 2; dt = 2.0e-6; steps = 40; };
materials = { glass = { density = 2500.0; }; };
generate = { discs = { shape = "disc"; count = 300; radius = 0.001; region = { min = (0.0, 0.0); max = (0.06, 0.06); };
    velocity_random = 1.0; }; };
force = ( { plugin = "linear"; kn = 1.0e5; } );
gcd = { plugin = "rows"; };
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
observers = { v = { plugin = "vtk"; detection = { plugin = "rows"; }; bodies = false; walls = false; every_steps = 40; }; };
"""


# One ball of 0.2618 kg m/s^2 rests on a wall, a second one comes in at step 11 and falls, a third is pushed and held.
SCALES = """
scene = { dt = 1.0e-5; steps = 20; gravity = (0.0, 0.0, -25.0); };
materials = { m = { density = 2500.0; }; };
shapes = { up = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.00999738200612); }; held = { radius = 0.01; position = (0.2, 0.0, 0.1); };
  wall = { shape = "up"; motion = "kinematic"; }; };
force = { plugin = "linear"; kn = 1.0e5; };
modifiers = { hold = { plugin = "lock"; groups = "held"; }; scales = { plugin = "scales"; groups = ["wall"]; };
  push = { plugin = "gravity"; groups = "held"; vector = (9.0, 0.0, 0.0); };
  feed = { plugin = "insert"; number = 1; number_rate = 1.0e5; start = 9.9e-5;
    region = { min = (0.1, 0.1, 0.1); max = (0.13, 0.13, 0.13); }; body = { material = "m"; radius = 0.01; velocity = (0.0, 0.0, -2.0); }; }; };
"""


def test_events(stage):
    scene = stage.top / "cords.cfg"
    scene.write_text(CORDS)
    run, rows = stage.run(scene, "one")
    tap.check("events are counted by name", run.get("events") == {"cord_snapped": len(rows)}
              and len(rows) > 50, (run.get("events"), len(rows)))
    keys = [(int(r["step"]), int(r["a"]), int(r["b"])) for r in rows]
    tap.check("events are in the order of steps, then of bodies", keys == sorted(keys), keys)
    first = rows[0] if rows else {}
    tap.check("a row has the plugin, the place and the mode",
              first.get("from") == "force[1]" and first.get("mode") == "stretched"
              and all(0.0 <= float(first[k]) <= 0.06 for k in "xyz")
              and abs(float(first["time"]) - 2e-6 * int(first["step"])) < 1e-12
              and float(first["value"]) >= 0.5 * 100.0 * 0.0035 ** 2, first)
    same = True
    for number, words in enumerate((("--oversubscribe", "--threads", "3", "--blocks", "7"), ("--batch", "64"),
                                    ("--set", "gcd.plugin=dess"))):
        again, others = stage.run(scene, f"same-{number}", *words)
        same = same and others == rows and again.get("state_sha256") == run.get("state_sha256")
    tap.check("threads, blocks, batches and the GCD change no byte of the events", same)
    late, others = stage.run(None, "late", "--restart", stage.top / "one/checkpoint-500.h5")
    tap.check("a run that goes on writes a new file, of the events since",
              others and others == [r for r in rows if int(r["step"]) > 500]
              and late.get("events") == {"cord_snapped": len(others)}, late.get("events"))
    quiet, others = stage.run(scene, "quiet", "--steps", "10")
    tap.check("without events there is no file", quiet.get("events") == {} and not others
              and not (stage.top / "quiet/events.csv").exists(), quiet.get("events"))


def test_groups(stage):
    stage.build_folder(CONTRIB / "heat")
    words = []
    for name in ("modifier/heating", "modifier/scales"):
        page = json.loads(stage.call(stage.scree, "plugins", name, "--json", "--plugin-path", stage.plugins).stdout)
        words += [(p["name"], p["type"]) for p in page["parameters"] if "groups" in p["flags"]]
    tap.check("plugins from outside name groups of bodies by the same word", words == [("groups", "strings")] * 2, words)


def test_scales(stage):
    scene = stage.top / "scales.cfg"
    scene.write_text(SCALES)
    run, _ = stage.run(scene, "scales")
    seen = {one["name"]: one["fields"] for one in run.get("modifiers", [])}.get("scales", {})
    weight = 2500.0 * 4.0 / 3.0 * 3.141592653589793e-6 * 25.0
    tap.check("a modifier reads the load of a wall, its contacts and their stiffness",
              abs(seen.get("force", 0.0) - weight) < 1e-6 * weight and seen.get("contacts") == 1.0
              and seen.get("stiffness") == 1e5, seen)
    # inserted at the end of step 11, so that it falls for 9 steps with 2 m/s
    tap.check("enter sees where bodies start, an inserted one too", abs(seen.get("way", 0.0) - 1.8e-4) < 1e-6, seen)
    tap.check("a modifier that acts last sees what those after it in the scene do: nothing presses on what is held",
              abs(seen.get("sum", 0.0) - weight) < 1e-4 * weight, seen)


TIED = """
base = "cords.cfg";
generate = { balls = { shape = "sphere"; count = 400; radius = 0.002; velocity_random = 0.5; }; };
force = ( { plugin = "cord"; k = 100.0; longest = 0.004; %s } );
"""


def bonds(stage, name):
    """Pairs of contacts of a table, their gaps, at its first and its last step."""
    rows = read_table(stage.top / name / "contacts.csv")
    steps = sorted({int(r["step"]) for r in rows})
    return [{(r["a"], r["b"], r["image_x"], r["image_y"], r["image_z"]): -float(r["depth"]) for r in rows
             if int(r["step"]) == step} for step in (steps[0], steps[-1])]


def test_bonds(stage):
    table = 'observers.c={plugin="csv";what="contacts";every_steps=200;}'
    scene = stage.top / "tied.cfg"
    scene.write_text(TIED % "bonds = { gap = 0.001; };")
    one, rows = stage.run(scene, "near", "--steps", "400", "--set", table)
    first, last = bonds(stage, "near")
    tap.check("all pairs across the gap are bonded from the start, none beyond", len(first) > 50
              and max(first.values()) <= 0.001 and any(key[2:] != ("0", "0", "0") for key in first), first)
    tap.check("bonds last at any gap until they snap", len(last) + len(rows) >= len(first) and max(last.values()) > 0.001,
              (len(first), len(last), len(rows)))
    same = [stage.run(scene, f"near-{k}", "--steps", "400", *words)[0].get("state_sha256")
            for k, words in enumerate((("--oversubscribe", "--threads", "3", "--blocks", "5"), ("--set", "gcd.plugin=dess"), ("--batch", "64")))]
    tap.check("threads, GCD and batches make the same bonds", same == [one["state_sha256"]] * 3, same)
    stage.run(scene, "half", "--steps", "200", "--set", "checkpoint.every_steps=200")
    late = stage.run(None, "on", "--restart", stage.top / "half/checkpoint-200.h5", "--steps", "200")[0]
    tap.check("bonds go on over a restart, and are not made twice", late["state_sha256"] == one["state_sha256"])
    pairs = sorted(key[:2] for key in first)
    (stage.top / "list.csv").write_text("a,b\n" + "".join(f"{b},{a}\n" for a, b in pairs))
    listed = stage.run(scene, "listed", "--steps", "400", "--set", 'force.0.bonds={list="list.csv";}')[0]
    tap.check("the same pairs from a list make the same run", listed["state_sha256"] == one["state_sha256"])
    done = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, scene, "--set", 'force.0.bonds={list="list.csv";}')
    tap.check("scree validate counts the bonds at the start, scree run those at the end", listed["bonds_at_end"] == len(last)
              and f"bonds      {len(pairs)} at the start\n" in done.stdout, (len(pairs), listed["bonds_at_end"], done))
    none = stage.run(scene, "touch", "--steps", "1", "--set", "force.0.bonds={touch=true; from=1.0;}", "--set", table)[0]
    tap.check("contacts that begin before the time of a rule are not bonded", none["events"] == {})
    for name, given, want in (
            ("apart", "1,2\n", "bonds across at most 0.004 m"), ("unknown", "1,999\n", "body 999 is missing"),
            ("itself", "7,7\n", "to itself"), ("twice", "1,2\n2,1\n", "are bonded already, by line 2"),
            ("a word", "1,x\n", "list.csv:2"), ("column", "", "a and b")):
        (stage.top / "bad-list.csv").write_text(("a\n1\n" if name == "column" else "a,b\n") + given)
        done = stage.call(stage.scree, "run", "--plugin-path", stage.plugins, scene, "-q", "--steps", "1", "--set",
                          'force.0.bonds={list="bad-list.csv";}')
        tap.check(f"a list with a bond that cannot be is refused: {name}", done.returncode == 2
                  and want in done.stderr.replace("bad-list", "list"), done)
    done = stage.call(stage.scree, "run", "--plugin-path", stage.plugins, stage.top / "cords.cfg", "-q", "--steps", "1",
                      "--set", "force.0.bonds={gap=1e-3;}")
    tap.check("a law that makes no bonds is not given any", done.returncode == 2 and "makes no bonds" in done.stderr, done)


def test_edits(stage):
    scene = stage.top / "glued.cfg"
    scene.write_text((TIED % "").replace("force", 'modifiers = { g = { plugin = "glue"; }; };\nforce'))
    one, rows = stage.run(scene, "glued", "--steps", "60")
    refused = [(r["mode"], r["a"], r["b"]) for r in rows if r["event"] == "bond_refused"]
    tap.check("a modifier bonds bodies; what is too far apart is a counted event",
              one["events"].get("bond_refused") == 1 and len(refused) == 1 and refused[0][:2] == ("apart", "1"), rows)
    again = stage.run(scene, "glued-2", "--steps", "60", "--threads", "2", "--blocks", "3")[0]
    tap.check("bonds of modifiers do not depend on threads", again["state_sha256"] == one["state_sha256"])
    other = stage.run(scene, "free", "--steps", "60", "--set", "modifiers.g.every_steps=1000")[0]
    tap.check("without them the run is another one", other["state_sha256"] != one["state_sha256"])


THROWN = """
scene = { dt = 1.0e-6; seed = %d; region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); }; boundary = "periodic"; };
materials = { glass = { density = 2500.0; }; };
generate = { balls = { plugin = "matern"; count = %d; radius = 0.03; material = "glass"; }; };
observers = { b = { plugin = "csv"; what = "bodies"; fields = []; }; };
"""


def test_thrown(stage):
    """Matern's formula: the mean of the number that stays, over 12 seeds; no two overlap; the GCD does not matter."""
    n, seeds, kept, least = 1500, 12, [], math.inf
    scene = stage.top / "thrown.cfg"
    for seed in range(1, seeds + 1):
        scene.write_text(THROWN % (seed, n))
        one = stage.run(scene, f"thrown-{seed}", "--steps", "0")[0]
        rows = [tuple(float(r[k]) for k in "xyz") for r in read_table(stage.top / f"thrown-{seed}/bodies.csv")]
        kept.append(len(rows))
        for i, a in enumerate(rows):
            for b in rows[:i]:
                least = min(least, math.hypot(*(min(abs(p - q), 1.0 - abs(p - q)) for p, q in zip(a, b))) - 0.06)
    share = 4.0 / 3.0 * math.pi * 0.06 ** 3
    want, mean = (1.0 - (1.0 - share) ** n) / share, sum(kept) / seeds
    error = math.sqrt(sum((k - mean) ** 2 for k in kept) / (seeds - 1) / seeds)
    tap.check("bodies thrown at once: as many stay as the formula says, within 3 errors", abs(mean - want) < 3.0 * error, (mean, want, error))
    tap.check("and none of them overlaps another", least > -1e-13, least)
    same = stage.run(scene, "thrown-again", "--steps", "0", "--threads", "2", "--oversubscribe", "--set", 'query.gcd.plugin="dess"')[0]["state_sha256"]
    tap.check("threads and GCD leave the same ones", same == one["state_sha256"], same)
    test_turned(stage)


TURNED = """
scene = { dimension = %d; dt = 1.0e-6; seed = 5; region = { min = (%s); max = (%s); }; boundary = "periodic"; };
materials = { glass = { density = 2500.0; }; };
generate = { balls = { plugin = "matern"; count = 2000; radius = 0.003; material = "glass"; orientation = %s; }; };
observers = { b = { plugin = "csv"; what = "bodies"; fields = []; }; };
"""


def test_turned(stage):
    """Random orientations: each of the n bodies has another; each product of two parts of unit quaternions has the mean of its
    distribution, within 5 deviations, 5 / sqrt(n) at most: 1/4 for squares (2D: 1/2 for qw and qz), 0 for others."""
    scene = stage.top / "turned.cfg"
    parts = ("qw", "qx", "qy", "qz")
    for dimension in (2, 3):
        low, high = (", ".join([x] * dimension) for x in ("0.0", "1.0"))
        for words in ('"random"', "0.5" if dimension == 2 else "(0.5, 0.5, 0.5, 0.5)"):
            scene.write_text(TURNED % (dimension, low, high, words))
            name = f"turned-{dimension}-{words[1:4]}"
            stage.run(scene, name, "--steps", "0")
            turns = [tuple(float(r[k]) for k in parts) for r in read_table(stage.top / name / "bodies.csv")]
            n, used = len(turns), parts if dimension == 3 else ("qw", "qz")
            if words != '"random"':
                tap.check(f"{dimension}D: with one orientation all thrown bodies have it", n > 500 and len(set(turns)) == 1, set(turns[:5]))
                continue
            worst = max(abs(sum(q[a] * q[b] for q in turns) / n - (1.0 / len(used) if a == b and parts[a] in used else 0.0))
                        for a in range(4) for b in range(a + 1))
            tap.check(f"{dimension}D: random orientations are spread evenly", n > 500 and len(set(turns)) == n
                      and all(abs(math.hypot(*q) - 1.0) < 1e-12 for q in turns) and worst < 2.5 / math.sqrt(n), (n, worst))


# Two cubes of 0.02 m on one axis, one of them turned by 0.3 rad about it, 2 mm deep.
SIDE, TURN, DEEP, K, DENSITY = 0.02, 0.3, 0.002, 1e17, 2500.0
CUBES = """
scene = { dt = %r; steps = %d; };
materials = { stone = { density = %r; }; };
shapes = { cube = { type = "polyhedron"; solid = "cuboid"; size = (%r, %r, %r); }; };
bodies = { a = { shape = "cube"; position = (0.0, 0.0, %r); orientation = (%r, 0.0, 0.0, %r); spin = (0.0, 0.0, %r); };
  b = { shape = "cube"; motion = "fixed"; position = (0.0, 0.0, 0.0); }; };
force = { plugin = "swell"; k = %r; twist = %s; };
resolvers = ( { plugin = "cyrus_beck"; contact = "overlap"; } );
observers = { s = { plugin = "csv"; every_steps = 1; }; b = { plugin = "csv"; what = "bodies"; every_steps = 1; }; };
"""


def test_twist(stage):
    """The squares overlap in 2 s^2 / (1 + sin t + cos t): V and its slopes along and about the axis by hand."""
    sine, cosine = math.sin(TURN), math.cos(TURN)
    area = 2.0 * SIDE**2 / (1.0 + sine + cosine)
    twist = -DEEP * area * (cosine - sine) / (1.0 + sine + cosine)
    slope = K * (DEEP * area)**2
    mass, dt = DENSITY * SIDE**3, 1e-7
    inertia = mass * SIDE**2 / 6.0

    def rows(name, *words):
        with (stage.top / name / words[0]).open() as file:
            return list(csv.DictReader(file))
    for name, steps, on in (("one", 1, "true"), ("long", 2000, "true"), ("without", 2000, "false")):
        scene = stage.top / f"swell-{name}.cfg"
        scene.write_text(CUBES % (dt if steps == 1 else 1e-6, steps, DENSITY, SIDE, SIDE, SIDE, SIDE - DEEP,
                                  math.cos(TURN / 2), math.sin(TURN / 2), 0.0 if steps == 1 else 100.0, K, on))
        stage.run(scene, f"swell-{name}")
        energy = [float(r["kinetic"]) + float(r["stored"]) for r in rows(f"swell-{name}", "scalars.csv")]
        if steps == 1:
            a = [r for r in rows("swell-one", "bodies.csv") if r["name"] == "a"][-1]
            want = slope * area / mass * dt, -slope * twist / inertia * dt
            got = float(a["vz"]), float(a["wz"])
            tap.check("a law of the volume pushes with its slopes, along the normal and about it",
                      abs(got[0] / want[0] - 1.0) < 1e-6 and abs(got[1] / want[1] - 1.0) < 1e-6, (got, want))
            start = slope * DEEP * area / 3.0
            tap.check("it stores k V^3 / 3", abs(energy[0] / start - 1.0) < 1e-12, (energy[0], start))
        else:
            off = abs(energy[-1] / energy[0] - 1.0)
            tap.check(f"energy is {'' if on == 'true' else 'not '}kept {'with' if on == 'true' else 'without'} the twist",
                      (off < 1e-5) == (on == "true"), (off, energy[0], energy[-1]))


# A square of 0.02 m lies 1.6 mm deep and askew on one that is fixed.
HALF, AT, STIFF, SHARE, THICK = 0.01, (0.003, 0.0185, 0.1), 1e10, 12.0, 0.5
SQUARES = f"""
scene = {{ dimension = 2; dt = %r; steps = %d; thickness = {THICK}; }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ square = {{ type = "polygon"; vertices = ((-{HALF}, -{HALF}), ({HALF}, -{HALF}), ({HALF}, {HALF}), (-{HALF}, {HALF})); }}; }};
bodies = {{ a = {{ shape = "square"; position = ({AT[0]}, {AT[1]}); orientation = {AT[2]}; }};
  b = {{ shape = "square"; motion = "fixed"; position = (0.0, 0.0); }}; }};
force = {{ plugin = "tilt"; k = {STIFF!r}; s = {SHARE}; slopes = %s; }};
resolvers = ( {{ plugin = "%s"; contact = "overlap"; }} );
observers = {{ s = {{ plugin = "csv"; every_steps = 1; }}; b = {{ plugin = "csv"; what = "bodies"; every_steps = 1; }}; }};
"""


def energy_of_tilt(x, y, turn):
    """k A^2 (1 + s e^2) / 2 of the two squares, by cutting one at the sides of the other."""
    c, s = math.cos(turn), math.sin(turn)
    cut = [(x + c * u - s * v, y + s * u + c * v) for u, v in ((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF))]
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        kept = []
        for p, q in zip(cut, cut[1:] + cut[:1]):
            inside = HALF - sign * p[axis], HALF - sign * q[axis]
            if inside[0] >= 0.0:
                kept.append(p)
            if (inside[0] < 0.0) != (inside[1] < 0.0):
                t = inside[0] / (inside[0] - inside[1])
                kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
        cut = kept
    ends = [p for p in cut if abs(max(map(abs, p)) - HALF) < 1e-12 and abs(max(
        abs(c * (p[0] - x) + s * (p[1] - y)), abs(c * (p[1] - y) - s * (p[0] - x))) - HALF) < 1e-12]  # on both borders
    sides = [(p, q, p[0] * q[1] - p[1] * q[0]) for p, q in zip(cut, cut[1:] + cut[:1])]
    area = sum(w for _, _, w in sides) / 2.0
    off = [sum((p[k] + q[k]) * w for p, q, w in sides) / 6.0 / area - (ends[0][k] + ends[1][k]) / 2.0 for k in (0, 1)]
    along = [ends[1][k] - ends[0][k] for k in (0, 1)]
    chord = math.hypot(*along)
    e = (off[0] * along[0] + off[1] * along[1]) / chord / math.hypot(chord, area / chord)
    return STIFF * area**2 * (1.0 + SHARE * e**2) / 2.0


def test_tilt(stage):
    """Forces of the eccentricity against differences of the energy, which the law does not compute."""
    mass, step, dt = DENSITY * THICK * (2.0 * HALF)**2, 1e-7, 1e-7
    inertia = mass * (2.0 * HALF)**2 / 6.0

    def differ(k):
        return (energy_of_tilt(*(v + step * (j == k) for j, v in enumerate(AT)))
                - energy_of_tilt(*(v - step * (j == k) for j, v in enumerate(AT)))) / (2.0 * step)
    want = [-differ(k) / of * dt for k, of in enumerate((mass, mass, inertia))]
    for resolver in ("closest_feature", "cyrus_beck"):
        scene = stage.top / f"tilt-{resolver}.cfg"
        scene.write_text(SQUARES % (dt, 1, "true", resolver))
        stage.run(scene, f"tilt-{resolver}")
        a = [r for r in read_table(stage.top / f"tilt-{resolver}/bodies.csv") if r["name"] == "a"][-1]
        got = [float(a[name]) for name in ("vx", "vy", "wz")]
        tap.check(f"with {resolver} a law of the eccentricity gets the slopes of its energy",
                  all(abs(g / w - 1.0) < 1e-6 for g, w in zip(got, want)), (got, want))
        stored = float(read_table(stage.top / f"tilt-{resolver}/scalars.csv")[0]["stored"])
        tap.check(f"and with {resolver} the eccentricity itself", abs(stored / energy_of_tilt(*AT) - 1.0) < 1e-12, stored)
        scene.write_text(SQUARES % (5e-7, 1600, "true", resolver))
        for on in ("true", "false"):
            stage.run(scene, f"tilt-{resolver}-{on}", "--set", f"force.slopes={on}")
            rows = read_table(stage.top / f"tilt-{resolver}-{on}/scalars.csv")
            energy = [float(r["kinetic"]) + float(r["stored"]) for r in rows]
            tap.check(f"with {resolver} energy is {'' if on == 'true' else 'not '}kept "
                      f"{'with' if on == 'true' else 'without'} the slopes",
                      (abs(energy[-1] / energy[0] - 1.0) < 1e-4) == (on == "true"), (energy[0], energy[-1]))


def test_rows(stage):
    scene = stage.top / "rows.cfg"
    scene.write_text(ROWS)
    one = stage.run(scene, "rows")[0]
    other = stage.run(scene, "by-grid", "--set", 'gcd={plugin="grid";}')[0]
    tap.check("a contact detection of contrib makes the state of the host's", one.get("state_sha256") == other.get("state_sha256"), one)
    rows = vtp.read(stage.top / "rows/vtk/detection_0000000040.vtp")
    cells = [k for k, kind in enumerate(rows["CellData"]["kind"]) if kind == 2]
    edges = sorted((rows["Points"][4 * k][1], rows["Points"][4 * k + 2][1], rows["CellData"]["n"][k]) for k in cells)
    tap.check("its rows are shown by an observer of the host: 18 for 300 boxes, one above another", len(edges) == 18
              and all(a[1] == b[0] for a, b in zip(edges, edges[1:])) and min(n for _, _, n in edges) >= 300 // 18, edges)


def run(top):
    stage = Stage(top, MESON, BUILD, CC)
    for path in (CONTRIB / "gcd/rows.c", CONTRIB / "force/cord.c", CONTRIB / "force/swell.c", CONTRIB / "force/tilt.c",
                 *sorted(CONTRIB.glob("modifier/*.c")), CONTRIB / "source/matern.c", CONTRIB / "domain/sockets.c"):
        stage.build(path)
    test_rows(stage)
    test_events(stage)
    test_groups(stage)
    test_scales(stage)
    test_bonds(stage)
    test_edits(stage)
    test_thrown(stage)
    test_twist(stage)
    test_tilt(stage)


tap.in_folder(run)
