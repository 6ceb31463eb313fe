/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the pairs of balls that may touch soon: they serve for many steps, and change no bit. */
#include <inttypes.h>

#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/digest.h"

/* 150 spheres with random velocities, of which many meet. */
#define CLOUD                                                                                      \
    "scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS                                             \
    "generate = { balls = { shape = \"sphere\"; count = 150; radius = 0.004;\n"                    \
    "  region = { min = (0.0, 0.0, 0.0); max = (0.07, 0.07, 0.07); };\n"                           \
    "  velocity_random = 2.0; }; };\n" LINEAR

/* 64 slow spheres, and 64 fast ones. */
#define TWO_CLOUDS                                                                                 \
    "scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS                                             \
    "generate = { slow = { shape = \"sphere\"; count = 64; radius = 0.004;\n"                      \
    "  region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); };\n"                           \
    "  velocity_random = 0.05; };\n"                                                               \
    " fast = { shape = \"sphere\"; count = 64; radius = 0.004;\n"                                  \
    "  region = { min = (1.0, 0.0, 0.0); max = (1.05, 0.05, 0.05); };\n"                           \
    "  velocity_random = 2.0; }; };\n" LINEAR

enum { STEPS = 400 };

/** How a test handles the lists before each step. */
typedef enum { HOST, ALWAYS_NEW, NEVER_NEW } handling;

/** *lists: number of lists that the run made. */
static char *hash_of(const char *scene, handling how, uint32_t threads, uint64_t *lists)
{
    g_autoptr(scree_sim) sim = fixture_begin(
        fixture_scene(scene), &(scree_sim_options){.threads = threads, .all_lanes = true});
    uint64_t contacts = 0;
    for (int n = 0; n < STEPS; n++) {
        if (how == ALWAYS_NEW)
            sim->contacts.near.ended = true;
        const uint32_t spoiled = how == NEVER_NEW ? sim->contacts.near.n_chunks : 0;
        for (uint32_t c = 0; c < spoiled; c++)
            sim->contacts.near.way[c] = -HUGE_VAL;
        fixture_run(sim, 1);
        contacts += sim->counters.contacts;
    }
    g_test_message("%" PRIu64 " lists in %" PRIu64 " evaluations, %" PRIu64 " refreshes",
                   sim->contacts.near.number, sim->counters.evaluations, sim->counters.gcd_calls);
    if (how != NEVER_NEW)
        g_assert_cmpuint(contacts, >, STEPS);
    *lists = sim->contacts.near.number;
    return scree_state_sha256(sim);
}

TEST("/near/lists-serve-for-many-steps-and-change-no-bit")
{
    uint64_t lists, all;
    g_autofree char *hash = hash_of(CLOUD, HOST, 1, &lists),
                    *expected = hash_of(CLOUD, ALWAYS_NEW, 1, &all);
    g_assert_cmpuint(all, >=, STEPS);
    g_assert_cmpuint(lists, <, STEPS / 2);
    g_assert_cmpstr(hash, ==, expected);
}

TEST("/near/threads-change-no-bit")
{
    uint64_t lists;
    g_autofree char *hash = hash_of(CLOUD, HOST, 2, &lists),
                    *expected = hash_of(CLOUD, HOST, 1, &lists);
    g_assert_cmpstr(hash, ==, expected);
}

TEST("/near/a-batch-has-pairs-until-its-list-is-full")
{
    enum { FULL = 16 };
    uint64_t lists, longest = 0;
    g_autofree char *expected = hash_of(CLOUD, HOST, 1, &lists);
    g_autoptr(scree_sim) sim =
        fixture_begin(fixture_scene(CLOUD), &(scree_sim_options){.threads = 1, .batch = FULL});
    for (int n = 0; n < STEPS; n++) {
        fixture_run(sim, 1);
        const scree_segment *s = &sim->plugins.contact.lists[0].segments[0];
        uint64_t pairs = 0, at = 0;
        for (; pairs < s->n_pairs; pairs += s->near[at], at += 2 + s->near[at + 1]) {
            g_assert_cmpuint(s->near[at + 1], <=, FULL);
            longest = MAX(longest, s->near[at]);
        }
        g_assert_cmpuint(pairs, ==, s->n_pairs);
    }
    g_assert_cmpuint(longest, >, 2 * FULL); // most pairs are not listed
    g_autofree char *hash = scree_state_sha256(sim);
    g_assert_cmpstr(hash, ==, expected);
}

TEST("/near/slow-bodies-have-small-margins")
{
    uint64_t lists;
    g_autofree char *expected = hash_of(TWO_CLOUDS, ALWAYS_NEW, 1, &lists);
    g_autoptr(scree_sim) sim =
        fixture_begin(fixture_scene(TWO_CLOUDS), &(scree_sim_options){.threads = 1});
    fixture_run(sim, STEPS);
    const scree_near_rule *near = &sim->contacts.near;
    g_autofree char *hash = scree_state_sha256(sim);
    g_test_message("margins %g and %g m, %" PRIu64 " lists", near->margin[0], near->margin[1],
                   near->number);
    g_assert_cmpfloat(near->margin[0], >, 0.0);
    g_assert_cmpfloat(near->margin[1], >, 4.0 * near->margin[0]);
    g_assert_cmpstr(hash, ==, expected);
}

TEST("/near/lists-that-serve-too-long-miss-a-contact")
{
    uint64_t lists;
    g_autofree char *hash = hash_of(CLOUD, NEVER_NEW, 1, &lists),
                    *right = hash_of(CLOUD, HOST, 1, &lists);
    g_assert_cmpstr(hash, !=, right);
}

TEST("/near/a-ball-that-an-evaluation-has-moved-far-is-found")
{
    // two balls far apart, but candidates: one is put next to the other between two evaluations
    g_autoptr(scree_sim) sim =
        fixture_sim("scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS
                    "extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.01; };\n"
                    "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
                    "           b = { radius = 0.01; position = (0.025, 0.0, 0.0); }; };\n" LINEAR);
    fixture_evaluate(sim);
    g_assert_cmpuint(sim->counters.contacts, ==, 0);
    const uint64_t calls = sim->counters.gcd_calls, lists = sim->contacts.near.number;
    sim->world->x[0][1] = 0.0199;
    fixture_evaluate(sim);
    g_assert_cmpuint(sim->counters.contacts, ==, 1);
    g_assert_cmpuint(sim->counters.gcd_calls, ==, calls); // within its extent
    g_assert_cmpuint(sim->contacts.near.number, ==, lists + 1);
    sim->world->x[0][1] = 0.0198;
    fixture_evaluate(sim);
    g_assert_cmpuint(sim->counters.contacts, ==, 1);
}
