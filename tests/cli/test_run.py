# SPDX-License-Identifier: Apache-2.0
"""`scree run`: options, table and JSON, observers and their files, folders, signals, progress.

usage: test_run.py SCREE SCENE.cfg
"""
import hashlib
import json
import math
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time

import runs
import tap

SCREE, SCENE = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
STEPS, DT = 400, 2e-5
PHASES = ["gcd", "order", "resolve", "gather", "force", "sum", "integrate", "pose", "modify", "edit",
          "energy", "observe", "save", "exchange", "wait", "other"]

KEYS = {"title", "steps", "bodies", "threads", "cpu_level", "setup_s", "wall_s",
        "particle_steps_per_s", "phases", "gcd_calls", "candidates", "contacts", "accuracy",
        "energy", "peak_rss_bytes", "stopped", "state_sha256", "scene_sha256", "plugins", "machine",
        "coordination", "dt", "time", "momentum", "modifiers"}

OBSERVERS = """
    scalars = { plugin = "csv"; what = "scalars"; every_steps = 50; };
    walls = { plugin = "csv"; what = "bodies"; file = "walls"; groups = ["plate", "floor"]; every_steps = 50; };
    touches = { plugin = "csv"; what = "contacts"; file = "touches"; every_steps = 50; };
    ends = { plugin = "csv"; file = "ends"; };
    often = { plugin = "csv"; file = "often"; every_time = "0.6 ms"; };
"""


def scree(top, *args, out=subprocess.PIPE, **more):
    return runs.scree(top, "run", *args, env=runs.environment(**more), stdout=out)


def summary(top, *args):
    result = scree(top, SCENE, "-q", "--json", *args)
    return json.loads(result.stdout) if result.returncode == 0 else {"failed": result.stderr}


def observed(top, observers=OBSERVERS, name="observed.cfg"):
    """A scene of that name that adds observers to the common one."""
    path = top / name
    path.write_text(f'base = "{SCENE}";\nobservers = {{ {observers} }};\n')
    return path


def test_table(top):
    result = scree(top, SCENE)
    words = ["Spheres on a plate (run, 3D)", "29: 27 free, 0 kinematic, 2 fixed",
             "400 of dt = 2e-05 s", "particle-steps/s", "coordination", "residual", "momentum",
             "peak memory", "force/linear", "cite ", "Cundall"]
    tap.check("the table has all results of a run", result.returncode == 0
              and all(w in result.stdout for w in words)
              and re.search(r"state_sha256  [0-9a-f]{64}\n$", result.stdout), result)
    phases = re.findall(r"^  (\w+) +[0-9.]+ +([0-9.]+)$", result.stdout, re.M)
    tap.check("the phases are printed in their order, and make up the whole",
              [p[0] for p in phases] == PHASES
              and math.isclose(sum(float(p[1]) for p in phases), 100.0, abs_tol=1.0), phases)
    tap.check("a run without observers writes no folder", not os.listdir(top), os.listdir(top))
    quiet = scree(top, SCENE, "--set", "scene.dt=1e-5")
    tap.check("a short run prints nothing on standard error", quiet.returncode == 0
              and not quiet.stderr, quiet)
    tap.check("but a residual of more than a percent is warned of, and in the summary",
              "warning: the energy account is off by" in result.stderr
              and "residual above 1 % of the exchanged energy: seen" in result.stdout, result)
    squeezed = top / "squeezed.cfg"
    squeezed.write_text("""scene = { dt = 1.0; dt_limit = 1e9; steps = 5000; };
materials = { m = { density = 2500.0; }; };
shapes = { up = { type = "plane"; normal = (0.0, 0.0, 1.0); };
    down = { type = "plane"; normal = (0.0, 0.0, -1.0); }; };
bodies = { floor = { shape = "up"; }; lid = { shape = "down"; position = (0.0, 0.0, 0.0019); };
    ball = { radius = 0.001; position = (0.0, 0.0, 0.0009); }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
""")
    result = scree(top, squeezed)
    tap.check("a run that blows up says why", result.returncode != 0
              and "dt is above the critical step: the run has blown up?" in result.stderr, result)
    for args in (["run", SCENE, "-q"], ["run", SCENE, "-q", "--json"], ["validate", SCENE],
                 ["plugins"], ["--help"], ["--version"], ["run", "--help"]):
        with open("/dev/full", "w") as full:
            result = runs.scree(top, *args, stdout=full)
        tap.check(f"{' '.join(map(str, args))} onto a full disk fails", result.returncode == 1
                  and "cannot write to standard output" in result.stderr, result)


