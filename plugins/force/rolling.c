/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rolling: a couple that resists rolling and twisting, for a law that pushes. It comes after
 * that law in `force`, and takes its normal force.
 *
 * Sources  [1] Ai, Chen, Rotter, Ooi 2011, Powder Technol. 206, 269: the types A, B, C.
 *          [2] Iwashita, Oda 1998, J. Eng. Mech. 124, 285: the stiffness kt R*^2.
 *          [3] Luding 2008, Granular Matter 10, 235: objective rolling, twisting alike.
 * Idea     w = w_a - w_b is the same for every observer: its part in the contact plane is rolling,
 *          that along the normal twisting. R* = r_a r_b / (r_a + r_b), on a wall r_a: between equal
 *          balls R* is half the radius, and so is the torque of the same coefficient [1].
 *            constant  [1] A: the torque is the limit mu R* |Fn|, against w
 *            viscous   [1] B: it is viscosity R*^2 |Fn| w
 *            spring    [1] C: it is k s + c w, cut at the limit; s is the angle rolled [rad]
 *          The limit holds a ball on a slope iff tan(slope) < mu.
 * Spring   k = 2.25 kn mu^2 R*^2 (normal [1]), kt R*^2 (tangential [2]), or rolling_stiffness R*^2
 *          (given); stiffness_factor replaces 2.25 or multiplies the others. kn and kt are those of
 *          the law that pushes: constants, or 2 E* a and 8 G* a with Hertz' contact radius a.
 *          Where a grows the torque stays, where it falls the torque falls: no energy is made.
 *          c = 2 rolling_damping sqrt(J k), 1/J the sum of 1 / (1.4 m r^2) (discs: 1.5).
 * Steps    1. the committed angle is turned into the new contact plane, its length kept;
 *          2. it grows by the relative rotation since then (from the host, never w dt);
 *          3. what is beyond the limit is cut by the rule `sliding`, see scree_slide().
 *          Twisting is the same along the normal, with its own coefficient.
 * Energy   stored = k s^2 / 2; lost = heat of dashpots, sliding, springs let go.
 * Cost     two sqrt, two divisions per contact, all vectorised; two of each more where it slides.
 * Limits   `constant` changes sign with w: a ball comes to rest only to within a step's change of
 *          w, and holds on no slope; nor does `viscous`. The heat of an end of contact is exact to
 *          first order of the step. Discs count as balls of their radius in R*.
 */
#include "scree/force_sdk.h"

enum { CONSTANT, VISCOUS, SPRING };
enum { NORMAL, TANGENTIAL, GIVEN };
enum { REDUCED, SMALLER, FIELD = 5 };
#define CONSTANT_STIFFNESS 1.0 // in place of a contact radius [m], also in the field
#define NOISE 1e-24            // part of the spin squared: less is rounding, and has no direction
#define DOT(ax, ay, az, bx, by, bz) ((ax) * (bx) + (ay) * (by) + (az) * (bz))

typedef struct config {
    scree_reals rolling_friction, twisting_friction, rolling_viscosity, twisting_viscosity;
    scree_reals rolling_stiffness, twisting_stiffness, kn, kt, young_modulus, poisson_ratio;
    double rolling_damping, stiffness_factor;
    int32_t type, stiffness, radius, sliding;
} config;

typedef struct pair {
    double mu[2];   // [-] coefficient of the limit; viscous: [s/m]; for rolling and for twisting
    double k[2];    // [N/m] times R*^2; times a where flat is 0, then [Pa]
    double root[2]; // factor of sqrt(k), with the share of J, for the dashpots
    double flat;    // 1: k is a constant, 0: it grows with the contact radius
    double modulus; // [Pa] kn / a
} pair;

typedef struct law {
    const scree_host *host;
    double share;                  // flatter body's share in 1/R*: 1, or 0 for the smaller radius
    double damp;                   // 2 rolling_damping sqrt(1.4), or sqrt(1.5) for discs
    int32_t type, sliding, twists; // twists: some coefficient is not 0
    int32_t hertz;                 // some stiffness grows with the contact radius
    pair pairs[];                  // [n_materials^2]
} law;

/** 1/R* from both curvatures; R* of two flat faces is 0: they cannot roll. */
static inline double lever(double share, double ca, double cb)
{
    double curve = scree_max(ca, cb) + share * scree_min(ca, cb);
    return 1.0 / (curve > 0.0 ? curve : HUGE_VAL);
}

