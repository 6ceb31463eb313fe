/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes that a rank takes out of contact detection, against brute force over all boxes; chunks that
 * are near a rank. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/conformal.h"
#include "engine/extent.h"
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

/* ---- chunks that are near ---- */

/** Lines that two ranks gather: the second time, both get all. */
static struct {
    uint32_t rank, n_had;
    guint8 *line[2];
} gathered;

static int32_t gather_lines(void *self, uint32_t root, const void *own, const uint64_t *bytes,
                            void *all)
{
    g_assert_cmpuint(root, ==, SCREE_DOMAIN_ALL);
    if (gathered.n_had < 2) {
        gathered.line[gathered.rank] = g_memdup2(own, bytes[gathered.rank]);
        gathered.n_had++;
        return SCREE_E_IO;
    }
    memcpy(all, gathered.line[0], bytes[0]);
    memcpy((guint8 *)all + bytes[0], gathered.line[1], bytes[1]);
    return SCREE_OK;
}

/** Bodies stay where they are. */
static int32_t begin_nothing(void *self, const scree_exchange *exchange)
{
    return SCREE_E_IO;
}

static const scree_domain_ops two_ranks = {
    .size = sizeof two_ranks, .begin = begin_nothing, .gather = gather_lines};

/** Returns whether boxes of the bodies [0, n) and [n, 2 n) meet. */
static bool some_meet(const scree_boxes *b, uint32_t n)
{
    bool some = false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = n; j < 2 * n; j++)
            some = some || meet(b, j, (double[]){b->lo[0][i], b->lo[1][i], b->lo[2][i]},
                                (double[]){b->hi[0][i], b->hi[1][i], b->hi[2][i]});
    return some;
}

/** Two layers of SCREE_SLACK_BODIES bodies, [m] from centre to centre, each on a rank of its own.
 * Sets whether extents of both meet, and whether the ranks find each other's chunk near. */
static void look_at_layers(const char *head, const char *body, double apart, bool *met, bool *near)
{
    enum { N = SCREE_SLACK_BODIES };
    g_autoptr(GString) text = g_string_new("renumber = { every = 0; };\n" GLASS);
    g_string_append_printf(text, "%s\nbodies = {\n", head);
    for (int k = 0; k < 2 * N; k++)
        g_string_append_printf(text, "b%d = { position = (%.9f, %g, %g); %s };\n", k, k / N * apart,
                               0.004 * (k / 8 % 8), 0.004 * (k % 8), body);
    g_string_append(text, "};\n");
    g_autoptr(scree_sim) sim = fixture_begin(fixture_scene(text->str), &(scree_sim_options){0});
    scree_ranks ranks[2];
    uint32_t first[3] = {0, N, 2 * N}, *const own = sim->contacts.block_first;
    const uint32_t n_blocks = sim->contacts.n_blocks;
    bool sound, all, renumbered;
    for (uint32_t i = 0; i < 2 * N; i++) // the storage is that of the scene
        g_assert_cmpfloat(sim->world->x[0][i], ==, sim->world->x[0][i / N * N]);
    sim->contacts.block_first = first;
    sim->contacts.n_blocks = 2;
    gathered.n_had = 0;
    for (uint32_t turn = 0; turn < 4; turn++) {
        g_autoptr(GError) error = NULL;
        const uint32_t k = gathered.rank = turn % 2;
        if (turn < 2)
            ranks[k] = (scree_ranks){
                .rank = k, .n = 2, .apart = true, .ops = &two_ranks, .domain = sim->plugins.gcd};
        sim->ranks = &ranks[k];
        g_assert_false(scree_vicinity_take(sim, &sound, &error));
        g_assert_nonnull(error);
    }
    *near = ranks[0].near[1];
    g_assert_cmpint(*near, ==, ranks[1].near[0]);
    memset(ranks[1].near, 1, 2); // all extents are made
    g_autoptr(GError) error = NULL;
    scree_extent_renew(sim, &all, &renumbered, &error);
    g_assert_no_error(error);
    *met = some_meet(&sim->boxes.view, N);
    scree_extent_drop(&sim->boxes, sim->scratch, true);
    for (uint32_t k = 0; k < 2; k++) {
        scree_vicinity_free(ranks[k].vicinity);
        free(ranks[k].near);
        g_free(gathered.line[k]);
    }
    sim->contacts.block_first = own;
    sim->contacts.n_blocks = n_blocks;
    sim->ranks = NULL;
}

/** Moves the layers apart until the ranks are far from each other: extents that meet are near; those
 * of chunks that are near meet within `wide` [-] of that distance. */
static void check_near(const char *head, const char *body, double wide)
{
    enum { PLACES = 120 };
    const double step = 1.0e-4;
    int last_met = 0, last_near = 0;
    for (int k = 20; k < PLACES; k++) {
        bool met, near;
        look_at_layers(head, body, k * step, &met, &near);
        g_assert_true(near || !met);
        last_met = met ? k : last_met;
        last_near = near ? k : last_near;
    }
    g_test_message("extents meet up to %g m, chunks are near up to %g m", last_met * step,
                   last_near * step);
    g_assert_cmpint(last_met, >, 0);
    g_assert_cmpint(last_near, <, PLACES - 1);
    g_assert_cmpfloat(last_near, <=, last_met * wide + 1.0);
}

/** Rows of test scenes: the extents, the rest of the scene, the bodies, how far the bounds reach. */
static const struct {
    double eps_v, eps_e, eps_c;
    const char *rest, *body;
    double wide;
} layers[] = {
    {150.0, 0.0, 0.0, LINEAR, "radius = 0.001; velocity = (-1.0, 0.0, 0.0)", 1.0},
    {0.0, 0.5, 0.0, LINEAR, "radius = 0.001", 1.0},
    {0.0, 0.0, 0.001, LINEAR, "radius = 0.001", 1.0},
    {0.0, 0.0, 1.0e-5,
     "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.6; },\n"
     " { plugin = \"van_der_waals\"; hamaker = 1.0e-19; cutoff = 1.0; } );",
     "radius = 0.001", 1.0},
    // Fast bodies look ahead by a share of the velocity.
    {1000.0, 0.0, 0.0, LINEAR, "radius = 0.001; velocity = (-1.0, 0.0, 0.0)", 1.0},
    // The bound of a body that turns holds its parts, wherever they are.
    {100.0, 0.0, 0.0,
     "shapes = { stone = { type = \"superquadric\"; axes = (0.001, 0.001, 0.001);\n"
     "  blockiness = (2.5, 2.5); }; };\n" LINEAR,
     "shape = \"stone\"; spin = (0.0, 0.0, 900.0)", 2.1},
};

TEST("/vicinity/chunks-whose-extents-meet-are-near-each-other")
{
    for (size_t k = 0; k < G_N_ELEMENTS(layers); k++) {
        g_autofree char *head = g_strdup_printf(
            "scene = { dt = 1.0e-5; };\nextent = { eps_v = %g; eps_e = %g; eps_c = %g; };\n%s",
            layers[k].eps_v, layers[k].eps_e, layers[k].eps_c, layers[k].rest);
        check_near(head, layers[k].body, layers[k].wide);
    }
}
