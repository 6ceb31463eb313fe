/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case `overlap` of resolvers: contacts of the overlap (SCREE_GIVES_OVERLAP, resolver.h).
 *
 * Idea     b is moved a little along each axis, and turned a little about each axis of its dimension.
 *          The content of the overlap (2D: area, 3D: volume) then changes by two terms: the cut through
 *          it (2D: chord, 3D: area) times the displacement of the contact point along the normal, and
 *          the twist times the rotation about the normal, in 2D about z. The eccentricity, the chord and the bed
 *          of a pair with one contact change as their slopes say.
 * Verdict  central differences of the content are compared with these terms, summed over all contacts
 *          of a pair, because one contact may join several pieces of an overlap.
 * Limits   pairs in which a contact comes or goes within the step, or whose differences over two
 *          steps disagree, are left out: the content has a kink there.
 */
#include "tools/check/check_resolver_overlap.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_resolver_bench.h"

enum { LEAST_COMPARED = 10 };
static const double STEP = 0x1p-16; /* [m] of bodies of 1 m, [rad] */

enum { CONTENT, OFF, CHORD, BED, MEASURES };

/** The measures: name, the values that say how it changes, the bits that give it; slack of a slope, next to the same
 * part of the slope itself. */
static const struct {
    const char *name[2], *says[2]; /* in 2D, in 3D */
    uint64_t gives;
    double slack, part;
} measures[MEASURES] = {
    {{"area", "volume"}, {"chord, normal and twist", "area, normal and twist"}, 0, 1e-4, 0.0},
    {{"eccentricity"}, {"slopes"}, SCREE_GIVES_ECCENTRICITY, 1e-4, 1e-4},
    {{"chord"}, {"slopes"}, SCREE_GIVES_ECCENTRICITY, 1e-4, 1e-4},
    {{NULL, "bed"}, {NULL, "slopes"}, SCREE_GIVES_BED, 1e-6, 1e-4},
};

/** Measures of the overlap of a pair, their slopes by translation and rotation, and the number of contacts. */
typedef struct overlap {
    double value[MEASURES], slope[MEASURES][6];
    uint32_t n;
} overlap;

bool scree_resolver_is_overlap(const scree_resolver_bench *t)
{
    return t->provides & SCREE_GIVES_OVERLAP && !(t->provides & SCREE_GIVES_DISTANCE);
}

double scree_resolver_twist(const scree_resolver_bench *t, const scree_touch *x, int k)
{
    const double twist = scree_touch_value(x, SCREE_GIVES_TWIST);
    if (t->dimension == 3)
        return twist * x->normal[k];
    return k == 2 ? twist : 0.0; // the bench is 1 m thick
}

/** Adds a measure of a contact, and its slopes when b moves by itself; `turn` and `slope` are of a. */
static void add_measure(overlap *o, int what, double value, const double turn[3],
                        const double slope[3], const double arm[3])
{
    o->value[what] += value;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        o->slope[what][k] -= slope[k];
        o->slope[what][3 + k] -= turn[k] + arm[i] * slope[j] - arm[j] * slope[i];
    }
}

/** Adds the measures that have slopes of their own. */
static void add_measures(const scree_resolver_bench *t, const scree_touch *x, const double arm[3],
                         overlap *o)
{
    if (t->provides & SCREE_GIVES_ECCENTRICITY) {
        const double *off = scree_touch_values(x, SCREE_GIVES_ECCENTRICITY);
        const double turns[2][3] = {{0.0, 0.0, off[1]}, {0.0, 0.0, off[2]}};
        const double slopes[2][3] = {{off[3], off[4]}, {off[5], off[6]}};
        add_measure(o, OFF, off[0], turns[0], slopes[0], arm);
        add_measure(o, CHORD, scree_touch_value(x, SCREE_GIVES_CHORD), turns[1], slopes[1], arm);
    }
    if (t->provides & SCREE_GIVES_BED) {
        const double *bed = scree_touch_values(x, SCREE_GIVES_BED);
        add_measure(o, BED, bed[0], bed + 4, bed + 1, arm);
    }
}

static bool measure(scree_resolver_bench *t, overlap *out)
{
    const uint64_t content = t->dimension == 2 ? SCREE_GIVES_AREA : SCREE_GIVES_VOLUME;
    const uint64_t cut = t->dimension == 2 ? SCREE_GIVES_CHORD : SCREE_GIVES_AREA;
    g_autoptr(GArray) touches = scree_touches_new();
    memset(out, 0, SCREE_CHECK_PAIRS * sizeof *out);
    if (!scree_resolver_run_plainly(t, touches))
        return false;
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        overlap *o = &out[x->pair];
        double arm[3], push[3];
        for (int k = 0; k < 3; k++) {
            push[k] = -scree_touch_value(x, cut) * x->normal[k]; // of b
            arm[k] = x->arm[k] - t->d[x->pair][k];
        }
        for (int k = 0; k < 3; k++) {
            o->slope[CONTENT][k] += push[k];
            o->slope[CONTENT][3 + k] -= scree_resolver_twist(t, x, k); // b turns the other way
            o->slope[CONTENT][3 + k] +=
                arm[(k + 1) % 3] * push[(k + 2) % 3] - arm[(k + 2) % 3] * push[(k + 1) % 3];
        }
        o->value[CONTENT] += scree_touch_value(x, content);
        add_measures(t, x, arm, o);
        o->n++;
    }
    return true;
}

