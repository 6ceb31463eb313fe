# SPDX-License-Identifier: Apache-2.0
"""Dry friction on a block, which is a ball that modifier/lock keeps from turning."""
import math

from tools import ball, ball_mass, between, of, plane, scene
from verify import case

R, RHO, G, KN = 5e-3, 2500.0, 9.81, 1e6
M = ball_mass(R, RHO)


def block(bench, mu, *, v=0.0, slope=0.0, belt=0.0, tether=0.0, end, dt=2e-6, every=100):
    """Rows of a block on a floor at the depth of its weight; gravity leans by `slope` towards +x."""
    steps = int(round(end / dt))
    modifiers = 'lock = { plugin = "lock"; groups = "a"; rotation = "xyz"; };'
    if tether:
        modifiers += f' spring = {{ plugin = "tether"; groups = "a"; axes = "x"; stiffness = {tether!r}; }};'
    if belt:
        modifiers += f' belt = {{ plugin = "move"; motion = "conveyor"; groups = "floor"; velocity = ({belt!r}, 0.0, 0.0); }};'
    moved = 'motion = "kinematic";' if belt else ""
    text = scene(dt, f'floor = {{ shape = "floor"; {moved} }};' + ball("a", R, (0, 0, R - M * G * math.cos(slope) / KN), (v, 0, 0)),
                 f'{{ plugin = "linear"; kn = {KN!r}; kt = {KN!r}; friction = {mu!r}; }}', density=RHO,
                 gravity=(G * math.sin(slope), 0, -G * math.cos(slope)), shapes=plane("floor", (0, 0, 1)), steps=steps, every=every,
                 more=f"modifiers = {{ {modifiers} }};")
    return of(bench.run(text).csv("bodies"), "a")


@case("mechanics/stick-slip", "a block on a belt, held by a spring: sticks, then swings", source="Den Hartog 1931; spring-slider with one coefficient of friction",
      formula="x = V t until K x = mu m g, then mu m g/K + V sqrt(m/K) sin(w (t - ts)); V = 0.05 m/s", tolerance=5e-4,
      why="relative to the largest way; the contact's tangential spring gives 1e-4 of the other's length before the block slips")
def belt(bench):
    mu, speed, k = 0.4, 0.05, 1e2
    w, xs = math.sqrt(k / M), mu * M * G / k
    ts = xs / speed
    end = ts + 5.0 * 2.0 * math.pi / w
    rows = block(bench, mu, v=speed, belt=speed, tether=k, end=end, dt=1e-6, every=50)

    def exact(t):
        return speed * t if t < ts else xs + speed / w * math.sin(w * (t - ts))
    top = xs + speed / w
    times = [row["time"] for row in rows]
    bench.figure("stick-slip", xlabel="time [ms]", ylabel="x of the block [um]", lines=[("closed form", [1e3 * t for t in times], [1e6 * exact(t) for t in times])],
                 points=[("scree", [1e3 * t for t in times[::8]], [1e6 * row["x"] for row in rows[::8]])])
    return [("largest error / largest way", 0.0, max(abs(row["x"] - exact(row["time"])) for row in rows) / top)]


@case("mechanics/stick-slip", "a block on a slope stays or slides", source="Coulomb friction", formula="0 if tan b < mu, else g (sin b - mu cos b); mu = 0.5",
      tolerance=1e-6, why="steady sliding: rounding; at rest the block swings on its tangential spring, by 1e-9 m/s in the mean over 0.2 s")
def slope(bench):
    found = []
    for degrees in (15.0, 26.0, 27.0, 40.0, 60.0):
        b = math.radians(degrees)
        rows = block(bench, 0.5, slope=b, end=0.3, dt=1e-5, every=10000)
        t = [row["time"] for row in rows]
        if math.tan(b) < 0.5:
            found.append((f"{degrees} deg: way between 0.1 and 0.3 s [m]", 0.0, abs(between(t, [row["x"] for row in rows], 0.3) - between(t, [row["x"] for row in rows], 0.1))))
        else:
            v = [row["vx"] for row in rows]
            found.append((f"{degrees} deg [m/s^2]", G * (math.sin(b) - 0.5 * math.cos(b)), (between(t, v, 0.3) - between(t, v, 0.1)) / 0.2))
    return found


@case("mechanics/stick-slip", "a block thrown along a floor comes to rest", source="Coulomb friction", formula="x = v^2/(2 mu g)", tolerance=1e-4,
      why="the tangential spring shares the last of the motion: mu m g/kt = 5e-9 m; the block then swings on it")
def thrown(bench):
    found = []
    for v, mu in ((0.3, 0.2), (0.6, 0.5)):
        rows = block(bench, mu, v=v, end=1.3 * v / (mu * G), every=100)
        found.append((f"v = {v}, mu = {mu}: way [m]", v * v / (2.0 * mu * G), rows[-1]["x"]))
    return found
