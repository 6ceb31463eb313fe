// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: bodies that slide along the rim of a thin flight, as a screw has, over its seams.
// usage: gjk_flight PLUGIN.so
#include "gjk_pairs.h"

/* The flight: three segments of a screw around z, as an STL has it: triangles, closed, its two sides 1 to 2 mm apart. */
#define DEGREE 0.017453292519943295
#define PITCH 0.04   /* [m] per turn */
#define OUTER 0.03   /* [m] radius of the rim */
#define INNER 0.015  /* [m] */
#define FORWARD 5e-6 /* [m] per step */
#define START 1e-4   /* [m] depth at the start, at most */

enum { SEGMENTS = 3, LOWER = 2 * (SEGMENTS + 1), PATHS = 60, STEPS = 500 };
enum { BRICK, CUBE, N_BODIES };

static const char *const names[] = {"a brick", "a cube"};
static solid bodies_of[N_BODIES], flight;

static void add_two(solid *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    add_quad(s, a, b, c, SCREE_NONE);
    add_quad(s, a, c, d, SCREE_NONE);
}

static void make_flight(solid *s, double thick)
{
    *s = (solid){.type = TYPE_HULL};
    for (uint32_t k = 0; k < 2 * LOWER; k++) {
        const double angle = (k % LOWER / 2 - 0.5 * SEGMENTS) * 15.0 * DEGREE;
        const double r = k % 2 ? OUTER : INNER;
        add_vertex(s, r * cos(angle), r * sin(angle),
                   PITCH * angle / (360.0 * DEGREE) - (k < LOWER ? 0.0 : thick));
    }
    for (uint32_t a = 0; a < 2 * SEGMENTS; a += 2) {
        const uint32_t b = a + LOWER;
        add_two(s, a, a + 1, a + 3, a + 2);     // above
        add_two(s, b, b + 2, b + 3, b + 1);     // below
        add_two(s, a + 1, b + 1, b + 3, a + 3); // the rim
        add_two(s, a + 2, b + 2, b, a);         // towards the shaft
    }
    add_two(s, 0, LOWER, LOWER + 1, 1);
    add_two(s, LOWER - 2, LOWER - 1, 2 * LOWER - 1, 2 * LOWER - 2);
    link_facets(s);
    name_edges(s);
    finish_solid(s);
    s->shape.flags = SCREE_CAP_WALL;
    s->shape.view = NULL;
}

/* [m] The deepest overlap of the body at a place; -1: none. */
static double deepest_at(subject *s, spot at)
{
    double deepest = -1.0;
    find_touches(s, at);
    for (uint32_t k = 0; k < touches.out.n; k++)
        deepest = touches.depth[k] > 0.0 ? fmax(deepest, touches.depth[k]) : deepest;
    return deepest;
}

/* A place next to the rim, out of the flight along `away` but for a depth. */
static spot start_at(subject *s, double angle)
{
    fake_host *f = &s->fake;
    const double r = fake_uniform(f, 0.97, 1.17) * OUTER, up = fake_uniform(f, -6e-3, 6e-3),
                 out = fake_uniform(f, 0.0, 1.0);
    const spot from = spot_at(r * cos(angle), r * sin(angle), PITCH * angle / (360 * DEGREE) + up);
    const spot away = unit(spot_at(out * cos(angle), out * sin(angle),
                                   (up > 0.0 ? 1.0 : -1.0) * fake_uniform(f, 0.0, 1.0)));
    real in = 0, free = 0.02L;
    for (int k = 0; k < 40; k++) {
        const real middle = (in + free) / 2;
        *(deepest_at(s, plus(from, middle, away)) > 0.0 ? &in : &free) = middle;
    }
    return plus(from, in - (real)fake_uniform(f, 0.0, START), away);
}

/* Slides along the rim; returns by how much [m] the depth grew in a step where there was a small one. */
static double slide(subject *s, uint32_t *touched)
{
    double q[4], most = 0.0, last = -1.0;
    random_turn(&s->fake, 3, q);
    for (int k = 0; k < 4; k++)
        pair.q[k][0] = q[k];
    const double angle = fake_uniform(&s->fake, -20.0, 20.0) * DEGREE;
    spot at = start_at(s, angle);
    const spot way = unit(spot_at(-sin(angle) + fake_uniform(&s->fake, -0.05, 0.05), cos(angle),
                                  fake_uniform(&s->fake, 0.1, 0.3)));
    for (int k = 0; k < STEPS; k++, at = plus(at, (real)FORWARD, way)) {
        const double now = deepest_at(s, at);
        if (last > 0.0 && last < 2.0 * START)
            most = fmax(most, now - last);
        *touched += now > 0.0;
        last = now;
    }
    return most;
}

int main(int argc, char **argv)
{
    subject s;
    start_resolver(&s, argv[1], 3, NULL);
    make_box(&bodies_of[BRICK], 6e-3, 3e-3, 2e-3);
    make_box(&bodies_of[CUBE], 3e-3, 3e-3, 3e-3);
    for (int b = 0; b < N_BODIES; b++) {
        double most = 0.0;
        uint32_t touched = 0;
        char claim[120];
        for (int k = 0; k < PATHS; k++) {
            make_flight(&flight, k % 2 ? 1e-3 : 2e-3);
            set_solids(&s, &bodies_of[b], &flight);
            most = fmax(most, slide(&s, &touched));
        }
        printf("# depths grow by %.3g m in a step, of %u that touch\n", most, touched);
        snprintf(claim, sizeof claim,
                 "%s that slides along the rim of a thin flight goes no deeper than it moves",
                 names[b]);
        tap_ok(touched > 1000 && most < FORWARD, claim);
    }
    stop_resolver(&s);
    return tap_end();
}
