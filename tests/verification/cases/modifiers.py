# SPDX-License-Identifier: Apache-2.0
"""Cases of the modifiers drag, damping, move, insert, remove and release."""
import math

from tools import ball, ball_mass, of, plane, scene
from verify import case

R, RHO, G = 1e-3, 2600.0, 9.81
M = ball_mass(R, RHO)


def alone(bench, modifier, *, dt, steps, v=(0, 0, 0), g=0.0, every=None):
    text = scene(dt, ball("a", R, (0, 0, 0), v), density=RHO, gravity=(0, 0, -g), steps=steps, every=every or steps,
                 more=f"modifiers = {{ fluid = {{ {modifier} }}; }};")
    return bench.run(text).csv("bodies")


@case("modifier/drag", "Stokes: a ball is carried along by a stream", source="Stokes 1851; Clift, Grace, Weber 1978, section 3.1",
      formula="u = U + (u0 - U) exp(-t / tau), tau = m / (6 pi mu r)", tolerance=2e-3, why="1/500 of tau per step: first order in the step for forces of velocities")
def stokes(bench):
    tau = M / (6.0 * math.pi * 0.035 * R)
    rows = alone(bench, 'plugin = "drag"; law = "stokes"; viscosity = 0.035; velocity = (-0.5, 0.25, 0.0);', dt=tau / 500,
                 steps=2000, v=(3, 0, 0), every=50)
    t = [row["time"] / tau for row in rows]
    exact = [-0.5 + 3.5 * math.exp(-x) for x in t]
    bench.figure("stokes", xlabel="time / tau [-]", ylabel="velocity [m/s]", lines=[("closed form", t, exact)],
                 points=[("scree", t, [row["vx"] for row in rows])])
    return [("largest error along the start / 3.5 m/s", 0.0, max(abs(row["vx"] - u) for row, u in zip(rows, exact)) / 3.5),
            ("largest error across / 0.25 m/s", 0.0, max(abs(row["vy"] - 0.25 * (1 - math.exp(-x))) for row, x in zip(rows, t)) / 0.25)]


@case("modifier/drag", "terminal velocity of a ball in water and oil", source="MFIX-DEM verification, DEM06; Clift, Grace, Weber 1978, table 5.3",
      formula="Cd(Re) pi r^2 rho u^2/2 = weight less buoyancy, by bisection", tolerance=1e-9, why="after 300 times of relaxation; rounding")
def terminal(bench):
    coefficients = {"stokes": lambda re: 24.0 / re, "schiller_naumann": lambda re: 24.0 / re * (1.0 + 0.15 * re ** 0.687) if re < 1000 else 0.44,
                    "dallavalle": lambda re: (0.63 + 4.8 / math.sqrt(re)) ** 2, "constant": lambda re: 1.3}
    found = []
    for law, cd in coefficients.items():
        rho, mu = 1230.0, 0.05
        low, high = 1e-9, 100.0
        for _ in range(200):
            u = math.sqrt(low * high)
            force = cd(2.0 * R * rho * u / mu) * math.pi * R * R * 0.5 * rho * u * u
            low, high = (u, high) if force < M * G * (1.0 - rho / RHO) else (low, u)
        keys = "coefficient = 1.3;" if law == "constant" else f"viscosity = {mu};"
        row = alone(bench, f'plugin = "drag"; law = "{law}"; density = {rho}; buoyancy = true; {keys}', dt=1e-5, steps=60000, g=G)[-1]
        found.append((f"{law} [m/s]", low, -row["vz"]))
    return found


@case("modifier/drag", "quadratic drag slows a ball", source="Newton's law of resistance", formula="u = u0 / (1 + c t)", tolerance=1e-3,
      why="first order in the step: c dt = 2e-4")
def quadratic(bench):
    c = 0.5 * 4.5 * 0.8 * math.pi * R * R / M * 3.0
    rows = alone(bench, 'plugin = "drag"; law = "constant"; density = 4.5; coefficient = 0.8;', dt=2e-4 / c, steps=20000, v=(3, 0, 0), every=4000)
    return [(f"at c t = {c * row['time']:.2g} [m/s]", 3.0 / (1.0 + c * row["time"]), row["vx"]) for row in rows[1:]]


@case("modifier/damping", "Cundall's local damping in free fall, down and up", source="Cundall 1987, Analytical and Computational Methods in "
      "Engineering Rock Mechanics, ch. 4", formula="a = (1 - alpha) g falling, (1 + alpha) g rising", tolerance=1e-9, why="constant forces; rounding")
