/* SPDX-License-Identifier: Apache-2.0 */
/* What a blamed call was given, kept so that it can be made again, alone. */
#ifndef CORE_BLAME_H
#define CORE_BLAME_H

#include "engine/lists.h"
#include "engine/world.h"
#include "plugin/instance.h"

/** An array of the call, by name: "call.depth", "call.normal.1", "bodies.x.0"; "call" and "bodies"
 * are the structs themselves, whose pointers mean nothing any more but NULL. */
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
    GArray *arrays; /* of scree_blame_array; empty: the call can be found by stepping alone */
} scree_blame;

/** A law's batch; `batch->out` and what else it writes is not read. */
scree_blame *scree_blame_of_force(const scree_instance *law, const scree_contact_batch *batch,
                                  uint32_t n_fields);
/** `hints` are as the call has left them. */
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

/** The structs of the call again, pointing into the blame; arrays that the call writes are new
 * ones of it, filled with bytes 0xff (NaN). False: the arrays do not make such a call. `shapes`
 * [n_shapes] are those of the scene. `in`, `out`: [SCREE_MAX_PAIR_FIELDS]. */
bool scree_blame_batch(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                       scree_bodies *bodies, scree_contact_batch *batch, const double **in,
                       double **out, GError **error);
bool scree_blame_candidates(scree_blame *blame, const scree_shape *const *shapes, uint32_t n_shapes,
                            scree_bodies *bodies, scree_candidates *candidates, const double **in,
                            double **out, GError **error);
bool scree_blame_boxes(const scree_blame *blame, scree_boxes *boxes, uint32_t *flags,
                       GError **error);

#endif
