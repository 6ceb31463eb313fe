# SPDX-License-Identifier: Apache-2.0
"""Whatever a plugin changes, and in whichever function, the host notices, says which call it was, and has
its own again.

usage: test_stray.py SCREE FOLDER_OF_MODULES HEADER...
"""
import concurrent.futures
import json
import pathlib
import re
import shutil
import sys

import runs
import tap
from runs import scree

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
HEADERS = sys.argv[3:]

SCENE = """
scene = { title = "three in a row"; dt = 1.0e-5; steps = 6; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); };
    b = { shape = "sphere"; radius = 0.005; position = (0.0099, 0.0, 0.0); };
    c = { shape = "sphere"; radius = 0.005; position = (0.0199, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
renumber = { every = 2; };
"""
CHOICES = {
    "gcd": 'gcd={plugin="stray";}',
    "resolver": 'resolvers={plugin="stray";}',
    "force": 'force={plugin="stray";}',
    "integrator": 'integrator={plugin="stray";}',
    "observer": 'observers={w={plugin="stray"; every_steps=1;};}',
    "modifier": 'modifiers={w={plugin="stray";};}',
}
# Functions that a run calls, by kind; `chunk` is a parallel_for of another one.
CALLED = {
    "gcd": ["create", "narrow", "destroy", "init", "step_init", "find_neighbors", "chunk"],
    "resolver": ["create", "narrow", "destroy", "supports", "prepare", "resolve"],
    "force": ["create", "narrow", "destroy", "compute", "range", "stiffness", "after_step"],
    "integrator": ["create", "narrow", "destroy", "begin", "stage", "move", "chunk"],
    "observer": ["create", "narrow", "destroy", "observe", "finish", "chunk"],
    "modifier": ["create", "narrow", "destroy", "forces", "after_step", "pose", "enter", "chunk"],
}
INSIDE = {"gcd": "step_init", "integrator": "begin", "observer": "observe", "modifier": "forces"}
FLOATING = {"rounds", "flushes", "unmasks", "x87"}
CHANGES = {**dict.fromkeys(FLOATING, "the floating-point environment"),
           "locale": "the locale", "thread_locale": "the locale", "umask": "the umask",
           "folder": "the current folder", "signals": "the signal mask"}


def environment(stray):
    env = runs.environment()
    if stray:
        env["STRAY"] = stray
    return env


def run(top, kind, stray, *more):
    return scree(top, "run", "--plugin-path", top / "plugins", top / "scene.cfg", "-q", "--json", "--set",
                 CHOICES[kind], *more, env=environment(stray))


def state_of(result):
    return json.loads(result.stdout)["state_sha256"] if result.stdout else None


def blames(result, kind, call, what):
    """One line that names the plugin, its call and what it changed."""
    lines = [x for x in result.stderr.splitlines()
             if re.match(rf"scree: (\S+:\d+: |--set: \S+: |resolver/sphere .* or )?{kind}/stray \(.*\) "
                         rf"(failed|misbehaved) in (resolve or )?{call}\b.*: it "
                         rf"changed {what}", x)]
    return len(lines) == 1


def test_runs(top):
    plain = {kind: run(top, kind, None) for kind in CALLED}
    for kind, result in plain.items():
        tap.check(f"{kind}/stray runs when it keeps straight", result.returncode == 0, result)
    jobs = [(kind, call, "rounds") for kind in CALLED for call in CALLED[kind]]
    jobs += [("force", "create", change) for change in CHANGES if change != "rounds"]
    jobs += [("force", "compute", change) for change in sorted(FLOATING) + ["locale", "thread_locale"]]
    jobs += [("modifier", "after_step", change) for change in sorted(FLOATING) + ["locale"]]
    jobs += [("integrator", "begin", change) for change in CHANGES if change != "rounds"]
    jobs += [("observer", "finish", change) for change in CHANGES if change != "rounds"]
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        results = list(two.map(lambda job: run(top, job[0], f"{job[0]}.{job[1]} {job[2]}"), jobs))
    for (kind, call, change), result in zip(jobs, results):
        named = INSIDE[kind] if call == "chunk" else call
        tap.check(f"{kind}: {change} in {call} is blamed, status 3", result.returncode == 3
                  and blames(result, kind, named, CHANGES[change]), result)
        if call == "destroy":  # nothing came after it that could fail
            tap.check(f"{kind}: {change} in {call} leaves the state as it is",
                      state_of(result) == state_of(plain[kind]), result)


def test_positive(top):
    """A code that is neither SCREE_OK nor a failure."""
    for kind, calls in CALLED.items():
        for call in calls:
            if call in ("destroy", "chunk"):
                continue
            result = run(top, kind, f"{kind}.{call} positive")
            tap.check(f"{kind}: a positive code of {call} is blamed", result.returncode == 3 and re.search(
                rf"{kind}/stray \(.*\) (failed|misbehaved) in {call}\b.*: it (returned|answered) 7, expected 0",
                result.stderr), result)


def test_extensions(top):
    result = run(top, "integrator", "integrator.get_extension rounds")
    tap.check("integrator: rounds in get_extension is blamed", result.returncode == 3
              and "in get_extension: it changed the floating" in result.stderr, result)


