# SPDX-License-Identifier: Apache-2.0
"""`scree install` and `scree uninstall`: copies of files, refusals, files that stay as they were.

usage: test_install_plugin.py SCREE PLUGINS SOURCE.c "CC ARG..." INCLUDE...    (SOURCE: the template of a source)
"""
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import pty
import re
import resource
import shlex
import shutil
import signal
import stat
import sys
import tempfile

import runs
import tap

SCREE, PLUGINS, SOURCE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
CC = shlex.split(sys.argv[4])
INCLUDE = [f"-I{folder}" for folder in sys.argv[5:]]
SCENE = (pathlib.Path(__file__).parent / "run.cfg").read_text()
# A file, which the check cannot make up, spares most of its cases: it takes 0.1 s.
FILE = [("typedef struct config {", "typedef struct config {\n    const char *file;"),
        ("static const scree_param *const params[] = {", 'SCREE_FILE_PARAM(config, file, SCREE_PARAM_REQUIRED, "read");\n'
         "static const scree_param *const params[] = {&param_file, "),
        ('.id = "balls_on_ring"', '.id = "hoop"'), ('.licence = "MIT",', '.licence = "MIT", .citation = "Euclid, Elements 4",')]
# A second descriptor in the same file.
SECOND = [("SCREE_DEFINE_MANIFEST(&plugin);", """static const scree_plugin more = {.size = sizeof more, .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM, .dimensions = SCREE_DIMENSION_3, .id = "second", .version = "3.0.0", .licence = "MIT",
    .help = "again", .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params, .ops = &ops};
SCREE_DEFINE_MANIFEST(&plugin, &more);""")]
# It fails the case "symbols".
BAD = [("SCREE_DEFINE_MANIFEST(&plugin);", """__attribute__((visibility("default"))) int extra(void);
int extra(void) { return 1; }
SCREE_DEFINE_MANIFEST(&plugin);""")]
# A rename fails if its new path ends with FAIL_TO; if it ends with FAIL_BACK, the second one. NO_EXCHANGE: as on a file system
# that cannot exchange two names.
SHIM = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int ends(const char *path, const char *variable)
{
    const char *end = getenv(variable);
    const size_t n = strlen(path), m = end ? strlen(end) : 0;
    return m && n >= m && !strcmp(path + n - m, end);
}
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    static int n;
    const int fails = ends(to, "FAIL_TO") || (ends(to, "FAIL_BACK") && ++n == 2);
    errno = fails ? EIO : EINVAL;
    if (fails || (flags && getenv("NO_EXCHANGE")))
        return -1;
    return ((int (*)(int, const char *, int, const char *, unsigned))dlsym(RTLD_NEXT, "renameat2"))(from_at, from, to_at, to, flags);
}
int rename(const char *from, const char *to)
{
    return renameat2(-100, from, -100, to, 0);
}
"""
BUILT = {}


def compile_c(text, *options):
    """The bytes of a shared object."""
    if text not in BUILT:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a.c").write_text(text)
            done = runs.call(folder, *CC, "-O1", "-fPIC", "-shared", *options, "a.c", "-o", "a.so", "-lm")
            assert done.returncode == 0, done.stderr
            BUILT[text] = (folder / "a.so").read_bytes()
    return BUILT[text]


def build(path, *changes, name="hoop", version="0.1.0"):
    """A plugin from the template, after changes of its text, and then of texts in its bytes."""
    text = SOURCE.read_text()
    for old, new in [*FILE, *changes]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    code = compile_c(text, "-fvisibility=hidden", *INCLUDE)
    for old, new in (("hoop", name), ("0.1.0", version)):
        old, new = (f"\0{word}\0".encode() for word in (old, new))
        assert old == new or code.count(old) == 1 and len(old) == len(new), old
        code = code.replace(old, new)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(code)
    return path


def environment(top, **more):
    return runs.environment(XDG_DATA_HOME=top / "data", **more)


def scree(top, *words, env=None, **more):
    return runs.scree(top, *words, env=environment(top, **(env or {})), **more)


ABI = re.search(r"ABI (\d+\.\d+)", runs.scree("/", "--version").stdout)[1]


def home(top):
    return top / f"data/scree/plugins/abi-{ABI}"


def rows(top):
    path = home(top) / "installed.json"
    files = json.loads(path.read_text())["files"] if path.exists() else {}
    return [{"file": name, **row} for name, row in files.items()]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tree(folder):
    """Each file and folder below a folder; files with their bytes, links with their target."""
    return {str(p.relative_to(folder)): os.readlink(p) if p.is_symlink() else p.is_file() and p.read_bytes()
            for p in folder.rglob("*")}


def test_one(top):
    path = build(top / "build/any name.so")
    seen = scree(top, "install", path)
    tap.check("without a terminal and --yes it is refused before anything is tried", seen.returncode == 2
              and not seen.stdout and "expected a terminal, which can answer, or --yes" in seen.stderr
              and not (top / "data").exists(), seen)
    seen = scree(top, "install", "--yes", "build/any name.so")
    place = home(top) / "source/hoop.so"
    words = ("source/hoop 0.1.0", "licence   MIT", "cite      Euclid", f"sha256      {sha256(path)}", f"to          {place}",
             "checked     3 ok")
    tap.check("it shows id, version, licence, citation, hash, place and counts of the check", seen.returncode == 0
              and all(word in seen.stdout for word in words), seen)
    tap.check("it copies the bytes to KIND/ID.so, which only the user can write", place.read_bytes() == path.read_bytes()
              and not stat.S_IMODE(place.stat().st_mode) & 0o133, oct(place.stat().st_mode))
    row = rows(top)[0]
    tap.check("installed.json has its row", len(rows(top)) == 1 and row["file"] == "source/hoop.so"
              and row["source"] == str(path) and row["sha256"] == sha256(path) and row["plugins"] == [
                  {"kind": "source", "id": "hoop", "version": "0.1.0", "licence": "MIT", "citation": "Euclid, Elements 4"}], row)
    tap.check("only these two files are there", set(tree(home(top))) == {"source", "source/hoop.so", "installed.json"},
              tree(home(top)).keys())
    seen = scree(top, "plugins", "source/hoop")
    tap.check("scree finds it", seen.returncode == 0 and f"file      {place}\n" in seen.stdout, seen)
    new = build(top / "build/new.so", version="0.2.0")
    seen = scree(top, "install", "-y", new)
    tap.check("another version takes its place and its row", seen.returncode == 0 and "which it replaces" in seen.stdout
              and place.read_bytes() == new.read_bytes() and [r["plugins"][0]["version"] for r in rows(top)] == ["0.2.0"], seen)
    seen = scree(top, "uninstall", "source/hoop")
    tap.check("uninstall removes file, row, and the folders that are empty then", seen.returncode == 0
              and set(tree(top / "data")) == {"scree", "scree/plugins"}, (seen, tree(top / "data")))
    shutil.rmtree(top / "data")
    seen = scree(top, "uninstall", "source/hoop")
    tap.check("what is not installed is named, and no folder is left", seen.returncode == 2
              and "source/hoop: scree install has not installed it" in seen.stderr and not (top / "data").exists(), seen)


def answer(top, path, at_question):
    """The output of `scree install` on a terminal; at_question() returns the keys to press at the question."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(top)
        os.execve(SCREE, [str(SCREE), "install", str(path)], environment(top))
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
            os.write(terminal, at_question())
    os.close(terminal)
    return said.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_terminal(top):
    path = build(top / "hoop.so")
    for text in (b"\n", b"n\n", b"\x04", b"\x03"):
        said, status = answer(top, path, lambda: text)
        tap.check(f"on a terminal it asks, and {text!r} installs nothing and leaves nothing behind", status == 4
                  and "install 1 file? [y/N]" in said and "nothing is installed" in said and not (top / "data").exists(),
                  (said, status, tree(top / "data")))
    more = []

    def yes():
        more.append(scree(top, "install", "--yes", path))
        return b"y\n"

    said, status = answer(top, path, yes)
    place = home(top) / "source/hoop.so"
    tap.check("y installs it", status == 0 and place.exists(), (said, status))
    tap.check("meanwhile another one is refused", more[0].returncode == 1
              and "another scree install or uninstall is at work" in more[0].stderr, more)
    new = build(top / "new.so", version="0.2.0")

    def change():
        place.write_bytes(b"mine")
        return b"y\n"

    said, status = answer(top, new, change)
    tap.check("a file that changes at the question is not replaced", status == 2 and place.read_bytes() == b"mine"
              and f"{place} has other bytes" in said and len(tree(home(top))) == 3,
              (said, status, tree(home(top)).keys()))
    said, status = answer(top, new, lambda: b"y\n")
    tap.check("nor is it asked about", status == 2 and "[y/N]" not in said and f"{place} has other bytes" in said, (said, status))


