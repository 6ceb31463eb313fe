/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the loader in one process: what a constructor changes is put back, a file is opened
 * once. */
#include <locale.h>
#include <string.h>
#include <unistd.h>

#define OWN_MAIN
#include "../test.h"
#include "base/cpu.h"
#include "base/fpenv.h"
#include "plugin/dl.h"
#include "plugin/loader.h"
#include "plugin/process_state.h"
#include "plugin/registry.h"

static char *folder; /* private copy of the modules, which nobody else can write */

static char *place(const char *module)
{
    g_autofree char *name = g_strconcat(module, ".so", NULL), *content = NULL;
    g_autofree char *from = g_build_filename(g_getenv("FAULTS_MODULES"), name, NULL);
    char *to = g_build_filename(folder, name, NULL);
    gsize length;
    g_assert_true(g_file_get_contents(from, &content, &length, NULL));
    g_assert_true(g_file_set_contents(to, content, (gssize)length, NULL));
    return to;
}

/** Opens a module in this process, without the child that would have refused it. */
static void expect_refused(const char *module, const char *reason)
{
    g_autofree char *path = place(module);
    g_autoptr(GError) error = NULL;
    scree_held *held = scree_held_new(path, NULL, &error);
    g_assert_no_error(error);
    g_assert_null(scree_held_load(held, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
    g_assert_nonnull(strstr(error->message, reason));
    scree_held_free(held);
    unlink(path);
}

TEST("/loader/floating-point-environment-is-restored")
{
    const uint32_t before = scree_fp_control();
    volatile double tiny = 4e-308;
    expect_refused("flushes_denormals", "floating-point environment");
    g_assert_cmphex(scree_fp_control(), ==, before);
    g_assert_cmpfloat(tiny / 8.0, >, 0.0);
    expect_refused("rounds_up", "floating-point environment");
    g_assert_cmphex(scree_fp_control(), ==, before);
    g_assert_cmpint(fegetround(), ==, FE_TONEAREST);
}

TEST("/loader/locale-is-restored")
{
    g_setenv("LC_ALL", "C", TRUE);
    expect_refused("sets_locale", "locale");
    g_assert_cmpstr(setlocale(LC_ALL, NULL), ==, "C");
    expect_refused("sets_lc_all", "LC_ALL");
    g_assert_cmpstr(g_getenv("LC_ALL"), ==, "C");
}

TEST("/loader/a-file-is-opened-once")
{
    g_autofree char *path = place("minimal");
    g_autoptr(GError) error = NULL;
    const scree_file *file = scree_file_load(path, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(file->path, ==, path);
    g_assert_cmpstr(file->cpu_level, ==, SCREE_CPU_BASELINE);
    g_assert_cmpuint(strlen(file->sha256), ==, 64);
    g_assert_true(scree_file_load(path, NULL, &error) == file);
    unlink(path);
}

TEST("/registry/prepended-folder-is-searched")
{
    g_autofree char *path = place("minimal"), *other = place("other_id");
    g_autoptr(scree_registry) registry = scree_registry_new(NULL, NULL);
    const scree_file *file = NULL;
    g_autoptr(GError) error = NULL;
    g_assert_null(scree_registry_get(registry, SCREE_KIND_FORCE, "minimal", NULL, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    scree_registry_prepend(registry, folder);
    g_assert_nonnull(scree_registry_get(registry, SCREE_KIND_FORCE, "minimal", &file, NULL));
    g_assert_cmpstr(file->path, ==, path);
    /* other_id.so offers force/other: no file has its name, so it takes the scan. */
    g_assert_nonnull(scree_registry_get(registry, SCREE_KIND_FORCE, "other", &file, NULL));
    g_assert_cmpstr(file->path, ==, other);
    g_assert_null(scree_registry_get(registry, SCREE_KIND_GCD, "minimal", NULL, NULL));
    unlink(path);
    unlink(other);
}

int main(int argc, char **argv)
{
    g_assert_cmpint(argc, ==, 2);
    g_setenv("FAULTS_MODULES", argv[1], TRUE);
    g_unsetenv("SCREE_PLUGIN_PATH");
    g_unsetenv("SCREE_CPU_LEVEL");
    scree_process_own();
    g_autoptr(GError) error = NULL;
    folder = g_dir_make_tmp("scree-test-XXXXXX", &error);
    g_assert_no_error(error);
    int status = test_run(argc, argv);
    rmdir(folder);
    g_free(folder);
    return status;
}
