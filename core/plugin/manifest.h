/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the manifest of a plugin file: versions, sizes, names, masks. */
#ifndef CORE_MANIFEST_H
#define CORE_MANIFEST_H

#include "plugin/opened.h"
#include "plugin/plugin_file.h"

/** Checks a manifest and all its descriptors; it reads nothing behind a wrong size or version. */
bool scree_manifest_check(const scree_manifest *manifest, GError **error);

#endif
