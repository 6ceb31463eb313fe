# SPDX-License-Identifier: Apache-2.0
"""Cases of force/incremental_penalty: as corrected, and as the thesis prints it."""
import math

from verify import case

R, DENSITY, G, K = 5e-3, 2500.0, 9.81, 1e5
MASS = DENSITY * 4.0 / 3.0 * math.pi * R ** 3
THESIS = "O'Connor 1996, A Distributed Discrete Element Modeling Environment, MIT, sections 4.3 and 4.4"


def head_on(bench, printed, dt=5e-8):
    rows = bench.run(f"""
scene = {{ dt = {dt!r}; steps = 40000; }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
bodies = {{ a = {{ radius = {R}; position = ({-R - 5e-9!r}, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); }};
    b = {{ radius = {R}; position = ({R + 5e-9!r}, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); }}; }};
force = ( {{ plugin = "incremental_penalty"; kn = {K!r}; as_printed = "{printed}"; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 40000; }}; }};
""").csv("bodies")
    return -rows[-2]["vx"]


@case("force/incremental_penalty", "restitution of a head-on impact", source=f"{THESIS}; work of a force that grows on the way out",
      formula="signed 1; eq. 4.4 as printed sqrt(3) = 1.7321", tolerance=1e-3, why="first order in a step of 1/10000 of the impact, where it ends")
def restitution(bench):
    return [("signed", 1.0, head_on(bench, "nothing")), ("growth, as printed", math.sqrt(3.0), head_on(bench, "growth")),
            ("limit, as printed", 1.0, head_on(bench, "limit"))]


@case("force/incremental_penalty", "a block on a slope of 10 degrees with friction 0.5, after 2 s", source=THESIS,
      formula="signed 0; eq. 4.7 as printed g sin(10 deg) t = 3.407 m/s", tolerance=2e-3,
      why="signed: it swings on its tangential spring, compared with 1 m/s")
def block(bench):
    found, slope, depth = [], math.radians(10.0), MASS * G * math.cos(math.radians(10.0)) / K
    for printed, expected in (("nothing", 0.0), ("limit", G * math.sin(slope) * 2.0)):
        rows = bench.run(f"""
scene = {{ dt = 2e-5; steps = 100000; dimension = 3; gravity = ({G * math.sin(slope)!r}, 0.0, {-G * math.cos(slope)!r}); }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ block = {{ radius = {R}; position = (0.0, 0.0, {R - depth!r}); }}; floor = {{ shape = "floor"; }}; }};
force = ( {{ plugin = "incremental_penalty"; kn = {K!r}; friction = 0.5; as_printed = "{printed}"; }},
    {{ plugin = "rolling"; type = "spring"; rolling_friction = 10.0; stiffness = "given"; rolling_stiffness = 1e5; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 100000; }}; }};
""").csv("bodies")
        found.append((printed, expected, [row for row in rows if row["name"].startswith("block")][-1]["vx"]))
    return found
