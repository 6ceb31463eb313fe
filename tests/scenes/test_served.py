# SPDX-License-Identifier: Apache-2.0
"""resolver/dfr3d and resolver/sdf warn where contacts are deeper, or corners finer, than they serve.

usage: test_served.py SCREE
"""
import math
import re

import tap
from runs import scree

SIDE, DENSITY = 0.02, 2500.0
CUBE = f'type = "polyhedron"; solid = "cuboid"; size = ({SIDE}, {SIDE}, {SIDE});'
TETRAHEDRON = 'type = "polyhedron"; solid = "tetrahedron"; edge = 0.025;'


def warnings(top, command, resolver, cells, shape=CUBE, kn=1e7, speed=0.0, start=0.025, args=(), law=None, more=""):
    """Lines of the resolver at level warning, of one command. `more`: other settings of the scene."""
    law = law or f'plugin = "linear"; kn = {kn!r}; restitution = 1.0; friction = 0.0;'
    (top / "s.cfg").write_text(f"""
scene = {{ dimension = 3; dt = 2e-7; steps = 160; }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ block = {{ {shape} }}; }};
bodies = {{ a = {{ shape = "block"; position = (0.0, 0.0, 0.0); }};
    b = {{ shape = "block"; position = ({start!r}, 0.0, 0.0); velocity = ({-speed!r}, 0.0, 0.0); }}; }};
force = ( {{ {law} }} );
resolvers = ( {{ plugin = "{resolver}"; cells = {cells}; }} );
{more}
""")
    where = ["-q", "-o", f"run-{len(list(top.iterdir()))}"] if command == "run" else []
    done = scree(top, command, "s.cfg", *where, *args)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [line for line in done.stderr.splitlines() if line.startswith("resolvers[0]: warning:")]


def test_depth(top):
    """Four springs under a face: cubes that meet at v are v sqrt(m / (2 * 4 kn)) deep at most."""
    for resolver in ("dfr3d", "sdf"):
        def deepest(speed, kn):
            return speed * math.sqrt(DENSITY * SIDE ** 3 / (8.0 * kn)) / SIDE
        shallow, deep = 5.0, 60.0
        assert deepest(shallow, 1e7) < 0.005 and deepest(deep, 1e7) > 0.02
        quiet = warnings(top, "run", resolver, 64, speed=shallow, start=SIDE + 1e-5)
        tap.check(f"{resolver}: cubes that are {100 * deepest(shallow, 1e7):.2g} % of their size deep give no warning",
                  quiet == [], quiet)
        said = [warnings(top, "run", resolver, 64, speed=deep, start=SIDE + 1e-5, args=("--threads", t)) for t in ("1", "2")]
        share = [float(m) for m in re.findall(r"as deep as ([0-9.]+) %", "".join(said[0]))]
        tap.check(f"{resolver}: deeper ones give one, with shape and depth as of the springs",
                  len(said[0]) == 1 and len(share) == 1 and '"block"' in said[0][0]
                  and abs(share[0] / 100.0 / deepest(deep, 1e7) - 1.0) < 0.02, (said, deepest(deep, 1e7)))
        tap.check(f"{resolver}: the same with two threads", said[0] == said[1], said)
        found = warnings(top, "validate", resolver, 64, start=SIDE * (1.0 - 0.03))
        tap.check(f"{resolver}: validate says once that the start is 3 % deep",
                  len(found) == 1 and "as deep as 3 %" in found[0], found)
        found = warnings(top, "validate", resolver, 64, start=SIDE * (1.0 - 0.003))
        tap.check(f"{resolver}: validate says nothing of 0.3 %", found == [], found)


def test_corners(top):
    """Edges of a tetrahedron across the cells: dfr3d cuts them by up to half a cell or so; samples of sdf are a cell
    apart, and where two wedges of 70.5 degrees cross, half of that over tan(70.5 / 2) is not seen."""
    edge = math.acos(1.0 / 3.0)
    for resolver in ("dfr3d", "sdf"):
        for command in ("run", "validate"):
            found = warnings(top, command, resolver, 24, TETRAHEDRON, start=0.05)
            share = [float(m) for m in re.findall(r"([0-9.]+) % of its longest side", "".join(found))]
            bounds = ((0.2 / 22, 1.0 / 22) if resolver == "dfr3d" else
                      tuple(0.5 / 24 / math.tan(0.5 * edge) * k for k in (0.95, 1.05)))
            tap.check(f"{resolver}: {command} says once that 24 cells are too few for a tetrahedron, and how much they lose",
                      len(found) == 1 and len(share) == 1 and bounds[0] <= share[0] / 100.0 <= bounds[1]
                      and re.search(r"`cells` of|`spacing` of", found[0]), (found, bounds))
    found = warnings(top, "validate", "dfr3d", 64, TETRAHEDRON, start=0.05)
    tap.check("dfr3d: with 64 cells it is silent", found == [], found)
    found = warnings(top, "validate", "dfr3d", 24, CUBE, start=0.05)
    tap.check("dfr3d: a cube along its cells needs no more of them", found == [], found)
    ball = 'type = "superquadric"; axes = (0.012, 0.01, 0.008);'
    for resolver in ("dfr3d", "sdf"):
        found = warnings(top, "validate", resolver, 24, ball, start=0.05)
        tap.check(f"{resolver}: an ellipsoid has no corners to lose", found == [], found)
        found = warnings(top, "validate", resolver, 8, ball[:-1] + " blockiness = (20.0, 20.0);", start=0.05)
        tap.check(f"{resolver}: corners of a superquadric are finer than 8 cells", len(found) == 1 and "cut off" in found[0],
                  found)


def test_volumes(top):
    """The volume of sdf is too small where overlaps are deep."""
    law, sdf = 'plugin = "overlap_volume"; k = 1e10; kt = 10.0; damping = "none";', 'sdf"; contact = "overlap'
    for deep, warned in ((0.2, 1), (0.05, 0)):
        found = warnings(top, "validate", sdf, 24, start=SIDE * (1.0 - deep), law=law)
        tap.check(f"sdf by volume: an overlap {100 * deep:g} % deep gives {warned} warning",
                  len(found) == warned and all("cyrus_beck" in line for line in found), found)


def test_trials(top):
    """Places that are tried and found taken are not of the run; each source tries with resolvers of its own."""
    source = ('plugin = "random"; shape = "block"; count = 12; orientation = "random"; '
              'region = { min = (-0.06, 0.04, -0.06); max = (0.06, 0.16, 0.06); };')
    for resolver in ("dfr3d", "sdf"):
        found = warnings(top, "run", resolver, 64, start=0.05, more=f"generate = {{ one = {{ {source} }}; }};")
        tap.check(f"{resolver}: bodies that a source tried to place in each other give no warning", found == [], found)
        more = f"generate = {{ one = {{ {source} }}; two = {{ {source} }}; }};".replace("= 12", "= 2")
        found = warnings(top, "validate", resolver, 24, TETRAHEDRON, start=0.05, more=more)
        tap.check(f"{resolver}: with two sources validate names a shape once", len(found) == 1, found)


tap.in_folders(test_depth, test_corners, test_volumes, test_trials)
