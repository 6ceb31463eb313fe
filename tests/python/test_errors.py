# SPDX-License-Identifier: Apache-2.0
"""The texts of the host's errors as exceptions, and the bar of an advance, without a run.

usage: test_errors.py
"""
import inspect
import io
import os
import pty
import subprocess
import sys
import types
import unittest.mock

import scree
import tap
from scree import _progress


def test_problems():
    error = scree.SceneError('a b.cfg:11: guard.evry: unknown key; did you mean "every"?\n'
                             "s.cfg:2: scene.title: expected a value, got glass; text needs quotes: \"glass\"\n"
                             "    title = glass;\n            ^\n--set: gcd.plugin: no plugin gcd/gird\n"
                             "s.cfg: force[0].between[1]: no such material\nx.cfg:3: this text has no closing quote\nno scene nowhere.cfg")
    got = [(p.file, p.line, p.path) for p in error.problems]
    tap.check("each mistake has its file, line and path", got == [
        ("a b.cfg", 11, "guard.evry"), ("s.cfg", 2, "scene.title"), ("--set", None, "gcd.plugin"), ("s.cfg", None, "force[0].between[1]"),
        ("x.cfg", 3, None), (None, None, None)], got)
    tap.check("and its text, with the line of the scene below it", error.problems[1].text.endswith("title = glass;\n            ^")
              and error.problems[0].text == 'unknown key; did you mean "every"?' and error.problems[5].text == "no scene nowhere.cfg", error.problems)


def test_plugins():
    error = scree.PluginError("integrator/velocity_verlet (integrator) misbehaved in stage at step 100: it changed the umask")
    tap.check("a plugin's fault names plugin, slot, call and step", (error.plugin, error.slot, error.call, error.step)
              == ("integrator/velocity_verlet", "integrator", "stage", 100), vars(error))
    error = scree.PluginError("force/soft (force[0]) failed in create: no memory")
    tap.check("a call outside of a step has none", (error.slot, error.step) == ("force[0]", None), vars(error))
    error = scree.PluginError("/x/soft.so: refused")
    tap.check("a file that is refused has no call", (error.plugin, error.call) == (None, None), vars(error))
    tap.check("errors of use are ValueErrors, Ctrl-C stays one", issubclass(scree.SceneError, ValueError)
              and issubclass(scree.Cancelled, KeyboardInterrupt) and not issubclass(scree.Cancelled, Exception))


def bar_of(code, **more):
    with unittest.mock.patch.object(_progress.time, "monotonic", side_effect=[0.0, 0.1, 10.0, 10.1, 20.0]), \
            unittest.mock.patch.object(sys, "stderr", more["stream"]):
        bar = _progress.Progress(more.get("show"), more.get("total", 100))
        code(bar)
        return bar


def test_bar():
    stream = io.StringIO()
    tap.check("where nobody looks no bar is drawn", bar_of(lambda bar: bar.step(10, 1e-3), stream=stream) and not stream.getvalue())
    bar_of(lambda bar: (bar.step(1, 1e-4), bar.step(25, 1e-3), bar.step(26, 1e-3), bar.end(30, 2e-3)), stream=stream, show=True)
    tap.check("a bar has share, speed, time and what is left; it is drawn now and then, and taken off",
              stream.getvalue() == "\r[#####...............]  25.0 %  2.5 steps/s  t = 0.001 s  30 s left\033[K\r\033[K", repr(stream.getvalue()))
    stream = io.StringIO()
    bar_of(lambda bar: (bar.step(1, 0.0), bar.step(101, 1e-3)), stream=stream, show=True)
    tap.check("after its last step nothing is left", "100.0 %" in stream.getvalue() and "left" not in stream.getvalue(), repr(stream.getvalue()))
    stream = io.StringIO()
    bar_of(lambda bar: (bar.step(1, 0.0), bar.step(25, 1e-3)), stream=stream, show=True, total=0)
    tap.check("without an end it has the step", stream.getvalue() == "\rstep 25  2.5 steps/s  t = 0.001 s\033[K", repr(stream.getvalue()))
    ours, theirs = pty.openpty()
    code = "from scree._progress import Progress; p = Progress(None, 9); p.next = 0; p.step(3, 1.0); p.end(9, 1.0)"
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True)
    os.close(theirs)
    seen = os.read(ours, 1000).decode()
    tap.check("a terminal gets the bar unasked", seen.startswith("\r[######....") and seen.endswith("\r\033[K"), repr(seen))


def test_notebook():
    shown = []
    handle = types.SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))
    ipython = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1))
    display = types.SimpleNamespace(display=lambda data, raw, display_id: shown.append(data["text/plain"]) or handle)
    stream = io.StringIO()
    with unittest.mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": display}):
        bar_of(lambda bar: (bar.step(1, 0.0), bar.step(25, 1e-3), bar.end(100, 2e-3)), stream=stream)
    tap.check("a notebook gets one line, which is replaced and stays", len(shown) == 2 and "25.0 %" in shown[0] and "100.0 %" in shown[1]
              and not stream.getvalue(), shown)


def test_typed():
    """The package says that it is typed, and each public function of it is."""
    kinds = [value for value in (getattr(scree, name) for name in scree.__all__) if inspect.isclass(value) and value.__module__.startswith("scree")]
    named = [(kind.__name__, name, value) for kind in kinds for name, value in vars(kind).items() if not name.startswith("_")]
    functions = [(owner, name, value) for owner, name, value in named if inspect.isfunction(value)] + \
        [("scree", name, value) for name, value in vars(scree).items() if name in scree.__all__ and inspect.isfunction(value)]
    loose = [f"{owner}.{name}" for owner, name, value in functions for signature in [inspect.signature(value)]
             if signature.return_annotation is inspect.Signature.empty or any(
                 p.annotation is p.empty and p.name != "self" for p in signature.parameters.values())]
    tap.check("each public function has types", len(functions) > 20 and not loose, (len(functions), loose))
    tap.check("py.typed is there", os.path.isfile(os.path.join(os.path.dirname(scree.__file__), "py.typed")))


def run():
    for test in (test_problems, test_plugins, test_bar, test_notebook, test_typed):
        test()


tap.finish(run)
