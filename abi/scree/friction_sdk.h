/* SPDX-License-Identifier: MIT */
/* A tangential spring and dashpot, cut at Coulomb's limit, for force laws. Inline helpers, never
 * part of the ABI. force/linear shows how a law calls them.
 *
 * A law writes its loop over contacts once, as an inline function with a `way` and a `rule` as its
 * first parameters. SCREE_DEFINE_KERNELS() makes kernels from this function, each with a constant
 * way and rule, and scree_run_kernels() calls them. The ways are:
 *
 *     SCREE_STICKS   as if each contact stuck; marks those that do not
 *     SCREE_SLIDES   sticking or sliding, by selects
 *     SCREE_ENDS     each case, one contact at a time: also one that begins, has parted, or has a
 *                    dashpot that is cut
 *
 * All three give the same bits for a contact that they serve, so a result does not depend on the
 * way of its neighbours.
 */
#ifndef SCREE_FRICTION_SDK_H
#define SCREE_FRICTION_SDK_H

#include "force_sdk.h"

enum { SCREE_STICKS, SCREE_SLIDES, SCREE_ENDS };

/** The rule of a law without a tangential spring, next to the SCREE_SLIDE_* of sdk.h. */
#define SCREE_SLIDE_DASHPOT 3

/** Rows of `room`, the scratch memory of a batch: each has b->n doubles. A law's own rows follow.
 * MARK: above 0, the contact does not stick; above 1, only SCREE_ENDS can compute it. */
enum { SCREE_ROW_TURN, SCREE_ROW_ACROSS, SCREE_ROW_MARK, SCREE_ROWS };

/** A kernel computes the contacts `from` to `to` of a batch. */
typedef void (*scree_kernel)(const void *law, const scree_contact_batch *b, double *room,
                             uint32_t from, uint32_t to);

/** Defines NAME[rule][one][way], kernels of the function body(way, rule, one, law, b, room, from,
 * to). `rule` is a SCREE_SLIDE_*; `one` is 1 where the scene has one pair of materials: the law
 * then needs no look-up of its parameters. */
#define SCREE_DEFINE_KERNELS(name, body)                                                           \
    SCREE_KERNELS_(body, total, SCREE_SLIDE_TOTAL)                                                 \
    SCREE_KERNELS_(body, each, SCREE_SLIDE_EACH)                                                   \
    SCREE_KERNELS_(body, spring, SCREE_SLIDE_SPRING)                                               \
    SCREE_KERNELS_(body, dashpot, SCREE_SLIDE_DASHPOT)                                             \
    static const scree_kernel name[4][2][3] = {                                                    \
        SCREE_KERNELS_OF_(body, total), SCREE_KERNELS_OF_(body, each),                             \
        SCREE_KERNELS_OF_(body, spring), SCREE_KERNELS_OF_(body, dashpot)};
