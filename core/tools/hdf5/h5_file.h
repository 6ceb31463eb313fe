/* SPDX-License-Identifier: Apache-2.0 */
/* An HDF5 file that is being written or read. Data only. */
#ifndef CORE_H5_FILE_H
#define CORE_H5_FILE_H

#include <hdf5.h>

#include "run/h5_module.h"

enum {
    SCREE_H5_GROUPS = 8,              /* most groups inside of each other */
    SCREE_H5_TEXT = 1 << 15,          /* [bytes] longest text of an attribute */
    SCREE_H5_DATASET_BYTES = 4 << 20, /* cache of chunks, filters */
};

/** A file that is being written or read. */
typedef struct scree_h5 {
    bool writing;
    GError
        *error; /* the first error; later calls do nothing, so that callers check only at the end */
    GString *place; /* path of the current group, for messages */
    hid_t file;
    hid_t group[SCREE_H5_GROUPS]; /* group[0] is the root */
    size_t place_length[SCREE_H5_GROUPS];
    unsigned depth;
    off_t reserved; /* [bytes] of the file for which the disk has room */
} scree_h5;

typedef enum scree_h5_type {
    SCREE_H5_U8,
    SCREE_H5_U32,
    SCREE_H5_I32,
    SCREE_H5_U64,
    SCREE_H5_F64,
} scree_h5_type;

/** Fills `to` with n rows, starting at row `first`. */
typedef void (*scree_h5_fill)(void *user, uint64_t first, uint64_t n, void *to);

#endif
