/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers: pairs of bodies, in batches of any order. */
#include "tools/check/check_resolver_bench.h"

#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "shape/shape_types.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_shapes.h"
#include "tools/check/guard_pages.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ROOM 16384u /* contacts for a whole batch */

const char *scree_resolver_type_name(uint32_t type)
{
    static const char *const names[] = {"sphere", "disc", "solid", "mesh", "plane"};
    return names[type];
}

void scree_resolver_fail(scree_resolver_bench *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    scree_check_fail(t->check, "%s - %s, %uD: %s", scree_resolver_type_name(t->type[0]),
                     scree_resolver_type_name(t->type[1]), t->dimension, text);
}

/* ---- bodies ---- */

static void make_bodies(scree_check_bodies *b, uint32_t n, uint32_t dimension)
{
    scree_bodies *v = &b->view;
    GPtrArray *arena = b->arena = scree_check_arena_new();
    b->n = n;
    b->id = scree_check_arena_add(arena, n, sizeof *b->id);
    b->shape = scree_check_arena_add(arena, n, sizeof *b->shape);
    b->scale = scree_check_arena_add(arena, n, sizeof *b->scale);
    b->radius = scree_check_arena_add(arena, n, sizeof *b->radius);
    b->zeros = scree_check_arena_add(arena, n, 8 * sizeof(double));
    memset(b->zeros, 0, (size_t)n * 8 * sizeof(double));
    *v = (scree_bodies){.size = sizeof *v, .dimension = dimension, .n = n, .n_free = n};
    v->cell = &scree_check_open_cell;
    v->n_materials = 2;
    v->thickness = dimension == 2 ? 1.0 : 0.0;
    v->n_total = v->n_free_total = n;
    v->number = b->id;
    for (int k = 0; k < 3; k++) {
        v->x[k] = b->x[k] = scree_check_arena_add(arena, n, sizeof(double));
        v->v[k] = v->w[k] = v->inv_inertia[k] = b->zeros;
        v->image[k] = b->zeros;
    }
    for (int k = 0; k < 4; k++)
        v->q[k] = b->q[k] = scree_check_arena_add(arena, n, sizeof(double));
    v->id = b->id;
    v->shape = b->shape;
    v->material = v->motion = v->group = b->zeros;
    v->scale = b->scale;
    v->radius = b->radius;
    v->inv_mass = v->wrench = b->zeros;
    for (uint32_t i = 0; i < n; i++)
        b->id[i] = i;
}

static bool is_round(uint32_t type)
{
    return type <= SCREE_CHECK_DISC;
}

/** The code of a type in this bench, which may lack solids. */
static uint32_t code_of(const scree_resolver_bench *t, uint32_t type)
{
    return type > SCREE_CHECK_SOLID && !t->has_solid ? type - 1 : type;
}

/** Body i: a shape of this type, at the origin, turned and scaled at random; a solid gets a radius
 * of 0.5 to 1.5 m. */
static void pose_body(scree_resolver_bench *t, uint32_t i, uint32_t type)
{
    scree_check_bodies *b = &t->bodies;
    double q[4], size = scree_check_uniform(&t->random, 0.5, 1.5);
    uint32_t shape;
    do
        shape = (uint32_t)(scree_check_bits(&t->random) % t->shapes->len);
    while (((const scree_shape *)t->shapes->pdata[shape])->type != code_of(t, type));
    const double radius = ((const scree_shape *)t->shapes->pdata[shape])->radius;
    const double scale = type == SCREE_CHECK_SOLID ? size / radius : size;
    scree_check_random_turn(&t->random, t->dimension, q);
    for (int k = 0; k < 4; k++)
        b->q[k][i] = q[k];
    for (int k = 0; k < 3; k++)
        b->x[k][i] = k < (int)t->dimension ? scree_check_uniform(&t->random, -5.0, 5.0) : 0.0;
    b->shape[i] = shape;
    b->scale[i] = scale;
    b->radius[i] = type == SCREE_CHECK_PLANE ? 0.0 : scale * radius;
}

