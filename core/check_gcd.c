/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `scree check`: the promises of a GCD (gcd.h), shown against brute force on the scenes of
 * check_gcd_boxes.c, in each dimension, with and without SCREE_GCD_SPHERES, and with each choice of
 * its parameters. A promise is one case, so that one mistake fails one case, on whatever boxes.
 */
#include <math.h>
#include <string.h>

#include "check_gcd.h"
#include "scree/sdk.h"

enum { MOST_LANES = 16 };

/** What a sink was given. */
typedef struct pair_list {
    scree_pair_sink sink;
    GArray *pairs;     /* of scree_pair */
    scree_pair *given; /* by the last reserve */
    uint64_t n_given;
    bool guarded;   /* each reserve is an array of its own, which ends where it was to end */
    bool overdrawn; /* committed more than was reserved */
} pair_list;

typedef struct index_list {
    scree_index_sink sink;
    GArray *indices; /* of uint32_t */
    uint32_t *given;
    uint64_t n_given;
    bool guarded, overdrawn;
} index_list;

/** An instance with its boxes. */
typedef struct bench {
    scree_check *check;
    scree_instance *instance;
    const scree_gcd_ops *ops;
    scree_check_boxes boxes;
    uint32_t flags, dimension;
    uint64_t n_pivots;
    pair_list pairs, part;
    index_list found;
    const char *variant; /* "search=\"window\"", or NULL */
    const char *scene;
    uint32_t step;
} bench;

