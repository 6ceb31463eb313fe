# SPDX-License-Identifier: Apache-2.0
"""Blends, casts and voxels as users give them: volumes, surfaces and places against formulas, files, and each refusal.

usage: test_level.py SCREE
"""
import gzip
import math
import pathlib
import struct
import sys

import tap
from runs import read_table, scree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "observer"))
import vtp  # noqa: E402

BALL = 'first = { type = "sphere"; radius = 1.0; };'
SPHERE = 4.0 / 3.0 * math.pi


def write(top, shape):
    """A fixed body, which needs no resolver."""
    (top / "s.cfg").write_text(
        "scene = { dt = 1e-6; steps = 1; };\nmaterials = { m = { density = 10.0; }; };\n"
        f"shapes = {{ a = {{ {shape} }}; }};\n"
        'bodies = { a = { shape = "a"; position = (0.0, 0.0, 0.0); motion = "fixed"; }; };\n'
        'observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 1; };\n'
        '  vtk = { plugin = "vtk"; every_steps = 1; }; };\n')


class Solid:
    """The volume, the corners and the facets of a shape, and what the program said."""

    def __init__(self, top, shape):
        write(top, shape)
        folder = top / f"run{len(list(top.glob('run*')))}"
        seen = scree(top, "run", "s.cfg", "-o", folder)
        self.said = seen.stderr + seen.stdout
        if seen.returncode:
            raise RuntimeError(seen.stderr)
        self.volume = float(read_table(folder / "bodies.csv")[0]["volume"])
        drawn = vtp.read(max(folder.glob("vtk/solids_*.vtp")))
        self.points, self.facets = drawn["Points"], drawn["cells"][1]

    def extent(self, axis):
        return min(p[axis] for p in self.points), max(p[axis] for p in self.points)

    def middles(self):
        return [tuple(sum(self.points[v][k] for v in facet) / len(facet) for k in range(3)) for facet in self.facets]


def refused(top, shape, *words):
    write(top, shape)
    seen = scree(top, "validate", "s.cfg")
    tap.check(f"refused: {words[0]}", seen.returncode == 2 and all(word in seen.stderr for word in words), (shape, seen.stderr))


def falls_with_cells(claim, errors, order):
    """Errors at cells that are halved each time."""
    tap.check(f"{claim} falls with the power {order} of the cells", all(
        errors[i] > 0.0 and order - 0.35 < math.log2(errors[i] / errors[i + 1]) < order + 0.6 for i in range(len(errors) - 1)), errors)


def near(claim, found, expected, slack):
    tap.check(f"{claim}: {expected:.6g}", abs(found - expected) <= slack, found)


# ---- blends ----

def blends(top):
    errors = [abs(Solid(top, f'type = "blend"; {BALL} decay = 3.0; cells = {cells};').volume / SPHERE - 1.0) for cells in (12, 24, 48)]
    falls_with_cells("a blend of one ball is the ball: the error of its volume", errors, 2)
    apart = 1.2
    lens = math.pi / 12.0 * (4.0 + apart) * (2.0 - apart) ** 2
    pair = f'type = "blend"; {BALL} places = ((-0.6, 0, 0), (0.6, 0, 0)); cells = 60;'
    near("two balls without decay are their union", Solid(top, pair).volume, 2.0 * SPHERE - lens, 0.01)
    for alpha in (2.0, 8.0):
        solid = Solid(top, f'type = "blend"; {BALL} places = ((-1, 0, 0), (1, 0, 0)); decay = {alpha}; cells = 60;')
        neck = [math.hypot(y, z) for x, y, z in solid.points if abs(x) < 1e-6]
        near(f"balls that touch, decay {alpha}: the neck has the radius a sqrt(ln 2 / alpha)",
             sum(neck) / max(len(neck), 1), math.sqrt(math.log(2.0) / alpha), 1e-6)
    strong = Solid(top, f'type = "blend"; {BALL} places = ((0, 0, 0)); strengths = (5.0); decay = 2.0; cells = 40;')
    near("a ball of strength beta has the radius a sqrt(1 + ln(beta) / alpha)", strong.extent(0)[1],
         math.sqrt(1.0 + 0.5 * math.log(5.0)), 0.004)
    half = math.sqrt(0.5)
    turned = Solid(top, 'type = "blend"; first = { type = "superquadric"; axes = (2.0, 0.5, 1.0); }; second = { type = "sphere"; '
                   f'radius = 0.1; }}; places = ((3, 0, 0), (3, 0, 0)); of = (1, 2); turns = (({half}, 0, 0, {half}), (1, 0, 0, 0)); '
                   'scales = (0.5, 1.0); cells = 40;')
    tap.check("a part is scaled, turned and moved",
              all(abs(a - b) < 0.01 for a, b in zip(turned.extent(0) + turned.extent(1) + turned.extent(2),
                                                    (2.75, 3.25, -1.0, 1.0, -0.5, 0.5))), [turned.extent(k) for k in range(3)])
    nested = Solid(top, f'type = "blend"; first = {{ type = "blend"; {BALL} places = ((0.3, 0, 0)); cells = 8; }}; '
                   'places = ((1, 0, 0)); cells = 40;')
    near("a blend of a blend", nested.extent(0)[1], 2.3, 0.005)
    near("does not depend on the cells of the inner one", nested.volume, SPHERE, 0.01)


