/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the run of a scene as it begins: what it is made of, its steps, its first state. */
#include "tools/look/look_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/say.h"
#include "change/schedule.h"
#include "change/swap_trial.h"
#include "engine/bonds.h"
#include "engine/observers.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "engine/warnings.h"
#include "plugin/instance.h"
#include "plugin/scalars.h"
#include "plugin/slot.h"
#include "run/run_dir.h"
#include "scene/query_service.h"
#include "scene/scene.h"
#include "scene/scene_build.h"
#include "scene/scene_condition.h"
#include "scene/scene_runtime.h"
#include "tools/look/census.h"
#include "tools/look/memory_use.h"
#include "tools/look/modifier_lines.h"
#include "tools/look/run_time.h"
#include "tools/look/schedule_text.h"
#include "tools/look/settled_time.h"
#include "tools/look/shape_lines.h"
#include "tools/look/silent_mistakes.h"

static void print_bodies(const scree_scene *s, const scree_census *c)
{
    printf("bodies     %u: %" G_GUINT64_FORMAT " free, %" G_GUINT64_FORMAT
           " kinematic, %" G_GUINT64_FORMAT " fixed (these have %" G_GUINT64_FORMAT
           " facets; %" G_GUINT64_FORMAT " planes)\n",
           s->bodies->len, c->free, c->kinematic, c->fixed, c->facets, c->planes);
    if (c->round)
        printf("radii      %g m to %g m (1 : %.3g)\n", c->r_min, c->r_max, c->r_max / c->r_min);
    if (c->clumps)
        printf("clumps     %" G_GUINT64_FORMAT ", their balls of radius %g m to %g m\n", c->clumps,
               c->ball_min, c->ball_max);
    if (c->solids)
        printf("solids     %" G_GUINT64_FORMAT
               ", half thickness %g m to %g m, within %g m of their "
               "centres\n",
               c->solids, c->thin_min, c->thin_max, c->far);
    const double solid = scree_census_solid(s, c);
    if (solid > 0.0)
        printf("solid      %.4g of the %s of %s\n", solid, s->dimension == 2 ? "area" : "volume",
               s->has_region ? "scene.region" : "the box around them");
}

static void print_materials(const scree_scene *s)
{
    printf("materials  ");
    for (uint32_t i = 0; i < s->materials.n; i++)
        printf("%s%s (%g kg/m^3)", i ? ", " : "", s->materials.names[i], s->density[i]);
    putchar('\n');
}

static void print_plugins(const scree_scene *s)
{
    printf("plugins    gcd/%s", s->gcd->plugin->id);
    for (uint32_t i = 0; i < s->resolvers->len; i++)
        printf(", resolver/%s", ((scree_choice_of *)s->resolvers->pdata[i])->plugin->id);
    for (uint32_t i = 0; i < s->forces->len; i++)
        printf(", force/%s", ((scree_choice_of *)s->forces->pdata[i])->plugin->id);
    printf(", integrator/%s\n", s->integrator->plugin->id);
    if (!s->domain)
        return;
    const uint32_t ranks = scree_look_ranks(s);
    g_autofree char *n =
        ranks ? g_strdup_printf("%u", ranks) : g_strdup("as many as the launcher starts");
    printf("ranks      %s, by domain/%s\n", n, s->domain->plugin->id);
}

static void print_schedule(const scree_scene *s)
{
    for (guint k = 0; k < s->schedule->len; k++) {
        const scree_schedule_entry *entry = s->schedule->pdata[k];
        g_autofree char *place = scree_schedule_place(entry);
        g_autoptr(GString) what = g_string_new(NULL);
        scree_schedule_print(entry, s, what);
        printf("%-10s %s: %s: %s\n", k ? "" : "schedule", place, entry->cause, what->str);
    }
}

static char *body_text(uint64_t id)
{
    return id == SCREE_ID_NONE ? g_strdup("a body that a modifier makes")
                               : g_strdup_printf("body %" G_GUINT64_FORMAT, id);
}

static const char *size_text(const scree_critical_step *step)
{
    return step->flags & SCREE_CAP_ROUND   ? "radius"
           : step->flags & SCREE_CAP_BALLS ? "smallest ball of radius"
                                           : "half thickness";
}

