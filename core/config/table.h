/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in text files: CSV or white space, named columns, units in the header, errors with their
 * line. */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum scree_column_type {
    SCREE_COLUMN_REAL,
    SCREE_COLUMN_ID, /* a whole number, 0 to 2^63 - 1 */
    SCREE_COLUMN_TEXT,
} scree_column_type;

/** A column that the caller knows. Constant data. */
typedef struct scree_column {
    const char *name;
    scree_column_type type;
    const char
        *unit; /* REAL: of a header suffix ("x_mm"), and what bare numbers are in; NULL: none */
} scree_column;

typedef union scree_cell {
    double real;
    uint64_t id;
    const char *text;
} scree_cell;

typedef struct scree_table {
    char *file;
    uint32_t n_columns, n_rows;
    const scree_column **columns; /* [n_columns]; NULL: a column to skip */
    scree_cell **cells;           /* [n_columns][n_rows]; NULL: a column to skip */
    GArray *lines;                /* of uint32_t, [n_rows] */
    GStringChunk *strings;
} scree_table;

/**
 * Reads a table from `length` bytes; `file` is for messages. `known`: [n_known] columns that may
 * appear. `columns`: NULL-terminated names for the columns of the file, "-" for one to skip; NULL:
 * the file names them, in its first line or in the last # comment above the numbers.
 *
 * The separator is the first of semicolon, comma, white space that the first line has. Text after #
 * is a comment. A byte-order mark and CRLF are fine; cells may be quoted in CSV. A header may
 * append a unit: x_mm, vx_m/s, radius[um]. Every number must be finite.
 *
 * Mistakes are appended to `problems` (of char *, "file:line: text"; at most 20 of them); then
 * NULL.
 */
scree_table *scree_table_parse(const char *text, size_t length, const char *file,
                               const scree_column *known, uint32_t n_known,
                               const char *const *columns, GPtrArray *problems);
/** The same from a file; `shown` is how the user named it. */
scree_table *scree_table_load(const char *path, const char *shown, const scree_column *known,
                              uint32_t n_known, const char *const *columns, GPtrArray *problems);
void scree_table_free(scree_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_table, scree_table_free)

/** Number of the column of that name, or -1. */
int scree_table_column(const scree_table *table, const char *name);
scree_cell scree_table_cell(const scree_table *table, uint32_t row, uint32_t column);
uint32_t scree_table_line(const scree_table *table, uint32_t row);

#endif
