/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that do not end a run: each is found, warned of once, and counted. */
#include "engine/diagnostics.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/say.h"
#include "engine/critical_contacts.h"
#include "engine/energy.h"
#include "engine/warnings.h"
#include "plugin/loader.h"
#include "shape/shape.h"

#define SETTLES 0.01
#define ROUNDED 100.0         /* tolerance of a step in units in the last place */
enum { FEW_WARNINGS = 4096 }; /* candidates up to which all overlaps are checked in each step */

struct scree_diagnostics {
    scree_warning warning[SCREE_WARNINGS];
    bool begun; /* `base` is set */
    scree_energy base, last;
    double exchanged; /* [J] */
    double available; /* [J] energy above `base` that could have become motion so far */
    double smallest;  /* [m] smallest size of free bodies */
    double settling;  /* [J] energy of a fall through SETTLES sizes */
    double rounding;  /* [J] energy of motion that rounding of positions can cause */
    double critical;  /* [s] smallest one so far */
    uint64_t off;     /* first step from which on all residuals were too large, or UINT64_MAX */
    uint64_t crossed; /* last step in which a body crossed its own size */
    uint64_t critical_body, critical_step;
    uint32_t critical_contacts;
};

static const char *const keys[SCREE_WARNINGS] = {"residual", "overlap", "crossing",
                                                 "critical_step"};

void scree_diagnostics_new(scree_warnings *warnings, double critical)
{
    scree_diagnostics *w = warnings->diagnostics = g_new0(scree_diagnostics, 1);
    warnings->thinnest = 1.0;
    w->critical = critical;
    w->critical_body = SCREE_NO_BODY;
    w->off = UINT64_MAX;
    for (int k = 0; k < SCREE_WARNINGS; k++)
        w->warning[k].body = w->warning[k].other = SCREE_NO_BODY;
}

/** Counts a finding. True: the first one. `step`: of the state with the finding. */
static bool note_warning(scree_diagnostics *w, scree_warning_kind kind, uint64_t step, double how)
{
    scree_warning *one = &w->warning[kind];
    one->worst = fmax(one->worst, how);
    if (one->count++)
        return false;
    one->first_step = step;
    return true;
}

/* residual */

static double sum_changes(const scree_energy *a, const scree_energy *b)
{
    return 0.5 * (fabs(a->kinetic - b->kinetic) + fabs(a->gravity - b->gravity) +
                  fabs(a->stored - b->stored) + fabs(a->lost - b->lost) + fabs(a->work - b->work));
}

/** Returns the error of the account by rounding. */
static double noise(const scree_diagnostics *w, const scree_energy *e)
{
    return w->rounding + 1e-9 * (fabs(e->kinetic) + fabs(e->gravity) + fabs(e->stored) +
                                 fabs(e->lost) + fabs(e->work) + fabs(e->start));
}

/** Returns the energy that the state had, or took from outside or from its height. */
static double find_available(const scree_diagnostics *w, const scree_energy *e)
{
    double got = fmax(w->base.gravity - e->gravity, 0.0) + fmax(e->work - w->base.work, 0.0);
    return w->base.kinetic + fmax(w->base.stored, 0.0) + got;
}

static char *critical_text(const scree_sim *sim)
{
    const scree_diagnostics *w = sim->warnings.diagnostics;
    if (w->critical_body == SCREE_NO_BODY)
        return g_strdup_printf("%g s", w->critical);
    return g_strdup_printf("%g s (of body %" PRIu64 " with %u contact%s at step %" PRIu64 ")",
                           w->critical, w->critical_body, w->critical_contacts,
                           w->critical_contacts == 1 ? "" : "s", w->critical_step);
}

/** Returns whether forces move the bodies: laws act, and the integrator has no own bodies. */
static bool has_dynamics(const scree_sim *sim)
{
    return sim->plugins.contact.n_laws &&
           !scree_file_own_source(sim->plugins.body.integrator->file);
}

/** Returns the text for the size of a body whose shape has these flags. */
static const char *size_text(uint32_t flags)
{
    return flags & SCREE_CAP_ROUND   ? "its radius"
           : flags & SCREE_CAP_BALLS ? "the radius of its smallest ball"
                                     : "half its thickness";
}

