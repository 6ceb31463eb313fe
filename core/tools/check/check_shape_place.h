/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: a shape in two frames gives the same answers, each in its axes. */
#ifndef CORE_CHECK_SHAPE_PLACE_H
#define CORE_CHECK_SHAPE_PLACE_H

#include "tools/check/check_shape_bench.h"

/** Case `place`, with further instances of the same values. */
void scree_shape_check_place(scree_check *check, scree_instance *instance, const char *setting);

#endif
