/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates against brute force over the extents; faults of a GCD are reported. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/conformal.h"
#include "engine/sim.h"

typedef struct candidate {
    uint64_t id_a, id_b; /* of the row and the column */
    scree_cells shift;
    uint32_t part_row, part_col;
} candidate;

static int compare(const void *pa, const void *pb)
{
    return memcmp(pa, pb, sizeof(candidate)); // any order will do
}

/** The candidates of the lists, without planes, sorted. */
static GArray *listed(const scree_sim *sim)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(candidate));
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++) {
            const scree_segment *s = &sim->plugins.contact.lists[l].segments[k];
            for (uint32_t p = 0; !sim->plugins.contact.lists[l].has_planes && p < s->n_pairs; p++)
                for (uint32_t j = s->first ? s->first[p] : 0; j < (s->first ? s->first[p + 1] : 1);
                     j++) {
                    bool row_is_a = s->a[p] < s->b[p];
                    candidate one = {scree_pair_row(s, p), scree_pair_column(s, p),
                                     s->shift ? s->shift[p] : SCREE_SHIFT_ZERO, 0, 0};
                    if (s->first) {
                        one.part_row = row_is_a ? s->part_a[j] : s->part_b[j];
                        one.part_col = row_is_a ? s->part_b[j] : s->part_a[j];
                    }
                    g_array_append_val(all, one);
                }
        }
    g_array_sort(all, compare);
    return all;
}

static bool boxes_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        if (b->lo[k][i] > b->hi[k][j] || b->lo[k][j] > b->hi[k][i])
            return false;
        square += (b->centre[k][i] - b->centre[k][j]) * (b->centre[k][i] - b->centre[k][j]);
    }
    return square <= (b->radius[i] + b->radius[j]) * (b->radius[i] + b->radius[j]);
}

/** Every pair of slots that meet, as seen from the lower body; twice found is once there. */
static GArray *brute(const scree_sim *sim)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(candidate));
    const scree_box_set *set = &sim->boxes;
    const scree_world *w = sim->world;
    for (uint32_t i = 0; i < set->view.n; i++)
        for (uint32_t j = 0; j < set->view.n; j++) {
            uint32_t a = set->body[i], b = set->body[j];
            if (i == j || a > b || a >= w->n_free || b == SCREE_NONE)
                continue;
            int32_t of_i[3], of_j[3], s[3];
            scree_shift_unpack(set->image[i], of_i);
            scree_shift_unpack(set->image[j], of_j);
            for (int k = 0; k < 3; k++)
                s[k] = (of_j[k] - w->image[k][b]) - (of_i[k] - w->image[k][a]);
            candidate one = {a, b, scree_shift_pack(s), set->part[i], set->part[j]};
            if ((a != b || one.shift > SCREE_SHIFT_ZERO) && boxes_meet(&set->view, i, j) &&
                !scree_conformal_apart(sim, i, j))
                g_array_append_val(all, one);
        }
    g_array_sort(all, compare);
    for (guint k = 1; k < all->len;)
        if (compare(&g_array_index(all, candidate, k - 1), &g_array_index(all, candidate, k)) == 0)
            g_array_remove_index(all, k);
        else
            k++;
    return all;
}

static void assert_brute(const scree_sim *sim, guint at_least)
{
    g_autoptr(GArray) got = listed(sim), expected = brute(sim);
    g_assert_cmpuint(expected->len, >=, at_least);
    g_assert_cmpmem(got->data, got->len * sizeof(candidate), expected->data,
                    expected->len * sizeof(candidate));
}

static void run_brute(const char *text, int n_steps)
{
    static const uint32_t blocks[] = {1, 4};
    for (size_t k = 0; k < G_N_ELEMENTS(blocks); k++) {
        scree_sim *sim =
            fixture_begin(fixture_scene(text), &(scree_sim_options){.blocks = blocks[k]});
        for (int n = 0; n < n_steps; n += 50) {
            sim->contacts.stale = true; // history of old candidates is then dropped too
            fixture_evaluate(sim);
            sim->contacts.stale = true;
            fixture_evaluate(sim);
            assert_brute(sim, n ? 1 : 0);
            fixture_run(sim, 50);
        }
        scree_sim_free(sim);
    }
}

TEST("/search/candidates-of-discs-and-facets-are-those-of-brute-force")
{
    run_brute(PILE, 800);
}

