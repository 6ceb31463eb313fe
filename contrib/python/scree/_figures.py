# SPDX-License-Identifier: Apache-2.0
"""Pages of studies and comparisons, and figures for print of every folder: scripts of gnuplot, svg, pdf."""
import csv
import pathlib
import re
import shutil
import statistics
import subprocess
from typing import Any, Dict, List

from ._errors import Error
from ._results import load, read
from ._vary import real

MOST_PLOTS = 60
OF_MACHINE = re.compile(r"phases\.|apart\.|rank_work\.|.*_s$|peak_rss_bytes|ranks|threads|blocks|parts")  # columns that come last
TIMES = {"gcd": "contact detection", "gcd_resolve": "contact detection and resolution", "step": "whole step"}


def _figure(title, x, y, series, **more):
    """A plot: series have label, x, y, and low and high where they have errors."""
    return {"title": title, "names": {"x": x, "y": y}, "series": series, **more}


# ---- studies ----

def _groups(rows, keys):
    """{values of the keys: rows}, in the order of the table."""
    found: Dict[Any, List[Any]] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), []).append(row)
    return found


def _mean(rows, name):
    """Mean over seeds and its standard error; of one run its own error, where results.csv has one."""
    values = [v for v in (real(row[name]) for row in rows) if v is not None]
    if not values:
        return None, 0.0
    own = real(rows[0].get(name[:-len("mean")] + "error", "")) if name.endswith(".mean") else None
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else own or 0.0


def study_figures(folder: pathlib.Path, facts: Dict[str, Any]) -> List[Dict[str, Any]]:
    """A figure for each column that the varied settings change, over the first setting with numbers."""
    from .report import unit
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["state"] == "ok"]
    axes = [axis["path"] for axis in facts["vary"]]
    x = next((axis for axis in axes if rows and all(real(row[axis]) is not None for row in rows)), None)
    if x is None:
        return []
    goals = [goal["figure"] for goal in facts.get("goal", [])]
    names = [name for name in rows[0] if name not in ("row", "state", "reason", "seed", *axes) and not name.endswith(".error")
             and len({row[name] for row in rows}) > 1 and any(real(row[name]) is not None for row in rows)]
    found = []
    for name in sorted(names, key=lambda one: (one not in goals, not one.endswith(".mean"), bool(OF_MACHINE.match(one)))):
        series = []
        for rest, group in _groups(rows, [axis for axis in axes if axis != x]).items():
            points = sorted((real(value), *_mean(some, name)) for (value,), some in _groups(group, [x]).items())
            points = [one for one in points if one[1] is not None]
            series.append({"label": ", ".join(f"{axis}={v}" for axis, v in zip([one for one in axes if one != x], rest)) or name,
                           "x": [one[0] for one in points], "y": [one[1] for one in points],
                           "low": [one[1] - one[2] for one in points], "high": [one[1] + one[2] for one in points]})
        of = unit(name.removesuffix(".mean").removesuffix(".last"))
        found.append(_figure(name, x, f"{name} [{of}]" if of else name, series))
    return found


def study(folder: pathlib.Path) -> Dict[str, Any]:
    """The data of the page of a study."""
    facts = load(folder / "study.json")
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file)) or [[]]
    figures = study_figures(folder, facts)
    bad = [f"{n} rows: {state}" for state, n in facts["states"].items() if state != "ok"]
    lead = f"{facts['rows']} runs over {', '.join(axis['path'] for axis in facts['vary']) or 'no setting'}; means with their standard errors"
    answer = [[str(key), value if isinstance(value, (int, float)) else str(value)] for key, value in facts.get("answer", {}).items()]
    shown = [[value if (value := real(cell)) is not None and k > 3 else cell for k, cell in enumerate(row)] for row in rows]
    return {"title": f"Study of {pathlib.Path(facts['scene']).stem}", "lead": lead, "warnings": bad, "parts": [
        *([{"title": "Answer", "rows": answer}] if answer else []),
        {"title": "Figures", "plots": figures[:MOST_PLOTS], "text": f"{len(figures) - MOST_PLOTS} more columns are in results.csv." if len(figures) > MOST_PLOTS else ""},
        {"title": "Rows", "head": head, "rows": shown}, {"title": "Settings", "pre": "\n".join(facts["set"])}]}


# ---- comparisons ----

