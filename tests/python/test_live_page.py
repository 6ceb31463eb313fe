# SPDX-License-Identifier: Apache-2.0
"""The page of `scree live` in chromium, on a hopper that runs.

usage: test_live_page.py SCREE [FOLDER]; with FOLDER it keeps pictures of the page there.
"""
import json
import pathlib
import re
import sys
import urllib.parse

import browser
import scree
import tap
from runs import environment, scree as program, start
from scenes import write_empty, write_screw

FOLDER = "<img src=x onerror=alert(1)>"
HOPPER = ("hopper", "--set", "generate.beads.count=1500", "--set", "scene.dt=2e-6", "--set", "scene.steps=100000000", "--set", "observers={}", "-o", FOLDER)


def button(page, name):
    """Clicks the button of a name."""
    page.run(f"document.querySelectorAll('[data-test]').forEach(b => b.removeAttribute('data-test')); "
             f"[...document.querySelectorAll('button')].find(b => b.textContent === {json.dumps(name)}).setAttribute('data-test', '')")
    page.click("[data-test]")


def choose(page, label, value):
    """Chooses an option, as a user does."""
    page.run(f"(s => {{ s.value = {json.dumps(value)}; s.dispatchEvent(new Event('change')); }})([...document.querySelectorAll('select')]"
             f".find(s => (s.getAttribute('aria-label') || s.parentElement.firstChild.textContent.trim()) === {json.dumps(label)}))")


def answer(page, k):
    """The rows of answer k, of which the first is the oldest."""
    page.wait(f"document.querySelectorAll('.log > li').length > {k}")
    return dict(page.run(f"[...[...document.querySelectorAll('.log > li')].reverse()[{k}].querySelectorAll('tr')].map(r => [...r.children].map(c => c.textContent))"))


def shot(page, name):
    if len(sys.argv) > 2:
        page.picture(pathlib.Path(sys.argv[2], name))


def test_page(top):
    process = start(top, "live", *HOPPER, env=environment(XDG_RUNTIME_DIR=top))
    try:
        process.stdout.readline()
        url = process.stdout.readline().split()[-1]
        with browser.browser() as new:
            page = new()
            page.size(1280, 900)
            page.open(url)
            tap.check("frames of the run come", page.wait("window.player && player.view.frame && player.at > 2 && window.panel && panel.slots.length > 0"), page.logged)
            use(page)
            steer(page, top)
            look(page)
            tap.check("the console is empty", page.logged == [], page.logged)
            hosts = {urllib.parse.urlsplit(one).netloc for one in page.asked if not one.startswith("blob:")}
            tap.check("the page asks for nothing beyond its server", hosts == {urllib.parse.urlsplit(url).netloc}, page.asked)
            holds, controls = named(page)
            tap.check("each control has a name", holds, controls)
            tap.check("a script in the name of a folder is text", page.run("document.querySelector('h1').textContent") == FOLDER
                      and page.run("document.querySelectorAll('img').length") == 0)
            stranger = new()
            stranger.open(url.partition("#")[0])
            tap.check("a page without the token says what it needs", stranger.wait("document.querySelector('.warning').textContent.includes('behind #')")
                      and not stranger.run("window.panel || window.player"))
            button(page, "quit")
            tap.check("the page says that the run has closed", page.wait("!document.querySelector('.warning').hidden"))
        out, wrong = process.communicate(timeout=60)
        want = re.search(r"state_sha256  (\w+)", out)
        tap.check("quit on the page ends the program", process.returncode == 4 and want and "Traceback" not in wrong, (out, wrong))
        again = program(top, "run", "--repeat", f"{FOLDER}/manifest.json", "-q", "--json", "-o", "again")
        tap.check("--repeat of the run that the page has steered has its hash", again.returncode == 0
                  and json.loads(again.stdout)["state_sha256"] == want[1], again)
    finally:
        process.kill()
        process.communicate()


