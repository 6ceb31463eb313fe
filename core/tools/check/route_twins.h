/* SPDX-License-Identifier: Apache-2.0 */
/* Routes in the same scene written in another way. */
#ifndef CORE_ROUTE_TWINS_H
#define CORE_ROUTE_TWINS_H

#include "tools/check/route_leg.h"

/* Work of legs (route_leg.h), and why a plugin lacks it. */

/** As another lattice. */
void scree_route_twins_lattice(const scree_route_scene *from, const scree_route_outcome *a);
/** Along other axes. */
void scree_route_twins_axes(const scree_route_scene *from, const scree_route_outcome *a);
const char *scree_route_twins_lack_axes(const scree_check *check);
/** In a mirror. */
void scree_route_twins_mirror(const scree_route_scene *from, const scree_route_outcome *a);
const char *scree_route_twins_lack_mirror(const scree_check *check);
void scree_route_twins_end_axes(scree_check *check, const scree_route_seen *seen);
void scree_route_twins_end_mirror(scree_check *check, const scree_route_seen *seen);
/** All of it elsewhere; and moving at one speed, too. */
void scree_route_twins_elsewhere(const scree_route_scene *from, const scree_route_outcome *a);
const char *scree_route_twins_lack_elsewhere(const scree_check *check);
void scree_route_twins_moving(const scree_route_scene *from, const scree_route_outcome *a);
/** In other units. */
void scree_route_twins_units(const scree_route_scene *from, const scree_route_outcome *a);
/** Moments as times instead of steps. */
void scree_route_twins_moments(const scree_route_scene *from, const scree_route_outcome *a);
const char *scree_route_twins_lack_moments(const scree_check *check);

#endif
