/* SPDX-License-Identifier: Apache-2.0 */
/* A scene whose axes have other names: x is called y, y is called z, and z is called x. */
#ifndef CORE_ROUTE_AXES_H
#define CORE_ROUTE_AXES_H

#include "scene/scene_data.h"

/** Writes a vector in the other axes. */
static inline void scree_route_axes_turn(double v[3])
{
    const double last = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = last;
}

/** Whether the parameters say which of them are vectors: a recipe draws bodies at random, and a
 * vector that follows the body, or a list of three numbers, looks like another one. */
bool scree_route_axes_can(const scree_plugin *plugin);
/** Turns the parameters of the plugin, which the scene chooses once: lists of three numbers, zones,
 * and the letters of axes. */
void scree_route_axes_turn_plugin(scree_scene *scene, const scree_plugin *plugin);

#endif
