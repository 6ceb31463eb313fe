# SPDX-License-Identifier: Apache-2.0
"""Runs on several ranks (core/engine/ranks.c): one state for any number of them, and their ends.

usage: test_ranks.py SCREE CONFIGS SCENES FOLDER_OF_MODULES
"""
import json
import pathlib
import signal
import sys
import time

import runs
import tap

CONFIGS, SCENES, MODULES = (pathlib.Path(p).resolve() for p in sys.argv[2:5])
QUIET = ("--set", "observers={}", "-q", "--json")

# Contacts with history, walls that move, clumps, solids, tori, a periodic cell, tilted walls: steps, and the numbers of ranks.
ONE_STATE = {
    CONFIGS / "gas.cfg": (1100, (2, 5)),  # with a renumbering
    CONFIGS / "drum.cfg": (150, (2, 3)),
    CONFIGS / "hopper.cfg": (100, (4,)),
    CONFIGS / "clumps.cfg": (100, (3,)),
    CONFIGS / "polygons.cfg": (100, (2,)),
    CONFIGS / "tori.cfg": (60, (3,)),
    CONFIGS / "collision.cfg": (1100, (1, 8)),  # two bodies: most ranks have none
    SCENES / "moving.cfg": (1080, (3,)),
    SCENES / "solids.cfg": (300, (2,)),
    SCENES / "hertz.cfg": (300, (4,)),
}

BALLS = """scene = { dt = 1.0e-5; steps = 3000; gravity = (0.0, 0.0, -9.81);
  region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.1); }; };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; motion = "kinematic"; }; };
generate = { balls = { shape = "sphere"; count = 300; radius = "2 mm"; velocity_random = 1.0; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } );
%s
"""


def on(n, plugin="processes"):
    return ("--set", f'domain={{plugin="{plugin}"; ranks={n};}}')


def state(result):
    return json.loads(result.stdout)["state_sha256"] if result.returncode == 0 else result


def test_one_state(top):
    for scene, (steps, numbers) in ONE_STATE.items():
        words = ("run", scene, "--steps", str(steps), *QUIET)
        one = state(runs.scree(top, *words, "--threads", "1", "-o", f"{scene.stem}-0"))
        for k, n in enumerate(numbers):
            many = state(runs.scree(top, *words, "--threads", str(1 + k), *on(n), "-o", f"{scene.stem}-{n}"))
            tap.check(f"{scene.stem}: {n} ranks have the state of one", isinstance(one, str) and many == one, (one, many))


def test_files(top):
    """Observers read rank 0, which has all contacts, loads and energies."""
    seen = """observers = { s = { plugin = "csv"; every_steps = 20; }; c = { plugin = "csv"; what = "contacts"; every_steps = 40; }; };"""
    (top / "files.cfg").write_text(BALLS % seen)
    files, said = [], []
    for k, words in enumerate(((), on(3))):
        result = runs.scree(top, "run", "files.cfg", "--steps", "400", "-q", *words, "-o", f"files-{k}")
        tap.check(f"a run with observers ends well, {k}", result.returncode == 0, result)
        said.append(result.stderr)
        files.append({p.name: p.read_bytes() for p in sorted((top / f"files-{k}").rglob("*.csv"))})
    tap.check("on three ranks the files of observers are those of one", files[0] == files[1] and len(files[0]) == 2
              and files[0]["contacts.csv"].count(b"\n") > 30, {k: len(v) for k, v in files[0].items()})
    tap.check("and so are the warnings, of an overlap say", said[0] == said[1] and "bodies overlap by" in said[0], said)


def test_restart(top):
    (top / "saved.cfg").write_text(BALLS % "checkpoint = { every_steps = 150; };")
    words = ("run", "saved.cfg", "--steps", "400", "-q", "--json")
    whole = state(runs.scree(top, *words, "-o", "saved-1"))
    ranks = runs.scree(top, *words, *on(2), "-o", "saved-2")
    saved = sorted((top / "saved-2").rglob("*-300.h5"))
    tap.check("a run on two ranks saves its state", state(ranks) == whole and len(saved) == 1, (whole, ranks, saved))
    for k, more in enumerate((on(3), on(1))):
        result = runs.scree(top, "run", "--restart", saved[0], "--steps", "100", "-q", "--json", *more, "-o", f"on-{k}")
        tap.check(f"and goes on with {'three' if k == 0 else 'one'}, to the same state", state(result) == whole, (whole, result))


