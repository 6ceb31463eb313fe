# SPDX-License-Identifier: Apache-2.0
"""The cost of find_objects: which plugins gcd.py measures with how many boxes, and what gcd_page.py shows of it."""
import collections
import math
import statistics

from gcd_claims import number, rows_of, slope, three

NAMES = ("gcd", "boxes", "n", "asked", "found", "given", "ns", "step_init_ns")
MOST = 10 ** 6
# Boxes at most, of those whose step_init finds all pairs: by two strategies, or again from sorted lists.
LIMITS = {"compare": 10 ** 4, "sort_update": 10 ** 5}
WORLDS = {"2D": "equal squares, solid fraction of their discs 0.7",
          "3D": "equal cubes, solid fraction of their balls 0.5",
          "3D 1:10": "cubes 1:10 of equal volume per size, solid fraction of their balls 0.5"}
IN_ORDER = ("2D in order", "3D in order")
ORDERED = ("hashing", "dess", "hgrid")  # what is measured there
AXES = "set logscale y\nset format '10^{%T}'\nset xtics autofreq\n"  # of the figure
FIGURE = ("hgrid", "lbvh", "bvh", "hashing", "dess", "brute")


def measure(measure_some, names, quick, today):
    """Rows of all plugins; `brute` is the benchmark's own loop."""
    groups = collections.defaultdict(list)
    for name in ["brute", *names]:
        groups["shuffled", 1000 if quick else LIMITS.get(name, MOST)].append(name)
    groups["ordered", 1000 if quick else MOST] = list(ORDERED)
    rows = []
    for (order, most), some in sorted(groups.items()):
        for line in measure_some(order, most, some).splitlines():
            if not line.startswith("#"):
                rows.append(dict(zip(NAMES, line.split("\t"))) | {"date": today})
        print(f"queries, up to {most} boxes: {', '.join(some)}", flush=True)
    return rows


# ---- the page ----

def times(rows):
    """[boxes][strategy][n][asked]: (found, ns)."""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(dict)))
    for row in rows:
        found[row["boxes"]][row["gcd"]][int(row["n"])][float(row["asked"])] = (float(row["found"]), float(row["ns"]))
    return found


