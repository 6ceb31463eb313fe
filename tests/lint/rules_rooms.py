# SPDX-License-Identifier: Apache-2.0
"""Rules about the rooms of core: which room includes which, and what a header declares."""
import re

import c_code
from core_rooms import read_rooms
from tree import parts, spoil

TABLE = "core/README.md"
MOST_README = 8  # lines


def rooms_of(tree):
    return read_rooms(tree.text(TABLE)) if tree.exists(TABLE) else {}


def judge_table(rooms):
    """A room may include only those above it in the table."""
    above = set()
    for room, may in rooms.items():
        above.add(room)
        if may - above:
            yield TABLE, f"{room} may include {', '.join(sorted(may - above))}, which are not above it"


def judge_readme(tree, room, may):
    """A short page that agrees with the table."""
    name = f"core/{room}/README.md"
    text = tree.text(name) if tree.exists(name) else ""
    said = re.search(r"^May include: (.*)\.$", text, re.M)
    names = set(re.findall(r"[\w/]+", said.group(1))) - {"no", "other", "room"} if said else None
    if not text or len(text.splitlines()) > MOST_README:
        yield name, f"expected 1 to {MOST_README} lines, got {len(text.splitlines())}"
    elif names != may - {room}:
        yield name, f'"May include:" does not name the rooms of {TABLE}'


# Any way to write #include, and the one way that a file of core has.
ANY_INCLUDE = re.compile(r"^[ \t]*(?:#|%:)(?:[ \t]|/\*.*?\*/|\\\n)*(?:include|import)[^\n]*", re.M | re.S)
PLAIN_INCLUDE = re.compile(r"""#include (?:"[^"]+"|<[^>]+>)(?:\s*/[/*].*)?""", re.S)


def judge_includes(tree, name, may):
    for found in ANY_INCLUDE.finditer(tree.text(name)):
        if not PLAIN_INCLUDE.fullmatch(found.group(0)):
            yield name, f'has {found.group(0)!r}, expected #include "room/file.h" or #include <file.h>'
    for kind, included in tree.includes(name):
        tree.look()
        path = parts(included)
        if kind == "<" or path[0] == "scree" or included == "build_config.h":
            outside = kind == "<" and (tree.exists("core/" + included) or tree.exists(included)) or ".." in path
            if outside:
                yield name, f'includes <{included}>, expected "{included}"'
        elif len(path) < 2 or not tree.exists("core/" + included):
            yield name, f'includes "{included}", expected "room/file.h" of a room of core'
        elif "/".join(path[:-1]) not in may:
            yield name, f'includes "{included}", may include {", ".join(sorted(may))}'


@spoil("core/base/*.c", r'^#include "', '#include "engine/sim.h"\n#include "')
@spoil("core/tools/check/*.c", r'^#include "', '#include "tools/compare/compare.h"\n#include "')
@spoil("core/base/*.c", r'^#include "', '#define SIM "engine/sim.h"\n#include SIM\n#include "')
@spoil("core/base/*.c", r'^#include "', '#/**/include "engine/sim.h"\n#include "')
@spoil("core/base/*.c", r'^#include "', '#include_next "engine/sim.h"\n#include "')
@spoil("core/base/*.c", r'^#include "', '#include <core/engine/sim.h>\n#include "')
@spoil("core/engine/*.c", r'^#include "engine/', '#include "')
@spoil("core/engine/*.c", r'^#include "[^\n]*\n', '#include "plugins/force/linear.c"\n')
@spoil("core/README.md", r"(\| base config) \|$", r"\1 cli |")
@spoil("core/plugin/README.md", r"^May include: [^\n]*\n", "")
def rule_rooms(tree):
    """A file of core includes its own room and those that core/README.md allows it, as "room/file.h"."""
    rooms = rooms_of(tree)
    yield from judge_table(rooms)
    for room, may in rooms.items():
        yield from judge_readme(tree, room, may)
    for name in tree.sources(".c", ".h", ".inc"):
        path = parts(name)
        if path[0] != "core" or not rooms:
            continue
        room = "/".join(path[1:-1])
        if room not in rooms:
            yield name, f"is in no room of {TABLE}"
        else:
            yield from judge_includes(tree, name, rooms[room])


PRINTS = re.compile(r"\b(?:v?printf|puts|putchar|perror|g_print|g_printerr)\s*\(|\bstd(?:err|out)\b")
# escape.c replaces the streams, child.c empties them before a fork.
MAY_PRINT = {"core/base/say.c", "core/base/escape.c", "core/base/child.c"}


@spoil("core/engine/step.c", r"^bool scree_sim_step\([^{]*\{\n", '\\g<0>    fprintf(stderr, "step\\\\n");\n')
@spoil("core/run/loop.c", r"^bool scree_run_go\([^{]*\{\n", '\\g<0>    puts("step");\n')
def rule_prints(tree):
    """No room up to `run` prints: it says a line (base/say.h), and the program shows it."""
    for name in tree.sources(".c", ".h"):
        path = parts(name)
        if path[0] != "core" or path[1] in ("cli", "tools") or name in MAY_PRINT or len(path) < 3:
            continue
        tree.look()
        found = PRINTS.search(c_code.blank(tree.text(name)))
        if found:
            yield name, f"has {found.group(0)!r}, expected scree_say(), or a FILE * that the caller gives"


NOISE = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|G_DEFINE_\w+\([^)]*\)", re.S | re.M)
BRACES = re.compile(r"\{[^{}]*\}")
# At the margin of a .c, for the functions of other files.
PROTOTYPE = re.compile(r"^(?!static\b|typedef\b|return\b)\w[\w \*]*?\b(\w+) ?\([^;{}]*\);", re.M)
INLINE = re.compile(r"\)\s*@")  # the body of a function, where a statement ends without ";"


def declared(text):
    """Names of the functions that a header declares and does not define."""
    text = re.sub(r"__attribute__\(\(.*?\)\)\)?", "", NOISE.sub("", text))
    while BRACES.search(text):
        text = BRACES.sub("@", text)
    for statement in INLINE.sub(");static ", text).split(";"):
        name = re.search(r"[\s*](\w+)\(", statement)
        if name and not re.match(r"\s*(?:static|typedef)\b", statement):
            yield name.group(1)


@spoil("core/base/pool.h", r"^scree_pool \*scree_pool_new\(", "void scree_pool_lost(void);\n\\g<0>")
@spoil("core/base/pool.h", r"^scree_pool \*scree_pool_new\(", "extern void scree_pool_lost(void);\n\\g<0>")
@spoil("core/base/pool.c", r"^scree_pool \*scree_pool_new\(", "scree_pool *scree_pool_made(")
@spoil("core/base/pool.c", r"^scree_pool \*scree_pool_new\(", "void scree_sim_free(void *sim);\n\n\\g<0>")
def rule_header(tree):
    """A header of core declares functions that the .c of its name defines, and no others; a .c declares none itself."""
    rooms = rooms_of(tree)
    for name in tree.sources(".c"):
        if parts(name)[0] == "core" and rooms:
            for found in PROTOTYPE.finditer(c_code.blank(tree.text(name))):
                yield name, f"declares {found.group(1)}, expected the header that does"
    for name in tree.sources(".h"):
        if parts(name)[0] != "core" or not rooms:
            continue
        source = name[:-2] + ".c"
        text = tree.text(source) if tree.exists(source) else ""
        for function in declared(tree.text(name)):
            tree.look()
            if not re.search(rf"^(?![ \t#/*])[^;{{}}]*?\b{function}\([^;{{}}]*\)\n\{{", text, re.M):
                yield name, f"declares {function}, which {source} does not define"
