/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts of a batch: checks, history, laws, tables, sums. */
#include "engine/batch_finish.h"

#include <inttypes.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/balls.h"
#include "engine/batch_fill.h"
#include "engine/contact_fault.h"
#include "engine/contact_record.h"
#include "engine/contacts.h"
#include "engine/diagnostics.h"
#include "engine/laws.h"
#include "engine/pose.h"
#include "engine/rates.h"
#include "plugin/call.h"

/*
 * Inputs and committed fields of the contacts are gathered, each law is called, new fields go to
 * the segment's other table, forces to loads. No result depends on the number of pairs in a batch,
 * or on candidates without a contact.
 */

/** Finds the first committed contact of each of n pairs from p0 on. */
static void index_committed(const scree_table *t, uint64_t first, uint32_t p0, uint32_t n,
                            scree_lane *lane)
{
    uint64_t last = first;
    memset(lane->index, 0xff, n * sizeof *lane->index); // SCREE_NONE
    while (last < t->n && t->pair[last] < p0 + n)
        last++;
    while (last-- > first) // backwards: the index keeps a pair's first contact
        lane->index[t->pair[last] - p0] = (uint32_t)last;
}

/** Returns the committed contact of pair p with this feature (or the one that it continues),
 * searched from its first one, k; or SCREE_NONE. */
static uint32_t find_committed(const scree_table *t, uint32_t p, uint32_t k, uint64_t feature,
                               uint64_t continues)
{
    uint32_t other = SCREE_NONE;
    if (k == SCREE_NONE)
        return SCREE_NONE;
    for (; k < t->n && t->pair[k] == p; k++) {
        if (t->feature[k] == feature)
            return k;
        if (t->feature[k] == continues)
            other = k;
    }
    return other;
}

/** Returns whether the n contacts of pairs before `end` are the committed ones from `first` on, as
 * in a bed at rest. Only then it sets lane->old: with ranges of laws the histories are there
 * already. */
static bool in_place(const scree_sim *sim, const scree_table *t, uint64_t first, uint32_t base,
                     uint32_t end, uint32_t n, const scree_lane *lane)
{
    if (!n || first + n > t->n || (first + n < t->n && t->pair[first + n] < end) ||
        memcmp(lane->found.feature, t->feature + first, n * sizeof *t->feature))
        return false;
    uint32_t differ = 0;
    for (uint32_t c = 0; c < n; c++)
        differ |= t->pair[first + c] ^ (base + lane->found.pair[c]);
    return !differ && sim->kernels->in_step(n, lane->found.pair, base, t->pair + first,
                                            (uint32_t)first, lane->old) == n;
}

/** Returns whether contacts can slide between two features of pair p: 0, 1 or an error. */
static int32_t adjoins(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                       uint32_t p, uint64_t feature, uint64_t other, scree_lane *lane)
{
    const scree_world *w = sim->world;
    if (!SCREE_HAS(list->ops, adjoins) || !list->ops->adjoins)
        return 0;
    if (scree_list_has_clumps(list) && !scree_balls_features(list, &feature, &other))
        return 0;
    scree_call call = scree_call_begin(list->resolver, SCREE_CALL_LANE, "adjoins");
    int32_t answer = list->ops->adjoins(list->resolver->self, w->shape[s->a[p]], w->shape[s->b[p]],
                                        feature, other);
    return scree_call_end(&call, answer, 1, scree_lane_error(lane));
}

/** Contacts [c0, c1) belong to pair p: a committed contact that is missing among them continues in
 * the deepest new one with an adjoining feature. */
static bool slide_on(const scree_evaluation *e, const scree_list *list, const scree_segment *s,
                     uint32_t p, uint32_t c0, uint32_t c1, scree_lane *lane)
{
    const scree_table *t = &s->table[e->sim->contacts.committed];
    for (uint32_t k = lane->index[lane->found.pair[c0]]; k < t->n && t->pair[k] == p; k++) {
        uint32_t to = SCREE_NONE;
        bool goes_on = false;
        for (uint32_t c = c0; c < c1; c++)
            goes_on |= lane->old[c] == k;
        if (!goes_on)
            for (uint32_t c = c0; c < c1; c++) {
                if (lane->old[c] != SCREE_NONE ||
                    (to != SCREE_NONE && lane->found.depth[c] <= lane->found.depth[to]))
                    continue;
                int32_t answer =
                    adjoins(e->sim, list, s, p, t->feature[k], lane->found.feature[c], lane);
                if (answer < 0)
                    return false;
                to = answer ? c : to;
            }
        if (to != SCREE_NONE)
            lane->old[to] = k;
    }
    return true;
}

