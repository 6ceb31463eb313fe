# SPDX-License-Identifier: Apache-2.0
"""The page and figures that gcd.py makes of its results: every number on it is read from a table."""
import collections
import math
import pathlib
import shutil
import statistics
import subprocess

import gcd_claims
import gcd_queries
import query
from gcd_claims import number, rows_of, series, slope, three



def table(path):
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def best(seen, test):
    found = [(float(row["ns/obj/step"]), name) for name, row in seen.items() if test(name) and row["status"] == "ok"]
    return min(found) if found else (math.nan, "-")


def peers(rows):
    """Workload, best of scree, best reference of the harness, best public code."""
    by_load = collections.OrderedDict()
    for row in rows:
        by_load.setdefault(row["workload"], {})[row["algo"]] = row
    for load, seen in by_load.items():
        yield (load, best(seen, lambda n: n.startswith("scree_")), best(seen, lambda n: n.startswith("own_")),
               best(seen, lambda n: not n.startswith(("scree_", "own_", "zz_"))), seen)


def peers_page(rows):
    cells = [["workload", "N", "scree, ns", "which", "reference, ns", "which", "public, ns", "which", "scree / reference", "scree / public"]]
    for load, ours, own, public, seen in peers(rows):
        cells.append([f"`{load}`", next(iter(seen.values()))["N"], three(ours[0]), ours[1][6:], three(own[0]), own[1],
                      three(public[0]), public[1], three(ours[0] / own[0]),
                      three(ours[0] / public[0])])
    return rows_of(cells)


def every_code(rows):
    loads = list(dict.fromkeys(row["workload"] for row in rows))
    times = collections.defaultdict(dict)
    for row in rows:
        if not row["algo"].startswith("zz_"):
            times[row["algo"]][row["workload"]] = three(float(row["ns/obj/step"])) if row["status"] == "ok" else row["status"].lower()
    cells = [["code"] + [f"`{load}`" for load in loads] + ["bytes per box"]]
    size = {row["algo"]: row["B/obj"] for row in rows if row["status"] == "ok"}
    for name in sorted(times, key=lambda n: (not n.startswith("scree_"), n)):
        cells.append([name.replace("scree_", "**scree** ")] + [times[name].get(load, "") for load in loads] + [size.get(name, "")])
    return rows_of(cells)


# Scene, value, title, of the ledger's columns.
PLACES = (("perkins-1", 1600.0, "discs, 1 600"), ("perkins-1", 25600.0, "discs, 25 600"),
          ("perkins-1", 102400.0, "discs, 102 400"), ("spheres", 10648.0, "spheres, 10 648"),
          ("spheres", 97336.0, "spheres, 97 336"), ("mixed", 10.0, "spheres 1:10, 10 000"),
          ("mixed", 5.0, "spheres 1:100, 10 270"))
SHOWN = 3  # the place whose phases are shown


def strategies(rows):
    """The rows by place of every strategy of scree, the cheapest first."""
    found = collections.defaultdict(dict)
    for row in rows:
        for k, (scene, value, _) in enumerate(PLACES):
            if (row["scene"], float(row["value"]), row["outcome"]) == (scene, value, "ok") and row["gcd"].islower():
                found[row["gcd"]][k] = row
    return sorted(found.items(), key=lambda item: cost(item[1].get(SHOWN), item[1].get(0)))


def cost(row, other=None, what="gcd_s"):
    """Nanoseconds per box and step."""
    if row is None:
        return 1e6 + cost(other) if other else math.nan
    return float(row[what]) / float(row["bodies"]) * 1e9


def strategies_page(rows):
    growth = {name: slope([point for point in points if point[0] >= 400])
              for name, points in series(rows, "perkins-1", "integrator.count").items()}
    cells = [["strategy"] + [title for *_, title in PLACES] + ["power of N, discs"]]
    for name, seen in strategies(rows):
        cells.append([f"`{name}`"] + [three(cost(seen.get(k))) for k in range(len(PLACES))] +
                     [three(growth.get(name, math.nan))])
    return rows_of(cells)


def auto_page(rows):
    """`auto` next to the best single strategy of each place."""
    cells = [["boxes", "best", "its time, ns", "`auto`, ns", "`auto` / best"]]
    found = dict(strategies(rows))
    for k, (*_, title) in enumerate(PLACES):
        single = [(cost(seen[k]), name) for name, seen in found.items() if k in seen and name != "auto"]
        if single and k in found.get("auto", {}):
            (time, name), own = min(single), cost(found["auto"][k])
            cells.append([title, f"`{name}`", three(time), three(own), three(own / time)])
    return rows_of(cells)


