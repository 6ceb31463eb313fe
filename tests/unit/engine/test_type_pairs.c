/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shape types: each law acts where its `between` says, what is not served is refused. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/digest.h"
#include "engine/type_pairs.h"

/* Two balls that overlap by 1 mm and press on a plane by 0.5 mm. */
#define PAIR_ON_PLANE                                                                              \
    "scene = { dt = 1.0e-6; gravity = (0.0, 0.0, 0.0); };\n" GLASS                                 \
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };\n"                        \
    "           ball = { type = \"sphere\"; radius = 0.01; }; };\n"                                \
    "bodies = { a = { shape = \"ball\"; position = (0.0, 0.0, 0.0095); material = \"glass\"; };\n" \
    "           b = { shape = \"ball\"; position = (0.019, 0.0, 0.0095); material = \"glass\"; };" \
    "\n           floor = { shape = \"floor\"; material = \"glass\"; }; };\n"
#define SPRING(kn, rest) "{ plugin = \"linear\"; kn = " kn "; restitution = 1.0;" rest " }"

/** [N] The first evaluation's force on the first body. */
static void force_of(const char *law, double f[3])
{
    g_autofree char *text = g_strconcat(PAIR_ON_PLANE, "force = (", law, ");\n", NULL);
    g_autoptr(scree_sim) sim = fixture_sim(text);
    for (int k = 0; k < 3; k++)
        f[k] = sim->world->wrench[k];
}

TEST("/type_pairs/between")
{
    double f[3];
    force_of(SPRING("1.0e4", "between = [\"sphere\", \"sphere\"];") ", " //
             SPRING("3.0e4", "between = ([\"plane\", \"sphere\"]);"),
             f);
    assert_near(f[0], -10.0, 1e-9);
    assert_near(f[2], 15.0, 1e-9);
    force_of(SPRING("1.0e4", "") ", " SPRING("3.0e4", "between = [\"sphere\", \"plane\"];"), f);
    assert_near(f[0], -10.0, 1e-9);
    assert_near(f[2], 20.0, 1e-9);
    force_of(SPRING("1.0e4", "between = ([\"sphere\", \"sphere\"], [\"sphere\", \"plane\"]);"), f);
    assert_near(f[0], -10.0, 1e-9);
    assert_near(f[2], 5.0, 1e-9);
}

TEST("/type_pairs/unserved")
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_scene(
        PAIR_ON_PLANE "force = (" SPRING("1.0e4", "between = [\"sphere\", \"sphere\"];") ");\n");
    g_assert_null(scree_sim_new(scene, &(scree_sim_options){0}, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(
        error->message, ==,
        "s.cfg:8: no force law of the scene acts on sphere (a) against plane (floor): expected "
        "a law whose `between` names them, or one without `between`");
}

/** All pairs of types are named at once. */
TEST("/type_pairs/all-unserved-pairs-are-named")
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_scene(
        PAIR_ON_PLANE "force = (" SPRING("1.0e4", "between = [\"disc\", \"plane\"];") ");\n");
    g_assert_null(scree_sim_new(scene, &(scree_sim_options){0}, &error));
    g_assert_cmpstr(
        error->message, ==,
        "s.cfg:8: no force law of the scene acts on sphere (a) against sphere (a): expected a "
        "law whose `between` names them, or one without `between`; more such pairs: "
        "sphere - plane");
}

TEST("/type_pairs/pressed")
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_scene(PAIR_ON_PLANE "force = (" SPRING(
        "1.0e4", "between = [\"sphere\", "
                 "\"sphere\"];") ", " //
                                 "{ plugin = \"rolling\"; rolling_friction = 0.1; });\n");
    g_assert_null(scree_sim_new(scene, &(scree_sim_options){0}, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_nonnull(strstr(error->message, "and none of them acts on sphere (a) against plane"));
}

/** The scene's first problem holds this text. */
static void assert_refused(const char *between, const char *expected)
{
    g_autofree char *text =
        g_strconcat(PAIR_ON_PLANE "force = ({ plugin = \"linear\"; kn = 1.0e4; between = ", between,
                    "; });\n", NULL);
    fixture_refuse(text, expected);
}

TEST("/type_pairs/words")
{
    assert_refused("[\"sphere\", \"rod\"]", "expected a type of the shapes of this scene "
                                            "(sphere, disc, plane), got \"rod\"");
    assert_refused("[\"sphere\", \"plan\"]", "did you mean \"plane\"?");
    assert_refused("[\"sphere\"]",
                   "expected a pair of types such as [\"sphere\", \"mesh\"], got a list of 1");
    assert_refused("(\"sphere\", 3)", "expected the name of a type of shapes");
    assert_refused("\"sphere\"", "got \"sphere\"");
    assert_refused("((\"sphere\", \"plane\"), (\"plane\", \"sphere\"))",
                   "force[0].between[1]: the pair is named twice; it is [0] already");
}

/** A law that acts elsewhere leaves its fields as they begin, and no bit of the run changes. */
TEST("/type_pairs/fields")
{
    g_autofree char *text = g_strconcat(
        PAIR_ON_PLANE, "force = (",
        SPRING("1.0e4", "friction = 0.5; between = [\"sphere\", \"sphere\"];"), ", ",
        SPRING("3.0e4", "friction = 0.5; between = [\"sphere\", \"plane\"];"), ");\n", NULL);
    char *hash[2];
    for (int k = 0; k < 2; k++) {
        scree_sim_options options = {.threads = k ? 2 : 1, .all_lanes = k};
        g_autoptr(scree_sim) sim = fixture_begin(fixture_scene(text), &options);
        fixture_run(sim, 20);
        g_assert_cmpuint(sim->plugins.contact.n_lists, ==, 2);
        g_assert_cmpuint(sim->plugins.contact.lists[0].laws, ==, 1);
        g_assert_cmpuint(sim->plugins.contact.lists[1].laws, ==, 2);
        g_assert_cmpstr(sim->plugins.contact.lists[1].resolver->plugin->id, ==, "sphere");
        hash[k] = scree_state_sha256(sim);
    }
    g_assert_cmpstr(hash[0], ==, hash[1]);
    g_free(hash[0]);
    g_free(hash[1]);
}
