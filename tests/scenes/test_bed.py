# SPDX-License-Identifier: Apache-2.0
"""Blocks on slopes with force/overlap_area, whose default is form = "bed": they stand up to tan(phi) = width / height, and tip above.

usage: test_bed.py SCREE
"""
import json
import math

import tap
from runs import read_numbers, run, scree

DENSITY, G, WIDTH = 2500.0, 9.81, 0.02
RESOLVERS = ("closest_feature", "dfr2d", "cyrus_beck")
# dfr2d resamples: along their diagonals squares stay what they are.
SLAB = 'slab = { type = "polygon"; vertices = ((-0.5, -1.0), (0.5, -1.0), (0.5, 0.0), (-0.5, 0.0)); resample = 2; };'


def block(name, height):
    x, y = 0.5 * WIDTH, 0.5 * height
    return f'{name} = {{ type = "polygon"; vertices = (({-x!r}, {-y!r}), ({x!r}, {-y!r}), ({x!r}, {y!r}), ({-x!r}, {y!r})); {"resample = 2; " if height == WIDTH else ""}}};'


def scene(shapes, bodies, law, steps, dt, resolver="closest_feature", gravity=-G):
    return f"""
scene = {{ dimension = 2; dt = {dt!r}; steps = {steps}; gravity = (0.0, {gravity!r}); }};
materials = {{ stone = {{ density = {DENSITY}; }}; }};
shapes = {{ {SLAB} {shapes} }};
bodies = {{ {bodies} }};
force = ( {{ plugin = "overlap_area"; kt = 3e6; {law} }} );
resolvers = ( {{ plugin = "{resolver}"; }} );
observers = {{ b = {{ plugin = "csv"; what = "bodies"; every_steps = {steps}; }}; }};
"""


def bodies_of(top, name, step):
    return {row["name"]: row for row in read_numbers(top / name / "bodies.csv") if row["step"] == step}


def turned(row):
    return 2.0 * math.atan2(row["qz"], row["qw"])


def pushes(top, height, poses, k, resolver):
    """(push across the slab, its distance from the middle of the block, height of the middle) of blocks in these poses
    (tilt, depth of the lower corner), without friction."""
    bodies = ""
    for i, (tilt, low) in enumerate(poses):
        up = 0.5 * WIDTH * math.sin(tilt) + 0.5 * height * math.cos(tilt) - low
        bodies += f'f{i} = {{ shape = "slab"; motion = "fixed"; position = ({2.0 * i!r}, 0.0); }}; ' \
                  f'b{i} = {{ shape = "block"; position = ({2.0 * i!r}, {up!r}); orientation = {tilt!r}; }}; '
    run(top, scene(block("block", height), bodies, f'k = {k!r}; damping = "none"; friction = 0.0;', 1, 1e-12, resolver, 0.0),
        name=f"push-{resolver}-{height}")
    rows = bodies_of(top, f"push-{resolver}-{height}", 0)
    return [(rows[f"b{i}"]["fy"], rows[f"b{i}"]["tz"] / rows[f"b{i}"]["fy"], rows[f"b{i}"]["y"]) for i in range(len(poses))]


def test_statics(top):
    """A block on a slope of phi rests tilted by t where the bed's push, of its weight, is below its middle: at phi - t =
    atan(lever / height). The largest such phi is where it tips. Stiff blocks: flat, they are 1e-9 of their width deep."""
    weight, k = DENSITY * WIDTH * WIDTH * G, 1e16
    for resolver in RESOLVERS:
        for ratio in (1.0,) if resolver == "dfr2d" else (1.0, 2.0, 4.0):
            height, poses = ratio * WIDTH, []
            modulus = k * math.hypot(WIDTH, height)  # l: the width of the ball around the block
            for n in range(60):
                tilt = 1e-7 * 1.25 ** n
                width = math.sqrt(2.0 * ratio * weight / (modulus * math.tan(tilt)))  # modulus width^2 tan t / 2 = weight
                low = width * math.sin(tilt) if width < WIDTH else \
                    0.5 * WIDTH * math.sin(tilt) + ratio * weight / (modulus * WIDTH)  # modulus width depth = weight
                poses.append((tilt, low))
            found = pushes(top, height, poses, k, resolver)
            best = max(math.atan(-lever / up) - tilt for (tilt, _), (_, lever, up) in zip(poses, found))
            off = math.degrees(best) - math.degrees(math.atan(1.0 / ratio))
            loads = [push for push, _, _ in found]
            print(f"# {resolver}: loads {min(loads) / (ratio * weight):.3f} to {max(loads) / (ratio * weight):.3f} of the weight; a block {ratio:g} times as high as wide tips at {math.degrees(best):.4f} degrees, {off:.4f} off")
            tap.check(f"{resolver}: a stiff block {ratio:g} times as high as wide tips at tan(phi) = width / height to 0.1 degrees",
                      -0.1 < off < 0.01 and abs(min(loads) / (ratio * weight) - 1.0) < 0.03 > abs(max(loads) / (ratio * weight) - 1.0),
                      (off, loads))


