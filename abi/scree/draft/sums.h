/* SPDX-License-Identifier: MIT */
/* A draft (README.md): observers that read no energies and no momenta. */
#ifndef SCREE_DRAFT_SUMS_H
#define SCREE_DRAFT_SUMS_H

#include "../observer.h"

/** A need that the host adds to the needs of each observer before it calls narrow(). An observer
 * that clears the bit reads neither view->energy, which is then NULL, nor the momenta, which are
 * then 0. The host computes these sums over all bodies only if an observer of the state keeps the
 * bit. No descriptor has the bit. An older host does not add it, and gives all observers the sums. */
#define SCREE_DRAFT_WANTS_SUMS (1ull << 32)

/** narrow() of an observer that needs all but these sums. */
static inline int32_t scree_narrow_sums(void *instance, scree_demands *demands)
{
    (void)instance;
    demands->needs &= ~SCREE_DRAFT_WANTS_SUMS;
    return SCREE_OK;
}

#endif
