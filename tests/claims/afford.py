#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/explanation/what-one-can-afford.md and its figure: bodies against facets in a budget of time [O'Connor 1996,
figure 1.3], from the costs that costs.py has measured.

usage: afford.py
"""
import csv
import math
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs/explanation"
BUDGET = 86.4  # [s] of a step: 10 days for 10 000 steps
NEIGHBOURS = 10  # of a body: the coordination number of the thesis
TITLES = {"sphere": "spheres", "dfr2d": "`dfr2d`", "cyrus_beck": "`cyrus_beck`, polygons", "closest_feature": "`closest_feature`",
          "gjk": "`gjk`", "cyrus_beck 3D": "`cyrus_beck`, polyhedra", "dfr3d": "`dfr3d`", "sdf": "`sdf`"}
COLOURS = {"dfr2d": "#0072b2", "closest_feature": "#56b4e9", "cyrus_beck": "#999999", "gjk": "#009e73", "cyrus_beck 3D": "#666666",
           "dfr3d": "#d55e00", "sdf": "#cc79a7"}


def costs(path=HERE.parents[1] / "core/tools/look/costs.tsv"):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def step_of_a_body(row):
    """[s] of a step, for one body with its half of the pairs."""
    return 1e-9 * (float(row["body_ns"]) + NEIGHBOURS / 2.0 * (float(row["pair_ns"]) + float(row["contact_ns"])))


def bodies(row, budget=BUDGET):
    return budget / step_of_a_body(row)


def his_bodies(facets):
    """Bodies of eq. 1.2 in the budget, with 1e-4 s a sorting operation and 1e-5 s a distance, by halving."""
    low, high = 1.0, 1e9
    for _ in range(200):
        m = math.sqrt(low * high)
        low, high = (m, high) if m * math.log2(m) * 1e-4 + NEIGHBOURS * m * facets * facets * 1e-5 < BUDGET else (low, m)
    return low


def key(row):
    """The name of a row's resolver; that of two dimensions is two."""
    return row["name"] + (" 3D" if (row["name"], row["dimension"]) == ("cyrus_beck", "3") else "")


def of_facets(rows):
    """The rows of balls, and of resolvers by facets."""
    return [row for row in rows if row["name"] in TITLES and (row["name"] == "sphere" or int(row["facets"]) > 1)]


def curves(rows):
    found = {}
    for row in of_facets(rows):
        found.setdefault(key(row), []).append((int(row["facets"]), bodies(row)))
    return {name: sorted(points) for name, points in found.items()}


def number(x):
    """Two digits: 12 million, 340 000, 87."""
    digits = 10 ** max(0, int(math.floor(math.log10(x))) - 1)
    x = round(x / digits) * digits
    return f"{x / 1e6:g} million" if x >= 1e6 else f"{x:,.0f}".replace(",", " ")


def table(rows):
    lines = ["| bodies | facets or points: bodies in the budget | ns per pair |", "| --- | --- | --- |"]
    for name, points in curves(rows).items():
        of = sorted((row for row in of_facets(rows) if key(row) == name), key=lambda row: int(row["facets"]))
        lines.append(f"| {TITLES[name]} | " + "; ".join(f"{n}: {number(m)}" if n > 1 else number(m) for n, m in points) + " | " +
                     ", ".join(f"{float(row['pair_ns']):.3g}" for row in of) + " |")
    his = [1, 20, 80, 320, 1280]
    lines.append("| the thesis, eq. 1.2 | " + "; ".join(f"{n}: {number(his_bodies(n))}" for n in his) + " | |")
    return "\n".join(lines)


def claim(rows):
    """The text of the claim about figure 1.3."""
    found = curves(rows)
    return "in the same 86.4 s: " + f"{number(found['sphere'][0][1])} spheres; " + "; ".join(
        f"{TITLES[name]} {number(found[name][-1][1])} of {found[name][-1][0]} facets" for name in ("dfr2d", "closest_feature", "gjk", "dfr3d", "sdf"))


