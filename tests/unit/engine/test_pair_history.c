/* SPDX-License-Identifier: Apache-2.0 */
/* Hints speed a resolver up and change no bit (determinism.md, S5): a resolver that climbs from its
 * hint.
 */
#define OWN_MAIN
#include "../../test.h"
#include "../sim_fixture.h"
#include "base/random.h"
#include "engine/digest.h"

#include <stdatomic.h>

/*
 * The resolver takes the closest of 64 directions as the normal of two discs: it climbs from the
 * hinted direction to the one with the largest projection of d, and ends canonically: of the
 * directions within a tolerance of the best the lowest. `lazy` is the sin: it believes a hint that
 * is not far off, so that its contacts are sound but not those of the bodies.
 */
enum { DIRECTIONS = 64 };
static double direction[DIRECTIONS][2];
static atomic_uint_fast64_t n_steps;
static bool lazy;

static double along(uint32_t k, double x, double y)
{
    return direction[k % DIRECTIONS][0] * x + direction[k % DIRECTIONS][1] * y;
}

static uint32_t climb(uint32_t k, double x, double y)
{
    for (;;) {
        double here = along(k, x, y);
        double up = along(k + 1, x, y), down = along(k + DIRECTIONS - 1, x, y);
        atomic_fetch_add(&n_steps, 1);
        if (up <= here && down <= here)
            break;
        k = (up > down ? k + 1 : k + DIRECTIONS - 1) % DIRECTIONS;
    }
    uint32_t lowest = k, near[2] = {(k + 1) % DIRECTIONS, (k + DIRECTIONS - 1) % DIRECTIONS};
    for (int j = 0; j < 2; j++)
        if (along(near[j], x, y) >= along(k, x, y) * (1.0 - 1e-12))
            lowest = MIN(lowest, near[j]);
    return lowest;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    if (g_str_equal(pair->a->name, "disc") && g_str_equal(pair->b->name, "disc"))
        pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    uint64_t *hint = in->hints;
    *done = in->n;
    for (uint32_t p = 0; p < in->n; p++) {
        uint32_t k = (uint32_t)(hint[p] % DIRECTIONS);
        double x = in->d[0][p], y = in->d[1][p];
        if (!lazy || !hint[p] || along(k, x, y) < 0.9 * hypot(x, y))
            k = climb(k, x, y);
        hint[p] = k + DIRECTIONS; // 0 is a new candidate's
        double depth = in->radius_a[p] + in->radius_b[p] - along(k, x, y);
        if (depth < -in->range)
            continue;
        out->pair[out->n] = p;
        out->depth[out->n] = depth;
        for (int c = 0; c < 3; c++) {
            out->normal[c][out->n] = c < 2 ? direction[k][c] : 0.0;
            out->arm[c][out->n] = (in->radius_a[p] - 0.5 * depth) * out->normal[c][out->n];
        }
        out->n++;
    }
    return SCREE_OK;
}

static const scree_resolver_ops ops = {OPS(resolver, plain_create, plain_destroy),
                                       .hint_bytes = sizeof(uint64_t), .supports = supports,
                                       .resolve = resolve};
static const scree_plugin climber = {PLUGIN(RESOLVER, "climber", "of a test"), .ops = &ops};

/** Calls `change` on the hints of every segment. */
static void each_hints(scree_sim *sim, void (*change)(uint64_t *hints, uint32_t n, uint64_t seed))
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++) {
            scree_segment *s = &sim->plugins.contact.lists[l].segments[k];
            if (sim->plugins.contact.lists[l].hint_bytes && s->n_pairs)
                change((uint64_t *)(void *)s->hints, s->n_pairs, sim->step * 1000 + k);
        }
}

static void permute(uint64_t *hints, uint32_t n, uint64_t seed)
{
    for (uint32_t i = n; i > 1; i--) {
        uint64_t j = scree_random_bits(0, 1, seed, i) % i, kept = hints[i - 1];
        hints[i - 1] = hints[j];
        hints[j] = kept;
    }
}

static void randomise(uint64_t *hints, uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++)
        hints[i] = scree_random_bits(0, 2, seed, i);
}

typedef struct outcome {
    char *hash;
    uint64_t steps_of_climbs, contacts, refreshes;
} outcome;

static outcome pile(bool erase, void (*change)(uint64_t *, uint32_t, uint64_t), uint32_t blocks)
{
    scree_scene *scene = fixture_scene(PILE "resolvers = ( { plugin = \"sphere\"; }, "
                                            "{ plugin = \"sphere\"; } );\n");
    fixture_plug(scene->resolvers->pdata[0], &climber);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){.blocks = blocks});
    outcome out = {0};
    atomic_store(&n_steps, 0);
    sim->contacts.erase_hints = erase;
    for (int n = 0; n < 1500; n++) {
        fixture_run(sim, 1);
        if (change)
            each_hints(sim, change);
        out.contacts += sim->counters.contacts_free;
    }
    out.steps_of_climbs = atomic_load(&n_steps);
    out.refreshes = sim->counters.gcd_calls;
    out.hash = scree_state_sha256(sim);
    return out;
}

TEST("/hints/erased-permuted-and-random-ones-change-no-bit")
{
    outcome plain = pile(false, NULL, 1);
    g_assert_cmpuint(plain.contacts, >, 1000);
    g_assert_cmpuint(plain.refreshes, >, 5);
    const outcome others[] = {pile(true, NULL, 1), pile(false, permute, 1),
                              pile(false, randomise, 1), pile(false, randomise, 3)};
    for (size_t k = 0; k < G_N_ELEMENTS(others); k++) {
        g_assert_cmpstr(others[k].hash, ==, plain.hash);
        g_free(others[k].hash);
    }
    g_free(plain.hash);
}

TEST("/hints/carried-ones-shorten-the-search")
{
    outcome plain = pile(false, NULL, 1), erased = pile(true, NULL, 1);
    g_test_message("%" G_GUINT64_FORMAT " steps with hints, %" G_GUINT64_FORMAT " without",
                   plain.steps_of_climbs, erased.steps_of_climbs);
    g_assert_cmpuint(5 * plain.steps_of_climbs, <, erased.steps_of_climbs);
    g_free(plain.hash);
    g_free(erased.hash);
}

TEST("/hints/a-resolver-that-believes-them-is-found-out")
{
    lazy = true;
    outcome plain = pile(false, NULL, 1), erased = pile(true, NULL, 1);
    lazy = false;
    g_assert_cmpstr(plain.hash, !=, erased.hash);
    g_free(plain.hash);
    g_free(erased.hash);
}

int main(int argc, char **argv)
{
    for (int k = 0; k < DIRECTIONS; k++) {
        direction[k][0] = cos(2.0 * G_PI * k / DIRECTIONS);
        direction[k][1] = sin(2.0 * G_PI * k / DIRECTIONS);
    }
    return test_run(argc, argv);
}
