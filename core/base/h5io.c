/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the module that works with HDF5, and calls it while a file has no error. */
#include "base/h5_module.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fpenv.h"
#include "base/paths.h"
#include "base/shortage.h"
#include "build_config.h"

/* ---- the module ---- */

/** [bytes] of address space that the module and its libraries take (measured with HDF5 1.10.8). */
enum { MODULE_BYTES = 24 << 20 };

/* One for the process; set by the first call. */
static const scree_h5_module *module;
static int module_fd = -1; // stays open: the linker compares names before files
static int module_errno;

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
    module_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe does not wait
    module_errno = errno;
}

static bool refuse_module(GError **error, const char *why)
{
    g_autofree char *path = find_module();
    return scree_fail(error, SCREE_EXIT_RUN,
                      "cannot load %s, which reads and writes checkpoints: %s", path, why);
}

/** NULL: the linker may map the file. It does not look whether a file ends too early; the process
 * would be killed. */
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

/** The linker opens the descriptor that is held, not what has its name now. */
static const scree_h5_module *link_module(GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/fd/%d", (int)getpid(), module_fd);
    scree_need_memory(MODULE_BYTES, "a checkpoint"); // some of the libraries crash without it
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const scree_h5_module *found = handle ? dlsym(handle, "scree_hdf5") : NULL;
    scree_fp_restore(); // constructors of libraries may change it
    const char *why = found ? NULL : dlerror();
    if (why && g_str_has_prefix(why, path)) // a name that the user has never seen
        why += strlen(path) + strlen(": ");
    if (why)
        refuse_module(error, why);
    return found;
}

bool scree_h5_load(GError **error)
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
    const scree_h5_module *found = link_module(error);
    if (!found)
        return false;
    if (found->size != sizeof *found || strcmp(found->version, SCREE_VERSION))
        return refuse_module(error, "it is not of the same build as this program");
    module = found;
    return true;
}

/* ---- a file ---- */

static void fail_file(scree_h5 *h5, int number)
{
    if (!h5->error)
        h5->error = g_error_new_literal(SCREE_ERROR, SCREE_EXIT_RUN, g_strerror(number));
}

static void end_without_memory(uint64_t bytes, const char *what)
{
    scree_out_of_memory(bytes, what);
}

static const scree_h5_host host_of_hdf5 = {
    .fail = scree_h5_fail,
    .fail_file = fail_file,
    .need_memory = scree_need_memory,
    .out_of_memory = end_without_memory,
};

static scree_h5 *new_h5(bool writing, GError **error)
{
    if (!scree_h5_load(error))
        return NULL;
    scree_h5 *h5 = g_new0(scree_h5, 1);
    h5->module = module;
    h5->writing = writing;
    h5->place = g_string_new(NULL);
    return h5;
}

static scree_h5 *refuse_file(scree_h5 *h5, const char *text, GError **error)
{
    g_set_error_literal(error, SCREE_ERROR, SCREE_EXIT_RUN, text);
    scree_h5_free(h5);
    return NULL;
}

scree_h5 *scree_h5_create(const char *path, GError **error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); // HDF5 does not say why
    if (fd < 0) {
        g_set_error_literal(error, SCREE_ERROR, SCREE_EXIT_RUN, g_strerror(errno));
        return NULL;
    }
    close(fd);
    scree_h5 *h5 = new_h5(true, error);
    if (h5 && !h5->module->create(h5, &host_of_hdf5, path))
        return refuse_file(h5, "HDF5 cannot make the file", error);
    return h5;
}

bool scree_h5_end(scree_h5 *h5, GError **error)
{
    if (!h5->error)
        h5->module->flush(h5);
    h5->module->close(h5);
    return scree_h5_good(h5, error);
}

scree_h5 *scree_h5_open(const char *path, GError **error)
{
    scree_h5 *h5 = new_h5(false, error);
    if (h5 && !h5->module->open(h5, &host_of_hdf5, path))
        return refuse_file(h5, "HDF5 cannot read it", error);
    return h5;
}

void scree_h5_free(scree_h5 *h5)
{
    if (!h5)
        return;
    if (h5->store)
        h5->module->close(h5);
    g_string_free(h5->place, TRUE);
    g_clear_error(&h5->error);
    g_free(h5);
}

bool scree_h5_is_writing(const scree_h5 *h5)
{
    return h5->writing;
}

bool scree_h5_good(const scree_h5 *h5, GError **error)
{
    if (h5->error && error)
        *error = g_error_copy(h5->error);
    return !h5->error;
}

void scree_h5_fail(scree_h5 *h5, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!h5->error)
        h5->error = g_error_new(SCREE_ERROR, SCREE_EXIT_RUN, "%s/: %s", h5->place->str, text);
}

/* ---- what is in it ---- */

bool scree_h5_has(const scree_h5 *h5, const char *name)
{
    return !h5->error && h5->module->has(h5, name);
}

void scree_h5_enter(scree_h5 *h5, const char *name)
{
    if (!h5->error)
        h5->module->enter(h5, name);
}

void scree_h5_leave(scree_h5 *h5)
{
    if (!h5->error)
        h5->module->leave(h5);
}

void scree_h5_u64(scree_h5 *h5, const char *name, uint64_t *value)
{
    if (!h5->error)
        h5->module->number(h5, name, SCREE_H5_U64, value);
}

void scree_h5_count(scree_h5 *h5, const char *name, uint64_t *value, uint64_t max)
{
    scree_h5_u64(h5, name, value);
    if (h5->error || *value <= max)
        return;
    scree_h5_fail(h5, "%s: expected at most %" G_GUINT64_FORMAT ", got %" G_GUINT64_FORMAT, name,
                  max, *value);
    *value = 0;
}

void scree_h5_u32(scree_h5 *h5, const char *name, uint32_t *value, uint32_t max)
{
    uint64_t wide = *value;
    scree_h5_count(h5, name, &wide, max);
    *value = (uint32_t)wide;
}

void scree_h5_real(scree_h5 *h5, const char *name, double *value)
{
    if (!h5->error)
        h5->module->number(h5, name, SCREE_H5_F64, value);
}

void scree_h5_text(scree_h5 *h5, const char *name, char **text)
{
    if (!h5->error)
        h5->module->text(h5, name, text);
}

void scree_h5_array(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                    uint64_t columns, void *data)
{
    if (!h5->error)
        h5->module->array(h5, name, type, rows, columns, data);
}

void scree_h5_memory(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                     uint64_t columns, void *memory)
{
    if (h5->writing)
        scree_h5_array(h5, name, type, rows, columns, &memory);
    else if (!h5->error && rows && columns)
        h5->module->read(h5, name, type, rows, columns, memory);
}

void scree_h5_rows(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t rows,
                   uint64_t columns, scree_h5_fill fill, void *user)
{
    if (!h5->error && rows && columns)
        h5->module->rows(h5, name, type, rows, columns, fill, user);
}

void scree_h5_blob(scree_h5 *h5, const char *name, char **text)
{
    uint64_t n = h5->writing ? strlen(*text) : 0;
    g_autofree char *bytes_name = g_strconcat(name, "_bytes", NULL);
    scree_h5_count(h5, bytes_name, &n, INT32_MAX);
    if (h5->writing) {
        scree_h5_array(h5, name, SCREE_H5_U8, n, 1, text);
        return;
    }
    g_autofree char *bytes = NULL;
    scree_h5_array(h5, name, SCREE_H5_U8, n, 1, &bytes);
    *text = h5->error ? NULL : g_strndup(bytes, n);
    if (*text && strlen(*text) != n)
        scree_h5_fail(h5, "the text %s holds a NUL", name);
}
