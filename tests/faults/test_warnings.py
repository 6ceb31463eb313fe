# SPDX-License-Identifier: Apache-2.0
"""Warnings of a run, once each and counted, and faults that end it.

usage: test_warnings.py SCREE CONFIGS
"""
import json
import math
import pathlib
import re
import sys
import time

import tap
from runs import read_table, scree

SCREE, CONFIGS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
R, K = 1e-3, 1e4
M = 2500.0 * 4.0 / 3.0 * math.pi * R ** 3
KINDS = ["residual", "overlap", "crossing", "critical_step"]
WORDS = {"residual": "the energy account is off by", "overlap": "bodies overlap by", "crossing": "in one step",
         "critical_step": "the run may gain energy"}


def run(top, *args):
    return scree(top, "run", *args, "-q", "--json")


def balls(top, dt, speed, more="", law="restitution = 1.0;", k=K):
    """Two balls, the second thrown at the first, which starts 1e-4 m away."""
    (top / "s.cfg").write_text(
        f"scene = {{ dt = {dt!r}; steps = 2000; dt_limit = 100.0; }};\n"
        f"materials = {{ m = {{ density = 2500.0; }}; }};\n"
        f"force = ( {{ plugin = \"linear\"; kn = {k!r}; {law} }} );\n{more}\n"
        f"bodies = {{ still = {{ radius = {R!r}; position = (0.0, 0.0, 0.0); }};\n"
        f" thrown = {{ radius = {R!r}; position = (2.1e-3, 0.0, 0.0); velocity = ({-speed!r}, 0.0, 0.0); }}; }};\n")
    return run(top, "s.cfg")


def counts(seen):
    return [json.loads(seen.stdout)["warnings"][kind]["count"] for kind in KINDS] if seen.stdout else None


def said(seen, kind):
    return sum("warning" in line and WORDS[kind] in line for line in seen.stderr.splitlines())


def test_pair(top):
    # depth v sqrt(m / 2 k) of an elastic impact
    touch = math.sqrt(0.5 * M / K)
    calm = balls(top, 1e-7, 0.9 * 0.05 * R / touch)
    tap.check("a calm impact is warned of nothing", calm.returncode == 0 and counts(calm) == [0, 0, 0, 0]
              and "warning" not in calm.stderr, calm)
    deep = balls(top, 1e-7, 1.1 * 0.05 * R / touch)
    warnings = json.loads(deep.stdout)["warnings"]["overlap"]
    tap.check("an overlap above 5 % of the radius is warned of once, with both bodies, and counted",
              said(deep, "overlap") == 1 and warnings["count"] > 10 and {warnings["body"], warnings["other"]} == {1, 2}
              and math.isclose(warnings["worst"], 0.055, rel_tol=1e-3) and "(still)" in deep.stderr
              and "(thrown)" in deep.stderr, (warnings, deep.stderr))
    deeper = balls(top, 1e-7, 12.0 * 0.05 * R / touch)
    shares = [float(share) for share in re.findall(r"bodies overlap by ([0-9.e+]+) % of", deeper.stderr)]
    tap.check("and again once it is ten times as deep", len(shares) == 2 and 5.0 <= shares[0] < 6.0 and 50.0 <= shares[1] < 60.0, deeper.stderr)
    tap.check("the step is that of the overlap", 0 < warnings["first_step"] < 2000
              and f"at step {warnings['first_step']}:" in deep.stderr, (warnings, deep.stderr))
    fast = balls(top, 1e-5, 1.05 * R / 1e-5, k=1e-3)
    warnings = json.loads(fast.stdout)["warnings"]["crossing"]
    tap.check("a body that crosses its radius in a step is warned of, once, by its number",
              fast.returncode == 0 and said(fast, "crossing") == 1 and warnings["body"] == 2 and warnings["count"] >= 1
              and math.isclose(warnings["worst"], 1.05, rel_tol=1e-2), (warnings, fast.stderr))
    slow = balls(top, 1e-5, 0.95 * R / 1e-5, k=1e-3)
    tap.check("one that does not gives no warning", said(slow, "crossing") == 0 and counts(slow)[2] == 0, slow)
    balls(top, 4e-6, 0.0, 'shapes = { floor = { type = "plane"; normal = (1.0, 0.0, 0.0); }; };')
    plane = run(top, "s.cfg", "--set", "scene.steps=50", "--set", 'bodies.lid={shape="floor"; motion="kinematic"; '
                'position=(-10.0, 0.0, 0.0); velocity=(1e4, 0.0, 0.0);}')
    warnings = json.loads(plane.stdout)["warnings"]["crossing"]
    tap.check("so is a plane that crosses the radius of the smallest ball", said(plane, "crossing") == 1
              and warnings["body"] == 3 and "(lid) crosses the smallest radius in one step: 0.04 m" in plane.stderr, plane)


