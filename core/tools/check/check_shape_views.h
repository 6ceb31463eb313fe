/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: compares views of one shape. */
#ifndef CORE_CHECK_SHAPE_VIEWS_H
#define CORE_CHECK_SHAPE_VIEWS_H

#include "tools/check/check_shape_bench.h"

/** Case `views`. */
void scree_shape_check_views(const scree_shape_bench *b);
/** Case `const`: a view is the same when it is asked for again, and bytes() counts it. */
void scree_shape_check_const(const scree_shape_bench *b);
/** Adds all views to `bits`. */
void scree_shape_digest_views(const scree_shape_bench *b, GChecksum *bits);

#endif
