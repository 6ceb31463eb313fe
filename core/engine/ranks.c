/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks give each other contacts and wrenches of an evaluation, or the whole state (O'Connor,
 * thesis, 7.2.1: replicated data). */
#include "engine/ranks.h"

#include <string.h>

#include "base/aligned.h"
#include "base/clock.h"
#include "engine/blocks.h"
#include "engine/contacts.h"
#include "engine/diagnostics.h"
#include "engine/energy.h"
#include "engine/motion.h"
#include "engine/overlap.h"
#include "engine/pair_history.h"
#include "engine/settle.h"
#include "plugin/call.h"
#include "plugin/events.h"

/*
 * A segment (b, B) is computed by the ranks of b and of B, with the same bits, since each of them
 * adds its loads to own rows. Between two readings of the whole state ranks are apart (ghosts.c):
 * each moves its own rows, and lists and computes its own segments only. Then all take the whole
 * state: the rank of b gives bodies, pairs and contacts of b to all, and exact sums are added up.
 * Edits and whatever lacks a way to be apart are done by every rank for all bodies: after each
 * evaluation the rank of b gives its wrenches and contacts to all.
 */

/** A way through the data of a rank: they are appended to an image, or read from one. */
typedef struct image {
    GByteArray *to;   /* NULL: read */
    const guint8 *at; /* the next byte to read */
    uint64_t left;    /* bytes to read */
    bool bad;         /* too many bytes: they are left out when written, 0 when read */
    scree_sim *sim;
    uint32_t table; /* of a segment: the one that is carried */
    bool keeps;     /* contacts are carried, or else only what they have done */
    bool pairs;     /* pairs are carried, too */
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
static void reserve(const image *i, const scree_list *list, scree_segment *s, const uint64_t n[5])
{
    scree_table *t = &s->table[i->table];
    t->n = 0;
    if (n[0])
        scree_table_reserve(i->sim, t, list->single, n[0]);
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

/** Carries an array of pairs; if this rank has listed them, compares it with theirs. */
static void carry_listed(image *i, void *data, uint64_t bytes, bool listed)
{
    if (!listed) {
        carry(i, data, bytes);
        return;
    }
    i->bad = i->bad || bytes > i->left || (bytes && memcmp(data, i->at, bytes) != 0);
    bytes = MIN(bytes, i->left);
    i->at += bytes;
    i->left -= bytes;
}

/** Carries the pairs of segment k; other ranks have listed those with their own rows. */
static void carry_candidates(image *i, const scree_list *list, uint32_t k, bool listed)
{
    scree_segment *s = &list->segments[k];
    uint64_t n[2] = {s->n_pairs, scree_segment_parts(s)};
    listed = listed && !i->to;
    carry(i, n, sizeof n);
    i->bad = i->bad || (!i->to && (n[0] > i->left || n[1] > i->left)) ||
             (listed && (n[0] != s->n_pairs || n[1] != scree_segment_parts(s)));
    if (i->bad || !n[0])
        memset(n, 0, sizeof n);
    if (!i->to && !listed) {
        s->n_pairs = 0;
        scree_segment_reserve(i->sim, list, s, n[0], n[1]);
        s->n_pairs = (uint32_t)n[0];
        s->numbered = false;
        scree_history_reserve(i->sim, list, k);
    }
    carry_listed(i, s->a, n[0] * sizeof *s->a, listed);
    carry_listed(i, s->b, n[0] * sizeof *s->b, listed);
    if (s->shift)
        carry_listed(i, s->shift, n[0] * sizeof *s->shift, listed);
    if (s->first && n[0])
        carry_listed(i, s->first, (n[0] + 1) * sizeof *s->first, listed);
    if (s->first) {
        carry_listed(i, s->part_a, n[1] * sizeof *s->part_a, listed);
        carry_listed(i, s->part_b, n[1] * sizeof *s->part_b, listed);
    }
    if (list->hint_bytes && !i->to && !listed)
        memset(s->hints, 0, n[1] * list->hint_bytes);
}

/** Carries what an evaluation has written into a segment; its loads only if it has a wall. */
static void carry_segment(image *i, const scree_list *list, scree_segment *s, bool wall)
{
    const scree_sim *sim = i->sim;
    scree_table *t = &s->table[i->table];
    uint64_t n[5] = {t->n, wall ? s->n_loads : 0, s->n_ended, s->n_heats, s->n_touching};
    if (!i->keeps)
        n[0] = n[1] = n[2] = n[3] = 0; // they are never committed
    carry(i, n, sizeof n);
    for (int k = 0; k < 4 && !i->to; k++)
        i->bad = i->bad || n[k] > i->left;
    if (i->bad)
        memset(n, 0, sizeof n);
    if (!i->to)
        reserve(i, list, s, n);
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
    if (!i->keeps || !n_fields || !s->n_pairs)
        return;
    carry(i, s->alive[i->table], s->n_pairs);
    for (uint32_t f = 0; f < n_fields; f++)
        carry(i, s->pair_field[i->table][f], s->n_pairs * sizeof(double));
}

/** Returns the deepest overlap that lanes have noted; n: of all. */
static scree_overlap find_overlap(const scree_sim *sim)
{
    scree_overlap found = {.n = 0};
    uint64_t n;
    const scree_overlap *worst =
        scree_overlap_worst(sim->warnings.overlaps, scree_pool_lanes(sim->runtime.pool), &n);
    if (worst)
        found = *worst;
    found.n = n;
    return found;
}

/** Carries `given`, an overlap of this rank; the deepest one of all becomes *own. */
static void carry_overlap(image *i, scree_overlap given, scree_overlap *own)
{
    carry(i, &given, sizeof given);
    if (i->to || !given.n)
        return;
    given.n += own->n;
    if (own->n && scree_overlap_beats(own, &given))
        own->n = given.n;
    else
        *own = given;
}

/** Carries the events that laws have reported for own contacts. */
static void carry_events(image *i)
{
    scree_event_log *log = i->sim->runtime.events;
    g_autoptr(GBytes) own = i->to && i->keeps ? scree_event_log_pack(log) : NULL;
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

/** Carries the wrenches of a rank's rows, and the segments of its blocks. */
static void carry_blocks(image *i, uint32_t rank)
{
    const scree_sim *sim = i->sim;
    const uint32_t n = sim->contacts.n_blocks, *row = sim->contacts.block_first;
    const uint32_t first = scree_ranks_first(sim, rank), end = scree_ranks_first(sim, rank + 1);
    const uint32_t own = scree_ranks_first(sim, sim->ranks->rank),
                   end_own = scree_ranks_first(sim, sim->ranks->rank + 1);
    const size_t line = SCREE_WRENCH * sizeof(double);
    carry(i, sim->world->wrench + (size_t)row[first] * SCREE_WRENCH,
          (row[end] - row[first]) * line);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t b = first; b < end; b++)
            for (uint32_t B = b; B <= n; B++) {
                scree_list *list = &sim->plugins.contact.lists[l];
                if (i->pairs)
                    carry_candidates(i, list, b * (n + 1) + B, B >= own && B < end_own);
                carry_segment(i, list, scree_list_segment(list, n, b, B), B == n);
            }
}

/** Carries what an evaluation has found: wrenches, rates, segments, overlaps and events. */
static void carry_found(image *i, uint32_t rank)
{
    const scree_sim *sim = i->sim;
    const uint32_t *row = sim->contacts.block_first, first = row[scree_ranks_first(sim, rank)];
    const uint32_t n = row[scree_ranks_first(sim, rank + 1)] - first;
    const uint32_t n_rates = i->keeps ? sim->plugins.contact.n_rates : 0;
    carry_overlap(i, find_overlap(sim), sim->warnings.overlaps);
    for (uint32_t r = 0; r < n_rates; r++)
        carry(i, sim->world->field[sim->plugins.contact.rate_at[r]] + first, n * sizeof(double));
    carry_blocks(i, rank);
    carry_events(i);
}

/** Carries the deepest overlap of the last evaluation while ranks are apart. */
static void carry_deep(image *i, uint32_t rank)
{
    (void)rank;
    carry_overlap(i, i->sim->ranks->deep, &i->sim->ranks->deep);
}

/** Carries a sum: that of this rank, to which those of others are added. */
static void carry_sum(image *i, scree_exact_sum *own)
{
    scree_exact_sum other = *own;
    carry(i, &other, sizeof other);
    if (!i->to)
        scree_exact_sum_merge(own, &other);
}

static void carry_count(image *i, uint64_t *own)
{
    uint64_t other = *own;
    carry(i, &other, sizeof other);
    if (!i->to)
        *own += other;
}

enum { N_SUMS = 6, N_COUNTS = 7 };

/** Lists the sums that are those of own rows while ranks are apart. */
static void list_sums(scree_account *a, scree_counters *c, scree_exact_sum *sums[N_SUMS],
                      uint64_t *counts[N_COUNTS])
{
    scree_exact_sum *const all_sums[N_SUMS] = {&a->lost,       &a->work,       &a->stored,
                                               &a->lost_ended, &a->wall_power, &a->wall_work};
    uint64_t *const all_counts[N_COUNTS] = {&c->sum_candidates, &c->sum_contacts, &c->contacts,
                                            &c->contacts_free,  &c->emitted,      &c->committed,
                                            &c->overlapping};
    memcpy(sums, all_sums, sizeof all_sums);
    memcpy(counts, all_counts, sizeof all_counts);
}

void scree_ranks_begin_sums(const scree_ranks *r, scree_account *a, scree_counters *c)
{
    scree_exact_sum *sums[N_SUMS];
    uint64_t *counts[N_COUNTS];
    list_sums(a, c, sums, counts);
    for (uint32_t k = 0; k < r->n; k++)
        g_array_set_size(r->shared[k], 0);
    if (!r->rank)
        return;
    for (int k = 0; k < N_SUMS; k++)
        *sums[k] = (scree_exact_sum){.odd = 0.0};
    for (int k = 0; k < N_COUNTS; k++)
        *counts[k] = 0;
}

/** Carries these sums. */
static void carry_sums(image *i)
{
    scree_exact_sum *sums[N_SUMS];
    uint64_t *counts[N_COUNTS];
    list_sums(&i->sim->account, &i->sim->counters, sums, counts);
    for (int k = 0; k < N_SUMS; k++)
        carry_sum(i, sums[k]);
    for (int k = 0; k < N_COUNTS; k++)
        carry_count(i, counts[k]);
}

/** Carries what a rank has noted of leaves that it shares with others. */
static void carry_shared(image *i, uint32_t rank)
{
    const scree_sim *sim = i->sim;
    const scree_ranks *r = sim->ranks;
    GArray *notes = r->shared[rank];
    const uint32_t n = r->shared[r->rank]->len / scree_energy_noted(sim, r->rank);
    g_array_set_size(notes, n * scree_energy_noted(sim, rank));
    carry(i, notes->data, notes->len * sizeof(double));
}

/** Carries the reference states of a rank's extents: others have made none, or have not taken their
 * bodies through periodic boundaries. */
static void carry_extents(image *i, uint32_t first, uint32_t n)
{
    const scree_box_set *boxes = &i->sim->boxes;
    const uint32_t turning = MAX(first, boxes->first_turning);
    carry(i, boxes->ref + 4 * (size_t)first, n * 4 * sizeof(double));
    carry(i, boxes->must_renew + first, n);
    if (turning < first + n)
        carry(i, boxes->turn + 4 * (size_t)(turning - boxes->first_turning),
              (first + n - turning) * 4 * sizeof(double));
}

/** Carries the state of a rank's rows. */
static void carry_state(image *i, uint32_t rank)
{
    const scree_sim *sim = i->sim;
    const scree_rows rows = scree_ranks_rows_of(sim, rank);
    const uint32_t first = rows.first, n = rows.end - rows.first;
    const scree_world *w = sim->world;
    double *const *const arrays[] = {w->x, w->v, w->w, w->q};
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++)
        for (int j = 0; j < 3; j++)
            carry(i, arrays[k][j] + first, n * sizeof(double));
    carry(i, w->q[3] + first, n * sizeof(double));
    for (int j = 0; j < 3 && w->cell.repeats; j++)
        carry(i, w->image[j] + first, n * sizeof(int32_t));
    if (w->cell.repeats || i->pairs)
        carry_extents(i, first, n);
    carry_blocks(i, rank);
    carry_sums(i);
    carry_shared(i, rank);
    carry_deep(i, rank);
    const uint32_t n_slacks = i->to ? 0 : (n + SCREE_SLACK_BODIES - 1) / SCREE_SLACK_BODIES;
    for (uint32_t k = 0; k < n_slacks; k++)
        sim->boxes.slack[rows.first / SCREE_SLACK_BODIES + k] = 0.0;
}

void scree_ranks_cut(scree_sim *sim, uint32_t threads)
{
    const uint32_t lanes = MAX(threads, 1);
    sim->lane_tuner.on = sim->renewal.on = false;
    sim->search.raw.least = SCREE_LEAF_BITS; // ranks share no slack, and few leaves
    scree_pool_use(sim->runtime.pool, lanes);
    sim->contacts.want_blocks =
        MIN(MAX(sim->contacts.want_blocks, sim->ranks->n * lanes), SCREE_MAX_BLOCKS);
}

void scree_ranks_prepare(const scree_evaluation *e)
{
    scree_sim *sim = e->sim;
    // A state that is whole is shown by rank 0.
    sim->records.piece_contacts &= sim->ranks->splits || !sim->ranks->rank;
    sim->ranks->computes_all =
        !sim->ranks->splits &&
        (scree_records_contacts(e) || scree_sums_contacts(e) || sim->warnings.surveys);
}

/** An exchange under way, which is in a phase of its own. */
typedef struct exchange_time {
    scree_phase before;
    double cpu; /* [s] at its begin */
} exchange_time;

static exchange_time begin_exchange(const scree_ranks *r)
{
    exchange_time t = {.cpu = r->ledger ? scree_cpu_now() : 0.0};
    if (r->ledger)
        t.before = scree_ledger_enter(r->ledger, r->lanes, SCREE_PHASE_EXCHANGE);
    return t;
}

static void end_exchange(const scree_ranks *r, const exchange_time *t)
{
    if (!r->ledger)
        return;
    scree_ledger_enter(r->ledger, r->lanes, t->before);
    r->work[r->rank].cpu_out += scree_cpu_now() - t->cpu;
}

bool scree_ranks_exchange_begin(const scree_ranks *r, const scree_exchange *all, GError **error)
{
    const exchange_time t = begin_exchange(r);
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "begin");
    const int32_t code = r->ops->begin(r->domain->self, all);
    const bool done = scree_call_end(&call, code, SCREE_OK, error) >= 0;
    end_exchange(r, &t);
    return done;
}

