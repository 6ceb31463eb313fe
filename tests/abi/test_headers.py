# SPDX-License-Identifier: Apache-2.0
"""Each ABI header compiles alone, as C11 and as C++17, without a warning.

usage: test_headers.py INCLUDE_DIRS(:) CC CXX HEADER...    (CC, CXX: commands; CXX may be "")
"""
import pathlib
import shlex
import subprocess
import sys

import tap

INCLUDES = [f"-I{d}" for d in sys.argv[1].split(":")]
CC, CXX, HEADERS = sys.argv[2], sys.argv[3], [pathlib.Path(h).name for h in sys.argv[4:]]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]

# ISO C forbids an empty unit, and digest.h declares nothing.
INCLUDE = '#include "scree/{}"\nextern int something;\n'

# Parameters, a field and a kernel by the macros of sdk.h, in either language.
MACROS = """
#include "scree/sdk.h"
enum { SOFT, HARD };
typedef struct config {
    scree_reals kn;
    double reach;
    int64_t most;
    int32_t kind, on;
} config;
SCREE_PAIR_PARAM(config, kn, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 1e9, HARMONIC, "stiffness");
SCREE_REAL_PARAM(config, reach, "m", SCREE_PARAM_OPTIONAL, 0, -1, 1, "how far");
SCREE_INT_PARAM(config, most, 0, 1, 1, 9, "how many");
SCREE_BOOL_PARAM(config, on, SCREE_PARAM_LIVE, 1, "whether");
SCREE_CHOICE_VALUE(soft, SOFT, "not hard");
SCREE_CHOICE_VALUE(hard, HARD, "not soft");
SCREE_CHOICE_PARAM(config, kind, 0, "soft", "which", &choice_soft, &choice_hard);
SCREE_FIELD(spring, CONTACT, 3, 1, "m", 0, "history");
extern const scree_param *const params[];
const scree_param *const params[] = {&param_kn, &param_reach, &param_most, &param_on, &param_kind};
extern const scree_field *const fields[];
const scree_field *const fields[] = {&field_spring};
static void kernel(uint32_t n, double kn, SCREE_IN depth, SCREE_IN3(n), SCREE_OUT3(f), SCREE_OUT e)
{
    for (uint32_t c = 0; c < n; c++) {
        double fn = scree_max(kn * depth[c], 0.0);
        fx[c] = -fn * nx[c], fy[c] = -fn * ny[c], fz[c] = -fn * nz[c];
        e[c] = scree_min(0.5 * fn * depth[c], 1.0);
    }
}
void call(const scree_contact_batch *b);
void call(const scree_contact_batch *b)
{
    kernel(b->n, 1.0, b->depth, SCREE_XYZ(b->normal), SCREE_XYZ(b->f), b->stored);
}
"""

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
        result = compile_text(compiler, language, standard, MACROS)
        tap.check(f"the macros of sdk.h compile as {standard}", result.returncode == 0, result.stderr)
        result = compile_text(compiler, language, standard, "int f(void) { int unused; return 0; }")
        tap.check(f"a warning would be seen in {standard}", result.returncode != 0)
    if CXX:
        result = compile_text(CXX, "c++", "c++17", PLUGIN)
        tap.check("a plugin in C++17 uses the macros", result.returncode == 0, result.stderr)


tap.finish(run)
