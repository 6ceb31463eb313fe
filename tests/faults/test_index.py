# SPDX-License-Identifier: Apache-2.0
"""The index of plugins: what is known needs no child process, and no index makes scree load a file that was
not tried.

usage: test_index.py SCREE FAILS FOLDER_OF_MODULES BUILD INSTALLED_PROGRAM INSTALLED_PLUGINS
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import tap
from runs import environment

SCREE, FAILS, MODULES, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
PLACES = [a.lstrip("/") for a in sys.argv[5:7]]
ROOT = os.geteuid() == 0
V3 = "x86-64-v3"
SCENE = """
scene = { dt = 1.0e-5; steps = 2; };
materials = { glass = { density = 2500.0; KEY }; };
bodies = { a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "LAW"; MORE } );
"""


class Seen:
    """A command that has ended, and how many processes it has made."""

    def __init__(self, program, top, words, env):
        forks = top / "forks"
        forks.unlink(missing_ok=True)
        clean = environment(XDG_CACHE_HOME=str(top / "cache"), LD_PRELOAD=str(FAILS),
                     FORKS=str(forks))
        clean.update(env)
        self.ran = subprocess.run([str(program), "--no-parent", *map(str, words)], cwd=top, env=clean, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.status, self.out, self.err = self.ran.returncode, self.ran.stdout, self.ran.stderr
        self.forks = forks.stat().st_size if forks.exists() else 0

    def __repr__(self):
        return f"{self.forks} children, {self.ran}"


def scree(top, *words, program=SCREE, **env):
    return Seen(program, top, words, env)


def place(folder, module, name=None):
    """Copies a module; its bytes get into a new file."""
    folder.mkdir(parents=True, exist_ok=True)
    target, new = folder / f"{name or module}.so", folder / "new"
    shutil.copyfile(MODULES / (module + ".so"), new)
    new.chmod(0o644)
    new.rename(target)
    return target


def listed(top, folder="p", **env):
    """`scree plugins` of a folder, and the lines of its plugins."""
    seen = scree(top, "plugins", "--plugin-path", top / folder, **env)
    return seen, [line for line in seen.out.splitlines() if str(top / folder) in line]


def index_of(top):
    return top / "cache/scree/plugins.json"


def dump(index):
    """The text of an index, as scree writes it: a line for each element."""
    def one(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    head = one({k: v for k, v in index.items() if k not in ("files", "plugins")})[:-1]
    files, plugins = (",\n".join(map(one, index[key])) for key in ("files", "plugins"))
    return f'{head},"files":[\n{files}\n],"plugins":[\n{plugins}\n]}}\n'


def edit(top, change):
    """Lets `change` edit the user's index."""
    index = json.loads(index_of(top).read_text())
    change(index)
    index_of(top).write_text(dump(index))


def row_of(index, path):
    return next(row for row in index["files"] if row["file"] == str(path))


def stat_of(path):
    s = path.stat()
    times = (f"{t // 10**9}.{t % 10**9:09d}" for t in (s.st_mtime_ns, s.st_ctime_ns))
    return f"{s.st_ino} {s.st_size} {' '.join(times)}"


# ---- what is known is not tried ---------------------------------------------------------------


def test_own(top):
    """The index that the build has written next to the plugins."""
    claims = ("the list of the plugins of the build takes no child process",
              "a misspelt plugin takes none", "a scene with one takes none",
              "the start of a scene takes none", "an unknown key of a material takes none")
    if not (BUILD / "plugins/plugins.json").exists():
        for claim in claims:
            tap.skip(claim, "this build has no plugins.json (ninja plugins/plugins.json)")
        return
    seen = scree(top, "plugins")
    tap.check(claims[0], seen.forks == 0 and seen.status == 0 and len(seen.out.splitlines()) > 50, seen)
    plain = scree(top, "plugins", XDG_CACHE_HOME="/dev/null")
    tap.check("with or without the user's index", plain.forks == 0 and plain.out == seen.out, plain)
    seen = scree(top, "plugins", "gcd/gird")
    tap.check(claims[1], seen.forks == 0 and seen.status == 2 and 'did you mean "gcd/grid"?' in seen.err, seen)
    seen = scree(top, "validate", "collision", "--set", 'gcd={plugin="gird";}')
    tap.check(claims[2], seen.forks == 0 and seen.status == 2 and 'did you mean "grid"?' in seen.err, seen)
    seen = scree(top, "run", "collision", "--steps", 1, "-q")
    tap.check(claims[3], seen.forks == 0 and seen.status == 0, seen)
    seen = scree(top, "validate", "collision", "--set", "materials.glass.frictoin=0.5")
    tap.check(claims[4], seen.forks == 0 and seen.status == 2 and "no installed plugin knows this material key"
              in seen.err and 'did you mean "friction"?' in seen.err, seen)


