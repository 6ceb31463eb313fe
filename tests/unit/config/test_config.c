/* SPDX-License-Identifier: Apache-2.0 */
/* The config reader beyond the scenes of tests/config: nodes, overrides, layers, hostile text, and
 * that the grammar is libconfig's. */
#include <glib/gstdio.h>
#include <libconfig.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define OWN_MAIN
#include "../../config/read_keys.h"
#include "../../test.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"

static scree_config *parse(const char *text)
{
    return scree_config_parse(text, "t.cfg", ".");
}

static const char *problem(const scree_config *config, guint k)
{
    return k < config->problems->len ? g_ptr_array_index(config->problems, k) : NULL;
}

static void set(scree_config *config, const char *assignment)
{
    g_autoptr(GError) error = NULL;
    scree_config_set(config, assignment, &error);
    g_assert_no_error(error);
}

/* --- agreement with libconfig ----------------------------------------------------------------- */

static void compare(const scree_node *node, config_setting_t *other)
{
    switch (config_setting_type(other)) {
    case CONFIG_TYPE_GROUP:
        g_assert_cmpint(node->type, ==, SCREE_NODE_GROUP);
        break;
    case CONFIG_TYPE_ARRAY:
    case CONFIG_TYPE_LIST:
        g_assert_cmpint(node->type, ==, SCREE_NODE_LIST);
        break;
    case CONFIG_TYPE_INT:
        g_assert_cmpint(node->i, ==, config_setting_get_int(other));
        break;
    case CONFIG_TYPE_INT64:
        g_assert_cmpint(node->i, ==, config_setting_get_int64(other));
        break;
    case CONFIG_TYPE_FLOAT:
        g_assert_true(node->d == config_setting_get_float(other));
        break;
    case CONFIG_TYPE_BOOL:
        g_assert_cmpint(node->i, ==, config_setting_get_bool(other));
        break;
    default:
        g_assert_cmpstr(node->s, ==, config_setting_get_string(other));
    }
    if (config_setting_name(other))
        g_assert_cmpint(node->line, ==, (int)config_setting_source_line(other));
    g_assert_cmpstr(node->name, ==, config_setting_name(other));
    g_assert_cmpuint(node->children ? node->children->len : 0, ==,
                     (guint)config_setting_length(other));
    for (int k = 0; k < config_setting_length(other); k++)
        compare(g_ptr_array_index(node->children, k), config_setting_get_elem(other, (unsigned)k));
}

static const char *const both_read[] = {
    "",
    "a = 1;\n",
    "a = 1\nb : 2,\nc = 3;\n",
    "a = +5; b = -7; c = 010; d = 0x1F; e = 0x1FL; f = -3000000000L; g = 2LL;\n",
    "a = 1.5; b = .5; c = 5.; d = 1e5; e = -1.5E-3; f = +2e+2;\n",
    "a = TRUE; b = False; c = true;\n",
    "a = \"x\\ty\\\"z\\\\ \\x41 \\q\"; b = \"one\" \"two\"\n\"three\"; c = \"\";\n",
    "a = [1, 2, 3]; b = [1.0, 2.5]; c = [\"x\", \"y\"]; d = [true]; e = []; f = ();\n",
    "a = (1, 2.5, \"x\", [1], (2, 3), { b = 1; c = (); });\n",
    "g = { h = { i = { j = 1; }; k = 2 } l = 3 };\n",
    "# one\na = 1; // two\n/* three\n * /* \n */ b = 2; /**/\n",
    "a-b = 1; c_d = 2; *e* = 3; A9 = 4;\n",
    "\r\na = 1;\r\n\tb = (1,\n2,\n{ c = 3; });\n",
};

TEST("/config/agrees-with-libconfig-where-that-is-right")
{
    for (size_t k = 0; k < G_N_ELEMENTS(both_read); k++) {
        g_autoptr(scree_config) ours = parse(both_read[k]);
        config_t theirs;
        config_init(&theirs);
        g_assert_cmpstr(problem(ours, 0), ==, NULL);
        g_assert_cmpint(config_read_string(&theirs, both_read[k]), ==, CONFIG_TRUE);
        compare(ours->root, config_root_setting(&theirs));
        config_destroy(&theirs);
    }
}

