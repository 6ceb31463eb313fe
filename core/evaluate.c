/* SPDX-License-Identifier: Apache-2.0 */
/* Forces at the present positions: batches through resolver and laws, sums in canonical order. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

#include "guard.h"
#include "sim.h"

/*
 * Order of an evaluation (design, section 2; blocks and segments: sim.h)
 *   pose kinematic bodies; mirrors; extents left? -> refresh
 *   phase 1  segments (b, B > b), any order: contacts, laws, a line per contact
 *   phase 2  per block: gravity; per list: lower partners' lines, own segment added directly, higher
 *            partners' lines
 *   modifiers' forces; commit
 *
 * One batch: candidates -> resolver -> contacts -> inputs and committed fields gathered -> each law
 * -> new fields into the segment's other table, forces to lines. Nothing here depends on how many
 * pairs a batch has, nor on candidates that are no contacts.
 */

enum { VECTOR = 3 };

/** Buffers of one thread. Arrays have SCREE_BATCH_ROOM elements. */
struct scree_lane {
    double *d[VECTOR], *radius[2]; /* by pair */
    uint32_t *pair, *a, *b, *materials, *old; /* by contact */
    uint64_t *feature, *continues;
    uint8_t *fresh, *keep;
    double *normal[VECTOR], *depth, *arm[VECTOR], *curvature[2], *area, *chord;
    double *cd[VECTOR], *cradius[2], *v[VECTOR], *slip[VECTOR], *roll[VECTOR], *spin[VECTOR], *mass;
    double **in; /* [contact + pair fields] */
    double **pair_out;
    double *f[VECTOR], *couple[VECTOR], *couple_b[VECTOR], *stored, *lost, *normal_force;
    double *law_f[VECTOR], *law_couple[VECTOR], *law_couple_b[VECTOR], *law_stored, *law_lost;
    uint8_t *law_keep, *touched;
    double *ta[VECTOR], *tb[VECTOR];
    const double **law_in;
    double **law_out;
    const double **global;
    uint64_t touched_capacity;
    GPtrArray *memory;
    double resolve_time, force_time, sum_time;
    GError *error;
    uint32_t mxcsr;
};

/** What one evaluation is about. */
typedef struct evaluation {
    scree_sim *sim;
    double time, since;
    bool accepted, displaced;
} evaluation;

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
    uint32_t n_fields = sim->n_contact_fields + sim->n_pair_fields;
    lane->memory = g_ptr_array_new_with_free_func(free);
    double **const vectors[] = {lane->d,     lane->normal, lane->arm,   lane->cd,       lane->v,
                                lane->slip,  lane->roll,   lane->spin,  lane->f,        lane->couple,
                                lane->couple_b, lane->law_f, lane->law_couple, lane->law_couple_b,
                                lane->ta,    lane->tb};
    for (size_t k = 0; k < G_N_ELEMENTS(vectors); k++)
        lane_vector(lane, vectors[k], VECTOR);
    lane_vector(lane, lane->radius, 2);
    lane_vector(lane, lane->cradius, 2);
    lane_vector(lane, lane->curvature, 2);
    double **const scalars[] = {&lane->depth, &lane->area,       &lane->chord,     &lane->mass,
                                &lane->stored, &lane->lost,      &lane->normal_force,
                                &lane->law_stored, &lane->law_lost};
    for (size_t k = 0; k < G_N_ELEMENTS(scalars); k++)
        lane_vector(lane, scalars[k], 1);
    uint32_t **const numbers[] = {&lane->pair, &lane->a, &lane->b, &lane->materials, &lane->old};
    for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++)
        *numbers[k] = lane_array(lane, sizeof(uint32_t));
    lane->feature = lane_array(lane, sizeof(uint64_t));
    lane->continues = lane_array(lane, sizeof(uint64_t));
    lane->fresh = lane_array(lane, 1);
    lane->keep = lane_array(lane, 1);
    lane->law_keep = lane_array(lane, 1);
    lane->in = g_new0(double *, n_fields + 1);
    lane_vector(lane, lane->in, n_fields);
    lane->pair_out = g_new0(double *, sim->n_pair_fields + 1);
    lane_vector(lane, lane->pair_out, sim->n_pair_fields);
    lane->law_in = g_new0(const double *, n_fields + 1);
    lane->law_out = g_new0(double *, n_fields + 1);
    lane->global = g_new0(const double *, sim->n_global_fields + 1);
}

void scree_evaluate_init(scree_sim *sim)
{
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    sim->lanes = g_new0(scree_lane, lanes);
    for (uint32_t k = 0; k < lanes; k++)
        lane_init(sim, &sim->lanes[k]);
}

void scree_evaluate_clear(scree_sim *sim)
{
    for (uint32_t k = 0; sim->lanes && k < scree_pool_lanes(sim->runtime.pool); k++) {
        scree_lane *lane = &sim->lanes[k];
        g_ptr_array_unref(lane->memory);
        g_free(lane->in);
        g_free(lane->pair_out);
        g_free(lane->law_in);
        g_free(lane->law_out);
        g_free(lane->global);
        free(lane->touched);
        g_clear_error(&lane->error);
    }
    g_clear_pointer(&sim->lanes, g_free);
}

/** Notes the first error of a lane; returns false for `return blame(...)`. */
static bool blame(scree_lane *lane, scree_instance *instance, const char *call, int32_t code)
{
    if (!lane->error)
        scree_instance_set_error(instance, call, code, &lane->error);
    return false;
}