static void print_rayleigh(const scree_scene *s, const scree_critical *c)
{
    const scree_critical_step *r = &c->rayleigh;
    g_autofree char *stiffest = body_text(r->id);
    if (isfinite(r->step))
        printf("rayleigh   %.4g s, set by %s (%s %g m): "
               "pi r sqrt(rho/G) / (0.1631 nu + 0.8766)\n",
               r->step, stiffest, size_text(r), r->size);
    if (c->no_elasticity)
        printf("rayleigh   unknown for %" G_GUINT64_FORMAT
               " free bodies%s: their materials lack young_modulus or poisson_ratio\n",
               c->no_elasticity, s->to_come->len ? " (two for each modifier that makes some)" : "");
}

static bool has_free(const scree_scene *s)
{
    bool any = s->to_come->len > 0;
    for (guint i = 0; i < s->bodies->len && !any; i++)
        any = g_array_index(s->bodies, scree_body, i).motion == SCREE_MOTION_FREE;
    return any;
}

static void print_springs(const scree_scene *s, const scree_critical *c)
{
    const scree_critical_step *k = &c->spring, *p = &c->packing;
    g_autofree char *lightest = body_text(k->id), *fastest = body_text(p->id);
    if (isfinite(k->step))
        printf("spring     %.4g s, set by %s (%s %g m) against %s of %s: "
               "sqrt(m_eff / max(kn, kt%s)) times %.4g\n",
               k->step, lightest, size_text(k), k->size, k->wall ? "a wall" : "one of its size",
               s->materials.names[k->partner], k->flags & SCREE_CAP_ROUND ? " (1 + m r^2/I)" : "",
               k->step * sqrt(k->rate));
    else if (c->no_stiffness)
        printf("spring     unknown: %s\n",
               has_free(s) ? "no law states its stiffness" : "no body is free, or to come");
    if (!isfinite(p->step))
        return;
    printf(
        "packing    %.6g s, set by %s (%s %g m) with room for %u contact%s, %s %s, damping ratio "
        "%.3g\n",
        p->step, fastest, size_text(p), p->size, p->contacts, p->contacts == 1 ? "" : "s",
        p->wall ? "some with a wall of" : "with", s->materials.names[p->partner], p->zeta);
}

static void print_critical(const scree_scene *s, const scree_critical *c, double dt)
{
    double smallest = scree_critical_smallest(c);
    g_autofree char *whose = scree_critical_name(c);
    print_rayleigh(s, c);
    print_springs(s, c);
    if (isfinite(smallest))
        printf("critical   %.6g s, %s\n", smallest, whose);
    if (isnan(dt))
        return;
    printf("dt         %.6g s%s", dt, isnan(s->dt) ? " (auto)" : "");
    if (isfinite(smallest))
        printf(", %.3g of critical", dt / smallest);
    putchar('\n');
}

static void print_time(const scree_scene *s, double dt)
{
    printf("time       %" G_GUINT64_FORMAT " steps to t = %.6g s\n", s->steps,
           (double)s->steps * dt);
}

/** Prints the forecast of the run: its set-up, which was made just now, and its steps. */
static void print_takes(const scree_sim *sim, double setup, const scree_look *look)
{
    const double steps = scree_run_time(sim), takes = steps > 0.0 ? setup + steps : 0.0;
    if (look->json) {
        scree_json_real(look->json, "takes_s", takes);
        scree_json_real(look->json, "takes_setup_s", setup);
    } else if (takes > 0.0)
        printf("takes      about %.2g s on one thread, by measured costs; %.2g s of it for the "
               "set-up (--time runs 60 steps)\n",
               takes, setup);
}

static void print_memory(const scree_scene *s, scree_memory_observers observers)
{
    printf("memory     about %.3g MiB, as a settled bed on one thread\n",
           ceil(scree_memory_forecast(s, observers) / 104857.6) / 10.0);
}

/** Makes the modifiers; one may refuse its settings. */
static bool try_modifiers(const scree_scene *s, scree_runtime *runtime, GError **error)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->modifiers->len; i++) {
        const scree_timed_choice *timed = s->modifiers->pdata[i];
        const scree_slot slot = {.kind = SCREE_KIND_MODIFIER, .name = timed->name};
        scree_instance *modifier = scree_instance_at(runtime, timed->choice, slot, error);
        ok = modifier != NULL;
        scree_instance_free(modifier);
    }
    return ok;
}

/** Makes the observers, one of which may refuse its settings, and notes what they need. */
static bool try_observers(const scree_scene *s, const GPtrArray *observers, scree_runtime *runtime,
                          scree_memory_observers *found, GError **error)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < observers->len; i++) {
        const scree_timed_choice *timed = observers->pdata[i];
        if (!timed->choice) // the schedule ends the observer
            continue;
        const scree_slot slot = {.kind = SCREE_KIND_OBSERVER, .name = timed->name};
        scree_instance *observer = scree_observer_new(runtime, timed->choice, slot, error);
        ok = observer && scree_terms_check(s, timed->name, observer, error);
        found->any = true;
        if (observer)
            found->want = MAX(found->want, scree_instance_lists(observer));
        scree_instance_free(observer);
    }
    return ok;
}

