# SPDX-License-Identifier: Apache-2.0
"""Sources that do wrong are blamed by name and call, with status 3; mistakes of the input have status 2.

usage: test_sources.py SCREE FOLDER_OF_MODULES
"""
import pathlib
import re
import signal
import shutil
import sys

import tap
from runs import scree

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCENE = """scene = { dimension = 3; dt = 1.0e-5; steps = 2; };
materials = { glass = { density = 2500.0; }; };
generate = { rows = { plugin = "sins"; }; };
force = ( { plugin = "linear"; kn = 1.0e5; } );
"""
MISBEHAVED = r"s\.cfg:3: generate\.rows: source/sins \(generate\.rows\) misbehaved in make"
CELL = MISBEHAVED + ".*: set_cell: "
BODY = MISBEHAVED + r".*: body %d \(%d of 4 in a call of add\): "
# Sin, status, the line.
SINS = [
    ("none", 0, ""),
    ("nowhere", 3, BODY % (3, 3) + "a number is not finite"),
    ("no_shape", 3, BODY % (2, 2) + "there is no shape of that index"),
    ("no_material", 3, BODY % (2, 2) + "there is no material of that index"),
    ("no_scale", 3, BODY % (4, 4) + "its scale is not > 0"),
    ("no_quaternion", 3, BODY % (1, 1) + "its quaternion is not a unit"),
    ("no_motion", 3, BODY % (3, 3) + "expected a motion of"),
    ("no_size", 3, MISBEHAVED + ".*: add: expected bodies in a struct of size .* or more, got 0"),
    ("no_arrays", 3, MISBEHAVED + ".*: add: a component of x is NULL"),
    ("free_wall", 3, BODY % (1, 1) + "a body of that shape has no mass, it cannot be free"),
    ("late", 3, r"source/sins \(generate\.rows\) misbehaved in destroy.*: it called add of make\(\) after make\(\) had returned"),
    ("endless", 3, r"source/sins \(generate\.rows\).* it called add more than 1000000 times in vain; .* does not end"),
    ("endless_problems", 3, "it called problem more than 1000000 times in vain"),
    ("empty_forever", 3, "it called add more than 1000000 times in vain"),
    ("ignores", 3, BODY % (5, 1) + "a number is not finite"),
    ("silent", 3, r"failed in make: no reason given"),
    ("speaks", 2, r"s\.cfg:3: generate\.rows: the rows are closed"),
    ("rounds", 3, MISBEHAVED + ".*: it changed the floating-point environment"),
    ("no_region", 3, MISBEHAVED + ".*: set_cell: expected finite numbers and lo <= hi along x, got 1 and 0"),
    ("cell", 0, ""),
    ("cell_of_no_tilt", 3, CELL + r"expected a finite number in vector\[1\]\[0\], got nan m"),
    ("cell_of_no_place", 3, CELL + "expected finite numbers and lo <= hi along y, got 0 and inf"),
    ("cell_along_nothing", 3, CELL + r"expected 0 in vector\[2\]\[2\], got 4 m"),
    ("cell_upwards", 3, CELL + r"expected 0 in vector\[0\]\[1\], got 1 m"),
    ("cell_of_other_length", 3, CELL + r"expected vector\[2\]\[2\] = hi - lo = 4 m, got 5"),
    ("cell_of_four", 3, CELL + "expected repeats without bits from 3 on, got 0xf"),
    ("cell_too_short", 3, CELL + "cell is NULL, or its size is too small"),
    ("cell_too_steep", 3, CELL + r"neighbours are up to .* cells apart along an axis"),
    ("no_text", 3, MISBEHAVED + ".*: add_shape: name, text or index is NULL"),
    ("bad_text", 2, r"s\.cfg:3: generate\.rows: .*normal"),
    ("same_id", 2, r"rows\.txt:10: id 101 is taken already, at rows\.txt:8"),
    ("no_field", 3, MISBEHAVED + ".*: add: a value of a field is missing, or not finite"),
    ("unknown_field", 2, "a start value needs the body field 'warmth', which no plugin of this scene has"),
]

# Bodies enough for the GCD of scree.query/1 to be asked; sin of that GCD, the line.
GRID = """scene = { dimension = 3; dt = 1.0e-5; steps = 2; };
materials = { glass = { density = 2500.0; }; };
generate = { grid = { plugin = "lattice"; spacing = 0.1; radius = 0.04;
    region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); }; }; };
query = { gcd = { plugin = "sins"; }; };
"""
QUERY_GCD = r"gcd/sins \(query\.gcd\) misbehaved in find_objects: it "
GCD_SINS = [("none", 0, ""), ("overdraws", 3, QUERY_GCD + "committed more boxes than it had reserved"),
            ("no_such_box", 3, QUERY_GCD + r"gave box \d+ of \d+")]


def run(top, *args):
    return scree(top, "run", "--plugin-path", top / "plugins", "s.cfg", "-q", *args)


def main(top):
    (top / "s.cfg").write_text(SCENE, encoding="utf-8")
    (top / "plugins/source").mkdir(parents=True)
    shutil.copy(MODULES / "sins_source.so", top / "plugins/source/sins.so")
    for sin, status, line in SINS:
        result = run(top, "--set", f"generate.rows.sin={sin}")
        tap.check(f"{sin}: status {status}", result.returncode == status and re.search(line, result.stderr), result)
    flat = ("--set", "scene.dimension=2", "--set", "generate.rows.sin=leaves_the_plane")
    result = run(top, *flat)
    tap.check("leaves_the_plane: status 3", result.returncode == 3
              and re.search(BODY % (1, 1) + "in 2D it leaves the plane", result.stderr), result)
    result = run(top, "--set", "generate.rows.sin=crashes")
    tap.check("a crash is reported", result.returncode == -signal.SIGSEGV and
              "scree: crash (SIGSEGV) in source/sins (generate.rows), call make" in result.stderr, result)
    (top / "grid.cfg").write_text(GRID, encoding="utf-8")
    (top / "plugins/gcd").mkdir()
    shutil.copy(MODULES / "sins_gcd.so", top / "plugins/gcd/sins.so")
    for sin, status, line in GCD_SINS:
        result = scree(top, "query", "--plugin-path", top / "plugins", "grid.cfg", "--box", "0,0,0:1,1,1", "--set", f'query.gcd.sin="{sin}"')
        tap.check(f"query.gcd that {sin}: status {status}", result.returncode == status and re.search(line, result.stderr), result)


tap.in_folder(main)
