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
import argparse
import csv
import math
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

DENSITY, THICKNESS, KN, CN, G, DT, SKIN, ROUND, RADIUS = 2500.0, 0.01, 1e5, 2.0, 9.81, 4e-6, 2e-4, 3e-4, 5e-3
KINDS = 10

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


def environment():
    return {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")} | {"LC_ALL": "C", "OMP_NUM_THREADS": "1"}


def make_state(o):
    """Polygons at random, of a solid fraction of 0.3, fall and come to rest."""
    half, share = width_of(o.count), o.count // KINDS
    high = o.count * math.pi * RADIUS ** 2 / (0.3 * 2.0 * half)
    region = f"region = {{ min = ({-half!r}, 0.0); max = ({half!r}, {high!r}); }};"
    generate = " ".join(f'g{k} = {{ plugin = "random"; shape = "p{k}"; orientation = "random"; count = '
                        f'{share + (k < o.count % KINDS)}; scale = 1.0; tries = 100000; {region} }};' for k in range(KINDS))
    more = 'observers = { last = { plugin = "csv"; what = "bodies"; every_steps = 1000000; }; };'
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "s.cfg").write_text(scene(o, generate, steps=o.settle, dt=1e-5, more=more), encoding="utf-8")
        done = subprocess.run([o.build / "core/scree", "run", "s.cfg", "-q", "-o", top / "out"], cwd=top, check=False,
                              env=environment(), text=True, capture_output=True)
        if done.returncode:
            sys.exit("scree failed:\n" + done.stderr)
        rows = list(csv.DictReader(open(top / "out/bodies.csv", encoding="utf-8")))
        last = rows[-1]["step"]
        with open(o.state, "w", encoding="utf-8") as file:
            file.write("id,shape,x,y,angle\n")
            for row in sorted((r for r in rows if r["step"] == last and r["name"][0] == "g"), key=lambda r: int(r["id"])):
                angle = 2.0 * math.atan2(float(row["qz"]), float(row["qw"]))
                file.write(f'{row["id"]},p{row["name"][1:]},{row["x"]},{row["y"]},{angle!r}\n')


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


def pinned(cpu, *words):
    return ["taskset", "-c", str(cpu), *map(str, words)]


def spent():
    """[s] Of the processor, by programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_lammps(o, rows, folder):
    half = 1e3 * width_of(o.count)
    top = 2e3 * max(float(row["y"]) for row in rows) + 20.0
    write_data(folder / "state.data", o, rows, half, top)
    scaled = {"KN": 1e-3 * KN, "CN": CN, "G": 1e-3 * G, "DT": 1e3 * DT, "SKIN": 1e3 * SKIN}
    (folder / "in.deck").write_text(LAMMPS.format(**scaled, corners=o.corners, lo=-half, hi=half, top=top, warm=o.warm,
                                                  steps=o.steps), encoding="utf-8")
    before = spent()
    done = subprocess.run(pinned(o.cpu, "lmp", "-in", "in.deck", "-log", "none"), cwd=folder, text=True, capture_output=True,
                          check=False, env=environment())
    text = done.stdout
    begin, end = text.find("\nTIMED_BEGIN"), text.find("\nTIMED_END")
    last = re.search(r"\n *Step +Atoms[^\n]*\n *([^\n]*)\nLoop", text[end:])
    if done.returncode or not last:
        sys.exit("lmp failed:\n" + text[-2000:] + done.stderr[-1000:])
    _, _, ke, yc = map(float, last.group(1).split())
    timed = text[begin:end]
    return {"code": "lammps", "cpu_s": spent() - before, "loop_s": float(re.search(r"Loop time of (\S+)", timed).group(1)), "ke": 1e-3 * ke, "yc": 1e-3 * yc,
            "rebuilds": float(re.search(r"Neighbor list builds = (\S+)", timed).group(1))}


def time_scree(o, folder):
    (folder / "s.cfg").write_text(scene(o, f'bed = {{ plugin = "table"; file = "{o.state}"; }};'), encoding="utf-8")
    before = spent()
    done = subprocess.run(pinned(o.cpu, o.build / "tests/bench/dem_bench", "s.cfg", o.warm, o.steps), cwd=folder, text=True,
                          capture_output=True, check=False, env=environment())
    if done.returncode:
        sys.exit("dem_bench failed:\n" + done.stderr)
    words = [line.split() for line in done.stdout.splitlines()]
    told = {w[1].lower(): float(w[2]) for w in words if w[0] == "RESULT" and w[1] != "SHA256"}
    return {"code": "scree", "cpu_s": spent() - before, "loop_s": told["loop_s"], "ke": told["ke"], "yc": told["zc"], "rebuilds": told["rebuilds"]}


def parse():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("results", nargs="?", type=pathlib.Path)
    for name, value in (("count", 2000), ("corners", 8), ("steps", 1000), ("warm", 200), ("reps", 3), ("cpu", 0), ("settle", 60000)):
        p.add_argument("--" + name, type=int, default=value)
    p.add_argument("--state", type=pathlib.Path)
    o = p.parse_args()
    o.build = o.build.resolve()
    o.state = (o.state or pathlib.Path(f"polygons-{o.count}-{o.corners}.csv")).resolve()
    o.shapes = shapes_of(o.corners)
    return o


def report(o, runs):
    codes = sorted({run["code"] for run in runs})
    keys = ("loop_s", "cpu_s", "ke", "yc", "rebuilds")
    median = {c: {k: statistics.median(r[k] for r in runs if r["code"] == c) for k in keys} for c in codes}
    for c in codes:
        m = median[c]
        print("%-7s %8.3f s for %d steps, %8.3f s of CPU in all, %6.3f million polygon steps/s, ke %.5g J, yc %.7g m, %g rebuilds"
              % (c, m["loop_s"], o.steps, m["cpu_s"], o.count * o.steps / m["loop_s"] / 1e6, m["ke"], m["yc"], m["rebuilds"]))
    if len(codes) == 2:
        print("scree is %.2f times as fast as lammps, %.2f times by the time of the processor"
              % tuple(median["lammps"][k] / median["scree"][k] for k in ("loop_s", "cpu_s")))
    if o.results:
        cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
        fresh = not o.results.exists()
        with open(o.results, "a", encoding="utf-8") as file:
            file.write(f"# date={time.strftime('%Y-%m-%d')}; CPU={cpu.group(1) if cpu else 'unknown'}; load={os.getloadavg()[0]:.2f}; "
                       f"warm={o.warm}\n")
            if fresh:
                file.write("code\trep\tcount\tcorners\tsteps\t" + "\t".join(keys) + "\n")
            for k, r in enumerate(runs):
                file.write("\t".join(map(str, (r["code"], k // len(codes), o.count, o.corners, o.steps, *(r[k] for k in keys)))) + "\n")


def has_body():
    """Whether lmp is there and has the package."""
    if not shutil.which("lmp"):
        return False
    known = "body/rounded/polygon" in subprocess.run(["lmp", "-h"], text=True, capture_output=True, check=False).stdout
    if not known:
        print("lmp has no pair style body/rounded/polygon (package BODY): only scree is timed")
    return known


def main():
    o = parse()
    if not o.state.exists():
        make_state(o)
    rows = list(csv.DictReader(open(o.state, encoding="utf-8")))
    runs, peer = [], has_body()
    with tempfile.TemporaryDirectory() as name:
        for _ in range(o.reps):
            if peer:
                runs.append(time_lammps(o, rows, pathlib.Path(name)))
            runs.append(time_scree(o, pathlib.Path(name)))
    report(o, runs)


if __name__ == "__main__":
    main()
