# SPDX-License-Identifier: Apache-2.0
"""Solids in space that fall, rest, slide: resolver/sdf and resolver/cyrus_beck with force/linear, against closed forms.

usage: test_solids.py SCREE
"""
import math

import tap
from runs import read_numbers, run, scree

DENSITY, G = 2500.0, 9.81
ELL_XY = ((0.0, 0.0), (0.03, 0.0), (0.03, 0.01), (0.01, 0.01), (0.01, 0.03), (0.0, 0.03))


def torus(big, small, n, m):
    points = []
    for i in range(n):
        for j in range(m):
            u, v = 2.0 * math.pi * i / n, 2.0 * math.pi * j / m
            r = big + small * math.cos(v)
            points.append((r * math.cos(u), r * math.sin(u), small * math.sin(v)))
    facets = []
    for i in range(n):
        for j in range(m):
            p, q = (i + 1) % n, (j + 1) % m
            facets += [(i * m + j, p * m + j, p * m + q), (i * m + j, p * m + q, i * m + q)]
    return polyhedron(points, facets)


def polyhedron(points, facets):
    def listed(rows):
        return "(" + ",\n".join("(" + ", ".join(repr(x) for x in row) + ")" for row in rows) + ")"
    return f'type = "polyhedron"; vertices = {listed(points)}; facets = {listed(facets)};'


SHAPES = {
    "cube": 'type = "polyhedron"; solid = "cuboid"; size = (0.02, 0.02, 0.02);',
    "slab": 'type = "polyhedron"; solid = "cuboid"; size = (0.3, 0.3, 0.05);',
    "brick": 'type = "polyhedron"; solid = "cuboid"; size = (0.03, 0.02, 0.01);',
    "tetrahedron": 'type = "polyhedron"; solid = "tetrahedron"; edge = 0.025;',
    "ell": polyhedron([(x, y, z) for z in (0.0, 0.01) for x, y in ELL_XY],
                      [(0, 3, 2, 1), (0, 5, 4, 3), (6, 7, 8, 9), (6, 9, 10, 11), (0, 1, 7, 6), (1, 2, 8, 7), (2, 3, 9, 8),
                       (3, 4, 10, 9), (4, 5, 11, 10), (5, 0, 6, 11)]),
    "torus": torus(0.015, 0.005, 24, 12),
    "plane": 'type = "plane"; normal = (0.0, 0.0, 1.0);',
    "quad": 'type = "facets"; vertices = ((-0.2, -0.2, 0.0), (0.2, -0.2, 0.0), (0.2, 0.2, 0.0), (-0.2, 0.2, 0.0)); '
            'facets = ((0, 1, 2), (0, 2, 3));',
}
LAW = 'plugin = "linear"; kn = 2e4; kt = 1.4e4; damping = "constant"; damping_n = 2.0; damping_t = 2.0;'


def turn(axis, degrees):
    length, half = math.sqrt(sum(x * x for x in axis)), math.radians(degrees) / 2.0
    return "(" + ", ".join(repr(x) for x in (math.cos(half), *(math.sin(half) * x / length for x in axis))) + ")"


def scene(shapes, bodies, resolver, steps, law, dt=2e-5, gravity=(0.0, 0.0, -G), every=100):
    named = "".join(f"{name} = {{ {SHAPES[name]} }};\n" for name in shapes)
    return f"""
scene = {{ dimension = 3; dt = {dt!r}; steps = {steps}; gravity = {gravity!r}; }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {named} }};
bodies = {{ {bodies} }};
force = ( {{ {law} }} );
resolvers = ( {resolver} );
observers = {{ s = {{ plugin = "csv"; every_steps = {every}; }};
    b = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
"""


def table(folder, name):
    return [row for row in read_numbers(folder / f"{name}.csv") if row.get("name") != "floor"]


SDF = '{ plugin = "sdf"; cells = 12; }'
CYRUS = '{ plugin = "cyrus_beck"; }'


