/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts for a force law without an engine: from two bodies to a batch and its results. */
#include "tools/check/check_contacts.h"

#include "plugin/call.h"
#include "plugin/field_uses.h"
#include "plugin/quantities.h"
#include "tools/check/check_globals.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_touch.h"
#include "tools/check/guard_pages.h"

#include <math.h>
#include <string.h>

enum { MOST_ARRAYS = 80 + 4 * SCREE_CHECK_MOST_FIELDS };

/** An array of a batch; it ends at a guard page. */
typedef struct slab {
    uint8_t *base;
    uint32_t bytes; // [bytes] of an element
    bool output;
    uint32_t column; // the law writes it
    const void *now; // its place in this batch
} slab;

struct scree_check_rig {
    slab slabs[MOST_ARRAYS];
    uint32_t n_slabs, room; // number of elements of each array
    uint8_t *blank;         // an array that stays unwritten
    scree_bodies bodies;
    GPtrArray *of_bodies; // arena
    double *x[3], *q[4], *v[3], *w[3], *scale, *radius, *inv_mass, *inv_inertia;
    uint64_t *id;
    uint32_t *shape, *material, *motion;
    scree_used_field used[SCREE_CHECK_MOST_FIELDS];
    const scree_used_field *used_list[SCREE_CHECK_MOST_FIELDS];
    double *value[SCREE_CHECK_MOST_FIELDS]; // [bodies] or one: values of used fields
};

static const scree_shape ball_shape = {
    .size = sizeof(scree_shape), .flags = SCREE_CAP_ROUND, .n_parts = 1, .radius = 1.0};
static const scree_shape disc_shape = {
    .size = sizeof(scree_shape), .flags = SCREE_CAP_ROUND, .n_parts = 1, .flat = 1, .radius = 1.0};
static const scree_shape wall_shape = {
    .size = sizeof(scree_shape), .type = 1, .flags = SCREE_CAP_INFINITE, .normal = {1.0}};
static const scree_shape *const solid_shapes[] = {&ball_shape, &wall_shape};
static const scree_shape *const flat_shapes[] = {&disc_shape, &wall_shape};
static const scree_shape_type ball_type = {.size = sizeof(scree_shape_type),
                                           .flags = SCREE_CAP_ROUND,
                                           .n_shapes = 1,
                                           .name = "sphere",
                                           .shapes = solid_shapes};
static const scree_shape_type disc_type = {.size = sizeof(scree_shape_type),
                                           .flags = SCREE_CAP_ROUND,
                                           .n_shapes = 1,
                                           .name = "disc",
                                           .shapes = flat_shapes};
static const scree_shape_type wall_type = {.size = sizeof(scree_shape_type),
                                           .code = 1,
                                           .flags = SCREE_CAP_INFINITE,
                                           .n_shapes = 1,
                                           .name = "plane",
                                           .shapes = solid_shapes + 1};
static const scree_shape_type *const solid_types[] = {&ball_type, &wall_type};
static const scree_shape_type *const flat_types[] = {&disc_type, &wall_type};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static void *body_array(scree_check_rig *rig, uint64_t n, size_t bytes)
{
    void *array = scree_check_arena_add(rig->of_bodies, n, bytes);
    return memset(array, 0, round_up(n * bytes, 64));
}