static const char *const both_refuse[] = {
    "= 2x;",         "a",         "a =",       "a = ;",        "= 1;",       "a = 1;;",
    "a = (1, 2,);",  "a = [1 2]", "a = (1;2)", "a = [(1)];",   "a = {b = 1", "a = }",
    "a = 1 2;",      "a = b;",    "a.b = 1;",  "a = \"x",      "_a = 1;",    "a = 1.5f;",
    "a = -0x1;",     "true = 1;", "a = 'x';",  "a = [1, {}];", "a = 1.5e;",  "a = [1, \"x\"];",
    "a = 1; a = 2;", "a = (1]",   "@ a = 1;",  "a = $b;",
};

TEST("/config/refuses-what-libconfig-refuses")
{
    for (size_t k = 0; k < G_N_ELEMENTS(both_refuse); k++) {
        g_autoptr(scree_config) ours = parse(both_refuse[k]);
        config_t theirs;
        config_init(&theirs);
        if (ours->problems->len == 0 || config_read_string(&theirs, both_refuse[k]))
            g_error("read without a problem: %s", both_refuse[k]);
        g_assert_true(g_str_has_prefix(problem(ours, 0), "t.cfg:1: "));
        config_destroy(&theirs);
    }
}

/* --- nodes and problems ----------------------------------------------------------------------- */

