# SPDX-License-Identifier: Apache-2.0
"""Keys of a scene in a wrong group, and --set with +=.

usage: test_keys.py SCREE
"""
import json
import pathlib
import sys

import tap
from runs import scree

SCENE = """scene = { dt = 1.0e-5; steps = 20; %s };
materials = { m = { density = 2500.0; %s }; };
bodies = { a = { radius = 0.001; position = (0.0, 0.0, 0.0); }; b = { radius = 0.001; position = (0.0, 0.0, 0.00199); }; };
force = ( { plugin = "linear"; kn = 100.0; } );
guard = { %s };
%s
"""
# Groups that are described by their place: the others are `NAME (help)`.
PLACES = {"top": "the top level"} | dict.fromkeys(("scene", "query", "extent", "renumber", "guard", "checkpoint"), "the group `%s`") \
    | dict.fromkeys(("materials", "bodies", "generate"), "each group of `%s`") \
    | dict.fromkeys(("force", "stop", "schedule"), "each element of `%s`")


def refused(top, *places):
    (top / "s.cfg").write_text(SCENE % places)
    return scree(top, "validate", "s.cfg")


def homes(groups):
    """Where each key of the host belongs, by `scree plugins scene --json`; `set` repeats keys of others."""
    found = {}
    for group in groups:
        place = PLACES.get(group["name"], f"`{group['name']}` ({group['help']})")
        for row in group["parameters"] if not group["name"].startswith("set") else ():
            found.setdefault(row["name"], {})[place % group["name"] if "%s" in place else place] = group["name"]
    return found


def test_homes(top):
    groups = json.loads(scree(top, "plugins", "scene", "--json").stdout)["groups"]
    known = homes(groups)
    at_top = {row["name"] for group in groups if group["name"] == "top" for row in group["parameters"]}
    loose = sorted(set(known) - at_top)
    wrong, alone = [], 0
    for start in range(0, len(loose), 40):  # at most 200 messages are printed
        keys = loose[start:start + 40]
        seen = refused(top, "", "", "", "".join(f"{key} = 1;\n" for key in keys))
        for key in keys:
            line = next((one for one in seen.stderr.splitlines() if f": {key}: unknown key" in one), "")
            if "did you mean" in line:
                continue
            places = known[key]
            alone += len(places) == 1
            fits = all(place in line for place in places) and ("known here" in line) == (len(places) > 1) and "s.cfg:" in line
            wrong += [] if fits else [(key, places, line)]
    tap.check("each key of the host at the top level names the groups to which it belongs", not wrong and alone > 30,
              (wrong, alone))
    seen = refused(top, "", "", "", "dt = 1e-5;")
    tap.check("dt at the top level belongs to scene", seen.returncode == 2
              and "s.cfg:6: dt: unknown key; it belongs to the group `scene`\n" in seen.stderr, seen)
    seen = refused(top, "", "", "gravity = (0.0, 0.0, 1.0);", "")
    tap.check("gravity in guard belongs to scene",
              "guard.gravity: unknown key; it belongs to the group `scene`\n" in seen.stderr, seen)
    seen = refused(top, "sample = 3;", "steps = 10;", "", "")
    tap.check("so do keys in a material, and a key of guard in scene",
              "scene.sample: unknown key; it belongs to the group `guard`\n" in seen.stderr
              and "materials.m.steps: no installed plugin knows this material key; it belongs to the group `scene`\n"
              in seen.stderr, seen)
    seen = refused(top, "", "", "evry = 2;", "")
    tap.check("a misspelt key names the nearest one as before", 'guard.evry: unknown key; did you mean "every"?' in seen.stderr, seen)
    seen = refused(top, "", "", "", "zzz = 2;")
    tap.check("a key of no group lists what is known", "zzz: unknown key; known here: base, bodies" in seen.stderr
              and "belongs" not in seen.stderr, seen)


def test_append(top):
    (top / "s.cfg").write_text(SCENE % ("", "", "", ""))
    law = 'force+={ plugin = "van_der_waals"; hamaker = 1e-20; }'
    full = 'force=({ plugin = "linear"; kn = 100.0; }, { plugin = "van_der_waals"; hamaker = 1e-20; })'
    states = [json.loads(scree(top, "run", "s.cfg", "-q", "--json", *words).stdout or "{}").get("state_sha256")
              for words in (("--set", law, "-o", "one"), ("--set", full), ())]
    tap.check("force+= adds a law: the run is that of the whole list", states[0] == states[1] != states[2] and states[0], states)
    again = scree(top, "run", "--repeat", "one/manifest.json", "-q")
    tap.check("a repeated run adds it once", again.returncode == 0 and states[0] in again.stdout, again)
    seen = scree(top, "run", "s.cfg", "-q", "--json", "--set", 'schedule+={ at_step = 5; set = { scene = { dt = 2e-5; }; }; }',
                 "--set", 'schedule+={ at_step = 10; set = { scene = { dt = 1e-5; }; }; }')
    tap.check("a list that the scene does not have begins with the element", seen.returncode == 0
              and abs(json.loads(seen.stdout)["time"] - 25e-5) < 1e-12, seen)
    for path, got in (("scene.dt", "1e-05"), ("guard", "a group"), ("materials.m.density", "2500")):
        seen = scree(top, "run", "s.cfg", "--set", f"{path}+=1")
        tap.check(f"{path} is not a list: refused with what it is", seen.returncode == 2
                  and f"--set {path}+=1: += adds to a list: expected {path} = ( .. ), got {got}" in seen.stderr, seen)
    vary = 'force+={ plugin = "van_der_waals"; hamaker = 1e-20; },{ plugin = "van_der_waals"; hamaker = 2e-20; }'
    for words in (("--vary", vary), ("--variant", "weak", law, "--variant", "strong", law.replace("1e-20", "2e-20"))):
        seen = scree(top, "compare", "s.cfg", "--steps", 4, "--warmup", 1, "--repeats", 1, "-q", "--json", *words)
        found = json.loads(seen.stdout or '{"variants": []}')["variants"]
        tap.check(f"compare {words[0]} adds to a list, too", seen.returncode == 0 and len(found) == 2
                  and len({v["state_sha256"] for v in found}) == 2, seen)


SCREE = pathlib.Path(sys.argv[1]).resolve()
tap.in_folders(test_homes, test_append)
