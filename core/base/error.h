/* SPDX-License-Identifier: Apache-2.0 */
/* The host's error domain: the code of an error is the exit status of the program. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <glib.h>
#include <stdbool.h>

#define SCREE_ERROR (g_quark_from_static_string("scree"))

typedef enum scree_exit {
    SCREE_EXIT_OK = 0,
    SCREE_EXIT_RUN = 1,     /* the run failed */
    SCREE_EXIT_USAGE = 2,   /* bad usage or config */
    SCREE_EXIT_PLUGIN = 3,  /* a plugin was refused or misbehaved */
    SCREE_EXIT_STOPPED = 4, /* stopped early by a signal */
} scree_exit;

/** Sets an error; always false, so that the caller can return it. Messages name the expected
 * and the found value: `KEY: expected RANGE, got VALUE`. */
bool scree_fail(GError **error, scree_exit status, const char *format, ...) G_GNUC_PRINTF(3, 4);
/** Sets an error that begins with "NAME VALUE: ", for an option of the user and its value, of which
 * at most 200 bytes are shown, as valid UTF-8. Always false. */
bool scree_fail_of(GError **error, scree_exit status, const char *name, const char *value,
                   const char *format, ...) G_GNUC_PRINTF(5, 6);

#endif
