/* SPDX-License-Identifier: Apache-2.0 */
/* After a swap of resolvers: finds the history of a contact by its position. */
#include "change/contact_match.h"

#include "engine/contacts.h"
#include "engine/state.h"
#include "engine/trial_forces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Features are a resolver's own names for the contacts of a pair; another resolver may have other
 * names. Both evaluate the same state. For each pair, the two nearest contacts are matched, then
 * the nearest two of the rest, and so on; of equally near ones, equal names come first. History
 * without a match is dropped. Matches and drops are counted; a contact that the previous resolver
 * no longer finds has ended, and is not counted.
 */

/** A contact found by an evaluation. */
typedef struct point {
    scree_contact_key key;
    double arm[3]; /* [m] from the centre of a */
} point;

static int compare_points(const void *a, const void *b)
{
    return scree_contact_key_compare(&((const point *)a)->key, &((const point *)b)->key);
}

static void add_points(const scree_sim *sim, const scree_segment *s, GArray *points)
{
    const scree_table *t = &s->table[1 - sim->contacts.committed];
    const double *arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = scree_record_column(&s->records, offsetof(scree_record, arm[k]));
    for (uint64_t c = 0; c < t->n; c++) {
        point one = {
            scree_contact_key_of(sim->world, s, t->pair[c], t->feature ? t->feature[c] : 0),
            {arm[0][c], arm[1][c], arm[2][c]}};
        g_array_append_val(points, one);
    }
}

GArray *scree_nearest_points(scree_sim *sim, GError **error)
{
    if (!scree_trial_contacts(sim, error))
        return NULL;
    GArray *points = g_array_new(FALSE, FALSE, sizeof(point));
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        add_points(sim, scree_segment_at(sim, k), points);
    g_array_sort(points, compare_points);
    return points;
}

static const point *at(const GArray *points, uint64_t i)
{
    return &g_array_index(points, point, i);
}

/** Finds the points [begin, end) of a pair, starting at *begin. */
static void find_pair(const GArray *points, const scree_contact_key *key, guint *begin, guint *end)
{
    while (*begin < points->len &&
           scree_contact_key_compare_pair(&at(points, *begin)->key, key) < 0)
        ++*begin;
    *end = *begin;
    while (*end < points->len && scree_contact_key_compare_pair(&at(points, *end)->key, key) == 0)
        ++*end;
}

/** Position of a previous contact; NULL: the contact has ended. */
static const point *find_point(const GArray *points, guint begin, guint end, uint64_t feature)
{
    for (guint k = begin; k < end; k++)
        if (at(points, k)->key.feature == feature)
            return at(points, k);
    return NULL;
}

static double distance2(const point *a, const point *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (a->arm[k] - b->arm[k]) * (a->arm[k] - b->arm[k]);
    return sum;
}

/** Matches the previous contacts of a pair, rows [first, last) of the store: they get the features
 * of the nearest contacts. gone[row] = 1: no match. Adds the number of matches to *carried. */
static uint64_t match_pair(scree_contact_store *store, uint64_t first, uint64_t last,
                           const GArray *before, guint b0, guint b1, const GArray *now, guint n0,
                           guint n1, uint8_t *gone, uint64_t *carried)
{
    enum { WAITS = 2 };
    uint64_t dropped = 0;
    g_autofree uint8_t *taken = g_new0(uint8_t, n1 - n0 + 1);
    g_autofree uint64_t *feature = g_new(uint64_t, last - first);
    for (uint64_t i = first; i < last; i++) {
        feature[i - first] = store->key[i].feature;
        gone[i] = find_point(before, b0, b1, store->key[i].feature) ? WAITS : 0;
    }
    for (;;) {
        double least = HUGE_VAL;
        uint64_t row = last;
        guint contact = n1;
        bool equal = false;
        for (uint64_t i = first; i < last; i++)
            for (guint k = n0; gone[i] == WAITS && k < n1; k++) {
                double d2 = distance2(find_point(before, b0, b1, feature[i - first]), at(now, k));
                bool named = at(now, k)->key.feature == feature[i - first];
                if (taken[k - n0] || !(d2 < least || (d2 <= least && named && !equal)))
                    continue;
                least = d2;
                row = i;
                contact = k;
                equal = named;
            }
        if (row == last)
            break;
        taken[contact - n0] = 1;
        gone[row] = 0;
        ++*carried;
        store->key[row].feature = at(now, contact)->key.feature;
    }
    for (uint64_t i = first; i < last; i++) {
        dropped += gone[i] == WAITS;
        gone[i] = gone[i] == WAITS;
    }
    return dropped;
}

uint64_t scree_nearest_match(scree_contact_store *store, uint32_t n_fields, uint32_t n_pair_fields,
                             const GArray *before, const GArray *now, uint64_t *carried)
{
    g_autofree uint8_t *gone = g_new0(uint8_t, store->n + 1);
    uint64_t dropped = 0, n_gone = 0;
    *carried = 0;
    guint b0 = 0, b1, n0 = 0, n1;
    for (uint64_t first = 0, last; first < store->n; first = last) {
        last = first + 1;
        while (last < store->n &&
               scree_contact_key_compare_pair(&store->key[last], &store->key[first]) == 0)
            last++;
        find_pair(before, &store->key[first], &b0, &b1);
        find_pair(now, &store->key[first], &n0, &n1);
        dropped += match_pair(store, first, last, before, b0, b1, now, n0, n1, gone, carried);
    }
    for (uint64_t i = 0; i < store->n; i++)
        if (gone[i]) {
            store->key[i].id_a = UINT64_MAX; // after all others
            n_gone++;
        }
    scree_contact_store_sort(store, n_fields, n_pair_fields);
    store->n -= n_gone;
    return dropped;
}
