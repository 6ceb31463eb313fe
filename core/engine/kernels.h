/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own inner loops, built once per CPU level; same bits from each. */
#ifndef CORE_KERNELS_H
#define CORE_KERNELS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ball, twist and wrench, with a line per body, are 64-byte aligned; other arrays need not be. */

/** Length of the longest batch; arrays of a lane are a little longer (reads up to a multiple of
 * 8). */
/* Number of pairs in a batch, and of contacts with room at first. */
enum {
    SCREE_BATCH_MAX = 1024,
    SCREE_BATCH_SPARE = 16,
    SCREE_BATCH_ROOM = SCREE_BATCH_MAX + SCREE_BATCH_SPARE
};

/** Tolerance of the square of a quaternion's length around 1. */
#define SCREE_UNIT_TOLERANCE 1e-6
/** Larger numbers are faults, in any unit: their squares would not be finite. */
#define SCREE_LARGEST 1e150
/** Returns the room for rounding that the radius of a place has, of a ball within `reach` of a body
 * at x: more than places of two such balls are rounded by. */
static inline double scree_place_rounding(const double *x, double reach)
{
    return 0x1p-51 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + 2.0 * reach);
}

/** Returns whether a solid has left its extent: it was at `ref`, of which the fourth is how far its
 * points may move, turned by `was`. |q - q'| is at least a quarter of the angle. A point at
 * distance 1 moves by 2 sin(angle / 2) <= 2 |q - q'|. q and -q are the same turn. */
static inline bool scree_solid_left(uint64_t i, const double *const *x, const double *const *q,
                                    const double *radius, const double *ref, const double *was)
{
    double moved = 0.0, minus = 0.0, plus = 0.0;
    for (int k = 0; k < 3; k++)
        moved += (x[k][i] - ref[k]) * (x[k][i] - ref[k]);
    for (int k = 0; k < 4; k++) {
        minus += (q[k][i] - was[k]) * (q[k][i] - was[k]);
        plus += (q[k][i] + was[k]) * (q[k][i] + was[k]);
    }
    return !(sqrt(moved) + 2.0 * radius[i] * sqrt(minus < plus ? minus : plus) <= ref[3]);
}

struct scree_world;
struct scree_segment;
struct scree_posed;

