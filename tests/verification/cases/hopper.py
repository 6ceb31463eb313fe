# SPDX-License-Identifier: Apache-2.0
"""Discharge of a flat-bottomed box of plastic spheres, next to a measurement."""
import csv

from tools import line_fit
from verify import case

HALF, OPENS = 0.02, 0.6  # [m] half of the depth, and of the slot; [s]
# Friction and restitution were fitted with DEM-Engine's UseFrictionalHertzianModel() and go with its rules: the limit of friction
# cuts spring and dashpot together, dashpots go by the masses of the bodies, forces act at the contact point.
SCENE = f"""scene = {{ dt = 2e-5; steps = 80000; gravity = (0.0, 0.0, -9.81);
    region = {{ min = (-0.1, -{HALF}, -0.06); max = (0.1, {HALF}, 1.0); }}; boundary = ("open", "open", "destroy"); }};
materials = {{ plastic = {{ density = 1592.0; young_modulus = 1.0e7; poisson_ratio = 0.35; }};
    floor = {{ density = 1592.0; young_modulus = 1.0e7; poisson_ratio = 0.35; }};
    face = {{ density = 1592.0; young_modulus = 1.0e7; poisson_ratio = 0.35; }}; }};
material_pairs = ( {{ between = ["plastic", "plastic"]; friction = 0.4; restitution = 0.85; rolling_friction = 0.04; }},
    {{ between = ["plastic", "floor"]; friction = 0.5; restitution = 0.5; rolling_friction = 0.05; }},
    {{ between = ["plastic", "face"]; friction = 0.3; restitution = 0.7; rolling_friction = 0.05; }},
    {{ between = ["floor", "floor"]; rolling_friction = 0.0; }}, {{ between = ["face", "face"]; rolling_friction = 0.0; }},
    {{ between = ["floor", "face"]; rolling_friction = 0.0; }} );
shapes = {{
    left = {{ type = "plane"; normal = (1.0, 0.0, 0.0); }}; right = {{ type = "plane"; normal = (-1.0, 0.0, 0.0); }};
    front = {{ type = "plane"; normal = (0.0, 1.0, 0.0); }}; back = {{ type = "plane"; normal = (0.0, -1.0, 0.0); }};
    floor = {{ type = "mesh"; vertices = ((-0.12, -0.04, 0.0), (-0.02, -0.04, 0.0), (-0.02, 0.04, 0.0), (-0.12, 0.04, 0.0),
        (-0.02, -0.04, -0.02), (-0.02, 0.04, -0.02), (0.02, -0.04, 0.0), (0.12, -0.04, 0.0), (0.12, 0.04, 0.0), (0.02, 0.04, 0.0),
        (0.02, -0.04, -0.02), (0.02, 0.04, -0.02)); facets = ((0, 1, 2, 3), (1, 4, 5, 2), (6, 7, 8, 9), (10, 6, 9, 11)); }};
    gate = {{ type = "mesh"; vertices = ((-0.021, -0.04, 0.0), (0.021, -0.04, 0.0), (0.021, 0.04, 0.0), (-0.021, 0.04, 0.0)); facets = ((0, 1, 2, 3)); }};
}};
bodies = {{
    left = {{ shape = "left"; material = "face"; position = (-0.1, 0.0, 0.0); }}; right = {{ shape = "right"; material = "face"; position = (0.1, 0.0, 0.0); }};
    front = {{ shape = "front"; material = "face"; position = (0.0, -{HALF}, 0.0); }}; back = {{ shape = "back"; material = "face"; position = (0.0, {HALF}, 0.0); }};
    floor = {{ shape = "floor"; material = "floor"; }}; gate = {{ shape = "gate"; material = "floor"; }};
}};
generate = {{ balls = {{ count = 13019; radius = 0.003; material = "plastic"; method = "lattice"; spacing = 0.00635; jitter = 0.9; velocity_random = 0.1;
    region = {{ min = (-0.1, -{HALF}, 0.0); max = (0.1, {HALF}, 1.0); }}; }}; }};
force = ( {{ plugin = "hertz_mindlin"; sliding = "total"; lever = "contact"; mass = "bodies"; }},
    {{ plugin = "rolling"; radius = "smaller"; sliding = "total"; }} );
modifiers = {{ open = {{ plugin = "release"; groups = ["gate"]; action = "remove"; at_time = {OPENS}; }}; }};
observers = {{ scalars = {{ plugin = "csv"; every_time = 0.01; }}; }};
"""


@case("bulk/hopper", "discharge rate of 13 019 plastic spheres through a slot", source="experiment of DEM-Engine's GranularFlow (data/README.md); their fitted "
      "parameters: friction 0.4, rolling 0.04 on the radius, e 0.85, E 1e7", formula="0.45 kg/s, the slope of the measured curve from 10 to 80 %", tolerance=0.12,
      why="not known are the depth of the box (0.04 m in their simulation, 0.055 m in their evaluation, which lets 1.5 times as much out), the slot to a mm and "
      "the friction of walls: by (L - 1.4 d)(B - 1.4 d)^(3/2) 1 mm of depth L counts 3 %, 1 mm of the slot B 5 %, 0.1 of friction some 3 % (bulk/beverloo), the "
      "curve's halves differ by 1 %, its first 20 % by 2 %; scree's rate is of 0.25 to 1 s after the opening, when a fifth has left at most; its parts of 0.25 s differ by 3 %. The scene has the rules of DEM-Engine's force model, with which these parameters were fitted: with scree's "
      "own (sliding = each, mass = point) the rate is 12.6 % above the measured one. 0.12: 3 mm of depth, 1 mm of the slot, friction and curve in quadrature", slow=True)
def hopper(bench):
    rows = bench.run(SCENE).csv()
    whole = rows[0]["mass"]
    flow = [(row["time"], whole - row["mass"]) for row in rows if row["time"] >= OPENS + 0.25]
    rate = line_fit([t for t, _ in flow], [m for _, m in flow])[0]
    with open(bench.data("hopper-plastic-spheres.csv"), newline="", encoding="utf-8") as file:
        seen = [(float(row["time_s"]), float(row["discharged_mass_percent"])) for row in csv.DictReader(file)]
    steady = [(t, m) for t, m in seen if 10.0 <= m <= 80.0]
    measured = line_fit([t for t, _ in steady], [m for _, m in steady])[0] * 2.344e-2
    ours = [(row["time"] - OPENS, 100.0 * (1.0 - row["mass"] / whole)) for row in rows if row["time"] >= OPENS]
    lag = 0.1  # beads fall 0.06 m to the end of the region
    bench.figure("hopper", xlabel="time [s]", ylabel="discharged mass [%]", lines=[("scree", [t - lag for t, _ in ours], [m for _, m in ours])],
                 points=[("experiment, plastic spheres", *zip(*seen))])
    return [("rate [kg/s]", measured, rate), ("mass of the balls [kg]", 2.344, whole)]
