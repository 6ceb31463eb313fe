# SPDX-License-Identifier: Apache-2.0
"""The Debian packages build from a copy of the sources, lintian finds no fault in them, and their files run.

usage: test_debian.py SOURCE

SCREE_DEB_OPTIONS: DEB_BUILD_OPTIONS of the build, as "noopt".
"""
import os
import pathlib
import re
import shutil
import sys

import tap
from runs import call, environment

SOURCE = pathlib.Path(sys.argv[1]).resolve()
PACKAGES = ("scree", "libscree0", "libscree-dev", "python3-scree")
FIVE_LINES = """import scree
run = scree.open("hopper", generate={"beads": {"count": 200}}, observers={})
run.advance(steps=200)
print(scree.__file__)
print(run.hash)
"""


def left_out(folder, names):
    """Builds and runs in the top folder."""
    return [name for name in names if pathlib.Path(folder) == SOURCE and (name.startswith("build") or name in (".git", "runs"))]


def run(top):
    missing = [tool for tool in ("dpkg-buildpackage", "dh", "dh_python3", "lintian") if not shutil.which(tool)]
    if missing:
        tap.skip("Debian packages", f"{', '.join(missing)} missing: apt-get install debhelper dh-python dpkg-dev lintian")
        return
    shutil.copytree(SOURCE, top / "scree", ignore=left_out)
    shutil.copytree(SOURCE / "contrib/packaging/debian", top / "scree/debian")
    env = environment(DEB_BUILD_OPTIONS=f"nocheck {os.environ.get('SCREE_DEB_OPTIONS', '')}", PATH="/usr/sbin:/usr/bin:/sbin:/bin")
    done = call(top / "scree", "dpkg-buildpackage", "-us", "-uc", "-b", "-d", env=env, timeout=7000)
    files = {name: next(top.glob(f"{name}_*.deb"), None) for name in PACKAGES}
    tap.check("dpkg-buildpackage makes the four packages", done.returncode == 0 and all(files.values()), f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    if not all(files.values()):
        return
    seen = call(top, "lintian", "--no-cfg", "--fail-on", "error,warning", *files.values(), timeout=900)
    tap.check("lintian has neither errors nor warnings", seen.returncode == 0 and not re.search("^[EW]:", seen.stdout, re.M), seen)
    for path in files.values():
        call(top, "dpkg", "-x", path, top / "root")
    words = ["--set", "generate.beads.count=200", "--set", "observers={}", "--steps", "200", "-q"]
    ran = call(top, top / "root/usr/bin/scree", "run", "hopper", *words)
    (top / "five.py").write_text(FIVE_LINES)
    five = call(top, "/usr/bin/python3", "five.py", env=environment(PYTHONPATH=top / "root/usr/lib/python3/dist-packages"))
    lines = five.stdout.split()
    tap.check("program and Python package run from their files, and end in one state", len(lines) == 2 and str(top) in lines[0]
              and f"state_sha256  {lines[1]}" in ran.stdout, (ran, five))
    env = environment(PKG_CONFIG_PATH=next((top / "root").rglob("pkgconfig")))
    flags = call(top, "pkg-config", "--cflags", "scree", env=env).stdout.split()
    plugin = top / "root/usr/share/scree/template/force/soft.c"
    built = call(top, "cc", "-fPIC", "-shared", "-fvisibility=hidden", *flags, plugin, "-o", "soft.so", "-lm")
    tap.check("a plugin builds from the headers of libscree-dev", built.returncode == 0 and "root" in " ".join(flags), (flags, built))


tap.in_folder(run)
