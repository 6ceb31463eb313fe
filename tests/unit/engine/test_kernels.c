/* SPDX-License-Identifier: Apache-2.0 */
/* The host's inner loops: each CPU level gives the bits of a plain scalar loop. */
#include "kernel_data.h"

#include "../near.h"
#include "base/rotation.h"
#include "engine/kernels_best.h"

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void test_mirror(const scree_kernels *kernel, data *d)
{
    uint32_t n = MIN(d->n, BODIES), begin = n / 3;
    const double *x[3] = {d->column[0], d->column[1], d->column[2]};
    const double *v[3] = {d->column[3], d->column[4], d->column[5]};
    const double *w[3] = {d->column[6], d->column[7], d->column[8]};
    _Alignas(64) double ball[4 * BODIES];
    _Alignas(64) double twist[8 * BODIES];
    memcpy(ball, d->ball, sizeof ball);
    memcpy(twist, d->twist, sizeof twist);
    const double bound =
        kernel->mirror(begin, n, x, d->column[9], v, w, d->column[10], ball, twist);
    double farthest = 0.0;
    for (uint32_t i = begin; i < n; i++)
        farthest =
            fmax(farthest, hypot(hypot(x[0][i] - d->ball[4 * i], x[1][i] - d->ball[4 * i + 1]),
                                 x[2][i] - d->ball[4 * i + 2]));
    g_assert_cmpfloat(bound, >=, farthest * (1.0 - 1e-15));
    g_assert_cmpfloat(bound, <=, 8.0); // of two vectors, each of four parts below 2 and above -2
    for (uint32_t i = begin; i < n; i++)
        for (int k = 0; k < 3; k++) {
            d->ball[4 * i + (uint32_t)k] = x[k][i];
            d->twist[8 * i + (uint32_t)k] = v[k][i];
            d->twist[8 * i + 4 + (uint32_t)k] = w[k][i];
            d->ball[4 * i + 3] = d->column[9][i];
            d->twist[8 * i + 3] = d->column[10][i];
            d->twist[8 * i + 7] = 0.0;
        }
    g_assert_cmpmem(ball, sizeof ball, d->ball, sizeof ball);
    g_assert_cmpmem(twist, sizeof twist, d->twist, sizeof twist);
    g_assert_cmpfloat(kernel->mirror(begin, n, x, d->column[9], v, w, d->column[10], ball, twist),
                      ==,
                      0.0); // they have not moved
    for (uint32_t i = begin; i < n; i++) {
        double *const at = &d->column[i % 3][i], kept = *at, *const m = d->column[10];
        *at = kept + 0.125;
        assert_near(kernel->mirror(begin, n, x, d->column[9], v, w, m, ball, twist), 0.125, 1e-12);
        *at = (double)NAN;
        g_assert_true(isnan(kernel->mirror(begin, n, x, d->column[9], v, w, m, ball, twist)));
        *at = kept;
        kernel->mirror(begin, n, x, d->column[9], v, w, m, ball, twist);
    }
}

static void test_slack(const scree_kernels *kernel, data *d)
{
    uint32_t n = MIN(d->n, BODIES);
    for (uint32_t i = 0; i < n; i++)
        d->ref[4 * i + 3] = 0.25; // the tolerance; the places are equal
    if (n)
        assert_near(kernel->slack(0, n, d->ball, d->ref), 0.25, 1e-9);
    for (uint32_t i = 0; i < n; i++) {
        double kept = d->ball[4 * i + 1];
        d->ball[4 * i + 1] = d->ref[4 * i + 1] - 0.1875;
        assert_near(kernel->slack(0, n, d->ball, d->ref), 0.0625, 1e-9);
        d->ball[4 * i + 1] = d->ref[4 * i + 1] + 0.2500001;
        g_assert_cmpfloat(kernel->slack(0, n, d->ball, d->ref), <, 0.0);
        g_assert_cmpfloat(kernel->slack(i + 1, n, d->ball, d->ref), >=, 0.0);
        d->ball[4 * i + 1] = (double)NAN;
        g_assert_cmpfloat(kernel->slack(i, n, d->ball, d->ref), <, 0.0);
        d->ball[4 * i + 1] = kept;
    }
}

