#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sizes and costs that may not grow unseen: the rows of tests/budget.tsv, and the figures of pages that come from them.

usage: budget.py [--table FILE] [--build BUILD] [--check | --measure] [--lower] [--pages] [NAME...]

  --check     measures rows and compares them with their limits (TAP)
  --measure   measures rows and writes their values; limits stay as they are
  --lower     lowers the limits of rows whose values are below them; with --measure after it
  --pages     writes the figures of the pages; with the others after them
  NAME...     these rows; without one all rows (--measure without a name leaves no row out)

A row has the name of its test after `budget-`, the value that was last measured, its unit, the limit, the suite that runs
its test, and a command, which bash runs in the root of the tree with the folder of the build in BUILD: it prints one
number, or ends with status 77 and the reason why there is none here. A limit may be exceeded by SLACK: less than
half a percent of lines, one percent of everything else. No value and no limit differ by more than that.
"""
import argparse
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tap  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests/budget.tsv"
COLUMNS = ("name", "value", "unit", "limit", "suite", "command")
SLACK = {"lines": 0.005, "names": 0.01, "files": 0.01, "functions": 0.01, "processes": 0.01, "build steps": 0.01, "bytes": 0.01, "bytes a body": 0.01, "instructions": 0.01,
         "instructions a body": 0.01, "instructions a body and step": 0.01}
OF_COMPILER = {unit for unit in SLACK if unit.startswith(("instructions", "bytes"))}
SUITES = {"first": "./bootstrap test", "rest": ".ci/run", "full": ".ci/full"}  # and the command that runs them
MADE_WITH = "# measured with "
SKIP = 77


class Fault(Exception):
    """Why a row has no number."""


@dataclasses.dataclass
class Row:
    """A line of the table; `at` is its number."""
    name: str
    value: float
    unit: str
    limit: float
    suite: str
    command: str
    at: int


# ------------------------------------------------------------------------------------------ the table
def show(number):
    """A number as the table and messages have it."""
    return str(int(number)) if number == int(number) else f"{number:.1f}"


def spaced(number):
    """The same with a space between groups of three digits, for pages."""
    whole, _, rest = show(number).partition(".")
    return f"{int(whole):,}".replace(",", " ") + (f".{rest}" if rest else "")


def find_fault(cells, names):
    """The mistake in the cells of a row, or ""."""
    if len(cells) != len(COLUMNS):
        return f"expected {len(COLUMNS)} cells ({', '.join(COLUMNS)}) with a tab between them, got {len(cells)}"
    name, value, unit, limit, suite, command = cells
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9_]+)*", name):
        return f"name: expected words of lower case with - between them, got {name!r}"
    if name in names:
        return f"name: {name} is in line {names[name]}"
    for column, text in (("value", value), ("limit", limit)):
        if not re.fullmatch(r"\d+(\.\d+)?", text) or float(text) == 0.0:
            return f"{column}: expected a number above 0, got {text!r}"
    for column, text, known in (("unit", unit, SLACK), ("suite", suite, SUITES)):
        if text not in known:
            return f"{column}: expected one of {', '.join(known)}, got {text!r}"
    return "" if command.strip() else "command: expected one, got nothing"


def read_table(path):
    """(rows, faults): a fault names file and line."""
    rows, faults, names = [], [], {}
    lines = path.read_text(encoding="utf-8").splitlines()
    body = [(at, line) for at, line in enumerate(lines, 1) if line and not line.startswith("#")]
    if not body or body[0][1].split("\t") != list(COLUMNS):
        return [], [f"{path.name}:{body[0][0] if body else 1}: expected the head {', '.join(COLUMNS)}"]
    for at, line in body[1:]:
        cells = line.split("\t")
        fault = find_fault(cells, names)
        if fault:
            faults.append(f"{path.name}:{at}: {fault}")
            continue
        names[cells[0]] = at
        rows.append(Row(cells[0], float(cells[1]), cells[2], float(cells[3]), cells[4], cells[5], at))
    return rows, faults


def write_rows(path, rows, made_with=None):
    """The table with the values and limits of `rows`; other lines stay."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for row in rows:
        lines[row.at - 1] = "\t".join((row.name, show(row.value), row.unit, show(row.limit), row.suite, row.command))
    if made_with:
        lines = [MADE_WITH + made_with if line.startswith(MADE_WITH) else line for line in lines]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def over(number, limit, unit):
    """Whether a number is above a limit by more than the slack."""
    return number > limit * (1.0 + SLACK[unit])


