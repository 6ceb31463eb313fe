/* SPDX-License-Identifier: Apache-2.0 */
/* A scene after reading and checks: all that a run starts from, nothing that changes. Data only. */
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

/** A body at the start. Mass and inertia follow from shape, scale and material. */
typedef struct scree_body {
    uint64_t id;
    uint32_t shape, material, motion;
    uint32_t group; /* index into scene->group_names */
    uint32_t start; /* row of scene->starts + 1; 0: none */
    double scale;
    double x[3], q[4], v[3], w[3];
    double density; /* [kg/m^3] its own density; 0: that of its material */
} scree_body;

/** An observer or modifier that a scene chooses, with its interval. At most one of the intervals is
 * set; the others are 0. */
typedef struct scree_timed_choice {
    const char *name;
    scree_choice_of *choice;
    uint64_t every_steps;
    double every_time; /* [s] of simulated time */
    double every_wall; /* [s] of wall-clock time */
    int32_t optional;  /* the plugin of an observer need not be installed */
} scree_timed_choice;

/** Returns the scree_timed_choice of this name, or NULL; `all` may be NULL. */
static inline const scree_timed_choice *scree_timed_find(const GPtrArray *all, const char *name)
{
    const guint n = all ? all->len : 0;
    const scree_timed_choice *found = NULL;
    for (guint k = 0; k < n && !found; k++) {
        const scree_timed_choice *one = all->pdata[k];
        found = strcmp(one->name, name) ? NULL : one;
    }
    return found;
}

/** Times at which a run saves its state. At most one interval is set; the others are 0. */
typedef struct scree_save_times {
    uint64_t every_steps;
    double every_time; /* [s] of simulated time */
    double every_wall; /* [s] of wall-clock time */
    uint64_t keep;     /* number of files */
    int32_t at_stop;   /* a run ended by a signal saves its state */
    int32_t at_end;    /* a run that writes files saves its last state */
} scree_save_times;

/** Which boxes are renewed when a body has left its own. */
enum { SCREE_RENEW_ALL, SCREE_RENEW_MOVED, SCREE_RENEW_AUTO };

/** How far boxes extend beyond their bodies (extent.c). */
typedef struct scree_extent_keys {
    double eps_v, eps_e, eps_c; /* [-] [-] [m] */
    int32_t renew;              /* SCREE_RENEW_* */
} scree_extent_keys;

typedef struct scree_renumber_keys {
    uint64_t every; /* steps; 0: never */
} scree_renumber_keys;

typedef struct scree_guard_keys {
    uint64_t every;  /* steps between copies of the state; 0: no copies */
    uint64_t memory; /* [MiB] most memory of a copy */
    uint32_t sample; /* bodies per refresh whose pairs are searched by brute force */
} scree_guard_keys;

typedef struct scree_query_settings {
    scree_choice_of *gcd; /* NULL: the default, not needed yet (scene_plugins.c) */
} scree_query_settings;

typedef struct scree_scene {
    scree_config *config;
    scree_registry *registry;
    char *name; /* name of the file, without folder and .cfg */
    const char *title;
    GPtrArray *memory; /* owns the texts of its keys */
    uint32_t dimension;
    double dt;          /* [s]; NaN: "auto" */
    double dt_fraction; /* share of the smallest critical step, for "auto" */
    double dt_limit;    /* largest allowed dt, as a multiple of the critical step */
    uint64_t steps;
    double gravity[3];
    bool has_region;
    double region_min[3], region_max[3];
    double tilt[3]; /* [m] xy xz yz: the second cell along y is xy farther along x, .. */
    scree_boundary boundary[3];
    double thickness; /* [m] thickness of discs */
    uint64_t seed;

    scree_materials materials;
    double *density;         /* [materials.n] [kg/m^3] */
    double *young, *poisson; /* [materials.n] young_modulus, poisson_ratio; NaN: not given */
    GPtrArray *shapes;       /* elements: scree_shape */
    GPtrArray *shape_types;  /* elements: scree_shape_type, by code */
    GPtrArray *shape_names;  /* elements: char *; the host's own unit sphere and disc first */
    GPtrArray *group_names;  /* elements: char * */
    struct scree_runtime *shape_runtime; /* runtime of the shapes' instances (plugin_shape.h) */
    GHashTable *shape_names_known;       /* name to scree_shape_name (plugin/services.h) */
    GArray *bodies;                      /* elements: scree_body, by id */
    scree_start_values starts;
    /* scree_body: the smallest and the largest that each modifier makes; scale NaN: a file
     * describes them */
    GArray *to_come;

    scree_choice_of *gcd;
    scree_query_settings *query;
    GPtrArray *resolvers; /* elements: scree_choice_of, in config order */
    GPtrArray *forces;    /* elements: scree_choice_of */
    scree_choice_of *integrator;
    scree_choice_of *domain;               /* NULL: one rank */
    GPtrArray *sources;                    /* elements: scree_choice_of, in config order */
    GPtrArray *observers, *modifiers;      /* elements: scree_timed_choice */
    GPtrArray *schedule;                   /* elements: scree_schedule_entry (scene_schedule.h) */
    GPtrArray *stop;                       /* elements: scree_condition (scene_condition.h) */
    bool modifiers_later, observers_later; /* the schedule has modifiers, has observers */

    scree_extent_keys extent;
    scree_renumber_keys renumber;
    scree_guard_keys guard;
    scree_save_times checkpoint;
    struct scree_identity *identity; /* identity.h: must be the same in a continued run */
} scree_scene;

/** Returns whether the periodic cell is not a brick. */
static inline bool scree_scene_tilted(const scree_scene *scene)
{
    return scene->tilt[0] != 0.0 || scene->tilt[1] != 0.0 || scene->tilt[2] != 0.0;
}

/** Returns the index of a group's name; SCREE_NONE: the scene has no such group. */
static inline uint32_t scree_scene_group(const scree_scene *scene, const char *name)
{
    const GPtrArray *names = scene->group_names;
    uint32_t i = 0;
    while (i < names->len && strcmp(names->pdata[i], name) != 0)
        i++;
    return i < names->len ? i : SCREE_NONE;
}

/** Returns the density [kg/m^3] of a body. */
static inline double scree_scene_density(const scree_scene *scene, const scree_body *body)
{
    return body->density > 0.0 ? body->density : scene->density[body->material];
}

#endif
