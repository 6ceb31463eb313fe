# SPDX-License-Identifier: Apache-2.0
"""Solids in space and round walls as users give them: files, hulls, volumes, pictures, and each refusal.

usage: test_solids.py SCREE
"""
import math
import struct

import tap
from runs import read_table, scree

CUBE = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1))
SIDES = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))


def write(top, shape):
    """A fixed body, which needs no resolver."""
    (top / "s.cfg").write_text(
        "scene = { dt = 1e-6; steps = 1; };\nmaterials = { m = { density = 10.0; }; };\n"
        f"shapes = {{ a = {{ {shape} }}; }};\n"
        'bodies = { a = { shape = "a"; position = (0.0, 0.0, 0.0); motion = "fixed"; }; };\n'
        'observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 1; };\n'
        '  image = { plugin = "image"; optional = true; every_steps = 1; file = "a"; width = 60; height = 60; samples = 1; };\n'
        '  vtk = { plugin = "vtk"; every_steps = 1; }; };\n')


def refused(top, shape, words):
    write(top, shape)
    seen = scree(top, "validate", "s.cfg")
    tap.check(f"refused: {words}", seen.returncode == 2 and words in seen.stderr, (shape, seen.stderr))


def listed(points, facets=None):
    text = f'type = "polyhedron"; {"vertices" if facets else "points"} = {points}; '
    return text + (f"facets = {facets};" if facets else "")


def stl_text(facets):
    """Text of an STL file of triangles, seven lines each from line 2 on."""
    body = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners)
                   + "endloop\nendfacet\n" for corners in facets)
    return f"solid s\n{body}endsolid s\n"


def triangles():
    return [tuple(CUBE[side[k]] for k in corners) for side in SIDES for corners in ((0, 1, 2), (0, 2, 3))]


def polyhedra_refused(top):
    refused(top, 'type = "polyhedron";', "expected one of vertices and facets, points, file, and solid, got none")
    refused(top, 'type = "polyhedron"; solid = "cube"; edge = 1.0; points = ((0, 0, 0), (1, 0, 0));', "got more than one")
    refused(top, 'type = "polyhedron"; solid = "cube";', "expected one of edge and diameter for a named solid")
    refused(top, 'type = "polyhedron"; solid = "cuboid"; edge = 1.0;', "a cuboid has a size = (a, b, c), and nothing else")
    refused(top, 'type = "polyhedron"; edge = 1.0; ' + f"points = {CUBE};", 'solid = ".." is missing')
    refused(top, f'type = "polyhedron"; vertices = {CUBE};', "facets are missing")
    refused(top, listed(CUBE, ((0, 4, 6, 2), (0, 1))), "facet 1 has 2 vertices, expected 3 or 4")
    refused(top, listed(CUBE, ((0, 4, 6, 8), (0, 1, 2))), "facet 0 names vertex 8, there are 8 (counted from 0)")
    refused(top, listed(CUBE, SIDES[:5]), "facet 0: its edge from vertex 4 at (0, 0, 1) m to vertex 6 at (0, 1, 1) m has no other facet; "
            "the surface is open")
    refused(top, listed(CUBE, SIDES[:1] + (SIDES[1][::-1],) + SIDES[2:]), "facet 1 is inside out: its corners go the other way round")
    refused(top, listed(CUBE, tuple(side[::-1] for side in SIDES)), "it is inside out: it encloses -1 m^3")
    refused(top, listed(CUBE[:7] + ((0.5, 0.5, -0.3),), SIDES), "is not planar")
    refused(top, listed(CUBE + ((0, 0, 5), (1, 0, 5), (0, 1, 5), (0, 0, 6)), SIDES + ((8, 10, 9), (8, 9, 11), (9, 10, 11), (8, 11, 10))),
            "it has several pieces: facet 0 and facet 6 are of different ones")
    refused(top, listed(CUBE + ((0.5, 0.5, 0.5), (1.5, 0.5, 0.5), (0.5, 0.7, 0.5), (0.5, 0.5, 0.8)),
                        SIDES + ((8, 10, 9), (8, 9, 11), (9, 10, 11), (8, 11, 10))), "facet 1 and facet 6 cross or touch each other")
    refused(top, listed(CUBE[:4]), "the 4 points have no convex hull with a volume (QH6")
    refused(top, listed(CUBE[:3]), "a convex hull with a volume needs 4 points or more, got 3")
    (top / "open.stl").write_text(stl_text(triangles()[:-1]))
    refused(top, 'type = "polyhedron"; file = "open.stl"; unit = "cm";', "open.stl:2: facet 0: its edge from (0, 0, 0.01) m to (0, 0.01, 0.01) m has no "
            "other facet")
    (top / "flat.stl").write_text(stl_text(triangles() + [((0, 0, 0), (0, 0, 0), (1, 1, 1))]))
    refused(top, 'type = "polyhedron"; file = "flat.stl";', "flat.stl:86: facet 12: two corners in one place")
    (top / "twice.stl").write_text(stl_text(triangles() + triangles()[:1]))
    refused(top, 'type = "polyhedron"; file = "twice.stl";', "twice.stl:86: facet 12, as ")
    (top / "points.csv").write_text("x,y\n0,0\n")
    refused(top, 'type = "polyhedron"; file = "points.csv";', "points.csv has no column 'z'")
    refused(top, 'type = "polyhedron"; file = "open.stl"; columns = ["x"];', "columns are those of a table of points")
    (top / "cube.xyz").write_text("0 0 0\n")
    refused(top, 'type = "polyhedron"; file = "cube.xyz";', "ends neither in .stl nor in .obj")


