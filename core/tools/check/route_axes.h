/* SPDX-License-Identifier: Apache-2.0 */
/* A scene whose axes have other names: x is called y, y is called z, and z is called x. */
#ifndef CORE_ROUTE_AXES_H
#define CORE_ROUTE_AXES_H

#include "config/config_tree.h"
#include "scene/scene_data.h"

/** Names of axes. In a mirror a shape of its own would be another one, and what turns turns the
 * other way. */
typedef enum scree_route_axes {
    SCREE_ROUTE_AXES_USUAL,
    SCREE_ROUTE_AXES_NEXT,     /* x is called y, y is called z, z is called x */
    SCREE_ROUTE_AXES_EXCHANGED /* x is called y and y is called x: a mirror */
} scree_route_axes;

/** Number of the axis of this number, 0 to 2, in the other names. */
static inline int scree_route_axes_of(scree_route_axes axes, int k)
{
    return axes == SCREE_ROUTE_AXES_NEXT                 ? (k + 1) % 3
           : axes == SCREE_ROUTE_AXES_EXCHANGED && k < 2 ? 1 - k
                                                         : k;
}

/** Writes a vector in the other axes. */
static inline void scree_route_axes_turn(scree_route_axes axes, double v[3])
{
    const double old[3] = {v[0], v[1], v[2]};
    for (int k = 0; k < 3; k++)
        v[scree_route_axes_of(axes, k)] = old[k];
}

/** Whether the parameters say which of them are vectors: a recipe draws bodies at random, and a
 * vector that follows the body, or a list of three numbers, looks like another one. */
bool scree_route_axes_can(const scree_plugin *plugin);
/** Turns the keys of a shape in the group of a scene: the first three values of each list, which
 * are vectors, and places that other numbers follow; not numbers of corners, nor texts. */
void scree_route_axes_turn_group(scree_route_axes axes, const scree_plugin *plugin,
                                 const scree_node *group);
/** Turns the parameters of a plugin: lists of three numbers, zones, and the letters of axes. */
void scree_route_axes_turn_plugin(scree_route_axes axes, const scree_choice_of *choice);

#endif
