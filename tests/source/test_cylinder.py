# SPDX-License-Identifier: Apache-2.0
"""Bodies made in a cylinder with any axis, with and without a hole: inside, uniform, as many as asked for; and in
regions wider than the period of space.

usage: test_cylinder.py SCREE
"""
import math

import runs
import tap
from vectors import turned

FROM, TO, RADIUS, INNER = (0.3, -0.2, 0.1), (0.9, 0.4, 0.8), 0.25, 0.1
AXIS = [b - a for a, b in zip(FROM, TO)]
LENGTH = math.sqrt(sum(a * a for a in AXIS))
BRICK = [(x, y, z) for x in (-0.02, 0.02) for y in (-0.015, 0.015) for z in (-0.01, 0.01)]
SCENE = """scene = { dt = 1e-6; };
materials = { glass = { density = 2500.0; }; };
shapes = { grain = { type = "clump"; balls = ((-0.02, 0.0, 0.0, 0.012), (0.0, 0.0, 0.0, 0.02), (0.02, 0.01, 0.0, 0.01)); };
           brick = { type = "polyhedron"; points = (%s); }; };
resolvers = ( { plugin = "sphere"; }, { plugin = "gjk"; } );
%s
    region = { type = "cylinder"; from = (0.3, -0.2, 0.1); to = (0.9, 0.4, 0.8); %s }; }; };
force = ( { plugin = "linear"; kn = 1e4; restitution = 0.5; friction = 0.3; } );
observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; }; };
""" % (", ".join(map(str, BRICK)), "%s", "%s")
WIDE = """scene = { dt = 1e-6; boundary = ("periodic", "open", "open");
  region = { min = (0.45, 0.0, 0.0); max = (0.85, 1.0, 1.0); }; };
materials = { glass = { density = 2500.0; }; };
generate = { made = { radius = 0.05; %s region = { %s }; }; };
force = ( { plugin = "linear"; kn = 1e4; restitution = 0.5; friction = 0.3; } );
observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; }; };
"""
BALLS = 'radius = 0.002;'
INSERT = 'modifiers = { made = { plugin = "insert"; number = 1500; body = { radius = 0.002; };'
GRAINS = 'shape = "grain"; orientation = "random";'
BRICKS = 'shape = "brick"; orientation = "random";'


def scree(top, body, region, *args):
    group = body if body.startswith("modifiers") else "generate = { made = { " + body
    (top / "s.cfg").write_text(SCENE % (group, region))
    return runs.scree(top, *args)


def made(top, body, inner=INNER, command=("--steps=0",)):
    folder = top / f"out{len(list(top.glob('out*')))}"
    seen = scree(top, body, f"radius = {RADIUS}; inner = {inner};", "run", "s.cfg", *command, "-q", "-o", str(folder))
    if seen.returncode:
        raise RuntimeError(f"{body}: {seen.stderr}")
    return [{k: float(v) for k, v in row.items() if k not in ("name", "shape_name")} for row in runs.read_table(folder / "all.csv")]


def place(x):
    """Distance from `from` along the axis, and from the axis."""
    d = [a - b for a, b in zip(x, FROM)]
    along = sum(a * b for a, b in zip(d, AXIS)) / LENGTH
    return along, math.sqrt(max(0.0, sum(a * a for a in d) - along * along))


def room(points, inner):
    """Least distance of balls (x, y, z, r) from the surface of the cylinder and of its hole; below 0: outside."""
    least = math.inf
    for *x, r in points:
        along, off = place(x)
        least = min(least, along - r, LENGTH - along - r, RADIUS - off - r, off - r - inner if inner else math.inf)
    return least


def centre(row):
    return [row[k] for k in "xyz"]


def inside(rows, inner=INNER):
    return min(room([(*centre(row), row["radius"])], inner) for row in rows)


def corners(row):
    """Corners of a brick, whose own axes are the principal ones, in their order."""
    q = [row[k] for k in ("qw", "qx", "qy", "qz")]
    return [[a + b for a, b in zip(centre(row), turned(q, corner))] for corner in BRICK]


def ks(values):
    """Largest distance of values in [0, 1] from the uniform distribution, times the root of their number."""
    values, n = sorted(values), len(values)
    return max(max((k + 1) / n - v, v - k / n) for k, v in enumerate(values)) * math.sqrt(n)


def check_uniform(top):
    """Fixed seeds; 1.63: a uniform sample is farther away in one of a hundred. Balls fill 1e-4 of the space."""
    for inner in (0.0, INNER):
        rows = made(top, f'plugin = "random"; count = 1500; {BALLS}', inner)
        at = [place(centre(row)) for row in rows]
        lo, hi = (inner + 0.002 if inner else 0.0)**2, (RADIUS - 0.002)**2
        square = ks([(off * off - lo) / (hi - lo) for _, off in at])
        length = ks([(along - 0.002) / (LENGTH - 0.004) for along, _ in at])
        tap.check(f"random balls, hole {inner} m: uniform in r^2 and along the axis, not in r",
                  square < 1.63 and length < 1.63 < ks([(off - math.sqrt(lo)) / (math.sqrt(hi) - math.sqrt(lo)) for _, off in at]),
                  (square, length))
        tap.check(f"random balls, hole {inner} m: all are inside", len(rows) == 1500 and inside(rows, inner) > -1e-12)


