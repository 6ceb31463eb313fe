# SPDX-License-Identifier: Apache-2.0
"""mass = "point" and "bodies": impacts off centre of corners and clumps against the impact of rigid bodies, of which the
moments, arms and impulses are worked out here.

usage: test_off_centre.py SCREE
"""
import json
import math
import os

import tap
from runs import read_table, scree
from vectors import cross, dot, plus

DENSITY, SIDE, R, SPEED, GAP = 2500.0, 0.02, 0.01, 1.0, 1e-7
BRICK = (0.03, 0.02, 0.01)
RESTITUTIONS = (0.3, 0.5, 0.7)
UP = (0.0, 0.0, 1.0)
PLANE = 'floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };'
DUMBBELL = "pair = { type = \"clump\"; balls = ((-1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 1.0)); };"


def columns(rows):
    return tuple(zip(*rows))


class Turn:
    """A rotation about `axis` by `angle` [rad]: matrix by Rodrigues' formula."""

    def __init__(self, axis, angle):
        size = math.sqrt(dot(axis, axis))
        self.axis, self.angle = tuple(x / size for x in axis), angle
        self.rows = columns([self.of(e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))])

    def of(self, v):
        c, s = math.cos(self.angle), math.sin(self.angle)
        return plus(plus(tuple(c * x for x in v), cross(self.axis, v), s), self.axis, (1.0 - c) * dot(self.axis, v))

    def back(self, v):
        return tuple(dot(column, v) for column in columns(self.rows))

    def text(self):
        half = 0.5 * self.angle
        q = (math.cos(half), *(math.sin(half) * x for x in self.axis))
        return "(" + ", ".join(repr(x) for x in q) + ")"


class Rigid:
    """A body: mass, principal moments, how it is turned, where it is and how fast."""

    def __init__(self, mass, moments, turn, x=(0.0, 0.0, 0.0), v=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0)):
        self.mass, self.moments, self.turn, self.x, self.v, self.w = mass, moments, turn, x, v, w

    def spin_by(self, couple):
        """The change of spin that an angular impulse makes."""
        own = self.turn.back(couple)
        return self.turn.of(tuple(p / m for p, m in zip(own, self.moments)))

    def inverse_at(self, arm, n):
        """1/m of the point at the end of `arm` along n: its speed per impulse."""
        return 1.0 / self.mass + dot(cross(self.spin_by(cross(arm, n)), arm), n)

    def speed_at(self, arm, n):
        return dot(plus(self.v, cross(self.w, arm)), n)

    def struck(self, arm, n, impulse):
        """A copy after an impulse along n at the end of `arm`."""
        return Rigid(self.mass, self.moments, self.turn, self.x, plus(self.v, n, impulse / self.mass),
                     plus(self.w, self.spin_by(cross(arm, n)), impulse))


def cuboid(size, turn, **more):
    mass = DENSITY * size[0] * size[1] * size[2]
    return Rigid(mass, tuple(mass / 12.0 * (size[(k + 1) % 3] ** 2 + size[(k + 2) % 3] ** 2) for k in range(3)), turn, **more)


def dumbbell(turn, **more):
    """Two balls that touch, along the x axis of the body."""
    ball = DENSITY * 4.0 / 3.0 * math.pi * R ** 3
    own = 0.4 * ball * R * R
    return Rigid(2.0 * ball, (2.0 * own, 2.0 * (own + ball * R * R), 2.0 * (own + ball * R * R)), turn, **more)


def triple(v):
    return "(" + ", ".join(repr(x) for x in v) + ")"


def run(top, text, *args):
    folder = f"run-{len(os.listdir(top))}"
    (top / "s.cfg").write_text(text)
    done = scree(top, "run", "s.cfg", "-q", "--json", "-o", folder, *args)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout), {row["name"]: row for row in read_table(top / folder / "b.csv")}


def scene(shapes, bodies, law, dt, steps, resolvers, dimension=3):
    return f"""
scene = {{ dimension = {dimension}; dt = {dt!r}; steps = {steps}; dt_limit = 1e9; {'thickness = 1.0;' if dimension == 2 else ''} }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {shapes} }};
bodies = {{ {bodies} }};
force = ( {{ {law} }} );
resolvers = ( {resolvers} );
observers = {{ b = {{ plugin = "csv"; what = "bodies"; file = "b"; every_steps = {steps}; }}; }};
"""


