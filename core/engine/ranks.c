/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation on several ranks, each of which has all bodies and computes the contacts of its own
 * blocks of rows (O'Connor, thesis, 7.2.1: replicated data). */
#include "engine/ranks.h"

#include <string.h>

#include "base/aligned.h"
#include "engine/contacts.h"
#include "engine/overlap.h"
#include "plugin/call.h"
#include "plugin/events.h"

/*
 * A segment (b, B) is computed by the ranks of b and of B, with the same bits, since each of them
 * adds its loads to own rows. The rank of b gives its contacts to all. All else is computed by every
 * rank for all bodies: motion, contact detection, modifiers, edits.
 */

/** A way through the data of a rank: they are appended to an image, or read from one. */
typedef struct image {
    GByteArray *to;   /* NULL: read */
    const guint8 *at; /* the next byte to read */
    uint64_t left;    /* bytes to read */
    bool bad;         /* too many bytes: they are left out when written, 0 when read */
} image;

static void carry(image *i, void *data, uint64_t bytes)
{
    if (!bytes)
        return;
    i->bad = i->bad || bytes > (i->to ? G_MAXUINT32 - i->to->len : i->left);
    if (i->bad) {
        if (!i->to)
            memset(data, 0, bytes);
        return;
    }
    if (i->to) {
        g_byte_array_append(i->to, data, (guint)bytes);
        return;
    }
    memcpy(data, i->at, bytes);
    i->at += bytes;
    i->left -= bytes;
}

/** Makes room for the contacts of a segment that is read. */
static void reserve(const scree_sim *sim, const scree_list *list, scree_segment *s,
                    const uint64_t n[5])
{
    scree_table *t = &s->table[1 - sim->contacts.committed];
    t->n = 0;
    if (n[0])
        scree_table_reserve(sim, t, list->single, n[0]);
    scree_aligned_grow(&s->loads, &s->load_capacity, n[1], 0, sizeof *s->loads);
    scree_aligned_grow(&s->ended, &s->ended_capacity, n[2], 0, sizeof *s->ended);
    scree_aligned_grow(&s->parted, &s->parted_capacity, n[2], 0, sizeof *s->parted);
    scree_aligned_grow(&s->heats, &s->heat_capacity, n[3], 0, sizeof *s->heats);
    t->n = n[0];
    s->n_loads = n[1];
    s->n_ended = n[2];
    s->n_heats = n[3];
    s->n_touching = n[4];
}

/** Carries what an evaluation has written into a segment; its loads only if it has a wall. */
static void carry_segment(image *i, const scree_evaluation *e, const scree_list *list,
                          scree_segment *s, bool wall)
{
    const scree_sim *sim = e->sim;
    scree_table *t = &s->table[1 - sim->contacts.committed];
    uint64_t n[5] = {t->n, wall ? s->n_loads : 0, s->n_ended, s->n_heats, s->n_touching};
    if (!e->accepted)
        n[0] = n[1] = n[2] = n[3] = 0; // they are never committed
    carry(i, n, sizeof n);
    for (int k = 0; k < 4 && !i->to; k++)
        i->bad = i->bad || n[k] > i->left;
    if (i->bad)
        memset(n, 0, sizeof n);
    if (!i->to)
        reserve(sim, list, s, n);
    carry(i, t->pair, n[0] * sizeof *t->pair);
    if (t->feature)
        carry(i, t->feature, n[0] * sizeof *t->feature);
    if (t->keep)
        carry(i, t->keep, n[0] * sizeof *t->keep);
    if (t->stored)
        carry(i, t->stored, n[0] * sizeof *t->stored);
    for (uint32_t f = 0; n[0] && f < sim->plugins.contact.n_fields; f++)
        carry(i, t->field[f], n[0] * sizeof(double));
    carry(i, s->loads, n[1] * sizeof *s->loads);
    carry(i, s->ended, n[2] * sizeof *s->ended);
    carry(i, s->parted, n[2] * sizeof *s->parted);
    carry(i, s->heats, n[3] * sizeof *s->heats);
    const uint32_t n_fields = sim->plugins.contact.n_pair_fields;
    const uint32_t next = 1 - sim->contacts.committed, n_pairs = s->n_pairs;
    if (!e->accepted || !n_fields || !n_pairs)
        return;
    carry(i, s->alive[next], n_pairs);
    for (uint32_t f = 0; f < n_fields; f++)
        carry(i, s->pair_field[next][f], n_pairs * sizeof(double));
}

/** Carries the overlaps that a rank has noted for warnings. */
static void carry_overlaps(image *i, const scree_sim *sim)
{
    scree_overlap *own = sim->warnings.overlaps, other = {.n = 0};
    const uint32_t n_lanes = scree_pool_lanes(sim->runtime.pool);
    uint64_t n;
    const scree_overlap *worst = scree_overlap_worst(own, n_lanes, &n);
    if (i->to && worst)
        other = *worst;
    if (i->to)
        other.n = n;
    carry(i, &other, sizeof other);
    if (i->to || !other.n)
        return;
    other.n += own->n;
    if (own->n && scree_overlap_beats(own, &other))
        own->n = other.n;
    else
        *own = other;
}

/** Carries the events that laws have reported for own contacts. */
static void carry_events(image *i, const scree_evaluation *e)
{
    scree_event_log *log = e->sim->runtime.events;
    g_autoptr(GBytes) own = i->to && e->accepted ? scree_event_log_pack(log) : NULL;
    uint64_t n = own ? g_bytes_get_size(own) : 0;
    carry(i, &n, sizeof n);
    i->bad = i->bad || (!i->to && n > i->left);
    if (!n || i->bad)
        return;
    if (i->to) {
        carry(i, (void *)g_bytes_get_data(own, NULL), n);
        return;
    }
    i->bad = !scree_event_log_unpack(log, i->at, n);
    i->at += n;
    i->left -= n;
}

/** Carries wrenches, rates, segments and events of a rank's blocks. */
static void carry_rank(image *i, const scree_evaluation *e, uint32_t rank)
{
    const scree_sim *sim = e->sim;
    const uint32_t n = sim->contacts.n_blocks, *row = sim->contacts.block_first;
    const uint32_t first = scree_ranks_first(sim, rank), end = scree_ranks_first(sim, rank + 1);
    const size_t line = SCREE_WRENCH * sizeof(double);
    carry_overlaps(i, sim);
    carry(i, sim->world->wrench + (size_t)row[first] * SCREE_WRENCH,
          (row[end] - row[first]) * line);
    const uint32_t n_rates = e->accepted ? sim->plugins.contact.n_rates : 0;
    for (uint32_t r = 0; r < n_rates; r++)
        carry(i, sim->world->field[sim->plugins.contact.rate_at[r]] + row[first],
              (row[end] - row[first]) * sizeof(double));
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t b = first; b < end; b++)
            for (uint32_t B = b; B <= n; B++) {
                scree_list *list = &sim->plugins.contact.lists[l];
                carry_segment(i, e, list, scree_list_segment(list, n, b, B), B == n);
            }
    carry_events(i, e);
}

