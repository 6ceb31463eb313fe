# SPDX-License-Identifier: Apache-2.0
"""Observer `image`: solids by their surface, clumps by their balls, against the geometry of a rod and a dumbbell.

usage: test_shapes_image.py SCREE FOLDER_OF_PLUGINS...
"""
import math
import pathlib
import subprocess
import sys
import tempfile

from common import environment, tap

from png import extent, read_png
from runs import environment, scree
from vectors import cross, unit

SCREE, PLUGINS = sys.argv[1], [word for folder in sys.argv[2:] for word in ("--plugin-path", folder)]
PLAIN = 'colour_bar = false; time_stamp = false; hollows = false; axes = false; scale_bar = false; background = "transparent"; '
SIDE = 'projection = "orthographic"; direction = (0.0, -1.0, 0.0); up = (0.0, 0.0, 1.0); target = (0.0, 0.0, 0.0); '
LENGTH, R = 0.3, 0.1          # [m] of the rod
ONE, OTHER, APART = 0.1, 0.06, 0.2  # [m] of the dumbbell
SHAPES = f"""stick = {{ type = "rod"; length = {LENGTH}; radius = {R}; }};
    bell = {{ type = "dumbbell"; radius = {ONE}; other = {OTHER}; distance = {APART}; }};
    egg = {{ type = "egg"; axes = (0.2, 0.1, 0.1); }};"""
LUMP = 'lump = { type = "lump"; side = 0.2; };'


def picture(top, bodies, image, dimension=3, *args):
    (top / "s.cfg").write_text(f"""scene = {{ dimension = {dimension}; dt = 1.0e-4; steps = 1; }};
        materials = {{ m = {{ density = 2500.0; }}; }}; shapes = {{ {SHAPES} {LUMP if dimension == 3 else ""} }}; bodies = {{ {bodies} }};
        resolvers = ( {{ plugin = "sphere"; }}, {{ plugin = "rod"; }}, {{ plugin = "egg"; }} );
        force = ( {{ plugin = "linear"; kn = 1.0e4; }} );
        observers = {{ look = {{ plugin = "image"; {PLAIN} {image} }}; }};""")
    result = scree(None, "run", top / "s.cfg", "-o", top / "out", "--steps", "0", *PLUGINS, *args)
    if result.returncode:
        raise RuntimeError(result.stderr)
    rows = read_png(top / "out" / "frame-00000.png")[2]
    subprocess.run(["rm", "-r", top / "out"], check=True)
    return rows, result.stderr


def body(name, shape, x, axis=(0.0, 1.0, 0.0), angle=0.0, scale=1.0):
    return (f'{name} = {{ shape = "{shape}"; position = {tuple(x)}; scale = {scale!r}; '
            f'orientation = {{ axis = {axis}; angle = {angle!r}; }}; }}; ')


def seen(p):
    return p[3] > 127


def area_of(rows):
    """[px^2] what bodies cover, borders by their share."""
    return sum(p[3] for row in rows for p in row) / 255.0


def near(a, b, by=1.0):
    return all(abs(x - y) <= by for x, y in zip(a, b))


