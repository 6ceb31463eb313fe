#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Oblique impacts of two spheres in LAMMPS, LIGGGHTS and scree: what each leaves of spin and speed.

usage: impact.py SCREE [LAMMPS] [LIGGGHTS] > tests/bench/results/impact.tsv
       impact.py --table < tests/bench/results/impact.tsv

Spheres of radius 5 and 7.5 mm are less than a step's way apart along x; the first has the speed `speed` at each of ANGLES to x, the
other is at rest. Per case of CASES one run of scree has all angles and restitutions E (a material each); the
others have one run per restitution. All take the same time step, 1/317 of the elastic impact at 0 degrees.
A row has the spin of the first sphere afterwards, over 5/2 speed / radius: of the other program, of scree
with that program's rule of sliding (and, where the law has it, its lever), of scree with its defaults for
these. --table prints the tables of docs/howto/from-lammps.md and from-liggghts.md, which
tests/bench/test_impact.py holds to the results.
"""
import math
import pathlib
import subprocess
import sys
import tempfile

RADII, DENSITY = (0.005, 0.0075), 2500.0
ANGLES = (5, 15, 30, 45, 60, 75, 85)
E = (1.0, 0.9, 0.7, 0.5, 0.3)
MASS = [4.0 / 3.0 * math.pi * r ** 3 * DENSITY for r in RADII]
REDUCED = MASS[0] * MASS[1] / sum(MASS)
CURVED = RADII[0] * RADII[1] / sum(RADII)
KN, YOUNG, POISSON = 1e5, 5e7, 0.25
SPRINGS = {"displacement": "mindlin", "displacement_rescaled": "mindlin_rescale",
           "increments": "mindlin/force", "increments_rescaled": "mindlin_rescale/force"}


def cases():
    """{name: keys}; `peer` is the model there, `sliding` the rule here."""
    made = {}
    for share, word in ((2.0 / 7.0, "2/7"), (1.0, "1")):
        for mu in (0.1, 0.4):
            made[f"hooke/history kt {word} mu {mu}"] = {
                "peer": "gran/hooke/history", "kt": share, "mu": mu, "gt": 0.5, "speed": 1.0}
    made["hooke/history kt 2/7 mu 0.4 slow"] = {
        "peer": "gran/hooke/history", "kt": 2.0 / 7.0, "mu": 0.4, "gt": 0.5, "speed": 1e-4}
    made["hooke/history limit_damping"] = {
        "peer": "gran/hooke/history", "kt": 2.0 / 7.0, "mu": 0.4, "gt": 0.5, "speed": 1.0, "limit": True}
    made["granular hooke linear_history"] = {
        "peer": "granular hooke", "kt": 2.0 / 7.0, "mu": 0.4, "gt": 0.5, "speed": 1.0}
    made["hooke gt 2"] = {"peer": "gran/hooke", "kt": 0.0, "mu": 0.4, "gt": 2.0, "speed": 1.0}
    made["hooke gt 2 slow"] = {"peer": "gran/hooke", "kt": 0.0, "mu": 0.4, "gt": 2.0, "speed": 1e-4}
    made["hertz/history mu 0.4"] = {"peer": "gran/hertz/history", "mu": 0.4, "speed": 1.0,
                                    "spring": "displacement", "xt": 0.0}
    for spring, peer in SPRINGS.items():
        for xt in (0.0, 1.0):
            made[f"{peer} xt {xt:g}"] = {"peer": peer, "mu": 0.4, "xt": xt, "speed": 1.0,
                                         "spring": spring}
    made["mindlin xt 1 mu 0.1"] = {"peer": "mindlin", "mu": 0.1, "xt": 1.0, "speed": 1.0,
                                   "spring": "displacement"}
    made["mindlin xt 1 slow"] = {"peer": "mindlin", "mu": 0.4, "xt": 1.0, "speed": 1e-3,
                                 "spring": "displacement"}
    made["mindlin xt 1 limit_damping"] = {"peer": "mindlin", "mu": 0.4, "xt": 1.0, "speed": 1.0,
                                          "spring": "displacement", "limit": True}
    made["liggghts hertz"] = {"peer": "liggghts hertz", "mu": 0.4, "speed": 1.0,
                              "spring": "displacement", "share": 1.0, "sliding": "spring"}
    made["liggghts hertz undamped"] = {"peer": "liggghts hertz", "mu": 0.4, "speed": 1.0,
                                       "spring": "displacement", "share": 0.0, "sliding": "spring"}
    made["liggghts hooke"] = {"peer": "liggghts hooke", "mu": 0.4, "kt": 2.0 / 7.0, "gt": 1.0,
                              "speed": 1.0, "sliding": "spring"}
    return made


def hooke(case):
    return "hooke" in case["peer"]


def zeta(e):
    return -math.log(e) / math.hypot(math.pi, math.log(e))


def gamma_n(e):
    """[1/s] of a linear law whose head-on restitution is e."""
    return 2.0 * zeta(e) * math.sqrt(KN / REDUCED)


def moduli():
    """E*, G*"""
    return YOUNG / 2.0 / (1.0 - POISSON ** 2), YOUNG / 4.0 / (1.0 + POISSON) / (2.0 - POISSON)


def step_of(case):
    """(dt, steps)"""
    if hooke(case):
        time = math.pi * math.sqrt(REDUCED / KN)
    else:
        k = 4.0 / 3.0 * moduli()[0] * math.sqrt(CURVED)
        slow = case["speed"] * math.cos(math.radians(ANGLES[-1]))
        time = 2.94 * (1.25 * REDUCED / k) ** 0.4 / slow ** 0.2
    return float(f"{time / 317.3:.4g}"), 700


def bodies(case):
    """(number from 0, x, y, vx, vy, radius) of the pairs of one restitution."""
    for k, angle in enumerate(ANGLES):
        v, turn = case["speed"], math.radians(angle)
        gap = 0.4 * v * math.cos(turn) * step_of(case)[0]
        yield 2 * k, 0.0, 0.1 * k, v * math.cos(turn), v * math.sin(turn), RADII[0]
        yield 2 * k + 1, sum(RADII) + gap, 0.1 * k, 0.0, 0.0, RADII[1]


def spin_unit(case):
    return 2.5 * case["speed"] / RADII[0]


def run(words, top):
    done = subprocess.run(words, cwd=top, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                          check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def alpha_of(want):
    """The restitution for which LAMMPS' polynomial for `tsuji` gives `want`."""
    c = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)
    low, high = 0.0, 1.0
    for _ in range(200):
        e = 0.5 * (low + high)
        low, high = (e, high) if sum(a * e ** i for i, a in enumerate(c)) > want else (low, e)
    return 0.5 * (low + high)


