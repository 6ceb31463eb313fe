# SPDX-License-Identifier: Apache-2.0
"""Rules about what comments and pages refer to."""
import re

import words
from tree import spoil

FOLDERS = "abi|core|plugins|tests|docs|configs|contrib"
# Files of the tree by path, and C files by name. Not: parts of an address, of another path, of an expression.
NAMED = re.compile(rf"(?<![\w/.~<$}}-])((?:{FOLDERS})/[\w/.-]*\.(?:c|h|py|md|cfg|svg|png|1|build)|[a-z]\w*\.[ch])"
                   r"(?![\w/-])(?!\.\w)(?!\()")
# Papers and plans that are not in the tree.
ABSENT = re.compile(r"\bNOTES\b|(?<![\w/])(?:papers|anchors)/|\([Dd]esign\b|"
                    r"\b[Dd]esign(?:,| page| section) (?:section )?S?\d|\bdesign\.md|\bstyle\.md|(?<!LAMMPS )\bissue #?\d{1,3}\b")
IDENTIFIER = re.compile(r"\bscree_\w+\b")
ELSEWHERE = {"math.h", "stdint.h", "stddef.h", "stdio.h", "string.h", "stdlib.h", "gmem.c"}  # of libraries
MADE = {"digest.h", "build_config.h"}  # by the build


def passages(tree, name):
    """(line, text) of comments and prose."""
    content = tree.text(name)
    if name.endswith((".md", ".1")):
        yield from enumerate(content.split("\n"), 1)
        return
    for text in words.texts(words.reader_of(name), content.replace("`", "")):
        if text.kind == "comment":
            yield text.line(0), text.words


@spoil("core/**/*.c", r"^/\*\n \* ", "/*\n * After papers/pfc.txt. ")
@spoil("docs/explanation/*.md", r"core/engine/\w+\.c", "core/engine/gone.c")
@spoil("docs/explanation/*.md", r"`scree_\w+`", "`scree_gone`")
@spoil("core/**/*.c", r"\b\w+\.c\b(?=[^\n/]*\*/)", "gone.c")
def rule_cites(tree):
    """Comments and pages name only files that the tree holds, and cite no page that it does not hold."""
    identifiers = {word for path in tree.sources(".c", ".h") for word in IDENTIFIER.findall(tree.text(path))}
    known = {path.split("/")[-1] for path in tree.sources(".c", ".h")}
    for name in words.files(tree):
        if name == "CHANGELOG.md" or name.startswith("tests/lint/"):
            continue
        for line, text in passages(tree, name):
            tree.look()
            for word in IDENTIFIER.findall(text) if name.startswith("docs/explanation/") else ():
                if word not in identifiers:
                    yield name, f"line {line}: the sources have no {word}"
            for found in ABSENT.finditer(text):
                yield name, f"line {line}: {found.group(0)!r} is not in the tree"
            for found in NAMED.finditer(text):
                path = found.group(1)
                if re.search("[A-Z]{2}", path):  # a stand-in, check_KIND.c
                    continue
                there = tree.exists(path) if "/" in path else path in known | ELSEWHERE
                if not there and path.split("/")[-1] not in MADE:
                    yield name, f"line {line}: there is no file {path}"


TARGET = re.compile(r"\(asked [\d.]|falls? short (?:of the target|by [\d.]+ %)|, met\)|\| (?:not )?met \||\| targets? (?:[\d.]+ )?\| *(?:measured|differences|\|)"
                    r"|\b(?:our|internal) targets?\b")


@spoil("docs/explanation/*.md", r"\| 1\.", "| falls short by 13 % | 1.")
@spoil("tests/bench/*.md.in", r"\A# ", "# Asked, our target: ")
def rule_targets(tree):
    """No page compares results with internal targets: it compares them with peers and limits."""
    pages = tree.glob("*.md") + tree.glob("docs/**/*.md") + tree.glob("configs/**/*.md") + tree.glob("tests/**/*.md*")
    for name in sorted(set(pages) - {"CHANGELOG.md"}):
        tree.look()
        for line, text in enumerate(tree.text(name).split("\n"), 1):
            found = TARGET.search(text)
            if found and "fixtures" not in name:
                yield name, f"line {line}: {found.group(0)!r}"
