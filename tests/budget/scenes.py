# SPDX-License-Identifier: Apache-2.0
"""The scenes that count.py runs: small, without chance, and the same on every machine."""
import importlib
import json
import math
import pathlib
import random
import sys
import types
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGS, BENCH = ROOT / "configs", ROOT / "tests/bench"
NO_OBSERVERS = "observers={}"


class Scene(NamedTuple):
    """A scene that runs until `warm`; then the steps from `steps` to twice as many are counted."""
    path: pathlib.Path
    steps: int
    warm: str = ""  # simulated time; empty: the steps are counted from the start
    sets: tuple = ()
    seen: str = NO_OBSERVERS  # observers of the steps that are counted


def from_bench(name):
    """A module of tests/bench, which makes the scenes that are timed next to other programs."""
    sys.path[:0] = [str(folder) for folder in (BENCH, BENCH / "dem", BENCH / "peers") if str(folder) not in sys.path]
    return importlib.import_module(name)


# ------------------------------------------------------------------------------------- steps of flows and beds
def bed(top):
    """The bed of a thousand settled spheres that speed.py tiles, twice side by side."""
    runs = from_bench("speed_runs")
    job = json.loads((BENCH / "dem/bed-1k.json").read_text(encoding="utf-8"))
    box, rows = runs.tile(*runs.read_state(BENCH / "dem" / job["state"]), 2, 1)
    return from_flow(top, job | {"box": box}, {"beads": [list(row) for row in rows]}, Scene(top / "bed.cfg", 100))


def column(top):
    """The column of flows.py with 2000 spheres, in the middle of its collapse; its time step is that of settling."""
    flows = from_bench("flows")
    more, groups = flows.column(2000, random.Random(1))
    job = flows.LAW | more | {"workload": "column", "dt": flows.SLOWER * flows.LAW["dt"]}
    return from_flow(top, job, groups, Scene(top / "column.cfg", 100, "0.06 s"))


def from_flow(top, job, groups, scene):
    tables = from_bench("flows").write_tables(top, groups)
    scene.path.write_text(from_bench("adapter").scene(job, tables["beads"], tables), encoding="utf-8")
    return scene


def drum(_):
    """A bed of 1000 spheres that lifters carry up."""
    return Scene(CONFIGS / "drum.cfg", 200, "0.2 s", (NO_OBSERVERS,))


def gas(_):
    """1000 spheres that meet rarely."""
    return Scene(CONFIGS / "gas.cfg", 400, "1 ms", (NO_OBSERVERS,))


def clumps(_):
    """720 balls, pairs and jacks, at rest in tubes of facets."""
    return Scene(CONFIGS / "clumps.cfg", 200, "0.12 s", (NO_OBSERVERS,))


def dodecahedra(top):
    """A bed of 150 solids that has almost come to rest."""
    made = from_bench("dodecahedra")
    options = types.SimpleNamespace(count=150)
    half = made.width_of(options.count)
    generate = (f'plugin = "random"; shape = "dodecahedron"; orientation = "random"; count = {options.count}; tries = 100000; '
                f'region = {{ min = ({-half!r}, {-half!r}, 0.0); max = ({half!r}, {half!r}, {2.5 * half!r}); }};')
    path = top / "dodecahedra.cfg"
    path.write_text(made.scene(options, generate, 1, 3e-5), encoding="utf-8")
    return Scene(path, 20, "0.2 s")


# Every observer, each 20 steps; test_budget.py compares with the plugins that are built.
OBSERVERS = """observers={
    scalars={plugin="csv";contacts=true;every_steps=20;};
    grains={plugin="csv";what="bodies";file="grains";every_steps=20;};
    contacts={plugin="csv";what="contacts";file="contacts";every_steps=20;};
    orifice={plugin="mass_flow";point=(0.0,0.0,-1.0e-4);normal=(0.0,0.0,-1.0);radius=0.011;every_steps=20;};
    walls={plugin="wall";every_steps=20;};
    means={plugin="average";samples=2;blocks=2;every_steps=20;};
    sizes={plugin="mixing";radius_above=0.00125;every_steps=20;};
    top={plugin="angle";surface="plane";every_steps=20;};
    cells={plugin="field";cells=[10,10,20];min=(-0.025,-0.025,0.0);max=(0.025,0.025,0.11);every_steps=20;};
    files={plugin="vtk";every_steps=20;};
    frames={plugin="frames";values=("speed");contacts=true;every_steps=20;};
    pictures={plugin="image";file="hopper";width=160;height=160;every_steps=20;};
    states={plugin="hdf5";every_steps=20;};
    boxes={plugin="record";bodies="free";digits=20;every_steps=20;};
}"""


