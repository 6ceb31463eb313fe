// SPDX-License-Identifier: Apache-2.0
/*
 * Service scree.query/1: judges the questions of a plugin, and answers them about the current bodies.
 *
 * In a run the bodies move, so that what was listed for one step is of no use in the next: a list costs
 * a pass over all bodies, and much more for each that it takes in. So only the bodies in a window are
 * listed. It holds all questions so far while there are few bodies in it; with more, it is about one
 * question, and goes with it, until the MOST_NARROW-th that is elsewhere: many questions are worth a
 * list of all that they are about. The window is kept from step to step, so that it is found once.
 */
#include "scene/query_service.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "plugin/call.h"
#include "plugin/exit_guard.h"
#include "plugin/loader.h"
#include "scene/query_find.h"
#include "shape/shape.h"

enum {
    MOST_REFUSALS = 1000000,
    FEW_LISTED = 4096, // bodies whose list costs about as much as the pass that finds them
    MOST_NARROW = 8    // lists of one question each, before one of all
};

struct scree_query_service {
    scree_query_world world;
    scree_query service;
    scree_space *space;              // NULL: to be built
    GArray *ids;                     // of uint64_t, by number of a body in `space`
    GArray *held;                    // of scree_body
    guint n_held;                    // of them, in `space`
    GArray *first, *found, *numbers; // of the last answer
    const GPtrArray *resolvers;
    double lo[3], hi[3];             // the window
    double asked_lo[3], asked_hi[3]; // around the questions that it may be about
    uint32_t narrow;                 // lists of one question each; above MOST_NARROW: of all
    uint32_t asked;                  // questions since the bodies were forgotten
    bool open;
    uint64_t refusals; // in this call
    GError *error;
};

/* ---- answers ---- */

/** A mistake of the plugin that asks. */
G_GNUC_PRINTF(3, 4)
static int32_t refuse_query(scree_query_service *s, int32_t code, const char *format, ...)
{
    scree_instance *caller = scree_guard_here()->now.instance;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    if (++s->refusals > MOST_REFUSALS)
        scree_ends_endless(text);
    return caller ? caller->host.fail(caller->host.ctx, code, text) : code;
}

/** A fault of another plugin, or of the scene: the plugin gets a code for a pair that no resolver
 * serves, and may go on; other faults end the run when its call has returned. */
static int32_t fail(scree_query_service *s, GError *error)
{
    const bool unserved = error->code == SCREE_EXIT_USAGE;
    int32_t code = refuse_query(s, unserved ? SCREE_E_UNSUPPORTED : SCREE_E_INTERNAL,
                                "scree.query/1: %s", error->message);
    if (unserved || s->error)
        g_error_free(error);
    else
        s->error = error;
    return code;
}

/** Whether the call that asks is one that may. */
static bool may_ask(scree_query_service *s, const char *name)
{
    if (s->open)
        return true;
    refuse_query(
        s, SCREE_E_UNSUPPORTED,
        "scree.query/1: %s: there are no bodies to ask about in this call: expected make(), "
        "after_step() or observe()",
        name);
    return false;
}

/* ---- trials ---- */

static bool is_turn(const double q[4], bool flat)
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return fabs(square - 1.0) < 1e-6 && !(flat && (q[1] != 0.0 || q[2] != 0.0));
}

/** Trial i as a body; false: it was refused. */
static bool read_trial(scree_query_service *s, const scree_trials *t, uint32_t i, scree_body *body)
{
    const scree_scene *scene = s->world.scene;
    bool finite = true;
    *body = (scree_body){.shape = t->shape[i], .scale = t->scale[i], .q = {1.0}};
    for (uint32_t k = 0; k < scene->dimension; k++) {
        body->x[k] = t->x[k][i];
        finite = finite && isfinite(body->x[k]);
    }
    for (int k = 0; k < 4 && t->q[0]; k++)
        body->q[k] = t->q[k][i];
    if (body->shape >= scene->shapes->len || !(body->scale > 0.0) || !isfinite(body->scale)) {
        refuse_query(s, SCREE_E_CONFIG,
                     "scree.query/1: trial %u: shape %u of %u, scale %g: out of range", i,
                     body->shape, scene->shapes->len, body->scale);
        return false;
    }
    if (scree_shape_is_wall(scene->shapes->pdata[body->shape])) {
        refuse_query(s, SCREE_E_CONFIG, "scree.query/1: trial %u: shape \"%s\" has no volume", i,
                     (const char *)scene->shape_names->pdata[body->shape]);
        return false;
    }
    if (finite && is_turn(body->q, scene->dimension == 2))
        return true;
    refuse_query(s, SCREE_E_CONFIG,
                 "scree.query/1: trial %u: its pose is not finite, not unit or not in the plane",
                 i);
    return false;
}

