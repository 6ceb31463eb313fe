/* SPDX-License-Identifier: Apache-2.0 */
/* A run cut in two by a checkpoint is the run that was not: the same state_sha256 after the same
 * steps, with other threads, another broad phase, other tolerances, and after a second cut; and
 * another one when a bit of what was kept is changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tap.h"
#include "base/clock.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/restart.h"

enum { MOST_OVERRIDES = 16 };

typedef enum sabotage {
    NOTHING,
    A_POSITION,
    A_FORCE,
    A_CONTACT, // a field of one, or the contact itself
} sabotage;

/** How a run goes on. */
typedef struct restart_way {
    const char *name, *set;
    scree_sim_options options;
    bool twice;
    sabotage sabotage;
} restart_way;

static const restart_way ways[] = {
    {.name = "same"},
    {.name = "threads-2", .options = {.threads = 2}},
    {.name = "gcd-pairing", .set = "gcd={plugin=\"pairing\";}"},
    {.name = "gcd-bounding-volume", .set = "gcd={plugin=\"bounding_volume\";}"},
    {.name = "tolerance-0", .set = "extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}"},
    {.name = "renew-moved", .set = "extent={eps_v=3.0; eps_e=0.3; renew=\"moved\";}"},
    {.name = "cut-twice", .options = {.threads = 2, .blocks = 3}, .twice = true},
    {.name = "a-bit-of-a-position-is-seen", .sabotage = A_POSITION},
    {.name = "a-changed-force-is-seen", .sabotage = A_FORCE},
    {.name = "a-changed-contact-is-seen", .sabotage = A_CONTACT},
};

static const char *scene_name, *overrides[MOST_OVERRIDES];
static unsigned n_overrides;
static scree_registry *registry;

static scree_scene *load(const char *set)
{
    g_autoptr(GError) error = NULL;
    const char *all[MOST_OVERRIDES + 2] = {NULL};
    memcpy(all, overrides, n_overrides * sizeof *all);
    all[n_overrides] = set;
    scree_scene *scene = scree_scene_load(scene_name, all, registry, &error);
    if (!scene)
        bail_out("%s", error->message);
    return scene;
}

static scree_sim *start(const char *set, scree_sim_options options)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim = scree_sim_new(load(set), &options, &error);
    if (!sim)
        bail_out("%s", error->message);
    return sim;
}

static void run_to(scree_sim *sim, uint64_t step)
{
    g_autoptr(GError) error = NULL;
    while (sim->step < step) {
        sim->watched = sim->step + 1 == step;
        if (!scree_sim_step(sim, &error))
            bail_out("%s", error->message);
    }
}

/** Flips the lowest bit of a number. */
static void flip(double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    bits ^= 1;
    memcpy(value, &bits, sizeof bits);
}

/** False: the checkpoint has nothing of this kind to break. */
static bool sabotage_state(scree_checkpoint *c, sabotage what)
{
    scree_world *w = c->snapshot->world;
    scree_contact_store *contacts = c->snapshot->contacts;
    if (what == A_POSITION)
        flip(&w->x[0][w->n_free / 2]);
    if (what == A_FORCE) // more than a bit: half a kick with it is rounded
        w->wrench[w->n_free / 2 * SCREE_WRENCH] += 1e-6;
    if (what == A_CONTACT && !c->snapshot->n_contact_fields)
        return false;
    // Two components: one of them may lie along the normal, where a spring is cut away.
    const uint32_t n_fields = c->snapshot->n_contact_fields;
    const uint64_t last = contacts->n * n_fields;
    if (what == A_CONTACT && last) {
        contacts->field[contacts->n / 2 * n_fields] += 1e-3;
        contacts->field[contacts->n / 2 * n_fields + (n_fields > 1)] += 1e-3;
    }
    g_free(c->state_sha256); // else it would be refused at once
    c->state_sha256 = scree_snapshot_sha256(c->snapshot);
    return what != A_CONTACT || last;
}

/** The hash at the end; NULL: nothing could be broken. */
static char *go_on(const restart_way *way, const char *path, uint64_t steps)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(scree_checkpoint) c = scree_checkpoint_read(path, &error);
    if (!c)
        bail_out("%s", error->message);
    if (way->sabotage != NOTHING && !sabotage_state(c, way->sabotage))
        return NULL;
    scree_sim *sim = scree_restart(load(way->set), &way->options, c, false, notes, &error);
    if (!sim)
        bail_out("%s", error->message);
    if (way->twice) {
        g_autofree char *again = g_strconcat(path, ".again", NULL);
        run_to(sim, sim->step + (steps - sim->step) / 2);
        if (!scree_checkpoint_write(sim, NULL, again, &error))
            bail_out("%s", error->message);
        scree_sim_free(sim);
        restart_way once = *way;
        once.twice = false;
        char *hash = go_on(&once, again, steps);
        unlink(again);
        return hash;
    }
    run_to(sim, steps);
    char *hash = scree_state_sha256(sim);
    scree_sim_free(sim);
    return hash;
}

/** The whole run; its state at the cut goes into a file. */
static char *reference(const char *path, uint64_t cut, uint64_t steps, uint64_t contacts[2])
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = start(NULL, (scree_sim_options){.threads = 1});
    run_to(sim, cut);
    contacts[0] = sim->counters.contacts;
    if (!scree_checkpoint_write(sim, NULL, path, &error))
        bail_out("%s", error->message);
    run_to(sim, steps);
    contacts[1] = sim->counters.contacts;
    char *hash = scree_state_sha256(sim);
    return hash;
}

int main(int argc, char **argv)
{
    uint64_t contacts[2];
    if (argc < 4 || argc - 4 > MOST_OVERRIDES) {
        fprintf(stderr, "usage: restart SCENE CUT STEPS [PATH=VALUE]...\n");
        return 2;
    }
    scene_name = argv[1];
    uint64_t cut = g_ascii_strtoull(argv[2], NULL, 10), steps = g_ascii_strtoull(argv[3], NULL, 10);
    for (int k = 4; k < argc; k++)
        overrides[n_overrides++] = argv[k];
    registry = scree_registry_new((const char *const[]){NULL}, NULL);
    g_autofree char *folder = g_dir_make_tmp("scree-restart-XXXXXX", NULL);
    g_autofree char *path = scree_checkpoint_path(folder, cut);
    g_autofree char *hash = reference(path, cut, steps, contacts);
    g_autofree char *text =
        g_strdup_printf("%" G_GUINT64_FORMAT " at step %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
                        " at step %" G_GUINT64_FORMAT ", %.16s",
                        contacts[0], cut, contacts[1], steps, hash);
    claim(contacts[1] > 0, "%s # %s", "contacts", text);
    for (size_t k = 0; k < G_N_ELEMENTS(ways); k++) {
        double begin = scree_now();
        g_autofree char *is = go_on(&ways[k], path, steps);
        if (!is) {
            claim(true, "%s # %s", ways[k].name, "SKIP no contact with a field at the cut");
            continue;
        }
        g_autofree char *detail = g_strdup_printf("%.16s %.2f s", is, scree_now() - begin);
        claim(!strcmp(is, hash) == (ways[k].sabotage == NOTHING), "%s # %s", ways[k].name, detail);
    }
    unlink(path);
    rmdir(folder);
    scree_registry_free(registry);
    return tap_end();
}
