# SPDX-License-Identifier: Apache-2.0
"""The key `schedule` as a user meets it: what acts when, messages, what is refused and when.

usage: test_swap.py SCREE
"""
import json
import pathlib
import re
import tempfile

import tap
from runs import scree

SCENE = """scene = {{ dt = 1.0e-5; steps = 400; gravity = (0.0, 0.0, -500.0); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{
    a = {{ radius = "2 mm"; position = (0.0, 0.0, 0.00201); velocity = (0.5, 0.0, 0.0); }};
    b = {{ radius = "2 mm"; position = (0.00405, 0.0, 0.00201); spin = (0.0, 90.0, 0.0); }};
    floor = {{ shape = "floor"; }};
}};
force = {{ plugin = "linear"; kn = 1.0e4; friction = 0.4; restitution = 0.6; }};
{more}
"""
CALM = 'modifiers = { calm = { plugin = "damping"; alpha = 0.3; }; };'


RUN, VALIDATE = ("run", "scene.cfg", "-q", "--json"), ("validate", "scene.cfg")


def run(more, *args, check=0, schedule=None, command=RUN):
    """The scene with more of it: the messages, and the result as JSON."""
    text = more + (f"\nschedule = ( {schedule} );" if schedule else "")
    with tempfile.TemporaryDirectory() as top:
        path = pathlib.Path(top) / "scene.cfg"
        path.write_text(SCENE.format(more=text), encoding="utf-8")
        seen = scree(top, *command, *args)
        files = {p.name: p.read_text(encoding="utf-8") for p in pathlib.Path(top).glob("out/*.csv")}
        data = json.loads(seen.stdout) if seen.returncode == 0 and command == RUN else {}
    if check is not None and seen.returncode != check:
        tap.check(f"exit status {check}", False, seen)
    return seen.stderr, data, files


def entry(moment, what, more=""):
    return f"{{ {moment}; {more} set = {{ {what} }}; }}"


GO_ON = 'if_refused = "go_on";'


PAIRING = 'gcd = { plugin = "pairing"; };'
STIFF = 'force = { plugin = "linear"; kn = 2.0e4; friction = 0.4; restitution = 0.6; };'


def test_moments():
    plain = run("")[1]
    said, data, _ = run("", schedule=", ".join([
        entry("at_step = 7", PAIRING), entry('at_time = "1 ms"', 'gcd = { plugin = "grid"; };'),
        entry('when = "step >= 150 and kinetic > 0"; every = 1', PAIRING),
        entry('when = "kinetic > 1 J"', PAIRING)]))
    tap.check("a step, a time, a condition", [s["step"] for s in data["swaps"]] == [7, 100, 150], data["swaps"])
    tap.check("each acts once and is reported", len(re.findall(r"^scree: step \d+ \(", said, re.M)) == 3, said)
    tap.check("the line names slot, old and new", "scree: step 7 (at_step 7): gcd auto -> pairing" in said, said)
    tap.check("another GCD leaves the state as it is", data["state_sha256"] == plain["state_sha256"])
    tap.check("an entry that never acted is reported", "kinetic > 1 J: never held; last kinetic = " in said, said)
    tap.check("a run without a schedule has no swaps", plain["swaps"] == [], plain["swaps"])
    late = run("", "--steps", "300", schedule=entry("at_step = 399", STIFF))[1]
    plain = run("", "--steps", "300")[1]
    tap.check("after the last step nothing is switched", late["swaps"] == [] and
              late["state_sha256"] == plain["state_sha256"], late["swaps"])


