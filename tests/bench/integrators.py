#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Error against cost of the integrators: the figure of docs/explanation/integrators.md.

usage: integrators.py BUILD [SVG]      (gnuplot; half a minute)

Cost is the number of evaluations of all forces per period of the contact. Three problems of one ball on a plane
with closed forms (tests/verification/swings.py): an undamped oscillation over 12 periods, an impact with a
dashpot at 24 places within a step, and a tangential spring with a memory on a plane that shakes sideways.
The points also go to standard output, as a table.
"""
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "verification"), str(HERE.parent)]
import swings  # noqa: E402
import verify  # noqa: E402

COSTS = (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)  # evaluations per period
PROBLEMS = (
    ("undamped, 12 periods", lambda b, g, n: swings.swing_error(b, g, n, 12.0)),
    ("impact, damping ratio 0.2", lambda b, g, n: swings.impact_error(b, g, n, phases=24)),
    ("spring with a memory, shaken", lambda b, g, n: swings.shear_error(b, g, n, "shaken", periods=3.0)),
)
COLOURS = ("#000000", "#999999", "#56b4e9", "#d55e00", "#0072b2", "#009e73", "#e69f00", "#cc79a7")


def measure(bench):
    """{problem: {scheme: [(cost, error)]}}; motions that have blown up are left out."""
    found = {}
    for problem, error in PROBLEMS:
        found[problem] = {}
        for label, (group, evaluations, _, _) in swings.SCHEMES.items():
            points = []
            for cost in COSTS:
                if cost % evaluations:
                    continue
                try:
                    points.append((cost, error(bench, group, cost // evaluations)))
                except RuntimeError as fault:
                    if "blow" not in str(fault):
                        raise
            found[problem][label] = [(c, e) for c, e in points if 1e-11 < e < 2.0 and math.isfinite(e)]
    return found


def draw(found, path):
    lines = ["set terminal svg size 1080,420 font 'sans-serif,12' background rgb 'white'", "set multiplot layout 1,3",
             "set logscale xy", "set xlabel 'evaluations per period'", "set format y '10^{%L}'", "set xrange [7:600]",
             "set key bottom left samplen 2 spacing 0.9 font ',9'", "set grid lc rgb '#dddddd'", "set xtics (8, 32, 128, 512)"]
    for n, (problem, schemes) in enumerate(found.items()):
        plots = []
        for k, (label, points) in enumerate(schemes.items()):
            lines.append(f"$p{n}_{k} << EOD\n" + "\n".join(f"{c} {e:.6g}" for c, e in points) + "\nEOD")
            dash = " dashtype 2" if "full_step" in label else ""
            plots.append(f"$p{n}_{k} using 1:2 with linespoints pointtype {(7, 6, 4, 5, 9, 11, 13, 1)[k]} pointsize 0.5 linewidth 1.6{dash} "
                         f"linecolor rgb '{COLOURS[k]}' title '{label}' noenhanced")
        lines += [f"set title '{problem}'", "set ylabel '" + ("error' " if n == 0 else "' "), "unset key" if n else "",
                  "plot " + ", ".join(plots)]
    done = subprocess.run([shutil.which("gnuplot") or "gnuplot", "-"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    path.write_text(done.stdout, encoding="utf-8")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="scree-integrators-") as scratch:
        bench = verify.Bench(types.SimpleNamespace(build=pathlib.Path(sys.argv[1]).resolve(), pictures=None), pathlib.Path(scratch))
        found = measure(bench)
    if len(sys.argv) == 3:
        draw(found, pathlib.Path(sys.argv[2]))
    for problem, schemes in found.items():
        for label, points in schemes.items():
            print(f"{problem}\t{label}\t" + " ".join(f"{c}:{e:.3g}" for c, e in points))


main()
