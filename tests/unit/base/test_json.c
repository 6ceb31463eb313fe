/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of JSON: what is written is valid whatever the values are, what harms the parser is not read. */
#include "../../test.h"
#include "base/json.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST("/json/levels-nest-and-commas-separate")
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

TEST("/json/any-string-is-escaped")
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

TEST("/json/reals-read-back-and-nan-is-null")
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

static bool is_read(const char *text, size_t n, const char *reason)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) root = scree_json_read(text, n, &error);
    g_assert_true((root != NULL) == (error == NULL));
    if (error)
        g_assert_nonnull(strstr(error->message, reason ? reason : "(read)"));
    return root != NULL;
}

TEST("/json/reading-refuses-what-harms-the-parser")
{
    enum { DEEP = 1000000 };
    g_autofree char *deep = g_strnfill(DEEP, '[');
    const char *fine = "{\"a\": [1, \"]]\\\"[[[[[[[[[[[[[[[[[[\"]}";
    const char *most = "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]";
    g_assert_true(is_read(fine, strlen(fine), NULL));
    g_assert_true(is_read(most, strlen(most), NULL));
    g_assert_false(is_read("[[[[[[[[[[[[[[[[[", 17, "at most 16 nested brackets, got 17"));
    g_assert_false(is_read(deep, DEEP, "got 1000000"));
    g_assert_false(is_read("\"\xff\"", 3, "UTF-8"));
    g_assert_false(is_read(" \n", 2, "expected JSON, got none"));
    g_assert_false(is_read("", 0, "expected JSON, got none"));
    g_assert_false(is_read("{\"a\":", 5, "line 1:"));
}
