#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of docs/gallery.md again, by the commands that it shows.

usage: gallery.py BUILD [NAME...]     (NAME: of docs/images/NAME.png; all without)
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    page = (HERE / "gallery.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh(?: not-run)?\n(.*?)^```$", page, re.M | re.S)
    made = {name: block for block in blocks for name in re.findall(r"docs/images/([\w-]+)\.png$", block, re.M)}
    if set(names) - set(made):
        sys.exit(f"gallery.py: expected some of {', '.join(made)}, got {', '.join(names)}")
    for block in dict.fromkeys(made[name] for name in names or made):
        with tempfile.TemporaryDirectory() as top:
            for folder, target in (("build", build), ("configs", HERE.parent / "configs"), ("docs", HERE)):
                (pathlib.Path(top) / folder).symlink_to(target)
            subprocess.run(["bash", "-e", "-c", block], cwd=top, check=True, stdout=subprocess.DEVNULL)
    for name in names or made:
        size = (HERE / f"images/{name}.png").stat().st_size
        print(f"docs/images/{name}.png: {size / 1000:.0f} kB" + (", more than 200 kB" if size > 200000 else ""))


main()
