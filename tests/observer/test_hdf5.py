# SPDX-License-Identifier: Apache-2.0
"""Observer `hdf5`: its file, read by h5py, is H5MD and holds what `csv` says.

usage: test_hdf5.py SCREE CROWD.cfg PILE.cfg
"""
import json
import math
import pathlib
import resource
import signal
import subprocess
import sys
import time

from common import command, environment, python_with, run, table, tap, vector
from runs import launch

SCREE, CROWD, PILE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
EVERY, STEPS, DT = 250, 2000, 1e-5
WALLS = ("roof", "slope", "far")
GRAVITY = (100.0, 0.0, -400.0)
OBSERVERS = (f'h = {{ plugin = "hdf5"; author = "A. Tester"; every_steps = {EVERY}; }}; '
             f'z = {{ plugin = "hdf5"; file = "small"; compression = 6; every_steps = {EVERY}; }}; '
             f'b = {{ plugin = "csv"; what = "bodies"; every_steps = {EVERY}; }};')
PYTHON = python_with("h5py")


def read(path):
    result = subprocess.run([PYTHON, pathlib.Path(__file__).with_name("read_hdf5.py"), path],
                            env=environment(), text=True, capture_output=True, timeout=100)
    if result.returncode:
        raise ValueError(result.stderr)
    return json.loads(result.stdout)


def check_layout(found):
    seen, wanted = found["attributes"], {
        "h5md": {"version": [1, 1]}, "h5md/author": {"name": "A. Tester"},
        "h5md/creator": {"name": "scree", "version": "0.1.0"},
        "h5md/modules/units": {"version": [1, 0], "system": "SI"},
        "particles/bodies/box": {"dimension": 3, "boundary": ["periodic", "none", "none"]},
        "particles/bodies/position/value": {"unit": "m"}, "particles/bodies/angular_velocity/value": {"unit": "rad s-1"}}
    tap.check("version, author, creator, box and units are where H5MD wants them",
              all(seen.get(k) == v for k, v in wanted.items()) and found["time_unit"] == "s", {k: seen.get(k) for k in wanted})
    tap.check("edges and lower corner of the box", found["box"] == {
        "edges": [0.02 - -0.02, 0.015 - -0.015, 0.05 - -0.012], "offset": [-0.02, -0.015, -0.012]}, found["box"])
    tap.check("every element is there; step and time are the same data set in all",
              set(found["elements"]) == {"position", "image", "velocity", "force", "angular_velocity", "torque",
                                         "radius", "mass", "id", "species", "group", "motion"} and
              all(found["linked"].values()), found["linked"])
    tap.check("a frame to a chunk; the fill value of id is -1",
              all(chunk[0] == 1 for chunk in found["chunks"].values()) and found["fill"]["id"] == "-1" and
              found["fill"]["position"] == "nan", (found["chunks"], found["fill"]))


