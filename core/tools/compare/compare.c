/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the variants of a comparison from the options --vary and --variant. */
#include "tools/compare/compare.h"
#include "base/escape.h"
#include "tools/compare/compare_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config_node.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/compare/compare_machine.h"
#include "tools/look/scene_json.h"
#include "tools/look/scene_print.h"

enum { MOST_VARIANTS = 10000, LONGEST_LINE = 400 };

const char *const scree_metric_keys[SCREE_METRICS] = {"gcd", "gcd_resolve", "step", "step_init",
                                                      "search"};
const char *const scree_metric_titles[SCREE_METRICS] = {
    "contact detection", "contact detection and resolution", "whole step", "step_init", "search"};

void scree_comparison_note(scree_comparison *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *line = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    bool fresh = g_hash_table_add(c->printed, line); // takes the named variant
    if (fresh) {
        if (isatty(STDERR_FILENO))
            scree_plain_draw("\r\033[K");
        fprintf(stderr, "scree: %s\n", line);
    }
}

/* ---- paths ---- */

/** The first name of a path, or of an assignment. */
static char *top_of(const char *path)
{
    return g_strndup(path, strcspn(path, ".[= "));
}

static bool is_of(const char *path, const char *top)
{
    g_autofree char *own = top_of(path);
    return g_str_equal(own, top);
}

static char *path_of(const char *assignment)
{
    return g_strstrip(g_strndup(assignment, strcspn(assignment, "=")));
}

/** Whether the values of an axis are tasks: numbers of the scene rather than of a method. */
static bool is_task(const scree_axis *axis)
{
    static const char *const methods[] = {"gcd",   "extent", "renumber",
                                          "guard", "domain", SCREE_VARY_THREADS};
    bool method = !axis->number || axis->values->len < 2;
    for (size_t i = 0; i < G_N_ELEMENTS(methods); i++)
        method = method || is_of(axis->path, methods[i]);
    return !method;
}

static bool check_paths(const scree_comparison *c, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint a = 0; a < c->axes->len; a++)
        if (!g_hash_table_add(seen, scree_comparison_axis(c, a)->path))
            return scree_fail(error, SCREE_EXIT_USAGE, "--vary %s is given twice",
                              scree_comparison_axis(c, a)->path);
    for (guint n = 0; n < c->named->len; n++) {
        const scree_named *named = c->named->pdata[n];
        for (guint k = 0; k < named->assignments->len; k++) {
            g_autofree char *path = path_of(named->assignments->pdata[k]);
            if (g_hash_table_contains(seen, path))
                return scree_fail(error, SCREE_EXIT_USAGE,
                                  "--variant %s: %s is varied by --vary too", named->name, path);
        }
        for (guint k = 0; k < n; k++)
            if (g_str_equal(((const scree_named *)c->named->pdata[k])->name, named->name))
                return scree_fail(error, SCREE_EXIT_USAGE, "--variant %s is given twice",
                                  named->name);
    }
    return true;
}

/* ---- all plugins of a kind ---- */

/** The kind of plugins in a path like "gcd.plugin"; 0: no kind that can be compared. */
static uint32_t kind_of_path(const char *path)
{
    g_autofree char *top = top_of(path);
    uint32_t kind = scree_slot_kind_of(top, strlen(top));
    bool chosen =
        kind != SCREE_KIND_OBSERVER && kind != SCREE_KIND_SHAPE && kind != SCREE_KIND_SOURCE;
    return g_str_has_suffix(path, ".plugin") && chosen ? kind : 0;
}

static GPtrArray *list_installed(scree_comparison *c, const char *path, uint32_t kind)
{
    g_autoptr(GPtrArray) all = scree_registry_scan(c->registry);
    GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < all->len; i++) {
        const scree_listing *one = all->pdata[i];
        if (one->refused && (!one->id || one->kind == kind))
            scree_comparison_note(c, "left out: %s: %s", path, one->refused);
        else if (one->kind == kind && !one->shadowed_by)
            g_ptr_array_add(ids, g_strdup(one->id));
    }
    return ids;
}

/** Replaces "all" by the ids of installed plugins; *is_all: the axis had "all". */
static bool expand_all(scree_comparison *c, guint a, bool *is_all, GError **error)
{
    scree_axis *axis = c->axes->pdata[a];
    uint32_t kind = kind_of_path(axis->path);
    *is_all = axis->values->len == 1 && g_str_equal(axis->values->pdata[0], "all") &&
              g_str_has_suffix(axis->path, "plugin");
    if (!*is_all)
        return true;
    if (!kind)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--vary %s=all: expected gcd.plugin, resolvers.0.plugin, force.0.plugin, "
                          "integrator.plugin or modifiers.NAME.plugin",
                          axis->path);
    scree_axis *whole = scree_axis_new(axis->path, list_installed(c, axis->path, kind), error);
    if (!whole)
        return false;
    scree_axis_free(axis);
    c->axes->pdata[a] = whole;
    return true;
}

