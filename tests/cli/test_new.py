# SPDX-License-Identifier: Apache-2.0
"""`scree new`: a scene runs as it is and says what the plugins say; a plugin is its template under another name
(test_templates.py builds them); nothing is replaced, nothing half-written is left.

usage: test_new.py SCREE TEMPLATES
"""
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import sys

import tap
from runs import scree

SCREE = pathlib.Path(sys.argv[1]).resolve()
TEMPLATES = pathlib.Path(sys.argv[2]).resolve()


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
              and {"energies.csv", "frames.scf", "vtk", "scene.cfg", "summary.json"}
              <= set(os.listdir(top / "runs/latest")), seen)
    tap.check("all of them stay in the box and region", data["bodies"] == 301, data["bodies"])


def test_follows_the_plugins(top):
    scree(top, "new", "scene", "printed")
    text = (top / "printed.cfg").read_text()
    for plugin in ("force/linear", "gcd/grid", "observer/csv", "observer/frames", "observer/vtk"):
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


LIKE = ("drum", "hopper", "mixer", "pile", "shear", "silo")


def test_like(top):
    """Scenes of common machines: the text has the name of the scene, says what it is, and runs."""
    for like in LIKE:
        made = scree(top, "new", "scene", f"my_{like}", "--like", like)
        text = (top / f"my_{like}.cfg").read_text() if made.returncode == 0 else ""
        tap.check(f"new scene --like {like} writes it under its name", text.startswith(f"# my_{like}: ") and "@" not in text
                  and f'title = "my_{like}"' in text and f"run my_{like}.cfg" in made.stdout, made)
        seen = scree(top, "validate", f"my_{like}.cfg")
        tap.check("it has no mistake, and nothing to warn of", seen.returncode == 0 and not seen.stderr, seen)
        seen = scree(top, "run", f"my_{like}.cfg", "-q", "--json", "--steps", 100, "-o", f"out_{like}")
        warned = [line for line in seen.stderr.splitlines() if "warning" in line and not re.search("has no row|have no angle", line)]
        tap.check("it runs", seen.returncode == 0 and not warned, seen)
    missing = scree(top, "new", "scene", "x", "--like", "press")
    tap.check("another word is refused with those that exist", missing.returncode == 2 and not (top / "x.cfg").exists()
              and f'--like: expected one of {", ".join(LIKE)}, got "press"' in missing.stderr, missing)
    for word in ("../scenes/drum", ""):
        missing = scree(top, "new", "scene", "x", "--like", word)
        tap.check(f'no path: "{word}"', missing.returncode == 2 and "--like: expected one of" in missing.stderr, missing)
    missing = scree(top, "new", "force", "x", "--like", "drum")
    tap.check("a plugin is like no scene", missing.returncode == 2 and "--like goes with scene, not with force" in missing.stderr,
              missing)


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


