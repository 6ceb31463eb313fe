# SPDX-License-Identifier: Apache-2.0
"""scree in Python: runs of the discrete element method in this process, and the results of finished ones.

    import scree
    run = scree.open("hopper", observers={})
    run.advance(duration="1 ms")
    print(run.figure("kinetic"), run.x.mean(axis=0), run.hash)

Arrays need numpy; everything else needs only the standard library.
"""
from ._errors import Cancelled, Error, PluginError, Problem, RunError, SceneError, UseError
from ._forces import Bodies, callback
from ._frames import Frame, Frames, Shape
from ._results import Results, read
from ._run import Run, State, open, plugins
from ._text import scene as scene_text

__all__ = ["Bodies", "Cancelled", "Error", "Frame", "Frames", "PluginError", "Problem", "Results", "Run", "RunError", "SceneError",
           "Shape", "State", "UseError", "__version__", "callback", "open", "plugins", "read", "scene_text"]


def version() -> str:
    """The version of the library."""
    from ._library import load
    return load().sc_version().decode()


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'scree' has no attribute {name!r}")