/** Removes a folder with its contents; prints a note on failure. */
static void remove_folder(const char *folder)
{
    if (!scree_folder_remove(folder))
        scree_say(SCREE_SAY_NOTE, "%s could not be removed", folder);
}

/** Makes the observers of the scene and of its schedule in a folder, and removes the folder. */
static bool try_all_observers(const scree_scene *s, scree_runtime *runtime,
                              scree_memory_observers *found, GError **error)
{
    *found = (scree_memory_observers){false, SCREE_LISTED_NONE};
    if (!s->observers->len && !s->observers_later)
        return true;
    runtime->output_dir = g_dir_make_tmp("scree-validate-XXXXXX", error);
    bool ok = runtime->output_dir && try_observers(s, s->observers, runtime, found, error);
    for (uint32_t k = 0; ok && k < s->schedule->len; k++) {
        const scree_schedule_entry *entry = s->schedule->pdata[k];
        if (entry->set->observers)
            ok = try_observers(s, entry->set->observers, runtime, found, error);
    }
    if (runtime->output_dir)
        remove_folder(runtime->output_dir);
    g_clear_pointer(&runtime->output_dir, g_free);
    g_clear_pointer(&runtime->writers, g_hash_table_unref);
    return ok;
}

/** Makes and asks the force laws; makes modifiers and observers. */
static bool try_plugins(const scree_scene *s, scree_critical *critical,
                        scree_memory_observers *observers, GError **error)
{
    const int cancelled = 0;
    scree_runtime runtime = scree_scene_runtime(s, scree_pool_new(1));
    const scree_query_world unasked = {.scene = s}; // services are there, but calls during the
                                                    // set-up may not use them
    scree_query_service *query = scree_query_service_new(&unasked);
    runtime.cancelled = &cancelled;
    runtime.query = scree_query_service_offer(query);
    GPtrArray *laws = g_ptr_array_new_with_free_func((GDestroyNotify)scree_instance_free);
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->forces->len; i++) {
        const scree_slot slot = {.kind = SCREE_KIND_FORCE, .index = i};
        scree_instance *law = scree_instance_at(&runtime, s->forces->pdata[i], slot, error);
        ok = law != NULL;
        if (law)
            g_ptr_array_add(laws, law);
    }
    ok = ok && try_modifiers(s, &runtime, error) &&
         try_all_observers(s, &runtime, observers, error) &&
         scree_critical_find(s, laws->len, (scree_instance *const *)laws->pdata, critical, error);
    g_ptr_array_free(laws, TRUE);
    scree_query_service_free(query);
    scree_pool_free(runtime.pool);
    return ok;
}

/** Prints the state of the checkpoint, once it is in the run. */
static void print_restart(const scree_sim *sim, const scree_checkpoint *from,
                          const scree_look *look)
{
    if (look->json) {
        scree_json_string(look->json, "restart", from->path);
        scree_json_uint(look->json, "restart_step", sim->step);
        return;
    }
    printf("restart    step %" G_GUINT64_FORMAT " of %s: t = %.6g s, dt = %.6g s, %u bodies, %u of "
           "them free\n",
           sim->step, from->path, scree_sim_time(sim), sim->dt, sim->world->n, sim->world->n_free);
}

/** Returns "sphere - mesh: resolver/sphere, force/linear" for list l; new string. */
static char *describe_list(const scree_sim *sim, uint32_t l)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const scree_list *list = &contact->lists[l];
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s - %s: resolver/%s%s", sim->world->types[list->type_a]->name,
                    sim->world->types[list->type_b]->name, list->resolver->plugin->id,
                    list->laws ? "" : ", no law");
    for (uint32_t k = 0; k < contact->n_laws; k++)
        if (list->laws >> k & 1u)
            g_string_append_printf(text, ", force/%s", contact->laws[k].instance->plugin->id);
    return g_string_free(text, FALSE);
}

/** Prints the resolver and the laws of each pair of types that can meet, the number of bonds, and,
 * unless the contacts are those of a checkpoint, the overlap. */
