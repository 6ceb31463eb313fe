# SPDX-License-Identifier: Apache-2.0
"""Squares on open walls of segments: over joints, on a slope, over the end, on either side, against closed forms.

usage: test_open_walls.py SCREE
"""
import json
import math

import tap
from runs import read_numbers, scree

SIDE, DENSITY, G, DT = 0.02, 2500.0, 9.81, 2e-5
SQUARE = 'square = { type = "polygon"; vertices = ((-0.01, -0.01), (0.01, -0.01), (0.01, 0.01), (-0.01, 0.01)); };'
LAWS = {"overlap": 'plugin = "overlap_area"; form = "potential"; k = 1.2e11; kt = 3e6; damping_ratio = 0.5;',
        "distance": 'plugin = "linear"; kn = 5e6; kt = 3e6; damping = "constant"; damping_n = 1500.0;'}
JOINTS = (-0.2, -0.11, -0.034, 0.01, 0.057, 0.1, 0.2)


def depth_of(contact, weight):
    """Where a square that lies flat carries its weight: k A L of A = depth L, or kn depth."""
    return weight / (1.2e11 * SIDE ** 3 / SIDE) if contact == "overlap" else weight / 5e6


def floor(phi=0.0, joints=JOINTS, back=False):
    """Segments along a slope; every other one runs the other way."""
    at = ", ".join(f"({math.cos(phi) * t!r}, {math.sin(phi) * t!r})" for t in joints)
    pairs = ", ".join(f"({k + 1}, {k})" if k % 2 != back else f"({k}, {k + 1})" for k in range(len(joints) - 1))
    return f'floor = {{ type = "segments"; vertices = ({at}); segments = ({pairs}); }};'


