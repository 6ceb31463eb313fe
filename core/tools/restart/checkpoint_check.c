/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the state in a checkpoint: anyone may have written the file, with the right checksum. */
#include "tools/restart/checkpoint_check.h"

#include "base/exact_sum.h"
#include "engine/contacts.h"
#include "engine/snapshot.h"
#include "engine/swap_record.h"
#include "plugin/kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEP (UINT64_C(1) << 53) // steps are also counted in doubles

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool all_finite(const double *v, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

/** The ids of the bodies: marked by id, or sorted if the largest id is far above their number. */
typedef struct id_set {
    const scree_world *w;
    uint8_t *there;   // [next_id] 1: the id is in use; NULL: `sorted` is used
    uint64_t *sorted; // [n]
} id_set;

static char *refuse_id(const scree_world *w, uint64_t id)
{
    return id < w->next_id
               ? g_strdup_printf("/bodies/id: expected each id once, got %" PRIu64 " twice", id)
               : g_strdup_printf("/bodies/id: expected ids below next_id %" PRIu64 ", got %" PRIu64,
                                 w->next_id, id);
}

static char *sort_ids(id_set *ids)
{
    const scree_world *w = ids->w;
    ids->sorted = g_new(uint64_t, (size_t)w->n + 1);
    memcpy(ids->sorted, w->id, w->n * sizeof *ids->sorted);
    qsort(ids->sorted, w->n, sizeof *ids->sorted, compare_u64);
    for (uint32_t i = 0; i < w->n; i++)
        if (ids->sorted[i] >= w->next_id || (i && ids->sorted[i] == ids->sorted[i - 1]))
            return refuse_id(w, ids->sorted[i]);
    return NULL;
}

/** Lists the ids. NULL, or a text about an invalid one. */
static char *list_ids(id_set *ids)
{
    enum { GAPS = 8 };
    const scree_world *w = ids->w;
    if (w->next_id / GAPS >= w->n)
        return sort_ids(ids);
    ids->there = g_new0(uint8_t, w->next_id + 1);
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->id[i] >= w->next_id || ids->there[w->id[i]])
            return refuse_id(w, w->id[i]);
        ids->there[w->id[i]] = 1;
    }
    return NULL;
}

static char *find_body(const scree_world *w, const scree_identity *identity)
{
    for (uint32_t i = 0; i < w->n; i++) {
        double q2 = 0.0;
        for (int k = 0; k < 4; k++)
            q2 += w->q[k][i] * w->q[k][i];
        if (w->motion[i] > SCREE_MOTION_FIXED ||
            (w->motion[i] == SCREE_MOTION_FREE) != (i < w->n_free))
            return g_strdup_printf(
                "/bodies/motion: expected %u free bodies first, got motion %u at %u", w->n_free,
                w->motion[i], i);
        if (!(w->scale[i] > 0.0) || !isfinite(w->scale[i]))
            return g_strdup_printf("/bodies/scale: expected sizes above 0, got %g at %u",
                                   w->scale[i], i);
        if (!(w->own_density[i] >= 0.0) || !isfinite(w->own_density[i]))
            return g_strdup_printf("/bodies/density: expected 0 or more, got %g at %u",
                                   w->own_density[i], i);
        if (!(q2 > 0.25 && q2 < 4.0))
            return g_strdup_printf("/bodies/q: expected unit quaternions, got a length of %g at %u",
                                   sqrt(q2), i);
        if (w->shape[i] >= identity->shapes->len)
            return g_strdup_printf("/bodies/shape: expected numbers below %u, got %u",
                                   identity->shapes->len, w->shape[i]);
        if (w->material[i] >= identity->materials->len)
            return g_strdup_printf("/bodies/material: expected numbers below %u, got %u",
                                   identity->materials->len, w->material[i]);
        if (w->group[i] >= identity->groups->len)
            return g_strdup_printf("/bodies/group: expected numbers below %u, got %u",
                                   identity->groups->len, w->group[i]);
        for (int k = 0; k < 3; k++)
            if (w->image[k][i] < -SCREE_SHIFT_BIAS || w->image[k][i] > SCREE_SHIFT_BIAS)
                return g_strdup_printf("/bodies/image_%c: expected counts up to %d, got %d",
                                       "xyz"[k], SCREE_SHIFT_BIAS, w -> image[k][i]);
    }
    return NULL;
}

/** Returns whether numbers ascend, and each leaf has given the slots of its bodies. */
static bool has_leaves(const scree_world *w)
{
    bool good = w->n_leaves > 0 && isfinite(w->leaf_cell) && w->leaf_cell >= 0.0;
    for (uint32_t k = 0; k < w->n_leaves; k++)
        good =
            good && (!k || w->leaf[k].code >= w->leaf[k - 1].code) && w->leaf[k].slots <= INT32_MAX;
    for (int k = 0; k < 4; k++)
        good = good && w->n_entered[k] <= INT32_MAX;
    for (uint32_t i = 0; i < w->n && good; i++) {
        const uint64_t number = w->number[i], class = number >> 62, slot = (uint32_t)number,
                       leaf = number >> 32 & (UINT32_MAX >> 2);
        good = (!i || number > w->number[i - 1]) && (i < w->n_free) == !class &&
               (class ? leaf * SCREE_SUM_LEAF + slot < w->n_entered[class]
                      : leaf < w->n_leaves && slot < w->leaf[leaf].slots);
    }
    return good;
}

