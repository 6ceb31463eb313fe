// SPDX-License-Identifier: Apache-2.0
/*
 * Whether two bodies overlap, asked of the resolvers of a scene.
 *
 * Idea: a resolver sees a world of two bodies, the second one behind the first, and one pair of them
 * with all candidates of its parts, as in the engine. There is no history: hints are zero, fields hold
 * their initial values. Pairs are asked one by one: what can be answered in closed form does not come
 * here.
 */
#include "scene/query_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "plugin/call.h"
#include "scene/plugin_shape.h"
#include "scene/prepare_shapes.h"
#include "shape/shape.h"

#define DEEP 1e-12 /* [-] of the size */
enum { ROOM = 16, LEAST_CONTACTS = 64, UNKNOWN = 0, SERVED = 1, LACKING = 2 };

/** Which resolver serves a pair of types, and how. */
typedef struct service {
    uint8_t state;
    bool one;
    scree_instance *instance;
} service;

/** Two bodies as resolvers see them; arrays are padded to ROOM, which keeps them aligned. */
typedef struct tiny_world {
    _Alignas(64) uint64_t id[ROOM], number[ROOM];
    uint32_t shape[ROOM], material[ROOM], motion[ROOM], group[ROOM];
    double x[3][ROOM], q[4][ROOM], zero[ROOM], scale[ROOM], radius[ROOM], inv_mass[ROOM];
    double density[ROOM], wrench[8 * ROOM];
    int32_t image[ROOM];
    scree_bodies bodies;
} tiny_world;

/** Boxes of parts, at a pose. */
typedef struct part_boxes {
    double *memory;
    uint32_t *part;
    uint64_t capacity;
    scree_shape_boxes batch;
} part_boxes;

struct scree_query_pairs {
    const scree_scene *scene;
    scree_runtime *runtime;
    const GPtrArray *resolvers;
    GPtrArray *own; // of scree_instance, or NULL
    service services[SCREE_MAX_TYPES][SCREE_MAX_TYPES];
    tiny_world world;
    part_boxes boxes[2];
    uint32_t *candidates[2]; // parts of a, parts of b
    uint64_t candidates_capacity[2];
    uint32_t n_candidates;
    uint8_t *hints;
    uint64_t hints_capacity;
    double *contacts; // room for what a resolver writes
    uint32_t capacity;
    double *fields; // of pairs
    uint64_t fields_capacity;
};

scree_query_pairs *scree_query_pairs_new(const scree_scene *scene, scree_runtime *runtime,
                                         const GPtrArray *resolvers)
{
    scree_query_pairs *p = scree_aligned_new(sizeof *p);
    memset(p, 0, sizeof *p);
    p->scene = scene;
    p->runtime = runtime;
    p->resolvers = resolvers;
    return p;
}

void scree_query_pairs_free(scree_query_pairs *p)
{
    if (!p)
        return;
    g_clear_pointer(&p->own, g_ptr_array_unref);
    for (int k = 0; k < 2; k++) {
        free(p->candidates[k]);
        free(p->boxes[k].memory);
        g_free(p->boxes[k].part);
    }
    free(p->hints);
    free(p->contacts);
    free(p->fields);
    free(p);
}

scree_body scree_query_pairs_ball(const scree_scene *scene, const double x[3], double radius)
{
    scree_body ball = {.shape = scene->dimension == 2, .scale = radius, .q = {1.0}};
    memcpy(ball.x, x, sizeof ball.x);
    return ball;
}

/* ---- which resolver ---- */

/* Instances of trials report nothing: what they meet is not of the run, and the run's own report the shapes. */
static void keep_quiet(void *listener, int32_t level_or_code, const char *text)
{
    (void)listener;
    (void)level_or_code;
    (void)text;
}

static bool make_resolvers(scree_query_pairs *p, GError **error)
{
    if (p->resolvers)
        return true;
    if (!p->runtime->say)
        p->runtime->say = keep_quiet;
    const GPtrArray *choices = p->scene->resolvers;
    p->own = g_ptr_array_new_with_free_func((GDestroyNotify)scree_instance_free);
    const guint n = choices ? choices->len : 0;
    for (guint r = 0; r < n; r++) {
        const scree_slot slot = {.kind = SCREE_KIND_RESOLVER, .index = r};
        scree_instance *one = scree_instance_at(p->runtime, choices->pdata[r], slot, error);
        if (!one)
            return false;
        g_ptr_array_add(p->own, one);
        if (!scree_prepare_shapes(p->scene->shapes, one, error))
            return false;
    }
    p->resolvers = p->own;
    return true;
}