def test_laws():
    plain = run("")[1]
    said, named, _ = run("", schedule=entry("at_step = 100", STIFF))
    tap.check("another stiffness is another state", named["state_sha256"] != plain["state_sha256"])
    tap.check("its fields are reported", "force[0]/shear_spring: kept" in said, said)
    tap.check("forces act from the next evaluation on", "forces differ by up to" in said, said)
    swap = named["swaps"][0]
    tap.check("what contacts store more is booked as work", swap["work"] > 0.0, swap)
    energy = named["energy"]
    tap.check("the account still closes", abs(energy["residual"]) < 0.02 * abs(energy["start"]), energy)
    live = run("", schedule=entry("at_step = 100", "force = { kn = 2.0e4; };"))[1]
    tap.check("a live parameter changes as a swap with itself",
              live["state_sha256"] == named["state_sha256"] and live["swaps"][0]["done"], live["swaps"])
    back = run("", schedule=entry("at_step = 100", STIFF) + ", " +
               entry("at_step = 100", "force = { kn = 1.0e4; };"))[1]
    tap.check("there and back at once is nothing", back["state_sha256"] == plain["state_sha256"])
    late = run("", schedule=entry('when = "step >= 200"', STIFF) + ", " +
               entry("at_step = 100", "force = { friction = 0.1; };"))[1]
    early = run("", schedule=entry("at_step = 100", STIFF.replace("2.0e4", "1.0e4").replace("0.4", "0.1")) + ", " +
                entry("at_step = 200", STIFF))[1]
    tap.check("a parameter changes on the current plugin, not on that of an entry that has not acted",
              late["state_sha256"] == early["state_sha256"] and len(late["swaps"]) == 2, late["swaps"])
    slip = run("", "--steps", "140", schedule=entry("at_step = 100", "force = { friction = 0.0; };"))[1]
    stays = run("", "--steps", "140")[1]
    tap.check("what springs lose by a lower friction is heat, and counts once",
              abs(slip["energy"]["residual"] - stays["energy"]["residual"]) < 0.02 * stays["energy"]["stored"] and
              abs(slip["swaps"][0]["work"]) < 1e-12, (slip["energy"], stays["energy"], slip["swaps"]))
    two = run("", "--threads", "2", schedule=entry('when = "kinetic < 2e-5"', STIFF))[1]
    one = run("", schedule=entry('when = "kinetic < 2e-5"', STIFF))[1]
    tap.check("a condition holds at the same step on two threads", one["swaps"][0]["step"] ==
              two["swaps"][0]["step"] > 0 and one["state_sha256"] == two["state_sha256"],
              [one["swaps"], two["swaps"]])
    said, data, _ = run("", schedule=entry("at_step = 100", STIFF.replace("2.0e4", "1.0e9"), GO_ON))
    tap.check("a law too stiff for dt is refused when it comes, the run goes on",
              "warning: step 100" in said and "critical step" in said and not data["swaps"][0]["done"] and
              data["state_sha256"] == plain["state_sha256"], said)


def test_rolling():
    """A rolling spring that is kept has the new stiffness, whose energy is the work of the swap and not heat. The rest is
    the error of dt in the ten steps after the swap: up to 1.1 % of that work, 0.1 % with a tenth of dt."""
    roll = '{ plugin = "rolling"; rolling_friction = 0.3; }'
    laws = {"linear": 'plugin = "linear"; kn = 3.0e3;', "hertz_mindlin": 'plugin = "hertz_mindlin"; young_modulus = 2.0e6; '
            'poisson_ratio = 0.3;'}
    pairs = {name: f"force = ( {{ {law} friction = 0.4; restitution = 0.6; }}, {roll} );" for name, law in laws.items()}
    for old, new in (("linear", "hertz_mindlin"), ("hertz_mindlin", "linear"), ("hertz_mindlin", "hertz_mindlin")):
        rolls = ("--set", pairs[old].replace("force = ", "force=").rstrip(";"), "--set", "bodies.a.spin=(0.0, 40.0, 0.0)", "--steps", "270")
        plain, data = run("", *rolls)[1], run("", *rolls, schedule=entry("at_step = 260", pairs[new]))[1]
        false = data["energy"]["residual"] - plain["energy"]["residual"]
        tap.check(f"from {old} to {new} with rolling springs the account closes",
                  data["swaps"][0]["done"] and "force[1]/rolling_spring: kept" in data["swaps"][0]["fields"] and
                  abs(false) < 0.02 * max(plain["energy"]["stored"], abs(data["swaps"][0]["work"])), (false, plain["energy"], data["swaps"]))


