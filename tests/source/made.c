/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that are not round, made by number at the start and in a run: sizes, places, orientations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../scenes/physics/harness.h"
#include "base/rotation.h"
#include "shape/shape.h"

#define GLASS "materials = { glass = { density = 2500.0; }; };"
#define BELL "bell = { type = \"dumbbell\"; radius = 0.004; other = 0.003; distance = 0.008; };"
#define STICK "stick = { type = \"rod\"; length = 0.006; radius = 0.002; };"
#define BELLS PLUGINS "shapes = { " BELL " };"
#define RODS "resolvers = ( { plugin = \"rod\"; } ); shapes = { " STICK " };"
#define SPACE                                                                                      \
    "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0, 0, 0); max = (10, 10, 10); }; "    \
    "};" GLASS
#define SMALL                                                                                      \
    "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0, 0, 0); max = (0.1, 0.1, 0.1); }; " \
    "};" GLASS
#define PLANE                                                                                      \
    "scene = { dimension = 2; dt = 1.0e-5; region = { min = (0, 0); max = (99, 99); }; };" GLASS

static double sphere(double r)
{
    return 4.0 / 3.0 * G_PI * r * r * r;
}

static const scree_shape *shape_of(const scree_world *w, uint32_t i)
{
    return w->shapes[w->shape[i]];
}

/** Volume of a body, in 2D of 1 m thickness. */
static double volume_of(const scree_world *w, uint32_t i)
{
    return scree_shape_volume(shape_of(w, i), w->scale[i], 1.0);
}

/** World coordinates of a point of a body. */
static void point_of(const scree_world *w, uint32_t i, const double at[3], double out[3])
{
    const double q[4] = {w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]};
    double arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = w->scale[i] * at[k];
    scree_rotate(q, arm, arm);
    for (int k = 0; k < 3; k++)
        out[k] = w->x[k][i] + arm[k];
}

/* Overlaps by brute force */

/** Ball p of a rod: one of 41 in a row along its axis, which has the least moment. */
static bool rod_ball(const scree_world *w, uint32_t i, uint32_t p, double x[3], double *r)
{
    const scree_shape *shape = shape_of(w, i);
    double at[3] = {0.0, 0.0, 0.0};
    at[shape->inertia[0] < shape->inertia[2] ? 0 : 2] = 0.006 * (p / 40.0 - 0.5);
    *r = 0.002 * w->scale[i];
    point_of(w, i, at, x);
    return p <= 40;
}

/** Ball p of a body; false: there is no more. */
static bool ball_of(const scree_world *w, uint32_t i, uint32_t p, double x[3], double *r)
{
    const scree_shape *shape = shape_of(w, i);
    const scree_balls *balls = shape->balls;
    double at[3] = {0.0, 0.0, 0.0};
    if (!shape->flags)
        return rod_ball(w, i, p, x, r);
    if (p >= (balls ? balls->n : 1))
        return false;
    *r = w->scale[i] * (balls ? balls->radius[p] : 1.0);
    if (balls)
        for (int k = 0; k < 3; k++)
            at[k] = balls->centre[k][p];
    point_of(w, i, at, x);
    return true;
}

static double distance(const scree_sim *sim, const double a[3], const double b[3])
{
    const scree_scene *s = sim->scene;
    double d2 = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = b[k] - a[k], length = s->region_max[k] - s->region_min[k];
        if (s->boundary[k] == SCREE_BOUNDARY_PERIODIC)
            d -= length * rint(d / length);
        d2 += d * d;
    }
    return sqrt(d2);
}

