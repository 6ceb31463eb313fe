// SPDX-License-Identifier: Apache-2.0
/*
 * Service scree.query/1: checks the questions of a plugin, and answers them for the current bodies.
 *
 * In a run the bodies move, so a list of them is useless after a step. It costs a pass over all
 * bodies, and much more for each listed body. So only the bodies in a window are listed. While few
 * bodies are in it, the window holds all questions so far. With more, it holds one question, and
 * moves with the next; the MOST_NARROW-th move makes it hold all questions again, because many
 * questions are worth the larger list. The window is kept from step to step: it is found once.
 */
#include <math.h>
#include <stdarg.h>

#include "build_config.h"
#include "plugin/struct_size.h"
#include "shape/shape.h"
#include "tools/query/host_calls.h"
#include "tools/query/query_space.h"
#include "tools/query/query_zone.h"

enum {
    MOST_REFUSALS = 1000000,
    FEW_LISTED = 4096, // listing this many bodies costs about as much as a pass over all bodies
    MOST_NARROW = 8    // lists for one question each, before a list for all questions
};

typedef struct box {
    double lo[3], hi[3];
} box;
#define EMPTY ((box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}})

struct scree_answers {
    scree_query_world world;
    scree_query service;
    scree_space *space;           // NULL: to be made
    scree_space *of_trials;       // NULL: to be made
    GArray *trials, *held;        // elements: scree_body; those of the question, and obstacles
    guint n_held;                 // number of held bodies in `space`
    GArray *first, *ids, *by_box; // the last answer of find()
    GArray *pairs;                // elements: scree_pair, the last answer of find_pairs()
    GArray *hits;                 // elements: scree_space_hit
    const GPtrArray *resolvers;
    box window, asked;    // what is listed; the box around the questions so far
    uint32_t narrow;      // lists for one question so far; above MOST_NARROW: one for all
    uint32_t asked_since; // questions since the bodies moved
    bool open;
    uint64_t refusals; // number of refusals in this call
    GError *error;
};

/* ---- answers ---- */

/** Reports a mistake of the asking plugin; one of the host is kept for close(). Returns the code. */
G_GNUC_PRINTF(3, 4)
static int32_t refuse_query(scree_answers *s, int32_t code, const char *format, ...)
{
    scree_instance *caller = query_host->caller();
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *text = g_strconcat(code == SCREE_E_UNSUPPORTED ? "" : "scree.query/1: ", what,
                                        NULL); // a fault of the scene
    if (++s->refusals > MOST_REFUSALS)
        query_host->ends_endless(text);
    if (!caller && !s->error)
        scree_fail(&s->error, SCREE_EXIT_USAGE, "%s", what);
    return caller ? caller->host.fail(caller->host.ctx, code, text) : code;
}

/** Reports a fault of another plugin or of the scene. If no resolver serves a pair, the plugin gets
 * a code, and may continue; other faults end the run when its call has returned. */
static int32_t fail(scree_answers *s, GError *error)
{
    const bool unserved = error->code == SCREE_EXIT_USAGE;
    if (!s->error && !(unserved && query_host->caller()))
        s->error = g_error_copy(error);
    int32_t code =
        refuse_query(s, unserved ? SCREE_E_UNSUPPORTED : SCREE_E_INTERNAL, "%s", error->message);
    g_error_free(error);
    return code;
}

/** Begins a question: returns SCREE_OK during a call in which plugins may ask. */
static int32_t check_open(scree_answers *s, const char *name)
{
    return s->open ? SCREE_OK
                   : refuse_query(s, SCREE_E_UNSUPPORTED,
                                  "%s: this call has no bodies to ask about: expected "
                                  "make(), enter(), after_step() or observe()",
                                  name);
}

/* ---- trials ---- */

