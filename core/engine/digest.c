/* SPDX-License-Identifier: Apache-2.0 */
/* The state's SHA-256: what "same trajectory" means. */
#include "engine/digest.h"

#include <string.h>

#include "engine/body_index.h"
#include "engine/contacts.h"
#include "engine/sim_plugins.h"
#include "engine/snapshot.h"
#include "plugin/call.h"
#include "plugin/plugin_state.h"

/*
 * The hash covers: step, t0, n, dt, the step at t0 once dt has changed; bodies by id: id, shape, material, motion, image counts, pose,
 * velocities, scale, density where an edit has set it, wrench, body fields; contacts by key with
 * keep and fields; pair fields by key; global fields; state besides fields, of all plugins but
 * observers. Raw little-endian. It does not cover storage numbers, extents, candidates, hints, dormant
 * fields.
 */

static void add_u64(GChecksum *sum, uint64_t v)
{
    g_checksum_update(sum, (const guchar *)&v, sizeof v);
}

static void add_doubles(GChecksum *sum, const double *v, size_t n)
{
    g_checksum_update(sum, (const guchar *)v, (gssize)(n * sizeof *v));
}

static void add_body(GChecksum *sum, const scree_world *w, uint32_t i, uint32_t n_fields)
{
    double state[14];
    add_u64(sum, w->id[i]);
    add_u64(sum, w->shape[i]);
    add_u64(sum, w->material[i]);
    add_u64(sum, w->motion[i]);
    for (int k = 0; k < 3; k++) {
        add_u64(sum, (uint64_t)(int64_t)w->image[k][i]);
        state[k] = w->x[k][i];
        state[7 + k] = w->v[k][i];
        state[10 + k] = w->w[k][i];
    }
    for (int k = 0; k < 4; k++)
        state[3 + k] = w->q[k][i];
    state[13] = w->scale[i];
    add_doubles(sum, state, 14);
    if (w->own_density[i] > 0.0)
        add_doubles(sum, &w->own_density[i], 1);
    const double *wrench = w->wrench + (size_t)i * SCREE_WRENCH;
    if (w->motion[i] == SCREE_MOTION_FREE) {
        add_doubles(sum, wrench, 3);
        add_doubles(sum, wrench + 4, 3);
    }
    for (uint32_t k = 0; k < n_fields; k++)
        add_doubles(sum, &w->field[k][i], 1);
}

static void add_key(GChecksum *sum, const scree_contact_key *key)
{
    add_u64(sum, key->id_a);
    add_u64(sum, key->id_b);
    add_u64(sum, key->shift);
    add_u64(sum, key->feature);
}

typedef struct summer {
    const scree_sim *sim;
    GChecksum *sum;
} summer;

static void add_contact(void *user, const scree_contact_key *key, const scree_segment *s,
                        uint32_t at)
{
    const summer *to = user;
    const scree_table *t = &s->table[to->sim->contacts.committed];
    add_key(to->sum, key);
    add_u64(to->sum, t->keep ? t->keep[at] : 0);
    for (uint32_t f = 0; f < to->sim->plugins.contact.n_fields; f++)
        add_doubles(to->sum, &t->field[f][at], 1);
}

static void add_pair(void *user, const scree_contact_key *key, const scree_segment *s, uint32_t at)
{
    const summer *to = user;
    add_key(to->sum, key);
    for (uint32_t f = 0; f < to->sim->plugins.contact.n_pair_fields; f++)
        add_doubles(to->sum, &s->pair_field[to->sim->contacts.committed][f][at], 1);
}

/** The clock of a state: its step, the step at t0, t0 and dt [s]. */
typedef struct state_clock {
    uint64_t step, step0;
    double t0, dt;
} state_clock;

static GChecksum *sum_bodies(const scree_world *w, const state_clock *clock, uint32_t n_fields)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    add_u64(sum, clock->step);
    add_u64(sum, w->n);
    add_doubles(sum, &clock->t0, 1);
    add_doubles(sum, &clock->dt, 1);
    if (clock->step0)
        add_u64(sum, clock->step0);
    g_autofree uint32_t *by_id = scree_body_index_new(w);
    for (uint32_t k = 0; k < w->n; k++)
        add_body(sum, w, by_id[k], n_fields);
    return sum;
}

static void add_text(GChecksum *sum, const char *text)
{
    add_u64(sum, strlen(text));
    g_checksum_update(sum, (const guchar *)text, -1);
}

/** State that is not fields (scree.state/1). */
static void add_states(GChecksum *sum, const GPtrArray *states)
{
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_kept_state *one = states->pdata[i];
        add_text(sum, one->slot);
        add_text(sum, one->id);
        add_u64(sum, one->n);
        g_checksum_update(sum, one->bytes, (gssize)one->n);
    }
}

static char *finish_digest(GChecksum *sum)
{
    char *text = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return text;
}

char *scree_snapshot_sha256(const scree_snapshot *snapshot)
{
    const scree_contact_store *store = snapshot->contacts;
    const uint32_t *n_hashed = snapshot->n_hashed;
    const state_clock clock = {snapshot->step, snapshot->step0, snapshot->t0, snapshot->dt};
    GChecksum *sum = sum_bodies(snapshot->world, &clock, n_hashed[SCREE_SCOPE_BODY]);
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

char *scree_state_sha256(const scree_sim *sim)
{
    const state_clock clock = {sim->step, sim->step0, sim->t0, sim->dt};
    GChecksum *sum = sum_bodies(sim->world, &clock, sim->plugins.body.n_fields);
    summer to = {sim, sum};
    uint64_t n, n_pairs;
    scree_contacts_count(sim, &n, &n_pairs);
    add_u64(sum, n);
    scree_contacts_each(sim, add_contact, &to);
    bool any = sim->plugins.contact.n_pair_fields > 0;
    add_u64(sum, any ? n_pairs : 0);
    if (any)
        scree_pair_fields_each(sim, add_pair, &to);
    add_doubles(sum, sim->plugins.body.global_field, sim->plugins.body.n_global_fields);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) states = scree_states_of(sim, &error);
    add_states(sum, states);
    if (error)
        scree_call_report(error);
    return finish_digest(sum);
}
