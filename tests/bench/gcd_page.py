# SPDX-License-Identifier: Apache-2.0
"""The page and figures that gcd.py makes of its results: every number on it is read from a table."""
import collections
import math
import pathlib
import shutil
import statistics
import subprocess

# Workload: the harness's own codes that are the reference, most times the best of them, and goals: times the
# best public code at most.
TARGETS = {"P1:6400": (1.15, 0.5), "P1:25600": (1.15, 0.5), "P1:102400": (1.15, 0.5), "P3:97336:1": (1.15, 0.2),
           "P4a": (1.15, 0.25), "P4b": (1.15, None), "P2:6400:1": (1.15, 1.0), "P2:6400:2": (1.15, 1.0),
           "P2:6400:4": (1.15, 1.0), "P2:6400:8": (1.15, 1.0), "P2:6400:32": (1.15, 1.0), "P1:400": (1.15, None),
           "P1:1600": (1.15, None), "P3:10648:1": (1.15, None)}


def table(path):
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def three(x):
    return f"{x:.3g}" if math.isfinite(x) else "-"


def rows_of(cells):
    cells = [[str(c) for c in row] for row in cells]
    head = "| " + " | ".join(cells[0]) + " |\n|" + " --- |" * len(cells[0]) + "\n"
    return head + "".join("| " + " | ".join(row) + " |\n" for row in cells[1:])


def best(seen, test):
    found = [(float(row["ns/obj/step"]), name) for name, row in seen.items() if test(name) and row["status"] == "ok"]
    return min(found) if found else (math.nan, "-")


def peers(rows):
    """Workload, best of ours, best reference of the harness, best public code."""
    by_load = collections.OrderedDict()
    for row in rows:
        by_load.setdefault(row["workload"], {})[row["algo"]] = row
    for load, seen in by_load.items():
        yield (load, best(seen, lambda n: n.startswith("scree_")), best(seen, lambda n: n.startswith("own_")),
               best(seen, lambda n: not n.startswith(("scree_", "own_", "zz_"))), seen)


def verdict(value, limit):
    if limit is None or not math.isfinite(value):
        return three(value)
    return f"{three(value)} (asked {three(limit)}{', met' if value <= limit else ', falls short'})"


def peers_page(rows):
    cells = [["workload", "N", "ours, ns", "", "reference, ns", "", "public, ns", "", "ours / reference", "ours / public"]]
    for load, ours, own, public, seen in peers(rows):
        limits = TARGETS.get(load, (None, None))
        cells.append([f"`{load}`", next(iter(seen.values()))["N"], three(ours[0]), ours[1][6:], three(own[0]), own[1],
                      three(public[0]), public[1], verdict(ours[0] / own[0], limits[0]),
                      verdict(ours[0] / public[0], limits[1])])
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


def slope(points):
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = statistics.mean(xs), statistics.mean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def series(rows, scene, key, what="gcd_s"):
    found = collections.defaultdict(list)
    for row in rows:
        if row["scene"] == scene and row["varied"] == key and row["outcome"] == "ok":
            found[row["gcd"]].append((float(row["value"]), float(row[what])))
    return {name: sorted(points) for name, points in found.items()}


def named(name):
    return name[0].isupper()


def strategies(rows):
    """Per strategy: ns per box and step in five places, growth, accuracy, memory, share of step_init."""
    places = (("perkins-1", "-", "1600.0", "discs, 1 600"), ("perkins-1", "-", "25600.0", "discs, 25 600"),
              ("spheres", "-", "10648.0", "spheres, 10 648"), ("mixed", "percent=10", None, "spheres 1:10, 10 000"),
              ("mixed", "workload=mixed_100 percent=5", None, "spheres 1:100, 10 270"))
    found = collections.defaultdict(dict)
    for row in rows:
        for k, (scene, settings, value, _) in enumerate(places):
            same = value is None or (row["value"] != "-" and float(row["value"]) == float(value))
            if row["scene"] == scene and row["settings"] == settings and same and not named(row["gcd"]) and \
                    row["outcome"] == "ok":
                found[row["gcd"]][k] = row
    growth = {name: slope(points) for name, points in series(rows, "perkins-1", "integrator.count").items()
              if len(points) > 2}
    cells = [["strategy"] + [title for *_, title in places] +
             ["growth in N", "of it `step_init`", "accuracy", "bytes per box"]]

    def cost(row):
        return float(row["gcd_s"]) / float(row["bodies"]) * 1e9
    for name, seen in sorted(found.items(), key=lambda item: cost(item[1].get(2, item[1].get(0)))):
        shown = seen.get(2, seen.get(0))
        cells.append([f"`{name}`"] + [three(cost(seen[k])) if k in seen else "-" for k in range(len(places))] +
                     [three(growth.get(name, math.nan)),
                      f"{100 * float(shown['step_init_s']) / float(shown['gcd_s']):.0f} %",
                      three(float(shown["accuracy"])), f"{float(shown['bytes_per_box']):.0f}"])
    return rows_of(cells)


