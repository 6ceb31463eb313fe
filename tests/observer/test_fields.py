# SPDX-License-Identifier: Apache-2.0
"""Fields of others: a law and a modifier add to one of three components, a modifier reads one of the run; csv, vtk,
hdf5 and frames write them, image shows them. All numbers are computed by hand.

usage: test_fields.py SCREE FOLDER_OF_PLUGINS [READ_FIELD]
"""
import pathlib
import subprocess
import sys

import scree
import vtp
from common import environment, norm, table, tap
from png import read_png

SCREE, PLUGINS = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
READER = sys.argv[3] if len(sys.argv) > 3 else None
STEPS, EVERY, DT = 10, 5, 0.125
SCENE = """scene = { dimension = 3; dt = %r; steps = %d; };
materials = { m = { density = 1000.0; }; };
shapes = { stick = { type = "rod"; length = 1.0; radius = 0.1; }; floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = {
    a = { radius = 0.5; position = (0.0, 0.0, 10.0); };
    b = { radius = 0.5; position = (0.9, 0.0, 10.0); fields = { mix = (1.0, 2.0, 3.0); }; };
    stick = { shape = "stick"; position = (0.0, 0.0, 20.0); motion = "fixed"; fields = { mix = (4.0, 5.0, 6.0); }; };
    floor = { shape = "floor"; fields = { mix = (7.0, 8.0, 9.0); }; };
};
resolvers = ( { plugin = "sphere"; }, { plugin = "rod"; } );
force = ( { plugin = "stir"; } );
modifiers = { count = { plugin = "count"; }; };
observers = { c = { plugin = "csv"; what = "bodies"; fields = ("mix", "dust"); every_steps = %d; };
    v = { plugin = "vtk"; contacts = false; fields = "force[0]/mix"; every_steps = %d; };
    w = { plugin = "vtk"; file = "letters"; contacts = false; encoding = "base64"; fields = "mix"; every_steps = %d; };
    h = { plugin = "hdf5"; optional = true; fields = ("mix", "force"); every_steps = %d; };
    i = { plugin = "hdf5"; optional = true; file = "one"; compression = 3; fields = "mix"; every_steps = %d; };
    f = { plugin = "frames"; fields = ("mix", "force"); every_steps = %d; }; };
""" % (DT, STEPS, *[EVERY] * 6)


def expected(step):
    """{name: mix}: step n moves it on by dt times the rate of the evaluation in step n - 1, in which the modifier reads
    how many steps were done before that one: 0, 0, 1, 2, .. in steps 1, 2, 3, 4, .."""
    counted = sum(max(n - 2, 0) for n in range(1, step + 1)) * DT
    time = step * DT
    return {"a": (0.5 + time, 0.5 + 2.0 * time, 0.5 + 3.0 * time + counted),
            "b": (1.0 - 2.0 * time, 2.0 - 4.0 * time, 3.0 - 6.0 * time + counted),
            "stick": (4.0, 5.0, 6.0), "floor": (7.0, 8.0, 9.0)}


def check_csv(folder):
    rows = table(folder / "bodies.csv")
    seen = {step: {row["name"]: tuple(row[f"mix_{k}"] for k in range(3)) for row in rows[step]} for step in rows}
    wanted = {step: expected(step) for step in range(0, STEPS + 1, EVERY)}
    tap.check("three components take what a law adds per contact and a modifier adds by a field of the run",
              seen == wanted and wanted[STEPS]["a"][2] == 0.5 + 3.75 + 36 * DT, (seen, wanted))
    dust = {row["name"]: (row["dust_0"], row["dust_1"]) for row in rows[STEPS]}
    tap.check("and two of another field what the modifier adds there", dust == {
        name: (8.0 * STEPS * DT, 16.0 * STEPS * DT) if name in "ab" else (0.0, 0.0) for name in dust} and len(dust) == 4, dust)


def check_vtk(folder, name):
    differ = []
    for step in range(0, STEPS + 1, EVERY):
        want = expected(step)
        parts = {part: vtp.read(folder / name / f"{part}_{step:010d}.vtp") for part in ("bodies", "solids", "walls")}
        points, cells = parts["bodies"]["PointData"], {part: parts[part]["CellData"] for part in ("solids", "walls")}
        if points["mix"] != [want[body] for body in ("a", "b", "stick")]:
            differ.append((step, "bodies", points["mix"]))
        for part, body in (("solids", "stick"), ("walls", "floor")):
            n = len(cells[part]["id"])
            if not n or cells[part]["mix"] != [want[body]] * n:
                differ.append((step, part, cells[part]["mix"][:3]))
    tap.check(f"vtk, {name}: fields are at the points of bodies and in all cells of solids and walls", not differ, differ)


