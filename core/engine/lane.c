/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of the threads, and the first error of each thread. */
#include "engine/lane.h"

#include "base/aligned.h"
#include "base/arrays.h"
#include "engine/balls.h"
#include "plugin/call.h"
#include "shape/plugin_shape.h"

#include <stdlib.h>
#include <string.h>

/** Gives an array of the lane this room: its values stay, the rest is 0. Room 0: it is freed. */
static void set_array(const scree_lane *lane, void *place, size_t size, uint32_t room)
{
    char *old = scree_array_get(place), *array = room ? scree_aligned_new(room * size) : NULL;
    if (old && room)
        memcpy(array, old, MIN(lane->room, room) * size);
    if (room > lane->room)
        memset(array + lane->room * size, 0, (room - lane->room) * size);
    free(old);
    scree_array_set(place, array);
}

static void set_reals(const scree_lane *lane, double **v, uint32_t n, uint32_t room)
{
    for (uint32_t k = 0; k < n; k++)
        set_array(lane, &v[k], sizeof(double), room);
}

/** Arrays besides those of quantities and fields. */
enum { BY_PAIR = 1, BY_CONTACT = 2, FAR = 4 };
#define ONE(member, flags) SCREE_ARRAY(scree_lane, member, 1, flags)
#define EACH(member, flags) SCREE_ARRAY_EACH(scree_lane, member, flags)
static const scree_array lane_rows[] = {
    EACH(d, BY_PAIR),
    EACH(radius, BY_PAIR),
    ONE(no_radius, BY_PAIR),
    ONE(near, BY_PAIR),
    ONE(listed, BY_PAIR),
    ONE(index, BY_PAIR),
    ONE(unknown, BY_PAIR),
    ONE(found.pair, BY_CONTACT),
    ONE(found.feature, BY_CONTACT),
    ONE(found.continues, BY_CONTACT),
    ONE(a, BY_CONTACT),
    ONE(b, BY_CONTACT),
    ONE(old, BY_CONTACT),
    ONE(fresh, BY_CONTACT),
    ONE(keep, BY_CONTACT),
    ONE(pair_fresh, BY_CONTACT),
    EACH(ball_radius, BY_CONTACT),
    ONE(point_mass, BY_CONTACT),
    EACH(far_arm, FAR),
    EACH(far_d, FAR),
    EACH(far_v, FAR),
    EACH(far_slip, FAR),
    ONE(law_fresh, BY_CONTACT),
    ONE(law_pair_fresh, BY_CONTACT),
    ONE(zeros, BY_CONTACT),
    EACH(ta, BY_CONTACT),
    EACH(tb, BY_CONTACT),
};

static void set_rows(scree_lane *lane, uint32_t which, uint32_t room)
{
    for (size_t r = 0; r < G_N_ELEMENTS(lane_rows); r++)
        for (uint32_t k = 0; lane_rows[r].flags & which && k < lane_rows[r].count; k++)
            set_array(lane, scree_array_place(lane, &lane_rows[r], k), lane_rows[r].width, room);
}

/** Gives all arrays by pair this room; 0: they are freed. */
static void set_pair_room(const scree_sim *sim, scree_lane *lane, uint32_t room)
{
    set_rows(lane, BY_PAIR, room);
    set_reals(lane, lane->pair_in, sim->plugins.contact.n_pair_fields, room);
}

/** Gives all arrays by contact this room; 0: they are freed. */
static void set_room(const scree_sim *sim, scree_lane *lane, uint32_t room)
{
    const scree_contact_plugins *p = &sim->plugins.contact;
    set_rows(lane, BY_CONTACT, room);
    set_rows(lane, FAR, p->far_needs ? room : 0);
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; k < q->n; k++) {
            set_array(lane, scree_lane_place(lane, q, k), q->width, room);
            if (q->by == SCREE_BY_LAW)
                set_array(lane, (char *)&lane->sum + q->at + k * sizeof(void *), q->width, room);
        }
    set_reals(lane, lane->in, p->n_fields + p->n_pair_fields, room);
    set_reals(lane, lane->pair_out, p->n_pair_fields, room);
    for (int k = 0; k < 2; k++) {
        set_reals(lane, lane->read[k], p->n_reads, room);
        set_reals(lane, lane->add[k], p->n_adds, room);
        set_reals(lane, lane->rate[k], p->n_adds, room);
    }
    lane->room = room;
}

void scree_lane_grow(const scree_sim *sim, scree_lane *lane, uint32_t n)
{
    set_room(sim, lane, ((n + 7) & ~7u) + SCREE_BATCH_SPARE);
}

/** Moves value from[c] of the array at a place to index c. */
static void take_values(const void *place, uint32_t width, uint32_t n, const uint32_t *from)
{
    void *array = scree_array_get(place);
    if (width == sizeof(uint32_t)) {
        uint32_t *values = array;
        for (uint32_t c = 0; c < n; c++)
            values[c] = values[from[c]];
        return;
    }
    char *bytes = array; // reals and features
    for (uint32_t c = 0; c < n; c++)
        memcpy(bytes + 8 * (size_t)c, bytes + 8 * (size_t)from[c], 8);
}

