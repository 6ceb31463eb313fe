/* SPDX-License-Identifier: Apache-2.0 */
/* Times the steps of a scene as the peers are timed: warm-up apart, results as RESULT lines.
 *
 * usage: dem_bench SCENE WARM STEPS [OPTION]... [PATH=VALUE]...
 *   --threads N, --batch N
 *   --force-every N  new extents and lists every N steps, as a peer that rebuilds its own
 *   --sample N       means of contacts, energy and height over the steps N, 2N, ..; their time is not counted
 *   --hash           the state's SHA-256 after the steps */
#include <time.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "plugin/registry.h"
#include "scene/scene.h"

static void fail(const GError *error)
{
    fprintf(stderr, "dem_bench: %s\n", error->message);
    exit(error->code);
}

static double centre_height(const scree_world *w)
{
    double mass = 0.0, moment = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        mass += w->mass[i];
        moment += w->mass[i] * w->x[w->dimension == 2 ? 1 : 2][i];
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

/** Sums over samples of a run, and the time [s] that taking them took. */
typedef struct sample_sums {
    uint64_t every; // steps; 0: no samples
    uint64_t n;
    double contacts, energy /* [J] */, height /* [m] */, seconds;
} sample_sums;

static void take_sample(sample_sums *s, const scree_sim *sim)
{
    double begin = scree_now();
    s->n++;
    s->contacts += (double)sim->counters.contacts_free;
    s->energy += translational_energy(sim->world);
    s->height += centre_height(sim->world);
    s->seconds += scree_now() - begin;
}

static void run(scree_sim *sim, uint64_t steps, uint64_t force_every, sample_sums *samples)
{
    g_autoptr(GError) error = NULL;
    for (uint64_t n = 0; n < steps; n++) {
        if (force_every && sim->step % force_every == 0) {
            sim->boxes.valid = false;
            sim->contacts.stale = true;
        }
        bool due = samples->every && (sim->step + 1) % samples->every == 0;
        sim->watched = due || n + 1 == steps;
        if (!scree_sim_step(sim, &error))
            fail(error);
        if (due)
            take_sample(samples, sim);
    }
}

/** Peak resident memory [bytes] of this program, unlike getrusage's, which survives exec. */
static uint64_t peak_memory(void)
{
    g_autofree char *text = NULL;
    const char *at = NULL;
    if (g_file_get_contents("/proc/self/status", &text, NULL, NULL))
        at = strstr(text, "VmHWM:");
    return at ? g_ascii_strtoull(at + strlen("VmHWM:"), NULL, 10) * 1024 : 0;
}

/** [s] Of the processor, by all threads of this program. */
static double used(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void print_results(const scree_sim *sim, const scree_phase_times *t, double seconds,
                          uint64_t rebuilds)
{
    const double *row = t->row;
    printf("RESULT LOOP_S %.6f\n", seconds);
    printf("RESULT REBUILDS %" G_GUINT64_FORMAT "\n", rebuilds);
    printf("RESULT CONTACTS %" G_GUINT64_FORMAT "\n", sim->counters.contacts_free);
    printf("RESULT LIST_PAIRS %" G_GUINT64_FORMAT "\n", sim->contacts.n_candidates);
    printf("RESULT KE %.10g\n", translational_energy(sim->world));
    printf("RESULT ZC %.10g\n", centre_height(sim->world));
    printf("RESULT PAIR_S %.6f\n", row[SCREE_PHASE_RESOLVE] + row[SCREE_PHASE_GATHER] +
                                       row[SCREE_PHASE_FORCE] + row[SCREE_PHASE_SUM]);
    printf("RESULT NEIGH_S %.6f\n", row[SCREE_PHASE_GCD] + row[SCREE_PHASE_ORDER]);
    printf("RESULT RSS_BYTES %" G_GUINT64_FORMAT "\n", peak_memory());
}

static void print_means(const sample_sums *s)
{
    if (s->n == 0)
        return;
    printf("RESULT SAMPLES %" G_GUINT64_FORMAT "\n", s->n);
    printf("RESULT CONTACTS_MEAN %.10g\n", s->contacts / (double)s->n);
    printf("RESULT KE_MEAN %.10g\n", s->energy / (double)s->n);
    printf("RESULT ZC_MEAN %.10g\n", s->height / (double)s->n);
}

/** Where the steps' time went, a line per row: key, lane ns per body and step; all rows sum to
 * `total`, lanes times wall time. */
static void print_ledger(const scree_sim *sim, const scree_phase_times *t, uint64_t steps)
{
    double unit = 1e9 / ((double)steps * sim->world->n_free);
    for (int p = 0; p < SCREE_PHASES; p++)
        printf("LEDGER %s %.4f\n", scree_phase_name((scree_phase)p), t->row[p] * unit);
    printf("LEDGER total %.4f\n", t->total * unit);
}

/** Settings of the command line. */
typedef struct wishes {
    scree_sim_options options;
    const char *scene, *const *overrides;
    uint64_t warm, steps, force_every, sample;
    bool hash;
} wishes;

static void usage(void)
{
    fputs("usage: dem_bench SCENE WARM STEPS [--threads N] [--batch N] [--force-every N] [--sample "
          "N] "
          "[--hash] [PATH=VALUE]...\n",
          stderr);
    exit(SCREE_EXIT_USAGE);
}

static uint64_t read_count(const char *text)
{
    guint64 value = 0;
    if (!text || !g_ascii_string_to_unsigned(text, 10, 0, INT64_MAX, &value, NULL))
        usage();
    return value;
}

static wishes read_wishes(char **argv)
{
    wishes w = {.options = {.threads = 1}};
    if (!argv[1] || !argv[2] || !argv[3])
        usage();
    w.scene = argv[1];
    w.warm = read_count(argv[2]);
    w.steps = read_count(argv[3]);
    for (argv += 4; *argv && g_str_has_prefix(*argv, "--"); argv++) {
        if (!strcmp(*argv, "--hash"))
            w.hash = true;
        else if (!strcmp(*argv, "--force-every"))
            w.force_every = read_count(*++argv);
        else if (!strcmp(*argv, "--sample"))
            w.sample = read_count(*++argv);
        else if (!strcmp(*argv, "--threads"))
            w.options.threads = (uint32_t)read_count(*++argv);
        else if (!strcmp(*argv, "--batch"))
            w.options.batch = (uint32_t)read_count(*++argv);
        else
            usage();
    }
    w.overrides = (const char *const *)argv;
    return w;
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    wishes w = read_wishes(argv);
    g_autoptr(scree_registry) registry = scree_registry_new((const char *const[]){NULL}, NULL);
    scree_scene *scene = scree_scene_load(w.scene, w.overrides, registry, &error);
    if (!scene)
        fail(error);
    g_autoptr(scree_sim) sim = scree_sim_new(scene, &w.options, &error);
    if (!sim)
        fail(error);
    run(sim, w.warm, w.force_every, &(sample_sums){.every = 0});
    uint64_t refreshes = sim->counters.gcd_calls;
    sample_sums samples = {.every = w.sample};
    double begin = scree_now(), before = used();
    scree_ledger_open(&sim->counters.ledger, sim->runtime.pool);
    run(sim, w.steps, w.force_every, &samples);
    double seconds = scree_now() - begin - samples.seconds, cpu = used() - before;
    scree_phase_times times = scree_sim_times(sim, seconds);
    print_results(sim, &times, seconds, sim->counters.gcd_calls - refreshes);
    printf("RESULT CPU_S %.6f\n", cpu);
    print_means(&samples);
    print_ledger(sim, &times, w.steps);
    if (w.hash) { // last: it needs its own memory, and the peers' driver takes only numbers
        g_autofree char *sha256 = scree_state_sha256(sim);
        printf("RESULT SHA256 %s\n", sha256);
    }
    return 0;
}
