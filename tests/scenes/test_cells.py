# SPDX-License-Identifier: Apache-2.0
"""Solids in space by resolver/dfr3d with force/linear: a box on an incline, an L-block and a ring that drop, linked
rings, one state whatever the route.

usage: test_cells.py SCREE CONFIGS
"""
import math
import pathlib
import sys

import tap
from runs import read_numbers, run

SCREE, CONFIGS = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
G, DENSITY, KN = 9.81, 2500.0, 2.0e4
WALL = "((-0.2, -0.2, 0.0), (0.2, -0.2, 0.0), (0.2, 0.2, 0.0), (-0.2, 0.2, 0.0))"
GROUNDS = {
    "plane": ('type = "plane"; normal = (0.0, 0.0, 1.0);', ""),
    "wall": (f'type = "mesh"; vertices = {WALL}; facets = ((0, 1, 2), (0, 2, 3));', ""),
    "plate": ('type = "polyhedron"; solid = "cuboid"; size = (0.2, 0.2, 0.02);', 'motion = "fixed";'),
}
BOX = 'type = "polyhedron"; solid = "cuboid"; size = (0.04, 0.03, 0.02);'
CORNERS = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
SIDES = [(k, k + 6, (k + 1) % 6 + 6, (k + 1) % 6) for k in range(6)]
ENDS = [(0, 1, 2, 3), (0, 3, 4, 5), (9, 8, 7, 6), (11, 10, 9, 6)]
BLOCK = 'type = "polyhedron"; vertices = (%s); facets = (%s);' % (
    ", ".join(f"({0.01 * x}, {y}, {0.01 * z})" for y in (-0.005, 0.005) for x, z in CORNERS),
    ", ".join(str(f) for f in SIDES + ENDS))


def table(folder, name):
    return read_numbers(folder / f"{name}.csv")


def scene(shape, position, ground, steps, angle=0.0, more="", cells=16, restitution=0.3, dt=2e-5, every=100):
    gravity = (G * math.sin(math.radians(angle)), 0.0, -G * math.cos(math.radians(angle)))
    kind, motion = GROUNDS[ground]
    low = -0.01 if ground == "plate" else 0.0
    return f"""
scene = {{ dimension = 3; dt = {dt!r}; steps = {steps}; gravity = {gravity!r}; }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ body = {{ {shape} }}; ground = {{ {kind} }}; }};
bodies = {{ body = {{ shape = "body"; position = {position!r}; {more} }};
    ground = {{ shape = "ground"; {motion} position = (0.0, 0.0, {low}); }}; }};
force = ( {{ plugin = "linear"; kn = {KN}; restitution = {restitution}; friction = 0.5; mass = "bodies"; }} );
resolvers = ( {{ plugin = "dfr3d"; cells = {cells}; }} );
observers = {{ s = {{ plugin = "csv"; file = "summary"; every_steps = {every}; }};
    b = {{ plugin = "csv"; file = "bodies"; what = "bodies"; every_steps = {every}; }}; }};
"""


