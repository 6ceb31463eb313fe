/* SPDX-License-Identifier: Apache-2.0 */
/* One state whatever the route: the same state_sha256 over GCDs, tolerances, renewal, batches,
 * blocks, threads, snapshots, erased hints; and another one when something that matters is changed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "base/clock.h"
#include "engine/body_index.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/restart/snapshot_restore.h"

enum { MOST_OVERRIDES = 16 };

/** The fault of a negative control. */
typedef enum sabotage {
    NOTHING,
    DROP_A_PAIR,
    REVERSE_A_ROW,
    OTHER_START,
    OTHER_SEED, // of a scene whose modifiers draw random numbers
} sabotage;

typedef struct route {
    const char *name;
    const char *set, *also;
    scree_sim_options options;
    bool snapshot, erase_hints, other_lanes, other_renewals;
    sabotage sabotage;
    bool watched; /* each step is complete before the next one begins */
} route;

/** Other GCDs follow with their defaults, see compare_default. */
static const route routes[] = {
    {.name = "again"},
    {.name = "gcd-pairing", .set = "gcd={plugin=\"pairing\";}"},
    {.name = "gcd-bounding-sphere", .set = "gcd={plugin=\"bounding_volume\"; volume=\"sphere\";}"},
    {.name = "gcd-dess", .set = "gcd={plugin=\"dess\";}"},
    {.name = "gcd-grid-window", .set = "gcd={plugin=\"grid\"; search=\"window\";}"},
    {.name = "gcd-bvh-renew-moved",
     .set = "gcd={plugin=\"bvh\";}",
     .also = "extent={renew=\"moved\";}"},
    {.name = "gcd-sort-update-moved",
     .set = "gcd={plugin=\"sort_update\"; exchanges=1000000;}",
     .also = "extent={renew=\"moved\";}"},
    {.name = "gcd-neighbor-list",
     .set = "gcd={plugin=\"neighbor_list\";}",
     .also = "extent={renew=\"moved\";}"},
    {.name = "gcd-compare",
     .set = "gcd={plugin=\"compare\"; first={plugin=\"bvh\";}; second={plugin=\"hgrid\";};}"},
    {.name = "gcd-auto", .set = "gcd={plugin=\"auto\"; change=1.0; budget=1.0; rounds=1;}"},
    {.name = "gcd-cell-space-moved",
     .set = "gcd={plugin=\"cell_space\"; target=2;}",
     .also = "extent={renew=\"moved\";}"},
    {.name = "gcd-bsp-moved",
     .set = "gcd={plugin=\"bsp\"; capacity=4;}",
     .also = "extent={renew=\"moved\";}"},
    {.name = "gcd-hgrid", .set = "gcd={plugin=\"hgrid\";}"},
    {.name = "tolerance-0", .set = "extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}"},
    {.name = "tolerance-large", .set = "extent={eps_v=3.0; eps_e=0.3; eps_c=0.0;}"},
    {.name = "renew-moved", .set = "extent={renew=\"moved\";}"},
    {.name = "renewals-that-change",
     .set = "extent={renew=\"all\";}",
     .also = "gcd={plugin=\"bvh\";}",
     .other_renewals = true},
    {.name = "batch-64", .options = {.batch = 64}},
    {.name = "batch-256", .options = {.batch = 256}},
    {.name = "blocks-2", .options = {.blocks = 2}},
    {.name = "blocks-5", .options = {.blocks = 5}},
    {.name = "threads-2", .options = {.threads = 2, .all_lanes = true}},
    {.name = "threads-2-blocks-7",
     .options = {.threads = 2, .all_lanes = true, .blocks = 7, .batch = 100}},
    {.name = "lanes-that-change",
     .options = {.threads = 3, .all_lanes = true},
     .other_lanes = true},
    {.name = "snapshot", .snapshot = true},
    {.name = "snapshot-renew-moved",
     .set = "extent={renew=\"moved\";}",
     .options = {.blocks = 3},
     .snapshot = true},
    {.name = "guard-sample",
     .set = "guard={sample=7;}",
     .options = {.threads = 2, .all_lanes = true}},
    {.name = "hints-erased", .erase_hints = true},
    {.name = "watched", .watched = true},
    {.name = "watched-snapshot",
     .options = {.threads = 2, .all_lanes = true},
     .snapshot = true,
     .watched = true},
    {.name = "a-gcd-that-drops-a-touching-pair-is-seen", .sabotage = DROP_A_PAIR},
    {.name = "a-row-summed-in-reverse-is-seen", .sabotage = REVERSE_A_ROW},
    {.name = "another-start-is-seen", .sabotage = OTHER_START},
    {.name = "another-seed-is-seen", .set = "scene.seed=4711", .sabotage = OTHER_SEED},
};