/** Sets the index of the pairs before `end`, and lane->old of contacts that differ by feature. */
static bool find_histories(const scree_evaluation *e, const scree_list *list,
                           const scree_segment *s, uint32_t base, uint32_t end, uint32_t n,
                           uint64_t first, scree_lane *lane)
{
    const scree_table *t = &s->table[e->sim->contacts.committed];
    index_committed(t, first, base, end - base, lane);
    for (uint32_t c0 = 0, c1 = 0; c0 < n; c0 = c1) {
        const uint32_t p = base + lane->found.pair[c0], k = lane->index[lane->found.pair[c0]];
        bool any_new = false;
        for (; c1 < n && lane->found.pair[c1] == lane->found.pair[c0]; c1++) {
            lane->old[c1] =
                find_committed(t, p, k, lane->found.feature[c1], lane->found.continues[c1]);
            any_new |= lane->old[c1] == SCREE_NONE;
        }
        if (any_new && k != SCREE_NONE && !slide_on(e, list, s, p, c0, c1, lane))
            return false;
    }
    return true;
}

static void note_end(scree_segment *s, uint64_t committed)
{
    scree_aligned_grow(&s->ended, &s->ended_capacity, s->n_ended + 1, s->n_ended, sizeof(uint32_t));
    s->ended[s->n_ended++] = (uint32_t)committed;
}

/** Lists the committed contacts of pairs before `end` that no new contact continues. */
static void note_ended(const scree_sim *sim, scree_segment *s, uint32_t end, uint32_t n,
                       uint64_t *cursor, scree_lane *lane)
{
    const scree_table *t = &s->table[sim->contacts.committed];
    const uint64_t first = *cursor;
    while (*cursor < t->n && t->pair[*cursor] < end)
        ++*cursor;
    scree_aligned_grow(&lane->touched, &lane->touched_capacity, *cursor - first, 0, 1);
    memset(lane->touched, 0, *cursor - first);
    for (uint32_t c = 0; c < n; c++)
        if (lane->old[c] != SCREE_NONE)
            lane->touched[lane->old[c] - first] = 1;
    for (uint64_t k = first; k < *cursor; k++)
        if (!lane->touched[k - first])
            note_end(s, k);
}

/** Returns the number of contacts before the first one whose features differ. */
static uint32_t count_same(uint32_t n, const uint64_t *feature, const uint64_t *other)
{
    uint32_t c = memcmp(feature, other, n * sizeof *other) ? 0 : n;
    while (c < n && feature[c] == other[c])
        c++;
    return c;
}

/** Returns whether contact k comes before those of a pair from a feature on; feature 0: before all
 * of the pair. */
static bool is_before(const scree_table *t, uint64_t k, uint32_t pair, uint64_t feature)
{
    return t->pair[k] < pair || (feature && t->pair[k] == pair && t->feature[k] < feature);
}

/** Sets lane->old and fresh of a list whose contacts ascend by pair and feature, as the committed
 * ones do. `all`: it also notes the contacts of pairs before `end` that ended, moves the cursor,
 * and gathers committed fields, unless they are consecutive. Returns the number of contacts with
 * history. */
