# SPDX-License-Identifier: Apache-2.0
"""The pairs of O'Connor's table 4.1 through scenes: points, spheres, planes, quadrilaterals and objects (dfr3d), each depth and
normal against its exact value.

usage: test_points.py SCREE
"""
import csv
import math

import tap
from runs import scree

HALF = math.sqrt(0.5)
# The types of a pair are in the order of their names: a point is b of a cast, and a of a polyhedron.
OBJECTS = ("cube", "block")
SHAPES = {
    "point": 'type = "point"; volume = 1e-3;',
    "block": 'type = "cast"; first = { type = "sphere"; radius = 0.1; }; places = ((5.0, 0.0, 0.0)); min = (-1.0, -1.0, -1.0); '
             'max = (1.0, 1.0, 1.0); cells = 12;',
    "cube": 'type = "polyhedron"; solid = "cuboid"; size = (2.0, 2.0, 2.0);',
    "plane": 'type = "plane"; normal = (0.0, 0.0, 1.0);',
    "ridge": 'type = "facets"; vertices = ((-1.0, -1.0, -1.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 1.0, -1.0), (1.0, -1.0, -1.0), '
             '(1.0, 1.0, -1.0)); facets = ((0, 1, 2, 3), (1, 4, 5, 2));',
    "ridge2": 'type = "facets"; vertices = ((-1.0, -1.0, -1.0), (-1.0, 0.0, -1.0), (-1.0, 1.0, -1.0), (0.0, -1.0, 0.0), (0.0, 0.0, 0.0), '
              '(0.0, 1.0, 0.0), (1.0, -1.0, -1.0), (1.0, 0.0, -1.0), (1.0, 1.0, -1.0)); '
              'facets = ((0, 3, 4, 1), (1, 4, 5, 2), (3, 6, 7, 4), (4, 7, 8, 5));',
    "plate": 'type = "polyhedron"; solid = "cuboid"; size = (2.0, 2.0, 0.1);',
    "quad": 'type = "facets"; vertices = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)); facets = ((0, 1, 2, 3));',
}
LINEAR = 'plugin = "linear"; kn = 1.0;'
PULL = 'plugin = "van_der_waals"; hamaker = 1e-20; min_gap = 0.1;'  # acts across a gap of up to 1 m
DFR = '{ plugin = "dfr3d"; cells = 12; }'