def tree(folder):
    """All paths below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_plugin(top):
    """A plugin is its template, but for the name."""
    for template in sorted(path for path in TEMPLATES.iterdir() if path.is_dir()):
        kind, (source,) = template.name, template.glob("*.c")
        seen = scree(top, "new", kind, f"my_{kind}", "made")
        files = {path.name: path.read_text() for path in sorted((top / f"made/my_{kind}").iterdir())}
        wanted = {path.name: path.read_text() for path in (*template.iterdir(), TEMPLATES / "LICENSE")}
        swap = {re.sub(rf"\b{source.stem}\b", f"my_{kind}", name): re.sub(rf"\b{source.stem}\b", f"my_{kind}", text)
                for name, text in wanted.items()}
        tap.check(f"new {kind} writes the template under the new name", seen.returncode == 0 and files == swap
                  and all(f"my_{kind}" in files[name] for name in files if name != "LICENSE"), (seen, files))
        code = re.sub(r'/\*.*?\*/|"[^"\n]*"', "", source.read_text(), flags=re.S)
        tap.check(f"{source.name}: its name is not an identifier in it, since another one may be a word of C",
                  not re.search(rf"\b{source.stem}\b", code), code)
        tap.check(f"nothing in it has the name of the template, {source.stem}", source.stem not in
                  "".join(text for name, text in files.items() if name != "LICENSE"), files)
    tap.check("nothing else is left next to them", len(os.listdir(top / "made")) == len(os.listdir(TEMPLATES)) - 1
              and os.listdir(top) == ["made"], tree(top))
    kinds = re.search(r"plugins \((.*?)\)", scree(top, "plugins", "nokind").stderr)[1].split(", ")
    tap.check("each kind but drafts has a template", sorted(set(kinds) - {"domain"}) == sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir()),
              kinds)


def test_plugin_replaces_nothing(top):
    (top / "mine").mkdir()
    (top / "file").write_text("mine")
    (top / "lost").symlink_to(top / "nowhere")
    before = tree(top)
    for name in ("mine", "file", "lost"):
        seen = scree(top, "new", "force", name)
        tap.check(f"{name}: a file, folder or link that exists stays", seen.returncode == 2 and not seen.stdout and tree(top) == before
                  and f"{name} exists and stays as it is; choose another NAME" in seen.stderr, (seen, tree(top)))
    seen = scree(top, "new", "force", "x", "deep/er", preexec_fn=full_disk)
    tap.check("a disk that is full leaves nothing, no new DIR either", seen.returncode == 1 and tree(top) == before
              and "cannot write deep/er/x: File too large" in seen.stderr, (seen, tree(top)))
    seen = scree(top, "new", "scene", "x", "deep/er", preexec_fn=full_disk)
    tap.check("nor does a scene", seen.returncode == 1 and tree(top) == before, (seen, tree(top)))
    seen = scree(top, "new", "force", "x", "file/deep")
    tap.check("a file is not a DIR", seen.returncode == 1 and tree(top) == before and "file/deep" in seen.stderr, seen)


def test_next_commands(top):
    seen = scree(top, "new", "force", "mine", "a folder")
    lines = [shlex.split(line) for line in seen.stdout.splitlines()]
    tap.check("the next commands are printed, as a shell in another folder wants them", seen.returncode == 0
              and lines[1] == ["cd", "a folder/mine"] and lines[-2] == [str(SCREE), "check", "mine.so"]
              and lines[-1] == [str(SCREE), "run", "mine.cfg"] and lines[-3][0] == "cc", seen)
    relative = scree(top, "new", "force", "other", executable=os.path.relpath(SCREE, top))
    tap.check("by the program's path", str(SCREE) in relative.stdout, relative)


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
    for args, words in ((("sceen", "a"), 'got "sceen"; did you mean "scene"?'), ((), "scene NAME"),
                        (("forse", "a"), 'expected scene or a kind of plugins (gcd, resolver, force, integrator,'),
                        (("forse", "a"), 'got "forse"; did you mean "force"?'), (("scene",), "NAME [DIR], got 1 word "),
                        (("scene", "a", "b", "c"), "expected KIND|scene NAME [DIR], got 4 words"),
                        (("gcd",), "NAME [DIR], got 1 word "), (("gcd", "Mine"), 'an id of a-z, 0-9 and _'),
                        (("gcd", "a-b"), 'a letter first, of at most 64, got "a-b"'), (("gcd", "1a"), 'got "1a"'),
                        (("gcd", ""), 'got ""'), (("gcd", "../a"), 'got "../a"'), (("gcd", "a" * 65), "at most 64"),
                        (("gcd", "test"), 'Meson has a target "test" of its own'), (("gcd", "grid"), "gcd/grid is installed ("),
                        (("scene", "a/b"), 'a letter or digit first, got "a/b"'), (("scene", ""), 'got ""'),
                        (("scene", ".cfg"), 'got ".cfg"'), (("scene", "a b"), 'got "a b"'),
                        (("scene", 'a"'), "letters, digits"), (("--jsn",), "--jsn")):
        seen = scree(top, "new", *args)
        tap.check(f"new {' '.join(args)} is refused", seen.returncode == 2 and words in seen.stderr
                  and len(seen.stderr.splitlines()) == 1 and not os.listdir(top), seen)
    seen = scree(top, "new", "--help")
    tap.check("--help says what is written", seen.returncode == 0
              and "KIND|scene NAME [DIR]" in seen.stdout and "NAME.cfg" in seen.stdout and "NAME/" in seen.stdout, seen)


tap.in_folders(test_runs, test_like, test_follows_the_plugins, test_replaces_nothing, test_plugin,
               test_plugin_replaces_nothing, test_next_commands, test_folders, test_usage)
