/* SPDX-License-Identifier: Apache-2.0 */
/* From a direction to the next one along which the overlap is least. */
#ifndef GJK_SETTLE_H
#define GJK_SETTLE_H

#include "convex.h"

/** The local minimum of the overlap next to `from`; at most one of a and b may have faces. It is
 * never more than the overlap along `from` itself. */
span settle(const convex *a, const convex *b, scree_vec from);

#endif
