# SPDX-License-Identifier: Apache-2.0
"""A run that a plugin ends prints the command that repeats the call, and scree run --break stops right before it.

usage: test_break.py SCREE FOLDER_OF_MODULES
"""
import ctypes
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import sys
import time

import runs
import tap
from runs import scree

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
KINDS = ("force", "gcd", "resolver", "integrator", "observer", "modifier")

# The last of three spheres moves on the second, from 0.02 mm deep at 1 m/s; contact detection runs at each step.
SCENE = """
scene = { title = "three in a row"; dt = 1.0e-5; steps = 60; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); };
    b = { shape = "sphere"; radius = 0.005; position = (0.01, 0.0, 0.0); };
    c = { shape = "sphere"; radius = 0.005; position = (0.01998, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; friction = 0.4; } );
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
guard = { every = 3; sample = 1; };
"""
NAN = 'force=({plugin="sins"; sin="nan"; deeper=%s;})'
# Setting, its cure, the call.
CASES = [
    (NAN % "7.0e-5", 'force.0.sin="none"', "force[0]/compute"),
    ('resolvers=({plugin="sins"; sin="nan"; deeper=7.0e-5;})', 'resolvers.0.sin="none"', "resolvers[0]/resolve"),
    ('resolvers=({plugin="sins"; sin="never_done"; deeper=7.0e-5;})', 'resolvers.0.sin="none"', "resolvers[0]/resolve"),
    ('gcd={plugin="sins"; sin="itself"; below=0.01993;}', 'gcd.sin="none"', "gcd/find_neighbors"),
    ('gcd={plugin="sins"; sin="misses"; below=0.01993;}', 'gcd.sin="none"', "gcd/find_neighbors"),
    ('integrator={plugin="sins"; sin="nan";}', 'integrator.sin="none"', "integrator/stage"),
    ('modifiers={w={plugin="sins"; sin="rounds";};}', 'modifiers.w.sin="none"', "modifiers.w/after_step"),
]


def environment(stray=""):
    return runs.environment(STRAY=stray)


def run(top, *args, stray=""):
    return scree(top, "run", "-q", "--plugin-path", top / "plugins", *args, env=environment(stray))


def printed(result):
    """The command that a run has printed, and the call that it names."""
    found = re.search(r"^scree: to repeat the call: (scree run .* --break '(\S+)@(\d+)')$", result.stderr, re.M)
    return found or re.search(r"^scree: to repeat the call: (scree run .* --break '(\S+)()')$", result.stderr, re.M)


def again(top, command, *more, stray=""):
    """Gives a printed command to a shell, as its reader would."""
    words = " ".join([f"exec {shlex.quote(str(SCREE))} {command[1].split(' ', 1)[1]} -q", *map(shlex.quote, more)])
    return runs.call(top, "bash", "-c", words, env=environment(stray))


def blames(result):
    return [line for line in result.stderr.splitlines() if "misbehaved" in line or "failed in" in line]


def shown(result):
    """The numbers of the calls that a run with --break has shown."""
    return [int(n) for n in re.findall(r"^scree: \S+ \(\S+\), call \w+(?:, step \d+)?, #(\d+)", result.stderr, re.M)]


def test_case(top, setting, cure, call):
    result = run(top, "scene.cfg", "--set", setting)
    command = printed(result)
    kept = command and re.search(r"--restart (\S+/kept-(\d+)\.h5)", command[1])
    tap.check(f"{setting}: the command names the call, its step and a state of at most guard.every steps before",
              result.returncode == 3 and command and command[2] == call and f"at step {command[3]}" in result.stderr
              and kept and 0 <= int(command[3]) - int(kept[2]) <= 3, result)
    if not kept:
        return
    repeated = again(top, command)
    tap.check("the command shows the call, which is blamed in the words of the run", repeated.returncode == 3
              and shown(repeated) and blames(result) == blames(repeated)
              and repeated.stderr.index(f"call {call.split('/')[1]}, step {command[3]}, #1") < repeated.stderr.index("misbehaved"),
              (result, repeated))
    cured = again(top, command, "--set", cure, "--json")
    tap.check("with a repaired plugin it is not, and the run ends after its step", cured.returncode == 0
              and "no plugin misbehaves this time" in cured.stderr
              and json.loads(cured.stdout)["steps"] == int(command[3]) + 1 - int(kept[2]), cured)
    on = run(top, "--restart", kept[1], "--set", cure)
    tap.check("the run continues from the state with it", on.returncode == 0, on)


