# SPDX-License-Identifier: Apache-2.0
"""Triaxial compression by YADE: spheres between six walls that keep the side pressure, while two of them close.

usage: yade -x -n -j1 triaxial_yade.py START.csv WALLS.csv OUT.csv STEPS [SPEED]

START.csv holds x, y, z, radius of the spheres, WALLS.csv name, x, y, z of the walls: tests/verification/data/triaxial
has those of configs/triaxial.cfg at the time at which it gets its friction. All else is as in that scene: law
(CundallStrack), friction, local damping, pressure, rate (SPEED, of both walls together); kn and ks are half of
the scene's, the step is 5e-6 s for 4e-6 s.
OUT.csv holds the axial strain, the volumetric strain and the stresses of the walls [Pa] every 200 steps.
tests/verification/data/triaxial/yade.csv is of YADE 2023.02a, 28000 steps.
"""
import csv
import math
import sys

from yade import *  # noqa: F403

ARGS = sys.argv[sys.argv.index(next(a for a in sys.argv if a.endswith(".csv"))):]
START, WALL_FILE, OUT, STEPS = ARGS[0], ARGS[1], ARGS[2], int(ARGS[3])
SPEED = float(ARGS[4]) if len(ARGS) > 4 else 0.12
KN, KS, FRICTION, PRESSURE, EVERY = 5e5, 2.5e5, 0.5773502691896257, 1e5, 200

with open(WALL_FILE, newline="", encoding="utf-8") as file:
    at = {row["name"]: [float(row[k]) for k in "xyz"] for row in csv.DictReader(file)}
lo = Vector3(at["left"][0], at["front"][1], at["bottom"][2])
hi = Vector3(at["right"][0], at["back"][1], at["top"][2])
grain = O.materials.append(FrictMat(density=2600, young=1e7, poisson=0.5, frictionAngle=math.atan(FRICTION), label="grain"))
plate = O.materials.append(FrictMat(density=0, young=1e7, poisson=0.5, frictionAngle=0, label="plate"))
O.bodies.append(aabbWalls([lo, hi], thickness=0, material="plate", oversizeFactor=2))
with open(START, newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        O.bodies.append(sphere([float(row[k]) for k in "xyz"], float(row["radius"]), material="grain"))
angle = MatchMaker(matches=((grain, grain, math.atan(FRICTION)), (grain, plate, 0.0)))
triax = TriaxialStressController(thickness=0, internalCompaction=False, stressMask=3, goal1=-PRESSURE, goal2=-PRESSURE,
                                 goal3=-SPEED / (hi[2] - lo[2]), max_vel=0.5, computeStressStrainInterval=1)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Box_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Box_Sphere_ScGeom()],
                    [Ip2_FrictMat_FrictMat_FrictPhys(kn=MatchMaker(algo="val", val=KN), ks=MatchMaker(algo="val", val=KS), frictAngle=angle)],
                    [Law2_ScGeom_FrictPhys_CundallStrack()]),
    triax,
    NewtonIntegrator(damping=0.2),
]
O.dt = 5e-6
size0 = hi - lo
lines = [("axial_strain", "volumetric_strain", "sx", "sy", "sz")]


def look():
    p = [O.bodies[k].state.pos for k in range(6)]
    size = [p[1][0] - p[0][0], p[3][1] - p[2][1], p[5][2] - p[4][2]]
    area = [size[1] * size[2], size[0] * size[2], size[0] * size[1]]
    s = [(O.forces.f(2 * k + 1)[k] - O.forces.f(2 * k)[k]) / (2 * area[k]) for k in range(3)]
    volume = size[0] * size[1] * size[2] / (size0[0] * size0[1] * size0[2])
    lines.append([f"{v:.7g}" for v in (1 - size[2] / size0[2], 1 - volume, *s)])


for done in range(0, STEPS, EVERY):
    O.run(EVERY, True)
    look()
with open(OUT, "w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows(lines)
