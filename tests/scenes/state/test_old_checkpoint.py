# SPDX-License-Identifier: Apache-2.0
"""A checkpoint of the program before kind source (commit 73af39e) goes on, to the state that that program came to.

usage: test_old_checkpoint.py SCREE

before-sources.h5.gz: step 2000 of 3000 of 20 balls that fall on a plane, among periodic sides, with friction. The scene
is in it, with method = "random". END is the state_sha256 that the old program printed after step 3000.
"""
import gzip
import json
import pathlib

import tap
from runs import scree

OLD = pathlib.Path(__file__).with_name("before-sources.h5.gz")
END = "321d45c80d35352136577a108629e053dffb4bdfb5c4ba386d8df48bbe93b0ae"


def run(top):
    (top / "old.h5").write_bytes(gzip.decompress(OLD.read_bytes()))
    seen = scree(top, "run", "--restart=old.h5", "--allow-plugin-change", "--set", 'force.0.sliding="total"',
                 "--steps=1000", "-q", "--json", "-o", "out")
    tap.check("an old checkpoint is read and goes on", seen.returncode == 0, f"{seen.returncode}: {seen.stderr}")
    end = json.loads(seen.stdout)
    tap.check("it comes to the state of the old program", end["state_sha256"] == END, end["state_sha256"])
    tap.check("a note says the word for its generator", 'plugin = "random"; is the word for method' in seen.stderr, seen.stderr)
    tap.check("its bodies are not generated again", end["bodies"] == 21 and end["contacts_at_end"] == 12, seen.stdout)


tap.in_folder(run)
