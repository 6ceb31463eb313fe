/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jkr: elastic balls that stick to each other, with a neck that lasts until it tears (Johnson,
 * Kendall, Roberts), Mindlin's tangential spring, dashpots, friction with the adhesion in it.
 *
 * Sources  [1] Johnson, Kendall, Roberts 1971, Proc. R. Soc. A 324, 301: force, contact radius.
 *          [2] Thornton, Ning 1998, Powder Technol. 99, 154: touch, parting, sticking speed.
 *          [3] Parteli et al. 2014, Sci. Rep. 4, 6227: the radius is a root of a quartic.
 *          [4] Thornton 1991, J. Phys. D 24, 1942: friction multiplies force + 2 pull-off forces.
 *          [5] Antypov, Elliott 2011: dashpots, as Mindlin's spring see force/hertz_mindlin.
 * Idea     depth = a^2/R - sqrt(2 pi G a/E*), the larger root a;  f = 2 E* a (depth - a^2/3R).
 *          G = work_of_adhesion, of both surfaces: of one material 2 gamma (LAMMPS asks for that
 *          gamma). 1/R = 1/r_a + 1/r_b; E*, G* as in hertz_mindlin, which is what G = 0 gives.
 *          With f_c = 3/2 pi G R, the pull that parts them under a dead load, and
 *          a0^3 = 9 pi G R^2 / 2 E*:
 *            touch    nothing until depth = 0; then -8/9 f_c at once
 *            parting  at depth = -0.2752 a0^2/R, where the force is -5/9 f_c: the neck tears
 *            lost     in one touch and parting 7.092 (G^5 R^4/E*^2)^(1/3) [2]
 *          A ball sticks to a wall below 1.840 ((G/r)^5/(rho^3 E*^2))^(1/6) [2].
 * Root     y = sqrt(a): y^4 - c y - R depth = 0, c^2 = 2 pi G R^2/E*, splits into two squares by
 *          the one positive root t of t^3 + R depth t = c^2/8, by Cardano. Then, with
 *          s = sqrt(t^2 + R depth), a = s + sqrt(t (2 s - t)): no division by G. It is the exact
 *          one of a depth that differs by some roundings; where the neck tears that is 1e-8 of a.
 * Tangent  spring 8 G* a s and dashpot, cut at mu (f + 2 f_c) [4], f without its dashpot; `spring`
 *          and `sliding` as in hertz_mindlin, so LAMMPS' `mindlin`, `mindlin_rescale` and so on.
 * Damping  c = 2 sqrt(5/6) zeta sqrt(2 E* a m): e is the restitution without adhesion [5].
 * Energy   stored = E* a (depth^2 - 2/3 depth a^2/R + a^4/5R^2) - pi G a^2 + spring. It is below 0
 *          where the surfaces have gained more than bends the balls. What they gain at touch is
 *          lost, and what is stored still at parting.
 * Cost     six sqrt, five divisions, vectorised; what slides is done once more, vectorised too
 *          where it is many: with all sliding 1.45 times the cost of none (x86-64-v3).
 * Limits   a << r; discs count as balls of their radius. LAMMPS' jkr tears at the largest pull,
 *          f_c, and so loses 0.494 of the energy; while the depth grows the two are equal.
 */
#include <float.h>

#include "scree/sdk.h"

enum { DISPLACEMENT, DISPLACEMENT_RESCALED, INCREMENTS, INCREMENTS_RESCALED };
enum { NONE, RESTITUTION };
enum { TILE = 128, LOT = 32, CLOSE = 4 }; // contacts; see compute()
#define DOT(ax, ay, az, bx, by, bz) ((ax) * (bx) + (ay) * (by) + (az) * (bz))

typedef struct config {
    scree_reals young_modulus, poisson_ratio, work_of_adhesion, friction, restitution;
    double tangential_damping;
    int32_t damping, spring, sliding, reserved;
} config;

typedef struct pair {
    double e, kt, friction, cn, ct; // [Pa] E*, 8 G*; [-]; [sqrt(Pa)] times sqrt(m a)
    double grip, surface;           // [m] pi G / 4 E*; [J/m^2] pi G
} pair;

typedef struct law {
    const scree_host *host;
    int32_t spring, sliding;
    pair pairs[]; // [n_materials^2]
} law;

