# SPDX-License-Identifier: Apache-2.0
"""What a newcomer types, and what is said of it: one true line per mistake, with the line to write.

usage: test_newcomer.py SCREE
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

SCREE = pathlib.Path(sys.argv[1]).resolve()
SCENE = """
scene = { dt = 1.0e-5; steps = 20; };
materials = { m = { density = 2500.0; }; };
bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
"""


def scree(top, *args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env.update(XDG_DATA_HOME="/nonexistent", LC_ALL="C")
    return subprocess.run([str(SCREE), *map(str, args)], cwd=top, env=env, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def test_peak(top):
    (top / "scene.cfg").write_text(SCENE)
    ballast = bytearray(b"x") * (300 << 20)
    seen = scree(top, "run", "scene.cfg", "--json")
    peak = json.loads(seen.stdout)["peak_rss_bytes"]
    tap.check("peak memory is that of the run, not of the program that started it",
              1 << 20 < peak < 100 << 20 and len(ballast) == 300 << 20, (peak, seen))


def run():
    with tempfile.TemporaryDirectory() as name:
        for test in (test_peak,):
            folder = pathlib.Path(name).resolve() / test.__name__
            folder.mkdir()
            test(folder)


tap.finish(run)
