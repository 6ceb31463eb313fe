# SPDX-License-Identifier: Apache-2.0
"""`scree check` on plugins that break one promise: that case fails, all others pass, with its message.

usage: test_check.py SCREE FOLDER_OF_MODULES [quick]

`quick`: for a plugin with a sin, only the case that finds it; else every case of every plugin.
"""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import runs
import tap

QUICK = sys.argv[3:] == ["quick"]
SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

# Cases of all kinds that run the engine, of kinds whose plugins are tried in runs.
ENGINE = ("parameters", "instances", "inputs", "leaks", "environment")
# Cases in which a source makes its bodies, next to `bodies`.
MAKING = ("recipe", "repeat", "first", "moved", "units", "refused")
# Cases in which the engine shows an observer a run, and so reads its scalars, next to `scalars`.
SHOWING = ("folder", "whole", "finish", "tables", "short", "empty")
# Module unsound_KIND, which has a plugin per sin: sin to the case that fails, a word of its reason, and cases that
# fail with it. `none` breaks nothing.
SINS = {
    "gcd": {
        "none": None,
        "symbols": ("symbols", "setlocale"),
        "texts": ("texts", "full stop"),
        "parameters": ("parameters", "signal 4"),
        "mute": ("parameters", "no reason given"),
        "instances": ("instances", "share"),
        "processes": ("processes", "second process"),
        "lanes": ("lanes", "4 lanes"),
        "inputs": ("inputs", "wrote to an input"),
        "beyond": ("inputs", "beyond the end"),
        "leaks": ("leaks", "on the heap"),
        "files": ("leaks", "files open"),
        "environment": ("environment", "umask"),
        "prints": ("environment", "standard output"),
        "rounds": (None, "floating-point environment"),
        "missed": ("missed", "missed the pair", "moved"),
        "twice": ("once", "twice"),
        "itself": ("once", "with itself"),
        "empty": ("once", "an empty slot"),
        "pivots": ("pivots", "ranges of pivots"),
        "cylinders": ("zones", "in a cylinder"),
        "regions": ("zones", "missed box"),
        "unmoved": ("moved", "neither of which moved"),
        "moved": ("moved", "missed the pair"),
        "grown": ("moved", "missed the pair"),
        "surfaces": ("surfaces", "the surface in one meets the other"),
        "late": ("missed", "1000-steps-slow-and-fast, step 900"),
        "renumbered": ("renumbered", "missed the pair"),
        "drawn": ("layout", "more boxes in a cell than meet it"),
        "redrawn": ("layout", "other cells in a second call"),
        "memory": ("memory", "64 more than"),
        "hides": ("bytes", "destroy() has given back"),
        "hangs": ("memory", "it did not end within 1 s of CPU time, nor 10 s of sleep: 0.0 s of CPU time, 10."),
        "spins": ("memory", "it did not end within 1 s of CPU time, nor 10 s of sleep: 1."),
        "exits": ("memory", "exit status 0", "environment"),
        "stalls": ("parameters", "CPU time"),
        "freezes": ("memory", "it sends a signal that stops a process", "environment"),
        "stops": ("memory", "it sends a signal that stops a process", "environment"),
        "drags": ("processes", "(SCREE_CHECK_LIMIT)"),
    },
    "resolver": {
        "none": None,
        "outputs": ("outputs", "is not written", "gap"),
        "inputs": ("inputs", "wrote to an input"),
        "exchange": ("exchange", "exchanged"),
        "frame": ("frame", "turned"),
        "gap": ("gap", "per metre"),
        "unit": ("gap", "not a unit vector"),
        "flat": ("gap", "expected a sum > 0"),
        "middle": ("middle", "off the middle"),
        "misses": ("missed", "m or more inside the other, expected a contact"),
        "surface": None,  # without solids; test_solids
        "range": ("range", "with a range of 0.1 m"),
        "keep": ("range", "is kept"),
        "batches": ("batches", "batches of"),
        "order": ("batches", "ascending"),
        "hints": ("hints", "hints"),
        "patches": ("patches", "flat fan"),
        "hidden": ("patches", "a ball between two cubes"),
        "loops": ("cycle", "led along closed paths", "middle", "frame"),
        "volume": ("extras", "by slices it is"),
        "parts": ("extras", "of a body of 1 parts"),
        "principal": ("extras", "along a unit vector"),
        "overlap": ("overlap", "of the overlap by", "extras"),
        "bed": ("overlap", "changes the bed of the overlap by"),
        "width": ("extras", "a chord of -1"),
    },
    "force": {
        "none": None,
        "outputs": ("outputs", "is not written"),
        "inputs": ("inputs", "wrote to an input"),
        "batches": ("batches", "in one batch"),
        "third_law": ("third-law", "exchanged"),
        "frame": ("frame", "seen from a frame that is turned"),
        "gap": ("gap", "across a gap"),
        "range": ("range", "at the ends of their spans"),
        "parted": ("parted", "touching again"),
        "heat": ("cycle", "does not fall with the step"),
        "doubled": ("cycle", "somewhere on the path"),
        "coarse": None,
        "dashpot": None,
        "silent": None,
        "gain": ("cycle", "a closed path gives"),
        "soft": ("stiffness", "stiffness() gave kn = 50000"),
        "forced": ("stiffness", "m, known by its force, between"),
        "expected": ("stiffness", "m, known by the speed of an impact, between"),
        "finite": ("finite", "nan at depth 0"),
        "deep": ("cycle", "pressed by 0.3 radii"),
        "pairs": ("pairs", "the law takes those of another pair"),
        "second": ("pairs", "between [\"second\", \"second\"]"),
        "terms": ("finite", "all terms at work (decay=1e-06, "),
        "unlike": ("cycle", "all terms at work (decay=1e-06, pair=100000, other=125000): pressed"),
        "option": ("cycle", "option=1.5"),
        "together": ("cycle", "one=true, two=true: pressed"),
        "speeds": ("run-moving", "with everything elsewhere, moving at one speed: seen from there", "frame"),
        "handed": ("run-mirror", "in a mirror, x and y exchanged: bodies are"),
        "tears": ("cycle", "touched at a wall"),
        "assumes": ("uses", "without a field 'warmth'"),
    },
    "integrator": {
        "none": None,
        "smooth": ("smooth", "which should be 2"),
        "damped": ("damped", "which should be 2"),
        "history": ("history", "fade: order"),
        "accepted": ("accepted", "8 of 16"),
        "turning": ("turning", "not a unit quaternion", *ENGINE),
        "inputs": ("inputs", "wrote to an input"),
        "reversal": ("reversal", "turned round"),
        "boasts": ("stability", "grows by"),
        "modest": ("stability", "it is stable further"),
        "pieces": ("pieces", "when moved"),
        "bodies": ("run-saved", "saved and loaded after each step"),
        "fixed": ("fixed", "not free"),
        "cools": ("rates", "expected 0"),
        "strays": ("rates", "bodies that are not free"),
        "shares": ("rates", "the only one"),
        "forgets": ("run-saved", "saved and loaded after each step, later each 15th: another state"),
        "stale": ("run-late", "with new bodies in place of all"),
        "leads": None,
        "listed": ("run-same", "run again: another state", "instances"),
        "led": ("run-saved", "saved and loaded after each step, later each 15th: another state", "stability"),
    },
    "modifier": {
        "none": None,
        "poses": ("poses", "in another order"),
        "rates": ("rates", "has velocity"),
        "account": ("account", "are missing"),
        "repeat": ("repeat", "asked for twice"),
        "edits": ("run-same", "its quaternion is not a unit", *ENGINE, "uses", "poses", "rates", "account", "repeat"),
        "enters": ("inputs", "it wrote to an input", *ENGINE, "uses"),
        "assumes": ("uses", "without a field 'warmth'"),
        "keeps": ("run-same", "edits that were given to another call of after_step, which has returned", *ENGINE, "uses",
                  "poses", "rates", "account", "repeat"),
    },
    "run": {  # a modifier, on the real engine
        "none": None,
        "sign": ("run-energy", "the energy account misses"),
        "jump": ("run-energy", "the energy account misses"),
        "assigns": ("run-neighbour", "between two that add and take away"),
        "overwrites": ("run-energy", "the energy account misses"),
        "wraps": ("run-origin", "with the region moved by a quarter", "run-energy"),
        "cells": ("run-lattice", "with the same lattice written as tilted"),
        "numbers": ("run-numbers", "with other numbers after each step"),
        "outside": ("run-saved", "saved and loaded after each step", "run-energy"),
        "lapses": ("run-numbers", "a body field differs by nan"),
        "narrow": ("run-crowd", "among 71 000 other bodies"),
        "chunks": ("run-crowd", "among 71 000 other bodies"),
        "units": ("run-units", "in units of 2^-10 m"),
        "damps": ("run-step", "something acts once in a step", "run-energy"),
        "moment": ("run-moments", "with moments as times: another state"),
        "idle": ("run-effect", "with none of its settings"),
        "level": None,
        "tail": ("run-oldest", "scree_bodies: it went beyond the end that this struct has in the oldest host", "inputs"),
    },
    "shape": {
        "none": None,
        "content": ("measure", "encloses", "views"),
        "centroid": ("measure", "measure: centroid", "views"),
        "inertia": ("measure", "measure: inertia"),
        "negative": ("measure", "content: expected > 0, got"),
        "triangle": ("measure", "triangle inequality"),
        "radius": ("views", "beyond the radius"),
        "holds": ("boxes", "the surface reaches"),
        "tight": ("boxes", "expected the tight box"),
        "ball": ("boxes", "its ball of radius"),
        "batches": ("batches", "alone"),
        "scales": ("boxes", "scale ", "place"),
        "places": ("place", "did not move along", "views"),
        "turns": ("place", "did not move along"),
        "gradient": ("views", "by differences"),
        "meshes": ("views", "beyond the radius"),
        "neighbour": ("views", "does not name it"),
        "thin": ("views", "has no length"),
        "bent": ("views", "is not convex"),
        "shut": ("views", "expected 1 to 3"),
        "hollow": ("views", "the edge is convex"),
        "ridge": ("views", "the edge is convex"),
        "large": ("measure", "of its radius 0.01 m", "views"),
        "grows": ("place", "before", "views"),
        "height": ("measure", "centroid z: expected 0 in 2D"),
        "round": ("measure", "of a round shape", "views"),
        "pointer": ("const", "another pointer"),
        "bytes": ("const", "though its views hold", "bytes"),
        "parts": (None, "measure: n_parts = 0"),
        "finite": ("measure", "centroid: expected a finite number, got nan", "views", "place"),
        "vertex": ("views", "facet 7 names vertex 148 of 148"),
        "space": (None, "it is lost in space"),
        "function": ("views", "the function farthest is missing", *ENGINE, "bytes", "processes", "lanes", "outputs", "boxes", "place",
                     "const"),
    },
    "clump": {  # a shape, too
        "none": None,
        "axis": ("measure", "measure: centroid y", "place"),
        "hollow": ("measure", "measure: inertia"),
        "swells": ("measure", 'filling="leaden", 2D: measure: content'),
    },
    "source": {
        "none": None,
        "indices": ("bodies", "no shape of that index", *ENGINE, "bytes", "state", "services", *MAKING),
        "flat": ("bodies", "leaves the plane", *MAKING),
        "many": ("bodies", "expected 3 at most", "first"),
        "overlaps": ("bodies", " overlap by "),
        "round": ("repeat", 'region={type="cylinder"', "first"),
        "repeats": ("repeat", "number 0 is another", "first", "units"),
        "goes": ("first", "is another"),
        "begins": ("first", "adds the bodies 0 to 2 again"),
        "deaf": ("refused", "add() had refused"),
        "tells": ("bodies", "had reported a problem", "parameters", "inputs", "leaks", "environment", "bytes", "state",
                  "services", "recipe", "repeat", "first", "moved", "units"),
        "lonely": ("alone", "signal 11"),
        "wordless": ("alone", "no reason given"),
        "lags": ("moved", "in a region that is moved by"),
        "strays": ("recipe", "has another zone than its parameters say"),
        "others": ("recipe", "has another material than its parameters say"),
        "metres": ("units", "in units of 2^-10 m, 2^-28 kg and 2^6 s it makes 8 bodies, else 8"),
        "cells": ("bodies", "set_cell: expected 0 in vector[0][0], got 1 m", *ENGINE, "bytes", "state", "services", *MAKING,
                  "alone"),
    },
    "domain": {
        "none": None,
        "same": ("join", "are the same rank", "reduce", "mismatch", "abort", "leave", "kill", "limit"),
        "fewer": ("join", " of 2, got rank "),
        "loses": ("exchange", "byte 300000 of 300001 from rank "),
        "crosses": ("exchange", "round 0: byte 0 of "),
        "stale": ("exchange", "round 0: byte 0 of "),
        "absent": ("exchange", "round 0: byte 0 of "),
        "eager": ("start", "waits in it for another rank"),
        "early": ("start", "*done is 1 before process 1 has begun"),
        "never": ("exchange", "5 s after all ranks have begun, *done is 0", "reduce"),
        "loiters": ("start", "waits in it for another rank"),
        "unsigned": ("reduce", "max of value 0"),
        "rounds": ("reduce", "sum of value 0"),
        "brief": ("reduce", " of 1000 is "),
        "backwards": ("gather", "byte 0 of 300001 from rank 0"),
        "old": ("gather", " is 0 at rank "),
        "blank": ("gather", " is 0 at rank "),
        "rooted": ("gather", "byte 0 of 300001 from rank 0"),
        "first": ("broadcast", "round 1: byte 0 of 1 from rank 1"),
        "lenient": ("mismatch", "though 21 bytes came in place of 17"),
        "deaf": ("abort", 'expected "the disk is full"'),
        "nameless": ("leave", 'expected "rank 1" in the text, got', "mismatch", "abort", "kill", "limit"),
        "patient": ("leave", "the error came after 5.", "kill"),
        "trustful": ("kill", "the error came after 5."),
        "endless": ("limit", "expected 0.36 to 3.40 s"),
        "hasty": ("limit", "the error came after 0.1"),
        "impatient": ("long", "did not come within 400 ms"),
        "spins": ("idle", "of CPU time in a wait"),
    },
    "feed": {  # a modifier that inserts bodies
        "none": None,
        "others": ("recipe", "has another material than its parameters say"),
        "strays": ("recipe", "has another zone than its parameters say"),
        "alike": ("recipe", "the mean share below the median of the sizes"),
        "skewed": ("recipe", "the mean share below the median of the sizes is 0.7"),
        "upright": ("recipe", "the mean cosine between an axis of a body and one of the scene"),
        "still": ("recipe", "the mean square of that is 0"),
        "headed": ("recipe", "the mean random velocity, of its size, is "),
        "along": ("recipe", "the mean product of two of its components"),
    },
    "fields": {
        "none": None,
        "forces": ("inputs", "wrote to an input"),
        "globals": ("inputs", "wrote to an input"),
        "enter": ("fields", "after enter(): component 0 of field bodies is nan"),
        "later": ("fields", "after after_step(): component 0 of field bodies is inf"),
        "body": ("fields", "after after_step(): component 0 of field seen of body "),
        "stuck": None,  # without --idle; test_idle
        "many": None,  # the same
        "beyond": ("inputs", "beyond the end"),
    },
    "observer": {
        "none": None,
        "folder": ("folder", "outside.txt"),
        "whole": ("whole", "within.txt"),
        "finish": ("finish", "seen.txt.part"),
        "short": ("short", "no file"),
        "empty": ("empty", "the mean of no bodies"),
        "unserved": ("services", "without scree.output/1"),
        "belated": ("services", "should refuse"),
        "wordless": ("services", "no reason given"),
        "twice": (None, 'scalar number 1: there is another one named "kinetic"'),
        "unwritten": ("scalars", "scalar free was not written", *ENGINE, *SHOWING),
        "tally": ("scalars", "other values when it is called again"),
        "marks": ("scalars", "its files are others when its scalars are read"),
        "behind": ("scalars", "wrote behind its 2 values", *ENGINE, *SHOWING),
        "before": ("scalars", "wrote before its 2 values", *ENGINE, *SHOWING),
        "others": ("scalars", 'expected "kinetic" as at first, got "none"'),
        "moves": ("inputs", "wrote to an input", "scalars"),
        "recounts": ("run-saved", "file seen.txt: line"),
        "wavers": ("state", "of the same state save() gives other bytes: 8 bytes, 8 before; the first that differs is number 4"),
        "adds": ("state", "after it save() gives other bytes than those that were loaded", "run-saved"),
        "wraps": ("run-origin", "file seen.txt, line"),
        "numbers": ("run-numbers", "file seen.txt, line"),
        "coded": ("run-numbers", "file seen-"),
        "letters": ("run-numbers", "file seen-"),
        "lapses": ("run-numbers", "in one run, nan in the other"),
        "head": ("tables", "line 2 has 2 cells, the head has 1 names"),
        "si": ("run-units", "scalar kinetic (J) is"),
        "blind": ("run-seen", "its files are the same"),
    },
}
# Sins of a whole file: a symbol that it imports, a source of its own.
APART = {("gcd", "symbols"), ("integrator", "leads"), ("integrator", "listed"), ("integrator", "led")}


