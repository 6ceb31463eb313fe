/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `cyrus_beck` in space: convex polyhedra. */
#ifndef RESOLVER_CYRUS_BECK_POLYHEDRA_H
#define RESOLVER_CYRUS_BECK_POLYHEDRA_H

#include "../solid/growth.h"

/** A convex polyhedron in body axes at scale 1; facets in one plane are one face. */
typedef struct cyrus_polyhedron {
    uint32_t n_vertices, n_faces, n_edges, n_corners;
    double *x[3];        /* [n_vertices] [m] */
    double *normal[3];   /* [n_faces] [-] unit, outward */
    double *offset;      /* [n_faces] [m] normal · a point of the face */
    uint32_t *on;        /* [n_faces] a vertex of the face */
    uint32_t *first;     /* [n_faces + 1] corners of face f: corner[first[f]] to .. */
    uint32_t *corner;    /* [n_corners] vertices, counterclockwise from outside */
    uint32_t *side;      /* [n_corners] edge from that corner to the next */
    uint32_t (*edge)[4]; /* [n_edges] two vertices, then two faces; the first face has the vertices
                          * in this order */
    solid_surface surface; /* its facets, for gaps */
    void *memory;
} cyrus_polyhedron;

/** One body of a pair in the frame of a, or of b. */
typedef struct cyrus_pair {
    const cyrus_polyhedron *a, *b;
    solid_matrix turn; /* turn of a in the world */
    solid_matrix m;    /* P_a = t + m P_b, with the ratio of the scales */
    scree_vec t;
    double ratio, scale; /* scale of b over that of a; scale of a */
    double size;         /* [m] size of both bodies, at scale 1 of a */
    int32_t printed;     /* 1: points are tested from a corner of the face */
    int32_t reserved;
    uint64_t tests; /* tests of points against faces */
    double *vb[3];  /* [n_vertices of b] in the frame of a */
    double *va
        [3]; /* [n_vertices of a] in the frame of b, at the scale of a: distances are those of a */
    double *row; /* room for a distance of each face of either */
} cyrus_pair;

/** The least translation that parts the two. */
typedef struct cyrus_axis {
    double depth;     /* [m] < 0: it parts them with a gap */
    scree_vec normal; /* [-] from a to b */
    uint32_t kind;    /* 0 a face of a, 1 a face of b, 2 two edges */
    uint32_t first, second;
} cyrus_axis;

/** [config] Is the mesh closed, with normals outward, and without a vertex above a facet? */
int cyrus_is_convex(const scree_mesh *mesh);
/** [config] SCREE_OK, or fails with the host: no memory. A mesh that is not convex gives an empty
 * polyhedron; the log has the reason if it is a solid. */
int32_t cyrus_polyhedron_make(const scree_host *host, const char *name, const scree_mesh *mesh,
                              int is_solid, cyrus_polyhedron *out);
void cyrus_polyhedron_clear(cyrus_polyhedron *p);
uint64_t cyrus_polyhedron_bytes(const cyrus_polyhedron *p);

static inline scree_vec cyrus_vertex(const cyrus_polyhedron *p, uint32_t v)
{
    return scree_vec_of(p->x[0][v], p->x[1][v], p->x[2][v]);
}

static inline scree_vec cyrus_normal(const cyrus_polyhedron *p, uint32_t f)
{
    return scree_vec_of(p->normal[0][f], p->normal[1][f], p->normal[2][f]);
}

/** Doubles that a pair needs, and indices of points of a face after its cuts. */
static inline uint64_t cyrus_room(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    return 3ull * (a->n_vertices + b->n_vertices) + a->n_faces + b->n_faces;
}
static inline uint64_t cyrus_most_touches(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    return 2ull * (a->n_corners + b->n_corners) + 8;
}

