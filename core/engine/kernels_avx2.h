/* SPDX-License-Identifier: Apache-2.0 */
/* Part of kernels.c where the compiler may use AVX2: twins of some of its loops. */
#ifndef CORE_KERNELS_AVX2_H
#define CORE_KERNELS_AVX2_H

#include <immintrin.h>
#include <stdint.h>

/*
 * Twins of mirror, start, slack, solids_left, in_step, candidates, near_pairs, gather_near
 * (kernels_near_avx2.h), place_balls, balls, motion and apply. The compiler gathers a body's line
 * number by number; these load it whole, and transpose four at a time. Each element goes through
 * the same operations in the same order as in the plain loop, so the bits are equal
 * (tests/unit/engine/test_kernels.c, test_engine_ball_kernels.c). Only which pairs at the limit of
 * near ones are kept may differ, by rounding: such a pair has no contact.
 */

/** Rows r[0..3] become columns. */
static inline void transpose(__m256d r[4])
{
    __m256d a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    __m256d c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

/** Returns the start of the next four of n, after those at `at`: the last four overlap the ones
 * before, which saves a loop for the rest. Only for outputs that depend on inputs, and n >= 4. */
static inline uint32_t next_four(uint32_t at, uint32_t n)
{
    return at + 4 >= n ? n : at + 8 > n ? n - 4 : at + 4;
}

/** Prefetches the balls of the higher bodies of four pairs. Always inline: gcc 12 drops calls that
 * only prefetch. */
static inline __attribute__((always_inline)) void call_balls(const uint32_t *a, const uint32_t *b,
                                                             const double *ball)
{
    const __m128i body = _mm_max_epu32(_mm_loadu_si128((const __m128i *)(const void *)a),
                                       _mm_loadu_si128((const __m128i *)(const void *)b));
    const uint64_t two[2] = {(uint64_t)_mm_cvtsi128_si64(body),
                             (uint64_t)_mm_extract_epi64(body, 1)};
    for (int k = 0; k < 2; k++) {
        __builtin_prefetch(ball + 4 * (two[k] & UINT32_MAX));
        __builtin_prefetch(ball + 4 * (two[k] >> 32));
    }
}

/** Stores the numbers of v that have these places. */
static inline void put_numbers(uint32_t *to, __m128i v, __m128i places)
{
    const __m128 packed = _mm_permutevar_ps(_mm_castsi128_ps(v), places);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_castps_si128(packed));
}

/** Gathers d and radii of the pairs p to p + 3. */
static inline __attribute__((always_inline)) void
candidate_four(uint32_t p, const uint32_t *a, const uint32_t *b, const double *ball,
               double *const *d, double *ra, double *rb)
{
    __m256d apart[4], to[4];
    for (uint32_t k = 0; k < 4; k++) {
        __m256d from = _mm256_load_pd(ball + 4 * (uint64_t)a[k]);
        to[k] = _mm256_load_pd(ball + 4 * (uint64_t)b[k]);
        // place 3 has the radius of a
        apart[k] = _mm256_blend_pd(_mm256_sub_pd(to[k], from), from, 8);
    }
    transpose(apart);
    for (int k = 0; k < 3; k++)
        _mm256_storeu_pd(d[k] + p, apart[k]);
    _mm256_storeu_pd(ra + p, apart[3]);
    _mm256_storeu_pd(rb + p, _mm256_permute2f128_pd(_mm256_unpackhi_pd(to[0], to[1]),
                                                    _mm256_unpackhi_pd(to[2], to[3]), 0x31));
}

static inline void candidates_by_four(int calls, uint32_t n, uint32_t ahead, const uint32_t *a,
                                      const uint32_t *b, const double *ball, double *const *d,
                                      double *ra, double *rb)
{
    double *const to[3] = {d[0], d[1], d[2]};
    for (uint32_t p = 0; p < n; p = next_four(p, n)) {
        if (calls && p + PAIRS_AHEAD + 4 <= n + ahead)
            call_balls(a + p + PAIRS_AHEAD, b + p + PAIRS_AHEAD, ball);
        candidate_four(p, a + p, b + p, ball, to, ra, rb);
    }
}

