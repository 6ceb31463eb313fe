# SPDX-License-Identifier: Apache-2.0
"""Observers `csv`, `vtk` and `hdf5`: bodies that are not round, against the geometry of a rod and a dumbbell.

usage: test_shapes_files.py SCREE FOLDER_OF_PLUGINS...
"""
import json
import math
import pathlib
import subprocess
import sys

import vtp
from common import environment, norm, python_with, table, tap, vector

from runs import environment, scree  # noqa: E402
from vectors import cross, turned
SCREE, PLUGINS = sys.argv[1], [word for folder in sys.argv[2:] for word in ("--plugin-path", folder)]
LENGTH, R, DENSITY = 0.03, 0.01, 2000.0  # of the rod
ONE, OTHER, APART = 0.01, 0.006, 0.02    # [m] of the dumbbell
EVERY, STEPS, DT, TOLERANCE = 100, 300, 1e-4, 0.02
SPIN = 30.0  # [rad/s] of rod `a` about z
SCENE = f"""scene = {{ dimension = 3; dt = {DT}; steps = {STEPS};
    region = {{ min = (-0.1, -1.0, -0.2); max = (0.1, 1.0, 0.2); }}; boundary = ("periodic", "open", "destroy"); }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{
    stick = {{ type = "rod"; length = {LENGTH}; radius = {R}; }};
    bell = {{ type = "dumbbell"; radius = {ONE}; other = {OTHER}; distance = {APART}; }};
    tray = {{ type = "box"; size = (0.19, 1.0, 0.3); }};
}};
bodies = {{
    a = {{ shape = "stick"; position = (0.08, 0.0, 0.0); velocity = (1.5, 0.0, 0.0); scale = 1.5;
          orientation = {{ axis = (0.0, 1.0, 0.0); angle = 0.7; }}; spin = (0.0, 0.0, {SPIN}); }};
    leaves = {{ shape = "stick"; position = (0.0, 0.3, -0.15); velocity = (0.0, 0.0, -5.0); }};
    b = {{ shape = "bell"; position = (0.0, -0.2, 0.0); velocity = (0.1, 0.2, 0.3); scale = 0.8;
          orientation = {{ axis = (1.0, 2.0, -1.0); angle = 1.0; }}; spin = (3.0, -2.0, 1.0); }};
    c = {{ radius = 0.015; position = (0.03, -0.4, 0.0); }};
    f = {{ shape = "stick"; position = (-0.05, 0.4, 0.0); motion = "fixed"; }};
    tray = {{ shape = "tray"; position = (0.0, 5.0, 0.0); }};
}};
resolvers = ( {{ plugin = "sphere"; }}, {{ plugin = "rod"; }} );
force = ( {{ plugin = "linear"; kn = 1.0e4; }} );
modifiers = {{ feed = {{ plugin = "insert"; every_steps = 10; start = 0.012; number = 3;
    body = {{ shape = "stick"; scale = 0.7; orientation = "random"; velocity = (0.1, 0.0, 0.0); }};
    region = {{ min = (-0.09, -0.9, -0.05); max = (0.09, -0.6, 0.05); }}; }}; }};
"""
OBSERVERS = "".join(f'{name} = {{ plugin = "{plugin}"; {more} every_steps = {EVERY}; }}; ' for name, plugin, more in (
    ("v", "vtk", f"tolerance = {TOLERANCE};"), ("w", "vtk", 'file = "balls"; solids = false;'),
    ("b", "csv", 'what = "bodies";')))


def run(folder, scene, *args):
    path = folder.parent / (folder.name + ".cfg")
    path.write_text(scene)
    return scree(None, "run", path, "-o", folder, *PLUGINS, *args)


def rod(scale):
    """Volume and moments per mass, along and across the axis; bounding radius."""
    length, r = scale * LENGTH, scale * R
    bar, caps = math.pi * r * r * length, 4.0 / 3.0 * math.pi * r ** 3
    c, s = bar / (bar + caps), caps / (bar + caps)
    return (bar + caps, c * r * r / 2 + s * 0.4 * r * r,
            c * (length ** 2 / 12 + r * r / 4) + s * (0.4 * r * r + length ** 2 / 4 + 0.375 * length * r),
            length / 2 + r)


def close(a, b, rel=1e-12):
    return all(math.isclose(x, y, rel_tol=rel, abs_tol=1e-15) for x, y in zip(a, b)) and len(a) == len(b)