def test_rest(top):
    """Dropped turned from 5 mm: on a face, without more energy than before."""
    cases = [("sdf", SDF, kind, floor) for kind in ("cube", "tetrahedron", "ell", "torus") for floor in ("plane",)]
    cases += [("sdf", SDF, "cube", "slab"), ("sdf", SDF, "ell", "quad"), ("cyrus_beck", CYRUS, "cube", "slab"),
              ("cyrus_beck", CYRUS, "tetrahedron", "slab")]
    for name, resolver, kind, floor in cases:
        under = -0.025 if floor == "slab" else 0.0
        bodies = f'a = {{ shape = "{kind}"; position = (0.0, 0.0, 0.027); orientation = {turn((1.0, 0.4, 0.2), 25.0)}; }}; ' \
                 f'floor = {{ shape = "{floor}"; motion = "fixed"; position = (0.0, 0.0, {under}); }};'
        law = LAW + " friction = 0.5;"
        steps = 60000
        folder = f"rest-{name}-{kind}-{floor}"
        data = run(top, scene((kind, floor), bodies, resolver, steps, law), folder)
        last = table(top / folder, "bodies")[-1]
        energy = table(top / folder, "scalars")
        total = [row["kinetic"] + row["gravity"] + row["stored"] for row in energy]
        rise = max(total[i + 1] - total[i] for i in range(len(total) - 1)) / total[0]
        speed = math.sqrt(last["vx"] ** 2 + last["vy"] ** 2 + last["vz"] ** 2)
        spin = math.sqrt(last["wx"] ** 2 + last["wy"] ** 2 + last["wz"] ** 2)
        print(f"# {name}, {kind} on {floor}: z {last['z']:.6g} m, {speed:.2g} m/s, {spin:.2g} rad/s, rise {rise:.2g}, "
              f"residual {data['energy']['residual'] / total[0]:.2g} of the start")
        tap.check(f"{name}: a {kind} comes to rest on a {floor}, without gaining energy",
                  speed < 1e-5 and spin < 1e-3 and rise < 1e-5 and abs(data["energy"]["residual"]) < 2e-2 * total[0],
                  (last, rise, data["energy"]))


def way_of(top, folder):
    rows = table(top / folder, "bodies")
    return math.dist([rows[0][k] for k in "xyz"], [rows[-1][k] for k in "xyz"]), rows[-1]


def test_incline(top):
    """A brick laid on a slope of 10 degrees with the overlap that carries it: it holds at mu = 0.5, and slides where mu is
    below tan 10 degrees = 0.176, as g (sin phi - mu cos phi) says, to 8e-4 g: it turns a little as it starts to slide."""
    phi, steps, dt = math.radians(10.0), 15000, 2e-5
    gravity = (G * math.sin(phi), 0.0, -G * math.cos(phi))
    t = steps * dt
    for name, resolver, kind, floor in (("sdf", SDF, "brick", "plane"), ("sdf", SDF, "brick", "slab"),
                                        ("sdf", SDF, "brick", "quad"), ("cyrus_beck", CYRUS, "brick", "slab")):
        weight = DENSITY * 0.03 * 0.02 * 0.01 * G * math.cos(phi)
        under = -0.025 if floor == "slab" else 0.0
        z = 0.005 - weight / (4.0 * 2e4)
        bodies = f'a = {{ shape = "{kind}"; position = (0.0031, 0.0017, {z!r}); orientation = {turn((0.0, 0.0, 1.0), 17.0)}; }}; ' \
                 f'floor = {{ shape = "{floor}"; motion = "fixed"; position = (0.0, 0.0, {under}); }};'
        for mu in (0.5, 0.18, 0.17, 0.1):
            folder = f"slope-{name}-{floor}-{mu}"
            run(top, scene((kind, floor), bodies, resolver, steps, LAW + f" friction = {mu};", gravity=gravity), folder)
            way, last = way_of(top, folder)
            slides = max(0.5 * G * (math.sin(phi) - mu * math.cos(phi)) * t * t, 0.0)
            print(f"# {name} on {floor}, mu {mu}: {way:.6g} m in {t:g} s, formula {slides:.6g}")
            if mu > math.tan(phi):
                tap.check(f"{name}: a brick on a {floor} of 10 degrees holds at mu = {mu}", way < 2e-5, (way, last))
            else:
                tap.check(f"{name}: a brick on a {floor} of 10 degrees slides at mu = {mu} as the formula says",
                          abs(way - slides) < 0.5 * 8e-4 * G * t * t, (way, slides))


