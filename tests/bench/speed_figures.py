# SPDX-License-Identifier: Apache-2.0
"""The figures of speed.py: gnuplot scripts with their data, run into SVG files."""
import shutil
import statistics
import subprocess

import speed_page as page

HEAD = """set terminal svg size 860,440 font "sans-serif,14" background "#ffffff"
set encoding utf8
set style line 1 linecolor rgb "#0072b2" linewidth 2 pointtype 7 pointsize 0.7
set style line 2 linecolor rgb "#d55e00" linewidth 2 pointtype 5 pointsize 0.7
set style line 3 linecolor rgb "#009e73" linewidth 2 pointtype 9 pointsize 0.8
set style fill solid 0.85 border rgb "#ffffff"
set grid ytics linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
set yrange [0:*]
"""
PHASES = (("refresh", "#999999"), ("resolve", "#0072b2"), ("gather", "#56b4e9"), ("force", "#d55e00"),
          ("sum", "#e69f00"), ("integrate", "#009e73"), ("other", "#cccccc"))


def block(name, rows):
    return f"${name} << EOD\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows) + "EOD\n"


def label(name, more=""):
    """A tic's label on lines of its own, so that neighbours do not run into each other."""
    return '"' + name.replace("-r20", "\\nr20") + more + '"'


def peers_script(results):
    rows = []
    for row in page.compare_peers(results):
        ratios = row["ratios"]
        name = label(row["workload"], "\\nmulti" if row["multi"] else "")
        rows.append((name, statistics.median(ratios), min(ratios), max(ratios)))
    if not rows:
        return None
    return HEAD + block("data", rows) + f"""set ylabel "speed of scree / speed of LAMMPS [-]"
set xrange [-0.6:{len(rows) - 0.4}]
set boxwidth 0.6
set key above samplen 2 width -6
set xtics scale 0 font ",12"
set bmargin 4
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 2 linecolor rgb "#666666"
plot $data using 0:2:xtic(1) with boxes linestyle 1 title "median of paired runs", \\
     $data using 0:3:(0):($4-$3) with vectors heads size screen 0.006,90 linecolor rgb "#000000" \\
         title "lowest to highest"
"""


def ledger_script(results):
    rows = [[label(name), run["gcd"] + run["order"]] + [page.part(run, key) for key, _ in PHASES[1:]]
            for name, run in page.ledger_rows(results) if name.startswith("bed-")]
    if not rows:
        return None
    bars = ", \\\n     ".join(
        f'$data using {k + 2}{":xtic(1)" if k == 0 else ""} linecolor rgb "{colour}" title "{name}"'
        for k, (name, colour) in enumerate(PHASES))
    return HEAD + block("data", rows) + f"""set ylabel "time per body and step [ns]"
set style data histograms
set style histogram rowstacked
set boxwidth 0.5
set xtics scale 0 font ",13"
set bmargin 3
set xrange [-0.6:{len(rows) - 0.4}]
set key outside right top invert
plot {bars}
"""


def scaling_script(results):
    plain, forced, refresh = [], [], []
    for n, asked, every in page.sizes_of(results):
        for rows, runs, key in ((plain, asked, "total"), (forced, every, "total")):
            seen = page.values(runs, key)
            rows.append((n, statistics.median(seen), min(seen), max(seen)))
        seen = [row["gcd"] + row["order"] for row in every]
        refresh.append((n, statistics.median(seen), min(seen), max(seen)))
    if not plain:
        return None
    return HEAD + block("plain", plain) + block("forced", forced) + block("refresh", refresh) + f"""
set ylabel "time per body and step [ns]"
set xlabel "bodies n [-]"
set logscale x
set format x "10^{{%L}}"
set xrange [{plain[0][0] / 1.5}:{plain[-1][0] * 1.5}]
set key above vertical maxrows 3
plot $forced with yerrorlines linestyle 2 title "whole step, refreshed every 20 steps", \\
     $plain with yerrorlines linestyle 1 title "whole step, refreshed when bodies ask for it", \\
     $refresh with yerrorlines linestyle 3 title "of it, refresh every 20 steps"
"""


FIGURES = {"peers": peers_script, "ledger": ledger_script, "scaling": scaling_script}


def draw(folder, docs):
    """Writes docs/speed-*.svg of what was measured; the paths. Nothing without gnuplot."""
    results, made = page.Results(folder), []
    program = shutil.which("gnuplot")
    for name, script in FIGURES.items():
        text = script(results)
        if not program or text is None:
            continue
        path = docs / f"speed-{name}.svg"
        done = subprocess.run([program, "-"], input=text, capture_output=True, text=True, check=False)
        if done.returncode or not done.stdout:
            raise RuntimeError(f"gnuplot: {path.name}: {done.stderr}")
        path.write_text(done.stdout, encoding="utf-8")
        made.append(path)
    return made
