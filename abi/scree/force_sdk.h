/* SPDX-License-Identifier: MIT */
/* Inline helpers for authors of force laws: tangential springs, levers. Convenience, never part of
 * the ABI. friction_sdk.h has what Coulomb's limit needs. */
#ifndef SCREE_FORCE_SDK_H
#define SCREE_FORCE_SDK_H

#include "sdk.h"
#include "vector_sdk.h"

#if defined(__GNUC__)
#define SCREE_NOT_INLINED static __attribute__((noinline, unused))
#define SCREE_NOT_VECTORISED __asm__ volatile("")
#define SCREE_BODY static inline __attribute__((always_inline))
#else
#define SCREE_NOT_INLINED static
#define SCREE_NOT_VECTORISED (void)0
#define SCREE_BODY static inline
#endif

/** turn: by what committed springs are drawn out to the new contact plane, see scree_turn_spring();
 * across = turn h·n. Apart from a kernel, which has no room to hide the latency of roots. */
SCREE_NOT_INLINED void scree_turn_springs(uint32_t n, SCREE_IN3(n), SCREE_IN3(h), SCREE_OUT turn,
                                          SCREE_OUT across)
{
    for (uint32_t c = 0; c < n; c++) {
        double hn = scree_dot(SCREE_AT(h, c), SCREE_AT(n, c));
        turn[c] = scree_turn_spring(hn, scree_dot(SCREE_AT(h, c), SCREE_AT(h, c)));
        across[c] = scree_max(turn[c], 0.0) * hn;
    }
}

/** Number of contacts `from` to `to` whose mark is above `least`; of 32 by a loop that compilers
 * unroll. */
static inline uint32_t scree_count_marks(const double *mark, double least, uint32_t from,
                                         uint32_t to)
{
    const double *first = mark + from;
    uint64_t n = 0;
    if (to - from == 32) {
        for (int c = 0; c < 32; c++)
            n += first[c] > least;
        return (uint32_t)n;
    }
    for (uint32_t c = from; c < to; c++)
        n += mark[c] > least;
    return (uint32_t)n;
}

/*
 * lever = "radius": spins act on the whole radius of a ball, not on its arm to the contact point,
 * as in LAMMPS. A wall keeps its arm. A law that offers it needs SCREE_IN_ARM, SCREE_IN_CURVATURE,
 * SCREE_OUT_COUPLE and SCREE_OUT_COUPLE_B, and 8 n doubles of scratch.
 */
enum { SCREE_LEVER_CONTACT, SCREE_LEVER_RADIUS };
enum { SCREE_LEVER_ROWS = 8 }; /* of b->n doubles each */

/** [m] Radii less the arms, of a and of b, 0 of what is flat. */
SCREE_NOT_INLINED void scree_lever_lacks(uint32_t n, SCREE_IN3(n), SCREE_IN3(arm), SCREE_IN3(d),
                                         SCREE_IN curve_a, SCREE_IN curve_b, SCREE_OUT a,
                                         SCREE_OUT b)
{
    for (uint32_t c = 0; c < n; c++) {
        scree_vec normal = SCREE_AT(n, c), arm = SCREE_AT(arm, c), d = SCREE_AT(d, c);
        double on_a = scree_dot(arm, normal), on_b = scree_dot(scree_less(d, 1.0, arm), normal);
        a[c] = curve_a[c] > 0.0 ? 1.0 / (curve_a[c] > 0.0 ? curve_a[c] : 1.0) - on_a : 0.0;
        b[c] = curve_b[c] > 0.0 ? 1.0 / (curve_b[c] > 0.0 ? curve_b[c] : 1.0) - on_b : 0.0;
    }
}

/** Velocity v and slip u at levers longer by `more_a` and `more_b`, of bodies i and j with spins w.
 */
SCREE_NOT_INLINED void scree_lever_reach(uint32_t n, double since, const uint32_t *SCREE_RESTRICT i,
                                         const uint32_t *SCREE_RESTRICT j, SCREE_IN more_a,
                                         SCREE_IN more_b, SCREE_IN3(w), SCREE_IN3(n), SCREE_IN3(v),
                                         SCREE_IN3(u), SCREE_OUT3(out_v), SCREE_OUT3(out_u))
{
    for (uint32_t c = 0; c < n; c++) {
        scree_vec of_a = scree_scaled(more_a[c], SCREE_AT(w, i[c]));
        scree_vec of_b = scree_scaled(more_b[c], SCREE_AT(w, j[c]));
        scree_vec more = scree_cross(scree_sum(of_a, of_b), SCREE_AT(n, c));
        scree_vec v = scree_sum(SCREE_AT(v, c), more);
        scree_vec u = scree_sum(SCREE_AT(u, c), scree_scaled(since, more));
        SCREE_PUT(out_v, c, v);
        SCREE_PUT(out_u, c, u);
    }
}

