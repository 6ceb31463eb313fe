/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that plugins write into the folder of a run. */
#include "plugin/output.h"

#include <string.h>

#include "base/escape.h"
#include "base/folder.h"

/** Names of the host's own files, in any case: some file systems ignore it. `end` NULL: `start` is
 * the whole name. */
static const struct {
    const char *start, *end;
} reserved[] = {{"scene.cfg", NULL},    {"summary.json", NULL}, {"manifest.json", NULL},
                {"checkpoint-", ".h5"}, {"kept-", ".h5"},       {SCREE_FOLDER_LOCK, NULL}};

/** Whether the first part of a path is such a name. */
static bool is_reserved(const char *name)
{
    g_autofree char *lower = g_ascii_strdown(name, (gssize)strcspn(name, "/"));
    for (size_t k = 0; k < G_N_ELEMENTS(reserved); k++)
        if (reserved[k].end ? g_str_has_prefix(lower, reserved[k].start) &&
                                  g_str_has_suffix(lower, reserved[k].end)
                            : !strcmp(lower, reserved[k].start))
            return true;
    return false;
}

/** Whether a part of the path ends as a file that is not whole yet. */
static bool is_part(const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, "/", -1);
    for (char **part = parts; *part; part++)
        if (g_str_has_suffix(*part, ".part"))
            return true;
    return false;
}

/** A path without its parts "" and ".", a new string; NULL: it has a part "..". */
static char *normalise(const char *given)
{
    g_auto(GStrv) parts = g_strsplit(given, "/", -1);
    g_autoptr(GPtrArray) kept = g_ptr_array_new();
    for (char **part = parts; *part; part++) {
        if (!strcmp(*part, ".."))
            return NULL;
        if (**part && strcmp(*part, "."))
            g_ptr_array_add(kept, *part);
    }
    g_ptr_array_add(kept, NULL);
    return g_strjoinv("/", (char **)kept->pdata);
}

char *scree_output_name(const char *given, char **why)
{
    g_autofree char *name = g_path_is_absolute(given) ? NULL : normalise(given);
    g_autofree char *bad = scree_plain_refuse_name(given);
    if (bad)
        *why = g_strdup_printf("file name %s", bad);
    else if (!name)
        *why = g_strdup_printf("file name \"%.400s\" leaves the run's folder", given);
    else if (!*name || g_str_has_suffix(given, "/") || g_str_has_suffix(given, "/."))
        *why = g_strdup_printf("file name \"%.400s\" is a folder's", given);
    else if (is_reserved(name))
        *why = g_strdup_printf("file name \"%.400s\" is that of a file of the host: expected "
                               "another name",
                               given);
    else if (is_part(name))
        *why = g_strdup_printf("file name \"%.400s\" is that of a file that is not whole yet: "
                               "expected a name that does not end in .part",
                               given);
    return *why ? NULL : g_steal_pointer(&name);
}

const char *scree_output_claim(scree_runtime *runtime, const char *name, const char *owner)
{
    const char *writer = NULL;
    if (!runtime->writers)
        runtime->writers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (const char *end = strchr(name, '/'); end && !writer; end = strchr(end + 1, '/')) {
        g_autofree char *folder = g_strndup(name, (gsize)(end - name));
        writer = g_hash_table_lookup(runtime->writers, folder);
    }
    if (writer)
        return writer;
    writer = g_hash_table_lookup(runtime->writers, name);
    if (!writer)
        g_hash_table_insert(runtime->writers, g_strdup(name), g_strdup(owner));
    return writer && strcmp(writer, owner) ? writer : NULL;
}
