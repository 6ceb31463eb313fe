# SPDX-License-Identifier: Apache-2.0
"""scree compare: variants, figures checked by Python's own statistics, report, usage, signals.

usage: test_compare.py SCREE SCENE
"""
import csv
import json
import math
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree

import runs
import tap

SCREE, SCENE = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
EXACT = "extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}"
TIMES = ("gcd", "gcd_resolve", "step", "step_init", "search")
GCDS = ("grid", "pairing", "hashing")


def scree(top, *args, command="compare", **more):
    return runs.scree(top, command, *args, env=runs.environment(**more))


def near(a, b):
    return a == b or math.isclose(a, b, rel_tol=1e-12)


def check_variant(v, steps):
    """Medians and quartiles as Python has them; times that belong together do."""
    for key in TIMES:
        seen = [s[key] for s in v["samples"]]
        q1, median, q3 = statistics.quantiles(seen, n=4, method="inclusive")
        if not (near(v["medians"][key], median) and near(v["quartiles"][key][0], q1)
                and near(v["quartiles"][key][1], q3)):
            return False
    return all(near(s["step"] * steps, s["wall_s"]) and 0 < s["step_init"] < s["gcd"] < s["gcd_resolve"]
               <= s["step"] and 0 < s["cpu_s"] < 1.5 * s["wall_s"] + 0.001 and math.isclose(s["step_init"] + s["search"], s["gcd"], rel_tol=1e-9)
               and s["setup_s"] > 0 for s in v["samples"])


def check_series(data):
    """Exponents as Python's linear regression of logarithms has them."""
    for row in data["exponents"]:
        x, t = ([math.log(v) for v in row[key]] for key in ("numbers", "seconds"))
        local = [(t[i + 1] - t[i]) / (x[i + 1] - x[i]) for i in range(len(x) - 1)]
        if not math.isclose(statistics.linear_regression(x, t).slope, row["exponent"], abs_tol=1e-9) \
                or not all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(local, row["local"], strict=True)):
            return False
    return True


def test_series(top):
    """Three GCDs on three sizes: figures, order of turns, report."""
    args = (SCENE, "--vary", "generate.beads.count=1..25*5", "--vary", f"gcd.plugin={','.join(GCDS)}", "--set",
            EXACT, "--steps", 20, "--warmup", 3, "--repeats", 3, "--report", "report", "--json")
    result = scree(top, *args)
    data = json.loads(result.stdout)
    variants = data["variants"]
    tap.check("every combination is measured", result.returncode == 0 and [
        (v["varied"]["generate.beads.count"], v["varied"]["gcd.plugin"]) for v in variants]
        == [(n, g) for n in (1, 5, 25) for g in GCDS] and {v["outcome"] for v in variants} == {"ok"}, result.stderr)
    tap.check("medians and quartiles are those of the samples", all(check_variant(v, 20) for v in variants),
              [v["samples"] for v in variants])
    tap.check("exponents are those of a linear regression", len(data["exponents"]) == 9 and check_series(data),
              data["exponents"])
    ratios = all(near(v["ratios"][t], v["medians"][t] / min(w["medians"][t] for w in variants
                                                           if w["group"] == v["group"]))
                 for v in variants for t in TIMES[:3])
    tap.check("ratios are against the fastest of the same task", ratios)
    turns = [sorted((s["turn"] % 3, s["round"]) for s in v["samples"]) for v in variants]
    tap.check("each variant is once first, once second, once third of its task", all(
        [t for t, _ in seen] == [0, 1, 2] and {r for _, r in seen} == {0, 1, 2} for seen in turns), turns)
    want = json.loads(scree(top, SCENE, "--steps", 23, "--json", "-q", "--set", "generate.beads.count=25", "--set",
                            EXACT, command="run").stdout)
    same = {v["state_sha256"] for v in variants if v["group"] == 2}
    tap.check("the state is that of a run of warm-up and steps", same == {want["state_sha256"]}, same)
    tap.check("the keys of scree run --json are there, for each variant", all(
        set(want) - {"stopped", "machine"} <= set(v) and v["steps"] == 20 and v["gcd_calls"] == 20
        for v in variants), set(want) - set(variants[0]))
    names = {v["name"]: v for v in variants}
    tap.check("what is to be pasted is the choice, not the task", names[
        "generate.beads.count=5, gcd.plugin=hashing"]["paste"] == 'gcd = { plugin = "hashing"; };')
    logs = {g: statistics.fmean(math.log(v["ratios"]["gcd_resolve"]) for v in variants
                                if v["varied"]["gcd.plugin"] == g) for g in GCDS}
    best = min(logs, key=logs.get)
    last = result.stderr.splitlines()[-1]
    tap.check("the last line names the fastest with the line to paste", data["by"] == "gcd_resolve"
              and data["fastest"]["name"] == best and last.startswith(f"fastest: {best} (by contact detection and ")
              and last.endswith(f'): gcd = {{ plugin = "{best}"; }};'), (last, logs))
    tap.check("the command is kept as it can be typed again", shlex.split(data["command"])
              == ["scree", "compare", *map(str, args)], data["command"])
    check_report(top / "report", data)


