# SPDX-License-Identifier: Apache-2.0
"""A lattice with xy = Lx is the lattice with xy = 0, written otherwise: each plugin of the tree gives the same state for both.

Each scene is run in two texts that give the same lattice, and again in two texts that give a tilted one.

usage: test_lattice.py SCREE KIND...
"""
import json
import math
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "observer"))
sys.path.append(str(pathlib.Path(sys.argv[1]).resolve().parents[1] / "contrib/python"))

import common
import runs
import scree
import tap
import vtp

LX, LY = 0.03, 0.025
TEXTS = ((0.0, LX), (0.3 * LX, -1.7 * LX))
ROUNDING = 1e-9  # of a size, a speed; rounding grows with each collision
MATERIAL = """density = 2500.0; kn = 2e4; kt = 1e4; young_modulus = 5e6; poisson_ratio = 0.3; friction = 0.4;"""
GRAINS = """generate = { grains = { plugin = "random"; radius = "1.6 mm"; count = 200; velocity_random = 12.0;
    region = { min = (0.0, 0.0, 0.004); max = (0.03, 0.025, 0.04); }; }; };"""
FLAT_GRAINS = """generate = { grains = { plugin = "random"; radius = "1.6 mm"; count = 36; velocity_random = 12.0; }; };"""
LAW = 'force = { plugin = "linear"; damping = "constant"; damping_n = 0.3; damping_t = 0.1; };'
PLANE = 'floor = { type = "plane"; normal = (0.0, 0.0, 1.0); };'


def solids(shape, more=""):
    """Grains of a shape, in place of balls."""
    return {"shapes": f"s = {{ {shape} }};", "make": GRAINS.replace('radius = "1.6 mm";', 'shape = "s"; orientation = "random";')
            .replace("count = 200", "count = 100"), **({"more": more} if more else {})}


def polygons(more="", law='force = { plugin = "overlap_area"; k = 1e7; };'):
    """Grains of a polygon in the plane."""
    return {"flat": True, "law": law, "more": more,
            "shapes": 'p = { type = "polygon"; vertices = ((-0.0015, -0.001), (0.0015, -0.001), (0.001, 0.0014), (-0.001, 0.0012)); };',
            "make": FLAT_GRAINS.replace('radius = "1.6 mm";', 'shape = "p"; orientation = "random";')}


def wall(shape, place="(0.015, 0.0125, 0.005)"):
    return {"shapes": f"w = {{ {shape} }};", "bodies": f'w = {{ shape = "w"; position = {place}; }};'}


def modifier(name, keys):
    return {"more": f'modifiers = {{ m = {{ plugin = "{name}"; {keys} }}; }};'}


def observer(name, keys=""):
    return {"more": f'observers = {{ o = {{ plugin = "{name}"; {keys} }}; }};'}


def law(name, keys="", rest=None):
    return {"law": f'force = ( {{ plugin = "{name}"; {keys} }}{", " + rest if rest else ""} );'}


LINEAR = 'plugin = "linear"; damping = "constant"; damping_n = 0.3;'
DIE = 'type = "polyhedron"; solid = "cuboid"; size = (0.003, 0.0025, 0.002);'
SHEET = """vertices = ((0.0, 0.0, 0.0), (0.012, 0.0, 0.001), (0.012, 0.012, 0.002), (0.0, 0.012, 0.001));
    facets = ((0, 1, 2), (0, 2, 3));"""
