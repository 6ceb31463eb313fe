/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case `cycle` of force laws: bodies are led along closed paths, with an account of the work.
 *
 * Idea     a ball is pressed against an equal ball, a larger one, a wall, or the edge of a wall, about
 *          which the normal turns; it is led about and taken away again. The work
 *          W = -sum of f·v + couples·w over the path, by trapezoids of the forces as an integrator of
 *          second order meets them, must be the gain of stored energy plus the energy reported as
 *          lost. The difference R must fall with the step, at the end of the path and at each point of it.
 * Verdict  the step is halved, from 200 steps of a path to 3200. Where R(h) falls as h, the part
 *          2 R(h/2) - R(h) does not fall: the law itself makes or takes this energy. The path is
 *          decided when that part is twice as large as the fall in the last two halvings. Where the
 *          part is smaller to the end, R must have fallen all along.
 * Paths    only pressed, also by 0.3 radii; only touched, where the jumps of an adhesive force
 *          count; sheared to and fro while pressed, by less than the overlap, and by more; in a
 *          circle; rolled; twisted; sheared, pressed further, sheared back. Each both slowly and
 *          within some periods of the contact, where dashpots matter.
 *          An option may gain on purpose if it reports the gain; the defaults may not.
 * Limits   textbook springs gain energy on the last path (Elata, Berryman 1996, Mech. Mater. 24,
 *          229): this is not a failure if they report it; the gain is printed.
 */
#include "tools/check/check_force_cycle.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_contacts.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_touch.h"
#include "tools/check/check_variants.h"

enum { PRESS, PRESS_FAR, TOUCH, SHEAR_LITTLE, SHEAR_MUCH, CIRCLE, ROLL, TWIST, MIXED, N_PATHS };
static const char *const path_names[] = {"pressed",
                                         "pressed by 0.3 radii",
                                         "touched",
                                         "sheared a little",
                                         "sheared far",
                                         "led in a circle",
                                         "rolled",
                                         "twisted",
                                         "sheared, pressed, sheared back"};
enum { AT_WALL, AT_EDGE, AT_BALL, AT_LARGER, N_PARTNERS };
static const char *const partner_names[] = {"at a wall", "at an edge", "at a ball",
                                            "at a larger ball"};
enum { SLOW = 40, FAST = 4, COARSE = 200, FINEST = 3200, CONTACTS = N_PARTNERS * N_PATHS };
static const double radius = 1e-3, deep = 5e-6, light = 2e-7; // [m]

/** [J] Energies of one contact along its path. */
typedef struct account {
    double work, lost, stored, turnover;
    double apart; // the largest of work - stored - lost along the path
} account;

/** Rises smoothly from 0 to 1 as s goes from a to b. */
static double ramp(double s, double a, double b)
{
    double u = CLAMP((s - a) / (b - a), 0.0, 1.0);
    return 0.5 - 0.5 * cos(G_PI * u);
}

/** [m] Depth to which a path presses. */
static double depth_of(int kind)
{
    return kind == PRESS_FAR ? 0.3 * radius : kind == TOUCH ? light : deep;
}

/** Place on path `kind` at s in [0, 1]: depth, two shifts in the plane, two angles. */
static void at(int kind, double from, double s, double place[5])
{
    double u = CLAMP((s - 0.25) / 0.5, 0.0, 1.0), wave = sin(2.0 * G_PI * u);
    double pressed = ramp(s, 0.0, 0.25) - ramp(s, 0.75, 1.0);
    for (int k = 0; k < 5; k++)
        place[k] = 0.0;
    place[0] = from + (depth_of(kind) - from) * pressed;
    switch (kind) {
    case SHEAR_LITTLE:
        place[1] = 0.2 * deep * wave;
        break;
    case SHEAR_MUCH:
        place[1] = 3.0 * deep * wave;
        break;
    case CIRCLE:
        place[1] = deep * wave;
        place[2] = deep * (1.0 - cos(2.0 * G_PI * u));
        break;
    case ROLL:
        place[3] = 2.0 * deep / radius * wave;
        break;
    case TWIST:
        place[4] = 0.02 * wave;
        break;
    case MIXED:
        place[0] += deep * (ramp(u, 0.3, 0.5) - ramp(u, 0.8, 1.0));
        place[1] = 0.2 * deep * (ramp(u, 0.0, 0.3) - ramp(u, 0.5, 0.8));
        break;
    default:
        break;
    }
}

