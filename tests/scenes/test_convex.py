# SPDX-License-Identifier: Apache-2.0
"""Convex solids that fall, rest, slide and collide: resolver/gjk with force/linear, against closed forms.

usage: test_convex.py SCREE [slow]
"""
import math
import sys

import tap
from runs import read_table, run

SLOW = sys.argv[2:] == ["slow"]
SIDE, DENSITY, G, STIFFNESS, STEP = 0.02, 2500.0, 9.81, 1e5, 2e-5
SOLIDS = {
    "cube": f'type = "polyhedron"; solid = "cube"; edge = {SIDE};',
    "tetrahedron": 'type = "polyhedron"; solid = "tetrahedron"; edge = 0.03;',
    "dodecahedron": 'type = "polyhedron"; solid = "dodecahedron"; diameter = 0.03;',
    "lens": 'type = "superquadric"; axes = (0.015, 0.012, 0.006);',
}
LAW = f'plugin = "linear"; kn = {STIFFNESS};'
FLOORS = {
    "plane": 'floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };',
    # seams cross under the body: two quads and four triangles
    "facets": """floor = { type = "mesh"; vertices = ((-0.2, -0.2, 0.0), (0.001, -0.2, 0.0), (0.2, -0.2, 0.0), (-0.2, 0.002, 0.0),
        (0.001, 0.002, 0.0), (0.2, 0.002, 0.0), (-0.2, 0.2, 0.0), (0.001, 0.2, 0.0), (0.2, 0.2, 0.0));
        facets = ((0, 1, 4, 3), (1, 2, 5, 4), (3, 4, 6), (4, 7, 6), (4, 5, 8), (4, 8, 7)); };""",
    "polyhedron": 'floor = { type = "polyhedron"; vertices = ((-0.2, -0.2, 0.0), (0.2, -0.2, 0.0), (0.2, 0.2, 0.0), (-0.2, 0.2, 0.0), '
                  '(-0.2, -0.2, -0.1), (0.2, -0.2, -0.1), (0.2, 0.2, -0.1), (-0.2, 0.2, -0.1)); hull = true; };',
}


def scene(bodies, shapes, law, steps, gravity=(0.0, 0.0, -G), every=500, dt=STEP, more=""):
    return f"""
scene = {{ {more} dimension = 3; dt = {dt!r}; steps = {steps}; gravity = ({gravity[0]!r}, {gravity[1]!r}, {gravity[2]!r}); }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {shapes} }};
{bodies}
force = ( {{ {law} }} );
resolvers = ( {{ plugin = "gjk"; }}, {{ plugin = "sphere"; }} );
observers = {{ scalars = {{ plugin = "csv"; every_steps = {every}; }};
    bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
"""


def table(folder, name, keep=lambda row: row.get("name") not in ("floor",)):
    rows = [row for row in read_table(folder / f"{name}.csv") if keep(row)]
    return [{k: v if "name" in k or k in ("group", "shape", "material") else float(v) for k, v in row.items()} for row in rows]


def lowest_face(row, normals):
    """The smallest angle [deg] between down and one of the normals, of a body turned by its quaternion."""
    w, x, y, z = row["qw"], row["qx"], row["qy"], row["qz"]
    down = [-(2 * (x * z - w * y)), -(2 * (y * z + w * x)), -(1 - 2 * (x * x + y * y))]  # in the axes of the body
    return min(math.degrees(math.acos(min(1.0, sum(a * b for a, b in zip(down, n)) / math.dist((0, 0, 0), n)))) for n in normals)


FACES = {"cube": [(s if k == 0 else 0, s if k == 1 else 0, s if k == 2 else 0) for k in range(3) for s in (1, -1)]}


