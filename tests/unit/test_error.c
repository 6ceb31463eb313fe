/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the host: what scree_fail() sets and returns. */
#include "base/error.h"

#include <string.h>

static void test_fail(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_false(scree_fail(&error, SCREE_EXIT_RUN, "step %d of %s", 7, "bed"));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_RUN);
    g_assert_cmpstr(error->message, ==, "step 7 of bed");
    g_assert_false(scree_fail(NULL, SCREE_EXIT_USAGE, "nobody asks"));
}

static void test_fail_of(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_false(scree_fail_of(&error, SCREE_EXIT_USAGE, "--set", "a=\xff", "no key %s", "a"));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, "--set a=\xef\xbf\xbd: no key a");
}

static void test_long_value(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *value = g_strnfill(1000, 'x');
    g_assert_false(scree_fail_of(&error, SCREE_EXIT_USAGE, "--set", value, "%s", "too long"));
    g_assert_cmpuint(strlen(error->message), ==, strlen("--set : too long") + 200);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/error/fail-sets-and-returns-false", test_fail);
    g_test_add_func("/error/what-the-user-gave-is-shown-as-valid-text", test_fail_of);
    g_test_add_func("/error/a-long-value-is-cut", test_long_value);
    return g_test_run();
}
