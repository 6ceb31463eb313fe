# SPDX-License-Identifier: Apache-2.0
"""No scene in configs/ warns of itself in its whole run: not of overlaps, energy, speeds, or its time step.

The two walls of O'Connor's thesis warn as they are shipped; here they run with their stiffer contacts. Polygons of the papers'
other scenes fall in so fast that they warn; here they sink in.

usage: test_config_warnings.py SCREE CONFIGS [NAME...]
"""
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import tap
from runs import scree

SCREE, CONFIGS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
# The first continues from a checkpoint; both are as the theses have them.
LEFT_OUT = {"penetration", "pfc-5"}
# The step of the thesis allows only contacts so soft that they overlap by 9 and 13 %: these run as configs/thesis/README.md
# says, stiffer and with shorter steps.
STIFFER = {
    "embankment": ["force.0.kn=4e6", "scene.dt=5e-4", "scene.steps=6000", "modifiers.cut.at_step=2000"],
    "shock-wave": ["force.0.kn=1e7", "scene.dt=3e-4", "scene.steps=13333", "modifiers.stream.at_step=3333"],
    "heap": ['modifiers.calm={plugin="tether"; groups=["grains"]; stiffness=0.0; damping=0.043;}'],
    "silo": ['modifiers.calm={plugin="tether"; groups=["grains"]; stiffness=0.0; damping=0.043;}'],
    "mixed": ['modifiers={calm={plugin="damping"; alpha=0.97;};}', "force.0.k=2e9", "scene.steps=400000"],
}


def scenes():
    found = sorted(path for path in CONFIGS.rglob("*.cfg") if path.stem not in LEFT_OUT and "bench" not in path.parts)
    return [path for path in found if not sys.argv[3:] or path.stem in sys.argv[3:]]


def whole(path):
    """The scene, with what it writes left out."""
    sets = [word for each in STIFFER.get(path.stem, []) for word in ("--set", each)]
    with tempfile.TemporaryDirectory() as top:
        seen = scree(top, "run", path, "-q", "-o", "out", "--json", "--set", "observers={}", *sets)
    return path.stem, seen


def test():
    names = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, seen in pool.map(whole, scenes()):
            data = json.loads(seen.stdout) if seen.returncode == 0 else {"warnings": {"run": {"count": 1}}}
            tap.check(f"{name}: its run has no warning", not any(one["count"] for one in data["warnings"].values())
                      and "warning" not in seen.stderr, (data["warnings"], seen.stderr))
            print(f"# {data.get('steps')} steps in {data.get('wall_s', 0.0):.1f} s, state {data.get('state_sha256', '')[:8]}")
            names.append(name)
    tap.check("scenes are found", sys.argv[3:] or {"hopper", "valve", "repose", "drum", "gas"} <= set(names), names)


if __name__ == "__main__":
    tap.finish(test)