OWN = {"law": LAW, "make": "", "shapes": ""}
SCENES = {
    "resolver/closest_feature": polygons('resolvers = ( { plugin = "closest_feature"; } );'),
    "resolver/cyrus_beck": polygons('resolvers = ( { plugin = "cyrus_beck"; } );'),
    "resolver/dfr2d": polygons('resolvers = ( { plugin = "dfr2d"; } );'),
    "resolver/dfr3d": solids(DIE, 'resolvers = ( { plugin = "dfr3d"; } );'),
    "resolver/gjk": solids(DIE, 'resolvers = ( { plugin = "gjk"; } );'),
    "resolver/sdf": solids(DIE, 'resolvers = ( { plugin = "sdf"; } );'),
    "resolver/sphere": {"more": 'resolvers = ( { plugin = "sphere"; } );'},
    "force/bonded": law("bonded", 'bonds = { gap = "1 mm"; }; bond_kn = 1e9; bond_ks = 4e8;', "{ %s }" % LINEAR),
    "force/capillary": law("capillary", "surface_tension = 0.07; bridge_volume = 1e-10;", "{ %s }" % LINEAR),
    "force/cohesion_sjkr": law("cohesion_sjkr", "cohesion_energy_density = 1e5;", "{ %s }" % LINEAR),
    "force/dmt": law("dmt", "work_of_adhesion = 0.5;", "{ %s }" % LINEAR),
    "force/hertz_mindlin": law("hertz_mindlin", "restitution = 0.7;"),
    "force/incremental_penalty": law("incremental_penalty"),
    "force/jkr": law("jkr", "work_of_adhesion = 0.5; restitution = 0.7;"),
    "force/linear": {},
    "force/overlap_area": polygons(),
    "force/overlap_volume": {**solids(DIE), **law("overlap_volume", "k = 1e12;")},
    "force/plastic": law("plastic", "k2 = 4e4; kc = 1e4; plastic_depth = 0.05;"),
    "force/rolling": {"law": 'force = ( { %s }, { plugin = "rolling"; rolling_friction = 0.2; } );' % LINEAR},
    "force/van_der_waals": law("van_der_waals", "hamaker = 1e-17;", "{ %s }" % LINEAR),
    "observer/angle": observer("angle", 'groups = ["grains"];'),
    "observer/average": observer("average", 'quantities = ("kinetic", "max_speed"); every_steps = 10;'),
    "observer/csv": observer("csv", 'what = "contacts"; every_steps = 100;'),
    "observer/field": observer("field", "cells = (3, 2, 2); min = (-0.02, 0.0, 0.0); max = (0.04, 0.05, 0.04);"
                               " every_steps = 50;"),
    "observer/frames": observer("frames", "every_steps = 100;"),
    "observer/hdf5": observer("hdf5", "every_steps = 100;"),
    "observer/image": observer("image", "every_steps = 200;"),
    "observer/mass_flow": observer("mass_flow", "normal = (1.0, 0.3, 0.0); point = (0.015, 0.0125, 0.0); every_steps = 20;"),
    "observer/mixing": {**observer("mixing", 'tracers = ["beads"]; cell = 0.008; min_count = 1; every_steps = 100;'),
                        "make": GRAINS.replace("generate = {", "generate = { beads = { %s };" % GRAINS.split("{", 2)[2].rsplit("}", 2)[0])
                        .replace("count = 200", "count = 100")},
    "observer/record": observer("record", "digits = 20; every_steps = 20;"),
    "observer/vtk": observer("vtk", "contacts = true; every_steps = 100;"),
    "observer/wall": observer("wall", 'groups = ["floor"]; every_steps = 50;'),
    "modifier/damping": modifier("damping", "alpha = 0.3;"),
    "modifier/drag": modifier("drag", 'law = "stokes"; viscosity = 0.5; velocity = (1.0, 0.0, 0.0);'),
    "modifier/freeze": modifier("freeze", 'groups = ["grains"]; at_step = 100; release_step = 200;'),
    "modifier/gravity": modifier("gravity", "vector = (100.0, 200.0, -300.0);"),
    "modifier/insert": modifier("insert", 'body = { radius = "1 mm"; }; number = 30; region = { min = (0.0, 0.0, 0.042); max = (0.03, 0.025, 0.06); };'),
    "modifier/lock": modifier("lock", 'groups = ["grains"]; translation = "z"; rotation = "x";'),
    "modifier/move": {**modifier("move", 'groups = ["floor"]; motion = "vibration"; direction = (0.0, 0.0, 1.0); amplitude = 0.001; frequency = 500.0;'),
                      "floor": 'motion = "kinematic";'},
    "modifier/release": modifier("release", 'groups = ["floor"]; at_step = 100; action = "remove";'),
    "modifier/remove": modifier("remove", "region = { min = (0.0, 0.0, 0.0); max = (0.03, 0.025, 0.006); }; every_steps = 100;"),
    "modifier/servo": {**modifier("servo", 'groups = ["floor"]; pressure = 100.0; direction = (0.0, 0.0, 1.0); max_speed = 1.0;'),
                       "floor": 'motion = "kinematic";'},
    "modifier/tether": modifier("tether", "stiffness = 2e3;"),
    "shape/blend": solids('type = "blend"; first = { type = "sphere"; radius = 0.001; }; places = ((-0.0006, 0, 0), (0.0006, 0, 0)); cells = 10;',
                          'resolvers = ( { plugin = "sdf"; }, { plugin = "sphere"; } );'),
    "shape/box": wall('type = "box"; size = (0.008, 0.008, 0.006); facing = "outward";'),
    "shape/capsule": solids('type = "capsule"; radius = 0.001; length = 0.002;'),
    "shape/cast": {**wall('type = "cast"; first = { type = "sphere"; radius = 0.003; }; places = ((0, 0, 0.003), (0.002, 0, -0.002));'
                          ' min = (-0.006, -0.006, -0.005); max = (0.006, 0.006, 0.005); cells = 16;'),
                   "more": 'resolvers = ( { plugin = "dfr3d"; }, { plugin = "sphere"; } );'},
    "shape/clump": solids('type = "clump"; balls = ((-0.001, 0.0, 0.0, 0.0015), (0.001, 0.0, 0.0, 0.0015));'),
    "shape/cone": wall('type = "cone"; radii = (0.006, 0.002); length = 0.008; facing = "outward";'),
    "shape/cylinder": solids('type = "cylinder"; radius = 0.001; length = 0.002;'),
    "shape/disc": {"flat": True, "shapes": 'd = { type = "disc"; radius = 0.0016; };',
                   "make": FLAT_GRAINS.replace('radius = "1.6 mm";', 'shape = "d";')},
    "shape/drum": wall('type = "drum"; radius = 0.006; length = 0.008; facing = "outward";'),
    "shape/facets": wall('type = "facets"; ' + SHEET),
    "shape/mesh": wall('type = "mesh"; ' + SHEET),
    "shape/plane": {},
    "shape/point": {"shapes": 'p = { type = "point"; volume = 4e-8; };',
                    "bodies": 'p = { shape = "p"; position = (0.01, 0.0248, 0.05); velocity = (0.0, 10.0, 0.0); };'},
    "shape/polygon": polygons(),
    "shape/polyhedron": solids(DIE),
    "shape/segments": {"flat": True, "shapes": 'w = { type = "segments"; vertices = ((0.0, 0.0), (0.008, 0.006)); segments = ((0, 1)); };',
                       "bodies": 'w = { shape = "w"; position = (0.01, 0.01); };'},
    "shape/sphere": {"shapes": 's = { type = "sphere"; radius = 0.0016; };',
                     "make": GRAINS.replace('radius = "1.6 mm";', 'shape = "s";')},
    "shape/superquadric": solids('type = "superquadric"; axes = (0.002, 0.0016, 0.0014); xi = 0.7; eta = 0.8;'),
    "shape/voxels": {**wall('type = "voxels"; file = "ball.raw"; numbers = "uint8"; sizes = (9, 9, 9); spacing = (0.001, 0.001, 0.001);'),
                     "more": 'resolvers = ( { plugin = "dfr3d"; }, { plugin = "sphere"; } );'},
    "source/lammps": {"make": 'generate = { g = { plugin = "lammps"; file = "grains.data"; types = ["m"]; }; };',
                      "region": ""},
    "source/lattice": {"make": GRAINS.replace('"random"', '"lattice"').replace("count = 200;", 'count = 200; spacing = "3.4 mm";')},
    "source/packing": {"make": GRAINS.replace('"random"', '"packing"').replace("count = 200;", "count = 150; updates = 60; as_printed = true;")},
    "source/polygons": {**polygons('resolvers = ( { plugin = "closest_feature"; }, { plugin = "sphere"; } );'), "shapes": "", "make": FLAT_GRAINS.replace('"random"', '"polygons"').replace('radius = "1.6 mm"', "radius = 0.0016; corners = (5, 9)")},
    "source/random": {"make": GRAINS.replace("count = 200", "fraction = 0.3")},
    "source/table": {"make": 'generate = { g = { plugin = "table"; file = "grains.csv"; }; };'},
}
for one in ("forest_ruth", "gear", "rkn4", "symplectic_euler", "velocity_verlet"):
    SCENES["integrator/" + one] = {"more": f'integrator = {{ plugin = "{one}"; }};'}
