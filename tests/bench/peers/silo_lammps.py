#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Discharge of the silo of the case bulk/silo-lammps by LAMMPS: mass that has left after a time, for two beds.

usage: silo_lammps.py BUILD OUT.csv [LMP]

BUILD is a build of scree, which settles the beds; LAMMPS needs its package GRANULAR.
"""
import math
import pathlib
import subprocess
import sys
import tempfile
import types

TOP = pathlib.Path(__file__).resolve().parents[2] / "verification"
sys.path[:0] = [str(TOP), str(TOP / "cases")]
import granular as silo  # noqa: E402
import verify  # noqa: E402
from tools import ball_mass  # noqa: E402

RHO, RESTITUTION = 2500.0, 0.7


def gamma(stiffness, mass):
    """LAMMPS multiplies its damping by the effective mass: c = 2 zeta sqrt(m k) is that only for beads of the mean mass."""
    zeta = -math.log(RESTITUTION) / math.hypot(math.pi, math.log(RESTITUTION))
    return 2.0 * zeta * math.sqrt(stiffness / mass)


def script(mean, seconds):
    def law(mass):
        kn = silo.KN
        return f"{kn} {2 / 7 * kn!r} {gamma(kn, mass)!r} {2 / 7 * gamma(kn, mass)!r} {silo.FRICTION} 1"
    return f"""units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data silo.data
neighbor 0.0006 bin
group floor type 2
group beads type 1
neigh_modify delay 0 exclude group floor floor
pair_style gran/hooke/history {law(0.5 * mean)}
pair_coeff * *
timestep {silo.DT}
fix gravity beads gravity {silo.G} vector 0 0 -1
fix move beads nve/sphere
fix floor floor freeze
fix wall beads wall/gran hooke/history {law(mean)} zcylinder {silo.SILO}
region inside block INF INF INF INF {silo.PLANE} INF
group inside dynamic beads region inside every 125
variable left equal mass(inside)
thermo 125
thermo_style custom step v_left
thermo_modify lost ignore
run {round(seconds / silo.DT)}
"""


def discharged(folder, beads, lmp):
    """Mass that has passed the plane [kg]."""
    floor = silo.glued_floor(silo.LAMMPS_HOLE)
    lines = [f"{k + 1} 1 {2 * row['radius']!r} {RHO} {row['x']!r} {row['y']!r} {row['z']!r}" for k, row in enumerate(beads)] + \
        [f"{len(beads) + k + 1} 2 {silo.BEAD!r} {RHO} {x!r} {y!r} {z!r}" for k, (x, y, z) in enumerate(floor)]
    (folder / "silo.data").write_text(f"silo\n\n{len(lines)} atoms\n2 atom types\n\n-0.035 0.035 xlo xhi\n-0.035 0.035 ylo yhi\n"
                                      "-0.02 0.4 zlo zhi\n\nAtoms # sphere\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    mean = sum(ball_mass(row["radius"], RHO) for row in beads) / len(beads)
    (folder / "in.silo").write_text(script(mean, silo.LAMMPS_SECONDS), encoding="utf-8")
    subprocess.run([lmp, "-in", "in.silo", "-log", "log.silo"], cwd=folder, check=True, capture_output=True)
    rows = [line.split() for line in (folder / "log.silo").read_text(encoding="utf-8").splitlines()]
    left = [float(row[1]) for row in rows if len(row) == 2 and row[0].isdigit() and row[1][0].isdigit()]
    return left[0] - left[-1]


def main(build, out, lmp="lmp"):
    lines = ["seed,time_s,discharged_kg"]
    for seed in silo.LAMMPS_SEEDS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            bench = verify.Bench(types.SimpleNamespace(build=pathlib.Path(build).resolve(), pictures=None), folder)
            _, beads = silo.settle_beads(bench, silo.BEADS, seed=seed)
            lines.append(f"{seed},{silo.LAMMPS_SECONDS},{discharged(folder, beads, lmp):.5f}")
    pathlib.Path(out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
