/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the module scree-hdf5.so that writes HDF5 files. */
#ifndef CORE_H5_WRITE_H
#define CORE_H5_WRITE_H

#include <hdf5.h>

#include "base/h5io.h"

enum {
    SCREE_H5_GROUPS = 8,              /* most groups inside of each other */
    SCREE_H5_TEXT = 1 << 15,          /* [bytes] longest text of an attribute */
    SCREE_H5_DATASET_BYTES = 4 << 20, /* cache of chunks, filters */
};

typedef struct scree_h5_store {
    hid_t file;
    hid_t group[SCREE_H5_GROUPS]; // group[0] is the root
    size_t place_length[SCREE_H5_GROUPS];
    unsigned depth;
    off_t reserved; // [bytes] of the file for which the disk has room
} scree_h5_store;

/** Functions of the program that loads this module. */
extern const scree_h5_host *scree_h5_program;
extern const size_t scree_h5_type_bytes[];

/* Functions as in scree_h5_io: */
scree_h5 *scree_h5_create_file(const scree_h5_host *functions, const char *path, GError **error);
bool scree_h5_end_file(scree_h5 *h5, GError **error);
void scree_h5_free_file(scree_h5 *h5);
void scree_h5_fail(scree_h5 *h5, const char *format, ...) G_GNUC_PRINTF(2, 3);
void scree_h5_leave_group(scree_h5 *h5);

/** Called before other functions of HDF5; errors are reported here, not by HDF5. */
void scree_h5_prepare(const scree_h5_host *functions);
/** Wraps an open file, without `io`. NULL, with `refusal` as the error: the file is missing, or has no root. */
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
