/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a state in memory, and checkpoints. */
#include "lib/state.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "change/apply_settings.h"
#include "engine/energy.h"
#include "engine/sim_plugins.h"
#include "engine/snapshot.h"
#include "engine/trial_forces.h"
#include "plugin/guard.h"
#include "plugin/instance.h"
#include "tools/restart/conditions_restore.h"
#include "tools/restart/slot_parse.h"
#include "tools/restart/snapshot_restore.h"

/* Everything of a run that a step changes and a restart gives back. The rest (lists, boxes,
 * candidates) follows from it. */
struct sc_state {
    uint64_t run; /* number of the run */
    scree_snapshot *snapshot;
    GArray *conditions;
    guint n_swaps, n_acted; /* numbers of swaps, and of entries of the schedule that have acted, but
                               changes by hand */
    /* parts of the account and of the loop that the snapshot does not have */
    scree_exact_sum lost_ended, wall_power, wall_work; /* [J], [W], [J] */
    double particle_steps;
    uint64_t steps, done;
    int ended_by;
    bool newcomers; /* bodies or modifiers have not passed `enter` */
};

void sc_state_free(sc_state *state)
{
    if (!state)
        return;
    g_array_unref(state->conditions);
    scree_snapshot_free(state->snapshot);
    g_free(state);
}

static void fill_state(const sc_run *run, sc_state *s)
{
    const scree_run *r = &run->run;
    const scree_sim *sim = r->sim;
    s->run = run->number;
    s->conditions = scree_conditions_keep(sim);
    s->n_swaps = sim->swaps.all->len;
    s->n_acted = sim->swaps.acted->len - run->changes->len;
    s->lost_ended = sim->account.lost_ended;
    s->wall_power = sim->account.wall_power;
    s->wall_work = sim->account.wall_work;
    s->particle_steps = r->particle_steps;
    s->steps = r->steps;
    s->done = r->done;
    s->ended_by = r->ended_by;
    s->newcomers = sim->edits.newcomers;
}

int32_t sc_state_take(sc_run *run, sc_state **state)
{
    if (!state)
        return scree_lib_refuse(run, "sc_state_take: expected a place for the state, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    if (*state && (*state)->run != run->number) {
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_state_take: the older copy is of another run");
        return scree_lib_leave(run, error);
    }
    sc_state *s = *state ? *state : g_new0(sc_state, 1);
    g_clear_pointer(&s->conditions, g_array_unref);
    s->snapshot = scree_snapshot_quick(s->snapshot, run->run.sim);
    scree_snapshot_sort(s->snapshot);
    fill_state(run, s);
    *state = s;
    scree_snapshot_check(s->snapshot, &error);
    return scree_lib_leave(run, error);
}

/** Changes since a state was taken, which stay. */
typedef struct changes {
    bool settings, parameters; /* of the scene; of plugins */
} changes;

/** Finds them. False with an error: plugins were swapped, or the schedule has acted. */
static bool find_changes(const sc_run *run, const sc_state *s, changes *found, GError **error)
{
    const scree_sim *sim = run->run.sim;
    *found = (changes){false, false};
    bool same = s->n_acted == sim->swaps.acted->len - run->changes->len;
    for (guint k = s->n_swaps; k < sim->swaps.all->len && same; k++) {
        const scree_swap *swap = sim->swaps.all->pdata[k];
        const guint n = swap->refused ? 0 : swap->changes->len;
        for (guint c = 0; c < n && same; c++) {
            const scree_swap_change *one = &g_array_index(swap->changes, scree_swap_change, c);
            scree_slot slot;
            const bool plugin = scree_slot_parse(one->slot, &slot);
            same = !plugin || !g_strcmp0(one->from, one->to);
            found->parameters = found->parameters || plugin;
            found->settings = found->settings || !plugin;
        }
    }
    const scree_snapshot *was = s->snapshot;
    same = same && was->n_contact_fields == sim->plugins.contact.n_fields &&
           was->n_pair_fields == sim->plugins.contact.n_pair_fields &&
           was->n_global_fields == sim->plugins.body.n_global_fields &&
           was->world->n_fields == sim->world->n_fields;
    return same || scree_fail(error, SCREE_EXIT_USAGE,
                              "sc_state_put: plugins were swapped since the state was taken, or "
                              "an entry of the schedule has acted");
}

