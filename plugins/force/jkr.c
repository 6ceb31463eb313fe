/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jkr: elastic balls that stick to each other, with a neck that lasts until it tears (Johnson,
 * Kendall, Roberts), Mindlin's tangential spring, dashpots, and friction that includes the
 * adhesion.
 *
 * Sources  [1] Johnson, Kendall, Roberts 1971, Proc. R. Soc. A 324, 301: force, contact radius.
 *          [2] Thornton, Ning 1998, Powder Technol. 99, 154: touch, parting, sticking speed.
 *          [3] Parteli et al. 2014, Sci. Rep. 4, 6227: the radius is a root of a quartic.
 *          [4] Thornton 1991, J. Phys. D 24, 1942: friction multiplies force + 2 pull-off forces.
 *          [5] Antypov, Elliott 2011: dashpots, as Mindlin's spring see force/hertz_mindlin.
 * Idea     depth = a^2/R - sqrt(2 pi G a/E*), the larger root a;  f = 2 E* a (depth - a^2/3R).
 *          G = work_of_adhesion of both surfaces: 2 gamma for one material (LAMMPS asks for this
 *          gamma). 1/R = 1/r_a + 1/r_b; E*, G* as in hertz_mindlin, which is the case G = 0. With
 *          f_c = 3/2 pi G R, the pull that parts the balls under a dead load, and
 *          a0^3 = 9 pi G R^2 / 2 E*:
 *            touch    nothing until depth = 0; then -8/9 f_c at once
 *            parting  at depth = -0.2752 a0^2/R, where the force is -5/9 f_c: the neck tears
 *            lost     in one touch and parting 7.092 (G^5 R^4/E*^2)^(1/3) [2]
 *          A ball sticks to a wall below 1.840 ((G/r)^5/(rho^3 E*^2))^(1/6) [2].
 * Root     y = sqrt(a): y^4 - c y - R depth = 0, c^2 = 2 pi G R^2/E*. The neck tears at y^3 = c/4;
 *          in units of that y it is X^4 - 4 X = S, X = 1 + e, whose largest root needs no division
 *          by a vanishing value: a start from S only, one step of Halley's method and two of
 *          Newton's give it to some roundings. Without adhesion S is of the order of 1e20 and a
 *          that of Hertz.
 * Tangent  spring 8 G* a s and dashpot, cut at mu (f + 2 f_c) [4], f without its dashpot; `spring`
 *          and `sliding` as in hertz_mindlin, so LAMMPS' `mindlin`, `mindlin_rescale` and so on.
 * Damping  c = 2 sqrt(5/6) zeta sqrt(2 E* a m): e is the restitution without adhesion [5].
 * Energy   stored = E* a (depth^2 - 2/3 depth a^2/R + a^4/5R^2) - pi G a^2 + spring. It is below 0
 *          where the surfaces have gained more energy than bends the balls. Their gain at touch is
 *          lost, as is the remaining energy at parting.
 * Cost     three sqrt, a division; three sqrt and two divisions more in `float`, all vectorised;
 *          bound by its 200 products and sums. Contacts that slide are computed once more,
 *          vectorised where they are many.
 *          `meson test --benchmark law-jkr.x86-64-v3` compares with force/linear.
 * Limits   a << r; discs count as balls of their radius. LAMMPS' jkr tears at the largest pull,
 *          f_c, and so loses 0.494 of the energy; while the depth grows the two are equal.
 */
#include <float.h>

#include "scree/force_sdk.h"

enum { DISPLACEMENT, DISPLACEMENT_RESCALED, INCREMENTS, INCREMENTS_RESCALED };
enum { NONE, RESTITUTION };
enum { TILE = 128, LOT = 4 }; // contacts per pass, see compute()
#define DOT(ax, ay, az, bx, by, bz) ((ax) * (bx) + (ay) * (by) + (az) * (bz))

typedef struct config {
    scree_reals young_modulus, poisson_ratio, work_of_adhesion, friction, restitution;
    double tangential_damping;
    int32_t damping, spring, mass, sliding;
} config;