/** Whether a struct of trials has all that it must. */
static bool is_whole(scree_query_service *s, const scree_trials *t)
{
    const bool sized = t && t->size >= SCREE_SIZE_TO(scree_trials, q);
    if (sized && (!t->n || (t->shape && t->scale && t->x[0] && t->x[1] &&
                            (s->world.scene->dimension == 2 || t->x[2]))))
        return true;
    if (sized)
        refuse_query(s, SCREE_E_CONFIG, "scree.query/1: trials without shape, scale or place");
    else
        refuse_query(s, SCREE_E_CONFIG,
                     "scree.query/1: trials: expected a struct of size %zu or more",
                     SCREE_SIZE_TO(scree_trials, q));
    return false;
}

/* ---- the bodies ---- */

bool scree_query_service_add(scree_query_service *s, const scree_body *body, uint64_t id,
                             GError **error)
{
    g_array_append_val(s->ids, id);
    return scree_space_add(s->space, body, error);
}

void scree_query_service_reserve(scree_query_service *s, uint64_t n)
{
    scree_space_reserve(s->space, n);
}

static void empty_box(double lo[3], double hi[3])
{
    for (int k = 0; k < 3; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
}

/** Sets the window: a box, and some room around it. */
static void set_window(scree_query_service *s, const double lo[3], const double hi[3])
{
    for (int k = 0; k < 3; k++) {
        const double more = 0.25 * (hi[k] - lo[k]);
        s->lo[k] = lo[k] - more;
        s->hi[k] = hi[k] + more;
    }
}

/** Sets the window to one that holds a box. */
static void move_window(scree_query_service *s, const double lo[3], const double hi[3])
{
    bool all = !s->world.count;
    for (uint32_t k = 0; k < s->world.scene->dimension; k++)
        all = all || !isfinite(lo[k]) || !isfinite(hi[k]);
    for (int k = 0; k < 3; k++) {
        s->asked_lo[k] = fmin(s->asked_lo[k], lo[k]);
        s->asked_hi[k] = fmax(s->asked_hi[k], hi[k]);
        s->lo[k] = -HUGE_VAL;
        s->hi[k] = HUGE_VAL;
    }
    if (all)
        return;
    set_window(s, s->asked_lo, s->asked_hi);
    if (s->narrow <= MOST_NARROW && s->world.count(s->world.user, s->lo, s->hi) > FEW_LISTED &&
        ++s->narrow <= MOST_NARROW)
        set_window(s, lo, hi);
}

/** Moves the window when it does not hold a box; the bodies are then listed again. */
static void show_box(scree_query_service *s, const double lo[3], const double hi[3])
{
    bool inside = true;
    for (uint32_t k = 0; k < s->world.scene->dimension; k++)
        inside = inside && lo[k] >= s->lo[k] && hi[k] <= s->hi[k];
    s->asked++;
    if (inside)
        return;
    move_window(s, lo, hi);
    g_clear_pointer(&s->space, scree_space_free);
}

static scree_space *catch_up_space(scree_query_service *s, const double lo[3], const double hi[3],
                                   GError **error)
{
    show_box(s, lo, hi);
    const bool all = !s->space;
    if (all) {
        s->space = scree_space_new(s->world.scene, s->resolvers);
        scree_space_limit(s->space, s->lo, s->hi);
        g_array_set_size(s->ids, 0);
        s->n_held = 0;
    }
    if (!s->world.catch_up(s->world.user, s, all, s->lo, s->hi, error))
        return NULL;
    for (; s->n_held < s->held->len; s->n_held++)
        if (!scree_query_service_add(s, &g_array_index(s->held, scree_body, s->n_held), UINT64_MAX,
                                     error))
            return NULL;
    return s->space;
}

scree_space *scree_query_service_space(scree_query_service *s, GError **error)
{
    static const double lo[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                        hi[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    return catch_up_space(s, lo, hi, error);
}

void scree_query_service_forget(scree_query_service *s)
{
    // Few questions are cheaper one by one, and all bodies once does not mean all bodies always.
    const bool wide = s->narrow > MOST_NARROW && s->asked > MOST_NARROW;
    if (s->asked && (!isfinite(s->lo[0]) || (s->narrow && !wide))) {
        empty_box(s->lo, s->hi);
        empty_box(s->asked_lo, s->asked_hi);
        s->narrow = 0;
    }
    s->asked = 0;
    g_clear_pointer(&s->space, scree_space_free);
}

/* ---- the service ---- */

static int32_t find_free(void *ctx, const scree_trials *trials, uint32_t most, uint32_t *index,
                         uint32_t *n_free)
{
    scree_query_service *s = ctx;
    GError *error = NULL;
    if (!may_ask(s, "find_free"))
        return SCREE_E_UNSUPPORTED;
    if (!is_whole(s, trials))
        return SCREE_E_CONFIG;
    if (!n_free || (most && !index))
        return refuse_query(s, SCREE_E_CONFIG, "scree.query/1: find_free: no room for the answer");
    double lo[3], hi[3];
    scree_body body;
    empty_box(lo, hi);
    *n_free = 0;
    for (uint32_t i = 0; i < trials->n; i++) {
        if (!read_trial(s, trials, i, &body))
            return SCREE_E_CONFIG;
        const scree_shape *shape = s->world.scene->shapes->pdata[body.shape];
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], body.x[k] - body.scale * shape->radius);
            hi[k] = fmax(hi[k], body.x[k] + body.scale * shape->radius);
        }
    }
    scree_space *space = trials->n ? catch_up_space(s, lo, hi, &error) : NULL;
    if (!space)
        return trials->n ? fail(s, error) : SCREE_OK;
    for (uint32_t i = 0; i < trials->n && *n_free < most; i++) {
        bool is_free = false;
        read_trial(s, trials, i, &body);
        if (!scree_space_is_free(space, &body, &is_free, &error))
            return fail(s, error);
        if (is_free)
            index[(*n_free)++] = i;
    }
    return SCREE_OK;
}

