# SPDX-License-Identifier: Apache-2.0
"""`python -m scree ..` is the program scree of this installation; a wheel has it as the command scree."""
import os
import pathlib
import signal
import sys
from typing import Any, Callable, Dict

from ._library import find


def heed(handler: Callable[[int, Any], Any]) -> Dict[int, Any]:
    """Lets a function handle the signals that end a command, except those that its caller ignores (nohup); the handlers before."""
    return {one: signal.signal(one, handler) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) is not signal.SIG_IGN}


def program() -> str:
    """The path of the program: the one that has called this command, or the one next to the library."""
    top = pathlib.Path(find()).resolve().parent
    places = [folder / name for folder in (top, *top.parents) for name in ("bin/scree", "core/scree")]
    path = os.environ.get("SCREE_PROGRAM") or next((str(one) for one in places if os.access(one, os.X_OK)), None)
    if path is None:
        sys.exit("scree: the program is missing next to its library")
    return path


def main():
    """Becomes the program."""
    os.execv(program(), [program(), *sys.argv[1:]])


if __name__ == "__main__":
    main()
