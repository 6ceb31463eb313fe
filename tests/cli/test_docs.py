# SPDX-License-Identifier: Apache-2.0
"""Shown commands run: the ```sh blocks of README.md, CONTRIBUTING.md and docs/ that are not marked not-run.

usage: test_docs.py SOURCE BUILD [start | PAGE...]

`start`: only blocks of README.md, CONTRIBUTING.md and docs/tutorial/ run.

A block is a shell script; it runs with `set -e` in a copy of the tree, where build/core/scree is the program under
test, and what a page's blocks write stays for its later blocks. A block whose fence says ```sh not-run is left out: it
installs packages, builds, needs another program, or takes minutes. Its files and the tests that it names must exist. A
line `# exits N` in a block expects that status. A block ```output is what the
shell block before it prints. With `numbers-vary` the numbers may differ, and so their units of time and the order of
the lines; with `within-20-percent` each number may differ by as much. A scene in a ```cfg block with a first line
`# file: NAME` is written to that file.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from runs import environment

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
COPIED = ("abi", "configs", "docs", "plugins", "README.md", "LICENSE")
LINKED = ("core", "contrib", "tests")  # nothing is written there


def blocks(path):
    """(line, language, words after it, text) of each fenced block."""
    text = path.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        yield (text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2).split(),
               match.group(3))


def make_copy(source, build, top):
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, top / name)
        elif (source / name).exists():
            shutil.copyfile(source / name, top / name)
    for name in LINKED:
        (top / name).symlink_to(source / name)
    (top / "build").symlink_to(build)


def add_python(top):
    """The folder of a python3 that has numpy, if there is one, for pages about arrays."""
    (top / "python").mkdir()
    for candidate in (sys.executable, "/usr/bin/python3"):
        seen = subprocess.run([candidate, "-c", "import numpy"], capture_output=True, check=False) if pathlib.Path(candidate).exists() else None
        if seen and seen.returncode == 0:
            (top / "python/python3").symlink_to(candidate)
            break


def run_block(top, text):
    env = environment(XDG_DATA_HOME=str(top / "data"), PATH=f"{top}/python:{os.environ['PATH']}")
    return subprocess.run(["bash", "-e", "-c", text], cwd=top, env=env, text=True, timeout=240,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


NUMBER = re.compile(r"\b[0-9a-f]{8}\b|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
SECONDS = re.compile(r"\b[num]?s\b")


def shape(text):
    """The lines without their numbers; a time may be in s, ms, us or ns."""
    return [" ".join(SECONDS.sub("s", NUMBER.sub("#", line)).split()) for line in text.strip().splitlines()]


def is_output(shown, printed, words):
    """Whether a block shows what was printed."""
    if "numbers-vary" in words:
        return sorted(shape(shown)) == sorted(shape(printed))
    if "within-20-percent" in words:
        pairs = list(zip(NUMBER.findall(shown), NUMBER.findall(printed)))
        return shape(shown) == shape(printed) and all(abs(float(a) - float(b)) <= 0.2 * float(b) for a, b in pairs)
    return shown.strip() == printed.strip()


def check_outputs():
    """The comparison of a block with the output."""
    said = "grid 10.5 1..2 42ac76b5\nbvh 20 3..4 42ac76b5\n"
    tap.check("an output is taken as its block says", is_output(said, said, []) and is_output(
        said, "bvh 7 9..9 00000000\ngrid 1e9 1..2 00000000\n", ["numbers-vary"])
              and is_output("a 100", "a 84", ["within-20-percent"]))
    tap.check("and refused when it differs", not is_output(said, said.replace("10.5", "10.6"), [])
              and not is_output(said, said.replace("bvh", "dess"), ["numbers-vary"])
              and not is_output(said, said + "dess 1 1..1 42ac76b5\n", ["numbers-vary"])
              and not is_output("a 100", "a 83", ["within-20-percent"])
              and not is_output("a 100\nb 1", "b 100\na 1", ["within-20-percent"]))


def check_page(source, build, page):
    n_run, seen = 0, None
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name).resolve()
        make_copy(source, build, top)
        add_python(top)
        for line, language, words, text in blocks(page):
            where = f"{page.relative_to(source)}:{line}"
            file = re.match(r"# file: (\S+)\n", text)
            if file:
                (top / file.group(1)).parent.mkdir(parents=True, exist_ok=True)
                (top / file.group(1)).write_text(text, encoding="utf-8")
            if language == "output":
                tap.check(f"{where} is what the commands before it print", seen is not None
                          and is_output(text, seen.stdout, words), f"{text}\n---\n{seen and seen.stdout}")
            if language != "sh" or "not-run" in words:
                continue
            wanted = re.search(r"^# exits (\d+)$", text, re.M)
            seen = run_block(top, text)
            n_run += 1
            tap.check(f"{where} runs", seen.returncode == int(wanted.group(1) if wanted else 0),
                      f"{text}\n{seen.stdout[-2000:]}\n{seen.stderr[-2000:]}")
    return n_run


def check_not_run(source, build, pages):
    """Files and tests that the blocks left out name."""
    read = lambda name: json.loads((build / "meson-info" / name).read_text(encoding="utf-8"))
    tests = read("intro-tests.json") + read("intro-benchmarks.json")
    known = {test["name"] for test in tests} | {suite.split(":")[-1] for test in tests for suite in test["suite"]}
    missing, n_seen = [], 0
    for page in pages:
        for line, language, words, text in blocks(page):
            if language != "sh" or "not-run" not in words:
                continue
            for command in re.sub(r" +#.*", "", text.replace("\\\n", " ")).splitlines():
                files = re.findall(r"(?<![\w./-])(?:tests|docs|configs|plugins|contrib|\.ci)/[\w./-]*\w", command)
                names = re.sub(r"-C \S+|--(?!suite)\S+( +\d+)?|--suite| -v\b", "", command).split()
                names = names[2:] if names[:2] == ["meson", "test"] else []
                missing += [f"{page.name}:{line}: {name}" for name in files if not (source / name).exists()]
                missing += [f"{page.name}:{line}: test {name}" for name in names if name not in known]
                n_seen += len(files) + len(names)
    tap.check("files and tests that commands marked not-run name exist", n_seen > 20 and not missing, missing)


def check_scenes(pages):
    """A reader who goes on from page to page in one folder overwrites no scene."""
    names = [(match.group(1), page.name) for page in pages
             for match in re.finditer(r"^```\w+\n# file: (\S+)\n", page.read_text(encoding="utf-8"), re.M)]
    twice = [name for name in names if [other for other, _ in names].count(name[0]) > 1]
    tap.check("each scene that a page writes has a name of its own", names and not twice, twice)


def check_links(source, pages):
    links = re.compile(r"\]\((?!https?:)([^)#]+)")
    for page in pages:
        broken = [target for target in links.findall(page.read_text(encoding="utf-8"))
                  if not (page.parent / target).exists()]
        tap.check(f"{page.relative_to(source)}: its links lead somewhere", not broken, broken)


def check_index(source):
    """docs/README.md names each page of docs/ once."""
    index = source / "docs/README.md"
    named = re.findall(r"\]\(([^)#]+\.(?:md|1))\)", index.read_text(encoding="utf-8"))
    named = [name for name in named if not name.startswith("..")]
    there = [str(path.relative_to(index.parent)) for path in index.parent.rglob("*")
             if path.suffix in (".md", ".1") and path != index]
    tap.check("docs/README.md has a line for each page, and for no other", sorted(named) == sorted(there),
              sorted(set(named) ^ set(there)))


def check_gallery(source):
    """The gallery shows each picture, says how it is made, and none is large."""
    page = (source / "docs/gallery.md").read_text(encoding="utf-8")
    there = {path.name: path.stat().st_size for path in (source / "docs/images").iterdir()}
    runs = [(re.findall(r" -o (\S+)", text), re.findall(r"^cp (\S+)/\S+ ", text, re.M))
            for _, language, _, text in blocks(source / "docs/gallery.md") if language == "sh"]
    folders = [name for given, _ in runs for name in given]
    tap.check("each run of the gallery has a folder of its own, from which its pictures are copied",
              len(folders) == len(set(folders)) and all(sorted(given) == sorted(set(taken)) for given, taken in runs), runs)
    tap.check("docs/gallery.md shows each picture and how it is made", there and
              set(re.findall(r"^!\[.*\]\(images/(.+)\)$", page, re.M)) == set(there)
              == set(re.findall(r"^cp \S+ docs/images/(.+)$", page, re.M)), sorted(there))
    tap.check("no picture has more than 200 kB", max(there.values()) <= 200000, there)


def run():
    source, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    words = sys.argv[3:]
    named = [pathlib.Path(word).resolve() for word in words if word != "start"]
    pages = named or [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]
    check_outputs()
    n_run = sum(check_page(source, build, page) for page in pages
                if words != ["start"] or page.parent in (source, source / "docs/tutorial"))
    tap.check("the pages show commands", n_run > 0)
    check_links(source, pages if named else pages + [path for name in ("core", "plugins", "configs", "tests", "contrib")
                                                            for path in sorted((source / name).rglob("README.md"))])
    check_index(source)
    check_gallery(source)
    if not named:
        check_not_run(source, build, pages)
        check_scenes(pages)


tap.finish(run)
