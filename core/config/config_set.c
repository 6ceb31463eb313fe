/* SPDX-License-Identifier: Apache-2.0 */
/* Overrides: "PATH=VALUE" is read and put into a scene's tree, "PATH+=VALUE" is added to a list. */
#include "config/config_set.h"

#include <string.h>

#include "config/config.h"
#include "config/config_node.h"
#include "config/config_parse.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_source.h"
#include "config/config_text.h"
#include "config/units.h"

#define SET_FILE "--set"
#define SET_DIR "."
#define REFUSE(error, ...) scree_fail_of(error, SCREE_EXIT_USAGE, SET_FILE, __VA_ARGS__)

/** The steps of a path, NULL-terminated; an index starts with a digit. NULL: it is not a path, or
 * has more than 64 steps (SCREE_MAX_NESTING). */
static char **split_path(const char *path)
{
    static const char form[] = "^[A-Za-z*][A-Za-z0-9_*-]*"
                               "(\\.([A-Za-z*][A-Za-z0-9_*-]*|[0-9]{1,8})|\\[[0-9]{1,8}\\]){0,63}$";
    if (!g_regex_match_simple(form, path, G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0))
        return NULL;
    char **steps = g_regex_split_simple("[].[]+", path, 0, 0);
    char **last = steps + g_strv_length(steps) - 1;
    if (!**last) // nothing follows a bracket
        g_clear_pointer(last, g_free);
    return steps;
}

/** Whether it is text whose quotes a shell has taken away: a word, a path, a number with a unit. */
static bool is_bare_text(const char *value)
{
    scree_unit unit;
    if (g_ascii_isdigit(*value) || strchr("+-.", *value)) {
        char *end;
        g_ascii_strtod(value, &end);
        while (*end == ' ')
            end++;
        const bool suffix = strcmp(end, "L") == 0 || strcmp(end, "LL") == 0;
        if (end > value)
            return (g_ascii_isalpha(*end) || *end == '%' || (unsigned char)*end >= 0x80) &&
                   !suffix && scree_unit_parse(end, &unit, NULL);
    }
    return *value && !strpbrk(value, "=;,()[]{}\"@ \t\n\r") && g_utf8_validate(value, -1, NULL);
}

/** VALUE as a node without a group, whose file names start from `dir`, which outlives it; NULL with
 * an error. */
static scree_node *read_value(const char *assignment, const char *value, const char *dir,
                              GError **error)
{
    g_autoptr(scree_config) scratch = scree_config_new();
    scree_source *source = scree_source_text(scratch, value, SET_FILE, dir);
    scree_node *node = NULL;
    if (source) {
        source->name = SET_FILE; /* as `dir`, it outlives the scratch config */
        source->dir = dir;
        source->is_override = true;
        node = scree_parse_value(scratch, source);
    }
    if (node && scratch->problems->len == 0)
        return node;
    g_clear_pointer(&node, scree_node_free);
    if (source && is_bare_text(value)) {
        node = scree_node_new(SCREE_NODE_STRING, SET_FILE, dir, 0);
        node->s = g_strdup(value);
        return node;
    }
    /* Only the first problem is reported; it causes the others. */
    const char *first = g_ptr_array_index(scratch->problems, 0);
    REFUSE(error, assignment, "%s",
           g_str_has_prefix(first, SET_FILE ": ") ? first + strlen(SET_FILE ": ") : first);
    return NULL;
}

/** Finds the element or child that a step names. NULL: with an error; without one, a key is missing
 * that may be added. */
static scree_node *take_step(scree_node *node, const char *step, const char *assignment,
                             GError **error)
{
    g_autofree char *path = scree_node_path(node);
    if (node->type == SCREE_NODE_LIST && g_ascii_isdigit(*step)) {
        const guint64 index = g_ascii_strtoull(step, NULL, 10);
        if (index < node->children->len)
            return g_ptr_array_index(node->children, index);
        REFUSE(error, assignment,
               "expected an element of %s, which has %u (the first is %s[0]), got %s", path,
               node->children->len, path, step);
    } else if (node->type == SCREE_NODE_LIST) {
        REFUSE(error, assignment, "%s is a list: its elements are %s[0] and so on", path, path);
    } else if (node->type != SCREE_NODE_GROUP) {
        g_autofree char *shown = scree_node_show(node);
        REFUSE(error, assignment, "%s is %s, it holds no keys", path, shown);
    } else if (g_ascii_isdigit(*step)) {
        REFUSE(error, assignment, "%s is a group: its keys have names", *path ? path : "the scene");
    } else {
        return scree_node_find(node, step);
    }
    return NULL;
}

