# SPDX-License-Identifier: Apache-2.0
"""The key `stop` as a user meets it: when a condition ends a run, what it says, what a restart remembers; the
figures of conditions against sums over the tables of observers.

usage: test_stop.py SCREE
"""
import json
import math

import tap
from runs import read_table, scree
from vectors import norm

G, DT = 8.0, 1e-3
FALL = f"""scene = {{ dt = {DT}; steps = 1000; gravity = (0.0, 0.0, -{G}); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
bodies = {{ a = {{ radius = "2 mm"; position = (0.0, 0.0, 0.0); }}; }};
force = {{ plugin = "linear"; kn = 10.0; }};
"""
BED = """scene = { dimension = %d; dt = 1.0e-5; steps = 4000; gravity = (%s-9.81);
          region = { min = (%s0.0); max = (%s0.08); }; boundary = (%s"open"); seed = 3; };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (%s1.0); }; };
generate = { beads = { count = %d; radius = "2 mm"; velocity_random = 0.1; }; };
bodies = { floor = { shape = "floor"; position = (%s0.0); }; };
force = { plugin = "linear"; kn = 1.0e4; friction = 0.4; restitution = 0.3; };
observers = { c = { plugin = "csv"; what = "contacts"; }; b = { plugin = "csv"; what = "bodies"; }; };
"""


def run(top, text, *args, folder=None, check=0, command="run"):
    """The result as JSON, the messages; a failed claim when the exit status is another one."""
    path = top / "scene.cfg"
    path.write_text(text, encoding="utf-8")
    if command == "run":
        args = ("-q", "--json", *args, *(("-o", folder) if folder else ()))
    scene = () if "--restart" in args else ("scene.cfg",)
    seen = scree(top, command, *scene, *args)
    if seen.returncode != check:
        tap.check(f"exit status {check}", False, seen)
    return json.loads(seen.stdout) if seen.returncode == 0 and command == "run" else {}, seen.stderr


def stop(when, more):
    return f'stop = ( {{ when = "{when}"; {more} }} );\n'


def ends(top, name, condition, step, text=FALL, **more):
    data, err = run(top, text + condition, **more)
    got = data.get("ended_by") or {}
    tap.check(f"{name}: the run ends at step {step}", got.get("step") == data.get("steps") == step
              and data["stopped"] is False, (data.get("steps"), got, err))
    return data


def test_moments(top):
    """A ball that falls from rest: v = G n DT after n steps."""
    data = ends(top, "at a check", stop("max_speed > 1.601", 'after = "1 ms"; every = 1;'), 201)
    tap.check("the condition and the moment are in the result", data["ended_by"]["when"] == "max_speed > 1.601"
              and data["ended_by"]["stop"] == 0 and abs(data["ended_by"]["time"] - 0.201) < 1e-12, data["ended_by"])
    ends(top, "every 100 steps by default", stop("max_speed > 1.601", 'after = "1 ms";'), 300)
    ends(top, "`for`: at all checks of so long", stop("max_speed > 1.601", 'for = "50 ms"; every = 10;'), 260)
    ends(top, "`after`: not before", stop("max_speed < 100", 'after = "0.35 s"; every = 10;'), 350)
    ends(top, "`for` counts from `after`", stop("max_speed < 100", 'after = "0.35 s"; for = "0.1 s"; every = 10;'), 450)
    ends(top, "or", stop("max_speed > 100 or max_speed > 0.79 and time > 1 ms", 'after = "1 ms"; every = 100;'), 100)
    ends(top, "and binds more", stop("max_speed > 0.79 and time > 10 or step >= 300", 'after = "1 ms";'), 300)
    # The mean of v at 11 .. 110 ms before the check at n is G (n - 45) DT: windows end at a check and do not begin at one.
    ends(top, "mean over a window", stop("mean(max_speed, 100 ms) >= 2.0399", 'after = "1 ms"; every = 10;'), 300)
    ends(top, "of energies", stop("mean(kinetic, 10 ms) > 0 and kinetic > 1 uJ", 'after = "1 ms"; every = 10;'), 20)
    ends(top, "the first of several", "stop = ({ when = \"time > 10\"; after = 1.0; }, { when = \"step > 400\"; after = 0.1; });", 500)
    data, err = run(top, FALL + stop("max_speed > 100", 'after = "1 ms";'))
    tap.check("one that never holds: all steps", data["steps"] == 1000 and data["ended_by"] is None, data["ended_by"])