def others_refused(top):
    refused(top, 'type = "superquadric"; axes = (1.0, 1.0);', "axes")
    refused(top, 'type = "superquadric"; axes = (1.0, 1.0, 1e-4);', "axes[2]: expected at least 0.001 m")
    refused(top, 'type = "superquadric"; axes = (1.0, 1.0, 1.0); xi = 0.01;', "xi")
    refused(top, 'type = "superquadric"; axes = (1.0, 1.0, 1.0); xi = 1.0; blockiness = (2.0, 2.0);', "blockiness is given as well as xi")
    refused(top, 'type = "capsule"; length = 0.0; radius = 1.0;', "length")
    refused(top, 'type = "point"; volume = 0.0;', "volume")
    refused(top, 'type = "drum"; radius = 1.0; length = 1.0; open = "left";', 'open = "left" is not an end, which are bottom, top')
    refused(top, 'type = "drum"; radius = 1.0; length = 1.0; sides = 9; tolerance = 0.1;', "sides is given as well as tolerance")
    refused(top, 'type = "cone"; radii = (0.0, 0.0); length = 1.0;', "radii: expected one of them > 0")
    refused(top, 'type = "cone"; radii = (1.0, 2.0, 3.0); length = 1.0;', "radii")


def holds(top, name, shape, volume, slack=1e-13):
    """Its volume in the table of bodies; its surface in a file for ParaView."""
    write(top, shape)
    folder = top / f"run{len(list(top.glob('run*')))}"
    seen = scree(top, "run", "s.cfg", "-q", "-o", folder)
    rows = read_table(folder / "bodies.csv") if seen.returncode == 0 else [{}]
    found = float(rows[0].get("volume", "nan"))
    tap.check(f"{name}: {volume:g} m^3", abs(found / volume - 1.0) < slack, (found, volume, seen.stderr))
    drawn = [path.stat().st_size for path in folder.glob("vtk/solids_*.vtp")]
    tap.check(f"{name} is written for ParaView", bool(drawn) and min(drawn) > 1000, seen.stderr)


