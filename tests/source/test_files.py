# SPDX-License-Identifier: Apache-2.0
"""Modifier `insert` with sources that read a file: sizes, poses, ids, room, and what is refused.

usage: test_files.py SCREE PLUGINS ...

No gravity, no law and, but where it says so, bodies at rest: the last state shows each body where it was put.
"""
import json
import pathlib
import sys
import tempfile

import runs
import tap

SCREE, *PLUGINS = (pathlib.Path(path).resolve() for path in sys.argv[1:])
SCENE = """scene = { dimension = 3; dt = 1e-5; steps = %d; region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); }; };
materials = { glass = { density = 2500.0; }; steel = { density = 7800.0; }; };
shapes = { bell = { type = "dumbbell"; radius = 0.02; other = 0.01; distance = 0.035; }; floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { %s };
observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; }; };
%s
"""
BALL = 'ball = { radius = 0.02; material = "glass"; position = (0.5, 0.5, 0.5); };'
FEED = 'modifiers = { feed = { plugin = "insert"; %s source = { %s }; }; };'
LAW = 'force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = 0.4; } );'
TABLE = 'plugin = "table"; file = "rows.csv";'
ATOMS = """Atoms

3 atoms
1 atom types
0 1 xlo xhi
0 1 ylo yhi
0 1 zlo zhi

Atoms # sphere

7 1 0.02 2500 0.1 0.2 0.3
9 1 0.04 2500 0.3 0.2 0.3
12 1 0.03 %g 0.6 0.2 0.3
"""
count = 0


def scree(top, command, bodies, rest, steps=4, *args):
    (top / "s.cfg").write_text(SCENE % (steps, bodies, rest))
    paths = [word for folder in PLUGINS for word in ("--plugin-path", str(folder))]
    return runs.scree(top, command, "s.cfg", *paths, *args)


def bodies(top, first, rest, steps=4, *args):
    """The bodies at the end, the fields of the modifier, and the messages."""
    global count
    count += 1
    seen = scree(top, "run", first, rest, steps, "--json", "-q", "-o", f"out{count}", *args)
    if seen.returncode:
        raise RuntimeError(f"{seen.returncode}: {seen.stderr}")
    data = json.loads(seen.stdout)
    rows = [r for r in runs.read_table(top / f"out{count}" / "all.csv") if int(r["step"]) == data["steps"]]
    fields = {m["name"]: m["fields"] for m in data["modifiers"]}
    return sorted(rows, key=lambda r: int(r["id"])), fields.get("feed"), seen.stderr


def refused(seen, status, *words):
    return seen.returncode == status and all(word in seen.stderr for word in words)


def numbers(rows, *names):
    return [tuple(round(float(r[n]), 9) for n in names) for r in rows]


def sizes(top):
    (top / "rows.csv").write_text("id,x,y,z,radius,material\n31,0.1,0.2,0.3,0.01,steel\n7,0.3,0.2,0.3,0.02,glass\n")
    rows, fields, _ = bodies(top, BALL, FEED % ("", TABLE), 4)
    tap.check("a table in a run gives sizes and materials that the group leaves out", len(rows) == 3 and
              numbers(rows[1:], "x", "y", "z", "radius") == [(0.1, 0.2, 0.3, 0.01), (0.3, 0.2, 0.3, 0.02)], rows)
    tap.check("bodies of a run have the next ids, not those of the file", [int(r["id"]) for r in rows] ==
              [int(rows[0]["id"]) + k for k in range(3)], rows)
    mass = 4 / 3 * 3.141592653589793 * (7800 * 0.01**3 + 2500 * 0.02**3)
    tap.check("their mass is counted", abs(fields["inserted_mass"] / mass - 1) < 1e-9, fields)
    seen = scree(top, "validate", BALL, FEED % ("", TABLE) + LAW, 4, "--set", 'scene.dt="auto"')
    tap.check("a table whose sizes are not known validates, with dt = auto", seen.returncode == 0, f"{seen.returncode}: {seen.stderr}")


def atoms(top):
    (top / "atoms.data").write_text(ATOMS % 2500)
    source = 'plugin = "lammps"; file = "atoms.data"; material = "glass";'
    rows, _, _ = bodies(top, BALL, FEED % ("number_rate = 1e5;", source), 8)
    tap.check("atoms of a LAMMPS file come in a run, one by one", numbers(rows[1:], "x", "y", "z", "radius") ==
              [(0.1, 0.2, 0.3, 0.01), (0.3, 0.2, 0.3, 0.02), (0.6, 0.2, 0.3, 0.015)], rows)
    (top / "atoms.data").write_text(ATOMS % 1000)
    seen = scree(top, "run", BALL, FEED % ("", source))
    tap.check("their density is checked, and the line is named", refused(
        seen, 1, "atoms.data:13", "a density of 1000 kg/m^3; material 'glass' has 2500"), f"{seen.returncode}: {seen.stderr}")


def poses(top):
    half = 0.5**0.5
    (top / "rows.csv").write_text(f"x,y,z,q0,q1,q2,q3\n0.1,0.2,0.3,1,0,0,0\n0.3,0.2,0.3,{half:.17g},0,0,{half:.17g}\n"
                                  "0.5,0.2,0.3,0.5,0.5,0.5,0.5\n")
    source = TABLE + 'shape = "bell"; material = "glass";'
    pose = ("x", "y", "z", "qw", "qx", "qy", "qz")
    before, _, _ = bodies(top, BALL, f"generate = {{ g = {{ {source} }}; }};")
    later, _, _ = bodies(top, BALL, FEED % ("", source))
    tap.check("a shape whose centroid is off its origin has in a run the pose that it has at the start",
              len(later) == 4 and numbers(before[1:], *pose) == numbers(later[1:], *pose), f"{before}\n{later}")


