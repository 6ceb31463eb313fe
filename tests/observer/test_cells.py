# SPDX-License-Identifier: Apache-2.0
"""Observers `vtk` and `image` show the cells of solids of resolver/dfr3d: classes, places and zones against an own program.

usage: test_cells.py SCREE
"""
import itertools
import math
import shutil

from common import tap

import vtp
from png import read_png
from runs import scree

OUTSIDE, INSIDE, BORDER = range(3)
EGG = ("egg", 'type = "superquadric"; axes = (0.01, 0.015, 0.02);')
CUBE = ("cube", 'type = "polyhedron"; solid = "cuboid"; size = (0.02, 0.02, 0.02);')
# Its centroid is off its origin, and its own cells are turned and moved into the frame of its axes.
PORE = ("pore", 'type = "cast"; first = { type = "sphere"; radius = 0.006; }; places = ((0.004, 0.021, 0.008)); min = (0.0, 0.0, 0.0); '
                'max = (0.02, 0.03, 0.02); cells = 9;')
CELLS = 'cells = { plugin = "dfr3d"; cells = 9; };'
PLAIN = ('colour_bar = false; time_stamp = false; axes = false; scale_bar = false; colour = "none"; body_colour = "#ffffff"; '
         'hollows = false; width = 300; height = 300; samples = 1; ')


def turned(q, v):
    w, x, y, z = q
    t = [2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]), 2.0 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def unit(q):
    return [c / math.sqrt(sum(x * x for x in q)) for c in q]