/* ---- variants ---- */

static void variant_free(void *p)
{
    scree_variant *v = p;
    g_free(v->at);
    g_free(v->label);
    g_free(v->short_label);
    g_ptr_array_unref(v->overrides);
    g_ptr_array_unref(v->own);
    g_free(v->paste);
    g_free(v->message);
    g_array_unref(v->samples);
    g_free(v->state_sha256);
    g_clear_pointer(&v->report, json_node_unref);
    g_free(v);
}

void scree_named_free(scree_named *named)
{
    g_free(named->name);
    g_ptr_array_unref(named->assignments);
    g_free(named);
}

static void append_part(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append_part(GString *text, const char *format, ...)
{
    va_list arguments;
    if (text->len)
        g_string_append(text, ", ");
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
}

/** Makes both labels; the short one has only settings that differ within the group. */
static void label_variant(const scree_comparison *c, scree_variant *v)
{
    g_autoptr(GString) whole = g_string_new(NULL), brief = g_string_new(NULL);
    guint n_brief = v->named != NULL;
    for (guint a = 0; a < c->axes->len; a++)
        n_brief += !c->splits[a];
    if (v->named) {
        append_part(whole, "%s", v->named->name);
        append_part(brief, "%s", v->named->name);
    }
    for (guint a = 0; a < c->axes->len; a++) {
        const scree_axis *axis = scree_comparison_axis(c, a);
        const char *value = axis->values->pdata[v->at[a]];
        append_part(whole, "%s=%s", axis->path, value);
        if (c->splits[a])
            continue;
        if (n_brief == 1)
            append_part(brief, "%s", value);
        else
            append_part(brief, "%s=%s", axis->path, value);
    }
    v->label = g_strdup(whole->len ? whole->str : "as it is");
    v->short_label = g_strdup(brief->len ? brief->str : v->label);
}

static void add_override(scree_variant *v, char *assignment)
{
    g_ptr_array_add(v->overrides, assignment);
    g_ptr_array_add(v->own, assignment);
}

static scree_variant *make_variant(const scree_comparison *c, const guint *at)
{
    scree_variant *v = g_new0(scree_variant, 1);
    v->at = g_memdup2(at, c->axes->len * sizeof *at);
    v->named = c->named->len ? c->named->pdata[at[c->axes->len]] : NULL;
    v->overrides = g_ptr_array_new_with_free_func(g_free);
    v->own = g_ptr_array_new();
    v->samples = g_array_new(FALSE, FALSE, sizeof(scree_sample));
    v->bytes_per_box = (double)NAN;
    v->threads = c->threads;
    for (guint i = 0; c->overrides && c->overrides[i]; i++)
        g_ptr_array_add(v->overrides, g_strdup(c->overrides[i]));
    if (c->ranks)
        g_ptr_array_add(v->overrides,
                        g_strdup_printf("domain={plugin=\"processes\"; ranks=%u;}", c->ranks));
    for (guint i = 0; v->named && i < v->named->assignments->len; i++)
        add_override(v, g_strdup(v->named->assignments->pdata[i]));
    for (guint a = 0; a < c->axes->len; a++) {
        const scree_axis *axis = scree_comparison_axis(c, a);
        const char *value = axis->values->pdata[at[a]];
        g_autofree char *assignment = g_strdup_printf("%s=%s", axis->path, value);
        if (!g_str_equal(axis->path, SCREE_VARY_THREADS)) {
            add_override(v, g_steal_pointer(&assignment));
            continue;
        }
        v->threads = (guint)strtoul(value, NULL, 10);
        g_ptr_array_add(v->own, (char *)g_intern_string(assignment));
    }
    g_ptr_array_add(v->overrides, NULL);
    label_variant(c, v);
    return v;
}

/** Lines of a scene for this variant: its own settings without the task. New string. */
static char *paste_line(const scree_comparison *c, const scree_variant *v, const scree_node *root)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint n_named = v->own->len - c->axes->len;
    bool only_tasks = !n_named;
    for (guint a = 0; a < c->axes->len; a++)
        only_tasks = only_tasks && c->tasks[a];
    for (guint i = 0; i < v->own->len; i++) {
        const char *assignment = v->own->pdata[i];
        if (i >= n_named && c->tasks[i - n_named] && !only_tasks)
            continue;
        char *top = top_of(assignment);
        const scree_node *node = scree_node_find(root, top);
        if (!g_hash_table_add(done, top))
            continue;
        g_autofree char *line = node ? scree_node_line(node) : NULL;
        if (line && strlen(line) <= LONGEST_LINE && !only_tasks)
            g_string_append_printf(text, "%s%s", text->len ? " " : "", line);
        else if (g_str_has_prefix(assignment, SCREE_VARY_THREADS "="))
            g_string_append_printf(text, "%s--threads %u", text->len ? " " : "", v->threads);
        else
            g_string_append_printf(text, "%s--set '%s'", text->len ? " " : "", assignment);
    }
    return g_strdup(text->str);
}