/** Replaces v and slip of a copy of a batch by those at the longer levers; room: 8 n doubles. The
 * longer slip is spin x `since`. */
static inline void scree_lever_lengthen(scree_contact_batch *b, double *room)
{
    const uint64_t n = b->n;
    scree_lever_lacks(b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->arm), SCREE_XYZ(b->d),
                      b->curvature[0], b->curvature[1], room, room + n);
    scree_lever_reach(b->n, b->since, b->a, b->b, room, room + n, SCREE_XYZ(b->bodies->w),
                      SCREE_XYZ(b->normal), SCREE_XYZ(b->v), SCREE_XYZ(b->slip), room + 2 * n,
                      room + 3 * n, room + 4 * n, room + 5 * n, room + 6 * n, room + 7 * n);
    for (uint64_t k = 0; k < 3; k++) {
        b->v[k] = room + (2 + k) * n;
        b->slip[k] = room + (5 + k) * n;
    }
}

/** The couples of forces f on levers longer by `more_a` and `more_b`. */
SCREE_NOT_INLINED void scree_lever_turn(uint32_t n, SCREE_IN more_a, SCREE_IN more_b, SCREE_IN3(n),
                                        SCREE_IN3(f), SCREE_OUT3(a), SCREE_OUT3(b))
{
    for (uint32_t c = 0; c < n; c++) {
        scree_vec turn = scree_cross(SCREE_AT(n, c), SCREE_AT(f, c));
        scree_vec on_a = scree_scaled(more_a[c], turn), on_b = scree_scaled(more_b[c], turn);
        SCREE_PUT(a, c, on_a);
        SCREE_PUT(b, c, on_b);
    }
}

/** Writes the couples that lengthen the levers of the force; room: as scree_lever_lengthen() left
 * it. */
static inline void scree_lever_couples(const scree_contact_batch *b, const double *room)
{
    scree_lever_turn(b->n, room, room + b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->f),
                     SCREE_XYZ(b->couple), SCREE_XYZ(b->couple_b));
}

/** For uses(): only the longer lever needs arms and makes couples. `keeps`: inputs that the law
 * needs anyway. */
static inline int32_t scree_lever_uses(int lever, uint64_t keeps, uint64_t *needs,
                                       uint64_t *provides)
{
    if (lever == SCREE_LEVER_CONTACT) {
        *needs &= ~(uint64_t)(SCREE_IN_ARM | SCREE_IN_CURVATURE) | keeps;
        *provides &= ~(uint64_t)(SCREE_OUT_COUPLE | SCREE_OUT_COUPLE_B);
    }
    return SCREE_OK;
}

/** The member is an int32_t. */
#define SCREE_LEVER_PARAM(config_type, id)                                                         \
    SCREE_CHOICE_VALUE(                                                                            \
        contact, SCREE_LEVER_CONTACT,                                                              \
        "its arm to the contact point: angular momentum is kept; LIGGGHTS and YADE");              \
    SCREE_CHOICE_VALUE(radius, SCREE_LEVER_RADIUS,                                                 \
                       "its radius: a closed rolling path leaves no slip behind; LAMMPS");         \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "contact",                               \
                       "on what length a ball's spin and torque act", &choice_contact,             \
                       &choice_radius)

/** The normal force that friction multiplies; the member is an int32_t. */
enum { SCREE_LIMIT_WHOLE, SCREE_LIMIT_ELASTIC };
#define SCREE_LIMIT_PARAM(config_type, id)                                                         \
    SCREE_CHOICE_VALUE(whole, SCREE_LIMIT_WHOLE,                                                   \
                       "of elastic force and dashpot; LAMMPS and LIGGGHTS");                       \
    SCREE_CHOICE_VALUE(elastic, SCREE_LIMIT_ELASTIC, "only of the elastic force");                 \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "whole",                                 \
                       "what friction multiplies: the normal force", &choice_whole,                \
                       &choice_elastic)

#endif
