# SPDX-License-Identifier: Apache-2.0
"""Cases of force/van_der_waals: the pull by the gap, and impacts with it."""
import math

from jkr import impact, led, reduced, repulsion
from verify import case

HAMAKER, LEAST, RADIUS = 1e-19, 1e-9, 1e-5
LAW = f'{{ plugin = "van_der_waals"; hamaker = {HAMAKER!r}; min_gap = {LEAST!r}; cutoff = 0.003; }}'
SOURCE = "Hamaker 1937, Physica 4, 1058; Derjaguin's approximation"


def pull(r, gap):
    end, h = 0.003 * r, max(gap, LEAST)
    return HAMAKER * r / 6.0 * (1.0 / h ** 2 - 1.0 / end ** 2) if gap < end else 0.0


def well(r, gap):
    """Energy gained from afar to the gap, by Simpson's rule in log h and a constant pull below the smallest gap."""
    end, h, n = 0.003 * r, max(gap, LEAST), 2000
    step = math.log(end / h) / n
    total = sum((1 if k in (0, n) else 4 if k % 2 else 2) * pull(r, h * math.exp(k * step)) * h * math.exp(k * step)
                for k in range(n + 1)) * step / 3.0
    return total + pull(r, gap) * (h - min(gap, h))


@case("force/van_der_waals", "force by gap", source=SOURCE,
      formula="A R/6 (1/h^2 - 1/c^2), h = max(gap, min_gap), c = cutoff R, R = 1/(1/r_a + 1/r_b)", tolerance=1e-8,
      why="share of the largest force; gaps are differences of places, with an error of 1e-15 of 1e-5 m, against 1e-9 m")
def force(bench):
    found = []
    for label, other in (("wall", None), ("equal balls", RADIUS), ("balls 1 : 3", 3.0 * RADIUS)):
        r = reduced(other)
        rows = led(bench, 2e-9, other, n=10000, force=LAW)
        off = max(abs(-repulsion(row) - pull(r, -row["depth"])) for row in rows)
        found += [(f"{label}: largest difference / force at touch", 0.0, off / pull(r, 0.0)),
                  (f"{label}: largest gap with a force / cut-off", (0.99, 1.0),
                   max(-row["depth"] for row in rows if repulsion(row) != 0.0) / (0.003 * r))]
        if other is None:
            near = [row for row in rows if row["depth"] < 0.0][::4]
            gaps = [LEAST * 0.3 * 1.1 ** k for k in range(50)]
            bench.figure("van-der-waals-force", xlabel="gap [nm]", ylabel="pull [N]", log="xy",
                         lines=[("A R/6 (1/h^2 - 1/c^2)", [1e9 * g for g in gaps if pull(r, g) > 0.0], [pull(r, g) for g in gaps if pull(r, g) > 0.0])],
                         points=[("scree", [-1e9 * row["depth"] for row in near if repulsion(row) < 0.0],
                                  [-repulsion(row) for row in near if repulsion(row) < 0.0])])
    return found


@case("force/van_der_waals", "an impact gains the well and gives it back", source=SOURCE,
      formula="stored at touch = -integral of the pull, speed after = before", tolerance=2e-3,
      why="the pull falls within 1e-9 m: a step of 1e-10 s at 0.3 m/s is 3 % of that")
def conservative(bench):
    force = '{ plugin = "hertz_mindlin"; %s; }, ' + LAW
    run = impact(bench, 0.3, 1e-10, force=force, start=5e-8, duration=4e-6)
    energy = run.json["energy"]
    slow = led(bench, 2e-9, None, n=20000, force=LAW, what="scalars")
    least = min(slow, key=lambda row: row["stored"])
    return [("speed after / before", 1.0, run.csv("bodies")[-2]["vz"] / 0.3),
            ("lost / energy", 0.0, energy["lost"] / energy["start"]),
            ("stored 2 nm deep", -well(RADIUS, -2e-9), least["stored"])]


@case("force/van_der_waals", "the residual falls with the step", slow=True, source="energy account of the run",
      formula="kinetic + stored + lost - start = 0", tolerance=0.0, why="of second order in the step: a quarter of it leaves a sixteenth")
def residual(bench):
    force = '{ plugin = "hertz_mindlin"; %s; }, ' + LAW
    worst = []
    for dt in (4e-10, 1e-10):
        rows = impact(bench, 0.3, dt, force=force, start=5e-8, duration=4e-6, every=1).csv("scalars")
        worst.append(max(abs(row["residual"]) for row in rows) / rows[0]["kinetic"])
    return [("largest residual / energy at 4e-10 s", (0.0, 0.02), worst[0]), ("at 1e-10 s / that", (0.0, 0.3), worst[1] / worst[0])]
