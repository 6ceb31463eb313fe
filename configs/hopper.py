#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the discharge of configs/hopper.cfg with Beverloo's law.

usage: hopper.py FOLDER    (of a run: scalars.csv and beads.csv)

    W = C rho_b sqrt(g) (D - k d)^2.5,    C = 0.58, k = 1.4

Beverloo, Leniger, van de Velde 1961, Chem. Eng. Sci. 15, 260; C and k for spheres as in Nedderman
1992, Statics and Kinematics of Granular Materials, section 10.2. The law holds unchanged for hoppers
as flat as this one (50 degrees from the vertical; Rose and Tanaka's correction is for steeper ones).
The orifice has 16 corners: D = 4 area / perimeter. rho_b is that of the settled bed.
"""
import csv
import math
import pathlib
import sys

# Values of the scene [m], [s], [m/s^2]: change them together with the scene.
CORNERS, ORIFICE, BIN, BIN_FLOOR = 16, 0.010, 0.025, 0.0126
GATE_OPENS, GATE_OPEN, GRAVITY = 0.22, 0.27, 9.81
C, K = 0.58, 1.4


def read(path):
    """Rows of a table as dictionaries; a cell that is not a number stays text."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(path, newline="", encoding="utf-8") as file:
        return [{k: value(v) for k, v in row.items()} for row in csv.DictReader(file)]


def polygon_area(radius):
    return 0.5 * CORNERS * math.sin(2.0 * math.pi / CORNERS) * radius * radius


def cap_below(r, x):
    """Volume of a ball of radius r below height x over its centre."""
    x = max(-r, min(r, x))
    return math.pi * (r * r * (x + r) - (x ** 3 + r ** 3) / 3.0)


def bulk_density(beads, density):
    """Bulk density of the settled bed in the bin, from its floor to three diameters below the top [kg/m^3]."""
    settled = max(row["time"] for row in beads if row["time"] <= GATE_OPENS)
    bed = [(row["z"], row["radius"]) for row in beads if row["time"] == settled]
    tops = sorted(z for z, _ in bed)
    low, high = BIN_FLOOR, tops[-len(tops) // 50] - 6.0 * max(r for _, r in bed)
    if not high > low:
        raise ValueError(f"no bed above the floor of the bin at t = {settled} s")
    solid = sum(cap_below(r, high - z) - cap_below(r, low - z) for z, r in bed)
    return density * solid / (polygon_area(BIN) * (high - low))


def escaped(beads):
    """Beads above the orifice whose centre is beyond the walls (expected: none)."""
    def wall(z):
        return BIN if z > BIN_FLOOR else ORIFICE + (BIN - ORIFICE) * z / BIN_FLOOR
    return [row for row in beads if row["z"] > 0.0 and math.hypot(row["x"], row["y"]) > wall(row["z"])]


def discharge(scalars):
    """Slope of the mass that left between 20 % and 80 % of the first mass: rate [kg/s], its standard
    error, the times between which it was taken [s], share that left at the end."""
    total = scalars[0]["mass"]
    points = [(row["time"], total - row["mass"]) for row in scalars
              if row["time"] > GATE_OPEN and 0.2 <= 1.0 - row["mass"] / total <= 0.8]
    if len(points) < 5:
        raise ValueError(f"expected at least 5 observations with 20 to 80 % gone, got {len(points)}: run longer")
    n = len(points)
    mean_t, mean_m = (sum(p[k] for p in points) / n for k in (0, 1))
    spread = sum((t - mean_t) ** 2 for t, _ in points)
    rate = sum((t - mean_t) * (m - mean_m) for t, m in points) / spread
    rest = sum((m - mean_m - rate * (t - mean_t)) ** 2 for t, m in points)
    return (rate, math.sqrt(rest / (n - 2) / spread), points[0][0], points[-1][0],
            1.0 - scalars[-1]["mass"] / total)


def report(folder):
    scalars, beads = read(folder / "scalars.csv"), read(folder / "beads.csv")
    outside = escaped(beads)
    if outside:
        raise ValueError(f"bead {outside[0]['id']:.0f} is beyond the walls at t = {outside[0]['time']} s")
    first = [row for row in beads if row["step"] == beads[0]["step"]]
    n, total = len(first), scalars[0]["mass"]
    density = total / sum(4.0 / 3.0 * math.pi * row["radius"] ** 3 for row in first)
    d = 2.0 * sum(row["radius"] for row in first) / n
    bulk = bulk_density(beads, density)
    rate, error, begin, end, gone = discharge(scalars)
    wide = 2.0 * ORIFICE * math.cos(math.pi / CORNERS)  # 4 area / perimeter
    law = C * bulk * math.sqrt(GRAVITY) * (wide - K * d) ** 2.5
    print(f"beads      {n}, mean diameter d = {1e3 * d:.3f} mm, {density:.0f} kg/m^3, "
          f"{1e3 * total:.2f} g; {100.0 * gone:.1f} % left the hopper")
    print(f"bed        bulk density rho_b = {bulk:.0f} kg/m^3 (solid fraction {bulk / density:.3f})")
    print(f"orifice    D = {1e3 * wide:.2f} mm, D/d = {wide / d:.2f}")
    print(f"measured   W = {1e3 * rate:.2f} +- {1e3 * error:.2f} g/s, t = {begin:.2f} s to {end:.2f} s "
          "(20 to 80 % gone)")
    print(f"Beverloo   W = C rho_b sqrt(g) (D - k d)^2.5 = {1e3 * law:.2f} g/s, C = {C}, k = {K}")
    print(f"measured / Beverloo = {rate / law:.3f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        report(pathlib.Path(sys.argv[1]))
    except (OSError, KeyError, IndexError, ValueError) as error:
        sys.exit(f"hopper.py: {error}")