/* A solid has left its extent if it has moved by more than its room; one that has turned by an
 * angle, if its reach times the angle is more. -q is the same turn as q. */
static void test_solids_left(const scree_kernels *kernel, data *d)
{
    const uint32_t n = MIN(d->n, 41);
    const double *const x[3] = {d->v[0], d->v[1], d->v[2]};
    const double *const q[4] = {d->v[3], d->v[4], d->v[5], d->v[6]};
    double *radius = d->v[7], ref[4 * 41] = {0.0}, turn[4 * 41] = {0.0};
    for (uint32_t i = 0; i < n; i++) {
        const double size = sqrt(d->v[3][i] * d->v[3][i] + d->v[4][i] * d->v[4][i] +
                                 d->v[5][i] * d->v[5][i] + d->v[6][i] * d->v[6][i]);
        for (int k = 0; k < 3; k++)
            ref[4 * i + k] = x[k][i];
        ref[4 * i + 3] = 0.25;
        for (int k = 0; k < 4; k++) {
            d->v[3 + k][i] /= size;
            turn[4 * i + k] = i % 2 ? q[k][i] : -q[k][i];
        }
        radius[i] = 2.0;
    }
    g_assert_false(kernel->solids_left(0, n, x, q, radius, ref, turn));
    for (uint32_t i = 0; i < n; i++) {
        const double kept = ref[4 * i + 1], was = turn[4 * i + 2];
        ref[4 * i + 1] = x[1][i] - 0.2499;
        g_assert_false(kernel->solids_left(0, n, x, q, radius, ref, turn));
        turn[4 * i + 2] += 0.001; // by 4 mm at the reach
        g_assert_true(kernel->solids_left(0, n, x, q, radius, ref, turn));
        g_assert_false(kernel->solids_left(0, i, x, q, radius, ref, turn));
        g_assert_false(
            kernel->solids_left(i + 1, n, x, q, radius, ref + 4 * (i + 1), turn + 4 * (i + 1)));
        turn[4 * i + 2] = was;
        ref[4 * i + 1] = (double)NAN;
        g_assert_true(kernel->solids_left(0, n, x, q, radius, ref, turn));
        ref[4 * i + 1] = kept;
    }
}

static void test_candidates(const scree_kernels *kernel, data *d)
{
    double out[5][ROOM], expected[5][ROOM];
    memcpy(out, d->v, sizeof out);
    double *const apart[3] = {out[0], out[1], out[2]};
    uint32_t first = d->n - d->n / 3; // the rest is ahead of the n of the first call
    kernel->candidates(first, d->n / 3, d->a, d->b, d->ball, true, apart, out[3], out[4]);
    double *const rest[3] = {out[0] + first, out[1] + first, out[2] + first};
    kernel->candidates(d->n / 3, 0, d->a + first, d->b + first, d->ball, false, rest,
                       out[3] + first, out[4] + first);
    for (uint32_t c = 0; c < d->n; c++) {
        for (uint32_t k = 0; k < 3; k++)
            expected[k][c] = d->ball[4 * d->b[c] + k] - d->ball[4 * d->a[c] + k];
        expected[3][c] = d->ball[4 * d->a[c] + 3];
        expected[4][c] = d->ball[4 * d->b[c] + 3];
    }
    for (int k = 0; k < 5; k++)
        check(out[k], expected[k], d->n, d->v[k]);
}

/* Pairs of balls in reach are listed in order, and those with a NaN; other pairs are not listed,
 * except by rounding. */
