#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes porous.csv: places and radii of a packing of balls of 7 to 9 mm, poured into a box of 48 mm and at rest.

usage: python3 porous.py [SCREE] > porous.csv
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

SCENE = """
scene = { dt = 2.0e-5; steps = 60000; gravity = (0.0, 0.0, -9.81); seed = 8; };
materials = { wax = { density = 2500.0; }; };
shapes = { box = { type = "box"; size = (0.048, 0.048, 0.2); open = ["top"]; }; };
bodies = { box = { shape = "box"; position = (0.0, 0.0, 0.1); }; };
generate = { grains = { plugin = "random"; count = 260;
    distribution = { type = "uniform"; min = "7 mm"; max = "9 mm"; of = "diameter"; };
    region = { min = (-0.0239, -0.0239, 0.001); max = (0.0239, 0.0239, 0.199); }; }; };
force = ( { plugin = "linear"; kn = 4.0e4; restitution = 0.2; friction = 0.2; } );
observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 60000; }; };
"""


def main():
    scree = sys.argv[1] if len(sys.argv) > 1 else "scree"
    with tempfile.TemporaryDirectory() as top:
        scene = pathlib.Path(top) / "pour.cfg"
        scene.write_text(SCENE, encoding="utf-8")
        subprocess.run([scree, "run", scene, "-q", "-o", pathlib.Path(top) / "run"], check=True, stdout=subprocess.DEVNULL)
        with open(pathlib.Path(top) / "run/bodies.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["step"] == "60000" and row["name"] == "grains"]
    print("x_mm,y_mm,z_mm,radius_mm")
    for row in rows:
        print(",".join(f"{1e3 * float(row[key]):.5f}" for key in ("x", "y", "z", "radius")))


if __name__ == "__main__":
    main()
