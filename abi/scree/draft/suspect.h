/* SPDX-License-Identifier: MIT */
/* A draft (README.md): GCDs that look for faults of other GCDs. */
#ifndef SCREE_DRAFT_SUSPECT_H
#define SCREE_DRAFT_SUSPECT_H

#include "../gcd.h"

/** Extension "draft.suspect/1" of a descriptor: of a GCD that looks for faults of others. After a
 * failed call the host asks which pair of boxes is at fault, and names their bodies. */
#define SCREE_DRAFT_SUSPECT "draft.suspect/1"
typedef struct scree_suspect {
    uint32_t size; /* sizeof(scree_suspect) */
    uint32_t reserved;
    /** [step] 1: *pair is the pair that the last failed call of the instance is about; 0: it was
     * about none. */
    int32_t (*pair)(void *instance, scree_pair *pair);
} scree_suspect;

#endif
