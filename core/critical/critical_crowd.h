/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the bodies of a scene for its critical step, in one pass, whatever their places. */
#ifndef CORE_CRITICAL_CROWD_H
#define CORE_CRITICAL_CROWD_H

#include "scene/scene_data.h"

/** Free bodies of one shape and one material. Pairs hold the smallest body, then the largest. */
typedef struct scree_crowd_class {
    uint32_t shape, material;
    uint32_t next;     /* class of the same shape and another material; SCREE_NONE: none */
    uint64_t n;        /* number of bodies */
    uint64_t id[2];    /* first body of this scale */
    double scale[2];   /* [-] */
    double density[2]; /* [kg/m^3] lowest and highest */
} scree_crowd_class;

/** Partners of a contact: free bodies of one type and one material, or walls (all bodies that are
 * not free). */
typedef struct scree_crowd_kind {
    uint32_t type, material;
    bool wall, solid;
    /* The smallest and the largest body; 0 for walls. */
    double size[2];  /* [m] radius of the ball (2D: disc) of equal volume */
    double touch[2]; /* [m] radius where it touches (scree_crowd_touch) */
    double mass[2];  /* [kg] */
} scree_crowd_kind;

typedef struct scree_crowd {
    GArray *classes;              /* elements: scree_crowd_class */
    GArray *kinds;                /* elements: scree_crowd_kind */
    uint64_t n_free;              /* UINT64_MAX: any number, by modifiers or near periodic images */
    uint64_t planes, facets, set; /* bodies that are not free: planes, of facets, others */
    double speed; /* [m/s] expected speed: twice the fastest start, or the fall through the scene */
} scree_crowd;

/** Counts the bodies at the start and those that modifiers may make, in a pass over all bodies. */
void scree_crowd_take(const scree_scene *scene, scree_crowd *crowd);
void scree_crowd_clear(scree_crowd *crowd);
/** [m] Radius where a body of scale 1 touches others: a clump's largest ball; the ball around a
 * solid. */
double scree_crowd_touch(const scree_shape *shape);

#endif
