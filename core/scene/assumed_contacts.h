/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of a body that has none yet: as one of a dense packing of its likes, on a wall or not. */
#ifndef CORE_ASSUMED_CONTACTS_H
#define CORE_ASSUMED_CONTACTS_H

#include "scene/scene.h"
#include "scree/force.h"

typedef struct scree_assumed {
    uint32_t dimension;
    const scree_shape *shape;
    double scale;
    uint32_t others; /* free bodies that it may touch */
    bool wall;       /* it lies on one */
    uint32_t
        face; /* of a solid: axis of the face that lies on the wall, or on a single other body */
    const scree_stiffness *k, *at_wall;
    const double *share; /* of a clump: see scree_assumed_shares() */
} scree_assumed;

/** A contact: its share (2 of a free body, 1 of a wall), normal and arm [m] in the body's axes. */
typedef void (*scree_assumed_fn)(void *user, double share, const double normal[3],
                                 const double arm[3], const scree_stiffness *k);
/**
 * Shows the contacts; returns how many they are.
 *
 * A ball: twelve neighbours of fcc, or nine and a wall; in 2D six, or four and a wall; or as many as
 * there are others. A clump: the same around each of its balls, as far as other balls have place there
 * (scree_assumed_shares), and on the wall by its flattest side. A solid: as
 * many as a ball, spread over the corners of the box around it, their normals around an axis; each
 * other body gives four at most (2D: two), as a wall does, at the corners of a face: these are as
 * stiff across as along.
 */
uint32_t scree_assumed_each(const scree_assumed *assumed, scree_assumed_fn fn, void *user);
/**
 * [directions x balls, a row of twelve, nine, six or four for each ball] The share of each contact of
 * a clump, of its own shape and scale 1: balls as large as its smallest one touch each of its balls
 * from all directions. None is inside another ball of the clump; where several overlap each other,
 * each has its part of one. All places around a clump of very many balls have the same share, by the surface of the box.
 * To be freed.
 */
double *scree_assumed_shares(const scree_shape *shape, uint32_t dimension, bool wall);
/** How many values of `face` are to be tried. */
uint32_t scree_assumed_faces(const scree_assumed *assumed);

#endif
