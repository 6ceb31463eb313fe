# SPDX-License-Identifier: Apache-2.0
"""Compares statements of papers about contact detection with measurements: gcd.py measures, gcd_page.py shows."""
import collections
import json
import math
import pathlib
import re
import statistics
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

PERKINS = {"SpatialSort": 'plugin="spatial_sort"; method="one_pass";', "Hashing": 'plugin="hashing"; clear="full";',
           "Hashing2": 'plugin="hashing"; clear="touched";', "DESS": 'plugin="dess"; sort="heap";',
           "DESS2": 'plugin="dess"; sort="insertion";', "R-tree": 'plugin="rtree"; build="linear"; query="box";'}
QUICK_ONES = {name: words for name, words in PERKINS.items() if name != "SpatialSort"}
SLOW_ONE = {"SpatialSort": PERKINS["SpatialSort"]}
# Candidates are handed on as the methods find them.
UNTESTED = {"volumes": 'plugin="bounding_volume";', "tree": 'plugin="rtree"; build="linear"; query="box";',
            "ranks": 'plugin="dess";'} | {
    name: f'plugin="spatial_sort"; method="{name}"; exact=false;' for name in ("lists", "ranges", "one_pass")}
# Scene, what is varied, (steps, warm-up, repeats), methods.
METHODS = (("perkins-1", "integrator.count=400,1600,6400", (20, 5, 5), PERKINS),
           ("perkins-1", "integrator.count=25600", (20, 5, 3), QUICK_ONES),
           ("perkins-1", "integrator.count=25600", (5, 1, 3), SLOW_ONE),
           ("perkins-1", "integrator.count=102400", (8, 2, 2), QUICK_ONES),
           ("perkins-1", "integrator.count=102400", (2, 1, 1), SLOW_ONE),
           ("perkins-2-800", "integrator.ratio=1,2,4,8,16,32", (40, 10, 5), PERKINS),
           ("perkins-2-800", "integrator.ratio=1,2,4,32", (10, 1, 1), UNTESTED))
QUICK_METHODS = (("perkins-1", "integrator.count=100", (3, 1, 1), PERKINS),
                 ("perkins-2-800", "integrator.ratio=4", (2, 1, 1), UNTESTED))
EXTENT = 0.0675 * 1.001  # [m] side of pfc-5's, as its balls have grown; rounded up: what is larger than a cell goes apart
PER_CELL = (1, 2, 5, 10, 20, 50, 100)
# Strategies that map only boxes that moved, and one that does not.
DIRTY = {"cell_space": f'plugin="cell_space"; cells={round(1 / (10 * EXTENT ** 3))}; refine=false; smallest=0.0;',
         "bvh": 'plugin="bvh";', "sort_update": 'plugin="sort_update";', "grid": 'plugin="grid"; cell=0.145;'}


def pfc(options, compare):
    """Figure 5 of PFC: cells for so many extents. The domain of cell_space is at first the cube of 1 m."""
    length = (3, 0, 1) if options.quick else (250, 0, 2)
    fixed = ["generate.balls.count=200"] if options.quick else []
    at = PER_CELL[2:4] if options.quick else PER_CELL
    for which, path, values in (
            ({"grid": 'plugin="grid"; cell=1;'}, "gcd.cell", [round(EXTENT * k ** (1 / 3), 6) for k in at]),
            ({"cell_space": 'plugin="cell_space"; cells=1; refine=false; smallest=0.0;'}, "gcd.cells",
             [round(1 / (k * EXTENT ** 3)) for k in at])):
        rows = compare(options, "pfc-5", fixed, f"{path}={','.join(map(str, values))}", length, which)
        yield [row | {"value": at[values.index(float(row["value"]))], "varied": "extents per cell"} for row in rows]
    for name, settings in DIRTY.items():
        rows = compare(options, "pfc-5", fixed, "extent.renew=all,moved", length[:2] + (1 if options.quick else 5,), {name: settings})
        yield [row | {"value": ("all", "moved").index(row["value"]), "varied": "dirty list"} for row in rows]


