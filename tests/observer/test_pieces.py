# SPDX-License-Identifier: Apache-2.0
"""Observer `vtk` on several ranks: each writes its own bodies, and together they are those of one rank.

usage: test_pieces.py SCREE FOLDER_OF_FAULTS
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import vtp
from common import command, environment, python_with, tap

SCREE, FAULTS = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
EVERY, STEPS, RANKS = 20, 120, 3
VTK = f'v = {{ plugin = "vtk"; every_steps = {EVERY}; contacts = false; }};'

# Balls, clumps and superquadrics that fall onto a floor without a region, a driven ball, and a turning body of facets.
SCENE = """scene = { dt = 1.0e-5; steps = 120; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };
  pair = { type = "clump"; balls = ( (-0.001, 0.0, 0.0, 0.002), (0.001, 0.0, 0.0, 0.002) ); };
  stone = { type = "superquadric"; axes = (0.002, 0.002, 0.0015); blockiness = (2.5, 2.5); }; };
bodies = { floor = { shape = "floor"; motion = "fixed"; };
           arm = { radius = "4 mm"; motion = "kinematic"; position = (0.03, 0.02, 0.006); velocity = (0.5, 0.0, 0.0); };
           core = { radius = "9 mm"; motion = "kinematic"; position = (0.025, 0.025, 0.025); velocity = (0.0, 0.0, 1.0); }; };
generate = {
  balls = { plugin = "random"; shape = "sphere"; count = 260; radius = "2 mm"; velocity_random = 1.0; region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }; };
  %s };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } );
"""
MIXED = """pairs = { plugin = "random"; shape = "pair"; count = 30; region = { min = (0.0, 0.0, 0.05); max = (0.05, 0.05, 0.08); }; };
  stones = { plugin = "random"; shape = "stone"; count = 30; region = { min = (0.0, 0.0, 0.08); max = (0.05, 0.05, 0.11); }; };"""


def on(n):
    return ("--set", f'domain={{plugin="processes"; ranks={n};}}') if n > 1 else ()


def run(top, scene, folder, n, *more, observers=VTK, **kwargs):
    return subprocess.run(command(SCREE, scene, top / folder, "--json", "--set", f"observers={{{observers}}}", *on(n), *more),
                          text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=200, **{"env": environment(), **kwargs})


def pieces_of(path):
    """The arrays that a .pvtp names, and its pieces."""
    root = ElementTree.parse(path).getroot()
    assert root.get("type") == "PPolyData", root.attrib
    poly = root.find("PPolyData")
    arrays = {place: [(a.get("Name"), a.get("type"), int(a.get("NumberOfComponents"))) for a in poly.find(place)]
              for place in ("PPointData", "PCellData", "PPoints")}
    return arrays, [path.parent / piece.get("Source") for piece in poly.iter("Piece")]


def rows_of(frames, part):
    """Points of bodies, or cells of solids with their corners, of all files of a frame: sorted, for the order of ranks differs."""
    rows = []
    for frame in frames:
        names = frame["FieldData"]["group_names"]
        place = frame["PointData" if part == "bodies" else "CellData"]
        points = frame["Points"] if part == "bodies" else [[frame["Points"][c] for c in cell] for cell in frame["cells"][1]]
        for k, point in enumerate(points):
            row = {name: values[k] for name, values in place.items()}
            row["group"] = names[row["group"]]
            rows.append((point, sorted(row.items())))
    return sorted(rows, key=repr)


def stepped(folder, part):
    """The files of each frame in the list of a part: {step: (kind, files)}."""
    found = {}
    for _, path in vtp.frames(folder / "vtk" / f"{part}.pvd"):
        files = pieces_of(path)[1] if path.suffix == ".pvtp" else [path]
        found[int(path.stem.rpartition("_")[2])] = (path.suffix, files)
    return found


def check_frames(top, one, many):
    differ, kinds, counts, touched, pushed = [], [], [], 0, []
    for part in ("bodies", "solids", "walls"):
        left, right = stepped(top / one, part), stepped(top / many, part)
        if part == "walls":
            pushed = [vtp.read(files[0])["CellData"]["force"][0][2] for _, files in right.values()]
        if list(left) != list(range(0, STEPS + 1, EVERY)) or list(right) != list(left):
            differ.append((part, list(left), list(right)))
        for step in left:
            a, b = ([vtp.read(path) for path in files[step][1]] for files in (left, right))
            if part == "walls":
                differ += [(part, step)] if a != b else []
                continue
            if len({tuple(frame["FieldData"]["group_names"]) for frame in b}) != 1:  # readers join pieces by number
                differ.append((part, step, "names of groups"))
            if rows_of(a, part) != rows_of(b, part) or not a[0]["Points"]:
                differ.append((part, step))
            kinds.append((step, right[step][0], len(right[step][1])))
            counts += [len(frame["Points"]) for frame in b] if part == "bodies" and len(b) > 1 else []
            touched += sum(c > 0 for frame in b for c in frame["PointData"]["coordination"]) if part == "bodies" else 0
    tap.check("each frame has the bodies, surfaces and walls of one rank, bit for bit", not differ and touched > 50
              and min(pushed) < -0.1, (differ[:5], touched, pushed))
    tap.check("frames between the first and the last are pieces of all ranks", all(
        kind == ((".vtp", 1) if step in (0, STEPS) else (".pvtp", RANKS)) for step, *kind in kinds for kind in [tuple(kind)]), kinds)
    tap.check("each piece has a share of the bodies", len(counts) == RANKS * (STEPS // EVERY - 1) and min(counts) > 30, counts)


def check_reader(top, many):
    """ParaView's reader takes the pieces together."""
    python = python_with("vtkmodules.vtkIOXML")
    if not python:
        tap.skip("VTK's own reader sees the pieces as one frame", "no vtkmodules")
        return
    code = """import sys
from vtkmodules.vtkIOXML import vtkXMLPPolyDataReader
reader = vtkXMLPPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
poly = reader.GetOutput()
data = poly.GetPointData()
ids = data.GetArray("id")
print(reader.GetErrorCode(), poly.GetNumberOfPoints(), poly.GetNumberOfVerts(), sorted(ids.GetValue(k) for k in range(ids.GetNumberOfTuples())),
      sorted(data.GetArrayName(k) for k in range(data.GetNumberOfArrays())))"""
    path = next(path for _, path in vtp.frames(top / many / "vtk/bodies.pvd") if path.suffix == ".pvtp")
    frames = [vtp.read(piece) for piece in pieces_of(path)[1]]
    ids = sorted(i for frame in frames for i in frame["PointData"]["id"])
    seen = subprocess.run([python, "-c", code, path], text=True, capture_output=True)
    tap.check("VTK's own reader sees the pieces as one frame", seen.stdout.strip() == f"0 {len(ids)} {len(ids)} {ids} "
              f"{sorted(frames[0]['PointData'])}", seen)
    arrays = pieces_of(path)[0]
    tap.check("and the list of pieces names their arrays", [a[0] for a in arrays["PPointData"]] == list(frames[0]["PointData"])
              and arrays["PPoints"] == [("Points", "Float64", 3)], arrays)