def test_rod(top):
    angle, scale, f = 0.5, 1.5, 200 / 1.2
    rows, _ = picture(top, body("a", "stick", (0.05, 0.0, -0.02), angle=angle, scale=scale),
                      SIDE + 'width = 240; height = 200; view_height = 1.2; colour = "none"; ')
    half, r = scale * LENGTH / 2, scale * R
    wide, high = half * math.cos(angle) + r, half * math.sin(angle) + r
    want = (120 + f * (0.05 - wide), 120 + f * (0.05 + wide), 100 - f * (high - 0.02), 100 + f * (high + 0.02))
    found = extent(rows, seen)
    area = (4 * half * r + math.pi * r * r) * f * f
    tap.check("a turned rod of scale 1.5: its outline to a pixel", near(found, want), (found, want))
    tap.check("... and its area to 1 %", abs(area_of(rows) / area - 1.0) < 0.01, (found[4], area))
    left = [p for x, p in enumerate(rows[100 + round(f * 0.02)]) if p[3] == 255 and x < 125]
    spread = max(sum(p[:3]) for p in left) - min(sum(p[:3]) for p in left)
    tap.check("... shaded as something round", spread > 60, spread)
    # Perspective: the rod is the hull of the two balls of its caps.
    rows, _ = picture(top, body("a", "stick", (0.1, 0.3, 0.2), (0.3, 1.0, 0.4), 1.1), """width = 220; height = 200;
        position = (0.2, -1.0, 0.1); target = (0.1, 0.3, 0.15); field_of_view = "40 deg"; colour = "none"; """)
    k, c, s = unit((0.3, 1.0, 0.4)), math.cos(1.1), math.sin(1.1)
    along = (c + k[0] * k[0] * (1 - c), k[2] * s + k[1] * k[0] * (1 - c), -k[1] * s + k[2] * k[0] * (1 - c))
    sight = unit((-0.1, 1.3, 0.05))
    right = unit((sight[1], -sight[0], 0.0))
    down = cross(sight, right)
    f, want = 100 / math.tan(math.radians(20)), [math.inf, -math.inf, math.inf, -math.inf]
    for side in (-0.5, 0.5):
        at = [x + side * LENGTH * u - e for x, u, e in zip((0.1, 0.3, 0.2), along, (0.2, -1.0, 0.1))]
        p = [sum(a * b for a, b in zip(axis, at)) for axis in (right, down, sight)]
        for n, middle in ((0, 110), (1, 100)):
            to, half = math.atan2(p[n], p[2]), math.asin(R / math.hypot(p[n], p[2]))
            want[2 * n] = min(want[2 * n], middle + f * math.tan(to - half))
            want[2 * n + 1] = max(want[2 * n + 1], middle + f * math.tan(to + half))
    found = extent(rows, seen)
    tap.check("... in perspective: the tangents of its caps to a pixel", near(found, want), (found, want))


def test_fit(top):
    rows, _ = picture(top, body("a", "stick", (3.0, -2.0, 1.0)), 'width = 300; height = 90; colour = "none"; '
                      'direction = (0.0, -1.0, 0.0); up = (0.0, 0.0, 1.0); ')
    found = extent(rows, seen)
    tap.check("without a camera a rod fills the picture by its surface, not by the ball that holds it",
              found[0] > 0 and found[1] < 300 and found[2] > 0 and found[3] < 90 and found[3] - found[2] > 70, found)


def hue(p):
    """Which of two groups, by Okabe and Ito's blue and orange."""
    return "a" if p[2] > p[0] + 20 else "b" if p[0] > p[2] + 20 else None


def test_depth(top):
    words = SIDE.replace("-1.0", "{}") + 'width = 120; height = 120; view_height = 0.6; colour = "group"; '
    # The rod, in y from -0.1 to 0.1, lies across the line of sight before a ball at y = 0.2.
    ball = 'b = { radius = 0.1; position = (0.05, 0.25, 0.05); }; '
    front, _ = picture(top, body("a", "stick", (0.0, 0.0, 0.0)) + ball, words.format("-1.0"))
    back, _ = picture(top, body("a", "stick", (0.0, 0.0, 0.0)) + ball, words.format("1.0"))
    tap.check("a rod hides a ball behind it, and is hidden by one in front", hue(front[50][70]) == "a" and
              hue(back[50][50]) == "b" and hue(front[36][70]) == "b" and hue(back[60][90]) == "a",
              (front[50][70], back[50][50], front[36][70], back[60][90]))
    # Bounding balls of two rods side by side overlap by far; the rods do not.
    two = body("a", "stick", (0.0, 0.0, 0.11)) + body("b", "stick", (0.0, 0.15, -0.11))
    rows, _ = picture(top, two, words.format("-1.0"))
    tap.check("two rods next to each other: each is seen whole, with the gap between them",
              {hue(rows[y][60]) for y in range(22, 57)} == {"a"} and {hue(rows[y][60]) for y in range(64, 98)} == {"b"} and
              not seen(rows[60][60]), [rows[y][60] for y in range(20, 100)])