def tables(top):
    rows = ((0.0, 0.0, 0.0, 0.7), (1.0, 0.2, 0.0, 0.5), (1.8, 0.1, 0.3, 0.6))
    (top / "grains.csv").write_text("x_mm,y_mm,z_mm,diameter_mm\n" + "".join(
        f"{1e3 * x!r},{1e3 * y!r},{1e3 * z!r},{2e3 * r!r}\n" for x, y, z, r in rows))
    by_file = Solid(top, f'type = "blend"; {BALL} file = "grains.csv"; decay = 4.0;')
    places = ", ".join(f"({x}, {y}, {z})" for x, y, z, _ in rows)
    by_list = Solid(top, f'type = "blend"; {BALL} places = ({places}); scales = ({", ".join(str(row[3]) for row in rows)}); decay = 4.0;')
    near("a table in mm gives the solid of the same lists", by_file.volume / by_list.volume, 1.0, 1e-9)
    (top / "turned.csv").write_text("x,y,z,q0,q1,q2,q3,scale,part\n0,0,0,1,0,0,1,1,2\n")
    turned = Solid(top, f'type = "blend"; {BALL} second = {{ type = "superquadric"; axes = (2.0, 0.5, 1.0); }}; file = "turned.csv"; '
                   'cells = 40;')
    near("and so do its orientation and part", turned.extent(1)[1], 2.0, 0.02)
    (top / "grains.csv").write_text("x,y,radius\n0,0,1\n")
    refused(top, f'type = "blend"; {BALL} file = "grains.csv";', "grains.csv has no column 'z'")
    refused(top, f'type = "blend"; {BALL} places = ((1e50, 1e50, 1e50));', "its parts are so far from the origin")
    (top / "grains.csv").write_text("x,y,z,radius,scale\n0,0,0,1,1\n")
    refused(top, f'type = "blend"; {BALL} file = "grains.csv";', "more than one of scale, radius and diameter")
    (top / "grains.csv").write_text("x,y,z,q0\n0,0,0,1\n")
    refused(top, f'type = "blend"; {BALL} file = "grains.csv";', "not all of the columns q0, q1, q2, q3")
    (top / "grains.csv").write_text("x,y,z,radius\n0,0,0,1\n1,0,0,0\n")
    refused(top, f'type = "blend"; {BALL} file = "grains.csv";', "grains.csv:3: expected a size > 0")
    (top / "grains.csv").write_text("x,y,z,part\n0,0,0,3\n")
    refused(top, f'type = "blend"; {BALL} file = "grains.csv";', "grains.csv:2: part: expected the number of a given shape", "got 3")


