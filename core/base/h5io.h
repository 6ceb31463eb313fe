/* SPDX-License-Identifier: Apache-2.0 */
/* Typed values and arrays to an HDF5 file and back: one description of a layout serves both ways.
 */
#ifndef CORE_H5IO_H
#define CORE_H5IO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* HDF5 brings 30 libraries, so it is in a module, scree-hdf5.so, which the first file loads. One
 * thread at a time calls these functions. */

/** A file that is being written, or read. The first error stays: all calls after it do
 * nothing, so that it is asked for once, at the end. */
typedef struct scree_h5 scree_h5;

typedef enum scree_h5_type {
    SCREE_H5_U8,
    SCREE_H5_U32,
    SCREE_H5_I32,
    SCREE_H5_U64,
    SCREE_H5_F64,
} scree_h5_type;

/** Bytes of a user block in front of HDF5's part, which belong to the caller. */
enum { SCREE_H5_HEAD = 512 };

/** Opens the module's file without loading it, so that a run whose program is replaced meanwhile
 * still loads the module of its own build. A missing file is reported by scree_h5_load. */
void scree_h5_hold(void);
/** Loads the module; scree_h5_create and scree_h5_open do so as well. False: the module is missing
 * or is not of this build. */
bool scree_h5_load(GError **error);

/** Makes a file in place of one that is there, with a head of zeros; NULL with an error. */
scree_h5 *scree_h5_create(const char *path, GError **error);
/** Writes what HDF5 still holds, and ends the file: false, with the first error, when it is not whole. */
bool scree_h5_end(scree_h5 *h5, GError **error);
/** Opens for reading a file that is known to be whole. */
scree_h5 *scree_h5_open(const char *path, GError **error);
void scree_h5_free(scree_h5 *h5);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_h5, scree_h5_free)

bool scree_h5_is_writing(const scree_h5 *h5);
/** False, with the first error, when there was one. */
bool scree_h5_good(const scree_h5 *h5, GError **error);
/** For what is wrong with values that were read: "PLACE: text". */
void scree_h5_fail(scree_h5 *h5, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Whether the present group of a file that is read has something of that name. */
bool scree_h5_has(const scree_h5 *h5, const char *name);
/** Everything after it is in that group, until it is left. */
void scree_h5_enter(scree_h5 *h5, const char *name);
void scree_h5_leave(scree_h5 *h5);

/* Attributes of the present group: written from *value, or read into it. */
void scree_h5_u64(scree_h5 *h5, const char *name, uint64_t *value);
/** The same, refused above `max`. */
void scree_h5_count(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max);
void scree_h5_u32(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max);
void scree_h5_real(scree_h5 *h5, const char *name, double *value);
/** UTF-8; what is read is a new string. NULL is written as "". */
void scree_h5_text(scree_h5 *h5, const char *name, char **text);

/** A dataset of rows x columns. *data is written, or, when reading, becomes a new array (g_free) of exactly
 * that extent. Nothing is stored of an empty one. */
void scree_h5_array(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                    uint64_t columns, void *data);
/** The same from `memory`, or into it. */
void scree_h5_memory(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                     uint64_t columns, void *memory);
/** Fills n rows from number `first` on into `to`. */
typedef void (*scree_h5_fill)(void *user, uint64_t first, uint64_t n, void *to);
/** Writes such a dataset some rows at a time. */
void scree_h5_rows(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                   uint64_t columns, scree_h5_fill fill, void *user);
/** A long text, of any bytes but NUL; what is read is a new string. */
void scree_h5_blob(scree_h5 *h5, const char *name, char **text);

#endif