/** Reads the trials of a question behind the first `before` bodies; none if one is refused. */
static int32_t read_trials(scree_answers *s, const char *name, const scree_new_bodies *t,
                           GArray *to, guint before)
{
    const scree_scene *scene = s->world.scene;
    const int32_t code = check_open(s, name);
    if (code < 0)
        return code;
    if (!t || t->size < SCREE_SIZE_TO(scree_new_bodies, line))
        return refuse_query(s, SCREE_E_CONFIG, "trials: expected a struct of size %zu or more",
                            SCREE_SIZE_TO(scree_new_bodies, line));
    const char *fault = query_host->new_bodies_gap(t, scene->dimension, SCREE_NEW_TRIAL);
    if (fault)
        return refuse_query(s, SCREE_E_CONFIG, "trials: %s", fault);
    g_array_set_size(to, before + t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        scree_body *body = &g_array_index(to, scree_body, before + i);
        *body = query_host->new_bodies_read(t, i, scene->dimension, SCREE_NEW_TRIAL);
        fault = query_host->new_body_fault(scene, body, SCREE_NEW_TRIAL);
        if (fault) {
            g_array_set_size(to, before);
            return refuse_query(s, SCREE_E_CONFIG, "trial %u, of shape %u and scale %g: %s", i,
                                t->shape[i], t->scale[i], fault);
        }
        if (t->frame == SCREE_FRAME_OF_SHAPE)
            query_host->shape_enter_frame(scene->shapes->pdata[body->shape], body->scale, body->x,
                                          body->q);
    }
    return SCREE_OK;
}

/* ---- the bodies ---- */

static void widen(box *b, const double lo[3], const double hi[3])
{
    for (int k = 0; k < 3; k++) {
        b->lo[k] = fmin(b->lo[k], lo[k]);
        b->hi[k] = fmax(b->hi[k], hi[k]);
    }
}

/** Returns a box with some room around it. */
static box with_room(const box *b)
{
    box wide = *b;
    for (int k = 0; k < 3; k++) {
        wide.lo[k] -= 0.25 * (b->hi[k] - b->lo[k]);
        wide.hi[k] += 0.25 * (b->hi[k] - b->lo[k]);
    }
    return wide;
}

/** Moves the window to a box. */
static void move_window(scree_answers *s, const box *to)
{
    bool all = !s->world.count;
    for (uint32_t k = 0; k < s->world.scene->dimension; k++)
        all = all || !isfinite(to->lo[k]) || !isfinite(to->hi[k]);
    widen(&s->asked, to->lo, to->hi);
    s->window = with_room(&s->asked);
    if (all)
        widen(&s->window, EMPTY.hi, EMPTY.lo);
    else if (s->narrow <= MOST_NARROW &&
             s->world.count(s->world.user, s->window.lo, s->window.hi) > FEW_LISTED &&
             ++s->narrow <= MOST_NARROW)
        s->window = with_room(to);
}

static bool add(void *space, const scree_body *body, uint64_t id, GError **error)
{
    return scree_space_add(space, body, id, error);
}

/** Lists the bodies near a box, unless they are listed; moves the window if the box is outside. */
static bool catch_up_space(scree_answers *s, const box *near, GError **error)
{
    bool inside = true;
    for (uint32_t k = 0; k < s->world.scene->dimension; k++)
        inside = inside && near->lo[k] >= s->window.lo[k] && near->hi[k] <= s->window.hi[k];
    s->asked_since++;
    if (!inside) {
        move_window(s, near);
        g_clear_pointer(&s->space, scree_space_free);
    }
    const bool all = !s->space;
    if (all) {
        s->space = scree_space_new(s->world.scene, s->resolvers);
        scree_space_limit(s->space, s->window.lo, s->window.hi);
        s->n_held = 0;
    }
    bool good =
        s->world.catch_up(s->world.user, add, s->space, all, s->window.lo, s->window.hi, error);
    for (; s->n_held < s->held->len && good; s->n_held++)
        good = scree_space_add(s->space, &g_array_index(s->held, scree_body, s->n_held), UINT64_MAX,
                               error);
    return good;
}

static void answers_forget(scree_answers *s)
{
    // Few questions are cheaper one by one. One list of all bodies need not be the last word.
    const bool wide = s->narrow > MOST_NARROW && s->asked_since > MOST_NARROW;
    if (s->asked_since && (!isfinite(s->window.lo[0]) || (s->narrow && !wide))) {
        s->window = s->asked = EMPTY;
        s->narrow = 0;
    }
    s->asked_since = 0;
    g_clear_pointer(&s->space, scree_space_free);
    g_clear_pointer(&s->of_trials, scree_space_free);
}

