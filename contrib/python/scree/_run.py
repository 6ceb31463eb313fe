# SPDX-License-Identifier: Apache-2.0
"""A run of scree in this process."""
import ctypes
import json
import os
import pathlib
import signal
import sys
import threading
import time as clock
from typing import Any, Callable, Dict, List, Optional, Union

from . import _text
from ._errors import Cancelled, Error, UseError
from ._forces import callback, register
from ._library import Options, SAY, Until, check, load, take, texts
from ._progress import Progress

SLICE = 0.1  # [s] of wall time in the library, after which Python looks for Ctrl-C and draws the bar
QUIET_SCENE = 1
ENDS = ("limit", "scene", "stop", "cancelled")
UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
Time = Union[float, str]


def seconds(value: Time) -> float:
    """A time as a number of seconds, or as a text with its unit: "0.3 s", "5 ms"."""
    if not isinstance(value, str):
        return float(value)
    number, _, unit = value.strip().partition(" ")
    try:
        return float(number) * UNITS[unit.strip()]
    except (KeyError, ValueError):
        raise UseError(f'expected a time such as "0.3 s", with a unit of {", ".join(filter(None, UNITS))}, got {value!r}') from None


class State:
    """A copy of the state of a run in memory."""

    def __init__(self, run):
        self._of, self._held = run, ctypes.c_void_p()
        check(run.handle, load().sc_state_take(run.handle, ctypes.byref(self._held)))

    def __del__(self):
        if getattr(self, "_held", None):
            load().sc_state_free(self._held)


