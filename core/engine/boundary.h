/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step: bodies at the borders of the region. */
#ifndef CORE_BOUNDARY_H
#define CORE_BOUNDARY_H

#include "engine/state.h"

/** After a step: applies the boundaries to the free bodies. While ranks are apart each takes its own ones
 * through periodic boundaries; no body is outside of another boundary. */
bool scree_boundary_apply(scree_sim *sim, GError **error);
#endif
