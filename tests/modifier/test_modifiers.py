# SPDX-License-Identifier: Apache-2.0
"""Modifiers that change the number or kind of bodies: rates, sizes, places, counts, energy, refusals.

usage: test_modifiers.py SCREE

Most scenes have no force law, no gravity and bodies at rest: then the last state shows each body
where it was put.
"""
import itertools
import json
import math

import tap
from runs import read_table, scree

GLASS = "materials = { glass = { density = 2500.0; }; };\n"
TWO = "materials = { glass = { density = 2500.0; }; steel = { density = 7800.0; }; };\n"
WRITE = 'observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; }; };\n'


def scene(body, dt=1e-3, steps=100, dimension=3, top="", materials=GLASS):
    region = "min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0);"
    if dimension == 2:
        region = "min = (0.0, 0.0); max = (1.0, 1.0);"
    return (f"scene = {{ dimension = {dimension}; dt = {dt}; steps = {steps}; region = {{ {region} }};"
            f" {top} }};\n{materials}{WRITE}{body}")


def call(top, text, *args, name="s.cfg"):
    (top / name).write_text(text)
    return scree(top, *args, name)


class Run:
    """A run: its summary, its bodies at the end, what it said; fields by modifier."""
    count = 0

    def __init__(self, top, text):
        Run.count += 1
        folder = top / f"out{Run.count}"
        result = call(top, text, "run", "-q", "--json", "-o", str(folder))
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        self.said = result.stderr
        self.data = json.loads(result.stdout)
        self.fields = {m["name"]: m["fields"] for m in self.data["modifiers"]}
        rows = read_table(folder / "all.csv")
        self.bodies = [r for r in rows if int(r["step"]) == self.data["steps"]]

    def named(self, name):
        return [Ball(r) for r in self.bodies if r["name"] == name]


class Ball:
    def __init__(self, row):
        self.x = [float(row[k]) for k in "xyz"]
        self.v = [float(row[k]) for k in ("vx", "vy", "vz")]
        self.r = float(row["radius"])
        self.id = int(row["id"])

    def mass(self, density=2500.0):
        return density * 4.0 / 3.0 * math.pi * self.r**3


def ks(sample, cdf):
    """Kolmogorov and Smirnov's distance, times the root of the sample's size."""
    sample = sorted(sample)
    n = len(sample)
    d = max(max(abs(cdf(x) - i / n), abs(cdf(x) - (i + 1) / n)) for i, x in enumerate(sample))
    return d * math.sqrt(n)


def lognormal_cdf(median, sigma, power):
    """By number, of a lognormal share of r^power cut at 3 sigma: by the trapezoidal rule."""
    n, lo = 20000, math.log(median) - 3 * sigma
    h = 6 * sigma / n
    density = [math.exp(-0.5 * (-3 + 6 * i / n)**2) * math.exp(-power * (lo + h * i - math.log(median)))
               for i in range(n + 1)]
    sums = [0.0] + list(itertools.accumulate((a + b) / 2 for a, b in zip(density, density[1:])))

    def cdf(r):
        at = min(max((math.log(r) - lo) / h, 0.0), n - 1e-9)
        i = int(at)
        return (sums[i] + (at - i) * (sums[i + 1] - sums[i])) / sums[-1]
    return cdf


def deepest(balls, others=(), period=None):
    """The largest overlap of two balls, over their mean radius; touching is 0."""
    worst = -math.inf
    everyone = sorted(list(balls) + list(others), key=lambda b: b.x[1])
    largest = max(b.r for b in everyone)
    for i, a in enumerate(everyone):
        for b in everyone[i + 1:]:
            if b.x[1] - a.x[1] > a.r + largest:
                break
            if abs(a.x[2] - b.x[2]) > a.r + b.r:
                continue
            dx = abs(a.x[0] - b.x[0])
            if period:
                dx = min(dx, period - dx)
            d = math.sqrt(dx**2 + (a.x[1] - b.x[1])**2 + (a.x[2] - b.x[2])**2)
            worst = max(worst, 2 * (a.r + b.r - d) / (a.r + b.r))
    return worst


