# SPDX-License-Identifier: Apache-2.0
"""observer/image: what its pictures show against the formulas of projection, and its files.

usage: test_image.py SCREE
"""
import hashlib
import math
import re
import resource
import shlex
import shutil
import signal
import subprocess

import runs
import tap
from png import extent, read_png

PLAIN = "colour_bar = false; time_stamp = false; hollows = false; axes = false; scale_bar = false; "
WHITE, NONE = (255, 255, 255), (0, 0, 0)
GROUPS = {"a": (0x00, 0x72, 0xb2), "b": (0xe6, 0x9f, 0x00)}  # Okabe and Ito's blue and orange

# Rows of matplotlib's 256-row tables, by number.
MAPS = {
    "viridis": {26: (72, 37, 118), 77: (52, 96, 141), 128: (33, 145, 140), 179: (68, 191, 112),
                230: (189, 223, 38)},
    "cividis": {26: (12, 52, 112), 77: (80, 87, 108), 128: (125, 124, 120), 179: (174, 163, 113),
                230: (229, 207, 82)},
    "inferno": {26: (24, 12, 60), 77: (108, 24, 110), 128: (188, 55, 84), 179: (243, 120, 25),
                230: (246, 215, 70)}}


def scree(top, *args, **more):
    # Memory that fontconfig keeps for the life of the process looks like a leak to the address sanitizer.
    (top / "leaks").write_text("leak:libfontconfig\n")
    return runs.scree(top, *args,
                      env=runs.environment(HOME=str(top), LSAN_OPTIONS=f"suppressions={top}/leaks:print_suppressions=0"),
                      **more)


def scene(top, bodies, image, name="s.cfg", dimension=3, more=""):
    path = top / name
    path.write_text(f"""scene = {{ dimension = {dimension}; dt = 1.0e-4; steps = 1; }};
materials = {{ m = {{ density = 2500.0; }}; }};
{more}
bodies = {{ {bodies} }};
observers = {{ look = {{ plugin = "image"; {image} }}; }};
""")
    return path


def picture(top, bodies, image, **more):
    """The start of such a scene, as pixels."""
    path = scene(top, bodies, image, **more)
    result = scree(top, "validate", path, "--picture", "start.png")
    assert result.returncode == 0, result
    return read_png(top / "start.png")[2]


def ball(name, x, r, **more):
    words = "".join(f"{k} = {v}; " for k, v in more.items())
    return f"{name} = {{ shape = \"sphere\"; radius = {r!r}; position = {tuple(x)!r}; {words}}}; "


def close(a, b, by):
    return all(abs(x - y) <= by for x, y in zip(a, b))


def axes(position, target, up):
    """Right, down and forward, as anybody would make them."""
    def cross(a, b):
        return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

    def unit(a):
        n = math.sqrt(sum(c * c for c in a))
        return tuple(c / n for c in a)
    forward = unit(tuple(t - p for t, p in zip(target, position)))
    right = unit(cross(forward, up))
    return right, cross(forward, right), forward