/** Directions of the paths: normal, tangent, and their product; in 2D only the tangent is in the
 * plane. */
static void fill_axes(uint32_t dimension, double axis[3][3])
{
    const double flat[3][3] = {{0.6, 0.8, 0.0}, {-0.8, 0.6, 0.0}, {0.0, 0.0, 1.0}};
    const double solid[3][3] = {{0.36, 0.48, 0.8}, {-0.8, 0.6, 0.0}, {-0.48, -0.64, 0.6}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axis[i][k] = dimension == 2 ? flat[i][k] : solid[i][k];
}

static int kind_of(uint32_t i)
{
    return (int)(i % N_PATHS);
}

static bool has_path(uint32_t dimension, int kind)
{
    return dimension == 3 || (kind != CIRCLE && kind != TWIST);
}

/** Moves contact i to s, in time `since`, from its previous place `before`. */
static void lead(scree_check_touch *t, uint32_t dimension, const double place[5],
                 const double before[5], double since)
{
    double axis[3][3], centre[3], length2 = 0.0, sum = t->radius[0] + t->radius[1];
    fill_axes(dimension, axis);
    for (int k = 0; k < 3; k++) {
        centre[k] = (sum - place[0]) * axis[0][k] - place[1] * axis[1][k] - place[2] * axis[2][k];
        length2 += centre[k] * centre[k]; // from a to b
        t->v[0][k] = ((place[0] - before[0]) * axis[0][k] + (place[1] - before[1]) * axis[1][k] +
                      (place[2] - before[2]) * axis[2][k]) /
                     since;
        t->w[0][k] =
            ((place[3] - before[3]) * axis[2][k] + (place[4] - before[4]) * axis[0][k]) / since;
    }
    bool wall = t->radius[1] == 0.0 && !t->edge;
    for (int k = 0; k < 3; k++) {
        t->normal[k] = wall ? axis[0][k] : centre[k] / sqrt(length2);
        t->aside[k] = wall ? centre[k] - (sum - place[0]) * axis[0][k] : 0.0;
    }
    t->depth = wall ? place[0] : sum - sqrt(length2);
}

static void start(scree_check_contacts *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        static const double sizes[] = {
            [AT_WALL] = 0.0, [AT_EDGE] = 0.0, [AT_BALL] = 1.0, [AT_LARGER] = 3.0};
        double size = sizes[i / N_PATHS], mass = 2500.0 * 4.0 / 3.0 * G_PI * pow(radius, 3.0);
        c->touch[i] =
            (scree_check_touch){.radius = {radius, size * radius},
                                .mass = {mass, size > 0.0 ? mass * size * size * size : HUGE_VAL},
                                .edge = i / N_PATHS == AT_EDGE,
                                .normal = {1.0}};
    }
    scree_check_contacts_restart(c);
    for (uint32_t i = 0; i < c->n; i++)
        c->keep[i] = c->bonds;
}

/** [W] of the forces f on the moving bodies. */
static double power(const scree_check_contacts *c, uint32_t i, double *const f[9])
{
    const scree_check_touch *t = &c->touch[i];
    double v[3], arm[2][3], sum = 0.0;
    scree_check_velocity(c, i, v, arm);
    for (int k = 0; k < 3; k++) {
        double on_b = c->provides & SCREE_OUT_COUPLE_B ? f[6 + k][i] : -f[3 + k][i];
        sum += f[k][i] * v[k] + f[3 + k][i] * t->w[0][k] + on_b * t->w[1][k];
    }
    return sum;
}

/** Evaluates contacts as a run does (force.h): new ones are fresh, ended ones are asked about once
 * more. before[i]: previous depth. */
