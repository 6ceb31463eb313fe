#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flows of spheres, whose contacts slide, timed in LAMMPS and scree in turns.

usage: flows.py [--flows NAME,...] [--bodies N] [--steps N] [--warm N] [--seeds 1,2,3] [--fall SECONDS]
                [--lever contact|radius] [--cpu N] [--keep FOLDER]

    column  30 000 spheres, a block twice as high as wide, which collapses in a box of planes
    drum    20 000 spheres after one turn in a drum of spheres that turn about a horizontal axis
    hopper  20 000 spheres above a funnel of fixed spheres, which run out; none is inserted
    shear   20 000 spheres between a fixed ring of spheres and one inside it that turns

Radii are 0.5 mm +- 10 %, friction 0.5. scree itself makes a state by its seed, with a step three times as long;
both codes then time the same steps from the same positions and velocities, without spins and history.
A line per flow and seed says which share of the contacts slides at its start (their springs are at the
limit), the means of energy, height and contacts over the timed steps, of equally many samples in both codes,
and the ratio of the rates; what the samples cost is not in a rate. speed.py keeps such lines in its results.
Needs lmp (DEM_LMP: another one) and a build (DEM_SCREE, DEM_BENCH: its programs). --keep: what LAMMPS and scree
get stays in this folder.
"""
import argparse
import csv
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import adapter

LAW = {"density": 2500, "kn": 1000, "kt": 285.714285714, "gn": 12500, "gt": 6250, "mu": 0.5, "g": 9.81,
       "dt": 2e-06, "skin": 0.0001, "lever": True}
RADIUS = 5e-4
BUILD = adapter.HERE.parents[2] / "build"
SOLID = 4.0 / 3.0 * math.pi * RADIUS ** 3 / 0.55  # [m^3] of a sphere in a loose bed
SAMPLES = 40   # of the timed steps, for the means
SLOWER = 3.0  # step of a state that is made, over that of the timed steps


# ------------------------------------------------------------------------------------------ the flows
def fill(rng, bodies, inside, low, high):
    """Rows x y z vx vy vz radius of spheres on a cubic lattice, from the lowest layer of a box up, where
    inside(x, y, z); places are off it by up to 4 % of a radius."""
    cell, rows = 2.2 * RADIUS * 1.05, []
    counts = [max(1, int((high[k] - low[k]) / cell)) for k in range(2)]
    layer = 0
    while len(rows) < bodies:
        for place in ((i, j) for j in range(counts[1]) for i in range(counts[0])):
            at = [low[k] + cell * (p + 0.5) for k, p in enumerate((*place, layer))]
            if inside(*at) and len(rows) < bodies:
                rows.append([x + rng.uniform(-0.04, 0.04) * RADIUS for x in at] +
                            [rng.uniform(-0.01, 0.01) for _ in range(3)] + [RADIUS * rng.uniform(0.9, 1.1)])
        layer += 1
        if layer > 10_000:
            raise ValueError("flows: the spheres do not fit")
    return rows


def ring(radius, length, axis):
    """Rows of spheres on a cylinder about an axis through the origin, from 0 to length along it."""
    around = math.ceil(2.0 * math.pi * radius / (2.0 * RADIUS))
    rows, turned = [], []
    for k in range(math.ceil(length / (2.0 * RADIUS))):
        for n in range(around):
            angle = 2.0 * math.pi * (n + 0.5 * (k % 2)) / around
            rows.append([radius * math.cos(angle), radius * math.sin(angle), (2 * k + 1) * RADIUS,
                         0.0, 0.0, 0.0, RADIUS])
    for row in rows:
        x, y, along = row[:3]
        turned.append(([x, along, y] if axis == "y" else [x, y, along]) + row[3:])
    return turned


def column(bodies, rng):
    """A block in the middle of a box three times as wide."""
    across = max(2, round((bodies / 2.0) ** (1.0 / 3.0)))
    cell = 2.2 * RADIUS * 1.05
    width = 3 * across * cell
    rows = fill(rng, bodies, lambda x, y, z: True, (across * cell, across * cell, 0.0),
                (2.001 * across * cell, 2.001 * across * cell))
    return {"box": [0.0, width, 0.0, width, 0.0, max(row[2] for row in rows) + 4 * RADIUS], "planes": "xyz",
            "fall": 0.08}, {"beads": rows}


def drum(bodies, rng):
    """40 % full, 20 mm of radius (for 20 000), Froude's number 0.46."""
    radius = 0.02 * (bodies / 20_000) ** (1.0 / 3.0)
    length = bodies * SOLID / (0.4 * math.pi * radius ** 2)
    rate = math.sqrt(0.46 * LAW["g"] / radius)
    free = radius - 2.2 * RADIUS
    rows = fill(rng, bodies, lambda x, y, z: x * x + z * z < free ** 2, (-free, 0.0, -free), (free, length))
    edge = radius + 3 * RADIUS
    return {"box": [-edge, edge, 0.0, length, -edge, edge], "planes": "y", "fall": 2.0 * math.pi / rate,
            "turn": {"axis": "y", "rate": rate}}, {"beads": rows, "moving": ring(radius, length, "y")}


