/* SPDX-License-Identifier: Apache-2.0 */
/* A run of the real engine by a route. */
#include "tools/check/route_run.h"

#include <malloc.h>
#include <math.h>

#include <glib/gstdio.h>

#include "base/clock.h"
#include "engine/body_index.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/observers.h"
#include "run/loop.h"
#include "scene/scene.h"
#include "tools/check/check_report.h"
#include "tools/check/route_files.h"
#include "tools/judge/child.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/restart.h"

enum { STEPS = 60, FEW_STEPS = 6, SINGLE = 15 }; // few: a recording is short

static char *new_folder(void)
{
    static uint32_t n;
    return g_strdup_printf("route-%u", n++);
}

bool scree_route_make(scree_run *run, const scree_route_scene *from, const scree_route *r,
                      uint64_t steps, const char *folder, scree_checkpoint *checkpoint,
                      GError **error)
{
    scree_scene *scene = scree_route_scene_read(from, r->set, error);
    if (!scene)
        return false;
    if (r->units)
        scree_route_units_change(r->units, scene);
    const bool writes = scene->observers->len > 0;
    *run = (scree_run){.plan = {.threads = MAX(r->lanes, 1),
                                .blocks = r->lanes ? 5 : 0,
                                .batch = r->lanes ? 8 : 0,
                                .folder = writes && !from->check->no_files ? folder : NULL,
                                .only_steps = from->check->no_files,
                                .from = checkpoint,
                                .restart = scree_restart_begin},
                       .begin = scree_now(),
                       .steps = steps};
    if (!scree_run_make(run, scene, error))
        return false;
    if (r->lanes) { // a small scene would be left to one
        scree_pool_use(run->sim->runtime.pool, r->lanes);
        run->sim->lane_tuner.on = false;
    }
    run->sim->contacts.erase_hints = r->erases_hints;
    return true;
}

static void note_energy(const scree_sim *sim, scree_route_outcome *o, uint64_t step)
{
    scree_energy e;
    scree_energy_now(sim, &e);
    o->residual[step] = e.residual;
    const double each[] = {e.kinetic, e.stored, e.lost, e.work};
    for (size_t k = 0; k < G_N_ELEMENTS(each); k++)
        o->turnover = fmax(o->turnover, fabs(each[k]));
}

/** Takes the state at the end. */
static void take_state(const scree_sim *sim, scree_route_outcome *o)
{
    const scree_world *w = sim->world;
    g_autofree uint32_t *by_id = scree_body_index_new(w);
    o->hash = scree_state_sha256(sim);
    o->n = w->n;
    o->id = g_new(uint64_t, w->n + 1);
    o->x = g_new(double, 3 * (size_t)w->n + 1);
    o->n_fields = w->n_fields;
    o->field = g_new(double, (size_t)w->n_fields * w->n + 1);
    for (uint32_t i = 0; i < w->n; i++) {
        o->id[i] = w->id[by_id[i]];
        for (uint32_t f = 0; f < w->n_fields; f++)
            o->field[(size_t)f * w->n + i] = w->field[f][by_id[i]];
        scree_world_unwrapped(w, by_id[i], o->x + 3 * (size_t)i);
    }
}

/** A step, after which the observer under test shows its scalars, in the units of the reference. */
static bool go_step(scree_run *run, const scree_route *r, scree_route_outcome *o, GError **error)
{
    const scree_instance *instance;
    const double *value;
    scree_observers_want(run->observers, "check");
    if (!scree_run_go(run, 1, error) ||
        !scree_observers_read(run->observers, "check", &instance, &value, error))
        return false;
    const uint32_t n = instance ? instance->n_scalars : 0;
    for (uint32_t k = 0; k < n; k++) {
        const scree_scalar *s = &instance->kept_scalars[k];
        // a total is in its unit times a second
        const char *second = s->flags & SCREE_SCALAR_RATE ? "s" : "-";
        const double by = r->units ? scree_route_units_factor(r->units, s->unit) *
                                         scree_route_units_factor(r->units, second)
                                   : 1.0;
        const double x = value[k] / by;
        if (o->named->len < n)
            g_ptr_array_add(o->named, g_strdup_printf("%s (%s)", s->name, s->unit));
        g_array_append_val(o->scalars, x);
    }
    return true;
}

static bool go_whole(scree_run *run, const scree_route_scene *from, const scree_route *r,
                     scree_route_outcome *o, GError **error)
{
    const scree_plugin *plugin = from->check->plugin;
    const bool watches =
        plugin && plugin->kind == SCREE_KIND_OBSERVER && !from->check->scene && !from->absent;
    if (watches) {
        o->scalars = g_array_new(FALSE, FALSE, sizeof(double));
        o->named = g_ptr_array_new_with_free_func(g_free);
    }
    const uint32_t finer = MAX(r->finer, 1);
    bool good = true;
    note_energy(run->sim, o, 0);
    o->n_old = run->sim->world->n;
    for (uint32_t n = 1; n <= o->steps && good; n++) {
        for (uint32_t k = 0; k < finer && good; k++)
            good = watches ? go_step(run, r, o, error) : scree_run_go(run, 1, error);
        if (good)
            note_energy(run->sim, o, n);
    }
    return good;
}

