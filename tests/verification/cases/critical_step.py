# SPDX-License-Identifier: Apache-2.0
"""The critical step of lattices and of packings, against all motions that they have; runs below and above it."""
import math
import random

from verify import case
from vectors import cross

RHO, R, KN = 2500.0, 0.01, 1e5
M = RHO * 4.0 / 3.0 * math.pi * R ** 3
PRESSED = 1e-6  # of the distance: neighbours touch whatever the rounding
BASES = {"sc": ((0.0, 0.0, 0.0),), "fcc": ((0.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 0.5, 0.5))}


def text(balls, side, kt, dt, spin=0.0, more=""):
    """Balls (x, r) in a periodic cube, with friction that never slides and without damping."""
    bodies = "".join(f'b{k} = {{ radius = {r!r}; position = ({x[0]!r}, {x[1]!r}, {x[2]!r}); spin = (0.0, 0.0, {spin!r}); }};\n'
                     for k, (x, r) in enumerate(balls))
    return (f'scene = {{ dt = {dt}; region = {{ min = (0.0, 0.0, 0.0); max = ({side!r}, {side!r}, {side!r}); }}; '
            f'boundary = "periodic"; {more} }};\nmaterials = {{ m = {{ density = {RHO!r}; }}; }};\n'
            f'force = ( {{ plugin = "linear"; kn = {KN!r}; kt = {kt * KN!r}; friction = 1e9; restitution = 1.0; }} );\n'
            f'bodies = {{\n{bodies}}};\n')


def lattice(kind, n):
    """Balls of n cells a side, and the side."""
    cell = 2.0 * R * (1.0 - PRESSED) * (1.0 if kind == "sc" else math.sqrt(2.0))
    return [(tuple((i + s) * cell for i, s in zip((a, b, c), base)), R)
            for a in range(n) for b in range(n) for c in range(n) for base in BASES[kind]], n * cell


def contacts(balls, side):
    """(i, j, normal from i to j, distances of the contact from both centres) of all pairs that touch."""
    found = []
    for i, (x, r) in enumerate(balls):
        for j in range(i):
            d = [b - a - side * round((b - a) / side) for a, b in zip(x, balls[j][0])]
            length = math.sqrt(sum(v * v for v in d))
            half = 0.5 * (r + balls[j][1] - length)
            if half > 0.0:
                found.append((i, j, [v / length for v in d], r - half, balls[j][1] - half))
    return found


def apply(pairs, balls, kt, u):
    """M^-1/2 K M^-1/2 u, six numbers a ball: the forces and couples of all springs."""
    mass = [RHO * 4.0 / 3.0 * math.pi * r ** 3 for _, r in balls]
    by = [[1.0 / math.sqrt(m)] * 3 + [1.0 / math.sqrt(0.4 * m * r * r)] * 3 for m, (_, r) in zip(mass, balls)]
    x = [[a * b for a, b in zip(u[6 * k:6 * k + 6], by[k])] for k in range(len(balls))]
    out = [[0.0] * 6 for _ in balls]
    for i, j, n, ri, rj in pairs:
        turned = cross([ri * a + rj * b for a, b in zip(x[i][3:], x[j][3:])], n)
        slip = [a - b + t for a, b, t in zip(x[i], x[j], turned)]
        along = (KN - kt * KN) * sum(a * b for a, b in zip(slip, n))
        f = [kt * KN * s + along * v for s, v in zip(slip, n)]
        couple = cross(n, f)
        for k in range(3):
            out[i][k] += f[k]
            out[j][k] -= f[k]
            out[i][3 + k] += ri * couple[k]
            out[j][3 + k] += rj * couple[k]
    return [v * b for k in range(len(balls)) for v, b in zip(out[k], by[k])]


def below(a, b, value):
    """How many eigenvalues of a tridiagonal matrix are below a value (Sturm)."""
    count, q = 0, 1.0
    for k, diagonal in enumerate(a):
        q = diagonal - value - (b[k - 1] ** 2 / q if k else 0.0)
        q = q or 1e-300
        count += q < 0.0
    return count