def r_squared(points):
    """R^2 of the straight line through the logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    my = statistics.mean(y for _, y in logs)
    mx, by = statistics.mean(x for x, _ in logs), slope(points)
    all_of_it = sum((y - my) ** 2 for _, y in logs)
    return 1.0 - sum((y - my - by * (x - mx)) ** 2 for x, y in logs) / all_of_it if all_of_it else math.nan


def over_n(seen, asked):
    """(N, ns) with so many boxes found."""
    return [(n, at[asked][1]) for n, at in sorted(seen.items()) if asked in at]


def over_m(seen, n, least=100.0):
    """(found, ns), from so many on."""
    return [(m, ns) for asked, (m, ns) in sorted(seen.get(n, {}).items()) if asked >= least]


def power(points):
    return f"{slope(points):.2f} ({r_squared(points):.3f})" if len(points) > 2 else "-"


def plane(seen):
    """Powers of N and M and R^2 of ns = c N^a M^b by least squares, 100 <= M <= N / 10."""
    points = [(math.log(n), math.log(m), math.log(ns)) for n, at in seen.items() for asked, (m, ns) in at.items()
              if 100 <= asked <= n / 10]
    mean = [statistics.mean(p[k] for p in points) for k in range(3)]
    x, y, z = ([p[k] - mean[k] for p in points] for k in range(3))

    def dot(u, v):
        return sum(a * b for a, b in zip(u, v))
    det = dot(x, x) * dot(y, y) - dot(x, y) ** 2
    a = (dot(x, z) * dot(y, y) - dot(y, z) * dot(x, y)) / det
    b = (dot(y, z) * dot(x, x) - dot(x, z) * dot(x, y)) / det
    rest = sum((zk - a * xk - b * yk) ** 2 for xk, yk, zk in zip(x, y, z))
    return a, b, 1.0 - rest / dot(z, z)


def value(seen, n, asked):
    return seen.get(n, {}).get(asked, (math.nan, math.nan))


def world_table(world, started):
    brute = world["brute"]
    cells = [["strategy", "M = 0", "1", "100", "10 000", "500 000", "per found box at 100", "at 500 000", "times as fast as a plain loop at 100",
              "power of N at M = 1 (R²)", "at M = 100 (R²)", "power of M from 100 on (R²)",
              "first `step_init`, ns per box"]]

    def order(item):
        ns = value(item[1], MOST, 100.0)[1]
        return (math.isnan(ns), ns if ns == ns else value(item[1], max(item[1]), 100.0)[1])
    for name, seen in sorted(world.items(), key=order):
        some, half = value(seen, MOST, 100.0), value(seen, MOST, MOST / 2)
        cells.append(["a plain loop" if name == "brute" else f"`{name}`"] +
                     [three(value(seen, MOST, asked)[1]) for asked in (0.0, 1.0, 100.0, 10000.0)] + [three(half[1])] +
                     [three(some[1] / some[0]), three(half[1] / half[0]), three(value(brute, MOST, 100.0)[1] / some[1]),
                      power(over_n(seen, 1.0)), power(over_n(seen, 100.0)), power(over_m(seen, max(seen))),
                      three(started[name, max(seen)])])
    return rows_of(cells)


def tables(rows):
    seen = times(rows)

    def started(boxes):
        return {(row["gcd"], int(row["n"])): float(row["step_init_ns"]) for row in rows if row["boxes"] == boxes}
    return "\n".join(f"{WORLDS[name].capitalize()} ({name}), N = {number(MOST)}:\n\n{world_table(world, started(name))}"
                     for name, world in seen.items() if name in WORLDS)


def fitted(seen, name, worlds=WORLDS):
    return ", ".join(f"{boxes}: N^{a:.2f} M^{b:.2f} (R² {r2:.3f})" for boxes, (a, b, r2) in
                     ((boxes, plane(seen[boxes][name])) for boxes in worlds))


def claims(rows):
    """Texts of what was measured of Perkins' sentences about FindObjects, by name."""
    seen = times(rows)

    def at_one(name, worlds=WORLDS):
        return ", ".join(f"{boxes}: N^{slope(over_n(seen[boxes][name], 1.0)):.2f}" for boxes in worlds)

    def both(name):
        return f"`{name}`, M = 1: {at_one(name)}; 100 boxes to N / 10 found: {fitted(seen, name)}"
    return {
        "find_hashing": f"`hashing`, 100 boxes to N / 10 found, boxes numbered along the lattice: "
                        f"{fitted(seen, 'hashing', IN_ORDER)}; numbered by lot: {fitted(seen, 'hashing')}",
        "find_hashing_few": f"`hashing`, M = 1: {at_one('hashing', IN_ORDER)}; numbered by lot: {at_one('hashing')}",
        "find_lists": "here the search begins one widest box before the region, on the axis where that leaves the fewest: " +
                      both("dess"),
        "find_tree": both("rtree"), "find_all": both("pairing")}