/** CONSTANT and VISCOUS: by the relative spin w, without a history. */
static inline void drag(uint32_t n, int how, const law *SCREE_RESTRICT self,
                        const uint32_t *SCREE_RESTRICT material, SCREE_IN fn, SCREE_IN depth,
                        SCREE_IN curve_a, SCREE_IN curve_b, SCREE_IN3(n), SCREE_IN3(w),
                        SCREE_OUT3(m), SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + material[c];
        double r = lever(self->share, curve_a[c], curve_b[c]);
        double push = depth[c] >= 0.0 ? r * fabs(fn[c]) : 0.0;
        double wn = DOT(wx[c], wy[c], wz[c], nx[c], ny[c], nz[c]);
        double tx = wx[c] - wn * nx[c], ty = wy[c] - wn * ny[c], tz = wz[c] - wn * nz[c];
        double t2 = DOT(tx, ty, tz, tx, ty, tz), least = NOISE * (t2 + wn * wn);
        double roll = t2 > least ? p->mu[0] * push : 0.0;
        double twist = wn * wn > least ? p->mu[1] * push : 0.0;
        if (how == CONSTANT) {
            roll /= t2 > least ? sqrt(t2) : 1.0;
            twist /= wn * wn > least ? fabs(wn) : 1.0;
        } else {
            roll *= r;
            twist *= r;
        }
        mx[c] = -roll * tx - twist * wn * nx[c];
        my[c] = -roll * ty - twist * wn * ny[c];
        mz[c] = -roll * tz - twist * wn * nz[c];
        stored[c] = 0.0;
        lost[c] = roll * t2 + twist * wn * wn;
    }
}

/** Shares of a torque k s + c t that are left below the limit. */
typedef struct cuts {
    double elastic, viscous; // shares of k s and of c t
    double keep, lag;        // the spring is then keep s + lag t
} cuts;

/** Cuts a torque by a rule of scree_slide(), a constant of each call; s2, st, t2: s·s, s·t, t·t. */
static inline cuts cut(int rule, double k, double c, double limit, double s2, double st, double t2)
{
    double most = limit * limit, elastic = k * k * s2, on = limit > 0.0 ? 1.0 : 0.0;
    double whole = elastic + c * (2.0 * k * st + c * t2);
    double e = elastic > most ? elastic : 1.0, w = whole > most ? whole : 1.0;
    double by = on, held = on, both = rule == SCREE_SLIDE_EACH ? most / (e * w) : 0.0;
    if (rule != SCREE_SLIDE_SPRING)
        by = whole > most ? sqrt(rule == SCREE_SLIDE_EACH ? both * e : most / w) : on;
    if (rule != SCREE_SLIDE_TOTAL)
        held = elastic > most ? sqrt(rule == SCREE_SLIDE_EACH ? both * w : most / e) : on;
    if (rule == SCREE_SLIDE_SPRING)
        return (cuts){held, held < 1.0 ? 0.0 : 1.0, held, 0.0};
    if (rule == SCREE_SLIDE_EACH)
        return (cuts){by, by, held, 0.0};
    return (cuts){by, by, by, on * (by - 1.0) * c / (k > 0.0 ? k : HUGE_VAL)};
}

/** Returns 1 where cut() cuts. */
static inline double is_cut(double k, double c, double limit, double s2, double st, double t2)
{
    double most = limit * limit, elastic = k * k * s2;
    double whole = elastic + c * (2.0 * k * st + c * t2);
    return ((limit > 0.0) & !(elastic > most) & !(whole > most)) ? 0.0 : 1.0;
}

/** Values that both couples of contact c share. */
typedef struct scales {
    double *push;  // [N m] limit, over mu
    double *stiff; // [m^2] or [m^3] factor of k: R*^2, times a
    double *damp;  // factor of a dashpot, over pair.root
    double *then;  // stiff for the committed spring
    double *grow;  // [-] share of the committed angle that is left; only with Hertz
    double *slips; // 1: the rolling torque is cut
} scales;

/** a: contact radius, 1 where the stiffness is a constant; old: committed. After a swap from a
 * constant stiffness, or to one, the spring goes on as if it had had the new one: the swap has booked
 * the difference of the energy as work. inv_mass: of all bodies. */
