# SPDX-License-Identifier: Apache-2.0
"""Plugins that a swap brings back: no dead spring, an integrator's own order, counts that go
on; the same state with a restart between.

usage: test_memory.py SCREE
"""
import csv
import json
import math
import pathlib
import tempfile

import tap
from runs import scree

MASS = 4.0 / 3.0 * math.pi * 0.01 ** 3 * 2500.0
OMEGA = 2.0 * math.pi
TETHERED = """scene = { dt = %r; steps = %d; gravity = (0.0, 0.0, 0.0); };
materials = { m = { density = 2500.0; }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); }; };
force = { plugin = "linear"; kn = 0.1; };
integrator = { %s };
modifiers = { t = { plugin = "tether"; stiffness = %r; }; };
observers = { path = { plugin = "csv"; what = "bodies"; file = "path"; every_steps = 1; }; };
%s
"""
SLIDING = """scene = { dt = %r; steps = %d; gravity = (0.0, 0.0, -9.81); };
materials = { m = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = {
    a = { radius = 0.005; position = (0.0, 0.0, 0.004999); velocity = (0.01, 0.0, 0.0); };
    floor = { shape = "floor"; };
};
force = { plugin = "linear"; kn = 1.0e4; kt = 4.0e3; friction = 1.0e6; damping = "none"; };
observers = { path = { plugin = "csv"; what = "bodies"; file = "path"; every_steps = 1; }; };
%s
"""
LINEAR = 'force = { plugin = "linear"; kn = 1.0e4; kt = 4.0e3; friction = 1.0e6; damping = "none"; };'
SMOOTH = 'force = { plugin = "incremental_penalty"; kn = 1.0e4; };'
SOFT = 'force = { plugin = "linear"; kn = 1.0e3; friction = 0.4; };'
SOFT_SMOOTH = 'force = { plugin = "incremental_penalty"; kn = 1.0e3; };'
RAIN = """rain = {
    plugin = "insert"; number = 12;
    region = { min = (0.0, 0.0, 0.0); max = (0.03, 0.03, 0.03); };
    body = { material = "m"; radius = 0.002; velocity_random = 0.5; };
};"""
RAINY = """scene = {
    dt = 2.0e-5; steps = 150; gravity = (0.0, 0.0, 0.0); boundary = "periodic";
    region = { min = (0.0, 0.0, 0.0); max = (0.03, 0.03, 0.03); };
};
materials = { m = { density = 2500.0; }; };
generate = { bed = { count = 150; radius = 0.002; material = "m"; velocity_random = 2.0; }; };
force = { plugin = "linear"; kn = 1.0e3; friction = 0.4; };
integrator = { %s };
modifiers = { %s };
%s
"""


def entry(step, what):
    return f"{{ at_step = {step}; set = {{ {what} }}; }}"


def schedule(*entries):
    return f"schedule = ( {', '.join(entries)} );"


def call(top, *args):
    seen = scree(top, *args)
    if seen.returncode:
        raise RuntimeError(seen.stderr)
    return seen.stderr, json.loads(seen.stdout)


def run(text):
    """The messages of a run, its JSON, the rows of its first body."""
    with tempfile.TemporaryDirectory(prefix="scree-memory-") as top:
        pathlib.Path(top, "s.cfg").write_text(text, encoding="utf-8")
        said, data = call(top, "run", "s.cfg", "-q", "--json", "-o", "out")
        path = pathlib.Path(top, "out", "path.csv")
        rows = []
        if path.exists():
            lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
            rows = [{k.split(" ")[0]: v for k, v in row.items()} for row in csv.DictReader(lines)]
    return said, data, [row for row in rows if row.get("name", "a") == "a"]


def errors(per_period, group, other=None):
    """Errors of place and velocity over those of the start: at the end against the swing that the run begins with, and
    against the one that goes on from where the swap back found the body."""
    steps, out = round(1.4 * per_period), round(0.5 * per_period)
    change = schedule(entry(out, f"integrator = {{ {other} }};"),
                      entry(out + 10, f"integrator = {{ {group} }};")) if other else ""
    rows = run(TETHERED % (1.0 / per_period, steps, group, MASS * OMEGA ** 2, change))[2]
    end, back = rows[-1], rows[out + 10]

    def off(x, v, t):
        cos, sin = math.cos(OMEGA * t), math.sin(OMEGA * t)
        return math.hypot((float(end["x"]) - x * cos - v * sin / OMEGA) * OMEGA,
                          float(end["vx"]) + x * OMEGA * sin - v * cos)
    return off(0.0, 1.0, steps / per_period), off(float(back["x"]), float(back["vx"]), (steps - out - 10) / per_period)


