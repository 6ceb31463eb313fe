# SPDX-License-Identifier: Apache-2.0
"""A pile of polygons that has come to rest, and goes on with each resolver of polygons: one state by any GCD, number of
threads, and cut by a checkpoint.

usage: test_stones.py SCREE STONES.cfg COUNT STEPS GCD,GCD..

COUNT polygons fall for STEPS steps into a box as wide as high. At rest the forces on a body cancel: the mean resultant
is below 1 % of the mean contact force.
"""
import json
import math
import pathlib
import sys

import tap
from runs import read_table, scree

SCREE, SCENE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
COUNT, STEPS, GCDS = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5].split(",")
RESOLVERS = ("closest_feature", "dfr2d", "cyrus_beck")
MORE, G = 300, 9.81  # steps of each route after the rest; [m/s^2]
WIDTH = 0.0109 * math.sqrt(COUNT)
FALL = ["--set", f"scene.gravity=(0.0, {-G!r})", "--set", "scene.dt=6e-6", "--set", "force.0.damping_ratio=0.3", "--set",
        f"generate.stones.count={COUNT}", "--set", f"bodies.right.position=({WIDTH + 0.02!r}, 0.0)", "--set",
        f"generate.stones.region={{ min = (0.0, 0.0); max = ({WIDTH!r}, {2.9 * WIDTH!r}); }}"]


def run(top, name, *words):
    done = scree(top, "run", *words, "-q", "--json", "-o", name, timeout=5400)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def last_rows(path):
    rows = read_table(path)
    return [row for row in rows if row["step"] == rows[-1]["step"]]


def length(row, mass=0.0):
    """[N] Of the force of contacts and the weight."""
    return math.hypot(float(row["fx"]), float(row["fy"]) - G * mass)


def test_rest(top):
    """The pile, a checkpoint of it, and how well forces cancel."""
    rest = str(STEPS)
    run(top, "pile", str(SCENE), "--steps", rest, *FALL, "--set", f"checkpoint.every_steps={rest}", "--set",
        f'observers={{ b={{plugin="csv"; what="bodies"; every_steps={rest};}}; c={{plugin="csv"; what="contacts"; every_steps={rest};}};}}')
    left = [length(row, float(row["mass"])) for row in last_rows(top / "pile/bodies.csv") if row["name"] == "stones"]
    forces = [length(row) for row in last_rows(top / "pile/contacts.csv")]
    share = (sum(left) / len(left)) / (sum(forces) / len(forces))
    print(f"# {len(left)} bodies, {len(forces)} contacts, mean resultant {sum(left) / len(left):.3g} N, "
          f"mean contact force {sum(forces) / len(forces):.3g} N: {100 * share:.3g} %")
    tap.check(f"{COUNT} polygons come to rest: the mean resultant is below 1 % of the mean contact force",
              len(left) == COUNT and len(forces) > 1.5 * COUNT and share < 0.01, share)
    return ["--restart", str(top / f"pile/checkpoint-{rest}.h5")]


def test_routes(top, start, resolver):
    """Goes on from the pile with a resolver."""
    begin = [*start, "--set", f"resolvers.0.plugin={resolver}"]
    whole = [*begin, "--steps", str(MORE)]
    reference = run(top, f"{resolver}-reference", *whole, "--threads", "1")["state_sha256"]
    for threads in ("2", "3"):
        tap.check(f"{resolver}: {threads} threads, one state",
                  run(top, f"{resolver}-threads-{threads}", *whole, "--threads", threads)["state_sha256"] == reference)
    for gcd in GCDS:
        tap.check(f"{resolver}: gcd {gcd}, one state",
                  run(top, f"{resolver}-{gcd}", *whole, "--set", f'gcd={{plugin="{gcd}";}}')["state_sha256"] == reference)
    half = MORE // 2
    run(top, f"{resolver}-half", *begin, "--steps", str(half), "--set", f"checkpoint.every_steps={STEPS + half}")
    rest = run(top, f"{resolver}-rest", "--restart", str(top / f"{resolver}-half/checkpoint-{STEPS + half}.h5"), "--steps", str(MORE - half))
    tap.check(f"{resolver}: cut by a checkpoint, one state", rest["state_sha256"] == reference)
    moved = run(top, f"{resolver}-other", *whole, "--set", "force.0.friction=0.39")["state_sha256"]
    tap.check(f"{resolver}: another friction, another state", moved != reference)


def main(top):
    start = test_rest(top)
    for resolver in RESOLVERS:
        test_routes(top, start, resolver)


tap.in_folder(main)
