/* SPDX-License-Identifier: Apache-2.0 */
/* One state whatever the route: the same state_sha256 over GCDs, tolerances, renewal, batches, blocks,
 * threads, snapshots, erased hints; and another one when something that matters is changed. */
#include <stdio.h>
#include <string.h>

#include "sim.h"

/** A route: overrides of the scene, options of the run, a snapshot in the middle, the last steps. */
typedef struct route {
    const char *name;
    const char *set[6];
    scree_sim_options options;
    bool snapshot, erase_hints;
} route;

static const route routes[] = {
    {"reference", {NULL}, {0}, false, false},
    {"gcd-pairing", {"gcd={plugin=\"pairing\";}"}, {0}, false, false},
    {"gcd-bounding-volume", {"gcd={plugin=\"bounding_volume\";}"}, {0}, false, false},
    {"gcd-bounding-sphere",
     {"gcd={plugin=\"bounding_volume\"; volume=\"sphere\";}"},
     {0},
     false,
     false},
    {"gcd-grid-window", {"gcd={plugin=\"grid\"; search=\"window\";}"}, {0}, false, false},
    {"tolerance-0", {"extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}"}, {0}, false, false},
    {"tolerance-large", {"extent={eps_v=3.0; eps_e=0.3; eps_c=0.0;}"}, {0}, false, false},
    {"renew-moved", {"extent={renew=\"moved\";}"}, {0}, false, false},
    {"batch-64", {NULL}, {.batch = 64}, false, false},
    {"batch-512", {NULL}, {.batch = 512}, false, false},
    {"blocks-2", {NULL}, {.blocks = 2}, false, false},
    {"blocks-5", {NULL}, {.blocks = 5}, false, false},
    {"threads-2", {NULL}, {.threads = 2}, false, false},
    {"threads-2-blocks-7", {NULL}, {.threads = 2, .blocks = 7, .batch = 100}, false, false},
    {"snapshot", {NULL}, {0}, true, false},
    {"snapshot-renew-moved", {"extent={renew=\"moved\";}"}, {.blocks = 3}, true, false},
    {"hints-erased", {NULL}, {0}, false, true},
};

static const char *scene_name;
static uint64_t n_steps;
static unsigned n_tests, n_failed;

static void result(bool ok, const char *name, const char *detail)
{
    n_tests++;
    n_failed += !ok;
    printf("%s %u %s%s%s\n", ok ? "ok" : "not ok", n_tests, name, *detail ? " # " : "", detail);
    fflush(stdout);
}

static scree_sim *start(const char *const *set, const scree_sim_options *options)
{
    g_autoptr(GError) error = NULL;
    scree_registry *registry = scree_registry_new((const char *const[]){NULL}, NULL);
    scree_scene *scene = scree_scene_load(scene_name, set, registry, &error);
    scree_sim *sim = scene ? scree_sim_new(scene, options, &error) : NULL;
    if (!sim) {
        printf("Bail out! %s\n", error->message);
        exit(1);
    }
    return sim;
}

static void run(scree_sim *sim, uint64_t steps)
{
    g_autoptr(GError) error = NULL;
    for (uint64_t n = 0; n < steps; n++)
        if (!scree_sim_step(sim, &error)) {
            printf("Bail out! %s\n", error->message);
            exit(1);
        }
}

static char *travel(const route *r, uint64_t *contacts)
{
    scree_sim *sim = start(r->set, &r->options);
    sim->erase_hints = r->erase_hints;
    if (r->snapshot) {
        run(sim, n_steps / 3);
        scree_snapshot *snapshot = scree_snapshot_take(sim);
        run(sim, n_steps / 5 + 7); // goes elsewhere, then back
        scree_snapshot_restore(sim, snapshot);
        scree_snapshot_free(snapshot);
        run(sim, n_steps - n_steps / 3);
    } else {
        run(sim, n_steps);
    }
    char *hash = scree_state_sha256(sim);
    *contacts = sim->n_contacts;
    scree_sim_free(sim);
    return hash;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    scene_name = argv[1];
    n_steps = g_ascii_strtoull(argv[2], NULL, 10);
    printf("1..%zu\n", G_N_ELEMENTS(routes) + 1);
    uint64_t contacts = 0;
    g_autofree char *reference = travel(&routes[0], &contacts);
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT " contacts, %.16s", contacts, reference);
    result(contacts > 0, "contacts at the end", text);
    for (size_t k = 0; k < G_N_ELEMENTS(routes); k++) {
        double begin = scree_now();
        g_autofree char *hash = travel(&routes[k], &contacts);
        g_autofree char *detail = g_strdup_printf("%.16s %.2f s", hash, scree_now() - begin);
        result(!strcmp(hash, reference), routes[k].name, detail);
    }
    return n_failed ? 1 : 0;
}