typedef struct scree_kernels {
    const char *level;
    /** Writes ball and twist of the bodies [begin, end). x, v, w: 3 arrays each. Returns a bound
     * [m] of the way of each ball from its former place; NaN: a place is not a number. */
    double (*mirror)(uint32_t begin, uint32_t end, const double *const *x, const double *radius,
                     const double *const *v, const double *const *w, const double *inv_mass,
                     double *ball, double *twist);
    /** Returns how far [m] each ball in [begin, end) may still move; below 0: one has its centre
     * farther than eps from its reference. */
    double (*slack)(uint32_t begin, uint32_t end, const double *ball, const double *ref);
    /** Returns whether scree_solid_left holds of a body in [begin, end), of which ref and turn have
     * the lines. */
    bool (*solids_left)(uint64_t begin, uint64_t end, const double *const *x,
                        const double *const *q, const double *radius, const double *ref,
                        const double *turn);
    /** d = x_b - x_a and both radii. `calls`: it prefetches balls of pairs further on, of which
     * `ahead` follow the n in a and b. */
    void (*candidates)(uint32_t n, uint32_t ahead, const uint32_t *a, const uint32_t *b,
                       const double *ball, bool calls, double *const *d, double *ra, double *rb);
    /** Lists the pairs whose balls are within `range`, or nearly; prefetches as `candidates` does.
     * Returns how many; `near` has room for four more than all. */
    uint32_t (*near_pairs)(uint32_t n, uint32_t ahead, const uint32_t *a, const uint32_t *b,
                           const double *ball, bool calls, double range, uint32_t *near);
    /** Gathers those of n listed pairs whose balls are within `range`, or nearly: their numbers
     * `near`, their bodies, d and radii; it prefetches twist and wrench of the higher body, unless
     * these are NULL. Returns how many; the arrays have room for four more than all. */
    uint32_t (*gather_near)(uint32_t n, const uint16_t *list, const uint32_t *from_a,
                            const uint32_t *from_b, const double *ball, const double *twist,
                            const double *wrench, double range, uint32_t *near, uint32_t *a,
                            uint32_t *b, double *const *d, double *const *radius);
    /** Prefetches the balls of n listed pairs. */
    void (*call_near)(uint32_t n, const uint16_t *list, const uint32_t *a, const uint32_t *b,
                      const double *ball);
    /** Places the n balls of each of the bodies [begin, end), clumps of one shape: writes their
     * lines of scree_posed, of which those of body `begin` are the first. `reach`: radii around
     * bodies. */
    void (*place_balls)(uint64_t begin, uint64_t end, uint32_t n, const double *const *centre,
                        const double *radius, const double *const *x, const double *const *q,
                        const double *scale, const double *reach, double *ball, double *place);
    /** Lists the candidates of the pairs [begin, end) whose balls are within `range`, or nearly; d
     * and `pair` begin with pair p0. Returns how many; the arrays have room for one more than
     * all. */
    uint32_t (*near_balls)(const struct scree_segment *s, const struct scree_posed *posed,
                           uint32_t p0, uint32_t begin, uint32_t end, const double *const *d,
                           double range, uint32_t *pair, uint32_t *number, uint32_t *a,
                           uint32_t *b);
    /** Gathers of each candidate with balls a and b the levers, the radii, and d of the balls from
     * those of the pairs. */
    void (*balls)(uint32_t n, const uint32_t *pair, const uint32_t *a, const uint32_t *b,
                  const double *const *from_d, const double *ball, double *const *d,
                  double *const *lever_a, double *const *lever_b, double *const *radius);
    /** Velocity v of a's contact point relative to b's, from a mirror of (linear, 1/m, angular, -).
     * If not NULL: slip = since v, mass, the effective mass 1 / (1/m_a + 1/m_b), spin, as below,
     * and with it roll = since spin. */
    void (*motion)(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                   const double *const *arm, const double *const *d, double *const *v, double since,
                   double *const *slip, double *mass, double *const *spin, double *const *roll);
    /** Angular part of a minus that of b. */
    void (*spin)(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                 double *const *w);
    /** Effective mass of two points along the unit normal, 1 / (1/m_a + 1/m_b), where 1/m of a
     * point is 1/m of its body + (arm × n)·I^-1 (arm × n); 0: its body is not free. */
    void (*point_mass)(uint32_t n, const struct scree_world *bodies, const uint32_t *a,
                       const uint32_t *b, const double *const *normal, const double *const *arm,
                       const double *const *d, double *mass);
    /** out += v; `first`: out = 0 + v. 0: all v are numbers, and none is beyond SCREE_LARGEST. */
    uint64_t (*sum)(uint32_t n, bool first, const double *v, double *out);
    /** out = s v. */
    void (*scale)(uint32_t n, double s, const double *v, double *out);
    /** far_arm and far_d: arm and d with arms of a and b longer by half of the depth along the
     * normal, as SCREE_IN_LEVER_RADIUS needs them; `wall`: b keeps its arm. */
    void (*lengthen)(uint32_t n, bool wall, const double *depth, const double *const *normal,
                     const double *const *arm, const double *const *d, double *const *far_arm,
                     double *const *far_d);
    /** couple and couple_b += the torque on both a and b, for the force f on a, by which the longer
     * lever of SCREE_IN_LEVER_RADIUS differs from the arm; `wall`: couple_b += 0. */
    void (*add_levers)(uint32_t n, bool wall, const double *depth, const double *const *normal,
                       const double *const *f, double *const *couple, double *const *couple_b);
    /** push: the part of the force f on a against the normal. */
    void (*find_push)(uint32_t n, const double *const *f, const double *const *normal,
                      double *push);
    /** Torques on a and b about their centres: arm × f + couple, -(arm - d) × f + couple_b.
     * couple_b NULL: -couple; both may be NULL. */
    void (*torques)(uint32_t n, const double *const *f, const double *const *arm,
                    const double *const *d, const double *const *couple,
                    const double *const *couple_b, double *const *ta, double *const *tb);
    /** Adds f, torques, stored and lost of each contact, in order, to the wrenches of a and b;
     * stored and lost only to the row, the lower of the two. couple and couple_b as in torques,
     * couple_b only with couple. 0: all added values are finite; otherwise perhaps not. */
    uint32_t (*apply)(uint32_t n, const uint32_t *a, const uint32_t *b, const double *const *f,
                      const double *const *arm, const double *const *d, const double *const *couple,
                      const double *const *couple_b, const double *stored, const double *lost,
                      double *wrench);
    /** Number of depths that are not negative. *odd 0: depth, normal and arm are all finite;
     * otherwise perhaps not. */
    uint64_t (*survey)(uint32_t n, const double *depth, const double *const *normal,
                       const double *const *arm, uint32_t *odd);
    /** Number of v that are not in [lo, hi). */
    uint64_t (*outside)(uint32_t n, const double *v, double lo, double hi);
    /** Number of v that are not numbers, or beyond SCREE_LARGEST: their squares are infinite. */
    uint64_t (*not_finite)(uint32_t n, const double *v);
    /** Number of n bodies that are not finite, are not turned by a unit quaternion, move faster
     * than both `speed` [m/s] and `radii` of their own radii in a second, also on their surface, or
     * are farther from the origin than `rough` of these. */
    uint64_t (*sound)(uint32_t n, const double *const *x, const double *const *v,
                      const double *const *w, const double *const *q, const double *radius,
                      double speed, double radii, double rough);
    /** Gathers bodies and d (NULL: not d) of the contacts, numbered by pair[c]. It prefetches twist
     * and wrench of the higher body, unless these are NULL. */
    void (*gather)(uint32_t n, const uint32_t *pair, const uint32_t *from_a, const uint32_t *from_b,
                   const double *const *from_d, const double *twist, const double *wrench,
                   uint32_t *a, uint32_t *b, double *const *d);
    /** Number of contacts before the first c with pairs[c] != base + pair[c]; their old[c] = first
     * + c, later ones may change. */
    uint32_t (*in_step)(uint32_t n, const uint32_t *pair, uint32_t base, const uint32_t *pairs,
                        uint32_t first, uint32_t *old);
    /** pairs[c] = base + pair[c] */
    void (*number_pairs)(uint32_t n, const uint32_t *pair, uint32_t base, uint32_t *pairs);
    /** to[c] = from[index[c]] */
    void (*pick)(uint32_t n, const uint32_t *index, const double *from, double *to);
    void (*pick_u32)(uint32_t n, const uint32_t *index, const uint32_t *from, uint32_t *to);
    /** to[c] = from[index[c]], or `initial` if index[c] is UINT32_MAX. from[0] must be readable. */
    void (*pick_or)(uint32_t n, const uint32_t *index, double initial, const double *from,
                    double *to);
    /** fresh[c] = 1 if old[c] is UINT32_MAX; returns the number of others. */
    uint32_t (*fresh)(uint32_t n, const uint32_t *old, uint8_t *fresh);
    /** 1: v ascends strictly. */
    uint32_t (*ascends)(uint32_t n, const uint32_t *v);
    /** line = (m g, 0, 0, 0) of the bodies [begin, end). */
    void (*start)(uint32_t begin, uint32_t end, const double *mass, double gx, double gy, double gz,
                  double *wrench);
    /** The eight sums over n lines, each from the first line to the last. */
    void (*sum_lines)(uint64_t n, const double *lines, double *sums);
} scree_kernels;

extern const scree_kernels scree_kernels_baseline, scree_kernels_v3;

#endif