BODIES = [("egg", (0.01, -0.02, 0.03), unit((0.5, 0.3, -0.7, 0.2)), 1.0), ("cube", (0.2, 0.0, 0.0), unit((1.0, 0.2, 0.1, 0.0)), 1.5),
          ("cube", (0.229, 0.004, 0.001), unit((0.9, -0.1, 0.3, 0.2)), 1.0), ("cube", (0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 1.0),
          ("pore", (0.8, 0.1, 0.2), unit((0.7, 0.3, 0.2, -0.4)), 1.2)]
NAMES = dict((EGG, CUBE, PORE))


def run(top, observer, bodies, more=""):
    shutil.rmtree(top / "out", ignore_errors=True)
    shapes = "".join(f"{name} = {{ {text} }}; " for name, text in NAMES.items())
    made = "".join(f'b{k} = {{ shape = "{shape}"; position = {tuple(x)}; orientation = {tuple(q)}; scale = {scale!r}; motion = "fixed"; }};\n'
                   for k, (shape, x, q, scale) in enumerate(bodies))
    (top / "s.cfg").write_text("scene = { dt = 1e-6; steps = 1; };\nmaterials = { m = { density = 2500.0; }; };\n"
                               f"shapes = {{ {shapes} }};\nbodies = {{ {made} }};\n{more}\nobservers = {{ see = {{ {observer} }}; }};\n")
    return scree(top, "run", "s.cfg", "-q", "-o", "out", "--steps", "0")


def vtk(top, classes, bodies=None):
    """{body: {ordinates: (class, zone, [corners])}}."""
    words = ", ".join(f'"{word}"' for word in classes)
    seen = run(top, f'plugin = "vtk"; {CELLS} cell_classes = ({words});' if classes else f'plugin = "vtk"; {CELLS}', bodies or BODIES)
    if seen.returncode:
        raise RuntimeError(seen.stderr)
    (path,) = (top / "out" / "vtk").glob("cells_*.vtp")
    data = vtp.read(path)
    rows, points, found = data["CellData"], data["Points"], {}
    for n in range(len(points) // 8):
        one = {tuple(map(str, (rows[name][6 * n + side] for name in ("class", "zone", "at", "id")))) for side in range(6)}
        assert len(one) == 1, one
        found.setdefault(rows["id"][6 * n], {})[tuple(rows["at"][6 * n])] = (rows["class"][6 * n], rows["zone"][6 * n],
                                                                           points[8 * n:8 * n + 8])
    return found, data


def is_inside(body, x):
    shape, centre, q, scale = body
    p = [c / scale for c in turned((q[0], -q[1], -q[2], -q[3]), [a - b for a, b in zip(x, centre)])]
    if shape == "egg":
        return sum((c / a) ** 2 for c, a in zip(p, (0.01, 0.015, 0.02))) < 1.0
    if shape == "pore":
        return all(0.0 < c < side for c, side in zip(p, (0.02, 0.03, 0.02))) and math.dist(p, (0.004, 0.021, 0.008)) > 0.006
    return max(map(abs, p)) < 0.01


def test_classes(top):
    found, data = vtk(top, ("outside", "inside", "border"))
    tap.check("five bodies have cells", sorted(found) == [1, 2, 3, 4, 5], sorted(found))
    for number, cells in found.items():
        body = BODIES[number - 1]
        n = [max(at[k] for at in cells) + 1 for k in range(3)]
        wrong = [(at, kind) for at, (kind, _, corners) in cells.items()
                 if kind != {0: OUTSIDE, 8: INSIDE}.get(sum(is_inside(body, x) for x in corners), BORDER)]
        tap.check(f"{body[0]} {number}: each cell is in the class of its corners, at its place in the world", not wrong and
                  len(cells) == math.prod(n) and max(n) == 9 and
                  {c[0] for c in cells.values()} == ({OUTSIDE, INSIDE, BORDER} if body[0] == "egg" else {INSIDE, BORDER}), (n, wrong[:5]))
        shared = all(math.dist(cells[at][2][7], cells[(at[0] + 1, at[1] + 1, at[2] + 1)][2][0]) < 1e-12
                     for at in cells if tuple(c + 1 for c in at) in cells)
        tap.check(f"{body[0]} {number}: next cells share a corner", shared)
    corners, points, outward = data["cells"][1], data["Points"], True
    for k, polygon in enumerate(corners):
        middle = [sum(points[8 * (k // 6) + m][j] for m in range(8)) / 8 for j in range(3)]
        p, q, r = (points[c] for c in polygon[:3])
        u, v = [q[j] - p[j] for j in range(3)], [r[j] - q[j] for j in range(3)]
        outward &= sum(a * (p[j] - middle[j]) for j, a in enumerate((u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                                                     u[0] * v[1] - u[1] * v[0]))) > 0.0
    tap.check("corners of the six sides are counterclockwise from outside", outward and len(corners) == 6 * sum(map(len, found.values())))
    plain = vtk(top, ())[0]
    tap.check("without cell_classes: inside and border", all({at: c for at, c in found[k].items() if c[0] != OUTSIDE} == plain[k] for k in found))


def planes(body):
    """(normal, offset) of the six faces of a cube."""
    _, x, q, scale = body
    for k, sign in itertools.product(range(3), (1.0, -1.0)):
        n = turned(q, [sign * (m == k) for m in range(3)])
        yield n, sum(a * b for a, b in zip(n, x)) + 0.01 * scale


def det(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]))


def common_corners(one, other):
    """Corners of the part of space that two cubes share, by all triples of their faces."""
    all_planes, found = [*planes(one), *planes(other)], []
    for (a, p), (b, q), (c, r) in itertools.combinations(all_planes, 3):
        d = det(a, b, c)
        if abs(d) < 1e-9:
            continue
        columns = list(zip(a, b, c))
        rows = [tuple((p, q, r) if m == k else columns[m] for m in range(3)) for k in range(3)]
        x = [det(*row) / d for row in rows]
        if all(sum(n * y for n, y in zip(normal, x)) <= offset + 1e-12 for normal, offset in all_planes):
            found.append(x)
    return found


def test_zones(top):
    """The zone of a body is the box, along its axes, of what both boxes share; of a cube its box is the cube."""
    found = vtk(top, ("outside", "inside", "border"))[0]
    shared = common_corners(BODIES[1], BODIES[2])
    tap.check("the boxes of two cubes share a part of space", len(shared) >= 4, shared)
    for number in (2, 3):
        _, x, q, scale = BODIES[number - 1]
        cells = found[number]
        local = [[c / scale for c in turned((q[0], -q[1], -q[2], -q[3]), [a - b for a, b in zip(p, x)])] for p in shared]
        first, last = cells[0, 0, 0][2], cells[max(cells)][2]
        back = [[c / scale for c in turned((q[0], -q[1], -q[2], -q[3]), [a - b for a, b in zip(p, x)])] for p in (first[0], last[7])]
        side = [(back[1][k] - back[0][k]) / (max(cells)[k] + 1) for k in range(3)]
        lo = [math.floor((min(p[k] for p in local) - back[0][k]) / side[k]) for k in range(3)]
        hi = [math.floor((max(p[k] for p in local) - back[0][k]) / side[k]) for k in range(3)]
        want = {at for at in cells if all(lo[k] <= at[k] <= hi[k] for k in range(3))}
        got = {at for at, cell in cells.items() if cell[1] == 1}
        tap.check(f"cube {number}: the cells of its zone", got == want and 0 < len(want) < len(cells), (len(got), len(want), lo, hi))
    tap.check("bodies whose boxes do not meet have none", not any(cell[1] for k in (1, 4, 5) for cell in found[k].values()))


def count(rows, seen):
    return sum(seen(p) for row in rows for p in row)


def is_red(p):
    return p[0] > 100 and p[1] < 0.3 * p[0] and p[2] < 0.3 * p[0]


def is_orange(p):
    return p[0] > 100 and 0.5 * p[0] < p[1] < 0.8 * p[0] and p[2] < 0.3 * p[0]


def is_blue(p):
    return p[2] > 100 and p[0] < 0.6 * p[2] and p[1] < 0.95 * p[2]


def test_picture(top):
    def picture(more, bodies):
        seen = run(top, f'plugin = "image"; {PLAIN} {more}', bodies)
        if seen.returncode:
            raise RuntimeError(seen.stderr)
        rows = read_png(top / "out" / "frame-00000.png")[2]
        return {name: count(rows, fn) for name, fn in (("red", is_red), ("orange", is_orange), ("blue", is_blue))}
    one, two = [BODIES[3]], [BODIES[1], ("cube", (0.222, -0.006, 0.006), BODIES[2][2], 1.0)]
    cut = "section_point = (0.5, -0.0001, 0.0); section_normal = (0.0, -1.0, 0.0);"
    solid, cells, opened = picture("", one), picture(CELLS, one), picture(CELLS + cut, one)
    tap.check("a solid as it is has none of the colours", not any(solid.values()), solid)
    tap.check("as cells: those of the border hide the others", cells["orange"] > 5000 and not cells["blue"] and not cells["red"], cells)
    tap.check("cut open: cells inside are seen", opened["orange"] > 2000 and opened["blue"] > 2000, opened)
    only = picture(CELLS + 'cell_classes = "inside";', one)
    tap.check("only those inside", only["blue"] > 2000 and not only["orange"], only)
    zone = picture(CELLS, two)
    tap.check("cells in a zone are red", zone["red"] > 300 and zone["orange"] > 1000, zone)
    hidden = picture(CELLS + 'hide = ("b0", "b1");', two)
    tap.check("cells of groups that are hidden are not drawn", not any(hidden.values()), hidden)


def test_refused(top):
    for name, words, said in (("a resolver that shows none", 'cells = { plugin = "gjk"; };', "resolver/gjk shows no cells"),
                              ("another class", CELLS + ' cell_classes = "edge";', 'expected outside, inside or border, got "edge"'),
                              ("classes without cells", 'cell_classes = "inside";', "`cell_classes` goes with `cells`")):
        for plugin in ("vtk", "image"):
            seen = run(top, f'plugin = "{plugin}"; {words}', [BODIES[0]])
            tap.check(f"{plugin}: {name} is refused", seen.returncode == 2 and said in seen.stderr, seen.stderr)


tap.in_folder(test_classes, test_zones, test_picture, test_refused)
