# SPDX-License-Identifier: Apache-2.0
"""Observers `vtk` and `image` show a contact detection: boxes, extents, cells and candidates against brute force.

usage: test_detection.py SCREE
"""
import itertools
import math
import random
import shutil
import sys

from common import tap

import vtp
from png import read_png
from runs import scree

SCREE = sys.argv[1]
BOX, EXTENT, CELL, NODE = range(4)
GROWN = 0.002
PLAIN = ('colour_bar = false; time_stamp = false; axes = false; scale_bar = false; colour = "none"; body_colour = "#ffffff"; '
         'width = 300; height = 300; ')
SEED = 20261130


def scene(bodies, observers, dimension=2, more="", space=""):
    names = "\n".join(f'd{k} = {{ shape = "{"disc" if dimension == 2 else "sphere"}"; radius = {r!r}; '
                      f'position = ({", ".join(map(repr, x))}); }};' for k, (x, r) in enumerate(bodies))
    return (f"scene = {{ dimension = {dimension}; dt = 1.0e-6; steps = 1; {space} }};\nmaterials = {{ m = {{ density = 2500.0; }}; }};\n"
            f"bodies = {{\n{names}\n}};\nforce = ( {{ plugin = \"linear\"; kn = 1.0e4; }} );\n{more}\n"
            f"observers = {{ {observers} }};\n")


def run(top, text):
    """The result of a run of no steps into the folder `out`."""
    shutil.rmtree(top / "out", ignore_errors=True)
    (top / "s.cfg").write_text(text)
    return scree(top, "run", "s.cfg", "-q", "-o", "out", "--steps", "0")


