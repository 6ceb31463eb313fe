// SPDX-License-Identifier: Apache-2.0
// Tables in text: what is read, and what is refused with its line.
#include <string.h>

#include "../../test.h"
#include "../near.h"
#include "config/table.h"
#include "scree/host.h"

static const scree_column known[] = {
    {"id", SCREE_COLUMN_WHOLE, NULL},      {"x", SCREE_COLUMN_REAL, "m"},
    {"y", SCREE_COLUMN_REAL, "m"},         {"z", SCREE_COLUMN_REAL, "m"},
    {"vx", SCREE_COLUMN_REAL, "m/s"},      {"radius", SCREE_COLUMN_REAL, "m"},
    {"material", SCREE_COLUMN_TEXT, NULL},
};

static scree_table *parse_as(const char *text, size_t n, const char *const *columns, char **wrong)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    scree_table *t =
        scree_table_parse(text, n, "t.csv", known, G_N_ELEMENTS(known), columns, problems);
    g_ptr_array_add(problems, NULL);
    *wrong = g_strjoinv("\n", (char **)problems->pdata);
    return t;
}

static scree_table *parse(const char *text)
{
    g_autofree char *wrong = NULL;
    scree_table *t = parse_as(text, strlen(text), NULL, &wrong);
    g_assert_cmpstr(wrong, ==, "");
    g_assert_nonnull(t);
    return t;
}

static void refuse(const char *text, const char *expected)
{
    g_autofree char *wrong = NULL;
    g_autoptr(scree_table) t = parse_as(text, strlen(text), NULL, &wrong);
    g_assert_null(t);
    g_assert_cmpstr(strstr(wrong, expected) ? expected : wrong, ==, expected);
}

static double real_at(const scree_table *t, uint32_t row, const char *name)
{
    uint32_t k = 0;
    while (k < G_N_ELEMENTS(known) && strcmp(known[k].name, name))
        k++;
    g_assert_nonnull(t->cells[k]);
    return t->cells[k][row].real;
}

TEST("/table/header-in-comment-with-units")
{
    g_autoptr(scree_table) t =
        parse("# made by hand\n# radius_m x_mm y z\n\n 0.001 -2 3e-1 4 # last\n"
              "0.002\t5 6 7\n");
    g_assert_cmpuint(t->n_rows, ==, 2);
    g_assert_cmpfloat(real_at(t, 0, "radius"), ==, 0.001);
    g_assert_cmpfloat(real_at(t, 0, "x"), ==, -2.0 * 0.001);
    g_assert_cmpfloat(real_at(t, 1, "z"), ==, 7.0);
    g_assert_cmpuint(t->lines[1], ==, 5);
}

TEST("/table/csv-with-quotes-crlf-and-byte-order-mark")
{
    g_autoptr(scree_table) t = parse("\xef\xbb\xbfid,X[um],material,vx_m/s\r\n"
                                     "7, 2.5 ,\"glass, \"\"clear\"\"\",1\r\n8,-1,steel,0");
    g_assert_cmpuint(t->n_rows, ==, 2);
    g_assert_cmpuint(t->cells[0][0].id, ==, 7);
    assert_near(real_at(t, 0, "x"), 2.5e-6, 1e-21);
    g_assert_cmpstr(t->cells[6][0].text, ==, "glass, \"clear\"");
    g_assert_cmpstr(t->cells[6][1].text, ==, "steel");
}

TEST("/table/semicolon-separates-and-decimal-comma-is-named")
{
    g_autoptr(scree_table) t = parse("x;y\n1.5;2\n");
    g_assert_cmpfloat(real_at(t, 0, "y"), ==, 2.0);
    refuse("x;y\n1,5;2\n", "t.csv:2: x = '1,5' is not a finite number (write a decimal point");
}

TEST("/table/columns-of-the-scene-override-and-skip")
{
    const char *const names[] = {"x", "-", "radius", NULL};
    const char *text = "1 junk 3\n4 5 6\n";
    g_autofree char *wrong = NULL;
    g_autoptr(scree_table) t = parse_as(text, strlen(text), names, &wrong);
    g_assert_nonnull(t);
    g_assert_cmpuint(t->n_rows, ==, 2);
    g_assert_cmpfloat(real_at(t, 1, "radius"), ==, 6.0);
}

TEST("/table/each-mistake-has-file-and-line")
{
    refuse("x y\n1 nan\n", "t.csv:2: y = 'nan' is not a finite number");
    refuse("x y\n1 1e999\n", "t.csv:2: y = '1e999'");
    refuse("x y\n1 0x10\n", "t.csv:2: y = '0x10'");
    refuse("x y\n1 2\n1\n", "t.csv:3: 1 cells, but there are 2 columns");
    refuse("x,y\n1,\n", "t.csv:2: y = ''");
    refuse("x x\n1 2\n", "t.csv:1: column 'x' is there twice");
    refuse("x radios\n1 2\n", "t.csv:1: unknown column \"radios\"; did you mean \"radius\"?");
    refuse("x_kg\n1\n", "t.csv:1: unknown column \"x_kg\"");
    refuse("1 2 3\n", "t.csv:1: no line above the numbers names the columns");
    refuse("# one two\n1 2\n", "t.csv:1: unknown column \"one\"");
    refuse("id\n-1\n", "t.csv:2: id = '-1' is not a whole number");
    refuse("id\n1.5\n", "t.csv:2: id = '1.5' is not a whole number");
    refuse("x\n", "expected rows of numbers, got none");
    refuse("", ":1: expected rows of numbers, got none");
    refuse("material,x\n\"open,1\n", "t.csv:2: a quoted cell does not end");
}

TEST("/table/mistakes-of-several-lines-are-all-named")
{
    g_autofree char *wrong = NULL;
    const char *text = "x\na1\n2\nb3\n";
    g_autoptr(scree_table) t = parse_as(text, strlen(text), NULL, &wrong);
    g_assert_null(t);
    g_assert_nonnull(strstr(wrong, "t.csv:2:"));
    g_assert_nonnull(strstr(wrong, "t.csv:4:"));
}

TEST("/table/no-more-than-twenty-mistakes")
{
    g_autoptr(GString) text = g_string_new("x\n");
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 1000; i++)
        g_string_append(text, "bad\n");
    g_autoptr(scree_table) t = scree_table_parse(text->str, text->len, "t.csv", known,
                                                 G_N_ELEMENTS(known), NULL, problems);
    g_assert_null(t);
    g_assert_cmpuint(problems->len, ==, 20);
}

TEST("/table/zero-bytes-are-refused")
{
    static const char utf16[] = "x\0y\0\n\0";
    g_autofree char *wrong = NULL;
    g_autoptr(scree_table) t = parse_as(utf16, sizeof utf16, NULL, &wrong);
    g_assert_null(t);
    g_assert_nonnull(strstr(wrong, "not a text file"));
}