def is_checked(top):
    """Whether a process checks a file of the folder."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes()
            if b"\0check\0--json\0" in words and str(top / "data").encode() in words:
                return True
    return False


def test_stop(top):
    """Ctrl-C in the check."""
    process = runs.start(top, "install", "--yes", PLUGINS / "force/linear.so", env=environment(top), start_new_session=True)
    began = runs.wait_for(lambda: is_checked(top), process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = runs.end_of(process)
    tap.check("Ctrl-C in the check ends it, installs nothing and leaves nothing behind", began and process.returncode == 4
              and "nothing is installed" in out and not is_checked(top) and not (top / "data").exists(),
              (process.returncode, out, err, tree(top / "data")))


def test_bad(top):
    """Nothing is copied that fails, and the other files of its folder are not either."""
    good, bad = build(top / "many/a.so"), build(top / "many/b.so", *BAD, name="hoip")
    (top / "many/c.so").write_text("no plugin")
    for what, words in ((bad, ()), (top / "many", (str(bad), f"{top}/many/c.so: cannot be loaded: not an ELF file"))):
        seen = scree(top, "install", "--yes", what)
        tap.check(f"{what.name} with a plugin that fails scree check is refused, with each fault", seen.returncode == 3
                  and "nothing is installed" in seen.stdout and all(w in seen.stderr for w in words)
                  and f"{bad}: scree check fails:\n    not ok symbols" in seen.stderr and ".waiting" not in seen.stderr, seen)
        tap.check("and leaves no folder behind", not (top / "data").exists(), tree(top / "data"))
    (top / "empty").mkdir()
    for what, status, words in (("none.so", 2, "none.so: No such file"),
                                ("empty", 2, "expected plugin files (.so) in it")):
        seen = scree(top, "install", "--yes", what)
        tap.check(f"{what} is refused", seen.returncode == status and words in seen.stderr, seen)
    (top / "many/c.so").unlink()
    shutil.copy(good, bad)
    (home(top) / "source").mkdir(parents=True, mode=0o755)
    before = tree(top / "data")
    seen = scree(top, "install", "--yes", "many")
    tap.check("two files with one plugin are refused, and empty folders of the user stay", seen.returncode == 2
              and f"{bad} offers source/hoop, and so does {good}" in seen.stderr and tree(top / "data") == before, seen)
    seen = scree(top, "install", "--yes", good, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    tap.check("a copy that cannot be written is refused", seen.returncode == 1 and "File too large" in seen.stderr
              and tree(top / "data") == before, (seen, tree(top / "data")))


def test_all_or_none(top):
    """A move that fails takes back those before it."""
    place = home(top) / "source/hoop.so"
    scree(top, "install", "--yes", build(top / "hoop.so"))
    many = top / "many"
    build(many / "a.so", version="0.2.0")
    build(many / "b.so", name="hoap")
    shutil.copy(PLUGINS / "shape/box.so", many / "c.so")
    (home(top) / "shape").write_text("in the way")
    before = tree(home(top))
    seen = scree(top, "install", "--yes", "many")
    tap.check("of three files none is installed if one cannot be moved, and the replaced one is back",
              seen.returncode == 1 and f"{home(top)}/shape/box.so: " in seen.stderr and tree(home(top)) == before, seen)
    (home(top) / "shape").unlink()
    before = tree(home(top))
    shim = top / "shim.so"
    shim.write_bytes(compile_c(SHIM))
    fails = {"LD_PRELOAD": shim, "FAIL_TO": "shape/box.so"}
    seen = scree(top, "install", "--yes", "many", env=fails)
    tap.check("nor if a rename fails", seen.returncode == 1 and "shape/box.so: Input/output error" in seen.stderr
              and tree(home(top)) == before, (seen, tree(home(top)).keys()))
    seen = scree(top, "install", "--yes", "many", env={**fails, "NO_EXCHANGE": 1})
    tap.check("nor on a file system that cannot exchange names", seen.returncode == 1
              and "shape/box.so: Input/output error" in seen.stderr and tree(home(top)) == before, (seen, tree(home(top)).keys()))
    old = place.read_bytes()
    seen = scree(top, "install", "--yes", "many", env={**fails, "FAIL_BACK": "hoop.so"})
    found = re.search(r"hoop\.so cannot be put back \(Input/output error\): its file is kept in (\S+)", seen.stderr)
    kept = pathlib.Path(found[1] if found else "/nonexistent")
    tap.check("a file that cannot be put back is named with the place of its bytes, which stay there", seen.returncode == 1
              and old in tree(kept).values(), (seen, tree(home(top)).keys()))
    place.write_bytes(old)
    seen = scree(top, "install", "--yes", "many", env={"LD_PRELOAD": shim, "NO_EXCHANGE": 1})
    tap.check("without the obstacle all are, also without an exchange of names, and the kept file is still there",
              seen.returncode == 0 and place.read_bytes() == (many / "a.so").read_bytes()
              and sorted(r["file"] for r in rows(top)) == ["shape/box.so", "source/hoap.so", "source/hoop.so"]
              and old in tree(kept).values() and len(list(home(top).glob(".waiting*"))) == 1, seen)
    tap.check("it says which plugin of scree it stands in for",
              f"shadows   {PLUGINS}/shape/box.so, which is scree's own" in seen.stdout, seen)
    lock = os.open(home(top), os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    seen = scree(top, "uninstall", "shape/box")
    os.close(lock)
    tap.check("two at a time are refused", seen.returncode == 1 and "another scree install or uninstall is at work"
              in seen.stderr and (home(top) / "shape/box.so").exists(), seen)


def test_left(top):
    """Files that another process left in the folder are in nobody's way, and stay."""
    outside, folder = top / "outside", home(top)
    for name in (outside, folder / ".waiting-sub/folder", folder / ".waiting/folder"):
        name.mkdir(parents=True, mode=0o755)
    (outside / "0.so").write_text("not scree's")
    (folder / ".waiting-file").write_text("")
    (folder / ".waiting-link").symlink_to(outside)
    before = tree(top)
    path = build(top / "hoop.so")
    for words in (("install", "--yes", path), ("uninstall", "source/hoop")):
        seen = scree(top, *words)
        tap.check(f"links, files and folders with the names of waiting folders are in no way of {words[0]}",
                  seen.returncode == 0 and (folder / "source/hoop.so").exists() == (words[0] == "install"), seen)
    path.unlink()
    tap.check("they are as before", tree(top) == before, tree(top).keys())


