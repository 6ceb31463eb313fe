/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that plugins make, one instance per shape of the scene: measure, frame, boxes, views. */
#ifndef CORE_PLUGIN_SHAPE_H
#define CORE_PLUGIN_SHAPE_H

#include "plugin/call.h"
#include "plugin/instance_data.h"
#include "shape/shape.h"

/** A shape that a plugin makes. */
typedef struct scree_plugin_shape {
    scree_shape shape; /* first member: the public pointer, whose ctx is this struct */
    scree_instance *instance;
    scree_choice_of *choice;
    scree_measure measure; /* in the current frame of the shape */
    scree_frame frame;     /* given to place(); the identity if place() was not called */
    double half[3], thin;  /* [m] scree_shape_sides, scree_shape_size; 0 for walls */
    pthread_mutex_t mutex; /* protects `views` */
    GPtrArray *views;      /* elements: freed by scree_plugin_shape_free_view */
} scree_plugin_shape;

/** Frees a shape made by a plugin or by the host. Accepts NULL. */
void scree_any_shape_free(scree_shape *shape);

/** Its instance; NULL: the host made the shape. */
scree_instance *scree_shape_instance(const scree_shape *shape);
/** The scene's choice of its plugin; NULL: the host made the shape. */
const scree_choice_of *scree_shape_choice(const scree_shape *shape);
/** Number of bytes that the shape holds, with its instance and views. */
uint64_t scree_shape_bytes(const scree_shape *shape);

/** Moves a pose from the user's frame to the shape's frame: x [m] becomes the centre of mass of a
 * body with this scale, and q turns the principal frame. */
void scree_shape_enter_frame(const scree_shape *shape, double scale, double x[3], double q[4]);

/** [config][step] Finds a view by name (shape.h); NULL: the shape has no such view. A fault of the
 * plugin is printed, and NULL is returned. */
const void *scree_shape_find_view(const scree_shape *shape, const char *name, double tolerance);
/** [lane] Calls boxes() of a solid or a wall made by a plugin. `tag`: how much is compared after
 * the call; above SCREE_CALL_LANE, one call at a time. `error` NULL: the instance keeps it. */
bool scree_shape_find_boxes(const scree_shape *shape, const scree_shape_boxes *batch,
                            scree_call_tag tag, GError **error);

/** Half the sides [m] of the box around the origin that holds the shape at scale 1, in the shape's
 * own axes; 0 for walls. 2D: the third is 0. */
void scree_shape_sides(const scree_shape *shape, double half[3]);
/** [m] Size at scale 1: the radius of a round shape; the radius of a clump's smallest ball; for a
 * solid, half its thinnest side, or the radius of the ball (2D: disc) of equal volume if that is
 * smaller; 0 for walls. */
double scree_shape_size(const scree_shape *shape);

/* For plugin_shape_new.c. */

/** Whether bodies with these flags have a frame that moves: solids and clumps. */
static inline bool scree_plugin_shape_is_placed(uint32_t flags)
{
    return !(flags & (SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/** Asks the plugin for a view, and checks the answer. */
bool scree_plugin_shape_ask(const scree_plugin_shape *shape, const char *name, double tolerance,
                            const void **view, GError **error);
/** Remembers the answer for a view. */
void scree_plugin_shape_keep(scree_plugin_shape *shape, const char *name, double tolerance,
                             const void *view);
void scree_plugin_shape_free_view(void *view);

/** Asks for the farthest points in n directions. False, with blame: a point is beyond the radius,
 * or is not a number. Any lane may call it. */
bool scree_shape_ask_farthest(const scree_shape *shape, const scree_support *support, uint32_t n,
                              const double *const direction[3], double *const point[3],
                              GError **error);
/** Finds the blame after a resolver has failed. False, with blame: the support or the implicit
 * function gives values that no resolver can use. It asks in many directions, also by short
 * vectors. Any lane may call it. */
bool scree_shape_check_answers(const scree_shape *shape, GError **error);

#endif
