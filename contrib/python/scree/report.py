# SPDX-License-Identifier: Apache-2.0
"""`scree report`: one HTML page of a run, a study or a comparison, which needs no network."""
import argparse
import base64
import csv
import json
import math
import pathlib
import re
import shlex
import subprocess
import sys
from typing import Any, Dict, List, Optional

from . import __main__, _figures, _page, _stored
from ._errors import Error
from ._frames import Frames
from ._results import Results, read, write_whole
from ._text import printed

MOST_BYTES = 20_000_000  # of a page
MOST_ROWS = 1000  # of a plot
MOST_CELLS = 300_000  # of tables, and of those of walls
LENGTH = {"xyz": "m", "v": "m/s", "w": "rad/s", "f": "N", "t": "N m", "p": "kg m/s", "l": "kg m^2/s"}
UNITS = {"mass": "kg", "max_speed": "m/s", "wall_power": "W", "torque": "N m", "pressure": "Pa", "shear": "Pa", "area": "m^2", "degrees": "degrees",
         "sliding_power": "W", "sliding_work": "J", "wear_impact": "m^3", "wear_sliding": "m^3", "wear_depth": "m", "normal_force": "N", "rate": "kg/s",
         **dict.fromkeys(("kinetic", "gravity", "stored", "lost", "work", "residual", "start"), "J")}
FIGURES = (("steps", ""), ("time", "s"), ("dt", "s"), ("critical_step", "s"), ("bodies", ""), ("free", ""), ("mass", "kg"), ("solid_fraction", ""),
           ("coordination", ""), ("contacts_at_end", ""), ("max_overlap", "of the radius"), ("max_speed", "m/s"), ("unbalanced", ""), ("inertial_number", ""),
           ("destroyed", ""), ("outside", ""), ("wall_s", "s"), ("particle_steps_per_s", ""), ("peak_rss_bytes", ""), ("threads", ""))
NO_FRAMES = "This run has no frames: the observer `frames` writes them, and then the bodies are seen here in motion."
WARNED = {"residual": "the account of energy does not close", "overlap": "overlaps were large", "crossing": "bodies went through others",
          "critical_step": "the time step was above the critical one"}


def unit(name: str) -> str:
    """The unit of a column; "" where it has none or is unknown."""
    last = name.rsplit(".", 1)[-1]
    found = re.fullmatch(r"([vwftpl]?)([xyz])", last)
    return UNITS.get(last) or (LENGTH[found[1] or "xyz"] if found else "")


def _plain(value):
    """A number of six digits for JSON, which has no nan."""
    value = float(value)
    return None if not math.isfinite(value) else int(value) if value == int(value) and abs(value) < 1e15 else float(f"{value:.6g}")


