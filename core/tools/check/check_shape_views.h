/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: views of one shape against one another. */
#ifndef CORE_CHECK_SHAPE_VIEWS_H
#define CORE_CHECK_SHAPE_VIEWS_H

#include "tools/check/check_shape_bench.h"

/** Case `views`. */
void scree_shape_check_views(const scree_shape_bench *b);
/** Case `const`: asked again a view is the same, and bytes() counts it. */
void scree_shape_check_const(const scree_shape_bench *b);
/** Adds all that the views show to `bits`. */
void scree_shape_digest_views(const scree_shape_bench *b, GChecksum *bits);

#endif