void scree_ranks_cut(scree_sim *sim, uint32_t threads)
{
    const uint32_t lanes = MAX(threads, 1);
    sim->lane_tuner.on = sim->renewal.on = false;
    scree_pool_use(sim->runtime.pool, lanes);
    sim->contacts.want_blocks =
        MIN(MAX(sim->contacts.want_blocks, sim->ranks->n * lanes), SCREE_MAX_BLOCKS);
}

void scree_ranks_prepare(const scree_evaluation *e)
{
    const scree_sim *sim = e->sim;
    sim->ranks->computes_all =
        scree_records_contacts(e) || scree_sums_contacts(e) || sim->warnings.surveys;
}

/** Adds up values of all ranks. */
static bool add_up(const scree_ranks *r, int64_t *values, uint32_t n, GError **error)
{
    const scree_exchange all = {
        .size = sizeof all, .reduction = SCREE_REDUCE_SUM, .n_values = n, .values = values};
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "begin");
    int32_t code = r->ops->begin(r->domain->self, &all);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    call = scree_call_begin(r->domain, SCREE_CALL_STEP, "finish");
    code = r->ops->finish(r->domain->self);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_ranks_share(const scree_evaluation *e, GError **error)
{
    const scree_ranks *r = e->sim->ranks;
    image own = {.to = r->own};
    uint64_t sum = 0;
    g_byte_array_set_size(r->own, 0);
    carry_rank(&own, e, r->rank);
    memset(r->bytes, 0, r->n * sizeof *r->bytes);
    r->bytes[r->rank] = own.bad ? (int64_t)G_MAXUINT32 + 1 : r->own->len;
    if (!add_up(r, r->bytes, r->n, error))
        return false;
    for (uint32_t k = 0; k < r->n; k++)
        sum += (uint64_t)r->bytes[k];
    if (sum > G_MAXUINT32)
        return scree_fail(error, SCREE_EXIT_RUN, "the contacts of all ranks have more than 4 GiB");
    g_byte_array_set_size(r->in, (guint)sum);
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "gather");
    const int32_t code = r->ops->gather(r->domain->self, SCREE_DOMAIN_ALL, r->own->data,
                                        (const uint64_t *)(const void *)r->bytes, r->in->data);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    const guint8 *at = r->in->data;
    const uint32_t n = r->computes_all ? 0 : r->n;
    for (uint32_t k = 0; k < n; at += r->bytes[k++]) {
        image other = {.at = at, .left = (uint64_t)r->bytes[k]};
        if (k == r->rank)
            continue;
        carry_rank(&other, e, k);
        if (other.bad || other.left)
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "domain: rank %u sent other contacts than expected: its state, or "
                              "what the domain brought, differs",
                              k);
    }
    return true;
}

