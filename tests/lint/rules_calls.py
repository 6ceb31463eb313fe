# SPDX-License-Identifier: Apache-2.0
"""Rules about calls into plugins."""
import functools
import pathlib
import re

from tree import functions, parts, spoil

ABI = pathlib.Path(__file__).resolve().parents[2] / "abi/scree"
# begin, then `end`; or `done` after a function that returns no code. Each begin names the function and its thread tag.
CALL_BEGIN = r"scree_call_begin(?:_many|_part)?\("
CALL_END = r"scree_call_(?:end|done)\("
OTHERS = "kernels?|e|module"  # gather() of kernels; exercises of core/check, the HDF5 module of core/base: they have a `begin` and a `create` too
PASSED_ON = "core/tools/check/check_calls.c"  # functions in a vtable: the host's pair is around them
CHECKED = r"SCREE_CHECK_(?:CALL|ANSWER)\("  # core/tools/check/check_cases.h: the pair around its last argument


@functools.lru_cache(maxsize=None)
def plugin_functions():
    """Names of the functions in the structs that a plugin fills: those that get the instance, no data of the host, or
    the constant context of a view (the context of a service of the host is not constant)."""
    names = {"get_extension"}
    for path in sorted(ABI.glob("**/*.h")):
        text = path.read_text(encoding="utf-8")
        names |= set(re.findall(r"\(\*(\w+)\)\s*\((?:void \*instance|const scree_host \*host|"
                                r"const void \*config|const void \*ctx)\b", text))
    return names


def call_pattern():
    """A function of a vtable or extension, or any function that gets an instance's own data."""
    names = "|".join(sorted(plugin_functions()))
    return re.compile(rf"\(\s*\*[\w.>-]*\bops(?:->|\.)(?:{names})\)\s*\(|(?:ops\)?|\b(?!(?:{OTHERS})\b)\w+)->(?:{names})\(|\bloop->fn\(|"
                      r"\b(?!scree_)\w+\(\(*\w+(?:(?:->|\.)\w+)*(?:->|\.)self\b")


def kept_pattern():
    """A function of a vtable that a variable keeps: a call through the variable does not show whose it is."""
    names = "|".join(sorted(plugin_functions()))
    return re.compile(rf"=\s*&?[\w.>-]*\bops(?:->|\.)(?:{names})\b(?!\s*\()")


def is_paired(body, found):
    """Whether the nearest mark before the call is a begin, and the nearest after it an end."""
    mark = re.compile(f"({CALL_BEGIN})|({CALL_END})")
    before = [m for m in mark.finditer(body) if m.end() <= found.start()]
    after = [m for m in mark.finditer(body) if m.start() >= found.end()]
    statement = body[max(body.rfind(c, 0, found.start()) for c in ";{}") + 1:found.start()]
    return before and before[-1].group(1) and after and after[0].group(2) or re.search(CHECKED, statement)


@spoil("core/engine/*.c", rf"{CALL_BEGIN}(?=[^}}]*?ops->)", "begin_nothing(")
@spoil("core/engine/*.c", rf"(?<=self, &entry\);)(.*?){CALL_END}", r"\1end_nothing(")
@spoil("core/plugin/call.c", r"scree_call_done\(&call\);(?=\s*return limit)", "")
@spoil("core/engine/*.c", rf"^( +){CALL_BEGIN}", r"\1fn = slot->ops->step_init;\n\g<0>")
@spoil("core/tools/check/*.c", rf"SCREE_CHECK_CALL\((?=[^;]*ops->)", "check_nothing(")
@spoil("core/engine/*.c", rf"(scree_call call = {CALL_BEGIN}[^;]*;)", r"\1\n    if (!n)\n        return true;")
@spoil("core/shape/*.c", rf"{CALL_BEGIN}(?=[^;]*\"farthest\")", "begin_nothing(")
@spoil("core/tools/check/*.c", rf"(implicit->value\([^;]*;\s*){CALL_END}", r"\1end_nothing(")
def rule_call_pair(tree):
    """The core calls into a plugin between scree_call_begin and scree_call_end only (core/plugin/call.h)."""
    call, kept = call_pattern(), kept_pattern()
    for name in tree.sources(".c", ".h"):
        if parts(name)[0] != "core" or name == PASSED_ON:
            continue
        for first, body in functions(tree.text(name)):
            body = re.sub(r"//[^\n]*|\"[^\"\n]*\"", lambda m: " " * len(m.group(0)), body)
            for found in call.finditer(body):
                tree.look()
                if not is_paired(body, found):
                    line = first + body.count("\n", 0, found.start())
                    yield name, f"line {line}: {found.group(0)}...) without the pair"
            for found in re.finditer(rf"{CALL_BEGIN}(?:(?!{CALL_BEGIN}|{CALL_END}).)*?\breturn\b(?!\s+scree_call_)(?=.*{CALL_END})", body, re.S):
                yield name, f"line {first + body.count(chr(10), 0, found.end())}: returns between begin and end"
            for found in kept.finditer(body):
                line = first + body.count("\n", 0, found.start())
                yield name, f"line {line}: {found.group(0)}: a variable keeps a function of a plugin"


# Calls of which no instance of a run is the owner.
OF_NO_SLOT = {"get_extension", "with", "limit"}


@spoil("core/tools/again/repeat_call.c", r"step_init find_neighbors", "step_init")
@spoil("core/engine/laws.c", rf'({CALL_BEGIN}[^;]*)"compute"', r'\1"comput"')
def rule_call_name(tree):
    """`scree run --break` takes each call that the host makes: its name is in the table of core/tools/again/repeat_call.c."""
    if not tree.exists("core/tools/again/repeat_call.c"):
        return
    table = set(re.findall(r"\w+", " ".join(re.findall(r'"([a-z_ ]+)"', tree.text("core/tools/again/repeat_call.c")))))
    for name in tree.sources(".c", ".h"):
        if parts(name)[0] != "core" or parts(name)[1] == "check":
            continue
        text = tree.text(name)
        for found in re.finditer(rf'{CALL_BEGIN}[^;]*?"(\w+)"', text):
            tree.look()
            if found.group(1) not in table | OF_NO_SLOT:
                yield name, f"line {text.count(chr(10), 0, found.start()) + 1}: no kind has a call {found.group(1)}"