/** Least gap between two bodies that have a mass; `bounding` gets that of their bounding balls. */
static double least_gap(const scree_sim *sim, double *bounding)
{
    const scree_world *w = sim->world;
    double least = HUGE_VAL, x[3], y[3], r, t;
    *bounding = HUGE_VAL;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t j = 0; j < i; j++) {
            if (scree_shape_is_wall(shape_of(w, i)) || scree_shape_is_wall(shape_of(w, j)))
                continue;
            const double a[3] = {w->x[0][i], w->x[1][i], w->x[2][i]};
            const double b[3] = {w->x[0][j], w->x[1][j], w->x[2][j]};
            double apart = distance(sim, a, b) - w->radius[i] - w->radius[j];
            *bounding = fmin(*bounding, apart);
            if (apart > 0.0)
                continue;
            for (uint32_t p = 0; ball_of(w, i, p, x, &r); p++)
                for (uint32_t o = 0; ball_of(w, j, o, y, &t); o++)
                    least = fmin(least, distance(sim, x, y) - r - t);
        }
    return least;
}

/* Random orientations */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/** Kolmogorov and Smirnov's statistic times sqrt(n), of values that should be even in [0, 1]: above
 * 1.95 with a chance of 0.001. */
static double off_even(double *value, uint32_t n)
{
    double worst = 0.0;
    qsort(value, n, sizeof *value, compare);
    for (uint32_t i = 0; i < n; i++)
        worst = fmax(worst, fmax(fabs(value[i] - (double)i / n), fabs(value[i] - (i + 1.0) / n)));
    return worst * sqrt((double)n);
}

/** Chi-square of cells that should be equally full. */
static double chi_square(const uint32_t *count, uint32_t cells, uint32_t n)
{
    double sum = 0.0, expected = (double)n / cells;
    for (uint32_t c = 0; c < cells; c++)
        sum += (count[c] - expected) * (count[c] - expected) / expected;
    return sum;
}

/** The worst of what uniform rotations make even: height and azimuth of each axis, the angle; and
 * of 8 x 8 cells of height and azimuth of an axis. */
static double off_uniform(const double (*q)[4], uint32_t n, double *chi)
{
    g_autofree double *value = g_new(double, n);
    double worst = 0.0;
    uint32_t cells[64] = {0};
    for (int axis = 0; axis < 3; axis++)
        for (int what = 0; what < 2; what++) {
            for (uint32_t i = 0; i < n; i++) {
                double v[3] = {axis == 0, axis == 1, axis == 2};
                scree_rotate(q[i], v, v);
                double height = 0.5 + 0.5 * v[2], azimuth = 0.5 + atan2(v[1], v[0]) / (2.0 * G_PI);
                value[i] = what ? azimuth : height;
                if (!axis && !what)
                    cells[8 * (int)fmin(7.0, 8.0 * height) + (int)fmin(7.0, 8.0 * azimuth)]++;
            }
            worst = fmax(worst, off_even(value, n));
        }
    for (uint32_t i = 0; i < n; i++) {
        double angle = 2.0 * acos(fmin(1.0, fabs(q[i][0])));
        value[i] = (angle - sin(angle)) / G_PI;
    }
    *chi = chi_square(cells, 64, n);
    return fmax(worst, off_even(value, n));
}

static void check_uniform(const scree_sim *sim, const char *made)
{
    const scree_world *w = sim->world;
    g_autofree double(*q)[4] = g_malloc_n(w->n, sizeof *q);
    double chi, off, length = 0.0;
    for (uint32_t i = 0; i < w->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[i][k] = w->q[k][i];
            square += q[i][k] * q[i][k];
        }
        length = fmax(length, fabs(square - 1.0));
    }
    off = off_uniform((const double(*)[4])q, w->n, &chi);
    // 63 degrees of freedom: above 104 with a chance of 0.001
    claim(w->n == 4000 && off < 1.95 && chi < 104.0 && length < 1e-14,
          "orientations-%s-are-uniform # %u bodies, KS %.3g, chi-square %.4g of 63", made, w->n,
          off, chi);
}

