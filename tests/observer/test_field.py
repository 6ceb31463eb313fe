# SPDX-License-Identifier: Apache-2.0
"""Observer `field` against sums over the rows of `csv` for one frame, worked out here in other ways.

usage: test_field.py SCREE CROWD.cfg
"""
import math
import pathlib
import shutil
import subprocess
import sys

from common import environment, python_with, run, table, tap, vector
from runs import environment, read_numbers, scree  # noqa: E402
from field_sums import BOX_CELLS, BOX_MAX, BOX_MIN, box_sums, disc_area, images, kernel, path_list, point_sums, round_volume

SCREE, CROWD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
STEPS, LENGTH = 1000, 0.04
DENSITY = {"beads": 2500.0, "shots": 7800.0}
BOX = f"min = {BOX_MIN}; max = {BOX_MAX}; cells = {BOX_CELLS};"
POINTS = "min = (-0.012, -0.006, 0.0); max = (0.008, 0.008, 0.014); cells = (4, 3, 5);"
ROUND = "grid = \"cylinder\"; point = (0.002, 0.001, -0.03); axis = (0.2, -0.1, 1.0); radius = 0.05; height = 0.2; cells = (5, 3, 4);"
TIMES = "every_steps = 500; window = 0.005;"  # window 1 is the frame of step 1000 only
OBSERVERS = {
    "cells": f"{BOX} {TIMES}",
    "gauss": f'kind = "points"; width = "2 mm"; {POINTS} {TIMES}',
    "lucy": f'kind = "points"; kernel = "lucy"; cutoff = 2.5; width = "2 mm"; {POINTS} {TIMES}',
    "round": f"{ROUND} {TIMES}",
    "beads": f'groups = ["beads"]; {BOX} {TIMES}',
}


READERS = {"vti": "vtkXMLImageDataReader", "vts": "vtkXMLStructuredGridReader"}
VTK_PROGRAM = """
import vtk
reader = vtk.{reader}()
reader.SetFileName("{file}")
reader.Update()
grid = reader.GetOutput()
data = grid.Get{kind}Data()
print(*grid.GetBounds()[::2])
n = data.GetArray("density").GetNumberOfTuples()
for k in range(n):
    print(repr(data.GetArray("density").GetTuple(k)[0]), repr(data.GetArray("momentum").GetTuple(k)[1]),
          repr(data.GetArray("kinetic_stress").GetTuple(k)[7]), repr(data.GetArray("contact_stress").GetTuple(k)[6]))
"""


def words(observers):
    return " ".join(f'{name} = {{ plugin = "field"; file = "{name}"; {keys} }};' for name, keys in observers.items())


def rows_of(path, window=None):
    rows = read_numbers(path)
    return rows if window is None else [row for row in rows if row["window"] == window]


def balls_of(folder, groups):
    found = []
    for row in table(folder / "bodies.csv")[STEPS]:
        if row["name"] in groups:
            volume = 4.0 / 3.0 * math.pi * row["radius"] ** 3
            found.append({"x": vector(row, "xyz"), "v": vector(row, ("vx", "vy", "vz")), "r": row["radius"],
                          "volume": volume, "mass": DENSITY[row["name"]] * volume, "id": row["id"]})
    return found


def paths_of(folder, balls):
    ids = {ball["id"] for ball in balls}
    places = {row["id"]: vector(row, "xyz") for row in table(folder / "bodies.csv")[STEPS]}
    return path_list(table(folder / "contacts.csv").get(STEPS, []), ids, places)


def kind_of(key):
    head, _, tail = key.rpartition("_")
    return head if head and len(tail) <= 2 else key


def worst(rows, expected):
    """Largest difference of a column from what is expected, over the largest value of its kind. Values
    divided by the mass or the contacts of the cell count as these do: a sliver of a ball is known to 1e-16 of it."""
    found, largest = ("", 0.0), {}
    for want in expected:
        for key, value in want.items():
            largest[kind_of(key)] = max(largest.get(kind_of(key), 0.0), abs(value))
    for row, want in zip(rows, expected):
        for key, value in want.items():
            part = {"velocity": "density", "temperature": "density", "fabric": "contact_density"}.get(kind_of(key))
            share = want[part] / largest[part] if part else 1.0
            off = abs(row[key] - value) / (largest[kind_of(key)] or 1.0) * share
            if not off <= found[1]:
                found = (key, off)
    return found


