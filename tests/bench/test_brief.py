# SPDX-License-Identifier: Apache-2.0
"""The benchmark of whole steps, tried briefly, so that it cannot rot; no time is judged.

usage: test_brief.py BUILD
"""
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE), str(HERE / "dem")]
import flows  # noqa: E402
import speed_figures  # noqa: E402
import quiet  # noqa: E402
import speed_page as page  # noqa: E402
import speed_runs as runs  # noqa: E402
import tap  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
DOCS, RESULTS = runs.ROOT / "docs/explanation", HERE / "results"
JOB = json.loads((HERE / "dem/bed-1k.json").read_text(encoding="utf-8"))
LAMMPS = JOB["lammps"]  # its own run of this bed, over so many steps


def run_job(top, *options, level="", **changes):
    """The output of dem_bench for the bundled bed, started as the peers' driver does."""
    job = JOB | {"warm": LAMMPS["warm"], "steps": LAMMPS["steps"]} | changes
    job["state"] = str(HERE / "dem" / job["state"])
    path = top / "job.json"
    path.write_text(json.dumps(job), encoding="utf-8")
    env = runs.environment(DEM_BENCH=str(BUILD / "tests/bench/dem_bench"), TMPDIR=str(top),
                           **({"SCREE_CPU_LEVEL": level} if level else {}))
    return subprocess.run([HERE / "dem/adapter.py", path, *options], env=env, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, check=False)


def read_job(*arguments, **changes):
    done = run_job(*arguments, **changes)
    return runs.parse_output(done.stdout) if done.returncode == 0 else {"failed": done.stderr}


def near(value, wanted, relative):
    return math.isclose(value, wanted, rel_tol=relative)


def test_physics(top):
    row = read_job(top)
    missing = [key for key in (*runs.RESULTS, *runs.PHASES) if not math.isfinite(row.get(key, math.nan))]
    tap.check("every RESULT and LEDGER line is there, with a number", not missing, (missing, row))
    parts = sum(row[key] for key in runs.PHASES if key != "total")
    tap.check("the ledger adds up to the whole step", near(parts, row["total"], 1e-3)
              and near(row["total"], row["loop_s"] * 1e9 / (1000 * LAMMPS["steps"]), 1e-3), row)
    # Differences are 0 contacts, 1e-5 and 1e-8; the bed is at rest, so that they have not grown yet.
    tap.check("contacts, kinetic energy and centre of mass are those of LAMMPS",
              near(row["contacts"], LAMMPS["contacts"], 0.002) and near(row["ke"], LAMMPS["ke"], 1e-3)
              and f"{row['zc']:.6g}" == str(LAMMPS["zc"]), (row, LAMMPS))
    tap.check("a stiffer bed is another one", not near(read_job(top, kn=1100.0)["ke"], LAMMPS["ke"],
                                                        1e-3))
    tap.check("the adapter leaves no file behind", os.listdir(top) == ["job.json"], os.listdir(top))


def test_states(top):
    def state(*options, **more):
        return read_job(top, "--hash", *options, **more).get("sha256")
    want = state()
    tap.check("--hash prints the state", want and re.fullmatch("[0-9a-f]{64}", want), want)
    for words in (("--threads", "2"), ("--batch", "64"), ("--threads", "2", "--batch", "256")):
        tap.check(f"{' '.join(words)} leads to the same state", state(*words) == want)
    forced = read_job(top, "--hash", force_every=20)
    tap.check("a refresh every 20 steps leads to the same state", forced.get("sha256") == want
              and forced["rebuilds"] == LAMMPS["steps"] / 20 and forced["order"] > 0.0, forced)
    tap.check("a step more leads to another", state(steps=LAMMPS["steps"] + 1) != want)
    facts = runs.build_facts(BUILD)
    if facts["CPU level"] == runs.LEVELS[0] or facts["levels built"] != "all":
        tap.skip("both CPU levels lead to the same state", "this CPU or build has one")
    else:
        tap.check("both CPU levels lead to the same state",
                  all(state(level=level) == want for level in runs.LEVELS))
    for words in (("--threads",), ("--hash", "--thread", "2"), ("--batch", "many")):
        tap.check(f"dem_bench {' '.join(words)} is refused", run_job(top, *words).returncode == 2)


def test_tiles(top):
    box, rows = runs.read_state(HERE / "dem/bed-1k.txt.gz")
    tiled, more = runs.tile(box, rows, 3, 2)
    more = list(more)
    inside = all(tiled[0] < x < tiled[1] and tiled[2] < y < tiled[3] for x, y, *_ in more)
    wide = box[1] - box[0]
    tap.check("tiles of a bed fill their box, neighbours being mirror images", len(more) == 6 * len(rows)
              and near(tiled[1], 3 * wide, 1e-12) and tiled[4:] == box[4:] and inside
              and all(near(a[0] + b[0], 2 * wide, 1e-12) and a[1:3] == b[1:3]
                      for a, b in zip(more[:len(rows)], more[len(rows):2 * len(rows)])))
    seam = [(a, b) for a, b in zip(more, more[len(rows):2 * len(rows)]) if abs(b[0] - a[0]) < 2 * a[6]]
    tap.check("what touched a wall touches its image there", len(seam) > 20 and all(
        b[0] - a[0] > 1.99 * a[6] for a, b in seam), len(seam))