static bool ask_supports(const scree_query_pairs *p, scree_instance *instance, uint32_t type_a,
                         uint32_t type_b, uint32_t *contacts, GError **error)
{
    const scree_resolver_ops *ops = instance->ops;
    scree_pair_support answer = {.size = sizeof answer,
                                 .a = p->scene->shape_types->pdata[type_a],
                                 .b = p->scene->shape_types->pdata[type_b],
                                 .provides = instance->plugin->provides};
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "supports");
    int32_t code = ops->supports(instance->self, &answer);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    *contacts = answer.contacts;
    if (answer.contacts <= SCREE_SUPPORTS_ONE)
        return true;
    return scree_call_blame(instance, "supports", SCREE_EXIT_PLUGIN, error,
                            "expected contacts 0 to %d, got %u", SCREE_SUPPORTS_ONE,
                            answer.contacts);
}

/** The first resolver of the scene that serves a pair of types. */
static bool find_service(scree_query_pairs *p, uint32_t type_a, uint32_t type_b, service **out,
                         GError **error)
{
    service *s = *out = &p->services[type_a][type_b];
    if (s->state == UNKNOWN && !make_resolvers(p, error))
        return false;
    for (guint r = 0; s->state == UNKNOWN && r < p->resolvers->len; r++) {
        scree_instance *instance = p->resolvers->pdata[r];
        uint32_t contacts = SCREE_SUPPORTS_NOT;
        if (!ask_supports(p, instance, type_a, type_b, &contacts, error))
            return false;
        if (contacts == SCREE_SUPPORTS_NOT)
            continue;
        *s = (service){SERVED, contacts == SCREE_SUPPORTS_ONE, instance};
    }
    if (s->state == UNKNOWN)
        s->state = LACKING;
    if (s->state == SERVED)
        return true;
    const scree_shape_type *a = p->scene->shape_types->pdata[type_a],
                           *b = p->scene->shape_types->pdata[type_b];
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "whether bodies of the types %s and %s overlap is not known: no resolver of "
                      "the scene serves them",
                      a->name, b->name);
}

/* ---- the world ---- */

static void set_body(const scree_query_pairs *p, tiny_world *w, uint32_t i, const scree_body *body)
{
    const scree_shape *shape = p->scene->shapes->pdata[body->shape];
    w->id[i] = w->number[i] = i;
    w->shape[i] = body->shape;
    w->material[i] = body->material;
    w->motion[i] = body->motion;
    for (int k = 0; k < 3; k++)
        w->x[k][i] = body->x[k];
    for (int k = 0; k < 4; k++)
        w->q[k][i] = body->q[k];
    w->scale[i] = body->scale;
    w->radius[i] = body->scale * shape->radius;
    w->density[i] = p->scene->density ? p->scene->density[body->material] : 0.0;
}

static void set_world(scree_query_pairs *p)
{
    const scree_scene *s = p->scene;
    tiny_world *w = &p->world;
    scree_bodies b = {.size = sizeof b,
                      .dimension = s->dimension,
                      .n = 2,
                      .n_free = 2,
                      .n_shapes = s->shapes->len,
                      .n_materials = s->materials.n,
                      .id = w->id,
                      .shape = w->shape,
                      .material = w->material,
                      .motion = w->motion,
                      .scale = w->scale,
                      .radius = w->radius,
                      .inv_mass = w->inv_mass,
                      .wrench = w->wrench,
                      .shapes = (const scree_shape *const *)s->shapes->pdata,
                      .group = w->group,
                      .thickness = s->dimension == 2 ? s->thickness : 0.0,
                      .types = (const scree_shape_type *const *)s->shape_types->pdata,
                      .n_types = s->shape_types->len,
                      .density = w->density,
                      .n_total = 2,
                      .number = w->number};
    for (int k = 0; k < 4; k++)
        b.q[k] = w->q[k];
    for (int k = 0; k < 3; k++) {
        b.x[k] = w->x[k];
        b.v[k] = b.w[k] = b.inv_inertia[k] = w->zero;
        b.image[k] = w->image;
        b.gravity[k] = s->gravity[k];
        b.region_min[k] = s->region_min[k];
        b.region_max[k] = s->region_max[k];
        b.periodic[k] = s->boundary[k] == SCREE_BOUNDARY_PERIODIC;
    }
    w->bodies = b;
}

