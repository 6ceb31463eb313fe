# SPDX-License-Identifier: Apache-2.0
"""Tests of whole runs call the program, write its scenes and read its tables with these functions.

The program is the first word of the test's command line.
"""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

# A shell that starts a test in the background lets it ignore two signals, and so would the programs that the test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
PROGRAM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None


def environment(**more):
    """The variables of a user without settings, plugins and an installation of their own, and `more`."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SCREE_", "DESTDIR", "PKG_CONFIG"))}
    return {**env, "LC_ALL": "C", "XDG_DATA_HOME": "/nonexistent", **{k: str(v) for k, v in more.items()}}


def call(top, *command, env=None, **more):
    """The result of a command in the folder `top`; `more` are further arguments of subprocess.run."""
    more = {"stdin": subprocess.DEVNULL, **more} if "input" not in more else more
    options = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 600, **more}
    return subprocess.run([str(word) for word in command], cwd=top, env=env or environment(), check=False, **options)


def scree(top, *words, **more):
    """The result of the program in the folder `top`."""
    return call(top, PROGRAM, *words, **more)


def launch(top, *command, env=None, **more):
    """A command that runs on in the folder `top`; `more` are further arguments of subprocess.Popen."""
    options = {"text": True, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.Popen([str(word) for word in command], cwd=top, env=env or environment(), **options)


def start(top, *words, **more):
    """The program, which runs on in the folder `top`."""
    return launch(top, PROGRAM, *words, **more)


def wait_for(holds, process=None, limit=60.0):
    """Calls holds() until it is true, the process has ended or the time [s] is over; what it was at last."""
    end = time.monotonic() + limit
    while not (seen := holds()) and (process is None or process.poll() is None) and time.monotonic() < end:
        time.sleep(0.001)
    return seen


def slowness(n):
    """How many times longer n processes take for work of their own than on CPUs of their own: wall over CPU time, at least 1."""
    loop = "import time\nbegin, cpu = time.monotonic(), time.process_time()\nwhile time.process_time() - cpu < 0.3: pass\nprint(time.monotonic() - begin)"
    busy = [subprocess.Popen([sys.executable, "-c", loop], stdout=subprocess.PIPE, text=True) for _ in range(n)]
    return max(1.0, *(float(one.communicate()[0]) / 0.3 for one in busy))


def in_time(took, limit, n=3):
    """Whether something has taken less than its limit [s]; n processes that share CPUs with other programs have as many times more."""
    return took < limit or took < limit * slowness(n)


def end_of(process, limit=60.0):
    """The output of a process until it ends; it is killed where that takes longer than the limit [s]."""
    try:
        return process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()


def run(top, text, *words, name="run", **more):
    """The JSON of a run of a scene, whose output is in top/name; an error if it fails."""
    (top / "s.cfg").write_text(text, encoding="utf-8")
    seen = scree(top, "run", "s.cfg", "-q", "--json", "-o", name, *words, **more)
    if seen.returncode:
        raise RuntimeError(seen.stderr)
    return json.loads(seen.stdout)


def read_table(path):
    """The rows of a table, as text."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cell(key, text):
    """A cell as a number, or as text where it is a name or no number."""
    try:
        return text if "name" in key else float(text)
    except ValueError:
        return text


def read_numbers(path):
    """The rows of a table; cells that are numbers as numbers."""
    return [{k: cell(k, v) for k, v in row.items()} for row in read_table(path)]