def fastest(balls, side, kt, steps=70):
    """[1/s^2] Largest eigenvalue of the whole packing, by Lanczos."""
    pairs, rng = contacts(balls, side), random.Random(5)
    v = [rng.gauss(0.0, 1.0) for _ in range(6 * len(balls))]
    basis, a, b = [], [], []
    for _ in range(min(steps, len(v))):
        length = math.sqrt(sum(x * x for x in v))
        if basis and length < 1e-9 * abs(a[0]):
            break
        if basis:
            b.append(length)
        v = [x / length for x in v]
        basis.append(v)
        w = apply(pairs, balls, kt, v)
        a.append(sum(x * y for x, y in zip(w, v)))
        for _ in range(2):
            for old in basis:
                share = sum(x * y for x, y in zip(w, old))
                w = [x - share * y for x, y in zip(w, old)]
        v = w
    low, high = 0.0, 2.0 * max(abs(x) for x in a) + 2.0 * max(b)
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if below(a, b, middle) == len(a) else (middle, high)
    return high


def packing(n, ratio, seed):
    """Balls of radii R to ratio R in a cube, pushed apart until they overlap by little."""
    rng = random.Random(seed)
    radii = [R * (1.0 + (ratio - 1.0) * rng.random() ** 2) for _ in range(n)]
    side = (sum(4.0 / 3.0 * math.pi * r ** 3 for r in radii) / 0.62) ** (1.0 / 3.0)
    x = [[side * rng.random() for _ in range(3)] for _ in radii]
    for _ in range(150):
        move = [[0.0] * 3 for _ in x]
        for i, j, normal, ri, rj in contacts(list(zip(x, radii)), side):
            push = 0.35 * (radii[i] + radii[j] - ri - rj)
            for k in range(3):
                move[i][k] -= push * normal[k]
                move[j][k] += push * normal[k]
        x = [[(a + b) % side for a, b in zip(p, m)] for p, m in zip(x, move)]
    return [(tuple(p), r) for p, r in zip(x, radii)], side


def critical(bench, balls, side, kt):
    return bench.run(text(balls, side, kt, '"auto"'), steps=1).json["critical_step"]


def exact_step(kind, kt):
    """[s] Of neighbours that roll against each other, where kt = kn."""
    return 2.0 / math.sqrt(10.0 / 3.0 * {"sc": 6, "fcc": 12}[kind] * kt * KN / M)


@case("host/critical-step", "the critical step of lattices", source="lattice dynamics; rolling of neighbours",
      formula="dt_c sqrt(k/m) = 2/sqrt((10/3) Z kt/kn), Z = 12: that of fcc; sc has the same, since a body counts as many "
      "neighbours as it has room for; 2/sqrt(8 (1 + 2 kt/kn)) for kt = 2/7 kn", tolerance=1e-12, why="a formula")
def lattices(bench):
    found, unit = [], math.sqrt(M / KN)
    for kind, kt, want in (("sc", 1.0, 2.0 / math.sqrt(40.0)), ("fcc", 1.0, 2.0 / math.sqrt(40.0)),
                           ("sc", 2.0 / 7.0, 2.0 / math.sqrt(8.0 * (1.0 + 4.0 / 7.0)))):
        balls, side = lattice(kind, 4)
        found.append((f"{kind}, kt = {kt:.3g} kn", want, critical(bench, balls, side, kt) / unit))
    return found


@case("host/critical-step", "the bound next to the fastest of all motions", slow=True, source="Lanczos on the whole packing, in Python",
      formula="0.4 <= bound / (2 / omega_max) <= 1", tolerance=1e-6, why="a bound; Lanczos is converged to 1e-7")
