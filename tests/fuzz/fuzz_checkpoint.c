/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target behind the checksum of checkpoints: changes of content, signed again; what is taken
 * goes all the way into a run and is stepped on. Nothing may crash, and nothing be refused without
 * a reason. */
#include "forge.h"

static forge_seed make_seed(void)
{
    g_autoptr(GError) error = NULL;
    forge_begin();
    g_autoptr(scree_sim) sim = fixture_sim(PILE);
    sim->watched = true;
    fixture_run(sim, 700);
    scree_checkpoint_write(sim, NULL, forge_path, &error);
    g_assert_no_error(error);
    return forge_seed_of(forge_path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static forge_seed seed;
    if (!seed.bytes)
        seed = make_seed();
    g_autoptr(scree_checkpoint) c = forge_read(&seed, data, size);
    if (!c)
        return 0;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_sim *sim =
        scree_restart(fixture_scene(PILE), &(scree_sim_options){0}, c, false, notes, &error);
    g_assert_true((sim != NULL) == (error == NULL));
    if (sim)
        for (int k = 0; k < 3 && scree_sim_step(sim, &error); k++)
            ;
    scree_sim_free(sim);
    return 0;
}