def check_fraction(top):
    volume = math.pi * (RADIUS**2 - INNER**2) * LENGTH
    for what, body in (("balls", "radius = 0.015;"), ("clumps", GRAINS), ("solids", BRICKS)):
        rows = made(top, f'plugin = "random"; fraction = 0.1; {body}')
        one = rows[0]["volume"]
        off = abs(len(rows) * one / volume - 0.1)
        tap.check(f"random {what}: the fraction is reached to half a body of the hollow cylinder", off <= 0.5 * one / volume, off)
        tap.check(f"random {what}: all are inside with the balls that hold them", inside(rows) > -1e-12, inside(rows))
        if what == "solids":
            real = min(room([(*corner, 0.0) for corner in corners(row)], INNER) for row in rows)
            tap.check("the corners of the solids are inside, farther than those balls", real > max(0.0, inside(rows)), real)


def check_lattice(top):
    side = 0.02
    rows = made(top, f'plugin = "lattice"; radius = {side / 2};')
    sites = math.pi * ((RADIUS - side / 2)**2 - (INNER + side / 2)**2) * (LENGTH - side) / side**3
    tap.check("a cubic lattice fills the sites that hold whole balls", abs(len(rows) / sites - 1.0) < 0.05, (len(rows), sites))
    tap.check("all of them are inside", inside(rows) > -1e-9, inside(rows))
    rows = made(top, f'plugin = "lattice"; lattice = "hexagonal"; spacing = 0.066; {GRAINS}')
    tap.check("clumps on a lattice are inside", len(rows) > 20 and inside(rows) > -1e-9, (len(rows), inside(rows)))


def check_insert(top):
    rows = made(top, INSERT, command=("--steps=1",))
    at = [place(centre(row))[1]**2 for row in rows]
    lo, hi = (INNER + 0.002)**2, (RADIUS - 0.002)**2
    square = ks([(off - lo) / (hi - lo) for off in at])
    tap.check("balls that a modifier inserts are inside and uniform in r^2", len(rows) == 1500 and inside(rows) > -1e-12
              and square < 1.63, (len(rows), square))


def check_period(top):
    """Space repeats every 0.4 m along x; regions are 0.9 m and 0.55 m wide."""
    for name, region in (("a ball", 'type = "sphere"; centre = (0.65, 0.5, 0.5); radius = 0.45;'),
                         ("a box", "min = (0.4, 0.0, 0.0); max = (0.95, 1.0, 1.0);")):
        for source in ('plugin = "lattice";', 'plugin = "lattice"; lattice = "hexagonal"; jitter = 0.5; spacing = 0.12;',
                       'plugin = "random"; count = 60;'):
            (top / "wide.cfg").write_text(WIDE % (source, region))
            folder = top / f"out{len(list(top.glob('out*')))}"
            seen = runs.scree(top, "run", "wide.cfg", "--steps=0", "-q", "-o", str(folder))
            rows = runs.read_table(folder / "all.csv") if seen.returncode == 0 else []
            points = [[float(row[k]) for k in "xyz"] for row in rows]
            least = min((math.dist((0.0, *p[1:]), ((p[0] - q[0] + 0.2) % 0.4 - 0.2, *q[1:]))
                         for n, p in enumerate(points) for q in points[:n]), default=0.0)
            tap.check(f"bodies in {name} wider than the period do not overlap images: {source}",
                      len(points) > 15 and least > 0.1 * (1.0 - 1e-9), (len(points), least, seen.stderr))


def check_refused(top):
    ball = 'plugin = "random"; count = 3; radius = 0.01;'
    for what, body, region, words in (
            ("a hole as wide as the cylinder", ball, "radius = 0.25; inner = 0.25;",
             ("s.cfg:7", "inner", "expected 0 <= inner < radius, 0.25 m, got 0.25 m")),
            ("a hole of negative radius", ball, "radius = 0.25; inner = -0.1;", ("s.cfg:7", "inner", ">= 0", "-0.1")),
            ("a body larger than the gap", 'plugin = "random"; count = 3; radius = 0.08;', "radius = 0.25; inner = 0.1;",
             ("s.cfg:6", "radius 0.08 m", "between the radii 0.1 m and 0.25 m")),
            ("a lattice of such bodies", 'plugin = "lattice"; radius = 0.08;', "radius = 0.25; inner = 0.1;",
             ("s.cfg:6", "between the radii 0.1 m and 0.25 m")),
            ("a hole in a ball", ball, "radius = 0.25; inner = 0.1; centre = (0.0, 0.0, 0.0);", ("s.cfg:7", "centre")),
            ("more than there is room for", 'plugin = "random"; fraction = 0.7; tries = 100; radius = 0.02;',
             "radius = 0.25; inner = 0.1;", ("s.cfg:6", "are placed, solid fraction 0."))):
        seen = scree(top, body, region, "validate", "s.cfg")
        tap.check(f"{what} is refused", seen.returncode == 2 and all(word in seen.stderr for word in words), seen.stderr)


tap.in_folder(check_uniform, check_fraction, check_lattice, check_insert, check_period, check_refused)