static void test_near_pairs(const scree_kernels *kernel, data *d)
{
    const double kept = d->ball[4 * d->b[d->n / 2]];
    for (int odd = 0; odd < 2; odd++) {
        uint32_t near[ROOM + 4] = {0}, next = 0;
        if (odd)
            d->ball[4 * d->b[d->n / 2]] = (double)NAN;
        const uint32_t first = d->n - d->n / 3,
                       begun = kernel->near_pairs(first, d->n / 3, d->a, d->b, d->ball, true, 0.4,
                                                  near),
                       rest = kernel->near_pairs(d->n / 3, 0, d->a + first, d->b + first, d->ball,
                                                 false, 0.4, near + begun);
        for (uint32_t c = begun; c < begun + rest; c++)
            near[c] += first;
        for (uint32_t p = 0; p < d->n; p++) {
            const double *a = d->ball + 4 * d->a[p], *b = d->ball + 4 * d->b[p];
            const double reach = a[3] + b[3] + 0.4, x = b[0] - a[0], y = b[1] - a[1];
            const double over = x * x + y * y + (b[2] - a[2]) * (b[2] - a[2]) - reach * reach;
            const bool listed = next < begun + rest && near[next] == p;
            if (!(over > 0.0))
                g_assert_true(listed);
            if (over > 1e-8 * reach * reach)
                g_assert_false(listed);
            next += listed;
        }
        g_assert_cmpuint(next, ==, begun + rest);
    }
    d->ball[4 * d->b[d->n / 2]] = kept;
}

/* 1/m of a point: 1/m of its body + (arm × n)·I^-1 (arm × n); round bodies, and bodies that are not
 * free, have no second, and no first term */
static void test_point_mass(const scree_kernels *kernel, data *d)
{
    enum { FREE = BODIES - 9 };
    const double *const normal[3] = {d->v[0], d->v[1], d->v[2]};
    const double *const arm[3] = {d->v[3], d->v[4], d->v[5]};
    const double *const apart[3] = {d->v[6], d->v[7], d->v[8]};
    double out[ROOM], expected[ROOM];
    uint8_t isotropic[BODIES];
    scree_world w = {.n_free = FREE, .isotropic = isotropic, .inv_mass = d->column[4]};
    for (int k = 0; k < 4; k++)
        w.q[k] = d->column[k];
    for (int k = 0; k < 3; k++)
        w.inv_inertia[k] = d->column[5 + k];
    for (uint32_t i = 0; i < BODIES; i++)
        isotropic[i] = i % 4 == 1;
    memcpy(out, d->v[9], sizeof out);
    kernel->point_mass(d->n, &w, d->a, d->b, normal, arm, apart, out);
    for (uint32_t c = 0; c < d->n; c++) {
        double inverse[2] = {0.0, 0.0};
        for (int side = 0; side < 2; side++) {
            const uint32_t i = side ? d->b[c] : d->a[c];
            const double q[4] = {w.q[0][i], w.q[1][i], w.q[2][i], w.q[3][i]};
            double n[3], at[3], turn[3];
            for (int k = 0; k < 3; k++) {
                n[k] = normal[k][c];
                at[k] = arm[k][c] - (side ? apart[k][c] : 0.0);
            }
            cross3(at, n, turn);
            scree_rotate_back(q, turn, turn);
            const bool turns = i < FREE && !isotropic[i];
            inverse[side] = i < FREE ? w.inv_mass[i] : 0.0;
            for (int k = 0; k < 3; k++)
                inverse[side] += turns ? turn[k] * turn[k] * w.inv_inertia[k][i] : 0.0;
        }
        expected[c] = 1.0 / (inverse[0] + inverse[1]);
    }
    check(out, expected, d->n, d->v[9]);
}

