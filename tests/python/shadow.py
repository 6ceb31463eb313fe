# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the program: it runs it, and opens each scene that it refuses in Python, too. test_same_errors.py gives
tests of the command line this program, and reads the log.

usage: shadow.py PACKAGE LOG SCREE WORD...
"""
import json
import os
import re
import subprocess
import sys

PACKAGE, LOG, SCREE, *WORDS = sys.argv[1:]
PLACE = re.compile(r"[^\n]+?:\d+: ")


def take_options(words):
    """(scene, overrides, folders of plugins) of `run` and `validate`, or None: it has other words than these."""
    scene, sets, paths, k = None, [], [], 0
    while k < len(words):
        word = words[k]
        name, _, value = word.partition("=")
        if name in ("--set", "--plugin-path"):
            k += not value
            (sets if name == "--set" else paths).append(value or words[k])
        elif name in ("--steps", "--threads", "-o", "--output", "--for", "--until"):
            k += not value
        elif not word.startswith("-"):
            scene = word
        elif word not in ("-q", "--json", "--print", "--time", "--quiet"):
            return None
        k += 1
    return (scene, sets, paths) if scene else None


def problems_of(stderr):
    """The text of the error that the program prints last."""
    lines = stderr.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("scree: ") and not re.match(r"scree: (note|warning): ", line)]
    return "\n".join(lines[starts[0]:])[len("scree: "):] if starts else ""


def compare(text, given):
    sys.path.insert(0, PACKAGE)
    import scree
    scene, sets, paths = given
    try:
        scree.open(scene, set=sets, plugin_path=paths or None, folder="shadow").close()
        return {"seen": "no error"}
    except scree.SceneError as error:
        placed = [p for p in error.problems if p.line is not None]
        wanted = len(re.findall(r"^(?! )" + PLACE.pattern, text, re.M))
        return {"same": str(error) == text, "seen": str(error), "wanted": wanted, "placed": len(placed), "paths": sum(p.path is not None for p in placed)}
    except scree.Error as error:
        return {"seen": f"{type(error).__name__}: {error}"}


def main():
    words = [word for word in WORDS if word != "--no-parent"]
    command = next((word for word in words if not word.startswith("-")), "")
    if command not in ("run", "validate"):
        os.execv(SCREE, [SCREE, *WORDS])
    done = subprocess.run([SCREE, *WORDS], stderr=subprocess.PIPE, check=False)
    sys.stderr.buffer.write(done.stderr)
    sys.stderr.flush()
    text = problems_of(done.stderr.decode(errors="replace"))
    given = take_options([word for word in words if word != command])
    if done.returncode == 2 and given and PLACE.match(text):
        with open(LOG, "a", encoding="utf-8") as log:
            log.write(json.dumps({"words": WORDS, "text": text, **compare(text, given)}) + "\n")
    sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)


main()
