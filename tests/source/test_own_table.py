# SPDX-License-Identifier: Apache-2.0
"""Source `table` reads the bodies that observer `csv` wrote: each is where it was, whatever its shape.

usage: test_own_table.py SCREE
"""
import math

import tap
from runs import read_table, scree

WATCH = 'observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; every_steps = 40; %s }; };'
SCENE = """scene = { dimension = 3; dt = 1e-5; steps = %d; gravity = (0.0, 0.0, -9.81); };
materials = { m = { density = 2000.0; }; };
shapes = { wedge = { type = "polyhedron"; points = ((0, 0, 0), (0.05, 0, 0), (0, 0.03, 0), (0.01, 0.01, 0.02)); }; bell = { type = "clump"; balls = ((-0.01, 0.0, 0.0, 0.01), (0.004, 0.004, 0.0, 0.008)); };
  bead = { type = "sphere"; radius = 0.007; }; floor = { type = "plane"; normal = (0.0, 0.6, 0.8); };
  quad = { type = "facets"; vertices = ((-0.1, -0.1, 0.0), (0.1, -0.1, 0.0), (0.1, 0.1, 0.0), (-0.1, 0.1, 0.0)); facets = ((0, 1, 2, 3)); }; };
resolvers = ( { plugin = "sphere"; }, { plugin = "gjk"; } );
force = ( { plugin = "linear"; kn = 1e3; } );
"""
BODIES = """bodies = { wedge = { shape = "wedge"; scale = 0.7; position = (0.0, 0.0, 0.2); velocity = (0.1, 0.2, 0.3); orientation = (0.5, 0.5, 0.1, -0.7); spin = (3.0, 2.0, 1.0); };
  bell = { shape = "bell"; scale = 1.3; position = (0.1, 0.0, 0.2); spin = (0.0, 9.0, 0.0); };
  ball = { shape = "sphere"; radius = 0.0123; position = (0.2, 0.0, 0.2); }; bead = { shape = "bead"; position = (0.3, 0.0, 0.2); };
  floor = { shape = "floor"; position = (0.0, 0.0, -0.5); }; quad = { shape = "quad"; scale = 2.0; position = (0.5, 0.5, 0.1); orientation = (0.8, 0.6, 0.0, 0.0); }; };
"""
KEPT = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "radius", "qw", "qx", "qy", "qz", "volume", "ix", "iy", "iz")


def run(top, name, text, *more):
    (top / "s.cfg").write_text(text)
    return scree(top, "run", "s.cfg", "-q", "-o", name, *more)


def last(top, name):
    rows = read_table(top / name / "all.csv")
    return sorted((row for row in rows if row["step"] == rows[-1]["step"]), key=lambda row: int(row["id"]))


def test_table(top):
    seen = run(top, "first", SCENE % 80 + BODIES + WATCH % "")
    tap.check("a run writes three observations", seen.returncode == 0 and len(read_table(top / "first" / "all.csv")) == 3 * 6, seen.stderr)
    generate = 'generate = { again = { plugin = "table"; file = "first/all.csv"; }; };\n'
    seen = run(top, "second", SCENE % 80 + generate + WATCH % "", "--steps", "0")
    tap.check("the table is a scene's bodies", seen.returncode == 0, seen.stderr)
    if seen.returncode:
        return
    before, after = last(top, "first"), last(top, "second")
    tap.check("the bodies of the last observation, with their ids and shapes", [(r["id"], r["shape_name"]) for r in before] ==
              [(r["id"], r["shape_name"]) for r in after] and before[0]["step"] == "80", after)

    def differ(a, b):
        return not (a == b or math.isclose(float(a), float(b), rel_tol=1e-14, abs_tol=1e-300))
    off = [(a["shape_name"], k, a[k], b[k]) for a, b in zip(before, after) for k in KEPT if differ(a[k], b[k])]
    tap.check("each is where it was: balls, a clump, a solid off its origin, a plane and a wall", not off, off)


def test_refused(top):
    run(top, "first", SCENE % 80 + BODIES + WATCH % 'groups = ("ball", "wedge");')
    lines = (top / "first" / "all.csv").read_text().replace(",wedge,", ",gone,")
    (top / "gone.csv").write_text(lines.replace("wedge", "gone"))
    seen = run(top, "gone", SCENE % 80 + 'generate = { again = { plugin = "table"; file = "gone.csv"; }; };\n')
    tap.check("a shape that the scene does not have is refused, with its line", seen.returncode == 2 and
              'the scene has no shape "gone"' in seen.stderr and "gone.csv:" in seen.stderr, seen.stderr)
    seen = run(top, "named", SCENE % 80 + 'generate = { again = { plugin = "table"; file = "first/all.csv"; columns = ("step", "-"); }; };\n')
    tap.check("with `columns` it is a table as any other", seen.returncode == 2 and 'unknown column "step"' in seen.stderr, seen.stderr)


def test_fixed(top):
    fixed = BODIES.replace("radius = 0.0123;", 'radius = 0.0123; motion = "fixed";')
    run(top, "held", SCENE % 80 + fixed + WATCH % "")
    run(top, "again", SCENE % 80 + 'generate = { again = { plugin = "table"; file = "held/all.csv"; }; };\n' + WATCH % "")
    balls = [row for name in ("held", "again") for row in last(top, name) if row["id"] == "3"]
    tap.check("a body that was fixed is fixed again", len(balls) == 2 and balls[1]["mass"] == "inf"
              and float(balls[0]["z"]) == float(balls[1]["z"]) == 0.2, balls)
    rows = [line.split(",") for line in (top / "held" / "all.csv").read_text().splitlines()]
    at = rows[0].index("radius")
    (top / "bare.csv").write_text("".join(",".join(row[:at] + row[at + 1:]) + "\n" for row in rows))
    seen = run(top, "bare", SCENE % 80 + 'generate = { again = { plugin = "table"; file = "bare.csv"; }; };\n')
    tap.check("a table without a radius is refused", seen.returncode == 2 and "column 'radius'" in seen.stderr, seen.stderr)


tap.in_folder(test_table, test_refused, test_fixed)