TEST("/config/problems-name-file-line-and-path-once")
{
    g_autoptr(scree_config) c = parse("force = ( { kn = 1.0; }, { v = [1, 2]; } );");
    scree_node *list = scree_config_child(c->root, "force");
    scree_node *second = g_ptr_array_index(list->children, 1);
    scree_node *v = scree_config_child(second, "v");
    g_autofree char *path = scree_node_path(g_ptr_array_index(v->children, 1));
    g_assert_cmpstr(path, ==, "force[1].v[1]");
    scree_config_problem(c, v, "is %s", "odd");
    g_assert_cmpstr(problem(c, 0), ==, "t.cfg:1: force[1].v: is odd");
    scree_config_problem(c, v, "is %s", "odd");
    g_assert_cmpuint(c->problems->len, ==, 1); /* reported once */
    scree_config_problem(c, NULL, "nowhere");
    g_autoptr(GError) error = NULL;
    g_assert_true(scree_config_failed(c, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, "t.cfg:1: force[1].v: is odd\nnowhere");
}

TEST("/config/without-a-group-each-key-has-its-default")
{
    g_autoptr(scree_config) c = parse("");
    g_assert_true(read_real(c, NULL, "x", "m", 2.5, 0, 1, 0) == 2.5);
    g_assert_cmpint(read_int(c, NULL, "x", 3, 0, 1), ==, 3);
    g_assert_null(scree_config_child(NULL, "x"));
    scree_config_report_unknown(c, NULL);
    g_assert_cmpuint(c->problems->len, ==, 0);
}

TEST("/config/out-of-range-names-value-and-what-is-allowed")
{
    static const char *const expected[] = {
        "t.cfg:1: a: expected 0 < value <= 1 m, got 0",
        "t.cfg:1: b: expected <= 0.5 rad, got \"30 deg\"",
        "t.cfg:1: c: expected 1 <= value <= 6, got 7",
        "t.cfg:1: d: expected >= 2, got 1",
        "t.cfg:1: e: 1e+17 is too large for a whole number written as a real",
        "t.cfg:1: f: expected < 1 (SI), got 90",
    };
    g_autoptr(scree_config) c = parse("a = 0; b = \"30 deg\"; c = 7; d = 1; e = 1e17; f = 90;");
    read_real(c, c->root, "a", "m", 1, 0, 1, SCREE_PARAM_MIN_OPEN);
    read_real(c, c->root, "b", "rad", 0, -HUGE_VAL, 0.5, 0);
    read_int(c, c->root, "c", 1, 1, 6);
    read_int(c, c->root, "d", 2, 2, INT64_MAX);
    read_int(c, c->root, "e", 2, 2, INT64_MAX);
    read_real(c, c->root, "f", "deg", 0, -HUGE_VAL, 1, SCREE_PARAM_MAX_OPEN);
    for (guint k = 0; k < G_N_ELEMENTS(expected); k++)
        g_assert_cmpstr(problem(c, k), ==, expected[k]);
    g_assert_cmpuint(c->problems->len, ==, G_N_ELEMENTS(expected));
}

TEST("/config/unknown-key-names-the-nearest-even-if-missing")
{
    g_autoptr(scree_config) c = parse("every_stps = 1; widht = 2; every_steps = 3;");
    read_int(c, c->root, "every_steps", 0, 0, 9);
    read_real(c, c->root, "width", NULL, 0, 0, 1, 0); /* missing, but now known */
    scree_config_report_unknown(c, c->root);
    g_assert_cmpstr(problem(c, 0), ==,
                    "t.cfg:1: every_stps: unknown key; did you mean \"every_steps\"?");
    g_assert_cmpstr(problem(c, 1), ==, "t.cfg:1: widht: unknown key; did you mean \"width\"?");
    g_assert_cmpuint(c->problems->len, ==, 2);
}

/* --- overrides -------------------------------------------------------------------------------- */

TEST("/set/makes-missing-groups")
{
    g_autoptr(scree_config) c = parse("a = { x = 1; };");
    set(c, "a.b.c=2");
    set(c, "gcd.plugin=dess");
    set(c, " d = (1, \"two\") ");
    set(c, "d.1={e=5;}");
    set(c, "d[1].e=true");
    scree_node *a = scree_config_child(c->root, "a");
    scree_node *d = scree_config_child(c->root, "d");
    g_assert_cmpint(read_int(c, scree_config_child(a, "b"), "c", 0, 0, 9), ==, 2);
    g_assert_cmpint(read_int(c, a, "x", 0, 0, 9), ==, 1);
    g_assert_cmpstr(read_text(c, scree_config_child(c->root, "gcd"), "plugin", NULL, 0), ==,
                    "dess");
    g_assert_true(read_bool(c, g_ptr_array_index(d->children, 1), "e"));
    g_assert_cmpuint(c->problems->len, ==, 0);
    g_assert_nonnull(strstr(c->text->str, "# --set d[1].e=true\n"));
}

TEST("/set/values-are-libconfig-or-bare-text")
{
    static const struct {
        const char *value;
        scree_node_type type;
        const char *text;
    } rows[] = {
        {"1", SCREE_NODE_INT, NULL},
        {"1.5", SCREE_NODE_REAL, NULL},
        {"3000000000L", SCREE_NODE_INT, NULL},
        {"true", SCREE_NODE_BOOL, NULL},
        {"\"true\"", SCREE_NODE_STRING, "true"},
        {"dess", SCREE_NODE_STRING, "dess"},
        {"./a-b.csv", SCREE_NODE_STRING, "./a-b.csv"},
        {"/a/b", SCREE_NODE_STRING, "/a/b"},
        {"0.5 mm", SCREE_NODE_STRING, "0.5 mm"},
        {"0.5mm", SCREE_NODE_STRING, "0.5mm"},
        {"5 %", SCREE_NODE_STRING, "5 %"},
        {"()", SCREE_NODE_LIST, NULL},
        {"{}", SCREE_NODE_GROUP, NULL},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        g_autoptr(scree_config) c = parse("");
        g_autofree char *assignment = g_strconcat("k=", rows[k].value, NULL);
        set(c, assignment);
        const scree_node *node = scree_config_child(c->root, "k");
        g_assert_cmpint(node->type, ==, rows[k].type);
        g_assert_cmpstr(node->s, ==, rows[k].text);
        g_assert_cmpstr(node->file, ==, "--set");
        g_assert_cmpstr(node->dir, ==, ".");
    }
}

TEST("/set/refused-ones-change-nothing")
{
    static const char *const rows[] = {
        "",
        "=",
        "a",
        "a=",
        ".a=1",
        "a.=1",
        "a..b=1",
        "a[=1",
        "a[]=1",
        "[0]=1",
        "0.a=1",
        "a[0=1",
        "a[0]x=1",
        "a b=1",
        "a=1 2",
        "a=1;",
        "a=x;b=2",
        "a=(1",
        "a={b=1",
        "a=@include \"x\"",
        "a=\n@include \"x\"",
        "a=1e999",
        "a=\"x",
        "a=3000000000",
        "a=99999999999999999999L",
        "l[2]=1",
        "l[999999999999]=1",
        "l.x=1",
        "s.x=1",
        "s[0]=1",
        "g[0]=1",
        "g.0=1",
        "n.0=1",
        "n.x.0=1",
        "base=x",
        "a=\xff",
        "a=1 1",
        "a=x y",
    };
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        g_autoptr(scree_config) c = parse("l = (1, 2); s = 3; g = { x = 1; };");
        g_autoptr(GError) error = NULL;
        if (scree_config_set(c, rows[k], &error))
            g_error("taken: %s", rows[k]);
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
        g_assert_true(g_str_has_prefix(error->message, "--set "));
        g_assert_cmpuint(c->root->children->len, ==, 3); /* a refused one leaves nothing behind */
        g_assert_null(strstr(c->text->str, "--set"));
    }
}

