/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a body: pose, velocities, shape, size and material. */
#include "engine/body_change.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/pose.h"
#include "engine/trial_forces.h"
#include "engine/type_pairs.h"
#include "shape/shape.h"

/*
 * A body that grows, wears or breaks keeps its centre and velocities. The added energy is booked as
 * work. That of the body itself is booked at once; that of springs and modifiers is the difference
 * of two evaluations at the same places that are not accepted, one with the previous bodies and one
 * with the new ones. If history is committed at the end of a step, which is now, the account has
 * the first of the two already. A spring that is too long for the friction of the new body slides,
 * or a bond breaks: the next accepted evaluation books the loss, so it counts as stored until then.
 *
 * The points of a body may move by ref[3] in its extent. Growth uses this up; the extent is made
 * again once nothing is left.
 */

/** Growth of the largest body since the last initialisation of the GCD that makes it initialise
 * again. */
#define ANEW 1.5

static bool is_wall(const scree_sim *sim, uint32_t shape)
{
    return scree_shape_is_wall(sim->world->shapes[shape]);
}

/** Copies the given members. */
static void take_make(const scree_body_change *given, scree_body_values *to)
{
    to->scale = given->scale ? *given->scale : 0.0;
    to->density = given->density ? *given->density : 0.0;
    to->material = given->material ? *given->material : SCREE_NONE;
    to->shape = given->shape ? *given->shape : SCREE_NONE;
    to->remade = given->scale || given->density || given->material || given->shape;
}

/** Returns why body i cannot have the shape, a new string; NULL: it can. */
static char *find_shape_fault(const scree_sim *sim, uint32_t i, uint32_t shape)
{
    const scree_world *w = sim->world;
    const uint64_t id = w->id[i];
    if (shape >= w->n_shapes)
        return g_strdup_printf("set: shape %u of body %" PRIu64 ": expected a number below %u",
                               shape, id, w->n_shapes);
    const char *name = sim->scene->shape_names->pdata[shape];
    const uint8_t type = sim->types.index[shape];
    const bool is_free = w->motion[i] == SCREE_MOTION_FREE;
    if (is_wall(sim, shape))
        return g_strdup_printf("set: body %" PRIu64 " cannot get the shape \"%s\", which has no "
                               "mass",
                               id, name);
    if (!scree_type_pairs_serve(sim, shape) || (is_free && !sim->types.free[type]))
        return g_strdup_printf("set: body %" PRIu64 " cannot get the shape \"%s\": no body of its "
                               "type can be in this scene, so that no resolver serves it",
                               id, name);
    return NULL;
}

/** Returns why body i cannot have its new mass, a new string; NULL: it can. */
static char *find_mass_fault(const scree_world *w, uint32_t i, const scree_body_change *given)
{
    const double scale = given->scale ? *given->scale : w->scale[i];
    const double material = w->density[given->material ? *given->material : w->material[i]];
    const double own = given->material ? 0.0 : w->own_density[i];
    const double density = given->density ? *given->density : own > 0.0 ? own : material;
    const scree_shape *shape = w->shapes[given->shape ? *given->shape : w->shape[i]];
    double mass, inertia[3];
    scree_shape_mass(shape, scale, density, w->thickness, &mass, inertia);
    if (mass > 0.0 && isfinite(mass) && isfinite(1.0 / mass) && inertia[2] > 0.0 &&
        isfinite(inertia[2]) && isfinite(1.0 / inertia[2]) && isfinite(scale * shape->radius))
        return NULL;
    return g_strdup_printf("set: scale %g and density %g kg/m^3 give body %" PRIu64 " a mass of "
                           "%g kg and a moment of inertia of %g kg m^2",
                           scale, density, w->id[i], mass, inertia[2]);
}

/** Returns why body i cannot be made so, a new string; NULL: it can. */
static char *find_make_fault(const scree_sim *sim, uint32_t i, const scree_body_change *given)
{
    const scree_world *w = sim->world;
    const uint64_t id = w->id[i];
    if (given->material && *given->material >= w->n_materials)
        return g_strdup_printf("set: material %u of body %" PRIu64 ": expected a number below %u",
                               *given->material, id, w->n_materials);
    if (is_wall(sim, w->shape[i])) {
        if (!given->scale && !given->density && !given->shape)
            return NULL;
        return g_strdup_printf("set: body %" PRIu64 " is of facets or a plane: only its material, "
                               "pose and motion can be set",
                               id);
    }
    if (given->scale && (!(*given->scale > 0.0) || !isfinite(*given->scale)))
        return g_strdup_printf("set: scale %g of body %" PRIu64 ": expected a number above 0",
                               *given->scale, id);
    if (given->density && (!(*given->density > 0.0) || !isfinite(*given->density)))
        return g_strdup_printf("set: density %g kg/m^3 of body %" PRIu64
                               ": expected a number above 0",
                               *given->density, id);
    char *why = given->shape ? find_shape_fault(sim, i, *given->shape) : NULL;
    return why ? why : find_mass_fault(w, i, given);
}

bool scree_body_values_read(const scree_sim *sim, uint32_t i, const scree_body_change *change,
                            scree_body_values *values, char **why)
{
    scree_body_change given = {.size = 0}; // NULL: the plugin does not know the member
    memcpy(&given, change, MIN(change->size, sizeof given) / 8 * 8);
    const double *from[4] = {given.x, given.q, given.v, given.w};
    *values = (scree_body_values){0};
    for (int k = 0; k < 4; k++) {
        values->has[k] = from[k] != NULL;
        if (from[k])
            memcpy(values->value[k], from[k], (k == 1 ? 4 : 3) * sizeof(double));
    }
    take_make(&given, values);
    *why = values->remade ? find_make_fault(sim, i, &given) : NULL;
    return !*why;
}