def perkins(rows):
    """Claims of the papers beside the numbers."""
    time = {n: p for n, p in series(rows, "perkins-1", "integrator.count").items() if named(n)}
    ratio = {n: p for n, p in series(rows, "perkins-2-800", "integrator.ratio").items() if named(n)}
    both = {n: p for n, p in series(rows, "perkins-2-800", "integrator.ratio", "gcd_resolve_s").items() if named(n)}
    if not time or not ratio:
        return ""
    common = max(set.intersection(*({x for x, _ in p} for p in time.values())))
    last = {n: dict(p)[common] for n, p in time.items()}
    order = " < ".join(sorted(last, key=last.get))
    power = ", ".join(f"{n} {three(slope(p))}" for n, p in sorted(time.items(), key=lambda i: slope(i[1])))
    at = {n: dict(p) for n, p in time.items()}
    small = min((n for n in (1600.0, 6400.0) if n in at["DESS2"]), default=None)

    def change(points):
        values = dict(points)
        return values[4.0] / values[1.0] if {1.0, 4.0} <= set(values) else math.nan

    def wide(points):
        values = dict(points)
        return values[32.0] / values[1.0] if {1.0, 32.0} <= set(values) else math.nan
    cells = [["claim (Perkins 1999, section 6)", "measured here"],
             ["test 1: Hashing2 grows as N; DESS, DESS2, Hashing as N^1.5", f"growth of the time of contact detection, 400 to 25 600 discs: {power}"],
             ["order of the methods", f"at {common:.0f} discs: {order}"],
             ["DESS2 within a factor 2 of Hashing2 below 12 000 discs", f"{three(at['DESS2'][small] / at['Hashing2'][small])} at {small:.0f} discs"],
             ["DESS is like DESS2: rearrangement is insignificant", f"DESS / DESS2 = {three(last['DESS'] / last['DESS2'])} at {common:.0f} discs"],
             ["DESS2 hardly slower than Hashing", f"DESS2 / Hashing = {three(last['DESS2'] / last['Hashing'])}"],
             ["test 2 at 800 discs: from ratio 1 to 4 DESS changes less than hashing",
              "time at 4 over time at 1: " + ", ".join(f"{n} {three(change(p))}" for n, p in sorted(ratio.items()))],
             ["DESS2 does not depend on the ratio up to 32", "time at 32 over time at 1: " +
              ", ".join(f"{n} {three(wide(p))}" for n, p in sorted(ratio.items()))],
             ["his times have the resolution of candidates in them", "with the resolver, 32 over 1: " +
              ", ".join(f"{n} {three(wide(p))}" for n, p in sorted(both.items()))]]
    return rows_of(cells)


def moves_page(rows):
    cells = [["plugin", "moved", "ns per box and step", "of the cost with all moving"]]
    for row in rows:
        limit = {"1 in 100": 0.05}.get(row["moved"])
        of_all = verdict(float(row["of_all"]), limit) if limit else three(float(row["of_all"]))
        ns = float(row["sum_ns"])
        cells.append([f"`{row['gcd']}`", row["moved"], verdict(ns, 2.0) if row["moved"] == "none" else three(ns), of_all])
    return rows_of(cells)


