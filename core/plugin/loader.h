/* SPDX-License-Identifier: Apache-2.0 */
/* The steps by which a plugin file is judged and loaded, shared by loader, probe and registry. */
#ifndef CORE_LOADER_H
#define CORE_LOADER_H

#include "plugin/registry.h"
#include "plugin/trust.h"

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

/** Checks a manifest and all its descriptors; nothing behind a wrong size or version is read. */
bool scree_manifest_check(const scree_manifest *manifest, GError **error);

/* dl.c */

/** A file that was opened and judged, with the libraries that it needs. Its descriptors are
 * read, hashed, tried and loaded, even if the path leads to another file by then. */
typedef struct scree_held {
    scree_opened opened;
    GPtrArray *libraries; /* of scree_library, in the order of loading */
    GPtrArray *trusted;   /* of char *, or NULL */
    char *sha256;         /* of the file when it was opened, hex; NULL: not yet asked for */
    bool settled;         /* it was last changed so long ago that its times show a change */
    bool for_good;        /* it was loaded: the linker knows it by its descriptor */
} scree_held;

/** NULL: it is missing, or it or a library that it needs is not to be trusted. */
scree_held *scree_held_new(const char *path, GPtrArray *trusted, GError **error);
void scree_held_free(scree_held *held);
/** True when the file holds the bytes that it held when it was opened. */
bool scree_held_is_same(const scree_held *held);
/** Hash of these bytes, hex, borrowed; NULL: the file was written to, or cannot be read. */
const char *scree_held_sha256(scree_held *held, GError **error);
/** dlopen and all checks, in this process. NULL: refused; the message does not hold the path. */
const scree_manifest *scree_held_load(scree_held *held, GError **error);

/* loader.c */

/** A file that may be loaded, with its twin of a better CPU level, and what a child found in it. */
typedef struct scree_candidate {
    scree_held *file, *twin; /* NULL: it could not be had; there is none */
    GPtrArray *offers;       /* of scree_offer; NULL before it was tried, and when it was refused */
    GError *error;           /* why it was refused, or NULL */
} scree_candidate;

/** Opens and judges a file and its twin. Never NULL; look at `error`. */
scree_candidate *scree_candidate_new(const char *path, GPtrArray *trusted);
void scree_candidate_free(scree_candidate *candidate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_candidate, scree_candidate_free)
/** Loads each file in a child process, side by side, unless one of the same bytes was tried. */
void scree_candidates_try(GPtrArray *candidates);
/** The file that was tried, loaded once per process. NULL: refused. */
const scree_file *scree_candidate_load(scree_candidate *candidate, GError **error);
/** True for "ID.x86-64-v3.so" and the like, which are never plugins of their own. */
bool scree_file_is_twin(const char *name);

/* probe.c */

/** A file to be tried. */
typedef struct scree_trial {
    scree_held *file;
    GPtrArray *offers; /* of scree_offer; NULL when it was refused, crashed, exited or hung */
    GError *error;     /* its message starts with the path */
} scree_trial;

/** Loads each file in a child process with a time limit, some of them at a time, and notes what it
 * offers. */
void scree_try_files(scree_trial *trials, guint n);

#endif
