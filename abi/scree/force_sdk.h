/* SPDX-License-Identifier: MIT */
/* Inline helpers for authors of force laws. Convenience only, never part of the ABI. */
#ifndef SCREE_FORCE_SDK_H
#define SCREE_FORCE_SDK_H

#include "sdk.h"

/*
 * A law with Coulomb's limit computes a contact in one of three ways (force/linear shows them):
 *
 *     SCREE_STICKS   as if it stuck
 *     SCREE_SLIDES   by selects, sticking or sliding
 *     SCREE_ENDS     each case: also one that begins, has parted, or has a dashpot that is cut
 *
 * The body of the loop is written once, as an inline function with the way as its first parameter.
 * Functions that are not inlined call it with a constant, so that a way has no instruction of the
 * next one; all three give a contact of their own the same bits. gcc 12 vectorises only functions
 * that are not inlined: the parameters of an inlined one lose their `restrict`.
 * scree_run_ways() chooses the way.
 */
enum { SCREE_STICKS, SCREE_SLIDES, SCREE_ENDS };
#if defined(__GNUC__)
#define SCREE_NOT_INLINED static __attribute__((noinline, unused))
#define SCREE_NOT_VECTORISED __asm__ volatile("")
#define SCREE_BODY static inline __attribute__((always_inline))
#else
#define SCREE_NOT_INLINED static
#define SCREE_NOT_VECTORISED (void)0
#define SCREE_BODY static inline
#endif

/** Parameters of a kernel over contacts `from` to `to` of a batch of `count`: normal n, velocity v,
 * slip u, committed and new spring h and s (the first three of the fields), the law's scratch (as
 * many arrays of `count` as it likes), its weight of each contact, and the mark of each: above 0 it
 * does not stick, above 1 it is left to SCREE_ENDS. SCREE_NAMES are the arguments for such
 * parameters. */
#define SCREE_ARRAYS                                                                               \
    uint32_t from, uint32_t to, uint32_t count, uint32_t parted, double since,                     \
        const uint8_t *SCREE_RESTRICT fresh, const uint32_t *SCREE_RESTRICT material,              \
        SCREE_IN mass, SCREE_IN depth, SCREE_IN3(n), SCREE_IN3(v), SCREE_IN3(u), SCREE_IN3(h),     \
        SCREE_IN scratch, SCREE_IN weight, SCREE_OUT3(s), SCREE_OUT3(f), SCREE_OUT stored,         \
        SCREE_OUT lost, SCREE_OUT mark
#define SCREE_NAMES                                                                                \
    from, to, count, parted, since, fresh, material, mass, depth, nx, ny, nz, vx, vy, vz, ux, uy,  \
        uz, hx, hy, hz, scratch, weight, sx, sy, sz, fx, fy, fz, stored, lost, mark
typedef void (*scree_kernel)(const void *SCREE_RESTRICT law, SCREE_ARRAYS);

/** Defines NAME[rule][one][way], kernels of the function body(way, rule, one, law, arrays ...),
 * where `rule` is a SCREE_SLIDE_* and `one` is 1 where there is one pair of materials, so that its
 * parameters need no look-up. */
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
    SCREE_NOT_INLINED void name(const void *SCREE_RESTRICT law_, SCREE_ARRAYS)                     \
    {                                                                                              \
        body(way, rule, one, law_, SCREE_NAMES);                                                   \
    }

/** A vector in a kernel, by value: the compiler keeps its components in registers. */
typedef struct scree_vec {
    double x, y, z;
} scree_vec;