/* ---- between steps ---- */

bool scree_ranks_broadcast(const scree_ranks *r, uint32_t root, void *data, uint64_t n,
                           GError **error)
{
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "broadcast");
    const int32_t code = r->ops->broadcast(r->domain->self, root, data, n);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_ranks_send(const scree_ranks *r, void *data, uint64_t n, GError **error)
{
    return scree_ranks_broadcast(r, 0, data, n, error);
}

bool scree_ranks_agree(const scree_ranks *r, const char *why, GError **error)
{
    static const char cause[] = "a plugin decides by more than the state, or its seed";
    int64_t n = !why;
    if (!add_up(r, &n, 1, error))
        return false;
    if (n == (why ? 0 : r->n))
        return true;
    if (why)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "rank %u fails where others do not (%s): %s",
                          r->rank, cause, why);
    return add_up(r, &n, 1, error) && // it ends with the reason of a rank that fails
           scree_fail(error, SCREE_EXIT_PLUGIN, "another rank fails where rank %u does not: %s",
                      r->rank, cause);
}

/* ---- what is served ---- */

static bool refuse(const scree_instance *one, const char *why, GError **error)
{
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "domain: several ranks do not serve this run so far: %s %s; one rank does, "
                      "without the group domain",
                      one->slot, why);
}

/** Whether a plugin that only some ranks call for a contact has data that all ranks must have. */
static bool is_global(const scree_instance *one)
{
    bool global = scree_call_extension(one->plugin, SCREE_EXTENSION_STATE) != NULL;
    for (uint32_t f = 0; f < one->plugin->n_fields; f++)
        global = global || one->plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL;
    return global && !(one->plugin->flags & SCREE_CAP_RANKS);
}

bool scree_ranks_check(const scree_sim *sim, GError **error)
{
    static const char global[] = "has data of the whole run", writes[] = "writes files";
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const GPtrArray *modifiers = sim->plugins.body.modifiers;
    for (uint32_t l = 0; l < contact->n_laws; l++)
        if (SCREE_HAS(contact->laws[l].ops, after_step) || is_global(contact->laws[l].instance))
            return refuse(contact->laws[l].instance, global, error);
    for (guint k = 0; k < contact->resolvers->len; k++)
        if (is_global(contact->resolvers->pdata[k]))
            return refuse(contact->resolvers->pdata[k], global, error);
    for (guint m = 0; m < modifiers->len; m++)
        if (((const scree_instance *)modifiers->pdata[m])->output)
            return refuse(modifiers->pdata[m], writes, error);
    return true;
}
