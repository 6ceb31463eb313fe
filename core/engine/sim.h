/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a run in memory (state.h), and ends it. */
#ifndef CORE_SIM_H
#define CORE_SIM_H

#include "engine/state.h"

typedef struct scree_sim_options {
    uint32_t threads; /* 0: 1 */
    uint32_t blocks;  /* 0: as many as lanes pay */
    uint32_t batch;   /* 0: the default, 512 */
    double t0;
    const volatile int *cancelled;
    const char *output_dir; /* NULL: observers that write are refused */
    bool check_dt;  /* warns of a dt that no contact survives, refuses one far above it, and watches
                       the run (diagnostics.h) */
    bool all_lanes; /* tests: each loop uses all threads, whether they pay or not */
    bool waits;     /* the first evaluation waits for scree_sim_start */
    scree_legacy *goes_on; /* NULL: from the start of the scene; else its state is restored later,
                              and nothing is evaluated before */
} scree_sim_options;

/** Takes over `scene`. Makes instances, builds the world, evaluates the initial state. */
scree_sim *scree_sim_new(scree_scene *scene, const scree_sim_options *options, GError **error);
/** With `waits`: evaluates the initial state. sim->records.contacts and sim->records.walls may be
 * set before it. */
bool scree_sim_start(scree_sim *sim, GError **error);
void scree_sim_free(scree_sim *sim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_sim, scree_sim_free)

#endif
