# SPDX-License-Identifier: Apache-2.0
"""State of plugins over a kill and a restart, over a swap, and what is wrong with it.

usage: test_state.py SCREE PLUGINS SCENE
"""
import pathlib
import re
import shutil
import subprocess
import sys

import runs
import tap

SCREE, PLUGINS, SCENE = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
MEANS = 'observers={ window={ plugin="window_mean"; file="window.csv"; every_steps=10; }; }'
SAVE = "checkpoint={ every_steps = 700; }"


def environment(plugins):
    return runs.environment(SCREE_PLUGIN_PATH=str(plugins))


def scree(top, *args, plugins=PLUGINS):
    return runs.scree(top, *args, env=environment(plugins))


def hash_of(done):
    return [line for line in done.stdout.splitlines() if line.startswith("state_sha256")]


def energy_of(done):
    return [line for line in done.stdout.splitlines() if line.startswith("energy")]


def rows(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def killed(top):
    """A run that is killed once its state of step 700 is there."""
    run = runs.start(top, "run", SCENE, "-o", "killed", "--set", MEANS, "--set", SAVE, "--steps", "2000000", env=environment(PLUGINS),
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    saved = top / "killed" / "checkpoint-700.h5"
    runs.wait_for(saved.exists, run)
    run.kill()
    run.wait()
    for later in (top / "killed").glob("checkpoint-*.h5"):
        if later != saved:
            later.unlink()
    return saved


def only(top, name, module):
    """A folder with one plugin file."""
    folder = top / name
    folder.mkdir()
    shutil.copy(PLUGINS / "sins" / (module + ".so"), folder)
    return folder


def check_goes_on(top):
    whole = scree(top, "run", SCENE, "-o", "whole", "--set", MEANS)
    tap.check("a run with both ends well", whole.returncode == 0, whole.stdout + whole.stderr)
    saved = killed(top)
    rest = scree(top, "run", SCENE, "--restart", saved, "-o", "rest", "--set", MEANS, "--set", SAVE, "--steps", 1300)
    tap.check("the run goes on after a kill", rest.returncode == 0, rest.stdout + rest.stderr)
    tap.check("with the hash of a run that was not cut", hash_of(whole) and hash_of(whole) == hash_of(rest),
              str(hash_of(whole)) + str(hash_of(rest)))
    tap.check("and its energies", energy_of(whole) == energy_of(rest), str(energy_of(whole)) + str(energy_of(rest)))
    for name in ["window.csv"]:
        a = [row for row in rows(top / "whole" / name) if int(row.split(",")[0]) > 700]
        b = rows(top / "rest" / name)
        tap.check(f"{name} goes on bit for bit", len(a) == 130 and a == b, f"{a[:2]} {b[:2]}")
    bare = scree(top, "run", SCENE, "-o", "bare", "--set", "modifiers.recall.stiffness=0.0")
    tap.check("what the modifier remembers matters", hash_of(bare) != hash_of(whole), bare.stderr)
    same = [hash_of(scree(top, "run", SCENE, "-o", f"r{k}", *words)) for k, words in enumerate([
        ["--threads", 2], ["--threads", 3, "--set", 'gcd={ plugin="dess"; }'], ["--set", 'gcd={ plugin="lbvh"; }'],
        ["--set", 'extent={ renew="moved"; }']])]
    tap.check("one hash over GCDs, threads, renewals", same == [hash_of(whole)] * len(same), str(same))
    return saved


def check_refused(top, saved):
    again = ["run", SCENE, "--restart", saved, "--set", MEANS, "--steps", 10]
    changed = "--allow-plugin-change"
    newer = scree(top, *again, "-o", "n1", changed, plugins=only(top, "newer", "newer"))
    tap.check("another version begins without its state when allowed, with a line each",
              newer.returncode == 0 and newer.stderr.count("begins without a state") == 2, newer.stderr)
    other = scree(top, *again, "-o", "n2", plugins=top / "newer")
    tap.check("and is refused else", other.returncode in (2, 3) and "version 1.0.0" in other.stderr, other.stderr)
    for sin, text in {"ignores": "after it save() gives other bytes than those that were loaded",
                      "forgets": "after it save() gives other bytes than those that were loaded",
                      "unlike": "after it save() gives other bytes than those that were loaded"}.items():
        done = scree(top, *again, "-o", "l" + sin, changed, plugins=only(top, sin, sin))
        tap.check(f"load() that {sin} is blamed by name", done.returncode == 3 and text in done.stderr
                  and "misbehaved in load" in done.stderr, done.stderr)
    for sin, text in {"fails": "nothing to save today", "endless": "more than 268435456 bytes"}.items():
        done = scree(top, "run", SCENE, "-o", "s" + sin, "--set", "checkpoint={ every_steps = 5; }", "--steps", 10,
                     plugins=only(top, sin, sin))
        tap.check(f"save() that {sin} is blamed by name", done.returncode in (1, 3) and text in done.stderr
                  and "modifier/recall (modifiers.recall)" in done.stderr, done.stderr)
    none = only(top, "none", "no_state")
    lean = scree(top, "run", SCENE, "-o", "lean", "--set", "checkpoint={ every_steps = 5; }", "--steps", 5, plugins=none)
    lack = scree(top, "run", SCENE, "--restart", "lean", "-o", "lack", "--steps", 5, "--allow-plugin-change")
    tap.check("a checkpoint without the state gives a line", lean.returncode == 0 and lack.returncode == 0
              and "begins without a state" in lack.stderr, lean.stderr + lack.stderr)
    dropped = scree(top, *again, "-o", "gone", changed, plugins=none)
    tap.check("a state that nobody takes is dropped with a line", dropped.returncode == 0
              and "modifiers.recall: the state of modifier/recall is dropped" in dropped.stderr, dropped.stderr)


def check_checks(top):
    good = scree(top, "check", PLUGINS / "state.so")
    tap.check("scree check finds them sound", good.returncode == 0 and good.stdout.count("ok      state:") == 2,
              good.stdout + good.stderr)
    for sin, case, text in [
            ("ignores", "run-saved", "after it save\\(\\) gives other bytes than those that were loaded"),
            ("forgets", "run-saved", "after it save\\(\\) gives other bytes than those that were loaded"),
            ("unlike", "state", "of the same state save\\(\\) gives other bytes"),
            ("takes", "state", "load\\(\\) takes 137 bytes where save\\(\\) gave 136"),
            ("hides", "run-saved", "saved and loaded after each step, later each 15th: (file mean.csv|another state)")]:
        done = scree(top, "check", PLUGINS / "sins" / (sin + ".so"), "--case", case)
        tap.check(f"and what {sin} not", done.returncode == 3 and len(re.findall(f"not ok  {case}:", done.stdout)) == 2
                  and len(re.findall(text, done.stdout)) >= 2, done.stdout + done.stderr)


def check_swap(top):
    live = 'schedule=( { at_step = 300; set = { modifiers = { recall = { plugin = "recall"; stiffness = %s; }; }; }; } )'
    same = scree(top, "run", SCENE, "-o", "same", "--set", live % "1.0", "--steps", 600)
    plain = scree(top, "run", SCENE, "-o", "plain", "--steps", 600)
    tap.check("a swap with itself hands the state on", hash_of(same) and hash_of(same) == hash_of(plain)
              and "modifiers.recall: state of modifier/recall kept" in same.stderr, same.stderr)
    off = 'schedule=( { at_step = 300; set = { modifiers = { recall = "off"; }; }; } )'
    gone = scree(top, "run", SCENE, "-o", "off", "--set", off, "--steps", 600)
    tap.check("taken out it is dropped, with a line", gone.returncode == 0
              and "modifiers.recall: state of modifier/recall: dropped" in gone.stderr, gone.stderr)


def check_restarts(top):
    saved = check_goes_on(top)
    check_refused(top, saved)


tap.in_folder(check_restarts, check_swap, check_checks)