TEST("/set/layer-rises-only-when-the-plugin-changes")
{
    g_autoptr(scree_config) c = parse("gcd = { plugin = \"grid\"; cell = 1.0; };");
    scree_node *gcd = scree_config_child(c->root, "gcd");
    set(c, "gcd.plugin=grid"); /* nothing changes, so nothing below is outdated */
    g_assert_cmpuint(scree_node_find(gcd, "plugin")->layer, ==, 0);
    set(c, "gcd.plugin=dess");
    g_assert_cmpuint(scree_node_find(gcd, "plugin")->layer, ==, SCREE_LAYER_SET);
    g_assert_cmpuint(scree_node_find(gcd, "cell")->layer, ==, 0);
    set(c, "gcd.cell=2");
    g_assert_cmpuint(scree_node_find(gcd, "cell")->layer, ==, SCREE_LAYER_SET);
}

/* --- hostile text ----------------------------------------------------------------------------- */

TEST("/hostile/a-million-brackets-are-one-problem")
{
    g_autofree char *brackets = g_strnfill(1000000, '(');
    g_autofree char *text = g_strconcat("a = ", brackets, NULL);
    g_autoptr(scree_config) c = parse(text);
    g_assert_true(strstr(problem(c, 0), "nested too deep: 64 brackets may be open") != NULL);
    g_assert_cmpuint(c->problems->len, ==, 1);
}

TEST("/hostile/errors-are-bounded")
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int k = 0; k < 9000; k++)
        g_string_append_printf(text, "a%d = 1e999;\n", k);
    g_autoptr(scree_config) c = parse(text->str);
    g_assert_cmpuint(c->problems->len, ==, 201);
    g_assert_cmpstr(problem(c, 200), ==, "further messages are not shown");
}

/* Neither the array nor the key given twice hides behind the mistake in the syntax. */
TEST("/hostile/a-mistake-in-the-syntax-hides-no-other")
{
    static const char *const lines[] = {
        "t.cfg:1: a: an array [ ] holds values of one kind", "t.cfg:2: b[1]: 2x is not a number",
        "t.cfg:3: a: given twice, first in t.cfg:1", "t.cfg:4: expected a key, got ';'"};
    g_autoptr(scree_config) c = parse("a = [1, \"x\"];\nb = [1, 2x];\na = 2;\n;\n");
    for (guint k = 0; k < G_N_ELEMENTS(lines); k++)
        g_assert_true(g_str_has_prefix(problem(c, k), lines[k]));
    g_assert_cmpuint(c->problems->len, ==, G_N_ELEMENTS(lines));
    g_assert_true(c->broken);
    g_assert_cmpuint(c->root->children->len, ==, 0);
}

TEST("/hostile/a-hundred-thousand-keys-are-read")
{
    enum { KEYS = 100000 };
    g_autoptr(GString) text = g_string_new(NULL);
    for (int k = 0; k < KEYS; k++)
        g_string_append_printf(text, "k%d = %d;\n", k, k);
    g_string_append(text, "k7 = 0;\n");
    g_autoptr(scree_config) c = parse(text->str);
    g_assert_cmpuint(c->root->children->len, ==, KEYS);
    g_assert_cmpint(read_int(c, c->root, "k99999", 0, 0, INT64_MAX), ==, 99999);
    g_assert_true(
        g_str_has_prefix(problem(c, 0), "t.cfg:100001: k7: given twice, first in t.cfg:8\n"));
    scree_config_report_unknown(c, c->root);
    g_assert_cmpuint(c->problems->len, ==, 201);
}