typedef struct pair {
    double e, kt, friction, cn, ct; // [Pa] E*, 8 G*; [-]; [sqrt(Pa)] times sqrt(m a)
    double grip, surface;           // [m] pi G / 4 E*; [J/m^2] pi G
    double deep, fold, unit;        // [m^(-2/3)] [-] [m^(1/6)] of guess()
    double least;                   // [m] [-] least depth or f of a contact: 0 with adhesion
} pair;

typedef struct law {
    const scree_host *host;
    int32_t spring, mass, sliding, reserved;
    pair pairs[]; // [n_materials^2]
} law;

/** Values of some contacts between the passes: inputs of a kernel, and its results for the next. */
typedef struct tile {
    _Alignas(64) double curve[TILE], r[TILE], cubic[TILE]; // [1/m] [m] 1/R, R; [m^(1/3)] R^(1/3)
    double f[TILE];                                        // [-] see guess()
    double turn[TILE], across[TILE]; // at least 0: scree_turn_spring(); turn h·n
    double light[TILE];              // [1/kg] 1/m
    float near[TILE], slope[TILE];   // see guess()
} tile;
typedef struct marks {
    _Alignas(64) double beyond[TILE]; // > 0: it slides
    double changes[TILE];             // > -DBL_MIN: it begins or has parted
    double limit[TILE];               // [N] limit of the tangential force
    double product[TILE];             // [m^2] product of the turned spring and the new one
    double w[TILE], calm[TILE];       // [sqrt(kg m)] sqrt(m a); [W] dashpot's heat if it sticks
} marks;

/** The part that does not need a. It takes several passes, because one long chain would leave the
 * CPU waiting. */
SCREE_NOT_INLINED void prepare(uint32_t n, const pair *SCREE_RESTRICT p, SCREE_IN mass,
                               SCREE_IN depth, SCREE_IN curve_a, SCREE_IN curve_b, SCREE_IN3(n),
                               SCREE_IN3(h), tile *SCREE_RESTRICT t)
{
    for (uint32_t c = 0; c < n; c++) {
        double curve = curve_a[c] + curve_b[c], root = scree_inverse_cbrt(curve);
        double square = root * root, hn = DOT(hx[c], hy[c], hz[c], nx[c], ny[c], nz[c]);
        double h2 = DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]), flat = h2 - hn * hn;
        double in_plane = flat > SCREE_FLAT * h2 ? flat : 1.0, inv = 1.0 / (in_plane * mass[c]);
        double by = flat > SCREE_FLAT * h2 ? sqrt(h2 * mass[c] * inv) : 0.0;
        t->curve[c] = curve;
        t->cubic[c] = root;
        t->r[c] = square * root;
        t->f[c] = depth[c] * p->deep * (curve * square) + p->fold;
        t->turn[c] = by;
        t->across[c] = by * hn;
        t->light[c] = in_plane * inv;
    }
}

/** f for many pairs of materials. */
static void reach(uint32_t n, const pair *pairs, const uint32_t *material, const double *depth,
                  tile *t)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = &pairs[material[c]];
        t->f[c] = depth[c] * p->deep * (t->curve[c] * (t->cubic[c] * t->cubic[c])) + p->fold;
    }
}

/** e > 0 of e^4 + 4 e^3 + 6 e^2 = f, to 1e-7, and 1 / slope there, to 1e-4. With sqrt(a) = y (1 +
 * e), y where the neck tears, that is the equation of a, and f is the depth beyond that of tearing.
 * It uses `float`, whose roots and divisions cost a third. f = 0 gives 1e-15. */
