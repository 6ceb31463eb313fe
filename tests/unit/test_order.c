/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in canonical order: rows, blocks, pairs found twice across a boundary. */
#include "engine/contacts.h"
#include "engine/evaluate.h"
#include "sim_fixture.h"

typedef struct last_pair {
    uint32_t row, col;
    scree_shift shift;
} last_pair;

static void assert_order(const scree_sim *sim, const scree_segment *s, uint32_t b, uint32_t B)
{
    last_pair last = {0, 0, 0};
    uint32_t n_free = sim->world->n_free;
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        last_pair now = {scree_pair_row(s, p), scree_pair_column(s, p),
                         s->shift ? s->shift[p] : SCREE_SHIFT_ZERO};
        bool after = now.row > last.row || (now.row == last.row && now.col > last.col) ||
                     (now.row == last.row && now.col == last.col && now.shift > last.shift);
        g_assert_true(p == 0 || after);
        last = now;
        g_assert_cmpuint(now.row, >=, sim->contacts.block_first[b]);
        g_assert_cmpuint(now.row, <, sim->contacts.block_first[b + 1]);
        g_assert_cmpuint(now.col, >=,
                         B == sim->contacts.n_blocks ? n_free : sim->contacts.block_first[B]);
        g_assert_true(B == sim->contacts.n_blocks || now.col < sim->contacts.block_first[B + 1]);
        for (uint32_t j = s->first ? s->first[p] + 1 : 1; s->first && j < s->first[p + 1]; j++)
            g_assert_cmpuint(s->part_b[j - 1], <, s->part_b[j]);
    }
}

static void assert_all(const scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t b = 0; b < sim->contacts.n_blocks; b++)
            for (uint32_t B = b; B <= sim->contacts.n_blocks; B++)
                assert_order(sim,
                             scree_list_segment(&sim->plugins.contact.lists[l],
                                                sim->contacts.n_blocks, b, B),
                             b, B);
}

static void test_rows(void)
{
    static const char *const scenes[] = {PILE, GAS};
    for (uint32_t blocks = 1; blocks <= 5; blocks += 2)
        for (int k = 0; k < 2; k++) {
            scree_sim *sim =
                fixture_begin(fixture_scene(scenes[k]), &(scree_sim_options){.blocks = blocks});
            fixture_run(sim, 600);
            g_assert_cmpuint(sim->contacts.n_candidates, >, 10);
            assert_all(sim);
            scree_sim_free(sim);
        }
}

static void test_blocks(void)
{
    scree_sim *sim = fixture_begin(fixture_scene(GAS), &(scree_sim_options){.blocks = 7});
    g_assert_cmpuint(sim->contacts.n_blocks, ==, 7);
    g_assert_cmpuint(sim->contacts.block_first[0], ==, 0);
    g_assert_cmpuint(sim->contacts.block_first[7], ==, sim->world->n_free);
    for (int b = 0; b < 7; b++)
        g_assert_cmpuint(sim->contacts.block_first[b], <, sim->contacts.block_first[b + 1]);
    scree_sim_free(sim);
}

/* Both balls overhang the face, so that each has an image: two findings, one pair. */
static void test_twice(void)
{
    scree_sim *sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"
        "  max = (0.1, 0.1, 0.1); }; boundary = (\"periodic\", \"open\", \"open\"); };\n" GLASS
        "bodies = { a = { radius = 0.01; position = (0.005, 0.05, 0.05); };\n"
        "           b = { radius = 0.01; position = (0.095, 0.06, 0.05); }; };\n" LINEAR);
    const int32_t left[3] = {-1, 0, 0};
    g_assert_cmpuint(sim->search.raw.n, ==, 2);
    g_assert_cmpuint(sim->contacts.n_candidates, ==, 1);
    g_assert_cmpuint(sim->plugins.contact.lists[0].segments[0].shift[0], ==,
                     scree_shift_pack(left));
    scree_sim_free(sim);
}

static uint32_t total(const scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_export(sim);
    uint32_t n = (uint32_t)store->n;
    scree_contact_store_free(store);
    return n;
}

/* Extents shrink to nothing after a touch: the pair stays a candidate only for its history. */
static void test_history(void)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
        "           b = { radius = 0.01; position = (0.0199, 0.0, 0.0); }; };\n" LINEAR);
    g_assert_cmpuint(total(sim), ==, 1);
    sim->world->x[0][1] = 0.5;
    sim->contacts.stale = true;
    scree_evaluate(sim, 0.0, 0.0, false, &error); // not accepted: nothing ends
    g_assert_no_error(error);
    g_assert_cmpuint(sim->contacts.n_candidates, ==, 1);
    g_assert_cmpuint(total(sim), ==, 1);
    fixture_evaluate(sim);
    g_assert_cmpuint(total(sim), ==, 0);
    sim->contacts.stale = true;
    fixture_evaluate(sim);
    g_assert_cmpuint(sim->contacts.n_candidates, ==, 0);
    scree_sim_free(sim);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/order/rows-ascend-by-column-shift-and-part", test_rows);
    g_test_add_func("/order/blocks-cover-the-free-bodies", test_blocks);
    g_test_add_func("/order/a-pair-found-on-both-sides-of-a-face-is-one", test_twice);
    g_test_add_func("/order/committed-history-keeps-its-candidate", test_history);
    return g_test_run();
}
