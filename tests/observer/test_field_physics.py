# SPDX-License-Identifier: Apache-2.0
"""Observer `field` against closed forms: a bed at rest, plug flow, a gas, the balance of momentum, and with `slow` a silo.

usage: test_field_physics.py SCREE quick|slow
"""
import math
import pathlib
import sys

from common import table, tap  # noqa: E402

from runs import read_numbers, scree  # noqa: E402
SCREE, KIND = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
GRAVITY, SIDE, DENSITY = 9.81, 0.012, 2500.0
BED = """scene = {{ dt = "auto"; dt_fraction = 0.4; steps = {steps}; gravity = (0.0, 0.0, -9.81); seed = 3;
    region = {{ min = (0.0, 0.0, -0.01); max = ({side}, {side}, 0.2); }}; boundary = ({across}, {across}, "open"); }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; left = {{ type = "plane"; normal = (1.0, 0.0, 0.0); }};
    right = {{ type = "plane"; normal = (-1.0, 0.0, 0.0); }}; front = {{ type = "plane"; normal = (0.0, 1.0, 0.0); }};
    back = {{ type = "plane"; normal = (0.0, -1.0, 0.0); }}; }};
bodies = {{ floor = {{ shape = "floor"; motion = "kinematic"; velocity = (0.0, 0.0, {speed}); }}; {walls} }};
generate = {{ beads = {{ plugin = "random"; count = {count}; material = "glass"; velocity = (0.0, 0.0, -0.5);
    distribution = {{ type = "uniform"; min = "0.8 mm"; max = "1.2 mm"; }};
    region = {{ min = (0.0, 0.0, 0.0); max = ({side}, {side}, {height}); }}; }}; }};
force = ( {{ plugin = "linear"; kn = 3.0e3; restitution = 0.3; friction = 0.5; }} );
observers = {{ {observers} }};
"""
WALLS = (f'left = {{ shape = "left"; }}; right = {{ shape = "right"; position = ({SIDE}, 0.0, 0.0); }}; '
         f'front = {{ shape = "front"; }}; back = {{ shape = "back"; position = (0.0, {SIDE}, 0.0); }};')


def run(top, name, text, *args):
    (top / f"{name}.cfg").write_text(text, encoding="utf-8")
    result = scree(None, "run", top / f"{name}.cfg", "-q", "-o", top / name, *args)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return top / name


def last_window(path):
    rows = read_numbers(path)
    return [row for row in rows if row["window"] == rows[-1]["window"]]


def total(rows, key):
    return math.fsum(row[key] * row["volume"] for row in rows)


