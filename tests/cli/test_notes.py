# SPDX-License-Identifier: Apache-2.0
"""Silent mistakes: a note each in `scree validate`, or a line that shows them, a warning at the end of a run; `validate --time`.

usage: test_notes.py SCREE
"""
import pathlib
import re
import tempfile

import tap
from runs import scree

SPACE = """scene = { dt = 1.0e-7; steps = 200; gravity = (0.0, 0.0, -9.81); @scene@ };
materials = { m = { density = @density@; @material@ }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };
    cup = { type = "box"; size = (0.1, 0.1, 0.1); }; @shapes@ };
bodies = { a = { radius = "2 mm"; position = (0.0, 0.0, 0.003); @body@ }; floor = { shape = "floor"; }; @bodies@ };
force = { plugin = "linear"; kn = 1.0e5; @force@ };
@more@
"""
FLAT = """scene = { dimension = 2; dt = 1.0e-7; steps = 200; gravity = (0.0, -9.81); @scene@ };
materials = { m = { density = @density@; @material@ }; };
shapes = { floor = { type = "plane"; normal = (0.0, 1.0); }; @shapes@ };
bodies = { a = { radius = "2 mm"; position = (0.0, 0.003); @body@ }; floor = { shape = "floor"; }; @bodies@ };
force = { plugin = "linear"; kn = 1.0e5; @force@ };
@more@
"""
TURNED = 'cup = { shape = "cup"; motion = "kinematic"; };'
TURN = 'turn = { plugin = "move"; groups = "cup"; motion = "rotation"; axis = (0.0, 0.0, 1.0); rate = 1.0; %s };'
STOP = 'bodies = { cup = { spin = (0.0, 0.0, 0.0); }; };'


def later(text):
    """A schedule with an entry, and a modifier that turns the cup."""
    return f"modifiers = {{ {TURN % ''} }}; schedule = ( {{ {text} }} );"


REGION = "region = { min = (-0.1, -0.1, -0.1); max = (0.1, 0.1, 0.1); };"
PEARLS = 'pearls = { type = "clump"; balls = ((0.0, 0.0, 0.0, 0.001), (0.0015, 0.0, 0.0, 0.001)); %s };'
PLATE = ('plate = { type = "mesh"; vertices = ((0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (0.0, 9.0, 0.0)); facets = ((0, 1, 2)); '
         '%s };')
FEED = 'modifiers = { feed = { plugin = "insert"; number = 1; body = { radius = 1e-4; }; region = { %s }; }; };'
RAISED = 'cup = { shape = "cup"; position = (0.0, 0.0, 0.05); };'
SWUNG = RAISED.replace("0.05); }", '0.05); orientation = { axis = (0.0, 0.0, 1.0); angle = "45 deg"; }; }')
CLUMP = 'p = { shape = "pearls"; position = (0.02, 0.0, 0.003); };'
PAIR = "friction = 0.5;"
SMALL = 'region = { min = (-0.03, -0.1, -0.1); max = (0.1, 0.1, 0.1); }; boundary = ("%s", "open", "open");'
AWAY = 'away = { radius = "2 mm"; position = (%s, 0.0, 0.04); };'
CUP = 'cup = { shape = "cup"; %s }; '
RING = """ring = { type = "segments"; vertices = ((-0.01, -0.01), (-0.01, 0.01), (0.01, 0.01), (0.01, -0.01));
    segments = ((0, 1), (1, 2), (2, 3), (3, 0)); };"""
TILTED = 'thickness = 0.001; region = { min = (-0.01, -0.01); max = (0.01, 0.02); tilt = (%g, 0.0, 0.0); }; boundary = "periodic";'
TILT = "orientation = { axis = (0.0, 1.0, 0.0); angle = \"45 deg\"; };"