static bool misbehaved(scree_sim *sim, scree_lane *lane, const scree_instance *instance,
                       const char *call, const char *what)
{
    if (!lane->error)
        g_set_error(&lane->error, SCREE_ERROR, SCREE_EXIT_PLUGIN,
                    "%s/%s (%s) misbehaved in %s at step %" PRIu64 ": %s",
                    scree_kind_name(instance->plugin->kind), instance->plugin->id, instance->slot,
                    call, sim->step, what);
    return false;
}

/** A plugin that changed rounding or flush-to-zero would change every result after it. */
static bool environment_intact(scree_sim *sim, scree_lane *lane, const scree_instance *instance,
                               const char *call)
{
    uint32_t now = _mm_getcsr(), before = lane->mxcsr;
    if (((now ^ before) & ~(uint32_t)_MM_EXCEPT_MASK) == 0)
        return true;
    _mm_setcsr(before);
    return misbehaved(sim, lane, instance, call, "it changed the floating-point environment");
}

/** d for pairs that may reach across a periodic boundary: x_b - x_a + s L with whole s (design, S4). */
static void shift_candidates(const scree_sim *sim, const scree_segment *s, uint32_t p0, uint32_t n,
                             scree_lane *lane)
{
    const scree_world *w = sim->world;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t a = s->a[p0 + p], b = s->b[p0 + p];
        int32_t cells[3];
        scree_shift_unpack(s->shift[p0 + p], cells); // of the column against the row
        int32_t sign = a <= b ? 1 : -1;
        for (int k = 0; k < 3; k++) {
            int32_t now = sign * cells[k] + w->image[k][b] - w->image[k][a];
            lane->d[k][p] += now * w->length[k];
        }
    }
}

static void gather_candidates(const scree_sim *sim, const scree_segment *s, uint32_t p0, uint32_t n,
                              scree_lane *lane)
{
    sim->kernels->candidates(n, s->a + p0, s->b + p0, sim->world->ball, lane->d[0], lane->d[1],
                             lane->d[2], lane->radius[0], lane->radius[1]);
    if (s->shift)
        shift_candidates(sim, s, p0, n, lane);
}

/** First committed contact of pair p with this feature (or the one it carries on), or SCREE_NONE. */
static uint32_t find_committed(const scree_segment *s, const scree_table *t, const uint32_t *index,
                               uint32_t p, uint64_t feature, uint64_t continues)
{
    uint32_t other = SCREE_NONE;
    if (index[p] == SCREE_NONE)
        return SCREE_NONE;
    (void)s;
    for (uint32_t k = index[p]; k < t->n && t->pair[k] == p; k++) {
        if (t->feature[k] == feature)
            return k;
        if (t->feature[k] == continues)
            other = k;
    }
    return other;
}

/** lane->old and fresh for the contacts; how many have a past. */
static uint32_t match_history(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                              uint32_t base, uint32_t n, scree_lane *lane)
{
    const scree_table *t = &s->table[sim->committed];
    const uint32_t *index = s->index[sim->committed];
    uint32_t matched = 0;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t p = base + lane->pair[c];
        uint32_t old = list->single ? index[p]
                                    : find_committed(s, t, index, p, lane->feature[c],
                                                     lane->continues[c]);
        lane->old[c] = old;
        lane->fresh[c] = old == SCREE_NONE;
        matched += old != SCREE_NONE;
    }
    return matched;
}

static void gather_fields(const scree_sim *sim, const scree_segment *s, uint32_t base, uint32_t n,
                          scree_lane *lane)
{
    const scree_table *t = &s->table[sim->committed];
    for (uint32_t f = 0; f < sim->n_contact_fields; f++) {
        const double *from = t->field[f];
        double *to = lane->in[f], initial = sim->contact_initial[f];
        for (uint32_t c = 0; c < n; c++)
            to[c] = lane->old[c] == SCREE_NONE ? initial : from[lane->old[c]];
    }
    for (uint32_t f = 0; f < sim->n_pair_fields; f++) {
        const double *from = s->pair_field[sim->committed][f];
        double *to = lane->in[sim->n_contact_fields + f];
        for (uint32_t c = 0; c < n; c++)
            to[c] = from[base + lane->pair[c]];
    }
    if (sim->any_keep)
        for (uint32_t c = 0; c < n; c++)
            lane->keep[c] = lane->old[c] == SCREE_NONE ? 0 : t->keep[lane->old[c]];
}

/** Committed contacts of pairs [begin, end) that no new contact carries on. */
static void note_ended(scree_sim *sim, scree_segment *s, uint32_t end, uint32_t n, uint32_t matched,
                       uint64_t *cursor, scree_lane *lane)
{
    const scree_table *t = &s->table[sim->committed];
    uint64_t first = *cursor, last = first;
    while (last < t->n && t->pair[last] < end)
        last++;
    *cursor = last;
    if (last - first == matched && matched <= 1)
        return;
    if (last - first == matched && !t->feature)
        return; // one contact per pair: as many as before means the same ones
    scree_aligned_grow(&lane->touched, &lane->touched_capacity, last - first, 0, 1);
    memset(lane->touched, 0, last - first);
    for (uint32_t c = 0; c < n; c++)
        if (lane->old[c] != SCREE_NONE)
            lane->touched[lane->old[c] - first] = 1;
    for (uint64_t k = first; k < last; k++) {
        if (lane->touched[k - first])
            continue;
        scree_aligned_grow(&s->ended, &s->ended_capacity, s->n_ended + 1, s->n_ended,
                           sizeof(uint32_t));
        s->ended[s->n_ended++] = (uint32_t)k;
    }
}