static uint32_t match_in_order(const scree_sim *sim, const scree_list *list, scree_segment *s,
                               uint32_t base, uint32_t end, uint32_t n, uint64_t *cursor, bool all,
                               scree_lane *lane)
{
    enum { FEW = 64 }; // contacts that are compared again after one whose feature differs
    const scree_table *t = &s->table[sim->contacts.committed];
    const uint32_t *pair = lane->found.pair, n_fields = all ? sim->plugins.contact.n_fields : 0;
    const uint64_t *feature = list->single ? NULL : lane->found.feature;
    uint32_t matched = 0;
    uint64_t k = *cursor;
    memset(lane->fresh, 0, n);
    for (uint32_t c = 0;;) {
        const uint32_t most = (uint32_t)MIN(feature ? MIN(n - c, FEW) : n - c, t->n - k);
        uint32_t run =
            sim->kernels->in_step(most, pair + c, base, t->pair + k, (uint32_t)k, lane->old + c);
        if (feature)
            run = count_same(run, feature + c, t->feature + k);
        const uint32_t copied = run < n ? n_fields : 0;
        for (uint32_t f = 0; f < copied; f++)
            memcpy(lane->in[f] + c, t->field[f] + k, run * sizeof(double));
        matched += run;
        c += run;
        k += run;
        const uint32_t next = c < n ? base + pair[c] : end;
        const uint64_t own = feature && c < n ? feature[c] : 0;
        for (; k < t->n && is_before(t, k, next, own); k++)
            if (all)
                note_end(s, k);
        if (c == n)
            break;
        if (k < t->n && t->pair[k] == next && (!feature || t->feature[k] == own))
            continue;
        for (uint32_t f = 0; f < n_fields; f++)
            lane->in[f][c] = sim->plugins.contact.initial[f];
        lane->old[c] = SCREE_NONE;
        lane->fresh[c++] = 1;
    }
    *cursor = all ? k : *cursor;
    return matched;
}

/** Sets lane->old and fresh for contacts of pairs before `end`; *matched: the number of those with
 * history. `all`: as in match_in_order. */
static bool match_history(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                          uint32_t base, uint32_t end, uint32_t n, uint64_t *cursor, bool all,
                          uint32_t *matched, scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const scree_table *t = &s->table[sim->contacts.committed];
    const uint64_t first = *cursor;
    *matched = n;
    lane->in_place = all && !list->single && in_place(sim, t, first, base, end, n, lane);
    if (list->one && !lane->in_place) {
        *matched = match_in_order(sim, list, s, base, end, n, cursor, all, lane);
        return true;
    }
    if (!all)
        return find_histories(e, list, s, base, end, n, first, lane);
    if (lane->in_place) {
        memset(lane->fresh, 0, n);
        *cursor += n;
        return true;
    }
    if (!sim->plugins.contact.gap && !find_histories(e, list, s, base, end, n, first, lane))
        return false;
    *matched = sim->kernels->fresh(n, lane->old, lane->fresh);
    note_ended(sim, s, end, n, cursor, lane);
    return true;
}

/** Returns whether contact c of a pair is committed as kept. Other contacts of a kept pair are not
 * used at any gap, because the extents decide whether the resolver sees them. */
static bool is_kept(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                    uint32_t p, uint32_t c, const scree_lane *lane)
{
    const scree_table *t = &s->table[sim->contacts.committed];
    if (!s->keep || !s->keep[p])
        return false;
    return lane->old[c] != SCREE_NONE && t->keep[lane->old[c]];
}

/** Drops contacts with a gap beyond the range of all laws. Returns the number of the others. */
static uint32_t drop_unserved(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                              uint32_t base, uint32_t n, scree_lane *lane)
{
    const scree_world *w = sim->world;
    uint32_t kept = 0, *from = lane->a; // gathered later
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t p = base + lane->found.pair[c];
        const uint32_t pair = w->material[s->a[p]] * w->n_materials + w->material[s->b[p]];
        if (-lane->found.depth[c] <= sim->plugins.contact.gap[pair] ||
            is_kept(sim, list, s, p, c, lane))
            from[kept++] = c;
    }
    if (kept < n)
        scree_lane_take(list, lane, kept, from);
    return kept;
}