def on_slopes(top, name, cases, law, steps, dt):
    """How far blocks (height / width, slope) have turned, laid on slopes of their own."""
    shapes, bodies = "", ""
    for i, (ratio, phi) in enumerate(cases):
        height = ratio * WIDTH
        shapes += block(f"s{i}", height)
        up, x = 0.5 * height, 4.0 * i
        bodies += f'f{i} = {{ shape = "slab"; motion = "fixed"; position = ({x!r}, 0.0); orientation = {phi!r}; }}; ' \
                  f'b{i} = {{ shape = "s{i}"; position = ({x - up * math.sin(phi)!r}, {up * math.cos(phi)!r}); orientation = {phi!r}; }}; '
    run(top, scene(shapes, bodies, law, steps, dt), name=name)
    rows = bodies_of(top, name, steps)
    return [turned(rows[f"b{i}"]) - phi for i, (_, phi) in enumerate(cases)], rows


LAW = "k = {k!r}; friction = {friction}; damping_ratio = 0.5; damping_t = 100.0;"


def test_square(top):
    """A soft one, 1e-3 of its width deep; the slope is 15 degrees below where a rigid one tips, and friction holds it. A force
    at the middle of the chord lets it tumble down."""
    phi = math.radians(30.0)
    turns, rows = on_slopes(top, "square", [(1.0, phi)], LAW.format(k=1e9, friction=0.8), 60000, 1e-5)
    speed = math.hypot(rows["b0"]["vx"], rows["b0"]["vy"])
    print(f"# a square on 30 degrees with friction 0.8: turned by {math.degrees(turns[0]):.4f} degrees, {speed:.2g} m/s")
    tap.check("a soft square on a slope of 30 degrees with friction 0.8 stays on its side",
              abs(turns[0]) < math.radians(1.0) and speed < 0.02, (turns, speed))


def test_dominoes(top):
    """Eight blocks, 1 to 8 times as high as wide, each on a slope of 0.7 times the angle at which rigid blocks tip, and on one 3
    degrees above it. A force at the middle of the chord is right for 10 of the 16."""
    cases = [(ratio, phi) for ratio in (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0)
             for phi in (0.7 * math.atan(1.0 / ratio), math.atan(1.0 / ratio) + math.radians(3.0))]
    turns, _ = on_slopes(top, "dominoes", cases, LAW.format(k=1e10, friction=2.0), 60000, 1e-5)
    right = [abs(turn) < math.radians(1.0) if n % 2 == 0 else abs(turn) > math.radians(10.0) for n, turn in enumerate(turns)]
    print("# dominoes turned by " + ", ".join(f"{math.degrees(t):.2f}" for t in turns) + " degrees")
    tap.check("of 16 dominoes on slopes each does what a rigid one does: it stays or falls", all(right), (sum(right), turns))


def test_restart(top):
    """A block that rocks on its face, undamped: the bed's energy is in the account, and a restart and a swap of the resolver
    go on from it."""
    shapes, height = block("s0", WIDTH), WIDTH
    bodies = f'f0 = {{ shape = "slab"; motion = "fixed"; position = (0.0, 0.0); }}; ' \
             f'b0 = {{ shape = "s0"; position = (0.0, {0.5 * height - 2e-5!r}); spin = 0.3; }}; '
    text = scene(shapes, bodies, 'k = 1e9; friction = 0.5; damping = "none";', 2000, 1e-6)
    whole = run(top, text, name="whole")
    run(top, text, "--steps", "1000", name="half")
    again = scree(top, "run", "--restart", "half", "-q", "--json", "-o", "rest", "--steps", "1000")
    swapped = run(top, text + 'schedule = ( { at_step = 1000; set = { resolvers = ( { plugin = "cyrus_beck"; } ); }; } );\n', name="swapped")
    off = [data["energy"]["residual"] / whole["energy"]["stored"] for data in (whole, swapped)]
    print(f"# stored {whole['energy']['stored']:.6g} J, {swapped['energy']['stored']:.6g} J with a swap, residuals {off[0]:.2g}, {off[1]:.2g} of it")
    tap.check("a block on its bed goes on alike after a restart",
              again.returncode == 0 and json.loads(again.stdout)["state_sha256"] == whole["state_sha256"], again.stderr)
    tap.check("the bed keeps what it stores when another resolver takes over",
              all(abs(x) < 1e-3 for x in off) and abs(swapped["energy"]["stored"] / whole["energy"]["stored"] - 1.0) < 1e-6, (off, swapped["energy"]))


tap.in_folder(test_statics, test_square, test_dominoes, test_restart)
