#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command `scree NAME`, as the file scree-NAME: main() of the module scree.NAME of this installation."""
import importlib
import pathlib
import signal
import sys

here = pathlib.Path(__file__).resolve()


def stop(number, _):
    """A signal while modules are loaded, or while the command has nothing to save."""
    print(f"{here.name.replace('-', ' ', 1)}: stopped by {signal.Signals(number).name}", file=sys.stderr)
    sys.exit(4)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
for one in SIGNALS:
    if signal.getsignal(one) is not signal.SIG_IGN:
        signal.signal(one, stop)
signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)  # scree has blocked them until now
packages = [str(folder) for top in here.parents for folder in (top, *sorted(top.glob("lib*/python3*/*-packages")))
            if (folder / "scree/_results.py").is_file()]
sys.path[:0] = packages[:1]  # otherwise that of this Python
sys.exit(importlib.import_module(here.name.replace("-", ".", 1)).main(sys.argv[1:]))
