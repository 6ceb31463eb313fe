/* SPDX-License-Identifier: Apache-2.0 */
/* State of the whole process or thread that belongs to the host: compared and restored around code
 * of others. */
#ifndef CORE_PROCESS_STATE_H
#define CORE_PROCESS_STATE_H

#include <locale.h>
#include <stdbool.h>

/** Locale, LC_ALL, umask, current folder and the calling thread's signal mask. */
typedef struct scree_process scree_process;

/** The host's locale is C's: it reads and writes numbers with it, and never calls setlocale. */
static inline bool scree_locale_is_host(void)
{
    const char *name = setlocale(LC_ALL, NULL);
    return name[0] == 'C' && !name[1] && uselocale((locale_t)0) == LC_GLOBAL_LOCALE;
}

/** Notes them as they are. One thread at a time. */
scree_process *scree_process_note(void);
/** Puts back what has changed since, and the host's floating-point environment. Frees `before`,
 * which may be NULL (then only the floating-point environment and the locale are compared). Returns
 * the first change, to follow "it changed ...", or NULL. */
const char *scree_process_restore(scree_process *before);

#endif
