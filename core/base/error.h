/* SPDX-License-Identifier: Apache-2.0 */
/* The host's error domain: the code of an error is the exit status of the program. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <glib.h>

#define SCREE_ERROR (g_quark_from_static_string("scree"))

typedef enum scree_exit {
    SCREE_EXIT_OK = 0,
    SCREE_EXIT_RUN = 1,     /* the run failed */
    SCREE_EXIT_USAGE = 2,   /* bad usage or config */
    SCREE_EXIT_PLUGIN = 3,  /* a plugin was refused or misbehaved */
    SCREE_EXIT_STOPPED = 4, /* stopped early by a signal */
} scree_exit;

#endif
