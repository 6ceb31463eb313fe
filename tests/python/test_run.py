# SPDX-License-Identifier: Apache-2.0
"""Runs in a process of Python without numpy: their states are those of `scree run`, and what can go wrong has a name.

usage: test_run.py SCREE SOURCE
"""
import copy
import io
import json
import os
import pathlib
import pickle
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings

import scree
import tap
from runs import call, environment, launch, scree as program

SOURCE = pathlib.Path(sys.argv[2]).resolve()
BALLS = {
    "scene": {"dt": 1e-5, "steps": 400, "gravity": (0.0, 0.0, -9.81)},
    "materials": {"m": {"density": 2500.0}},
    "shapes": {"floor": {"type": "plane", "normal": (0, 0, 1)}},
    "bodies": {"floor": {"shape": "floor"}, "a": {"radius": "1 mm", "position": (0.0, 0.0, "1.2 mm")},
               "b": {"radius": "1 mm", "position": (0.0, 0.0, "3.5 mm"), "velocity": (0.0, 0.1, 0.0)}},
    "force": [{"plugin": "linear", "kn": 2e4, "restitution": 0.5, "friction": 0.3}],
}
TEXT = scree.scene_text(BALLS)
# Scenes of the program and of `scree new`: name, overrides, steps.
SCENES = {"hopper": (SOURCE / "configs/hopper.cfg", {"generate": {"beads": {"count": 300}}}, 300),
          "drum of clumps": (SOURCE / "configs/clumps.cfg", {}, 120), "shear": (SOURCE / "contrib/scenes/shear.cfg", {}, 120)}


def error_of(function, kind):
    try:
        return f"no error: {function()}"
    except kind as error:
        return error


def by_program(top, scene, overrides, steps):
    from scree import _text
    words = [word for one in _text.overrides({**overrides, "observers": {}}) for word in ("--set", one)]
    seen = program(top, "run", scene, "-q", "--json", "--steps", steps, *words)
    return json.loads(seen.stdout)["state_sha256"] if seen.returncode == 0 else seen.stderr


def test_states(top):
    for name, (scene, overrides, steps) in SCENES.items():
        want = by_program(top, scene, overrides, steps)
        got = {}
        for threads in (1, 4):
            with scree.open(scene, threads=threads, observers={}, **overrides) as run:
                run.advance(steps=steps)
                got[f"{threads} threads, one call"] = run.hash
        with scree.open(scene, threads=4, observers={}, **overrides) as run:
            for _ in range(steps):
                run.step()
            got["a call a step"] = run.hash
        tap.check(f"{name}: `scree run` and Python end in one state, on 1 and 4 threads, in one call or {steps}", set(got.values()) == {want}, (want, got))


def test_sources(top):
    (top / "s.cfg").write_text(TEXT)
    os.chdir(top)
    hashes = {}
    for name, scene in {"dict": BALLS, "text": TEXT, "path": top / "s.cfg", "open file": io.StringIO(TEXT), "name": "s.cfg"}.items():
        with scree.open(scene) as run:
            hashes[name] = (run.advance(), run.steps, run.hash)
    code = "import scree; r = scree.open('-'); r.advance(); print(r.steps, r.hash)"
    seen = call(top, sys.executable, "-c", code, input=TEXT)
    hashes["standard input"] = ("scene", 400, seen.stdout.split()[-1] if seen.stdout else seen.stderr)
    want = ("scene", 400, by_program(top, "s.cfg", {}, 400))
    tap.check("file, text, dict, open file and standard input are one scene", set(hashes.values()) == {want}, (want, hashes))
    with scree.open(BALLS, scene={"dt": 2e-5}, set=["force.0.friction=0.1"]) as run:
        tap.check("keywords and `set` are overrides", run.dt == 2e-5 and run.last_step == 400, run.dt)
    installed = scree.open("collision")
    tap.check("a name is a scene that scree brings", installed.dt > 0.0 and "step 0" in repr(installed))


