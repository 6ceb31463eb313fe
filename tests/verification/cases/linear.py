# SPDX-License-Identifier: Apache-2.0
"""Cases of force/linear: impacts of the linear spring and dashpot."""
import math

from tools import ball, ball_mass, of, plane, scene
from verify import case

RADIUS, DENSITY, KN = 5e-3, 2500.0, 1e5
MASS = ball_mass(RADIUS, DENSITY)
OMEGA = math.sqrt(2.0 * KN / MASS)  # of two equal balls
CUNDALL = "Cundall, Strack 1979, Geotechnique 29, 47"


def head_on(bench, e, dt, steps, every=1, what=("bodies",)):
    """Two equal balls that touch meet at 1 m/s each."""
    bodies = ball("a", RADIUS, (-RADIUS, 0, 0), (1, 0, 0)) + ball("b", RADIUS, (RADIUS, 0, 0), (-1, 0, 0))
    return bench.run(scene(dt, bodies, f'{{ plugin = "linear"; kn = {KN!r}; restitution = {e!r}; }}',
                           density=DENSITY, steps=steps, every=every, what=what))


@case("force/linear", "restitution of a head-on impact", source=f"damped oscillator; {CUNDALL}", formula="e = input",
      tolerance=1e-3, why="1/8000 of the contact per step: velocity Verlet is of first order with a dashpot, the strongest is seen most")
def restitution(bench):
    steps = 10000
    dt = 1.2 * math.pi / OMEGA / steps
    return [(f"e = {e}", e, -head_on(bench, e, dt, 2 * steps, 2 * steps).csv("bodies")[-2]["vx"])
            for e in (0.1, 0.3, 0.5, 0.8, 1.0)]


@case("force/linear", "depth and force over time of a damped impact", source=f"damped oscillator; {CUNDALL}",
      formula="d = 2 v/w' exp(-z w t) sin(w' t), f = k d + c d', c = 2 z sqrt(m k/2), z = -ln e / sqrt(pi^2 + ln^2 e)",
      tolerance=1e-3, why="0.1 % of the contact per step; velocity Verlet is of first order with a dashpot")
def impact_curve(bench):
    e, n = 0.5, 1000
    zeta = -math.log(e) / math.sqrt(math.pi ** 2 + math.log(e) ** 2)
    damped = OMEGA * math.sqrt(1.0 - zeta ** 2)
    rows = head_on(bench, e, math.pi / damped / n, n, what=("contacts",)).csv("contacts")
    c = zeta * math.sqrt(2.0 * MASS * KN)

    def expected(t):
        decay, s, k = 2.0 * math.exp(-zeta * OMEGA * t), math.sin(damped * t), math.cos(damped * t)
        depth = decay * s / damped
        return depth, KN * depth + c * decay * (k - zeta * OMEGA / damped * s)
    times = [row["time"] for row in rows]
    exact = [expected(t) for t in times]
    most = [max(e[k] for e in exact) for k in (0, 1)]
    bench.figure("linear-impact", xlabel="time [us]", ylabel="force [N]",
                 lines=[("closed form", [1e6 * t for t in times], [f for _, f in exact])],
                 points=[("scree", [1e6 * t for t in times[::25]], [-row["fx"] for row in rows[::25]])])
    return [("largest error of the depth / largest depth", 0.0,
             max(abs(row["depth"] - e[0]) for row, e in zip(rows, exact)) / most[0]),
            ("largest error of the force / largest force", 0.0,
             max(abs(-row["fx"] - e[1]) for row, e in zip(rows, exact)) / most[1])]


@case("force/linear", "largest overlap and contact time of an elastic impact", source=CUNDALL,
      formula="2 v / w and pi / w, w^2 = 2 k / m", tolerance=1e-5,
      why="0.1 % of the contact per step: 4e-7 in the frequency; time from a line through the last two depths")
def contact_time(bench):
    steps = 1010
    rows = head_on(bench, 1.0, math.pi / OMEGA / 1000.0, steps).csv("bodies")
    a, b = of(rows, "a"), of(rows, "b")
    depth = [2.0 * RADIUS - q["x"] + p["x"] for p, q in zip(a, b)]
    last = next(k for k in range(1, steps) if depth[k] <= 0.0 < depth[k - 1])
    end = a[last - 1]["time"] + depth[last - 1] / (depth[last - 1] - depth[last]) * (a[1]["time"] - a[0]["time"])
    return [("overlap [m]", 2.0 / OMEGA, max(depth)), ("time [s]", math.pi / OMEGA, end)]


