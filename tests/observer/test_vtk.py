# SPDX-License-Identifier: Apache-2.0
"""Observer `vtk`: what its files hold is what `csv` and the scene say, as VTK's own reader sees it.

usage: test_vtk.py SCREE CROWD.cfg PILE.cfg
"""
import json
import math
import pathlib
import resource
import signal
import subprocess
import sys
import time

import vtp
from common import command, norm, python_with, run, table, tap, vector
from runs import launch, wait_for

SCREE, CROWD, PILE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
EVERY, STEPS, DT = 250, 2000, 1e-5
LENGTH = 0.04  # [m] of the periodic cell along x
WALLS = ("roof", "slope", "far")
OBSERVERS = "".join(f'{name} = {{ plugin = "{plugin}"; {more} every_steps = {EVERY}; }}; '
                    for name, plugin, more in (("v", "vtk", 'encoding = "raw";'),
                                               ("w", "vtk", 'file = "letters"; encoding = "base64";'),
                                               ("b", "csv", 'what = "bodies";'),
                                               ("c", "csv", 'what = "contacts";')))


def steps_of(folder, part):
    return [(int(path.stem.rpartition("_")[2]), path) for _, path in vtp.frames(folder / f"{part}.pvd")]


def check_lists(folder):
    wanted = [(k * EVERY * DT, f"{{}}_{k * EVERY:010d}.vtp") for k in range(STEPS // EVERY + 1)]
    for part in ("bodies", "walls", "contacts"):
        seen = [(time, path.name) for time, path in vtp.frames(folder / "vtk" / f"{part}.pvd")]
        tap.check(f"{part}.pvd lists the frames with their times",
                  [name for _, name in seen] == [name.format(part) for _, name in wanted] and
                  all(math.isclose(a[0], b[0], rel_tol=1e-14) for a, b in zip(seen, wanted)), seen)
    files = {p.name for p in (folder / "vtk").iterdir()}
    tap.check("there are no other files", len(files) == 3 * (len(wanted) + 1), sorted(files))


def check_bodies(folder, bodies, contacts):
    differ, moved, wrapped, before = [], 0.0, 0, {}
    for step, path in steps_of(folder / "vtk", "bodies"):
        frame = vtp.read(path)
        data, names = frame["PointData"], frame["FieldData"]["group_names"]
        rows = [row for row in bodies[step] if row["name"] not in WALLS]
        touch = {}
        for c in contacts.get(step, []):
            for body in (c["a"], c["b"]):
                touch[body] = touch.get(body, 0) + (c["depth"] >= 0.0)
        columns = [[row["id"] for row in rows], [vector(row, "xyz") for row in rows],
                   [vector(row, ("vx", "vy", "vz")) for row in rows],
                   [vector(row, ("wx", "wy", "wz")) for row in rows],
                   [vector(row, ("fx", "fy", "fz")) for row in rows],
                   [row["radius"] for row in rows], [row["name"] for row in rows],
                   [int(row["name"] in ("shots", "post")) for row in rows],
                   [2 * (row["name"] == "post") for row in rows],
                   [touch.get(row["id"], 0) for row in rows]]
        seen = [data["id"], frame["Points"], data["velocity"], data["spin"], data["force"],
                data["radius"], [names[g] for g in data["group"]], data["material"], data["motion"],
                data["coordination"]]
        differ += [(step, k) for k, (a, b) in enumerate(zip(columns, seen)) if a != b]
        if frame["FieldData"]["step"] != [step] or \
                not math.isclose(frame["FieldData"]["TimeValue"][0], step * DT, rel_tol=1e-14):
            differ.append((step, "time"))
        if frame["cells"] != ("Verts", [[i] for i in range(len(rows))]):
            differ.append((step, "cells"))
        for body, x, image in zip(data["id"], frame["Points"], data["image"]):
            at = x[0] + LENGTH * image[0]
            moved = max(moved, abs(at - before.get(body, at)))
            wrapped += image[0] != 0
            before[body] = at
            differ += [(step, "image")] if image[1] or image[2] else []
    tap.check("bodies: id, position, velocity, spin, force, radius, group, material, motion and "
              "coordination are those of csv, bit for bit", not differ, differ)
    fastest = max(abs(row["vx"]) for rows in bodies.values() for row in rows)
    tap.check("bodies: with their images they move on across the boundary",
              wrapped > 20 and 0.0 < moved < 1.2 * fastest * EVERY * DT < 0.75 * LENGTH,
              f"{wrapped} wrapped, {moved} m of {fastest * EVERY * DT} m")
    touching = sum(c["depth"] >= 0.0 for rows in contacts.values() for c in rows)
    tap.check("bodies: they touch, and some go", touching > 30 and
              len(bodies[0]) > len(bodies[STEPS]) > 20, (touching, len(bodies[STEPS])))


def turn(axis, angle, v):
    """Rodrigues' formula."""
    n = [a / norm(axis) for a in axis]
    cross = (n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2], n[0] * v[1] - n[1] * v[0])
    dot = sum(a * b for a, b in zip(n, v))
    return [v[k] * math.cos(angle) + cross[k] * math.sin(angle) +
            n[k] * dot * (1.0 - math.cos(angle)) for k in range(3)]


def area(points):
    total = [0.0, 0.0, 0.0]
    for a, b in zip(points, points[1:] + points[:1]):
        for k in range(3):
            total[k] += 0.5 * (a[k - 2] * b[k - 1] - a[k - 1] * b[k - 2])
    return norm(total)


def check_walls(folder, bodies):
    roof = ((-0.006, -0.006, 0.0), (0.006, -0.006, 0.0), (0.006, 0.006, 0.002),
            (-0.006, 0.006, 0.002), (0.0, 0.009, 0.006))
    worst, differ, pushed = 0.0, [], 0
    for step, path in steps_of(folder / "vtk", "walls"):
        frame, t = vtp.read(path), step * DT
        kind, cells = frame["cells"]
        data, names = frame["CellData"], frame["FieldData"]["group_names"]
        by_name = {row["name"]: row for row in bodies[step] if row["name"] in WALLS}
        groups = [names[g] for g in data["group"]]
        if kind != "Polys" or groups != ["roof", "roof", "slope", "far"] or \
                data["facet"] != [0, 1, -1, -1] or data["material"] != [1, 1, 0, 1] or \
                data["motion"] != [1, 1, 2, 2]:
            differ.append((step, kind, groups, data))
        differ += [(step, name) for name, body, force in zip(groups, data["id"], data["force"])
                   if body != by_name[name]["id"] or
                   force != vector(by_name[name], ("fx", "fy", "fz"))]
        pushed += norm(data["force"][0]) > 0.1
        for k, v in enumerate(roof):
            v = turn((1.0, 2.0, 0.5), math.radians(25.0), [1.5 * a for a in v])
            v = turn((0.0, 0.0, 1.0), 30.0 * t, v)
            wanted = (v[0], v[1], v[2] + 0.004 + 0.02 * t)
            worst = max(worst, *(abs(a - b) for a, b in zip(wanted, frame["Points"][k])))
        if cells[:2] != [[0, 1, 2, 3], [3, 2, 4]]:
            differ.append((step, cells))
        slope, far = ([frame["Points"][i] for i in cell] for cell in cells[2:])
        for y, z in ((p[1], p[2]) for p in slope):
            worst = max(worst, abs(y + 2.0 * (z + 0.004)))
        worst = max(worst, *(abs(p[1] - 0.03) for p in far))
        for points, wanted in ((slope, 0.04 * 0.03 * math.sqrt(1.25)), (far, 0.04 * 0.062)):
            if len(points) != 4 or not math.isclose(area(points), wanted, rel_tol=1e-9):
                differ.append((step, points))
    tap.check("walls: ids, groups, materials, motions, facets and forces are those of csv and the "
              "scene", not differ and pushed > 1, differ or pushed)
    tap.check("walls: a turning body of facets, a plane cut to the region, one outside of it: each "
              "corner is in its place", worst < 1e-14, worst)


def check_contacts(folder, bodies, contacts):
    differ, across, on_walls, inside = [], 0, 0, 0
    for step, path in steps_of(folder / "vtk", "contacts"):
        frame, rows = vtp.read(path), contacts.get(step, [])
        data = frame["CellData"]
        by_id = {row["id"]: row for row in bodies[step]}
        wanted = {"id_a": [c["a"] for c in rows], "id_b": [c["b"] for c in rows],
                  "image": [vector(c, ("image_x", "image_y", "image_z")) for c in rows],
                  "force": [vector(c, ("fx", "fy", "fz")) for c in rows],
                  "normal": [vector(c, ("nx", "ny", "nz")) for c in rows],
                  "point": [vector(c, "xyz") for c in rows], "depth": [c["depth"] for c in rows],
                  "part_a": [c["part_a"] for c in rows], "part_b": [c["part_b"] for c in rows],
                  "branch": [vector(c, ("branch_x", "branch_y", "branch_z")) for c in rows],
                  "stored": [c["stored"] for c in rows]}
        differ += [(step, key) for key, values in wanted.items() if data[key] != values]
        if frame["cells"] != ("Lines", [[2 * k, 2 * k + 1] for k in range(len(rows))]):
            differ.append((step, "cells"))
        for k, c in enumerate(rows):
            push = -sum(a * b for a, b in zip(wanted["force"][k], wanted["normal"][k]))
            if not math.isclose(data["force_normal"][k], push, rel_tol=1e-12, abs_tol=1e-15) or \
                    not math.isclose(data["force_magnitude"][k], norm(wanted["force"][k]), rel_tol=1e-12):
                differ.append((step, k, "force"))
            a, b = by_id[c["a"]], by_id[c["b"]]
            wall = b["name"] in WALLS
            branch = (b["x"] + c["image_x"] * LENGTH - a["x"], b["y"] - a["y"], b["z"] - a["z"])
            if max(abs(p - q) for p, q in zip(vector(c, ("branch_x", "branch_y", "branch_z")), branch)) > 1e-16:
                differ.append((step, k, "branch"))
            to = vector(c, "xyz") if wall else (b["x"] + c["image_x"] * LENGTH, b["y"], b["z"])
            start, end = frame["Points"][2 * k:2 * k + 2]
            if start != vector(a, "xyz") or max(abs(p - q) for p, q in zip(end, to)) > 1e-16:
                differ.append((step, k, "ends"))
            reach = a["radius"] + (0.0 if wall else b["radius"])
            if not math.isclose(norm([p - q for p, q in zip(start, end)]), reach - c["depth"],
                                rel_tol=1e-9) and not wall:
                differ.append((step, k, "length"))
            across += c["image_x"] != 0
            on_walls += wall
            inside += not wall and c["image_x"] == 0
    tap.check("contacts: ids, image, forces, normal, point, depth, parts, branch and stored energy are those of csv; lines run "
              "from centre to centre, or to the contact point on a wall", not differ, differ)
    tap.check("contacts: some cross the boundary, some are on walls, some on neither",
              min(across, on_walls, inside) > 3, (across, on_walls, inside))


def all_frames(folder):
    return [path for part in ("bodies", "walls", "contacts") for _, path in vtp.frames(folder / f"{part}.pvd")]


def check_letters(folder):
    raw, letters = all_frames(folder / "vtk"), all_frames(folder / "letters")
    differ, odd = [], []
    for a, b in zip(raw, letters):
        one, other = vtp.read(a), vtp.read(b)
        odd += [array for array in other["arrays"] if array[2] != "binary" or
                array[1] not in ("Float64", "Int64", "Int32") and array[0] != "group_names"]
        odd += [array for array in one["arrays"] if array[2] != "appended"]
        del one["arrays"], other["arrays"]
        differ += [] if one == other else [b.name]
    tap.check("base64 holds the same numbers inside the XML, of types that OVITO reads",
              len(raw) == len(letters) > 20 and not differ and not odd, differ or odd)
    spoilt = folder / "spoilt.vtp"
    data = bytearray(raw[0].read_bytes())
    data[-1000] ^= 1
    spoilt.write_bytes(data)
    tap.check("control: one bit of an array changed is seen", vtp.read(spoilt) != vtp.read(raw[0]))


def check_reader(folder):
    claim = "VTK's own reader finds the same numbers in every frame, raw and base64"
    python = python_with("vtkmodules.vtkIOXML")
    if not python:
        tap.skip(claim, "Debian's python3-vtk9 is not installed")
        return
    paths = all_frames(folder / "vtk") + all_frames(folder / "letters")
    result = subprocess.run([python, pathlib.Path(__file__).with_name("read_vtk.py"), *paths],
                            text=True, capture_output=True, timeout=100)
    lines, differ = result.stdout.splitlines(), []
    for path, line in zip(paths, lines):
        wanted, seen = vtp.read(path), json.loads(line)
        del wanted["arrays"]
        kind, wanted["cells"] = wanted["cells"]
        n = len(wanted["cells"])
        wanted["kinds"] = [n * (kind == k) for k in ("Verts", "Lines", "Polys")]
        differ += [] if json.loads(json.dumps(wanted)) == seen else [path.name]
    tap.check(claim, result.returncode == 0 and len(lines) == len(paths) and not differ and
              not result.stderr, result.stderr or differ)


def check_flat(top):
    result = run(SCREE, PILE, top / "flat", 'v = { plugin = "vtk"; }; b = { plugin = "csv"; what = "bodies"; };',
                 "--steps", 10)
    walls = vtp.read(top / "flat" / "vtk" / "walls_0000000010.vtp")
    discs = vtp.read(top / "flat" / "vtk" / "bodies_0000000010.vtp")
    rows = [row for row in table(top / "flat" / "bodies.csv")[10]]
    kind, cells = walls["cells"]
    tap.check("2D: walls are lines in the plane, discs are points",
              result.returncode == 0 and kind == "Lines" and cells and all(len(c) == 2 for c in cells)
              and all(p[2] == 0.0 for p in walls["Points"] + discs["Points"]) and
              len(discs["Points"]) + len(set(walls["CellData"]["id"])) == len(rows),
              result.stderr or (kind, cells))


def check_bounds(top):
    """A plane where there is no region: cut to the bounds of the balls."""
    scene = top / "bounds.cfg"
    scene.write_text("""
scene = { dimension = 3; dt = 1.0e-5; steps = 1; };
materials = { m = { density = 1000.0; }; };
shapes = { b = { type = "sphere"; radius = 0.5; }; p = { type = "plane"; normal = (1.0, 1.0, 1.0); }; };
bodies = { one = { shape = "b"; position = (1.0, 2.0, 3.0); }; two = { shape = "b"; position = (4.0, 5.0, 6.0); };
    p = { shape = "p"; position = (2.5, 3.5, 4.5); }; };
force = ( { plugin = "linear"; kn = 1.0e3; } );
""")
    result = run(SCREE, scene, top / "bounds", 'v = { plugin = "vtk"; };')
    _, (cell,) = vtp.read(top / "bounds" / "vtk" / "walls_0000000000.vtp")["cells"] if result.returncode == 0 else (0, [()])
    points = vtp.read(top / "bounds" / "vtk" / "walls_0000000000.vtp")["Points"] if cell else []
    # The plane through the centre of a cube across its diagonal cuts a regular hexagon.
    tap.check("a plane without a region is cut to the bounds of the bodies: a cube's hexagon",
              len(cell) == 6 and math.isclose(area(points), 0.75 * math.sqrt(3.0) * 16.0, rel_tol=1e-12),
              result.stderr or points)


def limit(size):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


def check_faults(top):
    result = run(SCREE, CROWD, top / "small", 'v = { plugin = "vtk"; };', preexec_fn=limit(8000))
    left = sorted(p.name for p in (top / "small" / "vtk").iterdir())
    tap.check("a first frame that cannot be written: status 1, its name and the reason, nothing left",
              result.returncode == 1 and "vtk/bodies_0000000000.vtp: File too large" in result.stderr
              and left == [], result.stderr + str(left))
    result = run(SCREE, CROWD, top / "later", 'v = { plugin = "vtk"; bodies = false; contacts = false; '
                 'every_steps = 2; };', preexec_fn=limit(8000))
    folder = top / "later" / "vtk"
    listed = vtp.frames(folder / "walls.pvd")
    whole = [vtp.read(path)["FieldData"]["step"] for _, path in listed]
    tap.check("a list that cannot be written: status 1, the one before stays and names whole frames",
              result.returncode == 1 and "vtk/walls.pvd: File too large" in result.stderr and
              len(whole) > 20 and not list(folder.glob("*.part")), result.stderr + str(len(whole)))
    result = run(SCREE, CROWD, top / "taken", 'v = { plugin = "vtk"; file = "scene.cfg"; };')
    tap.check("a folder with the name of a file of the host is refused: status 2", result.returncode == 2 and
              "scene.cfg" in result.stderr and "that of a file of the host" in result.stderr, result.stderr)
    result = run(SCREE, CROWD, top / "none", 'v = { plugin = "vtk"; bodies = false; walls = false; contacts = false; };')
    tap.check("nothing to write: status 2", result.returncode == 2 and "expected one of bodies, walls and contacts" in result.stderr,
              result.stderr)
    result = run(SCREE, CROWD, top / "outside", 'v = { plugin = "vtk"; file = "../x"; };')
    tap.check("a folder outside of the run's is refused: status 2", result.returncode == 2 and
              "leaves the run's folder" in result.stderr, result.stderr)


def check_kill(top):
    folder = top / "killed"
    listed = folder / "vtk" / "contacts.pvd"
    process = launch(top, *command(SCREE, CROWD, folder, "--set", 'observers={v={plugin="vtk"; every_steps=1;};}'),
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: listed.exists() and len(vtp.frames(listed)) >= 5, process)
    process.kill()
    process.wait()
    frames = all_frames(folder / "vtk")
    torn = []
    for path in list((folder / "vtk").glob("*.vtp")):
        try:
            vtp.read(path)
        except (AssertionError, OSError, ValueError, KeyError) as error:
            torn.append((path.name, error))
    tap.check("a killed run leaves lists whose frames are all there, and no torn frame by its name",
              process.returncode == -signal.SIGKILL and len(frames) >= 15 and not torn and
              all(path.exists() for path in frames), torn or (process.returncode, len(frames)))


def check_crowd(top):
    folder = top / "crowd"
    result = run(SCREE, CROWD, folder, OBSERVERS)
    tap.check("the scene runs", result.returncode == 0, result.stderr)
    bodies, contacts = table(folder / "bodies.csv"), table(folder / "contacts.csv")
    check_lists(folder)
    check_bodies(folder, bodies, contacts)
    check_walls(folder, bodies)
    check_contacts(folder, bodies, contacts)
    check_letters(folder)
    check_reader(folder)


tap.in_folder(check_crowd, check_flat, check_bounds, check_faults, check_kill)