def test_modifiers():
    plain = run("")[1]
    damped = run(CALM)[1]
    off = run(CALM, schedule=entry("at_step = 0", 'modifiers = { calm = "off"; };'))[1]
    tap.check("a modifier is switched off", off["state_sha256"] == plain["state_sha256"] !=
              damped["state_sha256"])
    on = run("", schedule=entry("at_step = 0", CALM))[1]
    tap.check("one comes into a run that had none", on["state_sha256"] == damped["state_sha256"], on["swaps"])
    back = run(CALM, schedule=entry("at_step = 0", 'modifiers = { calm = "off"; };') + ", " +
               entry("at_step = 0", CALM))[1]
    tap.check("and back", back["state_sha256"] == damped["state_sha256"])


def test_observers():
    first = 'observers = { log = { plugin = "csv"; every_steps = 100; file = "first"; }; };'
    second = first.replace("first", "second")
    plain = run("")[1]
    _, data, files = run(first, "-o", "out", schedule=entry("at_step = 200", second))
    rows = {name: [line.split(",")[0] for line in text.splitlines()[1:]] for name, text in files.items()}
    tap.check("an observer goes, another comes", sorted(files) == ["first.csv", "second.csv"] and
              rows["first.csv"] == ["0", "100", "200"] and rows["second.csv"] == ["300", "400"], files)
    tap.check("the state does not know", data["state_sha256"] == plain["state_sha256"])
    said, data, files = run(first, "-o", "out", schedule=entry("at_step = 200", first, GO_ON))
    tap.check("a file that was written keeps its rows: the same name is refused",
              "until step 200) writes first.csv already" in said and not data["swaps"][0]["done"] and
              len(files["first.csv"].splitlines()) == 6, said + str(files))
    _, data, files = run(first, "-o", "out", schedule=entry("at_step = 100", 'observers = { log = "off"; };'))
    tap.check("one is switched off", len(files["first.csv"].splitlines()) == 3, files)
    _, data, files = run("", "-o", "out", schedule=entry("at_step = 150", first))
    tap.check("one comes into a run that had none", len(files["first.csv"].splitlines()) >= 3, files)


def test_restart():
    """Other laws of a continued run change the stored energy: it is work, as at a swap."""
    with tempfile.TemporaryDirectory() as top:
        (pathlib.Path(top) / "scene.cfg").write_text(SCENE.format(more=""), encoding="utf-8")
        first = json.loads(scree(top, "run", "scene.cfg", "-q", "--json", "--steps", "110", "-o", "first").stdout)["energy"]
        for kn, name in (("1.0e4", "no other value"), ("2.0e4", "twice the stiffness")):
            seen = scree(top, "run", "scene.cfg", "--restart", "first", "-q", "--json", "--steps", "30", "--set", f"force.kn={kn}")
            energy = json.loads(seen.stdout)["energy"]
            work, expected = energy["work"] - first["work"], first["stored"] * (float(kn) / 1.0e4 - 1.0)
            tap.check(f"with {name} the work is the change of kn depth^2 / 2 and kt spring^2 / 2",
                      abs(work - expected) <= 1e-5 * expected and ("booked as work" in seen.stderr) == (expected > 0.0),
                      (work, expected, seen.stderr))
            tap.check(f"with {name} the account closes", abs(energy["residual"] - first["residual"]) < 0.1 * first["stored"],
                      (energy, first))
        past = ("--set", 'schedule=({at_step=50; set={force={kn=2.0e4;};};},{at_step=120; set={force={kn=2.0e4;};};})')
        seen = scree(top, "run", "scene.cfg", "--restart", "first", "-q", "--steps", "30", "-o", "past", *past)
        data = json.loads((pathlib.Path(top) / "past/summary.json").read_text(encoding="utf-8"))
        tap.check("an entry whose moment is past is reported at the start, in the table and in summary.json",
                  "schedule[0] (at_step 50) does not act: its moment is before step 110" in seen.stderr and
                  "schedule[1]" not in seen.stderr and re.search(r"the entry of .* never acted: at_step 50$", seen.stdout, re.M)
                  and data["never_acted"] == ["at_step 50"] and len(data["swaps"]) == 1, seen)


