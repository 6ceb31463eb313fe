#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A ball rolls or twists on a plane in LIGGGHTS, LAMMPS and scree with the same numbers: tests/bench/results/rolling.tsv.

usage: rolling.py SCREE [RESULTS.tsv]      (needs `liggghts` and `lmp`; a program that is missing is left out)

The ball lies at its resting depth and rolls at 0.1 m/s; what is compared is its speed at 20 moments, until it
has come to rest and rocks: `off` is the largest difference, as a share of 0.1 m/s. In the last cases it spins about the
vertical instead, until it stops and swings; there `off` is a share of the spin at the start.
"""
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

R, DENSITY, G, KN, KT, MU, V, DT = 5e-3, 2500.0, 9.81, 1e5, 4e4, 0.1, 0.1, 2e-6
MASS = DENSITY * 4.0 / 3.0 * math.pi * R ** 3
DEPTH = MASS * G / KN
STEPS, EVERY = 100000, 5000
VISC = 0.3

LIGGGHTS = """
atom_style granular
atom_modify map array
boundary m m m
newton off
communicate single vel yes
units si
region reg block -0.2 0.2 -0.2 0.2 -0.01 0.1 units box
create_box 1 reg
neighbor 0.002 bin
neigh_modify delay 0
fix m1 all property/global kn peratomtypepair 1 {KN}
fix m2 all property/global kt peratomtypepair 1 {KT}
fix m3 all property/global gamman peratomtypepair 1 0.0
fix m4 all property/global gammat peratomtypepair 1 0.0
fix m5 all property/global coefficientFriction peratomtypepair 1 2.0
fix m6 all property/global coefficientRollingFriction peratomtypepair 1 {MU}
fix m7 all property/global coefficientRollingViscousDamping peratomtypepair 1 {VISC}
fix m8 all property/global youngsModulus peratomtype 1e7
fix m9 all property/global poissonsRatio peratomtype 0.3
fix m10 all property/global coefficientRestitution peratomtypepair 1 0.5
fix m11 all property/global characteristicVelocity scalar 1.0
pair_style gran model hooke/stiffness tangential history rolling_friction {model}
pair_coeff * *
timestep {DT}
fix g all gravity {G} vector 0.0 0.0 -1.0
fix w all wall/gran model hooke/stiffness tangential history rolling_friction {model} primitive type 1 zplane 0.0
create_atoms 1 single 0.0 0.0 {z} units box
set atom 1 diameter {d} density {DENSITY} vx {V} vy 0.0 vz 0.0
set atom 1 omegax 0.0 omegay {w} omegaz 0.0
fix i all nve/sphere
dump d all custom {EVERY} out.txt id vx omegay omegaz
dump_modify d format "%d %.12g %.12g %.12g"
run {STEPS}
"""

LAMMPS = """
units si
atom_style sphere
boundary f f f
region reg block -0.2 0.2 -0.2 0.2 -0.01 0.1 units box
create_box 1 reg
create_atoms 1 single 0.0 0.0 {z} units box
set atom 1 diameter {d}
set atom 1 density {DENSITY}
velocity all set {v} 0.0 0.0
set atom 1 omega 0.0 {w} {twist}
comm_modify vel yes
neighbor 0.002 bin
pair_style granular
pair_coeff * * hooke {KN} 0.0 tangential linear_history {KT} 0.0 2.0 {model}
fix i all nve/sphere
fix g all gravity {G} vector 0 0 -1
fix w all wall/gran granular hooke {KN} 0.0 tangential linear_history {KT} 0.0 2.0 {model} &
  zplane 0.0 NULL
timestep {DT}
dump d all custom {EVERY} out.txt id vx omegay omegaz
dump_modify d format line "%d %.12g %.12g %.12g"
run {STEPS}
"""

SCENE = """
scene = {{ dt = {DT}; steps = {STEPS}; gravity = (0.0, 0.0, -{G}); }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ ball = {{ radius = {R}; position = (0.0, 0.0, {z}); velocity = ({v}, 0.0, 0.0); spin = (0.0, {w}, {twist}); }};
    floor = {{ shape = "floor"; }}; }};
force = ( {{ plugin = "linear"; kn = {KN}; kt = {KT}; friction = 2.0; damping = "none"; }},
    {{ plugin = "rolling"; {law} }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {EVERY}; }}; }};
