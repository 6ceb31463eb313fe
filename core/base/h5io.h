/* SPDX-License-Identifier: Apache-2.0 */
/* Typed values and arrays to an HDF5 file and back: one description of a layout serves both ways.
 */
#ifndef CORE_H5IO_H
#define CORE_H5IO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* HDF5 brings 30 libraries, which a run without a checkpoint does not need. So all that works with it is in a module,
 * scree-hdf5.so (h5_module.c), which the first file loads. Callers use its functions through the table that
 * each file has. One thread at a time calls them. */

typedef struct scree_h5_io scree_h5_io;

/** A file that is being written, or read. */
typedef struct scree_h5 {
    const scree_h5_io *io;
    bool writing;
    GError *
        error; /* the first; all calls after it do nothing, so that it is asked for once, at the end */
    GString *place;               /* path of the current group, for messages */
    struct scree_h5_store *store; /* the module's */
} scree_h5;

typedef enum scree_h5_type {
    SCREE_H5_U8,
    SCREE_H5_U32,
    SCREE_H5_I32,
    SCREE_H5_U64,
    SCREE_H5_F64,
} scree_h5_type;

/** Bytes of a user block in front of HDF5's part, which belong to the caller. */
enum { SCREE_H5_HEAD = 512 };

/** Fills n rows from number `first` on into `to`. */
typedef void (*scree_h5_fill)(void *user, uint64_t first, uint64_t n, void *to);

/** Functions of the host for the module, which does not link against it. */
typedef struct scree_h5_host {
    void (*need_memory)(uint64_t bytes, const char *what);   /* scree_need_memory */
    void (*out_of_memory)(uint64_t bytes, const char *what); /* scree_out_of_memory */
} scree_h5_host;

/** The only symbol that the module exports. */
struct scree_h5_io {
    const char *version; /* SCREE_VERSION of its build */
    size_t size;         /* [bytes] of this struct */
    /** Makes a file in place of one that is there, with a head of zeros; NULL with an error. */
    scree_h5 *(*create)(const scree_h5_host *host, const char *path, GError **error);
    /** Opens for reading a file that is known to be whole. */
    scree_h5 *(*open)(const scree_h5_host *host, const char *path, GError **error);
    /** Writes what HDF5 still holds, and ends the file: false, with the first error, when it is not whole. */
    bool (*end)(scree_h5 *h5, GError **error);
    void (*free)(scree_h5 *h5);
    /** For what is wrong with values that were read: "PLACE: text". */
    void (*fail)(scree_h5 *h5, const char *format, ...) G_GNUC_PRINTF(2, 3);

    /** Whether the present group of a file that is read has something of that name. */
    bool (*has)(const scree_h5 *h5, const char *name);
    /** Everything after it is in that group, until it is left. */
    void (*group)(scree_h5 *h5, const char *name);
    void (*leave)(scree_h5 *h5);

    /* Attributes of the present group: written from *value, or read into it. */
    void (*u64)(scree_h5 *h5, const char *name, uint64_t *value);
    /** The same, refused above `max`. */
    void (*count)(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max);
    void (*u32)(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max);
    void (*real)(scree_h5 *h5, const char *name, double *value);
    /** UTF-8; what is read is a new string. NULL is written as "". */
    void (*text)(scree_h5 *h5, const char *name, char **text);

    /** A dataset of rows x columns. *data is written, or, when reading, becomes a new array (g_free) of exactly
     * that extent. Nothing is stored of an empty one. */
    void (*array)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                  uint64_t columns, void *data);
    /** The same from `memory`, or into it. */
    void (*memory)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                   uint64_t columns, void *memory);
    /** Writes such a dataset some rows at a time. */
    void (*rows)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                 uint64_t columns, scree_h5_fill fill, void *user);
    /** A long text, of any bytes but NUL; what is read is a new string. */
    void (*blob)(scree_h5 *h5, const char *name, char **text);
};

extern __attribute__((visibility("default"))) const scree_h5_io scree_hdf5;

/** Opens the module's file without loading it, so that a run whose program is replaced meanwhile
 * still loads the module of its own build. A missing file is reported by scree_h5_load. */
void scree_h5_hold(void);
/** Loads the module; scree_h5_create and scree_h5_open do so as well. False: the module is missing
 * or is not of this build. */
bool scree_h5_load(GError **error);
scree_h5 *scree_h5_create(const char *path, GError **error);
scree_h5 *scree_h5_open(const char *path, GError **error);

static inline void scree_h5_free(scree_h5 *h5)
{
    if (h5)
        h5->io->free(h5);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_h5, scree_h5_free)

#endif
