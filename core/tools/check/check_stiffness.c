/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the stiffness that a law reports with the slopes of its forces. */
#include "tools/check/check_stiffness.h"

#include <math.h>

#include "tools/check/check_contacts.h"
#include "tools/check/check_report.h"
#include "tools/check/check_touch.h"
#include "tools/check/check_variants.h"

enum { CONTACTS = 60, SLOPES = 4 };
enum { BY_DEPTH, BY_FORCE, BY_SPEED, WAYS };
#define SMALL 1e-3 /* [-] of the depth */
#define SHORT 0.8  /* [-] a law may report a fifth less than its steepest slope */
static const char *const names[SLOPES] = {"kn", "kn", "kt", "cn"};
static const char *const way_names[WAYS] = {"", ", known by its force,",
                                            ", known by the speed of an impact,"};

/** Balls and walls that have touched for a while, at rest. */
static bool rest(scree_check_contacts *c)
{
    uint64_t state = 31;
    scree_check_touch_random(c, &state);
    for (uint32_t i = 0; i < c->n; i++) {
        scree_check_touch *t = &c->touch[i];
        t->depth = i % 7 == 6 ? 0.3 * t->radius[0] : 1e-6 + 1e-5 * (double)(i % 7) / 7.0;
        for (int k = 0; k < 3; k++)
            t->v[0][k] = t->v[1][k] = t->w[0][k] = t->w[1][k] = 0.0;
    }
    c->since = 1.0;
    return scree_check_advance(c) && scree_check_advance(c);
}

/** Moves contact i in way s from `depth`. Returns the divisor of the force's change. */
static double disturb(scree_check_contacts *c, uint32_t i, int s, double depth)
{
    scree_check_touch *t = &c->touch[i];
    double by = SMALL * depth, across[3] = {-t->normal[1], t->normal[0], 0.0};
    double length = hypot(across[0], across[1]);
    t->depth = depth + (s == 0 ? by : s == 1 ? -by : 0.0); // pressed, let go
    for (int k = 0; k < 3; k++)
        t->v[0][k] = s == 2 && length > 0.0 ? by * across[k] / length / c->since
                     : s == 3               ? by * t->normal[k]
                                            : 0.0;
    return by;
}

static double change(const scree_check_contacts *c, uint32_t i, const double *before, int s)
{
    const double *n = c->touch[i].normal;
    double along = 0.0, all = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = c->result[SCREE_CHECK_FORCE + k][i] - before[3 * i + (uint32_t)k];
        along += d * n[k];
        all += d * d;
    }
    return s == 2 ? sqrt(fmax(all - along * along, 0.0)) : fabs(along);
}

/** Asks by the depth and the force, by the force only, or by the speed of an impact whose energy
 * takes it at least so deep: the force times the depth, where the force grows with the depth. */
static bool ask(scree_check_contacts *c, uint32_t i, int way, double push, scree_stiffness *k)
{
    const scree_check_touch *t = &c->touch[i];
    const scree_force_ops *ops = c->instance->ops;
    const double mass = 1.0 / (1.0 / t->mass[0] + 1.0 / t->mass[1]);
    const scree_stiffness_query query = {
        .size = sizeof query,
        .material_a = t->material[0],
        .material_b = t->material[1],
        .radius_a = t->radius[0],
        .radius_b = t->radius[1],
        .mass = mass,
        .speed = way == BY_SPEED ? sqrt(2.0 * push * t->depth / mass) : 0.0,
        .depth = way == BY_DEPTH ? t->depth : 0.0,
        .normal_force = way == BY_SPEED ? 0.0 : push};
    *k = (scree_stiffness){.size = sizeof *k};
    return SCREE_CHECK_CALL(c->check, c->instance, "stiffness",
                            ops->stiffness(c->instance->self, &query, k));
}

static const char *const members[] = {"kn", "kt", "kr", "ktwist", "cn", "ct", "cr", "ctwist"};

static bool judge(scree_check_contacts *c, uint32_t i, int s, int way, double slope, double by,
                  double push, const char *setting)
{
    scree_stiffness k;
    const scree_check_touch *t = &c->touch[i];
    if (!ask(c, i, way, push, &k))
        return false;
    const double stated[SLOPES] = {k.kn, k.kn, k.kt + k.ct, k.cn}; // of one second
    const double *all = &k.kn;
    double largest = 0.0;
    for (int l = 0; l < 8; l++)
        largest = fmax(largest, all[l]);
    for (int l = 0; l < 8; l++)
        if (!(all[l] >= 0.0) || !isfinite(all[l])) {
            scree_check_fail(c->check,
                             "%s: stiffness() gave %s = %g; expected a finite number >= 0", setting,
                             members[l], all[l]);
            return false;
        }
    // Smaller values are the rounding of the force, or of what acts in another direction.
    if (stated[s] >= SHORT * slope - 1e-9 * fabs(push) / by - 1e-12 * largest)
        return true;
    scree_check_fail(c->check,
                     "%s: stiffness() gave %s = %g at a depth of %g m%s between radii of %g and %g "
                     "m, where the force has a slope of %g",
                     setting, names[s], stated[s], t->depth, way_names[way], t->radius[0],
                     t->radius[1], slope);
    return false;
}

/** A contact that pushes is asked about in each way, another one by its depth. */
static bool judge_ways(scree_check_contacts *c, uint32_t i, int s, double slope, double by,
                       const double *before, const char *setting)
{
    double push = 0.0;
    for (int l = 0; l < 3; l++)
        push -= before[3 * i + (uint32_t)l] * c->touch[i].normal[l];
    const int n_ways = push > 0.0 ? WAYS : BY_FORCE;
    for (int way = BY_DEPTH; way < n_ways; way++)
        if (!judge(c, i, s, way, slope, by, push, setting))
            return false;
    return true;
}

static void try_slopes(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = scree_check_contacts_new(check, instance, CONTACTS);
    double before[3 * CONTACTS], depth[CONTACTS], by[CONTACTS];
    if (!c || !rest(c) || !scree_check_evaluate(c, NULL, c->n))
        return;
    for (uint32_t i = 0; i < c->n; i++) {
        depth[i] = c->touch[i].depth;
        for (uint32_t k = 0; k < 3; k++)
            before[3 * i + k] = c->result[SCREE_CHECK_FORCE + k][i];
    }
    for (int s = 0; s < SLOPES; s++) {
        c->since = s == 3 ? 1e-9 : 1.0; // of a velocity, not of its integral
        for (uint32_t i = 0; i < c->n; i++)
            by[i] = disturb(c, i, s, depth[i]);
        if (!scree_check_evaluate(c, NULL, c->n))
            return;
        for (uint32_t i = 0; i < c->n; i++) {
            double slope = change(c, i, before, s) / by[i];
            c->touch[i].depth = depth[i];
            if (!judge_ways(c, i, s, slope, by[i], before, setting))
                return;
        }
    }
}

void scree_check_stiffness(scree_check *check)
{
    const scree_force_ops *ops = check->plugin->ops;
    if (!SCREE_HAS(ops, stiffness))
        scree_check_skip(check, "it states none: the critical step does not know it");
    else
        scree_check_variants(check, try_slopes);
}