static void orientations(void)
{
    scree_sim *sim = start_text(SPACE BELLS "generate = { g = { shape = \"bell\"; count = 4000;"
                                            "  orientation = \"random\"; }; };");
    check_uniform(sim, "of-generate");
    scree_sim_free(sim);
    sim = start_text(SPACE BELLS "modifiers = { feed = { plugin = \"insert\"; number = 4000;"
                                 "  body = { orientation = \"random\"; shape = \"bell\"; }; }; };");
    run(sim, 1);
    check_uniform(sim, "of-insert");
    scree_sim_free(sim);
    // The measure sees rotations that are not uniform: random axes, even angles.
    dice d = {3};
    double(*q)[4] = g_malloc_n(4000, sizeof *q);
    double chi;
    for (int i = 0; i < 4000; i++) {
        double z = throw_dice(&d, -1.0, 1.0), turn = throw_dice(&d, 0.0, 2.0 * G_PI);
        double half = throw_dice(&d, 0.0, 0.5 * G_PI), flat = sqrt(1.0 - z * z);
        q[i][0] = cos(half);
        q[i][1] = sin(half) * flat * cos(turn);
        q[i][2] = sin(half) * flat * sin(turn);
        q[i][3] = sin(half) * z;
    }
    double off = off_uniform((const double(*)[4])q, 4000, &chi);
    claim(off > 4.0, "even-angles-about-random-axes-are-not # KS %.3g", off);
    g_free(q);
}

static void angles(void)
{
    g_autoptr(scree_sim) sim = start_text(
        PLANE BELLS
        "generate = { g = { shape = \"bell\"; count = 4000; orientation = \"random\"; }; };");
    const scree_world *w = sim->world;
    double *value = g_new(double, w->n), flat = 0.0;
    for (uint32_t i = 0; i < w->n; i++) {
        value[i] = fmod(2.0 * atan2(w->q[3][i], w->q[0][i]) / (2.0 * G_PI) + 2.0, 1.0);
        flat = fmax(flat, fabs(w->q[1][i]) + fabs(w->q[2][i]));
    }
    double off = off_even(value, w->n);
    claim(off < 1.95 && flat == 0.0, "angles-in-2d-are-uniform # %u bodies, KS %.3g", w->n, off);
    g_free(value);
}

/* A fixed orientation is that of `bodies`, in the user's frame. */
static void fixed(void)
{
#define TURN "orientation = { axis = (0.3, -0.5, 1.0); angle = 0.7; };"
    g_autoptr(scree_sim) sim = start_text(
        SPACE BELLS "bodies = { a = { shape = \"bell\"; position = (5, 5, 5); " TURN " };"
                    "  b = { shape = \"bell\"; position = (5, 5, 6); }; };"
                    "generate = { c = { shape = \"bell\"; count = 1; " TURN " };"
                    "  d = { shape = \"bell\"; count = 1; };"
                    "  e = { shape = \"bell\"; count = 1; orientation = \"fixed\"; }; };");
    const scree_world *w = sim->world;
    uint32_t at[6] = {0};
    bool same = true, other = false;
    for (uint64_t id = 1; id <= 5; id++)
        at[id] = body_of(sim, id);
    for (int k = 0; k < 4; k++) {
        const double *q = w->q[k];
        same = same && q[at[3]] == q[at[1]] && q[at[4]] == q[at[2]] && q[at[5]] == q[at[2]];
        other = other || q[at[1]] != q[at[2]];
    }
    claim(w->n == 5 && same && other, "a-fixed-orientation-is-that-of-bodies # %u", w->n);
}

/* Sizes */

