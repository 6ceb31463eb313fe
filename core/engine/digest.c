/* SPDX-License-Identifier: Apache-2.0 */
/* The state's SHA-256: equal hashes mean the same trajectory. */
#include "engine/digest.h"

#include <string.h>

#include "base/sha256.h"
#include "engine/body_index.h"
#include "engine/contacts.h"
#include "engine/sim_plugins.h"
#include "engine/snapshot.h"
#include "plugin/call.h"
#include "plugin/plugin_state.h"

/*
 * The hash covers: step, t0, n, dt, the step at t0 once dt has changed; bodies by id: id, shape,
 * material, motion, image counts, pose, velocities, scale, density if an edit has set it, wrench,
 * body fields; contacts by key with keep and fields; pair fields by key; global fields; other state
 * of all plugins but observers. All are raw little-endian. It does not cover storage numbers,
 * extents, candidates, hints, dormant fields.
 */

/** A checksum that takes many words at once. */
typedef struct word_sum {
    const scree_sim *sim; // source of the contacts; NULL: a snapshot
    scree_sha256 *sum;
    uint32_t n;
    uint64_t word[1024];
} word_sum;

static void flush_words(word_sum *to)
{
    scree_sha256_add(to->sum, to->word, to->n * sizeof *to->word);
    to->n = 0;
}

static void add_u64(word_sum *to, uint64_t v)
{
    if (to->n == G_N_ELEMENTS(to->word))
        flush_words(to);
    to->word[to->n++] = v;
}

static void add_double(word_sum *to, double v)
{
    uint64_t word;
    memcpy(&word, &v, sizeof word);
    add_u64(to, word);
}

static void add_doubles(word_sum *to, const double *v, size_t n)
{
    for (size_t k = 0; k < n; k++)
        add_double(to, v[k]);
}

static void add_body(word_sum *to, const scree_world *w, uint32_t i, uint32_t n_fields)
{
    add_u64(to, w->id[i]);
    add_u64(to, w->shape[i]);
    add_u64(to, w->material[i]);
    add_u64(to, w->motion[i]);
    for (int k = 0; k < 3; k++)
        add_u64(to, (uint64_t)(int64_t)w->image[k][i]);
    for (int k = 0; k < 3; k++)
        add_double(to, w->x[k][i]);
    for (int k = 0; k < 4; k++)
        add_double(to, w->q[k][i]);
    for (int k = 0; k < 3; k++)
        add_double(to, w->v[k][i]);
    for (int k = 0; k < 3; k++)
        add_double(to, w->w[k][i]);
    add_double(to, w->scale[i]);
    if (w->own_density[i] > 0.0)
        add_double(to, w->own_density[i]);
    const double *wrench = w->wrench + (size_t)i * SCREE_WRENCH;
    if (w->motion[i] == SCREE_MOTION_FREE) {
        add_doubles(to, wrench, 3);
        add_doubles(to, wrench + 4, 3);
    }
    for (uint32_t k = 0; k < n_fields; k++)
        add_double(to, w->field[k][i]);
}

static void add_key(word_sum *to, const scree_contact_key *key)
{
    add_u64(to, key->id_a);
    add_u64(to, key->id_b);
    add_u64(to, key->shift);
    add_u64(to, key->feature);
}

static void add_contact(void *user, const scree_segment *s, uint32_t at)
{
    word_sum *to = user;
    const scree_table *t = &s->table[to->sim->contacts.committed];
    const scree_contact_key key = scree_contact_key_at(to->sim, false, s, at);
    add_key(to, &key);
    add_u64(to, t->keep ? t->keep[at] : 0);
    for (uint32_t f = 0; f < to->sim->plugins.contact.n_fields; f++)
        add_double(to, t->field[f][at]);
}

static void add_pair(void *user, const scree_segment *s, uint32_t at)
{
    word_sum *to = user;
    const scree_contact_key key = scree_contact_key_at(to->sim, true, s, at);
    add_key(to, &key);
    for (uint32_t f = 0; f < to->sim->plugins.contact.n_pair_fields; f++)
        add_double(to, s->pair_field[to->sim->contacts.committed][f][at]);
}

