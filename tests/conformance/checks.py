# SPDX-License-Identifier: Apache-2.0
"""The runs of test_check.py: each plugin as it is on each CPU level, and with settings other than the defaults that
change the way it works."""
import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent

# The quickest of each kind that a run needs: for a newcomer.
FIRST = {"gcd/grid", "resolver/sphere", "force/linear", "integrator/velocity_verlet", "modifier/gravity", "observer/csv",
         "shape/box", "source/lattice"}
# Kind and id, settings of its parameters, and --OPTION=VALUE of the command. In suite `full`.
SETTINGS = [
    ("observer/field", 'kind="points"', "width=0.2", 'kernel="lucy"', "window=1e-5", "block=1"),
    ("resolver/closest_feature", 'contact="distance"'),
    ("resolver/cyrus_beck", "--solid=polyhedron", 'solid="cuboid"', "size=(1.0,2.0,3.0)"),
    ("resolver/cyrus_beck", "--solid=polyhedron", 'solid="cuboid"', "size=(1.0,2.0,3.0)", 'contact="overlap"'),
    *((f"resolver/{id}", "--solid=polygon", f"vertices=((-1.0,-{w}),(1.0,-{w}),(1.0,{w}),(-1.0,{w}))")  # they cross
      for id, w in (("cyrus_beck", 0.2), ("cyrus_beck", 0.05), ("closest_feature", 0.2), ("closest_feature", 0.05))),
    ("resolver/closest_feature", "--solid=polygon", "vertices=((-1.0,-1.0),(1.0,-1.0),(1.0,-0.7),(-0.7,-0.7),(-0.7,1.0),(-1.0,1.0))"),
    ("force/overlap_volume", 'form="linear"', "pressure=1e7"),
    ("force/overlap_volume", 'damping="constant"', "damping_n=1e8"),
    ("force/overlap_volume", 'form="bed"', "bed=1e7"),
    ("force/overlap_area", 'form="matuttis"', "young=1e7"),
    ("force/overlap_area", 'damping="constant"', "damping_n=1e5"),
    ("force/overlap_area", 'form="potential"'),
    ("gcd/grid", "cell=0.7"),
    ("gcd/grid", "cell=2.5", 'search="window"'),
    ("modifier/move", 'motion="rotation"', "axis=(0.0,1.0,1.0)", "rate=3.0", "start=0.05", "end=0.2"),
    ("modifier/move", 'motion="vibration"', "direction=(0.0,1.0,1.0)", "amplitude=0.01", "frequency=7.0"),
    ("modifier/move", 'motion="conveyor"', "velocity=(0.0,1.0,1.0)", 'frame="body"'),
    ("integrator/gear", "values=4"),
    ("integrator/gear", "values=6", 'forces="position"'),
    ("integrator/gear", "values=6", 'fill="never"'),
    ("integrator/velocity_verlet", 'velocity="full_step"', 'orientation="all"'),
    ("modifier/freeze", "at_time=0.005", "release_time=0.008"),
    ("modifier/gravity", "rate=(0.0,3.0)", "rate_times=(0.0,1.0)", "axis=(1.0,0.0,0.0)", 'frame="inertial"',  # along which the scene repeats
     "vector=(0.0,1.0,1.0)"),
    ("modifier/lock", 'translation="xz"', 'rotation="y"'),
    ("modifier/servo", "pressures=(1.0,2.0)", "times=(0.0,0.01)", "area=0.5", "gain=0.1"),
    ("modifier/servo", "pressure=10.0", 'across=("floor","wall","floor","wall")'),
    ("modifier/tether", "torsion_stiffness=0.1", "torsion_damping=0.01", 'axes="y"'),
    ("force/capillary", "bridge_volume=1e-13", "contact_angle=0.3"),
    ("force/van_der_waals", "hamaker=1e-16", "min_gap=1e-7"),
    ("force/cohesion_sjkr", 'form="sjkr2"'),
    ("force/rolling", "rolling_friction=0.2", 'type="constant"'),
    ("force/linear", 'sliding="spring"', "friction=0.4"),
    ("shape/superquadric", "xi=0.1", "eta=0.1"),
    ("shape/superquadric", "xi=2.0", "eta=2.0"),
    ("shape/superquadric", "blockiness=(8.0,2.0)"),
    ("shape/superquadric", "xi=2.7", "eta=1.3"),
    ("shape/capsule", "length=0.1", "radius=2.0"),
    ("shape/cylinder", "length=0.1", "radius=2.0"),
    ("shape/drum", "sides=3", 'open="top"'),
    ("shape/drum", "tolerance=1e-3", 'facing="outward"'),
    ("shape/cone", "sides=7"),
    ("shape/mesh", f'file="{HERE}/wedge.obj"'),
    ("shape/mesh", f'file="{HERE}/text.stl"'),
    ("shape/mesh", f'file="{HERE}/binary.stl"'),
    ("integrator/replay", f'file="{HERE}/endless.bpf"'),  # the side of its domain is unknown
    ("shape/polyhedron", 'solid="cuboid"', "size=(1.0,2.0,3.0)"),
    ("shape/blend", 'first={type="superquadric";axes=(1.0,0.6,0.4);}', 'second={type="blend";first={type="sphere";radius=0.5;};cells=4;}',
     "places=((0.0,0.0,0.0),(0.8,0.3,0.1),(-0.7,0.1,0.3))", "of=(1,2,1)", "turns=((1.0,0.0,0.0,0.0),(1.0,1.0,0.0,0.0),(1.0,0.3,0.2,0.1))",
     "scales=(1.0,1.5,0.7)", "decay=3.0", "strengths=(1.0,2.0,1.0)", "cells=10"),
    ("shape/cast", 'first={type="sphere";radius=0.4;}', 'container={type="superquadric";axes=(1.0,0.7,0.8);}',
     "places=((0.2,0.1,0.1),(-0.6,0.0,0.0))", "decay=4.0", "cells=10"),
    ("shape/polyhedron", 'solid="dodecahedron"', "edge=1.0"),
    ("shape/polygon", "resample=13"),
    ("shape/clump", 'overlaps="each"', "volume=6.0"),
    ("shape/clump", 'overlaps="each"', "balls=((0.0,0.0,1.0),(1.0,0.2,0.8),(0.4,0.8,0.9),(-1.0,0.5,0.6))"),  # in the plane
    ("resolver/cyrus_beck", 'form="as_printed"', "--solid=polygon", "sides=7", "diameter=1.0", "resample=12"),
    ("resolver/cyrus_beck", "--solid=polyhedron", 'solid="dodecahedron"', "edge=1.0", 'form="as_printed"'),
    ("resolver/cyrus_beck", "--solid=polyhedron", 'solid="dodecahedron"', "edge=1.0", 'contact="overlap"'),
    ("resolver/sdf", "--solid=polyhedron", 'solid="cuboid"', "size=(1.0,2.0,3.0)", 'contact="overlap"'),
    ("force/hertz_mindlin", 'damping="none"', 'spring="increments_rescaled"', "friction=0.4"),
    ("force/hertz_mindlin", 'sliding="total"', "friction=0.4"),
    ("force/hertz_mindlin", 'sliding="spring"', "friction=0.4"),
    ("force/jkr", 'sliding="spring"', 'spring="increments_rescaled"', "friction=0.4"),
    ("force/rolling", "rolling_friction=0.2", "twisting_friction=0.1"),
    ("force/rolling", "rolling_friction=0.2", "twisting_friction=0.1", 'sliding="total"', 'stiffness="tangential"'),
    ("force/linear", 'sliding="total"', "friction=0.4"),
    ("force/linear", 'lever="radius"', 'cap="elastic"', "friction=0.4"),
    ("resolver/gjk", "--solid=superquadric", "axes=(0.5,0.4,0.3)"),
    ("resolver/gjk", "--solid=polyhedron", 'solid="dodecahedron"', "edge=1.0"),
    ("resolver/gjk", "--solid=superquadric", "axes=(0.5,0.5,0.4)", "blockiness=(2.0,3.0)"),
    ("resolver/gjk", "--solid=superquadric", "axes=(0.5,0.5,0.4)", "blockiness=(2.5,3.0)"),
    ("resolver/sdf", "--solid=superquadric", "axes=(1.0,0.8,0.5)", 'contact="overlap"'),
    ("force/linear", 'spring="none"', "friction=0.4"),
    ("gcd/auto", "change=1.0", "budget=1.0", "rounds=1", 'third={plugin="sort_update";}'),
    ("gcd/bvh", "margin=0.0", "rebuild=1.0", "rotate=false"),
    ("gcd/rtree", 'build="rstar"', 'update="refit"', 'query="box"'),
    ("gcd/rtree", 'build="linear"', 'query="box"'),
    ("gcd/rtree", 'build="quadratic"', 'update="refit"'),
    ("gcd/compare", 'first={plugin="bvh";}', 'second={plugin="sort_update";}'),
    ("gcd/neighbor_list", "skin=0.0"),
    ("gcd/neighbor_list", "skin=2.0", 'inner={plugin="hgrid";}'),
    ("gcd/dess_rtree", 'build="rstar"', 'update="refit"', 'query="box"'),
    ("gcd/dess_rtree", 'build="linear"', 'sort="heap"', 'query="box"'),
    ("gcd/dess", "pieces=3"),
    ("gcd/dess_stripe", "pieces=0", "as_printed=true"),
    ("gcd/hashing", "as_printed=true"),
    ("gcd/spatial_sort", "pieces=5", 'sort="heap"', "as_printed=true"),
    ("gcd/dess_stripe", "width=0.5", "copies=1e6"),
    ("gcd/dess_stripe", 'border="printed"', "width=1.0"),
    ("gcd/lbvh", 'code="fine"'),
    ("gcd/sap_simd", 'axis="widest"'),
    ("gcd/sort_update", "exchanges=0"),
    ("gcd/sort_update", "exchanges=1000000"),
    ("gcd/hashing", 'clear="full"'),
    ("gcd/hgrid", "levels=1"),
    ("gcd/hgrid", "levels=7", 'distribution="linear"'),
    ("gcd/hgrid", "levels=16", 'distribution="equal"'),
    ("gcd/cell_space", "target=1", "factor=1.0", "smallest=0.0", "least=1"),
    ("gcd/cell_space", "cells=5", "target=2", "depth=20"),
    ("gcd/orthtree", "capacity=1", "depth=40", "threshold=0.0", "share=0.0"),
    ("gcd/adaptive_grid", "per_cell=1", "threshold=1000.0"),
    ("gcd/adaptive_grid", "per_cell=100", "share=0.0"),
    ("gcd/bsp", "capacity=1", "threshold=0.0", "share=0.0"),
    ("gcd/bsp", "depth=3", "threshold=1000.0"),
    ("gcd/dess", 'sort="heap"', 'master="x"'),
    ("gcd/spatial_sort", 'method="ranges"', "exact=false"),
    ("gcd/spatial_sort", 'method="lists"'),
    ("gcd/spatial_sort", 'method="one_pass"'),
]
# None of their code, or no result, differs between the CPU levels: the baseline builds are tried late, with settings
# too. The baseline builds of others are tried late with the defaults; tests `levels-...` compare the bits of the two.
SAME_LEVELS = {*(f"gcd/{id}" for id in (
    "adaptive_grid", "auto", "bounding_volume", "bsp", "bvh", "cell_space", "compare", "dess", "dess_rtree", "dess_stripe",
    "hashing", "hgrid", "lbvh", "neighbor_list", "orthtree", "rtree", "sap_simd", "sort_update", "spatial_sort")),
               "integrator/integer_motion", "resolver/dfr3d", "resolver/sdf"}
