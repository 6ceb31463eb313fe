# SPDX-License-Identifier: Apache-2.0
"""Bad days of the file system: a full disk, folders that take no files, a run that is killed or fails.

usage: test_files.py SCREE

Files of a run are whole: a file under its name holds whole observations, and a half-written file does not have
its final name. Each fault ends the run with status 1 and a line that says which file and why.
"""
import csv
import ctypes
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys

import runs
import tap

SCREE = pathlib.Path(sys.argv[1]).resolve()
BODIES = 64
SCENE = f"""
scene = {{ dt = 1.0e-5; steps = 400; gravity = (0.0, 0.0, -9.81); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
generate = {{ beads = {{ method = "lattice"; count = {BODIES}; radius = 0.005;
    region = {{ min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }}; velocity_random = 0.1; }}; }};
force = ( {{ plugin = "linear"; kn = 1.0e5; restitution = 0.8; }} );
observers = {{ beads = {{ plugin = "csv"; what = "bodies"; file = "beads"; every_steps = 1; }}; }};
"""
KEEP_CAPS, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2  # PR_CAPBSET_DROP and what it drops


def run(top, *args, cwd=None, **more):
    (top / "scene.cfg").write_text(SCENE)
    return runs.scree(cwd or top, "run", "scene.cfg", "-q", *args, **more)


def limited(n):
    """No file can grow beyond n bytes. The default action of the signal would end the program."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n, n))
    return limit


def bound_by_permissions():
    """Root may write anywhere; without these capabilities it may not."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for cap in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            if libc.prctl(KEEP_CAPS, cap, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "prctl")


def whole_frames(path, bodies=BODIES, columns=24):
    """Steps of the observations in a table, when each has all its rows, none of them cut."""
    text = path.read_text()
    rows = list(csv.DictReader(text.splitlines()))
    steps = [int(row["step"]) for row in rows]
    good = text.endswith("\n") and all(len(row) == columns and None not in row.values() for row in rows)
    good = good and all(steps.count(s) == bodies for s in set(steps))
    return sorted(set(steps)) if good else None


def fails_with(result, *words):
    advice = tuple(f"scree: {word}: " for word in ("note", "to continue", "to run it again", "to repeat the call"))
    lines = [x for x in result.stderr.splitlines() if not x.startswith(advice)]
    return result.returncode == 1 and len(lines) == 1 and all(w in lines[0] for w in words)


def test_good(top):
    result = run(top, "-o", "out")
    steps = whole_frames(top / "out/beads.csv")
    tap.check("without a fault all observations are there", result.returncode == 0
              and steps == list(range(401)) and sorted(os.listdir(top / "out"))
              == ["beads.csv", "beads.gp", "checkpoint-400.h5", "manifest.json", "scene.cfg", "summary.json"], (result, steps))


def test_full(top):
    result = run(top, "-o", "grown", preexec_fn=limited(200000))
    held, steps = sorted(os.listdir(top / "grown")), whole_frames(top / "grown/beads.csv")
    tap.check("a table that may not grow ends the run with its name and the reason",
              fails_with(result, "cannot write beads.csv", "File too large"), result)
    tap.check("it keeps the whole observations until then, and no part of another",
              steps and steps == list(range(len(steps))) and 2 < len(steps) < 100
              and "beads.csv.part" not in held and "summary.json" not in held, (held, steps))
    tap.check("a line says where they are", "what was written until then is in grown" in result.stderr,
              result)
    advice = r"^scree: to run it again: scree run .*\n(scree: note: .*\n)*scree: to repeat the call: "
    tap.check("and how to run it again", re.search(advice, result.stderr, re.M), result)
    result = run(top, "-o", "none", preexec_fn=limited(100))
    tap.check("a folder that cannot even take the scene is not left behind",
              fails_with(result, "cannot write none/scene.cfg", "File too large")
              and not (top / "none").exists(), result)
    result = run(top, "-o", "first", preexec_fn=limited(4096))
    tap.check("a table without one whole observation is not left behind",
              fails_with(result, "cannot write beads.csv") and os.listdir(top / "first")
              == ["scene.cfg"], (result, os.listdir(top / "first")))
    result = run(top, "-o", "last", "--set", "observers={}", "--set", "scene.dt=2e-6", "--set", "checkpoint={at_end=false;}",
                 preexec_fn=limited(1500))
    tap.check("a summary that cannot be written fails the run, and no part of it is left",
              fails_with(result, "cannot write last/summary.json") and os.listdir(top / "last")
              == ["scene.cfg"], (result, os.listdir(top / "last")))


