/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `sdf`: what its files share. */
#ifndef RESOLVER_SDF_H
#define RESOLVER_SDF_H

#include "../solid/growth.h"
#include "../solid/served.h"

/** Signed distances at the nodes of a grid around a surface, in its frame. */
typedef struct sdf_grid {
    uint32_t n[3];
    double from[3], h, inv_h; /* [m] of node 0; the cell; [1/m] */
    double *node;             /* [n0 n1 n2] [m] distance; x is fastest */
    uint32_t *closest;        /* [n0 n1 n2] triangle */
    uint64_t turned;          /* nodes whose sign is not that of the closest face, edge or vertex */
} sdf_grid;

/** Samples next to each other, in a ball. */
typedef struct sdf_bucket {
    scree_vec centre; /* [m] */
    double radius;    /* [m] */
    uint32_t first, n;
} sdf_bucket;

typedef struct sdf_shape { /* for a wall only the surface is set */
    solid_surface surface;
    sdf_grid grid;
    uint32_t n_samples, n_buckets;
    double spacing;    /* [m] spacing of the samples */
    scree_vec *sample; /* [n_samples] [m] points of the surface, by bucket */
    scree_vec *facing; /* [n_samples] [-] the mean of the normals around it */
    double *least;     /* [n_samples] [-] least allowed product of facing and the touched surface's
                        * inward normal */
    double *weight;    /* [n_samples] [m^2] share of the surface, by overlap */
    sdf_bucket *bucket;
} sdf_shape;

typedef struct sdf_resolver {
    const scree_host *host;
    sdf_shape *shapes; /* [n] by index of shape */
    uint64_t n, capacity;
    double cell, spacing; /* [m] 0: given by cells; [-] in cells */
    uint32_t cells, most; /* across the longest side; points of a patch */
    int32_t overlap;      /* 1: contact = "overlap" */
    solid_served served;
} sdf_resolver;

/** From the frame of one body to that of another, and from either to the world. */
typedef struct sdf_pose {
    solid_matrix m, turn; /* P_field = shift + m P_owner; turn: that of the field in the world */
    scree_vec shift;      /* [m] at scale 1 of the field */
    double ratio, scale;  /* scale of the owner over that of the field; scale of the field */
} sdf_pose;

/** [config] Makes the grid of a surface, with cells of edge h. `all` 0: far nodes may have a
 * smaller distance. */
int32_t sdf_grid_build(const scree_host *host, const solid_surface *s, double h, int all,
                       sdf_grid *out);
/** [lane] The distance of x, and, unless NULL, its gradient, linear between the nodes; x is in the grid. */
double sdf_grid_at(const sdf_grid *g, scree_vec x, scree_vec *gradient);
/** [lane] No more than the distance of x, by the distances of the eight nodes. */
double sdf_grid_lower(const sdf_grid *g, scree_vec x);
/** [lane] The closest triangles of the eight nodes around x. */
void sdf_grid_likely(const sdf_grid *g, scree_vec x, uint32_t triangle[8]);
int sdf_grid_holds(const sdf_grid *g, scree_vec x);

/** [lane] Can sample i touch a surface with this outward normal, in its frame? */
int sdf_faces(const sdf_shape *s, uint32_t i, scree_vec normal);
/** [lane] The same for samples in flat faces; 1 for others. */
int sdf_faces_flatly(const sdf_shape *s, uint32_t i, scree_vec normal);
/** [config] Samples of a surface at most `spacing` [m] apart; overlap 1: with weights. */
int32_t sdf_shape_sample(sdf_shape *shape, double spacing, int overlap);
/** [config] The surface, grid and samples of a shape; fails with the host. */
int32_t sdf_shape_make(const sdf_resolver *self, uint32_t index, const scree_shape *from,
                       sdf_shape *out);
/** [config] The surface of a wall. */
int32_t sdf_wall_make(const sdf_resolver *self, const scree_shape *from, sdf_shape *out);
void sdf_shape_clear(sdf_shape *shape);
uint64_t sdf_shape_bytes(const sdf_shape *shape);

/** [lane] No more than the distance of x. */
double sdf_lower(const sdf_shape *f, scree_vec x);
/** [lane] The distance of x; found = 0: it is more than `limit`. */
solid_foot sdf_distance(const sdf_shape *f, scree_vec x, double limit);

/** Samples of one body of a pair in the field of the other. */
typedef struct sdf_side {
    const sdf_shape *owner, *field;
    sdf_pose pose;
    scree_vec origin; /* [m] of the field's body, from x_a */
    double sign;      /* sign of the field's normal as one from a to b */
    uint32_t bit, reserved;
} sdf_side;

/** [lane] bit 0: the samples are a's, 1: b's. */
sdf_side sdf_side_of(const sdf_resolver *self, const scree_candidates *in, uint32_t p,
                     uint32_t bit);
/** [lane] The overlap of candidate p, two solids or a solid and a plane; 0: none. `bed` 0: without it. */
int sdf_volume_of_pair(const sdf_resolver *self, const scree_candidates *in, uint32_t p, int bed,
                       solid_overlap *out);
int sdf_volume_of_plane(const sdf_resolver *self, const scree_candidates *in, uint32_t p,
                        solid_overlap *out);

/** [lane] resolve() of the pairs of types. */
int32_t sdf_resolve_solids(const sdf_resolver *self, const scree_candidates *in,
                           scree_contacts *out, uint32_t *done);
int32_t sdf_resolve_balls(const sdf_resolver *self, const scree_candidates *in, scree_contacts *out,
                          uint32_t *done);
int32_t sdf_resolve_planes(const sdf_resolver *self, const scree_candidates *in,
                           scree_contacts *out, uint32_t *done);
int32_t sdf_resolve_walls(const sdf_resolver *self, const scree_candidates *in, scree_contacts *out,
                          uint32_t *done);

static inline const sdf_shape *sdf_shape_of(const sdf_resolver *self, const scree_bodies *bodies,
                                            uint32_t i)
{
    return &self->shapes[bodies->shape[i]];
}

static inline int sdf_keeps(const scree_candidates *in, uint32_t p)
{
    return in->keep && in->keep[p];
}

#endif
