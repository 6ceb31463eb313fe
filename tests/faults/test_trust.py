# SPDX-License-Identifier: Apache-2.0
"""The checked file is the loaded file: users that can change a plugin, its folders and its libraries, and
a file that is replaced or written to between the check and its use.

usage: test_trust.py SCREE FOLDER_OF_MODULES ABI_FOLDER GENERATED_ABI_FOLDER CC...
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import runs
import tap

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
INCLUDES, CC = ["-I" + x for x in sys.argv[3:5]], sys.argv[5:]
HERE = pathlib.Path(__file__).resolve().parent
OTHER, THIRD = 12345, 23456  # users that are not root and not this one
ROOT = os.geteuid() == 0


def scree(top, *args, user=None, **env):
    clean = runs.environment()
    clean.pop("LD_LIBRARY_PATH", None)
    return runs.scree(top, *args, env={**clean, **env}, user=user, group=user, extra_groups=None if user is None else [])


def make(folder, name, text, *args):
    """Compiles a shared object from C source."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / (name + ".c"), folder / (name + ".so")
    source.write_text(text)
    done = subprocess.run([*CC, "-shared", "-fPIC", "-fvisibility=hidden", *INCLUDES, f"-I{HERE}",
                           "-o", str(target), str(source), *map(str, args)], text=True,
                          capture_output=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    source.unlink()
    target.chmod(0o644)
    return target


def plugin(folder, name="minimal", at_load="", more="", *args):
    line = f"#define FAULT_AT_LOAD {at_load}\n" if at_load else ""
    return make(folder, name, f"#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdio.h>\n"
                f"#include <unistd.h>\n{more}\n{line}#include \"fault.h\"\n", *args)


def place(folder, module="minimal", name=None):
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / ((name or module) + ".so")
    shutil.copyfile(MODULES / (module + ".so"), target)
    target.chmod(0o644)
    return target


def is_refusal(seen, *words):
    lines = seen.stderr.splitlines()
    return seen.returncode == 3 and len(lines) == 1 and all(str(w) in lines[0] for w in words)


def refused(claim, seen, *words):
    tap.check(claim, is_refusal(seen, *words), f"{seen}\nexpected {words}")


# ---- write permissions ------------------------------------------------------------------------


def test_owners(top):
    claims = ("a folder far above a plugin that belongs to another user is refused, with its name",
              "a link that another user has put into a sticky folder is refused",
              "a user's own plugin in a user's own folder is taken",
              "the plugin of a third user is refused",
              "a user's plugin in a folder that a third user owns is refused")
    if not ROOT:
        for claim in claims:
            tap.skip(claim, "only root can give files away")
        return
    path = place(top / "given/a/b")
    os.chown(top / "given", OTHER, OTHER)
    refused(claims[0], scree(top, "plugins", path), path, f"the folder {top / 'given'} above it",
            "belongs to another user", "--trust FILE")
    tap.check("--trust takes it all the same", scree(top, "plugins", path, "--trust", path).returncode == 0)
    shared, real = top / "shared", place(top / "real")
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "own.so").symlink_to(real)
    seen = scree(top, "plugins", shared / "own.so")
    tap.check("a link of the user's own in a sticky folder is followed", seen.returncode == 0
              and f"file      {real}" in seen.stdout, seen)
    (shared / "other.so").symlink_to(real)
    os.chown(shared / "other.so", OTHER, OTHER, follow_symlinks=False)
    refused(claims[1], scree(top, "plugins", shared / "other.so"), real, f"the link {shared}/other.so")
    path = place(top / "home/plugins")
    for each in (path, path.parent, path.parent.parent):
        os.chown(each, OTHER, OTHER)
    seen = scree("/", "plugins", path, user=OTHER)
    tap.check(claims[2], seen.returncode == 0, seen)
    os.chown(path, THIRD, THIRD)
    refused(claims[3], scree("/", "plugins", path, user=OTHER), path, "the file belongs to another user")
    os.chown(path, OTHER, OTHER)
    os.chown(top / "home", THIRD, THIRD)
    refused(claims[4], scree("/", "plugins", path, user=OTHER), path, f"the folder {top / 'home'} above it")


