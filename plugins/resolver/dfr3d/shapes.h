/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of shapes. */
#ifndef RESOLVER_DFR3D_SHAPES_H
#define RESOLVER_DFR3D_SHAPES_H

#include <scree/draft/solid.h>

#include "../solid/served.h"
#include "dfr3d.h"

/* Most cells along the longest side that a scene may ask for. */
#define DFR_MOST_ASKED 64
_Static_assert(DFR_MOST_ASKED + 2 <= DFR_MOST_CELLS, "ordinates have 10 bits in a feature");

/** The settings of a scene. */
typedef struct dfr_request {
    const scree_host *host;
    uint32_t cells;
    double cell; // [m] NaN: not given
} dfr_request;

/** From the frame of a shape to that of its cells: a point p is at turn p + shift. */
typedef struct dfr_frame {
    double turn[3][3], shift[3]; // [-] [m]
} dfr_frame;

/** The exact mesh of a shape, where it encloses a solid; else NULL. */
const scree_mesh *dfr_closed_mesh(const scree_shape *shape);
/** Makes the cells of a solid with a closed mesh or a function; logs their error, or fails. */
int32_t dfr_make_of_shape(const dfr_request *asked, uint32_t index, const scree_shape *shape,
                          dfr_body *body, dfr_frame *frame);

/** The functions of draft.solid/1 for a body: show.c. */
void dfr_show_grid(const dfr_body *b, const dfr_frame *frame, scree_solid_grid *out);
void dfr_show_classes(const dfr_body *b, uint8_t *out);
uint32_t dfr_show_numbers(const dfr_body *b, uint32_t room, scree_solid_number *out);

#endif
