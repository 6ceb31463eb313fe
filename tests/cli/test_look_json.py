# SPDX-License-Identifier: Apache-2.0
"""`scree validate --json` and `scree query --json`: one object, with what the text says, or the mistakes.

usage: test_look_json.py SCREE
"""
import json
import re
import shutil

import tap
from runs import scree

SCENE = """scene = { title = "Two dice"; dt = %s; steps = 200; gravity = (0.0, 0.0, -9.81); };
materials = { wood = { density = 700.0; young_modulus = 1e7; poisson_ratio = 0.3; }; };
shapes = { die = { type = "polyhedron"; solid = "cuboid"; size = (0.01, 0.01, 0.01); };
    floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { a = { shape = "die"; position = (0.0, 0.0, 0.005); }; b = { radius = 0.004; position = (0.05, 0.0, 0.0036); };
    floor = { shape = "floor"; }; };
force = { plugin = "linear"; kn = 1.0e4; friction = 3.0; };
observers = { table = { plugin = "csv"; what = "bodies"; every_steps = 50; }; };
schedule = ( { at_step = 100; set = { gcd = { plugin = "dess"; }; }; } );
"""


def look(top, *words):
    seen = scree(top, *words, "--json")
    try:
        return seen, json.loads(seen.stdout)
    except ValueError:
        return seen, {}


def test_validate(top):
    (top / "s.cfg").write_text(SCENE % "1e-5")
    text = scree(top, "validate", "s.cfg", "--time")
    seen, data = look(top, "validate", "s.cfg", "--time")
    said = {line[:10].strip(): line[11:] for line in text.stdout.splitlines()}
    tap.check("validate --json prints one object and ends well", seen.returncode == 0 and data and data["errors"] == [], seen)
    tap.check("it has title, name and dimension", (data["title"], data["scene"], data["dimension"]) == ("Two dice", "s", 3)
              and said["scene"] == "Two dice (s, 3D)", (data, said))
    b = data["bodies"]
    tap.check("the bodies are those of the text", said["bodies"].startswith(
        f"{b['number']}: {b['free']} free, {b['kinematic']} kinematic, {b['fixed']} fixed (these have {b['facets']} facets; "
        f"{b['planes']} planes)") and (b["number"], b["free"], b["planes"]) == (3, 2, 1), (b, said))
    tap.check("so are their sizes", b["radii"] == {"number": 1, "min": 0.004, "max": 0.004} and b["balls_of_clumps"] is None
              and abs(b["half_thickness_of_solids"]["min"] - 0.005) < 1e-12, b)
    plugins = [f"{p['kind']}/{p['id']}" for p in data["plugins"]]
    tap.check("plugins are those of the text, and those with names", set(said["plugins"].split(", ")) <= set(plugins)
              and data["resolvers"] == ["sphere", "gjk"]
              and [p["name"] for p in data["plugins"] if p["kind"] == "observer"] == ["table"], (plugins, said))
    tap.check("step and end are those of the text", data["dt"] == 1e-5 and not data["dt_auto"] and data["steps"] == 200
              and abs(data["time"] - 2e-3) < 1e-15 and said["time"] == "200 steps to t = 0.002 s", (data, said))
    critical = data["critical"]
    tap.check("critical steps are, with their bodies", said["critical"].startswith(f"{critical['smallest']:.6g} s")
              and said["packing"].startswith(f"{critical['packing']['step']:.6g} s, set by body {critical['packing']['body']}")
              and said["rayleigh"].startswith(f"{critical['rayleigh']['step']:.4g} s"), (critical, said))
    tap.check("pairs and overlap are", "\n".join(data["pairs"]) in re.sub(r"\n {11}", "\n", text.stdout)
              and len(data["pairs"]) == 5 and said["overlap"] == data["overlap"], (data["pairs"], text.stdout))
    tap.check("the schedule is", [e["cause"] + ": " + e["change"] for e in data["schedule"]] ==
              [said["schedule"].split(": ", 1)[1]], (data["schedule"], said))
    tap.check("with --time it has the duration of all steps and of one", 0.0 < data["step_s"] < 1.0
              and abs(data["duration_s"] / data["step_s"] - 200) < 1e-6, data)
    quick = look(top, "validate", "s.cfg")[1]
    tap.check("without --time it has none", "duration_s" not in quick and quick["dt"] == 1e-5, quick)
    shown = re.match(r"about (\S+) s on one thread, by measured costs; (\S+) s of it", said["takes"])
    tap.check("the forecast of its time is that of the text, but for the set-up, which is measured", data["takes_s"] > data["takes_setup_s"] > 0.0
              and abs(float(shown[1]) - float(shown[2]) - data["takes_s"] + data["takes_setup_s"]) < 0.1 * float(shown[1]), (data, said))
    for word, level in (("notes", "note"), ("warnings", "warning")):
        lines = re.findall(rf"^scree: {level}: (.*)$", seen.stderr, re.M)
        tap.check(f"{word} are the lines of standard error", data[word] == lines and lines, (data[word], seen.stderr))


