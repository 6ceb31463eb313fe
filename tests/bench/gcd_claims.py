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
    """Texts of what was measured of Perkins' statements, by name."""
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

    def share(name):
        return ", ".join(f"{100 * t / dict(times[name])[n]:.0f} %" for n, t in sorting[name])
    return {
        "growth": f"local power of N at the end, {number(times['Hashing2'][-2][0])} to {number(most)} discs: " +
                  listed(by_value(times, lambda p: slope(p[-2:]))) + "; over all: " + listed(by_value(times, slope)),
        "order": f"at {number(most)} discs: " + " < ".join(sorted(at_most, key=at_most.get)),
        "dess2_hashing2": "DESS2 / Hashing2 = " + against(times, "DESS2", "Hashing2", 12000),
        "dess2_hashing": "DESS2 / Hashing = " + against(times, "DESS2", "Hashing"),
        "dess2_search": "the search in DESS2 / the whole of Hashing2 = " + against(
            searching | {"Hashing2": times["Hashing2"]}, "DESS2", "Hashing2") +
            f"; sorting is {share('DESS2')} of DESS2 at " + ", ".join(number(n) for n, _ in times["DESS2"]),
        "heap_insertion": "DESS / DESS2 = " + against(times, "DESS", "DESS2") + "; power of N of sorting, and of the search: " +
                          "; ".join(f"{name} {three(slope(sorting[name]))} and {three(slope(searching[name]))}"
                                    for name in ("DESS", "DESS2")),
        "double_sort": f"sorting is {share('DESS')} of DESS and {share('DESS2')} of DESS2 at " +
                       ", ".join(number(n) for n, _ in times["DESS"]) + " discs",
        "ratio_4": "time at 4 over time at 1: " + listed(by_value(ratio, lambda p: between(p, 1, 4))),
        "ratio_2_order": "at ratio 2: " + " < ".join(sorted(ratio, key=lambda name: dict(ratio[name])[2])) + "; at 4: " +
                         " < ".join(sorted(ratio, key=lambda name: dict(ratio[name])[4])),
        "ratio_32": "time at 32 over time at 1: " + listed(by_value(ratio, lambda p: between(p, 1, 32))),
        "ratio_32_resolved": "with it, 32 over 1: " + listed(by_value(both, lambda p: between(p, 1, 32))),
        "accuracy": "overlapping boxes over candidates at ratios " + ", ".join(f"{n:g}" for n, _ in untested["ranges"]) +
                    f": bounding volume {accuracy('volumes')}; R-tree {accuracy('tree')}; DESS {accuracy('ranks')}; "
                    f"SpatialSort by lists {accuracy('lists')}, by ranges {accuracy('ranges')}, in one pass "
                    f"{accuracy('one_pass')} (its candidates are tested as boxes unless `exact = false`)",
        "accuracy_square": "overlapping boxes over those in 3 x 3 cells as wide as the largest disc, at ratios " +
                           ", ".join(f"{at:g}: {three(a)}" for at, a in sorted(squares["grid"].items())) +
                           " (`hashing` tests what it finds and gives 1)",
        "rank_tree": rank_tree(ledger),
        "stripes": "entries of stripes per disc, " + "; ".join(
            f"{border} border, {kind}: " + ", ".join(
                f"{three(v)} at {number(n)}" for n, v in list(sorted(members[f"{key} {kind}"].items()))[::2])
            for key, border in (("printed", "printed"), ("reach", "corrected")) for kind in ("equal", "1:32"))}


def tower(claims, what, of):
    points = sorted(claim_series(claims, f"{what}_s")[of].items())
    return f"{three(points[-1][1] * 1e3)} ms (N^{three(slope(points))})"


