/* SPDX-License-Identifier: Apache-2.0 */
/* A call of make() while a scene is read: its state, the bodies that the source adds after checks,
 * and the end of a source that does not stop. */
#ifndef CORE_SOURCE_BODIES_H
#define CORE_SOURCE_BODIES_H

#include "plugin/instance_data.h"
#include "scene/scene_build.h"

enum { SCREE_MOST_REFUSED = 20 }; /* number of refused bodies that stops a source */

/** A call of make() while a scene is read. It outlives its instance. */
typedef struct scree_source_call {
    scree_build *build;
    scree_node *group;
    scree_instance *instance;
    uint32_t group_index; /* index of the group's name */
    bool open;            /* make() has not returned */
    bool said;            /* a problem gives the reason of the failure */
    uint32_t refused;     /* number of refused bodies */
    uint64_t in_vain;     /* calls since the last accepted body or new problem */
    uint64_t added;
    uint32_t before; /* bodies of the scene before the call */
    scree_cell cell;
    scree_bodies bodies;
    scree_making args;
} scree_source_call;

/** Returns whether the source may continue. False: the call has ended, or it made too many
 * mistakes. A source that does not stop ends the process. `name`: the function's. */
bool scree_source_goes_on(scree_source_call *call, const char *name);
/** Blames the source; returns SCREE_E_CONFIG. */
int32_t scree_source_blame(scree_source_call *call, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Serves as bond() of scree_making. */
int32_t scree_source_bond(void *ctx, uint32_t n, const uint32_t *a, const uint32_t *b);
/** Serves as add() of scree_making; `ctx` is a scree_source_call. */
int32_t scree_source_add(void *ctx, const scree_new_bodies *bodies);

#endif
