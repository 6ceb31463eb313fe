/* SPDX-License-Identifier: Apache-2.0 */
/* A surface as a whole: area, volume, parts, holes, facets that are inside out. */
#ifndef CORE_SHAPE_SURVEY_H
#define CORE_SHAPE_SURVEY_H

#include "shape/shape.h"

/** A surface as a whole, in 3D. */
typedef struct scree_survey {
    double area;         /* [m^2] */
    double volume;       /* [m^3] inside of it, < 0 with normals inward; of use only when closed */
    uint32_t n_parts;    /* parts, connected over edges of two facets */
    uint64_t open_edges; /* edges of one facet */
    uint64_t n_holes;    /* loops of connected open edges */
    uint64_t branching;  /* edges of three or more facets */
    uint64_t turned;     /* facets inside out */
    double lo[3], hi[3]; /* [m] its box */
} scree_survey;

/** Surveys a shape of facets in its own size. */
void scree_shape_survey(const scree_shape *shape, scree_survey *survey);
/** [m] The box of its vertices. */
void scree_shape_extents(const scree_shape *shape, double lo[3], double hi[3]);

#endif
