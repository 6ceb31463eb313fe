# SPDX-License-Identifier: Apache-2.0
"""`scree report` of runs without a browser: what the page holds, what it must not hold, how it is thinned.

usage: test_report.py SCREE
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import zlib

import scree
import tap
from runs import PROGRAM, scree as program
from scree import _figures, _stored, report

BEADS = """scene = { title = %s; dimension = 3; dt = 1e-4; steps = 400; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; }; };
generate = { beads = { plugin = "lattice"; radius = 0.01; count = 48; spacing = 0.025; velocity_random = 0.8; region = { min = (0.0, 0.0, 0.01); max = (0.1, 0.1, 0.09); }; }; };
force = ( { plugin = "linear"; kn = 1000.0; restitution = 0.6; friction = 0.5; } );
"""
OBSERVERS = 'observers={ scalars = { plugin = "csv"; every_steps = 20; }; frames = { plugin = "frames"; every_steps = %d; contacts = true; }; }'


def run(top, name, title='"Beads"', every=20, *words):
    (top / "beads.cfg").write_text(BEADS % title, encoding="utf-8")
    return program(top, "run", "beads.cfg", "-q", "-o", name, "--set", OBSERVERS % every, *words)


def parts(page):
    """(the JSON of a page, its frames: the inflated bytes or None)"""
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    frames = re.search(r'<script type="text/plain" id="frames">(.*?)</script>', page, re.S)
    return data, zlib.decompress(base64.b64decode(frames[1])) if frames else None


def part(data, title):
    """The part of a page with a title."""
    return next(one for one in data["parts"] if one["title"].startswith(title))


def restored(data, raw):
    """Positions of each stored frame, [frame][axis][row], by the rules of the page, for runs whose bodies stay."""
    meta = data["frames"]
    at, found, before = sum(meta["shapes"]) + sum(meta["bodies"]) + sum(meta["walls"]), [], None
    for size, _, _ in meta["frames"]:
        payload, at = raw[at:at + size], at + size
        half = (size - 208) // 2
        words = [a | b << 8 for a, b in zip(payload[208:208 + half], payload[208 + half:])]
        lo, quantum, n = struct.unpack_from("<3d3d", payload, 16)[:3], struct.unpack_from("<d", payload, 40)[0], struct.unpack_from("<I", payload, 184)[0]
        now = [(b + (k >> 1 ^ -(k & 1))) & 65535 for k, b in zip(words, before or [0] * 3 * n)][:3 * n]
        found.append([[lo[c] + quantum * k for k in now[c * n:(c + 1) * n]] for c in range(3)])
        before = now
    return found


def test_page(top):
    done = run(top, "done")
    tap.check("a run for the test ends", done.returncode == 0, done)
    seen = program(top, "report", "done", env={**os.environ, "LC_ALL": "C"})
    tap.check("scree report makes FOLDER/report.html, and prints its path", seen.returncode == 0 and seen.stdout == "done/report.html\n", seen)
    page = (top / "done/report.html").read_text(encoding="utf-8")
    data, raw = parts(page)
    script = re.search(r"<script>(.*?)</script>", page, re.S)[1]
    sha = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    tap.check("the browser may run this script only, and asks for nothing", "default-src 'none'" in policy and f"script-src 'sha256-{sha}'" in policy
              and "unsafe" not in policy and not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page), policy)
    summary = scree.read(top / "done").summary
    tap.check("scalars, energies, phases, figures, scene and how to repeat are there", part(data, "Plots")["columns"]["time"][-1] > 0.03
              and part(data, "Plots")["units"]["kinetic"] == "J" and dict(part(data, "Energy")["rows"])["kinetic"] == summary["energy"]["kinetic"]
              and part(data, "Time per phase")["shares"] and dict(part(data, "Figures")["rows"])["mass [kg]"] == summary["mass"]
              and "spacing = 0.025" in part(data, "Scene")["folded"][0][1] and summary["state_sha256"] in part(data, "To repeat")["pre"]
              and "--repeat" in part(data, "To repeat")["pre"], data)
    force, cited = next(row for row in part(data, "Plugins")["rows"] if row[1] == "force/linear"), part(data, "Plugins")["folded"][0][1]
    tap.check("a plugin has its parameters that differ from the default, and its source as BibTeX", force[0] == "force[0]" and "kn = 1000.0" in force[3]
              and "cap" not in force[3] and "Cundall" in force[4] and "@misc{force_linear,\n  author = {Cundall and Strack},\n  year = {1979}" in cited, (force, cited))
    frames, stored = scree.Frames(top / "done"), restored(data, raw)
    worst = max(abs(a - b) for k, frame in enumerate(frames) for c in range(3) for a, b in zip(frame.x[c], stored[k][c]))
    tap.check("stored positions are within 1 % of the radius", len(stored) == len(frames) == 21 and worst <= 0.5 * 0.02 * 0.01 * 1.001, worst)


def test_hostile(top):
    """Words of a scene stay words."""
    text = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>"
    run(top, "bad", json.dumps(text))
    page = report.run_page(scree.read(top / "bad"))
    data, _ = parts(page)
    tap.check("a script in a title is text, not an element", data["title"] == text and page.count("<script") == 3 and "<img" not in page
              and "<!--" not in page, page[:3000])
    tap.check("no part of the page sets HTML", not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", page))


def test_states(top):
    run(top, "done", '"Beads"', 20)
    for name in ("summary.json", "manifest.json"):
        (top / "done" / name).unlink()
    data, raw = parts(report.run_page(scree.read(top / "done")))
    tap.check("a run that has not ended has a page, which says so first", "has not ended" in data["warnings"][0] and data["title"] == "Beads" and raw, data["warnings"])
    (top / "done/frames.scf").unlink()
    (top / "done/picture-0001.png").write_bytes(b"\x89PNG")
    data, raw = parts(report.run_page(scree.read(top / "done")))
    tap.check("without frames its pictures are there", raw is None and "no frames" in data["notes"][0]
              and part(data, "Pictures")["pictures"][0][0] == "picture-0001.png", data["parts"][0])
    seen = program(top, "report", ".", env={**os.environ, "LC_ALL": "C"})
    tap.check("a folder of another kind is refused", seen.returncode == 2 and "scree report: .: expected the folder of a run" in seen.stderr, seen)
    run(top, "bad", '"Beads"', 20, "--set", "dt=0.02", "--set", "scene.dt_limit=1000.0")


def test_damaged(top):
    """Files of a run that others have damaged: words, no traceback, and the old page stays."""
    run(top, "it's", '"Beads"', 20, "--set", "checkpoint.every_steps=200")
    folder, env = top / "it's", {**os.environ, "LC_ALL": "C"}
    good = program(top, "report", "it's", env=env)
    page = (folder / "report.html").read_text(encoding="utf-8")
    tap.check("a whole run has no warnings, and its path is quoted for a shell", good.returncode == 0 and not good.stderr and ".scf" not in str(parts(page)[0]["warnings"])
              and shlex.split(part(parts(page)[0], "To repeat")["pre"])[3] == "it's/manifest.json", good)
    frames = folder / "frames.scf"
    whole = frames.read_bytes()
    for name, bad, words in (("a wrong byte", whole[:-200] + bytes([whole[-200] ^ 1]) + whole[-199:], "behind the last whole block"),
                             ("an empty file", b"", "begins with SCF1"), ("a FIFO", None, "expected a file")):
        frames.unlink()
        os.mkfifo(frames) if bad is None else frames.write_bytes(bad)
        seen = program(top, "report", "it's", env=env)
        warned = parts((folder / "report.html").read_text(encoding="utf-8"))[0]["warnings"]
        tap.check(f"{name} among frames: a warning, also on the page", seen.returncode == 0 and words in seen.stderr and any(words in one for one in warned), (seen, warned))
    frames.unlink()
    frames.write_bytes(whole)
    (top / "it's").rename(top / "first")
    again = program(top, "run", "beads.cfg", "-q", "-o", "it's", "--restart", "first/checkpoint-200.h5", "--set", OBSERVERS % 20)
    (top / "first").rename(top / "moved")
    seen = program(top, "report", "it's", env=env)
    tap.check("missing frames of the run before are a warning, also where its name is now that of this run", "run before are missing: " in seen.stderr and "it's/frames.scf" in parts(
        (folder / "report.html").read_text(encoding="utf-8"))[0]["warnings"][-1], (again, seen))
    seen = []
    for name, bad in (("summary.json", b"[]"), ("summary.json", b'{"warnings": 7, "energy": [], "observers": 3}'), ("summary.json", b"[" * 100000),
                      ("manifest.json", b'{"plugins": 7}'), ("scalars.csv", b"time,a\n0,1\n1,\xff\n2,1\n")):
        old = (folder / name).read_bytes() if (folder / name).exists() else None
        (folder / name).write_bytes(bad)
        one = program(top, "report", "it's", env=env)
        seen += [(name, one)] if one.returncode != 2 or "Traceback" in one.stderr or not re.match("scree report: .*it's", one.stderr) else []
        (folder / name).unlink() if old is None else (folder / name).write_bytes(old)
    (top / "study").mkdir()
    (top / "study/study.json").write_text("{}")
    (top / "study/results.csv").write_text("row,state\n")
    one = program(top, "report", "study", env=env)
    tap.check("files of another form are errors in words", not seen and one.returncode == 2 and one.stderr.startswith("scree report: study: a file of it has another form"), (seen, one))
    (folder / "scalars.csv").unlink()
    os.mkfifo(folder / "scalars.csv")
    tap.check("a FIFO is not a table", program(top, "report", "it's", env=env).returncode == 0)
    before = (folder / "report.html").read_bytes()
    command = 'ulimit -f 8; trap "" XFSZ; exec "$0" report "it\'s"'
    full = subprocess.run(["bash", "-c", command, str(PROGRAM)], cwd=top, env=env, capture_output=True, text=True, timeout=60, check=False)
    tap.check("a page that has no room leaves the old one", full.returncode == 2 and (folder / "report.html").read_bytes() == before
              and not (folder / "report.html.part").exists(), full)


def test_thinned(top):
    run(top, "done", '"Beads"', 2)
    frames = scree.Frames(top / "done")
    whole = _stored.store(frames, 10**7)
    tap.check("what fits is whole", len(whole.meta["frames"]) == len(frames) == 201 and not whole.notes, whole.notes)
    small = _stored.store(frames, len(whole.text) * 4 // 5)
    tap.check("too many frames are thinned, and the page says so", len(small.text) <= len(whole.text) * 4 // 5 and 40 <= len(small.meta["frames"]) < 201
              and re.fullmatch(r"One of \d+ frames is here, so that the page is small\.", small.notes[0]) and len(small.notes) == 1, small.notes)
    _stored.FEWEST_BODIES = 5
    tiny = _stored.store(frames, len(whole.text) // 8)
    for scene in ("polygons", "clumps"):
        program(top, "run", scene, "-q", "-o", scene, "--steps", 40, "--set", OBSERVERS % 1)
        some = _stored.store(scree.Frames(top / scene), len(_stored.store(scree.Frames(top / scene), 10**7).text) // 8)
        tap.check(f"also bodies with orientations: {scene}", any("free bodies is here" in note for note in some.notes), some.notes)
    tap.check("then bodies", len(tiny.text) <= len(whole.text) // 8 and any("free bodies is here" in note for note in tiny.notes), tiny.notes)
    has = _stored.numpy
    _stored.numpy = None
    plain = _stored.store(frames, 10**7)
    _stored.numpy = has
    tap.check("numbers are the same without numpy", has is None or (plain.text == whole.text and plain.meta == whole.meta), (len(plain.text), len(whole.text)))


def test_figures(top):
    run(top, "done", '"Beads"', 20)
    if not shutil.which("gnuplot"):
        return tap.skip("figures for print", "gnuplot is missing")
    seen = program(top, "report", "done", "--figures", "print", env={**os.environ, "LC_ALL": "C"})
    svg, pdf, script = (top / "print" / f"scalars-kinetic.{end}" for end in ("svg", "pdf", "gp"))
    tap.check("figures for print: svg and pdf with names and units", seen.returncode == 0 and "kinetic [J]" in svg.read_text(encoding="utf-8")
              and "time [s]" in script.read_text(encoding="utf-8") and pdf.read_bytes()[:5] == b"%PDF-", seen)
    flat = [_figures._script({"title": "mass", "names": {"x": "t", "y": "m"}, "series": [{"label": "mass", "x": [0, 1], "y": [3.0, high]}]}, "mass") for high in (3.0 + 1e-12, 3.001)]
    tap.check("what changes only by round-off is a flat line", "set yrange [1.5" in flat[0] and "yrange" not in flat[1], flat)
    compared = program(top, "compare", "beads.cfg", "--vary", "generate.beads.count=8,27", "--vary", "gcd.plugin=grid,hashing", "--steps", 4, "--repeats", 2, "--report", "cmp", "-q")
    seen = program(top, "report", "cmp", "-o", "cmp.html", "--figures", "cmp-print", env={**os.environ, "LC_ALL": "C"})
    data, _ = parts((top / "cmp.html").read_text(encoding="utf-8"))
    rows, series = part(data, "Times")["rows"], part(data, "Figures")["plots"][0]["series"]
    tap.check("a comparison has its medians, quartiles and states", seen.returncode == 0 and len(rows) == 4 and all(row[1] == "ok" and row[4] > 0 for row in rows)
              and all(low <= y <= high for one in series for low, y, high in zip(one["low"], one["y"], one["high"])), (compared, seen, rows))
    scripts = [path.read_text(encoding="utf-8") for path in (top / "cmp-print").glob("*.gp")]
    tap.check("its figures have error bars", scripts and all("yerror" in one for one in scripts), scripts)


STUDY = """row,state,reason,seed,force.0.friction,force.0.rolling,angle.mean,angle.error,max_overlap
a,ok,,1,0.1,0.0,20.0,0.5,0.01
b,ok,,2,0.1,0.0,22.0,0.5,0.01
c,ok,,1,0.5,0.0,30.0,0.5,0.02
d,ok,,2,0.5,0.0,34.0,0.5,0.02
e,failed,exit 1,1,0.5,0.2,,,
"""


def test_study(top):
    (top / "results.csv").write_text(STUDY)
    facts = {"study": 1, "scene": "pile", "set": ["scene.steps=10"], "vary": [{"path": "force.0.friction"}, {"path": "force.0.rolling"}], "seeds": 2,
             "goal": [{"figure": "angle.mean", "target": 31.8}], "rows": 5, "states": {"failed": 1, "ok": 4}, "answer": {"noise-bound": True}}
    (top / "study.json").write_text(json.dumps(facts))
    data, _ = parts(report.page(top))
    first = part(data, "Figures")["plots"][0]
    one = first["series"][0]
    tap.check("a study has the mean over seeds with its standard error", first["title"] == "angle.mean" and one["x"] == [0.1, 0.5] and one["y"] == [21, 32]
              and [round(b - a, 9) for a, b in zip(one["y"], one["high"])] == [1, 2], first)
    rows = part(data, "Rows")
    tap.check("its rows, its answer and what failed are there", len(rows["rows"]) == 5 and data["warnings"] == ["1 rows: failed"]
              and data["parts"][0]["rows"] == [["noise-bound", True]], data)


tap.in_folders(test_page, test_hostile, test_states, test_damaged, test_thinned, test_figures, test_study)
