# SPDX-License-Identifier: Apache-2.0
"""The digest of the headers follows their declarations, not their looks.

usage: test_digest.py DIGEST_PY HEADER...
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import tap

DIGEST, HEADERS = sys.argv[1], [pathlib.Path(h) for h in sys.argv[2:]]


def digest_of(texts, folder):
    for name, text in texts.items():
        (folder / name).write_text(text)
    output = folder / "digest.h.out"
    subprocess.run([sys.executable, DIGEST, *(str(folder / n) for n in texts), str(output)],
                   check=True)
    return re.search(r'SCREE_ABI_DIGEST "([0-9a-f]{64})"', output.read_text())[1]


def replace_once(texts, name, old, new):
    assert texts[name].count(old) == 1, (name, old, texts[name].count(old))
    return {**texts, name: texts[name].replace(old, new)}


def run():
    texts = {h.name: h.read_text() for h in HEADERS}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        base = digest_of(texts, folder)
        same = {
            "other comments": {n: re.sub(r"/\*.*?\*/", "/* else */ // and else", t, flags=re.S)
                               for n, t in texts.items() if n != "abi.h"} | {
                                   "abi.h": texts["abi.h"]},
            "other indents": {n: t.replace("    ", "\t") for n, t in texts.items()},
            "other blanks": {n: re.sub(r" \*(?!/)", "  * ", t).replace(",", " ,")
                             for n, t in texts.items()},
            "blank lines": {n: t.replace(";\n", ";\n\n") for n, t in texts.items()},
            "another order of files": dict(reversed(texts.items())),
        }
        for what, changed in same.items():
            tap.check(f"{what} keep the digest", digest_of(changed, folder) == base)
        other = {
            "a member's type": ("types.h", "uint32_t a, b;", "uint64_t a, b;"),
            "a member's name": ("types.h", "uint32_t a, b;", "uint32_t a, c;"),
            "the order of members": ("types.h", "uint32_t a, b;", "uint32_t b, a;"),
            "the value of a constant": ("params.h", "#define SCREE_ZONE_BALL 2u",
                                        "#define SCREE_ZONE_BALL 4u"),
            "a word in a string": ("host.h", '"scree.output/1"\n', '"scree.output/2"\n'),
            "what two slashes in a string hide": ("host.h", '"scree.output/1"\n',
                                                  '"scree.output//1"\n'),
            "a parameter of a function": ("gcd.h", "uint32_t n_moved, uint64_t *n_pivots",
                                          "uint32_t n_moved, uint32_t *n_pivots"),
        }
        for what, change in other.items():
            tap.check(f"{what} changes the digest",
                      digest_of(replace_once(texts, *change), folder) != base)


tap.finish(run)
