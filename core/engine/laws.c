/* SPDX-License-Identifier: Apache-2.0 */
/* Force laws on a batch of contacts: gathers inputs, runs and checks each law, sums the results. */
#include "engine/laws.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/arrays.h"
#include "engine/bond_rule.h"
#include "engine/contact_record.h"
#include "engine/lane.h"
#include "engine/law_steps.h"
#include "engine/pose.h"
#include "engine/rates.h"
#include "engine/shared_fields.h"
#include "plugin/call.h"

/** Adds moving surfaces, like belts: their velocity in the plane of contact, and the slip by it. */
static void add_surfaces(const scree_evaluation *e, uint32_t n, double *const *v,
                         double *const *slip, const scree_lane *lane)
{
    uint32_t n_free = e->sim->world->n_free;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t a = lane->a[c], b = lane->b[c];
        double normal[3] = {lane->found.normal[0][c], lane->found.normal[1][c],
                            lane->found.normal[2][c]},
               u[3];
        if (a < n_free && b < n_free)
            continue;
        scree_surface_at(e->sim, MAX(a, b), normal, u);
        for (int k = 0; k < 3; k++) {
            double add = a < b ? -u[k] : u[k]; // v is the velocity of a against b
            v[k][c] += add;
            if (slip)
                slip[k][c] += e->since * add;
        }
    }
}

/** Gathers velocity and slip at the ends of the arms, for laws that need `needs`, and masses and spins
 * for all. */
static void gather_motion(const scree_evaluation *e, uint64_t needs, uint32_t n,
                          double *const *arm_, double *const *d_, double *const *v,
                          double *const *slip, scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const scree_kernels *kernel = sim->kernels;
    const double *const *arm = (const double *const *)arm_, *const *d = (const double *const *)d_;
    const uint64_t all = sim->plugins.contact.needs;
    const bool slips = needs & SCREE_IN_SLIP, rolls = all & SCREE_IN_ROLL && !e->displaced;
    if (!(needs &
          (SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_SPIN | SCREE_IN_ROLL | SCREE_IN_MASS)))
        return;
    kernel->motion(n, lane->a, lane->b, sim->world->twist, arm, d, v, e->since,
                   slips && !e->displaced ? slip : NULL,
                   all & SCREE_IN_MASS ? lane->gathered.mass : NULL,
                   all & (SCREE_IN_SPIN | SCREE_IN_ROLL) ? lane->gathered.spin : NULL,
                   rolls ? lane->gathered.roll : NULL);
    if (slips && e->displaced)
        kernel->motion(n, lane->a, lane->b, sim->displacements.mirror, arm, d, slip, 0.0, NULL,
                       NULL, NULL, NULL);
    if (sim->surfaces.any)
        add_surfaces(e, n, v, slips ? slip : NULL, lane);
}

void scree_laws_gather(const scree_evaluation *e, const scree_list *list, uint32_t n,
                       scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const scree_world *w = sim->world;
    const scree_kernels *kernel = sim->kernels;
    const uint64_t needs = sim->plugins.contact.needs, far = sim->plugins.contact.far_needs;
    gather_motion(e, sim->plugins.contact.near_needs, n, lane->found.arm, lane->gathered.d,
                  lane->gathered.v, lane->gathered.slip, lane);
    if (far) {
        kernel->lengthen(n, list->is_flat, lane->found.depth,
                         (const double *const *)lane->found.normal,
                         (const double *const *)lane->found.arm,
                         (const double *const *)lane->gathered.d, lane->far_arm, lane->far_d);
        gather_motion(e, far, n, lane->far_arm, lane->far_d, lane->far_v, lane->far_slip, lane);
    }
    if (needs & SCREE_IN_ROLL && e->displaced)
        kernel->spin(n, lane->a, lane->b, sim->displacements.mirror, lane->gathered.roll);
    lane->off_centre = list->off_centre;
    if (list->off_centre && (needs & SCREE_IN_MASS_POINT))
        kernel->point_mass(n, w, lane->a, lane->b, (const double *const *)lane->found.normal,
                           (const double *const *)lane->found.arm,
                           (const double *const *)lane->gathered.d, lane->point_mass);
    if (needs & SCREE_IN_MATERIALS)
        for (uint32_t c = 0; c < n && w->n_materials > 1; c++) // otherwise all are 0 already
            lane->gathered.materials[c] =
                w->material[lane->a[c]] * w->n_materials + w->material[lane->b[c]];
    if (needs & SCREE_IN_RADII)
        for (int k = 0; k < 2; k++) {
            if (lane->by_ball)
                memcpy(lane->gathered.radius[k], lane->ball_radius[k], n * sizeof(double));
            else
                kernel->pick(n, lane->found.pair, lane->pair_radius[k], lane->gathered.radius[k]);
        }
}

