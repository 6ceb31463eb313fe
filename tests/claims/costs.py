#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a pair and a contact of two bodies cost, by resolver and by the number of facets: costs.tsv.

usage: costs.py BUILD     (some minutes)

In the plane: the sandglass with its outlines of 20 points and with 2, 4, 8 times as many on the same sides
(configs/thesis/sandglass.py). In space: 216 bodies on a lattice that touch their neighbours: polyhedra, balls of triangles in
random poses, for `gjk` and `cyrus_beck`; spheres in cells for `dfr3d` and `sdf`, whose facets are those of marching cubes. Balls:
a settled bed. A row has the facets, the share of pairs that touch, and ns: of resolution for a pair that is a candidate, of laws
(inputs and sums) for a contact, of the rest for a body and step. Least of three runs each, of the phases of `--json`.
"""
import datetime
import itertools
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "configs/thesis")]
import sandglass  # noqa: E402

COLUMNS = ("resolver", "facets", "touching", "pair_ns", "contact_ns", "body_ns", "cpu", "date")
LAW = 'force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = 0.3; } );\n'
CELLS = {4: 104, 8: 536, 16: 2312, 32: 9512}  # cells along an axis, and the facets of a sphere in them


def ball(level):
    """An icosahedron whose triangles are divided `level` times: points on the unit sphere, and facets."""
    t = (1.0 + math.sqrt(5.0)) / 2.0
    points = [p for a, b in itertools.product((-1, 1), (-t, t)) for p in ((a, b, 0.0), (0.0, a, b), (b, 0.0, a))]
    side = min(math.dist(points[0], p) for p in points[1:])
    near = [[j for j in range(12) if i != j and math.dist(points[i], points[j]) < 1.01 * side] for i in range(12)]
    facets = [(i, j, k) for i in range(12) for j in near[i] for k in near[i] if i < j < k and k in near[j]]
    points = [tuple(c / math.hypot(*p) for c in p) for p in points]
    for _ in range(level):
        middle, finer = {}, []

        def between(i, j):
            key = (min(i, j), max(i, j))
            if key not in middle:
                p = [a + b for a, b in zip(points[i], points[j])]
                points.append(tuple(c / math.hypot(*p) for c in p))
                middle[key] = len(points) - 1
            return middle[key]
        for i, j, k in facets:
            a, b, c = between(i, j), between(j, k), between(k, i)
            finer += [(i, a, c), (a, j, b), (c, b, k), (a, b, c)]
        facets = finer
    return points, [outward(points, facet) for facet in facets]


def outward(points, facet):
    a, b, c = (points[i] for i in facet)
    u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return facet if sum(p * q for p, q in zip(n, a)) > 0.0 else (facet[0], facet[2], facet[1])


def inner(points, facets):
    """The radius of the ball inside: the least distance of a facet's plane."""
    return min(abs(distance(*(points[i] for i in facet))) for facet in facets)


def distance(a, b, c):
    u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return sum(p * q for p, q in zip(n, a)) / math.hypot(*n)


def lattice(shape, spacing, resolver):
    """216 bodies of 1 cm in random poses."""
    rng, rows = random.Random(5), []
    for at in itertools.product(range(6), repeat=3):
        q = [rng.gauss(0.0, 1.0) for _ in range(4)]
        norm = math.hypot(*q)
        pose = ", ".join(f"{c / norm:.9f}" for c in q)
        place = ", ".join(f"{0.005 * spacing * k:.9f}" for k in at)
        rows.append(f'b{len(rows)} = {{ shape = "s"; position = ({place}); orientation = ({pose}); }};')
    return ("scene = { dimension = 3; dt = 1.0e-8; steps = 1; };\nmaterials = { m = { density = 2500.0; }; };\n"
            f"shapes = {{ s = {{ {shape} }}; }};\nbodies = {{\n" + "\n".join(rows) + "\n};\n" + LAW +
            f"resolvers = ( {{ {resolver} }} );\n")


def polyhedron(level):
    points, facets = ball(level)
    text = "vertices = (" + ", ".join(f"({x * 0.005:.10f}, {y * 0.005:.10f}, {z * 0.005:.10f})" for x, y, z in points) + \
        "); facets = (" + ", ".join(f"({i}, {j}, {k})" for i, j, k in facets) + ");"
    return f'type = "polyhedron"; {text}', 0.985 * (1.0 + inner(points, facets))


def run(scree, top, name, steps, *words):
    done = subprocess.run([scree, "run", name, "-q", "--json", "--threads", "1", "--steps", str(steps), "--set", "observers={}",
                           "--set", "guard.every=0", *words, "-o", f"run{len(list(top.iterdir()))}"],
                          cwd=top, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def cost(scree, top, name, steps, *words):
    """(share that touches, ns per pair, per contact, per body), least of three runs."""
    seen = []
    for _ in range(3):
        r = run(scree, top, name, steps, *words)
        p, n = r["phases"], r["steps"] + 1
        laws = p["gather"] + p["force"] + p["sum"]
        rest = sum(p.values()) - laws - p["resolve"] - p.get("wait", 0.0)
        seen.append((r["contacts"] / r["candidates"], 1e9 * p["resolve"] / n / r["candidates"], 1e9 * laws / n / r["contacts"],
                     1e9 * rest / n / r["free"]))
    return tuple(min(column) for column in zip(*seen))


def measure(build):
    scree = build / "core/scree"
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "bed.cfg").write_text(f'base = "{ROOT / "configs/bed.cfg"}";\ncheckpoint = {{ at_end = true; }};\n', encoding="utf-8")
        run(scree, top, "bed.cfg", 20000)
        last = max(top.glob("run*"), key=lambda path: path.stat().st_mtime)
        yield "sphere", 1, *cost(scree, top, "bed.cfg", 3000, "--restart", last)
        for times in sandglass.TIMES:
            text = (ROOT / "configs/sandglass.cfg").read_text(encoding="utf-8")
            (top / "s.cfg").write_text(f'base = "{ROOT / "configs/sandglass.cfg"}";\n{sandglass.shapes(text, times)}', encoding="utf-8")
            for resolver in sandglass.RESOLVERS:
                yield resolver, 20 * times, *cost(scree, top, "s.cfg", 400, "--set", f'resolvers=( {{ plugin="{resolver}"; }} )')
        for level in range(4):
            shape, spacing = polyhedron(level)
            for resolver in ("gjk", "cyrus_beck") if level < 3 else ("gjk",):
                (top / "p.cfg").write_text(lattice(shape, spacing, f'plugin = "{resolver}";'), encoding="utf-8")
                yield resolver + (" 3D" if resolver == "cyrus_beck" else ""), 20 * 4 ** level, *cost(scree, top, "p.cfg", 40)
        for cells, facets in CELLS.items():
            for resolver in ("dfr3d", "sdf"):
                (top / "c.cfg").write_text(lattice('type = "superquadric"; axes = (0.005, 0.005, 0.005);', 1.96,
                                                   f'plugin = "{resolver}"; cells = {cells};'), encoding="utf-8")
                yield resolver, facets, *cost(scree, top, "c.cfg", 40)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lines = ["\t".join(COLUMNS)]
    for resolver, facets, *values in measure(pathlib.Path(sys.argv[1]).resolve()):
        lines.append("\t".join([resolver, str(facets), *(f"{v:.4g}" for v in values), processor(),
                                datetime.date.today().isoformat()]))
        print(lines[-1], flush=True)
    pathlib.Path(__file__).with_name("costs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
