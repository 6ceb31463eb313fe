// SPDX-License-Identifier: Apache-2.0
// The critical step of the current contacts of a run.
#include "engine/critical_contacts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "critical/critical_bound.h"
#include "critical/stiffness.h"
#include "engine/warnings.h"

/** A contact as seen by one of its bodies. */
typedef struct end {
    uint32_t body, other;
    double arm[3], normal[3]; // in the axes of the body's matrix
} end;

/** A recorded contact: its stiffness, and which bodies are free. */
typedef struct touch {
    scree_stiffness k;
    end ends[2];
    uint32_t n_ends;
} touch;

typedef struct surveyor {
    scree_sim *sim;
    scree_stiff stiff;
    double *load, *damping; // [n_free] [1/s^2] [1/s] sums of eigenvalues of a body
    uint32_t *slot;         // [n_free] index into mounts; NULL: loads are summed
    scree_body_stiffness *mounts;
    GError *error;
} surveyor;

/** Finds the vector from body a to body b. */
static void find_way(const scree_world *w, const scree_segment *s, uint32_t p, double d[3])
{
    int32_t cells[3] = {0, 0, 0};
    uint32_t a = s->a[p], b = s->b[p];
    if (s->shift) {
        scree_shift_unpack(s->shift[p], cells); // from row to column
        for (int k = 0; k < 3; k++)
            cells[k] = (a < b ? cells[k] : -cells[k]) + w->image[k][b] - w->image[k][a];
    }
    scree_world_shift(w, cells, d);
    for (int k = 0; k < 3; k++)
        d[k] += w->x[k][b] - w->x[k][a];
}

/** Turns v into the axes of the body's stiffness: its principal axes, unless it is round. */
static void to_axes(const scree_world *w, uint32_t i, const double v[3], double out[3])
{
    if (w->isotropic[i] || w->dimension == 2)
        memmove(out, v, 3 * sizeof(double));
    else
        scree_world_turn_back(w, i, v, out);
}

/** Returns the radius [m] of the smaller body if both are flat: they touch in no wider area. */
static double smaller_radius(const scree_stiffness_query *query)
{
    const double a = query->radius_a, b = query->radius_b;
    return a > 0.0 && (a < b || !(b > 0.0)) ? a : b;
}

/** Finds the stiffness at a contact of a clump or a solid. A law uses curvature, or the radius of
 * the body as contacts see it: both are asked about, and the stiffer one counts. */
static bool ask_touching(surveyor *v, const scree_touching *touching, scree_stiffness_query *query,
                         scree_stiffness *k)
{
    scree_stiffness of_body;
    scree_stiffness_query curved = *query;
    curved.radius_a = touching->radius[0];
    curved.radius_b = touching->radius[1];
    if (!(curved.radius_a > 0.0)) { // a flat place of a solid: laws take b as the flat side
        curved.radius_a = curved.radius_b > 0.0 ? curved.radius_b : smaller_radius(query);
        curved.radius_b = 0.0;
        curved.material_a = query->material_b;
        curved.material_b = query->material_a;
    }
    if (!scree_stiff_sum(&v->stiff, &curved, k, &v->error))
        return false;
    if (!touching->by_body)
        return true;
    if (!scree_stiff_sum(&v->stiff, query, &of_body, &v->error))
        return false;
    scree_stiffness_widen(k, &of_body);
    return true;
}

/** Returns the inverse mass [1/kg] of the free body i at the end of `arm` along the unit vector n,
 * as the kernel point_mass does. */
static double point_inverse(const scree_world *w, uint32_t i, const double arm[3],
                            const double n[3])
{
    double inverse = w->inv_mass[i], turn[3];
    if (w->isotropic[i]) // its arm is along the normal
        return inverse;
    for (int k = 0; k < 3; k++)
        turn[k] = arm[(k + 1) % 3] * n[(k + 2) % 3] - arm[(k + 2) % 3] * n[(k + 1) % 3];
    scree_world_turn_back(w, i, turn, turn);
    for (int k = 0; k < 3; k++)
        inverse += turn[k] * turn[k] * w->inv_inertia[k][i];
    return inverse;
}

