# SPDX-License-Identifier: Apache-2.0
"""Cases of the integrators: orders, limits of stability, energy; each against a closed form or its printed table."""
import json
import math
import os
import subprocess

import swings
from swings import SCHEMES
from verify import case

CLASSICS = "harmonic oscillator; Hairer, Norsett, Wanner 1993, Solving ODEs I"


def orders(error, steps):
    errors = [error(n) for n in steps]
    return errors, [(f"{a} to {b} steps per period", math.log2(x / y) / math.log2(b / a))
                    for a, b, x, y in zip(steps, steps[1:], errors, errors[1:])]


def expect(found, order, least=False):
    return [(label, (order - 0.2, order + (2.0 if least else 0.2)), q) for label, q in found]


def define(label, group, smooth, damped):
    subject, gear = "integrator/" + label.split(",")[0], "gear" in label
    # fine enough for the order to show, coarse enough for rounding (1e-12 of an amplitude)
    grid = (40, 80, 160) if max(smooth, damped) < 4 else (60, 120, 240) if gear else (30, 60, 120)
    words = f"order {smooth} or more" if gear else f"order {smooth}"
    why = "the band is the claim: 0.2 below, and above" + (" two: places are of order `values`" if gear else "")

    @case(subject, f"{words} on an oscillator ({label})", source=CLASSICS, formula="error of place and speed ~ dt^p",
          tolerance=0.0, why=why)
    def oscillator(bench):
        return expect(orders(lambda n: swings.swing_error(bench, group, n), grid)[1], smooth, gear)

    @case(subject, f"order {damped} on a damped oscillator ({label})", source=CLASSICS, formula="zeta = 0.2; error ~ dt^p",
          tolerance=0.0, why="the band of 0.2 is the claim")
    def dashpot(bench):
        start = [4 * n for n in grid] if damped == 1 else [2 * n for n in grid] if damped == 3 else grid
        return expect(orders(lambda n: swings.swing_error(bench, group, n, zeta=0.2), start)[1], damped)

    for kind, name, by in (("spring", "a tangential spring with a memory", 1), ("conveyor", "a conveyor", 1),
                           ("shaken", "a plane that shakes sideways", 2)):
        @case(subject, f"{words} on {name} ({label})", source="closed form of two coupled oscillators", formula="error ~ dt^p",
              tolerance=0.0, why=why)
        def history(bench, kind=kind, by=by):
            start = [by * n for n in grid][:3 if by == 1 else 2]
            return expect(orders(lambda n: swings.shear_error(bench, group, n, kind), start)[1], smooth, gear)


for every, (text, _, plain, with_dashpot) in SCHEMES.items():
    if every != "velocity_verlet":
        define(every, text, plain, with_dashpot)


@case("integrator/gear", "from one evaluation it is of order 2 for good", source="the derivatives of a start enter at order 3",
      formula="fill = \"never\": error ~ dt^2, for 4, 5, 6 values", tolerance=0.0, why="the band of 0.2 is the claim")
def unfilled(bench):
    found = []
    for values in (4, 5, 6):
        group = f'plugin = "gear"; values = {values}; fill = "never";'
        seen = orders(lambda n, group=group: swings.swing_error(bench, group, n, zeta=0.2), (480, 960, 1920))[1]
        found += [(f"{values} values, {label}", band, q) for label, band, q in expect(seen, 2)]
    return found


@case("integrator/gear", "swapped in for rkn4 in mid-run it keeps order 4, and does not without its start",
      source="the derivatives are found at the swap", formula="5 values, zeta = 0.2: error ~ dt^4; fill = \"never\": dt^2", tolerance=0.0,
      why="the band of 0.2 is the claim")
def swapped(bench):
    found = []
    for fill, order, grid in (("always", 4, (60, 120, 240)), ("never", 2, (480, 960, 1920))):
        then = f'plugin = "gear"; fill = "{fill}";'
        seen = orders(lambda n, then=then: swings.swing_error(bench, 'plugin = "rkn4";', n, zeta=0.2, then=then), grid)[1]
        found += [(f"{fill}: {label}", band, q) for label, band, q in expect(seen, order)]
    return found


@case("integrator/rkn4", "energy lost per period of an undamped oscillator", source="O'Connor 1996, table 5.1",
      formula="of the matrix of one step; 0.21 % at T/10, 0.0067 % at T/20", tolerance=1e-6,
      why="rounding of places over ten periods, 1e-11 of an amplitude")