def test_thin_wall(top):
    wall = ('shapes = { sheet = { type = "facets"; vertices = ((-0.1,-0.1,-0.1), (-0.1,0.1,-0.1), (-0.1,0.1,0.1), '
            '(-0.1,-0.1,0.1)); facets = ((0,1,2,3)); }; };')
    (top / "w.cfg").write_text(
        "scene = { dt = 1e-5; steps = 400; };\nmaterials = { m = { density = 2500.0; }; };\n" + wall +
        '\nforce = ( { plugin = "linear"; kn = 1.0e4; } );\n'
        f'bodies = {{ sheet = {{ shape = "sheet"; }}; ball = {{ radius = {R!r}; position = (0.0003, 0.0, 0.0); '
        "velocity = (-310.0, 0.0, 0.0); }; };\n")
    seen = run(top, "w.cfg")
    data = json.loads(seen.stdout)
    tap.check("a ball that passes through a thin wall unseen is warned of", data["warnings"]["crossing"]["count"] > 0
              and data["momentum"][0] < 0.0 and said(seen, "crossing") == 1, (data["momentum"], seen.stderr))


def test_deepest(top):
    """The pair of the deepest overlap is named, not only the first one: a ball that is pressed through a sheet."""
    sheet = ('shapes = { sheet = { type = "facets"; vertices = ((-0.1,-0.1,-0.1), (-0.1,0.1,-0.1), (-0.1,0.1,0.1), '
             '(-0.1,-0.1,0.1)); facets = ((0,1,2,3)); }; };')
    (top / "p.cfg").write_text(
        "scene = { dt = 1e-6; steps = 2000; };\nmaterials = { m = { density = 2500.0; }; };\n" + sheet +
        f'\nforce = ( {{ plugin = "linear"; kn = {K!r}; kt = 1e6; friction = 0.5; }} );\nbodies = {{'
        f" still = {{ radius = {R!r}; position = (0.0, 0.0, 0.0); }};"
        f" near = {{ radius = {R!r}; position = ({1.93 * R!r}, 0.0, 0.0); }};"
        f' sheet = {{ shape = "sheet"; }}; bullet = {{ radius = {R!r}; position = (-0.0988, 0.05, 0.0); velocity = (-30.0, 3.0, 0.0); }}; }};\n')
    seen = run(top, "p.cfg")
    found = json.loads(seen.stdout)["warnings"]["overlap"]
    text = scree(top, "run", "p.cfg", "-q")
    line = next((x for x in text.stdout.splitlines() if "overlap above" in x), "")
    step = found["worst_step"]
    tap.check("the deepest pair and its step are in the object", [found["worst_body"], found["worst_other"]] == [3, 4] and
              0.9 < found["worst"] <= 1.0 and 40 <= step < 70 and found["first_step"] < step, found)
    tap.check("... and with their groups in the summary", line.endswith(
        f"; at most {found['worst']:.3g} of the smaller radius, of bodies 3 (sheet) and 4 (bullet) at step {step}"), line)
    coarse = balls(top, 1.05 * math.sqrt(0.5 * M / K), 4.0, law="restitution = 1.0; kt = 1e4; friction = 0.3;")
    found = json.loads(coarse.stdout)["warnings"]["overlap"]
    line = next((x for x in coarse.stderr.splitlines() if "the energy account is off" in x), "")
    tap.check("... and in the warning about the energy account", line.endswith(
        f"; the deepest overlap is {found['worst']:.3g} of the smaller radius, of bodies 1 (still) and 2 (thrown) at step "
        f"{found.get('worst_step')}"), coarse.stderr)