/* ---- parts ---- */

static bool has_parts(const scree_shape *shape)
{
    return shape->n_parts > 1 || shape->flags & SCREE_CAP_WALL;
}

static void grow_boxes(part_boxes *b, uint32_t n)
{
    enum { ARRAYS = 18 };
    const uint32_t room = (n + 7) / 8 * 8;
    if (n > b->capacity) {
        b->capacity = room;
        free(b->memory);
        b->memory = scree_aligned_new((size_t)ARRAYS * room * sizeof *b->memory);
        b->part = g_renew(uint32_t, b->part, room);
    }
    double *at = b->memory;
    for (int k = 0; k < 4; k++, at += room)
        b->batch.q[k] = at;
    for (int k = 0; k < 3; k++, at += 4 * (gsize)room) {
        b->batch.x[k] = at;
        b->batch.lo[k] = at + room;
        b->batch.hi[k] = at + 2 * (gsize)room;
        b->batch.centre[k] = at + 3 * (gsize)room;
    }
    b->batch.scale = at;
    b->batch.radius = at + room;
    b->batch.part = b->part;
    b->batch.n = n;
}

/** Boxes of the named parts of a body, or of all; without parts one around the body. */
static bool find_boxes(scree_query_pairs *p, part_boxes *b, const scree_body *body,
                       const uint32_t *parts, uint32_t n_parts, GError **error)
{
    const scree_shape *shape = p->scene->shapes->pdata[body->shape];
    const uint32_t n = !has_parts(shape) ? 1 : parts ? n_parts : shape->n_parts;
    grow_boxes(b, n);
    b->batch.size = sizeof b->batch;
    b->batch.dimension = p->scene->dimension;
    for (uint32_t i = 0; i < n; i++) {
        b->part[i] = parts && has_parts(shape) ? parts[i] : i;
        for (int k = 0; k < 4; k++)
            ((double *)b->batch.q[k])[i] = body->q[k];
        for (int k = 0; k < 3; k++)
            ((double *)b->batch.x[k])[i] = body->x[k];
        ((double *)b->batch.scale)[i] = body->scale;
    }
    if (has_parts(shape))
        return scree_shape_find_boxes(shape, &b->batch, SCREE_CALL_STEP, error);
    const bool endless = shape->flags & SCREE_CAP_INFINITE;
    for (int k = 0; k < 3; k++) {
        b->batch.lo[k][0] = endless ? -HUGE_VAL : body->x[k] - body->scale * shape->radius;
        b->batch.hi[k][0] = endless ? HUGE_VAL : body->x[k] + body->scale * shape->radius;
    }
    return true;
}

/** The pairs of parts whose boxes overlap, ascending. */
static void find_candidates(scree_query_pairs *p)
{
    const scree_shape_boxes *a = &p->boxes[0].batch, *b = &p->boxes[1].batch;
    p->n_candidates = 0;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            bool near = true;
            for (int k = 0; k < 3; k++)
                near = near && a->lo[k][i] <= b->hi[k][j] && b->lo[k][j] <= a->hi[k][i];
            if (!near)
                continue;
            for (int k = 0; k < 2; k++)
                scree_aligned_grow(&p->candidates[k], &p->candidates_capacity[k],
                                   (uint64_t)p->n_candidates + ROOM, p->n_candidates,
                                   sizeof(uint32_t));
            p->candidates[0][p->n_candidates] = a->part[i];
            p->candidates[1][p->n_candidates++] = b->part[j];
        }
}

/* ---- one call ---- */

/** Arrays of the fields of pairs: initial values in, and room for the new ones. */
typedef struct pair_fields {
    const double **in;
    double **out;
} pair_fields;