static void make_bodies(scree_check_rig *rig, uint32_t n, uint32_t dimension, uint32_t n_materials)
{
    for (int k = 0; k < 4; k++) {
        rig->q[k] = body_array(rig, n, sizeof(double));
        if (k == 3)
            break;
        rig->x[k] = body_array(rig, n, sizeof(double));
        rig->v[k] = body_array(rig, n, sizeof(double));
        rig->w[k] = body_array(rig, n, sizeof(double));
    }
    rig->scale = body_array(rig, n, sizeof(double));
    rig->radius = body_array(rig, n, sizeof(double));
    rig->inv_mass = body_array(rig, n, sizeof(double));
    rig->inv_inertia = body_array(rig, n, sizeof(double));
    rig->id = body_array(rig, n, sizeof(uint64_t));
    rig->shape = body_array(rig, n, sizeof(uint32_t));
    rig->material = body_array(rig, n, sizeof(uint32_t));
    rig->motion = body_array(rig, n, sizeof(uint32_t));
    scree_bodies *b = &rig->bodies;
    *b = (scree_bodies){.size = sizeof *b,
                        .cell = &scree_check_open_cell,
                        .dimension = dimension,
                        .n = n,
                        .n_free = n,
                        .n_total = n,
                        .n_free_total = n,
                        .number = rig->id,
                        .n_shapes = 2,
                        .n_types = 2,
                        .types = dimension == 2 ? flat_types : solid_types,
                        .n_materials = n_materials,
                        .id = rig->id,
                        .shape = rig->shape,
                        .material = rig->material,
                        .motion = rig->motion,
                        .scale = rig->scale,
                        .radius = rig->radius,
                        .inv_mass = rig->inv_mass,
                        .shapes = dimension == 2 ? flat_shapes : solid_shapes,
                        .group = body_array(rig, n, sizeof(uint32_t)),
                        .wrench = body_array(rig, 8ull * n, sizeof(double))};
    for (int k = 0; k < 3; k++) {
        b->x[k] = rig->x[k];
        b->v[k] = rig->v[k];
        b->w[k] = rig->w[k];
        b->inv_inertia[k] = rig->inv_inertia;
        b->image[k] = body_array(rig, n, sizeof(int32_t));
    }
    for (int k = 0; k < 4; k++)
        b->q[k] = rig->q[k];
}

/** Made-up fields of others for the law. */
static void make_used(scree_check_rig *rig, const scree_check *check, uint32_t n)
{
    const scree_plugin *plugin = check->plugin;
    uint32_t at = 0;
    rig->bodies.n_used = plugin->n_uses;
    rig->bodies.used = rig->bodies.n_used ? rig->used_list : NULL;
    for (uint32_t k = 0; k < rig->bodies.n_used; k++) {
        const scree_use *use = plugin->uses[k];
        rig->used[k] = (scree_used_field){.size = sizeof rig->used[k],
                                          .scope = use->scope,
                                          .components = use->components,
                                          .access = use->access,
                                          .name = use->name,
                                          .slot = "check",
                                          .unit = use->unit,
                                          .v = (const double *const *)rig->value + at};
        if (k + 1 == check->absent_use)
            rig->used[k].v = NULL;
        rig->used_list[k] = &rig->used[k];
        for (uint32_t c = 0; c < use->components; c++, at++) {
            rig->value[at] =
                body_array(rig, use->scope == SCREE_SCOPE_BODY ? n : 1, sizeof(double));
            if (use->scope != SCREE_SCOPE_BODY)
                rig->value[at][0] = 1.0;
        }
    }
}

/** Sets the fields of one body. */
static void place_used(scree_check_rig *rig, uint32_t body, double value)
{
    for (uint32_t k = 0, at = 0; k < rig->bodies.n_used; k++)
        for (uint32_t c = 0; c < rig->used[k].components; c++, at++)
            if (rig->used[k].scope == SCREE_SCOPE_BODY)
                rig->value[at][body] = value * (1.0 + 0.25 * c);
}

/** Number of components of others' body fields that a law uses with this access. */
static uint32_t count_used(const scree_plugin *plugin, uint32_t access)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < plugin->n_uses; k++)
        if ((plugin->uses[k]->access & access) && plugin->uses[k]->scope == SCREE_SCOPE_BODY)
            n += plugin->uses[k]->components;
    return n;
}

/** Which read components have no field. */
static void find_absent(scree_check_contacts *c)
{
    const scree_plugin *plugin = c->instance->plugin;
    for (uint32_t k = 0; k + 1 <= c->check->absent_use; k++) {
        const scree_use *use = plugin->uses[k];
        c->first_absent = c->end_absent;
        if (use->scope == SCREE_SCOPE_BODY && use->access & SCREE_USE_READ)
            c->end_absent += use->components;
    }
}

static void add_slab(scree_check_rig *rig, uint32_t bytes, bool output, uint32_t column)
{
    g_assert(rig->n_slabs < MOST_ARRAYS);
    rig->slabs[rig->n_slabs++] = (slab){.bytes = bytes,
                                        .output = output,
                                        .column = column,
                                        .base = scree_check_guarded((uint64_t)rig->room * bytes)};
}

static void make_slabs(scree_check_contacts *c);

