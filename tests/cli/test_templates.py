# SPDX-License-Identifier: Apache-2.0
"""A stranger's first plugin of each kind, with what is installed and nothing else: `scree new KIND NAME`, then the
commands of its README.md; the results of its scene are right. All are built by Meson too.

usage: test_templates.py MESON BUILD "CC ARG..." [each]

With `each` every folder is a Meson project of its own, else all are built by one that holds them.
"""
import json
import math
import os
import pathlib
import re
import shlex
import sys

import tap
from runs import read_numbers
from stage import Stage, missing

MESON, BUILD, CC = shlex.split(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]


class Workshop(Stage):
    """A fresh installation, and a folder to work in, where its commands are found."""

    def __init__(self, top):
        self.made, self.env = top / "made", {}
        self.made.mkdir()
        super().__init__(top, MESON, BUILD, CC)
        (top / "bin").mkdir()
        cc = top / "bin/cc"
        # With the previous PATH, because CC may name this very program.
        cc.write_text(f'#!/bin/sh\nPATH={shlex.quote(os.environ["PATH"])} exec {CC} -std=c11 -Wall -Wextra -Wconversion -Werror "$@"\n')
        cc.chmod(0o755)
        self.env.update(PKG_CONFIG_PATH=self.pc.parent,
                        PATH=f"{top}/bin:{self.scree.parent}:{os.environ['PATH']}")

    def call(self, *command, cwd=None, **env):
        return super().call(*command, cwd=cwd or self.made, **{**self.env, **env})

    def variable(self, name):
        """The path that a variable of scree.pc gives."""
        return pathlib.Path(self.call("pkg-config", f"--variable={name}", "scree").stdout.strip()).resolve()

    def run(self, name, folder, *words):
        done = self.call("scree", "run", f"{name}.cfg", "-q", "-o", folder, *words, cwd=self.made / name)
        tap.check(f"{name}.cfg runs with {' '.join(words)}", done.returncode == 0, done)

    def rows(self, name, table, folder="runs/latest"):
        """Rows of a table of a run, numbers as such."""
        return read_numbers(self.made / name / folder / f"{table}.csv")

    def summary(self, name, folder="runs/latest"):
        return json.loads((self.made / name / folder / "summary.json").read_text())


def near(ones, others, keys, within):
    """Whether two tables agree in some columns."""
    return len(ones) == len(others) > 1 and all(abs(a[key] - b[key]) <= within
                                                for a, b in zip(ones, others) for key in keys)


def check_force(stage, name):
    rows = [row for row in stage.rows(name, "bodies") if row["name"] != "floor"]
    lowest = min(rows, key=lambda row: row["z"])
    highest = max(row["z"] for row in rows if row["time"] > lowest["time"])
    tap.check("force: a ball comes back to where it was dropped", lowest["z"] < 5e-3 and abs(highest - 15e-3) < 2e-5,
              (lowest, highest))


def check_gcd(stage, name):
    stage.run(name, "other", "--set", 'gcd={plugin="pairing";}')
    ones, others = stage.summary(name), stage.summary(name, "other")
    tap.check("gcd: its state is that of another contact detection, and bodies touch", ones["contacts_at_end"] > 10
              and ones["state_sha256"] == others["state_sha256"], (ones, others))


def check_integrator(stage, name):
    stage.run(name, "other", "--set", 'integrator={plugin="symplectic_euler";}')
    ones, others = stage.rows(name, "bodies"), stage.rows(name, "bodies", "other")
    tap.check("integrator: it moves and turns two balls as another program of the same scheme does, through a contact",
              near(ones, others, ("x", "y", "vx", "vy", "wy", "wz"), 1e-9) and abs(ones[-1]["wz"]) > 1.0
              and ones[0]["vx"] * ones[-2]["vx"] < 0.0, (ones[-2:], others[-2:]))


def check_resolver(stage, name):
    stage.run(name, "short", "--steps", "10000")
    stage.run(name, "other", "--steps", "10000", "--set", 'resolvers=({plugin="sphere";})')
    ones, others = stage.rows(name, "contacts", "short"), stage.rows(name, "contacts", "other")
    tap.check("resolver: its contacts are those of another one", near(ones, others, ("depth", "nx", "nz", "x", "fz"), 1e-9),
              (ones[-3:], others[-3:]))
    tap.check("resolver: balls come to rest on planes and on each other", stage.summary(name)["contacts_at_end"] >= 20,
              stage.summary(name))