def test_incline(top):
    """A box on 10 degrees with mu = 0.5 holds; on 30 it slides with g (sin - mu cos)."""
    for ground in GROUNDS:
        run(top, scene(BOX, (0.0, 0.0, 0.01), ground, 10000, angle=10.0), name=ground)
        rows = [r for r in table(top / ground, "bodies") if r["name"] == "body"]
        slip = rows[-1]["x"] - rows[len(rows) // 2]["x"]
        contacts = table(top / ground, "summary")[-1]["contacts"]
        # A corner carries a quarter of the weight: it presses in by m g / (4 kn) = 7 um, and shears by less.
        tap.check(f"a box on a {ground} of 10 degrees holds, on four corners",
                  abs(slip) < 1e-7 and abs(rows[-1]["x"]) < 1e-5 and contacts == 4, (slip, rows[-1], contacts))
    run(top, scene(BOX, (-0.1, 0.0, 0.01), "plane", 10000, angle=30.0), name="steep")
    rows = [r for r in table(top / "steep", "bodies") if r["name"] == "body"]
    expected = G * (math.sin(math.pi / 6) - 0.5 * math.cos(math.pi / 6))
    n = len(rows) // 4 # not from the start, where it is still pressed in
    found = (rows[-1]["x"] - 2 * rows[-1 - n]["x"] + rows[-1 - 2 * n]["x"]) / (n * 100 * 2e-5) ** 2
    tap.check("on 30 degrees it slides as friction lets it", abs(found - expected) < 0.005 * expected, (found, expected))


def test_drops(top):
    """A fall from rest: energy never rises, and all of the kinetic energy is spent."""
    turned = "orientation = (0.8, 0.36, 0.48, 0.0);"
    ring = f'type = "polyhedron"; file = "{CONFIGS / "torus.obj"}";'
    for name, shape, height in (("an L-block", BLOCK, 0.035), ("a ring", ring, 0.035)):
        run(top, scene(shape, (0.0, 0.0, height), "plane", 60000, more=turned, cells=20), name=name[-4:])
        rows = table(top / name[-4:], "summary")
        start = rows[0]["kinetic"] + rows[0]["gravity"]
        total = [r["kinetic"] + r["gravity"] + r["stored"] for r in rows]
        drop = start - min(r["gravity"] for r in rows)
        rise = max(total) - start
        residual = max(abs(r["residual"]) for r in rows)
        tap.check(f"{name} that drops never has more energy than at the start", rise < 1e-3 * drop, (rise, drop))
        tap.check(f"{name}: what law and motion do not account for is less than 3 % of the drop",
                  residual < 0.03 * drop, (residual, drop))
        tap.check(f"{name} comes to rest", rows[-1]["kinetic"] < 1e-6 * drop, (rows[-1], drop))


def chain(**of):
    keys = {"steps": 20000, "cells": 24, "more": "", **of}
    text = (CONFIGS / "tori.cfg").read_text()
    text = text.replace('file = "torus.obj"', f'file = "{CONFIGS / "torus.obj"}"')
    text = text.replace("steps = 40000", f"steps = {keys['steps']}").replace("cells = 32", f"cells = {keys['cells']}")
    start = text.index("observers")
    return text[:start] + """observers = { s = { plugin = "csv"; file = "summary"; every_steps = 100; };
    b = { plugin = "csv"; file = "bodies"; what = "bodies"; every_steps = 100; }; };""" + keys["more"]


def test_linked(top):
    """Each ring hangs in the one above; at rest each carries what is below it."""
    run(top, chain(), name="linked")
    rows, bodies = table(top / "linked", "summary"), table(top / "linked", "bodies")
    last = [r for r in bodies if r["step"] == bodies[-1]["step"]]
    z = sorted((r["z"] for r in last), reverse=True)
    # Tubes touch at 2 (ring radius - tube radius) = 0.030 m apart, but for the facets and 24 um of load.
    gaps = [z[0] - z[1], z[1] - z[2]]
    tap.check("linked rings hold one another", all(abs(g - 0.030) < 5e-4 for g in gaps), (z, gaps))
    start = rows[0]["kinetic"] + rows[0]["gravity"]
    total = [r["kinetic"] + r["gravity"] + r["stored"] for r in rows]
    tap.check("they gain no energy", max(total) - start < 1e-6 * abs(start), (max(total), start))
    tap.check("they come to hang nearly at rest", rows[-1]["kinetic"] < 1e-5, rows[-1])


def test_routes(top):
    """One state over GCDs, threads, batches, a restart."""
    text = chain(steps=3000, cells=12, more="\ncheckpoint = { every_steps = 1500; keep = 10; };")
    whole = run(top, text, name="whole")
    ways = {"grid": ["--set", 'gcd={plugin="grid";}'], "pairing": ["--set", 'gcd={plugin="pairing";}'],
            "threads": ["--threads", "3"]}
    for way, args in ways.items():
        seen = run(top, text, *args, name=way)
        tap.check(f"rings have one state: {way}", seen["state_sha256"] == whole["state_sha256"], (seen, whole))
    file = next(path for path in (top / "whole").rglob("*-1500.h5"))
    seen = run(top, text, "--restart", str(file), "--steps", "1500", name="rest")
    tap.check("rings have one state: a restart between", seen["state_sha256"] == whole["state_sha256"], (seen, whole))
    seen = run(top, text, "--set", "resolvers.0.cells=13", name="other")
    tap.check("with other cells they have another one", seen["state_sha256"] != whole["state_sha256"], seen)


def test_refused(top):
    """Cells too small or too few are refused, and the message says how many are expected."""
    text = scene(BOX, (0.0, 0.0, 0.02), "plane", 1)
    for change, words in ((("cells = 16;", "cell = 1e-5;"), ("expected a `cell` of at least", "body", "64 cells")),
                          (("cells = 16;", "cells = 3;"), ("cells", "4"))):
        try:
            run(top, text.replace(*change), name="refused" + str(len(words)))
            seen = "it was taken"
        except RuntimeError as error:
            seen = str(error)
        tap.check(f"{change[1]} is refused", all(w in seen for w in words), seen)


if __name__ == "__main__":
    tap.in_folders(test_incline, test_drops, test_linked, test_routes, test_refused)