static void candidates_avx2(uint32_t n, uint32_t ahead, const uint32_t *a, const uint32_t *b,
                            const double *ball, bool calls, double *const *d, double *ra,
                            double *rb)
{
    if (n < 4)
        candidates(n, ahead, a, b, ball, calls, d, ra, rb);
    else if (calls)
        candidates_by_four(1, n, ahead, a, b, ball, d, ra, rb);
    else
        candidates_by_four(0, n, ahead, a, b, ball, d, ra, rb);
}

/** Keeps the numbers of the near ones of n pairs, or (`listed`) of n listed pairs. `calls` and
 * `listed` are constants. Returns how many pairs it has looked at; *found: how many are near. */
static inline uint32_t near_by_four(int calls, int listed, const uint16_t *list, uint32_t n,
                                    uint32_t ahead, const uint32_t *a, const uint32_t *b,
                                    const double *ball, double range, uint32_t *near,
                                    uint64_t *found)
{
    // the places of near pairs among four
    static const _Alignas(16) uint32_t packed[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    const __m256d wide = _mm256_setr_pd(0.0, 0.0, 0.0, range), zero = _mm256_setzero_pd();
    const __m256d radius = _mm256_setr_pd(0.0, 0.0, 0.0, -0.0);
    const __m256d by = _mm256_setr_pd(1.0, 1.0, 1.0, -ROUNDING);
    __m128i four = _mm_setr_epi32(0, 1, 2, 3);
    uint64_t n_near = 0, p = 0;
    for (; p + 4 <= n; p += 4) {
        __m256d v[4];
        if (calls && p + PAIRS_AHEAD + 4 <= n + ahead)
            call_balls(a + p + PAIRS_AHEAD, b + p + PAIRS_AHEAD, ball);
        for (uint32_t k = 0; k < 4; k++) { // place 3: the reach, whose square is subtracted
            const uint64_t of = listed ? list[p + k] : p + k;
            const __m256d from = _mm256_xor_pd(radius, _mm256_load_pd(ball + 4 * (uint64_t)a[of]));
            v[k] = _mm256_add_pd(_mm256_sub_pd(wide, from),
                                 _mm256_load_pd(ball + 4 * (uint64_t)b[of]));
            v[k] = _mm256_mul_pd(v[k], _mm256_mul_pd(v[k], by));
        }
        const __m256d low = _mm256_hadd_pd(v[0], v[1]), high = _mm256_hadd_pd(v[2], v[3]);
        const __m256d apart =
            _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x21), _mm256_blend_pd(low, high, 12));
        const int is_near = _mm256_movemask_pd(_mm256_cmp_pd(apart, zero, _CMP_NGT_UQ));
        if (listed)
            four = _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(list + p)));
        put_numbers(near + n_near, four,
                    _mm_load_si128((const __m128i *)(const void *)packed[is_near]));
        if (!listed)
            four = _mm_add_epi32(four, _mm_set1_epi32(4));
        n_near += (uint64_t)__builtin_popcount((unsigned)is_near);
    }
    *found = n_near;
    return (uint32_t)p;
}

static uint32_t near_pairs_avx2(uint32_t n, uint32_t ahead, const uint32_t *a, const uint32_t *b,
                                const double *ball, bool calls, double range, uint32_t *near)
{
    uint64_t found;
    const uint32_t p = calls ? near_by_four(1, 0, NULL, n, ahead, a, b, ball, range, near, &found)
                             : near_by_four(0, 0, NULL, n, ahead, a, b, ball, range, near, &found);
    const uint32_t rest = near_pairs(n - p, 0, a + p, b + p, ball, false, range, near + found);
    for (uint64_t c = found; c < found + rest; c++)
        near[c] += p;
    return (uint32_t)found + rest;
}

/** Returns two numbers at `low` and two at `high` in one register. Inserting from memory takes no
 * shuffle port; the CPU has only one, which limits the loops below. */
static inline __m256d load_pairs(const double *low, const double *high)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}

