# SPDX-License-Identifier: Apache-2.0
"""Times a bed of dodecahedra in YADE; dodecahedra.py runs it.

usage: yade -x -n -j1 dodecahedra_yade.py STATE.csv CORNERS.csv YOUNG TANGENTIAL FRICTION DT HALF_WIDTH WARM STEPS

STATE.csv: x, y, z and q0 to q3, w first, of each; CORNERS.csv: x, y, z of the corners in the body's frame. Prints one line of
results.
"""
import csv
import math
import sys
import time

from yade import *  # noqa: F403
from yade import polyhedra_utils, utils

ARGS = sys.argv[sys.argv.index(next(a for a in sys.argv if a.endswith(".csv"))):]
YOUNG, KT, MU, DT, HALF = map(float, ARGS[2:7])
WARM, STEPS = map(int, ARGS[7:9])


def rows(path, names):
    with open(path, newline="", encoding="utf-8") as file:
        return [[float(row[k]) for k in names] for row in csv.DictReader(file)]


# kn = YOUNG / 2 [N/m3], ks = YOUNG * poisson / 2 [N/m]
stone = PolyhedraMat(density=2500.0, young=YOUNG, poisson=2.0 * KT / YOUNG, frictionAngle=math.atan(MU))
O.materials.append(stone)
for axis, place, sense in ((0, -HALF, 1), (0, HALF, -1), (1, -HALF, 1), (1, HALF, -1), (2, 0.0, 1)):
    O.bodies.append(utils.wall(place, axis=axis, sense=sense, material=stone))
corners = [Vector3(*c) for c in rows(ARGS[1], "xyz")]
for x, y, z, *q in rows(ARGS[0], ("x", "y", "z", "q0", "q1", "q2", "q3")):
    turn = Quaternion(*q)
    O.bodies.append(polyhedra_utils.polyhedra(stone, v=[Vector3(x, y, z) + turn * c for c in corners], color=(1, 1, 1)))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()]),
    InteractionLoop([Ig2_Wall_Polyhedra_PolyhedraGeom(), Ig2_Polyhedra_Polyhedra_PolyhedraGeom()],
                    [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()],
                    [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()]),
    NewtonIntegrator(damping=0.2, gravity=(0, 0, -9.81)),
]
O.dt = DT
O.run(WARM, True)
begin, used = time.perf_counter(), time.process_time()
O.run(STEPS, True)
loop, cpu = time.perf_counter() - begin, time.process_time() - used
free = [b for b in O.bodies if isinstance(b.shape, Polyhedra)]
touching = sum(1 for i in O.interactions if i.isReal)
kinetic = sum(0.5 * b.state.mass * b.state.vel.squaredNorm() for b in free)
height = sum(b.state.pos[2] for b in free) / len(free)
print("RESULT", loop, cpu, touching, kinetic, height)
