/* SPDX-License-Identifier: Apache-2.0 */
/* The context of a run: its words for messages, its folder, its listener. A program has one run and
 * one context; a process that opens runs through libscree has one per run. */
#ifndef CORE_CONTEXT_H
#define CORE_CONTEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/say.h"

/** Members belong to the files that the comments name; others use their functions. */
typedef struct scree_context {
    scree_say_fn say;                /* say.c: listener of all lines; NULL: scree_say_print */
    const struct scree_embed *embed; /* instance.c: scree.embed/1; NULL: not offered */
    /* shortage.c */
    const char *work; /* NULL: the start */
    char part[80], shown_folder[512];
    uint64_t bodies;
    /* folder.c */
    char *start, *held; /* held: NULL: no folder is held */
    bool show_absolute, spares_syncs;
    dev_t device;
    ino_t inode;
    /* run_dir.c */
    int lock; /* descriptor of the folder or of the file that marks it; 0: none */
    bool lock_is_file;
    /* guard.c, call.h */
    bool careful;   /* calls of [step] functions are compared as [config] ones are */
    uint64_t steps; /* step that messages name, plus 1; 0: before the first one */
    /* call.c */
    char *fault;    /* of a call that cannot return an error */
    GArray *blamed; /* calls for which an error was set */
} scree_context;

/** The context for which the calling thread works; at first that of the program. The threads of a
 * pool work for the context in which the pool was made. */
extern _Thread_local scree_context *scree_context_now;

#endif
