/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a blamed call, kept so that only this call can be made again. */
#ifndef CORE_BLAME_H
#define CORE_BLAME_H

#include "engine/lists.h"
#include "engine/world.h"
#include "plugin/instance.h"

/** An array of the call, by name: "call.depth", "call.normal.1", "bodies.x.0"; "call" and
 * "bodies" are the structs themselves, whose pointers are no longer valid, except NULL. */
typedef struct scree_blame_array {
    char *name;
    uint32_t width; /* [bytes] of an element */
    uint64_t n;     /* elements */
    void *data;     /* 64-byte aligned, not a byte longer than n elements */
} scree_blame_array;

typedef struct scree_blame {
    uint32_t kind;  /* SCREE_KIND_* */
    char *slot;     /* "force[0]" */
    char *call;     /* "compute" */
    GArray *arrays; /* of scree_blame_array; empty: stepping again is enough to find the call */
} scree_blame;

/** Stores a law's batch. `batch->out` and other outputs are not read. */
scree_blame *scree_blame_of_force(const scree_instance *law, const scree_contact_batch *batch,
                                  uint32_t n_fields);
/** Stores a resolver's candidates. `hints` are as the call left them. */
scree_blame *scree_blame_of_resolver(const scree_instance *resolver,
                                     const scree_candidates *candidates, uint32_t n_fields);
/** All boxes as of the last step_init; `flags` of init. */
scree_blame *scree_blame_of_gcd(const scree_instance *gcd, const scree_boxes *boxes,
                                uint32_t flags);
void scree_blame_free(scree_blame *blame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_blame, scree_blame_free)

scree_blame *scree_blame_new(uint32_t kind, const char *slot, const char *call);
/** Adds an array; `data` [n * width bytes] is copied, NULL leaves it unset. Returns the copy. */
void *scree_blame_add(scree_blame *blame, const char *name, uint32_t width, uint64_t n,
                      const void *data);
const scree_blame_array *scree_blame_find(const scree_blame *blame, const char *name);
/** Sets the error of a recorded call: this array is missing or of another size. Always false. */
bool scree_blame_fail_array(GError **error, const char *name);

/** Rebuilds the structs of the call, with pointers into the blame; output arrays are new, filled
 * with bytes 0xff (NaN). False: the arrays do not fit together. `shapes` [n_shapes] are those of
 * the scene. `in`, `out`: [SCREE_MAX_PAIR_FIELDS]. */
bool scree_blame_batch(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                       scree_bodies *bodies, scree_contact_batch *batch, const double **in,
                       double **out, GError **error);
bool scree_blame_candidates(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                            scree_bodies *bodies, scree_candidates *candidates, const double **in,
                            double **out, GError **error);
bool scree_blame_boxes(const scree_blame *blame, scree_boxes *boxes, uint32_t *flags,
                       GError **error);

#endif
