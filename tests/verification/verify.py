#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs cases whose result is known from a closed form, a published table or another program.

A case is a function in cases/*.py that takes a bench and returns (expected, got), or a list of
(label, expected, got); `expected` is a number or a band (low, high):

    from verify import case

    @case("force/linear", "contact time", source="...", formula="pi sqrt(m/k)", tolerance=1e-4, why="...")
    def contact_time(bench):
        run = bench.run(SCENE, steps=400)
        return expected, got

The deviation is |got - expected| / |expected|, |got| where 0 is expected, 0 inside a band and beyond it the
distance from the band; a case holds when it is at most `tolerance`. Each case is a claim in TAP. With
--keep the measured values go to results.tsv; --page does that too and writes docs/explanation/verification.md
with its pictures, --render writes the page from the kept results. Needs python3 and a build; gnuplot for
pictures.
"""
import argparse
import collections
import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [path for path in (str(HERE), str(HERE.parent)) if path not in sys.path]
import tap  # noqa: E402
import verify_page as page  # noqa: E402

KINDS = ("resolver", "integrator", "force", "modifier", "host", "mechanics", "bulk")  # first word of a subject
CASES = []
Case = collections.namedtuple("Case", "subject name source formula tolerance why slow function")


class Absent(Exception):
    """Raised by a case whose input is not on this machine: the case is skipped, its kept result stays."""


def case(subject, name, *, source, formula, tolerance, why, slow=False):
    """Registers a function as a case. `subject` is KIND/ID of a plugin or KIND/topic; `why` is the reason for the
    tolerance; a case that takes more than about 2 s is slow."""
    if subject.split("/")[0] not in KINDS or "/" not in subject:
        raise ValueError(f"case {name!r}: expected a subject KIND/ID with KIND one of {', '.join(KINDS)}, got {subject!r}")
    if any(c.subject == subject and c.name == name for c in CASES):
        raise ValueError(f"case {subject}: {name!r} is there twice")
    for text in (name, source, formula, why):
        if not text or "\t" in text or "\n" in text:
            raise ValueError(f"case {subject}: {name!r}: expected non-empty lines without tabs, got {text!r}")

    def register(function):
        CASES.append(Case(subject, name, source, formula, tolerance, why, slow, function))
        return function
    return register


class Run:
    """A finished run: `json` (of --json), `folder`, `status`, `stderr`, and its tables."""

    def __init__(self, done, folder):
        self.status, self.stderr, self.folder = done.returncode, done.stderr, folder
        self.json = json.loads(done.stdout) if done.stdout.strip() else None

    def csv(self, name="scalars"):
        """Rows of the table NAME.csv as dictionaries; numbers are floats."""
        def value(text):
            try:
                return float(text)
            except ValueError:
                return text
        with open(self.folder / f"{name}.csv", newline="", encoding="utf-8") as file:
            return [{k: value(v) for k, v in row.items()} for row in csv.DictReader(file)]


class Bench:
    """Tools for a case: runs of the program under test, data, pictures."""

    def __init__(self, options, scratch):
        self.scree = options.build / "core" / "scree"
        self.scratch, self.pictures = scratch, options.pictures
        self.figures, self.n_runs = [], 0

    def run(self, scene, *, steps=None, until=None, set=(), threads=1, args=(), fails=False):
        """Runs a scene: its text, or the path of its file (a pathlib.Path, or a string that ends in .cfg).
        A run that ends with another status than 0 is an error unless `fails` is set."""
        self.n_runs += 1
        folder = self.scratch / f"run-{self.n_runs}"
        if not isinstance(scene, pathlib.Path) and not scene.endswith(".cfg"):
            path = self.scratch / f"scene-{self.n_runs}.cfg"
            path.write_text(scene, encoding="utf-8")
            scene = path
        command = [self.scree, "run", scene, "-q", "--json", "-o", folder, "--threads", threads, *args]
        for key, value in (("--steps", steps), ("--until", until)):
            command += [] if value is None else [key, value]
        for text in set:
            command += ["--set", text]
        env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
        env.update(LC_ALL="C", XDG_DATA_HOME="/nonexistent")
        done = subprocess.run([str(word) for word in command], env=env, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)
        if done.returncode and not fails:
            raise RuntimeError(f"status {done.returncode}: {' '.join(map(str, command))}\n{done.stderr[-3000:]}")
        return Run(done, folder)

    def data(self, name):
        """Path of a file of tests/verification/data."""
        return HERE / "data" / name

    def shared(self, name):
        """Path of a file of the data that are not ours to ship: SCREE_DATA, or shared/data next to the tree."""
        path = pathlib.Path(os.environ.get("SCREE_DATA", ROOT.parent / "shared" / "data")) / name
        if not path.exists():
            raise Absent(f"{name} is not here; SCREE_DATA names the folder of such data")
        return path

    def figure(self, name, *, xlabel, ylabel, lines=(), points=(), title="", log="", more=""):
        """With --keep draws curves and points, each (label, xs, ys), to NAME.svg of the page; `lines` are what is expected,
        `points` what scree does. `log`: axes with a logarithmic scale ("x", "y", "xy"); `more`: gnuplot commands."""
        if not re.fullmatch(r"[a-z0-9-]+", name):
            raise ValueError(f"figure {name!r}: expected lower-case letters, digits and hyphens")
        script = page.figure_script(xlabel, ylabel, lines, points, title, log, more)
        if self.pictures:
            page.draw(script, self.pictures / f"{name}.svg")
            self.figures.append(name)


def deviation(expected, got):
    """Relative to what is expected; absolute where that is 0; from a band its distance."""
    if isinstance(expected, tuple):
        low, high = expected
        rounding = 1e-9 * max(abs(end) for end in expected if math.isfinite(end))
        return 0.0 if low - rounding <= got <= high + rounding else min(abs(got - low), abs(got - high))
    return abs(got - expected) / abs(expected) if expected else abs(got)


def today_here():
    """Today's date and the processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return ", ".join([time.strftime("%Y-%m-%d", time.gmtime()), *names[:1]])


def measure(which, options):
    """Rows of results of one case, and what to say if it fails."""
    begin = os.times()
    with tempfile.TemporaryDirectory(prefix="scree-verify-") as name:
        bench = Bench(options, pathlib.Path(name))
        found = which.function(bench)
    end = os.times()
    seconds = sum(end[k] - begin[k] for k in range(4))
    if isinstance(found, tuple):
        found = [("", *found)]
    rows = []
    for label, expected, got in found:
        rows.append({"subject": which.subject, "case": which.name, "label": label,
                     "expected": page.exact(expected), "got": page.exact(got),
                     "deviation": f"{deviation(expected, got):.3g}", "tolerance": f"{which.tolerance:g}",
                     "why": which.why, "source": which.source, "formula": which.formula,
                     "seconds": f"{seconds:.2g}", "figures": " ".join(bench.figures), "measured": today_here()})
    if not rows:
        raise ValueError("a case returns at least one (expected, got)")
    return rows


def judge(which, options):
    """One claim of TAP; the rows, none when the case cannot be measured."""
    claim = f"{which.subject}: {which.name}"
    try:
        rows = measure(which, options)
    except Absent as absent:
        tap.skip(claim, str(absent))
        return []
    except Exception:
        tap.check(claim, False, traceback.format_exc())
        return []
    worst = max(rows, key=lambda row: (math.inf if math.isnan(float(row["deviation"])) else float(row["deviation"])))
    tap.check(f"{claim} ({worst['deviation']} of {worst['tolerance']})", all(map(page.holds, rows)),
              "\n".join(f"{row['label'] or row['case']}: expected {row['expected']}, got {row['got']}, off by "
                        f"{row['deviation']}, at most {row['tolerance']}: {row['why']}" for row in rows if not page.holds(row)))
    if options.verbose:
        for row in rows:
            print(f"# {row['label'] or row['case']}: expected {row['expected']}, got {row['got']}, off by {row['deviation']}")
        print(f"# {rows[0]['seconds']} s of CPU")
    return rows


def load(folder=HERE / "cases"):
    sys.path.insert(0, str(folder))
    for path in sorted(folder.glob("*.py")):
        __import__(path.stem)
    return CASES


def chosen(options):
    picked = [c for c in CASES if not (options.quick and c.slow or options.slow and not c.slow)]
    if options.new:
        kept = {(row["subject"], row["case"]) for row in page.read(options.results)}
        picked = [c for c in picked if (c.subject, c.name) not in kept]
    words = [word.lower() for word in options.cases]
    return [c for c in picked if not words or any(word in f"{c.subject}: {c.name}".lower() for word in words)]


def read_options(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help="words; a case with one of them in 'SUBJECT: NAME' is run (all)")
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="only cases that are not slow")
    parser.add_argument("--slow", action="store_true", help="only slow cases")
    parser.add_argument("--new", action="store_true", help="only cases of which no result is kept")
    parser.add_argument("--list", action="store_true", help="name the cases that would run")
    parser.add_argument("--verbose", "-v", action="store_true", help="print every value")
    parser.add_argument("--keep", action="store_true", help="keep the results and pictures of the cases that are run")
    parser.add_argument("--page", action="store_true", help="--keep, then write the page")
    parser.add_argument("--render", action="store_true", help="write the page from the kept results, run nothing")
    parser.add_argument("--cases", dest="folder", default=HERE / "cases", type=pathlib.Path)
    parser.add_argument("--results", default=HERE / "results.tsv", type=pathlib.Path)
    parser.add_argument("--docs", default=ROOT / "docs/explanation", type=pathlib.Path)
    options = parser.parse_args(argv)
    if options.quick and options.slow:
        parser.error("expected one of --quick and --slow, got both")
    options.build, options.keep = options.build.resolve(), options.keep or options.page
    if options.keep and not shutil.which("gnuplot"):
        parser.error("expected gnuplot, which draws the pictures of --keep and --page: it is not installed")
    options.pictures = options.docs / "verification" if options.keep else None
    return options


def keep(options, rows, known):
    """Puts new rows into the results; those of cases that are gone go."""
    old = page.read(options.results)
    fresh = {(row["subject"], row["case"]) for row in rows}
    current = {(c.subject, c.name) for c in known}
    kept = [row for row in old if (row["subject"], row["case"]) not in fresh
            and (row["subject"], row["case"]) in current]
    order = {kind: k for k, kind in enumerate(KINDS)}
    place = {(c.subject, c.name): k for k, c in enumerate(known)}
    both = sorted(kept + rows, key=lambda row: (order[row["subject"].split("/")[0]], row["subject"],
                                                place[row["subject"], row["case"]]))
    page.write(options.results, both)


def main(argv=None):
    options = read_options(argv)
    known = load(options.folder)
    picked = chosen(options)
    if options.list:
        for c in picked:
            print(f"{c.subject}: {c.name}{' (slow)' if c.slow else ''}")
        return

    def run():
        if not options.render:
            if options.cases and all(word in [f"{kind}/" for kind in KINDS] for word in options.cases):
                print(f"# {len(picked)} cases")  # a kind may have none that is quick, or slow
            else:
                tap.check("there are cases to run", bool(picked), f"{options.cases}")
            for which in picked:
                rows = judge(which, options)
                if options.keep:
                    keep(options, rows, known)
        if options.page or options.render:
            target = options.docs / "verification.md"
            target.write_text(page.render(options.results), encoding="utf-8")
            print(f"# wrote {target}")
    tap.finish(run)


if __name__ == "__main__":
    import verify  # the module that the cases register with
    verify.main()
