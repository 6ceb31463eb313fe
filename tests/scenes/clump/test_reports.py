# SPDX-License-Identifier: Apache-2.0
"""Warnings and forecasts of scenes whose bodies are two balls fixed together.

usage: test_reports.py SCREE PLUGINS
"""
import csv
import json
import math
import pathlib
import re
import sys

import runs
import tap

SCREE, PLUGINS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
R1, R2, APART, DENSITY, KN = 0.01, 0.004, 0.02, 2500.0, 1.0e4


def ball_mass(r):
    return DENSITY * 4.0 / 3.0 * math.pi * r ** 3


MASS = ball_mass(R1) + ball_mass(R2)


def scree(top, command, *args):
    return runs.scree(top, command, *args, "--plugin-path", PLUGINS)


def write(top, bodies, dt=1e-6, steps=1000, law="restitution = 1.0; kt = 0.0;", more=""):
    (top / "s.cfg").write_text(
        f"scene = {{ dt = {dt!r}; steps = {steps}; dt_limit = 100.0; }};\n"
        f"materials = {{ m = {{ density = {DENSITY!r}; young_modulus = 1e6; poisson_ratio = 0.25; }}; }};\n{more}\n"
        f"shapes = {{ bell = {{ type = \"dumbbell\"; radius = {R1!r}; other = {R2!r}; distance = {APART!r}; }};\n"
        ' floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
        f"force = ( {{ plugin = \"linear\"; kn = {KN!r}; {law} }} );\nbodies = {{ {bodies} }};\n")


def run(top, *args):
    return scree(top, "run", "s.cfg", "-q", "--json", *args)


def test_crossing(top):
    """Thrown along: 1.2 of the radius of the smaller ball in a step is half of that of the larger one."""
    for share, name in ((1.2, "is warned of"), (0.9, "is not")):
        write(top, f'a = {{ shape = "bell"; position = (0.0, 0.0, 1.0); velocity = ({share * R2 / 1e-4!r}, 0.0, 0.0); }};', dt=1e-4,
              steps=50)
        seen = run(top)
        warning = json.loads(seen.stdout)["warnings"]["crossing"]
        tap.check(f"a clump that crosses {share} of its smallest ball {name}", (warning["count"] > 0) == (share > 1.0)
                  and ("(a) crosses the radius of its smallest ball in one step" in seen.stderr) == (share > 1.0)
                  and (share < 1.0 or math.isclose(warning["worst"], share, rel_tol=1e-6)), (warning, seen.stderr))
    write(top, f'a = {{ shape = "bell"; position = (0.0, 0.0, 1.0); velocity = ({1.2 * R2 / 1e-4!r}, 0.0, 0.0); }};', dt=1e-4, steps=50)
    table = scree(top, "run", "s.cfg", "-q").stdout
    tap.check("the table names its smallest ball", "a body crosses the radius of its smallest ball in a step" in table
              and "at most 1.2 of the radius" in table, table)


def test_overlap(top):
    """The smaller ball falls on the floor along the axis of the body: depth v sqrt(m / kn)."""
    for share, name in ((0.06, "is warned of"), (0.045, "is not")):
        speed = share * R2 / math.sqrt(MASS / KN)
        write(top, f'a = {{ shape = "bell"; position = (0.0, 0.0, {R2 + APART + 1e-9!r}); velocity = (0.0, 0.0, {-speed!r}); '
              'orientation = { axis = (0.0, 1.0, 0.0); angle = "90 deg"; }; }; floor = { shape = "floor"; };', dt=1e-5, steps=1000)
        seen = run(top)
        warning = json.loads(seen.stdout)["warnings"]["overlap"]
        tap.check(f"an overlap of {share} of the ball that touches {name}", (warning["count"] > 0) == (share > 0.05)
                  and ("% of the radius of the smaller ball at step" in seen.stderr) == (share > 0.05)
                  and (share < 0.05 or math.isclose(warning["worst"], share, rel_tol=1e-3)), (warning, seen.stderr))
    write(top, f'a = {{ shape = "bell"; position = (0.0, 0.0, {APART + R2 - 1e-4!r}); orientation = {{ axis = (0.0, 1.0, 0.0); '
          'angle = "90 deg"; }; }; floor = { shape = "floor"; };', steps=1)
    seen = run(top)
    tap.check("so is one at the start", "(2.5 % of the radius of the smaller ball)" in seen.stderr, seen.stderr)


