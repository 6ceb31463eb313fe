# SPDX-License-Identifier: Apache-2.0
"""Cases of force/linear: head-on impacts of the linear spring and dashpot."""
import math

from verify import case

RADIUS, DENSITY, KN = 5e-3, 2500.0, 1e5
MASS = DENSITY * 4.0 / 3.0 * math.pi * RADIUS ** 3


def head_on(bench, e, dt, steps, every=1, kn=KN):
    """Two equal balls meet at 1 m/s each, 1 um before touch."""
    return bench.run(f"""
scene = {{ dt = {dt!r}; steps = {steps}; }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
bodies = {{ a = {{ radius = {RADIUS}; position = (-{RADIUS + 5e-7!r}, 0.0, 0.0); velocity = (1.0, 0.0, 0.0); }};
    b = {{ radius = {RADIUS}; position = ({RADIUS + 5e-7!r}, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); }}; }};
force = ( {{ plugin = "linear"; kn = {kn!r}; restitution = {e!r}; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {every}; }}; }};
""").csv("bodies")


@case("force/linear", "restitution of a head-on impact",
      source="harmonic oscillator with dashpot; Cundall, Strack 1979, Geotechnique 29, 47", formula="e = input",
      tolerance=1e-4, why="step of 1/700 of the contact: errors of second order in the step, and the end of the contact is met within a step")
def restitution(bench):
    found = []
    for e in (0.1, 0.3, 0.5, 0.8, 1.0):
        rows = head_on(bench, e, 5e-8, 10000, every=10000)
        found.append((f"e = {e}", e, -rows[-2]["vx"]))
    return found