static void mark_ends(scree_check_contacts *c, const double *before)
{
    c->parted = false;
    for (uint32_t i = 0; i < c->n; i++) {
        bool touches = c->touch[i].depth >= 0.0, touched = before[i] >= 0.0;
        if (scree_check_range(c, &c->touch[i]) > 0.0 || c->keep[i])
            continue;
        c->parted = c->parted || (touched && !touches && c->provides & SCREE_OUT_PARTED);
        if (!touches || touched)
            continue;
        c->fresh[i] = 1;
        for (uint32_t f = 0; f < c->n_contact_fields; f++)
            c->history[f][i] = c->initial[f];
    }
}

/** [J] Loss of contact i in the newest evaluation. */
static double lost_now(const scree_check_contacts *c, uint32_t i, bool fresh)
{
    double share = fresh && !(c->provides & SCREE_OUT_PARTED) ? 0.75 : 1.0;
    return share * c->since * c->result[SCREE_CHECK_LOST][i] + c->result[SCREE_CHECK_HEAT][i];
}

/** Follows all paths in so many steps within `duration`. */
static bool run_paths(scree_check_contacts *c, uint32_t steps, double duration, account *accounts)
{
    uint32_t dimension = c->instance->host.dimension;
    double *was[9], from[CONTACTS], start_stored[CONTACTS], depth[CONTACTS];
    bool fresh[CONTACTS];
    bool done = true;
    start(c);
    c->since = duration / steps;
    for (int k = 0; k < 9; k++)
        was[k] = g_new0(double, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        double here[5];
        // far enough for a neck to tear; a deep path has no ends, which its long steps would miss
        from[i] = -fmax(1.2 * scree_check_range(c, &c->touch[i]),
                        c->provides & SCREE_OUT_KEEP ? deep : 0.1 * depth_of(kind_of(i)));
        if (kind_of(i) == PRESS_FAR)
            from[i] = deep;
        at(kind_of(i), from[i], 0.0, here);
        lead(&c->touch[i], dimension, here, here, c->since);
        accounts[i] = (account){0};
    }
    done = scree_check_advance(c);
    for (uint32_t i = 0; i < c->n; i++)
        start_stored[i] = c->result[SCREE_CHECK_STORED][i];
    for (uint32_t n = 1; n <= steps && done; n++) {
        for (int k = 0; k < 9; k++)
            for (uint32_t i = 0; i < c->n; i++)
                was[k][i] = c->result[k][i];
        for (uint32_t i = 0; i < c->n; i++) {
            double here[5], before[5];
            at(kind_of(i), from[i], (double)n / steps, here);
            at(kind_of(i), from[i], (double)(n - 1) / steps, before);
            depth[i] = c->touch[i].depth;
            lead(&c->touch[i], dimension, here, before, c->since);
        }
        mark_ends(c, depth);
        for (uint32_t i = 0; i < c->n; i++)
            fresh[i] = c->fresh[i];
        done = scree_check_advance(c);
        if (done)
            for (uint32_t i = 0; i < c->n; i++) {
                account *a = &accounts[i];
                double work = -0.5 * c->since * (power(c, i, was) + power(c, i, c->result));
                a->work += work;
                a->turnover += fabs(work);
                a->lost += lost_now(c, i, fresh[i]);
                a->stored = c->result[SCREE_CHECK_STORED][i] - start_stored[i];
                a->apart = fmax(a->apart, fabs(a->work - a->stored - a->lost));
            }
    }
    for (int k = 0; k < 9; k++)
        g_free(was[k]);
    return done;
}

/** [s] Period of the effective mass on the contact's stiffness at depth `deep`. */
static double find_period(scree_check_contacts *c)
{
    double stiffness = 0.0;
    const scree_check_touch *t = &c->touch[0];
    start(c);
    for (uint32_t i = 0; i < c->n; i++)
        c->touch[i].depth = deep;
    if (!scree_check_advance(c))
        return 0.0;
    for (int k = 0; k < 3; k++)
        stiffness -= c->result[k][0] * t->normal[k] / deep;
    // A law without a spring has no period; a millisecond suits grains.
    return stiffness > 0.0 ? 2.0 * G_PI * sqrt(t->mass[0] / stiffness) : 1e-3;
}

static const double ROUNDING = 1e-12; // a path with a smaller turnover moves nothing
// Accepted shares of the turnover.
static const double MOST_REST = 2e-4, MOST_GAIN = 2e-3, MOST_ALONG = 5e-3;