static void sizes(void)
{
    scree_sim *sim = start_text(
        SPACE RODS
        "bodies = { a = { shape = \"stick\"; diameter = 0.02; position = (1, 1, 1); };"
        "  b = { shape = \"stick\"; radius = 0.01; position = (2, 1, 1); };"
        "  c = { shape = \"stick\"; scale = 2.0; position = (3, 1, 1); }; };"
        "generate = { d = { shape = \"stick\"; count = 1; diameter = 0.02; };"
        "  e = { shape = \"stick\"; count = 500; distribution = { type = \"uniform\"; min = 0.02;"
        "   max = 0.04; of = \"diameter\"; }; }; };");
    const scree_world *w = sim->world;
    const double stick = G_PI * 4e-6 * 0.006 + sphere(0.002);
    double least = HUGE_VAL, most = 0.0, mean = 0.0;
    for (uint64_t id = 1; id <= 4; id++) {
        const double mass = w->mass[body_of(sim, id)];
        const double expected = 2500.0 * (id == 3 ? 8.0 * stick : sphere(0.01));
        claim(fabs(mass / expected - 1.0) < 1e-14, "%s # body %u: %.17g kg",
              id == 3 ? "scale-multiplies-lengths"
                      : "a-diameter-is-that-of-the-sphere-of-equal-volume",
              (unsigned)id, mass);
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->id[i] <= 4)
            continue;
        double r = cbrt(0.75 * w->mass[i] / 2500.0 / G_PI);
        least = fmin(least, r);
        most = fmax(most, r);
        mean += r / 500.0;
    }
    claim(least > 0.01 && most < 0.02 && fabs(mean - 0.015) < 5 * 0.01 / sqrt(12.0 * 500.0),
          "so-are-those-of-a-distribution # %g to %g m, mean %g m", least, most, mean);
    scree_sim_free(sim);
    sim = start_text(PLANE BELLS
                     "generate = { g = { shape = \"bell\"; count = 1; diameter = 0.02; }; };");
    claim(fabs(sim->world->mass[0] / (2500.0 * G_PI * 1e-4) - 1.0) < 1e-14,
          "in-2d-that-of-the-disc-of-equal-area # %.17g kg", sim->world->mass[0]);
    scree_sim_free(sim);
}

/* Places */

static void clumps(void)
{
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-5; boundary = [\"periodic\", \"open\", \"open\"];"
        "  region = { min = (0, 0, 0); max = (0.1, 0.1, 0.1); }; };" GLASS PLUGINS
        "shapes = { " BELL " floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };"
        "  side = { type = \"box\"; size = (0.2, 0.002, 0.2); }; };"
        "bodies = { floor = { shape = \"floor\"; position = (0.0, 0.0, 0.02); };"
        "  side = { shape = \"side\"; position = (0.05, 0.05, 0.05); };"
        "  big = { shape = \"bell\"; scale = 3.0; motion = \"fixed\"; position = (0.05, 0.03, "
        "0.05); };"
        "  ball = { radius = 0.01; motion = \"fixed\"; position = (0.03, 0.08, 0.08); }; };"
        "generate = { g = { shape = \"bell\"; fraction = 0.12; orientation = \"random\"; tries = "
        "100000;"
        "  distribution = { type = \"uniform\"; min = 0.003; max = 0.006; }; }; };");
    const scree_world *w = sim->world;
    double bounding, gap = least_gap(sim, &bounding), sum = 0.0, largest = 0.0, low = HUGE_VAL,
                     high = -HUGE_VAL, rim = HUGE_VAL, x[3], r;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->motion[i] != SCREE_MOTION_FREE)
            continue;
        sum += volume_of(w, i);
        largest = fmax(largest, volume_of(w, i));
        for (uint32_t p = 0; ball_of(w, i, p, x, &r); p++) {
            low = fmin(low, x[2] - r - 0.02);
            high = fmax(high, x[0] + r);
            rim = fmin(rim, fabs(x[1] - 0.05) - 0.001 - r); // of the wall across the middle
        }
    }
    claim(gap > -1e-12, "clumps-do-not-overlap # least gap %g m", gap);
    claim(bounding < -1e-4, "their-bounding-balls-do # by %g m", -bounding);
    claim(low > -1e-12 && rim > -1e-12, "they-keep-off-planes-and-facets # %g m, %g m", low, rim);
    claim(fabs(sum / 1e-3 - 0.12) < largest / 1e-3,
          "the-fraction-is-reached-within-a-body # %.6f, a body %.6f", sum / 1e-3, largest / 1e-3);
    claim(high > 0.1, "across-a-periodic-end-too # to %g m", high);
}