def test_links(top):
    """A link is as safe as its folder: a writer of the folder chooses the file that is loaded."""
    real = place(top / "real")
    (top / "open").mkdir()
    (top / "open/x.so").symlink_to(real)
    tap.check("a link in a folder of the user's own is followed",
              scree(top, "plugins", top / "open/x.so").returncode == 0)
    (top / "open").chmod(0o777)
    refused("a link in a folder that others can write is refused",
            scree(top, "plugins", top / "open/x.so"), real, f"the folder {top / 'open'} above it",
            "can be written by others")
    (top / "loop.so").symlink_to(top / "loop.so")
    refused("a loop of links is refused", scree(top, "plugins", "loop.so"), "loop.so", "symbolic links")
    (top / "far").symlink_to(top / "real")
    seen = scree(top / "real", "plugins", "../far/../real/./minimal.so")
    tap.check("dots and links of a relative path lead where the system says", seen.returncode == 0
              and f"file      {real}\n" in seen.stdout, seen)


# ---- from the look to the use -----------------------------------------------------------------


def test_replaced(top):
    """Constructors run in the child that tries a file, before the file is loaded: here they change
    the file at the path in between, as a build in the background may."""
    new = place(top / "new", "minimal_2")
    path = plugin(top / "race", at_load=f'rename("{new}", "{top}/race/minimal.so");')
    sum_of_old = hashlib.sha256(path.read_bytes()).hexdigest()
    data = json.loads(scree(top, "plugins", path, "--json").stdout)["plugins"][0]
    tap.check("a file that is replaced after it was tried: the one that was tried is loaded",
              data["version"] == "1.0.0", data)
    tap.check("and the hash is that of the file that was loaded", data["sha256"] == sum_of_old
              and data["file"] == str(path)
              and hashlib.sha256(path.read_bytes()).hexdigest() != sum_of_old, data)
    grow = ('int fd = open("%s", O_WRONLY | O_APPEND); if (write(fd, "x", 1) != 1) _exit(9); close(fd);')
    path = plugin(top / "grown", at_load=grow % (top / "grown/minimal.so"))
    refused("a file that is written to after it was looked at is refused",
            scree(top, "plugins", path), path, "was written to while it was")
    time.sleep(3.1)  # an old file, whose times show a change
    refused("so is one that had not changed for some seconds", scree(top, "plugins", path), path,
            "was written to while it was")
    lib = top / "once/minimal.so"
    once = f'if (getenv("SCREE_TEST_PARENT") && getppid() == atoi(getenv("SCREE_TEST_PARENT"))) {{ {grow % lib} }}'
    path = plugin(top / "once", at_load=once, more="#include <stdlib.h>")
    refused("a file that is written to while it is loaded is refused",
            scree(top, "plugins", path, "--no-parent", SCREE_TEST_PARENT=str(os.getpid())), path,
            "was written to while it was loaded")


SCENE = """
scene = { dt = 1.0e-5; steps = 1000000000; };
materials = { m = { density = 2500.0; }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "minimal"; } );
observers = { beads = { plugin = "csv"; what = "bodies"; file = "beads"; every_steps = 100; }; };
plugin_path = "mine";
"""


def test_written_later(top):
    path = place(top / "mine/force")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    (top / "scene.cfg").write_text(SCENE)
    process = runs.start(top, "run", "scene.cfg", "-q", "-o", "out", stdout=subprocess.DEVNULL)
    runs.wait_for((top / "out/beads.csv.part").exists, process)
    with open(path, "ab") as file:
        file.write(b"x")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    plugins = json.loads((top / "out/manifest.json").read_text())["plugins"]
    mine = [p for p in plugins if p["id"] == "minimal"][0]
    others = [p for p in plugins if p["id"] != "minimal"]
    tap.check("a file that is written to in mid-run is reported at the end", process.returncode == 4
              and f"{path} was written to after it was loaded" in err, (process.returncode, err))
    tap.check("its manifest says so, with the hash of the loaded file", mine["sha256"] == before
              and mine["written_to"] is True and not any("written_to" in p for p in others), plugins)


