/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of all integrators, whatever their schemes; their order, on problems with known
 * solutions. */
#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "plugin/loader.h"
#include "tools/check/check_calls.h"
#include "tools/check/check_rates.h"
#include "tools/check/check_report.h"
#include "tools/check/check_rest.h"
#include "tools/check/check_stability.h"
#include "tools/check/check_variants.h"

enum { OSCILLATORS = 6, STEPS = 64 };
static const double spin_decay = 0.5, damping = 0.5, fading = 1.5, end_time = 2.0;

/** Skips an integrator that moves its own bodies and ignores given forces. */
static const char *lacks_forces(const scree_check *check)
{
    return scree_file_own_source(check->file)
               ? "it moves bodies of its own, by no forces (a source with SCREE_CAP_BY_INTEGRATOR "
                 "is in its file)"
               : NULL;
}

/* The problems: each component of each body is an oscillator of unit mass and stiffness. */

static void pull_by_place(scree_check_motion *m, uint32_t i, double *wrench)
{
    for (int k = 0; k < 3; k++)
        wrench[k] = -m->motion.x[k][i];
}

static void pull_by_strain(scree_check_motion *m, uint32_t i, double *wrench)
{
    for (int k = 0; k < 3; k++)
        wrench[k] = -m->strain[k][i];
}

static void pull_and_damp(scree_check_motion *m, uint32_t i, double *wrench)
{
    for (int k = 0; k < 3; k++) {
        wrench[k] = -m->motion.x[k][i] - damping * m->motion.v[k][i];
        wrench[4 + k] = -spin_decay * m->motion.w[k][i];
    }
}

static void pull_nothing(scree_check_motion *m, uint32_t i, double *wrench)
{
    (void)m;
    (void)i;
    (void)wrench;
}

/** Initial values of the oscillators, in the plane in 2D. */
static void set_off(scree_check_motion *m, double relaxation)
{
    uint32_t dimension = m->motion.dimension;
    for (uint32_t i = 0; i < m->motion.n_free; i++) {
        m->relaxation[i] = relaxation;
        for (uint32_t k = 0; k < dimension; k++) {
            m->motion.x[k][i] = cos(1.0 + i + 2.0 * k);
            m->motion.v[k][i] = sin(2.0 + 3.0 * i + k);
        }
        for (uint32_t k = dimension == 2 ? 2 : 0; k < 3; k++)
            m->motion.w[k][i] = 1.0 + 0.5 * sin(k + i);
    }
    scree_check_motion_start(m);
}

/** Sets the slope of some values; `of`: what else it depends on. */
typedef void (*slope_fn)(const double *state, const void *of, double *slope);

