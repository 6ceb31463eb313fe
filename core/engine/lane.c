/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of the threads, and the first error of each. */
#include "engine/lane.h"

#include "base/aligned.h"
#include "engine/blame.h"
#include "engine/not_finite.h"
#include "plugin/call.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *lane_array(scree_lane *lane, size_t size)
{
    void *memory = scree_aligned_new(SCREE_BATCH_ROOM * size);
    memset(memory, 0, SCREE_BATCH_ROOM * size);
    g_ptr_array_add(lane->memory, memory);
    return memory;
}

static void lane_vector(scree_lane *lane, double **v, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        v[k] = lane_array(lane, sizeof(double));
}

static void lane_init(scree_sim *sim, scree_lane *lane)
{
    uint32_t n_fields = sim->plugins.contact.n_fields + sim->plugins.contact.n_pair_fields;
    lane->memory = g_ptr_array_new_with_free_func(free);
    double **const vectors[] = {lane->d,          lane->normal,       lane->arm,      lane->cd,
                                lane->v,          lane->slip,         lane->roll,     lane->spin,
                                lane->f,          lane->couple,       lane->couple_b, lane->law_f,
                                lane->law_couple, lane->law_couple_b, lane->ta,       lane->tb};
    for (size_t k = 0; k < G_N_ELEMENTS(vectors); k++)
        lane_vector(lane, vectors[k], VECTOR);
    lane_vector(lane, lane->radius, 2);
    lane_vector(lane, lane->cradius, 2);
    lane_vector(lane, lane->curvature, 2);
    double **const scalars[] = {&lane->depth,        &lane->area,       &lane->chord,
                                &lane->mass,         &lane->stored,     &lane->lost,
                                &lane->normal_force, &lane->law_stored, &lane->law_lost,
                                &lane->heat,         &lane->law_heat};
    for (size_t k = 0; k < G_N_ELEMENTS(scalars); k++)
        lane_vector(lane, scalars[k], 1);
    uint32_t **const numbers[] = {&lane->index, &lane->pair,      &lane->a,
                                  &lane->b,     &lane->materials, &lane->old};
    for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++)
        *numbers[k] = lane_array(lane, sizeof(uint32_t));
    lane->feature = lane_array(lane, sizeof(uint64_t));
    lane->continues = lane_array(lane, sizeof(uint64_t));
    lane->fresh = lane_array(lane, 1);
    lane->keep = lane_array(lane, 1);
    lane->law_keep = lane_array(lane, 1);
    lane->law_fresh = lane_array(lane, 1);
    lane->pair_fresh = lane_array(lane, 1);
    lane->law_pair_fresh = lane_array(lane, 1);
    lane->unknown = lane_array(lane, 1);
    lane->in = g_new0(double *, n_fields + 1);
    lane_vector(lane, lane->in, n_fields);
    lane->fields = g_new0(const double *, sim->plugins.contact.n_fields + 1);
    lane->pair_out = g_new0(double *, sim->plugins.contact.n_pair_fields + 1);
    lane_vector(lane, lane->pair_out, sim->plugins.contact.n_pair_fields);
    lane->pair_in = g_new0(double *, sim->plugins.contact.n_pair_fields + 1);
    lane_vector(lane, lane->pair_in, sim->plugins.contact.n_pair_fields);
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
        g_ptr_array_unref(lane->memory);
        g_free(lane->in);
        g_free(lane->fields);
        g_free(lane->pair_out);
        g_free(lane->pair_in);
        g_free(lane->law_batch);
        g_free(lane->law_in);
        g_free(lane->law_out);
        free(lane->touched);
        g_clear_error(&lane->error);
        scree_blame_free(lane->blame);
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

bool scree_lane_resolve(const scree_list *list, const scree_candidates *in, scree_contacts *out,
                        uint32_t *done, scree_lane *lane)
{
    scree_call call = scree_call_begin(list->resolver, SCREE_CALL_LANE, "resolve");
    int32_t code = list->ops->resolve(list->resolver->self, in, out, done);
    return scree_call_end(&call, code, SCREE_OK, scree_lane_error(lane)) >= 0;
}

void scree_lane_blame_resolver(const scree_list *list, const scree_candidates *in, scree_lane *lane)
{
    if (!lane->blame)
        lane->blame = scree_blame_of_resolver(list->resolver, in, list->n_pair_fields);
}

void scree_sim_blame(scree_sim *sim, scree_blame *blame)
{
    if (sim->blame)
        scree_blame_free(blame);
    else
        sim->blame = blame;
}