/** Reads the scene of the variant. False: it is refused; *left_out: the other variants remain. */
static bool try_variant(scree_comparison *c, scree_variant *v, const bool *is_all, bool *left_out,
                        GError **error)
{
    g_autoptr(GError) wrong = NULL;
    g_autoptr(scree_scene) scene =
        scree_scene_load(c->scene, (const char *const *)v->overrides->pdata, c->registry, &wrong);
    *left_out = false;
    v->ranks = scene ? scree_look_ranks(scene) : 1;
    if (!v->ranks)
        return scree_fail(
            error, SCREE_EXIT_USAGE,
            "domain: expected one whose ranks are started without a launcher, such as "
            "--ranks 2, got domain/%s",
            scene->domain->plugin->id);
    if (scene) {
        c->n_cpus = MAX(c->n_cpus, v->ranks * v->threads);
        for (guint i = 0; i < scene->config->notes->len; i++)
            scree_comparison_note(c, "note: %s", (const char *)scene->config->notes->pdata[i]);
        if (scene->observers->len)
            scree_comparison_note(c, "note: observers are left out of a comparison, unless "
                                     "conditions of its schedule read them");
        if (!c->title)
            c->title = g_strdup(scene->title);
        for (guint a = 0; a < c->axes->len; a++) {
            scree_axis *axis = c->axes->pdata[a];
            if (!axis->unit && !g_str_equal(axis->path, SCREE_VARY_THREADS))
                axis->unit = g_strdup(scree_path_unit(scene, axis->path));
        }
        v->paste = paste_line(c, v, scene->config->root);
        return true;
    }
    for (guint a = 0; a < c->axes->len && !*left_out; a++) {
        const scree_axis *axis = scree_comparison_axis(c, a);
        if (!is_all[a])
            continue;
        *left_out = true;
        g_autofree char *first = g_strndup(wrong->message, strcspn(wrong->message, "\n"));
        g_autofree char *line =
            g_strdup_printf("%s=%s: %s", axis->path, (char *)axis->values->pdata[v->at[a]], first);
        if (!g_ptr_array_find_with_equal_func(c->left_out, line, g_str_equal, NULL))
            g_ptr_array_add(c->left_out, g_steal_pointer(&line));
    }
    if (*left_out)
        return true;
    return scree_fail(error, wrong->code, "variant %s: %s", v->label, wrong->message);
}

/** The common reason why all variants were left out, as when the scene cannot be read; NULL: there
 * are several. */
static const char *common_reason(const scree_comparison *c)
{
    const char *reason = NULL;
    for (guint i = 0; i < c->left_out->len; i++) {
        const char *own = strstr(c->left_out->pdata[i], ": ");
        if (reason && !g_str_equal(own, reason))
            return NULL;
        reason = own;
    }
    return reason ? reason + strlen(": ") : NULL;
}

/** Prints which variants are left out. False: no others are left. */
static bool is_something_left(scree_comparison *c, GError **error)
{
    const char *reason = c->variants->len ? NULL : common_reason(c);
    if (reason)
        return scree_fail(error, SCREE_EXIT_USAGE, "%s", reason);
    for (guint i = 0; i < c->left_out->len; i++)
        scree_comparison_note(c, "left out: %s", (const char *)c->left_out->pdata[i]);
    return c->variants->len > 0 ||
           scree_fail(error, SCREE_EXIT_USAGE, "expected variants that can be compared, got none");
}

static bool make_variants(scree_comparison *c, const bool *is_all, GError **error)
{
    guint n = c->axes->len + 1;
    g_autofree guint *at = g_new0(guint, n), *base = g_new(guint, n);
    double all = base[n - 1] = MAX(1, c->named->len);
    for (guint a = 0; a < c->axes->len; a++)
        all *= base[a] = scree_comparison_axis(c, a)->values->len;
    if (all > MOST_VARIANTS)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected at most %d variants, got %.0f",
                          MOST_VARIANTS, all);
    for (bool more = all > 0.0; more; more = scree_combination_next(at, base, n)) {
        scree_variant *v = make_variant(c, at);
        bool left_out;
        if (!c->quiet && isatty(STDERR_FILENO)) {
            g_autofree char *label = scree_plain(v->label, 70);
            g_autofree char *text = g_strdup_printf("\r\033[Kreading %s\r", label);
            scree_plain_draw(text);
        }
        if (*c->stop || !try_variant(c, v, is_all, &left_out, error) || left_out)
            variant_free(v);
        else
            g_ptr_array_add(c->variants, v);
        if (*c->stop || *error)
            return !*error;
    }
    return is_something_left(c, error);
}