bool scree_ranks_exchange_test(const scree_ranks *r, bool *done, GError **error)
{
    uint32_t answer = 0;
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "test");
    const int32_t code = r->ops->test(r->domain->self, &answer);
    *done = answer != 0;
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_ranks_exchange_finish(const scree_ranks *r, GError **error)
{
    const exchange_time t = begin_exchange(r);
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "finish");
    const int32_t code = r->ops->finish(r->domain->self);
    const bool done = scree_call_end(&call, code, SCREE_OK, error) >= 0;
    end_exchange(r, &t);
    return done;
}

bool scree_ranks_reduce(const scree_ranks *r, const scree_exchange *all, GError **error)
{
    return scree_ranks_exchange_begin(r, all, error) && scree_ranks_exchange_finish(r, error);
}

bool scree_ranks_gather(const scree_ranks *r, uint32_t root, const void *own, const uint64_t *n,
                        void *all, GError **error)
{
    const exchange_time t = begin_exchange(r);
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "gather");
    const int32_t code = r->ops->gather(r->domain->self, root, own, n, all);
    const bool done = scree_call_end(&call, code, SCREE_OK, error) >= 0;
    end_exchange(r, &t);
    return done;
}

/** Adds up values of all ranks. */
static bool add_up(const scree_ranks *r, int64_t *values, uint32_t n, GError **error)
{
    const scree_exchange all = {
        .size = sizeof all, .reduction = SCREE_REDUCE_SUM, .n_values = n, .values = values};
    return scree_ranks_reduce(r, &all, error);
}

