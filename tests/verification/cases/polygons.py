# SPDX-License-Identifier: Apache-2.0
"""Cases of the resolvers of polygons and of force/overlap_area: two squares whose overlap is a rectangle."""
import math

from verify import case

STIFFNESS, STEP = 1e-6, 1e-9
SHIFTS = ((0.9, 0.25), (0.5, 0.5), (0.2, -0.6), (-0.7, 0.99), (-0.25, -0.125))
ROUNDING = "rounding at coordinates of 1 m; a square resampled along its diagonal by 2 panels is the square"
FORMULA = "A = w h, L = sqrt(w^2 + h^2), n = (h, w)/L with the signs of the shift, point: the middle of the diagonal"


def squares(bench, resolver, shift):
    """The contact of the first state of two unit squares, b shifted; the spring is too weak to move them."""
    text = f"""scene = {{ dimension = 2; dt = {STEP!r}; steps = 1; }};
materials = {{ m = {{ density = 1000.0; }}; }};
shapes = {{ s = {{ type = "polygon"; vertices = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)); resample = 2; }}; }};
bodies = {{ a = {{ shape = "s"; material = "m"; position = (0.0, 0.0); id = 0; }};
    b = {{ shape = "s"; material = "m"; position = ({shift[0]!r}, {shift[1]!r}); id = 1; }}; }};
force = ( {{ plugin = "overlap_area"; k = {STIFFNESS!r}; kt = 1e-12; damping = "none"; }} );
resolvers = ( {{ plugin = "{resolver}"; }} );
observers = {{ contacts = {{ plugin = "csv"; what = "contacts"; every_steps = 1; }}; }};
"""
    return [row for row in bench.run(text).csv("contacts") if row["step"] == 0]


def expected(shift):
    """Width and height of the overlap, chord, normal from a to b, middle."""
    w, h = 1.0 - abs(shift[0]), 1.0 - abs(shift[1])
    chord = math.hypot(w, h)
    normal = [math.copysign(h, shift[0]) / chord, math.copysign(w, shift[1]) / chord]
    return w, h, chord, normal, [0.5 * (1.0 + shift[0]), 0.5 * (1.0 + shift[1])]


def compare(bench, resolver):
    worst = {"depth = A / L [m]": 0.0, "normal [-]": 0.0, "point [m]": 0.0}
    n = 0
    for shift in SHIFTS:
        rows = squares(bench, resolver, shift)
        n += len(rows)
        w, h, chord, normal, middle = expected(shift)
        for row in rows:
            off = (abs(row["depth"] - w * h / chord), math.hypot(row["nx"] - normal[0], row["ny"] - normal[1]),
                   math.hypot(row["x"] - middle[0], row["y"] - middle[1]))
            for key, value in zip(worst, off):
                worst[key] = max(worst[key], value)
    return [(key, 0.0, value) for key, value in worst.items()] + [("contacts", float(len(SHIFTS)), float(n))]


@case("resolver/closest_feature", "two squares: chord, normal and point of the overlap", source="geometry of rectangles",
      formula=FORMULA, tolerance=1e-13, why=ROUNDING)
def closest_feature(bench):
    return compare(bench, "closest_feature")


@case("resolver/dfr2d", "two squares: chord, normal and point of the overlap", source="geometry of rectangles",
      formula=FORMULA, tolerance=1e-13, why=ROUNDING)
def dfr2d(bench):
    return compare(bench, "dfr2d")


@case("resolver/cyrus_beck", "two squares: chord, normal and point of the overlap", source="geometry of rectangles",
      formula=FORMULA, tolerance=1e-13, why=ROUNDING)
def cyrus_beck(bench):
    return compare(bench, "cyrus_beck")


@case("force/overlap_area", "two squares: the force is the gradient of k A^2 / 2", source="A = (1 - |x|)(1 - |y|), differentiated by hand",
      formula="f = k A (h, w) with the signs of the shift", tolerance=1e-12, why="relative; rounding")
def gradient(bench):
    rows = []
    for shift in SHIFTS:
        w, h, chord, normal, _ = expected(shift)
        row = squares(bench, "closest_feature", shift)[0]
        rows.append((f"f_x / (k A L) at {shift}", -normal[0], row["fx"] / (STIFFNESS * w * h * chord)))
        rows.append((f"f_y / (k A L) at {shift}", -normal[1], row["fy"] / (STIFFNESS * w * h * chord)))
    return rows