bool scree_lib_book_stored(scree_sim *sim, GError **error)
{
    double stored;
    if (!scree_trial_energy(sim, &stored, error))
        return false;
    const double work = stored - scree_exact_sum_value(&sim->account.stored);
    if (work > 0.0 || work < 0.0)
        scree_trial_take_stored(sim);
    scree_energy_book(&sim->account, work, work);
    return true;
}

/** Gives a restored state the current settings, and books the energy that this brings as work. */
static bool keep_settings(scree_sim *sim, changes kept, double dt, GError **error)
{
    scree_settings now = {.has_gravity = true,
                          .has_dt = dt > sim->dt || dt < sim->dt,
                          .dt = sim->scene->dt}; // NaN: "auto"
    scree_swap *swap = scree_swap_new(sim->step, scree_sim_time(sim), "sc_state_put");
    memcpy(now.gravity, sim->scene->gravity, sizeof now.gravity);
    const bool done = !kept.settings || scree_settings_change(sim, &now, dt, swap, error);
    scree_swap_free(swap);
    return done && (!kept.parameters || scree_lib_book_stored(sim, error));
}

/** Moves changes by hand that were made after the state to its step: they stay. */
static void move_changes(sc_run *run, uint64_t step)
{
    scree_sim *sim = run->run.sim;
    for (guint k = 0; k < run->changes->len; k++) {
        scree_lib_change *one = &g_array_index(run->changes, scree_lib_change, k);
        if (one->step <= step)
            continue;
        gpointer *made = &sim->scene->config->parts->overrides->pdata[one->override];
        const char *tail = strchr(*made, ';'); // "schedule+={ at_step = N;"
        char *text = g_strdup_printf("schedule+={ at_step = %" PRIu64 "L%s", step, tail);
        g_free(*made);
        *made = text;
        g_free(one->cause);
        one->cause = g_strdup_printf("at_step %" PRIu64, step);
        one->step = step;
    }
    for (guint k = 0; k < sim->swaps.acted->len; k++) {
        scree_acted *acted = &g_array_index(sim->swaps.acted, scree_acted, k);
        if (acted->entry >= sim->scene->schedule->len)
            acted->cause = g_array_index(run->changes, scree_lib_change,
                                         acted->entry - sim->scene->schedule->len)
                               .cause;
    }
}

static void replace_in(GPtrArray *instances, const scree_instance *old, scree_instance *fresh)
{
    for (guint i = 0; i < instances->len; i++)
        if (instances->pdata[i] == old)
            instances->pdata[i] = fresh;
}

/** Puts a new instance in place of an old one of the same choice. */
static void replace_instance(scree_plugins *p, scree_instance *old, scree_instance *fresh)
{
    fresh->first_body_field = old->first_body_field;
    fresh->first_global_field = old->first_global_field;
    for (uint32_t l = 0; l < p->contact.n_laws; l++)
        if (p->contact.laws[l].instance == old)
            p->contact.laws[l].instance = fresh;
    for (uint32_t l = 0; l < p->contact.n_lists; l++)
        if (p->contact.lists[l].resolver == old)
            p->contact.lists[l].resolver = fresh;
    if (p->body.integrator == old)
        p->body.integrator = fresh;
    replace_in(p->contact.resolvers, old, fresh);
    replace_in(p->body.modifiers, old, fresh);
    scree_instance_free(old);
}

/** Makes the instances again that have a state, and gives them their one of `states`: a state is
 * only for new instances. False: the run cannot continue. */