static inline void measure(uint32_t n, int hertz, const law *SCREE_RESTRICT self,
                           const uint32_t *SCREE_RESTRICT material,
                           const uint32_t *SCREE_RESTRICT i, const uint32_t *SCREE_RESTRICT k,
                           SCREE_IN inv_mass, SCREE_IN fn, SCREE_IN depth, SCREE_IN curve_a,
                           SCREE_IN curve_b, SCREE_IN old, SCREE_OUT a, SCREE_OUT push,
                           SCREE_OUT stiff, SCREE_OUT damp, SCREE_OUT then, SCREE_OUT grow)
{
    for (uint32_t c = 0; c < n; c++) {
        double ca = curve_a[c], cb = curve_b[c], wide = 1.0;
        double curve = scree_max(ca, cb) + self->share * scree_min(ca, cb); // 1 / R*
        double j = inv_mass[i[c]] * ca * ca + inv_mass[k[c]] * cb * cb;     // 1.4 / J
        double inv = 1.0 / (curve > 0.0 && j > 0.0 ? curve * j : HUGE_VAL), r = inv * j;
        if (hertz) {
            double flat = self->pairs[material[c]].flat, deep = scree_max(depth[c], 0.0);
            wide = flat + (1.0 - flat) * sqrt(ca + cb > 0.0 ? deep / (ca + cb) : 0.0);
            double was = flat > 0.0 || old[c] == CONSTANT_STIFFNESS ? wide : old[c];
            grow[c] = wide > was ? was / wide : 1.0;
            then[c] = r * r * was;
        }
        a[c] = wide;
        push[c] = depth[c] >= 0.0 ? r * fabs(fn[c]) : 0.0;
        stiff[c] = r * r * wide;
        damp[c] = self->damp * r * sqrt(wide * inv * curve);
    }
}

/** The rolling spring. u: rotation, h and s: committed and new angle, in the plane. `begins`: the
 * contacts did not touch before. `sticks`: no torque is cut, as at most contacts at rest; where one
 * should be, `slips` says so, and the result does not count. */
SCREE_BODY void roll(uint32_t n, int one, int hertz, int rule, int begins, int sticks,
                     const law *SCREE_RESTRICT self, double rate,
                     const uint32_t *SCREE_RESTRICT material, SCREE_IN push, SCREE_IN stiff,
                     SCREE_IN damp, SCREE_IN then, SCREE_IN grow, SCREE_IN3(n), SCREE_IN3(w),
                     SCREE_IN3(u), SCREE_IN3(h), SCREE_OUT3(s), SCREE_OUT3(m), SCREE_OUT stored,
                     SCREE_OUT lost, SCREE_OUT slips)
{
    const cuts none = {1.0, 1.0, 1.0, 0.0};
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + (one ? 0 : material[c]);
        double k = p->k[0] * stiff[c], cr = p->root[0] * damp[c], fall = hertz ? grow[c] : 1.0;
        double hn = DOT(hx[c], hy[c], hz[c], nx[c], ny[c], nz[c]);
        double h2 = DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]);
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]);
        double wn = DOT(wx[c], wy[c], wz[c], nx[c], ny[c], nz[c]);
        double by = fall * scree_max(scree_turn_spring(hn, h2), 0.0);
        double fx = ux[c] - un * nx[c], fy = uy[c] - un * ny[c], fz = uz[c] - un * nz[c];
        double px = by * (hx[c] - hn * nx[c]) + fx, py = by * (hy[c] - hn * ny[c]) + fy;
        double pz = by * (hz[c] - hn * nz[c]) + fz; // 1. and 2.
        double tx = wx[c] - wn * nx[c], ty = wy[c] - wn * ny[c], tz = wz[c] - wn * nz[c];
        double p2 = DOT(px, py, pz, px, py, pz), t2 = DOT(tx, ty, tz, tx, ty, tz);
        double pt = DOT(px, py, pz, tx, ty, tz), flat = DOT(fx, fy, fz, fx, fy, fz);
        double limit = p->mu[0] * push[c];
        cuts is = sticks ? none : cut(rule, k, cr, limit, p2, pt, t2); // 3.
        double keep = is.keep, lag = rule == SCREE_SLIDE_TOTAL ? is.lag : 0.0;
        double elastic = k * is.elastic, viscous = cr * is.viscous, left = 1.0 - keep;
        double kept = k * (keep * keep * p2 + lag * (2.0 * keep * pt + lag * t2));
        double old = fall * fall * h2; // p2 = old + 2 turned h·u + flat
        double work = sticks ? 0.0 : 0.5 * k * left * ((1.0 + 2.0 * keep) * p2 + old - flat);
        if (rule == SCREE_SLIDE_TOTAL && !sticks)
            work += k * lag * (DOT(tx, ty, tz, ux[c], uy[c], uz[c]) - 2.0 * keep * pt - lag * t2);
        if (hertz)
            work += p->k[0] * then[c] * h2 - k * old +
                    0.5 * (p->k[0] * then[c] / (fall > 0.0 ? fall : 1.0) - k) * (p2 - old - flat);
        double heat = sticks ? cr * t2 : (elastic - k * keep) * pt + (viscous - k * lag) * t2;
        if (rule == SCREE_SLIDE_TOTAL && !sticks) { // half of it is that of the committed state
            double spare = limit * sqrt(t2) - k * (pt - DOT(fx, fy, fz, tx, ty, tz));
            heat = keep < 1.0 ? 0.5 * (heat + scree_max(spare, 0.0)) : heat;
        }
        sx[c] = keep * px + lag * tx;
        sy[c] = keep * py + lag * ty;
        sz[c] = keep * pz + lag * tz;
        mx[c] = -elastic * px - viscous * tx;
        my[c] = -elastic * py - viscous * ty;
        mz[c] = -elastic * pz - viscous * tz;
        stored[c] = 0.5 * kept;
        lost[c] = (begins ? 0.75 : 1.0) * heat + rate * work;
        if (sticks)
            slips[c] = is_cut(k, cr, limit, p2, pt, t2);
    }
}