def check_frame(folder):
    balls = balls_of(folder, DENSITY)
    paths = paths_of(folder, balls)
    tap.check("there is something to average", len(balls) > 60 and sum(not p["boundary"] for p in paths) > 8 and
              sum(p["boundary"] for p in paths) > 4, (len(balls), len(paths)))
    rows = rows_of(folder / "cells.csv", 1)
    off = worst(rows, box_sums(balls, paths, LENGTH))
    tap.check("cells: every value is that of clipped branches and integrated balls to 1e-12 of the largest",
              len(rows) == 120 and off[1] < 1e-12, off)
    for name, reach, lucy in (("gauss", 3.0 * 0.002, False), ("lucy", 2.5 * 0.002, True)):
        rows = rows_of(folder / f"{name}.csv", 1)
        off = worst(rows, point_sums(rows, balls, paths, LENGTH, 0.002, reach, lucy))
        tap.check(f"points, {name}: every value is that of a quadrature to 1e-12 of the largest", len(rows) == 60 and
                  off[1] < 1e-12, off)
    return balls, paths


def total(rows, key):
    return math.fsum(row[key] * row["volume"] for row in rows)


def check_totals(folder, balls, paths):
    """A grid as wide as the periodic cell and around all else."""
    rows = rows_of(folder / "cells.csv", 1)
    mass = math.fsum(b["mass"] for b in balls)
    off = [abs(total(rows, "density") / mass - 1.0),
           abs(total(rows, "solid_fraction") / math.fsum(b["volume"] for b in balls) - 1.0)]
    fast = math.fsum(b["mass"] * math.hypot(*b["v"]) for b in balls)
    work = math.fsum(math.hypot(*p["f"]) * math.hypot(*p["d"]) for p in paths)
    for k, axis in enumerate("xyz"):
        off.append(abs(total(rows, f"momentum_{axis}") - math.fsum(b["mass"] * b["v"][k] for b in balls)) / fast)
        push = math.fsum(p["f"][k] for p in paths if p["boundary"])
        off.append(abs(total(rows, f"boundary_force_{axis}") - push) / math.fsum(math.hypot(*p["f"]) for p in paths))
        for j, other in enumerate("xyz"):
            virial = -math.fsum(p["f"][k] * p["d"][j] for p in paths)
            off.append(abs(total(rows, f"contact_stress_{axis}{other}") - virial) / work)
    touching = sum(p["touches"] for p in paths)
    off.append(abs(total(rows, "contact_density") - touching) / touching)
    tap.check("cells: mass, volume, momentum, wall force, stress and contacts add up to round-off",
              max(off) < 1e-14, off)
    energy = math.fsum(b["mass"] * b["v"][0] ** 2 for b in balls)
    seen = math.fsum(row["volume"] * (row["kinetic_stress_xx"] + (row["density"] * row["velocity_x"] ** 2 if row["density"] else 0.0))
                     for row in rows)
    tap.check("cells: kinetic stress and that of the mean flow add up to m v v", abs(seen / energy - 1.0) < 1e-13, seen)
    trace = [row["fabric_xx"] + row["fabric_yy"] + row["fabric_zz"] for row in rows if row["contact_density"] > 0.0]
    tap.check("fabric has the trace 1", trace and max(abs(t - 1.0) for t in trace) < 1e-13, trace)


