/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that read a scene: the scene in the making, its regions, named groups, files, intervals,
 * and the texts of a plugin that is called meanwhile, as notes and problems of the scene. */
#ifndef CORE_SCENE_BUILD_H
#define CORE_SCENE_BUILD_H

#include "plugin/instance_data.h"
#include "plugin/names.h"
#include "scene/scene_data.h"

#define SCREE_ID_NONE UINT64_MAX /* of a body whose number is given out at the end */

/** Where a body was given. */
typedef struct scree_place {
    const char *file;
    uint32_t line;
} scree_place;

/** The ids that bodies were given, and where; a million of them must be cheap. */
typedef struct scree_id_set {
    uint32_t *slot; /* [n_slots] 1 + index into scene->bodies, 0: empty; by hash of the id */
    uint32_t n_slots, n;
    uint32_t listed;  /* bodies that the slots know: as long as ids ascend, none */
    uint64_t next;    /* one more than the largest id */
    GArray *places;   /* of uint64_t, by body: index into files << 32 | line */
    GPtrArray *files; /* of char * */
} scree_id_set;

typedef struct scree_build {
    scree_scene *scene;
    scree_config *config;
    const struct scree_top_keys *top; /* nodes of the top level (scene_keys.h) */
    GHashTable *shape_names;          /* name to scree_shape_name */
    scree_id_set ids;                 /* taken so far */
    bool resolvers_good;              /* all that the scene names are there */
    bool told_mass; /* a body whose mass is not a normal number has been reported */
    bool starting;  /* the plugin that is read makes its bodies before the first step, not later */
    struct scree_query_service *query; /* query_service.h; NULL: no source has been read yet */
    guint listed;                      /* bodies that it knows */
    bool told_word;                    /* a note has said how groups of generate are written now */
    bool lacks_recipe;            /* of the group that is read: its shape or material was refused */
    bool untyped;                 /* a shape has come since the shapes were given their types */
    const scree_node *start_node; /* `fields` of the group whose bodies are read, or NULL */
    uint32_t start_row;           /* of scene->starts for its bodies, 0: none yet */
    GArray *start_rows;           /* of scree_start_row (scene_field_uses.c), or NULL */
} scree_build;

/** Common to the bodies of a group: the keys that body groups and generate groups share. */
typedef struct scree_body_template {
    bool valid; /* the scene's words were right; else a problem has been added */
    const scree_shape *shape;
    uint32_t shape_index, material, motion;
    double shape_scale; /* of the named shape times `scale` */
    bool has_material;  /* false: the file must say it */
    bool sized;         /* shape_scale is the size; else radius must come from elsewhere */
    bool size_given;    /* by the group, or by a round shape: no other place may give one */
    double equal;       /* [m] scree_shape_equal_radius: a radius divided by it is a scale */
    double v[3], w[3];
} scree_body_template;

/** min and max of a box, max > min on the axes of the scene. */
bool scree_build_region(scree_build *build, scree_node *group, double min[3], double max[3]);

/** Whether a file can be read; else a problem at the key that names it. */
bool scree_build_file(scree_build *build, scree_node *group, const char *key, const char *path);
/** A problem when a group has more than one of every_steps, every_time, every_wall; how many. */
int scree_build_interval(scree_build *build, const scree_node *group);
/** A problem at its key for each file of a plugin's parameters that cannot be read. */
void scree_build_check_files(scree_build *build, const scree_choice_of *choice);

/** The groups of `key`, which must all be groups; NULL when there are none. */
GPtrArray *scree_build_groups(scree_build *build, const char *key);

/** Texts of the instances of a runtime. */
typedef struct scree_heard {
    scree_runtime *runtime;
    GPtrArray *notes, *failures; /* of char * */
} scree_heard;

/** From now on the runtime's instances are heard; it must not be moved. */
void scree_heard_begin(scree_heard *heard, scree_runtime *runtime);
/** Ends that: notes and, with an error, problems of the group, which may be NULL. */
void scree_heard_end(scree_heard *heard, scree_build *build, const scree_node *group,
                     const GError *error);

#endif
