#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that uses libscree leaves the folder of `scree run`, and nothing else; usage: test_folders.py SCREE DRIVE"""
import json
import pathlib
import re
import shutil
import sys

import runs
import tap

DRIVE = pathlib.Path(sys.argv[2]).resolve()
TIMES = {"setup_s", "wall_s", "particle_steps_per_s", "phases", "gcd_wall_s", "peak_rss_bytes", "folder"}
HOPPER = ("hopper", "scene.steps=120", "generate.beads.count=400",
          'schedule=( { at_step = 60; set = { gcd = { plugin = "dess"; }; }; } )')


def drive(top, *words, before=(), **more):
    return runs.call(top, *before, DRIVE, *words, **more)


def summary(folder):
    """summary.json without what depends on the clock and the place."""
    return {key: value for key, value in json.loads((folder / "summary.json").read_text()).items() if key not in TIMES}


def pair(top, scene, *settings):
    """Folders of one run by the program and by the library."""
    words = [word for setting in settings for word in ("--set", setting)]
    a = runs.scree(top, "run", scene, "--threads", 2, "-q", "-o", "a", *words)
    b = drive(top, scene, "b", 2, 37, *settings)
    return a, b, top / "a", top / "b"


def same_folders(top):
    a, b, own, other = pair(top, *HOPPER)
    tap.check("both end well", a.returncode == 0 and b.returncode == 0, a.stderr + b.stderr)
    names = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) for folder in (own, other)]
    tap.check("they write the same files", names[0] == names[1] and len(names[0]) > 5, names)
    differ = [name for name in names[0] if name != "summary.json" and not name.endswith(".h5")
              and (own / name).read_bytes() != (other / name).read_bytes()]
    tap.check("with the same bytes", not differ, differ)
    tap.check("and the same summary but for times", summary(own) == summary(other), (summary(own), summary(other)))
    tap.check("which has the swap with its comparison", summary(other)["swaps"][0]["candidates"] > 0, summary(other)["swaps"])
    tap.check("the library gives the text of summary.json", json.loads(b.stdout) == json.loads((other / "summary.json").read_text()))
    states = {runs.scree(top, "run", "--restart", folder / "checkpoint-120.h5", "--steps", 20, "-q", "--json", "--set", "observers={}").stdout
              for folder in (own, other)}
    hashes = {json.loads(text)["state_sha256"] for text in states}
    tap.check("their checkpoints go on to one state", len(hashes) == 1, hashes)


def same_lines(top):
    a, b, _, _ = pair(top, *HOPPER)
    own = [line for line in a.stderr.splitlines() if not line.startswith("scree: saved")]
    other = [re.sub(r"^say \d ", "", line) for line in b.stderr.splitlines()]
    own = [line.removeprefix("scree: ").replace("note: ", "").replace("info: ", "") for line in own]
    swaps = [line for line in own if "gcd" in line]
    tap.check("the caller hears what scree prints of a swap", swaps and all(line in other for line in swaps), (own, other))


def scalars(top):
    a, b, own, other = pair(top, "hopper", "scene.steps=30", "generate.beads.count=400")
    tap.check("a scene with scalars ends well", a.returncode == 0 and b.returncode == 0, a.stderr + b.stderr)
    found = summary(own)["observers"]
    tap.check("the summary has observers.NAME.SCALAR", found and all(found.values()), found)
    rows = {name: runs.read_table(own / f"{name}.csv") for name in found if (own / f"{name}.csv").exists()}
    last = {(name, key): (value, rows[name][-1][key]) for name in rows for key, value in found[name].items() if key in rows[name][-1]}
    tap.check("they are those of the last row of its table",
              last and all(value is None or abs(value - float(row)) <= 1e-6 * abs(value) for value, row in last.values()), (last, rows))
    tap.check("and the same by the library", found == summary(other)["observers"])


def restart(top):
    """A run with forces of a caller cannot go on without them."""
    text = runs.scree(top, "run", "hopper", "--steps", 3, "--set", "observers={}", "--set", 'modifiers={air={plugin="callback";};}')
    tap.check("scree run says what a callback needs", text.returncode == 2 and "sc_on_forces" in text.stderr and "modifiers.air" in text.stderr,
              (text.returncode, text.stderr))


def quiet_process(top):
    if not shutil.which("strace"):
        tap.skip("no child process, no write to standard streams", "no strace")
        return
    seen = drive(top, "hopper", "-", 2, 20, "scene.steps=40", "observers={}", "generate.beads.count=300",
                 before=("strace", "-f", "-qq", "-o", "trace", "-e", "trace=write,writev,fork,vfork,clone,clone3,execve,rt_sigaction,umask,chdir,setrlimit,prlimit64"))
    if seen.returncode:
        tap.skip("no child process, no write to standard streams", f"strace: {seen.stderr[-200:]}")
        return
    lines = (top / "trace").read_text().splitlines()
    calls = [line.split(None, 1)[1] for line in lines]
    children = [line for line in calls if line.startswith(("fork(", "vfork(")) or
                (line.startswith("clone") and "CLONE_THREAD" not in line and "resumed" not in line)]
    tap.check("opening and running starts no child process", not children and sum("execve(" in line for line in calls) == 1, children)
    own = [line for line in calls if re.match(r"writev?\([12],", line)]
    tap.check("it writes to standard output only what the program prints, in the end", all(re.match(r'write\((1, |2, "say )', line) for line in own), own)
    handlers = [line for line in calls if line.startswith("rt_sigaction(") and "SIGRT" not in line and "SIG_DFL" not in line and
                ", NULL, {" not in line]
    tap.check("it sets no handler, umask, folder or limit", not handlers and not [line for line in calls if re.match(
        r"(umask|chdir|setrlimit)\(", line)], (handlers, [line for line in calls if re.match(r"(umask|chdir)", line)]))


tap.in_folders(same_folders, same_lines, scalars, restart, quiet_process)
