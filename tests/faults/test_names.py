# SPDX-License-Identifier: Apache-2.0
"""Names of observers' files that are bad, or another's, are refused before the first step, with status 2.

usage: test_names.py SCREE
"""
import pathlib
import tempfile

import tap
from runs import scree

SCENE = """
scene = { dt = 1.0e-5; steps = 20; };
materials = { glass = { density = 2500.0; }; };
bodies = { a = { shape = "sphere"; radius = 0.05; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
observers = {
    t = { plugin = "csv"; what = "scalars"; file = "table"; every_steps = 5; };
    x = { plugin = "%s"; file = "%s"; every_steps = 5; };
};
"""


def run(top, number, plugin, name):
    """The result of a run."""
    (top / "scene.cfg").write_text(SCENE % (plugin, name))
    return scree(top, "run", "-q", "scene.cfg", "-o", f"out{number}")


def test(top):
    bad = [("record", name) for name in ("table.csv", "../x", "/x", "..", "scene.cfg", "x.part")]
    bad += [("vtk", name) for name in ("table.csv", "summary.json", "manifest.json", "scene.cfg",
                                       "checkpoint-50.h5", "kept-20.h5", "table.csv.part", "summary.json/a",
                                       "../x")]
    for number, (plugin, name) in enumerate(bad):
        result = run(top, number, plugin, name)
        folder = top / f"out{number}"
        # One that leaves the folder is refused by its line, the others when the observer opens its file.
        words = ("scene.cfg:8: observers.x.file: ", "leaves the run's folder") if ".." in name or name[0] == "/" else ("(observers.x) failed in observe", "file name")
        tap.check(f"{plugin}: file = \"{name}\" is refused before the first step, status 2",
                  result.returncode == 2 and all(word in result.stderr for word in words) and not result.stdout
                  and not (folder / "summary.json").exists() and not (folder / name / "bodies.pvd").exists(),
                  (result, list(folder.glob("*"))))
    for plugin, name in (("record", "x.rec"), ("vtk", "frames"), ("vtk", "a/frames"), ("record", "table"),
                         ("record", "checkpoint-5")):
        result = run(top, "-" + plugin + name.replace("/", "-"), plugin, name)
        tap.check(f"{plugin}: file = \"{name}\" is taken", result.returncode == 0, result)
    folder = top / "out-vtkframes"
    tap.check("the table and what draws it are there, and no part",
              (folder / "table.csv").exists() and (folder / "table.gp").exists()
              and not list(folder.rglob("*.part")), list(folder.rglob("*")))


with tempfile.TemporaryDirectory() as folder:
    tap.finish(lambda: test(pathlib.Path(folder)))
