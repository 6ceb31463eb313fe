# SPDX-License-Identifier: Apache-2.0
"""configs/hopper.py on made-up tables whose answers are known.

usage: test_hopper_report.py HOPPER.py
"""
import math
import re
import subprocess
import sys

import tap

SCRIPT = sys.argv[1]
RADIUS, DENSITY, PITCH, RATE = 0.00125, 2500.0, 0.0026, 0.05


def report(folder):
    return subprocess.run([sys.executable, SCRIPT, str(folder)], text=True, capture_output=True)


def write(folder, keep):
    """A cubic bed, and a mass that falls at RATE from t = 0.3 s on to the share `keep`."""
    ball = DENSITY * 4.0 / 3.0 * math.pi * RADIUS ** 3
    beads = []
    reach = 8 * PITCH
    n = int(2 * reach / PITCH) + 1
    for i in range(n):
        for j in range(n):
            x, y = i * PITCH - reach, j * PITCH - reach
            if math.hypot(x, y) <= 0.0235:
                beads += [(x, y, k * PITCH) for k in range(20)]
    total = ball * len(beads)
    with open(folder / "beads.csv", "w", encoding="utf-8") as file:
        file.write("step,time,id,name,x,y,z,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz,radius\n")
        for step, time in ((0, 0.0), (10, 0.2), (20, 0.4)):
            for k, (x, y, z) in enumerate(beads):
                file.write(f"{step},{time},{k},beads,{x},{y},{z + (time == 0.0) + 0.0126}," + "0," * 12
                           + f"{RADIUS}\n")
    with open(folder / "scalars.csv", "w", encoding="utf-8") as file:
        file.write("step,time,mass\n")
        t, k = 0.0, 0
        while True:
            mass = total - RATE * max(0.0, t - 0.3)
            file.write(f"{k},{t!r},{mass!r}\n")
            if mass < keep * total:
                break
            t, k = t + 0.01, k + 1
    return len(beads), total


def number(text, pattern):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else math.nan


def run(folder):
    n, total = write(folder, 0.1)
    seen = report(folder)
    out = seen.stdout
    tap.check("a made-up run is reported", seen.returncode == 0, seen)
    tap.check("the slope of the mass is the rate",
              abs(number(out, r"measured   W = ([\d.]+)") - 1e3 * RATE) < 0.01, out)
    tap.check("bead density follows from mass and sizes",
              abs(number(out, r"mm, (\d+) kg") - DENSITY) < 1.0, out)
    area = 0.5 * 16 * math.sin(math.pi / 8) * 0.025 ** 2
    expected = total / 20 / PITCH / area  # mass per layer over its height and the bin's area
    bulk = number(out, r"rho_b = (\d+)")
    # the slab cuts layers: at most one layer's share of about twelve
    tap.check("bulk density is mass over volume of the bin", abs(bulk / expected - 1.0) < 0.08,
              f"{bulk} against {expected}")
    wide = 0.02 * math.cos(math.pi / 16)
    law = 0.58 * bulk * math.sqrt(9.81) * (wide - 1.4 * 2 * RADIUS) ** 2.5
    tap.check("Beverloo's law is that of these numbers",
              abs(number(out, r"\^2.5 = ([\d.]+)") / (1e3 * law) - 1.0) < 1e-3, out)
    tap.check("the last line is the ratio",
              abs(number(out.splitlines()[-1], r"= ([\d.]+)") - RATE / law) < 2e-3, out)
    write(folder, 0.79)
    seen = report(folder)
    tap.check("a run that ends too early is refused",
              seen.returncode == 1 and "run longer" in seen.stderr, seen)
    write(folder, 0.1)
    lines = (folder / "beads.csv").read_text(encoding="utf-8").splitlines()
    cells = lines[-1].split(",")
    cells[4:7] = "0.02", "0.0", "0.005"  # inside the bin, but below the slope of the hopper
    (folder / "beads.csv").write_text("\n".join([*lines, ",".join(cells)]), encoding="utf-8")
    seen = report(folder)
    tap.check("a bead beyond the walls is reported",
              seen.returncode == 1 and "beyond the walls at t = 0.4" in seen.stderr, seen)
    seen = report(folder / "absent")
    tap.check("a folder without a run is refused",
              seen.returncode == 1 and "scalars.csv" in seen.stderr, seen)


tap.in_folder(run)