#define SCREE_KERNELS_(body, rule, value)                                                          \
    SCREE_KERNEL_(body##_##rule##_sticks, body, SCREE_STICKS, value, 0)                            \
    SCREE_KERNEL_(body##_##rule##_sticks_one, body, SCREE_STICKS, value, 1)                        \
    SCREE_KERNEL_(body##_##rule##_slides, body, SCREE_SLIDES, value, 0)                            \
    SCREE_KERNEL_(body##_##rule##_slides_one, body, SCREE_SLIDES, value, 1)                        \
    SCREE_KERNEL_(body##_##rule##_ends, body, SCREE_ENDS, value, 0)
#define SCREE_KERNELS_OF_(body, rule)                                                              \
    {                                                                                              \
        {body##_##rule##_sticks, body##_##rule##_slides, body##_##rule##_ends},                    \
        {                                                                                          \
            body##_##rule##_sticks_one, body##_##rule##_slides_one, body##_##rule##_ends           \
        }                                                                                          \
    }
#define SCREE_KERNEL_(name, body, way, rule, one)                                                  \
    SCREE_NOT_INLINED void name(const void *law_, const scree_contact_batch *b, double *room,      \
                                uint32_t from, uint32_t to)                                        \
    {                                                                                              \
        body(way, rule, one, law_, b, room, from, to);                                             \
    }

/** A contact as a kernel reads it. */
typedef struct scree_touch {
    scree_vec n;      /* [-] normal */
    scree_vec v;      /* [m/s] velocity of the contact point, a against b */
    scree_vec slip;   /* [m] displacement of the contact point since the committed state, a against
                         b */
    scree_vec spring; /* [m] committed tangential spring: the first three fields of the law */
    double depth;     /* [m] */
    double mass;      /* [kg] */
    double turn;      /* [-] see scree_turn_spring() */
    double across;    /* [m] see scree_turn_springs() */
    double since;     /* [s] */
    double rate;      /* [1/s] 1 / since, or 0 */
    double now, then; /* [-] shares of scree_dashpot_heat(), for SCREE_ENDS */
} scree_touch;

static inline scree_touch scree_touch_at(const scree_contact_batch *b, const double *room,
                                         double since, uint32_t c)
{
    int touches = b->depth[c] >= 0.0;
    int stays = (SCREE_HAS(b, parted) && b->parted) || (touches && !b->fresh[c]);
    scree_touch at;
    at.n = scree_vec_at(b->normal, c);
    at.v = scree_vec_at(b->v, c);
    at.slip = scree_vec_at(b->slip, c);
    at.spring = scree_vec_at(b->in, c);
    at.depth = b->depth[c];
    at.mass = b->mass[c];
    at.turn = room[SCREE_ROW_TURN * (uint64_t)b->n + c];
    at.across = room[SCREE_ROW_ACROSS * (uint64_t)b->n + c];
    at.since = since;
    at.rate = since > 0.0 ? 1.0 / since : 0.0;
    at.now = touches ? 0.75 : 0.0;
    at.then = stays ? 0.25 : 0.0;
    return at;
}

/** Velocity and springs in the plane of a contact. */
typedef struct scree_shear {
    scree_vec v;    /* [m/s] velocity */
    scree_vec kept; /* [m] committed spring, turned into the plane */
    scree_vec q;    /* [m] spring in the plane after the slip */
} scree_shear;

/** vn: velocity of approach, v·n. */
static inline scree_shear scree_shear_of(const scree_touch *at, double vn)
{
    double by = scree_max(at->turn, 0.0);
    double un = scree_dot(at->slip, at->n);
    scree_vec turned = scree_scaled(by, at->spring);
    scree_shear s;
    s.v = scree_less(at->v, vn, at->n);
    s.kept = scree_less(turned, at->across, at->n);
    s.q = scree_less(scree_sum(turned, at->slip), un + at->across, at->n);
    return s;
}

/** Square [N^2] of the force that a rule of sliding limits: kt q of the spring q [m], or g [N], the
 * sum of the forces of spring and dashpot. */
static inline double scree_limited(int rule, double kt, scree_vec q, scree_vec g)
{
    double k2 = kt * kt;
    if (rule == SCREE_SLIDE_SPRING)
        return k2 * q.x * q.x + k2 * q.y * q.y + k2 * q.z * q.z;
    return scree_dot(g, g);
}

/** A spring and a dashpot after the cut at Coulomb's limit. */
typedef struct scree_cut {
    scree_vec s, g; /* [m] [N] the spring, and the force */
    double heat;    /* [W] heat of the dashpot, if the contact slides */
    double drag;    /* [W] heat of the dashpot, if the contact sticks */
    double spring;  /* [m^2] twice the heat of the spring over kt */
    int slides;
} scree_cut;

/** Does the work of scree_slide() in a kernel: cuts the spring shear->q and the force g = -kt q -
 * d, where d = ct v comes from the dashpot. `rule` is a constant of the call; inv_kt is 1 / kt, 0
 * without a spring. The code has only one condition: from several conditions gcc makes several
 * paths, and a blend for each. */
static inline scree_cut scree_cut_of(int rule, double limit, double kt, double inv_kt, double ct,
                                     const scree_shear *shear, scree_vec d, double t2, scree_vec g,
                                     const scree_touch *at)
{
    scree_vec q = shear->q;
    scree_vec s = q;
    scree_vec f = g;
    scree_cut cut;
    double most = limit * limit;
    double x2 = scree_limited(rule, kt, q, g);
    int slides = x2 > most;
    double root = sqrt(slides ? x2 : 1.0);
    double over = slides ? root : at->mass;
    double share = (slides ? limit : 0.875 * kt * at->since * at->since) / over;
    double held = share;
    cut.heat = 0.0;
    cut.slides = slides;
    cut.drag = ct * (1.0 - share) * t2; /* see scree_lag() */
    if (rule == SCREE_SLIDE_EACH) {
        double s2 = scree_limited(SCREE_SLIDE_SPRING, kt, q, g);
        held = limit / sqrt(scree_max(s2, most) + 1e-300);
    }
    if (rule == SCREE_SLIDE_SPRING) {
        f = scree_pick(slides, scree_scaled(-kt * share, q), g);
    } else {
        share = slides ? share : 1.0;
        f = scree_scaled(share, g);
    }
    if (rule == SCREE_SLIDE_TOTAL || rule == SCREE_SLIDE_DASHPOT) {
        s = scree_pick(slides, scree_scaled(-inv_kt, scree_sum(f, d)), q);
        cut.heat = ct * t2;
    } else {
        held = slides ? held : 1.0;
        s = scree_scaled(held, q);
    }
    if (rule == SCREE_SLIDE_EACH)
        cut.heat = -scree_dot(scree_less(f, -kt, s), shear->v);
    cut.s = s;
    cut.g = f;
    cut.spring = scree_dot(scree_less(q, 1.0, s), scree_sum(shear->kept, s));
    return cut;
}

/** [W] Heat of the tangential dashpot of a contact that slides at `speed` [m/s]. At the committed
 * state its limit was `most` [N], and the power of its spring `pull` [W]. */
static inline double scree_slide_heat(int rule, scree_cut cut, double ct, double limit, double most,
                                      double speed, double pull)
{
    double then = most * speed;
    double left = scree_max(then - pull, 0.0);
    double stuck = 0.25 * ct * speed * speed;
    if (rule == SCREE_SLIDE_SPRING)
        return 0.0;
    if (rule == SCREE_SLIDE_DASHPOT)
        return 0.5 * limit * speed + (ct * speed > most ? 0.5 * then : stuck);
    return 0.75 * cut.heat + 0.25 * scree_min(cut.heat, left);
}

/** [W] Heat of the tangential dashpot of a contact that SCREE_ENDS computes, sliding or not, by the
 * shares of scree_dashpot_heat(). Arguments are as in scree_slide_heat(). */
static inline double scree_end_heat(scree_cut cut, double kt, double ct, double limit, double most,
                                    double speed, double pull, const scree_touch *at)
{
    double late = scree_min(cut.heat, scree_max(most * speed - pull, 0.0));
    double held = (at->now + at->then) * cut.drag;
    double free = scree_dashpot_heat(limit, ct, speed, at->now);
    free += scree_dashpot_heat(most, ct, speed, at->then);
    if (cut.slides)
        held = at->now * cut.heat + at->then * late;
    return kt > 0.0 ? held : free;
}

/** [m^2] Twice the heat of a spring over its stiffness. The heat is the work on the spring minus
 * the growth of its energy. The committed spring was h, the slip u in the plane made it q, and the
 * cut made it s. */
static inline double scree_spring_loss(scree_vec h, scree_vec q, scree_vec u, scree_vec s)
{
    double work = scree_dot(scree_sum(scree_less(q, 1.0, u), s), u);
    return work + scree_dot(h, h) - scree_dot(s, s);
}

/** A contact that slides with a dashpot and without a spring needs SCREE_ENDS for its heat, unless
 * the rule is SCREE_SLIDE_DASHPOT. */
static inline double scree_slid_mark(int rule, double kt)
{
    return rule == SCREE_SLIDE_DASHPOT || kt > 0.0 ? SCREE_SLIDES : SCREE_ENDS;
}

/** The tangential part of a law whose stiffness does not change in a step. */
typedef struct scree_friction {
    double kt, inv_kt; /* [N/m] [m/N] stiffness of the spring, and 1 / kt; 0, 0: no spring */
    double ct;         /* [N s/m] damping coefficient of the dashpot */
    double limit;      /* [N] Coulomb's limit */
    double limit_then; /* [N] >= 0, Coulomb's limit at the committed state and the current
                          velocity */
    double slid;       /* mark of a contact that slides, see scree_slid_mark() */
    double raised;     /* [N] if above 0, the amount by which the law has raised its normal force */
    double push;       /* [W] heat of the normal dashpot */
} scree_friction;

/** The tangential force of a contact, its new spring and its heat. */
typedef struct scree_grip {
    scree_vec force;  /* [N] in the plane */
    scree_vec spring; /* [m] */
    double touches;   /* [-] 1, or 0 in SCREE_ENDS: the contact has parted */
    double lost;      /* [W] heat of both dashpots and the spring */
    double mark;      /* see SCREE_ROW_MARK */
} scree_grip;

/** vn: velocity of approach, v·n.
 *
 * 1. The committed spring is turned into the new contact plane, its length kept.
 * 2. It grows by the tangential slip since then.
 * 3. Beyond the limit the rule cuts it, see scree_slide().
 */
SCREE_BODY scree_grip scree_grip_of(int way, int rule, const scree_touch *at, double vn,
                                    const scree_friction *k)
{
    const double kt = k->kt, ct = k->ct;
    scree_shear shear = scree_shear_of(at, vn); /* 1., 2. */
    scree_vec d = scree_scaled(ct, shear.v);
    scree_vec g = scree_less(scree_scaled(-kt, shear.q), 1.0, d);
    double t2 = scree_dot(shear.v, shear.v);
    double end = scree_max(-scree_min(at->depth, at->turn), k->raised);
    scree_grip grip;
    grip.touches = 1.0;
    if (way == SCREE_STICKS) {
        grip.force = g;
        grip.spring = shear.q;
        grip.lost = k->push + ct * scree_lag(kt, at->mass, at->since) * t2;
        grip.mark = scree_max(scree_dot(g, g) - k->limit * k->limit, end);
        return grip;
    }
    double limit = fabs(k->limit);
    double speed = sqrt(t2);
    double pull = kt * scree_dot(at->spring, shear.v);
    scree_cut cut = scree_cut_of(rule, limit, kt, k->inv_kt, ct, &shear, d, t2, g, at); /* 3. */
    double slid = scree_slide_heat(rule, cut, ct, limit, k->limit_then, speed, pull);
    double drag = cut.slides ? slid : cut.drag;
    grip.force = cut.g;
    grip.spring = cut.s;
    grip.lost = k->push + drag + 0.5 * kt * at->rate * cut.spring;
    grip.mark =
        scree_max(end > 0.0 ? SCREE_ENDS : SCREE_STICKS, k->slid * (cut.slides ? 1.0 : 0.0));
    if (way == SCREE_ENDS) {
        scree_vec u = scree_less(at->slip, scree_dot(at->slip, at->n), at->n);
        grip.touches = at->now > 0.0 ? 1.0 : 0.0;
        grip.spring = scree_scaled(grip.touches, cut.s);
        double loss = scree_spring_loss(at->spring, shear.q, u, grip.spring);
        drag = scree_end_heat(cut, kt, ct, limit, k->limit_then, speed, pull, at);
        grip.lost = k->push + drag + 0.5 * kt * at->rate * loss;
        SCREE_NOT_VECTORISED;
    }
    return grip;
}

/** [W] In SCREE_ENDS: heat of a normal dashpot cn next to a spring kn with the force `elastic`. The
 * sum of both forces must not fall below `least` [N]. */
static inline double scree_end_push(const scree_touch *at, double vn, double kn, double cn,
                                    double elastic, double least)
{
    double left = vn < 0.0 ? elastic - least : HUGE_VAL;
    double left_then = left - kn * at->since * vn;
    return scree_dashpot_heat(left, cn, fabs(vn), at->now) +
           scree_dashpot_heat(left_then, cn, fabs(vn), at->then);
}

/** Fills the rows SCREE_ROW_TURN and SCREE_ROW_ACROSS for scree_touch_at(). */
static inline void scree_turn_rows(const scree_contact_batch *b, double *room)
{
    uint64_t n = b->n;
    scree_turn_springs(b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->in), room + SCREE_ROW_TURN * n,
                       room + SCREE_ROW_ACROSS * n);
}

/** Marks the contacts that begin. */
static inline void scree_mark_fresh(const scree_contact_batch *b, uint32_t from, uint32_t to,
                                    double *mark)
{
    const uint8_t *at = b->fresh + from, *end = b->since > 0.0 ? b->fresh + to : at;
    for (; (at = (const uint8_t *)memchr(at, 1, (size_t)(end - at))) != NULL; at++)
        mark[at - b->fresh] = SCREE_ENDS;
}

/** Computes again the marked contacts in [from, to), at most 32, each in its own way; the caller
 * has tried `way` for all. Returns how many are marked. SCREE_SLIDES computes four contacts at a
 * time or, where more than a quarter are marked, all from the first marked contact on. */
static inline uint32_t scree_run_marked(const scree_kernel kernels[3], const void *law,
                                        const scree_contact_batch *b, double *room, int way,
                                        int fresh, uint32_t from, uint32_t to)
{
    double *mark = room + SCREE_ROW_MARK * (uint64_t)b->n;
    uint32_t n = scree_count_marks(mark, 0.0, from, to), c = n > 0 ? from : to, next;
    if (n == 0 && !fresh)
        return 0;
    if (way == SCREE_STICKS)
        for (; (c = scree_next_mark(mark, 0.0, c, to)) < to; c = next) {
            next = to - c > 4 && 4 * n <= to - from ? c + 4 : to;
            kernels[SCREE_SLIDES](law, b, room, c, next);
        }
    if (fresh)
        scree_mark_fresh(b, from, to, mark);
    c = scree_count_marks(mark, 1.0, from, to) > 0 ? from : to;
    for (; (c = scree_next_mark(mark, 1.0, c, to)) < to; c++)
        kernels[SCREE_ENDS](law, b, room, c, c + 1);
    return n;
}

/** Computes the contacts of b by the kernels of the three ways. The way that suits the first 32
 * contacts is tried first for the others. `slides`: always try SCREE_SLIDES first. */
static inline void scree_run_kernels(const scree_kernel kernels[3], const void *law,
                                     const scree_contact_batch *b, double *room, int slides)
{
    int way = slides ? SCREE_SLIDES : SCREE_STICKS;
    int fresh = b->since > 0.0 && memchr(b->fresh, 1, b->n) != NULL;
    if (SCREE_HAS(b, parted) && b->parted) {
        kernels[SCREE_ENDS](law, b, room, 0, b->n);
        return;
    }
    for (uint32_t from = 0, to, end; from < b->n; from = to) {
        uint32_t many = 0;
        to = from == 0 && b->n > 48 ? 32 : b->n;
        kernels[way](law, b, room, from, to);
        for (uint32_t part = from; part < to; part = end) {
            end = to - part > 32 ? part + 32 : to;
            many += scree_run_marked(kernels, law, b, room, way, fresh, part, end);
        }
        way = slides || 16 * many > to - from ? SCREE_SLIDES : SCREE_STICKS;
    }
}

/** Does the work of a law's compute(): gets scratch memory for SCREE_ROWS and the law's own rows,
 * and calls run(). */
static inline int32_t scree_run_batch(const scree_host *host, const void *law,
                                      const scree_contact_batch *b, uint32_t own_rows,
                                      void (*run)(const void *law, const scree_contact_batch *b,
                                                  double *room))
{
    uint64_t rows = SCREE_ROWS + own_rows;
    double *room = (double *)host->scratch(host->ctx, b->lane, rows * b->n * sizeof *room);
    if (!room && b->n > 0)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a batch");
    run(law, b, room);
    return SCREE_OK;
}

#endif
