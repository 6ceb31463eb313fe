#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the costs of bodies, pairs and contacts, and writes them to core/tools/look/costs.tsv: for `scree validate` and for
the page what-one-can-afford.

usage: costs.py BUILD [PART...]     (ball plane space cells round laws modifiers step picture; without a part all, some 10 minutes)

ball       a settled bed of spheres
plane      the sandglass with its outlines of 20 points and with 2, 4, 8 times as many on the same sides
space      216 bodies on a lattice that touch their neighbours: polyhedra, balls of triangles in random poses, for `gjk` and
           `cyrus_beck`
cells      the same with spheres in cells, for `dfr3d` and `sdf`; their facets are those of marching cubes
round      superquadrics, by `gjk`: a row with 1 facet
laws       the bed with another law, and a bonded disc: the time of a contact beyond that of `linear`
modifiers  the bed with a modifier: a step of a servo whose wall is free, a body of damping
step       a ball by itself: the time of a step that does not depend on bodies
picture    of the bed: body_ns is the time of a pixel

A row has the facets of a body, the share of candidates that touch, and CPU time of the program, without that of the system [ns]:
of resolution for a candidate, of laws (with inputs and sums) for a contact, of the rest for a body and step, parted by the phases
of `--json`. Each cost is measured twice: the row has the mean (of logarithms) and `spread`, the larger over the smaller of its
first cost.
"""
import datetime
import itertools
import json
import math
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "configs/thesis")]
import sandglass  # noqa: E402

COLUMNS = ("name", "dimension", "facets", "touching", "pair_ns", "contact_ns", "body_ns", "step_ns", "spread", "cpu", "date")
KEPT = ROOT / "core/tools/look/costs.tsv"
LAWS = {"hertz_mindlin": 'plugin="hertz_mindlin"; young_modulus=5e6; poisson_ratio=0.25; restitution=0.5; friction=0.5;',
        "jkr": 'plugin="jkr"; young_modulus=5e6; poisson_ratio=0.25; restitution=0.5; friction=0.5; work_of_adhesion=0.001;',
        "rolling": 'plugin="linear"; kn=1e4; restitution=0.5; friction=0.5; }, { plugin="rolling"; rolling_friction=0.1;'}
SERVO = ('bodies.lid={ shape="lid"; motion="kinematic"; position=(0.0, 0.0, 0.5); }', 'shapes.lid={ type="plane"; normal=(0.0, 0.0, -1.0); }',
         'modifiers.lid={ plugin="servo"; groups="lid"; direction=(0.0, 0.0, -1.0); force=1.0; max_speed=1e-6; }')
DAMPING = ('modifiers.slow={ plugin="damping"; alpha=0.01; }', )
PIXELS = 640 * 480
LAW = 'force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = 0.3; } );\n'
CELLS = {8: (536, 40), 16: (2312, 20), 32: (9512, 10)}  # cells along an axis: the facets of a sphere in them, and steps of a run


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
    return f'type = "polyhedron"; {text}', 0.97 * (1.0 + inner(points, facets))


def run(scree, top, name, steps, *words):
    """The result of a run, with the CPU time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([scree, "run", name, "-q", "--json", "--threads", "1", "--steps", str(steps), "--set", "observers={}",
                           "--set", "guard.every=0", *words, "-o", f"run{len(list(top.iterdir()))}"],
                          cwd=top, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout) | {"cpu_s": resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before}