/** Of some contacts, between the passes. */
typedef struct tile {
    _Alignas(64) double turn[TILE], across[TILE], gone[TILE], skew[TILE]; // see carry_all()
    double pull[TILE];                                                    // [N] 2 f_c
    double beyond[TILE];                                                  // > 0: it slides
    double changes[TILE];      // > 0: it begins or has parted
    double limit[TILE];        // [N] of the tangential force
    double kt[TILE], ct[TILE]; // [N/m] [N s/m] tangential spring and dashpot
    double still[TILE];        // [W] its heat if the contact sticks
} tile;

/** a: contact radius, 0 where there is no contact. `old`: the committed one. */
static inline void radii(uint32_t n, int one, const pair *SCREE_RESTRICT pairs,
                         const uint32_t *SCREE_RESTRICT material, SCREE_IN depth, SCREE_IN curve_a,
                         SCREE_IN curve_b, SCREE_IN old, SCREE_OUT a, SCREE_OUT pull,
                         SCREE_OUT changes)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = pairs + (one ? 0 : material[c]);
        double r = 1.0 / (curve_a[c] + curve_b[c]), q = r * depth[c], third = q * (1.0 / 3.0);
        double k = p->grip * r * r, square = 0.25 * k * k + third * third * third; // k = c^2 / 8
        double cube = 0.5 * k + sqrt(scree_max(square, 0.0));
        double b = scree_inverse_cbrt(scree_max(cube, 1e-280)), u = cube * b * b, v = third * b;
        double all = u * u + third + v * v, t = k / (all > 0.0 ? all : 1.0); // u - v, u v = q / 3
        double s = sqrt(scree_max(t * t + q, 0.0));
        double found = s + sqrt(scree_max(t * (2.0 * s - t), 0.0));
        pull[c] = 3.0 * p->surface * r;
        double neck = old[c] > 0.0 ? square : -1.0; // < 0: no root, it has torn
        a[c] = scree_max(depth[c], neck) >= 0.0 ? found : 0.0;
        changes[c] = -scree_min(a[c], old[c]);
    }
}

/** What a change of a does to the spring, without a history it is 1; `how` is a constant of each
 * call. As in hertz_mindlin. */
static inline double carry(int how, double old, double a)
{
    double fall = old > 0.0 ? scree_min(a / (old > 0.0 ? old : 1.0), 1.0) : 1.0;
    double grow = a > 0.0 ? old / (a > 0.0 ? a : 1.0) : 1.0;
    return how == DISPLACEMENT            ? 1.0
           : how == DISPLACEMENT_RESCALED ? fall
           : how == INCREMENTS            ? grow
                                          : scree_min(grow, 1.0);
}

/** turn: scree_turn_spring times what carry() says; across = turn h·n. gone, skew: what carry and
 * the change of a take from the spring h, and while it slips, see stick(). */
static inline void carry_all(uint32_t n, int how, SCREE_IN a, SCREE_IN old, SCREE_IN3(n),
                             SCREE_IN3(h), SCREE_OUT turn, SCREE_OUT across, SCREE_OUT gone,
                             SCREE_OUT skew)
{
    for (uint32_t c = 0; c < n; c++) {
        double hn = DOT(hx[c], hy[c], hz[c], nx[c], ny[c], nz[c]);
        double h2 = DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]);
        double by = scree_max(scree_turn_spring(hn, h2), 0.0);
        if (how == DISPLACEMENT) {
            turn[c] = by, across[c] = by * hn;
            continue;
        }
        double g = carry(how, old[c], a[c]);
        turn[c] = g * by, across[c] = g * by * hn, gone[c] = (old[c] - a[c] * g * g) * h2;
        skew[c] = g > 0.0 ? old[c] / (g > 0.0 ? g : 1.0) - a[c] : 0.0;
    }
}

/** All contacts as if they stuck; beyond > 0: it does not. v: velocity, u: slip, h and s: committed
 * and new spring. `plain`: carry() is 1, and gone = (old - a) h2, skew = old - a. */
