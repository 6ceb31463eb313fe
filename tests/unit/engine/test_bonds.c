/* SPDX-License-Identifier: Apache-2.0 */
/* Bonds by request: which pairs they count, and how far apart two bodies may be. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/bonds.h"
#include "engine/contacts.h"

/** Two balls that touch in a tilted cell. */
#define PAIR                                                                                       \
    "scene = { dimension = 3; dt = 1e-5; boundary = \"periodic\";\n"                               \
    "  region = { min = (0, 0, 0); max = (1, 1, 1); tilt = (0.25, 0.0, 0.0); }; };\n" GLASS        \
    "bodies = { a = { radius = 0.1; position = (0.5, 0.5, 0.5); };\n"                              \
    "           b = { radius = 0.1; position = (0.7, 0.5, 0.5); }; };\n"                           \
    "force = ( { plugin = \"linear\"; kn = 1e4; },\n"                                              \
    "          { plugin = \"bonded\"; bond_modulus = 1e6; } );\n"

/** Bonds the two balls, whose paths have passed the side of the cell `crossed` times each, in
 * opposite directions. */
static bool bond(scree_sim *sim, int32_t crossed, GError **error)
{
    const scree_world *w = sim->world;
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(scree_bond_pair));
    const scree_bond_pair one = {{w->id[0], w->id[1]}, 0};
    g_array_append_val(pairs, one);
    w->image[0][0] = crossed;
    w->image[0][1] = -crossed;
    return scree_bonds_add(sim, pairs, error);
}

TEST("/bonds/bodies-too-many-cells-apart-to-count-are-refused")
{
    g_autoptr(scree_sim) near = fixture_sim(PAIR), far = fixture_sim(PAIR);
    g_autoptr(GError) error = NULL;
    g_assert_true(bond(near, SCREE_SHIFT_BIAS / 2 - 1, &error));
    g_assert_no_error(error);
    g_assert_false(bond(far, SCREE_SHIFT_BIAS / 2, &error));
    g_assert_nonnull(strstr(error->message, "are (1048576, 0, 0) periodic cells apart"));
}

TEST("/bonds/a-bond-counts-once")
{
    g_autoptr(scree_sim) sim = fixture_sim(PAIR);
    g_assert_cmpuint(scree_bonds_count(sim), ==, 0);
    g_assert_true(bond(sim, 0, NULL));
    g_assert_true(bond(sim, 0, NULL));
    g_assert_cmpuint(scree_bonds_count(sim), ==, 1);
    fixture_run(sim, 3);
    g_assert_cmpuint(scree_bonds_count(sim), ==, 1);
}

/* Laws that count the evaluations of each contact and push nothing; the second one keeps bonds. */
static int32_t count_turns(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        b->out[0][c] = b->in[0][c] + 1.0;
        b->f[0][c] = b->f[1][c] = b->f[2][c] = 0.0;
    }
    return SCREE_OK;
}

static const void *bonds_of(const char *name)
{
    static const scree_bonds bonds = {.size = sizeof bonds};
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}

SCREE_FIELD(turns, CONTACT, 1, 1, "-", 10.0, "evaluations");
static const scree_field *const turn_fields[] = {&field_turns};
static const scree_force_ops count_ops = {OPS(force, plain_create, plain_destroy),
                                          .compute = count_turns};
static const scree_plugin plain = {PLUGIN(FORCE, "plain", "of a test"), PLUGIN_FIELDS(turn_fields),
                                   .ops = &count_ops};
static const scree_plugin counts = {PLUGIN(FORCE, "counts", "of a test"),
                                    PLUGIN_FIELDS(turn_fields), .ops = &count_ops,
                                    .provides = SCREE_OUT_KEEP, .get_extension = bonds_of};

/* Three balls touch in a row. Bonds first to last; gives what the second law has of both contacts. */
static void bond_row(scree_sim *sim, uint64_t first, uint64_t last, uint8_t keep[2],
                     double turns[2])
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(scree_bond_pair));
    for (uint64_t id = first; id < last; id++) {
        const scree_bond_pair pair = {.id = {id, id + 1}};
        g_array_append_val(pairs, pair);
    }
    g_assert_true(scree_bonds_add(sim, pairs, &error));
    scree_contact_store *store = scree_contacts_export(sim);
    g_assert_cmpuint(store->n, ==, 2);
    for (int k = 0; k < 2; k++) {
        keep[k] = store->keep[k];
        turns[k] = store->field[2 * k + 1];
        g_assert_cmpfloat(store->field[2 * k], ==, 11.0 + (double)sim->step);
    }
    scree_contact_store_free(store);
}

TEST("/bonds/fields-of-a-contact-start-again-when-it-is-bonded-and-only-then")
{
    uint8_t keep[2];
    double turns[2];
    scree_scene *scene =
        fixture_scene("scene = { dimension = 3; dt = 0.01; };\n" GLASS "bodies = {\n"
                      "a = { radius = 0.1; position = (0.0, 0.0, 0.0); };\n"
                      "b = { radius = 0.1; position = (0.19, 0.0, 0.0); };\n"
                      "c = { radius = 0.1; position = (0.38, 0.0, 0.0); }; };\n"
                      "force = ( { plugin = \"linear\"; kn = 1.0; },\n"
                      "          { plugin = \"linear\"; kn = 1.0; } );\n");
    fixture_plug(scene->forces->pdata[0], &plain);
    fixture_plug(scene->forces->pdata[1], &counts);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    fixture_run(sim, 3);
    bond_row(sim, 1, 2, keep, turns);
    g_assert_true(keep[0] && !keep[1]);
    g_assert_true(turns[0] == 10.0 && turns[1] == 14.0); // 3 steps and the start
    fixture_run(sim, 2);
    bond_row(sim, 2, 3, keep, turns);
    g_assert_true(keep[0] && keep[1]);
    g_assert_true(turns[0] == 12.0 && turns[1] == 10.0);
    fixture_run(sim, 4);
    bond_row(sim, 1, 3, keep, turns); // they are bonded already
    g_assert_true(turns[0] == 16.0 && turns[1] == 14.0);
}