def test_section(top):
    words = 'width = 120; height = 120; view_height = 0.6; projection = "orthographic"; target = (0.0, 0.0, 0.0); ' \
        'up = (0.0, 0.0, 1.0); colour = "none"; section_point = (0.05, 0.0, 0.0); section_normal = (1.0, 0.0, 0.0); '
    rows, _ = picture(top, body("a", "stick", (0.0, 0.0, 0.0)), words + "direction = (0.0, -1.0, 0.0); ")
    found = extent(rows, seen)
    tap.check("a section cuts a rod off", near(found[:2], (60 - 200 * 0.25, 60 + 200 * 0.05)), found)
    rows, _ = picture(top, body("a", "stick", (0.0, 0.0, 0.0)), words + "direction = (1.0, 0.0, 0.0); ")
    whole, _ = picture(top, body("a", "stick", (0.0, 0.0, 0.0)), words[:words.index("section")] + "direction = (1.0, 0.0, 0.0); ")
    colours = {rows[y][x] for y in range(48, 73) for x in range(48, 73)}
    others = {whole[y][x] for y in range(48, 73) for x in range(48, 73)}
    tap.check("... and where it cuts, a flat face is seen, where the cap was round",
              len(colours) == 1 and len(others) > 20 and abs(area_of(rows) / (math.pi * 20 ** 2) - 1) < 0.01,
              (colours, len(others)))


def test_clump(top):
    rows, _ = picture(top, body("a", "bell", (0.0, 0.0, 0.0), angle=-math.pi / 2),
                      SIDE + 'width = 100; height = 200; view_height = 1.0; colour = "none"; ')
    found = extent(rows, seen)
    want = (50 - 200 * ONE, 50 + 200 * ONE, 100 - 200 * (APART + OTHER), 100 + 200 * ONE)
    area = math.pi * (ONE ** 2 + OTHER ** 2) * 200 ** 2
    tap.check("a dumbbell is its two balls, turned with it: outline to a pixel, area to 1 %",
              near(found, want) and abs(area_of(rows) / area - 1.0) < 0.01, (found, want, area))


def test_flat(top):
    words = 'width = 200; height = 200; view_height = 0.8; target = (0.0, 0.0); colour = "none"; '
    rows, _ = picture(top, 'a = { shape = "stick"; position = (0.02, -0.05); orientation = 0.6; scale = 1.2; }; ', words, 2)
    found, half, r, f = extent(rows, seen), 0.6 * LENGTH, 1.2 * R, 250
    wide, high = half * math.cos(0.6) + r, half * math.sin(0.6) + r
    want = (100 + f * (0.02 - wide), 100 + f * (0.02 + wide), 100 + f * (0.05 - high), 100 + f * (0.05 + high))
    area = (4 * half * r + math.pi * r * r) * f * f
    tap.check("2D: a turned rod is its outline: to a pixel, its area to 1 %",
              near(found, want) and abs(area_of(rows) / area - 1.0) < 0.01, (found, want, area))
    colours = {p for row in rows for p in row if p[3] == 255}
    middle, rim = rows[112][105], min(colours)
    tap.check("2D: filled, with a dark rim", middle == max(colours) and 0 < sum(rim[:3]) < 0.6 * sum(middle[:3]) and
              sum(p == middle for row in rows for p in row) > 0.7 * area, (middle, rim))
    rows, _ = picture(top, 'a = { shape = "bell"; position = (-0.1, 0.0); orientation = 0.0; }; ', words, 2)
    found, area = extent(rows, seen), math.pi * (ONE ** 2 + OTHER ** 2) * f * f
    tap.check("2D: a dumbbell is its discs", near(found, (100 - f * 0.2, 100 + f * 0.16, 100 - f * 0.1, 100 + f * 0.1)) and
              abs(area_of(rows) / area - 1.0) < 0.01, (found, area))


