/* SPDX-License-Identifier: MIT */
/* Parameters and state fields as data: the host checks, documents, fills and keeps them. */
#ifndef SCREE_PARAMS_H
#define SCREE_PARAMS_H

#include "abi.h"

/* clang-format off */
/*
 * A parameter says where its value goes in the plugin's own plain config struct (`offset`). The
 * host reads the scene, checks type, unit and range, and fills the struct; create() gets a pointer
 * to it that stays valid, with all it points to, until destroy() has returned.
 *
 *   type                     member at `offset`         written in a scene as
 *   SCREE_TYPE_BOOL          int32_t, 0 or 1            true
 *   SCREE_TYPE_CHOICE        int32_t, the choice's      "heap"
 *   SCREE_TYPE_INT           int64_t                    42
 *   SCREE_TYPE_REAL          double                     0.5, "0.5 mm"
 *   SCREE_TYPE_STRING        const char *               "text"
 *   SCREE_TYPE_INT_ARRAY     scree_ints                 [1, 2]
 *   SCREE_TYPE_REAL_ARRAY    scree_reals                (1, 2.5, "3 mm")
 *   SCREE_TYPE_STRING_ARRAY  scree_strings              ("a", "b")
 *   SCREE_TYPE_INT_ROWS      const scree_int_rows *     ((0, 1, 2), (2, 1, 3, 4))
 *   SCREE_TYPE_REAL_ROWS     const scree_real_rows *    ((0, 0), (1, 0), (0, "5 mm"))
 *   SCREE_TYPE_PER_MATERIAL  scree_reals, n materials   2.5
 *   SCREE_TYPE_PER_PAIR      scree_reals, n materials²  0.3
 *   SCREE_TYPE_PLUGIN        const scree_plugin_ref *   { plugin = "grid"; cell = 2.0; }; a shape:
 *                                                       { type = "sphere"; radius = 1e-3; }
 *   SCREE_TYPE_ZONE          const scree_zone *         { min = (0, 0, 0); max = (1, 1, 1); }
 *   SCREE_TYPE_RECIPE        const scree_recipe *       { material = "glass"; radius = 1e-3; }
 *   SCREE_TYPE_MATERIALS     scree_ints, indices        ("glass", "steel")
 *   SCREE_TYPE_PLACING       const scree_placing *      further keys, as below
 *
 * An array or MATERIALS also takes one value that is not in a list; a row is always a list.
 *
 * A ZONE is a box (min, max), a ball (type = "sphere"; centre, radius) or, in 3D, a cylinder (type
 * = "cylinder"; from, to, radius, inner), and must meet the scene's region. An optional ZONE that
 * is absent is that region, or everywhere when the scene has none; the pointer is never NULL. A
 * RECIPE describes the bodies to make, with the keys of `generate`: shape, material, radius or
 * diameter or scale or distribution, orientation, motion, velocity, velocity_random, spin.
 *
 * PLACING moves the coordinates of a shape. It has no key of its own name, but four others in the
 * plugin's group: `unit` (of the coordinates, such as "mm"), which acts first, then `scale` (a
 * number or one per axis), `rotate` ({ axis; angle; }, or a list of them) and `move` (a vector),
 * which act in the order in which they are written.
 *
 * PER_MATERIAL has a value per material, PER_PAIR one per pair, v[a * materials + b], symmetric.
 * The value comes from the first of these places that has it: the pair (`material_pairs`), the
 * materials (`materials`; for a pair, mixed), the plugin's own group (one number for all), the
 * group of a law before it in the same list (only for a key without default), the default.
 */