static void gather_contacts(const scree_sim *sim, const scree_segment *s, uint32_t base, uint32_t n,
                            scree_lane *lane)
{
    const uint32_t *a = s->a + base, *b = s->b + base;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t p = lane->pair[c];
        lane->a[c] = a[p];
        lane->b[c] = b[p];
    }
    for (int k = 0; k < VECTOR; k++)
        for (uint32_t c = 0; c < n; c++)
            lane->cd[k][c] = lane->d[k][lane->pair[c]];
}

/** What the laws of the scene ask for, all together. */
static void gather_inputs(const evaluation *e, uint32_t n, scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const scree_world *w = sim->world;
    const scree_kernels *kernel = sim->kernels;
    const double *const *arm = (const double *const *)lane->arm;
    const double *const *d = (const double *const *)lane->cd;
    uint64_t needs = sim->needs;
    if (needs & (SCREE_IN_VELOCITY | SCREE_IN_SLIP))
        kernel->motion(n, lane->a, lane->b, w->twist, arm, d, lane->v);
    if (needs & (SCREE_IN_SPIN | SCREE_IN_ROLL))
        kernel->spin(n, lane->a, lane->b, w->twist, lane->spin);
    if (needs & SCREE_IN_SLIP) {
        if (e->displaced)
            kernel->motion(n, lane->a, lane->b, sim->moved, arm, d, lane->slip);
        for (int k = 0; !e->displaced && k < VECTOR; k++)
            kernel->scale(n, e->since, lane->v[k], lane->slip[k]);
    }
    if (needs & SCREE_IN_ROLL) {
        if (e->displaced)
            kernel->spin(n, lane->a, lane->b, sim->moved, lane->roll);
        for (int k = 0; !e->displaced && k < VECTOR; k++)
            kernel->scale(n, e->since, lane->spin[k], lane->roll[k]);
    }
    if (needs & SCREE_IN_MASS)
        kernel->mass(n, lane->a, lane->b, w->twist, lane->mass);
    if (needs & SCREE_IN_MATERIALS)
        for (uint32_t c = 0; c < n; c++)
            lane->materials[c] = w->material[lane->a[c]] * w->n_materials + w->material[lane->b[c]];
    for (int k = 0; (needs & SCREE_IN_RADII) && k < 2; k++)
        for (uint32_t c = 0; c < n; c++)
            lane->cradius[k][c] = lane->radius[k][lane->pair[c]];
}

/** Contacts that no law serves at their gap are none: drops them. Returns how many stay. */
static uint32_t drop_unserved(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                              uint32_t base, uint32_t n, scree_lane *lane)
{
    const scree_world *w = sim->world;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t p = base + lane->pair[c];
        uint32_t pair = w->material[s->a[p]] * w->n_materials + w->material[s->b[p]];
        if (-lane->depth[c] > sim->gap[pair] && !(s->keep && s->keep[p]))
            continue;
        lane->pair[kept] = lane->pair[c];
        lane->depth[kept] = lane->depth[c];
        for (int k = 0; k < VECTOR; k++) {
            lane->normal[k][kept] = lane->normal[k][c];
            lane->arm[k][kept] = lane->arm[k][c];
        }
        for (int k = 0; k < 2; k++)
            lane->curvature[k][kept] = lane->curvature[k][c];
        lane->area[kept] = lane->area[c];
        lane->chord[kept] = lane->chord[c];
        if (!list->single) {
            lane->feature[kept] = lane->feature[c];
            lane->continues[kept] = lane->continues[c];
        }
        kept++;
    }
    return kept;
}

static void fill_batch(const evaluation *e, const scree_law *law, const scree_table *out, uint32_t n,
                       scree_lane *lane, scree_contact_batch *batch)
{
    const scree_sim *sim = e->sim;
    uint64_t needs = law->needs, gives = law->provides;
    *batch = (scree_contact_batch){
        .size = sizeof *batch,
        .lane = (uint32_t)(lane - sim->lanes),
        .n = n,
        .accepted = e->accepted,
        .time = e->time,
        .since = e->since,
        .a = lane->a,
        .b = lane->b,
        .bodies = &sim->view,
        .depth = lane->depth,
        .fresh = lane->fresh,
        .in = lane->law_in,
        .out = lane->law_out,
        .global_in = lane->global,
        .mass = needs & SCREE_IN_MASS ? lane->mass : NULL,
        .materials = needs & SCREE_IN_MATERIALS ? lane->materials : NULL,
        .area = needs & SCREE_IN_AREA ? lane->area : NULL,
        .chord = needs & SCREE_IN_CHORD ? lane->chord : NULL,
        .normal_force = needs & SCREE_IN_NORMAL_FORCE ? lane->normal_force : NULL,
        .stored = gives & SCREE_OUT_STORED ? lane->law_stored : NULL,
        .lost = gives & SCREE_OUT_LOST ? lane->law_lost : NULL,
        .keep = gives & SCREE_OUT_KEEP ? lane->law_keep : NULL,
    };
    for (int k = 0; k < VECTOR; k++) {
        batch->normal[k] = lane->normal[k];
        batch->f[k] = lane->law_f[k];
        batch->v[k] = needs & SCREE_IN_VELOCITY ? lane->v[k] : NULL;
        batch->slip[k] = needs & SCREE_IN_SLIP ? lane->slip[k] : NULL;
        batch->roll[k] = needs & SCREE_IN_ROLL ? lane->roll[k] : NULL;
        batch->spin[k] = needs & SCREE_IN_SPIN ? lane->spin[k] : NULL;
        batch->arm[k] = needs & SCREE_IN_ARM ? lane->arm[k] : NULL;
        batch->d[k] = needs & SCREE_IN_ARM ? lane->cd[k] : NULL;
        batch->couple[k] = gives & SCREE_OUT_COUPLE ? lane->law_couple[k] : NULL;
        batch->couple_b[k] = gives & SCREE_OUT_COUPLE_B ? lane->law_couple_b[k] : NULL;
    }
    for (int k = 0; k < 2; k++) {
        batch->curvature[k] = needs & SCREE_IN_CURVATURE ? lane->curvature[k] : NULL;
        batch->radius[k] = needs & SCREE_IN_RADII ? lane->cradius[k] : NULL;
    }
    uint32_t at = 0;
    for (uint32_t f = 0; f < law->n_contact_fields; f++, at++) {
        lane->law_in[at] = lane->in[law->first_contact_field + f];
        lane->law_out[at] = out->field[law->first_contact_field + f] + out->n;
    }
    for (uint32_t f = 0; f < law->n_pair_fields; f++, at++) {
        lane->law_in[at] = lane->in[sim->n_contact_fields + law->first_pair_field + f];
        lane->law_out[at] = lane->pair_out[law->first_pair_field + f];
    }
    for (uint32_t f = 0; f < law->n_global_fields; f++)
        lane->global[f] = sim->global_field + law->first_global_field + f;
}