def test_held(top):
    """A ball that bounces: a condition that fails between two checks starts from nothing."""
    bounce = FALL.replace("position = (0.0, 0.0, 0.0)", "position = (0.0, 0.0, 0.102)").replace(
        "bodies = {", 'shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\nbodies = { f = { shape = "floor"; };').replace(
        f"dt = {DT}", "dt = 1e-5").replace("steps = 1000", "steps = 100000").replace("kn = 10.0;", "kn = 1.0e4; restitution = 0.8;")
    flight = math.sqrt(2 * 0.1 / G)  # to the floor; then 0.8 times as long up, and down
    # Slower than 0.2 m/s for at least 40 ms: 0.2 / G = 25 ms each side of a top, the first not counted from rest.
    data, _ = run(top, bounce + stop("max_speed < 0.2", 'for = "40 ms"; every = 50; after = "1 ms";'))
    top_time = flight + 0.8 * flight
    low, high = top_time - 0.2 / G + 0.039, top_time - 0.2 / G + 0.041
    tap.check("it holds at a top for long enough, not at the start", low < (data["ended_by"] or {"time": 0})["time"] < high,
              (data["ended_by"], low, high))


def test_observers(top):
    """The last state is seen by all, and is the one that ended the run."""
    see = 'observers = { s = { plugin = "csv"; what = "scalars"; every_steps = 70; }; };\n'
    data, _ = run(top, FALL + see + stop("max_speed > 1.601", 'after = "1 ms";'), folder="seen")
    steps = [int(r["step"]) for r in read_table(top / "seen/scalars.csv")]
    tap.check("observers see the state that ended the run", steps == [0, 70, 140, 210, 280, 300], steps)
    blind, _ = run(top, FALL + stop("max_speed > 1.601", 'after = "1 ms";'))
    tap.check("without observers it ends in the same state", blind["state_sha256"] == data["state_sha256"])
    tap.check("its state is saved", (top / "seen/checkpoint-300.h5").exists())
    tap.check("the manifest has the steps that were done",
              json.loads((top / "seen/manifest.json").read_text())["steps"] == 300)


def test_restart(top):
    """Elapsed times and windows are in checkpoints."""
    for name, condition, step in (
            ("`for`", stop("max_speed > 1.601", 'for = "0.2 s"; every = 10;'), 410),
            ("mean", stop("mean(max_speed, 0.2 s) > 2.4", 'after = "1 ms"; every = 10;'), 400)):
        folder = f"cut-{step}"
        whole = ends(top, name, condition, step)
        run(top, FALL + condition, "--steps", "305", folder=folder)
        rest, err = run(top, FALL + condition, "--restart", folder)
        tap.check(f"{name} goes on over a restart", (rest.get("ended_by") or {}).get("step") == step
                  and rest["steps"] == step - 305 and rest["state_sha256"] == whole["state_sha256"], (rest.get("ended_by"), err))
    ends(top, "a run that stops", stop("max_speed > 1.601", 'after = "1 ms";'), 300, folder="ended")
    more, err = run(top, FALL, "--restart", "ended", "--for", "0.15 s", folder="further")
    tap.check("a condition that has ended a run does not end the run that continues it", more.get("steps") == 150
              and more["ended_by"] is None, (more.get("steps"), more.get("ended_by"), err))
    more, err = run(top, FALL, "--restart", "further", "--for", "0.15 s")
    tap.check("nor the next one", more.get("steps") == 150 and more["ended_by"] is None, (more.get("steps"), err))
    other, err = run(top, FALL, "--restart", folder, "--set", 'stop=({when="max_speed > 1.601"; for="0.2 s";})')
    tap.check("another condition starts from nothing, with a note", "they start from nothing" in err and other["ended_by"]["step"] == 600,
              (other["ended_by"], err))