SCREE_NOT_INLINED void guess(uint32_t n, tile *SCREE_RESTRICT t)
{
    for (uint32_t c = 0; c < n; c++) {
        float f = (float)scree_min(scree_max(t->f[c], 1e-30), 1e36), root = sqrtf(f);
        float s = root / sqrtf(root + 3.0f + sqrtf(9.0f + 4.0f * root)); // to 3e-3
        float inv = 0.25f / (s * (3.0f + s * (3.0f + s)));
        float off = (s * s * (6.0f + s * (4.0f + s)) - f) * inv; // a step of Halley's
        float e = s - off * (1.0f + off * inv * (6.0f + s * (12.0f + 6.0f * s)));
        t->near[c] = e;
        t->slope[c] = inv * (2.0f - 4.0f * inv * (e * (3.0f + e * (3.0f + e))));
    }
}

/** Refines e of guess() to some roundings: two steps of Newton's method that share a slope. */
static inline double excess(double f, float near, float slope)
{
    double e = (double)near, by = (double)slope;
    f = scree_max(f, 1e-30);
    e -= (e * e * (6.0 + e * (4.0 + e)) - f) * by;
    return e - (e * e * (6.0 + e * (4.0 + e)) - f) * by;
}

/** Factor of the spring when a changes, 1 without a history, as in hertz_mindlin; `how` is a
 * constant of each call. */
static inline double carry(int how, double old, double a)
{
    double fall = old > 0.0 ? scree_min(a / (old > 0.0 ? old : 1.0), 1.0) : 1.0;
    double grow = a > 0.0 ? old / (a > 0.0 ? a : 1.0) : 1.0;
    return how == DISPLACEMENT            ? 1.0
           : how == DISPLACEMENT_RESCALED ? fall
           : how == INCREMENTS            ? grow
                                          : scree_min(grow, 1.0);
}

/** Forces of all contacts as if they stuck; beyond > 0: the contact slides. v: velocity, u: slip, h
 * and s: committed and new spring. lag: of scree_lag(), without k / m. */
#define STICK_ARRAYS                                                                               \
    uint32_t n, const pair *SCREE_RESTRICT pairs, double rate, double lag,                         \
        const uint32_t *SCREE_RESTRICT material, const tile *SCREE_RESTRICT t, SCREE_IN mass,      \
        SCREE_IN depth, SCREE_IN old, SCREE_IN3(n), SCREE_IN3(v), SCREE_IN3(u), SCREE_IN3(h),      \
        SCREE_OUT a, SCREE_OUT3(s), SCREE_OUT3(f), SCREE_OUT stored, SCREE_OUT lost,               \
        marks *SCREE_RESTRICT mark
#define STICK_NAMES                                                                                \
    n, pairs, rate, lag, material, t, mass, depth, old, nx, ny, nz, vx, vy, vz, ux, uy, uz, hx,    \
        hy, hz, a, sx, sy, sz, fx, fy, fz, stored, lost, mark