def phases_page(rows):
    cells = [["strategy", "boxes", "`step_init`, ns", "search, ns", "host afterwards, ns", "accuracy", "bytes per box"]]
    for name, seen in strategies(rows):
        row = seen.get(SHOWN, seen.get(0))
        init, gcd, all_of_it = (cost(row, what=what) for what in ("step_init_s", "gcd_s", "gcd_resolve_s"))
        cells.append([f"`{name}`", PLACES[SHOWN if SHOWN in seen else 0][2], three(init), three(gcd - init),
                      three(all_of_it - gcd), three(float(row["accuracy"])), f"{float(row['bytes_per_box']):.0f}"])
    return rows_of(cells)


def moves_page(rows):
    cells = [["plugin", "moved", "ns per box and step", "of the cost with all moving"]]
    for row in rows:
        cells.append([f"`{row['gcd']}`", row["moved"], three(float(row["sum_ns"])), three(float(row["of_all"]))])
    return rows_of(cells)


def threads_page(rows):
    cells = [["plugin", "one thread, ms per step", "two threads", "times faster", "rounds", "one state"]]
    for name in dict.fromkeys(row["gcd"] for row in rows):
        own = [row for row in rows if row["gcd"] == name]
        one = [float(row["gcd_s"]) for row in own if row["threads"] == "1"]
        two = [float(row["gcd_s"]) for row in own if row["threads"] == "2"]
        rounds = sorted(a / b for a, b in zip(one, two))
        ratio, spread = statistics.median(rounds), f"{three(rounds[0])} to {three(rounds[-1])}"
        if name == "-":
            cells.append(["work without memory", "-", "-", three(ratio), spread, "-"])
            continue
        cells.append([f"`{name}`", three(statistics.median(one) * 50), three(statistics.median(two) * 50),
                      f"{ratio:.3f}", spread,
                      "yes" if len({row["state_sha256"] for row in own}) == 1 else "no"])
    return rows_of(cells)


def printed_page(rows):
    """Accuracy, what is missed, and time over that of gcd/grid, by ratio of sizes."""
    ratios = list(dict.fromkeys(row["ratio"] for row in rows))
    cells = [["method"] + [f"1:{ratio}" if ratio != "1" else "equal" for ratio in ratios]]
    for name in dict.fromkeys(row["method"] for row in rows):
        own = {row["ratio"]: row for row in rows if row["method"] == name}
        cells.append([name] + [f"{own[r]['accuracy']} %, {three(float(own[r]['times_grid']))} times"
                               + (f", misses {three(float(own[r]['missed']))} %" if float(own[r]["missed"]) else "") for r in ratios])
    return rows_of(cells)


def sort_page(rows):
    """Efficiency: time of one lane over P times that of P lanes."""
    lanes = list(dict.fromkeys(row["lanes"] for row in rows))
    cells = [["keys", "lists", "one lane, ms"] + [f"{p} lanes" for p in lanes] + ["two threads here"]]
    for keys, lists in dict.fromkeys((row["keys"], row["lists"]) for row in rows):
        own = {row["lanes"]: row for row in rows if (row["keys"], row["lists"]) == (keys, lists)}
        one = {p: float(own[p]["one_s"]) for p in lanes}
        cells.append([number(float(keys)), "random" if lists == "random" else "little moved", three(1e3 * one[lanes[0]])]
                     + [f"{100.0 * one[p] / (int(p) * float(own[p]['lanes_s'])):.0f} %" for p in lanes]
                     + [three(float(own["2"]["wall_one_s"]) / float(own["2"]["wall_s"])) + " times"])
    return rows_of(cells)


HEAD = """set terminal svg size 860,440 font "sans-serif,14" background "#ffffff"
set encoding utf8
set grid ytics linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
"""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def lines_script(found, title, xlabel, ylabel, more=""):
    """Curves, the highest at its right end first in the legend."""
    blocks, plots = "", []
    colours = {name: k for k, name in enumerate(sorted(found))}
    for name, points in sorted(found.items(), key=lambda item: -item[1][-1][1]):
        k = colours[name]
        blocks += f"$d{k} << EOD\n" + "".join(f"{x:g} {y:g}\n" for x, y in points) + "EOD\n"
        plots.append(f'$d{k} using 1:2 with linespoints linecolor rgb "{COLOURS[k]}" linewidth 2 '
                     f'pointtype {(5, 7, 9, 11, 13, 15)[k]} pointsize 0.9 title "{name}"')
    xs = [x for points in found.values() for x, _ in points]
    tics = ", ".join(f'"{number(x)}" {x:g}' for x in sorted(set(xs)))
    return HEAD + blocks + f"""set title "{title}"
set logscale x
set xrange [{min(xs) / 1.1:g}:{max(xs) * 1.1:g}]
set xtics ({tics})
set xlabel "{xlabel}"
set ylabel "{ylabel}"
set key outside right Left reverse samplen 2 noenhanced
{more}plot """ + ", \\\n  ".join(plots) + "\n"


