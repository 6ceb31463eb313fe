/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of unknown plugin files: scree-tools judges and loads each in a child process, because
 * loading runs its constructors. */
#ifndef CORE_TRIAL_H
#define CORE_TRIAL_H

#include "plugin/opened.h"

/** The result of a trial. */
typedef struct scree_verdict {
    GPtrArray *offers; /* elements: scree_offer; NULL: refused, crashed, exited or hung */
    GError *error;     /* its message starts with the path */
    bool hung;         /* it took longer than the limit */
    bool led;          /* the linker takes libraries from folders that are not the system's */
    bool by_times;     /* an index knew the file, and only its times were compared */
} scree_verdict;

/** Trials in a process that has the code for them (tools/judge). */
typedef struct scree_judge {
    /** Fills the verdicts, which are zeroed, and keeps them in the user's index. */
    void (*try_files)(scree_held *const *files, scree_verdict *verdicts, guint n);
    /** Lists the plugins of folders, as scree_trials_list. */
    GPtrArray *(*list)(const GPtrArray *folders, GPtrArray *trusted);
    /** Notes that an index has known the bytes of a file, with other times. */
    void (*note)(scree_held *held, const GPtrArray *offers);
} scree_judge;
/** Those of this process, a constant; NULL: scree-tools tries files. */
extern const scree_judge *scree_judge_here;

/** Tries `n` files, and fills their verdicts, which must be zeroed. */
void scree_try_files(scree_held *const *files, scree_verdict *verdicts, guint n);
/** Lists all files of folders (elements: char *), in this order; `trusted` as in loader.h. New
 * array of scree_listing. */
GPtrArray *scree_trials_list(const GPtrArray *folders, GPtrArray *trusted);
/** The type of a scree_listing in JSON. Paths are escaped by g_strescape. */
#define SCREE_LISTING "(sumsmsmsmsasmsbbms)"
/** Calls scree_judge.note. */
void scree_trials_note(scree_held *held, const GPtrArray *offers);

#endif