/** Returns whether motion came without a source, in a run with dt too large for its springs. */
static bool check_wild(const scree_sim *sim, const scree_energy *e, double residual, GError **error)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    const scree_world *world = sim->world;
    bool unknown = !isfinite(w->critical) && w->warning[SCREE_WARN_CROSSING].count;
    double factor = unknown ? 100.0 * SCREE_DIAG_WILD : SCREE_DIAG_WILD, speed;
    double available = w->available + w->settling;
    if (!has_dynamics(sim) || !(residual > factor * available) ||
        !(residual > 1e3 * noise(w, &w->base)) || !(unknown || sim->dt > w->critical) ||
        !world->n_free)
        return true;
    uint32_t fastest = scree_world_fastest(world, &speed);
    g_autofree char *critical = critical_text(sim);
    return scree_fail(
        error, SCREE_EXIT_RUN,
        "the run has blown up at step %" PRIu64 ": %.3g J appeared without a source, of %.3g "
        "J that could become motion, and kinetic energy is %.3g J; the fastest is body "
        "%" PRIu64 " (%s) at %.3g m/s, %.3g of %s in a step. %s%s%s",
        sim->step, residual, available, e->kinetic, world->id[fastest],
        scree_group_of(sim, world->id[fastest]), speed,
        speed * sim->dt / scree_world_size(world, fastest),
        size_text(world->shapes[world->shape[fastest]]->flags),
        unknown ? "No law states its stiffness, so the critical step is not known"
                : "dt is above the critical step, ",
        unknown ? "" : critical, ": take a smaller dt, or \"auto\"");
}

static void begin(const scree_sim *sim)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    w->begun = true;
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++)
        sim->warnings.overlaps[k] = (scree_overlap){0}; // overlaps of the start
    scree_energy_now(sim, &w->base);
    w->last = w->base;
    w->available = find_available(w, &w->base);
}

/** Returns whether the scene has solids: their contacts need not have a potential. */
static bool has_solids(const scree_sim *sim)
{
    const GPtrArray *shapes = sim->scene->shapes;
    bool any = false;
    for (uint32_t k = 0; k < shapes->len && !any; k++) {
        const scree_shape *shape = shapes->pdata[k];
        any = !scree_shape_is_wall(shape) && !scree_shape_is_round(shape) && !shape->balls;
    }
    return any;
}

/** "0.947 of half the thickness of the thinner body, of bodies 1 (hopper) and 17 (feed) at step 8";
 * empty: no overlap was deep. */
static char *deepest_text(const scree_warning *overlap)
{
    if (!overlap->count)
        return g_strdup("");
    return g_strdup_printf("%.3g of %s, of bodies %" PRIu64 " (%s) and %" PRIu64
                           " (%s) at step %" PRIu64,
                           overlap->worst, scree_overlap_of(overlap->worst_flags),
                           overlap->worst_id[0], overlap->worst_group[0], overlap->worst_id[1],
                           overlap->worst_group[1], overlap->worst_step);
}

/** Names possible causes of a wrong account; new string. */
static char *suspect(const scree_sim *sim, double residual)
{
    const bool more = residual > 0.0;
    g_autofree char *critical = critical_text(sim);
    if (sim->dt > sim->warnings.diagnostics->critical)
        return g_strdup_printf("dt = %g s is above the critical step, %s", sim->dt, critical);
    g_autofree char *deepest =
        deepest_text(&sim->warnings.diagnostics->warning[SCREE_WARN_OVERLAP]);
    return g_strdup_printf("dt = %g s is too coarse, or a law %s%s%s%s", sim->dt,
                           more ? "adds energy" : "does not report all that it loses",
                           !has_solids(sim) ? ""
                           : more           ? ", or the resolver's contacts of solids make some"
                                            : ", or the resolver's contacts of solids lose some",
                           *deepest ? "; the deepest overlap is " : "", deepest);
}

/** Returns whether every law reports its stored and lost energy. */
static bool accounts(const scree_sim *sim)
{
    const uint64_t both = SCREE_OUT_STORED | SCREE_OUT_LOST;
    bool all = has_dynamics(sim);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        all = all && (sim->plugins.contact.laws[l].provides & both) == both;
    return all;
}