def test_silhouettes(top):
    clear = PLAIN + "background = \"transparent\"; colour = \"none\"; "
    x, r = (0.31, -0.12, 0.05), 0.11
    rows = picture(top, ball("a", x, r), clear + """width = 230; height = 170;
        projection = "orthographic"; view_height = 0.8; target = (0.2, 0.0, 0.0);
        direction = (0.0, -1.0, 0.0); up = (0.0, 0.0, 1.0); """)
    f = 170 / 0.8
    cx, cy = 115 + f * (x[0] - 0.2), 85 - f * x[2]
    seen = extent(rows, lambda p: p[3] > 127)
    want = (cx - f * r, cx + f * r, cy - f * r, cy + f * r)
    tap.check("a sphere in orthographic projection: its outline to a pixel", close(seen, want, 1.0),
              (seen, want))
    tap.check("its area to 1 %", abs(seen[4] / (math.pi * (f * r) ** 2) - 1) < 0.01, seen)
    position, target, up = (-0.3, -1.1, 0.45), (0.1, 0.05, 0.0), (0.1, 0.2, 1.0)
    rows = picture(top, ball("a", x, r), clear + f"""width = 260; height = 200; zoom = 1.3;
        position = {position}; target = {target}; up = {up}; field_of_view = "40 deg"; """)
    c = [sum(a * (p - q) for a, p, q in zip(axis, x, position)) for axis in axes(position, target, up)]
    f = 1.3 * 100 / math.tan(math.radians(20))
    want = []
    for k, middle in ((0, 130), (1, 100)):  # tangents in the plane of the axis and the line of sight
        to, half = math.atan2(c[k], c[2]), math.asin(r / math.hypot(c[k], c[2]))
        want += [middle + f * math.tan(to - half), middle + f * math.tan(to + half)]
    seen = extent(rows, lambda p: p[3] > 127)
    tap.check("a sphere in perspective off the axis: its tangents to a pixel", close(seen, want, 1.0),
              (seen, want))
    rows = picture(top, ball("a", x, r) + ball("b", (0, 0, 0.4), 0.05) + ball("c", (-0.3, 0.4, 0), 0.2),
                   clear + "width = 150; height = 130; ")
    seen = extent(rows, lambda p: p[3] > 127)
    tap.check("without a camera the whole scene is in the picture, and fills it",
              seen[0] > 0 and seen[1] < 150 and seen[2] > 0 and seen[3] < 130
              and (seen[1] - seen[0] > 130 or seen[3] - seen[2] > 110), seen)


def hue(p):
    """Which of two groups a pixel is of, by its hue."""
    return "a" if p[2] > p[0] + 20 else "b" if p[0] > p[2] + 20 else None


def test_depth(top):
    two = ball("a", (0.0, 0.0, 0.0), 0.1) + ball("b", (0.05, 0.5, 0.0), 0.1)
    base = PLAIN + """colour = "group"; width = 120; height = 100; projection = "orthographic";
        view_height = 0.4; target = (0.0, 0.0, 0.0); up = (0.0, 0.0, 1.0); """
    front = picture(top, two, base + "direction = (0.0, -1.0, 0.0); ")
    back = picture(top, two, base + "direction = (0.0, 1.0, 0.0); ")
    f = 100 / 0.4
    middle = int(60 + f * 0.025)
    tap.check("of two spheres the nearer one is seen, from either side", hue(front[50][middle]) == "a"
              and hue(back[50][int(60 - f * 0.025)]) == "b", (front[50][middle], back[50][middle]))
    tap.check("the farther one is seen next to it", hue(front[50][int(60 + f * 0.14)]) == "b"
              and hue(back[50][int(60 + f * 0.09)]) == "a", (front[50], back[50]))
    wall = """shapes = { sheet = { type = "mesh"; vertices = ((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0),
        (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)); facets = ((0, 1, 2, 3)); }; };"""
    at = 0.06  # [m] the sheet is this much nearer than the centre: its normal is -y
    bodies = ball("a", (0.0, at, 0.0), 0.1) + "sheet = { shape = \"sheet\"; }; "
    words = base + "colour_map = \"viridis\"; wall_colour = \"#ffffff\"; "
    rows = picture(top, bodies, words + "direction = (0.0, -1.0, 0.0); walls = \"solid\"; ", more=wall)
    seen = extent(rows, lambda p: hue(p) == "a")
    r = f * math.sqrt(0.1 ** 2 - at ** 2)
    want = (60 - r, 60 + r, 50 - r, 50 + r)
    tap.check("a wall hides a sphere up to the circle in which it cuts it", close(seen, want, 1.5),
              (seen, want))
    rows = picture(top, bodies, words + "direction = (0.0, 1.0, 0.0); ", more=wall)
    seen = extent(rows, lambda p: hue(p) == "a")
    tap.check("cut away, a wall seen from its back hides nothing",
              close(seen, (35, 85, 25, 75), 1.0), seen)
    rows = picture(top, bodies, words + "direction = (0.0, -1.0, 0.0); ", more=wall)
    tap.check("and seen from its front it does", close(extent(rows, lambda p: hue(p) == "a"), want, 1.5))
    rows = picture(top, bodies, words + "direction = (0.0, -1.0, 0.0); walls = \"hidden\"; ", more=wall)
    tap.check("hidden walls hide nothing",
              close(extent(rows, lambda p: hue(p) == "a"), (35, 85, 25, 75), 1.0))
    rows = picture(top, bodies, words + "direction = (0.0, -1.0, 0.0); hide = [\"sheet\"]; ", more=wall)
    tap.check("nor do groups that are not drawn",
              close(extent(rows, lambda p: hue(p) == "a"), (35, 85, 25, 75), 1.0))


