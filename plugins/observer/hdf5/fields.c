// SPDX-License-Identifier: Apache-2.0
// Names in the file of body fields that others have.
#include "h5.h"

void h5_name_field(const scree_bodies *b, uint32_t f, char name[H5_FIELD_NAME])
{
    const scree_used_field *field = b->used[f];
    int taken = strcmp(field->name, "box") == 0;
    for (int e = 0; e < N_ELEMENTS; e++)
        taken |= strcmp(h5_elements[e].name, field->name) == 0;
    for (uint32_t other = 0; other < b->n_used; other++)
        taken |= other != f && strcmp(b->used[other]->name, field->name) == 0;
    // A slash would make a group in a group.
    snprintf(name, H5_FIELD_NAME, "%s%s%s", taken ? field->slot : "", taken ? "." : "",
             field->name);
}

int h5_is_repeated(const scree_bodies *b, uint32_t f)
{
    for (uint32_t k = 0; k < f; k++)
        if (strcmp(b->used[k]->name, b->used[f]->name) == 0 &&
            strcmp(b->used[k]->slot, b->used[f]->slot) == 0)
            return 1;
    return 0;
}
