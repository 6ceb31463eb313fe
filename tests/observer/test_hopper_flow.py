# SPDX-License-Identifier: Apache-2.0
"""The discharge of configs/hopper.cfg by observer `mass_flow` and by the mass that is left, which
configs/hopper.py takes. Slow: the whole hopper runs.

usage: test_hopper_flow.py SCREE HOPPER.cfg HOPPER.py
"""
import pathlib
import re
import subprocess
import sys

from common import run, tap

from runs import read_numbers  # noqa: E402
SCREE, HOPPER, SCRIPT = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
OBSERVERS = ('scalars = { plugin = "csv"; every_time = 0.01; }; '
             'beads = { plugin = "csv"; what = "bodies"; groups = ["beads"]; file = "beads"; every_time = 0.2; }; '
             'orifice = { plugin = "mass_flow"; point = (0.0, 0.0, -1.0e-4); normal = (0.0, 0.0, -1.0); '
             'radius = "11 mm"; every_time = 0.01; };')


def main(top):
    folder = top / "hopper"
    result = run(SCREE, HOPPER, folder, OBSERVERS, "--threads", 2, slow=True)
    report = subprocess.run([sys.executable, SCRIPT, folder], text=True, capture_output=True)
    print("# " + report.stdout.replace("\n", "\n# "))
    tap.check("the hopper runs", result.returncode == 0 and report.returncode == 0, result.stderr + report.stderr)
    found = re.search(r"W = ([\d.]+) \+- ([\d.]+) g/s, t = ([\d.]+) s to ([\d.]+) s", report.stdout)
    rate, error, begin, end = map(float, found.groups())
    rows = [row for row in read_numbers(folder / "mass_flow.csv") if begin - 1e-3 <= row["time"] <= end + 1e-3]
    mean_t, mean_m = (sum(row[k] for row in rows) / len(rows) for k in ("time", "mass"))
    slope = 1e3 * sum((row["time"] - mean_t) * (row["mass"] - mean_m) for row in rows) / \
        sum((row["time"] - mean_t) ** 2 for row in rows)
    print(f"# mass_flow {slope:.3f} g/s, hopper.py {rate:.3f} +- {error:.3f} g/s")
    # Beads fall 30 mm, 30 ms or so, before they leave the region: the same stream, a little later.
    tap.check("the rate through the orifice is that of the mass which leaves, within 1 %",
              abs(slope / rate - 1.0) < 0.01, (slope, rate))
    last, first = read_numbers(folder / "scalars.csv")[-1], read_numbers(folder / "scalars.csv")[0]
    through, gone = read_numbers(folder / "mass_flow.csv")[-1]["mass"], first["mass"] - last["mass"]
    tap.check("what has left the region has passed the orifice; what is on its way fell for 50 ms at most",
              0.0 < through - gone < 1e-3 * rate * 0.05, (through, gone))


tap.in_folder(main)
