/* SPDX-License-Identifier: Apache-2.0 */
/* Records of contacts for observers and surveys, and overlaps large enough for a warning. */
#include "engine/contact_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "shape/shape.h"

static uint32_t flags_of(const scree_world *w, uint32_t type)
{
    return w->types[type]->flags;
}

/** Returns the room for records: as many as the table holds, so that records grow once. Unwritten
 * pages take no memory. */
static uint64_t room_of(const scree_sim *sim, const scree_segment *s, uint64_t n)
{
    return MAX(n, s->table[1 - sim->contacts.committed].capacity);
}

/** Returns the radius [m] of side k (0: a, 1: b) where contact c touches; 0: flat or unknown. */
static double touching_radius(const scree_world *w, const scree_list *list, int k, uint32_t c,
                              const scree_lane *lane)
{
    const uint32_t flags = flags_of(w, k ? list->type_b : list->type_a);
    const uint32_t body = k ? lane->b[c] : lane->a[c];
    if (flags & SCREE_CAP_BALLS)
        return lane->ball_radius[k][c];
    if (flags)
        return scree_world_radius(w, body);
    const bool known = list->wants & SCREE_GIVES_CURVATURE && lane->found.curvature[k][c] > 0.0;
    return known ? 1.0 / lane->found.curvature[k][c] : 0.0;
}

void scree_record_table_grow(scree_record_table *table, size_t width, uint64_t n, uint64_t used)
{
    enum { SLOT = sizeof(double), LINE = 8 }; // columns begin at a cache line
    scree_record_table to = {.capacity = (MAX(n, table->capacity * 3 / 2) / LINE + 1) * LINE,
                             .width = width};
    if (!width || (n <= table->capacity && width == table->width))
        return;
    to.bytes = scree_aligned_new(to.capacity * width);
    for (size_t slot = 0; slot < width; slot += SLOT)
        if (used)
            memcpy(scree_record_column(&to, slot), scree_record_column(table, slot), used * SLOT);
    free(table->bytes);
    *table = to;
}

/** Keeps the results of laws for n contacts of the lane, as contacts from `at` on, in the slots
 * from `first` on. `far`: their lever is the longer one, which arm × f does not contain. */
static void record_returned(const scree_evaluation *e, const scree_list *list, bool far,
                            const scree_batch_result *from, uint32_t n, const scree_lane *lane,
                            const scree_record_table *table, size_t first, uint64_t at)
{
    double *f[VECTOR], *couple[VECTOR], *couple_b[VECTOR], more[VECTOR];
    double *stored = scree_record_column(table, first + offsetof(scree_law_record, stored)),
           *lost = scree_record_column(table, first + offsetof(scree_law_record, lost));
    for (int k = 0; k < VECTOR; k++) {
        f[k] = scree_record_column(table, first + offsetof(scree_law_record, f[k]));
        couple[k] = scree_record_column(table, first + offsetof(scree_law_record, couple[k]));
        couple_b[k] = scree_record_column(table, first + offsetof(scree_law_record, couple_b[k]));
        for (uint32_t c = 0; c < n; c++) {
            f[k][at + c] = from->f[k][c];
            couple[k][at + c] = from->couple ? from->couple[k][c] : 0.0;
            couple_b[k][at + c] = from->couple_b ? from->couple_b[k][c] : -couple[k][at + c];
        }
    }
    const uint32_t n_far = far ? n : 0;
    for (uint32_t c = 0; c < n_far; c++) {
        scree_lever_couple((const double *const *)lane->found.normal, lane->found.depth, from->f, c,
                           more);
        for (int k = 0; k < VECTOR; k++) {
            couple[k][at + c] += more[k];
            couple_b[k][at + c] += list->is_flat ? 0.0 : more[k];
        }
    }
    for (uint32_t c = 0; c < n; c++) {
        stored[at + c] = from->stored[c];
        lost[at + c] = e->since * from->lost[c] + (from->heat ? from->heat[c] : 0.0);
    }
}

/** Returns whether the resolver of this list wrote array k of a quantity. */
static bool is_written(const scree_list *list, const scree_quantity *q, uint32_t k)
{
    return q->by != SCREE_BY_RESOLVER || list->asks & q->gives ||
           (q->gives == SCREE_GIVES_PARTS && list->clump[k]);
}

