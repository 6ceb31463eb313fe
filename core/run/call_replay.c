/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a blamed call again: only the call from its arguments, or the steps from the kept state. */
#include "run/call_replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change/wait.h"
#include "engine/contact_fault.h"
#include "engine/kernels.h"
#include "engine/observers.h"
#include "engine/step.h"
#include "plugin/call.h"
#include "plugin/slot.h"
#include "plugin/uses.h"
#include "run/blame_check.h"
#include "run/restart.h"
#include "run/run_dir.h"
#include "scene/scene_runtime.h"

/** A replay under way. */
typedef struct replay {
    const scree_checkpoint *file;
    scree_scene *scene;
    scree_runtime runtime;
    scree_instance *instance;
} replay;

static bool misbehaved(const replay *r, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool misbehaved(const replay *r, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const scree_guard_call call = {r->instance, r->file->blame->call, r->instance->shown};
    g_autofree char *who = scree_guard_describe(&call, "misbehaves again");
    return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", who, what);
}

/** The plugin that the scene chooses for the slot of the call; NULL: none. */
static const scree_choice_of *choice_of(const scree_scene *scene, const scree_blame *blame)
{
    scree_slot slot;
    if (!scree_slot_parse(blame->slot, &slot))
        return NULL;
    if (slot.kind == SCREE_KIND_GCD)
        return scene->gcd;
    const GPtrArray *list = slot.kind == SCREE_KIND_FORCE      ? scene->forces
                            : slot.kind == SCREE_KIND_RESOLVER ? scene->resolvers
                                                               : NULL;
    return list && slot.index < list->len ? list->pdata[slot.index] : NULL;
}

/* ---- force ---- */

static bool check_forces(const replay *r, const scree_contact_batch *b, GError **error)
{
    for (uint32_t c = 0; c < b->n; c++) {
        const double *const written[] = {b->f[0],        b->f[1],        b->f[2],
                                         b->couple[0],   b->couple[1],   b->couple[2],
                                         b->couple_b[0], b->couple_b[1], b->couple_b[2],
                                         b->stored,      b->lost};
        bool finite = true;
        for (size_t k = 0; k < G_N_ELEMENTS(written); k++)
            finite = finite && (!written[k] || isfinite(written[k][c]));
        if (finite)
            continue;
        const scree_bodies *bodies = b->bodies;
        return misbehaved(r, error,
                          "contact %u of %u, bodies %" PRIu64 " and %" PRIu64
                          ", depth %g m: force (%g, %g, %g) N, stored %g J, lost %g W",
                          c, b->n, bodies->id[b->a[c]], bodies->id[b->b[c]], b->depth[c],
                          b->f[0][c], b->f[1][c], b->f[2][c], b->stored ? b->stored[c] : 0.0,
                          b->lost ? b->lost[c] : 0.0);
    }
    return true;
}

/** Judges the rates that the law adds to. */
static bool check_rates(const replay *r, const scree_contact_batch *b, GError **error)
{
    const scree_blame_array *list = scree_blame_find(r->file->blame, "call.add_a");
    const uint64_t n = list ? list->n : 0;
    for (uint64_t k = 0; k < n; k++)
        for (uint32_t c = 0; c < b->n; c++)
            if (!isfinite(b->add_a[k][c]) || !isfinite(b->add_b[k][c]))
                return misbehaved(r, error,
                                  "contact %u of %u, bodies %" PRIu64 " and %" PRIu64
                                  ": it adds the rates %g and %g",
                                  c, b->n, b->bodies->id[b->a[c]], b->bodies->id[b->b[c]],
                                  b->add_a[k][c], b->add_b[k][c]);
    return true;
}

/** The recorded call holds what a law reads of bodies, not of the run. */
static bool check_uses(const replay *r, GError **error)
{
    for (uint32_t k = 0; k < r->instance->n_uses; k++)
        if (scree_uses_at(r->instance->choice, k).scope == SCREE_SCOPE_GLOBAL)
            return scree_fail(
                error, SCREE_EXIT_USAGE,
                "force/%s uses fields of the run, which a recorded call does not hold",
                r->instance->plugin->id);
    return true;
}

/** As many values of the run as the law has. */
static bool check_globals(const replay *r, GError **error)
{
    const scree_plugin *plugin = r->instance->plugin;
    const scree_blame_array *there = scree_blame_find(r->file->blame, "global_fields");
    uint64_t n = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        if (plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL)
            n += plugin->fields[f]->components;
    if (n == (there ? there->n : 0) && (!there || there->width == sizeof(double)))
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "the call has %" PRIu64 " values of global fields, expected %" PRIu64,
                      there ? there->n : 0, n);
}

