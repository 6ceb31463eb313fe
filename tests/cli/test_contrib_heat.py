# SPDX-License-Identifier: Apache-2.0
"""contrib/heat: temperatures as a field that a law, a modifier and an integrator share.

usage: test_contrib_heat.py MESON BUILD "CC ARG..." CONTRIB
"""
import math
import pathlib
import re
import shlex
import sys

import tap
from runs import read_table
from stage import Stage

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])

N, RADIUS, STEP, DT = 12, 0.005, 0.0095, 0.01  # [-] [m] [m] [s]
DENSITY, CAPACITY, H = 1000.0, 500.0, 0.5  # [kg/m^3] [J/(kg K)] [W/K]
MASS = DENSITY * 4.0 / 3.0 * 3.141592653589793 * RADIUS ** 3

SCENE = """
scene = { dt = %r; steps = %d; };
materials = { m = { density = %r; heat_capacity = %r; conductivity = 1.0; conductance = %r; }; };
bodies = { %s };
integrator = { plugin = "%s"; };
force = ( { plugin = "conduction"; } );
%s
observers = { at = { plugin = "csv"; what = "bodies"; fields = "temperature"; every_steps = %d; }; };
"""


def chain(stage, name, steps=500, dt=DT, integrator="velocity_verlet", more="", ends="free", start=lambda i: "293.15"):
    """A row of balls that overlap and stay where they are; `ends`: how the first and the last one move."""
    bodies = " ".join(f'b{i} = {{ material = "m"; radius = {RADIUS!r}; position = ({i * STEP!r}, 0.0, 0.0); '
                      f'motion = "{ends if i in (0, N - 1) else "free"}"; fields = {{ temperature = {start(i)}; }}; }};'
                      for i in range(N))
    scene = stage.top / f"{name}.cfg"
    scene.write_text(SCENE % (dt, steps, DENSITY, CAPACITY, H, bodies, integrator, more, steps))
    return scene


def last(folder):
    """{name of the body: temperature} at the end"""
    rows = read_table(folder / "bodies.csv")
    return {row["name"]: float(row["temperature"]) for row in rows if row["step"] == rows[-1]["step"]}


HOT = 'modifiers = { hot = { plugin = "heating"; groups = ["b3"]; power = 0.2; }; };'


def test_balance(stage):
    """The bodies have the heat that the modifier brings, to round-off: contacts only move it."""
    steps = 500
    stage.run(chain(stage, "balance", steps, more=HOT), "balance")
    warm = sum(last(stage.top / "balance").values()) - N * 293.15
    want = 0.2 * steps * DT / (MASS * CAPACITY)
    tap.check("heat that a modifier brings is conserved by contacts", abs(warm - want) < 1e-12 * N * 293.15, (warm, want))


def test_one_state(stage):
    scene = chain(stage, "state", 300, more=HOT)
    seen = {}
    for k, words in enumerate(([], ["--set", "gcd.plugin=spatial_sort"],
                               ["--threads", "2", "--set", "gcd.plugin=sort_update", "--set", "renumber.every=7"])):
        seen[" ".join(words)] = stage.run(scene, f"state{k}", *words)[0].get("state_sha256")
    tap.check("one state of a chain for three contact detections, threads, and renumbering", len(set(seen.values())) == 1 and None not in
              seen.values(), seen)


BALLS = ["--set", 'observers={at={plugin="csv";what="bodies";fields="temperature";every_steps=300;};}', "--steps", "300",
         "--set", "scene.gravity=(0.0,0.0,-400.0)", "--set", 'generate.balls.fields.temperature="300 K"']