static void random_direction(scree_resolver_bench *t, double u[3])
{
    double sum = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        u[k] = k < t->dimension ? scree_check_uniform(&t->random, -1.0, 1.0) : 0.0;
        sum += u[k] * u[k];
    }
    for (uint32_t k = 0; k < 3; k++)
        u[k] /= sqrt(sum);
}

/** A random point of the plane, 0.3 radii behind to 1.3 in front of body a. */
static void place_plane(scree_resolver_bench *t, uint32_t p, const double u[3])
{
    const scree_check_bodies *b = &t->bodies;
    const double *const *q = (const double *const *)b->q;
    const double turn[4] = {q[0][2 * p + 1], q[1][2 * p + 1], q[2][2 * p + 1], q[3][2 * p + 1]};
    double n[3], along = 0.0, ra = b->radius[2 * p];
    double height = scree_check_uniform(&t->random, -0.3, 1.3) * ra;
    scree_rotate(turn, ((const scree_shape *)t->shapes->pdata[b->shape[2 * p + 1]])->normal, n);
    for (int k = 0; k < 3; k++)
        along += u[k] * n[k];
    for (int k = 0; k < 3; k++)
        t->d[p][k] = ra * (u[k] - along * n[k]) - height * n[k];
}

/** Poses b relative to a, so that they overlap, touch or nearly touch. */
static void place_pair(scree_resolver_bench *t, uint32_t p)
{
    const scree_check_bodies *b = &t->bodies;
    double ra = b->radius[2 * p], rb = b->radius[2 * p + 1], u[3], reach = ra + rb;
    double near = scree_check_uniform(&t->random, 0.6, 1.15);
    random_direction(t, u);
    if (t->type[1] == SCREE_CHECK_PLANE) {
        place_plane(t, p, u);
        return;
    }
    if (t->type[1] == SCREE_CHECK_SOLID)
        near = scree_check_uniform(&t->random, 0.35, 1.15); // bounding spheres do, not bodies
    else if (!is_round(t->type[0]))
        near = scree_check_uniform(&t->random, 0.35, 0.8);
    else if (!is_round(t->type[1]))
        reach = 0.5 * ra + 0.8 * rb;
    for (int k = 0; k < 3; k++)
        t->d[p][k] = u[k] * near * reach;
}

void scree_resolver_pose(scree_resolver_bench *t, uint64_t seed)
{
    t->random = seed;
    t->n_pairs = SCREE_CHECK_PAIRS;
    for (uint32_t p = 0; p < t->n_pairs; p++) {
        for (uint32_t side = 0; side < 2; side++)
            pose_body(t, 2 * p + side, t->type[side]);
        place_pair(t, p);
        t->keep[p] = 0;
        for (int k = 0; k < 3; k++)
            t->bodies.x[k][2 * p + 1] = t->bodies.x[k][2 * p] + t->d[p][k];
    }
}

/* ---- opening ---- */

/** Adds a shape, and makes the types again; former ones stay in place. */
static void add_shape(scree_resolver_bench *t, scree_shape *shape)
{
    g_ptr_array_add(t->shapes, shape);
    GPtrArray *types =
        scree_shape_types_new((scree_shape *const *)t->shapes->pdata, t->shapes->len, NULL);
    g_ptr_array_add(t->types, types);
    t->bodies.view.shapes = (const scree_shape *const *)t->shapes->pdata;
    t->bodies.view.n_shapes = t->shapes->len;
    t->bodies.view.types = (const scree_shape_type *const *)types->pdata;
    t->bodies.view.n_types = types->len;
}

static bool prepare(scree_resolver_bench *t, uint32_t number)
{
    return !SCREE_HAS(t->ops, prepare) ||
           SCREE_CHECK_CALL(t->check, t->instance, "prepare",
                            t->ops->prepare(t->instance->self, number, t->shapes->pdata[number]));
}

bool scree_resolver_take(scree_resolver_bench *t, scree_shape *shape)
{
    add_shape(t, shape);
    return prepare(t, t->shapes->len - 1);
}

