// SPDX-License-Identifier: Apache-2.0
// Cost of tracking closest features against the number of vertices: Schinner 1999, figure 11.
/*
 * usage: closest_feature_bench PLUGIN.so [STEPS]     (2000; at least 1)
 *
 * A packing of convex polygons with 4 to 1000 vertices, 32 x 32 on a lattice with gaps of 2 to 5 % of their
 * diameter. Each turns by up to 2e-5 rad and shakes by up to 1e-5 diameters in a step, as grains of 1 rad/s do
 * with a step of 1e-5 s. All pairs of neighbours are resolved in each step, by distance: no pair overlaps, so that
 * nothing is clipped. Prints for each number of vertices the time per pair and step, tracked and with hints that
 * are erased, the moves per search, and the mean life of a pair of features in steps. Then the same packing is
 * pressed together, so that neighbours overlap by about 1 % of their diameter, and each pair is resolved by overlap:
 * tracked crossing and clipping, which gives area, chord and its middle, in ns for each pair that overlaps.
 */
#include <time.h>

#include "../resolver/polygon/polygon_scene.h"

enum { ACROSS = 32, BODIES = ACROSS * ACROSS, PAIRS = 2 * ACROSS * (ACROSS - 1), SIZES = 9 };

typedef struct packing {
    scree_bodies bodies;
    test_pair types;
    double q[4][BODIES], x[3][BODIES], scale[BODIES], spin[BODIES], angle[BODIES], d[3][PAIRS];
    double radius[PAIRS], home[2][BODIES];
    uint32_t shape[BODIES], a[PAIRS], b[PAIRS];
    test_hint hints[PAIRS], was[PAIRS];
} packing;

static packing pack;
static test_polygon polygon;
static test_touches touches;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); // other work does not count
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_packing(subject *s, uint32_t n, double apart)
{
    memset(&pack, 0, sizeof pack);
    random_convex(&s->fake, &polygon, n, 1.0);
    init_pair(&pack.types, 2);
    set_shape(&pack.types, 0, &polygon.shape);
    set_shape(&pack.types, 1, &polygon.shape);
    prepare_pair(s, &pack.types);
    pack.bodies = pack.types.bodies;
    pack.bodies.n = BODIES;
    pack.bodies.shape = pack.shape;
    pack.bodies.scale = pack.scale;
    for (int k = 0; k < 4; k++)
        pack.bodies.q[k] = pack.q[k];
    uint32_t p = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        pack.scale[i] = 1.0;
        pack.spin[i] = fake_uniform(&s->fake, -2e-5, 2e-5);
        pack.angle[i] = fake_uniform(&s->fake, 0.0, 7.0);
        pack.home[0][i] = apart * (i % ACROSS);
        pack.home[1][i] = apart * (i / ACROSS);
        if (i % ACROSS + 1 < ACROSS) {
            pack.a[p] = i;
            pack.b[p++] = i + 1;
        }
        if (i / ACROSS + 1 < ACROSS) {
            pack.a[p] = i;
            pack.b[p++] = i + ACROSS;
        }
    }
    for (p = 0; p < PAIRS; p++)
        pack.radius[p] = polygon.shape.radius;
}

static void move_packing(uint32_t step)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        const double angle = pack.angle[i] + step * pack.spin[i], phase = 1e-3 * step + i;
        pack.q[0][i] = cos(0.5 * angle);
        pack.q[3][i] = sin(0.5 * angle);
        pack.x[0][i] = pack.home[0][i] + 0.01 * cos(phase);
        pack.x[1][i] = pack.home[1][i] + 0.01 * sin(phase);
    }
    for (uint32_t p = 0; p < PAIRS; p++)
        for (int k = 0; k < 2; k++)
            pack.d[k][p] = pack.x[k][pack.b[p]] - pack.x[k][pack.a[p]];
}

