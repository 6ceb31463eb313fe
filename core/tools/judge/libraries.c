/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the libraries that a plugin's file needs, before any of their code runs.
 *
 * Idea: the dynamic linker itself lists the files that it would take (ld.so --list). It maps them in
 *     another process, and runs none of their code. It is asked only about a file that leads it out of
 *     the folders of the system, which are root's. Libraries from LD_LIBRARY_PATH only are judged once
 *     they are loaded: scree's own libraries come from there as well, before scree could judge.
 */
#include "tools/judge/libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "plugin/trust.h"
#include "tools/judge/segments.h"

/* ---- what the file says ---- */

/** Whether the process has the library: the linker would take that one. */
static bool is_loaded(const char *name)
{
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

/** Whether all folders of an RPATH are folders that only root fills. */
static bool is_of_system(const char *path)
{
    g_auto(GStrv) folders = g_strsplit(path, ":", -1);
    bool good = !strpbrk(path, "$") && !strstr(path, "..");
    for (char **folder = folders; *folder && good; folder++)
        good = g_str_has_prefix(*folder, "/usr/lib/") || g_str_has_prefix(*folder, "/lib/");
    return good;
}

/** Bytes of the file that are loaded at `address`, a new array; NULL: none are. */
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

/** Whether the file may take a library from a folder outside the system. `table` holds the names,
 * and ends with NUL. */
static bool leads_out(const Elf64_Dyn *entries, const char *table, uint64_t size)
{
    bool needs = false, leads = false;
    for (const Elf64_Dyn *entry = entries; entry->d_tag != DT_NULL; entry++) {
        const char *text = entry->d_un.d_val < size ? table + entry->d_un.d_val : "";
        const bool names =
            entry->d_tag == DT_NEEDED || entry->d_tag == DT_AUXILIARY || entry->d_tag == DT_FILTER;
        needs = needs || (names && !is_loaded(text));
        leads = leads || (names && strchr(text, '/')) ||
                ((entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH) && !is_of_system(text));
    }
    return needs && leads;
}

/** Whether the linker must be asked. libelf is not used: a run would load it only for these few
 * fields. */
static bool is_to_be_asked(const scree_opened *file, const Elf64_Phdr *segments, size_t n)
{
    size_t i = 0;
    while (i < n && segments[i].p_type != PT_DYNAMIC)
        i++;
    const size_t n_entries = i < n ? segments[i].p_filesz / sizeof(Elf64_Dyn) : 0;
    g_autofree Elf64_Dyn *entries =
        n_entries ? scree_read_part(file->fd, segments[i].p_offset, n_entries * sizeof(Elf64_Dyn))
                  : NULL;
    uint64_t address = 0, size = 0;
    if (!entries)
        return false;
    entries[n_entries - 1].d_tag = DT_NULL; // the file may lack it
    for (const Elf64_Dyn *entry = entries; entry->d_tag != DT_NULL; entry++) {
        address = entry->d_tag == DT_STRTAB ? entry->d_un.d_ptr : address;
        size = entry->d_tag == DT_STRSZ ? entry->d_un.d_val : size;
    }
    g_autofree char *table = read_loaded(file->fd, segments, n, address, size);
    if (table)
        table[size - 1] = '\0';
    return table && leads_out(entries, table, size);
}

/* ---- what the linker says ---- */

static void free_opened(void *data)
{
    scree_opened_clear(data);
    g_free(data);
}

/** Opens and judges one file that the linker would take. False: refused. */
static bool take(GPtrArray *found, const char *path, const GPtrArray *trusted, GError **error)
{
    scree_opened *library = g_new0(scree_opened, 1);
    g_ptr_array_add(found, library);
    size_t n;
    if (!scree_opened_init(library, path, error) || !scree_opened_judge(library, trusted, error))
        return false;
    g_autofree Elf64_Phdr *segments = scree_segments_read(library, &n, error);
    close(library->fd); // the linker opens the path again
    library->fd = -1;
    return segments != NULL;
}

/** Judges a line of the list: NAME => PATH (ADDRESS), or PATH (ADDRESS). The linker itself reports
 * a library that is not found. */
static bool take_line(GPtrArray *found, char *line, const scree_opened *file,
                      const GPtrArray *trusted, GError **error)
{
    char *name = g_strstrip(line), *arrow = strstr(name, " => "), *end = strrchr(name, '(');
    const char *path = arrow ? arrow + strlen(" => ") : name;
    if (!end || end == name) // not found
        return true;
    end[-1] = '\0';
    if (arrow)
        *arrow = '\0';
    if (is_loaded(name))
        return true;
    if (!g_path_is_absolute(path))
        return scree_fail(
            error, SCREE_EXIT_PLUGIN,
            "%s: needs %s, which its RPATH or RUNPATH, or LD_LIBRARY_PATH, takes from "
            "a folder relative to the current one (%s): expected an absolute folder",
            file->path, name, path);
    if (take(found, path, trusted, error))
        return true;
    g_prefix_error(error, "%s: needs %s: ", file->path, name);
    return false;
}

/** Reports why the linker has failed: its message, or the fault of the last file that it has
 * tried. */
static void blame_library(const scree_opened *file, const char *log, const char *why,
                          const GPtrArray *trusted, GError **error)
{
    static const char says[] = "shared libraries: ", tried[] = "trying file=";
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(free_opened);
    const char *text = log ? g_strrstr(log, says) : NULL, *at = log ? g_strrstr(log, tried) : NULL;
    at = at ? at + strlen(tried) : "";
    g_autofree char *path = g_strndup(at, strcspn(at, "\n"));
    if (text || !*path || take(found, path, trusted, error))
        scree_fail(error, SCREE_EXIT_PLUGIN, "cannot be loaded: %s",
                   text ? text + strlen(says) : why);
    g_prefix_error(error, "%s: %s", file->path, text ? "" : "needs a library: ");
}

/** The list that the linker prints, a new string; NULL: it cannot load the libraries. */
static char *ask_linker(const scree_opened *file, const GPtrArray *trusted, GError **error)
{
    Dl_info linker = {.dli_fname = "ld.so"};
    g_autofree char *said = NULL, *log = NULL;
    g_autoptr(GError) inner = NULL;
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LD_DEBUG", "libs", TRUE);
    int status = 0;
    dladdr((void *)getauxval(AT_BASE), &linker);
    char *command[] = {(char *)linker.dli_fname, (char *)"--list", file->path, NULL};
    if (g_spawn_sync(NULL, command, environment, G_SPAWN_DEFAULT, NULL, NULL, &said, &log, &status,
                     &inner) &&
        g_spawn_check_wait_status(status, &inner))
        return g_steal_pointer(&said);
    blame_library(file, log ? g_strchomp(log) : NULL, inner->message, trusted, error);
    return NULL;
}

bool scree_libraries_judge(const scree_opened *file, const GPtrArray *trusted, bool *led,
                           GError **error)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(free_opened);
    size_t n = 0;
    g_autofree Elf64_Phdr *segments = scree_segments_read(file, &n, error);
    if (!segments || !scree_segments_check_note(file, segments, n, error))
        return false;
    if (!is_to_be_asked(file, segments, n))
        return true;
    g_autofree char *list = ask_linker(file, trusted, error);
    g_auto(GStrv) lines = g_strsplit(list ? list : "", "\n", -1);
    bool good = list != NULL;
    for (char **line = lines; *line && good; line++)
        good = take_line(found, *line, file, trusted, error);
    *led = found->len > 0;
    return good;
}
