# SPDX-License-Identifier: Apache-2.0
"""Cases of resolver/gjk and resolver/dfr3d: depths of solids against closed forms, a cube on a slope, a cube dropped on a plane, the
energy of one that bounces."""
import math

from tools import of, scene

from verify import case

SIDE, DENSITY, G, STIFFNESS, STEP = 0.02, 2500.0, 9.81, 1e5, 2e-5
PHI = math.radians(10.0)
PLATE = 'plate = { type = "polyhedron"; solid = "cuboid"; size = (0.5, 0.1, 0.02); };'
CUBE = f'cube = {{ type = "polyhedron"; solid = "cube"; edge = {SIDE!r}; }}; floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }};'
GJK = 'resolvers = ( { plugin = "gjk"; }, { plugin = "sphere"; } );'
DFR = 'resolvers = ( { plugin = "dfr3d"; cells = 8; }, { plugin = "sphere"; } );'


def touch(bench, shapes, bodies, more=GJK):
    """Contacts of the first state; the spring is too weak to move the bodies."""
    text = scene(1e-9, bodies, '{ plugin = "linear"; kn = 1e-6; }', steps=1, shapes=shapes, every=1, what=("contacts",), more=more)
    return [row for row in bench.run(text).csv("contacts") if row["step"] == 0]


def ellipsoids(a, b, distance):
    """Least depth of two ellipsoids with parallel axes, `distance` apart along x: the support functions' sum, minimised over the
    directions in the plane of x and y by golden sections, of which the minimum in the whole sphere is one."""
    def depth(angle):
        c, s = math.cos(angle), math.sin(angle)
        return math.hypot(a[0] * c, a[1] * s) + math.hypot(b[0] * c, b[1] * s) - distance * c
    low, high, part = 0.0, 0.5 * math.pi, 0.5 * (math.sqrt(5.0) - 1.0)
    best = min(range(2001), key=lambda k: depth(0.5 * math.pi * k / 2000))
    low, high = 0.5 * math.pi * max(best - 1, 0) / 2000, 0.5 * math.pi * min(best + 1, 2000) / 2000
    for _ in range(100):
        p, q = high - part * (high - low), low + part * (high - low)
        low, high = (low, q) if depth(p) < depth(q) else (p, high)
    return depth(0.5 * (low + high))


@case("resolver/gjk", "depths of two ellipsoids, of a ball in a cube, of a cube's corner in a plane", source="support functions",
      formula="depth = min over n of h_a(n) + h_b(-n) - n.d; r - distance from the face; half diagonal - height", tolerance=1e-12,
      why="rounding, relative to a size of 1 m")
def depths(bench):
    rows = []
    for distance in (1.85, 1.2, 0.3):
        shapes = 's = { type = "superquadric"; axes = (1.0, 0.6, 0.8); }; t = { type = "superquadric"; axes = (0.9, 0.5, 0.7); };'
        found = touch(bench, shapes, f's = {{ shape = "s"; position = (0.0, 0.0, 0.0); }}; t = {{ shape = "t"; position = ({distance!r}, 0.0, 0.0); }};')
        rows.append((f"ellipsoids, centres {distance} m apart [m]", ellipsoids((1.0, 0.6), (0.9, 0.5), distance), found[0]["depth"]))
    cube = 'cube = { type = "polyhedron"; solid = "cube"; edge = 1.0; }; floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };'
    for height in (0.9, 0.6, 0.4):
        found = touch(bench, cube, f'c = {{ shape = "cube"; position = (0.0, 0.0, 0.0); }}; b = {{ radius = 0.5; position = (0.1, 0.05, {height!r}); }};')
        rows.append((f"ball with its centre at {height} m over that of a cube [m]", 1.0 - height, found[0]["depth"]))
    q = (math.cos(0.5 * math.acos(1.0 / math.sqrt(3.0))), *(math.sin(0.5 * math.acos(1.0 / math.sqrt(3.0))) * x / math.sqrt(2.0) for x in (1, -1, 0)))
    found = touch(bench, cube, f'c = {{ shape = "cube"; position = (0.0, 0.0, 0.8); orientation = {q!r}; }}; f = {{ shape = "floor"; }};')
    rows.append(("cube on a corner, centre 0.8 m up [m]", 0.5 * math.sqrt(3.0) - 0.8, max(row["depth"] for row in found)))
    return rows


def slide(bench, mu, more=GJK, ground="floor = { shape = \"floor\"; };", steps=25000):
    up = 0.5 * SIDE - DENSITY * SIDE ** 3 * G * math.cos(PHI) / (4.0 * STIFFNESS)
    text = scene(STEP, f'a = {{ shape = "cube"; position = (0.0, 0.0, {up!r}); }}; {ground}',
                 f'{{ plugin = "linear"; kn = {STIFFNESS!r}; restitution = 0.3; friction = {mu!r}; }}', steps=steps, shapes=CUBE + PLATE, every=500,
                 gravity=(G * math.sin(PHI), 0.0, -G * math.cos(PHI)), density=DENSITY, more=more)
    return of(bench.run(text).csv("bodies"), "a")


