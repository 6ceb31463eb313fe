/* SPDX-License-Identifier: Apache-2.0 */
/* The critical step of the contacts that a run has now. */
#ifndef CORE_CRITICAL_CONTACTS_H
#define CORE_CRITICAL_CONTACTS_H

#include "engine/sim.h"

typedef struct scree_survey_result {
    double step;       /* [s] a bound (critical_packing.h) */
    uint64_t body;     /* id of the body that sets it; UINT64_MAX: it is not below dt, see there */
    uint32_t contacts; /* of that body */
} scree_survey_result;

/** Of the committed contacts, as their records say (sim->warnings.surveys). Bodies that are out of
 * the question by the sum of their eigenvalues are passed over: where dt is below the critical step
 * of all by that, `body` is UINT64_MAX. */
bool scree_survey_contacts(scree_sim *sim, scree_survey_result *result, GError **error);

#endif