static inline void stick(uint32_t n, int one, int plain, int spring,
                         const pair *SCREE_RESTRICT pairs, double since, double rate,
                         const uint32_t *SCREE_RESTRICT material, SCREE_IN mass, SCREE_IN depth,
                         SCREE_IN curve_a, SCREE_IN curve_b, SCREE_IN a, SCREE_IN old, SCREE_IN3(n),
                         SCREE_IN3(v), SCREE_IN3(u), SCREE_IN3(h), SCREE_IN pull, SCREE_IN turn,
                         SCREE_IN across, SCREE_IN gone, SCREE_IN skew, SCREE_OUT3(s),
                         SCREE_OUT3(f), SCREE_OUT stored, SCREE_OUT lost, SCREE_OUT beyond,
                         SCREE_OUT limit, SCREE_OUT stiff, SCREE_OUT ct, SCREE_OUT still)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = pairs + (one ? 0 : material[c]);
        double w = sqrt(mass[c] * a[c]), kt = p->kt * a[c], dash = p->ct * w;
        double flat = a[c] * a[c] * (curve_a[c] + curve_b[c]), bent = p->e * a[c]; // a^2 / R
        double elastic = 2.0 * bent * (depth[c] - flat * (1.0 / 3.0)), most;
        double vn = DOT(vx[c], vy[c], vz[c], nx[c], ny[c], nz[c]), fn = elastic + p->cn * w * vn;
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]);
        double rx = turn[c] * hx[c] - across[c] * nx[c], ry = turn[c] * hy[c] - across[c] * ny[c];
        double rz = turn[c] * hz[c] - across[c] * nz[c]; // turned
        double px = ux[c] - un * nx[c], py = uy[c] - un * ny[c], pz = uz[c] - un * nz[c];
        double dx = rx + px, dy = ry + py, dz = rz + pz;
        double gx = -kt * dx - dash * tx, gy = -kt * dy - dash * ty, gz = -kt * dz - dash * tz;
        double s2 = DOT(dx, dy, dz, dx, dy, dz);
        double mean = 0.75 * w + 0.25 * sqrt(mass[c] * old[c]); // of a dashpot: scree_dashpot_heat
        double calm = mean * p->ct * scree_lag(kt, mass[c], since) * DOT(tx, ty, tz, tx, ty, tz);
        double let_go = // the spring's heat, without 4 G* / since
            plain ? (old[c] - a[c]) * DOT(rx, ry, rz, dx, dy, dz)
                  : gone[c] + skew[c] * DOT(rx, ry, rz, px, py, pz);
        sx[c] = dx, sy[c] = dy, sz[c] = dz;
        fx[c] = gx - fn * nx[c], fy[c] = gy - fn * ny[c], fz[c] = gz - fn * nz[c];
        stored[c] = 0.5 * (elastic * depth[c] + kt * s2) - p->surface * a[c] * a[c] +
                    bent * flat * (0.2 * flat - depth[c] * (1.0 / 3.0));
        lost[c] = mean * p->cn * vn * vn + calm + 0.5 * rate * p->kt * let_go;
        most = p->friction * (elastic + pull[c]);
        beyond[c] = (spring ? kt * kt * s2 : DOT(gx, gy, gz, gx, gy, gz)) - most * most;
        limit[c] = most, stiff[c] = kt, ct[c] = dash, still[c] = calm;
    }
}

/** What those with beyond > 0 keep of the tangential force and of the spring s, see scree_slide().
 */
__attribute__((noinline)) static void slide(uint32_t n, int rule, double rate, SCREE_IN stiff,
                                            SCREE_IN old, SCREE_IN3(n), SCREE_IN3(v), SCREE_IN3(u),
                                            SCREE_IN beyond, SCREE_IN limit, SCREE_IN ct,
                                            SCREE_IN still, SCREE_OUT3(s), SCREE_OUT3(f),
                                            SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        double kt = stiff[c], x = sx[c], y = sy[c], z = sz[c], s2 = DOT(x, y, z, x, y, z);
        double vn = DOT(vx[c], vy[c], vz[c], nx[c], ny[c], nz[c]);
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double gx = -kt * x - ct[c] * tx, gy = -kt * y - ct[c] * ty, gz = -kt * z - ct[c] * tz;
        double size = sqrt(DOT(gx, gy, gz, gx, gy, gz)), pull = kt * sqrt(s2);
        double cut = limit[c] / (size > 0.0 ? size : 1.0);
        double held = scree_min(limit[c] / (pull > 0.0 ? pull : 1.0), 1.0);
        double soft = 1.0 / (kt > 0.0 ? kt : 1.0);
        int by_spring = rule == SCREE_SLIDE_SPRING;
        double qx = by_spring ? -kt * held * x : cut * gx,
               qy = by_spring ? -kt * held * y : cut * gy;
        double qz = by_spring ? -kt * held * z : cut * gz;
        int total = rule == SCREE_SLIDE_TOTAL;
        double ex = total ? -(qx + ct[c] * tx) * soft : held * x;
        double ey = total ? -(qy + ct[c] * ty) * soft : held * y;
        double ez = total ? -(qz + ct[c] * tz) * soft : held * z;
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]);
        double px = ux[c] - un * nx[c], py = uy[c] - un * ny[c], pz = uz[c] - un * nz[c];
        double drag = -DOT(qx + kt * ex, qy + kt * ey, qz + kt * ez, tx, ty, tz);
        double more = 0.5 * kt * (DOT(ex, ey, ez, ex, ey, ez) - s2);
        double heat = 0.5 * kt * DOT(ex - x, ey - y, ez - z, px - ex - x, py - ey - y, pz - ez - z);
        double share = old[c] > 0.0 ? 1.0 : 0.75;
        int slides = beyond[c] > 0.0;
        fx[c] = slides ? fx[c] - gx + qx : fx[c], fy[c] = slides ? fy[c] - gy + qy : fy[c];
        fz[c] = slides ? fz[c] - gz + qz : fz[c];
        sx[c] = slides ? ex : x, sy[c] = slides ? ey : y, sz[c] = slides ? ez : z;
        stored[c] = slides ? stored[c] + more : stored[c];
        lost[c] = slides ? lost[c] - still[c] + share * drag + heat * rate : lost[c];
    }
}

