// SPDX-License-Identifier: Apache-2.0
// Contacts on the surface of a smooth convex body, for its critical step.
#include "critical/critical_surface.h"

#include <math.h>
#include <string.h>

#include "critical/stiffness.h"
#include "shape/plugin_shape.h"

enum { BANDS = 10, SECTORS = 20, CORNERS = (BANDS + 1) * SECTORS, ARC = 128 };

/** Ratio: a maximum over all directions to the sampled one, at most; half their distance counts. */
#define BETWEEN (1.0 + 0.5 * (0.5 * G_PI / BANDS) * (0.5 * G_PI / BANDS))

/** Asks for the farthest points in n directions. */
static bool ask(const scree_shape *shape, const scree_support *support, uint32_t n,
                const double (*to)[3], double (*found)[3], GError **error)
{
    double in[3][SCREE_SURFACE_MOST + CORNERS], out[3][SCREE_SURFACE_MOST + CORNERS];
    const double *const direction[3] = {in[0], in[1], in[2]};
    double *const point[3] = {out[0], out[1], out[2]};
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            in[k][i] = to[i][k];
    if (!scree_shape_ask_farthest(shape, support, n, direction, point, error))
        return false;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            found[i][k] = out[k][i];
    return true;
}

static void set_direction(double polar, double turn, double out[3])
{
    out[0] = sin(polar) * cos(turn);
    out[1] = sin(polar) * sin(turn);
    out[2] = cos(polar);
}

/** [m^2] Half the product of the diagonals of a quad. */
static double quad_area(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double v = (c[p] - a[p]) * (d[q] - b[q]) - (c[q] - a[q]) * (d[p] - b[p]);
        square += v * v;
    }
    return 0.5 * sqrt(square);
}

/** Samples a surface by cells of directions between circles of latitude and of longitude. */
static bool take_solid(const scree_shape *shape, const scree_support *support, scree_surface *out,
                       GError **error)
{
    double to[CORNERS][3], corner[CORNERS][3];
    for (uint32_t i = 0; i < CORNERS; i++)
        set_direction(G_PI * (i / SECTORS) / BANDS, 2.0 * G_PI * (i % SECTORS) / SECTORS, to[i]);
    out->n = BANDS * SECTORS;
    for (uint32_t i = 0; i < out->n; i++)
        set_direction(G_PI * (i / SECTORS + 0.5) / BANDS,
                      2.0 * G_PI * (i % SECTORS + 0.5) / SECTORS, out->normal[i]);
    if (!ask(shape, support, CORNERS, (const double(*)[3])to, corner, error) ||
        !ask(shape, support, out->n, (const double(*)[3])out->normal, out->point, error))
        return false;
    for (uint32_t i = 0; i < out->n; i++) {
        const uint32_t band = i / SECTORS, a = i, b = band * SECTORS + (i + 1) % SECTORS;
        out->area[i] = quad_area(corner[a], corner[b], corner[b + SECTORS], corner[a + SECTORS]);
        out->angle[i] = cos(G_PI * band / BANDS) - cos(G_PI * (band + 1.0) / BANDS);
    }
    return true;
}

static bool take_flat(const scree_shape *shape, const scree_support *support, scree_surface *out,
                      GError **error)
{
    double to[ARC][3], corner[ARC][3];
    out->n = ARC;
    for (uint32_t i = 0; i < ARC; i++) {
        set_direction(0.5 * G_PI, 2.0 * G_PI * i / ARC, to[i]);
        set_direction(0.5 * G_PI, 2.0 * G_PI * (i + 0.5) / ARC, out->normal[i]);
        to[i][2] = out->normal[i][2] = 0.0;
    }
    if (!ask(shape, support, ARC, (const double(*)[3])to, corner, error) ||
        !ask(shape, support, ARC, (const double(*)[3])out->normal, out->point, error))
        return false;
    for (uint32_t i = 0; i < ARC; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % ARC];
        out->area[i] = hypot(b[0] - a[0], b[1] - a[1]);
        out->angle[i] = 1.0;
    }
    return true;
}

/** [m] Largest distance between the points of two neighbours: large at a flat side or face. */
static double find_jump(const scree_surface *s, uint32_t dimension)
{
    double square = 0.0;
    for (uint32_t i = 0; i < s->n; i++) {
        const bool flat = dimension == 2, cap = !flat && (i < SECTORS || i + SECTORS >= s->n);
        const uint32_t row = flat ? ARC : SECTORS, first = i - i % row;
        const uint32_t next[3] = {first + (i + 1) % row,
                                  i + SECTORS < s->n && !flat ? i + SECTORS : i,
                                  cap ? first + (i + SECTORS / 2) % SECTORS : i};
        for (int m = 0; m < 3; m++) {
            const double *p = s->point[i], *q = s->point[next[m]];
            const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
            square = fmax(square, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        }
    }
    return sqrt(square);
}

bool scree_surface_take(const scree_shape *shape, uint32_t dimension, scree_surface *out,
                        GError **error)
{
    const scree_support *support = shape->flags || shape->mesh || shape->balls
                                       ? NULL
                                       : scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    double area = 0.0, angle = 0.0;
    out->n = 0;
    out->straight = false;
    if (!support)
        return true;
    if (!(dimension == 2 ? take_flat(shape, support, out, error)
                         : take_solid(shape, support, out, error)))
        return false;
    for (uint32_t i = 0; i < out->n; i++) {
        area += out->area[i];
        angle += out->angle[i];
    }
    for (uint32_t i = 0; i < out->n; i++) {
        out->area[i] /= area;
        out->angle[i] /= angle;
    }
    out->straight = find_jump(out, dimension) > shape->radius;
    return true;
}

/** Raises `out` to the eigenvalues of a body. */
static void take_rates(const scree_body_stiffness *m, const scree_bound_body *body,
                       uint32_t dimension, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = fmax(out[i], scree_body_stiffness_rate(i ? m->c : m->k, dimension, body->mass,
                                                        body->inertia, true));
}

void scree_surface_hold(const scree_surface *s, const scree_bound_body *body, uint32_t dimension,
                        const scree_stiffness *k, bool mean, double out[2])
{
    scree_body_stiffness by_area = {.n = 0}, by_angle = {.n = 0};
    out[0] = out[1] = 0.0;
    for (uint32_t i = 0; i < s->n; i++) {
        const double arm[3] = {body->scale * s->point[i][0], body->scale * s->point[i][1],
                               body->scale * s->point[i][2]};
        scree_body_stiffness one = {.n = 0};
        if (mean) {
            scree_body_stiffness_add(&by_area, s->area[i], s->normal[i], arm, k);
            scree_body_stiffness_add(&by_angle, s->angle[i], s->normal[i], arm, k);
            continue;
        }
        scree_body_stiffness_add(&one, BETWEEN, s->normal[i], arm, k);
        take_rates(&one, body, dimension, out);
    }
    if (!mean)
        return;
    take_rates(&by_area, body, dimension, out);
    take_rates(&by_angle, body, dimension, out);
}
