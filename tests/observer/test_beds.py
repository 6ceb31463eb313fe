# SPDX-License-Identifier: Apache-2.0
"""Observers `mixing` and `angle` on beds that are made up: what they say of them is known in closed form.

usage: test_beds.py SCREE
"""
import math
import re
import random

from common import tap  # noqa: E402

from runs import read_numbers, scree  # noqa: E402
RADIUS = 1e-3


def look(top, name, groups, observer, dimension=3, gravity=None, more=""):
    """The row of an observer of bodies at rest at the places given: {group: [(x, y, z)]} or with a radius."""
    generate = ""
    for group, places in groups.items():
        axes = "xyz"[:dimension]
        lines = [",".join(axes) + ",radius"]
        lines += [",".join(repr(v) for v in place[:dimension]) + f",{place[3] if len(place) > 3 else RADIUS!r}" for place in places]
        (top / f"{name}-{group}.csv").write_text("\n".join(lines) + "\n")
        generate += f'{group} = {{ plugin = "table"; file = "{name}-{group}.csv"; material = "glass"; }}; '
    gravity = gravity or ("(0.0, 0.0, -9.81)" if dimension == 3 else "(0.0, -9.81)")
    (top / f"{name}.cfg").write_text(f"""
scene = {{ dimension = {dimension}; dt = 1e-9; steps = 1; gravity = {gravity}; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
generate = {{ {generate} }};
force = ( {{ plugin = "linear"; kn = 1.0; }} );
observers = {{ o = {{ {observer} file = "o"; every_steps = 10; }}; }};
{more}
""")
    seen = scree(top, "run", "-q", f"{name}.cfg", "-o", name)
    if seen.returncode:
        return {"error": seen.stderr}
    return read_numbers(top / name / "o.csv")[0]


def near(row, key, wanted, tolerance=1e-12):
    return key in row and math.isclose(row[key], wanted, rel_tol=tolerance, abs_tol=tolerance)


def lattice(n, step=4e-3):
    return [((i + 0.5) * step, (j + 0.5) * step, (k + 0.5) * step) for i in range(n) for j in range(n) for k in range(n)]


def split(places, tracer):
    return {"a": [p for p in places if tracer(p)], "b": [p for p in places if not tracer(p)]}


def cell_of(p, step=4e-3):
    return tuple(round(v / step - 0.5) for v in p)


MIX = 'plugin = "mixing"; tracers = ["a"];'


