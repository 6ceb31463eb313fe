# SPDX-License-Identifier: Apache-2.0
"""Outlines whose borders cross four times or more: force and torque of force/overlap_area are the gradient of k A^2 / 2 of
their pieces, and do no work on closed paths. Areas are those of a clipping of this file.

usage: test_crossed.py SCREE [PAIRS]
"""
import math
import random
import sys

import tap
from runs import read_table, scree

PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 12
STEPS = 200  # of a closed path: the trapezoidal rule leaves less than 1e-3
APART = 10.0  # [m] between pairs


# ---- outlines about their centroids ----

def centred(points):
    area, x, y = 0.0, 0.0, 0.0
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
        cross = ax * by - bx * ay
        area += cross / 2.0
        x += (ax + bx) * cross / 6.0
        y += (ay + by) * cross / 6.0
    return [(px - x / area, py - y / area) for px, py in points]


def bar(rng):
    w = 1.0 / math.exp(rng.uniform(math.log(1.5), math.log(20.0)))
    return centred([(-1.0, -w), (1.0, -w), (1.0, w), (-1.0, w)])


def triangle(rng):
    return centred([(-1.0, -rng.uniform(0.1, 0.6)), (1.0, -rng.uniform(0.1, 0.6)), (rng.uniform(-0.5, 0.5), rng.uniform(0.1, 0.9))])


def wedge(rng):
    w = rng.uniform(0.05, 0.3)
    return centred([(-1.0, -w), (1.0, -0.2 * w), (1.0, 0.2 * w), (-1.0, w)])


def regular(rng):
    n, phase = rng.randint(5, 30), rng.uniform(0.0, 1.0)
    return centred([(0.7 * math.cos(phase + 2.0 * math.pi * k / n), 0.7 * math.sin(phase + 2.0 * math.pi * k / n)) for k in range(n)])


def plus(rng):
    w = rng.uniform(0.1, 0.3)
    return centred([(1, -w), (1, w), (w, w), (w, 1), (-w, 1), (-w, w), (-1, w), (-1, -w), (-w, -w), (-w, -1), (w, -1), (w, -w)])


def star(rng):
    n, q = rng.randint(3, 6), rng.uniform(0.3, 0.6)
    return centred([((q if k % 2 else 1.0) * math.cos(math.pi * k / n), (q if k % 2 else 1.0) * math.sin(math.pi * k / n))
                    for k in range(2 * n)])


CONVEX, OTHER = (bar, triangle, wedge, regular, bar), (plus, star)


# ---- clipping ----

def placed(points, x, y, turn):
    c, s = math.cos(turn), math.sin(turn)
    return [(x + c * px - s * py, y + s * px + c * py) for px, py in points]


def holds(polygon, x, y):
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def cuts_of(p, q):
    """For each side of p and of q its cuts: (share, number of the cut); and the number of cuts."""
    of_p, of_q, n = [[] for _ in p], [[] for _ in q], 0
    for i, ((ax, ay), (bx, by)) in enumerate(zip(p, p[1:] + p[:1])):
        for j, ((cx, cy), (dx, dy)) in enumerate(zip(q, q[1:] + q[:1])):
            sine = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
            if sine == 0.0:
                continue
            s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / sine
            t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / sine
            if 0.0 < s < 1.0 and 0.0 < t < 1.0:
                of_p[i].append((s, n))
                of_q[j].append((t, n))
                n += 1
    return of_p, of_q, n


def arcs_of(p, cuts, other):
    """The parts of p's border inside of the other: {first cut: (last cut, points)}."""
    walk = []
    for i, (ax, ay) in enumerate(p):
        bx, by = p[(i + 1) % len(p)]
        walk.append((None, (ax, ay)))
        walk += [(n, (ax + s * (bx - ax), ay + s * (by - ay))) for s, n in sorted(cuts[i])]
    at = [k for k, (n, _) in enumerate(walk) if n is not None]
    arcs = {}
    for k, start in enumerate(at):
        end = at[(k + 1) % len(at)]
        line = [walk[m % len(walk)] for m in range(start, end + 1 if end > start else end + len(walk) + 1)]
        (ax, ay), (bx, by) = line[0][1], line[1][1]
        if holds(other, 0.5 * (ax + bx), 0.5 * (ay + by)):
            arcs[line[0][0]] = (line[-1][0], [point for _, point in line])
    return arcs


def pieces_of(p, q):
    """The areas of the pieces in which two outlines that cross overlap, and the number of crossings."""
    of_p, of_q, n = cuts_of(p, q)
    if n == 0:
        return [], 0
    arcs = {**{("p", k): v for k, v in arcs_of(p, of_p, q).items()}, **{("q", k): v for k, v in arcs_of(q, of_q, p).items()}}
    areas = []
    while arcs:
        key, (end, points) = arcs.popitem()
        loop, first = points[:-1], key[1]
        while end != first:
            way = ("q", end) if ("q", end) in arcs else ("p", end)
            end, points = arcs.pop(way)
            loop += points[:-1]
        x, y = loop[0]
        areas.append(0.5 * sum((ax - x) * (by - y) - (bx - x) * (ay - y) for (ax, ay), (bx, by) in zip(loop, loop[1:] + loop[:1])))
    return areas, n


def energy(pair, pose):
    areas, n = pieces_of(pair[0], placed(pair[1], *pose))
    return 0.5 * sum(area * area for area in areas), len(areas), n


# ---- pairs and their paths ----

