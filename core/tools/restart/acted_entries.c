/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of the schedule that have acted before a checkpoint, in the run that continues from it. */
#include "tools/restart/acted_entries.h"

#include <inttypes.h>
#include <string.h>

#include "change/schedule.h"
#include "scene/scene_settings.h"

static void exchange_bytes(void *a, void *b)
{
    void *held;
    memcpy(&held, a, sizeof held);
    memcpy(a, b, sizeof held);
    memcpy(b, &held, sizeof held);
}

/** Exchanges entries of the same name; each list still owns its entries. */
static void adopt_timed(GPtrArray *here, GPtrArray *come)
{
    for (guint k = 0; come && k < come->len;) {
        scree_timed_choice *timed = come->pdata[k];
        guint at = 0;
        while (at < here->len && strcmp(((scree_timed_choice *)here->pdata[at])->name, timed->name))
            at++;
        if (at < here->len && timed->choice) {
            exchange_bytes(&here->pdata[at], &come->pdata[k++]);
        } else if (at < here->len) { // removed by the set
            g_ptr_array_insert(come, (gint)k, g_ptr_array_steal_index(here, at));
            k += 2;
        } else if (timed->choice) {
            g_ptr_array_add(here, g_ptr_array_steal_index(come, k));
        } else {
            k++;
        }
    }
}

/** Gives the scene the plugins and settings of entry k of its schedule. */
static void adopt_entry(scree_scene *scene, guint k)
{
    const scree_schedule_entry *entry = scene->schedule->pdata[k];
    scree_plugin_set *set = entry->set;
    if (set->gcd)
        exchange_bytes(&scene->gcd, &set->gcd);
    if (set->integrator)
        exchange_bytes(&scene->integrator, &set->integrator);
    if (set->resolvers)
        exchange_bytes(&scene->resolvers, &set->resolvers);
    if (set->forces)
        exchange_bytes(&scene->forces, &set->forces);
    adopt_timed(scene->modifiers, set->modifiers);
    adopt_timed(scene->observers, set->observers);
    scree_settings_apply(&entry->settings, scene);
}

GArray *scree_acted_adopt(const scree_checkpoint *c, scree_scene *scene, GPtrArray *notes)
{
    GArray *acted = g_array_new(FALSE, FALSE, sizeof(scree_acted));
    for (guint i = 0; i < c->acted->len; i++) {
        const scree_acted *kept = &g_array_index(c->acted, scree_acted, i);
        const scree_schedule_entry *entry =
            kept->entry < scene->schedule->len ? scene->schedule->pdata[kept->entry] : NULL;
        if (!entry || strcmp(entry->cause, kept->cause)) {
            g_ptr_array_add(notes,
                            g_strdup_printf("schedule[%u] (%s) acted before the checkpoint, but "
                                            "is missing in this scene, with its plugins",
                                            kept->entry, kept->cause));
            continue;
        }
        if (!kept->refused)
            adopt_entry(scene, kept->entry);
        const scree_acted one = {kept->entry, kept->refused, entry->cause};
        g_array_append_val(acted, one);
    }
    return acted;
}

void scree_acted_keep(scree_sim *sim, const GArray *acted, GPtrArray *notes)
{
    const GPtrArray *entries = sim->scene->schedule;
    g_autofree uint8_t *was = g_new0(uint8_t, entries->len + 1);
    g_array_append_vals(sim->swaps.acted, acted->data, acted->len);
    for (guint i = 0; i < acted->len; i++)
        was[g_array_index(acted, scree_acted, i).entry] = 1;
    memcpy(sim->swaps.schedule_done, was, entries->len);
    scree_schedule_pass(sim);
    for (guint k = 0; k < entries->len; k++)
        if (sim->swaps.schedule_done[k] && !was[k])
            g_ptr_array_add(
                notes, g_strdup_printf(
                           "schedule[%u] (%s) does not act: its moment is "
                           "before step %" PRIu64 ", and it has not acted before the checkpoint",
                           k, ((scree_schedule_entry *)entries->pdata[k])->cause, sim->step));
}