static bool sample_energy(const scree_sim *sim, GError **error)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    scree_energy now;
    scree_energy_now(sim, &now);
    double residual = now.residual - w->base.residual;
    w->exchanged += sum_changes(&now, &w->last);
    w->available = fmax(w->available, find_available(w, &now));
    w->last = now;
    if (!check_wild(sim, &now, residual, error))
        return false;
    double most = fmax(w->exchanged, 1e-3 * (now.kinetic + fabs(now.stored)));
    const bool off = accounts(sim) && fabs(residual) > SCREE_DIAG_RESIDUAL * most &&
                     fabs(residual) > noise(w, &now);
    w->off = off ? MIN(w->off, sim->step) : UINT64_MAX;
    if (!off || sim->step - w->off < SCREE_DIAG_LASTS)
        return true;
    if (note_warning(w, SCREE_WARN_RESIDUAL, sim->step, fabs(residual) / most)) {
        g_autofree char *cause = suspect(sim, residual);
        scree_say(SCREE_SAY_WARNING,
                  "the energy account is off by %.3g J at step %" PRIu64
                  " (energy has %s), %.3g %% of what was exchanged: %s",
                  residual, sim->step, residual > 0.0 ? "appeared" : "vanished",
                  100.0 * fabs(residual) / most, cause);
    }
    return true;
}

/* overlap */

void scree_diagnostics_overlap(const scree_sim *sim, const scree_overlap *worst, uint64_t step)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    scree_warning *one = &w->warning[SCREE_WARN_OVERLAP];
    if (!(worst->share <= one->worst)) {
        one->worst_step = step;
        one->worst_flags = worst->flags;
        one->worst_id[0] = worst->id_a;
        one->worst_id[1] = worst->id_b;
        for (int k = 0; k < 2; k++)
            one->worst_group[k] = scree_group_of(sim, one->worst_id[k]);
    }
    const bool first = note_warning(w, SCREE_WARN_OVERLAP, step, worst->share);
    if (first) {
        one->body = worst->id_a;
        one->other = worst->id_b;
        one->flags = worst->flags;
    }
    if (first || worst->share >= 10.0 * one->said) { // so there are few lines
        one->said = worst->share;
        scree_say(SCREE_SAY_WARNING,
                  "bodies overlap by %.3g %% of %s at step %" PRIu64 ": body %" PRIu64
                  " (%s) against body %" PRIu64 " (%s), by %.4g m: stiffer contacts%s",
                  100.0 * worst->share, scree_overlap_of(worst->flags), step, worst->id_a,
                  scree_group_of(sim, worst->id_a), worst->id_b, scree_group_of(sim, worst->id_b),
                  worst->depth, sim->dt > w->critical ? ", and a smaller dt" : "");
    }
}

/** Takes the deepest overlap that lanes have noted. Ranks that are apart report theirs later. */
static void take_overlaps(const scree_sim *sim)
{
    const uint32_t n_lanes = scree_pool_lanes(sim->runtime.pool);
    uint64_t n;
    const scree_overlap *worst = scree_overlap_worst(sim->warnings.overlaps, n_lanes, &n);
    if (!worst)
        return;
    scree_diagnostics_overlap(sim, worst, sim->step + 1);
    for (uint32_t k = 0; k < n_lanes; k++)
        sim->warnings.overlaps[k] = (scree_overlap){0};
}

/* crossing */

bool scree_diagnostics_seeks_crossing(const scree_sim *sim)
{
    return sim->warnings.diagnostics &&
           !sim->warnings.diagnostics->warning[SCREE_WARN_CROSSING].count;
}

