# SPDX-License-Identifier: Apache-2.0
"""What the sources must keep to, rule by rule.

usage: lint.py ROOT FIXTURES [CLANG-FORMAT]

Each rule runs over the tree at ROOT, and over FIXTURES/<rule>, a small tree that must fail it and no
other one. Files that a rule lets pass for now are lines "rule path" in ROOT/tests/lint/exceptions; lines
that are no longer needed are named.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

FOLDERS = ("abi", "core", "plugins", "tests", "contrib")
MOST_LINES = 700
C_HEADERS = {"assert", "ctype", "errno", "fcntl", "fenv", "float", "inttypes", "limits", "math",
             "stdalign", "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string",
             "time", "unistd", "xmmintrin", "immintrin", "emmintrin"}
PLUGIN_LIBRARIES = {"cairo", "hdf5"}  # of plugins that are built only where the library is
ABI_HEADERS = {"math.h", "stdarg.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def sources(root, *suffixes):
    """Files of ours below ROOT with one of the suffixes, in order."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root).parts
            if path.is_file() and path.suffix in suffixes and "fixtures" not in inside \
                    and "corpus" not in inside and "__pycache__" not in inside:
                yield path


def name_of(root, path):
    return str(path.relative_to(root))


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def rule_spdx(root):
    """The first line is the licence: MIT in abi/ and contrib/template/, Apache-2.0 elsewhere."""
    for path in list(sources(root, ".c", ".h", ".inc", ".cpp", ".py")) + \
            [p for f in FOLDERS for p in sorted((root / f).rglob("meson.build"))]:
        lines = path.read_text(encoding="utf-8").splitlines()
        first = lines[1] if lines and lines[0].startswith("#!") else (lines or [""])[0]
        inside = path.relative_to(root).parts
        licence = "MIT" if inside[0] == "abi" or inside[:2] == ("contrib", "template") else "Apache-2.0"
        if not re.fullmatch(r"(//|#|/\*) SPDX-License-Identifier: " + re.escape(licence) + r"( \*/)?",
                            first):
            yield name_of(root, path), f"starts with {first!r}, not the SPDX line of {licence}"


def rule_purpose(root):
    """The comment after the licence says in a sentence what the file is for."""
    for path in sources(root, ".c", ".h"):
        text = path.read_text(encoding="utf-8").split("\n", 1)[-1].lstrip()
        block = re.match(r"/\*(.*?)\*/", text, re.S)
        lines = re.match(r"(?://[^\n]*\n?)+", text)
        said = block.group(1) if block else lines.group(0) if lines else ""
        said = " ".join(re.sub(r"^\s*(?:\*|//)?", "", line) for line in said.splitlines()).strip()
        if not re.match(r".{12,}?[.:;]", said):
            yield name_of(root, path), "no sentence after the licence that says what it is for"


def rule_abi_includes(root):
    """Headers of the ABI include C's own and each other, nothing else."""
    for path in sources(root, ".h"):
        if path.relative_to(root).parts[:2] != ("abi", "scree"):
            continue
        for kind, name in includes(path):
            if kind == "<" and name not in ABI_HEADERS or \
                    kind == '"' and not (path.parent / name).exists() \
                    and pathlib.PurePath(name).name != "digest.h":
                yield name_of(root, path), f"includes {name}"


def rule_plugin_includes(root):
    """Plugins include the ABI, the C library, a few libraries and what lies beside them: no core, no
    GLib."""
    for path in sources(root, ".c", ".h"):
        if path.relative_to(root).parts[0] != "plugins":
            continue
        for kind, name in includes(path):
            own = name.startswith("scree/") or kind == '"' and (path.parent / name).exists()
            system = kind == "<" and re.sub(r"\.h$", "", name) in C_HEADERS | PLUGIN_LIBRARIES
            beside = ".." in pathlib.PurePath(name).parts and \
                (root / "plugins") not in (path.parent / name).resolve().parents
            if not own and not system or beside:
                yield name_of(root, path), f"includes {name}"


def rule_core_includes(root):
    """The core includes itself, the ABI, GLib and system headers: no plugin, no test."""
    for path in sources(root, ".c", ".h"):
        if path.relative_to(root).parts[0] != "core":
            continue
        for kind, name in includes(path):
            own = (root / "core" / name).exists() or name.startswith("scree/") or \
                name == "build_config.h"
            if kind == '"' and not own or ".." in pathlib.PurePath(name).parts:
                yield name_of(root, path), f"includes {name}"


def rule_nothing_includes_plugins(root):
    """Nothing outside plugins/ includes what is in it: they meet at run time."""
    for path in sources(root, ".c", ".h", ".cpp", ".inc"):
        if path.relative_to(root).parts[0] == "plugins":
            continue
        for _, name in includes(path):
            if "plugins/" in name:
                yield name_of(root, path), f"includes {name}"


def functions(text):
    """Bodies of the functions of a C file, each with the number of its first line."""
    for found in re.finditer(r"^\{\n(.*?)^\}", text, re.M | re.S):
        yield text.count("\n", 0, found.start(1)) + 1, found.group(1)


def plugin_functions():
    """Names of the members of vtables and extensions that a plugin implements."""
    names = {"get_extension"}
    for path in sorted((ABI / "scree").glob("*.h")):
        text = path.read_text(encoding="utf-8")
        names |= set(re.findall(r"\(\*(\w+)\)\s*\(void \*instance\b", text)) | \
            set(re.findall(r"\(\*(\w+)\)\s*\(const scree_host \*host\b", text))
    return names


CALL_BEGIN = r"scree_call_begin(?:_\w+)?\("
CALL_END = r"scree_call_(?:end|answer|done)\("


