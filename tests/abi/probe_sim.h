/* SPDX-License-Identifier: Apache-2.0 */
/* Tiny scenes from strings, run with the probe plugins: what the programs of this folder share. */
#ifndef TESTS_PROBE_SIM_H
#define TESTS_PROBE_SIM_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "config/config.h"
#include "config/config_set.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/restart/snapshot_restore.h"

static const char *probe_dir;
/** A run of a scene text with overrides (NULL-terminated; "" changes nothing). */
static inline scree_sim *start(const char *text, const char *const *set)
{
    g_autoptr(GError) error = NULL;
    static scree_registry *registry;
    const char *const paths[] = {probe_dir, NULL};
    if (!registry)
        registry = scree_registry_new(paths, NULL);
    scree_config *config = scree_config_parse(text, "probe.cfg", probe_dir);
    for (; *set; set++)
        if (**set && !scree_config_set(config, *set, &error))
            bail_out("%s", error->message);
    scree_scene *scene = scree_scene_new(config, "probe", registry, &error);
    scree_sim *sim = scene ? scree_sim_new(scene, &(scree_sim_options){0}, &error) : NULL;
    if (!sim)
        bail_out("%s", error->message);
    return sim;
}

static inline void step(scree_sim *sim)
{
    g_autoptr(GError) error = NULL;
    if (!scree_sim_step(sim, &error))
        bail_out("%s", error->message);
}

#define EXACT "extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}"
#define MOVED "extent={renew=\"moved\";}"
#define MATERIALS "materials = { glass = { density = 2500.0; }; };\n"

/** The state goes into a snapshot and comes back from it. */
static inline void pass_snapshot(scree_sim *sim)
{
    scree_snapshot *kept = scree_snapshot_quick(NULL, sim);
    scree_snapshot_sort(kept);
    scree_snapshot_restore(sim, kept);
    scree_snapshot_free(kept);
}

#endif