/** Returns where a law writes its stored energy: into the table if it is the only law. */
static double *stored_of(const scree_sim *sim, const scree_table *out, const scree_lane *lane)
{
    return sim->plugins.contact.n_laws == 1 && out->stored ? out->stored + out->n
                                                           : lane->law.stored;
}

/** Fills the inputs of a law that all batches of this evaluation share. */
static void prepare_batch(const scree_evaluation *e, const scree_law *law, scree_lane *lane,
                          scree_contact_batch *batch)
{
    const scree_sim *sim = e->sim;
    uint64_t needs = law->needs, gives = law->provides;
    const bool far = needs & SCREE_IN_LEVER_RADIUS;
    uint32_t first = law->first_contact_field + law->first_pair_field;
    *batch = (scree_contact_batch){
        .size = sizeof *batch,
        .lane = (uint32_t)(lane - sim->plugins.contact.lanes),
        .accepted = e->accepted,
        .time = e->time,
        .since = e->since,
        .a = lane->a,
        .b = lane->b,
        .bodies = law->instance->n_uses ? &law->view : &sim->view,
        .fresh = lane->fresh,
        .in = lane->law_in + first,
        .out = lane->law_out + first,
        .global_fields = scree_global_fields(sim, law->instance),
    };
    for (const scree_quantity *q = scree_quantities; q->name; q++) {
        const bool is_given = !(q->in | q->out) || needs & q->in || gives & q->out;
        const uint32_t n = is_given ? q->n : 0;
        for (uint32_t k = 0; k < n; k++)
            scree_array_set((char *)batch + q->batch + k * sizeof(void *),
                            scree_array_get(scree_lane_place(lane, q, k)));
    }
    if (!far)
        return;
    for (int k = 0; k < VECTOR; k++) {
        batch->v[k] = needs & SCREE_IN_VELOCITY ? lane->far_v[k] : NULL;
        batch->slip[k] = needs & SCREE_IN_SLIP ? lane->far_slip[k] : NULL;
        batch->arm[k] = needs & SCREE_IN_ARM ? lane->far_arm[k] : NULL;
        batch->d[k] = needs & SCREE_IN_ARM ? lane->far_d[k] : NULL;
    }
}

void scree_laws_prepare_lane(const scree_evaluation *e, scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        prepare_batch(e, &sim->plugins.contact.laws[l], lane, &lane->law_batch[l]);
}

void scree_laws_prepare(const scree_evaluation *e)
{
    scree_sim *sim = e->sim;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        scree_law *law = &sim->plugins.contact.laws[l];
        if (!law->instance->n_uses)
            continue;
        law->view = sim->view;
        scree_shared_fields_show(sim, law->instance, &law->shared, &law->view);
    }
    uint64_t more = 0;
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++)
        more |= q->list && scree_records_contacts(e) ? q->gives : 0;
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++) {
        scree_laws_prepare_lane(e, &sim->plugins.contact.lanes[k]);
        if (scree_sums_contacts(e))
            sim->plugins.contact.lanes[k].sums = (scree_contact_sums){.n = 0};
    }
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        list->asks = list->wants | (list->gives & more);
    }
}

