/* SPDX-License-Identifier: Apache-2.0 */
/* Kicks and drifts of bodies, some at a time, for integrators that split a step into them. */
#ifndef SCREE_INTEGRATOR_KICK_H
#define SCREE_INTEGRATOR_KICK_H

#include "turning.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { FEW = 128 };

/** Turns lines of n <= FEW bodies, eight numbers each, into one array per number. */
static inline void columns(uint32_t n, SCREE_IN line, double column[8][FEW])
{
    uint32_t i = 0;
#ifdef __AVX2__ // the compiler does not find this: half of the time of the kicks
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

#ifdef __AVX2__
/** Adds `by` times the first three numbers of the lines of four bodies to the velocities `to` of body
 * `at` and the next ones; `now`: their sums. `twice`: it adds `before` times these numbers first. */
static inline void kick_four(const double *line, int twice, __m256d before, __m256d by,
                             double *const to[3], uint64_t at, __m256d now[3])
{
    const __m256d a = _mm256_setr_m128d(_mm_loadu_pd(line), _mm_loadu_pd(line + 16));
    const __m256d b = _mm256_setr_m128d(_mm_loadu_pd(line + 8), _mm_loadu_pd(line + 24));
    const __m256d c = _mm256_setr_m128d(_mm_loadu_pd(line + 2), _mm_loadu_pd(line + 18));
    const __m256d d = _mm256_setr_m128d(_mm_loadu_pd(line + 10), _mm_loadu_pd(line + 26));
    const __m256d f[] = {_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b),
                         _mm256_unpacklo_pd(c, d)};
    for (int k = 0; k < 3; k++) {
        now[k] = _mm256_loadu_pd(to[k] + at);
        if (twice)
            now[k] = _mm256_add_pd(now[k], _mm256_mul_pd(before, f[k]));
        now[k] = _mm256_add_pd(now[k], _mm256_mul_pd(by, f[k]));
        _mm256_storeu_pd(to[k] + at, now[k]);
    }
}
#endif

/** Does the work of move_lines() for bodies that are all round, four at a time, without arrays
 * between. Returns the number of bodies that it moved. `twice`: a kick by the time `before` comes
 * first. */