def _label(variant, path):
    """The values of a variant but one."""
    return ", ".join(str(v) for key, v in variant["varied"].items() if key != path) or variant["variant"] or variant["name"]


def comparison_figures(facts: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Medians and quartiles of each time over each varied number; without one, by variant."""
    timed = [v for v in facts["variants"] if v.get("medians")]
    paths = list(dict.fromkeys(one["path"] for one in facts["exponents"]))
    found = []
    for time, words in TIMES.items():
        seen = [v for v in timed if v["medians"][time]]
        if not seen:
            continue
        y = "time per step [s]"
        for path in paths:
            series = []
            for label in dict.fromkeys(_label(v, path) for v in seen):
                points = sorted((float(v["varied"][path]), v["medians"][time], *v["quartiles"][time]) for v in seen if _label(v, path) == label)
                slope = next((one["exponent"] for one in facts["exponents"] if one["path"] == path and one["time"] == time and one["of"] == label), None)
                series.append({"label": label + (f" (~ n^{slope:.2f})" if slope is not None else ""),
                               **{key: [one[k] for one in points] for k, key in enumerate(("x", "y", "low", "high"))}})
            unit = next(one["unit"] for one in facts["exponents"] if one["path"] == path)
            found.append(_figure(words, f"{path} [{unit}]", y, series, log=True))
        if not paths:
            series = [{"label": v["name"], "x": [k], "y": [v["medians"][time]], "low": [v["quartiles"][time][0]], "high": [v["quartiles"][time][1]]}
                      for k, v in enumerate(seen)]
            found.append(_figure(words, "variant", y, series, ticks=[[k, v["name"].split("=")[-1]] for k, v in enumerate(seen)]))
    return found


def comparison(folder: pathlib.Path) -> Dict[str, Any]:
    """The data of the page of a comparison."""
    facts = load(folder / "compare.json")
    machine = load(folder / "machine.json") if (folder / "machine.json").is_file() else facts["machine"]
    fastest, rows = facts.get("fastest"), []
    for v in facts["variants"]:
        times = [v["medians"][time] for time in TIMES] if v.get("medians") else [None] * len(TIMES)
        ratio = v["ratios"].get(facts["by"]) if v.get("ratios") else None
        spread = "..".join(f"{q:.3g}" for q in v["quartiles"][facts["by"]]) if v.get("quartiles") else ""
        rows.append([v["name"], v["outcome"], *times, spread, ratio, v.get("bytes_per_box"), (v.get("state_sha256") or "")[:12], v.get("message")])
    wrong = [f"{' and '.join(map(str, one['variants']))} reach different states; the first step after which they differ: {one['first_step']}"
             for one in facts["disagreements"]]
    wrong += [f"{v['name']}: {v['outcome']}: {v['message']}" for v in facts["variants"] if v["outcome"] not in ("ok", "left out")]
    exponents = [[one["path"], one["of"], one["time"], one["exponent"], ", ".join("" if v is None else f"{v:.2f}" for v in one["local"])]
                 for one in facts["exponents"] if one["exponent"] is not None]
    lead = f"{len(facts['variants'])} variants, medians of {facts['rounds']} of {facts['repeats']} repeats of {facts['steps']} steps after {facts['warmup']} of warm-up"
    return {"title": facts["title"], "lead": lead + (f"; fastest: {fastest['paste']}" if fastest else "; none is called fastest"),
            "warnings": wrong, "parts": [
        {"title": "Command", "pre": facts["command"]},
        {"title": "Times per step [s]", "head": ["variant", "outcome", *TIMES, f"quartiles of {facts['by']}", "ratio", "B/box", "state", "message"], "rows": rows,
         "text": "Medians; the ratio is to the fastest of a task. init and search are in samples.tsv."},
        {"title": "Growth", "head": ["setting", "of", "time", "exponent", "between neighbours"], "rows": exponents, "text": "time per step ~ number^exponent"} if exponents else {"title": "Growth"},
        {"title": "Figures", "plots": comparison_figures(facts)},
        {"title": "Machine", "rows": [[key, value if isinstance(value, (int, float)) else str(value)] for key, value in machine.items()]},
        {"title": "Left out", "pre": "\n".join(map(str, facts["left_out"]))}]}


# ---- print ----

SCRIPT = """# Made by scree report. To draw it again: gnuplot {file}.gp; as PDF: gnuplot -e 'pdf=1' {file}.gp
if (exists("pdf")) set terminal pdfcairo size 12cm,8cm noenhanced font "sans-serif,9"; else set terminal svg size 640,420 noenhanced font "sans-serif,13" background "#ffffff"
set output exists("pdf") ? "{file}.pdf" : "{file}.svg"
set encoding utf8
set border 3
set tics nomirror out
set grid linecolor rgb "#d8d8d8"
set key outside top center horizontal
set xlabel "{x}"
set ylabel "{y}"
{more}
"""


def _quoted(text):
    return re.sub(r'(["\\$`])', r"\\\1", " ".join(str(text).split()))


def _script(figure, file):
    blocks = [f"$d{k} << EOD\n" + "".join(" ".join(f"{v:.9g}" for v in row) + "\n" for row in _rows(one)) + "EOD\n" for k, one in enumerate(figure["series"])]
    style = [("using 1:2:3:4 with yerrorbars" if len(one["x"]) < 2 else "using 1:2:3:4 with yerrorlines") + f" pointtype {7 + k % 6}" if one.get("low")
             else "using 1:2 with lines" for k, one in enumerate(figure["series"])]
    plots = [f'$d{k} {words} linewidth 1.5 title "{_quoted(one["label"])}"' for k, (one, words) in enumerate(zip(figure["series"], style))]
    ticks = ", ".join(f'"{_quoted(label)}" {at}' for at, label in figure.get("ticks", []))
    more = "set logscale xy\nset format y '%.0e'" if figure.get("log") else f"set xtics ({ticks}) rotate by -30\nset xrange [-0.5:{len(figure['ticks']) - 0.5}]\nunset key" if ticks else ""
    more += "\nunset key" if len(figure["series"]) == 1 else ""
    seen = [v for one in figure["series"] for v in one["y"] if v is not None]
    if seen and 0 < max(seen) - min(seen) <= 1e-9 * abs(max(seen)):  # what changes only by round-off is flat
        more += f"\nset yrange [{max(seen) - abs(max(seen)) / 2}:{max(seen) + abs(max(seen)) / 2}]"
    head = SCRIPT.format(file=file, x=_quoted(figure["names"]["x"]), y=_quoted(figure["names"]["y"]), more=more)
    return head + "".join(blocks) + "plot " + ", \\\n     ".join(plots) + "\n"


def _rows(one):
    columns = [one["x"], one["y"], *([one["low"], one["high"]] if one.get("low") else [])]
    return [row for row in zip(*columns) if None not in row]


def figures(folder: pathlib.Path) -> List[Dict[str, Any]]:
    """The figures of a folder."""
    from .report import tables
    if (folder / "compare.json").is_file():
        return comparison_figures(load(folder / "compare.json"))
    if (folder / "study.json").is_file():
        return study_figures(folder, load(folder / "study.json"))
    return [_figure(f"{name} {key}", "time [s]", f"{key} [{table['units'][key]}]" if table["units"][key] else key,
                    [{"label": key, "x": table["columns"]["time"], "y": column}])
            for name, table in tables(read(folder)).items() for key, column in table["columns"].items() if key not in ("time", "step")]


def write(folder: pathlib.Path, target: pathlib.Path) -> List[pathlib.Path]:
    """Writes all figures; the paths of the drawn ones."""
    if not shutil.which("gnuplot"):
        raise Error("--figures: gnuplot draws them, and is not installed")
    target.mkdir(parents=True, exist_ok=True)
    made: List[pathlib.Path] = []
    for figure in figures(folder):
        words = figure["title"] + (" " + figure["names"]["x"].split(" [")[0] if (folder / "compare.json").is_file() else "")
        file = re.sub(r"[^\w.+-]+", "-", words)
        if not any(_rows(one) for one in figure["series"]):
            continue
        (target / f"{file}.gp").write_text(_script(figure, file), encoding="utf-8")
        for words in ([], ["-e", "pdf=1"]):
            seen = subprocess.run(["gnuplot", *words, f"{file}.gp"], cwd=target, capture_output=True, text=True, check=False)
            path = target / (f"{file}.pdf" if words else f"{file}.svg")
            if words and "terminal" in seen.stderr:
                continue  # this gnuplot has no pdfcairo
            if seen.returncode:
                raise Error(f"{target / file}.gp: gnuplot: {seen.stderr.strip()}")
            made.append(path)
    return made
