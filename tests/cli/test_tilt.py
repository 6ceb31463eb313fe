# SPDX-License-Identifier: Apache-2.0
"""A tilted periodic cell on the command line: what is refused, questions across its border, restarts, repeats, comparisons.

usage: test_tilt.py SCREE
"""
import itertools
import json
import math
import pathlib
import random

import tap
from runs import scree

FLAT = """scene = { dimension = 2; dt = 1e-6; steps = 40; thickness = 1.0; region = { min = (0, 0); max = (1, 1); @tilt@ };
    boundary = @boundary@; };
materials = { m = { density = 1000.0; }; };
bodies = { a = { id = 7; radius = 0.1; position = (0.95, 0.95); velocity = (3e3, 2e3); }; b = { id = 8; radius = 0.1;
    position = (0.3, 0.5); }; };
force = { plugin = "linear"; kn = 1e4; };
@more@
"""
TILTED = "tilt = (0.3, 0, 0);"
SLAB = """scene = { dt = 1e-6; steps = 40; region = { min = (0, 0, 0); max = (1, 1, @high@); tilt = (0.3, 0, 0); };
    boundary = ("periodic", "periodic", "destroy"); };
materials = { m = { density = 1000.0; }; };
bodies = { a = { radius = 0.1; position = (0.95, 0.95, 0.5); }; };
force = { plugin = "linear"; kn = 1e4; };
schedule = ( { at_step = 3; set = { scene = { region = { min = (0, 0, 0); max = (1, 1, 2); @tilt@ }; }; }; } );
"""


def write(top, text, name="t.cfg", **values):
    for key, value in {"tilt": TILTED, "boundary": '"periodic"', "more": "", "high": "1", **values}.items():
        text = text.replace(f"@{key}@", value)
    pathlib.Path(top, name).write_text(text, encoding="utf-8")
    return name


def test_refused(top):
    zone = 'generate = { g = { plugin = "random"; radius = 0.01; count = 1; region = { min = (0, 0); max = (1, 1); %s }; }; };'
    for what, values, text in (
            ("an axis of the tilt that is open", {"boundary": '("periodic", "open")'},
             'region.tilt: xy = 0.3 m needs boundary = "periodic" along x and y'),
            ("the other one", {"boundary": '("open", "periodic")'}, "xy = 0.3 m needs"),
            ("no periodic axis", {"boundary": '"open"'}, "xy = 0.3 m needs"),
            ("a tilt along z in 2D", {"tilt": "tilt = (0, 0.1, 0);"}, 'xz = 0.1 m needs boundary = "periodic" along x and z'),
            ("the other one in 2D", {"tilt": "tilt = (0, 0, 0.1);"}, "yz = 0.1 m needs"),
            ("two numbers", {"tilt": "tilt = (0.1, 0.2);"}, "expected 3 numbers"),
            ("too many cells", {"tilt": "tilt = (1.1e6, 0, 0);"}, "up to 1100001 cells apart along an axis; expected fewer than 1048576"),
            ("the tilt of a zone", {"more": zone % TILTED}, "region.tilt: unknown key")):
        seen = scree(top, "validate", write(top, FLAT, **values))
        tap.check(f"{what}: refused by name", seen.returncode == 2 and text in seen.stderr, seen)
    seen = scree(top, "validate", write(top, FLAT, more=zone % ""))
    tap.check("without these it is valid", seen.returncode == 0, seen)
    seen = scree(top, "run", "-q", write(top, FLAT, tilt="tilt = (4e5, 0, 0);"), "--set", "bodies.a.velocity=(0.0,1e5)",
                 "--steps", "500")
    tap.check("a run that counts too many cells says which body", seen.returncode == 1
              and "body 7 moved" in seen.stderr and "more than 1048576 cells" in seen.stderr, seen)


def brute(bodies, length, tilt, centre, radius):
    """Ids of balls that meet a ball, in any image."""
    found = set()
    for i, (x, r) in bodies.items():
        for sz in range(-4, 5):
            z = x[2] + sz * length[2] - centre[2]
            near = round(-(x[1] + sz * tilt[2] - centre[1]) / length[1])
            for sy in range(near - 2, near + 3):
                y = x[1] + sy * length[1] + sz * tilt[2] - centre[1]
                at = x[0] + sy * tilt[0] + sz * tilt[1] - centre[0]
                d = at - length[0] * round(at / length[0])
                if math.sqrt(d * d + y * y + z * z) < radius + r:
                    found.add(i)
    return sorted(found)


def test_query(top):
    dice = random.Random(4)
    wrong, n = [], 0
    for largest in (0.0, 0.7, 50.0):
        length = [dice.uniform(0.8, 1.2) for _ in range(3)]
        tilt = [dice.uniform(-largest, largest) for _ in range(3)]
        bodies = {i: ([dice.uniform(0.0, length[k]) for k in range(3)], dice.uniform(0.02, 0.1)) for i in range(60)}
        rows = "".join(f"b{i} = {{ id = {i}; radius = {r!r}; position = ({x[0]!r}, {x[1]!r}, {x[2]!r}); }};"
                       for i, (x, r) in bodies.items())
        write(top, f"""scene = {{ dt = 1e-6; steps = 1; region = {{ min = (0, 0, 0); max = ({length[0]!r}, {length[1]!r}, {length[2]!r});
            tilt = ({tilt[0]!r}, {tilt[1]!r}, {tilt[2]!r}); }}; boundary = "periodic"; }};
            materials = {{ m = {{ density = 1.0; }}; }}; bodies = {{ {rows} }}; force = {{ plugin = "linear"; kn = 1.0; }};""")
        for _ in range(6):
            centre, radius = [dice.uniform(-1.5, 2.5) for _ in range(3)], dice.uniform(0.01, 0.2)
            seen = scree(top, "query", "t.cfg", f"--ball={','.join(map(repr, centre))}:{radius!r}")
            wanted = brute(bodies, length, tilt, centre, radius)
            n += len(wanted)
            if [int(line) for line in seen.stdout.split()] != wanted:
                wrong.append((tilt, centre, radius, wanted, seen))
    tap.check("bodies in balls across the border are those of brute force", not wrong and n > 30, (wrong, n))
    write(top, FLAT)
    far = scree(top, "query", "t.cfg", "--ball=7.85,3.95:0.01")
    tap.check("a place three cells up and six along is the place of the body", far.stdout == "7\n", far)


