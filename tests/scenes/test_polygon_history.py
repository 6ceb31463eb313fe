# SPDX-License-Identifier: Apache-2.0
"""History of contacts of polygons: through swaps of the resolver, and where a piece's name changes as a body moves.

usage: test_polygon_history.py SCREE
"""
import json
import math

import tap
from runs import read_numbers, scree

DENSITY, G, K = 2500.0, 9.81, 1.2e11
SQUARE = "((-0.01, -0.01), (0.01, -0.01), (0.01, 0.01), (-0.01, 0.01))"
# A bridge on two feet; its centre is 2/7 of 0.01 m above the middle of its height.
BRIDGE = "((-0.015, -0.015), (-0.005, -0.015), (-0.005, 0.005), (0.005, 0.005), (0.005, -0.015), (0.015, -0.015), " \
         "(0.015, 0.015), (-0.015, 0.015))"
BRIDGE_AREA, BRIDGE_UP = 7e-4, (3e-4 * 0.01 - 4e-4 * 0.005) / 7e-4
BLOCK = "((-0.2, -0.05), (0.2, -0.05), (0.2, 0.0), (-0.2, 0.0))"


def of_shape(words):
    return words if "type" in words else f'type = "polygon"; vertices = {words};'


def run(top, name, shapes, bodies, force, resolver, steps, gravity=(0.0, -G), schedule="", every=100, dt=2e-5, contacts=0):
    (top / "s.cfg").write_text(f"""
scene = {{ dimension = 2; dt = {dt!r}; steps = {steps}; gravity = ({gravity[0]!r}, {gravity[1]!r}); }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {"".join(f'{n} = {{ {of_shape(v)} }}; ' for n, v in shapes.items())} }};
bodies = {{ {bodies} }};
force = ( {{ {force} }} );
resolvers = ( {{ {resolver} }} );
{"schedule = ( " + schedule + " );" if schedule else ""}
observers = {{ b = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }};
    c = {{ plugin = "csv"; what = "contacts"; every_steps = {contacts or steps}; }}; }};
""")
    done = scree(top, "run", "s.cfg", "--json", "-o", name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    rows = table(top / name, "bodies")
    return json.loads(done.stdout), [row for row in rows if row["name"] == "a"], done.stderr


def table(folder, name):
    return read_numbers(folder / f"{name}.csv")


# One that a strip of 60 panels has exactly; its feet get wider downwards, for dfr2d.
FEET = "((-0.015, -0.015), (-0.006, -0.015), (-0.004, 0.005), (0.004, 0.005), (0.006, -0.015), (0.015, -0.015), " \
       "(0.014, 0.015), (-0.014, 0.015))"


def to(step, resolver):
    return f"{{ at_step = {step}; set = {{ resolvers = ( {{ {resolver} }} ); }}; }}"


CLOSEST, DFR, CYRUS = 'plugin = "closest_feature";', 'plugin = "dfr2d"; panels = 60;', 'plugin = "cyrus_beck";'


def test_swaps(top):
    """On a slope of 12 degrees that friction holds: resolvers take turns, and the springs stay as they are."""
    phi, kt = math.radians(12.0), 3e6
    down = (G * math.sin(phi), -G * math.cos(phi))
    law = f'plugin = "overlap_area"; k = {K!r}; kt = {kt!r}; friction = 0.4; damping_ratio = 0.5; damping_t = 600.0;'
    for name, vertices, area, up, feet, turns in (
            ("square", SQUARE, 4e-4, 0.01, 1, (DFR, CYRUS, CLOSEST, CYRUS)),
            ("bridge", FEET, 6.7e-4, 0.015, 2, (DFR, CLOSEST, DFR, CLOSEST))):
        weight = DENSITY * area * G
        depth = weight * math.cos(phi) / (K * 4e-4) if feet == 1 else 0.5 * weight * math.cos(phi) / (K * 1e-4)
        bodies = f'a = {{ shape = "a"; position = (0.0, {0.01 - depth if feet == 1 else 0.015 - depth!r}); }}; ' \
                 'block = { shape = "block"; position = (0.0, 0.0); motion = "fixed"; };'
        shapes = {"a": vertices, "block": BLOCK}
        schedule = ", ".join(to(20000 + 4000 * k, r) for k, r in enumerate(turns))
        data, rows, said = run(top, f"swap-{name}", shapes, bodies, law, CLOSEST, 40000, gravity=down, schedule=schedule)
        spring = weight * math.sin(phi) / (kt * feet)  # what a spring that is lost would give way by
        after = [row for row in rows if row["step"] >= 20000]
        moved = max(r["x"] for r in after) - min(r["x"] for r in after)
        lines = [line for line in said.splitlines() if "keep their history" in line]
        print(f"# {name}: {moved:.2g} m in {len(turns)} swaps, a spring has {spring:.2g} m; " + "; ".join(
            f"{s['pasts_carried']} kept, {s['pasts_dropped']} lost" for s in data["swaps"]))
        tap.check(f"{name}: all swaps are done and carry the history of each contact over", len(data["swaps"]) == len(turns) and
                  all(s["pasts_carried"] == feet and s["pasts_dropped"] == 0 for s in data["swaps"]), (data["swaps"], said))
        tap.check(f"{name}: the log counts what was carried over", len(lines) == len(turns) and
                  all(f"{feet} contacts keep their history, 0 lost" in line for line in lines), said)
        tap.check(f"{name}: it is held all along, by the springs that it had", moved < 0.1 * spring, (moved, spring))


def test_lost(top):
    """A comb on three feet, of which a strip of few panels finds others: what has no contact left is lost, and counted."""
    comb = "((-0.025, -0.01), (-0.018, -0.01), (-0.016, 0.0), (-0.007, 0.0), (-0.005, -0.01), (0.005, -0.01), (0.007, 0.0), " \
           "(0.016, 0.0), (0.018, -0.01), (0.025, -0.01), (0.024, 0.01), (-0.024, 0.01))"
    law = f'plugin = "overlap_area"; k = {K!r}; kt = 3e6; friction = 0.4; damping_ratio = 0.5; damping_t = 600.0;'
    bodies = 'a = { shape = "a"; position = (0.0, 0.0099999); }; block = { shape = "block"; position = (0.0, 0.0); motion = "fixed"; };'
    schedule = to(5000, 'plugin = "dfr2d"; panels = 2;')
    data, rows, said = run(top, "lost", {"a": comb, "block": BLOCK}, bodies, law, CLOSEST, 5001, schedule=schedule)
    swap = data["swaps"][0] if data["swaps"] else {}
    print(f"# {swap.get('pasts_carried')} kept, {swap.get('pasts_dropped')} lost, {data['contacts']} contacts at the end")
    tap.check("contacts that the new resolver does not find lose their history, and are counted",
              swap.get("pasts_dropped", 0) > 0 and swap["pasts_carried"] + swap["pasts_dropped"] == 3 and
              f"{swap['pasts_carried']} contacts keep their history, {swap['pasts_dropped']} lost" in said, (swap, said))


def test_names(top):
    """A bridge that swings on the springs of its feet, over corners of a solid floor and of an open wall: the names of its contacts change, the swing does
    not. Two springs in parallel: omega = sqrt(2 kt / m), and x = v / omega sin(omega t)."""
    kt, v = 1e4, 0.02
    mass = DENSITY * BRIDGE_AREA
    omega = math.sqrt(2.0 * kt / mass)
    law = f'plugin = "overlap_area"; form = "potential"; k = {K!r}; kt = {kt!r}; friction = 5.0; damping = "none";'
    depth = 0.5 * mass * G / (K * 1e-4)
    bodies = f'a = {{ shape = "a"; position = (0.0, {0.015 - depth!r}); velocity = ({v!r}, 0.0); }}; ' \
             'block = { shape = "block"; position = (0.0, 0.0); motion = "fixed"; };'
    found, names = {}, {}
    cut = (0.01505, 0.0051, -0.00495, -0.0149)
    for name, corners in (("plain", ()), ("cut", cut), ("wall", cut)):
        # Corners of 1e-8 rad, high enough to be there and low enough to be nothing.
        tops = ", ".join(f"({x!r}, {1e-9 * (1.0 - (x / 0.2) ** 2)!r})" for x in corners)
        block = f"((-0.2, -0.05), (0.2, -0.05), (0.2, 0.0), {tops + ', ' if tops else ''}(-0.2, 0.0))"
        if name == "wall":
            block = f'type = "segments"; vertices = ((0.2, 0.0), {tops}, (-0.2, 0.0)); segments = ((1, 0), (1, 2), (2, 3), (3, 4), (5, 4));'
        data, rows, said = run(top, f"name-{name}", {"a": BRIDGE, "block": block}, bodies, law, CLOSEST, 15000, every=20,
                               contacts=20)
        found[name] = [row["x"] for row in rows]
        seen = {}
        for row in table(top / f"name-{name}", "contacts"):
            seen.setdefault(row["step"], []).append(row["feature"])
        names[name] = sum(x != y for x, y in zip(list(seen.values()), list(seen.values())[1:]))
        times = [row["time"] for row in rows]
    size = v / omega
    apart = max(max(abs(x - y) for x, y in zip(found["plain"], found[name])) for name in ("cut", "wall")) / size
    off = max(abs(x - size * math.sin(omega * t)) for x, t in zip(found["cut"], times)) / size
    print(f"# names change {names['plain']}, {names['cut']} and, at an open wall, {names['wall']} times in {times[-1] * omega / (2.0 * math.pi):.2g} swings; apart by "
          f"{apart:.2g} of the swing, from the formula by {off:.2g}")
    tap.check("the names of pieces change as the feet swing over corners", names["plain"] == 0 and min(names["cut"], names["wall"]) >= 10, names)
    tap.check("the springs go on all the same", apart < 1e-3, apart)
    tap.check("the bridge swings as two springs make it", off < 0.1, off)


tap.in_folder(test_swaps, test_lost, test_names)
