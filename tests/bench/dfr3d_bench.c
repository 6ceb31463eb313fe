/* SPDX-License-Identifier: Apache-2.0 */
/* Table 3.4 of O'Connor 1996: whether a point is inside of a sphere of facets, by the discrete function representation
 * and by Cyrus and Beck; then the time of a contact of two such spheres next to the cells of its zone.
 *
 * usage: dfr3d_bench [MILLISECONDS]     how long each figure is measured
 *
 * The 17 polyhedra are rebuilt from their number of facets: marching cubes of a sphere in m^3 cells, m = 2 to 16; 16 and
 * 28 facets are those of an ellipsoid in 2 x 2 x 3 and 2 x 3 x 3 cells. Cyrus and Beck test the planes of all facets,
 * without an early exit, as a point inside needs, by one product a plane and as the thesis writes it; both are scalar (the file
 * is compiled without vectors). Sets of 4 096 points: anywhere in the box, all inside, all in cells with facets, all in
 * internal cells. The fastest of many short repetitions counts.
 * It ends with status 1 where the two answers differ for a point that is farther than 1e-9 from a facet's plane, in a
 * polyhedron that is convex. */
#include <time.h>

#include "../resolver/dfr3d/solids.h"

enum { POINTS = 4096, ROWS = 17, SETS = 4, WAYS = 3 };
static const uint32_t grids[ROWS][3] = {
    {2, 2, 2},    {2, 2, 3},    {2, 3, 3},    {3, 3, 3},    {4, 4, 4},    {5, 5, 5},
    {6, 6, 6},    {7, 7, 7},    {8, 8, 8},    {9, 9, 9},    {10, 10, 10}, {11, 11, 11},
    {12, 12, 12}, {13, 13, 13}, {14, 14, 14}, {15, 15, 15}, {16, 16, 16}};
static const double printed[ROWS] = {2.6,   4.1,   6.2,   9.0,   22.5,  39.9,  62.1,  82.6, 120.7,
                                     165.3, 195.6, 265.0, 306.3, 366.4, 434.8, 522.8, 596.8};
static const char *const sets[SETS] = {"box", "inside", "boundary", "internal"};
static const solid UNIT = {ELLIPSOID, {1.0, 1.0, 1.0}};

/** Planes of all facets: n · x <= offset inside. */
typedef struct planes {
    uint32_t n;
    double (*row)[4], (*corner)[3];
} planes;

static double point[POINTS][3];
static uint64_t sink;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_planes(const dfr_body *b, planes *out)
{
    out->n = b->n_facets;
    out->row = malloc(b->n_facets * sizeof *out->row);
    out->corner = malloc(b->n_facets * sizeof *out->corner);
    for (uint32_t f = 0; f < b->n_facets; f++) {
        copy(b->vertex[b->facet[f][0]], out->corner[f]);
        copy(b->normal[f], out->row[f]);
        out->row[f][3] = dot(b->normal[f], b->vertex[b->facet[f][0]]);
    }
}

/* The largest height over a plane. */
static double cyrus_beck(const planes *p, const double *x)
{
    double most = -HUGE_VAL;
    for (uint32_t f = 0; f < p->n; f++) {
        const double *r = p->row[f], over = r[0] * x[0] + r[1] * x[1] + r[2] * x[2] - r[3];
        most = over > most ? over : most;
    }
    return most;
}

static int is_wanted(const dfr_body *b, const planes *p, const double *x, int set)
{
    int32_t w[3];
    if (set == 0)
        return 1;
    if (set == 1)
        return dfr_inside(b, x) && cyrus_beck(p, x) < 0.0;
    for (int k = 0; k < 3; k++)
        w[k] = dfr_ordinate(b->offset[k] + x[k] * b->inverse[k]);
    return set == 2 ? dfr_code(b, w) >= 0 : dfr_code(b, w) == DFR_INTERNAL;
}

/* Whether there are cells of that kind. */
static int is_possible(const dfr_body *b, int set)
{
    int found = set != 3;
    for (uint64_t i = 0; i < b->n_stencil && !found; i++)
        found = b->stencil[i] == DFR_INTERNAL;
    return found;
}

/* As [1] writes it: R' from a point of the facet, its part R'' along the normal, the angle between the two. */
static double as_printed(const planes *p, const double *x)
{
    double most = -HUGE_VAL;
    for (uint32_t f = 0; f < p->n; f++) {
        const double *n = p->row[f], *from = p->corner[f];
        const double r[3] = {x[0] - from[0], x[1] - from[1], x[2] - from[2]};
        const double by =
            (r[0] * n[0] + r[1] * n[1] + r[2] * n[2]) / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const double along[3] = {by * n[0], by * n[1], by * n[2]};
        const double over = along[0] * n[0] + along[1] * n[1] + along[2] * n[2];
        most = over > most ? over : most;
    }
    return most;
}