def lammps_style(case, e):
    limit = " limit_damping" if case.get("limit") else ""
    mu, peer = case["mu"], case["peer"]
    if peer.startswith("gran/hooke"):
        gn, kt = gamma_n(e), max(case["kt"], 1e-3) * KN
        return f"pair_style {peer} {KN!r} {kt!r} {gn!r} {case['gt'] * gn!r} {mu} 1{limit}", "* *"
    if peer == "gran/hertz/history":
        kn, kt = 4.0 / 3.0 * moduli()[0], 8.0 * moduli()[1]
        return f"pair_style {peer} {kn!r} {kt!r} 0 0 {mu} 1{limit}", "* *"
    if peer == "granular hooke":
        return "pair_style granular", (f"* * hooke {KN!r} {gamma_n(e)!r} damping mass_velocity tangential "
                                       f"linear_history {case['kt'] * KN!r} {case['gt']} {mu}{limit}")
    damping = f"{alpha_of(math.sqrt(5.0) * zeta(e))!r} {POISSON} damping tsuji"
    if e == 1.0:
        damping = f"0.0 {POISSON} damping velocity"
    return "pair_style granular", (f"* * hertz/material {YOUNG!r} {damping} tangential {peer} NULL "
                                   f"{case['xt']} {mu}{limit}")


def lammps(program, case, e):
    """{angle: spin} of one run."""
    style, coefficients = lammps_style(case, e)
    dt, steps = step_of(case)
    atoms = [f"create_atoms 1 single {x!r} {y!r} 0.0\nset atom {i + 1} diameter {2 * r!r}\n"
             f"set atom {i + 1} density {DENSITY!r}\nvelocity v{i} set {vx!r} {vy!r} 0.0"
             for i, x, y, vx, vy, r in bodies(case)]
    atoms = [a.replace("velocity v", f"group v{i} id {i + 1}\nvelocity v")
             for i, a in enumerate(atoms)]
    deck = "\n".join([
        "units si", "atom_style sphere", "boundary f f f", "comm_modify vel yes", "newton off",
        "region all block -0.1 0.1 -0.1 1.0 -0.1 0.1", "create_box 1 all", *atoms,
        style, f"pair_coeff {coefficients}", "neighbor 0.002 bin", "fix go all nve/sphere",
        f"timestep {dt!r}", f"run {steps}", "dump out all custom 1 out.txt id omegaz",
        "dump_modify out sort id format float %.17g", "run 0", ""])
    with tempfile.TemporaryDirectory() as top:
        (pathlib.Path(top) / "in").write_text(deck, encoding="utf-8")
        run([program, "-in", "in", "-log", "none"], top)
        return spins(pathlib.Path(top) / "out.txt", case)


