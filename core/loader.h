/* SPDX-License-Identifier: Apache-2.0 */
/* The steps by which a plugin file is judged and loaded, shared by loader, probe and registry. */
#ifndef CORE_LOADER_H
#define CORE_LOADER_H

#include "registry.h"

/** Bytes of a struct up to and with `last`. With the last member of the first minor it is the
 * frozen minimum of the struct: it never grows, whatever is appended. */
#define SCREE_SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

/** One algorithm that a file offers, as a child process has read it. */
typedef struct scree_offer {
    uint32_t kind;
    char *id, *version, *help;
} scree_offer;

void scree_offer_free(scree_offer *offer);

/* manifest.c */

/** Sets an error with SCREE_EXIT_PLUGIN; false. */
bool scree_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Checks a manifest and all its descriptors; nothing behind a wrong size or version is read. */
bool scree_manifest_check(const scree_manifest *manifest, GError **error);

/* probe.c */

/** Loads the file in a child process, with a time limit, and tells what it offers: GPtrArray of
 * scree_offer. NULL when it was refused, crashed, exited or hung; the message starts with the path.
 */
GPtrArray *scree_probe(const char *path, GError **error);

/* loader.c */

/** dlopen and all checks, in this process. NULL: refused; the message does not hold the path. */
const scree_manifest *scree_file_open(const char *path, GError **error);
/** What loading `path` would offer, without loading it here: permissions, probe, and the same for
 * its twin of a better CPU level. *taken: path of the file that would be loaded. */
GPtrArray *scree_file_offers(const char *path, bool trusted, char **taken, GError **error);
/** True for "ID.x86-64-v3.so" and the like, which are never plugins of their own. */
bool scree_file_is_twin(const char *name);

#endif
