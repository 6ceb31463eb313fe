/* SPDX-License-Identifier: Apache-2.0 */
/* Typed values and arrays to an HDF5 file and back: the same calls describe a layout for both
 * ways. */
#ifndef CORE_H5IO_H
#define CORE_H5IO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* HDF5 brings 30 libraries, which a run without a checkpoint does not need. So a module,
 * scree-hdf5.so, holds all that works with it; the first file loads it. h5_write.c writes,
 * tools/restart/h5_module.c reads. Callers use its functions through the table that each file has.
 * HDF5 is not for several threads: a thread that makes or opens a file waits until another one has
 * freed its own. */

typedef struct scree_h5_io scree_h5_io;

/** A file that is being written or read. */
typedef struct scree_h5 {
    const scree_h5_io *io;
    bool writing;
    GError
        *error; /* the first error; later calls do nothing, so that callers check only at the end */
    GString *place;               /* path of the current group, for messages */
    struct scree_h5_store *store; /* belongs to the module */
} scree_h5;

typedef enum scree_h5_type {
    SCREE_H5_U8,
    SCREE_H5_U32,
    SCREE_H5_I32,
    SCREE_H5_U64,
    SCREE_H5_F64,
} scree_h5_type;

/** Size of the user block before HDF5's part; the caller writes it. */
enum { SCREE_H5_HEAD = 512 };

/** Fills `to` with n rows, starting at row `first`. */
typedef void (*scree_h5_fill)(void *user, uint64_t first, uint64_t n, void *to);

/** Functions of the host that the module calls; it is not linked to the host. */
typedef struct scree_h5_host {
    void (*need_memory)(uint64_t bytes, const char *what);   /* scree_need_memory */
    void (*out_of_memory)(uint64_t bytes, const char *what); /* scree_out_of_memory */
} scree_h5_host;

/** The only symbol that the module exports. */
struct scree_h5_io {
    const char *version; /* SCREE_VERSION at its build */
    size_t size;         /* [bytes] of this struct */
    /** Makes a file, or replaces one, with zeros as its head. NULL: with an error. */
    scree_h5 *(*create)(const scree_h5_host *host, const char *path, GError **error);
    /** Opens a file for reading; the caller knows that it is complete. */
    scree_h5 *(*open)(const scree_h5_host *host, const char *path, GError **error);
    /** Writes what HDF5 still holds, and closes the file. False, with the first error: it is not
     * complete. */
    bool (*end)(scree_h5 *h5, GError **error);
    void (*free)(scree_h5 *h5);
    /** Reports invalid values that were read: "PLACE: text". */
    void (*fail)(scree_h5 *h5, const char *format, ...) G_GNUC_PRINTF(2, 3);

    /** Whether the current group has a member of this name. Only for a file opened for reading. */
    bool (*has)(const scree_h5 *h5, const char *name);
    /** Enters a group: all later calls use this group, until `leave`. */
    void (*group)(scree_h5 *h5, const char *name);
    void (*leave)(scree_h5 *h5);

    /* Attributes of the current group: *value is written, or is read. */
    void (*u64)(scree_h5 *h5, const char *name, uint64_t *value);
    /** As u64; refuses numbers above `max`. */
    void (*count)(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max);
    void (*u32)(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max);
    void (*real)(scree_h5 *h5, const char *name, double *value);
    /** A text in UTF-8; a text that is read is a new string. NULL is written as "". */
    void (*text)(scree_h5 *h5, const char *name, char **text);

    /** A dataset of rows x columns: *data is written, or becomes a new array (g_free) of this
     * extent. An empty dataset is not stored. */
    void (*array)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                  uint64_t columns, void *data);
    /** As array, from `memory` or into it. */
    void (*memory)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                   uint64_t columns, void *memory);
    /** Writes a dataset some rows at a time. */
    void (*rows)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                 uint64_t columns, scree_h5_fill fill, void *user);
    /** A long text of any bytes but NUL; a text that is read is a new string. */
    void (*blob)(scree_h5 *h5, const char *name, char **text);
};

extern __attribute__((visibility("default"))) const scree_h5_io scree_hdf5;

/** Opens the module's file without loading it: even if the program is replaced during a run, the
 * run loads the module of its own build. scree_h5_load reports a missing file. */
void scree_h5_hold(void);
/** Loads the module, as scree_h5_create and scree_h5_open also do. False: the module is missing or
 * belongs to another build. */
bool scree_h5_load(GError **error);
scree_h5 *scree_h5_create(const char *path, GError **error);
scree_h5 *scree_h5_open(const char *path, GError **error);

/** Closes the file; NULL: nothing. */
void scree_h5_free(scree_h5 *h5);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_h5, scree_h5_free)

#endif
