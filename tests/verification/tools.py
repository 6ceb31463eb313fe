# SPDX-License-Identifier: Apache-2.0
"""Shared code of the cases: texts of scenes, Runge-Kutta for equations that a case integrates itself, fits."""
import math


def vector(values):
    return "(" + ", ".join(repr(float(x)) for x in values) + ")"


def ball(name, radius, position, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0), more=""):
    return (f"{name} = {{ radius = {radius!r}; position = {vector(position)}; velocity = {vector(velocity)}; "
            f"spin = {vector(spin)}; {more} }};")


def scene(dt, bodies, force="", *, steps=0, gravity=(0.0, 0.0, 0.0), density=2500.0, material="", shapes="", every=0,
          what=("bodies",), more=""):
    """Text of a scene with one material `m`. `bodies`, `force` (the entries of the list), `shapes` are texts;
    with `every` > 0 tables `what` have a row (per body, contact) every so many steps."""
    tables = "".join(f'{name} = {{ plugin = "csv"; what = "{name}"; every_steps = {every}; }}; ' for name in what)
    return f"""scene = {{ dt = {dt!r}; steps = {steps}; gravity = {vector(gravity)}; }};
materials = {{ m = {{ density = {density!r}; {material} }}; }};
shapes = {{ {shapes} }};
bodies = {{ {bodies} }};
force = ( {force} );
observers = {{ {tables if every else ""} }};
{more}
"""


def plane(name, normal):
    return f'{name} = {{ type = "plane"; normal = {vector(normal)}; }};'


def ball_mass(radius, density):
    return density * 4.0 / 3.0 * math.pi * radius ** 3


def of(rows, name):
    """The rows of one body of a table of bodies."""
    return [row for row in rows if row["name"] == name]


def rk4(rate, y, t, end, n):
    """States of y' = rate(t, y) at n + 1 times from t to end."""
    h = (end - t) / n
    states = [(t, list(y))]
    for k in range(n):
        a = rate(t, y)
        b = rate(t + 0.5 * h, [u + 0.5 * h * v for u, v in zip(y, a)])
        c = rate(t + 0.5 * h, [u + 0.5 * h * v for u, v in zip(y, b)])
        d = rate(t + h, [u + h * v for u, v in zip(y, c)])
        y = [u + h / 6.0 * (p + 2.0 * q + 2.0 * r + s) for u, p, q, r, s in zip(y, a, b, c, d)]
        t = states[0][0] + (k + 1) * h
        states.append((t, y))
    return states


def line_fit(xs, ys):
    """Slope, intercept and correlation of the least squares line."""
    n = len(xs)
    mx, my = sum(xs) / n, sum(ys) / n
    sxx, syy = sum((x - mx) ** 2 for x in xs), sum((y - my) ** 2 for y in ys)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    return sxy / sxx, my - sxy / sxx * mx, sxy / math.sqrt(sxx * syy)


def between(xs, ys, x):
    """Linear interpolation in a table with rising xs."""
    low, high = 0, len(xs) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if xs[middle] <= x else (low, middle)
    return ys[low] + (ys[high] - ys[low]) * (x - xs[low]) / (xs[high] - xs[low])