def result_of(seen):
    """The hash in the JSON that a run has printed on standard output."""
    try:
        return len(json.loads(seen.out)["state_sha256"]) == 64
    except ValueError:
        return False


def check_tables(top, program, tools, claims):
    """Runs whose scree-tools is missing, or does not make a table."""
    words = ("run", "scene.cfg", "-q")
    note = "scree: note: the result is JSON without a table: "
    seen = scree(top, *words, program=program)
    tap.check(claims[0], seen.status == 0 and result_of(seen) and seen.err.count(note) == 1 and str(tools) in seen.err
              and seen.err.count("\n") == 1, seen)
    seen = scree(top, *words, "--json", program=program)
    tap.check(claims[1], seen.status == 0 and result_of(seen) and seen.err.count(note) == 1, seen)
    for claim, deed, status in zip(claims[2:], ("exit 2", "kill -9 $$", "exit 1"), (0, 0, 1)):
        tools.write_text(f"#!/bin/sh\n{deed}\n")
        tools.chmod(0o755)
        seen = scree(top, *words, program=program)
        tap.check(claim, seen.status == status and (note in seen.err and result_of(seen) if not status
                                                    else "cannot write to standard output" in seen.err), seen)
    tools.write_text("#!/bin/sh\nkill -INT $$\nkill -TERM $$\nkill -HUP $$\necho the table\n")
    seen = scree(top, *words, program=program)
    tap.check(claims[5], seen.status == 0 and seen.out == "the table\n" and not seen.err, seen)
    tools.unlink()
    for claim, out, status in ((claims[6], subprocess.PIPE, 4), (claims[7], open("/dev/full", "w"), 1)):
        run = subprocess.Popen([str(program), *words, "--steps", str(10 ** 12), "-o", f"stopped-{status}"], cwd=top,
                               env=environment(), text=True, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
        end = time.monotonic() + 60.0
        while not (top / f"stopped-{status}/scene.cfg").exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.3)
        run.terminate()
        said = run.communicate(timeout=60)
        tap.check(claim, run.returncode == status and "stopped by SIGTERM" in said[1] and "to continue: scree run" in said[1],
                  (run.returncode, said))


def test_installed(top):
    """Copies of the build's files, as `meson install` makes them: other inodes, other times, the same bytes."""
    claims = ("the list of installed plugins takes no child process: their bytes are known",
              "what was compared is known by its times then", "the start of a scene with them takes none",
              "an installed file that is exchanged is tried, and no other",
              "a run without scree-tools ends well, and prints its result as JSON",
              "with --json the JSON is printed once",
              "a scree-tools of another version does not change its end", "a scree-tools that is killed does not, either",
              "only its status 1 means that the table could not be written", "signals that it gets with the run do not end it",
              "a run that a signal stops without scree-tools says how it goes on: status 4",
              "... and where standard output is full, too")
    if not (BUILD / "plugins/plugins.json").exists():
        for claim in claims:
            tap.skip(claim, "this build has no plugins.json (ninja plugins/plugins.json)")
        return
    program, plugins = (top / "stage" / place for place in PLACES)
    tools = program.parents[1] / "libexec/scree/scree-tools"
    for source, target in ((SCREE, program), (SCREE.parent / tools.name, tools),
                           *((SCREE.parent / name, plugins.parent / name) for name in ("scree-hdf5.so", "scree-query.so"))):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    for path in [*BUILD.glob("plugins/*/*.so"), BUILD / "plugins/plugins.json"]:
        target = plugins / path.relative_to(BUILD / "plugins")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    seen = scree(top, "plugins", program=program)
    own = [line for line in seen.out.splitlines() if f"[{plugins}/" in line]
    tap.check(claims[0], seen.forks == 0 and seen.status == 0 and len(own) > 50, seen)
    rows = json.loads(index_of(top).read_text())["files"]
    tap.check(claims[1], all(row["stat"] == stat_of(pathlib.Path(row["file"])) for row in rows) and
              len(rows) >= len({line.split("[")[-1] for line in own}),
              rows)
    (top / "scene.cfg").write_text(SCENE.replace("LAW", "linear").replace("MORE", "kn = 1e5;").replace("KEY", ""))
    seen = scree(top, "run", "scene.cfg", "-q", program=program)
    tap.check(claims[2], seen.forks == 0 and seen.status == 0 and index_of(top).read_text().count("\n")
              == len(rows) + 3, seen)
    tools.rename(tools.with_name("away"))
    check_tables(top, program, tools, claims[4:])
    tools.with_name("away").rename(tools)
    bad = plugins / "gcd/grid.so"
    bad.unlink()
    shutil.copy(MODULES / "crash.so", bad)
    seen = scree(top, "plugins", program=program)
    tap.check(claims[3], seen.forks == 1 and seen.status == 3 and f"{bad}: crashed" in seen.err, seen)