def test_convex(top):
    angle, (a, c), f = 0.4, (0.2, 0.1), 200 / 0.8
    rows, log = picture(top, body("a", "egg", (0.02, 0.0, 0.01), angle=angle),
                        SIDE + 'width = 240; height = 200; view_height = 0.8; colour = "none"; ')
    wide, high = (math.hypot(p * math.cos(angle), q * math.sin(angle)) for p, q in ((a, c), (c, a)))
    found = extent(rows, seen)
    want = (120 + f * (0.02 - wide), 120 + f * (0.02 + wide), 100 - f * (high + 0.01), 100 + f * (high - 0.01))
    tap.check("an egg, which offers only a support function: its outline to a pixel, its area to 1 %",
              near(found, want) and abs(area_of(rows) / (math.pi * a * c * f * f) - 1.0) < 0.01 and "offers" not in log,
              (found, want, log))
    rows, _ = picture(top, 'a = { shape = "egg"; position = (0.02, 0.01); orientation = 0.4; }; ',
                      'width = 240; height = 200; view_height = 0.8; target = (0.0, 0.0); colour = "none"; ', 2)
    found = extent(rows, seen)
    tap.check("... in 2D too", near(found, want) and abs(area_of(rows) / (math.pi * a * c * f * f) - 1.0) < 0.01, (found, want))


def test_viewless(top):
    fixed = 'motion = "fixed"; position'
    bodies = body("a", "lump", (-0.25, 0.0, 0.0)) + body("b", "lump", (0.25, 0.0, 0.0))
    rows, log = picture(top, bodies.replace("position", fixed),
                        SIDE + 'width = 200; height = 100; view_height = 0.5; colour = "none"; ')
    found, reach = extent(rows, seen), 0.2 * math.sqrt(0.75)
    tap.check("a shape without any view is drawn as the ball that holds it", found and near(
        found, (100 - 200 * (0.25 + reach), 100 + 200 * (0.25 + reach), 50 - 200 * reach, 50 + 200 * reach)), found)
    tap.check("... and one line of the log says so", log.count("(lump) offers neither scree.mesh/1 nor") == 1, log)


def test_lanes(top):
    bodies = "".join(body(f"b{k}", "stick" if k % 3 else "bell", (0.5 * (k % 5), 0.5 * (k // 5), 0.3 * (k % 2)),
                          (1.0, 0.2 * k, -0.4), 0.7 * k, 0.5 + 0.02 * k) for k in range(25))
    words = "width = 150; height = 120; section_point = (1.0, 1.0, 0.0); section_normal = (0.1, -1.0, 0.2); "
    one, _ = picture(top, bodies, words, 3, "--threads", "1")
    three, _ = picture(top, bodies, words, 3, "--oversubscribe", "--threads", "3")
    tap.check("pixels are the same for any number of threads", one == three and extent(one, seen)[4] > 1000)
    hidden, _ = picture(top, bodies, words + 'hide = ["b12", "b13"]; ')
    tap.check("`hide` leaves solids out", hidden != one and extent(hidden, seen)[4] < extent(one, seen)[4])


def main():
    if subprocess.run([SCREE, "plugins", "observer/image"], env=environment(), capture_output=True).returncode:
        tap.skip("pictures of shapes", "observer/image was not built, because cairo is not here")
        return
    with tempfile.TemporaryDirectory() as name:
        for test in (test_rod, test_fit, test_depth, test_section, test_clump, test_flat, test_convex, test_viewless, test_lanes):
            test(pathlib.Path(name))


tap.finish(main)
