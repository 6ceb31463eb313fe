/* SPDX-License-Identifier: Apache-2.0 */
/* An extension that is shorter than its first revision. */
#include "scree/scree.h"

#include <string.h>

static const void *get_extension(const char *name)
{
    static const scree_bonds bonds = {.size = offsetof(scree_bonds, reach)};
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}
#define FAULT_GET_EXTENSION get_extension
#include "fault.h"
