# SPDX-License-Identifier: Apache-2.0
"""Cases of force/rolling: one ball on a plane."""
import math

from verify import case

R, DENSITY, G, KN = 5e-3, 2500.0, 9.81, 1e5
MASS = DENSITY * 4.0 / 3.0 * math.pi * R ** 3
AI = "Ai, Chen, Rotter, Ooi 2011, Powder Technol. 206, 269"


def on_plane(bench, law, *, v=0.0, spin=(0.0, 0.0, 0.0), slope=0.0, dt=5e-6, steps=40000, every=400, more="", kn=KN):
    """Rows of a ball that lies on a plane at its resting depth and rolls along x; gravity leans by `slope`."""
    depth = MASS * G * math.cos(slope) / kn
    return bench.run(f"""
scene = {{ dt = {dt!r}; steps = {steps}; gravity = ({G * math.sin(slope)!r}, 0.0, {-G * math.cos(slope)!r}); }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ ball = {{ radius = {R}; position = (0.0, 0.0, {R - depth!r}); velocity = ({v!r}, 0.0, 0.0);
    spin = ({spin[0]!r}, {spin[1]!r}, {spin[2]!r}); }}; floor = {{ shape = "floor"; }}; }};
force = ( {{ plugin = "linear"; kn = {kn!r}; friction = 2.0; restitution = 0.5; {more} }},
    {{ plugin = "rolling"; {law} }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
""")


def ball(run):
    return [row for row in run.csv("bodies") if row["z"] > 0.0]


def slope_of(rows, key, since):
    """Change per second of what falls or rises evenly, from `since` on."""
    rows = [row for row in rows if row["time"] >= since]
    return (rows[-1][key] - rows[0][key]) / (rows[-1]["time"] - rows[0]["time"])


@case("force/rolling", "deceleration of a ball that rolls on a plane", source=f"{AI}, section 4.2; rigid body",
      formula="5/7 mu_r g, with R* = R on a plane", tolerance=2e-5,
      why="the friction acts at R less half of the overlap, 6e-7 m")
def deceleration(bench):
    found = []
    for law in ('type = "constant";', "", 'sliding = "total";', 'sliding = "spring";'):
        for mu in (0.02, 0.1):
            rows = ball(on_plane(bench, f"{law} rolling_friction = {mu};", v=0.3, spin=(0.0, 0.3 / R, 0.0)))
            found.append((f"{law or 'default'} mu_r = {mu}", -5.0 / 7.0 * mu * G, slope_of(rows, "vx", 0.05)))
    return found


@case("force/rolling", "deceleration of a ball that spins on a plane", source="rigid body: I = 2/5 m R^2",
      formula="5/2 mu_t g / R", tolerance=1e-9, why="rounding")
def twisting(bench):
    found = []
    for kind in ("constant", "spring"):
        law = f'type = "{kind}"; rolling_friction = 0.1; twisting_friction = 0.02;'
        rows = ball(on_plane(bench, law, spin=(0.0, 0.0, 40.0)))
        found.append((kind, -2.5 * 0.02 * G / R, slope_of(rows, "wz", 0.05)))
    return found


@case("force/rolling", "a ball that rolls in type B slows down by its speed", source=f"{AI}, type B; rigid body",
      formula="v = v0 exp(-5/7 g eta t)", tolerance=1e-4, why="a step of 5e-6 s; transients of the tangential spring")
def viscous(bench):
    rows = ball(on_plane(bench, 'type = "viscous"; rolling_viscosity = 1.0;', v=0.1, spin=(0.0, 0.1 / R, 0.0)))
    rows = [row for row in rows if row["time"] >= 0.02]
    rate = math.log(rows[0]["vx"] / rows[-1]["vx"]) / (rows[-1]["time"] - rows[0]["time"])
    return 5.0 / 7.0 * G, rate


def period(rows):
    """From the zero crossings of the spin, interpolated."""
    at = []
    for a, b in zip(rows, rows[1:]):
        if a["wy"] < 0.0 <= b["wy"]:
            at.append(a["time"] + (b["time"] - a["time"]) * a["wy"] / (a["wy"] - b["wy"]))
    return (at[-1] - at[0]) / (len(at) - 1)


def slow_mode(kr, kt):
    """[s] Period of the slower mode of a ball on a tangential spring kt and a rolling spring kr; its way per angle [m]."""
    inertia = 0.4 * MASS * R * R
    lever = R - 0.5 * MASS * G / KN
    b = kt / MASS + (kt * lever * lever + kr) / inertia
    c = (kt / MASS) * (kt * lever * lever + kr) / inertia - (kt * lever) ** 2 / (MASS * inertia)
    square = 2.0 * c / (b + math.sqrt(b * b - 4.0 * c))
    return 2.0 * math.pi / math.sqrt(square), kt * lever / (kt - MASS * square)