STIFF = 1e9  # [N/m]: overlaps of 3e-4 r, by which the lever r - d/2 differs from r


def oblique(bench, u, friction, kt, n=2000):
    """A ball with v = (u, 0, -1) meets a plane; its velocities after the impact."""
    force = f'{{ plugin = "linear"; kn = {STIFF!r}; kt = {kt!r}; friction = {friction!r}; sliding = "each"; }}'
    text = scene(math.pi / math.sqrt(STIFF / MASS) / n, 'floor = { shape = "floor"; };' +
                 ball("a", RADIUS, (0, 0, RADIUS), (u, 0, -1)), force, density=DENSITY,
                 shapes=plane("floor", (0, 0, 1)), steps=int(1.1 * n), every=int(1.1 * n))
    return of(bench.run(text).csv("bodies"), "a")[-1]


@case("force/linear", "gross sliding in an oblique impact on a plane", source="Coulomb friction, impulse and momentum",
      formula="u' = u - mu (1 + e) v, w' = 5/2 mu (1 + e) v / r", tolerance=5e-4,
      why="the lever is r - d/2, and the largest d/r is 3.3e-4")
def gross_sliding(bench):
    found = []
    for u, mu in ((8.0, 0.3), (5.0, 0.1), (20.0, 0.8)):
        row = oblique(bench, u, mu, 2.0 / 7.0 * STIFF)
        found += [(f"u' [m/s] at u = {u}, mu = {mu}", u - 2.0 * mu, row["vx"]),
                  (f"w' [rad/s] at u = {u}, mu = {mu}", 5.0 * mu / RADIUS, row["wy"])]
    return found


@case("force/linear", "an oblique elastic impact without sliding: velocity of the contact point",
      source="two oscillators of one contact; Walton 1993, in Particulate Two-Phase Flow, ch. 25",
      formula="U'/U = cos(pi sqrt(7/2 kt/kn))", tolerance=1.5e-3,
      why="7/2 is 1 + 5/2 (1 - d/2r)^2 with d/r up to 3.3e-4, which shifts an argument of up to 6.3 by 1e-4 of it; U'/U + 2 is compared, as U' passes 0")
def sticking(bench):
    ratios = [0.02 + 0.06 * k for k in range(20)]
    got = []
    for ratio in ratios:
        row = oblique(bench, 0.2, 100.0, ratio * STIFF)
        got.append((row["vx"] - RADIUS * row["wy"]) / 0.2)
    fine = [0.012 * k for k in range(100)]
    bench.figure("linear-sticking", xlabel="kt / kn [-]", ylabel="U' / U [-]",
                 lines=[("closed form", fine, [math.cos(math.pi * math.sqrt(3.5 * x)) for x in fine])],
                 points=[("scree", ratios, got)])
    return [(f"U'/U + 2 at kt/kn = {x:.2f}", 2.0 + math.cos(math.pi * math.sqrt(3.5 * x)), 2.0 + y)
            for x, y in zip(ratios, got)]


@case("force/linear", "a pile of balls on a plane: overlaps carry the weight", source="statics",
      formula="k_i d_i = weight above, i = 1..5; a wall's spring is that of a pair", tolerance=1e-9,
      why="at rest after 400 times of decay; rounding of positions, 1e-16 m on overlaps of 1e-6 m")
def pile(bench):
    n, kn = 5, 1e4
    bodies = 'floor = { shape = "floor"; };' + "".join(ball(f"b{k}", RADIUS, (0, 0, RADIUS * (2 * k + 1))) for k in range(n))
    text = scene(1e-5, bodies, f'{{ plugin = "linear"; kn = {kn!r}; restitution = 0.1; }}', density=DENSITY,
                 gravity=(0, 0, -9.81), shapes=plane("floor", (0, 0, 1)), steps=100000, every=100000)
    rows = [row for row in bench.run(text).csv("bodies") if row["step"] == 100000]
    z = [0.0] + [of(rows, f"b{k}")[0]["z"] for k in range(n)]
    weight = MASS * 9.81
    return [(f"overlap {k + 1} from below [m]", (n - k) * weight / kn,
             (RADIUS if k == 0 else 2.0 * RADIUS) - (z[k + 1] - z[k])) for k in range(n)]
