#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn a JOB.json of the peers' benchmark into a scene and time it: scree in the peers' table.

usage: adapter.py [--log FOLDER] JOB.json [OPTION OF dem_bench]...
       (DEM_BENCH: the dem_bench program, by default in build/)
--log: the output of dem_bench also goes to a new file there

The job holds the numbers of a workload: density, kn, kt, gn, gt, mu, g, dt, skin, warm, steps,
perhaps force_every, perhaps lever (true: the radius of a sphere, as in LAMMPS; gases have it); `box` (xlo xhi ylo yhi zlo zhi) and `state`, a gzip'd table of spheres, its path
absolute or relative to the job. The skin of a pair is shared by its two bodies: each may move by half of it.
"""
import gzip
import json
import os
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLANES = (("x", 0, 1), ("x", 1, -1), ("y", 0, 1), ("y", 1, -1), ("z", 0, 1), ("z", 1, -1))


def scene(job, table, walls=None):
    """The text of the scene; `table` is the path of its spheres. `walls`: tables of "fixed" spheres, and of
    "moving" ones, which turn about an axis through the origin as job["turn"] says; job["planes"]: axes with
    planes, if not all."""
    shapes, bodies, drive = [], [], ""
    for axis, end, sign in PLANES:
        if axis not in job.get("planes", "xyz"):
            continue
        k = "xyz".index(axis)
        normal = [0.0, 0.0, 0.0]
        normal[k] = float(sign)
        at = [0.0, 0.0, 0.0]
        at[k] = float(job["box"][2 * k + end])
        name = f"{axis}{end}"
        shapes.append(f'{name} = {{ type = "plane"; normal = ({", ".join(map(repr, normal))}); }};')
        bodies.append(f'{name} = {{ shape = "{name}"; position = ({", ".join(map(repr, at))}); }};')
    for name, motion in (("fixed", "fixed"), ("moving", "kinematic")):
        if name in (walls or {}):
            bodies.append(f'{name} = {{ file = "{walls[name]}"; shape = "sphere"; motion = "{motion}"; }};')
    if "turn" in job:
        axis = ", ".join("1.0" if axis == job["turn"]["axis"] else "0.0" for axis in "xyz")
        drive = (f'modifiers = {{ turn = {{ plugin = "move"; motion = "rotation"; groups = "moving"; '
                 f'axis = ({axis}); rate = {job["turn"]["rate"]!r}; }}; }};\n')
    # LAMMPS cuts spring and dashpot together (sliding = "total"), and turns spheres by their radius. Where contacts last that is below what codes differ by anyway.
    lever = ' lever = "radius";' if job.get("lever", "gas" in str(job["workload"])) else ""
    number = {key: repr(float(job[key])) for key in
              ("density", "kn", "kt", "gn", "gt", "mu", "g", "dt", "skin")}
    return f"""scene = {{ title = "{job['workload']}"; dimension = 3; dt = {number['dt']};
  gravity = (0.0, 0.0, {-float(job['g'])!r}); }};
materials = {{ beads = {{ density = {number['density']}; }}; }};
shapes = {{ {' '.join(shapes)} }};
bodies = {{ beads = {{ file = "{table}"; shape = "sphere"; }}; {' '.join(bodies)} }};
force = ( {{ plugin = "linear"; kn = {number['kn']}; kt = {number['kt']}; friction = {number['mu']};
  damping = "mass"; gamma_n = {number['gn']}; gamma_t = {number['gt']}; sliding = "total";{lever} }} );
extent = {{ eps_v = 0.0; eps_e = 0.0; eps_c = {float(job['skin']) / 2!r}; }};
{drive}"""


def words(job, path):
    """The arguments of dem_bench for a job whose scene is at `path`."""
    every = ["--force-every", str(job["force_every"])] if job.get("force_every") else []
    return [str(path), str(job["warm"]), str(job["steps"]), *every]


def nameless():
    """(file, path) of a file that is gone when the last program that has it open ends."""
    file = tempfile.TemporaryFile("w+b", prefix="scree-dem-")
    os.set_inheritable(file.fileno(), True)
    return file, f"/proc/self/fd/{file.fileno()}"


def run(words_of_program, log):
    """Becomes the program: not its parent, so that the peak of memory is dem_bench's own."""
    sys.stdout.flush()
    if log:
        file, name = tempfile.mkstemp(suffix=".log", dir=log)
        os.close(file)
        words_of_program = ["/bin/sh", "-c", '"$@" > "$0" && cat "$0"', name, *words_of_program]
    os.execv(words_of_program[0], words_of_program)


def main():
    arguments = sys.argv[1:]
    log = arguments[1] if arguments[:1] == ["--log"] else None
    job_path, *more = arguments[2 if log else 0:]
    job_path = pathlib.Path(job_path)
    job = json.loads(job_path.read_text(encoding="utf-8"))
    table, table_path = nameless()
    with gzip.open(job_path.parent / job["state"], "rb") as state:
        state.readline()  # the box, which the job holds as well
        shutil.copyfileobj(state, table)
    table.flush()
    text, text_path = nameless()
    text.write(scene(job, table_path).encode())
    text.flush()
    program = os.environ.get("DEM_BENCH", str(HERE.parents[2] / "build/tests/bench/dem_bench"))
    run([program, *words(job, text_path), *more], log)


if __name__ == "__main__":
    main()