@case("force/rolling", "period of a ball that rocks on a plane", slow=True,
      source=f"{AI}, eq. 14 and 15; Iwashita, Oda 1998, J. Eng. Mech. 124, 285; oscillator with two masses",
      formula="2 pi sqrt(1.4 m R^2 / k_r) where k_r is small, k_r = 2.25 k_n mu_r^2 R*^2, k_t R*^2 or given",
      tolerance=1e-5, why="a step of 1/240 of the fastest period: errors of second order")
def rocking(bench):
    found, kt = [], 2.0 / 7.0 * KN
    cases = [("normal, mu_r = 0.02", 'stiffness = "normal"; rolling_friction = 0.02;', 2.25 * KN * 0.02 ** 2, 1e-4),
             ("normal, mu_r = 0.5", 'stiffness = "normal"; rolling_friction = 0.5;', 2.25 * KN * 0.25, 1e-3),
             ("tangential", 'stiffness = "tangential"; rolling_friction = 0.5;', kt, 1e-3),
             ("given 1e3 N/m", 'stiffness = "given"; rolling_stiffness = 1e3; rolling_friction = 0.5;', 1e3, 1e-3)]
    for label, law, k, w in cases:
        expected, way = slow_mode(k * R * R, kt)
        rows = ball(on_plane(bench, f"rolling_damping = 0.0; {law}", v=w * way, spin=(0.0, w, 0.0), dt=2e-6, steps=60000,
                             every=3, more='damping = "none";'))
        found.append((label, expected, period(rows)))
        if label == "normal, mu_r = 0.02":
            stiff = on_plane(bench, f"rolling_damping = 0.0; {law} kn = {KN};", v=w * R, spin=(0.0, w, 0.0), dt=2e-6,
                             steps=60000, every=3, more='damping = "none"; kt = 3e6;')
            found.append((label + ", 2 pi sqrt(1.4 m R^2 / k_r)", 2.0 * math.pi * math.sqrt(1.4 * MASS / k),
                          period(ball(stiff))))
    return found


@case("force/rolling", "a slope that holds a ball", source=f"{AI}: the torque m g R sin(slope) against mu_r m g R cos(slope)",
      formula="at rest iff tan(slope) < mu_r; beyond it 5/7 g (sin(slope) - mu_r cos(slope))", tolerance=1e-3,
      why="at rest the speed is compared with 1 m/s; beyond, transients of the start")
def incline(bench):
    found = []
    for law in ("", 'stiffness = "tangential";', 'sliding = "total";'):
        for share in (0.95, 1.05):
            slope = math.atan(0.3 * share)
            rows = ball(on_plane(bench, f"rolling_friction = 0.3; {law}", slope=slope, steps=60000))
            expected = 5.0 / 7.0 * G * (math.sin(slope) - 0.3 * math.cos(slope)) if share > 1.0 else 0.0
            got = slope_of(rows, "vx", 0.1) if share > 1.0 else rows[-1]["vx"]
            found.append((f"{law or 'default'} tan(slope) = {share} mu_r", expected, got))
    return found


@case("force/rolling", "type A never settles, type C does", source=f"{AI}, section 4.3",
      formula="speed after the stop: A up to the change in a step, 5/7 mu_r g dt; C 0", tolerance=1e-9,
      why="a ball at rest: bands; C against 1 m/s")
def settles(bench):
    found = []
    for kind in ("constant", "spring"):
        run = on_plane(bench, f'type = "{kind}"; rolling_friction = 0.1;', v=0.05, spin=(0.0, 0.05 / R, 0.0), steps=100000,
                       every=1001)
        late = [abs(row["wy"]) * R for row in ball(run) if row["time"] > 0.3]
        a_step = 2.5 * 0.1 * G * 5e-6
        found.append((kind, (1e-3 * a_step, a_step) if kind == "constant" else (0.0, 1e-9), max(late)))
    return found


@case("force/rolling", "energy account of a ball that rolls down a slope", source="conservation of energy",
      formula="residual / lost = 0", tolerance=1e-6, why="errors of second order in a step of 5e-6 s")
def account(bench):
    found = []
    for law in ('type = "constant";', "", 'sliding = "total";', 'sliding = "spring";', 'stiffness = "tangential";'):
        energy = on_plane(bench, f"rolling_friction = 0.1; {law}", slope=math.atan(0.2)).json["energy"]
        found.append((law or "default", 0.0, energy["residual"] / energy["lost"]))
    return found
