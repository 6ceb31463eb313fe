# SPDX-License-Identifier: Apache-2.0
"""A ball or a few: slip and roll, inclines, belts, bounces, cradles, chains."""
import math

from tools import ball, ball_mass, line_fit, of, plane, rk4, scene
from verify import case

R, RHO, G = 5e-3, 2500.0, 9.81
M = ball_mass(R, RHO)
MFIX = "MFIX-DEM verification; Garg, Galvin, Li, Pannala 2012, Powder Technol. 220, 122"
FLOOR = 'floor = { shape = "floor"; };'
STIFF = "a stiff spring: the lever r - d/2 differs from r by less than the tolerance, which is 4 (m g / k) / r"


def linear(kn, more=""):
    return f'{{ plugin = "linear"; kn = {kn!r}; {more} }}'


def on_plane(bench, kn, mu, *, v=0.0, spin=0.0, slope=0.0, end, dt=2e-6, every=1, more="", belt=0.0, shape=None):
    """A ball on a floor at the depth of its weight; gravity leans by `slope` towards +x. Rows of the ball."""
    depth = M * G * math.cos(slope) / kn
    steps = int(round(end / dt))
    text = scene(dt, f'floor = {{ shape = "floor"; {"motion = " + chr(34) + "kinematic" + chr(34) + ";" if belt else ""} }};' +
                 ball("a", R, (0, 0, R - depth), (v, 0, 0), (0, spin, 0)),
                 linear(kn, f"friction = {mu!r}; restitution = 0.5; {more}"), density=RHO,
                 gravity=(G * math.sin(slope), 0, -G * math.cos(slope)), shapes=shape or plane("floor", (0, 0, 1)),
                 steps=steps, every=every, more='modifiers = { belt = { plugin = "move"; motion = "conveyor"; groups = "floor"; '
                 f'velocity = ({belt!r}, 0.0, 0.0); }}; }};' if belt else "")
    return of(bench.run(text).csv("bodies"), "a")


@case("mechanics/slip-to-roll", "a ball slips, then rolls", source=f"{MFIX}, DEM04", formula="t = 2 v0 / (7 mu g), v = 5/7 v0, w = v / r",
      tolerance=1e-5, why="d/r = 2.6e-6 of the lever; the end of slipping from the crossing of two lines")
def slip_to_roll(bench):
    v0, mu = 0.5, 0.3
    t = 2.0 * v0 / (7.0 * mu * G)
    rows = on_plane(bench, 1e6, mu, v=v0, end=1.6 * t, dt=1e-6, every=500)
    slipping, last = [row for row in rows if row["time"] < 0.8 * t], rows[-1]
    slope, start, _ = line_fit([row["time"] for row in slipping], [row["vx"] for row in slipping])
    xs, times = [row["vx"] for row in rows], [1e3 * row["time"] for row in rows]
    bench.figure("slip-to-roll", xlabel="time [ms]", ylabel="v, w r [m/s]",
                 lines=[("v", [0, 1e3 * t, 1.6e3 * t], [v0, 5 / 7 * v0, 5 / 7 * v0]), ("w r", [0, 1e3 * t, 1.6e3 * t], [0, 5 / 7 * v0, 5 / 7 * v0])],
                 points=[("scree, v", times[::8], xs[::8]), ("scree, w r", times[::8], [row["wy"] * R for row in rows[::8]])])
    return [("end of slipping [s]", t, (last["vx"] - start) / slope), ("deceleration [m/s^2]", mu * G, -slope),
            ("v [m/s]", 5.0 / 7.0 * v0, last["vx"]), ("w r [m/s]", 5.0 / 7.0 * v0, last["wy"] * R)]


@case("mechanics/slip-to-roll", "a ball thrown with backspin comes back", source="angular momentum about the contact",
      formula="v = 5/7 v0 + 2/7 w0 r", tolerance=1e-5, why="d/r = 2.6e-6 of the lever")
def backspin(bench):
    found = []
    for v0, spin in ((0.2, -300.0), (0.2, -150.0), (0.0, 200.0)):
        last = on_plane(bench, 1e6, 0.6, v=v0, spin=spin, end=0.1, every=100000, dt=1e-6)[-1]
        found.append((f"v0 = {v0} m/s, w0 = {spin} rad/s", 5 / 7 * v0 + 2 / 7 * spin * R, last["vx"]))
    return found


