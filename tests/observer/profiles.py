#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figure of docs/howto/average-a-flow.md: profiles of observer `field` next to closed forms, in a bed at rest, the silo of
that page and a flow down a rough slope. Prints how far they are apart. Takes about a minute; needs gnuplot.

usage: profiles.py SCREE PAGE.md FIGURE.svg
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GRAVITY, ANGLE = 9.81, math.radians(26.0)
BED = """scene = { dt = "auto"; dt_fraction = 0.4; steps = 60000; gravity = (0.0, 0.0, -9.81); seed = 3;
    region = { min = (0.0, 0.0, -0.01); max = (0.012, 0.012, 0.2); }; boundary = ("periodic", "periodic", "open"); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; }; };
generate = { beads = { plugin = "random"; count = 900; material = "glass"; velocity = (0.0, 0.0, -0.5);
    distribution = { type = "uniform"; min = "0.8 mm"; max = "1.2 mm"; };
    region = { min = (0.0, 0.0, 0.0); max = (0.012, 0.012, 0.12); }; }; };
force = ( { plugin = "linear"; kn = 3.0e3; restitution = 0.3; friction = 0.5; } );
observers = { bed = { plugin = "field"; every_steps = 100; window = "50 ms"; block = 20; vtk = false; file = "bed";
    min = (0.0, 0.0, -0.001); max = (0.012, 0.012, 0.06); cells = (1, 1, 30); }; };
"""
SLOPE = f"""scene = {{ dt = 1.2e-5; steps = 240000; seed = 4;
    gravity = ({GRAVITY * math.sin(ANGLE)!r}, 0.0, {-GRAVITY * math.cos(ANGLE)!r});
    region = {{ min = (0.0, 0.0, -0.003); max = (0.008, 0.005, 0.03); }}; boundary = ("periodic", "periodic", "open"); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ plane = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ plane = {{ shape = "plane"; position = (0.0, 0.0, -0.002); }}; }};
generate = {{
    base = {{ plugin = "random"; count = 45; tries = 100000; material = "glass"; diameter = "1 mm"; motion = "fixed";
        region = {{ min = (0.0, 0.0, -0.002); max = (0.008, 0.005, 0.0); }}; }};
    beads = {{ plugin = "random"; count = 720; material = "glass"; velocity = (0.5, 0.0, 0.0); velocity_random = 0.05;
        distribution = {{ type = "uniform"; of = "diameter"; min = "0.9 mm"; max = "1.1 mm"; }};
        region = {{ min = (0.0, 0.0, 0.0); max = (0.008, 0.005, 0.029); }}; }}; }};
force = ( {{ plugin = "linear"; kn = 100.0; restitution = 0.5; friction = 0.5; }} );
observers = {{ slope = {{ plugin = "field"; every_steps = 100; window = "0.72 s"; block = 100; vtk = false; file = "slope";
    min = (0.0, 0.0, -0.002); max = (0.008, 0.005, 0.022); cells = (1, 1, 48); }}; }};
"""
PLOT = """set terminal svg size 860, 720 background 'white'
set output '{figure}'
set multiplot layout 2, 2
set samples 60
set key left top
set xlabel 'depth [mm]'
set ylabel 'vertical stress [Pa]'
set yrange [0:*]
set title 'a bed at rest'
plot {bed[0]} * x title 'rho g h', 'bed' with yerrorbars pt 7 ps 0.4 lc 'black' title 'observer field'
set title 'a silo'
set key right bottom
set yrange [0:400]
plot {silo[0]} * x title 'rho g h', {silo[0]} * {silo[1]} * (1.0 - exp(-x / {silo[1]})) title 'Janssen', \\
    'silo' with yerrorbars pt 7 ps 0.4 lc 'black' title 'observer field'
set yrange [0:*]
set title 'a flow down a slope of 26 degrees: stress'
set key left top
set ylabel 'stress [Pa]'
plot {slope[0]} * x title 'rho g h cos', {slope[1]} * x title 'rho g h sin', \\
    'normal' with yerrorbars pt 7 ps 0.4 lc 'black' title 'zz', 'shear' with yerrorbars pt 6 ps 0.4 lc 'black' title '-xz'
set title '... velocity'
set key right top
set ylabel 'velocity [m/s]'
bagnold(x) = {slope[2]} * ({slope[3]} ** 1.5 - x ** 1.5) + {slope[4]}
plot bagnold(x) title 'Bagnold', 'speed' with yerrorbars pt 7 ps 0.4 lc 'black' title 'observer field'
"""


