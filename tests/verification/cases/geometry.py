# SPDX-License-Identifier: Apache-2.0
"""Cases of resolver/sphere: depth, normal and point of contacts, next to geometry done by the case."""
import math
import random

from tools import ball, scene, vector
from verify import case
from vectors import dot, norm

ROUNDING = "absolute, in m and of unit normals: rounding at coordinates of 1 m"


def contacts(bench, bodies, shapes="", dimension=3, more=""):
    """The contacts of the first state: nothing moves, the spring is weak."""
    text = scene(1e-9, bodies, '{ plugin = "linear"; kn = 1e-6; }', steps=1, every=1, what=("contacts",), shapes=shapes)
    text = text.replace("scene = {", f"scene = {{ dimension = {dimension}; {more}", 1)
    if dimension == 2:
        text = text.replace("gravity = (0.0, 0.0, 0.0);", "")
    return [row for row in bench.run(text).csv("contacts") if row["step"] == 0]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def compare(found, want):
    """Largest differences of depth, normal, point between rows and {(a, b): (depth, normal, point)}; pairs that only one has."""
    got = {(int(row["a"]), int(row["b"])): row for row in found}
    both = set(got) & set(want)
    worst = [0.0, 0.0, 0.0]
    for key in both:
        row, (depth, normal, point) = got[key], want[key]
        n, x = [row[q] for q in ("nx", "ny", "nz")], [row[q] for q in "xyz"]
        for k, off in enumerate((abs(row["depth"] - depth), norm(sub(n, normal)), norm(sub(x, point)))):
            worst[k] = max(worst[k], off)
    return [("depth [m]", 0.0, worst[0]), ("normal [-]", 0.0, worst[1]), ("point [m]", 0.0, worst[2]),
            ("pairs that only one has", 0.0, float(len(set(got) ^ set(want)))), ("pairs (at least 50)", (50.0, 1e9), float(len(both)))]


def touch(a, r, b, r_b):
    """Depth, normal from a to b, point of two balls."""
    d = sub(b, a)
    length = norm(d)
    n = [x / length for x in d]
    depth = r + r_b - length
    return depth, n, [x + (r - 0.5 * depth) * y for x, y in zip(a, n)]


@case("resolver/sphere", "200 balls of many sizes at random places: all contacts", source="geometry; all pairs by brute force",
      formula="depth = ra + rb - |d|, n = d/|d|, point ra - depth/2 from a", tolerance=1e-14, why=ROUNDING)
def random_balls(bench):
    dice = random.Random(7)
    balls = [([dice.uniform(0, 1) for _ in range(3)], dice.uniform(0.02, 0.12)) for _ in range(200)]
    rows = contacts(bench, "".join(ball(f"b{k}", r, x, more=f"id = {k};") for k, (x, r) in enumerate(balls)))
    want = {(i, j): touch(*balls[i], *balls[j]) for j in range(200) for i in range(j)
            if norm(sub(balls[i][0], balls[j][0])) <= balls[i][1] + balls[j][1]}
    return compare(rows, want)


@case("resolver/sphere", "balls across periodic boundaries", source="geometry; 27 images by brute force", formula="as of two balls, b at its image",
      tolerance=1e-14, why=ROUNDING)
def periodic(bench):
    dice = random.Random(11)
    balls = [([dice.uniform(0, 1) for _ in range(3)], dice.uniform(0.03, 0.1)) for _ in range(100)]
    rows = contacts(bench, "".join(ball(f"b{k}", r, x, more=f"id = {k};") for k, (x, r) in enumerate(balls)),
                    more='region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); }; boundary = "periodic"; ')
    want = {}
    for j in range(100):
        for i in range(j):
            for image in [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]:
                there = [x + s for x, s in zip(balls[j][0], image)]
                if norm(sub(balls[i][0], there)) <= balls[i][1] + balls[j][1]:
                    want[i, j] = touch(*balls[i], there, balls[j][1])
    return compare(rows, want)


def nearest(p, a, b, c):
    """Nearest point of a triangle: the least of the face's foot, where inside, and the edges'."""
    n = [(b[(k + 1) % 3] - a[(k + 1) % 3]) * (c[(k + 2) % 3] - a[(k + 2) % 3]) -
         (b[(k + 2) % 3] - a[(k + 2) % 3]) * (c[(k + 1) % 3] - a[(k + 1) % 3]) for k in range(3)]
    length = norm(n)
    n = [x / length for x in n]
    foot = sub(p, [dot(sub(p, a), n) * x for x in n])
    inside = True
    best = None
    for q, s in ((a, b), (b, c), (c, a)):
        e = sub(s, q)
        across = [n[(k + 1) % 3] * e[(k + 2) % 3] - n[(k + 2) % 3] * e[(k + 1) % 3] for k in range(3)]
        inside = inside and dot(sub(foot, q), across) >= 0.0
        t = min(max(dot(sub(p, q), e) / dot(e, e), 0.0), 1.0)
        x = [u + t * v for u, v in zip(q, e)]
        if best is None or norm(sub(p, x)) < norm(sub(p, best)):
            best = x
    return foot if inside else best