static inline scree_vec scree_vec_of(double x, double y, double z)
{
    scree_vec v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

/** Vector number c of three arrays that SCREE_IN3(v) declares; writes one to them. */
#define SCREE_AT(v, c) scree_vec_of(v##x[c], v##y[c], v##z[c])
#define SCREE_PUT(v, c, value) (v##x[c] = (value).x, v##y[c] = (value).y, v##z[c] = (value).z)

static inline double scree_dot(scree_vec a, scree_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** k a; a + b; a - k b */
static inline scree_vec scree_scaled(double k, scree_vec a)
{
    return scree_vec_of(k * a.x, k * a.y, k * a.z);
}
static inline scree_vec scree_sum(scree_vec a, scree_vec b)
{
    return scree_vec_of(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline scree_vec scree_less(scree_vec a, double k, scree_vec b)
{
    return scree_vec_of(a.x - k * b.x, a.y - k * b.y, a.z - k * b.z);
}

/** a where `first` is not 0, else b. */
static inline scree_vec scree_pick(int first, scree_vec a, scree_vec b)
{
    return scree_vec_of(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z);
}

/** turn: by what committed springs are drawn out to the new contact plane, see scree_turn_spring();
 * across = turn h·n. Apart from a kernel, which has no room to hide the latency of roots. */
SCREE_NOT_INLINED void scree_turn_springs(uint32_t n, SCREE_IN3(n), SCREE_IN3(h), SCREE_OUT turn,
                                          SCREE_OUT across)
{
    for (uint32_t c = 0; c < n; c++) {
        double hn = scree_dot(SCREE_AT(h, c), SCREE_AT(n, c));
        turn[c] = scree_turn_spring(hn, scree_dot(SCREE_AT(h, c), SCREE_AT(h, c)));
        across[c] = scree_max(turn[c], 0.0) * hn;
    }
}

/** Square [N^2] of what a rule of sliding limits: of a spring q [m], or of its force and the
 * dashpot's, g [N]. */
static inline double scree_limited(int rule, double kt, scree_vec q, scree_vec g)
{
    double k2 = kt * kt;
    return rule == SCREE_SLIDE_SPRING ? k2 * q.x * q.x + k2 * q.y * q.y + k2 * q.z * q.z
                                      : scree_dot(g, g);
}

/** A law's own rule where no pair of materials has a tangential spring. */
#define SCREE_SLIDE_DASHPOT 3

/** What Coulomb's limit leaves of a spring and a dashpot in the plane of a contact. */
typedef struct scree_cut {
    scree_vec s, g; /* [m] [N] the spring, and the force */
    double heat;    /* [W] of the dashpot, if it slides */
    double drag;    /* [W] and if it sticks */
    double spring;  /* [m^2] twice the heat of the spring over kt */
    int slides;
} scree_cut;

/** As scree_slide(), in a kernel: of the spring q [m], the dashpot's force -d [N], and g = -kt q -
 * d. `rule` is a constant of the call; inv_kt is 1 / kt, 0 without a spring; h [m]: the
 * committed spring as q has it. One
 * condition decides everything: of several gcc makes paths, and a blend for each. */
static inline scree_cut scree_cut_of(int rule, double limit, double kt, double inv_kt, double ct,
                                     scree_vec d, scree_vec t, double t2, scree_vec q, scree_vec h,
                                     scree_vec g, double m, double since)
{
    scree_cut cut;
    double most = limit * limit, x2 = scree_limited(rule, kt, q, g);
    int slides = x2 > most;
    double root = sqrt(slides ? x2 : 1.0), over = slides ? root : m;
    double share = (slides ? limit : 0.875 * kt * since * since) / over, held = share;
    scree_vec s = q, f = g;
    cut.heat = 0.0, cut.slides = slides, cut.drag = ct * (1.0 - share) * t2; // see scree_lag()
    if (rule == SCREE_SLIDE_EACH) {
        double s2 = scree_limited(SCREE_SLIDE_SPRING, kt, q, g);
        held = limit / sqrt(scree_max(s2, most) + 1e-300);
    }
    if (rule == SCREE_SLIDE_SPRING) {
        f = scree_pick(slides, scree_scaled(-kt * share, q), g);
    } else {
        share = slides ? share : 1.0, f = scree_scaled(share, g);
    }
    if (rule == SCREE_SLIDE_TOTAL || rule == SCREE_SLIDE_DASHPOT) {
        s = scree_pick(slides, scree_scaled(-inv_kt, scree_sum(f, d)), q);
        cut.heat = ct * t2;
    } else {
        held = slides ? held : 1.0, s = scree_scaled(held, q);
    }
    if (rule == SCREE_SLIDE_EACH)
        cut.heat = -scree_dot(scree_less(f, -kt, s), t);
    cut.s = s, cut.g = f;
    cut.spring = scree_dot(scree_less(q, 1.0, s), scree_sum(h, s));
    return cut;
}

/** [W] Heat of the tangential dashpot of a contact that slides at `speed` and whose limit was
 * `most` [N] at the committed state, `pull` [W] the power of its spring then. */
static inline double scree_slide_heat(int rule, scree_cut cut, double ct, double limit, double most,
                                      double speed, double pull)
{
    double then = most * speed, left = scree_max(then - pull, 0.0);
    double stuck = 0.25 * ct * speed * speed;
    if (rule == SCREE_SLIDE_SPRING)
        return 0.0;
    if (rule == SCREE_SLIDE_DASHPOT)
        return 0.5 * limit * speed + (ct * speed > most ? 0.5 * then : stuck);
    return 0.75 * cut.heat + 0.25 * scree_min(cut.heat, left);
}

/** [W] The same of a contact that begins or has ended (or is not like one that stays in another
 * way), sliding or not, by the shares of scree_dashpot_heat(). */
static inline double scree_end_heat(scree_cut cut, double kt, double ct, double limit, double most,
                                    double speed, double pull, double now, double then)
{
    double late = scree_min(cut.heat, scree_max(most * speed - pull, 0.0));
    double held = cut.slides ? now * cut.heat + then * late : (now + then) * cut.drag;
    double free = scree_dashpot_heat(limit, ct, speed, now);
    free += scree_dashpot_heat(most, ct, speed, then);
    return kt > 0.0 ? held : free;
}

/** [m^2] Twice the heat of a spring, over its stiffness, that was h, was carried to q with the slip
 * u in the plane and is s: what its work and what it stores leave. */
static inline double scree_spring_loss(scree_vec h, scree_vec q, scree_vec u, scree_vec s)
{
    double work = scree_dot(scree_sum(scree_less(q, 1.0, u), s), u);
    return work + scree_dot(h, h) - scree_dot(s, s);
}

/** Calls a kernel over contacts `from` to `to` of b. */
static inline void scree_call_kernel(scree_kernel kernel, const void *law,
                                     const scree_contact_batch *b, const double *scratch,
                                     const double *weight, double *mark, uint32_t from, uint32_t to)
{
    kernel(law, from, to, b->n, SCREE_HAS(b, parted) ? b->parted : 0, b->since, b->fresh,
           b->materials, b->mass, b->depth, SCREE_XYZ(b->normal), SCREE_XYZ(b->v),
           SCREE_XYZ(b->slip), SCREE_XYZ(b->in), scratch, weight, SCREE_XYZ(b->out),
           SCREE_XYZ(b->f), b->stored, b->lost, mark);
}

/** Marks the contacts that begin. */
static inline void scree_mark_fresh(const scree_contact_batch *b, uint32_t from, uint32_t to,
                                    double *mark)
{
    const uint8_t *at = b->fresh + from, *end = b->since > 0.0 ? b->fresh + to : at;
    for (; (at = (const uint8_t *)memchr(at, 1, (size_t)(end - at))) != NULL; at++)
        mark[at - b->fresh] = SCREE_ENDS;
}

/** Number of contacts `from` to `to` whose mark is above `least`; of 32 by a loop that compilers
 * unroll. */
static inline uint32_t scree_count_marks(const double *mark, double least, uint32_t from,
                                         uint32_t to)
{
    const double *first = mark + from;
    uint64_t n = 0;
    if (to - from == 32) {
        for (int c = 0; c < 32; c++)
            n += first[c] > least;
        return (uint32_t)n;
    }
    for (uint32_t c = from; c < to; c++)
        n += mark[c] > least;
    return (uint32_t)n;
}

/** Contacts `from` to `to`, 32 at most, after their way was tried first: those that are marked are
 * computed in theirs. Returns how many are. Four at a time slide, or, where more than a quarter do,
 * all from the first on. */
static inline uint32_t scree_run_marked(const scree_kernel kernels[3], const void *law,
                                        const scree_contact_batch *b, const double *scratch,
                                        const double *weight, double *mark, int way, int fresh,
                                        uint32_t from, uint32_t to)
{
    uint32_t n = scree_count_marks(mark, 0.0, from, to), c = n > 0 ? from : to, next;
    if (n == 0 && !fresh)
        return 0;
    if (way == SCREE_STICKS)
        for (; (c = scree_next_mark(mark, 0.0, c, to)) < to; c = next) {
            next = to - c > 4 && 4 * n <= to - from ? c + 4 : to;
            scree_call_kernel(kernels[SCREE_SLIDES], law, b, scratch, weight, mark, c, next);
        }
    if (fresh)
        scree_mark_fresh(b, from, to, mark);
    c = scree_count_marks(mark, 1.0, from, to) > 0 ? from : to;
    for (; (c = scree_next_mark(mark, 1.0, c, to)) < to; c++)
        scree_call_kernel(kernels[SCREE_ENDS], law, b, scratch, weight, mark, c, c + 1);
    return n;
}

/** Computes the contacts of b, each in its way, by the kernels of the three ways; the first 32 say
 * in which the rest is tried first. `slides`: always in SCREE_SLIDES. mark: [n] of the law's
 * scratch. */
static inline void scree_run_kernels(const scree_kernel kernels[3], const void *law,
                                     const scree_contact_batch *b, const double *scratch,
                                     const double *weight, double *mark, int slides)
{
    int way = slides ? SCREE_SLIDES : SCREE_STICKS;
    int fresh = b->since > 0.0 && memchr(b->fresh, 1, b->n) != NULL;
    if (SCREE_HAS(b, parted) && b->parted) {
        scree_call_kernel(kernels[SCREE_ENDS], law, b, scratch, weight, mark, 0, b->n);
        return;
    }
    for (uint32_t from = 0, to, end; from < b->n; from = to) {
        uint32_t many = 0;
        to = from == 0 && b->n > 48 ? 32 : b->n;
        scree_call_kernel(kernels[way], law, b, scratch, weight, mark, from, to);
        for (uint32_t part = from; part < to; part = end) {
            end = to - part > 32 ? part + 32 : to;
            many += scree_run_marked(kernels, law, b, scratch, weight, mark, way, fresh, part, end);
        }
        way = slides || 16 * many > to - from ? SCREE_SLIDES : SCREE_STICKS;
    }
}

/*
 * lever = "radius": spins act on the whole radius of a ball, not on its arm to the contact point,
 * as in LAMMPS. A wall keeps its arm. A law that offers it needs SCREE_IN_ARM, SCREE_IN_CURVATURE,
 * SCREE_OUT_COUPLE and SCREE_OUT_COUPLE_B, and 8 n doubles of scratch.
 */
enum { SCREE_LEVER_CONTACT, SCREE_LEVER_RADIUS };

/** [m] Radii less the arms, of a and of b, 0 of what is flat. */
SCREE_NOT_INLINED void scree_lever_lacks(uint32_t n, SCREE_IN3(n), SCREE_IN3(arm), SCREE_IN3(d),
                                         SCREE_IN curve_a, SCREE_IN curve_b, SCREE_OUT a,
                                         SCREE_OUT b)
{
    for (uint32_t c = 0; c < n; c++) {
        scree_vec normal = SCREE_AT(n, c), arm = SCREE_AT(arm, c), d = SCREE_AT(d, c);
        double on_a = scree_dot(arm, normal), on_b = scree_dot(scree_less(d, 1.0, arm), normal);
        a[c] = curve_a[c] > 0.0 ? 1.0 / (curve_a[c] > 0.0 ? curve_a[c] : 1.0) - on_a : 0.0;
        b[c] = curve_b[c] > 0.0 ? 1.0 / (curve_b[c] > 0.0 ? curve_b[c] : 1.0) - on_b : 0.0;
    }
}

static inline scree_vec scree_cross(scree_vec a, scree_vec b)
{
    return scree_vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/** Velocity v and slip u at levers longer by `more_a` and `more_b`, of bodies i and j with spins w.
 */
SCREE_NOT_INLINED void scree_lever_reach(uint32_t n, double since, const uint32_t *SCREE_RESTRICT i,
                                         const uint32_t *SCREE_RESTRICT j, SCREE_IN more_a,
                                         SCREE_IN more_b, SCREE_IN3(w), SCREE_IN3(n), SCREE_IN3(v),
                                         SCREE_IN3(u), SCREE_OUT3(out_v), SCREE_OUT3(out_u))
{
    for (uint32_t c = 0; c < n; c++) {
        scree_vec of_a = scree_scaled(more_a[c], SCREE_AT(w, i[c]));
        scree_vec of_b = scree_scaled(more_b[c], SCREE_AT(w, j[c]));
        scree_vec more = scree_cross(scree_sum(of_a, of_b), SCREE_AT(n, c));
        scree_vec v = scree_sum(SCREE_AT(v, c), more);
        scree_vec u = scree_sum(SCREE_AT(u, c), scree_scaled(since, more));
        SCREE_PUT(out_v, c, v), SCREE_PUT(out_u, c, u);
    }
}

/** Replaces v and slip of a copy of a batch by those at the longer levers; room: 8 n doubles. The
 * longer slip is spin x `since`. */
static inline void scree_lever_lengthen(scree_contact_batch *b, double *room)
{
    const uint64_t n = b->n;
    scree_lever_lacks(b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->arm), SCREE_XYZ(b->d),
                      b->curvature[0], b->curvature[1], room, room + n);
    scree_lever_reach(b->n, b->since, b->a, b->b, room, room + n, SCREE_XYZ(b->bodies->w),
                      SCREE_XYZ(b->normal), SCREE_XYZ(b->v), SCREE_XYZ(b->slip), room + 2 * n,
                      room + 3 * n, room + 4 * n, room + 5 * n, room + 6 * n, room + 7 * n);
    for (uint64_t k = 0; k < 3; k++)
        b->v[k] = room + (2 + k) * n, b->slip[k] = room + (5 + k) * n;
}

/** The couples of forces f on levers longer by `more_a` and `more_b`. */
SCREE_NOT_INLINED void scree_lever_turn(uint32_t n, SCREE_IN more_a, SCREE_IN more_b, SCREE_IN3(n),
                                        SCREE_IN3(f), SCREE_OUT3(a), SCREE_OUT3(b))
{
    for (uint32_t c = 0; c < n; c++) {
        scree_vec turn = scree_cross(SCREE_AT(n, c), SCREE_AT(f, c));
        scree_vec on_a = scree_scaled(more_a[c], turn), on_b = scree_scaled(more_b[c], turn);
        SCREE_PUT(a, c, on_a), SCREE_PUT(b, c, on_b);
    }
}

/** Writes the couples that lengthen the levers of the force; room: as scree_lever_lengthen() left
 * it. */
static inline void scree_lever_couples(const scree_contact_batch *b, const double *room)
{
    scree_lever_turn(b->n, room, room + b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->f),
                     SCREE_XYZ(b->couple), SCREE_XYZ(b->couple_b));
}

/** For uses(): only the longer lever needs arms and makes couples. `keeps`: inputs that the law
 * needs anyway. */
static inline int32_t scree_lever_uses(int lever, uint64_t keeps, uint64_t *needs,
                                       uint64_t *provides)
{
    if (lever == SCREE_LEVER_CONTACT) {
        *needs &= ~(uint64_t)(SCREE_IN_ARM | SCREE_IN_CURVATURE) | keeps;
        *provides &= ~(uint64_t)(SCREE_OUT_COUPLE | SCREE_OUT_COUPLE_B);
    }
    return SCREE_OK;
}

/** The member is an int32_t. */
#define SCREE_LEVER_PARAM(config_type, id)                                                         \
    SCREE_CHOICE_VALUE(                                                                            \
        contact, SCREE_LEVER_CONTACT,                                                              \
        "its arm to the contact point: angular momentum is kept; LIGGGHTS and YADE");              \
    SCREE_CHOICE_VALUE(radius, SCREE_LEVER_RADIUS,                                                 \
                       "its radius: a closed rolling path leaves no slip behind; LAMMPS");         \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_LIVE, "contact",                                     \
                       "on what length a ball's spin and torque act", &choice_contact,             \
                       &choice_radius)

/** What friction multiplies; the member is an int32_t. */
enum { SCREE_CAP_WHOLE, SCREE_CAP_ELASTIC };
#define SCREE_CAP_PARAM(config_type, id)                                                           \
    SCREE_CHOICE_VALUE(whole, SCREE_CAP_WHOLE,                                                     \
                       "of elastic force and dashpot; LAMMPS and LIGGGHTS");                       \
    SCREE_CHOICE_VALUE(elastic, SCREE_CAP_ELASTIC, "only of the elastic force");                   \
    SCREE_CHOICE_PARAM(config_type, id, SCREE_LIVE, "whole",                                       \
                       "what friction multiplies: the normal force", &choice_whole,                \
                       &choice_elastic)

#endif