REFUSED = [
    ("at_step = 3", 'gcd = { plugin = "gird"; };', r"scene\.cfg:\d+: .*no plugin gcd/gird.*grid"),
    ("at_step = 3", 'force = { plugin = "linear"; kn = -2.0; };', r"kn: expected 0 < value <= 1e\+30 N/m, got -2"),
    ("at_step = 3", 'force = { plugin = "linear"; stiffness = 2.0; };', r"unknown key.*stiffness|stiffness.*unknown"),
    ("at_step = 3", "", r"set: it is empty"),
    ("at_step = 3", 'gdc = { plugin = "grid"; };', r"gdc.*gcd"),
    ("at_step = 3; at_time = 1.0", PAIRING, r"one of at_step, at_time, when, got more than one"),
    ("at_step = -3", PAIRING, r"at_step.*-3"),
    ('when = "kinetics < 3"', PAIRING, r"expected a quantity, got \"kinetics\"; did you mean \"kinetic\"\?"),
    ('when = "kinetic = 3"', PAIRING, r"one of < <= > >="),
    ('when = "kinetic < 3 m"', PAIRING, r"kinetic < 3 m'.*m"),
    ('when = ""', PAIRING, r"when: it is empty"),
    ("at_step = 3", 'integrator = { orientation = "all"; };', r"orientation.*is not live.*plugin = \"velocity_verlet\""),
    ("at_step = 3", 'modifiers = { calm = "off"; };', r"there is no modifiers\.calm to switch off"),
    ("at_step = 3", 'modifiers = { calm = "stop"; };', r"modifiers\.calm: expected \"off\" or a group \{ plugin = \"\.\.\"; \.\. \}, got \"stop\"\n"),
    ("at_step = 3", 'modifiers = { calm = { alpha = 0.3; }; };', r"modifiers\.calm has no plugin"),
]


def test_forecast():
    """Laws that do not serve a pair of types are refused before a run of hours meets them."""
    some = 'force = { plugin = "linear"; kn = 1.0e4; between = ["sphere", "sphere"]; };'
    for command in (VALIDATE, RUN):
        said = run("", schedule=entry("at_step = 300", some), command=command, check=2)[0]
        tap.check(f"{command[0]} refuses a law that leaves out a pair", re.search(
            r"^scree: scene\.cfg:\d+: schedule\[0\] \(at_step 300\): no force law of the scene acts on sphere against "
            r"plane: expected a law whose `between`", said), said)
    both = entry("at_step = 300", some.replace('"sphere", "sphere"', '["sphere", "sphere"], ["sphere", "plane"]')
                 .replace("= [[", "= ([").replace("]];", "]);"))
    said = run("", schedule=both, command=VALIDATE)[0]
    tap.check("and not one that has them all", said == "", said)
    said = run("", schedule=entry("at_step = 300", "scene = { dt = 1.0; };"), command=VALIDATE)[0]
    tap.check("validate warns of a dt that would be refused", "at the start it would be refused: scene.dt = 1 s" in said, said)


def test_long_step():
    """A kept dt that a new law cannot follow is refused as at the start, also where dt is "auto"."""
    auto = ("--set", 'scene.dt="auto"')
    wild, near = (entry("at_step = 300", STIFF.replace("2.0e4", kn), GO_ON) for kn in ("1.0e8", "3.0e4"))
    said, data, _ = run("", *auto, schedule=wild)
    tap.check("a run with dt = auto refuses a law for which its dt is too long", not data["swaps"][0]["done"] and
              re.search(r"times the critical step of one contact.*would blow up", data["swaps"][0]["refused"]), said)
    said = run("", *auto, schedule=wild, command=VALIDATE)[0]
    tap.check("and validate warns of it", re.search(r"^scree: warning: scene\.cfg:\d+: schedule\[0\] \(at_step 300\): at "
              r"the start it would be refused: scene\.dt = .* times the critical step", said), said)
    said = run("", *auto, "--set", "scene.dt_fraction=0.9", schedule=near, command=VALIDATE)[0]
    tap.check("and of a dt above the critical step", re.search(r"^scree: warning: scene\.cfg:\d+: schedule\[0\] "
              r"\(at_step 300\): dt = .* is above the critical step of its laws, ", said), said)
    said = run("", *auto, schedule=entry("at_step = 300", STIFF.replace("2.0e4", "1.0e8") + ' scene = { dt = "auto"; };'),
               command=VALIDATE)[0]
    tap.check("a dt that is chosen with the law is not refused", said == "", said)