def check_round(top, folder):
    """Sums without periodic images; volumes with them."""
    wide = ROUND.replace("0.05", "0.3").replace("-0.03", "-0.3").replace("0.2;", "0.6;")
    run(SCREE, CROWD, top / "open", words({"round": f"{wide} {TIMES}"}) +
        ' b = { plugin = "csv"; what = "bodies"; every_steps = 500; };'
        ' k = { plugin = "csv"; what = "contacts"; every_steps = 500; };', "--steps", STEPS, "--set",
        'scene.boundary=("open","open","destroy")')
    balls = balls_of(top / "open", DENSITY)
    rows, paths = rows_of(top / "open" / "round.csv", 1), paths_of(top / "open", balls)
    mass = math.fsum(b["mass"] for b in balls)
    work = math.fsum(sum(a * b for a, b in zip(p["f"], p["d"])) for p in paths)
    virial = sum(total(rows, f"contact_stress_{a}{a}") for a in "rpz")
    energy = math.fsum(b["mass"] * sum(v * v for v in b["v"]) for b in balls)
    seen = math.fsum(row["volume"] * (sum(row[f"kinetic_stress_{a}{a}"] for a in "rpz") + (row["density"] * sum(
        row[f"velocity_{a}"] ** 2 for a in "rpz") if row["density"] else 0.0)) for row in rows)
    off = [abs(total(rows, "density") / mass - 1.0), abs(virial / -work - 1.0), abs(seen / energy - 1.0)]
    tap.check("cylinder: mass, trace of the stress and kinetic energy add up to round-off", max(off) < 1e-12 and paths, off)
    balls, rows = balls_of(folder, DENSITY), rows_of(folder / "round.csv", 1)
    expected = round_volume(rows, balls, LENGTH, (0.002, 0.001, -0.03), (0.2, -0.1, 1.0), 0.05, 0.2, (5, 3, 4))
    off = max(abs(row["solid_fraction"] * row["volume"] - want) for row, want in zip(rows, expected))
    largest = max(b["volume"] for b in balls)
    tap.check("cylinder: volumes are those of 2800 columns per ball, to 0.5 % of a ball", off < 0.005 * largest, off / largest)


def check_balance(top):
    """-div stress + boundary force is the sum of F W over the bodies, F the force of the contacts on a body; the
    divergence by central differences, whose error falls with the square of the spacing."""
    middle, half, width, off = (0.0, 0.0, 0.006), 0.008, 0.003, []
    for n in (8, 16, 32):
        h = 2.0 * half / n
        low, high = (tuple(m + s * (half + 0.5 * h) for m in middle) for s in (-1, 1))
        keys = f'kind = "points"; kernel = "lucy"; cutoff = 3.0; width = {width}; min = {low}; max = {high};'
        run(SCREE, CROWD, top / f"balance{n}", words({"f": f"{keys} cells = ({n + 1}, {n + 1}, {n + 1}); vtk = false; {TIMES}"})
            + ' b = { plugin = "csv"; what = "bodies"; every_steps = 500; };', "--steps", STEPS)
        rows, w = rows_of(top / f"balance{n}" / "f.csv", 1), kernel(width, 3.0 * width, True)
        bodies = [row for row in table(top / f"balance{n}" / "bodies.csv")[STEPS] if row["name"] in DENSITY]
        step, worst_off, size = n // 8, 0.0, 0.0
        for i, j, k in ((i * step, j * step, k * step) for i in (2, 4, 6) for j in (2, 4, 6) for k in (2, 4, 6)):
            def at(di, dj, dk):
                return rows[i + di + (n + 1) * (j + dj + (n + 1) * (k + dk))]
            place = vector(at(0, 0, 0), "xyz")
            push = [math.fsum(body[f"f{a}"] * w(math.dist(x, place)) for body in bodies
                              for x in images(vector(body, "xyz"), LENGTH)) for a in "xyz"]
            for a, want in zip("xyz", push):
                div = sum((at(*d)[f"contact_stress_{a}{b}"] - at(*(-q for q in d))[f"contact_stress_{a}{b}"]) / (2.0 * h)
                          for b, d in zip("xyz", ((1, 0, 0), (0, 1, 0), (0, 0, 1))))
                worst_off = max(worst_off, abs(-div + at(0, 0, 0)[f"boundary_force_{a}"] - want))
                size = max(size, abs(want))
        off.append(worst_off / size)
    orders = [math.log2(a / b) for a, b in zip(off, off[1:])]
    tap.check("points: -div stress + wall force = force on the bodies, with the second order of the differences",
              off[2] < 0.03 and all(1.7 < p < 2.4 for p in orders), (off, orders))


