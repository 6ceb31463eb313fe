# SPDX-License-Identifier: Apache-2.0
"""The bodies of generators and files are the same to the bit as when the host itself made them.

usage: test_bodies.py SCREE CONFIGS PLUGINS [RESULT]

Each case is written in the words of scree before it had kind source; the hashes in bodies.tsv are those of the last
such program (commit 73af39e). Balls, discs and clumps only: solids are placed by their shape since then, not by the ball that holds
them. PLUGINS has the shape of clumps.cfg. With RESULT the hashes are written there, for a table of another program.
"""
import hashlib
import pathlib
import sys
import tempfile

import tap
from runs import read_table, scree

SCREE, CONFIGS, PLUGINS = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
KNOWN = pathlib.Path(__file__).with_name("bodies.tsv")
CLUMPS = "clumps in a pot"  # clumps.cfg of this folder
COLUMNS = ("id", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "radius", "qw", "qx", "qy", "qz")
ROUND = COLUMNS[:11]  # that program wrote the others only in scenes with other shapes
WATCH = 'observers={ all = { plugin = "csv"; what = "bodies"; file = "all"; }; }'
# Scenes of configs/ with bodies by number or from a file.
SCENES = ("bed", "brazilian", "calm", "drum", "gas", "hopper", "pile", "powder", "repose", "triaxial", "thesis/embankment",
          "thesis/shock-wave")
HEAD = """scene = { dimension = %d; dt = 1e-6; seed = 7; region = { min = (%s); max = (%s); };
          boundary = (%s); };
materials = { glass = { density = 2500.0; }; steel = { density = 7800.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 1.0, 0.0); };
           lid = { type = "%s"; %s }; };
bodies = { floor = { shape = "floor"; material = "glass"; }; lid = { shape = "lid"; material = "glass"; }; };
"""
QUAD = "vertices = ((0.0, 0.05, 0.05), (0.06, 0.05, 0.05), (0.06, 0.07, 0.06), (0.0, 0.07, 0.06)); facets = ((0, 1, 2, 3));"
LINE = "vertices = ((0.0, 0.05), (0.06, 0.06)); segments = ((0, 1));"
OPEN, PERIODIC = 3 * ('"open"',), ('"periodic"', '"open"', '"periodic"')
SIZES = 'distribution = { type = "lognormal"; median = "2 mm"; sigma = 0.4; min = "1 mm"; max = "5 mm"; by = "volume"; };'
TABLE = """id,x_mm,y,z,vx,vy,wz,diameter,material
4,20,0.02,0.03,0.1,-0.2,3,0.004,glass
2,30,0.025,0.035,0.3,0.7,-1,0.0061,steel
9,40,0.0333333333333333,0.01,0,0,0,0.0049999999999999,glass
"""
ATOMS = """Grains

4 atoms
2 atom types
0 0.1 xlo xhi
0 0.1 ylo yhi
0 0.1 zlo zhi

Atoms # sphere

7 1 0.002 2500 0.01 0.02 0.03
9 2 0.004 7800 0.03 0.02 0.03
12 1 0.0031 2500 0.06 0.02 0.033333333333333333
13 2 0.0017 7800 0.07 0.012345678901234567 0.09

Velocities

7 0.5 0 0 1 0 0
9 0 0.25 0 0 2 0
12 0 0 0.125 0 0 3
13 0.1 0.2 0.3 0.4 0.5 0.6
"""


def group(text, extra=""):
    return "generate = { grains = { %s material = \"glass\"; }; %s };" % (text, extra)