TEST("/search/candidates-of-a-periodic-gas-are-those-of-brute-force")
{
    run_brute(GAS, 500);
}

/* A cell hardly larger than the balls: a ball meets its own images and another one several times.
 */
static const char crowded[] =
    "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"
    "  max = (0.021, 0.021, 0.05); }; boundary = \"periodic\"; };\n" GLASS
    "bodies = { a = { radius = 0.01; position = (0.0001, 0.0002, 0.01); };\n"
    "           b = { radius = 0.01; position = (0.0105, 0.011, 0.028); }; };\n"
    "extent = { eps_c = 0.002; };\n" LINEAR;

TEST("/search/a-body-meets-its-own-images")
{
    g_autoptr(scree_sim) sim = fixture_sim(crowded);
    g_autoptr(GArray) got = listed(sim);
    uint32_t own = 0;
    for (guint k = 0; k < got->len; k++)
        own += g_array_index(got, candidate, k).id_a == g_array_index(got, candidate, k).id_b;
    g_assert_cmpuint(own, ==, 4); // two bodies, x and y
    assert_brute(sim, 6);
}

/* A GCD of the test: brute force, and then a sin. */
static scree_boxes boxes;
static scree_pair sin_pair; /* emitted last */
static bool sins;

static int32_t gcd_init(void *instance, const scree_boxes *b, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t gcd_step(void *instance, const scree_boxes *b, const uint32_t *moved, uint32_t n,
                        uint64_t *n_pivots)
{
    boxes = *b;
    *n_pivots = 1;
    return SCREE_OK;
}

static int32_t gcd_find(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    scree_pair *out;
    for (uint32_t i = 0; i < boxes.n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (boxes_meet(&boxes, i, j)) {
                sink->reserve(sink, 1, &out);
                *out = (scree_pair){i, j};
                sink->commit(sink, 1);
            }
    if (!sins)
        return SCREE_OK;
    sink->reserve(sink, 1, &out);
    *out = sin_pair;
    return sink->commit(sink, 1);
}

static int32_t gcd_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    return SCREE_OK;
}

static const scree_gcd_ops gcd_ops = {OPS(gcd, plain_create, plain_destroy), .init = gcd_init,
                                      .step_init = gcd_step, .find_neighbors = gcd_find,
                                      .find_objects = gcd_objects};
static const scree_plugin sinner = {PLUGIN(GCD, "sinner", "of a test"), .ops = &gcd_ops};

static void assert_blamed(const char *base, scree_pair pair, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(base, "gcd = { plugin = \"grid\"; };\n", NULL);
    scree_scene *scene = fixture_scene(text);
    fixture_plug(scene->gcd, &sinner);
    sins = expected != NULL;
    sin_pair = pair;
    scree_sim *sim = scree_sim_new(scene, &(scree_sim_options){0}, &error);
    if (!expected) {
        g_assert_no_error(error);
        scree_sim_free(sim);
        return;
    }
    g_assert_null(sim);
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
    g_assert_nonnull(strstr(error->message, "gcd/sinner (gcd) misbehaved"));
    g_assert_cmpstr(strstr(error->message, expected) ? expected : error->message, ==, expected);
}

#define PAIR_OF_BALLS                                                                              \
    "bodies = { a = { radius = 0.01; position = (0.001, 0.02, 0.02); };\n"                         \
    "           b = { radius = 0.01; position = (0.02, 0.02, 0.02); }; };\n" LINEAR
#define OPEN "scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS PAIR_OF_BALLS
#define PERIODIC                                                                                   \
    "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"                    \
    "  max = (0.1, 0.1, 0.1); }; boundary = \"periodic\"; };\n" GLASS PAIR_OF_BALLS

TEST("/search/a-gcd-is-blamed-for-what-it-emits")
{
    static const char *const scenes[] = {OPEN, PERIODIC};
    for (int k = 0; k < 2; k++) {
        assert_blamed(scenes[k], (scree_pair){0, 1}, NULL); // without the sin no fault
        assert_blamed(scenes[k], (scree_pair){0, 1}, "emitted twice");
        assert_blamed(scenes[k], (scree_pair){1, 0}, "emitted twice");
        assert_blamed(scenes[k], (scree_pair){1, 1}, "a box with itself");
        assert_blamed(scenes[k], (scree_pair){0, 1000}, "no such box");
        assert_blamed(scenes[k], (scree_pair){SCREE_NONE, 0}, "no such box");
    }
}
