# SPDX-License-Identifier: Apache-2.0
"""The tree that the lint rules judge, and how a rule is written.

A rule is a function `rule_<name>(tree)` in a file rules_*.py of this folder. It yields (file, what
is wrong), calls `tree.look()` for each thing that it judges, and reads files only with the methods
of `tree`. The first line of its docstring is its claim. Above it there is at least one

    @spoil("core/*/*.c", r"pattern", "replacement")

a small change of the real tree after which the rule must report something that it does not report
before. The change is made in memory, at the first match of the pattern (flags re.S | re.M) in the
files of the glob. fixtures/<name>/ is a small tree that fails the rule and no other one; a fixture that
would be long is made in memory, too: @fixture("core/long.c", text).
"""
import functools
import pathlib
import re

FOLDERS = ("abi", "core", "plugins", "tests", "contrib")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def spoil(glob, pattern, replacement):
    """Says which change of the real tree a rule must notice; `replacement` as in re.sub."""
    def add(rule):
        rule.spoils = [(glob, pattern, replacement)] + getattr(rule, "spoils", [])
        return rule
    return add


def fixture(name, text):
    """The fixture of a rule is a tree of this one file, which is made in memory."""
    def add(rule):
        rule.fixture = {name: text}
        return rule
    return add


@functools.lru_cache(maxsize=None)
def _read(path):
    return path.read_text(encoding="utf-8")


@functools.lru_cache(maxsize=None)
def _below(folder):
    return tuple(sorted(p for p in folder.rglob("*") if p.is_file())) if folder.is_dir() else ()


class Tree:
    """Files below `root`; names are relative to it. `changed` (name -> text) overlays what is on the disk."""

    def __init__(self, root, changed=None, only=None):
        self.root = pathlib.Path(root)
        self.changed = changed or {}
        self.only = only  # if given: the names that sources() and glob() may yield
        self.looked = 0
        self.note = ""  # what the running rule reports besides

    def look(self, n=1):
        """Counts `n` things that the running rule judges: a rule that judges none has lost its subject."""
        self.looked += n

    def text(self, name):
        return self.changed[name] if name in self.changed else _read(self.root / name)

    def exists(self, name):
        return name in self.changed or (self.root / name).is_file()

    def glob(self, pattern):
        """Names that match a glob, in order."""
        names = {p.relative_to(self.root).as_posix() for p in self.root.glob(pattern) if p.is_file()}
        names |= {n for n in self.changed if pathlib.PurePath(n).match(pattern)}
        return sorted(names if self.only is None else names & self.only)

    def sources(self, *suffixes):
        """Names of our files in FOLDERS with one of the suffixes (".c") or file names ("meson.build"), in order."""
        for folder in FOLDERS:
            names = {p.relative_to(self.root).as_posix() for p in _below(self.root / folder)}
            names |= {n for n in self.changed if n.startswith(folder + "/")}
            for name in sorted(names if self.only is None else names & self.only):
                path = pathlib.PurePosixPath(name)
                if (path.suffix in suffixes or path.name in suffixes) \
                        and not {"fixtures", "corpus", "__pycache__"} & set(path.parts):
                    yield name

    def includes(self, name):
        """Pairs ('<' or '"', included name) of a C file."""
        return INCLUDE.findall(self.text(name))


def parts(name):
    """The folders and the file of a name."""
    return name.split("/")


def near(name, included):
    """The name of an included file, taken from the folder of the file that includes it; None above the root."""
    path = []
    for part in parts(name)[:-1] + parts(included):
        if part == ".." and not path:
            return None
        path = path[:-1] if part == ".." else path if part == "." else path + [part]
    return "/".join(path)


# The body of a function of a file that clang-format has formatted.
BODY = re.compile(r"^\{\n(.*?)^\}", re.M | re.S)


def functions(text):
    """Bodies of the functions of a C file, each with the number of its first line."""
    for found in BODY.finditer(text):
        yield text.count("\n", 0, found.start(1)) + 1, found.group(1)
