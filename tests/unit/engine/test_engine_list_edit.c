/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that are edited where few bodies have moved, against all pairs of boxes. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "base/random.h"
#include "engine/contacts.h"
#include "engine/evaluate.h"
#include "engine/extent.h"

enum { N = 260, SEED = 11 };

/* An incremental GCD of the test: all pairs, or those with a box that moved. */
static scree_boxes boxes;
static uint8_t moved_box[2 * N];
static bool all_moved;
static uint64_t n_partial;

static int32_t gcd_init(void *instance, const scree_boxes *b, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t gcd_step(void *instance, const scree_boxes *b, const uint32_t *moved, uint32_t n,
                        uint64_t *n_pivots)
{
    boxes = *b;
    *n_pivots = 1;
    all_moved = !moved;
    n_partial += moved && n && n < N / 8;
    memset(moved_box, 0, sizeof moved_box);
    const uint32_t n_listed = moved ? n : 0;
    for (uint32_t k = 0; k < n_listed; k++)
        moved_box[moved[k]] = 1;
    return SCREE_OK;
}

static bool meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    const double reach = b->radius[i] + b->radius[j];
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (b->centre[k][i] - b->centre[k][j]) * (b->centre[k][i] - b->centre[k][j]);
    return square <= reach * reach;
}

static int32_t gcd_find(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    scree_pair *out;
    for (uint32_t i = 0; i < boxes.n; i++)
        for (uint32_t j = 0; j < i; j++)
            if ((all_moved || moved_box[i] || moved_box[j]) && meet(&boxes, i, j)) {
                sink->reserve(sink, 1, &out);
                *out = (scree_pair){i, j};
                sink->commit(sink, 1);
            }
    return SCREE_OK;
}

static int32_t gcd_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    return SCREE_OK;
}

static const scree_gcd_ops gcd_ops = {OPS(gcd, plain_create, plain_destroy), .init = gcd_init,
                                      .step_init = gcd_step, .find_neighbors = gcd_find,
                                      .find_objects = gcd_objects};
static const scree_plugin all_pairs = {PLUGIN(GCD, "all", "of a test"),
                                       .flags = SCREE_CAP_INCREMENTAL, .ops = &gcd_ops};

static double draw(uint64_t n, uint64_t k)
{
    return scree_random_unit(SEED, 0, n, k);
}

static scree_sim *begin(uint32_t blocks)
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS
                     "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };\n"
                     "  side = { type = \"plane\"; normal = (1.0, 0.0, 0.0); }; };\n"
                     "bodies = { floor = { shape = \"floor\"; }; side = { shape = \"side\"; };\n");
    for (uint64_t i = 0; i < N; i++)
        g_string_append_printf(
            text, "b%u = { radius = %.4f; position = (%.4f, %.4f, %.4f); motion = \"%s\"; };\n",
            (unsigned)i, 0.006 + 0.006 * draw(i, 3), 0.12 * draw(i, 0), 0.12 * draw(i, 1),
            0.12 * draw(i, 2), i % 9 ? "free" : "fixed");
    g_string_append(text, "};\nextent = { renew = \"moved\"; eps_e = 0.02; };\n" LINEAR);
    g_string_append(text, "gcd = { plugin = \"grid\"; };\n");
    scree_scene *scene = fixture_scene(text->str);
    fixture_plug(scene->gcd, &all_pairs);
    return fixture_begin(scene, &(scree_sim_options){.blocks = blocks});
}

/** Marks each pair of a segment, which must ascend by row and column; returns their number. */
static uint32_t mark_pairs(const scree_sim *sim, const scree_segment *s, uint8_t (*in)[N + 2])
{
    const scree_world *w = sim->world;
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        const uint32_t row = scree_pair_row(s, p), col = scree_pair_column(s, p);
        const uint32_t type[2] = {w->shapes[w->shape[s->a[p]]]->type,
                                  w->shapes[w->shape[s->b[p]]]->type};
        g_assert_true(type[0] < type[1] || (type[0] == type[1] && w->id[s->a[p]] < w->id[s->b[p]]));
        g_assert_true(p == 0 || row > scree_pair_row(s, p - 1) ||
                      (row == scree_pair_row(s, p - 1) && col > scree_pair_column(s, p - 1)));
        in[row][col]++;
    }
    return s->n_pairs;
}

