#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program of the page call-scree-from-c; usage: test_example.py SCREE WIND"""
import os
import pathlib
import re
import sys

import runs
import tap

WIND = pathlib.Path(sys.argv[2]).resolve()
SOURCE = pathlib.Path(__file__).parents[2] / "contrib/library/wind.c"


def example(top):
    seen = runs.call(top, WIND, "hopper")
    heights = [float(height) for height in re.findall(r"mean height (\S+) m", seen.stdout)]
    tap.check("it runs five windows, in which the beads fall", seen.returncode == 0 and len(heights) == 5
              and heights == sorted(heights, reverse=True), seen.stdout + seen.stderr)
    still = runs.scree(top, "run", "hopper", "--steps", 500, "-q", "--set", "observers={}", "--set", "generate.beads.count=200")
    state = re.search(r"state (\w{64})", seen.stdout)
    tap.check("the wind makes another state than still air", state and state[1] not in still.stdout, seen.stdout)
    wrong = runs.call(top, WIND, "no-such-scene")
    tap.check("a mistake is reported", wrong.returncode == 2 and "no-such-scene" in wrong.stderr, wrong.stderr)


def by_pkg_config(top):
    build = runs.PROGRAM.parents[1]
    env = runs.environment(PKG_CONFIG_PATH=f"{build}/core/lib:{build}/abi")
    flags = runs.call(top, "pkg-config", "--cflags", "--libs", "libscree", "scree", env=env)
    words = flags.stdout.split()
    made = runs.call(top, os.environ.get("CC", "cc"), SOURCE, "-o", "wind", *words, env=env)
    seen = runs.call(top, top / "wind", "hopper") if made.returncode == 0 else made
    tap.check("pkg-config libscree gives what a compiler needs", flags.returncode == 0 and seen.returncode == 0
              and "state " in seen.stdout, flags.stderr + made.stderr + seen.stderr)


tap.in_folders(example, by_pkg_config)
