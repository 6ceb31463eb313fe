/* SPDX-License-Identifier: Apache-2.0 */
/* Convex parts of outlines. */
#ifndef CLOSEST_FEATURE_PARTS_H
#define CLOSEST_FEATURE_PARTS_H

#include "outline.h"

/** [config] *parts: an array of convex outlines that make up `o`, to be freed; 0: no memory. */
int outline_parts(const outline *o, outline **parts, uint32_t *n_parts);

#endif
