// SPDX-License-Identifier: Apache-2.0
// Judges the boxes of a shape that a plugin makes against its views.
#include "scene/plugin_shape_boxes.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/rotation.h"
#include "plugin/call.h"

#define BOX_SLACK 1e-9 /* relative: rounding of a plugin's own sums */
enum { POSES = 3, MOST_POINTS = 4096, DIRECTIONS = 26, ANSWERS = 6000 };

/** Points of the surface, at scale 1 in the frame of the shape. */
typedef struct surface_points {
    double x[3][MOST_POINTS];
    uint32_t n;
} surface_points;

static void add_point(surface_points *p, double x, double y, double z)
{
    if (p->n == MOST_POINTS)
        return;
    p->x[0][p->n] = x;
    p->x[1][p->n] = y;
    p->x[2][p->n++] = z;
}

/** Farthest points in the directions of a cube's faces, edges and corners. */
static bool add_farthest(scree_instance *in, const scree_support *s, surface_points *p,
                         GError **error)
{
    double direction[3][DIRECTIONS], point[3][DIRECTIONS];
    uint32_t n = 0;
    for (int i = 0; i < 27; i++) {
        const int at[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        if (i == 13 || (in->host.dimension == 2 && at[2]))
            continue;
        for (int k = 0; k < 3; k++)
            direction[k][n] = at[k];
        n++;
    }
    const double *const to[3] = {direction[0], direction[1], direction[2]};
    double *const found[3] = {point[0], point[1], point[2]};
    scree_call call = scree_call_begin(in, SCREE_CALL_CONFIG, "farthest");
    s->farthest(s->ctx, n, to, found);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < n; i++)
        add_point(p, point[0][i], point[1][i], point[2][i]);
    return true;
}

/** Points of its exact views. */
static bool find_points(scree_instance *in, const scree_shape *shape, surface_points *p,
                        GError **error)
{
    const scree_outline *outline = scree_shape_find_view(shape, SCREE_VIEW_OUTLINE, 0.0);
    const scree_support *support = scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    const scree_mesh *mesh = shape->mesh;
    uint32_t every = mesh ? mesh->n_vertices / (MOST_POINTS / 2) + 1 : 1;
    p->n = 0;
    const uint32_t n_vertices = mesh ? mesh->n_vertices : 0, n_outline = outline ? outline->n : 0;
    for (uint32_t i = 0; i < n_vertices; i += every)
        add_point(p, mesh->vertex[0][i], mesh->vertex[1][i], mesh->vertex[2][i]);
    for (uint32_t i = 0; i < n_outline; i++)
        add_point(p, outline->vertex[0][i], outline->vertex[1][i], 0.0);
    if (support && !add_farthest(in, support, p, error))
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        double far =
            sqrt(p->x[0][i] * p->x[0][i] + p->x[1][i] * p->x[1][i] + p->x[2][i] * p->x[2][i]);
        if (!(far <= shape->radius * (1.0 + BOX_SLACK)))
            return scree_call_blame(in, "view", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_SUPPORT ": the point (%g, %g, %g) m is beyond the "
                                                       "radius %g m that measure() gives",
                                    p->x[0][i], p->x[1][i], p->x[2][i], shape->radius);
    }
    return true;
}

/** Asks for the farthest points: they are within the radius, and numbers. */
static bool check_support(scree_instance *in, const scree_shape *shape,
                          const scree_support *support, const double *const to[3],
                          double *const found[3], GError **error)
{
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "farthest");
    support->farthest(support->ctx, ANSWERS, to, found);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++) {
        const double far =
            sqrt(found[0][i] * found[0][i] + found[1][i] * found[1][i] + found[2][i] * found[2][i]);
        if (!(far <= shape->radius * (1.0 + BOX_SLACK)))
            return scree_call_blame(in, "farthest", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_SUPPORT ": in the direction (%g, %g, %g) it gave "
                                                       "(%g, %g, %g) m, of a shape of radius %g m",
                                    to[0][i], to[1][i], to[2][i], found[0][i], found[1][i],
                                    found[2][i], shape->radius);
    }
    return true;
}