def room(top):
    text = "x,y,z\n0.1,0.2,0.3\n0.51,0.5,0.5\n0.3,0.2,0.3\n0.3,0.21,0.3\n0.7,0.2,0.3\n0.8,0.2,0.005\n"
    (top / "rows.csv").write_text(text)
    source = TABLE + 'radius = 0.01; material = "glass";'
    floor = BALL + 'floor = { shape = "floor"; material = "glass"; };'
    rows, fields, said = bodies(top, floor, FEED % ("", source), 4)
    tap.check("a row of a file that would overlap a body waits, with all after it", len(rows) == 3 and
              fields["inserted"] == 1 and fields["full"] == 4 and fields["dropped"] == 0 and "rows.csv:3: a body at "
              "(0.51, 0.5, 0.5) m would overlap others; the rest waits" in said, f"{fields} {said}")
    rows, fields, said = bodies(top, floor, FEED % ('overdue = "drop";', source), 4)
    tap.check("with overdue = drop it is given up, as is one that overlaps a wall or one of this step", fields["inserted"] == 3 and
              fields["dropped"] == 3 and fields["full"] == 1 and [float(r["x"]) for r in rows[-3:]] == [0.1, 0.3, 0.7],
              f"{fields} {said} {rows}")
    rate = 'overdue = "drop"; number_rate = 1e5;'
    rows, fields, said = bodies(top, floor, FEED % (rate, source), 8)
    tap.check("a row is taken once, at its time", fields["inserted"] == 3 and fields["dropped"] == 3, f"{fields} {said}")
    moving = 'ball = { radius = 0.02; material = "glass"; position = (0.5, 0.5, 0.5); velocity = (0.0, 0.0, 500.0); };'
    rows, fields, said = bodies(top, moving, FEED % ("", source), 10)
    tap.check("the row comes when its place is free", fields["inserted"] == 3 and fields["full"] == 10, f"{fields} {said}")


def batches(top):
    rest = 'modifiers = { late = { plugin = "freeze"; at_step = 99; }; feed = { plugin = "insert"; source = { plugin = "replacer"; }; }; };'
    rows, fields, said = bodies(top, BALL, rest, 2, "--set", 'observers.all.fields=["frozen"]')
    tap.check("each body of a batch has its own size, its start values, and the body that it replaces", fields["inserted"] == 3
              and numbers(rows[1:], "x", "radius", "frozen") == [(0.2, 0.01, 0.0), (0.5, 0.02, 1.0), (0.8, 0.03, 0.0)],
              f"{fields} {said} {rows}")


def refusals(top):
    (top / "rows.csv").write_text("x,y,z,heat\n0.1,0.2,0.3,1\n")
    seen = scree(top, "run", BALL, FEED % ("", TABLE + 'radius = 0.01; material = "glass"; body_fields = ["heat"];'))
    tap.check("start values of a field that the scene does not have are refused in a run", refused(
        seen, 3, "insert: start values of the body field heat: expected a field of a plugin of the scene"),
        f"{seen.returncode}: {seen.stderr}")
    (top / "rows.csv").write_text("x,y,z,motion\n0.1,0.2,0.3,free\n0.3,0.2,0.3,loose\n")
    seen = scree(top, "run", BALL, FEED % ("", TABLE + 'radius = 0.01; material = "glass";'))
    tap.check("a mistake in a row ends the run, and names the line", refused(
        seen, 1, "rows.csv:3: motion = 'loose'"), f"{seen.returncode}: {seen.stderr}")


def mistakes(top):
    """A wrong table ends the run; it is not taken for a lack of room."""
    wrong = {"no column 'z'": ("x,y,radius\n0.1,0.2,0.01\n", ""),
             "no column 'radius'": ("x,y,z\n0.1,0.2,0.3\n", ""),
             "a radius and a diameter": ("x,y,z,radius,diameter\n0.1,0.2,0.3,0.01,0.02\n", ""),
             "not all of the columns q0, q1, q2, q3": ("x,y,z,q0\n0.1,0.2,0.3,1\n", "radius = 0.01;"),
             "got none": ("x,y,z\n", "radius = 0.01;")}
    for what, (text, more) in wrong.items():
        (top / "rows.csv").write_text(text)
        seen = scree(top, "run", BALL, FEED % ("", TABLE + more + 'material = "glass";'))
        tap.check(f"a table with a mistake ends the run: {what}", refused(seen, 1, "source/table", what),
                  f"{seen.returncode}: {seen.stderr}")
    for radius in "1e-200", "1e200":
        (top / "rows.csv").write_text(f"x,y,z,radius\n0.1,0.2,0.3,{radius}\n")
        seen = scree(top, "run", BALL, FEED % ("", TABLE + 'material = "glass";'))
        tap.check(f"a radius of {radius} m is refused as at the start", refused(
            seen, 1, "rows.csv:2: insert: a ", "which no force could turn into a motion", "modifiers.feed"), f"{seen.returncode}: {seen.stderr}")


def run(top):
    for part in (sizes, atoms, poses, room, batches, refusals, mistakes):
        part(top)


with tempfile.TemporaryDirectory() as folder:
    tap.finish(lambda: run(pathlib.Path(folder)))
