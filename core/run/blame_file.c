/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a blamed call to a replay file and reads it: its arrays as they were before the call. */
#include "run/blame_file.h"

static void transfer_blame_array(scree_h5 *h5, scree_blame *blame, uint32_t i)
{
    enum { WIDEST = 1024 };
    bool writing = scree_h5_is_writing(h5);
    scree_blame_array one = {.name = NULL};
    if (writing)
        one = g_array_index(blame->arrays, scree_blame_array, i);
    scree_h5_text(h5, "name", &one.name);
    scree_h5_u32(h5, "width", &one.width, WIDEST);
    scree_h5_count(h5, "n", &one.n, UINT32_MAX * (uint64_t)SCREE_WRENCH);
    scree_h5_array(h5, "bytes", SCREE_H5_U8, one.n, one.width, &one.data);
    if (writing)
        return;
    if (scree_h5_good(h5, NULL))
        scree_blame_add(blame, one.name, one.width, one.n, one.data);
    g_free(one.name);
    g_free(one.data);
}

void scree_blame_transfer(scree_h5 *h5, scree_blame **blame)
{
    enum { MOST_ARRAYS = 1000 };
    if (!scree_h5_is_writing(h5))
        *blame = scree_blame_new(0, NULL, NULL);
    uint64_t n = (*blame)->arrays->len;
    scree_h5_u32(h5, "kind", &(*blame)->kind, SCREE_KIND_MODIFIER);
    scree_h5_text(h5, "slot", &(*blame)->slot);
    scree_h5_text(h5, "call", &(*blame)->call);
    scree_h5_count(h5, "arrays", &n, MOST_ARRAYS);
    for (uint32_t i = 0; i < n && scree_h5_good(h5, NULL); i++) {
        g_autofree char *number = g_strdup_printf("%u", i);
        scree_h5_enter(h5, number);
        transfer_blame_array(h5, *blame, i);
        scree_h5_leave(h5);
    }
}
