# SPDX-License-Identifier: Apache-2.0
"""The page of speed.py: raw results into tables, tables into the template, and nothing else."""
import csv
import math
import pathlib
import re
import statistics
import sys

import speed_more
from speed_runs import REST

HERE = pathlib.Path(__file__).resolve().parent
TEMPLATE = HERE / "speed.md.in"
SECTIONS = ("peers", "flows", "laws", "threads", "levels", "border", "scaling", "files")
OTHERS = tuple(name for name, *_ in speed_more.PEERS)  # which programs of peers/ write
BEDS = ("bed-1k", "bed-10k", "bed-100k")

PEERS = ("bed-1k", "bed-10k", "bed-100k", "bed-10k-r20", "poly-bed-r20", "poly-gas", "gas-10k")
FLOWS = ("column", "drum", "hopper", "shear")
# Codes that obey one law have been seen to differ by so much at the end: contacts, kinetic energy,
# height of the centre of mass (of beds, to six digits; of gases not known). Gases are chaotic.
AGREEMENT = {"bed-1k": (0.002, 0.11, 1e-5), "gas-10k": (0.105, 0.015, None),
             "poly-gas": (0.01, 0.015, None)}
AGREEMENT_OF_FLOWS = (0.03, 0.03, 0.002)
AGREEMENT_OF_BEDS = (0.0004, 0.002, 1e-5)


# ---------------------------------------------------------------------------------------- numbers
def spread(values, digits=3):
    """median (lower quartile-upper quartile)"""
    low, middle_one, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else 3 * list(values)
    words = [count(v) if v >= 1000.0 else f"{v:#.{digits}g}".rstrip(".") for v in (middle_one, low, high)]
    return f"{words[0]} ({words[1]}-{words[2]})"


def growth(points):
    """Exponent k of y ~ x^k by least squares of the logarithms; NaN of fewer than two sizes."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    if len({x for x, _ in logs}) < 2:
        return math.nan
    mean_x = statistics.fmean(x for x, _ in logs)
    mean_y = statistics.fmean(y for _, y in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2
                                                                    for x, _ in logs)


def count(n):
    """12345.4 as 12 345."""
    return f"{round(n):,}".replace(",", " ")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


# ---------------------------------------------------------------------------------------- results
class Results:
    """Raw results of a folder."""

    def __init__(self, folder):
        self.facts, self.made, self.rows = {}, {}, {}
        path = folder / "machine.txt"
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                key, _, value = line.partition(": ")
                self.facts[key] = value
        for name in SECTIONS + OTHERS:
            self.rows[name] = []
            if (folder / f"{name}.tsv").exists():
                self.read(name, folder / f"{name}.tsv")

    def read(self, name, path):
        with open(path, encoding="utf-8", newline="") as file:
            self.made[name] = dict(item.split("=", 1) for item in
                                   file.readline()[2:].rstrip("\n").split("; "))
            lines = [line for line in file if not line.startswith("#")]
            for row in csv.DictReader(lines, delimiter="\t"):
                self.rows[name].append({key: to_number(value) for key, value in row.items()})

    def pick(self, name, **wanted):
        return [row for row in self.rows[name] if all(row[k] == v for k, v in wanted.items())]


def to_number(text):
    try:
        return float(text)
    except ValueError:
        return text


def paired(first, second, key):
    """Ratios second / first of runs of one repetition."""
    by_rep = {row["rep"]: row[key] for row in first}
    return [row[key] / by_rep[row["rep"]] for row in second if row["rep"] in by_rep]


def middle(rows, key="total"):
    """The run of median `key` (the lower one of two), so that its parts add up."""
    return sorted(rows, key=lambda row: row[key])[(len(rows) - 1) // 2]


def values(rows, key):
    return [row[key] for row in rows]


def part(run, key):
    """A column of the ledger; older results have one column `other` for all that it stands for."""
    return sum(run.get(k, 0.0) for k in REST) if key == "other" else run[key]


def wall_ns(rows):
    """Per body and step; the ledger's `total` is over lanes."""
    return [row["loop_s"] * 1e9 / (row["steps"] * row["n"]) for row in rows]


# ------------------------------------------------------------------------------------------ peers
def compare_flows(results):
    """As compare_peers(); a repetition is a state of its own."""
    out = []
    for workload in FLOWS:
        ours, theirs = (results.pick("flows", workload=workload, code=code) for code in ("scree", "lammps"))
        if ours and theirs:
            out.append({"workload": workload, "multi": False, "ours": ours, "theirs": theirs,
                        "ratios": paired(theirs, ours, "mps")})
    return out


