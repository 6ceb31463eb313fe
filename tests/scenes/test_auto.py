# SPDX-License-Identifier: Apache-2.0
"""gcd/auto: a GCD that is far slower is not chosen, it looks again when the state has changed and not otherwise,
and the choice never reaches the state.

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


def run(top, scene, steps, gcd, *more):
    result = scree(top, "run", scene, "-q", "--steps", steps, "--set", f"gcd={{plugin={gcd}}}",
                   *(word for value in more for word in ("--set", value)))
    found = re.search(r"state_sha256\s+(\w+)", result.stdout)
    trials = re.search(r"gcd: info: (\d+) trials, (\d+) changes; they took (\S+) s next to (\S+) s", result.stderr)
    return result, found and found[1], int(trials[1]) if trials else None


def test_chooses(top):
    bed = CONFIGS / "bed.cfg"
    more = [ALWAYS, "generate.beads.count=1500"]
    _, plain, _ = run(top, bed, 10, '"grid";', *more)
    # All pairs of 1 500 against cells: a hundred times as many pairs, whatever the machine does meanwhile.
    result, state, trials = run(top, bed, 10, '"auto"; first={plugin="pairing";}; second={plugin="grid";}; '
                                'third={plugin="pairing";};', *more)
    tap.check("of all pairs and a grid, among 1 500 bodies, the grid is chosen", trials == 1 and re.search(
        r"gcd: info: 150\d boxes: gcd/pairing \S+ ms, gcd/grid \S+ ms, gcd/pairing \S+ ms; gcd/grid works from now on",
        result.stderr), result)
    tap.check("the state is that of the grid", plain and state == plain, result)


def test_looks_again(top):
    # churn.cfg inserts and removes bodies.
    churn, steps = SCENES / "churn.cfg", 600
    _, plain, _ = run(top, churn, steps, '"grid";', ALWAYS)
    _, state, trials = run(top, churn, steps, '"auto"; change=1.2; budget=1e6; fourth={plugin="sort_update";};', ALWAYS)
    tap.check("when the state changes it looks again", trials is not None and trials >= 2, trials)
    tap.check("the state is the same", plain and state == plain, (plain, state))
    _, state, once = run(top, churn, steps, '"auto"; change=1e6; budget=1e6;', ALWAYS)
    tap.check("a change below the limit starts no new trial", once == 1 and state == plain, once)
    _, state, once = run(top, churn, steps, '"auto"; change=1.2; budget=0.0;', ALWAYS)
    tap.check("nor does a change without a budget", once == 1 and state == plain, once)
    _, state, some = run(top, churn, steps, '"auto"; change=1.0; budget=1e6; rounds=2;', 'extent.renew="moved"')
    tap.check("with lists of moved boxes too", some is not None and some >= 2 and state == plain, some)


tap.in_folder(test_chooses, test_looks_again)
