/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of the overlap of two polygons, shared by several resolvers: poses, the chord through a
 * piece, gaps. */
#ifndef RESOLVER_OVERLAP_H
#define RESOLVER_OVERLAP_H

#include "../../plane.h"
#include "eccentricity.h"

/* Part of the bodies' size: closer points are one, and a point outside by less counts as inside. */
#define OVERLAP_JOIN 1e-12
#define OVERLAP_CLOSED 1e-14

/** The frame in which a resolver keeps a shape. */
typedef struct overlap_frame {
    double turn[2];  // [-] cosine and sine of the angle of its own frame in that of the shape
    double shift[2]; // [m] of its own origin, at scale 1
} overlap_frame;

/** From the own frame of b to that of a, both at scale 1, and back to the world. */
typedef struct overlap_pose {
    double m[2][2], t[2];  // P_a = t + m P_b
    double inverse[2][2];  // inverse of m
    double turn[2], scale; // turn and scale of a in the world
    double shift[2];       // [m] of a's own origin from x_a, world axes
    double radius;         // [-] reach of both bodies, in units of a
    double thickness;      // [m] of the scene
    int plain;             // 1: nobody asks for the eccentricity
} overlap_pose;

/** Sums over the arcs of b's border inside of a, in the frame of a, about an origin. */
typedef struct overlap_arcs {
    double origin[2];
    double across[2]; // sum of ends minus starts
    double moment;    // sum of (|end|^2 - |start|^2) / 2
    double sum[2];    // sum of all ends and starts
    double n_ends;
} overlap_arcs;

/** One connected piece of the overlap, in the frame of a. */
typedef struct overlap_piece {
    double area, chord, depth;
    double turn;      // d(area) as a turns about the middle
    eccentricity off; // with b as the body that moves
    double normal[2], middle[2];
    uint64_t feature;
} overlap_piece;

/** The pose of candidate p. */
void overlap_pose_pair(const scree_candidates *in, uint32_t p, const overlap_frame *a,
                       const overlap_frame *b, overlap_pose *out);
/** Contact number c: of pair p. */
void overlap_write(const overlap_pose *pose, const overlap_piece *piece, uint32_t p,
                   scree_contacts *out, uint32_t c);

/** Adds an arc from p to q. The first one sets the origin. */
void overlap_add_arc(overlap_arcs *arcs, const double p[2], const double q[2]);
/** Computes chord, normal, middle and depth of a piece with this area. */
void overlap_finish(const overlap_arcs *arcs, double area, const overlap_pose *pose,
                    overlap_piece *out);

/** Brings points of b into the frame of a. */
void overlap_bring(const overlap_pose *pose, uint32_t n, SCREE_IN x, SCREE_IN y, SCREE_OUT to_x,
                   SCREE_OUT to_y);

/** [m] The largest gap at which pair p has a contact. */
static inline double overlap_range(const scree_candidates *in, uint32_t p)
{
    return in->keep && in->keep[p] ? (double)INFINITY : in->range;
}

/** The gap between the closest points of outlines that do not overlap, both in the frame of a; area
 * and chord are 0. Returns 1 in range. It tries every vertex with every side, because laws across a
 * gap are rare with polygons. */
int overlap_gap(const scree_candidates *in, uint32_t p, const overlap_pose *pose, uint32_t n_a,
                const double *ax, const double *ay, uint32_t n_b, const double *bx,
                const double *by, overlap_piece *out);

/** The outline of a solid of the plane, or NULL. */
const scree_outline *overlap_outline(const scree_shape *shape);
/** [config] Makes room in a list by index of shape, with elements of `size` bytes; new ones are
 * zero. 0: no memory. */
int overlap_reserve(void *list, uint64_t *n, uint64_t *capacity, uint32_t index, size_t size);
/** [config] The name of a shape in the scene, or "?". */
const char *overlap_name(const scree_host *host, uint32_t index);
/** Answers supports() for two types with outlines. */
void overlap_supports(scree_pair_support *pair);

#endif