def bounds(bench):
    found = []
    for kind in ("sc", "fcc"):
        for kt in (1.0, 2.0 / 7.0):
            balls, side = lattice(kind, 4 if kind == "sc" else 3)
            exact = 2.0 / math.sqrt(fastest(balls, side, kt))
            found.append((f"{kind}, kt = {kt:.3g} kn", (0.4, 1.0 + 1e-6), critical(bench, balls, side, kt) / exact))
    for ratio, kt, seed in ((1.0, 1.0, 1), (3.0, 1.0, 2), (3.0, 2.0 / 7.0, 3)):
        balls, side = packing(70, ratio, seed)
        exact = 2.0 / math.sqrt(fastest(balls, side, kt))
        found.append((f"random packing, radii 1 to {ratio:g}, kt = {kt:.3g} kn", (0.4, 1.0 + 1e-6),
                      critical(bench, balls, side, kt) / exact))
    return found


@case("host/critical-step", "lattices whose balls roll, 2 % below and above the critical step", source="velocity Verlet, omega dt = 2",
      formula="below: E stays within E0/(1 - (omega dt/2)^2); above: grows, and the run ends with status 1", tolerance=1e-6,
      why="a band for runs that stay bounded; a status for those that end")
def rolling(bench):
    found = []
    for kind in ("sc", "fcc"):
        balls, side = lattice(kind, 4 if kind == "sc" else 3)
        step = exact_step(kind, 1.0)
        calm = bench.run(text(balls, side, 1.0, repr(0.98 * step), spin=1e-4), steps=20000)
        energy = calm.json["energy"]
        most = 1.0 / (1.0 - 0.98 ** 2)
        found.append((f"{kind}, 2 % below: kinetic and stored energy after 20 000 steps, of the start", (0.0, most),
                      (energy["kinetic"] + energy["stored"]) / energy["start"]))
        wild = bench.run(text(balls, side, 1.0, repr(1.02 * step), spin=1e-4), steps=20000, fails=True)
        found.append((f"{kind}, 2 % above: status", 1.0, float(wild.status)))
        found.append((f"{kind}, 2 % above: the error says so", 1.0, float("the run has blown up at step" in wild.stderr
                                                                         and "above the critical step" in wild.stderr)))
    return found


@case("host/critical-step", "beds that fall and come to rest at the whole critical step", source="the account of energy",
      formula="residual / dissipated, and kinetic energy at the end / energy of the start, with dt_fraction = 1", tolerance=0.05,
      why="the largest step that is stable is not an exact one: impacts take some ten steps")
def beds(bench):
    found = []
    for sizes, restitution in (("radius = 0.002;", 0.3), ("radius = 0.002;", 0.9),
                               ('distribution = { type = "uniform"; min = 0.001; max = 0.003; };', 0.5)):
        run = bench.run(f'scene = {{ dt = "auto"; dt_fraction = 1.0; gravity = (0.0, 0.0, -9.81); }};\n'
                        f'materials = {{ m = {{ density = {RHO!r}; }}; }};\n'
                        'shapes = { box = { type = "box"; size = (0.02, 0.02, 0.2); }; };\n'
                        'bodies = { box = { shape = "box"; position = (0.0, 0.0, 0.1); }; };\n'
                        f'generate = {{ g = {{ plugin = "random"; {sizes} count = 150; region = {{ min = (-0.01, -0.01, 0.0); '
                        'max = (0.01, 0.01, 0.15); }; }; };\n'
                        f'force = ( {{ plugin = "linear"; kn = 1e4; friction = 0.4; restitution = {restitution!r}; }} );\n', steps=15000)
        energy = run.json["energy"]
        name = f"{sizes.split()[0]}, restitution {restitution}"
        found.append((f"{name}: residual / dissipated", 0.0, energy["residual"] / run.json["dissipated"]))
        found.append((f"{name}: kinetic energy at the end / energy of the start", 0.0, energy["kinetic"] / energy["start"]))
        found.append((f"{name}: warnings of contacts that dt is above", 0.0, float(run.json["warnings"]["critical_step"]["count"])))
    return found
