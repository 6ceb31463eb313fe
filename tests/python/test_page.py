# SPDX-License-Identifier: Apache-2.0
"""Pages of `scree report` in chromium: load, slide, turn, mark a body, colour, play; no console entry, no request beyond the
page, a name for each control.

usage: test_page.py SCREE CONFIGS
"""
import json
import math
import os
import pathlib
import sys

import browser
import scree
import tap
from runs import scree as program
from scenes import write_empty, write_screw
from scree import report

CONFIGS = pathlib.Path(sys.argv[2]).resolve()
FRAMES = 'observers={ scalars = { plugin = "csv"; every_steps = %d; }; frames = { plugin = "frames"; every_steps = %d; contacts = true; values = ("speed", "coordination"); }; %s }'


def make(top, name, scene, steps, every, more="", *words):
    path = top / f"{scene}.cfg"
    seen = program(top, "run", path if path.exists() else CONFIGS / path.name, "-q", "-o", name, "--steps", steps, "--set", FRAMES % (every, every, more), *words)
    page = program(top, "report", name, env={**os.environ, "LC_ALL": "C"}) if seen.returncode == 0 else seen
    tap.check(f"the run and the page of {name}", page.returncode == 0, page)
    return top / name


def colours(page):
    """How many pixels of the view have colour: bodies, and legends."""
    return page.run("(() => { const v = player.view, g = v.gl, n = v.canvas.width * v.canvas.height, p = new Uint8Array(4 * n); v.draw();"
                    " g.readPixels(0, 0, v.canvas.width, v.canvas.height, g.RGBA, g.UNSIGNED_BYTE, p); let s = 0, h = 0;"
                    " for (let i = 0; i < 4 * n; i += 4) { const c = Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]); s += c > 40; h = (h * 31 + p[i] + 3 * p[i + 1] + 7 * p[i + 2]) | 0; }"
                    " return [s, h]; })()")


def opened(new, folder, width=1280, dark=False):
    page = new()
    page.size(width, 900, dark)
    page.open((folder / "report.html").as_uri())
    page.wait("window.player && player.view.frame && 1", 60)
    return page


def positions(page, k):
    return page.run(f"(() => {{ const f = player.source.frame({k}); return [Array.from(f.x, (v, i) => v + f.origin[i % 3]), Array.from(f.body.id), Array.from(f.q)]; }})()")