def test_schedule(top):
    switch = 'schedule = ( { when = "max_speed > 1.601"; %s set = { gcd = { plugin = "pairing"; }; }; } );\n'
    for more, step in (("", 300), ("every = 1;", 201)):
        data, _ = run(top, FALL + switch % more)
        tap.check(f"a schedule's condition is looked at every 100 steps, or as `every` says ({more})",
                  [s["step"] for s in data["swaps"]] == [step], data["swaps"])


COUNT, GAP, SPEED, FLOW_DT = 10, 0.01, 1.0, 1e-4  # beads in a row, GAP apart
MASS = 2500.0 * 4.0 / 3.0 * math.pi * 1e-9
ROW = f"""scene = {{ dt = {FLOW_DT}; steps = 4000; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
bodies = {{ %s }};
force = {{ plugin = "linear"; kn = 10.0; }};
observers = {{ flow = {{ plugin = "mass_flow"; point = (0.0, 0.0, 0.0); normal = (1.0, 0.0, 0.0); every_steps = %d; }}; }};
"""


def row(every):
    """Bead k crosses the plane in step 51 + 100 k."""
    return ROW % (" ".join(f'b{k} = {{ radius = "1 mm"; position = ({-(k + 0.5) * GAP - 5e-5!r}, 0.0, 0.0); '
                           f'velocity = ({SPEED}, 0.0, 0.0); }};' for k in range(COUNT)), every)


def test_scalars(top):
    """Columns of observers: a rate is the change of the total between two checks, so its mean over a window is what
    crossed in it over its length, whatever the interval of the rows."""
    rate = MASS * SPEED / GAP
    full = stop(f"mean(flow.rate, 20 ms) > {rate * (1 - 1e-9)!r} and mean(flow.rate, 20 ms) < {rate * (1 + 1e-9)!r}",
                'after = "1 us"; every = 10;')
    over = stop("mean(flow.rate, 20 ms) < 1e-9 and flow.forward >= 10", 'after = "1 us"; every = 10;')
    # The last bead is seen by the check at 960 and leaves the window at 1160; the first full window ends at 210.
    for every in (7, 900):
        ends(top, f"rows every {every} steps: the rate of a row of beads is m v / gap", full, 210, text=row(every), folder=f"fl{every}")
        ends(top, f"rows every {every} steps: the flow is over", over, 1160, text=row(every), folder=f"fo{every}")
    whole, _ = run(top, row(7) + over)
    two, _ = run(top, row(7) + over, "--threads", "2")
    tap.check("two threads: the same step", two["ended_by"] == whole["ended_by"], two["ended_by"])
    run(top, row(7) + over, "--steps", "965", folder="flowcut")
    rest, err = run(top, row(7) + over, "--restart", "flowcut")
    tap.check("a rate goes on over a restart", (rest["ended_by"] or {}).get("step") == 1160 and
              rest["state_sha256"] == whole["state_sha256"], (rest["ended_by"], err))
    data, _ = run(top, row(7) + 'schedule = ( { when = "flow.mass > 100 mg"; every = 1; set = { gcd = { plugin = "pairing"; }; }; } );\n')
    tap.check("a schedule reads them, too", [s["step"] for s in data["swaps"]] == [51 + 100 * math.floor(1e-4 / MASS)], data["swaps"])
    for when, words in (("flow.rat < 1", ('stop[0]: \'flow.rat\'', "mass_forward, mass_backward", 'did you mean "rate"?')),
                        ("flw.rate < 1", ('observer "flw" is missing', "observers with scalars: flow")),
                        ("film.rate < 1", ("observer/vtk gives no scalars", "observers that do: flow")),
                        ("flow. < 1", ("expected OBSERVER.SCALAR",)), ("flow.rate < 1 m", ("kg/s",))):
        film = row(7).replace("observers = {", 'observers = { film = { plugin = "vtk"; every_steps = 900; };')
        for command in ("validate", "run"):
            _, err = run(top, film + stop(when, 'after = "1 us";'), check=2, command=command)
            tap.check(f"{command}: {when} is refused with place and reason", all(w in err for w in words) and
                      "scene.cfg:6: " in err, err)


