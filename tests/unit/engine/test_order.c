/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in canonical order: rows, blocks, pairs found twice across a boundary. */
#include "../../test.h"
#include "../solid_fixture.h"
#include "base/random.h"
#include "engine/contacts.h"
#include "engine/evaluate.h"
#include "engine/extent.h"
#include "engine/tight_boxes.h"

typedef struct last_pair {
    uint32_t row, col;
    scree_cells shift;
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
            g_assert_true(s->part_a[j - 1] < s->part_a[j] ||
                          (s->part_a[j - 1] == s->part_a[j] && s->part_b[j - 1] < s->part_b[j]));
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

TEST("/order/rows-ascend-by-column-shift-and-part")
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

TEST("/order/blocks-cover-the-free-bodies")
{
    g_autoptr(scree_sim) sim = fixture_begin(fixture_scene(GAS), &(scree_sim_options){.blocks = 7});
    g_assert_cmpuint(sim->contacts.n_blocks, ==, 7);
    g_assert_cmpuint(sim->contacts.block_first[0], ==, 0);
    g_assert_cmpuint(sim->contacts.block_first[7], ==, sim->world->n_free);
    for (int b = 0; b < 7; b++)
        g_assert_cmpuint(sim->contacts.block_first[b], <, sim->contacts.block_first[b + 1]);
}

/* Both balls overhang the face, so that each has an image: two findings, one pair. */
TEST("/order/a-pair-found-on-both-sides-of-a-face-is-one")
{
    g_autoptr(scree_sim) sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"
        "  max = (0.1, 0.1, 0.1); }; boundary = (\"periodic\", \"open\", \"open\"); };\n" GLASS
        "bodies = { a = { radius = 0.01; position = (0.005, 0.05, 0.05); };\n"
        "           b = { radius = 0.01; position = (0.095, 0.06, 0.05); }; };\n" LINEAR);
    const int32_t left[3] = {-1, 0, 0};
    g_assert_cmpuint(sim->search.raw.n, ==, 2);
    g_assert_cmpuint(sim->contacts.n_candidates, ==, 1);
    g_assert_cmpuint(sim->plugins.contact.lists[0].segments[0].shift[0], ==,
                     scree_shift_pack(left));
}

static uint32_t total(const scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_export(sim);
    uint32_t n = (uint32_t)store->n;
    scree_contact_store_free(store);
    return n;
}

/* Extents shrink to nothing after a touch: the pair stays a candidate only for its history. */
TEST("/order/committed-history-keeps-its-candidate")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = fixture_sim(
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
}

/* Spheres, free and fixed bricks of three parts, a box of facets, a plane. */
static scree_sim *mix(brick *self, const char *more)
{
    g_autoptr(GString) text = g_string_new("scene = { dimension = 3; dt = 1.0e-5;\n");
    g_string_append_printf(text,
                           "%s };\n" GLASS
                           "shapes = { box = { type = \"box\"; size = (0.1, 0.1, 0.1); };\n"
                           "  floor = { type = \"plane\"; normal = (0.1, 0.2, 1.0); }; };\n"
                           "bodies = {\n",
                           more);
    for (uint64_t i = 0; i < 60; i++)
        g_string_append_printf(
            text,
            "b%u = { radius = 0.01; position = (%.3f, %.3f, %.3f); motion = \"%s\";\n"
            "  velocity = (%.1f, 0.0, 0.0); orientation = { axis = (1.0, %.2f, 0.5); angle = %.2f; "
            "}; };\n",
            (unsigned)i, 0.1 * scree_random_unit(5, 0, i, 0), 0.1 * scree_random_unit(5, 0, i, 1),
            0.1 * scree_random_unit(5, 0, i, 2), i % 5 == 4 ? "fixed" : "free",
            i % 5 == 4 ? 0.0 : 20.0 * scree_random_unit(5, 0, i, 3), scree_random_unit(5, 0, i, 4),
            3.0 * scree_random_unit(5, 0, i, 5));
    g_string_append(text, "walls = { shape = \"box\"; position = (0.05, 0.05, 0.05); };\n"
                          "floor = { shape = \"floor\"; }; };\n"
                          "extent = { renew = \"moved\"; };\nguard = { sample = 1000; };\n" LINEAR);
    scree_scene *scene = fixture_scene(text->str);
    const uint32_t shape = fixture_brick(scene, &brick_plugin, self);
    for (uint32_t i = 0; i < 60; i++)
        if (i % 3)
            fixture_give(scene, i, shape);
    return fixture_begin(scene, &(scree_sim_options){0});
}