/** Loads the columns of the rows r0 to r3 of four numbers each. */
static inline void load_transposed(const double *r0, const double *r1, const double *r2,
                                   const double *r3, __m256d column[4])
{
    __m256d p = load_pairs(r0, r2), q = load_pairs(r1, r3);
    column[0] = _mm256_unpacklo_pd(p, q);
    column[1] = _mm256_unpackhi_pd(p, q);
    p = load_pairs(r0 + 2, r2 + 2);
    q = load_pairs(r1 + 2, r3 + 2);
    column[2] = _mm256_unpacklo_pd(p, q);
    column[3] = _mm256_unpackhi_pd(p, q);
}

/** Returns p q - r s. */
static inline __m256d minor(__m256d p, __m256d q, __m256d r, __m256d s)
{
    return _mm256_sub_pd(_mm256_mul_pd(p, q), _mm256_mul_pd(r, s));
}

/** Returns the columns of four points, turned by q, as scree_rotate does; column 3 stays. */
static inline void rotate_four(const __m256d q[4], const __m256d from[3], __m256d to[4])
{
    __m256d t[3];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        t[k] = _mm256_mul_pd(_mm256_set1_pd(2.0), minor(q[1 + i], from[j], q[1 + j], from[i]));
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const __m256d turns = _mm256_add_pd(from[k], _mm256_mul_pd(q[0], t[k]));
        to[k] = _mm256_sub_pd(_mm256_add_pd(turns, _mm256_mul_pd(q[1 + i], t[j])),
                              _mm256_mul_pd(q[1 + j], t[i]));
    }
}

/** Writes a line of a ball and one of its place. */
static inline void put_place(__m256d line, __m256d at, uint64_t p, double *ball, double *place)
{
    _mm256_store_pd(ball + 4 * p, line);
    _mm256_store_pd(place + 4 * p, _mm256_add_pd(at, line));
}

/** Places the balls of body i, four at once. */
static void place_clump(uint64_t i, uint32_t n, const double *const *centre, const double *radius,
                        const double *const *x, const double *const *q, const double *scale,
                        const double *reach, double *ball, double *place)
{
    const double centre_i[3] = {x[0][i], x[1][i], x[2][i]};
    const __m256d by = _mm256_set1_pd(scale[i]);
    const __m256d at = _mm256_setr_pd(centre_i[0], centre_i[1], centre_i[2],
                                      scree_place_rounding(centre_i, reach[i]));
    __m256d turn[4];
    uint32_t p = 0;
    for (int k = 0; k < 4; k++)
        turn[k] = _mm256_set1_pd(q[k][i]);
    for (; p + 4 <= n; p += 4) {
        __m256d from[3], line[4];
        for (int k = 0; k < 3; k++)
            from[k] = _mm256_mul_pd(by, _mm256_loadu_pd(centre[k] + p));
        rotate_four(turn, from, line);
        line[3] = _mm256_mul_pd(by, _mm256_loadu_pd(radius + p));
        transpose(line);
        for (uint32_t k = 0; k < 4; k++)
            put_place(line[k], at, p + k, ball, place);
    }
    const double *const rest[3] = {centre[0] + p, centre[1] + p, centre[2] + p};
    place_balls(i, i + 1, n - p, rest, radius + p, x, q, scale, reach, ball + 4 * p, place + 4 * p);
}