static bool replay_force(replay *r, GError **error)
{
    const GPtrArray *shapes = r->scene->shapes;
    const double *in[SCREE_MAX_PAIR_FIELDS] = {NULL};
    double *out[SCREE_MAX_PAIR_FIELDS] = {NULL};
    scree_bodies bodies;
    scree_contact_batch batch;
    if (!check_uses(r, error) ||
        !scree_blame_batch(r->file->blame, (const scree_shape *const *)shapes->pdata, shapes->len,
                           &bodies, &batch, in, out, error) ||
        !scree_blame_check_bodies(&bodies, r->scene, error) || !check_globals(r, error) ||
        !scree_blame_check_batch(&batch, r->instance->plugin, in, (const double *const *)out,
                                 error))
        return false;
    bodies.material_density = r->scene->density;
    printf("compute: %u contacts, t = %.9g s\n", batch.n, batch.time);
    fflush(stdout);
    const scree_force_ops *ops = r->instance->ops;
    scree_call call = scree_call_begin(r->instance, SCREE_CALL_LANE, "compute");
    int32_t code = ops->compute(r->instance->self, &batch);
    code = scree_call_end(&call, code, SCREE_OK, error);
    return code >= 0 && check_forces(r, &batch, error) && check_rates(r, &batch, error);
}

/* ---- resolver ---- */

/** Arrays for every output that a resolver may be asked for. */
typedef struct contact_room {
    uint32_t capacity;
    uint32_t *pair;
    uint64_t *feature, *continues;
    uint32_t *part[2];
    double *real[23];
} contact_room;

/** Makes room for so many contacts, the previous arrays are freed; 0: no room. */
static void set_room(contact_room *room, uint32_t capacity)
{
    room->capacity = capacity;
    g_clear_pointer(&room->pair, g_free);
    g_clear_pointer(&room->feature, g_free);
    g_clear_pointer(&room->continues, g_free);
    for (size_t k = 0; k < G_N_ELEMENTS(room->real); k++)
        g_clear_pointer(&room->real[k], g_free);
    for (int k = 0; k < 2; k++)
        g_clear_pointer(&room->part[k], g_free);
    if (!capacity)
        return;
    room->pair = g_new0(uint32_t, capacity);
    room->feature = g_new0(uint64_t, capacity);
    room->continues = g_new(uint64_t, capacity);
    for (size_t k = 0; k < G_N_ELEMENTS(room->real); k++)
        room->real[k] = g_new(double, capacity);
    for (int k = 0; k < 2; k++)
        room->part[k] = g_new(uint32_t, capacity);
}