def check_files(top, many):
    folder = top / many / "vtk"
    listed = {path for part in ("bodies", "solids", "walls") for _, path in vtp.frames(folder / f"{part}.pvd")}
    listed |= {piece for path in listed if path.suffix == ".pvtp" for piece in pieces_of(path)[1]}
    tap.check("there are no other files", {p for p in folder.iterdir()} == listed | {folder / f"{part}.pvd" for part in ("bodies", "solids", "walls")},
              sorted(p.name for p in folder.iterdir()))


def check_whole(top, scene):
    """Contacts need the whole state: rank 0 writes the frame as one rank does."""
    folders = []
    for n in (1, 2):
        result = run(top, scene, f"whole-{n}", n, "--set", "scene.steps=40", observers='v = { plugin = "vtk"; every_steps = 20; };')
        folders.append({p.name: p.read_bytes() for p in (top / f"whole-{n}/vtk").iterdir()} if result.returncode == 0 else result)
    tap.check("frames with contacts are those of one rank", folders[0] == folders[1] and len(folders[0]) == 16,
              [sorted(folder) for folder in folders])


def check_disk(top, scene):
    """A rank above 0 that cannot write its piece ends all, with its number; no list has the frame."""
    memory, parts = top / "memory", ("bodies", "solids", "walls")
    plugins = top / "plugins/domain"
    plugins.mkdir(parents=True)
    (plugins / "unsound_domain.so").symlink_to(FAULTS / "unsound_domain.so")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
    words = command(SCREE, scene, top / "full", "--plugin-path", top / "plugins", "--set", f"observers={{{VTK}}}", "--set",
                    'domain={plugin="none"; ranks=2;}')
    ranks = [subprocess.Popen(words, env=environment(UNSOUND_RANK=k, UNSOUND_MEMORY=memory), text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited if k else None) for k in range(2)]
    said = [one.communicate(timeout=200)[1] for one in ranks]
    files = sorted(p.name for p in (top / "full/vtk").iterdir())
    tap.check("a rank whose disk is full ends all with status 1, its number and the reason", [one.returncode for one in ranks] == [1, 1]
              and f"rank 1 ({os.uname().nodename}): observer/vtk (observers.v) failed in observe at step " in said[0]
              and f"cannot write vtk/bodies_{EVERY:010d}_1.vtp: File too large" in said[0] and said[1] == "",
              ([one.returncode for one in ranks], said))
    tap.check("and no list has the frame, nor is a part of the piece left", files == [
        name for part in parts for name in (f"{part}.pvd", f"{part}_0000000000.vtp")] and all(
            len(vtp.frames(top / f"full/vtk/{part}.pvd")) == 1 for part in parts), files)


