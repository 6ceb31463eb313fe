# SPDX-License-Identifier: Apache-2.0
"""Fields of the run of a law and an integrator: over a restart, over swaps; NaN is blamed; scree check.

usage: test_globals.py SCREE PLUGINS SCENE
"""
import pathlib
import shutil
import sys

import runs
import tap

SCREE, PLUGINS, SCENE = (pathlib.Path(path).resolve() for path in sys.argv[1:4])


def scree(top, *args, plugins=PLUGINS):
    return runs.scree(top, *args, env=runs.environment(SCREE_PLUGIN_PATH=str(plugins)))


def hash_of(done):
    return [line for line in done.stdout.splitlines() if line.startswith("state_sha256")]


def at_300(what):
    return 'schedule=( { at_step = 300; set = { ' + what + ' }; } )'


def run(top):
    whole = scree(top, "run", SCENE, "--steps", 600, "-o", "whole")
    tap.check("a law and an integrator with fields of the run", whole.returncode == 0, whole.stderr)
    first = scree(top, "run", SCENE, "--steps", 250, "-o", "first", "--set", "checkpoint={ every_steps = 250; }")
    rest = scree(top, "run", SCENE, "--restart", "first", "--steps", 350, "-o", "rest")
    tap.check("a restart ends where the whole run does",
              hash_of(whole) and hash_of(whole) == hash_of(rest) != hash_of(first), rest.stdout + rest.stderr)
    same = scree(top, "run", SCENE, "--steps", 600, "-o", "same", "--set",
                 at_300('force = ( { plugin = "tiring"; stiffness = 1.0e4; } ); '
                        'integrator = { plugin = "thermostat"; energy = 1.0; tau = 0.01; };'))
    tap.check("a swap with themselves keeps them by name", hash_of(same) == hash_of(whole)
              and "force[0]/age: kept" in same.stderr and "integrator/xi: kept" in same.stderr, same.stderr)
    back = scree(top, "run", SCENE, "--steps", 600, "-o", "back", "--set",
                 'schedule=( { at_step = 300; set = { force = ( { plugin = "linear"; kn = 1.0e4; '
                 'restitution = 1.0; } ); }; }, { at_step = 310; set = { force = ( { plugin = "tiring"; } ); }; } )')
    tap.check("a law that is taken out drops them, and begins again on its return",
              back.returncode == 0 and "force[0]/age: dropped" in back.stderr
              and "force[0]/age: starts from 0" in back.stderr, back.stderr)
    folder = top / "nan"
    folder.mkdir()
    shutil.copy(PLUGINS / "sins" / "globals_nan.so", folder)
    bad = scree(top, "run", SCENE, "--steps", 5, "-o", "bad", plugins=folder)
    tap.check("a field that is not a number is blamed", bad.returncode == 3
              and "force/tiring (force[0]) misbehaved in after_step at step 0: it set field age[1] to nan"
              in bad.stderr.replace("-nan", "nan"), bad.stderr)
    judged = scree(top, "check", folder / "globals_nan.so")
    tap.check("scree check finds it", "after_step() set a global field to" in judged.stdout, judged.stdout)
    sound = scree(top, "check", PLUGINS / "globals.so")
    tap.check("and calls a law with such fields and its end of a step", "not ok  lanes" not in sound.stdout
              and "ok      lanes" in sound.stdout and "crash" not in sound.stdout, sound.stdout + sound.stderr)


tap.in_folder(run)
