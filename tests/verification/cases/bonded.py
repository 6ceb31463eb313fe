# SPDX-License-Identifier: Apache-2.0
"""Cases of force/bonded: chains of balls as beams, one bond at its strengths, a turn of a whole body."""
import math

from tools import ball, ball_mass, of
from verify import HERE, ROOT, case

R, DENSITY, E, RATIO = 0.01, 1000.0, 1e8, 2.0
D, AREA, BEND, TWIST = 2 * R, math.pi * R ** 2, math.pi * R ** 4 / 4, math.pi * R ** 4 / 2
KN, KS = E / D, E / D / RATIO
MASS = ball_mass(R, DENSITY)
OMEGA = math.sqrt(KN * AREA / MASS)
PC = "Potyondy, Cundall 2004, Int. J. Rock Mech. Min. Sci. 41, 1329"


def stokes(name, viscosity, velocity=(0.0, 0.0, 0.0), group=None):
    """Drag 6 pi mu R (u - v): of a fluid at rest a damper, of one that moves a constant load on what rests."""
    groups = f'groups = ["{group}"]; ' if group else ""
    return (f'{name} = {{ plugin = "drag"; law = "stokes"; viscosity = {viscosity!r}; '
            f'velocity = ({", ".join(repr(float(u)) for u in velocity)}); {groups}}}; ')


def scene(bodies, modifiers="", *, dt, steps, law="", every=0, what=("bodies",)):
    tables = "".join(f'{name} = {{ plugin = "csv"; what = "{name}"; every_steps = {every or steps}; }}; ' for name in what)
    return f"""scene = {{ dt = {dt!r}; steps = {steps}; }};
materials = {{ m = {{ density = {DENSITY!r}; }}; }};
bodies = {{ {bodies} }};
force = ( {{ plugin = "bonded"; bond_modulus = {E!r}; bond_ratio = {RATIO!r}; bonds = {{ gap = 1e-9; }}; {law} }} );
modifiers = {{ {modifiers} }};
observers = {{ {tables} }};
"""


def loaded_chain(bench, n, load, gamma, steps, law="", dt=0.2 / OMEGA):
    """n bonds in a row along x, the first ball fixed, a load [N] on the last one; gamma [1/s] damps."""
    bodies = ball("root", R, (0, 0, 0), more='motion = "fixed";')
    bodies += "".join(ball(f"b{i}" if i < n else "tip", R, (i * D, 0, 0)) for i in range(1, n + 1))
    mu = gamma * MASS / (6 * math.pi * R)
    flow = [f / (gamma * MASS) for f in load]
    return bench.run(scene(bodies, stokes("damper", mu) + stokes("load", mu, flow, "tip"), dt=dt, steps=steps, law=law))


def beam(bench, n):
    load = 6e-5 * E * BEND / (n * D) ** 2
    first = 0.879 * OMEGA / n ** 2  # the lowest mode of a cantilever
    run = loaded_chain(bench, n, (0, 0, load), 2 * first, 750 * n ** 2)
    length = n * D
    bending = load * length ** 3 / (3 * E * BEND) * (1 - 1 / (4 * n * n))
    return (f"N = {n}", bending + n * load / (KS * AREA), of(run.csv("bodies"), "tip")[-1]["z"])


BEAM = dict(source=f"beam of N rigid links, springs in the middle between balls; {PC}",
            formula="P L^3/(3 E I) (1 - 1/(4 N^2)) + N P/k_s, L = N d, E = kn d, k_s = ks A", tolerance=1e-8,
            why="slope 3e-5: its square is 1e-9; the rest of the motion after so many periods")


@case("force/bonded", "a cantilever of balls", **BEAM)
def short_beams(bench):
    return [beam(bench, 5), beam(bench, 10)]


@case("force/bonded", "a cantilever of 20 balls", slow=True, **BEAM)
def long_beam(bench):
    return [beam(bench, 20)]


@case("force/bonded", "a column is stretched", source=PC, formula="N P / (kn A), N = 10", tolerance=1e-9,
      why="the rest of the motion; round-off of places")