FLAT = """scene = { dimension = 2; thickness = "3 mm"; dt = 1e-5; steps = 500; gravity = (0.0, -9.81);
    region = { min = (0.0, 0.0); max = (0.06, 0.2); }; boundary = ("periodic", "open"); };
materials = { m = { density = 1000.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 1.0, 0.0); }; };
bodies = { floor = { shape = "floor"; position = (0.0, 0.0); }; };
generate = { discs = { plugin = "random"; count = 60; material = "m"; velocity = (0.3, -3.0); velocity_random = 0.2;
    distribution = { type = "uniform"; min = "1 mm"; max = "2 mm"; }; region = { min = (0.0, 0.002); max = (0.06, 0.03); }; }; };
force = ( { plugin = "linear"; kn = 1e4; restitution = 0.5; friction = 0.3; } );
modifiers = { tie = { plugin = "tether"; stiffness = 0.0; }; };
observers = { b = { plugin = "csv"; what = "bodies"; every_steps = 500; fields = "start_place"; };
    k = { plugin = "csv"; what = "contacts"; every_steps = 500; };
    cells = { plugin = "field"; file = "cells"; min = (0.0, -0.01); max = (0.06, 0.19); cells = (7, 20); every_steps = 500;
        window = 1e-9; fields = "start_place"; };
    points = { plugin = "field"; file = "points"; kind = "points"; width = "3 mm"; kernel = "lucy"; min = (0.0, -0.01);
        max = (0.06, 0.07); cells = (60, 80); every_steps = 500; window = 1e-9; };
    rings = { plugin = "field"; file = "rings"; grid = "cylinder"; point = (0.03, 0.02); radius = 0.027; cells = (5, 6, 1);
        every_steps = 500; window = 1e-9; }; };
"""


def check_flat(top):
    """Discs in 2D: areas in rectangles by another closed form, sums of a kernel over its points, areas in rings."""
    (top / "flat.cfg").write_text(FLAT, encoding="utf-8")
    result = scree(None, "run", top / "flat.cfg", "-q", "-o", top / "flat")
    folder, step = top / "flat", 500
    tap.check("flat: the scene runs", result.returncode == 0, result.stderr)
    discs = [row for row in table(folder / "bodies.csv")[step] if row["name"] == "discs"]
    last = [row["window"] for row in rows_of(folder / "cells.csv")][-1]
    rows = rows_of(folder / "cells.csv", last)
    off = 0.0
    for row in rows:
        low = [row[a] - 0.5 * s for a, s in zip("xy", (0.06 / 7, 0.01))]
        area = [(d, sum(disc_area(d["radius"], (low[0] - x, low[0] + 0.06 / 7 - x), (low[1] - d["y"], low[1] + 0.01 - d["y"]))
                        for x in (d["x"] - 0.06, d["x"], d["x"] + 0.06))) for d in discs]
        mass = math.fsum(a for _, a in area)
        off = max(off, abs(row["solid_fraction"] - mass / (0.06 / 7 * 0.01)))
        for k, key in enumerate("xyz"):
            field = math.fsum(a * d[f"start_place_{k}"] for d, a in area)
            off = max(off, abs((row[f"start_place_{k}"] if mass else 0.0) * mass - field) / (0.06 / 7 * 0.01) / 0.06)
    tap.check("flat: areas, and a body field of three components averaged by mass, to 1e-13", len(rows) == 140 and off < 1e-13, off)
    whole = math.fsum(math.pi * d["radius"] ** 2 * 0.003 * 1000.0 for d in discs)
    sums = [total(rows, "density") / whole - 1.0]
    virial = math.fsum(-c["fy"] * (c["branch_y"] if c["b"] in {d["id"] for d in discs} else c["y"] - next(
        d["y"] for d in discs if d["id"] == c["a"])) for c in table(folder / "contacts.csv")[step])
    sums.append(total(rows, "contact_stress_yy") / virial - 1.0)
    tap.check("flat: mass and stress add up with the thickness", max(map(abs, sums)) < 1e-13 and virial > 0.0, sums)
    dots = rows_of(folder / "points.csv", last)
    sums = [total(dots, "density") / whole - 1.0, total(dots, "contact_stress_yy") / virial - 1.0]
    tap.check("flat: so do the sums of a kernel over points 1 mm apart, to 1e-3", max(map(abs, sums)) < 1e-3, sums)
    rings, off, largest = rows_of(folder / "rings.csv", last), 0.0, math.pi * 0.002 ** 2
    n = 120
    expected = [0.0] * 30
    for d in discs:
        for x in (d["x"] - 0.06, d["x"], d["x"] + 0.06):
            grid = [(d["radius"] * (2 * i + 1 - n) / n, d["radius"] * (2 * j + 1 - n) / n) for i in range(n) for j in range(n)]
            inside = [(u + x - 0.03, v + d["y"] - 0.02) for u, v in grid if u * u + v * v < d["radius"] ** 2]
            for u, v in inside:
                ring, sector = int(math.hypot(u, v) / 0.027 * 5), int(math.atan2(v, u) % (2.0 * math.pi) / (2.0 * math.pi) * 6)
                if ring < 5:
                    expected[ring + 5 * sector] += math.pi * d["radius"] ** 2 / len(inside)
    off = max(abs(row["solid_fraction"] * row["volume"] / 0.003 - want) for row, want in zip(rings, expected))
    tap.check("flat: areas in rings and sectors, to 0.5 % of a disc", off < 0.005 * largest, off / largest)


