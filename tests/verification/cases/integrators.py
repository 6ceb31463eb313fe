# SPDX-License-Identifier: Apache-2.0
"""Cases of integrator/velocity_verlet, integer_motion and replay."""
import math

from tools import ball, ball_mass, of, plane, scene
from verify import case

R, RHO, KN = 5e-3, 2500.0, 1e5
M = ball_mass(R, RHO)
W = math.sqrt(KN / M)
SWOPE = "Swope et al. 1982, J. Chem. Phys. 76, 637"


def swing(bench, per_period, periods, rows_per_period=None, law="", sink=1.0, integrator="velocity_verlet"):
    """A ball on a plane under a gravity that sinks it by 2e-4 r, let go at `sink` times half of that above rest: it
    stays in touch, a harmonic oscillator. (t, height above rest / amplitude) and its rows."""
    g, rest = 2e-4 * R * W * W, 2e-4 * R
    amplitude, dt = 0.5 * sink * rest, 2.0 * math.pi / W / per_period
    steps = per_period * periods
    rows = of(bench.run(scene(dt, 'floor = { shape = "floor"; };' + ball("a", R, (0, 0, R - rest + amplitude)),
                              f'{{ plugin = "linear"; kn = {KN!r}; {law} }}', density=RHO, gravity=(0, 0, -g),
                              shapes=plane("floor", (0, 0, 1)), steps=steps, every=per_period // (rows_per_period or per_period),
                              more=f'integrator = {{ plugin = "{integrator}"; }};')).csv("bodies"), "a")
    return [(row["time"], (row["z"] - (R - rest)) / amplitude) for row in rows], dt


@case("integrator/velocity_verlet", "a harmonic oscillator swings at the scheme's own frequency",
      source="Hairer, Lubich, Wanner 2003, Acta Numerica 12, 399: the discrete solution", formula="x_n = cos(n p), sin(p/2) = w dt/2",
      tolerance=1e-8, why="absolute in the amplitude; rounding of positions (1e-18 m in 5e-7 m) over 2000 steps")
