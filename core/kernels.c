/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own inner loops. Built per CPU level with SCREE_KERNEL_LEVEL=baseline or v3. */
#include "kernels.h"

#include <stddef.h>

/*
 * Plain loops over restrict parameters that the compiler vectorises. No fused multiply-add
 * (-ffp-contract=off), no reassociation: each element is computed by the same operations at every
 * level, so the bits are equal. Gathers go through lines of one body: 32 bytes of position and
 * radius, 64 of velocities, instead of ten arrays.
 */

#define NAME2(level) scree_kernels_##level
#define NAME1(level) NAME2(level)
#define KERNELS NAME1(SCREE_KERNEL_LEVEL)
#define R restrict

static void mirror_kernel(uint32_t begin, uint32_t end, const double *R x, const double *R y,
                          const double *R z, const double *R radius, const double *R vx,
                          const double *R vy, const double *R vz, const double *R wx,
                          const double *R wy, const double *R wz, const double *R inv_mass,
                          double *R ball, double *R twist)
{
    for (uint32_t i = begin; i < end; i++) {
        double *R to = ball + 4 * (uint64_t)i, *R motion = twist + 8 * (uint64_t)i;
        to[0] = x[i];
        to[1] = y[i];
        to[2] = z[i];
        to[3] = radius[i];
        motion[0] = vx[i];
        motion[1] = vy[i];
        motion[2] = vz[i];
        motion[3] = inv_mass[i];
        motion[4] = wx[i];
        motion[5] = wy[i];
        motion[6] = wz[i];
        motion[7] = 0.0;
    }
}

static void mirror(uint32_t begin, uint32_t end, const double *const *x, const double *radius,
                   const double *const *v, const double *const *w, const double *inv_mass,
                   double *ball, double *twist)
{
    mirror_kernel(begin, end, x[0], x[1], x[2], radius, v[0], v[1], v[2], w[0], w[1], w[2],
                  inv_mass, ball, twist);
}

static uint32_t left(uint32_t begin, uint32_t end, const double *R ball, const double *R ref)
{
    uint32_t any = 0;
    for (uint64_t i = begin; i < end; i++) {
        double dx = ball[4 * i] - ref[4 * i], dy = ball[4 * i + 1] - ref[4 * i + 1];
        double dz = ball[4 * i + 2] - ref[4 * i + 2], eps = ref[4 * i + 3];
        any |= !(dx * dx + dy * dy + dz * dz <= eps * eps);
    }
    return any;
}

static void candidates(uint32_t n, const uint32_t *R a, const uint32_t *R b, const double *R ball,
                       double *R dx, double *R dy, double *R dz, double *R ra, double *R rb)
{
    for (uint32_t p = 0; p < n; p++) {
        const double *R pa = ball + 4 * (uint64_t)a[p], *R pb = ball + 4 * (uint64_t)b[p];
        dx[p] = pb[0] - pa[0];
        dy[p] = pb[1] - pa[1];
        dz[p] = pb[2] - pa[2];
        ra[p] = pa[3];
        rb[p] = pb[3];
    }
}

static void motion_kernel(uint32_t n, const uint32_t *R a, const uint32_t *R b,
                          const double *R twist, const double *R ax, const double *R ay,
                          const double *R az, const double *R dx, const double *R dy,
                          const double *R dz, double *R vx, double *R vy, double *R vz)
{
    for (uint32_t c = 0; c < n; c++) {
        const double *R ta = twist + 8 * (uint64_t)a[c], *R tb = twist + 8 * (uint64_t)b[c];
        double bx = ax[c] - dx[c], by = ay[c] - dy[c], bz = az[c] - dz[c]; // arm of b
        vx[c] = (ta[0] + (ta[5] * az[c] - ta[6] * ay[c])) - (tb[0] + (tb[5] * bz - tb[6] * by));
        vy[c] = (ta[1] + (ta[6] * ax[c] - ta[4] * az[c])) - (tb[1] + (tb[6] * bx - tb[4] * bz));
        vz[c] = (ta[2] + (ta[4] * ay[c] - ta[5] * ax[c])) - (tb[2] + (tb[4] * by - tb[5] * bx));
    }
}

static void motion(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                   const double *const *arm, const double *const *d, double *const *v)
{
    motion_kernel(n, a, b, twist, arm[0], arm[1], arm[2], d[0], d[1], d[2], v[0], v[1], v[2]);
}