def blends_refused(top):
    refused(top, 'type = "blend"; cells = 8;', "first")
    refused(top, 'type = "blend"; first = { type = "no_such"; };', "no_such")
    refused(top, 'type = "blend"; first = { type = "box"; size = (1, 1, 1); };', "first: shape/box has no function of its surface")
    refused(top, 'type = "blend"; first = { type = "point"; volume = 1.0; };', "first: shape/point has no function of its surface")
    refused(top, 'type = "blend"; first = { type = "superquadric"; axes = (1.0, 1.0); };', "axes")
    refused(top, f'type = "blend"; {BALL} of = (1, 1); places = ((0, 0, 0));', "of: expected 1 of them, one for each place, got 2")
    refused(top, f'type = "blend"; {BALL} of = (2); places = ((0, 0, 0));', "of[0]: expected the number of a given shape", "got 2")
    refused(top, f'type = "blend"; {BALL} scales = (2.0);', "belong to places, which are missing")
    refused(top, f'type = "blend"; {BALL} strengths = (2.0);', "strengths are those of a blend, and decay is missing")
    refused(top, f'type = "blend"; {BALL} decay = 1.0; strengths = (2.0, 1.0);', "strengths: expected 1 of them")
    refused(top, f'type = "blend"; {BALL} turns = ((0, 0, 0, 0)); places = ((0, 0, 0));', "turns[0]: expected a quaternion")
    refused(top, f'type = "blend"; {BALL} columns = ["x"];', "columns are those of a table")
    refused(top, f'type = "blend"; {BALL} cell = 1e-3;', "cell: expected at least 0.00", "for at most 512 cells")
    refused(top, f'type = "blend"; first = {{ type = "blend"; {BALL} places = ((5, 0, 0)); }};',
            "first: its own origin is not inside of it")
    refused(top, 'type = "blend"; first = { type = "superquadric"; axes = (1.0, 1.0, 1e-3); }; cells = 4;', "no corner of its")


def pieces(top):
    apart = 'places = ((0, 0, 0), (3, 0, 0)); scales = (1.0, 0.5); cells = 50;'
    one = Solid(top, f'type = "blend"; {BALL} {apart}')
    near("of two balls apart the larger one stays", one.volume, SPHERE, 0.02)
    tap.check("and the log says it", "1 pieces that are not joined to the largest one are left out" in one.said, one.said)
    near('pieces = "all" keeps both', Solid(top, f'type = "blend"; {BALL} {apart} pieces = "all";').volume, 1.125 * SPHERE, 0.04)


# ---- casts ----

def lattice(n):
    """n^3 balls of radius 0.45 in unit cells from 0 on: none meets the border."""
    return [(i + 0.5, j + 0.5, k + 0.5) for i in range(n) for j in range(n) for k in range(n)]


def off_complement(x, n):
    """Distance of a point from the border of the box [0, n]^3 or of the nearest ball of lattice(n)."""
    walls = min(min(abs(c), abs(n - c)) for c in x)
    ball = min(abs(math.dist(x, centre) - 0.45) for centre in lattice(n))
    return min(walls, ball)


def casts(top):
    n = 2
    places = ", ".join(str(place) for place in lattice(n))
    exact = n ** 3 - n ** 3 * SPHERE * 0.45 ** 3
    volumes, means, worst = [], [], []
    for cells in (16, 32, 64):
        solid = Solid(top, f'type = "cast"; {BALL} places = ({places}); scales = ({", ".join(["0.45"] * n ** 3)}); min = (0.0, 0.0, 0.0); '
                      f'max = ({n}.0, {n}.0, {n}.0); cells = {cells};')
        off = [off_complement(x, n) for x in solid.middles()]
        volumes.append(abs(solid.volume / n ** 3 - exact / n ** 3))
        means.append(sum(off) / len(off))
        worst.append(max(off) * cells / n)
        corners = [off_complement(x, n) for x in solid.points]
        tap.check(f"cast, {cells} cells: its corners are on the exact complement", max(corners) < 2e-3 * n / cells, max(corners))
    falls_with_cells("porosity is 1 - solid fraction of the packing: the error", volumes, 2)
    falls_with_cells("the distance of the facets from the exact complement", means, 2)
    tap.check("and is nowhere more than a quarter of a cell", max(worst) < 0.25, worst)
    blended = Solid(top, 'type = "cast"; first = { type = "sphere"; radius = 0.5; }; places = ((0.5, 0.5, 0.5), (1.5, 0.5, 0.5)); '
                    'min = (0.0, 0.0, 0.0); max = (2.0, 1.0, 1.0); decay = 3.0; cells = 60;')
    neck = [math.hypot(y - 0.5, z - 0.5) for x, y, z in blended.points if abs(x - 1.0) < 1e-6 and 0.01 < y < 0.99 and 0.01 < z < 0.99]
    near("pores of balls that touch are joined by a neck of radius a sqrt(ln 2 / alpha)", sum(neck) / max(len(neck), 1),
         0.5 * math.sqrt(math.log(2.0) / 3.0), 1e-6)
    shell = Solid(top, 'type = "cast"; first = { type = "sphere"; radius = 0.5; }; container = { type = "superquadric"; axes = (1.0, 1.0, 1.0); '
                  '}; cells = 64;')
    near("a ball with a cavity, in a container of another shape", shell.volume, SPHERE * 0.875, 0.01)


    tap.check("a cast that cuts says nothing", "nothing is cut" not in shell.said, shell.said)
    whole = Solid(top, f'type = "cast"; {BALL} places = ((0.0, 0.0, 5.0), (9.0, 0.0, 0.0)); min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = 8;')
    tap.check("a cast that cuts nothing says so, with file, line and key", abs(whole.volume - 1.0) < 1e-3 and
              "s.cfg:3: shapes.a: places: no corner of its cells is in a part, so nothing is cut" in whole.said, whole.said)