def loss(bench):
    found = []
    for n in (10, 20):
        m, y, periods = swings.rkn4(2.0 * math.pi / n, 0.0), [1.0, 0.0], 10
        for _ in range(n * periods):
            y = [sum(a * b for a, b in zip(row, y)) for row in m]
        expected = 1.0 - (y[0] ** 2 + y[1] ** 2) ** (1.0 / periods)
        _, x, v = swings.bounce(bench, 'plugin = "rkn4";', n, n * periods, every=n * periods)[-1]
        found.append((f"dt = T/{n}, ten periods: energy left", (1.0 - expected) ** periods, x * x + v * v))
        share = 1.0 - (x * x + v * v) ** (1.0 / periods)
        found.append((f"dt = T/{n}: lost per period", (0.00205, 0.00215) if n == 10 else (6.65e-5, 6.75e-5), share))
    return found


@case("integrator/forest_ruth", "energy of an oscillator does not drift, where rkn4's is lost", source="Forest, Ruth 1990; symplectic schemes",
      formula="2000 periods of ten steps: energy within the swing of one period", tolerance=0.0, why="the band is the claim")
def no_drift(bench):
    found = []
    for label, band in (("forest_ruth", (0.97, 1.03)), ("rkn4", (0.0, 0.02))):
        rows = swings.bounce(bench, f'plugin = "{label}";', 10, 20000, every=500)
        found.append((f"{label}: energy at the end over that of the start", band, rows[-1][1] ** 2 + rows[-1][2] ** 2))
    return found


LIMITS = {
    "velocity_verlet": lambda h, z: swings.verlet(h, z),
    "velocity_verlet, full_step": lambda h, z: swings.verlet(h, z, True),
    "symplectic_euler": lambda h, z: swings.verlet(h, z),
    "rkn4": swings.rkn4,
    "forest_ruth": swings.forest_ruth,
    "gear, 4 values": lambda h, z: swings.gear(4, h, z),
    "gear, 5 values": lambda h, z: swings.gear(5, h, z),
    "gear, 6 values": lambda h, z: swings.gear(6, h, z),
}
PRINTED = {("rkn4", 0.0): 2.587, ("rkn4", 0.7): 1.863, ("rkn4", 1.0): 1.332, ("velocity_verlet", 0.0): 2.0}


def define_limit(label, of_h):
    group = SCHEMES[label][0]

    @case("integrator/" + label.split(",")[0], f"stable 2 % below its largest step, not above ({label})",
          source="matrix of the scheme's published step", formula="omega dt at 0.98 and 1.02 of the limit", tolerance=0.0,
          why="the band is the claim: a swing of 1e-6 of the depth stays below 20 times that, or not; weak growth: by 1e-4 per step")
    def limits(bench):
        found = []
        for zeta in (0.0, 0.7, 1.0):
            largest = swings.limit(lambda h, zeta=zeta: of_h(h, zeta))
            if (label, zeta) in PRINTED:
                found.append((f"zeta = {zeta:g}: limit", (PRINTED[label, zeta] - 1e-3, PRINTED[label, zeta] + 1e-3), largest))
            weak = swings.growth(of_h(1.02 * largest, zeta)) < 1.01  # of 5 and 6 values, undamped
            for share in (0.98, 1.02):
                steps = 20000 if weak else 400 if zeta == 0.0 else 4000  # what decays first hides a mode that grows
                seen, gain = math.inf, math.exp(1e-4 * steps) if weak else 20.0
                try:
                    rows = swings.bounce(bench, group, 2.0 * math.pi / (share * largest), steps, zeta, 1e-6, steps // 20)
                    seen = max(math.hypot(x, v) for _, x, v in rows[-3:])
                except RuntimeError as error:
                    if "has blown up" not in str(error) and "not finite" not in str(error):
                        raise
                found.append((f"zeta = {zeta:g}, {share:g} of omega dt = {largest:.4f}: swing in the end over that of the start",
                              (0.0, gain) if share < 1.0 else (gain, math.inf), seen))
        return found


for every, how in LIMITS.items():
    define_limit(every, how)


@case("integrator/rkn4", "an asymmetric top tumbles with the order that each scheme claims", source="Euler's equations, in fine steps",
      formula="order of a free body with moments 1, 2, 3, as scree check measures it", tolerance=0.0, why="the band of 0.2 is the claim")
def top(bench):
    found = []
    for label, order in (("rkn4", 4), ("forest_ruth", 4), ("velocity_verlet", 2), ("symplectic_euler", 2), ("gear", 4)):
        file = bench.scree.parent.parent / "plugins" / "integrator" / f"{label}.so"
        done = subprocess.run([bench.scree, "check", file, "--case", "turning", "--json"], text=True, capture_output=True, check=True,
                              env=dict(os.environ, LC_ALL="C"))
        said = json.loads(done.stdout)["plugins"][0]["cases"][0]["text"]
        found.append((label, (order - 0.2, order + 0.2), float(said.split("order ")[1].split(",")[0])))
    return found
