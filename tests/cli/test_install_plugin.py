# SPDX-License-Identifier: Apache-2.0
"""`scree install` and `scree uninstall`: copies of files, refusals, files that stay as they were.

usage: test_install_plugin.py SCREE PLUGINS SOURCE.c "CC ARG..." INCLUDE...    (SOURCE: the template of a force)
"""
import fcntl
import hashlib
import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import stat
import sys

import runs
import tap

SCREE, PLUGINS, SOURCE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
CC = shlex.split(sys.argv[4])
INCLUDE = [f"-I{folder}" for folder in sys.argv[5:]]
TEXT = SOURCE.read_text()
# A second descriptor in the same file.
TWO = "static const scree_plugin more = {.size = sizeof more, .kind = SCREE_KIND_FORCE, .dimensions = plugin_dimensions," \
      " .id = \"second\", .version = \"3.0.0\", .licence = \"MIT\", .help = \"again\", .config_size = sizeof(config)," \
      " .n_params = SCREE_COUNT(params), .params = params, .provides = SCREE_OUT_STORED | SCREE_OUT_LOST, .ops = &ops};\n" \
      "SCREE_DEFINE_MANIFEST(&plugin, &more);"


SCENE = (pathlib.Path(__file__).parent / "run.cfg").read_text()


def build(path, *changes):
    """A plugin from the template, after these changes of its text."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c")
    source.write_text(text)
    done = runs.call(path.parent, *CC, "-O1", "-fPIC", "-shared", "-fvisibility=hidden", *INCLUDE, source, "-o", path, "-lm")
    assert done.returncode == 0, done.stderr
    source.unlink()
    return path


def two(path):
    both = TWO.replace("plugin_dimensions", "SCREE_DIMENSION_2 | SCREE_DIMENSION_3")
    return build(path, ("SCREE_DEFINE_MANIFEST(&plugin);", both))


def scree(top, *words, **more):
    return runs.scree(top, *words, env=runs.environment(XDG_DATA_HOME=top / "data", **more))


def home(top):
    minor = re.search(r"ABI (\d+\.\d+)", scree(top, "--version").stdout)[1]
    return top / f"data/scree/plugins/abi-{minor}"


def rows(top):
    path = home(top) / "installed.json"
    return json.loads(path.read_text())["files"] if path.exists() else []


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tree(folder):
    """Each file below a folder with its bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_one(top):
    path = build(top / "build/any name.so")
    seen = scree(top, "install", path)
    tap.check("without a terminal and --yes it is refused before anything is tried", seen.returncode == 2
              and not seen.stdout and "expected a terminal, which can answer, or --yes" in seen.stderr
              and not (top / "data").exists(), seen)
    seen = scree(top, "install", "--yes", "build/any name.so")
    place = home(top) / "force/soft.so"
    words = ("force/soft 0.1.0", "licence   MIT", "cite      Cundall", f"sha256      {sha256(path)}", f"to          {place}")
    tap.check("it shows id, version, licence, citation, hash and place", seen.returncode == 0
              and all(word in seen.stdout for word in words), seen)
    tap.check("it copies the bytes to KIND/ID.so, which only the user can write", place.read_bytes() == path.read_bytes()
              and stat.S_IMODE(place.stat().st_mode) & 0o133 == 0 and not stat.S_IMODE(place.stat().st_mode) & 0o022,
              oct(place.stat().st_mode))
    row = rows(top)[0]
    tap.check("installed.json has its line", len(rows(top)) == 1 and row["file"] == "force/soft.so" and row["source"] == str(path)
              and row["sha256"] == sha256(path) and row["twin_sha256"] is None and row["plugins"] == [
                  {"kind": "force", "id": "soft", "version": "0.1.0", "licence": "MIT",
                   "citation": "Cundall, Strack 1979, Geotechnique 29, 47"}], row)
    tap.check("only these two files are there", len(tree(home(top))) == 2, tree(home(top)).keys())
    seen = scree(top, "plugins", "force/soft")
    tap.check("scree finds it", seen.returncode == 0 and f"file      {place}\n" in seen.stdout, seen)
    new = build(top / "build/new.so", ('"0.1.0"', '"0.2.0"'))
    seen = scree(top, "install", "-y", new)
    tap.check("another version takes its place and its line", seen.returncode == 0 and "which it replaces" in seen.stdout
              and place.read_bytes() == new.read_bytes() and [r["plugins"][0]["version"] for r in rows(top)] == ["0.2.0"], seen)
    seen = scree(top, "uninstall", "force/soft")
    tap.check("uninstall removes file and line", seen.returncode == 0 and not place.exists() and not rows(top)
              and not place.parent.exists(), seen)
    seen = scree(top, "uninstall", "force/soft")
    tap.check("what is not installed is named", seen.returncode == 2
              and "force/soft: scree install has not installed it" in seen.stderr, seen)