def test_momentum(top):
    """A ball on its way: p = m v, L = m x cross v + I w, printed and in --json."""
    x, v, spin, radius = (0.1, 0.2, 0.3), (1.0, 2.0, 4.0), (500.0, -300.0, 700.0), 0.01
    (top / "ball.cfg").write_text(f"scene = {{ dt = 1e-12; steps = 1; }};\nmaterials = {{ m = {{ density = 2500.0; }}; }};\n"
                                  f"bodies = {{ a = {{ radius = {radius}; position = {x}; velocity = {v}; spin = {spin}; }}; }};\n")
    mass = 2500.0 * 4.0 / 3.0 * math.pi * radius ** 3
    want = [mass * one for one in v] + [
        mass * (x[k - 2] * v[k - 1] - x[k - 1] * v[k - 2] + 0.4 * radius ** 2 * spin[k]) for k in range(3)]
    result = scree(top, "ball.cfg")
    line = re.search(r"^momentum +(.*)$", result.stdout, re.M).group(1)
    printed = [float(one) for one in re.findall(r"[-+.\de]*\d", line.split("kg m^2/s")[0].replace("kg m/s", ""))]
    tap.check("momentum and angular momentum are printed, axis by axis", len(printed) == 6 and all(
        math.isclose(a, b, rel_tol=1e-5) for a, b in zip(printed, want)), (line, want))
    data = json.loads(scree(top, "ball.cfg", "--json").stdout)
    tap.check("and in --json", all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(
        data["momentum"] + data["angular_momentum"], want)), (data["momentum"], data["angular_momentum"], want))


    data["momentum"][1] = None
    (top / "summary.json").write_text(json.dumps(data))
    result = runs.call(top, SCREE.parent / "scree-tools", "--no-parent", "summary", "summary.json")
    tap.check("a number that is null in JSON is nan in the table", result.returncode == 0
              and re.search(r"^momentum +\([-.e\d]+, nan, [-.e\d]+\) kg m/s", result.stdout, re.M), result)


