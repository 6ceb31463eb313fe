#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes sandglass.csv: the grains of sandglass.cfg, 0.35 s after the valve has opened.

usage: python3 sandglass.py SCREE > sandglass.csv          (some minutes)

1. Grains at random above the closed neck fall and come to rest with a soft law (0.6 s).
2. Stiffer ones take over, while they overlap less and less.
3. The valve is taken away; 0.35 s with a law that allows a larger step than that of the scene.
4. The law of the scene takes over, a hundred times as stiff, so that no impact starts the scene deep; 7.5 ms.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCENE = (HERE / "sandglass.cfg").read_text(encoding="utf-8")
KINDS, DENSITY, THICKNESS = "abcdefgh", 2500.0, 0.01
FALL = "".join(f'''{kind} = {{ plugin = "random"; count = 125; shape = "{kind}"; orientation = "random";
    distribution = {{ type = "uniform"; min = "6 mm"; max = "12 mm"; of = "diameter"; }};
    region = {{ min = (-0.355, 0.24); max = (0.355, 0.58); }}; }};\n''' for kind in KINDS)
TABLE = 'grains = {{ plugin = "table"; file = "{}"; }};'
PHASES = (  # force, dt, steps
    ('k = 5.0e9; kt = 1.0e4; damping_ratio = 0.3;', 1e-5, 60000),
    ('form = "matuttis"; young = 1.0e8; kt = 3.0e5; damping_ratio = 0.5; damping_t = 2.0;', 1.9e-6, 60000),
    ('form = "matuttis"; young = 5.0e9; kt = 1.0e6; damping_ratio = 0.25; damping_t = 1.0;', 4.5e-7, 60000))


OPEN = ('form = "matuttis"; young = 5.0e9; kt = 1.0e6; damping_ratio = 0.2; damping_t = 0.5;', 6e-7, 583334)
LAST = ('k = 1.0e13; kt = 1.0e6; damping_ratio = 0.1; damping_t = 0.5;', 2.5e-7, 30000)


def run(scree, top, generate, steps, *, law=None, dt=None, at=-1, closed=True, more=""):
    """Runs the scene with other grains, a closed neck and another law, and returns the rows of its last (first: at = 0) state."""
    text = re.sub(r"\nobservers = .*", "\n", re.sub(r"\ngenerate = [^\n]*", "\n", SCENE), flags=re.S)
    text = re.sub(r"\n    steps = \d+;", f"\n    steps = {steps};", text)
    if dt:
        text = re.sub(r"\n    dt = [^;]*;", f"\n    dt = {dt!r};", text)
    if law:
        text = re.sub(r"\nforce = .*?\);\n", f'\nforce = ( {{ plugin = "overlap_area"; friction = 0.4; {law} }} );\n', text, flags=re.S)
    if closed:
        text = re.sub(r"(\nbodies = \{.*?\n)\};", r'\1    valve = { shape = "valve"; motion = "fixed"; position = (0.0, 0.0); };\n};', text, flags=re.S)
    text += f'generate = {{ {generate} }};\nobservers = {{ b = {{ plugin = "csv"; what = "bodies"; every_steps = {steps}; }}; }};\n{more}'
    (top / "s.cfg").write_text(text, encoding="utf-8")
    out = top / f"run{len(list(top.iterdir()))}"
    done = subprocess.run([scree, "run", "s.cfg", "-q", "-o", out], cwd=top, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    with open(out / "bodies.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [r for r in rows if r["step"] == rows[at]["step"] and r["shape_name"] in KINDS]


def diameter(row):
    return float("%.10g" % (2.0 * math.sqrt(float(row["mass"]) / DENSITY / THICKNESS / math.pi)))


def centres(scree, top):
    """Where the centre of mass of each outline is, of diameter 1: a table gives the origin of the outline, a state the centre."""
    places = {kind: (0.03 * k - 0.1, 0.4) for k, kind in enumerate(KINDS)}
    (top / "apart.csv").write_text("id,shape,diameter,x,y,angle\n" + "".join(
        f"{100 + k},{kind},0.01,{x!r},{y!r},0\n" for k, (kind, (x, y)) in enumerate(places.items())), encoding="utf-8")
    return {r["shape_name"]: tuple((float(r[axis]) - place) / 0.01 for axis, place in zip("xy", places[r["shape_name"]]))
            for r in run(scree, top, TABLE.format("apart.csv"), 1, at=0)}


def write(file, rows, middle, moving=False):
    """The table of a state."""
    file.write("id,shape,diameter,x,y,angle" + (",vx,vy,wz" if moving else "") + "\n")
    for r in sorted(rows, key=lambda r: int(r["id"])):
        size, (ox, oy) = diameter(r), middle[r["shape_name"]]
        angle = float("%.9f" % math.remainder(2.0 * math.atan2(float(r["qz"]), float(r["qw"])), 2.0 * math.pi))
        c, s = math.cos(angle), math.sin(angle)
        file.write(f'{r["id"]},{r["shape_name"]},{size:.10g},{float(r["x"]) - size * (c * ox - s * oy):.10f},'
                   f'{float(r["y"]) - size * (s * ox + c * oy):.10f},{angle:.9f}' +
                   (f',{float(r["vx"]):.6g},{float(r["vy"]):.6g},{float(r["wz"]):.6g}' if moving else "") + "\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    scree = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        middle = centres(scree, top)
        generate = FALL
        for k, (law, dt, steps) in enumerate(PHASES):
            rows = run(scree, top, generate, steps, law=law, dt=dt)
            with open(top / f"phase{k}.csv", "w", encoding="utf-8") as file:
                write(file, rows, middle)
            generate = TABLE.format(f"phase{k}.csv")
        opens = 'modifiers = { open = { plugin = "release"; groups = ["valve"]; action = "remove"; at_time = 0.001; }; };\n'
        law, dt, steps = OPEN
        with open(top / "open.csv", "w", encoding="utf-8") as file:
            write(file, run(scree, top, generate, steps, law=law, dt=dt, more=opens), middle, moving=True)
        law, dt, steps = LAST
        write(sys.stdout, run(scree, top, TABLE.format("open.csv"), steps, law=law, dt=dt, closed=False), middle, moving=True)


main()
