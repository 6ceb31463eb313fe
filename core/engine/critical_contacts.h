/* SPDX-License-Identifier: Apache-2.0 */
/* The critical step of the current contacts of a run. */
#ifndef CORE_CRITICAL_CONTACTS_H
#define CORE_CRITICAL_CONTACTS_H

#include "engine/state.h"

typedef struct scree_survey_result {
    double step;       /* [s] lower bound (critical_bound.h) */
    uint64_t body;     /* id of the body that sets it; UINT64_MAX: the step is not below dt */
    uint32_t contacts; /* number of its contacts */
} scree_survey_result;

/** Bounds the critical step of the committed contacts by their records (sim->warnings.surveys).
 * Bodies with a small enough sum of eigenvalues are skipped; if all are, `body` is UINT64_MAX. */
bool scree_survey_contacts(scree_sim *sim, scree_survey_result *result, GError **error);
/** Finds the smaller critical step [s] of the current bodies and laws, for the step *dt [s]; NaN:
 * "auto", which is found, too. False: a law fails, or the step is too far above the critical
 * one. */
bool scree_sim_step_of(scree_sim *sim, double *dt, double *critical, GError **error);

/** Returns the laws of the run; new array. */
scree_instance **scree_laws_list(const scree_sim *sim);

#endif