def triangle_distance(p, a, b, c):
    """By least squares over the triangle: projections onto plane, edges and corners, the best."""
    def sub(u, v): return [x - y for x, y in zip(u, v)]
    def dot(u, v): return sum(x * y for x, y in zip(u, v))
    e, f, g = sub(b, a), sub(c, a), sub(p, a)
    ee, ef, ff, eg, fg = dot(e, e), dot(e, f), dot(f, f), dot(e, g), dot(f, g)
    det = ee * ff - ef * ef
    s, t = (ff * eg - ef * fg) / det, (ee * fg - ef * eg) / det
    if s >= 0 and t >= 0 and s + t <= 1:
        foot = [x + s * y + t * z for x, y, z in zip(a, e, f)]
        return math.dist(p, foot)
    best = math.inf
    for u, v in ((a, b), (b, c), (c, a)):
        w = sub(v, u)
        k = min(max(dot(sub(p, u), w) / dot(w, w), 0.0), 1.0)
        best = min(best, math.dist(p, [x + k * y for x, y in zip(u, w)]))
    return best


CORNERS = ((0.2, 0.2, 0.45), (0.8, 0.3, 0.5), (0.45, 0.8, 0.55))
STATIC = scene(f"""
shapes = {{
    floor = {{ type = "plane"; normal = (0.0, 0.6, 0.8); }};
    wall = {{ type = "mesh"; vertices = ({", ".join(map(str, CORNERS))}); facets = ((0, 1, 2)); }};
}};
bodies = {{
    floor = {{ shape = "floor"; position = (0.5, 0.5, 0.25); }};
    wall = {{ shape = "wall"; }};
    post = {{ radius = 0.1; position = (0.6, 0.55, 0.62); motion = "fixed"; }};
    stone = {{ radius = 0.08; position = (0.3, 0.5, 0.7); }};
}};
modifiers = {{
    feed = {{
        plugin = "insert"; every_steps = 7; mass_rate = 30.0;
        region = {{ type = "cylinder"; from = (0.3, 0.45, 0.2); to = (0.6, 0.55, 0.9); radius = 0.28; }};
        body = {{ distribution = {{ type = "lognormal"; median = 0.012; sigma = 0.25; by = "mass"; }}; }};
    }};
    slab = {{
        plugin = "insert"; every_steps = 3; number_rate = 2000.0;
        region = {{ min = (0.0, 0.3, 0.1); max = (1.0, 0.9, 0.95); }};
        body = {{ distribution = {{ type = "uniform"; min = 0.01; max = 0.02; of = "diameter"; }}; }};
    }};
}};
""", steps=700, top='boundary = ("periodic", "open", "open");')


def test_static(top):
    run = Run(top, STATIC)
    feed, slab = run.named("feed"), run.named("slab")
    others = run.named("post") + run.named("stone")
    masses, largest = sum(b.mass() for b in feed), 2500 * 4 / 3 * math.pi * (0.012 * math.exp(0.75))**3
    due = 30.0 * 0.7
    tap.check("inserted mass is rate times time, less than one body behind",
              0 <= due - masses < largest, (due, masses, largest))
    tap.check("inserted number is rate times time, up to the last interval",
              len(slab) == math.floor(2000.0 * 0.699) and len(feed) > 1000, (len(slab), len(feed)))
    tap.check("number and mass in the summary are those of the bodies",
              run.fields["feed"]["inserted"] == len(feed)
              and math.isclose(run.fields["feed"]["inserted_mass"], masses, rel_tol=1e-12)
              and run.fields["slab"]["inserted"] == len(slab)
              and run.fields["feed"]["full"] == run.fields["slab"]["full"] == 0, run.fields)
    # 1.63: a right distribution is farther away in one run of a hundred; the seed is fixed.
    near = ks([b.r for b in feed], lognormal_cdf(0.012, 0.25, 3))
    far = ks([b.r for b in feed], lognormal_cdf(0.012, 0.25, 0))
    tap.check("sizes follow the lognormal share by mass, and not that by number",
              near < 1.63 < 10 < far, (near, far))
    near = ks([b.r for b in slab], lambda r: (r - 0.005) / 0.005)
    tap.check("sizes follow the uniform distribution of diameters", near < 1.63, near)

    axis, ends = (0.3, 0.1, 0.7), (0.3, 0.45, 0.2)
    length = math.sqrt(sum(a * a for a in axis))
    rim = math.inf
    for b in feed:
        along = sum((x - e) * a for x, e, a in zip(b.x, ends, axis)) / length
        off = math.sqrt(max(0.0, sum((x - e)**2 for x, e in zip(b.x, ends)) - along**2))
        rim = min(rim, along - b.r, length - along - b.r, 0.28 - off - b.r)
    tap.check("all lie in the cylinder with their whole ball", rim > -1e-12, rim)
    rim = min(min(b.x[1] - b.r - 0.3, 0.9 - b.x[1] - b.r, b.x[2] - b.r - 0.1, 0.95 - b.x[2] - b.r)
              for b in slab)
    tap.check("all lie in the box with their whole ball, but for the axis that it spans",
              rim > -1e-12 and any(b.x[0] < b.r or b.x[0] > 1 - b.r for b in slab), rim)
    worst = deepest(feed + slab, others, 1.0)
    tap.check("no body overlaps another, across the boundary either", worst < 1e-11, worst)
    gap = min(0.6 * (b.x[1] - 0.5) + 0.8 * (b.x[2] - 0.25) - b.r for b in feed + slab)
    tap.check("no body overlaps the plane, and some come near it", -1e-12 < gap < 0.01, gap)
    gap = min(triangle_distance(b.x, *CORNERS) - b.r for b in feed + slab)
    tap.check("no body overlaps the triangle, and some come near it", -1e-12 < gap < 0.002, gap)
    tap.check("places are even along the axis that the box spans",
              ks([b.x[0] for b in slab], lambda x: x) < 2.5, "")


