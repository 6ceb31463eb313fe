/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes that a rank takes out of contact detection, against brute force over all boxes. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/conformal.h"
#include "engine/rank_rows.h"
#include "engine/vicinity.h"

enum { RANKS = 3 };

static bool meet(const scree_boxes *b, uint32_t i, const double lo[3], const double hi[3])
{
    for (int k = 0; k < 3; k++)
        if (!(b->lo[k][i] <= hi[k] && lo[k] <= b->hi[k][i]))
            return false;
    return true;
}

/** Checks the boxes that a rank with rows [first, end) keeps. Returns how many it has emptied. */
static uint32_t check_rows(scree_sim *sim, uint32_t first, uint32_t end)
{
    const scree_box_set *set = &sim->boxes;
    const scree_boxes *b = &set->view;
    double room[2][3] = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    g_autofree bool *near = g_new0(bool, b->n), *inside = g_new0(bool, b->n);
    const uint32_t last = scree_conformal_offered(sim) ? sim->world->n_free : sim->world->n;
    uint32_t emptied = 0;
    for (uint32_t s = 0; s < b->n; s++) {
        const uint32_t body = scree_box_body(set, s);
        if (body < first || body >= end)
            continue;
        const double lo[3] = {b->lo[0][s], b->lo[1][s], b->lo[2][s]},
                     hi[3] = {b->hi[0][s], b->hi[1][s], b->hi[2][s]};
        for (int k = 0; k < 3; k++) {
            room[0][k] = fmin(room[0][k], lo[k]);
            room[1][k] = fmax(room[1][k], hi[k]);
        }
        for (uint32_t t = 0; t < b->n; t++)
            near[t] = near[t] || meet(b, t, lo, hi);
    }
    for (uint32_t s = 0; s < b->n; s++)
        inside[s] = meet(b, s, room[0], room[1]);
    scree_vicinity_pick(sim, &sim->boxes);
    for (uint32_t s = 0; s < b->n; s++) {
        const uint32_t body = scree_box_body(set, s);
        const bool empty = scree_box_empty(b, s);
        emptied += empty;
        if (near[s] || body >= last) // surfaces stay whole
            g_assert_false(empty);
        else if (!inside[s])
            g_assert_true(empty);
    }
    return emptied;
}

/** Each of some ranks looks at the boxes of a scene; the first `none` of them have no rows. Returns
 * the number of boxes that they have emptied. */
static uint32_t check_scene(const char *text, uint32_t none)
{
    uint32_t emptied = 0;
    for (uint32_t k = 0; k < RANKS; k++) {
        g_autoptr(scree_sim) sim = fixture_begin(fixture_scene(text), &(scree_sim_options){0});
        scree_ranks ranks = {.rank = k, .n = RANKS, .apart = true};
        const uint32_t n = sim->world->n_free, n_blocks = sim->contacts.n_blocks;
        uint32_t first[RANKS + 1] = {[RANKS] = n}, *const own = sim->contacts.block_first;
        for (uint32_t r = none; r < RANKS; r++)
            first[r] = (r - none) * n / (RANKS - none);
        sim->ranks = &ranks;
        sim->contacts.block_first = first;
        sim->contacts.n_blocks = RANKS;
        emptied += check_rows(sim, first[k], first[k + 1]);
        sim->contacts.block_first = own;
        sim->contacts.n_blocks = n_blocks;
        sim->ranks = NULL;
        scree_vicinity_free(ranks.vicinity);
    }
    return emptied;
}

TEST("/vicinity/boxes-that-own-ones-meet-are-kept-and-those-out-of-their-room-are-not")
{
    g_assert_cmpuint(check_scene(PILE, 0), >, 0);
}

TEST("/vicinity/images-in-a-periodic-cell-too")
{
    const uint32_t emptied =
        check_scene("scene = { dimension = 3; dt = 2.0e-5; boundary = \"periodic\";\n"
                    "  region = { min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }; };\n" GLASS
                    "generate = { balls = { shape = \"sphere\"; count = 500; radius = 0.001;\n"
                    "  velocity_random = 1.0; }; };\n" LINEAR,
                    0);
    g_assert_cmpuint(emptied, >, 0);
}

TEST("/vicinity/a-rank-without-rows-looks-at-no-body")
{
    g_assert_cmpuint(check_scene(PILE, 1), >, 30);
}

/* A row of equal balls that touch, and a fixed one as wide as the row. */
TEST("/vicinity/boxes-that-just-touch-and-one-as-wide-as-the-room-are-kept")
{
    g_autoptr(GString) text = g_string_new("scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS LINEAR
                                           "extent = { renew = \"moved\"; };\n" // boxes stay
                                           "bodies = {\n wide = { radius = 0.05;\n"
                                           "  position = (0.03, 0.055, 0.0); motion = \"fixed\"; "
                                           "};\n");
    for (int k = 0; k < 30; k++)
        g_string_append_printf(text, " b%d = { radius = 0.001; position = (%g, 0.0, 0.0); };\n", k,
                               0.002 * k);
    g_string_append(text, "};\n");
    g_assert_cmpuint(check_scene(text->str, 0), >, 0);
}
