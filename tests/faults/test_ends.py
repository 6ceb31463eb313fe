# SPDX-License-Identifier: Apache-2.0
"""However a plugin ends, hangs or starves a run, the run says which call it was; what plugins and scenes say
does not command the terminal.

usage: test_ends.py SCREE FOLDER_OF_MODULES
"""
import json
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import runs
import tap
from test_stray import CHOICES, SCENE, environment

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
ENDS = ["exit", "_exit", "_Exit", "quick_exit", "pthread_exit", "cancel", "exec", "execvp", "syscall",
        "syscall_exit", "kill"]
CALLS = [("force", "create"), ("force", "destroy"), ("force", "stiffness"), ("gcd", "step_init"),
         ("gcd", "find_neighbors"), ("resolver", "supports"), ("resolver", "resolve"), ("integrator", "move"),
         ("observer", "observe"), ("observer", "finish"), ("modifier", "pose"), ("modifier", "after_step")]
GIB = 1 << 30


def command(top, verb, kind, *more):
    return [verb, "--plugin-path", top / "plugins", top / "scene.cfg", *(("-q",) if verb == "run" else ()),
            *(("--set", CHOICES[kind]) if kind else ()), *more]


def scree(top, verb, kind, stray, *more, memory=None):
    def limit():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return runs.scree(top, *command(top, verb, kind, *more), env=environment(stray), errors="surrogateescape",
                      preexec_fn=limit)


def named(result, kind, call, step, status=3, how=r"exit status 0"):
    """One line with plugin, call and step."""
    at = rf" at step {step}" if step is not None else ""
    thread = rf"scree: {kind}/stray \(.*\) misbehaved in {call}{at}: it ended the thread it was called on \("
    process = rf"scree: the process ended in {kind}/stray \(.*\), call {call}{at} \({how}\): by this call, or by "
    lines = [x for x in result.stderr.splitlines() if re.match(thread, x) or re.match(process, x)]
    return result.returncode == status and len(lines) == 1


def test_ends(top):
    for end in ENDS:
        if end == "cancel" and b"__asan_init" in SCREE.read_bytes():
            tap.skip("cancel in a running call is named", "the address sanitizer keeps unwound frames poisoned")
            continue
        result = scree(top, "run", "force", f"force.compute {end} 4", "--threads", "1")
        status, how = (-signal.SIGKILL, "signal 9, Killed") if end == "kill" else (3, "exit status 0")
        tap.check(f"{end} in a running call is named, status {status}", named(result, "force", "compute", 2, status, how), result)
        if end not in ("exit", "_exit", "cancel", "exec"):
            continue
        result = scree(top, "run", "force", f"force.create {end}")
        tap.check(f"{end} in create is named, status 3", named(result, "force", "create", None)
                  and not result.stdout, result)
    for kind, call in CALLS:
        result = scree(top, "run", kind, f"{kind}.{call} _exit")
        tap.check(f"an end in {call} of a {kind} is named, status 3",
                  named(result, kind, call, r"\d+" if " at step " in result.stderr else None), result)
    for end in ("exit", "_exit", "cancel", "syscall"):
        # In which step another lane gets its first chunk is left to the pool.
        result = scree(top, "run", "integrator", f"integrator.worker {end}", "--oversubscribe", "--threads", "3", "--steps", "200")
        tap.check(f"{end} in a chunk on another lane is named, and nobody waits for it",
                  named(result, "integrator", "begin", r"\d+"), result)


def test_closed(top):
    """All descriptors are closed: the line comes by way of the parent's."""
    for kind, call, when, line in (
            ("force", "create", "", r"force/stray \(force\[0\]\) misbehaved in create: "),
            ("modifier", "after_step", " 1", r"modifier/stray \(modifiers\.w\) misbehaved in after_step at step 0: "),
            ("force", "compute", " 6", r"a plugin misbehaved in a call between steps 0 and \d+ \(scree check FILE says which one\): ")):
        result = scree(top, "run", kind, f"{kind}.{call} closes{when}", "--steps", "150")
        tap.check(f"a {call} that closes all descriptors is named, status 3", result.returncode == 3 and re.search(
            f"^scree: {line}it closed the standard streams of the program$", result.stderr, re.M), result)