def hopper(bodies, rng):
    """A square bin 24 mm wide (for 20 000), a funnel at 45 degrees, an orifice of 8 mm."""
    scale = (bodies / 20_000) ** (1.0 / 3.0)
    half, hole, below, cell = 0.012 * scale, max(0.004 * scale, 4 * RADIUS), 0.012 * scale, 1.8 * RADIUS
    number = math.ceil(half / cell)
    wall = []
    for i in range(-number, number + 1):
        for j in range(-number, number + 1):
            across = math.hypot(i, j) * cell
            if across >= hole and max(abs(i), abs(j)) * cell <= half:
                wall.append([i * cell, j * cell, below + across - hole, 0.0, 0.0, 0.0, RADIUS])
    rows = fill(rng, bodies, lambda x, y, z: z > below + math.hypot(x, y) - hole + 4 * RADIUS,
                (-half, -half, 0.0), (half, half))
    return {"box": [-half, half, -half, half, 0.0, max(row[2] for row in rows) + 4 * RADIUS], "planes": "xyz",
            "fall": 0.15}, {"beads": rows, "fixed": wall}


def shear(bodies, rng):
    """A cell of Couette: from 10 to 20 mm (for 20 000), the inner ring at 0.3 m/s, gravity along the axis."""
    scale = (bodies / 20_000) ** (1.0 / 3.0)
    inner, outer = max(0.01 * scale, 4 * RADIUS), max(0.02 * scale, 10 * RADIUS)
    least, most = (inner + 2.2 * RADIUS) ** 2, (outer - 2.2 * RADIUS) ** 2
    rows = fill(rng, bodies, lambda x, y, z: least < x * x + y * y < most, (-outer, -outer, 0.0), (outer, outer))
    top = max(row[2] for row in rows) + 4 * RADIUS
    edge = outer + 3 * RADIUS
    return {"box": [-edge, edge, -edge, edge, 0.0, top], "planes": "z", "fall": 0.12,
            "turn": {"axis": "z", "rate": 0.3 / inner}}, \
        {"beads": rows, "fixed": ring(outer, top, "z"), "moving": ring(inner, top, "z")}


FLOWS = {"column": (column, 30_000), "drum": (drum, 20_000), "hopper": (hopper, 20_000), "shear": (shear, 20_000)}


# ------------------------------------------------------------------------------------------ a state
def write_tables(folder, groups):
    """A table per group of bodies; ids go on from group to group."""
    first, tables = 1, {}
    for name, rows in groups.items():
        tables[name] = folder / f"{name}.txt"
        with open(tables[name], "w", encoding="utf-8") as file:
            file.write("# id x y z vx vy vz radius\n")
            file.writelines(f"{first + k} {' '.join('%.17g' % v for v in row)}\n" for k, row in enumerate(rows))
        first += len(rows)
    return tables


def program(key, path):
    return os.environ.get(key, str(BUILD / path))


def settle(job, groups, seconds):
    """Rows after so many seconds of the flow, and the share of its contacts that slides."""
    with tempfile.TemporaryDirectory(prefix="scree-flow-") as name:
        top = pathlib.Path(name)
        tables = write_tables(top, groups)
        slow = job | {"dt": SLOWER * job["dt"]}
        steps = max(1, round(seconds / slow["dt"]))
        shown = ", ".join(f'"{name}"' for name in groups)
        scene = adapter.scene(slow, tables["beads"], tables) + (
            f'observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; groups = [{shown}]; '
            f'every_steps = {steps}L; }}; contacts = {{ plugin = "csv"; what = "contacts"; file = "contacts"; '
            f"every_steps = {steps}L; }}; }};\n")
        (top / "scene.cfg").write_text(scene, encoding="utf-8")
        done = subprocess.run([program("DEM_SCREE", "core/scree"), "run", "scene.cfg", "--steps", str(steps),
                               "-o", "out", "-q", "--threads", str(os.cpu_count())], cwd=top, check=False, capture_output=True,
                              text=True)
        if done.returncode:
            raise RuntimeError(f"scree: exit status {done.returncode}\n{done.stderr}")
        after = {int(row["id"]): [float(row[key]) for key in ("x", "y", "z", "vx", "vy", "vz")]
                 for row in last_of(top / "out/bodies.csv")}
        first, found = 1, {}
        for group, rows in groups.items():
            found[group] = [after[first + k] + [row[6]] for k, row in enumerate(rows)]
            if group != "beads":  # their motion gives walls their velocity
                found[group] = [row[:3] + [0.0, 0.0, 0.0] + row[6:] for row in found[group]]
            first += len(rows)
        return found, sliding(last_of(top / "out/contacts.csv"), job["mu"])


