/* SPDX-License-Identifier: Apache-2.0 */
/* The length of a run: from --steps, --for, --until, or the scene. */
#include "cli/run_length.h"

#include "change/schedule.h"
#include "cli/again.h"

const scree_again *scree_again_here;

bool scree_run_has_length(const scree_run_options *o)
{
    return o->has_steps || o->has_until || o->has_for;
}

/** Counts the remaining steps of the scene. */
static bool count_left(scree_run *r, GError **error)
{
    const scree_checkpoint *from = r->plan.from;
    const uint64_t all = r->sim->scene->steps, done = from ? from->snapshot->step : 0;
    r->steps = all > done ? all - done : 0;
    if (r->steps || !from)
        return scree_schedule_check_end(r->sim, all, error);
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "%s: all %" G_GUINT64_FORMAT
                      " steps of the scene are done at step %" G_GUINT64_FORMAT
                      ": expected --steps N, --for T or --until T to continue",
                      from->path, all, done);
}

bool scree_run_set_length(scree_run *r, const scree_run_options *o, GError **error)
{
    const double now = scree_sim_time(r->sim), time = o->has_for ? o->duration : o->until - now;
    r->steps = o->steps;
    if (!scree_run_has_length(o) && o->break_at && scree_again_here->count_steps(r->sim, &r->steps))
        return true;
    if (!o->has_until && !o->has_for)
        return o->has_steps || count_left(r, error);
    if (time < 0.0 && time < -1e-12 * now)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--until %s: the run is at %.9g s already: expected a later moment, or "
                          "--for T",
                          o->until_text, now);
    r->end = now + time;
    const double n = scree_run_steps_left(r);
    if (n < 0x1p63) {
        r->steps = (uint64_t)n;
        return true;
    }
    return scree_fail(error, SCREE_EXIT_USAGE, "--%s %s: expected fewer than 2^63 steps of %g s",
                      o->has_for ? "for" : "until", o->has_for ? o->for_text : o->until_text,
                      r->sim->dt);
}
