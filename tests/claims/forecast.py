#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scenes on one thread and keeps the forecast of `scree validate` next to the time of each: forecast.tsv.

usage: forecast.py BUILD [SCENE...]     (of configs/, or of tests/claims/forecast/; without one all of forecast.tsv, some 10 minutes)
       forecast.py BUILD --again        (forecasts by new costs; the times of the runs stay)

`cpu_s` is CPU time of the program, without that of the system: other work on the machine counts little. The scenes of
tests/claims/forecast/ were written for this comparison, before the forecast was made.
"""
import datetime
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "forecast.tsv"
COLUMNS = ("scene", "forecast_s", "setup_s", "cpu_s", "date")


def place(scene):
    own = HERE / "forecast" / f"{scene}.cfg"
    return own if own.exists() else scene


def forecast(scree, scene):
    """The forecast, and its part for the set-up [s]."""
    done = subprocess.run([scree, "validate", place(scene), "--json"], text=True, capture_output=True, check=True)
    seen = json.loads(done.stdout)
    return f"{seen['takes_s']:.3g}", f"{seen['takes_setup_s']:.2g}"


def run(scree, scene):
    """The CPU time of a run [s]."""
    with tempfile.TemporaryDirectory() as top:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([scree, "run", place(scene), "--threads", "1", "-q", "-o", f"{top}/run"], capture_output=True, check=True)
        return f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before:.3g}"


def read():
    """Values by scene."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()[1:] if KEPT.exists() else []
    return {line.split("\t")[0]: line.split("\t")[1:] for line in lines}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    scree, again = pathlib.Path(sys.argv[1]).resolve() / "core/scree", sys.argv[2:] == ["--again"]
    for scene in [*read()] if again else sys.argv[2:] or [*read()]:
        own = read()[scene][2:] if again else [run(scree, scene), datetime.date.today().isoformat()]
        values = [*forecast(scree, scene), *own]
        print(scene, *values, sep="\t", flush=True)
        rows = [COLUMNS, *((name, *found) for name, found in {**read(), scene: values}.items())]
        KEPT.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
