# SPDX-License-Identifier: Apache-2.0
"""Resolvers of a scene that names none, and shapes that nothing uses.

usage: test_resolvers.py SCREE
"""
import json
import pathlib
import re
import tempfile

import tap
from runs import scree

SCENE = """scene = {{ dimension = {dimension}; dt = 1.0e-5; steps = 60; gravity = ({down}); }};
materials = {{ m = {{ density = 2500.0; }}; }};
shapes = {{ {shapes} floor = {{ type = "plane"; normal = ({up}); }}; }};
bodies = {{ {bodies} c = {{ radius = "3 mm"; position = ({at}); }}; floor = {{ shape = "floor"; }}; }};
{more}
"""
FLAT = {"dimension": 2, "down": "0.0, -9.81", "up": "0.0, 1.0", "at": "0.02, 0.003"}
SPACE = {"dimension": 3, "down": "0.0, 0.0, -9.81", "up": "0.0, 0.0, 1.0", "at": "0.02, 0.0, 0.003"}
NUTS = {"shapes": 'nut = { type = "polygon"; sides = 6; diameter = "10 mm"; };',
        "bodies": 'a = { shape = "nut"; position = (0.0, 0.006); }; b = { shape = "nut"; position = (0.002, 0.0145); };'}
DICE = {"shapes": 'die = { type = "polyhedron"; solid = "cuboid"; size = (0.01, 0.01, 0.01); };',
        "bodies": 'a = { shape = "die"; position = (0.0, 0.0, 0.005); };'}
LINEAR = 'force = { plugin = "linear"; kn = 1.0e5; };'
AREA = 'force = { plugin = "overlap_area"; k = 1.0e8; kt = 1.0e4; };'
NONE = {"shapes": "", "bodies": ""}
GRAINS = ('generate = { g = { plugin = "polygons"; count = 6; corners = (5, 7); variants = 3; radius = 0.004; '
          'region = { min = (-0.02, 0.01); max = (0.01, 0.05); }; }; };')

CHOSEN = [
    ("polygons with a law of the distance", FLAT, NUTS, LINEAR,
     '( { plugin = "sphere"; }, { plugin = "closest_feature"; contact = "distance"; } )'),
    ("polygons with a law of the overlap", FLAT, NUTS, AREA,
     '( { plugin = "sphere"; }, { plugin = "closest_feature"; contact = "overlap"; } )'),
    ("polygons that a source makes", FLAT, NONE, LINEAR + GRAINS,
     '( { plugin = "sphere"; }, { plugin = "closest_feature"; contact = "distance"; } )'),
    ("polygons that a source makes, with a law of the overlap", FLAT, NONE, AREA + GRAINS,
     '( { plugin = "sphere"; }, { plugin = "closest_feature"; contact = "overlap"; } )'),
    ("convex solids", SPACE, DICE, LINEAR, '( { plugin = "sphere"; }, { plugin = "gjk"; } )'),
]


def write(top, where, what, more):
    (top / "scene.cfg").write_text(SCENE.format(more=more, **where, **what), encoding="utf-8")


def run(top, *args):
    seen = scree(top, "run", *args, "-q", "--json")
    return seen, json.loads(seen.stdout) if seen.returncode == 0 else {}


def test_chosen(top):
    for k, (name, where, what, law, line) in enumerate(CHOSEN):
        first = f"run-{k}"
        write(top, where, what, law)
        seen = scree(top, "validate", "scene.cfg")
        tap.check(f"{name}: validate names the choice, as a line to write", seen.returncode == 0 and
                  f"note: resolvers are not given; by its shapes the scene gets resolvers = {line};" in seen.stderr, seen)
        seen, chosen = run(top, "scene.cfg", "-o", first)
        used = [p["id"] for p in json.loads((top / first / "manifest.json").read_text(encoding="utf-8"))["plugins"]
                if p["kind"] == "resolver"]
        tap.check(f"{name}: the manifest names it", used == re.findall(r'plugin = "(\w+)"', line), used)
        again = scree(top, "run", "--repeat", f"{first}/manifest.json", "-q")
        tap.check(f"{name}: a repeated run has the same resolvers", again.returncode == 0 and
                  chosen["state_sha256"] in again.stdout, again)
        rest = run(top, "--restart", first, "--steps", "40")[1]
        write(top, where, what, law + f"\nresolvers = {line};")
        seen, written = run(top, "scene.cfg")
        tap.check(f"{name}: the same line in the scene gives the same state, without a note",
                  written["state_sha256"] == chosen["state_sha256"] and "resolvers" not in seen.stderr, seen)
        whole = run(top, "scene.cfg", "--steps", "100")[1]
        tap.check(f"{name}: and so does a continued run", rest["state_sha256"] == whole["state_sha256"], (rest, whole))