def check(path, *args, cwd, **environment):
    env = runs.environment(XDG_DATA_HOME=str(cwd / "data of me"), TMPDIR=str(cwd / "tmp"), **environment)
    env.pop("MALLOC_PERTURB_", None)
    return runs.scree(cwd, "check", path, *args, env=env)


def run_sin(top, kind, sin, case):
    apart = (kind, sin) in APART
    args = [MODULES / (f"unsound_{kind}_{sin}.so" if apart else f"unsound_{kind}.so"), "--json",
            *([] if apart else ["--plugin", sin])]
    if sin in ("hangs", "spins", "drags"):  # the limit would be too short for other cases on a busy machine
        return check(*args, "--case", case, cwd=top, SCREE_CHECK_LIMIT="1")
    if sin == "stalls":
        return check(*args, cwd=top, SCREE_CHECK_LIMIT="1")
    return check(*args, *(["--case", case] if QUICK and case else []), cwd=top)


def judge_sin(kind, sin, expected, result):
    cases = json.loads(result.stdout)["plugins"][0]["cases"]
    failed = {case["id"]: case["text"] for case in cases if case["verdict"] == "not ok"}
    if expected is None:
        tap.check(f"{kind}: without a sin all cases pass", not failed and result.returncode == 0
                  and len(cases) >= 15, failed)
        return
    case, word, *more = expected
    of_runs = set() if kind == "run" else {id for id in failed if id.startswith("run-")} - {case}  # on the engine most sins show there, too
    good = set(failed) - of_runs == {case, *([] if QUICK else more)} - of_runs if case else len(failed) > 9
    texts = [failed.get(case, "")] if case else [text for id, text in failed.items() if id not in of_runs]
    tap.check(f"{kind}: {sin} fails {case or 'what calls it'} and no other",
              good and result.returncode == 3 and all(word in text for text in texts), failed)