DEAD = [
    ("at_step = 400", r"schedule\[0\] \(at_step 400\): it can never act.*scene\.steps = 400"),
    ('at_time = "4 ms"', r"schedule\[0\] \(at_time 0\.004 s\): it can never act"),
    ('when = "kinetic > 0 and time > 0.1 s"', r"schedule\[0\] \(kinetic > 0 and time > 0\.1 s\): it can never act"),
    ('when = "step >= 400 or step >= 500"', r"it can never act"),
    ('when = "kinetic < 1 and kinetic > 2"', r"'kinetic < 1 and kinetic > 2' never holds: it contradicts itself"),
    ('when = "mass < 1 and mass >= 1 or free > 3 and free < 2"', r"never holds"),
    ('when = "kinetic < -1"', r"schedule\[0\]\.when: 'kinetic < -1' never holds: kinetic is 0 or more"),
    ('when = "contacts < 0 or mean(free, 1 ms) <= -2"', r"never holds: mean\(free, 1 ms\) is 0 or more"),
]
ALIVE = ["at_step = 399", 'at_time = "3.99 ms"', 'when = "step >= 399"; every = 1', 'when = "kinetic <= 1 and kinetic >= 1"',
         'when = "contacts <= 0"', 'when = "work < -1 or stored < -1"', 'when = "kinetic < 1 and max_speed > 2"', 'when = "kinetic < 1 and kinetic > 2 or free > 0"']


def test_dead():
    """An entry that can never act is an error, unless the command gives the length of the run."""
    for moment, said in DEAD:
        for command in (RUN, VALIDATE):
            seen = run("", schedule=entry(moment, PAIRING), command=command, check=2)[0]
            tap.check(f"{command[0]} refuses an entry that can never act: {moment}",
                      re.search(r"scene\.cfg:\d+: .*" + said, seen), seen)
    table = 'observers = { s = { plugin = "csv"; every_steps = 100; }; };'
    for when, dead in (("s.kinetic > 3 J and s.kinetic < 1000 mJ", True), ("s.kinetic > 3 and s.kinetic < 4000 mJ", False),
                       ("mean(s.kinetic, 1 ms) > 3 and s.kinetic < 1", False), ("s.kinetic > 3 and s.lost < 1", False)):
        for more, at in (("", entry(f'when = "{when}"', PAIRING)), (f'stop = ( {{ when = "{when}"; after = 1e-5; }} );', None)):
            seen = run(table + more, schedule=at, command=VALIDATE, check=2 if dead else 0)[0]
            tap.check(f"columns of observers follow the rule of figures: {when}", seen == "" if not dead else
                      re.search(r"^scree: scene\.cfg:\d+: .*never holds: it contradicts itself$", seen, re.M), seen)
    for moment in ALIVE:
        tap.check(f"an entry that can act: {moment}", run("", schedule=entry(moment, PAIRING), command=VALIDATE)[0] == "")
    for length in (("--steps", "300"), ("--steps", "500"), ("--until", "3 ms"), ("--for", "1 ms")):
        seen, data, _ = run("", *length, schedule=entry("at_step = 450", PAIRING))
        tap.check(f"a length from the command refuses no entry: {' '.join(length)}",
                  len(data["swaps"]) == (length[1] == "500"), seen)
    seen, data, _ = run("", schedule=entry("at_step = 2", "scene = { dt = 2.0e-5; };") + ", " +
                        entry('at_time = "6 ms"', PAIRING))
    tap.check("with a dt that changes no time is out of reach", len(data["swaps"]) == 2, data["swaps"])


