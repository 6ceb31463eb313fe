/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of the schedule, from text to terms. */
#include "../../test.h"
#include "scene/figure_names.h"
#include "scene/scene_condition.h"

TEST("/scene-condition/terms-are-quantity-relation-number")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) terms = scree_condition_parse("kinetic < 1e-6 and time >= 2 ms", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(terms->len, ==, 2);
    const scree_term *first = &g_array_index(terms, scree_term, 0), *second = first + 1;
    g_assert_cmpuint(first->figure, ==, (uint32_t)scree_figure_find("kinetic"));
    g_assert_true(first->less && !first->or_equal);
    g_assert_cmpfloat(first->value, ==, 1e-6);
    g_assert_cmpuint(second->figure, ==, (uint32_t)scree_figure_find("time"));
    g_assert_true(!second->less && second->or_equal);
    g_assert_cmpfloat(second->value, ==, 2e-3);
}

/** `and` binds more than `or`; a mean has a window. */
TEST("/scene-condition/and-binds-more-than-or")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) terms = scree_condition_parse(
        "mean( unbalanced , 20 ms )<1e-3 and step > 5 or max_speed >= 2 mm/s", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(terms->len, ==, 3);
    const scree_term *t = &g_array_index(terms, scree_term, 0);
    g_assert_cmpuint(t[0].figure, ==, (uint32_t)scree_figure_find("unbalanced"));
    g_assert_cmpfloat(t[0].window, ==, 0.02);
    g_assert_cmpuint(t[0].alternative, ==, t[1].alternative);
    g_assert_cmpuint(t[2].alternative, !=, t[1].alternative);
    g_assert_cmpfloat(t[2].value, ==, 2e-3);
    g_assert_cmpfloat(t[2].window, ==, 0.0);
}

TEST("/scene-condition/anything-else-is-an-error")
{
    const char *texts[] = {"",
                           "kinetic",
                           "kinetic < ",
                           "kinetc < 1",
                           "time < 1 and",
                           "time = 1",
                           "time < 1 kg",
                           "or",
                           "step > 1 or ",
                           "mean(step) > 1",
                           "mean(step, 1 s > 1",
                           "mean(step, 0) > 1"};
    for (size_t k = 0; k < G_N_ELEMENTS(texts); k++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(scree_condition_parse(texts[k], &error));
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    }
}

/** The word without a condition on one side is named, not read as a unit. */
TEST("/scene-condition/loose-word")
{
    const char *texts[][2] = {
        {"time < 1 and", "`and`"}, {"and time < 1", "`and`"}, {"step > 1 or or time > 1", "`or`"}};
    for (size_t k = 0; k < G_N_ELEMENTS(texts); k++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *words =
            g_strconcat("expected a condition on both sides of ", texts[k][1], NULL);
        g_assert_null(scree_condition_parse(texts[k][0], &error));
        g_assert_nonnull(g_strrstr(error->message, words));
    }
}

TEST("/scene-condition/a-quantity-is-suggested")
{
    g_autoptr(GError) error = NULL;
    g_assert_null(scree_condition_parse("kinetc < 1", &error));
    g_assert_nonnull(g_strrstr(error->message, "did you mean \"kinetic\"?"));
}
