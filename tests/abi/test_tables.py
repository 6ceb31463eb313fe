# SPDX-License-Identifier: Apache-2.0
"""The tables and limits in the words of the ABI headers.

usage: test_tables.py CORE HEADER...
"""
import pathlib
import re
import sys

import tap

CORE = "".join(p.read_text() for p in sorted(pathlib.Path(sys.argv[1]).rglob("*.[ch]")))
HEADERS = {pathlib.Path(h).name: pathlib.Path(h).read_text() for h in sys.argv[2:]}

# Structs that never grow, and may be members by value.
FIXED = {"scree_ints", "scree_reals", "scree_strings", "scree_pair"}


def rows_of(text, prefix):
    """The lines of comments that begin with a word of this prefix: cells are two blanks apart."""
    return [re.split(r"\s{2,}", line.strip(" *").rstrip())
            for line in text.splitlines() if re.match(rf" \*\s+{prefix}\w+\s{{2,}}", line)]


def codes_of(text, prefix):
    return re.findall(rf"^#define ({prefix}\w+) \d+u$", text, flags=re.M)


def check_table(text, prefix, cells):
    codes, rows = codes_of(text, prefix), rows_of(text, prefix)
    tap.check(f"there are codes {prefix}*", len(codes) > 3, codes)
    for code in codes:
        mine = [row for row in rows if row[0] == code]
        tap.check(f"{code} has one row of {cells} cells",
                  len(mine) == 1 and len(mine[0]) == cells and all(mine[0]), mine)
    others = [row[0] for row in rows if row[0] not in codes]
    tap.check(f"the table of {prefix}* has no other row", not others, others)


def check_columns(text, prefix):
    """clang-format joins and breaks rows; the columns of a table begin at the same places."""
    lines = [line for line in text.splitlines() if re.match(rf" \*\s+{prefix}\w+\s{{2,}}", line)]
    starts = {tuple(m.end() for m in re.finditer(r"\s{2,}", line)) for line in lines}
    tap.check(f"the columns of {prefix}* are straight", len(starts) == 1, starts)


# Limits in sentences: header, what it says, the file of the host, what that holds.
SAID = (
    ("abi.h", r"up to 65536 bytes", "tools/judge/struct_check.c", r"MOST_BYTES 65536u"),
    ("abi.h", r"at most 256\.", "cli/run_options.c", r"MOST_THREADS = 256\b"),
    ("abi.h", r"at most 256\.", "tools/compare/cmd_compare.c", r"MOST_THREADS = 256\b"),
    ("integrator.h", r"at most 64 stages", "engine/step.c", r"MOST_STAGES = 64\b"),
    ("gcd.h", r"after 10\^6 refusals", "engine/search.c", r"MOST_REFUSED_PAIRS = 1000000\b"),
    ("host.h", r"the first 1000 bytes", "base/escape.h", r"SCREE_PLAIN_MOST 1000\b"),
    ("modifier.h", r"at most 10\^7 bodies in a step", "engine/edits.c", r"MOST_INSERTS = 10000000\b"),
    ("modifier.h", r"fewer than 2\^31 bodies", "engine/world.c", r"w->n == UINT32_MAX / 2"),
)


def check_sentences():
    for header, words, file, code in SAID:
        text = re.sub(r"\s+\*?\s*", " ", HEADERS[header])
        tap.check(f"{header} says what {file} holds: {words}", re.search(words, text)
                  and re.search(code, (pathlib.Path(sys.argv[1]) / file).read_text()))


def check_limits():
    limits = {m[1]: m[2] for text in HEADERS.values()
              for m in re.finditer(r"^#define (SCREE_MAX_\w+) (\d+|\(1u << \d+\))", text, flags=re.M)}
    tap.check("there are limits", len(limits) >= 12, limits)
    for name, number in limits.items():
        tap.check(f"the host holds {name} = {number}", re.search(rf"\b{name}\b", CORE))
        tap.check(f"the host has no number of its own for {name}",
                  not re.search(rf"(#define\s+{name}\b|\b{name}\s*=\s*\d)", CORE))


def check_members():
    for name, text in HEADERS.items():
        code = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        for struct, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", code, flags=re.S):
            inside = [m for m in re.findall(r"^\s*(?:const )?(scree_\w+) \w+;", body, flags=re.M)
                      if m not in FIXED and not m.endswith("_fn")]
            tap.check(f"{struct} of {name} embeds nothing that may grow", not inside, inside)


def check_defines():
    """A comment behind a define that clang-format has broken into two lines."""
    broken = [(name, line) for name, text in HEADERS.items() for line in text.splitlines()
              if re.match(r"\s+<<", line) or re.match(r"\s+\(1u\s*\\$", line)]
    tap.check("no define is broken within its number", not broken, broken)


def check_names():
    """The names that a descriptor may require, and the structs that a plugin declares."""
    manifest = (pathlib.Path(sys.argv[1]) / "tools/judge/manifest.c").read_text()
    has = re.search(r" names\[\] = \{(.*?)\};", manifest, flags=re.S)[1]
    drafts = [path.read_text() for path in (pathlib.Path(sys.argv[1]).parent / "abi/scree/draft").glob("*.h")]
    named = {m for text in [*HEADERS.values(), *drafts]
             for m in re.findall(r'^#define (SCREE_(?:EXTENSION|SERVICE|DRAFT)_\w+) "', text, flags=re.M)}
    found = set(re.findall(r"SCREE_\w+", has))
    tap.check("the host lists each extension and service that a plugin may require", len(named) > 10 and named == found, named ^ found)
    declared = set(re.findall(r"SCREE_KNOWN\((scree_\w+),|\b(?:EXTENSION|DRAFT)\(\w+, \w+, (scree_\w+),", CORE))
    declared = {one or other for one, other in declared}
    longer = pathlib.Path(sys.argv[1]).parent / "tests/faults/newer.c"
    tried = set(re.findall(r"\bis_(scree_\w+)", longer.read_text().split("};")[0]))
    tap.check("a file with a byte behind it tries each struct that the host checks", len(declared) > 15 and declared == tried,
              declared ^ tried)


def run():
    check_table(HEADERS["params.h"], "SCREE_TYPE_", 3)
    check_columns(HEADERS["params.h"], "SCREE_TYPE_")
    check_limits()
    check_names()
    check_sentences()
    check_members()
    check_defines()


tap.finish(run)
