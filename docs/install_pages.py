#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites installed pages for an installation: `meson install` runs it after it has copied them.

usage: install_pages.py SOURCE PLACE=DIR...

PLACE is a file or folder of the sources, DIR where it is installed (relative to the prefix, or absolute). A page keeps
each link whose target is installed, and shows only the text of any other link. Its commands call `scree` on PATH
instead of build/core/scree, its blocks name the installed scenes, and each file of contrib/ has its installed path. Lines that name tests/ are about the sources:
they stay.
"""
import os
import pathlib
import re
import sys

LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^][]*)\]\((?!https?:)(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
COMMANDS = ((r"\bbuild/core/scree ", "scree "), (r"\bman docs/scree\.1", "man scree"),
            (r"\bbuild/plugins/(?=\w+/)", "$(pkg-config --variable=plugindir scree)/"))
CONTRIB = re.compile(r"(?:\$PWD/|(?<![\w/.(-]))contrib/[\w./-]*\w")
SCENES = re.compile(r"(?:\.\./)?\bconfigs/(?=[\w/-]+\.cfg)")


def installed(path, places):
    """Where a path of the sources is installed; None: it is not."""
    for place, folder in places.items():
        if path == place or place in path.parents:
            target = folder / path.relative_to(place)
            return target if target.exists() else None
    return None


def rewrite(text, page, places, scenes, source, stage):
    """The text of a page of the sources as an installation shows it, whose scenes are in the folder `scenes`."""
    here = installed(page, places).parent

    def link(match):
        target = installed(pathlib.Path(os.path.normpath(page.parent / match["target"])), places)
        if target is None:
            return match["text"]
        return f"{match['image']}[{match['text']}]({os.path.relpath(target, here)}{match['anchor'] or ''})"

    def name(match):
        target = installed(source / match[0].replace("$PWD/", ""), places)
        return match[0] if target is None else str(target)[len(stage):]

    lines, in_block = [], False
    for line in LINK.sub(link, text).splitlines(keepends=True):
        in_block ^= line.startswith("```")
        if "tests/" not in line:
            for old, new in COMMANDS:
                line = re.sub(old, new, line)
            line = CONTRIB.sub(name, line)
            if in_block:
                line = SCENES.sub(f"{scenes}/", line)
        lines.append(line)
    return "".join(lines)


def main():
    source = pathlib.Path(sys.argv[1])
    prefix = pathlib.Path(os.environ["MESON_INSTALL_PREFIX"])
    stage = os.environ.get("DESTDIR", "")
    folders = {place: prefix / folder for place, folder in (pair.split("=", 1) for pair in sys.argv[2:])}
    places = {source / place: pathlib.Path(f"{stage}{folder}") for place, folder in folders.items()}
    for place in places:
        for page in sorted(place.rglob("*.md")):
            target = installed(page, places)
            if target:
                text = rewrite(page.read_text(encoding="utf-8"), page, places, folders["configs"], source, stage)
                target.write_text(text, encoding="utf-8")


main()
