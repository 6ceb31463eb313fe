/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: any bytes as manifest.json. They are a manifest with all its parts, or there is a
 * reason. */
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/again/manifest_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *path;

static void begin(void)
{
    int fd = g_file_open_tmp("scree-fuzz-XXXXXX", &path, NULL);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    if (!path)
        begin();
    FILE *file = fopen(path, "wb");
    g_assert_nonnull(file);
    g_assert_cmpuint(fwrite(data, 1, size, file), ==, size);
    fclose(file);
    scree_run_manifest *m = scree_run_manifest_read(path, &error);
    g_unlink(path);
    g_assert_true((m != NULL) == (error == NULL));
    g_assert_true(m || error->code == SCREE_EXIT_USAGE);
    if (m)
        for (guint i = 0; i < m->plugins->len; i++)
            g_assert_nonnull(g_array_index(m->plugins, scree_saved_plugin, i).cpu_level);
    if (m)
        for (guint i = 0; i < m->scene->paths->len; i++)
            g_assert_true(m->scene->paths->pdata[i] && m->scene->texts->pdata[i]);
    if (m)
        for (guint i = 0; i < m->scene->overrides->len; i++)
            g_assert_true(m->scene->overrides->pdata[i] && m->scene->dirs->pdata[i]);
    scree_run_manifest_free(m);
    return 0;
}