/** Marks beginning contacts that the scene bonds. */
static void bond_touching(const scree_sim *sim, const scree_law *law, double time, uint32_t n,
                          scree_lane *lane)
{
    const GPtrArray *rules = law->instance->choice->bonds;
    for (guint k = 0; k < rules->len; k++) {
        const scree_bond_rule *rule = rules->pdata[k];
        if (rule->how != SCREE_BONDS_TOUCHING || time < rule->from || time > rule->until)
            continue;
        for (uint32_t c = 0; c < n; c++)
            if (lane->fresh[c] && lane->found.depth[c] >= 0.0)
                lane->law.keep[c] |=
                    scree_bond_rule_allows(rule, sim->world, lane->a[c], lane->b[c]);
    }
}

/** Replaces unset values by `initial`, and marks them. */
static void take_initial(uint32_t n, const double *from, double initial, double *to, uint8_t *marks)
{
    for (uint32_t c = 0; c < n; c++) {
        bool unset = scree_is_unset(from[c]);
        to[c] = unset ? initial : from[c];
        marks[c] |= unset;
    }
}

/** Marks unset fields of a law that was swapped in. */
static void set_fresh(const scree_sim *sim, const scree_law *law, uint32_t n, scree_lane *lane,
                      scree_contact_batch *batch)
{
    const scree_contact_plugins *p = &sim->plugins.contact;
    uint32_t at = law->first_contact_field + law->first_pair_field;
    memcpy(lane->law_fresh, lane->fresh, n);
    for (uint32_t f = 0; f < law->n_contact_fields; f++, at++) {
        double *to = lane->in[law->first_contact_field + f];
        take_initial(n, lane->law_in[at], p->initial[law->first_contact_field + f], to,
                     lane->law_fresh);
        lane->law_in[at] = to;
    }
    batch->fresh = lane->law_fresh;
    memcpy(lane->law_pair_fresh, lane->pair_fresh, n);
    for (uint32_t f = 0; f < law->n_pair_fields; f++, at++)
        take_initial(n, lane->law_in[at], p->pair_initial[law->first_pair_field + f],
                     lane->in[p->n_fields + law->first_pair_field + f], lane->law_pair_fresh);
    batch->pair_fresh = law->n_pair_fields ? lane->law_pair_fresh : NULL;
}

/** Fills the inputs of a law for this batch, in a copy that the law may overwrite. */
static scree_contact_batch fill_batch(const scree_sim *sim, const scree_law *law,
                                      const scree_table *out, uint32_t n, scree_lane *lane)
{
    scree_contact_batch batch = lane->law_batch[law - sim->plugins.contact.laws];
    uint32_t at = law->first_contact_field + law->first_pair_field;
    batch.n = n;
    if (batch.stored)
        batch.stored = stored_of(sim, out, lane);
    if (lane->off_centre && (law->needs & SCREE_IN_MASS_POINT) && batch.mass)
        batch.mass = lane->point_mass;
    if (batch.heat)
        memset(batch.heat, 0, n * sizeof *batch.heat);
    for (uint32_t f = 0; f < law->n_contact_fields; f++, at++) {
        lane->law_in[at] = lane->fields[law->first_contact_field + f];
        lane->law_out[at] = out->field[law->first_contact_field + f] + out->n;
    }
    for (uint32_t f = 0; f < law->n_pair_fields; f++, at++) {
        lane->law_in[at] = lane->in[sim->plugins.contact.n_fields + law->first_pair_field + f];
        lane->law_out[at] = lane->pair_out[law->first_pair_field + f];
    }
    batch.pair_fresh = law->n_pair_fields ? lane->pair_fresh : NULL;
    if (law->unset)
        set_fresh(sim, law, n, lane, &batch);
    if (law->n_reads || law->n_adds)
        scree_rates_fill(sim, law, n, lane, &batch);
    for (uint32_t c = 0; (law->provides & SCREE_OUT_KEEP) && c < n; c++)
        lane->law.keep[c] = (lane->keep[c] & law->keep_bit) != 0;
    if (law->bonds_touching)
        bond_touching(sim, law, batch.time, n, lane);
    return batch;
}

