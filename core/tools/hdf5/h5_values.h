/* SPDX-License-Identifier: Apache-2.0 */
/* Typed values and arrays to an HDF5 file and back: the same calls describe a layout for both
 * ways. */
#ifndef CORE_H5_VALUES_H
#define CORE_H5_VALUES_H

#include "tools/hdf5/h5_file.h"

/** Opens a file for reading; the caller knows that it is complete. */
scree_h5 *scree_h5_open(const char *path, GError **error);

/** Whether the current group has a member of this name. Only for a file opened for reading. */
bool scree_h5_has(const scree_h5 *h5, const char *name);
/** Enters a group: all later calls use this group, until scree_h5_leave. */
void scree_h5_group(scree_h5 *h5, const char *name);

/* Attributes of the current group: *value is written, or is read. */
void scree_h5_u64(scree_h5 *h5, const char *name, uint64_t *value);
/** As scree_h5_u64; refuses numbers above `max`. */
void scree_h5_count(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max);
void scree_h5_u32(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max);
void scree_h5_real(scree_h5 *h5, const char *name, double *value);
/** A text in UTF-8; a text that is read is a new string. NULL is written as "". */
void scree_h5_text(scree_h5 *h5, const char *name, char **text);

/** A dataset of rows x columns: *data is written, or becomes a new array (g_free) of this
 * extent. An empty dataset is not stored. */
void scree_h5_array(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                    uint64_t columns, void *data);
/** As scree_h5_array, from `memory` or into it. */
void scree_h5_memory(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                     uint64_t columns, void *memory);
/** Writes a dataset some rows at a time. */
void scree_h5_rows(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                   uint64_t columns, scree_h5_fill fill, void *user);
/** A long text of any bytes but NUL; a text that is read is a new string. */
void scree_h5_blob(scree_h5 *h5, const char *name, char **text);

#endif
