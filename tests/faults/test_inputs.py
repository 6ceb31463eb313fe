# SPDX-License-Identifier: Apache-2.0
"""Each bad input file is refused with status 2 by run and validate, naming file, line and value; nothing is written.

usage: test_inputs.py SCREE
"""
import gzip
import os
import struct

import runs
import tap


SCENE = """scene = { dt = 1e-5; steps = 10; region = { min = (-1, -1, -1); max = (1, 1, 1); }; };
materials = { glass = { density = 2500.0; }; };
%s
"""
MESH = 'shapes = { w = { type = "mesh"; file = "%s"; }; }; bodies = { w = { shape = "w"; }; };'
TABLE = 'bodies = { b = { file = "%s"; }; };'
LAMMPS = 'bodies = { b = { file = "%s"; format = "lammps"; }; };'
SIZES = ('generate = { b = { count = 3; distribution = { type = "table"; file = "%s"; by = "volume"; '
         'columns = ["diameter_mm", "cumulative_%%"]; }; }; };')


def facet(*xyz):
    return struct.pack("<12fH", 0, 0, 1, *xyz, 0)


GOOD = facet(0, 0, 0, 1, 0, 0, 0, 1, 0)
STL = b"solid".ljust(80) + struct.pack("<I", 2) + GOOD + facet(1, 0, 0, 1, 1, 0, 0, 1, 0)
TEXT = b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
HEAD = b"title\n\n2 atoms\n1 atom types\n\nAtoms # sphere\n\n"