# Minutes for the grids of resolvers, for files of each step, and for the starts of a launcher; dess_rtree is as gcd/rtree, and its ranks are those of
# gcd/dess.
LATE = {"observer/image", "observer/vtk", "gcd/dess_rtree", "resolver/dfr3d", "resolver/sdf", "domain/mpi", "domain/mpi_openmpi"}
# Under sanitizers each of these takes minutes; a shorter one of its kind runs the same code. Second: with settings.
LONG_SANITIZED = ({"force/hertz_mindlin", "force/linear", "force/jkr", "force/overlap_area", "force/overlap_volume",
                   "domain/mpi", "domain/mpi_openmpi", "domain/mpi_mpich", "gcd/pairing", "source/random", "resolver/gjk", "resolver/sdf", "resolver/dfr3d", "resolver/cyrus_beck"},
                  ("gcd/", "force/rolling", "integrator/gear"))

TETRAHEDRON = ("vertices=((0.0,0.0,0.0),(1.0,0.0,0.0),(0.0,1.0,0.0),(0.0,0.0,1.0))", "facets=((0,2,1),(0,1,3),(1,2,3),(0,3,2))")
# The resolvers of strips are tried with polygons of seven corners, resampled.
POLYGONS = ("--solid=polygon", "sides=7", "diameter=1.0", "resample=12")
# Only where a row has no settings.
ALONE = {
    "resolver/cyrus_beck": POLYGONS,
    "resolver/sdf": ("--solid=superquadric", "axes=(1.0,0.8,0.5)"),
    "resolver/gjk": ("--solid=polyhedron", 'solid="cube"', "edge=1.0"),
    "integrator/replay": (f'file="{HERE}/spheres.bpf"',),
    "shape/mesh": TETRAHEDRON,
    "shape/blend": ("cells=8",),
    "shape/cast": ('first={type="sphere";radius=0.3;}', "places=((0.0,0.0,0.0),(0.6,0.0,0.0))", "min=(-0.5,-0.5,-0.4)",
                   "max=(1.0,0.5,0.5)", "cells=9"),
    "shape/capsule": ("length=1.0", "radius=0.5"),
    "shape/cylinder": ("length=1.0", "radius=0.5"),
    "shape/polyhedron": (  # an L
        "vertices=((0.0,0.0,0.0),(2.0,0.0,0.0),(2.0,1.0,0.0),(1.0,1.0,0.0),(1.0,2.0,0.0),(0.0,2.0,0.0),"
        "(0.0,0.0,1.0),(2.0,0.0,1.0),(2.0,1.0,1.0),(1.0,1.0,1.0),(1.0,2.0,1.0),(0.0,2.0,1.0))",
        "facets=((0,3,2,1),(0,5,4,3),(6,7,8,9),(6,9,10,11),(0,1,7,6),(1,2,8,7),(2,3,9,8),(3,4,10,9),(4,5,11,10),(5,0,6,11))"),
}
ALWAYS = {
    "force/overlap_area": ("k=1e9",),
    "force/overlap_volume": ("k=1e9", "kt=1e3"),
    "resolver/sdf": ("cells=10",),
    "resolver/dfr3d": ("--solid=superquadric", "axes=(1.0,0.8,0.5)", "cells=8"),
    "resolver/closest_feature": ("--solid=polygon", "sides=7", "diameter=2.0"),
    "resolver/dfr2d": POLYGONS,
    "shape/facets": TETRAHEDRON,
    "shape/segments": ("vertices=((0.0,0.0),(1.0,0.0),(0.0,1.0))", "segments=((0,1),(1,2),(2,0))"),
    "shape/polygon": ("vertices=((0.0,0.0),(2.0,0.0),(2.0,1.0),(1.0,1.0),(1.0,2.0),(0.0,2.0))",),  # an L
    "shape/drum": ("radius=0.5", "length=1.0"),
    "shape/cone": ("radii=(0.5,0.0)", "length=1.0"),
    "shape/superquadric": ("axes=(1.0,0.8,0.5)",),
    "shape/voxels": (f'file="{HERE}/block.nrrd"', "level=100.0", "spacing=(0.1,0.2,0.15)"),
    "shape/clump": ("balls=((0.0,0.0,0.0,1.0),(1.0,0.2,0.1,0.8),(0.4,0.8,0.3,0.9),(-1.0,0.5,0.5,0.6))",),
    "observer/mixing": ('tracers=("ball")',),
    "observer/field": ("cells=(3,4,1)", "min=(-0.5,-0.5,-0.5)", "max=(0.5,0.5,0.5)"),
    "observer/image": ("width=48", "height=32", "samples=1"),  # as large as it likes, it takes minutes
    "source/lattice": ("count=40",),
    "source/random": ("count=30",),
    "source/packing": ("count=30", "updates=6"),  # later rounding shows: balls roll
    "source/polygons": ("count=12", "corners=(5,9)", "variants=4"),  # a region full of bodies takes minutes
    "source/table": (f'file="{HERE}/bodies.csv"',),
    "source/lammps": (f'file="{HERE}/bodies.data"', 'types=("first","second")', 'density="material"'),
}


