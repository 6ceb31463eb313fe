# SPDX-License-Identifier: Apache-2.0
"""Gravity, dt, boundary and bodies changed by `schedule`: closed forms, orders, restarts, refusals.

usage: test_change.py SCREE
"""
import json
import math
import pathlib
import tempfile

import tap
from runs import read_table, scree

MASS = 2500.0 * 4.0 / 3.0 * math.pi * 1e-6  # [kg] of a sphere of 10 mm
HEAD = 'materials = { glass = { density = 2500.0; }; };\n'
LAW = 'force = { plugin = "linear"; kn = 1.0e5; friction = 0.5; restitution = 0.5; };\n'
SEEN = 'observers = { all = { plugin = "csv"; what = "bodies"; groups = ["a"]; every_time = 0.1; }; };\n'


def run(text, *args, keep=None):
    """Messages, summary, rows of bodies.csv; `keep`: a folder that stays."""
    with tempfile.TemporaryDirectory() as other:
        top = pathlib.Path(keep or other)
        (top / "s.cfg").write_text(text, encoding="utf-8")
        seen = scree(top, "run", "s.cfg", "-q", "--json", *args)
        if seen.returncode:
            tap.check("the run ends well", False, seen.stderr)
            return seen.stderr, {}, []
        rows = []
        for path in top.glob("o*/bodies.csv"):
            rows = [{k: float(v) for k, v in row.items() if k not in ("name", "shape_name")} for row in read_table(path)]
        return seen.stderr, json.loads(seen.stdout), rows


def entry(moment, what):
    return f"{{ {moment}; set = {{ {what} }}; }}"


def schedule(*entries):
    return f"schedule = ( {', '.join(entries)} );\n"


def test_thrown():
    """Gravity is turned by 90 degrees at 0.3 s, dt changes there and at 0.6 s: parabolas, exactly."""
    text = ('scene = { dt = 1.0e-3; gravity = (0.0, -10.0, 0.0); };\n' + HEAD + SEEN +
            'bodies = { a = { radius = "10 mm"; position = (0.0, 0.0, 0.0); velocity = (1.0, 2.0, 0.0); }; };\n' +
            schedule(entry("at_time = 0.3", "scene = { gravity = (10.0, 0.0, 0.0); dt = 5.0e-4; };"),
                     entry("at_time = 0.6", "scene = { dt = 2.0e-3; };")))
    said, data, rows = run(text, "--until", "1", "-o", "o")
    tap.check("the line names old and new", "step 300 (at_time 0.3 s): gravity (0 -10 0) -> (10 0 0), "
              "dt 0.001 s -> 0.0005 s" in said, said)
    tap.check("every_time follows the time, not the steps", [round(r["time"], 9) for r in rows] ==
              [k / 10 for k in range(11)], rows)
    off = 0.0
    for r in rows:
        t, u = r["time"], max(0.0, r["time"] - 0.3)
        s = t - u
        off = max(off, abs(r["x"] - t - 5 * u * u), abs(r["y"] - (2 * s - 5 * s * s) - (2 - 10 * s) * u))
    tap.check("the closed form to rounding", off < 1e-13 and len(rows) == 11, off)
    tap.check("300 + 600 + 200 steps to 1 s", data["steps"] == 1100 and data["time"] == 1.0, data)
    tap.check("the account closes over the jump", abs(data["energy"]["residual"]) < 1e-12 * MASS * 10, data["energy"])
    # potential energy at (0.3, 0.15): from m 10 y to -m 10 x
    jump = data["swaps"][0]["gravity_work"]
    tap.check("the jump of the potential energy is booked as work", abs(jump + MASS * 10 * (0.3 + 0.15)) < 1e-14,
              [jump, data["energy"]["work"]])


def test_moment():
    """n dt below a decimal number by a rounding is that number: 5 times 3e-4 s is 1.5e-3 s."""
    moments = [(n, dt, n * step / 10**4) for dt, step in ((3e-4, 3), (7e-4, 7)) for n in range(1, 60)
               if n * dt < n * step / 10**4]
    tap.check("there are such numbers", len(moments) > 20, moments)
    for n, dt, moment in moments[::7]:
        text = (f"scene = {{ dt = {dt!r}; }};\n" + HEAD +
                'bodies = { a = { radius = "10 mm"; position = (0.0, 0.0, 0.0); }; };\n' +
                schedule(entry(f"at_time = {moment!r}", "scene = { gravity = (0.0, 0.0, -10.0); };")))
        said = run(text, "--steps", str(n + 3), "-o", "o")[0]
        tap.check(f"dt {dt:g}: an entry at {moment:g} s acts at step {n}", f"step {n} (at_time {moment:.9g} s)" in said, said)


