# SPDX-License-Identifier: Apache-2.0
"""observer/image over a run: one range of colours, a camera that keeps things in view, loads of walls.

usage: test_film.py SCREE
"""
import math
import re

import runs
import tap
from png import extent, read_png

PLAIN = "time_stamp = false; axes = false; scale_bar = false; hollows = false; "
FIXED = "position = (0.0, -3.0, 0.0); target = (0.0, 0.0, 0.0); up = (0.0, 0.0, 1.0); "
SIDE = 'projection = "orthographic"; direction = (0.0, -1.0, 0.0); up = (0.0, 0.0, 1.0); '
FALL = "gravity = (0.0, 0.0, -9.81); "


def film(top, name, bodies, image, scene="", more="", dimension=3, steps=100, every=25, args=(), size=(120, 100)):
    """The pictures of a run, and its result."""
    path = top / f"{name}.cfg"
    path.write_text(f"""scene = {{ dimension = {dimension}; dt = 1.0e-3; steps = 100; {scene} }};
materials = {{ m = {{ density = 2500.0; }}; }};
{more}
bodies = {{ {bodies} }};
observers = {{ look = {{ plugin = "image"; every_steps = {every}; width = {size[0]}; height = {size[1]}; {PLAIN} {image} }}; }};
""")
    result = runs.scree(top, "run", path, "-q", "-o", name, f"--steps={steps}", *args, env=runs.environment(HOME=str(top)))
    return sorted((top / name).glob("frame-*.png")), result


def ball(name, x, r, **more):
    words = "".join(f"{k} = {v}; " for k, v in more.items())
    return f"{name} = {{ shape = \"sphere\"; radius = {r!r}; position = {tuple(x)!r}; {words}}}; "


def same(some, others):
    return len(some) == len(others) and all(a.read_bytes() == b.read_bytes() for a, b in zip(some, others))


def near(a, b, by):
    return all(abs(x - y) <= by for x, y in zip(a, b))


def test_range(top):
    bodies = ball("a", (0.0, 0.0, 0.3), 0.1)  # falls: 0.981 m/s after 100 steps
    own, result = film(top, "own", bodies, FIXED, FALL)
    given, _ = film(top, "given", bodies, FIXED + "range = (0.0, 1.0); ", FALL)
    tap.check("all pictures of a run have one range, round numbers around all values", same(own, given) and len(own) == 5, result)
    same_start, _ = film(top, "short", bodies, FIXED, FALL, steps=50)
    tap.check("which is that of the run's largest value", not same(same_start[:1], own[:1]) and len(same_start) == 3)
    flat = ball("a", (0.0, 0.0, 0.0), 0.1, velocity=(0.3, 0.0, -1.0)) + ball("b", (0.4, 0.0, 0.0), 0.1, velocity=(0.3, 0.0, 1.0))
    words = SIDE + 'view_height = 1.0; target = (0.2, 0.0, 0.0); colour_bar = false; component = "z"; '
    rows = read_png(film(top, "component", flat, words, steps=0)[0][0])[2]
    down, up = rows[50][40], rows[50][80]
    tap.check("a component has a sign: down is violet, up is yellow", down[2] > down[1] + 20 and up[0] > up[2] + 80, (down, up))
    for words, dimension, said in (
            ('component = "x"; colour = "radius"; ', 3, "`component` goes with colour"),
            ('component = "z"; ', 2, 'component = "z" is for 3D'),
            ('wall_load = "wear"; ', 3, "needs `archard` and `hardness`")):
        shape = ball("a", (0.0, 0.0, 0.0), 0.1) if dimension == 3 else 'a = { shape = "disc"; radius = 0.1; position = (0.0, 0.0); };'
        result = film(top, f"refused-{dimension}", shape, words, dimension=dimension)[1]
        tap.check(f"{dimension}D: {words}is refused", result.returncode == 2 and said in result.stderr, result)


