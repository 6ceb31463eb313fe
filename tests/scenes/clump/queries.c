// SPDX-License-Identifier: Apache-2.0
// Questions about space against brute force, which is written by itself: all pairs, all images.
#include <math.h>
#include <string.h>

#define OWN_MAIN
#include "../../test.h"
#include "base/rotation.h"
#include "config/config.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "scree/sdk.h"
#include "tools/query/query_space.h"

#define MATERIAL "materials = { glass = { density = 1000.0; }; };"
#define BALLS "{ plugin = \"sphere\"; }"
#define BOTH "{ plugin = \"pearls\"; }, " BALLS
enum { BODIES = 600, QUESTIONS = 240, STEP = 60 };

static scree_registry *registry;

static scree_scene *load(const char *text)
{
    g_autoptr(GError) error = NULL;
    scree_config *config = scree_config_parse(text, "s.cfg", ".");
    scree_scene *scene = scree_scene_new(config, "s", registry, &error);
    g_assert_no_error(error);
    return scene;
}

/** Shapes 2 on: a clump of two balls, one of six, facets, a floor; in 3D a row of balls too. */
static scree_scene *make_scene(uint32_t dimension, const char *boundary, const char *gcd,
                               const char *resolvers)
{
    const bool flat = dimension == 2;
    g_autofree char *query =
        gcd ? g_strdup_printf("query = { gcd = { plugin = \"%s\"; }; };", gcd) : g_strdup("");
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = %u; region = { min = (-1, 0%s); max = (2, 1.5%s); }; "
        "boundary = %s; };" MATERIAL "%s"
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.06; other = 0.04; distance = 0.11; };"
        " raft = { %s };"
        " tent = { type = \"%s\"; vertices = %s; %s = %s; };"
        " floor = { type = \"plane\"; normal = (0.1, 1%s); };%s };"
        "resolvers = ( %s );"
        "bodies = { b = { radius = 0.1; position = (5, 0%s); }; };",
        dimension, flat ? "" : ", -0.5", flat ? "" : ", 1", boundary, query,
        flat ? "type = \"dumbbell\"; radius = 0.03; other = 0.07; distance = 0.2;"
             : "type = \"raft\"; columns = 3; rows = 2; radius = 0.03; pitch = 0.06;",
        flat ? "segments" : "facets",
        flat ? "((0,0), (0.3,0.1), (0.5,-0.2))"
             : "((0,0,0), (0.3,0.1,0), (0.1,0.4,0.1), (0.5,0.2,-0.2))",
        flat ? "segments" : "facets", flat ? "((0,1), (1,2))" : "((0,1,2), (1,3,2))",
        flat ? "" : ", 0.2",
        flat ? "" : " row = { type = \"pearls\"; count = 4; radius = 0.05; pitch = 0.08; };",
        resolvers, flat ? "" : ", 0");
    return load(text);
}

/** The body's balls, of a row of pearls too. */
static uint32_t balls_of(const scree_scene *s, const scree_body *b, double x[][3], double *r)
{
    const scree_shape *shape = s->shapes->pdata[b->shape];
    const scree_balls *balls =
        shape->balls ? shape->balls : shape->view(shape, "pearls.balls/1", 0.0);
    if (!balls) {
        memcpy(x[0], b->x, sizeof b->x);
        r[0] = b->scale * shape->radius;
        return 1;
    }
    for (uint32_t p = 0; p < balls->n; p++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = b->scale * balls->centre[k][p];
        scree_rotate(b->q, at, at);
        for (int k = 0; k < 3; k++)
            x[p][k] = b->x[k] + at[k];
        r[p] = b->scale * balls->radius[p];
    }
    return balls->n;
}

static uint32_t facets_of(const scree_shape *shape)
{
    return shape->flags & SCREE_CAP_WALL ? shape->mesh->n_facets : 0;
}

/** Corners of a facet in space; how many. */
static uint32_t corners_of(const scree_scene *s, const scree_body *b, uint32_t facet,
                           double v[4][3])
{
    const scree_mesh *m = ((const scree_shape *)s->shapes->pdata[b->shape])->mesh;
    uint32_t n = 0;
    for (; n < 4 && m->facet[4 * facet + n] != SCREE_NONE; n++) {
        for (int k = 0; k < 3; k++)
            v[n][k] = b->scale * m->vertex[k][m->facet[4 * facet + n]];
        scree_rotate(b->q, v[n], v[n]);
        for (int k = 0; k < 3; k++)
            v[n][k] += b->x[k];
    }
    return n;
}

