#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""configs/triaxial.cfg with N spheres next to YADE from the same packing: a table of stress ratios and volumes by strain.

usage: triaxial.py SCREE FOLDER [N] [STEPS]      N: 10000; STEPS of the compression: 16000

FOLDER is made; it gets the two runs and table.tsv. Needs yade. 10 000 spheres take a minute in scree and some four in YADE.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "verification"), str(ROOT / "tests" / "verification" / "cases")]
import triaxial  # noqa: E402

PACKED = 16000  # steps until the friction sets in


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *([row[k] for k in columns] for row in rows)])


def scene(n, half, speed):
    """The scene with n spheres in a cube of half a side, whose plates close at a speed; it writes its state when it is packed."""
    text = triaxial.as_yade(triaxial.CONFIG.read_text(encoding="utf-8")).replace("count = 2000", f"count = {n}").replace("0.072", f"{half:.6g}")
    text = re.sub(r"(velocity = \(0\.0, 0\.0, +-?)0\.06\)", rf"\g<1>{speed:.6g})", text)
    return text.replace("observers = {", f'observers = {{\n    state = {{ plugin = "csv"; what = "bodies"; file = "state"; every_steps = {PACKED}; }};')


def main(scree, folder, n=10000, steps=16000):
    top = pathlib.Path(folder).resolve()
    top.mkdir()
    scale = (int(n) / 2000.0) ** (1.0 / 3.0)
    (top / "scene.cfg").write_text(scene(n, 0.072 * scale, 0.06 * scale), encoding="utf-8")
    subprocess.run([scree, "run", top / "scene.cfg", "-o", top / "scree", "-q", "--steps", str(PACKED + int(steps))], check=True)
    packed = [row for row in triaxial.read(top / "scree" / "state.csv") if row["step"] == PACKED]
    walls = [row for row in packed if row["name"] in triaxial.WALLS]
    write(top / "start.csv", ("x", "y", "z", "radius"), [row for row in packed if row["name"] not in triaxial.WALLS])
    write(top / "walls.csv", ("name", "x", "y", "z"), walls)
    subprocess.run(["yade", "-x", "-n", "-j1", ROOT / "tests/bench/peers/triaxial_yade.py", top / "start.csv", top / "walls.csv",
                    top / "yade.csv", str(steps), f"{0.12 * scale:.6g}"], check=True)
    ours = triaxial.stresses(triaxial.read(top / "scree" / "walls.csv"), 5e-6 * PACKED)
    yade = triaxial.read(top / "yade.csv")
    most = min(rows[-1]["axial_strain"] for rows in (ours, yade))
    with open(top / "table.tsv", "w", encoding="utf-8") as file:
        print("axial strain\tstress ratio, YADE\tscree\tvolumetric strain, YADE\tscree", file=file)
        for strain in (0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.07):
            if strain < most:
                numbers = [triaxial.at(rows, strain, of) for of in (triaxial.ratio, lambda row: row["volumetric_strain"]) for rows in (yade, ours)]
                print(strain, *(f"{v:.5f}" for v in numbers), sep="\t", file=file)
        print("# peak friction angle [deg]", *(f"{triaxial.peak_angle(rows):.2f}" for rows in (yade, ours)), sep="\t", file=file)
    print((top / "table.tsv").read_text(encoding="utf-8"))
    return 0 if all(math.isfinite(row["sz"]) for row in ours) else 1


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
