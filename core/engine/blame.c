/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the arguments of a call as named arrays, and makes the call again from them. */
#include "engine/blame.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "plugin/uses.h"

/** How many elements a member points to. */
typedef enum measure {
    PER_ITEM, /* contacts, pairs, boxes */
    ITEMS_AND_1,
    PER_PART,
    PER_BODY,
    WRENCHES, /* 8 per body */
    HINTS,
    PER_FIELD, /* an array per component of the plugin's fields */
    WRITTEN,   /* PER_ITEM, by the call */
    WRITTEN_FIELD,
} measure;

/** Pointers in a struct of the ABI: `count` of them, one after the other. */
typedef struct member {
    const char *name;
    size_t offset;
    uint32_t count, width;
    measure per;
} member;

#define ARRAY(of, name, count, type, per)                                                          \
    {                                                                                              \
#name, offsetof(of, name), count, sizeof(type), per                                        \
    }

static const member body_members[] = {
    ARRAY(scree_bodies, id, 1, uint64_t, PER_BODY),
    ARRAY(scree_bodies, shape, 1, uint32_t, PER_BODY),
    ARRAY(scree_bodies, material, 1, uint32_t, PER_BODY),
    ARRAY(scree_bodies, motion, 1, uint32_t, PER_BODY),
    ARRAY(scree_bodies, x, 3, double, PER_BODY),
    ARRAY(scree_bodies, q, 4, double, PER_BODY),
    ARRAY(scree_bodies, v, 3, double, PER_BODY),
    ARRAY(scree_bodies, w, 3, double, PER_BODY),
    ARRAY(scree_bodies, scale, 1, double, PER_BODY),
    ARRAY(scree_bodies, density, 1, double, PER_BODY),
    ARRAY(scree_bodies, radius, 1, double, PER_BODY),
    ARRAY(scree_bodies, inv_mass, 1, double, PER_BODY),
    ARRAY(scree_bodies, inv_inertia, 3, double, PER_BODY),
    ARRAY(scree_bodies, image, 3, int32_t, PER_BODY),
    ARRAY(scree_bodies, wrench, 1, double, WRENCHES),
    ARRAY(scree_bodies, group, 1, uint32_t, PER_BODY),
};

static const member batch_members[] = {
    ARRAY(scree_contact_batch, a, 1, uint32_t, PER_ITEM),
    ARRAY(scree_contact_batch, b, 1, uint32_t, PER_ITEM),
    ARRAY(scree_contact_batch, normal, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, depth, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, v, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, slip, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, roll, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, spin, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, mass, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, materials, 1, uint32_t, PER_ITEM),
    ARRAY(scree_contact_batch, curvature, 2, double, PER_ITEM),
    ARRAY(scree_contact_batch, area, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, chord, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, radius, 2, double, PER_ITEM),
    ARRAY(scree_contact_batch, arm, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, d, 3, double, PER_ITEM),
    ARRAY(scree_contact_batch, normal_force, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, volume, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, twist, 1, double, PER_ITEM),
    ARRAY(scree_contact_batch, part, 2, uint32_t, PER_ITEM),
    ARRAY(scree_contact_batch, principal, 4, double, PER_ITEM),
    ARRAY(scree_contact_batch, direction, 6, double, PER_ITEM),
    ARRAY(scree_contact_batch, fresh, 1, uint8_t, PER_ITEM),
    ARRAY(scree_contact_batch, keep, 1, uint8_t, PER_ITEM),
    ARRAY(scree_contact_batch, in, 1, double, PER_FIELD),
    ARRAY(scree_contact_batch, out, 1, double, WRITTEN_FIELD),
    ARRAY(scree_contact_batch, f, 3, double, WRITTEN),
    ARRAY(scree_contact_batch, couple, 3, double, WRITTEN),
    ARRAY(scree_contact_batch, couple_b, 3, double, WRITTEN),
    ARRAY(scree_contact_batch, stored, 1, double, WRITTEN),
    ARRAY(scree_contact_batch, lost, 1, double, WRITTEN),
    ARRAY(scree_contact_batch, heat, 1, double, WRITTEN),
};

