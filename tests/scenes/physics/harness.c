/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of the physics tests: claims in TAP, runs from scene texts, bodies by id, random
 * numbers.
 */
#include "harness.h"
#include "config/config.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "plugin/registry.h"
#include "scene/scene.h"

static scree_registry *plugins(void)
{
    static scree_registry *registry;
    if (!registry)
        registry = scree_registry_new((const char *const[]){NULL}, NULL);
    return registry;
}

static scree_sim *start(scree_scene *scene, const scree_sim_options *options, GError **error)
{
    static const scree_sim_options defaults;
    scree_sim *sim = scene ? scree_sim_new(scene, options ? options : &defaults, error) : NULL;
    if (!sim)
        bail_out("%s", (*error)->message);
    return sim;
}

scree_sim *start_text(const char *format, ...)
{
    g_autoptr(GError) error = NULL;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    scree_config *config = scree_config_parse(text, "test.cfg", ".");
    return start(scree_scene_new(config, "test", plugins(), &error), NULL, &error);
}

scree_sim *try_text(const char *text, GError **error)
{
    scree_config *config = scree_config_parse(text, "test.cfg", ".");
    scree_scene *scene = scree_scene_new(config, "test", plugins(), error);
    return scene ? scree_sim_new(scene, &(scree_sim_options){0}, error) : NULL;
}

scree_sim *start_file(const char *path, const char *const *set, const scree_sim_options *options)
{
    g_autoptr(GError) error = NULL;
    static const char *const none[] = {NULL};
    return start(scree_scene_load(path, set ? set : none, plugins(), &error), options, &error);
}

void run(scree_sim *sim, uint64_t steps)
{
    g_autoptr(GError) error = NULL;
    for (uint64_t n = 0; n < steps; n++)
        if (!scree_sim_step(sim, &error))
            bail_out("%s", error->message);
}

void run_recorded(scree_sim *sim, uint64_t steps)
{
    if (steps > 1)
        run(sim, steps - 1);
    sim->records.contacts = sim->records.walls = true;
    run(sim, 1);
    sim->records.contacts = sim->records.walls = false;
}

void contacts_of(scree_sim *sim, scree_contact_list *list)
{
    scree_view view;
    scree_energy energy;
    scree_view_fill(sim, &view, &energy);
    g_assert_true(scree_record_list(sim, list));
}

uint32_t body_of(const scree_sim *sim, uint64_t id)
{
    for (uint32_t i = 0; i < sim->world->n; i++)
        if (sim->world->id[i] == id)
            return i;
    bail_out("no body %" G_GUINT64_FORMAT, id);
}

void unwrapped(const scree_sim *sim, uint32_t i, double x[3])
{
    scree_world_unwrapped(sim->world, i, x);
}

double kinetic_energy(const scree_sim *sim)
{
    scree_energy energy;
    scree_energy_now(sim, &energy);
    return energy.kinetic;
}

double throw_dice(dice *d, double low, double high)
{
    d->state = d->state * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t x = d->state ^ d->state >> 29;
    return low + (high - low) * ((double)(x >> 11) * 0x1.0p-53);
}
