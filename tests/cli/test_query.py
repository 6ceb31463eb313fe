# SPDX-License-Identifier: Apache-2.0
# `scree query`: bodies of a scene and of a run, against their positions.
import json
import math

import tap
from runs import scree

SCENE = """
scene = { dt = 1e-4; steps = 20; gravity = (0, 0, -9.81); region = { min = (0, 0, 0); max = (1, 1, 1); }; };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0, 0, 1); }; };
bodies = { floor = { shape = "floor"; position = (0, 0, 0); }; };
generate = { grains = { plugin = "random"; count = 400; radius = 0.02; }; };
force = ( { plugin = "linear"; kn = 1e5; } );
checkpoint = { every_steps = 20; };
"""
FLAT = """
scene = { dimension = 2; dt = 1e-4; steps = 1; };
materials = { glass = { density = 2500.0; }; };
bodies = { a = { radius = 0.5; position = (-1, 0); }; b = { radius = 0.5; position = (2, 0); }; };
"""
FACET = """
scene = { dt = 1e-4; steps = 1; };
materials = { glass = { density = 2500.0; }; };
shapes = { wall = { type = "mesh"; file = "facet.obj"; }; };
bodies = { w = { shape = "wall"; }; };
"""
SOLID = """
scene = { dt = 1e-4; steps = 1; };
materials = { glass = { density = 2500.0; }; };
shapes = { tip = { type = "polyhedron"; vertices = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1));
    facets = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)); }; };
bodies = { a = { shape = "tip"; position = (0, 0, 0); }; };
resolvers = ( { plugin = "gjk"; } );
"""


def ids(seen):
    return [int(line) for line in seen.stdout.split()]


def expected(bodies, lo, hi):
    """Balls of 0.02 m that meet a box."""
    found = []
    for body in bodies:
        x = body["position"]
        d = math.sqrt(sum((x[k] - min(max(x[k], lo[k]), hi[k])) ** 2 for k in range(3)))
        if body["shape"] != "floor" and d <= 0.02:
            found.append(body["id"])
    return sorted(found)


def test_scene(top):
    seen = scree(top, "query", "s.cfg", "--box", "-9,-9,-9:9,9,9", "--json")
    bodies = json.loads(seen.stdout)["bodies"]
    tap.check("all bodies are in a box around everything, with group, shape and position",
              seen.returncode == 0 and len(bodies) == 401
              and {body["group"] for body in bodies} == {"floor", "grains"}, seen)
    lo, hi = (0.2, 0.3, 0.4), (0.5, 0.55, 0.9)
    seen = scree(top, "query", "s.cfg", "--box", "0.2,0.3,0.4:0.5,0.55,0.9")
    tap.check("ids of a box, ascending", ids(seen) == expected(bodies, lo, hi) and len(ids(seen)) > 5, seen)
    other = scree(top, "query", "s.cfg", "--box", "0.2,0.3,0.4:0.5,0.55,0.9", "--set", 'query.gcd.plugin="dess"')
    mass = 2500.0 * 4.0 / 3.0 * math.pi * 0.02 ** 3
    tap.check("number and mass of the free bodies come last, apart from the ids", seen.stderr ==
              f"scree query: {len(ids(seen))} free bodies of {len(ids(seen)) * mass:.6g} kg, 0 others\n", seen)
    units = scree(top, "query", "s.cfg", "--box", "200mm,30 cm,0.4 : 500 mm,0.55 m,9e-1")
    tap.check("lengths may have units", units.returncode == 0 and ids(units) == ids(seen), units)
    for wrong in ("0,0,0:1,1,1 kg", "0,0,0:1,1", "0,0,0:1,1,nan"):
        no = scree(top, "query", "s.cfg", "--box", wrong)
        tap.check(f"{wrong} is refused", no.returncode == 2 and "in metres or with a unit (20mm)" in no.stderr, no)
    tap.check("whatever the gcd of questions is", other.returncode == 0 and ids(other) == ids(seen), other)
    seen = scree(top, "query", "s.cfg", "--ball", "0.5,0.5,-0.01:0")
    floor = [body["id"] for body in bodies if body["shape"] == "floor"]
    tap.check("a point under a plane is in it", ids(seen) == floor, seen)
    tap.check("... and a plane is not a free body", seen.stderr == "scree query: 0 free bodies of 0 kg, 1 other\n", seen)
    return bodies


def test_run(top, before):
    seen = scree(top, "run", "s.cfg", "-o", "out")
    after = scree(top, "query", "out", "--box", "-9,-9,-9:9,9,9", "--json")
    now = {body["id"]: body["position"] for body in json.loads(after.stdout)["bodies"]}
    fallen = [body["position"][2] - now[body["id"]][2] for body in before if body["group"] == "grains"]
    tap.check("of a run the bodies of its last checkpoint", seen.returncode == 0 and len(now) == 401
              and abs(max(fallen) - 0.5 * 9.81 * 0.002 ** 2) < 1e-9, after)