# Name: dimension, boundary, the rest of the scene.
CASES = {
    "random: equal balls to a third": (3, OPEN, group('method = "random"; fraction = 0.3; radius = "2 mm";')),
    "random: many sizes, periodic, moving": (
        3, PERIODIC, group(f'method = "random"; fraction = 0.25; {SIZES} velocity_random = 0.3; spin = (1.0, 2.0, 3.0);')),
    "random: without a word for it, grown": (3, OPEN, group('count = 900; radius = "1.5 mm"; grow = 1.2;')),
    "random: discs": (2, PERIODIC, group(f'method = "random"; fraction = 0.45; {SIZES} velocity_random = '
                                         '{ type = "uniform"; amplitude = 0.5; };')),
    "random: thousands of discs, periodic": (2, PERIODIC, group(
        'fraction = 0.5; distribution = { type = "uniform"; min = "0.4 mm"; max = "0.9 mm"; };')),
    "random: thousands of clumps, turned": (3, PERIODIC, "shapes = { bell = { type = \"dumbbell\"; radius = 0.0012; "
                                            "other = 0.0008; distance = 0.0021; }; };" + group(
        'count = 6000; shape = "bell"; orientation = "random"; distribution = { type = "uniform"; min = "1 mm"; max = "1.6 mm"; };')),
    "random: two groups, one after the other": (3, OPEN, group(
        'count = 40; radius = "7 mm";', 'fines = { count = 3000; radius = "1 mm"; material = "steel"; };')),
    "lattice: cubic, jittered": (3, OPEN, group('method = "lattice"; count = 500; radius = "2 mm"; jitter = 0.7; '
                                                'spacing = "6 mm"; velocity_random = 0.1;')),
    "lattice: hexagonal, many sizes, filled": (3, OPEN, group(f'method = "lattice"; lattice = "hexagonal"; {SIZES}')),
    "lattice: periodic discs by fraction": (2, PERIODIC, group('method = "lattice"; fraction = 0.3; radius = "2 mm"; '
                                                               'jitter = 1.0;')),
    "table: bodies of a file": (3, OPEN, 'bodies = { grains = { file = "rows.csv"; spin = (1.0, 0.0, 0.5); }; };'),
    "lammps: atoms of a file": (3, OPEN, 'bodies = { grains = { file = "atoms.data"; format = "lammps"; '
                                         'types = ["glass", "steel"]; }; };'),
}
ALL = (*CASES, *SCENES, CLUMPS)


def scene_of(case):
    dimension, boundary, rest = CASES[case]
    shape = ("mesh", QUAD) if dimension == 3 else ("segments", LINE)
    head = HEAD % (dimension, ", ".join(dimension * ["0.0"]), ", ".join(dimension * ["0.1"]),
                   ", ".join(boundary[:dimension]), *shape)
    if rest.startswith("bodies"):
        head = head.split("bodies = ")[0]
    if rest.startswith("shapes"):
        head = head.replace("shapes = { ", rest.split(" }; };")[0] + " }; ")
        rest = rest[rest.index(" }; };") + 6:]
    return head + rest


def file_of(top, case):
    if case in CASES:
        scene = top / "scene.cfg"
        scene.write_text(scene_of(case))
        return scene
    return pathlib.Path(__file__).with_name("clumps.cfg") if case == CLUMPS else CONFIGS / (case + ".cfg")


def made(top, number, scene):
    """SHA-256 of the bodies at the start, by id; and the program's messages."""
    folder = top / f"out{number}"
    seen = scree(top, f"--plugin-path={PLUGINS}", "run", scene, "--steps=0", "-q", "-o", folder, "--set", WATCH)
    if seen.returncode:
        raise RuntimeError(f"{scene}: {seen.returncode}: {seen.stderr}")
    rows = sorted(read_table(folder / "all.csv"), key=lambda row: int(row["id"]))
    others = any(row.get("shape_name", "disc") not in ("sphere", "disc") and float(row["volume"]) > 0.0 for row in rows)
    text = "\n".join(",".join(row[column] if column in ROUND or others else "-" for column in COLUMNS) for row in rows)
    return hashlib.sha256(text.encode()).hexdigest(), len(rows), seen.stderr


def run():
    known = dict(line.split("\t") for line in KNOWN.read_text().splitlines() if not line.startswith("#"))
    result = ["# case\tsha256 of the bodies: " + ",".join(COLUMNS)]
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        (top / "rows.csv").write_text(TABLE)
        (top / "atoms.data").write_text(ATOMS)
        for number, case in enumerate(ALL):
            sha, n, said = made(top, number, file_of(top, case))
            result.append(f"{case}\t{sha}")
            notes = [line for line in said.splitlines() if "makes the same bodies" in line or "says the same" in line]
            tap.check(f"{case}: the same bodies", known.get(case) == sha, f"{n} bodies: {sha}, expected {known.get(case)}")
            if case in CASES:
                tap.check(f"{case}: one note says the new word", len(notes) == 1, said)
    tap.check("every hash is of a case", set(known) == set(ALL), set(known) ^ set(ALL))
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[4]).write_text("\n".join(result) + "\n")


tap.finish(run)