def test_stopped(top):
    """Commands that save nothing end at the first signal, and name the call, in a child too."""
    where = r"scree: SIGTERM: the command is ended in force/stray \(.*\), call create"
    for words in (command(top, "validate", "force"), ["check", top / "plugins/stray_force.so"]):
        for wait in (0.3, 1.0, 3.0):  # [s] until the call is under way
            process = runs.start(top, *words, env=environment("force.create sleeps"), stdout=subprocess.DEVNULL)
            time.sleep(wait)
            process.send_signal(signal.SIGTERM)
            seen = runs.end_of(process)[1]
            if re.search(where, seen):
                break
        tap.check(f"{words[0]}: one signal ends it, and names the call", process.returncode == -signal.SIGTERM
                  and re.search(where, seen), (process.returncode, seen))


def test_other_commands(top):
    result = scree(top, "validate", "force", "force.create exit")
    tap.check("validate: an end in create is named, status 3", named(result, "force", "create", None), result)
    result = scree(top, "compare", "force", "force.compute exit 3", "--steps", "4", "--repeats", "1")
    tap.check("compare: an end in a child is named, status 3", result.returncode == 3 and re.search(
        r"the process ended in force/stray \(.*\), call compute at step \d+ \(exit status 0\): by this call",
        result.stdout + result.stderr), result)
    result = scree(top, "run", None, "force.compute exit", "--set",
                   'schedule=({at_step=2; set={force=({plugin="stray";});};})')
    tap.check("swap: an end in the step of the trial refuses the swap by its call", re.search(
        r"refused, .*the process ended in force/stray \(.*\), call compute at step 2 \(exit status 0\)", result.stderr),
        result)


def stopped(top, kind, stray, *more):
    """A run whose plugin has said that it is in its call, and that has got a signal."""
    process = runs.start(top, *command(top, "run", kind, *more), env=environment(stray), stdout=subprocess.DEVNULL)
    while "stray: " not in (process.stderr.readline() or "stray: "):
        pass
    process.send_signal(signal.SIGTERM)
    return process


def stop(top, kind, stray, *more):
    """A run stopped once, then again: what it said after the first, its end."""
    process = stopped(top, kind, stray, *more)
    first, begin = "", time.monotonic()
    while "still in" not in first and time.monotonic() - begin < 20.0:
        line = process.stderr.readline()
        if not line:
            break
        first += line
    alive = process.poll() is None
    process.send_signal(signal.SIGTERM)
    rest = process.communicate(timeout=30)[1]
    return first, alive, rest, process.returncode


def test_hangs(top):
    for kind, call, deed, more in (("force", "compute", "hangs 4", ()), ("observer", "finish", "sleeps", ()),
                                   ("integrator", "worker", "hangs", ("--threads", "2", "--steps", "200"))):
        first, alive, rest, status = stop(top, kind, f"{kind}.{call} {deed}", *more)
        where = rf"{kind}/stray \(.*\), call {'begin' if call == 'worker' else call}"
        tap.check(f"{kind}: a call of {call} that hangs is named when the run is stopped", alive and re.search(
            rf"scree: SIGTERM: still in {where}.*; a second signal ends the run", first), (first, rest))
        tap.check(f"{kind}: the second signal ends it, and names {call} again", status == -signal.SIGTERM
                  and re.search(rf"scree: SIGTERM: the run is ended in {where}", rest), (status, rest))
    process = stopped(top, "force", "force.create sleeps")
    rest = process.communicate(timeout=30)[1]
    tap.check("one signal ends a set-up, names the call, status 4", process.returncode == 4 and re.search(
        r"scree: SIGTERM: the set-up is ended in force/stray \(.*\), call create.*; no state was saved", rest),
        (process.returncode, rest))


