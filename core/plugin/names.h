/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.names/1: what the names of a scene stand for, and the names of what is known by
 * its index. */
#ifndef CORE_NAMES_H
#define CORE_NAMES_H

#include "plugin/instance_data.h"

/** Meaning of a name of `shapes`: spheres and discs are the host's unit shapes, scaled. */
typedef struct scree_shape_name {
    uint32_t index; /* of the shape, as in scree_bodies.shapes */
    double scale;
    bool sized; /* false: the host's own, the body must give a radius */
} scree_shape_name;

/** The plugin's SCREE_SERVICE_NAMES; NULL: the runtime belongs to no scene. */
const scree_names *scree_names_give(scree_instance *instance);
/** "; did you mean .." with the nearest name of a material, or of a shape, or "". New string. */
char *scree_names_hint(const scree_instance *instance, bool material, const char *word);

#endif
