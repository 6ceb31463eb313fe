# SPDX-License-Identifier: Apache-2.0
"""Oscillators whose motion is known, for any integrator: of a ball on a plane, and the scheme's own limits."""
import math

from tools import ball, ball_mass, of, plane, scene

R, RHO, KN, KT = 5e-3, 2500.0, 1e5, 4e4
M = ball_mass(R, RHO)
W = math.sqrt(KN / M)
REST = 2e-4 * R  # [m] depth at rest

SCHEMES = {  # label: group, evaluations per step, order, order with forces of velocity
    "velocity_verlet": ('plugin = "velocity_verlet";', 1, 2, 1),
    "velocity_verlet, full_step": ('plugin = "velocity_verlet"; velocity = "full_step";', 1, 2, 2),
    "symplectic_euler": ('plugin = "symplectic_euler";', 1, 1, 1),
    "rkn4": ('plugin = "rkn4";', 4, 4, 4),
    "forest_ruth": ('plugin = "forest_ruth";', 3, 4, 1),
    "gear, 4 values": ('plugin = "gear"; values = 4;', 1, 3, 3),
    "gear, 5 values": ('plugin = "gear"; values = 5;', 1, 4, 4),
    "gear, 6 values": ('plugin = "gear"; values = 6;', 1, 5, 5),
}


def table(bench, dt, steps, every, group, law, *, gravity, bodies, more="", later=""):
    text = scene(dt, 'floor = { shape = "floor"; MOTION };'.replace("MOTION", "motion = \"kinematic\";" if more else "")
                 + bodies, "{ plugin = \"linear\"; " + law + " }", density=RHO, gravity=(0.0, 0.0, -gravity),
                 shapes=plane("floor", (0, 0, 1)), steps=steps, every=every, more=f"integrator = {{ {group} }};\n{more}{later}")
    return of(bench.run(text).csv("bodies"), "a")


def bounce(bench, group, per_period, steps, zeta=0.0, amplitude=0.5, every=1, then=""):
    """A ball that swings on a plane without leaving it, let go `amplitude` of its depth at rest above that place. `then`: group of the integrator of the second half.
    (t, height, speed over omega) in amplitudes."""
    dt, up = 2.0 * math.pi / W / per_period, amplitude * REST
    law = f'kn = {KN!r}; kt = 0.0; damping = "constant"; damping_n = {2.0 * zeta * math.sqrt(M * KN)!r};'
    later = f"schedule = ( {{ at_step = {steps // 2}; set = {{ integrator = {{ {then} }}; }}; }} );" if then else ""
    rows = table(bench, dt, steps, every, group, law, gravity=REST * W * W, bodies=ball("a", R, (0, 0, R - REST + up)), later=later)
    return [(row["time"], (row["z"] - (R - REST)) / up, row["vz"] / W / up) for row in rows]


def decay(zeta, t):
    """Height and speed over omega of the same."""
    w = W * math.sqrt(1.0 - zeta * zeta)
    c, s, fade = math.cos(w * t), math.sin(w * t), math.exp(-zeta * W * t)
    return fade * (c + zeta * W / w * s), -fade * W / w * s


def swing_error(bench, group, per_period, periods=1.2, zeta=0.0, then=""):
    """Errors of height and speed at the end."""
    steps = round(per_period * periods)
    t, x, v = bounce(bench, group, per_period, steps, zeta, every=steps, then=then)[-1]
    exact = decay(zeta, t)
    return math.hypot(x - exact[0], v - exact[1])


def impact_error(bench, group, per_period, zeta=0.2, phases=6):
    """Root mean square of the errors of a ball's speed after an impact, over places where it starts within a step;
    over the speed before."""
    dt, errors = 2.0 * math.pi / W / per_period, []
    expected = math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta * zeta))
    law = f'kn = {KN!r}; kt = 0.0; damping = "constant"; damping_n = {2.0 * zeta * math.sqrt(M * KN)!r};'
    for k in range(phases):
        height, speed = (3.0 + (k + 0.37) / phases) * dt * 0.1, 0.1
        steps = 8 + per_period
        last = table(bench, dt, steps, steps, group, law, gravity=0.0,
                     bodies=ball("a", R, (0, 0, R + height), (0, 0, -speed)))[-1]
        errors.append(last["vz"] / speed - expected)
    return math.sqrt(sum(e * e for e in errors) / len(errors))


LEVER = R - 0.5 * REST
INERTIA = 0.4 * M * R * R
SHEAR = math.sqrt(KT * (1.0 / M + LEVER * LEVER / INERTIA))  # of the tangential spring [rad/s]


