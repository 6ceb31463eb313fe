#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time to one solid fraction: the source `packing` and pouring, in turns. O'Connor's thesis, 8.2.1: compaction is faster
by at least one order of magnitude (10 000 grains: figure 8.8).

usage: packing.py SCREE [TURNS]

Both fill the box of configs/packing.cfg with the same sizes. Pouring starts from bodies at random places in the box, and
its law, time step and box are those of the scene. The solid fraction is that between 10 and 80 % of the height that the
bodies would fill at a fraction of 0.6. CPU times are those of whole processes with one thread.
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
SIDE, EVERY, MOST = 0.08, 250, 40000
POUR = ("--set", 'generate.grains={plugin="random"; count=10000; distribution={type="uniform"; min="1.6 mm"; max="2.4 mm";};}')
WATCH = 'observers={ all = { plugin = "csv"; what = "bodies"; file = "all"; every_steps = %d; fields = []; }; }'


def run(top, name, steps, *words, watch=None):
    """CPU time [s] of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([SCREE, "run", CONFIG, "-q", "--threads", "1", "--steps", str(steps), "-o", top / name, "--set",
                    WATCH % watch if watch else "observers={}", *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def part_below(x, r, z):
    """Volume of a ball about the height x below the height z."""
    h = min(max(z - x + r, 0.0), 2.0 * r)
    return math.pi * h * h * (3.0 * r - h) / 3.0


def fractions(path):
    """(step, solid fraction) of each table of bodies."""
    steps = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["name"] == "grains":
                steps.setdefault(int(row["step"]), []).append((float(row["z"]), float(row["radius"])))
    for step, rows in sorted(steps.items()):
        height = sum(4.0 / 3.0 * math.pi * r**3 for _, r in rows) / (0.6 * SIDE * SIDE)
        low, high = 0.1 * height, 0.8 * height
        yield step, sum(part_below(z, r, high) - part_below(z, r, low) for z, r in rows) / (SIDE * SIDE * (high - low))


def main():
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        print("updates  fraction  packing [s]  pouring [s]  steps  ratio (least of %d turns each)" % TURNS)
        run(top, "pour", MOST, *POUR, watch=EVERY)
        poured = list(fractions(top / "pour/all.csv"))
        for updates in (150, 400):
            words = ("--set", f"generate.grains.updates={updates}")
            run(top, f"pack-{updates}", 0, *words, watch=1)
            fraction = next(fractions(top / f"pack-{updates}/all.csv"))[1]
            steps = next((step for step, poured_fraction in poured if poured_fraction >= fraction), None)
            times = [(run(top, f"t{turn}-{updates}", 0, *words), run(top, f"p{turn}-{updates}", steps or MOST, *POUR))
                     for turn in range(TURNS)]
            pack, pour = (min(t[k] for t in times) for k in (0, 1))
            print(f"{updates:7}  {fraction:8.3f}  {pack:11.2f}  {pour:11.2f}  {steps or f'>{MOST}':>5}  {pour / pack:.1f}", flush=True)
        print(f"poured: {poured[-1][1]:.3f} after {poured[-1][0]} steps")


main()