BED = """scene = { dimension = 3; dt = 2e-5; steps = %d; gravity = (0.0, 0.0, %s);
    region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }; };
materials = { wood = { density = 700.0; }; };
shapes = { ring = { type = "superquadric"; axes = (0.002, 0.002, 0.001); }; };
generate = { grains = { plugin = "random"; count = %d; %s }; };
force = { plugin = "linear"; kn = 1.0e4; };
%s
"""


def steps_of(top):
    """[s] Forecast of the steps of bed.cfg. The set-up is measured: it has no place in a claim."""
    data = look(top, "validate", "bed.cfg")[1]
    return data["takes_s"] - data["takes_setup_s"]


def test_forecast(top):
    """The forecast grows with steps, bodies, facets, cells, modifiers and pixels; costs.tsv has the times themselves."""
    def seen(steps=10000, g=-9.81, count=200, shape="radius = 0.002;", more="", words=()):
        (top / "bed.cfg").write_text(BED % (steps, g, count, shape, more))
        return look(top, "validate", "bed.cfg", *words)[1]

    def takes(*given, **named):
        data = seen(*given, **named)
        return data["takes_s"] - data["takes_setup_s"] * (data["takes_s"] > 0.0)
    bed = takes()
    gas = takes(g=0.0)
    tap.check("twice the steps take twice the time", gas > 0.0 and abs(takes(steps=20000, g=0.0) / gas - 2.0) < 1e-6, gas)
    tap.check("more than that where bodies fall first, which costs less than a bed", 2.05 < takes(steps=20000) / bed < 4.0, (takes(steps=20000), bed))
    tap.check("twice the bodies take nearly twice the time: a step has a part of its own", 1.8 < takes(count=400) / bed < 2.0, bed)
    tap.check("a gas takes less than a bed", 0.0 < takes(g=0.0) < 0.8 * bed, (takes(g=0.0), bed))
    solids = takes(shape='shape = "ring";')
    cells = [takes(shape='shape = "ring";', more='resolvers = ( { plugin = "dfr3d"; %s } );' % one) for one in ("cells = 8;", "cells = 16;", "cell = 0.000125;")]
    tap.check("solids take longer than balls, in cells longer still, by their number", solids > 3.0 * bed and solids < cells[0] < 0.9 * cells[1] < 0.9 * cells[2],
              (bed, solids, cells))
    fine, coarse = (seen(shape='shape = "ring";', more='resolvers = ( { plugin = "dfr3d"; cells = %d; } );' % n)["takes_setup_s"] for n in (64, 4))
    tap.check("cells take time before the first step", fine > 3.0 * coarse > 0.0, (fine, coarse))
    text = scree(top, "validate", "bed.cfg").stdout
    tap.check("which the text says", re.search(r"^takes      about \S+ s on one thread, by measured costs; \S+ s of it for the set-up", text, re.M), text)
    small, large = (takes(more='observers = { p = { plugin = "image"; every_steps = 100; width = %d; height = 200; }; };' % width)
                    for width in (200, 400))
    tap.check("pictures take time by their pixels", small > bed and abs((large - bed) / (small - bed) - 2.0) < 1e-6, (bed, small, large))
    slow = ('modifiers = { slow = { plugin = "damping"; alpha = 0.1; }; };' for _ in range(2))
    few, many = (takes(count=n, more=one) - takes(count=n) for n, one in zip((200, 400), slow))
    tap.check("modifiers take time, damping by the bodies", few > 0.0 and abs(many / few - 2.0) < 1e-6, (few, many))
    rows = "\n".join(f"b{k} = {{ radius = 0.002; position = ({0.01 * k}, 0.0, 0.002); }};" for k in range(10))
    rest = ("scene = { dimension = 3; dt = 2e-5; steps = 10000; gravity = (0.0, 0.0, -9.81); };\nmaterials = { wood = { density = 700.0; }; };\n"
            "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\nbodies = { floor = { shape = \"floor\"; }; %s };\n"
            "force = { plugin = \"linear\"; kn = 1.0e4; };\n")
    (top / "bed.cfg").write_text(rest % rows)
    resting = steps_of(top)
    (top / "bed.cfg").write_text(rest % rows.replace("0.002); }", "0.012); }"))
    falling = steps_of(top)
    tap.check("balls that rest by themselves at the start are not taken for a bed, balls that fall are", 0.0 < resting < 0.9 * falling, (resting, falling))
    chips = ("scene = { dimension = 2; dt = 1e-6; steps = 10000; gravity = (0.0, -9.81); };\nmaterials = { wood = { density = 700.0; }; };\n"
             "generate = { chips = { plugin = \"polygons\"; count = 100; corners = 6; resample = %d; distribution = { type = \"uniform\"; min = 0.004; "
             "max = 0.006; }; region = { min = (0.0, 0.0); max = (0.2, 0.2); }; }; };\nresolvers = ( { plugin = \"dfr2d\"; panels = %d; } );\n"
             "force = { plugin = \"overlap_area\"; k = 1e8; kt = 3e4; };\n")
    seen_chips = {}
    for cut in ((0, 10), (0, 100), (10, 10), (10, 100)):
        (top / "chips.cfg").write_text(chips % cut)
        data = look(top, "validate", "chips.cfg")[1]
        seen_chips[cut] = data["takes_s"] - data["takes_setup_s"]
    tap.check("polygons as given take longer with more panels of dfr2d, others do not", seen_chips[0, 100] > 1.5 * seen_chips[0, 10] > 0.0
              and abs(seen_chips[10, 100] / seen_chips[10, 10] - 1.0) < 1e-6, seen_chips)
    pour = ('modifiers = { pour = { plugin = "insert"; body = { radius = 0.001; }; number_rate = 100.0; every_steps = 100; '
            'region = { min = (0.0, 0.0, 0.05); max = (0.1, 0.1, 0.1); }; }; };')
    tap.check("a scene that pours bodies in has none", seen(more=pour)["takes_s"] == 0.0)
    seen(steps=500, g=0.0)
    scree(top, "run", "bed.cfg", "-q", "--set", "checkpoint.at_end=true", "-o", "first")
    again, longer = (look(top, "validate", "--restart", "first", "--set", f"scene.steps={n}")[1] for n in (500, 1000))
    tap.check("a restart has a forecast of its own steps", abs((longer["takes_s"] - longer["takes_setup_s"]) / (again["takes_s"] - again["takes_setup_s"]) - 2.0)
              < 1e-6 and again["takes_s"] > again["takes_setup_s"] > 0.0, (again, longer))


