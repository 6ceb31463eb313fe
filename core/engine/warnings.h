/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings at the start and the end of a run. */
#ifndef CORE_WARNINGS_H
#define CORE_WARNINGS_H

#include "critical/critical.h"
#include "engine/state.h"

/** Warns on standard error of a dt above the step that no contact survives (scree_critical_certain),
 * with both numbers; false with an error when it is above scene.dt_limit times that. A dt between the
 * smallest critical step and this one is judged by the contacts of the run (diagnostics.h). */
bool scree_check_dt(const scree_scene *scene, double dt, const scree_critical *critical,
                    GError **error);
/** "0.0012 m (24 % of the smaller radius), body 3 (a) against 4 (b), ...": the worst overlap of the
 * first evaluation; NULL when nothing overlaps. New string. */
char *scree_check_overlap(const scree_sim *sim);
/** Warns of it when it is more than a percent of the smaller radius, and of walls of facets that
 * are wider than a periodic cell. */
void scree_check_start(const scree_sim *sim);
/** Free bodies whose centre is outside of scene.region now, along the axes whose boundary is
 * open. */
uint32_t scree_check_outside(const scree_sim *sim);
/** At the end: warns if the boundary has destroyed more than a percent of the free bodies, all around
 * and without a plugin that inserts bodies: "destroy" along some axes, or after such a plugin, is a way
 * out. */
void scree_check_destroyed(const scree_sim *sim);
/** Name of the group of the body with this id; "?": no such body. */
const char *scree_group_of(const scree_sim *sim, uint64_t id);
/** Warns of plugins whose file was overwritten during the run, which changes the running code. */
void scree_check_files(void);

#endif