def speed(*words):
    return subprocess.run([sys.executable, HERE / "speed.py", *map(str, words)], text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, check=False)


def test_command(top):
    done = speed("--brief", "--build", BUILD, "--results", top / "results", "--docs", top / "docs",
                 "--cpu", min(os.sched_getaffinity(0)))
    tap.check("speed.py --brief measures and writes its page", done.returncode == 0
              and (top / "docs/speed.md").exists() and {"levels.tsv", "scaling.tsv", "machine.txt"}
              <= set(os.listdir(top / "results")), done)
    results = page.Results(top / "results")
    tap.check("the results name commit, CPU, compiler and flags", all(
        results.facts.get(key) for key in ("commit", "CPU", "compiler", "flags", "CPU level")),
        results.facts)
    levels = results.pick("levels", bed="bed-1k")
    tap.check("the states of all levels are one", levels
              and len({row["sha256"] for row in levels}) == 1, levels)
    sizes = page.sizes_of(results)
    tap.check("a size has a run as it is and one refreshed every 20 steps",
              [n for n, _, _ in sizes] == [1000.0, 4000.0] and all(
                  plain[0]["rebuilds"] == 0.0 and forced[0]["rebuilds"] * 20 == forced[0]["steps"]
                  for _, plain, forced in sizes), sizes)
    tap.check("tiles have as many contacts each as the bed, and those of the seams",
              0.0 < sizes[1][1][0]["contacts"] / 4.0 - sizes[0][1][0]["contacts"] < 200.0, sizes)
    for words in (("--only", "nothing"), ("--reps", "0"), ("--peers", top)):
        tap.check(f"speed.py {' '.join(map(str, words))} is refused", speed(*words).returncode == 2)


def version_of(path):
    return re.search(r"Produced by (GNUPLOT [^<]*)", path.read_text(encoding="utf-8")).group(1)


def test_page(top):
    text = page.render(RESULTS)
    tap.check("docs/explanation/speed.md is made from the results that are kept",
              text == (DOCS / "speed.md").read_text(encoding="utf-8"),
              "tests/bench/speed.py --render makes it again")
    readme = (DOCS.parents[1] / "README.md").read_text(encoding="utf-8")
    tap.check("and so is the table of the README", "| settled bed |" in readme
              and page.fill_readme(readme, RESULTS) == readme, "tests/bench/speed.py --render makes it again")
    shutil.copytree(RESULTS, top / "results")
    path = top / "results/levels.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:2] + [re.sub(r"\b[0-9a-f]{64}\b", "f" * 64, lines[2])]
                              + lines[3:]) + "\n", encoding="utf-8")
    tap.check("a state that differs shows on the page", "**differ**" in page.render(top / "results")
              and "**differ**" not in text)
    if not shutil.which("gnuplot"):
        tap.skip("figures are those of the page", "no gnuplot here")
        return
    made = speed_figures.draw(RESULTS, top)
    shown = re.findall(r"\]\((speed-\w+\.svg)\)", text)
    tap.check("each figure of the page is drawn", sorted(shown) == sorted(p.name for p in made), shown)
    for path in made:
        tree = xml.etree.ElementTree.parse(path)
        tap.check(f"{path.name} is a picture", tree.getroot().tag.endswith("svg")
                  and len(list(tree.iter())) > 50)
        kept = DOCS / path.name
        if not kept.exists() or version_of(kept) == version_of(path):
            tap.check(f"{path.name} is made from the results that are kept",
                      kept.exists() and kept.read_bytes() == path.read_bytes())
        else:
            tap.skip(f"{path.name} is made from the results that are kept", "by another gnuplot")


def fake_peers(top, **ours):
    """Results of three repetitions of one workload, in which scree is 1.5, 2 and 4 times as fast."""
    base = {"workload": "bed-10k", "n": 10000, "steps": 2000, "contacts": 27351, "ke": 7.4978e-9,
            "zc": 0.01066, "rss_mb": 40, "rss_bytes": 2e7, "rebuilds": 1}
    rows = [base | {"code": "lammps", "rep": rep, "mps": mps} for rep, mps in enumerate((4, 5, 2))]
    rows += [base | {"code": "scree", "rep": rep, "mps": mps, "total": 100.0} | ours
             for rep, mps in enumerate((6, 10, 8))]
    runs.write_rows(top / "peers.tsv", runs.PEER_COLUMNS, rows, {"commit": "x"})
    return page.Results(top)


