/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of the threads, and the first error of each. */
#include "engine/lane.h"

#include "base/aligned.h"
#include "base/arrays.h"
#include "engine/balls.h"
#include "engine/not_finite.h"
#include "plugin/call.h"
#include "shape/plugin_shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Gives an array of the lane room for `room` elements: what it holds stays, the rest is 0. */
static void resize(const scree_lane *lane, void *array_ptr, size_t size, uint32_t room)
{
    void *old, *array = scree_aligned_new(room * size);
    memcpy(&old, array_ptr, sizeof old);
    if (old)
        memcpy(array, old, MIN(lane->room, room) * size);
    if (room > lane->room)
        memset((char *)array + lane->room * size, 0, (room - lane->room) * size);
    free(old);
    memcpy(array_ptr, &array, sizeof array);
}

static void drop(void *array_ptr)
{
    void *old, *none = NULL;
    memcpy(&old, array_ptr, sizeof old);
    free(old);
    memcpy(array_ptr, &none, sizeof none);
}

static void resize_vector(const scree_lane *lane, double **v, unsigned n, uint32_t room)
{
    for (unsigned k = 0; k < n; k++)
        if (room)
            resize(lane, &v[k], sizeof(double), room);
        else
            drop(&v[k]);
}

static void resize_one(const scree_lane *lane, void *array_ptr, size_t size, uint32_t room)
{
    if (room)
        resize(lane, array_ptr, size, room);
    else
        drop(array_ptr);
}

/** All arrays by pair get room for so many; 0: they are freed. */
static void set_pair_room(const scree_sim *sim, scree_lane *lane, uint32_t room)
{
    resize_vector(lane, lane->d, VECTOR, room);
    resize_vector(lane, lane->radius, 2, room);
    resize_vector(lane, &lane->no_radius, 1, room);
    resize_vector(lane, lane->pair_in, sim->plugins.contact.n_pair_fields, room);
    resize_one(lane, &lane->index, sizeof(uint32_t), room);
    resize_one(lane, &lane->unknown, 1, room);
}

/** The same of all arrays by contact. */
static void set_room(const scree_sim *sim, scree_lane *lane, uint32_t room)
{
    double **const vectors[] = {lane->found.normal, lane->found.arm, lane->cd,    lane->v,
                                lane->slip,         lane->roll,      lane->spin,  lane->f,
                                lane->couple,       lane->couple_b,  lane->law_f, lane->law_couple,
                                lane->law_couple_b, lane->ta,        lane->tb};
    double **const pairs[] = {lane->cradius, lane->ball_radius};
    double **const scalars[] = {&lane->found.depth, &lane->mass,         &lane->stored,
                                &lane->lost,        &lane->normal_force, &lane->law_stored,
                                &lane->law_lost,    &lane->heat,         &lane->law_heat,
                                &lane->zeros,       &lane->point_mass};
    uint32_t **const numbers[] = {&lane->found.pair, &lane->a, &lane->b, &lane->materials,
                                  &lane->old};
    uint8_t **const bytes[] = {&lane->fresh,     &lane->keep,       &lane->law_keep,
                               &lane->law_fresh, &lane->pair_fresh, &lane->law_pair_fresh};
    double **const far[] = {lane->far_arm, lane->far_d, lane->far_v, lane->far_slip};
    const uint32_t far_room = sim->plugins.contact.far_needs ? room : 0;
    for (size_t k = 0; k < G_N_ELEMENTS(vectors); k++)
        resize_vector(lane, vectors[k], VECTOR, room);
    for (size_t k = 0; k < G_N_ELEMENTS(far); k++)
        resize_vector(lane, far[k], VECTOR, far_room);
    for (size_t k = 0; k < G_N_ELEMENTS(pairs); k++)
        resize_vector(lane, pairs[k], 2, room);
    for (size_t k = 0; k < G_N_ELEMENTS(scalars); k++)
        resize_vector(lane, scalars[k], 1, room);
    for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++)
        resize_one(lane, numbers[k], sizeof(uint32_t), room);
    for (size_t k = 0; k < G_N_ELEMENTS(bytes); k++)
        resize_one(lane, bytes[k], 1, room);
    for (const scree_quantity *q = scree_quantities; q->n; q++)
        for (uint32_t k = 0; k < q->n; k++)
            resize_one(lane, scree_lane_place(lane, q, k), q->width, room);
    resize_one(lane, &lane->found.feature, sizeof(uint64_t), room);
    resize_one(lane, &lane->found.continues, sizeof(uint64_t), room);
    resize_vector(lane, lane->in,
                  sim->plugins.contact.n_fields + sim->plugins.contact.n_pair_fields, room);
    resize_vector(lane, lane->pair_out, sim->plugins.contact.n_pair_fields, room);
    for (int k = 0; k < 2; k++) {
        resize_vector(lane, lane->read[k], sim->plugins.contact.n_reads, room);
        resize_vector(lane, lane->add[k], sim->plugins.contact.n_adds, room);
        resize_vector(lane, lane->rate[k], sim->plugins.contact.n_adds, room);
    }
    lane->room = room;
}

