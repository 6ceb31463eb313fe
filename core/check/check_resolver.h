/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers: bodies in pairs, batches of them in any order, what came of it. */
#ifndef CORE_CHECK_RESOLVER_H
#define CORE_CHECK_RESOLVER_H

#include "base/rotation.h"
#include "check/check_cases.h"
#include "scene/scene.h"

enum { SCREE_CHECK_PAIRS = 96 };

/** One contact as it was written. */
typedef struct scree_touch {
    uint64_t pair, feature, continues;
    double depth, normal[3], arm[3];
    double extra[5]; /* curvature of a and b, area, chord; those that the resolver gives */
} scree_touch;

/** Bodies by number, in guarded arrays; all that no resolver has to do with is 0. */
typedef struct scree_check_bodies {
    scree_bodies view;
    uint32_t n;
    uint64_t *id;
    uint32_t *shape;
    double *x[3], *q[4], *scale, *radius;
    void *zeros;
    const scree_shape **shapes;
} scree_check_bodies;

/** An instance that serves one pair of types, with pairs of bodies: body 2p is a of pair p, body
 * 2p + 1 its b. */
typedef struct scree_resolver_bench {
    scree_check *check;
    scree_instance *instance;
    const scree_resolver_ops *ops;
    scree_check_bodies bodies;
    GPtrArray *shapes; /* of scree_shape, all prepared */
    uint32_t n_pairs, dimension, type[2];
    int32_t answer; /* of supports */
    double d[SCREE_CHECK_PAIRS][3];
    uint8_t keep[SCREE_CHECK_PAIRS];
    bool use_keep;
    double range;
    bool keep_hints;   /* from run to run; else each starts from zeros */
    GByteArray *hints; /* by pair and candidate */
    uint64_t random;
} scree_resolver_bench;

/** How a batch is given. Zeros: all pairs at once, in their order, with room for all contacts. */
typedef struct scree_resolver_plan {
    const uint32_t *order; /* [n_pairs]; NULL: as they are */
    uint32_t chunk, capacity;
} scree_resolver_plan;

/** Opens an instance for types a <= b. False: the plugin does not support them, or the check has
 * failed; close it all the same. */
bool scree_resolver_open(scree_resolver_bench *t, scree_check *check, uint32_t dimension,
                         uint32_t type_a, uint32_t type_b);
void scree_resolver_close(scree_resolver_bench *t);
/** The same for an instance at hand, which others use too. `prepared`: what has been prepared in
 * it, 0 at first. */
bool scree_resolver_attach(scree_resolver_bench *t, scree_check *check, scree_instance *instance,
                           uint32_t type_a, uint32_t type_b, uint64_t *prepared);
void scree_resolver_detach(scree_resolver_bench *t);
/** Poses the pairs at random: deep, touching, near, apart. */
void scree_resolver_pose(scree_resolver_bench *t, uint64_t seed);
/** One more shape (taken over), the last of t->shapes; false: it was to be prepared and was not. */
bool scree_resolver_take(scree_resolver_bench *t, scree_shape *shape, bool prepare);
/** Contacts of all pairs into `touches`, emptied before; false: the check has failed. */
bool scree_resolver_run(scree_resolver_bench *t, const scree_resolver_plan *plan, GArray *touches);
/** The same at once on all lanes of the instance, in any order. */
bool scree_resolver_run_on_lanes(scree_resolver_bench *t, GArray *touches);
/** Calls `work` for each pair of types and dimension that the plugin supports, with posed pairs. */
void scree_resolver_for_types(scree_check *check, void (*work)(scree_resolver_bench *t));
/** Fails the case, naming the types. */
void scree_resolver_fail(scree_resolver_bench *t, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* check_shapes.c */
/** A random unit quaternion; in 2D about z. */
void scree_check_random_turn(uint64_t *random, uint32_t dimension, double q[4]);

/** The cube [-1, 1]^3 (2D: the square) with faces cut into `cut`^2 quads and pairs of triangles. */
scree_shape *scree_check_cube(uint32_t dimension, uint32_t cut);
/** Triangles (2D: segments in line) around a hub, flat, in the plane z = 0 (y = 0). */
scree_shape *scree_check_fan(uint32_t dimension, uint32_t spokes);
/** Three quads (2D: two segments) that meet in the origin as the axes' planes do. */
scree_shape *scree_check_corner(uint32_t dimension);

/* check_facets.c */
void scree_check_patches(scree_check *check);

#endif
