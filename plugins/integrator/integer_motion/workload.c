/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workloads of integrator/integer_motion: sizes, box, frame 0.
 *
 * Random numbers are a function of stream and position, mixed by the finaliser of SplitMix64. Side
 * lengths of boxes in 3D are cube roots, rounded up: found with integers, so that they do not
 * depend on a C library.
 */
#include <string.h>

#include "motion.h"

__extension__ typedef unsigned __int128 wide;

#define PI 3.141592653589793
#define GOLDEN 0x9E3779B97F4A7C15u
enum { CLASSES = 5, SLOW = 41943, FAST = 83886 }; /* 1 % of a radius of 0.25 m, 0.5 m */
enum { RUN_IN = 100, RELAX_2D = 400, RELAX_3D = 200, TRIES_2D = 200, TRIES_3D = 50 };

/** Diameters [m] and the number of discs of each. */
typedef struct class
{
    double diameter;
    int64_t count;
} class;
static const class mixed_10[CLASSES] = {{10, 100}, {1, 99900}};
static const class mixed_100[CLASSES] = {{100, 1}, {33, 8}, {10, 400}, {3.25, 5000}, {1, 200000}};

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t random_bits(uint64_t stream, uint64_t k)
{
    return mix(mix(stream * GOLDEN + 0x1234567u) + (k + 1) * GOLDEN);
}

uint64_t random_below(uint64_t stream, uint64_t k, uint64_t m)
{
    return (uint64_t)((wide)random_bits(stream, k) * m >> 64);
}

/** A radius in 2^-24 m. */
static int64_t radius_of(double metres)
{
    return (4 * (int64_t)floor(metres * 8192.0) + 1) << TO_RADIUS;
}

/** The smallest multiple of 2^-13 m whose cube is `volume` [m^3] or more. */
static int64_t side_of_volume(double volume)
{
    wide cube = (wide)ceil(volume * 549755813888.0); // 8192^3
    uint64_t low = 0, high = (uint64_t)1 << 31;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if ((wide)middle * middle * middle >= cube)
            high = middle;
        else
            low = middle + 1;
    }
    return (int64_t)low << TO_REPORTED;
}

/** m such that m^2, or m^3, is nearest to n. */
static uint32_t root_of(int64_t n, int cubic)
{
    int64_t m = 1;
    if (cubic)
        while ((2 * m + 1) * (2 * m + 1) * (2 * m + 1) <= 8 * n)
            m++;
    else
        while ((2 * m + 1) * (2 * m + 1) <= 4 * n)
            m++;
    return (uint32_t)m;
}

static const class *classes_of(const workload *w)
{
    return w->kind == MIXED_10 ? mixed_10 : mixed_100;
}

static int64_t count_of(const workload *w, const class *one)
{
    int64_t n = one->count * w->percent / 100;
    return one->count && n < 1 ? 1 : n;
}

/* ---- radii, by the order of creation ---- */

static int descending(const void *pa, const void *pb)
{
    const int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;
    return a > b ? -1 : a < b;
}

static void fill_radii(const workload *w, int64_t *r)
{
    if (w->kind == PERKINS_1 || w->kind == SPHERES) {
        for (uint32_t i = 0; i < w->n; i++)
            r[i] = radius_of(0.5);
    } else if (w->dimension == 2) { // numbers fall with the square of the diameter
        for (uint32_t i = 0; i < w->n; i++) {
            double u = (double)(random_bits(w->seed + 1, i) >> 32) / 4294967296.0;
            double d = 0.5 / (1.0 - u * (1.0 - 1.0 / (double)w->ratio));
            r[i] = radius_of(0.5 * d);
        }
        qsort(r, w->n, sizeof *r, descending);
    } else {
        const class *all = classes_of(w);
        for (uint32_t k = 0, i = 0; k < CLASSES; k++)
            for (int64_t j = count_of(w, &all[k]); j-- > 0;)
                r[i++] = radius_of(0.5 * all[k].diameter);
    }
}

/* ---- the box ---- */

/** Number of the k-th of the discs around perkins_2: spread over all sizes. */
static uint32_t around(const workload *w, uint32_t k)
{
    return (uint32_t)((uint64_t)k * w->n / (4 * (uint64_t)(w->across - 1)));
}

/** Area [m^2] inside the surrounding discs, of diameters d. */
static double area_inside(const workload *w, const int64_t *r)
{
    double area = 0.0;
    for (uint32_t i = 0; i < w->n; i++)
        area += PI * ((double)r[i] / UNIT) * ((double)r[i] / UNIT);
    for (uint32_t k = 0; k < 4 * (w->across - 1); k++) {
        double one = (double)r[around(w, k)] / UNIT;
        area -= PI * one * one;
    }
    return area;
}

