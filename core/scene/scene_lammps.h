/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies from LAMMPS data files: units, materials of types, densities and box checked. */
#ifndef CORE_SCENE_LAMMPS_H
#define CORE_SCENE_LAMMPS_H

#include "scene/scene_build.h"

/** Bodies of a file with format = "lammps"; `body` has what the group says of all of them. */
void scree_build_lammps(scree_build *build, scree_node *group, const scree_look *look,
                        scree_body body);

#endif