def test_never(top):
    """Conditions that never came true are reported with their last values: v = G n DT."""
    data, err = run(top, FALL + 'stop = ({ when = "max_speed > 100"; after = 0.001; },\n'
                    '{ when = "max_speed < 4"; for = "0.9 s"; }, { when = "time > 1"; for = 1.0; every = 5000; });')
    tap.check("the summary has the speed of the fall, whatever its direction", math.isclose(data["max_speed"], G, rel_tol=1e-9),
              data["max_speed"])
    lines = [x for x in err.splitlines() if x.startswith("stop[")]
    tap.check("a line each", len(lines) == 3 and lines[0].endswith("max_speed > 100: never held; last max_speed = 8") and
              lines[1].endswith("max_speed < 4: held for 0.3 s at most, of 0.9 s; last max_speed = 8") and
              lines[2].endswith("was never looked at: every 5000 steps"), lines)
    told = data["conditions"]
    tap.check("and in --json", [c["of"] for c in told] == ["stop[0]", "stop[1]", "stop[2]"] and not any(c["came_true"] for c in told)
              and math.isclose(told[0]["last"][0]["value"], G, rel_tol=1e-12) and told[0]["held_at_most"] is None
              and math.isclose(told[1]["held_at_most"], 0.3) and told[2]["last_check"] is None, told)
    data, err = run(top, FALL + 'stop = ({ when = "max_speed < 0.9"; for = "0.9 s"; });')
    tap.check("one that held at one look held for 0 s", "held for 0 s at most, of 0.9 s" in err and
              data["conditions"][0]["held_at_most"] == 0.0, (data["conditions"], err))
    data, err = run(top, FALL + stop("max_speed > 1.601", 'after = "1 ms";'))
    tap.check("one that came true is not", "\nstop[" not in err and data["conditions"][0]["came_true"] is True, data["conditions"])


LIFT = """scene = { dt = 1e-5; steps = %d; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { plate = { shape = "floor"; position = (0.0, 0.0, 0.0); %s };
           ball = { radius = "2 mm"; position = (0.0, 0.0, %r); velocity = (0.0, 0.0, %r); };
           other = { radius = "2 mm"; position = (0.1, 0.0, %r); velocity = (0.0, 0.0, %r); }; };
force = { plugin = "linear"; kn = 100.0; restitution = 0.5; };
observers = { s = { plugin = "csv"; every_steps = 1000; contacts = true; }; };
"""


def test_walls(top):
    """Balls at rest on a plate, which is at rest or rises: F = m g, P = F v, and all work becomes height."""
    weight = 2500.0 * 4.0 / 3.0 * math.pi * 8e-9 * 9.81
    height, steps = 0.002 - weight / 100.0, 5000
    for speed in (0.0, 0.3):
        motion = f'motion = "kinematic"; velocity = (0.0, 0.0, {speed!r});' if speed else ""
        folder = f"lift{speed}"
        data, err = run(top, LIFT % (steps, motion, height, speed, height, speed), folder=folder)
        end = rows(top / folder / "scalars.csv")[-1]
        near = lambda a, b: math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)  # noqa: E731
        tap.check(f"{speed} m/s: the force on the plate is the weight of the balls", near(-float(end["plate.fz"]), 2 * weight), end)
        power, work = 2 * weight * speed, 2 * weight * speed * steps * 1e-5
        tap.check(f"{speed} m/s: the power of the plate is F v, its work that over the time", near(float(end["wall_power"]), power) and
                  near(data["wall_power"], power) and near(data["wall_work"], work) and near(data["duration"], steps * 1e-5),
                  (data["wall_power"], data["wall_work"], work, data["duration"]))
        tap.check(f"{speed} m/s: the account closes", abs(data["energy"]["residual"]) < 1e-9 * weight and
                  abs(data["dissipated"]) < 1e-12 and near(data["energy"]["work"], work), (data["energy"], err))
        tap.check(f"{speed} m/s: the largest overlap is m g / kn of the radius, of the lowest ids", near(data["max_overlap"], weight / 100.0 / 0.002)
                  and data["max_overlap_bodies"] in ([1, 2], [1, 3]) and data["max_speed_body"] in (2, 3), data)
        lines = err.splitlines()
        order = [next((k for k, x in enumerate(lines) if x.startswith(w)), -1) for w in
                 ("mass", "solid", "max overlap", "max speed", "dissipated", "energy", "phases")]
        tap.check(f"{speed} m/s: the summary leads with physics, timing follows", order == sorted(order) and order[0] > 0, (order, err))


