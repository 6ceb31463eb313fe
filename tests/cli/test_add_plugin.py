# SPDX-License-Identifier: Apache-2.0
"""Follows CONTRIBUTING.md to add a plugin: three files by hand and one command, and the tests know it.

usage: test_add_plugin.py SOURCE

A law and a contact detection are added to a copy of the tree, which is built and tested.
"""
import filecmp
import pathlib
import re
import shutil
import subprocess
import sys

import tap

SOURCE = pathlib.Path(sys.argv[1]).resolve()
MADE = {".git", "runs", *(path.name for path in SOURCE.glob("build*"))}  # folders of the top that are not sources
CASE = '''# SPDX-License-Identifier: Apache-2.0
"""force/soggy next to a closed form."""
import math

from verify import case

SCENE = """scene = {{ dt = {dt!r}; steps = {steps}; }}; materials = {{ m = {{ density = 1000.0; }}; }};
bodies = {{ a = {{ radius = 0.01; position = (0.0, 0.0, 0.0); velocity = (0.1, 0.0, 0.0); }};
b = {{ radius = 0.01; position = (0.02, 0.0, 0.0); }}; }};
force = ( {{ plugin = "soggy"; kn = 1e4; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {steps}; }}; }};"""


@case("force/soggy", "equal balls exchange their velocities", source="momentum and energy",
      formula="v_b = v_a", tolerance=1e-4, why="error of the step, 1/1000 of the contact")
def exchange(bench):
    mass = 1000.0 * 4.0 / 3.0 * math.pi * 0.01**3
    contact = math.pi * math.sqrt(0.5 * mass / 1e4)
    rows = bench.run(SCENE.format(dt=contact / 1000.0, steps=1100)).csv("bodies")
    return 0.1, max(row["vx"] for row in rows[-2:])
'''


def left_out(folder, names):
    return {"__pycache__", "states"} | (MADE if pathlib.Path(folder) == SOURCE else set())


def line(path, before, text):
    """Adds a line to the table of a kind."""
    old = path.read_text(encoding="utf-8")
    path.write_text(re.sub(rf"^(?=  '{before}':)", f"{text}\n", old, count=1, flags=re.M), encoding="utf-8")


def add_law(top):
    text = (top / "contrib/template/force/soft.c").read_text(encoding="utf-8")
    text = text.replace('"soft"', '"soggy"').replace("SPDX-License-Identifier: MIT", "SPDX-License-Identifier: Apache-2.0")
    (top / "plugins/force/soggy.c").write_text(text, encoding="utf-8")
    line(top / "plugins/force/meson.build", "van_der_waals", "  'soggy': {'files': files('soggy.c')},")


def add_gcd(top):
    text = (top / "plugins/gcd/pairing.c").read_text(encoding="utf-8")
    (top / "plugins/gcd/twosome.c").write_text(text.replace('"pairing"', '"twosome"'), encoding="utf-8")
    line(top / "plugins/gcd/meson.build", "rtree", "  'twosome': {'files': files('twosome.c')},")


def changed(top):
    """Files of the copy that are not those of the tree, without what a build makes."""
    def walk(compared, path):
        names = compared.left_only + compared.right_only + compared.diff_files
        yield from (str(path / name) for name in names)
        for name, below in compared.subdirs.items():
            yield from walk(below, path / name)
    ignored = ["__pycache__", "states", "build", *MADE]
    return sorted(walk(filecmp.dircmp(SOURCE, top, ignore=ignored), pathlib.Path()))


def run(top, *words):
    return subprocess.run(words, cwd=top, text=True, capture_output=True, check=False, timeout=1200)


def tests(top, *names):
    """Whether they pass, and what they print."""
    done = run(top, "meson", "test", "-C", "build", *names)
    return done.returncode == 0, (top / "build/meson-logs/testlog.txt").read_text(encoding="utf-8") + done.stderr


def main(top):
    top = top / "scree"
    shutil.copytree(SOURCE, top, ignore=left_out, symlinks=True)
    add_law(top)
    add_gcd(top)
    done = run(top, "sh", "-c", "meson setup build -Dwerror=true && ninja -C build --quiet")
    tap.check("a line of the table builds a plugin", done.returncode == 0
              and (top / "build/plugins/force/soggy.so").exists(), done.stdout[-4000:] + done.stderr)
    good, said = tests(top, "lint", "reference-page", "verification-harness")
    tap.check("a law without its section and its case is named, with the command that writes the section",
              not good and "force/soggy has no section" in said and "ninja -C build reference" in said
              and "['soggy']" in said, said[-4000:])
    (top / "tests/verification/cases/soggy.py").write_text(CASE, encoding="utf-8")
    done = run(top, "ninja", "-C", "build", "reference")
    tap.check("ninja reference writes the section", done.returncode == 0 and "### force/soggy" in
              (top / "docs/reference/plugins.md").read_text(encoding="utf-8"), done.stdout + done.stderr)
    listed = run(top, "meson", "test", "-C", "build", "--no-rebuild", "--list").stdout
    good, said = tests(top, "lint", "reference-page", "verification-harness", "verification-force", "faults-compare",
                       "gcds-gas", *re.findall(r"check-(?:force|gcd)\S*", listed))
    tap.check("then the tests pass, with those of the new plugins", good and "equal balls exchange their velocities" in said
              and "gcd/twosome" in said and "force/soggy" in said, said[-4000:])
    seen = changed(top)
    tap.check("three files changed by hand for the law, two for the contact detection, and the reference page", seen == [
        "docs/reference/plugins.md", "plugins/force/meson.build", "plugins/force/soggy.c", "plugins/gcd/meson.build",
        "plugins/gcd/twosome.c", "tests/verification/cases/soggy.py"], seen)


tap.in_folder(main)