# The mistake, the scene, its settings, the note; the same scene with the other settings has none.
ROWS = [
    ("density in g/cm^3", SPACE, {"density": "2.5"}, {}, r"materials\.m\.density: 2\.5 kg/m\^3 is less than foam"),
    ("density of 20 kg/m^3", SPACE, {"density": "19.9"}, {"density": "20.0"}, r"materials\.m\.density: 19\.9 kg"),
    ("friction of a law in percent", SPACE, {"force": "friction = 30.0;"}, {"force": "friction = 2.0;"},
     r"force\.friction: a coefficient of 30 is more than that of rubber"),
    ("friction of a material", SPACE, {"material": "friction = 2.1;"}, {"material": PAIR}, r"materials\.m\.friction: .*2\.1"),
    ("an orientation in degrees", SPACE, {"body": "orientation = { axis = (0.0, 0.0, 1.0); angle = 90.0; };"},
     {"body": 'orientation = { axis = (0.0, 0.0, 1.0); angle = "90 deg"; };'}, r"bodies\.a\.orientation\.angle: 90 rad is more than a turn.*\"90 deg\""),
    ("a phase in degrees", SPACE,
     {"more": 'modifiers = { shake = { plugin = "move"; groups = "cup"; motion = "vibration"; direction = (1.0, 0.0, 0.0); amplitude = 0.001; frequency = 10.0; phase = 180.0; }; };',
      "bodies": 'cup = { shape = "cup"; motion = "kinematic"; };'},
     {"more": 'modifiers = { shake = { plugin = "move"; groups = "cup"; motion = "vibration"; direction = (1.0, 0.0, 0.0); amplitude = 0.001; frequency = 10.0; phase = 6.28; }; };',
      "bodies": 'cup = { shape = "cup"; motion = "kinematic"; };'}, r"modifiers\.shake\.phase: 180 rad"),
    ("2D without thickness", FLAT, {}, {"scene": "thickness = 0.001;"}, r"scene: thickness is not given: .*1 m along z"),
    ("a strain of 2000", FLAT, {"scene": TILTED % 40.066}, {"scene": TILTED % 0.066},
     r"scene\.region: tilt: neighbours are up to 2004 cells apart, .* tilt = \(0\.006, 0, 0\) is the same lattice"),
    ("3D with thickness", SPACE, {"scene": "thickness = 0.001;"}, {}, r"scene\.thickness: thickness has no effect in 3D"),
    ("a wall outside of the region", SPACE, {"scene": REGION, "bodies": 'cup = { shape = "cup"; position = (0.0, 0.0, 20.0); };'},
     {"scene": REGION, "bodies": 'cup = { shape = "cup"; position = (0.0, 0.0, 0.0); };'}, r"bodies\.cup: the wall cup is outside of scene\.region"),
    ("a wall in mm, read as m", SPACE, {"scene": REGION, "shapes": PLATE % "unit = \"m\";", "bodies": 'plate = { shape = "plate"; };'},
     {"scene": REGION, "shapes": PLATE % "unit = \"mm\";", "bodies": 'plate = { shape = "plate"; };'},
     r"shapes\.plate: the wall is 50 m long, 250 times the longest edge of scene\.region: expected a `unit` or `scale` that makes it smaller"),
    ("a wall in mm, no region", SPACE, {"shapes": PLATE % "unit = \"m\";", "bodies": 'plate = { shape = "plate"; };'},
     {"shapes": PLATE % "unit = \"mm\";", "bodies": 'plate = { shape = "plate"; };'},
     r"shapes\.plate: the wall is 50 m long, 1\.25e\+04 times the box around the free bodies"),
    ("a wall that reaches beyond a region that destroys", SPACE, {"scene": SMALL % "destroy", "bodies": CUP % ""},
     {"scene": SMALL % "open", "bodies": CUP % ""}, r"bodies\.cup: the wall cup reaches 0\.02 m beyond scene\.region along x, where boundary = \"destroy\""),
    ("a turned wall reaches farther", SPACE, {"scene": SMALL.replace("-0.03", "-0.06") % "destroy", "bodies": CUP % TILT},
     {"scene": SMALL.replace("-0.03", "-0.06") % "destroy", "bodies": CUP % ""}, r"bodies\.cup: the wall cup reaches 0\.01071 m beyond"),
    ("bodies outside of a region that destroys", SPACE, {"scene": SMALL % "destroy", "bodies": AWAY % "-0.031"},
     {"scene": SMALL % "destroy", "bodies": AWAY % "-0.029"}, r"bodies\.away: 1 of 1 bodies start outside of scene\.region"),
    ("a body outside of a closed wall", SPACE, {"bodies": CUP % "" + AWAY % "0.06"}, {"bodies": CUP % "" + AWAY % "0.04"},
     r"bodies\.cup: 1 of 2 free bodies start outside of the closed wall cup"),
    ("a turned and larger closed wall", SPACE, {"bodies": CUP % (TILT + "scale = 1.2;") + AWAY % "0.046"},
     {"bodies": CUP % (TILT + "scale = 1.2;") + AWAY % "0.040"}, r"bodies\.cup: 1 of 2 free bodies"),
    ("a closed wall with the bodies elsewhere", SPACE, {"bodies": CUP % "position = (0.5, 0.0, 0.0);"}, {"bodies": CUP % ""},
     r"bodies\.cup: 1 of 1 free bodies start outside of the closed wall cup"),
    ("a body outside of a ring in 2D", FLAT, {"scene": "thickness = 0.001;", "shapes": RING, "bodies": 'ring = { shape = "ring"; position = (0.013, 0.0); };'},
     {"scene": "thickness = 0.001;", "shapes": RING, "bodies": 'ring = { shape = "ring"; position = (0.0, 0.0); };'},
     r"bodies\.ring: 1 of 1 free bodies start outside of the closed wall ring"),
    ("a feed above the region", SPACE, {"scene": REGION, "more": FEED % "min = (-0.01, -0.01, 0.05); max = (0.01, 0.01, 0.2);"},
     {"scene": REGION, "more": FEED % "min = (-0.01, -0.01, 0.05); max = (0.01, 0.01, 0.1);"},
     r"modifiers\.feed\.region: it reaches from 0\.05 m to 0\.2 m along z, scene\.region from -0\.1 m to 0\.1 m: bodies come only inside of both"),
    ("a feed across a wall", SPACE, {"bodies": RAISED, "more": FEED % "min = (-0.049, 0.0, 0.005); max = (0.051, 0.01, 0.05);"},
     {"bodies": RAISED, "more": FEED % "min = (-0.049, 0.0, 0.005); max = (0.049, 0.01, 0.05);"},
     r"modifiers\.feed\.region: the wall cup crosses it: bodies come on both sides of the wall"),
    ("a feed at a turned wall", SPACE, {"bodies": SWUNG, "more": FEED % "min = (0.06, -0.001, 0.05); max = (0.075, 0.001, 0.06);"},
     {"bodies": SWUNG, "more": FEED % "min = (0.06, 0.02, 0.05); max = (0.075, 0.04, 0.06);"},
     r"modifiers\.feed\.region: the wall cup crosses it"),
    ("a feed around a whole wall", SPACE, {"bodies": RAISED, "more": FEED % "min = (-0.049, 0.0, 0.005); max = (1.0, 0.01, 0.05);"},
     {"bodies": RAISED, "more": FEED % "min = (-1.0, -1.0, -1.0); max = (1.0, 1.0, 1.0);"},
     r"modifiers\.feed\.region: the wall cup crosses it"),
    ("a clump with the volume of another", SPACE, {"shapes": PEARLS % "volume = 1.0e-8;", "bodies": CLUMP},
     {"shapes": PEARLS % "volume = 7.5e-9;", "bodies": CLUMP}, r"shapes\.pearls: its volume of 1e-08 m\^3 is not that of its balls, 4\.189e-09 to 8\.378e-09"),
    ("a clump lighter than its largest ball", SPACE, {"shapes": PEARLS % "volume = 4.0e-9;", "bodies": CLUMP},
     {"shapes": PEARLS % "", "bodies": CLUMP}, r"shapes\.pearls: its volume of 4e-09"),
    ("a value in the material and in the law", SPACE, {"material": PAIR, "force": "friction = 0.4;"},
     {"force": "friction = 0.4;"}, r"force\.friction: given twice: materials\.m\.friction \(scene\.cfg:2\) comes before this"),
    ("the spin of a wall that a modifier turns", SPACE, {"bodies": TURNED, "more": later("at_step = 9; set = { " + STOP + " };")},
     {"bodies": TURNED, "more": later("at_step = 9; set = { " + STOP + ' modifiers = { turn = "off"; }; };')},
     r"schedule\[0\] \(at_step 9\): modifiers\.turn moves bodies\.cup, and adds its motion"),
    ("the spin of a wall that another entry has stopped", SPACE,
     {"bodies": TURNED, "more": later("at_step = 9; set = { " + STOP + ' }; }, { at_step = 5; set = { modifiers = { turn = "off"; }; };')},
     {"bodies": TURNED, "more": later('at_step = 5; set = { modifiers = { turn = "off"; }; }; }, { at_step = 9; set = { ' + STOP + " };")},
     r"schedule\[0\] \(at_step 9\): modifiers\.turn moves"),
    ("a motion that begins after the run", SPACE, {"bodies": TURNED, "more": f"modifiers = {{ {TURN % 'start = 2.0e-5;'} }};"},
     {"bodies": TURNED, "more": f"modifiers = {{ {TURN % 'start = 1.9e-5;'} }};"},
     r"modifiers\.turn\.start: 2e-05 s is not before the end of the run, 2e-05 s: the modifier never acts"),
    ("more bodies than a scene has", SPACE, {"more": 'stop = { when = "free > 1"; after = 1.0e-6; };'},
     {"more": 'stop = { when = "free >= 1"; after = 1.0e-6; };'}, r"stop\[0\]: 'free > 1': no modifier makes bodies, and the scene has 1 free"),
    ("more volume than that of the box", SPACE, {"more": 'stop = { when = "solid_fraction > 1.5"; after = 1.0e-6; };'},
     {"more": 'stop = { when = "solid_fraction > 0.9"; after = 1.0e-6; };'}, r"stop\[0\]: 'solid_fraction > 1\.5': a solid_fraction above 1 needs bodies that overlap"),
]


