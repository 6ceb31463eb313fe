/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own inner loops. Built per CPU level with SCREE_KERNEL_LEVEL=baseline or v3. */
#include "engine/kernels.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "engine/state.h"
#include "scree/rotation_sdk.h"

/*
 * Plain loops over restrict parameters, which the compiler vectorises. Without fused multiply-add
 * (-ffp-contract=off) and reassociation, each element is computed by the same operations at every
 * level, so the bits are equal. Gathers go through lines of one body: 32 bytes of position and
 * radius, 64 of velocities, instead of ten arrays.
 */

#define NAME2(level) scree_kernels_##level
#define NAME1(level) NAME2(level)
#define KERNELS NAME1(SCREE_KERNEL_LEVEL)
#define R restrict

/** Returns the length of a vector from the largest squares of each part; `all`: a sum of
 * squares. */
static inline double longest(const double most[4], double all)
{
    return sqrt((most[0] + most[1]) + (most[2] + most[3]) + (all - all));
}

static double mirror(uint32_t begin, uint32_t end, const double *const *x, const double *radius,
                     const double *const *v, const double *const *w, const double *inv_mass,
                     double *ball, double *twist)
{
    double most[4] = {0.0}, all = 0.0;
    for (uint64_t i = begin; i < end; i++) {
        for (uint64_t k = 0; k < 4; k++) {
            const double to = k < 3 ? x[k][i] : radius[i], way = to - ball[4 * i + k];
            most[k] = way * way > most[k] ? way * way : most[k];
            all += way * way;
            ball[4 * i + k] = to;
            twist[8 * i + k] = k < 3 ? v[k][i] : inv_mass[i];
            twist[8 * i + 4 + k] = k < 3 ? w[k][i] : 0.0;
        }
    }
    return longest(most, all);
}

#define NEARLY (1.0 - 1e-9) // room for rounding in sums of ways

static double slack(uint32_t begin, uint32_t end, const double *R ball, const double *R ref)
{
    double least = (double)INFINITY;
    for (uint64_t i = begin; i < end; i++) {
        double dx = ball[4 * i] - ref[4 * i], dy = ball[4 * i + 1] - ref[4 * i + 1];
        double dz = ball[4 * i + 2] - ref[4 * i + 2], eps = ref[4 * i + 3];
        double d2 = dx * dx + dy * dy + dz * dz;
        if (!(d2 <= eps * eps))
            return -1.0;
        least = fmin(least, fmax(NEARLY * eps - sqrt(d2), 0.0));
    }
    return least;
}

static bool solids_left(uint64_t begin, uint64_t end, const double *const *x,
                        const double *const *q, const double *radius, const double *ref,
                        const double *turn)
{
    bool left = false;
    for (uint64_t i = begin; i < end; i++)
        left |= scree_solid_left(i, x, q, radius, ref + 4 * (i - begin), turn + 4 * (i - begin));
    return left;
}

/* Balls of partners are prefetched PAIRS_AHEAD pairs before they are read. Rows, the lower bodies
 * of pairs, come in order, which the processor predicts; partners do not. Measured: prefetches save
 * a fifth of the whole step with 100 000 spheres, and cost 5 % if all fit in the cache, as with
 * 1000. */
enum { PAIRS_AHEAD = 48 };

static inline void candidate(uint32_t p, const uint32_t *a, const uint32_t *b, const double *ball,
                             double *const *d, double *ra, double *rb)
{
    const double *pa = ball + 4 * (uint64_t)a[p], *pb = ball + 4 * (uint64_t)b[p];
    for (int k = 0; k < 3; k++)
        d[k][p] = pb[k] - pa[k];
    ra[p] = pa[3];
    rb[p] = pb[3];
}

static void candidates(uint32_t n, uint32_t ahead, const uint32_t *a, const uint32_t *b,
                       const double *ball, bool calls, double *const *d, double *ra, double *rb)
{
    for (uint32_t p = 0; p < n; p++) {
        const uint32_t far = p + PAIRS_AHEAD < n + ahead ? p + PAIRS_AHEAD : p;
        if (calls)
            __builtin_prefetch(ball + 4 * (uint64_t)(a[far] > b[far] ? a[far] : b[far]));
        candidate(p, a, b, ball, d, ra, rb);
    }
}

