# SPDX-License-Identifier: Apache-2.0
"""`scree study`: syntax, rows, states, samplers, --fit, the script for SLURM, Python.

usage: test_study.py SCREE SCENE
"""
import json
import math
import os
import pathlib
import signal
import statistics
import sys
import time

import runs
import tap
from scree._vary import Fit, parse, random_rows
from study import environment, rows, study, words

import scree
import scree.study

SCENE = pathlib.Path(sys.argv[2]).resolve()
FINE = ["--set", "scene.dt=1e-5"]  # SCENE is coarse: its energy account does not close
CSV = 'observers={ now = { plugin = "csv"; every_steps = 10; }; }'
NUMBERS = ["0.1", "0.1,0.2", "0.5,0.1", "1..10+3", "400..102400*4", "0.1..0.5+0.2", "0.1..0.4+0.1", "1..0.1*0.5", "5..1+-2", "3..3+1", "2..2*2",
           "0.1..0.35+0.1", "1e-3..1*10", "1,2..4+1", "4..6+1,1", " 0.1 , 0.2 ", "1e0,2e0", "7..7.5+0.25", "1000..1*0.1", "0.30000000000000004,0.3",
           "1..1e3*10", "+1,+2", "1.,2.", ".5,.25", "10..100+30,5", "0.1..0.7+0.1"]
TEXTS = ['"a","b"', '"a,b","c"', '"b","a"', '"a\\"b","c"', '"x..y*2"']
VECTORS = ["(0.0,0.0,-9.81),(0,0,-1.6)", "[0.0,0.0,1.0]", "(0.0, 0.0, 1.0) , (1.0, 0.0, 0.0)"]
WRONG = ["", "1,,2", "1,", "1..5", "1..5*", "1..5+x", "1..5*-2", "1..5*0", "5..1+2", "1..5+-1", "1..2000+1", "1,1", "1,1.0", "(1,2", "1)", '"a', "(1]"]


def test_syntax(top):
    """As `scree compare` reads it; A..B without a step is a range here only."""
    for path, texts in (("force.0.friction", NUMBERS), ("scene.title", TEXTS), ("scene.gravity", VECTORS)):
        for text in texts:
            seen = runs.scree(top, "compare", SCENE, "-q", "--json", "--steps", 1, "--warmup", 0, "--repeats", 1, "--vary", f"{path}={text}")
            theirs = [one["overrides"][0] for one in json.loads(seen.stdout)["variants"]] if seen.returncode == 0 else seen.stderr
            ours = [f"{path}={value}" for value in parse(f"{path}={text}").values]
            tap.check(f"--vary {path}={text} has the values of compare", theirs == ours, (theirs, ours))
        tap.check(f"compare {'names' if path[0] == 'f' else 'does not name'} this command for {path}", ("`scree study`" in seen.stderr) == (path[0] == "f"))
    for text in WRONG:
        seen = runs.scree(top, "compare", SCENE, "-q", "--vary", f"force.0.friction={text}")
        try:
            ours = parse(f"force.0.friction={text}")
        except scree.UseError as error:
            ours = str(error)
        tap.check(f"--vary PATH={text} is refused, as compare does", seen.returncode == 2 and (isinstance(ours, str) or ours.span == (1.0, 5.0)),
                  (seen.stderr, ours))


