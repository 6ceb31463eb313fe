/* SPDX-License-Identifier: Apache-2.0 */
/* A field with a flag that this host does not know. */
#include "scree/scree.h"

static const scree_field field = {
    .size = sizeof(scree_field),
    .scope = SCREE_SCOPE_CONTACT,
    .components = 1,
    .flags = 4,
    .name = "memory",
    .help = "keeps nothing",
};
static const scree_field *const fields[] = {&field};
#define FAULT_FIELDS fields
#define FAULT_N_FIELDS 1
#include "fault.h"