/** Appends the contacts of a batch to the segment's new table. */
static void store_contacts(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint32_t base, uint32_t n, const scree_batch_result *result,
                           scree_lane *lane)
{
    uint32_t next = 1 - sim->contacts.committed;
    scree_table *t = &s->table[next];
    uint32_t at = (uint32_t)t->n;
    sim->kernels->number_pairs(n, lane->found.pair, base, t->pair + at);
    if (!list->single)
        memcpy(t->feature + at, lane->found.feature, n * sizeof(uint64_t));
    if (t->stored && result->stored != t->stored + at)
        memcpy(t->stored + at, result->stored, n * sizeof(double));
    // Dormant fields keep their values.
    for (uint32_t f = sim->plugins.n_live[SCREE_SCOPE_CONTACT]; f < sim->plugins.contact.n_fields;
         f++)
        memcpy(t->field[f] + at, lane->fields[f], n * sizeof(double));
    for (uint32_t l = 0; sim->plugins.contact.n_pair_fields && l < sim->plugins.contact.n_laws;
         l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        for (uint32_t f = 0; f < law->n_pair_fields; f++) {
            double *to = s->pair_field[next][law->first_pair_field + f];
            const double *from = lane->pair_out[law->first_pair_field + f];
            for (uint32_t c = n; c-- > 0;) // backwards: the first contact of a pair remains
                to[base + lane->found.pair[c]] = from[c];
        }
    }
    t->n += n;
}

static void store_loads(const scree_sim *sim, scree_segment *s, uint32_t n,
                        const scree_batch_result *result, const scree_lane *lane)
{
    scree_aligned_grow(&s->loads, &s->load_capacity, s->n_loads + n, s->n_loads, sizeof *s->loads);
    scree_contact_load *line = s->loads + s->n_loads;
    for (uint32_t c = 0; c < n; c++) {
        bool row_is_a = lane->a[c] < lane->b[c];
        for (int k = 0; k < VECTOR; k++) {
            line[c].f[k] = row_is_a ? result->f[k][c] : -result->f[k][c];
            line[c].torque_row[k] = row_is_a ? lane->ta[k][c] : lane->tb[k][c];
            line[c].torque_col[k] = row_is_a ? lane->tb[k][c] : lane->ta[k][c];
        }
        line[c].stored = result->stored[c];
        line[c].lost = result->lost[c];
    }
    for (uint32_t c = 0; sim->surfaces.any && c < n; c++) {
        double normal[3] = {lane->found.normal[0][c], lane->found.normal[1][c],
                            lane->found.normal[2][c]},
               u[3];
        scree_surface_at(sim, MAX(lane->a[c], lane->b[c]), normal, u);
        line[c].surface = line[c].f[0] * u[0] + line[c].f[1] * u[1] + line[c].f[2] * u[2];
    }
    s->n_loads += n;
}

/** Notes the batch's contacts that lost energy at once; the first contact has number `at` in the
 * new table. */
static void store_heats(scree_segment *s, uint64_t at, uint32_t n, const double *heat)
{
    for (uint32_t c = 0; c < n; c++) {
        if (heat[c] == 0.0)
            continue;
        scree_aligned_grow(&s->heats, &s->heat_capacity, s->n_heats + 1, s->n_heats,
                           sizeof *s->heats);
        s->heats[s->n_heats++] = (scree_contact_heat){(uint32_t)(at + c), heat[c]};
    }
}

/** Adds forces and torques to the bodies' wrenches (`local`), or stores a load per contact. */
static bool deliver(const scree_evaluation *e, scree_segment *s, uint32_t n, bool local,
                    const scree_batch_result *result, scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const bool checked = sim->plugins.contact.n_laws != 1;
    const bool far = !checked && sim->plugins.contact.far_needs; // several laws: by their couples
    const double *const *arm = (const double *const *)(far ? lane->far_arm : lane->found.arm);
    const double *const *d = (const double *const *)(far ? lane->far_d : lane->gathered.d);
    if (local &&
        !sim->kernels->apply(n, lane->a, lane->b, result->f, arm, d, result->couple,
                             result->couple_b, result->stored, result->lost, sim->world->wrench))
        return true;
    if (!checked && !scree_laws_check(e, result, n, lane))
        return false;
    if (local)
        return true;
    sim->kernels->torques(n, result->f, arm, d, result->couple, result->couple_b, lane->ta,
                          lane->tb);
    store_loads(sim, s, n, result, lane);
    return true;
}

