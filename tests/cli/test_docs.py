# SPDX-License-Identifier: Apache-2.0
"""Every shown command runs: the ```sh blocks of README.md and docs/.

usage: test_docs.py SOURCE BUILD [PAGE...]

A block is a shell script; it runs with `set -e` in a copy of the tree, where build/core/scree is the
program under test, and what a page's blocks write stays for its later blocks. A block whose fence
says ```sh not-run is not: what installs packages, or takes minutes. A line `# exits N` in a block
asks for that status. A block ```output is what the shell block before it prints. Scenes in ```cfg blocks with a first line `# file: NAME` are written before.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
COPIED = ("abi", "configs", "docs", "plugins", "README.md", "LICENSE")


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
    (top / "build").symlink_to(build)


def run_block(top, text):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env.update(XDG_DATA_HOME=str(top / "data"), LC_ALL="C")
    return subprocess.run(["bash", "-e", "-c", text], cwd=top, env=env, text=True, timeout=240,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


def check_page(source, build, page):
    n_run, seen = 0, None
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name).resolve()
        make_copy(source, build, top)
        for line, language, words, text in blocks(page):
            where = f"{page.relative_to(source)}:{line}"
            file = re.match(r"# file: (\S+)\n", text)
            if file:
                (top / file.group(1)).parent.mkdir(parents=True, exist_ok=True)
                (top / file.group(1)).write_text(text, encoding="utf-8")
            if language == "output":
                tap.check(f"{where} is what the commands before it print", seen is not None
                          and seen.stdout.strip() == text.strip(), f"{text}\n---\n{seen and seen.stdout}")
            if language != "sh" or "not-run" in words:
                continue
            wanted = re.search(r"^# exits (\d+)$", text, re.M)
            seen = run_block(top, text)
            n_run += 1
            tap.check(f"{where} runs", seen.returncode == int(wanted.group(1) if wanted else 0),
                      f"{text}\n{seen.stdout[-2000:]}\n{seen.stderr[-2000:]}")
    return n_run


def check_keys(source):
    """Every key that the readers of scenes ask for is on the page of scenes."""
    page = (source / "docs/reference/scene.md").read_text(encoding="utf-8")
    asked = set()
    for path in sorted((source / "core/scene").glob("scene*.c")):
        asked |= set(re.findall(r"(?:scree_config_\w+|scree_build_\w+|positive|read_reals)\((?:[^;\"]*?,)"
                                r"\s*\"(\w+)\"", path.read_text(encoding="utf-8")))
    missing = sorted(key for key in asked if not re.search(r"[`.({, ]" + key + r"[`,: })]", page))
    tap.check("reference/scene.md has every key of a scene", len(asked) > 50 and not missing,
              f"{len(asked)} keys; missing: {missing}")


def run():
    source, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    pages = [pathlib.Path(a).resolve() for a in sys.argv[3:]] or \
        [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    n_run = sum(check_page(source, build, page) for page in pages)
    tap.check("the pages show commands", n_run > 0)
    check_keys(source)
    links = re.compile(r"\]\((?!https?:)([^)#]+)")
    for page in pages:
        broken = [target for target in links.findall(page.read_text(encoding="utf-8"))
                  if not (page.parent / target).exists()]
        tap.check(f"{page.relative_to(source)}: its links lead somewhere", not broken, broken)


tap.finish(run)