def check_clumps(top):
    """A pair of balls shares its volume, that of the union, as the balls do."""
    text = """scene = { dt = 1e-5; steps = 10; };
materials = { m = { density = 1000.0; }; };
shapes = { pair = { type = "clump"; balls = ((-0.5, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.5)); }; };
bodies = { pair = { shape = "pair"; material = "m"; scale = 0.01; position = (0.0, 0.0, 0.0); velocity = (1.0, 2.0, 3.0); }; };
force = ( { plugin = "linear"; kn = 1e4; } );
observers = { b = { plugin = "csv"; what = "bodies"; every_steps = 10; };
    cells = { plugin = "field"; file = "cells"; min = (-0.1, -0.1, -0.1); max = (0.1, 0.1, 0.1); cells = (20, 1, 1); every_steps = 10;
        window = 1e-9; }; };
"""
    (top / "clump.cfg").write_text(text, encoding="utf-8")
    result = scree(None, "run", top / "clump.cfg", "-q", "-o", top / "clump")
    rows = rows_of(top / "clump" / "cells.csv") if result.returncode == 0 else []
    rows = [row for row in rows if row["window"] == rows[-1]["window"]]
    pair = next(row for row in table(top / "clump" / "bodies.csv")[10] if row["name"] == "pair") if rows else None
    first = pair["x"] - 1e-4 if pair else 0.0  # the velocity moves it by 0.1 mm
    volume = [(x, r, r ** 3 / (1.0 + 0.125)) for x, r in ((-0.5, 1.0), (1.0, 0.5))]
    off = []
    for row in rows:
        want = 0.0
        for x, r, share in volume:
            at = pair["x"] - first + 0.01 * x  # the user's origin was at 0
            cuts = [max(-1.0, min(1.0, (row["x"] + s * 0.005 - at) / (0.01 * r))) for s in (-1, 1)]
            want += share * sum(s * (0.5 + 0.75 * c - 0.25 * c ** 3) for s, c in zip((-1, 1), cuts))
        off.append(abs(row["density"] * row["volume"] / pair["mass"] - want) if pair else 1.0)
    tap.check("a clump is shared as its balls", off and max(off) < 1e-12, (result.stderr, off))


def check_groups(folder):
    balls = balls_of(folder, ("beads",))
    paths = paths_of(folder, balls)
    off = worst(rows_of(folder / "beads.csv", 1), box_sums(balls, paths, LENGTH))
    tap.check("one group: contacts with the others are forces of a boundary", off[1] < 1e-12, off)


def check_threads(top, folder):
    run(SCREE, CROWD, top / "threads", words(OBSERVERS), "--steps", STEPS, "--oversubscribe", "--threads", 3)
    tap.check("three threads write the same bytes", all(
        (folder / f"{n}.csv").read_bytes() == (top / "threads" / f"{n}.csv").read_bytes() for n in OBSERVERS))


def check_restart(top):
    observers = words({"cells": f"{BOX} every_steps = 100; window = 0.008; block = 2;",
                       "gauss": f'kind = "points"; width = "2 mm"; {POINTS} every_steps = 100; block = 3;'})
    run(SCREE, CROWD, top / "whole", observers)
    run(SCREE, CROWD, top / "first", observers, "--steps", 1050)
    result = scree(None, "run", "--restart", top / "first", "-q", "-o", top / "second")
    lines = [(top / f / "cells.csv").read_text().splitlines() for f in ("whole", "second")]
    later = [line for line in lines[0][1:] if int(line.split(",")[0]) >= 1]
    tap.check("a run that goes on in the middle of a window writes the same bytes", result.returncode == 0 and
              later == lines[1][1:] and len(later) == 240 and
              (top / "whole" / "gauss.csv").read_bytes() == (top / "second" / "gauss.csv").read_bytes(), result.stderr)
    ends = rows_of(top / "whole" / "cells.csv")[::120]
    tap.check("windows have their samples and blocks", [(r["window"], r["samples"], r["blocks"]) for r in ends] ==
              [(0, 9, 4), (1, 8, 4), (2, 4, 2)] and all(math.isclose(r["last"], t) for r, t in zip(ends, (0.008, 0.016, 0.02)))
              and math.isclose(ends[1]["first"], 0.009), [(r["first"], r["last"]) for r in ends])


