# SPDX-License-Identifier: Apache-2.0
"""Runs on several ranks (core/engine/ranks.c): one state for any number of them, and their ends.

usage: test_ranks.py SCREE CONFIGS SCENES FOLDER_OF_MODULES FOLDER_OF_RANKED [full]
full: all scenes of configs/, for 100 steps on one to three ranks
"""
import json
import pathlib
import re
import shlex
import signal
import sys
import time

import runs
import tap

CONFIGS, SCENES, MODULES, RANKED = (pathlib.Path(p).resolve() for p in sys.argv[2:6])
QUIET = ("--set", "observers={}", "-q", "--json")

# Contacts with history, walls that move, clumps, solids, tori, a periodic cell, tilted walls, bodies that come and go,
# servo walls, bonds, cohesion: steps, and the numbers of ranks.
ONE_STATE = {
    CONFIGS / "gas.cfg": (1100, (2, 5)),  # with a renumbering
    CONFIGS / "drum.cfg": (150, (2, 3)),
    CONFIGS / "hopper.cfg": (100, (4,)),
    CONFIGS / "clumps.cfg": (6000, (2,)),  # they touch across ranks
    CONFIGS / "polygons.cfg": (100, (2,)),
    CONFIGS / "tori.cfg": (60, (3,)),
    CONFIGS / "collision.cfg": (1100, (1, 8)),  # two bodies: most ranks have none
    CONFIGS / "silo-psd.cfg": (200, (3,)),
    CONFIGS / "triaxial.cfg": (100, (2,)),
    CONFIGS / "brazilian.cfg": (100, (3,)),
    CONFIGS / "powder.cfg": (100, (2,)),
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


# Scenes with a wall that moves: only a plane leaves its extent; a ball in a leaf with the last free ones.
WALLS = {
    "piston": """scene = { dt = 1.0e-5; steps = 600; };
materials = { glass = { density = 2500.0; }; };
shapes = { piston = { type = "plane"; normal = (1.0, 0.0, 0.0); }; };
bodies = { piston = { shape = "piston"; motion = "kinematic"; position = (-0.003, 0.0, 0.0); }; };
generate = { balls = { shape = "sphere"; count = 300; radius = "2 mm"; region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.1); }; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } );
modifiers = { push = { plugin = "move"; motion = "translation"; groups = "piston"; velocity = (1.0, 0.0, 0.0); start = 0.001; }; };
""",
    "arm": """scene = { dt = 1.0e-5; steps = 300; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; motion = "kinematic"; };
           arm = { radius = "3 mm"; motion = "kinematic"; position = (0.1, 0.02, 0.02); }; };
generate = { balls = { shape = "sphere"; count = 330; radius = "2 mm"; velocity_random = 0.5;
                       region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.06); }; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } );
modifiers = { stir = { plugin = "move"; motion = "rotation"; groups = "arm"; axis = (0.0, 0.0, 1.0); point = (0.05, 0.02, 0.02);
                       period = 0.02; }; };
""",
}


def test_walls_that_move(top):
    for name, text in WALLS.items():
        (top / f"{name}.cfg").write_text(text)
        one, many = (json.loads(runs.scree(top, "run", f"{name}.cfg", "-q", "--json", *more, "-o", f"{name}-{k}").stdout or "{}")
                     for k, more in enumerate(((), on(2))))
        tap.check(f"{name}: two ranks find the contacts of a wall that moves", many.get("state_sha256") == one["state_sha256"] and
                  many["apart"]["evaluations"] > 100, (one, many))


HEAP = """scene = { dt = 1.0e-5; steps = 4000; gravity = (0.0, 0.0, -9.81); };
renumber = { every = 0; };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; motion = "kinematic"; }; };
generate = { heap = { shape = "sphere"; count = 400; radius = "2 mm"; region = { min = (0.0, 0.0, 0.0); max = (0.03, 0.03, 0.05); }; };
             rain = { shape = "sphere"; count = 400; radius = "2 mm"; region = { min = (0.1, 0.0, 0.1); max = (0.3, 0.2, 0.4); }; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.2; friction = 0.4; } );
"""


def test_cut_again(top):
    """Bodies fall to a heap, others do not meet: contacts come on one rank only, and no renumbering cuts the rows."""
    (top / "heap.cfg").write_text(HEAP)
    one, *all_ranks = (json.loads(runs.scree(top, "run", "heap.cfg", "-q", "--json", "--oversubscribe", *more, "-o", f"heap-{k}").stdout or "{}")
                       for k, more in enumerate(((), on(2), on(3), (*on(2), "--threads", "3"))))
    for what, many in zip(("two ranks", "three ranks", "two ranks of three threads"), all_ranks):
        tap.check(f"rows of {what} that are uneven are cut again, to the state of one rank", many.get("state_sha256") == one["state_sha256"]
                  and 0 < many["apart"]["cuts"] < many["apart"]["refreshes"] / 4, (one, many))


TOGETHER = {"evaluations": 0, "refreshes": 0, "cuts": 0, "exchanges": 0, "ghosts": 0, "ghost_bytes": 0, "ahead": 0}
# Boundaries: steps that are apart at least, of 300.
APART = {"open": 270, "reflect": 240, "destroy": 240, "stop": 100, "periodic": 270}


def check_work(top, folder, run):
    """The work of three ranks: the most is the mean at least, exchanges are a part of it, and the summary prints it."""
    work = run["rank_work"]
    ratios, slack = [ratio for ratio in work["imbalances"].values() if ratio is not None], 1e-9  # of sums
    tap.check(f"{folder}: the work of ranks is within its bounds", 1.0 - slack <= work["imbalance"] <= 3.0 + slack and 0.0 <= work["exchange_share"] <= 1.0
              and 0.0 < work["cpu_exchange_s"] <= work["cpu_s"] and ratios and all(1.0 - slack <= ratio <= 3.0 + slack for ratio in ratios), work)
    lines = runs.scree(top, "summary", f"{folder}/summary.json").stdout.splitlines()
    sent = run["apart"]
    wanted = [f"ranks         3, most work / mean {work['imbalance']:.3f}, {100 * work['exchange_share']:.1f} % of their time in exchanges",
              f"ghosts        {sent['ghosts'] / sent['exchanges']:.6g} in each of {sent['exchanges']} exchanges, {1e-6 * sent['ghost_bytes']:.4g} MB in all"]
    found = [line for line in lines if line.startswith(("ranks ", "ghosts "))]
    tap.check(f"{folder}: the summary prints them", found == wanted, (found, wanted))
    printed = {line.split()[0]: line.split()[3] for line in lines if re.fullmatch(r"  [a-z]+ +[0-9.]+ +[0-9.]+ +[0-9.]+", line)}
    tap.check(f"{folder}: with the ratio of each phase, up to the last step", any(line.startswith("phases ") and line.endswith(
        "most / mean of ranks, up to the last step") for line in lines) and printed == {
            phase: f"{ratio:.3f}" for phase, ratio in work["imbalances"].items() if ratio is not None}, (printed, work))


def test_apart(top):
    """Ranks move only their own bodies, and send ghosts; what needs all bodies in each evaluation says so."""
    (top / "apart.cfg").write_text(BALLS % "")
    for boundary, least in APART.items():
        words = ("run", "apart.cfg", "--steps", "300", "-q", "--json", "--set", f'scene.boundary="{boundary}"')
        one, many = (json.loads(runs.scree(top, *words, *more, "-o", f"apart-{boundary}-{k}").stdout) for k, more in enumerate((
            (), on(3))))
        seen = many["apart"]
        tap.check(f"{boundary}: three ranks have the state, the energies and the number of bodies of one", "apart" not in one and
                  all(one[key] == many[key] for key in ("state_sha256", "energy", "bodies", "destroyed")), (one, many))
        line = 112 if boundary == "periodic" else 96  # with the cells
        tap.check(f"{boundary}: they are apart in many steps, and send lines of {line} bytes", seen["evaluations"] >= least
                  and seen["lack"] is None and seen["exchanges"] >= seen["evaluations"]
                  and seen["ghost_bytes"] == line * seen["ghosts"] > line * seen["evaluations"], seen)
        same = ("gcd_calls", "candidates", "contacts", "contacts_at_end", "accuracy")
        tap.check(f"{boundary}: each rank lists its own pairs, and together they count each pair once", seen["refreshes"] > 0
                  and all(one[key] == many[key] for key in same), [(key, one[key], many[key]) for key in same] + [seen])
        check_work(top, f"apart-{boundary}-1", many)
    one, many = (json.loads(runs.scree(top, "run", "apart.cfg", "--steps", "300", "-q", "--json", "--set", 'integrator={plugin="rkn4";}', *more,
                                       "-o", f"apart-{k}").stdout) for k, more in enumerate(((), on(3))))
    tap.check("an integrator without the flag keeps them together", one["state_sha256"] == many["state_sha256"]
              and many["apart"] == TOGETHER | {"lack": "the integrator"}, many["apart"])
    for what, setting, lack in (
            ("a modifier that may sum over all bodies", 'modifiers={ m = { plugin = "asker"; }; }', "modifiers.m"),
            ("a modifier that may ask for all bodies", 'modifiers={ m = { plugin = "looker"; }; }', "modifiers.m"),
            ("extents without room", "extent={ eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; }", "extents without room")):
        words = ("run", "apart.cfg", "--steps", "60", "-q", "--json", "--plugin-path", RANKED, "--set", setting)
        result = runs.scree(top, *words, *on(3), "-o", f"apart-{what.replace(chr(32), chr(45))}")
        seen = json.loads(result.stdout)["apart"] if result.returncode == 0 else result
        tap.check(f"{what}: they stay together, and say why", seen == TOGETHER | {"lack": lack}, seen)


def test_accuracy(top):
    """Walls that overlap each other: such pairs count on no rank, nor on one. Extents are brief, as each 16th call of the GCD
    counts; the cells of the grid are those of balls of one size."""
    row = " ".join(f'w{k} = {{ radius = 0.003; motion = "kinematic"; position = ({0.005 * k:.3f}, 0.025, 0.0); }};' for k in range(10))
    (top / "walls.cfg").write_text((BALLS % "").replace("bodies = {", "bodies = { " + row))
    for boundary in ("open", "periodic"):
        for gcd in ("grid", "bounding_volume"):
            words = ("run", "walls.cfg", "--steps", "300", "-q", "--json", "--set", f'scene.boundary="{boundary}"', "--set",
                     "extent={eps_v=4.0; eps_e=0.0; eps_c=0.0;}", "--set", f'gcd={{plugin="{gcd}";}}')
            one, many = (json.loads(runs.scree(top, *words, *more, "-o", f"{gcd}-{boundary}-{k}").stdout) for k, more in enumerate(((), on(3))))
            tap.check(f"{boundary}, {gcd}: the accuracy on three ranks is that of one", many["apart"]["refreshes"] > 50
                      and one["accuracy"] == many["accuracy"], (one["accuracy"], many["accuracy"], many["apart"]))


ROW = """scene = { dt = 1.0e-5; steps = 100; region = { min = (0.0, -0.01, -0.01); max = (0.768, 0.01, 0.01); }; boundary = "%s"; };
renumber = { every = 0; };
materials = { glass = { density = 2500.0; }; };
shapes = { stone = { type = "superquadric"; axes = (0.0019, 0.0019, 0.0019); blockiness = (2.5, 2.5); }; };
bodies = { %s };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } );
"""


def test_ghosts(top):
    """A row of bodies that nearly touch: an exchange has two ghosts for each border between ranks, and for that of a periodic
    cell, of 12 doubles each, 2 more with the cells, 4 more with orientations."""
    for boundary, shape, line in (("open", "radius = 0.0019;", 96), ("periodic", "radius = 0.0019;", 112),
                                  ("open", 'shape = "stone";', 128), ("periodic", 'shape = "stone";', 144)):
        name = f"row-{line}"
        (top / f"{name}.cfg").write_text(ROW % (boundary, " ".join(
            f"b{k} = {{ {shape} position = ({0.002 + 0.004 * k:.3f}, 0.0, 0.0); }};" for k in range(192))))
        for n in (2, 3):
            seen = json.loads(runs.scree(top, "run", f"{name}.cfg", "-q", "--json", *on(n), "-o", f"{name}-{n}").stdout or "{}").get("apart")
            borders = n if boundary == "periodic" else n - 1
            tap.check(f"{line} bytes: {n} ranks send those of two ghosts for each border in each exchange", seen and seen["exchanges"] > 90
                      and seen["ghosts"] == 2 * borders * seen["exchanges"] and seen["ghost_bytes"] == line * seen["ghosts"], seen)

DRIFT = """scene = { dt = 1.0e-5; steps = 1800; };
renumber = { every = 0; };
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = "%s"; };
materials = { glass = { density = 2500.0; }; };
bodies = { %s };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } );
"""


def test_ghosts_that_fly(top):
    """A layer of balls at rest, on rank 0, and one that flies into it: only the ways of ghosts end the lists of near pairs of rank 0. If
    they are listed while ranks are apart, and move slowly, the margins of ghosts are many times their own."""
    def bodies(slowly):
        return " ".join(f"b{layer}{k} = {{ radius = 0.001; position = ({0.001 + 0.005 * layer:.3f}, {0.001 + 0.003 * (k // 8):.3f}, {0.001 + 0.003 * (k % 8):.3f}); "
                        f"velocity = ({-0.2 * layer}, {slowly * (1 - layer)}, 0.0); }};" for layer in range(2) for k in range(64))
    for room, calls, lists, slowly in (("4 mm", 1, "whole", 0.0), ("1 mm", 4, "own", 0.02)):
        (top / "drift.cfg").write_text(DRIFT % (room, bodies(slowly)))
        one, many = (json.loads(runs.scree(top, "run", "drift.cfg", "-q", "--json", *more).stdout or "{}") for more in ((), on(2)))
        tap.check(f"rank 0 finds the contacts of ghosts that come to its balls at rest, with {lists} lists", one["contacts"] > 0.1
                  and one["gcd_calls"] == calls and many.get("state_sha256") == one["state_sha256"]
                  and many["apart"]["evaluations"] > 1700 and (many["apart"]["refreshes"] > 0) == (lists == "own"), (one, many))


def test_files(top):
    """Observers read rank 0, which has all contacts, loads and energies."""
    seen = """observers = { s = { plugin = "csv"; every_steps = 20; }; c = { plugin = "csv"; what = "contacts"; every_steps = 40; }; };"""
    (top / "files.cfg").write_text(BALLS % seen)
    files, said = [], []
    for k, words in enumerate(((), on(3))):
        said.append(runs.scree(top, "run", "files.cfg", "--steps", "400", "-q", *words, "-o", f"files-{k}").stderr)
        files.append({p.name: p.read_bytes() for p in sorted((top / f"files-{k}").rglob("*.csv"))})
    tap.check("on three ranks the files of observers are those of one", files[0] == files[1] and len(files[0]) == 2
              and files[0]["contacts.csv"].count(b"\n") > 30, {k: len(v) for k, v in files[0].items()})
    tap.check("and so are the warnings, of an overlap say", said[0] == said[1] and "bodies overlap by" in said[0], said)
    result = runs.scree(top, "run", "--repeat", "files-1/manifest.json", "-q", "-o", "repeated")
    tap.check("and they are repeated from their manifest", "it repeats" in result.stderr and "differs" not in result.stderr, result)


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
        try:
            return sorted(int(p) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for p in task.read_text().split())
        except OSError:  # a child that looks at a file has ended meanwhile
            return []
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        for first in [process.pid, *children(process.pid)]:
            if len(children(first)) == n - 1 and first != process.pid or n == 1:
                return [first, *children(first)]
        time.sleep(0.02)
    raise RuntimeError("the ranks did not start")


def gone(pids):
    return not [p for p in pids if pathlib.Path(f"/proc/{p}").exists() and ") Z " not in pathlib.Path(f"/proc/{p}/stat").read_text()]


def test_ends(top):
    (top / "long.cfg").write_text(BALLS % "checkpoint = { at_stop = true; };")
    for name, kill, status, words in (
            ("a rank that is killed", lambda pids, run: runs.os.kill(pids[2], signal.SIGKILL), 3, "rank 2 has ended"),
            ("rank 0 that is killed", lambda pids, run: runs.os.kill(pids[0], signal.SIGKILL), -9, "rank 0 of 3 has ended at step "),
            ("SIGTERM", lambda pids, run: run.terminate(), 4, "stopped by SIGTERM")):
        run = runs.start(top, "run", "long.cfg", "--steps", "100000000", *on(3), "-o", f"end-{name.split()[0]}-{status}")
        pids = ranks_of(run, 3)
        time.sleep(0.3)
        begin = time.monotonic()
        kill(pids, run)
        _, err = runs.end_of(run)
        took = time.monotonic() - begin
        time.sleep(0.2)
        tap.check(f"{name}: all are gone within 5 s", runs.in_time(took, 5.0) and gone(pids), (took, pids))
        tap.check(f"{name}: status and words", run.returncode == status and words in err, (run.returncode, err))
        if status == 3:
            tap.check("and the signal", "scree: rank 2 was killed by signal 9, Killed" in err and err.count("was killed") == 1, err)
        if status == -9:  # forked ranks share the memory of their parent
            tap.check(f"{name}: the parent prints the command of all three ranks", "scree: to run it again: " in err and "ranks=3;}'" in err
                      and "ranks=1;}'" not in err, err)
    tap.check("after SIGTERM the state is saved", list((top / "end-SIGTERM-4").rglob("*.h5")))
    run = runs.start(top, "run", "long.cfg", "--steps", "100000000", *on(3), "-o", "end-both")
    pids = ranks_of(run, 3)
    runs.wait_for((top / "end-both").exists, run)
    for number, process in ((signal.SIGSTOP, pids[1]), (signal.SIGTERM, pids[0]), (signal.SIGKILL, pids[1])):
        time.sleep(0.5)  # rank 0 waits for the rank that is stopped
        runs.os.kill(process, number)
    _, err = runs.end_of(run)
    tap.check("a rank that ends after SIGTERM: the status of a run that was stopped", run.returncode == 4 and "rank 1 has ended" in err,
              (run.returncode, err))


SCHEDULE = """modifiers = { rain = { plugin = "insert"; number = 40; number_rate = 4.0e4;
    body = { material = "glass"; radius = "1 mm"; }; }; };
observers = { s = { plugin = "csv"; every_steps = 50; }; late = { plugin = "csv"; what = "contacts"; every_steps = 100; };
  flow = { plugin = "mass_flow"; point = (0.0, 0.0, 0.03); normal = (0.0, 0.0, -1.0); every_steps = 100; }; };
stop = ( { when = "kinetic < 1.0e-12"; for = 1.0e-4; } );
schedule = ( { at_step = 40; set = { gcd = { plugin = "bvh"; }; }; },
  { at_time = 1.0e-3; set = { force = ( { plugin = "linear"; kn = 2.0e4; restitution = 0.5; friction = 0.3; } ); scene = { gravity = (1.0, 0.0, -9.81); }; }; },
  { when = "kinetic > 0.0"; every = 30; set = { modifiers = { air = { plugin = "damping"; alpha = 0.3; }; }; }; },
  { when = "flow.forward > 0.5"; every = 25; set = {
      observers = { late = { plugin = "csv"; what = "contacts"; every_steps = 30; file = "later"; }; }; }; },
  { at_step = 300; if_refused = "go_on"; set = { force = ( { plugin = "linear"; kn = 1.0e30; restitution = 0.7; } ); }; } );"""


def test_schedule(top):
    """Bodies come, plugins are exchanged at steps, times and conditions; one swap is refused. Rank 0 decides."""
    (top / "schedule.cfg").write_text(BALLS % SCHEDULE)
    results, files = [], []
    for k, words in enumerate(((), on(2), on(3))):
        result = runs.scree(top, "run", "schedule.cfg", "--steps", "400", "-q", "--json", *words, "-o", f"schedule-{k}")
        tap.check(f"a run with a schedule ends well, {k}", result.returncode == 0, result)
        seen = json.loads(result.stdout) if result.returncode == 0 else {}
        results.append({"state": seen.get("state_sha256"), "swaps": seen.get("swaps"), "said": [line for line in result.stderr.split("\n") if line.startswith("scree: ")]})
        files.append({p.name: p.read_bytes() for p in sorted((top / f"schedule-{k}").rglob("*.csv"))})
    done = [swap["done"] for swap in results[0]["swaps"] or ()]
    tap.check("all entries act, one is refused", len(done) == 5 and done.count(False) == 1, results[0])
    tap.check("two and three ranks have its state, swaps and words", results[1] == results[0] == results[2], results)
    tap.check("and its files", files[1] == files[0] == files[2] and files[0], {k: len(v) for k, v in files[0].items()})


def test_events(top):
    """Bonds that break are events, which each rank reports for its own contacts."""
    brazilian = CONFIGS / "brazilian.cfg"
    tables, states = [], []
    for n in (1, 3):
        result = runs.scree(top, "run", brazilian, "--steps", "300", *QUIET, "--set", "force.1.bond_tension=100.0",
                            *(on(n) if n > 1 else ()), "-o", f"events-{n}")
        tap.check(f"bonds break on {n} ranks", result.returncode == 0, result)
        tables.append([p.read_bytes() for p in (top / f"events-{n}").rglob("events.csv")])
        states.append(state(result))
    tap.check("and end in one state", isinstance(states[0], str) and states[0] == states[1], states)
    tap.check("and the record of events is that of one", tables[0] == tables[1] and tables[0], tables)


SQUARES = """scene = { dimension = 2; dt = 1.0e-5; gravity = (0.0, -9.81);
  region = { min = (0.0, 0.0); max = (0.2, 0.2); }; boundary = "reflect"; };
materials = { m = { density = 2500.0; }; };
generate = { discs = { shape = "disc"; count = 60; radius = "5 mm"; velocity_random = 1.0; }; };
resolvers = ( { plugin = "squares"; }, { plugin = "sphere"; } );
force = ( { plugin = "linear"; kn = 3.0e4; restitution = 0.7; friction = 0.2; } );
"""


def test_pairs(top):
    """Fields of pairs: a resolver of the test has them; lanes in each rank."""
    (top / "squares.cfg").write_text(SQUARES)
    words = ("run", "squares.cfg", "-q", "--json", "--plugin-path", MODULES.parent / "abi/probes")
    one = state(runs.scree(top, *words, "--steps", "250", "-o", "pairs-1"))
    many = state(runs.scree(top, *words, "--steps", "250", *on(3), "-o", "pairs-3"))
    tap.check("fields of pairs are the same on three ranks", isinstance(one, str) and many == one, (one, many))
    # Later this resolver gives a point outside of its body: only the ranks of the two bodies see it.
    blame = "resolver/squares (resolvers[0]) misbehaved in resolve at step "
    one = runs.scree(top, *words, "--steps", "2000", "-o", "blamed-1")
    many = runs.scree(top, *words, "--steps", "2000", *on(3), "-o", "blamed-3")
    said = [[line[line.index(blame):].split(" (cancelled")[0] for line in run.stderr.splitlines() if blame in line] for run in (one, many)]
    tap.check("a plugin that one rank blames is named once, status 3", one.returncode == many.returncode == 3
              and said[0] == said[1] and len(said[0]) == 1, (one, many))
    hint = [line.split("to repeat the call: ")[1] for line in many.stderr.splitlines() if "to repeat the call: " in line]
    again = runs.scree(top, *shlex.split(hint[0])[1:]) if hint else None
    tap.check("and its call is repeated on one rank", len(hint) == 1 and "--break 'resolvers[0]/resolve@" in hint[0]
              and "ranks=1;}'" in hint[0] and again.returncode == 3 and blame in again.stderr and "(call " not in many.stderr, (many.stderr, again))
    (top / "lanes.cfg").write_text(BALLS % "")
    words = ("run", "lanes.cfg", "--steps", "300", "-q", "--json", "--oversubscribe")
    one = state(runs.scree(top, *words, "-o", "lanes-1"))
    many = runs.scree(top, *words, *on(2), "--threads", "3", "-o", "lanes-2")
    tap.check("three threads in each of two ranks have the state of one", isinstance(one, str) and state(many) == one, (one, many))
    tap.check("and are three", state(many) != many and json.loads(many.stdout)["threads"] == 3, many)


def test_lost(top):
    """The command that a run prints after it has lost a rank goes on to the state of a run that lost none."""
    (top / "lost.cfg").write_text(BALLS % "checkpoint = { every_steps = 500; };")
    run = runs.start(top, "run", "lost.cfg", "--steps", "200000", "-q", *on(3), "-o", "lost")
    pids = ranks_of(run, 3)
    runs.wait_for(lambda: list((top / "lost").glob("*.h5")), run)
    runs.os.kill(pids[1], signal.SIGKILL)
    _, err = runs.end_of(run)
    hint = [line.split("to continue: ")[1].split() for line in err.splitlines() if "to continue: " in line]
    tap.check("a run that has lost a rank prints how it goes on", run.returncode == 3 and len(hint) == 1
              and "--break" not in err, err)
    words = hint[0][1:] if hint else ("run",)
    at = json.loads(runs.scree(top, "run", "--restart", words[2], "--steps", "1", "-q", "--json", "-o", "at").stdout)["steps"] if hint else 0
    left = 200000 - int(words[-1]) if hint else 0
    words = [*words[:-1], "500"]
    whole = state(runs.scree(top, "run", "lost.cfg", "--steps", str(left + 500), "-q", "--json", "-o", "whole"))
    rest = state(runs.scree(top, *words, "-q", "--json", "-o", "rest"))
    tap.check("and goes on to the same state", at == 1 and isinstance(whole, str) and rest == whole, (left, words, whole, rest))


def test_again(top):
    """The commands that a run prints take a run of one rank where a launcher has started the ranks."""
    (top / "control.cfg").write_text(BALLS % "")
    (top / "plugins").mkdir()
    (top / "plugins/unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    words = ("run", "control.cfg", "-q", "--steps", "100000000", "--plugin-path", "plugins", *on(2, "none"))
    for name, more, hint in (("saved", (), "to continue: scree "),
                             ("unsaved", ("--set", "checkpoint.at_stop=false"), "to run it again: scree ")):
        ranks = [runs.start(top, *words, *more, "-o", name, env=runs.environment(
            UNSOUND_RANK=k, UNSOUND_MEMORY=top / f"{name}.memory")) for k in range(2)]
        runs.wait_for((top / name / "scene.cfg").exists, ranks[0])
        ranks[0].terminate()
        said = [runs.end_of(one)[1] for one in ranks][0]
        again = [line.split(hint)[1] for line in said.splitlines() if hint in line]
        command = shlex.split(again[0]) if again else ["run"]
        result = runs.scree(top, *command[:-1], "20", "-q")
        tap.check(f"the command of a launched run that is {name} needs no launcher", len(again) == 1
                  and result.returncode == 0 and again[0].count("ranks=1;}'") == 1
                  and ("at_stop=false" in again[0]) == bool(more), (said, result))
    begun = runs.start(top, *words, "-o", "joins", env=runs.environment(
        UNSOUND_RANK=0, UNSOUND_MEMORY=top / "joins.memory"))
    runs.wait_for((top / "joins.memory").exists, begun)
    time.sleep(0.3)
    (child,) = pathlib.Path(f"/proc/{begun.pid}/task/{begun.pid}/children").read_text().split()
    runs.os.kill(int(child), signal.SIGKILL)
    err = runs.end_of(begun)[1]
    tap.check("a process that ends while it joins prints how to run on one rank",
              "to run it on one rank: scree run " in err and "--steps 100000000" in err
              and "ranks=1;}'" in err, err)


def test_refused(top):
    (top / "plain.cfg").write_text(BALLS % "")
    result = runs.scree(top, "run", "plain.cfg", "--steps", "3", *on(2), "--break", "force[0]/compute@1")
    tap.check("--break is for one rank", result.returncode == 2 and "expected one rank" in result.stderr, result)
    for what, setting, slot in (
            ("a law with a field of the run", 'force=( { plugin = "has_global"; } )', "force[0] has data of the whole run"),
            ("a law with after_step, also with the flag", 'force=( { plugin = "counts_steps"; } )', "force[0] has data of the whole run"),
            ("a modifier that writes files", 'modifiers={ w = { plugin = "writer"; }; }', "modifiers.w writes files")):
        words = ("run", "plain.cfg", "--steps", "3", "-q", "--plugin-path", RANKED, "--set", setting)
        one, many = (runs.scree(top, *words, *more) for more in ((), on(2)))
        tap.check(f"{what} is refused by name, on two ranks only", one.returncode == 0 and many.returncode == 2
                  and f"domain: several ranks do not serve this run so far: {slot}; one rank does" in many.stderr, (one, many))


def test_compare(top):
    """Variants of a comparison on several ranks have the state of one."""
    (top / "plain.cfg").write_text(BALLS % "")
    one = state(runs.scree(top, "run", "plain.cfg", "--steps", "25", *QUIET, "-o", "one"))
    words = ("compare", "plain.cfg", "-q", "--steps", "20", "--warmup", "5", "--repeats", "2")
    for name, more, wanted in (("--ranks 2", ("--ranks", "2", "--vary", "gcd.plugin=bvh,grid"), [2, 2]),
                               ("ranks that vary", ("--ranks", "2", "--vary", "domain.ranks=1,2,3"), [1, 2, 3])):
        result = runs.scree(top, *words, *more, "--json")
        seen = json.loads(result.stdout or '{"variants": []}')["variants"]
        tap.check(f"compare with {name}: all reach the state of one rank", result.returncode == 0 and {v["state_sha256"] for v in seen} == {one}
                  and sorted(v["ranks"] for v in seen) == wanted and all(len(v["samples"]) == 2 for v in seen), result)
        tap.check(f"{name}: what ranks did is counted without the warm-up", all(
            v["ranks"] == 1 or 0 < v["apart"]["exchanges"] <= 20 and v["samples"][0]["cpu_s"] > 0.0 for v in seen), result)
        tap.check(f"{name}: the table says the number of ranks", ", 1 thread on each of " + ("2 ranks" if wanted == [2, 2] else "up to 3 ranks")
                  in result.stderr and "on several ranks GCD, +resolver, init and B/box are those of rank 0" in result.stderr, result.stderr)
    one_rank = runs.scree(top, *words, "--vary", "gcd.plugin=bvh,grid")
    tap.check("on one rank it says nothing of ranks", one_rank.returncode == 0 and "rank" not in one_rank.stdout + one_rank.stderr, one_rank)
    folder = unsound_domain(top)
    for differ, more in (("domain", ("--ranks", "2", "--vary", "domain.plugin=none,stale")),
                         ("ranks", ("--set", 'domain={plugin="stale"; ranks=2;}', "--vary", "domain.ranks=1,2")),
                         ("gcd, domain", ("--ranks", "2", "--variant", "a", "gcd.plugin=grid", "domain.plugin=none",
                                          "--variant", "b", "gcd.plugin=bvh", "domain.plugin=stale"))):
        result = runs.scree(top, *words[:3], "--steps", "290", *words[5:], *more, "--plugin-path", folder)
        tap.check(f"ranks with ghosts of the exchange before disagree: {differ}", result.returncode == 3
                  and f" differ only in {differ} and reach different states" in result.stdout + result.stderr, result)
    result = runs.scree(top, *words, "--ranks", "2", "--plugin-path", RANKED, "--vary", "gcd.plugin=grid", "--set", 'force=( { plugin = "has_global"; } )')
    tap.check("a scene that several ranks do not serve fails with the reason", result.returncode == 1
              and "domain: several ranks do not serve this run so far: force[0] has data of the whole run" in result.stderr, result)
    result = runs.scree(top, *words, "--ranks", "0")
    tap.check("--ranks 0 is refused", result.returncode == 2 and "--ranks" in result.stderr, result)


def unsound_domain(top):
    """The folder of domains with a fault."""
    folder = top / "plugins/domain"
    folder.mkdir(parents=True)
    (folder / "unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    return folder


def test_controls(top):
    """Domains with a fault do not reach the state of one rank. Ghosts of the exchange before, or at 0 (stale, absent), give
    another state, or an end; where the first bytes of a gather are those of the gather before, or 0 (old, blank), ranks differ, and end."""
    (top / "control.cfg").write_text(BALLS % "")
    folder = unsound_domain(top)
    words = ("run", "control.cfg", "--steps", "300", "-q", "--json", "--plugin-path", folder)
    one = state(runs.scree(top, *words, "-o", "control"))
    for sin, claim in (("none", "the same"), ("stale", "another one"), ("absent", "another one"), ("old", "refused"), ("blank", "refused")):
        found = state(runs.scree(top, *words, *on(2, sin), "-o", f"control-{sin}"))
        ends = isinstance(found, str)
        said = "" if ends else found.stderr
        met = found == one if sin == "none" else found != one if claim == "another one" else \
            not ends and found.returncode == 3 and f"scree: domain/{sin} (domain) failed in " in said and any(
                words in said for words in ("bytes from rank ", "what the domain brought, differs"))
        tap.check(f"with the domain {sin} the state is {claim}", isinstance(one, str) and met, (one, found))

    words = ("run", "control.cfg", "--steps", "300", "-q", "--json", "--plugin-path", RANKED, "--set", "gcd.plugin=loses",
             "--set", 'extent={eps_c="2 mm";}')  # each body has several partners: ghosts are the same without a pair
    result = runs.scree(top, *words, *on(2), "-o", "lost")
    tap.check("ranks whose pairs differ end", result.returncode == 3 and "sent other contacts than expected: its state, its pairs "
              "from the GCD" in result.stderr, result)
    alone = state(runs.scree(top, *words, "-o", "lossless"))
    tap.check("one rank has all pairs of that GCD", alone == one, (alone, one))


def launched(top, n, name, words, scenes=(), **more):
    """Starts ranks as a launcher does; the domain finds their numbers in the environment. Status, output and errors."""
    memory = top / f"{name}.memory"
    ranks = [runs.start(top, "run", dict(scenes).get(k, "control.cfg"), *(() if "--steps" in words.get(k, ()) else ("--steps", "50")), "-q", "--json", "--plugin-path", top / "plugins/domain",
                        *on(n, "none"), "-o", name, *words.get(k, ()),
                        env=runs.environment(UNSOUND_RANK=k, UNSOUND_MEMORY=memory, **more)) for k in range(n)]
    return [(*runs.end_of(one), one.returncode) for one in ranks]


def test_launched(top):
    """Processes that a launcher has started join before the folder is made. Ranks above 0 are silent."""
    (top / "control.cfg").write_text("# as C:\\new\n" + BALLS % "observers = { s = { plugin = \"csv\"; every_steps = 10; }; };")
    unsound_domain(top)
    one = state(runs.scree(top, "run", "control.cfg", "--steps", "50", "-q", "--json", "-o", "one"))
    for n in (1, 3):
        seen = launched(top, n, f"launched-{n}", {})
        out = seen[0][0]
        tap.check(f"{n} launched processes have the state of one", seen[0][2] == 0 and json.loads(out)["state_sha256"] == one, seen)
        tap.check(f"of {n} only rank 0 writes", all(rest == ("", "", 0) for rest in seen[1:])
                  and (top / f"launched-{n}/summary.json").exists(), seen)
    for what, words, said in (("scene", ("--set", "scene.gravity=[0.0,0.0,-9.8]"), '"scene"'),
                              ("GCD", ("--set", "gcd.plugin=\"bvh\""), "gcd"),
                              ("number of threads", ("--threads", "2"), '"threads"'), ("number of steps", ("--steps", "60"), '"steps"')):
        seen = launched(top, 3, f"other-{said.strip(chr(34))}", {2: words})
        tap.check(f"a rank with another {what} is refused by number and reason", [rest[2] for rest in seen] == [2, 2, 2]
                  and f"rank 2 ({runs.os.uname().nodename}): it does not begin as rank 0 does" in seen[0][1] and said in seen[0][1]
                  and all(rest[2] for rest in seen) and not (top / f"other-{said.strip(chr(34))}").exists(), seen)
    (top / "other").mkdir()
    (top / "other/control.cfg").write_text((top / "control.cfg").read_text().replace("restitution = 0.7;", "restitution = 0.71;"))
    seen = launched(top, 2, "other-file", {}, {1: "other/control.cfg"})
    number = (top / "control.cfg").read_text().split("restitution")[0].count("\n") + 1
    lines = [next((line for line in (top / name).read_text().splitlines() if "restitution" in line), "")
             for name in ("control.cfg", "other/control.cfg")]
    tap.check("a scene with another line is refused by its file and the lines, not by its folder", [rest[2] for rest in seen] == [2, 2]
              and re.search(r"rank 1 \(.*\): it does not begin as rank 0 does, in "
                            + re.escape(f"control.cfg, line {number}: expected {lines[0]}, got {lines[1]}"), seen[0][1]), (lines, seen))


def test_order(top):
    """The order of settings counts only where one is a part of the other."""
    (top / "control.cfg").write_text(BALLS % "")
    folder = top / "plugins/domain"
    folder.mkdir(parents=True)
    (folder / "unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    for name, a, b, same in (("of different settings", "scene.gravity=(0.0,0.0,-9.8)", "scene.dt=2.0e-5", True),
                             ("of a group and a part of it", 'gcd={plugin="grid";}', 'gcd.plugin="bvh"', False)):
        seen = launched(top, 2, f"order-{same}", {0: ("--set", a, "--set", b), 1: ("--set", b, "--set", a)})
        tap.check(f"another order {name} is {'the same scene' if same else 'another scene'}", [rest[2] for rest in seen] == [0 if same else 2] * 2
                  and ("does not begin as rank 0 does" in seen[0][1]) != same, seen)


def test_uneven(top):
    """The set-up of a rank takes longer than a step may; a rank cannot make a plugin that the others can."""
    swap = 'schedule = ( { at_step = 20; if_refused = "go_on"; set = { modifiers = { p = { plugin = "picky"; }; }; }; } );'
    (top / "control.cfg").write_text(BALLS % "")
    folder = top / "plugins/domain"
    folder.mkdir(parents=True)
    (folder / "unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    seen = launched(top, 3, "late", {}, UNSOUND_LATE=1)
    tap.check("a rank with a long set-up is waited for", [rest[2] for rest in seen] == [0, 0, 0], seen)
    (top / "control.cfg").write_text(BALLS % swap)
    (folder / "ranked.so").symlink_to(RANKED / "ranked.so")
    seen = launched(top, 3, "picky", {})
    tap.check("a rank that fails in a swap ends the run, with its number and the reason", seen[0][2] == 3
              and all(rest[2] for rest in seen) and "rank 1 fails where others do not" in seen[0][1]
              and "the file of this rank is missing" in seen[0][1], seen)


def test_whole_runs(top):
    """Processes that a launcher has started, of a scene without a domain of several processes: each is a run of its own."""
    (top / "plain.cfg").write_text(BALLS.replace("force = ", "# force = ") % "")  # a note: no force law
    words = ("run", "plain.cfg", "--steps", "3", "-q")
    warned = "warning: {} says that 3 processes were started, and each of them makes the whole run, because {}; for one run on 3 ranks: "
    none, own = "the scene has no domain", "its domain starts its own ranks"
    for what, names, size, domain, why in (("MPICH", ("PMI_SIZE", "PMI_RANK"), 3, (), none),
                                           ("Open MPI", ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), 3, on(2), own),
                                           ("SLURM", ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"), 3, on(1), own),
                                           ("SLURM, one task", ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"), 1, (), None)):
        seen = [runs.scree(top, *words, *domain, env=runs.environment(**{names[0]: size, names[1]: k})) for k in range(min(size, 2))]
        line = warned.format(names[0], why)
        tap.check(f"{what}: all runs end well, and print the notes of their scene", all(
            run.returncode == 0 and run.stderr.count("no force law") == 1 for run in seen), seen)
        tap.check(f"{what}: {'rank 0 warns' if why else 'no process warns'}", [run.stderr.count("whole run") for run in seen]
                  == [int(why is not None), 0][:len(seen)] and (not why or line in seen[0].stderr), (line, seen))


def test_killed_early(top):
    """A rank that is killed before it joins."""
    (top / "control.cfg").write_text(BALLS % "")
    folder = top / "plugins/domain"
    folder.mkdir(parents=True)
    (folder / "unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    begin = time.monotonic()
    result = runs.scree(top, "run", "control.cfg", "--steps", "3", "-q", "--plugin-path", folder, *on(3, "none"),
                        env=runs.environment(UNSOUND_DIES=1))
    took = time.monotonic() - begin
    tap.check("a rank that is killed before it joins is found within 5 s", runs.in_time(took, 5.0) and result.returncode == 3
              and "rank 1 has ended before it joined (signal 9, Killed)" in result.stderr, (took, result))


def test_stopped(top):
    """Time in which a process is stopped does not count while it joins: rank 0, which has failed, waits for 5 s."""
    (top / "control.cfg").write_text(BALLS % "")
    folder = top / "plugins/domain"
    folder.mkdir(parents=True)
    (folder / "unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")
    memory = top / "stopped.memory"

    def start(rank, *more):
        return runs.start(top, "run", "control.cfg", "--steps", "3", "-q", "--plugin-path", folder, *on(2, "none"), *more, env=runs.environment(
            UNSOUND_RANK=rank, UNSOUND_MEMORY=memory, PMI_SIZE=2, PMI_RANK=rank))
    first = start(0, "--set", "scene.dx=1.0")
    runs.wait_for(memory.exists, first)
    (child,) = pathlib.Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split()
    for number, wait in ((signal.SIGSTOP, 6.0), (signal.SIGCONT, 0.5)):
        runs.os.kill(int(child), number)
        time.sleep(wait)
    waits = first.poll() is None
    said = [runs.end_of(one)[1] for one in (start(1), first)]
    head = f"rank 0 ({runs.os.uname().nodename}): "
    tap.check("a rank that was stopped for longer than it waits for the others still waits", waits and first.returncode == 2
              and head in said[1] and "scene.dx" in said[1] and said[0] == "", said)


# Integrators that have more than one that moves each body by itself (ranks/movers.c): the settings, whether ranks are apart.
MOVERS = {"plain_mover": ("", True), "has_field": ("", False), "has_state": ("", False), "asks": ("", False),
          "nests": ('inner={ plugin="grid"; };', False)}


def test_movers(top):
    """The reason that keeps ranks together is named; an integrator is blamed for a fault while they are apart."""
    (top / "movers.cfg").write_text(BALLS % "")
    words = ("run", "movers.cfg", "--steps", "60", "-q", "--json", "--plugin-path", RANKED, "--set", 'scene.boundary="reflect"')
    for name, (more, apart) in MOVERS.items():
        one, many = (json.loads(runs.scree(top, *words, "--set", f'integrator={{ plugin="{name}"; {more} }}', *ranks, "-o", f"{name}-{k}").stdout or "{}")
                     for k, ranks in enumerate(((), on(3))))
        tap.check(f"the integrator {name}: {'each rank moves its own bodies' if apart else 'all move all'}, to the state of one rank",
                  one["state_sha256"] == many.get("state_sha256") and many["apart"]["lack"] == (None if apart else "the integrator")
                  and (many["apart"]["evaluations"] > 30) == apart, (one, many))
    result = runs.scree(top, *words, "--set", 'integrator={ plugin="strays"; }', *on(3), "-o", "strays")
    tap.check("an integrator that moves a body out after the evaluation is blamed by the rank of the body", result.returncode == 3
              and "integrator/strays (integrator) misbehaved in move at step 40: it moved a body out of the region after the "
              "evaluation at the end of step 41; expected only a change of velocities" in result.stderr, result)


def test_named(top):
    """Domain and number of ranks are in what a run and `scree validate` print."""
    (top / "plain.cfg").write_text(BALLS % "")
    for n, more in ((1, ()), (1, on(1)), (3, on(3))):
        folder = f"named-{n}-{len(more)}"
        result = runs.scree(top, "run", "plain.cfg", "--steps", "3", "-q", *more, "-o", folder)
        summary, manifest = (json.loads((top / folder / f"{file}.json").read_text()) for file in ("summary", "manifest"))
        plugins = [[plugin["id"] for plugin in data["plugins"] if plugin["kind"] == "domain"] for data in (summary, manifest)]
        tap.check(f"summary and manifest have {n} ranks{' and the domain' if more else ''}", summary["ranks"] == manifest["ranks"] == n
                  and plugins == [["processes"] if more else []] * 2, (summary["ranks"], manifest["ranks"], plugins))
        tap.check(f"and so has the table of the run: {n}", ("\nranks         3, most work / mean " in result.stdout) == (n == 3)
                  and ("domain/processes" in result.stdout) == bool(more), result)
    for n, more in ((1, ()), (3, on(3))):
        text, data = runs.scree(top, "validate", "plain.cfg", *more), json.loads(runs.scree(top, "validate", "plain.cfg", *more, "--json").stdout)
        kinds = [plugin["id"] for plugin in data["plugins"] if plugin["kind"] == "domain"]
        tap.check(f"validate names {n} ranks", ("\nranks      3, by domain/processes\n" in text.stdout) == (n == 3)
                  and data["ranks"] == n and kinds == ["processes"] * (n == 3), (text, data["ranks"], kinds))


def test_all_scenes(top):
    for scene in sorted(CONFIGS.glob("*.cfg")) + sorted(CONFIGS.glob("thesis/*.cfg")):
        results = [runs.scree(top, "run", scene, "--steps", "100", *QUIET, *(on(n) if n > 1 else ()), "-o", f"{scene.stem}-{n}") for n in (1, 2, 3)]
        states = [state(result) for result in results]
        tap.check(f"{scene.stem}: one state on one to three ranks", isinstance(states[0], str) and states == states[:1] * 3, states)


if sys.argv[6:] == ["full"]:
    tap.in_folders(test_all_scenes)
else:
    tap.in_folders(test_one_state, test_walls_that_move, test_cut_again, test_apart, test_accuracy, test_ghosts, test_ghosts_that_fly, test_files, test_schedule, test_events, test_pairs, test_restart, test_ends, test_refused, test_compare, test_controls,
                   test_launched, test_order, test_uneven, test_lost, test_again, test_whole_runs, test_named, test_killed_early, test_stopped, test_movers)