static void fill_contacts(contact_room *room, bool many, uint64_t gives, scree_contacts *out)
{
    for (size_t k = 0; k < G_N_ELEMENTS(room->real); k++)
        memset(room->real[k], 0xff, room->capacity * sizeof(double));
    for (int k = 0; k < 2; k++)
        memset(room->part[k], 0xff, room->capacity * sizeof(uint32_t));
    memset(room->continues, 0xff, room->capacity * sizeof(uint64_t)); // SCREE_FEATURE_SAME
    *out = (scree_contacts){
        .size = sizeof *out,
        .capacity = room->capacity,
        .pair = room->pair,
        .depth = room->real[0],
        .feature = many ? room->feature : NULL,
        .continues = many ? room->continues : NULL,
        .area = gives & SCREE_GIVES_AREA ? room->real[9] : NULL,
        .chord = gives & SCREE_GIVES_CHORD ? room->real[10] : NULL,
        .volume = gives & SCREE_GIVES_VOLUME ? room->real[11] : NULL,
        .twist = gives & SCREE_GIVES_TWIST ? room->real[22] : NULL,
    };
    for (int k = 0; k < 3; k++) {
        out->normal[k] = room->real[1 + k];
        out->arm[k] = room->real[4 + k];
        out->direction[0][k] = gives & SCREE_GIVES_PRINCIPAL ? room->real[16 + k] : NULL;
        out->direction[1][k] = gives & SCREE_GIVES_PRINCIPAL ? room->real[19 + k] : NULL;
    }
    for (int k = 0; k < 4; k++)
        out->principal[k] = gives & SCREE_GIVES_PRINCIPAL ? room->real[12 + k] : NULL;
    for (int k = 0; k < 2; k++) {
        out->curvature[k] = gives & SCREE_GIVES_CURVATURE ? room->real[7 + k] : NULL;
        out->part[k] = gives & SCREE_GIVES_PARTS ? room->part[k] : NULL;
    }
}

static bool check_contacts(const replay *r, const scree_candidates *in, const scree_contacts *out,
                           uint32_t done, GError **error)
{
    const uint32_t n_pairs = in->n;
    char what[200];
    if (done > n_pairs || (n_pairs && !done) || out->n > out->capacity)
        return misbehaved(r, error, "%u of %u pairs finished, %u contacts of %u that fit", done,
                          n_pairs, out->n, out->capacity);
    for (uint32_t c = 0; c < out->n; c++) {
        bool later = c == 0 || out->pair[c] > out->pair[c - 1] ||
                     (out->feature && out->pair[c] == out->pair[c - 1] &&
                      out->feature[c] > out->feature[c - 1]);
        if (!later || out->pair[c] >= done)
            return misbehaved(r, error, "contact %u of %u, of pair %u, is out of order", c, out->n,
                              out->pair[c]);
        double sum = out->depth[c];
        for (int k = 0; k < 3; k++)
            sum += out->normal[k][c] + out->arm[k][c];
        if (!isfinite(sum))
            return misbehaved(
                r, error, "contact %u of %u: normal (%g, %g, %g), depth %g m, arm (%g, %g, %g) m",
                c, out->n, out->normal[0][c], out->normal[1][c], out->normal[2][c], out->depth[c],
                out->arm[0][c], out->arm[1][c], out->arm[2][c]);
        if (scree_contact_fault(in, out, c, what, sizeof what))
            return misbehaved(r, error, "contact %u of %u: %s", c, out->n, what);
    }
    return true;
}

/** Drops the first `done` pairs, as the host does before it asks for the rest. */
static void skip_pairs(scree_candidates *c, uint32_t done, const double **in, double **out)
{
    c->n -= done;
    c->a += done;
    c->b += done;
    c->radius_a += done;
    c->radius_b += done;
    for (int k = 0; k < 3; k++)
        c->d[k] += done;
    if (c->first)
        c->first += done;
    else if (c->hints)
        c->hints = (uint8_t *)c->hints + (size_t)done * c->hint_bytes;
    if (c->keep)
        c->keep += done;
    if (c->in)
        for (uint32_t f = 0; f < SCREE_MAX_PAIR_FIELDS && in[f]; f++) {
            in[f] += done;
            out[f] += done;
        }
}

