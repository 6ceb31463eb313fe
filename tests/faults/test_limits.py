# SPDX-License-Identifier: Apache-2.0
"""Limits of the user that say nothing about a plugin or a file: status 1 and one true line.

usage: test_limits.py SCREE FAILS.so
"""
import pathlib
import resource
import sys

import tap
from runs import environment, scree

SCREE, FAILS = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
SCENE = """scene = { dt = 1.0e-5; steps = 60; };
materials = { glass = { density = 2500.0; }; };
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
generate = { beads = { method = "lattice"; count = 1500; radius = 0.005;
    region = { min = (0.0, 0.0, 0.0); max = (0.4, 0.4, 0.4); }; }; };
checkpoint = { every_steps = 20; };
"""
LINEAR = SCREE.parents[1] / "plugins/force/linear.so"


def run(top, *args, limits=(), **more):
    def limit():
        for what, n in limits:
            resource.setrlimit(what, (n, n))
    env = environment(**more)
    env.pop("MALLOC_PERTURB_", None)
    return scree(top, *args, env=env, preexec_fn=limit)


def test_check_memory(top):
    result = run(top, "check", LINEAR, "--case", "symbols", limits=[(resource.RLIMIT_AS, 1 << 30),
                                                                    (resource.RLIMIT_FSIZE, 1 << 30)])
    tap.check("check: a limit of memory or files below the host's own is kept, and the case has its verdict",
              result.returncode == 0 and "1 ok, 0 failed" in result.stdout, result)
    bad, short = [], 0
    for mib in range(18, 45, 3):
        result = run(top, "check", LINEAR, limits=[(resource.RLIMIT_AS, mib << 20)])
        short += result.returncode == 1
        if result.returncode not in (0, 1) or "not ok" in result.stdout:
            bad.append((mib, result))
    tap.check("check: too little memory is status 1, no verdict on the plugin", not bad and short > 1, bad[:2])


def test_check_files(top):
    bad = []
    for n in range(14, 31):
        result = run(top, "check", LINEAR, "--case", "lanes", limits=[(resource.RLIMIT_NOFILE, n)])
        if result.returncode != 1 or "oo many open files" not in result.stderr or "not ok" in result.stdout:
            bad.append((n, result))
    tap.check("check: too few descriptors are status 1 and said, no verdict on the plugin", not bad, bad[:2])


def least(top, *args):
    """[KiB] Within 128 KiB, what a command takes."""
    low, high = 1 << 14, 1 << 20
    while high - low > 128:
        middle = (low + high) // 2
        done = run(top, *args, limits=[(resource.RLIMIT_AS, middle << 10)]).returncode == 0
        low, high = (low, middle) if done else (middle, high)
    return high


def test_checkpoints(top):
    (top / "beads.cfg").write_text(SCENE)
    made = run(top, "run", "beads.cfg", "-q", "-o", "made")
    start = least(top, "--help") + 512  # with less the dynamic linker ends before main
    commands = {"written": ("run", "beads.cfg", "-q", "--threads", 2, "-o"),
                "read": ("run", "--restart", "made", "--steps", 5, "-q", "-o")}
    for name, command in commands.items():
        bad, short, done, limit = [], 0, False, start
        while not done and limit < start + (1 << 16):
            result = run(top, *command, f"{name}-{limit}", limits=[(resource.RLIMIT_AS, limit << 10)])
            done = result.returncode == 0
            short += result.returncode == 1
            if result.returncode not in (0, 1) or "skipped" in result.stderr or (
                    not done and "out of " not in result.stderr):
                bad.append((limit, result.returncode, result.stderr[-400:]))
            limit += 256
        tap.check(f"a checkpoint {name} without memory: status 1 and the line, no crash, no file blamed",
                  made.returncode == 0 and done and short > 4 and not bad, (made.stderr, start, short, done, bad[:4]))


def test_folder(top):
    (top / "rows.cfg").write_text(SCENE + 'observers = { t = { plugin = "csv"; every_steps = 20; }; };\n')
    results = [run(top, "run", top / "rows.cfg", "-q", "-o", top / f"rows-{n}", LD_PRELOAD=str(FAILS), FAILS="getcwd",
                   FAILS_AT=str(n)) for n in range(1, 30)]
    bad = [r for r in results if "changed the current folder" in r.stderr]
    tap.check("a current folder that cannot be read is not said to be changed by a plugin",
              not bad and results[0].returncode == 0, (bad[:2], results[0]))


tap.in_folder(test_check_memory, test_check_files, test_checkpoints, test_folder)
