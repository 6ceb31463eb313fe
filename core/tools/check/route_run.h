/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the real engine by a route. */
#ifndef CORE_ROUTE_RUN_H
#define CORE_ROUTE_RUN_H

#include "run/loop.h"
#include "tools/check/route_outcome.h"
#include "tools/check/route_scenes.h"
#include "tools/check/route_units.h"

enum { SCREE_ROUTE_MOST_SETS = 8 };

/** How a run differs from the reference. */
typedef struct scree_route {
    const char *name;
    const char *set[SCREE_ROUTE_MOST_SETS]; /* overrides, then NULL */
    uint32_t lanes;                         /* 0: one */
    uint32_t later;                         /* so many steps more */
    uint32_t finer;                         /* so many steps for one of the reference; 0: 1 */
    uint32_t part; /* it is saved and loaded after so many steps, 1: later after more; 0: never */
    bool erases_hints, elsewhere;
    bool lattice; /* a body may be in another cell of the lattice */
    bool mixed;   /* tables have the same numbers in other columns and rows */
    bool
        blind; /* the observer has a place of its own: files are not compared, scalars only with `units` */
    bool no_arrays;                 // arrays of VTK may be others
    bool short_run;                 // it ends after some steps
    bool may_refuse;                // a plugin may refuse the host with a text
    const scree_route_units *units; // the scene is in these; NULL: in SI
} scree_route;

/** Makes the simulation of a run, which goes on from a checkpoint (NULL: it starts). */
bool scree_route_make(scree_run *run, const scree_route_scene *from, const scree_route *r,
                      uint64_t steps, const char *folder, scree_checkpoint *checkpoint,
                      GError **error);
/** Makes the run. False: it has failed, with the error. */
bool scree_route_travel(const scree_route_scene *from, const scree_route *r, scree_route_outcome *o,
                        GError **error);
/** Makes it in another process, and gives only the hash. False: the check has failed. */
bool scree_route_travel_in_child(const scree_route_scene *from, const scree_route *r,
                                 scree_route_outcome *o);

#endif