/** A body with the solid of the check; NULL: none. One that the user named must be made. */
static scree_shape *make_solid(scree_resolver_bench *t)
{
    g_autoptr(GError) error = NULL;
    scree_shape *solid = scree_check_solid(t->check, t->instance, &error);
    if (error && t->check->solid)
        scree_check_fail(t->check, "--solid %s: it could not be made: %s", t->check->solid->id,
                         error->message);
    return solid;
}

/** A body of each type, in the order of the codes; three of facets. */
static void make_shapes(scree_resolver_bench *t)
{
    const double up[3] = {0.48, 0.6, t->dimension == 3 ? 0.64 : 0.0};
    t->shapes = g_ptr_array_new_with_free_func((GDestroyNotify)scree_any_shape_free);
    t->types = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    add_shape(t, scree_shape_new_round(false));
    add_shape(t, scree_shape_new_round(true));
    scree_shape *solid = make_solid(t);
    t->has_solid = solid != NULL;
    if (solid)
        add_shape(t, solid);
    add_shape(t, scree_check_cube(t->dimension, 1));
    add_shape(t, scree_check_cube(t->dimension, 3));
    add_shape(t, scree_check_fan(t->dimension, 7));
    add_shape(t, scree_check_plane(up));
}

/** Whether the plugin serves the two types. */
static bool ask(scree_resolver_bench *t)
{
    scree_pair_support pair = {.size = sizeof pair,
                               .a = t->bodies.view.types[code_of(t, t->type[0])],
                               .b = t->bodies.view.types[code_of(t, t->type[1])],
                               .provides = t->instance->demands.provides};
    if (!SCREE_CHECK_CALL(t->check, t->instance, "supports",
                          t->ops->supports(t->instance->self, &pair)))
        return false;
    if (pair.contacts > SCREE_SUPPORTS_ONE || pair.provides & ~t->instance->demands.provides)
        scree_resolver_fail(t,
                            "supports: expected contacts 0 to %d and no bits beyond provides "
                            "%#" PRIx64 " of the descriptor, got %u and %#" PRIx64,
                            SCREE_SUPPORTS_ONE, t->instance->demands.provides, pair.contacts,
                            pair.provides);
    t->answer = (int32_t)pair.contacts;
    t->provides = pair.provides;
    return t->answer != SCREE_SUPPORTS_NOT && !t->check->failed;
}

bool scree_resolver_attach(scree_resolver_bench *t, scree_check *check, scree_instance *instance,
                           uint32_t type_a, uint32_t type_b, uint64_t *prepared)
{
    bool good = true;
    *t = (scree_resolver_bench){.check = check,
                                .instance = instance,
                                .ops = check->plugin->ops,
                                .dimension = instance->runtime->dimension,
                                .type = {type_a, type_b}};
    t->hints = g_byte_array_new();
    make_bodies(&t->bodies, 2 * SCREE_CHECK_PAIRS, t->dimension);
    make_shapes(t);
    bool missing = !t->has_solid && (type_a == SCREE_CHECK_SOLID || type_b == SCREE_CHECK_SOLID);
    if (t->check->failed || missing || !ask(t)) {
        scree_resolver_detach(t);
        return false;
    }
    for (uint32_t i = 0; i < t->shapes->len; i++) {
        const uint32_t type = ((const scree_shape *)t->shapes->pdata[i])->type;
        if ((type == code_of(t, type_a) || type == code_of(t, type_b)) && !(*prepared >> i & 1u)) {
            *prepared |= 1u << i;
            good = prepare(t, i) && good;
        }
    }
    return good;
}

void scree_resolver_detach(scree_resolver_bench *t)
{
    if (!t->shapes)
        return;
    g_ptr_array_unref(t->bodies.arena);
    g_ptr_array_unref(t->types);
    g_ptr_array_unref(t->shapes);
    g_byte_array_unref(t->hints);
    t->shapes = NULL;
}

