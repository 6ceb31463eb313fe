# SPDX-License-Identifier: Apache-2.0
"""./bootstrap on machines that lack packages: what it installs, as which user, what it prints.

usage: test_bootstrap.py BOOTSTRAP

The machine is a folder of stand-ins that is all of PATH: apt-get and sudo write down how they were
called.
"""
import pathlib
import shutil
import subprocess
import sys

import tap

BOOTSTRAP = pathlib.Path(sys.argv[1]).resolve()
ALWAYS = ("bash", "cat", "dirname", "env", "nproc", "tr", "true")
BUILD_TOOLS = {"gcc": "exit 0", "meson": "exit 0", "ninja": "exit 0", "python3": "exit 0",
               "pkg-config": "exit 0"}


def machine(top, user, tools):
    """A folder with the stand-ins; the log is `calls` in the same folder."""
    folder = top / "bin"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ALWAYS:
        (folder / name).symlink_to(shutil.which(name))
    for name, text in {"id": f"echo {user}", **tools}.items():
        (folder / name).write_text(f"#!{shutil.which('bash')}\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    (top / "calls").write_text("", encoding="utf-8")
    return folder


def bootstrap(top, folder, *args):
    seen = subprocess.run([shutil.which("bash"), str(top / "bootstrap"), *args], cwd="/", text=True,
                          env={"PATH": str(folder), "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, check=False)
    return seen, (top / "calls").read_text(encoding="utf-8").splitlines()


def run(top):
    shutil.copyfile(BOOTSTRAP, top / "bootstrap")
    write = f"echo \"${{0##*/}} $*\" >> '{top}/calls'"
    apt = {"apt-get": write}

    seen, calls = bootstrap(top, machine(top, 0, {**BUILD_TOOLS, **apt}), "setup")
    tap.check("with all there nothing is installed", seen.returncode == 0 and not calls,
              (seen, calls))

    few = {k: v for k, v in BUILD_TOOLS.items() if k not in ("meson", "ninja")}
    seen, calls = bootstrap(top, machine(top, 0, {**few, **apt}), "setup")
    tap.check("root installs only what is missing", seen.returncode == 0 and calls ==
              ["apt-get update", "apt-get install -y --no-install-recommends meson ninja-build"],
              (seen, calls))
    seen, calls = bootstrap(top, machine(top, 1000, {**few, **apt}), "setup")
    line = "apt-get update && apt-get install -y --no-install-recommends meson ninja-build"
    tap.check("without root or sudo the exact command is printed, nothing done",
              seen.returncode == 1 and not calls and line in seen.stdout, (seen, calls))
    sudo = {"sudo": write + "; [ \"$1\" != -n ] || shift; \"$@\""}
    seen, calls = bootstrap(top, machine(top, 1000, {**few, **apt, **sudo}), "setup")
    tap.check("sudo is used where it asks for no password", seen.returncode == 0
              and "apt-get install -y --no-install-recommends meson ninja-build" in calls
              and any(call.startswith("sudo apt-get update") for call in calls), (seen, calls))
    seen, calls = bootstrap(top, machine(top, 0, few), "setup")
    tap.check("without apt-get the packages are named", seen.returncode == 1
              and "meson ninja-build" in seen.stdout, (seen, calls))
    seen, calls = bootstrap(top, machine(top, 0, apt), "setup")
    tap.check("a bare machine gets all that is needed", bool(calls) and calls[-1].endswith(
        " gcc libc6-dev meson ninja-build python3 pkg-config libglib2.0-dev libconfig-dev libjson-glib-dev "
        "nettle-dev zlib1g-dev libelf-dev libcairo2-dev libhdf5-dev libqhull-dev"), (seen, calls))
    seen, calls = bootstrap(top, machine(top, 0, {**BUILD_TOOLS, **apt}), "setup", "ci")
    tap.check("what only tests and pages use is installed by `setup ci`", seen.returncode == 0 and
              {"g++", "gnuplot-nox", "clang", "chromium"} <= set(calls[-1].split()), (seen, calls))
    seen, calls = bootstrap(top, machine(top, 0, {**few, "apt-get": write + "; exit 100"}), "test")
    tap.check("a failed installation ends it", seen.returncode != 0
              and calls == ["apt-get update"], (seen, calls))
    seen, calls = bootstrap(top, machine(top, 0, apt), "tset")
    tap.check("a wrong word shows the usage", seen.returncode == 2 and "usage:" in seen.stderr,
              (seen, calls))
    notes = {**BUILD_TOOLS, "meson": write + "; [ \"$1\" != test ]", "ninja": write}
    seen, calls = bootstrap(top, machine(top, 0, {**notes, **apt}), "test")
    tap.check("`test` configures, builds, tests and gives the tests' status",
              seen.returncode == 1 and calls == [
                  "meson setup build", "ninja -C build product",
                  "meson test -C build --suite first --quiet --print-errorlogs"], (seen, calls))
    seen, calls = bootstrap(top, machine(top, 0, {**notes, **apt}), "run")
    tap.check("`run` builds only the targets of the first run",
              calls == ["meson setup build", "ninja -C build first-run"], (seen, calls))


tap.in_folder(run)
