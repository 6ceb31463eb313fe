# SPDX-License-Identifier: Apache-2.0
"""What modifiers refuse: a clear text with file and line, and status 2, from validate and (a few) from run.

usage: test_modifiers.py SCREE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

SCREE = pathlib.Path(sys.argv[1]).resolve()

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

# plugin, keys, what is said
REFUSED = [
    ("move", MOVE("rotation", "wals", TURN), r"no group 'wals' in bodies or generate, is it 'wall'\?"),
    ("move", MOVE("rotation", "beads", TURN),
     r"the bodies of group 'beads' must be kinematic, but body \d+ is free"),
    ("move", MOVE("rotation", "floor", TURN),
     r"the bodies of group 'floor' must be kinematic, but body \d+ is fixed"),
    ("move", 'motion = "rotation"; groups = ("wall", "beads"); ' + TURN, r"group 'beads' must be"),
    ("move", 'motion = "rotation"; ' + TURN, r"the key groups is missing"),
    ("move", 'groups = "wall"; ' + TURN, r"the key motion is missing"),
    ("move", MOVE("spin", "wall", TURN), r'motion: "spin" is none of: translation, rotation'),
    ("move", MOVE("rotation", "wall", "axis = (0.0, 0.0, 0.0); rate = 1.0;"),
     r"axis: \(0, 0, 0\) has no direction"),
    ("move", MOVE("rotation", "wall", "axis = (1.0, 0.0); rate = 1.0;"),
     r"axis: a vector of 3 components is wanted, not 2"),
    ("move", MOVE("rotation", "wall", "axis = (0.0, 0.0, 1.0);"),
     r"the key rate \(or period\) is missing, which a rotation needs"),
    ("move", MOVE("rotation", "wall", TURN + " period = 2.0;"), r"rate or period, not both"),
    ("move", MOVE("rotation", "wall", "axis = (0.0, 0.0, 1.0); period = 0.0;"), r"period.*0.*> 0"),
    ("move", MOVE("vibration", "wall", SHAKE(-5.0)), r"frequency.*-5.*> 0"),
    ("move", MOVE("vibration", "wall", SHAKE('"5 m"')), r"frequency.*m"),
    ("move", MOVE("vibration", "wall", SHAKE(5.0) + " velocity = (1.0, 0.0, 0.0);"),
     r"velocity has no effect on a vibration: take it out"),
    ("move", MOVE("translation", "wall", ""), r"the key velocity is missing"),
    ("move", MOVE("translation", "wall", 'velocity = (1.0, 0.0, 0.0); frame = "body";'),
     r"frame has no effect on a translation"),
    ("move", MOVE("conveyor", "wall", "velocity = (1.0, 0.0, 0.0); start = 2.0; end = 1.0;"),
     r"end = 1 s is not after start = 2 s"),
    ("drag", "", r"the key density is missing, which law = \"schiller_naumann\" needs"),
    ("drag", 'law = "stokes"; viscosity = -1.0;', r"viscosity.*-1.*> 0"),
    ("drag", 'law = "stokes"; viscosity = 1.0; buoyancy = true;',
     r"the key density is missing, which buoyancy needs"),
    ("drag", 'law = "constant"; density = 1.0; coefficient = 0.4; viscosity = 1.0;',
     r"viscosity has no effect with law = \"constant\""),
    ("drag", 'law = "stokes"; viscosity = 1.0; groups = "none";', r"no group 'none'"),
    ("drag", 'law = "stokes"; viscosity = 1.0; every_steps = 10;',
     r"acts at every evaluation: every_steps and every_time have no effect"),
    ("damping", "alpha = 1.5;", r"alpha.*1\.5.*1"),
    ("damping", "alhpa = 0.5;", r"alhpa.*alpha"),
]
REFUSED_2D = [
    ("move", MOVE("rotation", "wall", TURN), r"axis: in 2D a rotation is about z"),
    ("move", MOVE("translation", "wall", "velocity = (1.0, 0.0, 2.0);"),
     r"velocity: a vector of 2 components is wanted, not 3"),
]


def scree(top, *args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env.update(LC_ALL="C", XDG_DATA_HOME="/nonexistent")
    return subprocess.run([str(SCREE), *args], cwd=top, env=env, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


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
    tap.check("run: drag names a body that is no sphere", result.returncode == 1
              and re.search(r"body \d+ is no sphere", result.stderr), result)


def main():
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name).resolve()
        test_refused(top, REFUSED, False)
        test_refused(top, REFUSED_2D, True)
        test_taken(top)

tap.finish(main)