def test_floods(top):
    if b"__asan_init" in SCREE.read_bytes():
        tap.skip("an endless output is refused by number", "the address sanitizer starts with no limit of memory")
        return
    for deed in ("repeats", "floods"):
        result = scree(top, "run", "gcd", f"gcd.find_neighbors {deed}", memory=4 * GIB)
        tap.check(f"a GCD that {deed} a pair without end is refused by number", result.returncode == 3
                  and re.search(r"gcd/stray \(gcd\) (failed|misbehaved) in find_neighbors.*: it committed \d+ "
                                r"pairs of 3 boxes, which have 3", result.stderr), result)
    result = scree(top, "run", "gcd", "gcd.find_neighbors room", memory=4 * GIB)
    tap.check("a GCD that asks for more room than there is memory is refused by number", result.returncode == 3
              and re.search(r"gcd/stray .* it asked for room for 1125899906842624 pairs of 3 boxes, memory is "
                            r"left for [\d.]+ MB", result.stderr), result)
    many = ("--set", 'generate={g={radius=0.001; count=40000; material="glass"; '
            'region={min=(0.0,0.0,0.1); max=(1.0,1.0,1.1);};};}')
    result = scree(top, "run", "gcd", "gcd.find_neighbors repeats", *many, memory=2 * GIB)
    tap.check("a GCD that commits more pairs than memory holds is refused by number", result.returncode == 3
              and re.search(r"gcd/stray .* it has committed \d+ pairs of 40003 boxes, memory is left for",
                            result.stderr), result)
    for deed in ("inserts", "floods"):
        result = scree(top, "run", "modifier", f"modifier.after_step {deed}", memory=2 * GIB)
        tap.check(f"a modifier that {deed} without end is refused by number", result.returncode == 3
                  and re.search(r"modifier/stray \(modifiers\.w\) (failed|misbehaved) in after_step.*: insert: "
                                r"body \d+ of this step", result.stderr), result)


def controls(text):
    """Characters that a terminal obeys, and bytes that are not UTF-8."""
    return re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202e]", text)


def test_texts(top):
    result = scree(top, "run", "gcd", "gcd.find_neighbors logs")
    tap.check("what a plugin logs has no control characters", result.returncode == 0
              and not controls(result.stderr) and r"red \x1B[31m bell \x07 title" in result.stderr
              and r"C1 \xC2\x9B2J raw \x9B end" in result.stderr, result)
    result = scree(top, "run", "gcd", "gcd.find_neighbors fails")
    tap.check("the reason that a plugin gives is one line without control characters",
              not controls(result.stderr) and r"line\x0Ascree: done\x0D\x1B[2J" in result.stderr, result)
    result = scree(top, "run", "gcd", "gcd.find_neighbors talks")
    longest = max(map(len, result.stderr.splitlines()))
    tap.check("what a plugin says is cut, with an ellipsis", longest < 1200
              and result.stderr.count("x…") == 2, (longest, result.returncode))
    title = "\x1b[31mred\u009b2J \u202e turned " + "long " * 1000
    (top / "title.cfg").write_text(SCENE.replace("three in a row", title), encoding="utf-8")
    args = ["run", "--plugin-path", str(top / "plugins"), str(top / "title.cfg"), "-q"]
    for more in ((), ("--json",), ("--set", "gcd={plugin=\"\x1b[2J\";}"), ("--set", "sc\x1b[2Jene.dt=1")):
        result = runs.scree(top, *args, *more, env=environment(None), errors="surrogateescape")
        tap.check(f"texts of a scene are printed without control characters {more!r}",
                  not controls(result.stdout + result.stderr), result)
        if more == ("--json",):
            tap.check("the title in --json is what the scene says", json.loads(result.stdout)["title"] == title,
                      result.stdout[:300])
        elif not more:
            tap.check("a long title is cut", max(map(len, result.stdout.splitlines())) < 1200, result.stdout[:300])


def prepare(top):
    (top / "plugins").mkdir()
    (top / "scene.cfg").write_text(SCENE, encoding="utf-8")
    for path in MODULES.glob("stray_*.so"):
        shutil.copy(path, top / "plugins")


if __name__ == "__main__":
    tap.in_folder(prepare, test_ends, test_closed, test_stopped, test_other_commands, test_hangs, test_floods, test_texts)
