#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Table 3.4 of O'Connor 1996 by several makes of dfr3d_bench: gcc and clang, -O2 and -O3, each twice. Prints the ranges.

usage: dfr3d_makes.py BUILD [MILLISECONDS]     (BUILD has dfr3d_bench; 10 ms of CPU time for each figure unless given)
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SHOWN = (8, 104, 536, 1304, 2312)  # facets
FIGURES = ("ns", "times one product", "times as printed")


def compiled(build, compiler, level, top):
    """dfr3d_bench by this compiler and level, with the other options of the build."""
    said = subprocess.run(["ninja", "-C", str(build), "-t", "commands", "tests/bench/dfr3d_bench"], text=True, capture_output=True, check=True).stdout
    objects = []
    for line in said.splitlines():
        words = [word for word in shlex.split(line) if word != "ccache"]
        if "-c" not in words or "dfr3d" not in line:
            continue
        objects.append(f"{top}/{len(objects)}.o")
        options = [word for word in words[1:words.index("-MD")] if not re.fullmatch(r"-O\w|-fdiagnostics.*|-Winvalid-pch", word)]
        options = [word for word in options if compiler != "clang" or word != "-fno-tree-vectorize"] + ["-fno-vectorize", "-fno-slp-vectorize"] * (compiler == "clang")
        subprocess.run([compiler, *options, level, "-o", objects[-1], "-c", words[-1]], cwd=build, check=True)
    subprocess.run([compiler, "-o", f"{top}/bench", *objects, "-lm"], check=True)
    return f"{top}/bench"


def figures(program, milliseconds):
    """{(facets, set): (ns, times one product, times as printed)}."""
    said = subprocess.run([program, milliseconds], text=True, capture_output=True, check=True).stdout
    rows = [line[2:].split("\t") for line in said.splitlines() if re.match(r"# \d+\t[a-z]", line)]
    return {(int(row[0]), row[1]): (float(row[2]), float(row[5]), float(row[6])) for row in rows}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, found = pathlib.Path(sys.argv[1]).resolve(), {}
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for level in ("-O2", "-O3"):
            with tempfile.TemporaryDirectory() as top:
                program = compiled(build, compiler, level, top)
                for _ in range(2):
                    for key, values in figures(program, sys.argv[2] if len(sys.argv) > 2 else "10").items():
                        found.setdefault(key, {}).setdefault(f"{compiler} {level}", []).append(values)
    print("facets\tpoints\t" + "\t".join(FIGURES) + "\tby make, as printed")
    for (facets, where), makes in found.items():
        if facets in SHOWN:
            every = [values for one in makes.values() for values in one]
            ranges = [f"{min(v[k] for v in every):g} to {max(v[k] for v in every):g}" for k in range(3)]
            print(facets, where, *ranges, "; ".join(f"{name} {', '.join(f'{v[2]:g}' for v in one)}" for name, one in makes.items()), sep="\t", flush=True)


if __name__ == "__main__":
    main()