static int compare_found_ids(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;
    return a < b ? -1 : a > b;
}

/** Appends the ids of the numbers, ascending, each once; what is held has none. */
static void append_ids(scree_query_service *s)
{
    const guint begin = s->found->len;
    for (guint i = 0; i < s->numbers->len; i++) {
        const uint64_t id = g_array_index(s->ids, uint64_t, g_array_index(s->numbers, uint32_t, i));
        if (id != UINT64_MAX)
            g_array_append_val(s->found, id);
    }
    uint64_t *ids = (uint64_t *)(void *)s->found->data;
    guint to = begin;
    if (s->found->len > begin)
        qsort(ids + begin, s->found->len - begin, sizeof *ids, compare_found_ids);
    for (guint i = begin; i < s->found->len; i++)
        if (i == begin || ids[i] != ids[to - 1])
            ids[to++] = ids[i];
    g_array_set_size(s->found, to);
}

static bool check_region(scree_query_service *s, const scree_region *region, uint32_t k)
{
    if (!region || region->size < SCREE_SIZE_TO(scree_region, radius)) {
        refuse_query(s, SCREE_E_CONFIG,
                     "scree.query/1: region %u: expected a struct of size %zu or more", k,
                     SCREE_SIZE_TO(scree_region, radius));
        return false;
    }
    g_autofree char *text = scree_space_check_region(s->world.scene, region);
    if (text)
        refuse_query(s, SCREE_E_CONFIG, "scree.query/1: region %u: %s", k, text);
    return !text;
}