/** Follows n values for `time`, by the Runge-Kutta scheme with steps too small to matter. */
static void solve(double *state, int n, double time, slope_fn find_slope, const void *of)
{
    enum { FINE = 4000, MOST = 4 };
    static const double ahead[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const double h = time / FINE;
    for (int i = 0; i < FINE; i++) {
        double sum[MOST] = {0.0}, slope[MOST] = {0.0}, at[MOST];
        for (int stage = 0; stage < 4; stage++) {
            for (int k = 0; k < n; k++)
                at[k] = state[k] + h * ahead[stage] * slope[k];
            find_slope(at, of, slope);
            for (int k = 0; k < n; k++)
                sum[k] += weight[stage] * slope[k] / 6.0;
        }
        for (int k = 0; k < n; k++)
            state[k] += h * sum[k];
    }
}

/** A problem, and its known end. */
typedef struct problem {
    const char *name;
    scree_check_force_fn force;
    double relaxation, damping, spin_decay;
    bool by_strain;
} problem;

static const problem smooth = {"forces of position", pull_by_place, 0.0, 0.0, 0.0, false};
static const problem damped = {"forces of velocity", pull_and_damp, 0.0, damping,
                               spin_decay,           false};
static const problem adds_up = {"slips added up", pull_by_strain, 0.0, 0.0, 0.0, true};
static const problem fades = {"slips added up that fade", pull_by_strain, fading, 0.0, 0.0, true};

/** Sets the slopes of x, v and strain of a component. */
static void slope_of_component(const double *at, const void *of, double *slope)
{
    const problem *p = of;
    slope[0] = at[1];
    slope[1] = -(p->by_strain ? at[2] : at[0]) - p->damping * at[1];
    slope[2] = at[1] - p->relaxation * at[2];
}

/** Largest error at the end of so many steps; negative: the check has failed. */
static double error_of(scree_check *check, scree_instance *instance, const problem *p,
                       uint32_t n_steps)
{
    double h = end_time / n_steps, worst = 0.0;
    g_autoptr(scree_check_motion) m =
        scree_check_motion_new(check, instance, OSCILLATORS, OSCILLATORS, h, p->force);
    double start[OSCILLATORS][3][3], spin[OSCILLATORS][3];
    set_off(m, p->relaxation);
    for (uint32_t i = 0; i < OSCILLATORS; i++)
        for (int k = 0; k < 3; k++) {
            start[i][k][0] = start[i][k][2] = m->motion.x[k][i];
            start[i][k][1] = m->motion.v[k][i];
            spin[i][k] = m->motion.w[k][i];
        }
    if (!scree_check_motion_run(m, n_steps))
        return -1.0;
    for (uint32_t i = 0; i < OSCILLATORS; i++)
        for (int k = 0; k < 3; k++) {
            double *s = start[i][k];
            solve(s, 3, end_time, slope_of_component, p);
            double off[] = {m->motion.x[k][i] - s[0], m->motion.v[k][i] - s[1],
                            m->motion.w[k][i] - spin[i][k] * exp(-p->spin_decay * end_time)};
            for (size_t e = 0; e < G_N_ELEMENTS(off); e++)
                worst = isfinite(off[e]) ? fmax(worst, fabs(off[e])) : HUGE_VAL;
        }
    return worst;
}

/** Judges the errors of a step and of its half against a claim (0: none). Returns the order. */
static void judge_order(scree_check *check, const char *what, double coarse, double fine,
                        uint32_t claim, const char *setting)
{
    const double exact = 1e-11; // rounding over some hundred steps
    double order = log2(coarse / fine), wanted = claim ? claim - 0.2 : 0.8;
    if (coarse < 0.0 || fine < 0.0)
        return;
    if (fine < exact)
        scree_check_note(check, "%s: exact", what);
    else if (!(order >= wanted) && claim)
        scree_check_fail(check, "%s: %s: order %.2f, which should be %u (errors %.2g and %.2g)",
                         setting, what, order, claim, coarse, fine);
    else if (!(order >= wanted))
        scree_check_fail(check, "%s: %s: order %.2f, less than 1 (errors %.2g and %.2g)", setting,
                         what, order, coarse, fine);
    else if (!strcmp(setting, "defaults") && !g_strstr_len(check->text->str, -1, what))
        scree_check_note(check, "%s: order %.2f%s", what, order, claim ? ", as it should" : "");
}

static void measure(scree_check *check, scree_instance *instance, const char *setting,
                    const problem *p, uint32_t claim)
{
    double coarse = error_of(check, instance, p, STEPS);
    double fine = check->failed ? -1.0 : error_of(check, instance, p, 2 * STEPS);
    if (!check->failed)
        judge_order(check, p->name, coarse, fine, claim, setting);
}

static void try_smooth(scree_check *check, scree_instance *instance, const char *setting)
{
    measure(check, instance, setting, &smooth, scree_check_claims(instance).smooth);
}

static void try_damped(scree_check *check, scree_instance *instance, const char *setting)
{
    measure(check, instance, setting, &damped, scree_check_claims(instance).damped);
}

/** With a fading history an integrator keeps its order, up to the order of the law. */
static void try_history(scree_check *check, scree_instance *instance, const char *setting)
{
    enum { LAW = 2 };
    double coarse = error_of(check, instance, &smooth, STEPS);
    double fine = check->failed ? 0.0 : error_of(check, instance, &smooth, 2 * STEPS);
    if (check->failed)
        return;
    uint32_t claim = scree_check_claims(instance).smooth,
             order = fine > 0.0 ? (uint32_t)fmax(0.0, round(log2(coarse / fine))) : 1;
    order = claim ? MIN(order, claim) : order; // it is more at some end times
    measure(check, instance, setting, &adds_up, MAX(order, 1));
    if (!check->failed)
        measure(check, instance, setting, &fades, CLAMP(order, 1, LAW));
}

/* slip, accepted states */

static void try_accepted(scree_check *check, scree_instance *instance, const char *setting)
{
    enum { N = 16 };
    g_autoptr(scree_check_motion) m =
        scree_check_motion_new(check, instance, OSCILLATORS, OSCILLATORS, 0.05, pull_by_place);
    set_off(m, 0.0);
    m->off = 0.0;
    m->n_accepted = m->n_evaluations = 0; // of the start
    if (!scree_check_motion_run(m, N))
        return;
    if (m->n_accepted < N)
        scree_check_fail(check,
                         "%s: %u of %u evaluations in %d steps were accepted: history needs "
                         "one in each step",
                         setting, m->n_accepted, m->n_evaluations, N);
    if (m->off > 1e-12)
        scree_check_fail(check,
                         "%s: %s, summed over %d steps, is off from where the body is by %.2g m "
                         "of 1 m",
                         setting,
                         instance->demands.flags & SCREE_CAP_DISPLACEMENT ? "displacement"
                                                                          : "velocity × time since",
                         N, m->off);
}

/* turning */

/** A body with these moments in free flight, in body axes. */
static const double moments[3] = {1.0, 2.0, 3.0};

/** R diag(by) R^T v */
static void apply_moments(const double q[4], const double by[3], const double v[3], double out[3])
{
    double body[3];
    scree_rotate_back(q, v, body);
    for (int k = 0; k < 3; k++)
        body[k] *= by[k];
    scree_rotate(q, body, out);
}

/** q' = w q / 2 of a free body, `of`: its angular momentum. */
static void slope_of_top(const double *q, const void *of, double *slope)
{
    double inverse[3], w[3], length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double unit[4] = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    for (int k = 0; k < 3; k++)
        inverse[k] = 1.0 / moments[k];
    apply_moments(unit, inverse, of, w);
    const double half[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    scree_rotation_product(half, q, slope);
}

/** Error of orientation and spin of a free top after end_time; *length: error of its quaternion's
 * length. Negative: the check has failed. */
static double spin_top(scree_check *check, scree_instance *instance, uint32_t n_steps,
                       double *length)
{
    g_autoptr(scree_check_motion) m =
        scree_check_motion_new(check, instance, 1, 1, end_time / n_steps, pull_nothing);
    double l[3], q[4] = {1.0}, inverse[3], w[3], cosine = 0.0, norm = 0.0, off = 0.0;
    const double spin[3] = {0.3, 2.0, 0.2}; // it tumbles about the middle axis
    m->isotropic[0] = 0;
    for (int k = 0; k < 3; k++) {
        m->inv_inertia[k][0] = inverse[k] = 1.0 / moments[k];
        m->motion.w[k][0] = spin[k];
        l[k] = moments[k] * spin[k];
    }
    scree_check_motion_start(m);
    if (!scree_check_motion_run(m, n_steps))
        return -1.0;
    solve(q, 4, end_time, slope_of_top, l);
    apply_moments(q, inverse, l, w);
    for (int k = 0; k < 4; k++) {
        cosine += q[k] * m->motion.q[k][0];
        norm += m->motion.q[k][0] * m->motion.q[k][0];
    }
    for (int k = 0; k < 4; k++) // q or -q, the nearer one
        off = fmax(off, fabs(m->motion.q[k][0] - copysign(1.0, cosine) * q[k]));
    for (int k = 0; k < 3; k++)
        off = fmax(off, fabs(m->motion.w[k][0] - w[k]));
    *length = isfinite(norm) ? fabs(norm - 1.0) : HUGE_VAL;
    return isfinite(norm) && isfinite(off) ? off : HUGE_VAL;
}

static void try_turning(scree_check *check, scree_instance *instance, const char *setting)
{
    double length = 0.0, coarse, fine;
    if (instance->host.dimension != 3)
        return;
    coarse = spin_top(check, instance, STEPS, &length);
    fine = check->failed ? -1.0 : spin_top(check, instance, 2 * STEPS, &length);
    if (check->failed)
        return;
    if (length > 1e-12)
        scree_check_fail(check,
                         "%s: after %d steps a quaternion is longer or shorter than 1 by %.2g",
                         setting, 2 * STEPS, length);
    judge_order(check, "a free body tumbles", coarse, fine, scree_check_claims(instance).turning,
                setting);
}

static const char *lacks_turning(const scree_check *check)
{
    return !(check->plugin->dimensions & SCREE_DIMENSION_3) ? "the integrator is only for the plane"
           : check->plugin->flags & SCREE_CAP_ROUND_ONLY
               ? "the integrator is only for bodies whose orientation has no effect"
               : lacks_forces(check);
}

/* reversible */

static void try_reversal(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_motion) m =
        scree_check_motion_new(check, instance, OSCILLATORS, OSCILLATORS, 0.1, pull_by_place);
    double start[3][OSCILLATORS], off = 0.0;
    if (!scree_check_claims(instance).reversible)
        return;
    set_off(m, 0.0);
    for (int k = 0; k < 3; k++)
        memcpy(start[k], m->motion.x[k], sizeof start[k]);
    if (!scree_check_motion_run(m, STEPS))
        return;
    scree_check_motion_turn_round(m);
    if (!scree_check_motion_run(m, STEPS))
        return;
    for (uint32_t i = 0; i < OSCILLATORS; i++)
        for (int k = 0; k < 3; k++)
            off = fmax(off, fabs(m->motion.x[k][i] - start[k][i]));
    if (!(off < 1e-11))
        scree_check_fail(check,
                         "%s: %d steps, velocities turned round, %d steps: off by %.2g m of 1 m",
                         setting, STEPS, STEPS, off);
}

static const char *lacks_reversal(const scree_check *check)
{
    const scree_order *claim = scree_call_extension(check->plugin, SCREE_EXTENSION_ORDER);
    return claim && claim->reversible ? lacks_forces(check)
                                      : "it claims no reversal (extension " SCREE_EXTENSION_ORDER
                                        ")";
}

/* pieces, fixed, plane */

enum { CROWD = 41 };

static void pull_and_twist(scree_check_motion *m, uint32_t i, double *wrench)
{
    pull_and_damp(m, i, wrench);
    bool flat = m->motion.dimension == 2;
    for (int k = 0; k < 3; k++)
        wrench[4 + k] += flat && k < 2 ? 0.0 : 0.1 * m->motion.x[k][i];
}

/** Makes bodies of all sorts. */
static scree_check_motion *gather(scree_check *check, scree_instance *instance, uint32_t n_free)
{
    scree_check_motion *m =
        scree_check_motion_new(check, instance, CROWD, n_free, 0.03, pull_and_twist);
    uint32_t dimension = instance->host.dimension;
    for (uint32_t who = 0; who < CROWD; who++) {
        const uint32_t i = who;
        double angle = 0.1 * who;
        m->isotropic[i] = who % 3 != 0 || check->plugin->flags & SCREE_CAP_ROUND_ONLY;
        m->motion.q[0][i] = cos(angle);
        m->motion.q[3][i] = sin(angle);
        for (uint32_t k = 0; k < 3; k++) {
            if (i < n_free) {
                m->inv_mass[i] = 1.0 / (1.0 + who % 5);
                m->inv_inertia[k][i] = 1.0 / (1.0 + who % 4 + (m->isotropic[i] ? 0.0 : 0.5 * k));
            }
            if (k < dimension) {
                m->motion.x[k][i] = sin(1.0 + who + k);
                m->motion.v[k][i] = cos(who - 2.0 * k);
            }
            if (dimension == 3 || k == 2)
                m->motion.w[k][i] = sin(3.0 * who + k);
        }
    }
    scree_check_motion_start(m);
    return m;
}

/** Returns value k that an integrator writes for body i; NULL: it writes fewer. */
static double *item(scree_check_motion *m, uint32_t which, uint32_t i)
{
    scree_motion *t = &m->motion;
    if (which < 9)
        return (which < 3 ? t->x : which < 6 ? t->v : t->w)[which % 3] + i;
    return which < 13 ? t->q[which - 9] + i : NULL;
}

/** Compares body i of m with body j of other, bit by bit. */
static bool same_body(scree_check_motion *m, uint32_t i, scree_check_motion *other, uint32_t j,
                      const char *setting, const char *what)
{
    for (uint32_t k = 0; item(m, k, i); k++) {
        double here = *item(m, k, i), there = *item(other, k, j);
        if (!memcmp(&here, &there, sizeof here))
            continue;
        scree_check_fail(m->check, "%s: %c[%u] of a body is %.17g %s, else %.17g", setting,
                         "xvwq"[MIN(k / 3, 3)], k < 9 ? k % 3 : k - 9, here, what, there);
        return false;
    }
    return true;
}

static void try_pieces(scree_check *check, scree_instance *instance, const char *setting)
{
    static const uint32_t lengths[] = {1, 2, 3, 7, 8, 20};
    g_autoptr(scree_check_motion) whole = gather(check, instance, CROWD);
    scree_check_calls_pieces(0);
    if (!scree_check_motion_run(whole, 8))
        return;
    for (uint32_t k = 0; k < G_N_ELEMENTS(lengths) && !check->failed; k++) {
        g_autoptr(scree_check_motion) m = gather(check, instance, CROWD);
        g_autofree char *what = g_strdup_printf("when moved %u at a time", lengths[k]);
        scree_check_calls_pieces(lengths[k]);
        if (!scree_check_motion_run(m, 8))
            return;
        for (uint32_t i = 0; i < CROWD && same_body(m, i, whole, i, setting, what);)
            i++;
    }
}

/** The calls judge bodies that are not free. */
static void try_fixed(scree_check *check, scree_instance *instance, const char *setting)
{
    enum { FREE = 29 };
    g_autoptr(scree_check_motion) m = gather(check, instance, FREE);
    if (!scree_check_motion_run(m, 4) || instance->host.dimension == 3)
        return;
    for (uint32_t i = 0; i < FREE; i++)
        if (m->motion.x[2][i] != 0.0 || m->motion.v[2][i] != 0.0 || m->motion.w[0][i] != 0.0 ||
            m->motion.w[1][i] != 0.0 || m->motion.q[1][i] != 0.0 || m->motion.q[2][i] != 0.0)
            scree_check_fail(check, "%s: in 2D a body left the plane", setting);
}

/** The row of a case whose calls pass through the check. */
typedef struct watched {
    void (*fn)(scree_check *check, scree_instance *instance, const char *setting);
} watched;

static void watch(scree_check *check, const void *row)
{
    scree_check_calls_watch(check, NULL);
    scree_check_variants(check, ((const watched *)row)->fn);
}

static const char *lacks_move(const scree_check *check)
{
    return SCREE_HAS((const scree_integrator_ops *)check->plugin->ops, move)
               ? lacks_forces(check)
               : "it moves all bodies in stage()";
}

static const scree_check_case cases[] = {
    {"smooth", "with forces of position errors fall with the step, as it claims",
     .each = try_smooth, .lacks = lacks_forces},
    {"damped", "with forces of velocity they do", .each = try_damped, .lacks = lacks_forces},
    {"history", "with forces of what was committed they do, as without", .each = try_history,
     .lacks = lacks_forces},
    {"accepted", "each step commits a state, and slips since then are exact", .each = try_accepted,
     .lacks = lacks_forces},
    {"turning", "a free body tumbles as it should, and its quaternion stays a unit one",
     .each = try_turning, .lacks = lacks_turning},
    {"reversal", "places run back when velocities are turned round", .each = try_reversal,
     .lacks = lacks_reversal},
    {"stability", "oscillations stay bounded up to the step that it says, and not beyond",
     .run = scree_check_stability},
    {"pieces", "bodies moved some at a time get the same bits", .by = watch,
     .row = &(const watched){try_pieces}, .lacks = lacks_move},
    {"fixed", "bodies that are not free stay as they are, and in 2D all stay in the plane",
     .by = watch, .row = &(const watched){try_fixed}, .lacks = lacks_forces},
    {"rates", "body fields follow their rates, each body's by itself; all memory is in fields",
     .run = scree_check_rates},
    {0}};
const scree_check_suite scree_check_integrator = {SCREE_KIND_INTEGRATOR, NULL, cases};
