#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the time of a step of the sandglass grows with the number of grains, and with the points of a grain [O'Connor 1996, 8.1].

usage: sandglass.py SCREE [STEPS]      (500 steps of 1 000 grains; some minutes)

Grains: the lowest 125, 250, 500 of configs/sandglass.csv, all 1 000, and two and four glasses side by side. Points: the same
outlines of 20 points with more points on their sides, so that contacts stay what they are. Each step searches all pairs, as in
the thesis. Prints CPU time of a step [ms], contacts, and the powers, for `dfr2d`, `cyrus_beck` and `closest_feature`.
"""
import csv
import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
RESOLVERS = ("dfr2d", "cyrus_beck", "closest_feature")
GRAINS, TIMES, APART = (125, 250, 500, 1000, 2000, 4000), (1, 2, 4, 8), 1.0  # APART: [m] from glass to glass
WALLS = ("right", "left", "slope_right", "slope_left", "floor")
PANELS = 10  # of the outlines in the scene


def outlines(text):
    """Name and corners of the grains' shapes."""
    for name, corners in re.findall(r"\n    (\w) = \{ type = \"polygon\"; resample = 10;\n\s*vertices = \((.*?)\); \};", text, re.S):
        yield name, [tuple(map(float, pair)) for pair in re.findall(r"\(\s*(-?[\d.]+), (-?[\d.]+)\)", corners)]


def strip(corners, times):
    """The outline of PANELS panels along the longest diagonal, as shape polygon makes it, with points for as many times the
    panels. It bulges by a ten thousandth, so that points on a side turn out, not in."""
    a, b = max(((p, q) for p in corners for q in corners), key=lambda pair: math.dist(*pair))
    if a < b:
        a, b = b, a
    width = math.dist(a, b)
    ux, uy = (a[0] - b[0]) / width, (a[1] - b[1]) / width
    local = [((x - b[0]) * ux + (y - b[1]) * uy, (y - b[1]) * ux - (x - b[0]) * uy) for x, y in corners]
    upper, lower, ends = [], [], []
    for k in range(PANELS + 1):
        x, heights = width * k / PANELS, []
        for p, q in zip(local, local[1:] + local[:1]):
            if min(p[0], q[0]) - 1e-15 <= x <= max(p[0], q[0]) + 1e-15 and p[0] != q[0]:
                heights.append(p[1] + (x - p[0]) / (q[0] - p[0]) * (q[1] - p[1]))
        ends.append((min(heights), max(heights)))
    for k in range(PANELS * times + 1):
        at, x = min(k // times, PANELS - 1), k / (PANELS * times)
        part, bulge = k / times - at, 4e-4 * width * x * (1.0 - x)
        for side, sign, found in ((0, -1.0, lower), (1, 1.0, upper)):
            found.append((width * x, ends[at][side] + part * (ends[at + 1][side] - ends[at][side]) + sign * bulge))
    ring = lower + upper[-2:0:-1]
    return [(b[0] + x * ux - y * uy, b[1] + x * uy + y * ux) for x, y in ring]


def shapes(text, times):
    """The scene's outlines with as many times the panels: the same shapes, more points."""
    found = []
    for name, corners in outlines(text):
        places = ", ".join(f"({x:.15f}, {y:.15f})" for x, y in strip(corners, times))
        found.append(f'{name} = {{ type = "polygon"; resample = {PANELS * times}; vertices = ({places}); }};')
    return "shapes = {\n" + "\n".join(found) + "\n};\n"


def glasses(rows, grains, top):
    """Writes the table of so many grains; the walls of further glasses."""
    kept = sorted(rows, key=lambda row: float(row["y"]))[:min(grains, len(rows))]
    copies = max(1, grains // len(rows))
    with open(top / "grains.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        for k in range(copies):
            for row in kept:
                table.writerow(row | {"id": str(int(row["id"]) + 100000 * k), "x": repr(float(row["x"]) + APART * k)})
    walls = "".join(f'{wall}_{k} = {{ shape = "{wall}"; motion = "fixed"; position = ({APART * k}, 0.0); }};\n'
                    for k in range(1, copies) for wall in WALLS)
    return f"bodies = {{\n{walls}}};\n" if walls else ""


def spent(scree, top, resolver, steps):
    """[s] of CPU time, and the result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([scree, "run", "s.cfg", "-q", "--json", "--threads", "1", "--steps", str(steps), "-o", f"run{len(list(top.iterdir()))}",
                           "--set", "observers={}", "--set", f'resolvers=( {{ plugin="{resolver}"; }} )'],
                          cwd=top, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, json.loads(done.stdout)


def measure(scree, steps, grains, times):
    """Per resolver: [ms] of CPU time of a step; and the contacts."""
    text = (HERE / "sandglass.cfg").read_text(encoding="utf-8")
    with open(HERE / "sandglass.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = {}
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        walls = glasses(rows, grains, top)
        (top / "s.cfg").write_text(f'base = "{HERE / "sandglass.cfg"}";\n{shapes(text, times)}{walls}'
                                   'generate = { grains = { plugin = "table"; file = "grains.csv"; }; };\n'
                                   'extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };\n', encoding="utf-8")
        for resolver in RESOLVERS:
            least = math.inf
            for _ in range(2):
                start, _ = spent(scree, top, resolver, 1)
                whole, result = spent(scree, top, resolver, steps + 1)
                least = min(least, 1e3 * (whole - start) / steps)
            found[resolver] = least, result["contacts"]
    return found


def power(points):
    (x0, y0), (x1, y1) = points[0], points[-1]
    return math.log(y1 / y0) / math.log(x1 / x0)


def table(title, values, found):
    print(f"| {title} | " + " | ".join(f"{v:g}" for v in values) + " | power |\n| --- |" + " --- |" * (len(values) + 1))
    for resolver in RESOLVERS:
        points = [(v, row[resolver][0]) for v, row in zip(values, found)]
        print(f"| `{resolver}`, ms | " + " | ".join(f"{t:.3g}" for _, t in points) + f" | {power(points):.2f} |")
    print("| contacts | " + " | ".join(f"{row['dfr2d'][1]:.0f}" for row in found) + " | |\n")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    scree, steps = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) == 3 else 500
    table("grains of 20 points", GRAINS, [measure(scree, steps * max(1, 1000 // n), n, 1) for n in GRAINS])
    table("points of 1 000 grains", [2 * PANELS * k for k in TIMES], [measure(scree, steps, 1000, k) for k in TIMES])


if __name__ == "__main__":
    main()
