# SPDX-License-Identifier: Apache-2.0
"""`scree study` finds known values: the friction of a pile by its slope, two figures by samplers with packages of Debian.

usage: test_study_fit.py SCREE PILE SCENE SAMPLERS
"""
import json
import pathlib
import statistics
import subprocess
import sys

import tap
from study import rows, study

PILE, SCENE, SAMPLERS = (pathlib.Path(word).resolve() for word in sys.argv[2:5])
FIGURE = "angle.degrees.mean"
FRICTION = 0.3


def test_friction(top):
    """Other seeds give the target, so its error and that of the fit are independent."""
    study(top, PILE, "--set", f"force.0.friction={FRICTION}", "--vary", "scene.seed=11..13+1", folder="truth")
    truth = [float(row[FIGURE]) for row in rows(top, "truth")]
    target, error = statistics.fmean(truth), statistics.stdev(truth) / 3**0.5
    seen = study(top, PILE, "--vary", "force.0.friction=0.05..0.6", "--seeds", 3, "--fit", f"{FIGURE}={target}+-{error}")
    answer = json.loads((top / "study/study.json").read_text())["answer"]
    print(f"# target {target:.3f} +- {error:.3f} degrees; {seen.stdout.splitlines()}")
    tap.check("a fit of the slope of a pile ends where its noise bounds it", seen.returncode == 0 and answer["state"] == "noise-bound", (seen.stderr, answer))
    tap.check("and finds the known friction within two of its errors", abs(answer["value"] - FRICTION) < 2 * answer["error"] < 0.1, answer)


def python_with(module):
    """A Python that has a module of Debian, or None."""
    for one in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([one, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            return one
    return None


def test_samplers(top):
    fine = ["--set", "scene.dt=5e-6", "--set", "scene.steps=1600"]
    names = ("energy.lost", "max_speed")
    study(top, SCENE, *fine, "--vary", "force.0.friction=0.3", "--vary", "force.0.restitution=0.5", folder="truth")
    goals = [word for name in names for word in ("--fit", f"{name}={rows(top, 'truth')[0][name]}")]
    for file, module in (("optuna_tpe.py", "optuna"), ("cma_es.py", "cmaes")):
        python = python_with(module)
        claim = f"{file} comes within 5 % of two figures"
        if not python:
            tap.skip(claim, f"no Python with {module}")
            continue
        seen = study(top, SCENE, *fine, "--vary", "force.0.friction=0.05..0.6", "--vary", "force.0.restitution=0.2..0.9", *goals, "--trials", 40,
                     "--sampler", f"{python} {SAMPLERS / file}", "--jobs", 4, "-q", folder=module)
        facts = json.loads((top / module / "study.json").read_text()) if seen.returncode == 0 else {"results": [], "answer": {}}
        first = min((one["value"] for one in facts["results"][:8] if one["value"] is not None), default=0.0)
        print(f"# {file}: best of 8 {first:.4f}, of {len(facts['results'])} {facts['answer'].get('best')}")
        tap.check(claim, len(facts["results"]) == 40 and facts["answer"]["best"]["value"] < min(0.05, first), (seen.stderr, facts["answer"]))


tap.in_folders(test_friction, test_samplers)
