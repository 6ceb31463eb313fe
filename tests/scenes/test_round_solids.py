# SPDX-License-Identifier: Apache-2.0
"""Cylinders, capsules and ellipsoids: resolver/gjk against closed forms of rest, sliding, rolling and Hertz's forces.

usage: test_round_solids.py SCREE [slow]
"""
import csv
import json
import math
import sys

import tap
from runs import scree

SLOW = sys.argv[2:] == ["slow"]
DENSITY, G, STIFFNESS, STEP, RADIUS, LENGTH = 2500.0, 9.81, 1e5, 2e-5, 0.01, 0.02
YOUNG, POISSON = 1e7, 0.25
EQUIVALENT = 0.5 * YOUNG / (1.0 - POISSON ** 2)  # of two bodies of one material
LINEAR = f'plugin = "linear"; kn = {STIFFNESS};'
HERTZ = 'plugin = "hertz_mindlin"; damping = "none"; friction = 0.0; restitution = 1.0;'
SHAPES = f"""
cylinder = {{ type = "cylinder"; length = {LENGTH}; radius = {RADIUS}; }};
capsule = {{ type = "capsule"; length = {LENGTH}; radius = {RADIUS}; }};
block = {{ type = "polyhedron"; solid = "cube"; edge = 0.06; }};
"""
FLOORS = {
    "plane": 'floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };',
    "mesh": """floor = { type = "mesh"; vertices = ((-0.2, -0.2, 0.0), (0.001, -0.2, 0.0), (0.2, -0.2, 0.0), (-0.2, 0.002, 0.0),
        (0.001, 0.002, 0.0), (0.2, 0.002, 0.0), (-0.2, 0.2, 0.0), (0.001, 0.2, 0.0), (0.2, 0.2, 0.0));
        facets = ((0, 1, 4, 3), (1, 2, 5, 4), (3, 4, 6), (4, 7, 6), (4, 5, 8), (4, 8, 7)); };""",
    "polyhedron": 'floor = { type = "polyhedron"; vertices = ((-0.2, -0.2, 0.0), (0.2, -0.2, 0.0), (0.2, 0.2, 0.0), (-0.2, 0.2, 0.0), '
                  '(-0.2, -0.2, -0.1), (0.2, -0.2, -0.1), (0.2, 0.2, -0.1), (-0.2, 0.2, -0.1)); hull = true; };',
}


def turn(angle, axis):
    """Unit quaternion of a turn by an angle about an axis in the plane of x and y."""
    return math.cos(0.5 * angle), math.sin(0.5 * angle) * axis[0], math.sin(0.5 * angle) * axis[1], 0.0


def body(name, shape, position, q=(1.0, 0.0, 0.0, 0.0), more=""):
    return f'{name} = {{ shape = "{shape}"; position = {tuple(map(float, position))!r}; orientation = {tuple(map(float, q))!r}; {more} }};'


