# SPDX-License-Identifier: Apache-2.0
"""The structs of the ABI headers: their names and members, read from the text.

usage: layout.py --check TABLE HEADER...                    TAP: the table has all structs, all members
       layout.py --write TABLE CC INCLUDE_DIRS(:) HEADER... pins again (`ninja pin-layout`)
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests"), str(TOP / "abi")]
import read  # noqa: E402
import tap  # noqa: E402


def structs_of(header):
    """[(struct, [member])] in the order of the file."""
    return [(name, [member for member, _ in members]) for name, members in read.read([header]).structs.items()]


def check(table, headers):
    lines = pathlib.Path(table).read_text()
    for header in headers:
        for name, members in structs_of(header):
            pinned = re.findall(rf"^MEMBER\({name}, (\w+), \d+\)$", lines, flags=re.M)
            size = re.search(rf"^SIZE\({name}, \d+\)$", lines, flags=re.M)
            tap.check(f"the table pins all of {name}", size and pinned == members,
                      f"table: {pinned}\nheader: {members}")
    count = sum(len(structs_of(h)) for h in headers)
    tap.check("the table pins nothing else", lines.count("\nSIZE(") == count)


def write(table, compiler, includes, headers):
    rows = []
    for header in headers:
        for name, members in structs_of(header):
            rows.append(f'printf("SIZE({name}, %zu)\\n", sizeof({name}));')
            rows += [f'printf("MEMBER({name}, {m}, %zu)\\n", offsetof({name}, {m}));'
                     for m in members]
    source = ('#include <stdio.h>\n#include "scree/scree.h"\nint main(void) {\n'
              + "\n".join(rows) + "\nreturn 0; }\n")
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/layout"
        subprocess.run([*shlex.split(compiler), "-x", "c", *(f"-I{d}" for d in includes.split(":")),
                        "-o", program, "-"], input=source, text=True, check=True)
        rows = subprocess.run([program], text=True, check=True, capture_output=True).stdout
    pathlib.Path(table).write_text(
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Size [bytes] and offsets of every struct of the ABI; written by `ninja pin-layout`. */\n"
        + rows)


if sys.argv[1] == "--write":
    write(*sys.argv[2:5], sys.argv[5:])
else:
    tap.finish(lambda: check(sys.argv[2], sys.argv[3:]))
