/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of time that the user may set by a variable of the environment. */
#ifndef CORE_LIMITS_H
#define CORE_LIMITS_H

#include <stdbool.h>

#include "base/error.h"

typedef enum scree_limit_of {
    SCREE_LIMIT_LOAD,  /* a plugin file that is tried */
    SCREE_LIMIT_CHECK, /* a case of scree check */
    SCREE_LIMIT_SWAP   /* plugins that are tried before they are switched in */
} scree_limit_of;

/** Refuses a variable that is not a number of seconds. */
bool scree_limits_check(GError **error);
/** [s] As the variable says, or the default. */
double scree_limit(scree_limit_of what);

#endif
