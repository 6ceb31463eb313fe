# SPDX-License-Identifier: Apache-2.0
"""Cases of force/plastic: head-on impacts on the hysteretic spring, and a slow walk along its branches."""
import csv
import math

from verify import HERE, case

R, DENSITY, K1 = 5e-3, 2500.0, 1e4
MASS = DENSITY * 4.0 / 3.0 * math.pi * R ** 3
LUDING = "Luding 2008, Granular Matter 10, 235"
WALTON = "Walton, Braun 1986, J. Rheol. 30, 949"


def impact(bench, law, v, dt=2e-7, steps=40000):
    """A ball meets a plane at speed v; the run, and the speed at which it leaves."""
    run = bench.run(f"""
scene = {{ dt = {dt!r}; steps = {steps}; }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ a = {{ radius = {R}; position = (0.0, 0.0, {R}); velocity = (0.0, 0.0, {-v!r}); }}; floor = {{ shape = "floor"; }}; }};
force = ( {{ plugin = "plastic"; kn = {K1!r}; {law} }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {steps}; }}; }};
""")
    return run, [row for row in run.csv("bodies") if row["name"].startswith("a")][-1]["vz"]


@case("force/plastic", "restitution with a constant k2", source=WALTON, formula="e = sqrt(k1 / k2) at any speed", tolerance=1e-4,
      why="a step of 1/3000 of the impact: errors of second order, and its ends are met within a step")
def constant(bench):
    return [(f"k2 / k1 = {ratio}, {v} m/s", math.sqrt(1.0 / ratio), impact(bench, f"k2 = {ratio * K1!r};", v)[1] / v)
            for ratio in (1.0, 2.0, 4.0, 16.0) for v in (0.05, 0.5)]


@case("force/plastic", "restitution with a k2 that grows with the load", source=WALTON,
      formula="e = sqrt(w / (S v + w)), w = sqrt(k1 / m): k2 = k1 + S F_max, F_max = v sqrt(k1 m)", tolerance=1e-4,
      why="a step of 1/3000 of the impact: errors of second order")
def load(bench):
    w = math.sqrt(K1 / MASS)
    return [(f"{v} m/s", math.sqrt(w / (2e4 * v + w)), impact(bench, "unloading = \"load\"; hardening = 2e4; k2 = 1e9;", v)[1] / v)
            for v in (0.05, 0.2, 0.5)]


@case("force/plastic", "restitution with a k2 that grows with the depth", source=f"{LUDING}, eq. 5 to 7",
      formula="e = sqrt(k1 / k2(D)), k2 = k1 + (k2 - k1) D / D*, D = v sqrt(m / k1), D* = k2 / (k2 - k1) p 2 R*", tolerance=1e-4,
      why="a step of 1/3000 of the impact: errors of second order")
def depth(bench):
    found, p, k2 = [], 0.05, 5.0 * K1
    end = k2 / (k2 - K1) * p * 2.0 * R
    for v in (0.2, 0.5, 1.0):
        deep = v * math.sqrt(MASS / K1)
        k = K1 + (k2 - K1) * deep / end
        found.append((f"{v} m/s", math.sqrt(K1 / k), impact(bench, f'unloading = "depth"; plastic_depth = {p}; k2 = {k2!r};', v)[1] / v))
    return found


@case("force/plastic", "restitution beyond the depth at which nothing yields any more", source=f"{LUDING}, fig. 1",
      formula="e^2 = 1 - k1 D*^2 (1 - k1 / k2) / (m v^2)", tolerance=1e-4, why="a step of 1/3000 of the impact")
def limit(bench):
    p, k2, v = 0.01, 4.0 * K1, 1.0
    end = k2 / (k2 - K1) * p * 2.0 * R
    e = math.sqrt(1.0 - K1 * end ** 2 * (1.0 - K1 / k2) / (MASS * v * v))
    return e, impact(bench, f"plastic_depth = {p}; k2 = {k2!r};", v)[1] / v


@case("force/plastic", "energy lost with adhesion, and the account", source=f"{LUDING}, section 2.2",
      formula="work of the branches k1, k2 and -kc, which meet at D0 = (1 - k1 / k2) D and (k2 - k1) / (k2 + kc) D", tolerance=2e-4,
      why="a step of 1/3000 of the impact")
