/* SPDX-License-Identifier: Apache-2.0 */
/* Services without a state of their own: scree.names/1, from names of a scene to indices, and back;
 * scree.sum/1, sums that no order changes. */
#ifndef CORE_SERVICES_H
#define CORE_SERVICES_H

#include "plugin/instance_data.h"

/** Meaning of a name of `shapes`: spheres and discs are unit shapes of the host with a scale. */
typedef struct scree_shape_name {
    uint32_t index; /* index of the shape in scree_bodies.shapes */
    double scale;
    bool sized; /* false: a shape of the host without a size; the body gives a radius */
} scree_shape_name;

/** The plugin's SCREE_SERVICE_NAMES; NULL: the runtime belongs to no scene. */
const scree_names *scree_names_give(scree_instance *instance);
/** "; did you mean .." with the nearest name of a material or of a shape; "": none is near. New
 * string. */
char *scree_names_hint(const scree_instance *instance, bool material, const char *word);

/** The plugin's SCREE_SERVICE_SUM; NULL: it is neither a modifier nor an observer. */
const scree_summer *scree_summer_give(scree_instance *instance);

#endif
