/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a scene share: the scene in the making, vectors of its dimension, looks.
 */
#ifndef CORE_SCENE_BUILD_H
#define CORE_SCENE_BUILD_H

#include "scene/scene.h"

#define SCREE_ID_NONE UINT64_MAX /* of a body whose number is given out at the end */

/** What a name of `shapes` stands for: spheres and discs are the host's unit shapes, scaled. */
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
    bool told_mass;          /* a body whose mass is no normal number has been told of */
} scree_build;

/** What body groups and generate groups say in the same words. */
typedef struct scree_look {
    bool valid; /* the scene's words were right; else a problem has been added */
    const scree_shape *shape;
    uint32_t shape_index, material, motion;
    double shape_scale; /* of the named shape times `scale` */
    bool has_material;  /* false: the file must say it */
    bool sized;         /* shape_scale is the size; else radius must come from elsewhere */
    double v[3], w[3];
} scree_look;

/** The look of a body: keys shape, material, motion, velocity, spin, scale, radius or diameter. */
void scree_build_look(scree_build *build, scree_node *group, scree_look *look);

/** [m/s] `velocity_random` of a group: a Gaussian's deviation, or the amplitude of what is uniform.
 */
double scree_build_velocity_random(scree_build *build, scree_node *group, bool *uniform);

/** A vector with as many components as the scene has dimensions; in 2D three are fine when the last
 * is 0. False when missing or wrong; out[2] is 0 in 2D. */
bool scree_build_vector(scree_build *build, scree_node *group, const char *key, const char *unit,
                        double out[3], unsigned flags);
/** min and max of a box, max > min on the axes of the scene. */
bool scree_build_region(scree_build *build, scree_node *group, double min[3], double max[3]);

/** Names of `columns = [..]`; NULL when the file is to name them. Free with g_strfreev. */
char **scree_build_columns(scree_build *build, scree_node *group);

/** The groups of `key`, which must all be groups; NULL when there are none. */
GPtrArray *scree_build_groups(scree_build *build, const char *key);

/** Tries the files of all plugins that the scene names side by side. */
void scree_build_look_ahead(scree_build *build);
/** The plugins of the scene, and its schedule; the integrator before all bodies. */
void scree_build_integrator(scree_build *build);
void scree_build_plugins(scree_build *build);
void scree_build_schedule(scree_build *build);
/** `bonds` of a force law (scene_bonds.c). */
void scree_build_bonds(scree_build *build, scree_choice_of *choice);
extern const char *const scree_hook_keys[]; /* every_steps, .. */
/** The plugin of one slot, a group of `from`; NULL with a problem. */
scree_choice_of *scree_build_choice(scree_build *build, scree_node *from, const char *key,
                                    uint32_t kind, const char *otherwise);
/** A list of groups, or one group alone; missing: `otherwise`, when there is one. */
GPtrArray *scree_build_choices(scree_build *build, scree_node *from, const char *key, uint32_t kind,
                               const char *otherwise);
/** A named observer or modifier; NULL with a problem. */
scree_hook *scree_build_hook(scree_build *build, scree_node *group, uint32_t kind);
void scree_hook_free(void *hook);
/** What resolvers provide (SCREE_GIVES_*), all together; of NULL nothing. */
uint64_t scree_build_given(const GPtrArray *resolvers);
/** Problems for laws that need, beyond point, normal and depth, what is not given. */
void scree_build_check_needs(scree_build *build, const GPtrArray *forces, uint64_t given);
/** Problems for groups of bodies that a plugin names (SCREE_GROUP) and that are not there. */
void scree_build_check_groups(scree_build *build, const scree_choice_of *choice);

void scree_build_shapes(scree_build *build);
/** The shape of a `mesh` with a `file`; NULL with problems. */
scree_shape *scree_build_mesh(scree_build *build, scree_node *group);
void scree_build_bodies(scree_build *build);
void scree_build_generate(scree_build *build);
/** Gives numbers to bodies without one and sorts by number. */
void scree_build_number(scree_build *build);

/** When the run is saved: the group `checkpoint`. */
void scree_build_checkpoint(scree_build *build);

/** Index of a material, or -1 with a problem at `at` or in the row. */
int scree_build_find_material(scree_build *build, const scree_node *at, const scree_place *row,
                              const char *word);
/** Bodies of a file with format = "lammps"; `body` has what the group says of all of them. */
void scree_build_lammps(scree_build *build, scree_node *group, const scree_look *look,
                        scree_body body);
/** Adds problems for what a body of a file may not have: motion out of the plane in 2D, velocity
 * of a fixed one. */
void scree_build_check_body(scree_build *build, const scree_place *row, const scree_body *body);
/** Adds a body; `row` (its place in a table, or NULL) and `at` stand in messages. */
void scree_build_add(scree_build *build, const scree_node *at, const scree_place *row,
                     scree_body body);
/** A problem, told once, when no force could move the body: its mass under- or overflows. */
void scree_build_check_mass(scree_build *build, const scree_node *at, const scree_body *body);
void scree_id_set_clear(scree_id_set *ids);
/** Index of the group's name, appended when new. */
uint32_t scree_build_group_name(scree_build *build, const char *name);

/** Fills a parameter that speaks of the scene: SCREE_ZONE, SCREE_RECIPE or SCREE_MATERIALS; `node`
 * is its setting, or NULL. */
void scree_schema_fill_scene(struct scree_fill *fill, const scree_param *param, scree_node *node,
                             void *at);

/** Writes the scene with all that followed from defaults, in the syntax it was read in. */
char *scree_scene_print(const scree_scene *scene);
/** "gcd = { plugin = "grid"; };": one setting on one line, as it was given. New string. */
char *scree_node_line(const scree_node *node);

#endif