@case("mechanics/slip-to-roll", "a ball set on a running belt", source="angular momentum about the contact",
      formula="v = 2/7 V, w r = v - V after t = 2 V / (7 mu g)", tolerance=1e-5, why="d/r = 2.6e-6 of the lever")
def belt(bench):
    speed = 0.6
    last = on_plane(bench, 1e6, 0.4, belt=speed, end=0.1, every=100000, dt=1e-6)[-1]
    return [("v [m/s]", 2 / 7 * speed, last["vx"]), ("w r [m/s]", -5 / 7 * speed, last["wy"] * R)]


@case("mechanics/incline", "a ball on a slope rolls or slips", source="Ke, Bray 1995, J. Eng. Mech. 121, 699",
      formula="5/7 g sin b if tan b < 7/2 mu, else g (sin b - mu cos b); mu = 0.3", tolerance=5e-5,
      why="acceleration over 0.1 s from rest; the first swing of the tangential spring moves the start by 1e-5 m/s; d/r = 2.6e-6")
def incline(bench):
    found, lines, points = [], [], [[], []]
    for degrees in (10, 30, 40, 45, 48, 55, 70):
        b, mu = math.radians(degrees), 0.3
        rows = on_plane(bench, 1e6, mu, slope=b, end=0.1, every=25000, dt=2e-6, more="damping = \"restitution\";")
        a = (rows[-1]["vx"] - rows[1]["vx"]) / (rows[-1]["time"] - rows[1]["time"])
        rolls = math.tan(b) < 3.5 * mu
        want = 5 / 7 * G * math.sin(b) if rolls else G * (math.sin(b) - mu * math.cos(b))
        found.append((f"{degrees} deg: {'rolls' if rolls else 'slips'} [m/s^2]", want, a))
        points[0].append(degrees)
        points[1].append(a)
    fine = [0.5 * k for k in range(10, 161)]
    lines = [("5/7 g sin b, g (sin b - mu cos b)", fine, [max(5 / 7 * G * math.sin(math.radians(q)), G * (
        math.sin(math.radians(q)) - 0.3 * math.cos(math.radians(q)))) for q in fine])]
    bench.figure("incline", xlabel="slope [deg]", ylabel="acceleration [m/s^2]", lines=lines, points=[("scree", *points)])
    return found


@case("mechanics/bounce", "a ball falls on a floor: flight, contact and first rebound", source=f"{MFIX}, DEM01",
      formula="damped oscillator under gravity between two flights", tolerance=2e-4,
      why="relative to 0.5 m of fall and 3.1 m/s; 1500 steps per contact; velocity Verlet is of first order with a dashpot")
def freely_falling(bench):
    r, rho, kn, e, h = 0.1, 2600.0, 1e5, 0.9, 0.5
    m = ball_mass(r, rho)
    w0 = math.sqrt(kn / m)
    beta = -math.log(e) / math.sqrt(math.pi ** 2 + math.log(e) ** 2) * w0
    w = math.sqrt(w0 ** 2 - beta ** 2)
    t1 = math.sqrt(2.0 * (h - r) / G)
    v1, depth0 = G * t1, G / w0 ** 2

    def touching(t):  # height of the centre less r, its speed; y = -depth0 + A exp cos + B exp sin
        a, b = depth0, (-v1 + beta * depth0) / w
        c, s, f = math.cos(w * t), math.sin(w * t), math.exp(-beta * t)
        y = f * (a * c + b * s)
        return y - depth0, f * ((b * w - beta * a) * c - (a * w + beta * b) * s)
    low, high = 0.5 * math.pi / w, 1.3 * math.pi / w
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if touching(middle)[0] > 0.0 else (middle, high)
    t2, v2 = t1 + low, touching(low)[1]
    dt = math.pi / w / 1500
    steps = int((t2 + 0.9 * v2 / G) / dt)
    rows = of(bench.run(scene(dt, FLOOR + ball("a", r, (0, 0, h)), linear(kn, f"restitution = {e!r};"), density=rho,
                              gravity=(0, 0, -G), shapes=plane("floor", (0, 0, 1)), steps=steps, every=10)).csv("bodies"), "a")

    def expected(t):
        if t < t1:
            return h - 0.5 * G * t * t, -G * t
        if t < t2:
            return r + touching(t - t1)[0], touching(t - t1)[1]
        return r + v2 * (t - t2) - 0.5 * G * (t - t2) ** 2, v2 - G * (t - t2)
    exact = [expected(row["time"]) for row in rows]
    bench.figure("free-fall", xlabel="time [s]", ylabel="height of the centre [m]",
                 lines=[("closed form", [row["time"] for row in rows], [y for y, _ in exact])],
                 points=[("scree", [row["time"] for row in rows[::60]], [row["z"] for row in rows[::60]])])
    return [("largest error of the height / 0.5 m", 0.0, max(abs(row["z"] - y) for row, (y, _) in zip(rows, exact)) / h),
            ("error of the speed of rebound / speed of impact", 0.0, abs(rows[-1]["vz"] - exact[-1][1]) / v1)]