def write(top, text, values):
    for key in re.findall(r"@(\w+)@", text):
        text = text.replace(f"@{key}@", values.get(key, "2500.0" if key == "density" else ""))
    (top / "scene.cfg").write_text(text, encoding="utf-8")


def notes_of(seen):
    return [line for line in seen.stderr.splitlines() if line.startswith("scree: note: ")]


def test_notes(top):
    for name, text, wrong, right, said in ROWS:
        write(top, text, wrong)
        seen = scree(top, "validate", "scene.cfg")
        tap.check(f"{name}: a note with its place", seen.returncode == 0 and len(notes_of(seen)) == 1 and re.match(
            r"scree: note: scene\.cfg:\d+: " + said, notes_of(seen)[0]), seen)
        write(top, text, right)
        seen = scree(top, "validate", "scene.cfg")
        tap.check(f"{name}: without it there is none", seen.returncode == 0 and not seen.stderr, seen)


def test_destroyed(top):
    """A percent may leave; more is a warning, unless a plugin of the run inserts bodies."""
    leak = {"scene": 'boundary = "destroy"; region = { min = (-1.0, -1.0, -1.0); max = (1.0, 1.0, 1.0); };',
            "bodies": 'out = { radius = "2 mm"; position = (0.99999, 0.0, 0.5); velocity = (1.0, 0.0, 0.0); };'}
    write(top, SPACE, leak)
    seen = scree(top, "run", "scene.cfg", "-q")
    tap.check("bodies that a boundary destroyed are a warning at the end", seen.returncode == 0 and
              "scree: warning: the boundary has destroyed 1 of 2 free bodies" in seen.stderr, seen)
    seen = scree(top, "run", "scene.cfg", "-q", "--set", 'bodies.out.position=(0.5, 0.0, 0.5)')
    tap.check("none destroyed, no warning", seen.returncode == 0 and "destroyed" not in seen.stderr, seen)
    many = 'many = { shape = "sphere"; radius = "1 mm"; file = "many.csv"; };'
    (top / "many.csv").write_text("x y z\n" + "".join(f"{0.005 * k - 0.25:.4f} 0.1 0.5\n" for k in range(99)), encoding="utf-8")
    write(top, SPACE, {**leak, "bodies": leak["bodies"] + many})
    seen = scree(top, "run", "scene.cfg", "-q")
    tap.check("1 of 101 is less than a percent", seen.returncode == 0 and "destroyed     1 " in seen.stdout
              and "warning" not in seen.stderr, seen)
    write(top, SPACE, {**leak, "scene": leak["scene"].replace('"destroy"', '("destroy", "open", "open")')})
    seen = scree(top, "run", "scene.cfg", "-q")
    tap.check("an axis that the scene names is a way out", seen.returncode == 0 and "destroyed     1 " in seen.stdout and
              "the boundary has" not in seen.stderr, seen)
    write(top, SPACE, {**leak, "more": 'modifiers = { rain = { plugin = "insert"; number_rate = 1.0; body = { radius = 0.001; }; '
                                       'region = { min = (-0.1, -0.1, 0.6); max = (0.1, 0.1, 0.9); }; }; };'})
    seen = scree(top, "run", "scene.cfg", "-q")
    tap.check("where a modifier inserts bodies, some leave", seen.returncode == 0 and "destroyed     1 " in seen.stdout and
              "the boundary has" not in seen.stderr, seen)


