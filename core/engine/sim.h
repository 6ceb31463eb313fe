/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a run in memory (state.h), and ends it. */
#ifndef CORE_SIM_H
#define CORE_SIM_H

#include "engine/state.h"

typedef struct scree_sim_options {
    uint32_t threads; /* 0 means 1 */
    uint32_t blocks;  /* 0: as many as lanes pay off */
    uint32_t batch;   /* 0: the default, 512 */
    double t0;
    const volatile int *cancelled;
    const char *output_dir; /* NULL: observers that write are refused */
    bool check_dt;  /* warns of a dt above which no contact is stable, refuses one far above it, and
                       watches the run (diagnostics.h) */
    bool all_lanes; /* tests: each loop uses all threads */
    bool waits;     /* the first evaluation waits for scree_sim_start */
    struct scree_ranks *ranks; /* borrowed; NULL: one rank */
    scree_legacy *goes_on; /* NULL: the run starts with the scene; otherwise its state comes later,
                              and nothing is evaluated before */
} scree_sim_options;

/** Makes instances, builds the world, evaluates the initial state. Owns `scene` from then on. */
scree_sim *scree_sim_new(scree_scene *scene, const scree_sim_options *options, GError **error);
/** With `waits`: evaluates the initial state. sim->records.contacts and sim->records.walls may be
 * set before. */
bool scree_sim_start(scree_sim *sim, GError **error);
void scree_sim_free(scree_sim *sim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_sim, scree_sim_free)

#endif