scree_check_contacts *scree_check_contacts_new(scree_check *check, scree_instance *instance,
                                               uint32_t n)
{
    const scree_plugin *plugin = instance->plugin;
    const uint32_t n_fields = scree_check_fields_count(plugin);
    uint32_t n_adds = count_used(plugin, SCREE_USE_ADD), n_used = 0;
    for (uint32_t k = 0; k < plugin->n_uses; k++)
        n_used += plugin->uses[k]->components;
    if (n_fields + 2 * n_adds > SCREE_CHECK_MOST_FIELDS || n_used > SCREE_CHECK_MOST_FIELDS) {
        scree_check_skip(check, "%u components of fields are more than this case can hold",
                         n_fields + n_used);
        return NULL;
    }
    scree_check_contacts *c = g_new0(scree_check_contacts, 1);
    *c = (scree_check_contacts){.check = check,
                                .instance = instance,
                                .needs = instance->demands.needs,
                                .provides = instance->demands.provides,
                                .n = n,
                                .bonds = scree_call_extension(plugin, SCREE_EXTENSION_BONDS),
                                .n_fields = n_fields,
                                .n_reads = count_used(plugin, SCREE_USE_READ),
                                .n_adds = n_adds,
                                .n_columns = SCREE_CHECK_FIELDS + n_fields + 2 * n_adds};
    uint32_t at = 0;
    for (uint32_t scope = SCREE_SCOPE_CONTACT; scope <= SCREE_SCOPE_PAIR; scope++) {
        for (uint32_t f = 0; f < plugin->n_fields; f++)
            if (plugin->fields[f]->scope == scope)
                for (uint32_t k = 0; k < plugin->fields[f]->components; k++)
                    c->initial[at++] = plugin->fields[f]->initial;
        if (scope == SCREE_SCOPE_CONTACT)
            c->n_contact_fields = at;
    }
    c->touch = g_new0(scree_check_touch, n);
    c->fresh = g_new0(uint8_t, n);
    c->keep = g_new0(uint8_t, n);
    for (uint32_t k = 0; k < c->n_columns; k++)
        c->result[k] = g_new0(double, n);
    for (uint32_t k = 0; k < n_fields; k++)
        c->history[k] = g_new0(double, n);
    c->rig = g_new0(scree_check_rig, 1);
    c->rig->of_bodies = scree_check_arena_new();
    c->rig->room = (uint32_t)round_up(MIN(n, SCREE_CHECK_BATCH), 64);
    c->rig->blank = scree_check_guarded(c->rig->room * sizeof(double));
    make_bodies(c->rig, 2 * n, instance->host.dimension, instance->host.n_materials);
    make_used(c->rig, check, 2 * n);
    find_absent(c);
    make_slabs(c);
    c->bodies = &c->rig->bodies;
    scree_check_contacts_restart(c);
    return c;
}

void scree_check_contacts_restart(scree_check_contacts *c)
{
    c->time = 0.0;
    scree_check_globals_restart(c);
    memset(c->fresh, 1, c->n);
    for (uint32_t i = 0; i < c->n; i++)
        c->keep[i] = c->bonds && i % 2;
    for (uint32_t k = 0; k < c->n_fields; k++)
        for (uint32_t i = 0; i < c->n; i++)
            c->history[k][i] = c->initial[k];
}

void scree_check_contacts_free(scree_check_contacts *c)
{
    if (!c)
        return;
    g_free(c->global_fields);
    scree_check_guarded_free(c->rig->blank);
    for (uint32_t k = 0; k < c->rig->n_slabs; k++)
        scree_check_guarded_free(c->rig->slabs[k].base);
    g_ptr_array_unref(c->rig->of_bodies);
    for (uint32_t k = 0; k < SCREE_CHECK_MOST_COLUMNS; k++)
        g_free(c->result[k]);
    for (uint32_t k = 0; k < SCREE_CHECK_MOST_FIELDS; k++)
        g_free(c->history[k]);
    g_free(c->touch);
    g_free(c->fresh);
    g_free(c->keep);
    g_free(c->rig);
    g_free(c);
}

static bool is_wall(const scree_check_touch *t)
{
    return t->radius[1] == 0.0;
}

static bool is_turned(const double q[4])
{
    return fabs(q[0]) + fabs(q[1]) + fabs(q[2]) + fabs(q[3]) > 0.0;
}

/** From the origin of a to that of b. */
static void find_apart(const scree_check_touch *t, double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = (t->radius[0] + t->radius[1] - t->depth) * t->normal[k] + t->aside[k];
}