def compare_peers(results):
    """A dict per workload and code of LAMMPS: their runs, ratios."""
    out = []
    for workload in PEERS:
        ours = results.pick("peers", workload=workload, code="scree")
        for code in ("lammps", "lammps-multi"):
            theirs = results.pick("peers", workload=workload, code=code)
            if not ours or not theirs:
                continue
            mps = [statistics.median(values(rows, "mps")) for rows in (theirs, ours)]
            out.append({"workload": workload, "multi": code != "lammps", "ours": ours,
                        "theirs": theirs, "of_medians": mps[1] / mps[0],
                        "ratios": paired(theirs, ours, "mps")})
    return out


def name_of(row):
    return row["workload"] + (", LAMMPS multi" if row["multi"] else "")


def peers_table(results):
    rows = []
    for row in compare_peers(results):
        rows.append((name_of(row), spread(values(row["theirs"], "mps")),
                     spread(values(row["ours"], "mps")), f"{row['of_medians']:.2f}", spread(row["ratios"])))
    return table(("workload", "LAMMPS, Mps/s", "scree, Mps/s", "ratio of medians", "ratio, paired runs"), rows)


def difference(ours, theirs):
    return abs(ours / theirs - 1.0) if theirs else abs(ours)


def agreement(row):
    """((contacts, kinetic energy, height) as relative differences, whether they are within bounds)"""
    limits = AGREEMENT_OF_FLOWS if row["workload"] in FLOWS else \
        AGREEMENT.get(row["workload"], AGREEMENT_OF_BEDS)
    ours, theirs = ({key: statistics.median(values(row[side], key)) for key in
                     ("contacts", "ke", "zc")} for side in ("ours", "theirs"))
    off = [difference(ours[key], theirs[key]) for key in ("contacts", "ke", "zc")]
    return off, all(limit is None or d <= limit for d, limit in zip(off, limits))


def agreement_table(results):
    rows = []
    for row in compare_peers(results):
        off, agrees = agreement(row)
        one = {side: middle(row[side], "mps") for side in ("ours", "theirs")}
        rows.append((name_of(row), count(row["ours"][0]["n"]),
                     count(one["theirs"]["rss_mb"] * 1048576.0 / one["theirs"]["n"]),
                     count(one["ours"]["rss_bytes"] / one["ours"]["n"]),
                     f"{count(one['theirs']['contacts'])} / {count(one['ours']['contacts'])}",
                     f"{one['theirs']['ke']:.4g} / {one['ours']['ke']:.4g}",
                     f"{one['theirs']['zc']:.6g} / {one['ours']['zc']:.6g}",
                     f"{100 * off[0]:.2f}, {100 * off[1]:.2f}, {100 * off[2]:.4f}",
                     "yes" if agrees else "**no**"))
    return table(("workload", "bodies", "bytes per body, LAMMPS", "scree", "contacts, LAMMPS / scree",
                  "kinetic energy [J]", "centre of mass [m]", "differences [%]", "agree"), rows)


def flows_table(results):
    rows = []
    for row in compare_flows(results):
        off, agrees = agreement(row)
        rows.append((row["workload"], count(row["ours"][0]["n"]), count(row["ours"][0]["walls"]),
                     spread([100.0 * v for v in values(row["ours"], "sliding")]),
                     spread(values(row["theirs"], "mps")), spread(values(row["ours"], "mps")),
                     spread(row["ratios"]),
                     f"{100 * off[0]:.2f}, {100 * off[1]:.2f}, {100 * off[2]:.4f}", "yes" if agrees else "**no**"))
    return table(("flow", "spheres", "in walls", "sliding at the start [%]", "LAMMPS, Mps/s", "scree, Mps/s",
                  "ratio, by seed", "differences of contacts, energy, height [%]", "agree"),
                 rows)


# ---------------------------------------------------------------------------------- own sections
def threads_of(results):
    """(one-thread runs, two-thread runs, speed-ups, whether all states are one)"""
    one, two = (results.pick("threads", threads=float(k)) for k in (1, 2))
    return one, two, paired(two, one, "loop_s"), len({r["sha256"] for r in one + two}) == 1


def threads_table(results):
    one, two, gain, same = threads_of(results)
    bed = f"{one[0]['bed']}, {one[0]['tiles']} tiles, {count(one[0]['n'])} bodies"
    return table(("bed", "1 thread, ns per body and step", "2 threads", "speed-up, paired runs",
                  "states"),
                 [(bed, spread(wall_ns(one)), spread(wall_ns(two)), spread(gain),
                   "equal" if same else "**differ**")])


def levels_of(results, bed):
    return results.pick("levels", bed=bed, level="baseline"), \
        results.pick("levels", bed=bed, level="x86-64-v3")


def levels_agree(results):
    return all(len({row["sha256"] for row in results.pick("levels", bed=bed)}) == 1
               for bed in {row["bed"] for row in results.rows["levels"]})


