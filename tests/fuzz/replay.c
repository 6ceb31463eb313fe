/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target once on every file of the folders given: a TAP test that needs no fuzzer. */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int compare_names(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

int main(int argc, char **argv)
{
    unsigned n = 0;
    for (int k = 1; k < argc; k++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GDir) dir = g_dir_open(argv[k], 0, &error);
        g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
        if (!dir) {
            printf("Bail out! %s\n", error->message);
            return 1;
        }
        for (const char *name; (name = g_dir_read_name(dir));)
            g_ptr_array_add(paths, g_build_filename(argv[k], name, NULL));
        g_ptr_array_sort(paths, compare_names);
        for (guint j = 0; j < paths->len; j++) {
            g_autofree char *bytes = NULL;
            gsize size;
            if (!g_file_get_contents(g_ptr_array_index(paths, j), &bytes, &size, NULL))
                continue; /* a folder */
            /* A copy of its exact size, so that the address sanitizer sees a read beyond it. */
            g_autofree char *exact = g_malloc(size > 0 ? size : 1);
            for (gsize b = 0; b < size; b++)
                exact[b] = bytes[b];
            LLVMFuzzerTestOneInput((const uint8_t *)exact, size);
            printf("ok %u - %s survived\n", ++n, (const char *)g_ptr_array_index(paths, j));
        }
    }
    printf("1..%u\n", n);
    return n == 0;
}