/** Contact c begins, has parted, or is not there. The force comes and goes at once; what the
 * account of a smooth force leaves is lost: its work by the trapezium rule, less what is stored
 * more. */
static void jump(const law *self, const scree_contact_batch *b, double rate, uint32_t c)
{
    const pair *p = &self->pairs[b->materials[c]];
    double a = b->out[3][c], old = b->in[3][c], r = a > 0.0 ? a : old, un = 0.0, u2 = 0.0;
    for (int k = 0; k < 3; k++) {
        un += b->slip[k][c] * b->normal[k][c], u2 += b->slip[k][c] * b->slip[k][c];
        b->out[k][c] = a > 0.0 ? b->out[k][c] : 0.0;
    }
    if (a > 0.0 && b->depth[c] * b->depth[c] > u2)
        return; // deeper than one step: they touched before the law came by a swap
    double flat = r * r * (b->curvature[0][c] + b->curvature[1][c]);
    double depth = flat - sqrt(8.0 * p->grip * r), f = 2.0 * p->e * r * (depth - flat / 3.0);
    double bent = depth * depth - 2.0 / 3.0 * depth * flat + 0.2 * flat * flat;
    double stored = r * (p->e * bent - p->surface * r);
    b->lost[c] += rate * (0.5 * f * un + (a > 0.0 ? -stored : stored));
}

#define AT(p) ((p) + at)
#define XYZ(p) AT((p)[0]), AT((p)[1]), AT((p)[2])
#define RADII(one)                                                                                 \
    radii(n, one, self->pairs, AT(b->materials), AT(b->depth), AT(b->curvature[0]),                \
          AT(b->curvature[1]), AT(b->in[3]), AT(b->out[3]), t->pull, t->changes)
#define CARRY(how)                                                                                 \
    carry_all(n, how, AT(b->out[3]), AT(b->in[3]), XYZ(b->normal), XYZ(b->in), t->turn, t->across, \
              t->gone, t->skew)
#define STICK(one, plain, spring)                                                                  \
    stick(n, one, plain, spring, self->pairs, b->since, rate, AT(b->materials), AT(b->mass),       \
          AT(b->depth), AT(b->curvature[0]), AT(b->curvature[1]), AT(b->out[3]), AT(b->in[3]),     \
          XYZ(b->normal), XYZ(b->v), XYZ(b->slip), XYZ(b->in), t->pull, t->turn, t->across,        \
          t->gone, t->skew, XYZ(b->out), XYZ(b->f), AT(b->stored), AT(b->lost), t->beyond,         \
          t->limit, t->kt, t->ct, t->still)

