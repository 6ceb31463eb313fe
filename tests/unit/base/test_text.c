// SPDX-License-Identifier: Apache-2.0
// Words that are numbers, and words that are not.
#include <stdint.h>
#include <string.h>

#include "../../test.h"
#include "../near.h"
#include "base/text.h"

TEST("/text/numbers-are-decimal-and-finite")
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
TEST("/text/numbers-have-the-bits-of-strtod")
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
