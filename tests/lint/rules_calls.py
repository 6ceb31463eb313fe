# SPDX-License-Identifier: Apache-2.0
"""Rules about calls into plugins."""
import functools
import pathlib
import re

from tree import functions, parts, spoil

ABI = pathlib.Path(__file__).resolve().parents[2] / "abi/scree"
CALL_BEGIN = r"scree_call_begin(?:_\w+)?\("
CALL_END = r"scree_call_(?:end|answer|done)\("


@functools.lru_cache(maxsize=None)
def plugin_functions():
    """Names of the members of vtables and extensions that a plugin implements."""
    names = {"get_extension"}
    for path in sorted(ABI.glob("*.h")):
        text = path.read_text(encoding="utf-8")
        names |= set(re.findall(r"\(\*(\w+)\)\s*\(void \*instance\b", text)) | \
            set(re.findall(r"\(\*(\w+)\)\s*\(const scree_host \*host\b", text))
    return names


@spoil("core/engine/*.c", rf"{CALL_BEGIN}(?=[^}}]*?ops->)", "begin_nothing(")
def rule_call_pair(tree):
    """The core calls into a plugin between scree_call_begin and scree_call_end only (core/plugin/call.h)."""
    names = "|".join(sorted(plugin_functions()))
    # A member of a vtable, or any function that gets an instance's own data.
    call = re.compile(rf"ops\)?->(?:{names})\(|->get_extension\(|"
                      r"\b(?!scree_)\w+\(\w+(?:(?:->|\.)\w+)*->self\b")
    mark = re.compile(f"({CALL_BEGIN})|({CALL_END})")
    for name in tree.sources(".c", ".h"):
        if parts(name)[0] != "core":
            continue
        for first, body in functions(tree.text(name)):
            body = re.sub(r"//[^\n]*|\"[^\"\n]*\"", lambda m: " " * len(m.group(0)), body)
            for found in call.finditer(body):
                tree.look()
                before = [m for m in mark.finditer(body) if m.end() <= found.start()]
                after = [m for m in mark.finditer(body) if m.start() >= found.end()]
                statement = body[max(body.rfind(c, 0, found.start()) for c in ";{}") + 1:found.start()]
                paired = before and before[-1].group(1) and after and after[0].group(2)
                if not paired and not re.search(r"SCREE_CHECK_(CALL|ANSWER)\(", statement):
                    line = first + body.count("\n", 0, found.start())
                    yield name, f"line {line}: {found.group(0)}...) without the pair"