static void fail(bench *t, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Fails the case, naming where. */
static void fail(bench *t, const char *format, ...)
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

static void *give(void **given, uint64_t n, size_t size, bool guarded)
{
    if (guarded)
        scree_check_guarded_free(*given);
    else
        g_free(*given);
    *given = guarded ? scree_check_guarded(n * size) : g_malloc0_n(MAX(n, 1), size);
    return *given;
}

static void take_back(void **given, bool guarded)
{
    if (guarded)
        scree_check_guarded_free(*given);
    else
        g_free(*given);
    *given = NULL;
}

static int32_t reserve_pairs(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    pair_list *list = sink->ctx;
    list->n_given = n;
    *out = give((void **)&list->given, n, sizeof **out, list->guarded);
    return SCREE_OK;
}

static int32_t commit_pairs(scree_pair_sink *sink, uint64_t n)
{
    pair_list *list = sink->ctx;
    list->overdrawn |= n > list->n_given;
    if (list->overdrawn)
        return SCREE_E_INTERNAL;
    g_array_append_vals(list->pairs, list->given, (guint)n);
    list->n_given = 0;
    return SCREE_OK;
}

static int32_t reserve_indices(scree_index_sink *sink, uint64_t n, uint32_t **out)
{
    index_list *list = sink->ctx;
    list->n_given = n;
    *out = give((void **)&list->given, n, sizeof **out, list->guarded);
    return SCREE_OK;
}

static int32_t commit_indices(scree_index_sink *sink, uint64_t n)
{
    index_list *list = sink->ctx;
    list->overdrawn |= n > list->n_given;
    if (list->overdrawn)
        return SCREE_E_INTERNAL;
    g_array_append_vals(list->indices, list->given, (guint)n);
    list->n_given = 0;
    return SCREE_OK;
}

static void open_pairs(pair_list *list, uint32_t lane, bool guarded)
{
    if (!list->pairs)
        list->pairs = g_array_new(FALSE, FALSE, sizeof(scree_pair));
    g_array_set_size(list->pairs, 0);
    take_back((void **)&list->given, list->guarded);
    list->guarded = guarded;
    list->overdrawn = false;
    list->n_given = 0;
    list->sink = (scree_pair_sink){sizeof list->sink, lane, list, reserve_pairs, commit_pairs};
}

static void close_pairs(pair_list *list)
{
    take_back((void **)&list->given, list->guarded);
    if (list->pairs)
        g_array_unref(list->pairs);
    list->pairs = NULL;
}

static void open_indices(index_list *list, bool guarded)
{
    if (!list->indices)
        list->indices = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_set_size(list->indices, 0);
    take_back((void **)&list->given, list->guarded);
    list->guarded = guarded;
    list->overdrawn = false;
    list->n_given = 0;
    list->sink = (scree_index_sink){sizeof list->sink, 0, list, reserve_indices, commit_indices};
}

static void close_indices(index_list *list)
{
    take_back((void **)&list->given, list->guarded);
    if (list->indices)
        g_array_unref(list->indices);
    list->indices = NULL;
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

/** Lower number first in each, ascending. */
static void sort_pairs(GArray *pairs)
{
    for (guint p = 0; p < pairs->len; p++) {
        scree_pair *v = &g_array_index(pairs, scree_pair, p);
        if (v->a > v->b)
            *v = (scree_pair){v->b, v->a};
    }
    g_array_sort(pairs, compare_pairs);
}

/* ---- calls ---- */

static bool call_init(bench *t)
{
    return SCREE_CHECK_CALL(t->check, t->instance, "init",
                            t->ops->init(t->instance->self, &t->boxes.view, t->flags));
}

static bool call_step_init(bench *t, const uint32_t *moved, uint32_t n_moved)
{
    t->n_pivots = 0;
    return SCREE_CHECK_CALL(
        t->check, t->instance, "step_init",
        t->ops->step_init(t->instance->self, &t->boxes.view, moved, n_moved, &t->n_pivots));
}

static bool call_find(bench *t, uint64_t first, uint64_t last, pair_list *list)
{
    if (!SCREE_CHECK_CALL(t->check, t->instance, "find_neighbors",
                          t->ops->find_neighbors(t->instance->self, first, last, &list->sink)))
        return false;
    if (list->overdrawn)
        scree_check_fail(t->check, "find_neighbors committed more pairs than it had reserved");
    return !list->overdrawn;
}

/** All pairs of the boxes as they are, sorted, into t->pairs. */
static bool find_all(bench *t, const uint32_t *moved, uint32_t n_moved)
{
    if (!call_step_init(t, moved, n_moved))
        return false;
    open_pairs(&t->pairs, 0, false);
    if (!call_find(t, 0, t->n_pivots, &t->pairs))
        return false;
    sort_pairs(t->pairs.pairs);
    return true;
}

static bool find_region(bench *t, const scree_region *region, bool guarded)
{
    open_indices(&t->found, guarded);
    if (!SCREE_CHECK_CALL(t->check, t->instance, "find_objects",
                          t->ops->find_objects(t->instance->self, region, &t->found.sink)))
        return false;
    if (t->found.overdrawn)
        scree_check_fail(t->check, "find_objects committed more boxes than it had reserved");
    g_array_sort(t->found.indices, compare_indices);
    return !t->found.overdrawn;
}

/* ---- what is required ---- */

static bool spheres_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double d2 = 0.0, reach = b->radius[i] + b->radius[j];
    for (uint32_t k = 0; k < 3; k++) {
        double d = b->centre[k][i] - b->centre[k][j];
        d2 += d * d;
    }
    return d2 <= reach * reach;
}

static bool is_required(const bench *t, uint32_t i, uint32_t j)
{
    const scree_boxes *b = &t->boxes.view;
    return scree_boxes_overlap(b, i, j) &&
           (!(t->flags & SCREE_GCD_SPHERES) || spheres_meet(b, i, j));
}

static bool region_meets(const scree_region *r, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0;
    bool inside = true;
    for (uint32_t k = 0; k < 3; k++) {
        double c = r->centre[k];
        double d = c < b->lo[k][i] ? b->lo[k][i] - c : c > b->hi[k][i] ? c - b->hi[k][i] : 0.0;
        d2 += d * d;
        inside &= r->type == SCREE_REGION_BALL // the squares of tiny numbers are 0
                      ? d <= r->radius
                      : b->lo[k][i] <= r->hi[k] && r->lo[k] <= b->hi[k][i];
    }
    return inside && !scree_box_empty(b, i) &&
           (r->type != SCREE_REGION_BALL || d2 <= r->radius * r->radius);
}

/** Fails when a required pair of two boxes, one of them moved (NULL: any), is not in t->pairs. */
static bool none_missed(bench *t, const uint8_t *moved)
{
    const GArray *pairs = t->pairs.pairs;
    guint at = 0;
    for (uint32_t i = 0; i < t->boxes.n; i++)
        for (uint32_t j = i + 1; j < t->boxes.n; j++) {
            const scree_pair wanted = {i, j};
            if ((moved && !moved[i] && !moved[j]) || !is_required(t, i, j))
                continue;
            while (at < pairs->len &&
                   compare_pairs(&g_array_index(pairs, scree_pair, at), &wanted) < 0)
                at++;
            if (at < pairs->len && !compare_pairs(&g_array_index(pairs, scree_pair, at), &wanted))
                continue;
            fail(t, "it missed the pair (%u, %u) of %u boxes", i, j, t->boxes.n);
            return false;
        }
    return true;
}

/** Fails for a pair that is there twice, or is none. */
static bool each_once(bench *t)
{
    const scree_boxes *b = &t->boxes.view;
    for (guint p = 0; p < t->pairs.pairs->len; p++) {
        scree_pair v = g_array_index(t->pairs.pairs, scree_pair, p);
        const char *sin = v.a >= b->n || v.b >= b->n ? "a number out of range" : NULL;
        if (!sin && v.a == v.b)
            sin = "a box with itself";
        if (!sin && (scree_box_empty(b, v.a) || scree_box_empty(b, v.b)))
            sin = "an empty slot";
        if (!sin && p > 0 && !compare_pairs(&v, &g_array_index(t->pairs.pairs, scree_pair, p - 1)))
            sin = "a pair twice";
        if (!sin)
            continue;
        fail(t, "it gave %s: (%u, %u) of %u boxes", sin, v.a, v.b, b->n);
        return false;
    }
    return true;
}

/* ---- running ---- */

static void open_bench(bench *t, scree_check *check, const char *variant, uint32_t dimension,
                       uint32_t flags)
{
    *t = (bench){.check = check,
                 .ops = check->plugin->ops,
                 .flags = flags,
                 .dimension = dimension,
                 .variant = variant,
                 .scene = "boxes anywhere",
                 .boxes.random = 20260};
    t->instance = scree_check_instance(check, dimension, 1, SCREE_CHECK_DEFAULTS, variant);
}

static void close_bench(bench *t)
{
    scree_check_instance_free(t->instance);
    close_pairs(&t->pairs);
    close_pairs(&t->part);
    close_indices(&t->found);
    scree_check_boxes_clear(&t->boxes);
}

/** NULL and "NAME=VALUE" for each other choice of each parameter. */
static GPtrArray *list_variants(const scree_plugin *plugin)
{
    GPtrArray *variants = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(variants, NULL);
    for (uint32_t k = 0; k < plugin->n_params; k++) {
        const scree_param *p = plugin->params[k];
        if (p->type == SCREE_BOOL)
            g_ptr_array_add(variants,
                            g_strdup_printf("%s=%s", p->name, p->int_default ? "false" : "true"));
        for (uint32_t c = 0; p->type == SCREE_CHOICE && c < p->n_choices; c++)
            if (g_strcmp0(p->choices[c]->name, p->string_default))
                g_ptr_array_add(variants,
                                g_strdup_printf("%s=\"%s\"", p->name, p->choices[c]->name));
    }
    return variants;
}

/** Runs `work` for each choice, dimension and flag. */
static void for_all(scree_check *check, void (*work)(bench *t))
{
    g_autoptr(GPtrArray) variants = list_variants(check->plugin);
    for (guint v = 0; v < variants->len; v++)
        for (uint32_t k = 0; k < 4 && !check->failed; k++) {
            const uint32_t dimension = 2 + k / 2;
            bench t;
            if (!(check->plugin->dimensions & (dimension == 2 ? SCREE_2D : SCREE_3D)))
                continue;
            open_bench(&t, check, variants->pdata[v], dimension, k % 2 ? SCREE_GCD_SPHERES : 0);
            if (t.instance)
                work(&t);
            close_bench(&t);
        }
}

/** Runs `work` after each step of each scene, until it fails. */
static void for_scenes(bench *t, bool (*work)(bench *t))
{
    uint64_t seed = 20260;
    for (const scree_check_scene *s = scree_check_scenes; s->name && !t->check->failed; s++) {
        bool good = true;
        t->scene = s->name;
        t->boxes.random = scree_check_bits(&seed);
        for (t->step = 0; t->step < s->steps && good; t->step++) {
            s->fill(&t->boxes, t->dimension, t->step);
            good = (t->step > 0 || call_init(t)) && work(t);
        }
    }
}

/* ---- the promises ---- */

static bool judge_missed(bench *t)
{
    return find_all(t, NULL, 0) && none_missed(t, NULL);
}

static bool judge_once(bench *t)
{
    return find_all(t, NULL, 0) && each_once(t);
}

static bool judge_split(bench *t)
{
    GArray *part = NULL, *whole = NULL;
    if (!find_all(t, NULL, 0))
        return false;
    open_pairs(&t->part, 0, false);
    for (uint64_t first = 0; first < t->n_pivots;) {
        uint64_t most = MIN(t->n_pivots - first, 50);
        uint64_t last = first + scree_check_boxes_below(&t->boxes, (uint32_t)most + 1);
        if (!call_find(t, first, last, &t->part))
            return false;
        first = last;
    }
    part = t->part.pairs;
    whole = t->pairs.pairs;
    sort_pairs(part);
    if (part->len == whole->len &&
        (part->len == 0 || !memcmp(part->data, whole->data, part->len * sizeof(scree_pair))))
        return true;
    fail(t, "ranges of pivots taken one after the other give %u pairs, all at once %u%s", part->len,
         whole->len, part->len == whole->len ? ", and not the same" : "");
    return false;
}

/** A region about as large as what lies around a box, or far larger, or a point. */
static scree_region draw_region(bench *t)
{
    scree_check_boxes *w = &t->boxes;
    scree_region r = {.size = sizeof r, .type = 1 + scree_check_boxes_below(w, 2)};
    uint32_t i = w->n ? scree_check_boxes_below(w, w->n) : 0;
    double at[3] = {0, 0, 0}, scale = 1.0;
    if (w->n && !scree_box_empty(&w->view, i)) {
        scale = w->radius[i] * exp(scree_check_boxes_uniform(w, -3.0, 6.0)) *
                (scree_check_boxes_below(w, 8) != 0);
        for (uint32_t k = 0; k < w->dimension; k++)
            at[k] = scree_check_boxes_below(w, 4)
                        ? scree_check_boxes_uniform(w, w->lo[k][i], w->hi[k][i])
                        : w->lo[k][i];
    }
    for (uint32_t k = 0; k < 3; k++) {
        bool on = k < w->dimension;
        r.centre[k] = at[k];
        r.lo[k] = on ? at[k] - scale * scree_check_boxes_uniform(w, 0.0, 1.0) : -1.0;
        r.hi[k] = on ? at[k] + scale * scree_check_boxes_uniform(w, 0.0, 1.0) : 1.0;
    }
    r.radius = scale;
    return r;
}

static bool judge_region(bench *t, const scree_region *region)
{
    const scree_boxes *b = &t->boxes.view;
    const GArray *found = t->found.indices;
    guint at = 0;
    for (guint f = 0; f < found->len; f++) {
        uint32_t i = g_array_index(found, uint32_t, f);
        bool twice = f > 0 && i == g_array_index(found, uint32_t, f - 1);
        if (i < b->n && !scree_box_empty(b, i) && !twice)
            continue;
        fail(t, "find_objects gave box %u of %u%s", i, b->n,
             twice      ? " twice"
             : i < b->n ? ", an empty slot"
                        : "");
        return false;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        while (at < found->len && g_array_index(found, uint32_t, at) < i)
            at++;
        if ((at < found->len && g_array_index(found, uint32_t, at) == i) ||
            !region_meets(region, b, i))
            continue;
        fail(t, "find_objects missed box %u of %u in a %s", i, b->n,
             region->type == SCREE_REGION_BALL ? "ball" : "box");
        return false;
    }
    return true;
}

static bool judge_regions(bench *t)
{
    enum { REGIONS = 12 };
    if (!call_step_init(t, NULL, 0))
        return false;
    for (uint32_t k = 0; k < REGIONS; k++) {
        const scree_region region = draw_region(t);
        if (!find_region(t, &region, false) || !judge_region(t, &region))
            return false;
    }
    return true;
}

/** The same boxes again need no more memory. */
static bool judge_memory(bench *t)
{
    uint64_t before = 0;
    for (uint32_t round = 0; round < 4; round++) {
        uint64_t now = t->ops->bytes(t->instance->self);
        if (round > 1 && now > before) {
            fail(t,
                 "it holds %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT
                 " more than a step before, on the same boxes",
                 now, now - before);
            return false;
        }
        before = now;
        if (!find_all(t, NULL, 0))
            return false;
    }
    return true;
}

/** Some boxes jump, some slots are emptied or used again; their numbers go into `list`. */
static uint32_t move_some(bench *t, uint8_t *moved, uint32_t *list)
{
    scree_check_boxes *w = &t->boxes;
    const uint32_t share = scree_check_boxes_below(w, 4);
    uint32_t n_moved = 0;
    memset(moved, 0, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3], h[3], half = exp(scree_check_boxes_uniform(w, -4.0, 0.0));
        if (share == 0 || scree_check_boxes_below(w, share * share * 4) != 0)
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            x[k] = scree_check_boxes_uniform(w, 0.0, 10.0);
            h[k] = half;
        }
        moved[i] = 1;
        list[n_moved++] = i;
        scree_check_boxes_set(w, i, x, h);
        if (scree_check_boxes_below(w, 5) == 0)
            scree_check_boxes_empty(w, i);
    }
    return n_moved;
}