def check_mixing(top):
    bed = lattice(8)
    n = len(bed)
    board = split(bed, lambda p: sum(cell_of(p)) % 2 == 0)
    row = look(top, "board", board, f"{MIX} cell = 0.008;")
    mixed = 0.25 * (64 - 1) / (n - 1)
    tap.check("a checkerboard in cells of both colours: no variance, an index just above 1", near(row, "variance", 0.0)
              and near(row, "segregated", 0.25) and near(row, "mixed", mixed) and near(row, "lacey", 0.25 / (0.25 - mixed))
              and row["cells"] == 64 and row["bodies"] == 512 and near(row, "segregation", 0.0), row)
    row = look(top, "single", board, f"{MIX} cell = 0.004;")
    tap.check("... in cells of one body each: segregated", near(row, "variance", 0.25)
              and row["cells"] == 512 and math.isnan(row["lacey"]), row)
    for name, cell, said in (("alone", 0.004, r"1 bodies per cell of 0\.004 m, expected 2 or more"),
                             ("metres", 15.0, r"cell = 15 m is more than the 0\.028 m over which the bodies spread")):
        row = look(top, f"cell-{name}", board, f"{MIX} cell = {cell}; origin = (0.016, 0.016, 0.016);")
        seen = scree(top, "run", "-q", f"cell-{name}.cfg", "-o", f"cell-{name}-2")
        tap.check(f"no index in cells of {cell} m, which one warning says", math.isnan(row["lacey"])
                  and len(re.findall(r"observers\.o: warning: no lacey index: " + said, seen.stderr)) == 1, seen)
    layers = split(bed, lambda p: p[2] > 0.016)
    row = look(top, "layers", layers, f"{MIX} cell = 0.008;")
    tap.check("two layers: index 0, tracers on top", near(row, "lacey", 0.0) and near(row, "variance", 0.25)
              and near(row, "segregation", 1.0) and near(row, "height_tracers", 0.024) and near(row, "height_others", 0.008), row)
    row = look(top, "down", split(bed, lambda p: p[2] < 0.004), f"{MIX} cell = 0.008;")
    p = 1.0 / 8.0  # a quarter of the cells have half tracers, the others none
    tap.check("an eighth at the bottom: variance in closed form, segregation -1", near(row, "share", p) and near(
        row, "variance", 0.25 * (0.5 - p) ** 2 + 0.75 * p ** 2) and near(row, "segregation", -1.0), row)
    row = look(top, "sideways", split(bed, lambda p: p[0] > 0.016), f"{MIX} cell = 0.008;")
    tap.check("side by side: segregated by cells, not by height", near(row, "lacey", 0.0) and near(row, "segregation", 0.0), row)
    row = look(top, "axis", split(bed, lambda p: p[0] > 0.016), f"{MIX} cell = 0.008; axis = (2.0, 0.0, 0.0);")
    tap.check("... but along that axis", near(row, "segregation", 1.0), row)
    row = look(top, "window", layers, f"{MIX} cell = 0.008; min = (0.0, 0.0, 0.016); max = (1.0, 1.0, 1.0);")
    tap.check("a box that leaves one kind: no index", row.get("bodies") == 256 and math.isnan(row["lacey"])
              and math.isnan(row["segregation"]), row)
    row = look(top, "few", board, f"{MIX} cell = 0.012; min_count = 27;")
    tap.check("cells with few bodies are left out", row.get("cells") == 8 and row["bodies"] == 216, row)
    sizes = {"a": [(*q, 1e-3 if sum(cell_of(q)) % 2 else 1.5e-3) for q in bed]}
    row = look(top, "sizes", sizes, 'plugin = "mixing"; radius_above = 0.00125; cell = 0.008;')
    tap.check("kinds by size", row.get("tracers") == 256 and near(row, "lacey", 0.25 / (0.25 - mixed)), row)
    row = look(top, "default", {"a": [(*q, 5e-4) for q in board["a"]], "b": [(*q, 1.5e-3) for q in board["b"]]}, MIX)
    tap.check("without cell: 4 mean diameters", near(row, "variance", 0.0) and row["cells"] == 64, row)


def check_random(top):
    rng, bed, runs = random.Random(12), lattice(8), 60
    found, index = [], []
    for k in range(runs):
        names = rng.sample(bed, 154)
        chosen = set(names)
        row = look(top, f"random-{k}", split(bed, lambda q, c=chosen: q in c), f"{MIX} cell = 0.0107;")
        found.append(row["variance"] / row["mixed"])
        index.append(row["lacey"])
    mean = sum(found) / runs
    error = math.sqrt(sum((f - mean) ** 2 for f in found) / (runs - 1) / runs)
    tap.check("kinds at random: the variance is the one that `mixed` expects, of cells of different numbers",
              abs(mean - 1.0) < 4.0 * error and error < 0.05, (mean, error))
    tap.check("... so that the index is 1 in the mean", abs(sum(index) / runs - 1.0) < 0.01, sum(index) / runs)