def test_sins(top):
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        jobs = [(kind, sin, expected, two.submit(run_sin, top, kind, sin, expected and expected[0]))
                for kind, sins in SINS.items() for sin, expected in sins.items()]
        for kind, sin, expected, job in jobs:
            judge_sin(kind, sin, expected, job.result())


def test_late(top):
    """A plugin that hangs everywhere costs the limit of one case, not of all."""
    cases = json.loads(run_sin(top, "gcd", "stalls", None).stdout)["plugins"][0]["cases"]
    tap.check("the check ends after the first case at its limit", cases[-1]["id"] == "parameters"
              and "within 1 s" in cases[-1]["text"] and "no other case was tried" in cases[-1]["text"], cases)


def test_solids(top):
    """A resolver of solids, with the points of its contacts where they belong and on one surface."""
    for sin in ("none", "surface"):
        result = check(MODULES / "unsound_resolver.so", "--plugin", sin, "--case", "middle", "--solid", "superquadric",
                       "--set", "axes=(1.0,1.0,1.0)", cwd=top)
        tap.check(f"resolver: {sin}, with solids", result.returncode == (3 if sin == "surface" else 0)
                  and ("the surface of" in result.stdout) == (sin == "surface"), result)


def test_isotropic(top):
    """A modifier that pulls along x and y only, and an integrator, which has no direction."""
    for kind, sin, status in (("run", "none", 3), ("integrator", "none", 0)):
        result = check(MODULES / f"unsound_{kind}.so", "--plugin", sin, "--case", "run-axes", "--isotropic", cwd=top)
        tap.check(f"{kind}: {sin} with axes renamed", result.returncode == status
                  and ("with axes renamed, x to y, y to z and z to x: bodies are" in result.stdout) == (status == 3)
                  and "0 skipped" in result.stdout, result)