static bool none_unmoved(bench *t, const uint8_t *moved)
{
    for (guint p = 0; p < t->pairs.pairs->len; p++) {
        scree_pair v = g_array_index(t->pairs.pairs, scree_pair, p);
        if (v.a >= t->boxes.n || v.b >= t->boxes.n || moved[v.a] || moved[v.b])
            continue;
        fail(t, "given a list of moved boxes it gave (%u, %u), neither of which moved", v.a, v.b);
        return false;
    }
    return true;
}

static void work_moved(bench *t)
{
    enum { BOXES = 450, STEPS = 40 };
    uint8_t moved[BOXES];
    uint32_t list[BOXES];
    scree_check_boxes_gas(&t->boxes, BOXES, t->dimension, 2.0);
    bool good = call_init(t) && find_all(t, NULL, 0);
    t->scene = "lists of moved boxes";
    for (t->step = 1; t->step <= STEPS && good; t->step++) {
        uint32_t n_moved = move_some(t, moved, list);
        good = find_all(t, list, n_moved) && none_missed(t, moved) && none_unmoved(t, moved);
    }
}

/** The host gives other numbers to the boxes, and another number of them, and calls init again. */
static void work_renumbered(bench *t)
{
    static const uint32_t counts[] = {400, 400, 150, 700, 1, 400};
    t->scene = "boxes numbered anew";
    for (t->step = 0; t->step < G_N_ELEMENTS(counts); t->step++) {
        scree_check_boxes_gas(&t->boxes, counts[t->step], t->dimension, 3.0);
        if (!call_init(t) || !find_all(t, NULL, 0) || !none_missed(t, NULL))
            return;
        // What was found before init does not come back.
        for (uint32_t i = 0; i < t->boxes.n; i++)
            scree_check_boxes_set(&t->boxes, i, (double[3]){5.0 + 3.0 * i, 0.0, 0.0},
                                  (double[3]){1.0, 1.0, 1.0});
        if (!call_init(t) || !find_all(t, NULL, 0))
            return;
        for (guint p = 0; p < t->pairs.pairs->len; p++) {
            scree_pair v = g_array_index(t->pairs.pairs, scree_pair, p);
            if (v.a < t->boxes.n && v.b < t->boxes.n && v.b - v.a > t->boxes.n / 2 &&
                t->boxes.n > 100) {
                fail(t, "after init with boxes in a row it gave (%u, %u), %.0f m apart", v.a, v.b,
                     t->boxes.lo[0][v.b] - t->boxes.hi[0][v.a]);
                return;
            }
        }
    }
}

