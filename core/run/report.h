/* SPDX-License-Identifier: Apache-2.0 */
/* The report at the end of a run: a JSON object. */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

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
    const char *state_sha256;
} scree_report;

/** Returns the JSON text; new string. */
char *scree_report_json(const scree_report *report);

#endif