static bool replay_resolver(replay *r, GError **error)
{
    const GPtrArray *shapes = r->scene->shapes;
    const scree_resolver_ops *ops = r->instance->ops;
    const double *in[SCREE_MAX_PAIR_FIELDS] = {NULL};
    double *out[SCREE_MAX_PAIR_FIELDS] = {NULL};
    scree_bodies bodies;
    scree_candidates c;
    if (!scree_blame_candidates(r->file->blame, (const scree_shape *const *)shapes->pdata,
                                shapes->len, &bodies, &c, in, out, error) ||
        !scree_blame_check_bodies(&bodies, r->scene, error) ||
        !scree_blame_check_candidates(&c, r->instance->plugin, ops->hint_bytes, in,
                                      (const double *const *)out, error))
        return false;
    int32_t code = SCREE_OK;
    for (uint32_t i = 0; SCREE_HAS(ops, prepare) && code >= 0 && i < shapes->len; i++) {
        scree_call call = scree_call_begin(r->instance, SCREE_CALL_CONFIG, "prepare");
        code = ops->prepare(r->instance->self, i, shapes->pdata[i]);
        code = scree_call_end(&call, code, SCREE_OK, error);
    }
    if (code < 0)
        return false;
    printf("resolve: %u pairs\n", c.n);
    fflush(stdout);
    bodies.types = (const scree_shape_type *const *)r->scene->shape_types->pdata;
    bodies.n_types = r->scene->shape_types->len;
    scree_pair_support pair = {.size = sizeof pair,
                               .a = bodies.types[c.type_a],
                               .b = bodies.types[c.type_b],
                               .provides = r->instance->plugin->provides};
    scree_call call = scree_call_begin(r->instance, SCREE_CALL_CONFIG, "supports");
    code = ops->supports(r->instance->self, &pair);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0)
        return false;
    bool many = pair.contacts == SCREE_SUPPORTS_MANY;
    contact_room room = {0};
    set_room(&room, SCREE_BATCH_MAX);
    bool good = true;
    while (good && c.n) {
        scree_contacts contacts;
        uint32_t done = 0;
        fill_contacts(&room, many, pair.provides, &contacts);
        call = scree_call_begin(r->instance, SCREE_CALL_LANE, "resolve");
        code = ops->resolve(r->instance->self, &c, &contacts, &done);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code >= 0 && !done && contacts.n > room.capacity &&
            contacts.n <= SCREE_MAX_PAIR_CONTACTS) {
            set_room(&room, contacts.n);
            continue;
        }
        good = code >= 0 && check_contacts(r, &c, &contacts, done, error);
        if (good)
            skip_pairs(&c, done, in, out);
    }
    set_room(&room, 0);
    return good;
}

/* ---- gcd ---- */

/** The pairs that a GCD emits. */
typedef struct pair_list {
    scree_pair_sink sink;
    GArray *pairs;  // of scree_pair
    uint64_t fixed; // committed
} pair_list;

static int32_t list_reserve(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    pair_list *list = (pair_list *)sink;
    if (list->fixed + n > G_MAXUINT)
        return SCREE_E_MEMORY;
    g_array_set_size(list->pairs, (guint)(list->fixed + n));
    *out = &g_array_index(list->pairs, scree_pair, list->fixed);
    return SCREE_OK;
}

