#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of peers with flowing workloads: columns of spheres that collapse.

usage: flows.py PEERS FOLDER [--bodies N] [--steps N] [--seeds 1,2,3] [--fall SECONDS]

PEERS is the folder that speed.py takes (docs/explanation/speed.md). FOLDER gets its driver and decks, and
workloads column-1, column-2, ...: a block of spheres with radii of 0.5 mm +- 10 % and friction 0.5, a third as
wide as its box and twice as high as wide, that scree lets fall for FALL seconds. Then both codes time as
many steps from the same positions and velocities, without spins and history:

    tests/bench/dem/flows.py PEERS flows
    CODES=lammps,scree DEM_EXTRA="scree=$PWD/tests/bench/dem/adapter.py" flows/run.sh

A line per workload says which share of the contacts slides there: their springs are at the limit. Needs a
build (DEM_SCREE: the scree program, default beside build/).
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

import adapter

LAW = {"density": 2500, "kn": 1000, "kt": 285.714285714, "gn": 12500, "gt": 6250, "mu": 0.5, "g": 9.81,
       "dt": 2e-06, "skin": 0.0001, "warm": 1000, "lever": True}
RADIUS = 5e-4
SCREE = os.environ.get("DEM_SCREE", adapter.HERE.parents[2] / "build/core/scree")


def column(bodies, seed):
    """(box, rows of x y z vx vy vz radius): a cubic lattice, places off it by up to 4 % of a diameter."""
    rng, cell = random.Random(seed), 2.2 * RADIUS * 1.05
    across = round((bodies / 2.0) ** (1.0 / 3.0))
    width, rows = 3 * across * cell, []
    while len(rows) < bodies:
        n = len(rows)
        place = (n % across + across, n // across % across + across, n // across ** 2)
        rows.append([cell * (p + 0.5) + rng.uniform(-0.04, 0.04) * RADIUS for p in place] +
                    [rng.uniform(-0.01, 0.01) for _ in range(3)] + [RADIUS * rng.uniform(0.9, 1.1)])
    return [0.0, width, 0.0, width, 0.0, max(row[2] for row in rows) + 4 * RADIUS], rows


def write_table(file, rows):
    file.write("# id x y z vx vy vz radius\n")
    file.writelines(f"{k + 1} {' '.join('%.10g' % v for v in row)}\n" for k, row in enumerate(rows))


def collapse(job, box, rows, seconds):
    """Rows after so many seconds, and the share of contacts that slide."""
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        with open(top / "table.txt", "w", encoding="utf-8") as file:
            write_table(file, rows)
        steps = round(seconds / job["dt"])
        scene = adapter.scene(job | {"box": box}, top / "table.txt") + (
            'observers = { bodies = { plugin = "csv"; what = "bodies"; body = ["beads"]; '
            f'every_steps = {steps}L; }}; contacts = {{ plugin = "csv"; what = "contacts"; file = "contacts"; '
            f"every_steps = {steps}L; }}; }};\n")
        (top / "scene.cfg").write_text(scene, encoding="utf-8")
        subprocess.run([SCREE, "run", "scene.cfg", "--steps", str(steps), "-o", "out", "-q", "--threads", "1"],
                       cwd=top, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = last_of(top / "out/bodies.csv")
        return ([[float(row[key]) for key in ("x", "y", "z", "vx", "vy", "vz")] + [rows[k][6]]
                 for k, row in enumerate(sorted(after, key=lambda row: int(row["id"])))],
                sliding(last_of(top / "out/contacts.csv"), job["mu"]))


def last_of(path):
    """Rows of the last time in a table of scree; units are cut from the names of its columns."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {name: name.split("[")[0].strip() for name in rows[0]}
    rows = [{names[k]: v for k, v in row.items()} for row in rows]
    return [row for row in rows if row["step"] == rows[-1]["step"]]


def sliding(contacts, friction):
    """Share whose tangential force is that of the limit, within 1e-6 of it."""
    found = 0
    for row in contacts:
        force = [float(row[key]) for key in ("fx", "fy", "fz")]
        normal = [float(row[key]) for key in ("nx", "ny", "nz")]
        push = sum(f * n for f, n in zip(force, normal))
        tangential = sum((f - push * n) ** 2 for f, n in zip(force, normal)) ** 0.5
        found += tangential >= (1.0 - 1e-6) * friction * abs(push) > 0.0
    return found / max(len(contacts), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bodies", type=int, default=30_000)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--fall", type=float, default=0.08)
    options = parser.parse_args()
    shutil.copytree(options.peers, options.folder, ignore=shutil.ignore_patterns("states", "reference.tsv"))
    (options.folder / "states").mkdir()
    jobs = {}
    for seed in options.seeds.split(","):
        name = f"column-{seed}"
        job = LAW | {"workload": name, "state": f"states/{name}.txt.gz", "steps": options.steps}
        box, rows = column(options.bodies, int(seed))
        rows, share = collapse(job, box, rows, options.fall)
        with gzip.open(options.folder / job["state"], "wt", encoding="utf-8") as file:
            file.write("# box " + " ".join(map(repr, box)) + "\n")
            write_table(file, rows)
        jobs[name] = job
        print(f"{name}: {len(rows)} spheres, {100.0 * share:.1f} % of the contacts slide at the start", flush=True)
    (options.folder / "workloads.json").write_text(json.dumps(jobs, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
