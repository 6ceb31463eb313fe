/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target behind the checksum of replay files: calls of a GCD, a resolver and a law, changed
 * and signed again. The call is made, or the file is refused with a reason. */
#include "forge.h"

#include <fcntl.h>

#include "engine/lane.h"
#include "engine/snapshot.h"
#include "engine/step.h"
#include "run/call_replay.h"

enum { KINDS = 3 };

static int32_t fail_resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                            uint32_t *done)
{
    (void)instance;
    (void)in;
    (void)out;
    (void)done;
    return SCREE_E_INTERNAL;
}

static int32_t fail_compute(void *instance, const scree_contact_batch *batch)
{
    (void)instance;
    (void)batch;
    return SCREE_E_INTERNAL;
}

/** The plugin of that kind fails, and is blamed with what it was given. */
static bool spoil(scree_sim *sim, int kind, GError **error)
{
    static scree_resolver_ops resolver;
    static scree_force_ops law;
    if (kind == 0)
        scree_sim_blame(sim,
                        scree_blame_of_gcd(sim->plugins.gcd, &sim->boxes.view, SCREE_GCD_SPHERES));
    if (kind == 1)
        for (uint32_t k = 0; k < sim->plugins.contact.n_lists; k++) {
            resolver = *sim->plugins.contact.lists[k].ops;
            resolver.resolve = fail_resolve;
            sim->plugins.contact.lists[k].ops = &resolver;
        }
    if (kind == 2) {
        law = *(const scree_force_ops *)sim->plugins.contact.laws[0].ops;
        law.compute = fail_compute;
        sim->plugins.contact.laws[0].ops = &law;
    }
    return kind == 0 || !scree_sim_step(sim, error);
}

static forge_seed make_seed(int kind)
{
    static const uint32_t kinds[] = {SCREE_KIND_GCD, SCREE_KIND_RESOLVER, SCREE_KIND_FORCE};
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) blamed = NULL;
    scree_sim *sim = fixture_sim(PILE);
    fixture_run(sim, 700);
    scree_snapshot *kept = scree_snapshot_take(sim);
    g_assert_true(spoil(sim, kind, &blamed));
    g_assert_nonnull(sim->blame);
    g_assert_cmpuint(sim->blame->kind, ==, kinds[kind]);
    scree_checkpoint_write_blamed(sim, kept, "of a test", forge_path, &error);
    g_assert_no_error(error);
    scree_snapshot_free(kept);
    scree_sim_free(sim);
    return forge_seed_of(forge_path);
}

/** The output of the call is dropped. */
static void replay(const scree_checkpoint *c)
{
    g_autoptr(GError) error = NULL;
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = g_open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    bool good = scree_replay(c, fixture_scene(PILE), false, &error);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    close(nowhere);
    g_assert_true(good == (error == NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static forge_seed seeds[KINDS];
    const int kind = size ? data[0] % KINDS : 0;
    const size_t head = size ? 1 : 0;
    if (!forge_path)
        forge_begin();
    if (!seeds[kind].bytes)
        seeds[kind] = make_seed(kind);
    g_autoptr(scree_checkpoint) c = forge_read(&seeds[kind], data + head, size - head);
    if (c && c->blame && c->blame->arrays->len)
        replay(c);
    return 0;
}
