/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries that a plugin's file needs: found as the linker finds them, judged before it does.
 *
 * Source: ld.so(8): DT_RPATH of the file and of those that need it, unless the file has DT_RUNPATH;
 *     LD_LIBRARY_PATH; DT_RUNPATH; the cache and the folders of the system.
 * Deviations: a library from a folder relative to the current one is refused, because its
 *     files change with the current folder; $LIB and $PLATFORM are refused; the folders
 *     glibc-hwcaps/ are not searched, so that one CPU loads what another does.
 */
#include "plugin/libraries.h"

#include <dlfcn.h>
#include <string.h>

#include "base/cpu.h"
#include "plugin/segments.h"

/* Entries of a file. */

typedef struct dynamic {
    GPtrArray *needed; /* of char * */
    char *rpath, *runpath;
} dynamic;

static void clear_dynamic(dynamic *d)
{
    g_ptr_array_unref(d->needed);
    g_free(d->rpath);
    g_free(d->runpath);
}

bool scree_file_is_twin(const char *name)
{
    return g_str_has_suffix(name, "." SCREE_CPU_V3 ".so");
}

/** The bytes of the file that are loaded at `address`; NULL when there are none. */
static void *read_loaded(int fd, const Elf64_Phdr *segments, size_t n, uint64_t address,
                         uint64_t size)
{
    for (size_t i = 0; i < n; i++) {
        const Elf64_Phdr *at = &segments[i];
        if (at->p_type == PT_LOAD && address >= at->p_vaddr && address - at->p_vaddr < at->p_filesz)
            return scree_read_part(fd, at->p_offset + (address - at->p_vaddr), size);
    }
    return NULL;
}

/** New string; NULL when the table does not hold it. */
static char *copy_text(const char *table, uint64_t size, uint64_t at)
{
    const char *text = table && at < size ? table + at : NULL;
    return text && memchr(text, '\0', size - at) ? g_strdup(text) : NULL;
}

/** `entries` ends with DT_NULL. */
static void take_entries(const Elf64_Dyn *entries, const char *table, uint64_t size, dynamic *d)
{
    for (const Elf64_Dyn *entry = entries; entry->d_tag != DT_NULL; entry++) {
        bool needed =
            entry->d_tag == DT_NEEDED || entry->d_tag == DT_AUXILIARY || entry->d_tag == DT_FILTER;
        char **path = entry->d_tag == DT_RPATH     ? &d->rpath
                      : entry->d_tag == DT_RUNPATH ? &d->runpath
                                                   : NULL;
        char *text = needed || (path && !*path) ? copy_text(table, size, entry->d_un.d_val) : NULL;
        if (needed && text)
            g_ptr_array_add(d->needed, text);
        else if (text)
            *path = text;
    }
}

static void take_table(int fd, const Elf64_Phdr *segments, size_t n, const Elf64_Dyn *entries,
                       dynamic *d)
{
    uint64_t address = 0, size = 0;
    for (const Elf64_Dyn *entry = entries; entry->d_tag != DT_NULL; entry++) {
        address = entry->d_tag == DT_STRTAB ? entry->d_un.d_ptr : address;
        size = entry->d_tag == DT_STRSZ ? entry->d_un.d_val : size;
    }
    g_autofree char *table = read_loaded(fd, segments, n, address, size);
    take_entries(entries, table, size, d);
}

/** False: the file is refused. A file without a table needs nothing. Read here and not by libelf,
 * which a run would load for these few fields only. */
static bool read_dynamic(const scree_opened *file, dynamic *d, GError **error)
{
    size_t n = 0, i = 0;
    *d = (dynamic){.needed = g_ptr_array_new_with_free_func(g_free)};
    g_autofree Elf64_Phdr *segments = scree_segments_read(file, &n, error);
    if (!segments)
        return false;
    while (i < n && segments[i].p_type != PT_DYNAMIC)
        i++;
    if (i == n)
        return true;
    size_t n_entries = segments[i].p_filesz / sizeof(Elf64_Dyn);
    g_autofree Elf64_Dyn *entries =
        scree_read_part(file->fd, segments[i].p_offset, n_entries * sizeof(Elf64_Dyn));
    if (!entries)
        return true;
    entries[n_entries - 1].d_tag = DT_NULL; // also when the file has none
    take_table(file->fd, segments, n, entries, d);
    return true;
}

/* Where the linker looks. */

typedef struct search {
    const GPtrArray *trusted;
    GPtrArray *found; /* of scree_library */
    GPtrArray *names; /* of char *: what was looked for */
} search;

static void free_library(void *data)
{
    scree_library *library = data;
    scree_opened_clear(&library->opened);
    g_free(library->name);
    g_free(library);
}