def levels_table(results):
    rows = []
    for bed in BEDS:
        base, best = levels_of(results, bed)
        if base and best:
            same = len({row["sha256"] for row in base + best}) == 1
            rows.append((bed, spread(values(base, "total")), spread(values(best, "total")),
                         spread(paired(best, base, "total")),
                         f"equal, {base[0]['sha256'][:12]}..." if same else "**differ**"))
    return table(("bed", "baseline, ns per body and step", "x86-64-v3", "gain, paired runs", "states"),
                 rows)


def ledger_rows(results):
    """(name, run of median total) of every workload that is known."""
    out = []
    for bed in BEDS:
        base, best = levels_of(results, bed)
        if best or base:
            out.append((bed, middle(best or base)))
    for workload in PEERS:
        runs = results.pick("peers", workload=workload, code="scree")
        if runs and workload not in BEDS:
            out.append((workload, middle(runs)))
    return out


def ledger_table(results):
    rows = []
    for name, run in ledger_rows(results):
        refresh = run["gcd"] + run["order"]
        cells = [f"{refresh:.1f}"] + [f"{part(run, key):.1f}" for key in (
            "resolve", "gather", "force", "sum", "integrate", "other", "total")]
        rows.append((name, f"{run['contacts'] / run['n']:.2f}", f"{run['rebuilds']:.0f} of "
                     f"{count(run['steps'])}", *cells))
    return table(("workload", "contacts per body", "refreshes of steps", "refresh", "resolve", "gather",
                  "force", "sum", "integrate", "other", "whole step"), rows)


def border_table(results):
    rows = results.rows["border"]
    return table(("inlined, ns per contact", "in a plugin", "ratio"),
                 [(spread(values(rows, "inlined")), spread(values(rows, "plugin")),
                   spread(values(rows, "ratio"), 4))])


def sizes_of(results):
    """(n, runs as asked for, runs refreshed every 20 steps), by n."""
    sizes = sorted({row["n"] for row in results.rows["scaling"]})
    return [(n, results.pick("scaling", n=n, force_every=0.0),
             results.pick("scaling", n=n, force_every=20.0)) for n in sizes]


def refresh_share(rows):
    return statistics.median((row["gcd"] + row["order"]) / row["total"] for row in rows)


def one_refresh(rows):
    """ns per body of one refresh, in runs that are made to refresh."""
    return [(row["gcd"] + row["order"]) * row["steps"] / row["rebuilds"] for row in rows]


def scaling_table(results):
    rows = []
    for n, plain, forced in sizes_of(results):
        run = middle(plain)
        rows.append((count(n), f"{run['bed']}, {run['tiles']}", f"{run['contacts'] / n:.2f}",
                     count(run["steps"]), f"{run['rebuilds']:.0f}", spread(values(plain, "total")),
                     f"{100 * refresh_share(plain):.1f}", spread(values(forced, "total")),
                     f"{100 * refresh_share(forced):.1f}", spread(one_refresh(forced)),
                     count(statistics.median(values(plain, "rss_bytes")) / n)))
    return table(("bodies", "bed, tiles", "contacts per body", "steps", "refreshes", "ns per body and step",
                  "refresh [%]", "the same, refreshed every 20", "refresh [%]",
                  "one refresh, ns per body", "peak bytes per body"), rows)


def exponents(results):
    """Growth of the whole step's time with n: (over all sizes, over 10 000 and more)"""
    points = [(n, n * statistics.median(values(plain, "total")))
              for n, plain, _ in sizes_of(results)]
    return growth(points), growth([p for p in points if p[0] >= 9000])


def exponents_text(results):
    every, large = exponents(results)
    most = max(row["n"] for row in results.rows["scaling"])
    told = f"The time of a whole step grows as n to the power {every:.3f} over all sizes"
    return told + (f", {large:.3f} from 10 000 to {count(most)}." if math.isfinite(large) else ".")


# ---------------------------------------------------------------------------------------- summary
def memory_of(results):
    """(bodies, peak bytes per body) of the largest run."""
    n, plain, _ = sizes_of(results)[-1]
    return n, statistics.median(values(plain, "rss_bytes")) / n


def ratio_of(row):
    """Speed over that of LAMMPS, or why there is no such number."""
    return spread(row["ratios"]) if agreement(row)[1] else "no number: the end states differ"


