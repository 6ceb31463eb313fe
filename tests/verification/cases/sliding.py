# SPDX-License-Identifier: Apache-2.0
"""Cases of linear and hertz_mindlin: balls that slide, by each rule of sliding."""
import math
import pathlib
import sys

from tools import ball, ball_mass, of, plane, scene
from verify import case

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/bench/peers"))  # last: it has a triaxial.py, too
import impact  # noqa: E402

RADIUS, DENSITY, SPEED, MU, G = 5e-3, 2500.0, 1.0, 0.3, 9.81
MASS = ball_mass(RADIUS, DENSITY)
ROLLS = 2.0 * SPEED / (7.0 * MU * G)  # [s] when slipping ends
DASHPOT = "friction acts on the radius less half of the overlap, 1e-5 of it, and the spring takes its share"
LAWS = {"linear": "kn = 1e5; restitution = 0.6;",
        "hertz_mindlin": "young_modulus = 1e8; poisson_ratio = 0.3; restitution = 0.6;"}
RULES = ("total", "each", "spring")


def depth_of(law):
    """[m] Overlap with the floor at rest."""
    stiff = 1e5 if law == "linear" else 4.0 / 3.0 * 1e8 / (2.0 * (1.0 - 0.09)) * math.sqrt(RADIUS)
    return MASS * G / stiff if law == "linear" else (MASS * G / stiff) ** (2.0 / 3.0)


def thrown(bench, law, rule, seconds):
    """A ball laid on a floor at rest, with the overlap of its weight, and thrown along it."""
    depth, dt = depth_of(law), 2e-6
    text = scene(dt, ball("a", RADIUS, (0, 0, RADIUS - depth), (SPEED, 0, 0)) + 'floor = { shape = "floor"; };',
                 f'{{ plugin = "{law}"; {LAWS[law]} friction = {MU}; sliding = "{rule}"; }}', gravity=(0, 0, -G),
                 density=DENSITY, shapes=plane("floor", (0, 0, 1)), every=round(seconds / dt), steps=round(seconds / dt))
    return bench.run(text)


for name in LAWS:
    @case(f"force/{name}", "slip, then roll: a ball thrown along a floor", source="Coulomb friction, momentum and spin",
          formula="5/7 of the speed at the start, from 2 v / (7 mu g) on", tolerance=2e-4, why=DASHPOT)
    def slip_then_roll(bench, law=name):
        return [(f"v [m/s], {rule}", 5.0 / 7.0 * SPEED,
                 of(thrown(bench, law, rule, 1.2 * ROLLS).csv("bodies"), "a")[-1]["vx"]) for rule in RULES]

    @case(f"force/{name}", "heat of sliding: friction times load times the way slid", source="Coulomb friction",
          formula="lost + change of stored = mu m g s, s = v t - 7/4 mu g t^2",
          tolerance=5e-3, why="the spring is drawn as sliding begins, and with `spring` the dashpot acts until then")
    def sliding_heat(bench, law=name):
        t = 0.6 * ROLLS
        heat = MU * MASS * G * (SPEED * t - 1.75 * MU * G * t * t)
        found = []
        for rule in RULES:
            run = thrown(bench, law, rule, t)
            energy, z = run.json["energy"], RADIUS - depth_of(law)
            stored = energy["start"] - 0.5 * MASS * SPEED ** 2 - MASS * G * z  # `total` draws the spring at once
            found.append((f"heat [J], {rule}", heat, energy["lost"] + energy["stored"] - stored))
        return found


@case("force/linear", "spins after oblique impacts at e = 0.5: those of LAMMPS and LIGGGHTS",
      source="LAMMPS 29 Sep 2021, gran/hooke/history and gran/hooke; LIGGGHTS-PUBLIC 3.8, hooke: tests/bench/results/impact.tsv",
      formula='sliding = "total" and lever = "radius"; spring = "none"; sliding = "spring"', tolerance=1e-6,
      why="the same equations; 5000 steps of the two codes add roundings and the last step of a contact")
def peers(bench):
    found, lines = [], (ROOT / "tests/bench/results/impact.tsv").read_text(encoding="utf-8").splitlines()
    kept = impact.read_results(lines)
    for name in ("hooke/history kt 2/7 mu 0.4", "hooke gt 2", "liggghts hooke"):
        spins = impact.scree(bench.scree, impact.cases()[name])
        found += [(f"{name}, {angle} degrees", kept[name][0.5, angle][0], spins[0.5, angle]) for angle in (45, 60, 75)]
    return found