def test_balls(stage):
    """heat.cfg, drawn by a stronger gravity so that contacts begin and end in 300 steps."""
    scene = CONTRIB / "heat" / "heat.cfg"
    seen = {}
    for k, words in enumerate((["--threads", "1", "--set", "checkpoint={every_steps=150;keep=10;}"],
                               ["--threads", "2", "--set", "gcd.plugin=dess"],
                               ["--set", 'domain={plugin="processes"; ranks=3;}'], ["--oversubscribe", "--threads", "4", "--set", "gcd.plugin=grid"])):
        seen[" ".join(words)] = stage.run(scene, f"balls{k}", *BALLS, *words)[0].get("state_sha256")
    tap.check("one state of 908 balls for grid and dess, 1, 2 and 4 threads, and three ranks", len(set(seen.values())) == 1 and
              None not in seen.values(), seen)
    warm = [row["name"] for row in read_table(stage.top / "balls0" / "bodies.csv") if row["step"] == "300" and float(row["temperature"]) not in (300.0, 420.0)]
    tap.check("of these more than the lamps have become warmer", len(warm) > 50, len(warm))
    saved = stage.top / "balls0" / "checkpoint-150.h5"
    rest = stage.run(None, "balls-rest", "--restart", saved, "--steps", "150", "--threads", "2")[0].get("state_sha256")
    tap.check("a restart of 908 balls goes on bit for bit", rest in seen.values(), (seen, rest))


def wall(i):
    return '"350 K"' if i == 0 else "300.0"


def exact(i, time):
    """Temperature [K] of ball i of the chain between 350 K and 300 K that began at 300 K: its linear profile
    and its eigenmodes, sin(pi j i / (N - 1)) with the decay 4 H / (m c) sin^2(pi j / (2 (N - 1)))."""
    n, rate = N - 1, H / (MASS * CAPACITY)
    value = 350.0 - 50.0 * i / n
    for j in range(1, n):
        part = sum((300.0 - 350.0 + 50.0 * k / n) * math.sin(math.pi * j * k / n) for k in range(1, n)) * 2.0 / n
        decay = math.exp(-4.0 * rate * math.sin(0.5 * math.pi * j / n) ** 2 * time)
        value += part * math.sin(math.pi * j * i / n) * decay
    return value


def test_closed_form(stage):
    end = 1.6
    for integrator, order, dts in (("velocity_verlet", 1, (0.04, 0.02, 0.01)), ("adams", 2, (0.04, 0.02, 0.01))):
        errors = []
        print(f"# {integrator}: largest error [K] of the chain after {end} s, by dt [s]")
        for dt in dts:
            steps = round(end / dt)
            name = f"{integrator}{steps}"
            stage.run(chain(stage, name, steps, dt, integrator, ends="fixed", start=wall), name)
            seen = last(stage.top / name)
            errors.append(max(abs(seen[f"b{i}"] - exact(i, end)) for i in range(N)))
            ratio = f", by {errors[-2] / errors[-1]:.3f} less" if len(errors) > 1 else ""
            print(f"#   dt {dt:<6g} error {errors[-1]:.4e}{ratio}")
        found = math.log2(errors[-2] / errors[-1])
        tap.check(f"{integrator}: the transient of a chain falls to its closed form with order {order}", abs(found - order) < 0.1,
                  (found, errors))
    stage.run(chain(stage, "steady", 1500, 0.2, ends="fixed", start=wall), "steady")
    seen = last(stage.top / "steady")
    off = max(abs(seen[f"b{i}"] - (350.0 - 50.0 * i / (N - 1))) for i in range(N))
    tap.check("the steady profile of a chain is linear, to round-off", off < 1e-10, (off, seen))


def test_restart(stage):
    more = HOT + ' checkpoint = { every_steps = 100; keep = 10; };'
    for integrator in ("velocity_verlet", "adams"):
        scene = chain(stage, f"whole {integrator}", 300, integrator=integrator, more=more)
        whole = stage.run(scene, f"whole {integrator}")[0].get("state_sha256")
        saved = stage.top / f"whole {integrator}" / "checkpoint-100.h5"
        rest = stage.run(None, f"rest {integrator}", "--restart", saved)[0].get("state_sha256")
        tap.check(f"{integrator}: rates are state: a restart goes on bit for bit", whole and whole == rest, (whole, rest))