def _thinned(columns):
    """Columns of at most MOST_ROWS rows, of numbers only."""
    n, most = len(next(iter(columns.values()), [])), max(2, min(MOST_ROWS, MOST_CELLS // len(columns)))
    rows = sorted({round(k * (n - 1) / (most - 1)) for k in range(most)}) if n > most else range(n)
    return {name: [_plain(column[k]) for k in rows] for name, column in columns.items() if not n or not isinstance(column[0], str)}


def _peek(results, name):
    """(names of columns, times of the first two rows) of a table, which may be large."""
    path = next(path for path in (results.folder / f"{name}.csv{end}" for end in ("", ".part")) if path.is_file())
    with open(path, newline="", encoding="utf-8", errors="replace") as file:  # csv() reports other bytes
        head, *rows = [row for _, row in zip(range(3), csv.reader(line for line in file if not line.startswith("#")))] or [[]]
    return head, [row[head.index("time")] for row in rows if "time" in head and len(row) == len(head)]


def tables(results: Results) -> Dict[str, Dict[str, Any]]:
    """The tables that have a row per time."""
    found = {}
    for name in results.tables:
        _, first = _peek(results, name)
        if len(first) < 2 or first[0] == first[1]:
            continue
        columns = results.csv(name)
        time = columns["time"]
        if not isinstance(time[0], str) and all(a < b for a, b in zip(time, list(time)[1:])):
            kept = _thinned(columns)
            found[name] = {"columns": kept, "units": {key: unit(key) for key in kept}}
    return found


def walls(results: Results) -> Optional[Dict[str, Any]]:
    """The table of an observer `wall`: per time the columns of all facets."""
    for name in results.tables:
        head, first = _peek(results, name)
        if not {"time", "id", "facet", "pressure"} <= set(head) or not first:
            continue
        columns = results.csv(name)
        times = sorted({float(t) for t in columns["time"]})
        n = sum(float(t) == times[0] for t in columns["time"])
        whole = [k for k in range(len(times)) if (k + 1) * n <= len(columns["time"])]
        whole = whole[::-(-len(whole) * n * 8 // MOST_CELLS)]
        keys = [key for key in ("pressure", "shear", "sliding_power", "impacts", "sliding_work", "wear_impact", "wear_sliding", "wear_depth") if key in columns]
        return {"times": [times[k] for k in whole], "id": [int(v) for v in columns["id"][:n]], "facet": [int(v) for v in columns["facet"][:n]],
                "columns": {key: [[_plain(v) for v in columns[key][k * n:(k + 1) * n]] for k in whole] for key in keys}, "units": {key: unit(key) for key in keys}}
    return None


def _known_plugins(used):
    """The rows of plugins.json next to the files of plugins, by kind and id."""
    known = {}
    for folder in sorted({pathlib.Path(one["file"]).parent.parent for one in used if one.get("file")}):
        try:
            for row in json.loads((folder / "plugins.json").read_text(encoding="utf-8"))["plugins"]:
                known[row["kind"], row["id"]] = row
        except (OSError, ValueError, KeyError):  # plugins of another place have no index
            continue
    return known


def settings(results: Results) -> Dict[str, Dict[str, str]]:
    """The keys of each plugin by its slot, as `scree validate --print` has them; empty where the program refuses the scene."""
    try:
        words = [f"--set={one['assignment']}" for one in results.manifest["scene"]["overrides"]] if results.ended else []
        seen = subprocess.run([__main__.program(), "validate", "--print", str(results.folder / "scene.cfg"), *words], capture_output=True, text=True,
                              timeout=60, check=False, stdin=subprocess.DEVNULL)
    except (OSError, Error, subprocess.TimeoutExpired):
        return {}
    return {slot: keys for slot, keys in printed(seen.stdout).items() if "plugin" in keys}


def _same(text, default):
    if isinstance(default, bool):
        return text == str(default).lower()
    try:
        return math.isclose(float(text.rstrip("L")), float(default), rel_tol=1e-12)
    except (TypeError, ValueError):
        return text == json.dumps(default)


def _authors(text):
    """Names of a citation, joined as BibTeX wants them."""
    between = r"(?<=\.), (?=[A-Z][\w'-])| and " if re.search(r"[A-Z]\.", text) else r", | and "
    return " and ".join(re.split(between, text.replace(" et al.", " and others")))


def bibtex(name: str, citation: str) -> str:
    """An entry of BibTeX for each source of a plugin."""
    entries = []
    for k, one in enumerate(re.split(r"; |\n", citation)):
        names = re.match(r"((?:(?:[A-Z][\w'-]*\.?|and|et al\.|van|der|de)[ ,]+)+)\(?((?:19|20)\d\d)\b", one)
        doi = re.search(r"doi:(\S+)", one)
        fields = [f"author = {{{_authors(names[1].rstrip(' ,'))}}}", f"year = {{{names[2]}}}"] if names else []
        fields += [f"note = {{{one.strip()}}}"] + ([f"doi = {{{doi[1]}}}"] if doi else [])
        entries.append(f"@misc{{{name}{'abcdefgh'[k] if k else ''},\n  " + ",\n  ".join(fields) + "\n}")
    return "\n".join(entries)


def plugins(results: Results, used: List[Dict[str, Any]]):
    """Rows of the table of plugins, and their sources as BibTeX."""
    known, given, rows, cited = _known_plugins(used), settings(results), [], {}
    slots = {(one["kind"], one["id"]): one["slot"] for one in results.manifest["plugins"]} if results.ended else {}
    for one in used:
        row = known.get((one["kind"], one["id"]), {})
        defaults = {p["name"]: p.get("default") for p in row.get("parameters", [])}
        slot = slots.get((one["kind"], one["id"]), one["kind"])
        keys = ([v for k, v in given.items() if k == slot or slot not in given and v["plugin"] == f'"{one["id"]}"'] + [{}])[0]
        changed = [f"{key} = {value}" for key, value in keys.items() if key in defaults and (defaults[key] is None or not _same(value, defaults[key]))]
        rows.append([slot, f"{one['kind']}/{one['id']}", one["version"], "; ".join(changed), row.get("citation") or ""])
        if row.get("citation"):
            cited[f"{one['kind']}_{one['id']}"] = row["citation"]
    return rows, "\n\n".join(bibtex(name, text) for name, text in cited.items())


def warnings(results: Results, summary: Dict[str, Any]) -> List[str]:
    """Sentences that the page begins with."""
    found = []
    if not results.ended:
        found.append("This run has not ended: figures, energies and plugins are shown when it has.")
    for name, one in summary.get("warnings", {}).items():
        if one.get("count"):
            more = ", ".join(f"{key} {value}" for key, value in one.items() if key != "count" and not isinstance(value, (dict, list)))
            found.append(f"{WARNED.get(name, name)}: {one['count']} times" + (f" ({more})" if more else ""))
    if summary.get("stopped"):
        found.append("The run was stopped before its end.")
    found += [f"{one} of the schedule never acted." for one in map(str, summary.get("never_acted", []))]
    return found


def pictures(results: Results, most: int, number: int = 12):
    """Pictures of the run, evenly over it, as at most so many bytes of text: [name, type, base64]."""
    paths = sorted(results.folder.rglob("*.png"))
    paths = [paths[round(k * (len(paths) - 1) / (number - 1))] for k in range(number)] if len(paths) > number else paths
    found = []
    for path in paths:
        most -= path.stat().st_size * 4 // 3 + 200
        if most > 0:
            found.append([path.relative_to(results.folder).as_posix(), "image/png", base64.b64encode(path.read_bytes()).decode()])
    return found


def run_data(results: Results) -> Dict[str, Any]:
    """The data of the page of a run, without frames."""
    summary = results.summary if results.ended else {}
    rows, cited = plugins(results, summary.get("plugins", []))
    found = re.search(r'\btitle\s*=\s*"(.*?)"', results.scene)
    title = summary.get("title") or (found[1] if found else results.folder.resolve().name)
    scene = results.manifest["scene"] if results.ended else {"files": [{"path": "scene.cfg", "text": results.scene}], "overrides": []}
    overrides = [one["assignment"] for one in scene["overrides"]]
    figures = [[f"{name} [{of}]" if of else name, summary[name]] for name, of in FIGURES if summary.get(name) is not None]
    repeat = f"scree run --repeat {shlex.quote(str(results.folder / 'manifest.json'))}\nstate_sha256 {summary.get('state_sha256', '')}"
    texts = [[one["path"], one["text"]] for one in scene["files"]] + ([["overrides", "\n".join(overrides)]] if overrides else [])
    plotted = tables(results)
    return {"title": title, "lead": f"{results.folder.resolve().name}: {summary.get('bodies', 'some')} bodies, {summary.get('steps', 'some')} steps",
            "warnings": warnings(results, summary), "walls": walls(results), "notes": [NO_FRAMES], "ranges": {}, "parts": [
        *({"title": f"Plots: {name}" if len(plotted) > 1 else "Plots", **table} for name, table in plotted.items()),
        {"title": "Figures of the run", "rows": figures},
        {"title": "Energy [J]", "rows": list(map(list, summary.get("energy", {}).items()))},
        {"title": "Time per phase", "shares": [[k, v] for k, v in summary.get("phases", {}).items() if v]},
        {"title": "Plugins", "head": ["slot", "plugin", "version", "changed parameters", "source"], "rows": rows,
         "folded": [["citations as BibTeX", cited]] if cited else []},
        {"title": "To repeat", "pre": repeat if results.ended else "The run has not ended."},
        {"title": "Scene", "folded": texts}]}


def run_page(results: Results, most: int = MOST_BYTES) -> str:
    """The page of a run."""
    data, text, faults = run_data(results), "", []
    frames: Optional[Frames] = None
    try:
        frames = Frames(results.folder)
        faults += [f"Frames of the run before are missing: {frames.missing}"] if frames.missing else []
        if frames.passed_over and results.ended:
            faults.append(f"{frames.path}: {frames.passed_over} bytes behind the last whole block are damaged: frames are missing.")
    except Error as error:
        if [*results.folder.glob("*.scf*")]:
            data["notes"], faults = [str(error)], [str(error)] if results.ended else []
    data["warnings"] += faults
    for fault in faults:
        print(f"scree report: warning: {fault}", file=sys.stderr)
    if frames and len(frames):
        stored = _stored.store(frames, most - 300_000 - len(json.dumps(data)))
        data["notes"], data["ranges"], data["frames"], text = stored.notes, stored.ranges, stored.meta, stored.text
    found = pictures(results, most - 300_000 - len(text) - len(json.dumps(data)))
    data["parts"].insert(0, {"title": "Pictures", "pictures": found})
    return _page.document(data, text)


def page(folder: pathlib.Path) -> str:
    """The page of a folder: a comparison, a study or a run."""
    if (folder / "compare.json").is_file():
        return _page.document(_figures.comparison(folder))
    if (folder / "study.json").is_file() or (folder / "results.csv").is_file():
        return _page.document(_figures.study(folder))
    return run_page(read(folder))


def main(words: Optional[List[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="scree report", description="Makes one HTML page of a run, a study or a comparison. It needs no network.")
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path, help="the folder of a run, a study or a comparison")
    parser.add_argument("-o", "--output", metavar="FILE", type=pathlib.Path, help="the page; FOLDER/report.html unless given")
    parser.add_argument("--figures", metavar="DIR", type=pathlib.Path, help="write figures for print too: svg, pdf and scripts of gnuplot")
    given = parser.parse_args(words)
    try:
        path = given.output or given.folder / "report.html"
        try:
            text = page(given.folder)
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError, csv.Error) as error:
            raise Error(f"{given.folder}: a file of it has another form than scree writes: {type(error).__name__}: {error}") from None
        write_whole(path, text)
        print(path)
        if given.figures:
            for made in _figures.write(given.folder, given.figures):
                print(made)
    except (Error, OSError) as error:
        print(f"scree report: {error}", file=sys.stderr)
        return 2
    return 0
