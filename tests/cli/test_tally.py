# SPDX-License-Identifier: Apache-2.0
"""The count that ends .ci/run, on made-up logs.

usage: test_tally.py TALLY.py
"""
import json
import subprocess
import sys

import tap

TALLY = sys.argv[1]


def tally(folder, checks, **logs):
    (folder / "checks").write_text(checks, encoding="utf-8")
    words = []
    for name, tests in logs.items():
        path = folder / (name + ".json")
        path.write_text("".join(json.dumps(test) + "\n" for test in tests), encoding="utf-8")
        words.append(f"{name}={path}")
    return subprocess.run([sys.executable, TALLY, str(folder / "checks"), *words], text=True,
                          capture_output=True, check=False)


def result(name, out, verdict="OK", status=0):
    return {"name": name, "stdout": out, "result": verdict, "returncode": status}


def run(folder):
    good = result("unit / a", "1..3\nok 1 - x\n# ok, a comment\nok 2 # SKIP no data\nok 3\n")
    bad = result("unit / b", "1..2\nok 1\nnot ok 2 - y\n", "FAIL", 1)
    died = result("unit / c", "1..2\nok 1 - z\n", "ERROR", -11)
    late = result("unit / d", "", "TIMEOUT", -15)

    seen = tally(folder, "ok builds\n", plain=[good])
    tap.check("subtests are counted, skipped ones apart",
              seen.stdout.splitlines()[-1] == "3 passed, 0 failed, 1 skipped"
              and seen.returncode == 0, seen)
    seen = tally(folder, "", plain=[good, bad], again=[good])
    tap.check("runs add up, and a failed subtest fails all",
              seen.stdout.splitlines()[-1] == "5 passed, 1 failed, 2 skipped"
              and seen.returncode == 1 and "FAILED  plain: unit / b: 2 - y" in seen.stdout, seen)
    seen = tally(folder, "", plain=[died, late])
    tap.check("a test that died or came too late has failed",
              seen.stdout.splitlines()[-1] == "1 passed, 2 failed" and seen.returncode == 1, seen)
    seen = tally(folder, "not ok builds\nskip fuzz\nok lint\n")
    tap.check("checks count", seen.stdout.splitlines()[-1] == "1 passed, 1 failed, 1 skipped"
              and seen.returncode == 1, seen)
    seen = tally(folder, "ok builds\n", empty=[])
    tap.check("a run without a test has failed", "1 passed, 1 failed" in seen.stdout
              and seen.returncode == 1, seen)
    seen = tally(folder, "")
    tap.check("nothing passed is a failure", seen.stdout == "0 passed, 0 failed\n"
              and seen.returncode == 1, seen)


tap.in_folder(run)
