# SPDX-License-Identifier: Apache-2.0
"""scree compare with contact detections that do wrong: they are named, the others go on.

usage: test_compare.py SCREE FOLDER_OF_MODULES
"""
import json
import os
import re
import shlex
import shutil
import signal
import pathlib
import sys

import runs
import tap

SCREE, MODULES = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
# The one pair is dropped once the ball has come below a place: after it has touched.
SCENE = """
scene = { title = "a ball against another"; dt = 1.0e-5; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    wall = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); motion = "fixed"; };
    ball = { shape = "sphere"; radius = 0.005; position = (0.0101, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e3; restitution = 0.8; } );
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
"""
BAD = ('gcd.plugin=sins', 'gcd.sin=misses', 'gcd.below=0.0095')
GOOD = ("--variant", "grid", "gcd.plugin=grid", "--variant", "hashing", "gcd.plugin=hashing")


def scree(top, command, *args):
    return runs.scree(top, command, "--plugin-path", top / "plugins", top / "scene.cfg", "-q", *args)


def compare(top, *args):
    """The result, and what --json has printed."""
    result = scree(top, "compare", "--repeats", "2", "--json", *args)
    return result, json.loads(result.stdout or "{}")


def state(top, steps, *settings):
    more = [word for setting in settings for word in ("--set", setting)]
    result = scree(top, "run", "--json", "--steps", str(steps), *more)
    return json.loads(result.stdout)["state_sha256"]


def by_name(data):
    return {v["name"]: v for v in data["variants"]}


def test_missed_pair(top):
    result, data = compare(top, *GOOD, "--variant", "bad", *BAD, "--steps", "150")
    found = data["disagreements"]
    tap.check("a GCD that drops a pair ends with status 3", result.returncode == 3 and len(found) == 1,
              result.stderr)
    tap.check("both variants are named", found[0]["variants"] == ["bad", "grid"]
              and "bad and grid differ only in gcd" in result.stderr, found)
    step = found[0]["first_step"]
    same = [state(top, n, *BAD) == state(top, n, "gcd.plugin=grid") for n in (step - 1, step)]
    tap.check("their states differ after the step that is named, and not before", same == [True, False]
              and f"the first step at which they differ: {step}" in result.stderr, (step, same, result.stderr))
    marks = {n: v["disagrees"] for n, v in by_name(data).items()}
    tap.check("the odd one is marked, and never the fastest", marks == {"grid": False, "hashing": False,
              "bad": True} and data["fastest"]["name"] in ("grid", "hashing"), marks)
    result, data = compare(top, *GOOD, "--variant", "bad", *BAD[:2], "gcd.below=-1.0", "--steps", "150")
    tap.check("the same GCD without its sin agrees", result.returncode == 0 and not data["disagreements"], result.stderr)
    result, data = compare(top, *GOOD, "--variant", "soft", "gcd.plugin=grid", "force.0.kn=900", "--steps", "150")
    hashes = {v["state_sha256"] for v in data["variants"]}
    tap.check("variants that differ in a law may come to other states", result.returncode == 0
              and len(hashes) == 2 and not data["disagreements"], result.stderr)


def test_threads(top):
    """Numbers of threads are compared as GCDs are."""
    if len(os.sched_getaffinity(0)) < 2:
        tap.skip("threads that change the state", "it takes two CPUs")
        return
    words = [word for setting in (BAD[0], "gcd.sin=misses_on_lanes", BAD[2]) for word in ("--set", setting)]
    result, data = compare(top, *words, "--vary", "threads=1,2", "--steps", "150")
    tap.check("threads that change the state end with status 3", result.returncode == 3 and len(data["disagreements"]) == 1
              and "differ only in threads and reach different states" in result.stderr, result)
    result, data = compare(top, "--vary", "threads=1,2", "--steps", "150")
    tap.check("those that do not agree", result.returncode == 0 and not data["disagreements"], result)


