# SPDX-License-Identifier: Apache-2.0
"""Sums of coarse graining over the rows of `csv`, by other ways than the observer's: each cell clips each
branch by itself, balls are integrated over slices, kernels along branches by quadrature."""
import functools
import math
from vectors import cross, dot

BOX_MIN, BOX_MAX, BOX_CELLS = (-0.02, -0.05, -0.05), (0.02, 0.05, 0.1), (4, 5, 6)
SIX = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@functools.lru_cache
def gauss(n):
    """Nodes and weights of Gauss and Legendre on [0, 1]."""
    found = []
    for k in range(n):
        x = math.cos(math.pi * (k + 0.75) / (n + 0.5))
        for _ in range(100):
            p, q = x, 1.0
            for j in range(2, n + 1):
                p, q = ((2 * j - 1) * x * p - (j - 1) * q) / j, p
            slope = n * (x * p - q) / (x * x - 1.0)
            x -= p / slope
        found.append((0.5 + 0.5 * x, 1.0 / ((1.0 - x * x) * slope * slope)))
    return found


def path_list(contacts, ids, places):
    """Paths of the contacts in which a body of `ids` takes part."""
    found = []
    for row in contacts:
        a, b = row["a"] in ids, row["b"] in ids
        if not a and not b:
            continue
        f, d, n = ([row[m + k] for k in "xyz"] for m in ("f", "branch_", "n"))
        couples = [row[f"c{k}"] for k in "xyz"], [row[f"cb{k}"] for k in "xyz"]
        arm = [row[k] - x for k, x in zip("xyz", places[row["a"]])]
        start, boundary = places[row["a"]], not (a and b)
        if not a:  # seen from b
            start, f, arm = places[row["b"]], [-x for x in f], [x - y for x, y in zip(arm, d)]
        if boundary:
            d, own = arm, couples[0 if a else 1]
        else:
            own = [0.5 * (x - y) for x, y in zip(*couples)]
        turn = cross([x - 0.5 * y for x, y in zip(arm, d)], f)
        found.append({"x": start, "d": d, "f": f, "n": n, "touches": row["depth"] >= 0.0, "boundary": boundary,
                      "couple": [x + y for x, y in zip(turn, own)]})
    return found


# ---- cells ----

def disc_area(rho, xs, ys):
    """Area of the disc about 0 in a rectangle: the integral over x of the clipped height."""
    def strip(x):  # integral of sqrt(rho^2 - x^2) from 0 to x
        x = max(-rho, min(rho, x))
        return 0.5 * (x * math.sqrt(max(rho * rho - x * x, 0.0)) + rho * rho * math.asin(x / rho))

    lo, hi = max(xs[0], -rho), min(xs[1], rho)
    if not lo < hi or ys[0] >= rho or ys[1] <= -rho:
        return 0.0
    cuts = {lo, hi}
    for y in ys:
        if abs(y) < rho:
            cuts |= {x for x in (math.sqrt(rho * rho - y * y), -math.sqrt(rho * rho - y * y)) if lo < x < hi}
    cuts, area = sorted(cuts), 0.0
    for a, b in zip(cuts, cuts[1:]):
        height = math.sqrt(max(rho * rho - (0.5 * (a + b)) ** 2, 0.0))
        curve = strip(b) - strip(a)
        top = curve if height < ys[1] else ys[1] * (b - a)
        bottom = -curve if -height > ys[0] else ys[0] * (b - a)
        area += max(top - bottom, 0.0)
    return area


def ball_volume(x, r, lo, hi):
    """Volume of a ball in a box: slices, between the heights at which the outline of a slice changes."""
    box = [(a - c, b - c) for a, b, c in zip(lo, hi, x)]
    bottom, top = max(box[2][0], -r), min(box[2][1], r)
    if not bottom < top or any(b[0] >= r or b[1] <= -r for b in box[:2]):
        return 0.0
    distances = [abs(e) for b in box[:2] for e in b] + [math.hypot(e, g) for e in box[0] for g in box[1]]
    cuts = {bottom, top}
    for d in distances:
        if d < r:
            cuts |= {z for z in (math.sqrt(r * r - d * d), -math.sqrt(r * r - d * d)) if bottom < z < top}
    cuts, volume = sorted(cuts), 0.0
    for a, b in zip(cuts, cuts[1:]):
        # t -> 3 t^2 - 2 t^3 twice takes out the roots at both ends
        for t, w in gauss(64):
            s, ds = t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)
            z = a + (b - a) * s
            volume += (b - a) * w * ds * disc_area(math.sqrt(max(r * r - z * z, 0.0)) or 1e-300, box[0], box[1])
    return volume


