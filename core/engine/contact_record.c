/* SPDX-License-Identifier: Apache-2.0 */
/* Records of contacts for observers and surveys, and overlaps that are worth a warning. */
#include "engine/contact_record.h"

#include <math.h>
#include <stdlib.h>

#include "base/aligned.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

static uint32_t flags_of(const scree_world *w, uint32_t type)
{
    return w->types[type]->flags;
}

/** As many as the table has room for, so that records grow once; pages that are not written take no
 * memory. */
static uint64_t room_of(const scree_sim *sim, const scree_segment *s, uint64_t n)
{
    return MAX(n, s->table[1 - sim->contacts.committed].capacity);
}

/** [m] The radius of side k (0: a, 1: b) of contact c where it touches, 0: flat, or not known. */
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

/** Adds to the couples what the longer lever of a law makes of its force; arm × f is without it. */
static void add_lever(const scree_list *list, const double *const *normal, const double *depth,
                      const double *const *f, uint32_t c, double on_a[3], double on_b[3])
{
    double couple[VECTOR];
    scree_lever_couple(normal, depth, f, c, couple);
    for (int k = 0; k < VECTOR; k++) {
        on_a[k] += couple[k];
        on_b[k] += list->is_flat ? 0.0 : couple[k];
    }
}

void scree_contacts_record(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const bool heat = sim->plugins.contact.any_heat;
    const bool far = sim->plugins.contact.n_laws == 1 && sim->plugins.contact.far_needs;
    const bool parts[2] = {list->clump[0] || list->asks & SCREE_GIVES_PARTS,
                           list->clump[1] || list->asks & SCREE_GIVES_PARTS};
    scree_aligned_grow(&s->records, &s->record_capacity, room_of(sim, s, at + n), at,
                       sizeof *s->records);
    for (uint32_t c = 0; c < n; c++) {
        scree_record *record = &s->records[at + c];
        record->depth = lane->found.depth[c];
        for (int k = 0; k < VECTOR; k++) {
            record->normal[k] = lane->found.normal[k][c];
            record->arm[k] = lane->found.arm[k][c];
            record->f[k] = result->f[k][c];
            record->couple[k] = result->couple ? result->couple[k][c] : 0.0;
            record->couple_b[k] = result->couple_b ? result->couple_b[k][c] : -record->couple[k];
            record->branch[k] = lane->cd[k][c];
        }
        if (far)
            add_lever(list, (const double *const *)lane->found.normal, lane->found.depth, result->f,
                      c, record->couple, record->couple_b);
        record->stored = result->stored[c];
        record->lost = e->since * result->lost[c] + (heat ? lane->heat[c] : 0.0);
        for (int k = 0; k < 2; k++)
            record->part[k] = parts[k] ? lane->found.part[k][c] : 0;
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
                               const scree_contact_batch *batch)
{
    const uint64_t n_laws = e->sim->plugins.contact.n_laws;
    const bool far = e->sim->plugins.contact.laws[l].needs & SCREE_IN_LEVER_RADIUS;
    scree_aligned_grow(&s->law_records, &s->law_record_capacity, (at + n) * n_laws, at * n_laws,
                       sizeof *s->law_records);
    for (uint32_t c = 0; c < n; c++) {
        scree_law_record *record = &s->law_records[(at + c) * n_laws + l];
        *record = (scree_law_record){0};
        if (!batch)
            continue;
        for (int k = 0; k < VECTOR; k++) {
            record->f[k] = batch->f[k][c];
            record->couple[k] = batch->couple[k] ? batch->couple[k][c] : 0.0;
            record->couple_b[k] = batch->couple_b[k] ? batch->couple_b[k][c] : -record->couple[k];
        }
        if (far)
            add_lever(list, batch->normal, batch->depth, (const double *const *)batch->f, c,
                      record->couple, record->couple_b);
        record->stored = batch->stored ? batch->stored[c] : 0.0;
        record->lost =
            (batch->lost ? e->since * batch->lost[c] : 0.0) + (batch->heat ? batch->heat[c] : 0.0);
    }
}

/** [m] A wall counts as infinitely large. */
static double record_size(const scree_world *w, bool clump, uint32_t body, double ball_radius)
{
    const scree_shape *shape = w->shapes[w->shape[body]];
    if (scree_shape_is_wall(shape))
        return HUGE_VAL;
    return clump ? ball_radius : scree_world_size(w, body);
}

void scree_overlaps_note(const scree_sim *sim, const scree_list *list, double least, uint32_t n,
                         const scree_lane *lane)
{
    const scree_world *w = sim->world;
    scree_overlap *worst = &sim->warnings.overlaps[lane - sim->plugins.contact.lanes];
    const bool *clump = list->clump;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t a = w->id[lane->a[c]], b = w->id[lane->b[c]];
        double ra = record_size(w, clump[0], lane->a[c], clump[0] ? lane->ball_radius[0][c] : 0.0);
        double rb = record_size(w, clump[1], lane->b[c], clump[1] ? lane->ball_radius[1][c] : 0.0);
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
