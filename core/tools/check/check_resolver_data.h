/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers: pairs of bodies, batches of them, results. Data only. */
#ifndef CORE_CHECK_RESOLVER_DATA_H
#define CORE_CHECK_RESOLVER_DATA_H

#include "base/rotation.h"
#include "plugin/quantities.h"
#include "scene/scene_data.h"
#include "tools/check/check.h"

enum { SCREE_CHECK_PAIRS = 96 };

/* Types of shapes in a bench, in the order of their codes. */
enum {
    SCREE_CHECK_SPHERE,
    SCREE_CHECK_DISC,
    SCREE_CHECK_SOLID, /* from a plugin in the file of the resolver, if it has one */
    SCREE_CHECK_FACETS,
    SCREE_CHECK_PLANE,
    SCREE_CHECK_TYPES
};

enum { SCREE_EXTRAS = 32 }; /* room for the values of all scree_quantities */

/** A contact as the resolver wrote it. */
typedef struct scree_touch {
    uint64_t pair, feature, continues;
    double depth, normal[3], arm[3];
    double extra[SCREE_EXTRAS]; /* in the order of scree_quantities; 0: the resolver gives none */
} scree_touch;

/** Index of the first value of the quantity with this bit (SCREE_GIVES_*). Directions follow the
 * principal curvatures. */
static inline const double *scree_touch_values(const scree_touch *x, uint64_t gives)
{
    const double *at = x->extra;
    for (const scree_quantity *q = scree_quantities; !(q->gives & gives); q++)
        at += q->n;
    return at;
}
static inline double scree_touch_value(const scree_touch *x, uint64_t gives)
{
    return *scree_touch_values(x, gives);
}

static inline const scree_touch *scree_touch_at(const GArray *touches, guint i)
{
    return &g_array_index(touches, scree_touch, i);
}
static inline GArray *scree_touches_new(void)
{
    return g_array_new(FALSE, TRUE, sizeof(scree_touch));
}

/** Bodies by number, in guarded arrays; values that no resolver uses are 0. */
typedef struct scree_check_bodies {
    scree_bodies view;
    GPtrArray *arena; /* NULL: not made */
    uint32_t n;
    uint64_t *id;
    uint32_t *shape;
    double *x[3], *q[4], *scale, *radius;
    void *zeros;
    const scree_shape **shapes;
} scree_check_bodies;

/** An instance that serves a pair of types, with pairs of bodies: body 2p is a of pair p, body 2p +
 * 1 is b. */
typedef struct scree_resolver_bench {
    scree_check *check;
    scree_instance *instance;
    const scree_resolver_ops *ops;
    scree_check_bodies bodies;
    GPtrArray *shapes; /* elements: scree_shape, all prepared */
    GPtrArray *types;  /* elements: arrays of scree_shape_type; the last one is valid */
    uint32_t n_pairs, dimension, type[2];
    bool has_solid;
    int32_t answer;    /* answer of supports() */
    uint64_t provides; /* of this pair of types */
    double d[SCREE_CHECK_PAIRS][3];
    uint8_t keep[SCREE_CHECK_PAIRS];
    bool use_keep;
    double range;
    bool keep_hints;   /* kept between runs; otherwise each run starts from zeros */
    GByteArray *hints; /* by pair and candidate */
    uint64_t random;
} scree_resolver_bench;

/** How pairs are given. Zeros: all at once, in their order, with room for all contacts. */
typedef struct scree_resolver_plan {
    const uint32_t *order; /* [n_pairs]; NULL: in their order */
    uint32_t chunk, capacity;
} scree_resolver_plan;

/** The row of a case: its function, for each pair of types and each dimension. */
typedef struct scree_resolver_work {
    void (*fn)(scree_resolver_bench *t);
} scree_resolver_work;

#endif