@case("mechanics/bounce", "heights of ten bounces", source=f"{MFIX}, DEM02 (hard sphere)", formula="h_n = e^(2 n) h_0",
      tolerance=1e-2, why="110 steps per contact: first order with a dashpot, 1e-3 of each restitution, which add up over ten bounces", slow=True)
def bounces(bench):
    e, h = 0.8, 0.1
    rows = of(bench.run(scene(1e-6, FLOOR + ball("a", R, (0, 0, R + h)), linear(1e6, f"restitution = {e!r};"), density=RHO,
                              gravity=(0, 0, -G), shapes=plane("floor", (0, 0, 1)), steps=1300000, every=100)).csv("bodies"), "a")
    z = [row["z"] - R for row in rows]
    tops = [z[k] for k in range(1, len(z) - 1) if z[k - 1] < z[k] >= z[k + 1]][:10]
    bench.figure("bounces", xlabel="bounce", ylabel="height [m]", log="y",
                 lines=[("h e^(2n)", list(range(11)), [h * e ** (2 * n) for n in range(11)])],
                 points=[("scree", list(range(1, len(tops) + 1)), tops)])
    return [(f"bounce {n + 1} [m]", h * e ** (2 * n + 2), top) for n, top in enumerate(tops)]


@case("mechanics/bounce", "two stacked balls pressed between two walls", source=f"{MFIX}, DEM03; the linear equations integrated by the case",
      formula="m y'' = forces of three springs and dashpots - m g", tolerance=1.5e-3,
      why="relative to the largest way, 2e-5 m; 1/1000 of the shortest period per step, first order with dashpots")
def stacked(bench):
    r, kn, e = 5e-4, 1e3, 0.8
    rho = (2000.0, 1000.0)
    m = [ball_mass(r, q) for q in rho]
    top = 3.6 * r
    zeta = -math.log(e) / math.sqrt(math.pi ** 2 + math.log(e) ** 2)
    effective = (m[0], m[0] * m[1] / (m[0] + m[1]), m[1])
    c = [2.0 * zeta * math.sqrt(x * kn) for x in effective]

    def rate(_, y):
        z, v = y[:2], y[2:]
        gaps = (r - z[0], 2.0 * r - (z[1] - z[0]), r - (top - z[1]))
        speeds = (-v[0], v[0] - v[1], v[1])
        f = [kn * d + q * s if d >= 0.0 else 0.0 for d, s, q in zip(gaps, speeds, c)]
        return (v[0], v[1], (f[0] - f[1]) / m[0] - G, (f[1] - f[2]) / m[1] - G)
    dt, steps = 1e-7, 15000
    bodies = FLOOR + f'lid = {{ shape = "lid"; position = (0.0, 0.0, {top!r}); }};' + \
        ball("low", r, (0, 0, 0.25 * top), more='material = "a";') + ball("high", r, (0, 0, 0.75 * top), more='material = "b";')
    text = scene(dt, bodies, linear(kn, f"restitution = {e!r};"), gravity=(0, 0, -G), steps=steps, every=50,
                 shapes=plane("floor", (0, 0, 1)) + plane("lid", (0, 0, -1)))
    text = text.replace("materials = { m = { density = 2500.0;  }; };",
                        f"materials = {{ a = {{ density = {rho[0]}; }}; b = {{ density = {rho[1]}; }}; }};")
    text = text.replace('shape = "floor";', 'shape = "floor"; material = "a";').replace('shape = "lid";', 'shape = "lid"; material = "b";')
    rows = bench.run(text).csv("bodies")
    low, high = of(rows, "low"), of(rows, "high")
    exact = rk4(rate, (0.25 * top, 0.75 * top, 0.0, 0.0), 0.0, dt * steps, 10 * (len(low) - 1))[::10]
    way = [max(abs(y[k] - exact[0][1][k]) for _, y in exact) for k in (0, 1)]
    bench.figure("stacked", xlabel="time [ms]", ylabel="way of the centres [um]",
                 lines=[(name, [1e3 * t for t, _ in exact], [1e6 * (y[k] - exact[0][1][k]) for _, y in exact])
                        for k, name in enumerate(("lower ball", "upper ball"))],
                 points=[(f"scree, {name}", [1e3 * row["time"] for row in rows_[::6]], [1e6 * (row["z"] - rows_[0]["z"]) for row in rows_[::6]])
                         for name, rows_ in (("lower", low), ("upper", high))])
    return [(f"{name}: largest error / largest way", 0.0, max(abs(row["z"] - y[k]) for row, (_, y) in zip(rows_, exact)) / way[k])
            for k, (name, rows_) in enumerate((("lower", low), ("upper", high)))]


