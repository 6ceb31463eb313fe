/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: calls make() of a source, in the scene of its instance. */
#ifndef CORE_CHECK_SOURCE_CALL_H
#define CORE_CHECK_SOURCE_CALL_H

#include "scene/scene_build.h"
#include "tools/check/check.h"

typedef struct scree_check_source {
    scree_check *check;
    scree_instance *instance;
    const char *setting;  /* for messages */
    GArray *bodies;       /* elements: scree_body, added by the source */
    bool going_on;        /* the next call comes during a run: no shapes, no region */
    bool may_refuse;      /* services are missing: an error with a text is allowed */
    int32_t refuse_after; /* number of calls of add() that are accepted; negative: all */
    scree_scene *scene;
    scree_build build;
    bool open, reported, refused;
    uint64_t most, taken; /* requested, and added, in this call */
    int32_t calls;
    scree_cell cell;
    scree_bodies view;
} scree_check_source;

/** Makes a scene without bodies of the source; borrows the instance. */
scree_check_source *scree_check_source_new(scree_check *check, scree_instance *instance,
                                           const char *setting);
void scree_check_source_free(scree_check_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_source, scree_check_source_free)
/** Calls make() and judges it. False: it returned an error, as it may or must, or has failed the
 * check. */
bool scree_check_source_make(scree_check_source *source, uint64_t first, uint64_t most);
/** Drops the bodies. */
void scree_check_source_clear(scree_check_source *source);

#endif
