#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of ranks on one machine: the tables of O'Connor's thesis, the work of a rank, LAMMPS in the same minutes, a model.

usage: ranks.py [--small] [--only volume,table,weak,flow,model] [--out FILE]

    volume  bytes that a rank receives in a step of his replicated data (7.2.1), for the sizes of his tables 7.3 and 7.5: contact lists
            folded, or states gathered; and those of the ghosts here, from a run. The rows of docs/explanation/speed.md; --small: compares

    table  discs and spheres of his tables 7.3 and 7.5: time of a step on 1, 2, 4 and 8 ranks
    weak   50 000 spheres a rank, 1, 2, 4 and 8 ranks: CPU time outside of exchanges, for a body and step
    flow   a settled bed of 100 000 spheres and a hopper of 20 000 that runs out: two ranks against one, two threads, and
           LAMMPS on two ranks against one
    model  a step of 10^8 spheres on 1 000 ranks, from what was measured here and an assumed network

`scree compare` times the variants in turns. A ratio counts only where two independent runs at once do SCALES times the work of one
in the same minutes; else it is "void". Ranks beyond the number of CPUs take turns: their times say what they cost in all.
--small: few bodies and steps, to try the program. --out: the lines also go into this file, as JSON. Needs a release build
(DEM_SCREE: its program), for LAMMPS lmp and mpirun.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import quiet

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "dem"))
import adapter  # noqa: E402  (of the folder above)
import flows  # noqa: E402

SCALES = 1.9
DISCS = (100, 400, 900, 1600, 2500, 3600, 4900, 6400, 8100, 10_000)
SPHERES = (125, 512, 1000, 4000, 8000, 12_000, 16_000, 20_000, 24_000, 32_000, 64_000, 100_000)
RANKS = (1, 2, 4, 8)
# The network of the model: one message to each of so many neighbours, and a reduction along a tree. [s], [bytes/s]
LATENCY, BANDWIDTH, NEIGHBOURS = 2e-6, 1e10, 26
BODIES, MANY = 100_000_000, 1000

# A block on a cubic lattice, whose bodies touch their neighbours, and move at random.
BLOCK = """scene = {{ title = "block"; dimension = {dimension}; dt = 2.0e-6; gravity = {gravity}; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = {up}; }}; }};
bodies = {{ floor = {{ shape = "floor"; }}; }};
generate = {{ block = {{ plugin = "lattice"; shape = "{shape}"; radius = "0.5 mm"; spacing = 0.001; velocity_random = 0.05;
  region = {{ min = {low}; max = {high}; }}; }}; }};
force = ( {{ plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; }} );
"""


def program():
    return flows.program("DEM_SCREE", "core/scree")


def block(dimension, bodies):
    """A scene of about so many discs or spheres, as wide as it is high."""
    side = max(2, round(bodies ** (1.0 / dimension)))
    edge = side * 0.001
    low, high = [0.0] * dimension, [edge + 2e-6] * dimension
    text = {key: "(" + ", ".join(f"{value:.6f}" for value in row) + ")" for key, row in (
        ("low", low), ("high", high), ("up", [0.0] * (dimension - 1) + [1.0]), ("gravity", [0.0] * (dimension - 1) + [-9.81]))}
    return BLOCK.format(dimension=dimension, shape="disc" if dimension == 2 else "sphere", **text)


def compare(top, scene, steps, warm, repeats, *more):
    """The variants of a comparison, as `scree compare --json` prints them."""
    done = subprocess.run([program(), "compare", scene, "--steps", str(steps), "--warmup", str(warm), "--repeats", str(repeats), "-q", "--json",
                           *more], cwd=top, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"scree compare: exit status {done.returncode}\n{done.stderr}")
    variants = json.loads(done.stdout)["variants"]
    if len({one["state_sha256"] for one in variants}) != 1:
        raise RuntimeError(f"scree compare: the ranks of {scene} differ")
    return variants