def verdict(rows):
    """In words: the claim, what suits queries, what does not."""
    seen = times(rows)

    def took(name, boxes, asked):
        ns = value(seen[boxes][name], MOST, float(asked))[1]
        unit, by = ("ns", 1.0) if ns < 999.5 else ("µs", 1e3) if ns < 999.5e3 else ("ms", 1e6)
        return f"{three(ns / by)} {unit}"

    def faster(name, boxes, asked):
        at = [value(seen[boxes][one], MOST, float(asked))[1] for one in ("brute", name)]
        return three(at[0] / at[1])

    def powers(names, boxes, asked):
        found = sorted(slope(over_n(seen[boxes][name], asked)) for name in names)
        return f"{found[0]:.2f} to {found[-1]:.2f}"
    cells, strips = ("grid", "hgrid", "adaptive_grid"), ("spatial_sort", "dess", "dess_stripe", "sap_simd")
    start = {row["gcd"]: float(row["step_init_ns"]) for row in rows if row["boxes"] == "3D 1:10" and int(row["n"]) == MOST}
    pays = (start["adaptive_grid"] - start["hgrid"]) / (value(seen["3D 1:10"]["hgrid"], MOST, 1.0)[1] -
                                                        value(seen["3D 1:10"]["adaptive_grid"], MOST, 1.0)[1])
    return f"""**Perkins' root(N M) is right.** He claims it for hashing in 2D, not for DESS. It is the number of boxes that
hashing looks at: those of whole rows of cells under the region. The time follows this number where boxes are numbered along the
lattice, in 3D with the powers that follow for rows there. If the numbers are random, the boxes of a row are anywhere in memory, and
with more boxes fewer of them are in the cache: the power of N is higher, that of M the same. DESS as printed is linear
in N. If DESS begins one widest box before the region, it looks at a strip across all boxes: root(N M) of them in 2D,
N^(2/3) M^(1/3) in 3D. The measured power of M agrees with this; that of N is higher, for the reason given above. Boxes of sizes
1:10 widen the strip until nothing is
left of the gain: {faster("dess", "3D 1:10", 100)} times as fast as a plain loop at M = 100.

**For queries: `hgrid`**, the hierarchy of cells. A point among a million cubes takes {took("hgrid", "3D", 1)} (equal) and
{took("hgrid", "3D 1:10", 1)} (1:10), a hundred boxes {took("hgrid", "3D", 100)} and {took("hgrid", "3D 1:10", 100)}, which is
{faster("hgrid", "3D", 100)} and {faster("hgrid", "3D 1:10", 100)} times as fast as a plain loop; its power of N at M = 1 is
{slope(over_n(seen["3D"]["hgrid"], 1.0)):.2f} and {slope(over_n(seen["3D 1:10"]["hgrid"], 1.0)):.2f}. `adaptive_grid`
is faster for points of mixed sizes ({took("adaptive_grid", "3D 1:10", 1)}), but starts in {three(start["adaptive_grid"])} ns
per box, `hgrid` in {three(start["hgrid"])}: this pays from {three(pays)} points per box and start on. `lbvh` and `rtree` are about as
fast as `hgrid` with mixed sizes.

**Not for queries**: `pairing` and `bounding_volume` look at all boxes; `spatial_sort`, `dess`, `dess_stripe`, `sap_simd`
and `sort_update` look at a strip (power of N at M = 1 in 3D: the first four {powers(strips, "3D", 1.0)}, cells
{powers(cells, "3D", 1.0)}), `hashing` looks at rows. With mixed sizes `grid` is not for queries either, nor are `auto` and
`neighbor_list` when they use it: boxes larger than a cell are in one list that every query goes through ({took("grid", "3D 1:10", 1)} for a point).
`compare` asks the first of its two strategies.

For a large part of all boxes a plain loop is faster when boxes have random numbers. Half of a million cubes take
{took("brute", "3D", MOST / 2)} with the plain loop, {took("hgrid", "3D", MOST / 2)} with `hgrid`, but
{took("hgrid", "3D in order", MOST / 2)} with `hgrid` if they are numbered along the lattice. In the same order, a tenth takes {took("brute", "3D", MOST / 10)}, {took("hgrid", "3D", MOST / 10)} and
{took("hgrid", "3D in order", MOST / 10)}; a hundredth takes {took("brute", "3D", MOST / 100)}, {took("hgrid", "3D", MOST / 100)} and
{took("hgrid", "3D in order", MOST / 100)}. A run sorts storage by place (`renumber`)."""


def figure(rows, boxes="3D"):
    """Name: (asked, ns) at the most boxes."""
    world = times(rows)[boxes]
    return {("a plain loop" if name == "brute" else name): [(m, ns) for m, (_, ns) in sorted(world[name][MOST].items()) if m]
            for name in FIGURE}


def date(rows):
    return rows[0]["date"]


def wrong(rows):
    """Answers that are not all there; those given beyond are allowed."""
    return [row for row in rows if float(row["given"]) < float(row["found"])]