def stretch(bench):
    load = 1e-4 * KN * AREA * R
    run = loaded_chain(bench, 10, (load, 0, 0), 0.3 * OMEGA, 20000)
    return 10 * load / (KN * AREA), of(run.csv("bodies"), "tip")[-1]["x"] - 10 * D


@case("force/bonded", "a column is twisted", source=PC, formula="ks J angle / 10", tolerance=1e-8,
      why="each ball starts with its share of the spin, so that nothing swings; the series of the angle is off by 1e-11")
def twist(bench):
    n, angle, steps = 10, 0.1, 2000
    dt = 0.2 / OMEGA
    bodies = ball("root", R, (0, 0, 0), more='motion = "fixed";')
    for i in range(1, n + 1):
        bodies += ball(f"b{i}" if i < n else "tip", R, (i * D, 0, 0), spin=(angle / (steps * dt) * i / n, 0, 0),
                       more='motion = "kinematic";' if i == n else "")
    run = bench.run(scene(bodies, dt=dt, steps=steps))
    return KS * TWIST * angle / n, -of(run.csv("bodies"), "tip")[-1]["tx"]


@case("force/bonded", "a turn of the whole by 360 degrees leaves no force", source="a rigid body",
      formula="bond force = centrifugal force, couple = 0, over kn A R", tolerance=1e-10,
      why="what is left of the first stretch after 30 000 damped steps, round-off")
def rigid_turn(bench):
    steps, turns = 30000, 1.0
    dt = 0.2 / OMEGA
    w = 2 * math.pi * turns / (steps * dt)
    u = (1 / math.sqrt(14), 2 / math.sqrt(14), 3 / math.sqrt(14))  # axis; the pair lies across it
    e = (3 / math.sqrt(10), 0.0, -1 / math.sqrt(10))
    v = (u[1] * e[2] - u[2] * e[1], u[2] * e[0] - u[0] * e[2], u[0] * e[1] - u[1] * e[0])
    spin = [w * x for x in u]
    bodies = "".join(ball(name, R, [s * R * x for x in e], [s * w * R * x for x in v], spin)
                     for name, s in (("left", -1), ("right", 1)))
    run = bench.run(scene(bodies, dt=dt, steps=steps, law="bond_damping = 0.5;", what=("bodies", "contacts")))
    bond = [row for row in run.csv("contacts") if row["step"] == steps][-1]
    left, right = of(run.csv("bodies"), "left")[-1], of(run.csv("bodies"), "right")[-1]
    spun = math.sqrt(sum(left[k] ** 2 for k in ("wx", "wy", "wz")))
    apart = [right[k] - left[k] for k in "xyz"]
    length, scale = math.sqrt(sum(x * x for x in apart)), KN * AREA * R
    pull = [MASS * spun ** 2 * x / 2 for x in apart]  # on the left one, towards the right one
    force = math.sqrt(sum((bond["f" + k] - p) ** 2 for k, p in zip("xyz", pull)))
    couple = math.sqrt(sum(bond["c" + k] ** 2 for k in "xyz"))
    return [("angle turned / 2 pi", (0.999, 1.001), spun * steps * dt / (2 * math.pi)),
            ("distance / d", (0.999, 1.001), length / D),
            ("force other than the centrifugal one / (kn A R)", 0.0, force / scale),
            ("couple / (kn A R^2)", 0.0, couple / scale / R)]


def broken(bench, load, strength, mode):
    run = loaded_chain(bench, 1, load, 4 * OMEGA, 8000, law=strength, dt=0.05 / OMEGA)
    n = run.json["events"].get("bond_broken", 0)
    return n if not n or run.csv("events")[0]["mode"] == mode else -1


@case("force/bonded", "one bond at its strengths", source=PC,
      formula="P = sigma A pulled, sigma I / R^2 bent by a load at the ball, tau A sheared", tolerance=0.0,
      why="whether a load that creeps up to 0.999 and 1.001 of the closed form breaks it, and how")