# Launchers of the ranks of a domain, by their names in Debian and elsewhere.
LAUNCHERS = {
    "domain/mpi_openmpi": ("mpirun.openmpi --oversubscribe -n", "mpirun --oversubscribe -n"),
    "domain/mpi_mpich": ("mpirun.mpich -n", "mpirun -n"),
    "domain/mpi": ("mpirun.openmpi --oversubscribe -n", "mpirun.mpich -n", "mpirun -n"),
}


def launcher_of(name):
    """The first one that is here; none: its cases are skipped."""
    found = [f"--launcher={words}" for words in LAUNCHERS.get(name, ()) if shutil.which(words.split()[0])]
    return found[:1]


# The runs of the check do not show these numbers: nothing breaks, or they need another number, too. Nor do they change these fields.
IDLE = {"modifier/insert": "full,dropped,dropped_mass,owed_mass,owed_number", "modifier/release": "freed", "modifier/servo": "searches,limit,reached",
        "force/bonded": "largest_gap,moment_share,spread", "force/cohesion_sjkr": "poisson_ratio", "force/overlap_volume": "bed",
        "force/rolling": "young_modulus,poisson_ratio"}


# Shapes without directions but those of their parameters; with other settings z is another axis than x and y.
RENAMED = {"shape/clump", "shape/polyhedron", "shape/superquadric"}