/* v = (v_a + w_a × arm) - (v_b + w_b × (arm - d)); slip = since v; effective mass */
static void test_motion(const scree_kernels *kernel, data *d)
{
    const double *arm[3] = {d->v[0], d->v[1], d->v[2]}, *to_b[3] = {d->v[3], d->v[4], d->v[5]};
    double out[13][ROOM], expected[13][ROOM];
    double *const v[3] = {out[0], out[1], out[2]}, *const slip[3] = {out[3], out[4], out[5]};
    double *const turns[3] = {out[7], out[8], out[9]}, *const roll[3] = {out[10], out[11], out[12]};
    memcpy(out, d->v, sizeof out);
    kernel->motion(d->n, d->a, d->b, d->twist, arm, to_b, v, 0.3, slip, out[6], turns, roll);
    for (uint32_t c = 0; c < d->n; c++) {
        const double *ta = d->twist + 8 * d->a[c], *tb = d->twist + 8 * d->b[c];
        double arm_a[3], arm_b[3], spin_a[3], spin_b[3];
        for (int k = 0; k < 3; k++) {
            arm_a[k] = arm[k][c];
            arm_b[k] = arm[k][c] - to_b[k][c];
        }
        cross3(ta + 4, arm_a, spin_a);
        cross3(tb + 4, arm_b, spin_b);
        for (int k = 0; k < 3; k++)
            expected[k][c] = (ta[k] + spin_a[k]) - (tb[k] + spin_b[k]);
        for (int k = 0; k < 3; k++)
            expected[3 + k][c] = 0.3 * expected[k][c];
        expected[6][c] = 1.0 / (ta[3] + tb[3]);
        for (int k = 0; k < 3; k++)
            expected[7 + k][c] = ta[4 + k] - tb[4 + k];
        for (int k = 0; k < 3; k++)
            expected[10 + k][c] = 0.3 * expected[7 + k][c];
    }
    for (int k = 0; k < 13; k++)
        check(out[k], expected[k], d->n, d->v[k]);
    memcpy(out, d->v, sizeof out);
    kernel->motion(d->n, d->a, d->b, d->twist, arm, to_b, v, 0.3, NULL, NULL, NULL, NULL);
    for (int k = 0; k < 13; k++)
        check(out[k], k < 3 ? expected[k] : d->v[k], d->n, d->v[k]);
}

static void test_spin_sums(const scree_kernels *kernel, data *d)
{
    double out[7][ROOM], expected[7][ROOM];
    memcpy(out, d->v, sizeof out);
    if (d->n)
        d->v[10][d->n / 2] = -0.0; // the sum is 0.0
    kernel->spin(d->n, d->a, d->b, d->twist, (double *[]){out[0], out[1], out[2]});
    kernel->scale(d->n, 0.3, d->v[9], out[4]);
    g_assert_cmpuint(kernel->sum(d->n, false, d->v[9], out[5]), ==, 0);
    g_assert_cmpuint(kernel->sum(d->n, true, d->v[10], out[6]), ==, 0);
    for (uint32_t c = 0; c < d->n; c++) {
        const double *ta = d->twist + 8 * d->a[c], *tb = d->twist + 8 * d->b[c];
        for (int k = 0; k < 3; k++)
            expected[k][c] = ta[4 + k] - tb[4 + k];
        expected[3][c] = d->v[3][c];
        expected[4][c] = 0.3 * d->v[9][c];
        expected[5][c] = d->v[5][c] + d->v[9][c];
        expected[6][c] = 0.0 + d->v[10][c];
    }
    for (int k = 0; k < 7; k++)
        check(out[k], expected[k], d->n, d->v[k]);
}

static void lengthen_beside(const scree_kernels *kernel, const data *d, bool wall)
{
    const double *normal[3] = {d->v[0], d->v[1], d->v[2]}, *arm[3] = {d->v[3], d->v[4], d->v[5]};
    const double *to_b[3] = {d->v[6], d->v[7], d->v[8]}, *depth = d->v[9];
    double out[6][ROOM], expected[6][ROOM];
    memcpy(out, d->v, sizeof out);
    kernel->lengthen(d->n, wall, depth, normal, arm, to_b, (double *[]){out[0], out[1], out[2]},
                     (double *[]){out[3], out[4], out[5]});
    for (uint32_t c = 0; c < d->n; c++)
        for (int k = 0; k < 3; k++) {
            expected[k][c] = arm[k][c] + 0.5 * depth[c] * normal[k][c];
            expected[3 + k][c] = to_b[k][c] + (wall ? 0.5 : 1.0) * depth[c] * normal[k][c];
        }
    for (int k = 0; k < 6; k++)
        check(out[k], expected[k], d->n, d->v[k]);
}