static void spin_kernel(uint32_t n, const uint32_t *R a, const uint32_t *R b, const double *R twist,
                        double *R x, double *R y, double *R z)
{
    for (uint32_t c = 0; c < n; c++) {
        const double *R ta = twist + 8 * (uint64_t)a[c], *R tb = twist + 8 * (uint64_t)b[c];
        x[c] = ta[4] - tb[4];
        y[c] = ta[5] - tb[5];
        z[c] = ta[6] - tb[6];
    }
}

static void spin(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                 double *const *w)
{
    spin_kernel(n, a, b, twist, w[0], w[1], w[2]);
}

static void mass(uint32_t n, const uint32_t *R a, const uint32_t *R b, const double *R twist,
                 double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] = 1.0 / (twist[8 * (uint64_t)a[c] + 3] + twist[8 * (uint64_t)b[c] + 3]);
}

static void scale(uint32_t n, double s, const double *R v, double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] = s * v[c];
}

static void cross(uint32_t n, const double *R fx, const double *R fy, const double *R fz,
                  const double *R ax, const double *R ay, const double *R az, const double *R dx,
                  const double *R dy, const double *R dz, double *R tax, double *R tay,
                  double *R taz, double *R tbx, double *R tby, double *R tbz)
{
    for (uint32_t c = 0; c < n; c++) {
        double bx = ax[c] - dx[c], by = ay[c] - dy[c], bz = az[c] - dz[c];
        tax[c] = ay[c] * fz[c] - az[c] * fy[c];
        tay[c] = az[c] * fx[c] - ax[c] * fz[c];
        taz[c] = ax[c] * fy[c] - ay[c] * fx[c];
        tbx[c] = bz * fy[c] - by * fz[c];
        tby[c] = bx * fz[c] - bz * fx[c];
        tbz[c] = by * fx[c] - bx * fy[c];
    }
}

static void add_to(uint32_t n, const double *R v, double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] += v[c];
}

static void subtract_from(uint32_t n, const double *R v, double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] -= v[c];
}

static void torques(uint32_t n, const double *const *f, const double *const *arm,
                    const double *const *d, const double *const *couple,
                    const double *const *couple_b, double *const *ta, double *const *tb)
{
    cross(n, f[0], f[1], f[2], arm[0], arm[1], arm[2], d[0], d[1], d[2], ta[0], ta[1], ta[2], tb[0],
          tb[1], tb[2]);
    for (int k = 0; couple && k < 3; k++) {
        add_to(n, couple[k], ta[k]);
        if (couple_b)
            add_to(n, couple_b[k], tb[k]);
        else
            subtract_from(n, couple[k], tb[k]);
    }
}

static void add_kernel(uint32_t n, const uint32_t *R a, const uint32_t *R b, const double *R fx,
                       const double *R fy, const double *R fz, const double *R tax,
                       const double *R tay, const double *R taz, const double *R tbx,
                       const double *R tby, const double *R tbz, const double *R stored,
                       const double *R lost, double *R wrench)
{
    for (uint32_t c = 0; c < n; c++) {
        double *la = wrench + 8 * (uint64_t)a[c], *lb = wrench + 8 * (uint64_t)b[c];
        double *row = a[c] < b[c] ? la : lb;
        la[0] += fx[c];
        la[1] += fy[c];
        la[2] += fz[c];
        la[4] += tax[c];
        la[5] += tay[c];
        la[6] += taz[c];
        lb[0] -= fx[c];
        lb[1] -= fy[c];
        lb[2] -= fz[c];
        lb[4] += tbx[c];
        lb[5] += tby[c];
        lb[6] += tbz[c];
        row[3] += stored[c];
        row[7] += lost[c];
    }
}

static void add(uint32_t n, const uint32_t *a, const uint32_t *b, const double *const *f,
                const double *const *ta, const double *const *tb, const double *stored,
                const double *lost, double *wrench)
{
    add_kernel(n, a, b, f[0], f[1], f[2], ta[0], ta[1], ta[2], tb[0], tb[1], tb[2], stored, lost,
               wrench);
}

static uint64_t not_finite(uint32_t n, const double *R v)
{
    int64_t bad = 0;
    for (uint32_t c = 0; c < n; c++)
        bad += !(v[c] - v[c] == 0.0);
    return (uint64_t)bad;
}

static void pick(uint32_t n, const uint32_t *R index, const double *R from, double *R to)
{
    for (uint32_t c = 0; c < n; c++)
        to[c] = from[index[c]];
}

static void pick_u32(uint32_t n, const uint32_t *R index, const uint32_t *R from, uint32_t *R to)
{
    for (uint32_t c = 0; c < n; c++)
        to[c] = from[index[c]];
}