static bool boxes_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double square = 0.0, reach = b->radius[i] + b->radius[j];
    bool meet = true;
    for (int k = 0; k < 3; k++) {
        meet = meet && b->lo[k][i] <= b->hi[k][j] && b->lo[k][j] <= b->hi[k][i];
        square += (b->centre[k][i] - b->centre[k][j]) * (b->centre[k][i] - b->centre[k][j]);
    }
    return meet && square <= reach * reach;
}

/** Whether the resolver saw the parts of two bodies. */
static bool was_seen(uint32_t i, uint32_t j, uint32_t part_i, uint32_t part_j)
{
    for (guint k = 0; k < seen->len; k++) {
        const seen_pair *one = &g_array_index(seen, seen_pair, k);
        if ((one->a == i && one->b == j && one->part_a == part_i && one->part_b == part_j) ||
            (one->a == j && one->b == i && one->part_a == part_j && one->part_b == part_i))
            return true;
    }
    return false;
}

/** Parts of body i and plane p. */
static uint32_t expect_plane(const scree_sim *sim, uint32_t i, uint32_t p)
{
    const scree_world *w = sim->world;
    double normal[3];
    uint32_t n = 0;
    scree_plane_normal(w, p, normal);
    for (uint32_t part = 0; part < scree_parts_of(w, i); part++) {
        const uint32_t slot = sim->boxes.slot[sim->boxes.part_first[i] + part];
        double height = 0.0;
        for (int k = 0; k < 3; k++)
            height += normal[k] * (sim->boxes.centre[k][slot] - w->x[k][p]);
        const bool near = height <= sim->boxes.radius[slot];
        g_assert_cmpint(was_seen(i, p, part, 0), ==, near);
        n += near;
    }
    return n;
}

/** All pairs of parts whose extents meet, of which one is free, reached the resolver; of facets at
 * rest perhaps fewer, because their surface may be far from their box. */
static void assert_seen(const scree_sim *sim, uint32_t count[4])
{
    const scree_world *w = sim->world;
    const scree_box_set *set = &sim->boxes;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < w->n_free; i++)
        for (uint32_t p = scree_world_first_plane(w); p < w->n; p++)
            expected += expect_plane(sim, i, p);
    count[3] += expected;
    for (uint32_t s = 0; s < set->view.n; s++)
        for (uint32_t t = s + 1; t < set->view.n; t++) {
            const uint32_t i = set->body[s], j = set->body[t];
            if (i == j || MIN(i, j) >= w->n_free || !boxes_meet(&set->view, s, t))
                continue;
            const bool found = was_seen(i, j, set->part[s], set->part[t]);
            const bool wall = w->shapes[w->shape[j]]->flags & SCREE_CAP_WALL;
            g_assert_true(found || wall);
            expected += found;
            count[wall ? 2 : scree_parts_of(w, i) > 1 && scree_parts_of(w, j) > 1] += found;
        }
    g_assert_cmpuint(seen->len, ==, expected);
}

TEST("/order/all-parts-of-all-bodies-that-may-meet-are-candidates")
{
    brick self = {.half = {0.015, 0.005, 0.003}, .n_parts = 3};
    uint32_t count[4] = {0};
    seen_contacts = SCREE_SUPPORTS_MANY;
    seen = g_array_new(FALSE, FALSE, sizeof(seen_pair));
    scree_sim *sim = mix(&self, "");
    g_assert_cmpuint(sim->types.n, ==, 4);
    g_assert_cmpuint(sim->plugins.contact.n_lists, ==, 7); // all but walls with walls
    for (int n = 0; n < 8; n++) {
        fixture_run(sim, 30);
        g_array_set_size(seen, 0);
        sim->contacts.stale = true;
        fixture_evaluate(sim);
        assert_all(sim);
        assert_seen(sim, count);
    }
    for (int k = 0; k < 4; k++) // one of them a ball; both bricks; facets; the plane
        g_assert_cmpuint(count[k], >, 10);
    scree_sim_free(sim);
    sim = mix(&self, "region = { min = (0.0, 0.0, -1.0); max = (0.1, 0.1, 1.0); };\n"
                     "boundary = (\"periodic\", \"periodic\", \"open\");\n");
    fixture_run(sim, 300); // guard.sample: against brute force at each search
    g_assert_cmpuint(sim->counters.gcd_calls, >, 5);
    assert_all(sim);
    scree_sim_free(sim);
    g_array_unref(seen);
    seen = NULL;
}

