/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a scene, and the structs that its groups fill. */
#ifndef CORE_SCENE_KEYS_H
#define CORE_SCENE_KEYS_H

#include "config/keys.h"
#include "scene/scene_build.h"

/** The top level: nodes of the scene; NULL: missing. */
typedef struct scree_top_keys {
    scree_node *base, *scene, *materials, *material_pairs, *shapes, *bodies, *generate, *gcd,
        *resolvers, *force, *integrator, *domain, *observers, *modifiers, *query, *extent,
        *renumber, *guard, *checkpoint, *stop, *schedule;
    scree_strings plugin_path;
} scree_top_keys;

typedef struct scree_region_keys {
    double min[3], max[3], tilt[3]; /* [m] */
} scree_region_keys;

/** A ball or a cylinder. */
typedef struct scree_zone_keys {
    int32_t type;                     /* SCREE_ZONE_* */
    double centre[3], from[3], to[3]; /* [m] NaN: wrong, and a problem was added */
    double radius, inner;             /* [m] */
} scree_zone_keys;

typedef struct scree_material_keys {
    double density, young_modulus, poisson_ratio; /* [kg/m^3] [Pa] [-]; NaN: not given */
} scree_material_keys;

/** Keys of bodies and of recipes of bodies. */
typedef struct scree_body_keys {
    const char *shape, *material;   /* NULL: not given */
    double radius, diameter, scale; /* [m] [m] [-] NaN: not given, or wrong */
    int32_t motion;                 /* SCREE_MOTION_*; -1: as suits the shape */
    double velocity[3], spin[3];    /* [m/s] [rad/s] */
} scree_body_keys;

/** Keys of one body, besides scree_body_keys. */
typedef struct scree_one_keys {
    scree_node *fields, *orientation;
    double position[3]; /* [m] NaN: not given, or wrong */
    int64_t id;         /* -1: the next number */
} scree_one_keys;

/** A group that names a source. */
typedef struct scree_generate_keys {
    scree_node *fields;
} scree_generate_keys;

/** Keys of generated bodies, besides scree_body_keys. */
typedef struct scree_made_keys {
    scree_node *distribution, *orientation, *velocity_random;
} scree_made_keys;

typedef struct scree_turn_keys {
    double axis[3], angle; /* [rad] NaN: wrong */
} scree_turn_keys;

typedef struct scree_spread_keys {
    int32_t type;     /* 0: Gaussian, 1: uniform */
    double amplitude; /* [m/s] */
} scree_spread_keys;

/** A size distribution. */
typedef struct scree_size_keys {
    int32_t type, of, by;                            /* SCREE_SIZES_* */
    double min, max, mean, deviation, median, sigma; /* [m], sigma [-]; NaN: not given */
    scree_reals values, cumulative, weights;         /* [m] [-] [-] */
    const char *file;
    scree_strings columns;
    int32_t normalise;
} scree_size_keys;
enum {
    SCREE_SIZES_UNIFORM,
    SCREE_SIZES_NORMAL,
    SCREE_SIZES_LOGNORMAL,
    SCREE_SIZES_TABLE,
    SCREE_SIZES_DISCRETE
};
enum { SCREE_SIZES_RADIUS, SCREE_SIZES_DIAMETER };
enum { SCREE_SIZES_BY_NUMBER, SCREE_SIZES_BY_VOLUME, SCREE_SIZES_BY_MASS };

typedef struct scree_placing_keys {
    const char *unit;
    scree_reals scale;
    scree_node *rotate;
    double move[3]; /* [m] NaN: wrong */
} scree_placing_keys;

/** Keys of a force law that the host reads. */
typedef struct scree_law_keys {
    scree_node *between, *bonds;
} scree_law_keys;

typedef struct scree_bond_keys {
    const char *list;
    double gap; /* [m] */
    int32_t touch;
    double from, until; /* [s] */
    scree_node *groups, *materials;
} scree_bond_keys;

typedef struct scree_start_keys {
    const char *field;
    scree_node *value;
} scree_start_keys;

typedef struct scree_query_keys {
    scree_node *gcd;
} scree_query_keys;

/** A condition in `stop` or in an entry of `schedule`. */
typedef struct scree_when_keys {
    const char *when;
    int64_t every;      /* steps */
    double hold, after; /* [s] 0: none */
} scree_when_keys;

typedef struct scree_entry_keys {
    int64_t at_step; /* -1: none */
    double at_time;  /* [s] NaN: none */
    scree_node *when, *set;
    int32_t if_refused; /* SCREE_REFUSED_* */
    bool by_hand;
} scree_entry_keys;
enum { SCREE_REFUSED_STOP, SCREE_REFUSED_GO_ON };

typedef struct scree_set_keys {
    scree_node *gcd, *resolvers, *force, *integrator, *modifiers, *observers, *scene, *bodies;
} scree_set_keys;

/** The tables, in the order of the page. */
// clang-format off
enum {
    SCREE_KEYS_TOP, SCREE_KEYS_SCENE, SCREE_KEYS_LIVE, SCREE_KEYS_REGION, SCREE_KEYS_BOX, SCREE_KEYS_MATERIAL,
    SCREE_KEYS_ONE, SCREE_KEYS_GENERATE, SCREE_KEYS_BODY, SCREE_KEYS_MADE, SCREE_KEYS_TURN, SCREE_KEYS_TURN_2D,
    SCREE_KEYS_SPREAD, SCREE_KEYS_START, SCREE_KEYS_SIZES, SCREE_KEYS_UNIFORM, SCREE_KEYS_NORMAL,
    SCREE_KEYS_LOGNORMAL, SCREE_KEYS_CURVE, SCREE_KEYS_DISCRETE, SCREE_KEYS_PLACING,
    SCREE_KEYS_TIMED, SCREE_KEYS_LAW, SCREE_KEYS_BONDS, SCREE_KEYS_TOUCH, SCREE_KEYS_BONDED, SCREE_KEYS_ZONE,
    SCREE_KEYS_BALL, SCREE_KEYS_CYLINDER, SCREE_KEYS_QUERY, SCREE_KEYS_EXTENT,
    SCREE_KEYS_RENUMBER, SCREE_KEYS_GUARD, SCREE_KEYS_CHECKPOINT, SCREE_KEYS_WHEN,
    SCREE_KEYS_STOP, SCREE_KEYS_ENTRY, SCREE_KEYS_SET, SCREE_KEYS_CHANGE, SCREE_KEYS_END
};
// clang-format on
extern const scree_key_table
    scree_scene_tables[SCREE_KEYS_END]; /* without a name: part of another table */

/** Fills `to` from a group (NULL: with defaults). The scene owns the strings and arrays in `to`. */
void scree_build_keys(scree_build *build, scree_node *group, int table, void *to);
/** Fills `to` from a group; any other key in it is a problem. */
void scree_build_group(scree_build *build, scree_node *group, int table, void *to);
/** Returns the word of a choice's value. */
const char *scree_keys_word(int table, const char *key, int32_t value);

/** The groups of a scene with this key, without `group`, as scree_config_home says. New string. */
char *scree_keys_homes(const char *key, const char *group, unsigned *n);

#endif