def pile(slope, height=0.06, step=1.7e-3, dimension=3):
    """Bodies under a cone, in 2D a wedge, about (0.01, -0.02), on a lattice that no axis of columns has."""
    places, turn = [], 0.3
    most = round(height / slope / step) + 2
    for i in range(-most, most + 1):
        for j in range(-most, most + 1) if dimension == 3 else (0,):
            x = step * (i * math.cos(turn) - j * math.sin(turn)) if dimension == 3 else step * (i + 0.3)
            y = step * (i * math.sin(turn) + j * math.cos(turn)) if dimension == 3 else 0.0
            top = height - slope * math.hypot(x, y)
            places += [(0.01 + x, -0.02 + y, top - RADIUS - 2.5e-3 * k) if dimension == 3 else (0.01 + x, top - RADIUS - 2.5e-3 * k)
                       for k in range(3) if top - 2.5e-3 * k > 2.0 * RADIUS]
    return {"a": places}


def plane(slope, turned, dimension=3, step=1.9e-3):
    places = []
    for i in range(-25, 26):
        for j in range(-8, 9) if dimension == 3 else (0,):
            x, y = step * i, step * j
            top = slope * (x * math.cos(turned) + y * math.sin(turned))
            bend = 4.0 * max(0.0, abs(x) / (25 * step) - 0.75) ** 2 * 0.05 * math.copysign(1.0, -x)  # the ends
            places += [(x, y, top + bend - 2.5e-3 * k) if dimension == 3 else (x, top + bend - 2.5e-3 * k) for k in range(3)]
    return {"a": places}