def test_rates(top):
    """A rate that changes in the run: the totals follow both rates; a restart goes on with them."""
    def feed(keys, first, then, when="at_time = 0.4;"):
        return scene(f"""modifiers = {{ feed = {{ plugin = "insert"; {keys} {first} body = {{ radius = 0.005; }}; }}; }};
schedule = ( {{ {when} set = {{ modifiers = {{ feed = {{ {then} }}; }}; }}; }} );
""", steps=700)
    ball = 2500 * 4 / 3 * math.pi * 0.005**3
    for keys in ("", "start = 0.1;", "every_steps = 7; stop = 0.6;"):
        start, stop = 0.1 * ("start" in keys), 0.6 if "stop" in keys else 0.7
        for plugin in ("", 'plugin = "insert"; body = { radius = 0.005; }; ' + keys):
            run = Run(top, feed(keys, "mass_rate = 2.0;", f"{plugin} mass_rate = 0.5;"))
            due = 2.0 * (0.4 - start) + 0.5 * (stop - 0.4)
            tap.check(f"the mass follows both rates, less than one body behind: {keys} {plugin[:6]}",
                      0 <= due + 1e-9 - run.fields["feed"]["inserted_mass"] < 1.0001 * ball, (due, run.fields))
        run = Run(top, feed(keys, "number_rate = 333.0;", "number_rate = 1000.0;"))
        due = 333.0 * (0.4 - start) + 1000.0 * (stop - 0.4)
        tap.check(f"the number follows both rates: {keys}", run.fields["feed"]["inserted"] == math.floor(due + 1e-6), (due, run.fields))
    kind = Run(top, feed("", "mass_rate = 2.0;", 'plugin = "insert"; number_rate = 1500.0; body = { radius = 0.005; };'))
    tap.check("a rate of another kind counts from the start", kind.fields["feed"]["inserted"] == 1050, kind.fields)
    back = feed("", "mass_rate = 2.0;", "mass_rate = 0.5;", "at_time = 0.2;").replace(" );\n", """,
    { at_time = 0.4; set = { modifiers = { feed = { plugin = "damping"; alpha = 0.0; }; }; }; },
    { at_time = 0.5; set = { modifiers = { feed = { plugin = "insert"; body = { radius = 0.005; }; mass_rate = 0.5; }; }; }; } );
""")
    run, due = Run(top, back), 2.0 * 0.2 + 0.5 * 0.5
    tap.check("another modifier in its slot for a while: the count goes on from the change of the rate",
              0 <= due + 1e-9 - run.fields["feed"]["inserted_mass"] < 1.0001 * ball, (due, run.fields))
    text = feed("", "mass_rate = 2.0;", "mass_rate = 0.5;").replace("schedule", "checkpoint = { every_steps = 100; keep = 9; };\nschedule")
    whole = call(top, text, "run", "-q", "--json", "-o", "rates")
    for step in (300, 400, 500):
        on = scree(top, "run", "-q", "--json", "--restart", f"rates/checkpoint-{step}.h5", "-o", f"rates-{step}")
        tap.check(f"a run that goes on from step {step} comes to the same state", on.returncode == 0 and
                  json.loads(on.stdout)["state_sha256"] == json.loads(whole.stdout)["state_sha256"], (on, whole))


