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

from gcd_claims import rows_of, three

FRACTIONS, SIZES = (0.05, 0.3), (10 ** 4, 10 ** 5, 10 ** 6)

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


def measure(scree, most, rounds, more):
    """Rows of the page: the least of some rounds, because other programs share the machine. `more`: of each row."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        empty = min(seconds(scree, place, "plugin", 1, 0.01) for _ in range(rounds))
        for fraction in FRACTIONS:
            for n in SIZES:
                if n <= most:
                    took = min(seconds(scree, place, "plugin", n, fraction) for _ in range(rounds))
                    rows.append({"bodies": n, "fraction": fraction, "us": f"{1e6 * (took - empty) / n:.2f}", **more})
    return rows


def table(rows):
    """Cells of the page: a row for each number of bodies."""
    cells = [["balls", *(f"fraction {fraction}" for fraction in FRACTIONS), "ratio"]]
    for n in SIZES:
        us = [float(row["us"]) for fraction in FRACTIONS for row in rows
              if int(row["bodies"]) == n and float(row["fraction"]) == fraction]
        cells.append([f"{n:,}".replace(",", " "), *(three(value) for value in us), three(us[-1] / us[0])])
    return rows_of(cells)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("scree", nargs="+", help="this build, and another one")
    options.add_argument("--most", type=int, default=1000000, help="bodies at most")
    given = options.parse_args()
    programs = [(str(pathlib.Path(path).resolve()), "method" if i else "plugin") for i, path in enumerate(given.scree)]
    print("bodies   fraction  " + "  ".join(f"us per body, {'other' if i else 'this'}" for i in range(len(programs))))
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for fraction in FRACTIONS:
            for n in (size for size in SIZES if size <= given.most):
                cells = [1e6 * (seconds(scree, place, word, n, fraction) - seconds(scree, place, word, 1, 0.01)) / n
                         for scree, word in programs]
                print(f"{n:<8} {fraction:<8}  " + "  ".join(f"{cell:16.2f}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
