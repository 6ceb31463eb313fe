# SPDX-License-Identifier: Apache-2.0
"""Cases of force/dmt after force/hertz_mindlin."""
import math

from jkr import E_STAR, GAMMA, LAMMPS, RADIUS, impact, lammps, led, reduced, repulsion
from verify import case

SOURCE = "Derjaguin, Muller, Toporov 1975, J. Colloid Interface Sci. 53, 314"
FORCE = '{ plugin = "hertz_mindlin"; restitution = 1.0; }, { plugin = "dmt"; }'


def force_at(r, depth):
    return 4.0 / 3.0 * E_STAR * math.sqrt(r) * depth ** 1.5 - 2.0 * math.pi * GAMMA * r


@case("force/dmt", "force by depth with hertz_mindlin, pressed and drawn", source=SOURCE,
      formula="4/3 E* sqrt(R) depth^(3/2) - 2 pi G R, 0 across a gap; R = r at a wall", tolerance=1e-12,
      why="share of the pull; overlaps are differences of places")
def curve(bench):
    found = []
    for label, other in (("wall", None), ("equal balls", RADIUS), ("balls 1 : 3", 3.0 * RADIUS)):
        r = reduced(other)
        rows = led(bench, 4e-8, other, force=FORCE)
        off = max(abs(repulsion(row) - force_at(r, row["depth"])) for row in rows)
        found += [(f"{label}: largest difference / pull", 0.0, off / (2.0 * math.pi * GAMMA * r)),
                  (f"{label}: largest pull / 2 pi G R", (0.999, 1.0 + 1e-12),
                   -min(map(repulsion, rows)) / (2.0 * math.pi * GAMMA * r))]
        if other is None:
            xs = [4e-10 * k for k in range(101)]
            bench.figure("dmt-force", xlabel="depth [nm]", ylabel="force [uN]",
                         lines=[("Derjaguin, Muller, Toporov", [1e9 * x for x in xs], [1e6 * force_at(r, x) for x in xs])],
                         points=[("scree", [1e9 * row["depth"] for row in rows[::30]],
                                  [1e6 * repulsion(row) for row in rows[::30]])])
    return found


@case("force/dmt", "an impact loses nothing", source=SOURCE, formula="v' = v", tolerance=5e-4,
      why="the pull has a step at touch, which an integrator meets within its step of 1/2000 of the impact")
def elastic(bench):
    found = []
    for speed in (0.1, 1.0):
        run = impact(bench, speed, 1e-10, force='{ plugin = "hertz_mindlin"; %s; }, { plugin = "dmt"; }')
        energy = run.json["energy"]
        found += [(f"{speed} m/s: speed after / before", 1.0, run.csv("bodies")[-2]["vz"] / speed),
                  (f"{speed} m/s: lost / energy", 0.0, energy["lost"] / energy["start"])]
    return found


@case("force/dmt", "against dmt of LAMMPS", source="LAMMPS 29 Sep 2021, pair_style granular, dmt with gamma = G/2",
      formula="the force while they touch", tolerance=1e-9, why="LAMMPS prints 15 digits of places, overlaps are their differences")
def beside_lammps(bench):
    rows = lammps(bench, LAMMPS.replace("jkr", "dmt"))
    r = 0.5 * RADIUS
    touching = [row for row in rows if row[1] < 2.0 * RADIUS - 1e-12]
    off = max(abs(row[3] - force_at(r, 2.0 * RADIUS - row[1])) for row in touching)
    return [("largest difference / pull-off force", 0.0, off / (2.0 * math.pi * GAMMA * r)),
            ("rows compared", (50, 1000), len(touching)),
            ("energy lost / energy", (-1e-3, 1e-3), 1.0 - (rows[-1][2] / rows[0][2]) ** 2)]
