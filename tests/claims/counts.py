# SPDX-License-Identifier: Apache-2.0
"""Statements of the papers that a count decides, without a run: small programs of their own, from fixed seeds.

usage: counts.py [NAME...]     prints the text of each; claims.py shows them
"""
import bisect
import functools
import itertools
import math
import random
import sys


def boxes(rng, n, ratio):
    """Lower and upper ends of n boxes on two axes, sides 1 to `ratio`, as dense at each ratio."""
    sides = [math.exp(rng.uniform(0.0, math.log(ratio))) if ratio > 1 else 1.0 for _ in range(n)]
    width = math.sqrt(sum(s * s for s in sides) / 0.7)
    return [tuple((x, x + s) for x in (rng.uniform(0.0, width), rng.uniform(0.0, width))) for s in sides]


def missed(found):
    """Pairs that overlap, and those of them that a search of the secondary axis by halving misses: over upper ends as they
    come in the list sorted by lower ends, and over their running maximum."""
    order = sorted(range(len(found)), key=lambda i: found[i][1][0])
    lower, upper = ([found[i][1][k] for i in order] for k in (0, 1))
    most = [max(upper[:k + 1]) for k in range(len(upper))]
    rank = {i: at for at, i in enumerate(order)}
    pairs, lost = 0, [0, 0]
    for i, one in enumerate(found):
        begin = [bisect.bisect_left(ends, one[1][0]) for ends in (upper, most)]
        end = bisect.bisect_right(lower, one[1][1])
        for j in range(i + 1, len(found)):
            if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(one, found[j])):
                pairs += 1
                for k in (0, 1):
                    lost[k] += not begin[k] <= rank[j] < end
    return pairs, *lost


def lower_index():
    parts, most = [], 0
    for ratio in (1, 2, 4, 16):
        rng = random.Random(20)
        pairs, lost, by_most = map(sum, zip(*(missed(boxes(rng, 300, ratio)) for _ in range(4))))
        parts.append(f"{lost} of {pairs} at ratio {ratio}")
        most += by_most
    return f"pairs missed: {', '.join(parts)}; over a running maximum of the upper ends: {most}"


def transpose_pairs():
    """Table 6.1: the partner of each of 8 processors in each cycle; even ones send first, odd ones receive first."""
    n = 8
    pairs = [(p, (n - 1 - (p + c) % n) % n) for c in range(n) for p in range(n)]
    table = [[(n - 1 - (p + c) % n) % n for c in range(n)] for p in range(n)]
    rows = "76543210 65432107 54321076 43210765 32107654 21076543 10765432 07654321"
    printed = [[int(digit) for digit in row] for row in rows.split()]
    same = sum(p != far and p % 2 == far % 2 for p, far in pairs)
    own = sum(p == far for p, far in pairs)
    return (f"the formula gives the table ({'all' if table == printed else 'not all'} {n * n} entries); in {same} of them both "
            f"processors have the same parity, so that both send or both receive first, and {own} are exchanges with oneself")