def test_section(top):
    base = PLAIN + """colour = "group"; width = 120; height = 100; projection = "orthographic";
        view_height = 0.4; target = (0.0, 0.0, 0.0); up = (0.0, 0.0, 1.0); direction = (0.0, -1.0, 0.0);
        section_normal = (0.0, -2.0, 0.0); section_point = (0.5, 0.04, 0.3); """
    rows = picture(top, ball("a", (0.0, 0.0, 0.0), 0.1) + ball("b", (0.0, -0.3, 0.0), 0.15), base)
    f = 100 / 0.4
    r = f * math.sqrt(0.1 ** 2 - 0.04 ** 2)
    seen = extent(rows, lambda p: hue(p) == "a")
    tap.check("a section shows the circle in which it cuts a sphere",
              close(seen, (60 - r, 60 + r, 50 - r, 50 + r), 1.0), seen)
    tap.check("what lies before it is gone", not extent(rows, lambda p: hue(p) == "b"))
    flat = {rows[50][x][:3] for x in range(45, 75)}
    tap.check("the cut is flat", len(flat) == 1, flat)


def disc(name, x, speed, r=0.1):
    return (f"{name} = {{ shape = \"disc\"; radius = {r!r}; position = {tuple(x)!r}; "
            f"velocity = (0.0, {speed!r}); }}; ")


def test_maps(top):
    f, size = 240 / 0.9, max(9.0, 240 / 42)
    bar_x, bar_y, bar_h = math.floor(400 - 5.2 * size) + 4, 60, 120
    for name, table in MAPS.items():
        bodies = "".join(disc(f"d{row}", (0.3 * k, 0.0), 1.0 + 2.0 * row / 255.0)
                         for k, row in enumerate(table))
        rows = picture(top, bodies, f"""colour_map = "{name}"; width = 400; height = 240; range = (1.0, 3.0);
            view_height = 0.9; target = (0.6, 0.0); time_stamp = false; """, dimension=2)
        discs = [rows[130][int(200 + f * (0.3 * k - 0.6)) - 8] for k in range(len(table))]
        bar = [rows[int(bar_y + bar_h * (1 - row / 255))][bar_x] for row in table]
        tap.check(f"discs have {name}'s colours for their values",
                  all(close(d, c, 4) for d, c in zip(discs, table.values())), (discs, table))
        tap.check(f"and {name}'s bar has them at those values",
                  all(close(d, b, 5) for d, b in zip(discs, bar)), (discs, bar))