def test_numbers(top):
    """Bodies that enter and leave a bed between two sortings of storage: one state, also for a restart."""
    text = scene("""bodies = { floor = { shape = "floor"; motion = "fixed"; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
generate = { bed = { plugin = "lattice"; count = 1250; radius = 0.02; spacing = 0.0401; velocity_random = 0.5; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.5; friction = 0.5; } );
modifiers = { feed = { plugin = "insert"; number_rate = 2.0e4; body = { radius = 0.012; velocity = (1.0, 0.0, -1.0); };
    region = { type = "box"; min = (0.1, 0.1, 0.0); max = (0.9, 0.9, 0.08); }; };
    drain = { plugin = "remove"; region = { type = "box"; min = (0.3, 0.3, 0.0); max = (0.6, 0.6, 0.1); }; every_steps = 13; }; };
renumber = { every = 1000; };
checkpoint = { every_steps = 100; keep = 9; };
""", steps=400, dt=2e-5, top="gravity = (0.0, 0.0, -9.81);")
    def hash_of(*args):
        run = scree(top, "run", "-q", "--json", *args)
        data = json.loads(run.stdout) if run.returncode == 0 else {}
        return (data["state_sha256"], data["energy"]["kinetic"], data["energy"]["stored"]) if data else run.stderr
    whole = call(top, text, "run", "-q", "--json", "-o", "numbers")
    data = json.loads(whole.stdout) if whole.returncode == 0 else {}
    fields = {m["name"]: m["fields"] for m in data.get("modifiers", [])}
    tap.check("bodies enter and leave", fields and fields["feed"]["inserted"] > 100 and data["contacts"] > 100, (whole.stderr, fields))
    one = (data["state_sha256"], data["energy"]["kinetic"], data["energy"]["stored"])
    tap.check("two threads, another GCD", hash_of("s.cfg", "--threads", "2", "--set", 'gcd={plugin="dess";}', "-o", "numbers-2") == one, one)
    for step in (100, 200, 300):
        tap.check(f"a restart at step {step}, with holes and newcomers in its leaves",
                  hash_of("--restart", f"numbers/checkpoint-{step}.h5", "-o", f"numbers-{step}") == one, one)
    tap.check("another order of storage gives other bits",
              hash_of("s.cfg", "--set", "renumber.every=0", "-o", "numbers-0")[0] != one[0], one)


def test_places(top):
    """A ball filled thinly: r^3 of the centres is even, and each direction as likely."""
    run = Run(top, scene("""
modifiers = { feed = { plugin = "insert"; number = 3000; body = { radius = 1e-4; };
    region = { type = "sphere"; centre = (0.5, 0.4, 0.6); radius = 0.3; }; }; };
""", steps=2))
    balls = run.named("feed")
    shells = ks([(math.dist(b.x, (0.5, 0.4, 0.6)) / (0.3 - 1e-4))**3 for b in balls], lambda t: t)
    up = ks([(b.x[2] - 0.6) / math.dist(b.x, (0.5, 0.4, 0.6)) for b in balls], lambda c: (c + 1) / 2)
    tap.check("all at once: the whole number at the first step", len(balls) == 3000, len(balls))
    tap.check("places are even in a sphere", shells < 1.63 and up < 1.63, (shells, up))
    run = Run(top, scene("""
modifiers = { feed = { plugin = "insert"; number_rate = 1.0e4; number = 300; start = 0.01;
    region = { type = "sphere"; centre = (0.5, 0.5); radius = 0.3; };
    body = { radius = 0.01; velocity_random = 0.5; }; };
    gas = { plugin = "insert"; mass = 3.0; body = { radius = 1e-3; velocity = (1.0, 2.0); }; }; };
""", steps=40, dimension=2, top="thickness = 0.1;"))
    balls, one = run.named("feed"), 2500 * math.pi * 1e-6 * 0.1
    tap.check("2D: discs at a rate from `start` on, up to the number, with their mass",
              len(balls) == 300 and math.isclose(run.fields["feed"]["inserted_mass"], 300 * one * 100)
              and all(b.x[2] == b.v[2] == 0.0 for b in balls), run.fields)
    tap.check("all at once by mass: as many as the mass holds",
              run.fields["gas"]["inserted"] == math.floor(3.0 / one) and
              all(b.v == [1.0, 2.0, 0.0] for b in run.named("gas")), run.fields)
    spread = [v / 0.5 for b in balls for v in b.v[:2]]
    gauss = ks(spread, lambda v: 0.5 * math.erfc(-v / math.sqrt(2)))
    tap.check("velocity_random is Gaussian, of the deviation asked for", gauss < 1.63, gauss)


