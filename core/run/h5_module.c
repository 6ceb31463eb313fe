/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the module that writes and reads checkpoints. */
#include "run/h5_module.h"

#include "base/folder.h"
#include "base/module.h"
#include "base/shortage.h"
#include "build_config.h"
#include "engine/world.h"
#include "shape/plugin_shape.h"

/** HDF5 1.10.8 and its libraries take 24 MiB of address space. */
static scree_module module = {.built = SCREE_BUILD_DIR "/core/scree-hdf5.so",
                              .installed = SCREE_MODULE_DIR "/scree-hdf5.so",
                              .symbol = "scree_hdf5",
                              .size = sizeof(scree_h5_io),
                              .task = "reads and writes checkpoints",
                              .need = "a checkpoint",
                              .bytes = 24 << 20};
static GMutex file_mutex; // locked while a file is open

void scree_h5_hold(void)
{
    scree_module_hold(&module);
}

static void end_without_memory(uint64_t bytes, const char *what)
{
    scree_out_of_memory(bytes, what);
}

static const scree_h5_host host_of_hdf5 = {
    scree_need_memory,     end_without_memory,       scree_file_sync,     scree_world_reserve,
    scree_shape_find_view, scree_contact_order_each, scree_contact_key_at};

bool scree_h5_load(GError **error)
{
    return scree_module_load(&module, error) != NULL;
}

bool scree_h5_transfer(scree_checkpoint *c, const char *path, bool writing, GError **error)
{
    const scree_h5_io *io = scree_module_load(&module, error);
    if (!io)
        return false;
    g_mutex_lock(&file_mutex);
    const bool done = io->transfer(&host_of_hdf5, c, path, writing, error);
    g_mutex_unlock(&file_mutex);
    return done;
}