def discrete(bench):
    found = []
    for per_period in (5, 12, 50):
        seen, dt = swing(bench, per_period, 2000 // per_period)
        p = 2.0 * math.asin(0.5 * W * dt)
        found.append((f"{per_period} steps per period: largest error / amplitude", 0.0,
                      max(abs(x - math.cos(k * p)) for k, (_, x) in enumerate(seen))))
    return found


@case("integrator/velocity_verlet", "order 2 on a harmonic oscillator", source=SWOPE, formula="error ~ dt^2 after a quarter of the 6th period",
      tolerance=0.02, why="absolute, of the order; the next term is of order 4, at 20 steps per period 0.8 %")
def order(bench):
    errors, steps = [], (20, 40, 80, 160, 320)
    for n in steps:
        seen, _ = swing(bench, n, 6, 4)
        errors.append(abs(seen[21][1]))  # cos is 0 there
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    bench.figure("verlet-order", xlabel="steps per period", ylabel="error / amplitude", log="xy",
                 lines=[("slope -2", [20, 320], [errors[0], errors[0] / 256.0])], points=[("scree", steps, errors)])
    return [(f"order from {n} to {2 * n} steps per period", 2.0, q) for n, q in zip(steps, orders)]


@case("integrator/velocity_verlet", "with a dashpot it is of order 1", source="velocities of the last half step enter the force; Hairer et al. 2003",
      formula="error ~ dt", tolerance=0.1, why="relative, of the order; the second-order term is still seen at 40 steps per period")
def first_order(bench):
    zeta, errors, steps = 0.2, [], (40, 80, 160, 320)
    w = W * math.sqrt(1.0 - zeta ** 2)
    law = f'damping = "constant"; damping_n = {2.0 * zeta * math.sqrt(M * KN)!r};'
    for n in steps:
        seen, _ = swing(bench, n, 1, 4, law)
        t, x = seen[1]
        errors.append(abs(x - math.exp(-zeta * W * t) * (math.cos(w * t) + zeta * W / w * math.sin(w * t))))
    return [(f"order from {n} to {2 * n} steps per period", 1.0, math.log2(a / b)) for n, a, b in zip(steps, errors, errors[1:])]


@case("integrator/velocity_verlet", "energy of an oscillator does not drift in 10 000 periods", source="symplectic schemes; Hairer et al. 2003",
      formula="energy at the last period's start = at the first's", tolerance=1e-9,
      why="the scheme's own energy is kept; rounding of 2e5 steps")
def drift(bench):
    text = scene(2.0 * math.pi / W / 20, 'floor = { shape = "floor"; };' + ball("a", R, (0, 0, R - 1e-4 * R)),
                 f'{{ plugin = "linear"; kn = {KN!r}; }}', density=RHO, gravity=(0, 0, -2e-4 * R * W * W), steps=200000, every=1,
                 shapes=plane("floor", (0, 0, 1)), what=("scalars",)).replace("every_steps = 1;", "every_steps = 1000;")
    rows = bench.run(text).csv()
    dt = 2.0 * math.pi / W / 20
    # kept exactly: m v^2/2 + (1 - (w dt/2)^2) k y^2/2
    swing_energy = 0.5 * KN * (1e-4 * R) ** 2
    low = -0.5 * KN * (2e-4 * R) ** 2 + M * 2e-4 * R * W * W * R  # energy at rest
    own = [row["kinetic"] + (row["stored"] + row["gravity"] - low) * (1.0 - (0.5 * W * dt) ** 2) for row in rows]
    return [("largest change / energy of the swing", 0.0, max(abs(e - own[0]) for e in own) / swing_energy)]


@case("integrator/velocity_verlet", "free flight in gravity is exact", source="parabola", formula="x = x0 + v t + g t^2/2", tolerance=1e-12,
      why="the scheme is exact for a constant force; rounding of 1000 steps")
def flight(bench):
    g, v, dt = (0.3, -1.0, -9.81), (1.0, 2.0, 5.0), 1e-3
    last = bench.run(scene(dt, ball("a", R, (0, 0, 0), v, (1, 2, 3)), gravity=g, steps=1000, every=1000)).csv("bodies")[-1]
    return [(f"{axis} [m]", v[k] + 0.5 * g[k], last[axis]) for k, axis in enumerate("xyz")] + \
        [(f"w{axis} [rad/s]", k + 1.0, last[f"w{axis}"]) for k, axis in enumerate("xyz")]


@case("integrator/velocity_verlet", "time runs back: a gas of balls returns to its start", source="the scheme is its own inverse",
      formula="x(-t) = x(0) after 300 steps there and back", tolerance=1e-7,
      why="absolute, in m; rounding grows with each collision, 5 per ball on average")
def reversible(bench):
    top = 0.02
    bodies, n = "", 0
    for i in range(4):
        for j in range(4):
            for k in range(4):
                v = [2.0 * math.sin(12.9898 * (n + 1) + 78.233 * (a + 1)) for a in range(3)]
                bodies += ball(f"b{n}", 2e-3, [1e-3 + 4.5e-3 * a for a in (i, j, k)], v)
                n += 1
    box = f'scene.region={{ min = (-0.0025, -0.0025, -0.0025); max = ({top!r}, {top!r}, {top!r}); }}'
    law = '{ plugin = "linear"; kn = 1e4; }'
    text = scene(2e-5, bodies, law, steps=300, every=300)
    there = bench.run(text, set=(box, 'scene.boundary="periodic"')).csv("bodies")
    start, end = there[:n], there[-n:]
    back = "".join(ball(f"b{k}", 2e-3, (r["x"], r["y"], r["z"]), (-r["vx"], -r["vy"], -r["vz"]), (-r["wx"], -r["wy"], -r["wz"]))
                   for k, r in enumerate(sorted(end, key=lambda row: row["id"])))
    again = bench.run(scene(2e-5, back, law, steps=300, every=300), set=(box, 'scene.boundary="periodic"')).csv("bodies")[-n:]
    start, again = (sorted(rows, key=lambda row: row["id"]) for rows in (start, again))
    period = top + 0.0025

    def apart(a, b):
        d = abs(a - b) % period
        return min(d, period - d)
    moved = max(apart(a["x"], b["x"]) for a, b in zip(start, end))
    return [("largest distance from the start [m]", 0.0, max(apart(a[q], b[q]) for a, b in zip(start, again) for q in "xyz")),
            ("it had moved [m] (at least 1 mm)", (1e-3, 1.0), moved)]


@case("integrator/integer_motion", "Perkins' first test: places are whole numbers, the speed is kept", source="Perkins 1999, section 6",
      formula="x 2^24 is whole; mean speed 0.5 to 2 % of the usual radius per step", tolerance=0.0, why="whole numbers are exact; the band is the motion's own")
def perkins(bench):
    text = """scene = { dt = 1.0; steps = 200; dimension = 2; }; materials = { m = { density = 1.0; }; };
integrator = { plugin = "integer_motion"; workload = "perkins_1"; count = 400; }; generate = { d = { plugin = "integer_motion"; }; };
observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 100; }; };"""
    rows = [row for row in bench.run(text).csv("bodies") if row["step"] == 200]
    moving = [math.hypot(row["vx"], row["vy"]) / row["radius"] for row in rows if row["vx"] or row["vy"]]
    return [("largest distance from a whole number", 0.0, max(abs(x - round(x)) for row in rows for x in (row["x"] * 2 ** 24, row["y"] * 2 ** 24))),
            ("mean speed / radius", (0.005, 0.02), sum(moving) / len(moving))]


@case("integrator/replay", "a recorded run is played frame by frame", source="the frames of the file", formula="x after step k = x of the run then",
      tolerance=1e-9, why="places are recorded to 2^-30 m, 9.3e-10 m apart; absolute")
def replay(bench):
    text = scene(1e-4, ball("a", R, (0, 0, 0), (1, 0.5, -0.25)) + ball("b", R, (0.02, 0.01, 0), (-1, 0, 0.1)),
                 f'{{ plugin = "linear"; kn = {KN!r}; }}', density=RHO, steps=201, every=1)
    run = bench.run(text, set=('observers.boxes={ plugin = "record"; every_steps = 1; digits = 30; }',))
    file = run.folder / "trajectory.bpf"
    played = bench.run(f"""scene = {{ dt = 1e-4; steps = 200; }}; materials = {{ m = {{ density = 2500.0; }}; }};
integrator = {{ plugin = "replay"; file = "{file}"; }}; generate = {{ d = {{ plugin = "replay"; }}; }};
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 1; }}; }};""").csv("bodies")
    want = {(row["step"], row["id"]): row for row in run.csv("bodies")}
    pairs = [(want[row["step"], row["id"] + 1], row) for row in played]  # played bodies have the ids from 0 on
    return [("largest distance [m]", 0.0, max(abs(a[q] - b[q]) for a, b in pairs for q in "xyz")), ("rows compared", 402, len(pairs))]
