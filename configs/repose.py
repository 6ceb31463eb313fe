#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The angle of repose of a heap of configs/repose.cfg.

usage: repose.py FOLDER...    (of runs: beads.csv)

The last state is cut into rings of one mean diameter around the heap's axis (the mean of the beads), each of 12
sectors. The height of a ring is the mean over its sectors of the highest bead's centre. A line by least squares
through the rings from one diameter off the axis to the last one whose height is above one diameter has the
slope whose angle is printed [degrees].
"""
import csv
import math
import pathlib
import sys

SECTORS = 12


def last_state(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [{k: float(row[k]) for k in ("time", "x", "y", "z", "radius")} for row in csv.DictReader(file)]
    end = max(row["time"] for row in rows)
    return [row for row in rows if row["time"] == end]


def profile(beads):
    """(radius, height) of each ring [m], from the axis outwards."""
    diameter = 2.0 * sum(b["radius"] for b in beads) / len(beads)
    x0, y0 = (sum(b[k] for b in beads) / len(beads) for k in ("x", "y"))
    tops = {}
    for b in beads:
        x, y = b["x"] - x0, b["y"] - y0
        ring, sector = int(math.hypot(x, y) / diameter), int((math.atan2(y, x) / math.tau % 1.0) * SECTORS)
        tops[ring, sector] = max(tops.get((ring, sector), 0.0), b["z"])
    rings = []
    for ring in range(1 + max(r for r, _ in tops)):
        heights = [tops[ring, s] for s in range(SECTORS) if (ring, s) in tops]
        if len(heights) >= SECTORS // 2 or ring == 0 and heights:
            rings.append(((ring + 0.5) * diameter, sum(heights) / len(heights)))
    return diameter, rings


def angle(folder):
    diameter, rings = profile(last_state(pathlib.Path(folder) / "beads.csv"))
    used = [(r, z) for r, z in rings if r > diameter and z > diameter]
    if len(used) < 3:
        used = [(r, z) for r, z in rings if r > diameter]
    n, r0, z0 = len(used), sum(r for r, _ in used) / len(used), sum(z for _, z in used) / len(used)
    slope = sum((r - r0) * (z - z0) for r, z in used) / sum((r - r0) ** 2 for r, _ in used)
    return math.degrees(math.atan(-slope)), n


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for folder in sys.argv[1:]:
        degrees, n = angle(folder)
        print(f"{folder}: {degrees:.1f} degrees, from {n} rings")


if __name__ == "__main__":
    main()
