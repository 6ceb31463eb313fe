// SPDX-License-Identifier: Apache-2.0
// Lines and words with their numbers; what is a number, and what is not.
#include <string.h>

#include "base/text.h"
#include "near.h"

static char *words_of(const char *bytes, bool joins, GPtrArray *problems)
{
    scree_text t;
    GString *s = g_string_new(NULL);
    scree_text_init(&t, bytes, strlen(bytes), "t", problems);
    t.comment = '#';
    t.joins = joins;
    while (scree_text_next(&t)) {
        g_string_append_printf(s, "%" G_GUINT64_FORMAT ":", t.line);
        for (guint i = 0; i < t.words->len; i++)
            g_string_append_printf(s, "%s,", (const char *)t.words->pdata[i]);
    }
    scree_text_clear(&t);
    return g_string_free(s, FALSE);
}

static void test_lines(void)
{
    static const struct {
        const char *bytes, *words;
        bool joins;
    } cases[] = {
        {"a b\n\n  # no words\nc", "1:a,b,4:c,", false},
        {"\xef\xbb\xbf"
         "a\r\n\tb \r\n",
         "1:a,2:b,", false},
        {"a # b\n#c\nd#e\n", "1:a,3:d,", false},
        {"a \\\n b\\\r\nc\nd\n", "1:a,b,c,4:d,", true},
        {"a \\\nb\n", "1:a,\\,2:b,", false},
        {"a \\", "1:a,", true},
        {"", "", true},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *words = words_of(cases[k].bytes, cases[k].joins, problems);
        g_assert_cmpstr(words, ==, cases[k].words);
        g_assert_cmpuint(problems->len, ==, 0);
    }
}

static void test_numbers(void)
{
    static const char *const bad[] = {"",     "nan", "inf", "0x10", "1,5", "1e400", "-1e999",
                                      "1.5f", "--1", "1e",  ".",    "1 2", "+-3",   NULL};
    double x;
    for (int k = 0; bad[k]; k++)
        if (scree_parse_real(bad[k], &x))
            g_assert_cmpstr(bad[k], ==, "refused");
    g_assert_true(scree_parse_real("-1.25e-3", &x));
    g_assert_cmpfloat(x, ==, -0.00125);
    g_assert_true(scree_parse_real("1e-320", &x)); // what is too small is 0, or nearly
    g_assert_true(scree_parse_real("1e-999", &x));
    g_assert_cmpfloat(x, ==, 0.0);
}

/** The short way of reading a number gives the bits of the long one. */
static void test_short_numbers(void)
{
    static const char *const borders[] = {"9007199254740992",
                                          "9007199254740993",
                                          "-0.0",
                                          "5.",
                                          ".5",
                                          "1e22",
                                          "1e23",
                                          "9007199254740991e-22",
                                          "0.00000000000000000000001",
                                          "12345678901234567890",
                                          "7e-22",
                                          "0.000000000000000000000000000000000000001e22"};
    for (int k = 0; k < 20000 + (int)G_N_ELEMENTS(borders); k++) {
        char word[64];
        const uint64_t digits = (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
        const double size = pow(10.0, g_test_rand_double_range(-12.0, 12.0));
        if (k < (int)G_N_ELEMENTS(borders))
            g_strlcpy(word, borders[k], sizeof word);
        else if (k % 3 == 0)
            g_snprintf(word, sizeof word, "%.*g", 1 + k % 17, size * (double)(digits >> 40));
        else if (k % 3 == 1)
            g_snprintf(word, sizeof word, "%" G_GUINT64_FORMAT "e%d", digits >> (k % 60),
                       g_test_rand_int_range(-25, 26));
        else
            g_snprintf(word, sizeof word, "%.*f", k % 20, -size);
        double got = 0.0, want = g_ascii_strtod(word, NULL);
        g_assert_true(scree_parse_real(word, &got));
        if (memcmp(&got, &want, sizeof got) != 0)
            g_error("%s gives %a; expected %a", word, got, want);
    }
}

static void test_problems(void)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    scree_text t;
    GString *s = g_string_new(NULL);
    for (int k = 0; k < 1000; k++)
        g_string_append(s, "x\n");
    scree_text_init(&t, s->str, s->len, "t", problems);
    double x;
    int64_t i;
    while (scree_text_next(&t))
        scree_text_real(&t, "size", t.words->pdata[0], &x);
    scree_text_clear(&t);
    g_assert_cmpuint(problems->len, ==, SCREE_TEXT_MOST_PROBLEMS);
    g_assert_cmpstr(problems->pdata[0], ==, "t:1: size = 'x' is not a finite number");
    g_assert_true(
        g_str_has_suffix(problems->pdata[19], "(further mistakes of this file are not shown)"));
    g_ptr_array_set_size(problems, 0);
    scree_text_init(&t, "7 -8 9223372036854775808", 24, "t", problems);
    g_assert_true(scree_text_next(&t));
    g_assert_true(scree_text_int(&t, "id", t.words->pdata[0], 0, INT64_MAX, &i) && i == 7);
    g_assert_false(scree_text_int(&t, "id", t.words->pdata[1], 0, INT64_MAX, &i));
    g_assert_false(scree_text_int(&t, "id", t.words->pdata[2], 0, INT64_MAX, &i));
    g_assert_cmpstr(problems->pdata[0], ==,
                    "t:1: id = '-8' is not a whole number from 0 to 9223372036854775807");
    scree_text_clear(&t);
    g_ptr_array_set_size(problems, 0);
    scree_text_init(&t, "a\0b", 3, "t", problems);
    g_assert_false(scree_text_next(&t));
    g_assert_cmpuint(problems->len, ==, 1);
    scree_text_clear(&t);
    g_string_free(s, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text/lines-are-cut-into-words", test_lines);
    g_test_add_func("/text/numbers-are-decimal-and-finite", test_numbers);
    g_test_add_func("/text/numbers-have-the-bits-of-strtod", test_short_numbers);
    g_test_add_func("/text/mistakes-have-lines-and-an-end", test_problems);
    return g_test_run();
}
