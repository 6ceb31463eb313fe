// SPDX-License-Identifier: Apache-2.0
/*
 * Whether parts of two bodies overlap, as the resolvers of a scene decide it.
 *
 * Idea: a resolver sees a world of two bodies, and one pair with one candidate, as in the engine.
 * Hints are zero, and fields have their initial values. The depths of the contacts are the answer.
 */
#include "tools/query/query_pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape/shape.h"

enum { ROOM = 16, LEAST_CONTACTS = 64, CONTACT_WORDS = 10 };

/** The resolver of a pair of types, and its answer to supports(). */
typedef struct service {
    bool asked, one;
    scree_instance *instance; // NULL: none
} service;

/** Two bodies in the layout of resolvers; arrays are padded to ROOM, which keeps them aligned. */
typedef struct tiny_world {
    _Alignas(64) uint64_t id[ROOM];
    uint32_t shape[ROOM], material[ROOM], motion[ROOM], part[2][ROOM], zero[2 * ROOM];
    double x[3][ROOM], q[4][ROOM], none[ROOM], scale[ROOM], radius[ROOM], density[ROOM];
    double d[3][ROOM], thick[2][ROOM]; // from a to b; radii as contacts see them
    scree_cell cell;
    scree_bodies bodies;
} tiny_world;

struct scree_query_asker {
    const scree_scene *scene;
    scree_runtime *runtime;
    const GPtrArray *resolvers;
    GPtrArray *own; // elements: scree_instance, or NULL
    service services[SCREE_MAX_TYPES][SCREE_MAX_TYPES];
    tiny_world world;
    double *memory; // contacts, hints and fields of a call
    uint64_t capacity;
    uint32_t room; // number of contacts that fit
};

scree_query_asker *scree_query_asker_new(const scree_scene *scene, scree_runtime *runtime,
                                         const GPtrArray *resolvers)
{
    scree_query_asker *a = query_host->aligned_new(sizeof *a);
    memset(a, 0, sizeof *a);
    a->scene = scene;
    a->runtime = runtime;
    a->resolvers = resolvers;
    a->room = LEAST_CONTACTS;
    return a;
}

void scree_query_asker_free(scree_query_asker *a)
{
    g_clear_pointer(&a->own, g_ptr_array_unref);
    free(a->memory);
    free(a);
}

static const scree_shape *shape_of(const scree_query_asker *a, const scree_body *body)
{
    return a->scene->shapes->pdata[body->shape];
}

/* ---- choice of the resolver ---- */

static void keep_quiet(void *listener, int32_t level_or_code, const char *text)
{
    (void)listener;
    (void)level_or_code;
    (void)text;
}

static bool make_resolvers(scree_query_asker *a, GError **error)
{
    if (a->resolvers)
        return true;
    if (!a->runtime->say)
        a->runtime->say = keep_quiet; // the run itself reports shapes
    const GPtrArray *choices = a->scene->resolvers;
    a->own = g_ptr_array_new_with_free_func((GDestroyNotify)query_host->instance_free);
    const guint n = choices ? choices->len : 0;
    for (guint r = 0; r < n; r++) {
        g_autofree char *slot = g_strdup_printf("resolvers[%u]", r);
        scree_instance *one = query_host->instance_new(a->runtime, choices->pdata[r], slot, error);
        if (!one)
            return false;
        g_ptr_array_add(a->own, one);
        if (!query_host->prepare_shapes(a->scene->shapes, one, error))
            return false;
    }
    a->resolvers = a->own;
    return true;
}

/** Finds the first resolver of the scene that serves a pair of types. */
static bool find_service(scree_query_asker *a, uint32_t type_a, uint32_t type_b, service **out,
                         GError **error)
{
    service *s = *out = &a->services[type_a][type_b];
    if (s->asked)
        return true;
    if (!make_resolvers(a, error))
        return false;
    for (guint r = 0; !s->instance && r < a->resolvers->len; r++) {
        scree_pair_support answer = {.a = a->scene->shape_types->pdata[type_a],
                                     .b = a->scene->shape_types->pdata[type_b]};
        if (!query_host->ask_supports(a->resolvers->pdata[r], &answer, error))
            return false;
        if (answer.contacts != SCREE_SUPPORTS_NOT)
            s->instance = a->resolvers->pdata[r];
        s->one = answer.contacts == SCREE_SUPPORTS_ONE;
    }
    s->asked = true;
    return true;
}

/** Returns whether a shape has its type; a shape added in the current call has none yet. */
static bool is_typed(const scree_query_asker *a, const scree_body *body)
{
    uint32_t typed = 0;
    for (guint t = 0; t < a->scene->shape_types->len; t++)
        typed += ((const scree_shape_type *)a->scene->shape_types->pdata[t])->n_shapes;
    return body->shape < typed;
}