/** Room for rounding in the square of a distance within which balls are near. */
#define ROUNDING (1.0 + 1e-9)

static uint32_t near_pairs(uint32_t n, uint32_t ahead, const uint32_t *a, const uint32_t *b,
                           const double *ball, bool calls, double range, uint32_t *R near)
{
    uint32_t found = 0;
    for (uint32_t p = 0; p < n; p++) {
        const uint32_t far = p + PAIRS_AHEAD < n + ahead ? p + PAIRS_AHEAD : p;
        const double *of_a = ball + 4 * (uint64_t)a[p], *of_b = ball + 4 * (uint64_t)b[p];
        const double x = of_b[0] - of_a[0], y = of_b[1] - of_a[1], z = of_b[2] - of_a[2];
        const double reach = of_b[3] + of_a[3] + range;
        if (calls)
            __builtin_prefetch(ball + 4 * (uint64_t)(a[far] > b[far] ? a[far] : b[far]));
        near[found] = p;
        found += !(x * x + y * y + z * z > reach * reach * ROUNDING);
    }
    return found;
}

#include "engine/kernels_near.h"

static void place_balls(uint64_t begin, uint64_t end, uint32_t n, const double *const *centre,
                        const double *radius, const double *const *x, const double *const *q,
                        const double *scale, const double *reach, double *ball, double *place)
{
    for (uint64_t i = begin; i < end; i++) {
        const double s = scale[i], turn[4] = {q[0][i], q[1][i], q[2][i], q[3][i]};
        double at[4] = {x[0][i], x[1][i], x[2][i]};
        at[3] = scree_place_rounding(at, reach[i]);
        for (uint32_t p = 0; p < n; p++, ball += 4, place += 4) {
            const double from[3] = {s * centre[0][p], s * centre[1][p], s * centre[2][p]};
            scree_rotate(turn, from, ball);
            ball[3] = s * radius[p];
            for (int k = 0; k < 4; k++)
                place[k] = at[k] + ball[k];
        }
    }
}

static uint32_t near_balls(const scree_segment *s, const scree_posed *posed, uint32_t p0,
                           uint32_t begin, uint32_t end, const double *const *d, double range,
                           uint32_t *R pair, uint32_t *R number, uint32_t *R a, uint32_t *R b)
{
    const double *ball = posed->ball;
    uint32_t n = 0;
    for (uint32_t p = begin; p < end; p++) {
        const double dx = d[0][p - p0], dy = d[1][p - p0], dz = d[2][p - p0];
        for (uint32_t k = s->first[p], last = s->first[p + 1]; k < last; k++) {
            const uint32_t i = s->ball[0][k], j = s->ball[1][k];
            const double *of_i = ball + 4 * (uint64_t)i, *of_j = ball + 4 * (uint64_t)j;
            const double x = dx + of_j[0] - of_i[0], y = dy + of_j[1] - of_i[1];
            const double z = dz + of_j[2] - of_i[2], reach = of_i[3] + of_j[3] + range;
            pair[n] = p - p0;
            number[n] = k;
            a[n] = i;
            b[n] = j;
            n += !(x * x + y * y + z * z > reach * reach * ROUNDING);
        }
    }
    return n;
}

static void balls(uint32_t n, const uint32_t *pair, const uint32_t *a, const uint32_t *b,
                  const double *const *from_d, const double *ball, double *const *d,
                  double *const *lever_a, double *const *lever_b, double *const *radius)
{
    for (uint32_t c = 0; c < n; c++) {
        const double *i = ball + 4 * (uint64_t)a[c], *j = ball + 4 * (uint64_t)b[c];
        for (int k = 0; k < 3; k++) {
            d[k][c] = from_d[k][pair[c]] + j[k] - i[k];
            lever_a[k][c] = i[k];
            lever_b[k][c] = j[k];
        }
        radius[0][c] = i[3];
        radius[1][c] = j[3];
    }
}

