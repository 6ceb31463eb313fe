/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of the Flexible Collision Library (FCL), for solid_pairs.c. Only where libfcl-dev is installed. */
#ifndef BENCH_FCL_PAIRS_H
#define BENCH_FCL_PAIRS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *fcl_pairs_ellipsoid(const double axis[3]);
/** facet: [4 n_facets], a triangle ends in UINT32_MAX. As a convex solid, or as a tree of triangles. */
void *fcl_pairs_convex(uint32_t n_vertices, const double *const x[3], uint32_t n_facets,
                       const uint32_t *facet);
void *fcl_pairs_mesh(uint32_t n_vertices, const double *const x[3], uint32_t n_facets,
                     const uint32_t *facet);
void fcl_pairs_free(void *body);
/** Contacts, at most 512; *depth: the largest one [m]. q[4][2] and d as in a batch; own: FCL's solver, not libccd. */
uint32_t fcl_pairs_touch(const void *a, const void *b, double q[4][2], const double d[3], int own,
                         double *depth);

#ifdef __cplusplus
}
#endif

#endif