void scree_contacts_record(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const bool far = sim->plugins.contact.n_laws == 1 && sim->plugins.contact.far_needs;
    scree_record_table_grow(&s->records, sizeof(scree_record), room_of(sim, s, at + n), at);
    record_returned(e, list, far, result, n, lane, &s->records, 0, at);
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; q->list && q->by != SCREE_BY_LAW && k < q->n; k++) {
            char *to = scree_record_column(&s->records, q->record + k * sizeof(double));
            if (is_written(list, q, k))
                memcpy(to + at * q->width, scree_array_get(scree_lane_place(lane, q, k)),
                       (size_t)n * q->width);
            else
                memset(to + at * q->width, 0, (size_t)n * q->width);
        }
}

static void record_touching(const scree_sim *sim, const scree_list *list, scree_segment *s,
                            uint64_t at, uint32_t n, const scree_lane *lane)
{
    const scree_world *w = sim->world;
    const bool solid = !flags_of(w, list->type_a) || !flags_of(w, list->type_b);
    const bool by_body = solid && (sim->plugins.contact.needs & SCREE_IN_RADII ||
                                   !(list->wants & SCREE_GIVES_CURVATURE));
    scree_aligned_grow(&s->touching, &s->touching_capacity, room_of(sim, s, at + n), at,
                       sizeof *s->touching);
    for (uint32_t c = 0; c < n; c++)
        s->touching[at + c] = (scree_touching){
            {touching_radius(w, list, 0, c, lane), touching_radius(w, list, 1, c, lane)}, by_body};
}

void scree_contacts_survey(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane)
{
    const uint32_t plain = SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    scree_aligned_grow(&s->surveyed, &s->survey_capacity, room_of(sim, s, at + n), at,
                       sizeof *s->surveyed);
    for (uint32_t c = 0; c < n; c++) {
        scree_survey_record *record = &s->surveyed[at + c];
        double push = 0.0;
        for (int k = 0; k < VECTOR; k++) {
            push -= result->f[k][c] * lane->found.normal[k][c];
            record->normal[k] = (float)lane->found.normal[k][c];
            record->arm[k] = (float)lane->found.arm[k][c];
        }
        record->push = (float)push;
        record->depth = (float)lane->found.depth[c];
    }
    if (!(flags_of(sim->world, list->type_a) & plain) ||
        !(flags_of(sim->world, list->type_b) & plain))
        record_touching(sim, list, s, at, n, lane);
}

void scree_contacts_record_law(const scree_evaluation *e, const scree_list *list, uint32_t l,
                               scree_segment *s, uint64_t at, uint32_t n,
                               const scree_contact_batch *batch, const scree_lane *lane)
{
    const size_t width = sizeof(scree_law_record);
    const bool far = batch && e->sim->plugins.contact.laws[l].needs & SCREE_IN_LEVER_RADIUS;
    const double *zeros = lane->zeros;
    scree_batch_result from = {.f = {zeros, zeros, zeros}, .stored = zeros, .lost = zeros};
    scree_record_table_grow(&s->law_records, e->sim->plugins.contact.n_laws * width, at + n, at);
    from.couple_b = from.f;
    if (batch) {
        for (int k = 0; k < VECTOR; k++)
            from.f[k] = batch->f[k];
        from.couple = batch->couple[0] ? (const double *const *)batch->couple : NULL;
        from.couple_b = batch->couple_b[0] ? (const double *const *)batch->couple_b : NULL;
        from.stored = batch->stored ? batch->stored : zeros;
        from.lost = batch->lost ? batch->lost : zeros;
        from.heat = batch->heat;
    }
    record_returned(e, list, far, &from, n, lane, &s->law_records, l * width, at);
}

void scree_overlaps_note(const scree_sim *sim, const scree_list *list, double least, uint32_t n,
                         const scree_lane *lane)
{
    const scree_world *w = sim->world;
    scree_overlap *worst = &sim->warnings.overlaps[lane - sim->plugins.contact.lanes];
    const bool *clump = list->clump;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t a = w->id[lane->a[c]], b = w->id[lane->b[c]];
        double ra = clump[0] ? lane->ball_radius[0][c] : scree_touching_size(w, lane->a[c]);
        double rb = clump[1] ? lane->ball_radius[1][c] : scree_touching_size(w, lane->b[c]);
        double r = fmin(ra, rb);
        uint32_t smaller = rb < ra ? lane->b[c] : lane->a[c];
        scree_overlap one = {worst->n + 1,
                             MIN(a, b),
                             MAX(a, b),
                             lane->found.depth[c],
                             lane->found.depth[c] / r,
                             w->shapes[w->shape[smaller]]->flags};
        if (!(lane->found.depth[c] > least * r) || !(lane->found.depth[c] > 0.0))
            continue;
        if (!worst->n || scree_overlap_beats(&one, worst))
            *worst = one;
        worst->n = one.n;
    }
}