def vtk(top, bodies, gcd, dimension=2, space=""):
    """Cuboids as (kind, lo, hi, level, n, id), and {(id_a, id_b): [touches]}."""
    observer = f'v = {{ plugin = "vtk"; detection = {{ {gcd} }}; extent = {GROWN!r}; }};'
    result = run(top, scene(bodies, observer, dimension, space=space))
    if result.returncode:
        raise RuntimeError(result.stderr)
    parts = {}
    for name in ("detection", "candidates"):
        (path,) = (top / "out" / "vtk").glob(f"{name}_*.vtp")
        parts[name] = vtp.read(path)
    faces = parts["detection"]
    sides, corners = (1, 4) if dimension == 2 else (6, 8)
    data, cuboids = faces["CellData"], []
    for k in range(len(faces["Points"]) // corners):
        points = faces["Points"][corners * k:corners * (k + 1)]
        row = {name: values[sides * k] for name, values in data.items()}
        assert all(values[sides * k + s] == row[name] for name, values in data.items() for s in range(sides))
        cuboids.append((row["kind"], tuple(map(min, *points)), tuple(map(max, *points)), row["level"], row["n"], row["id"]))
    pairs = {}
    lines = parts["candidates"]["CellData"]
    for a, b, touches in zip(lines["id_a"], lines["id_b"], lines["touches"]):
        pairs.setdefault((min(a, b), max(a, b)), []).append(touches)
    return cuboids, pairs, parts


def discs(n, ratio):
    rng = random.Random(SEED)
    made = []
    for _ in range(n):
        r = 0.005 / math.sqrt(1.0 - rng.random() * (1.0 - ratio ** -2))
        made.append(((rng.uniform(0.0, 0.25), rng.uniform(0.0, 0.25)), r))
    return made


def meet(a, b):
    return all(a[0][k] <= b[1][k] and b[0][k] <= a[1][k] for k in range(len(a[0])))


def grown_box(x, r, by=GROWN):
    return tuple(c - r - by for c in x), tuple(c + r + by for c in x)


def test_boxes(top):
    bodies = discs(120, 5.0)
    boxes = [grown_box(*b) for b in bodies]
    ids = range(1, len(bodies) + 1)
    wanted = {(i, j) for i, j in itertools.combinations(ids, 2) if meet(boxes[i - 1], boxes[j - 1])}
    touching = {(i, j) for i, j in itertools.combinations(ids, 2)
                if math.dist(bodies[i - 1][0], bodies[j - 1][0]) <= bodies[i - 1][1] + bodies[j - 1][1]}
    for gcd in CLAIMS:
        cuboids, pairs, _ = vtk(top, bodies, f'plugin = "{gcd}"; {WORDS.get(gcd, "")}')
        near = all(all(abs(u - v) < 1e-12 for u, v in zip(lo + hi, (*want[0], 0.0, *want[1], 0.0)))
                   for kind, by in ((BOX, 0.0), (EXTENT, GROWN))
                   for (_, lo, hi, _, _, who) in (c for c in cuboids if c[0] == kind)
                   for want in (grown_box(*bodies[who - 1], by),))
        tap.check(f"{gcd}: a box and an extent for each disc", near and [sum(c[0] == k for c in cuboids) for k in (BOX, EXTENT)]
                  == [len(bodies)] * 2, cuboids[:2])
        tap.check(f"{gcd}: the candidates are the pairs of extents that meet; those that touch are marked",
                  set(pairs) == wanted and {p for p, t in pairs.items() if t == [1]} == touching
                  and all(len(t) == 1 for t in pairs.values()) and len(wanted) > len(touching) > 20,
                  (len(pairs), len(wanted), len(touching)))
        tap.check(f"{gcd}: cells as they should be", CLAIMS[gcd]([c for c in cuboids if c[0] > EXTENT], boxes),
                  [c for c in cuboids if c[0] > EXTENT][:3])
    _, pairs, _ = vtk(top, bodies, 'plugin = "hashing"; as_printed = true;')
    tap.check("hashing as printed: more candidates than extents that meet", wanted < set(pairs) and len(pairs) > 2 * len(wanted),
              (len(pairs), len(wanted)))


def cells_of_grid(cells, boxes):
    """Each box is counted in the cell in which it begins, if it fits into a cell."""
    levels = {}
    for kind, lo, hi, level, n, _ in cells:
        inside = sum(all(lo[k] - 1e-9 <= b[0][k] < hi[k] + 1e-9 for k in range(2)) for b in boxes)
        if kind != CELL or inside < n:
            return False
        levels.setdefault(level, []).append(max(hi[k] - lo[k] for k in range(2)))
    sides = [max(levels[level]) for level in sorted(levels)]  # the coarsest first
    most = sum(max(b[1][k] - b[0][k] for k in range(2)) <= sides[0] for b in boxes)
    return 0.5 * len(boxes) < sum(c[4] for c in cells) <= most and sides == sorted(sides, reverse=True)


def leaves(cells, boxes):
    """Leaves do not overlap, and count the boxes that meet them."""
    for kind, lo, hi, _, n, _ in cells:
        if kind != CELL or n != sum(meet((lo[:2], hi[:2]), b) for b in boxes):
            return False
    for a, b in itertools.combinations(cells, 2):
        if all(a[1][k] < b[2][k] - 1e-12 and b[1][k] < a[2][k] - 1e-12 for k in range(2)):
            return False
    return len(cells) >= 9


def tree(cells, boxes):
    """A node is around its leaves, which are around one box each."""
    single = [c for c in cells if c[4] == 1]
    around = all(any(all(lo[k] <= b[0][k] and b[1][k] <= hi[k] for k in range(2)) for b in boxes) for _, lo, hi, _, _, _ in single)
    holds = all(sum(all(lo[k] <= s[1][k] and s[2][k] <= hi[k] for k in range(2)) for s in single) >= n
                for _, lo, hi, _, n, _ in cells)
    roots = [c for c in cells if c[3] == 0]
    return (all(c[0] == NODE for c in cells) and len(cells) == 2 * len(boxes) - 1 and len(single) == len(boxes) and around and holds
            and [c[4] for c in roots] == [len(boxes)])


def stripes(cells, boxes):
    """A stripe begins where its first box does, ends where the next begins; members begin before its end and reach into it."""
    found = sorted(c[1:3] + (c[4],) for c in cells)
    starts = [min(b[0][0] for b in boxes)] + [lo[0] for lo, _, _ in found[1:]]
    ends = starts[1:] + [math.inf]
    members = [sum(b[0][0] < end and b[1][0] >= start for b in boxes) for start, end in zip(starts, ends)]
    lows = {b[0][0] for b in boxes}
    return len(found) > 3 and all(s in lows for s in starts) and members == [n for _, _, n in found]


CLAIMS = {"grid": lambda cells, boxes: cells_of_grid(cells, boxes) and {c[3] for c in cells} == {0}, "hgrid": lambda cells, boxes: cells_of_grid(cells, boxes) and {c[3] for c in cells} == {0, 1, 2} and sum(c[4] for c in cells) == len(boxes),
          "bvh": tree, "orthtree": leaves, "cell_space": leaves, "adaptive_grid": leaves, "dess_stripe": stripes,
          "auto": lambda cells, boxes: CLAIMS["grid"](cells, boxes), "neighbor_list": tree, "compare": tree,  # those of the GCD that they own
          "sap_simd": lambda cells, _: cells == []}
# auto begins with the one that its rule expects to be the fastest, here grid
WORDS = {"hgrid": 'levels = 3; distribution = "geometric";', "neighbor_list": 'inner = { plugin = "bvh"; };',
         "compare": 'first = { plugin = "bvh"; }; second = { plugin = "grid"; };', "auto": 'first = { plugin = "bvh"; }; second = { plugin = "grid"; };'}


def test_solid(top):
    rng = random.Random(SEED)
    bodies = [(tuple(rng.uniform(0.0, 0.08) for _ in range(3)), rng.uniform(0.005, 0.012)) for _ in range(60)]
    boxes = [grown_box(*b) for b in bodies]
    wanted = {(i + 1, j + 1) for i, j in itertools.combinations(range(60), 2) if meet(boxes[i], boxes[j])}
    cuboids, pairs, parts = vtk(top, bodies, 'plugin = "orthtree"; capacity = 4;', dimension=3)
    tap.check("3D: candidates", set(pairs) == wanted and len(wanted) > 30, (len(pairs), len(wanted)))
    leaf = [c for c in cuboids if c[0] == CELL]
    tap.check("3D: leaves count the boxes that meet them", len(leaf) > 8 and all(
        n == sum(meet((lo, hi), b) for b in boxes) for _, lo, hi, _, n, _ in leaf), leaf[:3])
    cells, points = parts["detection"]["cells"][1], parts["detection"]["Points"]
    outward = True
    for k, corners in enumerate(cells):
        first = 8 * (k // 6)
        middle = [sum(points[first + m][j] for m in range(8)) / 8 for j in range(3)]
        p, q, r = (points[c] for c in corners[:3])
        u, v = [q[j] - p[j] for j in range(3)], [r[j] - q[j] for j in range(3)]
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        outward &= sum(n * (p[j] - middle[j]) for j, n in enumerate(normal)) > 0.0
    tap.check("3D: six faces each, their corners counterclockwise from outside", outward and len(cells) == 6 * len(cuboids), len(cells))


def test_parts(top):
    facets = """shapes = { bell = { type = "clump"; balls = ((-0.01, 0.0, 0.0, 0.01), (0.01, 0.0, 0.0, 0.01)); };
        floor = { type = "mesh"; vertices = ((-0.1, -0.1, 0.0), (0.1, -0.1, 0.0), (0.1, 0.1, 0.0), (-0.1, 0.1, 0.0));
            facets = ((0, 1, 2), (0, 2, 3)); }; };"""
    text = scene([((0.0, 0.0, 0.0095), 0.01)], 'v = { plugin = "vtk"; detection = { plugin = "dess"; }; extent = 0.001; };', 3, facets)
    text = text.replace("bodies = {", 'bodies = {\nf = { shape = "floor"; position = (0.0, 0.0, 0.0); };\n'
                        'b = { shape = "bell"; position = (0.03, 0.0, 0.0195); };\n')
    result = run(top, text)
    tap.check("clumps and walls are shown by part", result.returncode == 0, result)
    if result.returncode:
        return
    (path,) = (top / "out" / "vtk").glob("candidates_*.vtp")
    rows = vtp.read(path)["CellData"]
    seen = sorted(zip(rows["id_a"], rows["part_a"], rows["id_b"], rows["part_b"], rows["touches"]))
    # Ball 3 is over the diagonal of the floor 1: the facet of the lower number has the contact. Ball 0 of clump 2 is near it.
    tap.check("a contact is that of two parts", seen == [(2, 0, 3, 0, 0), (3, 0, 1, 0, 1), (3, 0, 1, 1, 0)], seen)


def test_walls(top):
    """Two walls and two discs: one touches the first wall, the other is apart from it by less than the extent."""
    walls = """shapes = { line = { type = "segments"; vertices = ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1)); segments = ((0, 1), (1, 2)); }; };"""
    text = scene([((0.03, 0.0095), 0.01), ((0.06, 0.0105), 0.01)],
                 f'v = {{ plugin = "vtk"; detection = {{ plugin = "grid"; }}; extent = {GROWN!r}; }};', 2, walls)
    result = run(top, text.replace("bodies = {", 'bodies = {\nw = { shape = "line"; };\nother = { shape = "line"; };\n'))
    if result.returncode:
        raise RuntimeError(result.stderr)
    (path,) = (top / "out" / "vtk").glob("candidates_*.vtp")
    found = vtp.read(path)
    rows, ends = found["CellData"], found["Points"]
    seen = {(a, b, part, touches) for a, b, part, touches in zip(rows["id_a"], rows["id_b"], rows["part_b"], rows["touches"])}
    tap.check("of walls only pairs with free bodies; a pair with a gap does not touch", seen == {(3, 1, 0, 1), (3, 2, 0, 1), (4, 1, 0, 0), (4, 2, 0, 0)}, seen)
    tap.check("a line to a wall ends at the wall", {tuple(round(v, 9) for v in p) for p in ends}
              == {(0.03, 0.0095, 0.0), (0.03, 0.0, 0.0), (0.06, 0.0105, 0.0), (0.06, 0.0, 0.0)}, ends)


def test_images(top):
    region = 'region = { min = (0.0, 0.0); max = (0.1, 0.1); }; boundary = "periodic";'
    cuboids, pairs, parts = vtk(top, [((0.004, 0.05), 0.005), ((0.098, 0.05), 0.005), ((0.05, 0.05), 0.005)], 'plugin = "grid";',
                                space=region)
    tap.check("a box that reaches over a boundary has one image, others have none", sorted(c[5] for c in cuboids if c[0] == BOX)
              == [1, 1, 2, 2, 3], [c for c in cuboids if c[0] == BOX])
    tap.check("across a periodic boundary a pair has a line at each side, and is a contact", pairs == {(1, 2): [1, 1]}, pairs)
    ends = sorted(sorted(round(p[0], 9) for p in parts["candidates"]["Points"][2 * k:2 * k + 2]) for k in range(2))
    tap.check("each from a body to the image of the other", ends == [[-0.002, 0.004], [0.098, 0.104]], ends)
    _, pairs, _ = vtk(top, [((0.004, 0.004), 0.005), ((0.098, 0.004), 0.005)], 'plugin = "grid";', space=region)
    tap.check("in a corner too, and no line between two images", pairs == {(1, 2): [1, 1]}, pairs)


def count(rows, seen):
    return sum(seen(p) for row in rows for p in row)


def is_red(p):
    return p[0] > 190 and p[1] < 70 and p[2] < 70


def is_grey(p):
    return max(p[:3]) - min(p[:3]) < 12 and 100 < p[0] < 160


def is_blue(p):
    return p[2] > p[0] + 60 and p[2] > p[1] + 20


def test_picture(top):
    three = [((0.0, 0.0), 0.01), ((0.0195, 0.0), 0.01), ((0.0, 0.021), 0.01)]

    def picture(detection, bodies=three):
        result = run(top, scene(bodies, f'look = {{ plugin = "image"; {PLAIN} {detection} }};'))
        if result.returncode:
            raise RuntimeError(result.stderr)
        return read_png(top / "out" / "frame-00000.png")[2]

    counts = {}
    for lines in ("contacts", "candidates", "cells", "boxes", "extents"):
        rows = picture(f'detection = {{ plugin = "grid"; }}; lines = "{lines}";')
        counts[lines] = [count(rows, seen) for seen in (is_red, is_grey, is_blue)]
    plain = picture("")
    none = [count(plain, seen) for seen in (is_red, is_grey, is_blue)]
    tap.check("contacts are red", counts["contacts"][0] > 200 and counts["candidates"][0] == counts["cells"][0] == none[0] == 0, counts)
    tap.check("candidates are grey", counts["candidates"][1] > none[1] + 100, (counts, none))
    tap.check("cells are blue", counts["cells"][2] > 300 and counts["contacts"][2] == counts["candidates"][2] == none[2] == 0, counts)
    tap.check("boxes and extents are drawn", all(picture(f'detection = {{ plugin = "grid"; }}; lines = "{lines}";') != plain
                                                 for lines in ("boxes", "extents")), counts)
    solid = scene([((0.0, 0.0, 0.0), 0.01), ((0.0195, 0.0, 0.0), 0.01)],
                  f'look = {{ plugin = "image"; {PLAIN} detection = {{ plugin = "grid"; }}; direction = (0.0, -1.0, 0.0); up = (0.0, 0.0, 1.0); }};', 3)
    if run(top, solid).returncode:
        raise RuntimeError("no picture in 3D")
    tap.check("3D: contacts are drawn over bodies", count(read_png(top / "out" / "frame-00000.png")[2], is_red) > 100, None)
    apart = picture('detection = { plugin = "grid"; }; extent = 0.002;', [((0.0, 0.0), 0.01), ((0.0201, 0.0), 0.01)])
    tap.check("two that do not touch are a candidate, and no contact", count(apart, is_red) == 0 and count(apart, is_grey) > 100, None)
    far = picture('detection = { plugin = "grid"; }; extent = 0.0;', [((0.0, 0.0), 0.01), ((0.0201, 0.0), 0.01)])
    tap.check("without an extent they are neither", count(far, is_grey) < count(apart, is_grey) - 100, None)


def test_again(top):
    """The second disc flies off, so that the camera of the last picture is another one: the first is drawn again, with its lines."""
    text = scene([((0.0, 0.0), 0.01), ((0.0195, 0.0), 0.01)],
                 f'look = {{ plugin = "image"; {PLAIN.replace("none", "speed")} detection = {{ plugin = "bvh"; }}; every_steps = 200; }};')
    (top / "s.cfg").write_text(text.replace("1.0e-6", "1.0e-5").replace("(0.0195, 0.0)", "(0.0195, 0.0); velocity = (9.0, 0.0)"))
    result = scree(top, "run", "s.cfg", "-q", "-o", "again", "--steps", "400")
    pictures = sorted((top / "again").glob("frame-*.png"))
    reds = [count(read_png(path)[2], is_red) for path in pictures]
    tap.check("pictures that are drawn again keep their lines", result.returncode == 0 and len(reds) == 3 and reds[0] > 100
              and reds[2] == 0, (reds, result))


def test_mistakes(top):
    for observer, words in (
            ('plugin = "image"; lines = "cells";', "`lines` and `extent` go with `detection`"),
            ('plugin = "image"; detection = { plugin = "grid"; }; lines = ("cells", "walls");',
             'lines: expected boxes, extents, cells, candidates or contacts, got "walls"'),
            ('plugin = "vtk"; extent = 0.1;', "`extent` goes with `detection`"),
            ('plugin = "vtk"; detection = { plugin = "gird"; };', "gird")):
        result = run(top, scene([((0.0, 0.0), 0.01)], f"o = {{ {observer} }};"))
        tap.check(f"{words[:40]}: a mistake of the scene", result.returncode == 2 and words in result.stderr, result)


tap.in_folder(test_boxes, test_solid, test_parts, test_walls, test_images, test_picture, test_again, test_mistakes)
