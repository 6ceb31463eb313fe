# SPDX-License-Identifier: Apache-2.0
"""A row of a study is one run, which may have continued after a cut: its folder, its state, its values."""
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._results import Results, write_whole
from ._text import printed
from ._vary import Params

LEFT_OUT = {"title", "scene", "folder", "scene_sha256", "cpu_level", "machine", "stopped"}
# Values that describe one process: a row that continued after a cut has none.
OF_A_PART = {"duration", "wall_work", "dissipated", "gcd_calls", "candidates", "contacts", "destroyed", "outside", "accuracy",
             "events", "warnings", "apart", "rank_work", "setup_s", "wall_s", "particle_steps_per_s", "phases", "gcd_wall_s", "peak_rss_bytes"}
BLOCKS = 10  # of the rows of a window: the error of a mean is that of the means of its blocks
QUIET = re.compile(r"warning:|note:|continues from")


def flat(value: Any, name: str = "") -> Iterator[Tuple[str, Any]]:
    """The numbers and texts of nested dicts, by dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{name}.{key}" if name else key)
    elif not isinstance(value, list):
        yield name, value


def mean_and_error(numbers: List[float]) -> Tuple[float, float]:
    """The mean of a series and its standard error, from the means of blocks, because neighbours are alike."""
    numbers = [one for one in numbers if one == one]
    n = min(BLOCKS, len(numbers))
    if not n:
        return float("nan"), float("nan")
    means = [statistics.fmean(numbers[len(numbers) * k // n:len(numbers) * (k + 1) // n]) for k in range(n)]
    return statistics.fmean(numbers), statistics.stdev(means) / n**0.5 if n > 1 else float("nan")


class Row:
    """`state`: "" before its end, then "ok", "nonsense", "failed" or "stopped"."""

    def __init__(self, params: Params, seed: Optional[int], scene: str, folder: "pathlib.Path"):
        self.params, self.seed, self.scene, self.folder = params, seed, scene, folder
        self.state, self.reason = "", ""
        self.command: List[str] = []
        self.values: Dict[str, Any] = {}
        self.last: Dict[str, Any] = {}  # of the last part, with what is of it only
        self.process: Optional["subprocess.Popen[bytes]"] = None

    def __str__(self) -> str:
        return " ".join([f"{path}={value}" for path, value in self.params.items()] + ([f"seed {self.seed}"] if self.seed else []))

    @property
    def parts(self) -> List["pathlib.Path"]:
        """The folders of its runs, each of which continues the one before."""
        return sorted(self.folder.glob("part-*[0-9]"), key=lambda path: int(path.name.split("-")[1]))

    def load(self, retry: bool = False) -> bool:
        """Whether it has ended before, in another study perhaps."""
        last = Results(self.parts[-1]) if self.parts and (self.parts[-1] / "summary.json").is_file() else None
        if last and not last.summary["stopped"]:
            self.state = "ok"
        elif not retry:
            try:
                told = json.loads((self.folder / "row.json").read_text(encoding="utf-8"))
                self.state, self.reason = ("failed", told["reason"]) if told["state"] == "failed" else ("", "")
            except (FileNotFoundError, ValueError, KeyError):
                self.state = ""
        return self.state != ""

    def start(self, program: List[str], scene: str, words: List[str], options: List[str]) -> bool:
        """Starts the run, or continues it. False: another process has this row; its run holds the lock, also after the
        study that started it was killed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not self.load():
                self._launch(lock, program, scene, words, options)
            return True
        except BlockingIOError:
            return False
        finally:
            os.close(lock)  # that of the run stays open

    def _launch(self, lock, program, scene, words, options):
        parts = self.parts
        while parts and not any(parts[-1].glob("checkpoint-*.h5")):
            shutil.rmtree(parts.pop())
        number = int(parts[-1].name.split("-")[1]) + 1 if parts else 0
        start = ["--restart", str(parts[-1])] if parts else [scene, *words]
        self.command = [*program, "run", *start, "-q", *options, "-o", str(self.folder / f"part-{number}")]
        self.note("")
        with open(self.folder / "log.txt", "wb") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, pass_fds=[lock],
                                            start_new_session=True)

    def note(self, state: str, reason: str = "") -> None:
        """Writes row.json, which says what this folder is."""
        self.state, self.reason = state, reason
        facts = {"params": self.params, "seed": self.seed, "state": state, "reason": reason, "command": self.command}
        write_whole(self.folder / "row.json", json.dumps(facts, indent=2) + "\n")

    def ended(self) -> bool:
        """Whether the run has ended; the state says how. No state: it begins again, from an older checkpoint."""
        code = self.process.poll() if self.process else 0
        if code is None:
            return False
        if self.process:
            self.process = None
            if code == 2 and "--restart" in self.command:  # such as a checkpoint of the last step: the one before serves
                before = pathlib.Path(self.command[self.command.index("--restart") + 1])
                Results(before).checkpoints[-1].unlink()
                return True
            lines = (self.folder / "log.txt").read_text(encoding="utf-8", errors="replace").splitlines()
            why = next((line for line in lines if line and not QUIET.search(line)), f"exit status {code}")
            why = f"ended by {signal.Signals(-code).name}" if code < 0 else why
            self.note("ok" if code == 0 else "stopped" if code == 4 else "failed", why if code else "")
        return True

    def stop(self) -> None:
        """Lets the run save its state and end."""
        if self.process:
            self.process.send_signal(signal.SIGTERM)

    # ---- values

    def read(self, window: Optional[float]) -> None:
        """Fills `values` from the files of a run that has ended well. `window`: the time [s] of means; None: the last half."""
        parts = [Results(path) for path in self.parts]
        summary = parts[-1].summary
        if len(parts) > 1:
            summary["steps"] += self._steps_before(parts[-1])
        own = {key: value for key, value in summary.items()
               if key not in LEFT_OUT and key != "observers" and not (len(parts) > 1 and key in OF_A_PART)}
        self.values, self.last = {"parts": len(parts), **dict(flat(own))}, dict(flat(summary))
        begin = summary["time"] - (summary["time"] / 2 if window is None else window)
        observers = printed(self.scene)
        for name, scalars in summary["observers"].items():
            table = self._join(parts, observers.get(f"observers.{name}", {}).get("file", "scalars").strip('"'))
            late = [k for k, time in enumerate(table.get("time", [])) if time >= begin]
            for scalar, value in scalars.items():
                key = f"{name}.{scalar}" if f"{name}.{scalar}" not in self.values else f"observers.{name}.{scalar}"
                self.values[key] = value
                if scalar in table:
                    self.values[f"{key}.mean"], self.values[f"{key}.error"] = mean_and_error([table[scalar][k] for k in late])

    @staticmethod
    def _steps_before(part):
        """The step of the checkpoint that a part continues."""
        return int(pathlib.Path(part.manifest["restart"]["path"]).stem.split("-")[1])

    @staticmethod
    def _join(parts, file):
        """The columns of a table over all parts: a run makes the same rows again after its checkpoint, but for the row of
        the state at which it was stopped."""
        rows: Dict[float, List[float]] = {}
        names: List[str] = []
        for k, part in enumerate(parts):
            if file not in part.tables:
                return {}
            table = part.csv(file)
            names, steps = list(table), list(table.get("step", []))
            if len(set(steps)) < len(steps) or any(column and isinstance(column[0], str) for column in map(list, table.values())):
                return {}  # rows of bodies or contacts
            if k + 1 < len(parts) and part.ended and len(steps) > 2 and steps[-1] - steps[-2] < 0.9 * (steps[-2] - steps[-3]):
                steps.pop()
            rows.update((step, [float(table[name][i]) for name in names]) for i, step in enumerate(steps))
        return {name: [rows[step][i] for step in sorted(rows)] for i, name in enumerate(names)}