static bool check_finite(scree_sim *sim, scree_lane *lane, const scree_law *law, uint32_t n)
{
    double total = 0.0;
    for (int k = 0; k < VECTOR; k++)
        total += sim->kernels->sum(n, lane->law_f[k]);
    if (law->provides & SCREE_OUT_COUPLE)
        for (int k = 0; k < VECTOR; k++)
            total += sim->kernels->sum(n, lane->law_couple[k]);
    if (law->provides & SCREE_OUT_STORED)
        total += sim->kernels->sum(n, lane->law_stored);
    if (law->provides & SCREE_OUT_LOST)
        total += sim->kernels->sum(n, lane->law_lost);
    if (isfinite(total))
        return true;
    const scree_world *w = sim->world;
    for (uint32_t c = 0; c < n; c++) {
        if (isfinite(lane->law_f[0][c]) && isfinite(lane->law_f[1][c]) && isfinite(lane->law_f[2][c]))
            continue;
        g_autofree char *what = g_strdup_printf(
            "force (%g, %g, %g) between bodies %" PRIu64 " and %" PRIu64 " at depth %g m",
            lane->law_f[0][c], lane->law_f[1][c], lane->law_f[2][c], w->id[lane->a[c]],
            w->id[lane->b[c]], lane->depth[c]);
        return misbehaved(sim, lane, law->instance, "compute", what);
    }
    return misbehaved(sim, lane, law->instance, "compute",
                      "couple, stored energy or power lost is not finite, or they overflow");
}

static void sum_laws(const scree_sim *sim, const scree_law *law, bool first, uint32_t n,
                     scree_lane *lane)
{
    uint64_t gives = law->provides;
    for (int k = 0; k < VECTOR; k++)
        for (uint32_t c = 0; c < n; c++) {
            double couple = gives & SCREE_OUT_COUPLE ? lane->law_couple[k][c] : 0.0;
            double couple_b = gives & SCREE_OUT_COUPLE_B ? lane->law_couple_b[k][c] : -couple;
            lane->f[k][c] = (first ? 0.0 : lane->f[k][c]) + lane->law_f[k][c];
            lane->couple[k][c] = (first ? 0.0 : lane->couple[k][c]) + couple;
            lane->couple_b[k][c] = (first ? 0.0 : lane->couple_b[k][c]) + couple_b;
        }
    for (uint32_t c = 0; c < n; c++) {
        double stored = gives & SCREE_OUT_STORED ? lane->law_stored[c] : 0.0;
        double lost = gives & SCREE_OUT_LOST ? lane->law_lost[c] : 0.0;
        lane->stored[c] = (first ? 0.0 : lane->stored[c]) + stored;
        lane->lost[c] = (first ? 0.0 : lane->lost[c]) + lost;
        lane->normal_force[c] = -(lane->f[0][c] * lane->normal[0][c] +
                                  lane->f[1][c] * lane->normal[1][c] +
                                  lane->f[2][c] * lane->normal[2][c]);
    }
    (void)sim;
}

/** Where the forces of a batch lie once all laws have run. */
typedef struct batch_result {
    const double *f[VECTOR], *stored, *lost;
    const double *const *couple, *const *couple_b;
} batch_result;

static bool run_laws(const evaluation *e, scree_table *out, uint32_t n, scree_lane *lane,
                     batch_result *result)
{
    scree_sim *sim = e->sim;
    static const double zeros[SCREE_BATCH_ROOM];
    for (uint32_t l = 0; l < sim->n_laws; l++) {
        const scree_law *law = &sim->laws[l];
        scree_contact_batch batch;
        fill_batch(e, law, out, n, lane, &batch);
        if (law->provides & SCREE_OUT_KEEP)
            memcpy(lane->law_keep, lane->keep, n);
        scree_guard_enter(law->instance, "compute");
        int32_t code = law->ops->compute(law->instance->self, &batch);
        scree_guard_leave();
        if (code < 0)
            return blame(lane, law->instance, "compute", code);
        if (!environment_intact(sim, lane, law->instance, "compute") ||
            !check_finite(sim, lane, law, n))
            return false;
        if (sim->n_laws > 1)
            sum_laws(sim, law, l == 0, n, lane);
        if (law->provides & SCREE_OUT_KEEP)
            for (uint32_t c = 0; c < n; c++)
                out->keep[out->n + c] = (l ? out->keep[out->n + c] : 0) | (lane->law_keep[c] != 0);
        else if (out->keep && l == 0)
            memset(out->keep + out->n, 0, n);
    }
    bool one = sim->n_laws == 1;
    uint64_t gives = one ? sim->laws[0].provides : ~(uint64_t)0;
    for (int k = 0; k < VECTOR; k++)
        result->f[k] = sim->n_laws == 0 ? zeros : one ? lane->law_f[k] : lane->f[k];
    result->stored = zeros;
    result->lost = zeros;
    result->couple = result->couple_b = NULL;
    if (sim->n_laws == 0)
        return true;
    if (gives & SCREE_OUT_STORED)
        result->stored = one ? lane->law_stored : lane->stored;
    if (gives & SCREE_OUT_LOST)
        result->lost = one ? lane->law_lost : lane->lost;
    if (gives & SCREE_OUT_COUPLE)
        result->couple = (const double *const *)(one ? lane->law_couple : lane->couple);
    if (gives & SCREE_OUT_COUPLE_B)
        result->couple_b = (const double *const *)(one ? lane->law_couple_b : lane->couple_b);
    return true;
}

