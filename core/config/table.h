/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in text files: CSV or white space, named columns, units in the header, problems with their
 * line. */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum scree_column_type {
    SCREE_TABLE_REAL,
    SCREE_TABLE_ID, /* whole number, 0 to 2^63 - 1 */
    SCREE_TABLE_TEXT,
} scree_column_type;

/** A column that the caller knows. Constant data. */
typedef struct scree_column {
    const char *name;
    scree_column_type type;
    const char *unit; /* REAL: for header suffixes ("x_mm"), and of bare numbers; NULL: none */
} scree_column;

typedef union scree_table_word {
    double real;
    uint64_t id;
    const char *text;
} scree_table_word;

typedef struct scree_table {
    char *file;
    uint32_t n_columns, n_rows;
    const scree_column **columns; /* [n_columns]; NULL: the column is skipped */
    scree_table_word **cells;     /* [n_columns][n_rows]; NULL: the column is skipped */
    GArray *lines;                /* elements: uint32_t, [n_rows] */
    GStringChunk *strings;
} scree_table;

/**
 * Reads a table from `length` bytes; messages show `file`. `known`: [n_known] columns that may
 * appear. `columns`: NULL-terminated names for the columns of the file, "-" for a skipped one;
 * NULL: the file names them, in its first line or in the last # comment above the numbers.
 *
 * The separator is a semicolon, a comma or white space, the first of these in the first line. Text
 * after # is a comment. A byte-order mark and CRLF are accepted; cells may be quoted in CSV. A
 * header may append a unit: x_mm, vx_m/s, radius[um]. Every number must be finite.
 *
 * NULL: `problems` has the mistakes (elements: char *, "file:line: text"; at most 20).
 */
scree_table *scree_table_parse(const char *text, size_t length, const char *file,
                               const scree_column *known, uint32_t n_known,
                               const char *const *columns, GPtrArray *problems);
/** Reads a table from a file; messages show it as `shown`. */
scree_table *scree_table_load(const char *path, const char *shown, const scree_column *known,
                              uint32_t n_known, const char *const *columns, GPtrArray *problems);
void scree_table_free(scree_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_table, scree_table_free)

/** Number of the column with this name, or -1. */
int scree_table_column(const scree_table *table, const char *name);
scree_table_word scree_table_cell(const scree_table *table, uint32_t row, uint32_t column);
uint32_t scree_table_line(const scree_table *table, uint32_t row);

#endif
