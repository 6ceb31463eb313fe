# SPDX-License-Identifier: Apache-2.0
"""Polygons and clumps as users give them: files, sizes that a scene prints, and each refusal.

usage: test_shapes.py SCREE
"""
import json
import math
import pathlib
import sys

import tap
from runs import scree

SCREE = pathlib.Path(sys.argv[1]).resolve()
L_SHAPE = "vertices = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0));"


LAW = 'force = ( { plugin = "linear"; kn = 1e3; } );\n'
# A scene with polygons needs a resolver of them, and a law of areas.
OF_POLYGONS = "closest_feature"
RESOLVERS = ""
if OF_POLYGONS in scree(".", "plugins", "resolver").stdout:
    RESOLVERS = (f'resolvers = ( {{ plugin = "{OF_POLYGONS}"; }} );\n'
                 'force = ( { plugin = "overlap_area"; k = 1e6; kt = 1e3; } );\n')


def write(top, shape, dimension=2, material="density = 10.0;"):
    (top / "s.cfg").write_text(
        f"scene = {{ dimension = {dimension}; dt = 1e-6; steps = 1; thickness = 0.5; }};\n"
        f"materials = {{ m = {{ {material} }}; }};\n"
        f"shapes = {{ a = {{ {shape} }}; }};\n"
        'bodies = { a = { shape = "a"; position = (0.0, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); }; };\n'
        + (RESOLVERS if "polygon" in shape and dimension == 2 else LAW))


def refused(top, shape, words, dimension=2):
    write(top, shape, dimension)
    seen = scree(top, "validate", "s.cfg")
    tap.check(f"refused: {words}", seen.returncode == 2 and words in seen.stderr, (shape, seen.stderr))


def polygons_refused(top):
    def by(vertices):
        return f'type = "polygon"; vertices = ({vertices});'
    refused(top, 'type = "polygon";', "expected one of vertices, file and sides, got none")
    refused(top, 'type = "polygon"; sides = 5; diameter = 1.0; ' + L_SHAPE, "got more than one")
    refused(top, 'type = "polygon"; sides = 5;', "sides and diameter go together: diameter is missing")
    refused(top, 'type = "polygon"; sides = 2; diameter = 1.0;', "sides: expected 3 or more, got 2")
    refused(top, by("(0, 0), (1, 0)"), "expected 3 vertices or more, got 2")
    refused(top, by("(0, 0), (1, 0), (1, 0), (0, 1)"), "vertex 1 and vertex 2 are in one place: the side between them has no length")
    refused(top, by("(0, 0), (1, 0), (0, 1), (0, 0)"), "vertex 0 and vertex 3 are in one place: leave out the last one")
    refused(top, by("(0, 0), (1, 1), (1, 0), (0, 1)"), "the outline crosses itself: the side from vertex 0 to vertex 1 meets the side "
            "from vertex 2 to vertex 3")
    refused(top, by("(0, 0), (1, 0), (2, 0)"), "the sides fold back on each other at vertex 2")
    refused(top, by("(0, 0), (0, 1), (1, 0)"), "the outline is inside out: its vertices go clockwise (area -0.5 m^2); list them in the "
            "reverse order")
    refused(top, 'type = "polygon"; resample = 1; ' + L_SHAPE, "resample: expected 0, or 2 panels or more, got 1")
    spiral = "(0, 0), (4, 0), (4, 3), (1, 3), (1, 4), (4, 4), (4, 5), (0.5, 5), (0.5, 2.5), (3.5, 2.5), (3.5, 0.5), (0, 0.5)"
    refused(top, by(spiral) + " resample = 20;", "resample: the outline goes back and forth along every direction")
    (top / "bow.csv").write_text("# a bow\nx_mm,y_mm\n0,0\n1,1\n1,0\n0,1\n")
    refused(top, 'type = "polygon"; file = "bow.csv";', "bow.csv:3) to vertex 1 (")
    (top / "bow.csv").write_text("x\n0\n1\n1\n")
    refused(top, 'type = "polygon"; file = "bow.csv";', "has no column 'y'")
    refused(top, 'type = "polygon"; sides = 5; diameter = 1.0;', "does not serve 3D", dimension=3)


def sources_of_refused(top):
    """A source whose shape is refused is not called."""
    (top / "rows.csv").write_text("x,y,z\n0,0,0\n")
    region = "region = { min = (0.0, 0.0, 0.0); max = (9.0, 9.0, 9.0); };"
    for source in ('"table"; file = "rows.csv";', f'"lattice"; spacing = 3.0; {region}',
                   f'"random"; count = 1; {region}'):
        write(top, 'type = "clump"; balls = ((0, 0, 0, -1));', dimension=3)
        with open(top / "s.cfg", "a") as scene:
            scene.write(f'generate = {{ g = {{ shape = "a"; plugin = {source} }}; }};\n')
        seen = scree(top, "validate", "s.cfg")
        tap.check(f"a shape is refused before its source is called: {source}",
                  seen.returncode == 2 and "expected a radius > 0, got -1 m" in seen.stderr, seen)
    scene = (top / "s.cfg").read_text().replace("m = { density = 10.0; };", "").replace("-1)", "1)")
    (top / "s.cfg").write_text(scene)
    seen = scree(top, "validate", "s.cfg")
    tap.check("nor one of bodies without a material", seen.returncode == 2 and "material" in seen.stderr, seen)


