# SPDX-License-Identifier: Apache-2.0
"""valgrind's memcheck has nothing to say of the host and the shipped plugins, so that the author of a
plugin sees what is his own.

usage: test_memcheck.py SCREE FOLDER_OF_FAULTS
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tap

SCREE, FAULTS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
# 900 bodies: arrays of them are wide enough to be made page by page.
SCENE = """
scene = { dt = 1.0e-5; steps = 10; gravity = (0.0, 0.0, -9.81);
    region = { min = (0.0, 0.0, 0.0); max = (0.12, 0.12, 0.12); }; boundary = "periodic"; };
materials = { glass = { density = 2500.0; young_modulus = 1.0e7; poisson_ratio = 0.25; }; };
generate = { beads = { method = "lattice"; count = 900; radius = 0.0052; velocity_random = 0.1; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.8; friction = 0.4; } );
observers = {
    totals = { plugin = "csv"; what = "scalars"; file = "totals"; every_steps = 1; };
    beads = { plugin = "csv"; what = "bodies"; file = "beads"; every_steps = 5; };
    frames = { plugin = "vtk"; every_steps = 5; };
};
modifiers = { calm = { plugin = "damping"; alpha = 0.1; }; };
checkpoint = { every_steps = 5; };
"""
# The last of three spheres moves on the second, from 0.1 mm deep at 1 m/s.
ROW = """
scene = { dt = 1.0e-5; steps = 60; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { radius = 0.005; position = (0.0, 0.0, 0.0); };
    b = { radius = 0.005; position = (0.01, 0.0, 0.0); };
    c = { radius = 0.005; position = (0.0199, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
guard = { every = 7; };
"""


def memcheck(top, *args):
    """The result, and how many errors memcheck has counted; children are left alone."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SCREE_", "MALLOC_PERTURB_"))}
    env.update(LC_ALL="C", XDG_DATA_HOME="/nonexistent")
    log = top / "memcheck.log"
    becomes = args[0] != "run" or "--break" in args  # valgrind does not follow it
    program = SCREE.parent / "scree-tools" if becomes else SCREE
    seen = subprocess.run(["valgrind", "--child-silent-after-fork=yes", f"--log-file={log}", str(program), "--no-parent",
                           *map(str, args)], cwd=top, env=env, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=600)
    text = log.read_text()
    count = re.search(r"ERROR SUMMARY: (\d+) errors", text)
    return seen, int(count[1]) if count else None, text


def silent(claim, top, *args, status=0):
    seen, errors, text = memcheck(top, *args)
    tap.check(claim, seen.returncode == status and errors == 0, f"{seen}\n{text}")
    return seen


def test_memcheck(top):
    (top / "scene.cfg").write_text(SCENE)
    silent("a run with observers, a modifier and checkpoints", top, "run", "scene.cfg", "-q", "-o", "first")
    silent("a restart", top, "run", "--restart", "first/checkpoint-5.h5", "-q", "-o", "second")
    silent("two threads", top, "run", "scene.cfg", "-q", "-o", "third", "--threads", 2, "--set",
           'force=({plugin="hertz_mindlin";})')
    silent("a swap of the GCD and the law", top, "run", "scene.cfg", "-q", "-o", "fourth", "--set",
           'schedule=({at_step=4;set={gcd={plugin="bvh";};force={plugin="hertz_mindlin";};};})')
    silent("validate", top, "validate", "scene.cfg")
    for gcd in ("bvh", "hgrid", "dess", "sap_simd", "cell_space", "lbvh", "rtree", "bsp", "hashing"):
        silent(f"gcd/{gcd}", top, "run", "scene.cfg", "-q", "--set", f"gcd.plugin={gcd}", "--set",
               "observers={}", "--set", "checkpoint={}", "--steps", 4)


def test_break(top):
    """The call of a plugin that misbehaves, as docs/howto/when-a-plugin-misbehaves.md has it."""
    (top / "scene.cfg").write_text(ROW)
    folder = top / "plugins/force"
    folder.mkdir(parents=True)
    shutil.copyfile(FAULTS / "sins_force.so", folder / "sins.so")
    (folder / "sins.so").chmod(0o644)
    paths = ("--plugin-path", top / "plugins")
    seen = silent("a run that ends with a blame", top, "run", *paths, "scene.cfg", "-q", "-o", "blamed",
                  "--set", 'force=({plugin="sins"; sin="nan"; deeper=1.15e-4;})', status=3)
    match = re.search(r"--restart (\S+) --break '(\S+)'\n", seen.stderr)
    tap.check("it prints how to repeat the call", match, seen)
    if match:
        silent("the call once more", top, "run", *paths, "-q", "--restart", match[1], "--break", match[2], status=3)


def run():
    if not shutil.which("valgrind"):
        tap.skip("memcheck is silent", "valgrind is not installed")
        return
    with tempfile.TemporaryDirectory() as name:
        for test in (test_memcheck, test_break):
            folder = pathlib.Path(name).resolve() / test.__name__
            folder.mkdir()
            test(folder)


tap.finish(run)
