// SPDX-License-Identifier: Apache-2.0
// Fuzz target for the table reader: any bytes give a table of finite numbers, or problems; never
// both.
#include <math.h>
#include <stdint.h>

#include "config/table.h"
#include "scree/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const scree_column known[] = {
    {"id", SCREE_COLUMN_WHOLE, NULL},   {"x", SCREE_COLUMN_REAL, "m"},
    {"y", SCREE_COLUMN_REAL, "m"},      {"vx", SCREE_COLUMN_REAL, "m/s"},
    {"radius", SCREE_COLUMN_REAL, "m"}, {"material", SCREE_COLUMN_TEXT, NULL},
};

static void check_table(const scree_table *t)
{
    g_assert_cmpuint(t->n_known, ==, G_N_ELEMENTS(known));
    g_assert_cmpuint(t->n_rows, >, 0);
    for (uint32_t i = 0; i < t->n_rows; i++) // a row is at least one line
        g_assert_cmpuint(t->lines[i], >, i ? t->lines[i - 1] : 0);
    for (uint32_t k = 0; k < G_N_ELEMENTS(known); k++) {
        const uint32_t n = t->cells[k] ? t->n_rows : 0; // a column that is missing has no cells
        for (uint32_t i = 0; i < n; i++) {
            const scree_table_word cell = t->cells[k][i];
            g_assert_true(known[k].type != SCREE_COLUMN_REAL || isfinite(cell.real));
            g_assert_true(known[k].type != SCREE_COLUMN_WHOLE || cell.id <= INT64_MAX);
            g_assert_true(known[k].type != SCREE_COLUMN_TEXT || *cell.text);
        }
    }
}

static void parse(const uint8_t *data, size_t size, const char *const *columns)
{
    GPtrArray *problems = g_ptr_array_new_with_free_func(g_free);
    scree_table *t = scree_table_parse((const char *)data, size, "fuzz", known, G_N_ELEMENTS(known),
                                       columns, problems);
    g_assert_true((t != NULL) == (problems->len == 0));
    g_assert_cmpuint(problems->len, <=, 20);
    if (t)
        check_table(t);
    scree_table_free(t);
    g_ptr_array_free(problems, TRUE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x", "-", "radius", NULL};
    parse(data, size, NULL);
    parse(data, size, names);
    return 0;
}
