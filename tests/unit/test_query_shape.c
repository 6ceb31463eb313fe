// SPDX-License-Identifier: Apache-2.0
// Solids in boxes and balls: a brick by its facets and by a support function, against closed forms.
#include "base/rotation.h"
#include "scene/query_convex.h"
#include "scene/query_shape.h"
#include "scene_fixture.h"

enum { QUESTIONS = 4000 };
static const double half[3] = {0.3, 0.2, 0.1};

/** The farthest corner of the mesh that ctx is. */
static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const scree_mesh *mesh = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double most = -HUGE_VAL;
        for (uint32_t v = 0; v < mesh->n_vertices; v++) {
            double h = 0.0;
            for (int k = 0; k < 3; k++)
                h += direction[k][i] * mesh->vertex[k][v];
            if (!(h > most))
                continue;
            most = h;
            for (int k = 0; k < 3; k++)
                point[k][i] = mesh->vertex[k][v];
        }
    }
}

/** The axes of a brick in space, from the edges of its mesh. */
static void axes_of(const scree_mesh *m, const scree_body *b, double axis[3][3])
{
    for (int a = 0; a < 3; a++) {
        double length = 0.0;
        for (int k = 0; k < 3; k++) {
            axis[a][k] = m->vertex[k][1 << a] - m->vertex[k][0];
            length += axis[a][k] * axis[a][k];
        }
        for (int k = 0; k < 3; k++)
            axis[a][k] /= sqrt(length);
        scree_rotate(b->q, axis[a], axis[a]);
    }
}

/** How far a box about its centre reaches along a direction. */
static double reach_of(const double d[3], double axis[3][3], const double size[3])
{
    double sum = 0.0;
    for (int a = 0; a < 3; a++)
        sum += size[a] * fabs(d[0] * axis[a][0] + d[1] * axis[a][1] + d[2] * axis[a][2]);
    return sum;
}

/** Gap of a brick and a region, by the 15 separating axes of two boxes, or the distance of a point;
 * below 0 they meet. */
static double gap_of(const scree_mesh *m, const scree_body *b, const scree_region *r)
{
    double own[3][3], unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, size[3], wide[3], d[3];
    axes_of(m, b, own);
    for (int k = 0; k < 3; k++) {
        size[k] = b->scale * half[k];
        wide[k] = 0.5 * (r->hi[k] - r->lo[k]);
        d[k] = b->x[k] - (r->type == SCREE_REGION_BALL ? r->centre[k] : r->lo[k] + wide[k]);
    }
    if (r->type == SCREE_REGION_BALL) {
        double d2 = 0.0;
        for (int a = 0; a < 3; a++) {
            double along = d[0] * own[a][0] + d[1] * own[a][1] + d[2] * own[a][2];
            d2 += pow(fmax(fabs(along) - size[a], 0.0), 2.0);
        }
        return sqrt(d2) - r->radius;
    }
    double widest = -HUGE_VAL;
    for (int i = 0; i < 15; i++) {
        double n[3], length = 0.0;
        const double *p = own[i % 3], *q = unit[i / 3 % 3]; // of the cross products, from 6 on
        for (int k = 0; k < 3; k++)
            n[k] = i < 3   ? own[i][k]
                   : i < 6 ? unit[i - 3][k]
                           : p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            length += n[k] * n[k];
        if (length < 1e-12)
            continue;
        double far = fabs(d[0] * n[0] + d[1] * n[1] + d[2] * n[2]);
        widest =
            fmax(widest, (far - reach_of(n, own, size) - reach_of(n, unit, wide)) / sqrt(length));
    }
    return widest;
}

static void random_question(scree_body *b, scree_region *r)
{
    double n = 0.0;
    const double wide = pow(10.0, g_test_rand_double_range(-3.0, 0.3));
    *r = (scree_region){.size = sizeof *r, .type = (uint32_t)g_test_rand_int_range(1, 3)};
    b->scale = g_test_rand_double_range(0.5, 2.0);
    for (int k = 0; k < 4; k++) {
        b->q[k] = g_test_rand_double_range(-1.0, 1.0);
        n += b->q[k] * b->q[k];
    }
    for (int k = 0; k < 4; k++)
        b->q[k] /= sqrt(n);
    for (int k = 0; k < 3; k++) {
        b->x[k] = g_test_rand_double_range(-0.6, 0.6);
        r->centre[k] = g_test_rand_double_range(-0.5, 0.5);
        r->lo[k] = r->centre[k] - wide * g_test_rand_double();
        r->hi[k] = r->centre[k] + wide * g_test_rand_double();
    }
    r->radius = g_test_rand_int_range(0, 5) ? 0.5 * wide : 0.0;
}

static void test_brick(void)
{
    g_autoptr(scree_scene) s = fixture_scene(
        "scene = { dimension = 3; };" MATERIAL
        "shapes = { b = { type = \"brick\"; size = (0.3, 0.2, 0.1); at = (0.1, 0.2, 0.3);"
        " turn = (9.0, 4.0, -5.0, 2.0); }; };" BALL);
    const scree_shape *shape = s->shapes->pdata[s->shapes->len - 1];
    const scree_support support = {
        .size = sizeof support, .ctx = shape->mesh, .farthest = farthest};
    g_autoptr(GError) error = NULL;
    uint32_t n_met = 0, n_near = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        scree_body b = {.shape = s->shapes->len - 1};
        scree_region r;
        bool by_facets, by_support;
        random_question(&b, &r);
        const double gap = gap_of(shape->mesh, &b, &r);
        g_assert_true(scree_query_solid_meets(shape, "b", &b, 3, &r, &by_facets, &error));
        g_assert_true(scree_query_convex_meets(shape, &support, &b, 3, &r, &by_support, &error));
        n_near += fabs(gap) < 1e-8;
        if (fabs(gap) > 1e-12)
            g_assert_true(by_facets == (gap <= 0.0));
        if (fabs(gap) > 2e-9)
            g_assert_true(by_support == (gap <= 0.0));
        n_met += by_facets;
    }
    g_test_message("%u of %d meet, %u nearly", n_met, QUESTIONS, n_near);
    g_assert_cmpuint(n_met, >, QUESTIONS / 10);
    g_assert_cmpuint(n_met, <, QUESTIONS - QUESTIONS / 10);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/query/a-brick-meets-a-region-as-by-separating-axes", test_brick);
    return g_test_run();
}
