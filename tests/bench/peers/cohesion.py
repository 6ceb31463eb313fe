#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pull of LIGGGHTS' sjkr and sjkr2 on two balls and on a ball at a wall: tests/bench/results/cohesion.tsv.

usage: cohesion.py SCREE [RESULTS.tsv]      (needs `liggghts`)

Balls of 5 and 3 mm at several depths, at rest: the force on the first one in both programs. It is that of
the linear spring less the pull.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

KN, DENSITY, ENERGY, RA, RB = 1e5, 2500.0, 1e6, 5e-3, 3e-3
DEPTHS = (1e-6, 1e-5, 1e-4, 1e-3)
DECK = """
atom_style granular
atom_modify map array
boundary m m m
newton off
communicate single vel yes
units si
region reg block -0.1 0.1 -0.1 0.1 -0.1 0.1 units box
create_box 1 reg
neighbor 0.002 bin
neigh_modify delay 0
fix m1 all property/global kn peratomtypepair 1 {KN}
fix m2 all property/global kt peratomtypepair 1 {KN}
fix m3 all property/global gamman peratomtypepair 1 0.0
fix m4 all property/global gammat peratomtypepair 1 0.0
fix m5 all property/global coefficientFriction peratomtypepair 1 0.0
fix m6 all property/global cohesionEnergyDensity peratomtypepair 1 {ENERGY}
fix m8 all property/global youngsModulus peratomtype 1e7
fix m9 all property/global poissonsRatio peratomtype 0.3
fix m10 all property/global coefficientRestitution peratomtypepair 1 0.5
fix m11 all property/global characteristicVelocity scalar 1.0
pair_style gran model hooke/stiffness tangential history cohesion {form}
pair_coeff * *
timestep 1e-9
{wall}
create_atoms 1 single 0.0 0.0 {z} units box
set atom 1 diameter {da} density {DENSITY} vx 0.0 vy 0.0 vz 0.0
{second}
fix i all nve/sphere
dump d all custom 1 out.txt id fz
dump_modify d format "%d %.15g" sort id
run 0
"""
SCENE = """
scene = {{ dt = 1e-9; steps = 1; }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ a = {{ radius = {RA}; position = (0.0, 0.0, {z}); }}; {second} }};
force = ( {{ plugin = "linear"; kn = {KN}; damping = "none"; }},
    {{ plugin = "cohesion_sjkr"; form = "{form}"; cohesion_energy_density = {ENERGY}; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 1; }}; }};
"""


def theirs(form, wall, depth, folder):
    z = RA - depth if wall else RA + RB - depth
    plane = f"fix w all wall/gran model hooke/stiffness tangential history cohesion {form} primitive type 1 zplane 0.0"
    second = f"create_atoms 1 single 0.0 0.0 0.0 units box\nset atom 2 diameter {2 * RB} density {DENSITY}"
    (folder / "in.deck").write_text(DECK.format(**globals(), form=form, z=repr(z), da=2 * RA, wall=plane if wall else "",
                                                second="" if wall else second), encoding="utf-8")
    done = subprocess.run(["liggghts", "-in", "in.deck", "-log", "none"], cwd=folder, text=True, capture_output=True, check=False)
    lines = (folder / "out.txt").read_text(encoding="utf-8").splitlines() if (folder / "out.txt").exists() else []
    for line in lines:
        if line.startswith("1 ") and len(line.split()) == 2:
            return float(line.split()[1])
    sys.exit(f"liggghts failed:\n{done.stdout[-1500:]}")


def ours(scree, form, wall, depth, folder):
    z = RA - depth if wall else RA + RB - depth
    second = 'floor = { shape = "floor"; };' if wall else f"b = {{ radius = {RB}; position = (0.0, 0.0, 0.0); }};"
    (folder / "scene.cfg").write_text(SCENE.format(**globals(), form=form, z=repr(z), second=second), encoding="utf-8")
    subprocess.run([scree, "run", "scene.cfg", "-q", "-o", "run"], cwd=folder, check=True, capture_output=True)
    rows = [line.split(",") for line in (folder / "run" / "bodies.csv").read_text(encoding="utf-8").splitlines()]
    return next(float(row[rows[0].index("fz")]) for row in rows[1:] if row[rows[0].index("name")].startswith("a"))


def main():
    scree = str(pathlib.Path(sys.argv[1]).resolve())
    if not shutil.which("liggghts"):
        sys.exit("liggghts is not installed")
    out = ["form\tagainst\tdepth, m\tLIGGGHTS, N\tscree, N\toff"]
    for form in ("sjkr", "sjkr2"):
        for wall in (False, True):
            for depth in DEPTHS:
                with tempfile.TemporaryDirectory() as folder:
                    a, b = theirs(form, wall, depth, pathlib.Path(folder)), ours(scree, form, wall, depth, pathlib.Path(folder))
                out.append(f"{form}\t{'wall' if wall else 'ball'}\t{depth:g}\t{a:.12g}\t{b:.12g}\t{abs(a - b) / abs(a):.1g}")
    text = "\n".join(out) + "\n"
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
