/* SPDX-License-Identifier: Apache-2.0 */
/* The report at the end of a run: final table and JSON object. */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

#include <stdio.h>

#include "engine/figures.h"
#include "engine/observers.h"

/** Filled by the run; all else is read from the state. */
typedef struct scree_report {
    scree_sim *sim;
    const scree_observers *observers;
    const char *folder;      /* NULL: the run wrote nothing */
    double setup_s;          /* [s] until the first step */
    scree_phase_times times; /* times of all steps with their observations */
    uint64_t steps;          /* steps of this run */
    double particle_steps;   /* number of free bodies, summed over the steps */
    bool stopped;            /* a signal stopped the run */
    int ended_by;            /* index of the condition of `stop`; -1: none */
    char *state_sha256, *scene_sha256;
    scree_energy energy;
    double momentum[3], angular_momentum[3];
    double figures[SCREE_MOST_FIGURES];
} scree_report;

/** Computes hashes and sums of the final state, for both forms below. */
void scree_report_take(scree_report *report);
void scree_report_clear(scree_report *report);
void scree_report_print(const scree_report *report, FILE *out);
/** Returns the JSON text; new string. */
char *scree_report_json(const scree_report *report);

#endif