bool scree_resolver_open(scree_resolver_bench *t, scree_check *check, uint32_t dimension,
                         uint32_t type_a, uint32_t type_b)
{
    uint64_t prepared = 0;
    scree_instance *instance =
        scree_check_instance(check, dimension, 1, SCREE_CHECK_DEFAULTS, NULL);
    *t = (scree_resolver_bench){.check = check};
    return instance && scree_resolver_attach(t, check, instance, type_a, type_b, &prepared);
}

void scree_resolver_close(scree_resolver_bench *t)
{
    scree_check_instance_free(t->instance);
    scree_resolver_detach(t);
}

/** Reason why the solid of the plugin's file is not among the shapes. New string. */
static char *why_no_solid(scree_check *check)
{
    for (uint32_t dimension = 2; dimension <= 3; dimension++) {
        const uint32_t bit = dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3;
        g_autoptr(GError) error = NULL;
        scree_instance *instance =
            check->plugin->dimensions & bit
                ? scree_check_instance(check, dimension, 1, SCREE_CHECK_DEFAULTS, NULL)
                : NULL;
        scree_shape *solid = instance ? scree_check_solid(check, instance, &error) : NULL;
        scree_any_shape_free(solid);
        scree_check_instance_free(instance);
        if (error)
            return g_strdup_printf(" (that could not be made: %s)", error->message);
    }
    return g_strdup("");
}

void scree_resolver_for_types(scree_check *check, void (*work)(scree_resolver_bench *t))
{
    uint32_t n_served = 0;
    for (uint32_t k = 0; k < 2 * SCREE_CHECK_TYPES * SCREE_CHECK_TYPES; k++) {
        const uint32_t dimension = 2 + k % 2, i = k / 2 % SCREE_CHECK_TYPES,
                       j = k / (2 * SCREE_CHECK_TYPES);
        scree_resolver_bench t;
        if (i > j ||
            !(check->plugin->dimensions &
              (dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3)) ||
            (dimension == 3 && (i == SCREE_CHECK_DISC || j == SCREE_CHECK_DISC)))
            continue;
        if (scree_resolver_open(&t, check, dimension, i, j)) {
            scree_resolver_pose(&t, 4711);
            work(&t);
            n_served++;
        }
        scree_resolver_close(&t);
        if (check->failed)
            return;
    }
    if (n_served > 0)
        return;
    g_autofree char *why = check->solid ? g_strdup("") : why_no_solid(check);
    scree_check_fail(check,
                     "it supports no pair of the shape types that the check has: sphere, "
                     "disc, mesh, plane, and a solid of a plugin in the same file%s, or of --solid",
                     why);
}

/* ---- batches ---- */

enum { MOST_FIELDS = 32 };

/** Inputs and outputs of one call. */
typedef struct call {
    scree_candidates in;
    scree_contacts out;
    GPtrArray *inputs, *outputs; // arenas
    double *field_in[MOST_FIELDS], *field_out[MOST_FIELDS];
} call;

static void *input(call *c, uint32_t n, size_t size)
{
    return scree_check_arena_add(c->inputs, n, size);
}

static void *output(call *c, uint32_t n, size_t size)
{
    return scree_check_arena_add(c->outputs, n, size);
}

static void free_call(call *c)
{
    g_ptr_array_unref(c->inputs);
    g_ptr_array_unref(c->outputs);
}

static uint32_t n_parts(const scree_resolver_bench *t, uint32_t body)
{
    const scree_shape *shape = t->shapes->pdata[t->bodies.shape[body]];
    return MAX(scree_shape_facets(shape), 1);
}

static uint32_t n_candidates(const scree_resolver_bench *t, uint32_t pair)
{
    return n_parts(t, 2 * pair) * n_parts(t, 2 * pair + 1);
}