static const member candidate_members[] = {
    ARRAY(scree_candidates, a, 1, uint32_t, PER_ITEM),
    ARRAY(scree_candidates, b, 1, uint32_t, PER_ITEM),
    ARRAY(scree_candidates, d, 3, double, PER_ITEM),
    ARRAY(scree_candidates, radius_a, 1, double, PER_ITEM),
    ARRAY(scree_candidates, radius_b, 1, double, PER_ITEM),
    ARRAY(scree_candidates, first, 1, uint32_t, ITEMS_AND_1),
    ARRAY(scree_candidates, part_a, 1, uint32_t, PER_PART),
    ARRAY(scree_candidates, part_b, 1, uint32_t, PER_PART),
    ARRAY(scree_candidates, keep, 1, uint8_t, PER_ITEM),
    ARRAY(scree_candidates, lever_a, 3, double, PER_ITEM),
    ARRAY(scree_candidates, lever_b, 3, double, PER_ITEM),
    ARRAY(scree_candidates, hints, 1, uint8_t, HINTS),
    ARRAY(scree_candidates, in, 1, double, PER_FIELD),
    ARRAY(scree_candidates, out, 1, double, WRITTEN_FIELD),
};

static const member box_members[] = {
    ARRAY(scree_boxes, lo, 3, double, PER_ITEM),
    ARRAY(scree_boxes, hi, 3, double, PER_ITEM),
    ARRAY(scree_boxes, centre, 3, double, PER_ITEM),
    ARRAY(scree_boxes, radius, 1, double, PER_ITEM),
};

/** The sizes of arrays in one call. */
typedef struct sizes {
    uint64_t items, parts, bodies, hints, fields;
} sizes;

static uint64_t elements(const sizes *s, measure per)
{
    switch (per) {
    case ITEMS_AND_1:
        return s->items + 1;
    case PER_PART:
        return s->parts;
    case PER_BODY:
        return s->bodies;
    case WRENCHES:
        return s->bodies * SCREE_WRENCH;
    case HINTS:
        return s->hints;
    default:
        return s->items;
    }
}

/* ---- arrays by name ---- */

scree_blame *scree_blame_new(uint32_t kind, const char *slot, const char *call)
{
    scree_blame *blame = g_new0(scree_blame, 1);
    blame->kind = kind;
    blame->slot = g_strdup(slot);
    blame->call = g_strdup(call);
    blame->arrays = g_array_new(FALSE, FALSE, sizeof(scree_blame_array));
    return blame;
}

void scree_blame_free(scree_blame *blame)
{
    if (!blame)
        return;
    for (guint i = 0; i < blame->arrays->len; i++) {
        g_free(g_array_index(blame->arrays, scree_blame_array, i).name);
        free(g_array_index(blame->arrays, scree_blame_array, i).data);
    }
    g_array_unref(blame->arrays);
    g_free(blame->slot);
    g_free(blame->call);
    g_free(blame);
}

void *scree_blame_add(scree_blame *blame, const char *name, uint32_t width, uint64_t n,
                      const void *data)
{
    scree_blame_array array = {g_strdup(name), width, n, scree_aligned_new(n * width)};
    if (data)
        memcpy(array.data, data, n * width);
    g_array_append_val(blame->arrays, array);
    return array.data;
}

const scree_blame_array *scree_blame_find(const scree_blame *blame, const char *name)
{
    for (guint i = 0; i < blame->arrays->len; i++) {
        const scree_blame_array *array = &g_array_index(blame->arrays, scree_blame_array, i);
        if (strcmp(array->name, name) == 0)
            return array;
    }
    return NULL;
}

/* ---- a struct into arrays ---- */

static const void *pointer_at(const void *structure, const member *m, uint32_t k)
{
    const void *pointer;
    memcpy(&pointer, (const char *)structure + m->offset + k * sizeof pointer, sizeof pointer);
    return pointer;
}

static void add_member(scree_blame *blame, const char *prefix, const void *structure,
                       const member *m, const sizes *s)
{
    uint64_t n = elements(s, m->per);
    for (uint32_t k = 0; m->per < WRITTEN && m->per != PER_FIELD && k < m->count; k++) {
        g_autofree char *name = g_strdup_printf("%s.%s.%u", prefix, m->name, k);
        const void *data = pointer_at(structure, m, k);
        if (data)
            scree_blame_add(blame, name, m->width, n, data);
    }
    const double *const *fields = m->per == PER_FIELD ? pointer_at(structure, m, 0) : NULL;
    if (fields)
        for (uint32_t k = 0; k < s->fields; k++) {
            g_autofree char *name = g_strdup_printf("%s.%s.%u", prefix, m->name, k);
            scree_blame_add(blame, name, m->width, n, fields[k]);
        }
}