def on_ranks(top, scene, ranks, steps, warm, repeats):
    return {one["ranks"]: one for one in compare(top, scene, steps, warm, repeats, "--ranks", str(max(ranks)),
                                                 "--vary", "domain.ranks=" + ",".join(map(str, ranks)))}


def step_s(one):
    return one["medians"]["step"]


def free(one):
    return one["free"]


def own_cpu(one, steps):
    """[s] CPU time outside of exchanges, for a body and step, median of the repeats. The share of exchanges is that of the last one."""
    cpu = statistics.median(sample["cpu_s"] for sample in one["samples"])
    work = one.get("rank_work")
    share = 1.0 - work["cpu_exchange_s"] / work["cpu_s"] if work else 1.0
    return cpu * share / free(one) / steps


def two_at_once(top, scene, steps):
    """How much work two independent runs at once do, each on one of two CPUs, against one; nan: there is one CPU."""
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        return float("nan")

    def start(cpu, name):
        return subprocess.Popen([program(), "run", scene, "--steps", str(steps), "--set", "observers={}", "--json", "-q", "-o", name],
                                cwd=top, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))

    def wall(*runs):
        return max(json.loads(one.communicate()[0])["wall_s"] for one in runs)
    ratios = []
    for k in range(3):
        alone = wall(start(cpus[k % 2], tempfile.mkdtemp(dir=top)))
        both = wall(*[start(cpu, tempfile.mkdtemp(dir=top)) for cpu in cpus])
        ratios.append(2.0 * alone / both)
    return statistics.median(ratios)


def counts(scale):
    """Whether a ratio counts."""
    return f"two independent runs {scale:.2f}" + ("" if scale >= SCALES else ": void")


def line(out, part, text, **data):
    print(f"{part}: {text}", flush=True)
    out.append({"part": part, "load": os.getloadavg()[0], **data})


# ---- the parts
LOADS, STATE = 48, 104  # [bytes] force and moment; place, velocity, spin and orientation


