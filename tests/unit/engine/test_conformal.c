/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces against boxes: distances by alternating projections (Cheney and Goldstein 1959), which
 * know no separating axes. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/sim.h"

enum { FACETS = 24, BOXES = 400 };

typedef struct polygon {
    uint32_t n;
    double corner[4][3];
} polygon;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void closest_on_edge(const double x[3], const double a[3], const double b[3], double out[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = x[k] - a[k];
    }
    const double t = CLAMP(dot(u, v) / dot(u, u), 0.0, 1.0);
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + t * u[k];
}

/** The foot on the plane when it is on the inner side of all edges, else the nearest edge point. */
static void closest_on_polygon(const polygon *p, const double x[3], double out[3])
{
    double u[3], v[3], n[3], foot[3], best = HUGE_VAL;
    bool inside = p->n > 2;
    for (int k = 0; k < 3; k++) {
        u[k] = p->corner[1][k] - p->corner[0][k];
        v[k] = p->corner[p->n - 1][k] - p->corner[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double height = 0.0;
    for (int k = 0; k < 3; k++)
        height += n[k] * (x[k] - p->corner[0][k]);
    for (int k = 0; k < 3; k++)
        foot[k] = x[k] - (inside ? height / dot(n, n) * n[k] : 0.0);
    for (uint32_t c = 0; c < p->n; c++) {
        const double *a = p->corner[c], *b = p->corner[(c + 1) % p->n];
        double at[3], d2 = 0.0, side = 0.0;
        for (int k = 0; k < 3; k++) {
            const double edge1 = b[(k + 1) % 3] - a[(k + 1) % 3];
            const double edge2 = b[(k + 2) % 3] - a[(k + 2) % 3];
            side += n[k] * (edge1 * (foot[(k + 2) % 3] - a[(k + 2) % 3]) -
                            edge2 * (foot[(k + 1) % 3] - a[(k + 1) % 3]));
        }
        inside = inside && side >= 0.0;
        closest_on_edge(x, a, b, at);
        for (int k = 0; k < 3; k++)
            d2 += (x[k] - at[k]) * (x[k] - at[k]);
        if (d2 < best) {
            best = d2;
            memcpy(out, at, sizeof at);
        }
    }
    if (inside)
        memcpy(out, foot, sizeof foot);
}

/** From a box that is smaller by `less` on each side; from above, to 1e-5 or so. */
static double distance(const polygon *p, const double low[3], const double high[3], double less)
{
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = low[k] < high[k] ? low[k] + less : low[k];
        hi[k] = low[k] < high[k] ? high[k] - less : high[k];
    }
    double x[3], y[3], d2 = 0.0, step = 1.0;
    for (int k = 0; k < 3; k++)
        x[k] = CLAMP(p->corner[0][k], lo[k], hi[k]);
    for (int n = 0; n < 20000 && step > 1e-8; n++) {
        closest_on_polygon(p, x, y);
        step = 0.0;
        for (int k = 0; k < 3; k++) {
            const double to = CLAMP(y[k], lo[k], hi[k]);
            step = fmax(step, fabs(to - x[k]));
            x[k] = to;
        }
    }
    for (int k = 0; k < 3; k++)
        d2 += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(d2);
}

/** Quads are parallelograms. */
static polygon draw(GRand *r, uint32_t n, uint32_t dimension)
{
    polygon p = {.n = n};
    for (uint32_t c = 0; c < MIN(n, 3u); c++)
        for (uint32_t k = 0; k < dimension; k++)
            p.corner[c][k] = (c ? p.corner[0][k] : 0.0) + g_rand_double_range(r, -0.5, 0.5);
    if (n == 4)
        for (uint32_t k = 0; k < dimension; k++)
            p.corner[3][k] = p.corner[0][k] + p.corner[2][k] - p.corner[1][k];
    return p;
}

static void append_mesh(GString *text, const polygon *p, uint32_t dimension)
{
    g_string_append_printf(text, "vertices = (");
    for (uint32_t f = 0; f < FACETS; f++)
        for (uint32_t c = 0; c < p[f].n; c++) {
            char number[3][G_ASCII_DTOSTR_BUF_SIZE];
            for (uint32_t k = 0; k < 3; k++)
                g_ascii_formatd(number[k], sizeof number[k], "%.17f", p[f].corner[c][k]);
            g_string_append_printf(text, "%s(%s, %s", f + c ? ", " : "", number[0], number[1]);
            g_string_append_printf(text, dimension == 3 ? ", %s)" : ")", number[2]);
        }
    g_string_append_printf(text, ");\n %s = (", dimension == 3 ? "facets" : "segments");
    for (uint32_t f = 0, vertex = 0; f < FACETS; f++)
        for (uint32_t c = 0; c < p[f].n; c++)
            g_string_append_printf(text, "%s%u%s",
                                   c   ? ", "
                                   : f ? ", ("
                                       : "(",
                                   vertex++, c + 1 == p[f].n ? ")" : "");
    g_string_append_printf(text, ");\n");
}

/** A body of polygons, where they are, and a ball. */
static scree_sim *begin(GRand *r, uint32_t dimension, double range, polygon p[FACETS])
{
    g_autoptr(GString) text = g_string_new(NULL);
    const double at[3] = {1.0, -2.0, dimension == 3 ? 3.0 : 0.0};
    for (uint32_t f = 0; f < FACETS; f++)
        p[f] = draw(r, dimension == 2 ? 2 : 3 + f % 2, dimension);
    g_string_append_printf(text, "scene = { dimension = %u; dt = 1.0; %s};\n" GLASS, dimension,
                           dimension == 2 ? "thickness = 0.01; " : "");
    g_string_append_printf(text, "shapes = { walls = { type = \"%s\"; ",
                           dimension == 3 ? "mesh" : "segments");
    append_mesh(text, p, dimension);
    g_string_append_printf(
        text,
        "}; };\nbodies = { ball = { shape = \"%s\"; radius = 0.1; position = (9.0, 9.0%s };\n",
        dimension == 3 ? "sphere" : "disc", dimension == 3 ? ", 9.0);" : ");");
    g_string_append_printf(text, "walls = { shape = \"walls\"; position = (1.0, -2.0%s); }; };\n",
                           dimension == 3 ? ", 3.0" : "");
    g_string_append(text, LINEAR);
    for (uint32_t f = 0; f < FACETS; f++)
        for (uint32_t c = 0; c < p[f].n; c++)
            for (int k = 0; k < 3; k++)
                p[f].corner[c][k] += at[k];
    scree_sim *sim = fixture_sim(text->str);
    sim->plugins.contact.range = 2.0 * range;
    sim->boxes.valid = false;
    sim->contacts.stale = true;
    fixture_evaluate(sim);
    return sim;
}

/** `range`: what facets are grown by. */
static void compare(uint32_t dimension, double range)
{
    GRand *r = g_rand_new_with_seed(11 + dimension);
    polygon p[FACETS];
    scree_sim *sim = begin(r, dimension, range, p);
    const scree_conformal *service = &sim->search.conformal;
    uint32_t near = 0, apart = 0, told_apart = 0;
    g_assert_false(service->knows(service->ctx, 0));
    for (uint32_t n = 0; n < BOXES; n++) {
        const double d = n % 3 ? g_rand_double_range(r, 0.0, 0.1) : 0.0;
        double lo[3] = {0.0}, hi[3] = {0.0}, low[3] = {0.0}, high[3] = {0.0};
        for (uint32_t k = 0; k < dimension; k++) {
            const double middle = p[0].corner[0][k] + g_rand_double_range(r, -0.5, 0.5);
            const double half = g_rand_double_range(r, 0.002, n % 2 ? 0.3 : 0.05);
            lo[k] = middle - half;
            hi[k] = middle + half;
            low[k] = lo[k] - d;
            high[k] = hi[k] + d;
        }
        for (uint32_t f = 0; f < FACETS; f++) {
            const double gap = distance(&p[f], low, high, 0.0);
            const bool told = service->comes_within(service->ctx, 1 + f, lo, hi, d);
            g_assert_true(service->knows(service->ctx, 1 + f));
            const bool met = gap < range - 1e-4 || distance(&p[f], low, high, 1e-3) < 5e-4;
            near += met;
            apart += gap > range + 1e-4;
            told_apart += !told;
            g_assert_false(met && !told);
            g_assert_false(range == 0.0 && gap > 1e-4 && told);
        }
    }
    g_assert_cmpuint(near, >, 300);
    g_assert_cmpuint(apart, >, 300);
    g_assert_cmpuint(told_apart, >, apart * 8 / 10);
    const double all[2][3] = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    g_assert_true(service->comes_within(service->ctx, 1, all[0], all[1], 0.0));
    scree_sim_free(sim);
    g_rand_free(r);
}

TEST("/conformal/facets")
{
    compare(3, 0.0);
    compare(3, 0.05);
}

TEST("/conformal/segments")
{
    compare(2, 0.0);
    compare(2, 0.05);
}

/** A facet that begins to move is forgotten; one that is turned is known in its new pose. */
TEST("/conformal/motion")
{
    GRand *r = g_rand_new_with_seed(3);
    polygon p[FACETS];
    scree_sim *sim = begin(r, 3, 0.0, p);
    const scree_conformal *service = &sim->search.conformal;
    scree_world *w = sim->world;
    const double *first = p[0].corner[0];
    const double far[3] = {first[0] + 50.0, first[1], first[2]};
    g_assert_true(service->comes_within(service->ctx, 1, first, first, 1e-9));
    g_assert_false(service->comes_within(service->ctx, 1, far, far, 1e-9));
    w->x[0][1] += 50.0;
    sim->boxes.valid = false;
    sim->contacts.stale = true;
    fixture_evaluate(sim);
    g_assert_false(service->comes_within(service->ctx, 1, first, first, 1e-9));
    g_assert_true(service->comes_within(service->ctx, 1, far, far, 1e-9));
    w->motion[1] = SCREE_MOTION_KINEMATIC;
    sim->contacts.stale = true;
    fixture_evaluate(sim);
    g_assert_false(service->knows(service->ctx, 1));
    g_assert_true(service->comes_within(service->ctx, 1, first, first, 1e-9));
    scree_sim_free(sim);
    g_rand_free(r);
}