SCREE_BODY void stick(int one, int how, int spring, STICK_ARRAYS)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = pairs + (one ? 0 : material[c]);
        double neck = old[c] > 0.0 ? t->f[c] : -1.0; // < 0: no root, it has torn
        double there = scree_max(depth[c], neck) >= p->least ? 1.0 : 0.0;
        double y = 1.0 + excess(t->f[c], t->near[c], t->slope[c]);
        y *= there * p->unit * t->cubic[c]; // sqrt(a)
        double now = y * y, w = sqrt(mass[c]) * y, kt = p->kt * now, dash = p->ct * w, most;
        double flat = now * now * t->curve[c], bent = p->e * now,
               deep = depth[c] - flat * (1.0 / 3.0);
        double elastic = 2.0 * bent * deep, mean = 0.75 * w + 0.25 * sqrt(mass[c] * old[c]);
        double vn = DOT(vx[c], vy[c], vz[c], nx[c], ny[c], nz[c]), fn = elastic + p->cn * w * vn;
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]);
        double by = t->turn[c], off = t->across[c], g = carry(how, old[c], now);
        if (how != DISPLACEMENT) {
            by *= g;
            off *= g;
        }
        double rx = by * hx[c] - off * nx[c], ry = by * hy[c] - off * ny[c];
        double rz = by * hz[c] - off * nz[c]; // turned
        double dx = rx + ux[c] - un * nx[c], dy = ry + uy[c] - un * ny[c];
        double dz = rz + uz[c] - un * nz[c];
        double gx = -kt * dx - dash * tx, gy = -kt * dy - dash * ty, gz = -kt * dz - dash * tz;
        double s2 = DOT(dx, dy, dz, dx, dy, dz), product = DOT(rx, ry, rz, dx, dy, dz);
        double calm =
            mean * p->ct * (1.0 - lag * p->kt * now * t->light[c]) * DOT(tx, ty, tz, tx, ty, tz);
        double let_go = (old[c] - now) * product; // the spring's heat, without 4 G* / since
        if (how != DISPLACEMENT) {
            double h2 = DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]);
            double skew = g > 0.0 ? old[c] / (g > 0.0 ? g : 1.0) - now : 0.0;
            let_go = (old[c] - now * g * g) * h2 + skew * DOT(rx, ry, rz, ux[c], uy[c], uz[c]);
        }
        a[c] = now;
        sx[c] = dx;
        sy[c] = dy;
        sz[c] = dz;
        fx[c] = gx - fn * nx[c];
        fy[c] = gy - fn * ny[c];
        fz[c] = gz - fn * nz[c];
        stored[c] = bent * (deep * deep + 4.0 / 45.0 * flat * flat) - p->surface * (now * now) +
                    0.5 * kt * s2;
        lost[c] = mean * p->cn * vn * vn + calm + 0.5 * rate * p->kt * let_go;
        most = p->friction * (elastic + 3.0 * p->surface * t->r[c]);
        mark->beyond[c] = (spring ? kt * kt * s2 : DOT(gx, gy, gz, gx, gy, gz)) - most * most;
        mark->changes[c] = -scree_min(now, old[c]);
        mark->limit[c] = most;
        mark->w[c] = w;
        mark->calm[c] = calm;
        mark->product[c] = product;
    }
}

/** Shares of the tangential force and of the spring s that contacts with beyond > 0 keep, see
 * scree_slide(): with the tangential velocity t the force is -q s - r t and the spring e s + d
 * t. */
#define SLIDE_ARRAYS                                                                               \
    uint32_t n, const pair *SCREE_RESTRICT pairs, double rate,                                     \
        const uint32_t *SCREE_RESTRICT material, SCREE_IN a, SCREE_IN old, SCREE_IN3(n),           \
        SCREE_IN3(v), SCREE_IN3(u), SCREE_IN w, SCREE_IN product, SCREE_IN calm, SCREE_IN beyond,  \
        SCREE_IN limit, SCREE_OUT3(s), SCREE_OUT3(f), SCREE_OUT stored, SCREE_OUT lost
#define SLIDE_NAMES                                                                                \
    n, pairs, rate, material, a, old, nx, ny, nz, vx, vy, vz, ux, uy, uz, w, product, calm,        \
        beyond, limit, sx, sy, sz, fx, fy, fz, stored, lost
