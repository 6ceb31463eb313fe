#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bed of convex polygons in LAMMPS (pair body/rounded/polygon) and scree, on one thread each:
tests/bench/results/polygons.tsv.

usage: polygons.py BUILD [RESULTS.tsv] [--count N] [--corners N] [--steps N] [--warm N] [--reps N] [--cpu N] [--state FILE]

Needs `lmp` with its package BODY; without it only scree is timed. The bed is settled by scree and kept in FILE
(polygons-COUNT-CORNERS.csv in the current folder). Both programs then start from it at rest, with one linear spring and
dashpot along the normal, without friction: what LAMMPS' pair style calls c_t and mu has no spring and no history, so
that there is no tangential law that both have. A body of LAMMPS is the polygon less ROUND at each side, with a disc of
radius ROUND swept along it: sides are those of scree's polygon, corners are round. LAMMPS pushes at up to two corners
of a pair, scree (resolver closest_feature, contact = "distance") at both ends of a side on a side. LAMMPS runs in
mm, g and ms: some of its thresholds are plain numbers.
Programs take turns; what is compared is the time of `steps` steps after `warm` others by the clock (loop_s), and
the time of the processor of the whole program (cpu_s), which other work on the machine hardly changes.
"""
import math
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile

import beds

DENSITY, THICKNESS, KN, CN, G, DT, SKIN, ROUND, RADIUS = 2500.0, 0.01, 1e5, 2.0, 9.81, 4e-6, 2e-4, 3e-4, 5e-3
KINDS = 10
KEYS = ("loop_s", "cpu_s", "ke", "yc", "rebuilds")

LAMMPS = """
units lj
dimension 2
boundary f f p
newton on
atom_style body rounded/polygon 3 {corners}
atom_modify map array
comm_modify vel yes
read_data state.data
pair_style body/rounded/polygon {CN} 0.0 0.0 1.0 1e-9
pair_coeff * * {KN} 0.0
neighbor {SKIN} bin
neigh_modify every 1 delay 0 check yes one 10000
timestep {DT}
fix move all nve/body
fix grav all gravity {G} vector 0 -1 0
fix wx all wall/body/polygon {KN} {CN} 0.0 xplane {lo} {hi}
fix wy all wall/body/polygon {KN} {CN} 0.0 yplane 0.0 {top}
fix flat all enforce2d
variable yc equal xcm(all,y)
thermo_style custom step atoms ke v_yc
thermo_modify norm no lost error format float %.10g
thermo {steps}
run {warm}
print "TIMED_BEGIN"
run {steps}
print "TIMED_END"
run 0
"""

SCENE = """scene = {{ title = "a bed of polygons"; dimension = 2; dt = {dt!r}; dt_limit = 100.0; steps = {steps};
    gravity = (0.0, -{G!r}); thickness = {THICKNESS!r}; }};
materials = {{ stone = {{ density = {DENSITY!r}; }}; }};
shapes = {{ {shapes}
    x0 = {{ type = "plane"; normal = (1.0, 0.0); }}; x1 = {{ type = "plane"; normal = (-1.0, 0.0); }};
    y0 = {{ type = "plane"; normal = (0.0, 1.0); }}; }};
bodies = {{ x0 = {{ shape = "x0"; position = ({lo!r}, 0.0); }}; x1 = {{ shape = "x1"; position = ({hi!r}, 0.0); }};
    y0 = {{ shape = "y0"; position = (0.0, 0.0); }}; }};
