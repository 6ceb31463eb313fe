# SPDX-License-Identifier: Apache-2.0
"""Ranks on MPI (plugins/domain/mpi.c): the state of one rank, ranks that fail, `scree check` under a launcher, and launchers
that do not fit.

usage: test_ranks_mpi.py SCREE FOLDER_OF_PLUGINS PIECES CONFIGS FOLDER_OF_RANKED [full]
PIECES: a build of a plugin with messages in pieces of 64 KiB; full: six scenes on one to four ranks, and a rank that is stopped
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import runs
import tap

PLUGINS, PIECES, CONFIGS, RANKED = (pathlib.Path(p).resolve() for p in sys.argv[2:6])
FULL = sys.argv[6:] == ["full"]
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "-n"], "mpich": ["mpirun.mpich", "-n"]}
os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def is_here(mpi):
    return (PLUGINS / f"mpi_{mpi}.so").exists() and shutil.which(LAUNCHERS[mpi][0])


def verdict(top, file, case, launcher):
    """Word and text of a case."""
    words = ("--launcher", shlex.join(launcher)) if launcher else ()
    result = runs.scree(top, "check", file, "--case", case, "--json", *words)
    plugins = json.loads(result.stdout)["plugins"] if result.returncode in (0, 3) else []
    return [(case["verdict"], case["text"] or "") for plugin in plugins for case in plugin["cases"]] or [("none", result)]


def test_pieces(top):
    mpi = PIECES.stem.split("_")[1]
    if not is_here(mpi):
        tap.skip("messages in pieces", f"the launcher of {mpi} is missing")
        return
    for case in ("exchange", "gather", "broadcast", "mismatch"):
        found = verdict(top, PIECES, case, LAUNCHERS[mpi])
        tap.check(f"messages in pieces: {case}", found[0][0] == "ok", found)


def test_launchers(top):
    """A launcher that is missing, starts nothing, fails, or belongs to another MPI."""
    mpi = "mpich" if is_here("mpich") else "openmpi"
    file = PLUGINS / f"mpi_{mpi}.so"
    for name, words, wanted, text in (
            ("no launcher", None, "skip", "--launcher"), ("one that is not here", ["no-such-launcher"], "not ok", "no-such-launcher"),
            ("one that starts nothing", ["true"], "not ok", "process 0 of 1 ended in a call"),
            ("one that fails", ["false"], "not ok", "the launcher has status 1")):
        (word, said), *_ = verdict(top, file, "join", words)
        tap.check(f"{name}: {wanted}", word == wanted and text in said, (word, said))
    (word, said), *_ = verdict(top, file, "join", ["sh", "-c", 'shift; exec "$@"', "sh"])
    tap.check("a process that no launcher has started is not a rank", word == "not ok" and "no launcher has started this process" in said,
              (word, said))
    result = runs.scree(top, "check", PLUGINS.parent / "gcd/grid.so", "--launcher", "true")
    tap.check("a launcher is only for a domain", result.returncode == 2 and "no plugin of kind domain" in result.stderr, result)
    if not (is_here("openmpi") and is_here("mpich")):
        tap.skip("a launcher of another MPI is refused", "only one MPI is here")
        return
    for mpi, other, n in (("openmpi", "mpich", 0), ("mpich", "openmpi", 1)):
        (word, said), *_ = verdict(top, PLUGINS / f"mpi_{mpi}.so", "join", LAUNCHERS[other])
        tap.check(f"{mpi} refuses the launcher of {other}, by both numbers", word == "not ok" and "the launcher says " in said
                  and f" says {n}:" in said, (word, said))


# With contacts that have a history, walls that move, clumps, solids, bodies that come; the steps.
SCENES = {"drum": 150, "hopper": 100, "clumps": 100, "polygons": 60, "collision": 1100, "silo-psd": 200}
QUICK = {("mpich", 2): tuple(SCENES), ("mpich", 3): ("drum", "silo-psd"), ("openmpi", 3): ("hopper", "polygons"),
         ("mpich", 1): ("collision",), ("openmpi", 1): ("collision",), ("openmpi", 4): ("clumps",)}


def command(mpi, n, scene, *before):
    return [*LAUNCHERS[mpi], str(n), *before, runs.PROGRAM, "run", scene, "--threads", "1", "--set", 'domain={plugin="mpi";}',
            "--set", "observers={}", "-q"]


def test_one_state(top):
    one = {}
    for scene, steps in SCENES.items():
        result = runs.scree(top, "run", CONFIGS / f"{scene}.cfg", "--steps", str(steps), "--threads", "1", "--set", "observers={}",
                            "-q", "--json", "-o", f"{scene}-1")
        one[scene] = json.loads(result.stdout)["state_sha256"] if result.returncode == 0 else None
    for mpi in LAUNCHERS:
        for n in (1, 2, 3, 4):
            for scene in SCENES if FULL and is_here(mpi) else QUICK.get((mpi, n), ()) if is_here(mpi) else ():
                result = runs.call(top, *command(mpi, n, CONFIGS / f"{scene}.cfg"), "--steps", SCENES[scene], "--json",
                                   "-o", f"{scene}-{mpi}-{n}")
                found = json.loads(result.stdout)["state_sha256"] if result.returncode == 0 else result
                tap.check(f"{scene}: {n} ranks of {mpi} have the state of one", one[scene] and found == one[scene], (one[scene], found))


def ranks_of(process, n):
    """Process numbers of the ranks, which are programs below a launcher, by rank; each has a parent of its own name."""
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        found, below = {}, {process.pid}
        stats = [path.read_text().rsplit(")", 1) for path in pathlib.Path("/proc").glob("[0-9]*/stat") if path.exists()]
        rows = [(int(name.split()[0]), name.split("(")[1], int(rest.split()[1])) for name, rest in stats]
        for _ in range(5):
            below |= {pid for pid, _, parent in rows if parent in below}
        names = {pid: name for pid, name, _ in rows}
        for pid, name, parent in rows:
            if pid in below and name == "scree" == names.get(parent):
                said = dict(line.split("=", 1) for line in pathlib.Path(f"/proc/{pid}/environ").read_text().split("\0") if "=" in line)
                found[int(said.get("OMPI_COMM_WORLD_RANK", said.get("PMI_RANK", -1)))] = pid
        if len(found) == n:
            return found
        time.sleep(0.05)
    raise RuntimeError("the ranks did not start")


def lives(pid):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def goes_on(top, mpi, hint, folder):
    """Whether a printed command, with the launcher of this MPI and fewer steps, runs on three ranks; its steps are all that
    are left."""
    words = shlex.split(hint)
    result = runs.call(top, *LAUNCHERS[mpi], *words[2:3], runs.PROGRAM, *words[4:-1], "3", "-q", "--json", "-o", f"{folder}-goes-on")
    data = json.loads(result.stdout) if result.returncode == 0 else {}
    newest = max(int(path.stem.split("-")[1]) for path in (top / folder).glob("checkpoint-*.h5"))
    return words[-2] == "--steps" and int(words[-1]) == 100000000 - newest and data.get("steps") == 3


def start(top, mpi, name, every):
    run = runs.launch(top, *command(mpi, 3, CONFIGS / "drum.cfg"), "--steps", "100000000", "--set",
                      f"checkpoint={{every_steps={every};at_stop=true;}}", "-o", name, stderr=subprocess.STDOUT)
    pids = ranks_of(run, 3)
    if every < 100:
        runs.wait_for(lambda: list((top / name).glob("*.h5")), run)
    return run, pids


def test_ends(top):
    for mpi in LAUNCHERS:
        if not is_here(mpi):
            continue
        for name, rank, number, status, words, most in (
                ("a rank that is killed", 2, signal.SIGKILL, (9, 137), "signal 9", 5.0),
                ("rank 0 that gets SIGTERM", 0, signal.SIGTERM, (4,), "stopped by SIGTERM", 5.0),
                *([("a rank that is stopped", 1, signal.SIGSTOP, (3,), "rank 1 did not come within 60000 ms", 75.0)] if FULL else [])):
            folder = f"{mpi}-{rank}"
            run, pids = start(top, mpi, folder, 10000000 if number == signal.SIGTERM else 10)
            if number == signal.SIGTERM:
                runs.wait_for(lambda: (top / folder).exists(), run)
                time.sleep(0.5)
                os.kill(pids[0], signal.SIGUSR1)  # MPICH puts a handler of its own before that of the run
                tap.check(f"{mpi}: SIGUSR1 saves the state", runs.wait_for(lambda: list((top / folder).glob("*.h5")), run), pids)
            begin = time.monotonic()
            os.kill(pids[rank], number)
            said = runs.end_of(run, 400.0)[0]
            took = time.monotonic() - begin
            gone = runs.wait_for(lambda: not any(lives(pid) for pid in pids.values()), limit=10.0)  # of the process table
            tap.check(f"{mpi}: {name} ends all in time", runs.in_time(took, most) and gone, (took, pids))
            tap.check(f"{mpi}: {name}: status and words", run.returncode in status and words in said, (run.returncode, said))
            saved = sorted((top / folder).glob("*.h5"))
            if number != signal.SIGSTOP:
                # Open MPI may end rank 0 by SIGTERM before it has said the same.
                hint = sorted({line.split("scree: to continue: ")[1] for line in said.splitlines() if "scree: to continue: " in line})
                tap.check(f"{mpi}: after {name[2:] if name[1] == ' ' else name} one line says how to continue on as many ranks, for all steps",
                          len(hint) == 1 and hint[0].startswith("mpirun -n 3 scree run --restart ") and goes_on(top, mpi, hint[0], folder), said)
            if number == signal.SIGKILL:
                tap.check(f"{mpi}: the message has the number of the rank, and blames no plugin", any(
                    line.startswith("scree: rank 2 of 3 has ended at step ") and "domain/" not in line for line in said.splitlines()), said)
            result = runs.scree(top, "run", "--restart", top / folder, "--steps", "2", "-q", "-o", f"{folder}-more",
                                "--set", 'domain={plugin="processes"; ranks=1;}')
            tap.check(f"{mpi}: after {name[2:] if name[1] == ' ' else name} the last state is good", result.returncode == 0, (saved, result))


def wrapped(top, rank, line):
    """A program that starts the words behind it; on one rank (None: on all) after that line."""
    script = top / "start"
    test = "true" if rank is None else f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = {rank} ]'
    script.write_text(f'#!/bin/sh\n{test} && {line}\nexec "$@"\n')
    script.chmod(0o755)
    return script


ROWS = """scene = { dt = 1.0e-6; steps = 3; };
materials = { glass = { density = 2500.0; }; };
generate = { rows = { plugin = "table"; file = "rows.csv"; shape = "sphere"; }; };
"""
# Rows: the failure, its rank (None: all), the line before the program, scene, more words, the message after
# "rank R (NODE): ".
WRONG = (("a rank has another scene", 1, "set -- \"$@\" --set 'scene.gravity=(0.0,0.0,1.0)'", "scene", (), "it does not begin as rank 0 does, in"),
         ("a rank lacks the scene", 2, "cd away", "scene", (), 'expected a scene, got "scene.cfg"'),
         ("rank 0 lacks the scene", 0, "cd away", "scene", (), 'expected a scene, got "scene.cfg"'),
         ("a rank has a mistake in its scene", 1, "set -- \"$@\" --set scene.dx=1.0", "scene", (), "scene.dx"),
         ("a rank lacks a file of a plugin", 1, "cd away", "rows", (), "rows.csv"),
         ("all ranks lack the scene", None, "true", "nothing", (), 'expected a scene, got "nothing.cfg"'),
         ("all ranks have a mistake in the scene", None, "true", "scene", ("--set", "force.9.kn=1.0"), "--set force.9.kn=1.0: "),
         ("the folder of the run is not empty", None, "true", "rows", ("-o", "away"), "away"))


def test_differs(top):
    """Ranks that fail before the first step: one message, with the number of the rank if the others do not fail. All have
    the status of the cause."""
    (top / "away").mkdir()
    (top / "scene.cfg").write_text((CONFIGS / "collision.cfg").read_text())
    (top / "rows.csv").write_text("x,y,z,radius\n0.0,0.0,0.0,0.01\n")
    for folder in (top, top / "away"):
        (folder / "rows.cfg").write_text(ROWS)
    for mpi in LAUNCHERS:
        if not is_here(mpi):
            continue
        for name, rank, line, scene, more, words in WRONG:
            begin = time.monotonic()
            result = runs.call(top, *command(mpi, 3, f"{scene}.cfg", wrapped(top, rank, line)), *(more or ("-o", "differs")))
            took, said = time.monotonic() - begin, result.stdout + result.stderr
            number = 0 if more[:1] == ("-o",) else rank  # only rank 0 looks at the folder
            head = "scree: " if number is None else f"scree: rank {number} ({os.uname().nodename}): "
            tap.check(f"{mpi}: {name}: status 2, one message", runs.in_time(took, 20.0) and result.returncode == 2 and said.count("scree: ") == 1
                      and head in said and words in said.split(head)[1], (took, result))
        for nodes, rank in (("a node lacks", 1), ("all nodes lack", None)):
            begin = time.monotonic()
            result = runs.call(top, *command(mpi, 3, "scene.cfg", wrapped(top, rank, "set -- \"$@\" --set 'domain.plugin=\"absent\"'")), "-o", "differs")
            took = time.monotonic() - begin
            # Open MPI ends the others by SIGTERM, which they may say, or is late: they have the same reason.
            own = [line for line in (result.stdout + result.stderr).splitlines() if line.startswith("scree: ")
                   and ": SIGTERM: " not in line and not line.startswith("scree: to run it on one rank: ")]
            tap.check(f"{mpi}: {nodes} the plugin of the domain: the ranks do not wait for it, and one line names it", runs.in_time(took, 30.0)
                      and result.returncode == 2 and 0 < len(own) <= (3 if rank is None else 1) and own[0].startswith(
                          f"scree: rank {rank or 0} ({os.uname().nodename}): ") and "no plugin domain/absent; installed: " in own[0], (took, result))
        for what, line in (("an option", 'set -- "$@" --stepz 3'), ("a folder of plugins", '{ p=$1; shift; set -- "$p" --plugin-path=none "$@"; }')):
            begin = time.monotonic()
            result = runs.call(top, *command(mpi, 3, "scene.cfg", wrapped(top, 1, line)), "-o", "differs")
            said = result.stdout + result.stderr
            tap.check(f"{mpi}: a rank with a mistake in {what} ends all, with its message and status 2", runs.in_time(time.monotonic() - begin, 20.0)
                      and result.returncode == 2 and ("--stepz" in said or "none: no such folder" in said), result)
        begin = time.monotonic()
        result = runs.call(top, *command(mpi, 3, "scene.cfg", wrapped(top, 1, "kill -9 $$")), "-o", "differs")
        # The status is that of the launcher, which has killed the others, or has failed itself (255). The others may say that.
        said = result.stdout + result.stderr
        own = [line for line in said.splitlines() if line.startswith("scree: ")]
        tap.check(f"{mpi}: a rank that is killed before it joins ends all", runs.in_time(time.monotonic() - begin, 20.0)
                  and result.returncode in (9, 137, 255), result)
        tap.check(f"{mpi}: the launcher names the end of a process, the others at most their own", (result.returncode == 255 or any(
            words in said for words in ("EXIT CODE: 9", "1 process returned", "exited on signal 9"))) and len(own) <= 2 and all(
                line.startswith("scree: SIGTERM: the set-up is ended ") and line.endswith("; no state was saved") for line in own), said)


def held_up(top, mpi, stream, seconds, *words):
    """A run whose rank 0 cannot write to a stream (1: output, 2: errors) for that time. Status, and what the stream got.
    The scene has no notes, which would hold up the set-up."""
    pipe, script = top / f"pipe-{mpi}", top / "start"
    os.mkfifo(pipe)
    fd = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    full = os.write(fd, b"-" * 1000000)
    script.write_text(f'#!/bin/sh\n[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 0 ] && exec "$@" {stream}>{pipe}\nexec "$@"\n')
    script.chmod(0o755)
    run = runs.launch(top, *command(mpi, 3, CONFIGS / "collision.cfg", script), *words, "-o", f"held-{mpi}",
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    runs.wait_for((top / f"held-{mpi}").exists, run)
    time.sleep(seconds)
    got = b""
    while run.poll() is None or len(got) < full:
        try:
            got += os.read(fd, 65536)
        except BlockingIOError:
            time.sleep(0.01)
    try:
        got += os.read(fd, 65536)
    except BlockingIOError:
        pass
    os.close(fd)
    return run.returncode, got[full:].decode()


def test_waits(top):
    """The others wait for rank 0, which saves a state after a failure, or writes long after the last step."""
    for mpi in LAUNCHERS:
        if not is_here(mpi):
            continue
        if FULL:
            status, said = held_up(top, mpi, 1, 72.0, "--steps", "30", "--json")
            tap.check(f"{mpi}: rank 0 may take longer after the last step than a step may", status == 0 and "state_sha256" in said, (status, said))
        else:
            status, said = held_up(top, mpi, 2, 9.0, "--steps", "100", "--plugin-path", RANKED, "--set", 'observers={w={plugin="weary"; every_steps=5;};}')
            kept = list((top / f"held-{mpi}").glob("kept-*.h5"))
            tap.check(f"{mpi}: rank 0 that fails saves its state before all end", status != 0 and "20 steps are enough" in said
                      and len(kept) == 1 and "to repeat the call: " in said, (status, said, kept))


def test_alone(top):
    result = runs.scree(top, "run", CONFIGS / "drum.cfg", "--steps", "3", "-q", "--set", 'domain={plugin="mpi";}')
    text, data = (runs.scree(top, "validate", CONFIGS / "collision.cfg", "--set", 'domain={plugin="mpi";}', *more) for more in ((), ("--json",)))
    tap.check("validate says that the launcher gives the number of ranks", "as many as the launcher starts, by domain/mpi" in text.stdout
              and json.loads(data.stdout)["ranks"] is None, (text, data))
    compared = runs.scree(top, "compare", CONFIGS / "collision.cfg", "--set", 'domain={plugin="mpi";}', "--vary", "gcd.plugin=grid")
    tap.check("compare refuses a domain of a launcher", compared.returncode == 2 and "expected one whose ranks are started without a launcher, "
              "such as --ranks 2, got domain/mpi" in compared.stderr, compared)
    tap.check("without a launcher a run is refused, with the command", result.returncode == 2
              and "start the run by mpirun -n P" in result.stderr, result)
    words = re.search(r"One process goes on with --set '(.*)'", result.stderr)
    result = runs.scree(top, "run", CONFIGS / "drum.cfg", "--steps", "3", "-q", "--set", 'domain={plugin="mpi";}',
                        "--set", words[1] if words else "")
    tap.check("and with the setting for one process, which works", result.returncode == 0, (words, result))


if is_here("openmpi") or is_here("mpich"):
    tap.in_folders(test_one_state, test_ends, test_differs, test_waits, test_alone, *(() if FULL else (test_pieces, test_launchers)))
else:
    tap.finish(lambda: tap.skip("ranks on MPI", "no MPI, or no launcher of it, is here"))