def oscillate(integrator, dt, later):
    """Error at 2 s of x = sin(10 t) / 10; dt changes at 0.5 s and 1.3 s."""
    text = (f'scene = {{ dt = {dt!r}; }};\n' + HEAD + f'integrator = {integrator};\n' +
            SEEN.replace("0.1;", "2.0;") + 'bodies = { a = { radius = "10 mm"; position = (0.0, 0.0, 0.0); '
            'velocity = (1.0, 0.0, 0.0); }; };\nmodifiers = { spring = { plugin = "tether"; '
            f'stiffness = {100 * MASS!r}; }}; }};\n' +
            schedule(entry("at_time = 0.5", f"scene = {{ dt = {dt / 2!r}; }};"),
                     entry("at_time = 1.3", f"scene = {{ dt = {later!r}; }};")))
    row = run(text, "--until", "2", "-o", "o")[2][-1]
    phase = 10 * row["time"]
    return math.hypot(row["x"] - math.sin(phase) / 10, (row["vx"] - math.cos(phase)) / 10)


def test_order():
    for integrator, order in (('{ plugin = "velocity_verlet"; }', 2), ('{ plugin = "forest_ruth"; }', 4),
                              ('{ plugin = "rkn4"; }', 4), ('{ plugin = "gear"; values = 5L; }', 4),
                              ('{ plugin = "gear"; values = 6L; }', 5), ('{ plugin = "symplectic_euler"; }', 1)):
        e = [oscillate(integrator, dt, dt * 0.8) for dt in (0.01, 0.005)]
        got = math.log2(e[0] / e[1])
        tap.check(f"the order {order} is kept over two changes of dt: {integrator}", order - 0.1 < got < order + 0.2, [e, got])


BOX = ('scene = { dt = 1.0e-5; gravity = (0.0, 0.0, -10.0); dimension = 3; };\n' + HEAD + LAW +
       'shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
       'bodies = { a = { radius = "10 mm"; position = (0.0, 0.0, 0.01); };\n'
       '  floor = { shape = "floor"; motion = "kinematic"; }; };\n')


def test_own_motion():
    """A velocity of the schedule is the wall's own one, to which a modifier adds its motion: closed form, and the line."""
    text = (BOX.replace("1.0e-5", "1.0e-3") + SEEN.replace('"a"', '"floor"') +
            'modifiers = { lift = { plugin = "move"; motion = "translation"; groups = "floor"; velocity = (0.0, 0.0, 0.5); '
            "start = 0.1; }; };\n" + schedule(entry("at_time = 0.3", "bodies = { floor = { velocity = (0.0, 0.0, -2.0); }; };")))
    said, _, rows = run(text.replace("0.0, 0.0, 0.01", "0.0, 0.0, 9.0"), "--until", "0.6", "-o", "o")
    off = max(abs(r["z"] - 0.5 * max(0.0, r["time"] - 0.1) + 2.0 * max(0.0, r["time"] - 0.3)) for r in rows)
    tap.check("both motions add", off < 1e-12 and len(rows) == 7, (off, rows))
    tap.check("the line has the wall's own velocity, without that of the modifier",
              "bodies.floor velocity (0 0 0) -> velocity (0 0 -2)" in said, said)


def test_floor():
    """A ball at rest on its floor: the floor is taken out; moves; stops."""
    text = BOX + SEEN + schedule(entry("at_time = 0.2", 'bodies = { floor = "off"; };'))
    said, data, rows = run(text, "--until", "0.4", "-o", "o")
    at, last = rows[2], rows[-1]
    fall = at["z"] - 5 * 0.04
    tap.check("it falls freely from then on", abs(last["z"] - fall) < 2e-5 * 2.0 and abs(last["vz"] + 2.0) < 2e-4,
              [at, last])
    tap.check("one body is left", "bodies.floor 1 body -> off" in said and data["swaps"][0]["done"], said)
    tap.check("the account closes", abs(data["energy"]["residual"]) < 1e-4 * MASS * 10 * 0.2, data["energy"])
    text = BOX + SEEN + schedule(
        entry("at_time = 0.1", "bodies = { floor = { velocity = (0.0, 0.0, 0.1); }; };"),
        entry("at_time = 0.2", "bodies = { floor = { velocity = (0.0, 0.0, 0.0); }; };"))
    rows = run(text, "--until", "0.4", "-o", "o")[2]
    tap.check("a floor that rises and stops carries it by v t", abs(rows[-1]["z"] - rows[1]["z"] - 0.01) < 1e-6, rows)


