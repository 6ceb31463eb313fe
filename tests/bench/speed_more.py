# SPDX-License-Identifier: Apache-2.0
"""Sections of speed.py about laws, set-up and files, and the tables of solids and clumps, which peers/ measures."""
import json
import re
import shutil
import statistics

import speed_runs as runs

ROLLING = '{ plugin = "rolling"; rolling_friction = 0.1; }'
HERTZ = "materials.beads={ density = %(density)s; young_modulus = 1e7; poisson_ratio = 0.25; restitution = 0.9; friction = 0.5; }"
# Name of the laws, the list `force` (`LAW` is the linear law of the workload), other settings.
LAWS = (("linear", "LAW", ()), ("linear, rolling", f"LAW, {ROLLING}", ()),
        ("hertz_mindlin", '{ plugin = "hertz_mindlin"; }', (HERTZ,)),
        ("hertz_mindlin, rolling", f'{{ plugin = "hertz_mindlin"; }}, {ROLLING}', (HERTZ,)))
LAW_COLUMNS = ("law", *runs.RUN_COLUMNS)
# Name of the writer, its settings with an interval of EVERY steps.
EVERY, WRITES = 10, 10
FILES = (("nothing", ()),
         ("csv of bodies", (f'observers={{ o = {{ plugin = "csv"; what = "bodies"; every_steps = {EVERY}; }}; }}',)),
         ("vtk", (f'observers={{ o = {{ plugin = "vtk"; every_steps = {EVERY}; }}; }}',)),
         ("frames", (f'observers={{ o = {{ plugin = "frames"; every_steps = {EVERY}; }}; }}',)),
         ("hdf5", (f'observers={{ o = {{ plugin = "hdf5"; every_steps = {EVERY}; }}; }}',)),
         ("checkpoint", (f"checkpoint={{ every_steps = {EVERY}; keep = 100; }}",)))
FILE_COLUMNS = ("bed", "n", "rep", "what", "steps", "writes", "setup_s", "observe_s", "save_s", "loop_s", "bytes")


# ------------------------------------------------------------------------------------- measuring
def law_words(scene, job, laws, more):
    law = re.search(r"^force = \( (\{.*?\}) \);$", scene.read_text(encoding="utf-8"), re.M | re.S).group(1)
    settings = [f"force=( {laws.replace('LAW', law)} )", *more]
    return [text % {"density": repr(float(job["density"]))} if "%(" in text else text for text in settings]


def measure_laws(options, beds):
    """The laws in turns on one bed that was settled with the first of them; steps before the warm-up adapt it."""
    bed = beds.names()[min(1, len(beds.names()) - 1)]
    scene, _ = beds.scene(bed, 1, 1)
    rows = []
    for rep in range(options.reps):
        for name, laws, more in LAWS:
            words = law_words(scene, beds.jobs[bed], laws, more)
            rows.append({"law": name} | beds.run(bed, rep, settings=words))
    return rows


def measure_files(options, beds):
    """Set-up, and writing each EVERY steps, by the host's own ledger. Each run has a folder in the scratch folder."""
    rows = []
    for rep in range(options.reps):
        for bed in beds.names():
            scene, n = beds.scene(bed, 1, 1)
            for what, settings in FILES:
                folder, steps = beds.scratch / "files", EVERY * (2 if options.brief else WRITES)
                words = [options.build / "core/scree", "run", scene, "--steps", steps, "--threads", 1, "--json", "-q", "-o", folder]
                for text in settings:
                    words += ["--set", text]
                out = json.loads(runs.pinned({options.cpu}, words, env=runs.environment()))
                rows.append({"bed": bed, "n": n, "rep": rep, "what": what, "steps": steps, "writes": steps // EVERY,
                             "setup_s": out["setup_s"], "observe_s": out["phases"]["observe"], "save_s": out["phases"]["save"],
                             "loop_s": out["wall_s"], "bytes": size_of(folder, what)})
                shutil.rmtree(folder)
        runs.say(f"files, repetition {rep}: {len(rows)} runs")
    return rows


def size_of(folder, what):
    """Bytes that the observer or the checkpoints have in the folder of a run."""
    own = ("scene.cfg", "summary.json", "manifest.json")
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.name not in own
               and (what == "checkpoint") == path.name.startswith("checkpoint-"))


# --------------------------------------------------------------------------------------- the page
def laws_table(results, page):
    rows, first = [], results.pick("laws", law=LAWS[0][0])
    for name, *_ in LAWS:
        own = results.pick("laws", law=name)
        if own:
            rows.append((f"`{name}`", f"{page.middle(own)['contacts'] / own[0]['n']:.2f}",
                         page.spread(page.values(own, "total")), page.spread(page.values(own, "gather")),
                         page.spread(page.values(own, "force")), page.spread(page.paired(first, own, "total"))))
    return page.table(("laws", "contacts per body", "ns per body and step", "gather", "force", f"over {LAWS[0][0]}"), rows)


def setup_table(results, page):
    rows = []
    for bed in page.BEDS:
        own = results.pick("files", bed=bed)
        if own:
            rows.append((bed, page.count(own[0]["n"]), page.spread([1e3 * v for v in page.values(own, "setup_s")]),
                         page.spread([1e9 * row["setup_s"] / row["n"] for row in own])))
    return page.table(("bed", "bodies", "set-up, ms", "ns per body"), rows)


def files_table(results, page):
    rows = []
    for what, _ in FILES[1:]:
        for bed in page.BEDS:
            own = results.pick("files", bed=bed, what=what)
            if own:
                time = [1e9 * (row["observe_s"] + row["save_s"]) / row["writes"] / row["n"] for row in own]
                size = statistics.median(row["bytes"] / row["writes"] / row["n"] for row in own)
                rows.append((what, page.count(own[0]["n"]), page.spread(time), f"{size:.1f}"))
    return page.table(("what is written", "bodies", "ns per body and write", "bytes per body and write"), rows)


# File of peers/, what it has, the code compared with, its time, how results differ (key, name).
PEERS = (("clumps", "clumps of 5 balls", "lammps", "LAMMPS `rigid/small`", "loop_s", (("contacts", "contacts"), ("zc", "height"))),
         ("polygons", "polygons of {corners:.0f} corners", "lammps", "LAMMPS `body/rounded/polygon`", "cpu_s", (("yc", "height"),)),
         ("dodecahedra", "dodecahedra", "yade", "YADE `Polyhedra`", "cpu_s", (("pairs", "pairs"), ("zc", "height"))))


def peers_table(results, page):
    rows = []
    for name, title, code, other, key, checks in PEERS:
        every = [row for row in results.rows[name] if row["code"] in ("scree", code)]
        for corners in dict.fromkeys(row.get("corners") for row in every):
            ours, theirs = ([row for row in every if row["code"] == c and row.get("corners") == corners] for c in ("scree", code))
            unit = 1e9 / (ours[0]["count"] * ours[0]["steps"]) if ours else 1.0
            off = [f"{what} {100.0 * page.difference(page.middle(ours, key)[k], page.middle(theirs, key)[k]):.2g}" for k, what in checks]
            rows.append((title.format(corners=corners or 0.0), page.count(ours[0]["count"]), other,
                         page.spread([unit * v for v in page.values(theirs, key)]),
                         page.spread([unit * v for v in page.values(ours, key)]),
                         page.spread(page.paired(ours, theirs, key)), ", ".join(off), results.made[name]["date"]))
    return page.table(("bodies", "number", "compared with", "its time, ns per body and step", "scree", "ratio, paired runs",
                       "differences at the end [%]", "measured on"), rows)