void scree_lane_grow(const scree_sim *sim, scree_lane *lane, uint32_t n)
{
    set_room(sim, lane, ((n + 7) & ~7u) + SCREE_BATCH_SPARE);
}

/** Value from[c] of the array at a place becomes number c. */
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
    double **const vectors[] = {lane->found.normal, lane->found.arm};
    for (int k = 0; k < VECTOR; k++)
        for (size_t v = 0; v < G_N_ELEMENTS(vectors); v++)
            take_values(&vectors[v][k], sizeof(double), n, from);
    for (int k = 0; k < 2; k++)
        take_values(&lane->ball_radius[k], sizeof(double), n, from);
    take_values(&lane->found.depth, sizeof(double), n, from);
    take_values(&lane->found.pair, sizeof(uint32_t), n, from);
    for (const scree_quantity *q = scree_quantities; q->n; q++)
        if (clumps || list->asks & q->gives)
            for (uint32_t k = 0; k < q->n; k++)
                take_values(scree_lane_place(lane, q, k), q->width, n, from);
    if (list->single)
        return;
    take_values(&lane->found.feature, sizeof(uint64_t), n, from);
    take_values(&lane->found.continues, sizeof(uint64_t), n, from);
    take_values(&lane->old, sizeof(uint32_t), n, from);
}

static void lane_init(const scree_sim *sim, scree_lane *lane)
{
    uint32_t n_fields = sim->plugins.contact.n_fields + sim->plugins.contact.n_pair_fields;
    lane->in = g_new0(double *, n_fields + 1);
    lane->fields = g_new0(const double *, sim->plugins.contact.n_fields + 1);
    lane->pair_out = g_new0(double *, sim->plugins.contact.n_pair_fields + 1);
    lane->pair_in = g_new0(double *, sim->plugins.contact.n_pair_fields + 1);
    for (int k = 0; k < 2; k++) {
        lane->read[k] = g_new0(double *, sim->plugins.contact.n_reads + 1);
        lane->law_read[k] = g_new0(const double *, sim->plugins.contact.n_reads + 1);
        lane->add[k] = g_new0(double *, sim->plugins.contact.n_adds + 1);
        lane->rate[k] = g_new0(double *, sim->plugins.contact.n_adds + 1);
    }
    set_pair_room(sim, lane, SCREE_BATCH_ROOM);
    set_room(sim, lane, SCREE_BATCH_ROOM);
    lane->law_batch = g_new0(scree_contact_batch, sim->plugins.contact.n_laws + 1);
    lane->law_in = g_new0(const double *, n_fields + 1);
    lane->law_out = g_new0(double *, n_fields + 1);
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
        g_free(lane->in);
        g_free(lane->fields);
        g_free(lane->pair_out);
        g_free(lane->pair_in);
        for (int side = 0; side < 2; side++) {
            g_free(lane->read[side]);
            g_free(lane->law_read[side]);
            g_free(lane->add[side]);
            g_free(lane->rate[side]);
        }
        g_free(lane->law_batch);
        g_free(lane->law_in);
        g_free(lane->law_out);
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