static void print_start(const scree_sim *sim, bool goes_on, const scree_look *look)
{
    g_autofree char *overlap = goes_on ? NULL : scree_check_overlap(sim);
    if (look->json)
        scree_json_open_array(look->json, "pairs");
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        g_autofree char *text = describe_list(sim, l);
        if (look->json)
            scree_json_string(look->json, NULL, text);
        else
            printf("%-10s %s\n", l ? "" : "pairs", text);
    }
    if (look->json) {
        scree_json_close_array(look->json);
        scree_json_uint(look->json, "bonds", scree_bonds_count(sim));
        scree_json_string(look->json, "overlap", overlap);
    } else {
        if (scree_bonds_law(sim))
            printf("bonds      %" G_GUINT64_FORMAT " at the %s\n", scree_bonds_count(sim),
                   goes_on ? "restart" : "start");
        if (!goes_on)
            printf("overlap    %s\n", overlap ? overlap : "none at the start");
    }
}

/** Tries laws and resolvers of the schedule on the first state, and warns of refusals: a pair of
 * types that they do not serve shows before the run. */
static void try_schedule(scree_sim *sim)
{
    for (guint k = 0; k < sim->scene->schedule->len; k++) {
        const scree_schedule_entry *entry = sim->scene->schedule->pdata[k];
        const scree_plugin_set set = {.resolvers = entry->set->resolvers,
                                      .forces = entry->set->forces};
        const bool steps = entry->settings.has_dt;
        if (!set.resolvers && !set.forces && !steps)
            continue;
        g_autoptr(GError) why = NULL;
        g_autofree char *place = scree_schedule_place(entry);
        scree_swap *swap = scree_swap_new(0, 0.0, entry->cause);
        if (!scree_swap_try(sim, NULL, &set, steps ? &entry->settings : NULL, swap, &why))
            scree_say(SCREE_SAY_WARNING,
                      "%s: schedule[%u] (%s): at the start it would be refused: %s", place, k,
                      entry->cause, why->message);
        else if (swap->critical > 0.0 && swap->dt > swap->critical)
            scree_say(SCREE_SAY_WARNING,
                      "%s: schedule[%u] (%s): dt = %g s is above the critical step of its laws, %g "
                      "s: bodies with many contacts may gain energy",
                      place, k, entry->cause, swap->dt, swap->critical);
        scree_swap_free(swap);
    }
}

/** Leaves out what observers say of files that are removed. */
static void say_of_others(const char *who, scree_say_level level, const char *text)
{
    if (!g_str_has_prefix(who, "observers."))
        scree_look_say(who, level, text);
}

bool scree_show_start(scree_sim *sim, bool goes_on, GError **error)
{
    g_autoptr(scree_observers) observers = scree_observers_new(sim, error);
    if (!observers)
        return false;
    if (goes_on)
        scree_observers_go_on(observers);
    else if (!scree_observers_start(observers, error))
        return false;
    return scree_observers_observe(observers, !goes_on, NULL, error) &&
           scree_observers_finish(observers, error);
}

/** Makes the run, evaluates its first state or continues that of a checkpoint, and shows it to the
 * observers, which write what they would write into a folder that is removed: names of files may
 * clash. */
static scree_sim *make_start(scree_scene *s, const scree_look_from *from, GError **error)
{
    static const int cancelled = 0;
    g_autofree char *folder =
        s->observers->len ? g_dir_make_tmp("scree-validate-XXXXXX", error) : NULL;
    const scree_sim_options options = {
        .cancelled = &cancelled, .output_dir = folder, .waits = true};
    if (s->observers->len && !folder) {
        scree_scene_free(s);
        return NULL;
    }
    const bool goes_on = from->checkpoint;
    g_autoptr(scree_sim) sim = goes_on ? scree_restart_begin(s, &options, from->checkpoint,
                                                             from->allow_plugin_change, error)
                                       : scree_sim_new(s, &options, error);
    scree_say_set(say_of_others);
    const bool ok = sim && scree_show_start(sim, goes_on, error);
    scree_say_set(scree_look_say);
    if (folder)
        remove_folder(folder);
    if (sim)
        g_clear_pointer(&sim->runtime.output_dir, g_free);
    return ok ? g_steal_pointer(&sim) : NULL;
}

