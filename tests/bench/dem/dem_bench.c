/* SPDX-License-Identifier: Apache-2.0 */
/* Times the steps of a scene as the peers are timed: warm-up apart, results as RESULT lines.
 *
 * usage: dem_bench SCENE WARM STEPS [--force-every N] [--threads N] [PATH=VALUE]... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static void fail(const GError *error)
{
    fprintf(stderr, "dem_bench: %s\n", error->message);
    exit(error->code);
}

static void run(scree_sim *sim, uint64_t steps, uint64_t force_every)
{
    g_autoptr(GError) error = NULL;
    for (uint64_t n = 0; n < steps; n++) {
        if (force_every && sim->step % force_every == 0) {
            sim->boxes.valid = false; // new extents and lists, as a peer that rebuilds its own
            sim->stale = true;
        }
        if (!scree_sim_step(sim, &error))
            fail(error);
    }
}

static double centre_height(const scree_world *w)
{
    double mass = 0.0, moment = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        mass += w->mass[i];
        moment += w->mass[i] * w->x[2][i];
    }
    return moment / mass;
}

static double translational_energy(const scree_world *w)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++)
        sum += 0.5 * w->mass[i] *
               (w->v[0][i] * w->v[0][i] + w->v[1][i] * w->v[1][i] + w->v[2][i] * w->v[2][i]);
    return sum;
}

static void print_ledger(const scree_sim *sim, double scale, double total)
{
    const scree_phase_times *t = &sim->times;
    double told = t->gcd + t->order + t->resolve + t->force + t->sum + t->integrate;
    printf("LEDGER gcd %.2f order %.2f resolve %.2f force %.2f sum %.2f integrate %.2f other %.2f "
           "all %.2f ns per body and step\n",
           t->gcd * scale, t->order * scale, t->resolve * scale, t->force * scale, t->sum * scale,
           t->integrate * scale, (total - told) * scale, total * scale);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    scree_sim_options options = {.threads = 1};
    uint64_t force_every = 0;
    if (argc < 4) {
        fprintf(
            stderr,
            "usage: dem_bench SCENE WARM STEPS [--force-every N] [--threads N] [PATH=VALUE]...\n");
        return SCREE_EXIT_USAGE;
    }
    const char *scene_name = argv[1];
    uint64_t warm = g_ascii_strtoull(argv[2], NULL, 10),
             steps = g_ascii_strtoull(argv[3], NULL, 10);
    argv += 4;
    for (; argv[0] && argv[1] && g_str_has_prefix(argv[0], "--"); argv += 2) {
        uint64_t value = g_ascii_strtoull(argv[1], NULL, 10);
        if (!strcmp(argv[0], "--force-every"))
            force_every = value;
        else if (!strcmp(argv[0], "--threads"))
            options.threads = (uint32_t)value;
        else
            g_error("unknown option %s", argv[0]);
    }
    scree_registry *registry = scree_registry_new((const char *const[]){NULL}, NULL);
    scree_scene *scene = scree_scene_load(scene_name, (const char *const *)argv, registry, &error);
    if (!scene)
        fail(error);
    scree_sim *sim = scree_sim_new(scene, &options, &error);
    if (!sim)
        fail(error);
    run(sim, warm, force_every);
    sim->times = (scree_phase_times){0};
    uint64_t refreshes = sim->gcd_calls;
    double begin = scree_now();
    run(sim, steps, force_every);
    double seconds = scree_now() - begin;
    printf("RESULT LOOP_S %.6f\nRESULT REBUILDS %" G_GUINT64_FORMAT
           "\nRESULT CONTACTS %" G_GUINT64_FORMAT "\nRESULT LIST_PAIRS %" G_GUINT64_FORMAT
           "\nRESULT KE %.10g\nRESULT ZC %.10g\n"
           "RESULT PAIR_S %.6f\nRESULT NEIGH_S %.6f\n",
           seconds, sim->gcd_calls - refreshes, sim->n_contacts_free, sim->n_candidates,
           translational_energy(sim->world), centre_height(sim->world),
           sim->times.resolve + sim->times.force, sim->times.gcd + sim->times.order);
    print_ledger(sim, 1e9 / ((double)steps * sim->world->n_free), seconds);
    scree_sim_free(sim);
    return 0;
}