generate = {{ {generate} }};
force = ( {{ plugin = "linear"; kn = {KN!r}; kt = 0.0; friction = 0.0; damping = "constant"; damping_n = {CN!r}; }} );
resolvers = ( {{ plugin = "closest_feature"; contact = "distance"; }} );
gcd = {{ plugin = "grid"; }};
extent = {{ eps_v = 0.0; eps_e = 0.0; eps_c = {eps!r}; }};
{more}
"""


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def measures(corners):
    """Area, centre, second moment of area about the centre."""
    area = second = cx = cy = 0.0
    for a, b in zip(corners, corners[1:] + corners[:1]):
        c = cross(a, b)
        area += c / 2.0
        cx += c * (a[0] + b[0]) / 6.0
        cy += c * (a[1] + b[1]) / 6.0
        second += c * (a[0] ** 2 + a[0] * b[0] + b[0] ** 2 + a[1] ** 2 + a[1] * b[1] + b[1] ** 2) / 12.0
    cx, cy = cx / area, cy / area
    return area, (cx, cy), second - area * (cx * cx + cy * cy)


def shapes_of(corners):
    """KINDS convex polygons on a circle, each about its centre of mass."""
    draw = random.Random(1)
    made = []
    for _ in range(KINDS):
        angles = [2.0 * math.pi * (k + 0.7 * (draw.random() - 0.5)) / corners for k in range(corners)]
        outline = [(RADIUS * math.cos(a), RADIUS * math.sin(a)) for a in angles]
        _, (cx, cy), _ = measures(outline)
        made.append([(x - cx, y - cy) for x, y in outline])
    return made


def inset(outline, by):
    """The polygon whose sides are `by` further in."""
    lines = []
    for a, b in zip(outline, outline[1:] + outline[:1]):
        d = math.hypot(b[0] - a[0], b[1] - a[1])
        n = (-(b[1] - a[1]) / d, (b[0] - a[0]) / d)  # inward
        lines.append(((a[0] + by * n[0], a[1] + by * n[1]), (b[0] - a[0], b[1] - a[1])))
    found = []
    for (p, u), (q, v) in zip(lines[-1:] + lines[:-1], lines):
        t = cross((q[0] - p[0], q[1] - p[1]), v) / cross(u, v)
        found.append((p[0] + t * u[0], p[1] + t * u[1]))
    return found


def width_of(count):
    """[m] half of the width of a bed that is about as high as wide."""
    return 0.5 * math.sqrt(count * math.pi * RADIUS ** 2 / 0.8)


def scene(o, generate, steps=1, dt=DT, more=""):
    half = width_of(o.count)
    shapes = "\n    ".join('p%d = { type = "polygon"; vertices = (%s); };' % (k, ", ".join("(%.17g, %.17g)" % p for p in outline))
                           for k, outline in enumerate(o.shapes))
    return SCENE.format(**globals(), shapes=shapes, lo=-half, hi=half, generate=generate, steps=steps, dt=dt, eps=SKIN / 2, more=more)


def make_state(o):
    """Polygons at random, of a solid fraction of 0.3, fall and come to rest."""
    half, share = width_of(o.count), o.count // KINDS
    high = o.count * math.pi * RADIUS ** 2 / (0.3 * 2.0 * half)
    region = f"region = {{ min = ({-half!r}, 0.0); max = ({half!r}, {high!r}); }};"
    generate = " ".join(f'g{k} = {{ plugin = "random"; shape = "p{k}"; orientation = "random"; count = '
                        f'{share + (k < o.count % KINDS)}; scale = 1.0; tries = 100000; {region} }};' for k in range(KINDS))
    text = scene(o, generate, steps=o.settle, dt=1e-5, more=beds.AT_END)
    with tempfile.TemporaryDirectory() as name:
        rows = beds.last_rows(o, pathlib.Path(name), text, "out", "bodies.csv", lambda row: row["name"][0] == "g")
    beds.write_state(o.state, ("id", "shape", "x", "y", "angle"),
                     ((row["id"], "p" + row["name"][1:], row["x"], row["y"], repr(2.0 * math.atan2(float(row["qz"]), float(row["qw"]))))
                      for row in sorted(rows, key=lambda row: int(row["id"]))))


def write_data(path, o, rows, half, top):
    """In mm, g and ms, so that forces are in N: the pair style has thresholds of 1e-3, whatever the units."""
    atoms, bodies = [], []
    for number, row in enumerate(rows, 1):
        outline = o.shapes[int(row["shape"][1:])]
        area, _, second = measures(outline)
        mass, turn = 1e3 * DENSITY * THICKNESS * area, 1e9 * DENSITY * THICKNESS * second
        c, s = math.cos(float(row["angle"])), math.sin(float(row["angle"]))
        atoms.append(f'{number} 1 1 {mass!r} {1e3 * float(row["x"])!r} {1e3 * float(row["y"])!r} 0')
        corners = [f"{1e3 * (c * x - s * y)!r} {1e3 * (s * x + c * y)!r} 0" for x, y in inset(outline, ROUND)]
        bodies.append("\n".join([f"{number} 1 {7 + 3 * len(corners)}", str(len(corners)), f"{turn / 2!r} {turn / 2!r} {turn!r} 0 0 0",
                                 *corners, repr(2e3 * ROUND)]))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"polygons\n\n{len(rows)} atoms\n{len(rows)} bodies\n1 atom types\n\n{-half - 0.1!r} {half + 0.1!r} xlo xhi\n"
                   f"-0.1 {top + 0.1!r} ylo yhi\n-0.5 0.5 zlo zhi\n\nAtoms\n\n" + "\n".join(atoms) + "\n\nBodies\n\n" +
                   "\n".join(bodies) + "\n")


def spent():
    """[s] Of the processor, by programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_lammps(o, rows, folder):
    half = 1e3 * width_of(o.count)
    top = 2e3 * max(float(row["y"]) for row in rows) + 20.0
    write_data(folder / "state.data", o, rows, half, top)
    scaled = {"KN": 1e-3 * KN, "CN": CN, "G": 1e-3 * G, "DT": 1e3 * DT, "SKIN": 1e3 * SKIN}
    deck = LAMMPS.format(**scaled, corners=o.corners, lo=-half, hi=half, top=top, warm=o.warm, steps=o.steps)
    before = spent()
    timed, (_, _, ke, yc) = beds.time_lammps(o, folder, deck)
    return {"code": "lammps", **timed, "cpu_s": spent() - before, "ke": 1e-3 * ke, "yc": 1e-3 * yc}


