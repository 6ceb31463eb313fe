# SPDX-License-Identifier: Apache-2.0
"""Files and folders of `meson install`, and a plugin built only against them.

usage: test_install.py MESON BUILD "CC ARG..." VERSION_SCRIPT_FREE_SOURCE
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import runs
import tap

BUILD, SOURCE = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])
NEED_MORE = {"penetration"}  # it continues from a checkpoint that its README.md makes


def call(*command, **more):
    return runs.call(more.pop("cwd", None), *command, env=runs.environment(**more.pop("env", {})), **more)


def one(stage, pattern):
    """The one path that fits below the stage, or a path that is not there."""
    found = sorted(stage.rglob(pattern))
    return found[0] if len(found) == 1 else stage / "absent" / pattern


def test_files(stage):
    wanted = ["bin/scree", "libexec/scree/scree-tools", "libexec/scree/scree-report", "libexec/scree/scree-report.summary",
              "include/scree/scree.h", "include/scree/sdk.h", "include/scree/gcd_sdk.h",
              "include/scree/force_sdk.h", "include/scree/cell_sdk.h", "include/scree/rotation_sdk.h",
              "include/scree/vector_sdk.h", "include/scree/friction_sdk.h",
              "include/scree/digest.h", "pkgconfig/scree.pc", "man1/scree.1",
              "scree/configs/hopper.cfg", "scree/template/LICENSE", "doc/scree/abi/README.md",
              "doc/scree/docs/howto/write-a-plugin.md", "doc/scree/docs/howto/write-a-force.md", "scree/configs/README.md", "scree/template/force/soft.c", "scree/template-rust/force/soft.rs", "scree/examples/heat/heat.cfg", "scree/examples/README.md", "scree/configs/hopper.py", "scree/plugins/force/linear.so",
              "scree/plugins/gcd/grid.so", "scree/plugins/resolver/sphere.so",
              "scree/scree-hdf5.so", "scree/scree-query.so", "scree/plugins/integrator/velocity_verlet.so", "scree/plugins/observer/csv.so", "scree/plugins/plugins.json"]
    there = [str(path) for path in stage.rglob("*") if path.is_file()]
    for name in wanted:
        tap.check(f"{name} is installed", any(path.endswith("/" + name) for path in there), there)
    extra = [path for path in there if path.endswith((".a", ".o")) or "/tests/" in path]
    tap.check("nothing of tests or objects is installed", not extra, extra)


def test_pages(stage, top):
    """Links and commands of the installed pages are those of an installation."""
    pages = {path: path.read_text(encoding="utf-8") for path in stage.rglob("*.md")}
    links = [(page, target) for page, text in pages.items()
             for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", text)]
    dead = [(str(page.relative_to(stage)), target) for page, target in links if not (page.parent / target).exists()]
    tap.check("each link of an installed page leads to an installed file", len(links) > 200 and not dead, dead or len(links))
    wrong = [line for text in pages.values() for line in text.splitlines() if "tests/" not in line and re.search(
        r"build/core/scree [a-z]|contrib/(heat|rod|template|force)/|build/plugins/\w+/|man docs/|^base = \"(\.\./)?configs/", line)]
    tap.check("no installed page shows a command or a scene for the sources", not wrong, wrong)
    blocks = re.findall(r"^```sh\n(.*?)^```", pages.get(one(stage, "check-a-plugin.md"), ""), re.M | re.S)
    env = {"PKG_CONFIG_PATH": one(stage, "scree.pc").parent, "XDG_DATA_HOME": top / "data",
           "PATH": f"{one(stage, 'bin/scree').parent}:{os.environ['PATH']}"}
    seen = call("sh", "-ec", "".join(text for text in blocks if "pivots" in text), cwd=top, env=env)
    tap.check("a command of an installed page runs as it is shown", seen.returncode == 0 and "pivots" in seen.stdout, seen)


def test_scenes(stage, top):
    scenes = [path for path in stage.rglob("scree/configs/**/*.cfg") if path.stem not in NEED_MORE]
    bad = [(str(path), seen.stderr) for path in scenes
           for seen in [call(one(stage, "bin/scree"), "validate", path, cwd=top, env={"XDG_DATA_HOME": top / "data"})]
           if seen.returncode != 0]
    tap.check("each installed scene is valid with the installed plugins", len(scenes) > 20 and not bad, bad)


def test_program(stage, top):
    scree = one(stage, "bin/scree")
    env = {"XDG_DATA_HOME": top / "data"}
    listed = call(scree, "plugins", "--json", cwd=top, env=env)
    plugins = json.loads(listed.stdout or "{}").get("plugins", [])
    tap.check("an installed scree finds only its own plugins",
              listed.returncode == 0 and len(plugins) >= 7
              and all(p["file"].startswith(str(stage)) for p in plugins), listed)
    seen = call(scree, "validate", "hopper", cwd=top, env=env)
    tap.check("an installed scree finds its scenes", seen.returncode == 0
              and "(hopper, 3D)" in seen.stdout, seen)
    seen = call(scree, "run", "collision", "--steps", "100", "-q", cwd=top, env=env)
    tap.check("an installed scree runs", seen.returncode == 0 and "state_sha256" in seen.stdout, seen)


def test_commands(stage, top):
    """The program next to it has the other commands of an installed scree, also where the prefix was moved."""
    scree, env = one(stage, "bin/scree"), {"XDG_DATA_HOME": top / "data"}
    seen = call(scree, "check", one(stage, "plugins/gcd/grid.so"), "--case", "symbols", cwd=top, env=env)
    tap.check("an installed scree checks a plugin", seen.returncode == 0 and f"{stage}/" in seen.stdout, seen)
    seen = call(scree, "compare", "collision", "--vary", "gcd.plugin=grid", "--steps", "2", "--repeats", "1", "-q",
                cwd=top, env=env)
    tap.check("an installed scree compares", seen.returncode == 0 and "grid" in seen.stdout, seen)
    program = one(stage, "scree-tools")
    program.rename(top / "kept-tools")
    seen = call(scree, "check", cwd=top, env=env)
    tap.check("a command of the installation that is missing is reported with its path", seen.returncode == 1
              and f"expected a program at {program}, got none" in seen.stderr, seen)
    (top / "kept-tools").rename(program)
    seen = call(scree, "--help", cwd=top)
    tap.check("its help lists them", all(f"\n  {name} " in seen.stdout for name in ("check", "compare")), seen)


def test_checkpoint(stage, top):
    """The writer of checkpoints is a file of the installation, which a run loads when it needs it."""
    scree, module = one(stage, "bin/scree"), one(stage, "scree-hdf5.so")
    words = [scree, "run", "collision", "--steps", "4", "-q", "--set", "checkpoint={every_steps=4;}", "-o"]
    seen = call(*words, "saved", cwd=top)
    tap.check("an installed scree writes a checkpoint", seen.returncode == 0
              and (top / "saved/checkpoint-4.h5").is_file(), seen)
    long_run = [str(scree), "run", "gas", "--until", "1e9", "-q", "-o", "stopped"]
    with subprocess.Popen(long_run, cwd=top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        ready = wait_for(lambda: (top / "stopped/scene").exists() or any((top / "stopped").glob("*")))
        module.rename(top / "kept.so")
        process.terminate()
        out, err = process.communicate(timeout=60)
    tap.check("a run saves its state after its module was taken away", ready and process.returncode == 4
              and list((top / "stopped").glob("checkpoint-*.h5")), (ready, process.returncode, out, err))
    for what, text in {"is missing": None, "is damaged": b"\x7fELF", "ends too early":
                       (top / "kept.so").read_bytes()[:20000], "is a pipe": "pipe"}.items():
        if text == "pipe":
            module.unlink()
            os.mkfifo(module)
        elif text:
            module.write_bytes(text)
        seen = call(*words, "failed", cwd=top)
        tap.check(f"a module that {what} is reported with its path before the first step", seen.returncode == 1
                  and f"cannot load {module}, which reads and writes checkpoints: " in seen.stderr
                  and "/proc/" not in seen.stderr and not (top / "failed").exists(), seen)
    seen = call(scree, "run", "--restart", "saved", cwd=top)
    tap.check("a restart without the module says so", seen.returncode == 1 and f"cannot load {module}" in seen.stderr,
              seen)
    seen = call(scree, "run", "collision", "--steps", "4", "-q", cwd=top)
    tap.check("a run without checkpoints needs no module", seen.returncode == 0, seen)
    module.unlink()
    (top / "kept.so").rename(module)


def test_query(stage, top):
    """Answers of scree.query/1 are a file of the installation, which the first plugin that asks loads."""
    scree, module = one(stage, "bin/scree"), one(stage, "scree-query.so")
    words = [scree, "run", "hopper", "--steps", "1", "-q", "-o"]
    late = ("--set", 'observers={s={plugin="csv";every_steps=10;};}', "--set", "scene.steps=30100", "--set", 'schedule=({at_step=30000; set={modifiers={feed={plugin="insert";'
            'every_steps=100;number_rate=1.0;region={min=(0.0,0.0,0.0);max=(0.05,0.05,0.05);};body={shape="sphere";radius="3 mm";};};};};})')
    with subprocess.Popen([str(scree), "run", "collision", "-q", "-o", "late", *late], cwd=top, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        ready = wait_for(lambda: (top / "late/scalars.csv.part").exists())
        process.send_signal(signal.SIGSTOP)
        module.rename(top / "kept.so")
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
    tap.check("a plugin that a swap adds asks although the query module was taken away", ready and process.returncode == 0
              and "-> insert" in err, (ready, process.returncode, out, err))
    for what, text in {"is missing": None, "is damaged": b"\x7fELF"}.items():
        if text:
            module.write_bytes(text)
        seen = call(*words, "unasked", cwd=top)
        tap.check(f"a query module that {what} is reported with its path, and the plugin that needs it", seen.returncode == 1
                  and f"source/random (generate.beads) failed in create: cannot load {module}, which answers scree.query/1: "
                  in seen.stderr and not (top / "unasked").exists(), seen)
    seen = call(scree, "run", "collision", "--steps", "4", "-q", cwd=top)
    tap.check("a run without questions needs no query module", seen.returncode == 0, seen)
    module.unlink()
    (top / "kept.so").rename(module)


def wait_for(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_plugin(stage, top):
    env = {"PKG_CONFIG_PATH": one(stage, "scree.pc").parent}
    flags = call("pkg-config", "--cflags", "scree", env=env)
    for name, file in {"plugindir": "gcd/grid.so", "templatedir": "force/soft.c", "examplesdir": "heat/conduction.c", "symbols": "",
                       "docdir": "docs/howto/write-a-force.md"}.items():
        said = call("pkg-config", f"--variable={name}", "scree", env=env)
        path = pathlib.Path(said.stdout.strip()).resolve() / file
        tap.check(f"scree.pc gives {name}, also where the installation was moved",
                  path.is_relative_to(stage) and path.is_file(), said)
    shutil.copyfile(SOURCE, top / "soft.c")
    built = call(*CC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", "-shared",
                 "-fvisibility=hidden", *shlex.split(flags.stdout), "soft.c", "-o", "soft.so", "-lm",
                 cwd=top)
    tap.check("a plugin builds with only the installed headers", built.returncode == 0, built)
    data = {"XDG_DATA_HOME": top / "data"}
    seen = call(one(stage, "bin/scree"), "plugins", "soft.so", cwd=top, env=data)
    tap.check("the installed scree takes it", seen.returncode == 0
              and seen.stdout.startswith("force/soft "), seen)
    seen = call(one(stage, "bin/scree"), "install", "--yes", "soft.so", cwd=top, env=data)
    tap.check("the installed scree installs it for the user", seen.returncode == 0
              and len(list((top / "data/scree/plugins").rglob("soft.so"))) == 1, seen)
    seen = call(one(stage, "bin/scree"), "run", "collision", "--steps", "1500", "-q", "--set",
                "force.0={plugin=\"soft\"; kn=3e5;}", cwd=top, env=data)
    tap.check("a plugin in the user's folder serves a scene",
              seen.returncode == 0 and "force/soft" in seen.stdout, seen)


def run(top):
    stage = top / "stage"
    done = call(*MESON, "install", "-C", BUILD, "--no-rebuild", env={"DESTDIR": stage})
    tap.check("meson install ends well", done.returncode == 0, done)
    if done.returncode == 0:
        test_files(stage)
        test_program(stage, top)
        test_commands(stage, top)
        test_checkpoint(stage, top)
        test_query(stage, top)
        test_pages(stage, top)
        test_scenes(stage, top)
        test_plugin(stage.rename(top / "moved"), top)


tap.in_folder(run)