def run(top, bodies, shapes, law, steps, gravity=(0.0, 0.0, 0.0), dt=STEP, every=None):
    every = every or max(steps // 20, 1)
    (top / "s.cfg").write_text(f"""
scene = {{ dimension = 3; dt = {dt!r}; steps = {steps}; gravity = {tuple(map(float, gravity))!r}; }};
materials = {{ stone = {{ density = {DENSITY}; young_modulus = {YOUNG}; poisson_ratio = {POISSON}; }}; }};
shapes = {{ {shapes} }};
bodies = {{ {bodies} }};
force = ( {{ {law} }} );
resolvers = ( {{ plugin = "gjk"; }}, {{ plugin = "sphere"; }} );
observers = {{ scalars = {{ plugin = "csv"; every_steps = {every}; }}; bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }};
    contacts = {{ plugin = "csv"; what = "contacts"; every_steps = {every}; }}; }};
""")
    run.count += 1
    name = f"run{run.count}"
    done = scree(top, "run", "s.cfg", "-q", "--json", "-o", name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    tables = {}
    for what in ("scalars", "bodies", "contacts"):
        with open(top / name / f"{what}.csv", newline="", encoding="utf-8") as file:
            tables[what] = [{k: v if "name" in k or k in ("group", "shape", "material") else float(v) for k, v in row.items()}
                            for row in csv.DictReader(file)]
    return json.loads(done.stdout), tables


run.count = 0


def of(tables, name):
    return [row for row in tables["bodies"] if row["name"] == name]


def size(row, keys):
    return math.dist((0, 0, 0), [row[k] for k in keys])


def check_rest(tag, contacts, data, tables, names):
    """No speed, no spin, no creep in the last third of the run, no rise of the energy."""
    total = [row["kinetic"] + row["gravity"] + row["stored"] for row in tables["scalars"]]
    rise = max(b - a for a, b in zip(total, total[1:])) / (total[0] - total[-1])
    speed = max(size(of(tables, n)[-1], ("vx", "vy", "vz")) for n in names)
    spin = max(size(of(tables, n)[-1], ("wx", "wy", "wz")) for n in names)
    creep = max(math.dist([rows[-1][k] for k in "xyz"], [rows[-4][k] for k in "xyz"]) for rows in (of(tables, n) for n in names))
    print(f"# {tag}: {speed:.2g} m/s, {spin:.2g} rad/s, creep {creep:.2g} m, rise {rise:.2g}, {data['contacts_at_end']} contacts")
    tap.check(f"{tag} comes to rest without walking or gaining energy",
              speed < 1e-9 and spin < 1e-7 and creep < 1e-9 and rise < 1e-9 and data["contacts_at_end"] in contacts,
              (speed, spin, creep, rise, data["contacts_at_end"]))


def test_rest(top):
    law = LINEAR + " restitution = 0.3; friction = 0.5;"
    for floor, text in list(FLOORS.items())[:None if SLOW else 1]:
        fixed = 'floor = { shape = "floor"; motion = "fixed"; position = (0.0, 0.0, 0.0); };'
        for tag, shape, q, up, contacts in (("a cylinder dropped askew on its end", "cylinder", turn(0.1, (0.6, 0.8)), 0.0125, (4,)),
                                            ("a cylinder dropped askew on its side", "cylinder", turn(1.5, (0.6, 0.8)), 0.0125, (2,)),
                                            ("a capsule dropped askew on its side", "capsule", turn(1.5, (0.6, 0.8)), 0.0125, (2,))):
            data, tables = run(top, body("a", shape, (0.003, 0.001, up), q) + fixed, SHAPES + text, law, 12000, (0.0, 0.0, -G))
            check_rest(f"{tag} on a {floor}", contacts, data, tables, ("a",))
    fixed = 'floor = { shape = "floor"; position = (0.0, 0.0, 0.0); };'
    lies = turn(0.5 * math.pi, (0.0, 1.0))
    for tag, below, above, contacts in (
            ("a cylinder on a cylinder's end", body("b", "cylinder", (0.0, 0.0, 0.01)),
             body("a", "cylinder", (0.003, 0.001, 0.0302), turn(0.02, (1.0, 0.0))), (8, 9)),
            ("a cylinder that juts out over a block", body("b", "block", (0.0, 0.0, 0.03)),
             body("a", "cylinder", (0.026, 0.0, 0.0702), turn(0.02, (0.0, 1.0))), (8, 9)),
            ("a cylinder lying on a block", body("b", "block", (0.0, 0.0, 0.03)),
             body("a", "cylinder", (0.0, 0.0, 0.0702), turn(0.5 * math.pi + 0.02, (0.0, 1.0))), (6,)),
            ("a capsule along a fixed one", body("b", "capsule", (0.0, 0.0, 0.01), lies, 'motion = "fixed";'),
             body("a", "capsule", (0.003, 0.0, 0.0302), turn(0.5 * math.pi + 0.01, (0.0, 1.0))), (2,))):
        data, tables = run(top, below + above + fixed, SHAPES + FLOORS["plane"], law, 16000, (0.0, 0.0, -G))
        check_rest(tag, contacts, data, tables, ("a", "b"))


def test_incline(top):
    """A standing cylinder slips at tan(phi) = mu and holds below it; a lying one rolls with 2/3 g sin(phi)."""
    phi = math.radians(10.0)
    gravity = (G * math.sin(phi), 0.0, -G * math.cos(phi))
    weight = DENSITY * math.pi * RADIUS ** 2 * LENGTH * G * math.cos(phi)
    for floor, text in list(FLOORS.items())[:None if SLOW else 1]:
        fixed = 'floor = { shape = "floor"; motion = "fixed"; position = (0.0, 0.0, 0.0); };'
        for mu in (0.5, 0.18, 0.17, 0.1) if SLOW else (0.18, 0.17):
            stands = body("a", "cylinder", (0.0, 0.0, 0.5 * LENGTH - weight / (4.0 * STIFFNESS)))
            _, tables = run(top, stands + fixed, SHAPES + text, LINEAR + f" restitution = 0.3; friction = {mu};", 12000, gravity)
            rows = of(tables, "a")
            middle = rows[len(rows) // 2]
            creep, time = rows[-1]["x"] - middle["x"], (rows[-1]["step"] - middle["step"]) * STEP
            rate, slides = (rows[-1]["vx"] - middle["vx"]) / time, G * (math.sin(phi) - mu * math.cos(phi))
            print(f"# cylinder on a {floor}, mu {mu} (tan phi {math.tan(phi):.4f}): creep {creep:.3g} m, {rate:.9g} m/s^2, formula {max(slides, 0.0):.9g}")
            if mu > math.tan(phi):
                tap.check(f"a cylinder on a {floor} of 10 degrees stays at mu = {mu}", abs(creep) < 1e-9, creep)
            else:
                tap.check(f"a cylinder on a {floor} of 10 degrees slides at mu = {mu} as the formula says", abs(rate - slides) < 1e-6 * G,
                          (rate, slides))
        lies = turn(0.5 * math.pi, (1.0, 0.0))  # its axis along y, across the slope
        up = RADIUS - weight / (2.0 * STIFFNESS)
        _, tables = run(top, body("a", "cylinder", (-0.1, 0.0, up), lies) + fixed, SHAPES + text, LINEAR + " restitution = 0.3; friction = 0.5;",
                        20000, gravity)
        rows = of(tables, "a")
        middle = rows[len(rows) // 2]
        rate = (rows[-1]["vx"] - middle["vx"]) / ((rows[-1]["step"] - middle["step"]) * STEP)
        expected, deep = 2.0 / 3.0 * G * math.sin(phi), weight / (2.0 * STIFFNESS) / RADIUS
        print(f"# cylinder lying across a {floor}: {rate:.9g} m/s^2, formula {expected:.9g}, {rate / expected - 1.0:.2g} off; "
              f"depth / radius {deep:.2g}")
        tap.check(f"a cylinder rolls down a {floor} of 10 degrees with 2/3 g sin(phi)", abs(rate / expected - 1.0) < 2.0 * deep + 1e-6,
                  (rate, expected))


def elliptic(modulus2):
    """Complete integrals K and E by the arithmetic-geometric mean."""
    a, b, c, power, total = 1.0, math.sqrt(1.0 - modulus2), math.sqrt(modulus2), 0.5, 0.5 * modulus2
    while abs(c) > 1e-16:
        a, b, c = 0.5 * (a + b), math.sqrt(a * b), 0.5 * (a - b)
        power *= 2.0
        total += power * c * c
    k = 0.5 * math.pi / a
    return k, k * (1.0 - total)


def hertz(a, b, depth):
    """[N] of Hertz's elliptic contact, by A and B, half the relative principal curvatures (Johnson 1985, 4.26)."""
    low, high = 0.0, 1.0
    small, large = min(a, b), max(a, b)
    for _ in range(200):
        e2 = 0.5 * (low + high)
        if e2 in (low, high):
            break
        k, e = elliptic(e2)
        ratio = (e / (1.0 - e2) - k) / (k - e)  # B / A
        low, high = (e2, high) if ratio < large / small else (low, e2)
    if large / small < 1.0 + 1e-9:
        return 4.0 / 3.0 * EQUIVALENT * math.sqrt(0.5 / small) * depth ** 1.5
    half = math.sqrt(depth * math.sqrt((e / (1.0 - e2) - k) * (k - e)) / (k * e2 * math.sqrt(a * b)))
    return 2.0 / 3.0 * math.pi * half * depth * EQUIVALENT / k


def mean_curvature(axes, p):
    """Mean curvature of an ellipsoid at point p of its surface."""
    square = [x * x for x in axes]
    steep = sum(x * x / (s * s) for x, s in zip(p, square))
    return (sum(square) - sum(x * x for x in p)) / (2.0 * math.prod(square) * steep ** 1.5)


def force_of(top, bodies, shapes):
    _, tables = run(top, bodies, shapes, HERTZ, 1, dt=1e-9, every=1)
    row = tables["contacts"][0]
    return size(row, ("fx", "fy", "fz")), row["depth"]


def test_hertz(top):
    floor = 'floor = { shape = "floor"; motion = "fixed"; position = (0.0, 0.0, 0.0); };'
    axes = (0.015, 0.012, 0.006)
    text = f'lens = {{ type = "superquadric"; axes = {axes!r}; }};' + FLOORS["plane"]
    worst = 0.0
    for angle, axis in ((0.0, (1.0, 0.0)), (0.4, (1.0, 0.0)), (1.0, (0.6, 0.8)), (1.5, (0.0, 1.0))):
        w, x, y, _ = turn(angle, axis)
        down = (2.0 * w * y, -2.0 * w * x, -(1.0 - 2.0 * (x * x + y * y)))  # in the axes of the body
        reach = math.sqrt(sum((a * n) ** 2 for a, n in zip(axes, down)))
        p = [a * a * n / reach for a, n in zip(axes, down)]
        force, depth = force_of(top, body("a", "lens", (0.0, 0.0, reach - 1e-5), (w, x, y, 0.0)) + floor, text)
        curve = mean_curvature(axes, p)
        expected = 4.0 / 3.0 * EQUIVALENT * math.sqrt(1.0 / curve) * depth ** 1.5
        worst = max(worst, abs(force / expected - 1.0))
        print(f"# ellipsoid on a plane, turned by {angle}: force {force:.9g} N, with the mean curvature {expected:.9g}, {force / expected - 1.0:.2g} off")
    tap.check("the force of an ellipsoid on a plane is that of its mean curvature", worst < 1e-9, worst)
    worst = 0.0
    other = (0.009, 0.01, 0.008)
    text = f'lens = {{ type = "superquadric"; axes = {axes!r}; }}; egg = {{ type = "superquadric"; axes = {other!r}; }};'
    for spin in (0.0, 0.5, 1.3):  # about the normal
        q = (math.cos(0.5 * spin), 0.0, 0.0, math.sin(0.5 * spin))
        force, depth = force_of(top, body("a", "lens", (0.0, 0.0, 0.0)) + body("b", "egg", (0.0, 0.0, 0.014 - 1e-5), q), text)
        curve = 0.5 * sum(s[2] / s[k] ** 2 for s in (axes, other) for k in (0, 1))
        expected = 4.0 / 3.0 * EQUIVALENT * math.sqrt(1.0 / curve) * depth ** 1.5
        worst = max(worst, abs(force / expected - 1.0))
    print(f"# two ellipsoids: {worst:.2g} off")
    tap.check("the force of two ellipsoids is that of the sum of their mean curvatures, turned about the normal or not", worst < 1e-9, worst)
    off = {}
    for ratio in (1.0, 2.0, 4.0, 10.0):  # of the principal radii
        a, b, c = 0.01 * math.sqrt(ratio), 0.01, 0.006
        text = f'lens = {{ type = "superquadric"; axes = ({a!r}, {b!r}, {c!r}); }};' + FLOORS["plane"]
        force, depth = force_of(top, body("a", "lens", (0.0, 0.0, c - 1e-5)) + floor, text)
        off[ratio] = force / hertz(0.5 * c / a ** 2, 0.5 * c / b ** 2, depth) - 1.0
        print(f"# principal radii 1 : {ratio:g}: {off[ratio]:+.3g} of the force of Hertz's ellipse")
    tap.check("that of Hertz's elliptic contact is the same of a sphere, within 4 % at radii of 1 : 2, 15 % at 1 : 4, 33 % at 1 : 10",
              abs(off[1.0]) < 1e-8 and abs(off[2.0]) < 0.04 and abs(off[4.0]) < 0.15 and abs(off[10.0]) < 0.33, off)


def test_bounce(top):
    floor = 'floor = { shape = "floor"; motion = "fixed"; position = (0.0, 0.0, 0.0); };'
    text = 'ellipsoid = { type = "superquadric"; axes = (0.015, 0.012, 0.006); };' + SHAPES + FLOORS["plane"]
    for tag, shape, up, q in (("an ellipsoid", "ellipsoid", 0.0062, (1.0, 0.0, 0.0, 0.0)),
                              ("a capsule on its side", "capsule", 0.0105, turn(0.5 * math.pi, (0.0, 1.0)))):
        data, tables = run(top, body("a", shape, (0.0, 0.0, up), q, "velocity = (0.0, 0.0, -0.5);") + floor, text, HERTZ, 6000, dt=1e-6)
        change = tables["scalars"][-1]["kinetic"] / tables["scalars"][0]["kinetic"] - 1.0
        print(f"# {tag} bounces: kinetic energy {change:+.2g}, {data['contacts_at_end']} contacts at the end")
        tap.check(f"{tag} keeps its energy as it bounces by hertz_mindlin", abs(change) < 1e-7 and data["contacts_at_end"] == 0, change)


def test_flat(top):
    """Where flat faces can meet there is no curvature: the scene is refused."""
    try:
        run(top, body("a", "cylinder", (0.0, 0.0, 0.01)) + 'floor = { shape = "floor"; };', SHAPES + FLOORS["plane"], HERTZ, 1)
        found = "it ran"
    except RuntimeError as error:
        found = str(error)
    tap.check("a cylinder on a plane has no curvature for hertz_mindlin", "curvature" in found, found)


tap.in_folder(test_hertz, test_bounce, test_flat, test_rest, test_incline)