def test_energy(top):
    coarse = balls(top, 1.2 * math.sqrt(0.5 * M / K), 0.2, law="restitution = 1.0; kt = 1e4; friction = 0.3;")
    warnings = json.loads(coarse.stdout)["warnings"]
    tap.check("a residual above a percent of what was exchanged is warned of, once", said(coarse, "residual") == 1
              and warnings["residual"]["worst"] > 0.01, (warnings, coarse.stderr))
    summary = scree(top, "run", "s.cfg", "-q")
    (top / "t.cfg").write_text('base = "s.cfg";\nobservers = { scalars = { plugin = "csv"; what = "scalars"; every_steps = 16; }; };\n')
    run(top, "t.cfg", "-o", "traced")
    rows = [{key: float(value) for key, value in row.items()} for row in read_table(top / "traced" / "scalars.csv")]
    off, exchanged = [], 0.0
    for old, new in zip(rows, rows[1:]):
        exchanged += 0.5 * sum(abs(new[key] - old[key]) for key in ("kinetic", "gravity", "stored", "lost", "work"))
        off.append(abs(new["residual"] - rows[0]["residual"]) > 0.01 * max(exchanged, 1e-3 * (new["kinetic"] + new["stored"])))
    first = next(k for k in range(len(off)) if all(off[k:k + 5]))  # five checks, 16 steps apart
    tap.check("when it has lasted for 64 steps", warnings["residual"]["first_step"] == rows[first + 1]["step"] + 64,
              (warnings["residual"], first, off[:40]))
    finer = balls(top, 0.8 * math.sqrt(0.5 * M / K), 0.2)
    for seen, way in ((coarse, "appeared"), (finer, "vanished")):
        residual = json.loads(seen.stdout)["energy"]["residual"]
        tap.check(f"the warning says that energy has {way}", (residual > 0.0) == (way == "appeared")
                  and f"(energy has {way})" in seen.stderr, (residual, seen.stderr))
    tap.check("the table counts it", re.search(r"^warnings +residual above 1 % .* seen \d+ times?", summary.stdout, re.M),
              summary.stdout)


def test_small_exchange(top):
    """A gain that is large next to what was exchanged, but below 1e-5 of all energy, is rounding or a detail: not warned of.
    The energy is that of a ball held between two others, at rest: K d^2."""
    coarse = balls(top, 1.2 * math.sqrt(0.5 * M / K), 0.2)
    gain = json.loads(coarse.stdout)["energy"]["residual"]
    for times, warned in ((3.0, 0), (0.3, 1)):
        deep = math.sqrt(times * abs(gain) / 1e-5 / K)
        (top / "held.cfg").write_text(
            'base = "s.cfg";\n'
            f'bodies = {{ left = {{ radius = 0.1; position = ({0.8 + deep!r}, 0.0, 0.0); motion = "fixed"; }}; '
            f'right = {{ radius = 0.1; position = ({1.2 - deep!r}, 0.0, 0.0); motion = "fixed"; }}; '
            "held = { radius = 0.1; position = (1.0, 0.0, 0.0); }; };\n")
        seen = run(top, "held.cfg")
        energy = json.loads(seen.stdout)["energy"]
        tap.check(f"a residual of {1e-5 / times:.2g} of all energy is warned of {'once' if warned else 'not at all'}",
                  said(seen, "residual") == warned and math.isclose(energy["stored"], K * deep * deep, rel_tol=1e-3)
                  and math.isclose(energy["residual"], gain, rel_tol=1e-3), (gain, energy, seen.stderr))


