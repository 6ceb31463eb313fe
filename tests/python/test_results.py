# SPDX-License-Identifier: Apache-2.0
"""scree.read on the folder of a run that has ended, or is under way, and on other folders.

usage: test_results.py SCREE SCENE
"""
import pathlib
import shutil
import sys

import scree
import tap
from runs import read_table, scree as program

SCENE = pathlib.Path(sys.argv[2]).resolve()


def refusal(call):
    try:
        return f"no error: {call()}"
    except scree.Error as error:
        return str(error)


def test_read(top):
    seen = program(top, "run", SCENE, "-q", "-o", "done", "--steps", 40, "--set", "checkpoint.every_steps=8", "--set",
                   'observers={ now = { plugin = "csv"; every_steps = 10; }; beads = { plugin = "csv"; what = "bodies"; every_steps = 20; file="sub/beads"; }; }')
    tap.check("a run for the test ends", seen.returncode == 0, seen)
    done = scree.read(top / "done")
    tap.check("summary and manifest are those of its files", done.ended and done.summary["steps"] == 40
              and done.manifest["state_sha256"] == done.summary["state_sha256"] in seen.stdout, done)
    tap.check("so are its scene and its plugins", "scene" in done.scene and {"gcd", "force"} <= {p["kind"] for p in done.manifest["plugins"]}, done.scene)
    names = done.tables
    rows = read_table(top / "done" / f"{names[0]}.csv")
    table = done.csv(names[0])
    tap.check("a table has its columns by name, as numbers", len(names) == 2 and list(table) == list(rows[0])
              and all(float(row[key]) == table[key][k] for k, row in enumerate(rows) for key in ("step", "time")) and len(table["step"]) >= 2,
              (names, table))
    tap.check("checkpoints come oldest first", [path.name for path in done.checkpoints] == ["checkpoint-32.h5", "checkpoint-40.h5"], done.checkpoints)
    tap.check("a table that is missing is refused with those that exist", all(name in refusal(lambda: done.csv("none")) for name in names))


def test_under_way(top):
    program(top, "run", SCENE, "-q", "-o", "done", "--steps", 40, "--set", 'observers={ now = { plugin = "csv"; every_steps = 10; }; }')
    (top / "done/summary.json").unlink()
    (name,) = scree.read(top / "done").tables
    path = top / "done" / f"{name}.csv"
    whole = path.read_text()
    path.write_text(whole[:-1])
    path.rename(f"{path}.part")
    now = scree.read(top / "done")
    tap.check("the table of a run under way is read from its part", now.tables == [name], now.tables)
    tap.check("a run under way has no summary, and says so", not now.ended and "not ended" in repr(now)
              and "summary.json: the run writes it at its end" in refusal(lambda: now.summary))
    tap.check("a row that is cut off is left out", len(now.csv(name)["step"]) == len(read_table(pathlib.Path(f"{path}.part"))) - 1 > 1, now.csv(name))
    (top / "done/summary.json").write_text('{"steps": 4')
    tap.check("a summary that is cut off is refused with its path", "summary.json: " in refusal(lambda: now.summary))
    tap.check("a folder of another kind is refused", "expected the folder of a run" in refusal(lambda: scree.read(top)))
    shutil.rmtree(top / "done")
    tap.check("so is one that is missing", "expected the folder of a run" in refusal(lambda: scree.read(top / "done")))


tap.in_folders(test_read, test_under_way)