static void pick_or(uint32_t n, const uint32_t *R index, double initial, const double *R from,
                    double *R to)
{
    for (uint32_t c = 0; c < n; c++) {
        uint32_t none = index[c] == UINT32_MAX, at = none ? 0 : index[c];
        double value = from[at];
        to[c] = none ? initial : value;
    }
}

static uint32_t fresh(uint32_t n, const uint32_t *R old, uint8_t *R is_fresh)
{
    uint32_t matched = 0;
    for (uint32_t c = 0; c < n; c++)
        matched += old[c] != UINT32_MAX;
    for (uint32_t c = 0; c < n; c++)
        is_fresh[c] = old[c] == UINT32_MAX;
    return matched;
}

static uint32_t ascends(uint32_t n, const uint32_t *R v)
{
    uint32_t bad = 0;
    for (uint32_t c = 1; c < n; c++)
        bad |= v[c] <= v[c - 1];
    return !bad;
}

static uint64_t count_touching(uint32_t n, const double *R v)
{
    int64_t count = 0;
    for (uint32_t c = 0; c < n; c++)
        count += v[c] >= 0.0;
    return (uint64_t)count;
}

static void start(uint32_t begin, uint32_t end, const double *R mass, double gx, double gy,
                  double gz, double *R wrench)
{
    for (uint64_t i = begin; i < end; i++) {
        double *R to = wrench + 8 * i;
        to[0] = 0.0 + mass[i] * gx;
        to[1] = 0.0 + mass[i] * gy;
        to[2] = 0.0 + mass[i] * gz;
        to[3] = to[4] = to[5] = to[6] = to[7] = 0.0;
    }
}

static void sum_lines(uint64_t n, const double *R lines, double *R sums)
{
    double total[8] = {0.0};
    for (uint64_t i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            total[k] += lines[8 * i + (uint64_t)k];
    for (int k = 0; k < 8; k++)
        sums[k] = total[k];
}

#ifdef __AVX2__
#include <immintrin.h>

/*
 * Twins of mirror, candidates, motion and add: the compiler gathers a body's line number by number;
 * these load it whole and transpose four at a time. Each element goes through the same operations
 * in the same order as in the plain loop, so the bits are equal (tests/unit/test_kernels.c).
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

static void candidates_avx2(uint32_t n, const uint32_t *R a, const uint32_t *R b,
                            const double *R ball, double *R dx, double *R dy, double *R dz,
                            double *R ra, double *R rb)
{
    uint32_t p = 0;
    for (; p + 4 <= n; p += 4) {
        __m256d d[4], to[4];
        for (uint32_t k = 0; k < 4; k++) {
            __m256d from = _mm256_load_pd(ball + 4 * (uint64_t)a[p + k]);
            to[k] = _mm256_load_pd(ball + 4 * (uint64_t)b[p + k]);
            d[k] = _mm256_blend_pd(_mm256_sub_pd(to[k], from), from, 8); // radius of a in place 3
        }
        transpose(d);
        _mm256_storeu_pd(dx + p, d[0]);
        _mm256_storeu_pd(dy + p, d[1]);
        _mm256_storeu_pd(dz + p, d[2]);
        _mm256_storeu_pd(ra + p, d[3]);
        _mm256_storeu_pd(rb + p, _mm256_permute2f128_pd(_mm256_unpackhi_pd(to[0], to[1]),
                                                        _mm256_unpackhi_pd(to[2], to[3]), 0x31));
    }
    candidates(n - p, a + p, b + p, ball, dx + p, dy + p, dz + p, ra + p, rb + p);
}

/** Lines of four bodies: linear x y z in lin[0..2], angular in ang[0..2]. */
static inline void load_twists(const uint32_t *body, const double *twist, __m256d lin[4],
                               __m256d ang[4])
{
    for (uint32_t k = 0; k < 4; k++) {
        lin[k] = _mm256_load_pd(twist + 8 * (uint64_t)body[k]);
        ang[k] = _mm256_load_pd(twist + 8 * (uint64_t)body[k] + 4);
    }
    transpose(lin);
    transpose(ang);
}

/** u + (p q - r s) */
static inline __m256d turned(__m256d u, __m256d p, __m256d q, __m256d r, __m256d s)
{
    return _mm256_add_pd(u, _mm256_sub_pd(_mm256_mul_pd(p, q), _mm256_mul_pd(r, s)));
}

static void motion_avx2(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                        const double *const *arm, const double *const *d, double *const *v)
{
    uint32_t c = 0;
    for (; c + 4 <= n; c += 4) {
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
            _mm256_storeu_pd(v[k] + c, _mm256_sub_pd(of_a, of_b));
        }
    }
    const double *const arms[3] = {arm[0] + c, arm[1] + c, arm[2] + c};
    const double *const ds[3] = {d[0] + c, d[1] + c, d[2] + c};
    double *const vs[3] = {v[0] + c, v[1] + c, v[2] + c};
    motion(n - c, a + c, b + c, twist, arms, ds, vs);
}

