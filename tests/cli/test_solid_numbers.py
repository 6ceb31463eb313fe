# SPDX-License-Identifier: Apache-2.0
"""`scree check --solid FILE`: numbers of a solid's cells against counts of an own program.

usage: test_solid_numbers.py SCREE CONFIGS

The grid is read from the answer; what is inside is found here: by a formula, or by rays through the triangles of the file.
"""
import json
import math
import pathlib
import sys

import tap
from runs import scree

CONFIGS = pathlib.Path(sys.argv[2]).resolve()


def ask(top, file, *words):
    seen = scree(top, "check", "--solid", file, "--json", *words)
    return seen, json.loads(seen.stdout)["solids"] if seen.returncode == 0 else []


def corner(solid, at):
    return [solid["origin"][m] + sum(at[k] * solid["axes"][3 * k + m] for k in range(3)) for m in range(3)]


def by_formula(solid, inside):
    n = solid["n"]
    return {(i, j, k): inside(*corner(solid, (i, j, k))) for i in range(n[0] + 1) for j in range(n[1] + 1) for k in range(n[2] + 1)}


def triangles(path):
    points, found = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(w) for w in words[1:4]])
        elif words[:1] == ["f"]:
            v = [points[int(w.split("/")[0]) - 1] for w in words[1:]]
            found += [(v[0], v[m], v[m + 1]) for m in range(1, len(v) - 1)]
    return found


def by_rays(solid, facets):
    """A corner is inside where an odd number of triangles is above it. Rays are shifted a little: none meets an edge."""
    n, inside = solid["n"], {}
    for i in range(n[0] + 1):
        for j in range(n[1] + 1):
            x, y = (c + shift for c, shift in zip(corner(solid, (i, j, 0)), (1.1e-10, 0.7e-10)))
            heights = []
            for p, q, r in facets:
                d = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
                if d == 0.0:
                    continue
                u = ((x - p[0]) * (r[1] - p[1]) - (y - p[1]) * (r[0] - p[0])) / d
                v = ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) / d
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    heights.append(p[2] + u * (q[2] - p[2]) + v * (r[2] - p[2]))
            for k in range(n[2] + 1):
                z = corner(solid, (i, j, k))[2]
                inside[i, j, k] = sum(h > z for h in heights) % 2 == 1
    return inside


def counted(solid, inside, euler):
    """The numbers of a solid: cells by class, the surface by Euler's formula, the maps of 3.4 of the thesis."""
    n, kinds, classes = solid["n"], {0: "outside", 8: "inside"}, {}
    for k in range(n[2]):
        for j in range(n[1]):
            for i in range(n[0]):
                full = sum(inside[i + a, j + b, k + c] for a in (0, 1) for b in (0, 1) for c in (0, 1))
                classes[i, j, k] = kinds.get(full, "border")
    want = {kind: sum(c == kind for c in classes.values()) for kind in ("outside", "inside", "border")}
    crossed = sum(inside[at] != inside[tuple(at[m] + (m == k) for m in range(3))] for at in inside for k in range(3) if at[k] < n[k])
    # triangles on a closed surface: 3 F = 2 E, V - E + F = euler
    want.update(vertices=crossed, facets=2 * (crossed - euler), edges=3 * (crossed - euler))

    def run(values):
        full = [m for m, value in enumerate(values) if value]
        return range(full[0], full[-1] + 1) if full else range(0)
    used = {at for at, kind in classes.items() if kind != "outside"}
    slices = run([any((i, j, k) in used for i in range(n[0]) for j in range(n[1])) for k in range(n[2])])
    prisms, stencil = 0, 0
    for k in slices:
        rows = run([any((i, j, k) in used for i in range(n[0])) for j in range(n[1])])
        prisms += len(rows)
        stencil += sum(len(run([(i, j, k) in used for i in range(n[0])])) for j in rows)
    want.update(orl=1 + len(slices) + prisms, stencil=stencil, map_bytes=12 * (1 + len(slices) + prisms) + 4 * stencil)
    return want