def check_errors(top):
    """Blocks of one sample, each of which is a window of another observer."""
    observers = words({"all": f"{BOX} every_steps = 400; block = 1;", "one": f"{BOX} every_steps = 400; window = 0.002;"})
    run(SCREE, CROWD, top / "form", observers)
    rows, one = rows_of(top / "form" / "all.csv"), rows_of(top / "form" / "one.csv")
    off = 0.0
    for cell, row in enumerate(rows):
        for key in ("density", "contact_stress_zz", "kinetic_stress_xx"):
            values = [r[key] for r in one[cell::120]]
            mean = sum(values) / len(values)
            error = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values) / (len(values) - 1))
            off = max(off, abs(row[f"{key}_error"] - error) / max(abs(mean), error, 1e-300))
    tap.check("the standard error is the deviation of the blocks over the root of their number",
              len(one) == 6 * 120 and off < 1e-10, (len(one), off))


def check_vtk(folder):
    """VTK's own reader, run by a Python that has it."""
    claim = "VTK reads what ParaView will: cells, points, a cylinder"
    python = python_with("vtk")
    if not python:
        tap.skip(claim, "there is no vtk for Python (python3-vtk9)")
        return
    found = []
    for name, suffix, kind in (("cells", "vti", "Cell"), ("gauss", "vti", "Point"), ("round", "vts", "Cell")):
        program = VTK_PROGRAM.format(file=folder / name / f"window_00001.{suffix}", reader=READERS[suffix], kind=kind)
        result = subprocess.run([python, "-c", program], capture_output=True, text=True)
        rows, axes = rows_of(folder / f"{name}.csv", 1), "rpz" if suffix == "vts" else "xyz"
        expected = [[row["density"], row[f"momentum_{axes[1]}"], row[f"kinetic_stress_{axes[1]}{axes[2]}"],
                     row[f"contact_stress_{axes[2]}{axes[0]}"]] for row in rows]
        seen = [[float(x) for x in line.split()] for line in result.stdout.splitlines()]
        found.append(result.returncode == 0 and seen[1:] == expected and (suffix == "vts" or abs(
            seen[0][2] - (-0.05 if name == "cells" else 0.0014)) < 1e-15))
        lists = (folder / name / "windows.pvd").read_text()
        found.append(f"window_00000.{suffix}" in lists and f"window_00001.{suffix}" in lists)
    tap.check(claim, all(found), found)


def check_refusals(top):
    for k, (keys, said) in enumerate((
            ("cells = (2, 2, 2);", "min: expected 3 numbers, got 0"),
            ("min = (0.0, 0.0, 0.0); max = (1.0, 0.0, 1.0); cells = (2, 2, 2);", "expected min[1] < max[1], got 0 m and 0 m"),
            ("min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (2, 2);", "cells: expected 3 numbers, got 2"),
            ("min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (2, 0, 2);", "cells"),
            ("min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (200, 200, 200);", "expected at most"),
            ('kind = "points"; min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (2, 2, 2);', "needs width"),
            ('width = 0.1; min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (2, 2, 2);', "width goes with"),
            ('grid = "cylinder"; radius = 0.1; cells = (2, 2, 2);', "needs radius and height"),
            ('grid = "cylinder"; radius = 0.1; inner = 0.2; height = 1.0; cells = (2, 2, 2);', "expected inner < radius"),
            ('grid = "cylinder"; kind = "points"; width = 0.1; radius = 0.1; height = 1.0; cells = (2, 2, 2);',
             'expected "cells"'),
            ('radius = 0.1; min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (2, 2, 2);', 'go with grid = "cylinder"'),
            (f'{BOX} fields = "nothing";', "nothing"), (f'{BOX} groups = ["nobody"];', "nobody"))):
        result = run(SCREE, CROWD, top / f"bad{k}", f'm = {{ plugin = "field"; {keys} }};', "--steps", 1)
        tap.check(f"refused: {said}", result.returncode == 2 and said in result.stderr, result.stderr)


