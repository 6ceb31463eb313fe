/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the plugins of folders: all files, tried or known; what shadows what. */
#ifndef CORE_LISTING_H
#define CORE_LISTING_H

#include <glib.h>

/** scree_judge.list: all files of folders, in this order. New array of scree_listing. */
GPtrArray *scree_list_folders(const GPtrArray *folders, GPtrArray *trusted);

#endif
