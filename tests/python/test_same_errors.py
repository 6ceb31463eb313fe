# SPDX-License-Identifier: Apache-2.0
"""Each scene that tests of the command line see refused is a SceneError in Python, with the same mistakes, files and lines.

usage: test_same_errors.py SCREE PACKAGE TESTS [TEST.py ARGUMENT...] -- ..
"""
import json
import os
import pathlib
import shlex
import sys

import tap
from runs import call

SCREE, PACKAGE, TESTS = (pathlib.Path(a).resolve() for a in sys.argv[1:4])


def calls(words):
    """The tests with their arguments, which `--` separates."""
    found = [[]]
    for word in words:
        if word == "--":
            found.append([])
        else:
            found[-1].append(word)
    return found


def run(top):
    log, shadow = top / "log", top / "scree"
    log.touch()
    command = shlex.join([sys.executable, str(pathlib.Path(__file__).with_name("shadow.py")), str(PACKAGE), str(log), str(SCREE)])
    shadow.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    shadow.chmod(0o755)
    for name, *arguments in calls(sys.argv[4:]):
        before = len(log.read_text(encoding="utf-8").splitlines())
        seen = call(top, sys.executable, TESTS / name, shadow, *arguments, env=os.environ, timeout=900)
        rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[before:]]
        wrong = [row for row in rows if not row.get("same") or row["wanted"] != row["placed"]]
        tap.check(f"{name}: {len(rows)} scenes that it sees refused are SceneErrors with file and line", rows and not wrong,
                  "\n".join(f"{row['words']}\n  {row['text']}\n  {row['seen']}" for row in wrong) or seen)
        tap.check(f"{name} passes with the stand-in for the program", seen.returncode == 0, seen.stdout + seen.stderr)


tap.in_folder(run)