/** Pairs all parts with all parts. */
static void fill_parts(const scree_resolver_bench *t, call *c, const uint32_t *pairs)
{
    uint32_t n = c->in.n, total = 0, *first = input(c, n + 1, sizeof *first);
    for (uint32_t p = 0; p < n; p++)
        total += n_candidates(t, pairs[p]);
    uint32_t *part_a = input(c, total, sizeof *part_a), *part_b = input(c, total, sizeof *part_b);
    first[0] = 0;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t at = first[p], nb = n_parts(t, 2 * pairs[p] + 1);
        first[p + 1] = at + n_candidates(t, pairs[p]);
        for (uint32_t k = at; k < first[p + 1]; k++) {
            part_a[k] = (k - at) / nb;
            part_b[k] = (k - at) % nb;
        }
    }
    c->in.first = first;
    c->in.part_a = part_a;
    c->in.part_b = part_b;
}

static void fill_inputs(const scree_resolver_bench *t, call *c, const uint32_t *pairs, uint32_t n)
{
    uint32_t *a = input(c, n, sizeof *a), *b = input(c, n, sizeof *b);
    double *d[3], *radius_a = input(c, n, sizeof(double)), *radius_b = input(c, n, sizeof(double));
    uint8_t *keep = input(c, n, 1);
    for (int k = 0; k < 3; k++)
        d[k] = input(c, n, sizeof(double));
    for (uint32_t p = 0; p < n; p++) {
        a[p] = 2 * pairs[p];
        b[p] = a[p] + 1;
        radius_a[p] = t->bodies.radius[a[p]];
        const scree_shape *of_b = t->shapes->pdata[t->bodies.shape[b[p]]];
        bool flat = of_b->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE);
        radius_b[p] = flat ? 0.0 : t->bodies.radius[b[p]];
        keep[p] = t->keep[pairs[p]];
        for (int k = 0; k < 3; k++)
            d[k][p] = t->d[pairs[p]][k];
    }
    c->in = (scree_candidates){.size = sizeof c->in,
                               .n = n,
                               .type_a = code_of(t, t->type[0]),
                               .type_b = code_of(t, t->type[1]),
                               .hint_bytes = t->ops->hint_bytes,
                               .a = a,
                               .b = b,
                               .d = {d[0], d[1], d[2]},
                               .radius_a = radius_a,
                               .radius_b = radius_b,
                               .keep = t->use_keep ? keep : NULL,
                               .range = t->range,
                               .bodies = &t->bodies.view};
    if (t->type[0] == SCREE_CHECK_FACETS || t->type[1] == SCREE_CHECK_FACETS)
        fill_parts(t, c, pairs);
}

/** Sets pair fields to the state in which nothing is stored. */
static void fill_fields(const scree_resolver_bench *t, call *c)
{
    const scree_plugin *plugin = t->check->plugin;
    uint32_t n_fields = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        for (uint32_t k = 0; k < plugin->fields[f]->components && n_fields < MOST_FIELDS; k++) {
            c->field_in[n_fields] = input(c, c->in.n, sizeof(double));
            c->field_out[n_fields] = output(c, c->in.n, sizeof(double));
            for (uint32_t p = 0; p < c->in.n; p++)
                c->field_in[n_fields][p] = plugin->fields[f]->initial;
            n_fields++;
        }
    c->in.in = n_fields ? (const double *const *)c->field_in : NULL;
    c->in.out = n_fields ? c->field_out : NULL;
}

static void make_outputs(const scree_resolver_bench *t, call *c, uint32_t capacity)
{
    bool many = t->answer == SCREE_SUPPORTS_MANY;
    c->out = (scree_contacts){.size = sizeof c->out, .capacity = capacity};
    c->out.pair = output(c, capacity, sizeof(uint32_t));
    c->out.depth = output(c, capacity, sizeof(double));
    for (int k = 0; k < 3; k++) {
        c->out.normal[k] = output(c, capacity, sizeof(double));
        c->out.arm[k] = output(c, capacity, sizeof(double));
    }
    c->out.feature = many ? output(c, capacity, sizeof(uint64_t)) : NULL;
    c->out.continues = many ? output(c, capacity, sizeof(uint64_t)) : NULL;
    if (many)
        for (uint32_t i = 0; i < capacity; i++)
            c->out.continues[i] = SCREE_FEATURE_SAME;
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++) {
        const uint32_t n = t->provides & q->gives ? q->n : 0;
        for (uint32_t k = 0; k < n; k++)
            scree_array_set((char *)&c->out + q->at + k * sizeof(void *),
                            output(c, capacity, q->width));
    }
}

