/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the cases of a plugin, each in its own child process, and judges their ends. */
#ifndef CORE_CHECK_CASES_H
#define CORE_CHECK_CASES_H

#include "tools/check/check.h"

typedef enum scree_check_outcome {
    SCREE_CHECK_OK,
    SCREE_CHECK_FAILED,
    SCREE_CHECK_SKIPPED,
} scree_check_outcome;

typedef struct scree_check_verdict {
    const char *id, *claim;
    scree_check_outcome outcome;
    char *text; /* lines of text, or "" */
    double seconds;
} scree_check_verdict;
/** The suite of a kind. */
const scree_check_suite *scree_check_suite_of(uint32_t kind);
void scree_check_verdict_free(scree_check_verdict *verdict);
/** Runs all cases, or only case `id` (NULL: all): GPtrArray of scree_check_verdict, empty when no
 * case has that id. It calls `tell` after each case. NULL: no child could be started. */
GPtrArray *scree_check_run(const scree_check *subject, const char *id,
                           void (*tell)(const scree_check_verdict *verdict, void *user), void *user,
                           GError **error);
/** Runs case `id` in this process, which a launcher has started, and becomes one of its ranks. */
_Noreturn void scree_check_be_rank(const scree_check *subject, const char *id);
/** The claim of case number k, in the order of the cases; NULL: the kind has fewer cases. */
const scree_check_case *scree_check_case_at(uint32_t kind, uint32_t number);

#endif