static void scale(uint32_t n, double s, const double *R v, double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] = s * v[c];
}

static void mass(uint32_t n, const uint32_t *R a, const uint32_t *R b, const double *R twist,
                 double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] = 1.0 / (twist[8 * (uint64_t)a[c] + 3] + twist[8 * (uint64_t)b[c] + 3]);
}

static void spin(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                 double *const *w)
{
    for (uint32_t c = 0; c < n; c++)
        for (uint64_t k = 0; k < 3; k++)
            w[k][c] = twist[8 * (uint64_t)a[c] + 4 + k] - twist[8 * (uint64_t)b[c] + 4 + k];
}

static void motion(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                   const double *const *arm, const double *const *d, double *const *v, double since,
                   double *const *slip, double *mass_out, double *const *spin_out,
                   double *const *roll)
{
    for (uint32_t c = 0; c < n; c++) {
        const double *ta = twist + 8 * (uint64_t)a[c], *tb = twist + 8 * (uint64_t)b[c];
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const double bi = arm[i][c] - d[i][c], bj = arm[j][c] - d[j][c]; // arm of b
            v[k][c] = (ta[k] + (ta[4 + i] * arm[j][c] - ta[4 + j] * arm[i][c])) -
                      (tb[k] + (tb[4 + i] * bj - tb[4 + j] * bi));
        }
    }
    if (slip)
        for (int k = 0; k < 3; k++)
            scale(n, since, v[k], slip[k]);
    if (mass_out)
        mass(n, a, b, twist, mass_out);
    if (spin_out)
        spin(n, a, b, twist, spin_out);
    if (roll)
        for (int k = 0; k < 3; k++)
            scale(n, since, spin_out[k], roll[k]);
}

enum { CHUNK = 64 };

/** Adds 1/m of n <= CHUNK points to `out`: those of bodies, at the ends of arms. */
static void point_kernel(uint32_t n, const scree_world *w, const uint32_t *R body,
                         const double *R ax, const double *R ay, const double *R az,
                         const double *R nx, const double *R ny, const double *R nz, double *R out)
{
    double of[8][CHUNK];
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t i = body[c], free = i < w->n_free, turns = free & !w->isotropic[i];
        const double m = w->inv_mass[i], x = w->inv_inertia[0][i], y = w->inv_inertia[1][i];
        const double z = w->inv_inertia[2][i];
        for (int k = 0; k < 4; k++)
            of[k][c] = w->q[k][i];
        of[4][c] = turns ? x : 0.0; // 0: the arm is along the normal
        of[5][c] = turns ? y : 0.0;
        of[6][c] = turns ? z : 0.0;
        of[7][c] = free ? m : 0.0;
    }
    for (uint32_t c = 0; c < n; c++) {
        const double q[4] = {of[0][c], of[1][c], of[2][c], of[3][c]};
        double turn[3] = {ay[c] * nz[c] - az[c] * ny[c], az[c] * nx[c] - ax[c] * nz[c],
                          ax[c] * ny[c] - ay[c] * nx[c]};
        scree_rotate_back(q, turn, turn);
        out[c] = of[7][c] + turn[0] * turn[0] * of[4][c] + turn[1] * turn[1] * of[5][c] +
                 turn[2] * turn[2] * of[6][c];
    }
}

static void subtract(uint32_t n, const double *R v, const double *R by, double *R out)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] = v[c] - by[c];
}

static void point_mass(uint32_t n, const scree_world *bodies, const uint32_t *a, const uint32_t *b,
                       const double *const *normal, const double *const *arm,
                       const double *const *d, double *R mass)
{
    double of_b[CHUNK], to[3][CHUNK];
    for (uint32_t at = 0, some; at < n; at += some) {
        const double *x = normal[0] + at, *y = normal[1] + at, *z = normal[2] + at;
        some = n - at < CHUNK ? n - at : CHUNK;
        for (int k = 0; k < 3; k++)
            subtract(some, arm[k] + at, d[k] + at, to[k]);
        point_kernel(some, bodies, b + at, to[0], to[1], to[2], x, y, z, of_b);
        point_kernel(some, bodies, a + at, arm[0] + at, arm[1] + at, arm[2] + at, x, y, z,
                     mass + at);
        for (uint32_t c = 0; c < some; c++)
            mass[at + c] = 1.0 / (mass[at + c] + of_b[c]);
    }
}