def step_of(scree, top, name, steps, *words):
    """The CPU time of a step [ns], by the least of three runs, and these runs."""
    first = min(run(scree, top, name, steps // 10, *words)["cpu_s"] for _ in range(3))
    runs = [run(scree, top, name, steps, *words) for _ in range(3)]
    return 1e9 * (min(r["cpu_s"] for r in runs) - first) / (steps - steps // 10), runs


def cost(scree, top, name, steps, *words):
    """(share that touches, ns per pair, per contact, per body): CPU time of a step, parted by the median shares of the phases."""
    each, runs = step_of(scree, top, name, steps, *words)

    def share(*phases):
        return statistics.median(sum(r["phases"][name] for name in phases) / sum(r["phases"].values()) for r in runs)
    r, resolve, laws = runs[0], share("resolve"), share("gather", "force", "sum")
    return (r["contacts"] / r["candidates"], each * resolve / r["candidates"], each * laws / r["contacts"],
            each * (1.0 - resolve - laws) / r["free"])


def settled(scree, top):
    """A bed that has come to rest; its folder."""
    (top / "bed.cfg").write_text(f'base = "{ROOT / "configs/bed.cfg"}";\n', encoding="utf-8")
    run(scree, top, "bed.cfg", 20000)
    return max(top.glob("run*"), key=lambda path: path.stat().st_mtime)


def measure_ball(scree, top):
    yield "sphere", 0, 1, *cost(scree, top, "bed.cfg", 3000, "--restart", settled(scree, top))


def measure_plane(scree, top):
    text = (ROOT / "configs/sandglass.cfg").read_text(encoding="utf-8")
    for times in sandglass.TIMES:
        (top / "s.cfg").write_text(f'base = "{ROOT / "configs/sandglass.cfg"}";\n{sandglass.shapes(text, times)}', encoding="utf-8")
        for resolver in sandglass.RESOLVERS:
            if resolver == "cyrus_beck" and times > 4:  # N^2: many minutes
                continue
            yield resolver, 2, 20 * times, *cost(scree, top, "s.cfg", 100 if resolver == "cyrus_beck" else 400, "--set",
                                                 f'resolvers=( {{ plugin="{resolver}"; }} )')


def measure_space(scree, top):
    for level in range(4):
        shape, spacing = polyhedron(level)
        for resolver in ("gjk", "cyrus_beck") if level < 2 else ("gjk",):
            (top / "p.cfg").write_text(lattice(shape, spacing, f'plugin = "{resolver}";'), encoding="utf-8")
            yield resolver, 3, 20 * 4 ** level, *cost(scree, top, "p.cfg", 1000 if resolver == "gjk" else 50)


def measure_cells(scree, top):
    for cells, (facets, steps) in CELLS.items():
        for resolver in ("dfr3d", "sdf")[:1 if cells > 16 else 2]:
            (top / "c.cfg").write_text(lattice('type = "superquadric"; axes = (0.005, 0.005, 0.005);', 1.98,
                                               f'plugin = "{resolver}"; cells = {cells};'), encoding="utf-8")
            yield resolver, 3, facets, *cost(scree, top, "c.cfg", steps)


def measure_round(scree, top):
    yield "gjk", 3, 1, *cost(scree, top, ROOT / "configs/superquadrics.cfg", 20000)


def measure_laws(scree, top):
    settled(scree, top)
    words = ("--set", "scene.gravity=(0.0, 0.0, -98.1)")
    usual = cost(scree, top, "bed.cfg", 8000, *words)
    for name, law in LAWS.items():
        found = cost(scree, top, "bed.cfg", 8000, *words, "--set", f"force=( {{ {law} }} )")
        yield name, 0, 1, found[0], 0.0, max(0.0, found[2] - usual[2]), 0.0
    found = cost(scree, top, ROOT / "configs/brazilian.cfg", 1000)
    yield "bonded", 0, 1, found[0], 0.0, max(0.0, found[2] - usual[2]), 0.0


def measure_modifiers(scree, top):
    settled(scree, top)
    for name, sets in (("servo", SERVO), ("damping", DAMPING)):
        each, runs = step_of(scree, top, "bed.cfg", 8000, *(word for one in sets for word in ("--set", one)))
        spent = each * statistics.median((r["phases"]["modify"] + r["phases"]["edit"]) / sum(r["phases"].values()) for r in runs)
        yield name, 0, 1, 0.0, 0.0, 0.0, *((0.0, spent) if name == "servo" else (spent / runs[0]["free"], 0.0))


def measure_step(scree, top):
    (top / "b.cfg").write_text("scene = { dimension = 3; dt = 1.0e-6; steps = 1; };\nmaterials = { m = { density = 2500.0; }; };\n"
                               "bodies = { b = { radius = 0.01; position = (0.0, 0.0, 0.0); }; };\n" + LAW, encoding="utf-8")
    yield "step", 0, 1, 0.0, 0.0, 0.0, 0.0, step_of(scree, top, "b.cfg", 200000)[0]


def measure_picture(scree, top):
    picture = f'observers={{ p={{ plugin="image"; every_steps=1; width=640; height={PIXELS // 640}; }}; }}'
    folder = settled(scree, top)
    few, many = (min(run(scree, top, "bed.cfg", n, "--set", picture, "--restart", folder)["cpu_s"] for _ in range(3)) for n in (5, 25))
    yield "image", 0, 1, 1.0, 0.0, 0.0, 1e9 * (many - few) / 20 / PIXELS


PARTS = {"ball": measure_ball, "plane": measure_plane, "space": measure_space, "cells": measure_cells, "round": measure_round, "laws": measure_laws,
         "modifiers": measure_modifiers, "step": measure_step, "picture": measure_picture}


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def both(one, other):
    """A row of two makes: the means of their costs, and the spread of the first cost that is not 0."""
    pairs = [(a, b) for a, b in zip([*one[3:], 0.0, 0.0][:5], [*other[3:], 0.0, 0.0][:5])]
    spread = next((max(pair) / min(pair) for pair in pairs[1:] if min(pair) > 0.0), 1.0)
    return one[:3], [math.sqrt(a * b) if a * b > 0.0 else (a + b) / 2.0 for a, b in pairs], spread


def main():
    if len(sys.argv) < 2 or set(sys.argv[2:]) - set(PARTS):
        sys.exit(__doc__)
    scree = pathlib.Path(sys.argv[1]).resolve() / "core/scree"
    for part in sys.argv[2:] or PARTS:
        makes = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as name:
                makes.append([*PARTS[part](scree, pathlib.Path(name))])
        lines = KEPT.read_text(encoding="utf-8").splitlines()[1:] if KEPT.exists() else []
        kept = {tuple(line.split("\t")[:3]): line for line in lines}
        for key, values, spread in map(both, *makes):
            key = tuple(map(str, key))
            kept[key] = "\t".join([*key, *(f"{v:.4g}" for v in values), f"{spread:.2f}", processor(), datetime.date.today().isoformat()])
            print(kept[key], flush=True)
        KEPT.write_text("\n".join(["\t".join(COLUMNS), *kept.values()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
