/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what is varied: values are split where they should be, series end where they say. */
#include "../../test.h"
#include "tools/compare/compare_vary.h"

#include <string.h>

/** The values joined by '|', or the error. */
static char *split(const char *assignment)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_axis) axis = scree_axis_parse(assignment, &error);
    if (!axis) {
        g_assert_cmpint(error->code, ==, SCREE_EXIT_USAGE);
        return g_strdup_printf("error: %s", error->message);
    }
    g_assert_null(error);
    g_ptr_array_add(axis->values, NULL);
    char *joined = g_strjoinv("|", (char **)axis->values->pdata);
    g_ptr_array_set_size(axis->values, (int)axis->values->len - 1);
    return joined;
}

static void check(const char *assignment, const char *wanted)
{
    g_autofree char *seen = split(assignment);
    g_assert_cmpstr(seen, ==, wanted);
}

TEST("/compare-vary/commas-in-brackets-and-quotes-part-nothing")
{
    check("a=1", "1");
    check("gcd.plugin=grid,hgrid", "grid|hgrid");
    check(" gcd.plugin = grid , hgrid ", "grid|hgrid");
    check("g=(1, 2), (3, 4)", "(1, 2)|(3, 4)");
    check("g={a=[1,2]; b=\"x,y\";},{a=3;}", "{a=[1,2]; b=\"x,y\";}|{a=3;}");
    check("t=\"a,b\",\"c\\\",d\"", "\"a,b\"|\"c\\\",d\"");
    check("t=\"1 mm\",\"2 mm\"", "\"1 mm\"|\"2 mm\"");
    check("file=../a.csv,b..c", "../a.csv|b..c");
    check("f=1..x,\"1..3\"", "1..x|\"1..3\"");
}

TEST("/compare-vary/a-series-reaches-its-end-and-never-passes-it")
{
    check("n=400..102400*4", "400|1600|6400|25600|102400");
    check("n=1..10+3", "1|4|7|10");
    check("n=1..9+3", "1|4|7");
    check("n=400..102399*4", "400|1600|6400|25600");
    check("n=0.1..0.5+0.1", "0.1|0.2|0.3|0.4|0.5");
    check("n=1e-6..1e-3*10", "1e-06|1e-05|0.0001|0.001");
    check("n=-2..2+2", "-2|0|2");
    check("n=8..1*0.5", "1|2|4|8"); // numbers ascend
    check("n=10..4+-3", "4|7|10");
    check("n=5..5+1", "5");
    check("n=7,1..4*2,100", "1|2|4|7|100");
    check("n=1..1e+3*1e+1", "1|10|100|1000");
    check("n=0.001..1.024*2", "0.001|0.002|0.004|0.008|0.016|0.032|0.064|0.128|0.256|0.512|1.024");
}

static void check_error(const char *assignment, const char *part)
{
    g_autofree char *seen = split(assignment);
    if (!g_str_has_prefix(seen, "error: --vary ") || !strstr(seen, part))
        g_error("%s: \"%s\" has no \"%s\"", assignment, seen, part);
}

TEST("/compare-vary/what-is-wrong-is-named")
{
    check_error("n", "expected PATH=V1,V2");
    check_error("=1,2", "expected PATH=V1,V2");
    check_error("n=", "value 1 is empty");
    check_error("n=1,,2", "value 2 is empty");
    check_error("n=1,2,", "value 3 is empty");
    check_error("n=(1,2", "')' is missing at the end");
    check_error("n=\"a,b", "'\"' is missing at the end");
    check_error("n=1)", "')' closes nothing");
    check_error("n=(1]", "']' closes nothing");
    check_error("n=1..10", "expected a series with its step, 1..10*FACTOR");
    check_error("n=1..10*", "expected a series A..B*F or A..B+D");
    check_error("n=1..10*x", "expected a series A..B*F or A..B+D");
    check_error("n=1..10*1", "expected a series that reaches 10, got");
    check_error("n=1..10+0", "expected a series that reaches 10, got");
    check_error("n=0..10*2", "expected a series that reaches 10, got");
    check_error("n=10..1*2", "expected a series that reaches 1, got");
    check_error("n=5..5*-2", "expected a factor above 0");
    check_error("n=1..100000+1", "expected at most 1000 values");
    check_error("n=1,2,1", "the value 1 is given twice");
    check_error("n=1,1.0", "are the same number");
    check_error("gcd.plugin=grid,grid", "the value grid is given twice");
}

TEST("/compare-vary/numbers-are-known-and-ascend")
{
    g_autoptr(scree_axis) numbers = scree_axis_parse("n=100,20..40*2,3", NULL);
    const double wanted[] = {3.0, 20.0, 40.0, 100.0};
    g_assert_cmpstr(numbers->path, ==, "n");
    g_assert_cmpuint(numbers->values->len, ==, G_N_ELEMENTS(wanted));
    g_assert_cmpmem(numbers->number, sizeof wanted, wanted, sizeof wanted);
    g_autoptr(scree_axis) mixed = scree_axis_parse("n=100,grid", NULL);
    g_assert_null(mixed->number);
    g_assert_cmpstr(mixed->values->pdata[0], ==, "100");
}

TEST("/compare-vary/each-combination-comes-once")
{
    const guint base[] = {2, 1, 3};
    guint at[] = {0, 0, 0}, n = 1;
    g_autoptr(GString) seen = g_string_new("000");
    for (; scree_combination_next(at, base, G_N_ELEMENTS(base)); n++)
        g_string_append_printf(seen, " %u%u%u", at[0], at[1], at[2]);
    g_assert_cmpstr(seen->str, ==, "000 001 002 100 101 102");
    g_assert_cmpuint(at[0] + at[1] + at[2], ==, 0);
    g_assert_cmpuint(n, ==, 6);
}