static inline void add_line(double *line, __m256d linear, __m256d angular)
{
    _mm256_store_pd(line, _mm256_add_pd(_mm256_load_pd(line), linear));
    _mm256_store_pd(line + 4, _mm256_add_pd(_mm256_load_pd(line + 4), angular));
}

/* To the line of the other body stored and lost are added as +0.0. That changes no bit: sums that
 * start at +0.0 are never -0.0. */
static void add_avx2(uint32_t n, const uint32_t *a, const uint32_t *b, const double *const *f,
                     const double *const *ta, const double *const *tb, const double *stored,
                     const double *lost, double *wrench)
{
    const __m256d minus = _mm256_set1_pd(-0.0);
    uint32_t c = 0;
    for (; c + 4 <= n; c += 4) {
        __m128i ia = _mm_loadu_si128((const __m128i *)(const void *)(a + c));
        __m128i ib = _mm_loadu_si128((const __m128i *)(const void *)(b + c));
        // a is the row; storage numbers are below 2^31
        __m256d row = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_cmplt_epi32(ia, ib)));
        __m256d s = _mm256_loadu_pd(stored + c), l = _mm256_loadu_pd(lost + c), fa[4], fb[4], qa[4],
                qb[4];
        for (int k = 0; k < 3; k++) {
            fa[k] = _mm256_loadu_pd(f[k] + c);
            fb[k] = _mm256_xor_pd(fa[k], minus);
            qa[k] = _mm256_loadu_pd(ta[k] + c);
            qb[k] = _mm256_loadu_pd(tb[k] + c);
        }
        fa[3] = _mm256_and_pd(row, s);
        fb[3] = _mm256_andnot_pd(row, s);
        qa[3] = _mm256_and_pd(row, l);
        qb[3] = _mm256_andnot_pd(row, l);
        transpose(fa);
        transpose(fb);
        transpose(qa);
        transpose(qb);
        for (uint32_t k = 0; k < 4; k++) {
            add_line(wrench + 8 * (uint64_t)a[c + k], fa[k], qa[k]);
            add_line(wrench + 8 * (uint64_t)b[c + k], fb[k], qb[k]);
        }
    }
    const double *const fs[3] = {f[0] + c, f[1] + c, f[2] + c};
    const double *const tas[3] = {ta[0] + c, ta[1] + c, ta[2] + c};
    const double *const tbs[3] = {tb[0] + c, tb[1] + c, tb[2] + c};
    add(n - c, a + c, b + c, fs, tas, tbs, stored + c, lost + c, wrench);
}
/** Four arrays side by side to lines of `stride` numbers, four bodies at a time. */
static inline void to_lines(uint32_t i, const double *x, const double *y, const double *z,
                            const double *last, double *to, uint64_t stride)
{
    __m256d r[4] = {_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i), _mm256_loadu_pd(z + i),
                    last ? _mm256_loadu_pd(last + i) : _mm256_setzero_pd()};
    transpose(r);
    for (uint64_t k = 0; k < 4; k++)
        _mm256_store_pd(to + stride * (i + k), r[k]);
}

static void mirror_avx2(uint32_t begin, uint32_t end, const double *const *x, const double *radius,
                        const double *const *v, const double *const *w, const double *inv_mass,
                        double *ball, double *twist)
{
    uint32_t i = begin;
    for (; i + 4 <= end; i += 4) {
        to_lines(i, x[0], x[1], x[2], radius, ball, 4);
        to_lines(i, v[0], v[1], v[2], inv_mass, twist, 8);
        to_lines(i, w[0], w[1], w[2], NULL, twist + 4, 8);
    }
    mirror(i, end, x, radius, v, w, inv_mass, ball, twist);
}

#define TWIN(name) name##_avx2
#else
#define TWIN(name) name
#endif

const scree_kernels KERNELS = {
    .level = SCREE_LEVEL_NAME,
    .mirror = TWIN(mirror),
    .left = left,
    .candidates = TWIN(candidates),
    .motion = TWIN(motion),
    .spin = spin,
    .mass = mass,
    .scale = scale,
    .torques = torques,
    .add = TWIN(add),
    .not_finite = not_finite,
    .pick = pick,
    .pick_u32 = pick_u32,
    .pick_or = pick_or,
    .fresh = fresh,
    .ascends = ascends,
    .count_touching = count_touching,
    .start = start,
    .sum_lines = sum_lines,
};