# File, its bytes (None: there is none), scene, what the message must say.
FAULTS = [
    ("none.stl", None, MESH, "none.stl: "),
    ("none.csv", None, TABLE, "none.csv: "),
    ("none.data", None, LAMMPS, "none.data: "),
    ("none.psd", None, SIZES, "none.psd: "),
    ("cut.stl", STL[:-20], MESH,
     "cut.stl: truncated: its header (byte 80) says 2 triangles, 184 bytes; the file has 164 bytes"),
    ("head.stl", STL[:60], MESH, "head.stl:1: truncated"),
    ("empty.stl", b"", MESH, "empty.stl: 0 bytes are not an STL file"),
    ("long.stl", STL + b"x", MESH, "long.stl: too long for its count"),
    ("huge.stl", STL[:80] + b"\xff\xff\xff\xff" + STL[84:], MESH, "says 4294967295 triangles"),
    ("nan.stl", STL[:96] + b"\xff\xff\xff\x7f" + STL[100:], MESH, "nan.stl: facet 0 (byte 84): a coordinate"),
    ("text.stl", TEXT, MESH, "text.stl:8: truncated: the file ends where 'endsolid' is expected"),
    ("word.stl", TEXT.replace(b"1 0 0", b"1 nan 0"), MESH, "word.stl:5: vertex = 'nan' is not a finite number"),
    ("twice.stl", STL[:80] + struct.pack("<I", 2) + GOOD + GOOD, MESH,
     "twice.stl: facet 1, as twice.stl: facet 0"),
    ("flat.stl", STL[:80] + struct.pack("<I", 1) + facet(0, 0, 0, 1, 0, 0, 2, 0, 0), MESH,
     "flat.stl: facet 0: its corners are on a line"),
    ("point.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf 1 2 2\n", MESH, "point.obj:5: facet 1: two corners in one"),
    ("far.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 4\n", MESH, "far.obj:4: expected a vertex from 1 to 3, got 4"),
    ("zero.obj", b"v 0 0 0\x00\n", MESH, "zero.obj: this is not a text file"),
    ("stl.obj", STL, MESH, "stl.obj: expected an OBJ file, got a binary STL file: give format = \"stl\""),
    ("packed.stl", gzip.compress(STL), MESH, "packed.stl: the file is gzip-compressed: unpack it first"),
    ("packed.obj", gzip.compress(STL), MESH, "packed.obj: the file is gzip-compressed: unpack it first"),
    ("zip.stl", b"PK\x03\x04" + STL, MESH, "zip.stl: the file is zip-compressed"),
    ("slash.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1/ 2// 3/1/1/1\n", MESH,
     "slash.obj:4: a corner is V, V/VT, V//VN or V/VT/VN, of whole numbers; got '1/'"),
    ("many.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3/1/1/1\n", MESH, "many.obj:4: a corner is V, V/VT, V//VN or V/VT/VN"),
    ("nan.csv", b"x,y,z,radius\n0,0,0,0.1\n0.5,nan,0,0.1\n", TABLE, "nan.csv:3: y = 'nan' is not a finite number"),
    ("inf.csv", b"x,y,z,radius\n0,0,inf,0.1\n", TABLE, "inf.csv:2: z = 'inf' is not a finite number"),
    ("km.csv", b"x_km,y,z,radius\n1e307,0,0,0.1\n", TABLE, "km.csv:2: x = '1e307' is too large for its unit"),
    ("zero.csv", b"x,y,z,radius\n0,0,0,0.1\n0.5,0,0,0\n", TABLE, "zero.csv:3: radius: expected a number > 0, got 0"),
    ("less.csv", b"x,y,z,diameter_mm\n0,0,0,-2.5\n", TABLE, "less.csv:2: diameter: expected a number > 0, got -0.0025"),
    ("ids.csv", b"id,x,y,z,radius\n7,0,0,0,0.1\n7,0.5,0,0,0.1\n", TABLE,
     "ids.csv:3: id 7 is taken already, at ids.csv:2"),
    ("cell.csv", b"x,y,z,radius\n0,0,0\n", TABLE, "cell.csv:2: 3 cells, but there are 4 columns"),
    ("bad.data", HEAD + b"1 1 0.1 2500 0 0 0\n2 1 0.1 2500 0.5 0 nan\n", LAMMPS,
     "bad.data:9: z = 'nan' is not a finite number"),
    ("zero.data", HEAD + b"1 1 0 2500 0 0 0\n2 1 0.1 2500 0.5 0 0\n", LAMMPS, "zero.data:8: diameter: expected a number > 0, got 0"),
    ("ids.data", HEAD + b"5 1 0.1 2500 0 0 0\n5 1 0.1 2500 0.5 0 0\n", LAMMPS,
     "ids.data:9: id 5 is taken already, at ids.data:8"),
    ("cut.data", HEAD + b"1 1 0.1 2500 0 0 0\n", LAMMPS, "the header says 2 atoms, section Atoms has 1 lines (truncated?)"),
    ("none.types", HEAD.replace(b"1 atom types", b"0 atom types") + b"1 1 0.1 2500 0 0 0\n2 1 0.1 2500 0.5 0 0\n", LAMMPS,
     "none.types:8: type = '1': the header says 0 atom types, expected 1 or more"),
    ("style.data", HEAD.replace(b"sphere", b"ellipsoid") + b"1 1 1 2500 0 0 0\n", LAMMPS,
     "style.data:6: atom_style ellipsoid is not read"),
    ("nan.psd", b"1,0\n2,nan\n", SIZES, "nan.psd:2: cumulative = 'nan' is not a finite number"),
    ("zero.psd", b"0,0\n2,100\n", SIZES, "zero.psd:1: expected a radius > 0, got 0 m"),
    ("falls.psd", b"1,0\n2,70\n3,60\n4,100\n", SIZES, "falls.psd:3: cumulative falls from 0.7 to 0.6"),
    ("short.psd", b"1,0\n2,70\n", SIZES, "short.psd:2: the curve ends at 0.7"),
]


def scree(*args, cwd):
    return runs.scree(cwd, *args, env=runs.environment(G_DEBUG="fatal-criticals"))


def run(top):
    for name, content, scene, expected in FAULTS:
        if content is not None:
            (top / name).write_bytes(content)
        (top / "s.cfg").write_text(SCENE % (scene % name))
        before = sorted(os.listdir(top))
        result = scree("run", "s.cfg", "-q", cwd=top)
        tap.check(f"{name} is refused with its place", result.returncode == 2 and expected in result.stderr
                  and "no shape" not in result.stderr and not result.stdout and sorted(os.listdir(top)) == before, result)
    result = scree("validate", "s.cfg", cwd=top)
    tap.check("validate says the same", result.returncode == 2 and FAULTS[-1][3] in result.stderr, result)
    # The scene's choice for them is carried out.
    for name, key in (("twice.stl", 'duplicate = "drop"'), ("point.obj", 'degenerate = "drop"')):
        (top / "s.cfg").write_text(SCENE % (MESH % name).replace("; };", f"; {key}; }};", 1))
        result = scree("validate", "s.cfg", cwd=top)
        tap.check(f"{key} goes on without it, and says so", result.returncode == 0
                  and "(dropped)" in result.stderr and " 1 facet, 3 vertices" in result.stdout, result)


tap.in_folder(run)
