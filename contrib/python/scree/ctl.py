# SPDX-License-Identifier: Apache-2.0
"""`scree ctl`: steers a run of `scree live` from a terminal or a script, over its Unix socket."""
import argparse
import json
import pathlib
import platform
import sys
from typing import Any, Dict, List, Optional

from ._errors import Error, UseError
from ._server import connect

# Order: names of its words; the last one takes all that is left.
ORDERS = {"status": (), "pause": (), "go": (), "step": ("n",), "until": ("time",), "set": ("path", "value"), "swap": ("set",),
          "compare": ("a", "b"), "save": ("name",), "query": ("where",), "figure": ("name",), "controls": (), "quit": ()}
HELP = """orders:
  status                 state, step, time, hash
  pause, go              holds the run after its step; lets it go on
  step [N], until TIME   goes on for N steps or to a time ("5 ms"), then pauses
  set PATH=VALUE         a live parameter, dt or gravity: set force.0.friction=0.4
  swap SET               as `set` of an entry of the schedule: swap 'gcd = { plugin = "dess"; };'
  compare SET [SET]      two sets of plugins from the current state; one SET: with the current plugins
  save [NAME.h5]         a checkpoint in the folder of the run
  query WHERE            bodies in "box X0,Y0,Z0:X1,Y1,Z1" or "ball X,Y,Z:R"
  figure NAME            a figure of the state: kinetic, max_speed, OBSERVER.SCALAR
  controls               slots, live parameters, plugins
  quit                   ends the run, which writes its summary
  -                      messages from standard input, a line each, {"do": "step", "n": 10}; an answer a line
"""


class Control:
    """A run that is steered, by its folder."""

    def __init__(self, folder: pathlib.Path):
        note = folder / "live.json"
        try:
            seen = json.loads(note.read_text(encoding="utf-8") if note.is_file() or not note.exists() else "")
            if not isinstance(seen, dict) or not all(isinstance(seen.get(key), str) for key in ("socket", "host")):
                raise ValueError("expected an object with socket and host")
        except (FileNotFoundError, NotADirectoryError):
            if (folder / "manifest.json").exists():
                raise Error(f"{folder}: the run has ended") from None
            if not (folder / "scene.cfg").exists():
                raise UseError(f"{folder}: expected the folder of a run") from None
            raise Error(f"{folder}: no `scree live` steers this run ({note.name} is missing)") from None
        except ValueError as error:
            raise Error(f"{note}: {error}") from None
        other = connect(seen["socket"]) if seen["host"] == platform.node() else None
        if other is None:
            where = f"it is steered on {seen['host']}: call scree ctl there" if seen["host"] != platform.node() else "its process has ended"
            raise Error(f"{folder}: {where}")
        self.file = other.makefile("rwb")

    def line(self, text: bytes) -> bytes:
        """The answer to a message, as a line."""
        self.file.write(text.rstrip(b"\n") + b"\n")
        self.file.flush()
        seen = self.file.readline()
        if not seen:
            raise Error("the run has closed the connection")
        return seen

    def call(self, do: str, **words: Any) -> Any:
        """The result of an order."""
        seen = json.loads(self.line(json.dumps({"do": do, **words}).encode()))
        if not seen["ok"]:
            raise Error(seen["error"])
        return seen["result"]


def message(order: str, words: List[str]) -> Dict[str, Any]:
    """The message of an order on the command line."""
    if order not in ORDERS:
        raise UseError(f"expected one of {', '.join(ORDERS)} or -, got {order}")
    if order == "set":
        words = "=".join(words).split("=", 1)
    names = ORDERS[order]
    if names and order not in ("set", "compare"):
        words = [*words[:len(names) - 1], " ".join(words[len(names) - 1:])] if words else []
    if len(words) > len(names) or order in ("set", "swap", "query", "until", "compare", "figure") and not words or order == "set" and len(words) < 2:
        raise UseError(f"{order}: expected {' '.join(names).upper() or 'no words'}, got {' '.join(words) or 'none'}")
    if order == "compare" and len(words) == 1:
        words = ["", *words]
    found: Dict[str, Any] = dict(zip(names, words))
    if "n" in found:
        if not found["n"].isdigit():
            raise UseError(f"step: expected a number of steps, got {found['n']}")
        found["n"] = int(found["n"])
    return {"do": order, **found}


def main(words: Optional[List[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="scree ctl", description="Steers a run of `scree live`.", epilog=HELP,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", type=pathlib.Path, help="the folder of the run")
    parser.add_argument("order", metavar="ORDER")
    parser.add_argument("words", metavar="WORD", nargs="*")
    given = parser.parse_args(words)
    try:
        if given.order != "-":
            one = message(given.order, given.words)
            print(json.dumps(Control(given.run).call(**one), indent=2))
            return 0
        control, good = Control(given.run), True
        for line in sys.stdin.buffer:
            seen = control.line(line)
            good = good and json.loads(seen)["ok"]
            sys.stdout.buffer.write(seen)
            sys.stdout.buffer.flush()
        return 0 if good else 1
    except (Error, OSError) as error:
        print(f"scree ctl: {error}", file=sys.stderr)
        return 2 if isinstance(error, UseError) else 1