def test_free(top):
    """Body a reaches over the upper border; the next cell is 0.3 farther along x, so that its lower image is at x = 0.65."""
    counts = []
    for tilt, at in itertools.product((TILTED, "tilt = (0, 0, 0);", "tilt = (100.3, 0, 0);"), (0.65, 0.95)):
        put = (f'modifiers = {{ i = {{ plugin = "insert"; number = 1; every_steps = 1; body = {{ radius = 0.05; }}; '
               f'region = {{ min = ({at - 0.0501}, 0.0); max = ({at + 0.0501}, 0.1002); }}; }}; }};')
        seen = scree(top, "run", "-q", "--json", "--steps", "3", write(top, FLAT, tilt=tilt, more=put), "--set",
                     "bodies.a.velocity=(0.0,0.0)")
        counts.append(json.loads(seen.stdout)["bodies"] if seen.returncode == 0 else seen)
    tap.check("a body is inserted where the tilted border leaves room, and only there", counts == [2, 3, 3, 2, 2, 3], counts)


def end_of(seen):
    return json.loads(seen.stdout)["state_sha256"] if seen.returncode in (0, 4) else seen


def test_restart(top):
    write(top, FLAT, more="checkpoint = { every_steps = 20; };")
    whole = scree(top, "run", "t.cfg", "-q", "--json", "-o", "whole")
    first = scree(top, "run", "t.cfg", "-q", "--json", "-o", "first", "--steps", "20")
    rest = scree(top, "run", "-q", "--json", "--restart", "first", "--until", "40e-6")
    tap.check("a run that is cut in two ends in the same state", whole.returncode == rest.returncode == 0
              and end_of(whole) == end_of(rest) and end_of(whole) != end_of(first), (whole, first, rest))
    again = scree(top, "run", "-q", "--json", "--repeat", "whole/manifest.json")
    tap.check("a manifest repeats it", again.returncode == 0 and end_of(again) == end_of(whole), again)
    for tilt in ("(0.31,0.0,0.0)", "(1.3,0.0,0.0)", "(0.0,0.0,0.0)"):
        seen = scree(top, "run", "t.cfg", "-q", "--restart", "first", "--set", f"scene.region.tilt={tilt}")
        tap.check(f"a restart with the tilt {tilt} is refused", seen.returncode == 2 and "scene.region differs" in seen.stderr, seen)
    straight = scree(top, "run", "t.cfg", "-q", "--json", "-o", "straight", "--set", "scene.region.tilt=(0.0,0.0,0.0)")
    files = {name: b"".join(path.read_bytes() for path in pathlib.Path(top, name).rglob("*.h5")) for name in ("whole", "straight")}
    tap.check("the checkpoint of a brick has no tilt", b"slant" in files["whole"] and b"tilt" in files["whole"]
              and files["straight"] and b"slant" not in files["straight"] and end_of(straight) != end_of(whole), straight)
    still = [end_of(scree(top, "run", "t.cfg", "-q", "--json", "--steps", "1", "--set", f"scene.region.tilt={tilt}", "--set",
                          "bodies.a.velocity=(0.0,0.0)")) for tilt in ("(0.3,0.0,0.0)", "(1.3,0.0,0.0)", "(0.0,0.0,0.0)")]
    tap.check("the tilt is part of the state", len(set(still)) == 3, still)
    seen = scree(top, "run", "t.cfg", "-q", "--restart", "straight", "--set", "scene.region.tilt=(0.3,0.0,0.0)")
    tap.check("a brick does not become tilted in a restart", seen.returncode == 2 and "scene.region differs" in seen.stderr, seen)


def test_change(top):
    seen = scree(top, "run", "-q", "--steps", "5", "-o", "slab", write(top, SLAB))
    tap.check("a change of the open axis keeps the tilt", seen.returncode == 0 and
              "region (0 0 0) to (1 1 1) tilt (0.3 0 0) -> (0 0 0) to (1 1 2) tilt (0.3 0 0)" in seen.stdout + seen.stderr, seen)
    for tilt in ("", "tilt = (0.4, 0, 0);"):
        seen = scree(top, "run", "-q", "--steps", "5", write(top, SLAB, tilt=tilt))
        tap.check(f"a change of the tilt in a run is refused: {tilt}", seen.returncode != 0 and "its tilt" in seen.stderr, seen)


def test_compare(top):
    write(top, FLAT)
    seen = scree(top, "compare", "t.cfg", "--vary", "gcd.plugin=grid,dess,bvh", "--steps", "30", "--warmup", "0", "--repeats", "1",
                 "--json")
    states = [one["state_sha256"] for one in json.loads(seen.stdout)["variants"]] if seen.returncode == 0 else []
    tap.check("compare: three GCDs, one state", len(states) == 3 and len(set(states)) == 1, seen)


tap.in_folder(test_refused, test_query, test_free, test_restart, test_change, test_compare)