def check_same(page, folder, name):
    """The page decodes the numbers of the file."""
    frames, worst, turned = scree.Frames(folder), 0.0, 0.0
    radius = min(float(frames[0].scale[i]) for i in range(frames[0].n_free))
    for k in sorted({0, len(frames) // 2, len(frames) - 1}):
        frame = frames[k]
        x, ids, q = positions(page, k)
        worst = max([worst, *(abs(x[3 * i + c] - float(frame.x[c][i])) for i in range(frame.n) for c in range(3))])
        turned = max([turned, *(1 - abs(sum(a * b for a, b in zip(q[4 * i:4 * i + 4], frame.q[i]))) for i in range(frame.n))])
        if ids != [int(i) for i in frame.id]:
            worst = float("inf")
    tap.check(f"{name}: the page has the bodies of the file: ids, positions within 1 % of the smallest size, orientations", worst < 0.011 * radius and turned < 1e-4,
              (worst, radius, turned))


def quiet(page, name, folder):
    beyond = [url for url in page.asked if not url.startswith(("data:", (folder / "report.html").as_uri()))]
    tap.check(f"{name}: no console entry, no request beyond the page", not page.logged and not beyond, (page.logged, beyond))
    nameless = [one for one in page.controls() if not one[1].strip()]
    tap.check(f"{name}: each control has a name", len(page.controls()) > 5 and not nameless, (nameless, page.controls()))


def test_hopper(top, new):
    folder = make(top, "hopper", "hopper", 20000, 400, 'wall = { plugin = "wall"; every_steps = 2000; groups = ("hopper"); };', "--set", "generate.beads.count=600")
    page = opened(new, folder)
    check_same(page, folder, "hopper")
    frames = scree.Frames(folder)
    tap.check("bodies have left it meanwhile", frames[len(frames) - 1].n_free < frames[0].n_free - 50)
    first = colours(page)
    tap.check("bodies are drawn", first[0] > 2000, first)
    worst = page.run("Math.max(...[...player.view.shapes.values()].filter(s => s.kind === 'mesh').flatMap(s => { const {n, real} = player.view.model(s), p = k => real.subarray(6 * k, 6 * k + 3);"
                     " return Array.from({length: n}, (_, k) => { const m = real.subarray(6 * k + 3, 6 * k + 6), base = k - k % 3, [a, b] = [p(base + (k + 1) % 3), p(base + k % 3)], d = a.map((v, c) => v - b[c]);"
                     " return Math.max(Math.abs(Math.hypot(...m) - 1), Math.abs(m.reduce((s, v, c) => s + v * d[c], 0)) / Math.hypot(...d)); }); }))")
    tap.check("each corner of a wall has the normal of its triangle, of length 1", worst is not None and worst < 1e-5, worst)
    page.run("document.querySelector('input[type=range]').focus()")
    for _ in range(12):
        page.key("ArrowRight")
    tap.check("the slider shows another frame, its time, and its values in the plots", page.wait("player.at === 12", 10) and "step 4800" in page.run("player.time.textContent")
              and page.run("[...document.querySelectorAll('.plot')].every(p => p.querySelector('.cursor').getAttribute('visibility') === 'visible' && p.querySelector('output').textContent)"),
              page.run("player.time.textContent"))
    x, y = page.place("canvas")
    second = colours(page)
    page.drag((x, y), (x + 120, y + 40))
    third = colours(page)
    tap.check("a drag turns the view", second[1] != third[1] and page.run("Math.abs(player.view.yaw - 0.5) > 0.5"), (second, third))
    where = page.run("(() => { const v = player.view, f = v.frame, rows = v.axes(), r = v.canvas.getBoundingClientRect(); let best = null;"
                     " for (let i = 0; i < f.nFree; i++) { const [a, b, c] = rows.map(row => row.reduce((s, w, k) => s + w * (f.x[3 * i + k] - v.centre[k]), 0));"
                     " if (!best || c > best[2]) best = [r.x + r.width / 2 + a * v.pixels / devicePixelRatio, r.y + r.height / 2 - b * v.pixels / devicePixelRatio, c, f.body.id[i]]; } return best; })()")
    page.click(where[:2])
    picked = page.wait("document.querySelector('.picked table') && document.querySelector('.picked').innerText", 5) or ""
    tap.check("a click marks the body in front, and shows its values", page.run("player.view.picked") == where[3] and f"body\t{where[3]}" in picked and "speed [m/s]" in picked and "beads" in picked,
              (where, picked))
    before = colours(page)
    page.run("(() => { const s = [...document.querySelectorAll('label')].find(l => l.textContent.startsWith('colour')).querySelector('select'); s.value = 'group'; s.dispatchEvent(new Event('change')); })()")
    tap.check("another colour changes the picture", colours(page)[1] != before[1])
    before = colours(page)
    page.run("(() => { const s = [...document.querySelectorAll('label')].find(l => l.textContent.startsWith('walls by')).querySelector('select'); s.value = 'pressure'; s.dispatchEvent(new Event('change')); })()")
    tint = page.run("[player.view.tint.name, player.view.tint.range[1]]")
    tap.check("walls are coloured by pressure", colours(page)[1] != before[1] and tint[0] == "pressure" and tint[1] > 0, tint)
    before = colours(page)
    page.run("[...document.querySelectorAll('label')].find(l => l.textContent.includes('force chains')).querySelector('input').click()")
    tap.check("force chains are drawn", colours(page)[1] != before[1] and page.run("player.view.frame.contacts().n") > 10)
    page.run("player.show(0)")
    page.click("button[aria-label=play]")
    moving = page.wait("player.at >= 3", 20)
    page.click("button[aria-label=pause]")
    tap.check("play goes through the frames, pause stops", moving and not page.run("player.playing"), page.run("player.at"))
    quiet(page, "hopper", folder)
    narrow = opened(new, folder, 600, True)
    tap.check("at 600 pixels nothing is wider than the page, and dark is dark", narrow.run("document.documentElement.scrollWidth <= 600")
              and narrow.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)")


def test_shapes(top, new):
    write_screw(top)
    for name, scene, steps, every, more in (
            ("clumps", "clumps", 400, 100, ""), ("superquadrics", "superquadrics", 200, 100, ""), ("polygons, 2D", "polygons", 400, 100, ""),
            ("screw with wear", "screw", 2000, 200, 'wall = { plugin = "wall"; every_steps = 200; groups = ("screw"); archard = 1e-3; hardness = 1e9; };')):
        folder = make(top, scene, scene, steps, every, more)
        page = opened(new, folder)
        check_same(page, folder, name)
        tap.check(f"{name}: drawn", colours(page)[0] > 1000, colours(page))
        if more:
            page.run("(() => { const s = [...document.querySelectorAll('label')].find(l => l.textContent.startsWith('walls by')).querySelector('select'); s.value = 'wear_sliding'; s.dispatchEvent(new Event('change')); })()")
            tap.check(f"{name}: walls by wear", page.run("player.view.tint.name") == "wear_sliding" and colours(page)[0] > 1000)
        quiet(page, name, folder)


CONCAVE = """scene = { title = "Concave"; dimension = 2; dt = 1e-5; steps = 20; gravity = (0.0, -9.81, 0.0); };
materials = { steel = { density = 2500.0; }; };
shapes = { cup = { type = "polygon"; vertices = ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (0.2, 0.3), (0.2, -0.2), (-0.2, -0.2), (-0.2, 0.3), (-0.3, 0.3)); };
           hook = { type = "polygon"; vertices = ((0.0, 0.0), (0.04, 0.0), (0.04, 0.01), (0.01, 0.01), (0.01, 0.06), (0.0, 0.06)); }; };
bodies = { left = { shape = "cup"; motion = "fixed"; position = (0.0, 0.0); }; right = { shape = "cup"; motion = "fixed"; position = (0.8, 0.0); };
           hook = { shape = "hook"; position = (0.0, 0.1); }; };
force = ( { plugin = "linear"; kn = 1000.0; } );
"""


def test_concave(top, new):
    (top / "concave.cfg").write_text(CONCAVE)
    folder = make(top, "out", "concave", 20, 10)
    page = opened(new, folder)
    areas = page.run("[...player.view.shapes.values()].map(s => { const {n, real} = player.view.model(s), p = k => real.subarray(6 * k, 6 * k + 2), all = [];"
                     " for (let k = 0; k < n; k += 3) { const [a, b, c] = [p(k), p(k + 1), p(k + 2)]; all.push(((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2); } return all; })")
    tap.check("the triangles of a concave outline have its area, and none is turned over", all(min(one) >= 0 for one in areas)
              and all(any(math.isclose(sum(one), area, rel_tol=1e-5) for one in areas) for area in (0.16, 9e-4)), areas)
    asked = page.run("(() => { const v = player.view, seen = new Set(); v.tint = {name: 'x', unit: '', range: [0, 1], value: id => { seen.add(id); return 0; }}; player.view.redraw();"
                     " return [[...seen].sort(), Array.from(v.frame.body.id).slice(v.frame.nFree).sort()]; })()")
    tap.check("walls that share a shape have a colour each", len(asked[1]) == 2 and asked[0] == asked[1], asked)
    quiet(page, "concave", folder)


def test_empty(top, new):
    write_empty(top)
    folder = make(top, "none", "empty", 20, 10)
    page = opened(new, folder)
    tap.check("a run whose only body leaves has a page", "1 free bodies" in page.run("player.time.textContent"))
    page.run("player.show(2)")
    flat = page.run("[[3, 3 + 1e-12, 3], [-3, -3 + 1e-12, -3], [3, 3.00001, 3]].map(y => new Set(new Plot({title: 'mass', names: {x: 'time', y: 'mass'}, series: [{label: 'mass', x: [0, 1, 2], y}]})"
                    ".element.querySelector('.line').getAttribute('d').match(/ [0-9.]+/g)).size)")
    tap.check("what changes only by round-off is a flat line; what changes a little is not", flat == [1, 1, 2], flat)
    tap.check("also without a body", "0 free bodies" in page.run("player.time.textContent") and page.run("document.title") == "Nothing", page.run("document.body.innerText"))
    quiet(page, "empty", folder)


def test_hostile(top, new):
    (top / "bad.cfg").write_text((CONFIGS / "collision.cfg").read_text())
    text = '<img src=x onerror=console.log(1)></script><script>console.log(2)</script>'
    seen = program(top, "run", "bad.cfg", "-q", "-o", "bad", "--steps", 20, "--set", FRAMES % (10, 10, ""), "--set", "scene.title=" + json.dumps(text))
    (top / "bad/report.html").write_text(report.run_page(scree.read(top / "bad")))
    page = opened(new, top / "bad")
    tap.check("a script in the title of a scene does nothing", page.run("document.querySelector('h1').textContent") == text and page.run("document.querySelectorAll('h1 *, img').length") == 0, seen)
    quiet(page, "hostile", top / "bad")


def run(top):
    if not browser.find():
        return tap.skip("pages in a browser", "chromium is not installed")
    with browser.browser() as new:
        for test in (test_hopper, test_shapes, test_concave, test_empty, test_hostile):
            (top / test.__name__).mkdir()
            test(top / test.__name__, new)


tap.in_folder(run)