def rule_call_pair(root):
    """The core calls into a plugin between scree_call_begin and scree_call_end only (core/plugin/call.h)."""
    names = "|".join(sorted(plugin_functions()))
    # A member of a vtable, or any function that gets an instance's own data.
    call = re.compile(rf"ops\)?->(?:{names})\(|->get_extension\(|"
                      r"\b(?!scree_)\w+\(\w+(?:(?:->|\.)\w+)*->self\b")
    mark = re.compile(f"({CALL_BEGIN})|({CALL_END})")
    for path in sources(root, ".c", ".h"):
        if path.relative_to(root).parts[0] != "core":
            continue
        for first, body in functions(path.read_text(encoding="utf-8")):
            body = re.sub(r"//[^\n]*|\"[^\"\n]*\"", lambda m: " " * len(m.group(0)), body)
            for found in call.finditer(body):
                before = [m for m in mark.finditer(body) if m.end() <= found.start()]
                after = [m for m in mark.finditer(body) if m.start() >= found.end()]
                statement = body[max(body.rfind(c, 0, found.start()) for c in ";{}") + 1:found.start()]
                paired = before and before[-1].group(1) and after and after[0].group(2)
                if not paired and not re.search(r"SCREE_CHECK_(CALL|ANSWER)\(", statement):
                    line = first + body.count("\n", 0, found.start())
                    yield name_of(root, path), f"line {line}: {found.group(0)}...) without the pair"


def rule_length(root):
    """No file has more than 700 lines."""
    for path in sources(root, ".c", ".h", ".py"):
        n = len(path.read_text(encoding="utf-8").splitlines())
        if n > MOST_LINES:
            yield name_of(root, path), f"{n} lines"


def rule_later(root):
    """Work is done or described, not left as a mark in a comment."""
    word = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
    for path in sources(root, ".c", ".h", ".py"):
        found = word.search(path.read_text(encoding="utf-8"))
        if found:
            yield name_of(root, path), f"has {found.group(0)}"


def rule_documented(root):
    """Every plugin in the table of its kind has a section kind/id in docs/reference/plugins.md."""
    page = root / "docs/reference/plugins.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    sections = set(re.findall(r"^### (\S+)$", text, re.M))
    for path in sorted((root / "plugins").glob("*/meson.build")):
        table = re.search(r"^sources = \{\n(.*?)^\}", path.read_text(encoding="utf-8"), re.M | re.S)
        ids = re.findall(r"^\s*'(\w+)':", table.group(1), re.M) if table else []
        if not ids:
            yield name_of(root, path), "has no table of sources with ids"
        for name in (f"{path.parent.name}/{word}" for word in ids):
            if name not in sections:
                yield name_of(root, path), f"{name} has no section in docs/reference/plugins.md"


def format_rule(program):
    def rule_format(root):
        """clang-format 14 would change nothing."""
        files = {str(path): path for path in sources(root, ".c", ".h")}
        said = subprocess.run([program, "--dry-run", f"--style=file:{STYLE}", *files],
                              capture_output=True, text=True, check=True).stderr
        for name in sorted(set(re.findall(r"^(.+?):\d+:\d+: warning: code should be", said, re.M))):
            yield name_of(root, files[name]), "clang-format would change it"
    return rule_format


def find_format(word):
    """clang-format 14, or None: other versions format otherwise."""
    program = shutil.which(word)
    if not program:
        return None
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return program if re.search(r"version 14\.", version.stdout) else None


RULES = [rule_spdx, rule_purpose, rule_abi_includes, rule_plugin_includes, rule_core_includes,
         rule_nothing_includes_plugins, rule_call_pair, rule_length, rule_later, rule_documented]


def title(rule):
    return rule.__name__[5:]


def check_rule(rule, root, fixtures, excepted):
    found = list(rule(root))
    wrong = [f"{path}: {text}" for path, text in found if (title(rule), path) not in excepted]
    stale = [path for name, path in sorted(excepted) if name == title(rule)
             and path not in {p for p, _ in found}]
    for path in stale:
        print(f"# tests/lint/exceptions: {title(rule)} {path}: no longer needed")
    tap.check(f"{title(rule)}: {rule.__doc__.splitlines()[0]}", not wrong, "\n".join(wrong))
    fixture = fixtures / title(rule)
    tap.check(f"{title(rule)}: its fixture fails", fixture.is_dir() and list(rule(fixture)), fixture)
    others = [f"{title(other)}: {hit}" for other in RULES if other is not rule
              for hit in other(fixture)]
    tap.check(f"{title(rule)}: its fixture fails no other rule", not others, "\n".join(others))


def read_exceptions(path):
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {tuple(line.split(None, 1)) for line in lines if line.strip() and line[0] != "#"}


def run():
    root, fixtures = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    excepted = read_exceptions(root / "tests/lint/exceptions")
    program = find_format(sys.argv[3] if len(sys.argv) > 3 else "clang-format")
    if program:
        RULES.append(format_rule(program))
    for rule in list(RULES):
        check_rule(rule, root, fixtures, excepted)
    if not program:
        tap.skip("format: clang-format 14 would change nothing", "no clang-format 14 here")
    known = {title(rule) for rule in RULES} | {"format"}
    unknown = sorted(name for name, _ in excepted if name not in known)
    tap.check("every exception is of a known rule", not unknown, unknown)


ABI = pathlib.Path(sys.argv[1]).resolve() / "abi" if len(sys.argv) > 1 else None
STYLE = pathlib.Path(sys.argv[1]).resolve() / ".clang-format" if len(sys.argv) > 1 else None

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tap.finish(run)