def test_cache(top):
    """The user's index: every file is tried once."""
    paths = [place(top / "p/force", "minimal"), place(top / "p/force", "other_id")]
    twin = place(top / "p/force", "minimal", f"minimal.{V3}")
    v3 = scree(top, "plugins", paths[0], SCREE_CPU_LEVEL=V3).status == 0
    index_of(top).unlink(missing_ok=True)
    plain, lines = listed(top, XDG_CACHE_HOME="/dev/null")
    tap.check("without an index there is a child process for each file of each CPU level",
              plain.forks == 2 + v3 and len(lines) == 2 and not plain.err, plain)
    first, _ = listed(top)
    second, _ = listed(top)
    tap.check("a file is tried once, and the list says the same afterwards",
              (first.forks, second.forks) == (2 + v3, 0) and plain.out == first.out == second.out, second)
    seen = scree(top, "plugins", paths[0])
    tap.check("it is loaded without another trial", seen.forks == 0 and seen.status == 0, seen)
    index = json.loads(index_of(top).read_text())
    offers = sorted(tuple(offer[:2]) for row in index["files"] for offer in row["plugins"])
    tap.check("the user's index has a row for each file: only what it offers",
              offers == sorted([("force", "minimal")] * (1 + v3) + [("force", "other")]) and not index["plugins"], index)
    place(top / "p/force", "minimal_2", "other_id")
    seen, lines = listed(top)
    tap.check("a changed file is tried again, and no other", seen.forks == 1, seen)
    if v3:
        place(top / "p/force", "other_id", f"minimal.{V3}")
        seen, _ = listed(top)
        tap.check("a changed build for another CPU, too: the two builds are two files", seen.forks == 1
                  and seen.status == 3 and f"{twin}: offers other plugins" in seen.err, seen)
    else:
        tap.skip("a changed build for another CPU, too: the two builds are two files", "this CPU lacks the level")
    twin.unlink()
    place(top / "p/force", "minimal", "third")
    paths[1].unlink()
    seen, lines = listed(top)
    rows = [row["file"] for row in json.loads(index_of(top).read_text())["files"]]
    tap.check("a new file is tried, and what is gone has no row", seen.forks == 1
              and sorted(rows) == [str(paths[0]), str(top / "p/force/third.so")], (seen, rows))


