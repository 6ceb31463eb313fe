/* SPDX-License-Identifier: Apache-2.0 */
/* Storage numbers of bodies by id: by a table, or by sorting if few ids are left. */
#include "engine/body_index.h"

#include <stdlib.h>
#include <string.h>

static int compare_ids(const void *pa, const void *pb, void *user)
{
    const uint64_t *id = user;
    uint64_t a = id[*(const uint32_t *)pa], b = id[*(const uint32_t *)pb];
    return a < b ? -1 : a > b;
}

enum { GAPS = 8 }; // sorting is cheaper above this number of ids per body

uint64_t scree_body_table_length(const scree_world *w)
{
    return w->next_id / GAPS < w->n ? w->next_id + 1 : 0;
}

static void fill_table(const scree_world *w, uint32_t *table)
{
    memset(table, 0xff, (w->next_id + 1) * sizeof *table); // SCREE_NONE
    for (uint32_t i = 0; i < w->n; i++)
        table[w->id[i]] = i;
}

uint32_t *scree_body_table_new(const scree_world *w)
{
    const uint64_t length = scree_body_table_length(w);
    uint32_t *table = length ? g_new(uint32_t, length) : NULL;
    if (table)
        fill_table(w, table);
    return table;
}

void scree_body_index_fill(const scree_world *w, uint32_t *by_id, uint32_t *table)
{
    bool sorted = true;
    for (uint32_t i = 0; i < w->n; i++) {
        by_id[i] = i;
        sorted = sorted && (i == 0 || w->id[i - 1] < w->id[i]);
    }
    if (sorted)
        return;
    if (!table) {
        qsort_r(by_id, w->n, sizeof *by_id, compare_ids, w->id);
        return;
    }
    uint32_t n = 0;
    fill_table(w, table);
    for (uint64_t id = 0; id <= w->next_id; id++)
        if (table[id] != SCREE_NONE)
            by_id[n++] = table[id];
}

uint32_t *scree_body_index_new(const scree_world *w)
{
    uint32_t *by_id = g_new(uint32_t, w->n + 1);
    g_autofree uint32_t *table = g_new(uint32_t, scree_body_table_length(w) + 1);
    scree_body_index_fill(w, by_id, scree_body_table_length(w) ? table : NULL);
    return by_id;
}

uint32_t scree_body_index_find(const scree_world *w, const uint32_t *by_id, uint64_t id)
{
    uint32_t low = 0, high = w->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->id[by_id[middle]] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->n && w->id[by_id[low]] == id ? by_id[low] : SCREE_NONE;
}