# Bodies of these go where numbers of a file or of whole steps say: they meet no force, and no image. The forces of
# modifier/callback are those of a program.
LED = ("integrator/integer_motion", "integrator/replay", "source/integer_motion", "source/replay", "modifier/callback")


def scene_of(row, tilt):
    """The text of a scene whose second cell along y is `tilt` farther along x."""
    flat = row.get("flat")
    region = "region = { min = (0.0, 0.0%s); max = (%r, %r%s); tilt = (%r, 0.0, 0.0); }; boundary = (\"periodic\", \"periodic\"%s);" % (
        ("", LX, LY, "", tilt, "") if flat else (", 0.0", LX, LY, ", 0.06", tilt, ', "open"'))
    if row.get("region") == "" and tilt not in TEXTS[0]:
        region = ""  # the source gives it
    floor = "" if flat else f'floor = {{ shape = "floor"; {row.get("floor", "")} }};'
    return f"""scene = {{ dimension = {2 if flat else 3}; dt = 2e-6; steps = 400; gravity = (150.0, 90.0{"" if flat else ", -400.0"});
    {"thickness = 0.01;" if flat else ""} {region} }};
materials = {{ m = {{ {MATERIAL} }}; }};
shapes = {{ {"" if flat else PLANE} {row.get("shapes", "")} }};
bodies = {{ {floor} {row.get("bodies", "")} }};
{row.get("make", FLAT_GRAINS if flat else GRAINS)}
{row.get("law", LAW)}
{row.get("more", "")}
"""


