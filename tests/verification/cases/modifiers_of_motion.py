# SPDX-License-Identifier: Apache-2.0
"""Cases of the modifiers lock, freeze, tether, gravity and servo."""
import math

from verify import case

RADIUS, DENSITY = 0.01, 2500.0
MASS = DENSITY * 4.0 / 3.0 * math.pi * RADIUS ** 3
INERTIA = 0.4 * MASS * RADIUS ** 2
BALL = """
scene = {{ dt = {dt!r}; gravity = {gravity}; {scene} }};
materials = {{ m = {{ density = 2500.0; }}; }};
shapes = {{ up = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; down = {{ type = "plane"; normal = (0.0, 0.0, -1.0); }}; }};
bodies = {{ a = {{ radius = 0.01; {body} }}; {others} }};
force = ( {{ plugin = "linear"; kn = 1.0e5; {law} }} );
integrator = {{ plugin = "velocity_verlet"; orientation = "all"; }};
modifiers = {{ {modifiers} }};
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
"""


def ball(body="position = (0.0, 0.0, 0.0);", modifiers="", *, dt=1e-4, gravity="(0.0, 0.0, 0.0)", scene="", others="",
         law="", every=1):
    return BALL.format(body=body, modifiers=modifiers, dt=dt, gravity=gravity, scene=scene, others=others, law=law, every=every)


def last(run, name="a"):
    return [row for row in run.csv("bodies") if row["name"] == name][-1]


# lock

@case("modifier/lock", "locked components keep every bit; the others move as without it",
      source="Newton's second law along each axis; YADE, State.blockedDOFs", formula="v_x, z, w_x, w_y as at the start; v_y = g t",
      tolerance=1e-11, why="what is locked is compared bit for bit (0 changed); round-off of the rest")
def locked(bench):
    found = []
    for plugin in ("velocity_verlet", "symplectic_euler", "rkn4", "forest_ruth", "gear"):
        run = bench.run(ball("position = (0.1, 0.2, 0.3); velocity = (0.25, 0.0, 0.0); spin = (1.0, 2.0, 3.0);",
                             'hold = { plugin = "lock"; translation = "xz"; rotation = "xy"; };'
                             'push = { plugin = "gravity"; vector = (3.0, 1.0, 4.0); };',
                             gravity="(1.0, 2.0, -9.81)").replace("velocity_verlet", plugin).replace(
                                 'orientation = "all";', 'orientation = "all";' if plugin == "velocity_verlet" else ""), steps=1000)
        rows = run.csv("bodies")
        changed = sum(row[k] != rows[0][k] for row in rows for k in ("z", "vx", "vz", "wx", "wy"))
        found += [(f"{plugin}: components that changed", 0, changed),
                  (f"{plugin}: x at the velocity given", 0.1 + 0.25 * 0.1, rows[-1]["x"]),
                  (f"{plugin}: speed along y", 0.3, rows[-1]["vy"])]
    return found


@case("modifier/lock", "a ball that may only sink leans on a fixed one next to it",
      source="equilibrium of weight and the part of a spring's force along it", formula="kn (2 r - d) z / d = m g, d^2 = x^2 + z^2",
      tolerance=1e-9, why="the damped ball has come to rest")
def leaning(bench):
    side = 0.014
    run = bench.run(ball(f"position = ({side}, 0.0, 0.0142);",
                         'hold = { plugin = "lock"; translation = "xy"; rotation = "xyz"; }; damp = { plugin = "damping"; alpha = 0.5; };',
                         dt=1e-5, gravity="(0.0, 0.0, -9.81)", every=1000,
                         others='b = { radius = 0.01; position = (0.0, 0.0, 0.0); motion = "fixed"; };'), steps=20000)
    low, high = 0.013, 0.0143
    for _ in range(200):
        z = 0.5 * (low + high)
        d = math.hypot(side, z)
        low, high = (z, high) if 1e5 * (0.02 - d) * z / d > MASS * 9.81 else (low, z)
    return [("z", 0.5 * (low + high), last(run)["z"]), ("x", side, last(run)["x"])]