def cradle(bench, law, n, dt, steps, density=RHO, material=""):
    """n balls that touch; the first flies in at 1 m/s. Final velocities, and rows."""
    bodies = "".join(ball(f"b{k}", R, (2.0 * R * k, 0, 0), (1.0 if k == 0 else 0.0, 0, 0)) for k in range(n))
    rows = bench.run(scene(dt, bodies, law, density=density, material=material, steps=steps, every=steps)).csv("bodies")
    return [of(rows, f"b{k}")[-1]["vx"] for k in range(n)]


def cradle_equations(n, force, end, parts):
    """Final velocities of the same balls by their equations; force(overlap)."""
    def rate(_, y):
        x, v = y[:n], y[n:]
        f = [force(x[k] - x[k + 1]) for k in range(n - 1)]  # x: displacements
        return list(v) + [((f[k - 1] if k else 0.0) - (f[k] if k < n - 1 else 0.0)) / M for k in range(n)]
    return rk4(rate, [0.0] * n + [1.0] + [0.0] * (n - 1), 0.0, end, parts)[-1][1][n:]


@case("mechanics/cradle", "Newton's cradle of two balls that touch: the second takes all momentum", source="momentum and energy", formula="0 and 1 m/s",
      tolerance=1e-6, why="3000 steps per contact; the first ball's rest is compared with 1 m/s")
def cradle_two(bench):
    v = cradle(bench, linear(1e6), 2, math.pi / math.sqrt(2e6 / M) / 3000, 3300)
    return [("struck [m/s]", 1.0, v[1]), ("striker [m/s]", 0.0, v[0])]


@case("mechanics/cradle", "Newton's cradle of three and five balls that touch, linear springs",
      source="Herrmann, Schmalzle 1981, Am. J. Phys. 49, 761; the equations integrated by the case", formula="m x'' = k (overlaps)",
      tolerance=2e-5, why="absolute in 1 m/s: 3000 steps per contact and 4000 of Runge-Kutta, which meet the opening of contacts within a step")
def cradle_linear(bench):
    found, contact = [], math.pi / math.sqrt(2e6 / M)
    for n in (3, 5):
        got = cradle(bench, linear(1e6), n, contact / 3000, 3000 * (n + 1))
        want = cradle_equations(n, lambda d: 1e6 * max(d, 0.0), contact * (n + 1), 4000 * (n + 1))
        found += [(f"ball {k + 1} of {n}: error [m/s] (of {x:.4f})", 0.0, abs(x - y)) for k, (x, y) in enumerate(zip(want, got))]
    return found


@case("mechanics/cradle", "Newton's cradle of three and five balls that touch, Hertz",
      source="Herrmann, Schmalzle 1981, Am. J. Phys. 49, 761; the equations integrated by the case", formula="m x'' = k (overlaps)^(3/2)",
      tolerance=2e-5, why="absolute in 1 m/s: about 3000 steps per contact and 4000 of Runge-Kutta")
def cradle_hertz(bench):
    found, young, nu = [], 5e10, 0.25
    k_hertz = 4.0 / 3.0 * young / (2.0 * (1.0 - nu * nu)) * math.sqrt(0.5 * R)
    contact = 2.9432 * (1.25 * 0.5 * M / k_hertz) ** 0.4
    law = '{ plugin = "hertz_mindlin"; }'
    for n in (3, 5):
        got = cradle(bench, law, n, contact / 3000, 3000 * (n + 1), material=f"young_modulus = {young!r}; poisson_ratio = {nu!r};")
        want = cradle_equations(n, lambda d: k_hertz * max(d, 0.0) ** 1.5, contact * (n + 1), 4000 * (n + 1))
        found += [(f"ball {k + 1} of {n}: error [m/s] (of {x:.4f})", 0.0, abs(x - y)) for k, (x, y) in enumerate(zip(want, got))]
    return found


