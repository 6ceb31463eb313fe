/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the JSON writer: its text is valid whatever the values are. */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

static void test_nests(void)
{
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_object(json, NULL);
    scree_json_int(json, "a", -1);
    scree_json_open_array(json, "b");
    scree_json_bool(json, NULL, true);
    scree_json_null(json, NULL);
    scree_json_open_object(json, NULL);
    scree_json_close_object(json);
    scree_json_close_array(json);
    scree_json_uint(json, "c", UINT64_MAX);
    scree_json_close_object(json);
    g_assert_cmpstr(scree_json_text(json), ==,
                    "{\n  \"a\": -1,\n  \"b\": [\n    true,\n    null,\n    {}\n  ],\n"
                    "  \"c\": 18446744073709551615\n}\n");
}

static void test_escapes(void)
{
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_array(json, NULL);
    scree_json_string(json, NULL, "a\"b\\c\nd\te\x7f µ");
    scree_json_string(json, NULL, NULL);
    scree_json_string(json, NULL, "\xff");
    scree_json_close_array(json);
    g_assert_cmpstr(scree_json_text(json), ==,
                    "[\n  \"a\\\"b\\\\c\\nd\\u0009e\\u007f µ\",\n  null,\n  \"\xef\xbf\xbd\"\n]\n");
}

static void test_reals(void)
{
    const double values[] = {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autoptr(scree_json) json = scree_json_new();
        scree_json_real(json, NULL, values[i]);
        double back = g_ascii_strtod(scree_json_text(json), NULL);
        g_assert_cmpmem(&back, sizeof back, &values[i], sizeof back);
    }
    const double none[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
        g_autoptr(scree_json) json = scree_json_new();
        scree_json_real(json, NULL, none[i]);
        g_assert_cmpstr(scree_json_text(json), ==, "null\n");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/json/levels-nest-and-commas-separate", test_nests);
    g_test_add_func("/json/any-string-is-escaped", test_escapes);
    g_test_add_func("/json/reals-read-back-and-nan-is-null", test_reals);
    return g_test_run();
}
