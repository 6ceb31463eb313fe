# SPDX-License-Identifier: Apache-2.0
"""`scree live`: a run that is watched and steered from a page, and by `scree ctl`.

The main thread takes the steps, in slices of 10 ms, and carries out messages between them. Another thread answers: it reads
frames from the tail of the file that the observer `frames` writes (docs/reference/frames-file.md), as any reader can.
"""
import argparse
import asyncio
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import platform
import queue
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types
from typing import Any, Deque, Dict, List, Optional, Tuple

from . import __main__, _page
from ._errors import Error, PluginError, UseError
from ._frames import Frames
from ._run import Run, open as open_run, plugins, seconds
from ._server import Page, bound, socket_path, start_lines

SLICE = 0.01  # [s] of wall time, after which messages are carried out
MEASURED = 0.5  # [s] of steps that a time of a step is the mean of
MEASURED_STEPS = 20  # at least
COMPARED, MOST_COMPARED = 50, 10000  # steps
STATES = ("limit", "scene", "stop", "cancelled")
OWN_FRAMES = {"plugin": "frames", "every_wall": 0.1, "keep": 200}
BLOCK = struct.Struct("<4sIII")


def number_of(message, name, least, most, default=None):
    """A whole number of a message."""
    value = message.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise UseError(f"{name}: expected a whole number from {least} to {most}, got {json.dumps(value)}")
    return value


def text_of(message, name, default=None):
    """A text of a message."""
    value = message.get(name, default)
    if not isinstance(value, str) or "\0" in value:
        raise UseError(f"{name}: expected a text, got {json.dumps(value)}")
    return value


def block(kind: bytes, payload: bytes) -> bytes:
    """A block as in a file of frames."""
    return BLOCK.pack(kind, len(payload), 0, 0) + payload + bytes(-len(payload) % 8)


class Tail:
    """The frames of a folder, for viewers; `seat` has what a viewer has got before."""

    def __init__(self, folder):
        self.folder, self.frames = folder, None

    def follow(self) -> int:
        """The number of frames so far."""
        try:
            if self.frames is None:
                self.frames = Frames(self.folder)
            self.frames.follow()
        except (Error, FileNotFoundError):
            return 0
        return len(self.frames)

    def message(self, k, seat, number) -> bytes:
        """Frame k, with the blocks that the viewer lacks; before them the number of the question, and that of all frames."""
        frames, parts = self.frames, [struct.pack("<II", number, len(self.frames))]
        for number, payload in frames.shape_payloads.items():
            if number not in seat.setdefault("shapes", set()):
                seat["shapes"].add(number)
                parts.append(block(b"SHAP", payload))
        for kind in ("BODY", "WALL"):
            mark = frames.mark(k, kind)
            if seat.get(kind) != mark:
                seat[kind] = mark
                parts.append(block(kind.encode(), frames.raw(k, kind)))
        return b"".join([*parts, block(b"FRAM", frames.raw(k))])

    def do_frame(self, message, seat):
        """A frame by its number, or the newest one if there are fewer."""
        k = number_of(message, "k", 0, 1 << 40)
        if not (n := self.follow()):
            raise UseError("no frame is written yet")
        return [self.message(min(k, n - 1), seat, number_of(message, "id", 0, (1 << 32) - 1, 0))]

    def newest(self) -> List[int]:
        """The number of frames, and the step of the newest one."""
        return [self.follow(), self.frames.steps[-1]] if self.follow() else [0, 0]

    def header(self) -> Optional[Dict[str, Any]]:
        """The header of the file and the names of groups, for a viewer; None: no frame is written yet."""
        return {"header": self.frames.header, "groups": self.frames.groups} if self.follow() else None


class Watched:
    """A folder whose run is steered by nobody, or by another process."""

    def __init__(self, folder: pathlib.Path):
        self.folder, self.title, self.tail = folder, folder.resolve().name, Tail(folder)

    def news(self):
        """The status that a page shows."""
        return {"event": "status", "state": "watched", "frames": self.tail.newest()}

    def hello(self):
        """The first message to a page."""
        return {"event": "hello", "steered": False, "title": self.title}

    async def answer(self, message, seat):
        """The answer to a message."""
        if message.get("do") == "frame":
            return self.tail.do_frame(message, seat)
        if message.get("do") == "header":
            return [{"id": message.get("id"), "ok": True, "result": self.tail.header()}]
        raise UseError("this page shows the files of a run: expected frame or header")