def test_limits(top):
    run = scree.open(BALLS)
    steps = [(run.advance(**limit), run.steps) for limit in ({"steps": 3}, {"duration": "0.1 ms"}, {"until": 2e-4}, {"until": "0.1 ms"}, {"steps": 0})]
    tap.check("steps, a duration and a moment are limits; one that has passed takes no step", steps == [("limit", n) for n in (3, 13, 20, 20, 20)], steps)
    run.advance(wall=1e-6)
    tap.check("so is a time on the clock", 21 <= run.steps < 400, run)
    tap.check("the end of the scene ends it, again and again", [run.advance(), run.advance(), run.steps] == ["scene", "scene", 400], run)
    for bad in ({"duration": "3 m"}, {"until": "soon"}, {"steps": -1}, {"duration": 1, "until": 1}):
        seen = error_of(lambda: run.advance(**bad), scree.UseError)
        tap.check(f"{bad} is refused", isinstance(seen, scree.UseError) and "expected" in str(seen), seen)
    with scree.open(BALLS, stop={"when": "time > 1 ms", "after": "1 us", "every": 10}) as stopped:
        tap.check("a condition ends it, and is named", stopped.advance() == "stop" and 100 <= stopped.steps <= 120, stopped)
    tap.check("a closed run says so", "is closed" in str(error_of(lambda: stopped.hash, scree.UseError)) and "closed" in repr(stopped))


def test_errors(top):
    seen = error_of(lambda: scree.open(TEXT.replace("friction", "frictoin") + "dt = 1e-5;\n", gcd={"plugin": "gird"}), scree.SceneError)
    line = 1 + TEXT.splitlines().index("    friction = 0.3;")
    tap.check("all mistakes of a scene come at once, with file, line and path", isinstance(seen, scree.SceneError)
              and {(p.file, p.line, p.path) for p in seen.problems} == {("scene.cfg", line, "force[0].frictoin"), ("--set", None, "gcd.plugin"),
              ("scene.cfg", len(TEXT.splitlines()) + 1, "dt")} and any('did you mean "grid"?' in p.text for p in seen.problems), (seen, getattr(seen, "problems", 0)))
    tap.check("a scene that is missing is a SceneError", "nowhere" in str(error_of(lambda: scree.open("nowhere.cfg"), scree.SceneError)))
    run = scree.open(BALLS)
    for what, function in {"a figure": lambda: run.figure("kinetik"), "a swap": lambda: run.swap(gcd={"plugin": "gird"}),
                           "a value that may not change": lambda: run.set("force.0.kn_", 1.0)}.items():
        before = run.hash
        seen = error_of(function, scree.UseError)
        tap.check(f"{what} that is wrong is a UseError, and the run goes on", isinstance(seen, scree.UseError) and str(seen)
                  and run.hash == before and run.advance(steps=1) == "limit", seen)
    seen = error_of(lambda: scree.open(BALLS, observers={"t": {"plugin": "csv", "every_steps": 10}}), scree.Error)
    tap.check("an observer without a folder is refused", "observers.t" in str(seen) and "folder=" in str(seen) and "quiet=True" in str(seen) and "SC_" not in str(seen), seen)
    tap.check("so is an attribute that no array has", "run.names" in str(error_of(lambda: run.colour, AttributeError)))


