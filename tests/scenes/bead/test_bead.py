# SPDX-License-Identifier: Apache-2.0
"""A round shape of another plugin, as a user meets it: validate, restart, check.

usage: test_bead.py SCREE PLUGINS SCENE
"""
import pathlib
import sys
import tempfile

import runs
import tap

SCREE, PLUGINS, SCENE = (pathlib.Path(path).resolve() for path in sys.argv[1:4])


def scree(top, command, *args):
    return runs.scree(top, command, *args, env=runs.environment(SCREE_PLUGIN_PATH=str(PLUGINS)))


def hash_of(done):
    return [line for line in done.stdout.splitlines() if line.startswith("state_sha256")]


def run(top):
    told = scree(top, "validate", SCENE)
    pairs = ["sphere - sphere: resolver/sphere, force/linear", "sphere - bead: resolver/sphere, force/linear",
             "bead - bead: resolver/sphere, force/linear", "bead - mesh: resolver/sphere, force/linear",
             "bead - plane: resolver/sphere, force/linear"]
    tap.check("validate names its pairs", all(pair in told.stdout for pair in pairs), told.stdout + told.stderr)

    whole = scree(top, "run", SCENE, "--steps", 300, "-o", "whole")
    first = scree(top, "run", SCENE, "--steps", 200, "-o", "first", "--set", "checkpoint={ every_steps = 200; }")
    rest = scree(top, "run", SCENE, "--restart", "first", "--steps", 100, "-o", "rest")
    tap.check("a restart ends where the whole run does",
              hash_of(whole) and hash_of(whole) == hash_of(rest) != hash_of(first), rest.stdout + rest.stderr)
    other = scree(top, "run", SCENE, "--restart", "first", "--steps", 100, "-o", "other", "--set",
                  "shapes.seed.factor=7.0")
    tap.check("a restart with another core is refused by the name of the shape",
              other.returncode == 2 and "shapes.seed" in other.stderr and "factor" in other.stderr, other.stderr)

    judged = scree(top, "check", PLUGINS / "bead.so")
    tap.check("check finds a bead in order, and what is not round",
              judged.returncode != 0 and "not ok" in judged.stdout and "shape/lopsided" in judged.stdout
              and "inertia[1] is 0.404 m^2, that of a ball is 0.4 m^2" in judged.stdout, judged.stdout + judged.stderr)


with tempfile.TemporaryDirectory() as folder:
    tap.finish(lambda: run(pathlib.Path(folder)))