@case("modifier/lock", "the work of the force that holds closes the account",
      source="power of -F at the velocity given: a ball driven at 0.25 m/s against 3 m/s^2", formula="work = -m g v t",
      tolerance=1e-9, why="force and velocity are constant: round-off")
def holding(bench):
    run = bench.run(ball("position = (0.0, 0.0, 0.0); velocity = (0.25, 0.0, 0.0);",
                         'hold = { plugin = "lock"; };', gravity="(3.0, 0.0, 0.0)", every=100), steps=1000)
    energy = run.json["energy"]
    return [("work", -MASS * 3.0 * 0.25 * 0.1, energy["work"]), ("residual", 0.0, energy["residual"])]


# freeze

@case("modifier/freeze", "a falling ball stops at 0.1 s, hangs, and falls again from 0.2 s on",
      source="free fall", formula="g t1^2 / 2 + g (t - t2)^2 / 2; work = -m (g t1)^2 / 2 - m g v dt / 2",
      tolerance=2e-3, why="the ball is stopped and let go within a step: half a step more or less, 5e-4 of its fall and 1e-3 of the work")
def stops(bench):
    run = bench.run(ball(modifiers='hold = { plugin = "freeze"; groups = "a"; at_time = 0.1; release_time = 0.2; };',
                         gravity="(0.0, 0.0, -10.0)"), steps=3000)
    rows = run.csv("bodies")
    hung = [row["z"] for row in rows if 0.1 <= row["time"] <= 0.2 - 1e-9]
    return [("where it hangs", -0.05, hung[0]), ("differences while it hangs", 1.0, 1.0 + max(hung) - min(hung)),
            ("where it ends", -0.1, rows[-1]["z"]), ("work", -0.5 * MASS, run.json["energy"]["work"])]


@case("modifier/freeze", "an undamped ball leaves a frozen one at the speed at which it came",
      source="head-on impact on a mass that does not move", formula="v' = -v",
      tolerance=1e-4, why="second order in the step of 1/400 of the contact")
def like_a_wall(bench):
    run = bench.run(ball("position = (0.0, 0.0, 0.0); velocity = (0.0, 0.0, 1.0);",
                         'hold = { plugin = "freeze"; groups = "b"; };', dt=1e-6, every=100,
                         others="b = { radius = 0.01; position = (0.0, 0.0, 0.0201); };"), steps=3000)
    return [("velocity", -1.0, last(run)["vz"]), ("place of the frozen one", 0.0201, last(run, "b")["z"])]


# tether

def swing(bench, body, keys, steps, column, dt=1e-4):
    run = bench.run(ball(body, f'tie = {{ plugin = "tether"; {keys} }};', dt=dt), steps=steps)
    rows = run.csv("bodies")
    return [row["time"] for row in rows], [row[column] for row in rows], run


def crossings(times, values):
    """Times at which a value passes 0 upwards, by a straight line."""
    return [t0 + (t1 - t0) * v0 / (v0 - v1) for t0, t1, v0, v1 in zip(times, times[1:], values, values[1:]) if v0 < 0.0 <= v1]


@case("modifier/tether", "period of a ball on its spring", source="harmonic oscillator; O'Connor 1996, eq. (5.1)",
      formula="T = 2 pi sqrt(m / K)", tolerance=1e-4, why="second order in the step: (omega dt)^2 / 24 = 4e-6, and interpolation")