def measure_methods(options, compare):
    for scene, varied, length, which in QUICK_METHODS if options.quick else METHODS:
        yield compare(options, scene, [], varied, length, which)
    yield from pfc(options, compare)


def measure_single(options, run, plugin):
    """Programs that load a plugin themselves; lines of: what, of which, at, value."""
    rows, begin = [], time.monotonic()

    def add(words, rounds=1):
        """The least of all rounds: others on the machine only ever add."""
        seen = [[line.split("\t") for line in run(["taskset", "-c", options.cpu, *words]).splitlines()]
                for _ in range(rounds)]
        for lines in zip(*seen):
            value = min((line[3] for line in lines), key=float)
            rows.append(dict(zip(("what", "of", "at", "value"), (*lines[0][:3], value))))
        print(f"{time.monotonic() - begin:6.0f} s  {' '.join(map(str, words[1:2]))}: {len(rows)} lines", flush=True)
    claims = options.build / "tests/bench/gcd_claims"
    for words in ((),) if options.quick else ((), ("exchanges=1000000000",)):
        add([claims, "reversal", plugin(options.build, "sort_update"), *words])
    add([claims, "squares", plugin(options.build, "grid")])
    for renew in () if options.quick else ("all", "moved"):
        out = run([options.build / "core/scree", "run", "configs/bench/pfc-5.cfg", "--json", "-q", "-o", tempfile.mkdtemp() + "/run",
                   "--set", f"extent.renew={renew}"], cwd=ROOT)
        rows.append({"what": "pfc_calls", "of": renew, "at": 250, "value": json.loads(out)["gcd_calls"]})
    if options.quick:
        return rows
    add([claims, "cells", plugin(options.build, "grid")], 5)
    for border in (), ("border=printed", "copies=1000000"):
        out = run(["taskset", "-c", options.cpu, options.build / "tests/bench/gcd_scaling",
                   plugin(options.build, "dess_stripe"), *border])
        for line in out.splitlines():
            found = re.match(r"\S+ +(\S.*?) +(\d+) boxes .* (\S+) pivots/box +(\S+) ns/box", line)
            if found and found[1] in ("equal", "1:32"):
                of = f"{'printed' if border else 'reach'} {found[1]}"
                rows += [{"what": "stripe_members", "of": of, "at": found[2], "value": found[3]},
                         {"what": "stripe_ns", "of": of, "at": found[2], "value": found[4]}]
    return rows


# ---- the page ----

def number(n):
    return f"{n:,.0f}".replace(",", " ")


def three(x):
    if not math.isfinite(x):
        return "-"
    return f"{x:.3g}" if abs(x) < 999.5 else number(float(f"{x:.3g}"))


def rows_of(cells):
    cells = [[str(c) for c in row] for row in cells]
    head = "| " + " | ".join(cells[0]) + " |\n|" + " --- |" * len(cells[0]) + "\n"
    return head + "".join("| " + " | ".join(row) + " |\n" for row in cells[1:])


def slope(points):
    points = [(math.log(x), math.log(y)) for x, y in points]
    if len(points) < 2:
        return math.nan
    mx, my = (statistics.mean(p[k] for p in points) for k in (0, 1))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def series(rows, scene, key, what="gcd_s", which=None):
    found = collections.defaultdict(dict)
    for row in rows:
        if row["scene"] == scene and row["varied"] == key and row["outcome"] == "ok" and \
                (which is None or row["gcd"] in which):
            found[row["gcd"]][float(row["value"])] = float(row[what])
    return {name: sorted(points.items()) for name, points in found.items()}


def claim_series(rows, what):
    found = collections.defaultdict(dict)
    for row in rows:
        if row["what"] == what:
            found[row["of"]][float(row["at"])] = float(row["value"])
    return found


def listed(pairs, of=""):
    return ", ".join(f"{name} {three(value)}{of}" for name, value in pairs if math.isfinite(value))