def shear_error(bench, group, per_period, kind, zeta=0.0, periods=1.2):
    """A ball at rest on a plane whose friction never slips: set off ("spring"), on a belt ("conveyor"), on a plane
    that shakes sideways ("shaken"). Error of its place over the amplitude of the spring, and of its speed."""
    dt = 2.0 * math.pi / SHEAR / per_period
    steps = round(per_period * periods)
    t, v0, share = steps * dt, 2e-3, KT / (M * SHEAR * SHEAR)
    law = f'kn = {KN!r}; kt = {KT!r}; friction = 1.0e9; damping = "none";'
    more, start = "", (0.0, 0.0, 0.0)
    swing = v0 / SHEAR * share * (SHEAR * t - math.sin(SHEAR * t))
    gain = v0 * share * (1.0 - math.cos(SHEAR * t))
    if kind == "spring":
        start, exact, speed = (v0, 0.0, 0.0), v0 * t - swing, v0 - gain
    elif kind == "conveyor":
        more = f'modifiers = {{ belt = {{ plugin = "move"; motion = "conveyor"; groups = ("floor"); velocity = ({v0!r}, 0.0, 0.0); }}; }};'
        exact, speed = swing, gain
    else:
        f = 0.7 * SHEAR / (2.0 * math.pi)
        o, a = 0.7 * SHEAR, v0 / (0.7 * SHEAR)
        more = f'modifiers = {{ shake = {{ plugin = "move"; motion = "vibration"; groups = ("floor"); direction = (1.0, 0.0, 0.0); amplitude = {a!r}; frequency = {f!r}; }}; }};'
        b = a * o * o / (SHEAR ** 2 - o * o)  # s'' = -S^2 s + a o^2 sin(o t), s' = -a o at first
        c = (-a * o - b * o) / SHEAR
        exact = KT / M * (c * math.sin(SHEAR * t) / SHEAR ** 2 + b * math.sin(o * t) / o ** 2 - (c / SHEAR + b / o) * t)
        speed = KT / M * (c * math.cos(SHEAR * t) / SHEAR + b * math.cos(o * t) / o - (c / SHEAR + b / o))
    last = table(bench, dt, steps, steps, group, law, gravity=REST * W * W, bodies=ball("a", R, (0, 0, R - REST), start), more=more)[-1]
    return math.hypot(last["x"] - exact, (last["vx"] - speed) / SHEAR) / (v0 / SHEAR)


# ---- schemes on x'' = -x - 2 zeta x', omega = 1, by their published tables ----

def matrix(n, step):
    columns = [step([float(i == j) for i in range(n)]) for j in range(n)]
    return [[columns[j][i] for j in range(n)] for i in range(n)]


def rkn4(h, zeta):
    """O'Connor 1996, table 5.1, as printed."""
    def f(u, v):
        return -u - 2.0 * zeta * v

    def step(y):
        u, v = y
        k = 0.5 * h
        a = k * f(u, v)
        beta = k * (v + 0.5 * a)
        b = k * f(u + beta, v + a)
        c = k * f(u + beta, v + b)
        delta = h * (v + c)
        d = k * f(u + delta, v + 2.0 * c)
        return [u + h * (v + (a + b + c) / 3.0), v + (a + 2.0 * b + 2.0 * c + d) / 3.0]
    return matrix(2, step)


def gear(values, h, zeta, places=False):
    """Allen and Tildesley 1987, appendix E."""
    share = {4: [1 / 6, 5 / 6, 1, 1 / 3], 5: [19 / 120 if places else 19 / 90, 3 / 4, 1, 1 / 2, 1 / 12],
             6: [3 / 20 if places else 3 / 16, 251 / 360, 1, 11 / 18, 1 / 6, 1 / 60]}[values]

    def step(y):
        p = [sum(math.comb(j, i) * y[j] for j in range(i, values)) for i in range(values)]
        delta = -0.5 * h * h * p[0] - zeta * h * p[1] - p[2]
        return [a + b * delta for a, b in zip(p, share)]
    return matrix(values, step)


def forest_ruth(h, zeta):
    theta = 1.0 / (2.0 - 2.0 ** (1.0 / 3.0))

    def step(y):
        x, v, a = y
        for kick, drift in ((theta / 2, theta), ((1 - theta) / 2, 1 - 2 * theta), ((1 - theta) / 2, theta)):
            v += kick * h * a
            x += drift * h * v
            a = -x - 2.0 * zeta * v
        return [x, v + 0.5 * theta * h * a, a]
    return matrix(3, step)


def verlet(h, zeta, full=False):
    def step(y):
        x, v, a = y
        v += 0.5 * h * a
        x += h * v
        a = -x - 2.0 * zeta * (v + (0.5 * h * a if full else 0.0))
        return [x, v + 0.5 * h * a, a]
    return matrix(3, step)


def growth(m):
    """The largest eigenvalue, from the norm of a high power."""
    power, exponent, scale = m, 1, 0.0
    for _ in range(18):
        power = [[sum(a * b for a, b in zip(row, column)) for column in zip(*power)] for row in power]
        size = max(abs(x) for row in power for x in row)
        exponent *= 2
        scale = 2.0 * scale + math.log(size)
        power = [[x / size for x in row] for row in power]
    return math.exp(scale / exponent)


def limit(of_h, allowed=1.0 + 1e-4):
    """Largest h up to which, and with all smaller ones, amplitudes grow by no more than that per step."""
    h = 0.01
    while h < 8.0 and growth(of_h(h)) <= allowed:
        h += 0.01
    low, high = h - 0.01, h
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if growth(of_h(middle)) <= allowed else (low, middle)
    return low