def test_colours(top):
    rows = picture(top, disc("a", (0.0, 0.0), 0.5, 1.0) + disc("b", (0.0, 3.0), 0.5, 1.0),
                   PLAIN + "colour = \"height\"; width = 40; height = 80; ", dimension=2)
    tap.check("the range is that of the bodies when it is not given",
              close(rows[64][16], (68, 1, 84), 2) and close(rows[24][16], (253, 231, 37), 2),
              (rows[64][16], rows[24][16]))
    rows = picture(top, disc("a", (0.0, 0.0), 0.0) + "w = { shape = \"floor\"; position = (0.0, -0.2); }; ",
                   PLAIN + """colour = "none"; body_colour = "#ff8000"; wall_colour = "#102030";
                   width = 100; height = 100; view_height = 1.0; target = (0.0, 0.0);
                   background = "#00ff00"; """, dimension=2,
                   more="shapes = { floor = { type = \"plane\"; normal = (0.0, 1.0); }; };")
    wall = rows[90][50]
    tap.check("2D: a disc, the solid half of a plane below it, background",
              close(rows[55][46], (255, 128, 0), 1) and close(rows[65][50], (0, 255, 0), 0)
              and wall[0] < wall[1] < wall[2] < 60, (rows[55][46], rows[65][50], wall))
    tap.check("2D: the plane's edge is where it is to a pixel",
              close([next(y for y in range(100) if rows[y][10][1] < 128)], [70], 1))


def test_hand(top):
    """A disc of 100 pixels that spins: a quarter turn in 200 steps of 1e-4 s, its hand then points up."""
    spin = "spin = %r; " % (0.5 * math.pi / 0.02)
    path = scene(top, disc("a", (0.0, 0.0), 0.0, 0.5).replace("velocity", spin + "velocity"),
                 PLAIN + """colour = "none"; width = 120; height = 120; view_height = 1.2; target = (0.0, 0.0); """, dimension=2)
    seen = []
    for orientation in ("needed", "all"):
        result = scree(top, "run", path, "--steps=200", "-q", "-o", orientation, "--set",
                       f'integrator={{plugin="velocity_verlet"; orientation="{orientation}";}}')
        rows = read_png(sorted((top / orientation).glob("*.png"))[-1])[2] if result.returncode == 0 else None
        seen.append([rows[60 - y][60 + x][0] for x, y in ((30, 0), (0, 30), (-30, 0), (0, -30))] if rows else result.stderr)
    tap.check("a disc that the integrator does not turn has no hand", max(seen[0]) - min(seen[0]) <= 1, seen)
    tap.check("one that it turns has its hand where it points", seen[1][1] < 0.7 * min(seen[1][0], *seen[1][2:]), seen)


def dark(p):
    return max(p[:3]) < 110


def test_marks(top):
    """Axes and scale bar: size of a letter 9 px; the axes begin 3.1 and 4.6 sizes from the lower right corner."""
    words = """colour_bar = false; time_stamp = false; width = 200; height = 180; target = (0.0, 0.0, 0.0);
        direction = (0.0, -1.0, 0.0); up = (0.0, 0.0, 1.0); """
    flat = words + "projection = \"orthographic\"; view_height = 0.8; "
    body = ball("a", (-0.1, 0.0, 0.0), 0.1)
    rows = picture(top, body, flat)
    x, y = 200 - 28, 180 - 42
    right, up = rows[y][x + 8], rows[y - 8][x]
    tap.check("axes: x in red to the right, z in blue upwards", right[0] > right[2] + 80 and up[2] > up[0] + 80, (right, up))
    bar = sum(dark(p) for p in rows[171])
    tap.check("the scale bar has a round length to a pixel: 0.1 m", abs(bar - 0.1 * 180 / 0.8) <= 2, bar)
    near = words + "position = (0.0, -3.0, 0.0); field_of_view = \"20 deg\"; "
    rows = picture(top, body, near.replace("direction = (0.0, -1.0, 0.0);", ""))
    bar = sum(dark(p) for p in rows[171])
    want = 0.2 * 90 / math.tan(math.radians(10)) / 3.0
    tap.check("in perspective that of things as far away as the target", abs(bar - want) <= 2, (bar, want))
    rows = picture(top, body, flat + "axes = false; scale_bar = false; ")
    left = sum(p[:3] != (255, 255, 255) for row in rows[100:] for p in row[150:])
    tap.check("without them the corner is empty", left == 0, left)


