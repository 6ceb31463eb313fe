# SPDX-License-Identifier: Apache-2.0
"""Bodies that deposit themselves: the walk of a lone body, and packings without an overlap, of any shape.

usage: test_packing.py SCREE

The overlaps are found here, not by the program: distances of balls, separating axes of polygons, the contact function
of Perram and Wertheim (J. Comput. Phys. 58 (1985) 409) of ellipsoids.
"""
import itertools
import math
import re
import shutil

import runs
import tap
from runs import read_table, scree
from vectors import dot, norm, turned

WATCH = 'observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; }; };'
SCENE = """scene = { dimension = %d; dt = 1e-6; seed = %d; gravity = (%s); region = { min = (%s); max = (%s); }; boundary = (%s); };
materials = { glass = { density = 2500.0; }; };
%s
generate = { grains = { plugin = "packing"; material = "glass"; %s }; };
"""


def scene(body, rest="", dimension=3, seed=1, low=0.0, high=0.1, repeats=""):
    gravity = "0.0, -9.81" if dimension == 2 else "0.0, 0.0, -9.81"
    sides = [", ".join([repr(side)] * dimension) for side in (low, high)]
    boundary = ", ".join('"periodic"' if axis in repeats else '"open"' for axis in "xyz"[:dimension])
    return SCENE % (dimension, seed, gravity, *sides, boundary, rest, body) + WATCH


def run_scene(top, text, *words):
    """The JSON of a run, whose output is in top/run."""
    shutil.rmtree(top / "run", ignore_errors=True)
    return runs.run(top, text, *words)


def pack(top, text, *words):
    """Numbers of each grain after no step, by id."""
    run_scene(top, text, "--steps=0", *words)
    rows = [row for row in read_table(top / "run/all.csv") if row["name"] == "grains"]
    return sorted(({k: float(v) for k, v in row.items() if k not in ("name", "shape_name")} for row in rows), key=lambda r: r["id"])


def place(row):
    return tuple(row[k] for k in "xyz")


def turn_of(row):
    return tuple(row[k] for k in ("qw", "qx", "qy", "qz"))


def nearest(a, b, repeats, side=0.1):
    """The difference b - a at the nearest image."""
    d = [q - p for p, q in zip(place(a), place(b))]
    for k, axis in enumerate("xyz"):
        if axis in repeats:
            d[k] -= side * round(d[k] / side)
    return tuple(d)


def least_gap(rows, gap):
    return min((gap(a, b) for a, b in itertools.combinations(rows, 2)), default=math.inf)


def ball_gap(repeats):
    return lambda a, b: norm(nearest(a, b, repeats)) - a["radius"] - b["radius"]


def test_walk(top):
    """10 000 lone walkers, of which none meets another: mean -D B t, variance 2 D t, within 3 sigma."""
    diffusion, bias, tau, n = (1e-4, 2e-4, 5e-5), (10.0, -20.0, 0.0), 0.5, 10000
    body = (f'count = {n}; radius = 0.001; entry = {{ min = (20, 20, 20); max = (80, 80, 80); }}; '
            f'diffusion = {diffusion}; bias = {bias}; tau = {tau};')
    walks = {u: pack(top, scene(f"{body} updates = {u};", low=0.0, high=100.0)) for u in (1, 26, 101)}
    tap.check("all walkers enter in the first update", len(walks[1]) == n, len(walks[1]))
    for updates in (26, 101):
        time = tau * (updates - 1)
        for k, axis in enumerate("xyz"):
            way = [b[axis] - a[axis] for a, b in zip(walks[1], walks[updates])]
            mean = sum(way) / n
            variance = sum((w - mean) ** 2 for w in way) / (n - 1)
            want = -diffusion[k] * bias[k] * time, 2.0 * diffusion[k] * time
            tap.check(f"after {time} s lone walkers have the mean -D B t along {axis}, within 3 sigma",
                      abs(mean - want[0]) < 3.0 * math.sqrt(want[1] / n), (mean, want[0], math.sqrt(want[1] / n)))
            tap.check(f"after {time} s lone walkers have the variance 2 D t along {axis}, within 3 sigma",
                      abs(variance / want[1] - 1.0) < 3.0 * math.sqrt(2.0 / (n - 1)), (variance, want[1]))