def answer(top, path, text):
    """The output of `scree install` on a terminal that answers."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(top)
        os.execve(SCREE, [str(SCREE), "install", str(path)], runs.environment(XDG_DATA_HOME=top / "data"))
    said = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        said += part
        if b"[y/N] " in part:
            os.write(terminal, text)
    return said.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_terminal(top):
    path = build(top / "soft.so")
    for text in (b"\n", b"n\n", b"\x04"):
        said, status = answer(top, path, text)
        tap.check(f"on a terminal it asks, and {text!r} installs nothing", status == 4 and "install 1 file? [y/N]" in said
                  and "nothing is installed" in said and not (top / "data/scree/plugins").is_dir()
                  or not list((top / "data").rglob("*.so")), (said, status))
    said, status = answer(top, path, b"y\n")
    tap.check("y installs it", status == 0 and (home(top) / "force/soft.so").exists(), (said, status))


def test_bad(top):
    """Nothing is copied that fails, and the other files of its folder are not either."""
    good = build(top / "many/a.so")
    bad = build(top / "many/b.so", ('"soft"', '"hard"'), ("nx[c];", "nx[c] * nx[c];"))
    for what, words in ((bad, ("force/hard: not ok",)), (top / "many", ("force/hard: not ok", str(bad)))):
        seen = scree(top, "install", "--yes", what)
        tap.check(f"{what.name} with a plugin that fails scree check is refused", seen.returncode == 3
                  and "nothing is installed" in seen.stdout and all(w in seen.stderr for w in words)
                  and ".waiting" not in seen.stderr, seen)
        tap.check("and leaves no folder behind", not home(top).exists(), list((top / "data").rglob("*")))
    (top / "text.so").write_text("no plugin")
    for what, status, words in (("text.so", 3, f"{top}/text.so: cannot be loaded: not an ELF file"),
                                ("none.so", 2, "none.so: no such file or folder"),
                                ("data", 2, "expected plugin files (.so) in it")):
        seen = scree(top, "install", "--yes", what)
        tap.check(f"{what} is refused", seen.returncode == status and words in seen.stderr, seen)
    shutil.copy(good, top / "many/b.so")
    seen = scree(top, "install", "--yes", "many")
    tap.check("two files with one plugin are refused", seen.returncode == 2
              and f"{bad} offers force/soft, and so does {good}" in seen.stderr and not home(top).exists(), seen)


def test_all_or_none(top):
    """A move that fails takes back those before it."""
    scree(top, "install", "--yes", build(top / "old.so"))
    many = top / "many"
    build(many / "a.so", ('"0.1.0"', '"0.2.0"'))
    build(many / "b.so", ('"soft"', '"other"'))
    shutil.copy(PLUGINS / "gcd/grid.so", many / "c.so")
    (home(top) / "gcd").write_text("in the way")
    before = tree(home(top))
    seen = scree(top, "install", "--yes", "many")
    tap.check("of three files none is installed if one cannot be moved, and the replaced one is back",
              seen.returncode == 1 and f"{home(top)}/gcd/grid.so: " in seen.stderr and tree(home(top)) == before, seen)
    (home(top) / "gcd").unlink()
    seen = scree(top, "install", "--yes", "many")
    tap.check("without the obstacle all are", seen.returncode == 0
              and sorted(r["file"] for r in rows(top)) == ["force/other.so", "force/soft.so", "gcd/grid.so"], seen)
    own = PLUGINS / "gcd/grid.so"
    tap.check("it says which plugin of scree it stands in for", f"shadows   {own}, which is scree's own" in seen.stdout, seen)
    lock = os.open(home(top), os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    seen = scree(top, "uninstall", "gcd/grid")
    os.close(lock)
    tap.check("two at a time are refused", seen.returncode == 1 and "another scree install or uninstall is at work"
              in seen.stderr and (home(top) / "gcd/grid.so").exists(), seen)


def test_several(top):
    """A file with several plugins."""
    path = two(top / "two.so")
    seen = scree(top, "install", "--yes", path)
    tap.check("a file with two plugins is one file, named after the first", seen.returncode == 0
              and [(r["file"], len(r["plugins"])) for r in rows(top)] == [("force/soft.so", 2)]
              and "force/second 3.0.0" in seen.stdout, seen)
    seen = scree(top, "plugins", "force/second")
    tap.check("the second is found", seen.returncode == 0 and "force/soft.so" in seen.stdout, seen)
    other = build(top / "second.so", ('"soft"', '"second"'))
    seen = scree(top, "install", "--yes", other)
    tap.check("another file with the second is refused", seen.returncode == 2 and
              f"offers force/second, and so does {home(top)}/force/soft.so" in seen.stderr, seen)
    seen = scree(top, "uninstall", "force/second")
    tap.check("uninstall of the second says that the first goes, too", seen.returncode == 0
              and "force/soft, force/second" in seen.stdout and not list(home(top).rglob("*.so")), seen)


def test_foreign(top):
    """It neither replaces nor removes files that it has not installed."""
    path, place = build(top / "soft.so"), home(top) / "force/soft.so"
    place.parent.mkdir(parents=True, mode=0o755)
    shutil.copy(path, place)
    seen = scree(top, "install", "--yes", path)
    tap.check("a file that the user has copied is not replaced", seen.returncode == 2
              and f"{place} exists, and scree install has not copied it" in seen.stderr, seen)
    seen = scree(top, "uninstall", "force/soft")
    tap.check("nor removed", seen.returncode == 2 and place.exists(), seen)
    place.unlink()
    scree(top, "install", "--yes", path)
    place.write_bytes(place.read_bytes() + b" ")
    seen = scree(top, "uninstall", "force/soft")
    tap.check("a file with other bytes than the installed ones is not removed", seen.returncode == 2 and place.exists()
              and "expected the bytes that were installed" in seen.stderr and len(rows(top)) == 1, seen)
    place.unlink()
    seen = scree(top, "uninstall", "force/soft")
    tap.check("a file that is gone loses its line", seen.returncode == 0 and not rows(top), seen)
    (home(top) / "installed.json").write_text('{"files":[{"file":"../../x","sha256":"","source":"","plugins":[]}]}')
    for words in (("install", "--yes", path), ("uninstall", "force/soft")):
        seen = scree(top, *words)
        tap.check(f"{words[0]} refuses a damaged installed.json", seen.returncode == 1 and "is damaged" in seen.stderr
                  and not list(home(top).rglob("*.so")), seen)


def test_twin(top):
    """The build for newer CPUs comes with its file."""
    path, twin = build(top / "soft.so"), build(top / "soft.x86-64-v3.so", ("0.5 * kn", "kn * 0.5"))
    seen = scree(top, "install", "--yes", twin)
    tap.check("a build for another level is not installed by itself", seen.returncode == 2 and "which comes with it"
              in seen.stderr, seen)
    seen = scree(top, "install", "--yes", path)
    if "this CPU cannot try it" in seen.stdout:
        tap.skip("both builds are installed", "this CPU is not x86-64-v3")
        return
    there = home(top) / "force/soft.x86-64-v3.so"
    tap.check("both builds are installed", seen.returncode == 0 and there.read_bytes() == twin.read_bytes()
              and rows(top)[0]["twin_sha256"] == sha256(twin) and rows(top)[0]["sha256"] == sha256(path), seen)
    build(twin, ("nx[c];", "nx[c] * nx[c];"))
    seen = scree(top, "install", "--yes", path)
    tap.check("a fault of only the better build refuses both", seen.returncode == 3 and "not ok" in seen.stderr, seen)
    twin.unlink()
    seen = scree(top, "install", "--yes", path)
    tap.check("a file without a twin takes the old twin away", seen.returncode == 0 and not there.exists()
              and rows(top)[0]["twin_sha256"] is None, seen)


def test_licences(top):
    """Origins in the table of licences, in the list and in the manifest of a run; a note about a stand-in."""
    own = PLUGINS / "force/linear.so"
    (top / "s.cfg").write_text(SCENE)
    words = ("run", "s.cfg", "--steps", "1", "--set", "force.0.kn=2e4")
    seen = scree(top, *words, "-o", "before")
    listed = json.loads((top / "before/manifest.json").read_text())["plugins"]
    tap.check("a run with scree's own plugins says nothing of others", seen.returncode == 0 and "shadows" not in seen.stderr
              and {(p["origin"], p["licence"], p["shadowed"]) for p in listed} == {("scree", "Apache-2.0", None)}, seen)
    shutil.copy(own, top / "copy.so")
    scree(top, "install", "--yes", "copy.so")
    place = home(top) / "force/linear.so"
    seen = scree(top, *words, "-o", "after")
    tap.check("a run says once which plugin of others stands in for scree's own", seen.returncode == 0
              and seen.stderr.count("shadows") == 1 and f"force/linear: {place} of Apache-2.0 shadows {own}\n" in seen.stderr, seen)
    listed = [p for p in json.loads((top / "after/manifest.json").read_text())["plugins"] if p["id"] == "linear"]
    tap.check("so does its manifest", [(p["origin"], p["shadowed"], p["sha256"]) for p in listed]
              == [("user", str(own), sha256(own))], listed)
    shutil.copytree(home(top), top / "more")
    for path, origin in ((top / "more", "other"), (PLUGINS, "scree")):
        seen = scree(top, *words, "--plugin-path", path, "-o", origin)
        listed = [p for p in json.loads((top / origin / "manifest.json").read_text())["plugins"] if p["id"] == "linear"]
        tap.check(f"a file of another folder is of {origin}", listed[0]["origin"] == origin
                  and (listed[0]["shadowed"] is None) == (origin == "scree"), listed)
    scree(top, "install", "--yes", build(top / "soft.so"))
    seen = scree(top, "plugins", "--licences")
    rows_ = {line.split()[0] + (" own" if line.endswith(" scree") else ""): line for line in seen.stdout.splitlines()}
    tap.check("plugins --licences lists id, licence, origin", seen.returncode == 0
              and rows_["force/soft"].split(None, 2)[1:] == ["MIT", f"{home(top)}/force/soft.so, installed from {top}/soft.so"]
              and rows_["force/linear own"].split()[1:] == ["Apache-2.0", "scree"] and len(rows_) > 80, seen.stdout)
    seen = scree(top, "plugins", "--licences", "gcd")
    tap.check("or those of a kind", seen.returncode == 0 and all(line.startswith("gcd/") for line in seen.stdout.splitlines()), seen)
    for more in (["--json"], ["force/soft"]):
        seen = scree(top, "plugins", "--licences", *more)
        tap.check(f"--licences with {more[0]} is refused", seen.returncode == 2 and "--licences: expected" in seen.stderr, seen)
    listed = json.loads(scree(top, "plugins", "force", "--json").stdout)["plugins"]
    tap.check("the list in JSON has licences", {p["licence"] for p in listed if p["id"] == "soft"} == {"MIT"}, listed)


def test_abis(top):
    """One folder for each ABI."""
    path = build(top / "soft.so")
    for folder in ("scree/plugins/force", "scree/plugins/abi-0.1/force"):
        (top / "data" / folder).mkdir(parents=True)
        shutil.copy(path, top / "data" / folder)
    seen = scree(top, "plugins", "force/soft")
    tap.check("folders of other ABIs are not searched", seen.returncode == 2, seen)
    scree(top, "install", "--yes", path)
    scree(top, "uninstall", "force/soft")
    tap.check("nor touched", len(list((top / "data").rglob("soft.so"))) == 2)


tap.in_folders(test_one, test_terminal, test_bad, test_all_or_none, test_several, test_foreign, test_twin, test_licences, test_abis)