static void widen_by(const scree_region *r, double lo[3], double hi[3])
{
    const bool ball = r->type == SCREE_REGION_BALL;
    for (int k = 0; k < 3; k++) {
        lo[k] = fmin(lo[k], ball ? r->centre[k] - r->radius : r->lo[k]);
        hi[k] = fmax(hi[k], ball ? r->centre[k] + r->radius : r->hi[k]);
    }
}

static int32_t find_regions(void *ctx, uint32_t n, const scree_region *const *regions,
                            scree_hits *out)
{
    scree_query_service *s = ctx;
    GError *error = NULL;
    if (!may_ask(s, "find"))
        return SCREE_E_UNSUPPORTED;
    if (!out || out->size < SCREE_SIZE_TO(scree_hits, id) || (n && !regions))
        return refuse_query(s, SCREE_E_CONFIG,
                            "scree.query/1: find: no regions, or no room for hits");
    double lo[3], hi[3];
    empty_box(lo, hi);
    for (uint32_t k = 0; k < n; k++) {
        if (!check_region(s, regions[k], k))
            return SCREE_E_CONFIG;
        widen_by(regions[k], lo, hi);
    }
    scree_space *space = n ? catch_up_space(s, lo, hi, &error) : NULL;
    if (n && !space)
        return fail(s, error);
    g_array_set_size(s->first, 0);
    g_array_set_size(s->found, 0);
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t at = s->found->len;
        g_array_append_val(s->first, at);
        g_array_set_size(s->numbers, 0);
        if (!scree_space_find(space, regions[k], s->numbers, &error))
            return fail(s, error);
        append_ids(s);
    }
    const uint64_t end = s->found->len;
    g_array_append_val(s->first, end);
    out->first = (const uint64_t *)(void *)s->first->data;
    out->id = (const uint64_t *)(void *)s->found->data;
    return SCREE_OK;
}

static int32_t hold_trials(void *ctx, const scree_trials *trials)
{
    scree_query_service *s = ctx;
    if (!may_ask(s, "hold"))
        return SCREE_E_UNSUPPORTED;
    if (!is_whole(s, trials))
        return SCREE_E_CONFIG;
    const guint before = s->held->len;
    for (uint32_t i = 0; i < trials->n; i++) {
        scree_body body;
        if (!read_trial(s, trials, i, &body)) {
            g_array_set_size(s->held, before);
            return SCREE_E_CONFIG;
        }
        g_array_append_val(s->held, body);
    }
    return SCREE_OK;
}

/* ---- life ---- */

scree_query_service *scree_query_service_new(const scree_query_world *world)
{
    scree_query_service *s = g_new0(scree_query_service, 1);
    s->world = *world;
    empty_box(s->lo, s->hi);
    empty_box(s->asked_lo, s->asked_hi);
    s->ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    s->held = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->first = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    s->found = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    s->numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->service = (scree_query){.size = sizeof s->service,
                               .ctx = s,
                               .find = find_regions,
                               .find_free = find_free,
                               .hold = hold_trials};
    return s;
}

void scree_query_service_free(scree_query_service *s)
{
    if (!s)
        return;
    GArray *arrays[] = {s->ids, s->held, s->first, s->found, s->numbers};
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++)
        g_array_unref(arrays[k]);
    scree_space_free(s->space);
    g_clear_error(&s->error);
    g_free(s);
}

const scree_query *scree_query_service_give(scree_query_service *s)
{
    return &s->service;
}

void scree_query_service_open(scree_query_service *s, const GPtrArray *resolvers)
{
    if (resolvers != s->resolvers)
        scree_query_service_forget(s);
    s->resolvers = resolvers;
    s->open = true;
    s->refusals = 0;
}

bool scree_query_service_close(scree_query_service *s, GError **error)
{
    s->open = false;
    if (s->held->len)
        scree_query_service_forget(s);
    g_array_set_size(s->held, 0);
    if (!s->error)
        return false;
    g_propagate_error(error, g_steal_pointer(&s->error));
    return true;
}