def period(bench):
    k = 4.0
    want = 2.0 * math.pi * math.sqrt(MASS / k)
    times, speed, run = swing(bench, "position = (0.3, 0.0, 0.0); velocity = (0.1, 0.0, 0.0);", f"stiffness = {k};", 6500, "vx")
    found = crossings(times, speed)
    energy = run.json["energy"]
    bench.figure("tether", xlabel="time [s]", ylabel="velocity [m/s]",
                 lines=[("0.1 cos(2 pi t / T)", times[::10], [0.1 * math.cos(2 * math.pi * t / want) for t in times[::10]])],
                 points=[("scree", times[::200], speed[::200])])
    return [("translation", want, (found[-1] - found[0]) / (len(found) - 1)),
            ("residual over the energy, at most", 1.0, 1.0 + abs(energy["residual"]) / energy["start"] / 100)]


@case("modifier/tether", "period of a ball that turns on its spring", source="torsion pendulum; O'Connor 1996, eq. (5.3)",
      formula="T = 2 pi sqrt(I / B)", tolerance=1e-4, why="second order in the step, and interpolation")
def torsion(bench):
    b = 2e-4
    times, spin, _ = swing(bench, "position = (0.3, 0.0, 0.0); spin = (1.0, 2.0, 2.0);", f"stiffness = 0.0; torsion_stiffness = {b};", 6500, "wz")
    found = crossings(times, spin)
    return 2.0 * math.pi * math.sqrt(INERTIA / b), (found[-1] - found[0]) / (len(found) - 1)


@case("modifier/tether", "period and decay with a dashpot", slow=True, source="damped oscillator; O'Connor 1996, eq. (5.1)",
      formula="T = 2 pi / sqrt(K/m - (C/2m)^2), v ~ exp(-C t / 2m)", tolerance=2e-3,
      why="first order in the step, since the dashpot sees the velocity of the half step: halving it halves the deviation")
def damped(bench):
    k, c = 4.0, 0.01
    times, speed, _ = swing(bench, "position = (0.0, 0.0, 0.0); velocity = (0.0, 0.1, 0.0);", f"stiffness = {k}; damping = {c};", 60000, "vy", dt=2e-5)
    found = crossings(times, speed)
    want = 2.0 * math.pi / math.sqrt(k / MASS - (c / (2.0 * MASS)) ** 2)
    peaks = [max(v for t, v in zip(times, speed) if a <= t <= b) for a, b in zip(found, found[1:])]
    return [("period", want, (found[-1] - found[0]) / (len(found) - 1)),
            ("decay in a period", math.exp(-c * want / (2.0 * MASS)), peaks[1] / peaks[0])]


# gravity

@case("modifier/gravity", "a weight that grows with time", source="m z'' = a t from rest", formula="z = a t^3 / 6",
      tolerance=5e-4, why="z is of second order in the step; work is booked with the velocity of the half step, dt / t = 2e-4")
def growing(bench):
    run = bench.run(ball(modifiers='g = { plugin = "gravity"; mode = "replace"; vector = (0.0, 0.0, 0.0, 0.0, 0.0, 20.0); times = (0.0, 1.0); };',
                         gravity="(0.0, 0.0, -9.81)", every=1000), steps=5000)
    return [("z", 20.0 * 0.5 ** 3 / 6.0, last(run)["z"]),
            ("work and kinetic energy", run.json["energy"]["kinetic"], run.json["energy"]["work"] - run.json["energy"]["gravity"])]


@case("modifier/gravity", "sliding on a floor that tilts starts when tan(beta) = mu", source="Coulomb friction under a weight whose part along the floor grows as c t",
      formula="start at t_c = mu g / c; then x = c (t - t_c)^3 / 6", tolerance=5e-3,
      why="the tangential spring yields by mu m g / kt = 1.8e-6 m before, and swings on it when it slips")
def tilting(bench):
    run = bench.run(ball("position = (0.0, 0.0, 0.009999);",
                         'hold = { plugin = "lock"; translation = ""; rotation = "xyz"; };'
                         'tilt = { plugin = "gravity"; vector = (0.0, 0.0, -10.0, 20.0, 0.0, -10.0); times = (0.0, 2.0); };',
                         dt=1e-5, others='floor = { shape = "up"; material = "m"; };', law="friction = 0.5; restitution = 0.1;", every=100), steps=80000)
    rows = [row for row in run.csv("bodies") if row["name"] == "a"]
    held = [row["x"] for row in rows if row["time"] <= 0.499]
    return [("moved before, below 3e-6 m", 0.0, 0.0 if max(held) < 3e-6 else max(held)),
            ("x at 0.8 s", 10.0 * 0.3 ** 3 / 6.0, rows[-1]["x"])]


