# SPDX-License-Identifier: Apache-2.0
"""The fuzz target of GCDs ends with an abort on plugins that break a promise, and on the sound one it does not.

usage: test_sees.py REPLAY CORPUS UNSOUND_GCD.so
"""
import os
import signal
import subprocess
import sys

import tap

REPLAY, CORPUS, FILE = sys.argv[1:]


def replay(sin):
    return subprocess.run([REPLAY, CORPUS], env=dict(os.environ, SCREE_FUZZ_GCD=f"{FILE}:{sin}"), text=True,
                          capture_output=True, check=False)


def run():
    result = replay("none")
    tap.check("a sound GCD survives", result.returncode == 0 and "survived" in result.stdout, result)
    for sin in ("missed", "twice", "empty", "regions", "unmoved", "grown"):
        result = replay(sin)
        tap.check(f"fuzz-gcd-sees-{sin}", result.returncode == -signal.SIGABRT and "Bail out" not in result.stdout, result)


tap.finish(run)
