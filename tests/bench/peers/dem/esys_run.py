# SPDX-License-Identifier: Apache-2.0
# ESyS-Particle: one timed DEM run from job.json + state.txt (written by bench.py).
# Spring + Coulomb with tangential history, no dashpot and frictionless walls: less
# contact work than the other codes, but full quaternion rotation.
import json
import math
import time

from esys.lsm import *
from esys.lsm.util import BoundingBox, Vec3

J = json.load(open("job.json"))
rows = [tuple(float(v) for v in l.split()) for l in open("state.txt")]
b = J["box"]
rmax = max(x[7] for x in rows)
sim = LsmMpi(numWorkerProcesses=1, mpiDimList=[1, 1, 1])
sim.initNeighbourSearch(particleType="RotSphere", gridSpacing=2 * rmax + 2 * J["skin"], verletDist=J["skin"])
sim.setNumTimeSteps(10 ** 9)
sim.setTimeStepSize(J["dt"])
p = 2 * rmax
sim.setSpatialDomain(BoundingBox(Vec3(b[0] - p, b[2] - p, b[4] - p), Vec3(b[1] + p, b[3] + p, b[5] + p)))
for x in rows:
    s = RotSphere(id=int(x[0]), posn=Vec3(*x[1:4]), radius=x[7], mass=J["density"] * 4 / 3 * math.pi * x[7] ** 3)
    s.setLinearVelocity(Vec3(*x[4:7]))
    sim.createParticle(s)
if J["g"] > 0:
    sim.createInteractionGroup(GravityPrms(name="g", acceleration=Vec3(0, 0, -J["g"])))
sim.createInteractionGroup(RotFrictionPrms(name="f", normalK=J["kn"], dynamicMu=J["mu"], staticMu=J["mu"],
                                           shearK=J["kt"], scaling=False))
for ax in range(3):
    for hi in (0, 1):
        o, n = [0.0] * 3, [0.0] * 3
        o[ax], n[ax] = b[2 * ax + hi], 1.0 - 2 * hi
        name = "w%d%d" % (ax, hi)
        sim.createWall(name=name, posn=Vec3(*o), normal=Vec3(*n))
        sim.createInteractionGroup(NRotElasticWallPrms(name="e" + name, wallName=name, normalK=J["kn"]))
for _ in range(J["warm"]):
    sim.runTimeStep()
t0 = time.time()
for _ in range(J["steps"]):
    sim.runTimeStep()
loop = time.time() - t0
m = zm = ke = 0.0
for s in sim.getParticleList():
    w, v = s.getMass(), s.getLinearVelocity()
    m += w
    zm += w * s.getPosn()[2]
    ke += 0.5 * w * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
print("\nRESULT LOOP_S %.6g\nRESULT KE %.10g\nRESULT ZC %.10g\nRESULT STEPS %d" % (loop, ke, zm / m, J["steps"]))
