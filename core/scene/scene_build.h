/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that read a scene: the scene in the making, vectors of its dimension. */
#ifndef CORE_SCENE_BUILD_H
#define CORE_SCENE_BUILD_H

#include "scene/scene.h"

#define SCREE_ID_NONE UINT64_MAX /* of a body whose number is given out at the end */

/** Meaning of a name of `shapes`: spheres and discs are the host's unit shapes, scaled. */
typedef struct scree_shape_name {
    uint32_t index; /* into scene->shapes */
    double scale;
    bool sized; /* false: the host's own, the body must give a radius */
} scree_shape_name;

/** Where a body was given. */
typedef struct scree_place {
    const char *file;
    uint32_t line;
} scree_place;

/** The ids that bodies were given, and where; a million of them must be cheap. */
typedef struct scree_id_set {
    uint32_t *slot; /* [n_slots] 1 + index into scene->bodies, 0: empty; by hash of the id */
    uint32_t n_slots, n;
    GArray *places;   /* of uint64_t, by body: index into files << 32 | line */
    GPtrArray *files; /* of char * */
} scree_id_set;

typedef struct scree_build {
    scree_scene *scene;
    scree_config *config;
    GHashTable *shape_names; /* name to scree_shape_name */
    scree_id_set ids;        /* taken so far */
    uint64_t expected;       /* bodies once the group that is being made is complete, about */
    bool told_mass;          /* a body whose mass is not a normal number has been reported */
} scree_build;

/** Keys that body groups and generate groups share. */
typedef struct scree_look {
    bool valid; /* the scene's words were right; else a problem has been added */
    const scree_shape *shape;
    uint32_t shape_index, material, motion;
    double shape_scale; /* of the named shape times `scale` */
    bool has_material;  /* false: the file must say it */
    bool sized;         /* shape_scale is the size; else radius must come from elsewhere */
    bool size_given;    /* by the group, or by a round shape: no other place may give one */
    double equal;       /* [m] scree_shape_equal_radius: a radius divided by it is a scale */
    double v[3], w[3];
} scree_look;

/** A vector with as many components as the scene has dimensions; in 2D three are fine when the last
 * is 0. False when missing or wrong; out[2] is 0 in 2D. */
bool scree_build_vector(scree_build *build, scree_node *group, const char *key, const char *unit,
                        double out[3], unsigned flags);
/** min and max of a box, max > min on the axes of the scene. */
bool scree_build_region(scree_build *build, scree_node *group, double min[3], double max[3]);

/** Names of `columns = [..]`; NULL when the file is to name them. Free with g_strfreev. */
char **scree_build_columns(scree_build *build, scree_node *group);
/** The path that a key names, of a file that can be read; NULL without the key, or with a problem
 * at its line. New string. */
char *scree_build_file(scree_build *build, scree_node *group, const char *key);

/** The groups of `key`, which must all be groups; NULL when there are none. */
GPtrArray *scree_build_groups(scree_build *build, const char *key);

#endif
