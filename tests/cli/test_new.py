# SPDX-License-Identifier: Apache-2.0
"""`scree new scene`: the scene runs as it is, says what the plugins say, and replaces nothing.

usage: test_new.py SCREE
"""
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

SCREE = pathlib.Path(sys.argv[1]).resolve()


def scree(top, *args, **more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env.update(XDG_DATA_HOME="/nonexistent", LC_ALL="C")
    return subprocess.run([str(SCREE), *map(str, args)], cwd=top, env=env, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120, **more)


def test_runs(top):
    made = scree(top, "new", "scene", "first")
    next_two = [shlex.split(line) for line in made.stdout.splitlines()[1:]]
    tap.check("a scene is written, and the next two commands are printed", made.returncode == 0
              and next_two == [[str(SCREE), "validate", "first.cfg"], [str(SCREE), "run", "first.cfg"]],
              made)
    tap.check("nothing but the scene is written", os.listdir(top) == ["first.cfg"], os.listdir(top))
    seen = scree(top, *next_two[0][1:])
    tap.check("the scene has no mistake, and nothing to warn of", seen.returncode == 0
              and not seen.stderr and "first (first, 3D)" in seen.stdout, seen)
    seen = scree(top, *next_two[1][1:], "-q", "--json", "--steps", 20000)
    data = json.loads(seen.stdout)
    tap.check("it runs as it is, its spheres meet each other and the box, and files come of it",
              seen.returncode == 0 and data["contacts_at_end"] > 100 and data["energy"]["lost"] > 0
              and {"energies.csv", "vtk", "scene.cfg", "summary.json"}
              <= set(os.listdir(top / "runs/latest")), seen)
    tap.check("all of them stay in the box and region", data["bodies"] == 301, data["bodies"])


def test_follows_the_plugins(top):
    scree(top, "new", "scene", "printed")
    text = (top / "printed.cfg").read_text()
    for plugin in ("force/linear", "gcd/grid", "observer/csv", "observer/vtk"):
        data = json.loads(scree(top, "plugins", plugin, "--json").stdout)
        missing = [p["name"] for p in data["parameters"]
                   if not re.search(rf"\b{p['name']}\b", text)]
        tap.check(f"{plugin}: its help and every parameter are in the scene",
                  data["help"] in text and not missing, (missing, text))
        name = plugin.split("/")[1]
        block = re.search(rf'plugin = "{name}";\n(.*?)^ *}};?$', text, re.M | re.S).group(1)
        for p in data["parameters"]:
            if re.search(rf"^ +{p['name']} = ", block, re.M):
                unit = f" [{p['unit']}]" if p["unit"] else ""
                tap.check(f"{plugin}: {p['name']} is below its meaning and unit", re.search(
                    rf"# {re.escape(p['help'])} \({re.escape(p['type'])}{re.escape(unit)}", block), block)
    has_image = scree(top, "plugins", "observer/image").returncode == 0
    tap.check("there are pictures where their plugin is installed, else not", has_image
              == ('plugin = "image"' in text), text)
    widest = max(text.splitlines(), key=len)
    tap.check("its lines can be read", len(widest) <= 150, widest)


def test_replaces_nothing(top):
    (top / "mine.cfg").write_text("mine")
    for name in ("mine", "mine.cfg"):
        seen = scree(top, "new", "scene", name)
        tap.check(f"{name}: a file that is there stays", seen.returncode == 2 and not seen.stdout
                  and "mine.cfg exists" in seen.stderr
                  and (top / "mine.cfg").read_text() == "mine", seen)
    (top / "lost.cfg").symlink_to(top / "nowhere")
    seen = scree(top, "new", "scene", "lost")
    tap.check("a link that leads nowhere stays too", seen.returncode == 2
              and (top / "lost.cfg").is_symlink() and not (top / "nowhere").exists(), seen)
    tap.check("nothing else is left", sorted(os.listdir(top)) == ["lost.cfg", "mine.cfg"],
              os.listdir(top))


def full_disk():
    """No file can grow: what a write to a full disk sees, but for the number of the error."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def test_folders(top):
    seen = scree(top, "new", "scene", "deep", "new folder/b")
    path = "new folder/b/deep.cfg"
    tap.check("DIR is made, and quoted where a shell wants it", seen.returncode == 0
              and (top / path).exists() and f"run '{path}'" in seen.stdout, seen)
    (top / "file").write_text("")
    seen = scree(top, "new", "scene", "x", "file")
    tap.check("a file is not a valid DIR", seen.returncode == 1 and "file" in seen.stderr
              and not seen.stdout, seen)
    seen = scree(top, "new", "scene", "x", "/proc/self")
    tap.check("a folder that takes no files is reported", seen.returncode == 1
              and "cannot write /proc/self/x.cfg" in seen.stderr, seen)
    (top / "full").mkdir()
    seen = scree(top, "new", "scene", "x", "full", preexec_fn=full_disk)
    tap.check("a disk that is full leaves no part of a scene", seen.returncode == 1
              and "cannot write full/x.cfg: File too large" in seen.stderr
              and not os.listdir(top / "full"), (seen, os.listdir(top / "full")))


def test_usage(top):
    for args, words in ((("force", "mine"), "writes scenes only"), (("gcd", "mine"), "scenes only"),
                        (("sceen", "a"), 'expected scene NAME [DIR], got "sceen"'), ((), "scene NAME"),
                        (("scene",), "NAME"), (("scene", "a", "b", "c"), "expected scene NAME [DIR], got 4 words"),
                        (("scene", "a/b"), 'a letter or digit first, got "a/b"'), (("scene", ""), 'got ""'),
                        (("scene", ".cfg"), 'got ".cfg"'), (("scene", "a b"), 'got "a b"'),
                        (("scene", 'a"'), "letters, digits"), (("--jsn",), "--jsn")):
        seen = scree(top, "new", *args)
        tap.check(f"new {' '.join(args)} is refused", seen.returncode == 2 and words in seen.stderr
                  and len(seen.stderr.splitlines()) == 1 and not os.listdir(top), seen)
    seen = scree(top, "new", "--help")
    tap.check("--help says what is written", seen.returncode == 0
              and "scene NAME [DIR]" in seen.stdout and "NAME.cfg" in seen.stdout, seen)


def run():
    with tempfile.TemporaryDirectory() as name:
        for test in (test_runs, test_follows_the_plugins, test_replaces_nothing, test_folders,
                     test_usage):
            folder = pathlib.Path(name).resolve() / test.__name__
            folder.mkdir()
            test(folder)


tap.finish(run)
