/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a scene, plugins aside, that may change in a run: dt, gravity, region, boundary, bodies. */
#ifndef CORE_SCENE_SETTINGS_H
#define CORE_SCENE_SETTINGS_H

#include "scene/scene_build.h"

/** A group of bodies that is taken out, or set. */
typedef struct scree_group_change {
    uint32_t group; /* of scene->group_names */
    bool off;       /* taken out */
    bool has[2];    /* v, w: for each of its bodies */
    double value[2][3];
} scree_group_change;

/** The keys that a group has; the others stay as they are. */
typedef struct scree_settings {
    bool has_dt, has_gravity, has_boundary;
    scree_node *region; /* where it is given; NULL: it is not */
    double dt;          /* [s]; NaN: "auto" */
    double gravity[3];
    double region_min[3], region_max[3];
    scree_boundary boundary[3];
    GArray *groups; /* of scree_group_change; NULL: none */
} scree_settings;

/** Reads them from a group. A boundary may need a region that the scene has. */
void scree_build_settings(scree_build *build, scree_node *group, scree_settings *settings);
/** Reads `bodies` of an entry: what becomes of groups of bodies that the scene has. */
void scree_build_group_changes(scree_build *build, scree_node *group, scree_settings *settings);
/** Whether anything is set. */
bool scree_settings_any(const scree_settings *settings);
/** Appends "gravity (0 -9.81 0), dt 1e-05 s": what it sets. */
void scree_settings_print(const scree_settings *settings, const scree_scene *scene, GString *out);
/** "(0 -9.81 0)" */
void scree_settings_print_vector(const double v[3], GString *out);
/** "(0 0 0) to (1 1 1)", and "open periodic": of a scene. */
void scree_settings_print_region(const scree_scene *scene, GString *out);
void scree_settings_print_boundary(const scree_scene *scene, GString *out);
/** Gives them to a scene, but for the bodies. */
void scree_settings_apply(const scree_settings *settings, scree_scene *scene);
#endif