/** Appends the contacts of a batch to the segment's new table. */
static void store_contacts(scree_sim *sim, const scree_list *list, scree_segment *s, uint32_t base,
                           uint32_t n, const batch_result *result, scree_lane *lane)
{
    uint32_t next = 1 - sim->committed;
    scree_table *t = &s->table[next];
    uint32_t *index = s->index[next], at = (uint32_t)t->n;
    for (uint32_t c = 0; c < n; c++) {
        t->pair[at + c] = base + lane->pair[c];
        if (c == 0 || lane->pair[c] != lane->pair[c - 1])
            index[base + lane->pair[c]] = at + c;
    }
    if (!list->single)
        memcpy(t->feature + at, lane->feature, n * sizeof(uint64_t));
    if (t->stored)
        memcpy(t->stored + at, result->stored, n * sizeof(double));
    for (uint32_t l = 0; sim->n_pair_fields && l < sim->n_laws; l++) {
        const scree_law *law = &sim->laws[l];
        for (uint32_t f = 0; f < law->n_pair_fields; f++) {
            double *to = s->pair_field[next][law->first_pair_field + f];
            const double *from = lane->pair_out[law->first_pair_field + f];
            for (uint32_t c = n; c-- > 0;) // backwards: the first contact of a pair counts
                to[base + lane->pair[c]] = from[c];
        }
    }
    uint64_t touching = 0;
    for (uint32_t c = 0; c < n; c++)
        touching += lane->depth[c] >= 0.0;
    s->n_touching += touching;
    t->n += n;
}

static void store_records(scree_segment *s, uint64_t at, uint32_t n, const batch_result *result,
                          const scree_lane *lane)
{
    scree_aligned_grow(&s->records, &s->record_capacity, at + n, at, sizeof *s->records);
    for (uint32_t c = 0; c < n; c++) {
        scree_record *record = &s->records[at + c];
        record->depth = lane->depth[c];
        for (int k = 0; k < VECTOR; k++) {
            record->normal[k] = lane->normal[k][c];
            record->arm[k] = lane->arm[k][c];
            record->f[k] = result->f[k][c];
            record->couple[k] = result->couple ? result->couple[k][c] : 0.0;
        }
    }
}

static void store_lines(scree_segment *s, uint32_t n, const batch_result *result,
                        const scree_lane *lane)
{
    scree_aligned_grow(&s->lines, &s->line_capacity, s->n_lines + n, s->n_lines, sizeof *s->lines);
    scree_line *line = s->lines + s->n_lines;
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
    s->n_lines += n;
}

/** Contacts of a batch, resolved: laws, tables, sums. `local`: add to the bodies' lines at once. */
static bool finish_batch(const evaluation *e, scree_list *list, scree_segment *s, uint32_t base,
                         uint32_t end, uint32_t n, bool local, uint64_t *cursor, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    scree_table *t = &s->table[1 - sim->committed];
    batch_result result;
    if (sim->gap)
        n = drop_unserved(sim, list, s, base, n, lane);
    uint32_t matched = match_history(sim, list, s, base, n, lane);
    note_ended(sim, s, end, n, matched, cursor, lane);
    if (!n)
        return true;
    scree_table_reserve(sim, t, list->single, t->n + n + 8);
    gather_contacts(sim, s, base, n, lane);
    gather_fields(sim, s, base, n, lane);
    gather_inputs(e, n, lane);
    if (!run_laws(e, t, n, lane, &result))
        return false;
    uint64_t at = t->n;
    store_contacts(sim, list, s, base, n, &result, lane);
    if (sim->record && e->accepted)
        store_records(s, at, n, &result, lane);
    sim->kernels->torques(n, result.f, (const double *const *)lane->arm,
                          (const double *const *)lane->cd, result.couple, result.couple_b, lane->ta,
                          lane->tb);
    if (!local)
        store_lines(s, n, &result, lane);
    else
        sim->kernels->add(n, lane->a, lane->b, result.f, (const double *const *)lane->ta,
                          (const double *const *)lane->tb, result.stored, result.lost,
                          sim->world->wrench);
    return true;
}

