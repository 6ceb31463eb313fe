/* SPDX-License-Identifier: Apache-2.0 */
/* The report at the end of a run, a JSON object, of which tools/look/cmd_summary.c makes a
 * table. */
#include "run/report.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "build_config.h"
#include "change/condition_state.h"
#include "change/swap.h"
#include "engine/bonds.h"
#include "engine/diagnostics.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/warnings.h"
#include "plugin/events.h"
#include "plugin/kinds.h"
#include "run/rank_report.h"
#include "run/run_manifest.h"

/** Returns the particle-steps per second in the steps, without the time of observers. */
static double particle_rate(const scree_report *report)
{
    double seconds = report->times.wall - report->times.observe_wall;
    return seconds > 0.0 && report->steps ? report->particle_steps / seconds : 0.0;
}

/** Returns the number of blocks of bodies; right after a renumbering, 1. */
static uint32_t count_blocks(const scree_sim *sim)
{
    uint32_t want = sim->contacts.want_blocks ? sim->contacts.want_blocks
                                              : sim->lane_tuner.lanes[sim->lane_tuner.top];
    return MAX(1, MIN(want, sim->world->n_free));
}

/** Returns the mean over the evaluations of the steps; without steps, the value of the initial
 * state. */
static double find_mean(const scree_sim *sim, uint64_t sum, uint64_t now)
{
    const uint64_t n = sim->counters.evaluations;
    return n ? (double)sum / (double)n : (double)now;
}

/** Returns the overlapping tight boxes per committed pair; NaN: the GCD has committed no pair. */
static double accuracy(const scree_sim *sim)
{
    return sim->counters.committed
               ? (double)sim->counters.overlapping / (double)sim->counters.committed
               : (double)NAN;
}

/** Lists each plugin in use once, also sources, whose instances are gone; new array of
 * scree_saved_plugin. */
static GArray *list_plugins(const scree_report *report)
{
    GArray *all = scree_run_plugins(report->sim, report->observers);
    for (guint i = all->len; i-- > 0;) {
        bool again = false;
        for (guint k = 0; k < i; k++)
            again |= g_array_index(all, scree_saved_plugin, k).plugin ==
                     g_array_index(all, scree_saved_plugin, i).plugin;
        if (again)
            g_array_remove_index(all, i);
    }
    return all;
}

/** Returns the condition of `stop` that ended the run, or NULL. */
static const scree_condition *ending(const scree_report *report)
{
    return report->ended_by < 0 ? NULL : report->sim->scene->stop->pdata[(guint)report->ended_by];
}

static void write_reals(scree_json *json, const char *key, const double *v, uint32_t n)
{
    scree_json_open_array(json, key);
    for (uint32_t k = 0; k < n; k++)
        scree_json_real(json, NULL, v[k]);
    scree_json_close_array(json);
}

/** Writes the bodies of figure k: "max_speed_body", "max_overlap_bodies". */
static void write_bodies_of(const scree_report *report, uint32_t k, double value, scree_json *json)
{
    const scree_figure_row *row = scree_figure_at(k);
    const bool one = row->n_bodies == 1;
    uint64_t id[2];
    const uint32_t n = scree_figure_bodies(report->sim, k, value, id);
    g_autofree char *key = g_strconcat(row->name, one ? "_body" : "_bodies", NULL);
    if (!one)
        scree_json_open_array(json, key);
    for (uint32_t i = 0; i < n; i++)
        scree_json_uint(json, one ? key : NULL, id[i]);
    if (!one)
        scree_json_close_array(json);
    else if (!n)
        scree_json_null(json, key);
}

/** Writes what walls and contacts did over this run. */
static void write_walls(const scree_sim *sim, scree_json *json)
{
    const scree_account *account = &sim->account;
    scree_json_real(json, "duration", scree_sim_time(sim) - account->begun);
    scree_json_real(json, "wall_work", scree_exact_sum_value(&account->wall_work));
    scree_json_real(json, "dissipated",
                    scree_exact_sum_value(&account->lost) - account->lost_before);
}