/** Notes the keys that no longer count, because a whole group replaces the one in the file. */
static void note_replaced(scree_config *config, const scree_node *old, const scree_node *by)
{
    g_autoptr(GString) lost = g_string_new(NULL);
    if (old->type != SCREE_NODE_GROUP || by->type != SCREE_NODE_GROUP)
        return;
    for (guint k = 0; k < old->children->len; k++) {
        const scree_node *child = g_ptr_array_index(old->children, k);
        if (!scree_node_find(by, child->name))
            g_string_append_printf(lost, "%s%s", lost->len > 0 ? ", " : "", child->name);
    }
    g_autofree char *path = scree_node_path(old), *place = scree_node_place(old);
    if (lost->len > 0)
        scree_config_note(config, by, "%s: the whole group is given, so %s of %s no longer %s",
                          path, lost->str, place, strchr(lost->str, ',') ? "count" : "counts");
}

/** Adds the missing groups of a path, and the last key; takes the value. */
static void add_missing(scree_node *group, char *const *steps, scree_node *value)
{
    for (; steps[1]; steps++) {
        scree_node *made = scree_node_new(SCREE_NODE_GROUP, SET_FILE, SET_DIR, 0);
        made->name = g_strdup(*steps);
        made->layer = SCREE_LAYER_SET;
        scree_node_add(group, made);
        group = made;
    }
    value->name = g_strdup(*steps);
    scree_node_add(group, value);
}

/** Adds a value to the end of a list, and takes it. */
static bool append_value(scree_node *list, scree_node *value, const char *assignment,
                         GError **error)
{
    if (list->type == SCREE_NODE_LIST) {
        scree_node_add(list, value);
        return true;
    }
    g_autofree char *path = scree_node_path(list), *shown = scree_node_show(list);
    scree_node_free(value);
    return REFUSE(error, assignment, "+= adds to a list: expected %s = ( .. ), got %s", path,
                  shown);
}

/** Follows the path, and puts the value there, or appends it to the list there; takes it. */
static bool put_value(scree_config *config, char *const *steps, bool append, scree_node *value,
                      const char *assignment, GError **error)
{
    scree_node *node = config->root;
    for (; *steps; steps++) {
        g_autoptr(GError) wrong = NULL;
        scree_node *next = take_step(node, *steps, assignment, &wrong);
        if (!next)
            for (int k = 1; !wrong && steps[k]; k++)
                if (g_ascii_isdigit(*steps[k]))
                    REFUSE(&wrong, assignment, "expected a list %s, got none", steps[k - 1]);
        if (wrong) {
            scree_node_free(value);
            g_propagate_error(error, g_steal_pointer(&wrong));
            return false;
        }
        if (!next && append) {
            scree_node *list = scree_node_new(SCREE_NODE_LIST, SET_FILE, SET_DIR, 0);
            scree_node_add(list, value);
            scree_node_set_layer(list, SCREE_LAYER_SET);
            value = list;
        }
        if (!next) {
            add_missing(node, steps, value);
            return true;
        }
        node = next;
    }
    if (append)
        return append_value(node, value, assignment, error);
    value->name = g_strdup(node->name);
    note_replaced(config, node, value);
    scree_node_replace(node, value);
    return true;
}

/** Applies an override, whose file names start from `dir`. */
static bool set_in(scree_config *config, const char *assignment, const char *dir, GError **error)
{
    const char *equals = strchr(assignment, '=');
    const bool append = equals && equals > assignment && equals[-1] == '+';
    g_autofree char *path =
        equals ? g_strndup(assignment, (size_t)(equals - assignment) - append) : NULL;
    g_auto(GStrv) steps = path ? split_path(g_strstrip(path)) : NULL;
    if (!equals)
        return REFUSE(error, assignment,
                      "expected PATH=VALUE, as in gcd.plugin=grid, or PATH+=ELEMENT");
    if (!steps)
        return REFUSE(error, assignment,
                      "a path is names with dots and numbers of elements, as in "
                      "force[0].kn; a name: a letter "
                      "of a-z or A-Z, or *, then these, 0-9, _ or -");
    if (strcmp(steps[0], "base") == 0)
        return REFUSE(error, assignment, "base takes effect while the file is read, not later");
    g_autofree char *text = g_strstrip(g_strdup(equals + 1));
    scree_node *value =
        read_value(assignment, text, g_string_chunk_insert_const(config->names, dir), error);
    if (!value)
        return false;
    scree_node_set_layer(value, SCREE_LAYER_SET);
    if (!put_value(config, steps, append, value, assignment, error))
        return false;
    g_string_append_printf(config->text, "# --set %s\n", assignment);
    g_ptr_array_add(config->parts->overrides, g_strdup(assignment));
    g_ptr_array_add(config->parts->dirs, g_canonicalize_filename(dir, NULL));
    return true;
}

bool scree_config_set(scree_config *config, const char *assignment, GError **error)
{
    return set_in(config, assignment, SET_DIR, error);
}

void scree_config_set_all(scree_config *config, uint32_t n, const char *const *assignments,
                          const char *const *dirs)
{
    for (uint32_t k = 0; k < n && !config->broken; k++) {
        g_autoptr(GError) wrong = NULL;
        if (!set_in(config, assignments[k], dirs ? dirs[k] : SET_DIR, &wrong))
            scree_config_problem(config, NULL, "%s", wrong->message);
    }
}
