# SPDX-License-Identifier: Apache-2.0
# YADE: one timed DEM run from a prepared state (job.json + state.txt in the
# working directory, written by bench.py). Run as: yade -n -x -j1 yade_run.py
import json
import math
import time

from yade import *
from yade import utils

J = json.load(open("job.json"))
rows = [tuple(float(v) for v in l.split()) for l in open("state.txt")]
visc = J["law"] == "visc"


def material(m):
    """Per-particle parameters; contacts combine them in series, so doubling kn
    and using gamma*m gives contact kn and damping gamma*m_eff as in LAMMPS."""
    if visc:
        big = 1e6 if m is None else 1.0
        mm = 1e-6 if m is None else m
        return O.materials.append(ViscElMat(density=J["density"], frictionAngle=math.atan(J["mu"]),
                                            kn=2 * J["kn"], ks=2 * J["kt"],
                                            cn=J["gn"] * mm * big, cs=J["gt"] * mm * big))
    # Cundall-Strack: kn = 2 E r1 r2/(r1+r2) and ks = nu*kn; monodisperse only
    r = rows[0][7]
    return O.materials.append(FrictMat(density=J["density"], frictionAngle=math.atan(J["mu"]),
                                       young=J["kn"] / r, poisson=J["kt"] / J["kn"]))


mats = {}
for x in rows:
    r = x[7]
    if r not in mats:
        mats[r] = material(J["density"] * 4 / 3 * math.pi * r ** 3)
    i = O.bodies.append(utils.sphere(x[1:4], r, material=mats[r]))
    O.bodies[i].state.vel = x[4:7]
wm = material(None)
b = J["box"]
for ax in range(3):
    O.bodies.append(utils.wall(b[2 * ax], axis=ax, sense=0, material=wm))
    O.bodies.append(utils.wall(b[2 * ax + 1], axis=ax, sense=0, material=wm))

ip2, law2 = ((Ip2_ViscElMat_ViscElMat_ViscElPhys(), Law2_ScGeom_ViscElPhys_Basic()) if visc else
             (Ip2_FrictMat_FrictMat_FrictPhys(), Law2_ScGeom_FrictPhys_CundallStrack()))
col = InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=J["skin"] / 2)
O.engines = [
    ForceResetter(),
    col,
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [ip2], [law2]),
    NewtonIntegrator(damping=0.0 if visc else 0.2, gravity=(0, 0, -J["g"])),
]
O.dt = J["dt"]
O.trackEnergy = False
O.run(J["warm"], True)
n0 = col.numAction
t0 = time.time()
O.run(J["steps"], True)
loop = time.time() - t0
reb = col.numAction - n0

# everything below is outside the timed section
nb = len(rows)
ns = sum(1 for k in O.interactions if k.isReal and k.id1 < nb and k.id2 < nb)
nall = sum(1 for k in O.interactions if k.isReal)
ke = sum(0.5 * O.bodies[i].state.mass * O.bodies[i].state.vel.squaredNorm() for i in range(nb))
mt = sum(O.bodies[i].state.mass for i in range(nb))
zc = sum(O.bodies[i].state.mass * O.bodies[i].state.pos[2] for i in range(nb)) / mt
k = next((k for k in O.interactions if k.isReal and k.id1 < nb and k.id2 < nb), None)
if k:
    print("CHECK contact kn %g ks %g cn %g cs %g mu %g" % (
        k.phys.kn, k.phys.ks, getattr(k.phys, "cn", 0), getattr(k.phys, "cs", 0),
        getattr(k.phys, "tangensOfFrictionAngle", 0)))
k = next((k for k in O.interactions if k.isReal and max(k.id1, k.id2) >= nb), None)
if k:
    print("CHECK wall    kn %g ks %g cn %g cs %g" % (k.phys.kn, k.phys.ks, getattr(k.phys, "cn", 0), getattr(k.phys, "cs", 0)))
for key, v in (("LOOP_S", loop), ("REBUILDS", reb), ("CONTACTS", ns), ("CONTACTS_ALL", nall), ("KE", ke), ("ZC", zc),
               ("STEPS", J["steps"]), ("LIST_PAIRS", len(O.interactions.all(onlyReal=False)))):
    print("RESULT %s %.10g" % (key, v))

# engine split from a short extra run with YADE's own timers
from yade import timing
O.timingEnabled = True
timing.reset()
O.run(max(J["steps"] // 5, 5), True)
tot = sum(e.execTime for e in O.engines)
if tot:
    for key, i in (("NEIGH_S", 1), ("PAIR_S", 2)):
        print("RESULT %s %.6g" % (key, loop * O.engines[i].execTime / tot))
