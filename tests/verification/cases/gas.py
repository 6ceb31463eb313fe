# SPDX-License-Identifier: Apache-2.0
"""Gases of spheres in a periodic box: elastic, rough, cooling; next to kinetic theory."""
import math

from tools import ball_mass
from verify import case

R, RHO, N, SOLID = 1e-3, 2500.0, 1728, 0.10  # [m] [kg/m^3] [-] [-]
M, D = ball_mass(R, RHO), 2.0 * R
SIDE = (N * math.pi / 6.0 * D ** 3 / SOLID) ** (1.0 / 3.0)
G0 = (1.0 - 0.5 * SOLID) / (1.0 - SOLID) ** 3  # Carnahan, Starling 1969
SIGMA = 1.0  # [m/s] standard deviation of a component at the start
RATE = 4.0 * math.sqrt(math.pi) * N / SIDE ** 3 * D ** 2 * G0 * SIGMA  # [1/s] collisions of a ball, Enskog
CONTACT = 1.0 / RATE / 100.0  # [s] a hundredth of the mean free time
KN = 0.5 * M * (math.pi / CONTACT) ** 2  # [N/m]
DT = CONTACT / 20.0
KINETIC = "Chapman, Cowling 1970, The Mathematical Theory of Non-Uniform Gases"


def gas(bench, steps, law, *, every, what=("scalars",), spin=""):
    tables = "".join(f'{name} = {{ plugin = "csv"; what = "{name}"; every_steps = {n}; }}; ' for name, n in zip(what, every))
    return bench.run(f"""scene = {{ dt = {DT!r}; steps = {steps}; boundary = "periodic";
    region = {{ min = (0.0, 0.0, 0.0); max = ({SIDE!r}, {SIDE!r}, {SIDE!r}); }}; }};
materials = {{ m = {{ density = {RHO}; }}; }};
generate = {{ balls = {{ count = {N}; radius = {R}; velocity_random = {SIGMA}; {spin} }}; }};
force = ( {{ plugin = "linear"; kn = {KN!r}; {law} }} );
observers = {{ {tables} }};""")


def temperatures(rows):
    """[J] m <u^2>/3 about the mean, I <w^2>/3."""
    n = len(rows)
    mean = [sum(row[q] for row in rows) / n for q in ("vx", "vy", "vz")]
    flight = M / 3.0 / n * sum((row[q] - u) ** 2 for row in rows for q, u in zip(("vx", "vy", "vz"), mean))
    turn = 0.4 * M * R * R / 3.0 / n * sum(row[q] ** 2 for row in rows for q in ("wx", "wy", "wz"))
    return flight, turn


def by_time(rows):
    found = {}
    for row in rows:
        found.setdefault(row["time"], []).append(row)
    return found


@case("bulk/gas", "10^6 collisions of an elastic gas", source=f"{KINETIC}; Carnahan, Starling 1969, J. Chem. Phys. 51, 635",
      formula="energy kept; f = 4 sqrt(pi) n d^2 g sqrt(T/m), g = (1 - s/2)/(1 - s)^3, s = 0.1; <u^4> / <u^2>^2 = 3", tolerance=2e-2,
      why="a contact lasts 1 % of the free time and is 0.5 % of d deep, which makes the spheres 0.5 % smaller: 1 % of the rate; "
      "<u^4> of 1.5e5 velocities is good to 2 %", slow=True)
def elastic(bench):
    steps = int(1.03 * 2e6 / N * 100 * 20)  # 2/N collisions of a ball, free times, contacts
    run = gas(bench, steps, "", every=(steps // 50, steps // 30), what=("scalars", "bodies"))
    rows = run.csv()
    states = list(by_time(run.csv("bodies")).values())[2:]
    energy = [row["kinetic"] + row["stored"] for row in rows]
    t = temperatures(states[-1])[0]
    contacts = run.json["contacts"]
    rate = 2.0 * contacts / N / CONTACT
    theory = RATE / SIGMA * math.sqrt(t / M)
    u = [row[q] for state in states for row in state for q in ("vx", "vy", "vz")]
    mean2 = sum(x * x for x in u) / len(u)
    u4 = sum(x ** 4 for x in u) / len(u) / mean2 ** 2
    width, top = 0.2, 4.0
    bins = [0] * int(2 * top / width)
    for x in u:
        k = int((x / math.sqrt(mean2) + top) / width)
        if 0 <= k < len(bins):
            bins[k] += 1
    xs = [-top + width * (k + 0.5) for k in range(len(bins))]
    fine = [-top + 0.05 * k for k in range(161)]
    bench.figure("maxwell", xlabel="u / sqrt(T/m) [-]", ylabel="density [-]", log="y",
                 lines=[("Maxwell", fine, [math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi) for x in fine])],
                 points=[("scree", *zip(*((x, b / len(u) / width) for x, b in zip(xs, bins) if b)))])
    ordered = sorted(x / math.sqrt(mean2) for x in u)
    apart = max(abs((k + 0.5) / len(u) - 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))) for k, x in enumerate(ordered))
    return [("collisions (at least 10^6)", (1e6, 1.2e6), contacts * steps * DT / CONTACT), ("rate of a ball [1/s]", theory, rate),
            ("largest change of the energy / energy", 0.0, max(abs(e - energy[0]) for e in energy) / energy[0]),
            ("<u^4> / <u^2>^2", 3.0, u4), ("largest distance from Maxwell's distribution", 0.0, apart)]