static void test_lengthen(const scree_kernels *kernel, data *d)
{
    lengthen_beside(kernel, d, false);
    lengthen_beside(kernel, d, true);
}

/** kind 0: no couple, 1: couple on a, 2: on both. */
static void torques_of_kind(const scree_kernels *kernel, const data *d, int kind)
{
    const double *in[5][3];
    double out[6][ROOM], expected[6][ROOM];
    memcpy(out, d->v, sizeof out);
    for (int g = 0; g < 5; g++)
        for (int k = 0; k < 3; k++)
            in[g][k] = d->v[3 * g + k];
    kernel->torques(d->n, in[0], in[1], in[2], kind ? in[3] : NULL, kind == 2 ? in[4] : NULL,
                    (double *[]){out[0], out[1], out[2]}, (double *[]){out[3], out[4], out[5]});
    for (uint32_t c = 0; c < d->n; c++) {
        double f[3], arm[3], arm_b[3], ta[3], tb[3];
        for (int k = 0; k < 3; k++) {
            f[k] = in[0][k][c];
            arm[k] = in[1][k][c];
            arm_b[k] = in[1][k][c] - in[2][k][c];
        }
        cross3(arm, f, ta);
        cross3(f, arm_b, tb);
        for (int k = 0; k < 3; k++) {
            double on_a = in[3][k][c], on_b = kind == 2 ? in[4][k][c] : -on_a;
            expected[k][c] = kind ? ta[k] + on_a : ta[k];
            expected[3 + k][c] = kind ? tb[k] + on_b : tb[k];
        }
    }
    for (int k = 0; k < 6; k++)
        check(out[k], expected[k], d->n, d->v[k]);
}

static void test_torques(const scree_kernels *kernel, data *d)
{
    for (int kind = 0; kind < 3; kind++)
        torques_of_kind(kernel, d, kind);
}

/* torques, added in order to the lines of a and b; what is not finite shows, wherever it is */
static void apply_of(const scree_kernels *kernel, data *d, int kind)
{
    const double *const on_a[3] = {d->v[17], d->v[18], d->v[19]};
    const double *const on_b[3] = {d->v[20], d->v[21], d->v[22]};
    const double *const *couple = kind ? on_a : NULL, *const *couple_b = kind == 2 ? on_b : NULL;
    const double *f[3] = {d->v[0], d->v[1], d->v[2]}, *arm[3] = {d->v[3], d->v[4], d->v[5]};
    const double *to_b[3] = {d->v[6], d->v[7], d->v[8]}, *stored = d->v[9], *lost = d->v[10];
    double *const ta[3] = {d->v[11], d->v[12], d->v[13]};
    double *const tb[3] = {d->v[14], d->v[15], d->v[16]};
    _Alignas(64) double got[LINE * BODIES];
    double expected[LINE * BODIES];
    memcpy(got, d->twist, sizeof got);
    memcpy(expected, d->twist, sizeof got);
    kernel->torques(d->n, f, arm, to_b, couple, couple_b, ta, tb);
    for (uint32_t c = 0; c < d->n; c++) {
        uint32_t row = MIN(d->a[c], d->b[c]);
        for (uint32_t k = 0; k < 3; k++) {
            expected[LINE * d->a[c] + k] += f[k][c];
            expected[LINE * d->b[c] + k] -= f[k][c];
            expected[LINE * d->a[c] + 4 + k] += ta[k][c];
            expected[LINE * d->b[c] + 4 + k] += tb[k][c];
        }
        expected[LINE * row + 3] += stored[c];
        expected[LINE * row + 7] += lost[c];
    }
    g_assert_cmpuint(
        kernel->apply(d->n, d->a, d->b, f, arm, to_b, couple, couple_b, stored, lost, got), ==, 0);
    g_assert_cmpmem(got, sizeof got, expected, sizeof got);
    for (uint32_t c = 0; c < d->n; c += 1 + d->n / 7)
        for (int k = 0; k < 23; k++) {
            double kept = d->v[k][c];
            const bool added = k < 11 || (kind && k > 16 && k < 20) || (kind == 2 && k > 19);
            d->v[k][c] = k % 2 ? (double)NAN : (double)INFINITY;
            g_assert_cmpuint(kernel->apply(d->n, d->a, d->b, f, arm, to_b, couple, couple_b, stored,
                                           lost, got) != 0,
                             ==, added);
            memcpy(got, expected, sizeof got);
            d->v[k][c] = kept;
        }
}