SCREE_BODY void slide(int rule, int one, SLIDE_ARRAYS)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = pairs + (one ? 0 : material[c]);
        double kt = p->kt * a[c], ct = p->ct * w[c], x = sx[c], y = sy[c], z = sz[c];
        double vn = DOT(vx[c], vy[c], vz[c], nx[c], ny[c], nz[c]);
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double s2 = DOT(x, y, z, x, y, z);
        double st = DOT(x, y, z, vx[c], vy[c], vz[c]), t2 = DOT(tx, ty, tz, tx, ty, tz);
        double most = limit[c], over = beyond[c] > 0.0 ? beyond[c] : 1.0; // over: squared
        double size = sqrt(most * most + over), pull = size, cut = 0.0, held = 0.0;
        int slides = beyond[c] > 0.0;
        if (rule == SCREE_SLIDE_EACH) {
            pull = kt * sqrt(s2);
            pull = pull > 0.0 ? pull : 1.0;
            double both = most / (size * pull);
            cut = both * pull;
            held = scree_min(both * size, 1.0);
        } else
            cut = held = most / size;
        double q = kt * cut, r = ct * cut, e = held, d = 0.0, tu = 0.0;
        if (rule == SCREE_SLIDE_SPRING)
            r = 0.0;
        if (rule == SCREE_SLIDE_TOTAL) {
            d = (cut - 1.0) * ct / (kt > 0.0 ? kt : 1.0);
            tu = DOT(tx, ty, tz, ux[c], uy[c], uz[c]);
        }
        double drag = (q - kt * e) * st + (r - kt * d) * t2;
        double more = (e * e - 1.0) * s2 + d * (2.0 * e * st + d * t2);
        double heat = (1.0 - e) * (product[c] + e * s2) + d * (tu - 2.0 * e * st - d * t2),
               share = old[c] > 0.0 ? 1.0 : 0.75;
        double left = kt - q, free = ct - r;
        double ex = e * x, ey = e * y, ez = e * z;
        if (rule == SCREE_SLIDE_TOTAL) {
            ex += d * tx;
            ey += d * ty;
            ez += d * tz;
        }
        fx[c] = slides ? fx[c] + (left * x + free * tx) : fx[c];
        fy[c] = slides ? fy[c] + (left * y + free * ty) : fy[c];
        fz[c] = slides ? fz[c] + (left * z + free * tz) : fz[c];
        sx[c] = slides ? ex : x;
        sy[c] = slides ? ey : y;
        sz[c] = slides ? ez : z;
        stored[c] = slides ? stored[c] + 0.5 * kt * more : stored[c];
        heat = share * drag - calm[c] + 0.5 * kt * rate * heat;
        lost[c] = slides ? lost[c] + heat : lost[c];
    }
}

/** Contact c begins, has parted, or is absent. Its force begins and ends with a jump. The
 * difference to a smooth force is lost: the work by the trapezium rule, less the increase of stored
 * energy. */
static void jump(const law *self, const scree_contact_batch *b, double rate, uint32_t c)
{
    const pair *p = &self->pairs[b->materials[c]];
    double a = b->out[3][c], old = b->in[3][c], r = a > 0.0 ? a : old, un = 0.0, u2 = 0.0;
    for (int k = 0; k < 3; k++) {
        un += b->slip[k][c] * b->normal[k][c];
        u2 += b->slip[k][c] * b->slip[k][c];
        b->out[k][c] = a > 0.0 ? b->out[k][c] : 0.0;
    }
    if (a > 0.0 && b->depth[c] * b->depth[c] > u2)
        return; // deeper than one step: the law came by a swap after the touch
    double flat = r * r * (b->curvature[0][c] + b->curvature[1][c]);
    double depth = flat - sqrt(8.0 * p->grip * r), f = 2.0 * p->e * r * (depth - flat / 3.0);
    double bent = depth * depth - 2.0 / 3.0 * depth * flat + 0.2 * flat * flat;
    double stored = r * (p->e * bent - p->surface * r);
    b->lost[c] += rate * (0.5 * f * un + (a > 0.0 ? -stored : stored));
}

/** One function of each body above per set of constants; force_sdk.h has the reason. */
#define STICK(name, ...)                                                                           \
    SCREE_NOT_INLINED void name(STICK_ARRAYS)                                                      \
    {                                                                                              \
        stick(__VA_ARGS__, STICK_NAMES);                                                           \
    }
#define SLIDE(name, ...)                                                                           \
    SCREE_NOT_INLINED void name(SLIDE_ARRAYS)                                                      \
    {                                                                                              \
        slide(__VA_ARGS__, SLIDE_NAMES);                                                           \
    }