def test_mistakes(top):
    (top / "s.cfg").write_text(SCENE % "1e-5" + "dt = 2e-5;\nguard = { evry = 3; };\n")
    plain = scree(top, "validate", "s.cfg", "--set", "gcd.plugin=gird")
    seen, data = look(top, "validate", "s.cfg", "--set", "gcd.plugin=gird")
    expected = [{"file": "s.cfg", "line": 11, "key": "guard.evry", "message": 'unknown key; did you mean "every"?'},
                {"file": "s.cfg", "line": 10, "key": "dt", "message": "unknown key; it belongs to the group `scene`"}]
    tap.check("a bad scene: status 2, and the object holds file, line, key and message of each mistake", seen.returncode == 2
              and all(e in data["errors"] for e in expected) and len(data["errors"]) == 3, seen)
    override = next(e for e in data["errors"] if e["file"] == "--set")
    tap.check("a mistake of --set has no line", override["line"] is None and override["key"] == "gcd.plugin"
              and 'did you mean "grid"?' in override["message"], override)
    tap.check("standard error has the same lines as without --json", seen.stderr == plain.stderr and not plain.stdout, seen.stderr)
    (top / "broken.cfg").write_text("scene = { dt = 1e-5;\n  title = glass; };\n")
    seen, data = look(top, "validate", "broken.cfg")
    tap.check("a text that cannot be parsed is one error of several lines", seen.returncode == 2 and len(data["errors"]) == 2
              and data["errors"][0]["line"] == 2 and "\n" in data["errors"][0]["message"]
              and data["errors"][1]["file"] == "broken.cfg" and data["errors"][1]["line"] is None, data)
    seen, data = look(top, "validate", "nowhere.cfg")
    tap.check("a scene that is missing is an error without a file", seen.returncode == 2 and len(data["errors"]) == 1
              and data["errors"][0]["file"] is None and "nowhere.cfg" in data["errors"][0]["message"], data)
    (top / "late.cfg").write_text(SCENE % "1e-2")
    seen, data = look(top, "validate", "late.cfg")
    tap.check("a step that is refused leaves what was found before it", seen.returncode == 2 and data["dt"] == 1e-2
              and len(data["errors"]) == 1 and "pairs" not in data, data)
    seen = scree(top, "validate", "s.cfg", "--json", "--print")
    tap.check("--json and --print exclude each other", seen.returncode == 2 and "got both" in seen.stderr and not seen.stdout, seen)
    (top / "good.cfg").write_text(SCENE % "1e-5")
    sets = [["scene.dt=2e-5"], [], ["scene.dt=3e-5", 'scene.title="two\nlines"']]
    (top / "sets").write_text("".join(f"{one}\0" for one in sum(([*one, ""] for one in sets), [])))
    seen = scree(top, "validate", "good.cfg", "--set", "scene.steps=7", "--each", "sets")
    want = [scree(top, "validate", "good.cfg", "--print", *(f"--set={one}" for one in ("scene.steps=7", *some))).stdout for some in sets]
    tap.check("--each prints the scene of each set of overrides as --print does, an empty line after each", seen.returncode == 0
              and seen.stdout == "".join(f"{one}\n" for one in want) and len({*want}) == 3, (seen, want))
    (top / "sets").write_text("scene.dt=1e-5\0")
    seen = scree(top, "validate", "good.cfg", "--each", "sets")
    tap.check("a set without its end is refused", seen.returncode == 2 and "two NULs" in seen.stderr, seen)
    (top / "sets").write_text("scene.dt=1e-5\0\0scene.dt=fast\0\0")
    seen = scree(top, "validate", "good.cfg", "--each", "sets")
    tap.check("a mistake of one set ends --each with its message", seen.returncode == 2 and "scene.dt" in seen.stderr and seen.stdout.count("\n\n") == 1, seen)