static int32_t list_commit(scree_pair_sink *sink, uint64_t n)
{
    pair_list *list = (pair_list *)sink;
    if (n > list->pairs->len - list->fixed)
        return SCREE_E_INTERNAL;
    list->fixed += n;
    return SCREE_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    const scree_pair *p = a, *q = b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool must_find(const scree_boxes *b, bool spheres, uint32_t i, uint32_t j)
{
    double d2 = 0.0, reach = b->radius[i] + b->radius[j];
    for (int k = 0; k < 3; k++) {
        if (!(b->lo[k][i] <= b->hi[k][j] && b->lo[k][j] <= b->hi[k][i]))
            return false;
        d2 += (b->centre[k][i] - b->centre[k][j]) * (b->centre[k][i] - b->centre[k][j]);
    }
    return !spheres || d2 <= reach * reach;
}

typedef struct by_edge {
    double lo;
    uint32_t box;
} by_edge;

static int compare_edges(const void *a, const void *b)
{
    const by_edge *p = a, *q = b;
    if (p->lo < q->lo || p->lo > q->lo)
        return p->lo < q->lo ? -1 : 1;
    return p->box < q->box ? -1 : p->box > q->box;
}

/** Checks that the sorted list holds every pair that must be found. Compares each box with those
 * that begin within it along x. */
static bool check_missing(const replay *r, const scree_boxes *b, bool spheres, const GArray *pairs,
                          GError **error)
{
    g_autofree by_edge *edges = g_new(by_edge, (size_t)b->n + 1);
    for (uint32_t i = 0; i < b->n; i++)
        edges[i] = (by_edge){b->lo[0][i], i};
    qsort(edges, b->n, sizeof *edges, compare_edges);
    for (uint32_t k = 0; k < b->n; k++)
        for (uint32_t m = k + 1; m < b->n && edges[m].lo <= b->hi[0][edges[k].box]; m++) {
            uint32_t i = MIN(edges[k].box, edges[m].box), j = MAX(edges[k].box, edges[m].box);
            scree_pair pair = {i, j};
            if (must_find(b, spheres, i, j) &&
                !bsearch(&pair, pairs->data, pairs->len, sizeof pair, compare_pairs))
                return misbehaved(r, error, "pair (%u, %u) of %u boxes was not emitted", i, j,
                                  b->n);
        }
    return true;
}

static bool check_pairs(const replay *r, const scree_boxes *b, bool spheres, GArray *pairs,
                        GError **error)
{
    for (guint k = 0; k < pairs->len; k++) {
        scree_pair *p = &g_array_index(pairs, scree_pair, k);
        if (p->a >= b->n || p->b >= b->n || p->a == p->b)
            return misbehaved(r, error, "pair (%u, %u) of %u boxes", p->a, p->b, b->n);
        *p = (scree_pair){MIN(p->a, p->b), MAX(p->a, p->b)};
    }
    qsort(pairs->data, pairs->len, sizeof(scree_pair), compare_pairs);
    const scree_pair *v = (const scree_pair *)(void *)pairs->data;
    for (guint k = 1; k < pairs->len; k++)
        if (!compare_pairs(&v[k - 1], &v[k]))
            return misbehaved(r, error, "pair (%u, %u) of %u boxes was emitted twice", v[k].a,
                              v[k].b, b->n);
    return check_missing(r, b, spheres, pairs, error);
}

static bool replay_gcd(replay *r, GError **error)
{
    const scree_gcd_ops *ops = r->instance->ops;
    scree_boxes boxes;
    uint32_t flags;
    uint64_t n_pivots = 0;
    if (!scree_blame_boxes(r->file->blame, &boxes, &flags, error) ||
        !scree_blame_check_boxes(&boxes, r->scene, error))
        return false;
    printf("init, step_init, find_neighbors: %u boxes\n", boxes.n);
    fflush(stdout);
    pair_list list = {
        .sink = {.size = sizeof(scree_pair_sink), .reserve = list_reserve, .commit = list_commit},
        .pairs = g_array_new(FALSE, FALSE, sizeof(scree_pair))};
    scree_call call = scree_call_begin(r->instance, SCREE_CALL_STEP, "init");
    int32_t code = ops->init(r->instance->self, &boxes, flags);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code >= 0) {
        call = scree_call_begin(r->instance, SCREE_CALL_STEP, "step_init");
        code = ops->step_init(r->instance->self, &boxes, NULL, 0, &n_pivots);
        code = scree_call_end(&call, code, SCREE_OK, error);
    }
    if (code >= 0 && n_pivots) {
        call = scree_call_begin(r->instance, SCREE_CALL_LANE, "find_neighbors");
        code = ops->find_neighbors(r->instance->self, 0, n_pivots, &list.sink);
        code = scree_call_end(&call, code, SCREE_OK, error);
    }
    bool good = code >= 0;
    g_array_set_size(list.pairs, (guint)list.fixed);
    good = good && check_pairs(r, &boxes, flags & SCREE_GCD_SPHERES, list.pairs, error);
    g_array_unref(list.pairs);
    return good;
}

