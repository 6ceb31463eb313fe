#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One state from every CPU level and optimisation level.

usage: test_levels.py LEVELS ROUTES ROUTES_O2 O2_PLUGINS SCENE STEPS [PATH=VALUE]...

LEVELS: all, or native, for a build of one level. `-` for the third and fourth: there is no build with -O2 to compare with.
"""
import os
import subprocess
import sys

import tap


def state(program, words, level=None, plugins=None):
    environment = dict(os.environ)
    environment.pop("SCREE_CPU_LEVEL", None)
    if level:
        environment["SCREE_CPU_LEVEL"] = level
    more = [f'plugin_path=["{plugins}"]'] if plugins else []
    done = subprocess.run([program, "--hash", *words, *more], env=environment,
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr}{done.stdout}"


def run():
    levels, routes, routes_o2, o2_plugins, *words = sys.argv[1:]
    best = state(routes, words)
    tap.check("the run ends with contacts", not best.startswith("failed")
              and best.split()[-1:] not in ([], ["0"]), best)
    if levels == "native":
        tap.skip("the baseline level gives the same state", "this build has one level: -Dlevels=all")
    else:
        seen = state(routes, words, "baseline")
        tap.check("the baseline level gives the same state", seen == best, f"{seen}\n{best}")
    for level in [] if routes_o2 == "-" else [None] if levels == "native" else [None, "baseline"]:
        seen = state(routes_o2, words, level, o2_plugins)
        tap.check(f"-O2 at {level or 'the best level'} gives the same state", seen == best, f"{seen}\n{best}")


tap.finish(run)