def has_pdf():
    return subprocess.run(["gnuplot", "-e", "set terminal pdfcairo"], capture_output=True).returncode == 0


def test_units(top):
    """The axis of a figure has the unit of the setting that varies."""
    for path, values, label in (("scene.dt", "1e-6,2e-6", "scene.dt [s]"), ("force.0.kn", "1e4,2e4", "force.0.kn [N/m]"),
                                ("materials.glass.density", "2000,3000", "materials.glass.density [kg/m^3]"),
                                ("force[0].restitution", "0.5,0.6", "force[0].restitution [-]"),
                                ("generate.beads.radius", "1e-3,1.1e-3", "generate.beads.radius [m]")):
        folder = top / path
        result = scree(top, SCENE, "--set", EXACT, "--vary", f"{path}={values}", "--steps", 3, "--warmup", 1, "--repeats", 2,
                       "-q", "--report", folder)
        scripts = [p.read_text() for p in folder.glob("figures/*.gp")]
        tap.check(f"the axis of {path} is named {label}", result.returncode == 0 and scripts
                  and all(f'set xlabel "{label}"' in text for text in scripts), (result.stderr, scripts[:1]))


def check_report(folder, data):
    files = sorted(p.name for p in folder.iterdir())
    drawn = sorted(p.name for p in (folder / "figures").iterdir())
    figures = [f"{name}-generate.beads.count.svg" for name in ("contact-detection", "contact-detection-and-resolution", "whole-step")]
    ends = [".svg", ".gp", *[".pdf"] * has_pdf()]
    tap.check("a report has its files and no others", files == ["compare.json", "figures", "index.html", "machine.json", "samples.tsv"]
              and drawn == sorted(name.replace(".svg", end) for name in figures for end in ends), (files, drawn))
    tap.check("compare.json is what --json prints", json.loads((folder / "compare.json").read_text()) == data)
    with open(folder / "samples.tsv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    seen = {(r["gcd.plugin"], float(r["generate.beads.count"]), int(r["round"])): float(r["step"]) for r in rows}
    wanted = {(v["varied"]["gcd.plugin"], v["varied"]["generate.beads.count"], s["round"]): s["step"]
              for v in data["variants"] for s in v["samples"]}
    tap.check("samples.tsv has every sample", len(rows) == 27 and seen == wanted, rows[:3])
    machine = json.loads((folder / "machine.json").read_text())
    tap.check("machine.json has facts of machine and build", {"CPU", "CPUs", "compiler", "flags", "kernel", "date",
              "command", "pinned to CPU", "load before"} <= set(machine), machine)
    texts = {}
    for name in figures:
        root = xml.etree.ElementTree.parse(folder / "figures" / name).getroot()
        texts[name] = "".join(root.itertext())
        if not root.tag.endswith("}svg"):
            texts[name] = ""
    tap.check("figures are SVG that name axis with unit, and variants", all(
        "generate.beads.count [-]" in text and all(g in text for g in GCDS) for text in texts.values()), texts)
    tap.check("a figure is PDF, too", not has_pdf() or all((folder / "figures" / name.replace(".svg", ".pdf")).read_bytes().startswith(b"%PDF-")
                                                           for name in figures), files)
    for k, gcd in enumerate(GCDS):
        block = (folder / "figures/whole-step-generate.beads.count.gp").read_text().split(f"$d{k} << EOD\n")[1].split("EOD")[0]
        rows = [[float(word) for word in line.split()] for line in block.splitlines()]
        want = [[v["varied"]["generate.beads.count"], v["medians"]["step"], *v["quartiles"]["step"]] for v in data["variants"]
                if v["varied"]["gcd.plugin"] == gcd]
        tap.check(f"the error bars of {gcd} are its quartiles", len(rows) == 3 and all(
            math.isclose(a, b, rel_tol=1e-8) for r, w in zip(rows, want) for a, b in zip(r, w)), (rows, want))
    page = (folder / "index.html").read_text(encoding="utf-8")
    tap.check("the page is that of `scree report`, with the verdict and each variant", "Content-Security-Policy" in page
              and data["title"] in page and all(v["name"] in page for v in data["variants"]), page[:300])


def test_report(top):
    """Bars where no number varies; an old report gives way; no gnuplot."""
    args = (SCENE, "--vary", "gcd.plugin=grid,hashing", "--set", EXACT, "--steps", 5, "--repeats", 2, "-q")
    result = scree(top, *args, "--report", "report")
    files = sorted(p.name for p in (top / "report/figures").iterdir() if p.suffix == ".svg")
    tap.check("bars are drawn where no number varies, and old figures are gone", result.returncode == 0
              and files == [f"{name}-variant.svg" for name in ("contact-detection-and-resolution", "contact-detection", "whole-step")]
              and "hashing" in (top / "report/figures/contact-detection-variant.svg").read_text(encoding="utf-8"), (files, result.stderr))
    (top / "bin").mkdir()
    (top / "bin/python3").symlink_to(sys.executable)
    result = scree(top, *args, "--report", "plain", PATH=str(top / "bin"))
    files = sorted(p.name for p in (top / "plain").iterdir())
    tap.check("without gnuplot a line says so, and the rest is written", result.returncode == 0
              and "no figures, because gnuplot is not installed" in result.stderr
              and files == ["compare.json", "index.html", "machine.json", "samples.tsv"], (files, result))
    (top / "bin/python3").unlink()
    result = scree(top, *args, "--report", "unread", PATH=str(top / "bin"))
    tap.check("without Python the tables are written, and an error says that the page is missing", result.returncode == 1
              and "no page of unread" in result.stderr and (top / "unread/compare.json").is_file(), result)
    (top / "file").write_text("")
    result = scree(top, *args, "--report", "file")
    tap.check("a report that cannot be written fails before anything is measured", result.returncode == 1
              and "cannot write to the folder file" in result.stderr and not result.stdout, result)


def test_table(top):
    result = scree(top, SCENE, "--variant", "one", "gcd.plugin=grid", "gcd.cell=0.02", "--variant", "two",
                   "gcd.plugin=hashing", "--vary", "force.0.kn=1e4,2e4", "--set", EXACT, "--steps", 10, "--repeats",
                   2, "-q")
    lines = result.stdout.splitlines()
    tap.check("named variants and varied settings multiply, a table per task", result.returncode == 0
              and sum(line.startswith("one ") and "GCD" not in line for line in lines) == 2 + 2
              and "force.0.kn = 1e4; 29 bodies" in lines and "force.0.kn = 2e4; 29 bodies" in lines, result)
    heads = [i for i, line in enumerate(lines) if re.match(r" +GCD .s +quartiles +ratio", line)]
    tap.check("columns are aligned", len(heads) == 2 and all(
        len({len(lines[i + k]) for k in range(3)}) == 1 for i in heads), lines)
    order = [[float(lines[i + k].split()[4]) for k in (1, 2)] for i in heads]
    tap.check("the fastest comes first", all(a <= b for a, b in order), order)
    tap.check("the last line can be pasted", re.search(
        r'^fastest: (one|two) .*: gcd = \{ plugin = "(grid"; cell = 0.02|hashing"); \};$', lines[-1]), lines[-1])
    result = scree(top, SCENE, "--vary", "gcd.plugin=grid,hashing", "--set", "gcd.plugin=grid", "--set",
                   "extent={eps_c=0.001;}", "--steps", 2, "--warmup", 0, "--repeats", 1)
    tap.check("if no timed step detects contacts a line says so, and none is the fastest",
              "no timed step called the contact detection" in result.stderr
              and result.stdout.splitlines()[-1] == "fastest: none, no timed step called the contact detection", result)


def test_default(top):
    """Without --vary: all contact detections."""
    result = scree(top, SCENE, "--steps", 2, "--repeats", 1, "--json")
    data = json.loads(result.stdout)
    listed = scree(top, "gcd", "--json", command="plugins")
    ids = {p["id"] for p in json.loads(listed.stdout)["plugins"]}
    seen = {v["varied"]["gcd.plugin"] for v in data["variants"]}
    left = {line.split("=")[1].split(":")[0] for line in data["left_out"]}
    tap.check("without --vary and --variant all GCDs are compared, or named with the reason",
              result.returncode == 0 and seen | left == ids and not seen & left and "grid" in seen
              and "--vary gcd.plugin=all" in result.stderr, (seen, left, ids))
    tap.check("they all come to one state", len({v["state_sha256"] for v in data["variants"]}) == 1
              and not data["disagreements"], seen)


def test_usage(top):
    vary = ("--vary", "gcd.plugin=grid,hashing")
    wrong = [(("--steps", "0"), '--steps: expected a whole number from 1 to 4294967295, got "0"'), (("--steps", "x"), '--steps: expected a whole number from 1 to 4294967295, got "x"'),
             (("--warmup", "-1"), "--warmup: expected"), (("--repeats", "0"), "--repeats: expected"),
             (("--threads", "0"), "--threads: expected"), (("--limit", "0"), "--limit: expected a time above 0 s, got 0"),
             (("--limit", "3 kg"), '--limit: expected a quantity with the dimension of s, got "3 kg"'), (("--variant",), "--variant: expected NAME"),
             (("--variant", "a"), "--variant a: expected PATH=VALUE"), (("--variant", "a=1"), "--variant: expected NAME"),
             (("--variant", "a\nb", "gcd.cell=1"), "--variant: expected NAME"),
             (("--variant", "a", "gcd.plugin=grid"), "--variant a: gcd.plugin is varied by --vary too"),
             (("--variant", "a", "gcd.cell=1", "--variant", "a", "gcd.cell=2"), "--variant a is given twice"),
             (("--vary", "gcd.plugin=grid"), "--vary gcd.plugin is given twice"), (("--vary", "x"), "--vary x"),
             (("--vary", "scene.dt=1..2"), "expected a series with its step"), (("--jsn",), "--jsn"),
             (("--vary", "scene.title=a,b", "--vary", "scene.plugin=all"), "--vary scene.plugin=all: expected gcd.plugin"),
             (("--vary", "gcd.cel=1.0"), "variant gcd.plugin=grid, gcd.cel=1.0: --set: gcd.cel: unknown key"),
             (("--vary", "force.0.kn=-1.0"), "force[0].kn"), (("other.cfg",), "expected one SCENE, got 2")]
    for args, says in wrong:
        result = scree(top, SCENE, *vary, *args)
        tap.check(f"{' '.join(args).replace(chr(10), ' ')} is refused, and says why", result.returncode == 2 and says in result.stderr
                  and not result.stdout, result)
    result = scree(top, *vary, "none.cfg")
    tap.check("a scene that is not there is refused", result.returncode == 2 and "none.cfg" in result.stderr, result)
    result = scree(top, "none.cfg")
    tap.check("one reason for all of a kind is reported once", result.returncode == 2
              and result.stderr.count('"none.cfg"') == 1 and "left out" not in result.stderr, result)
    result = scree(top, SCENE, "--vary", "gcd.plugin=grid,gird")
    tap.check("a plugin that does not exist is refused with the nearest", result.returncode == 2
              and 'did you mean "grid"?' in result.stderr, result)
    result = scree(top, "--help")
    tap.check("--help lists every option", result.returncode == 0 and all(
        f"--{name}" in result.stdout for name in ("vary", "variant", "set", "steps", "warmup", "repeats", "limit",
                                                  "threads", "report", "json", "quiet")), result)
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = runs.scree(top, "compare", SCENE, *vary, "--steps", "1", "--repeats", "1", "-q", stdout=full)
    tap.check("a full standard output fails", result.returncode == 1
              and "cannot write to standard output" in result.stderr, result)


def repeats_of(pid):
    """{process: CPU} of the children that are pinned: others look into plugin files."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            cpus = re.search(r"^Cpus_allowed_list:\s*(.*)$", (path / "status").read_text(encoding="utf-8"), re.M)
        except (OSError, IndexError):  # it has just ended
            continue
        if parent == pid and cpus and cpus.group(1).isdigit():
            found[int(path.name)] = cpus.group(1)
    return found


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_threads(top):
    """Numbers of threads as an axis: the runs have them, the states are the same."""
    words = (SCENE, "--steps", "5", "--warmup", "1", "--repeats", "2", "-q")
    seen = scree(top, *words, "--vary", "threads=2,1", "--json")
    data = json.loads(seen.stdout or "{}")
    variants = data.get("variants", [])
    tap.check("--vary threads runs with these numbers", seen.returncode == 0 and data["threads"] == 2
              and [(v["name"], v["threads"]) for v in variants] == [("threads=1", 1), ("threads=2", 2)]
              and variants[0]["blocks"] < variants[1]["blocks"], seen)
    tap.check("and reaches one state", len({v["state_sha256"] for v in variants}) == 1, variants)
    seen = scree(top, *words, "--vary", "threads=1,2", "--vary", "gcd.plugin=grid,hashing")
    tap.check("the table compares them in one group, and says up to how many", seen.returncode == 0
              and "up to 2 threads" in seen.stdout and seen.stdout.count("fastest") == 1, seen)
    for more, words_ in ((["--vary", "threads=1,x"], '--vary threads: expected a whole number from 1 to 256, got "x"'),
                         (["--vary", "threads=1,2", "--threads", "2"], "expected one of --threads and --vary threads")):
        seen = scree(top, *words, *more)
        tap.check(f"{' '.join(more)} is refused", seen.returncode == 2 and words_ in seen.stderr, seen)


def test_stop(top):
    """A signal ends it with the results so far; the child ends too."""
    process = runs.start(top, "compare", "--no-parent", SCENE, "--variant", "short", "gcd.plugin=grid", "--variant", "endless",
                         "gcd.plugin=hashing", "--vary", "renumber.every=50", "--steps", "4000000000", "--json", "--report",
                         "stopped")
    children = runs.wait_for(lambda: repeats_of(process.pid), process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)  # as `timeout` does, which signals the process and its group
    out, err = process.communicate(timeout=60)
    data = json.loads(out or "{}")
    tap.check("SIGINT ends a comparison with status 4 and the results so far", process.returncode == 4 and data["stopped"]
              and {v["outcome"] for v in data["variants"]} == {"not measured"} and "stopped in round 1 of 5" in err
              and (top / "stopped/index.html").exists(), (process.returncode, err))
    tap.check("the child is pinned to the CPU that is reported", list(children.values()) == [str(c) for c in data["pinned_to"]], (children, err))
    tap.check("no child is left", len(children) == 1 and not any(map(is_alive, children)), children)


def test_stop_between(top):
    """Results before a signal are shown: children start and end, each is a repeat."""
    process = runs.start(top, "compare", "--no-parent", SCENE, "--vary", "gcd.plugin=grid,hashing", "--set", EXACT, "--steps", "50",
                         "--repeats", "10000", "--json", "-q")
    end, seen = time.monotonic() + 60.0, set()
    while len(seen) < 5 and time.monotonic() < end:
        seen |= set(repeats_of(process.pid))
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    data = json.loads(out)
    counts = [len(v["samples"]) for v in data["variants"]]
    tap.check("what was measured before a signal is shown", process.returncode == 4 and data["stopped"]
              and min(counts) >= 1 and min(counts) - data["rounds"] in (0, 1) and data["fastest"]
              and {v["outcome"] for v in data["variants"]} == {"ok"}
              and f"medians of {data['rounds']} of 10000 repeats" in err, (counts, err))


tap.in_folder(test_series, test_report, test_units, test_table, test_default, test_usage, test_threads, test_stop, test_stop_between)