def test_volume(top):
    """force/overlap_volume: laid with the overlap that carries it, k V A = m g, a body stays; dropped flat without damping, it
    comes back with its speed."""
    k, dt = 1e13, 1e-5
    law = f'plugin = "overlap_volume"; k = {k!r}; kt = 1e3; damping = "none";'
    for name, resolver in (("cyrus_beck", '{ plugin = "cyrus_beck"; contact = "overlap"; }'),
                           ("sdf", '{ plugin = "sdf"; cells = 12; contact = "overlap"; }')):
        for kind, face, half in (("cube", 4e-4, 0.01), ("ell", 5e-4, 0.005)):
            if kind == "ell" and name == "cyrus_beck":
                continue
            mass = DENSITY * face * 2.0 * half
            depth = mass * G / (k * face * face)
            where = "0.0, 0.0" if kind == "cube" else "-0.011, -0.011"
            low = half if kind == "cube" else 0.0  # the position is that of the user's origin
            for how, z in (("rest", low - depth), ("bounce", low + 1e-3)):
                bodies = (f'a = {{ shape = "{kind}"; position = ({where}, {z!r}); }}; '
                          'floor = { shape = "plane"; motion = "fixed"; position = (0.0, 0.0, 0.0); };')
                folder = f"volume-{how}-{name}-{kind}"
                data = run(top, scene((kind, "plane"), bodies, resolver, 3000, law, dt, every=10), folder)
                rows = table(top / folder, "bodies")
                if how == "rest":
                    moved = max(abs(row["z"] - rows[0]["z"]) for row in rows)
                    print(f"# {name}, {kind}: depth {depth:.6g} m carries it, moved {moved:.2g} m in {3000 * dt:g} s")
                    tap.check(f"{name}: a {kind} rests on a plane where k V A = m g", moved < 1e-6 * depth, moved)
                else:
                    start = mass * G * 1e-3
                    left = data["energy"]["residual"] / start
                    top_speed = max(row["vz"] for row in rows)
                    print(f"# {name}, {kind}: rises at {top_speed:.6g} m/s, residual {left:.2g} of the energy of the fall")
                    tap.check(f"{name}: a {kind} that falls flat on a plane keeps its energy",
                              abs(left) < 1e-3 and abs(top_speed / math.sqrt(2.0 * G * 1e-3) - 1.0) < 2e-2, (left, top_speed))


def test_validate(top):
    """`scree validate` prints volume, radii of gyration and centre of mass: a brick with its corner at the origin."""
    sides, corner = (0.03, 0.02, 0.01), "(" + ", ".join(f"({x}, {y}, {z})" for x in (0.0, 0.03) for y in (0.0, 0.02) for z in (0.0, 0.01)) + ")"
    (top / "v.cfg").write_text(scene(("brick",), 'a = { shape = "brick"; position = (0.0, 0.0, 0.0); };', SDF, 1, LAW).replace(
        SHAPES["brick"], f'type = "polyhedron"; points = {corner};'))
    printed = scree(top, "validate", "v.cfg").stdout
    about = sorted(math.sqrt((sum(x * x for x in sides) - s * s) / 12.0) for s in sides)
    line = (f"shape      brick at scale 1: 12 facets, volume {math.prod(sides):.6g} m^3, radii of gyration "
            + ", ".join(f"{r:.6g}" for r in about) + " m, centre of mass (0.015, 0.01, 0.005) m")
    tap.check("validate prints volume, radii of gyration and centre of mass", line in printed.splitlines(), (line, printed))


tap.in_folder(test_validate, test_rest, test_incline, test_volume)