/** Body `side` of contact i, from its touch. */
static void place_body(scree_check_contacts *c, uint32_t i, int side)
{
    scree_check_rig *rig = c->rig;
    const scree_check_touch *t = &c->touch[i];
    uint32_t b = 2 * i + (uint32_t)side;
    double r = t->radius[side], m = t->mass[side];
    double d[3];
    find_apart(t, d);
    rig->id[b] = b;
    rig->material[b] = t->material[side];
    rig->shape[b] = r > 0.0 ? 0 : 1;
    rig->motion[b] = r > 0.0 ? SCREE_MOTION_FREE : SCREE_MOTION_FIXED;
    rig->scale[b] = rig->radius[b] = r > 0.0 ? r : 1.0;
    place_used(rig, b, t->used[side]);
    rig->inv_mass[b] = 1.0 / m;
    rig->inv_inertia[b] = r > 0.0 ? 2.5 / (m * r * r) : 0.0;
    for (int k = 0; k < 4; k++)
        rig->q[k][b] = is_turned(t->q[side]) ? t->q[side][k] : k == 0;
    for (int k = 0; k < 3; k++) {
        rig->x[k][b] = t->from[k] + (side ? d[k] : 0.0);
        rig->v[k][b] = t->v[side][k] + t->drift[k];
        rig->w[k][b] = t->w[side][k];
    }
}

/* A batch under construction: its arrays come in the same order each time. */
typedef struct builder {
    scree_check_contacts *c;
    uint32_t n, next;
    scree_contact_batch *batch;
} builder;

/** Place of n elements: the last multiple of 64 bytes that fits before the guard page. */
static void *place(builder *b, uint32_t bytes, bool output, uint32_t column)
{
    scree_check_rig *rig = b->c->rig;
    if (b->next == rig->n_slabs)
        add_slab(rig, bytes, output, column);
    slab *s = &rig->slabs[b->next++];
    uint64_t used = round_up((uint64_t)b->n * bytes, 64);
    uint8_t *at = s->base + (uint64_t)rig->room * bytes - used;
    s->now = at;
    if (output && b->c->strict)
        memcpy(at, rig->blank, used);
    else if (output)
        memset(at, 0, used);
    return at;
}

static double *reals(builder *b, bool wanted)
{
    double *at = place(b, sizeof(double), false, 0);
    return wanted ? at : NULL;
}

static double *results(builder *b, bool wanted, uint32_t column)
{
    double *at = place(b, sizeof(double), true, column);
    return wanted ? at : NULL;
}

/** Makes the inputs writable. */
typedef struct inputs {
    uint32_t *a, *b;
    uint8_t *fresh, *keep;
    scree_contacts found;
    scree_gathered gathered;
    double *in[SCREE_CHECK_MOST_FIELDS], *out[SCREE_CHECK_MOST_FIELDS];
    double *read[2][SCREE_CHECK_MOST_FIELDS], *add[2][SCREE_CHECK_MOST_FIELDS];
} inputs;

/** Where pointer k of a quantity by a resolver or the host is. */
static void *input_place(const inputs *to, const scree_quantity *q, uint32_t k)
{
    const char *part =
        q->by == SCREE_BY_HOST ? (const char *)&to->gathered : (const char *)&to->found;
    return (char *)part + q->at + k * sizeof(void *);
}

static void lay_out(builder *b, inputs *to)
{
    to->a = place(b, sizeof(uint32_t), false, 0);
    to->b = place(b, sizeof(uint32_t), false, 0);
    to->fresh = place(b, sizeof(uint8_t), false, 0);
    to->keep = place(b, sizeof(uint8_t), true, SCREE_CHECK_KEEP);
    for (const scree_quantity *q = scree_quantities; q->by <= SCREE_BY_HOST; q++)
        for (uint32_t k = 0; k < q->n; k++) {
            void *at = memset(place(b, q->width, false, 0), 0, (size_t)b->n * q->width);
            scree_array_set(input_place(to, q, k), !q->in || b->c->needs & q->in ? at : NULL);
        }
    for (uint32_t f = 0; f < b->c->n_fields; f++) {
        to->in[f] = reals(b, true);
        to->out[f] = results(b, true, SCREE_CHECK_FIELDS + f);
    }
    const uint32_t first = SCREE_CHECK_FIELDS + b->c->n_fields;
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t r = 0; r < b->c->n_reads; r++)
            to->read[side][r] = reals(b, r < b->c->first_absent || r >= b->c->end_absent);
        for (uint32_t r = 0; r < b->c->n_adds; r++)
            to->add[side][r] = results(b, true, first + 2 * r + side);
    }
}

