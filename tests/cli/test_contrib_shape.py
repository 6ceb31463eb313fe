# SPDX-License-Identifier: Apache-2.0
"""contrib/shape/stretch: a shape that names another one, built against an installation.

usage: test_contrib_shape.py MESON BUILD "CC ARG..." CONTRIB
"""
import math
import pathlib
import shlex
import sys

import tap
from runs import read_table
from stage import Stage

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])
DENSITY = 2000.0

SCENE = """
scene = { dt = 1e-5; steps = %d; gravity = (0.0, 0.0, %r); };
materials = { m = { density = 2000.0; }; };
shapes = { it = { %s }; floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { it = { shape = "it"; position = (0.0, 0.0, %r); orientation = (0.9, 0.1, 0.4, 0.1); }; floor = { shape = "floor"; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "linear"; kn = 1.0e4; kt = 8.0e3; restitution = 0.5; friction = 0.4; } );
resolvers = ( { plugin = "gjk"; } );
observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = %d; }; };
"""
BALL = 'type = "superquadric"; axes = (0.01, 0.01, 0.01);'
EGG = 'type = "superquadric"; axes = (0.01, 0.015, 0.02);'
WEDGE = 'type = "polyhedron"; points = ((0, 0, 0), (%g, 0, 0), (0, %g, 0), (%g, %g, %g));'
FACTORS = (1.0, 1.5, 2.0)


def stretch(of, factors=FACTORS):
    return f'type = "stretch"; factors = {factors}; of = {{ {of} }};'


def wedge(x, y, z):
    return WEDGE % (0.03 * x, 0.04 * y, 0.005 * x, 0.01 * y, 0.02 * z)


def run(stage, name, shape, height=1.0, steps=1, gravity=0.0):
    """The last row of the body."""
    scene = stage.top / f"{name}.cfg"
    scene.write_text(SCENE % (steps, gravity, shape, height, steps), encoding="utf-8")
    stage.run(scene, name)
    rows = [row for row in read_table(stage.top / name / "bodies.csv") if row["name"] == "it"]
    return {k: float(v) for k, v in rows[-1].items() if k not in ("name", "shape_name")}


def near(a, b, keys, error):
    return all(math.isclose(a[k], b[k], rel_tol=error, abs_tol=1e-300) for k in keys)


def main(top):
    stage = Stage(top, MESON, BUILD, CC)
    stage.build(CONTRIB / "shape" / "stretch.c", given=("factors=(1.0, 1.5, 2.0)", f"of={{{BALL}}}"))
    ball = run(stage, "ball", stretch(BALL))
    mass = DENSITY * 4.0 / 3.0 * math.pi * 0.01 * 0.015 * 0.02
    axes = [0.2 * mass * (a * a + b * b) for a, b in ((0.01, 0.015), (0.01, 0.02), (0.015, 0.02))]
    tap.check("a stretched ball has the mass and the moments of an ellipsoid", math.isclose(ball["mass"], mass, rel_tol=1e-12) and all(
        math.isclose(a, b, rel_tol=1e-12) for a, b in zip(sorted(ball[k] for k in ("ix", "iy", "iz")), axes)), (ball, mass, axes))
    odd, same = run(stage, "odd", stretch(wedge(1, 1, 1))), run(stage, "same", wedge(*FACTORS))
    tap.check("a stretched polyhedron, whose centroid is off its origin, is that of stretched corners", near(
        odd, same, ("x", "y", "z", "mass"), 1e-12) and all(math.isclose(a, b, rel_tol=1e-10) for a, b in zip(
            sorted(odd[k] for k in ("ix", "iy", "iz")), sorted(same[k] for k in ("ix", "iy", "iz")))), (odd, same))
    twice = run(stage, "twice", stretch(stretch(BALL, (1.0, 3.0, 1.0)), (1.0, 0.5, 2.0)))
    tap.check("a stretch of a stretch is one of the products", near(twice, ball, ("mass", "ix", "iy", "iz"), 1e-12), (twice, ball))
    falls, egg = run(stage, "falls", stretch(BALL), 0.03, 6000, -9.81), run(stage, "egg", EGG, 0.03, 6000, -9.81)
    moved = math.dist([falls[k] for k in "xyz"], [egg[k] for k in "xyz"])
    tap.check("it falls, bounces and rolls as the ellipsoid does", moved < 1e-12 and abs(egg["x"]) > 3e-4, (falls, egg, moved))


tap.in_folder(main)
