/* SPDX-License-Identifier: Apache-2.0 */
/* The checksums of shapes: type, parameters, measure, exact views. */
#include "tools/restart/shape_sum.h"

#include <string.h>

#include "shape/plugin_shape.h"

static void add_bytes(GChecksum *sum, const void *bytes, size_t n)
{
    if (bytes && n)
        g_checksum_update(sum, bytes, (gssize)n);
}

static void add_count(GChecksum *sum, uint64_t n)
{
    add_bytes(sum, &n, sizeof n);
}

static void add_text(GChecksum *sum, const char *text)
{
    add_count(sum, text ? strlen(text) + 1 : 0);
    add_bytes(sum, text, text ? strlen(text) : 0);
}

/* ---- parameters ---- */

static void add_steps(GChecksum *sum, const scree_placing *steps)
{
    add_count(sum, steps->n);
    for (uint64_t i = 0; i < steps->n; i++) {
        add_bytes(sum, &steps->v[i]->type, sizeof steps->v[i]->type);
        add_bytes(sum, steps->v[i]->v, sizeof steps->v[i]->v);
        add_bytes(sum, &steps->v[i]->angle, sizeof steps->v[i]->angle);
    }
}

/** Adds rows of integers or reals: both structs have the same layout, with numbers of 8 bytes. */
static void add_rows(GChecksum *sum, const void *value)
{
    scree_real_rows rows;
    memcpy(&rows, value, sizeof rows);
    add_count(sum, rows.n);
    add_bytes(sum, rows.first, (rows.n + 1) * sizeof *rows.first);
    add_bytes(sum, rows.v, rows.first[rows.n] * sizeof *rows.v);
}

static void add_strings(GChecksum *sum, const scree_strings *strings)
{
    add_count(sum, strings->n);
    for (uint64_t i = 0; i < strings->n; i++)
        add_text(sum, strings->v[i]);
}

static void add_zone(GChecksum *sum, const scree_zone *z)
{
    add_bytes(sum, &z->type, sizeof z->type);
    add_bytes(sum, z->lo, sizeof z->lo);
    add_bytes(sum, z->hi, sizeof z->hi);
    add_bytes(sum, z->a, sizeof z->a);
    add_bytes(sum, z->b, sizeof z->b);
    add_bytes(sum, &z->radius, sizeof z->radius);
    add_bytes(sum, &z->inner, sizeof z->inner);
}

