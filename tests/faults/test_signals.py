# SPDX-License-Identifier: Apache-2.0
"""Signals save a run: SIGUSR1 from its first moment on, SIGHUP and SIGPIPE as SIGTERM does.

usage: test_signals.py SCREE
"""
import json
import os
import pathlib
import signal
import sys
import time

import runs
import tap
from runs import scree

SCREE = pathlib.Path(sys.argv[1]).resolve()
SCENE = """
scene = { dt = 1.0e-5; steps = 200; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
generate = { beads = { plugin = "lattice"; count = 1000; radius = 0.005; velocity_random = 0.1;
    region = { min = (0.0, 0.0, 0.0); max = (0.2, 0.2, 0.2); }; }; };
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
"""
ENDLESS = str(10 ** 12)
CUBE = "region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }"
FULL = (f"scene.{CUBE}", 'scene.boundary="periodic"', f"generate.beads.{CUBE}", "force.0.kn=1.0e3")  # at each step some touch


def start(top, *args, **more):
    # A shell under nohup hands an ignored SIGHUP on.
    heeds = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)}
    return runs.start(top, *args, **{**heeds, **more})


def is_handled(process, number):
    """Whether the kernel knows a handler, or holds the signal back."""
    try:
        text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return False
    masks = [line.split()[1] for line in text.splitlines() if line.startswith(("SigBlk", "SigCgt"))]
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


def test_early(top):
    ends, saved = [], []
    for k in range(8):
        process = start(top, "run", "scene.cfg", "-o", f"early-{k}", "--steps", 300)
        # The dynamic linker is not ours: the first moment of the program is when it heeds the signal.
        end = time.monotonic() + 20.0
        while not is_handled(process, signal.SIGUSR1) and process.poll() is None and time.monotonic() < end:
            pass
        for _ in range(k + 1):
            process.send_signal(signal.SIGUSR1)
            time.sleep(0.004 * k)
        out, err = process.communicate(timeout=60)
        ends.append(process.returncode)
        saved.append(bool(list((top / f"early-{k}").glob("checkpoint-*.h5"))))
    tap.check("SIGUSR1 in set-up ends no run, and is heeded once there is a state", ends == [0] * 8 and all(saved),
              (ends, saved, err))
    ends = []
    for args in (("validate", "scene.cfg"), ("plugins",), ("compare", "scene.cfg", "--vary", "gcd.plugin=grid,dess",
                                                          "--steps", 5, "--repeats", 1)):
        process = start(top, *args)
        while not is_handled(process, signal.SIGUSR1) and process.poll() is None:
            pass
        process.send_signal(signal.SIGUSR1)
        process.communicate(timeout=100)
        ends.append(process.returncode)
    tap.check("it ends no other command either", ends == [0] * 3, ends)


def test_hangup(top):
    process = start(top, "run", "scene.cfg", "-o", "hup", "--steps", ENDLESS, "-q")
    runs.wait_for((top / "hup/scene.cfg").exists, process)
    time.sleep(0.2)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=60)
    tap.check("SIGHUP saves the run: status 4, and the command that goes on", process.returncode == 4
              and "stopped by SIGHUP" in err and "scree run --restart hup/checkpoint-" in err
              and (top / "hup/summary.json").exists(), (process.returncode, err))
    process = start(top, "run", "scene.cfg", "-o", "nohup", "--steps", ENDLESS, "-q",
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    runs.wait_for((top / "nohup/scene.cfg").exists, process)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    going_on = process.poll() is None
    process.terminate()
    _, err = process.communicate(timeout=60)
    tap.check("a run under nohup goes on", going_on and process.returncode == 4 and "stopped by SIGTERM" in err,
              (process.returncode, err))


def test_last_contacts(top):
    """A step after which only scalars are due records no contacts; the stopped run takes one that does."""
    table = ("--set", 'observers={ c = { plugin = "csv"; what = "contacts"; every_steps = 1000000000; }; '
             's = { plugin = "csv"; every_steps = 1; }; }', *(w for s in FULL for w in ("--set", s)))
    process = start(top, "run", "scene.cfg", "-o", "stopped", "--steps", ENDLESS, "-q", *table)
    runs.wait_for((top / "stopped/scene.cfg").exists, process)
    time.sleep(0.3)
    process.terminate()
    process.communicate(timeout=60)
    steps = json.loads((top / "stopped/summary.json").read_text())["steps"]
    seen = scree(top, "run", "scene.cfg", "-o", "same", "--steps", steps, "-q", *table)
    rows = {name: (top / name / "contacts.csv").read_text() for name in ("stopped", "same")}
    tap.check("the table of contacts ends with those of the last step", seen.returncode == 0
              and rows["stopped"].splitlines()[-1].startswith(f"{steps},") and rows["stopped"] == rows["same"],
              (steps, *(text[-300:] for text in rows.values())))


def test_pipe(top):
    process = start(top, "run", "scene.cfg", "-o", "pipe", "--steps", ENDLESS, "--set", "checkpoint.every_steps=20")
    runs.wait_for((top / "pipe/scene.cfg").exists, process)
    process.stderr.read(10)
    process.stderr.close()
    process.stdout.close()
    runs.end_of(process)
    tap.check("a reader of the messages that goes away ends the run with status 4, saved", process.returncode == 4
              and (top / "pipe/summary.json").exists() and list((top / "pipe").glob("checkpoint-*.h5")),
              (process.returncode, list((top / "pipe").iterdir())))
    process = start(top, "run", "scene.cfg", "-o", "head", "-q")
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    tap.check("a report that nobody reads is an error of status 1, and the folder is whole", process.returncode == 1
              and "cannot write to standard output" in err and (top / "head/summary.json").exists(),
              (process.returncode, err))


    for words in (("plugins",), ("validate", "scene.cfg"), ("--help",)):
        read, write = os.pipe()
        os.close(read)
        seen = scree(top, *words, stdout=write, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        os.close(write)
        tap.check(f"scree {words[0]} whose reader goes away ends by SIGPIPE, and blames no plugin",
                  seen.returncode == -signal.SIGPIPE and not seen.stderr, seen)


def test_compare(top):
    process = start(top, "compare", "scene.cfg", "--vary", "gcd.plugin=grid,dess", "--steps", 100000, "--repeats", 100)
    time.sleep(1.0)
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=60)
    tap.check("SIGHUP stops a comparison as SIGTERM does", process.returncode == 4, (process.returncode, err))


def prepare(top):
    (top / "scene.cfg").write_text(SCENE)


tap.in_folder(prepare, test_early, test_hangup, test_last_contacts, test_pipe, test_compare)
