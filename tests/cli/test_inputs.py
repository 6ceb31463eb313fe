# SPDX-License-Identifier: Apache-2.0
"""Inputs of users: the same wall from every format, bodies of LAMMPS, meshes and powders of others.

usage: test_inputs.py SCREE DATA_FOLDER
"""
import collections
import csv
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import runs
import tap

SCREE, DATA = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
PUBLIC = os.environ.get("SCREE_DATA")
CELL, SIDE = 0.0625, 4  # a floor of 4 x 4 squares of 62.5 mm, two triangles each


def scree(*args, cwd):
    return runs.scree(cwd, *args)


def floor():
    """Triangles of the floor, each three points [m]; normals up."""
    for i in range(SIDE):
        for j in range(SIDE):
            a, b = (i * CELL, j * CELL, 0.0), ((i + 1) * CELL, j * CELL, 0.0)
            c, d = ((i + 1) * CELL, (j + 1) * CELL, 0.0), (i * CELL, (j + 1) * CELL, 0.0)
            yield a, b, c
            yield a, c, d


def inline(triangles):
    points = [p for t in triangles for p in t]
    vertices = ", ".join("(%r, %r, %r)" % p for p in points)
    facets = ", ".join("(%d, %d, %d)" % (3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(triangles)))
    return f"vertices = ({vertices}); facets = ({facets});"


def binary_stl(triangles, header=b"solid, says the header of a binary file"):
    text = header.ljust(80, b"\0") + struct.pack("<I", len(triangles))
    for t in triangles:
        text += struct.pack("<12fH", 0, 0, 1, *[x for p in t for x in p], 7)
    return text


def text_stl(triangles):
    lines = ["solid floor"]
    for t in triangles:
        lines += ["facet normal 0 0 1", "outer loop", *("vertex %r %r %r" % p for p in t), "endloop",
                  "endfacet"]
    return "\r\n".join([*lines, "endsolid floor", ""]).encode()


def obj(triangles, per=1.0):
    lines = ["# floor", "o floor", "vn 0 0 1"]
    for n, t in enumerate(triangles):
        lines += ["v %r %r %r" % tuple(x / per for x in p) for p in t]
        lines += ["f -3//1 -2//1 -1//1" if n % 2 else "f %d %d/1/1 %d" % (3 * n + 1, 3 * n + 2, 3 * n + 3)]
    return "\n".join(lines + [""]).encode()


ROLL = """scene = { dt = 2e-5; steps = 4000; gravity = (0.0, 0.0, -9.81); };
materials = { m = { density = 2500.0; }; };
shapes = { floor = { type = "mesh"; %s }; };
bodies = { floor = { shape = "floor"; };
    ball = { radius = "10 mm"; position = (0.03, 0.04, 0.00999); velocity = (1.5, 1.1, 0.0); }; };
force = ( { plugin = "linear"; kn = 2.0e4; restitution = 0.7; friction = 0.3; } );
observers = { path = { plugin = "csv"; what = "bodies"; groups = ["ball"]; every_steps = 400; }; };
"""


def roll(top, name, keys):
    (top / f"{name}.cfg").write_text(ROLL % keys)
    result = scree("run", f"{name}.cfg", "-q", "--json", "-o", name, cwd=top)
    if result.returncode:
        return result.stderr, None
    return json.loads(result.stdout)["state_sha256"], (top / name / "bodies.csv").read_text()


def test_walls(top):
    triangles = list(floor())
    turned = [tuple((y, -x, z) for x, y, z in t) for t in triangles]  # by -90 degrees about z
    files = {"liar.stl": binary_stl(triangles), "floor.STL": text_stl(triangles),
             "floor.obj": obj(triangles), "mm.obj": obj(triangles, 1e-3), "turned.obj": obj(turned),
             "moved.stl": binary_stl([tuple((x / 2 - 8, y / 2, z / 2) for x, y, z in t) for t in triangles])}
    for name, text in files.items():
        (top / name).write_bytes(text)
    want, path = roll(top, "inline", inline(triangles))
    rows = list(csv.DictReader(path.splitlines())) if path else []
    tap.check("a ball rolls over the floor of facets and off it", rows
              and float(rows[-1]["x"]) > 0.1 and float(rows[5]["wy"]) > 10.0
              and all(abs(float(r["z"]) - 0.01) < 1e-4 for r in rows), path or want)
    keys = {"liar.stl": "", "floor.STL": "", "floor.obj": "", "mm.obj": 'unit = "mm";',
            "turned.obj": 'rotate = { axis = (0, 0, 1); angle = "90 deg"; };',
            "moved.stl": "move = (8, 0, 0); scale = 2.0;"}
    for name, more in keys.items():
        got, other = roll(top, name.replace(".", "-"), f'file = "{name}"; {more}')
        tap.check(f"from {name} it rolls the same way, to the last bit", got == want and other == path,
                  f"{got}\n{want}")
    got, other = roll(top, "lower", 'file = "floor.obj"; move = (0, 0, "-0.1 mm");')
    tap.check("a floor that lies lower is another one", got != want and other != path, got)
    surface = scree("validate", "liar-stl.cfg", cwd=top).stdout
    tap.check("validate prints area, parts and rim of the floor", re.search(
        r"surface +floor: 32 facets, 25 vertices, 1 part, area 0.0625 m\^2, open: 16 edges with one facet "
        r"in 1 hole or rim, 0 with more than two, "
        r"from \(0, 0, 0\) to \(0.25, 0.25, 0\) m\n", surface), surface)


BODIES = """scene = { dt = 1e-9; region = { min = (0, 0, -0.05); max = (0.1, 0.2, 0.05); };
    boundary = ("periodic", "periodic", "open"); };
materials = { glass = { density = 2500.0; }; steel = { density = 7800.0; }; };
bodies = { b = { file = "%s"; format = "lammps"; types = ["glass", "steel"]; }; };
observers = { start = { plugin = "csv"; what = "bodies"; }; };
"""


