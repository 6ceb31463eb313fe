# SPDX-License-Identifier: Apache-2.0
"""Which files of core use which, by the symbols of their objects: no room uses one that it may not include, and no
circle is missing in tests/lint/circles or has more than three files.

usage: symbols.py ROOT BUILD NM

The objects are those of BUILD/compile_commands.json whose source is a file of ROOT/core; the table of rooms is in
ROOT/core/README.md. Circles that remain are in ROOT/tests/lint/circles, each with its reason. The fixture, in
ROOT/tests/lint/fixtures/symbols, is compiled with the tests and must fail both.
"""
import collections
import ctypes
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import tap  # noqa: E402
from core_rooms import read_rooms  # noqa: E402

MOST_FILES = 3  # of a circle, whatever its reason
LIBRARY = ctypes.CDLL(None)  # of C: cli/interpose.c defines names of it, which are not uses of room cli


def find_objects(root, build):
    """Path of each object -> "room/file" of its source."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if root / "core" in source.parents and source.suffix == ".c":
            found[str(build / entry["output"])] = source.relative_to(root / "core").with_suffix("").as_posix()
    return found


def read_symbols(nm, objects):
    """File -> names that it defines, file -> names that it uses."""
    defines, uses = collections.defaultdict(set), collections.defaultdict(set)
    said = subprocess.run([nm, "-P", "-A", *objects], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        path, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        if hasattr(LIBRARY, name):
            continue
        if kind in "Uw":
            uses[objects[path]].add(name)
        elif kind.isupper():
            defines[objects[path]].add(name)
    return defines, uses


def link(defines, uses):
    """File -> file -> names that the first one uses of the second one."""
    home = {name: unit for unit, names in defines.items() for name in names}
    edges = collections.defaultdict(lambda: collections.defaultdict(set))
    for unit, names in uses.items():
        for name in names:
            if home.get(name, unit) != unit:
                edges[unit][home[name]].add(name)
    return edges


def room(unit):
    return unit.rsplit("/", 1)[0]


def find_upward(edges, rooms):
    return [f"{unit}.c uses {', '.join(sorted(edges[unit][other]))} of {other}.c"
            for unit in sorted(edges) for other in sorted(edges[unit])
            if room(other) not in rooms.get(room(unit), set())]


def reach(edges, start):
    seen, rest = set(), [start]
    while rest:
        for other in edges[rest.pop()] if rest else ():
            if other not in seen:
                seen.add(other)
                rest.append(other)
    return seen


def find_circles(edges):
    """Sets of two files or more of which each reaches each other one."""
    reached = {unit: reach(edges, unit) for unit in list(edges)}
    circles = {frozenset(o for o in found if unit in reached.get(o, ())) for unit, found in reached.items()}
    return sorted((c for c in circles if len(c) > 1), key=sorted)


def read_exceptions(path):
    """Sets of files that may be a circle -> the reason: lines "file file ..: reason"."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    pairs = [line.partition(":") for line in lines if line.strip() and line[0] != "#"]
    return {frozenset(files.split()): reason.strip() for files, _, reason in pairs}


def judge(edges, rooms, excepted):
    """The faults: upward uses, then circles that are not excepted."""
    circles = [c for c in find_circles(edges) if not any(c <= files for files in excepted)]
    return find_upward(edges, rooms), [f"{len(c)} files: {' '.join(sorted(c))}" for c in circles]


def spoil(edges, user, used):
    """The same files, one of which uses another one too."""
    more = collections.defaultdict(lambda: collections.defaultdict(set), edges)
    more[user] = collections.defaultdict(set, {**edges[user], used: {"spoiled"}})
    return more


def check_spoiled(edges, rooms, excepted):
    up, _ = judge(spoil(edges, "base/text", "engine/step"), rooms, excepted)
    tap.check("fails when base/text.c uses engine/step.c", any("spoiled of engine/step.c" in u for u in up), up)
    _, circles = judge(spoil(edges, "base/aligned", "cli/main"), rooms, excepted)
    tap.check("fails when base/aligned.c closes a circle", any("base/aligned" in c for c in circles), circles)


def check_tree(root, build, nm):
    rooms = read_rooms((root / "core/README.md").read_text(encoding="utf-8"))
    excepted = read_exceptions(root / "tests/lint/circles")
    objects = find_objects(root, build)
    sources = {p.relative_to(root / "core").with_suffix("").as_posix() for p in (root / "core").rglob("*.c")}
    missing = sorted(sources - set(objects.values()))
    tap.check(f"every file of core has an object, {len(objects)} in all", not missing, missing)
    edges = link(*read_symbols(nm, objects))
    up, circles = judge(edges, rooms, excepted)
    tap.check("no file uses a symbol of a room that it may not include", not up, "\n".join(up))
    tap.check("no circle of files but those of tests/lint/circles", not circles, "\n".join(circles))
    long = [" ".join(sorted(c)) for c in find_circles(edges) if len(c) > MOST_FILES]
    tap.check(f"no circle has more than {MOST_FILES} files", not long, "\n".join(long))
    for files in excepted:
        for file in sorted(f for f in files if not any(f in c and c <= files for c in find_circles(edges))):
            print(f"# tests/lint/circles: {file}: no longer needed")
    bare = [" ".join(sorted(files)) for files, reason in excepted.items() if not reason]
    tap.check("every circle of tests/lint/circles has its reason", not bare, "\n".join(bare))
    check_spoiled(edges, rooms, excepted)


def check_fixture(root, build, nm):
    fixture = root / "tests/lint/fixtures/symbols"
    rooms = read_rooms((fixture / "core/README.md").read_text(encoding="utf-8"))
    objects = find_objects(fixture, build)
    up, circles = judge(link(*read_symbols(nm, objects)), rooms, {})
    tap.check("the fixture uses a symbol of a higher room, and no other", up ==
              ["low/one.c uses scree_fixture_five of high/five.c"], up)
    tap.check("the fixture has a circle of four files, and no other", circles ==
              ["4 files: low/four low/one low/three low/two"], circles)


def run():
    root, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    check_tree(root, build, sys.argv[3])
    check_fixture(root, build, sys.argv[3])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tap.finish(run)