static void work_missed(bench *t)
{
    for_scenes(t, judge_missed);
}

static void work_once(bench *t)
{
    for_scenes(t, judge_once);
}

static void work_pivots(bench *t)
{
    for_scenes(t, judge_split);
}

static void work_regions(bench *t)
{
    for_scenes(t, judge_regions);
}

static void work_memory(bench *t)
{
    for_scenes(t, judge_memory);
}

static void check_missed(scree_check *check)
{
    for_all(check, work_missed);
}

static void check_once(scree_check *check)
{
    for_all(check, work_once);
}

static void check_pivots(scree_check *check)
{
    for_all(check, work_pivots);
}

static void check_regions(scree_check *check)
{
    for_all(check, work_regions);
}

static void check_moved(scree_check *check)
{
    if (check->plugin->flags & SCREE_INCREMENTAL)
        for_all(check, work_moved);
    else
        scree_check_skip(check, "it is not SCREE_INCREMENTAL");
}

static void check_renumbered(scree_check *check)
{
    for_all(check, work_renumbered);
}

static void check_memory(scree_check *check)
{
    if (SCREE_HAS((const scree_gcd_ops *)check->plugin->ops, bytes))
        for_all(check, work_memory);
    else
        scree_check_skip(check, "it does not say how many bytes it holds");
}

