#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One state from every CPU level and optimisation level.

usage: test_levels.py ROUTES ROUTES_O2 O2_PLUGINS SCENE STEPS [PATH=VALUE]...
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
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
    routes, routes_o2, o2_plugins, *words = sys.argv[1:]
    best = state(routes, words)
    tap.check("the run ends with contacts", not best.startswith("failed")
              and best.split()[-1:] not in ([], ["0"]), best)
    for claim, seen in (
            ("the baseline level gives the same state", state(routes, words, "baseline")),
            ("-O2 gives the same state", state(routes_o2, words, None, o2_plugins)),
            ("-O2 at the baseline level gives the same state",
             state(routes_o2, words, "baseline", o2_plugins))):
        tap.check(claim, seen == best, f"{seen}\n{best}")


tap.finish(run)