static void add_struct(scree_blame *blame, const char *prefix, const void *structure, uint32_t size,
                       const member *members, size_t n_members, const sizes *s)
{
    scree_blame_add(blame, prefix, 1, size, structure);
    for (size_t i = 0; i < n_members; i++)
        add_member(blame, prefix, structure, &members[i], s);
}

static void add_bodies(scree_blame *blame, const scree_bodies *bodies)
{
    sizes s = {.bodies = bodies->n};
    add_struct(blame, "bodies", bodies, sizeof *bodies, body_members, G_N_ELEMENTS(body_members),
               &s);
}

/* Fields of others that a law reads and adds to: "call.body_a.K", "call.used": how many. */

static const char *const used_names[] = {"body_a", "body_b", "add_a", "add_b"};

static void add_used(scree_blame *blame, const scree_instance *law,
                     const scree_contact_batch *batch)
{
    const double *const *const lists[] = {batch->body_a, batch->body_b};
    uint32_t n[2] = {0, 0};
    for (uint32_t k = 0; k < law->n_uses; k++) {
        const scree_use_of use = scree_uses_at(law->choice, k);
        if (use.scope != SCREE_SCOPE_BODY)
            continue;
        n[0] += use.access & SCREE_USE_READ ? use.components : 0;
        n[1] += use.access & SCREE_USE_ADD ? use.components : 0;
    }
    if (!law->n_uses)
        return;
    scree_blame_add(blame, "call.used", sizeof *n, 2, n);
    for (int side = 0; side < 2; side++)
        for (uint32_t k = 0; k < n[0]; k++) {
            g_autofree char *name = g_strdup_printf("call.%s.%u", used_names[side], k);
            if (lists[side][k])
                scree_blame_add(blame, name, sizeof(double), batch->n, lists[side][k]);
        }
}

scree_blame *scree_blame_of_force(const scree_instance *law, const scree_contact_batch *batch,
                                  uint32_t n_fields)
{
    scree_blame *blame = scree_blame_new(SCREE_KIND_FORCE, law->slot, "compute");
    sizes s = {.items = batch->n, .fields = n_fields};
    add_struct(blame, "call", batch, sizeof *batch, batch_members, G_N_ELEMENTS(batch_members), &s);
    add_used(blame, law, batch);
    add_bodies(blame, batch->bodies);
    uint64_t n_global = 0;
    for (uint32_t f = 0; f < law->plugin->n_fields; f++)
        if (law->plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL)
            n_global += law->plugin->fields[f]->components;
    if (n_global)
        scree_blame_add(blame, "global_fields", sizeof(double), n_global, batch->global_fields);
    return blame;
}

scree_blame *scree_blame_of_resolver(const scree_instance *resolver,
                                     const scree_candidates *candidates, uint32_t n_fields)
{
    scree_blame *blame = scree_blame_new(SCREE_KIND_RESOLVER, resolver->slot, "resolve");
    scree_candidates c = *candidates;
    g_autofree uint32_t *first = NULL;
    sizes s = {.items = c.n, .parts = c.n, .fields = n_fields};
    if (c.first) { // parts, counted from those of the first pair
        uint32_t from = c.first[0];
        s.parts = c.first[c.n] - from;
        first = g_new(uint32_t, (size_t)c.n + 1);
        for (uint32_t p = 0; p <= c.n; p++)
            first[p] = c.first[p] - from;
        c.first = first;
        c.part_a += from;
        c.part_b += from;
        if (c.hints)
            c.hints = (uint8_t *)c.hints + (size_t)from * c.hint_bytes;
    } else {
        c.part_a = c.part_b = NULL;
    }
    s.hints = s.parts * c.hint_bytes;
    add_struct(blame, "call", &c, sizeof c, candidate_members, G_N_ELEMENTS(candidate_members), &s);
    add_bodies(blame, c.bodies);
    return blame;
}

scree_blame *scree_blame_of_gcd(const scree_instance *gcd, const scree_boxes *boxes, uint32_t flags)
{
    scree_blame *blame = scree_blame_new(SCREE_KIND_GCD, gcd->slot, "find_neighbors");
    sizes s = {.items = boxes->n};
    add_struct(blame, "call", boxes, sizeof *boxes, box_members, G_N_ELEMENTS(box_members), &s);
    scree_blame_add(blame, "flags", sizeof flags, 1, &flags);
    return blame;
}

/* ---- and back ---- */

