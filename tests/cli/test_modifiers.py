# SPDX-License-Identifier: Apache-2.0
"""Refusals of modifiers: a clear text with file and line, and status 2, from validate and (a few) from run.

usage: test_modifiers.py SCREE
"""
import csv
import json
import math
import re

import tap
from runs import scree


SCENE = """scene = {{ {scene} dt = 1.0e-5; steps = 20; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ wall = {{ type = "plane"; normal = {normal}; }}; }};
bodies = {{
    beads = {{ radius = "2 mm"; position = {position}; }};
    wall = {{ shape = "wall"; motion = "kinematic"; }};
    floor = {{ shape = "wall"; }};
}};
force = {{ plugin = "linear"; kn = 1.0e4; }};
modifiers = {{
    m = {{ plugin = "{plugin}"; {keys} }};
}};
"""
MOVE = 'motion = "{}"; groups = "{}"; {}'.format
TURN = 'axis = (0.0, 0.0, 1.0); rate = 3.0;'
SHAKE = 'direction = (0.0, 0.0, 1.0); amplitude = 0.01; frequency = {};'.format

PRESS = 'groups = "wall"; direction = (0.0, 0.0, 1.0); '

# plugin, keys, message
REFUSED = [
    ("move", MOVE("rotation", "wals", TURN), r"no group \"wals\" in bodies or generate; did you mean \"wall\"\?"),
    ("move", MOVE("rotation", "beads", TURN),
     r'expected kinematic bodies in group "beads", got body \d+, which is free'),
    ("move", MOVE("rotation", "floor", TURN),
     r'expected kinematic bodies in group "floor", got body \d+, which is fixed'),
    ("move", 'motion = "rotation"; groups = ("wall", "beads"); ' + TURN, r'kinematic bodies in group "beads"'),
    ("move", 'motion = "rotation"; ' + TURN, r"the key groups is missing"),
    ("move", 'groups = "wall"; ' + TURN, r"the key motion is missing"),
    ("move", MOVE("spin", "wall", TURN), r'motion: expected one of translation, rotation, .*, got "spin"'),
    ("move", MOVE("rotation", "wall", "axis = (0.0, 0.0, 0.0); rate = 1.0;"),
     r"axis: expected a direction, got \(0, 0, 0\)"),
    ("move", MOVE("rotation", "wall", "axis = (1.0, 0.0); rate = 1.0;"),
     r"axis: expected a vector of 3 components, got 2"),
    ("move", MOVE("rotation", "wall", "axis = (0.0, 0.0, 1.0);"),
     r"the key rate \(or period\) is missing, which a rotation needs"),
    ("move", MOVE("rotation", "wall", TURN + " period = 2.0;"), r"rate or period, not both"),
    ("move", MOVE("rotation", "wall", "axis = (0.0, 0.0, 1.0); period = 0.0;"), r"period: expected > 0 s, got 0"),
    ("move", MOVE("vibration", "wall", SHAKE(-5.0)), r"frequency: expected > 0 1/s, got -5"),
    ("move", MOVE("vibration", "wall", SHAKE('"5 m"')), r"frequency.*m"),
    ("move", MOVE("vibration", "wall", SHAKE(5.0) + " velocity = (1.0, 0.0, 0.0);"),
     r"velocity has no effect on a vibration: take it out"),
    ("move", MOVE("translation", "wall", ""), r"the key velocity is missing"),
    ("move", MOVE("translation", "wall", 'velocity = (1.0, 0.0, 0.0); frame = "body";'),
     r"frame has no effect on a translation"),
    ("move", MOVE("conveyor", "wall", "velocity = (1.0, 0.0, 0.0); start = 2.0; end = 1.0;"),
     r"end = 1 s is not after start = 2 s"),
    ("drag", "", r"the key density is missing, which law = \"schiller_naumann\" needs"),
    ("drag", 'law = "stokes"; viscosity = -1.0;', r"viscosity: expected > 0 Pa s, got -1"),
    ("drag", 'law = "stokes"; viscosity = 1.0; buoyancy = true;',
     r"the key density is missing, which buoyancy needs"),
    ("drag", 'law = "constant"; density = 1.0; coefficient = 0.4; viscosity = 1.0;',
     r"viscosity has no effect with law = \"constant\""),
    ("drag", 'law = "stokes"; viscosity = 1.0; groups = "none";', r'no group "none"'),
    ("drag", 'law = "stokes"; viscosity = 1.0; every_steps = 10;',
     r"acts at every evaluation: every_steps and every_time have no effect"),
    ("lock", 'groups = "none";', r'no group "none" in bodies or generate'),
    ("lock", 'translation = "xw";', r'translation = "xw": expected letters of "xyz", each once'),
    ("lock", 'rotation = "zz";', r'rotation = "zz": expected letters of "xyz", each once'),
    ("lock", 'translation = "";', r"name no axis: it locks nothing"),
    ("lock", "start = 1.0; end = 0.5;", r"end = 0\.5 s is not after start = 1 s"),
    ("freeze", "at_time = 1.0; at_step = 3;", r"at_time or at_step, not both"),
    ("freeze", "at_time = 1.0; release_time = 0.5;", r"release_time = 0\.5 s is not after at_time = 1 s"),
    ("freeze", "at_step = 5; release_step = 5;", r"release_step = 5 is not after at_step = 5"),
    ("freeze", "at_step = -1;", r"at_step: expected >= 0, got -1"),
    ("freeze", 'groups = "nobody";', r'no group "nobody"'),
    ("tether", "", r"the key stiffness is missing"),
    ("tether", "stiffness = -1.0;", r"stiffness: expected >= 0 N/m, got -1"),
    ("tether", 'stiffness = "1 N";', r"stiffness.*N/m"),
    ("tether", 'stiffness = 1.0; axes = "q";', r'axes = "q": expected letters of "xyz"'),
    ("gravity", "", r"it adds nothing: give vector, file, rate or rate_file"),
    ("gravity", "vector = (0.0, 1.0);", r"vector: expected 3 numbers, 3 for each of times.*got 2"),
    ("gravity", "vector = (0.0, 0.0, 1.0, 0.0, 0.0, 2.0); times = (0.0, 2.0, 1.0);", r"expected 9 numbers.*got 6"),
    ("gravity", "vector = (0.0, 0.0, 1.0, 0.0, 0.0, 2.0); times = (1.0, 1.0);",
     r"create: times must ascend, but 1 s follows 1 s"),
    ("gravity", "times = (0.0, 1.0);", r"times is given, but vector is missing"),
    ("gravity", "rate = (3.0);", r"the key axis is missing, about which the frame turns"),
    ("gravity", "rate = (3.0); axis = (0.0, 0.0, 0.0);", r"axis: expected a direction, got \(0, 0, 0\)"),
    ("gravity", "vector = (0.0, 0.0, 1.0); axis = (0.0, 0.0, 1.0);", r"have no effect without rate"),
    ("gravity", 'rate = (3.0); axis = (0.0, 0.0, 1.0); mode = "replace";', r"needs vector or file"),
    ("gravity", 'file = "no-such.csv";', r"no-such\.csv: No such file"),
    ("gravity", 'file = "times.csv";', r"times\.csv:3: expected 4 finite numbers, the time and 3 by it, got \"1, 2, 3\""),
    ("gravity", 'file = "back.csv";', r"file: back\.csv:3: times must ascend, but 1 s follows 2 s"),
    ("servo", PRESS + 'max_speed = 1.0; force_file = "nan.csv";',
     r"force_file: nan\.csv:1: expected 2 finite numbers, .* got \"nan 1\""),
    ("servo", PRESS + "force = 1.0;", r"the key max_speed is missing"),
    ("servo", PRESS + "max_speed = 1.0;", r"expected one of force, forces.* got none"),
    ("servo", PRESS + "max_speed = 1.0; force = 1.0; pressure = 1.0;", r"expected one of .* got more"),
    ("servo", PRESS + "max_speed = 0.0; force = 1.0;", r"max_speed: expected > 0 m/s, got 0"),
    ("servo", PRESS + "max_speed = 1.0; force = 1.0; gain = 0.0;", r"gain: expected 0 < value <= 1, got 0"),
    ("servo", PRESS + "max_speed = 1.0; force = 1.0; gain = 1.5;", r"gain: expected 0 < value <= 1, got 1\.5"),
    ("servo", PRESS + "max_speed = 1.0; forces = (1.0, 2.0); times = (1.0, 0.0);",
     r"create: times must ascend, but 0 s follows 1 s"),
    ("servo", PRESS + "max_speed = 1.0; forces = (1.0, 2.0);", r"forces: expected 1 numbers.*got 2"),
    ("servo", PRESS + "max_speed = 1.0; force = 1.0; times = (0.0);", r"times has no effect without"),
    ("servo", PRESS + "max_speed = 1.0; force = 1.0; area = 2.0;", r"area has no effect on a force"),
    ("servo", PRESS + 'max_speed = 1.0; pressure = 1.0; across = ("wall", "floor");',
     r"across: expected 4 groups, two by two the walls next to these, got 2"),
    ("servo", 'groups = "beads"; direction = (0.0, 0.0, 1.0); max_speed = 1.0; force = 1.0;',
     r'expected kinematic bodies in group "beads", got body \d+, which is free'),
    ("servo", 'groups = "floor"; direction = (0.0, 0.0, 1.0); max_speed = 1.0; force = 1.0;',
     r"expected kinematic bodies in group .*, got body \d+, which is fixed"),
    ("servo", 'groups = "wall"; direction = (0.0, 0.0, 0.0); max_speed = 1.0; force = 1.0;',
     r"direction: expected a direction, got \(0, 0, 0\)"),
    ("damping", "alpha = 1.5;", r"alpha: expected 0 <= value <= 1, got 1\.5"),
    ("damping", "alhpa = 0.5;", r"alhpa.*alpha"),
]
REFUSED_2D = [
    ("move", MOVE("rotation", "wall", TURN), r"axis: in 2D a rotation is about z"),
    ("move", MOVE("translation", "wall", "velocity = (1.0, 0.0, 2.0);"),
     r"velocity: expected a vector of 2 components, got 3"),
    ("lock", 'translation = "z";', r'translation = "z": expected letters of "xy" \(in 2D\)'),
    ("lock", 'rotation = "x";', r'rotation = "x": expected letters of "z" \(in 2D\)'),
    ("gravity", "rate = (1.0); axis = (0.0, 1.0);", r"axis: in 2D the frame turns about z"),
]