/** Asks for the implicit function and its gradient: they are numbers. */
static bool check_implicit(scree_instance *in, const scree_implicit *implicit,
                           const double *const x[3], double *value, double *const gradient[3],
                           GError **error)
{
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "value");
    implicit->value(implicit->ctx, ANSWERS, x, value, gradient);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++)
        if (!isfinite(value[i] + gradient[0][i] + gradient[1][i] + gradient[2][i]))
            return scree_call_blame(in, "value", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_IMPLICIT ": at (%g, %g, %g) m it gave %g with the "
                                                        "gradient (%g, %g, %g)",
                                    x[0][i], x[1][i], x[2][i], value[i], gradient[0][i],
                                    gradient[1][i], gradient[2][i]);
    return true;
}

bool scree_shape_check_answers(const scree_shape *shape, GError **error)
{
    const scree_support *support = scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    const scree_implicit *implicit = scree_shape_find_view(shape, SCREE_VIEW_IMPLICIT, 0.0);
    scree_instance *in = scree_shape_instance(shape);
    if (!in || !(shape->radius > 0.0))
        return true;
    g_autofree double *m = g_new0(double, 7 * ANSWERS);
    double *const x[3] = {m, m + ANSWERS, m + 2 * ANSWERS};
    double *const found[3] = {m + 3 * ANSWERS, m + 4 * ANSWERS, m + 5 * ANSWERS};
    const double *const asked[3] = {x[0], x[1], x[2]};
    static const double length[3] = {1.0, 1e-3, 1e-9}, distance[3] = {1.0, 1.2, 0.3};
    for (uint32_t i = 0; i < ANSWERS; i++) { // evenly over the sphere
        const double z = in->host.dimension == 2 ? 0.0 : 2.0 * scree_random_unit(1, 0, i, 0) - 1.0;
        const double turn = 2.0 * G_PI * scree_random_unit(1, 0, i, 1), ring = sqrt(1.0 - z * z);
        x[0][i] = length[i % 3] * ring * cos(turn);
        x[1][i] = length[i % 3] * ring * sin(turn);
        x[2][i] = length[i % 3] * z;
    }
    if (support && !check_support(in, shape, support, asked, found, error))
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++)
        for (int k = 0; k < 3; k++)
            x[k][i] *= shape->radius * distance[i % 3] / length[i % 3];
    return !implicit || check_implicit(in, implicit, asked, m + 6 * ANSWERS, found, error);
}

/** Boxes of all parts in one pose. */
typedef struct plugin_part_boxes {
    scree_shape_boxes batch;
    double *memory;
    uint32_t *part;
} plugin_part_boxes;

static void part_boxes_init(plugin_part_boxes *b, const scree_shape *shape, uint32_t dimension)
{
    enum { ARRAYS = 18 };
    uint32_t n = MIN(shape->n_parts, MOST_POINTS);
    double *at = b->memory = g_new0(double, (gsize)ARRAYS *n);
    b->part = g_new(uint32_t, n);
    b->batch = (scree_shape_boxes){
        .size = sizeof b->batch, .n = n, .dimension = dimension, .part = b->part};
    for (uint32_t i = 0; i < n; i++)
        b->part[i] = i;
    for (int k = 0; k < 4; k++, at += n)
        b->batch.q[k] = at;
    for (int k = 0; k < 3; k++) {
        b->batch.x[k] = at;
        b->batch.lo[k] = at + n;
        b->batch.hi[k] = at + 2 * (size_t)n;
        b->batch.centre[k] = at + 3 * (size_t)n;
        at += 4 * (size_t)n;
    }
    b->batch.scale = at;
    b->batch.radius = at + n;
}

static void set_pose(plugin_part_boxes *b, const double x[3], const double q[4], double scale)
{
    for (uint32_t i = 0; i < b->batch.n; i++) {
        for (int k = 0; k < 3; k++)
            ((double *)b->batch.x[k])[i] = x[k];
        for (int k = 0; k < 4; k++)
            ((double *)b->batch.q[k])[i] = q[k];
        ((double *)b->batch.scale)[i] = scale;
    }
}

G_GNUC_PRINTF(3, 4)
static bool blame_boxes(const scree_instance *in, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return scree_call_blame(in, "boxes", SCREE_EXIT_PLUGIN, error, "%s", text);
}