static void pair_fields_init(scree_query_pairs *p, pair_fields *f, const scree_plugin *plugin)
{
    uint32_t n = 0, at = 0;
    *f = (pair_fields){NULL, NULL};
    for (uint32_t k = 0; k < plugin->n_fields; k++)
        n += plugin->fields[k]->scope == SCREE_SCOPE_PAIR ? plugin->fields[k]->components : 0;
    if (!n)
        return;
    scree_aligned_grow(&p->fields, &p->fields_capacity, (uint64_t)2 * ROOM * n, 0,
                       sizeof *p->fields);
    f->in = g_new0(const double *, n);
    f->out = g_new0(double *, n);
    for (uint32_t k = 0; k < plugin->n_fields; k++) {
        const scree_field *field = plugin->fields[k];
        const uint32_t components = field->scope == SCREE_SCOPE_PAIR ? field->components : 0;
        for (uint32_t c = 0; c < components; c++, at++) {
            double *in = p->fields + (size_t)2 * ROOM * at;
            for (int i = 0; i < ROOM; i++)
                in[i] = field->initial;
            f->in[at] = in;
            f->out[at] = in + ROOM;
        }
    }
}

static void pair_fields_clear(pair_fields *f)
{
    g_free(f->in);
    g_free(f->out);
}

/** Room for contacts, and the members that a resolver fills. */
static scree_contacts fill_contacts(scree_query_pairs *p, uint32_t capacity, bool one)
{
    enum { DOUBLES = 7, WORDS = 2 }; // normal, depth, arm; feature, continues
    const uint32_t room = (capacity + 7) / 8 * 8;
    if (capacity > p->capacity) {
        p->capacity = room;
        free(p->contacts);
        p->contacts = scree_aligned_new((size_t)(DOUBLES + WORDS + 1) * room * sizeof(double));
    }
    double *at = p->contacts;
    uint64_t *word = (uint64_t *)(void *)(at + (gsize)DOUBLES * p->capacity);
    scree_contacts c = {.size = sizeof c,
                        .capacity = p->capacity,
                        .pair = (uint32_t *)(void *)(word + (gsize)WORDS * p->capacity),
                        .depth = at + 3 * (gsize)p->capacity,
                        .feature = one ? NULL : word,
                        .continues = one ? NULL : word + p->capacity};
    for (int k = 0; k < 3; k++) {
        c.normal[k] = at + (gsize)k * p->capacity;
        c.arm[k] = at + (gsize)(4 + k) * p->capacity;
    }
    const uint32_t n = one ? 0 : p->capacity;
    for (uint32_t i = 0; i < n; i++)
        c.continues[i] = SCREE_FEATURE_SAME;
    return c;
}

/** One call; *again: it needs room for so many contacts. */
static bool resolve_once(scree_query_pairs *p, const service *s, const scree_candidates *in,
                         uint32_t capacity, double deep, bool *overlap, uint32_t *again,
                         GError **error)
{
    const scree_resolver_ops *ops = s->instance->ops;
    scree_contacts out = fill_contacts(p, capacity, s->one);
    uint32_t done = 0;
    *again = 0;
    scree_call call = scree_call_begin(s->instance, SCREE_CALL_LANE, "resolve");
    int32_t code = ops->resolve(s->instance->self, in, &out, &done);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    if (!done && out.n > out.capacity && out.n <= SCREE_MAX_PAIR_CONTACTS) {
        *again = out.n;
        return true;
    }
    if (done != 1 || out.n > out.capacity)
        return scree_call_blame(s->instance, "resolve", SCREE_EXIT_PLUGIN, error,
                                "%u pairs done of 1, %u contacts with room for %u", done, out.n,
                                out.capacity);
    for (uint32_t c = 0; c < out.n; c++) {
        if (!isfinite(out.depth[c]))
            return scree_call_blame(s->instance, "resolve", SCREE_EXIT_PLUGIN, error,
                                    "the depth of a contact is %g", out.depth[c]);
        *overlap = *overlap || out.depth[c] > deep;
    }
    return true;
}