/** The pointer that a config struct holds at `at`; it may be NULL. */
static const void *pointer_at(const void *at)
{
    const void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static void add_choice(GChecksum *sum, const scree_choice_of *choice);

/** Adds a value that is behind a pointer. */
static void add_pointed(GChecksum *sum, const scree_param *param, const void *value)
{
    add_count(sum, value != NULL);
    if (!value)
        return;
    if (param->type == SCREE_TYPE_PLACING)
        add_steps(sum, value);
    else if (param->type == SCREE_TYPE_REAL_ROWS || param->type == SCREE_TYPE_INT_ROWS)
        add_rows(sum, value);
    else if (param->type == SCREE_TYPE_ZONE)
        add_zone(sum, value);
    else if (param->type == SCREE_TYPE_PLUGIN)
        add_choice(sum, &((const scree_plugin_ref *)value)->choice);
    else if (param->type == SCREE_TYPE_STRING && !(param->flags & SCREE_PARAM_FILE))
        add_text(sum, value);
}

static void add_value(GChecksum *sum, const scree_param *param, const void *at)
{
    switch (param->type) {
    case SCREE_TYPE_BOOL:
    case SCREE_TYPE_CHOICE:
        add_bytes(sum, at, sizeof(int32_t));
        break;
    case SCREE_TYPE_INT:
    case SCREE_TYPE_REAL:
        add_bytes(sum, at, 8);
        break;
    case SCREE_TYPE_INT_ARRAY: // has the layout of reals
    case SCREE_TYPE_MATERIALS:
    case SCREE_TYPE_REAL_ARRAY:
    case SCREE_TYPE_PER_MATERIAL:
    case SCREE_TYPE_PER_PAIR: {
        scree_reals reals;
        memcpy(&reals, at, sizeof reals);
        add_count(sum, reals.n);
        add_bytes(sum, reals.v, reals.n * sizeof *reals.v);
        break;
    }
    case SCREE_TYPE_STRING_ARRAY:
        add_strings(sum, at);
        break;
    default:
        add_pointed(sum, param, pointer_at(at));
    }
}

static void add_choice(GChecksum *sum, const scree_choice_of *choice)
{
    add_text(sum, choice->plugin->id);
    for (uint32_t i = 0; i < choice->plugin->n_params; i++) {
        const scree_param *param = choice->plugin->params[i];
        add_text(sum, param->name);
        add_value(sum, param, (const char *)choice->config + param->offset);
    }
}

/* ---- measure and views ---- */

static void add_measure(GChecksum *sum, const scree_measure *m)
{
    const uint32_t numbers[3] = {m->dimension, m->n_parts, m->flat};
    add_bytes(sum, numbers, sizeof numbers);
    add_bytes(sum, &m->content, sizeof m->content);
    add_bytes(sum, m->inertia, sizeof m->inertia);
    add_bytes(sum, &m->radius, sizeof m->radius);
}

static void add_mesh(GChecksum *sum, const scree_mesh *mesh)
{
    for (int k = 0; k < 3; k++)
        add_bytes(sum, mesh->vertex[k], mesh->n_vertices * sizeof(double));
    add_bytes(sum, mesh->facet, (size_t)4 * mesh->n_facets * sizeof *mesh->facet);
}

static void add_views(GChecksum *sum, const scree_shape *shape, scree_find_view_fn find_view)
{
    const scree_outline *outline = find_view(shape, SCREE_VIEW_OUTLINE, 0.0);
    const uint32_t numbers[4] = {shape->mesh ? shape->mesh->n_vertices : 0,
                                 shape->mesh ? shape->mesh->n_facets : 0,
                                 shape->balls ? shape->balls->n : 0, outline ? outline->n : 0};
    add_bytes(sum, numbers, sizeof numbers);
    add_bytes(sum, shape->normal, sizeof shape->normal);
    if (shape->mesh)
        add_mesh(sum, shape->mesh);
    for (int k = 0; k < 3; k++)
        if (shape->balls)
            add_bytes(sum, shape->balls->centre[k], shape->balls->n * sizeof(double));
    if (shape->balls)
        add_bytes(sum, shape->balls->radius, shape->balls->n * sizeof(double));
    for (int k = 0; k < 2; k++)
        if (outline)
            add_bytes(sum, outline->vertex[k], outline->n * sizeof(double));
}

/** Adds a unit ball that the host made itself; in 3D a scene has no discs. */
static void add_unit_ball(GChecksum *sum, const scree_shape *shape)
{
    const uint32_t numbers[3] = {1 + shape->flat, 0, 0};
    add_bytes(sum, numbers, sizeof numbers);
    add_bytes(sum, &shape->radius, sizeof shape->radius);
}

static char *sum_shape(const scree_shape *shape, scree_find_view_fn find_view)
{
    const scree_plugin_shape *made = shape->ctx; // NULL: by the host
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    if (made) {
        add_choice(sum, made->choice);
        add_measure(sum, &made->measure);
        add_views(sum, shape, find_view);
    } else {
        add_unit_ball(sum, shape);
    }
    char *text = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return text;
}

void scree_identity_sum_shapes(const scree_identity *identity, const GPtrArray *shapes,
                               scree_find_view_fn find_view)
{
    for (guint i = 0; i < identity->shapes->len; i++) {
        scree_identity_part *part = &g_array_index(identity->shapes, scree_identity_part, i);
        if (*part->sha256)
            continue;
        g_free(part->sha256);
        part->sha256 = sum_shape(shapes->pdata[i], find_view);
    }
}