STICK(stick_one, 1, DISPLACEMENT, 0)
STICK(stick_many, 0, DISPLACEMENT, 0)
STICK(stick_fall, 0, DISPLACEMENT_RESCALED, 0)
STICK(stick_grow, 0, INCREMENTS, 0)
STICK(stick_both, 0, INCREMENTS_RESCALED, 0)
STICK(spring_many, 0, DISPLACEMENT, 1)
STICK(spring_fall, 0, DISPLACEMENT_RESCALED, 1)
STICK(spring_grow, 0, INCREMENTS, 1)
STICK(spring_both, 0, INCREMENTS_RESCALED, 1)
SLIDE(total_many, SCREE_SLIDE_TOTAL, 0)
SLIDE(total_one, SCREE_SLIDE_TOTAL, 1)
SLIDE(each_many, SCREE_SLIDE_EACH, 0)
SLIDE(each_one, SCREE_SLIDE_EACH, 1)
SLIDE(held_many, SCREE_SLIDE_SPRING, 0)
SLIDE(held_one, SCREE_SLIDE_SPRING, 1)
static void (*const sticks[4][2])(STICK_ARRAYS) = {{stick_many, spring_many},
                                                   {stick_fall, spring_fall},
                                                   {stick_grow, spring_grow},
                                                   {stick_both, spring_both}};
static void (*const slides[3][2])(SLIDE_ARRAYS) = {
    {total_many, total_one}, {each_many, each_one}, {held_many, held_one}};

SCREE_NOT_INLINED void hold(uint32_t n, SCREE_IN a, uint8_t *SCREE_RESTRICT keep)
{
    for (uint32_t c = 0; c < n; c++)
        keep[c] = a[c] > 0.0;
}

#define AT(p) ((p) + at)
#define XYZ(p) AT((p)[0]), AT((p)[1]), AT((p)[2])

/** Springs and forces of the n contacts of b from number `at` on, as if they stuck. */
static void press(const law *self, const scree_contact_batch *b, uint32_t at, uint32_t n,
                  double rate, tile *t, marks *mark)
{
    int spring = self->sliding == SCREE_SLIDE_SPRING, one = self->host->n_materials == 1;
    double lag = 0.875 * b->since * b->since; // see scree_lag()
    void (*kernel)(STICK_ARRAYS) = sticks[self->spring][spring];
    if (one && self->spring == DISPLACEMENT && !spring)
        kernel = stick_one;
    prepare(n, self->pairs, AT(b->mass), AT(b->depth), AT(b->curvature[0]), AT(b->curvature[1]),
            XYZ(b->normal), XYZ(b->in), t);
    if (!one)
        reach(n, self->pairs, AT(b->materials), AT(b->depth), t);
    guess(n, t);
    kernel(n, self->pairs, rate, lag, AT(b->materials), t, AT(b->mass), AT(b->depth), AT(b->in[3]),
           XYZ(b->normal), XYZ(b->v), XYZ(b->slip), XYZ(b->in), AT(b->out[3]), XYZ(b->out),
           XYZ(b->f), AT(b->stored), AT(b->lost), mark);
    hold(n, AT(b->out[3]), AT(b->keep));
}

/** Recomputes the contacts that slide among the n contacts of b from number `at` on; their
 * marks begin at number c. */