/** Springs and forces of the n contacts of b from number `at` on, as if they stuck. */
static void press(const law *self, const scree_contact_batch *b, uint32_t at, uint32_t n,
                  double rate, tile *t)
{
    int one = self->host->n_materials == 1;
    one ? RADII(1) : RADII(0);
    if (self->spring == DISPLACEMENT)
        CARRY(DISPLACEMENT);
    else if (self->spring == DISPLACEMENT_RESCALED)
        CARRY(DISPLACEMENT_RESCALED);
    else if (self->spring == INCREMENTS)
        CARRY(INCREMENTS);
    else
        CARRY(INCREMENTS_RESCALED);
    int spring = self->sliding == SCREE_SLIDE_SPRING, plain = self->spring == DISPLACEMENT;
    if (one && plain && !spring)
        STICK(1, 1, 0);
    else if (plain && !spring)
        STICK(0, 1, 0);
    else if (plain)
        STICK(0, 1, 1);
    else if (!spring)
        STICK(0, 0, 0);
    else
        STICK(0, 0, 1);
}

#define SLIDE(rule)                                                                                \
    slide(lot, rule, rate, t->kt + c, b->in[3] + k, b->normal[0] + k, b->normal[1] + k,            \
          b->normal[2] + k, b->v[0] + k, b->v[1] + k, b->v[2] + k, b->slip[0] + k, b->slip[1] + k, \
          b->slip[2] + k, t->beyond + c, t->limit + c, t->ct + c, t->still + c, b->out[0] + k,     \
          b->out[1] + k, b->out[2] + k, b->f[0] + k, b->f[1] + k, b->f[2] + k, b->stored + k,      \
          b->lost + k)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    double rate = b->since > 0.0 ? 1.0 / b->since : 0.0;
    tile room, *t = &room;
    for (uint32_t at = 0, n; at < b->n; at += n) {
        n = b->n - at < TILE ? b->n - at : TILE;
        press(self, b, at, n, rate, t);
        for (uint32_t c = 0, lot; (c = scree_next_mark(t->beyond, 0.0, c, n)) < n; c += lot) {
            uint32_t next = scree_next_mark(t->beyond, 0.0, c + 1, n), k = at + c;
            lot = next - c < CLOSE ? n - c < LOT ? n - c : LOT : 1; // one by one where few slide
            if (self->sliding == SCREE_SLIDE_EACH)
                SLIDE(SCREE_SLIDE_EACH);
            else if (self->sliding == SCREE_SLIDE_TOTAL)
                SLIDE(SCREE_SLIDE_TOTAL);
            else
                SLIDE(SCREE_SLIDE_SPRING);
        }
        for (uint32_t c = 0; (c = scree_next_mark(t->changes, -DBL_MIN, c, n)) < n; c++)
            jump(self, b, rate, at + c);
        for (uint32_t c = 0; c < n; c++)
            b->keep[at + c] = b->out[3][at + c] > 0.0;
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
    self->host = host, self->spring = c->spring, self->sliding = c->sliding;
    for (uint32_t k = 0; k < n * n; k++) {
        double soft = 0.0, shear = 0.0;
        for (int side = 0; side < 2; side++) {
            uint32_t m = side ? k % n : k / n;
            double e = c->young_modulus.v[m], nu = c->poisson_ratio.v[m];
            soft += (1.0 - nu * nu) / e, shear += 2.0 * (1.0 + nu) * (2.0 - nu) / e;
        }
        double log_e = fabs(log(c->restitution.v[k])), square = M_PI * M_PI + log_e * log_e;
        double zeta = isinf(log_e) ? 1.0 : log_e / sqrt(square); // [6]
        double damp = c->damping == RESTITUTION ? 2.0 * sqrt(5.0 / 6.0) * zeta : 0.0;
        double e = 1.0 / soft, kt = 8.0 / shear, surface = M_PI * c->work_of_adhesion.v[k];
        self->pairs[k] = (pair){.e = e,
                                .kt = kt,
                                .friction = c->friction.v[k],
                                .cn = damp * sqrt(2.0 * e),
                                .ct = damp * sqrt(kt) * c->tangential_damping,
                                .grip = 0.25 * surface / e,
                                .surface = surface};
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
    // stored(a) grows from the a without a load on, at least as 4/15 of Hertz's from 4 times a0 on
    high += pow(energy * radius * radius / p->e, 0.2) * 2.0 + 4.0 * a;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (a + high), flat = middle * middle / radius;
        double depth = flat - sqrt(8.0 * p->grip * middle);
        double bent = depth * depth - 2.0 / 3.0 * depth * flat + 0.2 * flat * flat;
        *(middle * (p->e * bent - p->surface * middle) < energy ? &a : &high) = middle;
    }
    return high;
}