/* clang-format on */
#define SCREE_TYPE_BOOL 1u
#define SCREE_TYPE_CHOICE 2u
#define SCREE_TYPE_INT 3u
#define SCREE_TYPE_REAL 4u
#define SCREE_TYPE_STRING 5u
#define SCREE_TYPE_INT_ARRAY 6u
#define SCREE_TYPE_REAL_ARRAY 7u
#define SCREE_TYPE_STRING_ARRAY 8u
#define SCREE_TYPE_PER_MATERIAL 9u
#define SCREE_TYPE_PER_PAIR 10u
#define SCREE_TYPE_PLUGIN 11u
#define SCREE_TYPE_ZONE 12u
#define SCREE_TYPE_RECIPE 13u
#define SCREE_TYPE_MATERIALS 14u
#define SCREE_TYPE_REAL_ROWS 15u
#define SCREE_TYPE_INT_ROWS 16u
#define SCREE_TYPE_PLACING 17u

/* Limits. */
#define SCREE_MAX_NAME 64 /* letters of the name of a parameter or field */
#define SCREE_MAX_ENTRIES                                                                          \
    1000                                  /* in each list of a plugin (parameters, fields, uses,
                                             required names), and choices of a parameter */
#define SCREE_MAX_COMPONENTS 64           /* of a field */
#define SCREE_MAX_CONFIG_BYTES (1u << 20) /* of a config struct */
#define SCREE_MAX_NESTED 8                /* plugins, each owned by the one before */

/* Flags of a parameter (mask). */
/* No default; PER_PAIR: each pair that can meet needs a value. */
#define SCREE_PARAM_REQUIRED (1u << 0)
/* May be absent: REAL kinds become NaN; STRING, PLUGIN and RECIPE NULL; arrays and rows empty. */
#define SCREE_PARAM_OPTIONAL (1u << 1)
#define SCREE_PARAM_LIVE (1u << 2)     /* may change in a run (a swap of the plugin with itself) */
#define SCREE_PARAM_MIN_OPEN (1u << 3) /* min itself is not allowed */
#define SCREE_PARAM_MAX_OPEN (1u << 4) /* max itself is not allowed */
/* STRING and STRING_ARRAY: names of groups of `bodies` or `generate`; an unknown one is refused
 * when the scene is read. KINEMATIC_GROUP also refuses a group with free or fixed bodies. */
#define SCREE_PARAM_GROUP (1u << 5)
#define SCREE_PARAM_KINEMATIC_GROUP (1u << 6)
/* STRING: a file to read. A relative name is relative to the file that holds the setting (on the
 * command line: to the current folder); the plugin gets a path to open. */
#define SCREE_PARAM_FILE (1u << 7)
/* RECIPE: its keys are in the group of the plugin, with the other parameters. With OPTIONAL a file
 * may give the rest: `sizes` is NULL or `material` is SCREE_NONE (types.h) where the group does not
 * give them, and the shape may have no volume. */
#define SCREE_PARAM_INLINE (1u << 24)
/* STRING and STRING_ARRAY: names of body fields that the plugin reads (scree_used_field), "NAME"
 * or, where several plugins have one of that name, "SLOT/NAME". For observers and modifiers. */
#define SCREE_PARAM_FIELD (1u << 25)

/* How a PER_PAIR value follows from the values of two materials, when `material_pairs` does not
 * give it. */
#define SCREE_MIX_NONE 0u      /* no rule: `materials` must not hold the key */
#define SCREE_MIX_MEAN 1u      /* (a + b) / 2 */
#define SCREE_MIX_GEOMETRIC 2u /* sqrt(a b) */
#define SCREE_MIX_HARMONIC 3u  /* 2 a b / (a + b) */
#define SCREE_MIX_MIN 4u
#define SCREE_MIX_MAX 5u

/* Lists with their length. The structs never change, and may be members by value. */
typedef struct scree_ints {
    uint64_t n;
    const int64_t *v;
} scree_ints;

typedef struct scree_reals {
    uint64_t n;
    const double *v;
} scree_reals;

typedef struct scree_strings {
    uint64_t n;
    const char *const *v;
} scree_strings;