def ranks_of(process, n):
    """Process numbers of all ranks, rank 0 first: the parent of the program forks it, and it forks the others."""
    def children(pid):
        found = [int(p) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for p in task.read_text().split()]
        return sorted(found)
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        for first in [process.pid, *children(process.pid)]:
            if len(children(first)) == n - 1 and first != process.pid or n == 1:
                return [first, *children(first)]
        time.sleep(0.02)
    raise RuntimeError("the ranks did not start")


def gone(pids):
    left = [p for p in pids if pathlib.Path(f"/proc/{p}").exists()
            and ") Z " not in pathlib.Path(f"/proc/{p}/stat").read_text()]
    return not left


def test_ends(top):
    (top / "long.cfg").write_text(BALLS % "checkpoint = { at_stop = true; };")
    for name, kill, status, words in (
            ("a rank that is killed", lambda pids, run: runs.os.kill(pids[2], signal.SIGKILL), 3, "rank 2 has ended"),
            ("rank 0 that is killed", lambda pids, run: runs.os.kill(pids[0], signal.SIGKILL), -9, "signal 9"),
            ("SIGTERM", lambda pids, run: run.terminate(), 4, "stopped by SIGTERM")):
        run = runs.start(top, "run", "long.cfg", "--steps", "100000000", *on(3), "-o", f"end-{name.split()[0]}-{status}")
        pids = ranks_of(run, 3)
        time.sleep(0.3)
        begin = time.monotonic()
        kill(pids, run)
        _, err = runs.end_of(run)
        took = time.monotonic() - begin
        time.sleep(0.2)
        tap.check(f"{name}: all are gone within 5 s", took < 5.0 and gone(pids), (took, pids))
        tap.check(f"{name}: status and words", run.returncode == status and words in err, (run.returncode, err))
    tap.check("after SIGTERM the state is saved", list((top / "end-SIGTERM-4").rglob("*.h5")))


def test_refused(top):
    for name, text, words in (
            ("bonds", 'force = ( { plugin = "bonded"; bond_kn = 1.0e6; bond_ks = 1.0e6; } );', "force[0] keeps contacts"),
            ("insertion", """modifiers = { rain = { plugin = "insert"; number = 5; number_rate = 100.0;
               body = { material = "glass"; radius = "1 mm"; }; }; };""", "modifiers.rain does not say that it serves ranks"),
            ("a schedule", 'schedule = ( { at_step = 10; set = { scene = { gravity = (0.0, 0.0, 1.0); }; }; } );', "it has a schedule")):
        base = BALLS.replace(BALLS[BALLS.index("force = "):BALLS.index("%s")], "") if name == "bonds" else BALLS
        (top / "refused.cfg").write_text(base % text)
        result = runs.scree(top, "run", "refused.cfg", "--steps", "3", "-q", *on(2))
        tap.check(f"{name} is refused by name", result.returncode == 2 and "domain: several ranks do not serve this run so far: "
                  + words in result.stderr, result)
        result = runs.scree(top, "run", "refused.cfg", "--steps", "3", "-q")
        tap.check(f"{name} runs on one rank", result.returncode == 0, result)
    (top / "plain.cfg").write_text(BALLS % "")
    result = runs.scree(top, "compare", "plain.cfg", "--steps", "3", *on(2), "--vary", "gcd.plugin=bvh,grid")
    tap.check("compare refuses a domain", result.returncode != 0 and "several ranks" in result.stdout + result.stderr, result)


def test_controls(top):
    """A domain that gives what ranks had an evaluation before, or zeros, does not have that state."""
    (top / "control.cfg").write_text(BALLS % "")
    folder = top / "plugins/domain"
    folder.mkdir(parents=True)
    (folder / "unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    words = ("run", "control.cfg", "--steps", "50", "-q", "--json", "--plugin-path", folder)
    one = state(runs.scree(top, *words, "-o", "control"))
    for sin in ("none", "old", "blank"):
        found = state(runs.scree(top, *words, *on(2, sin), "-o", f"control-{sin}"))
        tap.check(f"with the domain {sin} the state is {'the same' if sin == 'none' else 'another'}",
                  isinstance(one, str) and isinstance(found, str) and (found == one) == (sin == "none"), (one, found))


tap.in_folders(test_one_state, test_files, test_restart, test_ends, test_refused, test_controls)
