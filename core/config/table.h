/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in text files: CSV or white space, named columns, units in the header, problems with their
 * line. */
#ifndef CORE_TABLE_H
#define CORE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** A column that the caller knows. Constant data. */
typedef struct scree_column {
    const char *name;
    uint32_t type;    /* SCREE_COLUMN_* (host.h): REAL, WHOLE, or text */
    const char *unit; /* REAL: for header suffixes ("x_mm"), and of bare numbers; NULL: none */
} scree_column;

typedef union scree_table_word {
    double real;
    uint64_t id; /* 0 to 2^63 - 1 */
    const char *text;
} scree_table_word;

typedef struct scree_table {
    char *file;
    uint32_t n_known, n_rows;
    scree_table_word **cells; /* [n_known][n_rows]; NULL: the file lacks the column */
    uint32_t *lines;          /* [n_rows] line of the file, from 1 */
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

#endif