def test_numbers(top):
    results = fake_peers(top)
    row, = page.compare_peers(results)
    tap.check("ratios are those of runs of one repetition", sorted(row["ratios"]) == [1.5, 2.0, 4.0]
              and row["of_medians"] == 2.0, row)
    tap.check("the summary has the median of the ratios and their quartiles", page.list_summary(results)[0][1:]
              == ("LAMMPS", "2.00 (1.75-3.00)"), page.list_summary(results))
    for what, wrong in (("contacts", 27380), ("ke", 7.6e-9), ("zc", 0.010661)):
        results = fake_peers(top, **{what: wrong})
        tap.check(f"another {what} is flagged, and its rate does not count",
                  "**no**" in page.agreement_table(results)
                  and "no number" in page.list_summary(results)[0][2], wrong)
    points = [(n, 3.0 * n ** 1.1) for n in (1e3, 1e4, 1e6)]
    tap.check("the exponent of a power is found", near(page.growth(points), 1.1, 1e-12)
              and math.isnan(page.growth(points[:1])))
    rows = runs.parse_border("seed 1\nBORDER inlined 8.0 plugin 8.1 ratio 1.012\n", 3)
    runs.write_rows(top / "border.tsv", runs.BORDER_COLUMNS, rows, {"commit": "x"})
    tap.check("a line of border_bench comes to the page", "1.012 (1.012-1.012)"
              in page.border_table(page.Results(top)), rows)
    tap.check("nothing measured makes a page that says so",
              "Not measured yet" in page.render(top / "none"))
    tap.check("and does so once for the blocks of a section that follow one another",
              page.render(top / "none").count("speed.py --only files") == 1)


def test_flows(top):
    """Each flow made small; in LAMMPS as well where it is installed."""
    def run_flows(*words, **more):
        env = runs.environment(DEM_SCREE=str(BUILD / "core/scree"), DEM_BENCH=str(BUILD / "tests/bench/dem_bench"),
                               TMPDIR=str(top), **more)
        return subprocess.run([HERE / "dem/flows.py", *words], env=env, text=True, capture_output=True, check=False)
    os.environ |= {"DEM_SCREE": str(BUILD / "core/scree")}
    for name, (make, _) in flows.FLOWS.items():
        more, groups = make(600, random.Random(7))
        again = make(600, random.Random(7))[1]
        beads = groups["beads"]
        tap.check(f"{name}: a seed makes one state, its spheres apart and inside the box", again == groups
                  and len(beads) == 600 and clear_of_each_other(groups) and all(
                      more["box"][2 * k] < row[k] < more["box"][2 * k + 1] for row in beads for k in range(3)))
        after, share = flows.settle(flows.LAW | more | {"workload": name}, groups, 0.03)
        fast = max(abs(v) for row in after["beads"] for v in row[3:6])
        tap.check(f"{name}: its spheres move, and some of their contacts slide",
                  fast > 0.05 and 0.05 < share < 0.95 and len(after["beads"]) == 600, (fast, share))
    tap.check("an unknown flow is refused", run_flows("--flows", "river").returncode == 2)
    tap.check("without LAMMPS no flow is timed", run_flows(DEM_LMP="no-such-lmp").returncode == 2)
    if flows.missing():
        tap.skip("LAMMPS and scree agree on a small drum", "no lmp here")
        return
    done = run_flows("--flows", "drum", "--bodies", "600", "--steps", "200", "--seeds", "2", "--fall", "0.03")
    found = re.search(r"energy (\S+) / (\S+) J, height (\S+) / (\S+) m", done.stdout)
    tap.check("LAMMPS and scree agree on a small drum", found and near(float(found[1]), float(found[2]), 0.01)
              and near(float(found[3]), float(found[4]), 1e-4), done)


def clear_of_each_other(groups):
    """Whether no free sphere (every tenth is looked at) overlaps another, or one of a wall."""
    beads = groups["beads"]
    every = [row for rows in groups.values() for row in rows]
    return all(a is b or sum((a[k] - b[k]) ** 2 for k in range(3)) > (a[6] + b[6]) ** 2
               for a in beads[::10] for b in every)


def test_quiet(_):
    for name, told, word in (("a quiet machine", (0.0, 0.02, 0.03), ""),
                             ("stolen CPU time", (0.05, 0.02, 0.03), "stolen"),
                             ("another program", (0.0, 0.6, 0.03), "other programs"),
                             ("scatter", (0.0, 0.02, 0.4), "scatter")):
        found = quiet.judge(*told)
        tap.check(f"speed.py measures on a quiet machine only: {name}",
                  word in found if word else found == "", found)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        found = quiet.look(min(os.sched_getaffinity(0)), 0.5)
    finally:
        busy.kill()
        busy.wait()
    tap.check("another busy program is found", found != "", found)


tap.in_folders(test_physics, test_states, test_tiles, test_command, test_page, test_numbers, test_flows, test_quiet)