/* ---- the service ---- */

static int32_t find_free(void *ctx, const scree_new_bodies *trials, uint32_t most, uint32_t *index,
                         uint32_t *n_free)
{
    scree_answers *s = ctx;
    GError *error = NULL;
    box near = EMPTY;
    const int32_t code = read_trials(s, "find_free", trials, s->trials, 0);
    if (code < 0)
        return code;
    if (!n_free || (most && !index))
        return refuse_query(s, SCREE_E_CONFIG, "find_free: no room for the answer");
    *n_free = 0;
    for (guint i = 0; i < s->trials->len; i++) {
        const scree_body *body = &g_array_index(s->trials, scree_body, i);
        const scree_shape *shape = s->world.scene->shapes->pdata[body->shape];
        const double r = body->scale * shape->radius, *x = body->x;
        widen(&near, (double[]){x[0] - r, x[1] - r, x[2] - r},
              (double[]){x[0] + r, x[1] + r, x[2] + r});
    }
    bool good = !s->trials->len || catch_up_space(s, &near, &error);
    for (guint i = 0; i < s->trials->len && *n_free < most && good; i++) {
        bool is_free = false;
        const uint64_t instead = trials->instead ? trials->instead[i] : SCREE_NO_BODY;
        good = scree_space_is_free(s->space, &g_array_index(s->trials, scree_body, i), instead,
                                   &is_free, &error);
        if (good && is_free)
            index[(*n_free)++] = i;
    }
    return good ? SCREE_OK : fail(s, error);
}

/** Checks a zone, and widens a box to hold it. */
static int32_t read_zone(scree_answers *s, const scree_zone *z, uint32_t number, box *near)
{
    if (!z || z->size < SCREE_SIZE_TO(scree_zone, inner))
        return refuse_query(s, SCREE_E_CONFIG, "zone %u: expected a struct of size %zu or more",
                            number, SCREE_SIZE_TO(scree_zone, inner));
    g_autofree char *text = scree_zone_check(s->world.scene, z);
    if (text)
        return refuse_query(s, SCREE_E_CONFIG, "zone %u: %s", number, text);
    widen(near, z->lo, z->hi);
    return SCREE_OK;
}

/** Appends the answer about a zone; held bodies have no id. */
static bool find_zone(scree_answers *s, const scree_zone *zone, GError **error)
{
    g_array_set_size(s->hits, 0);
    if (!scree_space_find(s->space, zone, s->hits, error))
        return false;
    for (guint i = 0; i < s->hits->len; i++) {
        const scree_space_hit *hit = &g_array_index(s->hits, scree_space_hit, i);
        const uint8_t by_box = (uint8_t)hit->by_box;
        if (hit->id == UINT64_MAX)
            continue;
        g_array_append_val(s->ids, hit->id);
        g_array_append_val(s->by_box, by_box);
    }
    const uint64_t end = s->ids->len;
    g_array_append_val(s->first, end);
    return true;
}

static int32_t find_zones(void *ctx, uint32_t n, const scree_zone *const *zones, scree_hits *out)
{
    scree_answers *s = ctx;
    GError *error = NULL;
    box near = EMPTY;
    int32_t code = check_open(s, "find");
    if (code >= 0 && (!out || out->size < SCREE_SIZE_TO(scree_hits, by_box) || (n && !zones)))
        code = refuse_query(s, SCREE_E_CONFIG, "find: no zones, or no room for hits");
    for (uint32_t k = 0; k < n && code >= 0; k++)
        code = read_zone(s, zones[k], k, &near);
    if (code < 0)
        return code;
    bool good = !n || catch_up_space(s, &near, &error);
    g_array_set_size(s->ids, 0);
    g_array_set_size(s->by_box, 0);
    g_array_set_size(s->first, 1); // 0
    for (uint32_t k = 0; k < n && good; k++)
        good = find_zone(s, zones[k], &error);
    if (!good)
        return fail(s, error);
    out->first = (const uint64_t *)(void *)s->first->data;
    out->id = (const uint64_t *)(void *)s->ids->data;
    out->by_box = (const uint8_t *)s->by_box->data;
    return SCREE_OK;
}