def strengths(bench):
    strength = 1e4
    tests = (("pulled", (strength * AREA, 0, 0), f"bond_tension = {strength!r};", "tension"),
             ("bent", (0, 0, strength * BEND / R ** 2), f"bond_tension = {strength!r};", "tension"),
             ("sheared", (0, 0, strength * AREA), f"bond_shear = {strength!r};", "shear"))
    rows = []
    for name, load, law, mode in tests:
        for share, expected in ((0.999, 0), (1.001, 1)):
            rows.append((f"{name}, {share} of the load", expected,
                         broken(bench, [share * x for x in load], law, mode)))
    return rows


@case("force/bonded", "one bond breaks by twist", source=PC, formula="angle = tau / (ks R)", tolerance=2e-3,
      why="a step is a thousandth of the angle")
def twisted(bench):
    strength, steps, dt = 1e4, 2000, 0.2 / OMEGA
    angle = strength / (KS * R)
    bodies = ball("root", R, (0, 0, 0), more='motion = "fixed";')
    bodies += ball("middle", R, (D, 0, 0), spin=(angle / (1000 * dt), 0, 0))
    bodies += ball("tip", R, (2 * D, 0, 0), spin=(2 * angle / (1000 * dt), 0, 0), more='motion = "kinematic";')
    events = bench.run(scene(bodies, dt=dt, steps=steps, law=f"bond_shear = {strength!r};")).csv("events")
    return [("step of the first break / 1000", 1.0, events[0]["step"] / 1000),
            ("in shear", 1, int(events[0]["mode"] == "shear"))]


@case("force/bonded", "energy of a chain that breaks", source="energy account", formula="residual / lost = 0", tolerance=2e-3,
      why="the moment within a step at which a bond breaks")
def account(bench):
    n = 10
    bodies = "".join(ball(f"b{i}", R, (i * D, 0, 0), ((i - n / 2) * 0.4, 0, 0.05 * (-1) ** i)) for i in range(n))
    run = bench.run(scene(bodies, dt=0.02 / OMEGA, steps=8000, law="bond_tension = 5e4; bond_shear = 5e4;"))
    return [("bonds broken", (1, n - 1), run.json["events"].get("bond_broken", 0)),
            ("residual / lost", 0.0, run.json["energy"]["residual"] / run.json["energy"]["lost"])]


@case("force/bonded", "a Brazilian disc splits", slow=True, source="indirect tension: the stress across a loaded diameter is 2 F/(pi D t)",
      formula="cracks in tension, within D/10 of the diameter, from plate to plate; 2 F/(pi D t) over the strength of a bond",
      tolerance=0.0, why="bands: the packing is random, a bond's share of the stress is that of a porous plate")
def brazilian(bench):
    run = bench.run(str(ROOT / "configs" / "brazilian.cfg"))
    cracks, diameter, thickness, strength = run.csv("events"), 0.1, 0.02, 1e6
    near = [c for c in cracks if abs(c["x"]) < diameter / 10]
    force = max(abs(row["fy"]) for row in run.csv("plates"))
    height = max(c["y"] for c in near) - min(c["y"] for c in near)
    return [("cracks", (40, 400), len(cracks)), ("in tension", (0.95, 1.0), sum(c["mode"] == "tension" for c in cracks) / len(cracks)),
            ("within D/10 of the loaded diameter", (0.75, 1.0), len(near) / len(cracks)),
            ("height that they span / D", (0.8, 1.0), height / diameter),
            ("2 F/(pi D t) / strength", (0.1, 0.5), 2 * force / (math.pi * diameter * thickness) / strength)]


def fastest(ratio):
    """Largest frequency of a long column of bonded balls, over sqrt(kn A / m): place and turn of a wave across the
    column, stretch, twist. Each bond couples neighbours by springs ks A (with levers R), kn I, kn A and ks J."""
    ks, inertia, bend, twist = 1.0 / ratio, 0.4, 0.25, 0.5  # of kn A, m R^2, A R^2, A R^2
    most = max(4.0, 4.0 * ks * twist / inertia)
    for k in range(1001):
        c = math.cos(math.pi * k / 1000)
        a, d = 2 * ks * (1 - c), (2 * ks * (1 + c) + 2 * bend * (1 - c)) / inertia
        b2 = 4 * ks * ks * (1 - c * c) / inertia  # the square of what couples both
        most = max(most, 0.5 * (a + d) + math.sqrt(0.25 * (a - d) ** 2 + b2))
    return math.sqrt(most)