def test_full(top):
    def fill(overdue, more=""):
        return Run(top, scene(f"""
modifiers = {{ feed = {{ plugin = "insert"; number = 4000; every_steps = 10; overdue = "{overdue}";
    tries = 200; region = {{ min = (0.2, 0.2, 0.2); max = (0.5, 0.5, 0.5); }};
    body = {{ radius = 0.02; }}; }}; {more} }};
""", steps=50))
    carry, drop = fill("carry"), fill("drop")
    seen = carry.fields["feed"]
    fraction = seen["inserted"] * 4 / 3 * math.pi * 0.02**3 / 0.3**3
    tap.check("a full region is counted at each interval, reported, and never overfilled",
              seen["full"] == 5 and 0.2 < fraction < 0.39 and seen["dropped"] == 0
              and "the region is full" in carry.said and deepest(carry.named("feed")) < 1e-11,
              (seen, fraction, carry.said))
    seen = drop.fields["feed"]
    tap.check("what is given up is counted, once",
              seen["full"] == 1 and seen["inserted"] + seen["dropped"] == 4000, seen)
    again = fill("carry", """sink = { plugin = "remove"; every_steps = 15; };""")
    tap.check("what is carried comes when there is room",
              again.fields["feed"]["inserted"] == again.data["free"] + again.fields["sink"]["removed"]
              and again.fields["sink"]["removed"] > carry.fields["feed"]["inserted"], again.fields)


def test_remove(top):
    text = scene("""
bodies = {
    a = { radius = 0.01; position = (0.1, 0.5, 0.5); material = "glass"; velocity = (0.0, 0.0, 3.0); };
    b = { radius = 0.02; position = (0.2, 0.5, 0.5); material = "steel"; spin = (0.0, 0.0, 9.0); };
    c = { radius = 0.03; position = (0.3, 0.5, 0.5); material = "glass"; };
    d = { radius = 0.04; position = (0.4, 0.5, 0.5); material = "steel"; };
    e = { radius = 0.05; position = (0.7, 0.5, 0.5); material = "glass"; motion = "fixed"; };
};
modifiers = { sink = { plugin = "remove"; %s }; };
""", top="gravity = (0.0, 0.0, -9.81);", materials=TWO)

    def left(keys):
        run = Run(top, text % keys)
        kept = "".join(r["name"] for r in run.bodies)
        mass = {"a": 2500 * .01**3, "b": 7800 * .02**3, "c": 2500 * .03**3, "d": 7800 * .04**3}
        gone = sum(m for k, m in mass.items() if k not in kept) * 4 / 3 * math.pi
        seen = run.fields["sink"]
        right = seen["removed"] == 5 - len(kept) and math.isclose(seen["removed_mass"], gone,
                                                                  abs_tol=1e-15)
        energy = run.data["energy"]
        booked = abs(energy["residual"]) < 1e-12 * (abs(energy["gravity"]) + abs(energy["work"]) + 1)
        return "".join(sorted(kept)) if right and booked else (kept, seen, energy)

    box = "region = { min = (0.15, 0.0, 0.0); max = (0.35, 1.0, 1.0); };"
    claims = (("inside of the region", box, "ade"),
              ("outside of the region", box + 'where = "outside";', "bce"),
              ("of a material", 'material = "steel";', "ace"),
              ("of groups", 'groups = ["a", "d", "e"];', "bce"),
              ("of sizes", "min_radius = 0.015; max_radius = 0.035;", "ade"),
              ("of all that at once", box + 'material = "glass"; min_radius = 0.015;', "abde"),
              ("all", "", "e"),
              ("none after `stop`", "start = -1.0; stop = 0.0;", "abcde"),
              ("none before `start`", "start = 0.2;", "abcde"))
    for what, keys, kept in claims:
        seen = left(keys)
        tap.check(f"removes the free bodies {what}, counts them, books their energy", seen == kept, seen)


