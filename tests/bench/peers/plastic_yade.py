# SPDX-License-Identifier: Apache-2.0
"""Luding's hysteretic contact by YADE: two balls on a path of depths; force at each place that is kept.

usage: yade -x -n -j1 plastic_yade.py OUT.csv [STEP]

One ball is fixed, the other is moved along the paths of CASES in steps of STEP [m] (1e-9): loaded, unloaded to the adhesive branch,
reloaded beyond the first depth, unloaded again. OUT.csv: case, depth [m], force [N], > 0 pushes apart, every 5e-6 m.
YADE takes k2 from the largest depth of the previous step, so that its forces have an error of first order in STEP:
at 1e-9 up to 6.1e-6 N of 1 to 2.75, at 1e-8 ten times as much. tests/verification/data/plastic-yade.csv is of YADE
2023.02a; tests/verification/cases/plastic.py takes force/plastic along the same paths.
"""
import csv
import sys

from yade import *  # noqa: F403

ARGS = sys.argv[sys.argv.index(next(a for a in sys.argv if a.endswith(".csv"))):]
OUT, STEP = ARGS[0], float(ARGS[1]) if len(ARGS) > 1 else 1e-9
R, K1, KP, KEPT = 5e-3, 1e4, 5e4, 5e-6
# kc [N/m], PhiF [-], depths at the ends of the legs [m]; D* = KP / (KP - K1) PhiF R: 3.125e-4, in the last two 5e-5 m
CASES = {"no adhesion": (0.0, 0.05, (1e-4, 7e-5, 1.2e-4, 8e-5)),
         "adhesion": (2e3, 0.05, (1e-4, 3e-5, 1.2e-4, 0.0)),
         "limit": (0.0, 0.008, (8e-5, 5e-5, 1e-4, 6e-5)),
         "limit, adhesion": (2e3, 0.008, (8e-5, 2e-5, 1e-4, 0.0))}

rows = [("case", "depth", "force")]
for name, (kc, phi, path) in CASES.items():
    O.reset()
    m = O.materials.append(LudingMat(density=2500, k1=K1, kp=KP, ks=0.0, kc=kc, PhiF=phi, G0=0.0, frictionAngle=0.0))
    O.bodies.append([sphere((0, 0, 0), R, material=m, fixed=True), sphere((0, 0, 2 * R - STEP), R, material=m, fixed=True)])
    O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb()]),
                 InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_LudingMat_LudingMat_LudingPhys()],
                                 [Law2_ScGeom_LudingPhys_Basic()]),
                 NewtonIntegrator(damping=0)]
    O.dt, depth = 1e-9, 0.0
    for end in path:
        n, start = round(abs(end - depth) / STEP), depth
        for k in range(1, n + 1):
            depth = start + (end - start) * k / n
            O.bodies[1].state.pos = Vector3(0, 0, 2 * R - depth)
            O.step()
            if k % round(KEPT / STEP) == 0:
                rows.append((name, f"{depth:.6g}", f"{O.forces.f(1)[2]:.9g}"))
with open(OUT, "w", newline="", encoding="utf-8") as file:
    csv.writer(file, lineterminator="\n").writerows(rows)
