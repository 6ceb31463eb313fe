#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time to a bed: the source `packing` and pouring, in turns. O'Connor's thesis, 8.2.1: compaction is faster by at least
one order of magnitude (10 000 grains: figure 8.8).

usage: packing.py SCREE [TURNS]

Both fill the box of configs/packing.cfg with the same sizes. Pouring starts from bodies at random places in the box, and
its law, time step and box are those of the scene. It ends when the grains are at rest: their kinetic energy is below a
thousandth of what lifts each of them by a diameter. Packing makes updates, no steps. The solid fraction is that between
10 and 80 % of the height that the bodies would fill at a fraction of 0.6. CPU times are those of whole processes with one
thread.
"""
import csv
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

SCREE = pathlib.Path(sys.argv[1]).resolve()
TURNS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
CONFIG = pathlib.Path(__file__).resolve().parents[2] / "configs/packing.cfg"
SIDE, EVERY, MOST, DIAMETER, REST = 0.08, 250, 30000, 0.004, 1e-3
POUR = ("--set", 'generate.grains={plugin="random"; count=10000; distribution={type="uniform"; min="1.6 mm"; max="2.4 mm";};}')
BODIES = 'observers={ all = { plugin = "csv"; what = "bodies"; file = "all"; every_steps = %d; fields = []; }; }'
SCALARS = 'observers={ all = { plugin = "csv"; file = "all"; every_steps = %d; }; }'


def run(top, name, steps, *words, watch="observers={}"):
    """CPU time [s] of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([SCREE, "run", CONFIG, "-q", "--threads", "1", "--steps", str(steps), "-o", top / name, "--set", watch, *words],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def part_below(x, r, z):
    """Volume of a ball about the height x below the height z."""
    h = min(max(z - x + r, 0.0), 2.0 * r)
    return math.pi * h * h * (3.0 * r - h) / 3.0


def fraction(path):
    """Solid fraction of the last table of bodies."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["name"] == "grains"]
    last = [(float(row["z"]), float(row["radius"])) for row in rows if row["step"] == rows[-1]["step"]]
    height = sum(4.0 / 3.0 * math.pi * r**3 for _, r in last) / (0.6 * SIDE * SIDE)
    low, high = 0.1 * height, 0.8 * height
    return sum(part_below(z, r, high) - part_below(z, r, low) for z, r in last) / (SIDE * SIDE * (high - low))


def rest_step(path):
    """The first step at rest."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if int(row["step"]) > 0 and float(row["kinetic"]) < REST * float(row["mass"]) * 9.81 * DIAMETER:
                return int(row["step"])
    sys.exit(f"the grains are not at rest after {MOST} steps")


def main():
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        run(top, "pour", MOST, *POUR, watch=SCALARS % EVERY)
        steps = rest_step(top / "pour/all.csv")
        run(top, "poured", steps, *POUR, watch=BODIES % steps)
        pour = min(run(top, f"p{turn}", steps, *POUR) for turn in range(TURNS))
        print(f"poured, at rest after {steps} steps: fraction {fraction(top / 'poured/all.csv'):.3f}, {pour:.2f} s", flush=True)
        print(f"updates  fraction  packing [s]  pouring over packing (least of {TURNS} turns each)")
        for updates in (50, 100, 200, 400):
            words = ("--set", f"generate.grains.updates={updates}")
            run(top, f"pack-{updates}", 0, *words, watch=BODIES % 1)
            pack = min(run(top, f"t{turn}-{updates}", 0, *words) for turn in range(TURNS))
            print(f"{updates:7}  {fraction(top / f'pack-{updates}/all.csv'):8.3f}  {pack:11.2f}  {pour / pack:.1f}", flush=True)


main()