def use(page):
    """View, slider and play."""
    canvas = page.place(".stage canvas")
    before = page.run("[player.view.yaw, player.view.pitch]")
    page.drag(canvas, (canvas[0] + 120, canvas[1] + 40))
    tap.check("a drag turns the view", page.run("[player.view.yaw, player.view.pitch]") != before)
    choose(page, "colour", "group")
    tap.check("a choice colours the bodies", page.run("player.view.colouring") == "group")
    choose(page, "colour", "speed")
    newest = page.run("player.view.frame.step")
    tap.check("the newest frame follows the run", page.wait(f"player.view.frame.step > {newest}"))
    page.run("player.slider.value = 1; player.slider.dispatchEvent(new Event('input'))")
    page.wait(f"player.view.frame.step < {newest}")
    old = page.run("player.view.frame.step")
    tap.check("the slider goes back, and the page stays there", old < newest and not page.wait(f"player.view.frame.step > {newest}", 1))
    page.click("button[aria-label=play]")
    tap.check("play goes on from there", page.wait(f"player.view.frame.step > {old}"))
    page.click("button[aria-label=pause]")
    page.click("label:has(input):last-of-type input")


def steer(page, top):
    """Swap, set, step, compare, query, save."""
    choose(page, "slot", "gcd")
    choose(page, "plugin", "dess")
    button(page, "swap")
    seen = answer(page, 0)
    tap.check("a swap of grid to dess on the running hopper: equal hashes, times of a step", len(seen.get("hash_before", "")) == 64
              and seen["hash_before"] == seen["hash_after"] and seen["report changes 1 from"] == "grid" and seen["report changes 1 to"] == "dess"
              and float(seen["step_time_before [us]"]) > 0 and float(seen["step_time_after [us]"]) > 0, seen)
    choose(page, "parameter", "force[0].friction")
    about = page.run("panel.help.textContent")
    tap.check("a parameter has its help, range and value", "Coulomb" in about and ">= 0" in about and "now" in about, about)
    page.run("panel.value.value = '0.3'")
    button(page, "set")
    answer(page, 1)
    tap.check("a value that was set is shown", page.wait("panel.help.textContent.endsWith('now 0.3')"))
    button(page, "pause")
    answer(page, 2)
    page.wait("panel.state === 'paused'")
    step = page.run("document.querySelector('header output').textContent")
    button(page, "step")
    seen = answer(page, 3)
    tap.check("step takes one step", seen["reached"] == "yes" and f"step {int(seen['step']) - 1} of" in step, (step, seen))
    choose(page, "plugin", "bvh")
    button(page, "compare here")
    seen = answer(page, 4)
    tap.check("two plugins on the current state: times, no difference", seen["a hash"] == seen["b hash"] and seen["first_difference"] == ""
              and float(seen["a step_time [us]"]) > 0, seen)
    page.run("panel.where.value = 'ball 0,0,0:'")
    button(page, "query")
    tap.check("a mistake is answered in words", "refused" in answer(page, 5), answer(page, 5))
    button(page, "save")
    seen = answer(page, 6)
    tap.check("save writes a checkpoint", pathlib.Path(seen["path"]).parent == top / FOLDER and pathlib.Path(seen["path"]).is_file(), seen)
    button(page, "picture")
    tap.check("a picture has the bodies", page.run("new Promise(r => document.querySelector('.stage canvas').toBlob(b => r(b.size)))") > 5000)