def by_value(found, key):
    return sorted(((name, key(points)) for name, points in found.items()), key=lambda item: item[1])


def between(points, a, b):
    values = dict(points)
    return values[b] / values[a] if a in values and b in values else math.nan


def against(found, a, b, most=math.inf):
    """Time of a over that of b, at each number."""
    one, two = dict(found[a]), dict(found[b])
    return ", ".join(f"{three(one[n] / two[n])} at {number(n)}" for n in sorted(set(one) & set(two)) if n < most)


def rank_tree(ledger):
    """The open question of his section 7.1."""
    def columns(scene, what):
        return series(ledger, scene, "integrator.count", what, ("dess_rtree", "rtree", "dess"))
    texts = []
    for scene, bodies in (("perkins-1", "discs"), ("spheres", "spheres")):
        times, sorting, size = (columns(scene, what) for what in ("gcd_s", "step_init_s", "bytes_per_box"))
        most = times["rtree"][-1][0]
        search = {name: dict(points)[most] - dict(sorting[name])[most] for name, points in times.items()}
        late = {name: slope([point for point in points if point[0] >= 1000]) for name, points in times.items()}
        texts.append(f"{number(most)} {bodies}: its search takes {three(search['dess_rtree'] / search['rtree'])} of that of "
                     f"`rtree`, but with sorting it takes {three(dict(times['dess_rtree'])[most] / dict(times['rtree'])[most])} of "
                     f"the time and {three(dict(size['dess_rtree'])[most] / dict(size['rtree'])[most])} of the memory; power of N "
                     f"from 1 000 on {three(late['dess_rtree'])} (`dess` {three(late['dess'])}, `rtree` {three(late['rtree'])}), time "
                     f"{three(dict(times['dess_rtree'])[most] / dict(times['dess'])[most])} of that of `dess`")
    return "`dess_rtree`, " + "; ".join(texts)


