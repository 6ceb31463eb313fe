/* SPDX-License-Identifier: MIT */
/* Inline helpers for laws with friction: a tangential spring and a dashpot, cut to a limit
 * (friction_sdk.h has kernels that use them). Only for convenience, never part of the ABI. */
#ifndef SCREE_SLIDE_SDK_H
#define SCREE_SLIDE_SDK_H

#include <math.h>

#include "plugin_sdk.h"

/* A tangential spring h was committed at an earlier normal. At the current normal n a law takes the
 * part of h in the plane across n, and scales that part to the length of h. */
#define SCREE_FLAT 1e-6 /* of the squared length of h: a smaller squared part counts as 0 */
/** The factor that scales the part of a spring h in the plane, from hn = h·n and h2 = h·h. 0: h
 * is 0. -1: the plane holds no part of h, and the spring starts again at 0. A kernel may call this
 * function. */
static inline double scree_turn_spring(double hn, double h2)
{
    double flat2 = h2 - hn * hn, by = sqrt(h2 / (flat2 > 0.0 ? flat2 : 1.0));
    double none = h2 > 0.0 ? -1.0 : 0.0;
    return flat2 > SCREE_FLAT * h2 ? by : none;
}

/* Rules: which force Coulomb's limit cuts. The spring gives kt s, the dashpot ct t. */
#define SCREE_SLIDE_TOTAL                                                                          \
    0 /* their sum; then kt s becomes the cut force minus the dashpot force [Cundall, Strack 1979,
         Geotechnique 29, 47; Luding 2008, Granular Matter 10, 235]; LAMMPS */
#define SCREE_SLIDE_EACH 1 /* their sum; kt s is also cut by itself where it is above the limit */
#define SCREE_SLIDE_SPRING                                                                         \
    2 /* only kt s. A sliding contact has no dashpot force; the dashpot force ct t of a sticking
         contact has no limit; LIGGGHTS */

/** Sets g [N] to the force of a spring s [m] and a dashpot at the tangential velocity t [m/s]. A
 * rule cuts the force to `limit` [N] >= 0, and changes s to suit. Returns 1 when the contact
 * slides. */
static inline int scree_slide(int32_t rule, double kt, double ct, double limit, const double t[3],
                              double s[3], double g[3])
{
    double g2 = 0.0, s2 = 0.0, most = limit * limit, cut = 1.0, held = 1.0;
    for (int k = 0; k < 3; k++) {
        g[k] = -kt * s[k] - ct * t[k];
        g2 += g[k] * g[k];
    }
    if (rule != SCREE_SLIDE_TOTAL)
        for (int k = 0; k < 3; k++)
            s2 += kt * kt * s[k] * s[k];
    if (rule != SCREE_SLIDE_SPRING && g2 > most)
        cut = limit / sqrt(g2);
    if (rule != SCREE_SLIDE_TOTAL && s2 > most)
        held = limit / sqrt(s2);
    if (rule == SCREE_SLIDE_SPRING ? held >= 1.0 : cut >= 1.0)
        return 0;
    double inv_kt = kt > 0.0 ? 1.0 / kt : 0.0;
    for (int k = 0; k < 3; k++) {
        g[k] = rule == SCREE_SLIDE_SPRING ? -kt * held * s[k] : cut * g[k];
        s[k] = rule == SCREE_SLIDE_TOTAL ? -(g[k] + ct * t[k]) * inv_kt : held * s[k];
    }
    return 1;
}

/** The rule of scree_slide(), by default `each`; the member is an int32_t. */
#define SCREE_SLIDING_PARAM(config_type, id)                                                       \
    SCREE_CHOICE_VALUE(                                                                            \
        total, SCREE_SLIDE_TOTAL,                                                                  \
        "spring and dashpot; the spring is what that leaves: LAMMPS and Luding 2008");             \
    SCREE_CHOICE_VALUE(each, SCREE_SLIDE_EACH,                                                     \
                       "spring and dashpot; the share of the spring by itself: scree's own");      \
    SCREE_CHOICE_VALUE(spring, SCREE_SLIDE_SPRING,                                                 \
                       "the spring; what slides has no tangential dashpot: LIGGGHTS");             \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_PARAM_LIVE, "each",                                  \
                       "what the limit of friction cuts", &SCREE_OWN(choice_total),                \
                       &SCREE_OWN(choice_each), &SCREE_OWN(choice_spring))

#endif