def clip(x, d, lo, hi):
    """Share of a segment in a box."""
    begin, end = 0.0, 1.0
    for k in range(3):
        if d[k] == 0.0:
            if not lo[k] <= x[k] < hi[k]:
                return 0.0
            continue
        a, b = sorted(((lo[k] - x[k]) / d[k], (hi[k] - x[k]) / d[k]))
        begin, end = max(begin, a), min(end, b)
    return max(end - begin, 0.0)


def finish(sums, volume):
    """Values from the sums of a cell."""
    mass = sums["mass"]
    out = {"solid_fraction": sums["volume"] / volume, "density": mass / volume,
           "contact_density": sums["number"] / volume}
    v = [p / mass if mass else 0.0 for p in sums["p"]]
    heat = 0.0
    for k, a in enumerate("xyz"):
        out[f"momentum_{a}"] = sums["p"][k] / volume
        out[f"boundary_force_{a}"] = sums["t"][k] / volume
        if mass:
            out[f"velocity_{a}"] = v[k]
        for j, b in enumerate("xyz"):
            out[f"contact_stress_{a}{b}"] = sums["stress"][k][j] / volume
            out[f"couple_stress_{a}{b}"] = sums["couple"][k][j] / volume
    for k, j in SIX:
        a, b = "xyz"[k], "xyz"[j]
        stress = math.fsum(m * (u[k] - v[k]) * (u[j] - v[j]) for m, u in sums["parts"])
        out[f"kinetic_stress_{a}{b}"] = stress / volume
        heat += stress if k == j else 0.0
        if sums["number"]:
            out[f"fabric_{a}{b}"] = sums["fabric"][k][j] / sums["number"]
    if mass:
        out["temperature"] = heat / mass / 3.0
    return out


def empty():
    return {"volume": 0.0, "mass": 0.0, "number": 0.0, "p": [0.0] * 3, "t": [0.0] * 3, "parts": [],
            **{k: [[0.0] * 3 for _ in range(3)] for k in ("stress", "couple", "fabric")}}


def add_ball(sums, ball, share):
    sums["volume"] += ball["volume"] * share
    sums["mass"] += ball["mass"] * share
    sums["p"] = [p + ball["mass"] * share * v for p, v in zip(sums["p"], ball["v"])]
    sums["parts"].append((ball["mass"] * share, ball["v"]))


def add_path(sums, path, share):
    sums["number"] += share * path["touches"]
    for k in range(3):
        for j in range(3):
            sums["stress"][k][j] -= share * path["f"][k] * path["d"][j]
            sums["couple"][k][j] -= share * path["couple"][k] * path["d"][j]
            sums["fabric"][k][j] += share * path["n"][k] * path["n"][j] * path["touches"]


def images(x, length, most=1):
    return [(x[0] + s * length, x[1], x[2]) for s in range(-most, most + 1)]


