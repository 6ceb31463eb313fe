# SPDX-License-Identifier: Apache-2.0
"""`scree study`: a run for each combination of settings, and a table of the results.

    import scree.study
    study = scree.study.Study("pile", "friction", vary=["force.0.friction=0.1..0.5+0.2"], seeds=3)
    for row in study.run().rows:
        print(row.params, row.seed, row.state, row.values["coordination"])
"""
import argparse
import contextlib
import csv
import difflib
import fcntl
import hashlib
import io
import json
import math
import os
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import __main__
from ._errors import Error, UseError
from ._results import write_whole
from ._rows import Row
from ._run import seconds
from ._vary import Fit, Params, grid, parse, random_rows, real

Told = Dict[str, Any]
Sampler = Callable[[Dict[str, Any]], Dict[str, Any]]
REJECT = re.compile(r"\s*([^\s<>=]+)\s*(<=|>=|<|>)\s*(\S+)\s*")
FIT = re.compile(r"\s*([^\s=]+)\s*=\s*(.+?)(?:\+-(.+))?")
NONSENSE = ["warnings.residual.count > 0"]  # the account of energy does not close
CHECKPOINT = 'checkpoint={ every_wall = "10 min"; }'
PAUSE = 0.02  # [s] between two looks at the runs
GRACE = 5.0  # [s] in which a sampler ends after its input
MOST_ANSWER = 1 << 20  # bytes of a line of a sampler
MOST_ROWS = 10000
FIRST = ("row", "state", "reason", "seed")


class Stopped(Exception):
    """A signal has ended the study; runs have saved their states."""


