/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that a source adds: each is checked before the scene takes it. */
#ifndef CORE_SOURCE_BODIES_H
#define CORE_SOURCE_BODIES_H

#include "scene/source_call.h"

/** add() of scree_making; `ctx` is a scree_source_call. */
int32_t scree_source_add(void *ctx, const scree_new_bodies *bodies);

#endif
