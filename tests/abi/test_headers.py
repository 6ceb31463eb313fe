# SPDX-License-Identifier: Apache-2.0
"""Each ABI header compiles alone, as C11 and as C++17, without a warning.

usage: test_headers.py INCLUDE_DIRS(:) CC CXX HEADER...    (CC, CXX: commands; CXX may be "")
"""
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

INCLUDES = [f"-I{d}" for d in sys.argv[1].split(":")]
CC, CXX, HEADERS = sys.argv[2], sys.argv[3], [pathlib.Path(h).name for h in sys.argv[4:]]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]

# ISO C forbids an empty unit, and digest.h declares nothing.
INCLUDE = '#include "scree/{}"\nextern int something;\n'

# The macros of the headers in use: what a plugin author in C++ meets first.
PLUGIN = """
#include "scree/sdk.h"
static const scree_plugin plugin = {};
SCREE_DEFINE_MANIFEST(&plugin);
const void *get(const scree_plugin *p);
const void *get(const scree_plugin *p) { return SCREE_HAS(p, get_extension) ? p->ops : nullptr; }
"""


def compile_text(compiler, language, standard, text):
    command = shlex.split(compiler) + ["-x", language, f"-std={standard}", *STRICT, *INCLUDES, "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True)


def run():
    for language, standard, compiler in (("c", "c11", CC), ("c++", "c++17", CXX)):
        if not compiler:
            tap.skip(f"the headers as {standard}", "no C++ compiler")
            continue
        for header in HEADERS:
            result = compile_text(compiler, language, standard, INCLUDE.format(header))
            tap.check(f"{header} compiles alone as {standard}", result.returncode == 0,
                      result.stderr)
        result = compile_text(compiler, language, standard, "int f(void) { int unused; return 0; }")
        tap.check(f"a warning would be seen in {standard}", result.returncode != 0)
    if CXX:
        result = compile_text(CXX, "c++", "c++17", PLUGIN)
        tap.check("a plugin in C++17 uses the macros", result.returncode == 0, result.stderr)


tap.finish(run)
