/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: shared objects of this program that it loads when a run first needs them. */
#include "base/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fpenv.h"
#include "base/paths.h"
#include "base/shortage.h"
#include "build_config.h"

void scree_module_hold(scree_module *m)
{
    if (m->opened)
        return;
    g_autofree char *path = scree_paths_own(m->built, m->installed);
    m->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe does not wait
    m->error = errno;
    m->opened = m->fd >= 0 ? 1 : -1;
}

static const void *refuse_module(const scree_module *m, GError **error, const char *why)
{
    g_autofree char *path = scree_paths_own(m->built, m->installed);
    scree_fail(error, SCREE_EXIT_RUN, "cannot load %s, which %s: %s", path, m->task, why);
    return NULL;
}

/** The damage of the module's file; NULL: the linker may map it. It does not notice a file that
 * ends too early, and the process would be killed. */
static const char *find_damage(int fd)
{
    struct stat status;
    Elf64_Ehdr head;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return "expected a regular file";
    bool is_elf = pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head &&
                  memcmp(head.e_ident, ELFMAG, SELFMAG) == 0;
    uint64_t end = is_elf ? head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize : 0;
    return end > (uint64_t)status.st_size ? "the file is truncated" : NULL;
}

/** Makes the linker open the held descriptor, whatever has its name now. */
static const void *link_module(const scree_module *m, GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/fd/%d", (int)getpid(), m->fd);
    scree_need_memory(m->bytes, m->need); // some of the libraries crash without it
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const void *found = handle ? dlsym(handle, m->symbol) : NULL;
    scree_fp_restore(); // constructors of the libraries may have changed it
    const char *why = found ? NULL : dlerror();
    if (why && g_str_has_prefix(why, path)) // a name that the user does not know
        why += strlen(path) + strlen(": ");
    return why ? refuse_module(m, error, why) : found;
}

static const void *load(scree_module *m, GError **error)
{
    if (m->head)
        return m->head;
    scree_module_hold(m);
    if (m->opened < 0) {
        errno = m->error;
        scree_check_shortage(m->need);
        return refuse_module(m, error, g_strerror(m->error));
    }
    const char *damage = find_damage(m->fd);
    if (damage)
        return refuse_module(m, error, damage);
    const scree_module_head *found = link_module(m, error);
    if (found && (found->bytes != m->size || strcmp(found->version, SCREE_VERSION)))
        return refuse_module(m, error, "it is not of the same build as this program");
    return m->head = found;
}

const void *scree_module_load(scree_module *m, GError **error)
{
    static GMutex mutex;
    g_mutex_lock(&mutex);
    const void *found = load(m, error);
    g_mutex_unlock(&mutex);
    return found;
}