/** Places each ball of four bodies at once, while there are four. */
static void place_balls_avx2(uint64_t begin, uint64_t end, uint32_t n, const double *const *centre,
                             const double *radius, const double *const *x, const double *const *q,
                             const double *scale, const double *reach, double *ball, double *place)
{
    const __m256d no_sign = _mm256_set1_pd(-0.0);
    uint64_t i = begin;
    for (; i + 4 <= end; i += 4, ball += 16 * n, place += 16 * n) {
        const __m256d by = _mm256_loadu_pd(scale + i);
        __m256d turn[4], at[4], sum = _mm256_setzero_pd();
        for (int k = 0; k < 4; k++)
            turn[k] = _mm256_loadu_pd(q[k] + i);
        for (int k = 0; k < 3; k++) {
            at[k] = _mm256_loadu_pd(x[k] + i);
            sum = _mm256_add_pd(sum, _mm256_andnot_pd(no_sign, at[k]));
        }
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_set1_pd(2.0), _mm256_loadu_pd(reach + i)));
        at[3] = _mm256_mul_pd(_mm256_set1_pd(0x1p-51), sum);
        transpose(at);
        for (uint32_t p = 0; p < n; p++) {
            __m256d from[3], line[4];
            for (int k = 0; k < 3; k++)
                from[k] = _mm256_mul_pd(by, _mm256_set1_pd(centre[k][p]));
            rotate_four(turn, from, line);
            line[3] = _mm256_mul_pd(by, _mm256_set1_pd(radius[p]));
            transpose(line);
            for (uint32_t k = 0; k < 4; k++)
                put_place(line[k], at[k], (uint64_t)k * n + p, ball, place);
        }
    }
    for (; i < end; i++, ball += 4 * n, place += 4 * n)
        place_clump(i, n, centre, radius, x, q, scale, reach, ball, place);
}

/** Stores columns of four balls, and their radii. */
static inline void put_balls(const __m256d column[4], double *const *lever, double *radius,
                             uint32_t c)
{
    for (int k = 0; k < 3; k++)
        _mm256_storeu_pd(lever[k] + c, column[k]);
    _mm256_storeu_pd(radius + c, column[3]);
}

static void balls_avx2(uint32_t n, const uint32_t *pair, const uint32_t *a, const uint32_t *b,
                       const double *const *from_d, const double *ball, double *const *d,
                       double *const *lever_a, double *const *lever_b, double *const *radius)
{
    if (n < 4) {
        balls(n, pair, a, b, from_d, ball, d, lever_a, lever_b, radius);
        return;
    }
    for (uint32_t c = 0; c < n; c = next_four(c, n)) {
        const double *of[2][4];
        __m256d i[4], j[4];
        for (uint32_t k = 0; k < 4; k++) {
            of[0][k] = ball + 4 * (uint64_t)a[c + k];
            of[1][k] = ball + 4 * (uint64_t)b[c + k];
        }
        load_transposed(of[0][0], of[0][1], of[0][2], of[0][3], i);
        load_transposed(of[1][0], of[1][1], of[1][2], of[1][3], j);
        for (int k = 0; k < 3; k++) {
            const double *from = from_d[k];
            const __m256d apart = _mm256_setr_pd(from[pair[c]], from[pair[c + 1]],
                                                 from[pair[c + 2]], from[pair[c + 3]]);
            _mm256_storeu_pd(d[k] + c, _mm256_sub_pd(_mm256_add_pd(apart, j[k]), i[k]));
        }
        put_balls(i, lever_a, radius[0], c);
        put_balls(j, lever_b, radius[1], c);
    }
}

/** Loads lines of four bodies: linear x y z and 1/m in lin, angular in ang. */
static inline void load_twists(const uint32_t *body, const double *twist, __m256d lin[4],
                               __m256d ang[4])
{
    const double *of[4];
    for (int k = 0; k < 4; k++)
        of[k] = twist + 8 * (uint64_t)body[k];
    load_transposed(of[0], of[1], of[2], of[3], lin);
    load_transposed(of[0] + 4, of[1] + 4, of[2] + 4, of[3] + 4, ang);
}

/** Returns u + (p q - r s). */
static inline __m256d turned(__m256d u, __m256d p, __m256d q, __m256d r, __m256d s)
{
    return _mm256_add_pd(u, _mm256_sub_pd(_mm256_mul_pd(p, q), _mm256_mul_pd(r, s)));
}

/** Writes the spins of four contacts, and their rotations unless `roll` is NULL. */
static inline void put_turns(const __m256d wa[4], const __m256d wb[4], __m256d by,
                             double *const *spin_out, double *const *roll, uint32_t c)
{
    for (int k = 0; k < 3; k++) {
        const __m256d turns = _mm256_sub_pd(wa[k], wb[k]);
        _mm256_storeu_pd(spin_out[k] + c, turns);
        if (roll)
            _mm256_storeu_pd(roll[k] + c, _mm256_mul_pd(by, turns));
    }
}