static void fill_candidates(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                            uint32_t p0, uint32_t done, uint32_t n, scree_lane *lane,
                            const double **in, double **out, scree_candidates *candidates)
{
    uint32_t p = p0 + done;
    *candidates = (scree_candidates){
        .size = sizeof *candidates,
        .lane = (uint32_t)(lane - sim->lanes),
        .n = n - done,
        .type_a = list->type_a,
        .type_b = list->type_b,
        .hint_bytes = list->hint_bytes,
        .a = s->a + p,
        .b = s->b + p,
        .d = {lane->d[0] + done, lane->d[1] + done, lane->d[2] + done},
        .radius_a = lane->radius[0] + done,
        .radius_b = lane->radius[1] + done,
        .first = s->first ? s->first + p : NULL,
        .part_a = s->part_a,
        .part_b = s->part_b,
        .keep = s->keep ? s->keep + p : NULL,
        .range = sim->range,
        .bodies = &sim->view,
    };
    if (list->hint_bytes)
        candidates->hints = s->hints + (s->first ? 0 : (size_t)p * list->hint_bytes);
    for (uint32_t f = 0; f < list->n_pair_fields; f++) {
        in[f] = s->pair_field[sim->committed][list->first_pair_field + f] + p;
        out[f] = s->pair_field[1 - sim->committed][list->first_pair_field + f] + p;
    }
    candidates->in = list->n_pair_fields ? in : NULL;
    candidates->out = list->n_pair_fields ? out : NULL;
}

static void fill_contacts(const scree_list *list, scree_lane *lane, scree_contacts *contacts)
{
    *contacts = (scree_contacts){
        .size = sizeof *contacts,
        .capacity = SCREE_BATCH_MAX,
        .pair = lane->pair,
        .normal = {lane->normal[0], lane->normal[1], lane->normal[2]},
        .depth = lane->depth,
        .arm = {lane->arm[0], lane->arm[1], lane->arm[2]},
        .feature = list->single ? NULL : lane->feature,
        .continues = list->single ? NULL : lane->continues,
        .curvature = {list->wants & SCREE_GIVES_CURVATURE ? lane->curvature[0] : NULL,
                      list->wants & SCREE_GIVES_CURVATURE ? lane->curvature[1] : NULL},
        .area = list->wants & SCREE_GIVES_AREA ? lane->area : NULL,
        .chord = list->wants & SCREE_GIVES_CHORD ? lane->chord : NULL,
    };
    for (uint32_t c = 0; !list->single && c < SCREE_BATCH_MAX; c++)
        lane->continues[c] = SCREE_FEATURE_SAME;
}

static bool check_contacts(scree_sim *sim, const scree_list *list, const scree_contacts *contacts,
                           uint32_t n_pairs, uint32_t done, scree_lane *lane)
{
    bool ordered = contacts->n <= contacts->capacity && done <= n_pairs && (done || !n_pairs);
    for (uint32_t c = 0; c < contacts->n && ordered; c++)
        ordered = contacts->pair[c] < done &&
                  (c == 0 || contacts->pair[c] > contacts->pair[c - 1] ||
                   (!list->single && contacts->pair[c] == contacts->pair[c - 1] &&
                    contacts->feature[c] > contacts->feature[c - 1]));
    if (!ordered)
        return misbehaved(sim, lane, list->resolver, "resolve",
                          "contacts are not in order, or more than fit, or no pair was finished");
    double total = sim->kernels->sum(contacts->n, lane->depth);
    for (int k = 0; k < VECTOR; k++)
        total += sim->kernels->sum(contacts->n, lane->normal[k]) +
                 sim->kernels->sum(contacts->n, lane->arm[k]);
    if (!isfinite(total))
        return misbehaved(sim, lane, list->resolver, "resolve",
                          "a normal, depth or contact point is not finite");
    return true;
}

/** Pair fields of pairs that the law does not see stay; those whose tight boxes parted are reset. */
static void keep_pair_fields(scree_sim *sim, scree_list *list, scree_segment *s, uint32_t p0, uint32_t n)
{
    uint32_t c = sim->committed;
    for (uint32_t p = p0; p < p0 + n; p++)
        for (uint32_t f = 0; f < sim->n_pair_fields; f++)
            if (f < list->first_pair_field || f >= list->first_pair_field + list->n_pair_fields)
                s->pair_field[1 - c][f][p] = s->pair_field[c][f][p];
}

/** Whether the tight boxes of a pair overlap now; d: x_b - x_a + s L. */
static bool tight_pair(const scree_sim *sim, const scree_segment *s, uint32_t p, const double d[3])
{
    const scree_world *w = sim->world;
    uint32_t first = s->first ? s->first[p] : 0, last = s->first ? s->first[p + 1] : 1;
    for (uint32_t k = first; k < last; k++) {
        scree_tight a, b;
        scree_extent_tight(w, s->a[p], s->first ? s->part_a[k] : 0, &a);
        if (s->b[p] >= scree_world_first_plane(w))
            return true; // a plane has no box; its candidates are those it may touch
        scree_extent_tight(w, s->b[p], s->first ? s->part_b[k] : 0, &b);
        bool meet = true;
        for (int axis = 0; axis < 3; axis++) {
            double by = d[axis] - (w->x[axis][s->b[p]] - w->x[axis][s->a[p]]);
            meet = meet && a.lo[axis] <= b.hi[axis] + by && b.lo[axis] + by <= a.hi[axis];
        }
        if (meet)
            return true;
    }
    return false;
}

static void settle_pair_fields(scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t n,
                               const scree_lane *lane)
{
    uint32_t next = 1 - sim->committed;
    for (uint32_t p = p0; p < p0 + n; p++) {
        double d[3] = {lane->d[0][p - p0], lane->d[1][p - p0], lane->d[2][p - p0]};
        s->alive[next][p] = tight_pair(sim, s, p, d);
        for (uint32_t f = 0; !s->alive[next][p] && f < sim->n_pair_fields; f++)
            s->pair_field[next][f][p] = sim->pair_initial[f];
    }
}