/** `text` with the folder of the file instead of $ORIGIN; NULL: it names something else. */
static char *expand(const char *text, const char *file)
{
    g_autofree char *folder = g_path_get_dirname(file);
    GString *out = g_string_new(text);
    g_string_replace(out, "${ORIGIN}", folder, 0);
    g_string_replace(out, "$ORIGIN", folder, 0);
    if (!strchr(out->str, '$'))
        return g_string_free(out, FALSE);
    g_string_free(out, TRUE);
    return NULL;
}

/** Opens and judges one file that the linker would take. False: refused. */
static bool take(search *s, const char *needer, const char *name, const char *path, GError **error)
{
    scree_library *library = g_new0(scree_library, 1);
    library->name = g_strdup(name);
    if (scree_opened_init(&library->opened, path, error) &&
        scree_opened_judge(&library->opened, s->trusted, error)) {
        g_ptr_array_add(s->found, library);
        return true;
    }
    g_prefix_error(error, "%s: needs %s: ", needer, name);
    free_library(library);
    return false;
}

/** Looks for the library in folders with colons between them. False: refused; *done: it was found.
 */
static bool look_in(search *s, const char *needer, const char *name, const char *folders,
                    const char *what, bool *done, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(folders ? folders : "", ":", -1);
    for (char **part = parts; *part && !*done; part++) {
        g_autofree char *folder = expand(*part, needer);
        if (!folder)
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "%s: its %s %s: expected $ORIGIN, the only word of the "
                              "linker that scree serves",
                              needer, what, *part);
        g_autofree char *path = g_build_filename(*folder ? folder : ".", name, NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            continue;
        if (!g_path_is_absolute(folder))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "%s: needs %s, which %s takes from a folder relative to the "
                              "current one (\"%s\"): expected an absolute folder",
                              needer, name, what, *part);
        *done = true;
        if (!take(s, needer, name, path, error))
            return false;
    }
    return true;
}

/** True for a library that the process has: the linker would take that one. */
static bool is_loaded(const char *name)
{
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

/** True when the library was looked for already; notes it. */
static bool was_sought(const search *s, const char *name)
{
    for (guint i = 0; i < s->names->len; i++)
        if (g_str_equal(s->names->pdata[i], name))
            return true;
    g_ptr_array_add(s->names, g_strdup(name));
    return false;
}

/** Finds one library. False: refused. A library without a folder is left to the linker. */
static bool find_one(search *s, const char *needer, const dynamic *d, const char *inherited,
                     const char *name, GError **error)
{
    bool done = false;
    if (strchr(name, '/')) {
        g_autofree char *path = expand(name, needer);
        if (!path || !g_path_is_absolute(path))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "%s: needs %s: expected an absolute path, or a name", needer, name);
        return take(s, needer, path, path, error);
    }
    if (!d->runpath && (!look_in(s, needer, name, d->rpath, "RPATH", &done, error) ||
                        !look_in(s, needer, name, inherited, "RPATH", &done, error)))
        return false;
    const char *user = g_getenv("LD_LIBRARY_PATH");
    return look_in(s, needer, name, user && *user ? user : NULL, "LD_LIBRARY_PATH", &done, error) &&
           look_in(s, needer, name, d->runpath, "RUNPATH", &done, error);
}

/** `inherited`: RPATHs of the files above, as absolute folders. */
static bool find_all(search *s, const scree_opened *file, const char *inherited, GError **error)
{
    dynamic d;
    bool good = read_dynamic(file, &d, error);
    g_autofree char *own = d.rpath && !d.runpath ? expand(d.rpath, file->path) : NULL;
    g_autofree char *all =
        own && inherited ? g_strconcat(own, ":", inherited, NULL) : g_strdup(own ? own : inherited);
    for (guint i = 0; good && i < d.needed->len; i++) {
        const char *name = d.needed->pdata[i];
        guint before = s->found->len;
        if (was_sought(s, name) || is_loaded(name))
            continue;
        good = find_one(s, file->path, &d, inherited, name, error);
        if (!good || s->found->len == before)
            continue;
        /* Its own libraries come before it. */
        scree_library *library = g_ptr_array_steal_index(s->found, before);
        good = find_all(s, &library->opened, all, error);
        g_ptr_array_add(s->found, library);
    }
    clear_dynamic(&d);
    return good;
}

GPtrArray *scree_libraries_open(const scree_opened *file, const GPtrArray *trusted, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    search s = {trusted, g_ptr_array_new_with_free_func(free_library), names};
    if (find_all(&s, file, NULL, error))
        return s.found;
    g_ptr_array_unref(s.found);
    return NULL;
}
