/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: any bytes as a scene, its lines "#! PATH=VALUE" as overrides, every node read as
 * everything. Nothing may crash, hang, leak or be refused without a reason. */
#include <math.h>
#include <string.h>

#include "../config/read_keys.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "config/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_node(scree_config *config, scree_node *node, int depth)
{
    static const char *const names[] = {"insertion", "heap"};
    const char *key = node->name ? node->name : "x";
    g_autofree char *path = scree_node_path(node);
    g_autofree char *shown = scree_node_show(node);
    g_assert_true(!node->parent || *path);
    g_assert_true(*shown && depth < 200);
    double v[3];
    int64_t i;
    if (scree_node_real(config, node, "m", 0, 1, 0, v))
        g_assert_true(v[0] >= 0 && v[0] <= 1);
    if (scree_node_int(config, node, -5, 5, &i))
        g_assert_true(i >= -5 && i <= 5);
    read_vector(config, node->parent, key, "m/s", v);
    read_choice_of(config, node->parent, key, names);
    read_bool(config, node, "missing");
    read_text(config, node->parent, key, NULL, SCREE_PARAM_FILE);
    for (guint k = 0; node->children && k < node->children->len; k++)
        read_node(config, g_ptr_array_index(node->children, k), depth + 1);
    scree_config_report_unknown(config, node);
}

static void apply_overrides(scree_config *config, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", 50);
    for (char **line = lines; *line; line++) {
        g_autoptr(GError) error = NULL;
        if (g_str_has_prefix(*line, "#! "))
            g_assert_true(scree_config_set(config, *line + 3, &error) == (error == NULL));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autoptr(GError) error = NULL;
    double value;
    scree_unit unit;
    if (strstr(text, "/dev")) /* @include of a terminal would wait for it */
        return 0;
    g_autoptr(scree_config) config = scree_config_parse(text, "fuzz.cfg", "/nowhere");
    apply_overrides(config, text);
    read_node(config, config->root, 0);
    for (guint k = 0; k < config->problems->len; k++)
        g_assert_true(*(const char *)g_ptr_array_index(config->problems, k));
    g_assert_true(scree_config_failed(config, &error) == (config->problems->len > 0));
    if (scree_unit_parse(text, &unit, NULL))
        g_assert_true(unit.factor > 0 && isfinite(unit.factor));
    if (scree_quantity_parse(text, "m", &value, NULL))
        g_assert_true(isfinite(value));
    return 0;
}
