/* SPDX-License-Identifier: Apache-2.0 */
/* Changes gravity, dt, region, boundary and groups of bodies during a run. */
#include "change/apply_settings.h"

#include <math.h>
#include <string.h>

#include "engine/body_change.h"
#include "engine/critical_contacts.h"
#include "engine/edits.h"
#include "engine/energy.h"

bool scree_settings_step(scree_sim *sim, const scree_settings *settings, double *dt,
                         double *critical, GError **error)
{
    scree_scene now = *sim->scene, *scene = sim->scene;
    scree_settings_apply(settings, &now);
    sim->scene = &now;
    *dt = settings->has_dt ? settings->dt : sim->dt;
    now.dt = *dt; // new laws are checked against an "auto" dt of the start like a given one
    bool done = scree_sim_step_of(sim, dt, critical, error);
    sim->scene = scene;
    return done;
}

bool scree_settings_check(const scree_sim *sim, const scree_settings *settings, GError **error)
{
    scree_scene now = *sim->scene;
    scree_settings_apply(settings, &now);
    for (uint32_t k = 0; k < now.dimension; k++) {
        const bool was = scree_repeats(&sim->world->cell, k),
                   is = now.boundary[k] == SCREE_BOUNDARY_PERIODIC;
        const bool same = !memcmp(&now.region_min[k], &sim->world->cell.lo[k], sizeof(double)) &&
                          !memcmp(&now.region_max[k], &sim->world->cell.hi[k], sizeof(double)) &&
                          now.tilt[k] == sim->scene->tilt[k];
        if (was != is || (is && !same))
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "along %c: an axis neither becomes periodic in a run, nor ceases to "
                              "be, nor does a periodic cell change its length or its tilt",
                              "xyz"[k]);
    }
    return true;
}

/** Notes "gravity (..) -> (..)"; owns both texts. */
static void note_setting(scree_swap *swap, const char *slot, char *from, char *to)
{
    scree_swap_change change = {g_strdup(slot), from, to};
    g_array_append_val(swap->changes, change);
}

void scree_settings_note(const scree_sim *sim, const scree_settings *settings, double dt,
                         scree_swap *swap)
{
    const scree_scene *was = sim->scene;
    scree_scene now = *was;
    scree_settings_apply(settings, &now);
    if (settings->has_gravity)
        note_setting(swap, "gravity", scree_settings_show_vector(was->gravity),
                     scree_settings_show_vector(now.gravity));
    if (settings->has_dt)
        note_setting(swap, "dt", g_strdup_printf("%.9g s", sim->dt),
                     isnan(dt)
                         ? g_strdup("auto")
                         : g_strdup_printf("%.9g s%s", dt, isnan(settings->dt) ? " (auto)" : ""));
    if (settings->region)
        note_setting(swap, "region", scree_settings_show_region(was),
                     scree_settings_show_region(&now));
    if (settings->has_boundary)
        note_setting(swap, "boundary", scree_settings_show_boundary(was),
                     scree_settings_show_boundary(&now));
}

/** Replaces the weight in the forces by that of the new gravity, which is exact. */
static void turn_gravity(const scree_sim *sim, const double gravity[3])
{
    scree_world *w = sim->world;
    for (uint32_t i = 0; i < w->n_free; i++)
        for (int k = 0; k < 3; k++)
            w->wrench[(size_t)i * SCREE_WRENCH + k] += w->mass[i] * (gravity[k] - w->gravity[k]);
    memcpy(w->gravity, gravity, sizeof w->gravity);
}

/* ---- groups of bodies ---- */

static char *velocities_text(const scree_sim *sim, uint32_t i, const scree_group_change *change,
                             bool now)
{
    const scree_world *w = sim->world;
    static const char *const keys[2] = {"velocity", "spin"};
    GString *out = g_string_new(NULL);
    for (int k = 0; k < 2; k++) {
        double *const *from = k ? w->w : w->v;
        if (w->motion[i] == SCREE_MOTION_KINEMATIC) // without the motion by modifiers
            from = w->anchor + 7 + 3 * k;
        const double own[3] = {from[0][i], from[1][i], from[2][i]};
        if (!change->has[k])
            continue;
        g_autofree char *text = scree_settings_show_vector(now ? change->value[k] : own);
        g_string_append_printf(out, "%s%s %s", out->len ? " " : "", keys[k], text);
    }
    return g_string_free(out, FALSE);
}

/** Sets the velocities of the group's bodies, except fixed ones. */
static void set_group(scree_sim *sim, const scree_group_change *change, const char *slot,
                      scree_swap *swap)
{
    const scree_world *w = sim->world;
    bool noted = false;
    scree_body_values values = {.has = {false, false, change->has[0], change->has[1]}};
    memcpy(values.value[2], change->value[0], sizeof change->value[0]);
    memcpy(values.value[3], change->value[1], sizeof change->value[1]);
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->group[i] != change->group || w->motion[i] == SCREE_MOTION_FIXED)
            continue;
        if (!noted)
            note_setting(swap, slot, velocities_text(sim, i, change, false),
                         velocities_text(sim, i, change, true));
        noted = true;
        scree_body_set(sim, i, &values, NULL);
    }
    if (!noted)
        note_setting(swap, slot, g_strdup("no body that moves"), g_strdup("as it is"));
}

static bool remove_group(scree_sim *sim, uint32_t group, const char *slot, scree_swap *swap,
                         GError **error)
{
    const scree_world *w = sim->world;
    g_autofree uint8_t *dead = g_new0(uint8_t, w->n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        n += dead[i] = w->group[i] == group;
    note_setting(swap, slot, g_strdup_printf("%u bod%s", n, n == 1 ? "y" : "ies"), NULL);
    return !n || scree_remove_bodies(sim, dead, error);
}

static bool change_group(scree_sim *sim, const scree_group_change *change, scree_swap *swap,
                         GError **error)
{
    g_autofree char *slot =
        g_strdup_printf("bodies.%s", (const char *)sim->scene->group_names->pdata[change->group]);
    if (change->off)
        return remove_group(sim, change->group, slot, swap, error);
    set_group(sim, change, slot, swap);
    return true;
}

/* ---- all settings ---- */

static void set_dt(scree_sim *sim, double dt)
{
    sim->t0 = scree_sim_time(sim);
    sim->step0 = sim->step;
    sim->dt = dt;
}

bool scree_settings_change(scree_sim *sim, const scree_settings *settings, double dt,
                           scree_swap *swap, GError **error)
{
    scree_energy before, after;
    scree_settings_note(sim, settings, dt, swap);
    const guint n_groups = settings->groups ? settings->groups->len : 0;
    for (guint k = 0; k < n_groups; k++)
        if (!change_group(sim, &g_array_index(settings->groups, scree_group_change, k), swap,
                          error))
            return false;
    scree_energy_now(sim, &before);
    if (settings->has_gravity)
        turn_gravity(sim, settings->gravity);
    scree_settings_apply(settings, sim->scene);
    scree_scene_cell(sim->scene, &sim->world->cell);
    if (settings->has_dt)
        set_dt(sim, dt);
    scree_world_view(sim->world, &sim->view);
    scree_energy_now(sim, &after);
    swap->gravity_work = after.gravity - before.gravity;
    scree_energy_book(&sim->account, swap->gravity_work, 0.0);
    return true;
}
