/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that do not end a run: each is found, warned of once, and counted. */
#ifndef CORE_DIAGNOSTICS_H
#define CORE_DIAGNOSTICS_H

#include <stdio.h>

#include "base/json.h"
#include "engine/state.h"

/*
 * Residual: the residual of the energy account is above SCREE_DIAG_RESIDUAL of the energy exchanged
 * since the run began or was continued, which is half the sum of the changes of kinetic, gravity,
 * stored, lost and work between samples. It counts only if all laws report stored and lost energy,
 * and if all samples of SCREE_DIAG_LASTS steps show it: where a contact begins, its dashpot is
 * booked for a quarter of a step too much until the contact ends (force.h), and c v^2 dt / 4 is
 * 1 / 4n of the energy that the contact has exchanged in its first n steps.
 * Size: the radius of a ball; for a clump, of its smallest ball; for a solid, half its thinnest
 * side (scree_shape_size). Overlap: a contact overlaps by more than SCREE_DIAG_OVERLAP of the
 * smaller size; for a clump, of the touching ball. Scenes with many candidates are checked in every
 * SCREE_DIAG_DEEP-th step, which is several times in an impact.
 * Crossing: a body moves farther in a step than its size (facets: the smallest one of a free body).
 * All bodies are checked when extents are renewed, some of them at each evaluation.
 * Critical: dt is above the critical step of the current contacts (critical_bound.h).
 *
 * The energy is sampled every SCREE_DIAG_SAMPLE steps (every SCREE_DIAG_CLOSE if dt is above the
 * critical step, and from a too large residual up to its warning), all contacts every
 * SCREE_DIAG_SURVEY steps, and both at the end. A run ends with an error if its dt is above the
 * critical step and its residual above SCREE_DIAG_WILD times the energy available for motion.
 */
#define SCREE_DIAG_RESIDUAL 0.01
#define SCREE_DIAG_OVERLAP 0.05
#define SCREE_DIAG_WILD 10.0
enum {
    SCREE_DIAG_DEEP = 4,
    SCREE_DIAG_SAMPLE = 256,
    SCREE_DIAG_CLOSE = 16,
    SCREE_DIAG_LASTS = 64,
    SCREE_DIAG_SURVEY = 2048
};

typedef enum scree_warning_kind {
    SCREE_WARN_RESIDUAL,
    SCREE_WARN_OVERLAP,
    SCREE_WARN_CROSSING,
    SCREE_WARN_CRITICAL,
    SCREE_WARNINGS
} scree_warning_kind;

typedef struct scree_warning {
    uint64_t count;       /* number of samples with the problem */
    uint64_t first_step;  /* step at whose end it was found first */
    uint64_t body, other; /* ids of the first bodies; SCREE_NO_BODY: none */
    double worst;         /* [-] share of the exchanged energy, the size, or the critical step */
    /* The step of the deepest overlap, and ids and groups of its bodies. */
    uint64_t worst_step, worst_id[2];
    const char *worst_group[2];
    double said;          /* the last share of which a line warns */
    uint32_t worst_flags; /* as `flags`, of the smaller body */
    uint32_t flags;       /* of the first body's shape: SCREE_CAP_ROUND, BALLS, 0: a solid */
} scree_warning;

/** Begins to watch a run: sim->warnings.diagnostics, which is freed with the sim. */
void scree_diagnostics_new(scree_warnings *warnings, double critical);
/** Takes the last sample, after the last step. False with an error, as after a step. */
bool scree_diagnostics_finish(const scree_sim *sim, GError **error);
/** Writes "warnings" of the summary. */
void scree_diagnostics_json(const scree_sim *sim, scree_json *json);

/* Called by the engine; all accept a sim that is not watched. */
/** Before a step: decides what it must record for a sample (sim->warnings.samples,
 * sim->warnings.surveys). */
void scree_diagnostics_begin_step(scree_sim *sim);
/** To be called after a step. False with an error: the run has blown up, or a law failed. */
bool scree_diagnostics_end_step(scree_sim *sim, GError **error);
/** To be called after an accepted evaluation with committed contacts. */
bool scree_diagnostics_evaluated(scree_sim *sim, GError **error);
/** Notes the deepest overlap of the evaluation at the end of a step, and warns of it. */
void scree_diagnostics_overlap(const scree_sim *sim, const scree_overlap *worst, uint64_t step);
/** Returns whether a renewal of extents reads sums over the whole state: dt is above the critical
 * step. */
bool scree_diagnostics_judges(const scree_sim *sim);
/** To be called before extents are renewed, in the middle of a step. */
bool scree_diagnostics_renewal(const scree_sim *sim, GError **error);
/** To be called after a swap has changed sim->critical, or the energies that laws report. */
void scree_diagnostics_swapped(const scree_sim *sim);
/** Notes body i if it crosses its size at this speed [m/s]. */
void scree_diagnostics_speed(const scree_sim *sim, uint32_t i, double speed);
/** Returns whether no such body was found yet. */
bool scree_diagnostics_seeks_crossing(const scree_sim *sim);

#endif