static bool ask_stiffness(surveyor *v, const scree_segment *s, uint32_t p,
                          const scree_survey_record *record, const scree_touching *touching,
                          touch *t)
{
    const scree_world *w = v->sim->world;
    uint32_t a = s->a[p], b = s->b[p];
    const double inverse = w->inv_mass[a] + w->inv_mass[b], depth = (double)record->depth;
    double d[3], point = 0.0;
    scree_stiffness_query query = {.size = sizeof query,
                                   .material_a = w->material[a],
                                   .material_b = w->material[b],
                                   .radius_a = scree_world_radius(w, a),
                                   .radius_b = scree_world_radius(w, b),
                                   .mass = 1.0 / inverse,
                                   .depth = depth < 0.0 || depth > 0.0 ? depth : DBL_MIN,
                                   .normal_force = (double)record->push};
    t->n_ends = 0;
    find_way(w, s, p, d);
    for (int side = 0; side < 2; side++) {
        uint32_t body = side ? b : a;
        if (body >= w->n_free)
            continue;
        end *to = &t->ends[t->n_ends++];
        *to = (end){.body = body, .other = side ? a : b};
        for (int k = 0; k < 3; k++) {
            to->arm[k] = (double)record->arm[k] - (side ? d[k] : 0.0);
            to->normal[k] = (double)record->normal[k];
        }
        point += point_inverse(w, body, to->arm, to->normal);
        to_axes(w, body, to->arm, to->arm);
        to_axes(w, body, to->normal, to->normal);
    }
    v->stiff.point_mass = 1.0 / point;
    v->stiff.type_a = w->shapes[w->shape[a]]->type;
    v->stiff.type_b = w->shapes[w->shape[b]]->type;
    return touching ? ask_touching(v, touching, &query, &t->k)
                    : scree_stiff_sum(&v->stiff, &query, &t->k, &v->error);
}

static void add_load(surveyor *v, const touch *t)
{
    const scree_world *w = v->sim->world;
    for (uint32_t e = 0; e < t->n_ends; e++) {
        const uint32_t i = t->ends[e].body;
        scree_body_stiffness one = {.n = 0};
        double inertia[3];
        scree_world_inertia(w, i, inertia);
        scree_body_stiffness_add(&one, 1.0, t->ends[e].normal, t->ends[e].arm, &t->k);
        v->load[i] += scree_body_stiffness_sum(one.k, w->dimension, w->mass[i], inertia);
        v->damping[i] += scree_body_stiffness_sum(one.c, w->dimension, w->mass[i], inertia);
    }
}

static void add_mount(surveyor *v, const touch *t)
{
    const uint32_t n_free = v->sim->world->n_free;
    for (uint32_t e = 0; e < t->n_ends; e++) {
        const end *one = &t->ends[e];
        double share = 1.0;
        if (v->slot[one->body] == SCREE_NONE)
            continue;
        if (one->other < n_free && v->load[one->body] > 0.0)
            share += CLAMP(v->load[one->other] / v->load[one->body], 1e-6, 1e6);
        scree_body_stiffness_add(&v->mounts[v->slot[one->body]], share, one->normal, one->arm,
                                 &t->k);
    }
}

static bool each_contact(surveyor *v, void (*take)(surveyor *v, const touch *t))
{
    const scree_sim *sim = v->sim;
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *table = &s->table[sim->contacts.committed];
        for (uint64_t c = 0; c < table->n; c++) {
            touch t;
            if (!ask_stiffness(v, s, table->pair[c], &s->surveyed[c],
                               s->touching ? &s->touching[c] : NULL, &t))
                return false;
            take(v, &t);
        }
    }
    return true;
}

/** Marks bodies that dt may not resolve; returns their number. */
static uint32_t pick_body(surveyor *v, double most, double most_damped)
{
    const scree_sim *sim = v->sim;
    uint32_t n = 0;
    for (uint32_t i = 0; i < sim->world->n_free; i++) {
        double rate = v->load[i] + most, damping = v->damping[i] + most_damped, zeta;
        bool slow = !(v->load[i] > 0.0) || scree_bound_limit(sim->plugins.body.integrator->choice,
                                                             rate, damping, &zeta) >= sim->dt;
        v->slot[i] = slow ? SCREE_NONE : n++;
    }
    return n;
}

