/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an integrator is stable up to its claimed step, and not far beyond. */
#include "tools/check/check_stability.h"

#include <math.h>
#include <string.h>

#include "plugin/call.h"
#include "tools/check/check_motion.h"
#include "tools/check/check_report.h"
#include "tools/check/check_variants.h"

static const double ratios[] = {0.0, 0.1, 0.3, 0.7, 1.0, 2.0}; // [-] damping
enum { N = G_N_ELEMENTS(ratios), WINDOW = 400, EARLY = 600, LATE = 5600 };
static const double within = 0.98, beyond = 1.02;

/** Bodies of unit mass, a step of 1 s: x'' + 2 zeta omega x' + omega^2 x = 0. */
typedef struct oscillators {
    double omega[N];
} oscillators;

static void pull(scree_check_motion *m, uint32_t i, double *wrench)
{
    const oscillators *o = m->user;
    double omega = o->omega[i];
    wrench[0] = -omega * omega * m->motion.x[0][i] - 2.0 * ratios[i] * omega * m->motion.v[0][i];
}

/** Largest amplitudes in a window of steps. False: the check has failed. */
static bool watch(scree_check_motion *m, double amplitude[N])
{
    const oscillators *o = m->user;
    for (uint32_t i = 0; i < N; i++)
        amplitude[i] = 0.0;
    for (int n = 0; n < WINDOW; n++) {
        if (!scree_check_motion_run(m, 1))
            return false;
        for (uint32_t i = 0; i < N; i++) {
            double size = hypot(o->omega[i] * m->motion.x[0][i], m->motion.v[0][i]);
            if (!(size <= amplitude[i]))
                amplitude[i] = size;
        }
    }
    return true;
}

/** Growth [-] per step at `share` of the limits. False: the check has failed. */
static bool measure(scree_check *check, scree_instance *instance, const double limit[N],
                    double share, double growth[N])
{
    oscillators o;
    double early[N], late[N];
    uint32_t steps = LATE - EARLY;
    g_autoptr(scree_check_motion) m = scree_check_motion_new(check, instance, N, N, 1.0, pull);
    m->user = &o;
    for (uint32_t i = 0; i < N; i++) {
        o.omega[i] = share * limit[i];
        m->motion.x[0][i] = 1.0;
    }
    scree_check_motion_start(m);
    if (!scree_check_motion_run(m, EARLY) || !watch(m, early))
        return false;
    for (steps = WINDOW; steps < LATE - EARLY && !m->runs_away; steps++)
        if (!scree_check_motion_run(m, 1))
            return false;
    if (!watch(m, late))
        return false;
    for (uint32_t i = 0; i < N; i++)
        growth[i] = m->runs_away     ? HUGE_VAL // one of them, which ends the run
                    : early[i] > 0.0 ? log(late[i] / early[i]) / steps
                                     : -1.0;
    return true;
}

static void try_limits(scree_check *check, scree_instance *instance, const char *setting)
{
    double limit[N], below[N], above[N];
    for (uint32_t i = 0; i < N; i++) {
        limit[i] = scree_call_stability(instance->plugin, instance->choice->config, ratios[i]);
        if (isfinite(limit[i]) && limit[i] > 0.0)
            continue;
        scree_check_fail(check,
                         "%s: the limit at a damping ratio of %g is %g; expected more than 0",
                         setting, ratios[i], limit[i]);
        return;
    }
    if (!measure(check, instance, limit, within, below))
        return;
    for (uint32_t i = 0; i < N; i++)
        if (!(below[i] <= SCREE_STABILITY_GROWTH)) {
            scree_check_fail(check,
                             "%s: at %g of the limit omega dt = %.5g, damping ratio %g, an "
                             "amplitude grows by %.2g per step",
                             setting, within, limit[i], ratios[i], below[i]);
            return;
        }
    for (uint32_t i = 0; i < N; i++) { // one by one, because a body that runs away ends the run
        double all[N];
        for (uint32_t k = 0; k < N; k++)
            all[k] = k == i ? limit[k] : 0.5 * limit[k];
        if (!measure(check, instance, all, beyond, above))
            return;
        if (!(above[i] > SCREE_STABILITY_GROWTH)) {
            scree_check_fail(check,
                             "%s: at %g of the limit omega dt = %.5g, damping ratio %g, an "
                             "amplitude grows by no more than %.2g per step: it is stable further",
                             setting, beyond, limit[i], ratios[i], above[i]);
            return;
        }
    }
    if (!strcmp(setting, "defaults") && !g_strstr_len(check->text->str, -1, "omega dt"))
        scree_check_note(check, "omega dt < %.4f undamped, %.4f at a damping ratio of 1", limit[0],
                         limit[4]);
}

void scree_check_stability(scree_check *check)
{
    if (!scree_call_extension(check->plugin, SCREE_EXTENSION_STABILITY))
        scree_check_skip(check, "it states no limit (extension " SCREE_EXTENSION_STABILITY ")");
    else
        scree_check_variants(check, try_limits);
}
