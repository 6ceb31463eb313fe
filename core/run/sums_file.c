/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the sums of observers in a checkpoint. */
#include "run/sums_file.h"

#include <inttypes.h>

enum { MOST_SUMS = 100000, MOST_COMPONENTS = 4096 };

void scree_saved_sums_transfer(scree_h5 *h5, GArray **sums)
{
    bool writing = h5->writing;
    uint64_t n = writing ? (*sums)->len : 0;
    if (writing ? !n : !h5->io->has(h5, "sums"))
        return; // there are no sums, or an older program wrote the file
    h5->io->group(h5, "sums");
    h5->io->count(h5, "n", &n, MOST_SUMS);
    if (!writing)
        *sums = scree_saved_sums_new();
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        if (!writing)
            g_array_set_size(*sums, (guint)i + 1);
        scree_saved_sum *one = &g_array_index(*sums, scree_saved_sum, i);
        h5->io->group(h5, number);
        h5->io->text(h5, "slot", &one->slot);
        h5->io->text(h5, "name", &one->name);
        h5->io->text(h5, "unit", &one->unit);
        h5->io->u32(h5, "components", &one->components, MOST_COMPONENTS);
        h5->io->u32(h5, "revision", &one->revision, UINT32_MAX);
        h5->io->array(h5, "values", SCREE_H5_F64, one->components, 1, &one->values);
        h5->io->leave(h5);
    }
    h5->io->leave(h5);
}