/** Returns the pair of a body with its own image. */
static const scree_segment *own_image(const scree_sim *sim, uint32_t *pair)
{
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        for (*pair = 0; *pair < s->n_pairs; ++*pair)
            if (s->a[*pair] == s->b[*pair])
                return s;
    }
    g_assert_not_reached();
}

/* The second ball of a clump touches the image of the first one. Another body moves: a refresh of its
 * box keeps the other pairs. */
TEST("/order/balls-of-a-clump-and-its-image-stay-when-another-body-moves")
{
    g_autoptr(scree_sim) sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"
        "  max = (0.0299, 0.2, 0.2); }; boundary = (\"periodic\", \"open\", \"open\"); };\n" GLASS
        "shapes = { two = { type = \"clump\"; pieces = \"apart\"; balls = ((-1.0, 0.0, 0.0, 0.5), "
        "(1.0, 0.0, 0.0, "
        "0.5));"
        " }; };\n"
        "bodies = { a = { shape = \"two\"; radius = 0.01; position = (0.015, 0.05, 0.05); };\n"
        "           b = { radius = 0.004; position = (0.015, 0.15, 0.05); }; };\n"
        "gcd = { plugin = \"bvh\"; };\nextent = { renew = \"moved\"; };\n" LINEAR);
    uint32_t p;
    const scree_segment *s = own_image(sim, &p);
    g_assert_cmpuint(s->first[p + 1] - s->first[p], ==, 1);
    const uint32_t part_a = s->part_a[s->first[p]], part_b = s->part_b[s->first[p]];
    g_assert_cmpuint(part_a, !=, part_b);
    g_assert_cmpuint(total(sim), ==, 1);
    for (uint32_t i = 0; i < sim->world->n; i++)
        if (sim->world->radius[i] < 0.005)
            sim->world->x[1][i] += 0.02;
    fixture_evaluate(sim);
    g_assert_true(sim->search.listed);
    s = own_image(sim, &p);
    g_assert_cmpuint(s->part_a[s->first[p]], ==, part_a);
    g_assert_cmpuint(s->part_b[s->first[p]], ==, part_b);
    g_assert_cmpuint(total(sim), ==, 1);
}

TEST("/order/more-pairs-of-types-than-lists-are-refused")
{
    enum { TYPES = 23 }; // 276 pairs
    static scree_plugin plugin[TYPES];
    static char id[TYPES][8];
    brick self = {.half = {0.015, 0.005, 0.003}, .n_parts = 1};
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS "bodies = {\n");
    for (int k = 0; k < TYPES; k++)
        g_string_append_printf(text, "b%d = { radius = 0.01; position = (%d.0, 0.0, 0.0); };\n", k,
                               k);
    g_string_append(text, "};\n" LINEAR);
    for (uint32_t n = 22; n <= TYPES; n++) {
        g_autoptr(GError) error = NULL;
        scree_scene *scene = fixture_scene(text->str);
        for (uint32_t k = 0; k < TYPES; k++) {
            g_snprintf(id[k], sizeof id[k], "brick%u", MIN(k, n - 1));
            plugin[k] = brick_plugin;
            plugin[k].id = id[k];
            fixture_give(scene, k, fixture_brick(scene, &plugin[k], &self));
        }
        scree_sim *sim = scree_sim_new(scene, &(scree_sim_options){0}, &error);
        if (sim) {
            g_assert_cmpuint(sim->plugins.contact.n_lists, ==, 22 * 23 / 2);
            scree_sim_free(sim);
            continue;
        }
        g_assert_cmpuint(n, ==, TYPES);
        g_assert_nonnull(strstr(error->message, "at most 255 pairs of shape types"));
    }
}
