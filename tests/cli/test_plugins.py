# SPDX-License-Identifier: Apache-2.0
"""The program's own options, and `scree plugins` in all its forms.

usage: test_plugins.py SCREE PLUGIN.so    (PLUGIN: force/minimal)
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

import runs
import tap

SCREE, PLUGIN = (pathlib.Path(a).resolve() for a in sys.argv[1:3])


def scree(top, *args, **more):
    return runs.scree(top, *args, env=runs.environment(XDG_DATA_HOME=str(top / "data"), **more))


def abi(top):
    return "abi-" + re.search(r"ABI (\d+\.\d+)", scree(top, "--version").stdout)[1]


def place(folder):
    folder.mkdir(parents=True)
    target = folder / "minimal.so"
    shutil.copyfile(PLUGIN, target)
    target.chmod(0o644)
    return target


def expect(claim, result, status, out="", err=""):
    """Words that must be on standard output and error; an empty one asks for nothing there."""
    holds = (result.returncode == status and (out in result.stdout if out else not result.stdout)
             and (err in result.stderr if err else not result.stderr))
    tap.check(claim, holds, result)


def test_program(top):
    expect("no command shows the help, as a mistake", scree(top), 2, err="usage: scree [OPTIONS] COMMAND")
    expect("--help shows the help", scree(top, "--help"), 0, out="usage: scree [OPTIONS] COMMAND")
    expect("--version names version and ABI", scree(top, "--version"), 0, out="(plugin ABI 0.3)")
    expect("an unknown command names the nearest", scree(top, "plugin"), 2,
           err='expected a command, got "plugin"; did you mean "plugins"?')
    expect("an unknown option is refused", scree(top, "--plug"), 2, err='expected an option or a command, got "--plug"')
    expect("a missing folder is refused", scree(top, "plugins", "--plugin-path", "no"), 2,
           err="--plugin-path no: no such folder")
    expect("a missing trusted file is refused", scree(top, "--trust", "no", "plugins"), 2,
           err="--trust no: no such file")
    expect("a command has its own help", scree(top, "plugins", "--help"), 0,
           out="[KIND | KIND/ID | FILE.so | scene | scene/GROUP]")
    expect("an unknown option of a command names the nearest", scree(top, "plugins", "--jsn"), 2,
           err='scree plugins: expected an option, got "--jsn"; did you mean "--json"? (see scree plugins --help)')
    expect("an unknown option has no value in its hint", scree(top, "plugins", "--plugin-paht=no"), 2,
           err='expected an option, got "--plugin-paht"; did you mean "--plugin-path"?')
    expect("an unknown letter is refused", scree(top, "plugins", "-z"), 2, err="-z")
    expect("two arguments are refused", scree(top, "plugins", "gcd", "force"), 2, err='"force"')


def test_search(top):
    named, first = place(top / "named/force"), place(top / "first/force")
    env, user = place(top / "env/force"), place(top / f"data/scree/plugins/{abi(top)}/force")
    order = [named, env, user]
    paths = {"SCREE_PLUGIN_PATH": f"{top / 'env'}:{top / 'missing'}"}
    for n, want in enumerate(order):
        args = ["--plugin-path", top / "named"] if n == 0 else []
        more = paths if n < 2 else {}
        result = scree(top, *args, "plugins", "force/minimal", **more)
        expect(f"place {n + 1} of the search path is searched in its turn", result, 0,
               out=f"file      {want}\n")
    result = scree(top, "plugins", "--plugin-path", "first", "force/minimal", "--plugin-path=named")
    expect("options of every command may be anywhere, the first folder wins", result, 0,
           out=f"file      {first}\n")


def test_list(top):
    path = place(top / "list/force")
    result = scree(top, "plugins", "--plugin-path", "list")
    lines = [x for x in result.stdout.splitlines() if "force/minimal" in x and str(path) in x]
    tap.check("the list has one line with version, help, file", result.returncode == 0
              and len(lines) == 1 and "1.0.0" in lines[0] and "no force at all" in lines[0], result)
    result = scree(top, "plugins", "--plugin-path", "list", "gcd")
    tap.check("a kind shows only its own", result.returncode == 0
              and "force/minimal" not in result.stdout, result)
    expect("an unknown kind names the nearest", scree(top, "plugins", "forces"), 2,
           err='got "forces"; did you mean "force"?')
    result = scree(top, "plugins", "--plugin-path", "list", "force/minimul")
    expect("an unknown id names the nearest", result, 2,
           err='no plugin force/minimul; did you mean "force/minimal"?')
    listing = json.loads(scree(top, "plugins", "--plugin-path", "list", "--json").stdout)
    found = [p for p in listing["plugins"] if p["file"] == str(path)]
    tap.check("--json lists the same", len(found) == 1 and found[0]["kind"] == "force"
              and found[0]["id"] == "minimal" and found[0]["refused"] is None, listing)


def test_host_keys(top):
    """`scree plugins scene`: the keys that the host reads itself."""
    guard = scree(top, "plugins", "scene/guard")
    tap.check("scene/GROUP prints the keys of a group that the host reads", guard.returncode == 0
              and guard.stdout.startswith("guard: ") and "  every: integer, >= 0; default 100\n" in guard.stdout, guard)
    groups = json.loads(scree(top, "plugins", "scene", "--json").stdout)["groups"]
    live = {p["name"] for g in groups for p in g["parameters"] if "live" in p["flags"]}
    tap.check("scene --json has all groups, and says which keys may change in a run", len(groups) > 20
              and live == {"dt", "gravity", "region", "boundary"}, live)
    expect("an unknown group names the nearest", scree(top, "plugins", "scene/gard"), 2,
           err='no group "gard" of a scene; did you mean "guard"?')
    expect("one that is like none lists all", scree(top, "plugins", "scene/foo"), 2,
           err='no group "foo" of a scene; expected one of top, scene, region, ')
    expect("a group is not a template", scree(top, "plugins", "scene/guard", "--template"), 2,
           err="--template: expected KIND/ID or FILE.so, got scene/guard")



def test_page(top):
    path = place(top / "page/force")
    result = scree(top, "plugins", path)
    page = result.stdout
    tap.check("the page shows type, unit, range, default, meaning", result.returncode == 0
              and "knob: real [N/m], >= 0, <= 10; default 1.0\n      turns nothing\n" in page, page)
    for flag, of in (("--template", "FILE.so"), ("--json", "FILE.so")):
        tap.check(f"{flag} works on {of}", scree(top, "plugins", path, flag).returncode == 0)
    result = scree(top, "plugins", "--plugin-path", "page", "force/minimal", "--json")
    data = json.loads(result.stdout)
    tap.check("--json holds the parameter with its numbers",
              data["parameters"][0] == {"name": "knob", "type": "real", "unit": "N/m",
                                        "help": "turns nothing", "flags": [], "default": 1,
                                        "min": 0, "max": 10, "min_open": False, "max_open": False},
              data)
    digest = subprocess.run(["sha256sum", path], text=True, capture_output=True).stdout.split()[0]
    tap.check("--json holds the file's SHA-256", data["sha256"] == digest, data)
    result = scree(top, "plugins", "--plugin-path", "page", "force/minimal", "--template")
    expect("--template prints a block for a scene", result, 0, out=(
        '# force/minimal 1.0.0: no force at all\nforce = (\n    {\n        plugin = "minimal";\n'
        '        # turns nothing (real [N/m], >= 0, <= 10)\n        # knob = 1.0;\n    }\n);\n'))
    expect("--template wants one plugin", scree(top, "plugins", "--template"), 2, err="--template")

# A key that gives groups a role besides "the bodies that this plugin is about".
ROLES = {("modifier/servo", "across"), ("observer/mixing", "tracers")}


def test_groups(top):
    """One word for the bodies that a plugin is about: groups, a list of names."""
    found = {}
    for kind in ("observer", "modifier"):
        for one in json.loads(scree(top, "plugins", kind, "--json").stdout)["plugins"]:
            name = f"{one['kind']}/{one['id']}"
            page = json.loads(scree(top, "plugins", name, "--json").stdout)
            found.update({(name, p["name"]): p["type"] for p in page["parameters"] if "groups" in p["flags"]})
    tap.check("a key that names groups of bodies is called groups, or has a role", len(found) >= 14
              and {key for key in found if key[1] != "groups"} == ROLES, found)
    tap.check("it is a list of names", set(found.values()) == {"strings"}, found)


tap.in_folders(test_program, test_search, test_list, test_page, test_host_keys, test_groups)