/** A list of rows of numbers: row k is v[first[k]] to v[first[k + 1] - 1]. */
typedef struct scree_real_rows {
    uint32_t size;
    uint32_t reserved;     /* 0 */
    uint64_t n;            /* rows */
    const uint64_t *first; /* [n + 1], first[0] = 0 */
    const double *v;       /* [first[n]] */
} scree_real_rows;

typedef struct scree_int_rows {
    uint32_t size;
    uint32_t reserved;     /* 0 */
    uint64_t n;            /* rows */
    const uint64_t *first; /* [n + 1], first[0] = 0 */
    const int64_t *v;      /* [first[n]] */
} scree_int_rows;

/* Steps of a placing. */
#define SCREE_PLACE_SCALE 1u  /* multiplies coordinates by v */
#define SCREE_PLACE_ROTATE 2u /* turns coordinates by `angle` about the axis v through the origin */
#define SCREE_PLACE_MOVE 3u   /* adds v [m] */

typedef struct scree_place_step {
    uint32_t size;
    uint32_t type; /* SCREE_PLACE_* */
    double v[3];   /* [-], ROTATE: of length 1, MOVE: [m] */
    double angle;  /* [rad] ROTATE, else 0 */
} scree_place_step;

/** Steps of a placing, in the order in which the host applies them. */
typedef struct scree_placing {
    uint32_t size;
    uint32_t reserved; /* 0 */
    uint64_t n;
    const scree_place_step *const *v; /* [n] */
} scree_placing;

/* Shapes of a zone. */
#define SCREE_ZONE_ALL 0u /* everywhere */
#define SCREE_ZONE_BOX 1u
#define SCREE_ZONE_BALL 2u
#define SCREE_ZONE_CYLINDER 3u

/** A closed part of space: a parameter, and an argument of scree.query/1 and of find_objects of a
 * GCD (use scree_zone_holds and scree_zone_meets_box of sdk.h). */
typedef struct scree_zone {
    uint32_t size;
    uint32_t type;       /* SCREE_ZONE_* */
    double lo[3], hi[3]; /* [m] box around the zone; ALL: infinite; 2D: z is 0 */
    double a[3], b[3];   /* [m] BALL: centre a; CYLINDER: ends of the axis */
    double radius;       /* [m] BALL, CYLINDER */
    double inner;        /* [m] CYLINDER: radius of the hole along its axis; 0: none */
} scree_zone;

/** Distribution of sizes by number of bodies, from which `generate` draws (call scree_size_draw()
 * of source_sdk.h). */
typedef struct scree_size_table {
    uint32_t size;
    uint32_t discrete;    /* 1: values */
    uint32_t power;       /* density of r within a class is proportional to r^-power */
    uint32_t reserved;    /* 0 */
    uint64_t n;           /* classes, or values */
    const double *radius; /* [n + 1] [m] edges of the classes, ascending; discrete: [n] values */
    const double *sum;    /* [n] [-] cumulative shares by number; the last is 1 */
} scree_size_table;

/** Recipe of the bodies to make. */
typedef struct scree_recipe {
    uint32_t size;
    uint32_t shape;                /* of scree_bodies.shapes */
    uint32_t material;             /* index of a material */
    uint32_t motion;               /* SCREE_MOTION_FREE ... */
    const scree_size_table *sizes; /* distribution of the scale, which is the radius of a unit
                                      sphere or disc */
    double velocity[3];            /* [m/s] */
    double spin[3];                /* [rad/s] */
    double velocity_random;        /* [m/s] amplitude of the random part of each component */
    int32_t velocity_uniform;      /* 1: uniform in +- amplitude; 0: Gaussian, amplitude = standard
                                      deviation */
    int32_t random_orientation;    /* 1: uniform over all rotations, in 2D over all angles; 0: q */
    double q[4];                   /* [-] turns the principal frame */
    double turn[4];                /* [-] the same rotation, for the user's frame (shape.h) */
} scree_recipe;

/** A nested plugin of the config, opaque: hand it to host->make_instance. */
typedef struct scree_plugin_ref scree_plugin_ref;

