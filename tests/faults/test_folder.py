# SPDX-License-Identifier: Apache-2.0
"""A run's folder has one owner, and no failure destroys what was written there.

usage: test_folder.py SCREE FAILS.so
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import runs
import tap

SCREE, FAILS = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
SCENE = """
scene = { dt = 1.0e-5; steps = 200; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
generate = { beads = { method = "lattice"; count = 27; radius = 0.005;
    region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }; velocity_random = 0.1; }; };
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
observers = { t = { plugin = "csv"; every_steps = 10; }; };
"""
VTK = 'observers={v={plugin="vtk"; every_steps=10;};}'
ENDLESS = 10 ** 12


def environment(fails=None):
    env = runs.environment()
    return dict(env, LD_PRELOAD=str(FAILS), FAILS=fails) if fails else env


RUN = ("run", "scene.cfg", "-q")


def run(top, *args, fails=None):
    return runs.scree(top, *RUN, *args, env=environment(fails))


def start(top, *args):
    return runs.start(top, *RUN, *args)


def wait_for(path, process, size=1):
    runs.wait_for(lambda: path.exists() and path.stat().st_size >= size, process)


def test_kept(top):
    whole = run(top, "-o", "whole")
    table = (top / "whole/scalars.csv").read_text()
    for call, why in (("fsync", "Input/output error"), ("close", "No space left on device")):
        result = run(top, "-o", call, fails=call)
        part = top / call / "scalars.csv.part"
        tap.check(f"a {call} that fails destroys no table: all of it is in the .part file, which is named, with the reason",
                  whole.returncode == 0 and result.returncode == 1 and part.exists() and part.read_text() == table
                  and f"cannot write {call}/scalars.csv: {why}; what was written to it is in {call}/scalars.csv.part"
                  in result.stderr, result)
    result = run(top, "-o", "trajectory", "--set",
                 'observers={r={plugin="record"; file="r.bpf"; every_steps=10; digits=21;};}', "--set", "scene.dt=1.0",
                 "--set", "scene.dt_limit=1e9", "--set", "scene.gravity=(0.0, 0.0, -1.0e9)")
    held = os.listdir(top / "trajectory")
    tap.check("a run that fails keeps the whole frames of its recording", result.returncode in (1, 3) and "r.bpf" in held
              and (top / "trajectory/r.bpf").read_bytes()[12:16] != bytes(4), (result, held))


def test_owner(top):
    rounds, ran, words = 12, [], []
    for k in range(rounds):
        folder = f"one-{k}"
        if k % 2:
            (top / folder).mkdir()
        both = [start(top, "-o", folder) for _ in range(2)]
        ends = [(p.communicate(timeout=100)[1], p.returncode) for p in both]
        ran.append(sorted(code for _, code in ends))
        words += [err for err, code in ends if code == 2]
    tap.check("of two runs that start at once with one -o, one runs and the other is refused", ran == [[0, 2]] * rounds
              and all("cannot use one-" in w for w in words), (ran, words[:2]))
    process = start(top, "-o", "killed", "--steps", ENDLESS, "--set", "checkpoint.every_steps=50")
    while process.poll() is None and not list((top / "killed").glob("checkpoint-*.h5")):
        time.sleep(0.005)
    busy = run(top, "-o", "killed")
    process.kill()
    process.communicate(timeout=60)
    on = runs.scree(top, "run", "--restart", "killed", "-q", "-o", "on", "--steps", "10")
    tap.check("a folder in use is refused; what a killed run leaves blocks no restart",
              busy.returncode == 2 and on.returncode == 0, (busy, on))
    (top / "empty").mkdir()
    process = start(top, "-o", "empty", "--steps", ENDLESS)
    wait_for(top / "empty/scene.cfg", process)
    process.kill()
    process.communicate(timeout=60)
    for path in (top / "empty").iterdir():
        path.unlink()
    result = run(top, "-o", "empty")
    tap.check("a folder that a killed run had is free again", result.returncode == 0, result)


def test_names(top):
    for n, name in enumerate(("scene.cfg", "./scene.cfg", "summary.json", "manifest.json", "Manifest.json",
                              "checkpoint-100.h5", ".//checkpoint-7.h5", "kept-3.h5", "scalars.csv.part")):
        result = run(top, "-o", f"n{n}", "--set", f'observers={{r={{plugin="record"; digits=21; file="{name}";}};}}')
        tap.check(f"{name} is not a name for an observer's file", result.returncode in (1, 2)
                  and f'file name "{name}" is that of' in result.stderr, result)
    for n, (one, other) in enumerate((("s", "./s"), ("a/s", "a//s"), ("a/s", "a/./s"))):
        result = run(top, "-o", f"two{n}", "--set", f'observers={{x={{plugin="csv"; file="{one}";}}; '
                                                    f'y={{plugin="csv"; file="{other}";}};}}')
        tap.check(f"{one} and {other} are one name", result.returncode in (1, 2)
                  and f"observers.x writes {one}.csv already" in result.stderr, result)
    for word in ("run", "validate"):
        result = runs.scree(top, word, "scene.cfg", "--set", 'observers={x={plugin="csv";}; y={plugin="csv";};}', env=environment(None))
        tap.check(f"{word}: two without a name write one file", result.returncode == 2
                  and "observers.x writes scalars.csv already" in result.stderr, result)
    two = 'observers={x={plugin="vtk"; every_steps=10;}; y={plugin="vtk"; every_steps=10; file="%s";};}'
    later = 'schedule=({at_step=5; set={observers={%s};};})'
    for files, change, said in (("vtk", "", "observers.x"), ("other", 'y={plugin="vtk"; file="vtk";};', "observers.x"),
                                ("other", 'z={plugin="vtk"; file="other";};', "observers.y"),
                                ("other", 'z={plugin="vtk"; file="z";}; w={plugin="vtk"; file="z";};', "observers.z"),
                                ("other", 'x="off"; z={plugin="vtk"; file="z";};', "")):
        words = ("--set", two % files, *(("--set", later % change) if change else ()))
        result = runs.scree(top, "validate", "scene.cfg", *words, env=environment(None))
        tap.check(f"validate: two folders of vtk are not one: {files} {change}", result.returncode == (2 if said else 0)
                  and result.stderr.count(f"{said} writes file = ") == (1 if said else 0), result)
    result = run(top, "-o", "dots", "--set", 'observers={x={plugin="csv"; file="a..b";};}')
    tap.check("two points inside a name are part of it", result.returncode == 0
              and (top / "dots/a..b.csv").exists(), result)
    result = run(top, "-o", "above", "--set", 'observers={x={plugin="csv"; file="a/../../b";};}')
    tap.check("no name leaves the folder", "leaves the run's folder" in result.stderr, result)
    (top / "void").mkdir()
    result = runs.scree(top / "void", "run", "../scene.cfg", "-q", "-o", "", env=environment(None))
    tap.check("an empty name of the folder is refused, also where the present folder is empty", result.returncode == 2 and result.stderr
              == 'scree: -o "": expected a folder\n' and not list((top / "void").iterdir()), result)
    (top / "vtk.cfg").write_text((top / "scene.cfg").read_text().split("observers = ")[0] + 'observers = { v = { plugin = "vtk"; every_steps = 1;\n  file = "../.."; }; };\n')
    line = (top / "vtk.cfg").read_text().count("\n")
    for words in (("validate", "vtk.cfg"), ("run", "vtk.cfg", "-q", "-o", "early")):
        result = runs.scree(top, *words, env=environment(None))
        tap.check(f"{words[0]}: such a name is refused by its line, before the run", result.returncode == 2 and result.stderr
                  == f"scree: vtk.cfg:{line}: observers.v.file: \"../..\" leaves the run's folder\n" and not (top / "early").exists(), result)


def unsynced(log):
    """Names that were renamed to or removed before the names in their folder were synced; how many there were."""
    left, lost, n = {}, [], 0
    for line in log.read_text().splitlines():
        call, path = line.split(" ", 1)
        above = str(pathlib.Path(path).parent)
        if call == "fsync":
            left.pop(path, None)
            continue
        n += 1
        if left:  # what was done before must be on the disk: an old checkpoint goes after the new one has come
            lost.append((line, dict(left)))
        left.setdefault(above, []).append(line)
    return lost + list(left.items()), n


def test_synced(top):
    log = top / "log"
    env = dict(environment("nothing"), NAMES=str(log))
    both = 'observers={v={plugin="vtk"; every_steps=50;}; t={plugin="csv"; every_steps=20;};}'
    result = runs.scree(top, *RUN, "--set", both, "--set", "checkpoint={every_steps=50; keep=1;}", env=env)
    lost, n = unsynced(log)
    kinds = {name for name in ("scene.cfg", "latest", ".vtp", "scalars.csv", "checkpoint-200.h5", "summary.json")
             if f"{name}\n" in log.read_text()}
    tap.check(f"each of {n} names that a run gives or takes away is synced in its folder before the next", result.returncode == 0
              and n > 20 and len(kinds) == 6 and "unlink" in log.read_text() and not lost, (result, lost[:3], kinds))
    log.unlink()
    result = runs.scree(top, "new", "scene", "box", "made", env=env)
    synced = log.read_text().splitlines() if log.exists() else []
    tap.check("so is the folder of a new file", result.returncode == 0
              and synced and synced[-1] == f"fsync {top}/made", (result, synced))


def test_control(top):
    """Names with a line break, an escape, a direction mark: refused with the name in plain letters."""
    plain = {"a\nb": r"a\x0Ab", "a\x1b[2Jb": r"a\x1B[2Jb", "a\u202eb": r"a\xE2\x80\xAEb", "a\x7fb": r"a\x7Fb"}
    words = "expected a name without control characters"
    for n, (name, shown) in enumerate(plain.items()):
        (top / f"{name}.cfg").write_text(SCENE)
        (top / "base.cfg").write_text(f'base = "{name}.cfg";\n')
        (top / "include.cfg").write_text(f'@include "{name}.cfg"\n')
        quoted = name.replace("\n", "\\n").replace("\x1b", "\\x1b").replace("\x7f", "\\x7f")
        cases = {"-o": ["run", "scene.cfg", "-q", "-o", name], "a scene": ["run", f"{name}.cfg", "-q"],
                 "a checkpoint": ["run", "--restart", name, "-q"],
                 "a report": ["compare", "scene.cfg", "--vary", "gcd.plugin=grid,dess", "--report", name],
                 "an observer's file": ["run", "scene.cfg", "-q", "-o", f"c{n}", "--set",
                                        f'observers={{r={{plugin="record"; file="{quoted}"; digits=21;}};}}'],
                 "a table": ["validate", "scene.cfg", "--set", f'generate.beads={{plugin="table"; file="{quoted}";}}'],
                 "a folder of a new file": ["new", "scene", "box", name]}
        if n == 1:
            cases |= {"base": ["validate", "base.cfg"], "@include": ["validate", "include.cfg"]}
        for what, line in cases.items():
            result = runs.scree(top, *line)
            tap.check(f"{what}: {shown} is refused", result.returncode == 2 and f"{shown}" in result.stderr
                      and words in result.stderr and name not in result.stderr, result)
    tap.check("nothing of such a name is made", not [p for p in top.rglob("*") if not p.name.isprintable()
                                                      and p.suffix != ".cfg"], list(top.rglob("*")))
    (top / "plugins").mkdir()
    (top / "plugins/a\nb.so").write_text("")
    result = runs.scree(top, "plugins", "--plugin-path", "plugins")
    tap.check("a plugin file of such a name is refused, the others are listed", result.returncode == 3
              and r"plugins/a\x0Ab.so: " + words in result.stderr and "gcd/grid" in result.stdout, result)


def test_elsewhere(top):
    both = 'observers={v={plugin="vtk"; every_steps=20;}; t={plugin="csv"; every_steps=20;};}'
    result = run(top, "-o", "deep/out", "--set", both, "--set", "checkpoint.every_steps=100", fails="chdir")
    held = sorted(p.name for p in (top / "deep/out").glob("*")) if (top / "deep/out").exists() else []
    tap.check("a library that changes the current folder does not change a run's files", result.returncode == 0
              and {"scalars.csv", "checkpoint-100.h5", "checkpoint-200.h5", "summary.json"} <= set(held), (result, held))
    result = run(top, "--set", both, fails="chdir")
    latest = top / "runs/latest"
    tap.check("nor of runs/latest", result.returncode == 0 and latest.is_symlink()
              and (latest / "summary.json").exists(), result)


def test_gone(top):
    for what in ("removed", "replaced"):
        for observers in (VTK, "observers={}"):
            folder = top / f"{what}-{len(observers)}"
            process = start(top, "-o", folder.name, "--steps", ENDLESS, "--set", observers, "--set",
                            "checkpoint.every_steps=2000")
            wait_for(folder / "scene.cfg", process)
            time.sleep(0.1)
            folder.rename(top / "away")  # in one go: else the run sees single files vanish
            if what == "replaced":
                folder.mkdir()
            try:
                _, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                _, err = process.communicate()
            shutil.rmtree(top / "away")
            left = list(folder.iterdir()) if folder.exists() else []
            tap.check(f"a folder that is {what} in mid-run ({'vtk' if 'vtk' in observers else 'checkpoints'}) ends the run "
                      "with the truth, and nothing more is written there", process.returncode == 1
                      and "the folder of the run is gone: " + folder.name in err and len(left) <= (what == "replaced"),
                      (process.returncode, err, left))
    process = start(top, "-o", "late", "--steps", ENDLESS, "--set", "observers={}")
    wait_for(top / "late/scene.cfg", process)
    time.sleep(0.1)
    shutil.rmtree(top / "late")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    tap.check("so it does at the end, when nothing was to be written before", process.returncode == 1
              and "the folder of the run is gone: late" in err, (process.returncode, err))


def main(top):
    for test in (test_kept, test_owner, test_names, test_synced, test_control, test_elsewhere, test_gone):
        folder = top / test.__name__
        folder.mkdir()
        (folder / "scene.cfg").write_text(SCENE)
        test(folder)


tap.in_folder(main)
