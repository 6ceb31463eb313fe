// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over the files of its corpus, as TAP: what once broke it stays a test.
#include <glib.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int compare_names(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    g_autoptr(GDir) folder = argc == 2 ? g_dir_open(argv[1], 0, NULL) : NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (folder && (name = g_dir_read_name(folder)))
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, compare_names);
    printf("1..%u\n", names->len + 1);
    printf("%s 1 - the corpus has files\n", names->len ? "ok" : "not ok");
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename(argv[1], names->pdata[i], NULL);
        g_autofree char *data = NULL;
        gsize size = 0;
        gboolean read = g_file_get_contents(path, &data, &size, NULL);
        if (read)
            LLVMFuzzerTestOneInput((const uint8_t *)data, size);
        printf("%s %u - %s\n", read ? "ok" : "not ok", i + 2, (const char *)names->pdata[i]);
        fflush(stdout);
    }
    return 0;
}
