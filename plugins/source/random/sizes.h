/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of bodies by number or solid fraction: shared by the sources random, polygons and packing. */
#ifndef PLUGINS_SOURCE_SIZES_H
#define PLUGINS_SOURCE_SIZES_H

#include "../packing.h"

/** Draws the scales of the bodies [args->first, args->first + *n) in the order of their numbers, until
 * `count` or `fraction` is reached. *scale [*n]: for free(), after an error too. */
int32_t sizes_draw(const packing *p, double **scale, uint64_t *n);

#endif