def test_json(top):
    result = scree(top, SCENE, "--json")
    data = json.loads(result.stdout)
    tap.check("--json prints one object with every key", result.returncode == 0
              and KEYS <= set(data), sorted(KEYS - set(data)))
    tap.check("the table goes to standard error then", "state_sha256" in result.stderr, result)
    energy = data["energy"]
    account = (energy["kinetic"] + energy["gravity"] + energy["stored"] + energy["lost"]
               - energy["work"] - energy["start"])
    tap.check("the energies add up to the residual",
              math.isclose(account, energy["residual"], abs_tol=1e-12), energy)
    tap.check("the numbers are those of the scene", data["steps"] == STEPS and data["bodies"] == 29
              and data["dt"] == DT and math.isclose(data["time"], STEPS * DT)
              and data["contacts"] > 0 and data["candidates"] > data["contacts"]
              and 0 < data["accuracy"] <= 1 and data["stopped"] is False
              and data["particle_steps_per_s"] > 0 and data["peak_rss_bytes"] > 1 << 20, data)
    plugins = {(p["kind"], p["id"]): p for p in data["plugins"]}
    file = plugins[("force", "linear")]["file"]
    digest = hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()
    tap.check("plugins are printed with file and SHA-256", set(k for k, _ in plugins) == {
        "gcd", "resolver", "force", "integrator", "shape", "source"}
        and plugins[("force", "linear")]["sha256"] == digest, plugins)
    shapes = {id: p for (kind, id), p in plugins.items() if kind == "shape"}
    digests = {id: hashlib.sha256(pathlib.Path(p["file"]).read_bytes()).hexdigest() for id, p in shapes.items()}
    tap.check("those of shapes too, each once", set(shapes) == {"sphere", "facets", "plane"}
              and len(plugins) == len(data["plugins"])
              and all(p["version"] and p["sha256"] == digests[id] for id, p in shapes.items()), data["plugins"])
    again = scree(top, SCENE, "--json", "-q", "--set", "scene.title=\"other\"")
    tap.check("an override changes the scene's hash and not the state's",
              json.loads(again.stdout)["scene_sha256"] != data["scene_sha256"]
              and json.loads(again.stdout)["state_sha256"] == data["state_sha256"], again)
    with open("/dev/full", "w") as full:
        result = scree(top, SCENE, "--json", "-q", out=full)
    tap.check("a full standard output fails the run", result.returncode == 1
              and "cannot write to standard output" in result.stderr, result)
    with open("/dev/full", "w") as full:
        result = runs.scree(top, "run", SCENE, "--json", stderr=full)
    tap.check("a full standard error does not", result.returncode == 0
              and json.loads(result.stdout)["state_sha256"] == data["state_sha256"], result)


def documented_phases():
    """Names of the rows, from the page of the program."""
    text = (pathlib.Path(__file__).parents[2] / "docs/scree.1").read_text(encoding="utf-8")
    told = text.partition("The phases are")[2].partition(".B \\-\\-json")[0]
    return re.findall(r"^\.I (\w+)$", told, re.M)


def test_phases(top):
    tap.check("the phases of --json are those that the manual describes",
              list(summary(top)["phases"]) == documented_phases() == PHASES, documented_phases())
    swapped = top / "swapped.cfg"
    swapped.write_text(f'base = "{SCENE}";\nschedule = ( {{ at_step = 100; '
                       'set = { gcd = { plugin = "pairing"; }; }; } );\n')
    for name, args in (("a run", [SCENE, "--steps", 2000]), ("with observers", [observed(top)]),
                       ("with a swap", [swapped]), ("with checkpoints", [SCENE, "--set", "checkpoint={every_steps=50;}"]),
                       ("restarted", ["--restart", top / "with checkpoints-1", "--steps", 400])):
        for threads in (1, 2):
            result = scree(top, *args, "-q", "--json", "--threads", threads,
                           "-o", top / f"{name}-{threads}")
            data = json.loads(result.stdout)
            phases, total = data["phases"], threads * data["wall_s"]
            tap.check(f"{name}, threads {threads}: all phases sum to threads times wall time",
                      math.isclose(sum(phases.values()), total, rel_tol=1e-9), (phases, total))
            tap.check(f"{name}, threads {threads}: no phase is negative, or more than the whole",
                      all(0.0 <= p <= total for p in phases.values()), (phases, total))
            tap.check(f"{name}, threads {threads}: " + ("one thread never waits" if threads == 1
                                                        else "waiting is a row of its own"),
                      (phases["wait"] == 0.0) == (threads == 1), phases)
            tap.check(f"{name}, threads {threads}: time goes where there is something to do",
                      all(phases[k] > 0.0 for k in ("gcd", "order", "resolve", "integrate", "energy"))
                      and (phases["observe"] > 0.0 or name != "with observers")
                      and (phases["edit"] > 0.0 or name != "with a swap")
                      and (phases["save"] > 0.0 or name != "with checkpoints")
                      and 0.0 < data["gcd_wall_s"] <= data["wall_s"], data)