def options_of(name, words=()):
    """Options of every run of a plugin: the functions of modifier/callback are those of a program, which has directions."""
    turns = name.startswith(("integrator/", "modifier/", "observer/", "resolver/")) and name != "modifier/callback" \
        and 'form="as_printed"' not in words  # whose choice of an axis goes by its name
    turns = turns or (name in RENAMED and not words)
    each = name.startswith(("force/", "modifier/")) and not words
    given = {word.split("=")[0] for word in words if not word.startswith("-")}
    return (*(w for w in ALWAYS.get(name, ()) if w.split("=")[0] not in given), *launcher_of(name), *(["--isotropic"] if turns else []), *([f"--idle={IDLE.get(name, '')}"] if each else []))


def list_runs(ids, levels):
    """(tier, kind/id, level, settings of its name, all settings) of each run of the plugins; `levels`: those of the
    build, the last is the one that a run takes."""
    rows = [(name, level, (), "full" if name in LATE else "first" if name in FIRST and level == levels[-1] else "rest")
            for name in ids for level in levels]
    rows += [(name, levels[0], tuple(words), "full") for name, *words in SETTINGS if name in ids]
    for name, level, words, tier in rows:
        if level == "baseline" and level != levels[-1] and (not words or name in SAME_LEVELS):
            tier = "full"
        yield tier, name, level, words, (*words, *options_of(name, words), *(() if words else ALONE.get(name, ())))