def test_release(top):
    text = scene("""
shapes = { lid = { type = "mesh"; vertices = ((0.0, 0.0, 0.3), (1.0, 0.0, 0.3), (0.0, 1.0, 0.3));
    facets = ((0, 1, 2)); }; };
bodies = {
    hung = { radius = 0.01; position = (0.3, 0.3, 0.7); motion = "fixed"; };
    lift = { radius = 0.02; position = (0.6, 0.3, 0.3); motion = "kinematic"; velocity = (0.5, 0.0, 1.0);
        spin = (0.0, 3.0, 0.0); };
    lid = { shape = "lid"; };
    mote = { radius = 0.03; position = (0.9, 0.9, 0.9); velocity = (0.0, 0.0, 0.981); };
};
modifiers = { valve = { plugin = "release"; groups = ["hung", "lift", "lid"]; %s }; };
""", top="gravity = (0.0, 0.0, -9.81);")
    run = Run(top, text % "at_time = 0.04;")
    (hung,), (lift,), tau = run.named("hung"), run.named("lift"), 0.06
    tap.check("at a time: what was fixed falls, what moved goes on, a wall is gone",
              run.fields["valve"] == {"freed": 2, "removed": 1, "time": 0.04} and not run.named("lid")
              and math.isclose(hung.x[2], 0.7 - 9.81 / 2 * tau**2, rel_tol=1e-13)
              and math.isclose(lift.x[2], 0.3 + 0.1 - 9.81 / 2 * tau**2, rel_tol=1e-13)
              and math.isclose(lift.x[0], 0.65, rel_tol=1e-13)
              and math.isclose(lift.v[2], 1.0 - 9.81 * tau, rel_tol=1e-12), (run.fields, hung.x, lift.x))
    energy = run.data["energy"]
    tap.check("the energy of what is freed is booked", abs(energy["residual"])
              < 1e-13 * abs(energy["gravity"]) and energy["work"] != 0.0, energy)
    run = Run(top, text % "at_step = 33;")
    tap.check("at a step", run.fields["valve"]["time"] == 0.033, run.fields)
    # The mote is thrown up with v = 0.1 g: 0.981 m/s at first, 0 at 0.1 s. Below a hundredth of
    # its first energy: |t - 0.1| < 0.01, so at the first look after 0.09 s.
    kinetic = 0.5 * 2500 * 4 / 3 * math.pi * 0.03**3 * 0.981**2
    run = Run(top, text % f"kinetic_below = {kinetic / 100 * 1.0001:.17g};")
    tap.check("when the kinetic energy is low", run.fields["valve"]["time"] == 0.09, run.fields)
    run = Run(top, text % "kinetic_below = 1e-9; at_time = 0.05; bodies_above = 0;")
    tap.check("not before all conditions hold", run.fields["valve"]["time"] == 0.1, run.fields)
    run = Run(top, text % 'bodies_above = 0; action = "remove";')
    tap.check("all are removed on demand", run.fields["valve"] == {"freed": 0, "removed": 3,
              "time": 0.001} and len(run.bodies) == 1, run.fields)
    run = Run(top, text % "bodies_above = 1;")
    tap.check("not when a condition never holds", run.fields["valve"]["time"] == -1, run.fields)


def test_step_size(top):
    """Bodies to come count for dt: the step of a scene that has many of the smallest body from the start."""
    law = 'force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.5; } );\n'
    stone = "stone = { radius = 0.1; position = (0.5, 0.5, 0.5); };"
    late = scene(f"""{law} bodies = {{ {stone} }};
modifiers = {{ feed = {{ plugin = "insert"; number = 1; body = {{ distribution =
    {{ type = "uniform"; min = 0.001; max = 0.002; }}; }}; }}; }};""", dt='"auto"')
    grains = "".join(f"g{k} = {{ radius = 0.001; position = ({0.01 * k:.2f}, 0.1, 0.1); }}; " for k in range(20))
    there = scene(f"{law} bodies = {{ {stone} {grains} }};", dt='"auto"')
    alone = scene(f"{law} bodies = {{ {stone} }};", dt='"auto"')
    dts = [Run(top, t).data["dt"] for t in (late, there, alone)]
    tap.check("dt = auto is that of the smallest body that may come", dts[0] == dts[1] < dts[2], dts)
    seen = call(top, late, "validate")
    tap.check("validate says so", seen.returncode == 0 and "a body that a modifier makes" in seen.stdout,
              seen)
    nothing = scene('modifiers = { feed = { plugin = "insert"; number = 5; every_steps = 10;'
                    ' body = { radius = 0.01; }; }; };')
    tap.check("a scene may start without any body", Run(top, nothing).data["free"] == 5, "")