def test_routes(top):
    whole = summary(top)
    want = whole["state_sha256"]
    for args in (("--threads", 2), ("--threads", "3", "--blocks", "5"), ("--blocks", 4),
                 ("--batch", 64), ("--steps", STEPS), ("--until", "8 ms"), ("--for", "8 ms"),
                 ("--set", 'gcd={plugin="pairing";}')):
        data = summary(top, *args)
        tap.check(f"{' '.join(map(str, args))} leads to the same state",
                  data.get("state_sha256") == want and data["coordination"] == whole["coordination"], (data, whole))
    tap.check("a step less leads to another", summary(top, "--steps", STEPS - 1)["state_sha256"]
              != want)


def test_length(top):
    for args, steps in ((("--steps", 0), 0), (("--steps", 7), 7), (("--until", "0.001"), 50),
                        (("--until", "1.01 ms"), 51), (("--until", "0 s"), 0)):
        data = summary(top, *args)
        tap.check(f"{' '.join(map(str, args))} makes {steps} steps", data.get("steps") == steps
                  and data["stopped"] is False, data)
    bad = top / "bad.cfg"
    bad.write_text(SCENE.read_text().replace("steps = 400;", ""))
    result = scree(top, bad)
    tap.check("a scene without steps needs an option that says how long", result.returncode == 2
              and "--steps N, --for T or --until T" in result.stderr, result)


def test_usage(top):
    wrong = [("--steps", "-1"), ("--steps", "1.5"), ("--steps", "abc"), ("--steps", ""),
             ("--steps", "0x10"), ("--steps", "99999999999999999999"), ("--until", "-1"),
             ("--until", "abc"), ("--until", "3 kg"), ("--until", "inf"), ("--until", "1e30"),
             ("--threads", "0"), ("--threads", "100000"), ("--blocks", "0"), ("--batch", "8"),
             ("--steps", "1", "--until", "1"), ("--for", "1", "--until", "1"), ("--for", "-1 s"), ("--for", "1e30"),
             ("--restart", "x"), ("--jsn",)]
    for args in wrong:
        result = scree(top, SCENE, *args)
        tap.check(f"{' '.join(args)} is refused with its name", result.returncode == 2
                  and args[0] in result.stderr and not result.stdout, result)
    for args, count in (((), 0), ((SCENE, "second.cfg"), 2)):
        result = scree(top, *args)
        tap.check(f"a run of {count} scenes is refused", result.returncode == 2
                  and f"expected one SCENE, got {count or 'none'}" in result.stderr, result)
    result = scree(top, "none.cfg")
    tap.check("a scene that is not there is refused", result.returncode == 2
              and "none.cfg" in result.stderr, result)
    result = scree(top, SCENE, SCREE_CPU_LEVEL="z80")
    tap.check("a CPU level that does not exist is refused", result.returncode == 2
              and "z80" in result.stderr, result)
    result = scree(top, "--help")
    tap.check("--help lists every option", result.returncode == 0 and all(
        f"--{name}" in result.stdout for name in ("set", "steps", "until", "for", "threads", "oversubscribe", "output",
                                                  "json", "quiet", "blocks", "batch", "restart", "repeat",
                                                  "allow-plugin-change")), result)