def check_wide(top):
    """A kernel over very many periodic cells would take hours."""
    keys = "min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); cells = (1, 1, 1);"
    result = run(SCREE, CROWD, top / "wide", f'm = {{ plugin = "field"; kind = "points"; width = 1e3; {keys} }};', "--steps", 1)
    tap.check("a kernel over more than 10000 periodic cells is refused", result.returncode == 1 and
              "with the reach of the kernel, is as large as 1.5e+05 periodic cells: expected at most 10000" in result.stderr, result.stderr)


def check_map(folder, name):
    """The values that the script maps are those of the cells of its slice in the last window."""
    text = (folder / f"{name}.gp").read_text().split("unset table")[0] + "unset table\nset print 'map.txt'\nprint $map\n"
    result = subprocess.run(["gnuplot"], input=text, cwd=folder, env=environment(), capture_output=True, text=True)
    seen = [[float(word) for word in line.split()[:6]] for line in (folder / "map.txt").read_text().splitlines()
            if line.strip() and not line.startswith("#")]
    rows = rows_of(folder / f"{name}.csv")
    most = {axis: 1 + max(row[axis] for row in rows) for axis in "ijk"}
    third = min("kji", key=lambda axis: most[axis])
    places = dict(zip("ijk", ("r", "phi", "z") if "phi" in rows[0] else "xyz"))
    v = ("velocity_r", "velocity_p", "velocity_z") if "phi" in rows[0] else ("velocity_x", "velocity_y", "velocity_z")
    want = [[row[places[a]] for a in "ijk" if a != third] + [row["solid_fraction"], math.hypot(*(row[c] for c in v)),
             row["temperature"], row["pressure"]] for row in rows
            if row["window"] == rows[-1]["window"] and row[third] == most[third] // 2]
    same = len(seen) == len(want) and all(
        (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-4 * abs(b) for s, w in zip(seen, want) for a, b in zip(s, w))
    tap.check(f"{name}: the map has the cells of the middle slice of the last window", same and len(want) > 8, (result.stderr, seen, want))


def check_script(top, folder):
    if not shutil.which("gnuplot"):
        tap.skip("gnuplot draws what cells.gp says", "gnuplot is not installed")
        return
    run(SCREE, CROWD, folder.parent / "line", words({"line": f"{BOX.split('cells')[0]} cells = (1, 6, 1); {TIMES}",
        "void": f'min = (1.0, 1.0, 1.0); max = (2.0, 2.0, 2.0); cells = (4, 1, 4); {TIMES}'}), "--steps", STEPS)
    for name, maps in (("line", 0), ("void", 4)):
        result = subprocess.run(["gnuplot", f"{name}.gp"], cwd=top / "line", env=environment(), capture_output=True, text=True)
        picture = (top / f"line/{name}.svg").read_text() if result.returncode == 0 else ""
        tap.check(f"{name}.gp draws {maps} maps", picture.count("<image") == maps and "</svg>" in picture, result)
    tap.check("values along one axis have error bars", "yerrorbars" in (top / "line/line.gp").read_text())
    for name in ("cells", "round"):
        check_map(folder, name)
        result = subprocess.run(["gnuplot", f"{name}.gp"], cwd=folder, env=environment(), capture_output=True, text=True)
        tap.check(f"gnuplot draws what {name}.gp says", result.returncode == 0 and
                  (folder / f"{name}.svg").read_text().count("<image") == 4, result.stderr)


def main(top):
    folder = top / "run"
    result = run(SCREE, CROWD, folder, words(OBSERVERS) + ' b = { plugin = "csv"; what = "bodies"; every_steps = 500; };'
                 ' k = { plugin = "csv"; what = "contacts"; every_steps = 500; };', "--steps", STEPS)
    tap.check("the scene runs", result.returncode == 0, result.stderr)
    balls, paths = check_frame(folder)
    check_totals(folder, balls, paths)
    check_round(top, folder)
    check_groups(folder)
    check_balance(top)
    check_flat(top)
    check_clumps(top)
    check_vtk(folder)
    check_script(top, folder)
    check_threads(top, folder)
    check_restart(top)
    check_errors(top)
    check_refusals(top)
    check_wide(top)


tap.in_folder(main)