def read_bodies(top, name, data):
    (top / f"{name}.cfg").write_text(BODIES % data)
    result = scree("run", f"{name}.cfg", "-q", "--steps", 1, "-o", name, cwd=top)
    if result.returncode:
        return result.stderr
    rows = [r for r in runs.read_table(top / name / "bodies.csv") if r["step"] == "0"]
    keys = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "radius"]
    return {int(r["id"]): [float(r[k]) for k in keys] for r in rows}


def read_dump(path):
    lines = path.read_text().splitlines()
    lines = lines[[line.startswith("ITEM: ATOMS") for line in lines].index(True) + 1:]
    rows = [line.split() for line in lines]
    return {int(r[0]): [float(x) for x in r[2:]] for r in rows}


def same(bodies, dump):
    # Equal to 1e-15: the file has 16 or 17 digits, and a radius is half a diameter.
    return isinstance(bodies, dict) and bodies.keys() == dump.keys() and all(
        math.isclose(a, b, rel_tol=1e-15, abs_tol=1e-300) for i in dump for a, b in zip(bodies[i], dump[i]))


def test_lammps(top):
    bodies, dump = read_bodies(top, "written", DATA / "lammps.data"), read_dump(DATA / "lammps.expect")
    tap.check("bodies of a file that LAMMPS wrote are those that it dumped", len(dump) == 35
              and same(bodies, dump), bodies)
    dump[3][4] *= 1.0 + 1e-14
    tap.check("another velocity would be seen", not same(bodies, dump))
    lmp = shutil.which("lmp")
    claim = "bodies that LAMMPS writes now are those that it dumps"
    if not lmp:
        tap.skip(claim, "LAMMPS (lmp) is not installed")
        return
    done = subprocess.run([lmp, "-in", DATA / "write.lmp", "-var", "seed", "987", "-log", "none"],
                          cwd=top, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    if done.returncode:
        tap.skip(claim, "LAMMPS (lmp) does not run here")
        return
    bodies, dump = read_bodies(top, "fresh", "lammps.data"), read_dump(top / "lammps.expect")
    tap.check(claim, len(dump) == 35 and same(bodies, dump), bodies)


def survey(path):
    """Faces, area, volume, edges of one face and of more than two, from the text of an OBJ file."""
    points, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["v"]:
            points.append(tuple(float(w) for w in words[1:4]))
        elif words[:1] == ["f"]:
            corners = [int(w.split("/")[0]) for w in words[1:]]
            faces.append([points[c - 1 if c > 0 else c] for c in corners])
    area = volume = 0.0
    edges = collections.Counter()
    for face in faces:
        edges.update(frozenset((face[k], face[k - 1])) for k in range(len(face)))
        for b, c in zip(face[1:], face[2:]):
            u, v = ([q[k] - face[0][k] for k in range(3)] for q in (b, c))
            n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            area += 0.5 * math.hypot(*n)
            volume += sum(n[k] * face[0][k] for k in range(3)) / 6.0
    return (len(faces), area, abs(volume), sum(n == 1 for n in edges.values()),
            sum(n > 2 for n in edges.values()))


def test_meshes(top):
    claim = "meshes of others have the area, volume and rims that their text says"
    if not PUBLIC:
        tap.skip(claim, "the meshes are not here; SCREE_DATA names their folder")
        return
    for path in sorted(pathlib.Path(PUBLIC).glob("*/mesh/*.obj")):
        (top / "mesh.cfg").write_text('materials = { m = { density = 1.0; }; };\nscene = { dt = 1.0; };\n'
                                      'bodies = { w = { shape = "s"; }; };\n'
                                      f'shapes = {{ s = {{ type = "mesh"; file = "{path}"; }}; }};\n')
        result = scree("validate", "mesh.cfg", cwd=top)
        faces, area, volume, rim, branching = survey(path)
        found = re.search(r"s: (\d+) facets.* area (\S+) m\^2, (?:closed, volume (\S+) m|open: (\d+) edges.*, "
                          r"(\d+) with more)", result.stdout)
        tap.check(f"{claim}: {path.name}", found and int(found[1]) == faces
                  and math.isclose(float(found[2]), area, rel_tol=1e-5)
                  and (math.isclose(float(found[3]), volume, rel_tol=1e-5) and rim + branching == 0 if found[3]
                       else (int(found[4]), int(found[5])) == (rim, branching)),
                  f"{faces, area, volume, rim, branching}\n{result.stdout}{result.stderr}")


def test_missing(top):
    (top / "scene.cfg").write_text("""materials = { m = { density = 1.0; }; };
shapes = {
    s = { type = "mesh";
          file = "no-such.obj"; };
};
bodies = { w = { shape = "s"; motion = "kinematic"; }; };
modifiers = { drive = { plugin = "move"; groups = ["w"]; }; };
""")
    result = scree("validate", "scene.cfg", cwd=top)
    tap.check("a mesh that is missing is reported once, with file, line and key", result.returncode == 2
              and "scene.cfg:4: shapes.s.file: cannot read no-such.obj: No such file" in result.stderr
              and result.stderr.count("no-such.obj") == 1, result.stderr)
    tap.check("the group of its body is not reported as missing too", "no group" not in result.stderr, result.stderr)
    result = scree("validate", "scene.cfg", "--set", 'modifiers.drive.groups=["v"]', cwd=top)
    tap.check("a group that no scene has is reported", 'no group "v"' in result.stderr, result.stderr)


tap.in_folders(test_walls, test_lammps, test_meshes, test_missing)
