/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin file that may be loaded, its build for a better CPU (its twin), and what both offer.
 * Data only. */
#ifndef CORE_CANDIDATE_H
#define CORE_CANDIDATE_H

#include "plugin/held.h"
#include "plugin/offer.h"
#include "plugin/plugin_file.h"

/** A file that may be loaded, its twin, and what both offer. */
typedef struct scree_candidate {
    scree_held *file, *twin; /* NULL: it could not be opened; it has no twin */
    GPtrArray *offers;       /* elements: scree_offer; NULL: not judged yet, or refused */
    GError *error;           /* reason of the refusal; NULL: none */
    bool hung;               /* the reason is that its trial took too long */
} scree_candidate;

#endif