def own_tables(top):
    """The grains of a cast are the balls in a table of observer/csv, of its last observation."""
    (top / "bed.cfg").write_text(
        "scene = { dt = 1e-3; steps = 2; };\nmaterials = { m = { density = 10.0; }; };\nshapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n"
        'bodies = { a = { radius = 0.3; position = (0.5, 0.5, 0.5); velocity = (100.0, 0.0, 0.0); }; b = { radius = 0.2; position = (1.5, 1.5, 0.5); }; '
        'f = { shape = "floor"; position = (0.0, 0.0, -5.0); }; };\n'
        'observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 1; }; };\n')
    seen = scree(top, "run", "bed.cfg", "-q", "-o", "bed")
    tap.check("a bed of two balls runs", seen.returncode == 0, seen.stderr)
    cut = f'type = "cast"; {BALL} min = (0.0, 0.0, 0.0); max = (2.0, 2.0, 1.0); cells = 24;'
    of_table = Solid(top, f'{cut} file = "bed/bodies.csv";')
    of_places = Solid(top, f"{cut} places = ((0.7, 0.5, 0.5), (1.5, 1.5, 0.5)); scales = (0.3, 0.2);")
    near("the balls of observer/csv as grains: the same solid as by places", of_table.volume, of_places.volume, 1e-12)
    tap.check("they cut", of_table.volume < 4.0 - 0.9 * SPHERE * (0.3 ** 3 + 0.2 ** 3), of_table.volume)
    text = (top / "bed/bodies.csv").read_text().splitlines()
    (top / "bed/walls.csv").write_text("\n".join([text[0]] + [line for line in text if line.startswith("2,") and ",f," in line]) + "\n")
    refused(top, f'{cut} file = "bed/walls.csv";', "expected 1 to", "got 0")


def casts_refused(top):
    refused(top, f'type = "cast"; {BALL}', "expected either a container, or min and max of a box")
    refused(top, f'type = "cast"; {BALL} min = (0.0, 0.0, 0.0);', "expected either a container, or min and max of a box")
    refused(top, f'type = "cast"; {BALL} min = (0.0, 0.0, 0.0); max = (1.0, 0.0, 1.0);', "max: expected more than min along y")
    refused(top, f'type = "cast"; {BALL} container = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }};', "container: shape/plane has no function")
    refused(top, f'type = "cast"; {BALL} min = (-0.5, -0.5, -0.5); max = (0.5, 0.5, 0.5);', "no corner of its")


# ---- voxels ----

def numbers(n, fn):
    return [fn(i, j, k) for k in range(n[2]) for j in range(n[1]) for i in range(n[0])]


def nrrd(data, sizes, kind="float", more="", encoding="raw"):
    head = f"NRRD0004\n# a comment\ntype: {kind}\ndimension: 3\nsizes: {' '.join(map(str, sizes))}\nencoding: {encoding}\nkey:=value\n{more}\n"
    return head.encode() + data


def distances(n, radius):
    """Radius less distance from the middle of n^3 voxels."""
    middle = 0.5 * (n - 1)
    return numbers((n, n, n), lambda i, j, k: radius - math.dist((i, j, k), (middle, middle, middle)))


