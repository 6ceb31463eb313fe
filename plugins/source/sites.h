/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel configuration space: which bodies may move at the same time without an overlap? */
#ifndef PLUGINS_SOURCE_SITES_H
#define PLUGINS_SOURCE_SITES_H

#include "scree/sdk.h"

/** Poses of bodies: site 0, where bodies are, then site 1, where some of them want to be. A body
 * that wants to enter has no pose in site 0. */
typedef struct sites {
    uint32_t n0, n1;
    double *x[3], *q[4], *scale; /* [n0 + n1] */
    uint32_t *shape;             /* [n0 + n1] */
    uint64_t *body;              /* [n0 + n1] number of the body */
    uint32_t *index;             /* [n0 + n1] for sites_settle() */
    uint64_t room;
} sites;

/** Makes room for n poses; 0: out of memory. */
int sites_reserve(sites *s, uint64_t n);
/** Frees the arrays, not *s. */
void sites_clear(sites *s);
/** Appends the pose of a body to site 1. */
void sites_want(sites *s, uint64_t body, uint32_t shape, double scale, const double x[3],
                const double q[4]);
/** Copies pose `from` to place `to`, of any site. */
void sites_copy(sites *s, uint32_t from, uint32_t to);
/** Removes the bodies from site 1 that must revert to site 0. An error of the service is passed
 * on. */
int32_t sites_settle(sites *s, const scree_query *query);

#endif