def test_full_disk(top):
    """The same on a disk of 192 KiB, where one can be mounted."""
    disk = top / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=192k", "none", str(disk)],
                             capture_output=True).returncode == 0 if shutil.which("mount") else False
    if not mounted:
        tap.skip("a full disk keeps whole observations", "no file system can be mounted here")
        return
    try:
        result = run(top, "-o", "disk/out")
        held, steps = sorted(os.listdir(disk / "out")), whole_frames(disk / "out/beads.csv")
        tap.check("a full disk keeps whole observations", steps and len(steps) > 2
                  and fails_with(result, "cannot write beads.csv", "No space left on device")
                  and not [x for x in held if x.endswith(".part")], (result, held, steps))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_no_folder(top):
    (top / "file").write_text("mine")
    result = run(top, "-o", "file/out")
    tap.check("a file instead of a folder is reported", fails_with(
        result, "cannot make the folder file/out") and (top / "file").read_text() == "mine", result)
    result = run(top, "-o", "/proc/self/out")
    tap.check("a place that takes no folders is reported", fails_with(
        result, "cannot make the folder /proc/self/out"), result)
    (top / "runs").write_text("mine")
    result = run(top)
    tap.check("a file named runs is reported", fails_with(result, "cannot make the folder runs")
              and (top / "runs").read_text() == "mine", result)


def test_read_only(top):
    (top / "locked").mkdir(mode=0o555)
    (top / "locked").chmod(0o555)
    probe = subprocess.run(["touch", str(top / "locked/x")], preexec_fn=bound_by_permissions,
                           capture_output=True)
    if probe.returncode == 0:
        tap.skip("read-only folders", "this user may write everywhere")
        return
    result = run(top, "-o", "locked/out", preexec_fn=bound_by_permissions)
    tap.check("a folder in a read-only one is refused with the reason", fails_with(
        result, "cannot make the folder locked/out", "Permission denied"), result)
    result = run(top, "-o", "locked", preexec_fn=bound_by_permissions)
    tap.check("a read-only folder is reported with the file and the reason", fails_with(
        result, "cannot write locked/scene.cfg", "Permission denied")
        and not os.listdir(top / "locked"), result)
    shutil.copyfile(top / "scene.cfg", top / "scene.bak")
    top.chmod(0o555)
    try:
        result = runs.scree(top, "run", "scene.cfg", "-q", preexec_fn=bound_by_permissions)
    finally:
        top.chmod(0o755)
    tap.check("so is the current folder", fails_with(
        result, "cannot make the folder runs", "Permission denied"), result)


def test_fails(top):
    """A ball between two planes, and a time step that no contact survives."""
    (top / "scene.cfg").write_text("""scene = { dt = 1.0; dt_limit = 1e9; steps = 5000; };
materials = { m = { density = 2500.0; }; };
shapes = { up = { type = "plane"; normal = (0.0, 0.0, 1.0); };
    down = { type = "plane"; normal = (0.0, 0.0, -1.0); }; };
bodies = { floor = { shape = "up"; }; lid = { shape = "down"; position = (0.0, 0.0, 0.0019); };
    ball = { radius = 0.001; position = (0.0, 0.0, 0.0009); }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
observers = { beads = { plugin = "csv"; what = "bodies"; file = "beads"; every_steps = 1; }; };
""")
    result = runs.scree(top, "run", "scene.cfg", "-q", "-o", "blown")
    held = sorted(os.listdir(top / "blown"))
    steps = whole_frames(top / "blown/beads.csv", 3, 31) if "beads.csv" in held else None
    tap.check("a run that blows up keeps what it has observed, whole", result.returncode == 1
              and "blown up?" in result.stderr and steps and steps == list(range(len(steps)))
              and held == ["beads.csv", "beads.gp", "scene.cfg"], (result, held, steps))


def start(top, *args):
    """A run that writes its table, for ever."""
    (top / "scene.cfg").write_text(SCENE)
    process = runs.start(top, "run", "scene.cfg", "-q", "-o", "out", "--steps", 10 ** 12, *args)
    part = top / "out/beads.csv.part"
    runs.wait_for(lambda: part.exists() and part.stat().st_size >= 200000, process)
    return process, part


def test_killed(top):
    process, part = start(top)
    process.kill()
    process.communicate(timeout=60)
    held, lines = sorted(os.listdir(top / "out")), part.read_text().splitlines(keepends=True)
    columns = {line.count(",") for line in lines[:-1]}
    tap.check("a run that is killed leaves nothing under a name that promises a whole file",
              process.returncode == -signal.SIGKILL and held == ["beads.csv.part", "scene.cfg"], held)
    tap.check("what it has written can be read row by row", len(lines) > 100 and columns == {23}
              and all(line.endswith("\n") for line in lines[:-1]), (len(lines), columns))
    before = part.read_bytes()
    result = run(top, "-o", "out")
    tap.check("its folder is not used again", result.returncode == 2 and "is not empty"
              in result.stderr and part.read_bytes() == before, result)


def test_taken_away(top):
    process, _ = start(top)
    shutil.rmtree(top / "out")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    tap.check("a folder that is taken away in a run fails it", process.returncode == 1
              and "out/beads.csv" in err and "No such file" in err and not (top / "out").exists(),
              (process.returncode, err))


tap.in_folders(test_good, test_full, test_full_disk, test_no_folder, test_read_only, test_fails, test_killed,
               test_taken_away)
