/* SPDX-License-Identifier: Apache-2.0 */
/* Tables 3.2 and 3.3 of O'Connor 1996: point classification by the discrete function representation and by
 * Cyrus and Beck, for two polygons of N points that overlap completely, with the whole resolvers next to it.
 *
 * usage: dfr_bench PLUGIN FOLDER [MILLISECONDS]     of the plugins; how long each figure is measured
 *
 * Only the point test: all N points of each polygon against the other one, 2 N panels against 2 N^2 sides, without
 * an early exit. Kernels are those of the resolvers. The fastest of many short repetitions counts, and all
 * kernels take turns, because other programs on the machine only ever add. It ends with status 1 unless all
 * kernels find the same points inside. */
#include <time.h>

#include "../resolver/polygon/strip_scene.h"
#include "dfr_kernels.h"

enum { SIZES = 11, FIRST_OF_FIT = 4, ROOM = 600 };
static const uint32_t sizes[SIZES] = {6, 10, 14, 20, 50, 100, 200, 300, 400, 500, 600};

enum {
    SIMPLE,
    TABLES,
    HEIGHTS,
    PRINTED,
    DOT,
    HEIGHTS_V3,
    DOT_V3,
    WHOLE,
    WHOLE_PRINTED,
    WHOLE_DFR,
    WAYS
};
static const char *const names[WAYS] = {
    "dfr_scalar_division",   "dfr_scalar",          "dfr_scalar_heights",
    "cyrus_beck_printed",    "cyrus_beck_dot",      "dfr_vector_heights",
    "cyrus_beck_dot_vector", "resolver_cyrus_beck", "resolver_cyrus_beck_printed",
    "resolver_dfr2d"};

/* Both polygons are the same one. */
static struct {
    double x[ROOM], y[ROOM], upper[ROOM], lower[ROOM], rise_u[ROOM], rise_l[ROOM];
    double ex[ROOM], ey[ROOM], nx[ROOM], ny[ROOM], offset[ROOM], out[5][ROOM], rows[4 * ROOM];
} one;
static dfr_job jobs[2];
static subject dfr, beck;
static uint32_t inside[WAYS];
static int is_v3;