static void write_figures(const scree_report *report, scree_json *json)
{
    double value[SCREE_MOST_FIGURES];
    scree_figures_now(report->sim, ~(uint64_t)0, value);
    for (uint32_t k = 0; scree_figure_at(k); k++)
        if (scree_figure_at(k)->in_json)
            scree_json_real(json, scree_figure_at(k)->name, value[k]);
    for (uint32_t k = 0; scree_figure_at(k); k++)
        if (scree_figure_at(k)->n_bodies)
            write_bodies_of(report, k, value[k], json);
    write_walls(report->sim, json);
    if (!ending(report)) {
        scree_json_string(json, "ended_by", NULL);
        return;
    }
    scree_json_open_object(json, "ended_by");
    scree_json_uint(json, "stop", (uint64_t)report->ended_by);
    scree_json_string(json, "when", ending(report)->text);
    scree_json_uint(json, "step", report->sim->step);
    scree_json_real(json, "time", scree_sim_time(report->sim));
    scree_json_close_object(json);
}

static void write_head(const scree_report *report, scree_json *json)
{
    const scree_sim *sim = report->sim;
    const scree_world *w = sim->world;
    scree_json_string(json, "title", sim->scene->title);
    scree_json_string(json, "scene", sim->scene->name);
    scree_json_uint(json, "dimension", sim->scene->dimension);
    scree_json_uint(json, "steps", report->steps);
    scree_json_real(json, "dt", sim->dt);
    scree_json_real(json, "critical_step", sim->critical);
    scree_json_real(json, "time", scree_sim_time(sim));
    scree_json_uint(json, "bodies", w->n);
    scree_json_uint(json, "free", w->n_free);
    scree_json_uint(json, "kinematic", w->n_kinematic);
    scree_json_uint(json, "fixed", w->n - w->n_free - w->n_kinematic);
    write_figures(report, json);
    scree_json_uint(json, "ranks", sim->ranks ? sim->ranks->n : 1);
    scree_json_uint(json, "threads", scree_pool_lanes(sim->runtime.pool));
    scree_json_uint(json, "blocks", count_blocks(sim));
    scree_rank_report_write(sim, json);
    scree_json_string(json, "cpu_level", sim->kernels->level);
    scree_json_real(json, "setup_s", report->setup_s);
    scree_json_real(json, "wall_s", report->times.wall);
    scree_json_real(json, "particle_steps_per_s", particle_rate(report));
}

static void write_energy(const scree_sim *sim, scree_json *json)
{
    scree_energy e;
    double linear[3], angular[3];
    scree_energy_now(sim, &e);
    scree_momentum(sim, linear, angular);
    scree_json_open_object(json, "energy");
    scree_json_real(json, "kinetic", e.kinetic);
    scree_json_real(json, "gravity", e.gravity);
    scree_json_real(json, "stored", e.stored);
    scree_json_real(json, "lost", e.lost);
    scree_json_real(json, "work", e.work);
    scree_json_real(json, "start", e.start);
    scree_json_real(json, "residual", e.residual);
    scree_json_close_object(json);
    write_reals(json, "momentum", linear, 3);
    write_reals(json, "angular_momentum", angular, 3);
}

static void write_measures(const scree_report *report, scree_json *json)
{
    const scree_sim *sim = report->sim;
    scree_json_open_object(json, "phases");
    for (int p = 0; p < SCREE_PHASES; p++)
        scree_json_real(json, scree_phase_name((scree_phase)p), report->times.row[p]);
    scree_json_close_object(json);
    scree_json_uint(json, "gcd_calls", sim->counters.gcd_calls);
    scree_json_real(json, "gcd_wall_s", report->times.gcd_wall);
    scree_json_real(json, "candidates",
                    find_mean(sim, sim->counters.sum_candidates, sim->contacts.n_candidates));
    scree_json_real(json, "contacts",
                    find_mean(sim, sim->counters.sum_contacts, sim->counters.contacts));
    scree_json_uint(json, "contacts_at_end", sim->counters.contacts);
    if (scree_bonds_law(sim))
        scree_json_uint(json, "bonds_at_end", scree_bonds_count(sim));
    else
        scree_json_null(json, "bonds_at_end");
    scree_json_uint(json, "destroyed", sim->counters.destroyed);
    scree_json_uint(json, "outside", scree_check_outside(sim));
    scree_json_real(json, "accuracy", accuracy(sim));
    write_energy(sim, json);
    scree_json_uint(json, "peak_rss_bytes", scree_peak_rss());
}