static bool resolve(scree_query_pairs *p, const service *s, scree_candidates *in, double deep,
                    bool *overlap, GError **error)
{
    const scree_resolver_ops *ops = s->instance->ops;
    pair_fields fields;
    uint32_t again = 0;
    const uint64_t n = in->first ? in->first[1] : 1, bytes = MAX(n, ROOM) * ops->hint_bytes;
    static const uint8_t fresh[ROOM] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    scree_aligned_grow(&p->hints, &p->hints_capacity, bytes, 0, 1);
    if (bytes)
        memset(p->hints, 0, bytes);
    pair_fields_init(p, &fields, s->instance->plugin);
    in->hint_bytes = ops->hint_bytes;
    in->hints = bytes ? p->hints : NULL;
    in->in = fields.in;
    in->out = fields.out;
    in->fresh = fields.in ? fresh : NULL;
    bool good = resolve_once(p, s, in, LEAST_CONTACTS, deep, overlap, &again, error);
    if (good && again)
        good =
            resolve_once(p, s, in, again, deep, overlap, &again, error) &&
            (!again || scree_call_blame(s->instance, "resolve", SCREE_EXIT_PLUGIN, error,
                                        "asked again with room for its contacts it has %u", again));
    pair_fields_clear(&fields);
    return good;
}

static uint32_t query_type(const scree_query_pairs *p, const scree_body *body)
{
    return ((const scree_shape *)p->scene->shapes->pdata[body->shape])->type;
}

/** Whether the shape of a body is one of its type: else it is new, and has none yet. */
static bool is_typed(const scree_query_pairs *p, const scree_body *body)
{
    const uint32_t code = query_type(p, body);
    bool found = false;
    if (code >= p->scene->shape_types->len)
        return false;
    const scree_shape_type *type = p->scene->shape_types->pdata[code];
    for (uint32_t i = 0; i < type->n_shapes && !found; i++)
        found = type->shapes[i] == p->scene->shapes->pdata[body->shape];
    return found;
}

/** [m] As contacts see it: 0 of what is flat. */
static double radius_of(const scree_query_pairs *p, const scree_body *body)
{
    const scree_shape *shape = p->scene->shapes->pdata[body->shape];
    return scree_shape_is_wall(shape) ? 0.0 : body->scale * shape->radius;
}

bool scree_query_pairs_overlap(scree_query_pairs *p, const scree_body *trial,
                               const scree_body *other, const uint32_t *parts, uint32_t n_parts,
                               bool *overlap, GError **error)
{
    const bool first_is_other = query_type(p, other) <= query_type(p, trial);
    const scree_body *one[2] = {first_is_other ? other : trial, first_is_other ? trial : other};
    _Alignas(64) const uint32_t zero[ROOM] = {0}, one_more[ROOM] = {1};
    _Alignas(64) double d[3][ROOM] = {{0}}, radius[2][ROOM] = {{0}};
    service *s;
    *overlap = false;
    for (int i = 0; i < 2; i++)
        if (!is_typed(p, one[i]))
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "shape \"%s\" has been added in this call: its bodies can be asked "
                              "about when it has returned",
                              (const char *)p->scene->shape_names->pdata[one[i]->shape]);
    if (!find_service(p, query_type(p, one[0]), query_type(p, one[1]), &s, error))
        return false;
    set_world(p);
    for (uint32_t i = 0; i < 2; i++) {
        const bool named = one[i] == other;
        set_body(p, &p->world, i, one[i]);
        radius[i][0] = radius_of(p, one[i]);
        if (!find_boxes(p, &p->boxes[i], one[i], named ? parts : NULL, n_parts, error))
            return false;
    }
    for (int k = 0; k < 3; k++)
        d[k][0] = one[1]->x[k] - one[0]->x[k];
    find_candidates(p);
    const uint32_t n = p->n_candidates;
    if (!n)
        return true;
    _Alignas(64) const uint32_t first[ROOM] = {0, n};
    bool parted = false;
    for (int i = 0; i < 2; i++)
        parted = parted || has_parts(p->scene->shapes->pdata[one[i]->shape]);
    scree_candidates in = {.size = sizeof in,
                           .n = 1,
                           .type_a = query_type(p, one[0]),
                           .type_b = query_type(p, one[1]),
                           .a = zero,
                           .b = one_more,
                           .d = {d[0], d[1], d[2]},
                           .radius_a = radius[0],
                           .radius_b = radius[1],
                           .bodies = &p->world.bodies};
    if (parted) {
        in.first = first;
        in.part_a = p->candidates[0];
        in.part_b = p->candidates[1];
    }
    return resolve(p, s, &in, DEEP * (radius[0][0] + radius[1][0]), overlap, error);
}