/** Uses up the extent of a body that has grown by `by` [m]. */
static void use_extent(scree_sim *sim, uint32_t i, double by)
{
    if (!sim->boxes.valid || !(by > 0.0))
        return;
    double *left = &sim->boxes.ref[4 * (size_t)i + 3];
    *left -= by * (1.0 + 1e-9);
    sim->boxes.slack[i / SCREE_SLACK_BODIES] = 0.0;
    if (*left > 0.0)
        return;
    *left = 0.0;
    sim->boxes.must_renew[i] = 1;
    sim->contacts.stale = true;
}

static void set_make(scree_sim *sim, uint32_t i, const scree_body_values *values,
                     scree_remaking *remaking)
{
    scree_world *w = sim->world;
    const double mass = w->mass[i], radius = w->radius[i];
    const bool reshaped = values->shape != SCREE_NONE && values->shape != w->shape[i];
    if (values->scale > 0.0)
        w->scale[i] = values->scale;
    if (reshaped)
        w->shape[i] = values->shape;
    if (values->material != SCREE_NONE) {
        w->material[i] = values->material;
        w->own_density[i] = 0.0;
    }
    if (values->density > 0.0) // 0: density of the material
        w->own_density[i] = values->density == w->density[w->material[i]] ? 0.0 : values->density;
    scree_world_measure(w, i);
    for (int k = 0; k < 3 && w->motion[i] == SCREE_MOTION_FREE; k++) // its weight, up to the next
        w->wrench[(size_t)i * SCREE_WRENCH + k] +=
            (w->mass[i] - mass) * w->gravity[k]; // evaluation
    sim->plugins.contact.reach_known = false;
    use_extent(sim, i, w->radius[i] - radius);
    if (!reshaped)
        return;
    sim->boxes.valid = sim->boxes.numbered = false;
    if (!remaking->number) {
        remaking->number = g_new(uint32_t, w->n + 1);
        for (uint32_t k = 0; k < w->n; k++)
            remaking->number[k] = k;
    }
    remaking->number[i] = SCREE_NONE;
}

/** Sets pose and velocities. */
static void set_motion(const scree_sim *sim, uint32_t i, const scree_body_values *values)
{
    scree_world *w = sim->world;
    const bool any = values->has[0] || values->has[1] || values->has[2] || values->has[3];
    if (any && w->motion[i] == SCREE_MOTION_KINEMATIC) // its own motion, not that by modifiers
        scree_world_pose_one(w, i, scree_sim_time(sim));
    for (int k = 0; k < 4; k++) {
        if (values->has[0] && k < 3)
            w->x[k][i] = values->value[0][k];
        if (values->has[1])
            w->q[k][i] = values->value[1][k];
        if (values->has[2] && k < 3)
            w->v[k][i] = values->value[2][k];
        if (values->has[3] && k < 3)
            w->w[k][i] = values->value[3][k];
    }
    if (any && w->motion[i] == SCREE_MOTION_KINEMATIC)
        scree_world_anchor(w, i, scree_sim_time(sim));
}

void scree_body_set(scree_sim *sim, uint32_t i, const scree_body_values *values,
                    scree_remaking *remaking)
{
    scree_world *w = sim->world;
    const bool is_free = w->motion[i] == SCREE_MOTION_FREE; // it may be free since this step
    const double before = is_free ? scree_energy_body(sim, i) : 0.0;
    w->mirrored = w->mirrored && w->motion[i] != SCREE_MOTION_FIXED;
    set_motion(sim, i, values);
    if (values->remade)
        set_make(sim, i, values, remaking);
    if (is_free)
        scree_energy_book(&sim->account, scree_energy_body(sim, i) - before, 0.0);
    if (!values->has[0] && !values->has[1])
        return; // velocities change no contact
    if (sim->boxes.valid)
        sim->boxes.must_renew[i] = 1;
    sim->contacts.stale = true;
    scree_fresh_forget(sim, i);
    g_array_append_val(sim->edits.edited, w->id[i]);
}

/** Returns whether contacts or modifiers store energy. */
static bool stores(const scree_sim *sim)
{
    return sim->plugins.contact.any_stored || sim->account.power;
}

bool scree_remaking_begin(scree_sim *sim, scree_remaking *remaking, GError **error)
{
    *remaking = (scree_remaking){.stored = scree_exact_sum_value(&sim->account.stored)};
    return !stores(sim) || sim->lag == 0.0 || scree_trial_energy(sim, &remaking->stored, error);
}

/** Checks for bodies larger than at the initialisation of the GCD: its cells may be too small. */
static void check_sizes(scree_sim *sim)
{
    const double largest = scree_world_largest(sim->world);
    if (largest > ANEW * sim->edits.largest) {
        if (sim->edits.largest > 0.0)
            sim->boxes.valid = sim->boxes.numbered = false;
        sim->edits.largest = largest;
    }
    if (!sim->boxes.valid)
        sim->contacts.stale = true;
}

bool scree_remaking_end(scree_sim *sim, scree_remaking *remaking, GError **error)
{
    double stored;
    sim->edits.remade = true;
    check_sizes(sim);
    if (remaking->number)
        scree_contacts_renumber(sim, remaking->number);
    g_clear_pointer(&remaking->number, g_free);
    if (!stores(sim))
        return true;
    if (!scree_trial_energy(sim, &stored, error))
        return false;
    if (sim->lag == 0.0)
        scree_trial_take_stored(sim);
    scree_energy_book(&sim->account, stored - remaking->stored, stored - remaking->stored);
    return true;
}
