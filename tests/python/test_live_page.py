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
            nameless = [one for one in page.controls() if not one[1]]
            tap.check("each control has a name", len(page.controls()) > 20 and not nameless, page.controls())
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
    about = page.run("document.querySelector('#help').textContent")
    tap.check("a parameter has its help, range and value", "Coulomb" in about and ">= 0" in about and "now" in about, about)
    page.run("panel.value.value = '0.3'")
    button(page, "set")
    answer(page, 1)
    tap.check("a value that was set is shown", page.wait("document.querySelector('#help').textContent.endsWith('now 0.3')"))
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


def test_text(_):
    text = (pathlib.Path(scree.__file__).parent / "page/live.js").read_text(encoding="utf-8")
    tap.check("the panel sets no HTML", not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", text))


if browser.find():
    tap.in_folders(test_page, test_text)
else:
    tap.in_folders(test_text)
