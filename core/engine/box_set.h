/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of all parts and images, and their extents. */
#ifndef CORE_BOX_SET_H
#define CORE_BOX_SET_H

#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "engine/shift.h"
#include "scree/scree.h"

enum { SCREE_SLACK_BODIES = 64 };

/** Boxes of all parts and images, and their extents (extent.c). */
typedef struct scree_box_set {
    scree_boxes view;
    uint64_t capacity; /* number of slots */
    double *lo[3], *hi[3], *centre[3], *radius;
    uint32_t *body, *part; /* [slots] SCREE_NONE: empty slot */
    scree_cells *image;    /* [slots] shift of the box in cells */
    uint32_t *next_image;  /* [slots] next slot of the same part, or SCREE_NONE */
    uint8_t *mark;         /* [slots] changed since the last step_init */
    uint64_t part_capacity, ref_capacity, body_capacity;
    uint32_t *part_first; /* [bodies + 1] first part of body i */
    uint32_t *slot;       /* [parts] slot of the part's own box; SCREE_NONE: none yet */
    double *ref; /* [4 bodies] x y z of a body at the last renewal, and the distance [m] that its
                    points may have moved since */
    uint64_t slack_capacity;
    double *
        slack; /* [bodies / SCREE_SLACK_BODIES] [m] way that each of so many bodies may have before one
                      leaves its extent; 0: unknown */
    uint32_t first_turning; /* first body that is neither round nor a plane */
    uint64_t turn_capacity;
    double *turn; /* [4 (bodies - first_turning)] q at the last renewal */
    uint64_t beyond_capacity;
    uint8_t *beyond; /* [bodies / 64] bit k: one has crossed a border along axis k (boundary.c) */
    uint64_t normal_capacity;
    double *normal;      /* [3 planes] normals of planes at the last renewal */
    uint8_t *must_renew; /* [bodies] wrapped or edited since the last renewal */
    GArray *free_slots;  /* min-heap of uint32_t */
    uint32_t *moved;     /* [n_moved] ascending, for step_init */
    uint64_t n_moved, moved_capacity;
    bool planes_moved; /* the last renewal gave planes another reference */
    bool valid;        /* false: all extents must be made again */
    bool numbered;     /* false: slots must be numbered again (gcd.init) */
    bool simple;       /* slot i is body i: no images, one part each */
    bool bare; /* simple, without facets, and no box is needed between refreshes: lo, hi, centre,
                  radius are scratch memory of a refresh, other arrays by slot do not exist */
} scree_box_set;

/** Returns the body of a slot's box; SCREE_NONE: empty. */
static inline uint32_t scree_box_body(const scree_box_set *set, uint32_t slot)
{
    return set->simple ? slot : set->body[slot];
}

/** Empties a slot; its body stays. */
static inline void scree_box_clear(const scree_box_set *set, uint32_t slot)
{
    for (int k = 0; k < 3; k++) {
        set->lo[k][slot] = (double)INFINITY;
        set->hi[k][slot] = -(double)INFINITY;
        set->centre[k][slot] = 0.0;
    }
    set->radius[slot] = 0.0;
}

static inline uint32_t scree_box_part(const scree_box_set *set, uint32_t slot)
{
    return set->simple ? 0 : set->part[slot];
}

static inline scree_cells scree_box_image(const scree_box_set *set, uint32_t slot)
{
    return set->simple ? SCREE_SHIFT_ZERO : set->image[slot];
}

/** Returns the slot of the first part of a body, without its images. */
static inline uint32_t scree_body_slot(const scree_box_set *set, uint32_t body)
{
    return set->simple ? body : set->slot[set->part_first[body]];
}

#endif