def write_files(top, tilt):
    """Grains for the sources that read files."""
    rows = []
    for k in range(60):
        x, y, z = 0.001 + 0.0048 * (k % 6), 0.002 + 0.005 * (k // 6 % 5), 0.008 + 0.005 * (k // 30)
        v = [12.0 * math.sin(2.0 * k + j) for j in range(3)]
        rows.append((k + 1, x + 0.0004 * math.sin(k), y, z + 0.0006 * (k % 3), *v))
    (top / "grains.csv").write_text("id,x,y,z,vx,vy,vz,radius\n" + "".join(
        ",".join(map(repr, row)) + ",0.0016\n" for row in rows), encoding="utf-8")
    (top / "ball.raw").write_bytes(bytes(
        max(0, 200 - int(45 * math.dist((i, j, k), (4, 4, 4)))) for k in range(9) for j in range(9) for i in range(9)))
    (top / "grains.data").write_text(f"""write_data, units = si

{len(rows)} atoms
1 atom types
0 {LX!r} xlo xhi
0 {LY!r} ylo yhi
0 0.06 zlo zhi
{tilt!r} 0 0 xy xz yz

Atoms # sphere

""" + "".join(f"{r[0]} 1 0.0032 2500 {r[1]!r} {r[2]!r} {r[3]!r}\n" for r in rows) + "\nVelocities\n\n" + "".join(
        f"{r[0]} {r[4]!r} {r[5]!r} {r[6]!r} 0 0 0\n" for r in rows), encoding="utf-8")


def run(top, row, tilt, number):
    """The bodies at the end, by id, and the folder of the run."""
    write_files(top, tilt)
    state = 'b = { plugin = "csv"; what = "bodies"; file = "state"; every_steps = 400; };'
    text = scene_of(row, tilt)
    text = (text.replace("observers = {", "observers = { " + state) if "observers = {" in text
            else text + f"observers = {{ {state} }};\n")
    data = runs.run(top, text, name=f"run-{number}")
    rows = runs.read_table(top / f"run-{number}" / "state.csv")
    last = rows[-1]["step"]
    return data, {row["id"]: row for row in rows if row["step"] == last}, top / f"run-{number}"


def apart(a, b, tilt):
    """How far two states differ, in parts of 1 mm and of 10 m/s; whole vectors do not count."""
    if a.keys() != b.keys():
        return math.inf
    worst = 0.0
    for i, one in a.items():
        d = [float(one[k]) - float(b[i][k]) for k in ("x", "y", "z")]
        rows = round(d[1] / LY)
        d[1] -= rows * LY
        d[0] -= rows * tilt
        d[0] -= LX * round(d[0] / LX)
        v = [float(one[k]) - float(b[i][k]) for k in ("vx", "vy", "vz")]
        parts = [*(abs(e) / 1e-3 for e in d), *(abs(e) / 10.0 for e in v)]
        worst = max(worst, *(math.inf if math.isnan(part) else part for part in parts))
    return worst


def crossed(state):
    """How many bodies are closer to y = 0 or y = LY than a radius: these meet others across the tilt."""
    return sum(1 for row in state.values() if float(row["y"]) != 0.0 and not 0.0016 < float(row["y"]) < LY - 0.0016)


def numbers(path):
    """Rows of the numbers of a table, or of a file of vtk by id; counts of cells are left out, and places, which may be of any cell."""
    if path.suffix == ".vtp":
        found = vtp.read(path)
        rows = []
        for part in ("PointData", "CellData"):
            data = {name: values for name, values in found[part].items() if "image" not in name}
            order = range(len(next(iter(data.values()), [])))
            if "id" in data:
                order = sorted(order, key=lambda i: data["id"][i])
            for i in order:
                cells = (data[name][i] for name in sorted(data))
                rows.append([float(v) for cell in cells for v in (cell if isinstance(cell, (list, tuple)) else (cell,))])
        return rows
    return [[float(v) for k, v in row.items() if not k.startswith("image") and is_number(v)] for row in runs.read_table(path)]


def is_number(text):
    try:
        float(text)
    except (TypeError, ValueError):
        return False
    return True


def is_near(v, w, size):
    """NaN is near nothing but NaN."""
    return abs(v - w) <= 1e-7 * max(abs(v), 1e-3 * size) or (math.isnan(v) and math.isnan(w))


def files_differ(one, other):
    """The names of files that differ, tables by more than rounding, and all names."""
    kinds = (".csv", ".png", ".bpf", ".bin", ".vtp")
    listed = [sorted(p.relative_to(top) for p in top.rglob("*") if p.suffix in kinds and p.name != "state.csv") for top in (one, other)]
    found = [] if listed[0] == listed[1] else ["names"]
    for name in listed[0]:
        if name.suffix not in (".csv", ".vtp"):
            if (one / name).read_bytes() != (other / name).read_bytes():
                found.append(name)
            continue
        a, b = numbers(one / name), numbers(other / name)
        size = max([abs(v) for row in a for v in row if math.isfinite(v)] + [1e-300])
        if [len(r) for r in a] != [len(r) for r in b] or not all(
                is_near(v, w, size) for r, s in zip(a, b) for v, w in zip(r, s)):
            found.append(name)
    return found, listed[0]


def check_vtk(folder):
    """The ends of a contact are the centres of two balls that touch, the second one at its image."""
    far, across, n = 0.0, 0, 0
    for path in sorted(folder.rglob("*.vtp")):
        found = vtp.read(path)
        if "depth" not in found["CellData"]:
            continue
        for (a, b), image in zip(found["cells"][1], found["CellData"]["image"]):
            far = max(far, math.dist(found["Points"][a], found["Points"][b]))
            across += any(image)
            n += 1
    tap.check("observer/vtk: ends of contacts are at most two radii apart, across the border too", far < 0.00325 and across > 2,
              (far, across, n))


H5 = """import h5py, json, sys
f = h5py.File(sys.argv[1]); b = f["particles/bodies"]; found = {}
def note(name, item):
    if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and not name.startswith(("box/", "position/")):
        found[name] = item[()].ravel().tolist()
b.visititems(note)
print(json.dumps([b["box/edges"][()].tolist(), b["box/offset"][()].tolist(), found]))"""


def check_hdf5(folders, tilt):
    """position + the sum of image[k] edges[k] is the place that csv counts through all cells; other numbers are the same."""
    python = common.python_with("h5py")
    if not python:
        tap.skip("observer/hdf5: edges", "Debian's python3-h5py is not installed")
        return
    paths = [next(p for p in folder.rglob("*.h5") if "particles" in p.read_bytes().decode("latin-1")) for folder in folders]
    (edges, offset, a), (_, _, b) = (json.loads(runs.call(path.parent, python, "-c", H5, path).stdout) for path in paths)
    wanted = [[LX, 0.0, 0.0], [tilt, LY, 0.0], [0.0, 0.0, 0.06]] if tilt else [LX, LY, 0.06]
    tap.check(f"observer/hdf5: edges are {'vectors' if tilt else 'lengths'}", edges == wanted and offset == [0.0, 0.0, 0.0], (edges, offset))
    far = [name for name in a if len(a[name]) != len(b.get(name, ())) or not all(
        is_near(v, w, max(map(abs, a[name]))) for v, w in zip(a[name], b[name]))]
    tap.check("observer/hdf5: its numbers are the same", len(a) > 1 and a.keys() == b.keys() and not far, (far, list(a)))


def check_frames(folders):
    """Bodies are at the same places of each frame, to the rounding of a file."""
    one, other = (scree.Frames(folder) for folder in folders)
    far = max((abs(v - w) / max(a.quantum) for a, b in zip(one, other) for c, d in zip(a.x, b.x) for v, w in zip(c, d)), default=math.inf)
    tap.check("observer/frames: its places are the same", len(one) == len(other) > 2 and far <= 1.001, (len(one), len(other), far))


def look(top, name, row):
    for first, second in TEXTS:
        what = "xy = Lx for xy = 0" if first == 0.0 else "xy - 2 Lx for a tilt"
        try:
            _, a, one = run(top, row, first, f"{name.replace('/', '-')}-{first != 0.0:d}-a")
            _, b, other = run(top, row, second, f"{name.replace('/', '-')}-{first != 0.0:d}-b")
        except RuntimeError as error:
            tap.check(f"{name}: {what}", False, str(error)[-600:])
            continue
        off = apart(a, b, first)
        tap.check(f"{name}: {what}", off < ROUNDING and len(a) > 5 and crossed(a) > 0, (off, len(a), crossed(a)))
        if name.startswith("observer/"):
            found, names = files_differ(one, other)
            tap.check(f"{name}: its files are the same", not found, (found, names))
        if name == "observer/vtk":
            check_vtk(other)
        if name == "observer/frames":
            check_frames((one, other))
        if name == "observer/hdf5":
            check_hdf5((one, other), first)


def test_plugins(top):
    seen = runs.scree(top, "plugins", "--json")
    known = [f'{p["kind"]}/{p["id"]}' for p in json.loads(seen.stdout)["plugins"]]
    for name in known:
        if name.split("/")[0] not in sys.argv[2:]:
            continue
        if name.startswith("gcd/"):
            SCENES[name] = {"more": f'gcd = {{ plugin = "{name[4:]}"; }};'}
        if name in LED:
            tap.skip(name, "its bodies go where numbers of a file or of whole steps say")
        elif name in SCENES:
            look(top, name, SCENES[name])
        else:
            tap.check(f"{name} has a scene here", False)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tap.in_folder(test_plugins)