static void test_apply(const scree_kernels *kernel, data *d)
{
    for (int kind = 0; kind < 3; kind++)
        apply_of(kernel, d, kind);
}

static void test_counts(const scree_kernels *kernel, data *d)
{
    static const double odd[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, -0.0, 1e308,
                                 -1e-320};
    const double *normal[3] = {d->v[1], d->v[2], d->v[3]}, *arm[3] = {d->v[4], d->v[5], d->v[6]};
    uint64_t bad = 0, touching = 0;
    uint32_t any = 9;
    kernel->survey(d->n, d->v[0], normal, arm, &any);
    g_assert_cmpuint(any, ==, 0);
    for (int k = 0; k < 7 && d->n; k++) {
        double kept = d->v[k][d->n / 2];
        d->v[k][d->n / 2] = odd[k % 3];
        kernel->survey(d->n, d->v[0], normal, arm, &any);
        g_assert_cmpuint(any, !=, 0);
        d->v[k][d->n / 2] = kept;
    }
    for (uint32_t c = 0; c < d->n; c++) {
        if (c % 3 == 1)
            d->v[0][c] = odd[c % G_N_ELEMENTS(odd)];
        bad += !(fabs(d->v[0][c]) <= 1e150); // 1e308 is one of them
        touching += d->v[0][c] >= 0.0;
    }
    uint64_t beyond = 0;
    for (uint32_t c = 0; c < d->n; c++)
        beyond += !(d->v[0][c] >= -0.5 && d->v[0][c] < 0.25);
    g_assert_cmpuint(kernel->outside(d->n, d->v[0], -0.5, 0.25), ==, beyond);
    g_assert_cmpuint(kernel->sum(d->n, true, d->v[0], d->v[9]), ==, bad);
    g_assert_cmpuint(kernel->not_finite(d->n, d->v[0]), ==, bad);
    g_assert_cmpuint(kernel->survey(d->n, d->v[0], normal, arm, &any), ==, touching);
}

static void test_pick(const scree_kernels *kernel, data *d)
{
    double out[3][ROOM], expected[2][ROOM], follows[ROOM];
    uint32_t slots[ROOM], numbers[ROOM], runs[ROOM];
    memcpy(out, d->v, sizeof out);
    for (uint32_t c = 0; c < d->n; c++) {
        slots[c] = d->index[c] == UINT32_MAX ? c : d->index[c];
        expected[0][c] = d->from[slots[c]];
        expected[1][c] = d->index[c] == UINT32_MAX ? -7.0 : d->from[d->index[c]];
    }
    kernel->pick(d->n, slots, d->from, out[0]);
    kernel->pick_or(d->n, d->index, -7.0, d->from, out[1]);
    for (uint32_t c = 0; c < d->n; c++) { // numbers that follow one another, with gaps and changes
        const uint32_t i = c % 13 == 5 ? UINT32_MAX : c % 17 == 2 ? 1 : c;
        runs[c] = i;
        follows[c] = i == UINT32_MAX ? -7.0 : d->from[i];
    }
    kernel->pick_or(d->n, runs, -7.0, d->from, out[2]);
    check(out[2], follows, d->n, d->v[2]);
    kernel->pick_u32(d->n, slots, d->a, numbers);
    check(out[0], expected[0], d->n, d->v[0]);
    check(out[1], expected[1], d->n, d->v[1]);
    for (uint32_t c = 0; c < d->n; c++)
        g_assert_cmpuint(numbers[c], ==, d->a[slots[c]]);
}

