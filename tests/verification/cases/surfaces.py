# SPDX-License-Identifier: Apache-2.0
"""Cases of the resolvers of solids in space: a cube on a cube, and a brick that slides down a slope."""
import math

from verify import case

DEPTH, SHIFT, STEP, SPACING = 1e-3, (0.23, -0.46), 1e-9, 0.125
G, ANGLE, DT, STEPS = 9.81, 10.0, 2e-5, 15000
CORNERS = "corners of the common face; depth and normal of the least translation"
SLIDING = "it turns a little as it starts to slide, and its springs take 1e-6 m"


def touches(bench, resolver):
    """Contacts of the first state of two unit cubes, b on a, sunk in by DEPTH and shifted."""
    text = f"""scene = {{ dimension = 3; dt = {STEP!r}; steps = 1; }};
materials = {{ m = {{ density = 1000.0; }}; }};
shapes = {{ s = {{ type = "polyhedron"; solid = "cuboid"; size = (1.0, 1.0, 1.0); }}; }};
bodies = {{ a = {{ shape = "s"; material = "m"; position = (0.0, 0.0, 0.0); id = 0; }};
    b = {{ shape = "s"; material = "m"; position = ({SHIFT[0]!r}, {SHIFT[1]!r}, {1.0 - DEPTH!r}); id = 1; }}; }};
force = ( {{ plugin = "linear"; kn = 1e-6; damping = "none"; }} );
resolvers = ( {resolver} );
observers = {{ contacts = {{ plugin = "csv"; what = "contacts"; every_steps = 1; }}; }};
"""
    return [row for row in bench.run(text).csv("contacts") if row["step"] == 0]


def compare(bench, resolver, spacing):
    """The common face is [-0.27, 0.5] x [-0.5, 0.04] at z = 0.5 - DEPTH / 2. Corners: in spacings, if there is one."""
    corners = [(x, y) for x in (SHIFT[0] - 0.5, 0.5) for y in (-0.5, SHIFT[1] + 0.5)]
    rows = touches(bench, resolver)
    depth = max(abs(row["depth"] - DEPTH) for row in rows)
    normal = max(math.dist((row["nx"], row["ny"], row["nz"]), (0.0, 0.0, 1.0)) for row in rows)
    height = max(abs(row["z"] - (0.5 - 0.5 * DEPTH)) for row in rows)
    off = max(min(math.dist((row["x"], row["y"]), corner) for row in rows) for corner in corners)
    return [("contacts", 4.0, float(len(rows))), ("depth [m]", 0.0, depth), ("normal [-]", 0.0, normal),
            ("height of the points [m]", 0.0, height)] + (
                [("corners, in spacings of the samples", (0.0, 1.0), off / spacing)] if spacing else [("corners [m]", 0.0, off)])


@case("resolver/cyrus_beck", "a cube on a cube, shifted: the corners of the common face", source="geometry of boxes", formula=CORNERS,
      tolerance=1e-13, why="rounding at coordinates of 1 m")
def cube_on_cube(bench):
    return compare(bench, '{ plugin = "cyrus_beck"; }', 0.0)


@case("resolver/sdf", "a cube on a cube, shifted: the corners of the common face", source="geometry of boxes", formula=CORNERS,
      tolerance=1e-13, why="rounding; a corner where two edges cross is within a spacing, an eighth of the cube")
def cube_on_cube_sdf(bench):
    return compare(bench, '{ plugin = "sdf"; cells = 8; }', SPACING)


def slide(bench, friction):
    """[m] Way of a brick on a plane of 10 degrees, laid with the overlap that carries it."""
    phi, size = math.radians(ANGLE), (0.03, 0.02, 0.01)
    weight = 2500.0 * size[0] * size[1] * size[2] * G * math.cos(phi)
    text = f"""scene = {{ dimension = 3; dt = {DT!r}; steps = {STEPS}; gravity = ({G * math.sin(phi)!r}, 0.0, {-G * math.cos(phi)!r}); }};
materials = {{ m = {{ density = 2500.0; }}; }};
shapes = {{ brick = {{ type = "polyhedron"; solid = "cuboid"; size = {size!r}; }};
    floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ a = {{ shape = "brick"; material = "m"; position = (0.0, 0.0, {0.5 * size[2] - weight / 8e4!r}); id = 0; }};
    floor = {{ shape = "floor"; material = "m"; position = (0.0, 0.0, 0.0); id = 1; }}; }};
force = ( {{ plugin = "linear"; kn = 2e4; kt = 1.4e4; damping = "constant"; damping_n = 2.0; damping_t = 2.0; friction = {friction!r}; }} );
resolvers = ( {{ plugin = "sdf"; cells = 12; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {STEPS}; }}; }};
"""
    rows = [row for row in bench.run(text).csv("bodies") if row["id"] == 0]
    return rows[-1]["x"] - rows[0]["x"]


@case("resolver/sdf", "a brick on a plane of 10 degrees: it holds above mu = tan phi = 0.176, and slides below", source="Coulomb's law",
      formula="way = g (sin phi - mu cos phi) t^2 / 2, 0 for mu > tan phi", tolerance=4e-3, why=SLIDING)
def slope(bench):
    phi, t = math.radians(ANGLE), DT * STEPS
    found = []
    for mu in (0.5, 0.18, 0.17, 0.1):
        share = slide(bench, mu) / (0.5 * G * t * t)
        if mu > math.tan(phi):
            found.append((f"way / (g t^2 / 2) at mu = {mu}", 0.0, share))
        else:
            found.append((f"mu from the way at mu = {mu}", mu, math.tan(phi) - share / math.cos(phi)))
    return found
