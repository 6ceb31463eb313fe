/* SPDX-License-Identifier: Apache-2.0 */
/* The report at the end of a run: the final table and the JSON object. */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

#include <stdio.h>

#include "engine/figures.h"
#include "engine/observers.h"

/** Filled by the run; the rest is read from the state. */
typedef struct scree_report {
    scree_sim *sim;
    const scree_observers *observers;
    const char *folder;      /* NULL: nothing was written */
    double setup_s;          /* [s] until the first step */
    scree_phase_times times; /* of all steps with their observations */
    uint64_t steps;          /* done by this run */
    double particle_steps;   /* sum over the steps of the number of free bodies */
    bool stopped;            /* by a signal */
    int ended_by;            /* the condition of `stop`; -1: none */
    char *state_sha256, *scene_sha256;
    scree_energy energy;
    double momentum[3], angular_momentum[3];
    double figures[SCREE_MOST_FIGURES];
} scree_report;

/** Hashes and sums of the final state, once for both forms below. */
void scree_report_take(scree_report *report);
void scree_report_clear(scree_report *report);
void scree_report_print(const scree_report *report, FILE *out);
/** New string. */
char *scree_report_json(const scree_report *report);

#endif
