/* SPDX-License-Identifier: Apache-2.0 */
/* The steps by which a plugin file is judged and loaded, shared by loader, probe and registry. */
#ifndef CORE_LOADER_H
#define CORE_LOADER_H

#include "base/error.h"
#include "plugin/candidate.h"
#include "plugin/plugin_file.h"

/** Opens and judges a file and its twin. Never NULL; look at `error`. */
scree_candidate *scree_candidate_new(const char *path, GPtrArray *trusted);
void scree_candidate_free(scree_candidate *candidate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_candidate, scree_candidate_free)
/** Judges files: by what this process or the index knows of them, the others by loading each in a
 * child process, side by side. `to_load`: what is known must be of the bytes that will be loaded;
 * else of a file with the same times. */
void scree_candidates_try(GPtrArray *candidates, bool to_load);
/** The file that was tried, loaded once per process. NULL: refused. */
const scree_file *scree_candidate_load(scree_candidate *candidate, GError **error);

/** Opens and checks one file (docs/explanation/trust.md); the file's manifest is constant
 * data. `trusted`: paths without links of files that others may write (of char *), or NULL. */
const scree_file *scree_file_load(const char *path, GPtrArray *trusted, GError **error);
/** The source of the file that has its bodies from an integrator of the same file; NULL: the
 * integrators of the file move any bodies, by forces. */
const scree_plugin *scree_file_own_source(const scree_file *file);
/** Paths of loaded files that somebody has written to since: GPtrArray of char *, borrowed. */
GPtrArray *scree_files_changed(void);

#endif