static void motion_avx2(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                        const double *const *arm, const double *const *d, double *const *v,
                        double since, double *const *slip, double *mass_out,
                        double *const *spin_out, double *const *roll)
{
    const __m256d by = _mm256_set1_pd(since), one = _mm256_set1_pd(1.0);
    if (n < 4) {
        motion(n, a, b, twist, arm, d, v, since, slip, mass_out, spin_out, roll);
        return;
    }
    for (uint32_t c = 0; c < n; c = next_four(c, n)) {
        __m256d la[4], wa[4], lb[4], wb[4], at[3], bt[3];
        load_twists(a + c, twist, la, wa);
        load_twists(b + c, twist, lb, wb);
        for (int k = 0; k < 3; k++) {
            at[k] = _mm256_loadu_pd(arm[k] + c);
            bt[k] = _mm256_sub_pd(at[k], _mm256_loadu_pd(d[k] + c));
        }
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            __m256d of_a = turned(la[k], wa[i], at[j], wa[j], at[i]);
            __m256d of_b = turned(lb[k], wb[i], bt[j], wb[j], bt[i]);
            __m256d apart = _mm256_sub_pd(of_a, of_b);
            _mm256_storeu_pd(v[k] + c, apart);
            if (slip)
                _mm256_storeu_pd(slip[k] + c, _mm256_mul_pd(by, apart));
        }
        if (spin_out)
            put_turns(wa, wb, by, spin_out, roll, c);
        if (mass_out)
            _mm256_storeu_pd(mass_out + c, _mm256_div_pd(one, _mm256_add_pd(la[3], lb[3])));
    }
}

static inline void add_line(double *line, __m256d linear, __m256d angular)
{
    _mm256_store_pd(line, _mm256_add_pd(_mm256_load_pd(line), linear));
    _mm256_store_pd(line + 4, _mm256_add_pd(_mm256_load_pd(line + 4), angular));
}

/** Exchanges the numbers of two registers where `swap` is set. */
static inline void exchange(__m256d *p, __m256d *q, __m256d swap)
{
    const __m256d first = *p;
    *p = _mm256_blendv_pd(first, *q, swap);
    *q = _mm256_blendv_pd(*q, first, swap);
}

/** Adds n of four contacts to the lines of their bodies; ta and tb are overwritten. Forces on rows
 * and on columns are found for all four at once: masks for each contact would cost as much again.
 * Where a body touches its own image, a counts as the row, so that f comes before -f. */
static inline void add_four(uint32_t n, const uint32_t *a, const uint32_t *b, const __m256d f[3],
                            __m256d ta[3], __m256d tb[3], __m256d stored, __m256d lost,
                            double *wrench)
{
    const __m256d zero = _mm256_setzero_pd();
    const __m128i of_a = _mm_loadu_si128((const __m128i *)(const void *)a);
    const __m128i of_b = _mm_loadu_si128((const __m128i *)(const void *)b);
    const __m128i of_row = _mm_min_epu32(of_a, of_b), of_col = _mm_max_epu32(of_a, of_b);
    const __m256d kept = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_cmpeq_epi32(of_row, of_a)));
    const __m256d flips = _mm256_andnot_pd(kept, _mm256_set1_pd(-0.0));
    __m256d force[4] = {_mm256_xor_pd(f[0], flips), _mm256_xor_pd(f[1], flips),
                        _mm256_xor_pd(f[2], flips), stored};
    for (int k = 0; k < 3; k++)
        exchange(&ta[k], &tb[k], flips);
    __m256d on_row[4] = {ta[0], ta[1], ta[2], lost}, on_col[4] = {tb[0], tb[1], tb[2], zero};
    uint64_t row[4], col[4]; // first numbers of lines
    _mm256_storeu_si256((__m256i *)(void *)row,
                        _mm256_slli_epi64(_mm256_cvtepu32_epi64(of_row), 3));
    _mm256_storeu_si256((__m256i *)(void *)col,
                        _mm256_slli_epi64(_mm256_cvtepu32_epi64(of_col), 3));
    transpose(force);
    transpose(on_row);
    transpose(on_col);
    for (uint32_t k = 0; k < n; k++) {
        double *to = wrench + col[k];
        add_line(wrench + row[k], force[k], on_row[k]);
        _mm256_store_pd(to, _mm256_sub_pd(_mm256_load_pd(to), _mm256_blend_pd(force[k], zero, 8)));
        _mm256_store_pd(to + 4, _mm256_add_pd(_mm256_load_pd(to + 4), on_col[k]));
    }
}

