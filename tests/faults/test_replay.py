# SPDX-License-Identifier: Apache-2.0
"""A plugin that is blamed in mid-run leaves a replay file, and scree replay makes the call again.

usage: test_replay.py SCREE FOLDER_OF_MODULES
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

# The last of three spheres moves on the second, from 0.1 mm deep at 1 m/s; walls make the law's batch
# and the resolver's candidates those of several type pairs.
SCENE = """
scene = { title = "three in a row"; dt = 1.0e-5; steps = 60; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); };
    b = { shape = "sphere"; radius = 0.005; position = (0.01, 0.0, 0.0); };
    c = { shape = "sphere"; radius = 0.005; position = (0.0199, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; friction = 0.4; } );
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
guard = { every = 7; };
"""
# Setting, its cure, the blamed plugin (None: by steps), the output of the replay.
CASES = [
    ('force=({plugin="sins"; sin="nan"; deeper=1.15e-4;})', 'force.0.sin="none"',
     r"force/sins \(force\[0\]\) misbehaves again in compute at step \d+: contact \d of \d, bodies 2 and 3, depth 0\.00011"),
    ('resolvers=({plugin="sins"; sin="nan"; deeper=1.15e-4;})', 'resolvers.0.sin="none"',
     r"resolver/sins \(resolvers\[0\]\) misbehaves again in resolve at step \d+: contact \d of \d: normal \(-?nan"),
    ('resolvers=({plugin="sins"; sin="never_done"; deeper=1.15e-4;})', 'resolvers.0.sin="none"',
     r"resolver/sins .* misbehaves again in resolve at step \d+: 0 of \d pairs finished"),
    ('gcd={plugin="sins"; sin="itself"; below=0.01989;}', 'gcd.sin="none"',
     r"gcd/sins \(gcd\) misbehaves again in find_neighbors at step \d+: pair \(0, 0\) of 3 boxes"),
    ('gcd={plugin="sins"; sin="misses"; below=0.01989;}', 'gcd.sin="none"',
     r"gcd/sins .* misbehaves again in find_neighbors at step \d+: pair \(1, 2\) of 3 boxes was not emitted"),
    ('integrator={plugin="sins"; sin="nan";}', 'integrator.sin="none"', None),
    ('modifiers={w={plugin="sins"; sin="rounds";};}', 'modifiers.w.sin="none"', None),
]


def run(top, *args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env.update(LC_ALL="C", XDG_DATA_HOME="/nonexistent")
    return subprocess.run([str(SCREE), args[0], "--plugin-path", str(top / "plugins"), *args[1:]],
                          cwd=top, env=env, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=100)


def blamed(top, setting, *more):
    """A run that ends with a blame, and its replay file."""
    result = run(top, "run", "scene.cfg", "-q", "--set", setting, "--set", "guard.sample=3", *more)
    match = re.search(r"scree: saved the call and the state of step (\d+); to repeat it: scree replay (\S+)\n",
                      result.stderr)
    return result, match


def test_case(top, setting, cure, again):
    result, match = blamed(top, setting)
    tap.check(f"{setting} leaves a replay file", result.returncode == 3 and match, result)
    if not match:
        return
    step = re.search(r"replay-(\d+)\.h5", match[2])
    tap.check("its state is at most guard.every steps old", 0 <= int(step[1]) - int(match[1]) <= 7,
              result)
    replay = run(top, "replay", match[2])
    tap.check("scree replay is blamed again", replay.returncode == 3 and re.search(
        again or r"sins .*(misbehaved|failed)", replay.stderr), replay)
    replay = run(top, "replay", match[2], "--steps")
    said = [line for line in result.stderr.splitlines() if "sins" in line]
    tap.check("by steps too, with the words of the run", replay.returncode == 3
              and said == replay.stderr.splitlines(), replay)
    replay = run(top, "replay", match[2], "--set", cure)
    tap.check("a fixed plugin is not", replay.returncode == 0
              and "it does not misbehave" in replay.stdout, replay)
    on = run(top, "run", "--restart", match[2], "-q", "--set", cure)
    tap.check("the run goes on from the file with it", on.returncode == 0, on)


def test_refused(top):
    result, match = blamed(top, CASES[0][0], "--set", "guard.every=0")
    tap.check("guard.every = 0: no copy, and the note says so", result.returncode == 3 and not match
              and "no copy of the state is kept (guard.every, guard.memory)" in result.stderr, result)
    result, match = blamed(top, CASES[0][0], "--set", "guard.memory=0")
    tap.check("guard.memory = 0: the same, and a note at the start", result.returncode == 3 and not match
              and result.stderr.count("guard.memory is 0 MiB") == 1, result)
    result, match = blamed(top, CASES[0][0])
    path = top / match[2]
    whole = path.read_bytes()
    for place in (600, len(whole) // 2, len(whole) - 1):
        broken = top / "broken.h5"
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1:])
        replay = run(top, "replay", str(broken))
        tap.check(f"a file with a wrong bit at {place} is refused", replay.returncode == 2
                  and "damaged" in replay.stderr, replay)
    saved = run(top, "run", "scene.cfg", "-q", "-o", "good", "--set", "checkpoint.every_steps=60")
    replay = run(top, "replay", "good/checkpoint-60.h5")
    tap.check("a checkpoint is not a replay file", saved.returncode == 0 and replay.returncode == 2
              and "--restart" in replay.stderr, replay)
    none, absent = run(top, "replay"), run(top, "replay", "nowhere.h5")
    tap.check("a replay without a file is refused", none.returncode == 2 and "expected one FILE, got none" in none.stderr
              and absent.returncode == 2 and "nowhere.h5" in absent.stderr, (none, absent))


def main():
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name).resolve()
        for kind in ("force", "gcd", "resolver", "integrator", "observer", "modifier"):
            (top / "plugins" / kind).mkdir(parents=True)
            target = top / "plugins" / kind / "sins.so"
            shutil.copyfile(MODULES / f"sins_{kind}.so", target)
            target.chmod(0o644)
        (top / "scene.cfg").write_text(SCENE)
        for case in CASES:
            test_case(top, *case)
        test_refused(top)


tap.finish(main)
