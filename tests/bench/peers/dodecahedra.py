#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bed of dodecahedra in YADE (polyhedra) and scree (resolver gjk), on one thread each: tests/bench/results/dodecahedra.tsv.

usage: dodecahedra.py BUILD [RESULTS.tsv] [--count N] [--steps N] [--warm N] [--reps N] [--cpu N] [--settle N] [--state FILE]

Needs `yade`; without it only scree is timed. The bed is settled by scree between five planes and kept in FILE
(dodecahedra-COUNT.csv in the current folder); both programs start from it at rest, with the same dt, density and
friction. Their laws differ: scree has a spring of KN at each corner and crossing of two faces that lie on each other, with a dashpot;
YADE one force a pair, KV times the volume that the two share, and local damping. KV A = 2.5 KN for a face of area A. Forces on
the walls follow. Programs take turns; what is compared is the processor's time of `steps` steps after `warm` others, per
step, and per pair of bodies that touch.
"""
import math
import pathlib
import shutil
import statistics
import sys
import tempfile

import beds

DENSITY, KN, MU, G, DT, DIAMETER = 2500.0, 1e4, 0.5, 9.81, 1e-5, 0.024
GOLDEN = (1.0 + math.sqrt(5.0)) / 2.0
EDGE = DIAMETER / (math.sqrt(3.0) * GOLDEN)
AREA = 0.25 * math.sqrt(25.0 + 10.0 * math.sqrt(5.0)) * EDGE ** 2
YOUNG = 2.0 * 2.5 * KN / AREA

SCENE = """scene = {{ title = "a bed of dodecahedra"; dimension = 3; dt = {dt!r}; steps = {steps}; gravity = (0.0, 0.0, -{G!r}); }};
materials = {{ stone = {{ density = {DENSITY!r}; }}; }};
shapes = {{ dodecahedron = {{ type = "polyhedron"; solid = "dodecahedron"; diameter = {DIAMETER!r}; }};
    x0 = {{ type = "plane"; normal = (1.0, 0.0, 0.0); }}; x1 = {{ type = "plane"; normal = (-1.0, 0.0, 0.0); }};
    y0 = {{ type = "plane"; normal = (0.0, 1.0, 0.0); }}; y1 = {{ type = "plane"; normal = (0.0, -1.0, 0.0); }};
    z0 = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ x0 = {{ shape = "x0"; position = (-{half!r}, 0.0, 0.0); }}; x1 = {{ shape = "x1"; position = ({half!r}, 0.0, 0.0); }};
    y0 = {{ shape = "y0"; position = (0.0, -{half!r}, 0.0); }}; y1 = {{ shape = "y1"; position = (0.0, {half!r}, 0.0); }};
    z0 = {{ shape = "z0"; position = (0.0, 0.0, 0.0); }}; }};
generate = {{ bed = {{ {generate} }}; }};
force = ( {{ plugin = "linear"; kn = {KN!r}; restitution = 0.2; friction = {MU!r}; damping_t = 1.0; }} );
resolvers = ( {{ plugin = "gjk"; }} );
{more}
"""


def width_of(count):
    """[m] half of the width of a bed that is about half as high as wide."""
    return 0.05 * (count / 60.0) ** (1.0 / 3.0)


def scene(o, generate, steps, dt=DT, more=""):
    return SCENE.format(**globals(), half=width_of(o.count), generate=generate, steps=steps, dt=dt, more=more)


def corners():
    """Places of the corners, in the frame of scree's dodecahedron."""
    scale, made = 0.5 * DIAMETER / math.sqrt(3.0), []
    for a in (1.0, -1.0):
        for b in (1.0, -1.0):
            made += [(a, b, c) for c in (1.0, -1.0)]
            x, y = a / GOLDEN, b * GOLDEN
            made += [(0.0, x, y), (x, y, 0.0), (y, 0.0, x)]
    return [tuple(scale * v for v in p) for p in made]