def test_time(top):
    write(top, SPACE, {})
    seen = scree(top, "validate", "scene.cfg", "--time")
    said = re.search(r"^duration   about (\S+) s for 200 steps of (\S+) ms, as the mean of 50 on one thread", seen.stdout, re.M)
    tap.check("--time prints the length of the run, steps times that of one", seen.returncode == 0 and said and
              abs(float(said[1]) / (200 * 1e-3 * float(said[2])) - 1) < 0.02, seen)
    tap.check("steps of free fall say little of a settled bed", re.search(
        r"^           with 0 contacts on average; a settled bed of these bodies has about 3, and its steps take longer: time "
        r"those of a checkpoint, with `scree run --restart CHECKPOINT --steps 100`$", seen.stdout, re.M), seen)
    balls = "".join(f'b{k} = {{ radius = "2 mm"; position = (%s, {0.01 * k}, 0.00199); }}; ' for k in range(1, 41))
    write(top, SPACE, {"bodies": balls.replace("%s", "0.0")})
    seen = scree(top, "validate", "scene.cfg", "--time")
    bed = re.search(r"^           with 40 contacts on average; a settled bed of these bodies has about 115, and by the times per candidate and "
                    r"contact takes about (\S+) s, (\S+) ms a step$", seen.stdout, re.M)
    said = re.search(r"^duration   about (\S+) s for 200 steps of (\S+) ms", seen.stdout, re.M)
    tap.check("where bodies touch, it is estimated from the contacts", seen.returncode == 0 and bed and said and
              1.0 < float(bed[2]) / float(said[2]) < 115 / 40 and abs(float(bed[1]) / (0.2 * float(bed[2])) - 1) < 0.02, seen)
    row = "".join(f'b{k} = {{ radius = "2 mm"; position = ({0.00399 * k - 0.1:.5f}, %s, 0.00199); }}; ' for k in range(1, 41))
    write(top, SPACE, {"bodies": row.replace("%s", "0.03")})
    seen = scree(top, "validate", "scene.cfg", "--time")
    tap.check("a bed needs no such line", seen.returncode == 0 and "duration" in seen.stdout and "settled bed of" not in seen.stdout, seen)
    write(top, SPACE, {})
    tap.check("without it no step is made", "duration" not in scree(top, "validate", "scene.cfg").stdout)
    tap.check("and no file is left", sorted(p.name for p in top.iterdir()) == ["scene.cfg"], list(top.iterdir()))


