/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin file that may be loaded, with its twin of a better CPU level, and what both offer. Data only. */
#ifndef CORE_CANDIDATE_H
#define CORE_CANDIDATE_H

#include "plugin/held.h"
#include "plugin/offer.h"
#include "plugin/plugin_file.h"

/** A file that may be loaded, with its twin of a better CPU level, and what both offer. */
typedef struct scree_candidate {
    scree_held *file, *twin; /* NULL: it could not be opened; there is none */
    GPtrArray *offers; /* of scree_offer; NULL before it was judged, and when it was refused */
    GError *error;     /* why it was refused, or NULL */
} scree_candidate;

#endif