# An L, whose faces of four corners are others when their numbers change places.
L = ("vertices=((0.0,0.0,0.0),(2.0,0.0,0.0),(2.0,1.0,0.0),(1.0,1.0,0.0),(1.0,2.0,0.0),(0.0,2.0,0.0),"
     "(0.0,0.0,1.0),(2.0,0.0,1.0),(2.0,1.0,1.0),(1.0,1.0,1.0),(1.0,2.0,1.0),(0.0,2.0,1.0))",
     "facets=((0,3,2,1),(0,5,4,3),(6,7,8,9),(6,9,10,11),(0,1,7,6),(1,2,8,7),(2,3,9,8),(3,4,10,9),(4,5,11,10),(5,0,6,11))")


def test_renamed_shapes(top):
    """Solids whose parameters are all that has directions, and a cylinder, which lies along z."""
    for shape, settings, status in (
            ("superquadric", ["axes=(1.0,0.8,0.5)"], 0), ("superquadric", ['axes=("1.0 m","80 cm","0.5 m")'], 0), ("polyhedron", L, 0),
            ("blend", ['first={type="superquadric";axes=(1.0,0.6,"0.4 m");}', "places=((0.0,0.0,0.0),(0.8,0.3,0.1))", "cells=10"], 0),
            ("cylinder", ["length=1.0", "radius=0.4"], 3)):
        result = check(SCREE.parents[1] / f"plugins/shape/{shape}.so", "--isotropic", "--case", "run-axes", cwd=top,
                       *(w for s in settings for w in ("--set", s)))
        tap.check(f"shape/{shape} of {settings[0]} with axes renamed", result.returncode == status and "0 skipped" in result.stdout
                  and ("bodies are up to" in result.stdout) == (status == 3), result)
    result = check(SCREE.parents[1] / "plugins/shape/clump.so", "--isotropic", "--case", "run-axes", "--set", "balls=((0.0,0.0,1.0),(1.0,0.2,0.8))",
                   cwd=top)
    tap.check("settings for the plane skip it", result.returncode == 0 and "it runs only in the plane" in result.stdout
              and "1 skipped" in result.stdout, result)


