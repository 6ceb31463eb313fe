# SPDX-License-Identifier: Apache-2.0
"""Rules about a file as a whole: licence, purpose, length, marks of work left, format."""
import pathlib
import re
import shutil
import subprocess
import tempfile

import tap
from tree import fixture, parts, spoil

MOST_LINES = 700


@spoil("core/**/*.c", r"\A// SPDX-License-Identifier: Apache-2.0", "// SPDX-License-Identifier: MIT")
@spoil("abi/scree/*.h", r"\A[^\n]*\n", "")
def rule_spdx(tree):
    """The first line is the licence: MIT in abi/, contrib/template/ and contrib/template-rust/, Apache-2.0 elsewhere."""
    for name in tree.sources(".c", ".h", ".inc", ".cpp", ".py", "meson.build"):
        tree.look()
        lines = tree.text(name).splitlines()
        first = lines[1] if lines and lines[0].startswith("#!") else (lines or [""])[0]
        inside = parts(name)
        licence = "MIT" if inside[0] == "abi" or inside[0] == "contrib" and inside[1].startswith("template") else "Apache-2.0"
        if not re.fullmatch(r"(//|#|/\*) SPDX-License-Identifier: " + re.escape(licence) + r"( \*/)?", first):
            yield name, f"starts with {first!r}, not the SPDX line of {licence}"


@spoil("core/**/*.c", r"\A([^\n]*\n)/\*.*?\*/\n", r"\1")
def rule_purpose(tree):
    """The comment after the licence says in a sentence what the file is for."""
    for name in tree.sources(".c", ".h"):
        tree.look()
        text = tree.text(name).split("\n", 1)[-1].lstrip()
        block = re.match(r"/\*(.*?)\*/", text, re.S)
        lines = re.match(r"(?://[^\n]*\n?)+", text)
        said = block.group(1) if block else lines.group(0) if lines else ""
        said = " ".join(re.sub(r"^\s*(?:\*|//)?", "", line) for line in said.splitlines()).strip()
        if not re.match(r".{12,}?[.:;]", said):
            yield name, "no sentence after the licence that says what it is for"


@spoil("plugins/force/linear.c", r"\n \* Cost {5}", " Cost     ")
def rule_sections(tree):
    """A section of a plugin's first comment (Sources, Idea, Cost, Limits, ..) begins a line."""
    for name in tree.sources(".c"):
        if parts(name)[0] not in ("plugins", "contrib"):
            continue
        tree.look()
        head = tree.text(name).split("#include", 1)[0]
        for found in re.finditer(r"^ \* .*\S ([A-Z][a-z]+) {2,}\S", head, re.M):
            yield name, f"{found[1]!r} is in the middle of a line"


@spoil("core/**/*.c", r"\Z", "\n" * MOST_LINES)
@fixture("core/long.c", "/* SPDX-License-Identifier: Apache-2.0 */\n/* A file that is too long. */\n" + "int v;\n" * MOST_LINES)
def rule_length(tree):
    """No file has more than 700 lines."""
    for name in tree.sources(".c", ".h", ".py"):
        tree.look()
        n = len(tree.text(name).splitlines())
        if n > MOST_LINES:
            yield name, f"{n} lines"


@spoil("core/**/*.c", r"\Z", "// TO" "DO\n")
def rule_later(tree):
    """Work is done or described, not left as a mark in a comment."""
    word = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
    for name in tree.sources(".c", ".h", ".py"):
        tree.look()
        found = word.search(tree.text(name))
        if found:
            yield name, f"has {found.group(0)}"


def find_format():
    """clang-format 14, or None: other versions format otherwise."""
    program = shutil.which("clang-format")
    if not program:
        return None
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return program if re.search(r"version 14\.", version.stdout) else None


FORMAT = find_format()
STYLE = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"


@spoil("core/**/*.c", r"^    return", "  return")
def rule_format(tree):
    """clang-format 14 would change nothing."""
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for i, (name, text) in enumerate(tree.changed.items()):
            path = pathlib.Path(folder) / str(i) / pathlib.PurePath(name).name
            path.parent.mkdir()
            path.write_text(text, encoding="utf-8")
            files[str(path)] = name
        # In a changed tree, only what is changed can be reported for the first time.
        if not tree.changed:
            files = {str(tree.root / name): name for name in tree.sources(".c", ".h")}
        tree.look(len(files))
        said = subprocess.run([FORMAT, "--dry-run", f"--style=file:{STYLE}", *files], capture_output=True, text=True,
                              check=True).stderr if files else ""
    for path in sorted(set(re.findall(r"^(.+?):\d+:\d+: warning: code should be", said, re.M))):
        yield files[path], "clang-format would change it"


if not FORMAT:
    tap.skip("format: clang-format 14 would change nothing", "no clang-format 14 here")
    del rule_format
