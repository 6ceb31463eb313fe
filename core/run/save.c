/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a run saves its state, and which of its files stay; keeps an earlier state. */
#include "run/save.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/say.h"
#include "change/condition_state.h"
#include "engine/snapshot.h"
#include "engine/state.h"
#include "engine/step.h"
#include "run/checkpoint.h"

/* ---- an earlier state in memory, saved when a plugin is blamed ---- */

void scree_keeper_clear(scree_keeper *keeper)
{
    g_clear_pointer(&keeper->copy.snapshot, scree_snapshot_free);
    g_clear_pointer(&keeper->copy.conditions, g_array_unref);
}

/** Copies the state, if its copy has room. */
static void copy_state(scree_keeper *keeper)
{
    scree_sim *sim = keeper->sim;
    scree_earlier *copy = &keeper->copy;
    const uint64_t bytes = scree_snapshot_bytes(sim), before = keeper->too_large;
    keeper->too_large = bytes > sim->scene->guard.memory << 20 ? bytes : 0;
    if (keeper->too_large) {
        scree_keeper_clear(keeper);
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

bool scree_keeper_is_due(const scree_keeper *keeper)
{
    const scree_sim *sim = keeper->sim;
    const uint64_t every = sim->scene->guard.every;
    return every &&
           !((keeper->copy.snapshot || keeper->too_large) && (sim->step - keeper->begin) % every);
}

bool scree_keeper_keep(scree_keeper *keeper, GError **error)
{
    scree_sim *sim = keeper->sim;
    if (keeper->n_swaps != sim->swaps.all->len) { // other fields; a swap is complete after a step
        keeper->n_swaps = sim->swaps.all->len;
        scree_keeper_clear(keeper);
        return true;
    }
    if (!scree_keeper_is_due(keeper))
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

/* ---- files at intervals ---- */

bool scree_saver_is_due(scree_saver *saver)
{
    const scree_save_times *t = &saver->sim->scene->checkpoint;
    uint64_t step = saver->sim->step, before = saver->seen;
    saver->seen = step;
    if (t->every_steps)
        return step % t->every_steps == 0;
    if (t->every_time > 0.0)
        return scree_interval_ends(t->every_time, scree_sim_time_at(saver->sim, before),
                                   scree_sim_time(saver->sim));
    return t->every_wall > 0.0 && scree_now() - saver->saved_wall >= t->every_wall;
}

static bool save(scree_saver *saver, const char *folder, GError **error)
{
    const scree_save_times *t = &saver->sim->scene->checkpoint;
    saver->saved_wall = scree_now(); // also on failure: it does not try again at every step
    if (!scree_sim_settle(saver->sim, error))
        return false;
    g_autofree char *path = scree_checkpoint_path(folder, saver->sim->step);
    if (!scree_checkpoint_write(saver->sim, NULL, path, error))
        return false;
    const char *newest = scree_saver_latest(saver);
    if (g_strcmp0(newest, path))
        g_ptr_array_add(saver->written, g_steal_pointer(&path));
    while (saver->written->len > t->keep) {
        const char *oldest = saver->written->pdata[0];
        if (unlink(oldest) || scree_folder_sync(oldest)) // others have removed it
            g_debug("cannot remove %s", oldest);
        g_ptr_array_remove_index(saver->written, 0);
    }
    return true;
}

bool scree_saver_save(scree_saver *saver, const char *folder, GError **error)
{
    scree_phase former = scree_sim_enter(saver->sim, SCREE_PHASE_SAVE);
    bool saved = save(saver, folder, error);
    scree_sim_enter(saver->sim, former);
    return saved;
}

bool scree_saver_is_saved(const scree_saver *saver)
{
    uint64_t step;
    const char *latest = scree_saver_latest(saver);
    return latest && scree_checkpoint_step(latest, &step) && step == saver->sim->step;
}

const char *scree_saver_latest(const scree_saver *saver)
{
    guint n = saver->written->len;
    return n ? saver->written->pdata[n - 1] : NULL;
}

bool scree_saver_is_wanted(const scree_scene *scene)
{
    const scree_save_times *t = &scene->checkpoint;
    return t->every_steps || t->every_time > 0.0 || t->every_wall > 0.0;
}