class Run:
    """A run under way; scree.open makes it. Its arrays are attributes: run.x, run.v, run.radius .. are copies."""

    def __init__(self, scene, name: str, options: Dict[str, Any], callbacks: Dict[str, callback]):
        self._handle = ctypes.c_void_p()
        self._raised: Optional[BaseException] = None
        self._in_call = False
        self._say = SAY(lambda _, level, text: options["say"](level, text.decode(errors="replace"))) if options["say"] else SAY()
        given = Options(size=ctypes.sizeof(Options), threads=options["threads"], set=texts(options["set"]),
                        plugin_path=texts(options["plugin_path"]), flags=0 if options["observers"] else QUIET_SCENE,
                        folder=None if options["folder"] is None else os.fsencode(options["folder"]),
                        restart=None if options["restart"] is None else os.fsencode(options["restart"]), say=self._say)
        lib = load()
        if scene is None:
            code = lib.sc_open(os.fsencode(name), ctypes.byref(given), ctypes.byref(self._handle))
        else:
            code = lib.sc_open_text(scene.encode(), name.encode(), None, ctypes.byref(given), ctypes.byref(self._handle))
        self.text = scene
        try:
            check(self._handle, code, scene=True)
            self._functions = [self._register(slot, one) for slot, one in callbacks.items()]
        except Error:
            self.close()
            raise

    def _register(self, slot, one):
        function = register(self, slot, one.function)
        check(self.handle, load().sc_on_forces(self.handle, slot.encode(), function, None))
        return function

    @property
    def handle(self):
        """The sc_run, for calls of libscree by ctypes."""
        if not self._handle:
            raise UseError("this run is closed")
        return self._handle

    def close(self) -> None:
        """Frees the run; without finish() the files of its observers stay what they were at the last observation."""
        if self._handle:
            load().sc_close(self._handle)
            self._handle = ctypes.c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def __repr__(self):
        return f"<scree.Run step {self.steps}, t = {self.time:.6g} s>" if self._handle else "<scree.Run, closed>"

    # ---- going on

    def advance(self, steps: Optional[int] = None, duration: Optional[Time] = None, until: Optional[Time] = None,
                wall: Optional[Time] = None, progress: Optional[bool] = None) -> str:
        """Steps until the first limit, or to the end of the scene: `steps`, a `duration` or a moment (`until`) of
        simulated time, `wall` time. Times are in seconds or have a unit ("5 ms"). The result is "limit", "scene" (its
        last step is done) or "stop" (a condition holds). Ctrl-C raises Cancelled after a step."""
        if steps is not None and steps < 0 or duration is not None and until is not None:
            raise UseError(f"expected steps of 0 or more and one of duration and until, got {steps}, {duration}, {until}")
        moment = self.time + seconds(duration) if duration is not None else None if until is None else seconds(until)
        if steps == 0 or (moment is not None and moment <= self.time):
            return "limit"
        end = None if wall is None else clock.monotonic() + seconds(wall)
        first, last = self.steps, None if steps is None else self.steps + steps
        bar = Progress(progress, self._steps_ahead(steps, moment))
        try:
            with _Interrupts(self) as interrupts:
                ended, over = 0, False
                while ended == 0 and not over:
                    slice_ = SLICE if end is None else min(SLICE, max(end - clock.monotonic(), 1e-9))
                    ended = self._slice(last and last - self.steps, moment, slice_)
                    bar.step(self.steps - first, self.time)
                    over = (last is not None and self.steps >= last or end is not None and clock.monotonic() >= end
                            or moment is not None and self.time + 0.5 * self.dt > moment)
                    if ended == 3 or interrupts.seen:
                        raise Cancelled(f"cancelled after step {self.steps}; the run can go on")
        finally:
            bar.end(self.steps - first, self.time)
        return ENDS[ended]

    def _steps_ahead(self, steps, moment):
        """The number of steps of an advance as far as it is known, otherwise 0."""
        ahead = [] if moment is None else [round((moment - self.time) / self.dt)]
        return min(ahead + ([] if steps is None else [steps]), default=0)

    def _slice(self, steps, moment, wall):
        """One call of sc_advance; an exception of a callback is raised here."""
        until, ended = Until(ctypes.sizeof(Until), 0, steps or 0, moment or 0.0, wall), ctypes.c_int32()
        self._raised = None
        code = load().sc_advance(self.handle, ctypes.byref(until), ctypes.byref(ended))
        if self._raised is not None:
            raise self._raised
        if code != 4:
            check(self._handle, code)
        return 3 if code == 4 else ended.value

    def step(self, n: int = 1) -> None:
        """Takes n steps."""
        self.advance(steps=n, progress=False)

    def cancel(self) -> None:
        """Ends the advance under way after its step, also from another thread; it raises Cancelled."""
        load().sc_cancel(self.handle)

    def finish(self) -> Dict[str, Any]:
        """Lets observers see the last state, and writes summary.json and manifest.json into the folder; the summary."""
        return self._json("finish")

    # ---- reading

    @property
    def steps(self) -> int:
        """The number of complete steps."""
        return load().sc_step_count(self.handle)

    @property
    def time(self) -> float:
        """The simulated time [s]."""
        return load().sc_time(self.handle)

    @property
    def dt(self) -> float:
        """The time step [s]."""
        return load().sc_dt(self.handle)

    @property
    def generation(self) -> int:
        """It changes when bodies come, go or change places: columns of another generation are not valid."""
        return load().sc_generation(self.handle)

    @property
    def hash(self) -> str:
        """SHA-256 of the state, as in summary.json."""
        text = ctypes.create_string_buffer(65)
        check(self.handle, load().sc_hash(self.handle, text))
        return text.value.decode()

    def figure(self, name: str) -> float:
        """A quantity of conditions, in SI units: "kinetic", "unbalanced", "angle.degrees"."""
        value = ctypes.c_double()
        check(self.handle, load().sc_figure(self.handle, name.encode(), ctypes.byref(value)))
        return value.value

    @property
    def names(self) -> List[str]:
        """The names of array() and column()."""
        found = load().sc_array_names(self.handle)
        count = next(i for i in range(sys.maxsize) if found[i] is None)
        return [found[i].decode() for i in range(count)]

    def array(self, name: str):
        """A copy of an array: (n,), or (n, columns)."""
        from . import _arrays
        return _arrays.copy(self, name)

    def column(self, name: str, k: int = 0):
        """A view of column k of an array, without a copy; fields of plugins can be written."""
        from . import _arrays
        array = _arrays.get(self, name)
        if not 0 <= k < array.n_columns:
            raise IndexError(f"expected a column of {name} from 0 to {array.n_columns - 1}, got {k}")
        return _arrays.Column(self, array, k)

    def __getattr__(self, name):
        if name.startswith("_") or not self.__dict__.get("_handle") or name not in self.names:
            raise AttributeError(f"a run has no attribute {name!r}; its arrays are in run.names")
        return self.array(name)

    def want(self, name: str) -> None:
        """Records contacts at the end of each advance from now on: want("contacts")."""
        check(self.handle, load().sc_want(self.handle, name.encode()))

    def query(self, text: str) -> Dict[str, Any]:
        """The bodies in a box or ball, as `scree query --json` has them: "--ball 0,0,0.1:5mm"."""
        return self._json("query_json", text.encode())

    def validate(self) -> Dict[str, Any]:
        """The object that `scree validate --json` prints."""
        return self._json("validate_json")

    # ---- changing

    def set_bodies(self, name: str, values, ids=None) -> None:
        """New values of v, w, x, q, scale or density, a row a body; all bodies in their present order without ids."""
        from . import _arrays
        _arrays.set_bodies(self, name, values, ids)

    def set(self, path: str, value: Any) -> None:
        """A live parameter, dt, gravity or an interval of an observer: run.set("force.0.friction", 0.4)."""
        check(self.handle, load().sc_set(self.handle, f"{path}={_text.text(value, path, 1)}".encode()))

    def swap(self, try_first: bool = False, **changes) -> Dict[str, Any]:
        """Changes plugins as an entry of the schedule does: run.swap(gcd={"plugin": "bvh"}); the report of the swap.
        `try_first`: first in a copy of the process, as `scree run` does."""
        return self._json("swap", _text.scene(changes).encode(), 1 if try_first else 0)

    def state(self) -> State:
        """A copy of the state in memory, bit for bit, for restore()."""
        return State(self)

    def restore(self, state: State) -> None:
        """Puts a state back that this run has given; files of observers keep their rows."""
        if state._of is not self:
            raise UseError("expected a state of this run, got one of another run")
        check(self.handle, load().sc_state_put(self.handle, state._held))

    def save(self, path: Union[str, "os.PathLike"]) -> None:
        """Writes a checkpoint, from which `scree run --restart` and scree.open(restart=..) continue."""
        check(self.handle, load().sc_save(self.handle, os.fsencode(path)))

    def forces_of(self, slot: str):
        """Force [N], torque [N m] and power [W] that one modifier adds in the present state: the reaction on a fluid."""
        from . import _arrays
        return _arrays.forces_of(self, slot)

    def _json(self, name, *arguments):
        text = ctypes.c_void_p()
        check(self.handle, getattr(load(), f"sc_{name}")(self.handle, *arguments, ctypes.byref(text)))
        return json.loads(take(text))


