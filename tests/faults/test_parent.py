# SPDX-License-Identifier: Apache-2.0
"""The parent of a program sees each end of it, hands signals on, ends as it does, and leaves nothing behind.

usage: test_parent.py SCREE FOLDER_OF_MODULES
"""
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import time

import runs
import tap
from test_stray import CHOICES, SCENE

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
LONG = ("--steps", str(10 ** 9))
MARK = f"parent-{os.getpid()}"


def environment(stray=""):
    return runs.environment(MARK=MARK, STRAY=stray)


def command(top, *more, verb="run", kind=None):
    return [str(SCREE), verb, "--plugin-path", str(top / "plugins"), str(top / "scene.cfg"),
            *(("-q",) if verb == "run" else ()), *(("--set", CHOICES[kind]) if kind else ()), *more]


def run(top, *more, stray="", kind=None, line=None, verb="run"):
    return runs.call(top, *(line or command(top, *more, kind=kind, verb=verb)), env=environment(stray))


def start(top, *more, stray="", kind=None, line=None):
    """In a group of its own, of this session: a group that no other process of its session looks after is not stopped."""
    return runs.launch(top, *(line or command(top, *more, kind=kind)), env=environment(stray), preexec_fn=os.setpgrp)


def left_over():
    """Processes that a command of this test has started and that still run: number, state, command."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"MARK={MARK}".encode() in (path / "environ").read_bytes() and int(path.name) != os.getpid():
                found.append((int(path.name), state(int(path.name)), (path / "cmdline").read_bytes()[:80]))
        except OSError:  # it has ended, or is another user's
            pass
    return [x for x in found if x[1] not in ("Z", "")]


def none_left():
    return runs.wait_for(lambda: not left_over(), limit=10.0)


def state(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def child_of(process):
    """The program, whose parent `process` is."""
    path = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    words = runs.wait_for(lambda: path.read_text().split(), limit=20.0)
    return int(words[0]) if words else None


def started(top, folder, **more):
    process = start(top, "-o", folder, *LONG, **more)
    runs.wait_for((top / folder / "scene.cfg").exists)
    time.sleep(0.1)
    return process


def one_line(result, text):
    lines = [x for x in result.stderr.splitlines() if re.match(text, x)]
    return result.returncode == 3 and len(lines) == 1 and not result.stdout


def test_ends(top):
    """Ends after the call, by a thread that the plugin has started; and ends that libc makes for itself."""
    outside = r"scree: the process ended (outside of any call into a plugin|in \S+ \(.*\), call \w+) at step \d+ " \
              r"\((exit status 0|signal 15, Terminated)\): by .*a thread that a plugin has started"
    for deed in ("exit", "_exit", "found", "syscall", "exec", "daemon", "term"):
        result = run(top, *LONG, "-o", f"late-{deed}", "--threads", "1", stray=f"force.compute late_{deed}", kind="force")
        tap.check(f"{deed} by a thread of a plugin after the call: one line, status 3, no results", one_line(result, outside)
                  and not (top / f"late-{deed}/summary.json").exists()
                  and f"scree: note: what was written until then is in late-{deed}" in result.stderr, result)
    result = run(top, *LONG, "-o", "late-abort", "--threads", "2", stray="force.compute late_abort", kind="force")
    tap.check("a crash of a plugin's thread is not said to be the host's", result.returncode == -signal.SIGABRT and re.search(
        r"crash \(SIGABRT\) in a thread that a plugin, or a library of it, has started, step \d+", result.stderr), result)
    for deed in ("fork", "daemon"):
        result = run(top, *LONG, "-o", f"copy-{deed}", stray=f"force.compute {deed} 4", kind="force")
        tap.check(f"{deed} in a call is not done: it is named, and no copy writes into the folder", one_line(
            result, r"scree: force/stray \(force\[0\]\) misbehaved in compute at step 2: it forks; a copy of the run"), result)
    for deed in ("found", "term"):
        result = run(top, "-o", f"now-{deed}", stray=f"force.compute {deed} 4", kind="force")
        tap.check(f"{deed} in a call names it", one_line(
            result, r"scree: the process ended in force/stray \(force\[0\]\), call compute at step 2 \(.*\): by this call, "), result)
    tap.check("none of them goes on, also no copy that daemon() has made", none_left(), left_over())
    result = run(top, "-o", "made", stray="force.create _exit", kind="force")
    tap.check("a folder without anything in it is not left behind", result.returncode == 3
              and not (top / "made").exists(), result)


def test_status(top):
    whole, alone = run(top, "--json"), run(top, "--json", "--no-parent")
    both = [json.loads(r.stdout) for r in (whole, alone) if r.returncode == 0]
    tap.check("a run has one state, with a parent and without", len(both) == 2
              and both[0]["state_sha256"] == both[1]["state_sha256"], (whole, alone))
    claim = "the peak of memory is that of the run"
    if "SCREE_SANITIZED" in os.environ:
        tap.skip(claim, "a sanitizer holds freed memory back for a while")
    else:
        tap.check(claim, len(both) == 2 and abs(both[0]["peak_rss_bytes"] - both[1]["peak_rss_bytes"]) < 2 ** 20 * 3 // 2,
                  [b["peak_rss_bytes"] for b in both])
    tap.check("statuses are those of the program", run(top, "--set", "nothing=1").returncode == 2
              and run(top, stray="force.compute positive 3", kind="force").returncode == 3
              and run(top, line=[str(SCREE), "--no-parent", "--version"]).returncode == 0
              and run(top, line=[str(SCREE), "run", "none.cfg"]).returncode == 2)
    process = start(top, *LONG, "--no-parent")
    time.sleep(0.3)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.communicate()
    tap.check("--no-parent is one process", not children, children)
    process = started(top, "killed")
    os.kill(child_of(process), signal.SIGKILL)
    err = process.communicate(timeout=60)[1]
    tap.check("a program that is killed is reported, and the parent ends by the same signal",
              process.returncode == -signal.SIGKILL and "(signal 9, Killed)" in err and "want of memory" in err
              and "is in killed" in err, (process.returncode, err))
    for number in (signal.SIGSEGV, signal.SIGABRT):
        process = started(top, f"crash-{number}")
        os.kill(child_of(process), number)
        err = process.communicate(timeout=60)[1]
        tap.check(f"a crash is one line, and the parent ends by it ({number})", process.returncode == -number
                  and err.count("scree: crash (") == 1 and "the process ended" not in err, (process.returncode, err))


def stopped_well(process, folder):
    """Status 4, one request of the user, and the state is saved."""
    err = process.communicate(timeout=60)[1]
    return (process.returncode == 4 and "stopped by SIG" in err and "the run is ended" not in err
            and list(folder.glob("checkpoint-*.h5")) and (folder / "summary.json").exists()), (process.returncode, err)


def test_signals(top):
    ways = {"only the parent": lambda p: p.send_signal(signal.SIGTERM),
            "its group, as a terminal does": lambda p: os.killpg(p.pid, signal.SIGINT),
            "only the program": lambda p: os.kill(child_of(p), signal.SIGTERM),
            "each process, as a batch system does": lambda p: [os.kill(x, signal.SIGTERM) for x in (child_of(p), p.pid)],
            "the parent, then its group, as timeout does": lambda p: (os.kill(p.pid, signal.SIGTERM),
                                                                      os.killpg(p.pid, signal.SIGTERM))}
    for n, (target, send) in enumerate(ways.items()):
        process = started(top, f"stop-{n}")
        send(process)
        tap.check(f"a signal to {target} stops the run once, saved, status 4", *stopped_well(process, top / f"stop-{n}"))
    if shutil.which("timeout"):
        line = ["timeout", "-s", "TERM", "2", *command(top, "-o", "timeout", *LONG)]
        result = run(top, line=line)
        tap.check("timeout(1) stops a run, which saves its state", result.returncode == 124
                  and "stopped by SIGTERM" in result.stderr and list((top / "timeout").glob("checkpoint-*.h5")), result)
    process = start(top, stray="force.compute sleeps 4", kind="force")
    while "stray: " not in (process.stderr.readline() or "stray: "):
        pass
    os.killpg(process.pid, signal.SIGINT)
    runs.wait_for(lambda: "still in" in process.stderr.readline())
    going_on = process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    err = process.communicate(timeout=30)[1]
    tap.check("the second signal to the group ends a call that hangs, by the signal", going_on
              and process.returncode == -signal.SIGINT and "SIGINT: the run is ended in force/stray" in err,
              (process.returncode, err))
    process = started(top, "saved")
    process.send_signal(signal.SIGUSR1)
    saved = runs.wait_for(lambda: bool(list((top / "saved").glob("checkpoint-*.h5"))))
    process.send_signal(signal.SIGHUP)
    tap.check("SIGUSR1 and SIGHUP are handed on", *((lambda a, b: (a and saved, b))(*stopped_well(process, top / "saved"))))
    process = start(top, line=command(top, verb="validate", kind="force"), stray="force.create sleeps")
    while "stray: " not in (process.stderr.readline() or "stray: "):
        pass
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=30)[1]
    tap.check("a command that saves nothing ends by the signal, and names the call", process.returncode == -signal.SIGTERM
              and err == "scree: SIGTERM: the command is ended in force/stray (force[0]), call create\n", (process.returncode, err))
    tap.check("none of them goes on", none_left(), left_over())


def test_stops(top):
    for target, send in (("the parent", os.kill), ("the group", os.killpg)):
        process = started(top, f"tstp-{target[4:]}")
        both = (process.pid, child_of(process))
        send(process.pid, signal.SIGTSTP)
        stopped = runs.wait_for(lambda: [state(x) for x in both] == ["T", "T"])
        send(process.pid, signal.SIGCONT)
        goes_on = runs.wait_for(lambda: all(state(x) in "RS" for x in both))
        process.send_signal(signal.SIGTERM)
        good, seen = stopped_well(process, top / f"tstp-{target[4:]}")
        tap.check(f"SIGTSTP to {target} stops both, SIGCONT lets both go on", stopped and goes_on and good,
                  (stopped, goes_on, seen))


def test_together(top):
    process = started(top, "alone")
    program = child_of(process)
    process.kill()
    process.communicate()
    tap.check("the program ends with its parent", runs.wait_for(lambda: state(program) in ("", "Z")), state(program))
    for k in range(40):  # at the start
        process = start(top, *LONG)
        time.sleep(0.0003 * k)
        process.kill()
        process.communicate()
    tap.check("so it does in the first moments", none_left(), left_over())
    process = start(top, line=[str(SCREE), "compare", str(top / "scene.cfg"), "--vary", "gcd.plugin=grid,dess", "--steps",
                               "100000000", "--repeats", "1"])
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=60)[1]
    tap.check("compare stops with status 4 on a signal, and its children end", process.returncode == 4 and none_left(),
              (process.returncode, err, left_over()))
    process = start(top, line=[str(SCREE), "compare", str(top / "scene.cfg"), "--vary", "gcd.plugin=grid,dess", "--steps",
                               "100000000", "--repeats", "1"])
    time.sleep(1.0)
    process.kill()
    process.communicate()
    tap.check("its children end with its parent", none_left(), left_over())


def test_mpi(top):
    """Each process that mpirun starts is a parent."""
    claims = "mpirun: two runs end with status 0", "mpirun: a plugin that ends a run fails the job with status 3"
    line = ["mpirun", "--oversubscribe", "-n", "2"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    works = shutil.which("mpirun") and run(top, line=[*line, "true"]).returncode == 0
    if not works:
        for claim in claims:
            tap.skip(claim, "no mpirun that works")
        return
    result = run(top, line=[*line, *command(top)])
    tap.check(claims[0], result.returncode == 0 and result.stdout.count("three in a row") == 2, result)
    result = run(top, line=[*line, *command(top, *LONG, kind="force")], stray="force.compute late_exit")
    tap.check(claims[1], result.returncode == 3 and "by a thread that a plugin has started" in result.stderr
              and none_left(), (result, left_over()))
    process = start(top, line=[*line, *command(top, *LONG)])
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    tap.check("mpirun: a signal ends all of them", process.returncode != 0 and none_left(), left_over())


def prepare(top):
    (top / "plugins").mkdir()
    (top / "scene.cfg").write_text(SCENE)
    for path in MODULES.glob("stray_force.so"):
        shutil.copy(path, top / "plugins")


if __name__ == "__main__":
    tap.in_folder(prepare, test_ends, test_status, test_signals, test_stops, test_together, test_mpi)