/** Steps of the part that begins with step n: single ones only at first, because each part makes a run. */
static uint32_t count_part(const scree_route *r, uint32_t n, uint32_t steps)
{
    return MIN(r->part > 1 || n <= SINGLE ? r->part : SINGLE, steps - n + 1);
}

/** A part of a run from step `number` on, after which the state is in *path. */
static bool go_part(const scree_route_scene *from, const scree_route *r, uint32_t number,
                    uint32_t steps, char **path, scree_route_outcome *o, GError **error)
{
    scree_run run = {.sim = NULL};
    g_autofree char *folder = new_folder();
    g_autoptr(scree_checkpoint) checkpoint = *path ? scree_checkpoint_read(*path, error) : NULL;
    if (*path && !checkpoint)
        return false;
    bool good = scree_route_make(&run, from, r, steps, folder, checkpoint, error) &&
                scree_run_begin(&run, error) && scree_run_go(&run, steps, error);
    if (*path)
        g_unlink(*path);
    g_free(*path);
    *path = g_strdup_printf("part-%u.h5", number);
    good = good && scree_checkpoint_write(run.sim, NULL, *path, error) &&
           scree_run_finish(&run, error);
    if (good && number + steps > o->steps)
        take_state(run.sim, o);
    scree_run_clear(&run);
    g_free(run.folder);
    if (good)
        g_ptr_array_add(o->parts, scree_route_files_read(folder));
    return good;
}

bool scree_route_travel(const scree_route_scene *from, const scree_route *r, scree_route_outcome *o,
                        GError **error)
{
    const uint32_t usual = from->check->scene                            ? from->check->steps
                           : r->short_run || scree_route_scene_own(from) ? FEW_STEPS
                                                                         : STEPS;
    const uint32_t steps = usual + r->later;
    *o = (scree_route_outcome){.steps = steps,
                               .residual = g_new0(double, steps + 1),
                               .parts = g_ptr_array_new_with_free_func(
                                   (GDestroyNotify)(void (*)(void))g_hash_table_unref)};
    if (r->part) {
        g_autofree char *path = NULL;
        bool good = true;
        for (uint32_t n = 1, part; n <= o->steps && good; n += part) {
            part = count_part(r, n, o->steps);
            good = go_part(from, r, n, part, &path, o, error);
        }
        return good;
    }
    scree_run run = {.sim = NULL};
    g_autofree char *folder = new_folder();
    bool good = scree_route_make(&run, from, r, (uint64_t)o->steps * MAX(r->finer, 1), folder, NULL,
                                 error) &&
                scree_run_begin(&run, error) && go_whole(&run, from, r, o, error) &&
                scree_run_finish(&run, error);
    if (good) {
        take_state(run.sim, o);
        o->dt = run.sim->dt;
        if (r->units)
            scree_route_outcome_divide(o, scree_route_units_factor(r->units, "m"),
                                       scree_route_units_factor(r->units, "J"));
    }
    scree_run_clear(&run);
    g_free(run.folder);
    if (good)
        g_ptr_array_add(o->parts, scree_route_files_read(folder));
    return good;
}

/* ---- in another process ---- */

enum { SAYS_HASH = 'H', SAYS_ERROR = 'E' }; // first letter of what the other process answers

typedef struct elsewhere {
    const scree_route_scene *from;
    const scree_route *r;
} elsewhere;

static void travel_elsewhere(void *user, GString *answer)
{
    const elsewhere *e = user;
    g_autoptr(GError) error = NULL;
    g_auto(scree_route_outcome) o = {.hash = NULL};
    // Fills the heap with other rubbish, so that a dependence on it shows.
    void *volatile shift = g_malloc(123457);
    mallopt(M_PERTURB, 0x5a);
    const bool good = scree_route_travel(e->from, e->r, &o, &error);
    g_free(shift);
    g_string_append_printf(answer, "%c%s", good ? SAYS_HASH : SAYS_ERROR,
                           good ? o.hash : error->message);
}

bool scree_route_travel_in_child(const scree_route_scene *from, const scree_route *r,
                                 scree_route_outcome *o)
{
    elsewhere e = {from, r};
    scree_child child = {.work = travel_elsewhere, .user = &e};
    const bool ran = scree_check_elsewhere(from->check, &child);
    const bool good = ran && *child.answer->str == SAYS_HASH;
    if (good)
        o->hash = g_strdup(child.answer->str + 1);
    else if (ran)
        scree_check_fail(from->check, "%s: %s", r->name, child.answer->str + 1);
    scree_child_clear(&child);
    return good;
}