def test_several(top):
    """A file with several plugins."""
    path = build(top / "two.so", *SECOND)
    seen = scree(top, "install", "--yes", path)
    tap.check("a file with two plugins is one file, named after the first", seen.returncode == 0
              and [(r["file"], len(r["plugins"])) for r in rows(top)] == [("source/hoop.so", 2)]
              and "source/second 3.0.0" in seen.stdout, seen)
    seen = scree(top, "plugins", "source/second")
    tap.check("the second is found", seen.returncode == 0 and "source/hoop.so" in seen.stdout, seen)
    other = build(top / "second.so", ('.id = "hoop"', '.id = "second"'))
    seen = scree(top, "install", "--yes", other)
    tap.check("another file with the second is refused", seen.returncode == 2 and
              f"offers source/second, and so does {home(top)}/source/hoop.so" in seen.stderr and len(rows(top)) == 1, seen)
    seen = scree(top, "uninstall", "source/second")
    tap.check("uninstall of the second says that the first goes, too", seen.returncode == 0
              and "source/hoop, source/second" in seen.stdout and not home(top).exists(), seen)


def test_foreign(top):
    """It neither replaces nor removes files that it has not installed, or that have changed."""
    path, place = build(top / "hoop.so"), home(top) / "source/hoop.so"
    twin = place.with_suffix(".x86-64-v3.so")
    place.parent.mkdir(parents=True, mode=0o755)
    for its, make in ((place, lambda: shutil.copy(path, place)), (place, lambda: place.symlink_to("nowhere")),
                      (twin, lambda: shutil.copy(path, twin)), (place, place.mkdir)):
        make()
        before = tree(home(top))
        seen = scree(top, "install", "--yes", path)
        tap.check(f"{its.name} that the user has put there is not replaced", seen.returncode == 2
                  and f"{its} exists, and scree install has not copied it" in seen.stderr and tree(home(top)) == before, seen)
        seen = scree(top, "uninstall", "source/hoop")
        tap.check("nor removed", seen.returncode == 2 and tree(home(top)) == before, seen)
        its.rmdir() if its.is_dir() else its.unlink()
    scree(top, "install", "--yes", path)
    place.write_bytes(b"mine")
    before = tree(home(top))
    for words in (("uninstall", "source/hoop"), ("install", "--yes", path)):
        seen = scree(top, *words)
        tap.check(f"{words[0]} leaves a file with other bytes than the installed ones", seen.returncode == 2
                  and "has other bytes than scree install has copied" in seen.stderr and tree(home(top)) == before, seen)
    place.unlink()
    seen = scree(top, "uninstall", "source/hoop")
    tap.check("a file that is gone loses its row", seen.returncode == 0 and set(tree(home(top))) == {"source"}, seen)
    place.parent.rmdir()
    own, good = "source/hoop.so", {"sha256": "", "source": "", "plugins": [{"kind": "source", "id": "hoop"}]}
    for text in ("", "[]", json.dumps({"format": 2, "files": {}}), json.dumps({"format": 1, "files": []}),
                 *(json.dumps({"format": 1, "files": {name: {**good, **bad}}}) for name, bad in (
                     ("../../x.so", {}), ("source/x.so/../../y.so", {}), ("source/hoop", {}), (own, {"sha256": None}),
                     (own, {"source": 1}), (own, {"plugins": {}}), (own, {"plugins": ["source/hoop"]}),
                     (own, {"plugins": [{"kind": "source"}]})))):
        (home(top) / "installed.json").write_text(text)
        for words in (("install", "--yes", path), ("uninstall", "source/hoop"), ("plugins", "--licences")):
            seen = scree(top, *words)
            tap.check(f"{words[0]} refuses the damaged {text!r}", seen.returncode == 1 and "is damaged" in seen.stderr
                      and set(tree(home(top))) == {"installed.json"}, (seen, tree(home(top)).keys()))