/** The twisting spring s, added to the results of roll(). */
static inline void twist(uint32_t n, int one, int hertz, int rule, int begins,
                         const law *SCREE_RESTRICT self, double rate,
                         const uint32_t *SCREE_RESTRICT material, SCREE_IN push, SCREE_IN stiff,
                         SCREE_IN damp, SCREE_IN then, SCREE_IN grow, SCREE_IN3(n), SCREE_IN3(w),
                         SCREE_IN3(u), SCREE_IN h, SCREE_OUT s, SCREE_OUT3(m), SCREE_OUT stored,
                         SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + (one ? 0 : material[c]);
        double k = p->k[1] * stiff[c], was = hertz ? p->k[1] * then[c] : k,
               ct = p->root[1] * damp[c];
        double u = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]),
               q = (hertz ? grow[c] : 1.0) * h[c] + u;
        double w = DOT(wx[c], wy[c], wz[c], nx[c], ny[c], nz[c]);
        cuts is = cut(rule, k, ct, p->mu[1] * push[c], q * q, q * w, w * w);
        double torque = k * is.elastic * q + ct * is.viscous * w;
        s[c] = is.keep * q + is.lag * w;
        mx[c] -= torque * nx[c];
        my[c] -= torque * ny[c];
        mz[c] -= torque * nz[c];
        stored[c] += 0.5 * k * s[c] * s[c];
        lost[c] += (begins ? 0.75 : 1.0) * (torque - k * s[c]) * w +
                   rate * (was * h[c] * (u + h[c]) + k * s[c] * (u - s[c]));
    }
}

#define FROM(p) (p)[0] + c, (p)[1] + c, (p)[2] + c
/** Computes contacts c to c + n of b by a rule. Each rule has its own function, called through a
 * table, because gcc 12 vectorises so long a loop only if it is not inlined next to another one. */
#define ROLLS(name, one, hertz, rule, begins, sticks)                                              \
    static void roll_##name(const law *self, const scree_contact_batch *b, const scales *at,       \
                            uint32_t c, uint32_t n)                                                \
    {                                                                                              \
        roll(n, one, hertz, rule, begins, sticks, self, b->since > 0.0 ? 0.5 / b->since : 0.0,     \
             b->materials + c, at->push + c, at->stiff + c, at->damp + c, at->then + c,            \
             at->grow + c, FROM(b->normal), FROM(b->spin), FROM(b->roll), FROM(b->in),             \
             FROM(b->out), FROM(b->couple), b->stored + c, b->lost + c, at->slips + c);            \
    }