/** Each box by itself. */
static bool check_each(const scree_instance *in, const scree_shape_boxes *b, GError **error)
{
    for (uint32_t i = 0; i < b->n; i++) {
        bool good = isfinite(b->radius[i]) && b->radius[i] >= 0.0, flat = b->dimension == 2;
        for (int k = 0; k < 3; k++)
            good = good && isfinite(b->lo[k][i]) && isfinite(b->hi[k][i]) &&
                   b->lo[k][i] <= b->centre[k][i] && b->centre[k][i] <= b->hi[k][i] &&
                   !(flat && k == 2 && (b->lo[k][i] != 0.0 || b->hi[k][i] != 0.0));
        if (!good)
            return blame_boxes(
                in, error,
                "part %u: box (%g, %g, %g) to (%g, %g, %g) m, centre (%g, %g, %g) m, "
                "radius %g m: expected finite numbers, the centre inside the box%s",
                i, b->lo[0][i], b->lo[1][i], b->lo[2][i], b->hi[0][i], b->hi[1][i], b->hi[2][i],
                b->centre[0][i], b->centre[1][i], b->centre[2][i], b->radius[i],
                flat ? ", z = 0" : "");
    }
    return true;
}

static bool is_held(const scree_shape_boxes *b, uint32_t part, const double x[3], double slack)
{
    double d2 = 0.0, reach = b->radius[part] + slack;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        double d = x[k] - b->centre[k][part];
        inside = inside && x[k] >= b->lo[k][part] - slack && x[k] <= b->hi[k][part] + slack;
        d2 += d * d;
    }
    return inside && d2 <= reach * reach;
}

/** Each point is in the box and in the ball of some part. */
static bool check_held(const scree_instance *in, const plugin_part_boxes *b,
                       const surface_points *p, double radius, GError **error)
{
    const double q[4] = {b->batch.q[0][0], b->batch.q[1][0], b->batch.q[2][0], b->batch.q[3][0]};
    const double scale = b->batch.scale[0];
    for (uint32_t i = 0; i < p->n; i++) {
        double x[3] = {scale * p->x[0][i], scale * p->x[1][i], scale * p->x[2][i]};
        bool held = false;
        scree_rotate(q, x, x);
        for (int k = 0; k < 3; k++)
            x[k] += b->batch.x[k][0];
        for (uint32_t part = 0; part < b->batch.n && !held; part++)
            held =
                is_held(&b->batch, part, x, BOX_SLACK * (scale * radius + fabs(x[0]) + fabs(x[1])));
        if (!held)
            return blame_boxes(in, error,
                               "the point (%g, %g, %g) m of its surface is in no box and ball of a "
                               "part, with the body at (%g, %g, %g) m, turned by (%g, %g, %g, %g), "
                               "at scale %g",
                               x[0], x[1], x[2], b->batch.x[0][0], b->batch.x[1][0],
                               b->batch.x[2][0], q[0], q[1], q[2], q[3], scale);
    }
    return true;
}

bool scree_shape_check_boxes(scree_instance *in, const scree_shape *shape, GError **error)
{
    static const double turn[POSES][4] = {{1, 0, 0, 0},
                                          {0.5, 0.5, 0.5, 0.5},
                                          {0.8, 0.48, 0.0, 0.36}},
                        turn_2d[POSES][4] = {{1, 0, 0, 0}, {0.8, 0, 0, 0.6}, {0.28, 0, 0, 0.96}},
                        at[POSES][3] = {{0, 0, 0}, {0.5, -2.0, 0}, {-1.0, 3.0, 0}},
                        scale[POSES] = {1.0, 2.0, 0.5};
    enum { MOST_TESTS = 10000000 };
    const uint32_t dimension = in->host.dimension;
    g_autofree surface_points *points = g_new(surface_points, 1);
    plugin_part_boxes b;
    if (!find_points(in, shape, points, error))
        return false;
    if (shape->n_parts > MOST_POINTS) // some of its parts are judged, each by itself
        points->n = 0;
    points->n = (uint32_t)MIN(points->n, MOST_TESTS / shape->n_parts);
    part_boxes_init(&b, shape, dimension);
    bool good = true;
    for (int i = 0; good && i < POSES; i++) {
        set_pose(&b, at[i], dimension == 2 ? turn_2d[i] : turn[i], scale[i]);
        good = scree_shape_find_boxes(shape, &b.batch, SCREE_CALL_CONFIG, error) &&
               check_each(in, &b.batch, error) && check_held(in, &b, points, shape->radius, error);
    }
    g_free(b.memory);
    g_free(b.part);
    return good;
}