def test_turns(top):
    """In 2D a lone body turns by an angle with the variance 2 D_r t; (1 + cos) / 2 stays a small-angle test in 3D."""
    n, turning = 4000, 2e-5
    shape = 'shapes = { bar = { type = "polygon"; vertices = ((-0.001, -0.0002), (0.001, -0.0002), (0.001, 0.0002), (-0.001, 0.0002)); }; };\n' \
            'resolvers = ( { plugin = "closest_feature"; contact = "distance"; } ); force = ( { plugin = "linear"; kn = 1e4; } );'
    body = f'count = {n}; shape = "bar"; turning = {turning}; diffusion = 0.0;'
    rows = pack(top, scene(f"{body} updates = 101;", shape, dimension=2, high=100.0))
    angles = [2.0 * math.atan2(row["qz"], row["qw"]) for row in rows]
    variance = sum(a * a for a in angles) / n
    tap.check("lone bodies turn with the variance 2 D t about the axis of the plane",
              abs(variance / (2.0 * turning * 100.0) - 1.0) < 3.0 * math.sqrt(2.0 / n), variance)
    shape = 'shapes = { egg = { type = "superquadric"; axes = (0.001, 0.002, 0.003); }; };\n' \
            'resolvers = ( { plugin = "gjk"; } ); force = ( { plugin = "linear"; kn = 1e4; } );'
    rows = pack(top, scene(f'count = {n}; shape = "egg"; turning = {turning}; diffusion = 0.0; updates = 101;', shape, high=100.0))
    starts = pack(top, scene(f'count = {n}; shape = "egg"; turning = {turning}; diffusion = 0.0; updates = 1;', shape, high=100.0))
    ways = []
    for a, b in zip(starts, rows):  # small rotations: the vector of the turn is 2 (x, y, z) of b conj(a)
        p, q = turn_of(a), turn_of(b)
        ways.append([2.0 * (-q[0] * p[k] + q[k] * p[0] - (q[1 + k % 3] * p[1 + (k + 1) % 3] - q[1 + (k + 1) % 3] * p[1 + k % 3]))
                     for k in (1, 2, 3)])
    for k, axis in enumerate("xyz"):
        variance = sum(w[k] ** 2 for w in ways) / n
        tap.check(f"in 3D with the same variance about {axis}",
                  abs(variance / (2.0 * turning * 100.0) - 1.0) < 3.0 * math.sqrt(2.0 / n) + 0.005, variance)


SIZES = 'distribution = { type = "uniform"; min = "3 mm"; max = "6 mm"; };'
FLAT_SIZES = 'distribution = { type = "uniform"; min = "1.5 mm"; max = "4 mm"; };'


def test_overlaps(top):
    for dimension, sizes, repeats, fraction in ((3, SIZES, "", 0.3), (3, SIZES, "xy", 0.36), (3, SIZES, "xyz", 0.3),
                                                (2, FLAT_SIZES, "", 0.5), (2, FLAT_SIZES, "x", 0.55)):
        name = f"{dimension}D, periodic along {repeats or 'no axis'}"
        heights = []
        for updates in (9, 10, 60, 300):
            body = f"fraction = {fraction}; {sizes} updates = {updates};"
            if updates < 300:
                body = body.replace(f"{fraction}", "0.2")
            rows = pack(top, scene(body, dimension=dimension, repeats=repeats))
            gap = least_gap(rows, ball_gap(repeats))
            tap.check(f"{name}: no overlap after {updates} updates", gap > -1e-11 and len(rows) > 40, (gap, len(rows)))
            up = "y" if dimension == 2 else "z"
            inside = all(row["radius"] - 1e-12 <= row[axis] <= 0.1 - row["radius"] + 1e-12 for row in rows
                         for axis in "xyz"[:dimension] if axis not in repeats)
            tap.check(f"{name}: all in the region after {updates} updates", inside
                      and all(0.0 <= row[axis] < 0.1 for row in rows for axis in repeats))
            heights.append(sum(row[up] for row in rows) / len(rows))
        if "z" not in repeats:
            tap.check(f"{name}: bodies sink", heights[2] < heights[1] - 1e-4, heights)


def test_mixture(top):
    """Balls of very different sizes are in several grids."""
    sizes = 'distribution = { type = "lognormal"; median = "1.5 mm"; sigma = 0.7; min = "0.7 mm"; max = "12 mm"; };'
    rows = pack(top, scene(f"count = 1500; {sizes} updates = 60;", repeats="xy"))
    radii = [row["radius"] for row in rows]
    gap = least_gap(rows, ball_gap("xy"))
    tap.check("no overlap in a mixture of sizes of one to ten", gap > -1e-11 and max(radii) > 10.0 * min(radii), (gap, min(radii), max(radii)))