static void set3(double *const to[3], uint32_t at, const double v[3], double by)
{
    for (int k = 0; k < 3 && to[0]; k++)
        to[k][at] = by * v[k];
}

/** Gathers the fields of others that the law reads, for the bodies of contact i. */
static void gather_used(const scree_check_rig *rig, const inputs *to, uint32_t at, uint32_t i)
{
    uint32_t value = 0, read = 0;
    for (uint32_t k = 0; k < rig->bodies.n_used; k++) {
        const scree_used_field *used = &rig->used[k];
        const bool reads = used->scope == SCREE_SCOPE_BODY && used->access & SCREE_USE_READ;
        const uint32_t sides = used->v ? 2 : 0;
        for (uint32_t c = 0; c < used->components; c++, value++) {
            if (!reads)
                continue;
            for (uint32_t side = 0; side < sides; side++)
                to->read[side][read][at] = rig->value[value][2 * i + side];
            read++;
        }
    }
}

/** Sets value `at` of an array of a quantity; NULL: the law does not get it. */
static void set_value(double *array, uint32_t at, double value)
{
    if (array)
        array[at] = value;
}

/** Sets quantities of resolvers as for a cap of small depth, whose rim has the radius `circle`;
 * other values stay 0. */
static void fill_found(const scree_check_contacts *c, const scree_contacts *to, uint32_t at,
                       const scree_check_touch *t, double curve)
{
    const double depth = fmax(t->depth, 0.0), *n = t->normal, flat = hypot(n[0], n[1]);
    const double circle = sqrt(2.0 * depth / curve);
    set_value(to->area, at,
              c->instance->host.dimension == 2 ? 4.0 / 3.0 * circle * depth
                                               : G_PI * circle * circle);
    set_value(to->chord, at, 2.0 * circle);
    for (int k = 0; k < 2; k++)
        set_value(to->chord_slope[k], at, depth > 0.0 ? circle / depth * n[k] : 0.0);
    const double volume = G_PI * depth * depth / curve;
    set_value(to->volume, at, volume);
    set_value(to->bed, at, volume * depth / 1.5); // its slope is twice the volume
    set3(to->bed_slope, at, n, 2.0 * volume);
    for (int k = 0; k < 4; k++) {
        const double round = t->radius[k / 2] > 0.0 ? 1.0 / t->radius[k / 2] : 0.0;
        set_value(to->principal[k], at, round);
        if (k % 2 == 0)
            set_value(to->curvature[k / 2], at, round);
    }
    for (int side = 0; side < 2; side++) {
        set_value(to->direction[side][0], at, flat > 0.0 ? -n[1] / flat : 1.0);
        set_value(to->direction[side][1], at, flat > 0.0 ? n[0] / flat : 0.0);
    }
}

/** Sets the inputs of contact i at place `at` of the batch. */
static void fill_one(scree_check_contacts *c, const inputs *to, uint32_t at, uint32_t i)
{
    const scree_check_touch *t = &c->touch[i];
    double v[3], arm[2][3], d[3], spin[3], since = c->time > 0.0 ? c->since : 0.0;
    double curve = 1.0 / t->radius[0] + (is_wall(t) ? 0.0 : 1.0 / t->radius[1]);
    scree_check_velocity(c, i, v, arm);
    find_apart(t, d);
    for (int k = 0; k < 3; k++)
        spin[k] = t->w[0][k] - t->w[1][k];
    place_body(c, i, 0);
    place_body(c, i, 1);
    to->a[at] = 2 * i;
    to->b[at] = 2 * i + 1;
    if (to->gathered.materials)
        to->gathered.materials[at] =
            t->material[0] * c->instance->host.n_materials + t->material[1];
    to->fresh[at] = c->fresh[i];
    to->keep[at] = c->keep[i];
    to->found.depth[at] = t->depth;
    set3(to->found.normal, at, t->normal, 1.0);
    set3(to->gathered.v, at, v, 1.0);
    set3(to->gathered.slip, at, v, since);
    set3(to->gathered.spin, at, spin, 1.0);
    set3(to->gathered.roll, at, spin, since);
    set3(to->found.arm, at, arm[0], 1.0);
    set3(to->gathered.d, at, d, 1.0);
    set_value(to->gathered.mass, at, 1.0 / (1.0 / t->mass[0] + 1.0 / t->mass[1]));
    for (int k = 0; k < 2; k++)
        set_value(to->gathered.radius[k], at, t->radius[k]);
    // The force of the law before is that of a spring.
    set_value(to->gathered.normal_force, at, 1e5 * fmax(t->depth, 0.0));
    fill_found(c, &to->found, at, t, curve);
    for (uint32_t f = 0; f < c->n_fields; f++)
        to->in[f][at] = c->history[f][i];
    gather_used(c->rig, to, at, i);
}

