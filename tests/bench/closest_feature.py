#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost of closest features against the number of vertices: the figure of docs/explanation/contact-resolution.md.

usage: closest_feature.py BUILD [SVG]      (gnuplot; half a minute)

Runs tests/bench/closest_feature_bench several times and takes the least time of each row (of the processor, not of the
clock). The rows also go to standard output, as a table.
"""
import pathlib
import shutil
import subprocess
import sys

RUNS, STEPS = 3, 1000


def measure(build):
    """Rows (vertices, tracked, erased, moves, life) and (vertices, clipped, share that overlaps)."""
    plugin = build / "plugins/resolver/closest_feature.x86-64-v3.so"
    plugin = plugin if plugin.exists() else plugin.with_name("closest_feature.so")
    apart, pressed = {}, {}
    for _ in range(RUNS):
        done = subprocess.run([build / "tests/bench/closest_feature_bench", plugin, str(STEPS)], text=True, capture_output=True, check=True)
        for line in done.stdout.splitlines():
            words = line.split()
            if not words or not words[0].isdigit():
                continue
            n, *values = map(float, words)
            rows = apart if len(values) == 5 else pressed
            old = rows.get(n, values)
            rows[n] = [min(old[0], values[0]), min(old[1], values[1]) if rows is apart else values[1], *values[2:]]
    return ([(n, v[0], v[1], v[3], v[4]) for n, v in sorted(apart.items())],
            [(n, v[0], v[1]) for n, v in sorted(pressed.items()) if v[1] > 0.1])


def draw(apart, pressed, path):
    def block(name, rows):
        return f"${name} << EOD\n" + "\n".join(" ".join(f"{v:.6g}" for v in row) for row in rows) + "\nEOD\n"
    text = block("apart", apart) + block("pressed", pressed) + """set terminal svg size 860,440 font "sans-serif,14" background "#ffffff"
set logscale xy
set xlabel "vertices of a polygon [-]"
set ylabel "time of a pair [ns]"
set xrange [3:1300]
set yrange [50:*]
set xtics (4, 8, 16, 32, 64, 125, 250, 500, 1000)
set grid linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
set key top left
plot $pressed using 1:2 with linespoints linewidth 2 pointtype 9 linecolor rgb "#009e73" title "overlapping: tracked and clipped", \\
     $apart using 1:3 with linespoints linewidth 2 pointtype 5 linecolor rgb "#d55e00" title "apart, from no hint", \\
     $apart using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb "#0072b2" title "apart, tracked: Schinner's figure 11"
"""
    done = subprocess.run([shutil.which("gnuplot") or "gnuplot", "-"], input=text, capture_output=True, text=True, check=True)
    path.write_text(done.stdout, encoding="utf-8")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    apart, pressed = measure(pathlib.Path(sys.argv[1]).resolve())
    if len(sys.argv) == 3:
        draw(apart, pressed, pathlib.Path(sys.argv[2]))
    print("vertices\ttracked [ns]\tto 4 vertices\tno hint [ns]\tmoves a step\tlife [steps]")
    for n, tracked, erased, moves, life in apart:
        print(f"{n:g}\t{tracked:.0f}\t{tracked / apart[0][1]:.2f}\t{erased:.0f}\t{moves:g}\t{life:.0f}")
    print("vertices\tclipped [ns]\tshare of pairs that overlap")
    for n, clipped, share in pressed:
        print(f"{n:g}\t{clipped:.0f}\t{share:.2f}")


main()