def look(page):
    """Pictures at two widths, light and dark: nothing is wider than the page."""
    for width in (1280, 600):
        for dark in (False, True):
            page.size(width, 900, dark)
            page.wait("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
            tap.check(f"the page fits into {width} pixels, {'dark' if dark else 'light'}", page.run("document.documentElement.scrollWidth") <= width)
            page.run("scrollTo(0, 0)")
            shot(page, f"live-{width}-{'dark' if dark else 'light'}.png")
    page.size(1280, 900)


CLUMPS = ("drum", "--set", 'shapes.pair={ type="clump"; balls=((-0.6,0.0,0.0,1.0),(0.6,0.0,0.0,1.0)); }', "--set", 'generate.left.shape="pair"',
          "--set", "generate.left.count=250", "--set", "generate.right.count=250", "--set", "modifiers.drive.start=0.0")


def named(page):
    """Whether each control of a page has a name, and what controls it has; a control without one is seen."""
    seen = page.controls()
    page.run("document.querySelector('main').append(document.createElement('input'))")
    nameless = [one for one in page.controls() if not one[1].strip()]
    page.run("document.querySelector('main > input:last-child').remove()")
    return len(seen) > 20 and all(one[1].strip() for one in seen) and len(nameless) == 1, seen


def coloured(page):
    """How many pixels of the view are not grey."""
    return page.run("(() => { const v = player.view, g = v.gl, n = v.canvas.width * v.canvas.height, p = new Uint8Array(4 * n); v.draw(); let s = 0;"
                    " g.readPixels(0, 0, v.canvas.width, v.canvas.height, g.RGBA, g.UNSIGNED_BYTE, p);"
                    " for (let i = 0; i < 4 * n; i += 4) s += Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]) > 40; return s; })()")


def test_scenes(top):
    """A drum of clumps, a screw with wear, two dimensions, a run that loses its only body."""
    write_screw(top)
    write_empty(top)
    wear = 'observers={ wall = { plugin = "wall"; every_steps = 200; groups = ("screw"); archard = 1e-3; hardness = 1e9; }; }'
    with browser.browser() as new:
        for name, steps, words in (("drum of clumps", 4000, CLUMPS), ("screw with wear", 2000, ("screw.cfg", "--set", wear)),
                                   ("polygons", 400, ("polygons", "--set", "observers={}")), ("empty", 20, ("empty.cfg",))):
            folder = name.replace(" ", "-")
            process = start(top, "live", *words, "-o", folder, "--pause", env=environment(XDG_RUNTIME_DIR=top))
            try:
                process.stdout.readline()
                url = process.stdout.readline().split()[-1]
                page = new()
                page.size(1280, 900)
                page.open(url)
                here = page.wait("window.player && player.view.frame && window.panel && panel.slots.length > 0", 20)
                first = page.run("player.view.frame.step") if here else None
                page.run(f"panel.steps.value = '{steps}'")
                button(page, "step")
                seen = answer(page, 0)
                free = 0 if name == "empty" else 1
                later = page.wait(f"player.view.frame.step === {steps} && Boolean(player.view.frame.nFree) === Boolean({free})", 10)
                tap.check(f"{name}: the page shows the start of a paused run, and the state after its steps", here and first == 0 and seen["reached"] == "yes" and later,
                          (first, seen, process.poll(), page.logged))
                tap.check(f"{name}: bodies are drawn", coloured(page) > 1000 or not free, coloured(page))
                kinds = page.run("[...player.view.shapes.values()].map(one => one.kind)")
                tap.check(f"{name}: shapes of the scene", {"drum of clumps": "balls", "screw with wear": "mesh", "polygons": "outline", "empty": "ball"}[name] in kinds, kinds)
                if free:
                    x, y = page.run("(() => { const v = player.view, f = v.frame, r = v.canvas.getBoundingClientRect(), rows = v.axes(); v.canvas.scrollIntoView(); let best = null;"
                                    " for (let i = 0; i < f.nFree; i++) { const [a, b, c] = rows.map(row => row.reduce((s, w, k) => s + w * (f.x[3 * i + k] - v.centre[k]), 0));"
                                    " if (!best || c > best[2]) best = [a, b, c]; } const q = v.canvas.getBoundingClientRect();"
                                    " return [q.x + q.width / 2 + best[0] * v.pixels / devicePixelRatio, q.y + q.height / 2 - best[1] * v.pixels / devicePixelRatio]; })()")
                    page.click((x, y))
                    tap.check(f"{name}: a click marks a body", page.wait("player.view.picked !== null && document.querySelector('.picked table') !== null", 5))
                holds, controls = named(page)
                tap.check(f"{name}: each control has a name", holds, controls)
                tap.check(f"{name}: the console is empty", page.logged == [], page.logged)
                shot(page, f"{folder}.png")
                button(page, "quit")
                out, wrong = process.communicate(timeout=60)
                tap.check(f"{name}: quit ends the run", process.returncode in (0, 4) and "Traceback" not in wrong, (process.returncode, wrong))
            finally:
                process.kill()
                process.communicate()


def test_text(_):
    text = (pathlib.Path(scree.__file__).parent / "page/live.js").read_text(encoding="utf-8")
    tap.check("the panel sets no HTML", not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", text))


if browser.find():
    tap.in_folders(test_page, test_scenes, test_text)
else:
    tap.in_folders(test_text)