static void fill_batch(builder *b, const inputs *to, const double *in[], double *out[])
{
    scree_check_contacts *c = b->c;
    uint64_t provides = c->provides;
    bool couples = provides & SCREE_OUT_COUPLE, on_b = provides & SCREE_OUT_COUPLE_B;
    scree_contact_batch *batch = b->batch;
    *batch =
        (scree_contact_batch){.size = sizeof *batch,
                              .lane = c->lane,
                              .n = b->n,
                              .parted = c->parted,
                              .accepted = 1,
                              .time = c->time,
                              .since = c->time > 0.0 ? c->since : 0.0,
                              .a = to->a,
                              .b = to->b,
                              .bodies = &c->rig->bodies,
                              .fresh = to->fresh,
                              .pair_fresh = to->fresh,
                              .in = in,
                              .out = out,
                              .stored = results(b, provides & SCREE_OUT_STORED, SCREE_CHECK_STORED),
                              .lost = results(b, provides & SCREE_OUT_LOST, SCREE_CHECK_LOST),
                              .heat = results(b, provides & SCREE_OUT_HEAT, SCREE_CHECK_HEAT),
                              .global_fields = c->n_global ? c->global_fields : NULL,
                              .keep = provides & SCREE_OUT_KEEP ? to->keep : NULL};
    for (uint32_t k = 0; k < 3; k++) {
        batch->f[k] = results(b, true, SCREE_CHECK_FORCE + k);
        batch->couple[k] = results(b, couples, SCREE_CHECK_COUPLE + k);
        batch->couple_b[k] = results(b, on_b, SCREE_CHECK_COUPLE_B + k);
    }
    for (const scree_quantity *q = scree_quantities; q->by <= SCREE_BY_HOST; q++)
        for (uint32_t k = 0; k < q->n; k++)
            scree_array_set((char *)batch + q->batch + k * sizeof(void *),
                            scree_array_get(input_place(to, q, k)));
    for (uint32_t f = 0; f < c->n_fields; f++) {
        in[f] = to->in[f];
        out[f] = to->out[f];
    }
    batch->body_a = c->n_reads ? (const double *const *)to->read[0] : NULL;
    batch->body_b = c->n_reads ? (const double *const *)to->read[1] : NULL;
    batch->add_a = c->n_adds ? to->add[0] : NULL;
    batch->add_b = c->n_adds ? to->add[1] : NULL;
}

static bool provides_column(const scree_check_contacts *c, uint32_t column)
{
    return column < SCREE_CHECK_COUPLE || column >= SCREE_CHECK_FIELDS ||
           (column < SCREE_CHECK_COUPLE_B && c->provides & SCREE_OUT_COUPLE) ||
           (column >= SCREE_CHECK_COUPLE_B && column < SCREE_CHECK_STORED &&
            c->provides & SCREE_OUT_COUPLE_B) ||
           (column == SCREE_CHECK_STORED && c->provides & SCREE_OUT_STORED) ||
           (column == SCREE_CHECK_LOST && c->provides & SCREE_OUT_LOST) ||
           (column == SCREE_CHECK_HEAT && c->provides & SCREE_OUT_HEAT) ||
           (column == SCREE_CHECK_KEEP && c->provides & SCREE_OUT_KEEP);
}