def test_at_start(top):
    scene = top / "scene.cfg"
    scene.write_text(SCENE.replace("0.0101", "0.0099"))
    result, data = compare(top, *GOOD, "--variant", "bad", *BAD[:2], "--steps", "20")
    tap.check("a difference of the first evaluation is one of step 0", result.returncode == 3
              and data["disagreements"][0]["first_step"] == 0, result.stderr)
    scene.write_text(SCENE)


def test_failures(top):
    for sin, says in (("crashes", "crash (SIGILL) in gcd/sins (gcd), call find_neighbors"),
                      ("twice", "gcd/sins (gcd) misbehaved in find_neighbors at step "),
                      ("overdraws", "gcd/sins (gcd) misbehaved in find_neighbors")):
        result, data = compare(top, *GOOD, "--variant", "bad", "gcd.plugin=sins", f"gcd.sin={sin}", "--steps", "5")
        bad = by_name(data)["bad"]
        fine = [v["outcome"] for n, v in by_name(data).items() if n != "bad"]
        tap.check(f"{sin}: it is reported, the others continue, status 3", bad["outcome"] == "failed"
                  and says in bad["message"] and fine == ["ok", "ok"] and result.returncode == bad["status"] == 3
                  and f"bad failed: {bad['message']}" in result.stderr, (bad, result.stderr))
        line = re.search(r"^scree: to run only this one: scree (run .* --set gcd\.sin=\S+ .*)$", result.stderr, re.M)
        alone = line and runs.scree(top, *shlex.split(line[1]), "-q")
        tap.check(f"{sin}: the printed command runs only this one", alone and alone.returncode in (3, -signal.SIGILL) and says in alone.stderr,
                  (result.stderr, alone))
    result, data = compare(top, "--vary", "scene.dt=1e-5,1.0", "--steps", "5")
    seen = {n: (v["outcome"], v["message"]) for n, v in by_name(data).items()}
    tap.check("only the variant that cannot be run fails, status 1", result.returncode == 1
              and seen["scene.dt=1e-5"][0] == "ok" and seen["scene.dt=1.0"][0] == "failed"
              and "critical step" in seen["scene.dt=1.0"][1], (seen, result.stderr))


def test_limit(top):
    hung = ("--variant", "hung", "gcd.plugin=sins", "gcd.sin=hangs")
    result, data = compare(top, *GOOD, *hung, "--vary", "force.0.kn=1000,2000,500", "--steps", "5",
                           "--limit", "1.5")
    seen = {n: (v["outcome"], v["message"]) for n, v in by_name(data).items() if n.startswith("hung")}
    tap.check("what hangs is stopped, and its larger members are left out", result.returncode == 0 and seen == {
        "hung, force.0.kn=500": ("slow", None),
        "hung, force.0.kn=1000": ("left out", "> 1.5 s at force.0.kn=500"),
        "hung, force.0.kn=2000": ("left out", "> 1.5 s at force.0.kn=500")}, (seen, result.stderr))
    tap.check("the table says > S s", "> 1.5 s\n" in result.stderr
              and sum(v["outcome"] == "ok" for v in data["variants"]) == 6, result.stderr)
    result, data = compare(top, *hung, "--steps", "5", "--limit", "300 ms")
    tap.check("when nothing was timed the status is 1", result.returncode == 1 and data["fastest"] is None
              and "nothing was timed" in result.stderr, result.stderr)


def test_all(top):
    result, data = compare(top, "--vary", "force.0.plugin=all", "--steps", "2", "--set", "force.0.kn=1e3")
    out = "\n".join(data["left_out"])
    tap.check("all: laws that cannot serve the scene are named with the reason, those that can are timed",
              "force.0.plugin=hertz_mindlin: " in out and "young_modulus is missing" in out
              and "force.0.plugin=plastic: " in out and "k2" in out and result.returncode == 0
              and by_name(data).keys() >= {"force.0.plugin=incremental_penalty", "force.0.plugin=linear"},
              (out, result.stderr))


def prepare(top):
    (top / "plugins").mkdir()
    shutil.copy(MODULES / "sins_gcd.so", top / "plugins")
    (top / "scene.cfg").write_text(SCENE)


tap.in_folder(prepare, test_missed_pair, test_threads, test_at_start, test_failures, test_limit, test_all)