def damping(bench):
    found = []
    for alpha in (0.2, 0.7):
        down = alone(bench, f'plugin = "damping"; alpha = {alpha};', dt=1e-4, steps=1000, g=G, v=(0, 0, -1))[-1]
        up = alone(bench, f'plugin = "damping"; alpha = {alpha};', dt=1e-4, steps=1000, g=G, v=(0, 0, 10))[-1]
        found += [(f"falling, alpha = {alpha} [m/s]", -1 - (1 - alpha) * G * 0.1, down["vz"]), ("rising [m/s]", 10 - (1 + alpha) * G * 0.1, up["vz"])]
    return found


@case("modifier/damping", "a swing under local damping loses the same share each half period", source="Itasca, PFC manual: local damping; piecewise "
      "constant damping force on an oscillator", formula="next turning point / last = sqrt((1 - alpha)/(1 + alpha))", tolerance=1e-3,
      why="400 steps per period; turning points are read at steps")
def local_swing(bench):
    alpha, kn = 0.1, 1e5
    w = math.sqrt(kn / M)
    g, rest = 2e-4 * R * w * w, 2e-4 * R
    rows = of(bench.run(scene(2.0 * math.pi / w / 400, 'floor = { shape = "floor"; };' + ball("a", R, (0, 0, R - rest + 0.5 * rest)),
                              f'{{ plugin = "linear"; kn = {kn!r}; }}', density=RHO, gravity=(0, 0, -g), shapes=plane("floor", (0, 0, 1)),
                              steps=2400, every=1, more=f'modifiers = {{ d = {{ plugin = "damping"; alpha = {alpha}; }}; }};')).csv("bodies"), "a")
    z = [row["z"] - (R - rest) for row in rows]
    turns = [z[k] for k in range(1, len(z) - 1) if (z[k] - z[k - 1]) * (z[k + 1] - z[k]) < 0]
    return [(f"turning point {k + 1}: share left", math.sqrt((1 - alpha) / (1 + alpha)), -b / a) for k, (a, b) in enumerate(zip([0.5 * rest] + turns, turns[:6]))]


@case("modifier/move", "a ball bounces off a wall that advances", source="elastic reflection in the wall's frame", formula="v' = 2 V - v", tolerance=5e-5,
      why="(w dt)^2/2, w dt = 0.0096: the contact begins and ends within a step")
def piston(bench):
    found = []
    for speed in (0.3, -0.2):
        text = scene(1e-7, 'wall = { shape = "wall"; motion = "kinematic"; position = (-0.001, 0.0, 0.0); };' +
                     ball("a", R, (R + 1e-4, 0, 0), (-1, 0, 0)), '{ plugin = "linear"; kn = 1e5; }', density=RHO, shapes=plane("wall", (1, 0, 0)), steps=40000,
                     every=40000, more=f'modifiers = {{ m = {{ plugin = "move"; motion = "translation"; groups = "wall"; velocity = ({speed}, 0.0, 0.0); }}; }};')
        found.append((f"V = {speed} m/s", 2 * speed + 1.0, of(bench.run(text).csv("bodies"), "a")[-1]["vx"]))
    return found


@case("modifier/move", "a vibrating floor under a ball that stays in touch", source="forced oscillator: resonance curve",
      formula="sqrt((1 + (2 z q)^2) / ((1 - q^2)^2 + (2 z q)^2)), z = 0.05, q = W / w0", tolerance=5e-3,
      why="800 steps per period and first order with a dashpot: k is off by z w dt = 4e-4, which counts 5 times at q = 0.9; 100 samples per period", slow=True)