char *scree_check_column_name(const scree_check_contacts *c, uint32_t column)
{
    static const char *const names[] = {"f[0]",        "f[1]",      "f[2]",        "couple[0]",
                                        "couple[1]",   "couple[2]", "couple_b[0]", "couple_b[1]",
                                        "couple_b[2]", "stored",    "lost",        "heat",
                                        "keep"};
    if (column < SCREE_CHECK_FIELDS)
        return g_strdup(names[column]);
    uint32_t at = column - SCREE_CHECK_FIELDS;
    if (at >= c->n_fields)
        return g_strdup_printf("add_%c[%u]", "ab"[(at - c->n_fields) % 2], (at - c->n_fields) / 2);
    const scree_plugin *plugin = c->instance->plugin;
    for (uint32_t scope = SCREE_SCOPE_CONTACT; scope <= SCREE_SCOPE_PAIR; scope++)
        for (uint32_t f = 0; f < plugin->n_fields; f++) {
            const scree_field *field = plugin->fields[f];
            if (field->scope != scope)
                continue;
            if (at < field->components)
                return g_strdup_printf("field %s[%u]", field->name, at);
            at -= field->components;
        }
    return g_strdup("a field");
}

/** Copies results of the batch to the columns. */
static void take(scree_check_contacts *c, const uint32_t *order, uint32_t n)
{
    for (uint32_t k = 0; k < c->rig->n_slabs; k++) {
        const slab *s = &c->rig->slabs[k];
        if (!s->output || !provides_column(c, s->column))
            continue;
        for (uint32_t at = 0; at < n; at++)
            c->result[s->column][order ? order[at] : at] =
                s->bytes == 1 ? (double)((const uint8_t *)s->now)[at]
                              : ((const double *)s->now)[at];
    }
}

/** Protects inputs and bodies, or makes them writable again. */
static void protect(const scree_check_contacts *c, bool read_only)
{
    for (uint32_t k = 0; k < c->rig->n_slabs && c->strict; k++)
        if (!c->rig->slabs[k].output)
            scree_check_protect(c->rig->slabs[k].base, read_only);
    if (c->strict)
        scree_check_arena_protect(c->rig->of_bodies, read_only);
}

/** Makes the arrays before several threads use them. */
static void make_slabs(scree_check_contacts *c)
{
    const double *in[SCREE_CHECK_MOST_FIELDS];
    double *out[SCREE_CHECK_MOST_FIELDS];
    scree_contact_batch batch;
    builder b = {.c = c, .n = 1, .batch = &batch};
    inputs to;
    lay_out(&b, &to);
    fill_batch(&b, &to, in, out);
}

bool scree_check_evaluate(scree_check_contacts *c, const uint32_t *order, uint32_t n)
{
    const scree_force_ops *ops = c->instance->ops;
    const double *in[SCREE_CHECK_MOST_FIELDS];
    double *out[SCREE_CHECK_MOST_FIELDS];
    scree_contact_batch batch;
    builder b = {.c = c, .n = n, .batch = &batch};
    inputs to;
    g_assert(n <= c->rig->room && n <= c->n);
    lay_out(&b, &to);
    fill_batch(&b, &to, in, out);
    for (uint32_t at = 0; at < n; at++)
        fill_one(c, &to, at, order ? order[at] : at);
    for (uint32_t at = 0; batch.heat && at < n; at++)
        batch.heat[at] = 0.0;
    protect(c, true);
    bool done =
        SCREE_CHECK_CALL(c->check, c->instance, "compute", ops->compute(c->instance->self, &batch));
    protect(c, false);
    take(c, order, n);
    return done;
}

bool scree_check_advance(scree_check_contacts *c)
{
    uint32_t order[SCREE_CHECK_BATCH];
    for (uint32_t i = 0; c->time > 0.0 && i < c->n; i++)
        scree_check_touch_turn(&c->touch[i], c->since);
    for (uint32_t first = 0; first < c->n; first += SCREE_CHECK_BATCH) {
        uint32_t n = MIN(c->n - first, SCREE_CHECK_BATCH);
        for (uint32_t at = 0; at < n; at++)
            order[at] = first + at;
        if (!scree_check_evaluate(c, order, n))
            return false;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        c->fresh[i] = 0;
        c->keep[i] = c->result[SCREE_CHECK_KEEP][i] > 0.0;
        for (uint32_t f = 0; f < c->n_fields; f++)
            c->history[f][i] = c->result[SCREE_CHECK_FIELDS + f][i];
    }
    c->time += c->since;
    return scree_check_law_step(c);
}

double scree_check_largest(const scree_check_contacts *c, uint32_t first, uint32_t n)
{
    double largest = 0.0;
    for (uint32_t k = first; k < first + n; k++)
        for (uint32_t i = 0; i < c->n; i++)
            largest = fmax(largest, fabs(c->result[k][i]));
    return largest;
}
