/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: shared objects of this program that it loads when a run first needs them. */
#ifndef CORE_MODULE_H
#define CORE_MODULE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** First member of the only struct that a module exports. */
typedef struct scree_module_head {
    const char *version; /* SCREE_VERSION at its build */
    size_t bytes;        /* of the struct */
} scree_module_head;

/** A module of this program. */
typedef struct scree_module {
    const char *built, *installed; /* its paths, as scree_paths_own takes them */
    const char *symbol;            /* name of its struct */
    size_t size;                   /* of the struct */
    const char *task;              /* "writes checkpoints" */
    const char *need;              /* what lacks memory without it: "a checkpoint" */
    uint64_t bytes;                /* of address space that it takes with its libraries */
    const scree_module_head *head; /* its struct; NULL: not loaded */
    int fd, opened;                /* file; 0: not opened yet, else -1 or 1 */
    int error;                     /* errno of the opening */
} scree_module;

/** Opens the module's file without loading it: even if the program is replaced during a run, the
 * run loads the module of its own build. scree_module_load reports a missing file. */
void scree_module_hold(scree_module *module);
/** Loads the module once; threads may load one at once. Returns its struct; NULL with an error: the
 * module is missing or belongs to another build. */
const void *scree_module_load(scree_module *module, GError **error);

#endif