def movement(row, dimension=3):
    if dimension == 2:
        return (float(row["vx"]), float(row["vy"]), 0.0), (0.0, 0.0, float(row["wz"]))
    return tuple(float(row[k]) for k in ("vx", "vy", "vz")), tuple(float(row[k]) for k in ("wx", "wy", "wz"))


def compare(top, text, bodies, arms, n, e, dimension=3):
    """bodies: by name, of the one that n points away from, then of that it points to. Restitution at the point, and the
    largest difference of a velocity from that of rigid bodies over the speed of approach."""
    inverse = sum(body.inverse_at(arm, n) for body, arm in zip(bodies.values(), arms))
    approach = sum(sign * body.speed_at(arm, n) for sign, body, arm in zip((1.0, -1.0), bodies.values(), arms))
    impulse = (1.0 + e) * approach / inverse
    _, rows = run(top, text)
    apart, worst = 0.0, 0.0
    for sign, (who, body), arm in zip((1.0, -1.0), bodies.items(), arms):
        want = body.struck(arm, n, -sign * impulse)
        v, w = movement(rows[who], dimension)
        apart -= sign * Rigid(body.mass, body.moments, body.turn, v=v, w=w).speed_at(arm, n)
        size = math.sqrt(dot(arm, arm))
        worst = max(worst, *(abs(a - b) / approach for a, b in zip(v, want.v)),
                    *(abs(a - b) * size / approach for a, b in zip(w, want.w)))
    return apart / approach, worst


def duration(kn, inverse, e):
    """How long a spring and a dashpot are in touch."""
    ratio = -math.log(e) / math.hypot(math.pi, math.log(e))
    return math.pi / math.sqrt(kn * inverse * (1.0 - ratio * ratio))


def both_ways(name, build, others=5.0, restitutions=RESTITUTIONS):
    """`point` keeps e to 1 %, and the motion that rigid bodies have; `bodies` misses e by at least `others` (%)."""
    for e in restitutions:
        found, worst = build(e, 'mass = "point";')
        given, _ = build(e, "")
        wrong, _ = build(e, 'mass = "bodies";')
        print(f"# {name}, e = {e}: {found:.5f}, velocities off by {worst:.1e}; with the masses of the bodies {wrong:.3f}")
        tap.check(f"{name}: e is {e} at the point of contact, to 1 %, and all move on as rigid bodies do",
                  abs(found / e - 1.0) < 0.01 and worst < 0.01, (found, worst))
        tap.check(f"{name}: that is the default; the masses of the bodies damp it more, e = {e}",
                  given == found and wrong < e * (1.0 - 0.01 * others), (given, found, wrong))


def linear(e, mass, kn=1e8):
    return f'plugin = "linear"; kn = {kn!r}; kt = 0.0; restitution = {e}; {mass}'


def member(name, shape, body, more=""):
    return (f'{name} = {{ shape = "{shape}"; {more} position = {triple(body.x)}; orientation = {body.turn.text()}; '
            f"velocity = {triple(body.v)}; spin = {triple(body.w)}; }}; ")


def fall(top, body, low, law, last, shapes, resolver, what, e, more=""):
    """A body whose lowest point `low` (from its centre) is GAP above a floor falls on it."""
    body.x, body.v, body.w = (0.0, 0.0, GAP - low[2]), (0.3, 0.1, -SPEED), (3.0, -2.0, 1.0)
    text = scene(PLANE + shapes, 'floor = { shape = "floor"; }; ' + member("a", what, body, more), law, last / 600.0,
                 720 + round(600.0 * GAP / SPEED / last), f'{{ plugin = "{resolver}"; }}')
    return compare(top, text, {"a": body}, [low], (0.0, 0.0, -1.0), e)


