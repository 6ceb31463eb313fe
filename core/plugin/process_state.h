/* SPDX-License-Identifier: Apache-2.0 */
/* State of the process or thread that belongs to the host: compared and restored around code of
 * plugins. */
#ifndef CORE_PROCESS_STATE_H
#define CORE_PROCESS_STATE_H

#include <locale.h>
#include <stdbool.h>

/** Locale, LC_ALL, umask, current folder, and the signal mask of the calling thread. */
typedef struct scree_process scree_process;

/** The locale with which calls of plugins are compared: LC_GLOBAL_LOCALE, or the locale that a
 * library gives to its threads while they work for the host. */
extern locale_t scree_host_locale;

/** Whether the locale is that of the host, which is C's: the host reads and writes numbers with it,
 * and never calls setlocale. */
static inline bool scree_locale_is_host(void)
{
    if (uselocale((locale_t)0) != scree_host_locale)
        return false;
    if (scree_host_locale != LC_GLOBAL_LOCALE)
        return true;
    const char *name = setlocale(LC_ALL, NULL);
    return name[0] == 'C' && !name[1];
}

/** Called once by a program of scree: the process is its own, so plugins may not change it. */
void scree_process_own(void);
/** Notes the state. One thread at a time may do so. NULL: the process is that of another program,
 * where only the floating-point environment and the locale of the thread are the host's. */
scree_process *scree_process_note(void);
/** Restores what has changed since the note, and the host's floating-point environment. Frees
 * `before`; with NULL only the floating-point environment and the locale are compared. Returns the
 * first change, to follow "it changed ..."; NULL: none. */
const char *scree_process_restore(scree_process *before);

#endif