def voxels(top):
    errors = []
    for n in (12, 24, 48):
        values = distances(n, 0.4 * n)
        data = struct.pack(f"<{len(values)}f", *values)
        (top / "ball.nrrd").write_bytes(nrrd(data, (n, n, n), more="endian: little\n"))
        errors.append(abs(Solid(top, 'type = "voxels"; file = "ball.nrrd"; level = 0.0;').volume / (SPHERE * (0.4 * n) ** 3) - 1.0))
    falls_with_cells("a ball of distances: the error of its volume", errors, 2)
    plain = Solid(top, 'type = "voxels"; file = "ball.nrrd"; level = 0.0;').volume
    (top / "packed.nrrd").write_bytes(nrrd(gzip.compress(data), (n, n, n), more="endian: little\n", encoding="gzip"))
    near("gzip has the same numbers", Solid(top, 'type = "voxels"; file = "packed.nrrd"; level = 0.0;').volume, plain, 0.0)
    (top / "big.nrrd").write_bytes(nrrd(struct.pack(f">{len(values)}d", *values), (n, n, n), kind="double", more="endian: big\n"))
    near("and so have doubles, the highest byte first", Solid(top, 'type = "voxels"; file = "big.nrrd"; level = 0.0;').volume / plain, 1.0, 1e-6)
    (top / "ball.raw").write_bytes(b"header" + data)
    raw = f'type = "voxels"; file = "ball.raw"; format = "raw"; sizes = ({n}, {n}, {n}); type = "float"; skip = 6; level = 0.0;'
    raw = raw.replace('; type = "float"', '; numbers = "float"')
    near("and a raw file behind a header", Solid(top, raw).volume, plain, 0.0)
    near("in voxels of 20 um", Solid(top, raw + ' spacing = ("20 um", "20 um", "20 um");').volume / plain, 8e-15, 1e-24)
    coarse = Solid(top, raw + " coarse = 2;")
    near("means of blocks of 8 voxels", coarse.volume / plain, 1.0, 0.01)
    near("have their places", sum(coarse.extent(0)), n - 1.0, 1e-3)


def blocks(top):
    data = bytes([200] * 60)
    (top / "block.nrrd").write_bytes(nrrd(data, (3, 4, 5), kind="uint8", more="spacings: 1 2 0.5\n"))
    block = Solid(top, 'type = "voxels"; file = "block.nrrd"; level = 100; unit = "mm";')
    near("a block that is inside everywhere has the volume of its voxels, less its edges", block.volume, 60e-9, 12e-9)
    tap.check("and ends half a voxel outside", all(abs(a - b) < 1e-9 for k, (lo, hi) in enumerate(
        ((-0.5, 2.5), (-1.0, 7.0), (-0.25, 2.25))) for a, b in zip(block.extent(k), (1e-3 * lo, 1e-3 * hi))), [block.extent(k) for k in range(3)])
    hole = numbers((7, 7, 7), lambda i, j, k: 0 if (i, j, k) == (3, 3, 3) else 9 if 0 < min(i, j, k) and max(i, j, k) < 6 else 0)
    (top / "hole.nrrd").write_bytes(nrrd(bytes(hole), (7, 7, 7), kind="uchar"))
    solid = Solid(top, 'type = "voxels"; file = "hole.nrrd";')
    inner = [p for p in solid.points if max(abs(c - 3.0) for c in p) < 1.0]
    tap.check("a cavity stays", len(inner) == 6 and all(abs(math.dist(p, (3, 3, 3)) - 0.5) < 1e-6 for p in inner), inner)
    below = Solid(top, 'type = "voxels"; file = "hole.nrrd"; inside = "below";')
    tap.check('inside = "below" takes the outer shell, and leaves out the cavity', "1 pieces" in below.said and below.extent(0)[0] < 0.0,
              (below.said, below.extent(0)))
    bar = numbers((9, 4, 4), lambda i, j, k: 255 if 0 < i < 6 and j in (1, 2) and k in (1, 2) else 0)
    turned = "space: left-posterior-superior\nspace directions: (0,-2,0) (3,0,0) (0,0,1)\nspace origin: (10,20,30)\n"
    (top / "bar.nrrd").write_bytes(nrrd(bytes(bar), (9, 4, 4), kind="uint8", more=turned))
    solid = Solid(top, 'type = "voxels"; file = "bar.nrrd";')
    tap.check("directions and origin of the file", all(abs(a - b) < 1e-6 for k, want in enumerate(
        ((11.5, 17.5), (9.0, 19.0), (30.5, 32.5))) for a, b in zip(solid.extent(k), want)), [solid.extent(k) for k in range(3)])
    mirrored = turned.replace("(3,0,0)", "(-3,0,0)")
    (top / "bar.nrrd").write_bytes(nrrd(bytes(bar), (9, 4, 4), kind="uint8", more=mirrored))
    near("a mirrored volume is not inside out", Solid(top, 'type = "voxels"; file = "bar.nrrd";').volume / solid.volume, 1.0, 1e-12)
    (top / "bar.nrrd").write_bytes(nrrd(bytes(bar), (9, 4, 4), kind="uint8", more='space units: "mm" "mm" "mm"\n'))
    seen = Solid(top, 'type = "voxels"; file = "bar.nrrd";')
    tap.check("units of a file that nobody applies are named", 'unit = "mm" in the scene applies them' in seen.said, seen.said)