static bool check_finite(const scree_sim *sim, scree_lane *lane, const scree_law *law,
                         const double *stored, uint32_t n)
{
    const char *bad = NULL;
    for (const scree_quantity *q = scree_quantities; q->name && !bad; q++) {
        const bool is_real = q->by == SCREE_BY_LAW && q->width == sizeof(double);
        const uint32_t n_arrays = is_real && (!q->out || law->provides & q->out) ? q->n : 0;
        for (uint32_t k = 0; k < n_arrays; k++) {
            const double *v =
                q->out == SCREE_OUT_STORED ? stored : scree_array_get(scree_lane_place(lane, q, k));
            bad = sim->kernels->not_finite(n, v) ? q->name : bad;
        }
    }
    if (!bad)
        return true;
    const scree_world *w = sim->world;
    for (uint32_t c = 0; c < n; c++) {
        const double f[VECTOR] = {lane->law.f[0][c], lane->law.f[1][c], lane->law.f[2][c]};
        if (!sim->kernels->not_finite(VECTOR, f))
            continue;
        g_autofree char *what = g_strdup_printf(
            "force (%g, %g, %g) between bodies %" PRIu64 " and %" PRIu64 " at depth %g m", f[0],
            f[1], f[2], w->id[lane->a[c]], w->id[lane->b[c]], lane->found.depth[c]);
        return scree_lane_not_finite(sim, lane, law->instance, "compute", what);
    }
    g_autofree char *what = g_strdup_printf("%s is not finite", bad);
    return scree_lane_not_finite(sim, lane, law->instance, "compute", what);
}

#define COUPLES (SCREE_OUT_COUPLE | SCREE_OUT_COUPLE_B)
#define FORCE (1ull << 63) // among SCREE_OUT_*: a law always gives it

/** Adds what a law returned to the sums over all laws. `sums`: all arrays that they will have;
 * *given: those that they have. False: a value is not finite. */
static bool sum_laws(const scree_sim *sim, const scree_list *list, const scree_law *law,
                     uint64_t sums, uint64_t *given, uint32_t n, scree_lane *lane)
{
    const uint64_t all = sums & SCREE_OUT_COUPLE_B ? COUPLES : 0;
    const double *const *normal = (const double *const *)lane->found.normal;
    uint64_t gives = law->provides | FORCE, bad = 0;
    if (all && (gives & COUPLES) == SCREE_OUT_COUPLE)
        for (int k = 0; k < VECTOR; k++)
            sim->kernels->scale(n, -1.0, lane->law.couple[k], lane->law.couple_b[k]);
    if (all && gives & SCREE_OUT_COUPLE)
        gives |= COUPLES;
    for (const scree_quantity *q = scree_quantities; q->name; q++) {
        const bool is_sum = q->by == SCREE_BY_LAW && q->width == sizeof(double);
        const uint64_t bit = q->out ? q->out : FORCE;
        const uint32_t n_arrays = is_sum && (gives | all) & bit ? q->n : 0;
        for (uint32_t k = 0; k < n_arrays; k++)
            bad += sim->kernels->sum(
                n, !(*given & bit),
                gives & bit ? scree_array_get(scree_lane_place(lane, q, k)) : lane->zeros,
                scree_array_get((char *)&lane->sum + q->at + k * sizeof(void *)));
    }
    *given |= gives | all;
    if (bad && !check_finite(sim, lane, law, lane->law.stored, n))
        return false;
    if (sim->plugins.contact.needs & SCREE_IN_NORMAL_FORCE)
        sim->kernels->find_push(n, (const double *const *)lane->sum.f, normal,
                                lane->gathered.normal_force);
    if (law->needs & SCREE_IN_LEVER_RADIUS)
        sim->kernels->add_levers(n, list->is_flat, lane->found.depth, normal,
                                 (const double *const *)lane->law.f, lane->sum.couple,
                                 lane->sum.couple_b);
    return true;
}