/** Copies hints of these pairs from or to their place between calls. */
static void move_hints(scree_resolver_bench *t, call *c, const uint32_t *pairs, bool back)
{
    uint8_t *at = c->in.hints;
    for (uint32_t p = 0; c->in.hint_bytes && p < c->in.n; p++) {
        size_t offset = 0, bytes = (size_t)n_candidates(t, pairs[p]) * c->in.hint_bytes;
        for (uint32_t k = 0; k < pairs[p]; k++)
            offset += (size_t)n_candidates(t, k) * c->in.hint_bytes;
        if (back)
            memcpy(t->hints->data + offset, at, bytes);
        else
            memcpy(at, t->hints->data + offset, bytes);
        at += bytes;
    }
}

/** Makes room for the hints of all pairs, zeros at first. */
static void make_room_for_hints(scree_resolver_bench *t)
{
    uint32_t all = 0;
    for (uint32_t p = 0; p < t->n_pairs; p++)
        all += n_candidates(t, p);
    guint before = t->hints->len, want = all * t->ops->hint_bytes;
    if (before >= want)
        return;
    g_byte_array_set_size(t->hints, want);
    memset(t->hints->data + before, 0, want - before);
}

static void take_hints(scree_resolver_bench *t, call *c, const uint32_t *pairs)
{
    uint32_t total = 0;
    for (uint32_t p = 0; p < c->in.n; p++)
        total += n_candidates(t, pairs[p]);
    c->in.hints = c->in.hint_bytes ? output(c, total, c->in.hint_bytes) : NULL;
    move_hints(t, c, pairs, false);
}

/** Copies the values of contact i apart from point, normal and depth. */
static void take_extra(const scree_contacts *out, uint32_t i, double extra[SCREE_EXTRAS])
{
    uint32_t at = 0;
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++)
        for (uint32_t k = 0; k < q->n; k++, at++) {
            const void *array = scree_quantity_array(out, q, k);
            g_assert(at < SCREE_EXTRAS);
            if (array && q->width == sizeof(double))
                extra[at] = ((const double *)array)[i];
            else if (array)
                extra[at] = ((const uint32_t *)array)[i];
        }
}

static bool take_contacts(scree_resolver_bench *t, const call *c, const uint32_t *pairs,
                          uint32_t done, GArray *touches)
{
    const scree_contacts *out = &c->out;
    if (done == 0 || done > c->in.n || out->n > out->capacity) {
        scree_resolver_fail(t, "of %u pairs it says that %u are done, with %u contacts of %u",
                            c->in.n, done, out->n, out->capacity);
        return false;
    }
    for (uint32_t i = 0; i < out->n; i++) {
        scree_touch touch = {0};
        if (out->pair[i] >= done) {
            scree_resolver_fail(t, "contact %u is one of pair %u, which is not done (%u are)", i,
                                out->pair[i], done);
            return false;
        }
        touch.pair = pairs[out->pair[i]];
        touch.feature = out->feature ? out->feature[i] : 0;
        touch.continues = out->continues ? out->continues[i] : 0;
        touch.depth = out->depth[i];
        for (int k = 0; k < 3; k++) {
            touch.normal[k] = out->normal[k][i];
            touch.arm[k] = out->arm[k][i];
        }
        take_extra(out, i, touch.extra);
        g_array_append_val(touches, touch);
    }
    return true;
}