def test_smears(top):
    """Balls that touch, before a wall: hollows darken the balls near the touch, and no pixel of the wall."""
    wall = """shapes = { sheet = { type = "mesh"; vertices = ((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0),
        (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)); facets = ((0, 1, 2, 3)); }; };"""
    bodies = ball("a", (-0.1, -0.12, 0.0), 0.1) + ball("b", (0.1, -0.12, 0.0), 0.1) \
        + "sheet = { shape = \"sheet\"; }; "
    words = PLAIN + """colour = "none"; width = 120; height = 120; view_height = 0.6; projection = "orthographic";
        target = (0.0, 0.0, 0.0); up = (0.0, 0.0, 1.0); direction = (0.1, -1.0, 0.1); walls = "solid"; """
    plain = picture(top, bodies, words, more=wall)
    soft = picture(top, bodies, words.replace("hollows = false", "hollows = true"), more=wall)
    smears = hollows = walls = 0
    for one, other in zip(plain, soft):
        for p, q in zip(one, other):
            walls += p[2] > p[0]
            smears += p[2] > p[0] and p != q  # the wall is bluish, the balls are yellow
            hollows += p[0] > p[2] + 20 and sum(q[:3]) < sum(p[:3]) - 20
    tap.check("a wall has no dark smears next to bodies", smears == 0 and walls > 4000, (smears, walls))
    tap.check("hollows between bodies are dark", hollows > 15, hollows)


def test_wall_grey(top):
    bodies = ball("a", (0.0, 0.0, 0.0), 0.1) + ball("b", (0.3, 0.0, 0.0), 0.11) \
        + ball("c", (0.6, 0.0, 0.0), 0.14, motion='"fixed"')
    words = PLAIN + """width = 240; height = 80; view_height = 0.4; projection = "orthographic"; target = (0.3, 0.0, 0.0);
        up = (0.0, 0.0, 1.0); direction = (0.0, -1.0, 0.0); """
    rows = picture(top, bodies, words + "colour = \"radius\"; ")
    one, other, fixed = (rows[40][x] for x in (60, 120, 180))
    tap.check("a body that is not free has the grey of walls", max(fixed[:3]) - min(fixed[:3]) < 20, fixed)
    tap.check("and does not widen the range of colours", one[2] > one[1] + 40 and other[1] > other[2] + 80, (one, other))
    rows = picture(top, bodies, words + "colour = \"group\"; ")
    fixed = rows[40][180]
    tap.check("a group's colour goes to all its bodies with a volume", fixed[1] > fixed[0] + 60, fixed)


GAS = """scene = { dt = 1.0e-5; steps = 40; seed = 3;
    region = { min = (0.0, 0.0, 0.0); max = (0.02, 0.02, 0.02); }; boundary = "periodic"; };
materials = { m = { density = 2500.0; }; };
generate = { balls = { shape = "sphere"; radius = "1 mm"; count = 150; velocity_random = "0.5 m/s"; }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 0.9; friction = 0.2; } );
"""