/** One batch of pairs: resolver, then what it found. */
static bool process_batch(const evaluation *e, scree_list *list, scree_segment *s, uint32_t p0,
                          uint32_t n, bool local, uint64_t *cursor, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    const double *in[SCREE_MAX_PAIR_FIELDS];
    double *out[SCREE_MAX_PAIR_FIELDS];
    double begin = scree_now();
    gather_candidates(sim, s, p0, n, lane);
    memset(s->index[1 - sim->committed] + p0, 0xff, n * sizeof(uint32_t)); // SCREE_NONE
    if (sim->n_pair_fields)
        keep_pair_fields(sim, list, s, p0, n);
    for (uint32_t done = 0; done < n;) {
        scree_candidates candidates;
        scree_contacts contacts;
        uint32_t finished = 0;
        fill_candidates(sim, list, s, p0, done, n, lane, in, out, &candidates);
        fill_contacts(list, lane, &contacts);
        scree_guard_enter(list->resolver, "resolve");
        int32_t code = list->ops->resolve(list->resolver->self, &candidates, &contacts, &finished);
        scree_guard_leave();
        if (code < 0)
            return blame(lane, list->resolver, "resolve", code);
        if (!environment_intact(sim, lane, list->resolver, "resolve") ||
            !check_contacts(sim, list, &contacts, n - done, finished, lane))
            return false;
        for (uint32_t c = 0; done && c < contacts.n; c++)
            lane->pair[c] += done;
        double resolved = scree_now();
        lane->resolve_time += resolved - begin;
        if (!finish_batch(e, list, s, p0, p0 + done + finished, contacts.n, local, cursor, lane))
            return false;
        begin = scree_now();
        lane->force_time += begin - resolved;
        done += finished;
    }
    if (sim->n_pair_fields)
        settle_pair_fields(sim, s, p0, n, lane);
    return true;
}

static bool process_segment(const evaluation *e, scree_list *list, scree_segment *s, bool local,
                            scree_lane *lane)
{
    scree_sim *sim = e->sim;
    uint64_t cursor = 0;
    lane->mxcsr = _mm_getcsr();
    s->n_lines = s->n_ended = s->n_touching = 0;
    s->table[1 - sim->committed].n = 0;
    if (!s->n_pairs)
        return true;
    if (sim->erase_hints && list->hint_bytes)
        memset(s->hints, 0, (size_t)(s->first ? s->first[s->n_pairs] : s->n_pairs) * list->hint_bytes);
    scree_table_reserve(sim, &s->table[1 - sim->committed], list->single, 64);
    for (uint32_t p = 0; p < s->n_pairs; p += sim->batch)
        if (!process_batch(e, list, s, p, MIN(sim->batch, s->n_pairs - p), local, &cursor, lane))
            return false;
    return true;
}

/** Phase 1, one unit: segment `unit` of all lists' segments b < B. */
static int32_t phase_one(void *user, uint64_t begin, uint64_t end, uint32_t lane_number)
{
    const evaluation *e = user;
    scree_sim *sim = e->sim;
    uint32_t per_list = sim->n_blocks * (sim->n_blocks + 1);
    for (uint64_t unit = begin; unit < end; unit++) {
        scree_list *list = &sim->lists[unit / per_list];
        uint32_t k = (uint32_t)(unit % per_list), b = k / (sim->n_blocks + 1);
        if (k % (sim->n_blocks + 1) <= b)
            continue;
        if (!process_segment(e, list, &list->segments[k], false, &sim->lanes[lane_number]))
            return SCREE_E_INTERNAL;
    }
    return SCREE_OK;
}

static void add_lines(scree_sim *sim, const scree_segment *s, bool to_rows)
{
    const scree_table *t = &s->table[1 - sim->committed];
    for (uint64_t c = 0; c < s->n_lines; c++) {
        const scree_line *line = &s->lines[c];
        uint32_t p = t->pair[c];
        uint32_t body = to_rows ? scree_pair_row(s, p) : scree_pair_column(s, p);
        double *to = sim->world->wrench + (size_t)body * SCREE_WRENCH;
        const double *torque = to_rows ? line->torque_row : line->torque_col;
        for (int k = 0; k < 3; k++) {
            to[k] += to_rows ? line->f[k] : -line->f[k];
            to[4 + k] += torque[k];
        }
        if (to_rows) {
            to[3] += line->stored;
            to[7] += line->lost;
        }
    }
}

static void start_lines(scree_sim *sim, uint32_t begin, uint32_t end)
{
    const scree_world *w = sim->world;
    for (uint32_t i = begin; i < end; i++) {
        double *to = w->wrench + (size_t)i * SCREE_WRENCH;
        for (int k = 0; k < 3; k++) {
            to[k] = 0.0 + w->mass[i] * w->gravity[k];
            to[4 + k] = 0.0;
        }
        to[3] = to[7] = 0.0;
    }
}

/** Phase 2, one block. */
static int32_t phase_two(void *user, uint64_t begin, uint64_t end, uint32_t lane_number)
{
    const evaluation *e = user;
    scree_sim *sim = e->sim;
    scree_lane *lane = &sim->lanes[lane_number];
    for (uint32_t b = (uint32_t)begin; b < end; b++) {
        start_lines(sim, sim->block_first[b], sim->block_first[b + 1]);
        for (uint32_t l = 0; l < sim->n_lists; l++) {
            scree_list *list = &sim->lists[l];
            for (uint32_t lower = 0; lower < b; lower++)
                add_lines(sim, scree_list_segment(list, sim->n_blocks, lower, b), false);
            if (!process_segment(e, list, scree_list_segment(list, sim->n_blocks, b, b), true, lane))
                return SCREE_E_INTERNAL;
            double at = scree_now();
            for (uint32_t higher = b + 1; higher <= sim->n_blocks; higher++)
                add_lines(sim, scree_list_segment(list, sim->n_blocks, b, higher), true);
            lane->sum_time += scree_now() - at;
        }
    }
    return SCREE_OK;
}

