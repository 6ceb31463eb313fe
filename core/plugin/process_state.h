/* SPDX-License-Identifier: Apache-2.0 */
/* State of the process or thread that belongs to the host: compared and restored around code of
 * plugins. */
#ifndef CORE_PROCESS_STATE_H
#define CORE_PROCESS_STATE_H

#include <locale.h>
#include <stdbool.h>

/** Locale, LC_ALL, umask, current folder, and the signal mask of the calling thread. */
typedef struct scree_process scree_process;

/** Whether the locale is C's. The host reads and writes numbers with it, and never calls
 * setlocale. */
static inline bool scree_locale_is_host(void)
{
    const char *name = setlocale(LC_ALL, NULL);
    return name[0] == 'C' && !name[1] && uselocale((locale_t)0) == LC_GLOBAL_LOCALE;
}

/** Notes the state. One thread at a time may do so. */
scree_process *scree_process_note(void);
/** Restores what has changed since the note, and the host's floating-point environment. Frees
 * `before`; with NULL only the floating-point environment and the locale are compared. Returns the
 * first change, to follow "it changed ..."; NULL: none. */
const char *scree_process_restore(scree_process *before);

#endif