/** Returns the arrays that the laws of a list give, or that their levers add to. */
static uint64_t find_sums(const scree_sim *sim, const scree_list *list)
{
    uint64_t sums = 0;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        if (list->laws >> l & 1u)
            sums |= law->provides | (law->needs & SCREE_IN_LEVER_RADIUS ? COUPLES : 0);
    }
    return sums;
}

bool scree_laws_check(const scree_evaluation *e, const scree_batch_result *result, uint32_t n,
                      scree_lane *lane)
{
    return check_finite(e->sim, lane, e->sim->plugins.contact.laws, result->stored, n);
}

/** Calls law l. False: it fails. */
static bool call_law(const scree_evaluation *e, uint32_t l, const scree_contact_batch *batch,
                     scree_lane *lane)
{
    const scree_law *law = &e->sim->plugins.contact.laws[l];
    scree_call call =
        scree_call_begin_many(law->instance, SCREE_CALL_LANE, "compute", batch->n, "contacts");
    int32_t code = law->ops->compute(law->instance->self, batch);
    code = scree_call_end(&call, code, SCREE_OK, scree_lane_error(lane));
    return code >= 0;
}

/** Reduces the loss in fresh contacts for a law that does not know where contacts begin: the force
 * of dashpots, which lags half a step, has acted for half a step only. */
static void weigh_fresh(const scree_law *law, uint32_t n, scree_lane *lane)
{
    const uint8_t *at = lane->fresh, *end = at + n;
    if ((law->provides & SCREE_OUT_PARTED) || !(law->provides & SCREE_OUT_LOST))
        return;
    for (; (at = memchr(at, 1, (size_t)(end - at))); at++)
        lane->law.lost[at - lane->fresh] *= 0.75;
}

/** Adds the energies [J] that a law has written for n contacts that opened. False: one is not finite. */
static bool add_parted(const scree_contact_batch *batch, double since, double *lost)
{
    const bool knows = batch->parted;
    bool finite = true;
    for (uint32_t c = 0; c < batch->n; c++) {
        const double drawn = batch->lost ? since * batch->lost[c] : 0.0;
        const double rest = batch->stored && !knows ? batch->stored[c] : 0.0;
        const double heat = batch->heat ? batch->heat[c] : 0.0;
        lost[c] += (knows ? drawn : 0.25 * drawn + rest) + heat;
        finite = finite && isfinite(drawn + rest + heat);
    }
    return finite;
}

bool scree_laws_part(const scree_evaluation *e, const scree_list *list, scree_table *out,
                     uint32_t n, const double *closed, scree_lane *lane, double *lost)
{
    scree_sim *sim = e->sim;
    double opened[SCREE_MOST_PARTED];
    memcpy(opened, lane->found.depth, n * sizeof *opened);
    memset(lost, 0, n * sizeof *lost);
    memset(lane->gathered.normal_force, 0, n * sizeof *lane->gathered.normal_force);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        bool knows = law->provides & SCREE_OUT_PARTED;
        if (!(list->laws >> l & 1u) ||
            !(law->provides & (SCREE_OUT_LOST | SCREE_OUT_STORED | SCREE_OUT_HEAT)))
            continue;
        memcpy(lane->found.depth, knows ? opened : closed, n * sizeof *opened);
        scree_contact_batch batch = fill_batch(sim, law, out, n, lane);
        batch.parted = knows;
        if (!call_law(e, l, &batch, lane))
            return false;
        if (!add_parted(&batch, e->since, lost))
            return scree_lane_not_finite(
                sim, lane, law->instance, "compute",
                "what it stores or loses as a contact opens is not finite");
    }
    return true;
}