/** The tangent of the force is 2 E* a at most; that of a neck about to tear falls. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double curve = 1.0 / q->radius_a + (q->radius_b > 0.0 ? 1.0 / q->radius_b : 0.0), zero = 0.0;
    double a = 0.0, old = 1.0, pull, changes;
    uint32_t first = 0;
    if (q->depth != 0.0)
        radii(1, 1, p, &first, &q->depth, &curve, &zero, &old, &a, &pull, &changes);
    else
        a = radius_of(p, 1.0 / curve, q);
    double w = sqrt(q->mass * a);
    out->kn = 2.0 * p->e * a, out->kt = p->kt * a, out->cn = p->cn * w, out->ct = p->ct * w;
    return SCREE_OK;
}

// What the host reads: parameters, fields, descriptor; a line each.
// clang-format off
SCREE_MATERIAL_PARAM(config, young_modulus, "Pa", SCREE_REQUIRED | SCREE_MIN_OPEN | SCREE_LIVE, 0, 0,
    HUGE_VAL, "Young's modulus");
SCREE_MATERIAL_PARAM(config, poisson_ratio, "-", SCREE_REQUIRED | SCREE_MIN_OPEN | SCREE_LIVE, 0, -1,
    0.5, "Poisson's ratio");
SCREE_PAIR_PARAM(config, work_of_adhesion, "J/m^2", SCREE_REQUIRED | SCREE_LIVE, 0, HUGE_VAL, GEOMETRIC,
    "to part two surfaces: 2 gamma of one material with surface energy gamma");
SCREE_PAIR_PARAM(config, friction, "-", SCREE_LIVE, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
SCREE_PAIR_PARAM(config, restitution, "-", SCREE_LIVE, 1, 1, GEOMETRIC,
    "of a head-on impact without adhesion");
SCREE_CHOICE_VALUE(none, NONE, "no dashpots");
SCREE_CHOICE_VALUE(restitution, RESTITUTION, "from e, without adhesion the same at any speed");
SCREE_CHOICE_PARAM(config, damping, SCREE_LIVE, "restitution", "where the dashpots come from",
    &choice_none, &choice_restitution);
SCREE_REAL_PARAM(config, tangential_damping, "-", SCREE_LIVE, 1, 0, HUGE_VAL,
    "share of the tangential dashpot that has the damping ratio of the normal one; 0: none");
SCREE_CHOICE_VALUE(displacement, DISPLACEMENT, "force = stiffness of now x all displacement since touch");
SCREE_CHOICE_VALUE(displacement_rescaled, DISPLACEMENT_RESCALED,
    "the same, displacement cut with the contact radius when that falls");
SCREE_CHOICE_VALUE(increments, INCREMENTS, "force grows by stiffness of now x slip");
SCREE_CHOICE_VALUE(increments_rescaled, INCREMENTS_RESCALED,
    "the same, force cut with the contact radius when that falls: never makes energy");
SCREE_CHOICE_PARAM(config, spring, SCREE_LIVE, "displacement",
    "what a change of the normal force does to the tangential spring", &choice_displacement,
    &choice_displacement_rescaled, &choice_increments, &choice_increments_rescaled);
SCREE_SLIDING_PARAM(config, sliding, "each");
static const scree_param *const params[] = {&param_young_modulus, &param_poisson_ratio,
    &param_work_of_adhesion, &param_friction, &param_restitution, &param_damping,
    &param_tangential_damping, &param_spring, &param_sliding};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
SCREE_FIELD(contact_radius, CONTACT, 1, 1, "m", 0, "radius of the contact or of the neck; 0: none");
static const scree_field *const fields[] = {&field_shear_spring, &field_contact_radius};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness};
static const scree_plugin jkr = {.size = sizeof jkr, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_2D | SCREE_3D, .id = "jkr", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "elastic balls that stick (Johnson, Kendall, Roberts), Mindlin's spring, Coulomb friction",
    .summary = "Hertz's law with adhesion: balls pull as soon as they touch, and a neck holds them until "
               "it tears across a gap. An impact loses the energy of that, slow ones stick. Friction "
               "multiplies the normal force and twice the pull-off force.",
    .citation = "Johnson, Kendall, Roberts 1971, Proc. R. Soc. Lond. A 324, 301, doi:10.1098/rspa.1971.0141",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED | SCREE_OUT_KEEP,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MATERIALS |
             SCREE_IN_CURVATURE};
// clang-format on
SCREE_DEFINE_MANIFEST(&jkr);