def all_of(ledger, claims):
    """Texts about statements of O'Connor, Schinner and the lecture on strategies as a whole."""
    def local(points):
        return ", ".join(f"{number(a[0])} to {number(b[0])}: {three(slope((a, b)))}" for a, b in zip(points, points[1:]))

    def column(scene, key, what="gcd_s"):
        return series(ledger, scene, key, what)

    def mixed(name):
        return [float(row["gcd_s"]) / float(row["bodies"]) * 1e9 for value in (10.0, 5.0) for row in ledger
                if (row["scene"], row["gcd"], float(row["value"])) == ("mixed", name, value)]

    def seconds(points, wanted):
        return ", ".join(f"{number(n)}: {t:.2g} s" for n, t in points if n in wanted)
    discs, balls = (column(scene, "integrator.count") for scene in ("perkins-1", "spheres"))
    sums = {scene: column(scene, "integrator.count", "gcd_resolve_s")["spatial_sort"] for scene in ("perkins-1", "spheres")}
    size = {name: dict(points) for name, points in column("spheres", "integrator.count", "bytes_per_box").items()}
    starts = {name: dict(points) for name, points in column("spheres", "integrator.count", "step_init_s").items()}
    rest = [(n, t - dict(discs["grid"])[n]) for n, t in column("perkins-1", "integrator.count", "gcd_resolve_s")["grid"]]
    pairing = column("perkins-1", "integrator.count", "accuracy")["pairing"]
    sort_of = column("perkins-1", "integrator.count", "step_init_s")["spatial_sort"]
    full, most = "exchanges=1000000000", balls["rtree"][-2][0]
    return {
        "brute_force": "time of all pairs, power of N, discs: " + ", ".join(
            f"`{name}` {three(slope(discs[name]))}" for name in ("pairing", "bounding_volume")) +
            "; overlapping boxes over pairs of `pairing`: " + ", ".join(f"{three(a)} at {number(n)}" for n, a in pairing),
        "brute_force_small": "`bounding_volume` / `grid`, discs: " + against(discs, "bounding_volume", "grid") +
                             "; spheres: " + against(balls, "bounding_volume", "grid"),
        "after": f"the host's work on the candidates of `grid`, power of N over {number(rest[0][0])} to {number(rest[-1][0])} "
                 f"discs: {three(slope(rest))}",
        "rtree_cost": f"at {number(most)} spheres {100 * starts['rtree'][most] / dict(balls['rtree'])[most]:.0f} % of its time is "
                      f"the making of the tree, which has {size['rtree'][most]:.0f} bytes per box (`dess` "
                      f"{size['dess'][most]:.0f}, `hashing` {size['hashing'][most]:.0f})",
        "rtree_growth": "power of N, discs from 400 on: `rtree` " +
                        three(slope([p for p in discs["rtree"] if p[0] >= 400])) + ", N log N over the same numbers " +
                        three(slope([(n, n * math.log(n)) for n, _ in discs["rtree"] if n >= 400])),
        "families": "power of N from 400 discs, from 125 spheres on: " + ", ".join(
            f"`{name}` {three(slope([p for p in discs[name] if p[0] >= 400]))}, {three(slope(balls[name]))}"
            for name in ("grid", "adaptive_grid", "bsp", "orthtree", "neighbor_list", "spatial_sort")),
        "families_mixed": "ns per box, spheres 1:1, 1:10, 1:100: " + "; ".join(
            f"`{name}` " + ", ".join(three(ns) for ns in (dict(balls[name])[10648] / 10648 * 1e9, *mixed(name))) for name in ("grid", "hgrid", "hashing", "neighbor_list", "sap_simd", "sort_update", "spatial_sort", "dess")),
        "heapsort": f"sorting in `spatial_sort` (on both axes, by insertion after a first heapsort): N^{three(slope(sort_of))} over "
                    f"{number(sort_of[0][0])} to {number(sort_of[-1][0])} discs; by heapsort in each step (DESS, 2 N ends an axis): N^" +
                    three(slope(series(ledger, "perkins-1", "integrator.count", "step_init_s", ("DESS",))["DESS"])),
        "spatial_sort": "contact detection by `spatial_sort` (his method), power of N: discs " + local(discs["spatial_sort"]) +
                        "; spheres " + local(balls["spatial_sort"]),
        "serial_discs": "detection, with resolution, by `spatial_sort`: " + seconds(sums["perkins-1"], (100, 400, 1600, 6400, 102400)) +
                        f"; 400 to 6 400: N^{three(slope([p for p in sums['perkins-1'] if 400 <= p[0] <= 6400]))}, " +
                        f"to 102 400: N^{three(slope(sums['perkins-1'][-2:]))}",
        "serial_spheres": "the same of spheres: " + seconds(sums["spheres"], (125, 1000, 10648, 97336)) +
                          f"; N^{three(slope(sums['spheres'][-2:]))} at the end; `grid` there: " +
                          f"{column('spheres', 'integrator.count', 'gcd_resolve_s')['grid'][-1][1]:.2g} s",
        "reversal": f"`sort_update`, a tower of 4 000 boxes, 500 to 4 000: the step before {tower(claims, 'quiet', full)}, the "
                    f"reversal {tower(claims, 'reversal', full)}, the step after {tower(claims, 'after', full)}; as it is set by "
                    f"default, where exchanges are given up for a new start: {tower(claims, 'quiet', '-')}, "
                    f"{tower(claims, 'reversal', '-')}, {tower(claims, 'after', '-')}"}


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
    """Texts about the side of a cell: Mio, Zhao, PFC."""
    cell, test, ratio = kappa_ratio(claims)
    times, found = sums(claims), series(ledger, "pfc-5", "extents per cell")
    calls = claim_series(claims, "pfc_calls")

    def best(solid, search, sizes="1", times_as=1.0):
        return flat((at * times_as, ns) for at, ns in times[f"3D {sizes} {solid} {search}"].items() if at)
    dense = min(min(times[f"3D 1 0.6 {s}"].values()) for s in ("stencil", "window"))
    dirty = {name: dict(points) for name, points in series(ledger, "pfc-5", "dirty list", "gcd_s").items()}
    return {
        "kappa": f"kappa = {three(ratio)}: {three(test)} ns per test, {three(cell)} ns per searched cell in `grid`",
        "lambda": "lambda within a tenth of the fastest at solid fractions 0.6, 0.4, 0.2, 0.1, 0.05: stencil " +
                  ", ".join(best(s, "stencil") for s in ("0.6", "0.4", "0.2", "0.1", "0.05")) + "; window " +
                  ", ".join(best(s, "window") for s in ("0.6", "0.4", "0.2", "0.1", "0.05")) +
                  f"; at 0.6 window with 1.5 takes {three(times['3D 1 0.6 window'][1.5] / dense)} of the fastest",
        "load": "lambda of least load by the printed formula with kappa 10.47 at solid fractions 0.6, 0.2, 0.1: " +
                ", ".join(three(load_optimum(10.47, f)) for f in (0.6, 0.2, 0.1)) + f"; with our kappa {three(ratio)}: " +
                ", ".join(three(load_optimum(ratio, f)) for f in (0.6, 0.2, 0.1)),
        "side_sizes": f"spheres 1:4 of equal volume per size, S / D'50 (lambda, as D'50 is half of the largest): stencil "
                      f"{best('0.6', 'stencil', '4')}, window {best('0.6', 'window', '4')}; equal spheres (lambda / 2): stencil "
                      f"{best('0.6', 'stencil', '1', 0.5)}, window {best('0.6', 'window', '1', 0.5)}; contact detection knows "
                      "no shape but the box",
        "side_ratio": f"spheres 1:4, cells of the largest (lambda 2): {three(times['3D 4 0.6 stencil'][2.0])} ns per box, of the "
                      f"size that `grid` chooses: {three(times['3D 4 0.6 stencil'][0.0])}, equal spheres "
                      f"{three(times['3D 1 0.6 stencil'][0.0])}",
        "pfc": "`pfc-5`, extents per cell within a tenth of the best: " +
               "; ".join(f"`{name}` {flat(points)}" for name, points in sorted(found.items())),
        "dirty": f"`pfc-5`, time with only boxes that left their extent over time with all: " +
                 listed((f"`{name}`", of[1.0] / of[0.0]) for name, of in sorted(dirty.items())) +
                 f" ({calls['moved'][250]:.0f} detections in 250 steps, {calls['all'][250]:.0f} with all)"}