bool scree_blame_fail_array(GError **error, const char *name)
{
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "the recorded call is damaged: array '%s' is missing or of another size",
                      name);
}

/** Data of an array that must be there with n elements. */
static void *take(const scree_blame *blame, const char *name, uint32_t width, uint64_t n,
                  GError **error)
{
    const scree_blame_array *array = scree_blame_find(blame, name);
    if (array && array->width == width && array->n == n)
        return array->data;
    scree_blame_fail_array(error, name);
    return NULL;
}

static bool take_scalars(const scree_blame *blame, const char *prefix, void *structure,
                         uint32_t size, GError **error)
{
    const void *bytes = take(blame, prefix, 1, size, error);
    if (bytes)
        memcpy(structure, bytes, size);
    return bytes != NULL;
}

static void *make_output(scree_blame *blame, const char *name, uint32_t width, uint64_t n)
{
    void *data = scree_blame_add(blame, name, width, n, NULL);
    memset(data, 0xff, n * width);
    return data;
}

/** Sets the pointers of a struct whose scalars are there already; NULL stays NULL. */
static bool take_members(scree_blame *blame, const char *prefix, void *structure,
                         const member *members, size_t n_members, const sizes *s, const double **in,
                         double **out, GError **error)
{
    for (size_t i = 0; i < n_members; i++) {
        const member *m = &members[i];
        bool fields = m->per == PER_FIELD || m->per == WRITTEN_FIELD;
        const uint64_t n = elements(s, m->per);
        const uint32_t count = fields ? s->fields : m->count;
        for (uint32_t k = 0; k < count; k++) {
            g_autofree char *name = g_strdup_printf("%s.%s.%u", prefix, m->name, k);
            if (!pointer_at(structure, m, fields ? 0 : k))
                continue;
            void *data = m->per >= WRITTEN ? make_output(blame, name, m->width, n)
                                           : take(blame, name, m->width, n, error);
            if (!data)
                return false;
            if (m->per == PER_FIELD)
                in[k] = data;
            else if (m->per == WRITTEN_FIELD)
                out[k] = data;
            else
                memcpy((char *)structure + m->offset + k * sizeof data, &data, sizeof data);
        }
        void *list = m->per == PER_FIELD ? (void *)in : (void *)out;
        if (fields && pointer_at(structure, m, 0))
            memcpy((char *)structure + m->offset, &list, sizeof list);
    }
    return true;
}

static bool take_bodies(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                        scree_bodies *bodies, GError **error)
{
    if (!take_scalars(blame, "bodies", bodies, sizeof *bodies, error))
        return false;
    if (bodies->n_shapes != n_shapes)
        return scree_blame_fail_array(error, "bodies.shape");
    bodies->shapes = shapes;
    bodies->fields = NULL;
    bodies->global_fields = bodies->material_density = NULL;
    bodies->used = NULL; // `call.used` has what laws get of them
    bodies->n_used = 0;
    sizes s = {.bodies = bodies->n};
    return take_members(blame, "bodies", bodies, body_members, G_N_ELEMENTS(body_members), &s, NULL,
                        NULL, error);
}

/** How many fields were recorded. */
static uint32_t count_fields(const scree_blame *blame)
{
    uint32_t n = 0;
    while (n < SCREE_MAX_PAIR_FIELDS) {
        g_autofree char *name = g_strdup_printf("call.in.%u", n);
        if (!scree_blame_find(blame, name))
            break;
        n++;
    }
    return n;
}

/** Whether all n numbers are below `below`. */
static bool in_range(const uint32_t *v, uint64_t n, uint64_t below)
{
    if (v)
        for (uint64_t i = 0; i < n; i++)
            if (v[i] >= below)
                return false;
    return true;
}