/* Listed pairs in reach, or with a NaN, have a, b, d and radii of the scalar loop, in order. */
static void test_gather_near(const scree_kernels *kernel, data *d)
{
    const uint32_t n = d->n - d->n / 4; // some pairs are not listed
    const double kept = d->ball[4 * d->b[d->n / 2]], range = 0.4;
    uint16_t list[ROOM + 4] = {0};
    for (uint32_t k = 0; k < n; k++)
        list[k] = (uint16_t)(k + k / 3);
    for (int odd = 0; odd < 2; odd++) {
        double out[5][ROOM + 4];
        double *const to[3] = {out[0], out[1], out[2]}, *const radius[2] = {out[3], out[4]};
        uint32_t near[ROOM + 4] = {0}, a[ROOM + 4] = {0}, b[ROOM + 4] = {0}, c = 0;
        if (odd)
            d->ball[4 * d->b[d->n / 2]] = (double)NAN;
        kernel->call_near(n, list, d->a, d->b, d->ball);
        const uint32_t found =
            kernel->gather_near(n, list, d->a, d->b, d->ball, odd ? d->twist : NULL, d->v[0], range,
                                near, a, b, to, radius);
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t p = list[k];
            const double *i = d->ball + 4 * d->a[p], *j = d->ball + 4 * d->b[p];
            const double reach = i[3] + j[3] + range,
                         way[3] = {j[0] - i[0], j[1] - i[1], j[2] - i[2]};
            const double over = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] - reach * reach;
            const bool is_found = c < found && near[c] == p;
            if (!(over > 0.0))
                g_assert_true(is_found);
            if (over > 1e-8 * reach * reach)
                g_assert_false(is_found);
            if (!is_found)
                continue;
            const double got[5] = {out[0][c], out[1][c], out[2][c], out[3][c], out[4][c]};
            const double expected[5] = {way[0], way[1], way[2], i[3], j[3]};
            g_assert_cmpmem(got, sizeof got, expected, sizeof expected);
            g_assert_cmpuint(a[c], ==, d->a[p]);
            g_assert_cmpuint(b[c], ==, d->b[p]);
            c++;
        }
        g_assert_cmpuint(c, ==, found);
        g_assert_cmpuint(n < 8 || (found > 0 && found < n), ==, 1);
    }
    d->ball[4 * d->b[d->n / 2]] = kept;
}

/* a, b and d of a contact are those of its pair; place counts pairs from the segment's first */
static void test_gather(const scree_kernels *kernel, data *d)
{
    const uint32_t n = d->n - d->n / 4; // some pairs are not contacts
    const double *const from[3] = {d->v[0], d->v[1], d->v[2]};
    double out[3][ROOM], expected[3][ROOM], *const to[3] = {out[0], out[1], out[2]};
    uint32_t pair[ROOM] = {0}, a[ROOM] = {0}, b[ROOM] = {0}, rows[ROOM] = {0};
    uint32_t old[ROOM] = {0};
    memcpy(out, d->v[3], sizeof out);
    for (uint32_t c = 0; c < n; c++)
        pair[c] = c + c / 3;
    kernel->gather(n, pair, d->a, d->b, from, n % 2 ? d->twist : NULL, d->v[0], a, b, to);
    kernel->number_pairs(n, pair, 7, rows);
    g_assert_cmpuint(kernel->in_step(n, pair, 7, rows, 9, old), ==, n);
    for (uint32_t c = 0; c < n; c++) {
        rows[c] ^= 4;
        g_assert_cmpuint(kernel->in_step(n, pair, 7, rows, 9, old), ==, c);
        g_assert_cmpuint(c ? old[c - 1] : 8 + c, ==, 8 + c);
        rows[c] ^= 4;
    }
    for (uint32_t c = 0; c < n; c++) {
        g_assert_cmpuint(a[c], ==, d->a[pair[c]]);
        g_assert_cmpuint(b[c], ==, d->b[pair[c]]);
        g_assert_cmpuint(rows[c], ==, 7 + pair[c]);
        for (int k = 0; k < 3; k++)
            expected[k][c] = from[k][pair[c]];
    }
    g_assert_cmpuint(a[n] + b[n] + rows[n] + old[n], ==, 0);
    for (int k = 0; k < 3; k++)
        check(out[k], expected[k], n, d->v[3 + k]);
}