def check(top, kind, stray):
    return scree(top, "check", MODULES / f"stray_{kind}.so", "--json", "--case", "environment", env=environment(stray))


# Every function of every kind: of its vtable and of its extensions.
TRIED = {
    "gcd": ["find_objects", "bytes", "get_extension", "pair", "cells"] + CALLED["gcd"],
    "resolver": ["bytes", "adjoins", "get_extension"] + CALLED["resolver"],
    "force": ["bytes", "reach", "get_extension"] + CALLED["force"],
    "integrator": ["bytes", "get_extension", "with", "limit"] + CALLED["integrator"],
    "observer": ["get_extension", "bytes", "scalar", "read"] + CALLED["observer"],
    "modifier": ["bytes", "get_extension"] + CALLED["modifier"],
    "shape": ["create", "narrow", "destroy", "bytes", "measure", "place", "boxes", "view", "farthest", "value",
              "get_extension"],
}
# Structs of extensions by kind.
EXTENSIONS = {"scree_suspect": "gcd", "scree_layout": "gcd", "scree_bonds": "force", "scree_order": "integrator",
              "scree_stability": "integrator", "scree_support": "shape",
              "scree_implicit": "shape", "scree_scalars": "observer"}
# Structs of functions that the host gives to plugins.
OF_THE_HOST = {"scree_host", "scree_output", "scree_names", "scree_events", "scree_conformal", "scree_edits",
               "scree_pair_sink", "scree_index_sink", "scree_view", "scree_shape", "scree_making", "scree_state_sink",
               "scree_query", "scree_files", "scree_summer", "scree_figures", "scree_pieces",
               "scree_embed", "scree_layout_sink"}
# Structs of functions without a row here: the tests that call them.
ELSEWHERE = {"scree_source_ops": "sources", "scree_state": "state", "scree_rates": "contrib-heat", "scree_joined": "velocity_verlet",
             "scree_solid": "observer-cells", "scree_domain_ops": "check-domain"}
# Functions that the header says nobody calls.


def test_tables():
    """A function of the ABI without a row in TRIED fails here."""
    functions = {}
    for header in HEADERS:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", pathlib.Path(header).read_text(encoding="utf-8"), flags=re.S)
        for name, body in re.findall(r"typedef\s+struct\s+(\w+)\s*\{(.*?)\}\s*\1\s*;", text, flags=re.S):
            members = re.findall(r"\(\*(\w+)\)\s*\(", body)
            if members:
                functions[name] = set(members)
    vtables = {f"scree_{kind}_ops": kind for kind in TRIED}
    known = set(vtables) | set(EXTENSIONS) | OF_THE_HOST | set(ELSEWHERE) | {"scree_plugin", "scree_ops_head"}
    tap.check("all structs of functions in the headers are known", set(functions) == known,
              set(functions) ^ known)
    for struct, kind in {**vtables, **EXTENSIONS}.items():
        missing = functions.get(struct, {"the struct"}) - set(TRIED[kind])
        tap.check(f"each function of {struct} has a row in TRIED", not missing, missing)
    for kind, extra in TRIED.items():
        known = set().union(*(members for struct, members in functions.items()
                              if vtables.get(struct) == kind or EXTENSIONS.get(struct) == kind))
        tap.check(f"{kind}: no row of TRIED is of a function that is gone",
                  set(extra) <= known | {"chunk", "get_extension"}, set(extra) - known)


def test_checks(top):
    """`scree check` tries every function."""
    jobs = [(kind, call, "rounds") for kind in TRIED for call in TRIED[kind]]
    jobs += [("force", call, change) for call in ("stiffness", "compute") for change in CHANGES]
    jobs += [("gcd", "bytes", change) for change in CHANGES]
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        results = list(two.map(lambda job: check(top, job[0], f"{job[0]}.{job[1]} {job[2]}"), jobs))
    for (kind, call, change), result in zip(jobs, results):
        cases = json.loads(result.stdout)["plugins"][0]["cases"]
        text = " ".join(case["text"] for case in cases if case["verdict"] == "not ok")
        named = INSIDE[kind] if call == "chunk" else call
        tap.check(f"scree check: {kind}: {change} in {call} fails, and is named", result.returncode == 3
                  and CHANGES[change] in text and re.search(rf"\b{named}\b", text), (result.returncode, text))
    for kind in TRIED:
        result = check(top, kind, None)
        tap.check(f"scree check: {kind}/stray passes when it keeps straight", result.returncode == 0, result)


def prepare(top):
    (top / "plugins").mkdir()
    (top / "scene.cfg").write_text(SCENE, encoding="utf-8")
    for kind in CALLED:  # by the name under which a run finds it at once, without a look at all files
        (top / "plugins" / kind).mkdir()
        shutil.copy(MODULES / f"stray_{kind}.so", top / "plugins" / kind / "stray.so")
    test_tables()


if __name__ == "__main__":
    tap.in_folder(prepare, test_runs, test_positive, test_extensions, test_checks)