def spins(path, case):
    lines = path.read_text(encoding="utf-8").splitlines()
    by_id = {int(a): float(b) for a, b in (line.split() for line in
                                           lines[lines.index(next(x for x in lines if "omegaz" in x)) + 1:])}
    return {angle: by_id[2 * k + 1] / spin_unit(case) for k, angle in enumerate(ANGLES)}


def liggghts(program, case, e):
    dt, steps = step_of(case)
    atoms = [f"create_atoms 1 single {x!r} {y!r} 0.0 units box\nset atom {i + 1} diameter {2 * r!r} density "
             f"{DENSITY!r}\ngroup v{i} id {i + 1}\nvelocity v{i} set {vx!r} {vy!r} 0.0 units box"
             for i, x, y, vx, vy, r in bodies(case)]
    young, ratio, model = YOUNG, 1.0, f"hertz tangential history tangential_damping " \
        f"{'on' if case.get('share', 1.0) else 'off'}"
    if hooke(case):  # kn = 16/15 sqrt(R) Y* (15 m v^2 / 16 sqrt(R) Y*)^(1/5), solved for the modulus
        model, root = "hooke tangential history tangential_damping on ktToKnUser on", math.sqrt(CURVED)
        star = (KN / (16.0 / 15.0 * root * (15.0 * REDUCED / 16.0 / root) ** 0.2)) ** 1.25
        young = 2.0 * (1.0 - POISSON ** 2) * star
    deck = "\n".join([
        "atom_style granular", "atom_modify map array", "boundary f f f", "newton off",
        "communicate single vel yes", "units si", "region all block -0.1 0.1 -0.1 1.0 -0.1 0.1 units box",
        "create_box 1 all", "neighbor 0.002 bin", *(f"""fix {n} all property/global {w}""" for n, w in (
            ("m1", f"youngsModulus peratomtype {young!r}"), ("m2", f"poissonsRatio peratomtype {POISSON}"),
            ("m3", f"coefficientRestitution peratomtypepair 1 {min(e, 1.0 - 1e-12)!r}"),
            ("m4", f"coefficientFriction peratomtypepair 1 {case['mu']}"),
            ("m5", "characteristicVelocity scalar 1.0"))),
        f"pair_style gran model {model}", "pair_coeff * *", f"timestep {dt!r}", *atoms,
        "fix go all nve/sphere", f"run {steps}", "dump out all custom 1 out.txt id omegaz",
        'dump_modify out sort id format "%d %.17g"', "run 0", ""])
    with tempfile.TemporaryDirectory() as top:
        (pathlib.Path(top) / "in").write_text(deck, encoding="utf-8")
        run([program, "-in", "in", "-log", "none"], top)
        return spins(pathlib.Path(top) / "out.txt", case)


def force_of(case, **more):
    """Keys of the law of a case; `more` overrides them."""
    keys = {"friction": case["mu"], "sliding": f'"{case.get("sliding", "total")}"'}
    if hooke(case):
        keys.update(plugin='"linear"', kn=KN, kt=case["kt"] * KN)
        if "liggghts" in case["peer"]:
            keys.update(damping='"constant"')
        else:
            keys.update(damping='"mass"', lever='"radius"')
        if case["peer"] == "gran/hooke":
            keys.update(spring='"none"')
    else:
        kt_by_kn = 2.0 * (1.0 - POISSON) / (2.0 - POISSON)
        keys.update(plugin='"hertz_mindlin"', spring=f'"{case["spring"]}"', lever='"radius"',
                    tangential_damping=case.get("share", case.get("xt", 0.0) / math.sqrt(kt_by_kn)))
        if case["peer"] == "liggghts hertz":
            keys.update(lever='"contact"')
    if case.get("limit"):
        keys.update(pull="false")
    keys.update(more)
    return "; ".join(f"{k} = {v}" for k, v in keys.items())


# Rule and lever that the laws have of their own: overrides of the other program's rule and lever.
DEFAULTS = {"sliding": '"each"', "lever": '"contact"'}


def material(case, e):
    keys = {"density": DENSITY}
    if not hooke(case):
        keys.update(young_modulus=YOUNG, poisson_ratio=POISSON, restitution=e)
    elif "liggghts" in case["peer"]:
        c = gamma_n(e) * REDUCED
        keys.update(damping_n=c, damping_t=case["gt"] * c)
    else:
        keys.update(gamma_n=gamma_n(e), gamma_t=case["gt"] * gamma_n(e))
    return "{ " + " ".join(f"{k} = {v!r};" for k, v in keys.items()) + " }"