@case("bulk/gas", "a rough elastic gas: translation and rotation come to equipartition", source="Huthmann, Zippelius 1997, Phys. Rev. E 56, R6275; "
      "linear springs with kt = 2/7 kn and no sliding turn the velocity of the contact point round",
      formula="d(T - Tr)/dt = -8/3 q/(1 + q)^2 f (T - Tr), q = 2/5; T = Tr at last", tolerance=6e-2,
      why="each temperature is a mean of 5184 squares: 2 % each, and the collision rate is 1 % low", slow=True)
def rough(bench):
    steps = 2000 * 20
    run = gas(bench, steps, "friction = 1e6;", every=(steps // 80, steps // 80), what=("scalars", "bodies"))
    seen = [(t, *temperatures(rows)) for t, rows in sorted(by_time(run.csv("bodies")).items())]
    k, t, x, exact = 8.0 / 3.0 * 0.4 / 1.96, 0.0, [seen[0][1], 0.0], []
    for time, _, _ in seen:
        n = 100
        for _ in range(n):
            h = (time - t) / n
            flow = 0.5 * k * RATE / SIGMA * math.sqrt(x[0] / M) * (x[0] - x[1])
            x = [x[0] - h * flow, x[1] + h * flow]
        t = time
        exact.append(tuple(x))
    times = [1e3 * s[0] for s in seen]
    bench.figure("equipartition", xlabel="time [ms]", ylabel="temperature / start [-]",
                 lines=[("translation", times, [e[0] / seen[0][1] for e in exact]), ("rotation", times, [e[1] / seen[0][1] for e in exact])],
                 points=[("scree, translation", times, [s[1] / seen[0][1] for s in seen]), ("scree, rotation", times, [s[2] / seen[0][1] for s in seen])])
    late = seen[60:]
    energy = [row["kinetic"] + row["stored"] for row in run.csv()]
    return [("Tr / T at last", 1.0, sum(s[2] for s in late) / sum(s[1] for s in late)),
            ("T / T0 at 1/4 of the run", exact[20][0] / seen[0][1], seen[20][1] / seen[0][1]),
            ("largest distance of T from theory / T0", 0.0, max(abs(s[1] - e[0]) for s, e in zip(seen, exact)) / seen[0][1]),
            ("largest change of the energy / energy", 0.0, max(abs(e - energy[0]) for e in energy) / energy[0])]


@case("bulk/gas", "a cooling gas follows Haff's law", source="Haff 1983, J. Fluid Mech. 134, 401; van Noije, Ernst 1998, Granular Matter 1, 57",
      formula="T = T0 / (1 + t/t0)^2, 1/t0 = (1 - e^2) f0 (1 + 3 a2/16)/6, e = 0.9", tolerance=6e-2,
      why="the temperature is a mean of 5184 squares, 2 %; t0 is as good as the collision rate, 1 %, which counts twice", slow=True)
def haff(bench):
    e = 0.9
    a2 = 16.0 * (1.0 - e) * (1.0 - 2.0 * e * e) / (81.0 - 17.0 * e + 30.0 * e * e * (1.0 - e))
    steps = int(190 * 100 * 20)
    run = gas(bench, steps, f"restitution = {e};", every=(steps // 60, steps // 60), what=("scalars", "bodies"))
    seen = [(t, temperatures(rows)[0]) for t, rows in sorted(by_time(run.csv("bodies")).items())]
    start = seen[0][1]
    inverse = (1.0 - e * e) * RATE / SIGMA * math.sqrt(start / M) * (1.0 + 3.0 * a2 / 16.0) / 6.0
    exact = [start / (1.0 + t * inverse) ** 2 for t, _ in seen]
    bench.figure("haff", xlabel="1 + t / t0 [-]", ylabel="T / T0 [-]", log="xy", lines=[("Haff", [1 + t * inverse for t, _ in seen], [x / start for x in exact])],
                 points=[("scree", [1 + t * inverse for t, _ in seen], [x / start for _, x in seen])])
    return [(f"T / T0 at 1 + t/t0 = {1 + seen[k][0] * inverse:.2f}", exact[k] / start, seen[k][1] / start) for k in (10, 20, 30, 40, 50, 60)]
