/* SPDX-License-Identifier: Apache-2.0 */
/* Balls of clumps: which ball a candidate has, and the memory that a run with clumps holds. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/balls.h"
#include "engine/contacts.h"
#include "tools/look/memory_use.h"

/* A clump of three balls on a floor of four facets, away from the first, and a ball that touches the clump. */
static scree_sim *clump_on_floor(void)
{
    return fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-6; };\n" GLASS LINEAR
        "shapes = { three = { type = \"clump\"; balls = ((-0.5, 0.0, 0.0, 1.0), (0.5, 0.0, 0.0, "
        "1.0), (0.0, 0.5, 0.0, 1.0)); };\n"
        "  floor = { type = \"mesh\"; vertices = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, "
        "0.0), (-1.0, 1.0, 0.0), (0.0, 0.0, 0.0)); facets = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, "
        "0, 4)); }; };\n"
        "bodies = { floor = { shape = \"floor\"; motion = \"fixed\"; };\n"
        "  stone = { shape = \"three\"; scale = 0.01; position = (0.0, 0.5, 0.0099); };\n"
        "  ball = { radius = 0.005; position = (-0.005, 0.5, 0.0248); }; };\n");
}

/** Checks the balls of the candidates of a segment; returns how many have a part that is not used,
 * because the body has one ball. */
static uint32_t check_balls(const scree_sim *sim, const scree_list *list, scree_segment *s)
{
    scree_lane *lane = &sim->plugins.contact.lanes[0];
    uint32_t unused = 0;
    scree_balls_collect(sim, list, s, 0, s->n_pairs, UINT32_MAX, lane);
    const scree_ball_batch *b = lane->balls;
    g_assert_cmpuint(b->n, >, 0);
    for (uint32_t c = 0; c < b->n; c++) {
        const uint32_t k = b->first[c], body[2] = {b->a[c], b->b[c]};
        const uint32_t part[2] = {s->part_a[k], s->part_b[k]};
        for (int side = 0; side < 2; side++) {
            const uint32_t own = list->clump[side] ? part[side] : 0;
            g_assert_cmpuint(b->ball[side][c], ==, sim->posed.first[body[side]] + own);
            unused += part[side] != own;
        }
    }
    return unused;
}

/** Gives the one ball of the bodies that are not clumps another part. */
static void change_parts(const scree_list *list, scree_segment *s)
{
    for (uint32_t k = 0; k < s->first[s->n_pairs]; k++)
        *(list->clump[0] ? &s->part_b[k] : &s->part_a[k]) = 7;
    s->numbered = false;
}

TEST("/balls/a-body-that-is-not-a-clump-has-one-ball-whatever-the-part")
{
    g_autoptr(scree_sim) sim = clump_on_floor();
    uint32_t unused[2] = {0, 0};
    fixture_run(sim, 1);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        const scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++) {
            scree_segment *s = &list->segments[k];
            if (!scree_list_has_clumps(list) || !s->n_pairs)
                continue;
            if (list->culled)
                change_parts(list, s);
            unused[list->culled] += check_balls(sim, list, s);
        }
    }
    g_assert_cmpuint(unused[false], >, 0); // facets of the floor
    g_assert_cmpuint(unused[true], >, 0);
}

static uint64_t count_bytes(const scree_sim *sim)
{
    scree_memory_line lines[SCREE_MEMORY_LINES];
    uint64_t sum = 0;
    scree_memory_count(sim, lines);
    for (int k = 0; k < SCREE_MEMORY_LINES; k++)
        sum += lines[k].bytes;
    return sum;
}

TEST("/balls/their-places-and-those-of-their-candidates-are-counted-as-memory")
{
    g_autoptr(scree_sim) sim = clump_on_floor();
    uint64_t parts = 0;
    fixture_run(sim, 1);
    const uint64_t all = count_bytes(sim);
    const scree_posed posed = sim->posed;
    sim->posed = (scree_posed){0};
    const uint64_t n_balls = 5, n_bodies = 3;
    g_assert_cmpuint(all - count_bytes(sim), ==,
                     n_balls * 8 * sizeof(double) + (n_bodies + 1) * sizeof(uint32_t));
    sim->posed = posed;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        const scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++) {
            scree_segment *s = &list->segments[k];
            if (!s->n_pairs || !s->ball[0])
                continue;
            const uint64_t before = count_bytes(sim);
            uint32_t *const ball[2] = {s->ball[0], s->ball[1]};
            s->ball[0] = s->ball[1] = NULL;
            parts += s->first[s->n_pairs];
            g_assert_cmpuint(before - count_bytes(sim), ==,
                             s->first[s->n_pairs] * 2 * sizeof(uint32_t));
            s->ball[0] = ball[0];
            s->ball[1] = ball[1];
        }
    }
    g_assert_cmpuint(parts, >, 0);
}