def peers_script(rows):
    data = [(load.replace(":", "\\n", 1), ours[0], own[0], public[0]) for load, ours, own, public, _ in peers(rows)]
    block = "$d << EOD\n" + "".join(f'"{n}" {a:g} {b:g} {c:g}\n' for n, a, b, c in data) + "EOD\n"
    return HEAD + block + """set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border rgb "#ffffff"
set logscale y
set yrange [10:*]
set title "Contact detection compared with public libraries, one thread, every box moves"
set ylabel "time per box and step [ns]"
set xtics scale 0 font ",10"
set xlabel "workload, with the number of boxes and the ratio of diameters" offset 0,-0.5
set bmargin 5
set key top left Left reverse samplen 2
plot $d using 2:xtic(1) linecolor rgb "#0072b2" title "best of scree", \\
  $d using 3 linecolor rgb "#999999" title "best reference of the harness", \\
  $d using 4 linecolor rgb "#d55e00" title "best public library"
"""


def figures(results, folder):
    if not shutil.which("gnuplot"):
        print("gnuplot is missing: the figures stay as they are")
        return
    ledger = table(results / "gcd-ledger.tsv")
    names = gcd_claims.PERKINS
    per_n = {name: [(n, t / n * 1e9) for n, t in points]
             for name, points in series(ledger, "perkins-1", "integrator.count", which=names).items()}
    ratio = {name: [(x, t / 800 * 1e9) for x, t in points]
             for name, points in series(ledger, "perkins-2-800", "integrator.ratio", which=names).items()}
    cells = {name: [(n, t / min(t for _, t in points)) for n, t in points]
             for name, points in series(ledger, "pfc-5", "extents per cell").items()}
    time = "time per disc and step [ns]"
    scripts = {"peers": peers_script(table(results / "gcd-peers.tsv")),
               "number": lines_script(per_n, "Perkins' test 1: equal discs", "number of discs N [-]", time,
                                      "set logscale y\n"),
               "ratio": lines_script(ratio, "Perkins' test 2: 800 discs of many sizes",
                                     "largest over smallest diameter [-]", time, "set logscale y\n"),
               "cells": lines_script(cells, "PFC's figure 5: 11 000 equal balls", "extents that a cell has room for [-]",
                                     "time over that of the best cell [-]", "set yrange [0:*]\n"),
               "queries": lines_script(gcd_queries.figure(table(results / "gcd-queries.tsv")),
                                       "Boxes in a region: a million equal cubes", "boxes found M [-]",
                                       "time per query [ns]", gcd_queries.AXES)}
    for name, script in scripts.items():
        svg = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=True).stdout
        (folder / f"contact-detection-{name}.svg").write_text(svg, encoding="utf-8")


def page(results):
    tables = {name: table(results / f"gcd-{name}.tsv") for name in ("peers", "ledger", "moves", "threads", "claims", "queries", "sources", "printed", "sort")}
    machine = (results / "gcd-machine.txt").read_text(encoding="utf-8").strip().replace("\n", ", ")
    text = (pathlib.Path(__file__).with_name("gcd.md.in")).read_text(encoding="utf-8")
    ledger, claims = tables["ledger"], tables["claims"]
    for name, part in {"machine": machine, "peers": peers_page(tables["peers"]), "codes": every_code(tables["peers"]),
                       "strategies": strategies_page(ledger), "phases": phases_page(ledger), "auto": auto_page(ledger),
                       "cells": gcd_claims.cells_table(claims),
                       "pfc": gcd_claims.pfc_table(ledger), "dirty": gcd_claims.dirty_table(ledger, claims), "moves": moves_page(tables["moves"]),
                       "threads": threads_page(tables["threads"]),
                       "printed": printed_page(tables["printed"]), "sort": sort_page(tables["sort"]),
                       "queries": gcd_queries.tables(tables["queries"]),
                       "verdict": gcd_queries.verdict(tables["queries"]),
                       "sources": query.table(tables["sources"]), "sources-date": gcd_queries.date(tables["sources"]), "sources-cpu": tables["sources"][0]["cpu"],
                       "queries-date": gcd_queries.date(tables["queries"])}.items():
        text = text.replace(f"@{name}@", part.strip())
    return text


def render(results, folder):
    figures(results, folder)
    (folder / "contact-detection.md").write_text(page(results), encoding="utf-8")
    return 0
