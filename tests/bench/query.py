# SPDX-License-Identifier: Apache-2.0
"""Time per body of random placement, which asks scree.query/1: usage: query.py SCREE [OLD_SCREE] [--most N].

A scene of equal balls without a law is validated: it is read, its bodies are placed, and that is all. The time of
an empty scene is taken off. OLD_SCREE: another build, for comparison; it is given the old word, method = "random".
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

SCENE = """
scene = {{ dt = 1e-5; region = {{ min = (0, 0, 0); max = (1, 1, 1); }}; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
generate = {{ g = {{ {word} = "random"; count = {n}; radius = {radius:.17g}; }}; }};
"""


def seconds(scree, folder, word, n, fraction):
    """CPU time of the program."""
    radius = (fraction / max(n, 1) * 3 / 4 / 3.141592653589793) ** (1 / 3)
    scene = folder / "scene.cfg"
    scene.write_text(SCENE.format(word=word, n=max(n, 1), radius=radius))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seen = subprocess.run([scree, "validate", scene], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if seen.returncode:
        raise SystemExit(seen.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("scree", nargs="+", help="this build, and another one")
    options.add_argument("--most", type=int, default=1000000, help="bodies at most")
    given = options.parse_args()
    programs = [(str(pathlib.Path(path).resolve()), "method" if i else "plugin") for i, path in enumerate(given.scree)]
    print("bodies   fraction  " + "  ".join(f"us per body, {'other' if i else 'this'}" for i in range(len(programs))))
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for fraction in (0.05, 0.3):
            n = 10000
            while n <= given.most:
                cells = [1e6 * (seconds(scree, place, word, n, fraction) - seconds(scree, place, word, 1, 0.01)) / n
                         for scree, word in programs]
                print(f"{n:<8} {fraction:<8}  " + "  ".join(f"{cell:16.2f}" for cell in cells), flush=True)
                n *= 10


main()
