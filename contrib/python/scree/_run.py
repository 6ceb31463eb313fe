# SPDX-License-Identifier: Apache-2.0
"""A run of scree in this process."""
import ctypes
import itertools
import json
import numbers
import os
import signal
import sys
import threading
import time as clock
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from . import _text
from ._errors import Cancelled, Error, UseError
from ._forces import callback, register
from ._library import Held, Options, SAY, Single, Until, check, encode, load, take, texts
from ._progress import Progress

if TYPE_CHECKING:
    import numpy
    from ._arrays import Column

SLICE = 0.1  # [s] of wall time in the library, after which Python looks for Ctrl-C and draws the bar
ENDS = ("limit", "scene", "stop")
CANCELLED = 3
THREADS = 256  # at most, as `scree run --threads`
LEVELS = ("progress", "news", "debug", "info", "note", "warning")
UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
Time = Union[float, str]
Path = Union[str, "os.PathLike[str]"]


def seconds(value: Time) -> float:
    """A time as a number of seconds, or as a text with its unit: "0.3 s", "5 ms"."""
    number, _, unit = value.strip().partition(" ") if isinstance(value, str) else ("", "", "")
    try:
        found = float(number or value) * UNITS[unit.strip()]
        if not 0.0 <= found < float("inf"):
            raise ValueError
        return found
    except (KeyError, TypeError, ValueError):
        raise UseError(f'expected a time such as "0.3 s", in s, ms, us, ns, min or h, got {value!r}') from None


def warn(level: str, text: str) -> None:
    """The default of `say`: a warning of Python, at the line of the caller."""
    if level == "warning":
        frame, depth = sys._getframe(), 1
        while frame.f_back and frame.f_globals.get("__package__") == __package__:
            frame, depth = frame.f_back, depth + 1
        warnings.warn(text, RuntimeWarning, stacklevel=depth)


class State(Single):
    """A copy of the state of a run in memory; Run.state makes it."""

    def __init__(self, run: "Run"):
        self._held = Held(load().sc_state_free)
        run._call("state_take", ctypes.byref(self._held._as_parameter_))


class _Turn:
    """The calls of one thread on a run; a call of another thread meanwhile is refused."""

    def __init__(self):
        self._lock = threading.RLock()

    def __enter__(self):
        if not self._lock.acquire(blocking=False):
            raise UseError("this run is at work in another thread")

    def __exit__(self, *_):
        self._lock.release()


def _sayer(say, raised):
    def call(_, level, line):
        try:
            say(LEVELS[level], line.decode(errors="replace"))
        except BaseException as error:
            raised.append(error)
    return SAY(call)