/** A multiple of the unit of reported places. */
static int64_t round_up(double metres)
{
    return (int64_t)ceil(metres * 8192.0) << TO_REPORTED;
}

/** A square of discs, at most one largest diameter apart, that holds the others at a solid fraction
 * of 0.8, and two such diameters of room around it. */
static int32_t size_fenced_box(const scree_host *host, workload *w)
{
    int64_t *r = calloc(w->n, sizeof *r);
    double inside = 0.0;
    if (!r)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    fill_radii(w, r);
    const double widest = 2.0 * (double)r[0] / UNIT;
    for (w->across = 3; 4 * (w->across - 1) < w->n; w->across++) {
        inside = sqrt(area_inside(w, r) / 0.8);
        if (inside + widest <= (w->across - 1) * widest)
            break;
    }
    free(r);
    w->pitch = round_up((inside + widest) / (w->across - 1));
    w->edge = round_up(2.0 * widest);
    w->side = (w->across - 1) * w->pitch + 2 * w->edge;
    if (4 * (w->across - 1) < w->n)
        return SCREE_OK;
    return scree_failf(host, SCREE_E_CONFIG,
                       "count = %u: too few discs for a square of them around the others", w->n);
}

static int32_t size_disc_box(const scree_host *host, workload *w)
{
    int64_t *r = calloc(w->n, sizeof *r), sum = 0;
    if (!r)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    fill_radii(w, r);
    for (uint32_t i = 0; i < w->n; i++)
        sum += (r[i] >> TO_RADIUS) * (r[i] >> TO_RADIUS);
    w->side = (int64_t)ceil(8192.0 * (sqrt(PI * (double)sum / 0.8) / 32768.0)) << TO_REPORTED;
    int64_t widest = 2 * r[0];
    free(r);
    if (widest >= w->side)
        return scree_failf(host, SCREE_E_CONFIG,
                           "count = %u: the largest disc does not fit into a box of their area",
                           w->n);
    return SCREE_OK;
}

static void size_sphere_box(workload *w)
{
    const class *all = classes_of(w);
    double sum = 0.0;
    for (uint32_t k = 0; k < CLASSES; k++)
        sum += (double)count_of(w, &all[k]) * (all[k].diameter * all[k].diameter * all[k].diameter);
    w->side = side_of_volume(sum * (PI / 6.0) / (w->kind == MIXED_10 ? 0.55 : 0.5));
}

static int32_t read_lattice(const scree_host *host, int64_t count, workload *w)
{
    const int cubic = w->kind == SPHERES;
    w->across = root_of(count, cubic);
    w->n = w->across * w->across * (cubic ? w->across : 1);
    w->seed = cubic ? 3000 : 1000;
    w->v0 = FAST;
    if (w->n != count)
        scree_logf(host, SCREE_LOG_INFO, "count = %lld: %u bodies, %u along an axis",
                   (long long)count, w->n, w->across);
    if (!cubic && w->across < 3)
        return scree_failf(host, SCREE_E_CONFIG,
                           "count = %lld: perkins_1 needs 9 discs or more, 3 along an axis",
                           (long long)count);
    w->side = cubic ? side_of_volume((double)w->n * (PI / 6.0) / 0.55) : (int64_t)w->across << 24;
    return SCREE_OK;
}

static int32_t read_fenced(const scree_host *host, int64_t count, workload *w)
{
    w->seed = 6000 + (uint64_t)w->ratio;
    w->v0 = SLOW;
    w->n = (uint32_t)count;
    return size_fenced_box(host, w);
}

static int32_t read_mixed(const scree_host *host, int64_t count, workload *w)
{
    w->seed = 2000 + (uint64_t)w->ratio;
    w->v0 = SLOW;
    w->n = (uint32_t)count;
    return size_disc_box(host, w);
}

static int32_t read_classes(workload *w)
{
    const class *all = classes_of(w);
    int64_t n = 0;
    for (uint32_t k = 0; k < CLASSES; k++)
        n += count_of(w, &all[k]);
    w->n = (uint32_t)n;
    w->seed = w->kind == MIXED_10 ? 4000 : 5000;
    w->v0 = FAST;
    size_sphere_box(w);
    return SCREE_OK;
}