/* Seconds for all pairs. */
static double resolve_all(subject *s)
{
    const scree_candidates in = {.size = sizeof in,
                                 .n = PAIRS,
                                 .type_a = TYPE_SOLID,
                                 .type_b = TYPE_SOLID,
                                 .hint_bytes = s->ops->hint_bytes,
                                 .a = pack.a,
                                 .b = pack.b,
                                 .d = {pack.d[0], pack.d[1], pack.d[2]},
                                 .radius_a = pack.radius,
                                 .radius_b = pack.radius,
                                 .range = 1.0,
                                 .bodies = &pack.bodies,
                                 .hints = pack.hints};
    uint32_t done = 0;
    clear_areas(&touches);
    const double begin = now();
    if (s->ops->resolve(s->self, &in, &touches.out, &done) != SCREE_OK || done != PAIRS) {
        printf("resolve failed: %s\n", s->fake.text);
        exit(1);
    }
    return now() - begin;
}

/* One row of figure 11: the packing whose bodies are apart. Returns the time of a pair [ns]. */
static double track_apart(subject *s, uint32_t vertices, uint32_t steps, double first)
{
    double tracked = 0.0, erased = 0.0;
    uint64_t changes = 0, moves = 0;
    make_packing(s, vertices, 1.05);
    move_packing(0);
    for (int warm = 0; warm < 20; warm++) {
        memset(pack.hints, 0, sizeof pack.hints);
        erased += resolve_all(s) / 20.0;
    }
    for (uint32_t step = 1; step <= steps; step++) {
        memcpy(pack.was, pack.hints, sizeof pack.was);
        move_packing(step);
        tracked += resolve_all(s) / steps;
        for (uint32_t p = 0; p < PAIRS; p++) {
            changes += memcmp(pack.was[p].number, pack.hints[p].number, 8) != 0;
            moves += pack.hints[p].moves;
        }
    }
    for (uint32_t p = 0; p < PAIRS; p++)
        if (pack.hints[p].state != 1) {
            printf("pair %u overlaps\n", p);
            exit(1);
        }
    tracked *= 1e9 / PAIRS;
    printf("%8u  %12.1f  %11.1f  %13.2f  %5.3f  %12.0f\n", vertices, tracked, erased * 1e9 / PAIRS,
           first > 0.0 ? tracked / first : 1.0, (double)moves / ((double)PAIRS * steps),
           (double)PAIRS * steps / (double)(changes ? changes : 1));
    return tracked;
}

/* The packing that is pressed together. */
static void clip_overlaps(subject *s, uint32_t vertices, uint32_t steps)
{
    double spent = 0.0;
    uint64_t n = 0;
    make_packing(s, vertices, 0.97);
    for (uint32_t step = 0; step < steps; step++) {
        move_packing(step);
        spent += resolve_all(s);
        for (uint32_t c = 0; c < touches.out.n; c++)
            n += touches.area[c] > 0.0;
    }
    if (!n) {
        printf("no pair overlaps\n");
        exit(1);
    }
    printf("%8u  %12.1f  %9.2f\n", vertices, spent * 1e9 / (double)n,
           (double)n / ((double)PAIRS * steps));
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[SIZES] = {4, 8, 16, 32, 64, 125, 250, 500, 1000};
    const uint32_t steps = argc > 2 ? (uint32_t)atoi(argv[2]) : 2000;
    double first = 0.0;
    subject s = {0};
    if (argc < 2 || !steps)
        return 2;
    start_polygons(&s, argv[1], "distance");
    printf("vertices  tracked [ns]  erased [ns]  to 4 vertices  moves  life [steps]\n");
    for (int k = 0; k < SIZES; k++) {
        const double spent = track_apart(&s, sizes[k], steps, first);
        first = k == 0 ? spent : first;
    }
    stop_resolver(&s);
    s = (subject){0};
    start_polygons(&s, argv[1], "overlap");
    printf("\nvertices  clipped [ns]  overlap\n");
    for (int k = 0; k < SIZES; k++)
        clip_overlaps(&s, sizes[k], steps / 10 + 1);
    stop_resolver(&s);
    return 0;
}