def test_incline():
    """Gravity turns by 1 degree every 20 ms; a ball that may not turn slips at tan(angle) = 0.5."""
    turns = [entry(f"at_step = {2000 * k}", f"scene = {{ gravity = ({10 * math.sin(math.radians(k))!r}, 0.0, "
                   f"{-10 * math.cos(math.radians(k))!r}); }};") for k in range(1, 33)]
    text = (BOX + SEEN.replace("every_time = 0.1", "every_steps = 2000") +
            'modifiers = { stiff = { plugin = "lock"; rotation = "xyz"; groups = "a"; }; };\n' + schedule(*turns))
    rows = run(text, "--steps", "66000", "-o", "o")[2]
    # row k: at the end of k - 1 degrees; arctan 0.5 is 26.57 degrees
    tap.check("it sticks up to 26 degrees", abs(rows[27]["vx"]) < 1e-3, rows[27])
    k = 28
    want = sum(10 * (math.sin(math.radians(d)) - 0.5 * math.cos(math.radians(d))) * 0.02 for d in range(27, 33))
    tap.check("it slips at 27", rows[k]["vx"] > 0.8 * 10 * 0.02 *
              (math.sin(math.radians(27)) - 0.5 * math.cos(math.radians(27))), rows[k])
    tap.check("its speed after 32 degrees is that of the six pieces", abs(rows[33]["vx"] / want - 1) < 0.01,
              [rows[33]["vx"], want])


MANY = ('scene = { dt = 2.0e-5; gravity = (0.0, 0.0, -10.0); boundary = ("periodic", "open", "open"); region = '
        '{ min = (0.0, 0.0, 0.0); max = (0.08, 0.08, 0.08); }; };\n' + HEAD + LAW +
        'shapes = { pot = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
        'bodies = { floor = { shape = "pot"; motion = "kinematic"; };\n'
        '  shelf = { shape = "pot"; motion = "kinematic"; position = (0.0, 0.0, -0.5); }; };\n'
        'generate = { beads = { plugin = "random"; count = 250; radius = "5 mm"; velocity = (0.5, 0.0, -1.0); }; };\n'
        'modifiers = { shake = { plugin = "move"; motion = "vibration"; groups = "floor"; direction = (0.0, 0.0, 1.0); '
        'amplitude = "1 mm"; frequency = 40.0; }; };\n' +
        schedule(entry("at_step = 200", "scene = { gravity = (5.0, 0.0, -8.0); dt = 1.0e-5; };"),
                 entry("at_step = 300", 'scene = { dt = "auto"; boundary = ("periodic", "reflect", "open"); };'),
                 entry('when = "step >= 400"', 'modifiers = { shake = "off"; }; bodies = { floor = { velocity = '
                       '(0.0, 0.0, 0.05); }; shelf = "off"; }; force = { friction = 0.2; };'),
                 entry("at_step = 500", 'scene = { dt = 2.0e-5; gravity = (0.0, 0.0, -10.0); }; '
                       'gcd = { plugin = "pairing"; };')))


def test_routes():
    whole = run(MANY, "--steps", "700")[1]
    tap.check("all four act", len(whole["swaps"]) == 4 and all(s["done"] for s in whole["swaps"]), whole["swaps"])
    tap.check("there are contacts", whole["contacts"] > 5, whole["contacts"])
    for more in (("--threads", "2", "--oversubscribe"), ("--set", 'gcd={plugin="bounding_volume";}'),
                 ("--blocks", "3")):
        tap.check(f"one state: {' '.join(more)}", run(MANY, "--steps", "700", *more)[1]["state_sha256"] ==
                  whole["state_sha256"])
    for stop in (150, 200, 250, 300, 350, 420, 500, 550):
        with tempfile.TemporaryDirectory() as top:
            run(MANY, "--steps", str(stop), "-o", "first", keep=top)
            seen = scree(top, "run", "--restart", "first", "--steps", str(700 - stop), "-q", "--json")
            data = json.loads(seen.stdout) if seen.returncode == 0 else {}
            tap.check(f"a restart at step {stop} ends in the same state",
                      data.get("state_sha256") == whole["state_sha256"] and data["time"] == whole["time"], seen.stderr)