def test_names(top):
    """The linker opens a descriptor; what people see is the file."""
    more = ("#include <dlfcn.h>\nstatic void where(void) { Dl_info i; "
            "dladdr((void *)where, &i); fprintf(stderr, \"at %s\\n\", i.dli_fname); }\n")
    more += ("#include \"scree/scree.h\"\n#define FAULT_OPS .compute = show\n"
             "static int32_t show(void *self, const scree_contact_batch *batch) { (void)self; (void)batch; where(); "
             "return SCREE_E_INTERNAL; }\n")
    path = plugin(top / "mine/force", more=more)
    (top / "touch.cfg").write_text(SCENE.replace(
        "bodies = {", "bodies = { b = { radius = 0.01; position = (0.0, 0.0, 0.019); };"))
    seen = scree(top, "run", "touch.cfg", "-q", "-o", "named")
    tap.check("debuggers and backtraces see the name of the file", f"at {path}\n" in seen.stderr, seen)
    place(top / "mine/force")
    (top / "scene.cfg").write_text(SCENE)
    seen = scree(top, "run", "scene.cfg", "-q", "-o", "out", "--steps", 10)
    plugins = json.loads((top / "out/manifest.json").read_text())["plugins"]
    note = b"\x03\0\0\0GNU\0"  # NT_GNU_BUILD_ID and its name, before the id
    files = [(p, pathlib.Path(p["path"]).read_bytes()) for p in plugins]
    tap.check("the manifest has file, hash and build-id of each plugin", len(files) > 3 and all(
        p["sha256"] == hashlib.sha256(data).hexdigest()
        and (note + bytes.fromhex(p["build_id"]) in data if p["build_id"] else note not in data) for p, data in files), (seen, plugins))


# ---- libraries --------------------------------------------------------------------------------

NEEDS = "int from_helper(void); int (*volatile keep)(void) = from_helper;"
HELPER = '__attribute__((visibility("default"))) int from_helper(void) { return 7; }\n'
MARK = ('#include <stdio.h>\n__attribute__((constructor)) static void mark(void) '
        '{ FILE *f = fopen("%s", "w"); if (f) fclose(f); }\n')


def with_library(folder, runpath, lib=None, soname=False, tag="--enable-new-dtags", mark=None):
    """A plugin that needs libhelper.so of the folder lib, found by runpath."""
    lib = lib or folder
    text = (MARK % mark if mark else "") + HELPER
    made = make(lib, "libhelper", text, *(["-Wl,-soname,libhelper.so"] if soname else []))
    path = plugin(folder, "minimal", "", NEEDS, f"-L{lib}", "-lhelper", f"-Wl,{tag}",
                  *([f"-Wl,-rpath,{runpath}"] if runpath is not None else []))
    return path, made


def test_libraries(top):
    for name, args in (("origin", {}), ("soname", {"soname": True}), ("rpath", {"tag": "--disable-new-dtags"})):
        path, lib = with_library(top / name, "$ORIGIN", **args)
        seen = scree(top, "plugins", path)
        tap.check(f"a library next to the plugin is found by $ORIGIN ({name})", seen.returncode == 0, seen)
        lib.chmod(0o666)
        refused(f"a library that others can write is refused ({name})", scree(top, "plugins", path),
                path, f"needs libhelper.so: {lib}: the file can be written by others")
        tap.check(f"--trust takes the library ({name})",
                  scree(top, "plugins", path, "--trust", lib).returncode == 0)
    path, lib = with_library(top / "up/plugins", "$ORIGIN/../lib", top / "up/lib")
    tap.check("$ORIGIN/.. leads to the folder next to that of the plugin",
              scree(top, "plugins", path).returncode == 0)
    ran = top / "ran"
    path, lib = with_library(top / "folder/plugins", top / "folder/lib", top / "folder/lib", mark=ran)
    tap.check("a library is found in an absolute folder", scree(top, "plugins", path).returncode == 0
              and ran.exists())
    ran.unlink()
    (top / "folder/lib").chmod(0o777)
    refused("a library in a folder that others can write is refused", scree(top, "plugins", path), path,
            f"its folder {top / 'folder/lib'} can be written by others")
    tap.check("and no constructor of it has run", not ran.exists())
    path, lib = with_library(top / "env/plugins", None, top / "env/lib")
    seen = scree(top, "plugins", path, LD_LIBRARY_PATH=str(top / "env/lib"))
    tap.check("LD_LIBRARY_PATH is searched", seen.returncode == 0, seen)
    lib.chmod(0o666)
    refused("what it finds is judged", scree(top, "plugins", path, LD_LIBRARY_PATH=str(top / "env/lib")),
            path, lib, "can be written by others")
    judge_known(top)
    refused("a library that is nowhere is named", scree(top, "plugins", path), path, "libhelper.so")
    path, lib = with_library(top / "gone", "$ORIGIN")
    lib.unlink()
    refused("and one that is not where the file says", scree(top, "plugins", path), path,
            "cannot be loaded: libhelper.so: cannot open shared object file")


