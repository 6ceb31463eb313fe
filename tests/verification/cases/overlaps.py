# SPDX-License-Identifier: Apache-2.0
"""Cases of force/overlap_volume: two cubes in line, whose overlap is a box."""
from verify import case

STIFFNESS, PRESSURE, STEP = 1e-6, 1e-6, 1e-9
SHIFTS = ((0.9, 0.25, 0.5), (0.5, 0.5, -0.5), (0.2, -0.6, 0.7), (-0.7, 0.95, 0.1), (-0.25, -0.125, -0.875))


def cubes(bench, shift, law):
    """The contact of the first state of two unit cubes, b shifted; the force is too weak to move them."""
    text = f"""scene = {{ dimension = 3; dt = {STEP!r}; steps = 1; }};
materials = {{ m = {{ density = 1000.0; }}; }};
shapes = {{ s = {{ type = "polyhedron"; solid = "cube"; edge = 1.0; }}; }};
bodies = {{ a = {{ shape = "s"; material = "m"; position = (0.0, 0.0, 0.0); id = 0; }};
    b = {{ shape = "s"; material = "m"; position = ({shift[0]!r}, {shift[1]!r}, {shift[2]!r}); id = 1; }}; }};
force = ( {{ plugin = "overlap_volume"; {law} kt = 1e-12; damping = "none"; }} );
resolvers = ( {{ plugin = "cyrus_beck"; contact = "overlap"; }} );
observers = {{ contacts = {{ plugin = "csv"; what = "contacts"; every_steps = 1; }}; }};
"""
    return [row for row in bench.run(text).csv("contacts") if row["step"] == 0]


def gradient(shift):
    """Volume of the overlap, and how it grows with the place of a."""
    sides = [1.0 - abs(x) for x in shift]
    volume = sides[0] * sides[1] * sides[2]
    return volume, [volume / sides[k] * (1.0 if shift[k] > 0.0 else -1.0) for k in range(3)]


def compare(bench, law, slope):
    rows = []
    for shift in SHIFTS:
        volume, grown = gradient(shift)
        seen = cubes(bench, shift, law)
        rows.append((f"contacts at {shift}", 1.0, float(len(seen))))
        rows += [(f"f_{axis} / w' at {shift}", -grown[k], seen[0][f"f{axis}"] / slope(volume)) for k, axis in enumerate("xyz")]
    return rows


@case("force/overlap_volume", "two cubes: the force is the gradient of k V^2 / 2",
      source="V = (1 - |x|)(1 - |y|)(1 - |z|), differentiated by hand", formula="f = -k V dV/dx", tolerance=1e-12, why="relative; rounding")
def quadratic(bench):
    return compare(bench, f'form = "quadratic"; k = {STIFFNESS!r};', lambda volume: STIFFNESS * volume)


@case("force/overlap_volume", "two cubes: the force is the gradient of p V",
      source="V = (1 - |x|)(1 - |y|)(1 - |z|), differentiated by hand", formula="f = -p dV/dx", tolerance=1e-12, why="relative; rounding")
def linear(bench):
    return compare(bench, f'form = "linear"; pressure = {PRESSURE!r};', lambda volume: PRESSURE)


@case("force/overlap_volume", "two cubes: the force is the gradient of K B / 2, B: the bed",
      source="B = a^2 (b c - a (b + c) / 3 + a^2 / 6), a <= b <= c: the sides of the overlap, differentiated by hand", formula="f = -K dB/dx / 2",
      tolerance=1e-12, why="relative; rounding")
def bed(bench):
    rows = []
    for shift in SHIFTS:
        sides = [1.0 - abs(x) for x in shift]
        order = sorted(range(3), key=lambda k: sides[k])
        a, b, c = (sides[k] for k in order)
        by = (a * (2.0 * b * c - a * (b + c) + 2.0 * a * a / 3.0), a * a * (c - a / 3.0), a * a * (b - a / 3.0))
        seen = cubes(bench, shift, f'form = "bed"; bed = {STIFFNESS!r};')
        rows += [(f"f_{'xyz'[k]} / K at {shift}", -0.5 * grown * (1.0 if shift[k] > 0.0 else -1.0), seen[0][f"f{'xyz'[k]}"] / STIFFNESS)
                 for k, grown in zip(order, by)]
    return rows