def column(bench, ratio, dt, steps, fails=False):
    """40 balls in a row with a little of all motions."""
    bodies = "".join(ball(f"b{i}", R, (i * D, 0, 0), [1e-6 * ((7 * i + k) % 5 - 2) for k in range(3)],
                          [1e-4 * ((11 * i + 3 * k) % 7 - 3) for k in range(3)]) for i in range(40))
    return bench.run(scene(bodies, dt=dt, steps=steps).replace(f"bond_ratio = {RATIO!r}", f"bond_ratio = {ratio!r}"), fails=fails)


@case("force/bonded", "a column below and above the critical step", source="waves in an endless row of balls with springs of bonds; "
      "velocity Verlet, omega dt = 2", formula="stated critical step / exact one; runs 2 % below the stated, below and above the exact step",
      tolerance=0.0, why="band: a bound per body, of twelve bonds where it has two; 0.25 of the exact step at worst here")
def critical(bench):
    found = []
    for ratio in (0.25, 1.0, 2.0, 4.0):
        exact = 2.0 / (fastest(ratio) * OMEGA)
        run = column(bench, ratio, 0.5 * exact, 1)
        stated = run.json["critical_step"]
        found.append((f"kn / ks = {ratio}: stated / exact", (0.25, 1.0), stated / exact))
        for name, dt in (("2 % below the stated", 0.98 * stated), ("2 % below the exact", 0.98 * exact)):
            calm = column(bench, ratio, dt, 5000)
            found.append((f"kn / ks = {ratio}, {name} step: kinetic energy / start", (0.0, 10.0),
                          calm.json["energy"]["kinetic"] / calm.json["energy"]["start"]))
        wild = column(bench, ratio, 1.02 * exact, 5000, fails=True)
        found.append((f"kn / ks = {ratio}, 2 % above the exact step: it ends with an error that names the step", 1,
                      int(wild.status == 1 and "above the critical step" in wild.stderr)))
    return found


@case("force/bonded", "a small Brazilian disc splits", source="indirect tension: the stress across a loaded diameter is 2 F/(pi D t)",
      formula="cracks in tension, near the diameter, from plate to plate; the force falls", tolerance=0.0,
      why="bands: 414 discs; of cracks that are anywhere 31 % would be within D/8 of the diameter", slow=True)
def small_disc(bench):
    text = (ROOT / "configs" / "brazilian.cfg").read_text(encoding="utf-8")
    for old, new in (('"brazilian.csv"', f'"{HERE / "data" / "brazilian-414.csv"}"'), ('"0.15 mm"', '"0.22 mm"'), ("dt = 5.0e-7", "dt = 7.2e-7"),
                     ("steps = 16000", "steps = 12000"), ("(0.0, 0.04)", "(0.0, 0.05)"), ("(0.0, -0.04)", "(0.0, -0.05)")):
        if old not in text:
            raise ValueError(f"configs/brazilian.cfg: expected {old}")
        text = text.replace(old, new)
    run = bench.run(text)
    cracks, diameter, forces = run.csv("events"), 0.1, [abs(row["fy"]) for row in run.csv("plates") if row["name"] == "top"]
    near = [c for c in cracks if abs(c["x"]) < diameter / 8]
    height = max(c["y"] for c in near) - min(c["y"] for c in near)
    return [("cracks", (40, 300), len(cracks)), ("in tension", (0.9, 1.0), sum(c["mode"] == "tension" for c in cracks) / len(cracks)),
            ("within D/8 of the loaded diameter", (0.6, 1.0), len(near) / len(cracks)),
            ("height that they span / D", (0.8, 1.0), height / diameter),
            ("2 F/(pi D t) / strength", (0.2, 0.8), 2 * max(forces) / (math.pi * diameter * 0.02) / 1e6),
            ("force at the end / largest", (0.0, 0.6), forces[-1] / max(forces))]