static void make_points(const dfr_body *b, const planes *p, int set)
{
    random_state = 88172645463325252ull;
    for (uint32_t i = 0; i < POINTS;) {
        const double x[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        if (is_wanted(b, p, x, set))
            copy(x, point[i++]);
    }
}

static void run_lookup(const dfr_body *b)
{
    for (uint32_t i = 0; i < POINTS; i++)
        sink += (uint64_t)dfr_inside(b, point[i]);
}

static void run_planes(const planes *p)
{
    for (uint32_t i = 0; i < POINTS; i += 8)
        sink += cyrus_beck(p, point[i]) <= 0.0;
}

static void run_printed(const planes *p)
{
    for (uint32_t i = 0; i < POINTS; i += 8)
        sink += as_printed(p, point[i]) <= 0.0;
}

/* [ns] a point, least of repetitions that last for `budget` s, in turns; planes take every eighth point. */
static void measure(const dfr_body *b, const planes *p, double budget, double ns[WAYS])
{
    for (int w = 0; w < WAYS; w++)
        ns[w] = HUGE_VAL;
    const double end = seconds() + budget;
    do {
        double t = seconds();
        run_lookup(b);
        ns[0] = fmin(ns[0], 1e9 * (seconds() - t) / POINTS);
        t = seconds();
        run_planes(p);
        ns[1] = fmin(ns[1], 8e9 * (seconds() - t) / POINTS);
        t = seconds();
        run_printed(p);
        ns[2] = fmin(ns[2], 8e9 * (seconds() - t) / POINTS);
    } while (seconds() < end);
}

static uint32_t differ(const dfr_body *b, const planes *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; b->convex && i < POINTS; i++) {
        const double over = cyrus_beck(p, point[i]);
        n += fabs(over) > 1e-9 && dfr_inside(b, point[i]) != (over <= 0.0);
    }
    return n;
}

static uint32_t table(double budget)
{
    uint32_t wrong = 0;
    printf("# "
           "facets\tset\tdfr_ns\tone_dot_ns\tas_printed_ns\tratio_one_dot\tratio_as_"
           "printed\tthesis\n");
    for (int r = 0; r < ROWS; r++) {
        const double half[3] = {1.0, 1.0, 1.0};
        dfr_body b;
        planes p;
        if (make_exact(&UNIT, half, grids[r], &b) != SCREE_OK)
            return 1;
        make_planes(&b, &p);
        for (int set = 0; set < SETS; set++) {
            double ns[WAYS];
            if (!is_possible(&b, set))
                continue;
            make_points(&b, &p, set);
            wrong += differ(&b, &p);
            measure(&b, &p, budget, ns);
            printf("# %u\t%s\t%.1f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\n", b.n_facets, sets[set], ns[0],
                   ns[1], ns[2], ns[1] / ns[0], ns[2] / ns[0], printed[r]);
        }
        free(p.row);
        free(p.corner);
        dfr_body_clear(&b);
    }
    return wrong;
}

/* Two spheres at one depth, over their cells. */
static void contacts(double budget)
{
    static const uint32_t cells[] = {8, 12, 16, 24, 32, 48, 64};
    printf("#\n# facets\tzone_cells\tfacets_tested\tus\tns_per_zone_cell\n");
    for (size_t c = 0; c < SCREE_COUNT(cells); c++) {
        const double half[3] = {1.0, 1.0, 1.0};
        const uint32_t n[3] = {cells[c], cells[c], cells[c]};
        double best = HUGE_VAL;
        dfr_contact found[64];
        workbench w;
        dfr_body b;
        if (make_exact(&UNIT, half, n, &b) != SCREE_OK)
            return;
        bench_start(&w, &b, &b);
        const double end = seconds() + budget;
        do
            for (int i = 0; i < 8; i++) { // eight directions
                const double a = 0.3 + 0.7 * i,
                             t[3] = {1.96 * cos(a) * 0.8, 1.96 * sin(a) * 0.8, 1.96 * 0.6};
                const double q[4] = {cos(a), sin(a) * 0.6, 0.0, sin(a) * 0.8};
                const dfr_pose pose = pose_at(t, q);
                if (i == 0)
                    w.work.zone_cells = w.work.facets_tested = 0;
                const double from = seconds();
                dfr_work_start(&w.work, &b, &b);
                sink += dfr_pair(&w.work, &pose, 1, found, 64);
                const double took = seconds() - from;
                best = i == 0 && took < best ? took : best;
            }
        while (seconds() < end);
        const double zone = (double)w.work.zone_cells / 8.0;
        printf("# %u\t%.0f\t%.0f\t%.2f\t%.1f\n", b.n_facets, zone,
               (double)w.work.facets_tested / 8.0, 1e6 * best, 1e9 * best / zone);
        bench_stop(&w);
        dfr_body_clear(&b);
    }
}

int main(int argc, char **argv)
{
    const double budget = argc > 1 ? 1e-3 * strtod(argv[1], NULL) : 0.1;
    const uint32_t wrong = table(budget);
    contacts(4.0 * budget); // calls of milliseconds
    printf("%s 1 - the lookup and the planes agree, %u points do not (%llu)\n1..1\n",
           wrong ? "not ok" : "ok", wrong, (unsigned long long)(sink & 1));
    return wrong != 0;
}