/** Prints how long the run will take, from its first steps: of these the first ones fill caches. */
static bool time_steps(scree_sim *sim, const scree_look *look, GError **error)
{
    enum { WARM = 10, TIMED = 50 };
    const uint64_t steps = sim->scene->steps;
    double begin = 0.0;
    scree_timed_from from = {0};
    for (int k = 0; k < WARM + TIMED; k++) {
        if (k == WARM) {
            from = scree_settled_begin(sim);
            begin = scree_now();
        }
        if (!scree_sim_step(sim, error))
            return false;
    }
    if (!scree_sim_settle(sim, error))
        return false;
    const double each = (scree_now() - begin) / TIMED;
    if (look->json) {
        scree_json_real(look->json, "duration_s", each * (double)steps);
        scree_json_real(look->json, "step_s", each);
        return true;
    }
    printf("duration   about %.3g s for %" G_GUINT64_FORMAT
           " steps of %.3g ms, as the mean of %d on "
           "one thread, without observers\n",
           each * (double)steps, steps, 1e3 * each, TIMED);
    scree_settled_print(sim, from, TIMED, TIMED * each);
    return true;
}

/** Makes the first state, or takes that of a checkpoint, and prints it. False: the scene cannot be
 * run. */
static bool try_start(scree_scene *s, const scree_look_from *from, bool timed,
                      const scree_look *look, GError **error)
{
    g_autoptr(scree_sim) sim = make_start(s, from, error);
    if (!sim)
        return false;
    const double setup = scree_look_spent(look);
    const bool goes_on = from->checkpoint;
    print_takes(sim, setup, look);
    if (goes_on)
        print_restart(sim, from->checkpoint, look);
    else
        scree_check_start(sim);
    print_start(sim, goes_on, look);
    const uint64_t end = sim->scene->steps ? sim->step + sim->scene->steps : 0;
    if (!scree_schedule_check(sim, error) || !scree_schedule_check_end(sim, end, error))
        return false;
    sim->warnings.checks_dt = true; // of the trials
    if (!goes_on)
        try_schedule(sim);
    return !timed || time_steps(sim, look, error);
}

/** Ends a description that has begun: its last line is not that of a healthy scene. */
static int refuse(scree_look *look, const GError *error)
{
    const int status = scree_look_fail(look, error);
    if (!look->json)
        puts("refused    this scene cannot be run: see the message on standard error");
    return status;
}

void scree_look_notes(const scree_scene *s, guint from)
{
    for (guint i = from; i < s->config->notes->len; i++)
        scree_say(SCREE_SAY_NOTE, "%s", (const char *)s->config->notes->pdata[i]);
}

/** Notes modifiers that begin after the last step, unless the schedule changes dt. */
static void note_late(const scree_scene *s, double dt)
{
    const guint before = s->config->notes->len;
    bool same_dt = s->steps > 0;
    for (guint k = 0; k < s->schedule->len; k++)
        same_dt =
            same_dt && !((const scree_schedule_entry *)s->schedule->pdata[k])->settings.has_dt;
    if (same_dt)
        scree_note_late_modifiers(s, (double)s->steps * dt);
    scree_look_notes(s, before);
}

static void print_scene(const scree_scene *s, scree_memory_observers observers)
{
    const scree_census c = scree_census_take(s);
    g_autofree char *title = scree_plain(s->title, SCREE_PLAIN_MOST);
    printf("scene      %s (%s, %uD)\n", title, s->name, s->dimension);
    print_bodies(s, &c);
    scree_print_shapes(s);
    print_materials(s);
    print_plugins(s);
    scree_print_modifiers(s);
    print_schedule(s);
    print_memory(s, observers);
}

int scree_look_describe(scree_scene *s, const scree_look_from *from, bool timed, scree_look *look)
{
    g_autoptr(GError) error = NULL;
    scree_critical critical;
    scree_memory_observers observers;
    if (!try_plugins(s, &critical, &observers, &error)) {
        scree_scene_free(s);
        return scree_look_fail(look, error);
    }
    double dt = scree_critical_dt(s, &critical, &error);
    if (look->json) {
        const scree_census census = scree_census_take(s);
        scree_look_put_scene(look->json, s, &census);
        scree_json_real(look->json, "memory_bytes", scree_memory_forecast(s, observers));
        scree_look_put_step(look->json, s, &critical, dt);
    } else {
        print_scene(s, observers);
        print_critical(s, &critical, dt);
    }
    if (isnan(dt) || !scree_check_dt(s, dt, &critical, &error)) {
        scree_scene_free(s);
        return refuse(look, error);
    }
    if (!look->json)
        print_time(s, dt);
    note_late(s, dt);
    if (s->steps == 0)
        scree_say(SCREE_SAY_NOTE, "scene.steps is not given; `scree run` needs --steps or --until");
    return try_start(s, from, timed, look, &error) ? SCREE_EXIT_OK : refuse(look, error);
}
