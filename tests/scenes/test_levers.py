# SPDX-License-Identifier: Apache-2.0
"""lever = "contact" and "radius": impacts on a floor of balls, clumps and ellipsoids, against LAMMPS and against an integral of
the rigid body that knows nothing of scree; laws of one scene that differ; the couples in the tables of observers.

usage: test_levers.py SCREE
"""
import json
import math
import pathlib
import tempfile

import tap
from runs import read_table, scree
from vectors import cross, dot, plus, turned

R, DENSITY, KN, MU = 0.01, 2500.0, 1e5, 0.1
KT = 2.0 / 7.0 * KN
START = (0.3, 0.1, -1.0)
TILT = math.radians(40.0)
# LAMMPS 29 Sep 2021, update 2, timestep 1e-7: fix rigid single and gran/hooke/history 1e5 NULL 0 0 0.1 0 of a wall, and of a ball of
# 8 mm that is hit (fix nve/sphere): velocity of the dumbbell, spin and velocity of the ball.
LAMMPS = (0.3064113745, 0.06483827006, 0.371476197)
LAMMPS_HIT = ((0.1026293921, 0.03328547317, -0.72220034), (12.58911304, -60.870752, -2.677943393),
              (0.7709789371, 0.2606036204, -1.085154922))


def turn(q, w, dt):
    """q after dt at the angular velocity w."""
    rate = math.sqrt(dot(w, w))
    half = 0.5 * dt * rate
    s = math.sin(half) / rate if rate else 0.0
    p = (math.cos(half), *(s * k for k in w))
    return (p[0] * q[0] - dot(p[1:], q[1:]),
            *plus(plus(tuple(p[0] * k for k in q[1:]), p[1:], q[0]), cross(p[1:], q[1:])))


class Balls:
    """Balls that are fixed together, about their common centre."""
    def __init__(self, places, law):
        self.places, self.law = places, law

    def deepest(self, q):
        """Places from the centre of the body, one for each ball, that are lowest."""
        return [plus(turned(q, p), (0.0, 0.0, -R)) for p in self.places]


class Ellipsoid:
    def __init__(self, axes, law):
        self.axes, self.law = axes, law

    def deepest(self, q):
        back = (q[0], -q[1], -q[2], -q[3])
        n = turned(back, (0.0, 0.0, -1.0))
        size = math.sqrt(sum((a * k) ** 2 for a, k in zip(self.axes, n)))
        return [turned(q, tuple(a * a * k / size for a, k in zip(self.axes, n)))]


def linear(depth, radius):
    return KN * depth, KT


def hertz(depth, radius, young=2e8, nu=0.3):
    """Against a floor of the same material."""
    a = math.sqrt(radius * max(depth, 0.0))
    e, g = 0.5 * young / (1.0 - nu * nu), 0.25 * young / ((1.0 + nu) * (2.0 - nu))
    return 4.0 / 3.0 * e * a * depth, 8.0 * g * a


def fly(body, mass, inertia, x, q, v, w, levers, dt, steps):
    """The motion of a rigid body (principal moments, body frame q) that falls on the floor z = 0: each of `levers` is a law of its
    own, (whether it is longer, share of the force). Leapfrog with a midpoint for the spin."""
    springs = {}
    for step in range(steps):
        force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k, low in enumerate(body.deepest(q)):
            depth = -(x[2] + low[2])
            for law, (longer, share) in enumerate(levers):
                if depth < 0.0:
                    springs.pop((k, law), None)
                    continue
                arm = low if longer else plus(low, (0.0, 0.0, 0.5 * depth))
                u = plus(v, cross(w, arm))
                fn, kt = (share * f for f in body.law(depth, R))
                s = springs.get((k, law), (0.0, 0.0))
                s = (s[0] + dt * u[0], s[1] + dt * u[1])
                size = kt * math.hypot(*s)
                if size > MU * fn:
                    s = tuple(MU * fn / size * k for k in s)
                springs[k, law] = s
                f = (-kt * s[0], -kt * s[1], fn)
                force, torque = plus(force, f), plus(torque, cross(arm, f))
        v = plus(v, force, dt / mass)
        # Euler's equations in the frame of the body, by the midpoint rule.
        back = (q[0], -q[1], -q[2], -q[3])
        t, own = turned(back, torque), turned(back, w)
        mid = own
        for _ in range(3):
            spun = cross(mid, tuple(i * k for i, k in zip(inertia, mid)))
            new = tuple(o + dt * (t[k] - spun[k]) / inertia[k] for k, o in enumerate(own))
            mid = tuple(0.5 * (a + b) for a, b in zip(own, new))
        w = turned(q, new)
        x, q = plus(x, v, dt), turn(q, w, dt)
    return v, w


