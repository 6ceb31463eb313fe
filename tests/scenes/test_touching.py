# SPDX-License-Identifier: Apache-2.0
"""Bodies that touch at the border case: sides that coincide, spikes in spikes, points; masses that give no step.

usage: test_touching.py SCREE
"""
import json
import math

import tap
from runs import scree

AREA = 'force = ( { plugin = "overlap_area"; k = 1e9; kt = 1e5; friction = 0.3; damping = "none"; } );\n'
LINEAR = 'force = ( { plugin = "linear"; kn = 1e4; restitution = 1.0; } );\n'


def run(top, shapes, bodies, resolver, law, *args, dimension=2, steps=200, density=2500.0, command="run"):
    text = (f'scene = {{ dimension = {dimension}; dt = "auto"; steps = {steps}; }};\n'
            f'materials = {{ m = {{ density = {density!r}; }}; }};\nshapes = {{ {shapes} }};\nbodies = {{ {bodies} }};\n'
            f'resolvers = ( {{ {resolver} }} );\n{law}')
    (top / "s.cfg").write_text(text)
    words = ("-q", "--json", *args) if command == "run" else args
    seen = scree(top, command, "s.cfg", *words)
    return seen, json.loads(seen.stdout) if seen.returncode == 0 and command == "run" else {}


def square(width=1.0, height=1.0):
    return f's = {{ type = "polygon"; vertices = ((0.0, 0.0), ({width}, 0.0), ({width}, {height}), (0.0, {height})); }};'


def pair(x, y=0.0):
    return f'a = {{ shape = "s"; position = (0.0, 0.0); }}; b = {{ shape = "s"; position = ({x!r}, {y!r}); }};'


def test_side_by_side(top):
    """Nothing pushes: the overlap has no area. Sides that meet, and those in line with them."""
    for name, shape, bodies in (("squares", square(), pair(1.0)), ("below by the last bit", square(), pair(math.nextafter(1.0, 0.0))),
                                ("above by the last bit", square(), pair(math.nextafter(1.0, 2.0))),
                                ("one on the other", square(2.0, 1.0), pair(0.0, 1.0)), ("shifted", square(), pair(1.0, 0.3)),
                                ("corner to corner", square(), pair(1.0, 1.0)), ("10 mm", square(0.01, 0.01), pair(0.01))):
        for resolver, law in (('plugin = "closest_feature";', AREA), ('plugin = "closest_feature"; contact = "distance";', LINEAR)):
            seen, data = run(top, shape, bodies, resolver, law)
            moving = data.get("energy", {}).get("kinetic", 1.0)
            tap.check(f"{name}, {resolver} nothing moves", seen.returncode == 0 and 0.0 <= moving < 1e-20, (moving, seen.stderr))
    seen, data = run(top, square(), pair(1.0), 'plugin = "closest_feature";', AREA)
    two, again = run(top, square(), pair(1.0), 'plugin = "closest_feature";', AREA, "--threads", "2", "--set", 'gcd={plugin="pairing";}')
    tap.check("the state does not depend on threads and contact detection",
              data.get("state_sha256") == again.get("state_sha256") is not None, (seen.stderr, two.stderr))


def test_spikes(top):
    """Pushes of many arcs nearly cancel: the place where they act is far away, the contact point is not."""
    for n, inner, x in ((200, 0.5, 1.9), (100, 0.5, 1.5), (400, 0.3, 1.2)):
        corners = ", ".join(f"({r * math.cos(math.pi * 2 * k / n)!r}, {r * math.sin(math.pi * 2 * k / n)!r})"
                            for k in range(n) for r in [1.0 if k % 2 == 0 else inner])
        seen, data = run(top, f's = {{ type = "polygon"; vertices = ({corners}); }};', pair(x), 'plugin = "closest_feature";', AREA,
                         steps=20)
        tap.check(f"stars of {n} corners: contact points stay within the bodies", seen.returncode == 0 and data["contacts_at_end"] >= 0,
                  seen.stderr)


def test_points(top):
    two = 'a = { shape = "p"; position = (0.0, 0.0, 0.0); }; b = { shape = "p"; position = (0.5, 0.0, 0.0); };'
    for command in ("run", "validate"):
        seen, _ = run(top, 'p = { type = "point"; volume = 1e-3; };', two, 'plugin = "sdf";', LINEAR, dimension=3, command=command)
        tap.check(f"{command}: sdf and points: refused, with the pair", seen.returncode == 2 and "supports point" in seen.stderr, seen)
    drum = 'd = { type = "drum"; radius = 1.0; length = 1.0; }; p = { type = "point"; volume = 1e-3; };'
    bodies = 'd = { shape = "d"; }; b = { shape = "p"; position = (0.01, 0.02, -0.49); velocity = (0.0, 0.0, -0.1); };'
    seen, _ = run(top, drum, bodies, 'plugin = "gjk";', LINEAR, dimension=3)
    tap.check("gjk: a warning says that facets do not hold a point", seen.returncode == 0 and "point" in seen.stderr
              and "warning" in seen.stderr, seen)


def test_thin_plates(top):
    """Four corners of a face on a face, each k d^2 / 2, whatever the thickness and the offset."""
    for thick in (1e-2, 1e-4, 1e-5, 1e-6):
        plate = f's = {{ type = "polyhedron"; solid = "cuboid"; size = (1.0, 1.0, {thick!r}); }};'
        for x in (0.0, 0.1, 0.3, 0.77):
            bodies = (f'a = {{ shape = "s"; position = (0.0, 0.0, 0.0); motion = "fixed"; }}; '
                      f'b = {{ shape = "s"; position = ({x!r}, 0.013, {0.9 * thick!r}); }};')
            seen, data = run(top, plate, bodies, 'plugin = "gjk";', LINEAR, "--steps", "0", dimension=3)
            want = 4 * 0.5 * 1e4 * (0.1 * thick) ** 2
            got = data.get("energy", {}).get("stored", 0.0)
            tap.check(f"gjk: plates of {thick:g} of their side, {x:g} apart, meet at four corners",
                      data.get("contacts_at_end") == 4 and abs(got / want - 1.0) < 1e-6, (got, want, seen.stderr))


def test_no_step(top):
    bodies = ('a = { shape = "b"; position = (0.0, 0.0, 0.0); }; b = { shape = "b"; position = (1.9, 0.0, 0.0); };')
    seen, _ = run(top, 'b = { type = "sphere"; radius = 1.0; };', bodies, 'plugin = "sphere";', LINEAR, dimension=3, density=1e-305)
    tap.check("masses that give a step of 0 s are refused", seen.returncode == 2 and 'scene.dt: "auto" gives 0 s' in seen.stderr, seen)


tap.in_folder(test_side_by_side, test_spikes, test_points, test_thin_plates, test_no_step)