SWAP = 'schedule = ( { at_step = 50; set = { %s }; } );'
GO_ON = SWAP.replace("50;", '50; if_refused = "go_on";')


def test_swap(stage):
    """A law that is exchanged for itself keeps temperatures and rates; one without the field is refused."""
    same = chain(stage, "same", 100, more=HOT + SWAP % 'force = ( { plugin = "conduction"; } )', start=wall)
    plain = chain(stage, "never", 100, more=HOT, start=wall)
    a, b = stage.run(same, "same")[0], stage.run(plain, "never")[0]
    tap.check("a law exchanged for itself keeps temperatures and rates", a.get("state_sha256") == b.get("state_sha256"), (a, b))
    other = chain(stage, "other", 100, more=HOT + GO_ON % 'force = ( { plugin = "linear"; kn = 1.0; } )', start=wall)
    done = stage.call(stage.scree, "run", "--plugin-path", stage.plugins, other, "-q", "--json", "-o", "other")
    tap.check("a swap that takes away a field in use is refused, and the run goes on as it was",
              "needs the body field 'temperature'" in done.stderr and
              (done.returncode != 0 or b.get("state_sha256") in done.stdout), done)


def refused(stage, name, scene, *words):
    done = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, scene)
    tap.check(name, done.returncode == 2 and all(word in done.stderr for word in words), done)


def test_refusals(stage):
    plain = chain(stage, "plain", more=HOT).read_text()
    cases = {
        "a field that no plugin has": (plain.replace('"conduction"', '"linear"; kn = 1.0'), "needs the body field 'temperature'",
                                       "which no plugin of this scene has"),
        "a field that two plugins have": (plain.replace('{ plugin = "conduction"; }', '{ plugin = "conduction"; }, { plugin = "conduction"; }'),
                                          "ambiguous: force[0]/temperature", "force[1]/temperature"),
        "a misspelt field of an observer": (plain.replace('fields = "temperature"', 'fields = "temprature"'), "'temprature'", "temperature"),
        "a start value of an unknown field": (plain.replace("temperature = 293.15", "temprature = 293.15"), "temprature",
                                               'did you mean "temperature"'),
        "a start value in metres": (plain.replace("temperature = 293.15", 'temperature = "3 m"'), "dimension of K"),
        "two start values for one component": (plain.replace("temperature = 293.15", "temperature = (1.0, 2.0)"),
                                                "expected 1 components"),
        "fields in a table of contacts": (plain.replace('"bodies"', '"contacts"'), "fields"),
    }
    for what, seen, values in (("at_step = 2", "at_step 2", 'fields = "nothing"'),
                               ('when = "step > 2"', "(step > 2)", 'fields = "force[1]/temperature"')):
        entry = 'schedule = ( { %s; set = { observers = { c = { plugin = "csv"; what = "bodies"; %s; every_steps = 1; }; }; }; } );'
        cases[f"a schedule ({what}) with a field that no plugin has"] = (
            plain + entry % (what, values), "schedule[0].set.observers.c.fields", seen, "there are force[0]/temperature")
    cold = re.sub(r"fields = ({.*?}|.*?);", "", chain(stage, "cold", more=SWAP % HOT).read_text()).replace('"conduction"', '"linear"; kn = 1.0')
    cases["a schedule whose modifier needs a field that no plugin has"] = (
        cold, "schedule[0].set.modifiers.hot", "at_step 50", "needs the body field 'temperature'")
    for name, (text, *words) in cases.items():
        scene = stage.top / "refused.cfg"
        scene.write_text(text)
        refused(stage, f"validate refuses {name}", scene, *words)
    scene.write_text(cold.replace("set = {", 'set = { force = ( { plugin = "conduction"; } );'))
    done = stage.call(stage.scree, "validate", "--plugin-path", stage.plugins, scene)
    tap.check("validate takes a schedule that brings the field and its user", done.returncode == 0, done)