/** [lane] Sets up pair p; `room`: cyrus_room() doubles. */
void cyrus_pair_set(const scree_candidates *in, uint32_t p, const cyrus_polyhedron *a,
                    const cyrus_polyhedron *b, double *room, cyrus_pair *out);
/** [lane] All axes, without an early exit. */
cyrus_axis cyrus_least_axis(cyrus_pair *pair);
/** [lane] The touches of a face on a face, cut to their common part, or the touch of two edges. */
uint32_t cyrus_touches(cyrus_pair *pair, const cyrus_axis *axis, solid_touch *out);
/** [lane] The least distance of two bodies that do not overlap: tries each vertex with each facet,
 * and each edge with each edge. */
solid_touch cyrus_gap(cyrus_pair *pair);

/** A plane in the frame of a, at its scale 1; it is solid below. */
typedef struct cyrus_plane {
    scree_vec normal;  /* [-] */
    double level;      /* [m] normal · x of its points */
    double scale;      /* scale of a */
    solid_matrix turn; /* turn of a in the world */
} cyrus_plane;

/** Bytes of room for the next two functions; b NULL: a plane. */
uint64_t cyrus_volume_bytes(const cyrus_polyhedron *a, const cyrus_polyhedron *b, int bed);
/** [lane] 0: they do not overlap. `d` [m] to b, radius [m] of a; `bed` 0: without it. */
int cyrus_volume_of_pair(cyrus_pair *pair, scree_vec d, double radius, int bed, void *room,
                         solid_overlap *out);
int cyrus_volume_of_plane(const cyrus_polyhedron *a, const cyrus_plane *b, double radius,
                          void *room, solid_overlap *out);

/** [lane] The plane of candidate p, whose b is infinite, and the vertices below it, or the lowest
 * one. */
cyrus_plane cyrus_plane_of(const scree_candidates *in, uint32_t p);
uint32_t cyrus_plane_touches(const cyrus_polyhedron *a, const cyrus_plane *b, solid_touch *out);
solid_touch cyrus_plane_gap(const cyrus_polyhedron *a, const cyrus_plane *b);
/** [lane] The touch of candidate p, whose a (turned: b) is a ball or, with radius 0, a point; `of`: the
 * other one. */
solid_touch cyrus_ball_touch(const scree_candidates *in, uint32_t p, const cyrus_polyhedron *of,
                             double radius, int turned);

/** [any] Names of touches: a vertex of a (side 0) or b, or the crossing of two edges. */
static inline uint64_t cyrus_name_vertex(uint32_t vertex, uint32_t side)
{
    return 4ull * vertex + side;
}
static inline uint64_t cyrus_name_edges(const cyrus_polyhedron *b, uint32_t edge_a, uint32_t edge_b)
{
    return 4 * ((uint64_t)edge_a * b->n_edges + edge_b) + 2;
}
/** The polyhedra of a run. */
typedef struct cyrus_solids {
    cyrus_polyhedron *list; /* [n] by index of shape */
    uint64_t n, capacity;
} cyrus_solids;

/** [config] Shape number `index`, unless it is not convex; fails with the host. */
int32_t cyrus_solids_prepare(const scree_host *host, cyrus_solids *self, uint32_t index,
                             const char *name, const scree_shape *shape);
void cyrus_solids_clear(cyrus_solids *self);
uint64_t cyrus_solids_bytes(const cyrus_solids *self);
/** [config] Answers supports() for two types; `overlap` 1: the geometry of contacts. */
void cyrus_solids_support(scree_pair_support *pair, int overlap);
/** [lane] resolve(); adds to *tests. */
int32_t cyrus_solids_resolve(const scree_host *host, const cyrus_solids *self, int printed,
                             int overlap, const scree_candidates *in, scree_contacts *out,
                             uint32_t *done, uint64_t *tests);
int32_t cyrus_adjoins(const cyrus_polyhedron *a, const cyrus_polyhedron *b, uint64_t feature,
                      uint64_t other);

#endif
