# SPDX-License-Identifier: Apache-2.0
"""Blocks on slopes with force/overlap_volume, form = "bed": they stay up to tan(phi) = width / height, and tip above; and the
energy of free bodies that collide, against a program of its own that cuts polyhedra.

usage: test_space_bed.py SCREE
"""
import json
import math

import tap
from runs import read_numbers, run, scree
from vectors import cross, dot, norm, plus, turned, unit

DENSITY, G, WIDTH = 2500.0, 9.81, 0.02
Y = (0.0, 1.0, 0.0)
SLAB = 'slab = { type = "polyhedron"; solid = "cuboid"; size = (0.2, 0.2, 0.1); };'
PLANE = 'slab = { type = "plane"; normal = (0.0, 0.0, 1.0); };'
ON_SLAB = (0.0, 0.0, 0.05)  # its upper face
RESOLVERS = {"cyrus_beck": ('plugin = "cyrus_beck";', SLAB), "cyrus_beck, a plane": ('plugin = "cyrus_beck";', PLANE),
             "sdf": ('plugin = "sdf"; cells = 8;', SLAB), "sdf, a plane": ('plugin = "sdf"; cells = 8;', PLANE)}


def turn(axis, angle):
    """The quaternion of a rotation."""
    return (math.cos(0.5 * angle), *(math.sin(0.5 * angle) * x for x in unit(axis)))


def text(values):
    return "(" + ", ".join(repr(float(x)) for x in values) + ")"


def cuboid(name, size):
    return f'{name} = {{ type = "polyhedron"; solid = "cuboid"; size = {text(size)}; }}; '


def block(name, height):
    return cuboid(name, (WIDTH, WIDTH, height))


def body(name, shape, at, q, more=""):
    return f'{name} = {{ shape = "{shape}"; position = {text(at)}; orientation = {text(q)}; {more} }}; '


def scene(shapes, bodies, law, steps, dt, resolver, gravity=-G, every=None):
    return f"""
scene = {{ dimension = 3; dt = {dt!r}; steps = {steps}; gravity = (0.0, 0.0, {gravity!r}); }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {shapes} }};
bodies = {{ {bodies} }};
force = ( {{ plugin = "overlap_volume"; {law} }} );
resolvers = ( {{ {resolver} contact = "overlap"; }} );
observers = {{ b = {{ plugin = "csv"; what = "bodies"; every_steps = {every or max(1, steps // 60)}; }};
    s = {{ plugin = "csv"; every_steps = {every or max(1, steps // 60)}; }}; }};
"""


def bodies_of(top, name, step):
    return {row["name"]: row for row in read_numbers(top / name / "bodies.csv") if row["step"] == step}


def vector(row, *names):
    return tuple(row[name] for name in names)


def orientation(row):
    return vector(row, "qw", "qx", "qy", "qz")


# ---- statics ----

