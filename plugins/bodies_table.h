/* SPDX-License-Identifier: Apache-2.0 */
/* The table of bodies that observer/csv writes, for plugins that read tables. */
#ifndef PLUGINS_BODIES_TABLE_H
#define PLUGINS_BODIES_TABLE_H

#include "scree/sdk.h"

#define BODIES_TABLE_START "step,time,id,name,x,y,z,"

/** Columns that no reader needs; some hold nan or inf. */
static const char *const bodies_table_others[] = {"time", "name", "fx",     "fy", "fz", "tx", "ty",
                                                  "tz",   "mass", "volume", "ix", "iy", "iz"};

/** [config][step] 1: a file begins as those of observer/csv do; below 0: it cannot be read. */
static inline int32_t bodies_table_is(const scree_files *files, const char *path)
{
    const char *bytes;
    uint64_t n;
    const int32_t code = files->load(files->ctx, path, &bytes, &n);
    if (code < 0)
        return code;
    const int32_t is = strncmp(bytes, BODIES_TABLE_START, sizeof BODIES_TABLE_START - 1) == 0;
    files->release(files->ctx, bytes);
    return is;
}

/** The first row of the last observation. */
static inline uint32_t bodies_table_last(uint32_t n, const uint64_t *step)
{
    uint32_t first = n;
    while (first > 0 && step[first - 1] == step[n - 1])
        first--;
    return first;
}

#endif