def judge_known(top):
    """A file that the index knows needs no trial, but another library may come with it than in its trial."""
    path, lib = with_library(top / "known/plugins", None, top / "known/good")
    _, bad = with_library(top / "known/again", None, top / "known/bad")
    bad.parent.chmod(0o777)
    (top / "known.cfg").write_text(SCENE.replace('"mine"', '"known/plugins"'))
    words = ("run", "known.cfg", "-q", "--steps", 1, "-o")
    seen = [scree(top, *words, f"known-{k}", LD_LIBRARY_PATH=str(folder), XDG_CACHE_HOME=str(top / "known/cache"))
            for k, folder in enumerate((lib.parent, lib.parent, bad.parent))]
    rows = json.loads((top / "known/cache/scree/plugins.json").read_text())["files"]
    tap.check("the index knows a file whose library is found by LD_LIBRARY_PATH", str(path) in [row["file"] for row in rows]
              and seen[0].returncode == seen[1].returncode == 0, (rows, seen))
    refused("what a known file loads is judged each time", seen[2], path, "loads a library that is not to be trusted",
            bad, "can be written by others")


def test_more_libraries(top):
    path, lib = with_library(top / "here/lib", "lib")
    seen = scree(top / "here", "plugins", path)
    refused("a library from a folder relative to the current one is refused", seen, path, "libhelper.so",
            "relative to the current one")
    refused("an empty entry of LD_LIBRARY_PATH, which is the current folder, too",
            scree(top / "here/lib", "plugins", path, LD_LIBRARY_PATH=":/nonexistent"), path,
            "LD_LIBRARY_PATH", "relative to the current one")
    deep = top / "deep"
    make(deep, "libhelper", HELPER)
    make(deep, "libmiddle", 'int from_helper(void);\n__attribute__((visibility("default"))) '
         'int from_middle(void) { return from_helper(); }\n', f"-L{deep}", "-lhelper",
         "-Wl,-rpath,$ORIGIN")
    path = plugin(deep, "minimal", "", NEEDS.replace("helper", "middle"), f"-L{deep}", "-lmiddle",
                  "-Wl,-rpath,$ORIGIN")
    seen = scree(top, "plugins", path)
    tap.check("a library of a library is found", seen.returncode == 0, seen)
    (deep / "libhelper.so").chmod(0o666)
    refused("and judged", scree(top, "plugins", path), path, f"needs libhelper.so: {deep / 'libhelper.so'}",
            "can be written by others")
    (deep / "libhelper.so").chmod(0o755)
    data = (deep / "libhelper.so").read_bytes()
    (deep / "libhelper.so").write_bytes(data[:len(data) // 2])
    refused("a damaged library is named, with its damage", scree(top, "plugins", path), path, deep / "libhelper.so",
            "it ends beyond the file")
    (deep / "libhelper.so").write_bytes(data)
    lib = make(top / "late", "liblate", "int late;\n")
    lib.chmod(0o666)
    path = plugin(top / "late", "minimal", f'dlopen("{lib}", RTLD_NOW);', "#include <dlfcn.h>")
    refused("a library that a constructor loads is judged", scree(top, "plugins", path), path, lib,
            "can be written by others")
    if not ROOT:
        tap.skip("a library of another user is refused", "only root can give files away")
        return
    path, lib = with_library(top / "given", "$ORIGIN")
    os.chown(lib, OTHER, OTHER)
    refused("a library of another user is refused", scree(top, "plugins", path), path, lib,
            "belongs to another user")


# ---- folders ----------------------------------------------------------------------------------


def test_folders(top):
    abi = "scree/plugins/abi-" + re.search(r"ABI (\d+\.\d+)", scree(top, "--version").stdout)[1]
    place(top / "here/data" / abi / "force")
    place(top / "here/plugins/force")
    here = top / "here"
    home = place(top / "home/.local/share" / abi / "force")
    seen = scree(here, "plugins", "force/minimal", XDG_DATA_HOME=str(here / "data"))
    tap.check("XDG_DATA_HOME has plugins", seen.returncode == 0, seen)
    seen = scree(here, "plugins", "force/minimal", XDG_DATA_HOME="data", HOME=str(top))
    tap.check("a relative XDG_DATA_HOME is ignored", seen.returncode == 2, seen)
    seen = scree(here, "plugins", "force/minimal", XDG_DATA_HOME="data", HOME=str(top / "home"))
    tap.check("and the default is taken in its place", f"file      {home}\n" in seen.stdout, seen)
    seen = scree(here, "plugins", "force/minimal", SCREE_PLUGIN_PATH=str(here / "plugins"))
    tap.check("SCREE_PLUGIN_PATH has plugins", seen.returncode == 0, seen)
    seen = scree(here, "plugins", "force/minimal", SCREE_PLUGIN_PATH=":plugins")
    tap.check("a relative folder in SCREE_PLUGIN_PATH is ignored, with a warning", seen.returncode == 2
              and 'the relative folder "plugins" is ignored' in seen.stderr, seen)
    seen = scree(here, "plugins", "--index", "plugins", SCREE_PLUGIN_PATH="plugins")
    tap.check("it does not matter for the index of a folder", seen.returncode == 0 and not seen.stderr and (here / "plugins/plugins.json").exists(), seen)
    (here / "plugins/plugins.json").unlink(missing_ok=True)
    seen = scree(here, "plugins", "force/minimal", "--plugin-path", "plugins")
    tap.check("--plugin-path takes a relative folder", seen.returncode == 0, seen)


def test_hangs(top):
    for i in range(20):
        place(top / "slow/force", "hangs", f"hangs-{i}")
    good = place(top / "slow/force")
    begin = time.monotonic()
    seen = scree(top, "plugins", "--plugin-path", top / "slow", SCREE_LOAD_LIMIT="2")
    took = time.monotonic() - begin
    tap.check("twenty files that hang are waited for together, and all are named",  # in turn: 40 s
              took < 20.0 and seen.returncode == 3 and seen.stderr.count("did not load within 2 s") == 20
              and str(good) in seen.stdout, (took, seen))
    (top / "scene.cfg").write_text(SCENE.replace('plugin_path = "mine"', 'plugin_path = "slow"').replace(
        '( { plugin = "minimal"; } )', "( " + ", ".join(
            '{ plugin = "hangs-%d"; }' % i for i in range(3)) + " )"))
    for command in ("run", "validate"):
        seen = scree(top, command, "scene.cfg", SCREE_LOAD_LIMIT="1")
        tap.check(f"{command}: a scene that names three of them names all", seen.returncode == 3
                  and seen.stderr.count("did not load within 1 s") == 3, seen)


def test_scan(top):
    """A plugin whose file has another name is found by its content, folder by folder."""
    ran = top / "ran"
    plugin(top / "first", "another-name")
    plugin(top / "second", "third-name", more=MARK % ran)
    (top / "scene.cfg").write_text(SCENE)

    def found(*folders):
        paths = [word for folder in folders for word in ("--plugin-path", top / folder)]
        return scree(top, "run", "scene.cfg", "-q", "--steps", 1, "-o", "-".join(folders), *paths)
    seen = found("first", "second")
    tap.check("a plugin is found in a file of another name", seen.returncode == 0, seen)
    tap.check("no file of a later folder is opened then", not ran.exists())
    seen = found("second", "first")
    tap.check("of two folders the first wins", seen.returncode == 0 and ran.exists(), seen)


tap.in_folders(test_owners, test_links, test_replaced, test_written_later, test_names, test_libraries,
               test_more_libraries, test_folders, test_scan, test_hangs)
