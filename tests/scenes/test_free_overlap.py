# SPDX-License-Identifier: Apache-2.0
"""Discs and polygons that collide in the open with force/overlap_area: momentum, angular momentum, energy.

usage: test_free_overlap.py SCREE
"""
import json
import math

import tap
from runs import read_numbers, scree

SHAPES = {
    "square": "vertices = ((-0.01, -0.01), (0.01, -0.01), (0.01, 0.01), (-0.01, 0.01));",
    "seven": "sides = 7; diameter = 0.02;",
    "star": "vertices = ((-0.012, -0.01), (0.0, -0.004), (0.012, -0.01), (0.004, 0.0), (0.012, 0.01), (0.0, 0.004), "
            "(-0.012, 0.01), (-0.004, 0.0));",
}
TIME = 0.04
FREE = 'kt = 0.0; friction = 0.0; damping = "none";'


def run(top, name, kinds, integrator, force, dt, apart=None, time=TIME):
    """Bodies that fly towards each other from a ring; or two at rest, `apart` by (x, y)."""
    steps = round(time / dt)
    bodies = ""
    for k, kind in enumerate(kinds):
        angle = 2.0 * math.pi * k / len(kinds) + 0.1
        shape = 'shape = "disc"; radius = 0.01;' if kind == "disc" else f'shape = "{kind}";'
        if apart:
            bodies += f'b{k} = {{ {shape} position = ({k * apart[0]!r}, {k * apart[1]!r}); orientation = {0.2 * k!r}; }}; '
            continue
        bodies += f'b{k} = {{ {shape} position = ({0.03 * math.cos(angle)!r}, {0.03 * math.sin(angle)!r}); ' \
                  f'velocity = ({-1.2 * math.cos(angle + 0.2)!r}, {-1.2 * math.sin(angle + 0.2)!r}); ' \
                  f'orientation = {0.7 * k!r}; spin = {20.0 - 14.0 * k!r}; }}; '
    shapes = "".join(f'{n} = {{ type = "polygon"; {SHAPES[n]} }}; ' for n in sorted(set(kinds)) if n != "disc")
    (top / "s.cfg").write_text(f"""
scene = {{ dimension = 2; dt = {dt!r}; steps = {steps}; gravity = (0.0, 0.0); }};
materials = {{ stone = {{ density = 2500.0; }}; }};
shapes = {{ {shapes} }};
bodies = {{ {bodies} }};
force = ( {{ plugin = "overlap_area"; {"" if " k = " in force else "k = 1e10; "}{force} }} );
resolvers = ( {{ plugin = "closest_feature"; }}, {{ plugin = "sphere"; }} );
integrator = {{ plugin = "{integrator}"; }};
observers = {{ s = {{ plugin = "csv"; every_steps = 1; }};
    b = {{ plugin = "csv"; what = "bodies"; every_steps = {max(1, steps // 50)}; }}; }};
""")
    done = scree(top, "run", "s.cfg", "-q", "--json", "-o", name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    data = json.loads(done.stdout)
    rows = table(top / name, "bodies")
    for row in rows:  # where all are round the table has no masses
        row.setdefault("mass", 2500.0 * math.pi * 0.01 ** 2)
        row.setdefault("iz", 0.5 * row["mass"] * 0.01 ** 2)
    return data, table(top / name, "scalars"), rows


def table(folder, name):
    return read_numbers(folder / f"{name}.csv")


def sums_of(rows):
    """Momentum, and angular momentum about the origin."""
    return (sum(r["mass"] * r["vx"] for r in rows), sum(r["mass"] * r["vy"] for r in rows),
            sum(r["mass"] * (r["x"] * r["vy"] - r["y"] * r["vx"]) + r["iz"] * r["wz"] for r in rows))


def drift_of(bodies, n):
    """Largest change of momentum and of angular momentum, over the sums of their magnitudes."""
    first = bodies[:n]
    speed = sum(r["mass"] * math.hypot(r["vx"], r["vy"]) for r in first)
    spin = sum(r["mass"] * math.hypot(r["x"], r["y"]) * math.hypot(r["vx"], r["vy"]) for r in first)
    start = sums_of(first)
    worst = [0.0, 0.0]
    for k in range(0, len(bodies), n):
        now = sums_of(bodies[k:k + n])
        worst[0] = max(worst[0], math.hypot(now[0] - start[0], now[1] - start[1]) / speed)
        worst[1] = max(worst[1], abs(now[2] - start[2]) / spin)
    return worst


GROUPS = {"discs": ("disc",) * 4, "polygons": ("square", "seven", "star", "seven", "square"),
          "discs and polygons": ("disc", "seven", "disc", "star", "square")}


def test_momentum(top):
    """With friction and dashpots: forces are opposite and act at one point, whatever they are."""
    for group, kinds in GROUPS.items():
        for form in ('form = "bed";', 'form = "potential";', 'form = "matuttis"; young = 1e7;'):
            data, scalars, bodies = run(top, f"momentum-{group}-{form.split(chr(34))[1]}".replace(" ", "-"), kinds, "velocity_verlet",
                                        form + " kt = 1e5; friction = 0.4; damping_ratio = 0.2; damping_t = 20.0;", 2e-6)
            linear, angular = drift_of(bodies, len(kinds))
            lost = data["energy"]["lost"] / data["energy"]["start"]
            print(f"# {group}, {form.split(';')[0]}: momentum changes by {linear:.2g}, angular momentum by {angular:.2g}, "
                  f"{lost:.2g} of the energy is lost")
            tap.check(f"{group}: free collisions keep momentum and angular momentum to round-off ({form.split(';')[0]})",
                      linear < 1e-13 and angular < 1e-12 and lost > 0.05, (linear, angular, data["energy"]))


def test_energy(top):
    """Without friction and dashpots k A^2 / 2 is a potential: the energy is off by what the integrator is, at any moment. The
    force has kinks, where contacts begin and corners pass sides, so that no integrator has more than order 2 through them.
    The bed's energy jumps where sides come to lie along each other, by the square of how deep the overlap is."""
    for group, kinds in GROUPS.items():
        off = []
        for dt in (8e-6, 4e-6, 2e-6):
            data, rows, bodies = run(top, f"energy-{group}-{dt}".replace(" ", "-"), kinds, "velocity_verlet", FREE + ' form = "potential";', dt)
            total = [r["kinetic"] + r["stored"] for r in rows]
            stored = max(r["stored"] for r in rows) / total[0]
            off.append(max(abs(e - total[0]) for e in total) / total[0])
        fall = math.log2(off[0] / off[2]) / 2.0
        print(f"# {group}: stored up to {stored:.2g} of the energy, off by " + ", ".join(f"{x:.2g}" for x in off) +
              f": order {fall:.3g}")
        tap.check(f"{group}: through collisions the energy is off by the square of the step",
                  stored > 0.2 and fall > 1.7 and off[2] < 1e-5, (off, fall, stored))
    left = []
    for k in (1e10, 1e12):
        data, rows, bodies = run(top, f"energy-bed-{k:.0e}", GROUPS["polygons"], "velocity_verlet", FREE + f' form = "bed"; k = {k!r};',
                                 2e-6 * math.sqrt(1e10 / k))
        total = [r["kinetic"] + r["stored"] for r in rows]
        left.append(abs(total[-1] - total[0]) / total[0])
    print("# polygons on beds of 1e10 and 1e12 N/m^3: the energy is off by " + ", ".join(f"{x:.2g}" for x in left))
    tap.check("polygons on beds: collisions leave less than a thousandth of the energy", max(left) < 1e-3, left)


def test_release(top):
    """Two that overlap, let go, as long as they overlap by the same sides: without kinks the order is the integrator's."""
    pairs = {"discs": (("disc", "disc"), 0.016, 0.003), "squares": (("square", "square"), 0.016, 0.012),
             "a disc and a heptagon": (("disc", "seven"), 0.016, -0.004), "a star and a square": (("star", "square"), 0.017, 0.004)}
    for pair, (kinds, dx, dy) in pairs.items():
        for form, integrator, order in (("potential", "velocity_verlet", 2), ("potential", "forest_ruth", 4), ("bed", "forest_ruth", 4)):
            off = []
            for dt in (4e-5, 2e-5, 1e-5):
                data, rows, bodies = run(top, f"free-{pair}-{form}-{integrator}-{dt}".replace(" ", "-"), kinds, integrator,
                                         FREE + f' form = "{form}";', dt,
                                         apart=(dx, dy), time=3e-4 if form == "bed" else 6e-4)
                total = [r["kinetic"] + r["stored"] for r in rows]
                moved = rows[-1]["kinetic"] / total[0]
                off.append(max(abs(e - total[0]) for e in total) / total[0])
            fall = math.log2(off[0] / off[2]) / 2.0
            print(f"# {pair}, {form}, {integrator}: {moved:.2g} of the energy is kinetic at the end, off by " +
                  ", ".join(f"{x:.2g}" for x in off) + f": order {fall:.3g}")
            tap.check(f"{pair}, {form}, let go: the energy of {integrator} is off by order {order}", 0.02 < moved < 0.98 and
                      fall > order - 0.2, (off, fall, moved))


tap.in_folder(test_momentum, test_energy, test_release)