/** Makes one call for `n` pairs; *done: number of finished ones. */
static bool call_once(scree_resolver_bench *t, const uint32_t *pairs, uint32_t n, uint32_t capacity,
                      uint32_t lane, uint32_t *done, GArray *touches)
{
    call c = {.inputs = scree_check_arena_new(), .outputs = scree_check_arena_new()};
    fill_inputs(t, &c, pairs, n);
    c.in.lane = lane;
    fill_fields(t, &c);
    take_hints(t, &c, pairs);
    make_outputs(t, &c, capacity);
    scree_check_arena_protect(c.inputs, true);
    *done = 0;
    bool good = SCREE_CHECK_CALL(t->check, t->instance, "resolve",
                                 t->ops->resolve(t->instance->self, &c.in, &c.out, done));
    const uint32_t wanted = c.out.n;
    if (good && *done == 0 && wanted > capacity && wanted <= SCREE_MAX_PAIR_CONTACTS) {
        free_call(&c);
        return call_once(t, pairs, n, wanted, lane, done, touches);
    }
    good = good && take_contacts(t, &c, pairs, *done, touches);
    if (good)
        move_hints(t, &c, pairs, true);
    free_call(&c);
    return good;
}

/** Resolves all of these pairs, in batches of `chunk`. */
static bool call_often(scree_resolver_bench *t, const uint32_t *pairs, uint32_t n, uint32_t chunk,
                       uint32_t capacity, uint32_t lane, GArray *touches)
{
    for (uint32_t p = 0, done; p < n; p += done)
        if (!call_once(t, pairs + p, MIN(n - p, chunk), capacity, lane, &done, touches))
            return false;
    return true;
}

bool scree_resolver_run(scree_resolver_bench *t, const scree_resolver_plan *plan, GArray *touches)
{
    uint32_t pairs[SCREE_CHECK_PAIRS];
    g_array_set_size(touches, 0);
    for (uint32_t p = 0; p < t->n_pairs; p++)
        pairs[p] = plan->order ? plan->order[p] : p;
    if (!t->keep_hints)
        g_byte_array_set_size(t->hints, 0);
    make_room_for_hints(t);
    scree_check_arena_protect(t->bodies.arena, true);
    bool good = call_often(t, pairs, t->n_pairs, plan->chunk ? plan->chunk : t->n_pairs,
                           plan->capacity ? plan->capacity : ROOM, 0, touches);
    scree_check_arena_protect(t->bodies.arena, false);
    return good;
}

bool scree_resolver_run_plainly(scree_resolver_bench *t, GArray *touches)
{
    return scree_resolver_run(t, &(scree_resolver_plan){0}, touches);
}

const scree_touch *scree_touch_find(const GArray *touches, const scree_touch *like)
{
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        if (x->pair == like->pair && x->feature == like->feature)
            return x;
    }
    return NULL;
}

typedef struct lane_work {
    scree_resolver_bench *bench;
    GArray **touches; /* [lanes] */
} lane_work;

static int32_t run_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const lane_work *work = user;
    uint32_t pairs[SCREE_CHECK_PAIRS];
    for (uint32_t p = (uint32_t)begin; p < end; p++)
        pairs[p - begin] = p;
    return call_often(work->bench, pairs, (uint32_t)(end - begin), SCREE_CHECK_PAIRS, ROOM, lane,
                      work->touches[lane])
               ? SCREE_OK
               : SCREE_E_INTERNAL;
}

bool scree_resolver_run_on_lanes(scree_resolver_bench *t, GArray *touches)
{
    enum { GRAIN = 8 };
    scree_pool *pool = t->instance->runtime->pool;
    uint32_t lanes = scree_pool_lanes(pool);
    if (lanes == 1 || (t->check->plugin->flags & SCREE_CAP_SERIAL))
        return scree_resolver_run_plainly(t, touches);
    lane_work work = {t, g_new0(GArray *, lanes)};
    for (uint32_t lane = 0; lane < lanes; lane++)
        work.touches[lane] = scree_touches_new();
    g_byte_array_set_size(t->hints, 0);
    make_room_for_hints(t);
    g_array_set_size(touches, 0);
    bool good = scree_pool_for(pool, 0, t->n_pairs, GRAIN, run_chunk, &work) == SCREE_OK;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        if (work.touches[lane]->len > 0)
            g_array_append_vals(touches, work.touches[lane]->data, work.touches[lane]->len);
        g_array_unref(work.touches[lane]);
    }
    g_free(work.touches);
    return good;
}
