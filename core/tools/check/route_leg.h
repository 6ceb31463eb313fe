/* SPDX-License-Identifier: Apache-2.0 */
/* A case that runs routes: it goes with each variant of the plugin, and compares other runs with the
 * first one. */
#ifndef CORE_ROUTE_LEG_H
#define CORE_ROUTE_LEG_H

#include "tools/check/check_variants.h"
#include "tools/check/route_run.h"

/** The row of a case: its work after the run of the reference. */
typedef struct scree_route_leg {
    void (*go)(const scree_route_scene *from, const scree_route_outcome *a);
    /** Judges what was seen with all variants; NULL: nothing. */
    void (*end)(scree_check *check, const scree_route_seen *seen);
    bool elastic, churn, lattice, apart; /* as in scree_route_scene */
    bool unwatched;                      /* observers see a user's scene at their own intervals */
    bool free;                           /* not of integrators that bring their bodies */
    bool made_up;                        /* not of a user's scene */
} scree_route_leg;

/** Goes with each variant of the plugin. `row`: a scree_route_leg. */
void scree_route_go(scree_check *check, const void *row);
/** Runs another route; false: it fails, and so does the check. */
bool scree_route_other(const scree_route_scene *from, const scree_route *r, scree_route_outcome *o);
/** Runs another route; fails unless it has the same hash and the same files. */
void scree_route_same_way(const scree_route_scene *from, const scree_route_outcome *a,
                          const scree_route *r);
/** Fails unless places by id, fields, energies, scalars and files are the same to rounding. */
void scree_route_judge_near(const scree_route_scene *from, const scree_route_outcome *a,
                            const scree_route_outcome *b, const scree_route *r);
/** Runs another route, and does so. */
void scree_route_near(const scree_route_scene *from, const scree_route_outcome *a,
                      const scree_route *r);

#endif