def test_observers(top):
    result = scree(top, observed(top), "--json")
    folder = top / "runs/observed-1"
    names = sorted(p.name for p in folder.iterdir())
    tap.check("a run with observers has its folder, all files closed", result.returncode == 0
              and names == sorted(["checkpoint-400.h5", "manifest.json", "scene.cfg", "summary.json"] + [
                  f"{n}.{s}" for n in ("ends", "often", "scalars", "touches", "walls")
                  for s in ("csv", "gp")]), (names, result.stderr))
    data = json.loads((folder / "summary.json").read_text())
    tap.check("summary.json is what --json prints", data == json.loads(result.stdout), data)
    scene = (folder / "scene.cfg").read_bytes()
    tap.check("scene.cfg is the scene of the hash",
              hashlib.sha256(scene).hexdigest() == data["scene_sha256"])
    steps = {n: [int(r["step"]) for r in runs.read_table(folder / f"{n}.csv")]
             for n in ("scalars", "ends", "often", "walls")}
    tap.check("every_steps observes start, interval, end", steps["scalars"] == list(
        range(0, STEPS + 1, 50)), steps)
    tap.check("no interval: start and end", steps["ends"] == [0, STEPS], steps)
    tap.check("every_time observes the first step at or after each time",
              steps["often"] == sorted({*range(0, STEPS + 1, 30), STEPS}), steps)
    check_contacts(folder)
    scree(top, SCENE, "-q", "--steps", "100", "--set", 'checkpoint={every_time="0.6 ms"; keep=9;}', "-o", "times")
    saved = sorted(int(p.stem.split("-")[1]) for p in (top / "times").glob("checkpoint-*.h5"))
    tap.check("so does checkpoint.every_time", saved == [30, 60, 90, 100], saved)
    (top / "temporary").mkdir()
    seen = runs.scree(top, "validate", top / "observed.cfg", env=runs.environment(TMPDIR=str(top / "temporary")))
    tap.check("validate leaves no file of the observers that it tries", seen.returncode == 0 and not seen.stderr
              and not list((top / "temporary").iterdir()), (seen, list((top / "temporary").iterdir())))
    tap.check("observers change nothing", data["state_sha256"]
              == summary(top)["state_sha256"], data)


def check_contacts(folder):
    """Contacts and forces on walls at steps that end with a renumbering (every 50)."""
    touches, walls = runs.read_table(folder / "touches.csv"), runs.read_table(folder / "walls.csv")
    counts = {int(r["step"]): int(r["contacts"]) for r in runs.read_table(folder / "scalars.csv")}
    seen = {s: sum(int(r["step"]) == s and float(r["depth"]) >= 0.0 for r in touches)
            for s in counts}
    tap.check("each observation lists as many contacts as it counts", seen == counts
              and sum(counts.values()) > 20, (seen, counts))
    normals = [math.dist((0, 0, 0), [float(r[k]) for k in ("nx", "ny", "nz")]) for r in touches]
    tap.check("their normals are unit vectors", all(abs(n - 1.0) < 1e-12 for n in normals), normals)
    most = 0.0
    for row in walls:
        here = [r for r in touches if r["step"] == row["step"] and r["b"] == row["id"]]
        force = -sum(float(r["fz"]) for r in here)
        most = max(most, abs(force))
        if not math.isclose(force, float(row["fz"]), rel_tol=1e-12, abs_tol=1e-15):
            most = math.nan
            break
    tap.check("the force on a wall is that of its contacts", most > 0.0, most)


def test_folder(top):
    scene = observed(top)
    for _ in range(2):
        scree(top, scene, "--steps", 1)
    tap.check("runs are numbered, latest is the newest",
              sorted(os.listdir(top / "runs")) == ["latest", "observed-1", "observed-2"]
              and os.readlink(top / "runs/latest") == "observed-2", os.listdir(top / "runs"))
    result = scree(top, SCENE, "-o", "mine/deep", "--steps", 1)
    tap.check("-o makes the folder, whether or not there are observers", result.returncode == 0
              and sorted(os.listdir(top / "mine/deep")) == ["checkpoint-1.h5", "manifest.json", "scene.cfg", "summary.json"], result)
    before = (top / "mine/deep/summary.json").read_bytes()
    result = scree(top, SCENE, "-o", "mine/deep", "--steps", 2)
    tap.check("a folder that holds a run is refused and left alone", result.returncode == 2
              and "is not empty" in result.stderr
              and before == (top / "mine/deep/summary.json").read_bytes(), result)
    (top / "empty").mkdir()
    tap.check("an empty folder is taken",
              scree(top, SCENE, "-o", "empty", "--steps", 1).returncode == 0)
    result = scree(top, SCENE, "-o", scene, "--steps", 1)
    tap.check("a file is not a folder", result.returncode == 2 and "expected a folder" in result.stderr, result)
    result = scree(top, SCENE, "-o", "failed", "--set", "force.0.kn=-1")
    tap.check("a scene that is refused leaves no folder", result.returncode == 2
              and not (top / "failed").exists(), result)