def in_rest(row, angle):
    """Place in axes at rest of a place in axes that have turned by the angle about z."""
    c, s = math.cos(angle), math.sin(angle)
    return c * row["x"] - s * row["y"], s * row["x"] + c * row["y"]


@case("modifier/gravity", "in a frame that turns a free ball goes straight, seen from rest",
      source="Goldstein, Classical Mechanics, section 4.10", formula="x = x0 + v0 t in axes at rest; spin w - Omega turns with them",
      tolerance=2e-3, why="first order in the step, since Coriolis' force sees the velocity of the half step: Omega^2 v t dt = 4e-4 m")
def turning(bench):
    rate, t = 3.0, 1.0
    # at rest: x0 = (0.5, 0, 0), v0 = (0.2, 0.4, 0.1); in the frame v = v0 - Omega x r
    run = bench.run(ball(f"position = (0.5, 0.0, 0.0); velocity = (0.2, {0.4 - rate * 0.5!r}, 0.1); spin = (1.0, 0.0, {-rate});",
                         f'frame = {{ plugin = "gravity"; rate = {rate}; axis = (0.0, 0.0, 1.0); }};', every=1000), steps=10000)
    row = last(run)
    x, y = in_rest(row, rate * t)
    return [("x", 0.7, x), ("y", 0.4, y), ("z", 0.1, row["z"]),
            ("spin", math.cos(rate * t), row["wx"]), ("energy", run.json["energy"]["kinetic"] - run.json["energy"]["start"], run.json["energy"]["work"])]


@case("modifier/gravity", "in a frame that turns, with integrators that give forces the velocity of their place",
      source="Goldstein, Classical Mechanics, section 4.10", formula="x = x0 + v0 t in axes at rest", tolerance=1e-6,
      why="velocity_verlet with velocity = full_step is of second order, 2e-7; rkn4 and gear are exact to round-off")
def turning_well(bench):
    found = []
    for keys in ('"velocity_verlet"; velocity = "full_step";', '"rkn4";', '"gear";'):
        run = bench.run(ball("position = (0.5, 0.0, 0.0); velocity = (0.2, -1.1, 0.1);",
                             'frame = { plugin = "gravity"; rate = 3.0; axis = (0.0, 0.0, 1.0); };', every=1000)
                        .replace('"velocity_verlet";', keys), steps=10000)
        x, y = in_rest(last(run), 3.0)
        found += [(f"{keys.split(chr(34))[1]}: x", 0.7, x), (f"{keys.split(chr(34))[1]}: y", 0.4, y)]
    return found


@case("modifier/gravity", "in a frame that speeds up a ball at rest stays, seen from rest",
      source="Goldstein, Classical Mechanics, section 4.10: Euler's force", formula="x = x0 in axes at rest, turned by a t^2 / 2; spin -a t",
      tolerance=1e-3, why="first order in the step")
def speeding_up(bench):
    run = bench.run(ball("position = (0.5, 0.0, 0.0);",
                         'frame = { plugin = "gravity"; rate = (0.0, 4.0); rate_times = (0.0, 1.0); axis = (0.0, 0.0, 2.0); };', every=1000), steps=10000)
    row = last(run)
    x, y = in_rest(row, 2.0)
    return [("x", 0.5, x), ("y", 0.0, y), ("spin", -4.0, row["wz"])]


@case("modifier/gravity", "weight of axes at rest in a frame that turns", source="free fall, seen from rest",
      formula="x = x0 + g t^2 / 2 in axes at rest", tolerance=1e-3, why="first order in the step")