/** Finds how many bytes each rank has, in r->bytes; those of this rank are n. */
static bool share_sizes(const scree_ranks *r, uint64_t n, GError **error)
{
    memset(r->bytes, 0, r->n * sizeof *r->bytes);
    r->bytes[r->rank] = (int64_t)n;
    return add_up(r, r->bytes, r->n, error);
}

/** Sends the own image to one rank, and takes that of another one into r->in. */
static bool swap_images(const scree_ranks *r, uint32_t to, uint32_t from, GError **error)
{
    scree_message messages[2] = {{.rank = to, .n_out = r->own->len, .out = r->own->data},
                                 {.rank = from}};
    scree_message *in = &messages[to != from];
    g_byte_array_set_size(r->in, (guint)r->bytes[from]);
    in->n_in = r->in->len;
    in->in = r->in->data;
    const scree_exchange both = {
        .size = sizeof both, .n_messages = to == from ? 1 : 2, .messages = messages};
    return scree_ranks_reduce(r, &both, error);
}

/** Gives a part of this rank's data to all, and takes theirs, if `takes`. A rank has the image of
 * one other rank at a time; rank 0 takes them in their order, which that of events is. */
static bool give_all(image own, void (*part)(image *i, uint32_t rank), bool takes, GError **error)
{
    const scree_ranks *r = own.sim->ranks;
    own.to = r->own;
    g_byte_array_set_size(r->own, 0);
    part(&own, r->rank);
    if (!share_sizes(r, own.bad ? (uint64_t)G_MAXUINT32 + 1 : r->own->len, error))
        return false;
    for (uint32_t k = 0; k < r->n; k++)
        if (r->bytes[k] > G_MAXUINT32)
            return scree_fail(error, SCREE_EXIT_RUN,
                              "the pairs and contacts of rank %u take more than 4 GiB", k);
    for (uint32_t turn = 1; turn < r->n; turn++) {
        const uint32_t from = (r->rank + turn) % r->n;
        if (!swap_images(r, (r->rank + r->n - turn) % r->n, from, error))
            return false;
        image other = own;
        other.to = NULL;
        other.at = r->in->data;
        other.left = r->in->len;
        if (takes)
            part(&other, from);
        if (takes && (other.bad || other.left))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "domain: rank %u sent other contacts than expected: its state, its "
                              "pairs from the GCD, or what the domain brought, differs",
                              from);
    }
    return true;
}