def test_run(top):
    """A run has no code that judges files: scree-tools does it, once."""
    path = place(top / "p/force", "minimal")
    (top / "scene.cfg").write_text(SCENE.replace("LAW", "minimal").replace("MORE", "").replace("KEY", ""))
    words = ("run", "--plugin-path", top / "p", "scene.cfg", "-q")
    first, second = scree(top, *words), scree(top, *words)
    tap.check("a run has an unknown file tried, and the next run knows it", first.status == second.status == 0
              and first.forks and not second.forks and index_of(top).exists(), (first, second))
    place(top / "p/force", "minimal_2", "minimal")
    third = scree(top, *words)
    tap.check("a changed file is tried for a run again", third.forks == first.forks, third)
    program = top / "stage" / PLACES[0]
    program.parent.mkdir(parents=True)
    shutil.copy(SCREE, program)
    tools = program.parents[1] / "libexec/scree/scree-tools"
    seen = scree(top, *words, program=program, XDG_CACHE_HOME=str(top / "other"))
    tap.check("a run without scree-tools refuses an unknown file", seen.status == 3
              and f"{path}: {tools}, which tries it, is missing, or has failed" in seen.err, seen)
    note = f"scree: warning: {tools}, which lists plugins, is missing, or has failed"
    lacks = ("run", "scene.cfg", "-q", "--set", 'force=({plugin="nowhere";})', "--plugin-path", top / "p", "--plugin-path", top)
    seen = scree(top, *lacks, program=program)
    tap.check("a run that cannot list plugins says so once", seen.status == 2 and seen.err.count(note) == 1
              and "no plugin force/nowhere" in seen.err, seen)
    tools.parent.mkdir(parents=True, exist_ok=True)
    tools.write_text("#!/bin/sh\necho '[1, 2]'\n")
    tools.chmod(0o755)
    seen = scree(top, *lacks, program=program)
    tap.check("and where a line of the list is malformed, too", seen.status == 2 and seen.err.count(note) == 1, seen)


def test_refused(top):
    """A refused file is tried each time: the reason may have gone."""
    bad, good = place(top / "p", "crash"), place(top / "p", "minimal")
    counts = [listed(top)[0] for _ in range(2)]
    tap.check("a refused file is tried each time, the good one once", [seen.forks for seen in counts] == [2, 1]
              and all(f"{bad}: crashed" in seen.err and str(good) in seen.out for seen in counts), counts)
    place(top / "p", "crash", "minimal")
    seen, lines = listed(top)
    index = json.loads(index_of(top).read_text())
    tap.check("the row of a file that is refused later goes", not lines and not index["files"] + index["plugins"],
              (seen, index))
    good = place(top / "p", "minimal")
    listed(top)
    good.chmod(0o666)
    seen, lines = listed(top)
    tap.check("a file that others can write is refused though the index knows it", not lines
              and f"{good}: the file can be written by others" in seen.err, seen)


def test_users_key(top):
    """A key of a material that only a plugin of the user knows."""
    place(top / "p", "minimal")
    (top / "scene.cfg").write_text(SCENE.replace("LAW", "minimal").replace("MORE", "").replace(
        "KEY", "no_such_key = 1.0;"))
    seen = [scree(top, "validate", "scene.cfg", "--plugin-path", top / "p") for _ in range(2)]
    tap.check("an unknown key of a material is reported from the index as without", seen[1].forks == 0
              and seen[0].err == seen[1].err and "no installed plugin knows this material key" in seen[1].err, seen)


# ---- no index lets a file in that was not tried -----------------------------------------------


def test_swapped(top):
    """Rows that say of a bad file what is true of another."""
    path = place(top / "p/force", "minimal")
    listed(top)
    known = index_of(top).read_text()

    def forge(**values):
        index = json.loads(known)
        row_of(index, path).update(values)
        index_of(top).write_text(dump(index))
    good = path.stat()
    crash = (MODULES / "crash.so").read_bytes()
    path.write_bytes(crash)
    os.utime(path, ns=(good.st_atime_ns, good.st_mtime_ns))
    seen, lines = listed(top)
    tap.check("a file that was written to with its old time is tried", seen.forks == 1 and not lines
              and f"{path}: crashed" in seen.err, seen)
    time.sleep(3.2)  # younger times are not believed
    forge(stat=stat_of(path))
    seen, lines = listed(top)
    tap.check("a list believes a row with all times of the file", seen.forks == 0 and len(lines) == 1, seen)
    for words in (["plugins", path], ["plugins", "force/minimal", "--plugin-path", top / "p"]):
        forge(stat=stat_of(path))
        seen = scree(top, *words)
        tap.check(f"but the file is tried before it is loaded, and refused ({str(words[1])[-13:]})",
                  seen.forks == 1 and seen.status == 3 and f"{path}: crashed" in seen.err, seen)
    place(top / "p/force", "minimal")
    forge(sha256="0" * 64)
    seen = scree(top, "plugins", path)
    tap.check("a row with another SHA-256 than that of a good file does no harm", seen.forks == 1
              and seen.status == 0, seen)
    edit(top, lambda index: index["files"].append(dict(row_of(index, path), file=str(top / "p/force/gone.so"))))
    seen, lines = listed(top)
    tap.check("a row about a file that is not there is not listed", len(lines) == 1 and seen.status == 0
              and "gone" not in seen.out + seen.err, seen)


