/* SPDX-License-Identifier: Apache-2.0 */
/* The number of lanes that pay, found from the times of steps; no result depends on it
 * (determinism.md, S8). */
#ifndef CORE_LANE_TUNER_H
#define CORE_LANE_TUNER_H

#include <stdbool.h>
#include <stdint.h>

enum { SCREE_LANE_TUNER_LEVELS = 9, SCREE_LANE_TUNER_TIMES = 15 };

/** [ticks] Times of the last steps of one kind. */
typedef struct scree_lane_tuner_times {
    uint64_t n; /* number noted so far; the array has the last of them */
    uint64_t ticks[SCREE_LANE_TUNER_TIMES];
} scree_lane_tuner_times;

typedef struct scree_lane_tuner {
    bool on;                                 /* the number of lanes is tuned */
    uint32_t top;                            /* the highest level */
    uint32_t lanes[SCREE_LANE_TUNER_LEVELS]; /* number of lanes at each level: 1, ..., all */
    uint32_t home;                           /* level of the steps outside trials */
    uint32_t now;                            /* level of the next step */
    bool short_of_blocks; /* a trial of the level above is due, but lists have too few blocks */
    bool settled;         /* the first trials are over */
    bool skip;            /* the next step is the first one on its level, and slower */
    uint32_t counted;     /* steps of the current trial */
    scree_lane_tuner_times times[SCREE_LANE_TUNER_LEVELS]
                                [2]; /* [0]: lists were kept, [1]: lists were refreshed */
    uint64_t reference[2];           /* [ticks] a step on the level below; 0: unknown */
    double credit;        /* [ticks] by which steps may be slower than on the level below */
    double before;        /* [ticks] credit before the trial of the level above */
    double debt;          /* [ticks] that must pass before the next trial */
    double slow;          /* share of the last steps that were slower */
    uint64_t since;       /* steps since the level below was tried */
    uint64_t rest, pause; /* steps until the level above may be tried; the next such interval */
    uint64_t steps, lane_steps; /* number of noted steps, and the sum of their lanes */
} scree_lane_tuner;

void scree_lane_tuner_init(scree_lane_tuner *tuner, uint32_t most);
/** Returns the number of lanes of the next step, 1 to `most`. */
uint32_t scree_lane_tuner_lanes(const scree_lane_tuner *tuner);
/** Notes a step with this number of lanes: its time, whether lists were refreshed, and the number of
 * their blocks, which is the most lanes that can be tried. */
void scree_lane_tuner_note(scree_lane_tuner *tuner, uint64_t ticks, bool refreshed,
                           uint32_t blocks);
/** Returns the number of blocks that lists should have when they are refreshed. */
uint32_t scree_lane_tuner_ahead(const scree_lane_tuner *tuner);

#endif