def validate(top):
    return scree(top, "validate", "s.cfg").stdout


def test_forecast(top):
    """A dumbbell whose balls touch one another on the floor; then in a cell as long as it is."""
    lies = f'a = {{ shape = "bell"; position = (0.0, 0.0, {R1!r}); }}; floor = {{ shape = "floor"; }};'
    write(top, lies, law="kt = 1.0e4; restitution = 1.0;")
    text = (top / "s.cfg").read_text().replace(f"other = {R2!r}", f"other = {R1!r}")
    (top / "s.cfg").write_text(text)
    told = validate(top)
    m, along = 2.0 * ball_mass(R1), 0.8 * ball_mass(R1) * R1 ** 2
    across = along + m * R1 ** 2
    # two springs k at (+-r, -r) each way: swaying along x with rocking about y, across x with rolling about x, turning about z
    a, b, c = 2 * KN / m, 2 * KN * 2 * R1 ** 2 / across, 2 * KN * R1 / math.sqrt(m * across)
    sway = 0.5 * (a + b) + math.hypot(0.5 * (a - b), c)
    roll = 2 * KN / m + 2 * KN * R1 ** 2 / along
    want = 2.0 / math.sqrt(max(sway, roll))
    seen = re.search(r"^packing +(\S+) s, set by body 1 \(smallest ball of radius 0.01 m\) with room for 2 contacts,", told, re.M)
    tap.check("validate counts the two balls of a clump on a plane, each at its worst place: a bound", seen
              and 0.5 * want < float(seen.group(1)) <= want, (want, told))
    near = f'region = {{ min = (-0.01, -1.0, 0.0); max = ({4.0 * R1 - 0.01 - 1e-6!r}, 1.0, 1.0); }}; '
    (top / "s.cfg").write_text(text.replace("dt_limit", near + 'boundary = ("periodic", "open", "open"); dt_limit'))
    told_near = validate(top)
    tap.check("in a cell as long as it is there is room for more: its own images",
              re.search(r"^packing .* with room for 1[12] contacts,", told_near, re.M), told_near)
    tap.check("and counts clumps and their balls", "clumps     1, their balls of radius 0.01 m to 0.01 m" in told, told)


def fall(top, law, more="", words=()):
    """Speed of a dumbbell that falls along its axis, after 10 s."""
    write(top, 'a = { shape = "bell"; position = (0.0, 0.0, 0.0); spin = (1.0, 2.0, 3.0); };', dt=1e-3, steps=10000,
          more=f'modifiers = {{ oil = {{ plugin = "drag"; law = "{law}"; density = 900.0; buoyancy = true; {more} }}; }};')
    text = (top / "s.cfg").read_text().replace("dt_limit", "gravity = (0.0, 0.0, -9.81); dt_limit")
    (top / "s.cfg").write_text(text)
    seen = run(top, *words)
    return -json.loads(seen.stdout)["momentum"][2] / MASS, seen