def test_narrow(top):
    """In a narrow cell a long step comes near second images; a region may cross a border of the cell."""
    for name, more in (("by default", ""), ("with a long drift", "diffusion = 1.0; bias = 1.0;")):
        rows = pack(top, scene(f'count = 20; radius = "11 mm"; updates = 30; {more}', repeats="xyz"))
        gap = least_gap(rows, ball_gap("xyz"))
        tap.check(f"no overlap in a cell of nine radii, {name}", gap > -1e-11 and len(rows) == 20, (gap, len(rows)))
    text = scene('count = 60; radius = "5 mm"; updates = 40; region = { min = (-0.03, 0.0, 0.0); max = (0.05, 0.1, 0.1); };', repeats="x")
    rows = pack(top, text)
    gap = least_gap(rows, ball_gap("x"))
    tap.check("no overlap in a region across a border of the cell", gap > -1e-11 and len(rows) == 60, (gap, len(rows)))


def test_order(top):
    """Balls that move one after the other pack in few updates what balls that move at once do not."""
    beds = {}
    for printed in ("false", "true"):
        text = scene(f'count = 500; radius = "4 mm"; updates = 60; as_printed = {printed};')
        rows = pack(top, text)
        beds[printed] = 450 * 4.0 / 3.0 * math.pi * 0.004 ** 3 / 0.01 / sorted(row["z"] for row in rows)[449]
        gap = least_gap(rows, ball_gap(""))
        tap.check(f"as_printed = {printed}: no overlap", gap > -1e-11, gap)
        seen = scree(top, "run", "s.cfg", "--steps=0", "--set", f"generate.grains.as_printed={printed}", "-o", f"said-{printed}")
        tap.check(f"as_printed = {printed}: the source says how dense the bed is",
                  f"500 of 500 bodies in 60 updates: they fill 0.134 of the region, {beds[printed]:.3f} of the lower" in seen.stderr, seen.stderr)
    tap.check("one after the other 60 updates make a dense bed, all at once a loose one", beds["false"] > 0.5 and beds["true"] < 0.45, beds)


def test_walls(top):
    """A box of facets in a larger region: nothing gets through its walls, thin bodies neither."""
    box = 'shapes = { box = { type = "box"; size = (0.06, 0.06, 0.1); open = ["top"]; };\n %s };' \
          'bodies = { box = { shape = "box"; material = "glass"; position = (0.0, 0.0, 0.05); }; };'
    entry = 'entry = { min = (-0.027, -0.027, 0.03); max = (0.027, 0.027, 0.09); };'
    rows = pack(top, scene(f'count = 300; radius = "2.5 mm"; {entry} updates = 250; turning = 0.3;', box % "", low=-0.1, high=0.1))
    walls = [min(0.03 - abs(row["x"]), 0.03 - abs(row["y"]), row["z"]) - row["radius"] for row in rows]
    tap.check("balls stay behind walls of facets, and touch them", len(rows) == 300 and -1e-11 < min(walls) < 1e-3, min(walls))
    lens = 'lens = { type = "superquadric"; axes = (0.005, 0.005, 0.001); };'
    rest = 'resolvers = ( { plugin = "gjk"; } ); force = ( { plugin = "linear"; kn = 1e4; } );'
    rows = pack(top, scene(f'count = 60; shape = "lens"; orientation = "random"; {entry} updates = 120; diffusion = 2e-5; '
                           'bias = (0.0, 0.0, 300.0);', box % lens + rest, low=-0.1, high=0.1))
    walls = [min(0.03 - abs(row["x"]), 0.03 - abs(row["y"]), row["z"]) for row in rows]
    tap.check("thin bodies with long increments stay behind them too", len(rows) == 60 and min(walls) > 0.0, min(walls))


LAW = 'force = ( { plugin = "linear"; kn = 1e4; } );\n'


def overlaps(top, text, *words):
    """Bodies, and depths of the contacts that the engine finds at the start."""
    rows = pack(top, text, *words, "--set", 'observers.touch={plugin="csv"; what="contacts"; file="touch";}')
    return rows, [float(row["depth"]) for row in read_table(top / "run/touch.csv")]


def test_clumps(top):
    shape = ('shapes = { jack = { type = "clump"; balls = ((-0.003, 0.0, 0.0, 0.003), (0.0015, 0.0, 0.0, 0.002), (-0.001, 0.003, 0.0, 0.0025)); '
             '}; };' + LAW)
    for repeats in ("", "xy"):
        rows, depths = overlaps(top, scene('fraction = 0.2; shape = "jack"; orientation = "random"; updates = 150;', shape, repeats=repeats))
        tap.check(f"clumps, periodic along {repeats or 'no axis'}: no overlap", len(rows) > 90 and max(depths, default=0.0) < 1e-11,
                  (len(rows), depths))