def check_numbers(found, bodies):
    steps = [k * EVERY for k in range(STEPS // EVERY + 1)]
    tap.check("steps and times", found["step"] == steps and
              all(math.isclose(t, s * DT, rel_tol=1e-14) for t, s in zip(found["time"], steps)),
              (found["step"], found["time"]))
    most = max(sum(row["name"] not in WALLS for row in rows) for rows in bodies.values())
    differ, names = [], found["group_names"]
    elements = found["elements"]
    for frame, step in enumerate(steps):
        rows = sorted((row for row in bodies[step] if row["name"] not in WALLS), key=lambda row: row["id"])
        n = len(rows)
        seen = {k: v[frame] for k, v in elements.items()}
        pad = most - n
        if seen["id"] != [row["id"] for row in rows] + [-1] * pad or \
                any(len(v) != most for v in seen.values()) or \
                any(not math.isnan(x) for v in seen["position"][n:] for x in v) or \
                any(x != -1 for key in ("species", "group", "motion") for x in seen[key][n:]):
            differ.append((step, "padding"))
        for key, columns in (("position", ("x", "y", "z")), ("velocity", ("vx", "vy", "vz")),
                             ("angular_velocity", ("wx", "wy", "wz")), ("torque", ("tx", "ty", "tz"))):
            if seen[key][:n] != [list(vector(row, columns)) for row in rows]:
                differ.append((step, key))
        for i, row in enumerate(rows):
            free = row["name"] != "post"
            density = 2500.0 if row["name"] == "beads" else 7800.0
            mass = density * 4.0 / 3.0 * math.pi * row["radius"] ** 3
            total = [f + (mass * g if free else 0.0) for f, g in zip(vector(row, ("fx", "fy", "fz")), GRAVITY)]
            if any(not math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) for a, b in zip(total, seen["force"][i])):
                differ.append((step, "force", total, seen["force"][i]))
            if free and not math.isclose(seen["mass"][i], mass, rel_tol=1e-14) or \
                    not free and seen["mass"][i] != math.inf:
                differ.append((step, "mass"))
            if seen["radius"][i] != row["radius"] or names[seen["group"][i]] != row["name"] or \
                    seen["species"][i] != (row["name"] != "beads") or seen["motion"][i] != 2 * (not free):
                differ.append((step, "kind", row["name"]))
    tap.check("numbers are those of csv, rows in the order of ids, empty rows at the end", not differ, differ[:5])
    counts = {sum(i >= 0 for i in ids) for ids in elements["id"]}
    tap.check("the number of bodies changes", len(counts) > 2, counts)
    at, jump = {}, 0.0
    for ids, places, images in zip(elements["id"], elements["position"], elements["image"]):
        for body, x, image in zip(ids, places, images):
            if body >= 0:
                whole = x[0] + image[0] * 0.04
                jump = max(jump, abs(whole - at.get(body, whole)))
                at[body] = whole
    tap.check("position + image * edges moves on across the boundary",
              0.0 < jump < 0.03 and any(i[0] for frame in elements["image"] for i in frame), jump)


def check_small(folder, found):
    small = read(folder / "small.h5")
    same = all(repr(small["elements"][k]) == repr(v) for k, v in found["elements"].items())
    tap.check("compressed: the same numbers in a smaller file", same and
              set(map(tuple, small["filters"].values())) == {("gzip", 6, True)} and
              set(map(tuple, found["filters"].values())) == {(None, None, False)} and
              (folder / "small.h5").stat().st_size < 0.8 * (folder / "trajectory.h5").stat().st_size)


def check_flat(top):
    result = run(SCREE, PILE, top / "flat", 'h = { plugin = "hdf5"; }; b = { plugin = "csv"; what = "bodies"; };',
                 "--steps", 10)
    found = read(top / "flat" / "trajectory.h5")
    rows = {row["id"]: row for row in table(top / "flat" / "bodies.csv")[10]}
    last = found["elements"]
    tap.check("2D: positions have two components, no image without a periodic boundary",
              result.returncode == 0 and found["attributes"]["particles/bodies/box"]["dimension"] == 2 and
              "image" not in last and len(last["id"][-1]) > 5 and
              all(x == list(vector(rows[i], "xy")) for i, x in zip(last["id"][-1], last["position"][-1])),
              result.stderr)


def limit(size):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


def check_faults(top, whole, size):
    result = run(SCREE, CROWD, top / "small", 'h = { plugin = "hdf5"; };', preexec_fn=limit(10000))
    left = sorted(p.name for p in (top / "small").iterdir())
    tap.check("a first frame that cannot be written: status 1, its name and the reason, nothing left",
              result.returncode == 1 and "cannot write trajectory.h5 (first frame): File too large" in result.stderr
              and left == ["scene.cfg"], result.stderr + str(left))
    result = run(SCREE, CROWD, top / "later", f'h = {{ plugin = "hdf5"; every_steps = {EVERY}; }};',
                 preexec_fn=limit(size * 2 // 3))
    tap.check("a later one: status 1 and the reason", result.returncode == 1 and
              "cannot write trajectory.h5 (frame): File too large" in result.stderr, result.stderr)
    found = read(top / "later" / "trajectory.h5")
    n = len(found["step"])
    tap.check("... and the frames before it can be read", 1 < n < len(whole["step"]) and
              all(repr(found["elements"][k][:n - 1]) == repr([row[:len(f) or None] for row, f in
                  zip(v[:n - 1], found["elements"][k])]) for k, v in whole["elements"].items()), n)
    result = run(SCREE, CROWD, top / "level", 'h = { plugin = "hdf5"; compression = 10; };')
    tap.check("compression 10 is refused", result.returncode == 2 and "compression: expected 0 <= value <= 9, got 10" in
              result.stderr, result.stderr)


def check_kill(top, whole):
    """Killed between two frames, of which the second would come much later."""
    folder = top / "killed"
    process = launch(top, *command(SCREE, CROWD, folder, "--steps", 100000000, "--set",
                                   'observers={h={plugin="hdf5"; every_wall=2.0;};}'),
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path, deadline, quiet, size = folder / "trajectory.h5", time.monotonic() + 60.0, 0, -1
    while quiet < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
        now = path.stat().st_mtime_ns if path.exists() else -1
        quiet = quiet + 1 if now == size and now >= 0 else 0
        size = now
    process.kill()
    process.wait()
    found = read(path)
    tap.check("a run killed between frames leaves a file that h5py opens, with the first frame",
              process.returncode == -signal.SIGKILL and found["step"][0] == 0 and
              found["elements"]["position"][0] == whole["elements"]["position"][0] and
              not list(folder.glob("*.part")), found["step"])


def main(top):
    folder = top / "crowd"
    result = run(SCREE, CROWD, folder, OBSERVERS)
    tap.check("the scene runs", result.returncode == 0, result.stderr)
    if not PYTHON:
        tap.skip("the file is H5MD and holds the numbers of csv", "Debian's python3-h5py is not installed")
        return
    found = read(folder / "trajectory.h5")
    check_layout(found)
    check_numbers(found, table(folder / "bodies.csv"))
    check_small(folder, found)
    check_flat(top)
    check_faults(top, found, (folder / "trajectory.h5").stat().st_size)
    check_kill(top, found)


tap.in_folder(main)
