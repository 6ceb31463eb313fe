# SPDX-License-Identifier: Apache-2.0
"""Rules about tests: each program of tests/unit is built and named after what it tests, and none is left out without a word."""
import re

from tree import spoil

TABLE = "tests/unit/meson.build"


def names(tree, glob, pattern):
    """{name: file} of the files of a glob."""
    return {re.fullmatch(pattern, path).group(1): path for path in tree.glob(glob)}


@spoil(TABLE, r"'pool', ", "")
@spoil(TABLE, r"'pool', ", "'pool', 'no_such_test', ")
def rule_units(tree):
    """Each tests/unit/test_<name>.c is built, and its name is a unit of core, or a room and a subject."""
    tests = names(tree, "tests/unit/test_*.c", r"tests/unit/test_(\w+)\.c")
    units = {path.rsplit("/", 1)[1][:-2] for path in tree.glob("core/**/*.[ch]")}
    rooms = tuple(path.split("/")[1] + "_" for path in tree.glob("core/*/*.[ch]"))
    if not tests:
        return
    tree.look(len(tests))
    for test, name in sorted(tests.items()):
        if test not in units and not test.startswith(rooms):
            yield name, f"core has neither a unit {test} nor a room that begins it"
    table = re.search(r"^unit_tests = \[(.*?)^\]", tree.text(TABLE) if tree.exists(TABLE) else "", re.M | re.S)
    built = set(re.findall(r"'(\w+)'", table.group(1))) if table else set()
    for test in sorted(built ^ tests.keys()):
        yield TABLE, f"test_{test}.c is {'not there' if test in built else 'not built'}"


@spoil("tests/fuzz/meson.build", r"^foreach ", "if fs.exists('fuzz_config.c')\nendif\nforeach ")
def rule_exists(tree):
    """No meson.build leaves out a file that is missing: no fs.exists."""
    for name in ["meson.build"] + tree.glob("docs/meson.build") + list(tree.sources("meson.build")):
        if not tree.exists(name):
            continue
        tree.look()
        if "fs.exists" in tree.text(name):
            yield name, "asks fs.exists: a file that was renamed would be left out"