def script(rows):
    blocks, plots = "", []
    his = [(n, his_bodies(n)) for n in (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)]
    for name, points in {**{k: v for k, v in curves(rows).items() if k != "sphere"}, "his": his}.items():
        block = name.replace(" ", "_")
        blocks += f"${block} << EOD\n" + "".join(f"{n} {m:g}\n" for n, m in points) + "EOD\n"
        style = f'lines linecolor rgb "#000000" dashtype 2 linewidth 2 title "the thesis, 20 MHz"' if name == "his" else \
            f'linespoints linecolor rgb "{COLOURS[name]}" linewidth 2 pointtype 7 pointsize 0.6 title "{TITLES[name].replace("`", "")}"'
        plots.append(f"${block} using 1:2 with {style}")
    ball = next(row for row in rows if row["name"] == "sphere")
    return f"""set terminal svg size 860,460 font "sans-serif,14" background "#ffffff"
set encoding utf8
set grid linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
set logscale xy
set xrange [0.8:20000]
set xlabel "facets of a body, in the plane its points [-]"
set ylabel "bodies [-]"
set format y "10^{{%T}}"
set title "Bodies in 86.4 s a step: 10 days for 10 000 steps"
set key outside right Left reverse samplen 2 noenhanced
{blocks}$ball << EOD
1 {bodies(ball):g}
EOD
plot $ball using 1:2 with points pointtype 5 linecolor rgb "#e69f00" title "spheres", \\
  """ + ", \\\n  ".join(plots) + "\n"


def place(scene):
    """The file of a scene, from the page."""
    own = f"tests/claims/forecast/{scene}.cfg"
    return f"../../{own}" if (HERE.parents[1] / own).exists() else f"../../configs/{scene}.cfg"


def forecasts(path=HERE / "forecast.tsv"):
    """A table, and how many of how many are within a factor 1.5."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file, delimiter="\t"), key=lambda row: float(row["cpu_s"]))
    ratios = [float(row["forecast_s"]) / float(row["cpu_s"]) for row in rows]
    lines = ["| scene | forecast, s | of it set-up, s | CPU time, s | ratio |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| [`{row['scene']}`]({place(row['scene'])}) | {row['forecast_s']} | {row['setup_s']} | {row['cpu_s']} | {ratio:.2f} |"
              for row, ratio in zip(rows, ratios)]
    return "\n".join(lines), f"{sum(1 / 1.5 <= ratio <= 1.5 for ratio in ratios)} of {len(rows)}"


def spread(rows):
    """How much two makes of the costs differ."""
    made = sorted((row for row in rows if row["spread"]), key=lambda row: float(row["spread"]))
    once = [f"`{row['name']}`" for row in rows if not row["spread"]]
    return f"a factor {made[len(made) // 2]['spread']} in the middle, {made[-1]['spread']} at most (`{made[-1]['name']}`)" + (
        f"; {', '.join(once)} have one make" if once else "")


def page(rows):
    seen, within = forecasts()
    text = (HERE / "afford.md.in").read_text(encoding="utf-8")
    ball = next(row for row in rows if row["name"] == "sphere")
    parts = {"table": table(rows), "cpu": rows[0]["cpu"], "date": rows[0]["date"], "spread": spread(rows), "spheres": number(bodies(ball)),
             "gib": f"{bodies(ball) * 603 / 2 ** 30:.0f}", "his": number(his_bodies(1)), "forecasts": seen, "within": within}
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def main():
    rows = costs()
    (DOCS / "what-one-can-afford.md").write_text(page(rows), encoding="utf-8")
    if not shutil.which("gnuplot"):
        print("gnuplot is missing: the figure stays as it is")
        return
    svg = subprocess.run(["gnuplot"], input=script(rows), text=True, capture_output=True, check=True).stdout
    (DOCS / "what-one-can-afford.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