def perkins(ledger, claims):
    times = series(ledger, "perkins-1", "integrator.count", which=PERKINS)
    sorting = series(ledger, "perkins-1", "integrator.count", "step_init_s", PERKINS)
    tested = [row for row in ledger if row["gcd"] in PERKINS]
    ratio = series(tested, "perkins-2-800", "integrator.ratio")
    both = series(tested, "perkins-2-800", "integrator.ratio", "gcd_resolve_s")
    untested = series(ledger, "perkins-2-800", "integrator.ratio", "accuracy", UNTESTED)
    squares, members = (claim_series(claims, what) for what in ("square_accuracy", "stripe_members"))
    most = max(n for points in times.values() for n, _ in points)
    at_most = {name: dict(points)[most] for name, points in times.items() if most in dict(points)}
    searching = {name: [(n, t - dict(sorting[name])[n]) for n, t in points] for name, points in times.items()}

    def accuracy(name):
        return ", ".join(three(a) for _, a in untested[name])
    cells = [["claim (Perkins 1999, sections 5 and 6)", "measured here"],
             ["test 1: Hashing2 approaches N; DESS, DESS2 and Hashing approach N^1.5",
              f"local power of N at the end, {number(times['Hashing2'][-2][0])} to {number(most)} discs: " +
              listed(by_value(times, lambda p: slope(p[-2:]))) + "; over all: " + listed(by_value(times, slope))],
             ["order: Hashing2, Hashing, DESS2, DESS, and SpatialSort \"worse even than expected\"",
              f"at {number(most)} discs: " + " < ".join(sorted(at_most, key=at_most.get))],
             ["DESS2 within a factor 2 of Hashing2 below 12 000 discs",
              "DESS2 / Hashing2 = " + against(times, "DESS2", "Hashing2", 12000)],
             ["DESS2 hardly slower than Hashing", "DESS2 / Hashing = " + against(times, "DESS2", "Hashing")],
             ["DESS is like DESS2: rearrangement is insignificant",
              "DESS / DESS2 = " + against(times, "DESS", "DESS2") + "; power of N of sorting, and of the search: " +
              "; ".join(f"{name} {three(slope(sorting[name]))} and {three(slope(searching[name]))}"
                        for name in ("DESS", "DESS2"))],
             ["test 2 at 800 discs: from ratio 1 to 4 DESS changes less than hashing",
              "time at 4 over time at 1: " + listed(by_value(ratio, lambda p: between(p, 1, 4)))],
             ["DESS2 does not depend on the ratio up to 32",
              "time at 32 over time at 1: " + listed(by_value(ratio, lambda p: between(p, 1, 32)))],
             ["hashing fails when small discs leak out of the ring",
              "`hashing` is folded like a torus; all methods come to one state at each ratio"],
             ["his times have the resolution of candidates in them",
              "with it, 32 over 1: " + listed(by_value(both, lambda p: between(p, 1, 32)))],
             ["accuracy: bounding volume as R-tree, SpatialSort nearly the same",
              "overlapping boxes over candidates at ratios " + ", ".join(f"{n:g}" for n, _ in untested["ranges"]) +
              f": bounding volume {accuracy('volumes')}; R-tree {accuracy('tree')}; DESS {accuracy('ranks')}; "
              f"SpatialSort by lists {accuracy('lists')}, by ranges {accuracy('ranges')}, in one pass "
              f"{accuracy('one_pass')} (its candidates are tested as boxes unless `exact = false`)"],
             ["accuracy of hashing: much worse, a square of 3 cells",
              "overlapping boxes over those in 3 x 3 cells as wide as the largest disc, at ratios " +
              ", ".join(f"{at:g}: {three(a)}" for at, a in sorted(squares["grid"].items())) +
              " (`hashing` tests what it finds and gives 1)"]]
    cells.append(["7.1, open: an R-tree over the whole numbers of DESS could save time and memory compared with one over "
                  "coordinates, and might scale better than DESS", rank_tree(ledger)])
    if members:
        cells.append(["striping has a fault of scaling that is not found",
                      "entries of stripes per disc, " + "; ".join(
                          f"{border} border, {kind}: " + ", ".join(
                              f"{three(v)} at {number(n)}" for n, v in list(sorted(members[f"{key} {kind}"].items()))[::2])
                          for key, border in (("printed", "printed"), ("reach", "corrected"))
                          for kind in ("equal", "1:32"))])
    return rows_of(cells)


def sorted_lists(ledger, claims):
    """O'Connor and Schinner."""
    discs = series(ledger, "perkins-1", "integrator.count").get("spatial_sort", [])
    balls = series(ledger, "spheres", "integrator.count").get("spatial_sort", [])

    def local(points):
        return ", ".join(f"{number(a[0])} to {number(b[0])}: {three(slope((a, b)))}" for a, b in zip(points, points[1:]))

    def tower(what, of):
        points = sorted(claim_series(claims, f"{what}_s")[of].items())
        return f"{three(points[-1][1] * 1e3)} ms (N^{three(slope(points))})"
    full = "exchanges=1000000000"
    return rows_of([
        ["claim", "measured here"],
        ["O'Connor 1996, 2.4: N log N; his tables 7.3 and 7.5, whole program: discs N^1.3 (100 to 400) to N^2.0 "
         "(8 100), spheres N^2.2 (32 000 to 100 000)",
         f"contact detection by `spatial_sort` (his method), power of N: discs {local(discs)}; spheres {local(balls)}"],
        ["Schinner 1999, 3.4: a reversal of all boxes costs N^2 in one step, the following steps N again",
         f"`sort_update`, a tower of 4 000 boxes, 500 to 4 000: the step before {tower('quiet', full)}, the "
         f"reversal {tower('reversal', full)}, the step after {tower('after', full)}; as it is set by default, where "
         f"exchanges are given up for a new start: {tower('quiet', '-')}, {tower('reversal', '-')}, "
         f"{tower('after', '-')}"],
        ["Schinner, table 2 and figure 6: golden orders of ends", "tests `gcd_sort_update` (one pair added by two "
         "exchanges, listed or not; a reversal and back) and, of the lecture's lists, one candidate of two lists"],
        ["O'Connor, tables 2.1 and 2.2: eleven boxes sorted", "test `gcd_spatial_sort`: pivots in the order of table "
         "2.2, box 1 meets 6, 10 and 3"],
        ["Perkins, figures 3 and 4: 36 cases of two boxes", "test `gcd_dess`: of both axes' cases those are matched "
         "that figure 4 names, and no others"],
        ["Schinner, 4.2, figure 10: features stay closest for hundreds of steps; walks of the closest feature",
         "not contact detection but contact resolution: `closest_feature` tracks features of polygons, "
         "[measured](contact-resolution.md#schinners-claims)"]])