def threads_page(rows):
    cells = [["plugin", "one thread, ms per step", "two threads", "times faster", "one state"]]
    for name in dict.fromkeys(row["gcd"] for row in rows):
        own = [row for row in rows if row["gcd"] == name]
        one = [float(row["gcd_s"]) for row in own if row["threads"] == "1"]
        two = [float(row["gcd_s"]) for row in own if row["threads"] == "2"]
        ratio = statistics.median(a / b for a, b in zip(one, two))
        cells.append([f"`{name}`", three(statistics.median(one) * 50), three(statistics.median(two) * 50),
                      f"{three(ratio)} (asked 1.8{', met' if ratio >= 1.8 else ', falls short'})",
                      "yes" if len({row["state_sha256"] for row in rows}) == 1 else "no"])
    return rows_of(cells)


HEAD = """set terminal svg size 860,440 font "sans-serif,14" background "#ffffff"
set encoding utf8
set grid ytics linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
"""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")


def lines_script(found, xlabel, ylabel):
    blocks, plots = "", []
    for k, (name, points) in enumerate(sorted(found.items())):
        blocks += f"$d{k} << EOD\n" + "".join(f"{x:g} {y:g}\n" for x, y in points) + "EOD\n"
        plots.append(f'$d{k} using 1:2 with linespoints linecolor rgb "{COLOURS[k % 8]}" linewidth 2 pointtype {5 + k % 8} '
                     f'pointsize 0.8 title "{name}"')
    return HEAD + blocks + f'set logscale xy\nset xlabel "{xlabel}"\nset ylabel "{ylabel}"\nset key outside right\nplot ' + ", \\\n  ".join(plots) + "\n"


def peers_script(rows):
    data = [(load.replace(":", "\\n", 1), ours[0], own[0], public[0]) for load, ours, own, public, _ in peers(rows)]
    block = "$d << EOD\n" + "".join(f'"{n}" {a:g} {b:g} {c:g}\n' for n, a, b, c in data) + "EOD\n"
    return HEAD + block + """set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border rgb "#ffffff"
set logscale y
set yrange [10:*]
set ylabel "time per box and step [ns]"
set xtics scale 0 font ",10"
set bmargin 4
set key above
plot $d using 2:xtic(1) linecolor rgb "#0072b2" title "best of scree", \\
  $d using 3 linecolor rgb "#999999" title "best reference of the harness", \\
  $d using 4 linecolor rgb "#d55e00" title "best public library"
"""


def figures(results, folder):
    if not shutil.which("gnuplot"):
        print("gnuplot is missing: the figures stay as they are")
        return
    ledger, per_n = table(results / "gcd-ledger.tsv"), {}
    for name, points in series(ledger, "perkins-1", "integrator.count").items():
        if named(name):
            per_n[name] = [(n, t / n * 1e9) for n, t in points]
    ratio = {name: points for name, points in series(ledger, "perkins-2-800", "integrator.ratio").items() if named(name)}
    scripts = {"contact-detection-peers": peers_script(table(results / "gcd-peers.tsv"))}
    if per_n:
        scripts["contact-detection-number"] = lines_script(per_n, "discs", "time per disc and step [ns]")
    if ratio:
        scripts["contact-detection-ratio"] = lines_script(
            {n: [(x, t / 800 * 1e9) for x, t in p] for n, p in ratio.items()}, "largest over smallest diameter",
            "time per disc and step [ns]")
    for name, script in scripts.items():
        svg = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=True).stdout
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")


def page(results):
    tables = {name: table(results / f"gcd-{name}.tsv") for name in ("peers", "ledger", "moves", "threads")}
    machine = (results / "gcd-machine.txt").read_text(encoding="utf-8").replace("\n", "; ").rstrip("; ")
    text = (pathlib.Path(__file__).with_name("gcd.md.in")).read_text(encoding="utf-8")
    for name, part in {"machine": machine, "peers": peers_page(tables["peers"]), "codes": every_code(tables["peers"]),
                       "strategies": strategies(tables["ledger"]), "perkins": perkins(tables["ledger"]),
                       "moves": moves_page(tables["moves"]), "threads": threads_page(tables["threads"])}.items():
        text = text.replace(f"@{name}@", part.strip())
    return text


def render(results, folder):
    figures(results, folder)
    (folder / "contact-detection.md").write_text(page(results), encoding="utf-8")
    return 0