def test_query(top):
    (top / "s.cfg").write_text(SCENE % "1e-5")
    seen, data = look(top, "query", "s.cfg", "--ball", "0.05,0,0.0036:0.001")
    tap.check("query --json has the ids that the text has", seen.returncode == 0 and data["errors"] == []
              and [b["id"] for b in data["bodies"]] == [2]
              and scree(top, "query", "s.cfg", "--ball", "0.05,0,0.0036:0.001").stdout == "2\n", seen)
    (top / "s.cfg").write_text(SCENE % "1e-5" + "dt = 2e-5;\n")
    seen, data = look(top, "query", "s.cfg", "--ball", "0,0,0:1")
    tap.check("query of a bad scene: status 2, and the object holds the mistake", seen.returncode == 2
              and data["errors"] == [{"file": "s.cfg", "line": 10, "key": "dt",
                                      "message": "unknown key; it belongs to the group `scene`"}], seen)
    seen, data = look(top, "query", "s.cfg", "--ball", "0,0:1")
    tap.check("so does a wrong region", seen.returncode == 2 and len(data["errors"]) == 1, seen)


def test_restart(top):
    """A scene is checked against a checkpoint with the words of the run that would continue it."""
    (top / "s.cfg").write_text(SCENE % "1e-5")
    scree(top, "run", "s.cfg", "-q", "--steps", "20", "--set", "checkpoint.at_end=true", "-o", "first")
    seen, data = look(top, "validate", "--restart", "first")
    tap.check("validate --restart takes the scene of the checkpoint, and says where it continues", seen.returncode == 0
              and data["errors"] == [] and data["restart_step"] == 20 and data["restart"].endswith("first/checkpoint-20.h5"), seen)
    text = scree(top, "validate", "s.cfg", "--restart", "first", "--set", "scene.gravity=(0.0, 0.0, -5.0)")
    tap.check("and how the scene differs", text.returncode == 0 and "restart    step 20 of " in text.stdout
              and "differs from the checkpoint: scene.gravity[2]: -9.81, now -5" in text.stderr and "overlap " not in text.stdout, text)
    for claim, status, change in (("another body", 2, "bodies.b.radius=0.003"), ("another shape", 2, "shapes.die.size=(0.01, 0.01, 0.02)"),
                                  ("another density", 0, "materials.wood.density=100.0")):
        words = ["s.cfg", "--restart", "first", "--set", change]
        run, text = scree(top, "run", *words, "-q", "--steps", "1", "-o", "second"), scree(top, "validate", *words)
        shutil.rmtree(top / "second", ignore_errors=True)
        same = [line for line in run.stderr.splitlines() if not line.startswith("scree: continues")]
        tap.check(f"{claim}: validate and run have one answer", run.returncode == text.returncode == status
                  and same and set(same) <= set(text.stderr.splitlines()), (run, text))
    seen = scree(top, "validate", "s.cfg", "--restart", "nowhere")
    tap.check("a missing checkpoint is refused as by run", seen.returncode == 2 and "--restart: cannot read nowhere" in seen.stderr, seen)
    seen = scree(top, "validate", "s.cfg", "--restart", "first", "--picture", "a.png")
    tap.check("--picture and --restart exclude each other", seen.returncode == 2 and "--picture and --restart" in seen.stderr, seen)
    seen = scree(top, "validate", "s.cfg", "--allow-plugin-change")
    tap.check("--allow-plugin-change needs --restart", seen.returncode == 2 and "expected --restart with it" in seen.stderr, seen)


tap.in_folders(test_validate, test_forecast, test_restart, test_mistakes, test_query)