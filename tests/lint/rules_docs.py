# SPDX-License-Identifier: Apache-2.0
"""Rules about what the documentation holds."""
import re

from tree import fixture, parts, spoil

PAGES = ("*.md", "abi/*.md", "configs/*.md", "configs/*/*.md", "contrib/*.md", "core/*.md", "core/*/*.md", "docs/*.md",
         "docs/*/*.md", "plugins/*.md", "tests/*.md", "tests/bench/*.md.in")


@spoil("docs/reference/plugins.md", r"^### (\w+/\w+)$", r"## \1")
@spoil("plugins/*/meson.build", r"^sources = \{$", "units = {")
def rule_documented(tree):
    """Every plugin in the table of its kind has a section kind/id in docs/reference/plugins.md."""
    page = "docs/reference/plugins.md"
    sections = set(re.findall(r"^### (\S+)$", tree.text(page), re.M)) if tree.exists(page) else set()
    for name in tree.glob("plugins/*/meson.build"):
        table = re.search(r"^sources = \{\n(.*?)^\}", tree.text(name), re.M | re.S)
        ids = re.findall(r"^  '(\w+)':", table.group(1), re.M) if table else []
        tree.look(len(ids))
        if not ids:
            yield name, "has no table of sources with ids"
        for plugin in (f"{parts(name)[1]}/{word}" for word in ids):
            if plugin not in sections:
                yield name, f"{plugin} has no section in docs/reference/plugins.md"


def cells(line):
    """Number of cells of a row; a bar in code or behind a backslash parts none."""
    return re.sub(r"`[^`]*`|\\\|", "", line).strip().strip("|").count("|") + 1


@spoil("docs/reference/scene.md", r"^(\| `guard\.every` )", r"\n\1")
@spoil("docs/howto/from-lammps.md", r"^(\| `boundary p`)", r"\1 | one more")
@spoil("README.md", r"^\| --- ", "| -- - ")
def rule_tables(tree):
    """Tables of pages are whole: a head, a line below it, then rows of as many cells, with no empty line between."""
    for name in (name for pattern in PAGES for name in tree.glob(pattern)):
        lines = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), tree.text(name), flags=re.S | re.M).splitlines()
        for at, line in enumerate(lines):
            if not re.match(r"\| ", line):
                continue
            tree.look()
            if at and lines[at - 1].startswith("| "):
                width = cells(lines[at - 1])
            else:
                below = lines[at + 1] if at + 1 < len(lines) else ""
                width = cells(line) if re.fullmatch(r"\|( :?-+:? \|)+", below) else 0
            if width != cells(line):
                yield name, f"line {at + 1}: expected {width or 'a head above it'}{' cells' if width else ''}, got {line[:60]}"


@fixture("core/tools/check/check_gcd.c", "/* SPDX-License-Identifier: Apache-2.0 */\n/* A case that no page has. */\n"
         "static const scree_check_case cases[] = {\n    {\"once\", 0},\n};\n")
@spoil("docs/howto/check-a-plugin.md", r"^\| `state` \|[^\n]*\n", "")
@spoil("core/tools/check/check_gcd.c", r'^    \{"once",', '    {"twice",')
def rule_cases(tree):
    """docs/howto/check-a-plugin.md has a row for each case of `scree check`, below the heading of its kind, and no other."""
    page = "docs/howto/check-a-plugin.md"
    heads = {"static": "Every file", "all": "Every plugin"}
    for name in tree.glob("core/tools/check/check_*.c"):
        table = re.search(r"scree_check_case \w+\[\] = \{\n(.*?)^\};", tree.text(name), re.M | re.S)
        if not table:
            continue
        word = re.search(r"check_(\w+)\.c$", name)[1]
        cases = set(re.findall(r'^    \{"([\w-]+)"', table[1], re.M))
        tree.look(len(cases))
        head = heads.get(word, word)
        below = re.search(rf"^### {head}\n(.*?)(?=^##|\Z)", tree.text(page), re.M | re.S) if tree.exists(page) else None
        rows = set(re.findall(r"^\| `([\w-]+)`", below[1], re.M)) - {"loads"} if below else set()
        if rows != cases:
            yield page, f"expected below {head} the cases {', '.join(sorted(cases))}; differs: {', '.join(sorted(rows ^ cases))}"
