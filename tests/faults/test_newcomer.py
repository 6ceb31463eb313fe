# SPDX-License-Identifier: Apache-2.0
"""Mistakes of a newcomer, and their messages: one true line per mistake, with the line to write.

usage: test_newcomer.py SCREE
"""
import json
import re

import tap
from runs import scree

SCENE = """
scene = { dt = 1.0e-5; steps = 20; };
materials = { m = { density = 2500.0; }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
"""


def test_peak(top):
    (top / "scene.cfg").write_text(SCENE)
    ballast = bytearray(b"x") * (300 << 20)
    seen = scree(top, "run", "scene.cfg", "--json")
    peak = json.loads(seen.stdout)["peak_rss_bytes"]
    tap.check("peak memory is that of the run, not of the program that started it",
              1 << 20 < peak < 100 << 20 and len(ballast) == 300 << 20, (peak, seen))


def problems(top, text):
    """The output of validate for a scene, line by line."""
    (top / "scene.cfg").write_text(text)
    seen = scree(top, "validate", "scene.cfg")
    return seen.returncode, [x.removeprefix("scree: ") for x in seen.stderr.splitlines()
                             if not x.startswith("scree: note:")]


def one_problem(claim, top, text, *words):
    status, lines = problems(top, text)
    tap.check(claim, status == 2 and len(lines) == 1 and all(w in lines[0] for w in words),
              (words, status, lines))


def follow(top, key, wrong, line, text=SCENE):
    """A problem that has the line to write; and that line, in its place, is taken."""
    status, lines = problems(top, text + wrong)
    told = lines[0].partition("; write ")[2] if len(lines) == 1 else ""
    tap.check(f"{wrong} gets the line to write", status == 2 and told == line, (lines, line))
    fixed = problems(top, text + line)
    tap.check(f"and {line} is taken", fixed[0] == 0, fixed)


def test_words(top):
    """The name of a plugin instead of its group."""
    bare = SCENE.partition("force")[0]
    for key, plugin in (("gcd", "hgrid"), ("integrator", "velocity_verlet")):
        line = f'{key} = {{ plugin = "{plugin}"; }};'
        for wrong in (f'"{plugin}"', f'["{plugin}"]', f'( {{ plugin = "{plugin}"; }} )'):
            follow(top, key, f"{key} = {wrong};", line)
    for wrong in ('"sphere"', '["sphere"]', '("sphere")'):
        follow(top, "resolvers", f"resolvers = {wrong};", 'resolvers = ( { plugin = "sphere"; } );')
    kn = bare.replace("density", "kn = 1.0e4; density")
    for wrong in ('"linear"', '["linear"]'):
        follow(top, "force", f"force = {wrong};", 'force = ( { plugin = "linear"; } );', kn)
    follow(top, "force", 'force = ["linear", "linear"];',
           'force = ( { plugin = "linear"; }, { plugin = "linear"; } );', kn)
    one_problem("an element of a list gets its group", top,
                kn + 'force = ( "linear", { plugin = "linear"; } );', 'write { plugin = "linear"; }')
    follow(top, "observers", 'observers = "csv";', 'observers = { csv = { plugin = "csv"; }; };')
    follow(top, "observers", 'observers = ( { plugin = "csv"; } );',
           'observers = { csv = { plugin = "csv"; }; };')
    one_problem("observers without a name get one problem", top,
                SCENE + 'observers = { plugin = "csv"; file = "x"; every_steps = 3; };',
                "observers: expected a group of named groups", "write observers = { csv = {")
    one_problem("an observer that is a word gets its group", top, SCENE + 'observers = { a = "csv"; };',
                'write a = { plugin = "csv"; };')
    one_problem("so does a modifier", top, SCENE + 'modifiers = { a = "damping"; };',
                'write a = { plugin = "damping"; };')
    one_problem("and a plugin in a plugin", top, SCENE + 'gcd = { plugin = "compare"; first = "grid"; };',
                "gcd.first", 'write first = { plugin = "grid"; };')
    one_problem("and one in the schedule", top,
                SCENE + 'schedule = ( { at_step = 5; set = { gcd = "bvh"; }; } );',
                "schedule[0].set.gcd", 'write gcd = { plugin = "bvh"; };')
    seen = scree(top, "validate", "scene.cfg", "--set", "gcd=grid", "--set", "schedule=()")
    tap.check("and one on the command line", seen.returncode == 2
              and 'write gcd = { plugin = "grid"; };' in seen.stderr, seen)
    one_problem("a number instead of a group gives no line to write", top, SCENE + "gcd = 5;",
                'gcd: expected a group { plugin = ".."; .. }, got 5')
    one_problem("\"off\" outside of a schedule gives no line to write", top, SCENE + 'observers = { o = "off"; };',
                "observers.o", "elsewhere leave the key out")
    watch = 'observers = { o = { plugin = "csv"; every_steps = 5; }; p = { plugin = "csv"; every_steps = 5; file = "p"; }; };'
    (top / "base.cfg").write_text(SCENE + watch, encoding="utf-8")
    (top / "derived.cfg").write_text('base = "base.cfg"; observers = { o = "off"; };', encoding="utf-8")
    seen = scree(top, "validate", "--print", "derived.cfg")
    tap.check("\"off\" drops a group of the base, and no other", seen.returncode == 0 and "\n    p = {" in seen.stdout
              and "\n    o = {" not in seen.stdout and not seen.stderr, seen)
    (top / "derived.cfg").write_text('base = "base.cfg"; observers = { };', encoding="utf-8")
    seen = scree(top, "validate", "derived.cfg")
    tap.check("an empty group over that of a base has a note", seen.returncode == 0 and re.search(
        r"note: derived\.cfg:1: observers: an empty group changes nothing.*NAME = \"off\" drops one", seen.stderr), seen)
    seen = scree(top, "validate", "base.cfg", "--set", "threads=2")
    tap.check("the list of known keys has each once", seen.returncode == 2 and ", resolvers, scene" in seen.stderr
              and "resolvers, resolvers" not in seen.stderr, seen)
    one_problem("the kind before the name of a plugin is understood", top,
                SCENE + 'gcd = { plugin = "gcd/grid"; };', 'did you mean "grid"?')


