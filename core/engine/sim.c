/* SPDX-License-Identifier: Apache-2.0 */
/* From a checked scene to a run in memory: instances, fields, lists, first evaluation. */
#include "engine/sim.h"

#include "base/cpu.h"
#include "build_config.h"
#include "engine/balls.h"
#include "engine/bonds.h"
#include "engine/columns.h"
#include "engine/critical_contacts.h"
#include "engine/diagnostics.h"
#include "engine/edits.h"
#include "engine/energy.h"
#include "engine/evaluate.h"
#include "engine/extent.h"
#include "engine/figures.h"
#include "engine/kernels_best.h"
#include "engine/lane.h"
#include "engine/leaves.h"
#include "engine/motion.h"
#include "engine/notify.h"
#include "engine/observer_view.h"
#include "engine/order.h"
#include "engine/ranks.h"
#include "engine/run_query.h"
#include "engine/shared_fields.h"
#include "engine/sim_plugins.h"
#include "engine/swap_record.h"
#include "plugin/events.h"
#include "plugin/guard.h"
#include "scene/scene.h"
#include "scene/scene_runtime.h"
#include "scene/scene_schedule.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_BATCH = 512, SMALLEST_BATCH = 8 };

/** Makes the plugins of the scene. */
static bool make_plugins(scree_sim *sim, scree_legacy *legacy, GError **error)
{
    const scree_scene *scene = sim->scene;
    const scree_plugin_set set = scree_scene_set(scene);
    scree_saved_plugins nothing;
    if (!scree_plugins_make(sim, &set, &nothing, error))
        return false;
    for (uint32_t scope = 1; legacy && scope < SCREE_SCOPES; scope++) {
        scree_columns_map(&sim->plugins, scope, legacy->before[scope], legacy->n[scope], NULL, 0,
                          &legacy->from[scope], legacy->notes);
        if (!scree_columns_check(sim, scope, error))
            return false;
    }
    sim->plugins.contact.initial = scree_columns_initial(sim, SCREE_SCOPE_CONTACT);
    sim->plugins.contact.pair_initial = scree_columns_initial(sim, SCREE_SCOPE_PAIR);
    sim->plugins.body.global_field = scree_columns_initial(sim, SCREE_SCOPE_GLOBAL);
    return true;
}

/** Moves bodies that start outside a periodic region into it; their image counts store their former
 * cells. */
static void wrap_start(scree_world *w)
{
    double by[3];
    int32_t s[3];
    for (uint32_t i = 0; w->cell.repeats && i < w->n_free; i++) {
        if (!scree_world_wrap(w, i, s, by))
            continue; // farther away: the first wrap refuses and names it
        for (int k = 0; k < 3; k++) {
            w->x[k][i] += by[k];
            w->image[k][i] = -s[k];
        }
    }
}

/** Returns the largest bounding radius [m] of bodies that modifiers make. */
static double largest_to_come(const scree_scene *scene)
{
    double largest = 0.0;
    for (guint i = 0; i < scene->to_come->len; i++) {
        const scree_body *body = &g_array_index(scene->to_come, scree_body, i);
        const scree_shape *shape = scene->shapes->pdata[body->shape];
        largest = fmax(largest, body->scale * shape->radius);
    }
    return largest;
}

