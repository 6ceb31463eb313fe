/* SPDX-License-Identifier: Apache-2.0 */
/* How far two convex outlines that overlap must move to be apart. */
#ifndef CLOSEST_FEATURE_PENETRATION_H
#define CLOSEST_FEATURE_PENETRATION_H

#include "track.h"

/** The least translation that separates them, as a gap of negative length. */
gap convex_penetration(const placed *a, const placed *b);

#endif
