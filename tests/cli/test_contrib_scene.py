# SPDX-License-Identifier: Apache-2.0
"""contrib/rods.cfg as a stranger runs it: contrib/build against an installation, then the scene as it is.

usage: test_contrib_scene.py MESON BUILD "CC ARG..." CONTRIB
"""
import pathlib
import shlex
import shutil
import sys
import tempfile

import tap
from stage import Stage, missing

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])


def build(stage, folder):
    """Runs contrib/build against the stage."""
    done = stage.call(folder / "build", PKG_CONFIG_PATH=stage.pc.parent, CC=" ".join(CC))
    tap.check("contrib/build builds all plugins", done.returncode == 0 and {p.stem for p in (folder / "plugins").glob("*.so")}
              == {"coil", "cord", "heat", "rod", "vefrl", "viscoelastic"}, done)


def test_scene(stage, folder):
    scene = folder / "rods.cfg"
    one = stage.run(scene, "one")[0]
    used = {(p["kind"], p["id"]) for p in one.get("plugins", []) if p["file"].startswith(str(folder))}
    tap.check("the scene runs as it is, by plugins of contrib only where they are asked for", used == {
        ("shape", "rod"), ("gcd", "coil"), ("resolver", "rod"), ("force", "viscoelastic"), ("integrator", "vefrl")}
        and one["contacts"] > 2.0, (used, one.get("contacts")))
    energy = one["energy"]
    tap.check("what the account of energy leaves over is small", abs(energy["residual"]) < 0.01 * energy["lost"], energy)
    same = {}
    for name, words in {"grid": ("--set", "gcd={plugin=\"grid\";}", "--threads", "2"),
                        "dess": ("--set", "gcd={plugin=\"dess\";}", "--oversubscribe", "--threads", "4", "--blocks", "7")}.items():
        same[name] = stage.run(scene, name, *words)[0].get("state_sha256")
    same["restart"] = stage.run(None, "late", "--restart", stage.top / "one/checkpoint-1500.h5")[0].get("state_sha256")
    tap.check("other contact detections, 2 and 4 threads and a restart make the same state",
              set(same.values()) == {one["state_sha256"]}, (one["state_sha256"], same))
    at_half = stage.run(scene, "half", "--steps", "1500")[0].get("state_sha256")
    other = stage.run(scene, "longer", "--set", "shapes.stick.length=0.0121", "--steps", "1500")[0].get("state_sha256")
    tap.check("longer rods make another one", other not in (None, at_half), other)
    done = stage.call(stage.scree, "run", "-q", "--restart", stage.top / "one/checkpoint-1500.h5", "--set",
                      "shapes.stick.length=0.0121", "-o", "refused")
    tap.check("a restart with longer rods is refused by name", done.returncode == 2 and "stick" in done.stderr, done)


def run():
    reason = missing("rustc", "c++", "gfortran")
    if reason:
        tap.skip("a scene by plugins in four languages", reason)
        return
    with tempfile.TemporaryDirectory() as name:
        stage = Stage(pathlib.Path(name).resolve(), MESON, BUILD, CC)
        folder = stage.top / "contrib"
        shutil.copytree(CONTRIB, folder, ignore=shutil.ignore_patterns("plugins"))
        build(stage, folder)
        test_scene(stage, folder)


tap.finish(run)
