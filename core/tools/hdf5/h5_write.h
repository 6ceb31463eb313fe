/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, writes and closes HDF5 files. */
#ifndef CORE_H5_WRITE_H
#define CORE_H5_WRITE_H

#include "tools/hdf5/h5_file.h"

/** Functions of the program that loads this module. */
extern const scree_h5_host *scree_h5_program;
extern const size_t scree_h5_type_bytes[];

/** Makes a file, or replaces one, with zeros as its head. NULL: with an error. */
scree_h5 *scree_h5_create(const char *path, GError **error);
/** Writes what HDF5 still holds, and closes the file. False, with the first error: it is not
 * complete. */
bool scree_h5_end(scree_h5 *h5, GError **error);
void scree_h5_free(scree_h5 *h5);
/** Reports invalid values that were read: "PLACE: text". */
void scree_h5_fail(scree_h5 *h5, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Leaves the group that scree_h5_group has entered. */
void scree_h5_leave(scree_h5 *h5);

/** Called before other functions of HDF5; errors are reported here, not by HDF5. */
void scree_h5_prepare(void);
/** Wraps an open file. NULL, with `refusal` as the error: the file is missing, or has no root. */
scree_h5 *scree_h5_take_file(hid_t file, bool writing, const char *refusal, GError **error);
/** The current group. */
hid_t scree_h5_here(const scree_h5 *h5);
/** The type of numbers in the file. */
hid_t scree_h5_file_type(scree_h5_type type);
hid_t scree_h5_text_type(size_t bytes);
void scree_h5_write_attribute(scree_h5 *h5, const char *name, hid_t type, const void *value);
void scree_h5_write_text(scree_h5 *h5, const char *name, const char *text);
/** Writes a dataset. `fill` NULL: `data` holds all rows; otherwise fill() gets `data`. */
void scree_h5_write_array(scree_h5 *h5, const char *name, scree_h5_type type,
                          const hsize_t extent[2], scree_h5_fill fill, void *data);

#endif