def printed_texts(printed, sort):
    """Texts about methods as their papers print them, and about sorting in pieces."""
    def by_ratio(method, what, unit=""):
        return ", ".join(f"{float(row[what]):.3g}{unit}" for row in printed if row["method"] == method)

    def split(keys, lists):
        found = [row for row in sort if int(row["keys"]) == keys and row["lists"] == lists]
        return ", ".join(f"{100 * float(row['one_s']) / float(row['lanes_s']) / int(row['lanes']):.0f} % on {row['lanes']}" for row in found)
    ratios = ", ".join(dict.fromkeys(f"1:{row['ratio']}" for row in printed))
    return {
        "printed_hashing": f"`as_printed`, ratios {ratios}: {by_ratio('hashing', 'accuracy', ' %')} of the pairs of hashing had to be "
                           f"found, in {by_ratio('hashing', 'times_grid')} times the time of `grid`; of those of DESS2 "
                           f"{by_ratio('DESS2', 'accuracy', ' %')}",
        "printed_oconnor": "`spatial_sort` with `as_printed` misses " + by_ratio("O'Connor 2.4.2", "missed", " %") +
                           f" of the pairs at ratios {ratios}",
        "split": f"efficiency of merge-splitting at 1 048 576 keys, random and sorted by heap: {split(1048576, 'random')} lanes; little "
                 f"moved and sorted by insertion: {split(1048576, 'nearly')}; at 4 096 random keys {split(4096, 'random')}"}


def texts(ledger, claims, printed, sort):
    """All texts by name; claims.toml names them."""
    return perkins(ledger, claims) | all_of(ledger, claims) | sides(ledger, claims) | printed_texts(printed, sort)