def test_camera(top):
    """A ball rests, another one flies away from it: both are in every picture, at one scale."""
    def balls(path):
        rows = read_png(path)[2]
        seen = [extent(rows, lambda p, c=c: p[3] > 127 and (p[0] > p[2] + 20) == c) for c in (False, True)]
        return [e and (round(0.5 * (e[0] + e[1])), round(0.5 * (e[2] + e[3])), e[1] - e[0]) for e in seen]
    rest = ball("a", (0.0, 0.0, 0.0), 0.1)
    words = 'colour = "group"; colour_bar = false; background = "transparent"; ' + SIDE
    shots, result = film(top, "flies", rest + ball("b", (0.0, 0.0, 0.3), 0.1, velocity=(5.0, 0.0, 0.0)), words)
    places = [balls(path) for path in shots]
    tap.check("the camera keeps what moves: both balls are in all pictures", len(shots) == 5 and all(a and b for a, b in places), (places, result))
    tap.check("at one place for all: what rests does not move in the picture", len({a for a, _ in places}) == 1
              and all(abs(b[2] - 33) <= 1 for _, b in places) and places[0][1][0] + 40 < places[4][1][0] < 120, places)
    _, result = film(top, "lost", rest + ball("b", (0.0, 0.0, 0.3), 0.1, velocity=(500.0, 0.0, 0.0)), words, steps=100)
    lost = [balls(path) for path in sorted((top / "lost").glob("frame-*.png"))]
    tap.check("a body that leaves for good is not followed", lost[0][0][2] > 20 and lost[4][1] is None, (lost, result))
    fed = """modifiers = { feed = { plugin = "insert"; every_steps = 50; number = 1; region = { min = (-0.1, -0.1, 0.7);
        max = (0.1, 0.1, 0.9); }; body = { radius = 0.08; material = "m"; }; }; };"""
    shots, result = film(top, "fed", rest, words, more=fed)
    places = [balls(path) for path in shots]
    tap.check("the camera keeps what is inserted", len(shots) == 5 and places[0][1] is None and places[4][1] is not None
              and places[0][0] == places[4][0], (places, result))
    full, _ = film(top, "threads", rest, words, more=fed, args=("--oversubscribe", "--threads", 3))
    tap.check("with the same bytes for any number of threads", full and same(shots, full))


def test_room(top):
    """States of 128 MiB in all are kept: of 300 000 bodies not six."""
    more = """generate = { all = { plugin = "lattice"; shape = "sphere"; radius = 0.01; count = 300000; spacing = 0.03;
        region = { min = (0.0, 0.0, 0.0); max = (3.0, 3.0, 0.9); }; }; };"""
    shots, result = film(top, "large", ball("a", (0.0, 0.0, 1.0), 0.1), FIXED.replace("-3.0", "-9.0") + "samples = 1; ",
                         FALL, more, steps=12, every=2, size=(32, 32))
    said = re.search(r"(\d+) pictures have another range .* whose range is \(0, (\S+)\)", result.stderr)
    tap.check("states that have no room: the log says which range makes all alike", said and int(said[1]) == 6
              and abs(float(said[2]) - 0.12) < 0.01 and len(shots) == 7, result)


FLOOR = """shapes = { floor = { type = "mesh"; vertices = ((-1.0, -1.0, 0.0), (0.0, -1.0, 0.0), (2.0, -1.0, 0.0), (2.0, 1.0, 0.0),
    (0.0, 1.0, 0.0), (-1.0, 1.0, 0.0)); facets = ((0, 1, 4, 5), (1, 2, 3, 4)); }; };
force = ( { plugin = "linear"; kn = 1.0e4; restitution = 1.0; friction = 0.3; } );
"""
INFERNO = {0.5: (188, 55, 84)}  # row 128 of 256 of matplotlib's table
ABOVE = ('projection = "orthographic"; direction = (0.0, 0.0, 1.0); up = (0.0, 1.0, 0.0); target = (0.0, 0.0, 0.0); view_height = 3.0; '
         'colour = "none"; colour_bar = false; hide = ["a", "b"]; ')