def window_of(scree, top, name, text, file):
    """The last whole window of a run, from below."""
    (top / f"{name}.cfg").write_text(text, encoding="utf-8")
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    subprocess.run([scree, "run", f"{name}.cfg", "-q", "-o", f"{name}-run"], cwd=top, env=env, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(top / f"{name}-run/{file}.csv", newline="", encoding="utf-8") as table:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(table)]
    last = max(row["window"] for row in rows)
    return [row for row in rows if row["window"] == last]


def surface_of(rows, low, high):
    """(density between two heights, height of a surface that has the mass above `low` at this density)."""
    inside = [row for row in rows if low < row["z"] < high]
    rho = sum(row["density"] for row in inside) / len(inside)
    area = inside[0]["volume"] / (rows[1]["z"] - rows[0]["z"])
    bottom = inside[0]["z"] - 0.5 * (rows[1]["z"] - rows[0]["z"])
    return rho, bottom + sum(row["density"] * row["volume"] for row in rows if row["z"] > bottom) / rho / area


def put(top, name, rows, surface, key, sign=1.0):
    """[(depth [mm], value)], also as a file with the standard errors."""
    points = [(1e3 * (surface - row["z"]), sign * row[key], row[key + "_error"]) for row in rows]
    (top / name).write_text("".join(f"{x!r} {y!r} {e!r}\n" for x, y, e in points), encoding="utf-8")
    return [(x, y) for x, y, _ in points]


def report(what, points, law):
    largest = max(abs(y) for _, y in points)
    off = math.sqrt(sum((y - law(x)) ** 2 for x, y in points) / len(points)) / largest
    print(f"{what}: root mean square {100.0 * off:.2f} % of the largest value, {len(points)} cells")


def bed(scree, top):
    rows = window_of(scree, top, "bed", BED, "bed")
    rho, surface = surface_of(rows, 0.004, 0.04)
    slope = rho * GRAVITY * 1e-3  # [Pa/mm]
    points = put(top, "bed", [row for row in rows if 0.002 < row["z"] < surface], surface, "contact_stress_zz")
    report("bed, rho g h", points, lambda x: slope * x)
    return [slope]


def silo(scree, top, page):
    text = re.search(r"^```cfg\n# file: silo.cfg\n(.*?)^```$", page, re.M | re.S).group(1)
    rows = window_of(scree, top, "silo", text, "slices")
    rho, surface = surface_of(rows, 0.003, 0.045)
    slope = rho * GRAVITY * 1e-3
    points = put(top, "silo", [row for row in rows if 0.003 < row["z"] < surface], surface, "contact_stress_zz")
    length = min((0.01 * k for k in range(200, 3000)), key=lambda a: sum(
        (y - slope * a * (1.0 - math.exp(-x / a))) ** 2 for x, y in points))
    report(f"silo, Janssen with the length {length:.2f} mm", points, lambda x: slope * length * (1.0 - math.exp(-x / length)))
    return [slope, length]


def slope(scree, top):
    rows = window_of(scree, top, "slope", SLOPE, "slope")
    rho, surface = surface_of(rows, 0.002, 0.012)
    inside = [row for row in rows if 0.001 < row["z"] < surface]
    normal, shear = (rho * GRAVITY * 1e-3 * part for part in (math.cos(ANGLE), math.sin(ANGLE)))
    for row in inside:
        for k in ("zz", "xz"):
            row[f"contact_stress_{k}"] += row[f"kinetic_stress_{k}"]
    report("slope, rho g h cos", put(top, "normal", inside, surface, "contact_stress_zz"), lambda x: normal * x)
    report("slope, rho g h sin", put(top, "shear", inside, surface, "contact_stress_xz", -1.0), lambda x: shear * x)
    points = put(top, "speed", inside, surface, "velocity_x")
    depth = max(x for x, _ in points)
    # u = u_0 + A (H^1.5 - h^1.5) by least squares
    u = [depth ** 1.5 - x ** 1.5 for x, _ in points]
    mu, mv = sum(u) / len(u), sum(v for _, v in points) / len(u)
    rate = sum((a - mu) * (v - mv) for a, (_, v) in zip(u, points)) / sum((a - mu) ** 2 for a in u)
    start = mv - rate * mu
    report("slope, Bagnold", points, lambda x: start + rate * (depth ** 1.5 - x ** 1.5))
    return [normal, shear, rate, depth, start]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    scree, page, figure = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        numbers = {"bed": bed(scree, top), "slope": slope(scree, top),
                   "silo": silo(scree, top, pathlib.Path(page).read_text(encoding="utf-8"))}
        (top / "plot.gp").write_text(PLOT.format(figure=figure, **numbers), encoding="utf-8")
        subprocess.run(["gnuplot", "plot.gp"], cwd=top, check=True)


main()