def test_many_contacts(top):
    """A ball comes to lie on eight planes at one place, in step 256: its step is then 2 sqrt(m / 8 K), below dt, which is 0.9 of
    that of one contact."""
    dt = 0.9 * 2.0 * math.sqrt(M / 3.0 / K)
    planes = "".join(f'f{k} = {{ shape = "floor"; }}; ' for k in range(8))
    (top / "m.cfg").write_text(
        f"scene = {{ dt = {dt!r}; steps = 400; }};\n"
        "materials = { m = { density = 2500.0; }; };\n"
        'shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
        f'force = ( {{ plugin = "linear"; kn = {K!r}; kt = 0.0; restitution = 1.0; }} );\n'
        f"bodies = {{ {planes} ball = {{ radius = {R!r}; position = (0.0, 0.0, {R + 0.1 * 255.5 * dt!r}); "
        "velocity = (0.0, 0.0, -0.1); }; };\n")
    seen = run(top, "m.cfg")
    tap.check("a run that blows up names the critical step of all contacts, the body and when they were there",
              seen.returncode == 1 and f"dt is above the critical step, {2.0 * math.sqrt(M / 8.0 / K):.6g} s (of body 9 with 8 contacts "
              "at step 256)" in seen.stderr, seen.stderr)


def test_onset(top):
    """Where a contact begins, its dashpot acts for half a step, and three quarters are booked: c v^2 dt / 4 too much, until
    it ends. In the first step that is 40 % of what was exchanged."""
    mass = 2500.0 * 4.0 / 3.0 * math.pi * 5e-3 ** 3
    damping = -math.log(0.8) / math.hypot(math.pi, math.log(0.8)) * math.sqrt(2.0 * mass * 3.3e5)
    for stop in (1000, 1001, 1010, 1023, 1024, 1025):
        seen = run(top, CONFIGS / "collision.cfg", "--until", f"{stop} us")
        energy = json.loads(seen.stdout)["energy"]
        booked = energy["residual"] / (0.25 * damping * 2.0 ** 2 * 1e-6)
        tap.check(f"an account is not called off because a contact begins ({stop} us)", counts(seen) == [0, 0, 0, 0]
                  and "warning" not in seen.stderr and (stop > 1000 or abs(booked - 1.0) < 0.01), (booked, energy, seen.stderr))


def test_fastest(top):
    """A ball that bounces along z with a step above the critical one: its speed is that of its kinetic energy."""
    scene = top / "bounce.cfg"
    scene.write_text("""scene = { dt = 1e-3; steps = 20000; gravity = (0.0, 0.0, -9.81); };
materials = { m = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; }; ball = { radius = 0.01; position = (0.0, 0.0, 0.0098); }; };
force = ( { plugin = "linear"; kn = 1.0e5; } );
""")
    seen = run(top, scene)
    told = re.search(r"kinetic energy is (\S+) J; the fastest is body 2 \(ball\) at (\S+) m/s", seen.stderr)
    mass = 2500.0 * 4.0 / 3.0 * math.pi * 1e-6
    tap.check("the fastest body is named with its speed", seen.returncode == 1 and told and math.isclose(
        float(told[2]), math.sqrt(2.0 * float(told[1]) / mass), rel_tol=0.01), seen.stderr)


