/* SPDX-License-Identifier: Apache-2.0 */
/* A contact detection for pictures and files: a GCD that an observer owns, on the boxes of the
 * bodies of a state. Shared by observer/image and observer/vtk. */
#ifndef OBSERVER_DETECTION_H
#define OBSERVER_DETECTION_H

#include <scree/draft/layout.h>
#include <scree/sdk.h>

#include "hull.h"

/* Where the box of a slot belongs. */
typedef struct detection_slot {
    uint32_t body, part, is_wall; /* is_wall: 1: a facet */
    int32_t image[3];    /* how often vector[k] of the cell is added to the place of the body */
    double lo[3], hi[3]; /* [m] grown */
} detection_slot;

typedef struct detection_hulls {
    hull **hull; /* [n] of solids with only a support function */
    uint64_t n, room;
} detection_hulls;

typedef struct detection {
    const scree_host *host;
    const scree_plugin *plugin;
    const scree_gcd_ops *ops;
    void *self;
    double extent; /* [m] growth of a box on each side; NaN: a tenth of the mean radius */
    /* The state of the last detection_find. */
    double grown; /* [m] extent, as used */
    uint32_t n;   /* slots */
    detection_slot *slots;
    double *memory;    /* arrays of `boxes` */
    scree_boxes boxes; /* [n] grown */
    scree_pair *pairs; /* [n_pairs] candidates, by slots, ascending */
    uint8_t *touches;  /* [n_pairs] 1: the scene has a contact of these two */
    uint64_t n_pairs;
    scree_layout_cell *cells; /* [n_cells] cut to the bounds of all boxes */
    uint64_t n_cells;
    double lo[3], hi[3]; /* [m] these bounds */
    detection_hulls hulls;
    scree_pair *given; /* what the GCD writes to */
    uint64_t reserved, room[5];
} detection;

/** [config] Makes the instance; NULL after host->fail in *out when that fails. */
int32_t detection_make(detection **out, const scree_host *host, const scree_plugin_ref *gcd,
                       double extent);
/** Accepts NULL. */
void detection_free(detection *d);
/** [step] Boxes, candidates and cells of a state. The GCD begins with each state as with the first,
 * so that a picture depends on its state only. */
int32_t detection_find(detection *d, const scree_view *view);
/** Corners [m] of the box of a slot, grown or tight. */
void detection_box(const detection *d, uint32_t slot, int grown, double lo[3], double hi[3]);

/** The line of pair k [m], from centre to centre, or to the place of a facet's box that is nearest. */
void detection_line(const detection *d, uint64_t k, double end[2][3]);

/* The parameters `detection` and `extent` of an observer. */
#define DETECTION_PARAMS(config_type)                                                              \
    SCREE_PLUGIN_PARAM(config_type, detection, GCD, SCREE_PARAM_OPTIONAL, NULL,                    \
                       "a GCD of its own, whose boxes, cells and candidates are shown");           \
    SCREE_REAL_PARAM(                                                                              \
        config_type, extent, "m", SCREE_PARAM_OPTIONAL, 0, 0, 1e100,                               \
        "with `detection`: growth of boxes on each side; absent: a tenth of the mean "             \
        "radius")

#endif