AXES = (0.01, 0.007, 0.005)


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return [[x / det for x in row] for row in ((e * i - f * h, c * h - b * i, b * f - c * e), (f * g - d * i, a * i - c * g, c * d - a * f),
                                               (d * h - e * g, b * g - a * h, a * e - b * d))]


def squares(row):
    """Sum of the squares of the semi-axes times their directions."""
    axes = [turned(turn_of(row), tuple(float(j == k) for j in range(3))) for k in range(3)]
    size = row["radius"] / max(AXES)
    return [[sum((size * AXES[k]) ** 2 * axes[k][i] * axes[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def ellipsoids_apart(a, b, d):
    """Max over l of l (1 - l) d [(1 - l) A + l B]^-1 d: 1 or more: apart."""
    def value(l):
        m = inverse([[(1.0 - l) * a[i][j] + l * b[i][j] for j in range(3)] for i in range(3)])
        return l * (1.0 - l) * dot(d, [dot(row, d) for row in m])
    low, high, ratio = 0.0, 1.0, (math.sqrt(5.0) - 1.0) / 2.0
    for _ in range(60):
        p, q = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (p, high) if value(p) < value(q) else (low, q)
    return value(0.5 * (low + high))


def test_ellipsoids(top):
    shape = 'shapes = { egg = { type = "superquadric"; axes = (%r, %r, %r); }; };\n' % AXES + 'resolvers = ( { plugin = "gjk"; } );' + LAW
    for repeats in ("", "xy"):
        rows = pack(top, scene('fraction = 0.22; shape = "egg"; orientation = "random"; updates = 80;', shape, repeats=repeats))
        forms = [squares(row) for row in rows]
        least, near = math.inf, 0
        for i, j in itertools.combinations(range(len(rows)), 2):
            d = nearest(rows[i], rows[j], repeats)
            if norm(d) < 2.0 * max(AXES):
                least = min(least, ellipsoids_apart(forms[i], forms[j], d))
                near += 1
        tap.check(f"ellipsoids, periodic along {repeats or 'no axis'}: no overlap", near > 100 and least > 1.0 - 1e-6, (near, least))


CORNERS = ((-0.004, -0.002), (0.004, -0.002), (0.003, 0.002), (-0.002, 0.003))


def test_polygons(top):
    shape = ('shapes = { stone = { type = "polygon"; vertices = (%s); }; };\nresolvers = ( { plugin = "closest_feature"; contact = "distance"; } );'
             % ", ".join(map(str, CORNERS)) + LAW)
    rows, depths = overlaps(top, scene('fraction = 0.55; shape = "stone"; orientation = "random"; updates = 400;', shape, dimension=2))
    tap.check("polygons: the engine finds no overlap", len(rows) > 100 and max(depths, default=0.0) < 1e-11, (len(rows), depths))
    area = sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(CORNERS, CORNERS[1:] + CORNERS[:1])) / 2.0
    tap.check("polygons: they have the asked solid fraction", abs(len(rows) * area / 0.01 - 0.55) < area / 0.01, len(rows))
    middle = [sum((p[k] + q[k]) * (p[0] * q[1] - p[1] * q[0]) for p, q in zip(CORNERS, CORNERS[1:] + CORNERS[:1])) / 6.0 / area for k in (0, 1)]
    outlines = [[tuple(a + b for a, b in zip(place(row), turned(turn_of(row), (x - middle[0], y - middle[1], 0.0)))) for x, y in CORNERS]
                for row in rows]
    least = min(apart(a, b) for a, b in itertools.combinations(outlines, 2))
    tap.check("polygons: a line parts each two of them", least > -1e-11, least)


def apart(a, b):
    """The widest gap between two convex outlines along a normal of a side; below 0: they overlap."""
    widest = -math.inf
    for one, other in ((a, b), (b, a)):
        for p, q in zip(one, one[1:] + one[:1]):
            normal = (q[1] - p[1], p[0] - q[0])
            gap = min(normal[0] * (r[0] - p[0]) + normal[1] * (r[1] - p[1]) for r in other) / math.hypot(*normal)
            widest = max(widest, gap)
    return widest


def test_same(top):
    """The state depends neither on the contact detection nor on the threads."""
    for dimension, repeats, body in ((3, "xy", f"fraction = 0.25; {SIZES} updates = 80;"), (2, "", f"fraction = 0.4; {FLAT_SIZES} updates = 80;")):
        text = scene(body, dimension=dimension, repeats=repeats)
        hashes = {}
        for gcd in ("hgrid", "grid", "bvh", "dess", "pairing", "rtree", "sap_simd"):
            hashes[gcd] = run_scene(top, text, "--steps=0", "--set", f'query.gcd.plugin="{gcd}"', "--set", f'gcd.plugin="{gcd}"')["state_sha256"]
        for threads in (2, 3):
            hashes[threads] = run_scene(top, text, "--steps=0", "--threads", threads, "--oversubscribe")["state_sha256"]
        tap.check(f"{dimension}D: one state for any contact detection and any number of threads", len(set(hashes.values())) == 1, hashes)
        other = run_scene(top, text.replace("seed = 1", "seed = 2"), "--steps=0")["state_sha256"]
        tap.check(f"{dimension}D: another seed, another packing", other != hashes["grid"])


def test_dense(top):
    """Updates compact: more of them, a denser bed; with `rest` they end by themselves."""
    tops = []
    for updates in (60, 120, 240, 480):
        rows = pack(top, scene(f'count = 500; radius = "4 mm"; updates = {updates};'))
        heights = sorted(row["z"] for row in rows)
        tops.append(heights[450])
    filled = 450 * 4.0 / 3.0 * math.pi * 0.004 ** 3 / 0.01
    tap.check("a bed gets denser with each update", all(b < a for a, b in zip(tops, tops[1:])) and filled / tops[-1] > 0.47,
              [filled / h for h in tops])
    text = scene('count = 500; radius = "4 mm"; updates = 100000; rest = 2e-3;')
    rows = pack(top, text)
    seen = scree(top, "run", "s.cfg", "--steps=0", "-o", "rested")
    updates = re.search(r"500 of 500 bodies in (\d+) updates", seen.stderr)
    tap.check("with `rest` the updates end when bodies stop advancing", len(rows) == 500 and updates and int(updates[1]) < 100000, seen.stderr)


def test_insert(top):
    """A modifier owns the source: a second load deposits itself onto the first one."""
    text = scene('count = 100; radius = "4 mm"; updates = 60;') + """modifiers = { more = { plugin = "insert"; every_steps = 5; number = 60;
      source = { plugin = "packing"; count = 30; radius = "4 mm"; updates = 40; material = "glass"; }; }; };
      force = ( { plugin = "linear"; kn = 1e3; } );"""
    found = run_scene(top, text, "--steps=12")
    rows = [{k: float(v) for k, v in row.items() if k != "name"} for row in read_table(top / "run/all.csv") if row["step"] == "12"]
    tap.check("in a run the source adds bodies to those that are there", len(rows) == 160, (len(rows), found["state_sha256"]))
    gap = least_gap(rows, ball_gap(""))
    tap.check("and makes no overlap with them", gap > -1e-6, gap)
    again = run_scene(top, text, "--steps=12", "--threads=3", "--oversubscribe", "--set", 'query.gcd.plugin="dess"')
    tap.check("the same ones with other threads", again["state_sha256"] == found["state_sha256"])


def test_refused(top):
    for name, body, want in (
            ("more bodies than room", 'count = 2200; radius = "4 mm"; updates = 50;', "bodies have entered in 50 updates, solid fraction 0."),
            ("more than the region", 'count = 5000; radius = "4 mm";', "have the volume of the region"),
            ("a body that does not fit", 'count = 1; radius = "60 mm";', "does not fit into the region"),
            ("two numbers in 3D", 'count = 1; radius = "4 mm"; bias = (1.0, 2.0);', "bias: expected 1 or 3 numbers, got 2"),
            ("no number of bodies", 'radius = "4 mm";', "count or fraction is missing"),
            ("a number below 0", 'count = -5; radius = "4 mm";', "expected 0 <= value <= 100000000"),
            ("-1", 'count = -1; radius = "4 mm";', "count: expected 0 <= value <= 100000000"),
            ("tau 0", 'count = 1; radius = "4 mm"; tau = 0.0;', "tau"),
            ("shortest above 1", 'count = 1; radius = "4 mm"; shortest = 1.5;', "shortest"),
            ("D below 0", 'count = 1; radius = "4 mm"; diffusion = -1e-3;', "diffusion")):
        (top / "s.cfg").write_text(scene(body))
        seen = scree(top, "run", "s.cfg", "-q", "--steps=0")
        tap.check(f"refused with a text: {name}", seen.returncode == 2 and want in seen.stderr, seen.stderr)


def run(top):
    for test in (test_walk, test_turns, test_overlaps, test_mixture, test_narrow, test_order, test_walls, test_clumps, test_ellipsoids, test_polygons, test_same, test_dense,
                 test_insert, test_refused):
        test(top)


tap.in_folder(run)
