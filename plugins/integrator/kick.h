/* SPDX-License-Identifier: Apache-2.0 */
/* Kicks and drifts of bodies, some at a time, for integrators that split a step into them. */
#ifndef SCREE_INTEGRATOR_KICK_H
#define SCREE_INTEGRATOR_KICK_H

#include "turning.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { FEW = 128 };

/** Lines of n <= FEW bodies, eight numbers each, to arrays of each number. */
static inline void columns(uint32_t n, SCREE_IN line, double column[8][FEW])
{
    uint32_t i = 0;
#ifdef __AVX2__ // which the compiler does not find: half the time of the kicks
    for (; i + 4 <= n; i += 4)
        for (uint32_t k = 0; k < 8; k += 2) {
            __m256d even = _mm256_setr_m128d(_mm_loadu_pd(line + 8 * i + k),
                                             _mm_loadu_pd(line + 8 * i + 16 + k));
            __m256d odd = _mm256_setr_m128d(_mm_loadu_pd(line + 8 * i + 8 + k),
                                            _mm_loadu_pd(line + 8 * i + 24 + k));
            _mm256_storeu_pd(&column[k][i], _mm256_unpacklo_pd(even, odd));
            _mm256_storeu_pd(&column[k + 1][i], _mm256_unpackhi_pd(even, odd));
        }
#endif
    for (; i < n; i++)
        for (uint32_t k = 0; k < 8; k++)
            column[k][i] = line[8 * i + k];
}

/** v += by f */
static inline void kick(uint32_t n, SCREE_IN by, SCREE_IN f, SCREE_OUT v)
{
    for (uint32_t i = 0; i < n; i++)
        v[i] += by[i] * f[i];
}

/** The same, then x += dt v. */
static inline void kick_drift(uint32_t n, double dt, SCREE_IN by, SCREE_IN f, SCREE_OUT v,
                              SCREE_OUT x)
{
    for (uint32_t i = 0; i < n; i++) {
        v[i] += by[i] * f[i];
        x[i] += dt * v[i];
    }
}

/** to = half from */
static inline void scale(uint32_t n, double half, SCREE_IN from, SCREE_OUT to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = half * from[i];
}

/** Kick by `time` of the n <= FEW bodies from i on, and their drift by `drift` if any; w of round
 * bodies only. Returns whether some are not round. */
static inline int move_few(const scree_motion *m, double time, double drift, int drifts, uint64_t i,
                           uint32_t n)
{
    double line[8][FEW], of_v[FEW], of_w[FEW];
    int others = memchr(m->isotropic + i, 0, n) != NULL;
    scale(n, time, m->inv_mass + i, of_v);
    scale(n, time, m->inv_inertia[0] + i, of_w);
    if (others)
        for (uint32_t k = 0; k < n; k++)
            of_w[k] = m->isotropic[i + k] ? of_w[k] : 0.0;
    columns(n, m->wrench + 8 * i, line);
    for (int k = 0; k < 3; k++) {
        if (drifts)
            kick_drift(n, drift, of_v, line[k], m->v[k] + i, m->x[k] + i);
        else
            kick(n, of_v, line[k], m->v[k] + i);
        kick(n, of_w, line[4 + k], m->w[k] + i);
    }
    return others;
}

/** Body i gets a kick by `time`, then turns for `drift` (0: not) at the angular velocity of the
 * middle, found from its angular momentum. */
static inline void turn_general(const scree_motion *m, uint64_t i, double time, double drift)
{
    double q[4], mid[4], w[3], l[3], inverse[3];
    pose_of(m, i, q, inverse);
    for (int k = 0; k < 3; k++)
        w[k] = m->w[k][i];
    momentum_of(q, inverse, w, l);
    for (int k = 0; k < 3; k++)
        l[k] += time * m->wrench[8 * i + 4 + (uint64_t)k];
    spin_of(q, inverse, l, w);
    if (drift != 0.0) {
        turn(q, w, 0.5 * drift, mid);
        spin_of(mid, inverse, l, w);
        turn(q, w, drift, q);
        spin_of(q, inverse, l, w);
        for (int k = 0; k < 4; k++)
            m->q[k][i] = q[k];
    }
    for (int k = 0; k < 3; k++)
        m->w[k][i] = w[k];
}

/** Body i, round, turns for `drift` at its angular velocity. */
static inline void turn_round(const scree_motion *m, uint64_t i, double drift)
{
    double q[4] = {m->q[0][i], m->q[1][i], m->q[2][i], m->q[3][i]};
    double w[3] = {m->w[0][i], m->w[1][i], m->w[2][i]};
    turn(q, w, drift, q);
    for (int k = 0; k < 4; k++)
        m->q[k][i] = q[k];
}

/** Choice `orientation` of a config. */
enum { NEEDED, ALL };

#endif
