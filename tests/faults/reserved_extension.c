/* SPDX-License-Identifier: Apache-2.0 */
/* An extension whose reserved word is in use. */
#include "scree/scree.h"

#include <string.h>

static const void *get_extension(const char *name)
{
    static const scree_bonds bonds = {.size = sizeof(scree_bonds), .reserved = 7};
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}
#define FAULT_GET_EXTENSION get_extension
#include "fault.h"
