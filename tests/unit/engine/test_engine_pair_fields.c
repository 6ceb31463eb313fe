/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of pairs: they live while the tight boxes overlap, contact or not. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/contacts.h"

/** No force; the pair's field counts the evaluations in touch. */
static int32_t count(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        b->f[0][c] = b->f[1][c] = b->f[2][c] = 0.0;
        b->out[0][c] = b->in[0][c] + 1.0;
    }
    return SCREE_OK;
}

static const scree_field touches = {.size = sizeof touches,
                                    .scope = SCREE_SCOPE_PAIR,
                                    .components = 1,
                                    .revision = 1,
                                    .name = "touches",
                                    .unit = "-",
                                    .help = "of a test",
                                    .initial = 0.0};
static const scree_field *const fields[] = {&touches};
static const scree_force_ops ops = {OPS(force, plain_create, plain_destroy), .compute = count};
static const scree_plugin counter = {PLUGIN(FORCE, "counter", "of a test"), .ops = &ops,
                                     .n_fields = 1, .fields = fields};

/* b passes a on a diagonal: boxes meet, then the balls, which part before the boxes do. */
static const char passing[] =
    "scene = { dimension = 3; dt = 1.0e-3; };\n" GLASS
    "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
    "           b = { radius = 0.01; position = (-0.03, 0.015, 0.0); velocity = (1.0, 0.0, 0.0); "
    "}; };\n"
    "force = ( { plugin = \"linear\"; kn = 1.0; } );\n";

static void run_past(const char *extent)
{
    g_autofree char *text = g_strconcat(passing, extent, NULL);
    scree_scene *scene = fixture_scene(text);
    fixture_plug(scene->forces->pdata[0], &counter);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    double expected = 0.0;
    uint32_t apart_alive = 0;
    for (int n = 0; n < 60; n++) {
        const scree_world *w = sim->world;
        fixture_run(sim, 1);
        double dx = w->x[0][1] - w->x[0][0], dy = w->x[1][1] - w->x[1][0];
        bool boxes = fabs(dx) <= 0.02 && fabs(dy) <= 0.02, touch = hypot(dx, dy) <= 0.02;
        expected = !boxes ? 0.0 : expected + touch;
        apart_alive += boxes && !touch && expected > 0.0;
        scree_contact_store *store = scree_contacts_export(sim);
        g_assert_cmpuint(store->n_pairs, ==, boxes);
        g_assert_cmpuint(store->n, ==, touch);
        if (boxes)
            g_assert_cmpfloat(store->pair_field[0], ==, expected);
        scree_contact_store_free(store);
    }
    g_assert_cmpuint(apart_alive, >, 3);
    g_assert_cmpfloat(expected, ==, 0.0); // they went their ways
}

TEST("/pair-fields/live-while-the-tight-boxes-overlap")
{
    run_past("");
    run_past("extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };\n");
    run_past("extent = { eps_e = 3.0; };\n");
}
