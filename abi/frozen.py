#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gate of the ABI: compares headers with their frozen copies, and names each change that is not an addition.

usage: frozen.py FROZEN_HEADER... -- HEADER...

Allowed: a member at the tail of a struct that begins with its size, a new struct, a new constant with a value that no
other of its family has, a limit SCREE_MAX_* that is raised, SCREE_ABI_MINOR, names of arguments, comments.
"""
import re
import sys

import read

MACRO = re.compile(r"^#define (SCREE_\w+\([^)]*\)|SCREE_\w+(?= __attribute__)) +(.+)$", re.M)
FAMILY = re.compile(r"SCREE_(?!MAX_|ABI_)[A-Z]+_")


def text_of(kind):
    """A type as text; the names of arguments do not count."""
    if isinstance(kind, read.Function):
        return f"{text_of(kind.returns)} (*)({', '.join(text_of(one) for _, one in kind.arguments)})"
    return " ".join(kind.c("").split())


def macros_of(headers):
    """{name with arguments: texts} of macros, each of which may have a text for each compiler."""
    found = {}
    for path in headers:
        with open(path, encoding="utf-8") as file:
            for name, text in MACRO.findall(read.uncommented(file.read())):
                found.setdefault(name, []).append(" ".join(text.split()))
    return found


def compare_struct(name, old, new):
    old, new = ([f"{text_of(kind)} {member}" for member, kind in members] for members in (old, new))
    for k, member in enumerate(old):
        if k >= len(new) or new[k] != member:
            yield f"{name}: member {k} was '{member}', is '{new[k] if k < len(new) else 'gone'}'"
            return
    if len(new) > len(old) and old[0] != "uint32_t size":
        yield f"{name} has no size, and grows by '{new[len(old)]}'"


def compare_constants(old, new):
    for name, value in old.items():
        now = new.get(name)
        raised = name.startswith("SCREE_MAX_") and now is not None and now >= value
        if now != value and not raised and name != "SCREE_ABI_MINOR":
            yield f"{name} was {value!r}, is {'gone' if now is None else repr(now)}"
    for name in new.keys() - old.keys():
        family = FAMILY.match(name)
        same = [other for other, value in old.items() if family and other.startswith(family[0]) and value == new[name]]
        if same:
            yield f"{name} has the value of {same[0]}"


def breaks(frozen, headers):
    """Yields a line for each change that breaks a plugin or a host of the frozen headers."""
    old, new = read.read(frozen), read.read(headers)
    for name, members in old.structs.items():
        if name in new.structs:
            yield from compare_struct(name, members, new.structs[name])
        else:
            yield f"struct {name} is gone"
    for name, kind in old.functions.items():
        now = new.functions.get(name)
        if not now or text_of(now) != text_of(kind):
            yield f"{name} was '{text_of(kind)}', is '{text_of(now) if now else 'gone'}'"
    yield from compare_constants(old.constants, new.constants)
    now = macros_of(headers)
    for name, text in macros_of(frozen).items():
        if now.get(name) != text:
            yield f"macro {name} was {text}, is {now.get(name, 'gone')}"


if __name__ == "__main__":
    at = sys.argv.index("--")
    found = list(breaks(sys.argv[1:at], sys.argv[at + 1:]))
    print("\n".join(found) or "no break")
    sys.exit(1 if found else 0)
