/* SPDX-License-Identifier: Apache-2.0 */
/* Work, waiting and messages of the ranks of a run. */
#ifndef CORE_RANK_REPORT_H
#define CORE_RANK_REPORT_H

#include "base/json.h"
#include "engine/ranks.h"
#include "engine/state.h"

/** Opens the ledger of a run; on several ranks, also what they count. */
void scree_rank_report_open(scree_sim *sim);
/** After steps, on all ranks: gathers on rank 0 what each has done in the `wall` seconds since. */
bool scree_rank_report_gather(const scree_sim *sim, double wall, GError **error);
/** Returns the CPU time [s] of all ranks in these steps, on rank 0. */
double scree_rank_report_cpu(const scree_ranks *ranks);
/** Writes the members `apart` and `rank_work` of a run on several ranks. */
void scree_rank_report_write(const scree_sim *sim, scree_json *json);
/** Returns the peak of resident memory of this process [bytes]. */
uint64_t scree_peak_rss(void);

#endif