bool scree_batch_finish(const scree_evaluation *e, scree_list *list, scree_segment *s,
                        uint32_t base, uint32_t end, uint32_t n, bool local, uint64_t *cursor,
                        scree_lane *lane)
{
    scree_sim *sim = e->sim;
    scree_table *t = &s->table[1 - sim->contacts.committed];
    scree_batch_result result;
    uint32_t matched;
    const bool drops = sim->plugins.contact.gap != NULL;
    if (drops && !match_history(e, list, s, base, end, n, cursor, false, &matched, lane))
        return false;
    if (drops)
        n = drop_unserved(sim, list, s, base, n, lane);
    if (!match_history(e, list, s, base, end, n, cursor, true, &matched, lane))
        return false;
    if (!n) {
        scree_lane_book(lane, &lane->gather_ticks);
        return true;
    }
    scree_table_reserve(sim, t, list->single, t->n + n + 8);
    const bool calls = sim->world->n > SCREE_FIT_IN_CACHE;
    if (!lane->gathered_at_once)
        sim->kernels->gather(n, lane->found.pair, s->a + base, s->b + base,
                             (const double *const *)lane->d, calls ? sim->world->twist : NULL,
                             calls ? sim->world->wrench : NULL, lane->a, lane->b, lane->gathered.d);
    if (sim->warnings.seeks_overlaps)
        scree_overlaps_note(sim, list, 0.0, n, lane);
    else if (lane->deep && e->accepted)
        scree_overlaps_note(sim, list, SCREE_DIAG_OVERLAP, n, lane);
    scree_fields_gather(sim, list, s, base, n, matched, lane);
    scree_laws_gather(e, list, n, lane);
    scree_lane_book(lane, &lane->gather_ticks);
    if (!scree_laws_run(e, list, s, n, lane, &result))
        return false;
    uint64_t at = t->n;
    store_contacts(sim, list, s, base, n, &result, lane);
    if (result.heat && e->accepted)
        store_heats(s, at, n, result.heat);
    if (scree_sums_contacts(e))
        scree_contact_sums_add(&lane->sums, sim->world, n,
                               &(scree_contact_rows){lane->a, lane->b, lane->found.depth, result.f,
                                                     (const double *const *)lane->gathered.d});
    if (scree_records_contacts(e))
        scree_contacts_record(e, list, s, at, n, &result, lane);
    if (sim->warnings.surveys && e->accepted)
        scree_contacts_survey(sim, list, s, at, n, &result, lane);
    scree_lane_book(lane, &lane->force_ticks);
    bool delivered = deliver(e, s, n, local, &result, lane);
    if (sim->plugins.contact.n_rates && e->accepted && delivered)
        scree_rates_deliver(sim, s, n, local, lane);
    scree_lane_book(lane, &lane->sum_ticks);
    return delivered;
}

/** Blames the resolver for contact c; always false. */
static bool blame_contact(const scree_sim *sim, const scree_list *list, const scree_candidates *in,
                          const scree_contacts *contacts, uint32_t c, const char *what,
                          scree_lane *lane)
{
    const uint64_t *id = sim->world->id;
    uint32_t p = contacts->pair[c];
    g_autofree char *text =
        g_strdup_printf("%s: of bodies %" PRIu64 " and %" PRIu64, what, id[in->a[p]], id[in->b[p]]);
    return scree_lane_misbehaved(lane, list->resolver, "resolve", text);
}

/** Checks all parts: they are indices. */
static bool check_parts(const scree_sim *sim, const scree_list *list, const scree_candidates *in,
                        const scree_contacts *contacts, scree_lane *lane)
{
    char what[200];
    for (uint32_t c = 0; c < contacts->n; c++)
        if (scree_parts_fault(in, contacts, c, what, sizeof what))
            return blame_contact(sim, list, in, contacts, c, what, lane);
    return true;
}

/** Checks a sample of the contacts more closely, a new sample each time. It has all contacts in a
 * scene with few candidates, otherwise so few that it costs almost nothing. */