# found by a run: plugin, keys, message
FAILS = [
    ("servo", 'groups = "wall"; direction = (0.0, 0.0, -1.0); max_speed = 1.0; force = 1.0;',
     r"finds nothing to press on: no free body is ahead of the walls.*expected a body there"),
    ("servo", PRESS + "max_speed = 1.0; pressure = 1.0;", r"pressure needs an area.*give area, or across"),
    ("tether", "stiffness = 0.0; torsion_stiffness = 1.0;",
     r"the integrator does not turn body \d+, which spins: give integrator.orientation = \"all\""),
]


def write(top, plugin, keys, flat=False):
    (top / "scene.cfg").write_text(SCENE.format(
        plugin=plugin, keys=keys, scene="dimension = 2;" if flat else "",
        normal="(0.0, 1.0)" if flat else "(0.0, 0.0, 1.0)",
        position="(0.0, 0.01)" if flat else "(0.0, 0.0, 0.01)"))


def test_refused(top, table, flat):
    for k, (plugin, keys, said) in enumerate(table):
        write(top, plugin, keys, flat)
        for command in ("validate",) if k % 8 else ("validate", "run"):
            result = scree(top, command, "scene.cfg")
            tap.check(f"{command}: modifier/{plugin} {{ {keys} }} is refused with file and line",
                      result.returncode == 2 and re.search(said, result.stderr)
                      and "scene.cfg:1" in result.stderr, result)