def pushes(top, name, height, axis, poses, k, resolver):
    """(push along z, its distance from the middle of the block across `axis`, height of the middle) of blocks in these poses
    (tilt about the axis, depth of the lowest point), without friction."""
    plugin, slab = RESOLVERS[resolver]
    bodies, under = "", ON_SLAB[2] if slab is SLAB else 0.0
    for i, (tilt, low) in enumerate(poses):
        q = turn(axis, tilt)
        lowest = min(turned(q, (x, y, -0.5 * height))[2] for x in (-0.5 * WIDTH, 0.5 * WIDTH) for y in (-0.5 * WIDTH, 0.5 * WIDTH))
        if slab is SLAB or i == 0:
            bodies += body(f"f{i}", "slab", (0.5 * i, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 'motion = "fixed";')
        bodies += body(f"b{i}", "block", (0.5 * i, 0.0, under - lowest - low), q)
    law = f'form = "bed"; bed = {k!r}; kt = 1.0; damping = "none"; friction = 0.0;'
    run(top, scene(slab + block("block", height), bodies, law, 1, 1e-12, plugin, 0.0), name=name)
    rows = bodies_of(top, name, 0)
    return [(row["fz"], dot(vector(row, "tx", "ty", "tz"), axis) / row["fz"], row["z"] - under)
            for row in (rows[f"b{i}"] for i in range(len(poses)))]


def weighted(weight, k, tilt, corner):
    """The depth of the lowest point of a face that is tilted about one of its sides, or of its diagonals, and carries the weight:
    by the sum of the depths over the part below; stiff ones, of which only that part of the face is in contact."""
    s = math.tan(tilt)
    if corner:  # a right triangle with the legs d sqrt(2) / s, d deep at one corner: k d / 3 over d^2 / s^2
        depth = (3.0 * weight * s * s / k) ** (1.0 / 3.0)
        return depth * math.cos(tilt) if depth < WIDTH * s / math.sqrt(2.0) else None
    depth = math.sqrt(2.0 * weight * s / (k * WIDTH))
    return depth * math.cos(tilt) if depth < WIDTH * s else (weight / (k * WIDTH**2) + 0.5 * WIDTH * s) * math.cos(tilt)


def tipping(top, resolver, ratio, corner, k):
    """The largest slope [degrees] on which a block rests, and the loads of the bed in weights: a block on a
    slope of phi rests tilted by t where the bed's push, of its weight, is below its middle, phi - t = atan(lever / up)."""
    height, axis = ratio * WIDTH, unit((1.0, -1.0, 0.0)) if corner else Y
    weight = DENSITY * WIDTH**2 * height * G
    tilts = [1e-5 * 1.25 ** n for n in range(38)]
    poses = [(t, low) for t in tilts if (low := weighted(weight, k, t, corner)) is not None]
    found = pushes(top, f"push-{resolver}-{ratio}-{corner}".replace(", ", "-").replace(" ", "-"), height, axis, poses, k, resolver)
    best = max(math.atan2(-lever, up) - tilt for (tilt, _), (_, lever, up) in zip(poses, found))
    return math.degrees(best), [push / weight for push, _, _ in found]


def test_statics(top):
    """Stiff blocks: flat, they are 1e-10 of their width deep, or 1e-12, for at a corner less of the face carries them. sdf sees only
    samples, so that it is tried on a plane, which it cuts. On a slab the springs of the block's sides carry a part of the order of the
    tilt."""
    for resolver, ratio, corner in [("cyrus_beck", r, c) for r in (1.0, 2.0, 4.0) for c in (False, True)] + \
            [("cyrus_beck, a plane", 2.0, False), ("cyrus_beck, a plane", 2.0, True), ("sdf, a plane", 2.0, False), ("sdf, a plane", 2.0, True)]:
        limit = math.degrees(math.atan((math.sqrt(2.0) if corner else 1.0) / ratio))
        k = DENSITY * WIDTH * ratio * G / ((1e-12 if corner else 1e-10) * WIDTH)
        angle, loads = tipping(top, resolver, ratio, corner, k)
        where = "a corner" if corner else "a side"
        print(f"# {resolver}: loads {min(loads):.4f} to {max(loads):.4f} of the weight; a block {ratio:g} times as high as wide tips about {where} at "
              f"{angle:.4f} degrees, {angle - limit:.4f} off")
        tap.check(f"{resolver}: a stiff block {ratio:g} times as high as wide tips about {where} at {limit:.2f} degrees to 0.1",
                  -0.1 < angle - limit < 0.01 and abs(min(loads) - 1.0) < (1e-6 if "plane" in resolver else 0.03) > abs(max(loads) - 1.0), (angle, limit, loads))


# ---- blocks in motion ----

LAW = 'form = "bed"; bed = {k!r}; kt = 3e4; friction = {friction}; damping_ratio = 0.5; damping_t = 1.0;'


def on_slopes(top, name, cases, law, steps, dt, resolver="cyrus_beck"):
    """How far blocks (height / width, slope, turned about the slope's normal) have turned, laid on slopes of their own."""
    plugin, slab = RESOLVERS[resolver]
    shapes, bodies = slab, ""
    for i, (ratio, phi, about) in enumerate(cases):
        height, q = ratio * WIDTH, turn(Y, phi)
        shapes += block(f"s{i}", height)
        foot = (0.0, 1.0 * i, 0.0)
        bodies += body(f"f{i}", "slab", plus(foot, turned(q, ON_SLAB), -1.0), q, 'motion = "fixed";')
        own = turn((0.0, 0.0, 1.0), about)
        both = (q[0] * own[0] - q[2] * own[2], q[2] * own[3], q[2] * own[0], q[0] * own[3])  # q own: one about y, one about z
        bodies += body(f"b{i}", f"s{i}", plus(foot, turned(q, (0.0, 0.0, 0.5 * height))), both)
    run(top, scene(shapes, bodies, law, steps, dt, plugin), name=name)
    first, last = bodies_of(top, name, 0), bodies_of(top, name, steps)
    turns = [2.0 * math.acos(min(1.0, abs(dot(orientation(first[f"b{i}"]), orientation(last[f"b{i}"]))))) for i in range(len(cases))]
    return turns, last


def test_cube(top):
    """Soft ones, 2e-3 of their width deep; the slope is 15 degrees below where a rigid one tips, and friction holds them. A force
    at the middle of the overlap, the gradient of k V^2 / 2 with a face as stiff, lets them tumble."""
    phi, stiff = math.radians(30.0), 1e7
    cases = [(1.0, phi, 0.0), (1.0, phi, math.radians(45.0)), (1.0, phi, math.radians(20.0))]
    turns, rows = on_slopes(top, "cube", cases, LAW.format(k=stiff, friction=0.8), 60000, 1e-5)
    speeds = [norm(vector(rows[f"b{i}"], "vx", "vy", "vz")) for i in range(len(cases))]
    print("# cubes on 30 degrees with friction 0.8: turned by " + ", ".join(f"{math.degrees(t):.4f}" for t in turns) + " degrees, "
          + ", ".join(f"{v:.2g}" for v in speeds) + " m/s")
    tap.check("cubes on a slope of 30 degrees with friction 0.8 stay on their faces, however they are turned",
              all(t < math.radians(1.0) for t in turns) and max(speeds) < 1e-5, (turns, speeds))
    law = LAW.format(k=0, friction=0.8).replace('form = "bed"; bed = 0', f"k = {stiff / WIDTH**2!r}")
    turns, _ = on_slopes(top, "rocks", cases, law, 60000, 1e-5)
    print("# by the volume: turned by " + ", ".join(f"{math.degrees(t):.3g}" for t in turns) + " degrees")
    tap.check("a force of the volume does not hold the cubes", min(turns) > math.radians(5.0), turns)


def test_slides(top):
    """Coulomb on a slope of 15 degrees: friction of 0.35 holds, of 0.2 lets slide by g (sin phi - mu cos phi) t, once the springs have
    their load."""
    phi, steps, dt = math.radians(15.0), 40000, 1e-5
    for mu in (0.35, 0.2):
        cases = [(1.0, phi, 0.0), (1.0, phi, 0.5), (0.5, phi, 1.2)]
        turns, rows = on_slopes(top, f"slides-{mu}", cases, LAW.format(k=1e9, friction=mu), steps, dt)
        before = min(row["step"] for row in read_numbers(top / f"slides-{mu}/bodies.csv") if row["step"] > steps // 4)
        then = bodies_of(top, f"slides-{mu}", before)
        rates = [norm(plus(vector(rows[f"b{i}"], "vx", "vy", "vz"), vector(then[f"b{i}"], "vx", "vy", "vz"), -1.0)) / ((steps - before) * dt)
                 for i in range(len(cases))]
        want = max(0.0, G * (math.sin(phi) - mu * math.cos(phi)))
        print(f"# friction {mu}: faster by " + ", ".join(f"{rate:.6g}" for rate in rates) + f" m/s^2, Coulomb {want:.6g}; turned by " + ", ".join(f"{math.degrees(t):.2g}" for t in turns))
        tap.check(f"blocks on a slope of 15 degrees with friction {mu} {'slide as Coulomb says' if want else 'stay'}",
                  all(abs(rate - want) < 1e-4 for rate in rates) and max(turns) < math.radians(0.01), (rates, want, turns))


def test_stack(top):
    """Four cubes with their sides in line, and two bricks across a joint: each sinks by the weight above, m g over K times the face.
    Between two cubes the sides carry a part of the order of the depth over the width."""
    k, weight, up, want = 1e9, DENSITY * WIDTH**3 * G, 0.0, []
    bodies = body("f", "slab", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    for i in range(4):
        want.append(up + 0.5 * WIDTH - (4 - i) * weight / (k * WIDTH**2))
        bodies += body(f"a{i}", "cube", (0.0, 0.0, up + 0.5 * WIDTH), (1.0, 0.0, 0.0, 0.0))
        up = want[-1] + 0.5 * WIDTH
    for name, x, z in (("b0", 0.1, 0.5 * WIDTH), ("b1", 0.1 + 2.0 * WIDTH, 0.5 * WIDTH), ("b2", 0.1 + WIDTH, 1.5 * WIDTH)):
        bodies += body(name, "brick", (x, 0.0, z), (1.0, 0.0, 0.0, 0.0))
    law = LAW.format(k=k, friction=0.5)
    run(top, scene(PLANE + block("cube", WIDTH) + cuboid("brick", (2.0 * WIDTH, WIDTH, WIDTH)), bodies, law, 40000, 1e-5, RESOLVERS["cyrus_beck"][0]), name="stack")
    rows = bodies_of(top, "stack", 40000)
    off = [(rows[f"a{i}"]["z"] - z) * k * WIDTH**2 / weight for i, z in enumerate(want)]
    speed = max(norm(vector(row, "vx", "vy", "vz")) + WIDTH * norm(vector(row, "wx", "wy", "wz")) for row in rows.values())
    print("# a stack of cubes: depths are off by " + ", ".join(f"{x:.2g}" for x in off) + f" of that of one cube; at most {speed:.2g} m/s")
    tap.check("a stack of cubes and a bond of bricks come to rest, as deep as their weights", max(map(abs, off)) < 1e-3 and speed < 1e-9, (off, speed))


def test_dominoes(top):
    """Eight blocks, 1 to 8 times as high as wide, each on a slope of 0.7 times the angle at which rigid blocks tip, and on one 3
    degrees above it."""
    cases = [(ratio, phi, 0.0) for ratio in (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0)
             for phi in (0.7 * math.atan(1.0 / ratio), math.atan(1.0 / ratio) + math.radians(3.0))]
    turns, _ = on_slopes(top, "dominoes", cases, LAW.format(k=1e9, friction=2.0), 60000, 1e-5)
    right = [t < math.radians(1.0) if n % 2 == 0 else t > math.radians(10.0) for n, t in enumerate(turns)]
    print("# dominoes turned by " + ", ".join(f"{math.degrees(t):.2f}" for t in turns) + " degrees")
    tap.check("of 16 dominoes on slopes each does what a rigid one does: it stays or falls", all(right), (sum(right), turns))


def test_restart(top):
    """A block that rocks on its face, undamped: a restart and a swap of the resolver go on from what the bed stores."""
    bodies = body("f", "slab", plus((0.0, 0.0, 0.0), ON_SLAB, -1.0), (1.0, 0.0, 0.0, 0.0), 'motion = "fixed";') + \
        body("b", "block", (0.0, 0.0, 0.5 * WIDTH - 9e-7), turn((0.0, 0.0, 1.0), 0.3), "spin = (0.05, 0.02, 0.01);")
    law = 'form = "bed"; bed = 1e9; kt = 3e4; friction = 0.5; damping = "none";'
    text_ = scene(SLAB + block("block", WIDTH), bodies, law, 2000, 1e-6, RESOLVERS["cyrus_beck"][0])
    whole = run(top, text_, name="whole")
    run(top, text_, "--steps", "1000", name="half")
    again = scree(top, "run", "--restart", "half", "-q", "--json", "-o", "rest", "--steps", "1000")
    swap = 'schedule = ( { at_step = 1000; set = { resolvers = ( { plugin = "sdf"; cells = 32; contact = "overlap"; } ); }; } );\n'
    swapped = run(top, text_ + swap, name="swapped")
    off = [data["energy"]["residual"] / whole["energy"]["stored"] for data in (whole, swapped)]
    print(f"# stored {whole['energy']['stored']:.6g} J, {swapped['energy']['stored']:.6g} J with a swap, residuals {off[0]:.2g}, {off[1]:.2g} of it")
    tap.check("a block on its bed goes on alike after a restart",
              again.returncode == 0 and json.loads(again.stdout)["state_sha256"] == whole["state_sha256"], again.stderr)
    tap.check("the bed keeps what it stores when another resolver takes over", abs(off[0]) < 1e-4 and abs(off[1]) < 0.02, off)


# ---- an independent program: the bed by cutting polyhedra ----

class Solid:
    """A convex polyhedron: half spaces n · x < h, faces as loops of corners."""

    def __init__(self, size):
        self.half = tuple(0.5 * x for x in size)

    def planes(self, at, q):
        for k in range(3):
            for sign in (1.0, -1.0):
                n = turned(q, tuple(sign * (j == k) for j in range(3)))
                yield n, self.half[k] + dot(n, at)

    def faces(self, at, q):
        def corner(*sign):
            return plus(at, turned(q, tuple(s * h for s, h in zip(sign, self.half))))
        for k in range(3):
            for sign in (1.0, -1.0):
                loop = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
                yield [corner(*[(sign, u, v)[(j - k) % 3] for j in range(3)]) for u, v in (loop if sign > 0.0 else loop[::-1])]


def cut(faces, n, h):
    """The part of a convex polyhedron below n · x = h, or None."""
    kept, ends = [], []
    for loop in faces:
        part = []
        for p, q in zip(loop, loop[1:] + loop[:1]):
            a, b = dot(n, p) - h, dot(n, q) - h
            if a <= 0.0:
                part.append(p)
            if (a <= 0.0) != (b <= 0.0):
                x = plus(p, plus(q, p, -1.0), a / (a - b))
                part.append(x)
                ends.append(x)
        if len(part) > 2:
            kept.append(part)
    if ends and kept:
        middle = tuple(sum(x[k] for x in ends) / len(ends) for k in range(3))
        u = unit(plus(max(ends, key=lambda x: norm(plus(x, middle, -1.0))), middle, -1.0))
        v = cross(n, u)
        ends.sort(key=lambda x: math.atan2(dot(plus(x, middle, -1.0), v), dot(plus(x, middle, -1.0), u)))
        kept.append(ends)
    return kept or None


def integral(faces, n, h):
    """Integrates the distance h - n · x over a polyhedron, by the tetrahedra from one corner."""
    top, total = faces[0][0], 0.0
    for loop in faces:
        a = plus(loop[0], top, -1.0)
        for p, q in zip(loop[1:], loop[2:]):
            b, c = plus(p, top, -1.0), plus(q, top, -1.0)
            mean = sum(h - dot(n, x) for x in (top, loop[0], p, q)) / 4.0
            total += dot(a, cross(b, c)) / 6.0 * mean
    return total


def bed_of(a, b):
    """Four times the integral over the overlap of the distance from the nearest face; bodies as (solid, place, quaternion)."""
    planes = [*a[0].planes(*a[1:]), *b[0].planes(*b[1:])]
    both = list(a[0].faces(*a[1:]))
    for n, h in b[0].planes(*b[1:]):
        both = both and cut(both, n, h)
    total = 0.0
    for i, (n, h) in enumerate(planes):
        cell = both
        for j, (m, g) in enumerate(planes):
            if cell and i != j and norm(plus(m, n, -1.0)) > 1e-9:
                cell = cut(cell, plus(m, n, -1.0), g - h)  # nearer to n than to m
        total += 4.0 * integral(cell, n, h) if cell else 0.0
    return total


SIZES = {"a": (0.02, 0.02, 0.02), "b": (0.03, 0.02, 0.012)}
STIFF = 3e8


def pose_of(row):
    return Solid(SIZES[row["name"]]), vector(row, "x", "y", "z"), orientation(row)


def kinetic(row):
    """The kinetic energy of a cuboid, with the moments of its own axes."""
    size = SIZES[row["name"]]
    mass = DENSITY * size[0] * size[1] * size[2]
    w = turned((row["qw"], -row["qx"], -row["qy"], -row["qz"]), vector(row, "wx", "wy", "wz"))
    moments = [mass / 12.0 * (size[(k + 1) % 3] ** 2 + size[(k + 2) % 3] ** 2) for k in range(3)]
    return 0.5 * mass * dot(vector(row, "vx", "vy", "vz"), vector(row, "vx", "vy", "vz")) + 0.5 * sum(i * x * x for i, x in zip(moments, w))


# Edge on edge, a corner on a face, nearly face on face: place, velocity, quaternion and spin of b.
IMPACTS = {"askew": ((0.02, 0.003, 0.012), (-1.0, 0.1, -0.4), turn((1.0, 2.0, 0.5), 0.7), (3.0, -10.0, 5.0)),
           "a corner": ((0.0, 0.004, 0.03), (0.0, 0.0, -1.0), turn((1.0, 0.4, 0.0), 0.9), (0.0, 0.0, 20.0)),
           "face on face": ((0.002, 0.003, 0.0165), (0.05, 0.0, -1.0), turn((1.0, 0.3, 0.2), 0.02), (0.0, 0.0, 3.0))}


def collide(top, name, steps, dt, every, impact):
    at, v, q, spin = IMPACTS[impact]
    bodies = body("a", "a", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) + \
        body("b", "b", at, q, f"velocity = {text(v)}; spin = {text(spin)};")
    law = f'form = "bed"; bed = {STIFF!r}; kt = 0.0; friction = 0.0; damping = "none";'
    data = run(top, scene(cuboid("a", SIZES["a"]) + cuboid("b", SIZES["b"]), bodies, law, steps, dt, 'plugin = "cyrus_beck";', 0.0, every), name=name)
    rows = read_numbers(top / name / "bodies.csv")
    return data, [(rows[k], rows[k + 1]) for k in range(0, len(rows), 2)], read_numbers(top / name / "scalars.csv")


def test_energy(top):
    """The forces of scree, and the energy that this program finds for its poses, over whole impacts."""
    for impact in IMPACTS:
        left, most, worst = [], 0.0, 0.0
        for dt in (4e-6, 2e-6):
            steps = round(0.012 / dt)
            data, rows, scalars = collide(top, f"impact-{impact}-{dt}".replace(" ", "-"), steps, dt, steps // 60, impact)
            energies = [(kinetic(a) + kinetic(b), 0.5 * STIFF * bed_of(pose_of(a), pose_of(b))) for a, b in rows]
            total = [sum(e) for e in energies]
            most = max(stored for _, stored in energies) / total[0]
            left.append(max(abs(e - total[0]) for e in total) / total[0])
            worst = max(abs(row["stored"] - stored) for row, (_, stored) in zip(scalars, energies)) / total[0]
        print(f"# {impact}: stored up to {most:.2g} of the energy, which is off by {left[0]:.2g}, {left[1]:.2g} with half the step; what is stored by {worst:.2g}")
        tap.check(f"{impact}: over an impact the bed keeps the energy, as another program finds it, to the square of the step",
                  most > 0.1 and left[1] < 1e-5 and left[1] < 0.35 * left[0] and worst < 1e-10, (left, most, worst))


def test_gradient(top):
    """Forces and torques on both bodies in the middle of an impact, against differences of this program's energy."""
    for impact in IMPACTS:
        _, rows, _ = collide(top, f"gradient-{impact}".replace(" ", "-"), 6000, 2e-6, 50, impact)
        a, b = max(rows, key=lambda pair: norm(vector(pair[0], "fx", "fy", "fz")))
        worst = 0.0
        for row, other in ((a, b), (b, a)):
            shape, at, q = pose_of(row)
            for k in range(3):
                step = tuple(float(j == k) for j in range(3))

                def moved(by):
                    return bed_of((shape, plus(at, step, by * 1e-7), q), pose_of(other))

                def rotated(by):
                    r = turn(step, by * 1e-5)
                    both = (r[0] * q[0] - dot(r[1:], q[1:]), *plus(plus(tuple(r[0] * x for x in q[1:]), r[1:], q[0]), cross(r[1:], q[1:])))
                    return bed_of((shape, at, both), pose_of(other))
                force = -0.5 * STIFF * (moved(1.0) - moved(-1.0)) / 2e-7
                torque = -0.5 * STIFF * (rotated(1.0) - rotated(-1.0)) / 2e-5
                size = norm(vector(a, "fx", "fy", "fz"))
                worst = max(worst, abs(row[("fx", "fy", "fz")[k]] - force) / size, abs(row[("tx", "ty", "tz")[k]] - torque) / size / WIDTH)
        print(f"# {impact}: forces and torques are off by {worst:.2g} of the largest")
        tap.check(f"{impact}: force and torque on both bodies are the gradient of the energy that another program finds", worst < 1e-6, worst)


tap.in_folder(test_statics, test_cube, test_slides, test_stack, test_dominoes, test_restart, test_energy, test_gradient)