def box_sums(balls, paths, length):
    """Values of the cells of the box in their order, x first."""
    found = []
    size = [(b - a) / n for a, b, n in zip(BOX_MIN, BOX_MAX, BOX_CELLS)]
    for cell in range(math.prod(BOX_CELLS)):
        index = (cell % BOX_CELLS[0], cell // BOX_CELLS[0] % BOX_CELLS[1], cell // BOX_CELLS[0] // BOX_CELLS[1])
        lo = [a + s * i for a, s, i in zip(BOX_MIN, size, index)]
        hi = [a + s * (i + 1) for a, s, i in zip(BOX_MIN, size, index)]
        sums = empty()
        for ball in balls:
            for x in images(ball["x"], length):
                if all(l - ball["r"] < c < h + ball["r"] for l, c, h in zip(lo, x, hi)):
                    share = ball_volume(x, ball["r"], lo, hi) / ball["volume"]
                    if share > 0.0:
                        add_ball(sums, ball, share)
        for path in paths:
            for x in images(path["x"], length):
                share = clip(x, path["d"], lo, hi)
                if share > 0.0:
                    add_path(sums, path, share)
                end = [a + d for a, d in zip(x, path["d"])]
                if path["boundary"] and all(l <= c < h for l, c, h in zip(lo, end, hi)):
                    sums["t"] = [t + f for t, f in zip(sums["t"], path["f"])]
        found.append(finish(sums, math.prod(size)))
    return found


# ---- points ----

def kernel(width, reach, lucy):
    if lucy:
        norm = 105.0 / (16.0 * math.pi * reach ** 3)
        return lambda r: norm * (1.0 + 3.0 * r / reach) * (1.0 - r / reach) ** 3 if r < reach else 0.0
    cut = reach / width
    inside = math.erf(cut / math.sqrt(2.0)) - math.sqrt(2.0 / math.pi) * cut * math.exp(-0.5 * cut * cut)
    norm = 1.0 / (inside * (2.0 * math.pi) ** 1.5 * width ** 3)
    return lambda r: norm * math.exp(-0.5 * (r / width) ** 2) if r < reach else 0.0


def along(w, reach, d, branch):
    """Mean of w along a branch, seen from d = point - start: 4 pieces of 20 points where w is not 0."""
    b2 = dot(branch, branch)
    foot = dot(d, branch) / b2
    rest = reach * reach - dot(d, d) + foot * foot * b2
    if rest <= 0.0:
        return 0.0
    half = math.sqrt(rest / b2)
    begin, end = max(0.0, foot - half), min(1.0, foot + half)
    if begin >= end:
        return 0.0
    cuts = sorted({begin, end} | ({foot} if begin < foot < end else set()))
    pieces = [(a + (b - a) * k / 3, a + (b - a) * (k + 1) / 3) for a, b in zip(cuts, cuts[1:]) for k in range(3)]
    return math.fsum((b - a) * v * w(math.dist(d, [s * x for s, x in zip([a + (b - a) * t] * 3, branch)]))
                     for a, b in pieces for t, v in gauss(20))


def point_sums(rows, balls, paths, length, width, reach, lucy):
    w, found = kernel(width, reach, lucy), []
    for row in rows:
        at, sums = (row["x"], row["y"], row["z"]), empty()
        for ball in balls:
            for x in images(ball["x"], length):
                share = w(math.dist(x, at))
                if share > 0.0:
                    add_ball(sums, ball, share)
        for path in paths:
            for x in images(path["x"], length):
                d = [p - q for p, q in zip(at, x)]
                share = along(w, reach, d, path["d"])
                if share > 0.0:
                    add_path(sums, path, share)
                end = math.dist(d, path["d"])
                if path["boundary"] and end < reach:
                    sums["t"] = [t + f * w(end) for t, f in zip(sums["t"], path["f"])]
        found.append(finish(sums, 1.0))
    return found


# ---- cylinder ----

def round_volume(rows, balls, length, origin, axis, radius, height, cells):
    """Volumes of balls in the cells, by points all over each ball: 60 x 60 columns of exact height."""
    norm = math.sqrt(dot(axis, axis))
    e3 = [a / norm for a in axis]
    first = min(range(3), key=lambda k: abs(axis[k]))
    e1 = [(k == first) - e3[first] * e3[k] for k in range(3)]
    size = math.sqrt(dot(e1, e1))
    e1 = [x / size for x in e1]
    e2 = cross(e3, e1)
    found = [0.0] * len(rows)
    n = 60
    for ball in balls:
        for x in images(ball["x"], length, 3):
            d = [a - b for a, b in zip(x, origin)]
            p, r = (dot(e1, d), dot(e2, d), dot(e3, d)), ball["r"]
            columns = [(p[0] + r * (2 * i + 1 - n) / n, p[1] + r * (2 * j + 1 - n) / n) for i in range(n) for j in range(n)]
            pieces = []
            for u, v in columns:
                left = r * r - (u - p[0]) ** 2 - (v - p[1]) ** 2
                if left > 0.0:
                    pieces.append((u, v, math.sqrt(left)))
            whole = sum(2.0 * h for _, _, h in pieces)
            for u, v, h in pieces:
                ring, sector = int(math.hypot(u, v) / radius * cells[0]), int(math.atan2(v, u) % (2 * math.pi) / (2 * math.pi) * cells[1])
                for k in range(cells[2]):
                    inside = min(p[2] + h, height * (k + 1) / cells[2]) - max(p[2] - h, height * k / cells[2])
                    if inside > 0.0 and ring < cells[0]:
                        found[ring + cells[0] * (sector + cells[1] * k)] += ball["volume"] * inside / whole
    return found