def test_rest(top):
    """Dropped askew from a few millimetres: at rest on a face, and the energy never rises."""
    law = LAW + " restitution = 0.3; friction = 0.5;"
    for floor in ("plane", "facets", "polyhedron"):
        for solid in ("cube", "tetrahedron", "dodecahedron", "lens"):
            bodies = f'bodies = {{ a = {{ shape = "{solid}"; position = (0.003, 0.001, 0.028); orientation = (0.9, 0.2, 0.3, 0.1); }}; ' \
                     'floor = { shape = "floor"; motion = "fixed"; position = (0.0, 0.0, 0.0); }; };'
            name = f"rest-{floor}-{solid}"
            if solid == "lens" and floor == "facets":
                continue  # it rolls off
            data = run(top, scene(bodies, f"{solid} = {{ {SOLIDS[solid]} }}; {FLOORS[floor]}", law, 60000), name=name)
            last, rows = table(top / name, "bodies")[-1], table(top / name, "scalars")
            total = [row["kinetic"] + row["gravity"] + row["stored"] for row in rows]
            rise = max(b - a for a, b in zip(total, total[1:])) / abs(total[0] - total[-1])
            speed = math.dist((0, 0, 0), (last["vx"], last["vy"], last["vz"]))
            spin = math.dist((0, 0, 0), (last["wx"], last["wy"], last["wz"]))
            angle = lowest_face(last, FACES[solid]) if solid in FACES else None
            print(f"# {solid} on a {floor}: {speed:.2g} m/s, {spin:.2g} rad/s, rise {rise:.2g}, contacts {data['contacts_at_end']}"
                  + (f", face {angle:.2g} degrees off" if angle is not None else ""))
            tap.check(f"a {solid} dropped on a {floor} {'rocks and rolls' if solid == 'lens' else 'comes to rest'} without gaining energy",
                      rise < 1e-5 and (solid == "lens" or speed < 1e-9 and spin < 1e-7) and
                      (solid == "lens" or data["contacts_at_end"] >= 3) and (angle is None or angle < 1e-3),
                      (speed, spin, rise, data["contacts_at_end"], angle))