static void slip(const law *self, const scree_contact_batch *b, uint32_t at, uint32_t c, uint32_t n,
                 double rate, const marks *mark)
{
    slides[self->sliding][self->host->n_materials == 1](
        n, self->pairs, rate, AT(b->materials), AT(b->out[3]), AT(b->in[3]), XYZ(b->normal),
        XYZ(b->v), XYZ(b->slip), mark->w + c, mark->product + c, mark->calm + c, mark->beyond + c,
        mark->limit + c, XYZ(b->out), XYZ(b->f), AT(b->stored), AT(b->lost));
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    double rate = b->since > 0.0 ? 1.0 / b->since : 0.0;
    tile room;
    marks mark;
    for (uint32_t at = 0, n; at < b->n; at += n) {
        n = b->n - at < TILE ? b->n - at : TILE;
        press(self, b, at, n, rate, &room, &mark);
        uint32_t many = scree_count_marks(mark.beyond, 0.0, 0, n), c = many > 0 ? 0 : n;
        for (uint32_t lot; (c = scree_next_mark(mark.beyond, 0.0, c, n)) < n; c += lot) {
            lot = 4 * many > n ? n - c : n - c < LOT ? n - c : LOT;
            slip(self, b, at + c, c, lot, rate, &mark);
        }
        c = scree_count_marks(mark.changes, -DBL_MIN, 0, n) > 0 ? 0 : n;
        for (; (c = scree_next_mark(mark.changes, -DBL_MIN, c, n)) < n; c++)
            jump(self, b, rate, at + c);
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint32_t n = host->n_materials;
    law *self = *instance = calloc(1, sizeof *self + (size_t)n * n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host;
    self->spring = c->spring;
    self->sliding = c->sliding;
    self->mass = c->mass;
    for (uint32_t k = 0; k < n * n; k++) {
        double soft = 0.0, shear = 0.0;
        for (int side = 0; side < 2; side++) {
            uint32_t m = side ? k % n : k / n;
            double e = c->young_modulus.v[m], nu = c->poisson_ratio.v[m];
            soft += (1.0 - nu * nu) / e;
            shear += 2.0 * (1.0 + nu) * (2.0 - nu) / e;
        }
        double log_e = fabs(log(c->restitution.v[k])), square = M_PI * M_PI + log_e * log_e;
        double zeta = isinf(log_e) ? 1.0 : log_e / sqrt(square); // [6]
        double damp = c->damping == RESTITUTION ? 2.0 * sqrt(5.0 / 6.0) * zeta : 0.0;
        double e = 1.0 / soft, kt = 8.0 / shear, surface = M_PI * c->work_of_adhesion.v[k];
        double grip = 0.25 * surface / e;
        self->pairs[k] = (pair){.e = e,
                                .kt = kt,
                                .friction = c->friction.v[k],
                                .cn = damp * sqrt(2.0 * e),
                                .ct = damp * sqrt(kt) * c->tangential_damping,
                                .grip = grip,
                                .surface = surface,
                                .deep = pow(0.5 * fmax(grip, 1e-45), -2.0 / 3.0),
                                .fold = grip > 0.0 ? 3.0 : 0.0,
                                .least = grip > 0.0 ? 0.0 : DBL_MIN,
                                .unit = pow(0.5 * fmax(grip, 1e-45), 1.0 / 6.0)};
    }
    return SCREE_OK;
}

/** [m] Contact radius of a force, or of the deepest point of an elastic impact. */
static double radius_of(const pair *p, double radius, const scree_stiffness_query *q)
{
    double load = q->normal_force > 0.0 ? q->normal_force : 0.0, pull = 3.0 * p->surface * radius;
    double cube = 0.75 * radius / p->e * (load + pull + sqrt(pull * (2.0 * load + pull))); // [1]
    double a = cbrt(cube), energy = 0.5 * q->mass * q->speed * q->speed, high = a;
    if (q->depth != 0.0 || q->normal_force != 0.0)
        return a;
    // stored(a) increases above the a of no load, and from 4 a0 on is at least 4/15 of Hertz's
    high += pow(energy * radius * radius / p->e, 0.2) * 2.0 + 4.0 * a;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (a + high), flat = middle * middle / radius;
        double depth = flat - sqrt(8.0 * p->grip * middle);
        double bent = depth * depth - 2.0 / 3.0 * depth * flat + 0.2 * flat * flat;
        *(middle * (p->e * bent - p->surface * middle) < energy ? &a : &high) = middle;
    }
    return high;
}

/** The tangent of the force is at most 2 E* a; it is less for a neck about to tear. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double curve = 1.0 / q->radius_a + (q->radius_b > 0.0 ? 1.0 / q->radius_b : 0.0), a = 0.0;
    if (q->depth != 0.0) {
        static const double zero[1] = {0.0}, heavy[1] = {1.0};
        tile t;
        prepare(1, p, heavy, &q->depth, &curve, zero, zero, zero, zero, zero, zero, zero, &t);
        guess(1, &t);
        double y = p->unit * t.cubic[0] * (1.0 + excess(t.f[0], t.near[0], t.slope[0]));
        a = t.f[0] >= 0.0 ? y * y : 0.0;
    } else
        a = radius_of(p, 1.0 / curve, q);
    double w = sqrt(q->mass * a);
    out->kn = 2.0 * p->e * a;
    out->kt = p->kt * a;
    out->cn = p->cn * w;
    out->ct = p->ct * w;
    return SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    scree_mass_narrow(((const law *)instance)->mass, demands);
    return SCREE_OK;
}

// Tables for the host: parameters, fields, descriptor; a line each.
// clang-format off
SCREE_MATERIAL_PARAM(config, young_modulus, "Pa", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 0,
    1e30, "Young's modulus");
SCREE_MATERIAL_PARAM(config, poisson_ratio, "-", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, -1,
    0.5, "Poisson's ratio");
SCREE_PAIR_PARAM(config, work_of_adhesion, "J/m^2", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0, HUGE_VAL, GEOMETRIC,
    "work that parts two surfaces: 2 gamma for one material with surface energy gamma");
SCREE_PAIR_PARAM(config, friction, "-", SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
SCREE_PAIR_PARAM(config, restitution, "-", SCREE_PARAM_LIVE, 1, 1, GEOMETRIC,
    "restitution of a head-on impact without adhesion");
SCREE_CHOICE_VALUE(none, NONE, "no dashpots");
SCREE_CHOICE_VALUE(restitution, RESTITUTION, "from e, without adhesion the same at any speed");
SCREE_CHOICE_PARAM(config, damping, SCREE_PARAM_LIVE, "restitution", "where the dashpots come from",
    &choice_none, &choice_restitution);
SCREE_REAL_PARAM(config, tangential_damping, "-", SCREE_PARAM_LIVE, 1, 0, HUGE_VAL,
    "share of the tangential dashpot that has the damping ratio of the normal one; 0: none");
SCREE_CHOICE_VALUE(displacement, DISPLACEMENT,
    "force = current stiffness x all displacement since touch");
SCREE_CHOICE_VALUE(displacement_rescaled, DISPLACEMENT_RESCALED,
    "the same, displacement cut with the contact radius when that falls");
SCREE_CHOICE_VALUE(increments, INCREMENTS, "force grows by current stiffness x slip");
SCREE_CHOICE_VALUE(increments_rescaled, INCREMENTS_RESCALED,
    "the same, force cut with the contact radius when that falls: never makes energy");
SCREE_CHOICE_PARAM(config, spring, SCREE_PARAM_LIVE, "displacement",
    "what a change of the normal force does to the tangential spring", &choice_displacement,
    &choice_displacement_rescaled, &choice_increments, &choice_increments_rescaled);
SCREE_MASS_PARAM(config, mass);
SCREE_SLIDING_PARAM(config, sliding);
static const scree_param *const params[] = {&param_young_modulus, &param_poisson_ratio,
    &param_work_of_adhesion, &param_friction, &param_restitution, &param_damping,
    &param_tangential_damping, &param_spring, &param_mass, &param_sliding};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
SCREE_FIELD(contact_radius, CONTACT, 1, 1, "m", 0, "radius of the contact or of the neck; 0: none");
static const scree_field *const fields[] = {&field_shear_spring, &field_contact_radius};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin jkr = {.size = sizeof jkr, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "jkr", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "elastic balls that stick (Johnson, Kendall, Roberts), Mindlin's spring, Coulomb friction",
    .summary = "Hertz's law with adhesion: balls pull as soon as they touch, and a neck holds them until "
               "it tears across a gap. An impact loses the energy of that, slow ones stick. Friction "
               "multiplies the normal force and twice the pull-off force.",
    .citation = "Johnson, Kendall, Roberts 1971, Proc. R. Soc. Lond. A 324, 301, doi:10.1098/rspa.1971.0141",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED | SCREE_OUT_KEEP,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS |
             SCREE_IN_CURVATURE};
// clang-format on
SCREE_DEFINE_MANIFEST(&jkr);