def test_twin(top):
    """The build for newer CPUs comes with its file."""
    path, twin = build(top / "hoop.so"), build(top / "hoop.x86-64-v3.so", ("angle = 2.0 * PI", "angle = PI * 2.0 + 0.0"))
    seen = scree(top, "install", "--yes", twin)
    tap.check("a build for another level is not installed by itself", seen.returncode == 2 and "which comes with it"
              in seen.stderr, seen)
    seen = scree(top, "install", "--yes", path)
    if "this CPU cannot try it" in seen.stdout:
        tap.skip("both builds are installed", "this CPU is not x86-64-v3")
        return
    place, there = home(top) / "source/hoop.so", home(top) / "source/hoop.x86-64-v3.so"
    tap.check("both builds are installed, each with its row", seen.returncode == 0 and there.read_bytes() == twin.read_bytes()
              and {r["file"]: r["sha256"] for r in rows(top)} == {"source/hoop.so": sha256(path), f"source/{there.name}": sha256(twin)},
              (seen, rows(top)))
    before = tree(home(top))
    build(twin, version="0.2.0")
    seen = scree(top, "install", "--yes", path)
    tap.check("another version in the better build is refused", seen.returncode == 3 and tree(home(top)) == before
              and f"{twin}: offers other plugins or versions than {path}" in seen.stderr, seen)
    build(twin, *BAD)
    seen = scree(top, "install", "--yes", path)
    tap.check("a fault of only the better build refuses both", seen.returncode == 3 and f"{twin}: scree check fails" in seen.stderr
              and tree(home(top)) == before, seen)
    twin.unlink()
    build(path, version="0.3.0")
    there.write_bytes(b"mine")
    seen = scree(top, "install", "--yes", path)
    tap.check("an old twin that has changed is not taken away", seen.returncode == 2 and there.read_bytes() == b"mine"
              and f"{there} has other bytes" in seen.stderr, seen)
    seen = scree(top, "uninstall", "source/hoop")
    tap.check("nor by uninstall", seen.returncode == 2 and there.read_bytes() == b"mine" and place.exists(), seen)
    there.write_bytes(before[f"source/{there.name}"])
    seen = scree(top, "install", "--yes", path)
    tap.check("a file without a twin takes the old twin away", seen.returncode == 0 and not there.exists()
              and [r["file"] for r in rows(top)] == ["source/hoop.so"], seen)
    build(twin, version="0.3.0")
    scree(top, "install", "--yes", path)
    both = place.exists() and there.exists()
    seen = scree(top, "uninstall", "source/hoop")
    tap.check("uninstall removes both", both and seen.returncode == 0 and not home(top).exists(), seen)