def run(top, name, contact, more, body, steps, shapes, gravity=-G, every=100):
    (top / "s.cfg").write_text(f"""
scene = {{ dimension = 2; dt = {DT!r}; steps = {steps}; gravity = (0.0, {gravity!r}); }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {SQUARE} {shapes} }};
bodies = {{ a = {{ shape = "square"; {body} }}; floor = {{ shape = "floor"; }}; }};
force = ( {{ {LAWS[contact]} {more} }} );
resolvers = ( {{ plugin = "closest_feature"; contact = "{contact}"; }} );
observers = {{ s = {{ plugin = "csv"; every_steps = {every}; }};
    b = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
""")
    done = scree(top, "run", "s.cfg", "-q", "--json", "-o", name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    rows = read_numbers(top / name / "bodies.csv")
    return json.loads(done.stdout), [row for row in rows if row["name"] == "a"]


def test_joints(top):
    """At 0.3 m/s over five joints on a level floor: without friction, and with."""
    for contact in LAWS:
        up = 0.5 * SIDE - depth_of(contact, DENSITY * SIDE * SIDE * G)
        body = f"position = (-0.08, {up!r}); velocity = (0.3, 0.0);"
        data, rows = run(top, f"free-{contact}", contact, "friction = 0.0;", body, 25000, floor())
        # By distance the point goes from corner to corner with the last bits, and the square rocks; a bump at a
        # joint would slow it down.
        rocks = 1.0 if contact == "overlap" else 0.0
        worst = max(max(abs(r["vx"] - 0.3), rocks * abs(r["vy"]), rocks * SIDE * abs(r["wz"])) for r in rows)
        print(f"# {contact}: {rows[-1]['x'] - rows[0]['x']:.6g} m, speeds off by at most {worst:.2g} m/s")
        tap.check(f"{contact}: a square slides over the joints of a floor without a bump",
                  worst < 1e-9 and rows[-1]["x"] > 0.06, (worst, rows[-1], data["contacts"]))
        mu, t = 0.1, 0.25
        damped = f"friction = {mu}; damping_t = 600.0;"
        data, rows = run(top, f"rub-{contact}", contact, damped, body, round(t / DT), floor())
        way, formula = rows[-1]["x"] - rows[0]["x"], 0.3 * t - 0.5 * mu * G * t * t
        print(f"# {contact}: with friction {way:.6g} m, formula {formula:.6g}")
        tap.check(f"{contact}: friction slows it down as mu g t says, over the joints too",
                  abs(way - formula) < 2e-3 * formula, (way, formula))


def test_slope(top):
    """As on a plane: holds where tan phi < mu, slides as g (sin phi - mu cos phi) says where it is above."""
    phi, t = math.radians(15.0), 0.5
    weight = DENSITY * SIDE * SIDE * G * math.cos(phi)
    for contact in LAWS:
        up = 0.5 * SIDE - depth_of(contact, weight)
        body = f"position = ({-math.sin(phi) * up!r}, {math.cos(phi) * up!r}); orientation = {phi!r};"
        for mu in (0.35, 0.2):
            data, rows = run(top, f"slope-{contact}-{mu}", contact, f"friction = {mu}; damping_t = 600.0;", body,
                             round(t / DT), floor(phi))
            way = math.hypot(rows[-1]["x"] - rows[0]["x"], rows[-1]["y"] - rows[0]["y"])
            slides = 0.5 * G * (math.sin(phi) - mu * math.cos(phi)) * t * t
            print(f"# {contact}, mu {mu}: {way:.6g} m, formula {max(slides, 0.0):.6g}")
            if mu > math.tan(phi):
                tap.check(f"{contact}: a square on a slope of segments stays where it is", way < 1e-4, way)
            else:
                tap.check(f"{contact}: on a steeper one it slides by the formula, over the joints",
                          abs(way - slides) < 1e-2 * slides, (way, slides))


def test_end(top):
    """Its centre 4 mm before the end of the wall, or 4 mm beyond it: it lies still, or falls over the end."""
    wall = floor(joints=(-0.2, -0.03, 0.0))
    for contact in LAWS:
        damped = "friction = 0.5; damping_t = 600.0;"
        up = 0.5 * SIDE - depth_of(contact, DENSITY * SIDE * SIDE * G)
        data, rows = run(top, f"lies-{contact}", contact, damped, f"position = (-0.004, {up!r});", 50000, wall)
        last = rows[-1]
        tilt = 2.0 * math.atan2(last["qz"], last["qw"])
        print(f"# {contact}: over the end by 6 mm it turns by {tilt:.2g} rad, {math.hypot(last['vx'], last['vy']):.2g} m/s")
        tap.check(f"{contact}: a square with its centre on the wall lies still",
                  abs(last["x"] + 0.004) < 1e-5 and abs(tilt) < 1e-3 and math.hypot(last["vx"], last["vy"]) < 1e-4, last)
        data, rows = run(top, f"falls-{contact}", contact, damped, f"position = (0.004, {up!r});", 20000, wall)
        total = [r["vy"] for r in rows]
        energy = data["energy"]
        print(f"# {contact}: beyond it, {rows[-1]['y']:.3g} m, turning at {rows[-1]['wz']:.3g} rad/s, residual "
              f"{energy['residual'] / energy['lost'] if energy['lost'] else 0.0:.2g} of what was lost")
        tap.check(f"{contact}: one with its centre beyond the end turns over it and falls",
                  rows[-1]["y"] < -0.1 and rows[-1]["wz"] < -3.0 and total[-1] < -1.0 and
                  abs(energy["residual"]) < 1e-3 * DENSITY * SIDE ** 2 * G * 0.1, (rows[-1], energy))


def test_sides(top):
    """Under the wall, with gravity upwards, a square moves as on it."""
    for contact in LAWS:
        damped = "friction = 0.4; damping_t = 600.0;"
        found = []
        for sign in (1.0, -1.0):
            body = f"position = (0.0, {sign * 0.02!r}); orientation = \"{sign * 20.0} deg\"; velocity = (0.1, 0.0);"
            found.append(run(top, f"side-{contact}-{sign}", contact, damped, body, 40000, floor(), gravity=-sign * G)[1])
        worst = max(max(abs(p["x"] - q["x"]), abs(p["y"] + q["y"])) for p, q in zip(*found))
        last = found[0][-1]
        print(f"# {contact}: at rest at ({last['x']:.6g}, {last['y']:.6g}); mirrored it differs by {worst:.2g} m")
        tap.check(f"{contact}: under a wall a square comes to rest as on it",
                  worst < 1e-6 and abs(last["y"] - 0.01) < 1e-4 and math.hypot(last["vx"], last["vy"]) < 2e-4, (worst, last))


def test_state(top):
    """Polygons, convex and not, and discs fall through a funnel of open walls onto a bent floor: one state, whatever the GCD, the
    number of threads and the extents."""
    (top / "many.cfg").write_text(f"""
scene = {{ dimension = 2; dt = 1e-5; steps = 4000; gravity = (0.0, -400.0); }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {SQUARE}
    star = {{ type = "polygon"; vertices = ((-0.01, -0.01), (0.0, -0.004), (0.01, -0.01), (0.004, 0.0), (0.01, 0.01), (0.0, 0.004),
        (-0.01, 0.01), (-0.004, 0.0)); }};
    walls = {{ type = "segments"; vertices = ((-0.12, 0.2), (-0.02, 0.1), (-0.02, 0.08), (0.12, 0.2), (0.02, 0.1), (0.02, 0.08),
        (-0.2, 0.03), (-0.05, 0.0), (0.0, 0.001), (0.06, -0.001), (0.2, 0.03));
        segments = ((0, 1), (2, 1), (3, 4), (4, 5), (6, 7), (7, 8), (9, 8), (9, 10)); }};
}};
bodies = {{ walls = {{ shape = "walls"; position = (0.0, 0.0); }}; }};
generate = {{
    squares = {{ plugin = "random"; shape = "square"; count = 14; orientation = "random"; region = {{ min = (-0.08, 0.2); max = (0.08, 0.4); }}; }};
    stars = {{ plugin = "random"; shape = "star"; count = 10; orientation = "random"; region = {{ min = (-0.08, 0.2); max = (0.08, 0.4); }}; }};
    discs = {{ plugin = "random"; shape = "disc"; radius = 0.006; count = 12; region = {{ min = (-0.08, 0.2); max = (0.08, 0.4); }}; }};
}};
force = ( {{ plugin = "overlap_area"; k = 3e11; kt = 3e6; friction = 0.4; damping_ratio = 0.2; damping_t = 100.0; }} );
resolvers = ( {{ plugin = "closest_feature"; }}, {{ plugin = "sphere"; }} );
""")
    found = {}
    for way in ((), ("--threads", "3"), ("--set", "gcd.plugin=sort_update"), ("--set", "gcd.plugin=bvh", "--threads", "2"),
                ("--set", "extent={eps_v=0.0;eps_e=0.0;eps_c=0.0;}")):
        done = scree(top, "run", "many.cfg", "-q", "--json", *way)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        data = json.loads(done.stdout)
        found[way] = data["state_sha256"]
    print(f"# {data['contacts']:.3g} contacts on average, energy residual {data['energy']['residual'] / data['energy']['start']:.2g} of the start")
    tap.check("one state of bodies in open walls, by any GCD, threads and extents",
              len(set(found.values())) == 1 and data["contacts"] > 5, found)


tap.in_folder(test_joints, test_slope, test_end, test_sides, test_state)