def last_of(path):
    """Rows of the last time in a table of scree; units are cut from the names of its columns."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {name: name.split("[")[0].strip() for name in rows[0]} if rows else {}
    rows = [{names[k]: v for k, v in row.items()} for row in rows]
    return [row for row in rows if row["step"] == rows[-1]["step"]]


def sliding(contacts, friction):
    """Share whose tangential force is that of the limit, within 1e-6 of it."""
    found = 0
    for row in contacts:
        force = [float(row[key]) for key in ("fx", "fy", "fz")]
        normal = [float(row[key]) for key in ("nx", "ny", "nz")]
        push = sum(f * n for f, n in zip(force, normal))
        tangential = sum((f - push * n) ** 2 for f, n in zip(force, normal)) ** 0.5
        found += tangential >= (1.0 - 1e-6) * friction * abs(push) > 0.0
    return found / max(len(contacts), 1)


# ------------------------------------------------------------------------------------------ both codes
def deck(job, groups):
    """The deck of LAMMPS: fixed and turning spheres are frozen (of infinite mass), and do not see each other."""
    law = " ".join(repr(float(job[key])) for key in ("kn", "kt", "gn", "gt", "mu")) + " 1"
    lines = ["units si", "atom_style sphere", "boundary f f f", "newton off", "comm_modify vel yes",
             "read_data state.data", f"pair_style gran/hooke/history {law}", "pair_coeff * *",
             f"neighbor {job['skin']!r} bin", "neigh_modify delay 0 every 1 check yes page 1000000 one 20000",
             f"timestep {job['dt']!r}", "group free type 1", "group wall type 2 3", "group moving type 3"]
    if len(groups) > 1:
        lines += ["neigh_modify exclude group wall wall", "fix frozen wall freeze"]
    if "turn" in job:
        axis = "0 1 0" if job["turn"]["axis"] == "y" else "0 0 1"
        lines.append(f"fix turn moving move rotate 0 0 0 {axis} {2.0 * math.pi / job['turn']['rate']!r}")
    lines += [f"fix grav free gravity {job['g']!r} vector 0 0 -1", "fix move free nve/sphere"]
    for k, axis in enumerate("xyz"):
        if axis in job["planes"]:
            lines.append(f"fix w{axis} free wall/gran hooke/history {law} {axis}plane "
                         f"{job['box'][2 * k]!r} {job['box'][2 * k + 1]!r}")
    lines += ["variable zc equal xcm(free,z)", "compute cn all contact/atom", "compute every all reduce sum c_cn",
              "compute own free reduce sum c_cn", "compute k free ke", "variable pairs equal c_own-0.5*c_every",
              "thermo_style custom step c_k v_pairs v_zc", "thermo_modify lost error norm no format float %.12g",
              f"thermo {job['sample']}", f"run {job['warm']}", 'print "TIMED_BEGIN"', f"run {job['steps']}",
              'print "TIMED_END"']
    return "\n".join(lines) + "\n"


def data(job, groups):
    """LAMMPS' data file."""
    types = {"beads": 1, "fixed": 2, "moving": 3}
    rows = [(types[name], row) for name, rows in groups.items() for row in rows]
    room = 4 * RADIUS if len(groups) > 1 else 0.0  # fixed spheres may be in a plane
    box = [(job["box"][2 * k] - room, job["box"][2 * k + 1] + room) for k in range(3)]
    lines = ["flow", "", f"{len(rows)} atoms", "3 atom types", ""]
    lines += [f"{low!r} {high!r} {axis}lo {axis}hi" for (low, high), axis in zip(box, "xyz")]
    lines += ["", "Atoms", ""] + [f"{k + 1} {kind} {2 * row[6]:.17g} {job['density']} "
                                  + " ".join("%.17g" % v for v in row[:3]) for k, (kind, row) in enumerate(rows)]
    lines += ["", "Velocities", ""] + [f"{k + 1} " + " ".join("%.17g" % v for v in row[3:6]) + " 0 0 0"
                                       for k, (_, row) in enumerate(rows)]
    return "\n".join(lines) + "\n"


