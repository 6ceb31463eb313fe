/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs: sinks, calls, and rounds over choices and scenes. */
#include "tools/check/check_gcd_bench.h"

#include <string.h>

#include "tools/check/check_gcd_boxes.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

void scree_gcd_fail(scree_gcd_bench *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    scree_check_fail(t->check, "%s, step %u, %uD%s%s%s: %s", t->scene, t->step, t->dimension,
                     t->flags & SCREE_GCD_SPHERES ? ", spheres" : "", t->variant ? ", " : "",
                     t->variant ? t->variant : "", text);
}

/* ---- sinks ---- */

static void take_back(scree_check_list *list)
{
    if (list->guarded)
        scree_check_guarded_free(list->given);
    else
        g_free(list->given);
    list->given = NULL;
    list->room = 0;
}

/** Room for n elements: a new guarded array, or the current one, grown. */
static void *reserve(scree_check_list *list, uint64_t n)
{
    const size_t size = g_array_get_element_size(list->found);
    list->n_given = n;
    if (!list->guarded && n <= list->room && list->given)
        return list->given;
    take_back(list);
    list->room = list->guarded ? 0 : n + n / 2 + 1;
    list->given = list->guarded ? scree_check_guarded(n * size) : g_malloc_n(list->room, size);
    return list->given;
}

static int32_t commit(scree_check_list *list, uint64_t n)
{
    list->overdrawn |= n > list->n_given;
    if (list->overdrawn)
        return SCREE_E_INTERNAL;
    g_array_append_vals(list->found, list->given, (guint)n);
    list->n_given = 0;
    return SCREE_OK;
}

static void open_list(scree_check_list *list, size_t size, bool guarded)
{
    if (!list->found)
        list->found = g_array_new(FALSE, FALSE, (guint)size);
    g_array_set_size(list->found, 0);
    take_back(list);
    list->guarded = guarded;
    list->overdrawn = false;
    list->n_given = 0;
}

static void close_list(scree_check_list *list)
{
    take_back(list);
    g_clear_pointer(&list->found, g_array_unref);
}

static int32_t reserve_pairs(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    scree_check_pairs *pairs = sink->ctx;
    *out = reserve(&pairs->list, n);
    return SCREE_OK;
}

static int32_t commit_pairs(scree_pair_sink *sink, uint64_t n)
{
    scree_check_pairs *pairs = sink->ctx;
    return commit(&pairs->list, n);
}

static int32_t reserve_indices(scree_index_sink *sink, uint64_t n, uint32_t **out)
{
    scree_check_indices *indices = sink->ctx;
    *out = reserve(&indices->list, n);
    return SCREE_OK;
}

static int32_t commit_indices(scree_index_sink *sink, uint64_t n)
{
    scree_check_indices *indices = sink->ctx;
    return commit(&indices->list, n);
}

void scree_gcd_open_pairs(scree_check_pairs *pairs, uint32_t lane, bool guarded)
{
    open_list(&pairs->list, sizeof(scree_pair), guarded);
    pairs->sink = (scree_pair_sink){sizeof pairs->sink, lane, pairs, reserve_pairs, commit_pairs};
}

void scree_gcd_close_pairs(scree_check_pairs *pairs)
{
    close_list(&pairs->list);
}

static void open_indices(scree_check_indices *indices, bool guarded)
{
    open_list(&indices->list, sizeof(uint32_t), guarded);
    indices->sink =
        (scree_index_sink){sizeof indices->sink, 0, indices, reserve_indices, commit_indices};
}

