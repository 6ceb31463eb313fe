/* SPDX-License-Identifier: MIT */
/* Inline helpers for authors of force laws: tangential springs, parameters. Convenience, never part
 * of the ABI. friction_sdk.h has helpers for Coulomb's limit. */
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

/** Writes `turn`, the factor of scree_turn_spring() for committed springs h, and across = turn h·n.
 * It is a loop of its own, because a kernel cannot hide the latency of the square roots. */
SCREE_NOT_INLINED void scree_turn_springs(uint32_t n, SCREE_IN3(n), SCREE_IN3(h), SCREE_OUT turn,
                                          SCREE_OUT across)
{
    for (uint32_t c = 0; c < n; c++) {
        double hn = scree_dot(SCREE_AT(h, c), SCREE_AT(n, c));
        turn[c] = scree_turn_spring(hn, scree_dot(SCREE_AT(h, c), SCREE_AT(h, c)));
        across[c] = scree_max(turn[c], 0.0) * hn;
    }
}

/** Returns the number of contacts in [from, to) whose mark is above `least`. For 32 contacts it
 * uses a loop that compilers unroll. */
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

/** Parameter: the lever of a force. lever = "radius" needs SCREE_IN_LEVER_RADIUS: the descriptor of
 * a law with this parameter has that bit in `needs`, and narrow() clears it for lever = "contact".
 * The member is an int32_t. */
enum { SCREE_LEVER_CONTACT, SCREE_LEVER_RADIUS };
#define SCREE_LEVER_PARAM(config_type, id)                                                         \
    SCREE_CHOICE_VALUE(                                                                            \
        contact, SCREE_LEVER_CONTACT,                                                              \
        "its arm to the contact point: angular momentum is kept; LIGGGHTS and YADE");              \
    SCREE_CHOICE_VALUE(radius, SCREE_LEVER_RADIUS,                                                 \
                       "its radius: a closed rolling path leaves no slip behind; LAMMPS");         \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "contact",                               \
                       "on what length a ball's spin and torque act", &SCREE_OWN(choice_contact),  \
                       &SCREE_OWN(choice_radius))

/** Parameter: the effective mass of dashpots. The descriptor of a law with this parameter has
 * SCREE_IN_MASS_POINT in `needs`, and its narrow() calls scree_mass_narrow(). The member is an
 * int32_t. */
enum { SCREE_MASS_POINT, SCREE_MASS_BODIES };
#define SCREE_MASS_PARAM(config_type, id)                                                          \
    SCREE_CHOICE_VALUE(point, SCREE_MASS_POINT,                                                    \
                       "at the contact point with arms and moments: e holds off centre");          \
    SCREE_CHOICE_VALUE(bodies, SCREE_MASS_BODIES, "of the whole bodies; LAMMPS and LIGGGHTS");     \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "point",                                 \
                       "the effective mass of dashpots", &SCREE_OWN(choice_point),                 \
                       &SCREE_OWN(choice_bodies))

/** Clears SCREE_IN_MASS_POINT where the parameter `mass` does not need it; for narrow(). */
static inline void scree_mass_narrow(int32_t mass, scree_demands *demands)
{
    if (mass == SCREE_MASS_BODIES)
        demands->needs &= ~(uint64_t)SCREE_IN_MASS_POINT;
}

/** Parameter: the normal force that the friction coefficient multiplies. The member is an
 * int32_t. */
enum { SCREE_LIMIT_WHOLE, SCREE_LIMIT_ELASTIC };
#define SCREE_LIMIT_PARAM(config_type, id)                                                         \
    SCREE_CHOICE_VALUE(whole, SCREE_LIMIT_WHOLE,                                                   \
                       "of elastic force and dashpot; LAMMPS and LIGGGHTS");                       \
    SCREE_CHOICE_VALUE(elastic, SCREE_LIMIT_ELASTIC, "only of the elastic force");                 \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "whole",                                 \
                       "what friction multiplies: the normal force", &SCREE_OWN(choice_whole),     \
                       &SCREE_OWN(choice_elastic))

#endif
