/* SPDX-License-Identifier: Apache-2.0 */
/* Judges and loads plugin files, one file or many at once. */
#ifndef CORE_LOADER_H
#define CORE_LOADER_H

#include "base/error.h"
#include "plugin/plugin_file.h"
#include "plugin/trial.h"

/** A file that may be loaded, its twin, and what both offer. */
typedef struct scree_candidate {
    scree_held *file, *twin; /* NULL: it could not be opened; it has no twin */
    GPtrArray *offers;       /* elements: scree_offer; NULL: not judged yet, or refused */
    GError *error;           /* reason of the refusal; NULL: none */
    bool hung;               /* the reason is that its trial took too long */
} scree_candidate;

/** Whether this is a build for another CPU ("ID.x86-64-v3.so"), which is never a plugin of its
 * own. */
bool scree_file_is_twin(const char *name);

/** Opens and judges a file and its twin. Never NULL; `error` has the reason of a refusal. */
scree_candidate *scree_candidate_new(const char *path, GPtrArray *trusted);
/** Also tries them, to be loaded. */
scree_candidate *scree_candidate_tried(const char *path, GPtrArray *trusted);
void scree_candidate_free(scree_candidate *candidate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_candidate, scree_candidate_free)
/** Judges files: the process or the index knows some of them, a child process loads each of the
 * others. `to_load`: the known bytes must be the ones that will be loaded; else equal times are
 * enough. */
void scree_candidates_try(GPtrArray *candidates, bool to_load);
/** Loads the file that was tried, once per process. NULL: refused. */
const scree_file *scree_candidate_load(scree_candidate *candidate, GError **error);

/** Opens, judges and loads one file (docs/explanation/trust.md); its manifest is constant data.
 * `trusted`: char * elements, paths without links of files that others may write; or NULL. */
const scree_file *scree_file_load(const char *path, GPtrArray *trusted, GError **error);
/** The source in the file whose bodies the integrators of the file move; NULL: its integrators move
 * any bodies, by forces. */
const scree_plugin *scree_file_own_source(const scree_file *file);
/** Paths of loaded files that were written to since: GPtrArray of char *, borrowed. */
GPtrArray *scree_files_changed(void);

#endif