static bool make_world(scree_sim *sim, bool goes_on, GError **error)
{
    const scree_scene *scene = sim->scene;
    sim->world = scree_world_new(scene, sim->plugins.body.n_fields);
    sim->posed.any = scree_balls_any(sim->world);
    g_free(sim->world->field_initial);
    sim->world->field_initial = scree_columns_initial(sim, SCREE_SCOPE_BODY);
    scree_world_reserve(sim->world, scene->bodies->len);
    for (guint i = 0; i < scene->bodies->len; i++)
        scree_world_add(sim->world, &g_array_index(scene->bodies, scree_body, i), sim->t0);
    if (!goes_on && !scree_columns_start(sim, &scene->starts, scene->bodies, 0, error))
        return false;
    scree_start_values_clear(&sim->scene->starts);
    scree_world_lend(sim->world, sim->scratch);
    scree_world_sort(sim->world, 0.0, NULL, NULL, sim->scratch);
    wrap_start(sim->world);
    sim->renumber.every = scene->renumber.every;
    sim->renumber.cell = 2.0 * fmax(scree_world_largest(sim->world), largest_to_come(scene));
    if (!(sim->renumber.cell > 0.0))
        sim->renumber.every = 0;
    if (sim->renumber.every)
        scree_world_sort(sim->world, sim->renumber.cell, NULL, NULL, sim->scratch);
    else
        scree_world_number(sim->world);
    scree_scratch_end(sim->scratch);
    for (int k = 0; k < 3; k++)
        if (scree_repeats(&sim->world->cell, k) && !(sim->world->cell.vector[k][k] > 0.0))
            return scree_fail(
                error, SCREE_EXIT_USAGE,
                "scene.boundary: axis %d is periodic but the region has no extent there", k);
    scree_world_view(sim->world, &sim->view);
    // The world has copies now; the scene's bodies are a fifth of a run's memory.
    g_array_unref(sim->scene->bodies);
    sim->scene->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    return true;
}

bool scree_sim_start(scree_sim *sim, GError **error)
{
    scree_energy energy;
    scree_guard_name_step(sim->step);
    if (!scree_modifiers_enter(sim, error) || !scree_bonds_make(sim, error))
        return false;
    sim->warnings.seeks_overlaps = true;
    if (!scree_evaluate(sim, 0.0, 0.0, true, error))
        return false;
    sim->warnings.seeks_overlaps = false;
    sim->lag = 0.0;
    sim->account.lost = sim->account.work = sim->account.wall_work = (scree_exact_sum){.odd = 0.0};
    scree_energy_now(sim, &energy);
    sim->account.start = energy.kinetic + energy.gravity + energy.stored;
    scree_ledger_open(&sim->counters.ledger, sim->runtime.pool);
    sim->counters.evaluations = sim->counters.sum_candidates = sim->counters.sum_contacts = 0;
    return true;
}

scree_sim *scree_sim_new(scree_scene *scene, const scree_sim_options *options, GError **error)
{
    scree_sim *sim = g_new0(scree_sim, 1);
    sim->scene = scene;
    sim->kernels = scree_kernels_best();
    sim->runtime = scree_scene_runtime(scene, scree_pool_new(options->threads));
    sim->runtime.summed.bodies = &sim->view;
    scree_figures_offer(sim);
    sim->runtime.cancelled = options->cancelled;
    sim->runtime.output_dir = g_strdup(options->output_dir);
    sim->runtime.events = scree_event_log_new();
    if (options->goes_on && options->goes_on->states) {
        sim->runtime.handed = g_ptr_array_ref(options->goes_on->states);
        sim->runtime.handed_lax = options->goes_on->lax;
    }
    sim->t0 = options->t0;
    sim->dt = scene->dt;
    sim->warnings.checks_dt = options->check_dt;
    scree_pool *pool = sim->runtime.pool;
    scree_pool_use(pool, options->all_lanes ? options->threads : scree_cpu_count());
    sim->warnings.overlaps = g_new0(scree_overlap, scree_pool_lanes(pool));
    sim->warnings.deep = HUGE_VAL;
    scree_ledger_open(&sim->counters.ledger, pool);
    scree_lane_tuner_init(&sim->lane_tuner, scree_pool_used(pool));
    sim->lane_tuner.on = sim->lane_tuner.top > 0 && !options->all_lanes;
    sim->contacts.want_blocks = options->blocks;
    sim->contacts.batch =
        options->batch ? CLAMP(options->batch, SMALLEST_BATCH, SCREE_BATCH_MAX) : DEFAULT_BATCH;
    sim->extents.eps_v = scene->extent.eps_v;
    sim->extents.eps_e = scene->extent.eps_e;
    sim->extents.eps_c = scene->extent.eps_c;
    sim->extents.zero =
        scene->extent.eps_v == 0.0 && scene->extent.eps_e == 0.0 && scene->extent.eps_c == 0.0;
    sim->extents.renew_moved = scene->extent.renew == SCREE_RENEW_MOVED;
    if (scene->extent.renew == SCREE_RENEW_AUTO && !sim->extents.zero)
        scree_renewal_init(&sim->renewal);
    sim->ranks = options->ranks;
    if (sim->ranks)
        scree_ranks_cut(sim, options->threads);
    sim->edits.edited = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    sim->observers = g_ptr_array_new();
    scree_questions_begin(sim);
    sim->contacts.stale = sim->edits.newcomers = sim->edits.entrants = true;
    scree_order_prepare(sim);
    sim->swaps.all = g_ptr_array_new_with_free_func((GDestroyNotify)scree_swap_free);
    sim->swaps.schedule_done = g_new0(uint8_t, scene->schedule->len + 1);
    sim->swaps.acted = g_array_new(FALSE, FALSE, sizeof(scree_acted));
    sim->swaps.adopted = g_ptr_array_new_with_free_func((GDestroyNotify)scree_plugin_set_free);
    if (!make_plugins(sim, options->goes_on, error) ||
        !scree_sim_step_of(sim, &sim->dt, &sim->critical, error) ||
        !make_world(sim, options->goes_on != NULL, error)) {
        scree_sim_free(sim);
        return NULL;
    }
    scree_motion_size(sim);
    scree_evaluate_init(sim);
    if (options->check_dt)
        scree_diagnostics_new(&sim->warnings, sim->critical);
    sim->watched = true;
    if (!options->goes_on && !options->waits && !scree_sim_start(sim, error)) {
        scree_sim_free(sim);
        return NULL;
    }
    return sim;
}