# Cases on the real engine that a plugin may skip, and why; it skips no other.
OF_ALL = {"run-same", "run-oldest", "run-saved", "run-numbers", "run-origin", "run-units", "run-lattice", "run-axes", "run-mirror", "run-moving"}
SKIPS = {
    # of solids in two dimensions
    **{f"resolver/{id}": {"run-axes", "run-mirror", "run-crowd"} for id in ("closest_feature", "cyrus_beck", "dfr2d")},
    # in a crowd bodies are balls
    **{f"resolver/{id}": {"run-crowd", "run-mirror"} for id in ("dfr3d", "gjk", "sdf")},
    # of two dimensions
    "force/overlap_area": {"run-axes"},
    # they keep no values of bodies or contacts
    **{name: {"run-late"} for name in ("force/cohesion_sjkr", "force/dmt", "force/van_der_waals",
                                       "integrator/forest_ruth", "integrator/symplectic_euler", "integrator/velocity_verlet")},
    # a wall is fixed
    **{f"shape/{id}": {"run-same", "run-saved"} for id in ("box", "cone", "drum", "facets", "mesh", "plane", "segments")},
    **{f"integrator/{id}": {*OF_ALL, "run-late", "run-crowd", "run-step", "run-energy"} for id in ("integer_motion", "replay")},
    # a region of its own does not repeat
    **{f"modifier/{id}": {"run-origin", "run-step", "run-crowd"} for id in ("freeze", "remove")},
    "modifier/insert": {"run-origin", "run-step", "run-crowd", "run-axes"},  # it draws bodies at random
    # its function has a direction
    "modifier/callback": {"run-axes"},
    # bodies come and go
    "observer/record": {"run-numbers"},
    # its scalars are those that the user names
    "observer/average": {"run-seen"},
    # they fill a region, or read a file, that only the user knows
    **{f"source/{id}": {"run-same", "run-oldest", "run-saved"} for id in ("polygons", "table", "lammps")},
}


# With settings: solids of two kinds, or no resolver for the law. tests/scenes/test_lattice.py and tests/resolver run these.
SKIPS_SET = {name: {*OF_ALL, "run-late", "run-crowd", "run-energy"}
             for name in ("force/overlap_volume", "resolver/closest_feature", "resolver/cyrus_beck", "resolver/dfr2d")}
MOMENTS = {"modifier/freeze", "modifier/release"}  # with a step and a time
# No parameter may be a place.
EVERYWHERE = {f"modifier/{id}" for id in ("damping", "drag", "lock", "release", "servo", "tether")}


def may_skip(name, case, words=()):
    if case == "run-moments":
        return name not in MOMENTS
    if case == "run-elsewhere":
        return name not in EVERYWHERE
    if case == "run-axes" and name.startswith("shape/"):
        return name not in RENAMED or bool(words)
    return case == "run-each" or not case.startswith("run-") or case in SKIPS.get(name, ()) or bool(words) and case in SKIPS_SET.get(name, ())


def is_long_sanitized(name, words):
    always, with_settings = LONG_SANITIZED
    return name in always or bool(words) and name.startswith(with_settings)