/** Keeps the deepest overlap until ranks meet again, which saves a meeting. */
static void keep_deep(const scree_sim *sim)
{
    const uint32_t n_lanes = scree_pool_lanes(sim->runtime.pool);
    sim->ranks->deep = find_overlap(sim);
    sim->ranks->deep_step = sim->step + 1;
    for (uint32_t k = 0; k < n_lanes; k++)
        sim->warnings.overlaps[k] = (scree_overlap){0};
}

bool scree_ranks_share(const scree_evaluation *e, GError **error)
{
    const scree_sim *sim = e->sim;
    const image found = {.sim = e->sim, .table = 1 - sim->contacts.committed, .keeps = e->accepted};
    if (!sim->ranks->apart)
        return give_all(found, carry_found, !sim->ranks->computes_all, error);
    keep_deep(sim);
    return true;
}

/** Warns of the deepest overlap of all ranks. */
static void note_deep(const scree_sim *sim)
{
    scree_overlap *deep = &sim->ranks->deep;
    if (deep->n)
        scree_diagnostics_overlap(sim, deep, sim->ranks->deep_step);
    deep->n = 0;
}

bool scree_ranks_report_deep(scree_sim *sim, GError **error)
{
    if (!give_all((image){.sim = sim}, carry_deep, true, error))
        return false;
    note_deep(sim);
    return true;
}

