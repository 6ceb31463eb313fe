// SPDX-License-Identifier: Apache-2.0
// Time per pair of solids against the error of their geometry: `sdf` over cells, `cyrus_beck` over facets.
/*
 * usage: solid_bench SDF.so CYRUS_BECK.so [PAIRS]
 *
 * Two balls of radius 1, as a function (superquadric, xi = eta = 1, whose distance is known) and as 2 352 facets,
 * overlap by 0.1 % to 1 % in random poses: the exact depth is 2 less the distance of the centres. Two ellipsoids of
 * half axes 1, 0.8, 0.5 against the same pair at 64 cells. Prints for each number of cells the time to prepare a
 * shape, its samples and nodes, the time per pair, and the error of the depth: mean and largest, as a share of the
 * radius. Then `cyrus_beck` on balls of facets, whose error is that of the facets.
 */
#include <time.h>

#include "../conformance/solid_scene.h"

static test_solid ball, facets, ellipsoid;
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // others use the machine too
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void value_of(const void *ctx, uint32_t n, const double *const x[3], double *value,
                     double *const gradient[3])
{
    const double *axis = ctx;
    (void)gradient;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += x[k][i] * x[k][i] / (axis[k] * axis[k]);
        value[i] = sqrt(sum) - 1.0;
    }
}

static void make_function(test_solid *s, const double *axis)
{
    solid_start(s);
    s->implicit = (scree_implicit){.size = sizeof s->implicit, .ctx = axis, .value = value_of};
    solid_finish(s);
    s->shape.radius = fmax(fmax(axis[0], axis[1]), axis[2]);
}

typedef struct pose {
    double q[4][2], d[3], depth;
} pose;

/* Random turns, and centres apart by the sum of the radii along u less the depth; b is turned. */
static void pose_balls(fake_host *fake, pose *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        solid_pair p;
        double u[3], square;
        init_pair(&p);
        for (int k = 0; k < 2; k++)
            turn_randomly(fake, &p, k);
        do {
            square = 0.0;
            for (int k = 0; k < 3; k++) {
                u[k] = fake_uniform(fake, -1.0, 1.0);
                square += u[k] * u[k];
            }
        } while (square > 1.0 || square < 0.01);
        list[i].depth = fake_uniform(fake, 0.001, 0.01);
        for (int k = 0; k < 3; k++)
            list[i].d[k] = (2.0 - list[i].depth) * u[k] / sqrt(square);
        memcpy(list[i].q, p.q, sizeof p.q);
    }
}

typedef struct result {
    double prepare, time, mean, most, contacts, missed; /* [s] [s] of a pair, [m] [m] */
} result;

/* Depths of the deepest contacts, of all poses. */
static result measure(subject *s, const test_solid *of, const pose *list, uint32_t n,
                      const double *exact)
{
    static solid_touches t;
    solid_pair p;
    result r = {0};
    init_pair(&p);
    for (int k = 0; k < 2; k++)
        set_solid(&p, k, of);
    double from = now();
    prepare_solid(s, 0, of);
    r.prepare = now() - from;
    prepare_solid(s, 1, of);
    for (uint32_t i = 0; i < n; i++) {
        memcpy(p.q, list[i].q, sizeof p.q);
        memcpy(p.d, list[i].d, sizeof p.d);
        from = now();
        const uint32_t m = touch_solids(s, &p, 0.02, &t);
        r.time += (now() - from) / n;
        const double off = m ? fabs(t.depth[deepest_touch(&t)] - exact[i]) : 0.0;
        r.missed += m == 0;
        r.contacts += (double)m / n;
        r.mean += off / n;
        r.most = fmax(r.most, off);
    }
    return r;
}

static void print(const char *what, double size, const result *r, uint32_t n)
{
    printf("%-34s %5g  %8.1f ms  %9.0f ns  %.2e  %.2e  %4.1f contacts, %g of %u missed\n", what,
           size, 1e3 * r->prepare, 1e9 * r->time, r->mean, r->most, r->contacts, r->missed, n);
}