void scree_query_pair_unserved(const scree_query_asker *a, const scree_query_pair *pair,
                               GError **error)
{
    const scree_shape_type *type[2];
    for (int i = 0; i < 2; i++) {
        if (!is_typed(a, &pair->body[i])) {
            scree_fail(error, SCREE_EXIT_USAGE,
                       "shape \"%s\" has been added in this call: its bodies can be asked about "
                       "when it has returned",
                       (const char *)a->scene->shape_names->pdata[pair->body[i].shape]);
            return;
        }
        type[i] = a->scene->shape_types->pdata[shape_of(a, &pair->body[i])->type];
    }
    g_autoptr(GString) ids = g_string_new(NULL);
    for (guint r = 0; r < a->resolvers->len; r++)
        g_string_append_printf(ids, "%s%s", r ? ", " : "",
                               ((const scree_instance *)a->resolvers->pdata[r])->plugin->id);
    const bool turned = type[0]->code > type[1]->code;
    scree_fail(error, SCREE_EXIT_USAGE,
               "no resolver of the scene (%s) supports %s - %s; scree plugins resolver says what "
               "each supports; one more is chosen by resolvers = ( .., { plugin = \"NAME\"; } )",
               ids->str, type[turned]->name, type[!turned]->name);
}

/* ---- the world ---- */

static void set_body(const scree_query_asker *a, tiny_world *w, uint32_t i,
                     const scree_query_pair *pair)
{
    const scree_body *body = &pair->body[i];
    const scree_shape *shape = shape_of(a, body);
    w->id[i] = i;
    w->shape[i] = body->shape;
    w->material[i] = body->material;
    w->motion[i] = body->motion;
    w->part[i][0] = pair->part[i];
    for (int k = 0; k < 3; k++)
        w->x[k][i] = body->x[k];
    for (int k = 0; k < 4; k++)
        w->q[k][i] = body->q[k];
    w->scale[i] = body->scale;
    w->radius[i] = body->scale * shape->radius;
    w->thick[i][0] = scree_shape_is_wall(shape) ? 0.0 : w->radius[i];
    w->density[i] = body->density;
}

static void set_world(const scree_query_asker *a, tiny_world *w, const scree_query_pair *pair)
{
    const scree_scene *s = a->scene;
    set_body(a, w, 0, pair);
    set_body(a, w, 1, pair);
    query_host->scene_cell(s, &w->cell);
    w->bodies = (scree_bodies){.size = sizeof w->bodies,
                               .cell = &w->cell,
                               .dimension = s->dimension,
                               .n = 2,
                               .n_free = 2,
                               .n_shapes = s->shapes->len,
                               .n_materials = s->materials.n,
                               .id = w->id,
                               .shape = w->shape,
                               .material = w->material,
                               .motion = w->motion,
                               .q = {w->q[0], w->q[1], w->q[2], w->q[3]},
                               .scale = w->scale,
                               .radius = w->radius,
                               .inv_mass = w->none,
                               .wrench = w->none,
                               .shapes = (const scree_shape *const *)s->shapes->pdata,
                               .group = w->zero,
                               .thickness = s->dimension == 2 ? s->thickness : 0.0,
                               .types = (const scree_shape_type *const *)s->shape_types->pdata,
                               .n_types = s->shape_types->len,
                               .density = w->density,
                               .n_total = 2,
                               .n_free_total = 2,
                               .number = w->id,
                               .material_density = s->density};
    for (int k = 0; k < 3; k++) {
        w->d[k][0] = w->x[k][1] - w->x[k][0];
        w->bodies.x[k] = w->x[k];
        w->bodies.v[k] = w->bodies.w[k] = w->bodies.inv_inertia[k] = w->none;
        w->bodies.image[k] = (const int32_t *)w->zero;
        w->bodies.gravity[k] = s->gravity[k];
    }
}

/* ---- one call ---- */

/** Returns the depth from which on contacts count [m]. A touch counts up to rounding, of a wall
 * too, which has a size but is not thick: a point may be on it. */
static double least_depth(const tiny_world *w, const scree_query_pair *pair)
{
    const bool touch = pair->deeper < 0.0;
    return pair->deeper * (touch ? w->radius[0] + w->radius[1] : w->thick[0][0] + w->thick[1][0]);
}

/** Sets `in` to pointers to the initial values of the pair's fields, and `out` to room for new
 * ones, in `value`. Returns how many there are. `in` NULL: only counts them. */
static size_t set_fields(const scree_plugin *plugin, double **in, double **out, double *value)
{
    size_t n = 0;
    for (uint32_t k = 0; k < plugin->n_fields; k++) {
        const scree_field *field = plugin->fields[k];
        const size_t end = field->scope == SCREE_SCOPE_PAIR ? n + field->components : n;
        for (; n < end; n++) {
            if (!in)
                continue;
            in[n] = value + 2 * n * ROOM;
            out[n] = in[n] + ROOM;
            for (int j = 0; j < 2 * ROOM; j++)
                in[n][j] = field->initial;
        }
    }
    return n;
}

/** Lays out the pair as the only one of a batch, and room for its contacts in the members that a
 * resolver fills. */