@case("resolver/sphere", "balls on faces, edges and corners of 60 triangles", source="geometry; Ericson 2005, Real-Time Collision Detection, section 5.1.5",
      formula="nearest point of the triangle, found by the case over face and edges", tolerance=1e-13, why=ROUNDING + ", triangles with angles down to 20 degrees")
def triangles(bench):
    dice = random.Random(3)
    bodies, shapes, want = "", "", {}
    for k in range(60):  # each apart from the others: x grows by 3
        corners = [[dice.uniform(-0.5, 0.5) for _ in range(3)] for _ in range(3)]
        p = [dice.uniform(-0.7, 0.7) for _ in range(3)]
        q = nearest(p, *corners)
        r = norm(sub(p, q)) + dice.uniform(0.01, 0.1)
        shift = [3.0 * k - 90.0, 0.0, 0.0]
        shapes += f't{k} = {{ type = "mesh"; vertices = ({", ".join(vector(c) for c in corners)}); facets = ((0, 1, 2)); }};'
        bodies += ball(f"b{k}", r, [x + s for x, s in zip(p, shift)], more=f"id = {k};") + \
            f't{k} = {{ shape = "t{k}"; id = {100 + k}; position = {vector(shift)}; }};'
        d = sub(q, p)
        n = [x / norm(d) for x in d]
        depth = r - norm(d)
        want[k, 100 + k] = depth, n, [x + s + (r - 0.5 * depth) * y for x, s, y in zip(p, shift, n)]
    return compare(contacts(bench, bodies, shapes), want)


@case("resolver/sphere", "balls on tilted planes, discs on segments", source="geometry", formula="depth = r - distance; the foot's direction",
      tolerance=1e-14, why=ROUNDING)
def planes(bench):
    dice = random.Random(5)
    found = []
    for k in range(6):
        n = [dice.uniform(-1, 1) for _ in range(3)]
        n = [x / norm(n) for x in n]
        origin, r, depth = [dice.uniform(-0.5, 0.5) for _ in range(3)], 0.1, dice.uniform(0.0, 0.05)
        side = [dice.uniform(-1, 1) for _ in range(3)]
        side = sub(side, [dot(side, n) * x for x in n])
        centre = [o + (r - depth) * x + s for o, x, s in zip(origin, n, side)]
        row, = contacts(bench, f'p = {{ shape = "p"; position = {vector(origin)}; }};' + ball("a", r, centre),
                        f'p = {{ type = "plane"; normal = {vector(n)}; }};')
        found += [(f"plane {k + 1}: depth [m]", 0.0, abs(row["depth"] - depth)),
                  (f"plane {k + 1}: normal", 0.0, norm([row["nx"] + n[0], row["ny"] + n[1], row["nz"] + n[2]]))]
    for x, depth, n in ((0.3, 0.02, (0.0, -1.0)), (1.05, None, None), (-0.04, None, None)):
        r, y = 0.1, 0.08
        end = min(max(x, 0.0), 1.0)
        length = math.hypot(x - end, y)
        depth, n = r - length, ((end - x) / length, -y / length)
        row, = contacts(bench, f's = {{ shape = "s"; }}; a = {{ radius = {r}; position = ({x!r}, {y!r}); }};',
                        's = { type = "segments"; vertices = ((1.0, 0.0), (0.0, 0.0)); segments = ((0, 1)); };', 2)
        found += [(f"disc at x = {x} on a segment: depth [m]", 0.0, abs(row["depth"] - depth)),
                  (f"disc at x = {x}: normal", 0.0, math.hypot(row["nx"] - n[0], row["ny"] - n[1]))]
    return found


@case("resolver/sphere", "one contact per flat patch: balls over seams, corners, edges of a box", source="counting: faces that meet within the ball",
      formula="1 over a seam or fan of coplanar facets; 1, 2, 3 on face, edge, corner inside a box; 1 on its outer corner", tolerance=0.0, why="counts")
def patches(bench):
    def count(shape, position, r=0.1):
        return float(len(contacts(bench, 's = { shape = "s"; };' + ball("a", r, position), f"s = {{ {shape} }};")))
    fan = ('type = "mesh"; vertices = ((0.0, 0.0, 0.0), (-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)); '
           "facets = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1));")
    box, out = 'type = "box"; size = (1.0, 1.0, 1.0);', 'type = "box"; size = (1.0, 1.0, 1.0); facing = "outward";'
    return [("over the hub of a fan", 1.0, count(fan, (0.0, 0.0, 0.09))), ("over a seam", 1.0, count(fan, (0.3, 0.3, 0.09))),
            ("inside a box, face", 1.0, count(box, (0.0, 0.1, -0.41))), ("edge", 2.0, count(box, (0.0, 0.41, -0.41))),
            ("corner", 3.0, count(box, (0.41, 0.41, -0.41))), ("outer edge", 1.0, count(out, (0.56, 0.0, 0.56))),
            ("outer corner", 1.0, count(out, (0.55, 0.55, 0.55)))]