static void find_stiffest_body(const surveyor *v, scree_survey_result *result)
{
    const scree_sim *sim = v->sim;
    const scree_world *w = sim->world;
    double most = 0.0, damped = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        if (v->slot[i] == SCREE_NONE)
            continue;
        const scree_body_stiffness *m = &v->mounts[v->slot[i]];
        double inertia[3], zeta, rate = 0.0, damping = 0.0;
        bool faster = true;
        scree_world_inertia(w, i, inertia);
        for (int exact = 0; exact < 2 && faster; exact++) { // bounds first: most bodies are slower
            rate = scree_body_stiffness_rate(m->k, w->dimension, w->mass[i], inertia, exact);
            damping = scree_body_stiffness_rate(m->c, w->dimension, w->mass[i], inertia, exact);
            faster = rate > most || damping > damped;
        }
        if (!faster || !(rate > 0.0))
            continue;
        double step = scree_bound_limit(sim->plugins.body.integrator->choice, rate, damping, &zeta);
        if (!(step < result->step))
            continue;
        *result = (scree_survey_result){step, w->id[i], m->n};
        most = rate;
        damped = damping;
    }
}

static bool survey_contacts(surveyor *v, scree_survey_result *result)
{
    const scree_sim *sim = v->sim;
    const uint32_t n = sim->world->n_free;
    double most = 0.0, damped = 0.0, zeta;
    if (!each_contact(v, add_load))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        most = fmax(most, v->load[i]);
        damped = fmax(damped, v->damping[i]);
    }
    // A share is 1 + load_b / load_a: no body's sum exceeds its own plus the largest.
    if (!(most > 0.0) || scree_bound_limit(sim->plugins.body.integrator->choice, 2.0 * most,
                                           2.0 * damped, &zeta) >= sim->dt)
        return true;
    v->slot = g_new(uint32_t, n);
    v->mounts = g_new0(scree_body_stiffness, pick_body(v, most, damped));
    if (!each_contact(v, add_mount))
        return false;
    find_stiffest_body(v, result);
    return true;
}

/** Frees the records: the next survey is many steps away. */
static void drop_records(const scree_sim *sim)
{
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        scree_segment *s = scree_segment_at(sim, k);
        free(s->surveyed);
        free(s->touching);
        s->surveyed = NULL;
        s->touching = NULL;
        s->survey_capacity = s->touching_capacity = 0;
    }
}

scree_instance **scree_laws_list(const scree_sim *sim)
{
    scree_instance **laws = g_new0(scree_instance *, sim->plugins.contact.n_laws + 1);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        laws[l] = sim->plugins.contact.laws[l].instance;
    return laws;
}

bool scree_survey_contacts(scree_sim *sim, scree_survey_result *result, GError **error)
{
    g_autofree scree_instance **laws = scree_laws_list(sim);
    surveyor v = {.sim = sim,
                  .stiff = {.n_laws = sim->plugins.contact.n_laws, .laws = laws, .asked = true},
                  .load = g_new0(double, sim->world->n_free + 1),
                  .damping = g_new0(double, sim->world->n_free + 1)};
    *result = (scree_survey_result){HUGE_VAL, UINT64_MAX, 0};
    for (uint32_t l = 0; l < v.stiff.n_laws; l++)
        if (sim->plugins.contact.laws[l].needs & SCREE_IN_MASS_POINT)
            v.stiff.points |= (uint64_t)1 << l;
    bool ok = survey_contacts(&v, result);
    drop_records(sim);
    g_free(v.load);
    g_free(v.damping);
    g_free(v.slot);
    g_free(v.mounts);
    if (!ok)
        g_propagate_error(error, v.error);
    return ok;
}

/** Returns the bodies in the form of a scene. */
static GArray *list_bodies(const scree_world *w)
{
    GArray *bodies = g_array_sized_new(FALSE, FALSE, sizeof(scree_body), w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        const scree_body body = scree_world_body(w, i);
        g_array_append_val(bodies, body);
    }
    return bodies;
}

bool scree_sim_step_of(scree_sim *sim, double *dt, double *critical, GError **error)
{
    scree_scene now = *sim->scene;
    scree_critical found;
    g_autofree scree_instance **laws = scree_laws_list(sim);
    now.bodies = sim->world ? list_bodies(sim->world) : g_array_ref(sim->scene->bodies);
    now.integrator = (scree_choice_of *)sim->plugins.body.integrator->choice;
    bool done = scree_critical_find(&now, sim->plugins.contact.n_laws, laws, &found, error);
    *critical = done ? scree_critical_smallest(&found) : 0.0;
    sim->certain = done ? scree_critical_certain(&found) : sim->certain;
    now.dt = (double)NAN;
    if (done && isnan(*dt))
        *dt = scree_critical_dt(&now, &found, error);
    g_array_unref(now.bodies);
    return done && !isnan(*dt) &&
           (!sim->warnings.checks_dt || scree_check_dt(sim->scene, *dt, &found, error));
}
