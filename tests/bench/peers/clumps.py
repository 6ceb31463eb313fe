#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bed of clumps of five balls in LAMMPS (fix rigid/small, pair gran) and scree, on one thread each:
tests/bench/results/clumps.tsv.

usage: clumps.py BUILD [RESULTS.tsv] [--count N] [--steps N] [--warm N] [--reps N] [--cpu N] [--state FILE]

Needs `lmp`; without it only scree is timed. The bed is settled by scree without friction, some minutes, and kept in
FILE (clumps-COUNT.csv in the current folder), so that it is made once. Both programs then start from it at rest,
with friction: planes around it, a linear spring with history, masses and moments of a clump those of its balls one
by one (overlaps = "each"), dashpots by the masses of the bodies (mass = "bodies"), and a skin of 0.1 mm that is renewed
when something has moved by half of it. Programs take turns; what is compared is the time of `steps` steps after `warm`
others, and at the end contacts between balls of two clumps, kinetic energy and height of the centre of mass.
"""
import pathlib
import shutil
import tempfile

import beds

DENSITY, KN, KT, GN, GT, MU, G, DT, SKIN = 2500.0, 1000.0, 285.714285714, 12500.0, 6250.0, 0.5, 9.81, 2e-6, 1e-4
# A flat cross of five balls: three moments that differ, axes and centre its own.
BALLS = ((0.0, 0.0, 0.0, 5e-4), (5e-4, 0.0, 0.0, 4e-4), (-5e-4, 0.0, 0.0, 4e-4), (0.0, 4.5e-4, 0.0, 3.5e-4),
         (0.0, -4.5e-4, 0.0, 3.5e-4))
SOLID = 1.06e-9  # [m^3] about, of one
KEYS = ("loop_s", "contacts", "ke", "zc", "rebuilds")

LAMMPS = """
units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes cutoff 2.5e-3
fix mol all property/atom mol ghost yes
read_data state.data fix mol NULL Molecules
pair_style gran/hooke/history {KN} {KT} {GN} {GT} {MU} 1
pair_coeff * *
neighbor {SKIN} bin
neigh_modify delay 0 every 1 check yes exclude molecule/intra all page 1000000 one 20000
timestep {DT}
fix grav all gravity {G} vector 0 0 -1
fix move all rigid/small molecule
fix wx all wall/gran hooke/history {KN} {KT} {GN} {GT} {MU} 1 xplane {lo} {hi}
fix wy all wall/gran hooke/history {KN} {KT} {GN} {GT} {MU} 1 yplane {lo} {hi}
fix wz all wall/gran hooke/history {KN} {KT} {GN} {GT} {MU} 1 zplane 0.0 {top}
compute kr all ke/rigid move
variable zc equal xcm(all,z)
thermo_style custom step atoms
thermo_modify norm no lost error
thermo {steps}
run {warm}
print "TIMED_BEGIN"
run {steps}
print "TIMED_END"
compute cn all contact/atom
compute cs all reduce sum c_cn
thermo_style custom step atoms c_kr c_cs v_zc
thermo_modify norm no format float %.10g
run 0
"""

SCENE = """scene = {{ title = "a bed of clumps"; dimension = 3; dt = {dt!r}; dt_limit = 100.0; steps = {steps};
    gravity = (0.0, 0.0, -{g!r}); }};
materials = {{ glass = {{ density = {DENSITY!r}; }}; }};
shapes = {{ five = {{ type = "clump"; overlaps = "each"; balls = ({balls}); }};
    x0 = {{ type = "plane"; normal = (1.0, 0.0, 0.0); }}; x1 = {{ type = "plane"; normal = (-1.0, 0.0, 0.0); }};
    y0 = {{ type = "plane"; normal = (0.0, 1.0, 0.0); }}; y1 = {{ type = "plane"; normal = (0.0, -1.0, 0.0); }};
    z0 = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ x0 = {{ shape = "x0"; position = ({lo!r}, 0.0, 0.0); }}; x1 = {{ shape = "x1"; position = ({hi!r}, 0.0, 0.0); }};
    y0 = {{ shape = "y0"; position = (0.0, {lo!r}, 0.0); }}; y1 = {{ shape = "y1"; position = (0.0, {hi!r}, 0.0); }};
    z0 = {{ shape = "z0"; }}; }};
generate = {{ clumps = {{ shape = "five"; {generate} }}; }};
force = ( {{ plugin = "linear"; kn = {KN!r}; kt = {KT!r}; friction = {mu!r}; damping = "mass"; gamma_n = {GN!r};
    gamma_t = {GT!r}; mass = "bodies"; sliding = "total"; lever = "radius"; }} );