void scree_diagnostics_speed(const scree_sim *sim, uint32_t i, double speed)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    const scree_world *world = sim->world;
    if (!w || !sim->plugins.contact.n_laws)
        return;
    const scree_shape *shape = world->shapes[world->shape[i]];
    bool sized = !scree_shape_is_wall(shape);
    double size = sized ? scree_world_size(world, i) : w->smallest, way = speed * sim->dt;
    if (!(way > size) || !(size > 0.0))
        return;
    scree_warning *one = &w->warning[SCREE_WARN_CROSSING];
    bool again = one->count && w->crossed == sim->step + 1; // several bodies in one step count once
    w->crossed = sim->step + 1;
    if (again) {
        one->worst = fmax(one->worst, way / size);
        return;
    }
    if (!note_warning(w, SCREE_WARN_CROSSING, sim->step + 1, way / size))
        return;
    one->flags = sized ? shape->flags : SCREE_CAP_ROUND;
    one->body = world->id[i];
    scree_say(SCREE_SAY_WARNING,
              "body %" PRIu64 " (%s) crosses %s in one step: %.4g m at %.4g m/s, step %" PRIu64
              ": it may pass through walls and bodies; a smaller dt",
              one->body, scree_group_of(sim, one->body),
              sized ? size_text(shape->flags) : "the smallest radius", way, speed, sim->step + 1);
}

/* critical step */

static bool sample_contacts(scree_sim *sim, GError **error)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    scree_survey_result found;
    if (!scree_survey_contacts(sim, &found, error))
        return false;
    if (found.body == SCREE_NO_BODY)
        return true;
    if (found.step < w->critical) {
        w->critical = found.step;
        w->critical_body = found.body;
        w->critical_contacts = found.contacts;
        w->critical_step = sim->step + 1;
    }
    if (!(sim->dt > found.step) ||
        !note_warning(w, SCREE_WARN_CRITICAL, sim->step + 1, sim->dt / found.step))
        return true;
    w->warning[SCREE_WARN_CRITICAL].body = found.body;
    if (sim->dt <= sim->certain) // otherwise it was reported at the start of the run
        scree_say(SCREE_SAY_WARNING,
                  "dt = %g s is above the critical step %g s of body %" PRIu64
                  " (%s) with %u contact%s at step %" PRIu64
                  ": the run may gain energy; a smaller dt",
                  sim->dt, found.step, found.body, scree_group_of(sim, found.body), found.contacts,
                  found.contacts == 1 ? "" : "s", sim->step + 1);
    return true;
}

/* steps */

/** Finds the thinnest size, over all shapes: unused ones only cause a look at more bodies. */
static double find_thinnest(const scree_world *world)
{
    double thinnest = 1.0;
    for (uint32_t i = 0; i < world->n_shapes; i++)
        if (!scree_shape_is_wall(world->shapes[i]))
            thinnest =
                fmin(thinnest, scree_shape_size(world->shapes[i]) / world->shapes[i]->radius);
    return thinnest;
}

/** Updates values that depend on the current bodies. */
static void measure_bodies(scree_sim *sim)
{
    const scree_world *world = sim->world;
    const double *g = world->gravity;
    double least = HUGE_VAL, sum = 0.0, mass = 0.0, far = 0.0;
    for (uint32_t i = 0; i < world->n_free; i++) {
        const double size = scree_world_size(world, i);
        least = fmin(least, size);
        sum += world->mass[i] * size;
        mass += world->mass[i];
        for (int k = 0; k < 3; k++)
            far = fmax(far, fabs(world->x[k][i]));
    }
    sim->warnings.thinnest = find_thinnest(world);
    double speed = ROUNDED * DBL_EPSILON * far / sim->dt;
    sim->warnings.diagnostics->rounding = 0.5 * mass * speed * speed;
    sim->warnings.diagnostics->settling =
        SETTLES * sum * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    sim->warnings.diagnostics->smallest = isfinite(least) ? least : 0.0;
    sim->warnings.deep = sim->plugins.contact.n_laws ? SCREE_DIAG_OVERLAP * least : HUGE_VAL;
}

void scree_diagnostics_swapped(const scree_sim *sim)
{
    if (!sim->warnings.diagnostics)
        return;
    sim->warnings.diagnostics->critical = sim->critical;
    sim->warnings.diagnostics->critical_body = SCREE_NO_BODY;
}