def check_csv(bodies):
    first = {row["name"]: row for row in bodies[0]}
    a, b, c, f, tray = (first[name] for name in ("a", "b", "c", "f", "tray"))
    volume, along, across, radius = rod(1.5)
    mass = DENSITY * volume
    tap.check("csv: a rod has the radius of the ball that holds it, its own volume, mass and moments",
              close([a[k] for k in ("radius", "volume", "mass", "ix", "iy", "iz")],
                    [radius, volume, mass, mass * along, mass * across, mass * across]), a)
    balls = 4.0 / 3.0 * math.pi * 0.8 ** 3 * (ONE ** 3 + OTHER ** 3)
    tap.check("csv: a clump the sum of its balls, a ball its own", close(
        [b["volume"], b["mass"], c["volume"], c["radius"]],
        [balls, DENSITY * balls, 4.0 / 3.0 * math.pi * 0.015 ** 3, 0.015]), (b, c))
    tap.check("csv: the name of a shape is that of the scene",
              all(row["shape_name"] == {0: "sphere", 2: "stick", 3: "bell"}.get(row["shape"], row["shape_name"])
                  for row in bodies[0]) and a["shape_name"] == "stick", [(r["shape"], r["shape_name"]) for r in bodies[0]])
    tap.check("csv: a body that is not free has mass inf, a wall no volume",
              f["mass"] == f["ix"] == math.inf and close([f["volume"]], [rod(1.0)[0]]) and tray["volume"] == 0.0, (f, tray))
    tap.check("csv: shapes by their place in the scene",
              [first[n]["shape"] for n in ("a", "b", "c", "f", "tray")] == [2, 3, 0, 2, 4], first)
    worst = 0.0
    for step, rows in bodies.items():
        q = [vector(row, ("qw", "qx", "qy", "qz")) for row in rows if row["name"] == "a"][0]
        worst = max(worst, abs(norm(q) - 1.0))
        if step == 0:
            worst = max(worst, norm([x - y for x, y in zip(turned(q, (1.0, 0.0, 0.0)), (math.cos(0.7), 0.0, -math.sin(0.7)))]))
    tap.check("csv: the orientation turns principal axes into the world's", worst < 1e-14 and q[3] != 0.0, worst)


def frames(folder, part):
    return {int(path.stem.rpartition("_")[2]): vtp.read(path) for _, path in vtp.frames(folder / f"{part}.pvd")}