def test_faults(top):
    def feed(keys, more=""):
        return scene(f'{more}modifiers = {{ feed = {{ plugin = "insert";\n {keys} }}; }};')
    body, number = "body = { radius = 0.01; };", "number = 5;"
    sink, gate = 'modifiers = { sink = { plugin = "remove";\n %s }; };', \
        'modifiers = { gate = { plugin = "release";\n %s }; };'
    stone = "bodies = { stone = { radius = 0.01; position = (0.5, 0.5, 0.5); }; };\n"
    cases = (
        ("a negative rate", feed(body + "mass_rate = -1.0;"), "modifiers.feed.mass_rate: expected > 0 kg/s, got -1"),
        ("a rate in another unit", feed(body + 'mass_rate = "3 m/s";'), "m/s"),
        ("two rates", feed(body + "mass_rate = 1.0; number_rate = 1.0;"), "expected mass_rate or number_rate, got both"),
        ("no number at all", feed(body), "how many?"),
        ("no body", feed(number, stone), "expected one of body and source"),
        ("a body without a size", feed(number + "body = { };"), "radius or distribution"),
        ("two sizes", feed(number + 'body = { radius = 1.0; diameter = 1.0; };'), "radius is given"),
        ("an unknown key of a body", feed(number + "body = { radus = 0.01; };"), "radius"),
        ("an unknown material", feed(number + 'body = { radius = 0.01; material = "glas"; };'),
         'did you mean "glass"?'),
        ("a distribution upside down", feed(number + 'body = { distribution = { type = "uniform";'
                                            ' min = 0.2; max = 0.1; }; };'), "0 < min < max"),
        ("a distribution that sums to nothing", feed(number + 'body = { distribution = { type ='
         ' "discrete"; values = (0.1); weights = (0.0); }; };'), "sum up to nothing"),
        ("a body of facets", feed(number + 'body = { shape = "t"; };', 'shapes = { t = { type = "mesh";'
         ' vertices = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)); facets = ((0, 1, 2)); }; };\n'),
         "expected a shape with a volume"),
        ("a region outside of the scene", feed(body + number + "region = { min = (2.0, 0.0, 0.0);"
                                               " max = (3.0, 1.0, 1.0); };"), "outside of scene.region"),
        ("a sphere outside of the scene", feed(body + number + 'region = { type = "sphere"; centre ='
                                               ' (0.5, 0.5, -1.0); radius = 0.9; };'),
         "outside of scene.region"),
        ("a region too small for the largest body", feed('body = { radius = 0.3; };' + number +
         "region = { min = (0.0, 0.0, 0.0); max = (0.5, 1.0, 1.0); };"), "region: the largest body, of radius 0.3 m, has no room in the region of 0.5 x 1 x 1 m"),
        ("an unknown type of region", feed(body + number + 'region = { type = "ball"; };'), "sphere"),
        ("a cylinder without a length", feed(body + number + 'region = { type = "cylinder"; radius = 0.1;'
         ' from = (0.5, 0.5, 0.5); to = (0.5, 0.5, 0.5); };'), "are one point"),
        ("a region key of another type", feed(body + number + 'region = { type = "sphere"; radius = 0.1;'
         ' centre = (0.5, 0.5, 0.5); min = (0.0, 0.0, 0.0); };'), "min"),
        ("tries of zero", feed(body + number + "tries = 0;"), "modifiers.feed.tries: expected 1 <= value <= 65535, got 0"),
        ("a stop before the start", feed(body + number + "start = 2.0; stop = 1.0;"), "is not after"),
        ("an interval of wall time", feed(body + number + "every_wall = 1.0;"), "every_steps and every_time"),
        ("a rate of 1e300 bodies/s", feed(body + "number_rate = 1e300;"), "bodies become due in each step"),
        ("a rate of 1e300 kg/s", feed(body + "mass_rate = 1e300;"), "give a smaller mass_rate"),
        ("a number of 9e15 at once", feed(body + "number = 9000000000000000L;"), "9e+15 bodies become due at once"),
        ("a mass of 1e300 kg at once", feed(body + "mass = 1e300;"), "bodies become due at once"),
        ("an unknown group to remove", scene(stone + sink % 'groups = ["stoen"];'), 'did you mean "stone"?'),
        ("an unknown material to remove", scene(stone + sink % 'material = "wood";'), 'no material "wood"'),
        ("sizes upside down", scene(stone + sink % "min_radius = 0.2; max_radius = 0.1;"), "is above"),
        ("an unknown group to release", scene(stone + gate % 'at_time = 1.0; groups = ["lid"];'),
         'no group "lid"'),
        ("a release without condition", scene(stone + gate % 'groups = ["stone"];'), "no condition"),
        ("a release of nothing", scene(stone + gate % "at_time = 1.0;"), "the key groups is missing"),
        ("the singular of groups", scene(stone + gate % 'at_time = 1.0; group = ["stone"];'),
         'unknown key; did you mean "groups"?'),
    )
    for what, text, words in cases:
        seen = call(top, text, "validate")
        tap.check(f"refused with file and line: {what}", seen.returncode == 2 and words in seen.stderr
                  and "s.cfg:" in seen.stderr, seen.stderr)
    named = scene(stone + sink % "start = 0.0;").replace('file = "all";', 'file = "all"; groups = ["%s"];')
    seen = [call(top, named % name, "validate") for name in ("sink", "stone", "stoen")]
    tap.check("an observer may name groups and modifiers, and nothing else",
              [s.returncode for s in seen] == [0, 0, 2] and 'did you mean "stone"?' in seen[2].stderr, seen)
    refused = {"expected mass_rate or number_rate, got both", "no condition", "is above"}  # by the plugins themselves
    seen = [call(top, text, "run") for _, text, words in cases if words in refused]
    tap.check("what a plugin refuses ends a run with the same words", len(seen) == 3
              and all(s.returncode == 2 and "s.cfg:" in s.stderr for s in seen), seen)


