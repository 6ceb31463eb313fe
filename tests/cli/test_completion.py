# SPDX-License-Identifier: Apache-2.0
"""Words that bash offers at <TAB> behind `scree`.

usage: test_completion.py SCREE COMPLETION
"""
import json
import pathlib
import shutil
import sys

import tap
from runs import PROGRAM, call, environment, scree

COMPLETION = pathlib.Path(sys.argv[2]).resolve()
SCRIPT = """source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; COMP_WORDS=(scree)
_scree; [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""
SCENE = """base = "under.cfg"; # a comment with { and "
gcd = { plugin = "dess"; sort = "heap"; };
force = ( { plugin = "linear"; kn = 1e3; }, { plugin = "van_der_waals"; } );
observers = { table = { plugin = "csv"; }; };
generate = { beads = { plugin = "random"; region = { min = (0, 0, 0
"""


def offered(top, line, path=None):
    env = environment(PATH=f"{path or PROGRAM.parent}:/usr/local/bin:/usr/bin:/bin")
    seen = call(top, "bash", "--norc", "-c", SCRIPT, "bash", COMPLETION, line, env=env)
    return seen.stdout.splitlines() if seen.returncode == 0 and not seen.stderr else [repr(seen)]


def keys_of(top, kind, plugin):
    return {row["name"] for row in json.loads(scree(top, "plugins", f"{kind}/{plugin}", "--json").stdout)["parameters"]}


def test_words(top):
    (top / "mine.cfg").write_text(SCENE)
    (top / "minor").mkdir()
    (top / "mind.txt").write_text("")
    for line, want in (("scree ru", ["run "]), ("scree run --res", ["--restart="]), ("scree run --js", ["--json "]),
                       ("scree run hopp", ["hopper "]), ("scree validate mi", ["mine.cfg ", "minor/"]),
                       ("scree plugins gcd/dess_s", ["gcd/dess_stripe "]), ("scree new inte", ["integrator "]),
                       ("scree new scene x --like hop", ["hopper "]), ("scree run -o mind", ["mind.txt "]), ("scree nonsense -", [])):
        got = offered(top, line)
        tap.check(f"{line}<TAB> offers {', '.join(want) or 'nothing'}", got == want, got)


def test_keys(top):
    (top / "under.cfg").write_text("scene = { dt = 1e-5; }; observers = { film = { plugin = \"image\"; }; };")
    (top / "mine.cfg").write_text(SCENE)
    got = set(offered(top, "scree run mine.cfg --set gcd."))
    tap.check("--set gcd.<TAB> has the keys of the plugin of the scene", got == {f"gcd.{key}=" for key in keys_of(top, "gcd", "dess") | {"plugin"}}
              and "gcd.sort=" in got, got)
    got = set(offered(top, "scree run mine.cfg --set gcd.plugin=bvh --set gcd."))
    tap.check("an override before it counts", got == {f"gcd.{key}=" for key in keys_of(top, "gcd", "bvh") | {"plugin"}}, got)
    (top / "bare.cfg").write_text("scene = { dt = 1e-5; };")
    got = set(offered(top, "scree run bare.cfg --set gcd."))
    keys = json.loads(scree(top, "plugins", "scene", "--json").stdout)["groups"][0]["parameters"]
    (default,) = [key["help"].split("; ")[1].split()[0] for key in keys if key["name"] == "gcd"]  # "contact detection; NAME unless given"
    want = {f"gcd.{key}" for key in keys_of(top, "gcd", default)}
    tap.check("without a plugin it has those of the default", want and want <= {key.rstrip("=.") for key in got}, (want, got))
    got = set(offered(top, "scree run mine.cfg --set force.1."))
    tap.check("a law of a list has its own", {f"force.1.{key}=" for key in keys_of(top, "force", "van_der_waals")} <= got
              and "force.1.kn=" not in got, got)
    for line, want in (("scree run mine.cfg --set observers.", {"observers.table.", "observers.film."}),
                       ("scree run mine.cfg --set observers.film.fra", {"observers.film.frame_rate="}),
                       ("scree run mine.cfg --set generate.beads.reg", {"generate.beads.region."}),
                       ("scree run mine.cfg --set scene.dt_f", {"scene.dt_fraction="}), ("scree run --set=mine", set()),
                       ("scree run mine.cfg --set gcd.sort=", {"insertion ", "heap "}),
                       ("scree run mine.cfg --set=gcd.sort=h", {"heap "}),
                       ("scree compare mine.cfg --vary gcd.plugin=grid,dess_", {"grid,dess_rtree ", "grid,dess_stripe "})):
        got = set(offered(top, line))
        tap.check(f"{line}<TAB> offers {', '.join(sorted(want)) or 'nothing'}", got == want, got)


def test_installed(top):
    """The completion of a prefix takes its program, index and scenes, also below a link on PATH."""
    prefix = top / "prefix"
    for folder in ("bin", "libexec/scree", "share/scree/configs"):
        (prefix / folder).mkdir(parents=True)
    (prefix / "bin/scree").write_text(f'#!/bin/sh\nexec {PROGRAM} "$@"\n')
    (prefix / "bin/scree").chmod(0o755)
    shutil.copy(COMPLETION.with_name("scree-complete"), prefix / "libexec/scree")
    (prefix / "share/scree/configs/own.cfg").write_text("gcd = { plugin = \"odd\"; };")
    plugins = prefix / "lib/x86_64-linux-gnu/scree/plugins"
    plugins.mkdir(parents=True)
    (plugins / "plugins.json").write_text('{"plugins": [{"kind": "gcd", "id": "odd", "parameters": [{"name": "yes", "type": "bool"}]}]}')
    (top / "link").mkdir()
    (top / "link/scree").symlink_to(prefix / "bin/scree")
    got = [offered(top, line, top / "link") for line in ("scree run o", "scree run own --set gcd.y", "scree run own --set gcd.yes=")]
    tap.check("an installation has its own scenes, keys and values", got == [["own "], ["gcd.yes="], ["true ", "false "]], got)


tap.in_folders(test_words, test_keys, test_installed)