def test_rows(top):
    seen = study(top, SCENE, "--set", CSV, *FINE, "--vary", "force.0.friction=0.1,0.4", "--seeds", 2, "--jobs", 2)
    table = rows(top)
    tap.check("a row for each value and seed", seen.returncode == 0 and [(row["force.0.friction"], row["seed"], row["state"]) for row in table]
              == [("0.1", "1", "ok"), ("0.1", "2", "ok"), ("0.4", "1", "ok"), ("0.4", "2", "ok")], seen.stderr)
    tap.check("the forecast of `scree validate` is printed before it", seen.stderr.index(" s by measured costs: 4 runs of ") < seen.stderr.index("1/4 ok"), seen.stderr)
    tap.check("the cost is printed after the first run", " left: 3 runs of " in seen.stderr and "2 at a time" in seen.stderr, seen.stderr)
    single = json.loads(runs.scree(top, "run", SCENE, "-q", "--json", "-o", "single", "--set", CSV, *FINE, "--set", "force.0.friction=0.4", "--set",
                                  "scene.seed=2").stdout)
    tap.check("a row is the run of its settings", table[3]["state_sha256"] == single["state_sha256"] != table[1]["state_sha256"], table[3])
    own = {key: value for key, value in single["energy"].items()}
    tap.check("its columns are the scalars of the summary, and the last values of observers",
              all(float(table[3][f"energy.{key}"]) == value for key, value in own.items())
              and float(table[3]["now.kinetic"]) == single["observers"]["now"]["kinetic"], table[3])
    numbers = [row for row in runs.read_numbers(top / "single/scalars.csv") if row["time"] >= single["time"] / 2]
    mean, kinetic = float(table[3]["now.kinetic.mean"]), [row["kinetic"] for row in numbers]
    tap.check("a mean is over the last half", abs(mean - statistics.fmean(kinetic)) < 1e-12 * mean, (mean, kinetic))
    blocks = [statistics.fmean(kinetic[len(kinetic) * k // 10:len(kinetic) * (k + 1) // 10]) for k in range(10)]
    tap.check("its error is that of the means of ten blocks",
              abs(float(table[3]["now.kinetic.error"]) / (statistics.stdev(blocks) / 10**0.5) - 1) < 1e-9, table[3])
    before = (top / "study/results.csv").read_bytes()
    logs = {path: path.stat().st_mtime_ns for path in top.glob("study/rows/*/log.txt")}
    again = study(top, SCENE, "--set", CSV, *FINE, "--vary", "force.0.friction=0.1,0.4", "--seeds", 2)
    tap.check("the same command makes no run again", again.returncode == 0 and before == (top / "study/results.csv").read_bytes()
              and logs == {path: path.stat().st_mtime_ns for path in logs} and len(logs) == 4, again.stderr)
    more = study(top, SCENE, "--set", CSV, "--vary", "force.0.friction=0.1,0.2,0.4", *FINE, "--seeds", 2)
    tap.check("more values make only their own runs", more.stderr.count(" ok ") == 2 and len(rows(top)) == 6, more.stderr)
    window = study(top, SCENE, "--set", CSV, "--vary", "force.0.friction=0.4", *FINE, "--seeds", 2, "--window", "0 s")
    tap.check("--window is the time of a mean", window.stderr == "" and rows(top)[1]["now.kinetic.mean"] == rows(top)[1]["now.kinetic"], window.stderr)


def test_ranks(top):
    """Ranks change no result: the rows of a study on one rank are those of the same study on two, which does not run them again."""
    vary = ("--set", CSV, *FINE, "--vary", "force.0.friction=0.1,0.4")
    seen = study(top, SCENE, *vary, "--ranks", 2, "--jobs", 1, folder="two")
    again = study(top, SCENE, *vary, folder="one")
    two, one = rows(top, "two"), rows(top, "one")
    tap.check("a study on two ranks has the states of one", seen.returncode == again.returncode == 0 and [row["state_sha256"] for row in one]
              == [row["state_sha256"] for row in two] and [row["row"] for row in one] == [row["row"] for row in two], (seen, again))
    tap.check("its runs have two ranks", {row["ranks"] for row in two} == {"2"} and {row["ranks"] for row in one} == {"1"}
              and all(row["apart.evaluations"] for row in two), two)
    many = study(top, SCENE, *vary, "--ranks", 65, folder="many")
    tap.check("more ranks than one machine may have are refused before a run", many.returncode == 2 and "--ranks: expected a whole number from 1 to 64, got 65"
              in many.stderr and not (top / "many").exists(), many)
    more = study(top, SCENE, *vary, folder="two")
    (top / "mpi.cfg").write_text(SCENE.read_text() + 'domain = { plugin = "mpi"; };\n')
    line = (top / "mpi.cfg").read_text().count("\n")
    for what, words, place in (("in the scene", ("mpi.cfg",), f"mpi.cfg:{line}"), ("by --set", (SCENE, "--set", 'domain={plugin="mpi";}'), "--set")):
        refused = study(top, *words, "--vary", "force.0.friction=0.1,0.4", folder="mpi")
        tap.check(f"a domain whose ranks a launcher starts, {what}, is refused once, before a run", refused.returncode == 2 and refused.stderr
                  == f"scree study: {place}: domain: expected one whose ranks are started without a launcher, such as --ranks 2, got domain/mpi\n", refused)
    tap.check("and they are not run again on one", more.returncode == 0 and "1/" not in more.stderr and rows(top, "two") == two, more)


def test_wall(top):
    """A ball that swings about its place on a plate with a period of 4 steps, k = 2 m / dt^2, presses with its weight on average."""
    mass, dt = 2500.0 * 4.0 / 3.0 * math.pi * 8e-9, 1e-5
    weight, k = 9.81 * mass, 2.0 * mass / dt**2
    (top / "plate.cfg").write_text(f"""scene = {{ dt = {dt!r}; steps = 4000; gravity = (0.0, 0.0, -9.81); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ plate = {{ shape = "floor"; }}; a = {{ radius = "2 mm"; position = (0.0, 0.0, {0.002 - 1.5 * weight / k!r}); }}; }};
force = {{ plugin = "linear"; kn = {k!r}; restitution = 1.0; }};
observers = {{ now = {{ plugin = "csv"; every_steps = 1; }}; }};
""")
    seen = study(top, top / "plate.cfg", "--vary", "scene.seed=1", folder="plate")
    row = rows(top, "plate")[0] if seen.returncode == 0 else {}
    mean, last = (float(row.get(f"now.plate.fz{word}", "nan")) / -weight for word in (".mean", ""))
    tap.check("a force on a wall with a period of 4 steps: its mean is over all phases", abs(mean - 1.0) < 1e-3 < abs(last - 1.0), (mean, last, seen.stderr))


def test_identity(top):
    (top / "s.cfg").write_text(SCENE.read_text().replace('radius = "5 mm"', 'radius = "4 mm"'))
    vary = ["--vary", "force.0.friction=0.4", "-q"]
    study(top, "s.cfg", *vary)
    first = rows(top)[0]["row"]
    (top / "s.cfg").write_text((top / "s.cfg").read_text() + "# a comment\n")
    study(top, "s.cfg", *vary)
    same = rows(top)[0]["row"]
    (top / "s.cfg").write_text((top / "s.cfg").read_text().replace("kn = 1.0e4", "kn = 2.0e4"))
    study(top, "s.cfg", *vary)
    tap.check("a scene with other settings is another row, a comment is not", first == same != rows(top)[0]["row"], (first, same, rows(top)[0]["row"]))
    (top / "tri.stl").write_text("solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid t\n")
    (top / "m.cfg").write_text(SCENE.read_text().replace('floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };', 'floor = { type = "facets"; file = "tri.stl"; };'))
    one = study(top, "m.cfg", *vary, folder="mesh")
    first = rows(top, "mesh")[0]["row"]
    (top / "tri.stl").write_text((top / "tri.stl").read_text().replace("vertex 1 0 0", "vertex 2 0 0"))
    study(top, "m.cfg", *vary, folder="mesh")
    tap.check("so is one whose file of a mesh has changed", first != rows(top, "mesh")[0]["row"], one.stderr)


def test_states(top):
    seen = study(top, SCENE, "--vary", "scene.dt=1e-5,1.0")
    good, bad = rows(top)
    tap.check("a run that fails is a row with its reason, and the status is 1", seen.returncode == 1 and good["state"] == "ok"
              and bad["state"] == "failed" and "dt" in bad["reason"] and bad["state_sha256"] == "", (seen.stderr, bad))
    told = json.loads((top / "study/rows" / bad["row"] / "row.json").read_text())
    again = runs.call(top, *told["command"][:-1], "again")
    tap.check("its folder has the command, which fails in the same way", again.returncode == 2 and bad["reason"] in again.stderr, again.stderr)
    tap.check("a failed row is not run again", study(top, SCENE, "--vary", "scene.dt=1e-5,1.0").stderr == "")
    tap.check("but with --retry", "failed" in study(top, SCENE, "--vary", "scene.dt=1e-5,1.0", "--retry").stderr)
    coarse = study(top, SCENE, "--vary", "force.0.friction=0.1", folder="coarse")
    tap.check("a run whose energy account does not close is nonsense", "1/1 nonsense" in coarse.stderr and "residual" in rows(top, "coarse")[0]["reason"],
              coarse.stderr)
    seen = study(top, SCENE, "--vary", "force.0.friction=0.4", "--reject", "max_speed > 1e-9", folder="odd")
    row = rows(top, "odd")[0]
    tap.check("what --reject names is nonsense, with the value", seen.returncode == 0 and row["state"] == "nonsense"
              and row["reason"].startswith("max_speed = "), row)
    seen = study(top, SCENE, "--vary", "force.0.friction=0.4", "--reject", "max_spede > 1", folder="odd")
    tap.check("a column that is missing is refused, also where rows have ended before", seen.returncode == 2 and "no column max_spede" in seen.stderr, seen.stderr)


def refuses(top, claim, text, *more):
    seen = study(top, SCENE, *more, folder="none")
    tap.check(f"{claim} is refused before any run", seen.returncode == 2 and text in seen.stderr and not (top / "none/rows").exists()
              and "Traceback" not in seen.stderr, seen.stderr)


def test_refusals(top):
    vary = ["--vary", "force.0.friction=0.1,0.2"]
    refuses(top, "a key that is missing", "frictoin", "--vary", "force.0.frictoin=0.1")
    refuses(top, "a bad value among good ones", "-0.2", "--vary", "force.0.friction=0.1,-0.2")
    refuses(top, "a path that is given twice", "twice", *vary, *vary)
    refuses(top, "a range without what chooses from it", "a range needs", "--vary", "force.0.friction=0..1")
    refuses(top, "a study of nothing", "--vary")
    refuses(top, "a sampler without a goal", "--sampler needs", *vary, "--sampler", "true")
    refuses(top, "a limit that is not a time, also without a sampler", "expected a time", *vary, "--sampler-limit", "soon")
    refuses(top, "an empty sampler", "expected a command", *vary, "--sampler", "", "--minimize", "max_speed")
    refuses(top, "a goal without a sampler", "--sampler needs", *vary, "--minimize", "max_speed")
    refuses(top, "--fit of two values", "one range", *vary, "--fit", "max_speed=1")
    refuses(top, "--fit without a number", "expected a number", "--vary", "force.0.friction=0..1", "--fit", "max_speed=fast")
    refuses(top, "a condition without a sign", "--reject", *vary, "--reject", "max_speed")
    refuses(top, "a part of a fit", "--slurm", "--vary", "force.0.friction=0..1", "--fit", "max_speed=1", "--part", "0/2")
    refuses(top, "a window without a unit of time", "expected a time", *vary, "--window", "2 kg")
    refuses(top, "a target of nan", "expected a number", "--vary", "force.0.friction=0..1", "--fit", "max_speed=nan")
    refuses(top, "a moment before the start", "expected a time", *vary, "--until", "-1 s")
    refuses(top, "a run without steps", "scene.steps", *vary, "--set", "scene.steps=0")
    refuses(top, "a study of too many rows", "at most 10000 rows", *vary, "--seeds", 999999999)


def test_names(top):
    """Columns that results.csv will not have are found by a step that is made elsewhere."""
    fit = ["--vary", "force.0.friction=0.1..0.6", "--set", CSV, *FINE]
    refuses(top, "--fit of a column that is missing", "no column now.kinetik.mean in results.csv; the nearest of", *fit, "--fit", "now.kinetik.mean=1")
    sampler = ["--sampler", "false", "--trials", 1]
    refuses(top, "--minimize of a column that is missing", "no column energy.lots", *fit, *sampler, "--minimize", "energy.lots")
    refuses(top, "--reject of a column that is missing", "no column max_spede", "--vary", "force.0.friction=0.4", "--reject", "max_spede > 1")
    seen = study(top, SCENE, *fit, "--fit", "now.kinetic.mean=1e9", "--fit", "energy.lost=1", *sampler, folder="good")
    tap.check("names of columns, also of means, are taken", seen.returncode == 2 and "--sampler false: " in seen.stderr, seen.stderr)
    left = {path.name for path in (top / "good").iterdir()}
    tap.check("the step that was made leaves no file in the study", left <= {".lock"}, left)


def test_many(top):
    """10 000 rows: one call of the program finds all their scenes."""
    calls = top / "calls.py"
    calls.write_text(f"#!{sys.executable}\nimport os, sys\nopen({str(top / 'calls')!r}, 'a').write(' '.join(sys.argv[1:2]) + '\\n')\nos.execv({str(runs.PROGRAM)!r}, [{str(runs.PROGRAM)!r}, *sys.argv[1:]])\n")
    calls.chmod(0o755)
    made = scree.study.Study(str(SCENE), str(top / "many"), ["force.0.friction=0.0001..0.1+0.0001"], seeds=2, set=FINE[1:], program=[str(calls)])
    began = time.monotonic()
    rows_made = [*made.planned()]
    each = (time.monotonic() - began) / len(rows_made)
    print(f"# {1e3 * each:.2f} ms a row")
    tap.check("2 000 rows are planned by two calls of the program", len({row.folder for row in rows_made}) == 2000
              and (top / "calls").read_text().split() == ["plugins", "validate"], (top / "calls").read_text())
    tap.check("their scenes are those of `validate --print`", [row.scene for row in made.make({"force.0.friction": "0.05"})] == [
        runs.scree(top, "validate", SCENE, "--print", *FINE, "--set", "force.0.friction=0.05", "--set", f"scene.seed={seed}").stdout for seed in (1, 2)])
    part = scree.study.Study(str(SCENE), str(top / "many"), ["force.0.friction=0.0001..0.1+0.0001"], seeds=2, set=FINE[1:], part=(3, 1000))
    tap.check("a part plans only its own rows", [row.folder for row in part.planned()] == [rows_made[k].folder for k in (3, 1003)])


def test_nohup(top):
    """A terminal that closes does not end what nohup has begun; other studies save their runs."""
    long = ["--set", "scene.steps=3000000", "--vary", "force.0.friction=0.1", "-q"]
    for name, ignored in (("kept", "trap '' HUP; "), ("ended", "")):
        begun = runs.launch(top, "bash", "-c", f'{ignored}exec "$@"', "bash", *words(name, SCENE, *long), env=environment())
        runs.wait_for(lambda n=name: [*top.glob(f"{n}/rows/*/part-0/scene.cfg")], begun)
        begun.send_signal(signal.SIGHUP)
        ended = bool(runs.wait_for(lambda b=begun: b.poll() is not None, limit=1.5 if ignored else 60.0))
        if not ended:
            begun.terminate()
        _, said = runs.end_of(begun)
        tap.check(f"SIGHUP {'that is ignored does not end' if ignored else 'ends'} a study", ended == (not ignored) and begun.returncode == 4
                  and ("SIGTERM" if ignored else "SIGHUP") in said, (ended, begun.returncode, said))


def test_earlier(top):
    """Rows of earlier calls stay in results.csv, if their scene and settings are those of this call."""
    def values():
        return [(row["force.0.friction"], row["seed"], row["state"]) for row in rows(top)]
    scene = top / "own.cfg"
    scene.write_text(f'base = "{SCENE}";\n')
    for values_, seeds in (("0.1,0.2", []), ("0.3", ["--seeds", 2]), ("0.2,0.4", [])):
        seen = study(top, scene, *FINE, "--vary", f"force.0.friction={values_}", *seeds)
    tap.check("a study called with other values and seeds keeps the rows of earlier calls", values()[:2] == [("0.2", "", "ok"), ("0.4", "", "ok")]
              and sorted(values()[2:]) == [("0.1", "", "ok"), ("0.3", "1", "ok"), ("0.3", "2", "ok")], (values(), seen))
    tap.check("and says how many", "2 ok, 3 of earlier calls: " in seen.stdout, seen.stdout)
    study(top, scene, *FINE, "--set", "force.0.kn=2e4", "--vary", "force.0.friction=0.1")
    tap.check("rows of other settings are not in its table", values() == [("0.1", "", "ok")], values())
    scene.write_text(f'base = "{SCENE}";\nscene = {{ gravity = (0.0, 0.0, -9.0); }};\n')
    study(top, scene, *FINE, "--vary", "force.0.friction=0.2")
    tap.check("nor are those of a scene that has changed", values() == [("0.2", "", "ok")], values())


def test_folder(top):
    vary = ["--vary", "force.0.friction=0.1", "-q", *FINE]
    runs.scree(top, "run", SCENE, "-q", "-o", "run")
    seen = study(top, SCENE, *vary, folder="run")
    tap.check("the folder of a run is refused", seen.returncode == 2 and "files of a run" in seen.stderr and not (top / "run/rows").exists(), seen.stderr)
    (top / "plain").write_text("")
    (top / "used").mkdir()
    (top / "used/notes.txt").write_text("mine")
    for folder, text in (("plain", "expected a folder"), ("used", "it holds notes.txt"), ("", "-o: expected the name of a folder, got an empty one")):
        seen = study(top, SCENE, *vary, folder=folder)
        tap.check(f"so is '{folder}': {text}", seen.returncode == 2 and text in seen.stderr and [*(top / "used").iterdir()] == [top / "used/notes.txt"]
                  and not (top / "rows").exists(), seen)
    study(top, SCENE, *vary)
    before = (top / "study/results.csv").read_bytes()
    seen = study(top, SCENE, "--vary", "force.0.restitution=0.5", *vary[2:])
    tap.check("so is that of a study of other settings", seen.returncode == 2 and "force.0.friction" in seen.stderr
              and before == (top / "study/results.csv").read_bytes(), seen.stderr)
    (top / "study/study.json").write_text("{}")
    seen = study(top, SCENE, *vary)
    tap.check("so is one with another study.json", seen.returncode == 2 and "expected the file of a study" in seen.stderr, seen.stderr)


def test_stop(top):
    long = ["--set", "scene.steps=3000000", "--vary", "force.0.friction=0.1,0.2,0.3", "--jobs", 2]
    begun = runs.launch(top, *words("study", SCENE, *long), env=environment())
    runs.wait_for(lambda: len([*top.glob("study/rows/*/part-0/scene.cfg")]) == 2, begun)
    early = runs.launch(top, *words("early", SCENE, "--vary", "force.0.friction=0.1", "--seeds", 2000, "--dry-run"), env=environment())
    early.stdout.readline()
    early.send_signal(signal.SIGTERM)
    _, said = runs.end_of(early)
    tap.check("SIGTERM before the first run has the same status and a message", early.returncode == 4 and "stopped by SIGTERM" in said, said)
    second = study(top, SCENE, *long)
    tap.check("a second study in the folder is refused", second.returncode == 1 and "another scree study is at work" in second.stderr, second.stderr)
    time.sleep(0.3)
    begun.send_signal(signal.SIGTERM)
    _, error = runs.end_of(begun)
    saved = [*top.glob("study/rows/*/part-0/checkpoint-*.h5")]
    tap.check("SIGTERM lets the runs save their states, and ends the study with status 4", begun.returncode == 4 and len(saved) == 2
              and "2/3 stopped" in error and "0 of 3 rows have ended" in error, (error, saved))
    tap.check("rows that were stopped are in the table, with the reason", [row["state"] for row in rows(top)] == ["stopped"] * 2
              and all("stopped by SIGTERM after step" in row["reason"] for row in rows(top)), rows(top))
    states = json.loads((top / "study/study.json").read_text())["states"]
    tap.check("study.json says what is left", states == {"stopped": 2, "waiting": 1}, states)


SAMPLER = '\n'.join((
    'import json, sys',
    'known = []',
    'for line in sys.stdin:',
    '    message = json.loads(line)',
    '    known.extend(message["results"])',
    '    with open("seen.txt", "a") as file:',
    '        file.write(line)',
    '    low, high = message["space"]["force.0.friction"]',
    '    reply = {"stop": "enough"} if len(known) > 3 else {"params": [{"force.0.friction": low + (high - low) * (len(known) + k) / 5}',
    '                                                                  for k in range(message["ask"])]}',
    '    print(json.dumps(reply), flush=True)',
))


def test_sampler(top):
    (top / "four.py").write_text(SAMPLER)
    line = f"{sys.executable} four.py"
    vary = [*FINE, "--vary", "force.0.friction=0.1..0.6", "--seeds", 2, "--jobs", 2, "--sampler", line, "--maximize", "energy.lost"]
    seen = study(top, SCENE, *vary)
    asked = [json.loads(text) for text in (top / "seen.txt").read_text().splitlines()]
    tap.check("a sampler gets the space, the goal, and the results", seen.returncode == 0 and asked[0]["results"] == [] and asked[0]["ask"] == 2
              and asked[0]["space"] == {"force.0.friction": [0.1, 0.6]} and asked[0]["goal"] == "max" and [len(one["results"]) for one in asked] == [0, 2, 2],
              (seen.stderr, asked))
    table = rows(top)
    told = [one for message in asked for one in message["results"]]
    lost = [float(row["energy.lost"]) for row in table if float(row["force.0.friction"]) == told[1]["params"]["force.0.friction"]]
    tap.check("its value is the mean over seeds, with the standard error", len(lost) == 2
              and abs(told[1]["value"] - statistics.fmean(lost)) < 1e-12 and abs(told[1]["error"] - statistics.stdev(lost) / 2**0.5) < 1e-12, told)
    answer = json.loads((top / "study/study.json").read_text())["answer"]
    tap.check("the best is in the answer", answer["state"] == "enough" and answer["best"]["value"] == max(one["value"] for one in told)
              and "best: " in seen.stdout, answer)
    (top / "seen.txt").unlink()
    again = study(top, SCENE, *vary)
    tap.check("the same command makes no run again", again.stderr == "" and rows(top) == table, again.stderr)
    for name, text in (("says nothing", "pass"), ("says no JSON", "print('x')"), ("has another path", 'print(\'{"params": [{"x": 1}]}\')'),
                       ("leaves the range", 'print(\'{"params": [{"force.0.friction": 7}]}\')'), ("has no row", 'print(\'{"params": []}\')'),
                       ("gives nothing", "print({})"), ("ends early", 'print(\'{"params": [{"force.0.friction": 0.2}]}\')'),
                       ("never ends a line", "while True: print('y', end='')"), ("never ends", "while True: print('{}')"),
                       ("gives no answer in time", "import time; time.sleep(1000)")):
        (top / "bad.py").write_text(text)
        seen = study(top, SCENE, *vary[:-3], f"{sys.executable} bad.py", *vary[-2:], "--sampler-limit", "2 s", folder="bad")
        tap.check(f"a sampler that {name} is reported", seen.returncode == 2 and ("expected" in seen.stderr or "no answer within 2 s" in seen.stderr)
                  and "pipe" not in seen.stderr.splitlines()[-1] and "study.py" not in seen.stderr, seen.stderr)
    (top / "stops.py").write_text("print('{\"stop\": \"done\"}')")
    seen = study(top, SCENE, *vary[:-3], f"{sys.executable} stops.py", *vary[-2:], folder="stops")
    tap.check("a sampler may stop and end at once; without a result the status is 1", seen.returncode == 1 and "done" in seen.stdout, seen.stderr)


def ask(fit, figure):
    """Lets a fit ask for a figure until it stops; its answer, and how often it asked."""
    told, n = [], 0
    while "stop" not in (reply := fit({"results": told})):
        told = [{"params": one, "value": figure(one["a"])[0], "error": figure(one["a"])[1]} for one in reply["params"]]
        n += len(told)
    return fit.answer, n


def test_fit(top):
    axis = parse("a=0..2")
    answer, n = ask(Fit(axis, 2.0, 0.0), lambda a: (a * a, 0.0))
    tap.check("a fit without noise converges", answer["state"] == "converged" and abs(answer["value"] - 2**0.5) < 1e-3 and n < 20, (answer, n))
    answer, n = ask(Fit(axis, 2.0, 0.0), lambda a: (a * a, 0.1))
    tap.check("with noise it ends where the error bounds it", answer["state"] == "noise-bound" and n < 8 and abs(answer["value"] - 2**0.5) < 0.05
              and abs(answer["error"] / (0.1 / 2**1.5) - 1.0) < 0.4, (answer, n))
    answer, _ = ask(Fit(axis, 2.0, 0.3), lambda a: (a * a, 0.0))
    tap.check("an error of the target counts too", answer["state"] == "noise-bound", answer)
    answer, _ = ask(Fit(axis, 9.0, 0.0), lambda a: (a * a, 0.1))
    tap.check("a target out of reach is an answer", answer["state"] == "not bracketed" and answer["value"] is None, answer)
    answer, _ = ask(Fit(axis, 2.0, 0.0), lambda a: (None, None))
    tap.check("a figure without a value ends a fit", answer["state"] == "failed", answer)
    hypercube = [*random_rows([axis, parse("b=x,y")], 10)]
    tap.check("--random has a row in each tenth of a range, and each value as often", sorted(int(float(one["a"]) * 5) for one in hypercube) == [*range(10)]
              and [one["b"] for one in hypercube].count("x") == 5 and hypercube == [*random_rows([axis, parse("b=x,y")], 10)], hypercube)
    seen = study(top, SCENE, *FINE, "--vary", "force.0.friction=0.05..0.6", "--fit", "energy.lost=1", "-q")
    empty = study(top, SCENE, *FINE, "--vary", "force.0.friction=0.05..0.6", "--set", CSV, "--window", "0 s", "--fit", "now.kinetic.error=1", "-q", folder="empty")
    tap.check("a fit names an empty column", empty.returncode == 1 and "the column now.kinetic.error is empty" in empty.stdout, empty.stdout + empty.stderr)
    tap.check("a study says that its target is out of reach, with status 1", seen.returncode == 1 and "not bracketed: " in seen.stdout, seen.stdout + seen.stderr)


STAND_IN = """#!/bin/sh
# Stands in for sbatch: each task of the array in turn.
tasks=$(sed -n 's/^#SBATCH --array=0-//p' "$1")
for task in $(seq 0 "$tasks"); do SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task bash "$1" || exit 1; done
"""


def test_slurm(top):
    vary = [*FINE, "--vary", "force.0.friction=0.1..0.5+0.1", "--seeds", 2, "-q"]
    for name, text in (("sbatch", STAND_IN), ("srun", '#!/bin/sh\nexec "$@"\n'), ("scree", f'#!/bin/sh\nexec {runs.PROGRAM} "$@"\n')):
        (top / name).write_text(text)
        (top / name).chmod(0o755)
    env = environment()
    env["PATH"] = f"{top}:{env['PATH']}"
    made = study(top, SCENE, *vary, "--slurm", "job.sh", "--tasks", 3)
    tap.check("--slurm only writes a script", made.returncode == 0 and made.stdout == "sbatch job.sh\n" and not (top / "study").exists()
              and "#SBATCH --array=0-2" in (top / "job.sh").read_text(), made.stderr)
    share = study(top, SCENE, *vary, "--part", "1/3", folder="share")
    tap.check("a task makes every third row", share.returncode == 0 and len([*top.glob("share/rows/*/part-0/summary.json")]) == 3, share.stderr)
    seen = runs.call(top, "sbatch", "job.sh", env=env)
    done = [*top.glob("study/rows/*/part-0/summary.json")]
    tap.check("its tasks make all rows", seen.returncode == 0 and len(done) == 10 and not (top / "study/results.csv").exists(), seen.stderr)
    collected = study(top, SCENE, *vary)
    whole = study(top, SCENE, *vary, folder="whole")
    states = [[(row["row"], row["state_sha256"]) for row in rows(top, one)] for one in ("study", "whole")]
    tap.check("the same command without it collects", collected.returncode == whole.returncode == 0 and states[0] == states[1] and len(states[0]) == 10
              and all(path.stat().st_mtime_ns <= (top / "study/results.csv").stat().st_mtime_ns for path in done), collected.stderr)


def test_python(top):
    os.environ["SCREE_PROGRAM"] = str(runs.PROGRAM)
    lines = []
    made = scree.study.Study(str(SCENE), str(top / "study"), ["force.0.friction=0.1..0.6"], seeds=2, set=FINE[1:], say=lines.append)
    told = made.measure([{"force.0.friction": 0.25}])
    tap.check("measure() runs a combination", told[0]["params"] == {"force.0.friction": 0.25} and [row.state for row in made.rows] == ["ok", "ok"]
              and len(lines) == 4, (told, lines))
    (row,) = made.make({"force.0.friction": "0.25"})[:1]
    made._versions["linear"] = "another"
    tap.check("another version of a plugin of the scene is another row", made.make({"force.0.friction": "0.25"})[0].folder != row.folder)
    (top / "cut").write_text("#!/bin/sh\nexit 3\n")
    (top / "cut").chmod(0o755)
    try:
        said = scree.study.Study(str(SCENE), str(top / "cut-study"), ["force.0.friction=0.1"], program=[str(top / "cut")]).run()
    except scree.UseError as error:
        said = str(error)
    tap.check("a program that ends without a message is named", str(said).endswith("cut plugins: exit status 3, without a message"), said)
    message = {}

    def choose(asked):
        message.update(asked)
        return {"params": [{"force.0.friction": 0.2}]} if not asked["results"] else {"stop": "seen"}

    found = scree.study.Study(str(SCENE), str(top / "study"), ["force.0.friction=0.1..0.6"], set=FINE[1:], sampler=choose, minimize="energy.lost", say=lines.append).run()
    tap.check("a function is a sampler", found.answer["best"]["params"] == {"force.0.friction": 0.2} and message["results"][0]["value"] > 0.0, found.answer)


tap.in_folders(test_earlier, test_syntax, test_rows, test_ranks, test_wall, test_identity, test_states, test_refusals, test_names, test_many, test_nohup, test_folder, test_stop, test_sampler, test_fit, test_slurm, test_python)