static void test_fresh(const scree_kernels *kernel, data *d)
{
    uint8_t fresh[ROOM];
    uint32_t matched = 0;
    memset(fresh, 9, sizeof fresh);
    uint32_t got = kernel->fresh(d->n, d->index, fresh);
    for (uint32_t c = 0; c < d->n; c++) {
        g_assert_cmpuint(fresh[c], ==, d->index[c] == UINT32_MAX);
        matched += !fresh[c];
    }
    g_assert_cmpuint(got, ==, matched);
    g_assert_cmpuint(fresh[d->n], ==, 9);
}

static void test_ascends(const scree_kernels *kernel, data *d)
{
    uint32_t v[ROOM];
    for (uint32_t c = 0; c < d->n; c++)
        v[c] = 3 * c;
    g_assert_cmpuint(kernel->ascends(d->n, v), ==, 1);
    for (uint32_t c = 1; c < d->n; c++) {
        v[c] = v[c - 1];
        g_assert_cmpuint(kernel->ascends(d->n, v), ==, 0);
        v[c] = 3 * c;
    }
}

static void test_start_sum(const scree_kernels *kernel, data *d)
{
    uint32_t n = MIN(d->n, BODIES), begin = n / 4;
    _Alignas(64) double line[LINE * BODIES];
    double expected[LINE * BODIES], sums[LINE], sum[LINE] = {0.0};
    memcpy(line, d->twist, sizeof line);
    memcpy(expected, d->twist, sizeof line);
    kernel->start(begin, n, d->column[0], 1.5, -0.0, -9.81, line);
    for (uint32_t i = begin; i < n; i++) {
        const double m = d->column[0][i], start[LINE] = {0.0 + m * 1.5, 0.0 + m * -0.0, m * -9.81};
        memcpy(expected + LINE * i, start, sizeof start);
    }
    g_assert_cmpmem(line, sizeof line, expected, sizeof line);
    kernel->sum_lines(n, d->twist, sums);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < LINE; k++)
            sum[k] += d->twist[LINE * i + k];
    g_assert_cmpmem(sums, sizeof sums, sum, sizeof sum);
}

CLAIM("mirror-is-the-scalar-loop", mirror)
CLAIM("slack-is-the-least-rest-and-sees-one-body-that-left", slack)
CLAIM("solids-left-sees-one-that-has-moved-or-turned", solids_left)
CLAIM("candidates-is-the-scalar-loop", candidates)
CLAIM("near-pairs-are-those-in-reach-or-with-a-nan", near_pairs)
CLAIM("listed-pairs-are-gathered-if-in-reach-or-with-a-nan", gather_near)
CLAIM("point-mass-is-the-scalar-loop", point_mass)
CLAIM("motion-is-velocity-of-the-contact-point", motion)
CLAIM("spin-and-sums-are-the-scalar-loops", spin_sums)
CLAIM("lengthen-is-the-scalar-loop", lengthen)
CLAIM("torques-are-arm-times-force-and-couple", torques)
CLAIM("apply-adds-torques-in-order-and-reports-odd-numbers", apply)
CLAIM("counts-see-infinities-nans-and-signed-zeros", counts)
CLAIM("pick-is-the-scalar-loop", pick)
CLAIM("gather-is-the-scalar-loop", gather)
CLAIM("fresh-is-the-scalar-loop", fresh)
CLAIM("ascends-sees-one-step-that-does-not", ascends)
CLAIM("start-and-sum-are-the-scalar-loops", start_sum)

TEST("/kernels/baseline-is-taken-when-asked-for")
{
#ifdef SCREE_HAS_BASELINE
    g_setenv("SCREE_CPU_LEVEL", "baseline", TRUE);
    g_assert_true(scree_kernels_best() == &scree_kernels_baseline);
    g_unsetenv("SCREE_CPU_LEVEL");
#endif
    g_assert_true(scree_kernels_best() == levels[n_levels - 1]);
}