/* A host's: it keeps its memory. */
static void *keep_scratch(void *ctx, uint32_t lane, uint64_t bytes)
{
    static _Alignas(64) char memory[1u << 20];
    return bytes <= sizeof memory ? memory : NULL;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* N points of a circle: n = N / 2 - 1 panels, both ends twice. */
static void make_polygon(uint32_t n_points)
{
    const uint32_t n = n_points / 2 - 1;
    poly_circle(&polys[0], n, 1);
    const poly *p = &polys[0];
    for (uint32_t k = 0; k <= n; k++) {
        one.x[k] = one.x[n_points - 1 - k] = 1.0 - k * (2.0 / n);
        one.y[k] = one.upper[k] = p->upper[n - k];
        one.y[n_points - 1 - k] = one.lower[k] = p->lower[n - k];
    }
    for (uint32_t k = 0; k <= n; k++) {
        one.rise_u[k] = k < n ? one.upper[k + 1] - one.upper[k] : 0.0;
        one.rise_l[k] = k < n ? one.lower[k + 1] - one.lower[k] : 0.0;
        one.rows[4 * k] = one.upper[k] - k * one.rise_u[k];
        one.rows[4 * k + 1] = one.rise_u[k];
        one.rows[4 * k + 2] = one.lower[k] - k * one.rise_l[k];
        one.rows[4 * k + 3] = one.rise_l[k];
    }
    for (uint32_t i = 0; i < n_points; i++) { // sides of length 0 at both ends: as many as points
        const uint32_t j = (i + 1) % n_points;
        one.ex[i] = one.x[j] - one.x[i];
        one.ey[i] = one.y[j] - one.y[i];
        const double length = hypot(one.ex[i], one.ey[i]);
        if (!(length > 0.0)) {
            one.ex[i] = 0.0;
            one.ey[i] = one.x[i] > 0.0 ? 1.0 : -1.0;
        }
        one.nx[i] = -one.ey[i] / (length > 0.0 ? length : 1.0);
        one.ny[i] = one.ex[i] / (length > 0.0 ? length : 1.0);
        one.offset[i] = one.nx[i] * one.x[i] + one.ny[i] * one.y[i];
    }
    for (int k = 0; k < 2; k++) {
        const double c = cos(0.5), s = k ? -sin(0.5) : sin(0.5);
        jobs[k] =
            (dfr_job){.n_points = n_points,
                      .x = one.x,
                      .y = one.y,
                      .m = {{0.99 * c, -0.99 * s}, {0.99 * s, 0.99 * c}},
                      .panels = {1.0, n / 2.0, n, one.upper, one.lower, one.rise_u, one.rise_l},
                      .rows = one.rows,
                      .sides = {n_points, one.x, one.y, one.ex, one.ey, one.nx, one.ny, one.offset},
                      .out = {one.out[0], one.out[1], one.out[2], one.out[3], one.out[4]}};
    }
}

static uint32_t both_ways(uint32_t (*kernel)(const dfr_job *j))
{
    return kernel(&jobs[0]) + kernel(&jobs[1]);
}

static uint32_t resolve_one(subject *s)
{
    if (!run_over(s, 0))
        exit(1);
    return found.out.n;
}

static uint32_t once(int way)
{
    const dfr_kernels *scalar = &dfr_kernels_scalar, *v3 = is_v3 ? &dfr_kernels_v3 : scalar;
    beck.config[0] = way == WHOLE_PRINTED ? 0 : 1;
    switch (way) {
    case SIMPLE:
        return both_ways(scalar->dfr_simple);
    case TABLES:
        return both_ways(scalar->dfr_tables);
    case HEIGHTS:
        return both_ways(scalar->dfr_heights);
    case PRINTED:
        return both_ways(scalar->cyrus_as_printed);
    case DOT:
        return both_ways(scalar->cyrus_one_dot);
    case HEIGHTS_V3:
        return both_ways(v3->dfr_heights);
    case DOT_V3:
        return both_ways(v3->cyrus_one_dot);
    default:
        return resolve_one(way == WHOLE_DFR ? &dfr : &beck);
    }
}

/* [us] least time of each way, in turns. */
static void measure(double budget, double *best)
{
    uint32_t repeat[WAYS];
    for (int w = 0; w < WAYS; w++) {
        const double start = seconds();
        inside[w] = once(w);
        repeat[w] = 1 + (uint32_t)(20e-6 / (seconds() - start));
        best[w] = 1e9;
    }
    for (double end = seconds() + budget; seconds() < end;)
        for (int w = 0; w < WAYS; w++) {
            const double start = seconds();
            for (uint32_t i = 0; i < repeat[w]; i++)
                inside[w] = once(w);
            best[w] = fmin(best[w], 1e6 * (seconds() - start) / repeat[w]);
        }
}

/* Slope of log time over log N by least squares, from N = 50 to 500. */
static double power_of(double times[SIZES][WAYS], int way)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = FIRST_OF_FIT; k < SIZES && sizes[k] <= 500; k++) {
        const double x = log(sizes[k]), y = log(times[k][way]);
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void print_all(double times[SIZES][WAYS])
{
    static const int pairs[][2] = {{PRINTED, SIMPLE},  {PRINTED, TABLES},
                                   {DOT, TABLES},      {DOT_V3, HEIGHTS_V3},
                                   {WHOLE, WHOLE_DFR}, {WHOLE_PRINTED, WHOLE_DFR}};
    printf("# microseconds for a pair of polygons of N points, both ways\n# N");
    for (int w = 0; w < WAYS; w++)
        printf("\t%s", names[w]);
    for (int k = 0; k < SIZES; k++) {
        printf("\n# %u", sizes[k]);
        for (int w = 0; w < WAYS; w++)
            printf("\t%.3f", times[k][w]);
    }
    printf("\n# power");
    for (int w = 0; w < WAYS; w++)
        printf("\t%.3f", power_of(times, w));
    printf("\n# speed-up of dfr over Cyrus and Beck, and that over N\n# N");
    for (size_t r = 0; r < SCREE_COUNT(pairs); r++)
        printf("\t%s/%s\tover_N", names[pairs[r][0]], names[pairs[r][1]]);
    for (int k = 0; k < SIZES; k++) {
        printf("\n# %u", sizes[k]);
        for (size_t r = 0; r < SCREE_COUNT(pairs); r++) {
            const double ratio = times[k][pairs[r][0]] / times[k][pairs[r][1]];
            printf("\t%.2f\t%.3f", ratio, ratio / sizes[k]);
        }
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static double times[SIZES][WAYS];
    const double budget = argc > 2 ? 1e-3 * atof(argv[2]) : 1.0;
    char path[2][4096];
    int fine = 1;
    if (argc < 2)
        return 2;
#ifdef DFR_V3
    is_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    for (int k = 0; k < 2; k++)
        snprintf(path[k], sizeof path[k], "%s/resolver/%s%s.so", argv[1],
                 k ? "cyrus_beck" : "dfr2d", is_v3 ? DFR_SUFFIX : "");
    scene_start(&dfr, path[0]);
    scene_start(&beck, path[1]);
    dfr.fake.host.scratch = beck.fake.host.scratch = keep_scratch;
    for (int k = 0; k < SIZES; k++) {
        make_polygon(sizes[k]);
        scene_prepare(&dfr, 1);
        scene_prepare(&beck, 1);
        add_pair(0, 0.0, 1.0, 0, 0.5, 0.99, 0.0, 0.0);
        measure(budget, times[k]);
        for (int w = 1; w <= DOT_V3; w++)
            fine = fine && inside[w] == inside[SIMPLE];
        fine = fine && inside[WHOLE] == 1 && inside[WHOLE_DFR] == 1;
    }
    print_all(times);
    printf("%s 1 - all kernels find the same points inside, at each size\n1..1\n",
           fine ? "ok" : "not ok");
    return !fine;
}