def read(path, name):
    """(unit, components, frames of rows)"""
    done = subprocess.run([READER, path, "particles/bodies/" + name], text=True, capture_output=True, timeout=60)
    if done.returncode:
        print("#", done.stdout, done.stderr)
        return None
    unit, components, size, *rows = done.stdout.splitlines()
    frames, n, width = map(int, size.split()[1:])
    values = [tuple(map(float, row.split())) for row in rows]
    tap.check(f"hdf5: the size of {name}", components == f"components {width}" and len(values) == frames * n, size)
    return unit, components, [values[k * n:(k + 1) * n] for k in range(frames)]


def check_hdf5(folder):
    if not READER or not (folder / "trajectory.h5").exists():
        tap.skip("hdf5: fields", "libhdf5 is not installed")
        return
    wanted = [[expected(step)[body] for body in ("a", "b", "stick")] for step in range(0, STEPS + 1, EVERY)]
    for name in ("one.h5", "trajectory.h5"):
        found = read(folder / name, "mix")
        tap.check(f"hdf5: {name} has a field with its values, unit and components",
                  found == ("unit kg/m^3", "components 3", wanted), (found, wanted))
    found = read(folder / "trajectory.h5", "force[0].force")
    tap.check("hdf5: a field with the name of an element has its slot before it",
              found == ("unit -", "components 1", [[(0.25,)] * 3] * len(wanted)), found)


def check_frames(folder):
    frames, differ = scree.Frames(folder), []
    for frame in frames:
        want = [norm(expected(frame.step)[frames.groups[int(g)]]) for g in frame.group]
        if any(abs(a - b) > max(want) * 1e-4 for a, b in zip(want, frame.value("mix"))) or list(frame.value("force")) != [0.25] * frame.n:
            differ.append((frame.step, want, list(frame.value("mix"))))
    tap.check("frames: a field with one component, and the length of one with three", not differ and len(frames) == 3 and
              frames.header["fields"] == [{"name": "speed", "unit": "m/s"}, {"name": "mix", "unit": "kg/m^3"}, {"name": "force", "unit": "-"}],
              (differ, frames.header))


def check_image(top, env):
    """Bodies a and b have 0.5 and (1, 2, 3) at the start: in a range from 0.5 to 3, b has the lowest colours along x,
    the middle along y and the highest along z."""
    if subprocess.run([SCREE, "plugins", "observer/image"], env=env, capture_output=True).returncode:
        tap.skip("image: fields", "observer/image was not built, because cairo is not here")
        return
    words = ('plugin="image"; width=100; height=60; samples=1; hollows=false; walls="hidden"; hide=["stick"]; colour="field"; '
             'range=(0.5, 3.0); colour_bar=false; projection="orthographic"; direction=(0.0, -1.0, 0.0); view_height=1.2; '
             'target=(0.45, 0.0, 10.0); ')
    seen = []
    for part in "xyz":
        done = subprocess.run([SCREE, "run", top / "fields.cfg", "-q", "-o", top / part, "--steps=0", "--set",
                               f'observers={{p={{{words} field="mix"; component="{part}";}};}}'], env=env, text=True, capture_output=True)
        rows = read_png(top / part / "frame-00000.png")[2] if done.returncode == 0 else None
        seen.append([max(range(3), key=lambda k, p=rows[30][x]: p[k]) for x in (25, 75)] if rows else done.stderr)
    tap.check("image: a component of a field colours bodies", seen == [[2, 2], [2, 1], [2, 0]], seen)
    done = subprocess.run([SCREE, "run", top / "fields.cfg", "-q", "-o", top / "none", "--steps=0", "--set",
                           f'observers={{p={{{words} field="dust"; component="z";}};}}'], env=env, text=True, capture_output=True)
    tap.check("image: a component that a field does not have is refused",
              done.returncode == 1 and "component: the field dust has 2 components" in done.stderr, done)


def run(top):
    (top / "fields.cfg").write_text(SCENE)
    env = {**environment(), "SCREE_PLUGIN_PATH": str(PLUGINS)}
    done = subprocess.run([SCREE, "run", top / "fields.cfg", "-q", "-o", top / "out"], env=env, text=True,
                          capture_output=True, timeout=100, stdin=subprocess.DEVNULL)
    tap.check("a run with fields in all tables", done.returncode == 0, done)
    check_csv(top / "out")
    check_vtk(top / "out", "vtk")
    check_vtk(top / "out", "letters")
    check_hdf5(top / "out")
    check_frames(top / "out")
    check_image(top, env)


tap.in_folder(run)