def test_files(top):
    path = top / "gas.cfg"
    path.write_text(GAS + """observers = {
        look = { plugin = "image"; width = 101; height = 75; every_steps = 10; file = "sub/pic"; title = "Gas";
            hide = ["nobody"]; };
        load = { plugin = "image"; width = 64; height = 64; every_steps = 20; file = "load"; colour = "load"; };
        last = { plugin = "image"; width = 64; height = 64; every_steps = 20; file = "last.png"; }; };""")
    first = scree(top, "run", path, "-q", "-o", "one")
    second = scree(top, "run", path, "-q", "-o", "two")
    third = scree(top, "run", path, "-q", "-o", "three", "--threads", 2, "--blocks", 3)
    names = ["last.png", *(f"load-{k:05}.png" for k in range(3)),
             *(f"sub/pic-{k:05}.png" for k in range(5))]
    seen = sorted(str(p.relative_to(top / "one")) for p in (top / "one").rglob("*")
                  if p.suffix not in (".cfg", ".json", ".h5") and p.is_file())
    tap.check("pictures are numbered, or one is replaced; nothing half-written stays", seen == names,
              (seen, first))
    sums = [{n: hashlib.sha256((top / d / n).read_bytes()).hexdigest() for n in names}
            for d in ("one", "two", "three")]
    tap.check("a second run writes the same bytes", sums[0] == sums[1], second)
    tap.check("and so do two threads", sums[0] == sums[2], third)
    tap.check("moving bodies make another picture", len(set(sums[0].values())) == len(names), sums)
    width, height, _ = read_png(top / "one" / names[-1])
    tap.check("a picture has the size that is asked for", (width, height) == (101, 75))
    tap.check("an unknown name in `hide` is reported",
              "\"nobody\"" in first.stderr and first.returncode == 0, first)
    films = re.findall(r"film: (ffmpeg .*)$", first.stderr, re.M)
    tap.check("the command for a film is printed for each numbered series", len(films) == 2
              and "one/sub/pic-%05d.png" in films[0] and "one/load.mp4" in films[1], first.stderr)
    if shutil.which("ffmpeg"):
        result = subprocess.run(shlex.split(films[0]), cwd=top, capture_output=True, timeout=60,
                                stdin=subprocess.DEVNULL, check=False)
        film = top / "one/sub/pic.mp4"
        tap.check("and it makes one", result.returncode == 0 and film.stat().st_size > 1000, result)
    else:
        tap.skip("and it makes one", "no ffmpeg here")


def test_same_name(top):
    path = top / "same.cfg"
    path.write_text(GAS + "observers = { one = { plugin = \"image\"; }; two = { plugin = \"image\"; }; };")
    result = scree(top, "run", path, "-q", "-o", "same")
    tap.check("two observers do not write the same file", result.returncode != 0
              and "observers.one writes frame-00000.png already" in result.stderr, result)


def test_full_disk(top):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
    path = top / "full.cfg"
    path.write_text(GAS + "observers = { look = { plugin = \"image\"; every_steps = 10; }; };")
    result = scree(top, "run", path, "-q", "-o", "full", preexec_fn=small_files)
    left = [p.name for p in (top / "full").iterdir()]
    tap.check("if a file cannot be written whole the run fails and names it, and removes it",
              result.returncode == 1 and "frame-00000.png" in result.stderr
              and not any("frame" in name for name in left), (result, left))


def test_refused(top):
    one = ball("a", (0.0, 0.0, 0.0), 0.1)
    flat = disc("a", (0.0, 0.0), 1.0)
    for words, dimension, said in (
            ("width = 0; ", 3, "width: expected 16 <= value <= 16384, got 0"),
            ("height = 20000; ", 3, "height: expected 16 <= value <= 16384, got 20000"),
            ("samples = 9; ", 3, "samples: expected 1 <= value <= 4, got 9"),
            ("zoom = 0.0; ", 3, "zoom: expected 0 < value <= 1e+06, got 0"),
            ("colour = \"sped\"; ", 3, "speed"),
            ("colour_map = \"jet\"; ", 3, "viridis"),
            ("range = (1.0, 1.0); ", 3, "range = (1, 1)"),
            ("range = (0.0, 1.0); colour = \"group\"; ", 3, "`range` goes with a colour that is a number"),
            ("background = \"grey\"; ", 3, "background: expected #rrggbb, white, black or transparent, got \"grey\""),
            ("body_colour = \"#12345\"; ", 3, "body_colour: expected #rrggbb, white or black, got \"#12345\""),
            ("position = (1.0, 0.0, 0.0); target = (1.0, 0.0, 0.0); ", 3, "the camera is in its target"),
            ("up = (0.0, 0.0, 0.0); ", 3, "`up` has no length"),
            ("direction = (0.0, 0.0, 1.0); up = (0.0, 0.0, 2.0); ", 3, "`up` is along the line of sight"),
            ("position = (1.0, 0.0, 0.0); direction = (1.0, 0.0, 0.0); ", 3, "expected `position` or `direction`, got both"),
            ("target = (1.0, 0.0); ", 3, "`target` has 3 numbers"),
            ("section_normal = (1.0, 0.0, 0.0); ", 3, "`section_point` and `section_normal`"),
            ("view_height = 1.0; ", 3, "`view_height` is for projection"),
            ("projection = \"orthographic\"; field_of_view = 0.5; ", 3, "`field_of_view` is for perspective"),
            ("file = \"\"; ", 3, "file: expected a name without"),
            ("file = \"../x\"; ", 3, "leaves the run's folder"),
            ("position = (0.0, 0.0, 1.0); ", 2, "a 2D scene is seen from above")):
        path = scene(top, flat if dimension == 2 else one, words, dimension=dimension)
        result = scree(top, "run", path, "-q", "-o", "refused")
        tap.check(f"{dimension}D: {words}is refused", result.returncode == 2 and said in result.stderr,
                  result)
        shutil.rmtree(top / "refused", ignore_errors=True)


