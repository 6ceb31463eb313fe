# SPDX-License-Identifier: Apache-2.0
"""Every scene in configs/ runs as it is: validate finds no mistake, the first steps run.

usage: test_configs.py SCREE CONFIGS
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

SCREE, CONFIGS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
NOT_SHIPPED = {"penetration.cfg"}  # its bed is not shipped
# Results after some steps of the scenes whose bodies, walls or sizes come from files or modifiers.
WARNED_OF = {"pfc-5": "bodies overlap at the start"}  # as the paper has them
BODIES = {"drum": 1001, "hopper": 3502}


def scree(top, *args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env.update(XDG_DATA_HOME="/nonexistent", LC_ALL="C")
    return subprocess.run([str(SCREE), *map(str, args)], cwd=top, env=env, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def test_all():
    scenes = sorted(path for path in CONFIGS.rglob("*.cfg") if path.name not in NOT_SHIPPED)
    tap.check("scenes are found", {"bed", "drum", "silo-psd"} <= {path.stem for path in scenes}, scenes)
    for path in scenes:
        with tempfile.TemporaryDirectory() as top:
            seen = scree(top, "validate", path)
            warnings = [line for line in seen.stderr.splitlines() if "warning" in line]
            wanted = WARNED_OF.get(path.stem)
            tap.check(f"{path.stem}: no mistake, no warning", seen.returncode == 0 and (
                wanted in warnings.pop() if wanted and warnings else not wanted) and not warnings, seen)
            seen = scree(top, "run", path, "--steps", 400, "-q", "--json")
            data = json.loads(seen.stdout) if seen.returncode == 0 else {}
            tap.check(f"{path.stem}: 400 steps", data.get("steps") == 400 and data["bodies"] > 1, seen)
            wanted = BODIES.get(path.stem)
            if wanted:
                tap.check(f"{path.stem}: {wanted} bodies", data.get("bodies") == wanted, data)


if __name__ == "__main__":
    tap.finish(test_all)
