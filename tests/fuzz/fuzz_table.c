// SPDX-License-Identifier: Apache-2.0
// Fuzz target for the table reader: any bytes give a table of finite numbers, or problems; never
// both.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const scree_column known[] = {
    {"id", SCREE_TABLE_ID, NULL},      {"x", SCREE_TABLE_REAL, "m"},
    {"y", SCREE_TABLE_REAL, "m"},      {"vx", SCREE_TABLE_REAL, "m/s"},
    {"radius", SCREE_TABLE_REAL, "m"}, {"material", SCREE_TABLE_TEXT, NULL},
};

static void check_table(const scree_table *t)
{
    if (t->n_rows == 0 || t->n_columns == 0 || t->lines->len != t->n_rows)
        abort();
    for (uint32_t c = 0; c < t->n_columns; c++) {
        if (!t->cells[c] != !t->columns[c]) // a column to skip has no cells
            abort();
        for (uint32_t i = 0; t->columns[c] && i < t->n_rows; i++) {
            scree_table_word cell = scree_table_cell(t, i, c);
            if (t->columns[c]->type == SCREE_TABLE_REAL && !isfinite(cell.real))
                abort();
            if (t->columns[c]->type == SCREE_TABLE_TEXT && !*cell.text)
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
