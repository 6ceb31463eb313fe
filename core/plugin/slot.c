/* SPDX-License-Identifier: Apache-2.0 */
/* Slots as text. */
#include "plugin/slot.h"

#include <glib.h>
#include <string.h>

#include "plugin/kinds.h"

uint32_t scree_slot_kind_of(const char *key, uint64_t n)
{
    for (uint32_t kind = 1; scree_kinds[kind].key; kind++)
        if (strlen(scree_kinds[kind].key) == n && !strncmp(scree_kinds[kind].key, key, n))
            return kind;
    return 0;
}

char *scree_slot_print(scree_slot slot)
{
    const char *key = scree_kinds[slot.kind].key;
    switch (scree_kinds[slot.kind].form) {
    case SCREE_SLOT_LIST:
        return g_strdup_printf("%s[%u]", key, slot.index);
    case SCREE_SLOT_NAMED:
        return g_strdup_printf("%s.%s", key, slot.name);
    default:
        return g_strdup(key);
    }
}