def test_stop():
    """A refusal ends the run with status 1 and a summary, or lets it go on."""
    wild = STIFF.replace("2.0e4", "1.0e9")
    watch = 'observers = { log = { plugin = "csv"; every_steps = 1; file = "log"; }; };'
    with tempfile.TemporaryDirectory() as top:
        path = pathlib.Path(top) / "scene.cfg"
        path.write_text(SCENE.format(more=watch + f"schedule = ( {entry('at_step = 100', wild)} );"), encoding="utf-8")
        seen = scree(top, "run", "scene.cfg", "-q", "-o", "out")
        tap.check("a refused entry ends the run with status 1", seen.returncode == 1 and re.search(
            r"^scree: scene\.cfg:\d+: schedule\[0\] \(at_step 100\) was refused, which ended the run.*if_refused",
            seen.stderr, re.M), seen)
        tap.check("the summary names the refusal", "0 done, 1 refused" in seen.stdout and
                  "step 100 (at_step 100): refused: " in seen.stdout and
                  "the refusal of schedule[0] has ended the run" in seen.stdout, seen.stdout)
        data = json.loads((pathlib.Path(top) / "out/summary.json").read_text(encoding="utf-8"))
        rows = (pathlib.Path(top) / "out/log.csv").read_text(encoding="utf-8").splitlines()
        tap.check("the run ends after the step, with the files of observers", data["stopped"] and data["steps"] == 101
                  and len(rows) == 1 + 102 and data["swaps"][0]["refused"], (data["steps"], len(rows)))
        again = scree(top, "run", "--restart", "out", "-q", "--json", "-o", "rest")
        plain = run("")[1]
        tap.check("its last state is saved, and the run goes on from it", again.returncode == 0 and
                  json.loads(again.stdout)["state_sha256"] == plain["state_sha256"], again)
    said, data, _ = run("", schedule=entry("at_step = 399", wild, GO_ON))
    tap.check("with go_on it goes on", data["steps"] == 400 and not data["stopped"] and not data["swaps"][0]["done"], said)
    run("", schedule=entry("at_step = 399", wild), check=1)
    seen = run("", schedule=entry("at_step = 3", PAIRING, 'if_refused = "goon";'), check=2)[0]
    tap.check("another word gives the nearest", "go_on" in seen and "goon" in seen, seen)


def test_refused():
    for moment, what, said in REFUSED:
        seen, _, _ = run("", schedule=entry(moment, what), check=2)
        tap.check(f"refused: {moment}: {what}", re.search(said, seen, re.S), seen)
    more = "material_pairs = ( { between = [\"glass\", \"glass\"]; friction = 0.2; } );"
    seen, _, _ = run(more, schedule=entry("at_step = 3", "force = { friction = 0.1; };"), check=2)
    tap.check("values of materials come first: reported, not ignored", "comes before this" in seen, seen)


def test_several_laws():
    """A group without plugin changes parameters only: the other laws of the list stay."""
    laws = '{ plugin = "linear"; kn = 1.0e4; friction = 0.4; restitution = 0.6; }, { plugin = "rolling"; rolling_friction = 0.1; }'
    both = ("--set", f"force=( {laws} )")
    for what in ("force = { friction = 0.1; };", "force = ( { friction = 0.1; } );"):
        seen = run("", *both, schedule=entry("at_step = 100", what), check=2)[0]
        tap.check(f"with two laws it is an error that shows the list: {what}", re.search(
            r"^scree: scene\.cfg:\d+: schedule\[0\]\.set\.force: force has 2 plugins \(linear, rolling\).*"
            r"force = \( \{ \.\. \}, \{ \} \)", seen, re.M), seen)
    _, live, _ = run("", *both, schedule=entry("at_step = 100", "force = ( { friction = 0.1; }, { } );"))
    _, named, _ = run("", *both, schedule=entry("at_step = 100", f"force = ( {laws.replace('0.4', '0.1')} );"))
    tap.check("the list that it shows changes the one parameter", live["state_sha256"] == named["state_sha256"] and
              [c["to"] for c in live["swaps"][0]["changes"]] == ["linear", "rolling"], (live["swaps"], named["swaps"]))
    _, alone, _ = run("", *both, schedule=entry("at_step = 100", "force = ( { plugin = \"linear\"; kn = 1.0e4; } );"))
    tap.check("a list of named plugins takes the others out", [c["to"] for c in alone["swaps"][0]["changes"]] ==
              ["linear", None], alone["swaps"])


