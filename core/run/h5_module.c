/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the module that writes and reads checkpoints. */
#include "run/h5_module.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/fpenv.h"
#include "base/paths.h"
#include "base/shortage.h"
#include "build_config.h"
#include "engine/world.h"
#include "shape/plugin_shape.h"

/** [bytes] of address space that the module and its libraries take (measured with HDF5 1.10.8). */
enum { MODULE_BYTES = 24 << 20 };

/* The module, once it is loaded. */
static const scree_h5_io *module;
static int module_fd = -1; // stays open: the linker compares names first
static int module_errno;
static GMutex file_mutex; // guards the module; locked while a file is open

static char *find_module(void)
{
    return scree_paths_own(SCREE_BUILD_DIR "/core/scree-hdf5.so",
                           SCREE_MODULE_DIR "/scree-hdf5.so");
}

void scree_h5_hold(void)
{
    if (module_fd >= 0)
        return;
    g_autofree char *path = find_module();
    module_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe does not wait
    module_errno = errno;
}

static bool refuse_module(GError **error, const char *why)
{
    g_autofree char *path = find_module();
    return scree_fail(error, SCREE_EXIT_RUN,
                      "cannot load %s, which reads and writes checkpoints: %s", path, why);
}

/** The damage of the module's file; NULL: the linker may map it. It does not notice a file that
 * ends too early, and the process would be killed. */
static const char *find_damage(void)
{
    struct stat status;
    Elf64_Ehdr head;
    if (fstat(module_fd, &status) != 0 || !S_ISREG(status.st_mode))
        return "expected a regular file";
    bool is_elf = pread(module_fd, &head, sizeof head, 0) == (ssize_t)sizeof head &&
                  memcmp(head.e_ident, ELFMAG, SELFMAG) == 0;
    uint64_t end = is_elf ? head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize : 0;
    return end > (uint64_t)status.st_size ? "the file is truncated" : NULL;
}

/** Makes the linker open the held descriptor, whatever has its name now. */
static const scree_h5_io *link_module(GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/fd/%d", (int)getpid(), module_fd);
    scree_need_memory(MODULE_BYTES, "a checkpoint"); // some of the libraries crash without it
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const scree_h5_io *found = handle ? dlsym(handle, "scree_hdf5") : NULL;
    scree_fp_restore(); // constructors of the libraries may have changed it
    const char *why = found ? NULL : dlerror();
    if (why && g_str_has_prefix(why, path)) // a name that the user does not know
        why += strlen(path) + strlen(": ");
    if (why)
        refuse_module(error, why);
    return found;
}

static bool load_module(GError **error)
{
    if (module)
        return true;
    scree_h5_hold();
    if (module_fd < 0) {
        errno = module_errno;
        scree_check_shortage("a checkpoint");
        return refuse_module(error, g_strerror(module_errno));
    }
    const char *damage = find_damage();
    if (damage)
        return refuse_module(error, damage);
    const scree_h5_io *found = link_module(error);
    if (!found)
        return false;
    if (found->bytes != sizeof *found || strcmp(found->version, SCREE_VERSION))
        return refuse_module(error, "it is not of the same build as this program");
    module = found;
    return true;
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
    g_mutex_lock(&file_mutex);
    const bool loaded = load_module(error);
    g_mutex_unlock(&file_mutex);
    return loaded;
}

bool scree_h5_transfer(scree_checkpoint *c, const char *path, bool writing, GError **error)
{
    g_mutex_lock(&file_mutex);
    const bool done =
        load_module(error) && module->transfer(&host_of_hdf5, c, path, writing, error);
    g_mutex_unlock(&file_mutex);
    return done;
}