def test_kept(top):
    """No state of shortly before is there, or it does not hold the cause."""
    for setting, why in (("guard.every=0", "guard.every is 0"), ("guard.memory=0", "guard.memory is 0 MiB")):
        result = run(top, "scene.cfg", "--set", NAN % "7.0e-5", "--set", setting)
        command = printed(result)
        tap.check(f"{setting}: the message says why no state is kept, the command begins at the start", command
                  and f"note: no state of the last steps is saved: {why}" in result.stderr and "--restart" not in command[1], result)
        tap.check(f"{setting}: no note about a copy that the user does not want", "no copy of the state" not in result.stderr, result)
        repeated = again(top, command) if command else None
        tap.check("and is blamed again", command and repeated.returncode == 3 and blames(repeated) == blames(result), repeated)
    result = run(top, "scene.cfg", "--set", NAN % "1.0e-5")
    command = printed(result)
    tap.check("a fault of the set-up gives no wrong reason, and the command begins at the start", command
              and command[3] == "0" and "no state" not in result.stderr and "--restart" not in command[1], result)
    repeated = again(top, command) if command else None
    tap.check("and is blamed again in the set-up", command and repeated.returncode == 3 and blames(repeated) == blames(result),
              repeated)
    result = run(top, "scene.cfg", "--set", 'force=({plugin="sins"; sin="nan"; after=30;})')
    command = printed(result)
    repeated = again(top, command) if command else None
    tap.check("a fault that hangs on what no state holds is not repeated, and the message says why that can be", command
              and repeated.returncode == 0 and "if nothing was repaired, the fault depends on what a state does not hold"
              in repeated.stderr and "what the plugin keeps to itself" in repeated.stderr, repeated)


def test_waits(top):
    """A condition that looks back over 40 steps: the state that is kept holds what it has seen."""
    entry = 'schedule=({when="mean(kinetic, 4e-4) > 1e-9"; every=4; set={modifiers={w={plugin="damping"; alpha=0.7;};};};})'
    setting = 'integrator={plugin="sins"; sin="%s"; after=20;}'
    result = run(top, "scene.cfg", "--set", entry, "--set", setting % "nan")
    command = printed(result)
    kept = command and re.search(r"--restart (\S+)", command[1])
    on = run(top, "--restart", kept[1], "--json", "--set", 'integrator.sin="none"') if kept else None
    whole = run(top, "scene.cfg", "--json", "--set", entry, "--set", setting % "none")
    ends = [json.loads(x.stdout) for x in (on, whole)] if on and on.returncode == whole.returncode == 0 else None
    tap.check("the run that continues switches at the step at which the whole one does, and ends in its state", ends
              and ends[0]["state_sha256"] == ends[1]["state_sha256"] and "modifiers.w none -> damping" in on.stderr, (result, on, whole))


def test_sample(top):
    """40 pairs of spheres, of whose contacts the run checks some at each evaluation."""
    bodies = "".join(f'{side}{k} = {{ shape = "sphere"; radius = 0.005; position = ({0.1 * k + x}, 0.0, 0.0); }};'
                     for k in range(40) for side, x in (("a", 0.0), ("b", 0.00999 if k < 39 else 0.00998)))
    (top / "pairs.cfg").write_text(re.sub(r"(?s)bodies = \{.*?\n\};", "bodies = { %s };" % bodies, SCENE).replace("1.0e5", "1.0e-3"))
    result = run(top, "pairs.cfg", "--set", 'resolvers=({plugin="sins"; sin="long_normal"; deeper=1.5e-5;})')
    command = printed(result)
    repeated = again(top, command) if command else None
    tap.check("a contact that only a sample has shown is blamed again: in the step of the call all are checked", command
              and int(command[3]) > 3 and "kept-" in command[1] and repeated.returncode == 3
              and blames(repeated) == blames(result), (result, repeated))


def test_detection(top):
    """Boxes that grow: contact detection is not due at each step."""
    grown = ("--set", "extent={}", "--set", "guard.every=0", "--json")
    saved = run(top, "scene.cfg", *grown, "-o", "saved", "--steps", "20")
    plain = run(top, "--restart", "saved/checkpoint-20.h5", *grown, "--steps", "11")
    named = run(top, "--restart", "saved/checkpoint-20.h5", *grown, "--break", "gcd/find_neighbors@30")
    good = saved.returncode == plain.returncode == named.returncode == 0
    calls = [json.loads(x.stdout)["gcd_calls"] for x in (plain, named)] if good else None
    tap.check("a call of contact detection is repeated although it is not due", good and calls[1] == calls[0] + 1
              and shown(named) == [1], (calls, named))
    tap.check("and changes no bit of the state", good and json.loads(plain.stdout)["state_sha256"]
              == json.loads(named.stdout)["state_sha256"], (plain, named))