def make_state(o, top):
    half = width_of(o.count)
    generate = f'plugin = "random"; shape = "dodecahedron"; orientation = "random"; count = {o.count}; tries = 100000; ' \
               f'region = {{ min = ({-half!r}, {-half!r}, 0.0); max = ({half!r}, {half!r}, {3.0 * half!r}); }};'
    text = scene(o, generate, o.settle, 3e-5, beds.AT_END)
    names = {"x": "x", "y": "y", "z": "z", "q0": "qw", "q1": "qx", "q2": "qy", "q3": "qz"}
    rows = beds.last_rows(o, top, text, "settled", "bodies.csv", lambda row: row["shape_name"] == "dodecahedron")
    beds.write_state(o.state, ("shape", *names), (("dodecahedron", *(row[k] for k in names.values())) for row in rows))


def time_scree(o, top):
    """Touching pairs are counted by a run of their own, whose table of contacts costs time."""
    generate = f'plugin = "table"; file = "{o.state}";'
    told, _ = beds.time_scree(o, top, scene(o, generate, 1))
    return {"code": "scree", "cpu_s": told["cpu_s"], "loop_s": told["loop_s"], "pairs": o.pairs, "ke": told["ke"], "zc": told["zc"]}


def count_pairs(o, top):
    more = 'observers = { contacts = { plugin = "csv"; what = "contacts"; every_steps = 1000000; }; };'
    text = scene(o, f'plugin = "table"; file = "{o.state}";', o.warm + o.steps, more=more)
    rows = beds.last_rows(o, top, text, "pairs", "contacts.csv", lambda row: float(row["depth"]) >= 0.0)
    return len({(row["a"], row["b"]) for row in rows}), len(rows)


def time_yade(o, top):
    with open(top / "corners.csv", "w", encoding="utf-8") as file:
        file.write("x,y,z\n" + "".join("%r,%r,%r\n" % p for p in corners()))
    script = pathlib.Path(__file__).resolve().with_name("dodecahedra_yade.py")
    text = beds.pinned(o, top, "yade", "-x", "-n", "-j1", script, o.state, "corners.csv", YOUNG, 0.5 * KN, MU, DT,
                       width_of(o.count), o.warm, o.steps)
    told = next((line.split()[1:] for line in text.splitlines() if line.startswith("RESULT")), None)
    if not told:
        sys.exit("yade failed:\n" + text[-2000:])
    loop, cpu, pairs, kinetic, height = map(float, told)
    return {"code": "yade", "cpu_s": cpu, "loop_s": loop, "pairs": pairs, "ke": kinetic, "zc": height}


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def report(o, runs):
    each = {c: [r["cpu_s"] / o.steps for r in runs if r["code"] == c] for c in ("scree", "yade")}
    for c, values in each.items():
        if values:
            last = [r for r in runs if r["code"] == c][-1]
            low, middle, high = (1e3 * v for v in quartiles(values))
            print(f"{c:6} {middle:8.3f} ms a step ({low:.3f} to {high:.3f}), {1e3 * middle / last['pairs']:.2f} us a pair of {last['pairs']:.0f} "
                  f"that touch, ke {last['ke']:.3g} J, mean height {last['zc']:.6g} m")
    if each["yade"]:
        low, middle, high = quartiles([y / s for y, s in zip(each["yade"], each["scree"])])
        print(f"scree takes {middle:.1f} times less of the processor a step (quartiles {low:.1f} to {high:.1f} of {o.reps} turns)")


def main():
    o = beds.parse(__doc__, "dodecahedra", count=1000, steps=30, warm=5, reps=5, cpu=0, settle=16000)
    peer, runs = shutil.which("yade") is not None, []
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        if not o.state.exists():
            make_state(o, top)
        o.pairs, points = count_pairs(o, top)
        print(f"scree: {points} contacts of {o.pairs} pairs")
        for _ in range(o.reps):
            if peer:
                runs.append(time_yade(o, top))
            runs.append(time_scree(o, top))
    report(o, runs)
    beds.keep(o, runs, ("count", "steps"), ("cpu_s", "loop_s", "pairs", "ke", "zc"))


if __name__ == "__main__":
    main()
