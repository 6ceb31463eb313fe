/* SPDX-License-Identifier: Apache-2.0 */
/* The module scree-hdf5.so, which writes and reads checkpoints (tools/hdf5). */
#ifndef CORE_H5_MODULE_H
#define CORE_H5_MODULE_H

#include "base/module.h"
#include "engine/contacts.h"
#include "run/checkpoint.h"

/* HDF5 brings 30 libraries, which a run without a checkpoint does not need. So a module holds all
 * that works with it, also the layout of a checkpoint; the first file loads it. HDF5 is not for
 * several threads: a thread that writes or reads a file waits until another one has ended its own. */

/** Functions of the host that the module calls; it is not linked to the host. */
typedef struct scree_h5_host {
    void (*need_memory)(uint64_t bytes, const char *what);   /* scree_need_memory */
    void (*out_of_memory)(uint64_t bytes, const char *what); /* scree_out_of_memory */
    int (*sync)(int fd);                                     /* scree_file_sync */
    void (*reserve)(scree_world *world, uint32_t n);         /* scree_world_reserve */
    /* scree_shape_find_view */
    const void *(*find_view)(const scree_shape *shape, const char *name, double tolerance);
    /* scree_contact_order_each */
    void (*each)(const scree_contact_order *order, bool pairs, uint64_t first, uint64_t n,
                 scree_contact_fn take, void *user);
    scree_contact_key (*key_at)(const scree_sim *sim, bool pairs, const scree_segment *s,
                                uint32_t at); /* scree_contact_key_at */
} scree_h5_host;

/** The only symbol that the module exports. */
typedef struct scree_h5_io {
    scree_module_head head;
    /** Writes a checkpoint to a file, which is made or replaced, and syncs it; or reads
     * it: the caller knows that the file is complete, and has made the lists of the checkpoint. */
    bool (*transfer)(const scree_h5_host *host, scree_checkpoint *c, const char *path, bool writing,
                     GError **error);
} scree_h5_io;

extern __attribute__((visibility("default"))) const scree_h5_io scree_hdf5;

/** As scree_module_hold. */
void scree_h5_hold(void);
/** Loads the module, as scree_h5_transfer also does. False: the module is missing or belongs to
 * another build. */
bool scree_h5_load(GError **error);
/** Calls scree_h5_io.transfer. */
bool scree_h5_transfer(scree_checkpoint *c, const char *path, bool writing, GError **error);

#endif
