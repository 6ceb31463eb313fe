/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a run saves its state, and which of its files stay. */
#include "run/save.h"

#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "engine/step.h"

struct scree_saver {
    scree_sim *sim;
    uint64_t seen;      // step of the last call of scree_saver_is_due
    double saved_wall;  // [s] clock at the last saving
    GPtrArray *written; // char *: existing files of this run, oldest first
};

scree_saver *scree_saver_new(scree_sim *sim)
{
    scree_saver *saver = g_new0(scree_saver, 1);
    saver->sim = sim;
    saver->seen = sim->step;
    saver->saved_wall = scree_now();
    saver->written = g_ptr_array_new_with_free_func(g_free);
    return saver;
}

void scree_saver_free(scree_saver *saver)
{
    if (!saver)
        return;
    g_ptr_array_unref(saver->written);
    g_free(saver);
}

/** Counts the whole intervals of simulated time up to a step, as for observers. */
static double intervals_at(const scree_saver *saver, uint64_t step)
{
    const double time = scree_sim_time_at(saver->sim, step);
    return floor(time / saver->sim->scene->checkpoint.every_time * (1.0 + 1e-12));
}

bool scree_saver_is_due(scree_saver *saver)
{
    const scree_save_times *t = &saver->sim->scene->checkpoint;
    uint64_t step = saver->sim->step, before = saver->seen;
    saver->seen = step;
    if (t->every_steps)
        return step % t->every_steps == 0;
    if (t->every_time > 0.0)
        return intervals_at(saver, step) > intervals_at(saver, before);
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