static inline uint32_t move_fours(const scree_motion *m, int twice, double before, double time,
                                  double drift, int drifts, uint64_t first, uint32_t n)
{
    uint32_t done = 0;
#ifdef __AVX2__
    double *const x[] = {m->x[0], m->x[1], m->x[2]}, *const v[] = {m->v[0], m->v[1], m->v[2]};
    double *const w[] = {m->w[0], m->w[1], m->w[2]};
    const double *wrench = m->wrench, *mass = m->inv_mass, *inertia = m->inv_inertia[0];
    const __m256d by = _mm256_set1_pd(time), on = _mm256_set1_pd(drift),
                  was = _mm256_set1_pd(before);
    for (; done + 4 <= n; done += 4) {
        const uint64_t at = first + done;
        __m256d now[3];
        const __m256d light = _mm256_loadu_pd(mass + at), easy = _mm256_loadu_pd(inertia + at);
        kick_four(wrench + 8 * at, twice, _mm256_mul_pd(was, light), _mm256_mul_pd(by, light), v,
                  at, now);
        if (drifts)
            for (int k = 0; k < 3; k++)
                _mm256_storeu_pd(x[k] + at, _mm256_add_pd(_mm256_loadu_pd(x[k] + at),
                                                          _mm256_mul_pd(on, now[k])));
        kick_four(wrench + 8 * at + 4, twice, _mm256_mul_pd(was, easy), _mm256_mul_pd(by, easy), w,
                  at, now);
    }
#endif
    return done;
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

/** Kicks n bodies by `time`, then turns them for `drift` at the angular velocity of the middle,
 * found from their angular momentum. The loop has no branches, so the compiler takes several bodies at
 * a time; inlined, it does not, because it then forgets which arrays are apart. Bodies with
 * `round` != 0 stay as they are. */
__attribute__((noinline, unused)) static void turn_some(uint32_t n, double time, double drift,
                                                        SCREE_IN3(t), SCREE_IN3(inverse),
                                                        const uint8_t *SCREE_RESTRICT round,
                                                        SCREE_OUT q0, SCREE_OUT q1, SCREE_OUT q2,
                                                        SCREE_OUT q3, SCREE_OUT3(w))
{
    for (uint32_t i = 0; i < n; i++) {
        const double inverse[3] = {inversex[i], inversey[i], inversez[i]};
        const double q[4] = {q0[i], q1[i], q2[i], q3[i]}, was[3] = {wx[i], wy[i], wz[i]};
        double mid[4], end[4], spin[3], l[3];
        momentum_of(q, inverse, was, l);
        l[0] += time * tx[i];
        l[1] += time * ty[i];
        l[2] += time * tz[i];
        spin_of(q, inverse, l, spin);
        turn(q, spin, 0.5 * drift, mid);
        spin_of(mid, inverse, l, spin);
        turn(q, spin, drift, end);
        spin_of(end, inverse, l, spin);
        q0[i] = round[i] ? q[0] : end[0];
        q1[i] = round[i] ? q[1] : end[1];
        q2[i] = round[i] ? q[2] : end[2];
        q3[i] = round[i] ? q[3] : end[3];
        wx[i] = round[i] ? was[0] : spin[0];
        wy[i] = round[i] ? was[1] : spin[1];
        wz[i] = round[i] ? was[2] : spin[2];
    }
}

/** The kick without the turn. */
__attribute__((noinline, unused)) static void spin_some(uint32_t n, double time, SCREE_IN3(t),
                                                        SCREE_IN3(inverse),
                                                        const uint8_t *SCREE_RESTRICT round,
                                                        SCREE_IN q0, SCREE_IN q1, SCREE_IN q2,
                                                        SCREE_IN q3, SCREE_OUT3(w))
{
    for (uint32_t i = 0; i < n; i++) {
        const double inverse[3] = {inversex[i], inversey[i], inversez[i]};
        const double q[4] = {q0[i], q1[i], q2[i], q3[i]}, was[3] = {wx[i], wy[i], wz[i]};
        double spin[3], l[3];
        momentum_of(q, inverse, was, l);
        l[0] += time * tx[i];
        l[1] += time * ty[i];
        l[2] += time * tz[i];
        spin_of(q, inverse, l, spin);
        wx[i] = round[i] ? was[0] : spin[0];
        wy[i] = round[i] ? was[1] : spin[1];
        wz[i] = round[i] ? was[2] : spin[2];
    }
}

/** Kicks the n <= FEW bodies from i on by `time`, and lets them drift by `drift` if it is not 0;
 * only round bodies get their w. `line` then holds their wrenches. Returns whether some are not
 * round. */
static inline int move_lines(const scree_motion *m, double time, double drift, int drifts,
                             uint64_t i, uint32_t n, double line[8][FEW])
{
    double of_v[FEW], of_w[FEW];
    int others = memchr(m->isotropic + i, 0, n) != NULL;
    const uint32_t done = others ? 0 : move_fours(m, 0, 0.0, time, drift, drifts, i, n);
    i += done;
    n -= done;
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

/** The same, without the wrenches. */
static inline int move_few(const scree_motion *m, double time, double drift, int drifts, uint64_t i,
                           uint32_t n)
{
    double line[8][FEW];
    return move_lines(m, time, drift, drifts, i, n, line);
}

/** Turns body i, which is round, for `drift` at its angular velocity. */
static inline void turn_round(const scree_motion *m, uint64_t i, double drift)
{
    double q[4] = {m->q[0][i], m->q[1][i], m->q[2][i], m->q[3][i]};
    double w[3] = {m->w[0][i], m->w[1][i], m->w[2][i]};
    turn(q, w, drift, q);
    for (int k = 0; k < 4; k++)
        m->q[k][i] = q[k];
}

/** Kicks the n <= FEW bodies from i on by `time`. With `drifts` they drift by `drift` != 0, and
 * bodies that are not round turn; with `all` round ones turn, too. */
static inline void move_and_turn(const scree_motion *m, double time, double drift, int drifts,
                                 int all, uint64_t i, uint32_t n)
{
    double line[8][FEW];
    const int others = move_lines(m, time, drift, drifts, i, n, line);
    if (others && drifts)
        turn_some(n, time, drift, line[4], line[5], line[6], m->inv_inertia[0] + i,
                  m->inv_inertia[1] + i, m->inv_inertia[2] + i, m->isotropic + i, m->q[0] + i,
                  m->q[1] + i, m->q[2] + i, m->q[3] + i, m->w[0] + i, m->w[1] + i, m->w[2] + i);
    else if (others)
        spin_some(n, time, line[4], line[5], line[6], m->inv_inertia[0] + i, m->inv_inertia[1] + i,
                  m->inv_inertia[2] + i, m->isotropic + i, m->q[0] + i, m->q[1] + i, m->q[2] + i,
                  m->q[3] + i, m->w[0] + i, m->w[1] + i, m->w[2] + i);
    if (drifts && all)
        for (uint64_t k = i; k < i + n; k++)
            if (m->isotropic[k])
                turn_round(m, k, drift);
}

/** Choice `orientation` of a config. */
enum { NEEDED, ALL };

#endif