def check_points(found, bodies):
    differ, moved = [], 0.0
    for step, frame in found.items():
        rows, data = {row["id"]: row for row in bodies[step] if row["name"] != "tray"}, frame["PointData"]
        differ += [(step, "ids")] if set(data["id"]) != set(rows) or len(data["id"]) != len(rows) + 1 else []
        for k, at in enumerate(frame["Points"]):
            row = rows[data["id"][k]]
            q, x = vector(row, ("qw", "qx", "qy", "qz")), vector(row, "xyz")
            radius, arm = 0.015 * (row["name"] == "c"), (0.0, 0.0, 0.0)
            if row["name"] == "b":
                share = OTHER ** 3 / (ONE ** 3 + OTHER ** 3)
                ball = data["ball"][k]
                radius = 0.8 * (ONE, OTHER)[ball]
                arm = turned(q, (0.8 * APART * (ball - share), 0.0, 0.0))
            v = [a + b for a, b in zip(vector(row, ("vx", "vy", "vz")), cross(vector(row, ("wx", "wy", "wz")), arm))]
            if not close(at, [a + b for a, b in zip(x, arm)]) or not close([data["radius"][k]], [radius]) or \
                    not close(data["velocity"][k], v) or data["orientation"][k] != q or data["shape"][k] != row["shape"]:
                differ.append((step, row["name"], at, radius, data["radius"][k]))
            moved = max(moved, norm(arm))
    tap.check("vtk: a point per body and per ball of a clump, with radius, velocity and orientation; radius 0 where "
              "a surface is written",
              not differ and moved > 0.005 and len(found) == STEPS // EVERY + 1, differ)


def volume(points, cells):
    """By the theorem of Gauss."""
    total = 0.0
    for cell in cells:
        o = points[cell[0]]
        for i, j in zip(cell[1:], cell[2:]):
            total += sum(a * b for a, b in zip(o, cross(points[i], points[j]))) / 6.0
    return total


def by_body(frame):
    found = {}
    for cell, body in zip(frame["cells"][1], frame["CellData"]["id"]):
        found.setdefault(body, []).append(cell)
    return found


def check_surfaces(found, bodies):
    differ, worst = [], 0.0
    for step, frame in found.items():
        rows = {row["id"]: row for row in bodies[step] if row["shape"] == 2}
        solids, data = by_body(frame), frame["CellData"]
        differ += [(step, "bodies", set(solids))] if set(solids) != set(rows) else []
        for k, body in enumerate(data["id"]):
            row = rows[body]
            if data["velocity"][k] != vector(row, ("vx", "vy", "vz")) or data["shape"][k] != 2 or \
                    data["motion"][k] != 2 * (row["name"] == "f") or data["spin"][k] != vector(row, ("wx", "wy", "wz")) or \
                    frame["FieldData"]["group_names"][data["group"][k]] != row["name"]:
                differ.append((step, k, row["name"]))
        for body, cells in solids.items():
            row = rows[body]
            scale = row["radius"] / rod(1.0)[3]
            axis, x = turned(vector(row, ("qw", "qx", "qy", "qz")), (1.0, 0.0, 0.0)), vector(row, "xyz")
            for p in {p for cell in cells for p in cell}:
                d = [a - b for a, b in zip(frame["Points"][p], x)]
                along = max(-0.5, min(0.5, sum(a * b for a, b in zip(d, axis)) / (scale * LENGTH)))
                off = norm([a - along * scale * LENGTH * b for a, b in zip(d, axis)])
                worst = max(worst, abs(off / (scale * R) - 1.0))
            inside, true = volume(frame["Points"], cells), rod(scale)[0]
            skin = 2.0 * math.pi * scale * R * scale * (LENGTH + 2.0 * R) * TOLERANCE * row["radius"]
            if not true - skin < inside < true:
                differ.append((step, row["name"], inside, true, skin))
    tap.check("vtk: surfaces of rods are where the rods are: vertices on the capsule, closed, the volume within the "
              "tolerance, values those of csv", not differ and worst < 1e-12 and len(found) == STEPS // EVERY + 1,
              (worst, differ[:3]))
    control = found[0]
    upside = [tuple(reversed(c)) for c in next(iter(by_body(control).values()))]
    tap.check("control: turned inside out the volume is negative", volume(control["Points"], upside) < 0.0)


def check_reader(folder):
    claim, python = "VTK's own reader finds the same surfaces", python_with("vtkmodules.vtkIOXML")
    if not python:
        tap.skip(claim, "Debian's python3-vtk9 is not installed")
        return
    path = folder / "vtk" / f"solids_{STEPS:010d}.vtp"
    result = subprocess.run([python, pathlib.Path(__file__).with_name("read_vtk.py"), path], text=True,
                            capture_output=True, timeout=100)
    seen, wanted = json.loads(result.stdout or "{}"), vtp.read(path)
    tap.check(claim, not result.stderr and seen["kinds"][2] == len(wanted["cells"][1]) > 50 and
              seen["cells"] == wanted["cells"][1] and seen["Points"] == [list(p) for p in wanted["Points"]] and
              seen["CellData"] == json.loads(json.dumps(wanted["CellData"])), result.stderr)


def check_comings(found, bodies):
    names = {step: {row["name"] for row in rows} for step, rows in bodies.items()}
    ids = {row["name"]: row["id"] for row in bodies[0]}
    at = {row["name"]: row for row in bodies[STEPS]}["a"]
    image = {i: image for i, image in zip(found[STEPS]["PointData"]["id"], found[STEPS]["PointData"]["image"])}
    tap.check("rods are inserted, and drawn as such", [sum(row["name"] == "feed" for row in bodies[step])
              for step in sorted(bodies)] == [0, 0, 3, 3], names)
    tap.check("a rod that leaves the region is gone, one that crosses a periodic boundary is on the other side",
              "leaves" in names[0] and "leaves" not in names[STEPS] and ids["leaves"] not in image and
              image[ids["a"]] == (1, 0, 0) and at["x"] < 0.0, (names, image))


def check_hdf5(folder, bodies, solids):
    python = python_with("h5py")
    result = run(folder / "h", SCENE, "--set", f'observers={{h={{plugin="hdf5"; every_steps={EVERY}; tolerance={TOLERANCE};}};}}')
    if result.returncode == 2 and "no plugin observer/hdf5" in result.stderr or not python:
        tap.skip("hdf5: shapes", "libhdf5 or Debian's python3-h5py is not installed")
        return
    text = subprocess.run([python, pathlib.Path(__file__).with_name("read_hdf5.py"), folder / "h" / "trajectory.h5"],
                          env=environment(), text=True, capture_output=True, timeout=100)
    found = json.loads(text.stdout or "{}")
    shapes, elements, differ, worst = found["shapes"], found["elements"], [], 0.0
    stick, bell = shapes["2"], shapes["3"]
    tap.check("hdf5: each shape but walls once, with type, kind, volume, inertia and radius",
              [(k, s["type"], s["kind"]) for k, s in sorted(shapes.items())] ==
              [("0", "sphere", "round"), ("1", "disc", "round"), ("2", "rod", "solid"), ("3", "dumbbell", "clump")] and
              {k: s["name"] for k, s in shapes.items()} == {"0": "sphere", "1": "disc", "2": "stick", "3": "bell"} and
              close([stick["volume"], stick["radius"], *stick["inertia"]], [rod(1.0)[k] for k in (0, 3, 1, 2, 2)]) and
              stick["tolerance"] == TOLERANCE * stick["radius"], {k: sorted(s) for k, s in shapes.items()})
    tap.check("hdf5: the balls of a clump about its centre of mass",
              close(bell["ball_radius"], [ONE, OTHER]) and
              abs(sum(r ** 3 * c[0] for r, c in zip(bell["ball_radius"], bell["centre"]))) < 1e-18 and
              close([bell["centre"][1][0] - bell["centre"][0][0]], [APART]), bell)
    for frame, step in enumerate(found["step"]):
        rows = {row["id"]: row for row in bodies[step]}
        drawn = by_body(solids[step])
        for i, body in enumerate(elements["id"][frame]):
            if body < 0:
                continue
            q, scale, shape = (elements[k][frame][i] for k in ("orientation", "scale", "shape"))
            if q != list(vector(rows[body], ("qw", "qx", "qy", "qz"))) or shape != rows[body]["shape"]:
                differ.append((step, body))
            if shape != 2:
                continue
            first = min(p for cell in drawn[body] for p in cell)
            for k, v in enumerate(stick["vertices"]):
                want = [x + scale * y for x, y in zip(elements["position"][frame][i], turned(q, v))]
                worst = max(worst, norm([a - b for a, b in zip(want, solids[step]["Points"][first + k])]))
            corners = [tuple(first + p for p in f if p >= 0) for f in stick["facets"]]
            differ += [(step, body, "facets")] if corners != [tuple(c) for c in drawn[body]] else []
    tap.check("hdf5: orientation, scale and shape place each shape where vtk draws it",
              len(found["step"]) == STEPS // EVERY + 1 and not differ and worst < 1e-15, (worst, differ))


def check_flat(top):
    scene = f"""scene = {{ dimension = 2; dt = 1e-4; steps = 1; thickness = 0.5; }};
        materials = {{ m = {{ density = {DENSITY}; }}; }};
        shapes = {{ stick = {{ type = "rod"; length = {LENGTH}; radius = {R}; }};
                    bell = {{ type = "dumbbell"; radius = {ONE}; other = {OTHER}; distance = {APART}; }}; }};
        bodies = {{ a = {{ shape = "stick"; position = (1.0, 2.0); orientation = 0.4; scale = 2.0; }};
                    b = {{ shape = "bell"; position = (3.0, 2.0); }}; c = {{ radius = 0.1; position = (5.0, 2.0); }}; }};
        resolvers = ( {{ plugin = "sphere"; }}, {{ plugin = "rod"; }} ); force = ( {{ plugin = "linear"; kn = 1.0e4; }} );
        observers = {{ {OBSERVERS} h = {{ plugin = "hdf5"; optional = true; }}; }};"""
    result = run(top / "flat", scene)
    frame = vtp.read(top / "flat" / "vtk" / "solids_0000000000.vtp")
    a = table(top / "flat" / "bodies.csv")[0][0]
    kind, cells = frame["cells"]
    points = [frame["Points"][p] for p in cells[0]]
    area = sum(0.5 * (p[0] * q[1] - p[1] * q[0]) for p, q in zip(points, points[1:] + points[:1]))
    true = 4.0 * (2.0 * LENGTH * R + math.pi * R * R)
    tap.check("2D: a rod is one polygon of its area; volume and mass are of the thickness",
              result.returncode == 0 and kind == "Polys" and len(cells) == 1 and 0.97 * true < area < true and
              close([a["volume"], a["mass"]], [true * 0.5, true * 0.5 * DENSITY]), (result.stderr, area, true, a))
    points = vtp.read(top / "flat" / "vtk" / "bodies_0000000000.vtp")
    tap.check("2D: points of discs, of discs of clumps, of rods",
              sorted(points["PointData"]["radius"]) == sorted([0.0, ONE, OTHER, 0.1]), points["PointData"]["radius"])


def check_validate(top):
    (top / "v.cfg").write_text(SCENE)
    output = scree(None, "validate", top / "v.cfg", *PLUGINS).stdout.splitlines()
    said = [line for line in output if line.startswith("solid ")]
    balls = 4.0 / 3.0 * math.pi * (0.8 ** 3 * (ONE ** 3 + OTHER ** 3) + 0.015 ** 3)
    tap.check("validate: the solid fraction counts the volume of free rods, clumps and balls", said and math.isclose(
        float(said[0].split()[1]), (rod(1.5)[0] + rod(1.0)[0] + balls) / (0.2 * 2.0 * 0.4), rel_tol=1e-3), said)


def check_convex(top):
    """An egg offers only a support function; a lump no view at all."""
    scene = """scene = { dimension = 3; dt = 1e-4; steps = 1; }; materials = { m = { density = 2000.0; }; };
        shapes = { egg = { type = "egg"; axes = (0.02, 0.01, 0.007); }; lump = { type = "lump"; side = 0.02; }; };
        bodies = { a = { shape = "egg"; position = (3.0, 0.0, 0.0); motion = "fixed";
                         orientation = { axis = (1.0, 2.0, 3.0); angle = 2.0; }; };
                   b = { shape = "lump"; position = (1.0, 0.0, 0.0); scale = 3.0; motion = "fixed"; }; };
        force = ( { plugin = "linear"; kn = 1.0e4; } );
        observers = { v = { plugin = "vtk"; }; h = { plugin = "hdf5"; optional = true; }; };"""
    result = run(top / "eggs", scene)
    data = vtp.read(top / "eggs" / "vtk" / "bodies_0000000000.vtp")["PointData"]
    frame = vtp.read(top / "eggs" / "vtk" / "solids_0000000000.vtp")
    said = result.stderr.count("(lump) offers neither scree.mesh/1 nor scree.support/1")
    tap.check("a shape without a surface is a point with the radius of the ball that holds it; each writer says so once",
              result.returncode == 0 and close(data["radius"], [0.0, 0.06 * math.sqrt(0.75)]) and
              said == 1 + (top / "eggs" / "trajectory.h5").exists(), (result.stderr, data))
    cells, true = frame["cells"][1], 4.0 / 3.0 * math.pi * 0.02 * 0.01 * 0.007
    sides = {(i, j) for c in cells for i, j in zip(c, c[1:] + c[:1])}
    inside, skin = volume(frame["Points"], cells), 4.0 * math.pi * 0.02 * 0.01 * 0.01 * 0.02
    tap.check("vtk: a convex shape without a mesh is its hull: closed, its volume within the tolerance",
              set(frame["CellData"]["id"]) == {1} and len(sides) == 3 * len(cells) and
              all((j, i) in sides for i, j in sides) and true - skin < inside < true, (inside, true, skin, len(cells)))


def check_scene(top):
    result = run(top / "run", SCENE, "--set", f"observers={{{OBSERVERS}}}")
    tap.check("the scene runs", result.returncode == 0, result.stderr)
    bodies = table(top / "run" / "bodies.csv")
    solids, points = frames(top / "run" / "vtk", "solids"), frames(top / "run" / "vtk", "bodies")
    check_csv(bodies)
    check_points(points, bodies)
    check_surfaces(solids, bodies)
    check_reader(top / "run")
    check_comings(points, bodies)
    tap.check("vtk: without `solids` there are no such files", not list((top / "run" / "balls").glob("solids*")) and
              (top / "run" / "balls" / "bodies.pvd").exists())
    check_hdf5(top, bodies, solids)


tap.in_folder(check_scene, check_flat, check_convex, check_validate)
