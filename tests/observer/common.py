# SPDX-License-Identifier: Apache-2.0
"""Shared code of the tests of observers: runs, tables, a Python that has a module."""
import csv
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402,F401
from runs import environment  # noqa: E402,F401
from vectors import norm  # noqa: E402,F401


def command(scree, scene, folder, *args):
    return [str(scree), "run", str(scene), "-q", "-o", str(folder), *map(str, args)]


def run(scree, scene, folder, observers, *args, slow=False, **more):
    """Runs a scene whose observers are the ones given."""
    return subprocess.run(command(scree, scene, folder, "--set", f"observers={{{observers}}}", *args),
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=3000 if slow else 200, **{"env": environment(), **more})


def table(path):
    """Rows of a table of `csv` by step: {step: [row]}; a cell that is not a number stays text."""
    def value(key, text):
        if key in ("step", "id", "a", "b", "image_x", "image_y", "image_z", "feature", "part_a", "part_b"):
            return int(text)
        return text if key in ("name", "shape_name") else float(text)
    found = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row = {k: value(k, v) for k, v in row.items()}
            found.setdefault(row["step"], []).append(row)
    return found


def vector(row, names):
    return tuple(row[name] for name in names)


def python_with(module):
    """A Python that can import it, or None: Debian's own has what Debian packages bring."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([candidate, "-c", f"import {module}"], capture_output=True).returncode == 0:
                return candidate
        except OSError:
            pass
    return None
