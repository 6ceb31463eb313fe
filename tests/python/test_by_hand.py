# SPDX-License-Identifier: Apache-2.0
"""A run of Python writes changes by hand into its manifest and its checkpoints, as entries of the schedule.

usage: test_by_hand.py SCREE SOURCE
"""
import json
import pathlib
import sys

import scree
import tap
from runs import scree as program

SOURCE = pathlib.Path(sys.argv[2]).resolve()
LINEAR = {"plugin": "linear", "kn": 1e4, "restitution": 0.6, "friction": 0.4}
BOX = {
    "scene": {"dt": 1e-5, "steps": 3000, "gravity": (0.0, 0.0, -9.81)},
    "materials": {"m": {"density": 2500.0}},
    "shapes": {"floor": {"type": "plane", "normal": (0, 0, 1)}},
    "bodies": {"floor": {"shape": "floor"}},
    "generate": {"beads": {"plugin": "lattice", "radius": "1 mm", "region": {"min": (-0.004, -0.004, 0.001), "max": (0.004, 0.004, 0.009)},
                           "spacing": "2.02 mm", "velocity_random": 0.5}},
    "force": [LINEAR],
    # At the step of a change by hand, which comes first, the schedule replaces what it has set.
    "schedule": [{"at_step": 300, "set": {"force": [{**LINEAR, "friction": 0.1}]}}],
}


def steer(run):
    """Changes what can be changed by hand, on 500 steps."""
    run.step(100)
    run.swap(gcd={"plugin": "dess"})
    run.set("force.0.friction", 0.2)
    run.step(200)
    run.set("force.0.friction", 0.5)
    run.swap(modifiers={"air": {"plugin": "drag", "law": "stokes", "viscosity": 1e-3}})
    run.step(150)
    run.set("scene.dt", 8e-6)
    run.step(50)


def repeat(top, folder):
    seen = program(top, "run", "--repeat", folder / "manifest.json", "-q", "--json", "-o", top / "again")
    return json.loads(seen.stdout) if seen.returncode == 0 else seen


def test_repeat(top):
    with scree.open(BOX, folder=top / "run", say=lambda *_: None) as run:
        steer(run)
        run.set("scene.gravity", (0.0, 0.0, -5.0))
        summary = run.finish()
    manifest = json.loads((top / "run/manifest.json").read_text())
    made = [one["assignment"] for one in manifest["scene"]["overrides"] if "by_hand" in one["assignment"]]
    tap.check("the manifest has each change as an entry of the schedule, with its step",
              [one.partition("= ")[2].partition("L;")[0] for one in made] == ["100", "100", "300", "300", "450", "500"], made)
    again = repeat(top, top / "run")
    tap.check("--repeat does by hand what was done: before the schedule at the same step, and after the last step",
              isinstance(again, dict) and again["state_sha256"] == summary["state_sha256"], again)
    tap.check("the changes have an effect on the state", by_itself(500) != summary["state_sha256"])


def by_itself(steps):
    with scree.open(BOX, say=lambda *_: None) as run:
        run.step(steps)
        return run.hash


def test_restart(top):
    with scree.open(BOX, folder=top / "run", say=lambda *_: None) as run:
        steer(run)
        run.save(top / "c.h5")
        run.step(200)
        want = run.hash
    seen = program(top, "run", "--restart", top / "c.h5", "--steps", 200, "-q", "--json")
    tap.check("a checkpoint has the plugins and values that were set by hand", seen.returncode == 0 and
              json.loads(seen.stdout)["state_sha256"] == want, seen)
    with scree.open(None, restart=top / "c.h5", folder=top / "third", say=lambda *_: None) as run:
        run.step(100)
        run.swap(gcd={"plugin": "bvh"})
        run.set("force.0.friction", 0.3)
        run.step(100)
        summary = run.finish()
    again = repeat(top, top / "third")
    tap.check("--repeat repeats a steered run that has continued a steered one",
              isinstance(again, dict) and again["state_sha256"] == summary["state_sha256"], again)


def test_state(top):
    with scree.open(BOX, folder=top / "run", say=lambda *_: None) as run:
        run.step(400)
        state = run.state()
        run.step(50)
        run.set("force.0.friction", 0.25)
        run.set("force.0.kn", 1.2e4)
        run.step(50)
        run.restore(state)
        run.step(100)
        summary = run.finish()
    again = repeat(top, top / "run")
    tap.check("a change that outlives a state put back is repeated at the step of the state",
              isinstance(again, dict) and again["state_sha256"] == summary["state_sha256"], again)


def test_slots(top):
    with scree.open(BOX, say=lambda *_: None) as run:
        run.step(1)
        run.set("force.0.friction", 0.2)
        run.swap(gcd={"plugin": "dess"})
        got = {one["slot"]: one for one in run.slots()}
    tap.check("slots() has the current plugins and values", got["gcd"]["id"] == "dess" and got["force[0]"]["kind"] == "force"
              and got["force[0]"]["given"] == {"friction": "0.2", "kn": "10000.0", "restitution": "0.6"}, got)


def test_refused(top):
    with scree.open(BOX, folder=top / "run", say=lambda *_: None) as run:
        run.step(100)
        for bad in (lambda: run.set("force.0.friction", -1.0), lambda: run.swap(gcd={"plugin": "gird"})):
            try:
                bad()
            except scree.UseError:
                pass
        run.finish()
    text = (top / "run/manifest.json").read_text()
    tap.check("a refused change leaves nothing in the manifest", "by_hand" not in text, text)


tap.in_folders(test_repeat, test_restart, test_state, test_slots, test_refused)