def test_wild(top):
    """Runs that kept a processor busy for minutes, or ended with status 0."""
    for count, speed in ((216, 0.5), (216, 20.0), (1000, 5.0)):
        begin = time.monotonic()
        seen = run(top, CONFIGS / "gas.cfg", "--set", "scene.dt=3.41e-5", "--set", f"generate.molecules.count={count}",
                   "--set", f"generate.molecules.velocity_random={speed}")
        tap.check(f"a gas of {count} at 2.7 of the critical step, {speed} m/s, ends with an error, soon",
                  seen.returncode == 1 and time.monotonic() - begin < 30.0
                  and re.search(r"the run has blown up at step \d+: .* J appeared without a source.* body \d+ \(molecules\) at "
                                r".*above the critical step, .*take a smaller dt", seen.stderr), seen.stderr)
    seen = run(top, CONFIGS / "thesis" / "embankment.cfg", "--set", "force.0.kn=4e6", "--set", "observers={}")
    tap.check("so does an embankment whose dt is a tenth of a pair's period", seen.returncode == 1
              and "blown up" in seen.stderr, seen.stderr)
    seen = run(top, CONFIGS / "gas.cfg", "--set", "generate.molecules.velocity_random=5.0", "--steps", 1000)
    tap.check("a gas ten times as fast, below the critical step, goes on", seen.returncode == 0
              and counts(seen)[0] == 0, seen.stderr)


def test_later(top):
    """Two balls that touch, a hair above a floor. The bound of the lower one is three springs, once it lies there; that of
    one contact two. A step between says nothing at the start, and is warned of when both contacts are there. (The fastest
    motion has 2.62 springs: it is calm.)"""
    (top / "l.cfg").write_text(
        "scene = { dt = 1e-6; steps = 600; gravity = (0.0, 0.0, -9.81); };\n"
        "materials = { m = { density = 2500.0; }; };\n"
        'shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
        f'force = ( {{ plugin = "linear"; kn = {K!r}; kt = 0.0; restitution = 0.3; }} );\n'
        f'bodies = {{ floor = {{ shape = "floor"; }}; low = {{ radius = {R!r}; position = (0.0, 0.0, {R + 1e-10!r}); }}; '
        f"high = {{ radius = {R!r}; position = (0.0, 0.0, {3.0 * R + 1e-10!r}); }}; }};\n")
    step = json.loads(run(top, "l.cfg", "--steps", 1).stdout)["critical_step"]
    seen = run(top, "l.cfg", "--set", f"scene.dt={1.08 * step!r}")
    warnings = json.loads(seen.stdout)["warnings"]["critical_step"] if seen.stdout else {}
    tap.check("a dt above the critical step of the contacts there are now is warned of, with the body that sets it",
              seen.returncode == 0 and said(seen, "critical_step") == 1 and warnings.get("count") == 1
              and warnings["first_step"] == 256 and re.search(r"\((low|high)\) with [12] contacts? at step 256", seen.stderr)
              and 1.0 < warnings["worst"] < 1.08, (warnings, seen.stderr))


def test_rounding(top):
    """Discs of a lattice touch to the last bit or not: what moves them until a wall comes is rounding."""
    (top / "r.cfg").write_text(
        'scene = { dimension = 2; dt = 1e-5; steps = 256; thickness = "10 mm"; region = { min = (0.0, 0.0); '
        "max = (0.05, 0.05); }; };\nmaterials = { m = { density = 2500.0; }; };\n"
        'generate = { g = { method = "lattice"; radius = "2 mm"; }; };\n'
        'force = ( { plugin = "linear"; kn = 1e5; friction = 0.3; restitution = 0.5; } );\n')
    rest = run(top, "r.cfg")
    tap.check("an account that rounding puts off is warned of nothing", rest.returncode == 0
              and counts(rest) == [0, 0, 0, 0] and "warning" not in rest.stderr, rest)
    rest = run(top, "r.cfg", "--set", 'integrator.plugin="gear"', "--set", "scene.dt=2.2e-5", "--steps", 96)
    tap.check("nor does it end a run above the critical step", rest.returncode == 0 and counts(rest)[0] == 0
              and "above the critical step" in rest.stderr, rest)


if __name__ == "__main__":
    tap.in_folders(test_pair, test_thin_wall, test_deepest, test_energy, test_small_exchange, test_many_contacts, test_onset, test_fastest, test_wild, test_later, test_rounding)