def slope(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def check_bed(top):
    """At rest each body is in balance, so the stress of a slab is the weight of the centres above, averaged over it."""
    cells = f'plugin = "field"; min = (0.0, 0.0, -0.002); max = ({SIDE}, {SIDE}, 0.028); cells = (1, 1, 15);'
    folder = run(top, "bed", BED.format(steps=60000, side=SIDE, across='"periodic"', speed=0.0, walls="", count=400, height=0.06,
                                        observers=f'cells = {{ {cells} file = "cells"; every_steps = 60000; window = 1e-9; }};'
                                        ' b = { plugin = "csv"; what = "bodies"; every_steps = 60000; };'
                                        ' k = { plugin = "csv"; what = "contacts"; every_steps = 60000; };'))
    rows, bodies = last_window(folder / "cells.csv"), table(folder / "bodies.csv")[60000]
    beads = [(row["z"], DENSITY * 4.0 / 3.0 * math.pi * row["radius"] ** 3) for row in bodies if row["name"] == "beads"]
    area, weight = SIDE ** 2, GRAVITY * sum(m for _, m in beads)
    base = math.fsum(c["fz"] for c in table(folder / "contacts.csv")[60000] if c["b"] == bodies[-1]["id"])
    seen = total(rows, "boundary_force_z")
    tap.check("bed: the force of the base is that of its contacts to round-off", abs(seen / base - 1.0) < 1e-13, seen / base - 1.0)
    tap.check("bed: it carries the weight to 1e-3, as far as the bed is at rest", abs(seen / weight - 1.0) < 1e-3, seen / weight - 1.0)
    off, size = [], 0.002
    for row in rows:
        low = row["z"] - 0.5 * size
        above = sum(m * min(max((z - low) / size, 0.0), 1.0) for z, m in beads)
        if row["k"] > 0:  # the base is in the first one
            off.append(abs(row["contact_stress_zz"] - GRAVITY * above / area) / (weight / area))
    tap.check("bed: vertical stress is the weight above, cell by cell, to 1e-3 of that of the bed", max(off) < 1e-3, off)
    deep = [row for row in rows if 0.003 < row["z"] < 0.016]
    rho = sum(row["density"] for row in deep) / len(deep)
    down = slope([row["z"] for row in deep], [row["contact_stress_zz"] for row in deep])
    tap.check("bed: it grows with depth as rho g, to 2 %", abs(-down / (rho * GRAVITY) - 1.0) < 0.02, -down / (rho * GRAVITY))
    tap.check("bed: nothing moves: the kinetic stress is below 1e-4 of the weight", max(
        row["kinetic_stress_zz"] for row in deep) < 1e-4 * weight / area, [row["temperature"] for row in deep])


def check_plug(top):
    """All balls have one velocity."""
    text = """scene = { dt = 1e-5; steps = 200; boundary = "periodic"; region = { min = (0.0, 0.0, 0.0); max = (0.02, 0.02, 0.02); }; };
materials = { m = { density = 2500.0; }; };
generate = { balls = { count = 300; radius = "1 mm"; velocity = (0.3, -0.7, 1.1); }; };
force = ( { plugin = "linear"; kn = 1e3; } );
observers = { cells = { plugin = "field"; file = "cells"; min = (0.0, 0.0, 0.0); max = (0.02, 0.02, 0.02); cells = (4, 4, 4); every_steps = 20; };
    points = { plugin = "field"; file = "points"; kind = "points"; width = "2 mm"; min = (0.0, 0.0, 0.0);
        max = (0.02, 0.02, 0.02); cells = (4, 4, 4); every_steps = 20; }; };
"""
    folder = run(top, "plug", text)
    speed2 = 0.3 ** 2 + 0.7 ** 2 + 1.1 ** 2
    for name in ("cells", "points"):
        rows = last_window(folder / f"{name}.csv")
        off = max(abs(row[f"velocity_{k}"] - v) for row in rows for k, v in zip("xyz", (0.3, -0.7, 1.1)))
        heat = max(abs(row["temperature"]) for row in rows)
        tap.check(f"plug flow, {name}: the velocity is uniform and the temperature none, to round-off",
                  len(rows) == 64 and off < 1e-14 and heat < 1e-28 * speed2, (off, heat))


def check_gas(top):
    """An elastic gas: kinetic stress is density times temperature, the same in all directions; contacts add
    4 s g of it, g = (1 - s/2)/(1 - s)^3 (Carnahan, Starling 1969)."""
    r, n, solid = 1e-3, 1728, 0.1
    d = 2.0 * r
    side = (n * math.pi / 6.0 * d ** 3 / solid) ** (1.0 / 3.0)
    g0 = (1.0 - 0.5 * solid) / (1.0 - solid) ** 3
    contact = 1.0 / (4.0 * math.sqrt(math.pi) * n / side ** 3 * d * d * g0) / 100.0
    mass = DENSITY * 4.0 / 3.0 * math.pi * r ** 3
    kn = 0.5 * mass * (math.pi / contact) ** 2
    steps = 12000
    text = f"""scene = {{ dt = {contact / 20.0!r}; steps = {steps}; boundary = "periodic"; seed = 5;
    region = {{ min = (0.0, 0.0, 0.0); max = ({side!r}, {side!r}, {side!r}); }}; }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
generate = {{ balls = {{ count = {n}; radius = {r}; velocity_random = 1.0; }}; }};
force = ( {{ plugin = "linear"; kn = {kn!r}; }} );
observers = {{ one = {{ plugin = "field"; file = "one"; min = (0.0, 0.0, 0.0); max = ({side!r}, {side!r}, {side!r}); cells = (1, 1, 1);
        every_steps = 10; window = {steps // 2 * contact / 20.0!r}; block = 60; vtk = false; }};
    s = {{ plugin = "csv"; every_steps = {steps}; }}; }};
"""
    folder = run(top, "gas", text)
    row = last_window(folder / "one.csv")[0]
    end = table(folder / "scalars.csv")[steps][0]
    drift = sum(end[p] ** 2 for p in ("px", "py", "pz")) / end["mass"]
    heat = (2.0 * (end["kinetic"] + end["stored"]) - drift) / end["mass"] / 3.0
    trace = sum(row[f"kinetic_stress_{a}{a}"] for a in "xyz")
    tap.check("gas: the trace of the kinetic stress is 3 rho T to round-off",
              abs(trace / (3.0 * row["density"] * row["temperature"]) - 1.0) < 1e-13, trace)
    tap.check("gas: T is that of the energy of the run, to the 2 % that contacts store",
              0.0 < 1.0 - row["temperature"] / heat < 0.02, row["temperature"] / heat)
    normal = [row[f"kinetic_stress_{a}{a}"] / (row["density"] * row["temperature"]) for a in "xyz"]
    shear = [row[f"kinetic_stress_{a}"] / (row["density"] * row["temperature"]) for a in ("xy", "xz", "yz")]
    tap.check("gas: it is the same in all directions, to 5 %", max(abs(x - 1.0) for x in normal) < 0.05 and
              max(abs(x) for x in shear) < 0.05, (normal, shear))
    contacts = sum(row[f"contact_stress_{a}{a}"] for a in "xyz") / trace
    error = math.sqrt(sum(row[f"contact_stress_{a}{a}_error"] ** 2 for a in "xyz")) / trace
    want = 4.0 * solid * g0
    tap.check("gas: the contact stress is that of Carnahan and Starling, to 4 %", abs(contacts / want - 1.0) < 0.04,
              (contacts, error, want))
    tap.check("gas: the standard error is of the size of what is left", error < 0.04 * want, error)


PLACES = ((0.0, 0.0, 0.0025), (0.004, 0.001, 0.003), (-0.003, 0.004, 0.006))  # next to the floor, at the flank, inside


def momentum_rate(rows, step, tau):
    """Both sides of the balance of momentum at a place, from frames tau apart in time and points `step` apart:
    d(rho V)/dt + div(rho V V) = -div(contact + kinetic stress) + rho g + boundary force."""
    def flux(row, a, b):  # rho V V + kinetic stress
        return row[f"momentum_{a}"] * row[f"velocity_{b}"] + row[f"kinetic_stress_{min(a, b)}{max(a, b)}"]

    before, now, after = rows
    middle, left, right = now[13], [], []
    for a in "xyz":
        rate, div = (after[13][f"momentum_{a}"] - before[13][f"momentum_{a}"]) / (2.0 * tau), [0.0, 0.0]
        for b, stride in (("x", 1), ("y", 3), ("z", 9)):
            ends = now[13 + stride], now[13 - stride]
            div[0] += (flux(ends[0], a, b) - flux(ends[1], a, b)) / (2.0 * step)
            div[1] += (ends[0][f"contact_stress_{a}{b}"] - ends[1][f"contact_stress_{a}{b}"]) / (2.0 * step)
        left.append(rate)
        right.append(-div[0] - div[1] - (GRAVITY * middle["density"] if a == "z" else 0.0) + middle[f"boundary_force_{a}"])
    return left, right


def check_balance(top):
    """A heap that is dropped and spreads. Three frames give the rate of the momentum; the error of all differences
    falls with the square of their steps, which are halved together. Without dashpots: their force jumps when a contact
    begins, and a force that jumps has no rate of second order."""
    dt, spacings = 1e-6, (8e-4, 4e-4, 2e-4)
    observers = ""
    for p, place in enumerate(PLACES):
        for n, h in enumerate(spacings):
            low, high = (tuple(x + s * 1.5 * h for x in place) for s in (-1, 1))
            observers += (f'p{p}{n} = {{ plugin = "field"; file = "p{p}{n}"; kind = "points"; kernel = "lucy"; width = 0.0025; '
                          f'vtk = false; min = {low}; max = {high}; cells = (3, 3, 3); every_steps = 1; window = 1e-9; }}; ')
    text = f"""scene = {{ dt = {dt}; steps = 12009; gravity = (0.0, 0.0, -9.81); seed = 8; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ floor = {{ shape = "floor"; }}; }};
generate = {{ beads = {{ plugin = "random"; count = 260; material = "glass"; velocity = (0.0, 0.0, -1.0); velocity_random = 0.1;
    distribution = {{ type = "uniform"; min = "0.8 mm"; max = "1.2 mm"; }};
    region = {{ min = (-0.007, -0.007, 0.0); max = (0.007, 0.007, 0.028); }}; }}; }};
force = ( {{ plugin = "linear"; kn = 1.0e3; friction = 0.3; }} );
"""
    folder = run(top, "start", text + "observers = { };", "--steps", "12000", "--set", "checkpoint={every_steps=12000;}")
    (top / "go.cfg").write_text(text, encoding="utf-8")
    result = scree(None, "run", "--restart", folder, "-q", "-o", top / "go", "--steps", "9", "--set",
                   f"observers={{{observers}}}")
    tap.check("balance: the heap goes on from its checkpoint with observers that it did not have", result.returncode == 0, result.stderr)
    off, size = [0.0] * 3, 0.0
    for p in range(len(PLACES)):
        for n, h in enumerate(spacings):
            rows = read_numbers(top / "go" / f"p{p}{n}.csv")
            frames = [rows[k:k + 27] for k in range(0, len(rows), 27)]  # steps 12001, 12002, ..
            spread = (4, 2, 1)[n]
            picked = [frames[4 + k] for k in (-spread, 0, spread)]
            left, right = momentum_rate(picked, h, spread * dt)
            off[n] = max([off[n]] + [abs(a - b) for a, b in zip(left, right)])
            size = max([size] + [abs(a) for a in left])
    orders = [math.log2(a / b) for a, b in zip(off, off[1:])]
    tap.check("balance: rho DV/dt = -div stress + rho g + boundary force, with the second order of the differences",
              off[2] < 0.003 * size and size > 3.0 * 1500.0 * GRAVITY and all(1.8 < p < 2.2 for p in orders), ([x / size for x in off], orders, size))


def janssen(depth, length):
    return length * (1.0 - math.exp(-depth / length))


def check_silo(top):
    """The floor gives way slowly, so that friction of the walls is mobilised: Janssen 1895."""
    cells = f'plugin = "field"; min = (0.0, 0.0, -0.008); max = ({SIDE}, {SIDE}, 0.092); cells = (1, 1, 25);'
    wide = cells.replace("0.0, 0.0, -0", "-0.001, -0.001, -0").replace(f"({SIDE}, {SIDE}", f"({SIDE + 0.001}, {SIDE + 0.001}")
    observers = "".join(f'{name} = {{ {keys} file = "{name}"; every_steps = 100; window = 0.1; block = 20; }}; '
                        for name, keys in (("cells", cells), ("wide", wide)))  # wide: with the contact points on the walls
    folder = run(top, "silo", BED.format(steps=60000, side=SIDE, across='"open"', speed=-0.005, walls=WALLS, count=1300,
                                         height=0.17, observers=observers))
    rows, area = last_window(folder / "cells.csv"), SIDE ** 2
    inside = [row for row in rows if 0.004 < row["z"] < 0.066]
    rho = sum(row["density"] for row in inside) / len(inside)
    below = inside[0]["z"] - 0.002
    surface = below + total([row for row in rows if row["z"] > below], "density") / rho / area
    depth, stress = [surface - row["z"] for row in inside], [row["contact_stress_zz"] for row in inside]

    def misfit(length):
        return math.sqrt(sum((s - rho * GRAVITY * janssen(d, length)) ** 2 for d, s in zip(depth, stress)) / len(depth))

    length = min((k * 1e-5 for k in range(100, 5000)), key=misfit)
    limit = rho * GRAVITY * length
    tap.check("silo: stress saturates exponentially (Janssen), to 8 % of its limit, a quarter of rho g h", misfit(length) < 0.08 * limit
              and limit < 0.25 * rho * GRAVITY * surface, (misfit(length) / limit, length, limit, rho * GRAVITY * surface))
    walls = total([row for row in last_window(folder / "wide.csv") if 0.004 < row["z"] < 0.066], "boundary_force_z")
    weight = total(inside, "density") * GRAVITY

    def level(k):  # stress at the border below cell k
        return 0.5 * (rows[k - 1]["contact_stress_zz"] + rows[k]["contact_stress_zz"])

    lift = area * (level(int(inside[0]["k"])) - level(int(inside[-1]["k"]) + 1))
    tap.check("silo: walls and the stress of both ends carry the weight between, to 3 %", abs((walls + lift) / weight - 1.0) < 0.03
              and walls > 0.7 * weight, (walls / weight, lift / weight))
    theory = 0.004 * area * sum(stress) / walls  # friction per height is area stress / length
    tap.check("silo: the length is that of the friction on the walls, to 10 %", abs(length / theory - 1.0) < 0.1,
              (length, theory))


def main(top):
    for check in (check_bed, check_plug, check_gas, check_balance) if KIND == "quick" else (check_silo,):
        check(top)


tap.in_folder(main)