def test_pressure(top):
    """Balls press on the two facets of a floor, of 2 and 4 m^2: 8.8 Pa and 15 Pa."""
    floor = 'w = { shape = "floor"; }; '
    one = ball("a", (-0.5, 0.0, 0.199), 0.2)
    rows = read_png(film(top, "one", one + floor, ABOVE + 'wall_load = "pressure"; ', more=FLOOR, steps=0)[0][0])[2]
    grey = rows[50][90]
    tap.check("a wall without load stays grey", max(grey[:3]) - min(grey[:3]) < 20 and 150 < grey[0] < 220, grey)
    loaded = rows[50][30]
    tap.check("one with the largest pressure is dark", max(loaded[:3]) < 100, loaded)
    # The bar ends at 15 Pa; the left facet has 15 Pa * 10 / 17: t = 0.5 / 0.85 of the bar, colour 1 - 0.85 t = 0.5 of inferno.
    left, right = 15.0 * 10 / 17 * 2.0 / 1.0e4, 15.0 * 4.0 / 1.0e4  # overlaps
    two = ball("a", (-0.5, 0.0, 0.2 - left), 0.2) + ball("b", (1.0, 0.0, 0.2 - right), 0.2)
    rows = read_png(film(top, "two", two + floor, ABOVE + 'wall_load = "pressure"; ', more=FLOOR, steps=0)[0][0])[2]
    light = 0.74 + 0.30 * 0.7119  # of a wall seen straight on
    tap.check("its colour is that of force over area", near(rows[50][30], [light * c for c in INFERNO[0.5]], 4), rows[50][30])
    flat = """shapes = { floor = { type = "segments"; vertices = ((2.0, 0.0), (-2.0, 0.0)); segments = ((0, 1)); }; };
        force = ( { plugin = "linear"; kn = 1.0e4; restitution = 1.0; } );"""
    disc = 'a = { shape = "disc"; radius = 0.2; position = (0.0, 0.199); }; w = { shape = "floor"; }; '
    words = 'colour = "none"; colour_bar = false; view_height = 1.0; target = (0.0, 0.0); hide = ["a"]; wall_load = '
    shades = []
    for load in ("pressure", "grey"):
        rows = read_png(film(top, load, disc, words + f'"{load}"; ', more=flat, dimension=2, steps=0)[0][0])[2]
        shades.append(sum(p[:3] != (255, 255, 255) for p in (row[60] for row in rows)))
    tap.check("2D: the line of a loaded wall is thicker", shades[0] >= 2 * shades[1] > 0, shades)


def test_wear(top):
    """A ball slides over one facet of the floor. A run that continues from a checkpoint has the wear of one run."""
    slide = ball("a", (-0.9, 0.0, 0.199), 0.2, velocity=(2.0, 0.0, 0.0)) + 'w = { shape = "floor"; }; '
    words = ABOVE + 'wall_load = "wear"; archard = 1.0e-3; hardness = 1.0e9; '
    shots, result = film(top, "slide", slide, words, FALL, FLOOR, args=("--set", "checkpoint={every_steps=50; keep=9;}"))
    rows = [read_png(path)[2] for path in shots]
    tap.check("where a ball has slid, the wall is worn", len(shots) == 5 and rows[0][50][30] == rows[0][50][90]
              and max(rows[4][50][30][:3]) < 120 and rows[4][50][90] == rows[0][50][90], (result, rows[4][50][30]))
    middle = rows[2][50][30]
    tap.check("wear grows with the path", sum(middle[:3]) > sum(rows[4][50][30][:3]) + 60 and middle != rows[0][50][30], middle)
    on = runs.scree(top, "run", "--restart", "slide/checkpoint-50.h5", "-q", "-o", "on", env=runs.environment(HOME=str(top)))
    shown = [runs.scree(top, "run", "--restart", start, "-q", "-o", to, "--steps", 10, "--set", f'observers.look.wall_load="{load}"',
                        env=runs.environment(HOME=str(top)))
             for start, to, load in (("slide/checkpoint-50.h5", "unworn", "grey"), ("unworn/checkpoint-60.h5", "worn", "wear"))]
    tap.check("a restart may show another load, or wear again", all(one.returncode == 0 for one in shown), shown)
    later = sorted((top / "on").glob("frame-*.png"))
    tap.check("over a restart too", on.returncode == 0 and same(later[-2:], shots[-2:]), (on, later))


def run(top):
    if runs.scree(top, "plugins", "observer/image").returncode:
        tap.skip("observer/image", "it was not built, because cairo is not here")
        return
    for test in (test_range, test_camera, test_room, test_pressure, test_wear):
        test(top)


tap.in_folder(run)