class Command:
    """A sampler in a process: one line of JSON to it, one back within `limit` [s]."""

    def __init__(self, line: str, limit: float):
        self.line, self.limit = line, limit
        self.process: Any = None

    def __call__(self, message):
        try:
            process = self.process = self.process or subprocess.Popen(shlex.split(self.line), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            raise UseError(f"--sampler {self.line}: {error}") from None

        def write(line):
            with contextlib.suppress(OSError):  # a sampler may answer and end before it has read the line
                while line:
                    line = line[os.write(process.stdin.fileno(), line):]

        read: List[bytes] = []
        threading.Thread(target=write, args=(json.dumps(message).encode() + b"\n",), daemon=True).start()
        reader = threading.Thread(target=lambda: read.append(process.stdout.readline(MOST_ANSWER + 1)), daemon=True)
        reader.start()
        reader.join(self.limit)
        fault = f"no answer within {self.limit:g} s (--sampler-limit)"
        try:
            if read and 0 < len(read[0]) <= MOST_ANSWER:
                return json.loads(read[0])
            if read:
                fault = f"expected a line of at most {MOST_ANSWER} bytes" if read[0] else \
                    f"it ended with exit status {self._status()}; expected an answer to each line until its input ends"
        except (ValueError, RecursionError):
            fault = f"expected a line of JSON, got {read[0][:60].decode(errors='replace')!r}"
        process.kill()
        raise UseError(f"--sampler {self.line}: {fault}")

    def _status(self):
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "unknown: it has closed its output"

    def close(self) -> None:
        """Ends the sampler: first its input ends, then it is killed."""
        if self.process:
            self.process.stdin.close()
            if not isinstance(self._status(), int):
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.process = None


def _number(text, where):
    number = real(text.strip())
    if number is None:
        raise UseError(f"{where}: expected a number, got {text}")
    return number


def _condition(text):
    found = REJECT.fullmatch(text)
    if not found:
        raise UseError(f"--reject: {text}: expected a condition such as 'max_overlap > 0.05'")
    return found[1], found[2], _number(found[3], f"--reject: {text}")


def _target(text):
    found = FIT.fullmatch(text)
    if not found:
        raise UseError(f"--fit: {text}: expected FIGURE=VALUE or FIGURE=VALUE+-ERROR, as in angle.degrees=31.8")
    return found[1], _number(found[2], f"--fit: {text}"), _number(found[3] or "0", f"--fit: {text}")


class Study:
    """The runs of a study, in `folder`. With the same words it goes on where it was cut off; finished runs stay.

    `vary`: texts as of --vary. `random`: rows of a Latin hypercube. `fit`, `minimize`, `maximize` and `sampler` (a command, or
    a function of the message) choose rows by the results so far. `ranks`: of each run; 0: as the scene says. `jobs`: runs at a
    time; 0: as many as CPUs. `say` gets a line of
    text for each run that ends."""

    def __init__(self, scene: str, folder: str, vary: Optional[List[str]] = None, *, seeds: int = 0, random: int = 0,
                 set: Optional[List[str]] = None, until: Optional[str] = None, threads: int = 1, ranks: int = 0, jobs: int = 0,
                 reject: Optional[List[str]] = None, sampler: Any = None, fit: Optional[List[str]] = None, minimize: Optional[str] = None,
                 maximize: Optional[str] = None, trials: int = 50, window: Any = None, part: Tuple[int, int] = (0, 1), retry: bool = False,
                 sampler_limit: Any = "10 min", program: Optional[List[str]] = None, say: Callable[[str], None] = print):
        if not folder:
            raise UseError("-o: expected the name of a folder, got an empty one")
        self.scene, self.folder, self.seeds = scene, pathlib.Path(folder).absolute(), seeds
        self.axes, self.set, self.until, self.part, self.retry, self.say = [parse(one) for one in vary or []], set or [], until, part, retry, say
        self.jobs = jobs or max(1, len(os.sched_getaffinity(0)) // (threads * (ranks or 1)))
        self.options = ["--threads", str(threads), *(["--set", f'domain={{plugin="processes"; ranks={ranks};}}'] if ranks else [])]
        self.window = None if window is None else seconds(window)
        self.rejects = [_condition(one) for one in reject or NONSENSE]
        self.targets = [_target(one) for one in fit or []]
        self.goal = ("max", maximize) if maximize else ("min", minimize)
        limit = seconds(sampler_limit)
        self.random, self.trials, self.sampler = random, trials, Command(sampler, limit) if isinstance(sampler, str) else sampler
        self.program = program or [__main__.program()]
        self.rows: List[Row] = []
        self.earlier: Optional[List[Row]] = None  # rows of earlier calls with other values; None: not looked for yet
        self.told: List[Told] = []
        self.answer: Dict[str, Any] = {}
        self._known: Dict[str, Row] = {}
        self._held, self._signal, self._began = False, 0, 0.0
        self._versions: Dict[str, str] = {}
        self._domains: Dict[str, bool] = {}  # those that are known to need no launcher
        self._sums: Dict[str, str] = {}
        self._noting, self._at_work, self._next = False, False, 0.0
        self._check()

    def _check(self):
        paths = [axis.path for axis in self.axes]
        wanted = bool(self.targets) + bool(self.goal[1])
        alone = len(self.targets) == 1 and not self.sampler
        if len(paths) > len({*paths}):
            raise UseError(f"--vary: a path is given twice: {', '.join(paths)}")
        if not self.axes:
            raise UseError("expected at least one --vary PATH=V1,V2,..")
        if isinstance(self.sampler, Command) and not self.sampler.line.strip():
            raise UseError("--sampler: expected a command, got none")
        if "scene.seed" in paths and self.seeds:
            raise UseError("expected one of --seeds and --vary scene.seed")
        if wanted > 1 or (self.sampler is not None) > wanted or (self.goal[1] and not self.sampler) or wanted and self.random:
            raise UseError("--sampler needs one of --fit, --minimize and --maximize, which need it, and no --random; --fit of one range does not")
        if self.targets and not self.sampler:
            if not alone or len(self.axes) != 1 or not self.axes[0].span:
                raise UseError("--fit without --sampler takes one figure and one range, --vary PATH=A..B")
            self.sampler = Fit(self.axes[0], *self.targets[0][1:])
        if self.sampler and self.part != (0, 1):
            raise UseError("rows that depend on others cannot be shared out: expected no --part and no --slurm")
        if self.until is not None and not seconds(re.sub(r"\s*([a-z]+)\s*$", r" \1", self.until)):
            raise UseError(f"--until: expected a time above 0, got {self.until}")
        count = (self.random or math.prod(len(axis.values) or 1 for axis in self.axes)) * (self.seeds or 1)
        if count > MOST_ROWS:
            raise UseError(f"expected at most {MOST_ROWS} rows, got {count}")
        self._check_folder(sorted(paths))

    def _check_folder(self, paths):
        """The folder is new, or that of a study of the same settings."""
        if self.folder.exists() and not self.folder.is_dir():
            raise UseError(f"{self.folder}: expected a folder")
        if any((self.folder / one).exists() for one in ("scene.cfg", "summary.json", "live.json")):
            raise UseError(f"{self.folder}: expected a new folder or that of a study, but it has the files of a run; give another with -o")
        try:
            before = sorted(one["path"] for one in json.loads((self.folder / "study.json").read_text(encoding="utf-8"))["vary"])
        except (FileNotFoundError, NotADirectoryError):
            other = [one.name for one in self.folder.glob("*") if one.name not in ("rows", ".lock")]
            if other:
                raise UseError(f"{self.folder}: expected a new folder or that of a study, but it holds {min(other)}; give another with -o") from None
            return
        except (ValueError, KeyError, TypeError):
            raise UseError(f"{self.folder}/study.json: expected the file of a study; give another folder with -o") from None
        if before != paths:
            raise UseError(f"{self.folder} has a study of {', '.join(before)}, this one varies {', '.join(paths)}; give another folder with -o")

    # ---- rows

    def _refuse(self, words, status, text):
        """Raises the message of a call of the program that has failed."""
        end = f"ended by signal {-status}" if status < 0 else f"exit status {status}"
        raise UseError(re.sub(r"^scree( \w+)?: ", "", text.strip()) or f"{self.program[0]} {words[0]}: {end}, without a message")

    def _call(self, *words):
        seen = subprocess.run([*self.program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return self._refuse(words, seen.returncode, seen.stderr) if seen.returncode else seen.stdout

    def _settings(self, params, seed):
        return [*self.set, *(f"{path}={value}" for path, value in params.items()), *([f"scene.seed={seed}"] if seed else [])]

    def _words(self, params, seed):
        return [word for one in self._settings(params, seed) for word in ("--set", one)] + (["--until", self.until] if self.until else [])

    def _texts(self, pairs):
        """The text of the scene of each pair of settings and seed, all by one call of the program."""
        with tempfile.NamedTemporaryFile() as sets, tempfile.TemporaryFile() as wrong:
            sets.write(b"".join(f"{one}\0".encode() for pair in pairs for one in (*self._settings(*pair), "")))
            sets.flush()
            words, rest = ["validate", self.scene, "--each", sets.name], b""
            with subprocess.Popen([*self.program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=wrong) as process:
                try:
                    while data := os.read(process.stdout.fileno(), 1 << 20):
                        *whole, rest = (rest + data).split(b"\n\n")
                        yield from (f"{one.decode()}\n" for one in whole)
                    if process.wait():
                        wrong.seek(0)
                        self._refuse(words, process.returncode, wrong.read().decode(errors="replace"))
                finally:
                    process.kill()

    def make(self, params: Params) -> List[Row]:
        """The rows of a combination, one a seed. A mistake in the scene is found here, before a run."""
        return [*self._made([params])]

    def _pairs(self, combinations):
        return [(params, seed) for params in combinations for seed in (range(1, self.seeds + 1) if self.seeds else [None])]

    def _made(self, combinations, part=slice(None)):
        return self._of_pairs(self._pairs(combinations)[part])

    def _of_pairs(self, pairs):
        if not self._versions:
            self._versions = {one["id"]: one["version"] for one in json.loads(self._call("plugins", "--json"))["plugins"] if not one["refused"]}
        for (params, seed), text in zip(pairs, self._texts(pairs)):
            if self.until is None and re.search(r"^scene = \{\n(?:    .*\n)*?    steps = 0;", text, re.M):
                raise UseError("expected scene.steps above 0 or --until T, got none")
            self._check_domain(params, seed, text)
            quoted = [*dict.fromkeys(re.findall(r'"((?:[^"\\]|\\.)*)"', text))]
            facts = [text, self.until, [self._sum(one) for one in quoted if os.path.isfile(one)],
                     [(one, self._versions[one]) for one in quoted if one in self._versions]]
            key = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
            yield self._known.setdefault(key, Row(params, seed, text, self.folder / "rows" / key))

    def _check_domain(self, params, seed, text):
        """A row is one process, which may fork its ranks: a domain whose ranks a launcher starts is refused before a run."""
        name = re.search(r'^domain = \{\n(?:    .*\n)*?    plugin = "([^"]*)"', text, re.M)
        if not name or name[1] in self._domains or "--set" in self.options:
            return
        self._domains[name[1]] = True
        data = {}
        with contextlib.suppress(UseError):  # a row that is refused fails
            data = json.loads(self._call("validate", self.scene, *(word for one in self._settings(params, seed) for word in ("--set", one)), "--json"))
        if data.get("ranks", 1) is None:
            lines = pathlib.Path(self.scene).read_text(encoding="utf-8", errors="replace").splitlines()
            places = [f"{self.scene}:{k}" for k, line in enumerate(lines, 1) if re.match(r"\s*domain\s*[=:]", line)]
            place = "--set" if any(re.match(r"domain\b", one) for one in self.set) or not places else places[0]
            raise UseError(f"{place}: domain: expected one whose ranks are started without a launcher, such as --ranks 2, got domain/{name[1]}")

    def _sum(self, path):
        """SHA-256 of a file of scenes, which is read once for all of them."""
        if path not in self._sums:
            self._sums[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
        return self._sums[path]

    def _find_earlier(self):
        """The rows of earlier calls that ended: of the same scene and settings, with other values or seeds."""
        pairs, known = [], {row.folder.name for row in self.rows}
        for path in sorted(self.folder.glob("rows/*/row.json")):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                told = json.loads(path.read_text(encoding="utf-8"))
                if path.parent.name not in known and {*told["params"]} == {axis.path for axis in self.axes}:
                    pairs.append((told["params"], told["seed"]))
        with contextlib.suppress(UseError):  # the scene has changed so that it refuses their values: none of them is its row
            for row in self._of_pairs(pairs):
                if row.folder.name not in known and row.load():
                    self._judge(row)
                    yield row

    @contextlib.contextmanager
    def _lock(self):
        """One study at a time works in a folder, or several parts of one."""
        if self._held:
            yield
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / ".lock", "w", encoding="ascii") as file:
            try:
                fcntl.flock(file, (fcntl.LOCK_EX if self.part == (0, 1) else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Error(f"{self.folder}: another scree study is at work here") from None
            self._held = True
            try:
                yield
            finally:
                self._held = False

    @contextlib.contextmanager
    def signals(self) -> Iterator[None]:
        """A signal lets all runs save their states; without runs it ends the study at once."""
        if self._noting:
            yield
            return

        def note(number, _):
            self._signal = number
            for row in self.rows:
                row.stop()
            if not self._at_work:
                raise self._stopped()
        self._noting = True
        ours = threading.current_thread() is threading.main_thread()
        before = __main__.heed(note) if ours else {}
        try:
            yield
        except BaseException:
            for row in self.rows:
                row.stop()
            raise
        finally:
            self._noting = False
            for number, handler in before.items():
                signal.signal(number, handler)

    def _judge(self, row):
        """Reads the values of a row that has ended, and looks whether they are nonsense."""
        if row.state == "ok":
            row.read(self.window)
            for name, sign, limit in self.rejects:
                value = self._figure(row, name)
                if value is not None and {"<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit}[sign]:
                    row.state, row.reason = "nonsense", f"{name} = {value:g}"

    def _figure(self, row, name):
        if name not in row.values and name not in row.last:
            near = difflib.get_close_matches(name, row.values, 3, 0.4) or list(row.values)[:3]
            raise UseError(f"no column {name} in results.csv; the nearest of {len(row.values)}: {', '.join(near)}")
        value = row.values.get(name, row.last.get(name))
        return float(value) if isinstance(value, (int, float)) and value == value else None

    def _run(self, rows):
        """Runs the rows that have not ended."""
        self.rows = [*dict.fromkeys([*self.rows, *rows])]
        waiting, running, done = [row for row in rows if not row.state], [], 0
        for row in [row for row in waiting if row.load(self.retry)]:
            self._judge(row)
        waiting = [row for row in waiting if not row.state]
        if self.earlier is None and self.part == (0, 1):
            self.earlier = [*self._find_earlier()]
            if waiting:
                self._forecast(waiting[0], len(waiting))
        self._began = time.monotonic()
        self.write()
        total, self._at_work = len(waiting), True
        try:
            while running or waiting and not self._signal:
                for row in list(waiting):
                    if len(running) < self.jobs and not self._signal and row.start(self.program, self.scene, self._start_words(row), self.options):
                        running.append(row)
                        waiting.remove(row)
                for row in [row for row in running if row.ended()]:
                    running.remove(row)
                    if not row.state:
                        waiting.append(row)
                        continue
                    done += 1
                    self._judge(row)
                    self._report(row, done, total)
                    self.write(rarely=True)
                time.sleep(PAUSE)
        finally:
            self._at_work = False
            self.write()
        if self._signal:
            raise self._stopped()

    def _stopped(self):
        return Stopped(f"stopped by {signal.Signals(self._signal).name}: {len(self._ended())} of {len(self.rows)} rows have ended; "
                       "the same command goes on")

    def _start_words(self, row):
        own = [] if re.search(r"^checkpoint = ", row.scene, re.M) else [CHECKPOINT]
        end = "checkpoint.at_end=false"  # a condition of `stop` does not end a run that continues from the state that it ended
        return [*self._words(row.params, row.seed), *(word for one in (*own, end) for word in ("--set", one))]

    def _forecast(self, row, total):
        """Says what `scree validate` forecasts, unless it has no forecast, as where bodies are inserted, or refuses the row, which then fails."""
        if self.until:
            return
        with contextlib.suppress(UseError):
            words = [word for one in self._settings(row.params, row.seed) for word in ("--set", one)]
            each = json.loads(self._call("validate", self.scene, *words, "--json"))["takes_s"]
            if each:
                self.say(f"about {each * math.ceil(total / self.jobs):.2g} s by measured costs: {total} runs of {each:.2g} s on one thread, {self.jobs} at a time")

    def _report(self, row, done, total):
        self.say(f"{done}/{total} {row.state} {row}" + (f": {row.reason}" if row.reason else ""))
        if done == 1 and total > 1:
            spent = time.monotonic() - self._began
            self.say(f"about {spent * (total - 1) / self.jobs:.3g} s left: {total - 1} runs of {spent:.3g} s, {self.jobs} at a time")

    # ---- results

    def _ended(self):
        return [row for row in self.rows if row.state in ("ok", "nonsense", "failed")]

    def tell(self, params: Params, rows: List[Row]) -> Told:
        """The result of a combination, as a sampler gets it: the mean over seeds and its standard error."""
        good = [row for row in rows if row.state == "ok"]
        bad = next((row.state for row in rows if row.state != "ok"), "ok")
        names = [name for name, _, _ in self.targets] or [self.goal[1]] * bool(self.goal[1])
        figures = [[self._figure(row, name) for row in good] for name in names]
        told = {"id": len(self.told) + 1, "params": {axis.path: _json(params[axis.path]) for axis in self.axes}, "value": None, "error": None,
                "state": "ok" if good else bad}
        if good and names and not any(None in one for one in figures):
            means = [statistics.fmean(one) for one in figures]
            errors = [statistics.stdev(one) / len(one)**0.5 if len(one) > 1 else _own_error(good[0], name) for one, name in zip(figures, names)]
            if self.targets and not isinstance(self.sampler, Fit):  # root of the mean square of relative deviations
                errors = [error / abs(value or 1.0) for error, (_, value, _) in zip(errors, self.targets)]
                means = [(mean - value) / abs(value or 1.0) for mean, (_, value, _) in zip(means, self.targets)]
            n = len(means)
            told["value"] = means[0] if isinstance(self.sampler, Fit) or self.goal[1] else (sum(m * m for m in means) / n)**0.5
            told["error"] = (sum(e * e for e in errors) / n)**0.5
        elif good and names:
            empty = next(name for name, one in zip(names, figures) if None in one)
            told.update(state="nonsense", reason=f"the column {empty} is empty in a row that is ok")
        elif not good:
            told["reason"] = next((f"{row.state}: {row.reason}" for row in rows), "")
        return told

    def measure(self, params: List[Params]) -> List[Told]:
        """Runs these combinations with all seeds; their results, in their order."""
        with self.signals(), self._lock():
            rows, n = [*self._made([{axis.path: axis.take(one[axis.path]) for axis in self.axes} for one in params])], self.seeds or 1
            self._run(rows)
            for k in range(0, len(rows), n):
                self.told.append(self.tell(rows[k].params, rows[k:k + n]))
            return self.told[-len(params):]

    def _sample(self):
        new: List[Told] = []
        ask = {"ask": self.jobs, "space": {axis.path: axis.space() for axis in self.axes}, "goal": self.goal[0]}
        while len(self.told) < self.trials:
            message = {**ask, "ask": min(self.jobs, self.trials - len(self.told)), "results": new}
            reply = self.sampler(message)
            if not isinstance(reply, dict) or "stop" not in reply and not _is_list_of(reply.get("params"), self.axes):
                raise UseError(f'the sampler: expected {{"params": [{{PATH: VALUE, ..}}, ..]}} or {{"stop": REASON}}, got {reply!r}')
            if "stop" in reply:
                self.answer = {"state": str(reply["stop"])}
                break
            new = self.measure(reply["params"])
        else:
            self.answer = {"state": f"{self.trials} trials"}
        if isinstance(self.sampler, Fit):
            self.answer = self.sampler.answer or self.answer
            return
        good = [one for one in self.told if one["value"] is not None]
        self.answer["best"] = min(good, key=lambda one: one["value"] * (-1 if self.goal[0] == "max" else 1)) if good else None

    def planned(self) -> Iterator[Row]:
        """The rows of a grid or of --random."""
        chosen = random_rows(self.axes, self.random) if self.random else grid(self.axes)
        return self._made(chosen, slice(self.part[0], None, self.part[1]))

    def _try_names(self):
        """Refuses a name that results.csv will not have, before the first run: one step is made elsewhere, and its columns are looked at."""
        names = [name for name, _, _ in (*self.targets, *self.rejects) if [name] != NONSENSE[0].split()[:1]] + [self.goal[1]] * bool(self.goal[1])
        if not names or [*self.folder.glob("rows/*/part-*/summary.json")]:
            return
        first = self.make({axis.path: axis.take(axis.span[0]) if axis.span else axis.values[0] for axis in self.axes})[0]
        with tempfile.TemporaryDirectory() as top:
            row = Row(first.params, first.seed, first.scene, pathlib.Path(top))
            words = [self.scene, *self._words(row.params, row.seed)[:2 * len(self._settings(row.params, row.seed))], "--steps", "1"]
            if not subprocess.run([*self.program, "run", *words, "-q", "-o", f"{top}/part-0"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
                row.read(self.window)
                for name in names:
                    self._figure(row, name)

    def run(self) -> "Study":
        """Makes all runs that have not ended, and writes results.csv and study.json."""
        with self.signals(), self._lock():
            self._try_names()
            try:
                if self.sampler:
                    self._sample()
                else:
                    self._run([*self.planned()])
            finally:
                getattr(self.sampler, "close", lambda: None)()
            self.write()
        return self

    def facts(self) -> Dict[str, Any]:
        """The object of study.json."""
        states = [row.state or "waiting" for row in self.rows]
        goals = [{"figure": name, "target": value, "error": error} for name, value, error in self.targets]
        return {"study": 1, "scene": self.scene, "set": self.set, "vary": [{"path": axis.path, "space": axis.space()} for axis in self.axes],
                "seeds": self.seeds, "goal": goals or ([{"figure": self.goal[1], "want": self.goal[0]}] if self.goal[1] else []),
                "rows": len(self.rows), "states": {one: states.count(one) for one in sorted({*states})}, "results": self.told,
                "answer": self.answer}

    def write(self, rarely: bool = False) -> None:
        """Writes results.csv and study.json whole, by new files that replace the old ones. `rarely`: in a twentieth of the time
        at most, because that of a long table takes long."""
        began = time.monotonic()
        if self.part != (0, 1) or rarely and began < self._next:
            return
        ended = [row for row in self.rows if row.state] + [row for row in self.earlier or [] if row not in self.rows]
        names = list(dict.fromkeys(name for row in ended for name in row.values))
        table = [[*FIRST, *(axis.path for axis in self.axes), *names]]
        for row in ended:
            table.append([row.folder.name, row.state, row.reason, str(row.seed or ""), *(row.params[axis.path] for axis in self.axes),
                          *(_cell(row.values.get(name)) for name in names)])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(table)
        write_whole(self.folder / "results.csv", text.getvalue())
        write_whole(self.folder / "study.json", json.dumps(self.facts(), indent=2) + "\n")
        self._next = time.monotonic() + 20 * (time.monotonic() - began)


def _cell(value):
    return "" if value is None or value != value else repr(value) if isinstance(value, float) else value


def _own_error(row, name):
    """The error of a mean of one run; other columns have none."""
    error = row.values.get(f"{name[:-len('.mean')]}.error") if name.endswith(".mean") else None
    return 0.0 if error is None or error != error else error


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def _is_list_of(params, axes):
    return isinstance(params, list) and params and all(isinstance(one, dict) and {*one} == {axis.path for axis in axes} for one in params)


# ---- the command

SLURM = """#!/bin/bash
# scree study: {tasks} tasks, each of which makes every {tasks}th row. The same command without --slurm collects.
#SBATCH --job-name=scree-study
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={cpus}
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
srun {command} --part "$SLURM_ARRAY_TASK_ID/{tasks}"
status=$?
[ $status = 4 ] && scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
exit $status
"""


def _part(text):
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not int(found[1]) < int(found[2]):
        raise argparse.ArgumentTypeError(f"expected I/N with I below N, got {text}")
    return int(found[1]), int(found[2])


def _count(text, most=999999999):
    if not re.fullmatch(r"[1-9]\d{0,8}", text) or int(text) > most:
        raise argparse.ArgumentTypeError(f"expected a whole number {'above 0' if most > 64 else f'from 1 to {most}'}, got {text}")
    return int(text)


def _parser():
    parser = argparse.ArgumentParser(prog="scree study", allow_abbrev=False, description="Makes a run for each combination of settings, and a "
                                     "table of the results, results.csv. The same command goes on where it was cut off.")
    add = parser.add_argument
    add("scene", metavar="SCENE")
    add("--vary", action="append", metavar="PATH=V1,V2,..", help="vary a setting; A..B*F and A..B+D are series, A..B is a range (may be repeated)")
    add("--set", action="append", metavar="PATH[+]=VALUE", help="override a setting in all runs (may be repeated)")
    add("--seeds", type=_count, default=0, metavar="N", help="runs of each combination, with scene.seed 1 to N")
    add("--random", type=_count, default=0, metavar="N", help="N combinations of a Latin hypercube over ranges and values")
    add("--until", metavar="T", help="up to this moment of simulated time, instead of the scene's steps")
    add("--fit", action="append", metavar="FIGURE=VALUE[+-ERROR]", help="look for the value of one range at which a column of results.csv has this mean")
    add("--sampler", metavar="CMD", help="a program that chooses the values; for several ranges")
    add("--sampler-limit", default="10 min", metavar="T", help="the longest time of a sampler for an answer (10 min)")
    add("--minimize", metavar="FIGURE", help="the goal of a sampler, a column of results.csv")
    add("--maximize", metavar="FIGURE", help="likewise")
    add("--trials", type=_count, default=50, metavar="N", help="most combinations of --fit and --sampler (50)")
    add("--reject", action="append", metavar="COND", help=f"such a run is nonsense: 'max_overlap > 0.05' (may be repeated; '{NONSENSE[0]}' unless given)")
    add("--window", metavar="T", help="means of observers' columns are over this last time of a run (its last half)")
    add("--jobs", type=_count, default=0, metavar="N", help="runs at a time (as many as the CPUs have room for)")
    add("--threads", type=_count, default=1, metavar="N", help="threads of each run (1)")
    add("--ranks", type=lambda text: _count(text, 64), default=0, metavar="P", help="ranks of each run, processes of this machine; they change no result")
    add("--retry", action="store_true", help="run failed rows again")
    add("--slurm", metavar="FILE", help="only write a script for sbatch, an array of --tasks")
    add("--tasks", type=_count, default=10, metavar="N", help="tasks of the array (10)")
    add("--part", type=_part, default=(0, 1), metavar="I/N", help="only every Nth row, from row I on; results.csv is left as it is")
    add("--dry-run", action="store_true", help="only print the rows")
    add("-o", "--output", required=True, metavar="DIR", help="the folder of the study, new or to go on with")
    add("-q", "--quiet", action="store_true", help="do not report each run")
    add("--plugin-path", action="append", default=[], metavar="DIR", help="search DIR for plugins first (may be repeated)")
    add("--trust", action="append", default=[], metavar="FILE", help="load this plugin although others can write it")
    add("--no-parent", action="store_true", help="each run in one process")
    return parser


def _slurm(given, words):
    at = next(k for k, word in enumerate(words) if word.split("=")[0] == "--slurm")
    rest = words[:at] + words[at + (1 if "=" in words[at] else 2):]
    command = shlex.join(["scree", "study", *rest, *([] if given.jobs else ["--jobs", "1"])])
    pathlib.Path(given.slurm).write_text(SLURM.format(tasks=given.tasks, last=given.tasks - 1, cpus=(given.jobs or 1) * given.threads * (given.ranks or 1),
                                                      command=command), encoding="utf-8")
    print(f"sbatch {given.slurm}")


def _end(study):
    """Prints what the study has found; the exit status."""
    answer, states = study.answer, study.facts()["states"]
    if answer.get("value") is not None:
        error = "" if answer["error"] is None else f" +- {answer['error']:.2g}"
        print(f"{answer['path']} = {answer['value']:.6g}{error}")
    if answer:
        print(": ".join(one for one in (answer["state"], answer.get("reason")) if one))
    if answer.get("best"):
        print("best: " + " ".join(f"{path}={value}" for path, value in answer["best"]["params"].items()) + f": {answer['best']['value']:g}")
    more = f", {len(study.earlier)} of earlier calls" if study.earlier else ""
    print(", ".join(f"{n} {state}" for state, n in states.items()) + f"{more}: {study.folder / 'results.csv'}")
    return 1 if "failed" in states or answer and answer.get("value") is None and not answer.get("best") else 0


def main(words: Optional[List[str]] = None) -> int:
    """The command; its exit status."""
    words = sys.argv[1:] if words is None else words
    given = _parser().parse_args(words)
    own = [word for name, values in (("--plugin-path", given.plugin_path), ("--trust", given.trust)) for one in values for word in (f"{name}={one}",)]
    try:
        study = Study(given.scene, given.output, given.vary, **{key: getattr(given, key) for key in (
            "seeds", "random", "set", "until", "threads", "ranks", "jobs", "reject", "sampler", "fit", "minimize", "maximize", "trials", "window", "part",
            "retry", "sampler_limit")}, program=[__main__.program(), *own, *(["--no-parent"] if given.no_parent else [])],
            say=(lambda line: None) if given.quiet else (lambda line: print(line, file=sys.stderr, flush=True)))
        if given.slurm:
            _slurm(given, words)
            return 0
        if given.dry_run:
            with study.signals():
                for row in study.planned():
                    print(row.folder.name, row, flush=True)
            return 0
        return _end(study.run())
    except (Error, OSError) as error:
        print(f"scree study: {error}", file=sys.stderr)
        return 2 if isinstance(error, UseError) else 1
    except Stopped as error:
        print(f"scree study: {error}", file=sys.stderr)
        return 4