YOUNG, NU, BALLS, STRIKE = 5e10, 0.25, 40, 0.5  # [Pa] [-] [-] [m/s]


def wave_speed(peaks, pairs):
    """Speed [m/s] and mean peak force [N] from {pair: (force, time)}."""
    slope, _, _ = line_fit([peaks[k][1] for k in pairs], [2.0 * R * k for k in pairs])
    return slope, sum(peaks[k][0] for k in pairs) / len(pairs)


def peak_table(samples):
    """{pair: (largest force, its time)} of (time, forces)."""
    peaks = {}
    for t, forces in samples:
        for k, f in forces:
            if f > peaks.get(k, (0.0, 0.0))[0]:
                peaks[k] = (f, t)
    return peaks


@case("mechanics/chain", "a solitary wave in a chain of balls that touch without force",
      source="Nesterenko 2001, Dynamics of Heterogeneous Materials, section 1.6 (long waves); the chain's equations integrated by the case",
      formula="V = 0.6802 (2 E / (a rho^(3/2) (1 - nu^2)))^(1/3) F^(1/6), a: diameter", tolerance=2e-2,
      why="the formula is of long waves, and the wave is five balls wide: the integrated chain, given next to it, is as far from the formula")
def solitary(bench):
    bodies = "".join(ball(f"b{k}", R, (2.0 * R * k, 0, 0), (STRIKE if k == 0 else 0.0, 0, 0)) for k in range(BALLS))
    rows = bench.run(scene(1e-7, bodies, '{ plugin = "hertz_mindlin"; }', density=RHO, steps=7500, every=5, what=("contacts",),
                           material=f"young_modulus = {YOUNG!r}; poisson_ratio = {NU!r};")).csv("contacts")
    pairs = range(18, 32)
    speed, force = wave_speed(peak_table((row["time"], [(int(row["a"]), abs(row["fx"]))]) for row in rows), pairs)
    want = 0.6802 * (2.0 * YOUNG / (2.0 * R * RHO ** 1.5 * (1.0 - NU * NU))) ** (1.0 / 3.0) * force ** (1.0 / 6.0)
    k_hertz = 4.0 / 3.0 * YOUNG / (2.0 * (1.0 - NU * NU)) * math.sqrt(0.5 * R)

    def forces(x):
        return [k_hertz * max(x[k] - x[k + 1], 0.0) ** 1.5 for k in range(BALLS - 1)]

    def rate(_, y):
        f = [0.0, *forces(y[:BALLS]), 0.0]
        return y[BALLS:] + [(f[k] - f[k + 1]) / M for k in range(BALLS)]
    exact = rk4(rate, [0.0] * BALLS + [STRIKE] + [0.0] * (BALLS - 1), 0.0, 7.5e-4, 1700)
    own, top = wave_speed(peak_table((t, enumerate(forces(y))) for t, y in exact), pairs)
    return [("speed [m/s], by the formula", want, speed), ("speed [m/s], integrated", own, speed), ("peak force [N], integrated", top, force)]


@case("mechanics/chain", "normal modes of a chain of balls between walls", source="lattice of springs; Kittel, Solid State Physics, ch. 4",
      formula="w_j = 2 sqrt(k/m) sin(pi j / (2 (N + 1))), N = 8", tolerance=1e-5,
      why="at least 300 steps per period: 2e-5 (w dt)^2/24; frequency from 40 periods' crossings")
