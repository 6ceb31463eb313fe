# SPDX-License-Identifier: Apache-2.0
"""Cases of the host: momentum, angular momentum and energy of many bodies, boundaries."""
import math
import random

from tools import ball, plane, scene
from verify import case

R, RHO = 1e-3, 2500.0
LAWS = (("linear", 'plugin = "linear"; kn = 1e4; restitution = 0.5; friction = 0.4;', ""),
        ("hertz_mindlin", 'plugin = "hertz_mindlin"; restitution = 0.5; friction = 0.4;', "young_modulus = 1e7; poisson_ratio = 0.3;"))


def cluster(n, seed, speed):
    """n balls on a jittered lattice that fly towards the middle, with spins."""
    dice, bodies, side = random.Random(seed), "", round(n ** (1 / 3))
    for k in range(side ** 3):
        x = [2.6e-3 * (q - 0.5 * (side - 1)) + dice.uniform(-2e-4, 2e-4) for q in (k % side, k // side % side, k // side ** 2)]
        v = [-speed * y / (2.6e-3 * side) + dice.uniform(-0.3, 0.3) * speed for y in x]
        bodies += ball(f"b{k}", R * dice.uniform(0.7, 1.2), x, v, [dice.uniform(-200, 200) for _ in range(3)])
    return bodies


@case("host/conservation", "momentum and angular momentum of 216 balls that collide", source="Newton's third law", formula="p, L constant",
      tolerance=1e-12, why="rounding; relative to the sum of |m v| and |m x v| + |I w| at the start; about 1000 contacts over 4000 steps")
def momentum(bench):
    found = []
    for name, law, material in LAWS:
        run = bench.run(scene(5e-6, cluster(216, 3, 3.0), f"{{ {law} }}", steps=4000, every=100, what=("scalars", "bodies"), material=material))
        rows, bodies = run.csv(), [row for row in run.csv("bodies") if row["step"] == 0]
        mass = [4 / 3 * math.pi * row["radius"] ** 3 * RHO for row in bodies]
        p0 = sum(m * math.hypot(row["vx"], row["vy"], row["vz"]) for m, row in zip(mass, bodies))
        l0 = sum(m * math.hypot(row["x"], row["y"], row["z"]) * math.hypot(row["vx"], row["vy"], row["vz"]) + 0.4 * m * row["radius"] ** 2 *
                 math.hypot(row["wx"], row["wy"], row["wz"]) for m, row in zip(mass, bodies))
        found += [(f"{name}: momentum", 0.0, max(math.dist([row[q] for q in ("px", "py", "pz")], [rows[0][q] for q in ("px", "py", "pz")]) for row in rows) / p0),
                  (f"{name}: angular momentum", 0.0, max(math.dist([row[q] for q in ("lx", "ly", "lz")], [rows[0][q] for q in ("lx", "ly", "lz")]) for row in rows) / l0),
                  (f"{name}: share of the kinetic energy that is lost", (0.2, 0.95), 1.0 - rows[-1]["kinetic"] / rows[0]["kinetic"])]
    return found


@case("host/conservation", "the energy account of 216 balls closes; its residual falls with the step", source="kinetic + stored + lost = start",
      formula="residual = 0; at a quarter of the step a third of it or less, of linear (default) half of it", tolerance=2e-4,
      why="of the lost energy, at 1/280 of the contact time per step; dashpots that start within a step make it first order; linear (default): at most 1e-3")
def account(bench):
    found = []
    total = ("linear, sliding = \"total\"", LAWS[0][1] + ' sliding = "total";', "")
    for name, law, material in (total, *LAWS):
        worst = []
        for dt in (2e-6, 5e-7):
            rows = bench.run(scene(dt, cluster(216, 3, 3.0), f"{{ {law} }}", steps=int(0.02 / dt), every=int(1e-3 / dt), what=("scalars",), material=material)).csv()
            worst.append(max(abs(row["residual"]) for row in rows) / rows[-1]["lost"])
        # linear: the spring of a contact that begins to slide is cut at once to its share of the limit, within a step.
        most, ratio = ((0.0, 1e-3), 1.9) if name == "linear" else (0.0, 3.0)
        found += [(f"{name}: residual / lost", most, worst[1]), (f"{name}: residual at dt / at dt/4", (ratio, 1e3), worst[0] / worst[1])]
    return found


@case("host/boundary", "collisions across a periodic boundary are those in the middle", source="translation", formula="velocities after 2000 steps",
      tolerance=1e-9, why="rounding of coordinates, which grows with each collision")
def wrapped(bench):
    dice, balls = random.Random(9), []
    for k in range(27):
        x = [3e-3 * (q + 0.5) for q in (k % 3, k // 3 % 3, k // 9)]
        balls.append((x, [dice.uniform(-2, 2) for _ in range(3)], [dice.uniform(-100, 100) for _ in range(3)]))
    side, after = 9e-3, []
    for shift in ((0.0, 0.0, 0.0), (0.0071, 0.0033, 0.0012)):
        bodies = "".join(ball(f"b{k}", 1.2e-3, [(q + s) % side for q, s in zip(x, shift)], v, w) for k, (x, v, w) in enumerate(balls))
        rows = bench.run(scene(2e-6, bodies, f"{{ {LAWS[0][1]} }}", steps=2000, every=2000), set=(
            f"scene.region={{ min = (0.0, 0.0, 0.0); max = ({side}, {side}, {side}); }}", 'scene.boundary="periodic"')).csv("bodies")
        after.append(sorted((row for row in rows if row["step"] == 2000), key=lambda row: row["id"]))
    changed = max(abs(row["vx"] - v[0]) for row, (_, v, _) in zip(after[0], balls))
    return [("largest difference of a velocity / 2 m/s", 0.0, max(abs(a[q] - b[q]) for a, b in zip(*after) for q in ("vx", "vy", "vz")) / 2.0),
            ("largest change by the collisions [m/s]", (0.5, 10.0), changed)]


@case("host/boundary", "a reflecting region keeps a ball like a billiard", source="unfolding of the path", formula="x = triangle wave of x0 + v t",
      tolerance=1e-12, why="rounding; absolute in m")
def billiard(bench):
    v, dt, steps = (3.1, -1.7, 0.9), 1e-3, 500
    rows = bench.run(scene(dt, ball("a", 1e-3, (0.02, 0.05, 0.07), v), steps=steps, every=1), set=(
        "scene.region={ min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }", 'scene.boundary="reflect"')).csv("bodies")

    def fold(x):
        x %= 0.2
        return x if x <= 0.1 else 0.2 - x
    return [("largest distance [m]", 0.0, max(abs(row[q] - fold(x0 + u * row["time"])) for row in rows for q, x0, u in zip("xyz", (0.02, 0.05, 0.07), v)))]


@case("host/walls", "a ball in a corner of three planes and in a box of facets", source="statics", formula="forces of the three walls = m g components",
      tolerance=1e-9, why="at rest; rounding")
def corner(bench):
    g, m = (-3.0, -4.0, -9.81), RHO * 4 / 3 * math.pi * R ** 3
    found = []
    walls = {"planes": ("".join(f'{q} = {{ shape = "{q}"; }};' for q in "xyz"), plane("x", (1, 0, 0)) + plane("y", (0, 1, 0)) + plane("z", (0, 0, 1))),
             "facets": ('box = { shape = "box"; position = (0.005, 0.005, 0.005); };', 'box = { type = "box"; size = (0.01, 0.01, 0.01); };')}
    for name, (bodies, shapes) in walls.items():
        rows = bench.run(scene(5e-6, bodies + ball("a", R, (R, R, R)), '{ plugin = "linear"; kn = 1e4; restitution = 0.1; }', gravity=g, density=RHO, shapes=shapes,
                               steps=20000, every=20000, what=("contacts",))).csv("contacts")
        forces = sorted(math.hypot(row["fx"], row["fy"], row["fz"]) for row in rows if row["step"] == 20000)
        found += [(f"{name}: wall {k + 1} [N]", -m * a, f) for k, (a, f) in enumerate(zip(sorted(g, reverse=True), forces))]
    return found