SCENE = """
scene = {{ dt = {dt!r}; dt_limit = 100.0; steps = {steps}; gravity = (0.0, 0.0, 0.0); }};
materials = {{ m = {{ density = {density!r}; young_modulus = 2e8; poisson_ratio = 0.3; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; {shape} }};
bodies = {{ it = {{ {body} position = ({x}); orientation = ({q}); velocity = ({v}); spin = ({w}); }};
    floor = {{ shape = "floor"; position = (0.0, 0.0, {floor!r}); }}; {others} }};
force = ( {force} );
{more}
observers = {{ all = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; {observers} }};
"""


def listed(values):
    return ", ".join(repr(float(v)) for v in values)


def run(top, body, shape, x, q, v, w, force, dt, steps, more="", observers="", every=None,
        others="", floor=0.0):
    """Velocity and spin at the end, and the folder."""
    (top / "s.cfg").write_text(SCENE.format(dt=dt, steps=steps, density=DENSITY, shape=shape, body=body, x=listed(x), q=listed(q),
                                            v=listed(v), w=listed(w), force=force, more=more, observers=observers, every=every or steps, others=others,
                                            floor=floor),
                               encoding="utf-8")
    folder = pathlib.Path(tempfile.mkdtemp(dir=top)) / "run"
    done = scree(top, "run", "s.cfg", "-q", "--json", "-o", folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    last = [row for row in read_table(folder / "bodies.csv") if row["name"] == "it"][-1]
    return (tuple(float(last["v" + k]) for k in "xyz"), tuple(float(last["w" + k]) for k in "xyz"), json.loads(done.stdout), folder)


def off(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


DUMBBELL = (((-R, 0.0, 0.0), (R, 0.0, 0.0)), (math.cos(TILT / 2), 0.0, -math.sin(TILT / 2), 0.0))
ALONE = (((0.0, 0.0, 0.0),), (1.0, 0.0, 0.0, 0.0))
BALL = 4.0 / 3.0 * math.pi * R ** 3 * DENSITY  # [kg]
LAWS = {"linear": ('plugin = "linear"; kn = %r; friction = %r;' % (KN, MU), linear),
        "hertz_mindlin": ('plugin = "hertz_mindlin"; friction = %r;' % MU, hertz)}


def throw(top, which, laws, dt, steps, w=(0.0, 0.0, 0.0), observers="", every=None, more="", up=0.0, others=""):
    """A dumbbell, or a ball, that hits the floor."""
    places, q = which
    low = min(turned(q, p)[2] for p in places)
    x = (0.0, 0.0, up or R - low + 1e-6)
    clump = len(places) > 1
    shape = 'it = { type = "clump"; overlaps = "each"; balls = (%s); };' % ", ".join(
        "(%s, %r)" % (listed(p), R) for p in places) if clump else ""
    body = 'shape = "it";' if clump else "radius = %r;" % R
    force = ", ".join("{ %s }" % law for law in laws)
    return run(top, body, shape, x, q, START, w, force, dt, steps, more, observers, every, others)


def by_hand(which, law, levers, dt, steps, w=(0.0, 0.0, 0.0)):
    places, q = which
    low = min(turned(q, p)[2] for p in places)
    n = len(places)
    axial = 0.4 * R * R
    far = axial + sum(p[0] ** 2 for p in places) / n
    mass = n * BALL
    return fly(Balls(places, law), mass, (mass * axial, mass * far, mass * far), (0.0, 0.0, R - low + 1e-6), q, START, w, levers,
               dt, steps)


def test_lammps(top):
    law = LAWS["linear"][0] + ' sliding = "total";'
    v = throw(top, DUMBBELL, [law + ' lever = "radius";'], 1e-7, 20000)[0]
    near = throw(top, DUMBBELL, [law], 1e-7, 20000)[0]
    tap.check("a dumbbell leaves the floor as in LAMMPS with lever = \"radius\"", off(v, LAMMPS) < 1e-6, (v, LAMMPS))
    tap.check("negative control: with lever = \"contact\" it does not", off(near, LAMMPS) > 2e-4, near)


def test_hit(top):
    """The ball is a of the contact, the clump b."""
    ball = "ball = { radius = 0.008; position = (0.004, 0.003, 0.0785); spin = (20.0, -30.0, 10.0); };"
    for lever in ("radius", "contact"):
        v, _, _, folder = throw(top, DUMBBELL, [LAWS["linear"][0] + f' sliding = "total"; lever = "{lever}";'], 1e-7, 20000, up=0.1,
                                others=ball)
        row = [row for row in read_table(folder / "bodies.csv") if row["name"] == "ball"][-1]
        found = (v, tuple(float(row["w" + k]) for k in "xyz"), tuple(float(row["v" + k]) for k in "xyz"))
        wrong = [off(a, b) for a, b in zip(found, LAMMPS_HIT)]
        if lever == "radius":
            tap.check("a dumbbell and the ball that it hits part as in LAMMPS", wrong[0] < 1e-6 and wrong[1] < 1e-4 and wrong[2] < 1e-6,
                      (wrong, found))
        else:
            tap.check("negative control: with lever = \"contact\" they do not", min(wrong) > 1e-4, (wrong, found))


def test_integral(top):
    """The step is so small that both first-order integrals agree to a share of the difference of the levers."""
    dt, steps, spin = 2e-6, 1500, (4.0, -7.0, 3.0)
    for name, (text, law) in LAWS.items():
        for what, which in (("a ball", ALONE), ("a dumbbell", DUMBBELL)):
            seen, hand = {}, {}
            for lever in ("contact", "radius"):
                seen[lever] = throw(top, which, [f'{text} lever = "{lever}";'], dt, steps, spin)[:2]
                hand[lever] = by_hand(which, law, [(lever == "radius", 1.0)], dt, steps, spin)
            apart = [off(hand["contact"][k], hand["radius"][k]) for k in (0, 1)]
            for lever in ("contact", "radius"):
                wrong = [off(seen[lever][k], hand[lever][k]) for k in (0, 1)]
                tap.check(f"{name}, {what}, lever = \"{lever}\": velocity and spin are those of an integral of the rigid body",
                          all(a < 0.05 * b for a, b in zip(wrong, apart)), (seen[lever], hand[lever], wrong, apart))


def test_displacements(top):
    """An integrator that gives displacements of its own: slip is that of the longer arm."""
    dt, steps, spin = 2e-6, 1500, (4.0, -7.0, 3.0)
    seen = throw(top, DUMBBELL, [LAWS["linear"][0] + ' lever = "radius";'], dt, steps, spin, more='integrator = { plugin = "rkn4"; };')[:2]
    hand, near = (by_hand(DUMBBELL, linear, [(longer, 1.0)], dt, steps, spin) for longer in (True, False))
    wrong, apart = ([off(a[k], hand[k]) for k in (0, 1)] for a in (seen, near))
    tap.check("rkn4, a dumbbell, lever = \"radius\": velocity and spin are those of an integral of the rigid body",
              all(a < 0.2 * b for a, b in zip(wrong, apart)), (seen, hand, wrong, apart))


def test_two_laws(top):
    """Springs of 0.4 and 0.6 of the stiffness: one law has the longer lever, the other has not."""
    dt, steps, spin = 2e-6, 1500, (4.0, -7.0, 3.0)
    part = 'plugin = "linear"; kn = %r; friction = %r; lever = "%s";'
    for what, which in (("a ball", ALONE), ("a dumbbell", DUMBBELL)):
        laws = [part % (0.4 * KN, MU, "radius"), part % (0.6 * KN, MU, "contact")]
        seen = throw(top, which, laws, dt, steps, spin)[:2]
        hand = by_hand(which, linear, [(True, 0.4), (False, 0.6)], dt, steps, spin)
        other = by_hand(which, linear, [(False, 0.4), (True, 0.6)], dt, steps, spin)
        wrong, apart = ([off(a[k], hand[k]) for k in (0, 1)] for a in (seen, other))
        tap.check(f"{what}: each of two laws has the lever that it asks for", all(a < 0.2 * b for a, b in zip(wrong, apart)),
                  (seen, hand, other))
        both = [throw(top, which, [part % (share * KN, MU, "radius") for share in (0.4, 0.6)], dt, steps, spin)[:2],
                throw(top, which, [part % (KN, MU, "radius")], dt, steps, spin)[:2]]
        tap.check(f"{what}: two laws with the longer lever are as one of the sum", off(both[0][0], both[1][0]) < 1e-9 and
                  off(both[0][1], both[1][1]) < 1e-7, both)


def test_solid(top):
    """The longer arm of an ellipsoid ends at its lowest point."""
    axes, dt, steps, spin = (0.012, 0.009, 0.007), 2e-6, 1500, (4.0, -7.0, 3.0)
    mass = 4.0 / 3.0 * math.pi * axes[0] * axes[1] * axes[2] * DENSITY
    inertia = tuple(0.2 * mass * (sum(a * a for a in axes) - axes[k] ** 2) for k in range(3))
    q = (math.cos(0.3), 0.0, -math.sin(0.3), 0.0)
    seen, hand = {}, {}
    for lever in ("contact", "radius"):
        body = Ellipsoid(axes, linear)
        x = (0.0, 0.0, -body.deepest(q)[0][2] + 1e-6)
        shape = 'it = { type = "superquadric"; axes = (%s); };' % listed(axes)
        seen[lever] = run(top, 'shape = "it";', shape, x, q, START, spin, '{ %s lever = "%s"; }' % (LAWS["linear"][0], lever), dt,
                          steps, 'resolvers = ( { plugin = "gjk"; } );')[:2]
        hand[lever] = fly(body, mass, inertia, x, q, START, spin, [(lever == "radius", 1.0)], dt, steps)
    apart = [off(hand["contact"][k], hand["radius"][k]) for k in (0, 1)]
    for lever in ("contact", "radius"):
        wrong = [off(seen[lever][k], hand[lever][k]) for k in (0, 1)]
        tap.check(f"an ellipsoid, lever = \"{lever}\": velocity and spin are those of an integral of the rigid body",
                  all(a < 0.05 * b for a, b in zip(wrong, apart)), (seen[lever], hand[lever], wrong, apart))


def test_wall(top):
    """A dashpot between a ball and a wall that both turn: the arm of the wall ends at the contact point, whatever the lever."""
    deep, drag, ball, wall = 1e-3, 3.0, 5.0, 50.0
    shape = ("it = { type = \"mesh\"; vertices = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0)); "
             "facets = ((0, 1, 2)); };")
    others = "turns = { shape = \"it\"; motion = \"kinematic\"; position = (0.0, 0.0, 0.0); spin = (0.0, %r, 0.0); };" % wall
    look = 'c = { plugin = "csv"; what = "contacts"; every_steps = 1; };'
    dash = ('plugin = "linear"; kn = %r; friction = 1e9; spring = "none"; damping = "constant"; damping_t = %r; lever = "%s";')
    for lever, arm in (("contact", R - 0.5 * deep), ("radius", R)):
        for what, laws in (("one law", [dash % (KN, drag, lever)]), ("two laws", 2 * [dash % (0.5 * KN, 0.5 * drag, lever)])):
            folder = run(top, "radius = %r;" % R, shape, (0.0, 0.0, R - deep), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0),
                         (0.0, ball, 0.0), ", ".join("{ %s }" % law for law in laws), 1e-9, 1, observers=look, others=others, floor=-1.0)[3]
            row = read_table(folder / "contacts.csv")[0]
            f = drag * (ball * arm - wall * 0.5 * deep)  # on the ball, which slides over the wall
            seen = [float(row[k]) for k in ("fx", "cy", "cby")]
            tap.check(f"a wall that turns, lever = \"{lever}\", {what}: only the ball has the longer arm",
                      off(seen, (f, -f * (arm - R + 0.5 * deep), 0.0)) < 1e-6 * f, (seen, f))


def test_tables(top):
    """The torque in the tables of observers turns the ball."""
    dt, steps = 1e-6, 400
    look = 'c = { plugin = "csv"; what = "contacts"; every_steps = 1; };'
    one = LAWS["linear"][0] + ' lever = "radius";'
    for what, laws in (("one law", [one]), ("two laws", [one, 'plugin = "linear"; kn = 2e4; friction = 0.1;'])):
        folder = throw(top, ALONE, laws, dt, steps, (4.0, -7.0, 3.0), look, 1)[3]
        bodies = {int(row["step"]): row for row in read_table(folder / "bodies.csv") if row["name"] == "it"}
        worst = size = 0.0
        for row in read_table(folder / "contacts.csv"):
            step = int(row["step"])
            if step + 1 not in bodies or step == 0:
                continue
            now, old = bodies[step + 1], bodies[step - 1]
            rate = [0.4 * BALL * R * R * (float(now["w" + k]) - float(old["w" + k])) / (2 * dt) for k in "xyz"]
            p = [float(row[k]) - float(bodies[step][k]) for k in "xyz"]
            torque = plus(cross(p, [float(row["f" + k]) for k in "xyz"]), [float(row["c" + k]) for k in "xyz"])
            worst, size = max(worst, off(rate, torque)), max(size, max(map(abs, torque)))
        tap.check(f"{what}: the torque of a contact in the tables of observers is what turns the ball", 0.0 < worst < 1e-3 * size, (worst, size))


tap.in_folder(test_lammps, test_hit, test_integral, test_displacements, test_two_laws, test_solid, test_wall,
              test_tables)