def test_ends(top):
    """Calls that end the process: their command begins at the start, or at the newest checkpoint."""
    stray = ("scene.cfg", "--set", 'force={plugin="stray";}')
    for deed, status, line in (("abort", -signal.SIGABRT, r"crash \(SIGABRT\) in force/stray \(force\[0\]\), call compute, step 9"),
                               ("_exit", 3, r"the process ended in force/stray \(force\[0\]\), call compute at step 9"),
                               ("pthread_exit", 3, r"force/stray \(force\[0\]\) misbehaved in compute at step 9: it ended the thread")):
        for more, begin in (((), None), (("--set", "checkpoint.every_steps=4"), "/checkpoint-8.h5")):
            result = run(top, *stray, *more, stray=f"force.compute {deed} 11")
            command = printed(result)
            tap.check(f"{deed}: the command names the call and begins at {begin or 'the start'}", result.returncode == status
                      and re.search(line, result.stderr) and command and command.group(2, 3) == ("force[0]/compute", "9")
                      and (f"{begin} " in command[1] if begin else "--restart" not in command[1]), result)
            # From step 8 on the second call is that of step 9; from the start, the eleventh.
            repeated = again(top, command, stray=f"force.compute {deed} {2 if begin else 11}") if command else None
            tap.check("and comes to the same end after the line that shows the call", command and repeated.returncode == status
                      and shown(repeated) == [1] and re.search(line, repeated.stderr) and not printed(repeated), repeated)
    for call in ("finish", "destroy"):  # after the last step, of which a checkpoint is there already
        for more in ((), ("--set", "checkpoint.every_steps=20")):
            result = run(top, "scene.cfg", "--set", 'observers={w={plugin="stray";};}', *more, stray=f"observer.{call} abort 1")
            command = printed(result)
            tap.check(f"a fault in {call}, {'with' if more else 'without'} checkpoints: its command", result.returncode < 0 and command
                      and command.group(2, 3) == (f"observers.w/{call}", "59"), result)
            repeated = again(top, command, stray=f"observer.{call} abort 1") if command else None
            tap.check("shows the call, and comes to the same end", command and repeated.returncode == result.returncode
                      and shown(repeated) == [1] and f"call {call}, step 59" in repeated.stderr, repeated)
    process = runs.start(top, "run", "-q", "--plugin-path", top / "plugins", *stray, env=environment("force.compute sleeps 11"),
                         stdout=None)
    seen = ""
    for wanted in ("stray: sleeps", "a second signal ends the run"):
        while wanted not in seen and process.poll() is None:
            seen += process.stderr.readline()
        time.sleep(0.3)  # two requests within a quarter of a second are one
        process.send_signal(signal.SIGTERM)
    seen += process.communicate(timeout=60)[1]
    tap.check("a call that does not return is named with its command when the second signal ends the run",
              re.search(r"to repeat the call: scree run .*scene\.cfg .*--break 'force\[0\]/compute@9'\n", seen), seen)


def test_file(top):
    """Another file of the plugin: the repaired one."""
    result = run(top, "scene.cfg", "--set", 'force={plugin="stray";}', stray="force.compute rounds 11")
    command = printed(result)
    file = top / "plugins/force/stray.so"
    before = file.read_bytes()
    file.write_bytes(before + b"\0")
    other = again(top, command) if command else None
    tap.check("another file of the plugin is tried without more options, and a note says that it is another", command
              and other.returncode == 0 and "no plugin misbehaves this time" in other.stderr
              and "force/stray: expected the file with SHA-256" in other.stderr, other)
    file.write_bytes(before)