/** Keeps the initial values of the fields of a law that does not act on these contacts. */
static void pass_over(const scree_sim *sim, const scree_law *law, scree_table *out, uint32_t n,
                      scree_lane *lane)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    for (uint32_t f = 0; f < law->n_contact_fields; f++)
        for (uint32_t c = 0; c < n; c++)
            out->field[law->first_contact_field + f][out->n + c] =
                contact->initial[law->first_contact_field + f];
    for (uint32_t f = 0; f < law->n_pair_fields; f++)
        for (uint32_t c = 0; c < n; c++)
            lane->pair_out[law->first_pair_field + f][c] =
                contact->pair_initial[law->first_pair_field + f];
}

bool scree_laws_run(const scree_evaluation *e, const scree_list *list, scree_segment *s, uint32_t n,
                    scree_lane *lane, scree_batch_result *result)
{
    scree_sim *sim = e->sim;
    const bool one = sim->plugins.contact.n_laws == 1;
    const uint64_t sums = one ? 0 : find_sums(sim, list);
    uint64_t gives = 0;
    bool first = true;
    scree_table *out = &s->table[1 - sim->contacts.committed];
    const bool by_law = sim->records.by_law && scree_records_contacts(e);
    if (sim->plugins.contact.n_rates && e->accepted)
        scree_rates_begin(sim, n, lane);
    const double *const zeros = lane->zeros;
    if (sim->plugins.contact.needs & SCREE_IN_NORMAL_FORCE) // the first law has none before it
        memset(lane->gathered.normal_force, 0, n * sizeof *lane->gathered.normal_force);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        if (!(list->laws >> l & 1u)) {
            pass_over(sim, law, out, n, lane);
            if (by_law)
                scree_contacts_record_law(e, list, l, s, out->n, n, NULL, lane);
            continue;
        }
        scree_contact_batch batch = fill_batch(sim, law, out, n, lane);
        if (!call_law(e, l, &batch, lane))
            return false;
        weigh_fresh(law, n, lane);
        if (!one && !sum_laws(sim, list, law, sums, &gives, n, lane))
            return false;
        if (one && batch.heat && sim->kernels->not_finite(n, batch.heat))
            return scree_lane_not_finite(sim, lane, law->instance, "compute", "heat is not finite");
        if (law->n_adds && e->accepted && !scree_rates_take(e, law, n, lane))
            return false;
        if (by_law)
            scree_contacts_record_law(e, list, l, s, out->n, n, &batch, lane);
        if (out->keep && first)
            memset(out->keep + out->n, 0, n);
        first = false;
        if (law->keep_bit)
            for (uint32_t c = 0; c < n; c++)
                out->keep[out->n + c] |= lane->law.keep[c] ? law->keep_bit : 0;
    }
    if (one)
        gives = sim->plugins.contact.laws[0].provides;
    for (int k = 0; k < VECTOR; k++)
        result->f[k] = sim->plugins.contact.n_laws == 0 ? zeros
                       : one                            ? lane->law.f[k]
                                                        : lane->sum.f[k];
    result->stored = zeros;
    result->lost = zeros;
    result->heat = NULL;
    result->couple = result->couple_b = NULL;
    if (sim->plugins.contact.n_laws == 0)
        return true;
    if (gives & SCREE_OUT_STORED)
        result->stored = one ? stored_of(sim, out, lane) : lane->sum.stored;
    if (gives & SCREE_OUT_LOST)
        result->lost = one ? lane->law.lost : lane->sum.lost;
    if (gives & SCREE_OUT_HEAT)
        result->heat = one ? lane->law.heat : lane->sum.heat;
    if (gives & SCREE_OUT_COUPLE)
        result->couple = (const double *const *)(one ? lane->law.couple : lane->sum.couple);
    if (gives & SCREE_OUT_COUPLE_B)
        result->couple_b = (const double *const *)(one ? lane->law.couple_b : lane->sum.couple_b);
    return true;
}