typedef struct scree_choice {
    uint32_t size; /* sizeof(scree_choice) */
    int32_t value;
    const char *name;
    const char *help; /* one line */
} scree_choice;

typedef struct scree_param {
    uint32_t size;    /* sizeof(scree_param) */
    uint32_t type;    /* SCREE_TYPE_BOOL ... */
    uint32_t flags;   /* mask above */
    uint32_t mixing;  /* SCREE_MIX_*, only of PER_PAIR */
    uint64_t offset;  /* into the config struct; checked for size, alignment and overlap at load */
    const char *name; /* [a-z][a-z0-9_]* */
    const char
        *unit; /* "N/m", "kg m^2", "deg"; "-" or NULL: none. Values arrive in SI base units */
    const char *help; /* one line */
    double real_default, real_min,
        real_max; /* in SI base units; REAL and the tables, arrays and rows of reals */
    int64_t int_default, int_min, int_max; /* BOOL, INT, INT_ARRAY, INT_ROWS */
    const char *string_default;            /* STRING, CHOICE (a name), PLUGIN (an id) */
    const scree_choice *const *choices;    /* [n_choices], CHOICE */
    uint32_t n_choices;
    uint32_t length;   /* arrays: number of elements; rows: of each row; 0: any */
    uint32_t kind;     /* PLUGIN: SCREE_KIND_GCD, _SOURCE, _SHAPE, _RESOLVER */
    uint32_t reserved; /* 0 */
} scree_param;

/*
 * A field is physics state that the host keeps for a plugin, in snapshots, checkpoints and the
 * state hash. A swap keeps it if name, components, unit and revision agree. It belongs to the slot
 * ("force[1]/contact.shear_spring").
 *
 *   scope                  one value per            lives
 *   SCREE_SCOPE_CONTACT    contact key              while accepted evaluations refresh the contact
 *   SCREE_SCOPE_PAIR       (a, b, image, parts)     from the first to the last accepted state in
 *                                                   which the tight boxes overlap
 *   SCREE_SCOPE_BODY       body id                  with the body
 *   SCREE_SCOPE_GLOBAL     slot                     with the run
 *
 * Scopes that each kind may have; the host refuses to load a file with any other:
 *
 *   force        CONTACT, PAIR, BODY, GLOBAL      modifier             BODY, GLOBAL
 *   resolver     PAIR                             integrator           BODY, GLOBAL
 *   gcd, observer, shape, source   none; an observer sums over a run by "scree.state/1" (host.h)
 *
 * A value that holds `initial`, because nobody has written it yet, is fresh. The call says so:
 *
 *   CONTACT   scree_contact_batch.fresh         BODY     scree_motion.fresh, scree_bodies.fresh
 *   PAIR      scree_contact_batch.pair_fresh,   GLOBAL   scree_bodies.global_fresh
 *             scree_candidates.fresh
 */
#define SCREE_SCOPE_CONTACT 1u
#define SCREE_SCOPE_PAIR 2u
#define SCREE_SCOPE_BODY 3u
#define SCREE_SCOPE_GLOBAL 4u

/* Initial values of a field when nothing is stored for it. */
#define SCREE_MISSING_DEFAULT 0u /* `initial` */
#define SCREE_MISSING_FAIL 1u    /* the host refuses a swap or restart that has no stored value */

/* The fate of a field when a swap takes its plugin out of the slot and a later one brings it back.
 * RESTART is right for springs, derivatives and all else that follows the motion: while the plugin
 * is out, no plugin keeps it up to date. RESTORE is right for values that no motion changes, such
 * as the number of inserted bodies. */
#define SCREE_RETURN_RESTART                                                                       \
    0u /* the swap drops the field; when the plugin returns, the field is
                                   fresh */
#define SCREE_RETURN_RESTORE                                                                       \
    1u /* the host keeps the field meanwhile, also in the state hash and in checkpoints; the value
          of a contact or body that began meanwhile is fresh */

