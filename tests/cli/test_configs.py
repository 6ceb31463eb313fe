# SPDX-License-Identifier: Apache-2.0
"""Every scene in configs/ runs as it is: validate finds no mistake, the first steps run.

usage: test_configs.py SCREE CONFIGS
"""
import json
import pathlib
import shutil
import sys
import tempfile

import tap
from runs import scree

SCREE, CONFIGS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
NOT_SHIPPED = {"penetration.cfg"}  # its bed is not shipped
# Results after some steps of the scenes whose bodies, walls or sizes come from files or modifiers.
WARNED_OF = {"pfc-5": "bodies overlap at the start"}  # as the paper has them
SMALLER = {"rotating-drum": ("--set", "generate.beads.count=3000")}  # of 250 000
BODIES = {"crystal": 1, "drum": 1001, "hopper": 3502}  # after 400 steps


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
            steps = 400 if path.stem in BODIES else 100
            seen = scree(top, "run", path, "--steps", steps, "-q", "--json", *SMALLER.get(path.stem, ()))
            data = json.loads(seen.stdout) if seen.returncode == 0 else {}
            tap.check(f"{path.stem}: {steps} steps", data.get("steps") == steps and data["bodies"] >= min(2, BODIES.get(path.stem, 2)), seen)
            wanted = BODIES.get(path.stem)
            if wanted:
                tap.check(f"{path.stem}: {wanted} bodies", data.get("bodies") == wanted, data)


def test_body_fields():
    """integrator/integer_motion keeps each place in fields of the bodies, which a checkpoint has."""
    with tempfile.TemporaryDirectory() as top:
        scene = (CONFIGS / "bench/spheres.cfg", "--set", "integrator.count=125", "-q", "--json")
        whole = scree(top, "run", *scene, "--steps", 30)
        half = scree(top, "run", *scene, "--steps", 15, "-o", "half", "--set", "checkpoint.at_end=true")
        rest = scree(top, "run", "--restart", "half", "--steps", 15, "-q", "--json")
        hashes = [json.loads(seen.stdout or "{}").get("state_sha256") for seen in (whole, half, rest)]
        tap.check("spheres: a run that is cut in two keeps the fields of its bodies",
                  hashes[0] and hashes[0] == hashes[2] != hashes[1], (whole, half, rest))


def test_contrib():
    """Without its plugins, which tests/cli/test_contrib_scene.py builds."""
    with tempfile.TemporaryDirectory() as top:
        for name in ("rods.cfg", "sticks.csv", "stubs.csv"):
            shutil.copyfile(CONFIGS.parent / "contrib" / name, pathlib.Path(top) / name)
        scene, folder = pathlib.Path(top) / "rods.cfg", pathlib.Path(top).resolve() / "plugins"
        seen = scree(top, "run", scene, "-q")
        tap.check("contrib: all plugins that it lacks are named", seen.returncode == 2 and all(
            f"no plugin {id}" in seen.stderr
            for id in ("shape/rod", "gcd/coil", "resolver/rod", "force/viscoelastic", "integrator/vefrl")), seen)
        tap.check("contrib: and the folder in which they are built, by what its comments say",
                  f"rods.cfg:4: plugin_path: there is no folder {folder} yet" in seen.stderr
                  and "`./build` builds" in "".join(scene.read_text().splitlines()[:3]), seen)
        other = pathlib.Path(top) / "other.cfg"
        other.write_text((CONFIGS / "pile.cfg").read_text() + 'plugin_path = "nowhere";\n')
        seen = scree(top, "validate", other, "--set", "scene.dt=-1.0")
        tap.check("a missing folder is not a mistake when all plugins are found", seen.returncode == 2
                  and "scene.dt" in seen.stderr and "no folder" not in seen.stderr, seen)
        seen = scree(top, "validate", other)
        line = len(other.read_text().splitlines())
        tap.check("but warned of, with file and line", seen.returncode == 0
                  and f"scree: warning: {top}/other.cfg:{line}: plugin_path: there is no folder {top}/nowhere" in seen.stderr, seen)
        seen = scree(top, "validate", other, "--set", 'plugin_path=["nowhere", "."]')
        tap.check("unless another one of the list is there", seen.returncode == 0
                  and "no folder" not in seen.stderr, seen)
        other.write_text((CONFIGS / "pile.cfg").read_text() + 'plugin_path = ["other.cfg"];\n')
        seen = scree(top, "validate", other)
        tap.check("a file as a folder of plugins is a mistake", seen.returncode == 2 and
                  f"other.cfg:{line}: plugin_path[0]: expected a folder, got {top}/other.cfg" in seen.stderr, seen)
        folder.mkdir(parents=True)
        seen = scree(top, "run", scene, "-q")
        tap.check("contrib: the folder is there, and only the plugins are missed", "no folder" not in seen.stderr
                  and "no plugin gcd/coil" in seen.stderr, seen)


def test():
    test_all()
    test_body_fields()
    test_contrib()


if __name__ == "__main__":
    tap.finish(test)