MESH = """shapes = { cube = { type = "box"; size = (0.1, 0.1, 0.1); };
    tri = { type = "mesh"; vertices = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)); facets = ((0, 1, 2)); };
    floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
"""


def test_one_problem(top):
    """One problem for one mistake."""
    for shape in ("cube", "tri", "floor"):
        one_problem(f"a free body of shape {shape} gets one problem, the true one", top,
                    SCENE.replace("bodies = {", f'bodies = {{ w = {{ shape = "{shape}"; motion = "free"; '
                                  "velocity = (1.0, 0.0, 0.0); }; ") + MESH,
                    "bodies.w.motion", "has no mass and cannot be free")
    one_problem("a known key is named once in the list", top,
                SCENE + 'modifiers = { a = { plugin = "damping"; foo = 1; }; };',
                "known here: alpha, every_steps, every_time, every_wall, groups, optional, plugin")
    one_problem("a key that is misspelt is not missing too", top,
                SCENE + 'shapes = { b = { type = "box"; siz = (1.0, 1.0, 1.0); }; };', 'did you mean "size"?')
    one_problem("nor is the stiffness of a law", top, SCENE.replace("kn =", "knn ="), 'did you mean "kn"?')
    one_problem("nor that of a material", top,
                SCENE.replace("kn = 1.0e4;", "").replace("density", "knn = 1.0e4; density"), 'did you mean "kn"?')
    one_problem("a pair with an unknown material gets one problem", top,
                SCENE + 'material_pairs = ( { between = ["m", "x"]; kn = 1.0e4; } );', 'no material "x"')
    one_problem("a pair without its two materials, too", top, SCENE + 'material_pairs = ( { kn = 1.0e4; } );',
                'material_pairs[0]: the key between is missing: two materials, as in ["one", "other"]')
    one_problem("a pair that is given twice, too", top, SCENE + 'material_pairs = ( { between = ["m", "m"]; '
                'kn = 1.0e4; }, { between = ["m", "m"]; kn = 1.0e4; } );', "twice")
    one_problem("materials without names get one problem", top,
                SCENE.replace("{ m = { density = 2500.0; }; }", "{ density = 2500.0; }"),
                "write materials = { NAME = { density = ..; }; };")
    one_problem("a resolver that is wrong is not also missed by the law", top,
                SCENE.replace('"linear"; kn = 1.0e4;', '"hertz_mindlin";').replace(
                    "density", "young_modulus = 1.0e7; poisson_ratio = 0.25; density")
                + 'resolvers = ( { plugin = "spher"; } );', "resolver/spher;")


tap.in_folders(test_peak, test_words, test_one_problem)