def test_by_box(top):
    """A tetrahedron of edges 1 m in the corner at the origin; its bounding box is [0, 1]^3."""
    inside, beside = "0.1,0.1,0.1:0.2,0.2,0.2", "0.7,0.7,0.7:0.8,0.8,0.8"
    seen = scree(top, "query", "solid.cfg", "--ball", "0.75,0.75,0.75:0.1")
    tap.check("a ball asks the resolvers of the scene about a solid", seen.returncode == 0 and not ids(seen), seen)
    seen = scree(top, "query", "solid.cfg", "--ball", "0.2,0.2,0.2:0")
    tap.check("a point in a solid is in it", seen.returncode == 0 and len(ids(seen)) == 1 and "boxes" not in seen.stderr, seen)
    for box in (inside, beside):
        seen = scree(top, "query", "solid.cfg", "--box", box)
        tap.check(f"the box of a solid decides of a box, and a line on standard error says so: {box}",
                  len(ids(seen)) == 1 and f"by their boxes, no resolver of the scene can say: {ids(seen)[0]}\n" in seen.stderr,
                  seen)
        seen = scree(top, "query", "solid.cfg", "--box", box, "--json")
        tap.check(f"and so does --json: {box}", [b["by_box"] for b in json.loads(seen.stdout)["bodies"]] == [True], seen)
    seen = scree(top, "query", "solid.cfg", "--box", "-0.1,-0.1,-0.1:1.1,1.1,1.1")
    tap.check("a solid whose box is inside the region is in it", len(ids(seen)) == 1 and "boxes" not in seen.stderr, seen)


def test_flat(top):
    seen = scree(top, "query", "flat.cfg", "--ball", "1.3,0:0.3")
    tap.check("in 2D without Z", len(ids(seen)) == 1, seen)
    seen = scree(top, "query", "flat.cfg", "--box", "0,0,0:1,1,1")
    tap.check("with Z the message names the dimension", seen.returncode == 2
              and "expected X0,Y0:X1,Y1 of a scene in 2D, in metres or with a unit" in seen.stderr, seen)


def test_facet(top):
    """Points on a facet of 1 m that is aslant, by rounding on one side or the other, and next to it."""
    corner, along, across = (0.3, 0.1, 0.7), (0.9, 0.31, 0.17), (-0.2, 0.77, 0.41)
    rows = [corner, [a + b for a, b in zip(corner, along)], [a + b for a, b in zip(corner, across)]]
    (top / "facet.obj").write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in rows) + "f 1 2 3\n")
    (top / "facet.cfg").write_text(FACET)
    normal = [along[(k + 1) % 3] * across[(k + 2) % 3] - along[(k + 2) % 3] * across[(k + 1) % 3] for k in range(3)]
    found = []
    for u, v in ((0.0, 0.0), (0.5, 0.5), (0.25, 0.0), (0.31, 0.17), (0.11, 0.7), (1 / 3, 1 / 3)):
        for off in (0.0, 1e-9, -1e-9):
            at = [repr(corner[k] + u * along[k] + v * across[k] + off * normal[k]) for k in range(3)]
            seen = scree(top, "query", "facet.cfg", "--ball", ",".join(at) + ":0")
            found.append((off == 0.0, len(ids(seen)) == 1, seen.returncode, at))
    tap.check("a point is on a facet, and not 1e-9 m next to it", all(on == hit and not status for on, hit, status, _ in found),
              found)


def test_mistakes(top):
    for words, text in (((), "one of --box and --ball"),
                        (("--box", "0,0,0:1,1"), "X0,Y0,Z0:X1,Y1,Z1"),
                        (("--box", "0,0,0:1,1,nan"), "X0,Y0,Z0:X1,Y1,Z1"),
                        (("--box", "0,0,2:1,1,1"), "the lower one first"),
                        (("--ball", "0,0,0:-1"), "expected 0 or more"),
                        (("--ball", "0,0,0:1x"), "X,Y,Z:R"),
                        (("--ball", "0,0,0:1", "--box", "0,0,0:1,1,1"), "got both"),
                        (("--ball", "0,0,0:1", "--set", 'query.gcd.plugin="none"'), "none"),
                        (("--ball", "0,0,0:1", "--set", "query.gdc=1"), "gdc")):
        seen = scree(top, "query", "s.cfg", *words)
        tap.check(f"refused with status 2: {' '.join(words)}",
                  seen.returncode == 2 and text in seen.stderr and not seen.stdout, seen)
    seen = scree(top, "query", "absent.cfg", "--ball", "0,0,0:1")
    tap.check("no such scene", seen.returncode == 2 and "absent.cfg" in seen.stderr, seen)
    seen = scree(top, "query", "--ball", "0,0,0:1")
    tap.check("no scene", seen.returncode == 2 and "SCENE or RUN" in seen.stderr, seen)


def test_room(place):
    (place / "s.cfg").write_text(SCENE)
    (place / "flat.cfg").write_text(FLAT)
    test_run(place, test_scene(place))
    (place / "solid.cfg").write_text(SOLID)


tap.in_folder(test_room, test_flat, test_facet, test_by_box, test_mistakes)