static double length2(const double a[3], const double b[3])
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
           (a[2] - b[2]) * (a[2] - b[2]);
}

/** Distance from x to a segment or triangle: the least of a convex function by nested sections. */
static double distance_to(double v[4][3], uint32_t n, const double x[3])
{
    double best = sqrt(length2(v[0], x)), lo = 0.0, hi = 1.0;
    if (best > 2.5) // facets are smaller than 1 m, what they are asked about than 1.01 m
        return best;
    for (int turn = 0; turn < 70; turn++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            double t = lo + (side ? 2.0 : 1.0) / 3.0 * (hi - lo), a[3], b[3];
            for (int k = 0; k < 3; k++) {
                a[k] = v[0][k] + t * (v[1][k] - v[0][k]);
                b[k] = n > 2 ? v[2][k] + t * (v[1][k] - v[2][k]) : a[k];
            }
            double along = 0.0, own = length2(a, b); // the nearest point of the chord a b
            for (int k = 0; k < 3; k++)
                along += (x[k] - a[k]) * (b[k] - a[k]);
            along = own > 0.0 ? fmin(fmax(along / own, 0.0), 1.0) : 0.0;
            for (int k = 0; k < 3; k++)
                a[k] += along * (b[k] - a[k]);
            value[side] = sqrt(length2(a, x));
            best = fmin(best, value[side]);
        }
        if (value[0] < value[1])
            hi = lo + 2.0 / 3.0 * (hi - lo);
        else
            lo += (hi - lo) / 3.0;
    }
    return best;
}

/** Cuts a polygon by x[k] <= at (sign 1) or x[k] >= at (sign -1); how many corners are left. */
static uint32_t cut(double v[12][3], uint32_t n, int k, double sign, double at)
{
    double out[12][3];
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double *a = v[i], *b = v[(i + 1) % n];
        double da = sign * (a[k] - at), db = sign * (b[k] - at);
        if (da <= 0.0)
            memcpy(out[m++], a, sizeof out[0]);
        if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) {
            for (int c = 0; c < 3; c++)
                out[m][c] = a[c] + da / (da - db) * (b[c] - a[c]);
            m++;
        }
    }
    memcpy(v, out, sizeof out);
    return m;
}

/** The point of a zone that is nearest to x. */
static void nearest_in(const scree_zone *z, uint32_t dimension, const double x[3], double to[3])
{
    double axis[3], length = sqrt(length2(z->a, z->b)), along = 0.0, off = 0.0, n[3] = {0};
    for (uint32_t k = 0; k < dimension; k++)
        to[k] = z->type == SCREE_ZONE_BALL ? z->a[k] : fmin(fmax(x[k], z->lo[k]), z->hi[k]);
    if (z->type != SCREE_ZONE_CYLINDER)
        return;
    for (int k = 0; k < 3; k++) {
        axis[k] = (z->b[k] - z->a[k]) / length;
        along += (x[k] - z->a[k]) * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        n[k] = x[k] - z->a[k] - along * axis[k];
        off += n[k] * n[k];
    }
    off = sqrt(off);
    along = fmin(fmax(along, 0.0), length);
    for (int k = 0; k < 3; k++)
        to[k] = z->a[k] + along * axis[k] + n[k] / off * fmin(fmax(off, z->inner), z->radius);
}

/** Whether a ball and a zone meet. */
static bool ball_meets(const scree_zone *z, uint32_t dimension, const double x[3], double radius)
{
    double to[3] = {0}, at[3] = {0};
    for (uint32_t k = 0; k < dimension; k++)
        at[k] = x[k];
    nearest_in(z, dimension, at, to);
    radius += z->type == SCREE_ZONE_BALL ? z->radius : 0.0;
    return length2(at, to) <= radius * radius;
}

