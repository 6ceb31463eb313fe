/* SPDX-License-Identifier: Apache-2.0 */
/* A field of a scope that no plugin has. */
#include "scree/scree.h"

static const scree_field field = {
    .size = sizeof(scree_field),
    .scope = 5,
    .components = 1,
    .name = "memory",
    .help = "keeps nothing",
};
static const scree_field *const fields[] = {&field};
#define FAULT_FIELDS fields
#define FAULT_N_FIELDS 1
#include "fault.h"
