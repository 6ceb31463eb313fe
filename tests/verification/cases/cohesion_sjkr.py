# SPDX-License-Identifier: Apache-2.0
"""Cases of force/cohesion_sjkr: two balls, or a ball at a wall, with a linear spring."""
import csv
import math
import pathlib

from verify import case

KN, K, RA, RB, DENSITY = 1e5, 2e6, 5e-3, 3e-3, 2500.0
RESULTS = pathlib.Path(__file__).resolve().parents[2] / "bench" / "results" / "cohesion.tsv"


def pair(bench, *, depth, form, k=K, rb=RB, steps=1, dt=1e-9, v=0.0, force="linear", every=1):
    """Rows of the first ball, which is at `depth` on the second one (rb = 0: on a plane)."""
    z = RA + rb - depth
    second = f'b = {{ radius = {rb!r}; position = (0.0, 0.0, 0.0); motion = "fixed"; }};' if rb else 'floor = { shape = "floor"; };'
    law = {"linear": f'{{ plugin = "linear"; kn = {KN!r}; damping = "none"; }}',
           "hertz": '{ plugin = "hertz_mindlin"; damping = "none"; }'}[force]
    return bench.run(f"""
scene = {{ dt = {dt!r}; steps = {steps}; }};
materials = {{ m = {{ density = {DENSITY}; young_modulus = 1e8; poisson_ratio = 0.3; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ a = {{ radius = {RA!r}; position = (0.0, 0.0, {z!r}); velocity = (0.0, 0.0, {v!r}); }}; {second} }};
force = ( {law}, {{ plugin = "cohesion_sjkr"; form = "{form}"; cohesion_energy_density = {k!r}; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
""")


@case("force/cohesion_sjkr", "pull at rest", source="LIGGGHTS-PUBLIC 3.8, cohesion sjkr and sjkr2; LIGGGHTS run by tests/bench/peers/cohesion.py",
      formula="k A; A: circle of two spheres, on a wall pi depth (2 R - depth); 2 pi depth 2 R*, on a wall 2 pi depth R",
      tolerance=1e-11, why="rounding of the depth from positions")
def pull(bench):
    found = []
    with open(RESULTS, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        depth = float(row["depth, m"])
        got = pair(bench, depth=depth, form=row["form"], k=1e6, rb=0.0 if row["against"] == "wall" else RB).csv("bodies")
        found.append((f"{row['form']}, {row['against']}, {depth:g} m", float(row["LIGGGHTS, N"]), got[0]["fz"]))
    return found


@case("force/cohesion_sjkr", "period of a ball that swings on a linear spring", source="harmonic oscillator",
      formula="2 pi sqrt(m / (k_n - 4 pi k R*)), about the depth 0+ it never leaves with the pull of sjkr2",
      tolerance=1e-3, why="half of a swing from touch to touch, met within a step of 1/2000 of it")
def swing(bench):
    mass, r = DENSITY * 4.0 / 3.0 * math.pi * RA ** 3, RA * RB / (RA + RB)
    half = math.pi * math.sqrt(mass / (KN - 4.0 * math.pi * K * r))
    rows = [row for row in pair(bench, depth=1e-12, form="sjkr2", v=-0.1, dt=half / 2000, steps=2100).csv("bodies")
            if row["name"].startswith("a")]
    touching = [row["time"] for row in rows if row["fz"] != 0.0]
    return half, touching[-1]


@case("force/cohesion_sjkr", "depth at which a ball on Hertz' spring rests", source="equilibrium of 4/3 E* sqrt(R* depth^3) and 4 pi k R* depth",
      formula="R* (3 pi k / E*)^2: no force there", tolerance=1e-10, why="force against that of Hertz at the depth: rounding")
def rest(bench):
    e, r = 1e8 / (2.0 * (1.0 - 0.09)), RA * RB / (RA + RB)
    depth = r * (3.0 * math.pi * 1e5 / e) ** 2
    fz = pair(bench, depth=depth, form="sjkr2", k=1e5, force="hertz").csv("bodies")[0]["fz"]
    return 0.0, fz / (4.0 / 3.0 * e * math.sqrt(r * depth ** 3))


@case("force/cohesion_sjkr", "energy account of an impact with cohesion", source="conservation of energy: the pull is a potential",
      formula="residual / kinetic energy = 0, and the ball leaves as fast as it came", tolerance=2e-5,
      why="errors of second order; the end of the contact is met within a step")
def account(bench):
    found = []
    for form, rb in (("sjkr", RB), ("sjkr", 0.0), ("sjkr2", RB)):
        run = pair(bench, depth=-1e-6, form=form, v=-0.5, dt=2e-8, steps=100000, every=100000, rb=rb)
        speed = [row for row in run.csv("bodies") if row["name"].startswith("a")][-1]["vz"]
        found += [(f"{form}, {'ball' if rb else 'wall'}: residual", 0.0, run.json["energy"]["residual"] / run.json["energy"]["start"]),
                  (f"{form}, {'ball' if rb else 'wall'}: speed", 0.5, speed)]
    return found