def test_table(stage):
    """A column of a table gives start values of a body field, by its name or by slot and name."""
    scene = chain(stage, "table").read_text()
    scene = re.sub(r"bodies = \{.*\};", 'generate = { t = { plugin = "table"; material = "m"; file = "t.csv"; body_fields = ["%s"]; }; };', scene)
    for field in ("temperature", "force[0]/temperature"):
        (stage.top / "t.csv").write_text(f"id,x,y,z,radius,{field}\n4,0,0,0,0.005,300.25\n2,1,0,0,0.005,350.5\n")
        path = stage.top / "table.cfg"
        path.write_text(scene % field)
        folder = "table-" + field[:4]
        stage.run(path, folder, "--steps", "1")
        found = {row["id"]: float(row["temperature"]) for row in read_table(stage.top / folder / "bodies.csv")}
        tap.check(f"a column {field} of a table gives start values", found == {"4": 300.25, "2": 350.5}, found)
    (stage.top / "t.csv").write_text("x,y,z,radius,warmth\n0,0,0,0.005,300\n")
    path.write_text(scene % "warmth")
    done = stage.call(stage.scree, "run", "--plugin-path", stage.plugins, path, "-q", "-o", "warm")
    tap.check("a column for a field that no plugin has is refused by its name", done.returncode == 2
              and "a start value needs the body field 'warmth'" in done.stderr, done)


SHELL = """
scene = { dt = 0.01; steps = 5; };
materials = { m = { density = 1000.0; heat_capacity = 500.0; conductivity = 1.0; conductance = 0.5; }; };
shapes = { pin = { type = "clump"; balls = ((0.0, 0.0, 0.0, 0.01), (0.0, 0.0, 0.02, 0.01)); }; };
bodies = { cold = { material = "m"; radius = 0.005; position = (9.0, 0.0, 0.0); }; };
force = ( { plugin = "conduction"; } );
modifiers = { %s };
observers = { at = { plugin = "csv"; what = "bodies"; fields = "temperature"; every_steps = 1; }; };
"""
FEED = """%s = { plugin = "feeder"; every_steps = %d; x = %r; y = 0.0; temperature = "%d K"; place = "%s";
  body = { shape = "pin"; material = "m"; scale = 1.0; }; };"""


def test_feeder(stage):
    """Bodies that come in the run have their start values; a pin is placed by its origin, or by its centre of mass."""
    scene = stage.top / "fed.cfg"
    scene.write_text(SHELL % (FEED % ("a", 3, 0.0, 350, "shape") + FEED % ("b", 4, 1.0, 400, "centre")))
    done, _ = stage.run(scene, "fed")
    rows = [row for row in read_table(stage.top / "fed" / "bodies.csv") if row["step"] == "5" and row["name"] in ("a", "b")]
    warm = {row["name"]: float(row["temperature"]) for row in rows}
    tap.check("bodies that come in a run have the start values of their modifier",
              warm == {"a": 350.0, "b": 400.0} and len(rows) == 2, rows)
    at = {row["name"]: [float(row[k]) for k in "xyz"] for row in rows}
    tap.check("the centre of mass of a body that is placed by its shape is elsewhere", at["b"] == [1.0, 0.0, 0.0] and
              at["a"][:2] == [0.0, 0.0] and abs(at["a"][2] - 0.01) < 1e-9, at)
    mass = 1000.0 * 2.0 * 4.0 / 3.0 * math.pi * 0.01 ** 3
    seen = {one["name"]: one["fields"]["mass"] for one in done["modifiers"]}
    tap.check("scree_body_mass is the mass of the body", all(abs(m / mass - 1.0) < 1e-3 for m in seen.values()), (seen, mass))


def run(top):
    stage = Stage(top, MESON, BUILD, CC)
    stage.build_folder(CONTRIB / "heat")
    for test in (test_balance, test_one_state, test_balls, test_closed_form, test_restart, test_table, test_feeder, test_swap, test_refusals):
        test(stage)


tap.in_folder(run)
