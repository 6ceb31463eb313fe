# SPDX-License-Identifier: Apache-2.0
"""Each plugin of a kind passes each case of `scree check`: its builds, and settings that change the way it works
(checks.py).

usage: test_check.py SCREE FOLDER_OF_PLUGINS TIER LEVEL,... PART/PARTS KIND/ID...

TIER: first, rest or full. The runs of the tier are dealt out to PARTS tests, this is number PART. In a build with
sanitizers SCREE_SANITIZED leaves out the longest.
"""
import json
import os
import subprocess
import sys

import tap
from checks import is_long_sanitized, list_runs, may_skip

SCREE, PLUGINS, TIER, LEVELS, PART, *IDS = sys.argv[1:]
SUFFIXES = {"baseline": "", "x86-64-v3": ".x86-64-v3"}


def check(name, level, settings):
    environment = dict(os.environ, SCREE_CPU_LEVEL=level, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    environment.pop("MALLOC_PERTURB_", None)  # Meson's: filling large arrays takes most of the time
    if name in ("resolver/sdf", "resolver/dfr3d"):
        environment.setdefault("SCREE_CHECK_LIMIT", "300")
    words = [s if s.startswith("--") else f"--set={s}" for s in settings]
    return subprocess.run([SCREE, "check", f"{PLUGINS}/{name}.so", "--json", *words], env=environment, text=True,
                          capture_output=True, check=False)


def judge(name, words, run, level, result):
    """One claim per case; `run` names plugin, build and settings."""
    if result.returncode == 2 and "this CPU" in result.stderr:
        tap.skip(f"{run}: {level} is checked", "this CPU does not offer it")
        return
    found = json.loads(result.stdout)
    tap.check(f"{run}: the {level} build is checked", found.get("cpu_level") == level, result)
    cases = [case for plugin in found.get("plugins", []) for case in plugin["cases"]]
    for case in cases:
        if case["verdict"] == "skip" and may_skip(name, case["id"], words):
            tap.skip(f"{run}: {case['id']}", case["text"])
        else:
            tap.check(f"{run}: {case['id']}: {case['claim']}", case["verdict"] == "ok", case["text"])
    tap.check(f"{run}: nothing fails, and the command that installs it is printed",
              result.returncode == 0 and (found.get("install") or "").startswith("scree install ") and len(cases) > 9, result)


def run():
    part, parts = map(int, PART.split("/"))
    runs = [row for row in list_runs(IDS, LEVELS.split(",")) if row[0] == TIER
            and not ("SCREE_SANITIZED" in os.environ and is_long_sanitized(row[1], row[3]))]
    for _, name, level, words, settings in runs[part - 1::parts]:
        judge(name, words, " ".join((name + SUFFIXES[level], *words)), level, check(name, level, settings))
    for level in SUFFIXES:
        if level not in LEVELS.split(","):
            tap.skip(f"{level} is checked", "this build has another level only")


tap.finish(run)