def hopper(_):
    """1500 beads that run out, seen by every observer. The region is so deep that none is removed meanwhile, because
    `record` refuses that."""
    deep = "scene.region={min=(-0.2,-0.1,-0.3);max=(0.2,0.1,0.2);}"
    return Scene(CONFIGS / "hopper.cfg", 20, "0.2 s", (NO_OBSERVERS, deep, "generate.beads.count=1500"), " ".join(OBSERVERS.split()))


STEPS = {make.__name__: make for make in (bed, column, drum, gas, clumps, dodecahedra, hopper)}

# ------------------------------------------------------------------------------------- any number of spheres
# The packing of tests/memory/packing.h, as dense and as touching as a settled bed, with other random numbers.
RADIUS = 0.0005  # [m]
JITTER = 0.02 * RADIUS
CELL = (2.0 * RADIUS - 0.468 * 0.8165 * JITTER) / 0.8660254037844386


def cells_of(count):
    """Cells along each axis, of two spheres each: layers of 50 x 50 cells, or of 25 x 25 for few spheres."""
    across = 80 if count > 200_000 else 50 if count > 40_000 else 25
    layers = count // (2 * across * across)
    if 2 * across * across * layers != count:
        raise ValueError(f"{count}: expected a multiple of {2 * across * across}")
    return across, across, layers


def box_of(cells):
    """Lowest and highest place of the walls along each axis. The outermost spheres would touch them."""
    low = 0.25 * CELL - RADIUS
    return [(low, n * CELL - low) for n in cells]


def scene_in_walls(box, bodies, more):
    """A scene of glass beads in six planes; `bodies` goes into the group of bodies, `more` to the end."""
    shapes, walls = [], []
    for k, axis in enumerate("xyz"):
        for end, sign in ((0, 1.0), (1, -1.0)):
            normal, place = ([value if i == k else 0.0 for i in range(3)] for value in (sign, box[k][end]))
            shapes.append(f'{axis}{end} = {{ type = "plane"; normal = ({", ".join(map(repr, normal))}); }};')
            walls.append(f'{axis}{end} = {{ shape = "{axis}{end}"; position = ({", ".join(map(repr, place))}); }};')
    return f"""scene = {{ title = "Packing"; dimension = 3; dt = 1.0e-6; steps = 1; }};
materials = {{ beads = {{ density = 2500.0; }}; }};
shapes = {{ {' '.join(shapes)} }};
bodies = {{ {bodies} {' '.join(walls)} }};
force = ( {{ plugin = "linear"; kn = 1000.0; friction = 0.5; damping = "mass"; gamma_n = 12500.0; gamma_t = 6250.0; }} );
extent = {{ eps_v = 0.0; eps_e = 0.0; eps_c = 5.0e-5; }};
{more}
"""


def packing(top, count):
    """A packing whose spheres come from a table."""
    cells, rng = cells_of(count), random.Random(1)
    table, path = top / f"packing-{count}.csv", top / f"packing-{count}.cfg"
    with open(table, "w", encoding="utf-8") as file:
        file.write("id,x,y,z,radius\n")
        for i in range(count):
            k = i // 2
            at = (k % cells[0], k // cells[0] % cells[1], k // (cells[0] * cells[1]))
            x, y, z = ((n + (0.75 if i % 2 else 0.25)) * CELL + JITTER * (2.0 * rng.random() - 1.0) for n in at)
            file.write(f"{i + 1},{x:.9g},{y:.9g},{z:.9g},{RADIUS!r}\n")
    bodies = f'beads = {{ shape = "sphere"; file = "{table.name}"; }};'
    path.write_text(scene_in_walls(box_of(cells), bodies, ""), encoding="utf-8")
    return path


def scattered(top, count, fraction=0.3):
    """Spheres at random places, by their number; they fill `fraction` of a cube."""
    side = (count * 4.0 / 3.0 * math.pi * RADIUS ** 3 / fraction) ** (1.0 / 3.0)
    path = top / f"scattered-{count}.cfg"
    region = f"region = {{ min = (0.0, 0.0, 0.0); max = ({side!r}, {side!r}, {side!r}); }};"
    beads = f'beads = {{ plugin = "random"; count = {count}; radius = {RADIUS!r}; {region} }};'
    path.write_text(scene_in_walls([(0.0, side)] * 3, "", f"generate = {{ {beads} }};"), encoding="utf-8")
    return path


def lattice(top, count):
    """Spheres on a cubic lattice, by their number, 5 % apart."""
    side = 2.1 * RADIUS * math.ceil(count ** (1.0 / 3.0) + 1e-9)
    path = top / f"lattice-{count}.cfg"
    region = f"region = {{ min = (0.0, 0.0, 0.0); max = ({side!r}, {side!r}, {side!r}); }};"
    beads = f'beads = {{ plugin = "lattice"; count = {count}; radius = {RADIUS!r}; {region} }};'
    path.write_text(scene_in_walls([(0.0, side)] * 3, "", f"generate = {{ {beads} }};"), encoding="utf-8")
    return path
