/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: one call of a source's make() in the scene of its instance. */
#ifndef CORE_CHECK_SOURCE_CALL_H
#define CORE_CHECK_SOURCE_CALL_H

#include "scene/scene_build.h"
#include "tools/check/check.h"

typedef struct scree_check_source {
    scree_check *check;
    scree_instance *instance;
    const char *setting;       /* for messages */
    GArray *bodies;            /* of scree_body: those that it has added */
    scree_start_values starts; /* of their fields: body.start is the row */
    /* Which brings the bodies of a source with SCREE_CAP_BY_INTEGRATOR; NULL: one of the file's. */
    scree_instance *integrator;
    double dt;            /* [s]; 0: that of the scene */
    bool going_on;        /* the next call is in mid-run: no shapes, no region */
    bool may_refuse;      /* it lacks services: an error with a text is fine */
    int32_t refuse_after; /* calls of add() that are accepted; negative: all */
    scree_scene *scene;
    scree_build build;
    GArray *there; /* of scree_check_body: what scree.query/1 answers about */
    bool open, reported, refused;
    uint64_t most, taken; /* wanted, and added, in this call */
    int32_t calls;
    scree_bodies view;
} scree_check_source;

/** A scene without bodies of the source; borrows the instance. */
scree_check_source *scree_check_source_new(scree_check *check, scree_instance *instance,
                                           const char *setting);
void scree_check_source_free(scree_check_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_check_source, scree_check_source_free)
/** Calls make() and judges it; false when it gave an error, as it may or must, or has failed the
 * check. */
bool scree_check_source_make(scree_check_source *source, uint64_t first, uint64_t most);
/** Forgets the bodies. */
void scree_check_source_clear(scree_check_source *source);

#endif