def test_refused(top):
    """A description that ends in a mistake says so in its last line; a mistake before it has no description."""
    late = 'schedule = ( { at_step = 4000; set = { gcd = { plugin = "pairing"; }; }; } );'
    for name, values, described in (("an entry that never acts", {"more": late}, True), ("dt", {"scene": "dt_limit = 1e-9;"}, True),
                                    ("a key", {"more": "forse = 1;"}, False)):
        write(top, SPACE, values)
        seen = scree(top, "validate", "scene.cfg")
        last = seen.stdout.splitlines()[-1:]
        tap.check(f"{name}: the last line says that the scene is refused", seen.returncode == 2 and seen.stderr and
                  (last == ["refused    this scene cannot be run: see the message on standard error"] if described else not last), seen)
    write(top, SPACE, {})
    tap.check("a scene without mistakes is not", "refused" not in scree(top, "validate", "scene.cfg").stdout)


def test_clumps(top):
    """A diameter is that of the volume: a wrong volume makes bodies that fit nowhere."""
    for volume, hint in (("1.0e-8", "; the shape's volume of 1e-08 m^3 is less than the 4.189 of its largest ball\n"), ("4.5", "")):
        write(top, SPACE, {"shapes": PEARLS.replace("0.001)", "1.0)").replace("0.0015", "1.5") % f"volume = {volume};",
                           "more": 'generate = { many = { plugin = "random"; shape = "pearls"; count = 9; diameter = "12 cm"; '
                                   'region = { min = (-0.05, -0.05, 0.01); max = (0.05, 0.05, 0.1); }; }; };'})
        seen = scree(top, "validate", "scene.cfg")
        tap.check(f"a clump of a volume of {volume} m^3 that does not fit", seen.returncode == 2 and re.search(
            r"does not fit into the region: expected \S+ m or more along x, got 0\.1 m" + re.escape(hint or "\n"), seen.stderr), seen)