def volume(top, small, out):
    """Folding takes log2 P phases, rounded up, in each of which a rank receives loads of all bodies; a gathered state comes from each
    other rank once."""
    page = (HERE.parents[1] / "docs/explanation/speed.md").read_text(encoding="utf-8")
    for number, dimension, sizes in (("7.3", 2, DISCS), ("7.5", 3, SPHERES)):
        for n in sizes:
            fixed = [(p - 1).bit_length() * n * LOADS for p in RANKS[1:]] + [(n - n // p) * STATE for p in RANKS[1:]]
            row = f"| {number} | {n} | " + " | ".join(f"{1e-3 * one:.5g}" for one in fixed)
            if row + " |" not in page:
                raise RuntimeError(f"speed.md lacks the row of {n} bodies: {row}")
            if small:
                continue
            (top / "block.cfg").write_text(block(dimension, n), encoding="utf-8")
            found = on_ranks(top, "block.cfg", RANKS, 20, 1, 1)
            sent = [found[p]["apart"]["ghost_bytes"] / max(found[p]["apart"]["exchanges"], 1) / p for p in RANKS[1:]]
            line(out, "volume", row + " | " + " | ".join(f"{1e-3 * one:.3g}" for one in sent) + " |", bodies=free(found[1]), fixed=fixed, ghosts=sent)


def table(top, small, out):
    for number, dimension, sizes in (("7.3", 2, DISCS), ("7.5", 3, SPHERES)):
        for bodies in [n for n in sizes if n <= 1000] if small else sizes:
            (top / "block.cfg").write_text(block(dimension, bodies), encoding="utf-8")
            steps = 20 if small else max(20, min(2000, 4_000_000 // bodies))
            found = on_ranks(top, "block.cfg", RANKS, steps, steps // 4, 3 if small else 7)
            n, one = free(found[1]), step_s(found[1])
            line(out, f"table {number}", f"{n} {'discs' if dimension == 2 else 'spheres'}: {1e6 * one:.1f} us a step; on " + ", ".join(
                f"{p} ranks {one / step_s(found[p]):.2f}" for p in RANKS[1:]) + f" times as fast; load {os.getloadavg()[0]:.1f}",
                 bodies=n, step_s={p: step_s(found[p]) for p in RANKS})


def weak(top, small, out):
    each, steps, base, measured = (2000, 20, None, {}) if small else (50_000, 60, None, {})
    for ranks in RANKS:
        (top / "weak.cfg").write_text(block(3, each * ranks), encoding="utf-8")
        found = on_ranks(top, "weak.cfg", (1, ranks) if ranks > 1 else (1,), steps, steps // 2, 3)[ranks]
        spent = own_cpu(found, steps)
        base = base or spent
        apart, work = found.get("apart"), found.get("rank_work")
        ghosts = apart["ghosts"] / apart["exchanges"] / ranks if apart and apart["exchanges"] else 0.0
        whole = step_s(found) / free(found)
        measured[ranks] = {"bodies": free(found), "own": spent, "ghosts": ghosts, "line": apart["ghost_bytes"] / apart["ghosts"]
                           if ghosts else 0.0, "phases": found["phases"], "imbalance": work["imbalance"] if work else 1.0}
        line(out, "weak", f"{ranks} ranks, {free(found)} spheres: {1e9 * spent:.1f} ns of CPU outside of exchanges a body and step, {spent / base:.3f} "
             f"times that of one rank; {ghosts:.0f} ghosts a rank; {1e9 * whole:.1f} ns of wall time; load {os.getloadavg()[0]:.1f}",
             ranks=ranks, whole=whole, steps=steps, **measured[ranks])
    return measured


def bed(bodies, rng):
    """A box that spheres fill to 24 radii times the cube root of their number."""
    edge = 0.7 * (bodies * flows.SOLID) ** (1.0 / 3.0)
    rows = flows.fill(rng, bodies, lambda x, y, z: True, (0.0, 0.0, 0.0), (edge, edge))
    return {"box": [0.0, edge, 0.0, edge, 0.0, max(row[2] for row in rows) + 4 * flows.RADIUS], "planes": "xyz", "fall": 0.1}, {"beads": rows}


def lammps(top, ranks):
    """[s] of the timed steps in LAMMPS on so many ranks, less its output."""
    words = ["mpirun", "-n", str(ranks), "--allow-run-as-root", "--oversubscribe", os.environ.get("DEM_LMP", "lmp"), "-in", "flow.in", "-log", "none"]
    done = subprocess.run(words, cwd=top, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=os.environ | {"OMP_NUM_THREADS": "1", "LC_ALL": "C"})
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    timed = done.stdout.split("TIMED_BEGIN")[-1].split("TIMED_END")[0]
    return float(re.search(r"Loop time of (\S+)", timed)[1]) - float(re.search(r"^Output\s*\|\s*\S+\s*\|\s*(\S+)", timed, re.M)[1])


def flow(top, small, out):
    peer = shutil.which(os.environ.get("DEM_LMP", "lmp")) and shutil.which("mpirun")
    for name, make, bodies in (("bed", bed, 100_000), ("hopper", flows.hopper, 20_000)):
        steps, repeats = (50, 3) if small else (600, 7)
        more, groups = make(1000 if small else bodies, random.Random(1))
        job = flows.LAW | more | {"workload": name, "steps": steps, "warm": steps // 4, "lever": True, "sample": steps}
        groups, _ = flows.settle(job, groups, 0.002 if small else more["fall"])
        tables = flows.write_tables(top, groups)
        (top / "flow.cfg").write_text(adapter.scene(job, tables["beads"], tables), encoding="utf-8")
        scale = two_at_once(top, "flow.cfg", steps)
        ranks = on_ranks(top, "flow.cfg", (1, 2), steps, job["warm"], repeats)
        threads = compare(top, "flow.cfg", steps, job["warm"], repeats, "--vary", "threads=1,2")
        by = {one["threads"]: step_s(one) for one in threads}
        theirs = []
        if peer:
            (top / "flow.in").write_text(flows.deck(job, groups), encoding="utf-8")
            (top / "state.data").write_text(flows.data(job, groups), encoding="utf-8")
            theirs = [lammps(top, 1) / lammps(top, 2) for _ in range(1 if small else 3)]
        after = two_at_once(top, "flow.cfg", steps)
        worst = min(scale, after)
        line(out, "flow", f"{name}, {free(ranks[1])} spheres: two ranks {step_s(ranks[1]) / step_s(ranks[2]):.2f} times as fast as one, two threads "
             f"{by[1] / by[2]:.2f}, LAMMPS {statistics.median(theirs) if theirs else float('nan'):.2f}; most work of a rank / mean "
             f"{ranks[2]['rank_work']['imbalance']:.3f}, {100 * ranks[2]['rank_work']['exchange_share']:.1f} % in exchanges; {counts(worst)}; load "
             f"{os.getloadavg()[0]:.1f}", flow=name, ranks={p: step_s(ranks[p]) for p in ranks}, threads=by, lammps=theirs, scales=[scale, after])


def model(measured, out):
    """A step on many ranks: CPU time for own bodies, for ghosts, and for what each rank does for all bodies, as `weak` has found it."""
    from scipy.optimize import nnls  # pylint: disable=import-outside-toplevel
    rows = [(1.0, row["ghosts"] * ranks / row["bodies"], float(ranks)) for ranks, row in measured.items()]
    (own, ghost, each), _ = nnls(rows, [row["own"] for row in measured.values()])
    largest = max(measured)
    most = measured[largest]
    n = BODIES / MANY
    # A part in the middle of the others has twice the borders of one of eight, and borders grow as a surface.
    ghosts = 2.0 * most["ghosts"] * (n * largest / most["bodies"]) ** (2.0 / 3.0)
    network = LATENCY * (NEIGHBOURS + MANY.bit_length()) + ghosts * most["line"] / BANDWIDTH
    work, doubled, for_all = own * n * most["imbalance"], ghost * ghosts, each * BODIES
    whole = work + doubled + for_all + network
    line(out, "model", f"{BODIES:.0e} spheres on {MANY} ranks: {1e3 * whole:.2f} ms a step: own bodies {1e3 * work:.2f} ({1e9 * own:.0f} ns each, "
         f"imbalance {most['imbalance']:.2f}), ghosts {1e3 * doubled:.2f} ({ghosts:.0f} a rank, {1e9 * ghost:.0f} ns each), what each rank does for all "
         f"bodies {1e3 * for_all:.2f} ({1e9 * each:.2f} ns each), network {1e3 * network:.3f} ({LATENCY:g} s and {BANDWIDTH:g} bytes/s assumed, "
         f"{NEIGHBOURS} neighbours, {most['line']:.0f} bytes a ghost); {own * n / whole:.2f} of the ideal", work=work, ghosts=ghosts, doubled=doubled,
         for_all=for_all, network=network)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", default="volume,table,weak,flow,model")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    parts, out = options.only.split(","), []
    if wrong := [one for one in parts if one not in ("volume", "table", "weak", "flow", "model")]:
        parser.error(f"--only {wrong[0]}: expected volume, table, weak, flow, model")
    noise = quiet.look(min(os.sched_getaffinity(0)))
    line(out, "machine", f"{time.strftime('%Y-%m-%d %H:%M')}, {len(os.sched_getaffinity(0))} CPUs, load {os.getloadavg()[0]:.1f}"
         + (f"; not quiet: {noise}" if noise else ""), noise=noise)
    with tempfile.TemporaryDirectory(prefix="scree-ranks-") as name:
        top = pathlib.Path(name)
        if "volume" in parts:
            volume(top, options.small, out)
        if "table" in parts:
            table(top, options.small, out)
        measured = weak(top, options.small, out) if {"weak", "model"} & {*parts} else None
        if "flow" in parts:
            flow(top, options.small, out)
        if "model" in parts:
            model(measured, out)
    if options.out:
        options.out.write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
