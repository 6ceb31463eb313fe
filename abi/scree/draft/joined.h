/* SPDX-License-Identifier: MIT */
/* A draft (README.md): integrators that do two moves in one pass over the bodies. */
#ifndef SCREE_DRAFT_JOINED_H
#define SCREE_DRAFT_JOINED_H

#include "../integrator.h"

/** Extension "draft.joined/1" of a descriptor: an integrator with `move` does two moves of the same
 * bodies that follow each other, the last one of a step and the first one of the next. */
#define SCREE_DRAFT_JOINED "draft.joined/1"
typedef struct scree_joined {
    uint32_t size;
    uint32_t reserved; /* 0 */
    /** [lane] Does the work of move(first) and then of move(second), with the same bits. Both have
     * the same bodies; their motions have the same arrays, and may have different dt. */
    int32_t (*move_both)(void *instance, const scree_move_range *first,
                         const scree_move_range *second);
} scree_joined;

#endif