def test_words(top):
    for word, expected in (("force[0]/compue", 'expected one of create, narrow, load, .*compute.*, got "compue"; did you mean "compute"'),
                           ("force/compute", r'expected one of gcd, .*resolvers\[0\], force\[0\], integrator, .*got "force"'),
                           ("modifiers.v/forces", r'expected one of .*, modifiers\.w, .*did you mean "modifiers\.w"'),
                           ("compute", r"expected SLOT/CALL\[@STEP\]\[#N\]"), ("force[0]/compute@x", "expected SLOT/CALL"),
                           ("force[0]/compute@1#0", "expected SLOT/CALL"), ("force[0]/", "expected SLOT/CALL"),
                           ("force[0]/compute@3#5", "expected 5 such calls until step 4, got 1"),
                           ("force[0]/after_step@3", "expected 1 such call until step 4, got 0")):
        result = run(top, "scene.cfg", "--set", 'modifiers={w={plugin="damping";};}', "--break", word)
        tap.check(f"--break {word} is refused with what it may be", result.returncode == 2
                  and re.search(f"scree: --break {re.escape(word)}: {expected}", result.stderr), result)
    run(top, "scene.cfg", "-o", "twenty", "--steps", "20", "--set", "checkpoint.every_steps=20")
    result = run(top, "--restart", "twenty/checkpoint-20.h5", "--break", "force[0]/compute@19")
    tap.check("a step before the state is refused", result.returncode == 2 and "expected a step from 20 on" in result.stderr, result)
    result = run(top, "scene.cfg", "--steps", "20", "--break", "force[0]/compute@20")
    tap.check("a step after the last is refused before the run", result.returncode == 2 and not result.stdout
              and "--break force[0]/compute@20: expected a step before 20, where the run ends" in result.stderr, result)
    two = ("scene.cfg", "--blocks", "2", "--json", "--break")
    every, second, first = (run(top, *two, word) for word in ("force[0]/compute@3", "force[0]/compute@3#2", "integrator/begin"))
    tap.check("a number picks one of the calls of the step", shown(every) == [1, 2] and shown(second) == [2], (every, second))
    tap.check("without a step the run ends after the first step with such a call", first.returncode == 0
              and json.loads(first.stdout)["steps"] == 1 and "call begin, step 0, #1" in first.stderr, first)
    made = run(top, "scene.cfg", "--json", "--break", "force[0]/create")
    tap.check("a call of the set-up is shown too", made.returncode == 0 and shown(made) == [1]
              and json.loads(made.stdout)["steps"] == 0, made)


def trace(top, *args):
    """The signals at which a program that is traced stops after it has shown its call, as a debugger sees them."""
    trace_me, go_on, libc = 0, 7, ctypes.CDLL(None, use_errno=True)
    child = os.fork()
    if child == 0:
        os.chdir(top)
        os.dup2(os.open(top / "traced", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os.dup2(2, 1)
        if libc.ptrace(trace_me, 0, None, None):
            os._exit(77)
        env = environment() | {"ASAN_OPTIONS": "detect_leaks=0"}  # it needs to trace, too
        os.execve(SCREE, [str(SCREE), "--no-parent", "run", "-q", "scene.cfg", *args], env)
    stops = []
    while True:
        status = os.waitpid(child, 0)[1]
        if not os.WIFSTOPPED(status):
            return [number for number, after in stops if after], status, (top / "traced").read_text()
        number = os.WSTOPSIG(status)
        stops.append((number, "call compute, step 3" in (top / "traced").read_text()))
        passed = 0 if number == signal.SIGTRAP else number  # a debugger keeps its own
        libc.ptrace(go_on, child, None, ctypes.c_void_p(passed))


def test_debugger(top):
    stops, status, text = trace(top, "--break", "force[0]/compute@3")
    stops = [number for number in stops if number != signal.SIGCHLD]  # the table at the end is printed by a child
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 77:
        tap.skip("a debugger stops right before the call", "no process may be traced here")
        return
    tap.check("a debugger stops right before the call, and the run goes on from there", status == 0
              and stops == [signal.SIGTRAP] and "no plugin misbehaves" in text, (stops, status, text))
    if not shutil.which("gdb"):
        tap.skip("gdb stops in the function of the plugin", "gdb is not installed")
        return
    seen = runs.call(top, "gdb", "-batch", "-ex", "run", "-ex", "break compute", "-ex", "continue", "-ex", "backtrace", "--args",
                     SCREE, "--no-parent", "run", "-q", "--plugin-path", top / "plugins", "scene.cfg", "--set",
                     'force={plugin="stray";}', "--break", "force[0]/compute@3", env=environment())
    tap.check("gdb stops at the call, then in the function of the plugin", "SIGTRAP" in seen.stdout
              and re.search(r"^#0 .*\bcompute \(", seen.stdout, re.M), seen)


def prepare(top):
    for kind in KINDS:
        (top / "plugins" / kind).mkdir(parents=True)
        for one in ("sins", "stray"):
            target = top / "plugins" / kind / f"{one}.so"
            shutil.copyfile(MODULES / f"{one}_{kind}.so", target)
            target.chmod(0o644)
    (top / "scene.cfg").write_text(SCENE)
    for case in CASES:
        test_case(top, *case)


tap.in_folder(prepare, test_kept, test_waits, test_sample, test_detection, test_ends, test_file, test_words,
              test_debugger)