def test_gear():
    """velocity_verlet's own ten steps are of order 2; what gear adds after them, and a return from a scheme of
    order 4, is judged."""
    for values in (4, 5, 6):
        for fill in ("always", "start"):
            group = f'plugin = "gear"; values = {values}; fill = "{fill}";'
            whole = [errors(n, group)[0] for n in (100, 200)]
            rest = [errors(n, group, 'plugin = "velocity_verlet";')[1] for n in (100, 200)]
            other = [errors(n, group, 'plugin = "rkn4";')[0] for n in (100, 200)]
            order = [math.log2(e[0] / e[1]) for e in (whole, rest, other)]
            what = " ".join(f"{x:.3g}" for x in (*whole, *rest, *other, *order))
            name = f"gear, {values} values, fill {fill}"
            tap.check(f"{name}: its order after velocity_verlet", order[1] > values - 1.35, what)
            tap.check(f"{name}: after it no larger error than of gear throughout", rest[1] < 1.5 * whole[1], what)
            tap.check(f"{name}: after rkn4 the error of gear throughout", other[1] < 1.5 * whole[1], what)
            print(f"# {name}: throughout {whole[1]:.3g}, rest after velocity_verlet {rest[1]:.3g}, via rkn4 {other[1]:.3g}; "
                  f"orders {order[0]:.2f}, {order[1]:.2f}, {order[2]:.2f}")
    lazy = 'plugin = "gear"; values = 6; fill = "never";'
    rest = [errors(n, lazy, 'plugin = "velocity_verlet";')[1] for n in (100, 200)]
    tap.check("gear that starts from zeros is found out", math.log2(rest[0] / rest[1]) < 2.5 and
              rest[1] > 100.0 * errors(200, 'plugin = "gear"; values = 6;')[0], rest)


def test_spring():
    def slide(fine):
        return run(SLIDING % (1.0e-5 / fine, 300 * fine, schedule(entry(100 * fine, SMOOTH), entry(200 * fine, LINEAR))))

    said, data, rows = slide(1)
    spring, first, second = (float(rows[k]["fx"]) for k in (100, 201, 202))
    dead = abs(2.0 * first - second)
    tap.check("there is a spring before the swap", spring > 1e-3, spring)
    tap.check("linear comes back without it: its force grows from 0", first > 0.0 and dead < 0.01 * spring, (spring, first, second))
    print(f"# spring {spring:.4g} N before; {first:.4g}, {second:.4g} N after the return: {dead:.2g} N at it")
    tap.check("the log says what was dropped", "force[0]/shear_spring: dropped, 1 contact\n" in said, said)
    tap.check("so does the report", "force[0]/shear_spring: dropped, 1 contact" in data["swaps"][0]["fields"], data["swaps"])
    tap.check("and that it starts again", "force[0]/shear_spring: starts from 0\n" in said, said)
    held = 0.5 * 4.0e3 * (spring / 4.0e3) ** 2
    lost = data["swaps"][0]["work"]
    tap.check("its energy leaves as work of the swap", lost < -0.98 * held, (held, lost))
    residual = [abs(slide(fine)[1]["energy"]["residual"]) for fine in (1, 2, 4)]
    tap.check("the residual falls with dt: the half step that ends with the previous law's force",
              residual[0] < 0.5 * held and residual[1] < 0.6 * residual[0] and residual[2] < 0.6 * residual[1], (residual, held))
    print(f"# stored {held:.3g} J, work {lost:.3g} J, residual with dt, dt/2, dt/4: " + ", ".join(f"{x:.2g}" for x in residual))


def whole_and_parts(text, *stops):
    """The state after all steps in one run, and with restarts at these steps."""
    with tempfile.TemporaryDirectory(prefix="scree-memory-") as top:
        pathlib.Path(top, "s.cfg").write_text(text, encoding="utf-8")
        said, whole = call(top, "run", "s.cfg", "-q", "--json", "-o", "whole")
        done, parts = 0, None
        for k, stop in enumerate([*stops, whole["steps"]]):
            args = ["--restart", f"part{k - 1}"] if k else ["s.cfg"]
            _, parts = call(top, "run", *args, "--steps", stop - done, "-q", "--json", "--set", "checkpoint.every_steps=1", "-o", f"part{k}")
            done = stop
    return said, whole, parts


def test_counts():
    off_on = schedule(entry(50, 'modifiers = { rain = "off"; };'), entry(100, f"modifiers = {{ {RAIN} }};"))
    text = RAINY % ('plugin = "velocity_verlet";', RAIN, off_on)
    said, whole, parts = whole_and_parts(text, 20, 75, 100)
    tap.check("insert goes on where it was: none is made twice", whole["bodies"] == 162, whole["bodies"])
    tap.check("its counts are dormant, then restored",
              "modifiers.rain/inserted: dormant until its plugin returns\n" in said and
              "modifiers.rain/inserted: restored\n" in said, said)
    tap.check("the same state with restarts between", whole["state_sha256"] == parts["state_sha256"], (whole, parts))
    plain = run(RAINY % ('plugin = "velocity_verlet";', RAIN, ""))[1]
    tap.check("the same state as without a swap", whole["state_sha256"] == plain["state_sha256"])
    none = run(RAINY % ('plugin = "velocity_verlet";', "", ""))[1]
    tap.check("another state without the rain", whole["state_sha256"] != none["state_sha256"])


def test_restarts():
    """A restart right before and after each swap, and while the fields are dropped."""
    gear, verlet = 'plugin = "gear";', 'plugin = "velocity_verlet";'
    text = RAINY % (gear, RAIN, schedule(entry(40, f"integrator = {{ {verlet} }}; {SOFT_SMOOTH}"),
                                         entry(70, f"integrator = {{ {gear} }}; {SOFT}")))
    said, whole, parts = whole_and_parts(text, 1, 40, 41, 60, 70, 71)
    tap.check("swaps out and in, with restarts: the same state", whole["state_sha256"] == parts["state_sha256"], (whole, parts))
    tap.check("there are contacts", whole["contacts"] > 3, whole["contacts"])
    tap.check("gear drops its derivatives of all bodies", "integrator/derivatives: dropped, 162 bodies\n" in said, said)


def test_all():
    test_gear()
    test_spring()
    test_counts()
    test_restarts()


if __name__ == "__main__":
    tap.finish(test_all)
