/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: any bytes as the trajectory that integrator/replay plays, in 2D and 3D. They play,
 * or there is a reason. */
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#include "../unit/sim_fixture.h"
#include "engine/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *path;

static void begin(void)
{
    char name[] = "fuzz", *words[] = {name, NULL}, **argv = words;
    int argc = 1;
    g_test_init(&argc, &argv, NULL);
    int fd = g_file_open_tmp("scree-fuzz-XXXXXX", &path, NULL);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
}

static void play(int dimension, const char *at_end)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = %d; dt = 1.0e-3; };\n" GLASS
        "integrator = { plugin = \"replay\"; file = \"%s\"; at_end = \"%s\"; };\n"
        "generate = { balls = { shape = \"%s\"; plugin = \"replay\"; }; };\n" LINEAR,
        dimension, path, at_end, dimension == 2 ? "disc" : "sphere");
    scree_scene *scene = fixture_load(text, &error);
    g_autoptr(scree_sim) sim = scene ? scree_sim_new(scene, &(scree_sim_options){0}, &error) : NULL;
    g_assert_true((sim != NULL) == (error == NULL));
    if (sim)
        for (int k = 0; k < 4 && scree_sim_step(sim, &error); k++)
            ;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!path)
        begin();
    FILE *file = fopen(path, "wb");
    g_assert_nonnull(file);
    g_assert_cmpuint(fwrite(data, 1, size, file), ==, size);
    fclose(file);
    play(2, "hold");
    play(3, "loop");
    g_unlink(path);
    return 0;
}