static char *find_number(const scree_world *w)
{
    bool finite = all_finite(w->wrench, (uint64_t)w->n * SCREE_WRENCH);
    for (int k = 0; k < 3; k++)
        finite = finite && all_finite(w->x[k], w->n) && all_finite(w->v[k], w->n) &&
                 all_finite(w->w[k], w->n);
    for (uint32_t i = w->n_free; i < w->n; i++) {
        for (int k = 0; k < 13; k++)
            finite = finite && isfinite(w->anchor[k][i]);
        finite = finite && isfinite(w->anchor_time[i]);
    }
    return finite
               ? NULL
               : g_strdup("/bodies: expected finite positions, velocities, anchors and wrenches");
}

static bool has_id(const id_set *ids, uint64_t id)
{
    return ids->there
               ? id < ids->w->next_id && ids->there[id]
               : bsearch(&id, ids->sorted, ids->w->n, sizeof *ids->sorted, compare_u64) != NULL;
}

static char *find_key(const char *place, const scree_contact_key *key, uint64_t n,
                      const id_set *ids)
{
    for (uint64_t i = 0; i < n; i++) {
        if (key[i].shift >> 63)
            return g_strdup_printf("%s/key: expected a shift of three counts at %" PRIu64, place,
                                   i);
        if (i && scree_contact_key_compare(&key[i - 1], &key[i]) >= 0)
            return g_strdup_printf(
                "%s/key: expected ascending keys, got one out of order at %" PRIu64, place, i);
        if (!has_id(ids, key[i].id_a) || !has_id(ids, key[i].id_b))
            return g_strdup_printf("%s/key: expected ids of bodies, got %" PRIu64 " and %" PRIu64,
                                   place, key[i].id_a, key[i].id_b);
    }
    return NULL;
}

static char *find_contact(const scree_checkpoint *c, const id_set *ids)
{
    const scree_contact_store *store = c->snapshot->contacts;
    char *fault = find_key("/contacts", store->key, store->n, ids);
    if (!fault)
        fault = find_key("/pairs", store->pair_key, store->n_pairs, ids);
    if (!fault && !all_finite(store->stored, store->n))
        fault = g_strdup("/contacts/stored: expected finite energies");
    return fault;
}

static char *find_time(const scree_snapshot *s)
{
    const double sums[] = {s->t0,
                           s->lag,
                           scree_exact_sum_value(&s->stored),
                           scree_exact_sum_value(&s->lost),
                           scree_exact_sum_value(&s->work),
                           s->start_energy,
                           s->mechanical,
                           s->t0 + ((double)s->step - (double)s->step0) * s->dt};
    if (!all_finite(sums, G_N_ELEMENTS(sums)))
        return g_strdup("/run: expected finite times and energies");
    if (!(s->dt > 0.0) || !isfinite(s->dt))
        return g_strdup_printf("/run/dt: expected a time step above 0 s, got %g", s->dt);
    if (s->step0 > s->step)
        return g_strdup_printf("/run/step0: expected at most the step, %" PRIu64 ", got %" PRIu64,
                               s->step, s->step0);
    return s->step <= MOST_STEP
               ? NULL
               : g_strdup_printf("/run/step: expected at most %" PRIu64 ", got %" PRIu64, MOST_STEP,
                                 s->step);
}

/** Checks that each entry has acted at most once. */
static char *find_entry(const GArray *acted)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < acted->len; i++) {
        uint32_t entry = g_array_index(acted, scree_acted, i).entry;
        if (!g_hash_table_add(seen, GUINT_TO_POINTER(entry)))
            return g_strdup_printf("/schedule: expected each entry once, got %u twice", entry);
    }
    return NULL;
}

/** Checks that each slot has at most one state, and each state a name. */
static char *find_state(const GPtrArray *states)
{
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_saved_state *one = states->pdata[i];
        if (!scree_kind_from_name(one->kind))
            return g_strdup_printf("/states: expected kinds of plugins, got \"%s\"", one->kind);
        if (scree_saved_states_find(states, one->slot) != one)
            return g_strdup_printf("/states: expected each slot once, got %s twice", one->slot);
    }
    return NULL;
}

char *scree_checkpoint_fault(const scree_checkpoint *c)
{
    const scree_snapshot *s = c->snapshot;
    id_set ids = {.w = s->world};
    char *fault = find_time(s);
    if (!fault)
        fault = list_ids(&ids);
    if (!fault)
        fault = find_body(s->world, c->identity);
    if (!fault)
        fault = find_number(s->world);
    if (!fault)
        fault = s->world->leaf && !has_leaves(s->world)
                    ? g_strdup("/bodies/number: expected ascending numbers, in slots of leaves by "
                               "ascending code")
                    : NULL;
    if (!fault)
        fault = find_contact(c, &ids);
    g_free(ids.there);
    g_free(ids.sorted);
    if (!fault)
        fault = find_state(c->states);
    return fault ? fault : find_entry(c->acted);
}