def slid(mu, found, what="mu"):
    """Acceleration over the second half, next to Coulomb's."""
    middle = found[len(found) // 2]
    rate = (found[-1]["vx"] - middle["vx"]) / ((found[-1]["step"] - middle["step"]) * STEP)
    return (f"{what} = {mu} [m/s^2]", max(G * (math.sin(PHI) - mu * math.cos(PHI)), 0.0), rate)


@case("resolver/gjk", "a cube on a slope of 10 degrees: acceleration", source="Coulomb",
      formula="g (sin phi - mu cos phi), 0 for mu >= tan phi = 0.1763", tolerance=1e-10, why="relative; rounding of velocities, and rocking after the start")
def slope(bench):
    return [slid(mu, slide(bench, mu)) for mu in (0.5, 0.18, 0.17, 0.1)]


@case("resolver/gjk", "a cube dropped askew on a plane comes to rest on a face", source="statics",
      formula="depth of each corner m g / (4 kn), speed 0", tolerance=1e-11, why="relative, of 0 in m/s; rounding of depths at coordinates of 1e-2 m")
def rest(bench, more=GJK):
    text = scene(STEP, f'a = {{ shape = "cube"; position = (0.0, 0.0, 0.025); orientation = (0.9, 0.2, 0.3, 0.1); }}; floor = {{ shape = "floor"; }};',
                 f'{{ plugin = "linear"; kn = {STIFFNESS!r}; restitution = 0.3; friction = 0.5; }}', steps=60000, shapes=CUBE, every=60000,
                 gravity=(0.0, 0.0, -G), density=DENSITY, what=("bodies", "contacts"), more=more)
    done = bench.run(text)
    last, touches = of(done.csv("bodies"), "a")[-1], [row for row in done.csv("contacts") if row["step"] == 60000]
    return [("speed [m/s]", 0.0, math.hypot(last["vx"], last["vy"], last["vz"])),
            ("height of the centre [m]", 0.5 * SIDE - DENSITY * SIDE ** 3 * G / (4.0 * STIFFNESS), last["z"]),
            ("contacts", 4.0, float(len(touches)))] + \
        [(f"depth at corner {k} [m]", DENSITY * SIDE ** 3 * G / (4.0 * STIFFNESS), row["depth"]) for k, row in enumerate(touches)]


@case("resolver/dfr3d", "a ball on a cube, cubes side by side, a cube in a plane: depths", source="geometry", formula="r - distance from the face; overlap of the sides",
      tolerance=1e-11, why="rounding, relative to a size of 1 m: faces along the axes keep their place in cells")
def cells_depths(bench):
    cube = 'cube = { type = "polyhedron"; solid = "cube"; edge = 1.0; }; floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };'
    rows = []
    for name, first, second, expected in (
            ("ball over the middle of a cube", 'shape = "cube"; position = (0.0, 0.0, 0.0)', "radius = 0.5; position = (0.1, 0.05, 0.9)", 0.1),
            ("cubes in line", 'shape = "cube"; position = (0.0, 0.0, 0.0)', 'shape = "cube"; position = (0.999, 0.0, 0.0)', 0.001),
            ("cubes moved by half a side", 'shape = "cube"; position = (0.0, 0.0, 0.0)', 'shape = "cube"; position = (0.5, 0.5, 0.99)', 0.01),
            ("cube on a plane", 'shape = "cube"; position = (0.0, 0.0, 0.45)', 'shape = "floor"', 0.05)):
        found = touch(bench, cube, f"a = {{ {first}; }}; b = {{ {second}; }};", DFR)
        rows.append((f"{name} [m]", expected, max(row["depth"] for row in found)))
    return rows


@case("resolver/dfr3d", "a cube on a slope of 10 degrees, a plane or a plate: acceleration", source="Coulomb",
      formula="g (sin phi - mu cos phi), 0 for mu >= tan phi = 0.1763", tolerance=1e-8, why="relative; rounding of depths, and rocking after the start")
def cells_slope(bench):
    plate = 'plate = { shape = "plate"; motion = "fixed"; position = (0.1, 0.0, -0.01); };'
    return [slid(mu, slide(bench, mu, DFR), "plane, mu") for mu in (0.18, 0.17)] + \
        [slid(mu, slide(bench, mu, DFR, plate), "plate, mu") for mu in (0.18, 0.17)]


@case("resolver/dfr3d", "a cube dropped askew on a plane comes to rest on a face", source="statics",
      formula="depth of each corner m g / (4 kn), speed 0", tolerance=1e-7, why="relative, of 0 in m/s; what the last rocking leaves in the springs of friction")
def cells_rest(bench):
    return rest(bench, DFR)


@case("resolver/dfr3d", "a cube that bounces askew on a plane without loss or friction: energy", source="conservation of energy",
      formula="m g h, kinetic and stored energy together", tolerance=1e-4, why="relative to the fall; the step")
def cells_bounce(bench):
    start = 0.03
    text = scene(0.1 * STEP, f'a = {{ shape = "cube"; position = (0.0, 0.0, {start!r}); orientation = (0.9, 0.2, 0.3, 0.1); }}; floor = {{ shape = "floor"; }};',
                 f'{{ plugin = "linear"; kn = {STIFFNESS!r}; restitution = 1.0; }}', steps=200000, shapes=CUBE, every=20000,
                 gravity=(0.0, 0.0, -G), density=DENSITY, what=("scalars",), more=DFR)
    rows = bench.run(text).csv("scalars")
    total = [row["kinetic"] + row["gravity"] + row["stored"] for row in rows]
    fall = DENSITY * SIDE ** 3 * G * (start - 0.5 * SIDE)
    return [(f"energy after {row['time']:.3g} s, of that of the fall [-]", 1.0, 1.0 + (e - total[0]) / fall) for row, e in zip(rows[1:], total[1:])]