def adhesion(bench):
    k2, kc, v = 4.0 * K1, 0.1 * K1, 0.5
    deep = v * math.sqrt(MASS / K1)
    rest = (1.0 - K1 / k2) * deep
    lowest = (k2 - K1) / (k2 + kc) * deep  # where the k2 line meets -kc d
    back = 0.5 * k2 * (deep - rest) ** 2 - 0.5 * k2 * (rest - lowest) ** 2 - 0.5 * kc * lowest ** 2
    run, out = impact(bench, f"k2 = {k2!r}; kc = {kc!r};", v)
    energy = run.json["energy"]
    return [("restitution", math.sqrt(back / (0.5 * MASS * v * v)), out / v),
            ("residual / start", 0.0, energy["residual"] / energy["start"]),
            ("lost / start", 1.0 - back / (0.5 * MASS * v * v), energy["lost"] / energy["start"])]


def along(bench, law, path, step=1e-7, kept=5e-6):
    """Depths and forces every `kept` m as a ball goes along a path of depths into one that is too heavy to give way."""
    legs, depth, moved = [], 0.0, 0
    for end in path:
        n = round(abs(end - depth) / step)
        legs.append((math.copysign(step / 1e-6, end - depth), moved, moved + n))
        depth, moved = end, moved + n
    moves = "".join(f'leg{k} = {{ plugin = "move"; groups = "a"; motion = "translation"; velocity = ({v!r}, 0.0, 0.0); '
                    f'start = {first * 1e-6!r}; end = {last * 1e-6!r}; }}; ' for k, (v, first, last) in enumerate(legs))
    run = bench.run(f"""
scene = {{ dt = 1e-6; steps = {moved}; }};
materials = {{ m = {{ density = 1e25; }}; }};
bodies = {{ a = {{ radius = {R}; position = ({-2 * R!r}, 0.0, 0.0); motion = "kinematic"; }};
    b = {{ radius = {R}; position = (0.0, 0.0, 0.0); }}; }};
force = ( {{ plugin = "plastic"; kn = {K1!r}; {law} }} );
modifiers = {{ {moves} }};
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = {round(kept / step)}; }}; }};
""")
    rows = run.csv("bodies")
    return [(2 * R + a["x"], b["fx"]) for a, b in zip((r for r in rows if r["name"] == "a"), (r for r in rows if r["name"] == "b"))][1:]


@case("force/plastic", "unloaded below its plastic overlap and reloaded, without adhesion", source=WALTON,
      formula="straight lines between (0, 0), (D, k1 D), (D0, 0), (d, 0), D0 = (1 - k1 / k2) D, along the path; from (0, 0) again "
      "once the contact has opened", tolerance=1e-9, why="rounding of positions, times k2: 1e-17 m of 1e-5 m")
def keeps(bench):
    found, k2, d1, d2 = [], 5.0 * K1, 1e-4, 1.2e-4
    rest, left = (1.0 - K1 / k2) * d1, (1.0 - K1 / k2) * d2
    corners = [(0.0, 0.0), (d1, K1 * d1), (rest, 0.0), (2e-5, 0.0), (rest, 0.0), (d1, K1 * d1), (d2, K1 * d2), (left, 0.0),
               (-1e-5, 0.0), (0.0, 0.0), (5e-5, K1 * 5e-5)]
    line, at, walked = [0.0], 0.0, 0.0
    for (d, _), (e, _) in zip(corners, corners[1:]):
        line.append(line[-1] + abs(e - d))
    got = along(bench, f"k2 = {k2!r};", (d1, 2e-5, d2, -1e-5, 5e-5))
    for depth, force in got:
        walked += abs(depth - at)
        at = depth
        k = next(k for k in range(1, len(line)) if walked <= line[k] + 1e-9)
        (d, f), (e, g) = corners[k - 1], corners[k]
        found.append(force - (f + (g - f) * (depth - d) / (e - d)))
    return [("places", round(line[-1] / 5e-6), len(got)), ("largest difference / N", 0.0, max(map(abs, found)))]


@case("force/plastic", "a ball that bounces within its plastic overlap yields once", source=WALTON,
      formula="k1 d, then k2 (d - D0) under gravity: D of the first fall; lost = k1 D^2 (1 - k1 / k2) / 2; period 2 u / g + "
      "(2 / w) (pi - atan(u w / g)), u: speed at D0, w^2 = k2 / m", tolerance=1e-6, why="a step of 1/6500 of a bounce: errors of second order", slow=True)