static result sdf_of(const char *path, const test_solid *of, double cells, double spacing,
                     double way, const pose *list, uint32_t n, const double *exact)
{
    const setting settings[] = {{"cells", cells}, {"spacing", spacing}, {"distance", way}, {0}};
    subject s;
    start_solids(&s, path, settings);
    const result r = measure(&s, of, list, n, exact);
    stop_solids(&s);
    return r;
}

/* Ellipsoids: the depth along the line of centres is taken until the pair overlaps by about the depth, then the
 * finest grid is what others are compared with. */
static void pose_ellipsoids(const char *path, pose *list, uint32_t n, double *exact)
{
    const setting settings[] = {{"cells", 64.0}, {0}};
    static solid_touches t;
    subject s;
    solid_pair p;
    start_solids(&s, path, settings);
    init_pair(&p);
    for (int k = 0; k < 2; k++) {
        set_solid(&p, k, &ellipsoid);
        prepare_solid(&s, (uint32_t)k, &ellipsoid);
    }
    for (uint32_t i = 0; i < n; i++) {
        memcpy(p.q, list[i].q, sizeof p.q);
        memcpy(p.d, list[i].d, sizeof p.d);
        p.keep = 1;
        for (int step = 0; step < 6; step++) {
            touch_solids(&s, &p, 0.02, &t);
            const uint32_t c = deepest_touch(&t);
            exact[i] = t.depth[c];
            if (step == 5)
                break;
            for (int k = 0; k < 3; k++)
                p.d[k] += (t.depth[c] - list[i].depth) * t.normal[k][c];
        }
        memcpy(list[i].d, p.d, sizeof p.d);
    }
    stop_solids(&s);
}

int main(int argc, char **argv)
{
    static const double unit[3] = {1.0, 1.0, 1.0}, axes[3] = {1.0, 0.8, 0.5};
    static const char *const ways[] = {"exact", "quadratic", "linear"};
    const uint32_t n = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 400;
    pose *list = calloc(n, sizeof *list);
    double *exact = calloc(n, sizeof *exact);
    fake_host fake;
    if (argc < 3 || n == 0 || !list || !exact)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    fake_init(&fake, 3);
    make_function(&ball, unit);
    make_function(&ellipsoid, axes);
    make_ball(&facets, 14);
    pose_balls(&fake, list, n);
    for (uint32_t i = 0; i < n; i++)
        exact[i] = list[i].depth;
    printf("pairs of solids of radius 1, overlapping by 0.001 to 0.01; errors of the deepest "
           "contact\n");
    printf("%-34s %5s  %11s  %12s  %8s  %8s\n", "", "cells", "prepare", "per pair", "mean",
           "largest");
    for (double cells = 8.0; cells <= 32.0; cells *= 2.0)
        for (int way = 0; way < 3; way++) {
            char what[64];
            snprintf(what, sizeof what, "sdf, ball by function, %s", ways[way]);
            const result r = sdf_of(argv[1], &ball, cells, 1.0, way, list, n, exact);
            print(what, cells, &r, n);
        }
    for (double cells = 8.0; cells <= 32.0; cells *= 2.0) {
        const result r = sdf_of(argv[1], &facets, cells, 1.0, 0.0, list, n, exact);
        print("sdf, 2 352 facets, exact", cells, &r, n);
    }
    subject s;
    const uint32_t few = n < 20 ? n : 20;
    for (uint32_t parts = 2; parts <= 14; parts += 4) {
        char what[64];
        make_ball(&facets, parts);
        start_solids(&s, argv[2], NULL);
        s.fake.host.log = fake_log;
        const result r = measure(&s, &facets, list, few, exact);
        snprintf(what, sizeof what, "cyrus_beck, %u facets", facets.mesh.n_facets);
        print(what, 0.0, &r, few);
        stop_solids(&s);
    }
    pose_ellipsoids(argv[1], list, n, exact);
    for (double cells = 8.0; cells <= 32.0; cells *= 2.0) {
        const result r = sdf_of(argv[1], &ellipsoid, cells, 1.0, 0.0, list, n, exact);
        print("sdf, ellipsoid by function, exact", cells, &r, n);
    }
    free(list);
    free(exact);
    return 0;
}
