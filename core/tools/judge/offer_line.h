/* SPDX-License-Identifier: Apache-2.0 */
/* Makes offers of a manifest, and their text in JSON. */
#ifndef CORE_OFFER_LINE_H
#define CORE_OFFER_LINE_H

#include "plugin/trial.h"

/** Adds the offers of a manifest that was judged; all offers get what the file at `fd` says of
 * itself. */
void scree_offers_add(GPtrArray *offers, const scree_manifest *manifest, int fd);
/** The offers as an array in JSON, on one line. New string. */
char *scree_offers_line(const GPtrArray *offers);

#endif