static int compare_pairs(gconstpointer x, gconstpointer y)
{
    const scree_pair *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static int compare_indices(gconstpointer x, gconstpointer y)
{
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    return (i > j) - (i < j);
}

void scree_gcd_sort(GArray *pairs)
{
    for (guint p = 0; p < pairs->len; p++) {
        scree_pair *v = &g_array_index(pairs, scree_pair, p);
        if (v->a > v->b)
            *v = (scree_pair){v->b, v->a};
    }
    g_array_sort(pairs, compare_pairs);
}

/* ---- calls ---- */

bool scree_gcd_init(scree_gcd_bench *t)
{
    return SCREE_CHECK_CALL(t->check, t->instance, "init",
                            t->ops->init(t->instance->self, &t->boxes.view, t->flags));
}

bool scree_gcd_step_init(scree_gcd_bench *t, const uint32_t *moved, uint32_t n_moved)
{
    t->n_pivots = 0;
    return SCREE_CHECK_CALL(
        t->check, t->instance, "step_init",
        t->ops->step_init(t->instance->self, &t->boxes.view, moved, n_moved, &t->n_pivots));
}

bool scree_gcd_find(scree_gcd_bench *t, uint64_t first, uint64_t last, scree_check_pairs *list)
{
    if (!SCREE_CHECK_CALL(t->check, t->instance, "find_neighbors",
                          t->ops->find_neighbors(t->instance->self, first, last, &list->sink)))
        return false;
    if (list->list.overdrawn)
        scree_check_fail(t->check, "find_neighbors committed more pairs than it had reserved");
    return !list->list.overdrawn;
}

/** Counts pairs; its own case reports invalid ones. */
void scree_gcd_count_pairs(scree_gcd_bench *t)
{
    const uint64_t n = t->boxes.n;
    if (t->n_seen < n * n) {
        g_free(t->seen);
        t->n_seen = n * n;
        t->seen = g_malloc(t->n_seen);
    }
    if (n > 0)
        memset(t->seen, 0, n * n);
    for (guint p = 0; p < t->pairs.list.found->len; p++) {
        scree_pair v = g_array_index(t->pairs.list.found, scree_pair, p);
        if (v.a < n && v.b < n)
            t->seen[MIN(v.a, v.b) * n + MAX(v.a, v.b)]++;
    }
}

bool scree_gcd_find_all(scree_gcd_bench *t, const uint32_t *moved, uint32_t n_moved)
{
    if (!scree_gcd_step_init(t, moved, n_moved))
        return false;
    scree_gcd_open_pairs(&t->pairs, 0, false);
    if (!scree_gcd_find(t, 0, t->n_pivots, &t->pairs))
        return false;
    scree_gcd_count_pairs(t);
    return true;
}

bool scree_gcd_find_zone(scree_gcd_bench *t, const scree_zone *zone, bool guarded)
{
    open_indices(&t->found, guarded);
    if (!SCREE_CHECK_CALL(t->check, t->instance, "find_objects",
                          t->ops->find_objects(t->instance->self, zone, &t->found.sink)))
        return false;
    if (t->found.list.overdrawn)
        scree_check_fail(t->check, "find_objects committed more boxes than it had reserved");
    g_array_sort(t->found.list.found, compare_indices);
    return !t->found.list.overdrawn;
}

/* ---- rounds ---- */

/* A method as its source prints it may miss pairs, when a scene asks for that by name. */
static const char as_printed[] = "as_printed=true";

void scree_gcd_note_printed(scree_check *check)
{
    for (uint32_t k = 0; k < check->plugin->n_params; k++) {
        const scree_param *p = check->plugin->params[k];
        if (p->type == SCREE_TYPE_BOOL && !p->int_default && !strcmp(p->name, "as_printed"))
            scree_check_note(check,
                             "%s: as its source prints it, it may miss pairs; this is not judged",
                             as_printed);
    }
}

static void open_bench(scree_gcd_bench *t, scree_check *check, const char *variant,
                       uint32_t dimension, uint32_t flags)
{
    *t = (scree_gcd_bench){.check = check,
                           .ops = check->plugin->ops,
                           .flags = flags,
                           .dimension = dimension,
                           .variant = variant,
                           .may_miss =
                               !g_strcmp0(variant, as_printed) ||
                               (check->settings && g_strv_contains(check->settings, as_printed)),
                           .scene = "boxes anywhere",
                           .boxes.random = 20260};
    t->instance = scree_check_instance(check, dimension, 1, SCREE_CHECK_DEFAULTS, variant);
}

void scree_gcd_close(scree_gcd_bench *t)
{
    scree_check_instance_free(t->instance);
    scree_gcd_close_pairs(&t->pairs);
    scree_gcd_close_pairs(&t->part);
    close_list(&t->found.list);
    scree_check_boxes_clear(&t->boxes);
    g_free(t->seen);
}

/** NULL, then "NAME=VALUE" for each other choice of each parameter. */
static GPtrArray *list_variants(const scree_plugin *plugin)
{
    GPtrArray *variants = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(variants, NULL);
    for (uint32_t k = 0; k < plugin->n_params; k++) {
        const scree_param *p = plugin->params[k];
        if (p->type == SCREE_TYPE_BOOL)
            g_ptr_array_add(variants,
                            g_strdup_printf("%s=%s", p->name, p->int_default ? "false" : "true"));
        for (uint32_t c = 0; p->type == SCREE_TYPE_CHOICE && c < p->n_choices; c++)
            if (g_strcmp0(p->choices[c]->name, p->string_default))
                g_ptr_array_add(variants,
                                g_strdup_printf("%s=\"%s\"", p->name, p->choices[c]->name));
    }
    return variants;
}

void scree_gcd_for_all(scree_check *check, uint32_t n_flags, void (*work)(scree_gcd_bench *t))
{
    g_autoptr(GPtrArray) variants = list_variants(check->plugin);
    for (guint v = 0; v < variants->len; v++)
        for (uint32_t k = 0; k < 2 * n_flags && !check->failed; k++) {
            const uint32_t dimension = 2 + k / n_flags;
            scree_gcd_bench t;
            if (!(check->plugin->dimensions &
                  (dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3)))
                continue;
            open_bench(&t, check, variants->pdata[v], dimension,
                       k % n_flags ? SCREE_GCD_SPHERES : 0);
            if (t.instance)
                work(&t);
            scree_gcd_close(&t);
        }
}

void scree_gcd_for_scenes(scree_gcd_bench *t, uint32_t most, bool (*work)(scree_gcd_bench *t))
{
    uint64_t seed = 20260;
    for (const scree_check_scene *s = scree_check_scenes; s->name && !t->check->failed; s++) {
        bool good = true;
        t->scene = s->name;
        t->boxes.random = scree_check_bits(&seed);
        for (t->step = 0; t->step < MIN(s->steps, most) && good; t->step++) {
            s->fill(&t->boxes, t->dimension, t->step);
            good = (t->step > 0 || scree_gcd_init(t)) && work(t);
        }
    }
}
