/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a run about its swaps of plugins and the entries of its schedule. */
#include "engine/swap_record.h"

static void change_clear(void *data)
{
    scree_swap_change *change = data;
    g_free(change->slot);
    g_free(change->from);
    g_free(change->to);
}

void scree_swap_free(scree_swap *swap)
{
    if (!swap)
        return;
    g_free(swap->cause);
    g_free(swap->refused);
    g_array_unref(swap->changes);
    g_ptr_array_unref(swap->fields);
    g_free(swap);
}

scree_swap *scree_swap_new(uint64_t step, double time, const char *cause)
{
    scree_swap *swap = g_new0(scree_swap, 1);
    swap->step = step;
    swap->time = time;
    swap->cause = g_strdup(cause);
    swap->changes = g_array_new(FALSE, TRUE, sizeof(scree_swap_change));
    g_array_set_clear_func(swap->changes, change_clear);
    swap->fields = g_ptr_array_new_with_free_func(g_free);
    return swap;
}
