/* SPDX-License-Identifier: Apache-2.0 */
/* Bonds by request: which pairs they count, and how far apart two bodies may be. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/bonds.h"

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