def start(top, *args, **more):
    """A run that is under way: its folder holds the scene."""
    out = top / f"out-{time.monotonic_ns()}"
    process = runs.start(top, "run", *args, "-o", out, **more)
    runs.wait_for((out / "scene.cfg").exists, process)
    return process, out


def test_stop(top):
    late = observed(top, 'touches = { plugin = "csv"; what = "contacts"; file = "touches"; };'
                         'ends = { plugin = "csv"; file = "ends"; every_steps = 1000000000; };')
    for number in (signal.SIGTERM, signal.SIGINT):
        process, out = start(top, late, "--json", "--steps", 10 ** 12)
        time.sleep(0.2)
        process.send_signal(number)
        text, err = process.communicate(timeout=60)
        data = json.loads(text) if text else {}
        tap.check(f"{number.name} ends the run early with status 4", process.returncode == 4
                  and data["stopped"] and 0 < data["steps"] < 10 ** 12, (process.returncode, err))
        tap.check(f"{number.name}: a line says what was saved", re.search(
            rf"stopped by {number.name} after step \d+ of 1000000000000; saved in {out}: "
            "scene.cfg, summary.json, manifest.json, checkpoints, the files of its observers", err), err)
        last = [int(r["step"]) for r in runs.read_table(out / "ends.csv")]
        touches = sum(int(r["step"]) == data["steps"] and float(r["depth"]) >= 0.0
                      for r in runs.read_table(out / "touches.csv"))
        tap.check(f"{number.name}: observers have seen the last step", last == [0, data["steps"]]
                  and touches == data["contacts_at_end"], (last, touches, data))
        again = summary(top, "--steps", data["steps"])
        tap.check(f"{number.name}: the state is that of a run of so many steps",
                  again.get("state_sha256") == data["state_sha256"], again)


def bar_of(top, *words):
    """A run on a terminal that is stopped after three bars, and what it has drawn."""
    master, slave = pty.openpty()
    process, _ = start(top, *words, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    seen, end = b"", time.monotonic() + 60.0
    while seen.count(b"steps/s") < 3 and time.monotonic() < end:
        seen += os.read(master, 4096)
    process.send_signal(signal.SIGINT)
    try:
        while chunk := os.read(master, 4096):
            seen += chunk
    except OSError:  # the other side has closed
        pass
    os.close(master)
    return process.wait(60), seen.decode()


def test_terminal(top):
    status, text = bar_of(top, SCENE, "--steps", 10 ** 12)
    tap.check("a terminal shows a bar that is wiped at the end", status == 4 and re.search(
        r"\r\[[#.]{20}\] +[0-9.]+ %  \S+ steps/s  .* left  t = \S+ s", text)
        and "\r\033[K" in text.partition("scree: stopped")[0], text)


def test_progress(top):
    """The bar of a run that continues begins at the step of the state."""
    scree(top, SCENE, "--steps", 10 ** 5, "-q", "-o", top / "first")
    _, text = bar_of(top, "--restart", top / "first", "--steps", 10 ** 6)
    shares = [float(share) for share in re.findall(r"\] +([0-9.]+) %", text)]
    _, text = bar_of(top, SCENE, "--steps", 10 ** 6)
    fresh = [float(share) for share in re.findall(r"\] +([0-9.]+) %", text)]
    tap.check("a continued run counts the steps before it as done", shares and fresh and shares[0] > max(fresh[0], 9.0),
              (shares, fresh))


tap.in_folders(test_table, test_momentum, test_json, test_phases, test_routes, test_length, test_usage, test_observers, test_folder,
               test_stop, test_terminal, test_progress)