static const char *scene_name, *overrides[MOST_OVERRIDES];
static unsigned n_overrides;
static uint64_t n_steps;
static scree_registry *registry; // of all runs

static scree_sim *start(const route *r)
{
    g_autoptr(GError) error = NULL;
    const char *all[MOST_OVERRIDES + 3] = {NULL};
    memcpy(all, overrides, n_overrides * sizeof *all);
    all[n_overrides] = r->set;
    all[n_overrides + 1] = r->set ? r->also : NULL;
    scree_scene *scene = scree_scene_load(scene_name, all, registry, &error);
    scree_sim *sim = scene ? scree_sim_new(scene, &r->options, &error) : NULL;
    if (!sim)
        bail_out("%s", error->message);
    return sim;
}

static bool other_lanes, other_renewals; // from step to step

static void run(scree_sim *sim, bool watched, uint64_t steps)
{
    g_autoptr(GError) error = NULL;
    for (uint64_t n = 0; n < steps; n++) {
        sim->watched = watched || n + 1 == steps;
        if (other_lanes)
            scree_pool_use(sim->runtime.pool, 1 + (uint32_t)(n % 3));
        if (other_renewals)
            sim->extents.renew_moved = n % 7 < 4;
        if (!scree_sim_step(sim, &error))
            bail_out("%s", error->message);
    }
}

/* ---- negative controls ------------------------------------------------------------------------
 */

static const scree_gcd_ops *inner_gcd;
static const scree_sim *victim;
static uint64_t touching[2]; // ids of two free bodies that touch at the end of the reference run
static scree_pair *offered;

static int32_t reserve_through(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    scree_pair_sink *real = sink->ctx;
    int32_t code = real->reserve(real, n, out);
    offered = *out;
    return code;
}

/** Passes on all pairs but that of the two touching bodies. */
static int32_t commit_less(scree_pair_sink *sink, uint64_t n)
{
    scree_pair_sink *real = sink->ctx;
    const scree_box_set *set = &victim->boxes;
    const uint64_t *id = victim->world->id;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t i = id[scree_box_body(set, offered[k].a)];
        uint64_t j = id[scree_box_body(set, offered[k].b)];
        if (MIN(i, j) == touching[0] && MAX(i, j) == touching[1])
            offered[k--] = offered[--n];
    }
    return real->commit(real, n);
}

static int32_t find_less(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    scree_pair_sink between = {.size = sizeof between,
                               .lane = sink->lane,
                               .ctx = sink,
                               .reserve = reserve_through,
                               .commit = commit_less};
    return inner_gcd->find_neighbors(instance, first, last, &between);
}

static void drop_a_pair(scree_sim *sim)
{
    static scree_gcd_ops less;
    inner_gcd = sim->plugins.gcd_ops;
    less = *inner_gcd;
    less.find_neighbors = find_less;
    victim = sim;
    sim->plugins.gcd_ops = &less;
}