def find_unequal(rows):
    """Rows whose value and limit differ: one of them was changed by hand, or the limit can be lowered."""
    for row in rows:
        numbers = f"line {row.at}: {row.name}: value {show(row.value)}, limit {show(row.limit)} {row.unit}"
        if over(row.value, row.limit, row.unit):
            yield f"{numbers}: the value is above the limit"
        elif over(row.limit, row.value, row.unit):
            yield f"{numbers}: the limit is above the value: tests/budget.py --lower {row.name}"


# ------------------------------------------------------------------------------------------ measuring
def told_by(*words):
    """The first line that a program prints, or ""."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return (done.stdout.splitlines() or [""])[0].strip()


def tools_of(build):
    """Compiler, its options, C library and valgrind: numbers of compiled code depend on them, besides the sources."""
    options = json.loads((build / "meson-info/intro-buildoptions.json").read_text(encoding="utf-8"))
    options = {option["name"]: option["value"] for option in options}
    found = re.search(r'SCREE_COMPILER "([^"]*)"', (build / "core/build_config.h").read_text(encoding="utf-8"))
    flags = [f"-O{options['optimization']}", *options["c_args"]] + ([] if not options["debug"] else ["-g"])
    valgrind = told_by("valgrind", "--version") or "no valgrind"
    return ", ".join((f"{found[1] if found else 'unknown compiler'} {' '.join(flags)}", os.confstr("CS_GNU_LIBC_VERSION"), valgrind))


def made_with(path):
    found = re.search(rf"^{MADE_WITH}(.*)$", path.read_text(encoding="utf-8"), re.M)
    return found[1] if found else ""


def measure(row, build):
    """(number, ""), or (None, why there is none here)."""
    env = os.environ | {"BUILD": str(build), "LC_ALL": "C"}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", row.command], cwd=ROOT, env=env, text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)
    said = done.stdout.strip()
    if done.returncode == SKIP:
        return None, said or "no reason was given"
    if done.returncode:
        raise Fault(f"{row.command}: exit status {done.returncode}\n{said}\n{done.stderr.strip()}")
    try:
        number = float(said)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number <= 0.0:
        raise Fault(f"{row.command}: expected one number above 0, got {said!r}")
    return number, ""


def judge(row, number):
    """(whether a number is within the limit, both in words)."""
    share = 100.0 * (number / row.limit - 1.0)
    text = f"{row.name}: {show(number)} {row.unit}, limit {show(row.limit)}: {share:+.2f} %, at most {100.0 * SLACK[row.unit]:+.1f} %"
    return not over(number, row.limit, row.unit), text


def check(rows, build, path):
    recorded = made_with(path)
    for row in rows:
        if row.unit in OF_COMPILER and tools_of(build) != recorded:
            tap.skip(row.name, f"measured with {recorded}, here is {tools_of(build)}")
            continue
        number, why = measure(row, build)
        if number is None:
            tap.skip(row.name, why)
            continue
        holds, text = judge(row, number)
        tap.check(text, holds, f"{row.command}\nmeasured {show(number)}, limit {show(row.limit)} {row.unit} (line {row.at} of "
                               f"{path.name}). Shrink it, or change the limit in a commit that says why.")
        if over(row.limit, number, row.unit):
            print(f"# below its limit: tests/budget.py --measure --lower --pages {row.name}")


def measure_rows(rows, every, build, path):
    """Writes values as they are measured."""
    tools = tools_of(build) if any(row.unit in OF_COMPILER for row in rows) else ""
    left = [row.name for row in every if row.unit in OF_COMPILER and row not in rows]
    if tools and tools != made_with(path) and left:
        raise Fault(f"the table was measured with {made_with(path)}, here is {tools}: measure all of its rows")
    for row in rows:
        begin = time.monotonic()
        number, why = measure(row, build)
        took = f"{time.monotonic() - begin:.1f} s"
        if number is None:
            print(f"{row.name}: not measured, {why} ({took})")
            continue
        print(f"{judge(row, number)[1]}; the value was {show(row.value)} ({took})", flush=True)
        row.value = float(show(number))
        write_rows(path, [row], tools)
    for text in find_unequal(rows):
        print(text)


def lower(rows, path):
    for row in rows:
        if row.value < row.limit:
            print(f"{row.name}: limit {show(row.limit)} becomes {show(row.value)} {row.unit}")
            row.limit = row.value
    write_rows(path, rows)


# ------------------------------------------------------------------------------------------ pages
MARK = re.compile(r"<!-- budget: ([\w-]+) -->(.*?)<!-- /budget -->", re.S)
BY_HAND = re.compile(r"\b\d{1,3}(?: \d{3})+ lines\b")
PAGES = ("*.md", "abi/**/*.md", "configs/**/*.md", "contrib/**/*.md", "core/**/*.md", "docs/**/*.md", "plugins/**/*.md", "tests/**/*.md")


def rooms_of(rows):
    """Room of core -> lines."""
    return {row.name.removeprefix("lines-core-"): row.value for row in rows if row.name.startswith("lines-core-")}


def rooms_text(rows):
    return ", ".join(f"{room} {round(lines / 100)}" for room, lines in rooms_of(rows).items())


def run_text(rows):
    lines = sum(lines for room, lines in rooms_of(rows).items() if not room.startswith("tools"))
    return spaced(1000 * round(lines / 1000))


def peak_text(rows):
    return spaced(round(next(row.value for row in rows if row.name == "peak")))


def table_text(rows):
    lines = ["| row | value | limit | unit | in | command |", "| --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        command = row.command.replace("|", "\\|")
        lines.append(f"| {row.name} | {spaced(row.value)} | {spaced(row.limit)} | {row.unit} | `{SUITES[row.suite]}` | `{command}` |")
    return "\n\n" + "\n".join(lines) + "\n\n"


FIGURES = {"rooms": rooms_text, "run-lines": run_text, "peak": peak_text, "table": table_text}


def pages(root):
    return sorted({path for pattern in PAGES for path in root.glob(pattern) if "fixtures" not in path.parts})


def fill(text, rows):
    """A page with its figures made again."""
    def figure(found):
        if found[1] not in FIGURES:
            raise Fault(f"budget: {found[1]}: expected one of {', '.join(FIGURES)}")
        return f"<!-- budget: {found[1]} -->{FIGURES[found[1]](rows)}<!-- /budget -->"
    return MARK.sub(figure, text)


def write_pages(root, rows):
    for path in pages(root):
        text = path.read_text(encoding="utf-8")
        made = fill(text, rows)
        if made != text:
            path.write_text(made, encoding="utf-8")
            print(f"{path.relative_to(root)} is written")


# ------------------------------------------------------------------------------------------ the command
def parse():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    for name in ("check", "measure", "lower", "pages"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    if not (options.check or options.measure or options.lower or options.pages) or options.check and options.measure:
        parser.error("expected --check, --measure, --lower or --pages")
    options.build = options.build.resolve()
    return options


def main():
    options = parse()
    every, faults = read_table(options.table)
    unknown = sorted(set(options.name) - {row.name for row in every})
    if faults or unknown:
        sys.exit("\n".join(faults or [f"{unknown[0]}: {options.table.name} has no such row"]))
    rows = [row for row in every if not options.name or row.name in options.name]
    if options.check:
        tap.finish(lambda: check(rows, options.build, options.table))
    try:
        if options.measure:
            measure_rows(rows, every, options.build, options.table)
        if options.lower:
            lower(rows, options.table)
        if options.pages:
            write_pages(ROOT, every)
    except Fault as why:
        sys.exit(f"budget.py: {why}")


if __name__ == "__main__":
    main()