static void lay_out(scree_query_asker *a, const service *s, const scree_query_pair *pair,
                    scree_candidates *in, scree_contacts *out)
{
    static _Alignas(64) const uint32_t one[ROOM] = {1}, first[ROOM] = {0, 1};
    static const uint8_t fresh[ROOM] = {1};
    const scree_plugin *plugin = s->instance->plugin;
    const tiny_world *w = &a->world;
    const scree_shape *shape[2] = {shape_of(a, &pair->body[0]), shape_of(a, &pair->body[1])};
    const uint32_t hint = ((const scree_resolver_ops *)s->instance->ops)->hint_bytes;
    const size_t room = ((size_t)a->room + 7) / 8 * 8, words = CONTACT_WORDS * room,
                 hints = (size_t)hint / sizeof(double) * ROOM,
                 values = set_fields(plugin, NULL, NULL, NULL);
    const size_t all = words + hints + 2 * values * (ROOM + 1);
    query_host->aligned_grow(&a->memory, &a->capacity, all, 0, sizeof *a->memory);
    double *at = memset(a->memory, 0, all * sizeof *at);
    double **field = (double **)(void *)(at + words + hints);
    uint64_t *word = (uint64_t *)(void *)(at + 7 * room);
    set_fields(plugin, field, field + values, at + words + hints + 2 * values);
    *in = (scree_candidates){.size = sizeof *in,
                             .n = 1,
                             .type_a = shape[0]->type,
                             .type_b = shape[1]->type,
                             .hint_bytes = hint,
                             .hints = hint ? at + words : NULL,
                             .a = w->zero,
                             .b = one,
                             .d = {w->d[0], w->d[1], w->d[2]},
                             .radius_a = w->thick[0],
                             .radius_b = w->thick[1],
                             .range = fmax(-least_depth(w, pair), 0.0),
                             .bodies = &w->bodies,
                             .in = values ? (const double *const *)field : NULL,
                             .out = values ? field + values : NULL,
                             .fresh = values ? fresh : NULL};
    for (int i = 0; i < 2; i++)
        if (shape[i]->n_parts > 1 || shape[i]->flags & SCREE_CAP_WALL) {
            in->first = first;
            in->part_a = w->part[0];
            in->part_b = w->part[1];
        }
    *out = (scree_contacts){.size = sizeof *out,
                            .capacity = (uint32_t)room,
                            .normal = {at, at + room, at + 2 * room},
                            .depth = at + 3 * room,
                            .arm = {at + 4 * room, at + 5 * room, at + 6 * room},
                            .feature = s->one ? NULL : word,
                            .continues = s->one ? NULL : word + room,
                            .pair = (uint32_t *)(void *)(word + 2 * room)};
    for (size_t i = 0; i < room && out->continues; i++)
        out->continues[i] = SCREE_FEATURE_SAME;
}

/** Calls the resolver, again with more room if the contacts do not fit. */
static bool resolve_pair(scree_query_asker *a, const service *s, const scree_query_pair *pair,
                         scree_contacts *out, GError **error)
{
    scree_candidates in;
    uint32_t done = 0;
    for (int turn = 0; turn < 2 && !done && a->room <= SCREE_MAX_PAIR_CONTACTS; turn++) {
        lay_out(a, s, pair, &in, out);
        if (!query_host->ask_contacts(s->instance, &in, out, &done, error))
            return false;
        if (out->n <= out->capacity)
            break;
        a->room = out->n;
    }
    return (done == 1 && out->n <= out->capacity) ||
           query_host->call_blame(s->instance, "resolve", SCREE_EXIT_PLUGIN, error,
                                  "%u pairs done of 1, %u contacts with room for %u", done, out->n,
                                  out->capacity);
}

static bool ask_resolver(scree_query_asker *a, const service *s, const scree_query_pair *pair,
                         bool *meets, GError **error)
{
    scree_contacts out;
    set_world(a, &a->world, pair);
    const double least = least_depth(&a->world, pair);
    if (!resolve_pair(a, s, pair, &out, error))
        return false;
    for (uint32_t c = 0; c < out.n; c++) {
        if (!isfinite(out.depth[c]))
            return query_host->call_blame(s->instance, "resolve", SCREE_EXIT_PLUGIN, error,
                                          "the depth of a contact is %g", out.depth[c]);
        *meets = *meets || out.depth[c] > least;
    }
    return true;
}

bool scree_query_pair_meets(scree_query_asker *a, const scree_query_pair *pair, bool *meets,
                            bool *served, GError **error)
{
    const bool typed = is_typed(a, &pair->body[0]) && is_typed(a, &pair->body[1]);
    const uint32_t type[2] = {shape_of(a, &pair->body[0])->type, shape_of(a, &pair->body[1])->type};
    const bool turn = type[0] > type[1]; // a resolver gets the lower type first
    const scree_query_pair turned = {
        {pair->body[1], pair->body[0]}, {pair->part[1], pair->part[0]}, pair->deeper};
    service *s = NULL;
    *meets = false;
    pair = turn ? &turned : pair;
    if (typed && !find_service(a, type[turn], type[!turn], &s, error))
        return false;
    *served = s && s->instance;
    return !*served || ask_resolver(a, s, pair, meets, error);
}