def test_flat(top):
    """Lists of two numbers for a plugin of both dimensions: in the plane if in space the plugin refuses them."""
    clump = SCREE.parents[1] / "plugins/shape/clump.so"
    for balls, status in (("((0.0,0.0,1.0),(1.0,0.2,0.8))", 0), ("((0.0,0.0,1.0),(1.0,0.2,0.1,0.8))", 3)):
        result = check(clump, "--set", f"balls={balls}", "--case", "bytes", cwd=top)
        tap.check(f"shape/clump with balls={balls}, in the plane if it takes them", result.returncode == status
                  and "0 skipped" in result.stdout, result)
    result = check(clump, "--set", "balls=((0.0,0.0,0.0,1.0),(1.0,0.2,0.1,0.8))", "--set", "volume=50.0", "--case", "measure", cwd=top)
    tap.check("a clump may be given a larger volume than its balls have", result.returncode == 0 and "1 ok" in result.stdout, result)
    result = check(MODULES / "unsound_shape.so", "--plugin", "space", "--set", "sizes=(1.0,2.0)", "--case", "bytes", cwd=top)
    tap.check("a failure in space that is not a refusal is reported", result.returncode == 3 and "it is lost in space" in result.stdout, result)


def test_elsewhere(top):
    """A modifier that pulls to a place of its own."""
    result = check(MODULES / "unsound_run.so", "--plugin", "none", "--case", "run-elsewhere", "--isotropic", cwd=top)
    tap.check("a place of its own fails run-elsewhere", result.returncode == 3
              and "with everything elsewhere: seen from there bodies are" in result.stdout, result)
    result = check(MODULES / "unsound_run.so", "--plugin", "level", "--case", "run-elsewhere", "--isotropic", cwd=top)
    tap.check("a place that is a parameter, a length, skips it", result.returncode == 0
              and "a parameter may be a place" in result.stdout and "1 skipped" in result.stdout, result)