def load_optimum(kappa, solid):
    """Mio's load in units of a searched cell (the lecture's L_CPU): side of a cell in radii where it is least."""
    def load(lam):
        cells = 1.14 * math.exp(2.65 / (lam + 0.80))
        return cells ** 3 + 0.5 * kappa * (solid / (4 / 3 * math.pi) * (cells * lam) ** 3 - 1)
    return min((k / 100 for k in range(100, 1001)), key=load)


def line(points):
    """Least squares: (at 0, slope)."""
    mx, my = (statistics.mean(p[k] for p in points) for k in (0, 1))
    by = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)
    return my - by * mx, by


def kappa(claims):
    """[ns] of a searched cell and of a test, from sparse equal boxes where hardly one pair is reported: the time of the
    search is a line over the tests; a box has 5 cells to search in 2D and 14 in 3D, which tell its beginnings apart."""
    tests, times = claim_series(claims, "cells_tests"), claim_series(claims, "cells_find_ns")
    fits = [line([(tests[of][at], times[of][at]) for of in tests for at in tests[of]
                  if of.startswith(d) and float(of.split()[2]) <= 0.2 and tests[of][at] < 80]) for d in ("2D 1 ", "3D 1 ")]
    return (fits[1][0] - fits[0][0]) / 9, fits[1][1], fits


def sums(claims):
    found = {of: dict(points) for of, points in claim_series(claims, "cells_init_ns").items()}
    for of, points in claim_series(claims, "cells_find_ns").items():
        for at, ns in points.items():
            found[of][at] += ns
    return found


def flat(points):
    """From where to where it takes no more than a tenth beyond the least."""
    points = list(points)
    least = min(t for _, t in points)
    found = [at for at, t in points if t <= 1.1 * least]
    return f"{min(found):g}" + (f" to {max(found):g}" if len(found) > 1 else "")


def cells_table(claims):
    _, _, ratio = kappa_ratio(claims)
    times = sums(claims)
    cells = [["boxes", "solid fraction", "as `grid` chooses, ns", "fastest stencil, ns (lambda)",
              "fastest window, ns (lambda)", "lambda of least load: kappa 10.47", f"kappa {three(ratio)}"]]
    for of in times:
        d, sizes, solid, search = of.split()
        if search != "stencil":
            continue
        own = times[of][0.0]
        swept = [[(at, ns) for at, ns in times[f"{d} {sizes} {solid} {s}"].items() if at] for s in ("stencil", "window")]
        best = [min(ns for _, ns in points) for points in swept]
        loads = [three(load_optimum(k, float(solid))) if d == "3D" and sizes == "1" else "" for k in (10.47, ratio)]
        cells.append([{"2D": "discs", "3D": "spheres"}[d] + (f", 1:{sizes}" if sizes != "1" else ""), solid,
                      f"{three(own)} ({three(own / min(best))} of the fastest)",
                      *(f"{three(ns)} ({flat(points)})" for ns, points in zip(best, swept)), *loads])
    return rows_of(cells)


def kappa_ratio(claims):
    cell, test, _ = kappa(claims)
    return cell, test, test / cell