class Steered(Watched):
    """A run in this process. The methods do_NAME carry out messages in the main thread; a generator goes on after steps."""

    def __init__(self, run: Run, goes: bool, stays: bool):
        super().__init__(pathlib.Path(run.folder or ""))
        self.run, self.goes, self.stays = run, goes, stays
        self.jobs: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
        self.state, self.text, self.quits, self.was_going = "paused", "", False, True
        self.summary: Dict[str, Any] = {}
        self.until: Optional[Tuple[int, float]] = None
        self.slices: Deque[Tuple[int, float]] = collections.deque()
        self.waits: List[Any] = []
        self.said: Deque[str] = collections.deque(maxlen=20)
        self.catalogue: Optional[List[Dict[str, Any]]] = None
        self.note()

    # ---- the main thread

    def note(self):
        """Writes down what the other thread shows."""
        run = self.run
        self.state = "ended" if self.summary else "failed" if self.text else "running" if self.goes else "paused"
        self.shown = {"state": self.state, "text": self.text, "step": run.steps, "last_step": run.last_step, "time": run.time, "dt": run.dt,
                      "step_time": self.step_time(), "said": list(self.said)}

    def step_time(self) -> Optional[float]:
        """The mean wall time of the last steps [s]."""
        steps = sum(n for n, _ in self.slices)
        return sum(wall for _, wall in self.slices) / steps if steps else None

    def say(self, level, text):
        """Keeps the last lines of the run, and prints warnings."""
        self.said.append(text)
        if level in ("note", "warning"):
            print(f"scree: {level}: {text}", file=sys.stderr)

    def slice(self):
        """Takes steps for 10 ms, or to the number of steps or the time that a message asks for."""
        before, began = self.run.steps, time.perf_counter()
        steps, moment = self.until or (0, 0.0)
        ended = STATES[self.run._slice(steps - before if steps else 0, moment, SLICE)]
        self.slices.append((self.run.steps - before, time.perf_counter() - began))
        while len(self.slices) > 1 and sum(wall for _, wall in self.slices) > MEASURED and sum(n for n, _ in self.slices) > MEASURED_STEPS:
            self.slices.popleft()
        if self.until and (steps and self.run.steps >= steps or moment and self.run.time >= moment * (1 - 1e-12)):
            self.goes, self.until = False, None
        if ended in ("scene", "stop"):
            self.end(ended)

    def end(self, why):
        """Ends the run: the files of its observers are closed, summary and manifest written."""
        self.goes, self.until = False, None
        self.summary = {"ended": why, **self.run.finish()}
        self.quits = self.quits or not self.stays

    def loop(self):
        """Steps and messages, until quit."""
        while not self.quits:
            try:
                self.carry_out(*self.jobs.get(not self.goes and not self.waits, 0.2) if not self.goes else self.jobs.get_nowait())
            except queue.Empty:
                pass
            try:
                if self.goes:
                    self.slice()
                if self.was_going and not (self.goes or self.summary or self.text):
                    self.show()
                self.was_going = self.goes
            except Error as error:
                self.goes, self.text = False, str(error)
                self.code = 3 if isinstance(error, PluginError) else 1
            self.waits = [job for job in self.waits if not self.go_on(*job)]
            self.note()
        if not self.summary and not self.text:
            self.end("quit")
            self.note()
        self.waits = [job for job in self.waits if not self.go_on(*job)]

    def show(self):
        """Adds a frame of the state at which the run has stopped."""
        for one in self.run.slots():
            if (one["kind"], one["id"]) == ("observer", "frames"):
                self.run.observe(one["slot"].partition(".")[2])

    def carry_out(self, message, promise):
        """Calls do_NAME; what it yields is continued after each slice."""
        try:
            found = getattr(self, f"do_{message['do']}")(message)
            if not isinstance(found, types.GeneratorType):
                promise.set_result(found)
            elif not self.go_on(found, promise):
                self.waits.append((found, promise))
        except BaseException as error:
            promise.set_exception(error)

    def go_on(self, steps, promise):
        """Continues a message; whether it is done."""
        try:
            next(steps)
            return False
        except StopIteration as end:
            promise.set_result(end.value)
        except BaseException as error:
            promise.set_exception(error)
        return True

    def able(self):
        """Refuses what a run that has ended or failed cannot do."""
        if self.summary or self.text:
            raise UseError(f"the run has {self.state}")

    # ---- messages

    def do_status(self, _):
        """State, step, time, and the hash of the state."""
        self.note()
        last = {"ended": self.summary["ended"]} if self.summary else {}
        return {**self.shown, **last, "hash": self.run.hash, "folder": self.run.folder}

    def do_pause(self, _):
        """Holds the run after its step."""
        self.goes, self.until = False, None
        return {"step": self.run.steps, "time": self.run.time}

    def do_go(self, _):
        """Lets it go on."""
        self.able()
        self.goes, self.until = True, None
        return {"step": self.run.steps}

    def advance(self, steps, moment):
        """Steps to a number or a time, then pauses; another order may come before."""
        self.able()
        mine = self.until = (steps, moment)
        self.goes = True
        while self.goes and self.until is mine and not self.quits:
            yield
        return {"step": self.run.steps, "time": self.run.time, "reached": bool(steps and self.run.steps >= steps or
                                                                            moment and self.run.time >= moment * (1 - 1e-12))}

    def do_step(self, message):
        """Takes n steps, then pauses."""
        return (yield from self.advance(self.run.steps + number_of(message, "n", 1, 1 << 40, 1), 0.0))

    def do_until(self, message):
        """Steps to a time, then pauses."""
        moment = seconds(message.get("time"))
        if moment <= self.run.time:
            raise UseError(f"time: expected more than {self.run.time} s, the time of the run")
        return (yield from self.advance(0, moment))

    def changed(self, change):
        """Carries out a change; its report with hashes and times of steps before and after."""
        self.able()
        run, steps = self.run, self.run.steps
        before = {"step": steps, "hash_before": run.hash, "step_time_before": self.step_time()}
        report = change()
        after = run.hash
        self.slices.clear()
        while self.goes and (run.steps - steps < MEASURED_STEPS or sum(wall for _, wall in self.slices) < MEASURED / 2):
            yield
        return {**before, "hash_after": after, "step_time_after": self.step_time(), "report": report}

    def do_set(self, message):
        """Sets a live parameter, dt or gravity."""
        assignment = f"{text_of(message, 'path')}={text_of(message, 'value')}"
        try:
            return (yield from self.changed(lambda: self.run._call("set", assignment.encode())))
        except UseError as error:
            raise UseError(str(error).replace("--set: ", "")) from None

    def do_swap(self, message):
        """Swaps plugins as `set` of an entry of the schedule does; first in a copy of the process."""
        text = text_of(message, "set")
        return (yield from self.changed(lambda: self.run._json("swap", text.encode(), 1)))

    def do_save(self, message):
        """Writes a checkpoint into the folder of the run."""
        self.able()
        name = text_of(message, "name", f"checkpoint-{self.run.steps}.h5")
        if pathlib.PurePath(name).name != name or not name.endswith(".h5") or not name.isprintable():
            raise UseError(f"name: expected the name of a file, NAME.h5, in the folder of the run, got {json.dumps(name)}")
        path = self.folder / name
        self.run.save(path)
        return {"path": str(path), "step": self.run.steps}

    def do_query(self, message):
        """The bodies in a box or ball."""
        return self.run.query(text_of(message, "where"))

    def do_figure(self, message):
        """A figure of the state."""
        return {"value": self.run.figure(text_of(message, "name"))}

    def do_controls(self, _):
        """The slots with the live parameters of their plugins, and all plugins by kind."""
        if self.catalogue is None:
            self.catalogue = plugins()
        known = {(one["kind"], one["id"]): one for one in self.catalogue}
        slots = [{**one, "live": [p for p in known.get((one["kind"], one["id"]), {"parameters": []})["parameters"] if "live" in p["flags"]]}
                 for one in self.run.slots()]
        kinds: Dict[str, List[Dict[str, str]]] = {}
        for one in self.catalogue:
            kinds.setdefault(one["kind"], []).append({"id": one["id"], "help": one["help"]})
        return {"slots": slots, "kinds": kinds, "dt": self.run.dt}

    def do_compare(self, message):
        """Steps with two sets of plugins from the current state, in processes of their own: times and first difference."""
        self.able()
        n = number_of(message, "steps", 1, MOST_COMPARED, COMPARED)
        pair = {name: text_of(message, name, "") for name in ("a", "b")}
        path = self.folder / f".compare-{os.getpid()}.h5"
        self.run.save(path)
        try:
            found = {name: compared(path, text, n, lambda: self.quits) for name, text in pair.items()}
        finally:
            path.unlink(missing_ok=True)
        states = [found[name].pop("states", None) for name in pair]
        first = next((self.run.steps + k + 1 for k, (one, other) in enumerate(zip(*states)) if one != other), None) if all(states) else None
        return {"step": self.run.steps, "steps": n, "first_difference": first, **found}

    def do_quit(self, _):
        """Ends the run and the program."""
        self.quits = True
        return {"step": self.run.steps}

    # ---- the other thread

    def news(self):
        """The status that a page shows."""
        return {"event": "status", "frames": self.tail.newest(), **self.shown}

    def hello(self):
        """The first message to a page."""
        return {"event": "hello", "steered": True, "title": self.title}

    async def answer(self, message, seat):
        """Hands a message to the main thread, and waits for its answer."""
        name = message.get("do")
        if name in ("frame", "header"):
            return await super().answer(message, seat)
        if not isinstance(name, str) or not hasattr(self, f"do_{name}"):
            raise UseError(f"do: expected one of {', '.join(ORDERS)}, got {json.dumps(name)}")
        promise: concurrent.futures.Future = concurrent.futures.Future()
        self.jobs.put((message, promise))
        return [{"id": message.get("id"), "ok": True, "result": await asyncio.wrap_future(promise)}]