def check_angle(top):
    for degrees in (8.0, 22.0, 35.0):
        slope = math.tan(math.radians(degrees))
        row = look(top, f"cone-{degrees}", pile(slope), 'plugin = "angle"; touching = false; centre = (0.01, -0.02, 0.0);')
        tap.check(f"a cone of {degrees} degrees", near(row, "degrees", degrees, 1e-6) and near(row, "height", 0.06, 1e-6)
                  and row["points"] > 100 and row["rms"] < 1e-9 and near(row, "angle", math.radians(degrees), 1e-6)
                  and near(row, "tangent", slope, 1e-6), row)
        free = look(top, f"free-{degrees}", pile(slope), 'plugin = "angle"; touching = false;')
        tap.check("... with the axis from the mean place of the bodies, within 0.2 degrees", near(free, "degrees", degrees, 0.2), free)
        flat = look(top, f"wedge-{degrees}", pile(slope, dimension=2), 'plugin = "angle"; touching = false; centre = (0.01, 0.0);', 2)
        tap.check(f"2D: a wedge of {degrees} degrees", near(flat, "degrees", degrees, 1e-6) and flat["points"] > 8, flat)
    for degrees, turned in ((12.0, 0.0), (30.0, 0.0), (30.0, 0.4)):
        slope = math.tan(math.radians(degrees))
        row = look(top, f"plane-{degrees}-{turned}", plane(slope, turned), 'plugin = "angle"; surface = "plane"; touching = false; to = 0.7;')
        tap.check(f"a plane of {degrees} degrees that rises at {turned} rad, with bent ends", near(row, "degrees", degrees, 1e-6)
                  and near(row, "direction_x", math.cos(turned), 1e-6) and near(row, "direction_y", math.sin(turned), 1e-6), row)
        whole = look(top, f"whole-{degrees}-{turned}", plane(slope, turned), 'plugin = "angle"; surface = "plane"; touching = false; to = 1.0;')
        tap.check("... which are left out for a reason", abs(whole["degrees"] - degrees) > 0.1, whole)
    flat = look(top, "line", plane(-0.5, 0.0, 2), 'plugin = "angle"; surface = "plane"; touching = false; to = 0.7;', 2)
    tap.check("2D: a line that falls", near(flat, "tangent", 0.5, 1e-6) and near(flat, "direction_x", -1.0), flat)
    tilted = look(top, "tilted", plane(0.0, 0.0), 'plugin = "angle"; surface = "plane"; touching = false; to = 0.7;',
                  gravity="(-3.0, 0.0, -6.0)")
    tap.check("up is against gravity: a level bed under gravity that is tilted is a slope", near(tilted, "tangent", 0.5, 1e-2), tilted)
    places = pile(0.4)["a"] + [(0.01 + 2.1e-3 * k, -0.02, 0.1) for k in range(-20, 20)]
    flies = look(top, "flies", {"a": places}, 'plugin = "angle"; centre = (0.01, -0.02, 0.0);')
    tap.check("what flies does not count", near(flies, "tangent", 0.4, 0.02), flies)
    rolled = [(0.01 + 0.3 * math.cos(k), -0.02 + 0.3 * math.sin(k), RADIUS) for k in range(30)]
    away = look(top, "away", {"a": pile(0.4)["a"] + rolled}, 'plugin = "angle"; touching = false; centre = (0.01, -0.02, 0.0);')
    tap.check("grains that have rolled away do not count", near(away, "tangent", 0.4, 1e-6), away)
    alone = look(top, "alone", {"a": [(0.0, 0.0, 0.0)]}, 'plugin = "angle"; touching = false;')
    narrow = {"a": [(x * 2.1e-3, y * 2.1e-3, 0.3 * x * 2.1e-3) for x in range(-5, 6) for y in range(-2, 3)]}
    for places, name, wanted in ((narrow, "narrow", 9), ({"a": [(x * 2.1e-3, 0.0, 0.3 * x * 2.1e-3) for x in range(-8, 9)]}, "ridge", 6)):
        row = look(top, name, places, 'plugin = "angle"; surface = "plane"; touching = false; to = 0.6;')
        tap.check(f"a {name} bed has smaller columns", near(row, "tangent", 0.3, 1e-6) and row["points"] >= wanted, row)
    few = [(0.0, 0.0, 0.0), (0.01, 0.0, 0.02), (0.0, 0.01, 0.0), (0.01, 0.01, 0.02), (0.02, 0.0, 0.04), (0.02, 0.01, 0.04), (0.03, 0.0, 0.06), (0.03, 0.01, 0.06)]
    row = look(top, "sparse", {"a": few}, 'plugin = "angle"; surface = "plane"; touching = false; to = 1.0;')
    tap.check("8 tops are too few for a plane", row.get("points") == 8 and math.isnan(row["degrees"]) and math.isnan(row["rms"]), row)
    seen = scree(top, "run", "-q", "sparse.cfg", "-o", "sparse-2")
    tap.check("... which the end of the run warns of", re.search(r"observers\.o: warning: 2 of 2 rows of o\.csv have no angle: a fit needs 9 columns "
              r"with a top, of 0\.00\d+ m here", seen.stderr), seen)
    row = look(top, "enough", {"a": few + [(0.02, 0.02, 0.04)]}, 'plugin = "angle"; surface = "plane"; touching = false; to = 1.0;')
    tap.check("9 are enough", row["points"] == 9 and near(row, "tangent", 2.0, 1e-6), row)
    tap.check("... without a warning", "warning" not in scree(top, "run", "-q", "enough.cfg", "-o", "enough-2").stderr)
    tap.check("one body has no slope", math.isnan(alone.get("degrees", 0.0)), alone)


def axes_of(up):
    """Unit vectors e1, e2 across and e3 along `up`; in 2D e1 and e3."""
    norm = math.hypot(*up)
    e3 = [u / norm for u in up]
    if len(up) == 2:
        return [[e3[1], -e3[0]], e3]
    a = [0.0, 0.0, 0.0]
    a[min(range(3), key=lambda k: abs(e3[k]))] = 1.0
    e1 = [e3[(k + 1) % 3] * a[(k + 2) % 3] - e3[(k + 2) % 3] * a[(k + 1) % 3] for k in range(3)]
    e1 = [x / math.hypot(*e1) for x in e1]
    return [e1, [e3[(k + 1) % 3] * e1[(k + 2) % 3] - e3[(k + 2) % 3] * e1[(k + 1) % 3] for k in range(3)], e3]


