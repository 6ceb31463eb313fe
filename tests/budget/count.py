#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts that tests/budget.tsv holds; each call prints one number.

usage: count.py WHAT [NAME] [--keep FOLDER]

  steps SCENE         instructions a body and step, for the scenes of scenes.py
  serial SCENE        instructions a body and step outside of the loops that lanes share, for the same scenes
  ranks SCENE         instructions in steps and outside of exchanges of the busier of two ranks, for a body of both and step
  start run|plugins   instructions of `scree run collision --steps 1`, of `scree plugins`, in the first process
  processes run|plugins   processes of the same
  set-up              instructions a body: spheres of a table, up to the end of the first step
  generate            the same of spheres at random places, which fill 0.3 of a cube
  validate            instructions a body of `scree validate`: spheres on a lattice
  checkpoint          instructions a body of a checkpoint
  restart             instructions a body of a restart, up to the end of the first step
  peak                bytes a body at the peak of `scree run`: 512 000 spheres of a table
  peak-ranks          the same of the largest of four ranks, for a body of all
  edges TARGET        build steps of a target of ninja, in a folder that is configured as ./bootstrap does
  names               names that the headers of abi/scree declare or define
  circle              files of core in the largest circle of files that include each other, a .c with its .h as one
  writable            functions of core/engine that may change any part of a run: their scree_sim * is not const
  prefix LEVELS       bytes of an installation by `meson install`, not stripped; LEVELS: native or all

BUILD (environment; build/) is the folder of the build. Instructions are those that callgrind counts in the first process,
with --no-parent, one thread, the CPU level x86-64-v3, an environment of a few fixed words and fixed addresses; `start` and `processes`
are those of a build with levels=all, which has twice as many files of plugins. Costs that belong to no
step and to no body cancel: `steps` is the difference of a run and of one that is twice as long, the others that of two
sizes. --keep: the files of callgrind stay in FOLDER, for callgrind_annotate. Exit status 77: it cannot be counted here.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import scenes

sys.path.insert(0, str(scenes.ROOT / "tests/lint"))
import c_code  # noqa: E402

ROOT = scenes.ROOT
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve()
SCREE = BUILD / "core/scree"
TOOLS = BUILD / "core/scree-tools"  # what scree becomes for all commands but run
LEVEL = "x86-64-v3"
SKIP = 77
SIZES = {"set-up": (50_000, 100_000), "generate": (20_000, 40_000), "validate": (10_000, 20_000),
         "checkpoint": (5_000, 10_000), "restart": (5_000, 10_000)}
PEAK = 512_000
SETTLED = 4.0  # [s] the bytes of a file that changed in the last two seconds are hashed (core/plugin/dl.c)
SAVE_NOTHING = ("--set", "checkpoint.at_end=false")


class Skip(Exception):
    """Why something cannot be counted here."""


class Failure(Exception):
    """Why a count has gone wrong."""


