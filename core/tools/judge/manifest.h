/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the manifest of a plugin file: versions, sizes, names, masks. */
#ifndef CORE_MANIFEST_H
#define CORE_MANIFEST_H

#include "plugin/opened.h"
#include "plugin/plugin_file.h"

/** Checks a manifest and all its descriptors; it reads nothing behind a wrong size or version. A new
 * manifest of the descriptors that this host serves; NULL: the file is refused. Those with something
 * that only a newer host may know are added to `left_out` (elements: scree_offer). */
const scree_manifest *scree_manifest_judge(const scree_manifest *manifest, GPtrArray *left_out,
                                           GError **error);

#endif
