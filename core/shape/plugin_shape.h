/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that plugins make: an instance per shape of the scene, its measure, frame, boxes, views. */
#ifndef CORE_PLUGIN_SHAPE_H
#define CORE_PLUGIN_SHAPE_H

#include "plugin/call.h"
#include "plugin/instance_data.h"
#include "shape/shape.h"

/** A shape that a plugin makes. */
typedef struct scree_plugin_shape {
    scree_shape shape; /* first: the public pointer; its ctx is this struct */
    scree_instance *instance;
    scree_choice_of *choice;
    scree_measure measure; /* in its present frame */
    scree_frame frame;     /* of place(); the identity when it was not called */
    double half[3], thin;  /* [m] as in shape_size.h; 0 of walls */
    pthread_mutex_t mutex; /* of views */
    GPtrArray *views; /* of those that were asked for; scree_plugin_shape_free_view frees one */
} scree_plugin_shape;

/** Frees a shape of a plugin, or one of the host's own. Accepts NULL. */
void scree_any_shape_free(scree_shape *shape);

/** Its instance; NULL for a shape of the host's own. */
scree_instance *scree_shape_instance(const scree_shape *shape);
/** The choice of its plugin; NULL for a shape of the host's own. */
const scree_choice_of *scree_shape_choice(const scree_shape *shape);
/** Its measure in its present frame; NULL for a shape of the host's own. */
const scree_measure *scree_shape_measure(const scree_shape *shape);
/** Bytes that it holds, with its instance and views. */
uint64_t scree_shape_bytes(const scree_shape *shape);

/** Moves a pose of the user's frame to that of the shape's: x [m] becomes the centre of mass of a
 * body of that scale, q turns the principal frame. */
void scree_shape_enter_frame(const scree_shape *shape, double scale, double x[3], double q[4]);

/** [config][step] A view by its name, as in shape.h; NULL: it has none. A fault of the plugin is
 * printed, and there is no view. */
const void *scree_shape_find_view(const scree_shape *shape, const char *name, double tolerance);
/** [lane] boxes() of a solid or a wall that a plugin makes. `tag`: how much is compared after the
 * call; above SCREE_CALL_LANE one call at a time. `error` NULL: the instance keeps the text. */
bool scree_shape_find_boxes(const scree_shape *shape, const scree_shape_boxes *batch,
                            scree_call_tag tag, GError **error);

/* For plugin_shape_new.c. */

/** Whether bodies with these flags have their frame moved: solids and clumps. */
static inline bool scree_plugin_shape_is_placed(uint32_t flags)
{
    return !(flags & (SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/** Asks the plugin for a view, and judges the answer. */
bool scree_plugin_shape_ask(const scree_plugin_shape *shape, const char *name, double tolerance,
                            const void **view, GError **error);
/** Remembers the answer. */
void scree_plugin_shape_keep(scree_plugin_shape *shape, const char *name, double tolerance,
                             const void *view);
void scree_plugin_shape_free_view(void *view);

/** Farthest points in n directions. False, with blame, when one is beyond the radius, or not a number; any lane may
 * call it. */
bool scree_shape_ask_farthest(const scree_shape *shape, const scree_support *support, uint32_t n,
                              const double *const direction[3], double *const point[3],
                              GError **error);
/** After a resolver has failed: false, with blame, when the support or the implicit function of a shape gives
 * what no resolver can use. Asks in many directions, some of them of small length; any lane may call it. */
bool scree_shape_check_answers(const scree_shape *shape, GError **error);

#endif