def test_incline(top):
    """Cubes on a slope of 10 degrees: at mu = 0.5 they do not creep, at less than tan(10 degrees) they slide as they should."""
    phi = math.radians(10.0)
    gravity = (G * math.sin(phi), 0.0, -G * math.cos(phi))
    mass = DENSITY * SIDE ** 3
    up = 0.5 * SIDE - mass * G * math.cos(phi) / (4.0 * STIFFNESS)
    bodies = f'bodies = {{ a = {{ shape = "cube"; position = (0.0, 0.0, {up!r}); orientation = (0.9659258262890683, 0.0, 0.0, 0.25881904510252074); }}; ' \
             'floor = { shape = "floor"; motion = "fixed"; position = (0.0, 0.0, 0.0); }; };'
    for floor in ("plane", "facets", "polyhedron"):
        for mu in (0.5, 0.18, 0.17, 0.1):
            name = f"slope-{floor}-{mu}"
            run(top, scene(bodies, f"cube = {{ {SOLIDS['cube']} }}; {FLOORS[floor]}", LAW + f" restitution = 0.3; friction = {mu};",
                           25000, gravity=gravity), name=name)
            rows = table(top / name, "bodies")
            way, creep = rows[-1]["x"] - rows[0]["x"], rows[-1]["x"] - rows[len(rows) // 2]["x"]
            slides = G * (math.sin(phi) - mu * math.cos(phi))
            rate = (rows[-1]["vx"] - rows[len(rows) // 2]["vx"]) / (rows[-1]["step"] - rows[len(rows) // 2]["step"]) / STEP
            print(f"# cube on a {floor}, mu {mu} (tan phi {math.tan(phi):.4f}): {way:.6g} m, {creep:.3g} m of it in the second half, "
                  f"{rate:.9g} m/s^2, formula {max(slides, 0.0):.9g}")
            if mu > math.tan(phi):
                tap.check(f"on a {floor} of 10 degrees a cube stays at mu = {mu}", abs(creep) < 1e-9 and abs(way) < 1e-5, (way, creep))
            else:
                tap.check(f"on a {floor} of 10 degrees a cube slides at mu = {mu} as the formula says",
                          abs(rate - slides) < 1e-6 * G and abs(way - 0.5 * slides * (25000 * STEP) ** 2) < 5e-4, (rate, slides, way))


def test_collisions(top):
    """Free bodies that hit each other off centre: momentum, angular momentum; energy where nothing is lost."""
    pairs = (("cube", "cube"), ("cube", "lens"), ("lens", "lens"), ("tetrahedron", "dodecahedron"), ("cube", "sphere"))
    for a, b in pairs:
        for law, lossless in ((LAW, True), (LAW + " restitution = 0.5; friction = 0.5;", False)):
            other = 'shape = "sphere"; radius = 0.01;' if b == "sphere" else f'shape = "{b}"; orientation = (0.8, 0.3, -0.4, 0.2);'
            bodies = f'bodies = {{ a = {{ shape = "{a}"; position = (0.0, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); spin = (3.0, 20.0, -5.0); }}; ' \
                     f'b = {{ {other} position = (0.04, 0.006, 0.004); velocity = (-0.5, 0.1, 0.0); }}; }};'
            shapes = "".join(f"{s} = {{ {SOLIDS[s]} }};" for s in sorted({a, b} - {"sphere"}))
            data = [run(top, scene(bodies, shapes, law, n, gravity=(0.0, 0.0, 0.0), dt=5e-6), name=f"hit-{a}-{b}-{lossless}-{n}")
                    for n in (1, 8000)]
            momentum = math.dist(data[0]["momentum"], data[1]["momentum"]) / math.dist((0, 0, 0), data[0]["momentum"])
            angular = math.dist(data[0]["angular_momentum"], data[1]["angular_momentum"]) / math.dist((0, 0, 0), data[0]["angular_momentum"])
            kinetic = data[1]["energy"]["kinetic"] / data[0]["energy"]["kinetic"] - 1.0
            print(f"# {a} hits {b}{'' if lossless else ', with losses'}: momentum {momentum:.2g}, angular {angular:.2g}, kinetic {kinetic:+.3g}, "
                  f"residual {data[1]['energy']['residual'] / data[0]['energy']['kinetic']:.2g}")
            tap.check(f"a {a} that hits a {b}{'' if lossless else ', with losses,'} keeps momentum and angular momentum",
                      momentum < 1e-12 and angular < 1e-9, (momentum, angular))
            tap.check(f"a {a} that hits a {b}{'' if lossless else ', with losses,'} gains no energy",
                      abs(kinetic) < 2e-2 if lossless else -0.9 < kinetic < -0.01, kinetic)


# The masses of whole bodies damp corners more than e says, so that heaps come to rest soon.
CALM = ' restitution = 0.2; friction = 0.5; damping_t = 1.0; mass = "bodies";'


def test_dodecahedra(top, count):
    """Some of them settle in a box of facets and come to rest."""
    width = 0.1 * (count / 60.0) ** (1.0 / 3.0)
    shapes = f'{"dodecahedron"} = {{ type = "polyhedron"; solid = "dodecahedron"; diameter = 0.024; }};' \
             f'tray = {{ type = "box"; size = ({width!r}, {width!r}, {3.0 * width!r}); open = ["top"]; }};'
    bodies = f'bodies = {{ tray = {{ shape = "tray"; position = (0.0, 0.0, {1.5 * width!r}); }}; }};' \
             f'generate = {{ grains = {{ plugin = "random"; shape = "dodecahedron"; count = {count}; orientation = "random"; ' \
             f'region = {{ min = ({-0.5 * width!r}, {-0.5 * width!r}, 0.0); max = ({0.5 * width!r}, {0.5 * width!r}, {2.9 * width!r}); }}; }}; }};'
    data = run(top, scene(bodies, shapes, LAW + CALM, 50000, dt=1e-5, more="seed = 3;"),
               name=f"grains-{count}")
    rows = table(top / f"grains-{count}", "bodies", keep=lambda row: row.get("shape") != "tray" and row.get("name") != "tray")
    last = [row for row in rows if row["step"] == rows[-1]["step"]]
    speed = max(math.dist((0, 0, 0), (row["vx"], row["vy"], row["vz"])) for row in last)
    total = [row["kinetic"] + row["gravity"] + row["stored"] for row in table(top / f"grains-{count}", "scalars")]
    rise = max(b - a for a, b in zip(total, total[1:])) / abs(total[0] - total[-1])
    print(f"# {count} dodecahedra: fastest {speed:.2g} m/s, kinetic {data['energy']['kinetic']:.2g} J of {total[0]:.3g}, rise {rise:.2g}, "
          f"{data['contacts_at_end']} contacts, {data['wall_s']:.1f} s")
    tap.check(f"{count} dodecahedra in a box come to rest without gaining energy", speed < 1e-3 and rise < 1e-5 and len(last) >= count, (speed, rise))


def heap(steps, more=""):
    """1 000 dodecahedra that fall into a box; dt is 0.89 of the critical step."""
    width = 0.1 * (1000 / 60.0) ** (1.0 / 3.0)
    shapes = 'dodecahedron = { type = "polyhedron"; solid = "dodecahedron"; diameter = 0.024; };' \
             f'tray = {{ type = "box"; size = ({width!r}, {width!r}, {2.0 * width!r}); open = ["top"]; }};'
    bodies = f'bodies = {{ tray = {{ shape = "tray"; position = (0.0, 0.0, {width!r}); }}; }};' \
             'generate = { grains = { plugin = "random"; shape = "dodecahedron"; count = 1000; orientation = "random"; ' \
             f'region = {{ min = ({-0.5 * width!r}, {-0.5 * width!r}, 0.0); max = ({0.5 * width!r}, {0.5 * width!r}, {1.5 * width!r}); }}; }}; }};'
    return scene(bodies, shapes, 'plugin = "linear"; kn = 1e4;' + CALM, steps, dt=3e-5,
                 every=200) + 'checkpoint = { every_steps = 2000; keep = 2; };' + more


def test_heap(top):
    """A heap: the same bits by another way through the first 4 000 steps, in which most have landed; then on to rest."""
    first = run(top, heap(4000), name="heap", timeout=5000)
    ways = {"another broad phase": (heap(4000, 'gcd = { plugin = "bvh"; };'),), "two threads": (heap(4000), "--threads=2", "--oversubscribe"),
            "a checkpoint half-way": (heap(4000), "--restart=heap/checkpoint-2000.h5")}
    for k, (what, (text, *args)) in enumerate(ways.items()):
        other = run(top, text, *args, name=f"heap-{k}", timeout=5000)
        tap.check(f"1 000 dodecahedra and {what}: the same state", other["state_sha256"] == first["state_sha256"] and first["contacts_at_end"] > 500,
                  (what, first["contacts_at_end"]))
    stop = 'stop = { when = "kinetic < 2e-6"; for = "3 ms"; after = "0.3 s"; };'
    last = run(top, heap(40000, stop), "--restart=heap/checkpoint-4000.h5", name="rest", timeout=5000)
    rows = table(top / "heap", "scalars") + table(top / "rest", "scalars")
    total = [row["kinetic"] + row["gravity"] + row["stored"] for row in rows]
    rise = max(b - a for a, b in zip(total, total[1:])) / abs(total[0] - total[-1])
    print(f"# 1 000 dodecahedra: step {last['steps']}, kinetic {last['energy']['kinetic']:.2g} J of {total[0]:.3g}, fastest {last['max_speed']:.2g} m/s, "
          f"unbalanced {last['unbalanced']:.2g}, rise {rise:.2g}, {last['contacts_at_end']} contacts, {last['ended_by']}")
    tap.check("1 000 dodecahedra come to rest", bool(last["ended_by"]) and last["contacts_at_end"] > 3000 and last["free"] == 1000,
              (last["ended_by"], last["contacts_at_end"], last["free"]))
    tap.check("1 000 dodecahedra gain no energy", rise < 1e-5, rise)


def main(top):
    if SLOW:
        test_heap(top)
        return
    for test in (test_rest, test_incline, test_collisions):
        test(top)
    test_dodecahedra(top, 60)


tap.in_folder(main)
