/* SPDX-License-Identifier: Apache-2.0 */
/* Routes in the same scene written in another way. */
#ifndef CORE_ROUTE_TWINS_H
#define CORE_ROUTE_TWINS_H

#include "tools/check/check.h"

/** As another lattice. */
void scree_route_twins_lattice(scree_check *check);
/** Along other axes. */
void scree_route_twins_axes(scree_check *check);
/** In a mirror. */
void scree_route_twins_mirror(scree_check *check);
/** All of it moving at one speed. */
void scree_route_twins_moving(scree_check *check);
/** In other units. */
void scree_route_twins_units(scree_check *check);
/** Moments as times instead of steps. */
void scree_route_twins_moments(scree_check *check);

#endif