def test_idle(top):
    """A law that does not use two of its numbers; a modifier that does not write one of its fields."""
    for idle, status in (("", 3), ("decay,other", 0), ("nothing", 3), ("spring", 3)):
        result = check(MODULES / "unsound_force.so", "--plugin", "none", "--case", "run-each", f"--idle={idle}", cwd=top)
        word = {"": "whatever their values, runs are the same: decay, other", "nothing": 'got "nothing"',
                "spring": 'expected names of numbers, got "spring"'}  # a field, which no case of laws judges
        tap.check(f"force: numbers that change no run, with --idle={idle}", result.returncode == status
                  and word.get(idle, "0 skipped") in result.stdout, result)
    for sin, idle, word in (("stuck", "", "a value of field steps changes"), ("stuck", "steps", ""), ("none", "", ""),
                            ("many", "", "a value of field more_77 changes"), ("many", "more_77", ""),
                            ("none", "seen", "--idle names field seen, a value of which changes"),
                            ("many", "more_76,more_77", "--idle names field more_76, a value of which changes")):
        result = check(MODULES / "unsound_fields.so", "--plugin", sin, "--case", "fields", f"--idle={idle}", cwd=top)
        tap.check(f"fields: {sin}, a field that no run changes, with --idle={idle}", result.returncode == (3 if word else 0)
                  and word in result.stdout and ("field " in result.stdout.replace("fields", "")) == bool(word)
                  and "0 skipped" in result.stdout, result)


def leaves(process):
    """Processes below this one that have no children."""
    children = []
    try:
        for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
            children += map(int, task.read_text().split())
    except OSError:  # it has ended
        pass
    return [leaf for child in children for leaf in leaves(child) or [child]]