static bool renew_plugins(scree_sim *sim, GPtrArray *states, GError **error)
{
    g_autoptr(GPtrArray) all = scree_plugins_list(sim);
    bool done = true;
    for (guint i = 0; i < all->len && done; i++) {
        scree_instance *old = all->pdata[i], *fresh;
        if (!old->state)
            continue;
        GPtrArray *handed = sim->runtime.handed;
        sim->runtime.handed = states;
        fresh = scree_instance_new(&sim->runtime, old->choice, old->slot, error);
        sim->runtime.handed = handed;
        done = fresh != NULL;
        if (fresh)
            replace_instance(&sim->plugins, old, fresh);
    }
    return done;
}

/** Puts the state in. False with an error: the run cannot continue. */
static bool put_in(sc_run *run, const sc_state *s, changes kept, GError **error)
{
    scree_run *r = &run->run;
    scree_sim *sim = r->sim;
    const double dt = sim->dt;
    if (s->snapshot->states->len && !renew_plugins(sim, s->snapshot->states, error))
        return false;
    scree_snapshot_restore(sim, s->snapshot);
    sim->displacements.current = false;                        // they led to another state
    sim->edits.newcomers = sim->edits.entrants = s->newcomers; // a failed step may have left others
    sim->account.lost_ended = s->lost_ended;
    sim->account.wall_power = s->wall_power;
    sim->account.wall_work = s->wall_work;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_conditions_restore(sim, s->conditions, notes);
    scree_guard_name_step(sim->step);
    r->particle_steps = s->particle_steps;
    r->steps = s->steps;
    r->done = s->done;
    r->ended_by = s->ended_by;
    r->complete = false;
    move_changes(run, sim->step);
    return keep_settings(sim, kept, dt, error);
}

int32_t sc_state_put(sc_run *run, const sc_state *state)
{
    changes kept;
    if (!state)
        return scree_lib_refuse(run, "sc_state_put: expected a state, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_FAILED, false);
    if (state->run != run->number)
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_state_put: the state is of another run");
    else if (run->ends)
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_state_put: sc_finish has ended this run");
    else if (find_changes(run, state, &kept, &error))
        run->phase = put_in(run, state, kept, &error) ? SCREE_LIB_READY : SCREE_LIB_FAILED;
    return scree_lib_leave(run, error);
}

/** Returns whether a file begins as a checkpoint does. */
static bool is_checkpoint(const char *path)
{
    static const char begin[] = "scree checkpoint ";
    char head[sizeof begin - 1];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is = fd >= 0 && pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
                    !memcmp(head, begin, sizeof head);
    if (fd >= 0)
        close(fd);
    return is;
}

/** Finds the file to write, behind symbolic links; new string. NULL: something else would be lost,
 * neither an empty file nor a checkpoint. */
static char *find_target(const char *path, GError **error)
{
    struct stat info;
    if (lstat(path, &info))
        return g_strdup(path); // missing, or the write says why it cannot be reached
    char *behind = realpath(path, NULL);
    g_autofree char *target = g_strdup(behind);
    free(behind);
    const char *why = NULL;
    if (!target || stat(target, &info))
        why = "it is a symbolic link to nothing";
    else if (!S_ISREG(info.st_mode))
        why = "it is not a regular file";
    else if (info.st_size && !is_checkpoint(target))
        why = "it exists, and is not a checkpoint";
    if (!why)
        return g_steal_pointer(&target);
    scree_fail(error, SCREE_EXIT_USAGE, "sc_save: %s: %s", path, why);
    return NULL;
}

int32_t sc_save(sc_run *run, const char *path)
{
    g_autofree char *target = NULL;
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, true);
    if (!path)
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_save: expected a path, got NULL");
    else if (run->phase == SCREE_LIB_FAILED)
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_save: the step that has failed left no whole state");
    else if ((target = find_target(path, &error)))
        scree_checkpoint_write(run->run.sim, NULL, target, &error);
    return scree_lib_leave(run, error);
}