def time_scree(o, folder):
    before = spent()
    told, _ = beds.time_scree(o, folder, scene(o, f'bed = {{ plugin = "table"; file = "{o.state}"; }};'))
    return {"code": "scree", **told, "cpu_s": spent() - before, "yc": told["zc"]}


def report(o, runs):
    median = beds.medians(runs, KEYS)
    for c, m in median.items():
        print("%-7s %8.3f s for %d steps, %8.3f s of CPU in all, %6.3f million polygon steps/s, ke %.5g J, yc %.7g m, %g rebuilds"
              % (c, m["loop_s"], o.steps, m["cpu_s"], o.count * o.steps / m["loop_s"] / 1e6, m["ke"], m["yc"], m["rebuilds"]))
    if len(median) == 2:
        print("scree is %.2f times as fast as lammps, %.2f times by the time of the processor"
              % tuple(median["lammps"][k] / median["scree"][k] for k in ("loop_s", "cpu_s")))


def has_body():
    """Whether lmp is there and has the package."""
    if not shutil.which("lmp"):
        return False
    known = "body/rounded/polygon" in subprocess.run(["lmp", "-h"], text=True, capture_output=True, check=False).stdout
    if not known:
        print("lmp has no pair style body/rounded/polygon (package BODY): only scree is timed")
    return known


def main():
    o = beds.parse(__doc__, "polygons", count=2000, corners=8, steps=1000, warm=200, reps=3, cpu=0, settle=60000)
    o.shapes = shapes_of(o.corners)
    if not o.state.exists():
        make_state(o)
    rows = beds.rows_of(o.state)
    runs, peer = [], has_body()
    with tempfile.TemporaryDirectory() as name:
        for _ in range(o.reps):
            if peer:
                runs.append(time_lammps(o, rows, pathlib.Path(name)))
            runs.append(time_scree(o, pathlib.Path(name)))
    report(o, runs)
    beds.keep(o, runs, ("count", "corners", "steps"), KEYS)


if __name__ == "__main__":
    main()