SWING = """
bodies = { a = { radius = 0.01; position = (0.04, 0.5, 0.5); velocity = (-3.0, 0.0, 0.0); spin = (0.0, 0.0, 9.0); };
    b = { radius = 0.01; position = (0.6, 0.5, 0.5); velocity = (0.0, 1.0, 0.0); }; };
integrator = { plugin = "velocity_verlet"; orientation = "all"; };
modifiers = { tie = { plugin = "tether"; stiffness = 40.0; torsion_stiffness = 1e-4; }; %s };
%s
"""


def test_springs(top):
    """Two bodies on springs of a modifier: what these store leaves the account with what holds it."""
    cases = (("go when their bodies are removed", 'sink = { plugin = "remove"; groups = ["a"]; start = 0.01; };', "", ""),
             ("go when their bodies leave the region", "", "", 'boundary = "destroy";'),
             ("go when the modifier is switched off", "", "tie = \"off\";", ""),
             ("change when a stiffness is switched", "", "tie = { stiffness = 400.0; };", ""),
             ("change when laws are switched too", "", "tie = { stiffness = 400.0; }; }; force = { plugin = "
              '"linear"; kn = 1.0e3;', ""))
    for what, more, switched, edge in cases:
        later = f"schedule = ({{ at_step = 1000; set = {{ modifiers = {{ {switched} }}; }}; }});" if switched else ""
        run = Run(top, scene(SWING % (more, later), dt=1e-5, steps=3000, top=edge))
        energy = run.data["energy"]
        tap.check(f"springs of a modifier {what}: booked as work", abs(energy["residual"]) < 2e-3 * abs(energy["work"])
                  and abs(energy["work"]) > 0.1 * energy["start"], energy)


def test_frame(top):
    """A frame that turns has other forces at a place than at its image across the axis."""
    text = scene('bodies = { a = { radius = 0.1; position = (0.5, 0.5, 0.5); material = "glass"; }; };\n'
                 'modifiers = { frame = { plugin = "gravity"; rate = 3.0; axis = (0.0, 0.0, 2.0); }; };\n',
                 top='boundary = ("open", "%s", "%s");')
    for y, z, status in (("periodic", "open", 2), ("open", "periodic", 0), ("open", "open", 0)):
        seen = call(top, text % (y, z), "run", "-q", "-o", str(top / f"frame-{y}-{z}"))
        tap.check(f"a frame that turns about z, y {y}, z {z}: status {status}", seen.returncode == status
                  and ("periodic along y, across the axis" in seen.stderr) == (status != 0)
                  and "--break" not in seen.stderr, (seen.returncode, seen.stderr))
    flat = scene('bodies = { a = { radius = 0.1; position = (0.5, 0.5); material = "glass"; }; };\n'
                 'modifiers = { frame = { plugin = "gravity"; vector = (0.0, -1.0); %s }; };\n',
                 dimension=2, top='boundary = ("periodic", "open");')
    for name, rate, status in (("constant", "rate = 3.0;", 2), ("late", "rate = (0.0, 0.5); rate_times = (0.0, 1.0);", 2),
                               ("zero", "rate = 0.0;", 0), ("zeros", "rate = (0.0, 0.0); rate_times = (0.0, 1.0);", 0)):
        seen = call(top, flat % rate, "run", "-q", "-o", str(top / f"flat-{name}"))
        tap.check(f"in the plane, periodic along x, a rate that is {name}: status {status}", seen.returncode == status
                  and ("rate: the scene is periodic along x, across the axis" in seen.stderr) == (status != 0), (seen.returncode, seen.stderr))


tap.in_folder(test_static, test_rates, test_numbers, test_places, test_full, test_remove, test_release, test_step_size, test_springs,
              test_faults, test_frame)
