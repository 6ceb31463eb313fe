/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest of known names, and the hint that names it. */
#include <glib.h>

#include "../../test.h"
#include "base/text.h"

static const char *const names[] = {"tolerance", "sort", "plugin", "kn", NULL};

TEST("/spelling/nearest-name-is-near")
{
    g_assert_cmpstr(scree_nearest_word("tolerence", names), ==, "tolerance");
    g_assert_cmpstr(scree_nearest_word("Sort", names), ==, "sort");
    g_assert_cmpstr(scree_nearest_word("sotr", names), ==, "sort");
    g_assert_cmpstr(scree_nearest_word("plguin", names), ==, "plugin");
    g_assert_cmpstr(scree_nearest_word("kt", names), ==, "kn");
    g_assert_cmpstr(scree_nearest_word("colour", names), ==, NULL);
    g_autofree char *endless = g_strnfill(100000, 'x');
    g_assert_cmpstr(scree_nearest_word(endless, names), ==, NULL);
}

TEST("/spelling/hint-names-the-nearest-or-is-empty")
{
    g_autofree char *near = scree_did_you_mean("sotr", names);
    g_autofree char *far = scree_did_you_mean("colour", names);
    g_autofree char *none = scree_did_you_mean("sotr", NULL);
    g_assert_cmpstr(near, ==, "; did you mean \"sort\"?");
    g_assert_cmpstr(far, ==, "");
    g_assert_cmpstr(none, ==, "");
}
