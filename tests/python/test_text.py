# SPDX-License-Identifier: Apache-2.0
"""A scene as a dict is the same scene as its text; values of Python that no scene can have are refused.

usage: test_text.py SCREE
"""
import json
import pathlib

import scree
import tap
from runs import run, scree as program

SCENE = {
    "scene": {"title": 'A "ball" of 5 €\n\\ \t', "dt": 1e-5, "steps": 300, "gravity": [0.0, 0, -9.81], "seed": 2**40},
    "materials": {"m": {"density": 2500}},
    "shapes": {"floor": {"type": "plane", "normal": [0, 0, 1]}},
    "bodies": {"ball": {"radius": "1 mm", "position": (0.0, 0.0, "1.2 mm")}, "floor": {"shape": "floor"}},
    "force": [{"plugin": "linear", "kn": 2e4, "restitution": 0.5}],
    "observers": {"path": {"plugin": "csv", "what": "bodies", "groups": ["ball"], "every_steps": 100}},
}
TEXT = """scene = { title = "A \\"ball\\" of 5 €\\n\\\\ \\t"; dt = 1e-5; steps = 300; gravity = (0.0, 0, -9.81); seed = 1099511627776L; };
materials = { m = { density = 2500; }; };
shapes = { floor = { type = "plane"; normal = (0, 0, 1); }; };
bodies = { ball = { radius = "1 mm"; position = (0.0, 0.0, "1.2 mm"); }; floor = { shape = "floor"; }; };
force = ( { plugin = "linear"; kn = 2e4; restitution = 0.5; } );
observers = { path = { plugin = "csv"; what = "bodies"; groups = ["ball"]; every_steps = 100; }; };
"""


def printed(top, text):
    (top / "s.cfg").write_text(text, encoding="utf-8")
    seen = program(top, "validate", "s.cfg", "--print")
    return seen.stdout or seen.stderr


def test_same(top):
    text = scree.scene_text(SCENE)
    ours, plain = printed(top, text), printed(top, TEXT)
    tap.check("the text of a dict is the scene that a hand would write", ours == plain and "1099511627776" in ours
              and 'A \\"ball\\"' in ours, f"{text}\n{ours}\n---\n{plain}")
    states = [run(top, one, name=f"run-{k}")["state_sha256"] for k, one in enumerate((text, TEXT))]
    tap.check("and its run ends in the same state", states[0] == states[1], states)
    tap.check("it has a key a line, so that the line of a message names it", text.splitlines()[1].strip().startswith("title =")
              and len(text.splitlines()) > 20, text)


def test_values(top):
    numbers = {"a": 0.1, "b": 1.0, "c": 1e22, "d": 5e-324, "e": -0.0, "f": 2**31 - 1, "g": 2**31, "h": -2**63, "i": True, "j": [],
               "k": {}, "l": pathlib.PurePath("a/b.stl"), "m": "\x01\x7f"}
    want = ["a = 0.1;", "b = 1.0;", "c = 1e+22;", "d = 5e-324;", "e = -0.0;", "f = 2147483647;", "g = 2147483648L;",
            "h = -9223372036854775808L;", "i = true;", "j = ( );", "k = { };", 'l = "a/b.stl";', 'm = "\\x01\\x7f";']
    got = scree.scene_text(numbers).splitlines()
    tap.check("numbers keep their bits, whole ones of 64 bits get an L", got == want, got)
    for value, error, said in ((float("nan"), ValueError, "scene.dt: expected a finite number, got nan"),
                               (float("inf"), ValueError, "got inf"), (2**63, ValueError, "64 bits"), (None, TypeError, "got None"),
                               ("a\0", ValueError, "without NUL"), ([1, {"x": {1, 2}}], TypeError, "scene.dt[1].x: expected"),
                               ({"a b": 1}, ValueError, "scene.dt: expected a key of letters"), ({3: 1}, ValueError, "got 3")):
        try:
            seen = scree.scene_text({"scene": {"dt": value}})
        except error as e:
            seen = e
        tap.check(f"{value!r} is refused with its path", isinstance(seen, error) and said in str(seen), seen)


def test_overrides(top):
    from scree import _text
    got = _text.overrides({"scene": {"dt": 1e-6, "region": {"min": (0, 0, 0)}}, "gcd": {"plugin": "bvh", "fat": 2}, "observers": {},
                           "threads_": 3})
    want = ["scene.dt=1e-06", "scene.region.min=( 0, 0, 0 )", 'gcd={\n    plugin = "bvh";\n    fat = 2;\n}', "observers={ }", "threads_=3"]
    tap.check("keywords are overrides: groups merge, plugins and empty groups replace", got == want, got)
    (top / "s.cfg").write_text(TEXT, encoding="utf-8")
    words = [word for one in _text.overrides({"scene": {"dt": 2e-5, "steps": 7}, "gcd": {"plugin": "bvh"}, "observers": {}}) for word in ("--set", one)]
    seen = program(top, "run", "s.cfg", "-q", "--json", *words)
    data = json.loads(seen.stdout or "{}")
    tap.check("`scree run --set` takes each of them", data.get("dt") == 2e-5 and data.get("steps") == 7
              and "bvh" in {p["id"] for p in data["plugins"]} and data["folder"] is None, seen)


tap.in_folders(test_same, test_values, test_overrides)
