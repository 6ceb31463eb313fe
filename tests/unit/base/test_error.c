/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the host: what scree_fail() sets and returns. */
#include "../../test.h"
#include "base/error.h"

#include <string.h>

TEST("/error/fail-sets-and-returns-false")
{
    g_autoptr(GError) error = NULL;
    g_assert_false(scree_fail(&error, SCREE_EXIT_RUN, "step %d of %s", 7, "bed"));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_RUN);
    g_assert_cmpstr(error->message, ==, "step 7 of bed");
    g_assert_false(scree_fail(NULL, SCREE_EXIT_USAGE, "nobody asks"));
}

TEST("/error/what-the-user-gave-is-shown-as-valid-text")
{
    g_autoptr(GError) error = NULL;
    g_assert_false(scree_fail_of(&error, SCREE_EXIT_USAGE, "--set", "a=\xff", "no key %s", "a"));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, "--set a=\xef\xbf\xbd: no key a");
}

TEST("/error/a-long-value-is-cut")
{
    g_autoptr(GError) error = NULL;
    g_autofree char *value = g_strnfill(1000, 'x');
    g_assert_false(scree_fail_of(&error, SCREE_EXIT_USAGE, "--set", value, "%s", "too long"));
    g_assert_cmpuint(strlen(error->message), ==, strlen("--set : too long") + 200);
}