def pfc_table(ledger):
    found = series(ledger, "pfc-5", "extents per cell")
    at = sorted({n for points in found.values() for n, _ in points})
    cells = [["extents per cell"] + [f"{n:g}" for n in at]]
    for name, points in sorted(found.items()):
        least = min(t for _, t in points)
        cells.append([f"`{name}`"] + [three(dict(points)[n] / least) if n in dict(points) else "-" for n in at])
    return rows_of(cells)


def dirty_table(ledger, claims):
    """The gain in pfc-5 when only boxes that were left are renewed."""
    calls, cells = claim_series(claims, "pfc_calls"), []
    gcd, both = (series(ledger, "pfc-5", "dirty list", what) for what in ("gcd_s", "gcd_resolve_s"))
    for name, points in sorted(gcd.items(), key=lambda item: item[1][0][1]):
        (_, whole), (_, dirty) = points
        (_, all_whole), (_, all_dirty) = both[name]
        cells.append([f"`{name}`", three(whole * 1e3), three(dirty * 1e3), three(dirty / whole), three(all_dirty / all_whole)])
    head = [f"`{renew}`: {calls[renew][250]:.0f} detections, ms per step" for renew in ("all", "moved")]
    return rows_of([["strategy", *head, "`moved` / `all`", "with the host's work on pairs"], *cells])


def sides(ledger, claims):
    """The side of a cell: Mio, Zhao, PFC."""
    cell, test, ratio = kappa_ratio(claims)
    times, found = sums(claims), series(ledger, "pfc-5", "extents per cell")

    def best(solid, search, sizes="1", times_as=1.0):
        return flat((at * times_as, ns) for at, ns in times[f"3D {sizes} {solid} {search}"].items() if at)
    dense = min(min(times[f"3D 1 0.6 {s}"].values()) for s in ("stencil", "window"))
    return rows_of([
        ["claim", "measured here"],
        ["Mio 2005 (lecture): a test costs kappa = 10.47 searched cells",
         f"kappa = {three(ratio)}: {three(test)} ns per test, {three(cell)} ns per searched cell in `grid`"],
        ["Mio: side of a cell lambda = c / r = 1.5, more in sparse packings",
         "lambda within a tenth of the fastest at solid fractions 0.6, 0.4, 0.2, 0.1, 0.05: stencil " +
         ", ".join(best(s, "stencil") for s in ("0.6", "0.4", "0.2", "0.1", "0.05")) + "; window " +
         ", ".join(best(s, "window") for s in ("0.6", "0.4", "0.2", "0.1", "0.05")) +
         f"; at 0.6 window with 1.5 takes {three(times['3D 1 0.6 window'][1.5] / dense)} of the fastest"],
        ["Mio: the optimum is insensitive to a range of sizes; Zhao 2006: S / D'50 = 1.5, shape hardly matters",
         f"spheres 1:4 of equal volume per size, S / D'50 (lambda, as D'50 is half of the largest): stencil "
         f"{best('0.6', 'stencil', '4')}, window {best('0.6', 'window', '4')}; equal spheres (lambda / 2): stencil "
         f"{best('0.6', 'stencil', '1', 0.5)}, window {best('0.6', 'window', '1', 0.5)}; contact detection knows no "
         "shape but the box"],
        ["the lecture: cells are insensitive to the ratio of sizes (Zhao), and degenerate to brute force",
         f"spheres 1:4, cells of the largest (lambda 2): {three(times['3D 4 0.6 stencil'][2.0])} ns per box, of the size "
         f"that `grid` chooses: {three(times['3D 4 0.6 stencil'][0.0])}, equal spheres {three(times['3D 1 0.6 stencil'][0.0])}"],
        ["PFC: 5 to 20 extents per cell are a flat optimum; Mio 2007: 1 to 5", "`pfc-5`, extents per cell within a tenth of the best: " +
         "; ".join(f"`{name}` {flat(points)}" for name, points in sorted(found.items()))],
        ["PFC: refinement above 10 centroids, none below 2; 1 000 (2D), 10 000 (3D) parent cells",
         "the defaults of `cell_space`"]])