/** Lengthens both vectors of one axis. */
static void lengthen_axis(uint32_t n, double more, const double *R depth, const double *R normal,
                          const double *R arm, const double *R d, double *R far_arm,
                          double *R far_d)
{
    for (uint32_t c = 0; c < n; c++) {
        far_arm[c] = arm[c] + 0.5 * depth[c] * normal[c];
        far_d[c] = d[c] + more * depth[c] * normal[c];
    }
}

static void lengthen(uint32_t n, bool wall, const double *depth, const double *const *normal,
                     const double *const *arm, const double *const *d, double *const *far_arm,
                     double *const *far_d)
{
    for (int k = 0; k < 3; k++)
        lengthen_axis(n, wall ? 0.5 : 1.0, depth, normal[k], arm[k], d[k], far_arm[k], far_d[k]);
}

static void find_push(uint32_t n, const double *const *f, const double *const *normal,
                      double *R push)
{
    for (uint32_t c = 0; c < n; c++)
        push[c] = -(f[0][c] * normal[0][c] + f[1][c] * normal[1][c] + f[2][c] * normal[2][c]);
}

/** Adds the levers about one axis. */
static void add_lever(uint32_t n, double on_b, const double *R depth, const double *R ni,
                      const double *R nj, const double *R fi, const double *R fj, double *R couple,
                      double *R couple_b)
{
    for (uint32_t c = 0; c < n; c++) {
        const double h = 0.5 * depth[c], by = h * (ni[c] * fj[c] - nj[c] * fi[c]);
        couple[c] += by;
        couple_b[c] += on_b > 0.0 ? by : 0.0;
    }
}

static void add_levers(uint32_t n, bool wall, const double *depth, const double *const *normal,
                       const double *const *f, double *const *couple, double *const *couple_b)
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        add_lever(n, wall ? 0.0 : 1.0, depth, normal[i], normal[j], f[i], f[j], couple[k],
                  couple_b[k]);
    }
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

static uint64_t sum(uint32_t n, bool first, const double *R v, double *R out)
{
    int64_t bad = 0;
    for (uint32_t c = 0; c < n; c++) {
        out[c] = (first ? 0.0 : out[c]) + v[c];
        bad += !(fabs(v[c]) <= SCREE_LARGEST);
    }
    return (uint64_t)bad;
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
    if (couple)
        for (int k = 0; k < 3; k++) {
            add_to(n, couple[k], ta[k]);
            if (couple_b)
                add_to(n, couple_b[k], tb[k]);
            else
                subtract_from(n, couple[k], tb[k]);
        }
}

static uint64_t survey(uint32_t n, const double *depth, const double *const *normal,
                       const double *const *arm, uint32_t *any)
{
    int64_t touching = 0, bad = 0;
    for (uint32_t c = 0; c < n; c++) {
        double sum = depth[c] + normal[0][c] + normal[1][c] + normal[2][c] + arm[0][c] + arm[1][c] +
                     arm[2][c];
        touching += depth[c] >= 0.0;
        bad += !(sum - sum == 0.0);
    }
    *any = bad != 0;
    return (uint64_t)touching;
}

static uint64_t not_finite(uint32_t n, const double *R v)
{
    int64_t bad = 0;
    for (uint32_t c = 0; c < n; c++)
        bad += !(fabs(v[c]) <= SCREE_LARGEST);
    return (uint64_t)bad;
}

static uint64_t outside(uint32_t n, const double *R v, double lo, double hi)
{
    int64_t inside = 0;
    for (uint32_t c = 0; c < n; c++)
        inside += (v[c] >= lo) & (v[c] < hi);
    return n - (uint64_t)inside;
}