def test_belt(top):
    """Balls at rest on a belt that slips below them: its friction mu m g does the work mu m g |u| t."""
    weight, mu, steps = 2500.0 * 4.0 / 3.0 * math.pi * 8e-9 * 9.81, 0.3, 2000
    height = 0.002 - weight / 100.0
    belt = ('modifiers = { belt = { plugin = "move"; motion = "conveyor"; groups = "plate"; velocity = (0.3, -0.4, 0.0); }; };'
            f'force = {{ plugin = "linear"; kn = 100.0; kt = 1e4; friction = {mu}; restitution = 0.5; }};')
    scene = (LIFT % (steps, 'motion = "kinematic";', height, 0.0, height, 0.0)).replace('force = { plugin = "linear"; kn = 100.0; restitution = 0.5; };', belt)
    data, err = run(top, scene, folder="belt")
    power = 2.0 * weight * mu * 0.5
    tap.check("the power of a belt is the friction times the speed of its surface", math.isclose(data["wall_power"], power, rel_tol=1e-6),
              (data["wall_power"], power, err))
    tap.check("and its work that over the time", math.isclose(data["wall_work"], power * steps * 1e-5, rel_tol=2e-3),
              (data["wall_work"], power * steps * 1e-5))


def rows(path):
    all_rows = read_table(path)
    return [r for r in all_rows if r["step"] == all_rows[-1]["step"]]


def vector(row, *names):
    return [float(row[n]) for n in names]


def gradient(places, velocities):
    """Least squares by Gram-Schmidt on the centred places; all masses are the same."""
    n, m = len(places[0]), len(places)
    centre = lambda rows: [[r[k] - sum(q[k] for q in rows) / m for k in range(n)] for r in rows]  # noqa: E731
    x, v = centre(places), centre(velocities)
    a = [[sum(p[k] * p[j] for p in x) for j in range(n)] + [sum(p[k] * u[j] for p, u in zip(x, v)) for j in range(n)]
         for k in range(n)]
    for k in range(n):  # Gauss, Jordan
        a[k] = [c / a[k][k] for c in a[k]]
        for j in range(n):
            if j != k:
                a[j] = [c - a[j][k] * d for c, d in zip(a[j], a[k])]
    return [[a[j][n + k] for j in range(n)] for k in range(n)]


