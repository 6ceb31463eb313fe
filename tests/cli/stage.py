# SPDX-License-Identifier: Apache-2.0
"""A fresh installation in a scratch prefix, and a folder of plugins built against it."""
import json
import os
import shlex
import shutil

import runs
import tap

C = "-Wall -Wextra -Werror -O2 -fPIC -ffp-contract=off".split()
LINK = ["-shared", "-Wl,-z,defs"]


class Stage:
    def __init__(self, top, meson, build, cc):
        self.top, self.root, self.plugins, self.cc, self.path = top, top / "stage", top / "plugins", cc, os.environ["PATH"]
        self.plugins.mkdir()
        done = self.call(*meson, "install", "-C", build, "--no-rebuild", DESTDIR=self.root)
        tap.check("meson install ends well", done.returncode == 0, done)
        self.pc = next(self.root.rglob("scree.pc"))
        self.scree = next(self.root.rglob("bin/scree"))
        self.flags = shlex.split(self.config("--cflags"))

    def config(self, *words):
        """Output of pkg-config."""
        return self.call("pkg-config", *words, "scree", PKG_CONFIG_PATH=self.pc.parent).stdout.strip()

    def call(self, *command, cwd=None, **env):
        return runs.call(cwd or self.top, *command, env=runs.environment(XDG_DATA_HOME=self.top / "data", **env))

    def build(self, path, *more, given=()):
        """Builds a plugin from C, with objects of other languages or not, and checks it with these parameters."""
        out = self.plugins / (path.stem + ".so")
        symbols = [f"-Wl,--version-script={self.config('--variable=symbols')}"] if more else []
        return self.built(out, path, self.call(*self.cc, "-std=c11", *C, "-fvisibility=hidden", *self.flags, path,
                                               *more, *LINK, *symbols, "-o", out, "-lm"), given)

    def build_folder(self, folder):
        """Builds a plugin of several files in C."""
        out = self.plugins / (folder.name + ".so")
        done = self.call(*self.cc, "-std=c11", *C, "-fvisibility=hidden", *self.flags, *sorted(folder.glob("*.c")), *LINK,
                         "-o", out, "-lm")
        return self.built(out, folder, done)

    def build_cxx(self, path):
        out = self.plugins / (path.stem + ".so")
        return self.built(out, path, self.call("c++", "-std=c++17", "-fno-exceptions", "-fno-rtti", *C,
                                               "-fvisibility=hidden", *self.flags, path, *LINK, "-o", out, "-lm"))

    def build_rust(self, path):
        out = self.plugins / (path.stem + ".so")
        return self.built(out, path, self.call("rustc", "--edition", "2021", "-D", "warnings", "-C", "opt-level=3", "-C",
                                               "strip=symbols", "--crate-type", "cdylib", path, "-o", out,
                                               SCREE_RS=self.config("--variable=rust")))

    def build_fortran(self, kernel, manifest):
        """A kernel in Fortran next to a manifest in C."""
        part = self.top / (kernel.stem + ".o")
        done = self.call("gfortran", "-std=f2018", *C, "-J", self.top, "-c", kernel, "-o", part)
        if done.returncode != 0:
            return self.built(part, kernel, done)
        return self.build(manifest, part)

    def built(self, out, path, done, given=()):
        tap.check(f"{path.name} builds against the installed headers only", done.returncode == 0, done)
        seen = self.call(self.scree, "check", out, *(word for value in given for word in ("--set", value)))
        tap.check(f"{path.name} passes scree check", seen.returncode == 0, seen)
        return seen.stdout

    def run(self, scene, folder, *words):
        """(the object of --json, rows of events.csv)"""
        done = self.call(self.scree, "run", "--plugin-path", self.plugins, *([scene] if scene else []),
                         "-q", "--json", "-o", folder, *words)
        table = self.top / folder / "events.csv"
        rows = runs.read_table(table) if table.exists() else []
        if done.returncode != 0:
            tap.check(f"{folder} runs", False, done)
        return json.loads(done.stdout or "{}"), rows


def missing(*tools):
    """Why what needs these compilers is left out; "" when all are there."""
    gone = [tool for tool in tools if not shutil.which(tool)]
    return f"there is no {' and no '.join(gone)} here (./bootstrap setup ci)" if gone else ""