def refuse_values(stage, name):
    """A shape that refuses what `scree check` puts in for its half axes, of which no two are equal."""
    text = (stage.made / name / f"{name}.c").read_text()
    spoiled = text.replace("    *instance = self;\n",
                           '    *instance = NULL;\n    return host->fail(host->ctx, SCREE_E_CONFIG, "no such axes");\n', 1)
    folder = stage.made / "refuses"
    folder.mkdir()
    (folder / f"{name}.c").write_text(spoiled)
    flags = stage.call("pkg-config", "--cflags", "scree").stdout.split()
    built = stage.call("cc", "-fPIC", "-shared", "-fvisibility=hidden", *flags, f"{name}.c", "-o", f"{name}.so", "-lm",
                       cwd=folder)
    done = stage.call("scree", "check", f"{name}.so", "--case", "measure", cwd=folder)
    tap.check("shape: a refusal of values that the check made up names them, and --set", spoiled != text
              and built.returncode == 0 and done.returncode == 3
              and "no such axes (bad config, -1); the check made up axes=(1.0, 0.8, 0.6)" in done.stdout
              and "--set NAME=VALUE gives others" in done.stdout, (built, done))


def check_shape(stage, name):
    """Two solids of half axes 30, 20, 10 mm and 2000 kg/m^3, at 60 and 80 mm; one spins, one flies."""
    mass = 2000.0 * 4.0 / 3.0 * math.pi * 0.03 * 0.02 * 0.01
    moments = [mass * (0.02**2 + 0.01**2) / 5.0, mass * (0.03**2 + 0.01**2) / 5.0]
    start = mass * 9.81 * 0.14 + 0.5 * mass * 0.8**2 + 0.5 * (moments[0] * 0.5**2 + moments[1] * 30.0**2)
    energy = stage.summary(name)["energy"]
    refuse_values(stage, name)
    tap.check("shape: weight, speed and spin have the energy of a closed form", abs(energy["start"] / start - 1.0) < 1e-12,
              (energy, start))
    tap.check("shape: the energy account of collisions is closed", energy["lost"] > 0.5 * start
              and abs(energy["residual"]) < 1e-3 * start, energy)
    rows = [row for row in stage.rows(name, "bodies") if row["name"] != "floor"]
    lowest = min(row["z"] for row in rows)
    tap.check("shape: on the floor a centre is at least the smallest half axis up, but for the overlap",
              0.01 - math.sqrt(2.0 * mass * 9.81 * 0.08 / 2e5) < lowest < 0.02, lowest)
    apart = [math.dist(*([row[k] for k in "xyz"] for row in pair)) for pair in zip(rows[::2], rows[1::2])]
    tap.check("shape: two solids meet, nearer than they would as balls, and stay apart", 0.0197 < min(apart) < 0.06, min(apart))


def check_source(stage, name):
    """Twelve balls fly off along the tangents of a circle of 0.1 m at 2 m/s."""
    rows = stage.rows(name, "bodies")
    off = max(abs(math.hypot(row["x"], row["y"]) - math.hypot(0.1, 2.0 * row["time"])) for row in rows)
    tap.check("source: balls of a ring fly apart as the closed form says", len(rows) == 12 * 11 and off < 1e-12
              and rows[-1]["time"] > 0.09, (off, rows[-1]))
    gap = 2.0 * 0.1 * math.sin(math.pi / 12.0)
    rows = sorted(rows[:12], key=lambda row: row["id"])
    near_ones = [math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a, b in zip(rows, rows[1:])]
    tap.check("source: at the start neighbours are equally far apart, a diameter takes 0.8 of that",
              all(abs(d - gap) < 1e-15 and abs(row["radius"] - 0.4 * gap) < 1e-15 for d, row in zip(near_ones, rows)), near_ones)


def check_modifier(stage, name):
    rows = stage.rows(name, "bodies")
    tau, wind = 2.0 * 2500.0 * 1e-8 / (9.0 * 1.8e-5), {"vx": 0.5, "vy": 0.0, "vz": 0.2}
    off = max(abs(row[key] - u * (1.0 - math.exp(-row["time"] / tau))) for row in rows for key, u in wind.items())
    # The scheme takes the drag with the velocity of the half step: dt / (2 tau) of the slope.
    tap.check("modifier: dust gains the speed of the wind as the closed form says", len(rows) > 50 and off < 0.5e-4 / tau,
              (off, rows[-1]))


def check_observer(stage, name):
    rows = stage.rows(name, name)
    falls = [abs(row["height"] - rows[0]["height"] + 0.5 * 9.81 * row["time"] ** 2) < 1e-9 for row in rows]
    tap.check("observer: its table shows a free fall", len(rows) > 30 and all(falls)
              and all(row["bodies"] == 100 for row in rows), rows)


CHECKS = {name[6:]: function for name, function in globals().items() if name.startswith("check_")}


def check_pages(docs):
    """The pages for authors of plugins are installed, and lead to no page that is not."""
    pages = [docs / "abi/README.md", docs / "docs/howto/check-a-plugin.md", *docs.glob("docs/howto/write-a*.md")]
    links = {page: re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()) for page in pages}
    broken = [(page, link) for page in pages for link in links[page] if not (page.parent / link).exists()]
    tap.check("the pages for authors are where scree.pc says, and their links lead to installed pages",
              len(pages) > len(CHECKS) and sum(map(len, links.values())) > 10 and not broken, (pages, broken))


