# SPDX-License-Identifier: Apache-2.0
"""Rules about tests: none is left out without a word."""
from tree import spoil


@spoil("tests/fuzz/meson.build", r"^foreach ", "if fs.exists('fuzz_config.c')\nendif\nforeach ")
def rule_exists(tree):
    """No meson.build leaves out a file that is missing: no fs.exists."""
    for name in ["meson.build"] + tree.glob("docs/meson.build") + list(tree.sources("meson.build")):
        if not tree.exists(name):
            continue
        tree.look()
        if "fs.exists" in tree.text(name):
            yield name, "asks fs.exists: a file that was renamed would be left out"
