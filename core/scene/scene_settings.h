/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a scene, except plugins, that may change in a run: dt, gravity, region, bodies, ... */
#ifndef CORE_SCENE_SETTINGS_H
#define CORE_SCENE_SETTINGS_H

#include "scene/scene_build.h"

/** A group of bodies that is removed or set. */
typedef struct scree_group_change {
    uint32_t group; /* index into scene->group_names */
    bool off;       /* removed */
    bool has[2];    /* v and w are set, for each of its bodies */
    double value[2][3];
} scree_group_change;

/** The keys in a group; other settings do not change. */
typedef struct scree_settings {
    bool has_dt, has_gravity, has_boundary;
    scree_node *region; /* its node; NULL: not given */
    double dt;          /* [s]; NaN: "auto" */
    double gravity[3];
    double region_min[3], region_max[3], tilt[3];
    scree_boundary boundary[3];
    GArray *groups; /* elements: scree_group_change; NULL: none */
} scree_settings;

enum { SCREE_MOST_CELLS = 1 << 20 }; /* whole cells along an axis are fewer (engine/shift.h) */

/** Returns over how many cells along an axis the neighbours of a brick in a tilted cell are
 * spread. */
double scree_tilt_cells(const double min[3], const double max[3], const double tilt[3]);
/** Returns why a tilt is not possible, NULL: it is. It leads along axes that repeat, and not too
 * far. */
char *scree_check_tilt(uint32_t dimension, const scree_boundary boundary[3], const double min[3],
                       const double max[3], const double tilt[3]);
/** Reads settings from a group. A boundary may need the region of the scene. */
void scree_build_settings(scree_build *build, scree_node *group, scree_settings *settings);
/** Reads `bodies` of an entry: changes of the scene's groups of bodies. */
void scree_build_group_changes(scree_build *build, scree_node *group, scree_settings *settings);
/** Returns whether anything is set. */
bool scree_settings_any(const scree_settings *settings);
/** Return new strings: "(0 -9.81 0)", "(0 0 0) to (1 1 1)", "open periodic". */
char *scree_settings_show_vector(const double v[3]);
char *scree_settings_show_region(const scree_scene *scene);
char *scree_settings_show_boundary(const scree_scene *scene);
/** Applies the settings to a scene, except those of bodies. */
void scree_settings_apply(const scree_settings *settings, scree_scene *scene);
/** Fills what plugins see of a scene's region and of how it repeats. */
void scree_scene_cell(const scree_scene *scene, scree_cell *cell);
#endif