def test_taken(top):
    good = [("move", MOVE("rotation", "wall", TURN), False),
            ("move", MOVE("rotation", "wall", "rate = -3.0;"), True),
            ("move", MOVE("vibration", "wall", SHAKE('"50 Hz"')), False),
            ("move", MOVE("conveyor", "wall", "velocity = (1.0, 0.0, 0.0);"), True)]
    for plugin, keys, flat in good:
        write(top, plugin, keys, flat)
        result = scree(top, "run", "scene.cfg", "-q")
        tap.check(f"run: modifier/{plugin} {{ {keys} }} is taken in {'2D' if flat else '3D'}",
                  result.returncode == 0, result)
    write(top, "drag", 'law = "stokes"; viscosity = 1.0;', True)
    result = scree(top, "run", "scene.cfg", "-q")
    tap.check("run: drag names a body that is flat", result.returncode == 1
              and re.search(r"body \d+ is flat; these laws are of spheres", result.stderr), result)


def test_runs_that_fail(top):
    for plugin, keys, said in FAILS:
        write(top, plugin, keys)
        scene = top / "scene.cfg"
        scene.write_text(scene.read_text().replace('"2 mm";', '"2 mm"; spin = (1.0, 0.0, 0.0);'))
        result = scree(top, "run", "scene.cfg", "-q")
        tap.check(f"run: modifier/{plugin} {{ {keys} }} fails and says why",
                  result.returncode in (1, 2) and re.search(said, result.stderr), result)
    write(top, "servo", 'groups = "wall"; direction = (0.0, 0.0, -1.0); max_speed = 1.0; force = 1.0; nothing = "wait";')
    result = scree(top, "run", "scene.cfg")
    seen = result.stdout + result.stderr
    tap.check("run: planes that move are counted as kinematic", "1 free, 1 kinematic, 1 fixed" in seen, result)
    tap.check("run: a servo that finds nothing may wait; an event counts it",
              result.returncode == 0 and re.search(r"m: .*searches 1\b", seen)
              and re.search(r"servo_finds_nothing\D+1\b", seen), result)