def test_named_pairs():
    """Pairs that material_pairs names keep their value; the others take the new one."""
    pairs = 'material_pairs = ( { between = ["glass", "steel"]; friction = 0.4; } );'
    sets = ("--set", "materials.steel={ density = 7800.0; }", "--set", 'bodies.floor.material="steel"',
            "--set", 'bodies.a.material="glass"', "--set", 'bodies.b.material="glass"')
    plain = run(pairs, *sets)[1]
    same = run(pairs, *sets, schedule=entry("at_step = 3", "force = { friction = 0.4; };"))[1]
    other = run(pairs, *sets, schedule=entry("at_step = 3", "force = { friction = 0.0; };"))[1]
    all_of = run("", schedule=entry("at_step = 3", "force = { friction = 0.0; };"))[1]
    tap.check("a live change next to material_pairs acts", len(other["swaps"]) == 1 and
              same["state_sha256"] == plain["state_sha256"] != other["state_sha256"], other["swaps"])
    tap.check("on pairs that are not named there", other["energy"]["lost"] > all_of["energy"]["lost"],
              (other["energy"], all_of["energy"]))
    # The floor is the only body of steel: steel never meets steel, and its own value has no effect.
    met = pairs.replace(" );", ', { between = ["glass", "glass"]; friction = 0.3; } );')
    for command in (VALIDATE, RUN):
        seen = run(met, *sets, schedule=entry("at_step = 3", "force = { friction = 0.0; };"), command=command, check=2)[0]
        tap.check(f"{command[0]}: a value that material_pairs give for all pairs that meet is an error with both places",
                  re.search(r"^scree: scene\.cfg:\d+: schedule\[0\]\.set\.force\.friction: material_pairs\[\d\]\.friction "
                            r"\(scene\.cfg:\d+\) comes before this, which has no effect", seen, re.M), seen)
    seen, data, _ = run(met, *sets, schedule=entry("at_step = 3", "force = { kn = 2.0e4; };"))
    tap.check("next to such values another parameter changes", len(data["swaps"]) == 1 and data["swaps"][0]["done"], seen)
    feed = ('modifiers = { feed = { plugin = "insert"; body = { material = "steel"; radius = "1 mm"; }; '
            'number_rate = 100.0; region = { min = (0.0, 0.01, 0.02); max = (0.01, 0.02, 0.03); }; }; };')
    seen, data, _ = run(met, *sets, schedule=entry("at_step = 3", "force = { friction = 0.0; };") + ", " +
                        entry("at_step = 300", feed))
    tap.check("bodies that a later entry makes count, too", len(data["swaps"]) == 2, seen)


ROW = """scene = {{ dt = 5.0e-6; steps = 4000; {region} }};
materials = {{ m = {{ density = 1000.0; }}; }};
bodies = {{ a = {{ radius = 0.01; position = (0.0, 0.0, 0.0); velocity = ({v}, 0.0, 0.0); }};
    b = {{ radius = 0.01; position = (0.01999, 0.0, 0.0); }};
    c = {{ radius = 0.01; position = (0.03998, 0.0, 0.0); velocity = (-{v}, 0.0, 0.0); }}; }};
force = ( {laws} );
schedule = ( {schedule} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 4000; }}; }};
"""
PUSH = '{ plugin = "linear"; kn = 1e2; }'
BOND = '{ plugin = "bonded"; bond_modulus = 1e6; }'
BONDS = BOND.replace("; }", "; bonds = { gap = 0.0; }; }")


