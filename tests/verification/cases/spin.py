# SPDX-License-Identifier: Apache-2.0
"""Cases of bodies that spin freely about the axis of their middle moment (Dzhanibekov): they turn over and over."""
import math

from tools import scene
from verify import case

# Balls on two axes: three different moments. (x, y, z, radius) [m]
BALLS = ((0.0, 0.0, 0.0, 1e-3), (1.5e-3, 0.0, 0.0, 0.8e-3), (-1.5e-3, 0.0, 0.0, 0.8e-3), (0.0, 1.2e-3, 0.0, 0.5e-3),
         (0.0, -1.2e-3, 0.0, 0.5e-3))
DT, STEPS, EVERY, SPIN = 2e-5, 20000, 4, (20.0, 100.0, 15.0)
ORDER = {"velocity_verlet": 2, "symplectic_euler": 2, "rkn4": 4, "forest_ruth": 4, "gear": 4}


def moments():
    """Principal moments [kg m^2] by Steiner: 2/5 m r^2 and m d^2 of each ball."""
    sums = [0.0, 0.0, 0.0]
    for x, y, z, r in BALLS:
        m = 2500.0 * 4.0 / 3.0 * math.pi * r ** 3
        for k, d2 in enumerate((y * y + z * z, x * x + z * z, x * x + y * y)):
            sums[k] += m * (0.4 * r * r + d2)
    return sums


def quarter(k2):
    """Complete elliptic integral K of the modulus k by the mean of Gauss: pi / (2 M(1, k'))."""
    a, b = 1.0, math.sqrt(1.0 - k2)
    for _ in range(12):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 0.5 * math.pi / a


def turn(q, v):
    w, (x, y, z), (a, b, c) = q[0], q[1:], v
    t = [2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)]
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]]


def tumble(bench, integrator):
    """(time, spin in principal axes, angular momentum in those of the world) of rows, and the moments [kg m^2]."""
    text = scene(DT, f"a = {{ shape = \"jack\"; position = (0.0, 0.0, 0.0); spin = {SPIN}; }};", steps=STEPS, every=EVERY,
                 shapes=f'jack = {{ type = "clump"; overlaps = "each"; balls = {BALLS}; }};',
                 more=f'integrator = {{ plugin = "{integrator}"; }};')
    states = []
    for row in bench.run(text).csv("bodies"):
        q, w = [row[k] for k in ("qw", "qx", "qy", "qz")], [row[k] for k in ("wx", "wy", "wz")]
        own = turn([q[0], -q[1], -q[2], -q[3]], w)
        inertia = [row[k] for k in ("ix", "iy", "iz")]
        states.append((row["time"], own, turn(q, [i * x for i, x in zip(inertia, own)])))
    return states, inertia


def zeros(states, k):
    """Times at which component k of the spin in the body is 0: the cubic through four rows."""
    found = []
    for i in range(1, len(states) - 2):
        (t0, a), (t1, b) = (states[i][0], states[i][1][k]), (states[i + 1][0], states[i + 1][1][k])
        if a * b >= 0.0:
            continue
        before, after = states[i - 1][1][k], states[i + 2][1][k]
        low, high = 0.0, 1.0
        for _ in range(60):
            s = 0.5 * (low + high)
            value = (-before * s * (s - 1.0) * (s - 2.0) / 6.0 + a * (s + 1.0) * (s - 1.0) * (s - 2.0) / 2.0
                     - b * (s + 1.0) * s * (s - 2.0) / 2.0 + after * (s + 1.0) * s * (s - 1.0) / 6.0)
            low, high = (s, high) if value * a > 0.0 else (low, s)
        found.append(t0 + (t1 - t0) * low)
    return found


def define(label, order):
    subject = f"integrator/{label}"

    @case(subject, "a free body turns over with the period of the elliptic functions",
          source="Landau, Lifshitz, Mechanics, 37; K by the arithmetic-geometric mean",
          formula="half period 2 K(k) / p, p^2 = (I3 - I2)(L^2 - 2 T I1) / (I1 I2 I3), k^2 = (I2 - I1)(2 T I3 - L^2) / ((I3 - I2)(L^2 - 2 T I1))",
          tolerance=4e-6 if order == 2 else 1e-8,
          why="(spin dt)^2 of a scheme of order 2" if order == 2 else "the cubic between rows; (spin dt)^4 is 2e-11")
    def period(bench):
        states, inertia = tumble(bench, label)
        i1, i2, i3 = inertia
        found = [(f"moment {k + 1} [kg m^2]", i, seen) for k, (i, seen) in enumerate(zip(sorted(moments()), inertia))]
        i1, i2, i3 = sorted(moments())
        spin = dict(zip((m for m in moments()), SPIN))
        twice = sum(i * w * w for i, w in spin.items())
        square = sum((i * w) ** 2 for i, w in spin.items())
        if square < twice * i2:
            i1, i3 = i3, i1
        p = math.sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3))
        k2 = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1))
        at = zeros(states, 1)
        return found + [("half period [s]", 2.0 * quarter(k2) / p, (at[-1] - at[0]) / (len(at) - 1)),
                        ("times that it turns over (at least 3)", (3, 100), len(at))]

    @case(subject, "a free body keeps its angular momentum while it turns over", source="Euler's equations",
          formula="|L(t) - L(0)| / |L(0)|, L = R diag(I) R^T w", tolerance=2e-16 * STEPS if order == 2 else 4e-15 * STEPS,
          why="rounding: 2^-52 a step" if order == 2 else "rounding of several stages a step, and their order 4")
    def momentum(bench):
        states, _ = tumble(bench, label)
        first = states[0][2]
        return [("largest of all rows", 0.0, max(math.dist(first, at[2]) for at in states) / math.hypot(*first))]


for name, claimed in ORDER.items():
    define(name, claimed)