def run_stopped(top):
    """A check whose processes are stopped for 1.5 s each, as far as they are seen; and its cases."""
    env = runs.environment(SCREE_CHECK_LIMIT="1")
    env.pop("MALLOC_PERTURB_", None)
    law = SCREE.parents[1] / "plugins/force/hertz_mindlin.so"
    process = runs.start(top, "check", law, "--json", "--case", "range", env=env)
    stopped, end = set(), time.monotonic() + 60.0
    while process.poll() is None and time.monotonic() < end:
        for leaf in set(leaves(process.pid)) - stopped:
            stopped.add(leaf)
            try:
                os.kill(leaf, signal.SIGSTOP)
                time.sleep(1.5)
                os.kill(leaf, signal.SIGCONT)
            except ProcessLookupError:  # it has ended in the meantime
                pass
    out, err = process.communicate(timeout=60)
    return process.returncode, err, [case for case in json.loads(out)["plugins"][0]["cases"] if case["verdict"] != "skip"]


def test_stopped(top):
    """A case that the machine does not serve has no fault."""
    for _ in range(10):  # a process may be over before it is seen
        code, err, cases = run_stopped(top)
        if cases[0]["seconds"] > 1.0:
            break
    tap.check("a case that is stopped for longer than its limit passes", code == 0 and cases[0]["seconds"] > 1.0
              and [(case["id"], case["verdict"]) for case in cases] == [("range", "ok")], (code, err, cases))


def test_words(top):
    """The output for a user."""
    path = MODULES / "unsound_gcd.so"
    result = check(path, "--plugin", "gcd/none", "--case", "texts", cwd=top)
    tap.check("only one case", result.returncode == 0 and "1 ok, 0 failed" in result.stdout
              and "ok      texts: " in result.stdout and "cp " not in result.stdout, result)
    result = check(path, "--plugin", "force/none", cwd=top)
    tap.check("a plugin that the file has not is a mistake of usage", result.returncode == 2
              and '--plugin: expected a plugin of the file, got "force/none"' in result.stderr, result)
    result = check(path, "--case", "text", cwd=top)
    tap.check("an unknown case is a mistake of usage", result.returncode == 2
              and "text" in result.stderr, result)
    result = check(path, "--case", "texts", "--case", "memory", cwd=top)
    tap.check("of two cases none is left out unsaid", result.returncode == 2
              and "--case is given twice" in result.stderr, result)
    result = check(path, "--set", "skin=2.0", cwd=top)
    tap.check("a value out of range is reported as such", result.returncode == 2
              and "skin" in result.stderr and "0 <= value <= 1" in result.stderr, result)
    result = check(path, "--set", "skim=2.0", cwd=top)
    tap.check("an unknown parameter is a mistake of usage", result.returncode == 2
              and "skim" in result.stderr, result)
    result = check(top / "none.so", cwd=top)
    tap.check("a missing file is a mistake of usage", result.returncode == 2
              and "no such file" in result.stderr, result)
    result = check(MODULES / "wrong_digest.so", cwd=top)
    tap.check("a file that is not loaded fails the first case of all", result.returncode == 3
              and result.stdout.startswith("not ok  loads: ") and "digest" in result.stdout, result)
    left = list((top / "tmp").iterdir()) + list(top.glob("scree-*"))
    tap.check("no folder of a case is left behind", not left, left)


def verdicts(result, plugin):
    """Verdict and text by case of plugin number `plugin` of a file."""
    cases = json.loads(result.stdout)["plugins"][plugin]["cases"]
    return {case["id"]: (case["verdict"], case["text"]) for case in cases}


def test_files(top):
    """integrator/replay and its source need a file that only the user has."""
    replay, making = SCREE.parents[1] / "plugins/integrator/replay.so", ("bodies", "repeat", "first", "refused", "alone")
    result = check(replay, "--json", cwd=top)
    for plugin, why in enumerate(("parameter file, which the check cannot make up", "its bodies come from the integrator")):
        seen = verdicts(result, plugin)
        called = {case: said for case, said in seen.items() if said[0] == "skip"}
        tap.check(f"a file that was not named: plugin {plugin} is skipped with the reason, and not failed", result.returncode == 0
                  and len(called) > 10 and all(why in text for _, text in called.values())
                  and not any(verdict == "not ok" for verdict, _ in seen.values()), seen)
    tap.check("no case that makes bodies says ok", all(verdicts(result, 1)[case][0] == "skip" for case in making), result)
    result = check(replay, "--json", "--set", 'file="/nonexistent"', cwd=top)
    seen = verdicts(result, 0)
    tap.check("an integrator that refuses the file fails, with the reason", result.returncode == 3
              and seen["parameters"][0] == "not ok" and "/nonexistent" in seen["parameters"][1], seen)
    result = check(SCREE.parents[1] / "plugins/source/random.so", "--json", "--case", "bodies", cwd=top)
    tap.check("source/random is tried without settings", result.returncode == 0
              and verdicts(result, 0)["bodies"][0] == "ok", result)


