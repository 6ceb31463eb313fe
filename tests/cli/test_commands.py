# SPDX-License-Identifier: Apache-2.0
"""Commands that scree becomes another program for: its own scree-tools, scree-NAME next to it or on PATH.

usage: test_commands.py SCREE SCENE.cfg CONTRIB LIBRARY.a...

LIBRARY.a: libraries of the rooms that only scree-tools is linked with.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import tap
from runs import end_of, environment, launch

SCREE, SCENE, CONTRIB, *LIBRARIES = (pathlib.Path(a).resolve() for a in sys.argv[1:])
TOOLS = {"check": "try a plugin: does it keep its promises?", "compare": "time variants of a scene against each other"}
OWN = {"ctl": "steer a run of scree live from a terminal or a script", "live": "run a scene that a page and scree ctl steer, or watch a run",
       "report": "make one HTML page of a run, a study or a comparison", "study": "vary settings: a run each, and a table of the results"}  # in Python
PRINTS = """#!%s
import json, os, sys
print(json.dumps({"words": sys.argv[1:], "program": os.environ.get("SCREE_PROGRAM"), "input": sys.stdin.read()}))
sys.exit(7)
""" % sys.executable


def scree(top, *args, path="/nonexistent", text="", program=SCREE):
    env = environment(PATH=str(path))
    return subprocess.run([str(program), *map(str, args)], cwd=top, env=env, text=True, input=text, capture_output=True,
                          timeout=100)


def write(path, text, mode=0o755):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def listed(help_text, heading):
    """Names and summaries below a heading of `scree --help`."""
    match = re.search(rf"^{heading}[^\n]*:\n((?:  [^\n]*\n)*)", help_text, re.M)
    return [tuple(re.split(r" {2,}| (?=\S)", line.strip(), maxsplit=1)) for line in (match[1] if match else "").splitlines()]


def test_list(top):
    first, second = top / "first", top / "second"
    mark = top / "was-run"
    script = f"#!/bin/sh\ntouch {mark}\n"
    write(first / "scree-mine", script)
    write(first / "scree-mine.summary", "does what\x1b[31m I want\nand more\n", 0o644)
    write(second / "scree-mine", script)
    write(second / "scree-plain", script)
    for name, mode in (("scree-data", 0o644), ("scree-x.so", 0o755), ("scree-check", 0o755), ("scree-run", 0o755)):
        write(second / name, script, mode)
    (second / "scree-folder").mkdir()
    os.mkfifo(second / "scree-plain.summary")
    write(top / "scree-here", script)
    seen = scree(top, "--help", path=f"{first}:.::{second}:{top / 'absent'}")
    own = dict(entry for entry in listed(seen.stdout, "commands \\(") if len(entry) == 2)
    tap.check("help lists the host's own commands and those of the installation with a line each",
              seen.returncode == 0 and own.keys() == {"run", "validate", "query", "new", "plugins", "install", "uninstall", *TOOLS, *OWN}
              and all(own[name] == line for name, line in {**TOOLS, **OWN}.items()), seen)
    found = listed(seen.stdout, "commands on PATH")
    tap.check("help lists programs on PATH apart: those that can be run, without those that others hide",
              [entry[0] for entry in found] == ["mine", "plain"], seen)
    tap.check("a line comes from the file next to the program, and cannot draw on the terminal",
              found[:1] == [("mine", "does what\\x1B[31m I want")] and len(found[-1]) == 1, found)
    tap.check("no program is run for the list", not mark.exists())
    seen = scree(top, "--help")
    tap.check("without programs on PATH there is no list of them", "on PATH" not in seen.stdout, seen)


def test_run(top):
    folder = top / "path"
    write(folder / "scree-prints", PRINTS)
    seen = scree(top, "--plugin-path", top, "--trust=x", "prints", "--json", "a b", "", "--help", path=folder, text="typed")
    out = json.loads(seen.stdout or "{}")
    tap.check("a program on PATH gets the options before its name, then all words after it",
              out.get("words") == ["--plugin-path", str(top), "--trust=x", "--json", "a b", "", "--help"], seen)
    tap.check("it gets standard input and the path of the program, and its exit status is scree's",
              out.get("input") == "typed" and out.get("program") == str(SCREE) and seen.returncode == 7, seen)
    write(folder / "scree-signals", "#!/bin/sh\nexec cat /proc/$$/status\n")
    seen = scree(top, "signals", path=f"{folder}:/bin:/usr/bin")
    tap.check("no signal is ignored or blocked for it", re.search(r"^SigBlk:\t0+\nSigIgn:\t0+$", seen.stdout, re.M), seen)
    write(folder / "scree-dies", "#!/bin/sh\nkill -TERM $$\n")
    seen = scree(top, "dies", path=f"{folder}:/bin:/usr/bin")
    tap.check("a signal that ends it ends scree", seen.returncode == -signal.SIGTERM, seen)
    write(folder / "scree-run", PRINTS)
    seen = scree(top, "run", "--help", path=folder)
    tap.check("no program on PATH replaces a command of the host", "usage:" in seen.stdout.lower()
              and seen.returncode == 0, seen)
    write(folder / "scree-check", PRINTS)
    seen = scree(top, "check", "--help", path=folder)
    tap.check("nor one of the installation", seen.returncode == 0 and "FILE.so" in seen.stdout, seen)
    write(folder / "scree-report", PRINTS)
    seen = scree(top, "report", "--help", path=f"{folder}:{os.environ['PATH']}")
    tap.check("nor one in Python", seen.returncode == 0 and "usage: scree report" in seen.stdout, seen)
    seen = scree(top, "tools"), scree(top, "complete")
    tap.check("a program of the installation without a summary is not a command", all(one.returncode == 2 and "expected a command" in one.stderr for one in seen), seen)
    write(folder / "scree-broken", "\x7fELF")
    seen = scree(top, "broken", path=folder)
    tap.check("a file that the system cannot run is reported with its path", seen.returncode == 1
              and f"cannot run {folder}/scree-broken: " in seen.stderr, seen)
    seen = scree(top, "--", "prints", path=folder)
    tap.check("-- may be before the name of a command", seen.returncode == 7 and '"words": []' in seen.stdout, seen)
    write(folder / "scree--dash", PRINTS)
    seen = scree(top, "--help", path=folder), scree(top, "-dash", path=folder)
    tap.check("a name that looks like an option is neither run nor listed", "dash" not in seen[0].stdout
              and "did you mean" not in seen[1].stderr and seen[1].returncode == 2, seen)
    seen = scree(folder, "prints", path=".:")
    tap.check("a folder of PATH that is not absolute is passed over", seen.returncode == 2
              and 'expected a command, got "prints"' in seen.stderr, seen)


def test_twice(top):
    """An option of one value is given once."""
    for words in (["run", "x", "--steps", "1", "--steps=2"], ["run", "x", "--threads", "1", "--threads", "1"],
                  ["run", "x", "-o", "a", "--output", "b"], ["run", "x", "-oa", "-o", "b"],
                  ["query", "x", "--ball", "0,0,0:1", "--ball", "0,0,0:2"], ["compare", "x", "--repeats=1", "--repeats=2"]):
        seen = scree(top, *words)
        name = re.sub("=.*", "", words[-2] if words[-2][0] == "-" else words[-1]).replace("--", "").replace("-o", "output")
        tap.check(f"{' '.join(words)}: an option that is given twice is refused", seen.returncode == 2
                  and f"scree {words[0]}: --{name} is given twice" in seen.stderr, seen)
    seen = scree(top, "run", SCENE, "-q", "--steps", "1", "--set", "scene.steps=1", "--set", "scene.steps=2")
    tap.check("a list may be given in parts", seen.returncode == 0, seen)
    seen = scree(top, "run", "x", "--restart", "--steps", "--steps", "1")
    tap.check("a value that looks like an option is not one", "twice" not in seen.stderr, seen)
    seen = scree(top, "--version", "extra")
    tap.check("a word after --version is refused", seen.returncode == 2 and 'nothing after it, got "extra"' in seen.stderr
              and not seen.stdout, seen)


def test_manual(top):
    """The man page has the options that --help has, in the section of the command."""
    text = (CONTRIB.parent / "docs/scree.1").read_text().replace("\\-", "-")
    for name in ("run", "validate", "query", "new", "plugins", "install", "uninstall", *TOOLS):
        seen = scree(top, name, "--help")
        own = seen.stdout.split("Every command")[0]
        options = set(re.findall(r"^  (?:-\w, )?--([a-z][\w-]*)", own, re.M)) - {"help"}
        parts = [re.search(rf"^\.{heading} {name}\n.*?(?=^\.br|^\.S[SH] )", text, re.M | re.S)
                 for heading in ("B scree", "SS")]
        shown = [set(re.findall(r"--([a-z][\w-]*)", part[0])) - {"no-parent", "args"} for part in parts if part]
        tap.check(f"the man page has each option of scree {name} --help, and no other", len(shown) == 2
                  and (options or name == "uninstall") and set().union(*shown) == options, (options, shown))


def test_help(top):
    for name in ("run", "check"):
        seen = scree(top, "help", name), scree(top, name, "--help")
        tap.check(f"scree help {name} is scree {name} --help", seen[0].stdout == seen[1].stdout
                  and f"scree {name} [" in seen[0].stdout and seen[0].returncode == 0, seen)
    seen = scree(top, "help", "nosuch")
    tap.check("help of a command that does not exist is refused", seen.returncode == 2
              and 'expected a command, got "nosuch"' in seen.stderr, seen)


def test_signals(top):
    """A signal while a command in Python loads its modules."""
    folder = top / "slow"
    (folder / "scree").mkdir(parents=True)
    for name, text in (("__init__", ""), ("_results", ""), ("slow", "import time\nprint('loads', flush=True)\ntime.sleep(60)\n")):
        (folder / f"scree/{name}.py").write_text(text)
    shutil.copyfile(CONTRIB / "python/commands/command.py", folder / "scree-slow")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        process = launch(top, sys.executable, folder / "scree-slow")
        process.stdout.readline()
        process.send_signal(number)
        _, said = end_of(process)
        tap.check(f"{number.name} while a command loads: status 4, one line", process.returncode == 4
                  and said == f"scree slow: stopped by {number.name}\n", (process.returncode, said))
    write(top / "late/python3", f"#!{sys.executable}\nimport os, sys, time\nprint('up', flush=True)\ntime.sleep(0.3)\n"
          "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        process = launch(top, SCREE, "study", "--help", env=environment(PATH=f"{top / 'late'}:{os.environ['PATH']}"))
        process.stdout.readline()
        process.send_signal(number)
        _, said = end_of(process)
        tap.check(f"{number.name} before Python has read the command's first line: status 4, one line", process.returncode == 4
                  and said == f"scree study: stopped by {number.name}\n", (process.returncode, said))


def test_names(top):
    folder = write(top / "names/scree-prints", PRINTS).parent
    for word, near in (("chek", "check"), ("rnu", "run"), ("compara", "compare"), ("print", "prints")):
        seen = scree(top, word, path=folder)
        tap.check(f"scree {word} is refused with the nearest command", seen.returncode == 2 and not seen.stdout
                  and f'scree: expected a command, got "{word}"; did you mean "{near}"?' in seen.stderr, seen)
    blocked = write(folder / "scree-blocked", PRINTS, 0o644)
    seen = scree(top, "blocked", path=folder)
    tap.check("a file that is not executable is named", seen.returncode == 2
              and f"scree: cannot run {blocked}: expected an executable file" in seen.stderr, seen)
    write(folder / "scree-orphan", "#!/nonexistent/python\n")
    seen = scree(top, "orphan", path=folder)
    tap.check("a script without its interpreter is not reported as missing itself", seen.returncode == 1
              and "the program that its first line names is missing" in seen.stderr, seen)
    for word, near in (("--verson", "--version"), ("--trus", "--trust")):
        seen = scree(top, word)
        tap.check(f"the option {word} is refused with the nearest one", seen.returncode == 2 and not seen.stdout
                  and f'scree: expected an option or a command, got "{word}"; did you mean "{near}"?' in seen.stderr, seen)
    seen = scree(top, "validate", "collison")
    tap.check("a scene that is not there is refused with the nearest one", seen.returncode == 2
              and 'expected a scene, got "collison"' in seen.stderr
              and seen.stderr.rstrip().endswith('; did you mean "collision"?'), seen)
    seen = scree(top, "check", "force/linear")
    tap.check("check says which file it wants", seen.returncode == 2 and "expected the path of a plugin file" in seen.stderr, seen)
    seen = scree(top, "-x\x1b[31m")
    tap.check("an option draws nothing", seen.returncode == 2 and "got \"-x" in seen.stderr and "\x1b" not in seen.stderr, seen)
    for word in ("../scree-prints", "", "x\x1b[31m"):
        seen = scree(top, word, path=folder)
        tap.check(f"{word!r} is refused, and draws nothing", seen.returncode == 2 and "expected a command, got" in seen.stderr
                  and "\x1b" not in seen.stderr, seen)


def test_streams(top):
    """Standard input and output that are closed."""
    for number in (0, 1):
        words = [str(SCREE), "compare", str(SCENE), "--vary", "gcd.plugin=grid", "--steps", "2", "--repeats", "1"]
        seen = subprocess.run(["/bin/sh", "-c", f'exec "$@" {number}>&-', "sh", *words], cwd=top, text=True,
                              capture_output=True, timeout=100)
        tap.check(f"compare runs its variants although descriptor {number} is closed", "failed" not in seen.stderr
                  and "1 variant, 1 repeat each" in seen.stderr and seen.returncode == number, seen)


def symbols(file, *options):
    seen = subprocess.run(["nm", *options, str(file)], text=True, capture_output=True, check=True, timeout=60)
    return {line.split()[-1] for line in seen.stdout.splitlines() if re.search(r" [TDBR] ", line)}


def test_linked():
    host, tools = symbols(SCREE), symbols(SCREE.parent / "scree-tools")
    for library in LIBRARIES:
        own = symbols(library)
        tap.check(f"scree has no function of {library.name}, which scree-tools has",
                  len(own) > 2 and not own & host and len(own & tools) > 2, (own & host, own & tools))
    needed = [subprocess.run(["readelf", "-d", str(file)], text=True, capture_output=True, check=True,
                             timeout=60).stdout for file in (SCREE, SCREE.parent / "scree-tools")]
    tap.check("only scree-tools needs libelf", "libelf" not in needed[0] and "libelf" in needed[1], needed)


def test_direct(top):
    """The program works without scree too."""
    seen = scree(top, "compare", SCENE, "--vary", "gcd.plugin=grid", "--steps", "2", "--repeats", "1", "-q", "--json",
                 program=SCREE.parent / "scree-tools")
    tap.check("scree-tools compare works by itself", seen.returncode == 0 and len(json.loads(seen.stdout)["variants"]) == 1, seen)
    seen = scree(top, "check", "nothing.so", program=SCREE.parent / "scree-tools")
    tap.check("scree-tools check reports as `scree check` does", seen.returncode == 2
              and seen.stderr.startswith("scree check: nothing.so: "), seen)
    for words, why in (((), "usage: scree [OPTIONS] COMMAND ..."), (("fly", "collision"), 'expected a command, got "fly"')):
        seen = scree(top, *words, program=SCREE.parent / "scree-tools")
        tap.check(f"scree-tools {' '.join(words)} is refused", seen.returncode == 2 and not seen.stdout and why in seen.stderr, seen)


def test_contrib(top):
    path = f"{CONTRIB / 'command'}:{os.environ['PATH']}"
    done = scree(top, "run", "collision", "--steps", "50", "-q", "-o", "runs/done")
    (top / "runs/open").mkdir()
    (top / "runs/open/scene.cfg").write_text("scene = {};")
    seen = scree(top, "runs", path=path)
    tap.check("scree runs, of contrib, lists runs and their ends", done.returncode == seen.returncode == 0
              and re.search(r"^done +50 +2 .* done +Head-on", seen.stdout, re.M)
              and re.search(r"^open +not finished$", seen.stdout, re.M), (done, seen))
    seen = scree(top, "--help", path=path)
    tap.check("it is listed with its line", ("runs", "list the runs of a folder") in listed(seen.stdout, "commands on PATH"),
              seen)
    for words, says in ((["absent"], "got absent"), (["a", "b"], "expected one DIR, got a b"), (["--jsn"], "got --jsn")):
        seen = scree(top, "runs", *words, path=path)
        tap.check(f"scree runs {' '.join(words)} is refused", seen.returncode == 2 and says in seen.stderr, seen)


def run():
    test_linked()
    for test in (test_signals, test_list, test_run, test_twice, test_manual, test_help, test_names, test_streams, test_direct, test_contrib):
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name).resolve())


tap.finish(run)
