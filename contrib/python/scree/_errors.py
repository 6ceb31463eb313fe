# SPDX-License-Identifier: Apache-2.0
"""The errors of scree as exceptions: what is wrong with a scene, with a plugin, with a run."""
import re
from typing import List, NamedTuple, Optional

# As put_error() of core/tools/look/look_json.c: FILE:LINE: PATH: text, whose first three parts may be missing.
FORM = re.compile(r"(?:(?P<file>--set(?=: )|[^\n]+?(?=:\d+: )|[^\n]+?\.cfg(?=: )):(?:(?P<line>\d+):)? "
                  r"(?:(?P<path>[\w*.\[\]-]+): )?)?(?P<text>.*)", re.S)
CALL = re.compile(r"(?P<plugin>[\w/]+) \((?P<slot>[^)]*)\) (?:failed|misbehaved) in (?P<call>\w+)"
                  r"(?: at step (?P<step>\d+))?")


class Problem(NamedTuple):
    """A mistake in a scene. `file` is "--set" for a keyword of scree.open; a part that is unknown is None."""
    file: Optional[str]
    line: Optional[int]
    path: Optional[str]
    text: str


class Error(Exception):
    """An error of scree, with the text of `scree run`."""


class UseError(Error, ValueError):
    """A call with a wrong value."""


class SceneError(UseError):
    """A scene with mistakes: `problems` has all of them."""

    def __init__(self, text: str):
        super().__init__(text)
        self.problems: List[Problem] = [_problem(one) for one in re.split(r"\n(?! )", text)]


class RunError(Error):
    """A run that failed; it can be read and closed, but not continued or finished."""


class PluginError(RunError):
    """A plugin was refused or misbehaved; parts that the text does not have are None."""

    def __init__(self, text: str):
        super().__init__(text)
        found = CALL.search(text)
        part = found.groupdict() if found else {}
        self.plugin: Optional[str] = part.get("plugin")
        self.slot: Optional[str] = part.get("slot")
        self.call: Optional[str] = part.get("call")
        self.step: Optional[int] = int(part["step"]) if part.get("step") else None


class Cancelled(KeyboardInterrupt):
    """Ctrl-C or Run.cancel() ended an advance after a complete step: the run can be continued."""


def _problem(text):
    part = FORM.fullmatch(text).groupdict()
    return Problem(part["file"], int(part["line"]) if part["line"] else None, part["path"], part["text"])