def test_missing(top):
    """A resolver that cannot be loaded is named, and the next one that serves is taken."""
    (top / "plugins/resolver").mkdir(parents=True)
    (top / "plugins/resolver/gjk.so").write_bytes(b"")
    write(top, SPACE, DICE, LINEAR)
    seen = scree(top, "validate", "scene.cfg", "--plugin-path", top / "plugins")
    tap.check("a resolver that is missing is named", seen.returncode == 0 and re.search(
        r"some of those asked for are missing: .*resolver/gjk\.so", seen.stderr) and 'plugin = "sdf"' in seen.stderr, seen)


def test_none(top):
    write(top, SPACE, {"shapes": "", "bodies": ""}, LINEAR)
    seen = scree(top, "validate", "scene.cfg")
    tap.check("balls and walls have resolver/sphere, without a note", seen.returncode == 0 and not seen.stderr and
              "plugins    gcd/auto, resolver/sphere, force" in seen.stdout, seen)


def test_unserved(top):
    write(top, FLAT, NUTS, LINEAR + 'resolvers = { plugin = "sphere"; };')
    seen = scree(top, "validate", "scene.cfg")
    tap.check("a pair without a resolver gives the line to write", seen.returncode == 2 and
              'resolvers = ( { plugin = "sphere"; }, { plugin = "NAME"; } )' in seen.stderr, seen)
    made = 'generate = { more = { plugin = "random"; shape = "%s"; count = 20; region = { min = (%s); max = (%s); }; }; };'
    write(top, SPACE, DICE, LINEAR + 'resolvers = { plugin = "sphere"; };' + made % ("die", "-0.03, -0.03, 0.1", "0.03, 0.03, 0.16"))
    seen = scree(top, "validate", "scene.cfg")
    tap.check("a source that asks about such a pair says the same", seen.returncode == 2 and re.search(
        r": generate\.more: no resolver of the scene \(sphere\) supports \w+ - \w+; scree plugins resolver says what each supports", seen.stderr)
        and "scree.query" not in seen.stderr, seen)


def test_unused(top):
    """A shape that no body has refuses nothing, with a modifier or without."""
    spare = {"shapes": DICE["shapes"], "bodies": ""}
    calm = 'modifiers = { calm = { plugin = "damping"; alpha = 0.3; }; };'
    write(top, SPACE, {"shapes": "", "bodies": ""}, LINEAR + calm)
    plain = run(top, "scene.cfg")[1]
    write(top, SPACE, spare, LINEAR + calm + 'resolvers = { plugin = "sphere"; };')
    seen, data = run(top, "scene.cfg")
    tap.check("an unused shape refuses nothing next to a modifier", data.get("energy") == plain["energy"], seen)
    write(top, SPACE, DICE, LINEAR + calm + 'resolvers = { plugin = "sphere"; };')
    tap.check("one that a body has does", run(top, "scene.cfg")[0].returncode == 2)
    rain = ('modifiers = { rain = { plugin = "insert"; number_rate = 1.0e4; body = { shape = "die"; }; '
            'region = { min = (-0.1, -0.1, 0.02); max = (0.1, 0.1, 0.1); }; }; };')
    write(top, SPACE, spare, LINEAR + rain + 'resolvers = { plugin = "sphere"; };')
    seen = scree(top, "validate", "scene.cfg")
    tap.check("one that a recipe has does, too", seen.returncode == 2 and "no resolver of the scene (sphere)" in seen.stderr, seen)


def test_unused_adds_none(top):
    """A solid that no body can be of asks for no resolver; one that a recipe or a file may name does."""
    table = 'generate = { g = { plugin = "table"; file = "rows.csv"; }; };'
    rain = ('modifiers = { rain = { plugin = "insert"; number_rate = 1.0e4; body = { shape = "die"; scale = 1.0; }; '
            'region = { min = (-0.1, -0.1, 0.02); max = (0.1, 0.1, 0.1); }; }; };')
    (top / "rows.csv").write_text("x,y,z,radius,shape\n0.1,0.0,0.1,0.002,sphere\n", encoding="utf-8")
    for name, more, gets in (("nothing names", "", False), ("a recipe names", rain, True), ("a file may name", table, True)):
        write(top, SPACE, {"shapes": DICE["shapes"], "bodies": ""}, LINEAR + more)
        seen = scree(top, "validate", "scene.cfg")
        tap.check(f"a solid that {name} adds {'a' if gets else 'no'} resolver", seen.returncode == 0
                  and ("the scene gets resolvers" in seen.stderr) == gets == ("resolver/gjk" in seen.stdout), seen)


def test_all():
    for test in (test_chosen, test_missing, test_none, test_unserved, test_unused, test_unused_adds_none):
        with tempfile.TemporaryDirectory() as top:
            test(pathlib.Path(top))


if __name__ == "__main__":
    tap.finish(test_all)
