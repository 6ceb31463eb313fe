# SPDX-License-Identifier: Apache-2.0
"""Types of the package, by mypy: its own functions agree with them, and a program that uses it gets them.

usage: test_types.py PACKAGE
"""
import os
import re
import shutil
import subprocess
import sys

import tap

PACKAGE = os.path.abspath(sys.argv[1])
PROGRAM = '''import scree
import scree.study

with scree.open("hopper", observers={}) as run:
    ended = run.advance(duration="1 ms")
    reveal_type((ended, run.time, run.steps, run.hash, run.folder, run.figure("kinetic"), run.finish()))
    reveal_type((run.state(), scree.read("x").tables, scree.Frames("x")[0], scree.Frames("x").times))
    reveal_type([row.state for row in scree.study.Study("pile", "x").run().rows])
    run.advance(steps="ten")  # wrong
    run.save(7)  # wrong
    run.advance(stepz=3)  # wrong
'''
WANTED = ("Tuple[builtins.str, builtins.float, builtins.int, builtins.str, Union[builtins.str, None], builtins.float, builtins.dict[builtins.str, Any]]",
          "Tuple[scree._run.State, builtins.list[builtins.str], scree._frames.Frame, builtins.list[builtins.float]]", "builtins.list[builtins.str]")


def mypy(top, *words):
    """The lines of mypy, whose cache is in the folder of the test."""
    seen = subprocess.run(["mypy", "--ignore-missing-imports", "--cache-dir", "cache", *words], cwd=top, capture_output=True, text=True, timeout=250,
                          env={**os.environ, "MYPYPATH": PACKAGE}, check=False)
    return [line for line in (seen.stdout + seen.stderr).splitlines() if "By default the bodies" not in line]


def test_package(top):
    seen = mypy(top, "-p", "scree")
    tap.check("the package agrees with its own types", len(seen) == 1 and re.fullmatch(r"Success: no issues found in 2\d source files", seen[0]), "\n".join(seen))


def test_program(top):
    (top / "user.py").write_text(PROGRAM)
    seen = mypy(top, "user.py")
    lines = [k for k, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# wrong")]
    wrong = sorted({int(found[1]) for found in (re.match(r"user.py:(\d+): error", line) for line in seen) if found})
    shown = [re.search('Revealed type is "(.*)"', line) for line in seen]
    tap.check("a program gets the types of results", [one[1] for one in shown if one] == [*WANTED], "\n".join(seen))
    tap.check("wrong arguments are found in their lines, no others", wrong == lines, (wrong, lines, "\n".join(seen)))


if shutil.which("mypy"):
    tap.in_folders(test_package, test_program)
else:
    tap.finish(lambda: tap.skip("types of the package", "mypy is missing (./bootstrap setup ci)"))