static bool check_some(const scree_sim *sim, const scree_list *list, const scree_candidates *in,
                       const scree_contacts *contacts, scree_lane *lane)
{
    const uint32_t n = contacts->n;
    const bool all = scree_break_on || sim->contacts.n_candidates <= 32;
    const uint32_t some = all ? n : sim->contacts.n_candidates <= 1024 ? 4 : 1;
    uint32_t c = n ? (uint32_t)(sim->counters.evaluations * some % n) : 0;
    char what[200];
    for (uint32_t k = 0; k < MIN(some, n); k++, c = c + 1 < n ? c + 1 : 0) {
        if (!scree_contact_fault(in, contacts, c, what, sizeof what))
            continue;
        return blame_contact(sim, list, in, contacts, c, what, lane);
    }
    return true;
}

/** Finds why the order of the contacts is wrong. */
static void find_disorder(const scree_list *list, const scree_candidates *in,
                          const scree_contacts *out, uint32_t done, char *text, size_t size)
{
    const uint32_t n = out->n;
    if (n > out->capacity)
        snprintf(text, size, "%u contacts; expected at most %u, which fit", n, out->capacity);
    else if (done > in->n)
        snprintf(text, size, "%u pairs finished; expected at most %u", done, in->n);
    else if (!done)
        snprintf(text, size, "no pair was finished, of %u, and %u contacts of the first fit", in->n,
                 out->capacity);
    else if (n && out->pair[n - 1] >= done)
        snprintf(text, size, "contact %u is of pair %u; expected one of the %u finished", n - 1,
                 out->pair[n - 1], done);
    for (uint32_t c = 1; c < n && !*text; c++) {
        const uint32_t p = out->pair[c], before = out->pair[c - 1];
        if (list->one && p == before)
            snprintf(text, size,
                     "two contacts of pair %u; expected one, as supports() says "
                     "(SCREE_SUPPORTS_ONE)",
                     p);
        else if (p < before)
            snprintf(text, size,
                     "contacts are not in order: contact %u is of pair %u, that before it of pair "
                     "%u",
                     c, p, before);
        else if (p == before && out->feature[c] <= out->feature[c - 1])
            snprintf(text, size,
                     "contacts are not in order: pair %u has feature %" PRIu64 " after %" PRIu64, p,
                     out->feature[c], out->feature[c - 1]);
    }
}

bool scree_batch_check(const scree_sim *sim, const scree_list *list, scree_segment *s,
                       const scree_candidates *in, const scree_contacts *contacts, uint32_t done,
                       scree_lane *lane)
{
    uint32_t n = contacts->n, n_pairs = in->n;
    bool ordered = n <= contacts->capacity && done <= n_pairs && (done || !n_pairs) &&
                   (n == 0 || contacts->pair[n - 1] < done);
    if (ordered && list->one)
        ordered = sim->kernels->ascends(n, contacts->pair);
    if (!list->one)
        for (uint32_t c = 1; c < n && ordered; c++)
            ordered = contacts->pair[c] > contacts->pair[c - 1] ||
                      (contacts->pair[c] == contacts->pair[c - 1] &&
                       contacts->feature[c] > contacts->feature[c - 1]);
    if (!ordered) {
        char text[160] = "";
        find_disorder(list, in, contacts, done, text, sizeof text);
        return scree_lane_misbehaved(lane, list->resolver, "resolve", text);
    }
    if (contacts->part[0] && !check_parts(sim, list, in, contacts, lane))
        return false;
    uint32_t odd;
    uint64_t bad = 0;
    s->n_touching +=
        sim->kernels->survey(n, contacts->depth, (const double *const *)contacts->normal,
                             (const double *const *)contacts->arm, &odd);
    lane->deep = sim->warnings.seeks_deep && !lane->foreign &&
                 sim->kernels->outside(n, contacts->depth, -SCREE_LARGEST, sim->warnings.deep);
    if (!odd)
        return check_some(sim, list, in, contacts, lane);
    bad += sim->kernels->not_finite(n, contacts->depth);
    for (int k = 0; k < VECTOR; k++)
        bad += sim->kernels->not_finite(n, contacts->normal[k]) +
               sim->kernels->not_finite(n, contacts->arm[k]);
    if (bad)
        return scree_lane_not_finite(sim, lane, list->resolver, "resolve",
                                     "a normal, depth or contact point is not finite");
    return true;
}
