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


# Silo: flat-bottomed, 60 mm wide, beads of 3 mm
BEAD, SILO, BEADS = 3e-3, 0.030, 6500
KN, FRICTION, DT = 1.0e3, 0.3, 4e-5
N_SIDES = 48  # of the wall's and the orifice's polygon
ORIFICES = (15e-3, 18e-3, 21e-3, 24e-3)  # diameters; the silo is 2.5 times the widest
PLANE = -0.001  # [m] height of what counts as out


def silo(bench, bodies, *, steps, observers, shapes="", more="", law="", radius=SILO, sides=N_SIDES, seed=1):
    return bench.run(f"""scene = {{ dt = {DT}; steps = {steps}; seed = {seed}; gravity = (0.0, 0.0, -{G});
    region = {{ min = (-0.1, -0.1, -0.02); max = (0.1, 0.1, 0.4); }}; boundary = ("open", "open", "destroy"); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ wall = {{ {bands((radius, 0.0), (radius, 0.35), n=sides)} }}; {shapes} }};
bodies = {{ wall = {{ shape = "wall"; }}; {bodies} }};
force = ( {{ plugin = "linear"; kn = {KN}; restitution = 0.7; friction = {FRICTION}; {law} }} );
observers = {{ {observers} }};
{more}""")


def settle_beads(bench, n, seed=1):
    run = silo(bench, 'floor = { shape = "floor"; };', seed=seed, steps=20000, shapes='floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };',
               more=f"""generate = {{ beads = {{ count = {n};
    distribution = {{ type = "uniform"; of = "diameter"; min = {0.9 * BEAD!r}; max = {1.1 * BEAD!r}; }};
    region = {{ min = (-0.0205, -0.0205, 0.0); max = (0.0205, 0.0205, 0.33); }}; }}; }};""",
               observers='beads = { plugin = "csv"; what = "bodies"; groups = ["beads"]; file = "beads"; every_steps = 20000; };')
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


def round_as(n):
    """Radius of a circle over that of the corners of the polygon of n corners with its area."""
    return math.sqrt(math.sin(2.0 * math.pi / n) / (2.0 * math.pi / n))


def outflow(run, begin):
    """Rate from a time on [kg/s], and the mass at the end [kg]."""
    flow = [row for row in run.csv("mass_flow") if row["time"] >= begin]
    return line_fit([row["time"] for row in flow], [row["mass"] for row in flow])[0], flow[-1]["mass"]


OUTFLOW = f'out = {{ plugin = "mass_flow"; point = (0.0, 0.0, {PLANE}); normal = (0.0, 0.0, -1.0); every_steps = 125; }};'


@case("bulk/beverloo", "discharge of a flat-bottomed silo through four orifices", source="Beverloo, Leniger, van de Velde 1961, Chem. Eng. Sci. 15, 260; Nedderman 1992, section 10.2",
      formula="W = C rho_b sqrt g (D - k d)^(5/2), C = 0.58 of measurements: mean of four with k = 1.4; k from the line of W^(2/5) over D, D/d = 5 to 8", tolerance=0.13,
      why="unknown of the measured grains are the friction and which density counts. At 21 mm C = 0.525 here (friction 0.3, Dosta 2024's for glass), 0.615 with "
      "friction 0.1 between beads, 0.500 with 0.5, 0.505 with rolling friction 0.05, 0.521 with 0.1 at walls, 0.514 with another seed, 0.556 by the density "
      "above the orifice as it flows. 0.13: half the range of friction (11 %), density (6 %), seeds (2 %), in quadrature. The silo is narrower than Nedderman's D + 30 d", slow=True)
