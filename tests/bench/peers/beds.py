# SPDX-License-Identifier: Apache-2.0
"""A bed in scree and another program, which take turns on one processor: what clumps.py, polygons.py and dodecahedra.py share."""
import argparse
import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

AT_END = 'observers = { last = { plugin = "csv"; what = "bodies"; file = "bodies"; every_steps = 1000000; }; };'


def parse(usage, kind, **numbers):
    """The options of the command line; `numbers` are the defaults of whole ones."""
    p = argparse.ArgumentParser(usage=usage)
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("results", nargs="?", type=pathlib.Path)
    for name, value in numbers.items():
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--state", type=pathlib.Path)
    o = p.parse_args()
    o.build = o.build.resolve()
    sizes = [str(getattr(o, name)) for name in ("count", "corners") if name in numbers]
    o.state = (o.state or pathlib.Path("-".join([kind, *sizes]) + ".csv")).resolve()
    return o


def run(words, folder):
    """The output of a command, which has one thread and none of a user's settings."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")} | {"LC_ALL": "C", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([str(w) for w in words], cwd=folder, check=False, env=env, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{words[0]} failed:\n" + done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout


def pinned(o, folder, *words):
    return run(["taskset", "-c", o.cpu, *words], folder)


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def last_rows(o, folder, text, name, table, keep):
    """The rows of the last step of a table that a run of scree in folder/name writes, those to be kept."""
    (folder / "s.cfg").write_text(text, encoding="utf-8")
    run([o.build / "core/scree", "run", "s.cfg", "-q", "-o", name], folder)
    rows = rows_of(folder / name / table)
    return [row for row in rows if row["step"] == rows[-1]["step"] and keep(row)]


def write_state(path, columns, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        file.writelines(",".join(str(word) for word in row) + "\n" for row in rows)


def time_scree(o, folder, text):
    """Results and phases [ns per body and step] of dem_bench, by name."""
    (folder / "s.cfg").write_text(text, encoding="utf-8")
    lines = [line.split() for line in pinned(o, folder, o.build / "tests/bench/dem_bench", "s.cfg", o.warm, o.steps).splitlines()]
    told, phases = ({w[1].lower(): float(w[2]) for w in lines if w[0] == kind and w[1] != "SHA256"} for kind in ("RESULT", "LEDGER"))
    return told, phases


def time_lammps(o, folder, deck):
    """Seconds and rebuilds of what the deck does between TIMED_BEGIN and TIMED_END, and the last row of its thermo output."""
    (folder / "in.deck").write_text(deck, encoding="utf-8")
    text = pinned(o, folder, "lmp", "-in", "in.deck", "-log", "none")
    begin, end = text.find("\nTIMED_BEGIN"), text.find("\nTIMED_END")
    last = re.search(r"\n *Step +Atoms[^\n]*\n *([^\n]*)\nLoop", text[end:])
    if not last:
        sys.exit("lmp failed:\n" + text[-2000:])
    timed = text[begin:end]
    return ({"loop_s": float(re.search(r"Loop time of (\S+)", timed).group(1)),
             "rebuilds": float(re.search(r"Neighbor list builds = (\S+)", timed).group(1))}, [float(v) for v in last.group(1).split()])


def medians(runs, keys):
    """{code: {key: median}}"""
    codes = sorted({r["code"] for r in runs})
    return {c: {k: statistics.median(r[k] for r in runs if r["code"] == c) for k in keys} for c in codes}


def keep(o, runs, sizes, keys):
    """Adds the runs to the table of results; without one, nothing."""
    if not o.results:
        return
    cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    fresh = not o.results.exists()
    with open(o.results, "a", encoding="utf-8") as file:
        file.write(f"# date={time.strftime('%Y-%m-%d')}; CPU={cpu.group(1) if cpu else 'unknown'}; load={os.getloadavg()[0]:.2f}; "
                   f"warm={o.warm}\n")
        if fresh:
            file.write("\t".join(["code", "rep", *sizes, *keys]) + "\n")
        for k, r in enumerate(runs):
            rep = sum(1 for other in runs[:k] if other["code"] == r["code"])
            file.write("\t".join(map(str, [r["code"], rep, *(getattr(o, size) for size in sizes), *(r[key] for key in keys)])) + "\n")
