/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings at the start and the end of a run. */
#ifndef CORE_WARNINGS_H
#define CORE_WARNINGS_H

#include "critical/critical.h"
#include "engine/state.h"

/** Warns of a dt above which no contact is stable (scree_critical_certain), with both numbers.
 * False with an error: it is above scene.dt_limit times that. Between the smallest critical step
 * and this one, the contacts of the run decide (diagnostics.h). */
bool scree_check_dt(const scree_scene *scene, double dt, const scree_critical *critical,
                    GError **error);
/** Returns the worst overlap of the first evaluation, "0.0012 m (24 % of the smaller radius), body
 * 3 (a) against 4 (b), ..."; NULL: no overlap. New string. */
char *scree_check_overlap(const scree_sim *sim);
/** Warns of this overlap if it is above a percent of the smaller radius, and of walls of facets
 * that are wider than a periodic cell. */
void scree_check_start(const scree_sim *sim);
/** Counts free bodies with centres outside of scene.region, along axes with an open boundary. */
uint32_t scree_check_outside(const scree_sim *sim);
/** At the end: warns if the boundary has destroyed more than a percent of the free bodies, all around
 * and without a plugin that inserts bodies: "destroy" along some axes, or after such a plugin, is a way
 * out. */
void scree_check_destroyed(const scree_sim *sim);
/** Returns the name of the group of the body with this id; "?": no such body. */
const char *scree_group_of(const scree_sim *sim, uint64_t id);
/** Warns of plugins whose file was overwritten during the run, which changes their code. */
void scree_check_files(void);

#endif
