/* SPDX-License-Identifier: MIT */
/* A draft (README.md): forces of the program that runs the host as a library, for modifiers. */
#ifndef SCREE_DRAFT_EMBED_H
#define SCREE_DRAFT_EMBED_H

#include "../modifier.h"

/** Service "scree.embed/1": only a program that uses libscree offers it. */
#define SCREE_SERVICE_EMBED "scree.embed/1"
typedef struct scree_embed {
    uint32_t size;
    uint32_t reserved; /* 0 */
    void *ctx;
    /** [step] Calls the function that the program has set for the slot of this host. Below 0: it has
     * failed, and host->fail has its text. */
    int32_t (*forces)(void *ctx, const scree_host *host, const scree_forces *args);
} scree_embed;

#endif
