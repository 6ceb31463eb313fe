# SPDX-License-Identifier: Apache-2.0
"""Builds the bad plugins, each one small file, two at a time, and OUTPUTS/faults.made: one step of the build instead of
three a file.

usage: make_faults.py SOURCES OUTPUTS NAME... -- CC ARGUMENT...
"""
import concurrent.futures
import pathlib
import subprocess
import sys

split = sys.argv.index("--")
(SOURCES, OUTPUTS, *NAMES), COMMAND = sys.argv[1:split], sys.argv[split + 1:]


def make(name):
    done = subprocess.run([*COMMAND, f"{SOURCES}/{name}.c", "-o", f"{OUTPUTS}/{name}.so"], text=True, capture_output=True,
                          check=False)
    return done.returncode, done.stderr


with concurrent.futures.ThreadPoolExecutor(2) as two:
    results = list(two.map(make, NAMES))
sys.stderr.write("".join(text for _, text in results))
if any(code for code, _ in results):
    sys.exit(1)
pathlib.Path(OUTPUTS, "faults.made").touch()