/** The clock of a state: its step, the step at t0, t0 and dt [s]. */
typedef struct state_clock {
    uint64_t step, step0;
    double t0, dt;
} state_clock;

static word_sum *sum_bodies(const scree_world *w, const uint32_t *by_id, const state_clock *clock,
                            uint32_t n_fields)
{
    word_sum *to = g_new0(word_sum, 1);
    to->sum = scree_sha256_new();
    add_u64(to, clock->step);
    add_u64(to, w->n);
    add_double(to, clock->t0);
    add_double(to, clock->dt);
    if (clock->step0)
        add_u64(to, clock->step0);
    if (w->slant > 0.0)
        add_doubles(to, w->cell.vector[0], 9);
    for (uint32_t k = 0; k < w->n; k++)
        add_body(to, w, by_id[k], n_fields);
    return to;
}

static void add_bytes(word_sum *to, const void *bytes, size_t n)
{
    add_u64(to, n);
    flush_words(to);
    scree_sha256_add(to->sum, bytes, n);
}

/** Adds state of plugins besides fields (scree.state/1). */
static void add_states(word_sum *to, const GPtrArray *states)
{
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_saved_state *one = states->pdata[i];
        add_bytes(to, one->slot, strlen(one->slot));
        add_bytes(to, one->id, strlen(one->id));
        add_bytes(to, one->bytes, one->n);
    }
}

static char *finish_digest(word_sum *to)
{
    flush_words(to);
    char *text = scree_sha256_end(to->sum);
    g_free(to);
    return text;
}

char *scree_snapshot_sha256(const scree_snapshot *snapshot)
{
    const scree_contact_store *store = snapshot->contacts;
    const uint32_t *n_hashed = snapshot->n_hashed;
    const state_clock clock = {snapshot->step, snapshot->step0, snapshot->t0, snapshot->dt};
    g_autofree uint32_t *by_id = scree_body_index_new(snapshot->world);
    word_sum *sum = sum_bodies(snapshot->world, by_id, &clock, n_hashed[SCREE_SCOPE_BODY]);
    uint64_t n_pairs = n_hashed[SCREE_SCOPE_PAIR] ? store->n_pairs : 0;
    add_u64(sum, store->n);
    for (uint64_t c = 0; c < store->n; c++) {
        add_key(sum, &store->key[c]);
        add_u64(sum, store->keep[c]);
        add_doubles(sum, store->field + c * snapshot->n_contact_fields,
                    n_hashed[SCREE_SCOPE_CONTACT]);
    }
    add_u64(sum, n_pairs);
    for (uint64_t p = 0; p < n_pairs; p++) {
        add_key(sum, &store->pair_key[p]);
        add_doubles(sum, store->pair_field + p * snapshot->n_pair_fields,
                    n_hashed[SCREE_SCOPE_PAIR]);
    }
    add_doubles(sum, snapshot->global_field, n_hashed[SCREE_SCOPE_GLOBAL]);
    add_states(sum, snapshot->states);
    return finish_digest(sum);
}

char *scree_state_sha256_of(const scree_sim *sim, const scree_contact_order *order)
{
    const state_clock clock = {sim->step, sim->step0, sim->t0, sim->dt};
    word_sum *sum = sum_bodies(sim->world, order->by_id, &clock, sim->plugins.body.n_fields);
    sum->sim = sim;
    add_u64(sum, order->n[0]);
    scree_contact_order_each(order, false, 0, order->n[0], add_contact, sum);
    add_u64(sum, order->n[1]);
    scree_contact_order_each(order, true, 0, order->n[1], add_pair, sum);
    add_doubles(sum, sim->plugins.body.global_field, sim->plugins.body.n_global_fields);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) states = scree_states_of(sim, &error);
    add_states(sum, states);
    if (error)
        scree_call_report(error);
    return finish_digest(sum);
}

char *scree_state_sha256(const scree_sim *sim)
{
    scree_contact_order order;
    scree_contact_order_begin(sim, &order);
    char *text = scree_state_sha256_of(sim, &order);
    scree_contact_order_end(&order);
    return text;
}