def test_writers(top):
    """A lie in an index that others can write: crash.so is called good, with its times and its hash."""
    good, bad = place(top / "p", "minimal"), place(top / "p", "crash")
    listed(top)
    sha256 = subprocess.run(["sha256sum", bad], text=True, capture_output=True, check=True).stdout.split()[0]

    def lie(index):
        index["files"] = [dict(row_of(index, good), file=str(bad), stat=stat_of(bad), sha256=sha256)]
    edit(top, lie)
    seen = scree(top, "plugins", bad)
    tap.check("the lie is believed in an index of the user's own: the next claims test something",
              seen.forks == 0 and seen.status == -11 and f"crash (SIGSEGV) in {bad} while it was loaded" in seen.err, seen)
    index, text = index_of(top), index_of(top).read_bytes()

    def ignored(claim):
        seen = scree(top, "plugins", bad)
        tap.check(claim, seen.forks == 1 and seen.status == 3 and f"{bad}: crashed while it was loaded" in seen.err, seen)
    index.chmod(0o666)
    ignored("an index that others can write is ignored")
    index.unlink()
    index.write_bytes(text)
    index.parent.chmod(0o777)
    ignored("an index in a folder that others can write is ignored")
    index.parent.chmod(0o700)
    index.rename(top / "elsewhere.json")
    (top / "open").mkdir()
    (top / "open/link.json").symlink_to(top / "elsewhere.json")
    index.symlink_to(top / "open/link.json")
    (top / "open").chmod(0o777)
    ignored("an index behind a link in a folder that others can write is ignored")
    index.unlink()
    index.write_bytes(text)
    for claim, change in (("an index of another ABI is ignored", {"abi": "0" * 64}),
                          ("an index of another version is ignored", {"scree": "0.0.0"}),
                          ("an index of another format is ignored", {"format": 9})):
        index.write_bytes(text)
        edit(top, lambda data, change=change: data.update(change))
        ignored(claim)
    claim = "an index of another user is ignored"
    if not ROOT:
        tap.skip(claim, "only root can give files away")
        return
    index.write_bytes(text)
    os.chown(index, 12345, 12345)
    ignored(claim)


def replaced(value):
    """Copies of a JSON value, each with one part replaced by something of another type."""
    for other in (None, 1, -0.5, "x", True, [], {}, [[]], [None]):
        if not isinstance(value, str) or other != "x":
            yield other
    parts = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, part in list(parts):
        for other in replaced(part):
            copy = value.copy()
            copy[key] = other
            yield copy


