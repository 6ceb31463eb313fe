# SPDX-License-Identifier: Apache-2.0
"""The pages on writing plugins are true: their code is that of the templates or compiles, and what they say that scree
prints about a mistake is printed when the mistake is made.

usage: test_howto.py SCREE SOURCE BUILD "CC ARG..." [PAGE...]

docs/howto/write-a-KIND.md (or write-an-KIND.md) is about contrib/template/KIND, write-a-plugin.md about contrib/template/force. A block

    ```c       is part of the template, or a whole file that compiles; with a manifest it is a plugin of the page
    ```diff    is a change: lines (-) of the template, or of the last plugin of the page that passed, and others in their
               place (+), once for each group
    ```text    follows a plugin or a change: what `scree check --case CASE` prints about it, with "not ok  CASE: .." or
               "ok  CASE: .."; else what a run of the template's scene prints

Spaces count once, `..` stands for any text, FILE for a path.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import tap
from runs import environment

SCREE, SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
CC = [*shlex.split(sys.argv[4]), f"-I{SOURCE}/abi", f"-I{BUILD}/abi"]
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.M | re.S)


def call(top, *command):
    env = environment(XDG_DATA_HOME=str(top / "data"))
    return subprocess.run([str(word) for word in command], cwd=top, env=env, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


def plain(text):
    return " ".join(text.split())


def compiles(top, text):
    (top / "part.c").write_text(text)
    return call(top, *CC, *STRICT, "-fsyntax-only", "part.c")


def spoil(text, diff):
    """The template with a mistake; None when the lines to replace are not there exactly once."""
    for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", diff, re.M):
        old, new = (re.sub(r"^.", "", lines, flags=re.M) for lines in (old, new))
        if text.count(old) != 1:
            return None
        text = text.replace(old, new)
    return text


def shows(said, printed):
    """Whether the text of a page is among what was printed; one of success is not, if a case has failed."""
    if "not ok" in printed and "not ok" not in said:
        return False
    words = re.split(r"(\.\.|FILE)", plain(said))
    return re.search("".join({"..": ".*?", "FILE": r"\S+"}.get(word, re.escape(word)) for word in words), plain(printed))


def make_mistake(top, template, text, said):
    """The messages of scree about a wrong plugin."""
    name = template.stem
    (top / f"{name}.c").write_text(text)
    (top / f"{name}.cfg").write_text(template.with_suffix(".cfg").read_text())
    built = call(top, *CC, *STRICT, "-Wno-unused", "-Wno-unused-parameter", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", f"{name}.c", "-o",
                 f"{name}.so", "-lm")
    case = re.match(r"(?:not )?ok +([\w-]+):", said)
    if built.returncode != 0:
        return built.stdout + built.stderr
    seen = call(top, SCREE, *(("check", f"{name}.so", "--case", case[1]) if case else
                              ("run", f"{name}.cfg", "-q", "-o", f"run-{len(os.listdir(top))}")))
    return seen.stdout + seen.stderr


def page_kind(page):
    return re.fullmatch(r"write-an?-(\w+)", page.stem)[1]


def check_page(top, page):
    kind = page_kind(page)
    (template,) = (SOURCE / "contrib/template" / ("force" if kind == "plugin" else kind)).glob("*.c")
    source, own, wrong, n_code, n_wrong = template.read_text(), "", None, 0, 0
    for number, match in enumerate(FENCE.finditer(page.read_text(encoding="utf-8"))):
        language, text = match.groups()
        where = f"{page.name}: block {number + 1}"
        if language == "c":
            n_code += 1
            seen = None if plain(text) in plain(source) else compiles(top, text)
            tap.check(f"{where} is in the template, or compiles", not seen or seen.returncode == 0, seen)
            own, wrong = (text, text) if seen and "SCREE_DEFINE_MANIFEST" in text else (own, wrong)
        elif language == "diff":
            wrong = spoil(source, text) or spoil(own, text)
            tap.check(f"{where} changes lines of the template, or of the plugin before it", wrong is not None, text)
        elif language == "text" and wrong:
            n_wrong += 1
            printed = make_mistake(top, template, wrong, text)
            tap.check(f"{where} is what scree prints about the plugin before it", shows(text, printed),
                      f"{text}\n---\n{printed}")
            own, wrong = (wrong if text.startswith("ok") else own), None
    tap.check(f"{page.name} has code and mistakes", n_code and n_wrong, (n_code, n_wrong))


def check_itself():
    """The comparison of a page with what is printed."""
    tap.check("a text is found with its gaps, and no other", shows("a .. d\n  FILE: e", "x a b c\nd /y/z: e")
              and not shows("a .. d", "a b") and not shows("a d", "a b d") and not shows("FILE: e", "y z:e")
              and not shows("ok  a", "not ok  a"))
    tap.check("a mistake is made in its lines, once", spoil("a\nb\nc\n", "-b\n+d\n") == "a\nd\nc\n"
              and spoil("a\na\n", "-a\n+b\n") is None and spoil("a\n", "-b\n+a\n") is None)


def run():
    check_itself()
    pages = [pathlib.Path(page).resolve() for page in sys.argv[5:]] or sorted((SOURCE / "docs/howto").glob("write-a*-*.md"))
    kinds = {path.name for path in (SOURCE / "contrib/template").iterdir() if path.is_dir()}
    tap.check("each template has its page", sys.argv[5:] or {page_kind(page) for page in pages} == kinds | {"plugin"},
              (kinds, pages))
    for page in pages:
        with tempfile.TemporaryDirectory() as name:
            check_page(pathlib.Path(name).resolve(), page)


tap.finish(run)
