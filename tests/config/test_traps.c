/* SPDX-License-Identifier: Apache-2.0 */
/* Reads each scene of this folder and compares all results with its .expect file: the
 * tree with its lines, what the accessors give, every problem and every note to the letter.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "read_keys.h"

#define UNSET ((double)NAN)

static const char *const kinds[] = {"grid", "dess"};
static const char *const sorts[] = {"insertion", "heap"};

static void print_tree(GString *out, const scree_node *node)
{
    g_autofree char *path = scree_node_path(node);
    g_autofree char *value = scree_node_show(node);
    if (node->parent)
        g_string_append_printf(out, "%s:%d: %s = %s\n", node->file, node->line, path, value);
    for (guint k = 0; node->children && k < node->children->len; k++)
        print_tree(out, g_ptr_array_index(node->children, k));
}

/** Keys that a host would read. */
static void read_scene(scree_config *c, GString *out)
{
    double g[3] = {UNSET, UNSET, UNSET};
    scree_node *scene = read_group(c, c->root, "scene");
    scree_node *gcd = read_group(c, c->root, "gcd");
    const double dt = read_real(c, scene, "dt", "s", UNSET, 0, HUGE_VAL,
                                SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN);
    const int64_t steps = read_int(c, scene, "steps", -1, 0, INT64_MAX);
    const double radius = read_real(c, scene, "radius", "m", UNSET, 0, 10, 0);
    const char *title = read_text(c, scene, "title", "-", 0);
    const bool on = read_bool(c, scene, "on");
    const char *mesh = read_text(c, scene, "mesh", NULL, SCREE_PARAM_FILE);
    read_vector(c, scene, "gravity", "m/s^2", g);
    const int kind = read_choice_of(c, gcd, "plugin", kinds);
    const int sort = read_choice_of(c, gcd, "sort", sorts);
    const double tolerance = read_real(c, gcd, "tolerance", "-", UNSET, 0, HUGE_VAL, 0);
    scree_config_report_unknown(c, scene);
    scree_config_report_unknown(c, gcd);
    scree_config_report_unknown(c, c->root);
    g_string_append_printf(
        out,
        "dt %.17g, steps %" G_GINT64_FORMAT ", radius %.17g, title %s, on %d, mesh %s\n"
        "gravity %.17g %.17g %.17g, gcd %d, sort %d, tolerance %.17g\n",
        dt, steps, radius, title, on, mesh ? mesh : "-", g[0], g[1], g[2], kind, sort, tolerance);
}

/** Applies the lines "#! PATH=VALUE" of the file as overrides. */
static void apply_overrides(scree_config *config, const char *path, GString *out)
{
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_autoptr(GError) error = NULL;
        if (g_str_has_prefix(*line, "#! ") && !scree_config_set(config, *line + 3, &error))
            g_string_append_printf(out, "refused: %s\n", error->message);
    }
}

static void check_trap(gconstpointer data)
{
    const char *name = data;
    g_autofree char *path = g_strconcat(name, ".cfg", NULL);
    g_autofree char *expect_path = g_strconcat(name, ".expect", NULL);
    g_autofree char *expected = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(scree_config) config = scree_config_load(path, NULL, &error);
    g_assert_no_error(error);
    apply_overrides(config, path, out);
    print_tree(out, config->root);
    if (!config->broken)
        read_scene(config, out);
    if (scree_config_failed(config, &error))
        g_string_append_printf(out, "%s\n", error->message);
    for (guint k = 0; k < config->notes->len; k++)
        g_string_append_printf(out, "note: %s\n", (char *)g_ptr_array_index(config->notes, k));
    if (g_getenv("SCREE_EXPECT_WRITE")) /* after changing a message; then read the diff */
        g_assert_true(g_file_set_contents(expect_path, out->str, -1, NULL));
    g_file_get_contents(expect_path, &expected, NULL, NULL); /* missing: NULL, which differs */
    g_assert_cmpstr(out->str, ==, expected);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_assert_cmpint(g_chdir(g_test_get_dir(G_TEST_DIST)), ==, 0);
    g_autoptr(GDir) dir = g_dir_open(".", 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; (name = g_dir_read_name(dir));)
        if (g_str_has_suffix(name, ".cfg"))
            g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(".cfg")));
    g_assert_cmpuint(names->len, >, 30);
    for (guint k = 0; k < names->len; k++) {
        g_autofree char *claim = g_strconcat("/traps/", g_ptr_array_index(names, k), NULL);
        g_strdelimit(claim, "_", '-');
        g_test_add_data_func(claim, g_ptr_array_index(names, k), check_trap);
    }
    return g_test_run();
}
