# SPDX-License-Identifier: Apache-2.0
"""Service scree.sum/1: sums over bodies and contacts, over threads, blocks, GCDs, a restart. And laws[] of the
contacts only where an observer asks for them."""
import pathlib
import subprocess
import sys

import tap
from runs import environment, scree

SCREE, PLUGINS, FOLDER = sys.argv[1:4]
SCENE = """scene = { dimension = 3; dt = 2.0e-5; region = { min = (0.0, 0.0, 0.0); max = (0.12, 0.12, 0.12); };
    boundary = "periodic"; };
materials = { glass = { density = 2500.0; }; };
generate = { balls = { shape = "sphere"; count = 3000; radius = 0.003; velocity_random = 5.0; }; };
renumber = { every = 30; };
checkpoint = { every_steps = 50; };
gcd = { plugin = "grid"; }; resolvers = ( { plugin = "sphere"; } ); integrator = { plugin = "velocity_verlet"; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.6; friction = 0.4; },
          { plugin = "rolling"; rolling_friction = 0.1; } );
observers = { one = { plugin = "adder"; every_steps = 20; };
              two = { plugin = "adder"; want = "by_law"; every_steps = 40; };
              bare = { plugin = "adder"; want = "none"; every_steps = 50; }; };
"""


def run(name, *args):
    """Lines that the observers print, without the first that a run goes on from."""
    folder = pathlib.Path(FOLDER) / name
    subprocess.run(["rm", "-rf", folder], check=True)
    result = scree(None, "run", *args, "-o", folder, env=environment(SCREE_PLUGIN_PATH=PLUGINS))
    if result.returncode:
        print("#", result.stderr)
    words = ("sum-bodies", "sum-contacts", "sum-laws")
    return [line.split() for line in result.stdout.splitlines() if line.startswith(words)]


def test_sums():
    scene = pathlib.Path(FOLDER) / "sums.cfg"
    scene.write_text(SCENE)
    whole = run("sums-whole", scene, "--steps", "100")
    sums = [line for line in whole if line[0] != "sum-laws"]
    worst = max(abs(float(line[4])) for line in sums)
    tap.check("sums are those of a direct sum in more digits, within round-off",
              len(sums) > 15 and worst < 1e-14 and any(int(line[2]) > 1024 for line in sums), (len(sums), worst))
    tap.check("no values given are zeros", all(float(line[5]) == 0.0 for line in sums), sums[:3])
    tap.check("contacts are in the sums", any(line[0] == "sum-contacts" and int(line[2]) > 50 for line in sums))
    threads = run("sums-threads", scene, "--steps", "100", "--oversubscribe", "--threads", "3")
    tap.check("sums have the same bits on three threads", threads == whole)
    other = run("sums-gcd", scene, "--steps", "100", "--set", "gcd.plugin=dess")
    tap.check("sums have the same bits with another GCD", other == whole)
    run("sums-half", scene, "--steps", "50")
    rest = run("sums-rest", scene, "--restart", pathlib.Path(FOLDER) / "sums-half", "--steps", "50")
    after = [line for line in whole if int(line[1]) > 50]
    tap.check("sums have the same bits after a restart, across a renumbering", rest == after and len(after) > 5,
              (rest[:3], after[:3]))
    seed = run("sums-seed", scene, "--steps", "100", "--set", "scene.seed=7")
    tap.check("control: other bodies have other sums", seed != whole)
    laws = {int(line[2]) for line in whole if line[0] == "sum-laws"}
    at_20 = [line for line in whole if line[0] == "sum-laws" and line[1] == "20"]
    at_40 = [line[2] for line in whole if line[0] == "sum-laws" and line[1] == "40"]
    tap.check("laws are listed for the observer that asks for them, and only for it",
              at_20 == [["sum-laws", "20", "0"]] and sorted(at_40) == ["0", "2"], (at_20, at_40))


if __name__ == "__main__":
    tap.finish(test_sums)