void scree_lane_take(const scree_list *list, scree_lane *lane, uint32_t n, const uint32_t *from)
{
    const bool clumps = scree_list_has_clumps(list);
    for (int k = 0; k < 2; k++)
        take_values(&lane->ball_radius[k], sizeof(double), n, from);
    take_values(&lane->found.pair, sizeof(uint32_t), n, from);
    for (const scree_quantity *q = scree_quantities; q->by <= SCREE_BY_TOUCH; q++)
        if (clumps || q->by == SCREE_BY_TOUCH || list->asks & q->gives)
            for (uint32_t k = 0; k < q->n; k++)
                take_values(scree_lane_place(lane, q, k), q->width, n, from);
    if (list->single)
        return;
    take_values(&lane->found.feature, sizeof(uint64_t), n, from);
    take_values(&lane->found.continues, sizeof(uint64_t), n, from);
    take_values(&lane->old, sizeof(uint32_t), n, from);
}

/** Makes the arrays of pointers, or frees them. */
static void set_pointers(const scree_sim *sim, scree_lane *lane, bool makes)
{
    const scree_contact_plugins *p = &sim->plugins.contact;
    const uint32_t n_fields = p->n_fields + p->n_pair_fields;
    const struct {
        void *place;
        uint32_t n;
    } all[] = {{&lane->in, n_fields},
               {&lane->fields, p->n_fields},
               {&lane->pair_out, p->n_pair_fields},
               {&lane->pair_in, p->n_pair_fields},
               {&lane->law_in, n_fields},
               {&lane->law_out, n_fields},
               {&lane->read[0], p->n_reads},
               {&lane->read[1], p->n_reads},
               {&lane->law_read[0], p->n_reads},
               {&lane->law_read[1], p->n_reads},
               {&lane->add[0], p->n_adds},
               {&lane->add[1], p->n_adds},
               {&lane->rate[0], p->n_adds},
               {&lane->rate[1], p->n_adds}};
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
        g_free(scree_array_get(all[k].place));
        scree_array_set(all[k].place, makes ? g_new0(void *, all[k].n + 1) : NULL);
    }
}

static void lane_init(const scree_sim *sim, scree_lane *lane)
{
    set_pointers(sim, lane, true);
    set_pair_room(sim, lane, SCREE_BATCH_ROOM);
    set_room(sim, lane, SCREE_BATCH_ROOM);
    lane->law_batch = g_new0(scree_contact_batch, sim->plugins.contact.n_laws + 1);
    scree_aligned_grow(&lane->touched, &lane->touched_capacity, SCREE_BATCH_ROOM, 0, 1);
}

void scree_evaluate_init(scree_sim *sim)
{
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    sim->plugins.contact.lanes = g_new0(scree_lane, lanes);
    for (uint32_t k = 0; k < lanes; k++)
        lane_init(sim, &sim->plugins.contact.lanes[k]);
}

void scree_evaluate_clear(scree_sim *sim)
{
    for (uint32_t k = 0; sim->plugins.contact.lanes && k < scree_pool_lanes(sim->runtime.pool);
         k++) {
        scree_lane *lane = &sim->plugins.contact.lanes[k];
        set_room(sim, lane, 0);
        set_pair_room(sim, lane, 0);
        set_pointers(sim, lane, false);
        g_free(lane->law_batch);
        free(lane->touched);
        scree_ball_batch_free(lane->balls);
        g_clear_error(&lane->error);
    }
    g_clear_pointer(&sim->plugins.contact.lanes, g_free);
}

bool scree_lane_misbehaved(scree_lane *lane, const scree_instance *instance, const char *call,
                           const char *what)
{
    return scree_call_blame(instance, call, SCREE_EXIT_PLUGIN, scree_lane_error(lane), "%s", what);
}

bool scree_lane_not_finite(const scree_sim *sim, scree_lane *lane, const scree_instance *instance,
                           const char *call, const char *what)
{
    return scree_call_blame(instance, call, scree_not_finite_status(sim), scree_lane_error(lane),
                            "%s%s", what, scree_not_finite_hint(sim));
}

void scree_lane_suspect_shapes(const scree_candidates *in, scree_lane *lane)
{
    g_autofree uint8_t *seen = g_new0(uint8_t, in->bodies->n_shapes + 1);
    GError *fault = NULL;
    for (uint32_t k = 0; k < 2 * in->n && !fault; k++) {
        const uint32_t shape = in->bodies->shape[k % 2 ? in->b[k / 2] : in->a[k / 2]];
        if (!seen[shape])
            scree_shape_check_answers(in->bodies->shapes[shape], &fault);
        seen[shape] = 1;
    }
    if (!fault)
        return;
    g_clear_error(&lane->error);
    lane->error = fault;
}
