# SPDX-License-Identifier: Apache-2.0
"""./bootstrap run builds the plugins that its scene uses; ninja by itself builds the product.

usage: test_first_run.py SCREE SCENE BUILD KIND/ID...     the plugins of target first-run
"""
import json
import pathlib
import re
import sys
import tempfile

import tap
from runs import scree

SCREE, SCENE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
BUILT = set(sys.argv[4:])


def run():
    with tempfile.TemporaryDirectory() as top:
        done = scree(top, "run", SCENE, "--steps", "1", "--json", "-q")
        used = {f"{p['kind']}/{p['id']}" for p in json.loads(done.stdout)["plugins"]} if done.returncode == 0 else set()
        tap.check("target first-run has exactly the plugins that its scene uses", used == BUILT,
                  (sorted(used - BUILT), sorted(BUILT - used), done))
    default = re.findall(r"^default (.*)$", (BUILD / "build.ninja").read_text(encoding="utf-8"), re.M)
    tap.check("ninja without a name builds the product", default == ["product"], default)


tap.finish(run)