def test_files(top):
    """A table from a CSV file gives the state that lists give."""
    (top / "g.csv").write_text("# weight\ntime, x, y, z\n0.0, 0.0, 0.0, 0.0\n\n1e-4; 1.0; 2.0; 3.0 # end\n")
    (top / "f.csv").write_text("0 0\n1.0e-4 5.0\n")
    pairs = [("gravity", 'file = "g.csv";', "vector = (0.0, 0.0, 0.0, 1.0, 2.0, 3.0); times = (0.0, 1e-4);"),
             ("servo", PRESS + 'max_speed = 1.0; force_file = "f.csv";',
              PRESS + "max_speed = 1.0; forces = (0.0, 5.0); times = (0.0, 1e-4);")]
    for plugin, file, lists in pairs:
        found = []
        for keys in (file, lists, lists.replace("5.0", "0.0").replace("2.0", "2.5")):
            write(top, plugin, keys)
            result = scree(top, "run", "scene.cfg", "-q", "--json")
            found.append(json.loads(result.stdout)["state_sha256"] if result.returncode == 0 else result)
        tap.check(f"run: modifier/{plugin}: a CSV file gives the bits that lists give", found[0] == found[1] != found[2], found)


def test_idle(top):
    """Forces on walls do nothing, and a note says so."""
    for keys, idle in (('groups = ("wall", "beads", "floor");', ["wall", "floor"]), ("", []), ('groups = "beads";', [])):
        write(top, "lock", keys)
        result = scree(top, "run", "scene.cfg", "-q")
        seen = re.findall(r"scene.cfg:\d+.*no body of group '(\w+)' is free: modifier/lock.* does nothing", result.stderr)
        tap.check(f"run: a lock {{ {keys} }} names the groups without a free body: {idle}",
                  result.returncode == 0 and seen == idle, result)