/** Remembers two free bodies that touch and are not bonded; false when none do. */
static bool remember_touching(const scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_export(sim);
    g_autofree uint32_t *by_id = scree_body_index_new(sim->world);
    bool found = false;
    for (uint64_t c = 0; c < store->n && !found; c++) {
        const scree_contact_key *key = &store->key[c];
        found = !store->keep[c] &&
                scree_body_index_find(sim->world, by_id, key->id_a) < sim->world->n_free &&
                scree_body_index_find(sim->world, by_id, key->id_b) < sim->world->n_free;
        touching[0] = MIN(key->id_a, key->id_b);
        touching[1] = MAX(key->id_a, key->id_b);
    }
    scree_contact_store_free(store);
    return found;
}

/** Force on body i from the list of contacts, summed from the last to the first. */
static void sum_backwards(const scree_sim *sim, const scree_contact_list *list, uint32_t i,
                          double force[3])
{
    const scree_world *w = sim->world;
    for (int k = 0; k < 3; k++) {
        force[k] = 0.0 + w->mass[i] * w->gravity[k];
        for (uint64_t c = list->n; c-- > 0;)
            if (list->a[c] == i || list->b[c] == i)
                force[k] += list->a[c] == i ? list->f[k][c] : -list->f[k][c];
    }
}

