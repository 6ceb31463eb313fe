/* SPDX-License-Identifier: Apache-2.0 */
/* Judges what a plugin file says of itself: versions, sizes, names, masks. */
#ifndef CORE_MANIFEST_H
#define CORE_MANIFEST_H

#include "plugin/opened.h"
#include "plugin/plugin_file.h"

/** Checks a manifest and all its descriptors; nothing behind a wrong size or version is read. */
bool scree_manifest_check(const scree_manifest *manifest, GError **error);

#endif