def falling(bench):
    rate = 2.0
    run = bench.run(ball(f"position = (0.5, 0.0, 0.0); velocity = (0.0, {-0.5 * rate}, 0.0);",
                         f'frame = {{ plugin = "gravity"; vector = (0.0, -3.0, 0.0); frame = "inertial"; rate = {rate}; axis = (0.0, 0.0, 1.0); }};', every=1000), steps=10000)
    x, y = in_rest(last(run), rate)
    return [("x", 0.5, x), ("y", -1.5, y)]


# servo

def column(n, keys, bodies="", law="restitution = 0.5;", gravity="(0.0, 0.0, 0.0)", every=1000):
    others = "".join(f"b{k} = {{ radius = 0.01; position = (0.0, 0.0, {0.01 + 0.02 * k!r}); }}; " for k in range(1, n))
    others += 'floor = { shape = "up"; material = "m"; };'
    others += f'plate = {{ shape = "down"; material = "m"; motion = "kinematic"; position = (0.0, 0.0, {0.02 * n + 0.001!r}); }};'
    return ball("position = (0.0, 0.0, 0.01);", f'press = {{ plugin = "servo"; groups = "plate"; direction = (0.0, 0.0, -1.0); {keys} }};'
                ' damp = { plugin = "damping"; alpha = 0.3; };', dt=1e-5, others=others + bodies, law=law, gravity=gravity, every=every)


@case("modifier/servo", "one ball, and columns of five, press with the force that is asked for",
      source="springs in a row", formula="F = 10 N; the plate is n + 1 times F / kn below the balls' tops",
      tolerance=1e-7, why="the damped column has come to rest to 1e-8 of the force")
def presses(bench):
    found = []
    for n in (1, 5):
        run = bench.run(column(n, "force = 10.0; max_speed = 0.1;"), steps=60000)
        row = last(run, "plate")
        found += [(f"force on {n}", 10.0, row["fz"]), (f"height of {n}", 0.02 * n - (n + 1) * 10.0 / 1e5, row["z"])]
    return found


@case("modifier/servo", "a force that rises is followed without a lag", source="straight lines between the times of the table",
      formula="F = 10 N + 100 N/s (t - 0.2 s)", tolerance=1e-4, why="swings of the column, damped since the start of the ramp")
def follows(bench):
    run = bench.run(column(3, "forces = (10.0, 10.0, 40.0); times = (0.0, 0.2, 0.5); max_speed = 0.1;"), steps=50000)
    rows = [row for row in run.csv("bodies") if row["name"] == "plate" and row["time"] > 0.3]
    bench.figure("servo", xlabel="time [s]", ylabel="force [N]", lines=[("table", [0.0, 0.2, 0.5], [10.0, 10.0, 40.0])],
                 points=[("scree", *zip(*((row["time"], row["fz"]) for row in run.csv("bodies") if row["name"] == "plate")))])
    return [(f"force at {row['time']:.2f} s", 10.0 + 100.0 * (row["time"] - 0.2), row["fz"]) for row in rows[::10]]


@case("modifier/servo", "walls that search move at max_speed, and no faster ever", source="uniform motion over a gap of 1 mm",
      formula="touch after gap / max_speed; |v| <= max_speed", tolerance=2e-2, why="looks every 1e-4 s of 1e-2 s")
def searches(bench):
    run = bench.run(column(1, "force = 10.0; max_speed = 0.1; gain = 1.0;", every=10), steps=3000)
    rows = [row for row in run.csv("bodies") if row["name"] == "plate"]
    touch = next(row["time"] for row in rows if row["fz"] > 0.0)
    fastest = max(abs(row["vz"]) for row in rows)
    return [("touch", 0.01, touch), ("speed above the bound", 0.0, max(0.0, fastest - 0.1))]