def lowest(turn, size):
    signs = [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    return min((turn.of(tuple(0.5 * s * d for s, d in zip(size, each))) for each in signs), key=lambda p: p[2])


def box(name, size):
    return f'{name} = {{ type = "polyhedron"; solid = "cuboid"; size = {triple(size)}; }};'


def test_corner(top):
    """The corner of a brick, its three moments unequal, on a floor: r x n is not along a principal axis."""
    turn = Turn((1.0, 2.0, -0.5), 0.9)
    low = lowest(turn, BRICK)

    def build(e, mass):
        body = cuboid(BRICK, turn)
        last = duration(1e8, body.inverse_at(low, (0.0, 0.0, -1.0)), e)
        return fall(top, body, low, linear(e, mass), last, box("brick", BRICK), "gjk", "brick", e)
    both_ways("a brick's corner on a floor", build)


def test_clump(top):
    """A dumbbell; by a law whose spring grows too. Its impact takes 2.94 (m / k)^(2/5) v^(-1/5), f = k depth^(3/2)."""
    turn = Turn((0.0, 1.0, 0.2), math.radians(35.0))
    low = plus(min((turn.of((x, 0.0, 0.0)) for x in (-R, R)), key=lambda p: p[2]), (0.0, 0.0, -R))
    inverse = dumbbell(turn).inverse_at(low, (0.0, 0.0, -1.0))
    hertz = 2.94 * (0.75 / (inverse * 1e12 / (2.0 - 2.0 * 0.2 ** 2) * math.sqrt(R))) ** 0.4

    def of_law(plugin, more):
        def build(e, mass):
            law = f'plugin = "{plugin}"; young_modulus = 1e12; poisson_ratio = 0.2; restitution = {e}; {more} {mass}'
            last = hertz * 1.5
            if plugin == "linear":
                law, last = linear(e, mass), duration(1e8, inverse, e)
            return fall(top, dumbbell(turn), low, law, last, DUMBBELL, "sphere", "pair", e, f"scale = {R!r};")
        return build
    both_ways("a dumbbell on a floor", of_law("linear", ""))
    both_ways("a dumbbell on a floor, hertz_mindlin", of_law("hertz_mindlin", ""), restitutions=(0.5,))
    both_ways("a dumbbell on a floor, jkr", of_law("jkr", "work_of_adhesion = 0.0;"), restitutions=(0.5,))


def test_two(top):
    """Two free bodies, both off centre: ball against ball of two dumbbells, the corner of a brick against a cube's face."""
    def balls(e, mass):
        a, b = dumbbell(Turn((0.0, 1.0, 0.0), 0.6), v=(0.1, 0.0, SPEED)), dumbbell(Turn((1.0, 0.0, 0.4), 1.1), w=(0.0, 5.0, 2.0))
        of_a, of_b = a.turn.of((-R, 0.0, 0.0)), b.turn.of((-R, 0.0, 0.0))
        n = Turn((0.0, 1.0, 0.0), 0.4).of((0.0, 0.0, 1.0))
        b.x = plus(plus(of_a, n, 2.0 * R + GAP), of_b, -1.0)
        arms = plus(of_a, n, R), plus(of_b, n, -R)
        last = duration(1e8, a.inverse_at(arms[0], n) + b.inverse_at(arms[1], n), e)
        text = scene(DUMBBELL, member("a", "pair", a, f"scale = {R!r};") + member("b", "pair", b, f"scale = {R!r};"), linear(e, mass),
                     last / 600.0, 900, '{ plugin = "sphere"; }')
        return compare(top, text, {"a": a, "b": b}, arms, n, e)

    def faces(e, mass):
        turn = Turn((1.0, 2.0, -0.5), 0.9)
        low, hit = lowest(turn, BRICK), (0.006, -0.005, 0.5 * SIDE)
        a = cuboid(BRICK, turn, x=plus(plus(hit, low, -1.0), UP, GAP), v=(0.0, 0.2, -SPEED))
        b = cuboid((SIDE, SIDE, SIDE), Turn((0.0, 0.0, 1.0), 0.0))
        n = (0.0, 0.0, -1.0)
        last = duration(1e8, a.inverse_at(low, n) + b.inverse_at(hit, n), e)
        text = scene(box("brick", BRICK) + box("cube", (SIDE, SIDE, SIDE)), member("a", "brick", a) + member("b", "cube", b),
                     linear(e, mass), last / 600.0, 800, '{ plugin = "gjk"; }')
        return compare(top, text, {"a": a, "b": b}, (low, hit), n, e)
    both_ways("ball against ball of two dumbbells", balls)
    both_ways("a brick's corner on a free cube's face", faces)


def flat_scene(turn, low, law, resolver, last):
    square = 'square = { type = "polygon"; vertices = ((-0.01, -0.01), (0.01, -0.01), (0.01, 0.01), (-0.01, 0.01)); };'
    return scene('floor = { type = "plane"; normal = (0.0, 1.0); };' + square,
                 f'floor = {{ shape = "floor"; }}; a = {{ shape = "square"; position = (0.0, {GAP - low[1]!r}); '
                 f"orientation = {turn.text()}; velocity = (0.2, {-SPEED!r}); spin = 4.0; }};",
                 law, last / 600.0, 800, resolver, dimension=2)


def flat_corner(degrees):
    """A square of 1 m thickness, and its lowest corner; in the plane only the moment about z counts."""
    turn = Turn((0.0, 0.0, 1.0), math.radians(degrees))
    body = cuboid((SIDE, SIDE, 1.0), turn, v=(0.2, -SPEED, 0.0), w=(0.0, 0.0, 4.0))
    low = min((turn.of((x, y, 0.0)) for x in (-0.01, 0.01) for y in (-0.01, 0.01)), key=lambda p: p[1])
    return body, turn, low


def test_plane(top):
    body, turn, low = flat_corner(17.0)
    down = (0.0, -1.0, 0.0)
    resolver = '{ plugin = "closest_feature"; contact = "distance"; }'

    def build(e, mass):
        law = linear(e, mass, 1e10)
        return compare(top, flat_scene(turn, low, law, resolver, duration(1e10, body.inverse_at(low, down), e)), {"a": body}, [low],
                       down, e, 2)
    both_ways("a square's corner on a line", build)


def test_face(top):
    """Four corners that land at once share the mass: each has a quarter of it, and all four dashpots the ratio of one."""
    for e in RESTITUTIONS:
        body = cuboid((SIDE, SIDE, SIDE), Turn((0.0, 0.0, 1.0), 0.3), x=(0.0, 0.0, 0.5 * SIDE + GAP), v=(0.0, 0.0, -SPEED))
        last = duration(4e8, 1.0 / body.mass, e)
        text = scene(PLANE + box("cube", (SIDE, SIDE, SIDE)), 'floor = { shape = "floor"; }; ' + member("a", "cube", body), linear(e, ""),
                     last / 600.0, 800, '{ plugin = "gjk"; }')
        found = movement(run(top, text)[1]["a"])[0][2] / SPEED
        print(f"# a cube's face on a floor, e = {e}: {found:.5f}")
        tap.check(f"a cube that lands on a face leaves with e = {e}, to 1 %", abs(found / e - 1.0) < 0.01, found)


def test_two_points(top):
    """Two balls that land at once have more than half of the mass each, 7/12: two springs and two dashpots of one give the
    oscillator of the whole mass the ratio of one times sqrt(2 x 7/12)."""
    for e in RESTITUTIONS:
        body = dumbbell(Turn((0.0, 0.0, 1.0), 0.3), x=(0.0, 0.0, R + GAP), v=(0.0, 0.0, -SPEED))
        last = duration(2e8, 1.0 / body.mass, e)
        text = scene(PLANE + DUMBBELL, 'floor = { shape = "floor"; }; ' + member("a", "pair", body, f"scale = {R!r};"), linear(e, ""),
                     last / 600.0, 800, '{ plugin = "sphere"; }')
        found = movement(run(top, text)[1]["a"])[0][2] / SPEED
        ratio = -math.log(e) / math.hypot(math.pi, math.log(e)) * math.sqrt(7.0 / 6.0)
        want = math.exp(-math.pi * ratio / math.sqrt(1.0 - ratio * ratio))
        print(f"# a dumbbell flat on a floor, e = {e}: {found:.5f}, by two points at once {want:.5f}")
        tap.check(f"a dumbbell that lands flat on both balls leaves as two points by themselves, e = {e}, to 1 %",
                  abs(found / want - 1.0) < 0.01, (found, want))


def rebound(force, dash, mass, step):
    """Share of its speed with which a point of that mass leaves force(depth) and a dashpot dash(depth), by Runge and Kutta."""
    def push(d, v):
        return -(force(d) + dash(d) * v) / mass
    d, v = 0.0, SPEED
    while d >= 0.0:
        a1, v1 = push(d, v), v
        a2, v2 = push(d + 0.5 * step * v1, v + 0.5 * step * a1), v + 0.5 * step * a1
        a3, v3 = push(d + 0.5 * step * v2, v + 0.5 * step * a2), v + 0.5 * step * a2
        a4, v4 = push(d + step * v3, v + step * a3), v + step * a3
        d, v = d + step * (v1 + 2.0 * v2 + 2.0 * v3 + v4) / 6.0, v + step * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0
    return -v / SPEED


def test_overlaps(top):
    """Corners that cut into a floor. A corner of 90 deg has a chord w d and an area w d^2 / 2, a corner of a cuboid the area
    3 u d^2 and the volume u d^3; the dashpots are shares of the critical one at the depth."""
    body, turn, low = flat_corner(17.0)
    down, k = (0.0, -1.0, 0.0), 1e18
    wide = math.tan(turn.angle) + 1.0 / math.tan(turn.angle)
    mass = 1.0 / body.inverse_at(low, down)
    last = 10.0 * (mass / (k * wide * wide * SPEED * SPEED)) ** 0.25

    def area(ratio):
        return rebound(lambda d: 0.5 * k * wide ** 2 * d ** 3, lambda d: 2.0 * ratio * wide * d * math.sqrt(k * mass), mass, last / 4000.0)

    def by_area(ratio, mass_of):
        law = f'plugin = "overlap_area"; form = "potential"; k = {k!r}; kt = 0.0; damping_ratio = {ratio!r}; {mass_of}'
        return compare(top, flat_scene(turn, low, law, '{ plugin = "closest_feature"; }', last), {"a": body}, [low], down, area(ratio), 2)
    of_brick = Turn((1.0, 2.0, -0.5), 0.9)
    tip = lowest(of_brick, BRICK)
    edges = [abs(of_brick.of(axis)[2]) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    u, k3 = 1.0 / (6.0 * edges[0] * edges[1] * edges[2]), 1e26
    mass3 = 1.0 / cuboid(BRICK, of_brick).inverse_at(tip, (0.0, 0.0, -1.0))
    last3 = 10.0 * (mass3 / (3.0 * k3 * u * u * SPEED ** 4)) ** (1.0 / 6.0)

    def volume(ratio):
        return rebound(lambda d: 3.0 * k3 * u * u * d ** 5, lambda d: 6.0 * ratio * u * d * d * math.sqrt(k3 * mass3), mass3, last3 / 4000.0)

    def by_volume(ratio, mass_of):
        law = f'plugin = "overlap_volume"; k = {k3!r}; kt = 0.0; damping_ratio = {ratio!r}; {mass_of}'
        return fall(top, cuboid(BRICK, of_brick), tip, law, last3, box("brick", BRICK), "cyrus_beck\"; contact = \"overlap", "brick", volume(ratio))
    for name, build, rate in (("area", by_area, area), ("volume", by_volume, volume)):
        for ratio in (0.05, 0.2):
            (found, worst), (wrong, _), want = build(ratio, ""), build(ratio, 'mass = "bodies";'), rate(ratio)
            print(f"# overlap_{name}, ratio {ratio}: {found:.5f}, integrated {want:.5f}, velocities off by {worst:.1e}; with the masses of "
                  f"the bodies {wrong:.3f}")
            tap.check(f"overlap_{name}: a corner leaves as the oscillator with the mass of its point, to 1 %, ratio {ratio}",
                      abs(found / want - 1.0) < 0.01 and worst < 0.01, (found, want, worst))
            tap.check(f"overlap_{name}: the masses of the bodies damp it more, ratio {ratio}", wrong < 0.97 * want, (wrong, want))


def test_held(top):
    """A body that is moved, or does not move, has no mass at the point; a ball has its own."""
    turn = Turn((1.0, 2.0, -0.5), 0.9)
    low, hit, n, e = lowest(turn, BRICK), (0.006, -0.005, 0.5 * SIDE), (0.0, 0.0, -1.0), 0.5
    for motion in ("kinematic", "fixed"):
        a = cuboid(BRICK, turn, x=plus(plus(hit, low, -1.0), UP, GAP), v=(0.0, 0.2, -SPEED))
        b = cuboid((SIDE, SIDE, SIDE), Turn((0.0, 0.0, 1.0), 0.0))
        last = duration(1e8, a.inverse_at(low, n), e)
        text = scene(box("brick", BRICK) + box("cube", (SIDE, SIDE, SIDE)),
                     member("a", "brick", a) + member("b", "cube", b, f'motion = "{motion}";'), linear(e, ""), last / 600.0, 800,
                     '{ plugin = "gjk"; }')
        found, worst = compare(top, text, {"a": a}, [low], n, e)
        tap.check(f"a corner on a {motion} cube, hit off its centre, keeps e", abs(found / e - 1.0) < 0.01 and worst < 0.01, (found, worst))
    pair = dumbbell(Turn((0.0, 1.0, 0.0), 0.6))
    n = Turn((0.0, 1.0, 0.0), 0.4).of(UP)
    arm = plus(pair.turn.of((-R, 0.0, 0.0)), n, R)
    ball = Rigid(0.5 * pair.mass, (0.2 * pair.mass * R * R,) * 3, Turn(UP, 0.0), x=plus(arm, n, R + GAP), v=tuple(-SPEED * x for x in n))
    arms = arm, tuple(-R * x for x in n)
    last = duration(1e8, pair.inverse_at(arms[0], n) + 1.0 / ball.mass, e)
    text = scene(DUMBBELL, member("a", "pair", pair, f"scale = {R!r};") + f'b = {{ radius = {R!r}; position = {triple(ball.x)}; '
                 f'velocity = {triple(ball.v)}; }};', linear(e, ""), last / 600.0, 800, '{ plugin = "sphere"; }')
    found, worst = compare(top, text, {"a": pair, "b": ball}, arms, n, e)
    tap.check("a ball on a dumbbell, off its centre, keeps e", abs(found / e - 1.0) < 0.01 and worst < 0.01, (found, worst))


def test_bond(top):
    """Force of a bond's dashpot, by the difference of two runs whose springs are equal: 2 share sqrt(k A) (sqrt(m) - sqrt(m'))
    times the speed."""
    turn, share, k, dt, speed = Turn((0.0, 1.0, 0.0), 0.6), 0.3, 1e12, 1e-9, 0.01
    n = Turn((0.0, 1.0, 0.0), 0.4).of(UP)
    pair = dumbbell(turn, v=tuple(speed * x for x in n))
    arm = plus(turn.of((-R, 0.0, 0.0)), n, R)
    forces = {}
    for mass in ("point", "bodies"):
        law = (f'plugin = "bonded"; bond_kn = {k!r}; bond_ks = 0.0; bond_damping = {share!r}; bonds = {{ gap = "1 um"; }}; mass = "{mass}";')
        text = scene(DUMBBELL, member("a", "pair", pair, f"scale = {R!r};") + f'b = {{ radius = {R!r}; motion = "fixed"; '
                     f'position = {triple(plus(arm, n, R))}; }};', law, dt, 1, '{ plugin = "sphere"; }')
        row = run(top, text)[1]["b"]
        forces[mass] = dot(tuple(float(row[c]) for c in ("fx", "fy", "fz")), n)
    area = math.pi * R * R
    want = 2.0 * share * math.sqrt(k * area) * (math.sqrt(pair.mass) - math.sqrt(1.0 / pair.inverse_at(arm, n))) * speed
    got = forces["bodies"] - forces["point"]
    print(f"# a bond off centre: {forces}, difference {got:.9g} N, expected {want:.9g} N")
    tap.check("the dashpot of a bond off centre has the mass of its point", abs(got / want - 1.0) < 1e-6, (forces, want))


def test_round(top):
    """Balls that roll on and hit each other: one mass at the centre and at the point, to the last bit."""
    bodies = "".join(f'b{k} = {{ radius = {R!r}; position = ({2.02 * R * (k % 3)!r}, {0.4 * R * (k // 3)!r}, {R * (1 + 2.02 * (k // 3))!r}); '
                     f'velocity = ({0.3 - 0.2 * k!r}, 0.1, -0.5); spin = (3.0, {2.0 - k!r}, 1.0); }}; ' for k in range(6))
    seen = set()
    for mass in ("", 'mass = "point";', 'mass = "bodies";'):
        law = f'plugin = "linear"; kn = 1e6; friction = 0.4; restitution = 0.5; {mass}'
        data, _ = run(top, scene(PLANE, bodies + 'floor = { shape = "floor"; };', law, 5e-6, 3000, '{ plugin = "sphere"; }'))
        seen.add(data["state_sha256"])
    tap.check("of balls both masses are the same number", len(seen) == 1 and data["energy"]["lost"] > 0.0, (seen, data["energy"]))


if __name__ == "__main__":
    tap.in_folders(test_corner, test_clump, test_two, test_plane, test_face, test_two_points, test_overlaps,
                   test_held, test_bond, test_round)
