/* SPDX-License-Identifier: Apache-2.0 */
/* How many lanes pay: found from the times of steps, never seen in the results (determinism.md,
 * S8). */
#ifndef CORE_LANE_TUNER_H
#define CORE_LANE_TUNER_H

#include <stdbool.h>
#include <stdint.h>

enum { SCREE_LANE_TUNER_LEVELS = 9, SCREE_LANE_TUNER_TIMES = 7 };

/** [ticks] The last steps of one kind. */
typedef struct scree_lane_tuner_times {
    uint64_t n; /* ever noted; the last of them are there */
    uint64_t ticks[SCREE_LANE_TUNER_TIMES];
} scree_lane_tuner_times;

typedef struct scree_lane_tuner {
    bool on;                                 /* the lanes of a step are those that pay */
    uint32_t top;                            /* the highest level */
    uint32_t lanes[SCREE_LANE_TUNER_LEVELS]; /* of each level: 1, ..., all */
    uint32_t home;                           /* level of the steps outside trials */
    uint32_t now;                            /* level of the next step */
    bool skip;                               /* that step is the first one there: it takes longer */
    uint32_t counted;                        /* steps of the current trial */
    scree_lane_tuner_times times[SCREE_LANE_TUNER_LEVELS]
                                [2]; /* [0]: lists were kept, [1]: refreshed */
    uint64_t reference[2];           /* [ticks] of a step on the level below; 0: not known */
    double credit;        /* [ticks] that steps may take longer than on the level below */
    double before;        /* [ticks] credit before the trial of the level above */
    double debt;          /* [ticks] that have to pass before the next one */
    double slow;          /* share of the last steps that did */
    uint64_t since;       /* steps since the level below was tried */
    uint64_t rest, pause; /* steps until the level above may be tried; the next such interval */
    uint64_t steps, lane_steps; /* that were noted, and the sum of their lanes */
} scree_lane_tuner;

void scree_lane_tuner_init(scree_lane_tuner *tuner, uint32_t most);
/** Lanes of the next step, 1 to `most`. */
uint32_t scree_lane_tuner_lanes(const scree_lane_tuner *tuner);
/** A step with so many is over: what it took, and whether lists were refreshed. */
void scree_lane_tuner_note(scree_lane_tuner *tuner, uint64_t ticks, bool refreshed);
/** Lanes that may be asked until lists are refreshed again. */
uint32_t scree_lane_tuner_ahead(const scree_lane_tuner *tuner);

#endif