/** Loads four numbers of each of three arrays. */
static inline void load_three(const double *const *v, uint32_t at, __m256d out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = _mm256_loadu_pd(v[k] + at);
}

/** Applies four contacts from `at` on, of which `n` count. */
static inline __m256d apply_four(uint32_t n, const uint32_t *a, const uint32_t *b,
                                 const double *const *f, const double *const *arm,
                                 const double *const *d, const double *const *couple,
                                 const double *const *couple_b, const double *stored,
                                 const double *lost, uint32_t at, double *wrench)
{
    const __m256d held = _mm256_loadu_pd(stored + at), heat = _mm256_loadu_pd(lost + at);
    __m256d fv[3], r[3], l[3], on_a[3], on_b[3], sum = _mm256_add_pd(held, heat);
    load_three(f, at, fv);
    load_three(arm, at, r);
    for (int k = 0; k < 3; k++)
        l[k] = _mm256_sub_pd(r[k], _mm256_loadu_pd(d[k] + at)); // arm of b
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        on_a[k] = minor(r[i], fv[j], r[j], fv[i]);
        on_b[k] = minor(l[j], fv[i], l[i], fv[j]);
        if (couple) {
            on_a[k] = _mm256_add_pd(on_a[k], _mm256_loadu_pd(couple[k] + at));
            on_b[k] = couple_b ? _mm256_add_pd(on_b[k], _mm256_loadu_pd(couple_b[k] + at))
                               : _mm256_sub_pd(on_b[k], _mm256_loadu_pd(couple[k] + at));
        }
        sum = _mm256_add_pd(sum, _mm256_add_pd(fv[k], _mm256_add_pd(on_a[k], on_b[k])));
    }
    add_four(n, a + at, b + at, fv, on_a, on_b, held, heat, wrench);
    return _mm256_sub_pd(sum, sum); // NaN: a value is not finite
}

static inline uint32_t apply_all(uint32_t n, const uint32_t *a, const uint32_t *b,
                                 const double *const *f, const double *const *arm,
                                 const double *const *d, const double *const *couple,
                                 const double *const *couple_b, const double *stored,
                                 const double *lost, double *wrench)
{
    __m256d odd_ones = _mm256_setzero_pd();
    uint32_t c = 0;
    for (; c + 4 <= n; c += 4)
        odd_ones = _mm256_or_pd(
            odd_ones, apply_four(4, a, b, f, arm, d, couple, couple_b, stored, lost, c, wrench));
    if (c < n) {
        double rest[17][4] = {{0.0}};
        const double *const *const from[5] = {f, arm, d, couple, couple_b}, *to[5][3];
        uint32_t body[2][4] = {{0}};
        for (int g = 0; g < 5; g++)
            for (int j = 0; j < 3; j++) {
                to[g][j] = rest[3 * g + j];
                for (uint32_t k = 0; from[g] && k < n - c; k++)
                    rest[3 * g + j][k] = from[g][j][c + k];
            }
        for (uint32_t k = 0; k < n - c; k++) {
            rest[15][k] = stored[c + k];
            rest[16][k] = lost[c + k];
            body[0][k] = a[c + k];
            body[1][k] = b[c + k];
        }
        odd_ones = _mm256_or_pd(odd_ones, apply_four(n - c, body[0], body[1], to[0], to[1], to[2],
                                                     couple ? to[3] : NULL, couple_b ? to[4] : NULL,
                                                     rest[15], rest[16], 0, wrench));
    }
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(odd_ones, odd_ones, _CMP_UNORD_Q));
}