void scree_sim_free(scree_sim *sim)
{
    if (!sim)
        return;
    g_free(sim->warnings.diagnostics);
    scree_saved_plugins all = {.has_gcd = true, .has_contacts = true, .has_bodies = true};
    scree_plugins_exchange(sim, &all);
    scree_plugins_free(sim, &all);
    scree_order_clear(sim);
    scree_extent_clear(&sim->boxes);
    scree_balls_clear(&sim->posed);
    scree_edits_clear(&sim->edits);
    scree_questions_end(sim);
    scree_world_free(sim->world);
    free(sim->account.power);
    g_array_unref(sim->edits.edited);
    g_ptr_array_unref(sim->observers);
    scree_record_clear(&sim->records);
    scree_fields_view_clear(&sim->shared);
    for (int k = 0; k < 3; k++) {
        free(sim->displacements.moved[k]);
        free(sim->displacements.turned[k]);
        free(sim->surfaces.velocity[k]);
    }
    free(sim->displacements.mirror);
    free(sim->moves.turning);
    free(sim->edits.marks);
    free(sim->edits.view_marks);
    scree_body_copy *const copies[] = {&sim->checks.copy, &sim->checks.copy_free,
                                       &sim->checks.copy_fixed, &sim->checks.sampled,
                                       &sim->displacements.walls};
    for (size_t k = 0; k < G_N_ELEMENTS(copies); k++)
        scree_motion_forget(copies[k]);
    g_free(sim->warnings.overlaps);
    g_free(sim->types.index);
    g_ptr_array_unref(sim->swaps.all);
    g_clear_pointer(&sim->conditions, g_ptr_array_unref);
    g_free(sim->swaps.schedule_done);
    g_array_unref(sim->swaps.acted);
    g_ptr_array_unref(sim->swaps.adopted);
    scree_pool_free(sim->runtime.pool);
    scree_event_log_free(sim->runtime.events);
    g_free(sim->runtime.output_dir);
    g_clear_pointer(&sim->runtime.writers, g_hash_table_unref);
    g_clear_pointer(&sim->runtime.handed, g_ptr_array_unref);
    scree_scene_free(sim->scene);
    g_free(sim);
}
