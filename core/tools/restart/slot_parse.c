/* SPDX-License-Identifier: Apache-2.0 */
/* Reads slots as text. */
#include "tools/restart/slot_parse.h"

#include <glib.h>
#include <string.h>

#include "plugin/kinds.h"

/** Reads "[12]", and nothing more: no sign, no leading zeros. */
static bool parse_index(const char *text, uint32_t *index)
{
    const char *digits = text + 1;
    size_t n = *text == '[' ? strspn(digits, "0123456789") : 0;
    guint64 value = 0;
    if (!n || n > 10 || (n > 1 && *digits == '0') || strcmp(digits + n, "]") != 0)
        return false;
    value = g_ascii_strtoull(digits, NULL, 10);
    *index = (uint32_t)value;
    return value < UINT32_MAX;
}

bool scree_slot_parse(const char *text, scree_slot *slot)
{
    size_t n = strcspn(text, "[.");
    scree_slot read = {.kind = scree_slot_kind_of(text, n)};
    bool good = false;
    if (!read.kind)
        return false;
    switch (scree_kinds[read.kind].form) {
    case SCREE_SLOT_ONE:
        good = !text[n];
        break;
    case SCREE_SLOT_LIST:
        good = parse_index(text + n, &read.index);
        break;
    case SCREE_SLOT_NAMED:
        read.name = text + n + 1;
        good = text[n] == '.' && *read.name;
        break;
    }
    if (good)
        *slot = read;
    return good;
}