def merge_split(keys, lanes, printed):
    """Merge-splitting of the thesis, 7.1.1; processors count from 1. As printed, steps (d) and (f) pair P(2i-1) with P(2i)."""
    per = len(keys) // lanes
    at = [sorted(keys[k * per:(k + 1) * per]) for k in range(lanes)]

    def exchange(low, high):
        both = sorted(at[low] + at[high])
        at[low], at[high] = both[:per], both[per:]
    for _ in range(lanes // 2):
        for k in range(0, lanes - 1, 2):
            exchange(k, k + 1)
        if printed:  # (d) sends to the partner of (a); (e) sends P(2i) to P(2i + 1); (f) keeps upper at the odd ones
            before = [list(one) for one in at]
            for k in range(0, lanes, 2):
                got = before[k - 1] if k else before[k]
                at[k] = sorted(before[k] + got)[per:]
                at[k + 1] = sorted(before[k + 1] + before[k])[:per]
        else:
            for k in range(1, lanes - 1, 2):
                exchange(k, k + 1)
    return [key for one in at for key in one]


def sorting_steps():
    rng, right, lost, runs = random.Random(7), 0, 0, 500
    for _ in range(runs):
        keys = [rng.randrange(10 ** 6) for _ in range(64)]
        right += merge_split(keys, 8, False) == sorted(keys)
        lost += sorted(merge_split(keys, 8, True)) != sorted(keys)
    fewest = next(p for p in range(1, 9) if sum_of_phases(p))
    return (f"64 keys on 8 processors, {runs} times: as printed keys are lost in {lost}; with (d) between P(2i) and P(2i+1) all "
            f"{right} are sorted after P/2 = 4 double phases; a list in reverse needs {fewest}")


def sum_of_phases(phases):
    """Whether so many double phases sort 16 keys in reverse on 8 processors."""
    at = [[15 - 2 * k - 1, 15 - 2 * k] for k in range(8)]
    for _ in range(phases):
        for first in (0, 1):
            for k in range(first, 7, 2):
                both = sorted(at[k] + at[k + 1])
                at[k], at[k + 1] = both[:2], both[2:]
    return [key for one in at for key in one] == list(range(16))


def his_costs():
    """Section 1.4 with its own costs: 1e-5 s a distance, 1e-4 s a sorting operation."""
    naive = (1e5 * 1e2) ** 2 * 1e-5
    days = {rho: (1e5 * math.log2(1e5) * 1e-4 + rho * 1e5 * 1e4 * 1e-5) / 86400 for rho in (10, 12)}
    return (f"by his costs: all pairs {naive:.2g} s ({naive / 3.15576e7:.0f} years), with sorting {days[10]:.2g} days at a "
            f"coordination of 10, {days[12]:.2g} at 12")


def his_bound():
    spheres = 1e3 * math.log2(1e3) * 1e-4 + 10 * 1e3 * 1e-5
    facets = math.sqrt((86.4 - 1e3 * math.log2(1e3) * 1e-4) / (10 * 1e3 * 1e-5))
    return (f"eq. 1.2 with his costs and a coordination of 10: 1 000 spheres take {spheres:.2g} s, and 86.4 s allow "
            f"{facets:.0f} facets each")


def renewal():
    """The lecture's rule for lists of neighbours, radii 1, R_nbr = 3: two bodies just outside of the list approach each other."""
    distance, path, step = 3.01, 0.0, 0.02
    while distance >= 2.0:
        distance, path = distance - step, path + step
    return (f"a pair {3.01:g} radii apart with R_nbr = 3 radii is in no list; it overlaps after a path of {path:.2f} radii, and the "
            "rule renews the list after 3")


def turned(rng):
    """A rotation by lot, rows of a matrix."""
    q = [rng.gauss(0.0, 1.0) for _ in range(4)]
    w, x, y, z = (c / math.sqrt(sum(c * c for c in q)) for c in q)
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def faces_in(half, rows, shift):
    """The six faces of a box, turned and moved."""
    for axis in range(3):
        for sign in (-1, 1):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            face = []
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                p = [0.0] * 3
                p[axis], p[u], p[v] = sign * half[axis], a * half[u], b * half[v]
                face.append([sum(r * c for r, c in zip(row, p)) + s for row, s in zip(rows, shift)])
            yield face


def clip(face, half):
    """Sutherland and Hodgman: the part of a face inside of a box around the origin."""
    for axis in range(3):
        for sign in (-1, 1):
            kept = []
            for p, q in zip(face, face[1:] + face[:1]):
                dp, dq = half[axis] - sign * p[axis], half[axis] - sign * q[axis]
                if dp >= 0.0:
                    kept.append(p)
                if (dp > 0.0) != (dq > 0.0) and dp != dq:
                    kept.append([a + dp / (dp - dq) * (b - a) for a, b in zip(p, q)])
            face = kept
            if not face:
                return []
    return face


def zones():
    """Pairs of boxes, turned: the zone in A by the faces of B clipped to A, without and with those of A clipped to B."""
    rng, pairs, none, small = random.Random(3), 0, 0, 0
    while pairs < 1000:
        a, b = ([rng.uniform(0.3, 1.0) for _ in range(3)] for _ in range(2))
        rows, shift = turned(rng), [rng.uniform(-1.2, 1.2) for _ in range(3)]
        back = tuple(zip(*rows))
        moved = [-sum(r * s for r, s in zip(row, shift)) for row in back]
        one = [p for face in faces_in(b, rows, shift) for p in clip(face, a)]
        other = [[sum(r * c for r, c in zip(row, p)) + s for row, s in zip(rows, shift)]
                 for face in faces_in(a, back, moved) for p in clip(face, b)]
        if not one and not other:
            continue
        pairs += 1
        none += not one
        small += bool(one) and any(min(p[k] for p in one) > min(p[k] for p in one + other) + 1e-9 or
                                   max(p[k] for p in one) < max(p[k] for p in one + other) - 1e-9 for k in range(3))
    return (f"of {pairs} pairs of boxes that overlap, the faces of one clipped to the other give no zone in {none} and too small a "
            f"zone in {small}")


CORNERS = [*itertools.product((0, 1), repeat=3)]
FACES = [[(*pair[:axis], side, *pair[axis:]) for pair in ((0, 0), (1, 0), (1, 1), (0, 1))] for axis in range(3) for side in (0, 1)]


def cut(at, inside, apart):
    """The segments of a cell's surface on each of its faces, between middles of edges. On a face with two opposite corners
    inside each corner of the kind `apart` is cut off by itself."""
    found = []
    for ring in FACES:
        corners = [tuple(a + b for a, b in zip(at, corner)) for corner in ring]
        signs = [inside(corner) for corner in corners]
        edges = [tuple(a + b for a, b in zip(corners[k], corners[(k + 1) % 4])) for k in range(4)]  # twice the middle
        crossed = [edges[k] for k in range(4) if signs[k] != signs[(k + 1) % 4]]
        pairs = [crossed] if len(crossed) == 2 else [[edges[k - 1], edges[k]] for k in range(4) if signs[k] == apart] if crossed else []
        found += [frozenset(pair) for pair in pairs]
    return found


def loops(segments):
    """Numbers of corners of the polygons that the segments close."""
    near, sizes = {}, []
    for one in segments:
        for a, b in (tuple(one), tuple(one)[::-1]):
            near.setdefault(a, []).append(b)
    while near:
        start = at = min(near)
        size, before = 0, None
        while size == 0 or at != start:
            nexts = near.pop(at)
            before, at = at, nexts[0] if nexts[0] != before else nexts[1]
            size += 1
        sizes.append(size)
    return sizes


def apart_1987(signs):
    """The kind of corner that the table of Lorensen and Cline cuts off: it has the cases of up to four corners inside, and
    takes those of more from their complements."""
    return sum(signs) <= 4


def base_cases():
    """Numbers of triangles of the 15 cases of the table, ascending: cases that a rotation turns into each other are one."""
    turns = []
    for axes in itertools.permutations(range(3)):
        for flips in itertools.product((0, 1), repeat=3):
            even = sum(axes[a] > axes[b] for a in range(3) for b in range(a + 1, 3)) % 2 == sum(flips) % 2
            if even:
                turns.append([CORNERS.index(tuple(corner[axes[k]] ^ flips[k] for k in range(3))) for corner in CORNERS])
    classes = {}
    for case in itertools.product((False, True), repeat=8):
        if sum(case) <= 4:
            name = min(tuple(case[k] for k in turn) for turn in turns)
            triangles = sum(n - 2 for n in loops(cut((0, 0, 0), lambda corner: case[CORNERS.index(corner)], True)))
            assert classes.setdefault(name, triangles) == triangles
    return sorted(classes.values())


def holes(n, inside):
    """Cells of n^3 that the surface cuts, faces between two cells that the two cut in two ways, by the table of 1987 and by one
    rule for all cells."""
    cells, faces = 0, [{}, {}]
    inside = {at: inside(at) for at in itertools.product(range(n + 1), repeat=3)}.get
    for at in itertools.product(range(n), repeat=3):
        signs = [inside(tuple(a + b for a, b in zip(at, corner))) for corner in CORNERS]
        if any(signs) and not all(signs):
            cells += 1
            for kept, apart in zip(faces, (apart_1987(signs), True)):
                for one in cut(at, inside, apart):
                    kept[one] = kept.get(one, 0) + 1
    # A face that two cells cut in two ways has two edges of each cell without a second facet.
    within = [[one for one, k in kept.items() if k == 1 and all(0 < sum(end[axis] for end in one) < 4 * n for axis in range(3))] for kept in faces]
    return cells, *(len(one) // 4 for one in within)


@functools.lru_cache(None)
def original_table():
    """The table of 1987 on random corners, and on solids that are smooth next to the cells."""
    rng, total = random.Random(36), [0, 0, 0]
    for _ in range(20):
        corner = {at: rng.random() < 0.5 for at in itertools.product(range(9), repeat=3)}
        total = [a + b for a, b in zip(total, holes(8, corner.get))]
    ring = smooth = heaps = 0
    for _ in range(10):
        balls = [([rng.uniform(2.0, 10.0) for _ in range(3)], rng.uniform(1.0, 2.0)) for _ in range(12)]
        heaps += holes(12, lambda corner, balls=balls: any(sum((a - b) ** 2 for a, b in zip(corner, x)) < r * r for x, r in balls))[1]
    for n in (4, 8, 12, 16):
        half = n / 2.0

        def ball(corner):
            return sum((c - half) ** 2 for c in corner) < (0.49 * n) ** 2

        def torus(corner):
            x, y, z = ((c - half) / n for c in corner)
            return (math.hypot(x, y) - 0.35) ** 2 + z * z < 0.12 ** 2
        smooth += holes(n, ball)[1]
        ring += holes(n, torus)[1]
    triangles = "the 15 cases have the printed numbers of triangles" if base_cases() == sorted([0, 1, 2, 2, 2, 3, 3, 3, 2, 4, 4, 4, 4, 4, 4]) else "WRONG"
    return (f"{triangles}; corners by lot, 20 grids of 8^3: {total[1]} holes of four sides in {total[0]} cells, with one rule for all cells "
            f"{total[2]}; 10 heaps of 12 balls in 12^3 cells {heaps}; a ball in 4^3 to 16^3 cells {smooth}, a torus in them {ring}")


TEXTS = {text.__name__: text for text in (lower_index, transpose_pairs, sorting_steps, his_costs, his_bound, renewal, zones, original_table)}

if __name__ == "__main__":
    for word in sys.argv[1:] or TEXTS:
        print(f"{word}: {TEXTS[word]()}")