def check_goes_on(top, scene):
    """A run that goes on from a checkpoint writes the frames that follow, on another number of ranks."""
    first = run(top, scene, "first", RANKS, "--set", "checkpoint={every_steps=60;}", observers=VTK)
    saved = sorted((top / "first").glob("*-60.h5"))
    rest = subprocess.run([SCREE, "run", "--restart", *saved, "-q", "--steps", "60", "-o", top / "rest", *on(2)], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=200, env=environment())
    tap.check("a run goes on from a checkpoint", first.returncode == rest.returncode == 0 and len(saved) == 1, (first, rest))
    seen, left = ({step: rows_of([vtp.read(file) for file in files], "bodies") for step, (_, files) in stepped(top / name, "bodies").items()
                   if step > 60} for name in ("first", "rest"))
    tap.check("and its frames are those of the first run", seen == left and list(left) == [80, 100, 120], (list(seen), list(left)))


def check_swap(top, scene):
    """An observer that a swap adds while ranks are apart: its frames are pieces from then on."""
    swap = f"schedule=( {{ at_step = 50; set = {{ observers = {{ {VTK} }}; }}; }} )"
    results = [run(top, scene, f"swap-{n}", n, "--set", swap, observers="") for n in (1, RANKS)]
    tap.check("a swap adds the observer", all(r.returncode == 0 for r in results), results)
    one, many = (stepped(top / f"swap-{n}", "bodies") for n in (1, RANKS))
    differ = [step for step in one if rows_of([vtp.read(path) for path in one[step][1]], "bodies")
              != rows_of([vtp.read(path) for path in many[step][1]], "bodies")] if list(one) == list(many) else ["steps"]
    tap.check("its frames have the bodies of one rank", not differ and {*range(60, STEPS + 1, EVERY)} <= {*one}, (differ, list(one), list(many)))
    tap.check("and are pieces of all ranks", all(many[step][0] == ".pvtp" and len(many[step][1]) == RANKS for step in many
                                                 if step % EVERY == 0 and step < STEPS), many)


def main(top):
    mixed, balls = top / "mixed.cfg", top / "balls.cfg"
    mixed.write_text(SCENE % MIXED)
    balls.write_text(SCENE % "")
    results = [run(top, mixed, f"mixed-{n}", n) for n in (1, RANKS)]
    tap.check("the runs end well", all(r.returncode == 0 for r in results), results)
    one, many = (json.loads(r.stdout) for r in results)
    bare = json.loads(run(top, mixed, "bare", RANKS, observers="").stdout)
    tap.check("the state is that of one rank, and of a run without observers", one["state_sha256"] == many["state_sha256"] == bare["state_sha256"],
              (one["state_sha256"], many["state_sha256"], bare["state_sha256"]))
    tap.check("ranks stay apart while they write", many["apart"]["evaluations"] == bare["apart"]["evaluations"] > 0.9 * STEPS
              and many["apart"]["exchanges"] == bare["apart"]["exchanges"], (many["apart"], bare["apart"]))
    check_frames(top, "mixed-1", f"mixed-{RANKS}")
    check_reader(top, f"mixed-{RANKS}")
    check_files(top, f"mixed-{RANKS}")
    check_whole(top, balls)
    check_disk(top, balls)
    check_goes_on(top, balls)
    check_swap(top, balls)


tap.in_folder(main)
