# SPDX-License-Identifier: Apache-2.0
"""Rules about tests: each program of tests/unit is built, and its folder and its name say what it tests, and none is left out without a word."""
import re

from tree import spoil

TABLE = "tests/unit/meson.build"


@spoil(TABLE, r"'pool', ", "")
@spoil(TABLE, r"'pool', ", "'pool', 'no_such_test', ")
@spoil(TABLE, r"'engine': \[", "'engine': ['pool', ")
def rule_units(tree):
    """Each tests/unit/ROOM/test_<name>.c is built, and its name is a unit of that room of core, or the room and a subject."""
    tests = {tuple(re.fullmatch(r"tests/unit/(\w+)/test_(\w+)\.c", path).groups()): path
             for path in tree.glob("tests/unit/*/test_*.c")}
    units = {(path.split("/")[1], path.rsplit("/", 1)[1][:-2]) for path in tree.glob("core/**/*.[ch]")}
    rooms = {room for room, _ in units}
    if not tests:
        return
    tree.look(len(tests))
    for (room, test), name in sorted(tests.items()):
        if (room, test) not in units and not (room in rooms and test.startswith(room + "_")):
            yield name, f"room {room} of core has no unit {test}"
    table = re.search(r"^unit_tests = \{(.*?)^\}", tree.text(TABLE) if tree.exists(TABLE) else "", re.M | re.S)
    rows = re.findall(r"'(\w+)': \[(.*?)\]", table.group(1), re.S) if table else []
    built = {(room, test) for room, names in rows for test in re.findall(r"'(\w+)'", names)}
    for room, test in sorted(built ^ tests.keys()):
        yield TABLE, f"{room}/test_{test}.c is {'not there' if (room, test) in built else 'not built'}"


@spoil("tests/fuzz/meson.build", r"^foreach ", "if fs.exists('fuzz_config.c')\nendif\nforeach ")
def rule_exists(tree):
    """No meson.build leaves out a file that is missing: no fs.exists."""
    for name in ["meson.build"] + tree.glob("docs/meson.build") + list(tree.sources("meson.build")):
        if not tree.exists(name):
            continue
        tree.look()
        if "fs.exists" in tree.text(name):
            yield name, "asks fs.exists: a file that was renamed would be left out"