/** The same for what a law reads of others and adds to; lists are kept with the blame. */
static bool take_used(scree_blame *blame, scree_contact_batch *batch, GError **error)
{
    const scree_blame_array *count = scree_blame_find(blame, "call.used");
    uint32_t n[2] = {0, 0};
    const double **lists[4] = {NULL};
    if (count && (count->width != sizeof *n || count->n != 2))
        return scree_blame_fail_array(error, "call.used");
    if (count)
        memcpy(n, count->data, sizeof n);
    for (int k = 0; k < 4; k++) {
        const uint32_t of = n[k / 2];
        g_autofree char *list = g_strdup_printf("call.%s", used_names[k]);
        if (of > SCREE_MAX_ENTRIES)
            return scree_blame_fail_array(error, "call.used");
        if (!of)
            continue;
        lists[k] = scree_blame_add(blame, list, sizeof(double *), of, NULL);
        for (uint32_t i = 0; i < of; i++) {
            g_autofree char *name = g_strdup_printf("call.%s.%u", used_names[k], i);
            const bool there = k > 1 || scree_blame_find(blame, name);
            lists[k][i] = k > 1   ? make_output(blame, name, sizeof(double), batch->n)
                          : there ? take(blame, name, sizeof(double), batch->n, error)
                                  : NULL;
            if (there && !lists[k][i])
                return false;
        }
    }
    batch->body_a = lists[0];
    batch->body_b = lists[1];
    batch->add_a = (double *const *)lists[2];
    batch->add_b = (double *const *)lists[3];
    return true;
}

bool scree_blame_batch(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                       scree_bodies *bodies, scree_contact_batch *batch, const double **in,
                       double **out, GError **error)
{
    if (!take_bodies(blame, shapes, n_shapes, bodies, error) ||
        !take_scalars(blame, "call", batch, sizeof *batch, error))
        return false;
    sizes s = {.items = batch->n, .fields = count_fields(blame)};
    const scree_blame_array *globals = scree_blame_find(blame, "global_fields");
    batch->lane = 0;
    batch->bodies = bodies;
    batch->global_fields = globals && globals->width == sizeof(double) ? globals->data : NULL;
    if (!take_members(blame, "call", batch, batch_members, G_N_ELEMENTS(batch_members), &s, in, out,
                      error))
        return false;
    if (!take_used(blame, batch, error))
        return false;
    if (!batch->a || !batch->b)
        return scree_blame_fail_array(error, "call.a.0");
    uint64_t n_pairs = (uint64_t)bodies->n_materials * bodies->n_materials;
    return (in_range(batch->a, batch->n, bodies->n) && in_range(batch->b, batch->n, bodies->n) &&
            in_range(batch->materials, batch->n, n_pairs)) ||
           scree_blame_fail_array(error, "call.a.0");
}

bool scree_blame_candidates(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                            scree_bodies *bodies, scree_candidates *c, const double **in,
                            double **out, GError **error)
{
    if (!take_bodies(blame, shapes, n_shapes, bodies, error) ||
        !take_scalars(blame, "call", c, sizeof *c, error))
        return false;
    const scree_blame_array *parts = scree_blame_find(blame, "call.part_a.0");
    sizes s = {.items = c->n, .parts = parts ? parts->n : c->n, .fields = count_fields(blame)};
    s.hints = s.parts * c->hint_bytes;
    c->lane = 0;
    c->bodies = bodies;
    if (!take_members(blame, "call", c, candidate_members, G_N_ELEMENTS(candidate_members), &s, in,
                      out, error))
        return false;
    if (!c->a || !c->b || !bodies->shape || (c->first && (!c->part_a || !c->part_b)))
        return scree_blame_fail_array(error, "call.a.0");
    bool sound = in_range(c->a, c->n, bodies->n) && in_range(c->b, c->n, bodies->n) &&
                 in_range(bodies->shape, bodies->n, n_shapes);
    if (c->first)
        for (uint32_t p = 0; sound && p < c->n; p++)
            sound = c->first[p] <= c->first[p + 1] && c->first[p + 1] <= s.parts;
    for (uint32_t p = 0; c->first && sound && p < c->n; p++) {
        uint32_t begin = c->first[p], n = c->first[p + 1] - begin;
        sound = in_range(c->part_a + begin, n, MAX(1, shapes[bodies->shape[c->a[p]]]->n_parts)) &&
                in_range(c->part_b + begin, n, MAX(1, shapes[bodies->shape[c->b[p]]]->n_parts));
    }
    return sound || scree_blame_fail_array(error, "call.a.0");
}

bool scree_blame_boxes(const scree_blame *blame, scree_boxes *boxes, uint32_t *flags,
                       GError **error)
{
    const uint32_t *recorded = take(blame, "flags", sizeof *flags, 1, error);
    if (!recorded || !take_scalars(blame, "call", boxes, sizeof *boxes, error))
        return false;
    *flags = *recorded;
    sizes s = {.items = boxes->n};
    return take_members((scree_blame *)blame, "call", boxes, box_members, G_N_ELEMENTS(box_members),
                        &s, NULL, NULL, error);
}