class Run(Single):
    """A run under way; scree.open makes it. Its arrays are attributes: run.x, run.v, run.radius .. are copies."""

    def __init__(self, text: Optional[str], name: Optional[bytes], options: Options, say: Callable[[str, str], None], callbacks: Dict[str, callback]):
        self._held: Optional[Held] = Held(load().sc_close)
        self._turn = _Turn()
        self._raised: List[BaseException] = []
        options.size, options.say = ctypes.sizeof(Options), _sayer(say, self._raised)
        self._kept = [options.say]  # functions that the library calls
        given, run = ctypes.byref(options), ctypes.byref(self._held._as_parameter_)
        code = load().sc_open_text(text.encode(), name, None, given, run) if text is not None else load().sc_open(name, given, run)
        try:
            self._check(code, scene=True)
            for slot, one in callbacks.items():
                self._kept.append(register(self, slot, one.function))
                self._call("on_forces", slot.encode(), self._kept[-1], None)
        except BaseException:
            self.close()
            raise

    @property
    def handle(self) -> Held:
        """The sc_run, for calls of libscree by ctypes."""
        if self._held is None:
            raise UseError("this run is closed")
        return self._held

    def _check(self, code, scene=False):
        """Raises what a function of the caller has raised in a call, or the error of its code."""
        if self._raised:
            first = self._raised[0]
            self._raised.clear()
            raise first
        check(self._held, code, scene)

    def _call(self, name, *arguments):
        with self._turn:
            self._check(getattr(load(), f"sc_{name}")(self.handle, *arguments))

    def _json(self, name, *arguments):
        text = ctypes.c_void_p()
        self._call(name, *arguments, ctypes.byref(text))
        return json.loads(take(text))

    def close(self) -> None:
        """Frees the run. Without finish() the files of its observers stay as of the last observation."""
        with self._turn:
            self._held = None

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"run.{name} cannot be assigned: set_bodies changes bodies; set changes a parameter, dt and gravity")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<scree.Run step {self.steps}, t = {self.time:.6g} s>" if self._held else "<scree.Run, closed>"

    # ---- going on

    def advance(self, steps: Optional[int] = None, duration: Optional[Time] = None, until: Optional[Time] = None,
                wall: Optional[Time] = None, progress: Optional[bool] = None) -> str:
        """Steps until the first limit, or to the end of the scene: a number of `steps`, a `duration` or a moment
        (`until`) of simulated time, `wall` time. Times are in seconds or have a unit ("5 ms"). The result is "limit",
        "scene" (its last step is done) or "stop" (a condition holds). Ctrl-C raises Cancelled after a step.
        `progress`: a bar; None: on a terminal and in a notebook."""
        if steps is not None and (not isinstance(steps, numbers.Integral) or steps < 0) or duration is not None and until is not None:
            raise UseError(f"expected steps as a whole number of 0 or more, and a duration or until, got {steps!r}, {duration}, {until}")
        begin, moment = self.steps, None if until is None else seconds(until)
        last = begin + (steps or 0)
        moment = moment if duration is None else self.time + seconds(duration)
        if steps == 0 or moment is not None and moment <= self.time:
            return ENDS[0]
        end = None if wall is None else clock.monotonic() + seconds(wall)
        ahead = (steps, self.last_step and self.last_step - begin, moment and round((moment - self.time) / self.dt))
        bar = Progress(progress, min(filter(None, ahead), default=0))
        try:
            with _Interrupts() as interrupts:
                while True:
                    left = SLICE if end is None else min(SLICE, max(end - clock.monotonic(), 1e-9))
                    began = clock.monotonic()
                    ended = self._slice(last - self.steps if steps else 0, moment or 0.0, left)
                    bar.step(self.steps - begin, self.time)
                    if ended == CANCELLED or interrupts.seen:
                        raise Cancelled(f"cancelled after step {self.steps}; the run can go on")
                    now = clock.monotonic()
                    if ended or now - began < left or end is not None and now >= end or steps and self.steps >= last:
                        return ENDS[ended]
        finally:
            bar.end(self.steps - begin, self.time)

    def _slice(self, steps, moment, wall):
        """One call of sc_advance."""
        until, ended = Until(ctypes.sizeof(Until), 0, steps, moment, wall), ctypes.c_int32()
        self._call("advance", ctypes.byref(until), ctypes.byref(ended))
        return ended.value

    def step(self, n: int = 1) -> None:
        """Takes n steps."""
        self.advance(steps=n, progress=False)

    def cancel(self) -> None:
        """Ends the advance under way after its step, also from another thread; it raises Cancelled. Without one under way
        the next advance ends before its first step."""
        load().sc_cancel(self.handle)

    def observe(self, name: str) -> None:
        """Lets an observer of the scene see the state, as if it were due: a picture of this moment."""
        self._call("observe", encode(name))

    def finish(self) -> Dict[str, Any]:
        """Lets observers see the last state, and writes summary.json and manifest.json into the folder; the summary."""
        return self._json("finish")

    # ---- reading

    steps: int = property(lambda self: load().sc_step_count(self.handle), doc="The number of complete steps.")  # type: ignore
    last_step: int = property(lambda self: load().sc_last_step(self.handle), doc="The last step of the scene; 0: it has none.")  # type: ignore
    time: float = property(lambda self: load().sc_time(self.handle), doc="The simulated time [s].")  # type: ignore
    dt: float = property(lambda self: load().sc_dt(self.handle), doc="The time step [s].")  # type: ignore
    generation: int = property(lambda self: load().sc_generation(self.handle), doc="Columns of another one are not valid.")  # type: ignore

    @property
    def folder(self) -> Optional[str]:
        """The folder with the files of the run."""
        path = load().sc_folder(self.handle)
        return path and os.fsdecode(path)

    @property
    def hash(self) -> str:
        """SHA-256 of the state, as in summary.json."""
        text = ctypes.create_string_buffer(65)
        self._call("hash", text)
        return text.value.decode()

    def figure(self, name: str) -> float:
        """A quantity of conditions, in SI units: "kinetic", "unbalanced", "angle.degrees"."""
        value = ctypes.c_double()
        self._call("figure", encode(name), ctypes.byref(value))
        return value.value

    @property
    def names(self) -> List[str]:
        """The names of array() and column()."""
        with self._turn:
            found = load().sc_array_names(self.handle)
            check(self.handle, 0 if found[0] else 2)
            return [name.decode() for name in itertools.takewhile(bool, (found[i] for i in itertools.count()))]

    def array(self, name: str) -> "numpy.ndarray":
        """A copy of an array: (n,), or (n, columns)."""
        from . import _arrays
        with self._turn:
            return _arrays.copy(self, name)

    def column(self, name: str, k: int = 0) -> "Column":
        """A view of column k of an array, without a copy; fields of plugins can be written."""
        from . import _arrays
        return _arrays.column(self, _arrays.get(self, name), k)

    def __getattr__(self, name: str) -> Any:
        reason = f"a run has no attribute {name!r}; its arrays are in run.names"
        try:
            if not name.startswith("_") and name in self.names:
                return self.array(name)
        except UseError as error:
            reason = str(error)
        raise AttributeError(reason)

    def want(self, name: str) -> None:
        """Records contacts at the end of each advance from now on: want("contacts")."""
        self._call("want", encode(name))

    def query(self, text: str) -> Dict[str, Any]:
        """The bodies in a box or ball, as `scree query --json` has them: "ball 0,0,100mm:5mm"."""
        return self._json("query_json", encode(text))

    def validate(self) -> Dict[str, Any]:
        """The object that `scree validate --json` prints."""
        return self._json("validate_json")

    def slots(self) -> List[Dict[str, Any]]:
        """The plugins that the run has now: slot, kind, id, and the keys given in the scene as texts of libconfig."""
        return self._json("slots_json")

    # ---- changing

    def set_bodies(self, name: str, values: Any, ids: Any = None) -> None:
        """New values of v, w, x, q, scale (of spheres and discs: the radius in m) or density, a row a body; all bodies in their
        present order without ids."""
        from . import _arrays
        with self._turn:
            _arrays.set_bodies(self, name, values, ids)

    def set(self, path: str, value: Any) -> None:
        """A live parameter, dt or gravity: run.set("force.0.friction", 0.4)."""
        self._call("set", f"{path}={_text.text(value, path, 1)}".encode())

    def swap(self, try_first: bool = False, **changes: Any) -> Dict[str, Any]:
        """Changes plugins as an entry of the schedule does: run.swap(gcd={"plugin": "bvh"}); the report of the swap.
        `try_first`: first in a copy of the process, as `scree run` does."""
        return self._json("swap", _text.scene(changes).encode(), int(try_first))

    def forces_changed(self) -> None:
        """A callback reads other values from now on: the next step begins with its new forces, not with those of the step before."""
        self._call("forces_changed")

    def state(self) -> State:
        """A copy of the state in memory, bit for bit, for restore()."""
        return State(self)

    def restore(self, state: State) -> None:
        """Puts a state back that this run has given; files of observers keep their rows."""
        if not isinstance(state, State):
            raise UseError(f"expected a State of this run, got {state!r}")
        self._call("state_put", state._held)

    def save(self, path: Path) -> None:
        """Writes a checkpoint, from which `scree run --restart` and scree.open(restart=..) continue."""
        self._call("save", encode(path))

    def forces_of(self, slot: str) -> "Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]":
        """Force [N], torque [N m] and power [W] that one modifier adds in the present state: the reaction on a fluid."""
        from . import _arrays
        with self._turn:
            return _arrays.forces_of(self, slot)