extent = {{ eps_v = 0.0; eps_e = 0.0; eps_c = {eps!r}; }};
{more}
"""


def side_of(count):
    """[m] half of the side of the box: a bed some 12 mm high with 10 000."""
    return 0.02 * (count / 10000.0) ** (1.0 / 3.0)


def scene(count, generate, steps=1, dt=DT, g=G, mu=MU, more=""):
    half = side_of(count)
    balls = ", ".join("(%r, %r, %r, %r)" % b for b in BALLS)
    return SCENE.format(**globals(), balls=balls, lo=-half, hi=half, generate=generate, steps=steps, dt=dt, g=g, mu=mu, eps=SKIN / 2,
                        more=more).replace('shape = "z0"; }', 'shape = "z0"; position = (0.0, 0.0, 0.0); }')


def make_state(o):
    """Clumps at random, of a solid fraction of 0.17, fall at ten times their weight, and come to rest."""
    count, half = o.count, side_of(o.count)
    height = count * SOLID / (0.17 * 4.0 * half * half)
    generate = (f'plugin = "random"; count = {count}; orientation = "random"; tries = 100000; '
                f"region = {{ min = ({-half!r}, {-half!r}, 0.0); max = ({half!r}, {half!r}, {height!r}); }};")
    first = scene(count, generate, steps=3500, dt=8e-6, g=98.1, mu=0.0, more=beds.AT_END)
    second = scene(count, 'plugin = "table"; file = "state.csv";', steps=7000, dt=1e-5, mu=0.0, more=beds.AT_END)
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        for text, folder in ((first, "out1"), (second, "out2")):
            rows = beds.last_rows(o, top, text, folder, "bodies.csv", lambda row: row["name"] == "clumps")
            beds.write_state(top / "state.csv", ("id", "x", "y", "z", "q0", "q1", "q2", "q3"),
                             ([row[k] for k in ("id", "x", "y", "z", "qw", "qx", "qy", "qz")]
                              for row in sorted(rows, key=lambda row: int(row["id"]))))
        shutil.copy(top / "state.csv", o.state)


def turned(q, p):
    w, x, y, z = q
    return ((1 - 2 * (y * y + z * z)) * p[0] + 2 * (x * y - w * z) * p[1] + 2 * (x * z + w * y) * p[2],
            2 * (x * y + w * z) * p[0] + (1 - 2 * (x * x + z * z)) * p[1] + 2 * (y * z - w * x) * p[2],
            2 * (x * z - w * y) * p[0] + 2 * (y * z + w * x) * p[1] + (1 - 2 * (x * x + y * y)) * p[2])


def write_data(path, rows, half, top):
    atoms, molecules = [], []
    for molecule, row in enumerate(rows, 1):
        q = [float(row[k]) for k in ("q0", "q1", "q2", "q3")]
        for ball in BALLS:
            at = [float(row["xyz"[k]]) + v for k, v in enumerate(turned(q, ball[:3]))]
            atoms.append("%d 1 %.17g %g %.17g %.17g %.17g" % (len(atoms) + 1, 2 * ball[3], DENSITY, *at))
            molecules.append("%d %d" % (len(atoms), molecule))
    pad = 1e-5
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"clumps\n\n{len(atoms)} atoms\n1 atom types\n\n")
        for axis, lo, hi in (("x", -half, half), ("y", -half, half), ("z", 0.0, top)):
            file.write(f"{lo - pad!r} {hi + pad!r} {axis}lo {axis}hi\n")
        file.write("\nAtoms\n\n" + "\n".join(atoms) + "\n\nMolecules\n\n" + "\n".join(molecules) + "\n")


def time_lammps(o, rows, folder):
    half = side_of(o.count)
    top = 2.0 * max(float(row["z"]) for row in rows) + 2e-3
    write_data(folder / "state.data", rows, half, top)
    timed, (_, _, ke, contacts, zc) = beds.time_lammps(o, folder, LAMMPS.format(**globals(), lo=-half, hi=half, top=top, warm=o.warm,
                                                                                steps=o.steps))
    return {"code": "lammps", **timed, "contacts": contacts / 2, "ke": ke, "zc": zc}


def time_scree(o, folder):
    told, phases = beds.time_scree(o, folder, scene(o.count, f'plugin = "table"; file = "{o.state}";'))
    return {"code": "scree", **{k: told[k] for k in KEYS}, "ledger": phases}


def report(o, runs):
    median = beds.medians(runs, KEYS)
    for c, m in median.items():
        print("%-7s %8.3f s for %d steps, %6.3f million clump steps/s, %g contacts, ke %.5g J, zc %.7g m, %g rebuilds"
              % (c, m["loop_s"], o.steps, o.count * o.steps / m["loop_s"] / 1e6, m["contacts"], m["ke"], m["zc"], m["rebuilds"]))
    if len(median) == 2:
        print("scree is %.2f times as fast as lammps" % (median["lammps"]["loop_s"] / median["scree"]["loop_s"]))
    print("phases of scree [ns per clump and step]:", ", ".join(f"{k} {v:.0f}" for k, v in runs[-1]["ledger"].items() if v >= 0.5))


def main():
    o = beds.parse(__doc__, "clumps", count=10000, steps=400, warm=100, reps=3, cpu=0)
    if not o.state.exists():
        make_state(o)
    rows = beds.rows_of(o.state)
    runs = []
    with tempfile.TemporaryDirectory() as name:
        for _ in range(o.reps):
            if shutil.which("lmp"):
                runs.append(time_lammps(o, rows, pathlib.Path(name)))
            runs.append(time_scree(o, pathlib.Path(name)))
    report(o, runs)
    beds.keep(o, runs, ("count", "steps"), KEYS)


if __name__ == "__main__":
    main()