def test_licences(top):
    """Origins in the table of licences, in the list and in the manifest of a run; a note about a stand-in."""
    own = PLUGINS / "shape/box.so"
    (top / "s.cfg").write_text(SCENE.replace("shapes = {", 'shapes = {\n    cup = { type = "box"; size = (1.0, 1.0, 1.0); };')
                               .replace("bodies = {", 'bodies = {\n    cup = { shape = "cup"; };'))
    words = ("run", "s.cfg", "--steps", "1", "--set", "force.0.kn=2e4")
    seen = scree(top, *words, "-o", "before")
    listed = json.loads((top / "before/manifest.json").read_text())["plugins"]
    tap.check("a run with scree's own plugins says nothing of others", seen.returncode == 0 and "shadows" not in seen.stderr
              and {(p["origin"], p["licence"], p["shadowed"]) for p in listed} == {("scree", "Apache-2.0", None)}, seen)
    shutil.copy(own, top / "copy.so")
    scree(top, "install", "--yes", "copy.so")
    place = home(top) / "shape/box.so"
    seen = scree(top, *words, "-o", "after")
    tap.check("a run says once which plugin of others stands in for scree's own", seen.returncode == 0
              and seen.stderr.count("shadows") == 1 and f"shape/box: {place} of Apache-2.0 shadows {own}\n" in seen.stderr, seen)
    listed = [p for p in json.loads((top / "after/manifest.json").read_text())["plugins"] if p["id"] == "box"]
    tap.check("so does its manifest", [(p["origin"], p["shadowed"], p["sha256"]) for p in listed]
              == [("user", str(own), sha256(own))], listed)
    shutil.copytree(home(top), top / "more")
    for path, origin in ((top / "more", "other"), (PLUGINS, "scree")):
        seen = scree(top, *words, "--plugin-path", path, "-o", origin)
        listed = [p for p in json.loads((top / origin / "manifest.json").read_text())["plugins"] if p["id"] == "box"]
        tap.check(f"a file of another folder is of {origin}", listed[0]["origin"] == origin
                  and (listed[0]["shadowed"] is None) == (origin == "scree"), listed)
    scree(top, "install", "--yes", build(top / "hoop.so"))
    seen = scree(top, "plugins", "--licences")
    rows_ = {line.split()[0] + (" own" if line.endswith(" scree") else ""): line for line in seen.stdout.splitlines()}
    tap.check("plugins --licences lists id, licence, origin", seen.returncode == 0
              and rows_["source/hoop"].split(None, 2)[1:] == ["MIT", f"{home(top)}/source/hoop.so, installed from {top}/hoop.so"]
              and rows_["shape/box own"].split()[1:] == ["Apache-2.0", "scree"] and len(rows_) > 80, seen.stdout)
    seen = scree(top, "plugins", "--licences", "gcd")
    tap.check("or those of a kind", seen.returncode == 0 and all(line.startswith("gcd/") for line in seen.stdout.splitlines()), seen)
    for more in (["--json"], ["source/hoop"]):
        seen = scree(top, "plugins", "--licences", *more)
        tap.check(f"--licences with {more[0]} is refused", seen.returncode == 2 and "--licences: expected" in seen.stderr, seen)
    listed = json.loads(scree(top, "plugins", "source", "--json").stdout)["plugins"]
    tap.check("the list in JSON has licences", {p["licence"] for p in listed if p["id"] == "hoop"} == {"MIT"}, listed)


def test_abis(top):
    """One folder for each ABI."""
    path = build(top / "hoop.so")
    for folder in ("scree/plugins/source", "scree/plugins/abi-0.1/source"):
        (top / "data" / folder).mkdir(parents=True)
        shutil.copy(path, top / "data" / folder)
    seen = scree(top, "plugins", "source/hoop")
    tap.check("folders of other ABIs are not searched", seen.returncode == 2, seen)
    scree(top, "install", "--yes", path)
    scree(top, "uninstall", "source/hoop")
    tap.check("nor touched", len(list((top / "data").rglob("hoop.so"))) == 2)


tap.in_folders(test_one, test_terminal, test_stop, test_bad, test_all_or_none, test_left, test_several, test_foreign, test_twin, test_licences, test_abis)