def test_auto():
    text = BOX + schedule(entry("at_step = 5", 'scene = { dt = "auto"; }; force = { kn = 4.0e5; };'))
    data = run(text, "--steps", "10")[1]
    plain = run(BOX.replace("dt = 1.0e-5", 'dt = "auto"').replace("1.0e5", "4.0e5"), "--steps", "1")[1]
    tap.check("auto is that of the new law", abs(data["dt"] / plain["dt"] - 1) < 1e-12, [data["dt"], plain["dt"]])
    tap.check("a dt far above the critical step is refused, and the run goes on",
              "warning: step 5" in (said := run(BOX + schedule(entry("at_step = 5; if_refused = \"go_on\"", "scene = { dt = 1.0; };")),
                                                "--steps", "10")[0]) and "refused, nothing has changed: scene.dt = 1 s is"
              in said, said)


def test_refused():
    for what, why in (
            ("scene = { gravty = (0.0, 0.0, 1.0); };", 'gravity"?'), ("scene = { gravity = (0.0, 1.0); };", "3 numbers"),
            ("scene = { dt = -1.0; };", "expected 0 < value <= 1e+12 s, got -1"), ("scene = { };", "it is empty"),
            ("scene = { seed = 3; };", "unknown key"), ("scene = { boundary = \"periodic\"; };", "needs a scene.region"),
            ('bodies = { flor = "off"; };', 'got "flor"; did you mean "floor"?'),
            ("bodies = { floor = { }; };", "it is empty"), ('bodies = { floor = "out"; };', 'expected "off"'),
            ("bodies = { floor = { velocity = (1.0, 0.0); }; };", "3 numbers")):
        with tempfile.TemporaryDirectory() as top:
            (pathlib.Path(top) / "s.cfg").write_text(BOX + schedule(entry("at_step = 3", what)), encoding="utf-8")
            for command in (("run", "s.cfg", "--steps", "5"), ("validate", "s.cfg")):
                seen = scree(top, *command)
                tap.check(f"{command[0]} refuses {what}", seen.returncode == 2 and "s.cfg:7: schedule[0].set." in seen.stderr
                          and why in seen.stderr, seen)
    fixed = BOX.replace(' motion = "kinematic";', "")
    with tempfile.TemporaryDirectory() as top:
        path = pathlib.Path(top) / "s.cfg"
        path.write_text(fixed + schedule(entry("at_step = 3", "bodies = { floor = { spin = (0.0, 0.0, 1.0); }; };")),
                        encoding="utf-8")
        seen = scree(top, "validate", "s.cfg")
        tap.check("a fixed body is not set in motion", seen.returncode == 2 and "bodies.floor is fixed" in seen.stderr, seen)
        path.write_text(BOX + schedule(entry("at_step = 3", "scene = { gravity = (0.0, 0.0, -1.0); dt = 1.0e-6; };")),
                        encoding="utf-8")
        seen = scree(top, "validate", "s.cfg")
        tap.check("validate lists what an entry sets", "s.cfg:7: at_step 3: gravity (0 0 -1), dt 1e-06 s" in seen.stdout, seen)
        seen = scree(top, "validate", "s.cfg", "--set", "schedule=({at_step=3; set={scene={gravity=(0,0,0);};};})")
        tap.check("an entry of the command line is named so", "schedule   --set: at_step 3" in seen.stdout, seen)
        seen = scree(top, "run", "s.cfg", "--steps", "9", "--set",
                     'schedule=({at_step=3; set={scene={region={min=(0,0,0);max=(1,1,1);};boundary="periodic";};};})')
        tap.check("an axis does not become periodic", "neither becomes periodic" in seen.stderr, seen)


def test_all():
    test_thrown()
    test_moment()
    test_order()
    test_floor()
    test_own_motion()
    test_incline()
    test_routes()
    test_auto()
    test_refused()


if __name__ == "__main__":
    tap.finish(test_all)
