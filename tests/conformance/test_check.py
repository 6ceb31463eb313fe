# SPDX-License-Identifier: Apache-2.0
"""A plugin of the tree passes each case of `scree check`, in one of its builds.

usage: test_check.py SCREE FILE.so CPU_LEVEL [NAME=VALUE]...    (the last: settings of its parameters, or
--OPTION=VALUE of the command)
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

SCREE, FILE, LEVEL, SETTINGS = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]


def run():
    environment = dict(os.environ, SCREE_CPU_LEVEL=LEVEL)
    environment.pop("MALLOC_PERTURB_", None)  # Meson's: filling large arrays takes most of the time
    words = [s if s.startswith("--") else f"--set={s}" for s in SETTINGS]
    result = subprocess.run([SCREE, "check", FILE, "--json", *words],
                            env=environment, text=True, capture_output=True)
    if result.returncode == 2 and "this CPU" in result.stderr:
        tap.skip(f"{LEVEL} is checked", "this CPU does not offer it")
        return
    found = json.loads(result.stdout)
    tap.check(f"the {LEVEL} build is checked", found.get("cpu_level") == LEVEL, result)
    cases = [case for plugin in found.get("plugins", []) for case in plugin["cases"]]
    for case in cases:
        if case["verdict"] == "skip":
            tap.skip(case["id"], case["text"])
        else:
            tap.check(f"{case['id']}: {case['claim']}", case["verdict"] == "ok", case["text"])
    tap.check("nothing fails, and the command that installs it is printed",
              result.returncode == 0 and "cp " in (found.get("install") or "") and len(cases) > 9,
              result)


tap.finish(run)