/** The lowest height of the rims of a cylinder over the plane through 0 with normal n. */
static double lowest_rim(const scree_zone *z, const double n[3])
{
    enum { AROUND = 20000 };
    const double length = sqrt(length2(z->a, z->b));
    double axis[3], u[3], v[3], least = HUGE_VAL, square = 0.0;
    for (int k = 0; k < 3; k++)
        axis[k] = (z->b[k] - z->a[k]) / length;
    const int other = fabs(axis[0]) < 0.6 ? 0 : 1;
    for (int k = 0; k < 3; k++) {
        u[k] = (k == other) - axis[other] * axis[k];
        square += u[k] * u[k];
    }
    for (int k = 0; k < 3; k++)
        v[k] = axis[(k + 1) % 3] * u[(k + 2) % 3] - axis[(k + 2) % 3] * u[(k + 1) % 3];
    for (int i = 0; i < AROUND; i++) {
        const double angle = 2.0 * G_PI * i / AROUND;
        double ends[2] = {0, 0};
        for (int k = 0; k < 3; k++) {
            const double out = z->radius * (cos(angle) * u[k] + sin(angle) * v[k]) / sqrt(square);
            ends[0] += n[k] * (z->a[k] + out);
            ends[1] += n[k] * (z->b[k] + out);
        }
        least = fmin(least, fmin(ends[0], ends[1]));
    }
    return least;
}

/** Whether the half space below a plane and a zone meet. */
static bool plane_meets(const scree_scene *s, const scree_body *b, const scree_zone *z)
{
    const scree_shape *shape = s->shapes->pdata[b->shape];
    double n[3], at = 0.0, least = HUGE_VAL;
    scree_rotate(b->q, shape->normal, n);
    for (int k = 0; k < 3; k++)
        at += n[k] * b->x[k];
    if (z->type == SCREE_ZONE_CYLINDER)
        return lowest_rim(z, n) <= at;
    for (int corner = 0; corner < 8; corner++) {
        double h = z->type == SCREE_ZONE_BALL ? -z->radius : 0.0;
        for (uint32_t k = 0; k < s->dimension; k++)
            h += n[k] * (z->type == SCREE_ZONE_BALL ? z->a[k]
                         : corner >> k & 1          ? z->hi[k]
                                                    : z->lo[k]);
        least = fmin(least, h);
    }
    return least <= at;
}

/** Whether a facet and a zone meet; of a cylinder some points of it. */
static bool facet_meets(const scree_zone *z, uint32_t dimension, double v[12][3], uint32_t n)
{
    enum { FINE = 8 };
    bool found = false;
    if (z->type == SCREE_ZONE_BALL)
        return distance_to(v, n, z->a) <= z->radius;
    for (int i = 0; i <= FINE && z->type == SCREE_ZONE_CYLINDER; i++)
        for (int j = 0; i + j <= FINE; j++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = (v[0][k] * i + v[1][k] * j + v[2][k] * (FINE - i - j)) / FINE;
            found |= scree_zone_holds(z, x, 0.0);
        }
    for (uint32_t k = 0; z->type == SCREE_ZONE_BOX && k < dimension && n; k++) {
        n = cut(v, n, (int)k, 1.0, z->hi[k]);
        n = n ? cut(v, n, (int)k, -1.0, z->lo[k]) : 0;
    }
    return found || (z->type == SCREE_ZONE_BOX && n > 0);
}

/** Whether a body and a zone meet. */
static bool meets(const scree_scene *s, const scree_body *b, const scree_zone *z,
                  const double shift[3])
{
    const scree_shape *shape = s->shapes->pdata[b->shape];
    scree_body at = *b;
    double x[64][3], radius[64];
    bool found = false;
    for (int k = 0; k < 3; k++)
        at.x[k] += shift[k];
    if (shape->flags & SCREE_CAP_INFINITE)
        return plane_meets(s, b, z);
    const uint32_t n_facets = facets_of(shape);
    for (uint32_t f = 0; f < n_facets; f++) {
        double v[12][3];
        const uint32_t n = corners_of(s, &at, f, v);
        found |= facet_meets(z, s->dimension, v, n);
    }
    if (shape->flags & SCREE_CAP_WALL)
        return found;
    const uint32_t n = balls_of(s, &at, x, radius);
    for (uint32_t p = 0; p < n; p++)
        found |= ball_meets(z, s->dimension, x[p], radius[p]);
    return found;
}