def beverloo(bench):
    file, rows = settle_beads(bench, BEADS)
    tops = sorted(row["z"] for row in rows)
    rho = bulk_density(rows, 2500.0, SILO * round_as(N_SIDES), 2 * BEAD, tops[-len(tops) // 50] - 2 * BEAD)
    rates = []
    for hole in ORIFICES:
        seconds = 0.15 + 0.25 * 0.23 / (0.5 * rho * math.sqrt(G) * (hole - 1.4 * BEAD) ** 2.5)  # for a quarter of the bed or less
        run = silo(bench, f'floor = {{ shape = "floor"; }}; beads = {{ file = "{file}"; }};', steps=int(seconds / DT), observers=OUTFLOW,
                   shapes=f"floor = {{ {bands((0.5 * hole, 0.0), (SILO, 0.0), n=N_SIDES)} }};")
        rates.append(outflow(run, 0.15)[0])
    wide = [hole * math.cos(math.pi / N_SIDES) for hole in ORIFICES]  # 4 area / perimeter of the corners
    slope, start, correlation = line_fit(wide, [w ** 0.4 for w in rates])
    k = -start / slope / BEAD
    c = sum(w / (rho * math.sqrt(G) * (x - 1.4 * BEAD) ** 2.5) for w, x in zip(rates, wide)) / len(rates)
    fine = [1e-3 * x for x in range(4, 26)]
    bench.figure("beverloo", xlabel="orifice D [mm]", ylabel="W^{2/5} [(kg/s)^{2/5}]",
                 lines=[(f"C = {value:.3f}, k = 1.4", [1e3 * x for x in fine], [(value * rho * math.sqrt(G)) ** 0.4 * max(x - 1.4 * BEAD, 0.0) for x in fine]) for value in (0.58, c)],
                 points=[("scree", [1e3 * x for x in wide], [w ** 0.4 for w in rates])])
    return [("C at k = 1.4, by the density of the settled bed", 0.58, c), ("k", 1.4, k), ("correlation of W^(2/5) with D", (0.999, 1.0), correlation)]


# The same silo in both programs: the floor is of glued balls, because LAMMPS has no wall with a sharp rim
LAMMPS_HOLE, LAMMPS_SECONDS, LAMMPS_SEEDS = 21e-3, 0.6, (1, 2)
LAMMPS_LAW = 'sliding = "total"; lever = "radius"; mass = "bodies";'


def glued_floor(hole):
    """Centres of balls of the size of a bead on rings around an orifice, their tops at z = 0."""
    centres, ring_radius, odd = [], 0.5 * (hole + BEAD), 0
    while ring_radius < SILO + 1e-3:
        n = math.ceil(2 * math.pi * ring_radius / 2e-3)
        angles = [2 * math.pi * (k + 0.5 * odd) / n for k in range(n)]
        centres += [(ring_radius * math.cos(a), ring_radius * math.sin(a), -0.5 * BEAD) for a in angles]
        ring_radius, odd = ring_radius + 2e-3, 1 - odd
    return centres


@case("bulk/silo-lammps", "mass that leaves a silo, next to LAMMPS with the same beads, stiffness, damping and friction",
      source="LAMMPS 29 Sep 2021, pair gran/hooke/history, by tests/bench/peers/silo_lammps.py", formula="mean of LAMMPS's mass after 0.6 s for the beds of two seeds", tolerance=0.03,
      why="2.7 standard deviations of the difference: one run scatters by 0.9 % (pairs of runs differ by 0.4 % in LAMMPS, by 0.2 and 2.2 % in scree); "
      "scree has LAMMPS's rules here (sliding, lever, mass); with its own two runs gave 3.6 % more than LAMMPS", slow=True)
def silo_lammps(bench):
    with open(bench.data("silo-lammps.csv"), newline="", encoding="utf-8") as file:
        theirs = [float(row["discharged_kg"]) for row in csv.DictReader(file)]
    beads, _ = settle_beads(bench, BEADS)
    floor = bench.scratch / "floor.csv"
    column_file(floor, [dict.fromkeys(("vx", "vy", "vz", "wx", "wy", "wz"), 0.0) | {"radius": 0.5 * BEAD, "x": x, "y": y, "z": z} for x, y, z in glued_floor(LAMMPS_HOLE)])
    sides = 96
    run = silo(bench, f'floor = {{ file = "{floor}"; motion = "fixed"; }}; beads = {{ file = "{beads}"; }};', law=LAMMPS_LAW, observers=OUTFLOW,
               steps=round(LAMMPS_SECONDS / DT), radius=SILO / round_as(sides), sides=sides)
    return sum(theirs) / len(theirs), outflow(run, 0.0)[1]


# Janssen's silo
COLUMN, MU = 0.015, 0.4  # [m] radius; friction of all
COLUMN_HEIGHTS = (0.7, 1.4, 2.8, 4.2, 5.6)  # over the diameter
COLUMN_SEEDS = (1, 2, 3)


def column_on_floor(bench, ratio, seed):
    """A column of that height over its diameter: its mass, what the floor feels of it, as it sinks [kg], and its bulk density."""
    rho = 2500.0
    n = int(0.58 * math.pi * COLUMN ** 2 * ratio * 2 * COLUMN * rho / ball_mass(0.5 * BEAD, rho))
    high = 4.0 * ratio * 2 * COLUMN + 0.01
    run = bench.run(f"""scene = {{ dt = 2e-5; steps = 60000; seed = {seed}; gravity = (0.0, 0.0, -{G}); }};
materials = {{ glass = {{ density = {rho}; }}; }};
shapes = {{ wall = {{ {cylinder(COLUMN, -0.01, high + 0.01)} }}; floor = {{ type = "mesh"; facets = ((0, 1, 2, 3));
    vertices = ((-0.02, -0.02, 0.0), (0.02, -0.02, 0.0), (0.02, 0.02, 0.0), (-0.02, 0.02, 0.0)); }}; }};
bodies = {{ wall = {{ shape = "wall"; }}; floor = {{ shape = "floor"; motion = "kinematic"; }}; }};
generate = {{ beads = {{ count = {n}; distribution = {{ type = "uniform"; of = "diameter"; min = {0.9 * BEAD!r}; max = {1.1 * BEAD!r}; }};
    region = {{ min = (-0.0103, -0.0103, 0.0); max = (0.0103, 0.0103, {high!r}); }}; }}; }};
force = ( {{ plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = {MU}; }} );
modifiers = {{ lower = {{ plugin = "move"; motion = "translation"; groups = "floor"; velocity = (0.0, 0.0, -0.004); start = 0.7; }}; }};
observers = {{ floor = {{ plugin = "csv"; what = "bodies"; groups = ["floor"]; file = "floor"; every_steps = 100; }};
    beads = {{ plugin = "csv"; what = "bodies"; groups = ["beads"]; file = "beads"; every_steps = 30000; }}; }};""")
    rows = last_state(run.csv("beads"))
    force = [-row["fz"] for row in run.csv("floor") if row["time"] > 0.8]
    tops = sorted(row["z"] for row in rows)
    floor = min(row["z"] - row["radius"] for row in rows)
    return (sum(ball_mass(row["radius"], rho) for row in rows), sum(force) / len(force) / G,
            bulk_density(rows, rho, COLUMN, floor + 2 * BEAD, tops[-len(tops) // 50] - 2 * BEAD))


def mean(values):
    return sum(values) / len(values)


@case("bulk/janssen", "the force on the floor of a silo saturates: five heights", source="Janssen 1895, Z. VDI 39, 1045; Nedderman 1992, section 5.2",
      formula="m' = M (1 - exp(-m/M)); M = pi rho R^3 / (2 mu K), K 0.3 to 1.1 from the fit of M", tolerance=6e-2,
      why="means of three packings: one scatters by 3.3 % of M about the mean of its height (nine columns up to 87 g), as measured ones do (Vanel, Clement 1999, "
      "Eur. Phys. J. B 11, 525: 3 %), and one of five was 8.3 % off; 0.06 is 3.1 standard deviations of a mean of three", slow=True)
def janssen(bench):
    found = [[column_on_floor(bench, ratio, seed) for seed in COLUMN_SEEDS] for ratio in COLUMN_HEIGHTS]
    points = [(mean([m for m, _, _ in same]), mean([felt for _, felt, _ in same])) for same in found]
    density = mean([density for _, _, density in found[-1]])

    def off(scale):
        return sum((scale * (1.0 - math.exp(-m / scale)) - seen) ** 2 for m, seen in points)
    low, high = 1e-4, 10.0
    for _ in range(200):  # golden section
        a, b = high - 0.618 * (high - low), low + 0.618 * (high - low)
        low, high = (low, b) if off(a) < off(b) else (a, high)
    scale = low
    k = math.pi * density * COLUMN ** 3 / (2.0 * MU * scale)
    each = [(m, felt) for same in found for m, felt, _ in same]
    around = [felt - seen for same, (_, seen) in zip(found, points) for _, felt, _ in same]
    scatter = math.sqrt(sum(x * x for x in around) / (len(around) - len(found))) / scale
    top = max(m for m, _ in points)
    fine = [top * x / 60 for x in range(61)]
    bench.figure("janssen", xlabel="mass of the column [g]", ylabel="mass felt by the floor [g]",
                 lines=[(f"Janssen, K = {k:.2f}", [1e3 * m for m in fine], [1e3 * scale * (1 - math.exp(-m / scale)) for m in fine]),
                        ("hydrostatic", [0, 1e3 * 1.6 * scale], [0, 1e3 * 1.6 * scale])],
                 points=[("scree, each packing", [1e3 * m for m, _ in each], [1e3 * s for _, s in each])])
    return [("K", (0.3, 1.1), k)] + [(f"share of {1e3 * m:.0f} g on the floor / M", 1.0 - math.exp(-m / scale), seen / scale) for m, seen in points] + \
        [("of the highest column felt", (0.05, 0.6), points[-1][1] / points[-1][0]), ("scatter of one packing / M", (0.0, 0.1), scatter)]