/* ---- by steps ---- */

static bool step_on(const replay *r, const char *folder, scree_sim **sim,
                    scree_observers **observers, GError **error)
{
    scree_sim_options options = {.output_dir = folder};
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    uint64_t last = r->file->blame_step;
    *sim = scree_restart(r->scene, &options, r->file, true, notes, error);
    *observers = *sim ? scree_observers_new(*sim, error) : NULL;
    if (*observers)
        scree_observers_go_on(*observers, r->file->sums, notes);
    printf("steps %" PRIu64 " to %" PRIu64 "\n", r->file->snapshot->step, last);
    fflush(stdout);
    bool good = *observers != NULL;
    while (good && (*sim)->step <= last) {
        good = scree_schedule_run(*sim, *observers, NULL, NULL, error);
        if (!good)
            break;
        scree_observers_prepare(*observers, (*sim)->step == last);
        scree_schedule_prepare(*sim, *observers);
        scree_guard_at_step((*sim)->step);
        good = scree_sim_step(*sim, error) && scree_observers_observe(*observers, false, error) &&
               scree_waits_check(*sim, *observers, error);
    }
    return good && scree_observers_observe(*observers, true, error) &&
           scree_observers_finish(*observers, error);
}

/** Runs from the kept state; the files of the run go to a folder that is removed again. */
static bool replay_steps(replay *r, GError **error)
{
    g_autoptr(GError) inner = NULL;
    g_autofree char *folder = g_dir_make_tmp("scree-replay-XXXXXX", &inner);
    scree_sim *sim = NULL;
    scree_observers *observers = NULL;
    if (!folder) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s", inner->message);
        scree_scene_free(r->scene);
        return false;
    }
    bool good = step_on(r, folder, &sim, &observers, error);
    scree_observers_free(observers);
    scree_sim_free(sim); // and the scene with it
    scree_run_dir_remove(folder);
    return good;
}

static bool replay_alone(replay *r, GError **error)
{
    static bool (*const by_kind[])(replay *, GError **) = {[SCREE_KIND_GCD] = replay_gcd,
                                                           [SCREE_KIND_RESOLVER] = replay_resolver,
                                                           [SCREE_KIND_FORCE] = replay_force};
    const scree_blame *blame = r->file->blame;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_array_unref(scree_restart_adopt(r->file, r->scene, notes));
    const scree_choice_of *choice = choice_of(r->scene, blame);
    bool good = false;
    r->runtime = scree_scene_runtime(r->scene, scree_pool_new(1));
    if (choice && choice->plugin->kind == blame->kind)
        r->instance = scree_instance_new(&r->runtime, choice, blame->slot, error);
    else
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "the recorded call is of %s: the scene has no such plugin", blame->slot);
    if (r->instance)
        good = by_kind[blame->kind](r, error);
    scree_instance_free(r->instance);
    scree_pool_free(r->runtime.pool);
    scree_scene_free(r->scene);
    return good;
}

bool scree_replay(const scree_checkpoint *file, scree_scene *scene, bool by_steps, GError **error)
{
    replay r = {.file = file, .scene = scene};
    scree_guard_at_step(file->blame_step);
    bool kept = file->blame->arrays->len && file->blame->kind >= SCREE_KIND_GCD &&
                file->blame->kind <= SCREE_KIND_FORCE;
    return kept && !by_steps ? replay_alone(&r, error) : replay_steps(&r, error);
}
