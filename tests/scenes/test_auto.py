# SPDX-License-Identifier: Apache-2.0
"""gcd/auto: the rule chooses at once in the scenes of the benchmarks, a faster GCD takes over, a loser is tried again when
the state has changed and not otherwise, and the choice never reaches the state.

usage: test_auto.py SCREE CONFIGS SCENES
"""
import pathlib
import re
import sys

import tap
from runs import scree

SCREE, CONFIGS, SCENES = (pathlib.Path(arg).resolve() for arg in sys.argv[1:4])
# Boxes at each evaluation, so that there is a search in each step.
ALWAYS = 'extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}'


BENCH = (("perkins-1", "integrator.count=1600"), ("spheres", "integrator.count=1000"), ("mixed", "integrator.percent=2"))


def run(top, scene, steps, gcd, *more):
    report = ("--set", "gcd.report=true") if gcd.startswith('"auto"') else ()
    result = scree(top, "run", scene, "-q", "--steps", steps, "--set", f"gcd={{plugin={gcd}}}", *report,
                   *(word for value in more for word in ("--set", value)))
    found = re.search(r"state_sha256\s+(\w+)", result.stdout)
    trials = re.search(r"gcd: info: (\d+) trials, (\d+) changes; they took (\S+) s of (\S+) s", result.stderr)
    return result, found and found[1], int(trials[1]) if trials else 0


def test_rule(top):
    for scene, setting in BENCH:
        result, state, trials = run(top, CONFIGS / "bench" / f"{scene}.cfg", 40, '"auto";', setting)
        tap.check(f"{scene}: no trial in 40 searches", state and trials == 0, result)


def test_chooses(top):
    bed = CONFIGS / "bed.cfg"
    more = [ALWAYS, "generate.beads.count=1500"]
    _, plain, _ = run(top, bed, 40, '"grid";', *more)
    # All pairs of 1 500 against a tree: a hundred times as many pairs, whatever the machine does meanwhile.
    result, state, trials = run(top, bed, 40, '"auto"; first={plugin="pairing";}; second={plugin="rtree";}; '
                                'third={plugin="pairing";}; budget=1.0;', *more)
    tap.check("of all pairs and a tree, among 1 500 bodies, the tree takes over", trials == 2 and re.search(
        r"gcd: info: 150\d boxes: gcd/pairing \S+ ms, gcd/rtree \S+ ms; gcd/rtree works from now on",
        result.stderr), result)
    tap.check("the state is that of the grid", plain and state == plain, result)


def test_tries_again(top):
    # churn.cfg inserts and removes bodies.
    churn, steps = SCENES / "churn.cfg", 600
    _, plain, _ = run(top, churn, steps, '"grid";', ALWAYS)
    some = '"auto"; budget=1.0; rounds=1; second={plugin="rtree";}; fourth={plugin="spatial_sort";};'
    _, state, trials = run(top, churn, steps, some + " change=1.05;", ALWAYS)
    tap.check("when the state changes it tries again", trials > 2, trials)
    tap.check("the state is the same", plain and state == plain, (plain, state))
    _, state, once = run(top, churn, steps, some + " change=1e6;", ALWAYS)
    tap.check("a change below the limit starts no new trial", 1 <= once <= 2 and state == plain, once)
    _, state, none = run(top, churn, steps, '"auto"; change=1.05; budget=0.0; second={plugin="rtree";};', ALWAYS)
    tap.check("without a budget nothing is tried", none == 0 and state == plain, none)
    _, state, _ = run(top, churn, steps, some + " change=1.05;", 'extent.renew="moved"')
    tap.check("the state is the same with lists of moved boxes", state == plain, state)


tap.in_folder(test_rule, test_chooses, test_tries_again)