def vibrating(bench):
    kn, zeta, found, points = 1e4, 0.05, [], []
    w0 = math.sqrt(kn / M)
    g, amplitude = 4e-3 * R * w0 * w0, 1e-4 * R
    c = 2.0 * zeta * math.sqrt(M * kn)

    def gain(ratio):
        return math.sqrt((1 + (2 * zeta * ratio) ** 2) / ((1 - ratio ** 2) ** 2 + (2 * zeta * ratio) ** 2))
    for ratio in (0.3, 0.6, 0.9, 1.0, 1.2, 1.7):
        w, n = ratio * w0, 800
        dt = 2.0 * math.pi / w / n if ratio > 0.9 else 2.0 * math.pi / w0 / n
        steps = int(300.0 / w0 / dt)
        rows = of(bench.run(scene(dt, 'floor = { shape = "floor"; motion = "kinematic"; };' + ball("a", R, (0, 0, R - 4e-3 * R)),
                                  f'{{ plugin = "linear"; kn = {kn!r}; damping = "constant"; damping_n = {c!r}; }}', density=RHO, gravity=(0, 0, -g),
                                  shapes=plane("floor", (0, 0, 1)), steps=steps, every=8,
                                  more='modifiers = { m = { plugin = "move"; motion = "vibration"; groups = "floor"; direction = (0.0, 0.0, 1.0); '
                                  f'amplitude = {amplitude!r}; frequency = {w / (2 * math.pi)!r}; }}; }};')).csv("bodies"), "a")
        late = [row["z"] for row in rows[-int(4.0 * math.pi / w / dt / 8):]]
        got = 0.5 * (max(late) - min(late)) / amplitude
        found.append((f"W / w0 = {ratio}", gain(ratio), got))
        points.append((ratio, got))
    fine = [0.02 * k for k in range(5, 100)]
    bench.figure("resonance", xlabel="frequency / own frequency [-]", ylabel="amplitude of the ball / of the floor [-]",
                 lines=[("closed form", fine, [gain(x) for x in fine])], points=[("scree", *zip(*points))])
    return found


@case("modifier/insert", "mass rate and number of what is inserted", source="arithmetic", formula="rate times time; 8 of number = 8",
      tolerance=2e-2, why="one body of 50 more or less at the end")
def insertion(bench):
    mass = ball_mass(1e-3, 2500.0)
    text = f"""scene = {{ dt = 1e-4; steps = 5000; gravity = (0.0, 0.0, -9.81); region = {{ min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }}; }};
materials = {{ m = {{ density = 2500.0; }}; }};
modifiers = {{ rain = {{ plugin = "insert"; every_steps = 10; mass_rate = {100 * mass!r}; body = {{ radius = 0.001; }}; }};
    few = {{ plugin = "insert"; every_steps = 10; number = 8; body = {{ radius = 0.0005; }}; }}; }};
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 2500; }}; }};"""
    rows = bench.run(text).csv("bodies")
    return [(f"bodies of the rate at {t} s", 100.0 * t, float(sum(row["name"] == "rain" and row["time"] > t - 1e-6 and row["time"] < t + 1e-6 for row in rows)))
            for t in (0.25, 0.5)] + [("bodies of the number", 8.0, float(sum(row["name"] == "few" and row["step"] == 5000 for row in rows)))]


@case("modifier/remove", "what falls below a height is taken out at once", source="free fall", formula="balls at heights h_i are gone at sqrt(2 h_i / g)",
      tolerance=1e-6, why="absolute count of balls at times between the falls")
def removal(bench):
    heights = [0.01 * (k + 1) for k in range(10)]
    text = scene(1e-4, "".join(ball(f"b{k}", R, (0.01 * k, 0, h)) for k, h in enumerate(heights)), gravity=(0, 0, -G), steps=1500, every=100,
                 more='modifiers = { out = { plugin = "remove"; region = { min = (-1.0, -1.0, -1.0); max = (1.0, 1.0, 0.0); }; }; };')
    rows = bench.run(text).csv("bodies")
    return [(f"balls at {0.01 * k:.2f} s", float(sum(h > 0.5 * G * (0.01 * k) ** 2 for h in heights)), float(sum(row["step"] == 100 * k for row in rows)))
            for k in (3, 6, 9, 12, 14)]


@case("modifier/release", "a ball that is let go falls from then on", source="free fall", formula="z = -g (t - t0)^2/2", tolerance=1e-4,
      why="the moment is met within a step of 1e-5 s of 0.1 s")
def released(bench):
    text = scene(1e-5, ball("a", R, (0, 0, 0)).replace("velocity = (0.0, 0.0, 0.0); spin = (0.0, 0.0, 0.0);", 'motion = "fixed";'), gravity=(0, 0, -G),
                 steps=12000, every=12000, more='modifiers = { v = { plugin = "release"; groups = ["a"]; at_time = 0.02; }; };')
    row = bench.run(text).csv("bodies")[-1]
    return [("z [m]", -0.5 * G * 0.01, row["z"]), ("v [m/s]", -G * 0.1, row["vz"])]
