# SPDX-License-Identifier: Apache-2.0
"""Bodies of a type that only a modifier brings: what a run needs for them, and what it refuses.

usage: test_refused.py SCREE PLUGINS ...
"""
import json
import pathlib
import sys
import tempfile

import runs
import tap

SCREE, *PLUGINS = (pathlib.Path(path).resolve() for path in sys.argv[1:])
SCENE = """scene = { dt = 1e-5; steps = 20; region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }; };
materials = { glass = { density = 2500.0; }; };
shapes = { stick = { type = "rod"; length = 0.006; radius = 0.002; }; };
bodies = { %s };
modifiers = { feed = {
plugin = "insert"; number = 3;
%s }; };
resolvers = ( %s );
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = 0.4; } );
"""
BALL = "ball = { radius = 0.002; position = (0.0, 0.0, 0.0); };"
STICK = 'stick = { shape = "stick"; position = (0.0, 0.0, 0.0); };'
FEED = 'body = { shape = "stick"; };'
DROP = 'modifiers.feed={plugin="dropper";}'
SPHERE, ROD = '{ plugin = "sphere"; }', '{ plugin = "rod"; }'


def scree(top, command, bodies, feed, resolvers, *args):
    (top / "s.cfg").write_text(SCENE % (bodies, feed, resolvers))
    paths = [word for folder in PLUGINS for word in ("--plugin-path", str(folder))]
    return runs.scree(top, command, "s.cfg", *paths, *args)


def refused(seen, status, *words):
    return seen.returncode == status and all(word in seen.stderr for word in words)


def run(top):
    seen = scree(top, "validate", BALL, FEED, f"{SPHERE}, {ROD}")
    tap.check("the pairs of a type that only insert brings are listed", seen.returncode == 0 and
              "sphere - rod: resolver/rod" in seen.stdout and "rod - rod: resolver/rod" in seen.stdout, seen.stdout + seen.stderr)
    seen = scree(top, "validate", BALL, FEED, f"{SPHERE}, {ROD}", "--set", 'shapes.ill={type="polyhedron"; solid="cuboid"; size=(1.0,1.0);}',
                 "--set", 'generate.more={count=2; shape="ill"; orientation="random"; velocity_random=0.1; radius=0.1;}')
    tap.check("of a body whose shape is at fault no key is called unknown", refused(seen, 2, "shapes.ill.size: expected a list of 3")
              and "unknown" not in seen.stderr, seen.stderr)
    seen = scree(top, "validate", BALL, FEED, SPHERE)
    tap.check("without a resolver for them the scene is refused", refused(seen, 2, "s.cfg:", "no resolver of the scene (sphere) supports",
                                                                          "against rod"), seen.stderr)
    seen = scree(top, "validate", "", FEED, ROD)
    tap.check("a scene of rods needs no resolver of spheres because of its modifier", seen.returncode == 0, seen.stderr)
    seen = scree(top, "run", STICK, FEED, ROD, "--set", DROP)
    tap.check("a type that nothing announced is refused in the run, by name", refused(
        seen, 3, 'insert: no body of shape "sphere" can be in this scene', "modifiers.feed"), f"{seen.returncode}: {seen.stderr}")
    seen = scree(top, "run", 'floor = { shape = "floor"; };', FEED, ROD, "--set", DROP, "--set",
                 'shapes.floor={type="plane"; normal=(0.0, 0.0, 1.0);}')
    tap.check("so is one that no body has and no resolver serves, which refuses no scene", refused(
        seen, 3, 'insert: no body of shape "sphere" can be in this scene', "modifiers.feed"), f"{seen.returncode}: {seen.stderr}")
    seen = scree(top, "run", BALL, FEED, f"{SPHERE}, {ROD}", "--set", DROP, "--json")
    tap.check("one that has its resolvers is inserted", seen.returncode == 0 and json.loads(seen.stdout)["bodies"] == 21,
              seen.stdout + seen.stderr)
    small = "region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.009); };"
    seen = scree(top, "run", BALL, FEED + small, f"{SPHERE}, {ROD}")
    tap.check("a region without room names the bounding radius", refused(
        seen, 2, "s.cfg:5: ", "modifiers.feed", "the largest body, of bounding radius 0.005 m, has no room in the region"), seen.stderr)


with tempfile.TemporaryDirectory() as folder:
    tap.finish(lambda: run(pathlib.Path(folder)))