/** Whether the box of a facet, or of a ball of a row, meets that of a zone. */
static bool box_meets(const scree_scene *s, const scree_body *b, const scree_zone *z,
                      const double shift[3])
{
    const scree_shape *shape = s->shapes->pdata[b->shape];
    const uint32_t n_facets = facets_of(shape);
    scree_body at = *b;
    double x[64][3], radius[64];
    bool found = false;
    for (int k = 0; k < 3; k++)
        at.x[k] += shift[k];
    const uint32_t n = n_facets ? n_facets : balls_of(s, &at, x, radius);
    for (uint32_t i = 0; i < n; i++) {
        double v[4][3];
        const uint32_t corners = n_facets ? corners_of(s, &at, i, v) : 0;
        bool near = true;
        for (uint32_t k = 0; k < s->dimension; k++) {
            double lo = corners ? HUGE_VAL : x[i][k] - radius[i],
                   hi = corners ? -HUGE_VAL : x[i][k] + radius[i];
            for (uint32_t c = 0; c < corners; c++) {
                lo = fmin(lo, v[c][k]);
                hi = fmax(hi, v[c][k]);
            }
            near = near && lo <= z->hi[k] + 1e-12 && hi >= z->lo[k] - 1e-12;
        }
        found = found || near;
    }
    return found;
}

/** Whether two bodies overlap, the second one moved; the first is not a wall. */
static bool overlap(const scree_scene *s, const scree_body *a, const scree_body *b,
                    const double shift[3])
{
    const scree_shape *shape = s->shapes->pdata[b->shape];
    double xa[64][3], ra[64], xb[64][3], rb[64], n[3];
    const uint32_t na = balls_of(s, a, xa, ra), n_facets = facets_of(shape);
    scree_body at = *b;
    bool found = false;
    for (int k = 0; k < 3; k++)
        at.x[k] += shift[k];
    for (uint32_t i = 0; i < na; i++) {
        if (shape->flags & SCREE_CAP_INFINITE) {
            scree_rotate(b->q, shape->normal, n);
            found |= n[0] * (xa[i][0] - b->x[0]) + n[1] * (xa[i][1] - b->x[1]) +
                         n[2] * (xa[i][2] - b->x[2]) <
                     ra[i];
            continue;
        }
        for (uint32_t f = 0; f < n_facets; f++) {
            double v[4][3];
            const uint32_t corners = corners_of(s, &at, f, v);
            found |= distance_to(v, corners, xa[i]) < ra[i];
        }
        const uint32_t nb = shape->flags & SCREE_CAP_WALL ? 0 : balls_of(s, &at, xb, rb);
        for (uint32_t j = 0; j < nb; j++)
            found |= sqrt(length2(xa[i], xb[j])) < ra[i] + rb[j];
    }
    return found;
}

/* ---- random bodies and questions ---- */

static void random_pose(const scree_scene *s, double wide, scree_body *b)
{
    double n = 0.0;
    for (uint32_t k = 0; k < s->dimension; k++)
        b->x[k] = g_test_rand_double_range(s->region_min[k] - wide, s->region_max[k] + wide);
    for (int k = 0; k < 4; k++) {
        b->q[k] = s->dimension == 3 || k == 0 || k == 3 ? g_test_rand_double_range(-1, 1) : 0.0;
        n += b->q[k] * b->q[k];
    }
    for (int k = 0; k < 4; k++)
        b->q[k] /= sqrt(n);
}

/** `shape`: of the scene, or 0: one at random that has a volume. */
static scree_body random_body(const scree_scene *s, uint32_t shape, double wide)
{
    const bool flat = s->dimension == 2;
    const uint32_t some[] = {flat, flat, flat, 2, 3};
    scree_body b = {.shape = shape ? shape : some[g_test_rand_int_range(0, 5)], .q = {1.0}};
    random_pose(s, wide, &b);
    b.scale =
        b.shape < 2 ? g_test_rand_double_range(0.02, 0.1) : g_test_rand_double_range(0.5, 1.5);
    return b;
}

