/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: opens an instance, calls it, compares results. */
#include "tools/check/check_shape_bench.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "shape/principal.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

enum { NO_BOXES = SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_INFINITE };

scree_frame scree_shape_frame_none(void)
{
    return (scree_frame){.size = sizeof(scree_frame), .q = {1.0, 0.0, 0.0, 0.0}};
}

scree_frame scree_shape_frame_hosts(const scree_measure *m)
{
    scree_frame f = scree_shape_frame_none();
    double moments[3];
    memcpy(f.shift, m->centroid, sizeof f.shift);
    if (m->dimension == 3)
        scree_principal(m->inertia, moments, f.q);
    return f;
}

void scree_shape_bench_fail(const scree_shape_bench *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    scree_check_fail(b->check, "%s, %uD: %s", b->setting, b->dimension, text);
}

bool scree_shape_bench_moves(const scree_shape_bench *b)
{
    return !(b->flags & (SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

bool scree_shape_bench_boxed(const scree_shape_bench *b)
{
    return !(b->flags & NO_BOXES);
}

static bool measure(const scree_shape_bench *b, scree_measure *out)
{
    *out = (scree_measure){.size = sizeof *out, .dimension = b->dimension};
    return SCREE_CHECK_CALL(b->check, b->instance, "measure",
                            b->ops->measure(b->instance->self, out));
}

const void *scree_shape_bench_view(const scree_shape_bench *b, const char *name, double tolerance,
                                   bool *good)
{
    const void *view = NULL;
    if (SCREE_HAS(b->ops, view))
        *good = SCREE_CHECK_CALL(b->check, b->instance, "view",
                                 b->ops->view(b->instance->self, name, tolerance, &view)) &&
                *good;
    return *good ? view : NULL;
}

static bool take_views(scree_shape_bench *b)
{
    bool good = true;
    b->outline = scree_shape_bench_view(b, SCREE_VIEW_OUTLINE, 0.0, &good);
    b->support = scree_shape_bench_view(b, SCREE_VIEW_SUPPORT, 0.0, &good);
    b->implicit = scree_shape_bench_view(b, SCREE_VIEW_IMPLICIT, 0.0, &good);
    b->balls = scree_shape_bench_view(b, SCREE_VIEW_BALLS, 0.0, &good);
    b->mesh = scree_shape_bench_view(b, SCREE_VIEW_MESH, 0.0, &good);
    b->tolerance = b->mesh ? 0.0 : 0.002 * b->size;
    if (!b->mesh && good)
        b->mesh = scree_shape_bench_view(b, SCREE_VIEW_MESH, b->tolerance, &good);
    return good;
}

bool scree_shape_bench_open(scree_shape_bench *b, scree_check *check, scree_instance *instance,
                            const scree_frame *frame, const char *setting)
{
    *b = (scree_shape_bench){.check = check,
                             .instance = instance,
                             .ops = instance->ops,
                             .setting = setting,
                             .flags = instance->plugin->flags,
                             .dimension = instance->host.dimension};
    if (!measure(b, &b->before))
        return false;
    if (b->before.n_parts == 0 && !(b->flags & SCREE_CAP_INFINITE)) {
        scree_shape_bench_fail(b, "measure: n_parts = 0; expected 1 or more");
        return false;
    }
    if (scree_shape_bench_boxed(b) && !SCREE_HAS(b->ops, boxes)) {
        scree_shape_bench_fail(b, "the function boxes is missing, required of solids and walls");
        return false;
    }
    if (scree_shape_bench_moves(b)) {
        if (!SCREE_HAS(b->ops, place)) {
            scree_shape_bench_fail(b,
                                   "the function place is missing, required of solids and BALLS");
            return false;
        }
        const scree_frame hosts = scree_shape_frame_hosts(&b->before);
        if (!SCREE_CHECK_CALL(check, instance, "place",
                              b->ops->place(instance->self, frame ? frame : &hosts)))
            return false;
    }
    if (!measure(b, &b->measure))
        return false;
    b->size = b->measure.radius > 0.0 ? b->measure.radius : 1.0;
    return take_views(b);
}

/* Views. */

void scree_shape_bench_farthest(const scree_shape_bench *b, const double direction[3],
                                double point[3])
{
    const double *const to[3] = {&direction[0], &direction[1], &direction[2]};
    double *const found[3] = {&point[0], &point[1], &point[2]};
    scree_call call = scree_call_begin(b->instance, SCREE_CALL_LANE, "farthest");
    b->support->farthest(b->support->ctx, 1, to, found);
    scree_call_done(&call);
}

void scree_shape_bench_values(const scree_shape_bench *b, uint32_t n, double *const x[3],
                              double *value, double *const gradient[3])
{
    const double *const at[3] = {x[0], x[1], x[2]};
    scree_call call = scree_call_begin(b->instance, SCREE_CALL_LANE, "value");
    b->implicit->value(b->implicit->ctx, n, at, value, gradient);
    scree_call_done(&call);
}

/** Largest v · direction of points; n = 0: none. */
static double largest(uint32_t n, const double *const x[3], const double *r, const double d[3])
{
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < n; i++) {
        double z = x[2] ? x[2][i] * d[2] : 0.0;
        most = fmax(most, x[0][i] * d[0] + x[1][i] * d[1] + z + (r ? r[i] : 0.0));
    }
    return most;
}

static double largest_of_facet(const scree_mesh *m, uint32_t facet, const double d[3])
{
    double most = -HUGE_VAL;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t v = m->facet[4 * facet + k];
        if (v != SCREE_NONE)
            most = fmax(most,
                        m->vertex[0][v] * d[0] + m->vertex[1][v] * d[1] + m->vertex[2][v] * d[2]);
    }
    return most;
}

bool scree_shape_bench_extreme(const scree_shape_bench *b, uint32_t part, const double d[3],
                               double *extreme, double *slack)
{
    bool one = part == SCREE_NONE || b->measure.n_parts == 1;
    *slack = 0.0;
    if (!one && b->mesh && b->tolerance == 0.0 && b->mesh->n_facets == b->measure.n_parts) {
        *extreme = largest_of_facet(b->mesh, part, d);
        return true;
    }
    if (!one)
        return false;
    if (b->support) {
        double p[3];
        scree_shape_bench_farthest(b, d, p);
        *extreme = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
    } else if (b->mesh) {
        *extreme = largest(b->mesh->n_vertices, b->mesh->vertex, NULL, d);
        *slack = b->tolerance;
    } else if (b->outline) {
        const double *const x[3] = {b->outline->vertex[0], b->outline->vertex[1], NULL};
        *extreme = largest(b->outline->n, x, NULL, d);
    } else if (b->balls) {
        *extreme = largest(b->balls->n, b->balls->centre, b->balls->radius, d);
    } else {
        return false;
    }
    return true;
}

/* Boxes. */

scree_shape_poses scree_shape_poses_new(uint32_t n)
{
    scree_shape_poses p = {
        .n = n, .inputs = scree_check_arena_new(), .outputs = scree_check_arena_new()};
    p.part = scree_check_arena_add(p.inputs, n, sizeof *p.part);
    for (size_t k = 0; k < G_N_ELEMENTS(p.in); k++)
        p.in[k] = scree_check_arena_add(p.inputs, n, sizeof(double));
    for (size_t k = 0; k < G_N_ELEMENTS(p.out); k++)
        p.out[k] = scree_check_arena_add(p.outputs, n, sizeof(double));
    return p;
}

void scree_shape_poses_copy(const scree_shape_poses *from, uint32_t i, scree_shape_poses *to,
                            uint32_t j)
{
    for (size_t k = 0; k < G_N_ELEMENTS(to->in); k++)
        to->in[k][j] = from->in[k][i];
    to->part[j] = from->part[i];
}

void scree_shape_poses_free(scree_shape_poses *p)
{
    g_ptr_array_unref(p->inputs);
    g_ptr_array_unref(p->outputs);
}

void scree_shape_poses_random(scree_shape_poses *p, const scree_shape_bench *b, uint32_t part,
                              uint64_t *random)
{
    for (uint32_t i = 0; i < p->n; i++) {
        double q[4];
        scree_check_random_turn(random, b->dimension, q);
        for (int k = 0; k < 4; k++)
            p->q[k][i] = q[k];
        for (uint32_t k = 0; k < 3; k++)
            p->x[k][i] =
                k < b->dimension ? scree_check_uniform(random, -3.0 * b->size, 3.0 * b->size) : 0.0;
        p->scale[i] = i % 3 ? pow(10.0, scree_check_uniform(random, -3.0, 3.0)) : 1.0;
        p->part[i] = part;
    }
}

bool scree_shape_poses_ask(scree_shape_poses *p, const scree_shape_bench *b, uint32_t lane)
{
    scree_shape_boxes batch = {.size = sizeof batch,
                               .lane = lane,
                               .n = p->n,
                               .dimension = b->dimension,
                               .scale = p->scale,
                               .part = p->part,
                               .radius = p->radius};
    for (int k = 0; k < 4; k++)
        batch.q[k] = p->q[k];
    for (int k = 0; k < 3; k++) {
        batch.x[k] = p->x[k];
        batch.lo[k] = p->lo[k];
        batch.hi[k] = p->hi[k];
        batch.centre[k] = p->centre[k];
    }
    scree_check_arena_protect(p->inputs, true);
    bool good =
        SCREE_CHECK_CALL(b->check, b->instance, "boxes", b->ops->boxes(b->instance->self, &batch));
    scree_check_arena_protect(p->inputs, false);
    return good;
}
