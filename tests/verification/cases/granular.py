# SPDX-License-Identifier: Apache-2.0
"""Beds and silos: penetration, discharge, wall friction."""
import csv
import math

from tools import ball_mass, line_fit
from verify import ROOT, case

G = 9.81


def ring(radius, z, n):
    """Corners of a ring, as text."""
    return [f"({radius * math.cos(2 * math.pi * k / n)!r}, {radius * math.sin(2 * math.pi * k / n)!r}, {z!r})" for k in range(n)]


def bands(*rings, n):
    """A mesh of quads between rings of n corners, one after the other."""
    corners = [c for radius, z in rings for c in ring(radius, z, n)]
    facets = [f"({b * n + (k + 1) % n}, {b * n + k}, {(b + 1) * n + k}, {(b + 1) * n + (k + 1) % n})" for b in range(len(rings) - 1) for k in range(n)]
    return f'type = "mesh"; vertices = ({", ".join(corners)}); facets = ({", ".join(facets)});'


def cylinder(radius, low, high, n=48):
    return bands((radius, low), (radius, high), n=n)


def column_file(path, rows):
    path.write_text("radius,x,y,z,vx,vy,vz,wx,wy,wz\n" + "".join(
        ",".join(repr(row[q]) for q in ("radius", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")) + "\n" for row in rows), encoding="utf-8")


def last_state(rows):
    end = max(row["step"] for row in rows)
    return [row for row in rows if row["step"] == end]


@case("bulk/penetration", "a steel ball falls into 25 000 spheres: inside the spread of eight codes",
      source="Dosta et al. 2024, Comput. Phys. Commun. 296, 109066; Zenodo 8252892", formula="bands of eight codes over ten places of the ball; z = 0.06 - 5 t - 4.9 t^2 until touch",
      tolerance=1e-5, why="the bands are the codes' own spread; absolute, in m, for the fall until touch, which MFiX misses by 2.4e-5", slow=True)
def penetration(bench):
    bed = bench.shared("dosta2024-dem-benchmark/penetration_25k_particles.txt")
    results = bench.shared("dosta2024-dem-benchmark/penetration_25k_results.csv")
    with open(results, newline="", encoding="utf-8") as file:
        lines = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    courses = {}
    for row in lines[1:]:
        code, number, t, z = row[0], row[1], float(row[2]), float(row[3])
        if (code, number) != ("LIGGGHTS", "10"):
            courses.setdefault((code, number), []).append((t, z))
    run = bench.run(ROOT / "configs/bench/penetration/penetration.cfg", set=(
        f"bodies.bed.file={bed}", "bodies.ball.position=(-0.03, -0.015, 0.06)"))
    rows = run.csv("ball")
    each_ms = [row for row in rows if abs(1e3 * row["time"] - round(1e3 * row["time"])) < 1e-6]
    lowest = min(each_ms, key=lambda row: row["z"])
    ends = [z for course in courses.values() for t, z in course if abs(t - 0.05) < 2.6e-5]
    deep = [min(z for _, z in course) for course in courses.values()]
    picked = {}
    for (code, number), course in courses.items():
        if code not in picked and number != "1":
            picked[code] = course
    shown = [(code, [1e3 * t for t, _ in course if t <= 0.05], [1e3 * z for t, z in course if t <= 0.05]) for code, course in sorted(picked.items())]
    bench.figure("penetration", xlabel="time [ms]", ylabel="z of the ball [mm]", lines=shown, more="set key above maxrows 2",
                 points=[("scree", [1e3 * row["time"] for row in each_ms], [1e3 * row["z"] for row in each_ms])])
    return [("lowest z [m]", (min(deep), max(deep)), lowest["z"]), ("z at 0.05 s [m]", (min(ends), max(ends)), rows[-1]["z"]),
            ("largest distance from free fall until 0.0205 s [m]", 0.0, max(abs(row["z"] - (0.06 - 5 * row["time"] - 4.9 * row["time"] ** 2))
                                                                              for row in rows if row["time"] < 0.0205))]


# Beverloo: a flat-bottomed silo of 60 mm, beads of 3 mm
BEAD, SILO = 3e-3, 0.030
ORIFICES = (15e-3, 18e-3, 21e-3, 24e-3, 27e-3)  # diameters


def silo(bench, floor, bodies, *, steps, more="", observers, friction=0.3, z_end=-0.02):
    return bench.run(f"""scene = {{ dt = 4e-5; steps = {steps}; gravity = (0.0, 0.0, -{G});
    region = {{ min = (-0.1, -0.1, {z_end}); max = (0.1, 0.1, 0.4); }}; boundary = ("open", "open", "destroy"); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ wall = {{ {cylinder(SILO, 0.0, 0.35)} }}; floor = {{ {floor} }}; }};
bodies = {{ wall = {{ shape = "wall"; }}; floor = {{ shape = "floor"; }}; {bodies} }};
force = ( {{ plugin = "linear"; kn = 1.0e3; restitution = 0.7; friction = {friction}; }} );
observers = {{ {observers} }};
{more}""")


def settle_beads(bench, n):
    run = silo(bench, 'type = "plane"; normal = (0.0, 0.0, 1.0);', "", steps=20000, more=f"""generate = {{ beads = {{ count = {n};
    distribution = {{ type = "uniform"; of = "diameter"; min = {0.9 * BEAD!r}; max = {1.1 * BEAD!r}; }};
    region = {{ min = (-0.0205, -0.0205, 0.0); max = (0.0205, 0.0205, 0.33); }}; }}; }};""",
               observers='beads = { plugin = "csv"; what = "bodies"; body = ["beads"]; file = "beads"; every_steps = 20000; };')
    rows = last_state(run.csv("beads"))
    file = bench.scratch / "beads.csv"
    column_file(file, rows)
    return file, rows


def bulk_density(rows, density, radius, low, high):
    """Bulk density between two heights in a cylinder [kg/m^3]."""
    def below(r, x):
        x = max(-r, min(r, x))
        return math.pi * (r * r * (x + r) - (x ** 3 + r ** 3) / 3.0)
    return density * sum(below(row["radius"], high - row["z"]) - below(row["radius"], low - row["z"]) for row in rows) / (math.pi * radius ** 2 * (high - low))


@case("bulk/beverloo", "discharge of a flat-bottomed silo through five orifices", source="Beverloo, Leniger, van de Velde 1961, Chem. Eng. Sci. 15, 260; Nedderman 1992, section 10.2",
      formula="W = C rho_b sqrt g (D - k d)^(5/2), C = 0.58, k = 1.4: from the line of W^(2/5) over D, D/d = 5 to 9", tolerance=0.1,
      why="C of measurements is 0.55 to 0.65, k 1.3 to 1.5; C goes with rho_b, here that of the bed settled in the silo, which is denser than a flowing one; "
      "friction 0.3, as Dosta 2024 has for glass (at 0.4 the same runs gave C = 0.543, k = 1.55)", slow=True)
def beverloo(bench):
    file, rows = settle_beads(bench, 6500)
    tops = sorted(row["z"] for row in rows)
    rho = bulk_density(rows, 2500.0, SILO, 2 * BEAD, tops[-len(tops) // 50] - 2 * BEAD)
    rates = []
    for hole in ORIFICES:
        seconds = 0.15 + 0.25 * 0.23 / (0.5 * rho * math.sqrt(G) * (hole - 1.4 * BEAD) ** 2.5)  # for a quarter of the bed or less
        run = silo(bench, bands((0.5 * hole, 0.0), (SILO, 0.0), n=48), f'beads = {{ file = "{file}"; }};', steps=int(seconds / 4e-5), observers=
                   'out = { plugin = "mass_flow"; point = (0.0, 0.0, -0.001); normal = (0.0, 0.0, -1.0); every_steps = 250; };')
        flow = [row for row in run.csv("mass_flow") if row["time"] >= 0.15]
        rates.append(line_fit([row["time"] for row in flow], [row["mass"] for row in flow])[0])
    wide = [hole * math.cos(math.pi / 48) for hole in ORIFICES]  # 4 area / perimeter of 48 corners
    slope, start, correlation = line_fit(wide, [w ** 0.4 for w in rates])
    k, c = -start / slope / BEAD, slope ** 2.5 / (rho * math.sqrt(G))
    fine = [1e-3 * x for x in range(4, 29)]
    bench.figure("beverloo", xlabel="orifice D [mm]", ylabel="W^{2/5} [(kg/s)^{2/5}]",
                 lines=[("Beverloo, C = 0.58, k = 1.4", [1e3 * x for x in fine], [(0.58 * rho * math.sqrt(G)) ** 0.4 * max(x - 1.4 * BEAD, 0.0) for x in fine]),
                        (f"fit, C = {c:.3f}, k = {k:.2f}", [1e3 * x for x in fine], [slope * x + start for x in fine])],
                 points=[("scree", [1e3 * x for x in wide], [w ** 0.4 for w in rates])])
    return [("C", 0.58, c), ("k", 1.4, k), ("correlation of W^(2/5) with D", (0.999, 1.0), correlation)]


@case("bulk/janssen", "the force on the floor of a silo saturates: five heights", source="Janssen 1895, Z. VDI 39, 1045; Nedderman 1992, section 5.2",
      formula="m' = M (1 - exp(-m/M)); M = pi rho R^3 / (2 mu K), K 0.3 to 1.1 from the fit of M", tolerance=6e-2,
      why="the floor of one packing differs from the mean by some per cent (Vanel, Clement 1999, Eur. Phys. J. B 11, 525: 3 %)", slow=True)
def janssen(bench):
    radius, bead, rho, mu = 0.015, 3e-3, 2500.0, 0.4
    m1 = ball_mass(0.5 * bead, rho)
    points, density = [], 0.0
    for ratio in (0.7, 1.4, 2.8, 4.2, 5.6):  # of height to diameter
        n = int(0.58 * math.pi * radius ** 2 * ratio * 2 * radius * rho / m1)
        high = 4.0 * ratio * 2 * radius + 0.01
        run = bench.run(f"""scene = {{ dt = 2e-5; steps = 60000; gravity = (0.0, 0.0, -{G}); }};
materials = {{ glass = {{ density = {rho}; }}; }};
shapes = {{ wall = {{ {cylinder(radius, -0.01, high + 0.01)} }}; floor = {{ type = "mesh"; facets = ((0, 1, 2, 3));
    vertices = ((-0.02, -0.02, 0.0), (0.02, -0.02, 0.0), (0.02, 0.02, 0.0), (-0.02, 0.02, 0.0)); }}; }};
bodies = {{ wall = {{ shape = "wall"; }}; floor = {{ shape = "floor"; motion = "kinematic"; }}; }};
generate = {{ beads = {{ count = {n}; distribution = {{ type = "uniform"; of = "diameter"; min = {0.9 * bead!r}; max = {1.1 * bead!r}; }};
    region = {{ min = (-0.0103, -0.0103, 0.0); max = (0.0103, 0.0103, {high!r}); }}; }}; }};
force = ( {{ plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = {mu}; }} );
modifiers = {{ lower = {{ plugin = "move"; motion = "translation"; groups = "floor"; velocity = (0.0, 0.0, -0.004); start = 0.7; }}; }};
observers = {{ floor = {{ plugin = "csv"; what = "bodies"; body = ["floor"]; file = "floor"; every_steps = 100; }};
    beads = {{ plugin = "csv"; what = "bodies"; body = ["beads"]; file = "beads"; every_steps = 30000; }}; }};""")
        rows = last_state(run.csv("beads"))
        mass = sum(ball_mass(row["radius"], rho) for row in rows)
        force = [-row["fz"] for row in run.csv("floor") if row["time"] > 0.8]
        points.append((mass, sum(force) / len(force) / G))
        tops = sorted(row["z"] for row in rows)
        floor = min(row["z"] - row["radius"] for row in rows)
        density = bulk_density(rows, rho, radius, floor + 2 * bead, tops[-len(tops) // 50] - 2 * bead)

    def off(scale):
        return sum((scale * (1.0 - math.exp(-m / scale)) - seen) ** 2 for m, seen in points)
    low, high = 1e-4, 10.0
    for _ in range(200):  # golden section
        a, b = high - 0.618 * (high - low), low + 0.618 * (high - low)
        low, high = (low, b) if off(a) < off(b) else (a, high)
    scale = low
    k = math.pi * density * radius ** 3 / (2.0 * mu * scale)
    top = max(m for m, _ in points)
    fine = [top * x / 60 for x in range(61)]
    bench.figure("janssen", xlabel="mass of the column [g]", ylabel="mass felt by the floor [g]",
                 lines=[(f"Janssen, K = {k:.2f}", [1e3 * m for m in fine], [1e3 * scale * (1 - math.exp(-m / scale)) for m in fine]),
                        ("hydrostatic", [0, 1e3 * 1.6 * scale], [0, 1e3 * 1.6 * scale])],
                 points=[("scree", [1e3 * m for m, _ in points], [1e3 * s for _, s in points])])
    return [("K", (0.3, 1.1), k)] + [(f"share of {1e3 * m:.0f} g on the floor / M", 1.0 - math.exp(-m / scale), seen / scale) for m, seen in points] + \
        [("of the highest column felt", (0.05, 0.6), points[-1][1] / points[-1][0])]
