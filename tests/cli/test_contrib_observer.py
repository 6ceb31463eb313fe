# SPDX-License-Identifier: Apache-2.0
"""contrib/observer/fabric: figures of the host (scree.figures/1) and scalars for conditions (scree.scalars/1);
contrib/observer/slices: pieces of a state on several ranks (draft.pieces/1). Built against an installation.

usage: test_contrib_observer.py MESON BUILD "CC ARG..." CONTRIB
"""
import math
import pathlib
import shlex
import sys

import tap
from runs import read_table
from stage import Stage

BUILD, CONTRIB = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[4]).resolve()
MESON, CC = shlex.split(sys.argv[1]), shlex.split(sys.argv[3])
GAP = 1.9e-3  # [m] between the centres of balls of 2 mm

SCENE = """
scene = { dt = 1e-6; steps = 40; };
materials = { glass = { density = 2500.0; }; };
bodies = { %s };
force = { plugin = "linear"; kn = 1.0e3; };
observers = { fabric = { plugin = "fabric"; every_steps = 40; }; s = { plugin = "csv"; every_steps = 40; }; };
stop = ( { when = "%s"; after = "1 us"; every = 10; } );
"""


def pairs(*axes):
    """A pair of balls that overlap along each axis, far from the others."""
    words = []
    for k, axis in enumerate(axes):
        for end in (0, 1):
            place = [0.1 * k, 0.0, 0.0]
            place[axis] += end * GAP
            words.append(f'b{k}{end} = {{ radius = "1 mm"; position = ({", ".join(repr(float(x)) for x in place)}); }};')
    return " ".join(words)


def last(path):
    return {k: float(v) for k, v in read_table(path)[-1].items()}


def run(stage, name, axes, when="fabric.contacts > 1e9"):
    scene = stage.top / f"{name}.cfg"
    scene.write_text(SCENE % (pairs(*axes), when), encoding="utf-8")
    return stage.run(scene, name)


def main(top):
    stage = Stage(top, MESON, BUILD, CC)
    stage.build(CONTRIB / "observer" / "fabric.c")
    for label, axes, want in (("one line", (0,), 1.0), ("three at right angles", (0, 1, 2), 0.0)):
        data, _ = run(stage, f"f{len(axes)}", axes)
        row = last(stage.top / f"f{len(axes)}" / "fabric.csv")
        tap.check(f"contacts along {label}: anisotropy and stress ratio are {want}",
                  math.isclose(row["anisotropy"], want, abs_tol=1e-9) and
                  math.isclose(row["stress_ratio"], want, abs_tol=1e-9), row)
        tap.check(f"{label}: a figure of the host is that of the csv and of the summary", row["coordination"] == 1.0 ==
                  data["coordination"] == last(stage.top / f"f{len(axes)}" / "scalars.csv")["coordination"], (row, data))
    data, _ = run(stage, "ends", (0,), "fabric.anisotropy > 0.9 and fabric.contacts >= 1")
    tap.check("a condition reads its scalars between its rows", (data.get("ended_by") or {}).get("step") == 10, data)
    data, _ = run(stage, "never", (0, 1, 2), "fabric.anisotropy > 0.9")
    told = [c for c in data["conditions"] if c["of"] == "stop[0]"]
    tap.check("a condition that never held is reported with its last value", data["ended_by"] is None and len(told) == 1 and
              told[0]["came_true"] is False and abs(told[0]["last"][0]["value"]) < 1e-9, told)


BED = """
scene = { dt = 1.0e-5; steps = 200; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; motion = "fixed"; }; };
generate = { balls = { shape = "sphere"; count = 300; radius = "2 mm"; velocity_random = 1.0;
                       region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }; }; };
force = ( { plugin = "linear"; kn = 1.0e4; } );
observers = { t = { plugin = "slices"; every_steps = 40; }; };
%s
"""


def slices(top):
    """The tables of three ranks have together the rows of one, and each rank a share of them."""
    stage = Stage(top, MESON, BUILD, CC)
    stage.build(CONTRIB / "observer" / "slices.c")
    rows, shares = [], []
    for n in (1, 3):
        scene = top / f"bed-{n}.cfg"
        scene.write_text(BED % (f'domain = {{ plugin = "processes"; ranks = {n}; }};' if n > 1 else ""), encoding="utf-8")
        data, _ = stage.run(scene, f"slices-{n}")
        tables = {path.stem: read_table(path) for path in sorted((top / f"slices-{n}").glob("slices_*.csv"))}
        rows.append(sorted((name.split("_")[1], *row.values()) for name, table in tables.items() for row in table))
        shares.append([len(table) for table in tables.values()])
        rows[-1].append(data["state_sha256"])
    touched = sum(int(row[-1]) for row in rows[0][:-1])
    tap.check("slices: three ranks write the rows and reach the state of one", rows[0] == rows[1] and touched > 50, (touched, shares))
    tap.check("slices: each rank writes a share between the first state and the last", shares[0] == [301] * 6
              and shares[1][:1] + shares[1][-1:] == [301] * 2 and len(shares[1]) == 2 + 3 * 4 and all(
                  sum(shares[1][k:k + 3]) == 301 and min(shares[1][k:k + 3]) > 30 for k in range(1, 13, 3)), shares)
    result = stage.call("prlimit", "--fsize=9000", stage.scree, "run", "--plugin-path", stage.plugins, top / "bed-1.cfg", "-q", "-o", "full")
    tap.check("slices: a table that cannot be written ends the run with the reason", result.returncode == 1
              and 'cannot write a table of "slices": File too large' in result.stderr, result)


tap.in_folders(main, slices)