static scree_zone random_zone(const scree_scene *s)
{
    const int types = s->dimension == 3 ? 4 : 3;
    scree_zone z = {.size = sizeof z, .type = (uint32_t)g_test_rand_int_range(1, types)};
    const double wide = pow(10.0, g_test_rand_double_range(-4.0, 0.3));
    z.radius = g_test_rand_int_range(0, 8) ? 0.5 * wide : 0.0;
    z.inner = g_test_rand_int_range(0, 2) ? z.radius * g_test_rand_double() : 0.0;
    for (uint32_t k = 0; k < s->dimension; k++) {
        z.a[k] = g_test_rand_double_range(-2.0, 3.0);
        z.b[k] = z.a[k] + wide * g_test_rand_double_range(-1.0, 1.0);
    }
    const double length2_of = length2(z.a, z.b);
    for (uint32_t k = 0; k < s->dimension; k++) {
        const double d = z.b[k] - z.a[k];
        double from = z.a[k] - z.radius, to = z.a[k] + z.radius;
        if (z.type == SCREE_ZONE_CYLINDER) {
            const double reach = z.radius * sqrt(1.0 - d * d / length2_of);
            from = fmin(z.a[k], z.b[k]) - reach;
            to = fmax(z.a[k], z.b[k]) + reach;
        }
        z.lo[k] = z.type == SCREE_ZONE_BOX ? fmin(z.a[k], z.b[k]) : from;
        z.hi[k] = z.type == SCREE_ZONE_BOX ? fmax(z.a[k], z.b[k]) : to;
    }
    return z;
}

/** Whole cells by which a body may be moved. */
static bool next_shift(const scree_scene *s, int at[3], int most, double shift[3])
{
    for (int k = 0; k < 3; k++) {
        const bool wraps = k < (int)s->dimension && s->boundary[k] == SCREE_BOUNDARY_PERIODIC;
        at[k]++;
        shift[k] = wraps ? at[k] * (s->region_max[k] - s->region_min[k]) : 0.0;
        if (wraps && at[k] <= most)
            return true;
        at[k] = wraps ? -most : 0;
        shift[k] = wraps ? at[k] * (s->region_max[k] - s->region_min[k]) : 0.0;
    }
    return false;
}

typedef bool (*judge)(const scree_scene *s, const scree_body *b, const void *of,
                      const double shift[3]);
static bool judge_zone(const scree_scene *s, const scree_body *b, const void *of,
                       const double shift[3])
{
    return meets(s, b, of, shift);
}
static bool judge_box(const scree_scene *s, const scree_body *b, const void *of,
                      const double shift[3])
{
    return box_meets(s, b, of, shift);
}
static bool judge_body(const scree_scene *s, const scree_body *b, const void *of,
                       const double shift[3])
{
    return overlap(s, of, b, shift);
}

/** For any image of the body. */
static bool any_image(const scree_scene *s, const scree_body *b, const void *of, int most, judge fn)
{
    int at[3];
    double shift[3];
    for (int k = 0; k < 3; k++) {
        const bool wraps = k < (int)s->dimension && s->boundary[k] == SCREE_BOUNDARY_PERIODIC;
        at[k] = wraps ? -most : 0;
        shift[k] = wraps ? at[k] * (s->region_max[k] - s->region_min[k]) : 0.0;
    }
    do {
        if (fn(s, b, of, shift))
            return true;
    } while (next_shift(s, at, most, shift));
    return false;
}

/** The hits of a zone against all bodies. A box or cylinder cannot say it of facets and rows: their boxes decide.
 * Returns how many hits there are; *n_by_box: of them by their boxes. */
static uint32_t compare_zone(const scree_scene *s, const GArray *bodies, const scree_zone *zone,
                             const GArray *hits, uint32_t *n_by_box)
{
    uint32_t at = 0;
    for (guint k = 0; k < bodies->len; k++) {
        const scree_body *b = &g_array_index(bodies, scree_body, k);
        const scree_space_hit *hit = &g_array_index(hits, scree_space_hit, at);
        const bool there = at < hits->len && hit->id == k, by_box = there && hit->by_box;
        const bool meets = any_image(s, b, zone, 4, judge_zone);
        if (by_box) {
            g_assert_cmpuint(zone->type, !=, SCREE_ZONE_BALL);
            g_assert_true(b->shape == 4 || b->shape == 6);
            g_assert_true(any_image(s, b, zone, 4, judge_box));
        } else {
            g_assert_true(there == meets);
        }
        at += there;
        *n_by_box += by_box;
    }
    g_assert_cmpuint(at, ==, hits->len);
    return at;
}

