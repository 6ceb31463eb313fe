#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn a JOB.json of the peers' benchmark into a scene and time it: scree in the peers' table.

usage: adapter.py JOB.json            (DEM_BENCH: the dem_bench program, default beside a build/)

The job holds the numbers of a workload: density, kn, kt, gn, gt, mu, g, dt, skin, warm, steps,
perhaps force_every; `box` (xlo xhi ylo yhi zlo zhi) and `state`, a gzip'd table of spheres. The
skin of a pair is shared by its two bodies: each may move by half of it.
"""
import gzip
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLANES = (("x", 0, 1), ("x", 1, -1), ("y", 0, 1), ("y", 1, -1), ("z", 0, 1), ("z", 1, -1))


def scene(job, table):
    """The text of the scene."""
    shapes, bodies = [], []
    for axis, end, sign in PLANES:
        k = "xyz".index(axis)
        normal = [0.0, 0.0, 0.0]
        normal[k] = float(sign)
        at = [0.0, 0.0, 0.0]
        at[k] = float(job["box"][2 * k + end])
        name = f"{axis}{end}"
        shapes.append(f'{name} = {{ type = "plane"; normal = ({", ".join(map(repr, normal))}); }};')
        bodies.append(f'{name} = {{ shape = "{name}"; position = ({", ".join(map(repr, at))}); }};')
    number = {key: repr(float(job[key])) for key in
              ("density", "kn", "kt", "gn", "gt", "mu", "g", "dt", "skin")}
    return f"""scene = {{ title = "{job['workload']}"; dimension = 3; dt = {number['dt']};
  gravity = (0.0, 0.0, {-float(job['g'])!r}); }};
materials = {{ beads = {{ density = {number['density']}; }}; }};
shapes = {{ {' '.join(shapes)} }};
bodies = {{ beads = {{ file = "{table}"; shape = "sphere"; }}; {' '.join(bodies)} }};
force = ( {{ plugin = "linear"; kn = {number['kn']}; kt = {number['kt']}; friction = {number['mu']};
  damping = "mass"; gamma_n = {number['gn']}; gamma_t = {number['gt']}; }} );
extent = {{ eps_v = 0.0; eps_e = 0.0; eps_c = {float(job['skin']) / 2!r}; }};
"""


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-dem-"))
    with gzip.open(job["state"], "rt", encoding="utf-8") as state:
        state.readline() # the box, which the job holds as well
        (folder / "state.txt").write_text(state.read(), encoding="utf-8")
    (folder / "scene.cfg").write_text(scene(job, "state.txt"), encoding="utf-8")
    program = os.environ.get("DEM_BENCH", str(HERE.parents[2] / "build/tests/bench/dem_bench"))
    words = [program, str(folder / "scene.cfg"), str(job["warm"]), str(job["steps"])]
    if job.get("force_every"):
        words += ["--force-every", str(job["force_every"])]
    sys.stdout.flush()
    os.execv(program, words) # so that the peak of memory is the program's own


main()