def test_figures(top, dimension, count):
    lead = "0.0, " * (dimension - 1)
    wide = "0.02, " * (dimension - 1)
    text = BED % (dimension, lead, lead, wide, '"periodic", ' * (dimension - 1), lead, count, lead)
    folder = f"bed{dimension}"
    data, err = run(top, text, folder=folder)
    contacts, bodies = rows(top / folder / "contacts.csv"), rows(top / folder / "bodies.csv")
    free = [b for b in bodies if b["name"] == "beads"]
    axes = "xyz"[:dimension]
    touching = [c for c in contacts if float(c["depth"]) >= 0.0]
    r, thick = 0.002, 1.0
    area = math.pi * r * r if dimension == 2 else 4.0 / 3.0 * math.pi * r ** 3
    heights = [float(b[axes[-1]]) for b in free]
    box = 0.02 ** (dimension - 1) * (max(heights) - min(heights) + 2 * r)
    mass = 2500.0 * area * thick
    forces = [norm(vector(c, "fx", "fy", "fz")) for c in touching]
    resultants = []
    for b in free:
        f = vector(b, *("f" + a for a in axes))
        f[-1] -= 9.81 * mass
        resultants.append(norm(f))
    ids = {b["id"] for b in free}
    want = {
        "max_speed": max(norm(vector(b, "vx", "vy", "vz")) for b in free),
        "max_overlap": max(float(c["depth"]) for c in contacts) / r,
        "coordination": 2 * sum(c["a"] in ids and c["b"] in ids for c in touching) / len(free),
        "mass": mass * len(free),
        "solid_fraction": len(free) * area / box,
        "unbalanced": sum(resultants) / len(free) / (sum(forces) / len(forces)),
    }
    virial = -sum(float(c["f" + a]) * float(c["branch_" + a]) for c in contacts for a in axes)
    pressure = virial / (dimension * box * thick)
    g = gradient([vector(b, *axes) for b in free], [vector(b, *("v" + a for a in axes)) for b in free])
    trace = sum(g[k][k] for k in range(dimension)) / dimension
    deviator = [[(g[k][j] + g[j][k]) / 2 - (trace if k == j else 0.0) for j in range(dimension)] for k in range(dimension)]
    rate = math.sqrt(2 * sum(d * d for row in deviator for d in row))
    want["inertial_number"] = rate * 2 * r * math.sqrt(2500.0 / pressure)
    for name, value in want.items():
        tap.check(f"{dimension}D: {name} is that of the tables", value > 0.0 and math.isclose(data[name], value, rel_tol=1e-9),
                  (data.get(name), value, err))
    two, _ = run(top, text, "--threads", "2", "--set", 'gcd.plugin="pairing"')
    tap.check(f"{dimension}D: the same bits on two threads with another GCD",
              all(two[name] == data[name] for name in want), [(two[n], data[n]) for n in want])


def test_mistakes(top):
    for text, words in ((stop("unbalanced < 1e-3", ""), ("scene.cfg:5: stop[0]: expected `for` or `after`",)),
                        (stop("unbalancd < 1e-3", "for = 1.0;"), ("did you mean \"unbalanced\"?",)),
                        (stop("mean(kinetic) < 1", "for = 1.0;"), ("expected mean(QUANTITY, TIME)",)),
                        (stop("mean(kinetic, 0 s) < 1", "for = 1.0;"), ("expected a time above 0 s",)),
                        (stop("mean(kinetic, 1 kg) < 1", "for = 1.0;"), ("kg",)),
                        (stop("kinetic < 1 or", "for = 1.0;"), ("expected a condition on both sides of `or`",)),
                        (stop("kinetic < 1", "for = \"-1 s\";"), ("stop[0].for",)),
                        (stop("kinetic < 1", "for = 1.0; every = 0;"), ("stop[0].every",)),
                        (stop("kinetic < 1", "for = 1.0; until = 3;"), ("until",)),
                        ("stop = ( { for = 1.0; } );", ("when",)), ("stop = \"kinetic < 1\";", ("stop",))):
        _, err = run(top, FALL + text, check=2, command="validate")
        tap.check(f"{text.strip()}: is refused with place and reason", all(w in err for w in words) and "scene.cfg:5" in err,
                  err)


def main(top):
    test_moments(top)
    test_held(top)
    test_observers(top)
    test_restart(top)
    test_schedule(top)
    test_scalars(top)
    test_never(top)
    test_walls(top)
    test_belt(top)
    test_figures(top, 2, 30)
    test_figures(top, 3, 150)
    test_mistakes(top)


tap.in_folder(main)