def test_modifiers(top):
    """A rate in rpm without its unit, a wrong axis and a wrong point show before the run."""
    turn = 'turn = { plugin = "move"; motion = "rotation"; groups = "cup"; axis = (0.0, 1.0, 0.0); point = (1.0, 0.0, 0.0); rate = %s; start = "0.2 s"; };'
    for rate, shown in (("20.0", r"20 rad/s \(191 rpm\)"), ('"20 rpm"', r"2\.0944 rad/s \(20 rpm\)")):
        write(top, SPACE, {"bodies": 'cup = { shape = "cup"; motion = "kinematic"; };', "more": f"modifiers = {{ {turn % rate} }};"})
        seen = scree(top, "validate", "scene.cfg")
        tap.check(f"validate prints what moves, with a rate of {rate}", seen.returncode == 0 and re.search(
            r"^modifiers  turn: move, motion rotation, groups cup, axis \(0, 1, 0\), point \(1, 0, 0\) m, rate " + shown +
            r", start 0\.2 s$", seen.stdout, re.M), seen)


def test_all():
    for test in (test_clumps, test_modifiers, test_notes, test_refused, test_destroyed, test_time):
        with tempfile.TemporaryDirectory() as top:
            test(pathlib.Path(top))


if __name__ == "__main__":
    tap.finish(test_all)
