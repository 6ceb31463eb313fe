# SPDX-License-Identifier: Apache-2.0
"""The libraries that a start of the program loads: few, and HDF5 only for a checkpoint.

usage: test_start.py SCREE SCENE.cfg
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import runs
import tap

SCREE, SCENE = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
MOST_LIBRARIES = 20


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SCREE_", "LD_"))}
    env.update(LC_ALL="C", XDG_DATA_HOME="/nonexistent", **more)
    return env


def linked(program):
    """Names of the libraries that the linker loads with a program."""
    seen = subprocess.run(["ldd", str(program)], env=environment(), text=True, capture_output=True, timeout=60)
    return [line.split()[0] for line in seen.stdout.splitlines() if line.strip()]


def loaded(top, *args):
    """The result of a command, and the files that its processes have loaded, later ones included."""
    with tempfile.TemporaryDirectory(dir=top) as traces:
        env = environment(LD_DEBUG="files", LD_DEBUG_OUTPUT=f"{traces}/trace")
        result = runs.scree(top, *args, env=env)
        text = "".join(path.read_text(errors="replace") for path in sorted(pathlib.Path(traces).iterdir()))
    return result, re.findall(r"calling init: (\S+)", text)


def hdf5(files):
    return [file for file in files if "libhdf5" in file or "libcurl" in file]


def test_linked():
    names = linked(SCREE)
    tap.check(f"the program is linked with at most {MOST_LIBRARIES} libraries", 3 < len(names) <= MOST_LIBRARIES,
              "\n".join(names))
    unwanted = [name for name in names if re.search("hdf5|curl|ssl|ldap|krb5", name)]
    tap.check("none of them is HDF5 or one that HDF5 brings", not unwanted, unwanted)


def test_run(top):
    result, files = loaded(top, "run", SCENE, "-q", "--steps", "3")
    tap.check("a run without a checkpoint loads plugins but not HDF5", result.returncode == 0
              and any(file.startswith("/proc/") for file in files) and not hdf5(files),
              (result, files))
    result, files = loaded(top, "run", SCENE, "-q", "--steps", "4", "-o", "saved", "--set", "checkpoint={every_steps=2;}")
    tap.check("a run with checkpoints loads HDF5", result.returncode == 0 and hdf5(files), (result, files))
    result, files = loaded(top, "run", "-q", "--restart", "saved", "--steps", "1")
    tap.check("a restart loads HDF5", result.returncode == 0 and hdf5(files), (result, files))


def test_others(top):
    for args in (["--version"], ["validate", SCENE], ["plugins", "gcd/grid"]):
        result, files = loaded(top, *args)
        tap.check(f"scree {args[0]} does not load HDF5", result.returncode == 0 and files and not hdf5(files),
                  (result, files))


def test_limits(top):
    for name in ("SCREE_LOAD_LIMIT", "SCREE_CHECK_LIMIT", "SCREE_SWAP_LIMIT"):
        for value in ("abc", "0", "-5", "3 s", "1e99", "nan"):
            seen = runs.scree(top, "plugins", env=environment(**{name: value}))
            tap.check(f"{name}={value} is refused", seen.returncode == 2
                      and f'{name}: expected seconds, above 0 and at most 1e+06, got "{value}"' in seen.stderr, seen)


def run():
    test_linked()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name).resolve()
        test_run(top)
        test_others(top)
        test_limits(top)


tap.finish(run)