static uint64_t sound(uint32_t n, const double *const *x, const double *const *v,
                      const double *const *w, const double *const *q, const double *radius,
                      double speed, double radii, double rough)
{
    int64_t bad = 0;
    for (uint32_t i = 0; i < n; i++) {
        double r = radius[i], own = radii * r, most = own > speed ? own : speed, far = rough * r;
        double x2 = x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i];
        double v2 = v[0][i] * v[0][i] + v[1][i] * v[1][i] + v[2][i] * v[2][i];
        double w2 = w[0][i] * w[0][i] + w[1][i] * w[1][i] + w[2][i] * w[2][i];
        double q2 = q[0][i] * q[0][i] + q[1][i] * q[1][i] + q[2][i] * q[2][i] + q[3][i] * q[3][i];
        double off = q2 - 1.0;
        bad += !((x2 <= far * far) & (v2 <= most * most) & (w2 * (r * r) <= most * most) &
                 (off <= SCREE_UNIT_TOLERANCE) & (off >= -SCREE_UNIT_TOLERANCE) &
                 (x2 - x2 + v2 - v2 + w2 - w2 == 0.0));
    }
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
    uint32_t c = 0;
    while (c < n) {
        const uint32_t i = index[c];
        const bool four = c + 4 <= n && i < UINT32_MAX - 3 && index[c + 1] == i + 1 &&
                          index[c + 2] == i + 2 && index[c + 3] == i + 3; // most are
        if (four)
            memcpy(to + c, from + i, 4 * sizeof *to);
        else
            to[c] = i == UINT32_MAX ? initial : from[i];
        c += four ? 4 : 1;
    }
}

/* Gathers one number at a time: gather instructions are slower on processors with the fix against
 * data sampling (measured: 13 ns a contact instead of 3). */
static void gather_kernel(uint32_t n, const uint32_t *R pair, const uint32_t *R from_a,
                          const uint32_t *R from_b, const double *R from_x, const double *R from_y,
                          const double *R from_z, const double *twist, const double *wrench,
                          uint32_t *R a, uint32_t *R b, double *R x, double *R y, double *R z)
{
    enum { WRITE = 1 };
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t p = pair[c], i = from_a[p], j = from_b[p], partner = i > j ? i : j;
        if (twist) {
            __builtin_prefetch(twist + 8 * (uint64_t)partner);
            __builtin_prefetch(wrench + 8 * (uint64_t)partner, WRITE);
        }
        a[c] = i;
        b[c] = j;
        if (!from_x)
            continue;
        x[c] = from_x[p];
        y[c] = from_y[p];
        z[c] = from_z[p];
    }
}

static void gather(uint32_t n, const uint32_t *pair, const uint32_t *from_a, const uint32_t *from_b,
                   const double *const *from_d, const double *twist, const double *wrench,
                   uint32_t *a, uint32_t *b, double *const *d)
{
    if (from_d)
        gather_kernel(n, pair, from_a, from_b, from_d[0], from_d[1], from_d[2], twist, wrench, a, b,
                      d[0], d[1], d[2]);
    else
        gather_kernel(n, pair, from_a, from_b, NULL, NULL, NULL, twist, wrench, a, b, NULL, NULL,
                      NULL);
}

static void number_pairs(uint32_t n, const uint32_t *R pair, uint32_t base, uint32_t *R pairs)
{
    for (uint32_t c = 0; c < n; c++)
        pairs[c] = base + pair[c];
}

static uint32_t in_step(uint32_t n, const uint32_t *pair, uint32_t base, const uint32_t *pairs,
                        uint32_t first, uint32_t *old)
{
    uint32_t c = 0;
    for (; c < n && pairs[c] == base + pair[c]; c++)
        old[c] = first + c;
    return c;
}

static uint32_t fresh(uint32_t n, const uint32_t *R old, uint8_t *R is_fresh)
{
    uint32_t matched = 0;
    for (uint32_t c = 0; c < n; c++) {
        is_fresh[c] = old[c] == UINT32_MAX;
        matched += !is_fresh[c];
    }
    return matched;
}