/** Bodies come one by one; room and zones are asked for in between. */
static void compare(uint32_t dimension, const char *boundary, const char *gcd, bool solids)
{
    g_autoptr(scree_scene) s = make_scene(dimension, boundary, gcd, dimension == 3 ? BOTH : BALLS);
    g_autoptr(scree_space) space = scree_space_new(s, NULL);
    g_autoptr(GArray) bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(scree_space_hit));
    g_autoptr(GError) error = NULL;
    uint32_t n_free = 0, n_taken = 0, n_found = 0, n_by_box = 0;
    for (int i = 0; i < BODIES; i++) {
        uint32_t shape = i % 40 == 0 ? 4 : i == 10 ? 5 : 0;
        if (solids && i % 9 == 5)
            shape = 6;
        scree_body b = random_body(s, shape, 0.05);
        b.scale *= shape ? 1.0 : 0.3;
        if (shape == 5) { // leaves most of the region open
            b.x[0] = b.x[1] = b.x[2] = 0.0;
            memset(b.q, 0, sizeof b.q);
            b.q[0] = 1.0;
        }
        g_array_append_val(bodies, b);
        g_assert_true(scree_space_add(space, &b, bodies->len - 1, &error));
        const bool many = i % STEP == STEP - 1;
        const int n_trials = many ? QUESTIONS / 4 : 1, n_zones = many ? QUESTIONS / 8 : 0;
        for (int q = 0; q < n_trials; q++) {
            const scree_body trial = random_body(s, 0, 0.0);
            bool is_free, taken = false;
            g_assert_true(scree_space_is_free(space, &trial, SCREE_NO_BODY, &is_free, &error));
            for (guint k = 0; k < bodies->len && !taken; k++)
                taken = any_image(s, &g_array_index(bodies, scree_body, k), &trial, 1, judge_body);
            g_assert_true(is_free == !taken);
            n_free += is_free;
            n_taken += taken;
        }
        for (int q = 0; q < n_zones; q++) {
            const scree_zone zone = random_zone(s);
            g_array_set_size(hits, 0);
            g_assert_true(scree_space_find(space, &zone, hits, &error));
            n_found += compare_zone(s, bodies, &zone, hits, &n_by_box);
        }
    }
    g_test_message("%u free, %u taken, %u found, %u by box", n_free, n_taken, n_found, n_by_box);
    g_assert_cmpuint(n_free, >, 100);
    g_assert_cmpuint(n_taken, >, 100);
    g_assert_cmpuint(n_found, >, 50);
    g_assert_cmpuint(n_by_box, <, n_found / 2);
}

TEST("/query/balls-clumps-facets-and-planes-as-by-brute-force")
{
    compare(3, "\"open\"", NULL, false);
}

TEST("/query/with-periodic-images")
{
    compare(3, "[\"periodic\", \"open\", \"periodic\"]", NULL, false);
}

TEST("/query/in-2d")
{
    compare(2, "[\"open\", \"periodic\"]", NULL, false);
}

TEST("/query/solids-by-the-resolvers-of-the-scene")
{
    compare(3, "[\"periodic\", \"open\", \"open\"]", NULL, true);
}

TEST("/query/with-any-gcd")
{
    compare(3, "\"periodic\"", "dess", false);
    compare(2, "\"periodic\"", "rtree", false);
    compare(3, "\"open\"", "bounding_volume", false);
}