/** Sums one body's forces backwards; false when no body's sum has other bits for it. */
static bool reverse_a_row(scree_sim *sim)
{
    scree_view view;
    scree_energy energy;
    scree_contact_list list;
    sim->records.contacts = true;
    run(sim, true, 1);
    sim->records.contacts = false;
    scree_view_fill(sim, &view, &energy);
    g_assert_true(scree_record_list(sim, &list));
    for (uint32_t i = 0; i < sim->world->n_free; i++) {
        double force[3], *wrench = sim->world->wrench + (size_t)i * SCREE_WRENCH;
        sum_backwards(sim, &list, i, force);
        if (force[0] == wrench[0] && force[1] == wrench[1] && force[2] == wrench[2])
            continue;
        bool near = true; // the same sum but for rounding, or a modifier acts on it as well
        for (int k = 0; k < 3; k++)
            near = near && fabs(force[k] - wrench[k]) <= 1e-9 * fabs(wrench[k]) + 1e-12;
        if (!near)
            continue;
        memcpy(wrench, force, sizeof force);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------- */

/** How many modifiers have global fields, and how many of them have something in these. */
static unsigned n_modifiers, n_worked;
static uint64_t contacts_at_the_end; // of the reference run

static void count_worked(const scree_sim *sim)
{
    for (unsigned m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_instance *modifier = sim->plugins.body.modifiers->pdata[m];
        if (!modifier->plugin->n_fields)
            continue;
        n_modifiers++;
        n_worked += sim->plugins.body.global_field[modifier->first_global_field] > 0.0;
    }
}

/** Is the route one of this run? All GCDs have tests of their own, the others take a few. */
static bool wanted(const route *r, bool gcds)
{
    static const char *const few[] = {"gcd-pairing",         "gcd-bounding-sphere", "gcd-dess",
                                      "gcd-bvh-renew-moved", "gcd-hgrid",           NULL};
    bool is_gcd = g_str_has_prefix(r->name, "gcd-") || r->sabotage == DROP_A_PAIR;
    return gcds ? is_gcd : !is_gcd || r->sabotage != NOTHING || g_strv_contains(few, r->name);
}

/** Runs a route; NULL when its control finds nothing to break. */
static char *travel(const route *r, uint64_t *contacts)
{
    g_autoptr(scree_sim) sim = start(r);
    sim->contacts.erase_hints = r->erase_hints;
    other_lanes = r->other_lanes;
    other_renewals = r->other_renewals;
    bool broken = true;
    if (r->sabotage == DROP_A_PAIR)
        drop_a_pair(sim);
    else if (r->sabotage == OTHER_START)
        sim->world->x[0][0] = nextafter(sim->world->x[0][0], HUGE_VAL);
    if (r->snapshot) {
        run(sim, r->watched, n_steps / 3);
        scree_snapshot *snapshot = scree_snapshot_quick(NULL, sim);
        scree_snapshot_sort(snapshot);
        run(sim, r->watched, n_steps / 5 + 7); // goes elsewhere, then back
        scree_snapshot_restore(sim, snapshot);
        scree_snapshot_free(snapshot);
        run(sim, r->watched, n_steps - n_steps / 3);
    } else if (r->sabotage == REVERSE_A_ROW) {
        run(sim, r->watched, n_steps - 1);
        broken = reverse_a_row(sim);
    } else {
        run(sim, r->watched, n_steps);
    }
    char *hash = broken ? scree_state_sha256(sim) : NULL;
    if (contacts)
        *contacts = sim->counters.contacts;
    if (contacts)
        count_worked(sim);
    if (contacts && !remember_touching(sim))
        touching[0] = touching[1] = UINT64_MAX;
    return hash;
}

static void compare_with(const char *reference, const route *r)
{
    if (r->sabotage == OTHER_SEED && !n_modifiers) {
        claim(true, "%s # %s", r->name, "SKIP nothing is random in the run of this scene");
        return;
    }
    double begin = scree_now();
    g_autofree char *hash = travel(r, NULL);
    if (!hash) { // with one or two contacts the order of a sum does not show
        claim(contacts_at_the_end < 20, "%s # %s", r->name,
              "SKIP no sum has other bits when it is reversed");
        return;
    }
    g_autofree char *detail = g_strdup_printf("%.16s %.2f s", hash, scree_now() - begin);
    claim((strcmp(hash, reference) == 0) == (r->sabotage == NOTHING), "%s # %s", r->name, detail);
}

/** The route of a GCD with its defaults, unless the table has it. */
static void compare_default(const char *reference, const char *id)
{
    g_autofree char *set = g_strdup_printf("gcd={plugin=\"%s\";}", id);
    g_autofree char *name = g_strdup_printf("gcd-%s", id);
    for (size_t k = 0; k < G_N_ELEMENTS(routes); k++)
        if (!routes[k].also && !g_strcmp0(routes[k].set, set))
            return;
    compare_with(reference, &(route){.name = name, .set = set});
}

int main(int argc, char **argv)
{
    uint64_t contacts = 0;
    bool hash_only = argc > 1 && !strcmp(argv[1], "--hash");
    const char *gcds = argc > 2 && !strcmp(argv[1], "--gcds") ? argv[2] : NULL;
    int skipped = gcds ? 2 : hash_only;
    argc -= skipped;
    argv += skipped;
    if (argc < 3 || argc - 3 > MOST_OVERRIDES) {
        fprintf(stderr, "usage: routes [--hash | --gcds ID,ID..] SCENE STEPS [PATH=VALUE]...\n");
        return 2;
    }
    scene_name = argv[1];
    n_steps = g_ascii_strtoull(argv[2], NULL, 10);
    for (int k = 3; k < argc; k++)
        overrides[n_overrides++] = argv[k];
    registry = scree_registry_new((const char *const[]){NULL}, NULL);
    g_autofree char *reference = travel(&(route){.name = "reference"}, &contacts);
    if (hash_only) {
        printf("%s %" G_GUINT64_FORMAT "\n", reference, contacts);
        scree_registry_free(registry);
        return 0;
    }
    contacts_at_the_end = contacts;
    g_autofree char *text =
        g_strdup_printf("%" G_GUINT64_FORMAT " contacts, %.16s", contacts, reference);
    claim(contacts > 0, "%s # %s", "contacts-at-the-end", text);
    g_autofree char *worked = g_strdup_printf("%u of %u", n_worked, n_modifiers);
    claim(n_worked == n_modifiers, "%s # %s", "modifiers-that-count-have-counted", worked);
    for (size_t k = 0; k < G_N_ELEMENTS(routes); k++)
        if (wanted(&routes[k], gcds))
            compare_with(reference, &routes[k]);
    g_auto(GStrv) ids = g_strsplit(gcds ? gcds : "", ",", -1);
    for (char **id = ids; *id; id++)
        compare_default(reference, *id);
    scree_registry_free(registry);
    return tap_end();
}
