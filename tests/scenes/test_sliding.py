# SPDX-License-Identifier: Apache-2.0
"""Friction of a contact that slides, by the rule of sliding that laws have if the scene says nothing: mu N while the load
fluctuates, and no energy in a spring that the slip cannot have drawn.

usage: test_sliding.py SCREE
"""
import math
import pathlib
import tempfile

import tap
from runs import read_table, scree

R, DENSITY, G, MU, SLOPE = 0.01, 2500.0, 9.81, 0.57, math.radians(30.0)
SHAKE, FREQUENCY, PERIODS = 3e-8, 5000.0, 100  # [m] [Hz]
EXPECTED = G * (math.sin(SLOPE) - MU * math.cos(SLOPE))
# Law, dimension, its keys: each is about as stiff as the first at the depth of a ball's weight.
LAWS = {
    "linear": (3, "kn = 1e5; restitution = 0.1;"),
    "overlap_area": (2, "k = 1e11; kt = 3e4; damping_ratio = 0.6; damping_t = 11.0;"),
    "overlap_volume": (3, "k = 1e19; kt = 3e4; damping_ratio = 0.6; damping_t = 11.0;"),
}

SCENE = """
scene = {{ dimension = {dim}; thickness = 0.02; dt = {dt!r}; dt_limit = 100.0; steps = {steps}; gravity = ({g}); }};
materials = {{ m = {{ density = {density!r}; }}; }};
shapes = {{ floor = {{ {wall} }}; }};
bodies = {{ it = {{ radius = {r!r}; position = ({x}); velocity = ({v}); }};
    floor = {{ shape = "floor"; position = ({zero}); motion = "kinematic"; }}; }};
force = ( {{ plugin = "{law}"; friction = {mu!r}; {keys} }} );
modifiers = {{ held = {{ plugin = "lock"; groups = "it"; rotation = "{spins}"; }}; {more} }};
observers = {{ b = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }};
    e = {{ plugin = "csv"; what = "scalars"; every_steps = {every}; }}; }};
"""


def run(top, law, more_keys, x, v, g, dt, steps, every, more=""):
    dim, keys = LAWS[law]
    wall = ('type = "mesh"; vertices = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)); '
            "facets = ((0, 1, 2, 3));") if dim == 3 else 'type = "segments"; vertices = ((1.0, 0.0), (-1.0, 0.0)); segments = ((0, 1));'

    def vector(along, up):
        return ", ".join(map(repr, (along, 0.0, up) if dim == 3 else (along, up)))
    text = SCENE.format(dim=dim, dt=dt, steps=steps, g=vector(*g), density=DENSITY, wall=wall, r=R, x=vector(*x),
                        v=vector(*v), zero=vector(0.0, 0.0), law=law, mu=MU, keys=keys + more_keys, 
                        spins="xyz" if dim == 3 else "z", more=more, every=every)
    (top / "s.cfg").write_text(text, encoding="utf-8")
    folder = pathlib.Path(tempfile.mkdtemp(dir=top)) / "run"
    done = scree(top, "run", "s.cfg", "-q", "-o", folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return read_table(folder / "bodies.csv"), read_table(folder / "scalars.csv")


def sink(top, law):
    """[m] Depth of a ball's weight."""
    rows, _ = run(top, law, "", (0.0, R), (0.0, 0.0), (0.0, -G * math.cos(SLOPE)), 2e-6, 30000, 30000)
    last = [row for row in rows if row["name"] == "it"][-1]
    return R - float(last["z" if LAWS[law][0] == 3 else "y"])


def slide(top, law, keys=""):
    """[m/s^2] Mean acceleration down a slope that shakes along its normal; the load is above 0 all the time."""
    up = "0.0, 0.0, 1.0" if LAWS[law][0] == 3 else "0.0, 1.0"
    shakes = (f'shake = {{ plugin = "move"; groups = "floor"; motion = "vibration"; direction = ({up}); amplitude = {SHAKE!r}; '
              f"frequency = {FREQUENCY!r}; }};")
    period = round(1.0 / FREQUENCY / 1e-6)
    rows, scalars = run(top, law, keys, (0.0, R - sink(top, law)), (0.01, 0.0), (G * math.sin(SLOPE), -G * math.cos(SLOPE)), 1e-6,
                        2 * PERIODS * period, PERIODS * period, shakes)
    speed = [float(row["vx"]) for row in rows if row["name"] == "it"]
    return (speed[2] - speed[1]) * FREQUENCY / PERIODS, all(int(row["contacts"]) == 1 for row in scalars)


def test_slope(top):
    for law in LAWS:
        seen, touches = slide(top, law)
        tap.check(f"{law}: a block on a slope that shakes has the acceleration of friction mu N", touches and
                  abs(seen - EXPECTED) < 1e-3 * EXPECTED, (seen, EXPECTED))
        seen = slide(top, law, ' sliding = "total";')[0]
        tap.check(f"{law}: negative control: with sliding = \"total\" it has less friction", seen > 1.1 * EXPECTED, (seen, EXPECTED))


def test_first_touch(top):
    """A ball grazes the floor: the spring holds at most what the slip of a step has drawn."""
    dt, speed, m = 1e-7, 1.0, 4.0 / 3.0 * math.pi * R ** 3 * DENSITY
    kinetic = 0.5 * m * speed * speed
    keys = " restitution = 0.5;".join(("", ""))
    for rule in ("", ' sliding = "total";'):
        LAWS["linear"] = (3, "kn = 1e5;" + keys + rule)
        _, rows = run(top, "linear", "", (0.0, R + 5e-10), (speed, -0.01), (0.0, 0.0), dt, 4, 1)
        first = next(row for row in rows if int(row["contacts"]) == 1)
        drawn = 0.5 * (2.0 / 7.0 * 1e5) * (speed * dt) ** 2 + 0.5 * 1e5 * (0.01 * dt) ** 2
        share = float(first["stored"]) / kinetic
        if rule:
            tap.check("negative control: with sliding = \"total\" 5 % of the kinetic energy is in the spring", 0.05 < share < 0.06, share)
        else:
            tap.check("at the first touch springs hold at most what the way of a step has drawn", 0.0 < share * kinetic <= drawn,
                      (share * kinetic, drawn))


tap.in_folder(test_slope, test_first_touch)