static int32_t mirror_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    scree_world *w = ((scree_sim *)user)->world;
    ((scree_sim *)user)
        ->kernels->mirror((uint32_t)begin, (uint32_t)end, (const double *const *)w->x, w->radius,
                          (const double *const *)w->v, (const double *const *)w->w, w->inv_mass,
                          w->ball, w->twist);
    return SCREE_OK;
}

/** The mirror of displacements since the committed state, like a twist. */
static void mirror_displacement(scree_sim *sim, double since)
{
    const scree_world *w = sim->world;
    scree_aligned_grow(&sim->moved, &sim->moved_capacity, (uint64_t)w->n * SCREE_TWIST, 0,
                       sizeof(double));
    for (uint32_t i = 0; i < w->n; i++)
        for (int k = 0; k < 3; k++) {
            bool free_body = i < w->n_free;
            double *to = sim->moved + (size_t)i * SCREE_TWIST;
            to[k] = free_body ? sim->displacement[k][i] : since * w->v[k][i];
            to[4 + k] = free_body ? sim->rotation[k][i] : since * w->w[k][i];
        }
}

static bool run_phase(scree_sim *sim, uint64_t n, scree_range_fn phase, evaluation *e, GError **error)
{
    int32_t code;
    if (sim->serial)
        code = phase(e, 0, n, 0);
    else
        code = scree_pool_for(sim->runtime.pool, 0, n, 1, phase, e);
    if (code >= 0)
        return true;
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++) {
        GError *found = g_steal_pointer(&sim->lanes[k].error);
        if (found && (!error || !*error))
            g_propagate_error(error, found);
        else
            g_clear_error(&found);
    }
    if (error && !*error)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "evaluation failed (%d)", code);
    return false;
}

static bool run_modifiers(scree_sim *sim, double time, GError **error)
{
    sim->power = 0.0;
    for (guint m = 0; m < sim->modifiers->len; m++) {
        scree_instance *instance = sim->modifiers->pdata[m];
        const scree_modifier_ops *ops = instance->ops;
        if (!SCREE_HAS(ops, forces))
            continue;
        scree_guard_enter(instance, "forces");
        int32_t code = ops->forces(instance->self, &sim->view, time, sim->world->wrench, &sim->power);
        scree_guard_leave();
        if (code < 0) {
            scree_instance_set_error(instance, "forces", code, error);
            return false;
        }
    }
    return true;
}

static void collect_times(scree_sim *sim)
{
    for (uint32_t k = 0; k < scree_pool_lanes(sim->runtime.pool); k++) {
        scree_lane *lane = &sim->lanes[k];
        sim->times.resolve += lane->resolve_time;
        sim->times.force += lane->force_time;
        sim->times.sum += lane->sum_time;
        lane->resolve_time = lane->force_time = lane->sum_time = 0.0;
    }
    sim->n_contacts = sim->n_contacts_free = 0;
    for (uint32_t l = 0; l < sim->n_lists; l++)
        for (uint32_t k = 0; k < sim->n_blocks * (sim->n_blocks + 1); k++) {
            uint64_t n = sim->lists[l].segments[k].n_touching;
            bool with_wall = k % (sim->n_blocks + 1) == sim->n_blocks;
            sim->n_contacts += n;
            sim->n_contacts_free += with_wall ? 0 : n;
        }
    sim->evaluations++;
    sim->sum_candidates += sim->n_candidates;
    sim->sum_contacts += sim->n_contacts;
}

/** What was written becomes what is committed. */
static void commit(scree_sim *sim)
{
    sim->committed = 1 - sim->committed;
    for (uint32_t l = 0; sim->any_keep && l < sim->n_lists; l++)
        for (uint32_t k = 0; k < sim->n_blocks * (sim->n_blocks + 1); k++) {
            scree_segment *s = &sim->lists[l].segments[k];
            const scree_table *t = &s->table[sim->committed];
            if (s->n_pairs)
                memset(s->keep, 0, s->n_pairs);
            for (uint64_t c = 0; c < t->n; c++)
                s->keep[t->pair[c]] |= t->keep[c];
        }
}

bool scree_evaluate(scree_sim *sim, double offset, double since, bool accepted, GError **error)
{
    scree_world *w = sim->world;
    evaluation e = {sim, scree_sim_time(sim) + offset, since, accepted,
                    sim->integrator && (sim->integrator->plugin->flags & SCREE_DISPLACEMENT) &&
                        sim->displacement[0] != NULL};
    scree_world_pose(w, e.time);
    scree_pool_for(sim->runtime.pool, 0, w->n, 8192, mirror_chunk, sim);
    if (e.displaced)
        mirror_displacement(sim, since);
    if ((sim->stale || scree_extent_violated(sim)) && !scree_order_refresh(sim, error))
        return false;
    sim->stale = false;
    uint64_t per_list = (uint64_t)sim->n_blocks * (sim->n_blocks + 1);
    if (!run_phase(sim, per_list * sim->n_lists, phase_one, &e, error) ||
        !run_phase(sim, sim->n_blocks, phase_two, &e, error) ||
        !run_modifiers(sim, e.time, error))
        return false;
    collect_times(sim);
    if (!accepted)
        return true;
    if (!scree_energy_account(sim, since, error))
        return false;
    commit(sim);
    scree_record_take(sim);
    return true;
}