/* ---- groups ---- */

bool scree_variant_is_sibling(const scree_comparison *c, const scree_variant *a,
                              const scree_variant *b, guint axis)
{
    for (guint k = 0; k < c->axes->len; k++)
        if (k != axis && a->at[k] != b->at[k])
            return false;
    return a->named == b->named;
}

static bool is_same_task(const scree_comparison *c, const scree_variant *a, const scree_variant *b)
{
    for (guint k = 0; k < c->axes->len; k++)
        if (c->splits[k] && a->at[k] != b->at[k])
            return false;
    return true;
}

/** Settings that two variants must share to reach the same state: all but `gcd`, threads, ranks. */
static const char *without_speed(const scree_variant *v)
{
    g_autoptr(GString) rest = g_string_new(NULL);
    for (guint i = 0; i < v->own->len; i++)
        if (!is_of(v->own->pdata[i], "gcd") && !is_of(v->own->pdata[i], "domain") &&
            !is_of(v->own->pdata[i], SCREE_VARY_THREADS))
            g_string_append_printf(rest, "%s\n", (char *)v->own->pdata[i]);
    return g_intern_string(rest->str);
}

/** Numbers the groups in the order of their tasks. */
static void make_groups(scree_comparison *c)
{
    c->n_groups = 0;
    for (guint i = 0; i < c->variants->len; i++) {
        scree_variant *v = scree_comparison_variant(c, i);
        guint k = 0;
        while (k < i && !is_same_task(c, scree_comparison_variant(c, k), v))
            k++;
        v->rest = without_speed(v);
        v->group = k < i ? scree_comparison_variant(c, k)->group : c->n_groups++;
    }
}

/** Whether the variants of a group differ only in `gcd`. */
static bool is_only_gcd(const scree_comparison *c)
{
    bool some = false;
    for (guint a = 0; a < c->axes->len; a++) {
        if (c->splits[a])
            continue;
        if (!is_of(scree_comparison_axis(c, a)->path, "gcd"))
            return false;
        some = true;
    }
    for (guint n = 0; n < c->named->len; n++) {
        const scree_named *named = c->named->pdata[n];
        for (guint k = 0; k < named->assignments->len; k++)
            if (!is_of(named->assignments->pdata[k], "gcd"))
                return false;
        some = true;
    }
    return some;
}

/** Tasks with one variant each become one group, because nothing else can be compared. */
static void find_tasks(scree_comparison *c)
{
    bool choice = c->named->len > 1;
    c->splits = g_new0(bool, c->axes->len + 1);
    c->tasks = g_new0(bool, c->axes->len + 1);
    for (guint a = 0; a < c->axes->len; a++) {
        c->tasks[a] = c->splits[a] = is_task(scree_comparison_axis(c, a));
        choice = choice || (!c->splits[a] && scree_comparison_axis(c, a)->values->len > 1);
    }
    if (!choice)
        for (guint a = 0; a < c->axes->len; a++)
            c->splits[a] = false;
}

bool scree_comparison_build(scree_comparison *c, GError **error)
{
    g_autofree bool *is_all = g_new0(bool, c->axes->len + 1);
    g_autoptr(GError) wrong = NULL;
    c->variants = g_ptr_array_new_with_free_func(variant_free);
    c->left_out = g_ptr_array_new_with_free_func(g_free);
    c->disagreements = g_array_new(FALSE, TRUE, sizeof(scree_disagreement));
    c->printed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool ok = check_paths(c, &wrong);
    for (guint a = 0; a < c->axes->len && ok; a++)
        ok = expand_all(c, a, &is_all[a], &wrong);
    if (ok) {
        find_tasks(c);
        ok = make_variants(c, is_all, &wrong);
    }
    if (!ok) {
        g_propagate_error(error, g_steal_pointer(&wrong));
        return false;
    }
    make_groups(c);
    c->only_gcd = is_only_gcd(c);
    c->by = c->only_gcd ? SCREE_METRIC_CONTACT : SCREE_METRIC_STEP;
    scree_comparison_pin(c);
    return true;
}

void scree_comparison_clear(scree_comparison *c)
{
    if (c->variants)
        g_ptr_array_unref(c->variants);
    if (c->left_out)
        g_ptr_array_unref(c->left_out);
    for (guint i = 0; c->disagreements && i < c->disagreements->len; i++)
        g_free(g_array_index(c->disagreements, scree_disagreement, i).why);
    if (c->disagreements)
        g_array_unref(c->disagreements);
    if (c->printed)
        g_hash_table_unref(c->printed);
    g_free(c->best);
    g_free(c->splits);
    g_free(c->tasks);
    g_free(c->cpus);
    g_free(c->title);
}
