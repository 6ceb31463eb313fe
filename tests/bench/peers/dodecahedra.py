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
import argparse
import csv
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

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


def environment():
    return {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")} | {"LC_ALL": "C", "OMP_NUM_THREADS": "1"}


def run(words, folder):
    done = subprocess.run([str(w) for w in words], cwd=folder, check=False, env=environment(), text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{words[0]} failed:\n" + done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout


def rows_of(path, keep):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if row["step"] == rows[-1]["step"] and keep(row)]


def make_state(o, top):
    half = width_of(o.count)
    generate = f'plugin = "random"; shape = "dodecahedron"; orientation = "random"; count = {o.count}; tries = 100000; ' \
               f'region = {{ min = ({-half!r}, {-half!r}, 0.0); max = ({half!r}, {half!r}, {3.0 * half!r}); }};'
    more = 'observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 1000000; }; };'
    (top / "s.cfg").write_text(scene(o, generate, o.settle, 3e-5, more), encoding="utf-8")
    run([o.build / "core/scree", "run", "s.cfg", "-q", "-o", "settled"], top)
    names = {"x": "x", "y": "y", "z": "z", "q0": "qw", "q1": "qx", "q2": "qy", "q3": "qz"}
    with open(o.state, "w", encoding="utf-8") as file:
        file.write("shape," + ",".join(names) + "\n")
        for row in rows_of(top / "settled/bodies.csv", lambda row: row["shape_name"] == "dodecahedron"):
            file.write("dodecahedron," + ",".join(row[k] for k in names.values()) + "\n")


def time_scree(o, top):
    """Touching pairs are counted by a run of their own, whose table of contacts costs time."""
    generate = f'plugin = "table"; file = "{o.state}";'
    (top / "s.cfg").write_text(scene(o, generate, 1), encoding="utf-8")
    text = run(["taskset", "-c", o.cpu, o.build / "tests/bench/dem_bench", "s.cfg", o.warm, o.steps], top)
    told = {w[1].lower(): float(w[2]) for w in map(str.split, text.splitlines()) if w[0] == "RESULT" and w[1] != "SHA256"}
    return {"code": "scree", "cpu_s": told["cpu_s"], "loop_s": told["loop_s"], "pairs": o.pairs, "ke": told["ke"], "zc": told["zc"]}


def count_pairs(o, top):
    more = 'observers = { contacts = { plugin = "csv"; what = "contacts"; every_steps = 1000000; }; };'
    (top / "s.cfg").write_text(scene(o, f'plugin = "table"; file = "{o.state}";', o.warm + o.steps, more=more), encoding="utf-8")
    run([o.build / "core/scree", "run", "s.cfg", "-q", "-o", "pairs"], top)
    rows = rows_of(top / "pairs/contacts.csv", lambda row: float(row["depth"]) >= 0.0)
    return len({(row["a"], row["b"]) for row in rows}), len(rows)


def time_yade(o, top):
    with open(top / "corners.csv", "w", encoding="utf-8") as file:
        file.write("x,y,z\n" + "".join("%r,%r,%r\n" % p for p in corners()))
    script = pathlib.Path(__file__).resolve().with_name("dodecahedra_yade.py")
    text = run(["taskset", "-c", o.cpu, "yade", "-x", "-n", "-j1", script, o.state, "corners.csv", YOUNG, 0.5 * KN, MU, DT,
                width_of(o.count), o.warm, o.steps], top)
    told = next((line.split()[1:] for line in text.splitlines() if line.startswith("RESULT")), None)
    if not told:
        sys.exit("yade failed:\n" + text[-2000:])
    loop, cpu, pairs, kinetic, height = map(float, told)
    return {"code": "yade", "cpu_s": cpu, "loop_s": loop, "pairs": pairs, "ke": kinetic, "zc": height}


def parse():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("results", nargs="?", type=pathlib.Path)
    for name, value in (("count", 1000), ("steps", 30), ("warm", 5), ("reps", 5), ("cpu", 0), ("settle", 16000)):
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--state", type=pathlib.Path)
    o = p.parse_args()
    o.build = o.build.resolve()
    o.state = (o.state or pathlib.Path(f"dodecahedra-{o.count}.csv")).resolve()
    return o


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


def keep(o, runs):
    cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    fresh = not o.results.exists()
    keys = ("cpu_s", "loop_s", "pairs", "ke", "zc")
    with open(o.results, "a", encoding="utf-8") as file:
        file.write(f"# date={time.strftime('%Y-%m-%d')}; CPU={cpu.group(1) if cpu else 'unknown'}; load={os.getloadavg()[0]:.2f}; warm={o.warm}\n")
        if fresh:
            file.write("code\trep\tcount\tsteps\t" + "\t".join(keys) + "\n")
        for k, r in enumerate(runs):
            rep = sum(1 for other in runs[:k] if other["code"] == r["code"])
            file.write("\t".join(map(str, (r["code"], rep, o.count, o.steps, *(r[key] for key in keys)))) + "\n")


def main():
    o = parse()
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
    if o.results:
        keep(o, runs)


if __name__ == "__main__":
    main()