def test_uses(top):
    """Values that are not what a call takes, each with a reason of scree."""
    run = scree.open(BALLS)
    for what, function, said in (
            ("threads", lambda: scree.open(BALLS, threads=-1), "from 1 to 256, got -1"), ("threads", lambda: scree.open(BALLS, threads=4000000000), "from 1 to 256"),
            ("set as one text", lambda: scree.open(BALLS, set="scene.dt=1e-6"), "a list of texts"), ("plugin_path as one text", lambda: scree.open(BALLS, plugin_path="/x"),
             "a list of texts"), ("a NUL", lambda: scree.open(BALLS, folder="a\0b"), "without NUL"), ("say", lambda: scree.open(BALLS, say=3), "a function of level"),
            ("steps", lambda: run.advance(0.001), "whole number"), ("duration", lambda: run.advance(duration=float("nan")), "expected a time"),
            ("duration", lambda: run.advance(duration=-1.0), "expected a time"), ("wall", lambda: run.advance(wall=-1), "expected a time"),
            ("steps", lambda: run.advance("1 ms"), "whole number"), ("a figure", lambda: run.figure(None), "a text"), ("a figure", lambda: run.figure(3), "a text"),
            ("a state", lambda: run.restore(None), "a State"), ("a path", lambda: run.save(None), "a text")):
        seen = error_of(function, scree.UseError)
        tap.check(f"{what} of another kind is a UseError: {said}", said in str(seen) and isinstance(seen, scree.UseError), seen)
    for one in (TEXT.encode(), io.BytesIO(TEXT.encode())):
        tap.check(f"{type(one).__name__} with a scene is the scene", scree.open(one).hash == run.hash)
    tap.check("a text of anything but a dict is refused", "a dict" in str(error_of(lambda: scree.scene_text(3), TypeError)))
    for name, one in {"run": run, "state": run.state()}.items():
        for by in (copy.copy, copy.deepcopy, pickle.dumps):
            tap.check(f"{by.__name__} of a {name} is refused", "cannot be copied" in str(error_of(lambda: by(one), TypeError)))
    tap.check("the package has its version", scree.__version__ == scree.version())
    (top / "full").mkdir()
    (top / "full/file").write_text("")
    for function, said in ((lambda: run.want("x"), "want: expected"), (lambda: scree.open(BALLS, folder=top / "full"), "another to folder="),
                           (lambda: run.query("bx"), "query: expected")):
        seen = error_of(function, scree.Error)
        tap.check(f"an error has the words of Python: {said}", said in str(seen) and "sc_" not in str(seen), seen)
    tap.check("a name of a user is not changed", "sc_drum.cfg" in str(error_of(lambda: scree.open("sc_drum.cfg"), scree.Error)))
    run.close()
    tap.check("an array of a closed run has the reason", "is closed" in str(error_of(lambda: run.x, AttributeError)))


def test_close_meanwhile(top):
    """Other threads use a run while one closes it: each gets an error, and nothing else happens."""
    code = """if True:
        import scree, sys, threading
        sys.setswitchinterval(1e-6)
        seen = set()
        def work(run):
            while True:
                try:
                    run.step(1); run.time; run.figure("kinetic"); run.figure("none")
                except scree.UseError as error:
                    seen.add(str(error)[:22])
                    if "closed" in str(error):
                        return
        for k in range(40):
            run = scree.open(%r, scene={"steps": 0})
            threads = [threading.Thread(target=work, args=(run,)) for _ in range(3)]
            for one in threads:
                one.start()
            while True:
                try:
                    run.close()
                    break
                except scree.UseError as error:
                    seen.add(str(error)[:22])
            for one in threads:
                one.join()
        print(sorted(seen))""" % BALLS
    seen = call(top, sys.executable, "-c", code)
    tap.check("a run that one thread closes is closed for the others", seen.returncode == 0 and "this run is closed" in seen.stdout and "this run is at work in" in seen.stdout, seen)


