# SPDX-License-Identifier: Apache-2.0
"""Faults in constructors and destructors of a plugin, in the program itself.

usage: test_loads.py SCREE MODULE
"""
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

import runs
import tap
from runs import environment

SCREE, MODULE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCENE = """
scene = { dt = 1.0e-5; steps = 2; };
materials = { glass = { density = 2500.0; }; };
bodies = { a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "minimal"; } );
"""


def scree(top, deed, *words, limit="10"):
    """Status ("hangs" after 20 s), standard output, standard error."""
    (top / "mark").unlink(missing_ok=True)
    env = environment(LOADS=deed, SCREE_LOAD_LIMIT=limit, LOADS_MARK=str(top / "mark"))
    process, begin = runs.start(top, *words, env=env), time.monotonic()
    out, err = runs.end_of(process, 20.0)
    return "hangs" if time.monotonic() - begin >= 20.0 else process.returncode, out, err


def stopped(top, plugin):
    """The list, whose trial of the file is stopped for more than its time: status, standard output, standard error."""
    env = environment(LOADS="busy", SCREE_LOAD_LIMIT="1")
    process = runs.start(top, "--no-parent", "plugins", plugin, env=env)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found = runs.wait_for(lambda: children.read_text().split(), process, 10.0)
    time.sleep(0.1)
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for child in found:
            os.kill(int(child), number)
        time.sleep(2.5 if number == signal.SIGSTOP else 0.0)
    out, err = process.communicate(timeout=60)
    return process.returncode, len(found), out, err


def test_time(top, plugin):
    result = stopped(top, plugin)
    tap.check("a file that is tried on a machine which does not serve it for longer than its time is taken",
              result[:2] == (0, 1) and result[2], result)
    for deed, words in (("spin", r"1\.\d s of CPU time, 0\.\d s asleep"), ("sleep", r"0\.0 s of CPU time, 1\.\d s asleep")):
        result = scree(top, deed, "plugins", plugin, limit="1")
        tap.check(f"a file that has its own time and {deed}s is refused, with what was measured", result[0] == 3
                  and re.search(rf"{plugin}: did not load within 1 s: {words} \(SCREE_LOAD_LIMIT\)", result[2]), result)


def test_stop(top, plugin):
    env = environment(LOADS="sleep", XDG_CACHE_HOME=str(top / "new"))
    process = runs.start(top, "run", "--plugin-path", top / "plugins", "scene.cfg", "-q", env=env)
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    tap.check("run: SIGTERM while a file is tried ends the set-up, and names the file", process.returncode == 4
              and err == f"scree: SIGTERM: the command is ended in {plugin}, call load\n", (process.returncode, err))


def test(top):
    (top / "plugins/force").mkdir(parents=True)
    plugin = top / "plugins/force/minimal.so"
    shutil.copy(MODULE, plugin)
    (top / "scene.cfg").write_text(SCENE)
    test_time(top, plugin)
    test_stop(top, plugin)
    result = scree(top, "thread", "check", plugin, "--case", "threads")
    tap.check("check: a thread that the constructor starts is refused", result[0] == 3
              and "not ok  threads" in result[1] and "1 thread runs since it was loaded" in result[1], result)
    other = top / "others/other.so"
    other.parent.mkdir()
    shutil.copy(MODULE, other)
    shutil.copy(MODULE, other.parent / "another.so")
    result = scree(top, "spin", "validate", "--plugin-path", other.parent, "scene.cfg", limit="1")
    tap.check("a file that hangs in a search for a plugin is named", "scree: warning: " in result[2] and all(
        f"warning: {path}: did not load within 1 s" in result[2] for path in (other, other.parent / "another.so")), result)
    commands = {"plugins": ("plugins", plugin),
                "run": ("run", "--plugin-path", top / "plugins", "scene.cfg", "-q"),
                "validate": ("validate", "--plugin-path", top / "plugins", "scene.cfg")}
    for verb, words in commands.items():
        result = scree(top, "", *words)
        tap.check(f"{verb}: a sound plugin is taken", result[0] == 0, result)
        for deed in ("exit", "_exit"):
            result = scree(top, deed, *words)
            line = f"scree: {plugin} ended the process while it was loaded (exit status 0)"
            tap.check(f"{verb}: {deed} in the constructor, the second time, is named with its file, status 3",
                      result[0] == 3 and line in result[2].splitlines(), result)
        result = scree(top, "parent", *words)
        line = f"scree: {plugin} ended the process that tries it (signal 15, Terminated)"
        tap.check(f"{verb}: a constructor that sends its parent a signal is refused with its file, status 3",
                  result[0] == 3 and line in result[2].splitlines(), result)
        result = scree(top, "hang", *words)
        tap.check(f"{verb}: a destructor that hangs keeps nobody", result[0] == 0 and result[1], result)


with tempfile.TemporaryDirectory() as folder:
    tap.finish(lambda: test(pathlib.Path(folder)))