def test_kind(stage, kind, name, *language):
    made = stage.call("scree", "new", kind, name, *language)
    tap.check(f"{kind}: scree new writes a folder, and prints where scree.pc is", made.returncode == 0
              and f"wrote {name};" in made.stdout and f"PKG_CONFIG_PATH={stage.env['PKG_CONFIG_PATH']}\n" in made.stdout, made)
    page = (stage.made / name / "README.md").read_text()
    commands = "\n".join(re.findall(r"^    (.*)$", page, re.M))
    seen = stage.call("sh", "-e", "-c", commands, cwd=stage.made / name)
    tap.check(f"{kind}: the commands of its README build it, check it and run its scene", seen.returncode == 0
              and ("rustc " if language else "cc ") in commands and f"scree check {name}.so" in commands and f"scree run {name}.cfg" in commands,
              seen)
    tap.check(f"{kind}: it passes every case of scree check", re.search(r"^\d+ ok, 0 failed,", seen.stdout, re.M)
              and "\nnot ok" not in seen.stdout, seen)
    warnings = re.findall("warning: (.*)", seen.stdout)
    tap.check(f"{kind}: and has no warning of it", [text for text in warnings if not (
        language and text.startswith("it imports abort:"))] == [], seen)  # as all of Rust's standard library does
    tap.check(f"{kind}: its scene runs without a warning", not seen.stderr and f"{kind}/{name} 0.1.0" in seen.stdout, seen)
    if seen.returncode == 0:
        CHECKS[kind](stage, name)


def test_meson(stage, names, each):
    top = stage.top
    if not each:
        (top / "meson.build").write_text("project('all', 'c', subproject_dir: 'made')\n"
                                         + "".join(f"subproject('{name}')\n" for name in names))
    folders = [stage.made / name for name in names] if each else [top]
    for folder in folders:
        done = stage.call(*MESON, "setup", "-Dwerror=true", "out", cwd=folder, CC=CC)
        done = stage.call("ninja", "-C", "out", cwd=folder) if done.returncode == 0 else done
        tap.check(f"{folder.name if each else 'all of them'}: Meson builds against scree.pc", done.returncode == 0, done)
    for name in names:
        built = stage.made / name / f"out/{name}.so" if each else top / f"out/made/{name}/{name}.so"
        seen = stage.call("scree", "plugins", built)
        tap.check(f"{name}: scree takes the file of Meson", seen.returncode == 0
                  and f"/{name} 0.1.0" in seen.stdout, (built, seen))


def test_rust(stage):
    """The law in Rust is that in C, to the last bit."""
    reason = missing("rustc")
    if reason:
        tap.skip("the template in Rust", reason)
        return
    test_kind(stage, "force", "rusty", "--language=rust")
    hashes = [stage.summary(name)["state_sha256"] for name in ("rusty", "first_force")]
    tap.check("both laws end in the same state", hashes[0] == hashes[1], hashes)
    seen = stage.call("scree", "new", "force", "next", "--language", "rust")
    command = next(line for line in seen.stdout.splitlines() if "rustc" in line)
    done = stage.call("sh", "-e", "-c", command, cwd=stage.made / "next")
    tap.check("the command that scree new prints builds it", done.returncode == 0 and (stage.made / "next/next.so").exists(), done)
    done = stage.call(*MESON, "setup", "out", cwd=stage.made / "next")
    done = stage.call("ninja", "-C", "out", cwd=stage.made / "next") if done.returncode == 0 else done
    tap.check("so does Meson", done.returncode == 0 and (stage.made / "next/out/next.so").exists(), done)
    for words, said in ((("gcd", "x", "--language=rust"), "expected the kind force, which has a template in it, got gcd"),
                        (("force", "x", "--language=perl"), 'expected c or rust, got "perl"'),
                        (("scene", "x", "--language=rust"), "--language goes with a KIND of plugin, not with scene")):
        seen = stage.call("scree", "new", *words)
        tap.check(f"new {' '.join(words)} is refused", seen.returncode == 2 and said in seen.stderr
                  and not (stage.made / "x").exists(), seen)


def test_missing(stage):
    """An installation without its templates."""
    folder = stage.variable("templatedir")
    folder.rename(stage.top / "kept")
    seen = stage.call("scree", "new", "force", "other")
    tap.check("templates that are missing are reported with their path", seen.returncode == 1 and str(folder) in seen.stderr
              and "the templates of this installation are missing: " in seen.stderr and not (stage.made / "other").exists(), seen)


def run(top):
    stage = Workshop(top)
    kinds = sorted(path.name for path in stage.variable("templatedir").iterdir() if path.is_dir())
    check_pages(stage.variable("docdir"))
    tap.check("the folder that scree.pc names has a template of each kind", kinds == sorted(CHECKS), kinds)
    names = {kind: f"first_{kind}" for kind in kinds}
    for kind, name in names.items():
        test_kind(stage, kind, name)
    test_rust(stage)
    test_missing(stage)
    test_meson(stage, sorted(names.values()), sys.argv[4:] == ["each"])


tap.in_folder(run)