/** Shares of the turnover at one step, at half and a quarter of it, and at the longest. */
typedef struct fall {
    double now, before, older, first;
    uint32_t halvings;
} fall;

/** The part that does not fall with the step. */
static double lasting(const fall *f)
{
    return 2.0 * f->now - f->before;
}

/** +1: the part does not fall; 0: it falls, or is small; -1: a smaller step must decide. Two
 * halvings in a row are needed, because contacts begin, end and slide at random places within a
 * step. */
static int judge_fall(const fall *f, double most)
{
    double part = fabs(lasting(f));
    double fell = fmax(fabs(f->before - f->now), fabs(f->older - f->before));
    if (fabs(f->now) <= most || (part <= most && fell <= most))
        return 0;
    return f->halvings >= 2 && part > most && part > 2.0 * fell ? 1 : -1;
}

/** Whether R has fallen all along, for a path that smaller steps did not decide. */
static bool goes_on_falling(const fall *f)
{
    return fabs(f->now) < 0.6 * fabs(f->first);
}

/** The verdict on a path after some halvings. */
typedef struct path {
    fall rest, gain, along;
    account last;
    uint32_t steps;
} path;

/** [J] Largest turnover of all paths. */
static double most_turnover(const account a[CONTACTS])
{
    double most = 0.0;
    for (uint32_t i = 0; i < CONTACTS; i++)
        most = fmax(most, a[i].turnover);
    return most;
}

static bool tells(const scree_check_contacts *c)
{
    return (c->provides & SCREE_OUT_STORED) && (c->provides & SCREE_OUT_LOST);
}

static void shift_fall(fall *f, double now, uint32_t halvings)
{
    f->first = halvings == 0 ? now : f->first;
    f->older = halvings == 0 ? now : f->before;
    f->before = halvings == 0 ? now : f->now;
    f->now = now;
    f->halvings = halvings;
}

static void add_account(path *p, const account *a, uint32_t halvings)
{
    double scale = a->turnover > 0.0 ? a->turnover : 1.0;
    shift_fall(&p->rest, (a->work - a->stored - a->lost) / scale, halvings);
    shift_fall(&p->gain, (a->stored - a->work) / scale, halvings);
    shift_fall(&p->along, a->apart / scale, halvings);
    p->last = *a;
}

/** A law that reports energies must account for them. Another one may not gain energy on a closed
 * path; textbook springs do on the last path, which is left out. */
static int judge_path(const scree_check_contacts *c, uint32_t i, const path *p)
{
    int rest = tells(c) ? judge_fall(&p->rest, MOST_REST) : 0;
    int along = tells(c) ? judge_fall(&p->along, MOST_ALONG) : 0;
    int gain = kind_of(i) == MIXED || !(p->gain.now > 0.0) ? 0 : judge_fall(&p->gain, MOST_GAIN);
    if (rest > 0)
        return 1;
    if (along > 0)
        return 3;
    return rest < 0 || along < 0 || gain < 0 ? -1 : gain > 0 ? 2 : 0;
}

static void report_rest(scree_check_contacts *c, uint32_t i, const path *p, const char *setting,
                        double periods)
{
    scree_check_fail(c->check,
                     "%s: %s %s within %g periods, work %g J, stored %g J, lost %g J: %.2g of all "
                     "that was turned over is unaccounted for in %u steps, %.2g in %u: %.2g does "
                     "not fall with the step",
                     setting, path_names[kind_of(i)], partner_names[i / N_PATHS], periods,
                     p->last.work, p->last.stored, p->last.lost, fabs(p->rest.now), p->steps,
                     fabs(p->rest.before), p->steps / 2, fabs(lasting(&p->rest)));
}

static void report_along(scree_check_contacts *c, uint32_t i, const path *p, const char *setting,
                         double periods)
{
    scree_check_fail(c->check,
                     "%s: %s %s within %g periods, somewhere on the path the work differs from "
                     "stored and lost energy by %.2g of all that was turned over in %u steps, by "
                     "%.2g in %u: %.2g does not fall with the step",
                     setting, path_names[kind_of(i)], partner_names[i / N_PATHS], periods,
                     p->along.now, p->steps, p->along.before, p->steps / 2, lasting(&p->along));
}