def check(name, solid, inside, euler):
    want = counted(solid, inside, euler)
    got = {key: solid[key] for key in want}
    tap.check(f"{name}: cells by class, vertices, facets, edges, runs and stencil are those of an own count", got == want, (got, want))
    least = solid["map_bytes"] + 24 * solid["vertices"] + 12 * solid["facets"]
    tap.check(f"{name}: all bytes are more than those of maps, vertices and facets, and fewer than 400 a facet",
              least < solid["bytes"] < 400 * solid["facets"], (solid, least))


def test_formula(top):
    (top / "s.cfg").write_text(
        'scene = { dt = 1.0; steps = 1; };\nmaterials = { m = { density = 1.0; }; };\n'
        'shapes = { egg = { type = "superquadric"; axes = (1.0, 1.6, 2.2); }; ball = { type = "superquadric"; axes = (1.0, 1.0, 1.0); };\n'
        '  plane = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
        'bodies = { a = { shape = "egg"; position = (0.0, 0.0, 0.0); motion = "fixed"; }; };\n'
        'resolvers = ( { plugin = "sphere"; }, { plugin = "dfr3d"; cells = 20; } );\n')
    seen, solids = ask(top, "s.cfg")
    tap.check("solids of a scene that the resolver has cells for", [(s["shape"], s["resolver"]) for s in solids] ==
              [("egg", "dfr3d"), ("ball", "dfr3d")], seen)
    half = {"egg": (1.0, 1.6, 2.2), "ball": (1.0, 1.0, 1.0)}
    for solid in solids:
        axes = half[solid["shape"]]
        check(solid["shape"], solid, by_formula(solid, lambda x, y, z: sum((c / a) ** 2 for c, a in zip((x, y, z), axes)) < 1.0), 2)
        tap.check(f"{solid['shape']}: its volume", abs(solid["volume"] / (4.0 / 3.0 * math.pi * math.prod(axes)) - 1.0) < 0.03, solid)
    again = ask(top, "s.cfg", "--set", "resolvers.dfr3d={cells=8}")[0]
    tap.check("a setting that the scene cannot have is refused", again.returncode == 2, again)
    text = scree(top, "check", "--solid", "s.cfg")
    tap.check("as text: the same", text.returncode == 0 and f"  facets     {solids[0]['facets']:g}\n" in text.stdout, text)


def test_file(top):
    facets = triangles(CONFIGS / "torus.obj")
    for cells in (24, 40):
        seen, solids = ask(top, CONFIGS / "torus.obj", "--set", f"resolvers.cells={cells}")
        tap.check(f"a surface with {cells} cells", len(solids) == 1 and max(solids[0]["n"]) == cells, seen)
        check(f"torus, {cells} cells", solids[0], by_rays(solids[0], facets), 0)
    large = ask(top, CONFIGS / "torus.obj", "--set", 'shapes.solid.unit="mm"')[1][0]
    tap.check("a unit reaches the surface", math.isclose(large["origin"][0] * 1000.0, ask(top, CONFIGS / "torus.obj")[1][0]["origin"][0],
                                                         rel_tol=1e-12), large)


def test_refused(top):
    seen = scree(top, "check", "--solid", "no.stl")
    tap.check("a file that is missing", seen.returncode == 2 and "no.stl" in seen.stderr, seen)
    (top / "b.cfg").write_text('scene = { dt = 1.0; steps = 1; };\nmaterials = { m = { density = 1.0; }; };\n'
                               "bodies = { a = { radius = 1.0; position = (0.0, 0.0, 0.0); }; };\n")
    seen = scree(top, "check", "--solid", "b.cfg", "--json")
    tap.check("a scene without such a solid", seen.returncode == 2 and "no resolver of the scene shows" in seen.stderr and not seen.stdout, seen)
    seen = scree(top, "check", "--solid", "b.cfg", "--steps", "3")
    tap.check("options that go with a plugin file", seen.returncode == 2 and "goes with --set and --json" in seen.stderr, seen)


tap.in_folder(test_formula, test_file, test_refused)