static char *write_file(const char *dir, const char *name, const char *bytes, gssize length)
{
    char *path = g_build_filename(dir, name, NULL);
    g_assert_true(g_file_set_contents(path, bytes, length, NULL));
    return path;
}

TEST("/hostile/a-nul-byte-is-refused-with-its-line")
{
    g_autofree char *dir = g_dir_make_tmp("scree-XXXXXX", NULL);
    g_autofree char *path = write_file(dir, "nul.cfg", "a = 1;\nb\0= 2;\n", 14);
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_config) c = scree_config_load(path, NULL, &error);
    g_autofree char *expected = g_strconcat(path, ":2: expected UTF-8 text, got byte 0x00", NULL);
    g_assert_null(c);
    g_assert_cmpstr(error->message, ==, expected);
    g_unlink(path);
    g_rmdir(dir);
}

TEST("/hostile/bytes-other-than-utf8-are-refused-with-their-line")
{
    g_autoptr(scree_config) c = parse("a = 1;\nb = \"\xff\";\n");
    g_assert_cmpstr(problem(c, 0), ==, "t.cfg:2: expected UTF-8 text, got byte 0xff");
    g_autoptr(scree_config) marked = parse("\xef\xbb\xbf"
                                           "a = 1;");
    g_assert_cmpuint(marked->problems->len, ==, 0);
}

TEST("/hostile/a-missing-file-is-refused")
{
    g_autoptr(GError) error = NULL;
    g_assert_null(scree_config_load("no/such.cfg", NULL, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(error->message, ==, "cannot read no/such.cfg: No such file or directory");
    g_clear_error(&error);
    g_assert_null(scree_config_load("/tmp", NULL, &error));
    g_assert_cmpstr(error->message, ==, "cannot read /tmp: expected a regular file, got a folder");
    g_clear_error(&error);
    g_assert_null(scree_config_load("/dev/zero", NULL, &error)); /* endless */
    g_assert_cmpstr(error->message, ==,
                    "cannot read /dev/zero: expected a regular file, got a pipe or a device");
    g_clear_error(&error);
    g_autofree char *path = NULL;
    int fd = g_file_open_tmp(NULL, &path, NULL);
    g_assert_cmpint(ftruncate(fd, (64 << 20) + 1), ==, 0);
    g_close(fd, NULL);
    g_assert_null(scree_config_load(path, NULL, &error));
    g_assert_true(g_str_has_suffix(
        error->message, ": expected at most 64 MiB, got more; put data into a CSV file"));
    g_unlink(path);
}

/* Each file includes the next ten times: 10^16 files if nobody counted. */
TEST("/hostile/an-include-bomb-is-bounded")
{
    g_autofree char *dir = g_dir_make_tmp("scree-XXXXXX", NULL);
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    for (int k = 0; k < 20; k++) {
        g_autofree char *name = g_strdup_printf("%d.cfg", k);
        g_autoptr(GString) text = g_string_new(NULL);
        for (int j = 0; j < 10; j++)
            g_string_append_printf(text, "@include \"%d.cfg\"\n", k + 1);
        g_ptr_array_add(paths, write_file(dir, name, text->str, -1));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_config) c = scree_config_load(g_ptr_array_index(paths, 0), NULL, &error);
    g_assert_no_error(error);
    g_assert_true(c->problems->len > 0 && c->problems->len <= 201);
    g_assert_nonnull(strstr(problem(c, 0), "too many files: @include goes at most 16 deep"));
    for (guint k = 0; k < paths->len; k++)
        g_unlink(g_ptr_array_index(paths, k));
    g_rmdir(dir);
}

TEST("/config/number-format-ignores-the-locale")
{
    g_autoptr(scree_config) c = parse("a = 1.5; b = \"2.5 mm\";");
    g_assert_true(read_real(c, c->root, "a", NULL, 0, 0, 9, 0) == 1.5);
    g_assert_true(read_real(c, c->root, "b", "m", 0, 0, 9, 0) == 2.5e-3);
    read_real(c, c->root, "a", NULL, 0, 2.5, 9, 0);
    g_assert_cmpstr(problem(c, 0), ==, "t.cfg:1: a: expected 2.5 <= value <= 9, got 1.5");
}

int main(int argc, char **argv)
{
    /* A comma for the decimal point, where the machine has such a locale. */
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "");
    return test_run(argc, argv);
}