def test_damaged(top):
    """Whatever the index is, the list is the same and nothing crashes."""
    place(top / "p", "minimal")
    plain, lines = listed(top)
    good = index_of(top).read_bytes()
    head, row = good.split(b"\n")[:2]
    index = json.loads(good)
    texts = {f"cut after {n}": good[:n] for n in range(0, len(good), max(len(good) // 40, 1))}
    for data in replaced(index["files"][0]):
        texts[f"row {data}"] = dump(dict(index, files=[data])).encode()
    texts.update({"deep": b"[" * 10**6, "binary": bytes(range(256)) * 100, "blank": b" \n", "twice": good + good,
                  "quote": b'"' * 1001, "no end": good.replace(b'],"plugins":[', b'],"x":['), "one line": good.replace(b"\n", b""),
                  "deep row": head + b'\n{"file":"' + row.split(b'"')[3] + b'","stat":' + b"[" * 10**6 + b"\n",
                  "open row": head + b'\n{"file":"' + row.split(b'"')[3], "no path": head + b'\n{"file":"\n'})
    wrong = {}
    for name, text in texts.items():
        index_of(top).unlink(missing_ok=True)
        index_of(top).write_bytes(text)
        seen, now = listed(top)
        if seen.status or seen.err or now != lines or seen.forks > 1:
            wrong[name] = seen
    tap.check(f"an index that is cut off or damaged is ignored, or its row is ({len(texts)} of them)",
              not wrong and len(texts) > 80, wrong)
    seen, now = listed(top)
    tap.check("the next list writes it again", seen.forks == 0 and now == lines, seen)


def test_unwritable(top):
    place(top / "p", "minimal")
    for claim, cache in (("cannot be made", "/dev/null"), ("is a file", str(top / "file")),
                         ("is full", "/proc")):
        (top / "file").write_text("")
        seen, lines = listed(top, XDG_CACHE_HOME=cache)
        tap.check(f"with a cache folder that {claim} plugins are listed", seen.status == 0 and not seen.err and len(lines) == 1
                  and seen.forks == 1, seen)
    listed(top)
    edit(top, lambda index: index["files"].extend(50 * index["files"][:1]))
    place(top / "p", "other_id")
    listed(top)
    index = json.loads(index_of(top).read_text())
    tap.check("rows that come twice are written once", len(index["files"]) == 2, index)
    listed(top, XDG_CACHE_HOME="relative", HOME=str(top / "home"))
    tap.check("a relative XDG_CACHE_HOME is ignored, ~/.cache is taken", not (top / "relative").exists()
              and (top / "home/.cache/scree/plugins.json").exists())
    listed(top)
    left = sorted(p.name for p in index_of(top).parent.iterdir())
    tap.check("no temporary file is left", left == ["plugins.json"], left)


# ---- writing an index -------------------------------------------------------------------------


def test_written(top):
    """`scree plugins --index`, which the build calls."""
    paths = [place(top / "p/force", "minimal"), place(top / "p", "other_id")]
    file = top / "p/plugins.json"
    seen = scree(top, "plugins", "--index", top / "p")
    tap.check("--index tries each file and writes plugins.json", seen.forks == 2 and seen.status == 0
              and not seen.out + seen.err and file.exists() and not index_of(top).exists(), seen)
    index = json.loads(file.read_text())
    tap.check("its paths are relative to its folder", sorted(row["file"] for row in index["files"])
              == ["force/minimal.so", "other_id.so"] == sorted(p["file"] for p in index["plugins"]), index)
    described = next(p for p in index["plugins"] if p["id"] == "minimal")
    page = json.loads(scree(top, "plugins", paths[0], "--json").out)["plugins"][0]
    own = {"file", "sha256", "cpu_level"}
    tap.check("it has all that each plugin says", described["parameters"][0]["name"] == "knob"
              and {k: v for k, v in described.items() if k not in own} == {k: v for k, v in page.items() if k not in own},
              (described, page))
    place(top / "p/force", "minimal_2", "minimal")
    seen = scree(top, "plugins", "--index", top / "p")
    again = json.loads(file.read_text())
    tap.check("a second time it tries what has changed", seen.forks == 1 and seen.status == 0
              and [p["version"] for p in again["plugins"] if p["id"] == "minimal"] == ["2.0.0"]
              and len(again["files"]) == len(again["plugins"]) == 2, (seen, again))
    os.utime(file, (0, 0))
    seen = scree(top, "plugins", "--index", top / "p")
    tap.check("an index that is older than the program is made again", seen.forks == 2 and seen.status == 0, seen)
    seen, _ = listed(top)
    tap.check("an index in another folder than that of the program is not read", seen.forks == 2, seen)
    paths[1].unlink()
    bad = place(top / "p", "crash")
    seen = scree(top, "plugins", "--index", top / "p")
    tap.check("a refused file is reported, with status 3, and has no row", seen.status == 3 and f"{bad}: crashed"
              in seen.err and [r["file"] for r in json.loads(file.read_text())["files"]] == ["force/minimal.so"], seen)
    for words, error in ((["--index", "no"], "--index no: no such folder"),
                         (["--index", "p", "gcd"], "expected nothing else with it"),
                         (["--index", "p", "--json"], "expected nothing else with it")):
        seen = scree(top, "plugins", *words)
        tap.check(f"{' '.join(words)} is refused", seen.status == 2 and error in seen.err, seen)
    before = file.read_text()
    seen = scree(top, "plugins", "--index", top / "p", SCREE_CPU_LEVEL="z80")
    tap.check("with an unknown CPU level no index is written", seen.status == 2 and file.read_text() == before, seen)
    file.unlink()
    file.mkdir()
    seen = scree(top, "plugins", "--index", top / "p")
    tap.check("an index that cannot be written is an error here", seen.status == 1 and "plugins.json" in seen.err, seen)


tap.in_folders(test_own, test_installed, test_cache, test_run, test_refused, test_users_key, test_swapped, test_writers,
               test_damaged, test_unwritable, test_written)