#define KERNELS(name, one, hertz, rule, begins)                                                    \
    ROLLS(name, one, hertz, rule, begins, 0)                                                       \
    static void twist_##name(const law *self, const scree_contact_batch *b, const scales *at,      \
                             uint32_t c, uint32_t n)                                               \
    {                                                                                              \
        twist(n, one, hertz, rule, begins, self, b->since > 0.0 ? 0.5 / b->since : 0.0,            \
              b->materials + c, at->push + c, at->stiff + c, at->damp + c, at->then + c,           \
              at->grow + c, FROM(b->normal), FROM(b->spin), FROM(b->roll), b->in[3] + c,           \
              b->out[3] + c, FROM(b->couple), b->stored + c, b->lost + c);                         \
    }
#define RULE(name, rule)                                                                           \
    KERNELS(name##_one, 1, 0, rule, 0)                                                             \
    KERNELS(name##_many, 0, 0, rule, 0)                                                            \
    KERNELS(name##_hertz, 0, 1, rule, 0)                                                           \
    KERNELS(name##_begins, 0, 0, rule, 1)                                                          \
    ROLLS(name##_one_sticks, 1, 0, rule, 0, 1)                                                     \
    ROLLS(name##_many_sticks, 0, 0, rule, 0, 1)                                                    \
    ROLLS(name##_hertz_sticks, 0, 1, rule, 0, 1)
RULE(total, SCREE_SLIDE_TOTAL)
RULE(each, SCREE_SLIDE_EACH)
RULE(spring, SCREE_SLIDE_SPRING)

enum { ONE, MANY, HERTZ, BEGINS, KINDS };
typedef void kernel(const law *, const scree_contact_batch *, const scales *, uint32_t, uint32_t);
#define TABLE(name)                                                                                \
    {                                                                                              \
        {name##_total_one, name##_total_many, name##_total_hertz, name##_total_begins},            \
            {name##_each_one, name##_each_many, name##_each_hertz, name##_each_begins},            \
        {                                                                                          \
            name##_spring_one, name##_spring_many, name##_spring_hertz, name##_spring_begins       \
        }                                                                                          \
    }
static kernel *const rolls[][KINDS] = TABLE(roll), *const twists[][KINDS] = TABLE(twist);
#define STICKS(rule)                                                                               \
    {                                                                                              \
        roll_##rule##_one_sticks, roll_##rule##_many_sticks, roll_##rule##_hertz_sticks            \
    }
static kernel *const sticks[][BEGINS] = {STICKS(total), STICKS(each), STICKS(spring)};

/** Computes the rolling of all contacts as if none slipped, then that of those that do, with those
 * between them where these are few: their bits are the same either way, and a call costs as much as
 * several contacts. */
static void roll_all(const law *self, const scree_contact_batch *b, const scales *at, int how)
{
    enum { FEW = 12 };
    const uint32_t n = b->n;
    sticks[self->sliding][how](self, b, at, 0, n);
    for (uint32_t c = 0, last = 0; c < n; c = last + 1) {
        last = c;
        if (!(at->slips[c] > 0.0))
            continue;
        for (uint32_t k = c + 1; k < n && k - last <= FEW; k++)
            last = at->slips[k] > 0.0 ? k : last;
        rolls[self->sliding][how](self, b, at, c, last - c + 1);
    }
}

static void twist_some(const law *self, const scree_contact_batch *b, const scales *at, int how,
                       uint32_t c, uint32_t n)
{
    if (self->twists)
        twists[self->sliding][how](self, b, at, c, n);
    else
        memset(b->out[3] + c, 0, n * sizeof *b->out[3]);
}

#define MEASURE(hertz)                                                                             \
    measure(b->n, hertz, self, b->materials, b->a, b->b, b->bodies->inv_mass, b->normal_force,     \
            b->depth, b->curvature[0], b->curvature[1], b->in[4], b->out[4], at.push, at.stiff,    \
            at.damp, at.then, at.grow)
#define DRAG(how)                                                                                  \
    drag(b->n, how, self, b->materials, b->normal_force, b->depth, b->curvature[0],                \
         b->curvature[1], SCREE_XYZ(b->normal), SCREE_XYZ(b->spin), SCREE_XYZ(b->couple),          \
         b->stored, b->lost)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    uint64_t n = b->n;
    for (int k = 0; k < 3; k++)
        memset(b->f[k], 0, n * sizeof *b->f[k]);
    if (self->type != SPRING)
        for (int k = 0; k < FIELD; k++)
            memset(b->out[k], 0, n * sizeof *b->out[k]);
    if (self->type == CONSTANT)
        DRAG(CONSTANT);
    else if (self->type == VISCOUS)
        DRAG(VISCOUS);
    if (self->type != SPRING)
        return SCREE_OK;
    double *room = self->host->scratch(self->host->ctx, b->lane, 6 * n * sizeof *room);
    if (!room && n)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a batch");
    scales at = {room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, room + 5 * n};
    if (self->hertz)
        MEASURE(1);
    else
        MEASURE(0);
    int kind = self->hertz ? HERTZ : self->host->n_materials == 1 ? ONE : MANY;
    roll_all(self, b, &at, kind);
    twist_some(self, b, &at, kind, 0, b->n);
    const uint8_t *fresh = b->fresh, *end = fresh + n; // these begin again, for their heat
    for (; (fresh = memchr(fresh, 1, (size_t)(end - fresh))) != NULL; fresh++) {
        const uint32_t c = (uint32_t)(fresh - b->fresh);
        rolls[self->sliding][BEGINS](self, b, &at, c, 1);
        twist_some(self, b, &at, BEGINS, c, 1);
    }
    return SCREE_OK;
}

/** Elastic constants of a pair of materials: kn and kt [N/m], or their values over the contact
 * radius [Pa]. Returns 0 when neither is given. */
static int elastic(const config *c, uint32_t n, uint32_t i, uint32_t k, double *kn, double *kt,
                   double *flat)
{
    uint64_t at = (uint64_t)i * n + k;
    double soft = 0.0, shear = 0.0;
    *kn = c->kn.v[at];
    *kt = c->kt.v[at];
    *flat = 1.0;
    *kt = isnan(*kt) ? 2.0 / 7.0 * *kn : *kt;
    if (!isnan(c->stiffness == TANGENTIAL ? *kt : *kn))
        return 1;
    for (int side = 0; side < 2; side++) {
        double e = c->young_modulus.v[side ? k : i], nu = c->poisson_ratio.v[side ? k : i];
        soft += (1.0 - nu * nu) / e;
        shear += 2.0 * (2.0 - nu) * (1.0 + nu) / e;
    }
    *kn = 2.0 / soft;
    *kt = 8.0 / shear;
    *flat = 0.0;
    return !isnan(soft);
}

/** Coefficients of a pair of materials; a message when one is missing, else NULL.
 */
static const char *set_pair(const config *c, uint32_t n, uint32_t i, uint32_t k, pair *p)
{
    uint64_t at = (uint64_t)i * n + k;
    const scree_reals *mu[] = {&c->rolling_friction, &c->twisting_friction};
    const scree_reals *eta[] = {&c->rolling_viscosity, &c->twisting_viscosity};
    const scree_reals *given[] = {&c->rolling_stiffness, &c->twisting_stiffness};
    double kn = 0.0, kt = 0.0, factor = c->stiffness_factor;
    p->flat = 1.0;
    p->modulus = 0.0;
    if (isnan(factor))
        factor = c->stiffness == NORMAL ? 2.25 : 1.0;
    if (c->type == SPRING && c->stiffness != GIVEN && !elastic(c, n, i, k, &kn, &kt, &p->flat))
        return "its spring needs kn (and kt) of the law that pushes, or young_modulus and "
               "poisson_ratio of both: expected one of them in materials or material_pairs";
    if (p->flat < 1.0)
        p->modulus = kn;
    for (int t = 0; t < 2; t++) {
        double m = c->type == VISCOUS ? eta[t]->v[at] : mu[t]->v[at];
        double k_ = c->stiffness == NORMAL       ? kn * m * m
                    : c->stiffness == TANGENTIAL ? kt
                                                 : given[t]->v[at];
        if (isnan(m))
            return c->type == VISCOUS ? "expected rolling_viscosity [s/m], 0 or more"
                                      : "expected rolling_friction [-], 0 or more";
        if (c->type == SPRING && c->stiffness == GIVEN && isnan(k_) && (m > 0.0 || t == 0))
            return t ? "stiffness = \"given\" needs twisting_stiffness [N/m], 0 or more"
                     : "stiffness = \"given\" needs rolling_stiffness [N/m], 0 or more";
        p->mu[t] = m;
        p->k[t] = isnan(k_) ? 0.0 : factor * k_;
        p->root[t] = sqrt(p->k[t] * (t ? 2.0 / 7.0 : 1.0)); // twisting: 0.4 m r^2 of 1.4 m r^2
    }
    return NULL;
}

/** Warns when stiffnesses are given that no spring uses. */
static void warn_of_unused(const scree_host *host, const config *c)
{
    const scree_reals *given[] = {&c->rolling_stiffness, &c->twisting_stiffness};
    if (c->type == SPRING && c->stiffness == GIVEN)
        return;
    for (int t = 0; t < 2; t++)
        for (uint64_t k = 0; k < given[t]->n; k++)
            if (!isnan(given[t]->v[k])) {
                scree_logf(host, SCREE_LOG_WARNING, "%s has no effect without %s",
                           t ? "twisting_stiffness" : "rolling_stiffness",
                           c->type == SPRING ? "stiffness = \"given\"" : "type = \"spring\"");
                break;
            }
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint32_t n = host->n_materials;
    law *self = malloc(sizeof *self + (uint64_t)n * n * sizeof self->pairs[0]);
    if (!(*instance = self))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the law");
    *self =
        (law){.host = host, .share = c->radius == REDUCED, .type = c->type, .sliding = c->sliding};
    self->damp = 2.0 * c->rolling_damping * sqrt(host->dimension == 2 ? 1.5 : 1.4);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            pair *p = &self->pairs[(uint64_t)i * n + k];
            const char *wrong = set_pair(c, n, i, k, p);
            if (wrong) {
                free(self);
                return scree_failf(host, SCREE_E_CONFIG,
                                   "materials number %u and %u of the scene: %s", i + 1, k + 1,
                                   wrong);
            }
            self->twists |= p->mu[1] > 0.0;
            self->hertz |= p->flat < 1.0;
        }
    warn_of_unused(host, c);
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double cb = q->radius_b > 0.0 ? 1.0 / q->radius_b : 0.0, ca = 1.0 / q->radius_a;
    double r = lever(self->share, ca, cb), a = 1.0;
    double j = (ca * ca * ca * ca * ca + cb * cb * cb * cb * cb) / (ca * ca * ca + cb * cb * cb) /
               q->mass; // 1.4 / J of two balls of one density
    if (self->type != SPRING)
        return SCREE_OK;
    if (p->flat < 1.0) { // Hertz: a follows from the depth, or from the tangent 2 E* a
        double depth = scree_max(q->depth, 0.0);
        a = q->depth != 0.0 ? sqrt(depth / (ca + cb)) : q->kn / p->modulus;
    }
    out->kr = p->k[0] * r * r * a;
    out->ktwist = p->k[1] * r * r * a;
    out->cr = p->root[0] * self->damp * sqrt(r * r * a / j);
    out->ctwist = p->root[1] * self->damp * sqrt(r * r * a / j);
    return SCREE_OK;
}

/** Types without a spring have no history, and leave their ends of contact to the host. */
static int32_t narrow(void *instance, scree_demands *demands)
{
    const law *self = instance;
    if (self->type != SPRING) {
        demands->needs &= ~(uint64_t)SCREE_IN_ROLL;
        demands->provides &= ~(uint64_t)SCREE_OUT_PARTED;
    }
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(rolling_friction, "-", SCREE_PARAM_OPTIONAL, 0, HUGE_VAL, MEAN,
    "mu: the torque is at most mu R* |Fn|; an incline holds below tan(slope) = mu");
PAIR(twisting_friction, "-", 0, 0, HUGE_VAL, MEAN, "the same for rotation about the normal");
PAIR(rolling_viscosity, "s/m", SCREE_PARAM_OPTIONAL, 0, HUGE_VAL, MEAN, "the torque is this R*^2 |Fn| w (\"viscous\")");
PAIR(twisting_viscosity, "s/m", 0, 0, HUGE_VAL, MEAN, "the same for rotation about the normal");
PAIR(rolling_stiffness, "N/m", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "stiffness over R*^2 (\"given\"); k_roll of LAMMPS");
PAIR(twisting_stiffness, "N/m", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "the same for rotation about the normal");
PAIR(kn, "N/m", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "normal stiffness of the law that pushes");
PAIR(kt, "N/m", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "its tangential one; 2/7 kn if not given");
SCREE_MATERIAL_PARAM(config, young_modulus, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 0,
    1e30, "Young's modulus, without kn: stiffness of Hertz and Mindlin");
SCREE_MATERIAL_PARAM(config, poisson_ratio, "-", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, -1,
    0.5, "Poisson's ratio, without kn");
SCREE_REAL_PARAM(config, rolling_damping, "-", SCREE_PARAM_LIVE, 0.3, 0, HUGE_VAL, "damping ratio (\"spring\")");
SCREE_REAL_PARAM(config, stiffness_factor, "-", SCREE_PARAM_OPTIONAL | SCREE_PARAM_LIVE, 0, 0, HUGE_VAL,
    "factor of the springs' stiffness; 2.25 (\"normal\") or 1 if not given");
SCREE_CHOICE_VALUE(constant, CONSTANT, "the limit, against the spin: Ai et al. A, LIGGGHTS cdt");
SCREE_CHOICE_VALUE(viscous, VISCOUS, "by the spin: Ai et al. B; holds no pile");
static const scree_choice type_spring = {sizeof type_spring, SPRING, "spring", // as one of `sliding` is
    "spring and dashpot up to the limit: Ai et al. C, LIGGGHTS epsd, LAMMPS sds"};
SCREE_CHOICE_PARAM(config, type, SCREE_PARAM_LIVE, "spring", "what resists", &choice_constant,
    &choice_viscous, &type_spring);
SCREE_CHOICE_VALUE(normal, NORMAL, "2.25 kn mu^2 R*^2: Ai et al., LIGGGHTS epsd");
SCREE_CHOICE_VALUE(tangential, TANGENTIAL, "kt R*^2: Iwashita and Oda, LIGGGHTS epsd2");
SCREE_CHOICE_VALUE(given, GIVEN, "rolling_stiffness R*^2: LAMMPS sds");
SCREE_CHOICE_PARAM(config, stiffness, SCREE_PARAM_LIVE, "normal", "stiffness of the spring [N m/rad]",
    &choice_normal, &choice_tangential, &choice_given);
SCREE_CHOICE_VALUE(reduced, REDUCED, "r_a r_b / (r_a + r_b), on a wall r_a: Ai et al., LIGGGHTS, LAMMPS");
SCREE_CHOICE_VALUE(smaller, SMALLER, "the smaller one, the same on a wall: YADE");
SCREE_CHOICE_PARAM(config, radius, SCREE_PARAM_LIVE, "reduced", "R*, on which the couple acts",
    &choice_reduced, &choice_smaller);
SCREE_SLIDING_PARAM(config, sliding);
static const scree_param *const params[] = {&param_type, &param_rolling_friction,
    &param_twisting_friction, &param_rolling_viscosity, &param_twisting_viscosity, &param_radius,
    &param_stiffness, &param_kn, &param_kt, &param_young_modulus, &param_poisson_ratio,
    &param_rolling_stiffness, &param_twisting_stiffness, &param_stiffness_factor,
    &param_rolling_damping, &param_sliding};
SCREE_FIELD(rolling_spring, CONTACT, 5, 1, "rad", 0,
    "angle of a against b in the plane (3), about the normal, contact radius that goes with it [m]");
static const scree_field *const fields[] = {&field_rolling_spring};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin rolling = {.size = sizeof rolling, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "rolling", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "rolling and twisting friction, for a law that pushes",
    .summary = "A couple that resists rolling, after the law whose normal force it takes. Piles get a "
               "slope. It acts on R* = r_a r_b / (r_a + r_b): half the radius between equal balls.",
    .citation = "Ai, Chen, Rotter, Ooi 2011, Powder Technol. 206, 269, doi:10.1016/j.powtec.2010.09.030",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_SPIN | SCREE_IN_ROLL | SCREE_IN_MATERIALS | SCREE_IN_CURVATURE |
             SCREE_IN_NORMAL_FORCE | SCREE_IN_OVERLAP | SCREE_IN_DISTANCE,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&rolling);