static const scree_check_case cases[] = {
    {"missed", "every pair of boxes that overlap or touch is found, whatever the boxes",
     check_missed},
    {"once", "no pair comes twice, none of a box with itself, an empty slot or none at all",
     check_once},
    {"pivots", "ranges of pivots give what all of them give, however they are split", check_pivots},
    {"regions", "find_objects finds each box in a region once, boxes around it included",
     check_regions},
    {"moved", "given a list of moved boxes, it finds their pairs and no others", check_moved},
    {"renumbered", "after init other boxes, more or fewer, are found as if they were the first",
     check_renumbered},
    {"memory", "the same boxes again need no more memory", check_memory},
    {0},
};

/* ---- the exercise ---- */

typedef struct gcd_exercise {
    bench bench;
    pair_list lane[MOST_LANES];
} gcd_exercise;

static void *begin(scree_check *check, scree_instance *instance)
{
    gcd_exercise *x = g_new0(gcd_exercise, 1);
    x->bench = (bench){.check = check,
                       .instance = instance,
                       .ops = instance->ops,
                       .dimension = instance->runtime->dimension,
                       .scene = "a gas in motion"};
    return x;
}

static void end(void *state)
{
    gcd_exercise *x = state;
    x->bench.instance = NULL; /* not of this bench */
    for (uint32_t lane = 0; lane < MOST_LANES; lane++)
        close_pairs(&x->lane[lane]);
    close_bench(&x->bench);
    g_free(x);
}

