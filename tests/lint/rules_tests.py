# SPDX-License-Identifier: Apache-2.0
"""Rules about tests: each unit of core has one, and none is left out without a word."""
import re

from tree import spoil

UNIT = r"core/(?:[\w/]+/)?(\w+)\.[ch]"
TEST = r"tests/unit/test_(\w+)\.c"
LIST, TABLE = "tests/unit/covered", "tests/unit/meson.build"


def names(tree, glob, pattern):
    """{name: file} of the files of a glob."""
    return {re.fullmatch(pattern, path).group(1): path for path in tree.glob(glob)}


def read_covered(tree):
    """Pairs (unit, tests that cover it) of the list."""
    lines = tree.text(LIST).splitlines() if tree.exists(LIST) else []
    return [(words[0], words[1:]) for words in map(str.split, lines) if words and words[0][0] != "#"]


@spoil(LIST, r"^\w+ [^\n]*\n", "")
@spoil(LIST, r"^\w+ ", "no_such_unit ")
@spoil(LIST, r"^(\w+) [^\n]*\n", r"\1 tests/no_such_test.py\n")
@spoil(LIST, r"\Z", "pool tests/unit/test_scratch.c\n")
@spoil(TABLE, r"'pool', ", "")
@spoil(TABLE, r"'pool', ", "'pool', 'no_such_unit', ")
def rule_units(tree):
    """Each unit of core has its test tests/unit/test_<unit>.c, or tests/unit/covered names those that cover it."""
    sources, headers = names(tree, "core/**/*.c", UNIT), names(tree, "core/**/*.h", UNIT)
    tests, covered = names(tree, "tests/unit/test_*.c", TEST), read_covered(tree)
    if not tests:
        return
    tree.look(len(sources))
    listed = {unit for unit, _ in covered}
    for unit in sorted(sources.keys() - tests.keys() - listed):
        yield sources[unit], f"has no tests/unit/test_{unit}.c and no line in {LIST}"
    for unit, files in covered:
        if unit not in sources:
            yield LIST, f"{unit}: core has no such unit"
        if unit in tests:
            yield LIST, f"{unit}: has a test of its own"
        if not files:
            yield LIST, f"{unit}: names no test"
        for name in files:
            if not tree.exists(name):
                yield LIST, f"{unit}: there is no {name}"
    used = {name for _, files in covered for name in files}
    for test, name in sorted(tests.items()):
        if test not in sources and test not in headers and name not in used:
            yield name, f"core has no unit {test}, and {LIST} does not name this test"
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