def voxels_refused(top):
    data, sizes = bytes(range(24)), (2, 3, 4)
    shape = 'type = "voxels"; file = "v.nrrd";'

    def by(text, *words, of=shape):
        (top / "v.nrrd").write_bytes(text)
        refused(top, of, *words)
    refused(top, 'type = "voxels"; file = "missing.nrrd";', "missing.nrrd")
    by(b"NRRD", "expected a NRRD file", of=shape + ' format = "nrrd";')
    by(data, "sizes is missing, which a raw file needs")
    by(nrrd(data, sizes, "uint8") + b"x", f"expected {len(data)} bytes for ")
    by(nrrd(data[:23], sizes, "uint8"), "v.nrrd: expected 24 bytes for 2 x 3 x 4 numbers of 1 bytes, got 23")
    by(nrrd(data, sizes, "block"), "v.nrrd:3: type: expected a number such as uint8, int16 or float, got block")
    by(nrrd(data, sizes, "uint8").replace(b"dimension: 3", b"dimension: 4"), "v.nrrd:4: dimension: expected 3, got 4")
    by(nrrd(data, (2, 3), "uint8"), "v.nrrd:5: sizes: expected 3 numbers")
    by(nrrd(data, (2, 3, 0), "uint8"), "v.nrrd:5: sizes: expected whole numbers from 2 to 4000, got 0")
    by(nrrd(data, sizes, "uint8", encoding="bzip2"), "v.nrrd:6: encoding: expected raw or gzip, got bzip2")
    by(nrrd(data, sizes, "int16"), "the header has no field 'endian'")
    by(nrrd(data, sizes, "uint8", more="sizes: 2 2 2\n"), "v.nrrd:8: expected one field 'sizes', got another one")
    by(nrrd(data, sizes, "uint8", more="byteskip: 0\nbyte skip: 0\n"), "v.nrrd:9: expected one field 'byte skip', got another one")
    by(nrrd(data, sizes, "uint8").replace(b"type: uint8\n", b""), "the header has no field 'type'")
    by(nrrd(data, sizes, "uint8", more="data file: other.raw\n"), "v.nrrd:8: the numbers are in another file, other.raw")
    by(nrrd(data, sizes, "uint8", more="nonsense\n"), "v.nrrd:8: expected FIELD: VALUE, got nonsense")
    by(nrrd(b"", sizes, "uint8").rstrip(b"\n"), "the header has no end")
    by(nrrd(data, sizes, "uint8", more="spacings: 1 0 1\n"), "spacings: expected numbers > 0, got 0")
    by(nrrd(data, sizes, "uint8", more="space directions: (1,0,0) (2,0,0) (0,0,1)\n"), "expected three that span a space")
    by(nrrd(data, sizes, "uint8", more="byte skip: 99\n"), "byte skip: 99 is not possible here")
    packed = gzip.compress(bytes(24))
    by(nrrd(packed[:15], sizes, "uint8", encoding="gzip"), "v.nrrd: expected 24 bytes in its gzip data")
    by(nrrd(packed[:-8] + b"\0" * 8, sizes, "uint8", encoding="gzip"), "v.nrrd: expected 24 bytes in its gzip data", "damaged")
    by(nrrd(b"no gzip at all, this", sizes, "uint8", encoding="gzip"), "v.nrrd: expected 24 bytes in its gzip data", "damaged")
    by(nrrd(bytes(24), sizes, "uint8"), "all numbers are 0, so that no level parts them")
    by(nrrd(data, sizes, "uint8"), "no corner of its 3 x 4 x 5 cells is inside", of=shape + " level = 99.0;")
    by(nrrd(struct.pack("<24f", *[math.nan] * 24), sizes, "float", more="endian: little\n"), "voxel (0, 0, 0): expected a number below 1e30")
    by(nrrd(data, sizes, "uint8"), "sizes, numbers, endian and skip are those of a raw file", of=shape + " skip = 3;")
    by(nrrd(data, sizes, "uint8"), "sizes, numbers, endian and skip are those of a raw file", of=shape + ' endian = "big";')
    by(nrrd(data, sizes, "uint8"), "expected 2 to 4000 voxels along each side", of=shape + " coarse = 2;")


tap.in_folder(blends, tables, blends_refused, pieces, casts, own_tables, casts_refused, voxels, blocks, voxels_refused)