/** An option that makes energy on purpose, and reports it as a negative loss, gets a note only. */
static void report_gain(scree_check_contacts *c, uint32_t i, const path *p, const char *setting,
                        double periods)
{
    if (tells(c) && !g_str_equal(setting, "defaults"))
        scree_check_note(c->check, "%s: gains %.2g of the work when %s, and reports it as lost",
                         setting, lasting(&p->gain), path_names[kind_of(i)]);
    else
        scree_check_fail(c->check,
                         "%s: %s %s within %g periods, a closed path gives %g J (%.2g of all that "
                         "was turned over does not fall with the step)",
                         setting, path_names[kind_of(i)], partner_names[i / N_PATHS], periods,
                         p->last.stored - p->last.work, lasting(&p->gain));
}

/** Halves the step until all paths are decided. False: the law failed. */
static bool halve_steps(scree_check_contacts *c, double duration, path paths[CONTACTS])
{
    account now[CONTACTS];
    bool open = true;
    for (uint32_t steps = COARSE, n = 0; steps <= FINEST && open; steps *= 2, n++) {
        if (!run_paths(c, steps, duration, now))
            return false;
        double most = most_turnover(now);
        open = n == 0;
        for (uint32_t i = 0; i < CONTACTS; i++) {
            bool led = has_path(c->instance->host.dimension, kind_of(i)) &&
                       now[i].turnover > ROUNDING * most;
            add_account(&paths[i], led ? &now[i] : &(account){0}, n);
            paths[i].steps = steps;
            open = open || judge_path(c, i, &paths[i]) < 0;
        }
    }
    return true;
}

/** *gain: largest share gained on the last path. */
static void judge_paths(scree_check_contacts *c, const path paths[CONTACTS], const char *setting,
                        double periods, double *gain)
{
    for (uint32_t i = 0; i < CONTACTS && !c->check->failed; i++) {
        const path *p = &paths[i];
        int verdict = judge_path(c, i, p);
        if (verdict == 1 || (verdict < 0 && tells(c) && judge_fall(&p->rest, MOST_REST) < 0 &&
                             !goes_on_falling(&p->rest)))
            report_rest(c, i, p, setting, periods);
        else if (verdict == 3 ||
                 (verdict < 0 && tells(c) && judge_fall(&p->along, MOST_ALONG) < 0 &&
                  !goes_on_falling(&p->along)))
            report_along(c, i, p, setting, periods);
        else if (verdict == 2 || (verdict < 0 && p->gain.now > MOST_GAIN && kind_of(i) != MIXED &&
                                  !goes_on_falling(&p->gain)))
            report_gain(c, i, p, setting, periods);
        if (kind_of(i) == MIXED)
            *gain = fmax(*gain, lasting(&p->gain));
    }
}

static void try_cycle(scree_check *check, scree_instance *instance, const char *setting)
{
    static const double durations[] = {SLOW, FAST};
    double gain = 0.0;
    g_autoptr(scree_check_contacts) c = scree_check_contacts_new(check, instance, CONTACTS);
    double period = c ? find_period(c) : 0.0;
    uint32_t n = period > 0.0 ? G_N_ELEMENTS(durations) : 0;
    for (uint32_t k = 0; k < n; k++) {
        path paths[CONTACTS] = {0};
        if (!halve_steps(c, durations[k] * period, paths))
            return;
        judge_paths(c, paths, setting, durations[k], &gain);
    }
    if (check->failed || !c)
        return;
    if (gain > 1e-3)
        scree_check_note(check, "%s, %uD: gains up to %.2g of the work when %s, %s", setting,
                         instance->host.dimension, gain, path_names[MIXED],
                         tells(c) ? "and reports it as lost" : "not reported");
    if (!strcmp(setting, "defaults") && instance->host.dimension == scree_check_dimension(check) &&
        !tells(c))
        scree_check_note(check, "the law reports no energies: only gains were looked for");
}

void scree_check_force_cycle(scree_check *check)
{
    scree_check_variants(check, try_cycle);
}