def list_summary(results):
    """(quantity, compared with, value)"""
    out = [(f"speed of `{row['workload']}`", "LAMMPS", ratio_of(row))
           for row in compare_peers(results) if not row["multi"]]
    out += [(f"speed of the flow `{row['workload']}`", "LAMMPS", ratio_of(row)) for row in compare_flows(results)]
    if results.rows["threads"]:
        one, _, gain, same = threads_of(results)
        out.append((f"speed with two threads, {count(one[0]['n'])} bodies", "one thread", spread(gain)))
        out.append(("state with two threads", "one thread", "equal" if same else "differs"))
    if {row["level"] for row in results.rows["levels"]} == {"baseline", "x86-64-v3"}:
        out.append(("state of the x86-64-v3 build", "baseline", "equal" if levels_agree(results) else "differs"))
    if results.rows["border"]:
        out.append(("time of a law in a plugin", "the same law inlined",
                    spread(values(results.rows["border"], "ratio"), 4)))
    if results.rows["scaling"]:
        n, used = memory_of(results)
        out.append((f"peak bytes per body, {count(n)} bodies", "-", f"{used:.0f}"))
    return out


def summary_table(results):
    return table(("", "compared with", "measured"), list_summary(results))


def brief_text(results):
    """A warning on the page of a try."""
    brief = any("brief" in made for made in results.made.values())
    return "**Made by a try of the command (`--brief`): no number here means anything.**\n\n" if brief else ""


# --------------------------------------------------------------------------------------- the page
def machine_table(results):
    return table(("", ""), [(key, value) for key, value in results.facts.items()
                            if key not in ("date", "commit", "repetitions", "pinned to CPU")])


def provenance_table(results):
    keys = ("commit", "date", "CPU", "repetitions")
    return table(("raw results", *keys),
                 [(f"[{name}.tsv](../../tests/bench/results/{name}.tsv)",
                   *(made.get(key, "") for key in keys)) for name, made in results.made.items()])


def more_block(name):
    """A table of speed_more.py."""
    return lambda results: getattr(speed_more, f"{name}_table")(results, sys.modules[__name__])


# Blocks of the template: the text, and the section that it comes from.
BLOCKS = {"summary": (summary_table, None), "brief": (brief_text, None),
          "machine": (machine_table, None), "provenance": (provenance_table, None),
          "peers": (peers_table, "peers"), "agreement": (agreement_table, "peers"),
          "flows": (flows_table, "flows"), "threads": (threads_table, "threads"), "levels": (levels_table, "levels"),
          "ledger": (ledger_table, "levels"), "border": (border_table, "border"),
          "scaling": (scaling_table, "scaling"), "exponents": (exponents_text, "scaling"),
          "laws": (more_block("laws"), "laws"), "setup": (more_block("setup"), "files"),
          "files": (more_block("files"), "files"), "solids": (more_block("peers"), None)}


# Figures, with the section that they come from.
FIGURES = {"peers": ("peers", "Speed of scree over that of LAMMPS, by workload"),
           "ledger": ("levels", "Time per body and step, by phase"),
           "scaling": ("scaling", "Time per body and step against the number of bodies")}


README_BLOCK = re.compile(r"(?<=<!-- speed: written by tests/bench/speed.py -->\n).*?(?=<!-- /speed -->)", re.S)


# Names in the README of the workloads that it shows: for sizes that differ, next to LAMMPS' faster list.
README_ROWS = {("bed-10k", False): "settled bed", ("bed-100k", False): "settled bed",
               ("bed-10k-r20", False): "settled bed, lists rebuilt every 20 steps",
               ("poly-bed-r20", True): "settled bed, radii 1:10, lists rebuilt every 20 steps",
               ("poly-gas", True): "gas, radii 1:10"}


def readme_table(results):
    """The few numbers that the README shows, of runs whose results agree."""
    rows = [(README_ROWS[row["workload"], row["multi"]], count(row["ours"][0]["n"]), spread(values(row["theirs"], "mps")),
             spread(values(row["ours"], "mps")), spread(row["ratios"])) for row in compare_peers(results)
            if (row["workload"], row["multi"]) in README_ROWS and agreement(row)[1]]
    return table(("workload", "spheres", "LAMMPS", "scree", "ratio"), rows)


def fill_readme(text, folder):
    """The README's text with the table made again from the raw results in `folder`."""
    return README_BLOCK.sub(lambda _: f"\n{readme_table(Results(folder))}\n\n", text)


def render(folder, template=TEMPLATE):
    """The page from the raw results in `folder`."""
    results = Results(folder)

    def fill(match):
        kind, _, name = match.group(1).rpartition(" ")
        if kind == "fact":
            return results.facts.get(name.replace("_", " "), "unknown")
        if kind == "figure":
            section, title = FIGURES[name]
            return f"![{title}](speed-{name}.svg)" if results.rows[section] else ""
        make, section = BLOCKS[name]
        if section and not results.rows[section]:
            return f"Not measured yet: `tests/bench/speed.py --only {section}`."
        return make(results)
    page = re.sub(r"\{\{([\w ]+)\}\}", fill, template.read_text(encoding="utf-8"))
    return re.sub(r"(Not measured yet: .*\n)(\n\1)+", r"\1", page)  # blocks of one section that follow one another