def bounces(bench):
    g, v, k2, dt, steps = 100.0, 0.05, 4.0 * K1, 2e-7, 30000
    weight = MASS * g
    deep = (weight + math.sqrt(weight ** 2 + K1 * MASS * v * v)) / K1
    rest, back = (1.0 - K1 / k2) * deep, K1 * deep / k2
    u = math.sqrt((k2 * back - 2.0 * weight) * back / MASS)
    w = math.sqrt(k2 / MASS)
    period = 2.0 * u / g + 2.0 / w * (math.pi - math.atan(u * w / g))
    run = bench.run(f"""
scene = {{ dt = {dt!r}; steps = {steps}; gravity = (0.0, 0.0, {-g!r}); }};
materials = {{ m = {{ density = {DENSITY}; }}; }};
shapes = {{ floor = {{ type = "plane"; normal = (0.0, 0.0, 1.0); }}; }};
bodies = {{ a = {{ radius = {R}; position = (0.0, 0.0, {R}); velocity = (0.0, 0.0, {-v!r}); }}; floor = {{ shape = "floor"; }}; }};
force = ( {{ plugin = "plastic"; kn = {K1!r}; k2 = {k2!r}; }} );
observers = {{ bodies = {{ plugin = "csv"; what = "bodies"; every_steps = 1; }}; }};
""")
    rows = [row for row in run.csv("bodies") if row["name"] == "a"]
    tops = []  # times at which it comes to rest above the plastic overlap
    for old, new in zip(rows, rows[1:]):
        if old["vz"] > 0.0 >= new["vz"]:
            tops.append(old["time"] + (new["time"] - old["time"]) * old["vz"] / (old["vz"] - new["vz"]))
    return [("bounces", math.floor((steps * dt - tops[0]) / period) + 1, len(tops)),
            ("period", period, (tops[-1] - tops[0]) / (len(tops) - 1)),
            ("lost", 0.5 * K1 * deep ** 2 * (1.0 - K1 / k2), run.json["energy"]["lost"]),
            ("height of the last top", u * u / (2.0 * g) - rest, max(row["z"] for row in rows[-round(period / dt) - 2:]) - R)]


@case("force/plastic", "loaded, unloaded, reloaded, next to YADE", source="YADE 2023.02a, Law2_ScGeom_LudingPhys_Basic, run here by "
      "tests/bench/peers/plastic_yade.py", formula="force at each 5e-6 m of four paths: largest difference [N], of 1 to 2.75 N",
      tolerance=1e-5, why="YADE takes k2 from the largest depth of the step before: 6.1e-6 N at its step of 1e-9 m, 6.1e-5 N at 1e-8 m")
def next_to_yade(bench):
    with open(HERE / "data" / "plastic-yade.csv", newline="", encoding="utf-8") as file:
        theirs = list(csv.DictReader(file))
    paths = {"no adhesion": (0.0, 0.05, (1e-4, 7e-5, 1.2e-4, 8e-5)), "adhesion": (2e3, 0.05, (1e-4, 3e-5, 1.2e-4, 0.0)),
             "limit": (0.0, 0.008, (8e-5, 5e-5, 1e-4, 6e-5)), "limit, adhesion": (2e3, 0.008, (8e-5, 2e-5, 1e-4, 0.0))}
    found, lines, points = [], [], []
    for name, (kc, p, path) in paths.items():
        got = along(bench, f'unloading = "depth"; k2 = {5 * K1!r}; kc = {kc!r}; plastic_depth = {p};', path)
        rows = [(float(row["depth"]), float(row["force"])) for row in theirs if row["case"] == name]
        found += [(f"{name}: places", len(rows), len(got)),
                  (f"{name}: places apart / R", 0.0, max(abs(a[0] - b[0]) for a, b in zip(rows, got)) / R),
                  (name, 0.0, max(abs(a[1] - b[1]) for a, b in zip(rows, got)))]
        if kc > 0.0:
            lines.append((f"scree, {name}", [round(1e6 * d, 6) for d, f in got], [f for d, f in got]))
            points.append((f"YADE, {name}", [1e6 * d for d, f in rows], [f for d, f in rows]))
    bench.figure("plastic-yade", xlabel="depth / um", ylabel="force / N", lines=lines, points=points)
    return found