static int32_t hold_trials(void *ctx, const scree_new_bodies *trials)
{
    scree_answers *s = ctx;
    return read_trials(s, "hold", trials, s->held, s->held->len);
}

/** Appends the pairs of trial b with earlier ones. */
static bool pair_trial(scree_answers *s, uint32_t b, const uint64_t *instead, GError **error)
{
    g_array_set_size(s->hits, 0);
    if (!scree_space_meets(s->of_trials, &g_array_index(s->trials, scree_body, b), b, instead,
                           s->hits, error))
        return false;
    for (guint i = 0; i < s->hits->len; i++) {
        const scree_pair pair = {(uint32_t)g_array_index(s->hits, scree_space_hit, i).id, b};
        g_array_append_val(s->pairs, pair);
    }
    return true;
}

static int32_t find_pairs(void *ctx, const scree_new_bodies *trials, uint32_t first,
                          scree_trial_pairs *out)
{
    scree_answers *s = ctx;
    GError *error = NULL;
    bool good = true;
    const int32_t code = read_trials(s, "find_pairs", trials, s->trials, 0);
    if (code < 0)
        return code;
    if (!out || out->size < SCREE_SIZE_TO(scree_trial_pairs, pair))
        return refuse_query(s, SCREE_E_CONFIG, "find_pairs: no room for the answer");
    if (!s->of_trials)
        s->of_trials = scree_space_new(s->world.scene, s->resolvers);
    scree_space_clear(s->of_trials);
    g_array_set_size(s->pairs, 0);
    for (guint i = 0; i < s->trials->len && good; i++) {
        const scree_body *body = &g_array_index(s->trials, scree_body, i);
        good = scree_space_add(s->of_trials, body, i, &error);
    }
    for (guint b = first; b < s->trials->len && good; b++)
        good = pair_trial(s, b, trials->instead, &error);
    if (!good)
        return fail(s, error);
    out->n = s->pairs->len;
    out->pair = (const scree_pair *)(void *)s->pairs->data;
    return SCREE_OK;
}

/* ---- life ---- */

static scree_answers *answers_new(const scree_query_host *host, const scree_query_world *world)
{
    query_host = host;
    scree_answers *s = g_new0(scree_answers, 1);
    s->world = *world;
    s->window = s->asked = EMPTY;
    s->trials = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->held = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->first = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    s->ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    s->by_box = g_array_new(FALSE, FALSE, sizeof(uint8_t));
    s->pairs = g_array_new(FALSE, FALSE, sizeof(scree_pair));
    s->hits = g_array_new(FALSE, FALSE, sizeof(scree_space_hit));
    s->service = (scree_query){.size = sizeof s->service,
                               .ctx = s,
                               .find = find_zones,
                               .find_free = find_free,
                               .hold = hold_trials,
                               .find_pairs = find_pairs};
    return s;
}

static void answers_free(scree_answers *s)
{
    GArray *arrays[] = {s->trials, s->held, s->first, s->ids, s->by_box, s->pairs, s->hits};
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++)
        g_array_unref(arrays[k]);
    scree_space_free(s->space);
    scree_space_free(s->of_trials);
    g_clear_error(&s->error);
    g_free(s);
}

static const scree_query *answers_give(scree_answers *s)
{
    return &s->service;
}

static void answers_open(scree_answers *s, const GPtrArray *resolvers)
{
    if (resolvers != s->resolvers)
        answers_forget(s);
    s->resolvers = resolvers;
    s->open = true;
    s->refusals = 0;
}

static bool answers_close(scree_answers *s, GError **error)
{
    s->open = false;
    if (s->held->len)
        answers_forget(s);
    g_array_set_size(s->held, 0);
    if (!s->error)
        return false;
    g_propagate_error(error, g_steal_pointer(&s->error));
    return true;
}

const scree_query_io scree_query_module = {.head = {SCREE_VERSION, sizeof(scree_query_io)},
                                           .answers_new = answers_new,
                                           .answers_free = answers_free,
                                           .give = answers_give,
                                           .open = answers_open,
                                           .close = answers_close,
                                           .forget = answers_forget};