/** Refuses keys of other workloads. */
static int32_t refuse_strangers(const scree_host *host, const config *c, int32_t kind)
{
    static const char *const names[] = {
        [PERKINS_1] = "perkins_1", [PERKINS_2] = "perkins_2", [MIXED_2D] = "mixed_2d",
        [SPHERES] = "spheres",     [MIXED_10] = "mixed_10",   [MIXED_100] = "mixed_100"};
    const int classes = kind == MIXED_10 || kind == MIXED_100;
    if (c->count && classes)
        return scree_failf(host, SCREE_E_CONFIG,
                           "count: %s has its own numbers; `percent` multiplies them", names[kind]);
    if (c->percent && !classes)
        return scree_failf(host, SCREE_E_CONFIG,
                           "percent: %s takes `count`; mixed_10 and mixed_100 take a percentage",
                           names[kind]);
    if (c->ratio && kind != MIXED_2D && kind != PERKINS_2)
        return scree_failf(host, SCREE_E_CONFIG,
                           "ratio: %s has none; perkins_2 and mixed_2d have one", names[kind]);
    return SCREE_OK;
}

static int32_t check_side(const scree_host *host, const workload *w)
{
    if (w->side <= (int64_t)MOST_METRES << 24)
        return SCREE_OK;
    return scree_failf(host, SCREE_E_CONFIG,
                       "%u bodies need a box of %.6g m; numbers of 2^-24 m are exact up to %d m",
                       w->n, (double)w->side / UNIT, MOST_METRES);
}

int32_t workload_read(const scree_host *host, const config *c, workload *w)
{
    int32_t kind = c->workload, code;
    if (kind == USUAL)
        kind = host->dimension == 2 ? PERKINS_1 : SPHERES;
    *w = (workload){.kind = kind,
                    .order = c->order,
                    .dimension = kind <= MIXED_2D ? 2 : 3,
                    .ratio = c->ratio ? c->ratio : 4,
                    .percent = c->percent ? c->percent : 1};
    if (w->dimension != host->dimension)
        return scree_failf(host, SCREE_E_CONFIG,
                           "workload: it is one in %uD, the scene has dimension = %u", w->dimension,
                           host->dimension);
    code = refuse_strangers(host, c, kind);
    if (code == SCREE_OK && (kind == PERKINS_1 || kind == SPHERES))
        code = read_lattice(host, c->count ? c->count : kind == SPHERES ? 125 : 400, w);
    else if (code == SCREE_OK && kind == PERKINS_2)
        code = read_fenced(host, c->count ? c->count : 800, w);
    else if (code == SCREE_OK && kind == MIXED_2D)
        code = read_mixed(host, c->count ? c->count : 400, w);
    else if (code == SCREE_OK)
        code = read_classes(w);
    return code == SCREE_OK ? check_side(host, w) : code;
}

/* ---- frame 0 ---- */

/** Discs on a square lattice, those around the exterior fixed, velocities that alternate. */
static void place_discs(const workload *w, crowd *c)
{
    const uint32_t m = w->across;
    const uint64_t half = (uint64_t)w->v0 / 2;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t column = i % m, row = i / m;
        c->x[0][i] = ((int64_t)column << 24) + (1 << 23);
        c->x[1][i] = ((int64_t)row << 24) + (1 << 23);
        c->fixed[i] = column == 0 || row == 0 || column == m - 1 || row == m - 1;
        if (c->fixed[i])
            continue;
        int64_t a = (int64_t)(half + random_below(w->seed + 5, 2 * (uint64_t)i, half));
        int64_t b = (int64_t)(half + random_below(w->seed + 5, 2 * (uint64_t)i + 1, half));
        c->v[0][i] = (column + row) % 2 ? -a : a;
        c->v[1][i] = column % 2 ? -b : b;
    }
}

/** Fixed discs along a square, from corner to corner; speeds of the others that alternate. */
static void place_fence(const workload *w, crowd *c)
{
    const uint32_t last = w->across - 1;
    const uint64_t half = (uint64_t)w->v0 / 2;
    for (uint32_t k = 0; k < 4 * last; k++) {
        uint32_t i = around(w, k), along = k % last, side = k / last;
        uint32_t column = side == 0 ? along : side == 1 ? last : side == 2 ? last - along : 0;
        uint32_t row = side == 0 ? 0 : side == 1 ? along : side == 2 ? last : last - along;
        c->fixed[i] = 1;
        c->x[0][i] = w->edge + column * w->pitch;
        c->x[1][i] = w->edge + row * w->pitch;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (c->fixed[i])
            continue;
        int64_t a = (int64_t)(half + random_below(w->seed + 5, 2 * (uint64_t)i, half));
        int64_t b = (int64_t)(half + random_below(w->seed + 5, 2 * (uint64_t)i + 1, half));
        c->v[0][i] = i % 2 ? -a : a;
        c->v[1][i] = i / 2 % 2 ? -b : b;
    }
}