def modes(bench):
    n, kn, found = 8, 1e5, []
    pressed = 1e-4 * R
    pitch = 2.0 * R - pressed
    for j in (1, 4, 8):
        shape = [math.sin(math.pi * j * (k + 1) / (n + 1)) for k in range(n)]
        w = 2.0 * math.sqrt(kn / M) * math.sin(0.5 * math.pi * j / (n + 1))
        dt = 2.0 * math.pi / w / 600
        bodies = "".join(ball(f"b{k}", R, (pitch * (k + 1) + 0.05 * pressed * shape[k], 0, 0)) for k in range(n))
        bodies += f'left = {{ shape = "left"; position = ({pitch - (R - pressed)!r}, 0.0, 0.0); }}; ' \
            f'right = {{ shape = "right"; position = ({pitch * n + R - pressed!r}, 0.0, 0.0); }};'
        rows = of(bench.run(scene(dt, bodies, linear(kn), density=RHO, steps=12000, every=10,
                                  shapes=plane("left", (1, 0, 0)) + plane("right", (-1, 0, 0)))).csv("bodies"), "b2" if j != 4 else "b1")
        x = [row["vx"] for row in rows]
        zeros = [rows[k]["time"] + (rows[k + 1]["time"] - rows[k]["time"]) * x[k] / (x[k] - x[k + 1])
                 for k in range(1, len(x) - 1) if (x[k] < 0.0) != (x[k + 1] < 0.0)]
        slope, _, _ = line_fit(range(len(zeros)), zeros)
        found.append((f"mode {j} [rad/s]", w, math.pi / slope))
    return found


@case("mechanics/statics", "a ball in a groove of two planes", source="statics", formula="N = m g / (2 cos q), q = 20 to 70 deg",
      tolerance=1e-9, why="at rest; rounding")
def groove(bench):
    found = []
    for degrees in (20, 45, 70):
        q = math.radians(degrees)
        shapes = plane("l", (math.sin(q), 0, math.cos(q))) + plane("r", (-math.sin(q), 0, math.cos(q)))
        rows = bench.run(scene(1e-5, 'l = { shape = "l"; }; r = { shape = "r"; };' + ball("a", R, (0, 0, R / math.cos(q))),
                               linear(1e4, "restitution = 0.1;"), density=RHO, gravity=(0, 0, -G), shapes=shapes, steps=60000,
                               every=60000, what=("contacts",))).csv("contacts")
        found += [(f"{degrees} deg, side {k + 1} [N]", 0.5 * M * G / math.cos(q), math.hypot(row["fx"], row["fz"]))
                  for k, row in enumerate(row for row in rows if row["step"] == 60000)]
    return found


@case("mechanics/statics", "a ball on three fixed balls", source="statics of a regular tetrahedron",
      formula="N = m g / (3 cos q), cos q = sqrt(2/3)", tolerance=1e-4, why="the top sinks by 1e-5 r, which changes the angle")
def pyramid(bench):
    bodies = "".join(ball(f"b{k}", R, (2.0 / math.sqrt(3.0) * R * math.cos(2 * math.pi * k / 3), 2.0 / math.sqrt(3.0) * R *
                                       math.sin(2 * math.pi * k / 3), 0)).replace("velocity = (0.0, 0.0, 0.0); spin = (0.0, 0.0, 0.0);",
                                                                                  'motion = "fixed";') for k in range(3))
    rows = bench.run(scene(1e-5, bodies + ball("top", R, (0, 0, 2.0 * R * math.sqrt(2.0 / 3.0))), linear(1e4, "restitution = 0.1;"),
                           density=RHO, gravity=(0, 0, -G), steps=60000, every=60000, what=("contacts",))).csv("contacts")
    return [(f"contact {k + 1} [N]", M * G / 3.0 / math.sqrt(2.0 / 3.0), math.hypot(row["fx"], row["fy"], row["fz"]))
            for k, row in enumerate(row for row in rows if row["step"] == 60000 and row["depth"] > 1e-9)]


@case("mechanics/collision", "two smooth balls collide off centre", source="momentum and energy; line of centres",
      formula="the component along the line of centres is exchanged", tolerance=1e-3,
      why="the line of centres turns while they touch: 1.6 us at 1 m/s, 3e-4 r")
def off_centre(bench):
    found = []
    for b in (0.2, 0.5, 0.8):
        q = math.asin(b)
        start = (-2.0 * R * math.cos(q), 2.0 * R * b, 0)
        rows = bench.run(scene(1e-8, ball("a", R, start, (1, 0, 0)) + ball("b", R, (0, 0, 0)), linear(1e9), density=RHO, steps=1500,
                               every=1500)).csv("bodies")
        nx, ny = math.cos(q), -b
        vn = nx
        for name, want in (("a", (1 - vn * nx, -vn * ny)), ("b", (vn * nx, vn * ny))):
            row = of(rows, name)[-1]
            found += [(f"{name}, b = {b} d: {axis} [m/s]", w, row[axis]) for axis, w in zip(("vx", "vy"), want)]
    return found