def test_places(top):
    """Clumps among their likes: twelve contacts, spread over the surfaces of their balls. Twice twelve springs turn them by
    the mean square of their arms, or shift them."""
    pair = [((x, 0.0, 0.0), 1.0) for x in (-0.6, 0.6)]
    jack = [((0.0, 0.0, 0.0), 1.0)] + [(tuple(1.3 * s * (k == axis) for k in range(3)), 0.6) for axis in range(3) for s in (1, -1)]
    for name, balls in (("pair", pair), ("jack", jack)):
        bodies = "".join(f'b{k} = {{ shape = "c"; position = ({9.0 * (k % 8)!r}, {9.0 * (k // 8)!r}, 0.0); }};' for k in range(64))
        rows = ", ".join(f"({', '.join(map(repr, (*x, r)))})" for x, r in balls)
        (top / "s.cfg").write_text(
            f"materials = {{ m = {{ density = {DENSITY!r}; }}; }};\nshapes = {{ c = {{ type = \"clump\"; balls = ({rows}); }}; }};\n"
            f'force = ( {{ plugin = "linear"; kn = {KN!r}; kt = {KN!r}; restitution = 1.0; }} );\nbodies = {{ {bodies} }};\n')
        told = validate(top)
        volume = float(re.search(r"volume (\S+) m", told).group(1))
        gyration = [float(x) for x in re.search(r"gyration (\S+), (\S+), (\S+) m", told).groups()]
        surface = sum(r * r for _, r in balls)
        square = [sum(r * r * (x[k] ** 2 + r * r / 3.0) for x, r in balls) / surface for k in range(3)]
        turn = max((square[k - 1] + square[k - 2]) / gyration[k] ** 2 for k in range(3))
        want = 2.0 / math.sqrt(24.0 * KN / (DENSITY * volume) * max(1.0, turn))
        seen = re.search(r"^packing +(\S+) s, .* with room for 12 contacts,", told, re.M)
        tap.check(f"a {name} has twelve contacts, spread over its balls", seen
                  and math.isclose(float(seen.group(1)), want, rel_tol=1e-4), (want, told))


def test_drag(top):
    """Terminal velocities of the sphere of equal volume."""
    r = (R1 ** 3 + R2 ** 3) ** (1.0 / 3.0)
    weight = (1.0 - 900.0 / DENSITY) * MASS * 9.81
    speed, seen = fall(top, "stokes", "viscosity = 50.0;")
    want = weight / (6.0 * math.pi * 50.0 * r)
    tap.check("a clump sinks in a thick fluid as the sphere of equal volume does", math.isclose(speed, want, rel_tol=1e-9), (speed, want, seen.stderr))
    speed, seen = fall(top, "schiller_naumann", "viscosity = 1.0;")
    re_ = 2.0 * r * 900.0 * speed
    drag = 6.0 * math.pi * r * speed * (1.0 + 0.15 * re_ ** 0.687)
    tap.check("with the drag of Schiller and Naumann weight and drag are in balance", 1.0 < re_ < 1000.0
              and math.isclose(drag, weight, rel_tol=1e-9), (speed, re_, drag, weight))


def test_frame(top):
    """Free flight, seen from a frame that turns: after a turn, with the spin against it."""
    omega, spin = 2.0 * math.pi, (3.0, 5.0, -2.0)
    found = {}
    for rate, steps in ((0.0, 4000), (omega, 4000), (omega, 8000)):
        write(top, f'a = {{ shape = "bell"; position = (0.0, 0.0, 0.0); spin = ({spin[0]!r}, {spin[1]!r}, {spin[2] - rate!r}); }};',
              dt=1.0 / steps, steps=steps, more=f'modifiers = {{ turn = {{ plugin = "gravity"; rate = {rate!r}; axis = (0.0, 0.0, 1.0); '
              f'point = ({APART * ball_mass(R2) / MASS!r}, 0.0, 0.0); }}; }};\nobservers = {{ out = {{ plugin = "csv"; what = "bodies"; '
              f'every_steps = {steps}; }}; }};')
        run(top, "-o", f"out-{rate}-{steps}")
        with (top / f"out-{rate}-{steps}" / "bodies.csv").open() as file:
            row = list(csv.DictReader(file))[-1]
        found[rate, steps] = [float(row[k]) + rate * (k == "wz") for k in ("wx", "wy", "wz")]
    still = found[0.0, 4000]
    off = [max(abs(a - b) for a, b in zip(still, found[omega, steps])) for steps in (4000, 8000)]
    tap.check("a clump's spin is the same from a frame that turns, to first order in dt", off[0] < 0.03 and 1.8 < off[0] / off[1] < 2.2
              and max(abs(a - b) for a, b in zip(still, spin)) > 0.3, (found, off))


if __name__ == "__main__":
    tap.in_folders(test_crossing, test_overlap, test_forecast, test_places, test_drag, test_frame)