def pinned(cpu, words, cwd):
    done = subprocess.run(words, cwd=cwd, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=os.environ | {"OMP_NUM_THREADS": "1", "LC_ALL": "C"},
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    if done.returncode:
        raise RuntimeError(f"{words[0]}: exit status {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


def run_lammps(job, groups, folder, cpu):
    (folder / "flow.in").write_text(deck(job, groups), encoding="utf-8")
    (folder / "state.data").write_text(data(job, groups), encoding="utf-8")
    told = pinned(cpu, [os.environ.get("DEM_LMP", "lmp"), "-in", "flow.in", "-log", "none"], folder)
    timed = told.split("TIMED_BEGIN")[-1].split("TIMED_END")[0]
    lines = [line.split() for line in timed.split("v_zc")[1].split("Loop time")[0].splitlines()]
    rows = [list(map(float, line)) for line in lines if line]
    samples = [row[1:] for row in rows if row[0] > job["warm"] and row[0] % job["sample"] == 0]
    means = [sum(column) / len(samples) for column in zip(*samples)]
    spent = float(re.search(r"^Output\s*\|\s*\S+\s*\|\s*(\S+)", timed, re.M)[1])
    return {"loop_s": float(re.search(r"Loop time of (\S+)", timed)[1]) - spent,
            "rebuilds": float(re.search(r"Neighbor list builds = (\S+)", timed)[1]), "samples": len(samples),
            "ke": means[0], "contacts": means[1], "zc": means[2]}


def run_scree(job, groups, folder, cpu):
    tables = write_tables(folder, groups)
    (folder / "flow.cfg").write_text(adapter.scene(job, tables["beads"], tables), encoding="utf-8")
    told = pinned(cpu, [program("DEM_BENCH", "tests/bench/dem_bench"), "flow.cfg", str(job["warm"]),
                        str(job["steps"]), "--sample", str(job["sample"])], folder)
    row = {key.lower(): float(value) for _, key, value in map(str.split, told.splitlines())}
    return row | {key: row[f"{key}_mean"] for key in ("ke", "contacts", "zc")}


def measure(name, seed, steps, warm, cpu, bodies=None, fall=None, lever=True, folder=None):
    """Two rows, of LAMMPS, then of scree, of one seed of a flow. Even seeds time scree first."""
    make, usual = FLOWS[name]
    more, groups = make(bodies or usual, random.Random(seed))
    job = LAW | more | {"workload": name, "steps": steps, "warm": warm, "lever": lever,
                        "sample": max(1, steps // SAMPLES)}
    groups, share = settle(job, groups, more["fall"] if fall is None else fall)
    with tempfile.TemporaryDirectory(prefix="scree-flow-") as scratch:
        top = pathlib.Path(folder or scratch)
        turns = {"lammps": run_lammps, "scree": run_scree}
        told = {code: turns[code](job, groups, top, cpu) for code in sorted(turns, reverse=seed % 2 == 0)}
    n = len(groups["beads"])
    taken = {code: row["samples"] for code, row in told.items()}
    if len(set(taken.values())) != 1:
        raise RuntimeError(f"{name}, seed {seed}: the means are of {taken} samples")
    return [{"workload": name, "rep": seed, "code": code, "n": n, "steps": steps, "sliding": share,
             "walls": sum(map(len, groups.values())) - n,
             "mps": n * steps / row["loop_s"] / 1e6} | row for code, row in sorted(told.items())]


def missing():
    """The program that is not there, or ""."""
    lmp = os.environ.get("DEM_LMP", "lmp")
    return "" if shutil.which(lmp) else lmp


def line_of(theirs, ours):
    return (f"{ours['workload']}, seed {ours['rep']}: {ours['n']} spheres, {ours['walls']} in walls, "
            f"{100.0 * ours['sliding']:.1f} % of the contacts slide at the start; means, LAMMPS / scree: "
            f"energy {theirs['ke']:.6g} / {ours['ke']:.6g} J, height {theirs['zc']:.6g} / {ours['zc']:.6g} m, "
            f"contacts {theirs['contacts']:.0f} / {ours['contacts']:.0f}; lists {theirs['rebuilds']:.0f} / "
            f"{ours['rebuilds']:.0f}, Mps/s {theirs['mps']:.3f} / {ours['mps']:.3f}: ratio {ours['mps'] / theirs['mps']:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flows", default=",".join(FLOWS))
    parser.add_argument("--bodies", type=int)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--warm", type=int, default=100)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--fall", type=float)
    parser.add_argument("--lever", choices=("contact", "radius"), default="radius")
    parser.add_argument("--cpu", type=int, default=min(os.sched_getaffinity(0)))
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    names = options.flows.split(",")
    unknown = [name for name in names if name not in FLOWS]
    if unknown or missing():
        parser.error(f"--flows {unknown[0]}: one of {', '.join(FLOWS)}" if unknown else f"no program {missing()}")
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    for seed in map(int, options.seeds.split(",")):
        for name in names:
            rows = measure(name, seed, options.steps, options.warm, options.cpu, options.bodies, options.fall,
                           options.lever == "radius", options.keep)
            print(line_of(*sorted(rows, key=lambda row: row["code"])), flush=True)


if __name__ == "__main__":
    sys.exit(main())