/* Flags of a GLOBAL field (mask), for a run on several ranks. A plugin with SCREE_CAP_RANKS gives
 * one of them. */
#define SCREE_FIELD_SUM (1u << 0)  /* each rank holds a part: the value is the sum of them */
#define SCREE_FIELD_SAME (1u << 1) /* the value is equal on all ranks */

typedef struct scree_field {
    uint32_t size;       /* sizeof(scree_field) */
    uint32_t scope;      /* SCREE_SCOPE_* */
    uint32_t components; /* doubles per value, 1 or more */
    uint32_t revision;   /* of its meaning */
    uint32_t if_missing; /* SCREE_MISSING_* */
    uint32_t on_return;  /* SCREE_RETURN_* */
    uint32_t flags;      /* SCREE_FIELD_*, or 0 */
    uint32_t reserved;   /* 0 */
    const char *name;    /* [a-z][a-z0-9_]* */
    const char *unit;    /* as in scree_param */
    const char *help;    /* one line */
    double initial;
} scree_field;

/*
 * Fields of other plugins. A descriptor lists in `uses` the fields of other plugins (or its own
 * fields) that its plugin reads, and the body fields to whose rates the plugin adds. The host finds
 * the field by scope, name and components when the scene is read, and refuses a field that is
 * missing, has another unit, or exists twice. A swap that takes such a field away is refused.
 *
 *   scope                   force                      modifier, observer
 *   BODY, read              batch->body_a, body_b      bodies->used
 *   BODY, add               batch->add_a, add_b        modifier: bodies->used, in forces()
 *   GLOBAL, read            bodies->used               bodies->used
 *   CONTACT, PAIR, read     -                          observer: view->contacts->used
 *
 * Rates: a body field to which some plugin adds has a rate, in its unit per second: the sum of what
 * plugins add at an evaluation, over the contacts of a body in the order of its wrench, then over
 * the modifiers in config order. The rates of an accepted evaluation are state; the rates of other
 * evaluations are not used. At the start of a step the host adds dt times its rate to such a field
 * (explicit Euler), or the integrator advances it by draft.rates/1 (draft/rates.h). Only the fields
 * of free bodies change; the rates of other bodies are 0.
 */
#define SCREE_USE_READ 1u
#define SCREE_USE_ADD 2u

/* Flags of a use (mask). */
#define SCREE_USE_OPTIONAL (1u << 0) /* may be missing: v of the used field is NULL */

typedef struct scree_use {
    uint32_t size;       /* sizeof(scree_use) */
    uint32_t scope;      /* SCREE_SCOPE_* */
    uint32_t components; /* of the field; 0: any number (not for a force law) */
    uint32_t access;     /* SCREE_USE_READ, SCREE_USE_ADD, or both */
    uint32_t flags;      /* mask above */
    uint32_t reserved;   /* 0 */
    const char *name;    /* of the field */
    const char *unit;    /* of the field, as in scree_param; for ADD too */
    const char *help;    /* one line */
} scree_use;

/** A field of another plugin: one for each of the descriptor's uses[], in their order, then one for
 * each name in parameters with SCREE_PARAM_FIELD, in the order of the schema. */
typedef struct scree_used_field {
    uint32_t size;
    uint32_t scope;
    uint32_t components;
    uint32_t access;
    const char *name; /* of the field */
    const char *slot; /* of its plugin, "force[0]" */
    const char *unit;
    /* [components] arrays: BODY [bodies->n], CONTACT and PAIR [contacts->n], GLOBAL [1]; NULL: an
     * optional field that is missing, or is not given in this call. */
    const double *const *v;
    /* [components] arrays [n] to which forces() adds. NULL in other functions, and without ADD. The
     * host ignores the rates of bodies that are not free. */
    double *const *rate;
    const uint8_t *fresh; /* BODY [n] 1: the value still holds `initial`; NULL: none does */
} scree_used_field;

#endif