def contacts(top, first, second, resolvers, law=LINEAR):
    """The contacts of two bodies before a step."""
    named = "".join(f"{name} = {{ {text} }};\n" for name, text in SHAPES.items() if f'"{name}"' in first + second)
    (top / "s.cfg").write_text(
        "scene = { dimension = 3; dt = 1e-9; steps = 1; };\nmaterials = { m = { density = 1000.0; }; };\n"
        f"shapes = {{ {named} }};\nbodies = {{ first = {{ {first} }}; second = {{ {second} }}; }};\n"
        f'resolvers = ( {resolvers} );\nforce = ( {{ {law} }} );\n'
        'observers = { contacts = { plugin = "csv"; what = "contacts"; every_steps = 1; }; };\n')
    name = f"run{len(list(top.glob('run*')))}"
    seen = scree(top, "run", "s.cfg", "-q", "-o", name)
    if seen.returncode:
        return seen.stderr
    with open(top / name / "contacts.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["step"] == "0"]
    # normals point from a to b
    return [(float(row["depth"]), tuple((1.0 if row["a"] == "1" else -1.0) * float(row["n" + k]) for k in "xyz"),
             tuple(float(row[k]) for k in "xyz")) for row in rows]


def has(top, claim, first, second, depth, normal, resolvers, count=1, place=None, law=LINEAR):
    """As many contacts, each with that depth and the normal, which parts the first body from the second one, at that place."""
    seen = contacts(top, first, second, resolvers, law)
    good = isinstance(seen, list) and len(seen) == count and all(
        abs(d - depth) < 1e-12 and (normal is None or abs(sum(a * b for a, b in zip(n, normal)) + 1.0) < 1e-12) and (place is None or math.dist(x, place) < 1e-12)
        for d, n, x in seen)
    tap.check(f"{claim}: {count} of depth {depth:.6g}" if count else claim, good, seen)


def body(shape, at, more=""):
    kind = f"radius = {shape};" if isinstance(shape, float) else f'shape = "{shape}";'
    return f"{kind} position = {tuple(map(float, at))!r}; {more}"


FIXED = 'motion = "fixed";'
TURNED = f"orientation = ({HALF}, {HALF}, 0.0, 0.0);"  # a quarter about x


def test_points(top):
    for resolver, thing in ((resolver, thing) for resolver in ("dfr3d", "sdf") for thing in OBJECTS):
        resolvers = f'{{ plugin = "{resolver}"; cells = 12; }}, {{ plugin = "gjk"; }}'  # gjk: points with points
        for name, at, depth, normal in (("under a face", (0.2, -0.3, 0.9), 0.1, (0, 0, 1)), ("next to an edge", (0.95, 0.3, 0.9), 0.05, (1, 0, 0))):
            half = tuple(x + 0.5 * depth * n for x, n in zip(at, normal))
            has(top, f"{resolver}: a point {name} of an object ({thing})", body("point", at), body(thing, (0, 0, 0), FIXED), depth, normal, resolvers,
                place=half)
            has(top, f"{resolver}: an object ({thing}) and a point {name}", body(thing, (0, 0, 0)), body("point", at, FIXED), depth,
                tuple(-x for x in normal), resolvers, place=half)
        has(top, f"{resolver}: a point outside of an object ({thing}): no contact", body("point", (0.0, 0.0, 1.001)), body(thing, (0, 0, 0), FIXED), 0,
            (0, 0, 1), resolvers, 0)
        has(top, f"{resolver}: a point in a turned object ({thing}) that is moved", body("point", (3.2, -0.9, 4.1)),
            body(thing, (3, 0, 4), FIXED + " " + TURNED), 0.1, (0, -1, 0), resolvers)
    cyrus = '{ plugin = "cyrus_beck"; }, { plugin = "gjk"; }'
    for name, at, depth, normal in (("under a face", (0.2, -0.3, 0.9), 0.1, (0, 0, 1)), ("next to an edge", (0.95, 0.3, 0.9), 0.05, (1, 0, 0))):
        half = tuple(x + 0.5 * depth * n for x, n in zip(at, normal))
        has(top, f"cyrus_beck: a point {name} of a cube", body("point", at), body("cube", (0, 0, 0), FIXED), depth, normal, cyrus, place=half)
        has(top, f"cyrus_beck: a cube and a point {name}", body("cube", (0, 0, 0)), body("point", at, FIXED), depth, tuple(-x for x in normal), cyrus,
            place=half)
    has(top, "cyrus_beck: a point outside of a cube: no contact", body("point", (0.0, 0.0, 1.001)), body("cube", (0, 0, 0), FIXED), 0, (0, 0, 1),
        cyrus, 0)
    has(top, "cyrus_beck: a point in a turned cube that is moved", body("point", (3.2, -0.9, 4.1)), body("cube", (3, 0, 4), FIXED + " " + TURNED),
        0.1, (0, -1, 0), cyrus)
    has(top, "cyrus_beck: across a gap, at a corner", body("point", (1.1, 1.1, 1.1)), body("cube", (0, 0, 0), FIXED), -0.1 * math.sqrt(3.0),
        (math.sqrt(1.0 / 3.0),) * 3, cyrus, place=(1.05, 1.05, 1.05), law=PULL)
    gjk = '{ plugin = "gjk"; }, { plugin = "sphere"; }'
    for side in (1, -1):
        has(top, f"gjk: a point over a facet, side {side}", body("point", (0.3, -0.2, 0.05 * side)), body("quad", (0, 0, 0)), -0.05, (0, 0, side), gjk,
            place=(0.3, -0.2, 0.025 * side), law=PULL)
    has(top, "gjk: a point next to the edge of a facet", body("point", (1.03, 0.2, 0.04)), body("quad", (0, 0, 0)), -0.05, (0.6, 0, 0.8), gjk,
        place=(1.015, 0.2, 0.02), law=PULL)
    has(top, "gjk: a point next to the corner of a facet", body("point", (1.02, -1.03, 0.06)), body("quad", (0, 0, 0)), -0.07, (2 / 7, -3 / 7, 6 / 7),
        gjk, place=(1.01, -1.015, 0.03), law=PULL)
    has(top, "gjk: a point over a ridge of two facets: one contact", body("point", (0.0, 0.3, 0.05)), body("ridge", (0, 0, 0)), -0.05, (0, 0, 1), gjk,
        place=(0.0, 0.3, 0.025), law=PULL)
    has(top, "gjk: a point over a vertex within a ridge: one contact", body("point", (0.0, 0.0, 0.05)), body("ridge2", (0, 0, 0)), -0.05, (0, 0, 1),
        gjk, place=(0.0, 0.0, 0.025), law=PULL)
    has(top, "gjk: a point next to a vertex within a straight border", body("point", (-1.04, 0.0, -1.03)), body("ridge2", (0, 0, 0)), -0.05,
        (-0.8, 0, -0.6), gjk, place=(-1.02, 0.0, -1.015), law=PULL)
    has(top, "gjk: a point under a ridge: both facets", body("point", (0.0, 0.3, -0.05)), body("ridge", (0, 0, 0)), -0.05 * HALF, None, gjk, 2,
        law=PULL)
    has(top, "gjk: a point at a turned facet that is moved", body("point", (3.2, -0.05, 4.1)), body("quad", (3, 0, 4), TURNED), -0.05, (0, -1, 0), gjk,
        place=(3.2, -0.025, 4.1), law=PULL)
    has(top, "gjk: a point under a facet: laws of an overlap do not act", body("point", (0.3, 0.6, -0.05)), body("quad", (0, 0, 0)), 0, (0, 0, 1), gjk,
        0)
    said = scree(top, "run", "s.cfg", "-o", "warned").stderr
    tap.check("gjk: a warning names the point and the facets", 'shape "point" has no extent: it passes through the facets of shape "quad"' in said, said)
    has(top, "gjk: a point in a sphere", body("point", (0.0, 0.6, 0.0)), body(1.0, (0, 0, 0), FIXED), 0.4, (0, 1, 0), gjk)
    has(top, "gjk: a point under a plane", body("point", (0.3, 0.6, -0.05)), body("plane", (0, 0, 0)), 0.05, (0, 0, 1), gjk)
    has(top, "gjk: points do not meet each other", body("point", (0.0, 0.0, 1e-4)), body("point", (0.0, 0.0, 0.0), FIXED), 0, (0, 0, 1), gjk, 0)


def test_others(top):
    ball = body(0.2, (0.1, -0.3, 1.15))
    both = DFR + ', { plugin = "sphere"; }'
    has(top, "a sphere on a sphere", body(0.3, (0.0, 0.0, 1.2)), body(1.0, (0, 0, 0), FIXED), 0.1, (0, 0, 1), both)
    has(top, "a sphere on a plane", body(0.3, (0.5, 0.0, 0.25)), body("plane", (0, 0, 0)), 0.05, (0, 0, 1), both)
    has(top, "a sphere on a quadrilateral", body(0.3, (0.5, 0.2, 0.25)), body("quad", (0, 0, 0)), 0.05, (0, 0, 1), both)
    has(top, "a sphere at the edge of a quadrilateral, where no vertex is near", body(0.3, (1.1, 0.0, 0.1)), body("quad", (0, 0, 0)),
        0.3 - 0.1 * math.sqrt(2.0), (HALF, 0, HALF), both)
    has(top, "a sphere on an object", ball, body("cube", (0, 0, 0), FIXED), 0.05, (0, 0, 1), both)
    has(top, "an object on a plane", body("cube", (0, 0, 0.99)), body("plane", (0, 0, 0)), 0.01, (0, 0, 1), both, 4)
    has(top, "an object on a quadrilateral as large", body("cube", (0, 0, 0.99)), body("quad", (0, 0, 0)), 0.01, (0, 0, 1), both, 4)
    has(top, "an object on an object", body("cube", (0, 0, 1.99)), body("cube", (0, 0, 0), FIXED), 0.01, (0, 0, 1), both, 4)
    cyrus = '{ plugin = "cyrus_beck"; }'
    has(top, "quadrilaterals, as thin plates: face on face", body("plate", (0, 0, 0.09)), body("plate", (0, 0, 0), FIXED), 0.01, (0, 0, 1),
        cyrus, 4)


tap.in_folder(test_points, test_others)