def clumps_refused(top):
    def by(balls):
        return f'type = "clump"; balls = ({balls});'
    refused(top, 'type = "clump";', "expected one of balls and file, got none", 3)
    refused(top, by("(0, 0, 1)"), "ball 0: expected (x, y, z, radius), got 3 numbers", 3)
    refused(top, by("(0, 0, 0, 1)"), "ball 0: expected (x, y, radius), got 4 numbers", 2)
    refused(top, by("(0, 0, 0, 1), (1, 0, 0, 0)"), "ball 1: expected a radius > 0, got 0 m", 3)
    refused(top, by("(0, 0, 0, 1), (0.2, 0, 0, 0.5)"), "ball 1 is inside ball 0: leave it out", 3)
    refused(top, by("(0, 0, 0, 1), (0, 0, 0, 1)"), "ball 1 is inside ball 0: leave it out", 3)
    refused(top, by("(0, 0, 0, 1), (1, 0, 0, 1), (4, 0, 0, 1)"), 'ball 2 touches none of the 2 balls that ball 0 leads to; a clump in '
            'several pieces takes pieces = "apart"', 3)
    (top / "grain.csv").write_text("x,y,z,radius\n0,0,0,1\n0.1,0,0,0.2\n")
    refused(top, 'type = "clump"; file = "grain.csv";', "grain.csv:3) is inside ball 0 (", 3)


def mass(top):
    """By its kinetic energy at 1 m/s."""
    seen = scree(top, "run", "s.cfg", "-q", "--json")
    return seen.stderr if seen.returncode else 2.0 * json.loads(seen.stdout)["energy"]["kinetic"]


def near(top, name, shape, expected, slack, dimension=2):
    if "polygon" in shape and not RESOLVERS:
        tap.skip(name, "no resolver of polygons is installed")
        return
    write(top, shape, dimension)
    found = mass(top)
    tap.check(name, isinstance(found, float) and abs(found / expected - 1.0) < slack, (found, expected))


def refused_by_resolvers(top):
    """A shape that a resolver cannot prepare: its file and line, before a run."""
    spiral = ("((0, 0), (4, 0), (4, 3), (1, 3), (1, 4), (4, 4), (4, 5), (0.5, 5), (0.5, 2.5), (3.5, 2.5), (3.5, 0.5), (0, 0.5))")
    for resolver, vertices, words in (
            ("cyrus_beck", L_SHAPE[11:-1], "expected a convex polygon, got a corner that turns in at vertex 3"),
            ("dfr2d", spiral, "expected a polygon that each line across some direction meets in one piece")):
        (top / "c.cfg").write_text(
            "scene = { dimension = 2; dt = 1e-6; steps = 1; };\nmaterials = { m = { density = 10.0; }; };\n"
            'shapes = { fine = { type = "polygon"; sides = 4; diameter = 1.0; };\n'
            f'    bent = {{ type = "polygon"; vertices = {vertices}; }};\n}};\n'
            'bodies = { a = { shape = "fine"; position = (0.0, 0.0); }; b = { shape = "bent"; position = (9.0, 0.0); }; };\n'
            'force = ( { plugin = "overlap_area"; k = 1e6; kt = 1e3; } );\n'
            f'resolvers = ( {{ plugin = "{resolver}"; }} );\n')
        for command in ("validate", "run"):
            seen = scree(top, command, "c.cfg")
            tap.check(f"{command}: resolver/{resolver} refuses a shape with its file and line",
                      seen.returncode == 2 and "c.cfg:4: " in seen.stderr and 'shape "bent": ' + words in seen.stderr, seen)
        (top / "c.cfg").write_text((top / "c.cfg").read_text().replace(resolver, "closest_feature"))
        seen = scree(top, "validate", "c.cfg")
        tap.check("resolver/closest_feature takes it", seen.returncode == 0, seen)


def checked_solids(top):
    """`scree check --solid`: why the solid could not be made."""
    file = SCREE.parents[1] / "plugins" / "resolver" / "closest_feature.so"
    seen = scree(top, "check", file, "--solid=polygon", "--set=sides=5", "--case=exchange")
    tap.check("scree check says why the solid was not made", seen.returncode == 3 and
              "--solid polygon: it could not be made" in seen.stdout and "diameter is missing" in seen.stdout and
              "supports no pair" not in seen.stdout, seen)
    seen = scree(top, "check", file, "--solid=polygon", "--set=sides=5", "--set=diameter=1.0", "--case=exchange")
    tap.check("and with its diameter it is tried", seen.returncode == 0, seen)
    seen = scree(top, "check", file, "--case=exchange")
    tap.check("without a solid it says what the check has, --solid among it",
              seen.returncode == 3 and "supports no pair" in seen.stdout and "--solid" in seen.stdout, seen)