/** Most laws give no couple: this case is compiled by itself. */
static uint32_t apply_avx2(uint32_t n, const uint32_t *a, const uint32_t *b, const double *const *f,
                           const double *const *arm, const double *const *d,
                           const double *const *couple, const double *const *couple_b,
                           const double *stored, const double *lost, double *wrench)
{
    return couple ? apply_all(n, a, b, f, arm, d, couple, couple_b, stored, lost, wrench)
                  : apply_all(n, a, b, f, arm, d, NULL, NULL, stored, lost, wrench);
}

static double slack_avx2(uint32_t begin, uint32_t end, const double *ball, const double *ref)
{
    __m256d within = _mm256_castsi256_pd(_mm256_set1_epi64x(-1)), zero = _mm256_setzero_pd();
    __m256d least = _mm256_set1_pd((double)INFINITY), nearly = _mm256_set1_pd(NEARLY);
    double of_four[4];
    uint64_t i = begin;
    for (; i + 4 <= end; i += 4) {
        __m256d d[4];
        for (uint64_t k = 0; k < 4; k++) {
            __m256d at = _mm256_load_pd(ref + 4 * (i + k));
            d[k] = _mm256_blend_pd(_mm256_sub_pd(_mm256_load_pd(ball + 4 * (i + k)), at), at, 8);
        }
        transpose(d); // dx, dy, dz, eps
        __m256d xy = _mm256_add_pd(_mm256_mul_pd(d[0], d[0]), _mm256_mul_pd(d[1], d[1]));
        __m256d d2 = _mm256_add_pd(xy, _mm256_mul_pd(d[2], d[2]));
        within = _mm256_and_pd(within, _mm256_cmp_pd(d2, _mm256_mul_pd(d[3], d[3]), _CMP_LE_OQ));
        const __m256d rest = _mm256_sub_pd(_mm256_mul_pd(nearly, d[3]), _mm256_sqrt_pd(d2));
        least = _mm256_min_pd(_mm256_max_pd(rest, zero), least);
    }
    if (_mm256_movemask_pd(within) != 15)
        return -1.0;
    _mm256_storeu_pd(of_four, least);
    return fmin(fmin(fmin(of_four[0], of_four[1]), fmin(of_four[2], of_four[3])),
                slack((uint32_t)i, end, ball, ref));
}

/** Loads four lines, and transposes them. */
static inline void load_lines(const double *from, __m256d column[4])
{
    for (int k = 0; k < 4; k++)
        column[k] = _mm256_loadu_pd(from + 4 * k);
    transpose(column);
}

static bool solids_left_avx2(uint64_t begin, uint64_t end, const double *const *x,
                             const double *const *q, const double *radius, const double *ref,
                             const double *turn)
{
    __m256d left = _mm256_setzero_pd();
    uint64_t i = begin;
    for (; i + 4 <= end; i += 4, ref += 16, turn += 16) {
        __m256d at[4], was[4], moved = _mm256_setzero_pd(), minus = moved, plus = moved;
        load_lines(ref, at);
        load_lines(turn, was);
        for (int k = 0; k < 3; k++) {
            const __m256d way = _mm256_sub_pd(_mm256_loadu_pd(x[k] + i), at[k]);
            moved = _mm256_add_pd(moved, _mm256_mul_pd(way, way));
        }
        for (int k = 0; k < 4; k++) {
            const __m256d now = _mm256_loadu_pd(q[k] + i), d = _mm256_sub_pd(now, was[k]);
            const __m256d s = _mm256_add_pd(now, was[k]);
            minus = _mm256_add_pd(minus, _mm256_mul_pd(d, d));
            plus = _mm256_add_pd(plus, _mm256_mul_pd(s, s));
        }
        const __m256d wide = _mm256_mul_pd(_mm256_set1_pd(2.0), _mm256_loadu_pd(radius + i));
        const __m256d turned_by = _mm256_mul_pd(wide, _mm256_sqrt_pd(_mm256_min_pd(minus, plus)));
        const __m256d way = _mm256_add_pd(_mm256_sqrt_pd(moved), turned_by);
        left = _mm256_or_pd(left, _mm256_cmp_pd(way, at[3], _CMP_NLE_UQ));
    }
    return _mm256_movemask_pd(left) || solids_left(i, end, x, q, radius, ref, turn);
}

