# SPDX-License-Identifier: Apache-2.0
"""The tarball runs where only the C library is, the wheel in a new environment: with the states of the build.

usage: test_bundle.py SCREE MESON BUILD BUNDLE
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import tap
from runs import call, environment, scree

MESON, (BUILD, BUNDLE) = shlex.split(sys.argv[2]), (pathlib.Path(a).resolve() for a in sys.argv[3:5])
C_LIBRARY = ["ld-linux-x86-64.so.2", *(f"lib{name}.so.?" for name in ("c", "m", "dl", "pthread", "rt", "resolv"))]
FIVE_LINES = """import scree
run = scree.open("hopper", generate={"beads": {"count": 200}}, observers={})
run.advance(steps=200)
print(run.figure("kinetic") > 0.0, run.steps)
print(run.hash)
"""
HOPPER = ["--set", "generate.beads.count=200", "--set", "observers={}", "--steps", "200"]


def options():
    rows = json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text(encoding="utf-8"))
    return {row["name"]: row["value"] for row in rows}


def state_of(text):
    found = re.search(r"^state_sha256  (\w+)$", text, re.M)
    return found[1] if found else text


def make(top):
    """Tarball and wheel from an installation of the build."""
    done = call(top, *MESON, "install", "-C", BUILD, "--no-rebuild", env=environment(DESTDIR=top / "stage"))
    prefix = top / "stage" / options()["prefix"].lstrip("/")
    made = call(top, BUNDLE, prefix, "--tar", "scree.tar.xz", "--wheel", "wheels", timeout=1800)
    tap.check("an installation becomes a tarball and a wheel", done.returncode == 0 == made.returncode, (done.stderr, made))
    libs, notices = (sorted(prefix.glob(one)) for one in ("lib*/**/scree/libs/*", "share/doc/scree/libraries/*"))
    tap.check("each library is copied as a file, with the copyright files of its package", len(libs) > 30 and len(notices) > 20
              and not any(path.is_symlink() for path in libs) and all(path.stat().st_size for path in notices), (libs, notices))
    return made.returncode == 0


def make_root(top):
    """A root folder with the C library and the unpacked tarball, not where it was installed."""
    root = top / "root"
    for folder in ("proc", "dev", "tmp", "home"):
        (root / folder).mkdir(parents=True)
    (root / "dev/null").touch()
    for path in (path for folder in ("lib64", "lib/x86_64-linux-gnu") for name in C_LIBRARY for path in pathlib.Path("/", folder).glob(name)):
        (root / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, root / path.relative_to("/"))
    call(root / "home", "tar", "xf", top / "scree.tar.xz")
    (place,) = (root / "home").iterdir()
    return root, place.rename(root / "home/any place")


def in_root(root, *words):
    script = 'mount --bind /proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && exec chroot "$0" "$@"'
    return call(root, "unshare", "-m", "sh", "-c", script, root, *words, env={"PATH": os.environ["PATH"], "HOME": "/tmp"})


def test_tarball(top):
    claim = "the tarball runs where only the C library is"
    if os.getuid() != 0 or call(top, "unshare", "-m", "mount", "--bind", "/proc", "/proc").returncode != 0:
        tap.skip(claim, "a new root folder needs root and mounts")
        return
    root, place = make_root(top)
    program = f"/{place.relative_to(root)}/bin/scree"
    seen = in_root(root, program, "run", "hopper", "-q", *HOPPER)
    here = scree(top, "run", "hopper", "-q", *HOPPER)
    tap.check(claim + ", with the state of the build", seen.returncode == 0 and state_of(seen.stdout) == state_of(here.stdout), seen)
    names = sorted(path.stem for path in place.glob("share/scree/start/*.cfg"))
    wrong, written = [], 0
    for name in [None, *names]:
        like = ["--like", name] if name else []
        steps = [in_root(root, program, "new", "scene", f"{name}", "/tmp", *like), in_root(root, program, "validate", f"/tmp/{name}.cfg"),
                 in_root(root, program, "run", f"/tmp/{name}.cfg", "-q", "--steps", "20", "-o", f"/tmp/run-{name}",
                         "--set", "checkpoint.at_end=true")]
        wrong += [one for one in steps if one.returncode]
        written += len(list((root / "tmp").glob(f"run-{name}/**/*.png"))) + len(list((root / "tmp").glob(f"run-{name}/*.h5")))
    tap.check("so does each scene of `scree new`, with its pictures and its checkpoint", not wrong and len(names) >= 6
              and written >= 2 * len(names), (wrong, names, written))
    seen = [in_root(root, program, *words) for words in (("plugins",), ("check", f"/{place.relative_to(root)}/lib/scree/plugins/gcd/grid.so", "--case", "symbols"))]
    tap.check("so do its other commands", all(one.returncode == 0 for one in seen) and "grid" in seen[0].stdout, seen)


def test_wheel(top):
    (wheel,) = (top / "wheels").glob("*.whl")
    call(top, sys.executable, "-m", "venv", "venv")
    done = call(top, "venv/bin/python", "-m", "pip", "install", "--no-index", wheel, env=environment(PIP_CONFIG_FILE="/dev/null"))
    tap.check("pip installs the wheel without an index", done.returncode == 0 and re.fullmatch(
        r"scree-[\d.]+-py3-none-manylinux_2_\d+_x86_64\.whl", wheel.name), done)
    here = state_of(scree(top, "run", "hopper", "-q", *HOPPER).stdout)
    seen = call(top, "venv/bin/scree", "run", "hopper", "-q", *HOPPER)
    tap.check("its command runs, with the state of the build", seen.returncode == 0 and state_of(seen.stdout) == here, seen)
    (top / "five.py").write_text(FIVE_LINES)
    seen = call(top, "venv/bin/python", "five.py")
    tap.check("five lines of Python end in that state", seen.stdout.split() == ["True", "200", here], (seen, here))
    script = FIVE_LINES + 'print(*{line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}, sep="\\n")'
    maps = call(top, "venv/bin/python", "-c", script).stdout.splitlines()[2:]
    foreign = [path for path in maps if not path.startswith(str(top)) and not re.search(
        r"/(ld-linux|lib(c|m|dl|ffi|pthread|rt|resolv|util|python))[\w.-]*\.so|/python3[\w./-]*\.so", path)]
    tap.check("all libraries that it loads are its own, but those of C and of Python", not foreign and any("libscree" in path for path in maps), maps)
    subprocess.run([top / "venv/bin/python", "-m", "pip", "uninstall", "-qy", "scree"], check=False)
    left = [path for name in ("scree", "scree-*") for path in (top / "venv").rglob(name)]
    tap.check("uninstalling removes all of it", not left, left)


def run(top):
    if not options()["bundle"]:
        tap.skip("tarball and wheel", "this build is not configured with -Dbundle=true")
        return
    if make(top):
        test_tarball(top)
        test_wheel(top)


tap.in_folder(run)