static void rods(void)
{
    scree_sim *sim = start_text(
        SMALL RODS
        "generate = { g = { shape = \"stick\"; fraction = 0.03; orientation = \"random\"; }; };");
    const scree_world *w = sim->world;
    double bounding, gap = least_gap(sim, &bounding);
    const double one = G_PI * 4e-6 * 0.006 + sphere(0.002);
    claim(gap > -1e-12, "rods-do-not-overlap # least gap %g m", gap);
    claim(bounding < -1e-4, "the-bounding-balls-of-rods-do # by %g m", -bounding);
    claim(fabs(w->n * one / 1e-3 - 0.03) < one / 1e-3,
          "and-reach-the-fraction-of-their-volume # %u of %g m^3", w->n, one);
    scree_sim_free(sim);
    sim = start_text(SMALL RODS "generate = { g = { shape = \"stick\"; method = \"lattice\"; "
                                "orientation = \"random\"; }; };");
    gap = least_gap(sim, &bounding);
    claim(sim->world->n == 1000 && bounding > -1e-12,
          "a-lattice-is-as-wide-as-bounding-balls # %u rods, %g m", sim->world->n, bounding);
    scree_sim_free(sim);
}

/* Two clumps that cross: ball against ball there is room in the only place there is. */
static void crossed(void)
{
#define CROSS                                                                                      \
    "shapes = { long = { type = \"dumbbell\"; radius = 0.004; other = 0.004; distance = 0.03; }; " \
    "};"                                                                                           \
    "bodies = { a = { shape = \"long\"; position = (0.035, 0.05, 0.05); motion = \"fixed\"; }; };"
#define ONLY "region = { min = (0.03, 0.03, 0.03); max = (0.07, 0.07, 0.07); };"
    scree_sim *sim = start_text(SMALL PLUGINS CROSS
                                "generate = { b = { shape = \"long\"; count = 1;" ONLY
                                "orientation = { axis = (0, 0, 1); angle = \"90 deg\"; }; }; };");
    const scree_world *w = sim->world;
    double bounding, gap = least_gap(sim, &bounding);
    claim(w->n == 2 && gap > 0.0 && bounding < -0.03, "clumps-may-cross # gap %g m, bounding %g m",
          gap, bounding);
    scree_sim_free(sim);
    sim = start_text(SMALL PLUGINS CROSS
                     "modifiers = { feed = { plugin = \"insert\"; number = 1;" ONLY
                     "body = { orientation = \"random\"; shape = \"long\"; }; }; };");
    run(sim, 1);
    w = sim->world;
    gap = least_gap(sim, &bounding);
    claim(w->n == 2 && gap > 0.0 && bounding < -0.03, "inserted-ones-too # gap %g m, bounding %g m",
          gap, bounding);
    scree_sim_free(sim);
}

/* Discs of clumps in the plane, across a periodic end. */
static void flat_clumps(void)
{
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 2; dt = 1.0e-5; boundary = [\"periodic\", \"open\"];"
        "  region = { min = (0, 0); max = (0.3, 0.3); }; };" GLASS BELLS
        "generate = { g = { shape = \"bell\"; fraction = 0.35; orientation = \"random\"; }; };");
    const scree_world *w = sim->world;
    double bounding, gap = least_gap(sim, &bounding);
    const double one = G_PI * (0.004 * 0.004 + 0.003 * 0.003), share = w->n * one / 0.09;
    claim(gap > -1e-12 && bounding < -1e-4 && fabs(share - 0.35) < one / 0.09,
          "clumps-in-2d-fill-a-fraction-without-overlap # %u, %.4f of the area, least gap %g m",
          w->n, share, gap);
}