def scree(program, case, **more):
    """{(e, angle): spin}"""
    dt, steps = step_of(case)
    rows = [f"{2 * len(ANGLES) * n + i},{x + 0.1 * n!r},{y!r},0,{vx!r},{vy!r},{r!r},m{n}"
            for n, _ in enumerate(E) for i, x, y, vx, vy, r in bodies(case)]
    scene = "\n".join([
        f"scene = {{ dt = {dt!r}; steps = {steps}; dt_limit = 100.0; }};",
        "materials = { " + " ".join(f"m{n} = {material(case, e)};" for n, e in enumerate(E)) + " };",
        'bodies = { all = { file = "bodies.csv"; }; };',
        f"force = ( {{ {force_of(case, **more)}; }} );",
        'observers = { out = { plugin = "csv"; what = "bodies"; every_steps = 100000; }; };', ""])
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "scene.cfg").write_text(scene, encoding="utf-8")
        (top / "bodies.csv").write_text("id,x,y,z,vx,vy,radius,material\n" + "\n".join(rows) + "\n",
                                        encoding="utf-8")
        run([program, "run", "scene.cfg", "-o", "out", "--threads", "1"], top)
        lines = (top / "out/bodies.csv").read_text(encoding="utf-8").splitlines()
    head = lines[0].split(",")
    at = next(i for i, h in enumerate(head) if h.split("[")[0].strip() in ("wz", "spin_z", "w_z"))
    last = {}
    for line in lines[1:]:
        cells = line.split(",")
        last[int(cells[head.index("id")])] = float(cells[at])
    return {(e, angle): last[2 * len(ANGLES) * n + 2 * k] / spin_unit(case)
            for n, e in enumerate(E) for k, angle in enumerate(ANGLES)}


def read_results(lines):
    """{case: {(e, angle): (peer, scree, default)}}"""
    found = {}
    for line in lines[1:]:
        case, e, angle, *spins_of = line.split("\t")
        found.setdefault(case, {})[float(e), int(angle)] = tuple(map(float, spins_of))
    return found


def apart(rows, e, column):
    """Largest difference over the angles, as a share of the largest spin."""
    mine = [rows[e, angle] for angle in ANGLES]
    return max(abs(r[column] - r[0]) for r in mine) / max(abs(r[0]) for r in mine)


def share(value):
    """Two digits, and never less than what was measured; the results have 12 digits."""
    if value < 1e-11:
        return "< 1e-11"
    exponent = math.floor(math.log10(value))
    digits = math.ceil(value / 10.0 ** (exponent - 1) - 1e-9)
    return f"{digits * 10.0 ** (exponent - 1):.1e}".replace("e-0", "e-")


def tables(results):
    """{program: lines of its tables}"""
    made = {}
    for words, title in (("liggghts", "LIGGGHTS"), ("", "LAMMPS")):
        mine = [c for c in results if ("liggghts" in cases()[c]["peer"]) == bool(words)]
        lines = ["| case | e = 1 | 0.9 | 0.7 | 0.5 | 0.3 | default at 0.5 |", "| --- | --- | --- | --- | --- | --- | --- |"]
        for case in mine:
            rows = results[case]
            row = [share(apart(rows, e, 1)) if (e, ANGLES[0]) in rows and any(
                rows[e, a][0] for a in ANGLES) else "" for e in E]
            row.append(share(apart(rows, 0.5, 2)) if row[3] else "")
            lines.append(f"| {case} | " + " | ".join(row) + " |")
        chosen = "mindlin xt 1" if title == "LAMMPS" else "liggghts hertz"
        other = '`sliding = "total"`' if title == "LAMMPS" else '`sliding = "spring"`'
        lines += ["", f"| angle | {title} | {other} | `sliding = \"each\"` |", "| --- | --- | --- | --- |"]
        lines += [f"| {angle} | " + " | ".join(f"{-x:.4f}" for x in results[chosen][0.5, angle]) + " |"
                  for angle in ANGLES]
        made[title] = lines
    return made


def main():
    if sys.argv[1] == "--table":
        for lines in tables(read_results(sys.stdin.read().splitlines())).values():
            print("\n".join(lines) + "\n")
        return
    program = pathlib.Path(sys.argv[1]).resolve()
    peers = {False: (lammps, sys.argv[2] if len(sys.argv) > 2 else "lmp"),
             True: (liggghts, sys.argv[3] if len(sys.argv) > 3 else "liggghts")}
    print("case\te\tangle\tpeer\tscree\tdefault")
    for name, case in cases().items():
        ours, default = scree(program, case), scree(program, case, **DEFAULTS)
        ask, other = peers["liggghts" in case["peer"]]
        for e in E:
            if case["peer"] == "gran/hertz/history" and e != 1.0:
                continue  # its dashpot goes with depth^(1/2), which hertz_mindlin has not
            theirs = ask(other, case, e)
            for angle in ANGLES:
                print(f"{name}\t{e}\t{angle}\t{theirs[angle]:.12g}\t{ours[e, angle]:.12g}"
                      f"\t{default[e, angle]:.12g}")


if __name__ == "__main__":
    main()
