// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a convex solid meets a box or a ball, by its support function.
 *
 * Sources  Gilbert, E. G., Johnson, D. W., Keerthi, S. S. (1988): A fast procedure for computing the
 *          distance between complex objects in three-dimensional space, IEEE J. Robot. Autom. 4,
 *          193-203.
 * Idea     The distance of two convex sets is that of the origin to their difference. A simplex of
 *          points of its border is led towards the origin. Each step gives two bounds: the distance
 *          is at most that of the nearest point v of the simplex, and at least that of the plane
 *          across v through the newest point. Either bound may decide.
 *          A ball is its centre, and its radius is taken off the distance.
 */
#include "scene/query_convex.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "plugin/call.h"
#include "scene/plugin_shape.h"

#define CONVEX_SLACK 1e-9 /* [-] of the size of the shape */
enum { MOST_TURNS = 200 };

typedef struct simplex {
    double p[4][3];
    uint32_t n;
} simplex;

typedef struct pair {
    const scree_shape *shape;
    const scree_support *support;
    const scree_body *body;
    const scree_region *region;
    uint32_t dimension;
} pair;

static double dot_of_points(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The point of the solid minus that of the region that is farthest in direction d. */
static bool farthest(const pair *p, const double d[3], double out[3], GError **error)
{
    double body_d[3], point[3] = {0.0, 0.0, 0.0};
    scree_rotate_back(p->body->q, d, body_d);
    const double *const direction[3] = {&body_d[0], &body_d[1], &body_d[2]};
    double *const found[3] = {&point[0], &point[1], &point[2]};
    scree_instance *in = scree_shape_instance(p->shape);
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "farthest");
    p->support->farthest(p->support->ctx, 1, direction, found);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
        return scree_call_blame(in, "farthest", SCREE_EXIT_PLUGIN, error,
                                "the point (%g, %g, %g) is not finite", point[0], point[1],
                                point[2]);
    scree_rotate(p->body->q, point, point);
    for (int k = 0; k < 3; k++) {
        double other = p->region->type == SCREE_REGION_BALL ? p->region->centre[k]
                       : d[k] > 0.0                         ? p->region->lo[k]
                                                            : p->region->hi[k];
        out[k] = k < (int)p->dimension ? p->body->x[k] - other + p->body->scale * point[k] : 0.0;
    }
    return true;
}

/** The point of the plane, line or point through `n` of the corners that is nearest to the origin, by
 * weights that sum up to 1; false: they have no such point, or some weight is negative. */
static bool project(const simplex *s, const uint32_t *corner, uint32_t n, double v[3])
{
    double m[3][4] = {{0}}, weight[4] = {1.0, 0.0, 0.0, 0.0};
    const double *origin = s->p[corner[0]];
    double edge[3][3] = {{0}};
    for (uint32_t i = 1; i < n; i++)
        for (int k = 0; k < 3; k++)
            edge[i - 1][k] = s->p[corner[i]][k] - origin[k];
    const uint32_t u = n - 1;
    for (uint32_t i = 0; i < u; i++) { // normal equations of least |origin + sum w e|
        for (uint32_t j = 0; j < u; j++)
            m[i][j] = dot_of_points(edge[i], edge[j]);
        m[i][3] = -dot_of_points(edge[i], origin);
    }
    for (uint32_t i = 0; i < u; i++) {
        if (!(m[i][i] > 1e-30 * dot_of_points(edge[i], edge[i])) || !(m[i][i] > 0.0))
            return false;
        for (uint32_t r = 0; r < u; r++) {
            double factor = m[r][i] / m[i][i];
            if (r == i)
                continue;
            for (uint32_t c = 0; c < 4; c++)
                m[r][c] -= factor * m[i][c];
        }
    }
    for (uint32_t i = 0; i < u; i++) {
        weight[i + 1] = m[i][3] / m[i][i];
        weight[0] -= weight[i + 1];
    }
    memset(v, 0, 3 * sizeof *v);
    for (uint32_t i = 0; i < n; i++) {
        if (!(weight[i] >= 0.0))
            return false;
        for (int k = 0; k < 3; k++)
            v[k] += weight[i] * s->p[corner[i]][k];
    }
    return true;
}

/** Reduces the simplex to the corners that its point nearest to the origin needs: v. */
static void reduce(simplex *s, double v[3])
{
    double least = HUGE_VAL;
    uint32_t best = 0;
    for (uint32_t set = 1; set < 1u << s->n; set++) {
        uint32_t corner[4] = {0}, n = 0;
        double at[3];
        for (uint32_t c = 0; c < s->n; c++)
            if (set >> c & 1)
                corner[n++] = c;
        if (!project(s, corner, n, at) || !(dot_of_points(at, at) < least))
            continue;
        least = dot_of_points(at, at);
        best = set;
        memcpy(v, at, sizeof at);
    }
    uint32_t n = 0;
    for (uint32_t c = 0; c < s->n; c++)
        if (best >> c & 1) {
            memmove(s->p[n], s->p[c], sizeof s->p[n]);
            n++;
        }
    s->n = n;
}

bool scree_query_convex_meets(const scree_shape *shape, const scree_support *support,
                              const scree_body *body, uint32_t dimension,
                              const scree_region *region, bool *meets, GError **error)
{
    const pair p = {shape, support, body, region, dimension};
    const double slack = CONVEX_SLACK * body->scale * shape->radius;
    const double reach = (region->type == SCREE_REGION_BALL ? region->radius : 0.0) + slack;
    simplex s = {.n = 0};
    double v[3] = {0.0, 0.0, 0.0}, w[3];
    double first[3] = {1.0, 0.0, 0.0};
    if (!farthest(&p, first, v, error))
        return false;
    *meets = true;
    memcpy(s.p[s.n++], v, sizeof v);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        const double length = sqrt(dot_of_points(v, v)), back[3] = {-v[0], -v[1], -v[2]};
        if (length <= reach)
            return true;
        if (!farthest(&p, back, w, error))
            return false;
        if (dot_of_points(v, w) > reach * length) {
            *meets = false;
            return true;
        }
        if (s.n == 4) // around the origin, up to rounding
            return true;
        memcpy(s.p[s.n++], w, sizeof w);
        reduce(&s, v);
    }
    return true;
}