class _Interrupts:
    """While the library works in the main thread, Ctrl-C only ends the advance: a callback is not cut in two."""

    def __init__(self, run):
        self._run, self.seen, self._before = run, False, None

    def __enter__(self):
        if threading.current_thread() is threading.main_thread() \
                and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_):
        self.seen = True
        self._run.cancel()

    def __exit__(self, *_):
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


def _find_callbacks(scene):
    """The callbacks of a scene or of keywords, by the names of their modifiers."""
    modifiers = scene.get("modifiers", {}) if isinstance(scene, dict) else {}
    return {name: one for name, one in modifiers.items() if isinstance(one, callback)}


def open(scene: Union[str, "os.PathLike", Dict[str, Any], Any], *, threads: int = 1,
         folder: Optional[Union[str, "os.PathLike"]] = None, restart: Optional[Union[str, "os.PathLike"]] = None,
         plugin_path: Optional[List[str]] = None, set: Optional[List[str]] = None, quiet: bool = False,
         say: Optional[Callable[[int, str], None]] = None, **overrides) -> Run:
    """Opens a scene and makes its first state.

    `scene`: the path or the name of a file, a text (it has a line end or a brace), a dict, a file that is open, or "-"
    for standard input. Keywords are overrides: `gcd={"plugin": "bvh"}`, `scene={"dt": 1e-6}`; `set` has others as
    texts PATH=VALUE, as --set of `scree run`. `folder`: of the files of the run ("": runs/NAME-NUMBER; None: observers
    that write are refused). `quiet`: leaves out the observers of the scene. `say` gets level and text of warnings and notes.
    """
    text, name = None, "scene"
    if isinstance(scene, dict):
        text, name = _text.scene(scene), "dict.cfg"
    elif hasattr(scene, "read"):
        text, name = scene.read(), str(getattr(scene, "name", name))
    elif scene == "-":
        text, name = sys.stdin.read(), "standard-input.cfg"
    elif isinstance(scene, str) and ("\n" in scene or "{" in scene):
        text, name = scene, "text.cfg"
    else:
        name = os.fspath(scene)
    given = [*(_text.overrides(overrides)), *(set or [])]
    options = {"threads": threads, "folder": folder, "restart": restart, "plugin_path": plugin_path, "set": given,
               "observers": not quiet, "say": say}
    return Run(text, name, options, {**_find_callbacks(scene), **_find_callbacks(overrides)})


def plugins(plugin_path: Optional[List[str]] = None) -> Dict[str, Any]:
    """Kinds, ids and parameters (with unit, range, default and help) of all plugins that are installed."""
    text = ctypes.c_void_p()
    check(None, load().sc_plugins_json(texts(plugin_path), ctypes.byref(text)))
    return json.loads(take(text))
