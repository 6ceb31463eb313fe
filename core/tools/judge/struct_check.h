/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the size of a struct that a plugin declares, and the bytes that this host does not know. */
#ifndef CORE_STRUCT_CHECK_H
#define CORE_STRUCT_CHECK_H

#include <stdint.h>

#include "base/error.h"
#include "plugin/struct_size.h"

/** Code of an error about what a newer scree may know: it leaves out a descriptor, and the file is taken. */
#define SCREE_NOT_KNOWN ((scree_exit)100)

/** A struct that a plugin declares, as far as the host knows it. */
typedef struct scree_known {
    const char *type;
    size_t least, size; /* [bytes] frozen minimum: all of the first minor; of today */
} scree_known;
#define SCREE_KNOWN(type, last)                                                                    \
    {                                                                                              \
#type, SCREE_SIZE_TO(type, last), sizeof(type)                                             \
    }
/** Whether a struct holds the frozen minimum, and only 0 behind what the host knows. */
bool scree_check_struct(const void *data, const scree_known *known, GError **error);

#endif