def volumes(top):
    golden = 0.5 * (1.0 + math.sqrt(5.0))
    holds(top, "a cube by its facets", listed(CUBE, SIDES), 1.0)
    holds(top, "a cube by its corners and a point inside", listed(CUBE + ((0.5, 0.5, 0.5),)), 1.0)
    (top / "cube.stl").write_text(stl_text(triangles()))
    holds(top, "a cube of text STL in cm, moved", 'type = "polyhedron"; file = "cube.stl"; unit = "cm"; move = (5.0, 0.0, 0.0);', 1e-6,
          slack=1e-9)
    data = b"cube".ljust(80) + struct.pack("<I", 12) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *corners[0], *corners[1], *corners[2], 0) for corners in triangles())
    (top / "binary.stl").write_bytes(data)
    holds(top, "a cube of binary STL", 'type = "polyhedron"; file = "binary.stl";', 1.0)
    (top / "cube.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CUBE)
                                  + "".join("f " + " ".join(str(v + 1) for v in side) + "\n" for side in SIDES))
    holds(top, "a cube of OBJ", 'type = "polyhedron"; file = "cube.obj";', 1.0)
    (top / "open.obj").write_text("\n".join((top / "cube.obj").read_text().splitlines()[:-1]))
    holds(top, "the hull of an open OBJ", 'type = "polyhedron"; file = "open.obj"; hull = true;', 1.0)
    (top / "stone.csv").write_text("x_mm,y_mm,z_mm\n" + "".join(f"{10 * x},{10 * y},{10 * z}\n" for x, y, z in CUBE[:5]))
    holds(top, "the hull of a table in mm", 'type = "polyhedron"; file = "stone.csv";', 1e-6 / 3.0)
    holds(top, "a dodecahedron", 'type = "polyhedron"; solid = "dodecahedron"; edge = 2.0;', 8.0 * (15.0 + 7.0 * math.sqrt(5.0)) / 4.0)
    holds(top, "an icosahedron in a ball", 'type = "polyhedron"; solid = "icosahedron"; diameter = 2.0;',
          5.0 / 12.0 * (3.0 + math.sqrt(5.0)) * (4.0 / (golden * math.sqrt(5.0))) ** 1.5)
    holds(top, "a brick", 'type = "polyhedron"; solid = "cuboid"; size = (1.0, 2.0, 3.0);', 6.0)
    holds(top, "an ellipsoid", 'type = "superquadric"; axes = (1.0, 0.5, 0.25);', math.pi / 6.0)
    holds(top, "an octahedron", 'type = "superquadric"; axes = (1.0, 0.5, 0.25); xi = 2.0; eta = 2.0;', 1.0 / 6.0)
    holds(top, "a star", 'type = "superquadric"; axes = (1.0, 0.5, 0.25); blockiness = (0.8, 0.8);',
          math.gamma(1 + 1 / 0.8) ** 3 / math.gamma(1 + 3 / 0.8))
    holds(top, "a capsule", 'type = "capsule"; length = 3.0; radius = 0.5;', math.pi * (0.75 + 1.0 / 6.0))
    holds(top, "a cylinder", 'type = "cylinder"; length = 3.0; radius = 0.5;', math.pi * 0.75)


def walls(top):
    """Balls stay in a drum, and leave a hopper by its outlet."""
    (top / "w.cfg").write_text("""
scene = { dt = 2e-5; steps = 15000; gravity = (0.0, 0.0, -9.81); seed = 3; };
materials = { m = { density = 2500.0; }; };
shapes = { hopper = { type = "cone"; radii = (0.006, 0.03); length = 0.04; open = ("bottom", "top"); };
           drum = { type = "drum"; radius = 0.04; length = 0.1; tolerance = "0.2 mm"; }; };
bodies = { hopper = { shape = "hopper"; }; drum = { shape = "drum"; position = (0.0, 0.0, 0.0); }; };
generate = { beads = { plugin = "random"; count = 60; diameter = "3 mm";
             region = { type = "cylinder"; from = (0.0, 0.0, 0.01); to = (0.0, 0.0, 0.04); radius = 0.015; }; }; };
force = ( { plugin = "linear"; kn = 500.0; restitution = 0.4; friction = 0.2; } );
observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 15000; }; };
""")
    seen = scree(top, "run", "w.cfg", "-q", "-o", "walls")
    rows = read_table(top / "walls/bodies.csv") if seen.returncode == 0 else []
    last = [row for row in rows if row["step"] == "15000" and row["name"] == "beads"]
    at = [(math.hypot(float(row["x"]), float(row["y"])), float(row["z"])) for row in last]
    tap.check("60 beads are in the drum, below the hopper that they have left",
              len(at) == 60 and all(r < 0.0386 and -0.0489 < z < -0.02 for r, z in at), (seen.stderr, at))


tap.in_folder(polyhedra_refused, others_refused, volumes, walls)