/** Writes the global fields of a modifier, or (NULL) their units. */
static void write_fields(const scree_instance *modifier, const double *at, scree_json *json)
{
    scree_json_open_object(json, at ? "fields" : "units");
    for (uint32_t f = 0; f < modifier->plugin->n_fields; f++) {
        const scree_field *field = modifier->plugin->fields[f];
        if (field->scope != SCREE_SCOPE_GLOBAL)
            continue;
        if (!at && field->unit && *field->unit && strcmp(field->unit, "-"))
            scree_json_string(json, field->name, field->unit);
        if (at && field->components == 1)
            scree_json_real(json, field->name, *at);
        else if (at)
            write_reals(json, field->name, at, field->components);
        at += at ? field->components : 0;
    }
    scree_json_close_object(json);
}

static void write_modifiers(const scree_report *report, scree_json *json)
{
    const scree_sim *sim = report->sim;
    scree_json_open_array(json, "modifiers");
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_timed_choice *timed = sim->plugins.body.modifier_slots->pdata[m];
        const scree_instance *one = sim->plugins.body.modifiers->pdata[m];
        scree_json_open_object(json, NULL);
        scree_json_string(json, "name", timed->name);
        scree_json_string(json, "plugin", timed->choice->plugin->id);
        write_fields(one, sim->plugins.body.global_field + one->first_global_field, json);
        write_fields(one, NULL, json);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

/** Writes the last scalars of the observers by their names. */
static void write_observers(const scree_report *report, scree_json *json)
{
    scree_json_open_object(json, "observers");
    for (uint32_t i = 0; i < scree_observers_count(report->observers); i++) {
        const scree_instance *one = scree_observers_instance(report->observers, i);
        const double *value = scree_observers_scalars(report->observers, i);
        if (!one->n_scalars)
            continue;
        scree_json_open_object(json, strchr(one->slot, '.') + 1);
        for (uint32_t k = 0; k < one->n_scalars; k++)
            scree_json_real(json, one->kept_scalars[k].name, value[k]);
        scree_json_close_object(json);
    }
    scree_json_close_object(json);
}

static void write_event(void *user, const char *name, uint64_t count)
{
    scree_json_uint(user, name, count);
}

static void write_events(const scree_report *report, scree_json *json)
{
    scree_json_open_object(json, "events");
    scree_event_log_each(report->sim->runtime.events, write_event, json);
    scree_json_close_object(json);
}

static void write_plugins(const scree_report *report, scree_json *json)
{
    g_autoptr(GArray) all = list_plugins(report);
    scree_json_open_array(json, "plugins");
    for (guint i = 0; i < all->len; i++) {
        const scree_saved_plugin *one = &g_array_index(all, scree_saved_plugin, i);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "kind", one->kind);
        scree_json_string(json, "id", one->id);
        scree_json_string(json, "version", one->version);
        scree_json_string(json, "citation", one->plugin->citation);
        scree_json_string(json, "file", one->path);
        scree_json_string(json, "sha256", one->sha256);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

static void write_machine(scree_json *json)
{
    g_autofree char *name = scree_line_value("/proc/cpuinfo", "model name");
    const char *cpu = name ? name + strspn(name, ": \t") : "unknown"; // of the first processor
    scree_json_open_object(json, "machine");
    scree_json_string(json, "cpu", cpu);
    scree_json_uint(json, "cores", g_get_num_processors());
    scree_json_string(json, "compiler", SCREE_COMPILER);
    scree_json_string(json, "flags", SCREE_FLAGS);
    scree_json_close_object(json);
}

char *scree_report_json(const scree_report *report)
{
    const GString *text = report->sim->scene->config->text;
    g_autoptr(scree_json) json = scree_json_new();
    g_autofree char *scene_sha256 =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text->str, text->len);
    scree_json_open_object(json, NULL);
    write_head(report, json);
    write_measures(report, json);
    write_modifiers(report, json);
    write_observers(report, json);
    write_events(report, json);
    scree_diagnostics_json(report->sim, json);
    scree_swaps_json(report->sim, json);
    scree_conditions_json(report->sim, json);
    scree_json_bool(json, "stopped", report->stopped);
    scree_json_string(json, "state_sha256", report->state_sha256);
    scree_json_string(json, "scene_sha256", scene_sha256);
    write_plugins(report, json);
    write_machine(json);
    scree_json_string(json, "folder", report->folder);
    scree_json_close_object(json);
    return g_strdup(scree_json_text(json));
}