def masses(top):
    """Density 10 kg/m^3, 0.5 m thick in 2D."""
    near(top, "an L of three squares", 'type = "polygon"; ' + L_SHAPE, 15.0, 1e-8)
    near(top, "a hexagon", 'type = "polygon"; sides = 6; diameter = 2.0;', 5.0 * 1.5 * math.sqrt(3.0), 1e-8)
    (top / "square.csv").write_text("x_cm y_cm\n0 0\n50 0\n50 50\n0 50\n")
    near(top, "a square from a file in cm", 'type = "polygon"; file = "square.csv";', 1.25, 1e-8)
    (top / "bare.csv").write_text("0 0 7\n1 0 7\n1 2 7\n")
    near(top, "a triangle of the columns that are named", 'type = "polygon"; file = "bare.csv"; columns = ["x", "y", "-"];', 5.0, 1e-8)
    near(top, "an L of 200 panels is nearly one", 'type = "polygon"; resample = 200; ' + L_SHAPE, 15.0, 2e-3)
    lens = 2.0 * math.acos(0.5) - 2.0 * 0.5 * math.sqrt(0.75)  # of two circles of radius 1 at distance 1
    near(top, "two discs", 'type = "clump"; balls = ((0, 0, 1), (1, 0, 1));', 5.0 * (2.0 * math.pi - lens), 1e-8)
    near(top, "two discs apart", 'type = "clump"; balls = ((0, 0, 1), (3, 0, 1)); pieces = "apart";', 10.0 * math.pi, 1e-8)
    caps = 2.0 * math.pi * 0.25 * (1.0 - 0.5 / 3.0)
    (top / "grain.csv").write_text("x_mm,y_mm,z_mm,radius_mm\n0,0,0,1000\n1000,0,0,1000\n")
    near(top, "two balls from a file in mm", 'type = "clump"; file = "grain.csv";', 10.0 * (8.0 / 3.0 * math.pi - caps), 1e-8, 3)
    near(top, "a mass of 7 kg", 'type = "clump"; file = "grain.csv"; volume = 0.7;', 7.0, 1e-8, 3)


def family(top, keys, seed=1):
    """The state after a step of 40 stones of 20 mm, thrown apart at 1 m/s: kinetic energy and hash."""
    (top / "f.cfg").write_text(
        f"scene = {{ dimension = 2; dt = 1e-7; steps = 1; thickness = 0.5; seed = {seed};\n"
        "  region = { min = (0.0, 0.0); max = (0.3, 0.3); }; };\n"
        "materials = { m = { density = 10.0; }; };\n"
        'generate = { stones = { plugin = "polygons"; count = 40; diameter = "20 mm"; orientation = "random"; '
        f"velocity = (1.0, 0.0); {keys} }}; }};\n" + RESOLVERS)
    seen = scree(top, "run", "f.cfg", "-q", "--json")
    if seen.returncode:
        return seen.stderr
    told = json.loads(seen.stdout)
    return told["energy"]["kinetic"], told["state_sha256"], told["bodies"]


def families(top):
    kinetic = 0.5 * 40 * 10.0 * 0.5 * math.pi * 0.01 ** 2
    first = None
    for keys in ("corners = (5, 12);", "corners = 7; resample = 12; aspect = 2.0;", "corners = 9; convex = false; variants = 5;"):
        if not RESOLVERS:
            tap.skip(f"a family of {keys}", "no resolver of polygons is installed")
            continue
        found = family(top, keys)
        first = first or found
        tap.check(f"a family of {keys} has the area of its discs",
                  isinstance(found, tuple) and abs(found[0] / kinetic - 1.0) < 1e-8 and found[2] == 40, (found, kinetic))
        tap.check("the same seed gives the same ones, another one others",
                  family(top, keys) == found and family(top, keys, 2)[1] != found[1], found)
    if RESOLVERS:
        for keys, words in (("corners = (9, 5);", "(least, most) with least <= most"), ('corners = 5; shape = "disc"; count = 1e4;', "count"),
                            ("corners = 2;", "corners")):
            seen = family(top, keys)
            tap.check(f"refused: {keys}", isinstance(seen, str) and words in seen, seen)


def shown(top):
    if RESOLVERS:
        write(top, 'type = "polygon"; sides = 4; diameter = 2.0;')
        seen = scree(top, "validate", "s.cfg", "--picture", "p.png")
        tap.check("validate draws a polygon", seen.returncode == 0 and (top / "p.png").stat().st_size > 1000, seen.stderr)
    seen = scree(top, "plugins", "shape/clump", "--json")
    tap.check("the help of a clump says its error", "1e-9" in json.loads(seen.stdout)["summary"], seen.stdout)


def run(top):
    polygons_refused(top)
    sources_of_refused(top)
    clumps_refused(top)
    if RESOLVERS:
        refused_by_resolvers(top)
        checked_solids(top)
    masses(top)
    families(top)
    shown(top)


tap.in_folder(run)