/** Finds all pairs of the lists. */
static uint32_t find_pairs(const scree_sim *sim, uint8_t (*in)[N + 2])
{
    uint32_t n = 0;
    memset(in, 0, (N + 2) * sizeof *in);
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        n += mark_pairs(sim, scree_segment_at(sim, k), in);
    return n;
}

/** Whether the extents of a free body and another one meet. */
static bool expected(const scree_sim *sim, uint32_t i, uint32_t j)
{
    const uint32_t planes = scree_world_first_plane(sim->world);
    return j < planes ? meet(&sim->boxes.view, i, j) : scree_reaches_plane(sim, i, j);
}

/** Asserts that both stores have the same contacts with the same fields. */
static void assert_same(const scree_contact_store *a, const scree_contact_store *b, uint32_t fields)
{
    g_assert_cmpuint(a->n, ==, b->n);
    for (uint64_t c = 0; c < a->n; c++)
        g_assert_cmpint(scree_contact_key_compare(&a->key[c], &b->key[c]), ==, 0);
    g_assert_cmpmem(a->field, a->n * fields * sizeof(double), b->field,
                    b->n * fields * sizeof(double));
}

static void move_some(scree_sim *sim, uint64_t round)
{
    const uint32_t n = 1 + (uint32_t)(draw(round, 9) * (round % 5 ? 3 : 30));
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t body = (uint32_t)(draw(round, 10 + k) * sim->world->n_free);
        for (uint64_t d = 0; d < 3; d++)
            sim->world->x[d][body] += 0.01 * (draw(round, 100 + 3 * k + d) - 0.5);
    }
    sim->contacts.stale = true;
}

/* After each refresh the pairs whose extents meet are in the lists, and of others only those that
 * had a contact; a refresh changes no contact. */
TEST("/edits/lists-are-those-of-all-pairs-and-keep-contacts")
{
    static uint8_t in[N + 2][N + 2], touched[N + 2][N + 2];
    for (uint32_t blocks = 1; blocks <= 3; blocks += 2) {
        g_autoptr(GError) error = NULL;
        g_autoptr(scree_sim) sim = begin(blocks);
        const uint32_t n = sim->world->n, fields = sim->plugins.contact.n_fields;
        uint64_t found = 0, kept = 0;
        n_partial = 0;
        memset(touched, 0, sizeof touched);
        for (uint64_t round = 0; round < 300; round++) {
            for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
                const scree_segment *s = scree_segment_at(sim, k);
                const scree_table *t = &s->table[sim->contacts.committed];
                for (uint64_t c = 0; c < t->n; c++)
                    touched[scree_pair_row(s, t->pair[c])][scree_pair_column(s, t->pair[c])] = 1;
            }
            scree_contact_store *before = scree_contacts_export(sim);
            move_some(sim, round);
            scree_evaluate(sim, 0.0, 0.0, false, &error);
            g_assert_no_error(error);
            scree_contact_store *after = scree_contacts_export(sim);
            assert_same(before, after, fields);
            scree_contact_store_free(before);
            scree_contact_store_free(after);
            g_assert_cmpuint(find_pairs(sim, in), ==, sim->contacts.n_candidates);
            for (uint32_t i = 0; i < sim->world->n_free; i++)
                for (uint32_t j = i + 1; j < n; j++) {
                    const bool near = expected(sim, i, j);
                    g_assert_cmpuint(in[i][j], <=, 1);
                    g_assert_true(near ? in[i][j] : !in[i][j] || touched[i][j]);
                    found += near;
                    kept += !near && in[i][j];
                }
            fixture_evaluate(sim);
        }
        g_assert_cmpuint(n_partial, >, 200);
        g_assert_cmpuint(found, >, 300 * N);
        g_assert_cmpuint(kept, >, 20);
    }
}