def environment(top):
    """The same words everywhere: what a program does with longer ones would count."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(top), "XDG_CACHE_HOME": str(top / "cache"),
            "XDG_DATA_HOME": str(top / "data"), "SCREE_CPU_LEVEL": LEVEL, "SCREE_LOAD_LIMIT": "300"}


def need_levels(wanted):
    """Leaves out a build whose option `levels` is another one."""
    path = BUILD / "meson-info/intro-buildoptions.json"
    if not path.exists():
        raise Failure(f"{BUILD}: not the folder of a build")
    levels = {o["name"]: o["value"] for o in json.loads(path.read_text(encoding="utf-8"))}.get("levels", "all")
    if levels != wanted:
        raise Skip(f"of builds with levels={wanted}, this one has levels={levels}")


def start(words, top, env=None):
    """A process that has ended well, with what it has printed in `said`."""
    with subprocess.Popen([str(w) for w in words], cwd=top, env=env or environment(top), text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.said, errors = process.communicate()
    if "this CPU does not offer it" in errors or "was built for baseline only" in errors:
        raise Skip(f"{'no CPU' if 'offer' in errors else 'no build'} of level {LEVEL} here")
    if process.returncode:
        raise Failure(f"{' '.join(map(str, words))}: exit status {process.returncode}\n{process.said[-1000:]}{errors[-3000:]}")
    return process


def call(words, top, env=None):
    return start(words, top, env).said


def scree(top, *words):
    """The output of a command that is not counted."""
    return call([SCREE, *words], top)


# ------------------------------------------------------------------------------------------ instructions
def fixed_addresses(top):
    """The words before a command whose memory has the same addresses each time, where the system allows them."""
    words = ["setarch", "-R"]
    done = subprocess.run([*words, "true"], cwd=top, check=False, capture_output=True)
    return words if done.returncode == 0 else []


def counted(top, name, *words, program=None):
    """(instructions of the first process of a command of scree, number of its processes, what it prints). Children that
    try a plugin are killed as soon as they have answered, so that valgrind counts nothing in them."""
    if not shutil.which("valgrind"):
        raise Skip("valgrind is not installed")
    tool = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={top}/{name}.callgrind.%p",
            f"--log-file={top}/{name}.log.%p"]
    program = program or (SCREE if words[0] == "run" else TOOLS)
    process = start([*fixed_addresses(top), *tool, program, "--no-parent", *words], top)
    found = re.search(r"Collected : (\d+)", (top / f"{name}.log.{process.pid}").read_text(encoding="utf-8", errors="replace"))
    if not found:
        raise Failure(f"{name}: callgrind has not counted")
    (top / f"{name}.callgrind.{process.pid}").rename(top / f"{name}.callgrind")
    for path in top.glob(f"{name}.callgrind.*"):
        path.unlink()  # of a child
    return int(found[1]), len(list(top.glob(f"{name}.log.*"))), process.said


def run_steps(top, name, count=counted, *more):
    """(what `count` finds for the shorter and for the longer run, steps by which they differ times bodies)."""
    scene = scenes.STEPS[name](top)
    if name == "hopper" and not list(BUILD.glob("plugins/observer/image*.so")):
        raise Skip("observer/image is not built: cairo is missing")
    sets = [word for text in scene.sets for word in ("--set", text)]
    start = [scene.path, *sets]
    if scene.warm:
        scree(top, "run", *start, "--until", scene.warm, "-q", "-o", "warm")
        start = ["--restart", "warm"]
    seen = ["--set", scene.seen, *SAVE_NOTHING, "--json", "-q"]
    time.sleep(max(0.0, SETTLED - time.time() + max(path.stat().st_mtime for path in BUILD.rglob("*.so"))))
    scree(top, "run", *start, "--steps", "1", *SAVE_NOTHING, "-q", "-o", "first")  # fills what is kept of the plugins' files
    runs = [count(top, f"{name}-{n}", "run", *start, "--steps", str(n), *seen, *more, "-o", f"out-{n}")
            for n in (scene.steps, 2 * scene.steps)]
    return [run[0] for run in runs], scene.steps * json.loads(runs[1][2])["free"]


def count_steps(top, name):
    (short, long), body_steps = run_steps(top, name)
    return (long - short) / body_steps


def inside(top, name, function, absent=None):
    """Instructions of a function in a file of callgrind, with those of the functions that it calls; `absent`: if it was not called."""
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", top / name], check=False,
                          capture_output=True, text=True).stdout
    found = re.search(rf"^ *([\d,]+) .*:{function} ", text, re.M)
    if not found and absent is None:
        raise Failure(f"{name}: no function {function}")
    return int(found[1].replace(",", "")) if found else absent


def count_serial(top, name):
    _, body_steps = run_steps(top, name)
    steps = scenes.STEPS[name](top).steps
    step, loops = ([inside(top, f"{name}-{n}.callgrind", function) for n in (steps, 2 * steps)]
                   for function in ("scree_sim_step", "scree_pool_for"))
    return (step[1] - step[0] - loops[1] + loops[0]) / body_steps


EXCHANGES = tuple(f"scree_ranks_{name}" for name in ("exchange_begin", "exchange_test", "exchange_finish", "gather"))


def counted_ranks(top, name, *words):
    """(instructions of each rank in steps, less those of exchanges, by rank; number of ranks; what rank 0 prints)."""
    if not shutil.which("valgrind"):
        raise Skip("valgrind is not installed")
    tool = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={top}/{name}.callgrind.%p"]
    process = start([*fixed_addresses(top), *tool, SCREE, "--no-parent", *words], top)
    found = []
    for path in sorted(top.glob(f"{name}.callgrind.*"), key=lambda one: int(one.suffix[1:])):
        try:
            step = inside(top, path.name, "scree_sim_step")
        except Failure:
            continue  # a child that looks at a file
        found.append(step - sum(inside(top, path.name, function, absent=0) for function in EXCHANGES))
    return found, len(found), process.said


def count_ranks(top, name):
    """Instructions of the busier rank; those of waits differ from run to run. The domain never says that all ghosts have come, so
    that ranks compute as many contacts ahead as they may, in each run."""
    if not (BUILD / "tests/faults/unsound_domain.so").exists():
        raise Skip("tests/faults/unsound_domain.so is not built")
    (top / "domains").mkdir()
    (top / "domains/unsound_domain.so").symlink_to(BUILD / "tests/faults/unsound_domain.so")
    return min(count_ranks_once(top / f"turn-{turn}", name, top / "domains") for turn in range(2))  # a busy machine may add 5 %


def count_ranks_once(top, name, domains):
    top.mkdir()
    (short, long), body_steps = run_steps(top, name, counted_ranks, "--plugin-path", domains, "--set", 'domain={plugin="never";ranks=2;}')
    if len(short) != 2 or len(long) != 2:
        raise Failure(f"{name}: expected 2 ranks, got {len(short)} and {len(long)}")
    return max(after - before for before, after in zip(short, long)) / body_steps


STARTS = {"run": ("run", scenes.CONFIGS / "collision.cfg", "--steps", "1", "-q"), "plugins": ("plugins",)}


def counted_start(top, name):
    """Counts a second call: the first fills what is kept from one to the next. A build with one level has fewer plugins.
    The list is that of an installation: it judges each folder above a plugin, and a build may lie at any depth."""
    need_levels("all")
    if name == "run":
        scree(top, *STARTS[name])
        return counted(top, "start", *STARTS[name])
    call(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", top / "prefix"], top, tool_environment())
    program, = (top / "prefix").rglob(TOOLS.name)
    time.sleep(SETTLED)
    call([program, *STARTS[name]], top)
    return counted(top, "start", *STARTS[name], program=program)


def count_start(top, name):
    return counted_start(top, name)[0]


def count_processes(top, name):
    return counted_start(top, name)[1]


def by_body(what, count):
    """The difference of two sizes: count(number of bodies) -> instructions."""
    small, large = SIZES[what]
    return (count(large) - count(small)) / (large - small)


def count_set_up(top):
    def count(n):
        return counted(top, f"set-up-{n}", "run", scenes.packing(top, n), "--steps", "1", "-q")[0]
    return by_body("set-up", count)


def count_generate(top):
    def count(n):
        return counted(top, f"generate-{n}", "run", scenes.scattered(top, n), "--steps", "1", "-q")[0]
    return by_body("generate", count)


def count_validate(top):
    def count(n):
        return counted(top, f"validate-{n}", "validate", scenes.lattice(top, n))[0]
    return by_body("validate", count)


def count_checkpoint(top):
    def count(n):
        words = ["run", scenes.packing(top, n), "--steps", "1", "-q", "-o"]
        with_file = counted(top, f"saved-{n}", *words, f"saved-{n}")[0]
        return with_file - counted(top, f"unsaved-{n}", *words, f"unsaved-{n}", *SAVE_NOTHING)[0]
    return by_body("checkpoint", count)


def count_restart(top):
    def count(n):
        scree(top, "run", scenes.packing(top, n), "--steps", "1", "-q", "-o", f"first-{n}")
        words = ["run", "--restart", f"first-{n}", "--steps", "1", "-q", *SAVE_NOTHING]
        return counted(top, f"restart-{n}", *words)[0]
    return by_body("restart", count)


# ------------------------------------------------------------------------------------------ memory
def read_pages_count():
    """Whether this system gives memory to pages that are only read, as some virtual machines do."""
    probe = ("import mmap\nsize, page = 16 << 20, 4096\narea = mmap.mmap(-1, size, mmap.MAP_PRIVATE)\n"
             "used = lambda: page * int(open('/proc/self/statm').read().split()[1])\nbefore = used()\n"
             "for at in range(0, size, page): area[at]\nprint(used() - before > size // 2)\n")
    return subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True).stdout.strip() == "True"


def count_peak(top):
    if read_pages_count():
        raise Skip("this system counts pages that are only read")
    path = scenes.packing(top, PEAK)
    words = [str(SCREE), "run", str(path), "--steps", "3", "-q", "--set", "guard.every=0"]
    with open(top / "said", "w", encoding="utf-8") as said:
        child = subprocess.Popen(words, cwd=top, env=environment(top), stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise Failure(f"exit status {child.returncode}\n" + (top / "said").read_text(encoding="utf-8")[-3000:])
    return 1024 * usage.ru_maxrss / PEAK


def count_peak_ranks(top):
    """That of the largest of four ranks."""
    scree(top, "run", scenes.packing(top, PEAK), "--steps", "3", "-q", "--set", "guard.every=0", "-o", "out", "--set",
          'domain={plugin="processes";ranks=4;}')
    return json.loads((top / "out/summary.json").read_text(encoding="utf-8"))["rank_work"]["peak_rss_bytes"] / PEAK


# ------------------------------------------------------------------------------------------ build, ABI, installation
def tool_environment():
    """Without the words that would change what Meson configures or installs."""
    return {k: v for k, v in os.environ.items() if k not in ("CC", "CFLAGS", "LDFLAGS", "CPPFLAGS", "DESTDIR", "NINJA_STATUS")}


def count_edges(top, target):
    """Ninja prints [n/all] for each step, also when it does none of them."""
    for tool in ("meson", "ninja"):
        if not shutil.which(tool):
            raise Skip(f"{tool} is not installed")
    call(["meson", "setup", top / "build", ROOT], top, tool_environment())
    told = call(["ninja", "-C", top / "build", "-n", target], top, tool_environment())
    if "Regenerating build files" in told:
        raise Failure("the tree has changed since it was configured")
    steps = [int(n) for n in re.findall(r"^\[\d+/(\d+)\] ", told, re.M)]
    if not steps:
        raise Failure(f"ninja has nothing to do for {target}")
    return max(steps)


def count_names(_):
    names = set()
    for path in sorted((ROOT / "abi/scree").glob("*.h")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(encoding="utf-8"), flags=re.S)
        names |= set(re.findall(r"\b(?:scree|SCREE)_\w+", text)) - {f"SCREE_{path.stem.upper()}_H"}
    return len(names)


def count_circle(_):
    core = ROOT / "core"
    includes = {}
    for path in sorted(core.rglob("*.[ch]")):
        found = re.findall(r'^#include "([^"]+)\.h"', path.read_text(encoding="utf-8"), re.M)
        includes.setdefault(str(path.relative_to(core).with_suffix("")), set()).update(found)
    reached = {}
    for start in includes:
        seen, todo = set(), [start]
        while todo:
            new = includes.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        reached[start] = seen
    return max(1 + sum(start in reached.get(one, ()) for one in reached[start] - {start}) for start in includes)


def count_writable(_):
    return sum(bool(re.search(r"(?<!const )\bscree_sim \*", function.partition("{")[0]))
               for path in sorted((ROOT / "core/engine").glob("*.[ch]"))
               for _, function in c_code.functions(path.read_text(encoding="utf-8")))


def count_prefix(top, levels):
    need_levels(levels)
    call(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", top / "prefix"], top, tool_environment())
    return sum(path.lstat().st_size for path in (top / "prefix").rglob("*") if path.is_file() and not path.is_symlink())


NAMED = {"steps": (count_steps, tuple(scenes.STEPS)), "serial": (count_serial, tuple(scenes.STEPS)),
         "ranks": (count_ranks, tuple(scenes.STEPS)), "start": (count_start, tuple(STARTS)),
         "processes": (count_processes, tuple(STARTS)), "edges": (count_edges, None),
         "prefix": (count_prefix, ("native", "all"))}
PLAIN = {"set-up": count_set_up, "generate": count_generate, "validate": count_validate, "checkpoint": count_checkpoint,
         "restart": count_restart, "peak": count_peak, "peak-ranks": count_peak_ranks, "names": count_names, "circle": count_circle,
         "writable": count_writable}


def parse():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("what", choices=(*NAMED, *PLAIN))
    parser.add_argument("name", nargs="?")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    choices = NAMED.get(options.what, (None, ()))[1]
    if (options.what in NAMED) != (options.name is not None) or choices and options.name not in choices:
        parser.error(f"{options.what}: expected {'one of ' + ', '.join(choices) if choices else 'a target' if choices is None else 'no name'}, "
                     f"got {options.name}")
    return options


def main():
    options = parse()
    try:
        with tempfile.TemporaryDirectory(prefix="scree-budget-") as scratch:
            top = options.keep or pathlib.Path(scratch)
            top.mkdir(parents=True, exist_ok=True)
            top = top.resolve()
            value = NAMED[options.what][0](top, options.name) if options.what in NAMED else PLAIN[options.what](top)
    except Skip as why:
        print(why)
        return SKIP
    except Failure as why:
        print(f"count.py {options.what}: {why}", file=sys.stderr)
        return 1
    print(value if isinstance(value, int) else f"{value:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