def test_order(top):
    """A lock cancels what modifiers after it in the scene add."""
    push = 'push = { plugin = "gravity"; vector = (1.0, 2.0, 3.0); };'
    for before in (True, False):
        write(top, "lock", "")
        scene = top / "scene.cfg"
        lines = scene.read_text().splitlines()
        lines.insert(-2 if before else -1, push)
        scene.write_text("\n".join(lines))
        result = scree(top, "run", "scene.cfg", "-q", "--json")
        energy = json.loads(result.stdout)["energy"] if result.returncode == 0 else {}
        tap.check(f"run: a lock {'after' if before else 'before'} a modifier that pushes holds all the same",
                  energy.get("kinetic") == 0.0 and energy.get("work") == 0.0, result)


MIXED = """scene = { dt = 1.0e-5; steps = 100; region = { min = (-1.0, -1.0, -1.0); max = (1.0, 1.0, 1.0); };
    boundary = "destroy"; };
materials = { glass = { density = 2500.0; }; };
shapes = { wall = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = {
    lost = { radius = "1 mm"; position = (0.9996, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); };
    a = { radius = "1 mm"; motion = "kinematic"; position = (0.1, 0.0, 0.0); };
    b = { radius = "1 mm"; motion = "kinematic"; position = (0.2, 0.0, 0.0); };
    c = { radius = "1 mm"; motion = "kinematic"; position = (0.3, 0.0, 0.0); };
    d = { radius = "1 mm"; position = (0.4, 0.0, 0.0); motion = "fixed"; };
    e = { shape = "wall"; motion = "kinematic"; position = (0.0, 0.5, -0.5); };
};
force = { plugin = "linear"; kn = 1.0e4; };
modifiers = { m = { plugin = "move"; KEYS }; };
observers = { o = { plugin = "csv"; what = "bodies"; file = "o"; groups = ["a", "b", "c", "d", "e"]; every_steps = 100; }; };
"""


def test_mixed(top):
    """Bodies that are not moved are between those that are, and all get other numbers at step 41."""
    turned = (math.cos(1e-3) - 1.0, math.sin(1e-3))  # by 1 rad/s for 1 ms, at the distance 1 m
    cases = [("translation", "velocity = (0.0, 2.0, 0.0);", lambda x, y: (0.0, 2e-3)),
             ("rotation", "axis = (0.0, 0.0, 1.0); rate = 1.0;",
              lambda x, y: (x * turned[0] - y * turned[1], x * turned[1] + y * turned[0]))]
    for moved in ("ac", "ace", "b", "abc", "e"):
        groups = "(" + ", ".join(f'"{g}"' for g in moved) + ")"
        for motion, keys, way in cases:
            (top / "scene.cfg").write_text(MIXED.replace("KEYS", MOVE(motion, "?", keys).replace('"?"', groups)))
            result = scree(top, "run", "scene.cfg", "-q", "-o", f"{motion}-{moved}")
            rows = list(csv.DictReader(open(top / f"{motion}-{moved}/o.csv", encoding="utf-8"))) if result.returncode == 0 else []
            off = [abs(float(after[axis]) - float(before[axis]) - (by[k] if before["name"] in moved else 0.0))
                   for before, after in zip(rows[:5], rows[5:])
                   for by in (way(float(before["x"]), float(before["y"])),)
                   for k, axis in enumerate(("x", "y"))]
            tap.check(f"run: a {motion} of {moved} moves these, no other, before and after a body has left",
                      len(off) == 10 and max(off) < 1e-15, result.stderr + str(rows))


def prepare(top):
    (top / "times.csv").write_text("time, gx, gy, gz\n0, 0, 0, -1\n1, 2, 3\n")
    (top / "back.csv").write_text("time,gx,gy,gz\n2, 0, 0, 0\n1, 0, 0, 1\n")
    (top / "nan.csv").write_text("nan 1\n1 2\n")
    test_refused(top, REFUSED, False)
    test_refused(top, REFUSED_2D, True)


tap.in_folder(prepare, test_taken, test_mixed, test_runs_that_fail, test_files, test_order, test_idle)