static int32_t find_chunk(void *user, uint64_t first, uint64_t last, uint32_t lane)
{
    gcd_exercise *x = user;
    return call_find(&x->bench, first, last, &x->lane[lane]) ? SCREE_OK : SCREE_E_INTERNAL;
}

/** All pairs, on all lanes, sorted into the bits. */
static void add_pairs(gcd_exercise *x, GChecksum *bits)
{
    enum { GRAIN = 7 };
    bench *t = &x->bench;
    scree_pool *pool = t->instance->runtime->pool;
    bool serial = t->check->plugin->flags & SCREE_SERIAL;
    uint32_t lanes = serial ? 1 : MIN(scree_pool_lanes(pool), (uint32_t)MOST_LANES);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(scree_pair));
    for (uint32_t lane = 0; lane < lanes; lane++)
        open_pairs(&x->lane[lane], lane, lanes == 1);
    if (lanes == 1)
        call_find(t, 0, t->n_pivots, &x->lane[0]);
    else
        scree_pool_for(pool, 0, t->n_pivots, GRAIN, find_chunk, x);
    for (uint32_t lane = 0; lane < lanes; lane++)
        if (x->lane[lane].pairs->len > 0)
            g_array_append_vals(all, x->lane[lane].pairs->data, x->lane[lane].pairs->len);
    sort_pairs(all);
    if (all->len > 0)
        g_checksum_update(bits, (const guchar *)all->data, (gssize)(all->len * sizeof(scree_pair)));
}

static void add_regions(gcd_exercise *x, GChecksum *bits)
{
    bench *t = &x->bench;
    for (uint32_t k = 0; k < 4 && !t->check->failed; k++) {
        scree_check_boxes_protect(&t->boxes, false);
        const scree_region region = draw_region(t);
        scree_check_boxes_protect(&t->boxes, true);
        if (find_region(t, &region, true) && t->found.indices->len > 0)
            g_checksum_update(bits, (const guchar *)t->found.indices->data,
                              (gssize)(t->found.indices->len * sizeof(uint32_t)));
    }
}

/** Boxes of a turn: other boxes each time, and every other time another number of them. */
static void turn(void *state, uint32_t number, GChecksum *bits)
{
    enum { BOXES = 600 };
    gcd_exercise *x = state;
    bench *t = &x->bench;
    t->step = number;
    t->boxes.random = 77 + number;
    scree_check_boxes_gas(&t->boxes, BOXES + number / 2, t->dimension, 3.0);
    scree_check_boxes_protect(&t->boxes, true);
    if ((number % 2 == 1 || call_init(t)) && call_step_init(t, NULL, 0)) {
        add_pairs(x, bits);
        add_regions(x, bits);
    }
    scree_check_boxes_protect(&t->boxes, false);
}

static const scree_check_exercise exercise = {begin, turn, end};
const scree_check_suite scree_check_gcd = {SCREE_KIND_GCD, &exercise, cases};
