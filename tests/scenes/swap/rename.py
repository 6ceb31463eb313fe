# SPDX-License-Identifier: Apache-2.0
"""The source of a plugin once more, under the id ID_copy.

usage: rename.py SOURCE ID OUT
"""
import pathlib
import sys

source, name, out = sys.argv[1:]
text = pathlib.Path(source).read_text(encoding="utf-8")
key = f'.id = "{name}"'
if text.count(key) != 1:
    sys.exit(f"{source}: {key} is there {text.count(key)} times")
pathlib.Path(out).write_text(text.replace(key, f'.id = "{name}_copy"'), encoding="utf-8")
