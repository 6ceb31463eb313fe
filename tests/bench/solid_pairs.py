#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Resolvers of solids, libccd and FCL on the same pairs: a table and a figure of docs/explanation/contact-resolution.md.

usage: solid_pairs.py BUILD [PAGE.md]      (gnuplot; two minutes)

Runs tests/bench/solid_pairs and tests/bench/dfr3d_bench. With a page, the lines between its marks
<!-- solid_pairs --> and <!-- /solid_pairs --> become the result, and solid-pairs.svg next to it the figure. Without
one the lines go to standard output.
"""
import datetime
import math
import pathlib
import platform
import re
import subprocess
import sys

SETS = ("ellipsoids", "superquadrics", "polyhedra")
PAIRS, BUDGET = "60", "300"


def measure(build):
    level = ".x86-64-v3" if (build / "plugins/resolver/gjk.x86-64-v3.so").exists() else ""
    done = subprocess.run([build / "tests/bench/solid_pairs", build / "plugins", level, PAIRS, BUDGET], text=True,
                          capture_output=True, check=True)
    rows = {}
    for line in done.stdout.splitlines():
        words = line.split("\t")
        if len(words) == 9:
            rows.setdefault((re.sub(r"\d+ (facets|triangles)", r"\1", words[1]), words[2]), {})[words[0]] = [float(w) for w in words[3:]]
    return rows


def measure_zone(build):
    """Rows (facets, cells of the zone, facets tested, us) of contacts of dfr3d."""
    done = subprocess.run([build / "tests/bench/dfr3d_bench", BUDGET], text=True, capture_output=True, check=True)
    rows, on = [], False
    for line in done.stdout.splitlines():
        words = line[1:].split()
        if on and len(words) == 5:
            rows.append([float(w) for w in words[:4]])
        on = on or words[:2] == ["facets", "zone_cells"]
    return rows


def power(x, y):
    """Exponent of the least squares in logarithms, and the largest factor between a point and the line."""
    u, v = [math.log(a) for a in x], [math.log(a) for a in y]
    mu, mv = sum(u) / len(u), sum(v) / len(v)
    slope = sum((a - mu) * (b - mv) for a, b in zip(u, v)) / sum((a - mu) ** 2 for a in u)
    return slope, math.exp(max(abs(b - mv - slope * (a - mu)) for a, b in zip(u, v)))


def linear(x, y):
    """us = first + each * cells, of least relative error."""
    w = [1 / b ** 2 for b in y]
    s, sx, sy = sum(w), sum(c * a for c, a in zip(w, x)), sum(c * b for c, b in zip(w, y))
    sxx, sxy = sum(c * a * a for c, a in zip(w, x)), sum(c * a * b for c, a, b in zip(w, x, y))
    each = (s * sxy - sx * sy) / (s * sxx - sx * sx)
    first = (sy - each * sx) / s
    return first, each, max(abs(first + each * a - b) / b for a, b in zip(x, y))


def processor():
    names = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")]
    gcc = subprocess.run(["gcc", "-dumpfullversion"], text=True, capture_output=True, check=False).stdout.strip()
    return f"{names[0] if names else platform.machine()}, gcc {gcc}, a machine with other work, {datetime.date.today():%Y-%m-%d}"


def cell(values):
    if not values:
        return "| | "
    ns, mean, most, missed = values[1], values[2], values[3], values[5]
    time = f"{ns / 1e6:.1f} ms" if ns >= 1e6 else f"{ns / 1e3:.3g} us"
    if missed >= float(PAIRS):
        return f"| {time} | none found "
    return f"| {time} | {mean:.0e}, {most:.0e}" + (f" ({missed:.0f} missed) " if missed else " ")


def page_lines(rows, zone):
    yield f"{processor()}; {PAIRS} pairs of each set."
    yield ""
    yield "| | " + " | ".join(f"{name}: time | error" for name in SETS) + " |"
    yield "| --- |" + " --- | --- |" * len(SETS)
    for (what, resolution), sets in rows.items():
        name = f"`{what}`" if " " not in what else what
        yield f"| {name}{', ' * bool(resolution)}{resolution} " + "".join(cell(sets.get(s)) for s in SETS) + "|"
    cells, us = [r[1] for r in zone], [r[3] for r in zone]
    slope, off = power(cells, us)
    first, each, worst = linear(cells, us)
    yield ""
    yield ("A contact of two spheres by `dfr3d`, at one depth, over the cells of its zone (`dfr3d_bench`): time goes as cells "
           f"to the power {slope:.2f}, within a factor {off:.2f} of that line; the straight line "
           f"{first:.0f} us + {1e3 * each:.0f} ns a cell is within {100 * worst:.0f} %.")
    yield ""
    for label, column, form in (("facets of a sphere", 0, "{:.0f}"), ("cells of the zone", 1, "{:.0f}"),
                                ("facets tested", 2, "{:.0f}"), ("us", 3, "{:.0f}")):
        yield f"| {label} | " + " | ".join(form.format(r[column]) for r in zone) + " |"
        if column == 0:
            yield "| --- |" + " --- |" * len(zone)


def draw(rows, path):
    blocks, plots = "", []
    lines = (("dfr3d", lambda w, r: w == "dfr3d", 7, "0072b2"),
             ("sdf", lambda w, r: w == "sdf" and re.fullmatch(r"\d+ cells", r), 5, "d55e00"),
             ("libccd", lambda w, r: w.startswith("libccd"), 9, "009e73"),
             ("FCL", lambda w, r: w.startswith("FCL"), 11, "cc79a7"))
    for name, fits, point, colour in lines:
        points = [(v["superquadrics"][1] / 1e3, v["superquadrics"][2]) for (w, r), v in rows.items()
                  if fits(w, r) and "superquadrics" in v and v["superquadrics"][5] < 0.5 * float(PAIRS)]
        blocks += f"${name} << EOD\n" + "\n".join(f"{x:.6g} {y:.6g}" for x, y in points) + "\nEOD\n"
        style = "linespoints linewidth 2" if name in ("dfr3d", "sdf") else "points"
        plots.append(f'${name} using 1:2 with {style} pointtype {point} pointsize 1.2 linecolor rgb "#{colour}" title "{name}"')
    exact = rows[("gjk", "")]["superquadrics"]
    blocks += f"$gjk << EOD\n{exact[1] / 1e3:.6g} 1e-6\nEOD\n"
    plots.append(f'$gjk using 1:2 with points pointtype 13 pointsize 1.6 linecolor rgb "#000000" '
                 f'title "gjk, whose error is {exact[3]:.0e}"')
    text = blocks + """set terminal svg size 860,440 font "sans-serif,14" background "#ffffff"
set logscale xy
set format y "10^{%T}"
set xlabel "time of a pair of superquadrics of exponent 4 [us]"
set ylabel "mean error of the depth over the longest half axis [-]"
set yrange [5e-7:2e-2]
set grid linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
set key outside right
plot """ + ", \\\n     ".join(plots) + "\n"
    done = subprocess.run(["gnuplot", "-"], input=text, capture_output=True, text=True, check=True)
    path.write_text(done.stdout, encoding="utf-8")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    rows, zone = measure(build), measure_zone(build)
    text = "\n".join(page_lines(rows, zone))
    if len(sys.argv) == 2:
        print(text)
        return
    page = pathlib.Path(sys.argv[2])
    parts = re.split(r"(?<=<!-- solid_pairs -->\n).*?(?=<!-- /solid_pairs -->)", page.read_text(encoding="utf-8"), flags=re.S)
    if len(parts) != 2:
        sys.exit(f"solid_pairs.py: {page}: expected the marks <!-- solid_pairs --> and <!-- /solid_pairs --> once")
    page.write_text(f"{text}\n".join(parts), encoding="utf-8")
    draw(rows, page.with_name("solid-pairs.svg"))


main()