bool scree_ranks_whole(scree_sim *sim, GError **error)
{
    const image state = {.sim = sim,
                         .table = sim->contacts.committed,
                         .keeps = true,
                         .pairs = sim->ranks->lists_own};
    if (!scree_ranks_apart(sim))
        return true;
    if (!scree_sim_settle(sim, error) || !give_all(state, carry_state, true, error))
        return false;
    scree_energy_add_shared(sim);
    note_deep(sim);
    sim->contacts.n_candidates = scree_lists_candidates(sim);
    sim->contacts.near.ended = true; // most mirrors of the others' bodies are old, or memory lent
    sim->ranks->apart = false;
    return true;
}

/* ---- between steps ---- */

bool scree_ranks_broadcast(const scree_ranks *r, uint32_t root, void *data, uint64_t n,
                           GError **error)
{
    const exchange_time t = begin_exchange(r);
    scree_call call = scree_call_begin(r->domain, SCREE_CALL_STEP, "broadcast");
    const int32_t code = r->ops->broadcast(r->domain->self, root, data, n);
    const bool done = scree_call_end(&call, code, SCREE_OK, error) >= 0;
    end_exchange(r, &t);
    return done;
}

bool scree_ranks_collect(const scree_ranks *r, const void *own, uint64_t n, void *all,
                         GError **error)
{
    g_autofree uint64_t *bytes = g_new(uint64_t, r->n);
    for (uint32_t k = 0; k < r->n; k++)
        bytes[k] = n;
    return scree_ranks_gather(r, 0, own, bytes, all, error);
}

bool scree_ranks_append(const scree_ranks *r, GArray *rows, GError **error)
{
    const guint size = g_array_get_element_size(rows);
    const uint64_t own = (uint64_t)rows->len * size;
    uint64_t sum = 0;
    if (!share_sizes(r, own, error))
        return false;
    for (uint32_t k = 0; k < r->n; k++)
        sum += (uint64_t)r->bytes[k];
    if (sum > G_MAXUINT32)
        return scree_fail(error, SCREE_EXIT_RUN,
                          "the contacts and loads of walls of all ranks take more than 4 GiB");
    g_byte_array_set_size(r->in, r->rank ? 0 : (guint)sum);
    if (!scree_ranks_gather(r, 0, rows->data, (const uint64_t *)(const void *)r->bytes, r->in->data,
                            error))
        return false;
    if (r->rank == 0)
        g_array_append_vals(rows, r->in->data + own, (guint)(r->in->len - own) / size);
    return true;
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
        if (((const scree_instance *)modifiers->pdata[m])->output.size)
            return refuse(modifiers->pdata[m], writes, error);
    return true;
}