static uint32_t ascends(uint32_t n, const uint32_t *R v)
{
    uint32_t bad = 0;
    for (uint32_t c = 1; c < n; c++)
        bad |= v[c] <= v[c - 1];
    return !bad;
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
#include "engine/kernels_avx2.h"
#include "engine/kernels_near_avx2.h"

#define TWIN(name) name##_avx2
#else
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

/** Adds f, torques, stored and lost of each contact, in order, to the wrenches of a and b; stored
 * and lost only to the row, the lower of the two. */
static void add(uint32_t n, const uint32_t *a, const uint32_t *b, const double *const *f,
                const double *const *ta, const double *const *tb, const double *stored,
                const double *lost, double *wrench)
{
    for (uint32_t c = 0; c < n; c++) {
        double *la = wrench + 8 * (uint64_t)a[c], *lb = wrench + 8 * (uint64_t)b[c];
        double *row = a[c] < b[c] ? la : lb;
        for (int k = 0; k < 3; k++) {
            la[k] += f[k][c];
            la[4 + k] += ta[k][c];
            lb[k] -= f[k][c];
            lb[4 + k] += tb[k][c];
        }
        row[3] += stored[c];
        row[7] += lost[c];
    }
}

/** Returns 0: all of v are finite. */
static uint32_t odd(uint32_t n, const double *R v)
{
    uint32_t any = 0;
    for (uint32_t c = 0; c < n; c++)
        any |= !(v[c] - v[c] == 0.0);
    return any;
}

/** Returns the three arrays v from number `at` on; NULL for NULL. */
static const double *const *from_place(const double *const *v, uint32_t at, const double *out[3])
{
    if (!v)
        return NULL;
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + at;
    return (const double *const *)out;
}

static uint32_t apply(uint32_t n, const uint32_t *a, const uint32_t *b, const double *const *f,
                      const double *const *arm, const double *const *d, const double *const *couple,
                      const double *const *couple_b, const double *stored, const double *lost,
                      double *wrench)
{
    double t[6][CHUNK], *const ta[3] = {t[0], t[1], t[2]}, *const tb[3] = {t[3], t[4], t[5]};
    const double *fs[3], *arms[3], *ds[3], *cs[3], *cbs[3];
    uint32_t any = 0;
    for (uint32_t c = 0; c < n; c += CHUNK) {
        uint32_t m = n - c < CHUNK ? n - c : CHUNK;
        torques(m, from_place(f, c, fs), from_place(arm, c, arms), from_place(d, c, ds),
                from_place(couple, c, cs), from_place(couple_b, c, cbs), ta, tb);
        add(m, a + c, b + c, fs, (const double *const *)ta, (const double *const *)tb, stored + c,
            lost + c, wrench);
        for (int k = 0; k < 3; k++)
            any |= odd(m, fs[k]) | odd(m, ta[k]) | odd(m, tb[k]);
        any |= odd(m, stored + c) | odd(m, lost + c);
    }
    return any;
}

#define TWIN(name) name
#endif

const scree_kernels KERNELS = {
    .level = SCREE_LEVEL_NAME,
    .mirror = TWIN(mirror),
    .slack = TWIN(slack),
    .candidates = TWIN(candidates),
    .near_pairs = TWIN(near_pairs),
    .solids_left = TWIN(solids_left),
    .gather_near = TWIN(gather_near),
    .call_near = call_near,
    .place_balls = TWIN(place_balls),
    .near_balls = near_balls,
    .balls = TWIN(balls),
    .motion = TWIN(motion),
    .spin = spin,
    .point_mass = point_mass,
    .scale = scale,
    .sum = sum,
    .lengthen = lengthen,
    .find_push = find_push,
    .add_levers = add_levers,
    .torques = torques,
    .apply = TWIN(apply),
    .survey = survey,
    .outside = outside,
    .not_finite = not_finite,
    .sound = sound,
    .pick = pick,
    .pick_u32 = pick_u32,
    .pick_or = pick_or,
    .gather = gather,
    .in_step = TWIN(in_step),
    .number_pairs = number_pairs,
    .fresh = fresh,
    .ascends = ascends,
    .start = TWIN(start),
    .sum_lines = sum_lines,
};