SCENE = """plugin_path = "%s";
scene = { dimension = 3; dt = 1.0e-4; steps = 500; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
bodies = { a = { radius = 0.05; position = (0.0, 0.0, 0.0); }; b = { radius = 0.03; position = (0.0, 0.0, 0.0795); }; };
force = ( { plugin = "linear"; kn = 1.0e5; } );
modifiers = { m = { plugin = "%s"; every_steps = 1; }; };
"""


def test_scene(top):
    """All routes of a scene must give one state."""
    folder = top / "own"
    folder.mkdir()
    (folder / "run.so").write_bytes((MODULES / "unsound_run.so").read_bytes())
    for sin, status, word in (("none", 0, "3 ok, 0 failed"), ("outside", 1, "not ok  run-saved")):
        (top / f"{sin}.cfg").write_text(SCENE % (folder, sin), encoding="utf-8")
        result = check(f"{sin}.cfg", "--steps", "12", cwd=top)
        tap.check(f"a scene with a modifier with the sin {sin}: {word}", result.returncode == status and word in result.stdout
                  and "install" not in result.stdout, result)
    (top / "ranks.cfg").write_text('base = "none.cfg";\ndomain = { plugin = "processes"; ranks = 2; };\n', encoding="utf-8")
    result = check("ranks.cfg", "--steps", "12", cwd=top)
    tap.check("a scene with ranks is run on one", result.returncode == 0 and "3 ok, 0 failed" in result.stdout, result)
    result = check(folder / "run.so", "--plugin", "outside", "--scene", "outside.cfg", "--case", "run-saved", cwd=top)
    tap.check("a plugin is tried in the author's own scene", result.returncode == 3 and "another state" in result.stdout, result)
    (top / "empty").mkdir()
    (top / "elsewhere.cfg").write_text(SCENE % (top / "empty", "none"), encoding="utf-8")
    result = check(folder / "run.so", "--plugin", "none", "--scene", "elsewhere.cfg", "--case", "run-same", cwd=top)
    tap.check("a scene's folders do not hide the file that is checked", result.returncode == 0
              and "1 ok, 0 failed" in result.stdout, result)
    (top / "drag.cfg").write_text((SCENE % (folder, "drag")).replace("every_steps = 1; ", ""), encoding="utf-8")
    for case in ("account", "run-same"):
        result = check(SCREE.parents[1] / "plugins/modifier/drag.so", "--scene", "drag.cfg", "--case", case, cwd=top)
        tap.check(f"{case}: the author's own scene may not be refused", result.returncode == 3
                  and "the key density is missing" in result.stdout, result)
    result = check(MODULES / "unsound_force.so", "--plugin", "none", "--scene", "none.cfg", cwd=top)
    tap.check("a scene that chooses no plugin of the file is a mistake of usage", result.returncode == 2
              and "the scene chooses no plugin of" in result.stderr, result)
    result = check("none.cfg", "--plugin", "none", cwd=top)
    tap.check("options of plugins are refused for a scene", result.returncode == 2 and "not for a scene" in result.stderr, result)
    (top / "bad.cfg").write_text("scene = { dimension = 4; };", encoding="utf-8")
    result = check("bad.cfg", cwd=top)
    tap.check("a scene that cannot be read is a mistake of usage", result.returncode == 2 and "dimension" in result.stderr, result)


def test_install(top):
    result = check(MODULES / "minimal.so", cwd=top)
    lines = result.stdout.rstrip().splitlines()
    tap.check("it ends with the line that installs the file", result.returncode == 0
              and lines[-1].strip().startswith("scree install "), result)
    env = dict(os.environ, XDG_DATA_HOME=str(top / "data of me"))
    subprocess.run(["sh", "-c", lines[-1].replace("scree", str(SCREE), 1) + " --yes"], check=True, env=env, cwd=top,
                   stdout=subprocess.DEVNULL)
    result = subprocess.run([str(SCREE), "plugins", "force/minimal"], env=env, text=True,
                            capture_output=True)
    tap.check("which does", result.returncode == 0 and "no force at all" in result.stdout, result)


def prepare(top):
    (top / "tmp").mkdir()


tap.in_folder(prepare, test_sins, test_late, test_solids, test_isotropic, test_renamed_shapes, test_flat, test_elsewhere, test_idle, test_stopped, test_words, test_files, test_scene, test_install)
