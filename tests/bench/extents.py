#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the extents cost: the scenes of configs/ with other eps_v, eps_e and eps_c, as a table.

The settings of a scene take turns, so that a busy machine favours none of them. The least user time of each
over all turns counts, without that of the same scene over 0 steps (its set-up). A row of the table is a
setting, a column a scene, a figure the time divided by that of the first setting. The state at the end must be the
same for all: the script fails if a `state_sha256` differs.

usage: extents.py [--build BUILD] [--turns N] [--json FILE] [SCENE=STEPS ...]    without scenes: those below
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# (eps_v, eps_e, eps_c [m]); the others are compared with the first, the former default. E is the diameter of a
# ball, 2 to 20 mm in these scenes: 0.1 mm is 0.005 to 0.05 of it.
SETTINGS = [(10, 0.02, 0), (0, 0.02, 0), (5, 0.02, 0), (20, 0.02, 0), (40, 0.02, 0), (80, 0.02, 0), (160, 0.02, 0),
            (10, 0, 0), (10, 0.01, 0), (10, 0.05, 0), (10, 0.1, 0), (10, 0.02, 1e-4), (40, 0, 0), (40, 0.01, 0),
            (40, 0.05, 0), (80, 0.01, 0), (80, 0.05, 0)]
# Those that leave the extents to the default; gas and calm in many copies or steps: they take no time else.
LARGE_GAS = ["generate.molecules.count=20000", "scene.region.max=(0.1086, 0.1086, 0.1086)"]
SCENES = {"gas": ("gas", 5000, []), "gas-20k": ("gas", 1000, LARGE_GAS), "bed": ("bed", 20000, []),
          "pile": ("pile", 80000, []), "calm": ("calm", 12500, []), "valve": ("valve", 50000, []),
          "silo-psd": ("silo-psd", 30000, []), "drum": ("drum", 25000, []), "hopper": ("hopper", 25000, [])}


def user_seconds(scree, scene, steps, overrides, folder):
    """User CPU time of one run, and its state_sha256."""
    sets = [part for one in overrides for part in ("--set", one)]
    command = [scree, "run", scene, "--steps", str(steps), "--threads", "1", "--json", "-o",
               tempfile.mkdtemp(dir=folder) + "/run", "--set", "observers={}", *sets]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out, err = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}\n{err}")
    return usage.ru_utime, json.loads(out)["state_sha256"]


def measure(scree, scene, steps, overrides, turns, folder):
    """Seconds of each setting; the settings take turns."""
    times = {setting: [] for setting in SETTINGS}
    empty, hashes = [], set()
    for _ in range(turns):
        empty.append(user_seconds(scree, scene, 0, overrides, folder)[0])
        for setting in SETTINGS:
            extent = "extent={eps_v=%r; eps_e=%r; eps_c=%r;}" % tuple(float(x) for x in setting)
            seconds, state = user_seconds(scree, scene, steps, [*overrides, extent], folder)
            times[setting].append(seconds)
            hashes.add(state)
    if len(hashes) != 1:
        sys.exit(f"{scene}: {len(hashes)} different states")
    return {setting: min(all_of) - min(empty) for setting, all_of in times.items()}


def print_table(results):
    print("| eps_v | eps_e | eps_c [mm] | " + " | ".join(results) + " | mean | worst |")
    print("|" + " --- |" * (len(results) + 5))
    for setting in SETTINGS:
        ratios = [times[setting] / times[SETTINGS[0]] for times in results.values()]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        cells = [*(f"{x:g}" for x in (setting[0], setting[1], setting[2] * 1e3)),
                 *(f"{x:.2f}" for x in (*ratios, mean, max(ratios)))]
        print("| " + " | ".join(cells) + " |")
    print("| seconds of the first | | | " + " | ".join(f"{t[SETTINGS[0]]:.2f}" for t in results.values()) + " | | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--turns", default=3, type=int)
    parser.add_argument("--json", type=pathlib.Path, help="the seconds, scene by scene")
    parser.add_argument("scenes", nargs="*", metavar="SCENE=STEPS", help="a name of the list, or a file")
    options = parser.parse_args()
    chosen = dict(SCENES)
    if options.scenes:
        chosen = {}
        for text in options.scenes:
            name, _, steps = text.rpartition("=")
            scene, _, overrides = SCENES.get(name, (name, 0, []))
            chosen[pathlib.Path(name).stem] = (scene, int(steps), overrides)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (scene, steps, overrides) in chosen.items():
            results[name] = measure(options.build.resolve() / "core/scree", scene, steps, overrides, options.turns, folder)
            if options.json:
                rows = {n: [[*s, round(t, 4)] for s, t in times.items()] for n, times in results.items()}
                options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print_table(results)


if __name__ == "__main__":
    main()
