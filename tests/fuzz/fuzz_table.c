// SPDX-License-Identifier: Apache-2.0
// Fuzz target for the table reader: any bytes give a table of finite numbers, or problems; never
// both.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    if (t->n_rows == 0 || t->lines[t->n_rows - 1] < t->n_rows)
        abort();
    for (uint32_t k = 0; k < G_N_ELEMENTS(known); k++) {
        const uint32_t n = t->cells[k] ? t->n_rows : 0; // a column that is missing has no cells
        for (uint32_t i = 0; i < n; i++) {
            const scree_table_word cell = t->cells[k][i];
            if (known[k].type == SCREE_COLUMN_REAL && !isfinite(cell.real))
                abort();
            if (known[k].type == SCREE_COLUMN_TEXT && !*cell.text)
                abort();
        }
    }
}

static void parse(const uint8_t *data, size_t size, const char *const *columns)
{
    GPtrArray *problems = g_ptr_array_new_with_free_func(g_free);
    scree_table *t = scree_table_parse((const char *)data, size, "fuzz", known, G_N_ELEMENTS(known),
                                       columns, problems);
    if ((t != NULL) == (problems->len > 0) || problems->len > 20)
        abort();
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
