/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that h5io.c and the module that works with HDF5 give to each other. */
#ifndef CORE_H5_MODULE_H
#define CORE_H5_MODULE_H

#include "base/h5io.h"

/** The module's part of an open file. */
typedef struct scree_h5_store scree_h5_store;

struct scree_h5 {
    const struct scree_h5_module *module;
    scree_h5_store *store;
    bool writing;
    GString *place; // path of the current group, for messages
    GError *error;
};

/** Functions of the host for the module, which does not link against it. */
typedef struct scree_h5_host {
    void (*fail)(scree_h5 *h5, const char *format, ...) G_GNUC_PRINTF(2, 3);
    void (*fail_file)(scree_h5 *h5, int number);             // errno of the file system
    void (*need_memory)(uint64_t bytes, const char *what);   // scree_need_memory
    void (*out_of_memory)(uint64_t bytes, const char *what); // scree_out_of_memory
} scree_h5_host;

/** The only symbol that the module exports. The host calls no function of a file that has an error,
 * and none but `close` after it. */
typedef struct scree_h5_module {
    const char *version; // SCREE_VERSION of its build
    size_t size;         // [bytes] of this struct
    bool (*create)(scree_h5 *h5, const scree_h5_host *host, const char *path);
    bool (*open)(scree_h5 *h5, const scree_h5_host *host, const char *path);
    void (*close)(scree_h5 *h5);
    void (*flush)(scree_h5 *h5);
    bool (*has)(const scree_h5 *h5, const char *name);
    void (*enter)(scree_h5 *h5, const char *name);
    void (*leave)(scree_h5 *h5);
    void (*number)(scree_h5 *h5, const char *name, scree_h5_type type, void *value);
    void (*text)(scree_h5 *h5, const char *name, char **text);
    void (*array)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                  uint64_t columns, void *data);
    void (*read)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                 uint64_t columns, void *memory);
    void (*rows)(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                 uint64_t columns, scree_h5_fill fill, void *user);
} scree_h5_module;

extern __attribute__((visibility("default"))) const scree_h5_module scree_hdf5;

#endif