void scree_diagnostics_begin_step(scree_sim *sim)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    if (!w)
        return;
    const uint64_t next = sim->step + 1;
    if (!w->begun) {
        begin(sim);
        measure_bodies(sim);
    }
    const bool doubtful = w->off != UINT64_MAX && !w->warning[SCREE_WARN_RESIDUAL].count;
    const bool close = sim->dt > w->critical || !isfinite(w->critical) || doubtful;
    sim->warnings.samples = next % (close ? SCREE_DIAG_CLOSE : SCREE_DIAG_SAMPLE) == 0;
    sim->warnings.seeks_deep =
        sim->contacts.n_candidates <= FEW_WARNINGS || next % SCREE_DIAG_DEEP == 0;
    sim->warnings.surveys = next == SCREE_DIAG_SAMPLE || next % SCREE_DIAG_SURVEY == 0;
}

/** After bodies were remade: finds their critical step, unless dt was already reported. */
static bool sample_critical(scree_sim *sim, GError **error)
{
    double critical, dt = sim->dt;
    if (!sim->edits.remade || sim->dt > sim->certain)
        return true;
    sim->edits.remade = false;
    if (!scree_sim_step_of(sim, &dt, &critical, error))
        return false;
    sim->critical = critical;
    scree_diagnostics_swapped(sim);
    return true;
}

bool scree_diagnostics_end_step(scree_sim *sim, GError **error)
{
    if (!sim->warnings.diagnostics || !sim->warnings.samples)
        return true;
    sim->warnings.samples = sim->warnings.surveys = false;
    measure_bodies(sim); // some may be new, and ranks have the whole state
    return sample_critical(sim, error) && sample_energy(sim, error);
}

bool scree_diagnostics_evaluated(scree_sim *sim, GError **error)
{
    if (!sim->warnings.diagnostics || !sim->warnings.diagnostics->begun)
        return true;
    take_overlaps(sim);
    return !sim->warnings.surveys || sample_contacts(sim, error);
}

bool scree_diagnostics_judges(const scree_sim *sim)
{
    const scree_diagnostics *w = sim->warnings.diagnostics;
    return w && w->begun && sim->dt > w->critical;
}

bool scree_diagnostics_renewal(const scree_sim *sim, GError **error)
{
    scree_diagnostics *w = sim->warnings.diagnostics;
    scree_energy now;
    if (!scree_diagnostics_judges(sim))
        return true;
    scree_energy_now(sim, &now);
    double gain =
        now.kinetic - w->base.kinetic + now.gravity - w->base.gravity - now.work + w->base.work;
    return check_wild(sim, &now, gain, error);
}

bool scree_diagnostics_finish(const scree_sim *sim, GError **error)
{
    return !sim->warnings.diagnostics || !sim->warnings.diagnostics->begun ||
           sample_energy(sim, error);
}

/* report */

static void write_warning(const scree_warning *one, scree_warning_kind kind, scree_json *json)
{
    const bool overlap = kind == SCREE_WARN_OVERLAP;
    scree_json_uint(json, "first_step", one->first_step);
    scree_json_real(json, "worst", one->worst);
    if (overlap || kind == SCREE_WARN_CROSSING)
        scree_json_string(json, "of",
                          overlap ? scree_overlap_of(one->flags) : size_text(one->flags));
    if (one->body != SCREE_NO_BODY)
        scree_json_uint(json, "body", one->body);
    if (one->other != SCREE_NO_BODY)
        scree_json_uint(json, "other", one->other);
    if (!overlap)
        return;
    scree_json_string(json, "worst_of", scree_overlap_of(one->worst_flags));
    scree_json_uint(json, "worst_step", one->worst_step);
    scree_json_uint(json, "worst_body", one->worst_id[0]);
    scree_json_uint(json, "worst_other", one->worst_id[1]);
    scree_json_string(json, "worst_group", one->worst_group[0]);
    scree_json_string(json, "worst_other_group", one->worst_group[1]);
}

void scree_diagnostics_json(const scree_sim *sim, scree_json *json)
{
    const scree_diagnostics *w = sim->warnings.diagnostics;
    scree_json_open_object(json, "warnings");
    for (scree_warning_kind k = 0; k < SCREE_WARNINGS; k++) {
        const uint64_t n = w ? w->warning[k].count : 0;
        scree_json_open_object(json, keys[k]);
        scree_json_uint(json, "count", n);
        if (n)
            write_warning(&w->warning[k], k, json);
        scree_json_close_object(json);
    }
    scree_json_close_object(json);
}