def grains(rng, surface, wide, depth, dimension):
    """Disordered grains, 2 radii apart in the mean, that are whole below a surface of height surface(r) over places
    across within `wide`, and above -depth."""
    step, found = 2.0 * RADIUS, []
    n, most = int(wide / step) + 1, int((surface(*[0.0] * (dimension - 1)) + wide) / step) + 2
    for index in ((i, j) for i in range(-n, n + 1) for j in (range(-n, n + 1) if dimension == 3 else (0,))):
        start = rng.uniform(0.0, 1.0)  # no layers, which would be terraces
        for k in range(-most, most + 1):
            at = [step * (i + rng.uniform(-0.2, 0.2)) for i in (*index[:dimension - 1], k + start)]
            top = surface(*at[:-1])
            if max(map(abs, at[:-1])) < wide and max(-depth, top - 5.0 * step) < at[-1] < top:
                found.append(at)
    return found


def check_directions(top):
    """Slopes of disordered grains, for gravity along any direction."""
    rng, off = random.Random(7), {}
    for dimension, ups in ((3, ((0.0, 0.0, 1.0), (0.0, 2.0, 0.0), (1.0, 0.3, -0.5))), (2, ((0.0, 1.0), (-1.0, 0.0), (-0.6, 0.3)))):
        wide = 0.04 if dimension == 3 else 0.15
        for n, degrees in enumerate((5.0, 14.0, 23.0, 31.0, 40.0)):
            up, tangent = ups[n % 3], math.tan(math.radians(degrees))
            axes = axes_of(up)
            gravity = "(" + ", ".join(repr(-u) for u in up) + ")"
            kinds = {"pile": (grains(rng, lambda *r: tangent * (wide - math.hypot(*r)), wide, 0.004, dimension), ""),
                     "plane": (grains(rng, lambda *r: tangent * (0.6 * r[0] + 0.8 * r[-1] if len(r) == 2 else r[0]), wide, 1.0,
                                      dimension), 'surface = "plane";')}
            for kind, (places, keys) in kinds.items():
                turned = [tuple(sum(p * e[c] for p, e in zip(place, axes)) for c in range(dimension)) for place in places]
                row = look(top, f"{kind}-{dimension}-{degrees}", {"a": turned}, f'plugin = "angle"; touching = false; {keys}', dimension,
                           gravity)
                off[kind, dimension, degrees] = abs(row.get("degrees", math.nan) - degrees)
    tap.check("cones, wedges and planes of disordered grains from 5 to 40 degrees, gravity along any direction: within 0.5 degrees",
              len(off) == 20 and all(x < 0.5 for x in off.values()), off)


def check_refusals(top):
    bed = split(lattice(2), lambda p: p[2] > 0.004)
    for k, (observer, words) in enumerate((
            ('plugin = "mixing";', "expected one of tracers and radius_above, got neither"),
            (MIX + " radius_above = 0.1;", "expected one of tracers and radius_above, got both"),
            (MIX + " cell = 0.0;", "cell"), (MIX + " min = (0.0, 1.0);", "min: expected 3 numbers, got 2"),
            (MIX + " axis = (0.0, 0.0, 0.0);", "axis: expected a direction, got one of length 0"),
            (MIX + " min = (0.0, 0.0, 0.0); max = (1.0, 0.0, 1.0);", "expected min[1] < max[1]"),
            ('plugin = "mixing"; tracers = ["c"];', "c"),
            ('plugin = "angle"; from = 0.9;', "expected from < to, got 0.9 and 0.8"),
            ('plugin = "angle"; centre = (1.0, 2.0);', "centre: expected 3 numbers, got 2"),
            ('plugin = "angle"; surface = "bowl";', "bowl"))):
        row = look(top, f"no-{k}", bed, observer)
        tap.check(f"refused: {observer}", words in row.get("error", ""), row)


tap.in_folder(check_mixing, check_random, check_angle, check_directions, check_refusals)