def test_validate(top):
    path = scene(top, ball("a", (0.0, 0.0, 0.0), 0.1), "width = 60; height = 40; file = \"x\"; ")
    result = scree(top, "validate", path, "--picture", "new/start.png")
    tap.check("validate --picture draws with the scene's own observer", result.returncode == 0
              and "bodies     1" in result.stdout and read_png(top / "new/start.png")[:2] == (60, 40), result)
    path.write_text(path.read_text().split("observers")[0])
    result = scree(top, "validate", path, "--picture", "plain.png")
    tap.check("and with one of its defaults where the scene has none", result.returncode == 0
              and read_png(top / "plain.png")[:2] == (800, 800), result)
    result = scree(top, "validate", path, "--picture", "plain.jpg")
    tap.check("another suffix is refused", result.returncode == 2 and ".png" in result.stderr, result)
    (top / "file").write_text("")
    result = scree(top, "validate", path, "--picture", "file/x.png")
    tap.check("where it cannot be written it says so", result.returncode == 1
              and "cannot write" in result.stderr, result)


def test_optional(top):
    path = scene(top, ball("a", (0.0, 0.0, 0.0), 0.1), "")
    text = path.read_text().replace('"image";', '"imagination";')
    path.write_text(text)
    result = scree(top, "run", path, "-q", "-o", "without")
    tap.check("an observer that is not installed is an error", result.returncode == 2
              and "observer/imagination" in result.stderr, result)
    path.write_text(text.replace('"imagination";', '"imagination"; optional = true; sky = 1;'))
    result = scree(top, "run", path, "-q", "-o", "without")
    tap.check("an optional one is left out with a note", result.returncode == 0
              and "look is left out, as it is optional: no plugin observer/imagination" in result.stderr,
              result)
    path.write_text(text.replace('"imagination";', '"csv"; optional = true; sky = 1;'))
    result = scree(top, "run", path, "-q", "-o", "with")
    tap.check("an optional one that is there is checked as any other", result.returncode == 2
              and "sky" in result.stderr, result)
    path.write_text(text.split("observers")[0]
                    + "modifiers = { m = { plugin = \"wind\"; optional = true; }; };")
    result = scree(top, "run", path, "-q", "-o", "modifier")
    tap.check("a modifier cannot be optional", result.returncode == 2
              and "the trajectory depends" in result.stderr, result)


def run(top):
    test_optional(top)
    if scree(top, "plugins", "observer/image").returncode:
        one = scene(top, ball("a", (0.0, 0.0, 0.0), 0.1), "")
        one.write_text(one.read_text().split("observers")[0])
        result = scree(top, "validate", one, "--picture", "x.png")
        tap.check("without cairo --picture says what is missing", result.returncode == 2
                  and "libcairo2-dev" in result.stderr, result)
        tap.skip("observer/image", "it was not built, because cairo is not here")
        return
    for test in (test_silhouettes, test_depth, test_section, test_maps, test_colours, test_hand, test_marks,
                 test_smears, test_wall_grey, test_files,
                 test_same_name, test_full_disk, test_refused, test_validate):
        test(top)


tap.in_folder(run)
