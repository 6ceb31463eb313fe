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
CC, CXX, HEADERS = sys.argv[2], sys.argv[3], [h.rsplit("scree/", 1)[-1].rsplit("build/", 1)[-1] for h in sys.argv[4:]]
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

# Two laws in one file, with parameters, choices, fields and uses of one name.
LAW = """
#undef SCREE_NAME_PREFIX
#define SCREE_NAME_PREFIX {0}_
typedef struct {0}_config {{
    scree_reals kn, steps;
    scree_ints groups;
    scree_strings names;
    const scree_real_rows *table;
    const scree_int_rows *faces;
    const scree_plugin_ref *inner;
    const scree_placing *placing;
    const char *word, *file;
    int32_t sliding, reserved;
}} {0}_config;
SCREE_PAIR_PARAM({0}_config, kn, "N/m", SCREE_PARAM_REQUIRED, 0, 1e9, HARMONIC, "stiffness");
SCREE_STRING_PARAM({0}_config, word, 0, "none", "a word");
SCREE_FILE_PARAM({0}_config, file, SCREE_PARAM_OPTIONAL, "a file");
SCREE_STRINGS_PARAM({0}_config, names, 0, SCREE_PARAM_OPTIONAL, "names");
SCREE_REALS_PARAM({0}_config, steps, 3, "s", 0, 1, 0, 9, "times");
SCREE_INTS_PARAM({0}_config, groups, 0, SCREE_PARAM_OPTIONAL, 0, 0, 9, "numbers");
SCREE_REAL_ROWS_PARAM({0}_config, table, 2, "N", SCREE_PARAM_OPTIONAL, 0, 1, "pairs");
SCREE_INT_ROWS_PARAM({0}_config, faces, 0, SCREE_PARAM_OPTIONAL, 0, 99, "faces");
SCREE_PLUGIN_PARAM({0}_config, inner, GCD, 0, "grid", "another plugin");
SCREE_PLACING_PARAM({0}_config, placing, 0, "where");
SCREE_SLIDING_PARAM({0}_config, sliding);
SCREE_FIELD(spring, CONTACT, 3, 1, "m", 0, "history");
SCREE_USE(heat, BODY, 1, SCREE_USE_READ, "J", "of the body");
static const scree_param *const {0}_params[] = {{
    &{0}_param_kn, &{0}_param_word, &{0}_param_file, &{0}_param_names, &{0}_param_steps, &{0}_param_groups,
    &{0}_param_table, &{0}_param_faces, &{0}_param_inner, &{0}_param_placing, &{0}_param_sliding}};
static const scree_field *const {0}_fields[] = {{&{0}_field_spring}};
static const scree_use *const {0}_uses[] = {{&{0}_use_heat}};
extern const scree_plugin {0};
const scree_plugin {0} = {{
    sizeof(scree_plugin), SCREE_KIND_FORCE, 0, SCREE_DIMENSION_3, "{0}", "1.0.0", "MIT", "a law", NULL, NULL,
    sizeof({0}_config), SCREE_COUNT({0}_params), SCREE_COUNT({0}_fields), {0}_params, {0}_fields, 0, 0, NULL, NULL,
    SCREE_COUNT({0}_uses), 0, {0}_uses, NULL}};
"""
TWO_LAWS = '#include "scree/sdk.h"\n' + LAW.format("soft") + LAW.format("hard") + "SCREE_DEFINE_MANIFEST(&soft, &hard);\n"

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
        result = compile_text(compiler, language, standard, TWO_LAWS)
        tap.check(f"two laws in one file compile as {standard}", result.returncode == 0, result.stderr)
        result = compile_text(compiler, language, standard, TWO_LAWS.replace("SCREE_NAME_PREFIX hard_", "SCREE_NAME_PREFIX soft_"))
        tap.check(f"their names would clash without a prefix in {standard}", result.returncode != 0)
        result = compile_text(compiler, language, standard, "int f(void) { int unused; return 0; }")
        tap.check(f"a warning would be seen in {standard}", result.returncode != 0)
    if CXX:
        result = compile_text(CXX, "c++", "c++17", PLUGIN)
        tap.check("a plugin in C++17 uses the macros", result.returncode == 0, result.stderr)


tap.finish(run)
