/* SPDX-License-Identifier: Apache-2.0 */
/* Storage numbers of bodies by their ids: through a table, or by sorting where few ids are left. */
#include "engine/body_index.h"

#include <stdlib.h>
#include <string.h>

static int compare_ids(const void *pa, const void *pb, void *user)
{
    const uint64_t *id = user;
    uint64_t a = id[*(const uint32_t *)pa], b = id[*(const uint32_t *)pb];
    return a < b ? -1 : a > b;
}

enum { GAPS = 8 }; // ids given per body, above which sorting is cheaper

uint32_t *scree_body_table_new(const scree_world *w)
{
    if (w->next_id / GAPS >= w->n)
        return NULL;
    uint32_t *body = g_new(uint32_t, w->next_id + 1);
    memset(body, 0xff, (w->next_id + 1) * sizeof *body); // SCREE_NONE
    for (uint32_t i = 0; i < w->n; i++)
        body[w->id[i]] = i;
    return body;
}

/** Lists the bodies by id through a table of all ids that were given: few gaps, no comparisons. */
static void list_by_id(const scree_world *w, uint32_t *by_id)
{
    g_autofree uint32_t *body = scree_body_table_new(w);
    uint32_t n = 0;
    for (uint64_t id = 0; id <= w->next_id; id++)
        if (body[id] != SCREE_NONE)
            by_id[n++] = body[id];
}

uint32_t *scree_body_index_new(const scree_world *w)
{
    uint32_t *by_id = g_new(uint32_t, w->n + 1);
    bool sorted = true;
    for (uint32_t i = 0; i < w->n; i++) {
        by_id[i] = i;
        sorted = sorted && (i == 0 || w->id[i - 1] < w->id[i]);
    }
    if (!sorted && w->next_id / GAPS < w->n)
        list_by_id(w, by_id);
    else if (!sorted)
        qsort_r(by_id, w->n, sizeof *by_id, compare_ids, w->id);
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
