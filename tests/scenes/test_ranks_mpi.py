# SPDX-License-Identifier: Apache-2.0
"""Ranks on MPI (plugins/domain/mpi.c): `scree check` under a launcher, and launchers that do not fit.

usage: test_ranks_mpi.py SCREE FOLDER_OF_PLUGINS PIECES
PIECES: a build of a plugin with messages in pieces of 64 KiB
"""
import json
import os
import pathlib
import shlex
import shutil
import sys

import runs
import tap

PLUGINS, PIECES = (pathlib.Path(p).resolve() for p in sys.argv[2:4])
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "-n"], "mpich": ["mpirun.mpich", "-n"]}
os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def is_here(mpi):
    return (PLUGINS / f"mpi_{mpi}.so").exists() and shutil.which(LAUNCHERS[mpi][0])


def verdict(top, file, case, launcher):
    """Word and text of a case."""
    words = ("--launcher", shlex.join(launcher)) if launcher else ()
    result = runs.scree(top, "check", file, "--case", case, "--json", *words)
    plugins = json.loads(result.stdout)["plugins"] if result.returncode in (0, 3) else []
    return [(case["verdict"], case["text"] or "") for plugin in plugins for case in plugin["cases"]] or [("none", result)]


def test_pieces(top):
    for case in ("exchange", "gather", "broadcast", "mismatch"):
        found = verdict(top, PIECES, case, LAUNCHERS[PIECES.stem.split("_")[1]])
        tap.check(f"messages in pieces: {case}", found[0][0] == "ok", found)


def test_launchers(top):
    """A launcher that is missing, starts nothing, fails, or belongs to another MPI."""
    mpi = "mpich" if is_here("mpich") else "openmpi"
    file = PLUGINS / f"mpi_{mpi}.so"
    for name, words, wanted, text in (
            ("no launcher", None, "skip", "--launcher"), ("one that is not here", ["no-such-launcher"], "not ok", "no-such-launcher"),
            ("one that starts nothing", ["true"], "not ok", "process 0 of 1 ended in a call"),
            ("one that fails", ["false"], "not ok", "the launcher has status 1")):
        (word, said), *_ = verdict(top, file, "join", words)
        tap.check(f"{name}: {wanted}", word == wanted and text in said, (word, said))
    (word, said), *_ = verdict(top, file, "join", ["sh", "-c", 'shift; exec "$@"', "sh"])
    tap.check("a process that no launcher has started is not a rank", word == "not ok" and "no launcher has started this process" in said,
              (word, said))
    result = runs.scree(top, "check", PLUGINS.parent / "gcd/grid.so", "--launcher", "true")
    tap.check("a launcher is only for a domain", result.returncode == 2 and "no plugin of kind domain" in result.stderr, result)
    if not (is_here("openmpi") and is_here("mpich")):
        tap.skip("a launcher of another MPI is refused", "only one MPI is here")
        return
    for mpi, other, n in (("openmpi", "mpich", 0), ("mpich", "openmpi", 1)):
        (word, said), *_ = verdict(top, PLUGINS / f"mpi_{mpi}.so", "join", LAUNCHERS[other])
        tap.check(f"{mpi} refuses the launcher of {other}, by both numbers", word == "not ok" and "the launcher says " in said
                  and f" says {n}:" in said, (word, said))


if is_here("openmpi") or is_here("mpich"):
    tap.in_folders(test_pieces, test_launchers)
else:
    tap.finish(lambda: tap.skip("ranks on MPI", "no MPI, or no launcher of it, is here"))