TEST("/query/a-pair-that-no-resolver-serves-is-named")
{
    g_autoptr(scree_scene) s = make_scene(3, "\"open\"", NULL, BOTH);
    g_autoptr(scree_space) space = scree_space_new(s, NULL);
    GError *error = NULL;
    const scree_body row = {.shape = 6, .scale = 1.0, .q = {1.0}};
    bool is_free;
    g_assert_true(scree_space_add(space, &row, 0, &error));
    g_assert_false(scree_space_is_free(space, &row, SCREE_NO_BODY, &is_free, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_nonnull(strstr(error->message, "supports pearls - pearls"));
    g_clear_error(&error);
}

/** A row that looks for room between a row, which no resolver serves, and a ball, which one does. */
TEST("/query/a-pair-that-no-resolver-serves-counts-only-if-nothing-overlaps")
{
    const scree_body bodies[2] = {{.shape = 6, .scale = 1.0, .q = {1.0}},
                                  {.shape = 0, .scale = 0.05, .q = {1.0}}};
    g_autoptr(scree_scene) s = make_scene(3, "\"open\"", NULL, BOTH);
    for (uint64_t first = 0; first < 2; first++) {
        g_autoptr(scree_space) space = scree_space_new(s, NULL);
        g_autoptr(GError) error = NULL;
        bool is_free = true;
        for (uint64_t k = 0; k < 2; k++)
            g_assert_true(scree_space_add(space, &bodies[(first + k) % 2], (first + k) % 2, NULL));
        g_assert_true(scree_space_is_free(space, &bodies[0], SCREE_NO_BODY, &is_free, &error) &&
                      !is_free);
        g_assert_false(scree_space_is_free(space, &bodies[0], 1, &is_free, &error));
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    }
}

/** Hits of a zone: 0: none, 1: the row is in it, 2: its box is. */
static uint64_t find_row(scree_space *space, const scree_zone *zone)
{
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(scree_space_hit));
    g_assert_true(scree_space_find(space, zone, hits, NULL));
    return hits->len ? 1 + g_array_index(hits, scree_space_hit, 0).by_box : 0;
}

/** A row of four balls of 0.05 m along x, and a ball that overlaps the middle ones. */
TEST("/query/where-no-resolver-serves-its-box-decides-and-the-answer-says-so")
{
    const scree_body row = {.shape = 6, .scale = 1.0, .q = {1.0}};
    scree_zone ball = {.size = sizeof ball, .type = SCREE_ZONE_BALL, .radius = 0.005};
    const scree_zone box = {.size = sizeof box,
                            .type = SCREE_ZONE_BOX,
                            .lo = {-0.2, -0.1, -0.1},
                            .hi = {0.2, 0.1, 0.1}};
    scree_zone part = box; // cuts the first ball, and holds none
    part.hi[0] = -0.1;
    ball.a[1] = 0.03;
    for (int k = 0; k < 3; k++) {
        ball.lo[k] = ball.a[k] - ball.radius;
        ball.hi[k] = ball.a[k] + ball.radius;
    }
    for (int served = 0; served < 2; served++) {
        g_autoptr(scree_scene) s = make_scene(3, "\"open\"", NULL, served ? BOTH : BALLS);
        g_autoptr(scree_space) space = scree_space_new(s, NULL);
        g_assert_true(scree_space_add(space, &row, 0, NULL));
        g_assert_cmpuint(find_row(space, &ball), ==, served ? 1 : 2);
        g_assert_cmpuint(find_row(space, &box), ==, 1); // its box is all inside
        g_assert_cmpuint(find_row(space, &part), ==, 2);
    }
}

/** Balls that touch do not overlap; those that are deeper than 1e-12 of the sum of radii do. */
TEST("/query/touching-is-not-an-overlap")
{
    g_autoptr(scree_scene) s = make_scene(3, "\"open\"", NULL, BOTH);
    g_autoptr(scree_space) space = scree_space_new(s, NULL);
    g_autoptr(GError) error = NULL;
    scree_body a = {.shape = 0, .scale = 0.5, .q = {1.0}}, b = a;
    bool is_free;
    g_assert_true(scree_space_add(space, &a, 0, &error));
    b.x[0] = 1.0;
    g_assert_true(scree_space_is_free(space, &b, SCREE_NO_BODY, &is_free, &error) && is_free);
    b.x[0] = 1.0 - 1e-13;
    g_assert_true(scree_space_is_free(space, &b, SCREE_NO_BODY, &is_free, &error) && is_free);
    b.x[0] = 1.0 - 2e-12;
    g_assert_true(scree_space_is_free(space, &b, SCREE_NO_BODY, &is_free, &error) && !is_free);
}

int main(int argc, char **argv)
{
    query_host = &scree_query_calls;
    registry = scree_registry_new(NULL, NULL);
    return test_run(argc, argv);
}