/* Inserted bodies are those of `bodies`. */
static void inserted(void)
{
    g_autoptr(scree_sim) sim = start_text(
        SMALL BELLS
        "bodies = { a = { shape = \"bell\"; diameter = 0.009; position = (0.05, 0.05, 0.05); "
        "motion = \"fixed\"; };"
        "  b = { shape = \"bell\"; diameter = 0.009; position = (5, 5, 5); }; };"
        "modifiers = { feed = { plugin = \"insert\"; number_rate = 5.0e6; number = 150;"
        "  body = { orientation = \"random\"; shape = \"bell\"; diameter = 0.009; }; }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.5; friction = 0.4; } );");
    const scree_world *w = sim->world;
    double bounding, gap;
    bool alike = true, moments;
    run(sim, 1);
    uint32_t first = w->n;
    run(sim, 2);
    gap = least_gap(sim, &bounding);
    uint32_t free_one = body_of(sim, 2);
    for (uint32_t i = 0; i < w->n_free; i++) {
        alike = alike && w->mass[i] == w->mass[free_one];
        for (int k = 0; k < 3; k++)
            alike = alike && w->inv_inertia[k][i] == w->inv_inertia[k][free_one];
        alike = alike &&
                (w->id[i] == 2 || strcmp(sim->scene->group_names->pdata[w->group[i]], "feed") == 0);
    }
    moments = w->inv_inertia[0][free_one] != w->inv_inertia[1][free_one];
    claim(first == 52 && w->n == 152 && alike && moments,
          "inserted-clumps-have-mass-moments-and-group # %u bodies, %g 1/(kg m^2)", w->n,
          w->inv_inertia[0][free_one]);
    claim(gap > -1e-12 && bounding < 0.0 && sim->counters.sum_contacts == 0,
          "they-overlap-nothing-by-their-balls # %g m, bounding balls %g m", gap, bounding);
}

/* A clump that only `insert` brings rests on both of its balls. */
static void parts(void)
{
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-5; gravity = (0, 0, -9.81); };" GLASS PLUGINS
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.004; other = 0.004; distance = 0.008; "
        "};"
        "  floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { f = { shape = \"floor\"; }; };"
        "modifiers = { feed = { plugin = \"insert\"; number = 1; body = { shape = \"bell\"; "
        "orientation = \"random\"; };"
        "  region = { min = (0, 0, 0); max = (0.1, 0.1, 0.017); }; }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e3; restitution = 0.1; friction = 0.5; } );");
    run(sim, 100000);
    const scree_world *w = sim->world;
    claim(w->n == 2 && sim->counters.contacts == 2 && fabs(w->x[2][0] - 0.004) < 1e-5,
          "an-inserted-clump-comes-to-rest-on-its-balls # %u contacts, height %g m",
          (uint32_t)sim->counters.contacts, w->x[2][0]);
}

/* Which radius `remove` compares. */
static void removed(void)
{
    g_autoptr(scree_sim) sim = start_text(
        SPACE BELLS
        "bodies = { a = { shape = \"bell\"; diameter = 0.0199; position = (1, 1, 1); };"
        "  b = { shape = \"bell\"; diameter = 0.0201; position = (2, 1, 1); };"
        "  c = { radius = 0.0101; position = (3, 1, 1); }; d = { radius = 0.0099; position = "
        "(4, 1, 1); }; };"
        "modifiers = { sink = { plugin = \"remove\"; min_radius = 0.01; }; };");
    run(sim, 1);
    const scree_world *w = sim->world;
    claim(w->n == 2 && w->id[0] == 1 && w->id[1] == 4,
          "remove-asks-the-radius-of-the-sphere-of-equal-volume # %u left", w->n);
}

int main(void)
{
    orientations();
    angles();
    fixed();
    sizes();
    clumps();
    rods();
    flat_clumps();
    crossed();
    inserted();
    parts();
    removed();
    return tap_end();
}