@case("modifier/servo", "weight of the column is carried: the plate's force and the floor's differ by it",
      source="equilibrium", formula="F_floor = F_plate + n m g", tolerance=1e-6, why="the damped column has come to rest")
def weight(bench):
    run = bench.run(column(4, "pressure = 2.0e3; area = 0.01; max_speed = 0.1;", gravity="(0.0, 0.0, -9.81)"), steps=60000)
    return [("plate", 20.0, last(run, "plate")["fz"]), ("floor", 20.0 + 4 * MASS * 9.81, -last(run, "floor")["fz"])]


@case("modifier/servo", "plates of facets, Hertz' law, and in 2D a pressure times width and thickness",
      source="equilibrium", formula="F = target; 2D: p w t", tolerance=1e-6, why="the damped ball has come to rest")
def kinds(bench):
    text = column(1, "force = 10.0; max_speed = 0.05;")
    quad = text.replace('down = { type = "plane"; normal = (0.0, 0.0, -1.0); };',
                        'down = { type = "box"; size = (0.05, 0.05, 0.002); };').replace("0.021", "0.0221")
    hertz = text.replace('"linear"; kn = 1.0e5;', '"hertz_mindlin"; young_modulus = 1.0e7; poisson_ratio = 0.3;')
    flat = """
scene = { dimension = 2; thickness = 0.5; dt = 1.0e-5; };
materials = { m = { density = 2500.0; }; };
shapes = { up = { type = "plane"; normal = (0.0, 1.0); }; down = { type = "plane"; normal = (0.0, -1.0); };
  right = { type = "plane"; normal = (1.0, 0.0); }; left = { type = "plane"; normal = (-1.0, 0.0); }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.01); }; floor = { shape = "up"; };
  west = { shape = "right"; position = (-0.02, 0.0); }; east = { shape = "left"; position = (0.03, 0.0); };
  plate = { shape = "down"; motion = "kinematic"; position = (0.0, 0.021); }; };
force = { plugin = "linear"; kn = 1.0e5; restitution = 0.5; };
modifiers = { press = { plugin = "servo"; groups = "plate"; direction = (0.0, -1.0); pressure = 400.0; across = ("west", "east"); max_speed = 0.05; };
  damp = { plugin = "damping"; alpha = 0.3; }; };
observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 1000; }; };
"""
    found = [(label, 10.0, abs(last(bench.run(scene, steps=40000), "plate")[axis]))
             for label, scene, axis in (("box", quad, "fz"), ("Hertz", hertz, "fz"), ("2D", flat, "fy"))]
    return found


@case("modifier/servo", "a target that the schedule changes is met again", source="equilibrium", formula="F = 10 N, then 25 N",
      tolerance=1e-6, why="the damped ball has come to rest")
def changed(bench):
    text = column(1, "force = 10.0; max_speed = 0.05;") + 'schedule = ( { at_time = 0.2; set = { modifiers = { press = { force = 25.0; }; }; }; } );\n'
    rows = [row for row in bench.run(text, steps=40000).csv("bodies") if row["name"] == "plate"]
    return [("before", 10.0, next(row["fz"] for row in rows if row["time"] > 0.199)), ("after", 25.0, rows[-1]["fz"])]


# freeze, by place and step

@case("modifier/freeze", "only bodies in the region at that step stop", source="uniform motion", formula="x = v t, v n dt",
      tolerance=1e-12, why="round-off")
def region(bench):
    run = bench.run(ball("position = (0.0, 0.0, 0.0); velocity = (1.0, 0.0, 0.0);",
                         'hold = { plugin = "freeze"; at_step = 300; region = { min = (0.02, -0.1, -0.1); max = (0.04, 0.1, 0.1); }; };',
                         others="b = { radius = 0.01; position = (0.0, 0.05, 0.0); velocity = (0.1, 0.0, 0.0); };", every=100), steps=1000)
    return [("stops at 0.03 m", 0.03, last(run)["x"]), ("goes on", 0.01, last(run, "b")["x"])]