"""

KROLL, GROLL = 2e3, 1.5  # LAMMPS sds: N/m, N s/m
SDS = MASS * R * R * 1.4  # J on a plane
RATIO = GROLL * R * R / (2.0 * math.sqrt(SDS * KROLL * R * R))
KTWIST, GTWIST, MUTWIST = 2e-3, 2e-7, 2.5e-4  # LAMMPS twisting sds: N m, N m s, m
A = math.sqrt(R * DEPTH)  # contact radius: twisting marshall takes 1/2 kt a^2 and 2/3 mu_t a, friction mu_t = 2
TWIST = 'rolling_friction = 0.0; stiffness = "given"; rolling_stiffness = 0.0; sliding = "total"; '


def twisting(k, c, mu):
    """LAMMPS' stiffness, dashpot and limit (a length) of twisting on a plane as those of force/rolling."""
    ratio = c / (2.0 * math.sqrt(0.4 * MASS * R * R * k))
    return TWIST + f"twisting_stiffness = {k / R ** 2!r}; twisting_friction = {mu / R!r}; rolling_damping = {ratio!r};"


ROLL = f"rolling_friction = {MU}; "

# name, program, words of its deck, the law here, spin about the vertical instead of rolling [rad/s]
CASES = [
    ("liggghts cdt", "liggghts", {"model": "cdt"}, ROLL + 'type = "constant";', 0.0),
    ("liggghts epsd", "liggghts", {"model": "epsd"}, ROLL + f'sliding = "spring"; rolling_damping = {VISC};', 0.0),
    ("liggghts epsd2", "liggghts", {"model": "epsd2"},
     ROLL + 'sliding = "spring"; stiffness = "tangential"; rolling_damping = 0.0;', 0.0),
    ("lammps rolling sds", "lmp", {"model": f"rolling sds {KROLL} {GROLL} {MU}"},
     ROLL + f'sliding = "total"; stiffness = "given"; rolling_stiffness = {KROLL}; rolling_damping = {RATIO!r};', 0.0),
    ("default next to epsd", "liggghts", {"model": "epsd"}, ROLL, 0.0),
    ("default next to sds", "lmp", {"model": f"rolling sds {KROLL} {GROLL} {MU}"}, ROLL + 'stiffness = "given"; rolling_stiffness = 2e3;', 0.0),
    ("lammps twisting sds", "lmp", {"model": f"twisting sds {KTWIST} {GTWIST} {MUTWIST}"}, twisting(KTWIST, GTWIST, MUTWIST), 20.0),
    ("lammps twisting marshall", "lmp", {"model": "twisting marshall"}, twisting(0.5 * KT * A * A, 0.0, 2.0 / 3.0 * 2.0 * A), 2.0),
]


def numbers(path):
    """Speed, spin and twist of each snapshot of a dump."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [tuple(map(float, lines[k + 1].split()[1:4])) for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS")]


def start(twist):
    return {"z": repr(R - DEPTH), "v": repr(0.0 if twist else V), "w": repr(0.0 if twist else V / R), "twist": repr(twist)}


def theirs(program, words, twist, folder):
    deck = (LAMMPS if program == "lmp" else LIGGGHTS).format(**globals(), **words, **start(twist), d=2 * R)
    (folder / "in.deck").write_text(deck, encoding="utf-8")
    done = subprocess.run([program, "-in", "in.deck", "-log", "none"], cwd=folder, text=True, capture_output=True, check=False)
    if not (folder / "out.txt").exists():
        sys.exit(f"{program} failed:\n{done.stdout[-2000:]}{done.stderr[-1000:]}")
    return numbers(folder / "out.txt")


def ours(scree, law, twist, folder):
    (folder / "scene.cfg").write_text(SCENE.format(**globals(), law=law, **start(twist)), encoding="utf-8")
    subprocess.run([scree, "run", "scene.cfg", "-q", "-o", "run"], cwd=folder, check=True, capture_output=True)
    rows = [line.split(",") for line in (folder / "run" / "bodies.csv").read_text(encoding="utf-8").splitlines()]
    vx, wy, wz, z = (rows[0].index(key) for key in ("vx", "wy", "wz", "z"))
    return [(float(row[vx]), float(row[wy]), float(row[wz])) for row in rows[1:] if float(row[z]) > 0.0]


def main():
    scree = str(pathlib.Path(sys.argv[1]).resolve())
    out = ["case\toff in speed\toff in spin\tmoments\tat the end, m/s or rad/s: theirs\tours"]
    for name, program, words, law, twist in CASES:
        if not shutil.which(program):
            print(f"{program} is not installed: {name} is left out", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            a, b = theirs(program, words, twist, pathlib.Path(folder)), ours(scree, law, twist, pathlib.Path(folder))
        n = min(len(a), len(b))
        scale, last = (V, V / R, twist or 1.0), 2 if twist else 0
        off = [max(abs(p[k] - q[k]) for p, q in zip(a, b)) / scale[k] for k in range(3)]
        out.append(f"{name}\t{off[0]:.2g}\t{off[2 if twist else 1]:.2g}\t{n}\t{a[n - 1][last]:.2g}\t{b[n - 1][last]:.2g}")
    text = "\n".join(out) + "\n"
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
