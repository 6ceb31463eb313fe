# SPDX-License-Identifier: Apache-2.0
"""Structs grow at the tail, the digest is held: old and new plugins and hosts still meet, and give one hash.

usage: test_growth.py quick|host SCREE PLUGINS SOURCE DIGEST_FOLDER CC HEADER...

`quick`: plugins with grown structs in the present host, present plugins in a grown host of a few functions
(tests/conformance). `host`: a whole host is built with grown structs, too.
"""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import tap
from runs import environment
from freeze import PLUGINS as LANGUAGES, build
from grow import FIXED, grow

MODE, SCREE, PLUGINS, SOURCE, DIGEST = sys.argv[1], *map(pathlib.Path, sys.argv[2:6])
SCREE, PLUGINS, SOURCE, DIGEST = SCREE.resolve(), PLUGINS.resolve(), SOURCE.resolve(), DIGEST.resolve()
CC, HEADERS = shlex.split(sys.argv[6]), sys.argv[7:]
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno",
         "-fno-trapping-math", "-w", f"-Wl,--version-script={SOURCE}/plugins/plugin.map", "-Wl,-z,nodelete"]
# One of each kind, with what crosses the ABI: fields, services, edits, a recipe, walls.
CHOSEN = ["gcd/sort_update", "resolver/sphere", "force/linear", "integrator/velocity_verlet", "modifier/insert",
          "modifier/tether", "observer/mass_flow"]
# Shapes of the scene whose plugins have no grown build.
SHAPES = ["shape/sphere", "shape/mesh", "shape/plane"]
# From contrib/, in one file: a shape and its resolver.
ROD = {"shape/rod", "resolver/rod"}
SHARED = {"observer/mass_flow": ["observer/stream.c"]}
SCENE = """
scene = { title = "growth"; dimension = 3; dt = 1.0e-5; steps = 300; gravity = (0.0, 0.0, -9.81); seed = 3;
    region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }; };
materials = { glass = { density = 2500.0; }; steel = { density = 7800.0; }; };
shapes = { slab = { type = "mesh"; vertices = ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.1, 0.0), (0.0, 0.1, 0.0));
    facets = ((0, 1, 2), (0, 2, 3)); }; stick = { type = "rod"; length = 0.01; radius = 0.002; };
    side = { type = "plane"; normal = (1.0, 0.0, 0.0); }; };
bodies = {
    floor = { shape = "slab"; material = "steel"; motion = "fixed"; };
    side = { shape = "side"; material = "steel"; motion = "fixed"; };
    a = { radius = 0.005; position = (0.0049, 0.05, 0.0049); velocity = (-0.1, 0.0, -0.5); material = "glass"; };
    b = { radius = 0.005; position = (0.0148, 0.05, 0.00499); velocity = (-1.0, 0.0, 0.0); material = "glass"; };
    c = { shape = "stick"; position = (0.0149, 0.0512, 0.0118); velocity = (0.0, 0.0, -1.0); material = "glass"; };
    d = { shape = "stick"; position = (0.05, 0.05, 0.00199); velocity = (0.0, 0.0, -0.3); material = "glass"; };
};
resolvers = ( { plugin = "sphere"; }, { plugin = "rod"; } );
force = ( %s );
gcd = { plugin = "sort_update"; };
integrator = { plugin = "velocity_verlet"; };
modifiers = {
    feed = { plugin = "insert"; number = 3; number_rate = 2000.0; body = { material = "steel"; radius = 0.003; };
        region = { min = (0.03, 0.03, 0.03); max = (0.08, 0.08, 0.08); }; };
    leash = { plugin = "tether"; groups = "a"; stiffness = 10.0; };
};
observers = { flow = { plugin = "mass_flow"; every_steps = 50; point = (0.05, 0.05, 0.02);
    normal = (0.0, 0.0, 1.0); }; };
"""
LINEAR = '{ plugin = "linear"; kn = 1.0e4; restitution = 0.8; friction = 0.4; }'


def compile_all(include, folder, chosen):
    """Builds plugins of the tree with the headers of `include` into folder/KIND/ID.so."""
    jobs = []
    for name in chosen:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        source = SOURCE / "plugins" / f"{name}.c"
        more = [str(f) for f in sorted((SOURCE / "plugins" / name).glob("*.c"))]
        more += [str(SOURCE / "plugins" / f) for f in SHARED.get(name, [])]
        jobs.append((name, [*CC, *FLAGS, f"-I{include}", f"-I{DIGEST}", f"-I{SOURCE}/plugins", str(source), *more,
                            "-o", str(folder / f"{name}.so"), "-lm"]))
    for name, command in jobs:
        result = subprocess.run(command, text=True, capture_output=True, check=False)
        tap.check(f"{name} builds with grown structs", result.returncode == 0, result.stderr)