class _Interrupts:
    """Ctrl-C in the main thread ends an advance after its slice: it cuts no callback in two."""

    def __init__(self):
        self.seen, self._before = False, None

    def __enter__(self):
        if threading.current_thread() is threading.main_thread() \
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_):
        self.seen = True

    def __exit__(self, *_):
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


def open(scene: Any = None, /, *, threads: int = 1, folder: Optional[Path] = None, restart: Optional[Path] = None,
         plugin_path: Optional[List[Path]] = None, set: Optional[List[str]] = None, quiet: bool = False,
         say: Callable[[str, str], None] = warn, **overrides: Any) -> Run:
    """Opens a scene and makes its first state.

    `scene`: the path or the name of a file, a text (it has a line end or a brace), a dict, a file that is open, or "-"
    for standard input; None with `restart`: that of the checkpoint. Keywords are overrides: `gcd={"plugin": "bvh"}`,
    `scene={"dt": 1e-6}`; `set` has others as texts PATH=VALUE, as --set of `scree run`. `folder`: for the files of the
    run ("": runs/NAME-NUMBER; None: observers that write are refused). `quiet`: leaves out the observers of the scene.
    `say` gets level ("note", "warning" ..) and text of messages; without it warnings are warnings of Python.
    """
    if not isinstance(threads, numbers.Integral) or not 1 <= threads <= THREADS:
        raise UseError(f"threads: expected a whole number from 1 to {THREADS}, got {threads!r}")
    if not callable(say):
        raise UseError(f"say: expected a function of level and text, got {say!r}")
    name, text = b"scene.cfg", None
    if isinstance(scene, dict):
        text = _text.scene(scene)
    elif scene == "-" or hasattr(scene, "read"):
        file = sys.stdin if scene == "-" else scene
        name, text = encode(str(getattr(file, "name", "scene.cfg"))), file.read()
    elif isinstance(scene, (str, bytes)) and _text.is_text(scene):
        text = scene
    else:
        name = encode(scene, optional=True)
    text = text.decode() if isinstance(text, bytes) else text
    given = texts(_text.overrides(overrides) + [one for one in texts(set) or () if one])
    options = Options(threads=threads, set=given, flags=int(quiet), plugin_path=texts(plugin_path), folder=encode(folder, optional=True),
                      restart=encode(restart, optional=True))
    modifiers = {**(scene.get("modifiers", {}) if isinstance(scene, dict) else {}), **overrides.get("modifiers", {})}
    return Run(text, name, options, say, {slot: one for slot, one in modifiers.items() if isinstance(one, callback)})


def plugins(plugin_path: Optional[List[Path]] = None) -> List[Dict[str, Any]]:
    """All plugins that are installed, with their parameters: unit, range, default and help of each."""
    text = ctypes.c_void_p()
    code = load().sc_plugins_json(texts(plugin_path), ctypes.byref(text))
    found = take(text)
    if code:
        raise Error(found)
    return json.loads(found)
