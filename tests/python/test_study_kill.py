# SPDX-License-Identifier: Apache-2.0
"""A study that is killed goes on: friction by rolling friction on a pile, three seeds, in the end equal to an undisturbed one.

usage: test_study_kill.py SCREE SCENE
"""
import os
import pathlib
import random
import signal
import sys
import time

import runs
import tap
from study import environment, lasting, rows, study, words

SCENE = pathlib.Path(sys.argv[2]).resolve()
SEED = random.SystemRandom().randrange(2**32)
SETTINGS = ["--set", "scene.steps=3000", "--set", "generate.discs.count=40", "--set", "generate.discs.region.max=(0.03, 0.08)", "--set", "checkpoint.every_steps=300", "--vary",
            "force.0.friction=0.1,0.4", "--vary", "force.1.rolling_friction=0.02..0.2*10", "--seeds", 3, "--jobs", 2]


def summaries(top):
    return len([*top.glob("study/rows/*/part-*/summary.json")])


def processes(folder):
    """The runs of a folder."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in line and b"\0run\0" in line:
            found.append(int(path.parent.name))
    return found


def test_kill(top):
    numbers = random.Random(SEED)
    print(f"# seed {SEED}")
    whole = study(top, SCENE, *SETTINGS, folder="whole")
    moments = sorted(numbers.sample(range(11), 2))
    how = ["study and runs", "study only", "SIGTERM"]
    numbers.shuffle(how)
    cuts = []
    for kind, moment in zip(how, [*moments, 11]):
        begun = runs.launch(top, *words("study", SCENE, *SETTINGS), env=environment())
        runs.wait_for(lambda m=moment: summaries(top) >= m, begun)
        time.sleep(numbers.uniform(0.0, 0.15))
        if kind == "SIGTERM":
            begun.send_signal(signal.SIGTERM)
        else:
            begun.kill()
            for pid in processes(top / "study") if kind == "study and runs" else ():
                os.kill(pid, signal.SIGKILL)
        runs.end_of(begun)
        cuts.append(f"{kind} after {moment} rows, then {summaries(top)}: {begun.returncode}")
    end = study(top, SCENE, *SETTINGS)
    print(f"# {cuts}")
    tap.check("an undisturbed study has all rows", whole.returncode == 0 and [row["state"] for row in rows(top, "whole")] == ["ok"] * 12, whole.stderr)
    tap.check("a study that was killed three times ends", end.returncode == 0 and len(rows(top)) == 12, (cuts, end.stderr))
    same = [(a, b) for a, b in zip(lasting(rows(top)), lasting(rows(top, "whole"))) if a != b]
    differ = {key: (a[key], b.get(key)) for a, b in same for key in a if a[key] != b.get(key)}
    tap.check("and its table is that of the undisturbed one", not same, (cuts, differ))
    tap.check("in which all states and seeds differ", len({row["state_sha256"] for row in rows(top)}) == 12)


def test_continues(top):
    """A row goes on from its checkpoint; a run that outlives its study is waited for."""
    one = ["--set", "checkpoint.every_steps=300", "--set", "scene.steps=20000", "--vary", "force.0.friction=0.4"]
    begun = runs.launch(top, *words("study", SCENE, *one), env=environment())
    runs.wait_for(lambda: [*top.glob("study/rows/*/part-0/checkpoint-1*.h5")], begun)
    begun.kill()
    (pid,) = processes(top / "study")[:1] or (None,)
    os.kill(pid, signal.SIGKILL)
    runs.end_of(begun)
    runs.wait_for(lambda: not processes(top / "study"))
    begun = runs.launch(top, *words("study", SCENE, *one), env=environment())
    runs.wait_for(lambda: [*top.glob("study/rows/*/part-1/checkpoint-*.h5")], begun)
    begun.kill()
    runs.end_of(begun)
    left = processes(top / "study")
    end = study(top, SCENE, *one)
    row = rows(top)[0]
    tap.check("a row continues from its checkpoint, and a run whose study is dead is waited for", left and end.returncode == 0 and row["parts"] == "2"
              and [path.name for path in top.glob("study/rows/*/part-*")].count("part-2") == 0, (left, end.stderr, row["parts"]))
    tap.check("its steps are counted from the start", row["steps"] == "20000" and "wall_s" not in row, row["steps"])


def test_last_step(top):
    """A run that was killed after the checkpoint of its last step, and before its summary."""
    one = ["--set", "checkpoint.every_steps=300", "--set", "scene.steps=900", "--vary", "force.0.friction=0.4"]
    study(top, SCENE, *one)
    before = rows(top)
    (summary,) = top.glob("study/rows/*/part-0/summary.json")
    summary.unlink()
    end = study(top, SCENE, *one)
    tap.check("a run that was killed at its last step ends from the checkpoint before", end.returncode == 0 and lasting(rows(top)) == [
        {key: before[0][key] for key in row} for row in lasting(rows(top))] and rows(top)[0]["parts"] == "2", (end.stderr, rows(top)))


def test_stopped(top):
    """A run that SIGTERM stops writes a row of its tables more, for the state at which it stops."""
    one = ["--set", "scene.steps=20000", "--set", "checkpoint.every_steps=5000", "--vary", "force.0.friction=0.4"]
    whole = study(top, SCENE, *one, folder="whole")
    begun = runs.launch(top, *words("study", SCENE, *one), env=environment())
    runs.wait_for(lambda: [*top.glob("study/rows/*/part-0/checkpoint-15000.h5")], begun)
    begun.send_signal(signal.SIGTERM)
    runs.end_of(begun)
    end = study(top, SCENE, *one)
    differ = {key: (cell, rows(top, "whole")[0][key]) for key, cell in lasting(rows(top))[0].items() if cell != rows(top, "whole")[0][key]}
    tap.check("a row that was stopped in its last half has the means of an undisturbed one", begun.returncode == 4 and rows(top)[0]["parts"] == "2"
              and not differ, (whole.stderr, end.stderr, differ))


tap.in_folders(test_stopped, test_kill, test_continues, test_last_step)
