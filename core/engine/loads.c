/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of contacts on walls in the last accepted evaluation, for modifiers and observers: sums
 * that no order changes, and stiffness of the contacts. */
#include "engine/loads.h"

#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "critical/stiffness.h"
#include "engine/critical_contacts.h"
#include "engine/energy.h"
#include "engine/state.h"
#include "plugin/struct_size.h"

enum { SIZE = 6, RADIUS, MASS, VALUES }; /* [N] [m] [kg], after force and torque */

/** A contact of a body with a wall. */
typedef struct pull {
    uint64_t wall;     /* id of the wall */
    uint32_t material; /* of the body */
    double value[VALUES];
} pull;

struct scree_loads {
    GArray *pulls;   /* elements: pull */
    GPtrArray *laws; /* elements: scree_instance; of the call that asks them */
    const scree_world *world;
    bool taken;  /* of the last accepted evaluation */
    bool sorted; /* by wall */
};

/** Returns whether some modifier reads the loads. */
static bool are_loads_wanted(const scree_sim *sim)
{
    bool any = false;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        any = any || (instance->demands.needs & SCREE_WANTS_LOADS);
    }
    return any;
}

static void take_pull(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
{
    scree_loads *to = user;
    const scree_world *w = to->world;
    double size = 0.0, twist = 0.0;
    pull one = {.wall = w->id[wall], .material = w->material[row]};
    for (int k = 0; k < 3; k++) {
        one.value[k] = -line->f[k];
        one.value[3 + k] = line->torque_col[k];
        size += line->f[k] * line->f[k];
        twist += fabs(line->torque_col[k]); // of a bond, without a force
    }
    one.value[SIZE] = sqrt(size);
    one.value[RADIUS] = w->radius[row];
    one.value[MASS] = w->mass[row];
    if (size > 0.0 || twist > 0.0)
        g_array_append_val(to->pulls, one);
}

static int compare_pulls(const void *pa, const void *pb)
{
    const pull *a = pa, *b = pb;
    return a->wall < b->wall ? -1 : a->wall > b->wall;
}

void scree_loads_take(scree_sim *sim)
{
    scree_loads *loads = sim->records.loads;
    const bool all = sim->records.walls || sim->records.pieces, // of every body
        wanted = all || are_loads_wanted(sim);
    if (loads)
        loads->taken = wanted;
    if (!wanted)
        return;
    if (!loads) {
        loads = sim->records.loads = g_new0(scree_loads, 1);
        loads->pulls = g_array_sized_new(FALSE, FALSE, sizeof(pull), 1024);
        loads->laws = g_ptr_array_new();
    }
    loads->world = sim->world;
    g_array_set_size(loads->pulls, 0);
    scree_each_wall_load(sim, take_pull, loads);
    loads->taken = true;
    loads->sorted = all;
    if (loads->sorted)
        g_array_sort(loads->pulls, compare_pulls);
}

GArray *scree_loads_rows(const scree_sim *sim)
{
    return sim->records.loads->pulls;
}

void scree_loads_sort(const scree_sim *sim)
{
    g_array_sort(sim->records.loads->pulls, compare_pulls);
}

/** Returns the first pull of a wall, or of the next one. */
static guint find_first(const scree_loads *loads, uint64_t wall)
{
    guint first = 0;
    for (guint left = loads->pulls->len; left > 0;) {
        const guint half = left / 2;
        if (g_array_index(loads->pulls, pull, first + half).wall < wall) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

/** Sums the loads on a wall by bodies of a material (SCREE_NONE: all); returns their number. */
static uint32_t sum_pulls(scree_loads *loads, uint64_t wall, uint32_t material, double sum[VALUES])
{
    scree_exact_sum total[VALUES] = {{.odd = 0.0}};
    uint32_t n = 0;
    for (guint k = loads->sorted ? find_first(loads, wall) : 0; k < loads->pulls->len; k++) {
        const pull *one = &g_array_index(loads->pulls, pull, k);
        if (loads->sorted && one->wall != wall)
            break;
        if (one->wall != wall || (material != SCREE_NONE && one->material != material))
            continue;
        for (int j = 0; j < VALUES; j++)
            scree_exact_sum_add(&total[j], one->value[j]);
        n++;
    }
    for (int j = 0; j < VALUES; j++)
        sum[j] = n ? scree_exact_sum_value(&total[j]) : 0.0;
    return n;
}

/** Adds stiffness and damping of the contacts with wall `i`. */
static bool add_tangents(const scree_sim *sim, uint32_t i, scree_load *out, GError **error)
{
    const scree_world *w = sim->world;
    GPtrArray *laws = sim->records.loads->laws;
    g_ptr_array_set_size(laws, 0); // keeps its room
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        g_ptr_array_add(laws, sim->plugins.contact.laws[l].instance);
    scree_stiff stiff = {.n_laws = laws->len,
                         .laws = (scree_instance *const *)laws->pdata,
                         .type_a = w->shapes[w->shape[i]]->type,
                         .type_b = SCREE_NONE,
                         .asked = true};
    for (uint32_t m = 0; out->contacts && m < w->n_materials; m++) {
        double sum[VALUES];
        uint32_t n = sum_pulls(sim->records.loads, w->id[i], m, sum);
        scree_stiffness k;
        if (!n)
            continue;
        scree_stiffness_query query = {.size = sizeof query,
                                       .material_a = m,
                                       .material_b = w->material[i],
                                       .radius_a = sum[RADIUS] / n,
                                       .radius_b = scree_world_radius(w, i),
                                       .mass = sum[MASS] / n,
                                       .normal_force = sum[SIZE] / n};
        if (!scree_stiff_sum(&stiff, &query, &k, error))
            return false;
        out->stiffness += n * k.kn;
        out->damping += n * k.cn;
    }
    return true;
}

static bool fill_load(const scree_sim *sim, uint32_t i, bool slopes, scree_load *out,
                      GError **error)
{
    const scree_world *w = sim->world;
    scree_loads *loads = sim->records.loads;
    double sum[VALUES];
    if (i < w->n_free) {
        const double *line = w->wrench + (size_t)i * SCREE_WRENCH;
        for (int k = 0; k < 3; k++) {
            out->force[k] = line[k] - w->mass[i] * w->gravity[k];
            out->torque[k] = line[4 + k];
        }
        return true;
    }
    if (!loads || !loads->taken)
        return true;
    out->contacts = sum_pulls(loads, w->id[i], SCREE_NONE, sum);
    for (int k = 0; k < 3; k++) {
        out->force[k] = sum[k];
        out->torque[k] = sum[3 + k];
    }
    return !slopes || add_tangents(sim, i, out, error);
}

bool scree_loads_of(const scree_sim *sim, uint32_t i, scree_load *out, GError **error)
{
    const size_t least = SCREE_SIZE_TO(scree_load, torque);
    if (out->size < least)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected a struct of size %zu or more, got %u",
                          least, out->size);
    scree_load load = {.size = MIN(out->size, sizeof load)};
    if (!fill_load(sim, i, load.size >= SCREE_SIZE_TO(scree_load, damping), &load, error))
        return false;
    memcpy(out, &load, load.size);
    return true;
}

void scree_loads_free(scree_loads *loads)
{
    g_array_unref(loads->pulls);
    g_ptr_array_unref(loads->laws);
    g_free(loads);
}