ORDERS = [name[3:] for name in vars(Steered) if name.startswith("do_")]


def measure(path: str, text: str, n: int):
    """A branch of `compare`: its states step by step, and the best time of three for all steps."""
    with tempfile.TemporaryDirectory() as folder, open_run(None, restart=path, quiet=True, folder=folder, say=lambda *_: None) as run:
        report = run._json("swap", text.encode(), 1) if text else None
        state, states, times = run.state(), [], []
        for _ in range(n):
            run.step()
            states.append(run.hash)
        for _ in range(3):
            run.restore(state)
            began = time.perf_counter()
            run._slice(n, 0.0, 0.0)
            times.append((time.perf_counter() - began) / n)
    return {"step_time": min(times), "hash": states[-1], "states": states, "report": report}


def compared(path, text, n, cancelled):
    """measure() in a process: a plugin that crashes there leaves the run alone."""
    package = str(pathlib.Path(__file__).resolve().parent.parent)
    code = "import json, sys; sys.path.insert(0, sys.argv[1]); from scree.live import measure; print(json.dumps(measure(*json.loads(sys.argv[2]))))"
    with subprocess.Popen([sys.executable, "-c", code, package, json.dumps([str(path), text, n])], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while not cancelled():
            with contextlib.suppress(subprocess.TimeoutExpired):
                out, wrong = child.communicate(timeout=0.2)
                break
        else:
            child.kill()
            out, wrong = child.communicate()
    lines = wrong.strip().splitlines()
    if child.returncode == 0:
        return json.loads(out)
    return {"error": f"ended by signal {-child.returncode}" if child.returncode < 0 else lines[-1] if lines else f"exit status {child.returncode}"}


# ---- the command

def page_files() -> Dict[str, Any]:
    """The page: that of reports, with the panel of a live run."""
    scripts = "\n".join(_page.text(name) for name in (*_page.SCRIPTS, "live.js")) + "\nstartLive();\n"
    page = _page.served().replace('href="data:,"', 'href="favicon.ico"')
    return {"/": ("text/html; charset=utf-8", page.encode()), "/page.js": ("text/javascript; charset=utf-8", scripts.encode()),
            "/style.css": ("text/css; charset=utf-8", _page.text("style.css").encode()), "/favicon.ico": ("image/x-icon", b"")}


@contextlib.contextmanager
def served(one: Watched, door: Optional[socket.socket], lines: Optional[str]):
    """A thread that serves a page (door None: no page) and a Unix socket (path None: no socket)."""
    ready: concurrent.futures.Future = concurrent.futures.Future()

    async def work():
        ends = asyncio.Event()
        try:
            page = Page(page_files(), one.answer, one.hello, one.news) if door else None
            keeps = [await page.start(door)] if page else []
            keeps += [await start_lines(lines, one.answer)] if lines else []
        except BaseException as error:
            ready.set_exception(error)
            return
        loop = asyncio.get_running_loop()
        ready.set_result((page, lambda: loop.call_soon_threadsafe(ends.set)))
        await ends.wait()
        await asyncio.sleep(0.1)  # the last answers go out

    thread = threading.Thread(target=lambda: asyncio.run(work()), daemon=True)
    thread.start()
    try:
        page, end = ready.result()
        try:
            yield page
        finally:
            end()
    finally:
        thread.join(5)
        if lines:
            pathlib.Path(lines).unlink(missing_ok=True)


def steer(given, say) -> int:
    """Opens a scene and runs it under control; the exit status, that of `scree run`."""
    door, path = None if given.no_page else bound(given.port), socket_path()  # before the folder of the run is made
    run = open_run(None if given.restart else given.what, restart=given.restart, set=given.set, folder=given.output or "", threads=given.threads,
                   plugin_path=given.plugin_path, say=say)
    if not any(one["kind"] == "observer" and one["id"] == "frames" for one in run.slots()):
        run.swap(observers={"live": OWN_FRAMES})
    steered = Steered(run, not given.pause, not given.no_page)
    say.append(steered.say)
    __main__.heed(lambda *_: setattr(steered, "quits", True))
    note = steered.folder / "live.json"
    note.write_text(json.dumps({"host": platform.node(), "pid": os.getpid(), "socket": path}), encoding="utf-8")
    try:
        with served(steered, door, path) as page:
            print(f"run: {run.folder}\n{'page: ' + page.url if page else ''}".rstrip(), flush=True)
            steered.loop()
    finally:
        note.unlink(missing_ok=True)
    if steered.text:
        print(f"scree live: {steered.text}", file=sys.stderr)
        return steered.code
    print(f"state_sha256  {run.hash}\nstep          {run.steps}", flush=True)
    return 0 if steered.summary["ended"] != "quit" else 4


def watch(folder: pathlib.Path, port: int) -> int:
    """Serves the page of a folder until a signal."""
    if not any(folder.glob("*.scf*")) and not any((folder / name).exists() for name in ("scene.cfg", "live.json", "manifest.json")):
        raise UseError(f"{folder}: expected the folder of a run")
    ends = threading.Event()
    __main__.heed(lambda *_: ends.set())
    with served(Watched(folder), bound(port), None) as page:
        print(f"page: {page.url}", flush=True)
        ends.wait()
    return 0


class Sayer(list):
    """Lines of the run before it is steered go to standard error, afterwards to Steered.say."""

    def __call__(self, level, text):
        if self:
            self[0](level, text)
        elif level in ("note", "warning"):
            print(f"scree: {level}: {text}", file=sys.stderr)


def main(words: Optional[List[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="scree live", description="Runs a scene that a page and `scree ctl` steer, or shows the frames of a run's folder while it goes.")
    parser.add_argument("what", metavar="SCENE|RUN", nargs="?", help="a scene, or the folder of a run that writes frames")
    parser.add_argument("-o", "--output", metavar="DIR", help="folder for the files of the run; runs/SCENE-NUMBER unless given")
    parser.add_argument("--set", metavar="PATH=VALUE", action="append", default=[], help="overrides a value of the scene")
    parser.add_argument("--restart", metavar="FILE", help="continues from a checkpoint")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads of the run; 1 unless given")
    parser.add_argument("--plugin-path", metavar="DIR", action="append", help="folder that is searched for plugins first")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of the page on 127.0.0.1; a free one unless given")
    parser.add_argument("--pause", action="store_true", help="waits before the first step")
    parser.add_argument("--no-page", action="store_true", help="only `scree ctl` steers; the program ends with the run")
    given = parser.parse_args(words)
    try:
        if (given.what is None) == (given.restart is None):
            raise UseError("expected one SCENE, one RUN, or --restart FILE")
        for one in given.plugin_path or []:
            if not pathlib.Path(one).is_dir():
                raise UseError(f"--plugin-path {one}: no such folder")
        if given.output == "":
            raise UseError("-o: expected the name of a folder, got an empty one")
        if given.what and pathlib.Path(given.what).is_dir():
            for name, value in vars(given).items():
                if name not in ("what", "port") and value != parser.get_default(name):
                    raise UseError(f"--{name.replace('_', '-')}: {given.what} is a folder, whose run is shown as it is")
            return watch(pathlib.Path(given.what), given.port)
        return steer(given, Sayer())
    except (Error, OSError) as error:
        print(f"scree live: {error}".replace("another to folder=", "another to -o"), file=sys.stderr)
        return 2 if isinstance(error, UseError) else 3 if isinstance(error, PluginError) else 1