def compile_rod(include, folder):
    folder.mkdir(parents=True, exist_ok=True)
    sources = [str(f) for f in sorted((SOURCE / "contrib/rod").glob("*.c"))]
    result = subprocess.run([*CC, *FLAGS, f"-I{include}", f"-I{DIGEST}", *sources, "-o", str(folder / "rod.so"), "-lm"],
                            text=True, capture_output=True, check=False)
    tap.check(f"contrib/rod builds for the folder {folder.name}", result.returncode == 0, result.stderr)


def compile_beyond(include, folder, *flags):
    folder.mkdir(parents=True)
    subprocess.run([*CC, *FLAGS, *flags, f"-I{include}", f"-I{DIGEST}", str(SOURCE / "tests/abi/beyond.c"), "-o",
                    str(folder / "beyond.so")], check=True)


def run(scree, top, paths, law=LINEAR):
    """The result of a run as JSON, with `failed` when there is none."""
    (top / "scene.cfg").write_text(SCENE % law, encoding="utf-8")
    env = environment()
    words = [word for path in paths for word in ("--plugin-path", str(path))]
    result = subprocess.run([str(scree), "run", str(top / "scene.cfg"), "-q", "--json", *words], cwd=top, env=env,
                            text=True, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return json.loads(result.stdout) if result.returncode == 0 else {"failed": result.stderr, "plugins": []}


def files_under(result, folder):
    return {f"{p['kind']}/{p['id']}" for p in result["plugins"] if p["file"].startswith(str(folder) + "/")}


def test_quick(top, include):
    """Returns the hash of the present host with its own plugins."""
    compile_all(include, top / "grown", CHOSEN)
    compile_rod(include, top / "grown")
    compile_rod(SOURCE / "abi", top / "present")
    own = run(SCREE, top, [top / "present"])
    tap.check("the scene runs, with contacts", own.get("contacts", 0) > 0, own)
    grown = run(SCREE, top, [top / "grown"])
    tap.check("the plugins with grown structs are those that run", files_under(grown, top / "grown") == set(CHOSEN) | ROD,
              files_under(grown, top / "grown") ^ (set(CHOSEN) | ROD))
    tap.check("plugins with grown structs give the hash of the present ones", "state_sha256" in own
              and own["state_sha256"] == grown.get("state_sha256"), (own, grown))
    compile_beyond(include, top / "careful")
    compile_beyond(include, top / "careless", "-DCARELESS")
    careful = run(SCREE, top, [top / "careful", top / "present"], '{ plugin = "beyond"; }')
    careless = run(SCREE, top, [top / "careless", top / "present"], '{ plugin = "beyond"; }')
    tap.check("a plugin that asks for a new member by SCREE_HAS runs in a host without it", "state_sha256" in careful,
              careful)
    tap.check("one that reads beyond the end of the host's struct is seen by its hash",
              careless.get("state_sha256") != careful.get("state_sha256"), careless)
    compile_beyond(include, top / "talkative", "-DTALKATIVE")
    talkative = run(SCREE, top, [top / "talkative", top / "present"], '{ plugin = "beyond"; }')
    tap.check("one whose descriptor says something in its tail is left out by a host without the tail", re.search(
        r"force/beyond: byte \d+ of its scree_plugin is not 0; this host knows \d+ bytes", talkative.get("failed", "")), talkative)
    return own.get("state_sha256"), careful.get("state_sha256")


def bind(headers, folder):
    """scree.rs of grown headers."""
    out = folder / "scree.rs"
    done = subprocess.run([sys.executable, str(SOURCE / "abi/bind.py"), str(DIGEST / "scree/digest.h"),
                           *(str(folder / "scree" / pathlib.Path(one).name) for one in headers), str(out)], text=True,
                          capture_output=True, check=False)
    tap.check("the grown headers have a binding in Rust", done.returncode == 0, done.stderr)
    return out


def test_languages(top, include):
    """Laws in C, C++ and Rust with grown structs give the hashes of those with present structs."""
    binding = bind(HEADERS, include)
    for name, (_, language, plugin, group) in LANGUAGES.items():
        hashes = []
        for which, includes, rust in (("present", None, None), ("grown", [include, DIGEST], binding)):
            folder = top / f"{which}-{language}"
            folder.mkdir()
            why = build(name, SOURCE, DIGEST.parent, folder / "law.so", includes, rust)
            if why and why.startswith("no "):
                break
            result = run(SCREE, top, [folder, top / "present"], "{ %s }" % group)
            tap.check(f"a law in {language} with {which} structs runs", not why
                      and files_under(result, folder) == {plugin}, (why, result))
            hashes.append(result.get("state_sha256"))
        if len(hashes) < 2:
            tap.skip(f"a law in {language} with grown structs gives the hash of the present one", why)
        else:
            tap.check(f"a law in {language} with grown structs gives the hash of the present one", hashes[0] == hashes[1], hashes)


# Programs of tests that call a plugin of the tree without a host.
CALLERS = [("force_linear", "force/linear"), ("velocity_verlet", "integrator/velocity_verlet"), ("gcd_dess", "gcd/dess")]


def test_callers(top, include):
    for program, plugin in CALLERS:
        built = subprocess.run([*CC, "-std=gnu17", "-O1", "-w", "-ffp-contract=off", f"-I{include}", f"-I{DIGEST}",
                                str(SOURCE / "tests" / plugin.split("/")[0] / f"{program}.c"), "-o", str(top / program), "-ldl", "-lm"],
                               text=True, capture_output=True, check=False)
        result = built.returncode == 0 and subprocess.run(
            [str(top / program), str(PLUGINS / f"{plugin}.so")], text=True, capture_output=True, check=False)
        good = result and result.returncode == 0 and "\nnot ok" not in result.stdout and "ok 1" in result.stdout
        tap.check(f"{plugin} as it is passes {program} on a caller with grown structs", good,
                  result or built.stderr)


def build_host(top, include):
    """A host of the tree with the grown headers; its scree, or None."""
    tree = top / "tree"
    builds = [path.name for path in SOURCE.iterdir() if (path / "build.ninja").exists() or path.name == "runs"]
    shutil.copytree(SOURCE, tree, ignore=shutil.ignore_patterns(*builds, ".git", "__pycache__"))
    for header in (include / "scree").glob("*.h"):
        shutil.copy(header, tree / "abi/scree" / header.name)
    digest = (DIGEST / "scree/digest.h").read_text(encoding="utf-8")
    (tree / "abi/digest.py").write_text(f"import sys\nopen(sys.argv[-1], 'w').write({digest!r})\n", encoding="utf-8")
    log = []
    for command in (["meson", "setup", "build", "-Doptimization=1"],
                    ["ninja", "-C", "build", "core/scree", "core/scree-hdf5.so", "core/scree-query.so", *(f"plugins/{name}.so" for name in [*CHOSEN, *SHAPES])]):
        result = subprocess.run(command, cwd=tree, text=True, capture_output=True, check=False)
        log.append(result.stdout[-3000:] + result.stderr[-3000:])
        if result.returncode:
            tap.check("a host with grown structs builds", False, "\n".join(log))
            return None
    tap.check("a host with grown structs builds", True)
    return tree / "build/core/scree"


def test_host(top, include, own, careful):
    host = build_host(top, include)
    if not host:
        return
    compile_rod(include, top / "rod")
    results = {"its own plugins, grown too": run(host, top, [top / "rod"]),
               "the present plugins": run(host, top, [PLUGINS, top / "present"]),
               "plugins built apart": run(host, top, [top / "grown"])}
    for what, result in results.items():
        tap.check(f"the grown host with {what} gives the hash of the present host", result.get("state_sha256") == own,
                  result)
    used = files_under(results["the present plugins"], PLUGINS)
    tap.check("the present plugins are those that ran", used >= set(CHOSEN), used ^ set(CHOSEN))
    for name in ("careful", "careless", "talkative"):
        result = run(host, top, [top / name, top / "present"], '{ plugin = "beyond"; }')
        tap.check(f"the {name} law runs in the grown host, whose new member is 0",
                  result.get("state_sha256") == careful, result)
    law = '{ plugin = "beyond"; least = %d; }' % size_of_host(top, include)
    tap.check("the grown host is larger", "state_sha256" in run(host, top, [top / "careful", top / "present"], law))
    refused = run(SCREE, top, [top / "careful", top / "present"], law)
    tap.check("the present one is smaller", "least: the host is smaller" in refused.get("failed", ""), refused)


def size_of_host(top, include):
    program = '#include <stdio.h>\n#include "scree/scree.h"\nint main(void) { printf("%zu", sizeof(scree_host)); }\n'
    subprocess.run([*CC, "-x", "c", f"-I{include}", f"-I{DIGEST}", "-o", str(top / "size"), "-"], input=program,
                   text=True, check=True)
    return int(subprocess.run([str(top / "size")], text=True, capture_output=True, check=True).stdout)


def test_sizes():
    """A struct of a plugin is compared with the end of a member (SCREE_SIZE_TO), never with today's whole."""
    found = [f"{path.name}:{n}: {line.strip()}" for room in ("plugin", "scene", "engine", "change", "run")
             for path in sorted((SOURCE / "core" / room).glob("*.c"))
             for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
             if re.search(r"->size\s*(<|>=|!=|==)\s*sizeof|size\(.*->size, sizeof", line)]
    tap.check("no size that a plugin gives is compared with that of a whole struct", not found, "\n".join(found))


def main(top):
    grown, left = grow(sorted((SOURCE / "abi/scree").glob("*.h")), top / "include")
    shutil.copytree(SOURCE / "abi/scree/draft", top / "include/scree/draft")  # drafts have no promise, and stay as they are
    tap.check("every struct with a size grows, the others are those that never do", len(grown) > 40
              and set(left) == FIXED, (len(grown), set(left) ^ FIXED))
    test_sizes()
    own, careful = test_quick(top, top / "include")
    if MODE == "quick":
        test_callers(top, top / "include")
        test_languages(top, top / "include")
    else:
        test_host(top, top / "include", own, careful)


tap.in_folder(main)