/** Reads the lines of four bodies from three arrays; `last`: their fourth numbers. */
static inline void read_lines(uint64_t i, const double *const from[3], __m256d last,
                              __m256d line[4])
{
    for (int k = 0; k < 3; k++)
        line[k] = _mm256_loadu_pd(from[k] + i);
    line[3] = last;
    transpose(line);
}

static double mirror_avx2(uint32_t begin, uint32_t end, const double *const *x,
                          const double *radius, const double *const *v, const double *const *w,
                          const double *inv_mass, double *ball, double *twist)
{
    const double *const xs[] = {x[0], x[1], x[2]}, *const vs[] = {v[0], v[1], v[2]};
    const double *const ws[] = {w[0], w[1], w[2]};
    const __m256d zero = _mm256_setzero_pd();
    __m256d most = zero, all = zero;
    double part[4];
    uint64_t i = begin;
    for (; i + 4 <= end; i += 4) {
        __m256d r[4], lin[4], ang[4];
        read_lines(i, xs, _mm256_loadu_pd(radius + i), r);
        read_lines(i, vs, _mm256_loadu_pd(inv_mass + i), lin);
        read_lines(i, ws, zero, ang);
        for (uint64_t k = 0; k < 4; k++) {
            const __m256d way = _mm256_sub_pd(r[k], _mm256_load_pd(ball + 4 * (i + k)));
            const __m256d square = _mm256_mul_pd(way, way);
            most = _mm256_max_pd(square, most);
            all = _mm256_add_pd(all, square);
            _mm256_store_pd(ball + 4 * (i + k), r[k]);
            _mm256_store_pd(twist + 8 * (i + k), lin[k]);
            _mm256_store_pd(twist + 8 * (i + k) + 4, ang[k]);
        }
    }
    _mm256_storeu_pd(part, _mm256_add_pd(most, _mm256_sub_pd(all, all)));
    return longest(part, 0.0) + mirror((uint32_t)i, end, x, radius, v, w, inv_mass, ball, twist);
}

static uint32_t in_step_avx2(uint32_t n, const uint32_t *pair, uint32_t base, const uint32_t *pairs,
                             uint32_t first, uint32_t *old)
{
    const __m256i by = _mm256_set1_epi32((int)base), on = _mm256_set1_epi32(8);
    __m256i number =
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    uint64_t c = 0;
    for (; c + 8 <= n; c += 8) {
        const __m256i of = _mm256_loadu_si256((const __m256i *)(const void *)(pair + c));
        const __m256i to = _mm256_loadu_si256((const __m256i *)(const void *)(pairs + c));
        const __m256i same = _mm256_cmpeq_epi32(_mm256_add_epi32(of, by), to);
        const unsigned which = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
        _mm256_storeu_si256((__m256i *)(void *)(old + c), number);
        number = _mm256_add_epi32(number, on);
        if (which != 0xff)
            return (uint32_t)c + (uint32_t)__builtin_ctz(~which);
    }
    const uint32_t at = (uint32_t)c;
    return at + in_step(n - at, pair + c, base, pairs + c, first + at, old + c);
}

static inline void start_one(const double *mass, __m256d by, double *line)
{
    const __m256d zero = _mm256_setzero_pd();
    _mm256_store_pd(line, _mm256_add_pd(zero, _mm256_mul_pd(_mm256_broadcast_sd(mass), by)));
    _mm256_store_pd(line + 4, zero);
}

static void start_avx2(uint32_t begin, uint32_t end, const double *mass, double gx, double gy,
                       double gz, double *wrench)
{
    const __m256d by = _mm256_setr_pd(gx, gy, gz, 0.0);
    uint64_t i = begin;
    for (; i + 4 <= end; i += 4)
        for (uint64_t k = i; k < i + 4; k++)
            start_one(mass + k, by, wrench + 8 * k);
    for (; i < end; i++)
        start_one(mass + i, by, wrench + 8 * i);
}

#endif
