/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the size of a struct that a plugin declares, and the bytes that this host does not know. */
#include "tools/judge/struct_check.h"

#include <string.h>

/* Tail rule: nothing that a plugin says is ignored. A struct is read only up to this size. */
#define MOST_BYTES 65536u
bool scree_check_struct(const void *data, const scree_known *known, GError **error)
{
    const char *type = known->type, *bytes = data;
    uint32_t size;
    if (!data)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "expected a %s, got NULL", type);
    memcpy(&size, data, sizeof size);
    if (size < known->least || size > MOST_BYTES)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "expected a %s of %zu to %u bytes, got %u",
                          type, known->least, MOST_BYTES, size);
    for (size_t at = known->size; at < size; at++)
        if (bytes[at])
            return scree_fail(error, SCREE_NOT_KNOWN,
                              "byte %zu of its %s is not 0; this host knows %zu bytes", at, type,
                              known->size);
    return true;
}