/** Moves all b along axis `way`, or turns them about axis `way` - 3. */
static void shift(scree_resolver_bench *t, int way, double by)
{
    scree_check_bodies *b = &t->bodies;
    double turn[4] = {cos(0.5 * by), 0.0, 0.0, 0.0};
    if (way >= 3)
        turn[1 + way - 3] = sin(0.5 * by);
    for (uint32_t p = 0; p < t->n_pairs; p++) {
        const uint32_t i = 2 * p + 1;
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        double turned[4];
        if (way < 3) {
            t->d[p][way] += by;
            b->x[way][i] += by;
            continue;
        }
        scree_rotation_product(turn, q, turned);
        for (int k = 0; k < 4; k++)
            b->q[k][i] = turned[k];
    }
}

/** Contents of all pairs with b two steps behind, one behind, one ahead, two ahead. */
static bool difference(scree_resolver_bench *t, int way, overlap (*at)[SCREE_CHECK_PAIRS])
{
    static const int steps[4] = {-2, -1, 1, 2};
    g_autofree scree_resolver_bench *keep = g_memdup2(t, sizeof *t);
    g_autofree double *x = g_memdup2(t->bodies.x[way % 3], t->bodies.n * sizeof *x);
    double *q[4];
    bool good = true;
    for (int k = 0; k < 4; k++)
        q[k] = g_memdup2(t->bodies.q[k], t->bodies.n * sizeof(double));
    for (int s = 0; s < 4 && good; s++) {
        shift(t, way, steps[s] * STEP);
        good = measure(t, at[s]);
        memcpy(t->d, keep->d, sizeof t->d);
        memcpy(t->bodies.x[way % 3], x, t->bodies.n * sizeof *x);
        for (int k = 0; k < 4; k++)
            memcpy(t->bodies.q[k], q[k], t->bodies.n * sizeof(double));
    }
    for (int k = 0; k < 4; k++)
        g_free(q[k]);
    return good;
}

static double slack_of(int what, double slope)
{
    return measures[what].slack + measures[what].part * fabs(slope);
}

/** The difference of a measure over two steps, if the measure is smooth there. */
static bool slope_of(overlap (*at)[SCREE_CHECK_PAIRS], uint32_t p, int what, double *out)
{
    const double near = (at[2][p].value[what] - at[1][p].value[what]) / (2.0 * STEP),
                 far = (at[3][p].value[what] - at[0][p].value[what]) / (4.0 * STEP);
    *out = near;
    return fabs(near - far) <= slack_of(what, near);
}

/** Compares the slopes of a measure along one way. Returns the number of compared pairs. */
static uint32_t compare(scree_resolver_bench *t, int way, int what, const overlap *here,
                        overlap (*at)[SCREE_CHECK_PAIRS])
{
    const int space = t->dimension == 3;
    uint32_t n = 0;
    for (uint32_t p = 0; p < t->n_pairs && !t->check->failed; p++) {
        const double given = here[p].slope[what][way];
        bool same =
            here[p].n > 0 && here[p].value[CONTENT] > 0.0 && (what == CONTENT || here[p].n == 1);
        double found;
        for (int s = 0; s < 4; s++)
            same = same && at[s][p].n == here[p].n;
        if (!same || !slope_of(at, p, what, &found))
            continue;
        n++;
        if (!(fabs(found - given) <= 2.0 * slack_of(what, found)))
            scree_resolver_fail(t,
                                "pair %u: %s b %s %c changes the %s of the overlap by %g per %s, "
                                "expected %g, which is what its %s say",
                                p, way < 3 ? "moving" : "turning", way < 3 ? "along" : "about",
                                'x' + way % 3, measures[what].name[space], found,
                                way < 3 ? "metre" : "radian", given, measures[what].says[space]);
    }
    return n;
}

void scree_resolver_check_overlap(scree_resolver_bench *t)
{
    g_autofree overlap *here = g_new(overlap, SCREE_CHECK_PAIRS);
    g_autofree overlap(*at)[SCREE_CHECK_PAIRS] = g_malloc(4 * sizeof *at);
    t->range = 0.0;
    if (!(t->provides & SCREE_GIVES_OVERLAP) || !measure(t, here))
        return;
    uint32_t n = 0;
    for (int way = 0; way < 6 && !t->check->failed; way++) {
        const bool in_plane = way < 2 || way == 5;
        if (t->dimension == 2 && !in_plane)
            continue;
        if (!difference(t, way, at))
            return;
        n += compare(t, way, CONTENT, here, at);
        for (int what = OFF; what < MEASURES && !t->check->failed; what++)
            if (t->provides & measures[what].gives)
                compare(t, way, what, here, at);
    }
    if (!t->check->failed && n < LEAST_COMPARED)
        scree_resolver_fail(t, "of %u pairs only %u slopes of the overlap could be compared",
                            t->n_pairs, n);
}