# Ball a begins at x = 1 m; its neighbours lie past the border.
ACROSS = 'boundary = ("periodic", "open", "open"); region = { min = (0.005, -1.0, -1.0); max = (1.005, 1.0, 1.0); };'


def row(laws, schedule="", v=0.0, region=""):
    """Three balls that overlap by 1e-5 m, in a row: by how much it is longer at the end, result, messages."""
    with tempfile.TemporaryDirectory() as top:
        path = pathlib.Path(top) / "scene.cfg"
        path.write_text(ROW.format(laws=laws, schedule=schedule, v=v, region=region), encoding="utf-8")
        (pathlib.Path(top) / "bonds.csv").write_text("# a b\n1 2\n2 3\n", encoding="utf-8")
        seen = scree(top, "run", "scene.cfg", "-q", "--json", "-o", "out")
        if seen.returncode:
            return None, {}, seen.stderr
        lines = [line.split(",") for line in (pathlib.Path(top) / "out/bodies.csv").read_text(encoding="utf-8").splitlines()]
    name, x = lines[0].index("name"), lines[0].index("x")
    x = {line[name]: float(line[x]) for line in lines[1:]}
    return (x["c"] - x["a"]) % 1.0 - 0.03998, json.loads(seen.stdout), seen.stderr


def test_bonds():
    both, longer = f"{PUSH}, {BONDS}", 4e-5
    held, plain, _ = row(both)
    free, _, _ = row(PUSH)
    tap.check("balls that overlap part, bonds hold them", abs(held) < 1e-6 and free > longer, (held, free))
    for name, what in (("a contact detection that is switched keeps bonds", PAIRING),
                       ("the law in its own slot again, with its bonds, keeps the bonds", f"force = ( {both} );"),
                       ("the law in its own slot again, without a key bonds, keeps the bonds", f"force = ( {PUSH}, {BOND} );")):
        _, data, said = row(both, entry("at_step = 10", what))
        tap.check(name + ", bit for bit", data and data["swaps"][0]["done"] and
                  data["state_sha256"] == plain["state_sha256"], said)
    for laws in (both, both.replace("gap = 0.0", 'list = "bonds.csv"')):
        across = row(laws, region=ACROSS)[0]
        tap.check("bonds are made across a periodic border too, by a gap or a list", abs(across) < 1e-6, across)
    off = entry("at_step = 10", f"force = ( {PUSH} );")
    tap.check("a law that is taken out takes its bonds along", row(both, off)[0] > longer, row(both, off)[0])
    moved = row(both, entry("at_step = 10", f"force = ( {BOND}, {PUSH} );"))[0]
    tap.check("in another slot the law does not know its bonds", moved > longer, moved)
    come = row(PUSH, entry("at_step = 10", f"force = ( {both} );"))[0]
    tap.check("a law that comes makes its bonds", abs(come) < 1e-6, come)
    back = row(both, off + ", " + entry("at_step = 40", f"force = ( {both} );"))[0]
    tap.check("a law that is back makes its bonds again", abs(back) < 1e-6, back)
    gone = row(both, off + ", " + entry("at_step = 40", f"force = ( {PUSH}, {BOND} );"))[0]
    tap.check("a law that is back without a key bonds has none", gone > longer, gone)
    # Pressed together meanwhile: bonds that are made again hold nothing as they begin.
    _, data, said = row(both, off + ", " + entry("at_step = 400", f"force = ( {both} );"), v=0.02)
    swaps = data.get("swaps", [])
    tap.check("bonds that are made again are without force as they begin", len(swaps) == 2 and swaps[1]["done"] and
              swaps[1]["force_difference"] < 1e-12 * swaps[1]["largest_force"], (swaps, said))


def test_all():
    test_moments()
    test_laws()
    test_rolling()
    test_modifiers()
    test_observers()
    test_forecast()
    test_long_step()
    test_restart()
    test_dead()
    test_stop()
    test_refused()
    test_several_laws()
    test_named_pairs()
    test_bonds()


if __name__ == "__main__":
    tap.finish(test_all)