def on_path(pose, path, s):
    wave, rise = math.sin(2.0 * math.pi * s), 1.0 - math.cos(2.0 * math.pi * s)
    return pose[0] + path[0] * wave + path[1] * rise, pose[1] + path[2] * wave + path[3] * rise, pose[2] + path[4] * wave


def slopes(pair, pose):
    """dU by x, y and angle of b, or None near a kink."""
    found = []
    for k in range(3):
        at = {}
        for m in (-4, -2, -1, 1, 2, 4):
            moved = list(pose)
            moved[k] += m * 2e-5
            at[m] = energy(pair, moved)[0]
        near = (8.0 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12.0 * 2e-5)
        far = (8.0 * (at[2] - at[-2]) - (at[4] - at[-4])) / (24.0 * 2e-5)
        if abs(near - far) > 1e-8 * max(abs(near), energy(pair, pose)[0]):
            return None
        found.append(near)
    return found


def choose(kinds, seed):
    """Pairs with four crossings or more, in one piece all along their path, with the slopes of their energy."""
    rng, chosen = random.Random(seed), []
    while len(chosen) < PAIRS:
        pair = rng.choice(kinds)(rng), rng.choice(kinds)(rng)
        pose = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0.0, 6.28)
        path = [rng.uniform(-0.05, 0.05) for _ in range(4)] + [rng.uniform(0.05, 0.15)]
        if energy(pair, pose)[2] < 4 or any(energy(pair, on_path(pose, path, k / 40.0))[1] != 1 for k in range(40)):
            continue
        expected = slopes(pair, pose)
        if expected:
            chosen.append((pair, pose, path, expected))
    return chosen


def forces_on_b(top, name, resolver, chosen, share):
    """(fx, fy, torque) of k = 1 N/m^3 on b of each pair, at these places of its path, from one scene."""
    vertices = [", ".join(f"({x!r}, {y!r})" for x, y in outline) for pair, *_ in chosen for outline in pair]
    shapes = "".join(f's{k} = {{ type = "polygon"; vertices = ({text}); }}; ' for k, text in enumerate(vertices))
    bodies = []
    for n, (_, pose, path, _) in enumerate(chosen):
        for m, s in enumerate(share):
            x, y, turn = on_path(pose, path, s)
            bodies.append(f'a{n}_{m} = {{ shape = "s{2 * n}"; position = ({APART * m!r}, {APART * n!r}); }}; '
                          f'b{n}_{m} = {{ shape = "s{2 * n + 1}"; position = ({APART * m + x!r}, {APART * n + y!r}); '
                          f"orientation = {turn!r}; }};\n")
    (top / f"{name}.cfg").write_text(
        'scene = { dimension = 2; dt = 1e-9; steps = 1; gravity = (0.0, 0.0); dt_limit = 1e9; };\n'
        "materials = { m = { density = 1.0; }; };\n"
        f"shapes = {{ {shapes} }};\nbodies = {{ {''.join(bodies)} }};\n"
        'force = ( { plugin = "overlap_area"; form = "potential"; k = 1.0; kt = 0.0; friction = 0.0; damping = "none"; } );\n'
        f'resolvers = ( {{ plugin = "{resolver}"; }} );\n'
        'observers = { b = { plugin = "csv"; what = "bodies"; every_steps = 1; }; };\n')
    done = scree(top, "run", f"{name}.cfg", "-q", "-o", name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    on = {row["name"]: tuple(float(row[key]) for key in ("fx", "fy", "tz"))
          for row in read_table(top / name / "bodies.csv") if row["step"] == "0"}
    return [[on[f"b{n}_{m}"] for m in range(len(share))] for n in range(len(chosen))]


def work_on(path, pose, forces):
    """(work, turnover) by the trapezoidal rule."""
    n, total = len(forces), 0.0
    for k in range(n):
        here, there = on_path(pose, path, k / n), on_path(pose, path, (k + 1) / n)
        total += sum(0.5 * (forces[k][c] + forces[(k + 1) % n][c]) * (there[c] - here[c]) for c in range(3))
    return total


def run(top):
    for resolver, kinds, seed in (("closest_feature", CONVEX, 1), ("closest_feature", CONVEX + OTHER, 2), ("cyrus_beck", CONVEX, 1)):
        chosen = choose(kinds, seed)
        what = f"{resolver}, {'convex' if kinds is CONVEX else 'any'} outlines"
        name = f"{resolver}-{seed}"
        still = forces_on_b(top, f"still-{name}", resolver, chosen, [0.0])
        off, left = [], []
        for (pair, pose, _, expected), [found] in zip(chosen, still):
            stored = energy(pair, pose)[0]
            off.append(max(abs(f + e) for f, e in zip(found, expected)) / max(stored, max(map(abs, expected))))
        led = forces_on_b(top, f"led-{name}", resolver, chosen, [k / STEPS for k in range(STEPS)])
        for (pair, pose, path, _), forces in zip(chosen, led):
            stored = max(energy(pair, on_path(pose, path, k / 40.0))[0] for k in range(40))
            left.append(abs(work_on(path, pose, forces)) / stored)
        wrong = sum(x > 1e-6 for x in off)
        print(f"# {what}: {PAIRS} pairs, seed {seed}: force and torque off by {max(off):.2g}, {wrong} by more than 1e-6; "
              f"work up to {max(left):.2g} of the stored energy")
        tap.check(f"{what} that cross four times: force and torque are the gradient of their energy", wrong == 0, off)
        tap.check(f"{what} that cross four times: closed paths leave no work", max(left) < 1e-3, left)


tap.in_folder(run)
