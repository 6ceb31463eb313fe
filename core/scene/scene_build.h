/* SPDX-License-Identifier: Apache-2.0 */
/* The scene in the making; its regions, named groups, files, intervals; messages of plugins that
 * are called meanwhile, as notes and problems of the scene. */
#ifndef CORE_SCENE_BUILD_H
#define CORE_SCENE_BUILD_H

#include "plugin/instance_data.h"
#include "plugin/services.h"
#include "scene/scene_data.h"

#define SCREE_ID_NONE UINT64_MAX /* body that gets its number at the end */

struct scree_column; /* table.h, whose names the engine has for its own */
struct scree_table;

/** Place where a body was given. */
typedef struct scree_place {
    const char *file;
    uint32_t line;
} scree_place;

/** The ids of bodies, and the places where these were given; a million of them must be cheap. */
typedef struct scree_id_set {
    GHashTable *taken; /* ids of the first `listed` bodies; NULL while ids ascend */
    uint32_t listed;
    uint64_t next;    /* largest id + 1 */
    GArray *places;   /* elements: uint64_t, by body: index into files << 32 | line */
    GPtrArray *files; /* elements: char * */
} scree_id_set;

/** Rooms of a scene whose groups have former words for a source. */
typedef enum scree_former {
    SCREE_FORMER_GENERATE, // `method`
    SCREE_FORMER_BODIES,   // `file` and `format`
    SCREE_FORMER_END
} scree_former;

typedef struct scree_build {
    scree_scene *scene;
    scree_config *config;
    const struct scree_top_keys *top; /* nodes of the top level (scene_keys.h) */
    GHashTable *shape_names;          /* name to scree_shape_name */
    scree_id_set ids;                 /* ids so far */
    bool resolvers_good;              /* all resolvers that the scene names exist */
    bool told_mass;                   /* a body with an invalid mass has been reported */
    bool starting; /* the current plugin makes bodies only before the first step */
    struct scree_query_service *query;  /* query_service.h; NULL: no source was read yet */
    guint listed;                       /* number of bodies that it has */
    bool told_former[SCREE_FORMER_END]; /* a note has explained the current words, by room */
    bool lacks_recipe;                  /* the shape or material of the current group was refused */
    bool untyped;                       /* a shape was added after types were given to shapes */
    const scree_node *start_node;       /* `fields` of the current group of bodies, or NULL */
    uint32_t start_row;                 /* row of scene->starts for its bodies; 0: none yet */
    GArray *bonds; /* elements: scree_bond_pair, of sources, by place, later by id; NULL: none */
    const scree_node *bonds_at; /* the first group whose source bonds */
    GArray *start_rows;         /* elements: scree_start_row (scene_field_uses.c), or NULL */
} scree_build;

/** Data common to the bodies of a group: keys shared by groups of bodies and of generate. */
typedef struct scree_body_template {
    bool valid; /* false: the keys are wrong, and a problem was added */
    const scree_shape *shape;
    uint32_t shape_index, material, motion;
    double shape_scale; /* the named shape's scale times `scale` */
    bool has_material;  /* false: the file must give it */
    bool sized;         /* shape_scale is the size; otherwise a radius must come from elsewhere */
    bool size_given;    /* the group or a round shape gives the size: others may not */
    double equal;       /* [m] scree_shape_equal_radius; a scale is a radius over it */
    double v[3], w[3];
} scree_body_template;

/** Reads min and max of a box, max > min on the axes of the scene; and its tilt, unless that is
 * NULL. */
bool scree_build_region(scree_build *build, scree_node *group, double min[3], double max[3],
                        double *tilt);

/** Returns whether a file can be read; otherwise adds a problem at the key that names it. */
bool scree_build_file(scree_build *build, scree_node *group, const char *key, const char *path);
/** Reads the table that a key names; NULL with problems. `columns`: names that the scene gives them,
 * or NULL. */
struct scree_table *scree_build_table(scree_build *build, scree_node *group, const char *key,
                                      const char *path, const struct scree_column *known,
                                      uint32_t n_known, const char *const *columns);
/** Counts every_steps, every_time, every_wall in a group; more than one is a problem. */
int scree_build_interval(scree_build *build, const scree_node *group);
/** Adds a problem at its key for each unreadable file in a plugin's parameters. */
void scree_build_check_files(scree_build *build, const scree_choice_of *choice);

/** The groups in `key`, which must hold only groups; NULL: it has none. */
GPtrArray *scree_build_groups(scree_build *build, const char *key);

/** Reads each of these groups; a shortage names it. */
void scree_build_each(scree_build *build, const char *key,
                      void (*read)(scree_build *build, scree_node *group));

/** Messages of a runtime's instances. */
typedef struct scree_heard {
    scree_runtime *runtime;
    GPtrArray *notes, *failures; /* elements: char * */
} scree_heard;

/** Begins to collect messages of the runtime's instances; the runtime may not move. */
void scree_heard_begin(scree_heard *heard, scree_runtime *runtime);
/** Ends it: adds notes and, with an error, problems of the group, which may be NULL. */
void scree_heard_end(scree_heard *heard, scree_build *build, const scree_node *group,
                     const GError *error);

/** Returns the end of a message about a missing group: the nearest name. New string. */
char *scree_build_group_hint(const scree_build *build, const char *name);

#endif