def test_warnings(top):
    """A warning of the host is one of Python, at the line that called."""
    near = {**BALLS, "bodies": {**BALLS["bodies"], "b": {"radius": "1 mm", "position": (0.0, 0.0, "1.4 mm")}}}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scree.open(near)
    tap.check("beads that overlap warn", len(caught) == 1 and "overlap" in str(caught[0].message) and caught[0].filename == __file__, caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tap.check("a warning may be made an error", isinstance(error_of(lambda: scree.open(near), RuntimeWarning), RuntimeWarning))

    def fail(level, text):
        raise LookupError(text)
    tap.check("what `say` raises is raised", isinstance(error_of(lambda: scree.open(near, say=fail), LookupError), LookupError))


def test_ranks(top):
    """A scene whose domain has ranks is one of a run in Python, too: on one rank."""
    said = []
    ranks = {"domain": {"plugin": "processes", "ranks": 2}}
    want = by_program(top, SOURCE / "configs/gas.cfg", ranks, 40)
    with scree.open(SOURCE / "configs/gas.cfg", observers={}, say=lambda level, text: said.append(text), **ranks) as run:
        run.advance(steps=40)
        tap.check("a scene with ranks has one in Python, as a note says, and the same state", run.hash == want and len(want) == 64
                  and any("this run has one, and the same states" in text for text in said), (want, run.hash, said))


def test_folder(top):
    scene = {**BALLS, "observers": {"t": {"plugin": "csv", "every_steps": 100}}}
    said = []
    (top / "s.cfg").write_text(scree.scene_text(scene))
    scree.open(top / "s.cfg", observers={}, say=lambda level, text: said.append((level, text)))
    with scree.open(scene, folder=top / "out") as run:
        run.advance()
        summary = run.finish()
        tap.check("finish gives the summary", summary["steps"] == 400 and summary["state_sha256"] == run.hash, summary)
        tap.check("a run knows its folder", run.folder == str(top / "out"), run.folder)
    done = scree.read(top / "out")
    tap.check("and leaves the folder of a run", done.summary["state_sha256"] == summary["state_sha256"] and list(done.csv(done.tables[0])["step"])
              == [0, 100, 200, 300, 400], done.tables)
    tap.check("notes and warnings go to `say`", any(level == "note" and "observers" in text for level, text in said), said)
    again = program(top, "run", "--repeat", "out/manifest.json", "-q")
    tap.check("`scree run --repeat` ends in its state", again.returncode == 0 and summary["state_sha256"] in again.stdout, again)


def test_states_kept(top):
    run = scree.open(BALLS)
    run.advance(steps=100)
    kept, before = run.state(), run.hash
    run.advance(steps=150)
    far = run.hash
    run.restore(kept)
    tap.check("a state that is put back is the same state", run.hash == before and run.steps == 100, run)
    run.advance(steps=150)
    tap.check("and the run goes on from it as before", run.hash == far, (run.hash, far))
    other = scree.open(BALLS)
    tap.check("a state of another run is refused", isinstance(error_of(lambda: other.restore(kept), scree.UseError), scree.UseError))
    run.save(top / "kept.h5")
    (top / "s.cfg").write_text(TEXT)
    seen = program(top, "run", "--restart", "kept.h5", "-q", "--json", "--steps", 50)
    with scree.open(restart=top / "kept.h5") as further:
        further.advance(steps=50)
        tap.check("a checkpoint continues in Python as by `scree run`", further.steps == 300
                  and seen.returncode == 0 and json.loads(seen.stdout)["state_sha256"] == further.hash, seen)


def test_restored(top):
    """A restored state has no list of contacts before its next step: observers of contacts are not shown it."""
    observers = {"pairs": {"plugin": "csv", "what": "contacts", "every_steps": 10**6}, "all": {"plugin": "vtk", "every_steps": 10**6},
                 "balls": {"plugin": "csv", "what": "bodies", "every_steps": 10**6}}
    with scree.open(BALLS, observers=observers, folder=str(top / "restored")) as run:
        run.step(400)
        state = run.state()
        run.step(5)
        run.restore(state)
        for name in ("pairs", "all"):
            error = error_of(lambda name=name: run.observe(name), scree.Error)
            tap.check(f"{name} needs a step first", f"observers.{name} needs contacts: expected a step" in str(error), error)
        run.observe("balls")
        run.finish()
    names = sorted(p.name for p in (top / "restored").rglob("*"))
    tap.check("the run ends with whole files", {"contacts.csv", "bodies.csv"} <= set(names) and any(n.endswith(".pvd") for n in names), names)


def test_changes(top):
    run = scree.open(BALLS)
    run.set("force.0.friction", 0.1)
    report = run.swap(gcd={"plugin": "bvh"})
    run.advance()
    with scree.open(BALLS, set=["force.0.friction=0.1"]) as plain:
        plain.advance()
        tap.check("a parameter and a plugin change between two advances", run.hash == plain.hash and "bvh" in json.dumps(report), report)
    found = run.query("ball 0,0,1mm:1mm")
    tap.check("a query has the ids of bodies", found["bodies"], found)
    tap.check("validate has the scene", run.validate()["bodies"]["free"] == 2)
    for name in ("hopper", "polygons"):
        with scree.open(name, observers={}, say=lambda *_: None) as one:
            seen = program(top, "validate", name, "--json", "--set", "observers={}")
            both = [{k: v for k, v in found.items() if not k.startswith("takes")} for found in (one.validate(), json.loads(seen.stdout))]
            tap.check(f"validate of {name} is the object of `scree validate --json`, and prints nothing", both[0] == both[1], seen)
    (top / "w.cfg").write_text(scree.scene_text(BALLS) + "schedule = ( { at_step = 300; set = { force = ( { kn = -1.0; } ); }; } );\n")
    seen = program(top, "validate", "w.cfg", "--json")
    tap.check("validate of a bad scene is an error of open", seen.returncode == 2 and isinstance(error_of(lambda: scree.open(top / "w.cfg"), scree.SceneError), scree.SceneError), seen)
    rows = scree.plugins()
    tap.check("the plugins are listed with their keys", any(p["kind"] == "gcd" and p["id"] == "dess" and p["parameters"] for p in rows), rows[:2])


LONG = "import scree, sys; run = scree.open(%r, scene={'steps': 0}); print('ready', flush=True)\n" % BALLS


def interrupted(top, code):
    with launch(top, sys.executable, "-c", LONG + code) as process:
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_ctrl_c(top):
    code = "try:\n    run.advance()\nexcept KeyboardInterrupt as e:\n    n = run.steps; run.step(5); print(type(e).__name__, n > 0, run.steps - n)\n"
    seen = interrupted(top, code)
    tap.check("Ctrl-C ends an advance after a step; the run goes on", seen[:2] == (0, "Cancelled True 5\n"), seen)
    seen = interrupted(top, "run.advance()")
    tap.check("without a handler the program ends with the reason", seen[0] == 1 and "Cancelled: cancelled after step" in seen[2], seen)
    run = scree.open(BALLS, scene={"steps": 0})
    threading.Timer(0.3, run.cancel).start()
    seen = error_of(run.advance, scree.Cancelled)
    tap.check("another thread may cancel", isinstance(seen, scree.Cancelled) and run.steps > 0, seen)
    tap.check("a handler of the program stays", signal.getsignal(signal.SIGINT) is signal.default_int_handler)


def test_progress(top):
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", LONG + "run.advance(wall='1 s')"], stderr=theirs, stdout=subprocess.DEVNULL, check=True)
    os.close(theirs)
    seen = os.read(ours, 10000).decode()
    tap.check("a terminal shows how far it is", "steps/s  t = " in seen and seen.endswith("\r\033[K"), repr(seen))


def test_threads(top):
    """Two runs at once in two threads, each as if by itself."""
    scene, overrides, steps = SCENES["hopper"]
    want, got = by_program(top, scene, overrides, steps), []

    def work():
        with scree.open(scene, observers={}, **overrides) as run:
            run.advance(steps=steps)
            got.append(run.hash)

    both = [threading.Thread(target=work) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    tap.check("two runs in two threads end in the state of one", got == [want] * 2, (want, got))


def test_callback(top):
    """A function of Python as a modifier, without numpy: what it raises comes out of advance."""
    calls = []

    def count(bodies):
        calls.append((bodies.n, bodies.time))

    def fail(bodies):
        if bodies.step >= 20:
            raise LookupError("no wind")

    with scree.open(BALLS, modifiers={"air": scree.callback(count)}) as run, scree.open(BALLS) as plain:
        run.advance(steps=50)
        plain.advance(steps=50)
        tap.check("a function is called at each evaluation, and changes nothing by itself", len(calls) >= 50 and run.hash == plain.hash, len(calls))
    run = scree.open({**BALLS, "modifiers": {"air": scree.callback(fail)}})
    seen = error_of(run.advance, LookupError)
    tap.check("its exception ends the run, and is raised", isinstance(seen, LookupError) and 15 <= run.steps <= 25, (seen, run))
    for name, use in {"hash": lambda one: one.hash, "figure": lambda one: one.figure("kinetic"), "state": lambda one: one.state()}.items():
        early = scree.open(BALLS, modifiers={"air": scree.callback(lambda b: 1 / 0)})
        seen = error_of(lambda: use(early), ZeroDivisionError)
        tap.check(f"so is that of the first evaluation, in {name}", isinstance(seen, ZeroDivisionError), seen)
    inside = []
    busy = scree.open(BALLS, modifiers={"air": scree.callback(lambda b: inside.append(str(error_of(lambda: busy.x, AttributeError))))})
    busy.step()
    tap.check("a function that uses the run gets the reason", "callback and say may call only cancel, steps, time and dt" in inside[0], inside[:1])
    tap.check("the run is then over", isinstance(error_of(run.advance, scree.Error), scree.Error))
    (top / "s.cfg").write_text(scree.scene_text({**BALLS, "modifiers": {"air": scree.callback(count)}}))
    seen = program(top, "run", "s.cfg", "-q")
    tap.check("`scree run` says that such a scene needs a program", seen.returncode == 2 and "libscree" in seen.stderr, seen)


def test_program(top):
    seen = call(top, sys.executable, "-m", "scree", "--version")
    tap.check("python -m scree is the program", seen.returncode == 0 and seen.stdout == program(top, "--version").stdout
              and scree.version() in seen.stdout, seen)


FEW_FILES = """
import os, resource, sys
import scree
scree.version()  # loads the library
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
free = os.open("/dev/null", os.O_RDONLY)
os.close(free)
for n in range(24):
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + n, hard))
    try:
        with scree.open("hopper", observers={}, generate={"beads": {"count": 5}}, folder=f"run-{n}") as run:
            run.save(f"{n}.h5")
            run.finish()
        seen = "good"
    except scree.Error as error:
        seen = str(error)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(n, seen.replace(chr(10), " | "), flush=True)
"""


def test_few_files(top):
    """A process that may open no more files gets an error, and goes on."""
    seen = call(top, sys.executable, "-c", FEW_FILES)
    lines = seen.stdout.splitlines()
    tap.check("without file descriptors a call is an error that says so; the process goes on", seen.returncode == 0 and len(lines) == 24
              and lines[-1].endswith("good") and sum("open files" in line for line in lines) > 0, seen)


def test_missing(top):
    env = environment(SCREE_LIBRARY="/nowhere/libscree.so.0", PYTHONPATH=os.environ["PYTHONPATH"])
    code = "import scree\ntry:\n    scree.open('hopper')\nexcept ImportError as e:\n    print(e)\nprint(scree.read)"
    seen = call(top, sys.executable, "-c", code, env=env)
    tap.check("without the library results can be read, and a run says which file is missing", seen.returncode == 0
              and "cannot load /nowhere/libscree.so.0" in seen.stdout, seen)
    package = pathlib.Path(scree.__file__).parent
    shutil.copytree(package, top / "moved/scree")
    env = environment(SCREE_LIBRARY="", PYTHONPATH=top / "moved", LD_LIBRARY_PATH="")
    seen = call(top, sys.executable, "-c", "import scree\nscree.open('hopper')", env=env)
    tap.check("a package without a library above it asks the linker", "cannot load libscree.so.0" in seen.stderr, seen)


tap.in_folders(test_states, test_sources, test_limits, test_errors, test_uses, test_close_meanwhile, test_warnings, test_ranks, test_folder,
               test_states_kept, test_restored, test_changes, test_ctrl_c, test_progress, test_threads, test_callback, test_program, test_few_files, test_missing)
