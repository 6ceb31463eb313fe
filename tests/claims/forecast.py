#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scenes on one thread and keeps the forecast of `scree validate` next to the CPU time of each: forecast.tsv.

usage: forecast.py BUILD SCENE...     (of configs/: bed, hopper, thesis/heap, ..; minutes)
"""
import datetime
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

KEPT = pathlib.Path(__file__).with_name("forecast.tsv")
COLUMNS = ("scene", "forecast_s", "cpu_s", "date")


def measure(scree, scene):
    """The forecast and the CPU time [s]."""
    done = subprocess.run([scree, "validate", scene, "--json"], text=True, capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as top:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([scree, "run", scene, "--threads", "1", "-q", "-o", f"{top}/run"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout)["takes_s"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = KEPT.read_text(encoding="utf-8").splitlines()[1:] if KEPT.exists() else []
    kept = {line.split("\t")[0]: line for line in lines}
    for scene in sys.argv[2:]:
        forecast, cpu = measure(pathlib.Path(sys.argv[1]).resolve() / "core/scree", scene)
        kept[scene] = "\t".join([scene, f"{forecast:.3g}", f"{cpu:.3g}", datetime.date.today().isoformat()])
        print(kept[scene], flush=True)
        KEPT.write_text("\n".join(["\t".join(COLUMNS), *kept.values()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