/** Spheres near the sites of a cubic lattice. */
static void place_spheres(const workload *w, crowd *c)
{
    const int64_t pitch = w->side / w->across;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t site[3] = {i % w->across, i / w->across % w->across, i / w->across / w->across};
        for (uint32_t k = 0; k < 3; k++)
            c->x[k][i] =
                site[k] * pitch + pitch / 2 - pitch / 8 +
                (int64_t)random_below(w->seed + 1, 3 * (uint64_t)i + k, (uint64_t)pitch / 4);
    }
}

static void set_speeds(const workload *w, crowd *c)
{
    const uint64_t width = 2 * (uint64_t)w->v0 + 1;
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; k < c->dimension; k++)
            c->v[k][i] =
                (int64_t)random_below(w->seed + 7, (uint64_t)c->dimension * i + k, width) - w->v0;
}

/** to[number[i]] = from[i], in place. */
static void reorder(int64_t *values, int64_t *spare, const uint32_t *number, uint32_t n)
{
    memcpy(spare, values, n * sizeof *spare);
    for (uint32_t i = 0; i < n; i++)
        values[number[i]] = spare[i];
}

static int shuffle(const workload *w, crowd *c)
{
    uint32_t *number = calloc(c->n, sizeof *number);
    int64_t *spare = calloc(c->n, sizeof *spare);
    int ok = number && spare;
    if (ok)
        for (uint32_t i = 0; i < c->n; i++)
            number[i] = i;
    if (ok)
        for (uint32_t i = c->n; i-- > 1;) {
            uint32_t j = (uint32_t)random_below(w->seed + 11, i, (uint64_t)i + 1), kept = number[i];
            number[i] = number[j];
            number[j] = kept;
        }
    if (ok)
        for (uint32_t k = 0; k < c->dimension; k++) {
            reorder(c->x[k], spare, number, c->n);
            reorder(c->v[k], spare, number, c->n);
        }
    if (ok) {
        reorder(c->r, spare, number, c->n);
        for (uint32_t i = 0; i < c->n; i++)
            spare[number[i]] = c->fixed[i];
        for (uint32_t i = 0; i < c->n; i++)
            c->fixed[i] = (uint8_t)spare[i];
    }
    free(number);
    free(spare);
    return ok;
}

/** Random places, then overlaps relaxed; a wall may turn a velocity that is there already. */
static int32_t pack(const workload *w, const scree_host *host, crowd *c)
{
    const int flat = c->dimension == 2, fenced = w->kind == PERKINS_2;
    const int64_t low = fenced ? w->edge + c->r[0] : 0; // the first one is the largest
    int32_t code = cells_place(c, w->seed, flat ? TRIES_2D : TRIES_3D, low, c->side - low);
    for (int k = flat ? RELAX_2D : RELAX_3D; code == SCREE_OK && k-- > 0;) {
        crowd_relax(c);
        code = host->cancelled(host->ctx) ? SCREE_E_CANCELLED : SCREE_OK;
    }
    return code;
}

static int32_t place(const workload *w, const scree_host *host, crowd *c)
{
    switch (w->kind) {
    case PERKINS_1:
        place_discs(w, c);
        return SCREE_OK;
    case SPHERES:
        place_spheres(w, c);
        return SCREE_OK;
    case PERKINS_2:
        place_fence(w, c);
        return pack(w, host, c);
    default:
        return pack(w, host, c);
    }
}

int32_t workload_build(const workload *w, const scree_host *host, crowd *c)
{
    c->host = host;
    c->side = w->side;
    if (!crowd_resize(c, w->dimension, w->n))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    fill_radii(w, c->r);
    if (!cells_prepare(c))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    const int alternates = w->kind == PERKINS_1 || w->kind == PERKINS_2;
    int32_t code = place(w, host, c);
    if (!alternates)
        set_speeds(w, c);
    // The shuffle comes last: a step does not depend on numbers, and it is quicker in this order.
    for (int k = alternates ? 0 : RUN_IN; code == SCREE_OK && k-- > 0;) {
        crowd_step(c, w->v0);
        code = host->cancelled(host->ctx) ? SCREE_E_CANCELLED : SCREE_OK;
    }
    if (code == SCREE_OK && w->order == SHUFFLED && !shuffle(w, c))
        code = host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    return code;
}
