/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as it was read and checked: everything a run starts from, nothing that changes in it. Data only. */
#ifndef CORE_SCENE_DATA_H
#define CORE_SCENE_DATA_H

#include "plugin/choice.h"
#include "scene/start_values.h"

typedef enum scree_boundary {
    SCREE_BOUNDARY_OPEN,
    SCREE_BOUNDARY_STOP,
    SCREE_BOUNDARY_REFLECT,
    SCREE_BOUNDARY_DESTROY,
    SCREE_BOUNDARY_PERIODIC,
} scree_boundary;

/** A body to start with. Mass and inertia follow from shape, scale, material. */
typedef struct scree_body {
    uint64_t id;
    uint32_t shape, material, motion;
    uint32_t group; /* index into scene->group_names */
    uint32_t start; /* row of scene->starts + 1; 0: none */
    double scale;
    double x[3], q[4], v[3], w[3];
    double density; /* [kg/m^3] its own; 0: that of its material */
} scree_body;

/** An observer or modifier that a scene chooses, with its interval. At most one of the intervals is
 * set; the others are 0. */
typedef struct scree_timed_choice {
    const char *name;
    scree_choice_of *choice;
    uint64_t every_steps;
    double every_time; /* [s] simulated */
    double every_wall; /* [s] */
    int32_t optional;  /* an observer whose plugin need not be installed */
} scree_timed_choice;

/** When the state of a run is saved. At most one of the intervals is set; the others are 0. */
typedef struct scree_save_times {
    uint64_t every_steps;
    double every_time; /* [s] simulated */
    double every_wall; /* [s] */
    uint64_t keep;     /* files */
    int32_t at_stop;   /* a signal that ends the run saves its state */
    int32_t at_end;    /* a run that writes saves its last state */
} scree_save_times;

/** How much larger than bodies their boxes are (extent.c). */
typedef struct scree_extent_keys {
    double eps_v, eps_e, eps_c; /* [-] [-] [m] */
    int32_t renew;              /* 0: all boxes, 1: those of bodies that have left theirs */
} scree_extent_keys;

typedef struct scree_renumber_keys {
    uint64_t every; /* steps, 0: never */
} scree_renumber_keys;

typedef struct scree_guard_keys {
    uint64_t every;  /* steps between copies of the state, 0: none */
    uint64_t memory; /* [MiB] that a copy may take */
    uint32_t sample; /* bodies per refresh whose pairs are sought by brute force */
} scree_guard_keys;

typedef struct scree_query_settings {
    scree_choice_of *gcd; /* NULL: the default, not needed yet (scene_plugins.c) */
} scree_query_settings;

typedef struct scree_scene {
    scree_config *config;
    scree_registry *registry;
    char *name; /* of the file, without folder and .cfg */
    const char *title;
    GPtrArray *memory; /* of the texts of its keys */
    uint32_t dimension;
    double dt;          /* [s]; NaN: "auto" */
    double dt_fraction; /* of the smallest critical step, for "auto" */
    double dt_limit;    /* largest dt that is run, as a multiple of the critical step */
    uint64_t steps;
    double gravity[3];
    bool has_region;
    double region_min[3], region_max[3];
    scree_boundary boundary[3];
    double thickness; /* [m] of discs */
    uint64_t seed;

    scree_materials materials;
    double *density;         /* [materials.n] [kg/m^3] */
    double *young, *poisson; /* [materials.n] young_modulus, poisson_ratio, NaN when not given */
    GPtrArray *shapes;       /* of scree_shape */
    GPtrArray *shape_types;  /* of scree_shape_type, by code */
    GPtrArray *shape_names;  /* of char *; the host's own unit sphere and disc come first */
    GPtrArray *group_names;  /* of char * */
    struct scree_runtime *shape_runtime; /* of the instances of shapes (plugin_shape.h) */
    GHashTable *shape_names_known;       /* name to scree_shape_name (plugin/names.h) */
    GArray *bodies;                      /* of scree_body, by id */
    scree_start_values starts;
    /* scree_body: the smallest and the largest that each modifier makes; one with scale NaN for
     * those that a file describes. */
    GArray *to_come;

    scree_choice_of *gcd;
    scree_query_settings *query;
    GPtrArray *resolvers; /* of scree_choice_of, in config order */
    GPtrArray *forces;    /* of scree_choice_of */
    scree_choice_of *integrator;
    GPtrArray *sources;                    /* of scree_choice_of, in config order */
    GPtrArray *observers, *modifiers;      /* of scree_timed_choice */
    GPtrArray *schedule;                   /* of scree_schedule_entry (scene_schedule.h) */
    GPtrArray *stop;                       /* of scree_condition (scene_condition.h) */
    bool modifiers_later, observers_later; /* the schedule has some */

    scree_extent_keys extent;
    scree_renumber_keys renumber;
    scree_guard_keys guard;
    scree_save_times checkpoint;
    struct scree_identity *identity; /* identity.h: what a run that goes on must find again */
} scree_scene;

/** [kg/m^3] Of a body. */
static inline double scree_scene_density(const scree_scene *scene, const scree_body *body)
{
    return body->density > 0.0 ? body->density : scene->density[body->material];
}

#endif
