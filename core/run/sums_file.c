/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the sums of observers in a checkpoint. */
#include "run/sums_file.h"

#include <inttypes.h>

enum { MOST_SUMS = 100000, MOST_COMPONENTS = 4096 };

void scree_kept_sums_transfer(scree_h5 *h5, GArray **sums)
{
    bool writing = scree_h5_is_writing(h5);
    uint64_t n = writing ? (*sums)->len : 0;
    if (writing ? !n : !scree_h5_has(h5, "sums"))
        return; // there are no sums, or an older program wrote the file
    scree_h5_enter(h5, "sums");
    scree_h5_count(h5, "n", &n, MOST_SUMS);
    if (!writing)
        *sums = scree_kept_sums_new();
    for (uint64_t i = 0; i < n && scree_h5_good(h5, NULL); i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        if (!writing)
            g_array_set_size(*sums, (guint)i + 1);
        scree_kept_sum *one = &g_array_index(*sums, scree_kept_sum, i);
        scree_h5_enter(h5, number);
        scree_h5_text(h5, "slot", &one->slot);
        scree_h5_text(h5, "name", &one->name);
        scree_h5_text(h5, "unit", &one->unit);
        scree_h5_u32(h5, "components", &one->components, MOST_COMPONENTS);
        scree_h5_u32(h5, "revision", &one->revision, UINT32_MAX);
        scree_h5_array(h5, "values", SCREE_H5_F64, one->components, 1, &one->values);
        scree_h5_leave(h5);
    }
    scree_h5_leave(h5);
}
