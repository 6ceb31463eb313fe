/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps an earlier state in memory, and saves it when a plugin is blamed. */
#include "run/keeper.h"

#include "base/say.h"
#include "change/condition_state.h"
#include "engine/snapshot.h"
#include "engine/step.h"
#include "run/checkpoint.h"

struct scree_keeper {
    scree_sim *sim;
    scree_earlier copy; // snapshot NULL: no copy
    uint64_t begin;     // first step of the run
    guint n_swaps;      // number of swaps before the copy
    uint64_t too_large; // [bytes] size of a copy without room; 0: it has room
};

scree_keeper *scree_keeper_new(scree_sim *sim)
{
    scree_keeper *keeper = g_new0(scree_keeper, 1);
    keeper->sim = sim;
    keeper->begin = sim->step;
    return keeper;
}

static void drop_copy(scree_keeper *keeper)
{
    g_clear_pointer(&keeper->copy.snapshot, scree_snapshot_free);
    g_clear_pointer(&keeper->copy.conditions, g_array_unref);
}

void scree_keeper_free(scree_keeper *keeper)
{
    if (!keeper)
        return;
    drop_copy(keeper);
    g_free(keeper);
}

/** Copies the state, if its copy has room. */
static void copy_state(scree_keeper *keeper)
{
    scree_sim *sim = keeper->sim;
    scree_earlier *copy = &keeper->copy;
    const uint64_t bytes = scree_snapshot_bytes(sim), before = keeper->too_large;
    keeper->too_large = bytes > sim->scene->guard.memory << 20 ? bytes : 0;
    if (keeper->too_large) {
        drop_copy(keeper);
        if (!before && sim->scene->guard.memory)
            scree_say(SCREE_SAY_NOTE,
                      "no copy of the state is kept in case a plugin misbehaves: it "
                      "needs %.0f MiB, guard.memory is %" G_GUINT64_FORMAT " MiB",
                      (double)bytes / 0x1p20, sim->scene->guard.memory);
        return;
    }
    copy->snapshot = scree_snapshot_quick(copy->snapshot, sim);
    g_clear_pointer(&copy->conditions, g_array_unref);
    copy->conditions = scree_conditions_keep(sim);
}

bool scree_keeper_keep(scree_keeper *keeper, GError **error)
{
    scree_sim *sim = keeper->sim;
    const uint64_t every = sim->scene->guard.every;
    if (keeper->n_swaps != sim->swaps.all->len) { // other fields; a swap is complete after a step
        keeper->n_swaps = sim->swaps.all->len;
        drop_copy(keeper);
        return true;
    }
    if (!every ||
        ((keeper->copy.snapshot || keeper->too_large) && (sim->step - keeper->begin) % every))
        return true;
    if (!scree_sim_settle(sim, error))
        return false;
    const scree_phase former = scree_sim_enter(sim, SCREE_PHASE_SAVE);
    copy_state(keeper);
    scree_sim_enter(sim, former);
    return !keeper->copy.snapshot || scree_snapshot_check(keeper->copy.snapshot, error);
}

char *scree_keeper_lack(const scree_keeper *keeper)
{
    const scree_scene *scene = keeper->sim->scene;
    if (keeper->copy.snapshot)
        return NULL;
    if (!scene->guard.every)
        return g_strdup("guard.every is 0");
    if (keeper->too_large)
        return g_strdup_printf("guard.memory is %" G_GUINT64_FORMAT " MiB, it needs %.0f MiB",
                               scene->guard.memory, (double)keeper->too_large / 0x1p20);
    return g_strdup(keeper->n_swaps ? "plugins were switched just now" : "");
}

char *scree_keeper_save(scree_keeper *keeper, const char *folder, GError **error)
{
    scree_snapshot_sort(keeper->copy.snapshot);
    g_autofree char *name =
        g_strdup_printf("kept-%" G_GUINT64_FORMAT ".h5", keeper->copy.snapshot->step);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return scree_checkpoint_write(keeper->sim, &keeper->copy, path, error) ? g_steal_pointer(&path)
                                                                           : NULL;
}
