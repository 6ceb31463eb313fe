#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast scree is, and writes docs/explanation/speed.md with its figures.

Raw results with facts of the machine are kept in tests/bench/results/; the page is made of them and of
tests/bench/speed.md.in, which holds its prose. docs/explanation/speed.md says what the folder of the
peers must hold. Needs python3 and a build (buildtype=release); gnuplot for the figures.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import quiet
import speed_figures
import speed_more
import speed_page
import speed_runs as runs

ALIASES = {"ledger": "levels", "memory": "scaling"}
FORMER_FACTS = ("lammps", "LAMMPS", "triad")  # of the driver, kept when it is not run again on the same machine


def read_only(text):
    names = [ALIASES.get(name, name) for name in text.split(",")]
    for name in names:
        if name not in speed_page.SECTIONS:
            raise argparse.ArgumentTypeError(f"{name}: one of {', '.join(speed_page.SECTIONS)}, "
                                             f"{', '.join(ALIASES)}")
    return names


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="FOLDER", type=lambda text: pathlib.Path(text).resolve(),
                        help="driver, decks and states of the peers: tests/bench/peers/dem; without it only "
                             "scree is measured, on the bundled bed-1k and tiles of it")
    parser.add_argument("--build", default=runs.ROOT / "build", type=pathlib.Path)
    parser.add_argument("--reps", default=5, type=int, help="repetitions of each run (%(default)s)")
    parser.add_argument("--cpu", default=0, type=int, help="the one to run on (%(default)s)")
    parser.add_argument("--only", default=list(speed_page.SECTIONS), type=read_only,
                        metavar="SECTION,...", help=f"some of {', '.join(speed_page.SECTIONS)}; the "
                                                    "other results are kept")
    parser.add_argument("--brief", action="store_true",
                        help="a try of this command: small beds, few steps, numbers mean nothing")
    parser.add_argument("--render", action="store_true",
                        help="page and figures again from the kept results")
    parser.add_argument("--results", default=runs.HERE / "results", type=pathlib.Path)
    parser.add_argument("--docs", default=runs.ROOT / "docs/explanation", type=pathlib.Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    if options.brief:
        options.reps = 1
    if options.reps < 1 or options.cpu not in os.sched_getaffinity(0):
        parser.error(f"--reps from 1, --cpu one of {sorted(os.sched_getaffinity(0))}")
    if options.peers and not (options.peers / "run.sh").exists():
        parser.error(f"--peers {options.peers}: no run.sh there")
    return options


def must_be_quiet(options, when):
    """Ends the program, with nothing written since the last section, on a machine that is not quiet."""
    wrong = "" if options.brief else quiet.look(options.cpu)
    if wrong:
        sys.exit(f"speed.py: no figures are written, the machine is not quiet {when}: {wrong}. "
                 "Stop other programs and try again; --brief tries the command without judging times.")


def make_states(options):
    """The peers' starting states that are not there; LAMMPS makes them."""
    driver = options.peers / "bench.py" if options.peers else None
    if driver and driver.exists() and subprocess.run([sys.executable, driver, "states", "--missing"], check=False).returncode:
        sys.exit("speed.py: the states of the peers could not be made")


def measure(options):
    """Each section's rows into its file; the machine's facts last, when the driver has written its own."""
    make_states(options)
    columns = {"peers": runs.PEER_COLUMNS, "border": runs.BORDER_COLUMNS, "flows": runs.FLOW_COLUMNS,
               "laws": speed_more.LAW_COLUMNS, "files": speed_more.FILE_COLUMNS}
    must_be_quiet(options, "before the first run")
    options.facts = runs.machine_facts(options)
    made = {key: options.facts[key] for key in ("commit", "date", "CPU", "repetitions", "brief")
            if key in options.facts}
    with tempfile.TemporaryDirectory(prefix="scree-speed-") as name:
        scratch = pathlib.Path(name)
        beds = runs.Beds(options, scratch)
        for section in options.only:
            if section == "peers" and not options.peers:
                runs.say("peers: left out, no --peers FOLDER")
                continue
            module = speed_more if section in ("laws", "files") else runs
            rows = runs.measure_peers(options, scratch) if section == "peers" else \
                getattr(module, f"measure_{section}")(options, beds)
            must_be_quiet(options, f"after {section}")
            if rows:
                runs.write_rows(options.results / f"{section}.tsv",
                                columns.get(section, runs.RUN_COLUMNS), rows, made)
    write_machine(options)


def write_machine(options):
    before = speed_page.Results(options.results).facts
    if before.get("CPU") == options.facts["CPU"]:
        options.facts |= {key: value for key, value in before.items()
                          if key.startswith(FORMER_FACTS) and key not in options.facts}
    text = "".join(f"{key}: {value}\n" for key, value in options.facts.items())
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "machine.txt").write_text(text, encoding="utf-8")


def main():
    options = read_options()
    if not options.render:
        measure(options)
    options.docs.mkdir(parents=True, exist_ok=True)
    path = options.docs / "speed.md"
    path.write_text(speed_page.render(options.results), encoding="utf-8")
    readme = runs.ROOT / "README.md"
    if options.docs == runs.ROOT / "docs/explanation":
        readme.write_text(speed_page.fill_readme(readme.read_text(encoding="utf-8"), options.results),
                          encoding="utf-8")
    figures = speed_figures.draw(options.results, options.docs)
    for written in (path, *figures):
        runs.say(f"wrote {written}")
    if not figures:
        runs.say("no figures: no gnuplot here, or nothing measured")


if __name__ == "__main__":
    sys.exit(main())
